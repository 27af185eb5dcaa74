"""What was shown last, kept at hand: reading a chunk from its file costs more than finding it."""

from typing import NamedTuple

from memory_store.index.manifest import Entry, Placed
from memory_store.snippet import Line

_MOST = 4000


class Shown(NamedTuple):
    """A chunk as it stood in its file, when that was as *entry* says."""

    entry: Entry
    chunk: Placed
    heading: str
    text: str
    line: Line


class Shelf:
    """
    The chunks that were shown last, by row: what a row says never changes, and whether it is still there is asked anew
    each time. Any thread may look and put.
    """

    def __init__(self) -> None:
        self._new: dict[int, Shown] = {}
        self._old: dict[int, Shown] = {}

    def get(self, row: int) -> Shown | None:
        """The chunk, if it was shown lately."""
        found = self._new.get(row)
        if found is None and (found := self._old.get(row)) is not None:
            self.put(row, found)
        return found

    def put(self, row: int, shown: Shown) -> None:
        """Remember the chunk; the oldest go."""
        if len(self._new) >= _MOST:
            self._old, self._new = self._new, {}
        self._new[row] = shown

    def clear(self) -> None:
        """Forget all."""
        self._old, self._new = {}, {}
