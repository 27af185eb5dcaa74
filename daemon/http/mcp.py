"""
The Model Context Protocol over streamable HTTP at `/mcp`, without sessions: each POST is answered by itself.

The SDK is imported at the first request, so that a daemon whose owner does not use it does not pay for it.
"""

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from daemon import knowledge, wire
from daemon.parts import Handler, Parts

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class Own:
    """Memory as the daemon itself has it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def search(self, asked: wire.SearchRequest) -> wire.SearchReply:
        return await self._parts.memory.search(asked)

    async def ask(self, asked: wire.AskRequest) -> wire.Answer:
        self._parts.last_chat = time.monotonic()
        return await self._parts.assistant.ask(asked)

    async def remember(self, asked: wire.RememberRequest) -> wire.Remembered:
        return await self._parts.assistant.remember(asked)

    async def forget(self, asked: wire.ForgetRequest) -> wire.Forgotten:
        return await self._parts.assistant.forget(asked)

    async def recall(self, what: str, at: str | None, past: bool) -> wire.Recalled:
        return await asyncio.to_thread(lambda: knowledge.recall(self._parts.memory, what, at=at, past=past))

    async def why(self, what: str) -> wire.Why:
        return await asyncio.to_thread(knowledge.reasons, self._parts.memory, what)

    async def what_if(self, text: str) -> wire.WhatIf:
        return await asyncio.to_thread(knowledge.suppositions, self._parts.memory, text)

    async def facts(self, prefix: str, words: str) -> list[wire.FactLine]:
        return await asyncio.to_thread(knowledge.facts, self._parts.memory, prefix, words)

    async def page(self, path: str) -> wire.PageView:
        return await asyncio.to_thread(self._parts.memory.page, path)


class McpPoint:
    """The manager of requests, made at the first one. It runs in a task of its own until the daemon ends."""

    def __init__(self) -> None:
        self._manager: StreamableHTTPSessionManager | None = None
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def manager(self, parts: Parts) -> "StreamableHTTPSessionManager":
        """The running manager."""
        async with self._lock:
            if self._manager is None or self._task is None or self._task.done():
                self._manager = await asyncio.to_thread(_make, parts)
                ready = asyncio.Event()
                self._task = asyncio.create_task(_run(self._manager, ready), name="mcp")
                await ready.wait()
            return self._manager

    async def close(self) -> None:
        """End what still runs."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task


def _make(parts: Parts) -> "StreamableHTTPSessionManager":
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from daemon.mcp_server import serve

    # Host, Origin and token were judged at the daemon's own door, before anything else looked at the request.
    return StreamableHTTPSessionManager(
        serve(Own(parts)), json_response=True, stateless=True, max_request_body_size=parts.config.server.body_limit
    )


async def _run(manager: "StreamableHTTPSessionManager", ready: asyncio.Event) -> None:
    async with manager.run():
        ready.set()
        await asyncio.Event().wait()


class _Handled(Response):
    """The reply that the protocol's own code sends."""

    def __init__(self, manager: "StreamableHTTPSessionManager") -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


async def post(parts: Parts, request: Request) -> Response:  # noqa: ARG001 - the manager reads the request itself
    """`POST /mcp`: one message of the protocol and its reply."""
    parts.memory.must_be_open()
    return _Handled(await parts.mcp.manager(parts))


ROUTES: dict[tuple[str, str], Handler] = {("POST", "/mcp"): post}
