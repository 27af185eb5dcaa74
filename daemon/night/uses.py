"""
What became of hits: which were opened after a search, cited by an answer, or confirmed by the owner.

Kept on this machine alone, in the state folder, the latest few hundred; `forget` takes out what names the text, and
what leads to passages that are gone.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import msgspec

from daemon.night.loop import Source
from daemon.night.state import NightState, in_passing
from memory_store.index.analysis import query_words, words
from memory_store.index.hits import Hit

How = Literal["opened", "cited", "confirmed"]
KEPT = "uses"
MOST = 500
MOST_CHARS = 300
REMEMBERED = 50
OPENED_WITHIN_S = 600.0
_SHARE = 0.5
_LEAST_WORDS = 2


class Use(msgspec.Struct, frozen=True):
    """Passages *right*, by key, answered *question*; *how* it was noticed."""

    question: str
    right: list[int]
    how: How
    when: str


@dataclass(frozen=True)
class _Shown:
    """What one search showed, best first, as (place, key, text); *at* in seconds of the clock."""

    question: str
    at: float
    hits: tuple[tuple[Source, int, str], ...]


class Uses:
    """Remembers the latest searches and keeps what became of their hits in *state*, if it *is_on*. From any thread."""

    def __init__(
        self,
        state: NightState,
        *,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
        is_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self._is_on = is_on
        self._state = state
        self._now = now
        self._clock = clock
        self._shown: deque[_Shown] = deque(maxlen=REMEMBERED)
        self._turn = threading.Lock()

    def all(self) -> list[Use]:
        """Oldest first."""
        return self._state.read(KEPT, list[Use]) or []

    def shown(self, question: str, hits: Sequence[Hit]) -> None:
        """A search for *question* showed *hits*."""
        if self._is_on() and question.strip() and hits and len(question) <= MOST_CHARS:
            found = tuple(
                (Source(hit.path, hit.start_line, hit.end_line), hit.key, hit.text) for hit in hits if hit.key
            )
            with self._turn:
                self._shown.append(_Shown(question.strip(), self._clock(), found))

    def opened(self, path: str, line: int | None = None) -> None:
        """
        The page at *path* was read, perhaps at *line*.

        That counts for the latest search that showed it, where this was just now; without *line* its best hit there.
        """
        with self._turn:
            since = self._clock() - OPENED_WITHIN_S
            for shown in reversed(self._shown):
                if shown.at < since:
                    return
                keys = [
                    key
                    for place, key, _ in shown.hits
                    if place.path == path and (line is None or place.start_line <= line <= place.end_line)
                ]
                if keys:
                    self._add(shown.question, keys[:1], "opened")
                    return

    def cited(self, question: str, places: Iterable[Source], reply: str = "", *, confirmed: bool = False) -> None:
        """
        *question* was answered from *places*, and, where *confirmed*, the owner says rightly.

        Of the places of a model's *reply* only that counts whose words it says most of: not all that it read was used.
        """
        spoken = {word.word for word in query_words(reply)} - set(words(question))
        wanted = list(places)
        if not wanted or (reply and len(spoken) < _LEAST_WORDS):
            return
        with self._turn:
            found = {
                key: len(spoken & set(words(text))) / len(spoken) if reply else 1.0
                for shown in self._shown
                for place, key, text in shown.hits
                if any(place.meets(one) for one in wanted)
            }
            best = max(found.values(), default=0.0)
            if best >= _SHARE:
                right = [key for key, share in found.items() if share == best]
                self._add(question, right, "confirmed" if confirmed else "cited")

    def refuted(self, question: str) -> None:
        """The answer to *question* was wrong: what it cited is no evidence of anything."""
        with self._turn:
            uses = self.all()
            left = [use for use in uses if use.question != question.strip() or use.how == "opened"]
            if len(left) != len(uses):
                self._state.write(KEPT, left)

    def forget(self, needles: Sequence[str], says: Callable[[Collection[int]], set[int]]) -> None:
        """Drop what holds one of *needles*, and passages that nothing *says* any more."""
        with self._turn:
            self._shown.clear()
            sought = [needle.casefold() for needle in needles if needle]
            left = [use for use in self.all() if not any(needle in use.question.casefold() for needle in sought)]
            there = says({key for use in left for key in use.right})
            left = [msgspec.structs.replace(use, right=[key for key in use.right if key in there]) for use in left]
            self._state.write(KEPT, [use for use in left if use.right])

    def clear(self) -> None:
        """Forget all of it."""
        with self._turn:
            self._shown.clear()
            self._state.remove(KEPT)

    def _add(self, question: str, keys: list[int], how: How) -> None:
        question = question.strip()
        if not self._is_on() or not question or len(question) > MOST_CHARS:
            return
        kept = [use for use in self.all() if (use.question, use.how, use.right) != (question, how, keys)]
        use = Use(question, keys, how, self._now().isoformat(timespec="seconds"))
        with in_passing():
            self._state.write(KEPT, [*kept[-(MOST - 1) :], use])
