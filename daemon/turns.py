"""Searches take turns: one interpreter answers them, so those that come at once are done sooner one after the other."""

import contextvars
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """
    *count* turns at once, in the order of asking. Who has waited *longest_wait_s* goes on without one: another may hang
    on a disk that does not answer.
    """

    def __init__(self, count: int, *, longest_wait_s: float = 0.25) -> None:
        self._free = threading.Semaphore(count)
        self._longest_wait_s = longest_wait_s

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A turn, given up for as long as `stepping_aside` lasts within it."""
        turn = _Turn(self._free, self._longest_wait_s)
        turn.take()
        before = _turn.set(turn)
        try:
            yield
        finally:
            _turn.reset(before)
            turn.give()


class _Turn:
    def __init__(self, free: threading.Semaphore, longest_wait_s: float) -> None:
        self._free = free
        self._longest_wait_s = longest_wait_s
        self._held = False

    def take(self) -> None:
        self._held = self._free.acquire(timeout=self._longest_wait_s)

    def give(self) -> None:
        if self._held:
            self._free.release()
        self._held = False


_turn: contextvars.ContextVar[_Turn | None] = contextvars.ContextVar("turn", default=None)


@contextmanager
def stepping_aside() -> Iterator[None]:
    """Wait for another process here: whoever's turn this is lets the next go on meanwhile."""
    turn = _turn.get()
    if turn is None:
        yield
        return
    turn.give()
    try:
        yield
    finally:
        turn.take()
