"""Searches before upkeep: what takes pages in steps aside, between its small steps, while somebody searches."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

_MOMENT_S = 0.001
_MOST_WAITS = 100


class Courtesy:
    """
    Between searches, any number at once, and the one thread at work on the index.

    Both share one interpreter, so that a search meets every step of the work in its way. The work waits for the
    searches' end at each step, a moment at most and a tenth of a second in all: what was saved is to be found soon.
    """

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self._searches = 0
        self._idle = threading.Event()
        self._worker: int | None = None
        self._waits_left = 0
        self._search = _Search(self)

    def searching(self) -> AbstractContextManager[None]:
        """A search, which goes first."""
        return self._search

    def begin(self) -> None:
        """A search begins."""
        with self._counting:
            self._searches += 1

    def end(self) -> None:
        """A search is done."""
        with self._counting:
            self._searches -= 1
            ended = not self._searches
        if ended and self._worker is not None:
            self._idle.set()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work of this thread, which steps aside."""
        before, self._worker = self._worker, threading.get_ident()
        self._waits_left = _MOST_WAITS
        try:
            yield
        finally:
            self._worker = before

    def step(self) -> None:
        """A step of the work is done: let a search pass. Of no effect in other threads."""
        if self._searches and self._waits_left and self._worker == threading.get_ident():
            self._waits_left -= 1
            self._idle.clear()
            if self._searches:
                self._idle.wait(_MOMENT_S)


class _Search:
    """What `Courtesy.searching` gives: one object for all searches, since a search is short."""

    def __init__(self, courtesy: Courtesy) -> None:
        self._courtesy = courtesy

    def __enter__(self) -> None:
        self._courtesy.begin()

    def __exit__(self, *_: object) -> None:
        self._courtesy.end()
