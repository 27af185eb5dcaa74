"""How near chunks are to a question in meaning: asked for the best of all, and for those that other evidence found."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_store.index.scoring import best_rows
from memory_store.index.vectors import Vectors

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

EXACT = 400


class Nearness(Protocol):
    """Cosines with a question, by row."""

    def at(self, rows: NDArray[np.integer]) -> Floats:
        """Of each of *rows*; 0 where there is no vector."""
        ...

    def best(self, count: int, allowed: NDArray[np.bool_] | None) -> Rows:
        """The rows of the *count* highest above 0 among those *allowed* (None: all), ascending."""
        ...


@dataclass(frozen=True, slots=True)
class Measured:
    """All cosines are known: *values* by row."""

    values: Floats

    def at(self, rows: NDArray[np.integer]) -> Floats:
        """Of each of *rows*."""
        found: Floats = self.values[rows]
        return found

    def best(self, count: int, allowed: NDArray[np.bool_] | None) -> Rows:
        """The nearest *count* rows."""
        return best_rows(self.values if allowed is None else np.where(allowed, self.values, np.float32(0)), count)


@dataclass(frozen=True)
class Places:
    """
    Where the vectors of chunks lie: `slots[row]`, -1 for none, and the other way round `first[slot]`, -1 for none.
    Where several chunks say the same, those after the first are *other_rows*, with their *other_slots*.
    """

    slots: NDArray[np.int32]
    first: NDArray[np.int32]
    other_rows: NDArray[np.int32]
    other_slots: NDArray[np.int32]

    @classmethod
    def of(cls, slots: NDArray[np.int32]) -> "Places":
        """Those of chunks with *slots* by row."""
        rows = np.flatnonzero(slots >= 0).astype(np.int32)
        filled = slots[rows]
        first = np.full(int(slots.max(initial=-1)) + 1, -1, np.int32)
        first[filled[::-1]] = rows[::-1]
        others = rows[first[filled] != rows]
        return cls(slots, first, others, slots[others])

    def at(self, slots: NDArray[np.intp], values: Floats) -> tuple[Rows, Floats]:
        """The rows, in no order, whose vectors lie in *slots* (ascending; others may be newer), with their *values*."""
        old = int(slots.searchsorted(len(self.first)))
        slots, values = slots[:old], values[:old]
        rows = self.first[slots]
        if len(self.other_slots):
            place = np.minimum(np.searchsorted(slots, self.other_slots), max(len(slots) - 1, 0))
            there = slots[place] == self.other_slots if len(slots) else np.zeros(len(place), np.bool_)
            rows = np.concatenate([rows, self.other_rows[there]])
            values = np.concatenate([values, values[place[there]]])
        kept = rows >= 0
        return rows[kept].astype(np.intp), values[kept]


class Scanned:
    """
    Looked for among *vectors*, which lie in *places*: coarsely through all, the nearest exactly. Made for one question.
    """

    def __init__(self, vectors: Vectors, places: Places, asked: Floats) -> None:
        self._vectors = vectors
        self._places = places
        self._asked = asked
        self._known: tuple[Rows, Floats] | None = None

    def at(self, rows: NDArray[np.integer]) -> Floats:
        """Of each of *rows*, exactly."""
        if self._known is None:
            return self._exact(rows)
        known, values = self._known
        place = np.minimum(known.searchsorted(rows), len(known) - 1)
        found = values[place]
        missing = np.flatnonzero(known[place] != rows)
        found[missing] = self._exact(rows[missing])
        return found

    def _exact(self, rows: NDArray[np.integer]) -> Floats:
        slots = self._places.slots[rows]
        found = self._vectors.rows(np.maximum(slots, 0)) @ self._asked
        return np.where(slots >= 0, found, np.float32(0))

    def best(self, count: int, allowed: NDArray[np.bool_] | None) -> Rows:
        """The nearest *count* rows: of the nearest by the coarse vectors, by the exact ones."""
        rows, values = self._places.at(*self._vectors.near(self._asked))
        if allowed is not None:
            kept = allowed[rows]
            rows, values = rows[kept], values[kept]
        near = _highest(rows, values, max(count, EXACT))
        exact = self._exact(near)
        if len(near):
            self._known = near, exact
        nearest: Rows = near[best_rows(exact, count)]
        return nearest


def _highest(rows: Rows, values: Floats, count: int) -> Rows:
    """The *rows*, ascending, with the *count* highest *values* above 0; of those that tie for the last the first."""
    if len(values) > count:
        least = np.partition(values, len(values) - count)[len(values) - count]
        above, level = rows[values > least], np.sort(rows[values == least])
        rows = np.concatenate([above, level[: count - len(above)]]) if least > 0 else rows[values > 0]
    else:
        rows = rows[values > 0]
    highest: Rows = np.sort(rows)
    return highest
