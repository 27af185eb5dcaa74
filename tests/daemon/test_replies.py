"""Work for a client goes on as long as the client is there, and no longer."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from daemon.http.replies import while_connected


class Client:
    """Hangs up when it is told to; *begun* once somebody works for it, *ended* is how that came to its end."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended = ""

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def work(self, until: asyncio.Event) -> str:
        self.begun.set()
        try:
            await until.wait()
        except asyncio.CancelledError:
            self.ended = "cancelled"
            raise
        self.ended = "done"
        return "answer"

    def served(self, work: Coroutine[Any, Any, str]) -> "asyncio.Task[str]":
        return asyncio.ensure_future(while_connected(Request({"type": "http"}, self.receive), work))


def test_work_is_done_for_who_waits() -> None:
    """The result, or what the work raised, comes through, and nothing is left running."""

    async def run() -> None:
        client, now = Client(), asyncio.Event()
        now.set()
        assert await client.served(client.work(now)) == "answer"

        async def fails() -> str:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await client.served(fails())
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


def _after_the_begin(then: Callable[[Client, "asyncio.Task[str]"], object]) -> tuple[Client, BaseException | None, int]:
    """What becomes of work that would never end, once *then* happened: its client, what is raised, cancels pending."""

    async def run() -> tuple[Client, BaseException | None, int]:
        client, never = Client(), asyncio.Event()
        serving = client.served(client.work(never))
        await client.begun.wait()
        then(client, serving)
        (outcome,) = await asyncio.gather(serving, return_exceptions=True)
        return client, outcome if isinstance(outcome, BaseException) else None, serving.cancelling()

    return asyncio.run(run())


def test_work_ends_when_its_client_hangs_up() -> None:
    """It is cancelled, the hang-up is told, and whoever answers is not taken for cancelled."""
    client, raised, cancelling = _after_the_begin(lambda client, _: client.gone.set())
    assert client.ended == "cancelled"
    assert isinstance(raised, ClientDisconnect)
    assert cancelling == 0


def test_work_that_the_daemon_ends_is_no_hang_up() -> None:
    """Cancelled from outside, as at the daemon's end, work and answer are cancelled."""
    client, raised, _ = _after_the_begin(lambda _, serving: serving.cancel())
    assert client.ended == "cancelled"
    assert isinstance(raised, asyncio.CancelledError)
