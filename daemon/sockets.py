"""The daemon's two doors: a TCP address and a unix socket, bound before anything else starts."""

import contextlib
import errno
import os
import socket
from pathlib import Path

from daemon.errors import AddressUnusable, AlreadyRunning, PortTaken

BACKLOG = 512


def listen_tcp(host: str, port: int) -> list[socket.socket]:
    """
    Listening sockets on every address of *host*, all on one port (0: a free one).

    Raises:
        PortTaken: somebody else listens there; the holder is named where the system tells.
        AddressUnusable: this machine has no such address, or the port is not allowed.
    """
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError) as error:
        raise AddressUnusable(host, port, getattr(error, "strerror", None) or str(error)) from None
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            try:
                sockets.append(_listen(family, host, sockets[0].getsockname()[1] if sockets else port, address))
            except _NoFamily:
                continue
    except BaseException:
        for bound in sockets:
            bound.close()
        raise
    if not sockets:
        raise AddressUnusable(host, port, "no usable address")
    return sockets


def listen_unix(path: Path) -> socket.socket:
    """
    A listening unix socket at *path* for the owner alone; one left by a dead daemon is removed.

    Raises:
        AlreadyRunning: something answers there.
        AddressUnusable: the file cannot be made.
    """
    if path.exists() or path.is_symlink():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(1.0)
            try:
                probe.connect(str(path))
            except OSError:
                path.unlink(missing_ok=True)
            else:
                raise AlreadyRunning(path.parent, 0, str(path))
    if path.parent.stat().st_uid != os.getuid():
        raise AddressUnusable(str(path), 0, "its folder belongs to another user")
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        bound.bind(str(path))
        path.chmod(0o600)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise AddressUnusable(str(path), 0, error.strerror or str(error)) from None
    return bound


def holder_of_port(port: int) -> str | None:
    """The process that listens on *port*, in words, where the system tells."""
    import psutil

    with contextlib.suppress(psutil.Error, OSError, RuntimeError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr and connection.laddr.port == port:
                if connection.pid is None:
                    return None
                process = psutil.Process(connection.pid)
                return f"{process.name()} (process {connection.pid}, of {process.username()})"
    return None


class _NoFamily(Exception):
    """This machine speaks no such address family (IPv6 is often off)."""


def _listen(family: int, host: str, port: int, address: tuple[object, ...]) -> socket.socket:
    try:
        # With the protocol named, asyncio sends at once on what is accepted here; else the end of a reply waits up to
        # 40 ms until the other side has confirmed its beginning.
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise _NoFamily from error
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((address[0], port, *address[2:]))
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(host, port, holder_of_port(port)) from None
        if error.errno == errno.EADDRNOTAVAIL and family == socket.AF_INET6 and host in ("", "localhost"):
            raise _NoFamily from None
        raise AddressUnusable(host, port, error.strerror or str(error)) from None
    return bound
