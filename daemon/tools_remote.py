"""Memory as a program outside the daemon has it: each tool is a call of the daemon's own paths."""

import asyncio

from daemon import wire
from daemon.client import Client


class Remote:
    """The backend of `reverie mcp`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def search(self, asked: wire.SearchRequest) -> wire.SearchReply:
        return await asyncio.to_thread(
            lambda: self._client.search(asked.query, limit=asked.limit, mode=asked.mode, prefix=asked.prefix)
        )

    async def ask(self, asked: wire.AskRequest) -> wire.Answer:
        return await asyncio.to_thread(lambda: self._client.ask(asked.question, model=asked.model, limit=asked.limit))

    async def remember(self, asked: wire.RememberRequest) -> wire.Remembered:
        return await asyncio.to_thread(
            lambda: self._client.remember(asked.text, page=asked.page, verbatim=asked.verbatim)
        )

    async def forget(self, asked: wire.ForgetRequest) -> wire.Forgotten:
        return await asyncio.to_thread(lambda: self._client.forget(asked.what, confirm=asked.confirm))

    async def recall(self, what: str, at: str | None, past: bool) -> wire.Recalled:
        return await asyncio.to_thread(lambda: self._client.recall(what, at=at, past=past))

    async def why(self, what: str) -> wire.Why:
        return await asyncio.to_thread(self._client.why, what)

    async def what_if(self, text: str) -> wire.WhatIf:
        return await asyncio.to_thread(self._client.what_if, text)

    async def facts(self, prefix: str, words: str) -> list[wire.FactLine]:
        return await asyncio.to_thread(lambda: self._client.facts(prefix=prefix, words=words))

    async def page(self, path: str) -> wire.PageView:
        return await asyncio.to_thread(self._client.page, path)
