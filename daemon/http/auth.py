"""
Who may call: programs on this machine, and whoever has the token; not web pages of other sites.

A page in the owner's browser can post to the loopback, and by DNS rebinding even read the replies. So the Host header
must name this daemon, and an Origin, where the browser sends one, must be of this machine. The unix socket needs no
check: only the owner can open it, and no browser can.
"""

import ipaddress
import secrets
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from daemon.errors import HostRefused, OriginRefused, TokenRequired

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def admit(
    headers: Mapping[str, str],
    peer: str | None,
    *,
    names: Collection[str],
    origins: Collection[str],
    token: str | None,
) -> str | None:
    """
    Let a request over TCP pass, or raise. *peer* is its address; *names* are the daemon's besides localhost's.

    Returns:
        The origin that the reply must name to be read by the page that asked, if it was a page.

    Raises:
        TokenRequired: it comes from elsewhere and has not the token.
        HostRefused: it was sent to a name that is not this daemon's.
        OriginRefused: it was made by a page of another site.
    """
    trusted = _has_token(headers.get("authorization") or f"bearer {headers.get('x-api-key', '')}", token)
    if not trusted and not is_loopback(peer):
        raise TokenRequired
    host = headers.get("host", "")
    if not trusted and _name_of(f"//{host}") not in {*LOCAL, *names}:
        raise HostRefused(host)
    origin = headers.get("origin")
    if origin is not None:
        if origin not in origins and (origin == "null" or _name_of(origin) not in {*LOCAL, *names}):
            raise OriginRefused(origin)
        return origin
    if headers.get("sec-fetch-site") == "cross-site":
        raise OriginRefused(headers.get("referer", "unknown"))
    return None


def is_loopback(address: str | None) -> bool:
    """Whether *address*, an IP address, is this machine's own."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def read_token(file: Path) -> str:
    """The token of this home, made at the first need, for the owner's eyes only."""
    try:
        if token := file.read_text(encoding="ascii").strip():
            file.chmod(0o600)
            return token
    except (FileNotFoundError, UnicodeDecodeError):
        pass
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    token = secrets.token_urlsafe(32)
    file.write_text(token + "\n", encoding="ascii")
    return token


def _has_token(authorization: str, token: str | None) -> bool:
    scheme, _, given = authorization.partition(" ")
    return (
        token is not None
        and scheme.lower() == "bearer"
        and secrets.compare_digest(given.strip().encode(), token.encode())
    )


def _name_of(address: str) -> str:
    """The host of an address or origin, in lower case; what cannot be read has none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""
