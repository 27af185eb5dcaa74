"""The dream as a job of the scheduler: due, held back, paused for a chat, told as events."""

import asyncio
import time
from collections.abc import Callable

from daemon.events import Events
from daemon.night.night import Night
from daemon.night.record import counted

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


class Dreaming:
    """
    Runs a dream where one is due, or where somebody *asked* for one; likewise for what use teaches the ranking.

    A dream gives way, at any point, while a model *answers* somebody.
    """

    def __init__(self, night: Night, events: Events, *, is_open: Callable[[], bool], answers: Callable[[], bool]):
        self._night = night
        self._events = events
        self._is_open = is_open
        self._answers = answers
        self.asked = False
        self.ranking_asked = False

    async def run(self) -> str | None:
        """What came of it; None where nothing was due."""
        if not self._is_open():
            return None
        why = "Asked for" if self.asked else await asyncio.to_thread(self._night.due)
        if why is None:
            return None
        if (reason := await asyncio.to_thread(self._night.waits_for)) is not None:
            return f"due ({why}), but {reason}"
        self.asked = False
        self._events.publish("dream_started", f"a dream began: {why}")
        run = await asyncio.to_thread(self._night.dream, why, pause=GiveWay(self._answers))
        kept = sum(repair.state in ("kept", "waiting") for repair in run.repairs)
        said = f"dream {run.id}: {counted(kept, 'repair')}, {run.stopped}"
        self._events.publish("dreamed", said, id=run.id, kept=kept, before=run.before, after=run.after)
        return said

    async def learn_ranking(self) -> str | None:
        """What the ranking learned from use; None where too little was used since it last looked."""
        if not self._is_open():
            return None
        why = await asyncio.to_thread(self._night.ranking_due)
        if why is None and self.ranking_asked and self._night.learns_from_use:
            why = "Asked for"
        if why is not None and (reason := await asyncio.to_thread(self._night.waits_for)) is not None:
            return f"due ({why}), but {reason}"
        self.ranking_asked = False
        if why is None:
            return None
        run = await asyncio.to_thread(self._night.learn_ranking, why, pause=GiveWay(self._answers))
        if isinstance(run, str):
            return run
        said = f"ranking {run.id}: {run.stopped}"
        self._events.publish("learned", said, id=run.id, kept=1, before=run.before, after=run.after)
        return said
