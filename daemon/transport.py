"""
HTTP calls to the daemon, over its unix socket or TCP, on the standard library. What goes wrong is a `DaemonError`.
"""

import contextlib
import http.client
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from daemon import wire

if TYPE_CHECKING:
    from daemon.lock import Holder

T = TypeVar("T")

LOCAL_HOSTS = frozenset({"", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"})
DEFAULT_PORT = 7077


class DaemonError(Exception):
    """A call that the daemon refused or could not finish. *kind* is a key of the table in `daemon.errors`."""

    def __init__(self, kind: str, message: str, hint: str | None = None, status: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.status = status


class DaemonNotRunning(DaemonError):
    """Nobody listens at *address*: no daemon is there, or its *holder* of the home stops, or does not serve yet."""

    def __init__(self, address: str, holder: "Holder | None" = None) -> None:
        if holder is None:
            super().__init__("NotRunning", "the daemon is not running", "start it with `reverie start`")
        elif holder.stopping:
            message = f"the daemon is stopping: process {holder.pid} lets running replies finish"
            super().__init__("Draining", message, "`reverie stop --force` does not wait")
        else:
            super().__init__("Starting", f"the daemon is starting: process {holder.pid}", "`reverie logs`")
        self.address = address


class _Connection(http.client.HTTPConnection):
    """HTTP over a unix socket when *path* is given. `raw` stays reachable while a reply is read, to hang up on it."""

    raw: socket.socket | None = None

    def __init__(self, host: str, port: int, path: Path | None, timeout_s: float | None) -> None:
        super().__init__(host, port, timeout=timeout_s)
        self.path = path

    def connect(self) -> None:
        if self.path is None:
            super().connect()
        else:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            self.sock.connect(str(self.path))
        self.raw = self.sock


class _OpenAIError(msgspec.Struct):
    message: str
    type: str | None = None
    code: str | None = None
    kind: str | None = None
    hint: str | None = None


class Stream(Generic[T]):
    """What a long call yields, in order. Ends quietly once `close` was called; raises `DaemonError` if it broke."""

    def __init__(
        self,
        connection: _Connection,
        response: http.client.HTTPResponse,
        decode: Callable[[Iterator[bytes]], Iterator[T]],
    ) -> None:
        self._connection = connection
        self._response = response
        self._closed = False
        self._items = decode(self._lines())

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        try:
            return next(self._items)
        except StopIteration:
            self.close()
            raise
        except DaemonError:
            self.close()
            raise
        except msgspec.MsgspecError as error:
            self.close()
            raise _bad_reply("a stream", error) from error
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            # ValueError and AttributeError: the standard library's way to say that another thread closed the file.
            was_closed = self._closed
            self.close()
            if was_closed:
                raise StopIteration from None
            if isinstance(error, TimeoutError):
                raise _timed_out(self._connection.timeout) from None
            raise DaemonError("ConnectionLost", "the daemon hung up", "`reverie logs` tells why") from error

    def close(self) -> None:
        """Hang up. Wakes a reader that waits in another thread."""
        if self._closed:
            return
        self._closed = True
        raw = self._connection.raw
        if raw is not None:
            with contextlib.suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _lines(self) -> Iterator[bytes]:
        while line := self._response.readline():
            yield line.rstrip(b"\r\n")


@dataclass(frozen=True)
class Transport:
    """
    Where the daemon listens, and how to call it there. Each call opens a connection of its own.

    Every call may raise:
        DaemonNotRunning: nobody listens.
        DaemonError: the daemon said no (kind, hint, HTTP status), hung up, or took longer than *timeout_s*.
    """

    socket_path: Path | None = None
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    timeout_s: float = 60.0
    lock_path: Path | None = None

    @property
    def address(self) -> str:
        """Where the calls go, for people."""
        return str(self.socket_path) if self.socket_path is not None else f"{self.host}:{self.port}"

    @property
    def long_s(self) -> float:
        """Time for calls that may have to load a model first."""
        return max(self.timeout_s, 600.0)

    def _not_running(self) -> DaemonNotRunning:
        """Why nobody listens: whoever holds the home may be on its way."""
        if self.lock_path is None:
            return DaemonNotRunning(self.address)
        from daemon.lock import holder_of

        return DaemonNotRunning(self.address, holder_of(self.lock_path))

    def call(
        self,
        method: str,
        path: str,
        type_: type[T],
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> T:
        """The reply to one call, decoded as *type_*."""
        data = self.exchange(method, path, query=query, body=body, timeout_s=timeout_s)
        try:
            return msgspec.json.decode(data, type=type_)
        except msgspec.MsgspecError as error:
            raise _bad_reply(path, error) from error

    def exchange(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> bytes:
        """The body of the reply to one call."""
        connection, response = self._open(method, path, query, body, timeout_s)
        try:
            return response.read()
        except TimeoutError:
            raise _timed_out(connection.timeout) from None
        except (OSError, http.client.HTTPException) as error:
            raise DaemonError("ConnectionLost", "the daemon hung up", "`reverie logs` tells why") from error
        finally:
            connection.close()

    def stream(
        self,
        method: str,
        path: str,
        decode: Callable[[Iterator[bytes]], Iterator[T]],
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> Stream[T]:
        """The reply to a long call, whose lines *decode* makes values of."""
        connection, response = self._open(method, path, query, body, timeout_s)
        return Stream(connection, response, decode)

    def _open(
        self, method: str, path: str, query: Mapping[str, str] | None, body: object, timeout_s: float | None
    ) -> tuple[_Connection, http.client.HTTPResponse]:
        """A 2xx reply, its body unread. *timeout_s* None waits for ever, a negative one is the client's own."""
        if timeout_s is not None and timeout_s < 0:
            timeout_s = self.timeout_s
        connection = _Connection(self.host, self.port, self.socket_path, timeout_s)
        target = path if not query else f"{path}?{urlencode(query, quote_via=quote)}"
        headers = {"Accept": "*/*"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = msgspec.json.encode(body)
            headers["Content-Type"] = "application/json"
        if self.socket_path is not None:
            headers["Host"] = "localhost"
        try:
            connection.request(method, target, body=data, headers=headers)
            response = connection.getresponse()
            if response.status < 300:
                return connection, response
            failure = failure_of(response.read(), response.status)
        except (FileNotFoundError, ConnectionRefusedError) as error:
            connection.close()
            raise self._not_running() from error
        except TimeoutError as error:
            connection.close()
            raise _timed_out(timeout_s) from error
        except http.client.HTTPException as error:
            connection.close()
            raise DaemonError("ConnectionLost", "the daemon hung up", "`reverie logs` tells why") from error
        except OSError as error:
            connection.close()
            raise DaemonError("Unreachable", f"cannot reach the daemon at {self.address}: {error}") from error
        connection.close()
        raise failure


def split_host(value: str) -> tuple[str, int]:
    """`host`, `host:port`, `[v6]:port` or an `http://` address -> host, port. An empty host means this machine."""
    value = value.strip().removeprefix("http://").rstrip("/")
    if value.startswith("["):
        host, _, rest = value[1:].partition("]")
        port = rest.removeprefix(":")
    elif value.count(":") == 1:
        host, _, port = value.partition(":")
    else:
        host, port = value, ""
    return host, int(port) if port.isdecimal() else DEFAULT_PORT


def _timed_out(timeout_s: object) -> DaemonError:
    return DaemonError(
        "TimeoutError",
        f"the daemon did not answer within {timeout_s} s",
        "`reverie status` shows its work, `reverie logs` what it did last",
    )


def _bad_reply(path: str, error: Exception) -> DaemonError:
    message = f"the daemon's reply to {path} is not what this version expects: {error}"
    return DaemonError("BadReply", message, "restart it after an update: `reverie stop && reverie start`")


def failure_of(data: bytes, status: int) -> DaemonError:
    """The error in a reply's body: reverie's own shape, OpenAI's, or else its first words."""
    with contextlib.suppress(msgspec.MsgspecError):
        own = msgspec.json.decode(data, type=wire.Error)
        return DaemonError(own.kind, own.error, own.hint, status)
    with contextlib.suppress(msgspec.MsgspecError):
        return _openai_failure(msgspec.json.decode(data, type=dict[str, msgspec.Raw]).get("error"), status)
    words = data.decode(errors="replace").strip().splitlines()
    return DaemonError("HttpError", words[0][:200] if words else f"HTTP status {status}", None, status)


def _openai_failure(raw: msgspec.Raw | None, status: int) -> DaemonError:
    """Raises MsgspecError when *raw* is no OpenAI error object."""
    error = msgspec.json.decode(raw if raw is not None else b"null", type=_OpenAIError)
    return DaemonError(error.kind or error.code or error.type or "HttpError", error.message, error.hint, status)
