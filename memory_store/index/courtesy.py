"""Searches before upkeep: what takes pages in steps aside, between its small steps, while somebody searches."""

import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

_SLICE_S = 0.00025
_REST_S = 0.002
_SHORT_REST_S = 0.0005
_PATIENCE_S = 0.15


class Courtesy:
    """
    Between searches, any number at once, and the one thread at work on the index.

    Both share one interpreter. So while somebody searches the work rests until a search is done, 2 ms at most, and goes
    on for a slice of time, half as long as a short search, before it rests again: no search meets many slices. Once it
    has rested for 0.15 s and for as long again as it worked, 0.5 ms at most: what was saved is to be found soon. Where
    a step is longer than a slice the interpreter is handed over within it, which else it would be after 5 ms.
    """

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self._searches = 0
        self._worker: int | None = None
        self._resting = False
        self._passed = threading.Event()
        self._since = self._slice_end = self._waited = 0.0
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
        if self._resting:
            self._passed.set()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Work of this thread, which steps aside. Work within it is a part of it."""
        me = threading.get_ident()
        if self._worker == me:
            yield
            return
        before, self._worker = self._worker, me
        self._since, self._slice_end, self._waited = perf_counter(), 0.0, 0.0
        usual = sys.getswitchinterval()
        sys.setswitchinterval(min(usual, _SLICE_S))
        try:
            self.step()
            yield
        finally:
            sys.setswitchinterval(usual)
            self._worker = before

    def step(self) -> None:
        """A step of the work is done: let a search pass. Of no effect in other threads."""
        if not self._searches or self._worker != threading.get_ident():
            return
        now = perf_counter()
        if now < self._slice_end:
            return
        is_patient = 2 * self._waited < _PATIENCE_S + now - self._since
        self._passed.clear()
        self._resting = True
        self._passed.wait(_REST_S if is_patient else _SHORT_REST_S)
        self._resting = False
        after = perf_counter()
        self._waited += after - now
        self._slice_end = after + _SLICE_S


class _Search:
    """What `Courtesy.searching` gives: one object for all searches."""

    def __init__(self, courtesy: Courtesy) -> None:
        self._courtesy = courtesy

    def __enter__(self) -> None:
        self._courtesy.begin()

    def __exit__(self, *_: object) -> None:
        self._courtesy.end()
