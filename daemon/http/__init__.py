"""The daemon's HTTP doors, a module an API."""
