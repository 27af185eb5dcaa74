"""
Forgetting for good, as the daemon does it: pages say nothing of it at once; history and index are cleaned beside.

Who waits for the whole of it hears what was done in the end; who does not hears what is done so far. A kill, or the
daemon's end, in between is made good after the next start.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from typing import Any, TypeVar

from daemon import wire
from daemon.errors import note
from daemon.outcomes import Outcomes
from memory_store.forget import Forgotten
from memory_store.forgetting import Going
from memory_store.store import Store

log = logging.getLogger(__name__)
ENDING_S = 5.0
T = TypeVar("T")


class Erasing:
    """
    What goes on beside lasts until it is done, or until the stack that it was opened on ends. Within *hushed* no other
    work of the daemon's brings back what is forgotten.
    """

    def __init__(
        self, store: Callable[[], Store], outcomes: Outcomes, hushed: Callable[[], AbstractContextManager[object]]
    ) -> None:
        self._store = store
        self._outcomes = outcomes
        self._hushed = hushed
        self._beside: set[asyncio.Task[Any]] = set()

    def open(self, stack: AsyncExitStack) -> None:
        """Begin to finish what was cut short."""
        self._keep(asyncio.create_task(asyncio.to_thread(self._go_on), name="forgetting"))
        stack.push_async_callback(self._settle)

    async def forget(self, what: str, *, confirm: bool) -> wire.Forgotten:
        """What would go, or, confirmed, went, from all that is derived too."""
        return self._outcomes.forgotten(await asyncio.to_thread(self._forget, what, confirm))

    async def begin(self, whats: Sequence[str], within_s: float) -> list[wire.Forgotten] | None:
        """
        Forget each of *whats*, confirmed: what went, or None where pages say nothing of them any more, and the rest is
        not done after *within_s*.
        """
        rest = await asyncio.shield(self._keep(asyncio.create_task(self._begin(whats), name="forgetting")))
        await asyncio.wait({rest}, timeout=within_s)
        return rest.result() if rest.done() else None

    async def _begin(self, whats: Sequence[str]) -> "asyncio.Task[list[wire.Forgotten]]":
        """Take *whats* from the pages; the rest goes on as the task that is given back, whoever waits for it."""
        begun: list[Going | Forgotten] = []
        try:
            await asyncio.to_thread(self._from_pages, whats, begun)
        finally:
            rest = self._keep(asyncio.create_task(asyncio.to_thread(self._end, begun), name="forgetting"))
        return rest

    def _go_on(self) -> None:
        with self._hushed():
            self._store().go_on_forgetting()

    def _forget(self, what: str, confirm: bool) -> Forgotten:
        with self._hushed() if confirm else nullcontext():
            return self._store().forget(what, confirm=confirm)

    def _from_pages(self, whats: Sequence[str], begun: list[Going | Forgotten]) -> None:
        with self._hushed():
            for what in whats:
                begun.append(self._store().begin_to_forget(what))  # noqa: PERF401 - those before one that fails count

    def _end(self, begun: Sequence[Going | Forgotten]) -> list[wire.Forgotten]:
        store = self._store()
        with self._hushed():
            ended = [store.end_forgetting(one) if isinstance(one, Going) else one for one in begun]
        return [self._outcomes.forgotten(one) for one in ended]

    def _keep(self, task: "asyncio.Task[T]") -> "asyncio.Task[T]":
        self._beside.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._beside.discard(task)
        if not task.cancelled() and (error := task.exception()):
            note(log, error, "forgetting")

    async def _settle(self) -> None:
        if self._beside:
            await asyncio.wait(list(self._beside), timeout=ENDING_S)
