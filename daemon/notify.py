"""Readiness for the service manager: systemd's sd_notify protocol, without its library."""

import os
import socket
from collections.abc import Mapping


def notify(state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send *state* (`READY=1`, lines joined by newlines) to the service manager; False where there is none."""
    address = environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        try:
            sender.sendto(state.encode(), address)
        except OSError:
            return False
    return True


def watchdog_interval_s(environ: Mapping[str, str] = os.environ) -> float | None:
    """How often the service manager wants to hear from this process (half its limit), or None."""
    limit_us = environ.get("WATCHDOG_USEC", "")
    pid = environ.get("WATCHDOG_PID")
    if not limit_us.isdecimal() or (pid and pid != str(os.getpid())):
        return None
    return int(limit_us) / 2_000_000
