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


class Scanned:
    """
    Looked for among *vectors*, of which `slots[row]` is that of a row, -1 for none: coarsely through all, the nearest
    exactly.
    """

    def __init__(self, vectors: Vectors, slots: NDArray[np.int32], asked: Floats) -> None:
        self._vectors = vectors
        self._slots = slots
        self._asked = asked

    def at(self, rows: NDArray[np.integer]) -> Floats:
        """Of each of *rows*, exactly."""
        slots = self._slots[rows]
        found = self._vectors.rows(np.maximum(slots, 0)) @ self._asked
        return np.where(slots >= 0, found, np.float32(0))

    def best(self, count: int, allowed: NDArray[np.bool_] | None) -> Rows:
        """The nearest *count* rows: of the nearest by the coarse vectors, by the exact ones."""
        coarse = np.append(self._vectors.scan(self._asked), np.float32(0))[self._slots]  # slot -1 is the last
        near = Measured(coarse).best(max(count, EXACT), allowed)
        nearest: Rows = near[best_rows(self.at(near), count)]
        return nearest
