"""
Calls to a running daemon, typed by `daemon.wire`: for the command line, the TUI and other programs.

Synchronous, on the standard library's HTTP over the daemon's unix socket (or TCP). A `Client` holds no connection: each
call opens its own, so one client may be used from any number of threads. Streams are iterators that are also context
managers; closing one, from any thread, hangs up, and the daemon drops the work behind it.
"""

import contextlib
import http.client
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Literal, Self, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from daemon import wire

if TYPE_CHECKING:
    from daemon.lock import Holder

T = TypeVar("T")
R = TypeVar("R")

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


class Turn(msgspec.Struct, frozen=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatChunk(msgspec.Struct, frozen=True):
    """
    A piece of a streamed reply: some text, or some reasoning, or the end.

    *memory* comes once, with the last chunk, from models whose name ends in `:memory`.
    """

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    memory: wire.ChatMemory | None = None
    completion_tokens: int | None = None


class _Delta(msgspec.Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta = msgspec.field(default_factory=_Delta)
    message: _Delta | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice] = []
    reverie: wire.ChatMemory | None = None
    usage: _Usage | None = None
    error: object = None


class _OpenAIError(msgspec.Struct):
    message: str
    type: str | None = None
    code: str | None = None
    kind: str | None = None
    hint: str | None = None


class _CheckLine(msgspec.Struct):
    """Tells a `CheckReport` line from a `CheckResult` and from an `Error`."""

    results: object = None
    error: object = None


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


class Client:
    """
    The daemon's own paths and the chat of its OpenAI paths, one method a path.

    Every method may raise:
        DaemonNotRunning: nobody listens.
        DaemonError: the daemon said no (kind, hint, HTTP status), hung up, or took longer than *timeout_s*.
    """

    def __init__(
        self,
        *,
        socket_path: Path | None = None,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        token: str | None = None,
        timeout_s: float = 60.0,
        lock_path: Path | None = None,
    ) -> None:
        self.socket_path = socket_path
        self.lock_path = lock_path
        self.host = host
        self.port = port
        self.token = token
        self.timeout_s = timeout_s

    @classmethod
    def from_environment(cls, *, timeout_s: float = 60.0) -> Self:
        """
        The daemon of this home, by its unix socket.

        `REVERIE_HOST` naming another machine (`host`, `host:port`, `[v6]:port`) goes there by TCP instead, with the
        token in `REVERIE_TOKEN`.
        """
        from daemon.paths import Paths

        host, port = split_host(os.environ.get("REVERIE_HOST", ""))
        if host not in LOCAL_HOSTS:
            return cls(host=host, port=port, token=os.environ.get("REVERIE_TOKEN"), timeout_s=timeout_s)
        paths = Paths.find()
        return cls(socket_path=paths.socket, timeout_s=timeout_s, lock_path=paths.lock)

    @property
    def address(self) -> str:
        """Where the calls go, for people."""
        return str(self.socket_path) if self.socket_path is not None else f"{self.host}:{self.port}"

    # -- memory ---

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: wire.SearchMode = "hybrid",
        syntax: bool = False,
        explain: bool = False,
        prefix: str | None = None,
        typing: bool = False,
    ) -> wire.SearchReply:
        """Chunks that answer *query*, best first. *prefix* keeps to pages whose path starts so."""
        request = wire.SearchRequest(
            query=query, limit=limit, mode=mode, syntax=syntax, explain=explain, prefix=prefix, typing=typing
        )
        return self._call("POST", "/memory/search", wire.SearchReply, body=request)

    def ask(self, question: str, *, model: str | None = None, limit: int = 8) -> wire.Answer:
        """An answer from memory with its sources."""
        request = wire.AskRequest(question=question, model=model, limit=limit)
        return self._call("POST", "/memory/ask", wire.Answer, body=request, timeout_s=self._long())

    def remember(self, text: str, *, page: str | None = None, verbatim: bool = False) -> wire.Remembered:
        """Put *text* into memory."""
        request = wire.RememberRequest(text=text, page=page, verbatim=verbatim)
        return self._call("POST", "/memory/remember", wire.Remembered, body=request, timeout_s=self._long())

    def forget(self, what: str, *, confirm: bool = False) -> wire.Forgotten:
        """Without *confirm*: what would go. With it: gone, everywhere."""
        request = wire.ForgetRequest(what=what, confirm=confirm)
        return self._call("POST", "/memory/forget", wire.Forgotten, body=request, timeout_s=self._long())

    def facts(self, *, prefix: str = "", words: str = "") -> list[wire.FactLine]:
        """Every fact that stands now on pages whose path starts with *prefix*, and that says all of *words*."""
        return self._call("GET", "/memory/facts", list[wire.FactLine], query={"prefix": prefix, "words": words})

    def recall(self, what: str, *, at: str | None = None, past: bool = False) -> wire.Recalled:
        """What holds under the name *what*, or held on the date *at*; with *past*, what held before too."""
        query = {"what": what, **({"at": at} if at else {}), **({"past": "1"} if past else {})}
        return self._call("GET", "/memory/recall", wire.Recalled, query=query)

    def why(self, what: str) -> wire.Why:
        """The chain of causes behind a fact."""
        return self._call("GET", "/memory/why", wire.Why, query={"what": what})

    def what_if(self, text: str) -> wire.WhatIf:
        """Everything that would follow from *text*, as `team lead = Arno`. Writes nothing."""
        return self._call("POST", "/memory/what-if", wire.WhatIf, body=wire.WhatIfRequest(text=text))

    def graph(self, *, format: str = "text", what: str | None = None) -> wire.Graph:  # noqa: A002 - the word of the wire
        """The dependency graph as text, mermaid or dot; with *what*, around that fact."""
        query = {"format": format, **({"what": what} if what else {})}
        return self._call("GET", "/memory/graph", wire.Graph, query=query)

    def undo(self, id: str | None = None) -> wire.Commit:  # noqa: A002 - the word of the wire
        """Undo a change of the daemon (None: its newest). Returns the commit that does it."""
        return self._call("POST", "/memory/undo", wire.Commit, body=wire.UndoRequest(id=id))

    def history(self, *, limit: int = 20) -> list[wire.Commit]:
        """Changes to the vault, newest first."""
        return self._call("GET", "/memory/history", list[wire.Commit], query={"limit": str(limit)})

    def proposals(self) -> list[wire.ParkedChange]:
        """Changes of the daemon that met an edit of the owner's on the same lines, oldest first."""
        return self._call("GET", "/memory/proposals", list[wire.ParkedChange])

    def apply_proposal(self, id: str) -> wire.Remembered:  # noqa: A002 - the word of the wire
        """Make a parked change after all; the commit in the reply undoes it."""
        return self._call("POST", "/memory/proposals/apply", wire.Remembered, body=wire.ProposalRequest(id=id))

    def drop_proposal(self, id: str) -> wire.ParkedChange:  # noqa: A002 - the word of the wire
        """Let go of a parked change."""
        return self._call("POST", "/memory/proposals/drop", wire.ParkedChange, body=wire.ProposalRequest(id=id))

    def pages(self, *, prefix: str | None = None) -> list[wire.PageInfo]:
        """All pages, by path."""
        query = {} if prefix is None else {"prefix": prefix}
        return self._call("GET", "/memory/pages", list[wire.PageInfo], query=query)

    def page(self, path: str, *, line: int | None = None, preview: bool = False) -> wire.PageView:
        """
        A page's text. After a search that found it this tells that the hit (at *line*) was opened.

        Unless it is only a *preview*.
        """
        query = {"path": path} | ({"line": str(line)} if line else {}) | ({"preview": "true"} if preview else {})
        return self._call("GET", "/memory/page", wire.PageView, query=query)

    def page_status(self, path: str) -> wire.PageStatus:
        """Whether a file is found by searches, and why."""
        return self._call("GET", "/memory/status", wire.PageStatus, query={"path": path})

    def reindex(self, paths: Sequence[str] | None = None) -> wire.Synced:
        """Read *paths* anew (None: rebuild everything). Returns when done."""
        request = wire.ReindexRequest(paths=None if paths is None else list(paths))
        return self._call("POST", "/memory/reindex", wire.Synced, body=request, timeout_s=None)

    # -- chat ---

    def chat_stream(
        self,
        turns: Sequence[Turn],
        *,
        model: str,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> Stream[ChatChunk]:
        """The reply to *turns*, as it is written. The last chunk has `finish` set and, with `:memory`, its sources."""
        body: dict[str, object] = {
            "model": model,
            "messages": list(turns),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if max_tokens is not None:
            body["max_tokens"] = max_tokens
        if temperature is not None:
            body["temperature"] = temperature
        return self._stream("POST", "/v1/chat/completions", _chat_chunks, body=body, timeout_s=self._long())

    # -- models ---

    def models(self) -> list[wire.ModelInfo]:
        """Installed models, then the known ones that are not."""
        return self._call("GET", "/models", list[wire.ModelInfo])

    def model(self, name: str) -> wire.ModelInfo:
        """One model."""
        return self._call("GET", "/models/show", wire.ModelInfo, query={"name": name})

    def pull(self, source: str, *, name: str | None = None, sha256: str | None = None) -> Stream[wire.Progress]:
        """Fetch a model. The last progress has `done`; a failure is raised as `DaemonError`."""
        request = wire.PullRequest(source=source, name=name, sha256=sha256)
        return self._stream("POST", "/models/pull", _progress, body=request, timeout_s=None)

    def load(self, name: str) -> wire.ModelInfo:
        """Load a model now. Returns when it is ready."""
        request = wire.ModelRequest(name=name)
        return self._call("POST", "/models/load", wire.ModelInfo, body=request, timeout_s=self._long())

    def unload(self, name: str) -> wire.ModelInfo:
        """Free a model's memory."""
        return self._call("POST", "/models/unload", wire.ModelInfo, body=wire.ModelRequest(name=name))

    def check(self, name: str) -> Stream[wire.CheckResult | wire.CheckReport]:
        """Try what a model can be trusted with: each result as it comes, then the report."""
        return self._stream("POST", "/models/check", _check_lines, body=wire.ModelRequest(name=name), timeout_s=None)

    def bench(self, name: str) -> Stream[wire.Progress | wire.BenchReport]:
        """Measure how fast a model is here: each step as it begins, then the report."""
        decode = partial(_bench_lines, wire.BenchReport)
        return self._stream("POST", "/models/bench", decode, body=wire.ModelRequest(name=name), timeout_s=None)

    def bench_memory(
        self, name: str, *, episodes: int = 2, seed: int = 0
    ) -> Stream[wire.Progress | wire.MemoryBenchReport]:
        """Measure how well memory answers with a model: each step, then the report."""
        asked = wire.MemoryBenchRequest(name=name, episodes=episodes, seed=seed)
        decode = partial(_bench_lines, wire.MemoryBenchReport)
        return self._stream("POST", "/memory/bench", decode, body=asked, timeout_s=None)

    def remove_model(self, name: str) -> None:
        """Delete a model's files."""
        self._exchange("DELETE", "/models", query={"name": name})

    # -- the daemon ---

    def health(self) -> wire.Health:
        """Whether the daemon serves."""
        return self._call("GET", "/health", wire.Health, timeout_s=min(self.timeout_s, 5.0))

    def status(self) -> wire.Status:
        """Everything the status screen shows. Wakes no model."""
        return self._call("GET", "/status", wire.Status)

    def metrics(self) -> str:
        """Prometheus text."""
        return self._exchange("GET", "/metrics").decode()

    def doctor(self) -> list[wire.Finding]:
        """What is wrong or odd, worst first."""
        return self._call("GET", "/doctor", list[wire.Finding], timeout_s=self._long())

    def config(self) -> list[wire.ConfigValue]:
        """The daemon's settings, each with its source."""
        return self._call("GET", "/config", list[wire.ConfigValue])

    def events(self, *, since: int | None = None) -> Stream[wire.Event]:
        """Events as they happen, after those kept since the id *since*. Waits between events without end."""
        query = {} if since is None else {"since": str(since)}
        return self._stream("GET", "/events", _events, query=query, timeout_s=None)

    # -- the night ---

    def night(self) -> wire.NightStatus:
        """What the night waits for, and what it did last."""
        return self._call("GET", "/night/status", wire.NightStatus)

    def dream(self, *, now: bool = False) -> wire.NightStatus:
        """Dream when it may; with *now*, at once. Returns when that dream is over, or what it waits for."""
        return self._call("POST", "/night/run", wire.NightStatus, body=wire.NightRunRequest(now=now), timeout_s=None)

    def dreams(self, *, limit: int = 20) -> list[wire.NightRun]:
        """The latest dreams, newest first, without their repairs."""
        return self._call("GET", "/night/log", list[wire.NightRun], query={"limit": str(limit)})

    def dream_of(self, id: str) -> wire.NightRun:  # noqa: A002 - the word of the wire
        """One dream with its repairs."""
        return self._call("GET", "/night/show", wire.NightRun, query={"id": id})

    def undo_dream(self, id: str) -> wire.NightRun:  # noqa: A002
        """Take back a dream, or one repair of it."""
        return self._call("POST", "/night/undo", wire.NightRun, body=wire.NightRequest(id=id))

    def approve_dream(self, id: str) -> wire.NightRun:  # noqa: A002
        """Apply what waits for consent: a dream's repairs, or one of them."""
        return self._call("POST", "/night/approve", wire.NightRun, body=wire.NightRequest(id=id))

    def dream_policy(self, *, reset: bool = False) -> wire.NightPolicy:
        """Which repair is tried for which failure; *reset* starts again."""
        if reset:
            return self._call("POST", "/night/policy", wire.NightPolicy, body=wire.NightPolicyRequest(reset=True))
        return self._call("GET", "/night/policy", wire.NightPolicy)

    def ranking(self, *, reset: bool = False) -> wire.NightRanking:
        """What use has taught the ranking; with *reset* it ranks as shipped again."""
        if reset:
            return self._call("POST", "/night/ranking", wire.NightRanking, body=wire.NightRankingRequest(reset=True))
        return self._call("GET", "/night/ranking", wire.NightRanking)

    def feedback(
        self,
        verdict: Literal["up", "down"],
        *,
        exchange: str | None = None,
        question: str | None = None,
        correction: str | None = None,
    ) -> wire.FeedbackNoted:
        """Say what you think of an answer, of an *exchange* in a chat or any *question*; the night learns from it."""
        asked = wire.FeedbackRequest(verdict=verdict, exchange=exchange, question=question, correction=correction)
        return self._call("POST", "/feedback", wire.FeedbackNoted, body=asked)

    # -- how ---

    def _not_running(self) -> DaemonNotRunning:
        """Why nobody listens: whoever holds the home may be on its way."""
        if self.lock_path is None:
            return DaemonNotRunning(self.address)
        from daemon.lock import holder_of

        return DaemonNotRunning(self.address, holder_of(self.lock_path))

    def _long(self) -> float:
        """Time for calls that may have to load a model first."""
        return max(self.timeout_s, 600.0)

    def _call(
        self,
        method: str,
        path: str,
        type_: type[T],
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> T:
        data = self._exchange(method, path, query=query, body=body, timeout_s=timeout_s)
        try:
            return msgspec.json.decode(data, type=type_)
        except msgspec.MsgspecError as error:
            raise _bad_reply(path, error) from error

    def _exchange(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> bytes:
        connection, response = self._open(method, path, query, body, timeout_s)
        try:
            return response.read()
        except TimeoutError:
            raise _timed_out(connection.timeout) from None
        except (OSError, http.client.HTTPException) as error:
            raise DaemonError("ConnectionLost", "the daemon hung up", "`reverie logs` tells why") from error
        finally:
            connection.close()

    def _stream(
        self,
        method: str,
        path: str,
        decode: Callable[[Iterator[bytes]], Iterator[T]],
        *,
        query: Mapping[str, str] | None = None,
        body: object = None,
        timeout_s: float | None = -1.0,
    ) -> Stream[T]:
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
            failure = _failure(response.read(), response.status)
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
    return host, int(port) if port.isdigit() else DEFAULT_PORT


def _timed_out(timeout_s: object) -> DaemonError:
    return DaemonError(
        "TimeoutError",
        f"the daemon did not answer within {timeout_s} s",
        "`reverie status` shows its work, `reverie logs` what it did last",
    )


def _bad_reply(path: str, error: Exception) -> DaemonError:
    message = f"the daemon's reply to {path} is not what this version expects: {error}"
    return DaemonError("BadReply", message, "restart it after an update: `reverie stop && reverie start`")


def _failure(data: bytes, status: int) -> DaemonError:
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


def _data(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The data of each server-sent event; comments, ids and names are left out."""
    data: list[bytes] = []
    for line in lines:
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data.clear()


def _chat_chunks(lines: Iterator[bytes]) -> Iterator[ChatChunk]:
    """Deltas as they come; the last chunk gathers how it ended, its memory and its usage, which may come apart."""
    finish: str | None = None
    memory: wire.ChatMemory | None = None
    tokens: int | None = None
    ended = False
    for data in _data(lines):
        if data == b"[DONE]":
            ended = True
            break
        part = msgspec.json.decode(data, type=_Completion)
        if part.error is not None:
            raise _failure(data, 0)
        memory = part.reverie or memory
        if part.usage is not None:
            tokens = part.usage.completion_tokens
        for choice in part.choices:
            finish = choice.finish_reason or finish
            text = choice.delta.content or ""
            reasoning = choice.delta.reasoning_content or choice.delta.reasoning or ""
            if text or reasoning:
                yield ChatChunk(text=text, reasoning=reasoning)
    if not ended and finish is None:
        raise DaemonError("ConnectionLost", "the reply broke off", "ask again; `reverie logs` tells why")
    yield ChatChunk(finish=finish or "stop", memory=memory, completion_tokens=tokens)


def _events(lines: Iterator[bytes]) -> Iterator[wire.Event]:
    for data in _data(lines):
        yield msgspec.json.decode(data, type=wire.Event)


def _progress(lines: Iterator[bytes]) -> Iterator[wire.Progress]:
    done = False
    for line in filter(None, lines):
        try:
            progress = msgspec.json.decode(line, type=wire.Progress)
        except msgspec.MsgspecError:
            raise _failure(line, 0) from None
        if progress.error is not None:
            raise DaemonError("PullFailed", progress.error)
        done = progress.done
        yield progress
    if not done:
        raise DaemonError("ConnectionLost", "the download broke off", "run it again: it goes on where it stopped")


class _BenchLine(msgspec.Struct):
    """Tells the line of a report from a `Progress` and from an `Error`."""

    model: str | None = None
    error: object = None


def _bench_lines(report: type[R], lines: Iterator[bytes]) -> Iterator[wire.Progress | R]:
    for line in filter(None, lines):
        kind = msgspec.json.decode(line, type=_BenchLine)
        if kind.error is not None:
            raise _failure(line, 0)
        if kind.model is not None:
            yield msgspec.json.decode(line, type=report)
            return
        yield msgspec.json.decode(line, type=wire.Progress)
    raise DaemonError("ConnectionLost", "the bench broke off", "`reverie logs` tells why")


def _check_lines(lines: Iterator[bytes]) -> Iterator[wire.CheckResult | wire.CheckReport]:
    for line in filter(None, lines):
        kind = msgspec.json.decode(line, type=_CheckLine)
        if kind.error is not None:
            raise _failure(line, 0)
        if kind.results is not None:
            yield msgspec.json.decode(line, type=wire.CheckReport)
            return
        yield msgspec.json.decode(line, type=wire.CheckResult)
    raise DaemonError("ConnectionLost", "the check broke off", "`reverie logs` tells why")
