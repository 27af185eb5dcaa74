"""
Calls to a running daemon, typed by `daemon.wire`: for the command line, the TUI and other programs.

Synchronous, on the standard library's HTTP over the daemon's unix socket (or TCP). A `Client` holds no connection: each
call opens its own, so one client may be used from any number of threads. Streams are iterators that are also context
managers; closing one, from any thread, hangs up, and the daemon drops the work behind it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import msgspec

from daemon import streamed, wire
from daemon.streamed import ChatChunk
from daemon.transport import (
    DEFAULT_PORT,
    LOCAL_HOSTS,
    DaemonError,
    DaemonNotRunning,
    Stream,
    Transport,
    split_host,
)

__all__ = ["ChatChunk", "Client", "DaemonError", "DaemonNotRunning", "Stream", "Turn"]


class Turn(msgspec.Struct, frozen=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


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
        self.daemon = Transport(socket_path, host, port, token, timeout_s, lock_path)

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
        return self.daemon.call("POST", "/memory/search", wire.SearchReply, body=request)

    def ask(self, question: str, *, model: str | None = None, limit: int = 8) -> wire.Answer:
        """An answer from memory with its sources."""
        request = wire.AskRequest(question=question, model=model, limit=limit)
        return self.daemon.call("POST", "/memory/ask", wire.Answer, body=request, timeout_s=self.daemon.long_s)

    def remember(self, text: str, *, page: str | None = None, verbatim: bool = False) -> wire.Remembered:
        """Put *text* into memory."""
        request = wire.RememberRequest(text=text, page=page, verbatim=verbatim)
        return self.daemon.call("POST", "/memory/remember", wire.Remembered, body=request, timeout_s=self.daemon.long_s)

    def forget(self, what: str, *, confirm: bool = False) -> wire.Forgotten:
        """Without *confirm*: what would go. With it: gone, everywhere."""
        request = wire.ForgetRequest(what=what, confirm=confirm)
        return self.daemon.call("POST", "/memory/forget", wire.Forgotten, body=request, timeout_s=self.daemon.long_s)

    def facts(self, *, prefix: str = "", words: str = "") -> list[wire.FactLine]:
        """Every fact that stands now on pages whose path starts with *prefix*, and that says all of *words*."""
        return self.daemon.call("GET", "/memory/facts", list[wire.FactLine], query={"prefix": prefix, "words": words})

    def recall(self, what: str, *, at: str | None = None, past: bool = False) -> wire.Recalled:
        """What holds under the name *what*, or held on the date *at*; with *past*, what held before too."""
        query = {"what": what, **({"at": at} if at else {}), **({"past": "1"} if past else {})}
        return self.daemon.call("GET", "/memory/recall", wire.Recalled, query=query)

    def why(self, what: str) -> wire.Why:
        """The chain of causes behind a fact."""
        return self.daemon.call("GET", "/memory/why", wire.Why, query={"what": what})

    def what_if(self, text: str) -> wire.WhatIf:
        """Everything that would follow from *text*, as `team lead = Arno`. Writes nothing."""
        return self.daemon.call("POST", "/memory/what-if", wire.WhatIf, body=wire.WhatIfRequest(text=text))

    def graph(self, *, format: str = "text", what: str | None = None) -> wire.Graph:  # noqa: A002 - the word of the wire
        """The dependency graph as text, mermaid or dot; with *what*, around that fact."""
        query = {"format": format, **({"what": what} if what else {})}
        return self.daemon.call("GET", "/memory/graph", wire.Graph, query=query)

    def undo(self, id: str | None = None) -> wire.Commit:  # noqa: A002 - the word of the wire
        """Undo a change of the daemon (None: its newest). Returns the commit that does it."""
        return self.daemon.call("POST", "/memory/undo", wire.Commit, body=wire.UndoRequest(id=id))

    def history(self, *, limit: int = 20) -> list[wire.Commit]:
        """Changes to the vault, newest first."""
        return self.daemon.call("GET", "/memory/history", list[wire.Commit], query={"limit": str(limit)})

    def proposals(self) -> list[wire.ParkedChange]:
        """Changes of the daemon that met an edit of the owner's on the same lines, oldest first."""
        return self.daemon.call("GET", "/memory/proposals", list[wire.ParkedChange])

    def apply_proposal(self, id: str) -> wire.Remembered:  # noqa: A002 - the word of the wire
        """Make a parked change after all; the commit in the reply undoes it."""
        return self.daemon.call("POST", "/memory/proposals/apply", wire.Remembered, body=wire.ProposalRequest(id=id))

    def drop_proposal(self, id: str) -> wire.ParkedChange:  # noqa: A002 - the word of the wire
        """Let go of a parked change."""
        return self.daemon.call("POST", "/memory/proposals/drop", wire.ParkedChange, body=wire.ProposalRequest(id=id))

    def pages(self, *, prefix: str | None = None) -> list[wire.PageInfo]:
        """All pages, by path."""
        query = {} if prefix is None else {"prefix": prefix}
        return self.daemon.call("GET", "/memory/pages", list[wire.PageInfo], query=query)

    def page(self, path: str, *, line: int | None = None, preview: bool = False) -> wire.PageView:
        """
        A page's text. After a search that found it this tells that the hit (at *line*) was opened.

        Unless it is only a *preview*.
        """
        query = {"path": path} | ({"line": str(line)} if line else {}) | ({"preview": "true"} if preview else {})
        return self.daemon.call("GET", "/memory/page", wire.PageView, query=query)

    def page_status(self, path: str) -> wire.PageStatus:
        """Whether a file is found by searches, and why."""
        return self.daemon.call("GET", "/memory/status", wire.PageStatus, query={"path": path})

    def reindex(self, paths: Sequence[str] | None = None) -> wire.Synced:
        """Read *paths* anew (None: rebuild everything). Returns when done."""
        request = wire.ReindexRequest(paths=None if paths is None else list(paths))
        return self.daemon.call("POST", "/memory/reindex", wire.Synced, body=request, timeout_s=None)

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
        return self.daemon.stream(
            "POST", "/v1/chat/completions", streamed.chat_chunks, body=body, timeout_s=self.daemon.long_s
        )

    # -- models ---

    def models(self) -> list[wire.ModelInfo]:
        """Installed models, then the known ones that are not."""
        return self.daemon.call("GET", "/models", list[wire.ModelInfo])

    def model(self, name: str) -> wire.ModelInfo:
        """One model."""
        return self.daemon.call("GET", "/models/show", wire.ModelInfo, query={"name": name})

    def pull(self, source: str, *, name: str | None = None, sha256: str | None = None) -> Stream[wire.Progress]:
        """Fetch a model. The last progress has `done`; a failure is raised as `DaemonError`."""
        request = wire.PullRequest(source=source, name=name, sha256=sha256)
        return self.daemon.stream("POST", "/models/pull", streamed.progress, body=request, timeout_s=None)

    def load(self, name: str) -> wire.ModelInfo:
        """Load a model now. Returns when it is ready."""
        request = wire.ModelRequest(name=name)
        return self.daemon.call("POST", "/models/load", wire.ModelInfo, body=request, timeout_s=self.daemon.long_s)

    def unload(self, name: str) -> wire.ModelInfo:
        """Free a model's memory."""
        return self.daemon.call("POST", "/models/unload", wire.ModelInfo, body=wire.ModelRequest(name=name))

    def check(self, name: str) -> Stream[wire.CheckResult | wire.CheckReport]:
        """Try what a model can be trusted with: each result as it comes, then the report."""
        decode = streamed.report_of(wire.CheckResult, wire.CheckReport, "check")
        return self.daemon.stream("POST", "/models/check", decode, body=wire.ModelRequest(name=name), timeout_s=None)

    def bench(self, name: str) -> Stream[wire.Progress | wire.BenchReport]:
        """Measure how fast a model is here: each step as it begins, then the report."""
        decode = streamed.report_of(wire.Progress, wire.BenchReport, "bench")
        return self.daemon.stream("POST", "/models/bench", decode, body=wire.ModelRequest(name=name), timeout_s=None)

    def bench_memory(
        self, name: str, *, episodes: int = 2, seed: int = 0
    ) -> Stream[wire.Progress | wire.MemoryBenchReport]:
        """Measure how well memory answers with a model: each step, then the report."""
        asked = wire.MemoryBenchRequest(name=name, episodes=episodes, seed=seed)
        decode = streamed.report_of(wire.Progress, wire.MemoryBenchReport, "bench")
        return self.daemon.stream("POST", "/memory/bench", decode, body=asked, timeout_s=None)

    def remove_model(self, name: str) -> None:
        """Delete a model's files."""
        self.daemon.exchange("DELETE", "/models", query={"name": name})

    # -- the daemon ---

    def health(self) -> wire.Health:
        """Whether the daemon serves."""
        return self.daemon.call("GET", "/health", wire.Health, timeout_s=min(self.daemon.timeout_s, 5.0))

    def status(self) -> wire.Status:
        """Everything the status screen shows. Wakes no model."""
        return self.daemon.call("GET", "/status", wire.Status)

    def metrics(self) -> str:
        """Prometheus text."""
        return self.daemon.exchange("GET", "/metrics").decode()

    def doctor(self) -> list[wire.Finding]:
        """What is wrong or odd, worst first."""
        return self.daemon.call("GET", "/doctor", list[wire.Finding], timeout_s=self.daemon.long_s)

    def config(self) -> list[wire.ConfigValue]:
        """The daemon's settings, each with its source."""
        return self.daemon.call("GET", "/config", list[wire.ConfigValue])

    def events(self, *, since: int | None = None) -> Stream[wire.Event]:
        """Events as they happen, after those kept since the id *since*. Waits between events without end."""
        query = {} if since is None else {"since": str(since)}
        return self.daemon.stream("GET", "/events", streamed.events, query=query, timeout_s=None)

    # -- the night ---

    def night(self) -> wire.NightStatus:
        """What the night waits for, and what it did last."""
        return self.daemon.call("GET", "/night/status", wire.NightStatus)

    def dream(self, *, now: bool = False) -> wire.NightStatus:
        """Dream when it may; with *now*, at once. Returns when that dream is over, or what it waits for."""
        return self.daemon.call(
            "POST", "/night/run", wire.NightStatus, body=wire.NightRunRequest(now=now), timeout_s=None
        )

    def dreams(self, *, limit: int = 20) -> list[wire.NightRun]:
        """The latest dreams, newest first, without their repairs."""
        return self.daemon.call("GET", "/night/log", list[wire.NightRun], query={"limit": str(limit)})

    def dream_of(self, id: str) -> wire.NightRun:  # noqa: A002 - the word of the wire
        """One dream with its repairs."""
        return self.daemon.call("GET", "/night/show", wire.NightRun, query={"id": id})

    def undo_dream(self, id: str) -> wire.NightRun:  # noqa: A002
        """Take back a dream, or one repair of it."""
        return self.daemon.call("POST", "/night/undo", wire.NightRun, body=wire.NightRequest(id=id))

    def approve_dream(self, id: str) -> wire.NightRun:  # noqa: A002
        """Apply what waits for consent: a dream's repairs, or one of them."""
        return self.daemon.call("POST", "/night/approve", wire.NightRun, body=wire.NightRequest(id=id))

    def dream_policy(self, *, reset: bool = False) -> wire.NightPolicy:
        """Which repair is tried for which failure; *reset* starts again."""
        if reset:
            return self.daemon.call("POST", "/night/policy", wire.NightPolicy, body=wire.NightPolicyRequest(reset=True))
        return self.daemon.call("GET", "/night/policy", wire.NightPolicy)

    def ranking(self, *, reset: bool = False) -> wire.NightRanking:
        """What use has taught the ranking; with *reset* it ranks as shipped again."""
        if reset:
            return self.daemon.call(
                "POST", "/night/ranking", wire.NightRanking, body=wire.NightRankingRequest(reset=True)
            )
        return self.daemon.call("GET", "/night/ranking", wire.NightRanking)

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
        return self.daemon.call("POST", "/feedback", wire.FeedbackNoted, body=asked)
