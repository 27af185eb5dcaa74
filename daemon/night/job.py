"""Dreams, decay and the ranking as jobs of the scheduler: due, held back, paused for a chat, told as events."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from daemon.events import Events
from daemon.night.night import Night
from daemon.night.record import RunRecord
from daemon.night.told import counted
from daemon.night.work import Pause

LOOKS_EVERY_S = 0.002
PATIENCE_S = 120.0


class GiveWay:
    """
    Holds the calling thread up while a model *answers* somebody; to be called all through a night's work.

    Says why to stop where that takes longer than *patience_s* at once, and from then on.
    """

    def __init__(
        self,
        answers: Callable[[], bool],
        *,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._answers = answers
        self._patience_s = patience_s
        self._clock = clock
        self._wait = wait
        self._looked = 0.0
        self._why: str | None = None

    def __call__(self) -> str | None:
        """Why to stop; None where the work may go on."""
        began = self._clock()
        if self._why or began - self._looked < LOOKS_EVERY_S:
            return self._why
        while self._answers() and not self._why:
            if self._clock() - began > self._patience_s:
                self._why = "a chat came"
            else:
                self._wait(LOOKS_EVERY_S)
        self._looked = self._clock()
        return self._why


class Learn(Protocol):
    """A run that says why where it changes nothing."""

    def __call__(self, why: str, *, pause: Pause) -> RunRecord | str: ...


class Dreaming:
    """
    Runs a dream where one is due, or where somebody *asked* for it; likewise what decays, and what use teaches.

    All of it gives way, at any point, while a model *answers* somebody.
    """

    def __init__(self, night: Night, events: Events, *, is_open: Callable[[], bool], answers: Callable[[], bool]):
        self._night = night
        self._events = events
        self._is_open = is_open
        self._answers = answers
        self.asked: set[str] = set()

    async def run(self) -> str | None:
        """What came of a dream; None where none was due."""
        why, held = await self._due("dream", self._night.due)
        if why is None:
            return held
        self._events.publish("dream_started", f"a dream began: {why}")
        run = await asyncio.to_thread(self._night.dream, why, pause=GiveWay(self._answers))
        kept = sum(repair.state in ("kept", "waiting") for repair in run.repairs)
        said = f"dream {run.id}: {counted(kept, 'repair')}, {run.stopped}"
        self._events.publish("dreamed", said, id=run.id, kept=kept, before=run.before, after=run.after)
        return said

    async def decay(self) -> str | None:
        """What stepped back of what was shown in vain; None where there is nothing to look at yet."""
        return await self._learn("decay", self._night.fade.due, self._night.fade.run)

    async def learn_ranking(self) -> str | None:
        """What the ranking learned from use; None where too little was used since it last looked."""
        if not self._night.ranking.is_on:
            return None
        return await self._learn("ranking", self._night.ranking.due, self._night.ranking.learn)

    async def _learn(self, name: str, due: Callable[[], str | None], learn: Learn) -> str | None:
        why, held = await self._due(name, due)
        if why is None:
            return held
        run = await asyncio.to_thread(learn, why, pause=GiveWay(self._answers))
        if isinstance(run, str):
            return run
        said = f"{name} {run.id}: {run.stopped}"
        self._events.publish("learned", said, id=run.id, kept=1, before=run.before, after=run.after)
        return said

    async def _due(self, name: str, due: Callable[[], str | None]) -> tuple[str | None, str | None]:
        """Why *name* is to run now, or else what holds it back, where it is due."""
        if not self._is_open():
            return None, None
        why = "Asked for" if name in self.asked else await asyncio.to_thread(due)
        if why is not None and (reason := await asyncio.to_thread(self._night.budget.waits_for)) is not None:
            return None, f"due ({why}), but {reason}"
        self.asked.discard(name)
        return why, None
