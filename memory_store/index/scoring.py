"""
The keyword scorer: BM25F over posting arrays, fast enough to run at every key press.

What postings are worth is computed once a segment, and kept through commits as long as the average length stays. Terms
that stand in many chunks are also spread out by row when they are first asked for: adding an array costs a twentieth
of adding its postings one by one. Both give the same sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_store.index.bm25 import Floats, Postings, Rows, Segment

MARKED = 32
_COMMON, _COMMON_SHARE = 2000, 8
_MOST_SPREAD, _MOST_REMEMBERED = 48, 2000
_BLOCK = 1 << 20
_COLUMNS, _COLUMNS_A_ROW = 1000, 4  # with so many for each of the highest few lower ones are taken along
_TINY = np.finfo(np.float32).tiny


class Term(NamedTuple):
    """A word of a question as stems to look up, each with how much an occurrence of it counts for the word."""

    word: str
    stems: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """
    Where a term stands in one segment: *rows*, ascending, some perhaps dead, and what it is worth in each before *idf*.

    *spread*, of common terms: the same for all rows from 0 on, and a 0 behind them.
    """

    rows: Rows
    gains: Floats
    spread: Floats | None = None


class Found(NamedTuple):
    """Where a term stands, part by part; no row is in two of them."""

    parts: tuple[Part, ...]
    idf: float


class Gains:
    """What the postings of a segment are worth, `w / (w + norm)`, and the parts that were asked for last."""

    def __init__(self, segment: Segment, norms: Floats) -> None:
        self.segment = segment
        rows = segment.rows
        self.first, self.last = (int(rows.min()), int(rows.max())) if len(rows) else (0, -1)
        self.values = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _BLOCK):
            part = slice(start, start + _BLOCK)
            weights = segment.weights[part]
            np.divide(weights, weights + norms[rows[part]], out=self.values[part])
        self._parts: dict[str, Part | None] = {}
        self._spread: dict[str, None] = {}

    def part(self, stem: str) -> Part | None:
        """Where *stem* stands."""
        try:
            return self._parts[stem]
        except KeyError:
            pass
        if len(self._parts) >= _MOST_REMEMBERED:
            self._parts.clear()
            self._spread.clear()
        found = self._parts[stem] = self._look(stem)
        return found

    def _look(self, stem: str) -> Part | None:
        segment = self.segment
        index = segment.terms.get(stem)
        if index is None:
            return None
        here = slice(int(segment.starts[index]), int(segment.starts[index + 1]))
        rows, gains = segment.rows[here], self.values[here]
        if len(rows) < _COMMON or len(rows) * _COMMON_SHARE < self.last:
            return Part(rows, gains)
        while len(self._spread) >= _MOST_SPREAD:
            oldest = next(iter(self._spread), None)
            self._spread.pop(oldest or "", None)
            self._parts.pop(oldest or "", None)
        spread = np.zeros(self.last + 2, np.float32)
        spread[rows] = gains
        self._spread[stem] = None
        return Part(rows, gains, spread)


def best_rows(scores: Floats, count: int) -> NDArray[np.intp]:
    """Indexes of the *count* highest positive *scores*, ascending; of those that tie for the last place the first."""
    good, values = _not_below_the_best(scores, count)
    if len(good) <= count:
        return good
    if count < 1:
        return good[:0]
    least = np.partition(values, len(values) - count)[len(values) - count]
    kept = values >= least
    over = int(np.count_nonzero(kept)) - count
    if over:
        kept[np.flatnonzero(values == least)[-over:]] = False
    best: NDArray[np.intp] = good[kept]
    return best


def _not_below_the_best(scores: Floats, count: int) -> tuple[NDArray[np.intp], Floats]:
    """
    Indexes, ascending, and values of positive *scores*, those of the *count* highest among them, and not many more.

    The highest of each of many columns tell how high *count* of all are at least.
    """
    depth = len(scores) // max(_COLUMNS, _COLUMNS_A_ROW * count) if count > 0 else 0
    if depth < 2:
        good = (scores > 0).nonzero()[0]
        return good, scores[good]
    width = len(scores) // depth
    tops = np.maximum.reduce(scores[: depth * width].reshape(depth, width), axis=0)
    tops.partition(width - count)
    good = (scores >= max(tops[width - count], _TINY)).nonzero()[0]
    return good, scores.take(good)


@dataclass(frozen=True)
class Scorer:
    """
    Scores questions against one state of the postings; what depends on the state alone is computed once.

    *gains* are, for each segment, what its postings are worth; *dead*, for each, the rows of its range that are not
    alive. *known* are where the stems stand that were asked for last.
    """

    postings: Postings
    norms: Floats
    gains: tuple[Gains, ...]
    dead: tuple[Rows, ...]
    known: dict[str, Found] = field(default_factory=dict)

    @classmethod
    def of(cls, postings: Postings, before: "Scorer | None" = None) -> "Scorer":
        """For *postings*; what the state *before* them had computed for the same segments is used again."""
        norms = postings.norms()
        known: dict[int, Gains] = {}
        if before is not None and before.postings.average == postings.average:
            known = {id(gains.segment): gains for gains in before.gains}
        gains = tuple(known.get(id(segment)) or Gains(segment, norms) for segment in postings.segments)
        dead = np.flatnonzero(~postings.alive).astype(np.int32) if postings.has_dead else np.zeros(0, np.int32)
        parts = tuple(dead[slice(*np.searchsorted(dead, (g.first, g.last + 1)))] for g in gains)
        return cls(postings, norms, gains, parts)

    def find(self, terms: Sequence[Term]) -> list[Found]:
        """
        Where each of *terms* stands. The stems of a term count as one: rows are united, weights added.

        How rare it is tell those stems that count in full, where there are such: others only contain it.
        """
        return [self._one(term) if len(term.stems) == 1 else self._united(term) for term in terms]

    def score(self, found: Sequence[Found]) -> Floats:
        """BM25F by row: `sum idf * w / (w + norm)`; 0 where there is no chunk."""
        size = len(self.norms)
        scores: Floats | None = None
        for term in found:
            for part in term.parts:
                if part.spread is not None:
                    weighed = part.spread * np.float32(term.idf)
                    if scores is None and len(weighed) > size:
                        scores = weighed[:size]
                    else:
                        scores = np.zeros(size, np.float32) if scores is None else scores
                        here = scores[: len(weighed) - 1]
                        np.add(here, weighed[:-1], out=here)
        if scores is None:
            scores = np.zeros(size, np.float32)
        for term in found:
            for part in term.parts:
                if part.spread is None:
                    np.add.at(scores, part.rows, part.gains * np.float32(term.idf))
        for dead in self.dead:
            if len(dead):
                scores[dead] = 0
        return scores

    def marks(self, found: Sequence[Found], rows: NDArray[np.integer]) -> NDArray[np.unsignedinteger]:
        """For each of *rows*, which of *found* stand there: bit i for the i-th, of the first 32."""
        kind: type[np.unsignedinteger] = np.uint8 if len(found) <= 8 else np.uint32
        rare = np.zeros(len(self.norms), kind)
        marks = np.zeros(len(rows), kind)
        for number, term in enumerate(found[:MARKED]):
            bit = kind(1 << number)
            for part in term.parts:
                if part.spread is None:
                    np.add.at(rare, part.rows, bit)
                else:
                    marks += (part.spread.take(rows, mode="clip") > 0) * bit
        marks += rare[rows]
        return marks

    def covered(self, found: Sequence[Found], rows: NDArray[np.integer]) -> Floats:
        """For each of *rows*, what part of *found*, by idf, stands there; the first 32 count."""
        counted = found[:MARKED]
        mass = sum(term.idf for term in counted) or 1.0
        shares = np.zeros(len(self.norms), np.float32)
        covered = np.zeros(len(rows), np.float32)
        for term in counted:
            share = np.float32(term.idf / mass)
            for part in term.parts:
                if part.spread is None:
                    np.add.at(shares, part.rows, share)
                else:
                    covered += (part.spread.take(rows, mode="clip") > 0) * share
        covered += shares.take(rows)
        return covered

    def mass(self, terms: Sequence[Term]) -> float:
        """The idf mass of *terms*; those that no chunk holds weigh most."""
        return sum(found.idf for found in self.find(terms))

    def _one(self, term: Term) -> Found:
        ((stem, share),) = term.stems
        if share != 1:
            return self._united(term)
        known = self.known.get(stem)
        if known is not None:
            return known
        parts = []
        count = 0
        for gains, dead in zip(self.gains, self.dead, strict=True):
            part = gains.part(stem)
            if part is not None:
                parts.append(part)
                count += len(part.rows) - (self._among(part.rows, dead) if len(dead) else 0)
        found = Found(tuple(parts), self.postings.idf(count))
        if all(part.spread is None for part in parts):  # how many are spread out is limited
            if len(self.known) >= _MOST_REMEMBERED:
                self.known.clear()
            self.known[stem] = found
        return found

    def _among(self, rows: Rows, dead: Rows) -> int:
        """How many of *rows* are *dead*."""
        if not len(rows):
            return 0
        if len(dead) * 16 > len(rows):
            return len(rows) - int(np.count_nonzero(self.postings.alive[rows]))
        at = np.minimum(np.searchsorted(rows, dead), len(rows) - 1)
        return int(np.count_nonzero(rows[at] == dead))

    def _united(self, term: Term) -> Found:
        found = [(*self.postings.postings(stem), share) for stem, share in term.stems]
        lists = [(rows, weights * np.float32(share)) for rows, weights, share in found if len(rows)]
        whole = [rows for rows, _, share in found if share == 1 and len(rows)]
        if not lists:
            return Found((), self.postings.idf(0))
        rows = np.concatenate([rows for rows, _ in lists])
        weights = np.concatenate([weights for _, weights in lists])
        if len(lists) > 1 or len(self.postings.segments) > 1:
            order = np.argsort(rows, kind="stable")
            rows, weights = rows[order], weights[order]
            first = np.flatnonzero(np.diff(rows, prepend=-1))
            rows, weights = rows[first], np.add.reduceat(weights, first)
        count = len(rows) if not whole else len(whole[0]) if len(whole) == 1 else len(np.unique(np.concatenate(whole)))
        return Found((Part(rows, weights / (weights + self.norms[rows])),), self.postings.idf(count))
