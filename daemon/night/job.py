"""The dream as a job of the scheduler: due, held back, paused for a chat, told as events."""

import asyncio
from collections.abc import Callable

from daemon.events import Events
from daemon.night.night import Night


class Dreaming:
    """
    Runs a dream where one is due, or where somebody *asked* for one; likewise for what use teaches the ranking.

    *busy* says why work that nobody waits for should stop at once; a dream looks between two failures.
    """

    def __init__(self, night: Night, events: Events, *, is_open: Callable[[], bool], busy: Callable[[], str | None]):
        self._night = night
        self._events = events
        self._is_open = is_open
        self._busy = busy
        self.asked = False
        self.ranking_asked = False

    async def run(self) -> str | None:
        """What came of it; None where nothing was due."""
        if not self._is_open():
            return None
        asked, self.asked = self.asked, False
        why = await asyncio.to_thread(self._night.due)
        if asked:
            why = "Asked for"
        elif why is None:
            return None
        elif (reason := await asyncio.to_thread(self._night.waits_for)) is not None:
            return f"due ({why}), but {reason}"
        self._events.publish("dream_started", f"a dream began: {why}")
        run = await asyncio.to_thread(self._night.dream, why, pause=self._busy)
        kept = sum(repair.state in ("kept", "waiting") for repair in run.repairs)
        said = f"dream {run.id}: {kept} repairs, {run.stopped}"
        self._events.publish("dreamed", said, id=run.id, kept=kept, before=run.before, after=run.after)
        return said

    async def learn_ranking(self) -> str | None:
        """What the ranking learned from use; None where too little was used since it last looked."""
        if not self._is_open():
            return None
        asked, self.ranking_asked = self.ranking_asked, False
        why = await asyncio.to_thread(self._night.ranking_due)
        if why is None and not (asked and self._night.learns_from_use):
            return None
        if not asked and (reason := await asyncio.to_thread(self._night.waits_for)) is not None:
            return f"due ({why}), but {reason}"
        run = await asyncio.to_thread(self._night.learn_ranking, why or "Asked for")
        if isinstance(run, str):
            return run
        said = f"ranking {run.id}: {run.stopped}"
        self._events.publish("learned", said, id=run.id, kept=1, before=run.before, after=run.after)
        return said
