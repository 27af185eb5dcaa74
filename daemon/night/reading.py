"""What reading leaves for the night: what searches found together, how sure they were, and what was opened."""

import threading
from collections.abc import Callable
from datetime import datetime

from daemon.night.state import Access, NightState, in_passing
from daemon.night.uses import Uses
from memory_store.index.hits import Hits

KEEP_EVERY = 20


class Reading:
    """
    Counts searches as they come, from any thread. On disk soon after every few of them, for which none waits, and by
    `keep`.
    """

    def __init__(self, state: NightState, uses: Uses, now: Callable[[], datetime]) -> None:
        self._state = state
        self._uses = uses
        self._now = now
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._access: Access | None = None
        self._unkept = 0

    def searched(self, question: str, hits: Hits) -> None:
        """A search for *question* showed *hits*: counted, for what is found together and how sure searches are."""
        self._uses.shown(question, hits)
        keys = [hit.key for hit in hits if hit.key]
        confidence = None
        if len(hits) > 1:
            confidence = 1.0 - 2.0 ** -max(0.0, hits[0].score - hits[min(len(hits) - 1, 4)].score)
        with self._lock:
            self._counted().record(keys, self._now().isoformat(timespec="seconds"), confidence)
            self._unkept += 1
            due = self._unkept == KEEP_EVERY
        if due:
            threading.Thread(target=self.keep, name="reading", daemon=True).start()

    def typed(self, words: str, hits: Hits) -> None:
        """While somebody typed, *words* showed *hits*: one of them may be opened."""
        self._uses.shown(words, hits)

    def access(self) -> Access:
        """What reading has left so far."""
        with self._lock:
            return self._counted()

    def keep(self) -> None:
        """Put on disk what was counted since the last time."""
        with self._writing:
            with self._lock:
                if self._access is None or not self._unkept:
                    return
                counted, self._unkept = self._access.copy(), 0
            with in_passing():
                self._state.keep_access(counted)

    def _counted(self) -> Access:
        if self._access is None:
            self._access = self._state.access()
        return self._access
