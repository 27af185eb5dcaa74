"""The terminal interface. Talks to the daemon over HTTP through `daemon.client`."""
