"""Searches take turns: one interpreter answers them, so those that come at once are done sooner one after the other."""

import contextvars
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager


class Turns:
    """
    *count* turns at once, in the order of asking. Who has waited *longest_wait_s* goes on without one: another may hang
    on a disk that does not answer.
    """

    def __init__(self, count: int, *, longest_wait_s: float = 0.25) -> None:
        self._counting = threading.Lock()
        self._free = count
        self._waiting: deque[threading.Lock] = deque()
        self._longest_wait_s = longest_wait_s

    def taken(self) -> AbstractContextManager[None]:
        """A turn, given up for as long as `stepping_aside` lasts within it."""
        return _Turn(self)

    def take(self) -> bool:
        """Wait for a turn; False if that took too long, and there is none to give back."""
        with self._counting:
            if self._free:
                self._free -= 1
                return True
            called = threading.Lock()
            called.acquire()
            self._waiting.append(called)
        if called.acquire(timeout=self._longest_wait_s):
            return True
        with self._counting:
            if called not in self._waiting:  # it came at the last moment
                return True
            self._waiting.remove(called)
            return False

    def give(self) -> None:
        """Hand the turn to who has waited longest: whoever asks next, however soon, comes after them."""
        with self._counting:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class _Turn:
    """What `Turns.taken` gives."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._held = False

    def take(self) -> None:
        self._held = self._turns.take()

    def give(self) -> None:
        if self._held:
            self._turns.give()
        self._held = False

    def __enter__(self) -> None:
        self.take()
        self._before = _turn.set(self)

    def __exit__(self, *_: object) -> None:
        _turn.reset(self._before)
        self.give()


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
