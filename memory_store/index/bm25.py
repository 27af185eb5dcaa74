"""
Posting arrays: what the keyword scorer counts by.

Postings lie in immutable segments, one a sync, merged when they become many. A posting is (row, weight): the row of a
chunk and the term's occurrences there, each counted by its field's weight. Deletions are a mask over rows, so counts
stay exact without touching a segment. The arrays are derived from the same words as the Whoosh index and can be read
back from it.
"""

import json
import math
import mmap
import os
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_store.index.words import DROPPED

Rows = NDArray[np.int32]
Floats = NDArray[np.float32]

FIELD_WEIGHTS = {"title": 1.5, "headings": 1.0, "body": 1.0, "tags": 1.5, "speaker": 1.0}
K1 = 1.2
B = 0.4
_MAGIC = b"RVP1"
_MERGE_ABOVE = 8
_STEP = 1.01
_MOST_LOOKED_AT = 500
LINKS = ("", "s", "es", "n", "en", "e", "er")
LONG_PART = 6  # shorter ones stand inside other words by chance


class SegmentDamaged(Exception):
    """A posting file is not what was written."""


@dataclass(frozen=True)
class Segment:
    """
    Postings of some chunks: those of `terms[t]` are `rows[starts[t]:starts[t + 1]]`, ascending, with their weights.
    """

    terms: Mapping[str, int]
    starts: NDArray[np.int64]
    rows: Rows
    weights: Floats
    mapped: mmap.mmap | None = None

    @cached_property
    def vocabulary(self) -> str:
        """All terms in order, each with a line end before and behind it."""
        return "\n".join(("", *self.terms, ""))

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """All terms in order."""
        return tuple(self.terms)

    def save(self, path: Path) -> None:
        """Write and sync; the file is complete under its name or not there."""
        vocabulary = "\n".join(self.terms).encode()
        head = json.dumps({"terms": len(self.terms), "vocabulary": len(vocabulary), "rows": len(self.rows)}).encode()
        head = head.ljust(len(head) + -(len(_MAGIC) + 4 + len(head)) % 8)  # arrays that are mapped have to be aligned
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            file.write(_MAGIC + len(head).to_bytes(4, "little") + head)
            for piece in (self.starts.tobytes(), self.rows.tobytes(), self.weights.tobytes(), vocabulary):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Segment":
        """
        The segment in *path*, its arrays mapped from the file.

        Raises:
            SegmentDamaged: missing, truncated, or not a posting file.
        """
        try:
            with path.open("rb") as file:
                if file.read(4) != _MAGIC:
                    raise SegmentDamaged(f"{path.name} is no posting file")
                head = json.loads(file.read(int.from_bytes(file.read(4), "little")))
                offset = file.tell()
            terms, rows = int(head["terms"]), int(head["rows"])
            sizes = (8 * (terms + 1), 4 * rows, 4 * rows, int(head["vocabulary"]))
            if path.stat().st_size != offset + sum(sizes):
                raise SegmentDamaged(f"{path.name} is {path.stat().st_size} bytes, not {offset + sum(sizes)}")
            with path.open("rb") as file:
                raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            at = np.cumsum((offset, *sizes))
            vocabulary = raw[at[3] : at[4]].decode()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SegmentDamaged(f"{path.name}: {error}") from error
        return cls(
            {term: i for i, term in enumerate(vocabulary.split("\n"))} if terms else {},
            np.frombuffer(raw, np.int64, terms + 1, int(at[0])),
            np.frombuffer(raw, np.int32, rows, int(at[1])),
            np.frombuffer(raw, np.float32, rows, int(at[2])),
            raw,
        )

    def rest(self) -> None:
        """Leave what was read of the file to the system: it comes back when it is needed."""
        if self.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self.mapped.madvise(mmap.MADV_DONTNEED)


@dataclass(frozen=True)
class FieldPostings:
    """
    What one field holds of each word before stemming: `sizes[i]` postings of `words[i]`, one word after another.

    Within a word rows ascend; *counts* says how often it stands in each.
    """

    field: str
    words: Sequence[str]
    sizes: NDArray[np.int64]
    rows: NDArray[np.uint32]
    counts: Floats


def build_segment(
    postings: Sequence[FieldPostings], language_of: NDArray[np.uint8], stemmer_of: Callable[[int], Callable[[str], str]]
) -> tuple[Segment, Rows, Floats]:
    """
    One segment from *postings*, words joined by their stem, fields by their weight.

    *language_of* gives for each row the number of its language, *stemmer_of* for each number that stands there its
    stemmer: to load one takes milliseconds. Returns also the rows that occur, ascending, and their weighted lengths.
    """
    word_ids: dict[str, int] = {}
    ids = np.array([word_ids.setdefault(word, len(word_ids)) for p in postings for word in p.words], np.int32)
    if not len(ids):
        nothing, weightless = np.zeros(0, np.int32), np.zeros(0, np.float32)
        return Segment({}, np.zeros(1, np.int64), nothing, weightless), nothing, weightless
    rows = np.concatenate([p.rows for p in postings])
    counts = np.concatenate([p.counts * np.float32(FIELD_WEIGHTS.get(p.field, 1.0)) for p in postings])
    of_word = np.repeat(ids, np.concatenate([p.sizes for p in postings]))
    said = np.array([word not in DROPPED for word in word_ids])[of_word]
    rows, counts, of_word = rows[said], counts[said], of_word[said]
    names = list(word_ids)
    stems: dict[str, int] = {}
    of_stem = np.zeros(len(rows), np.int32)
    languages = language_of[rows]
    for language in np.unique(languages):
        here = languages == language
        used = np.unique(of_word[here])
        stem = stemmer_of(int(language))
        table = np.zeros(len(names), np.int32)
        table[used] = [stems.setdefault(stem(names[i]), len(stems)) for i in used]
        of_stem[here] = table[of_word[here]]
    sorted_stems = sorted(stems)
    rank = np.empty(len(stems), np.int64)
    rank[[stems[name] for name in sorted_stems]] = np.arange(len(stems))
    width = int(rows.max(initial=0)) + 1
    keys = rank[of_stem] * width + rows
    del of_word, of_stem, languages
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    summed = np.add.reduceat(counts, first).astype(np.float32) if len(first) else counts
    keys = keys[first]
    starts = np.searchsorted(keys, np.arange(len(stems) + 1) * width)
    segment = Segment(
        {term: i for i, term in enumerate(sorted_stems)},
        starts.astype(np.int64),
        (keys % width).astype(np.int32),
        summed,
    )
    lowest = int(segment.rows.min(initial=width))
    lengths = np.bincount(segment.rows - lowest, segment.weights)
    present = np.flatnonzero(lengths).astype(np.int32)
    return segment, present + np.int32(lowest), lengths[present].astype(np.float32)


def merge_segments(segments: Sequence[Segment], alive: NDArray[np.bool_]) -> Segment:
    """One segment with the postings of *segments*, of which each has higher rows than those before; *alive* ones."""
    terms = sorted(set().union(*(s.terms for s in segments)))
    number = {term: i for i, term in enumerate(terms)}
    numbers = [np.fromiter((number[t] for t in s.terms), np.int64, len(s.terms)) for s in segments]
    kept = [alive[s.rows] for s in segments]
    sizes = np.zeros((len(segments), len(terms)), np.int64)
    for size, s, of_term, here in zip(sizes, segments, numbers, kept, strict=True):
        held = np.concatenate([np.zeros(1, np.int64), np.cumsum(here)])
        size[of_term] = np.diff(held[s.starts])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes.sum(axis=0))])
    rows, weights = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
    free = starts[:-1].copy()
    for size, s, of_term, here in zip(sizes, segments, numbers, kept, strict=True):
        held_of = size[of_term]
        place = np.arange(held_of.sum()) + np.repeat(free[of_term] - np.cumsum(held_of) + held_of, held_of)
        rows[place], weights[place] = s.rows[here], s.weights[here]
        free += size
    used = np.flatnonzero(np.diff(starts))
    return Segment({terms[t]: i for i, t in enumerate(used)}, np.append(starts[used], starts[-1]), rows, weights)


def merge_due(segments: Sequence[Segment]) -> int:
    """How many of the newest segments to merge now so that a query visits few; 0 for none."""
    if len(segments) <= _MERGE_ABOVE:
        return 0
    sizes = [len(s.rows) for s in segments]
    count = 2
    while count < len(sizes) and sizes[-count - 1] <= 2 * sum(sizes[-count:]):
        count += 1
    return count


@dataclass(frozen=True)
class Postings:
    """
    All keyword evidence at one moment; immutable, so that searches and syncs do not meet.

    *lengths* are weighted lengths by row; rows that are not *alive* count nowhere; *count* are.
    """

    segments: tuple[Segment, ...]
    lengths: Floats
    alive: NDArray[np.bool_]
    has_dead: bool
    count: int

    @classmethod
    def of(cls, segments: Sequence[Segment], lengths: Floats, alive: NDArray[np.bool_]) -> "Postings":
        """The postings of *segments*, whose rows have so many words, as far as they are *alive*."""
        count = int(np.count_nonzero(alive))
        return cls(tuple(segments), lengths, alive, count < len(alive), count)

    def postings(self, term: str) -> tuple[Rows, Floats]:
        """The live rows that hold *term*, and its weight in each; ascending within a segment only."""
        found = []
        for segment in self.segments:
            index = segment.terms.get(term)
            if index is not None:
                part = slice(segment.starts[index], segment.starts[index + 1])
                found.append((segment.rows[part], segment.weights[part]))
        if not found:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        rows, weights = (
            found[0] if len(found) == 1 else tuple(np.concatenate(parts) for parts in zip(*found, strict=True))
        )
        if self.has_dead:
            kept = self.alive[rows]
            if not kept.all():
                rows, weights = rows[kept], weights[kept]
        return rows, weights

    def has(self, term: str) -> bool:
        """Whether a chunk holds *term*, or did before the last merge."""
        for segment in self.segments:  # noqa: SIM110 - a generator costs more than the look-up
            if term in segment.terms:
                return True
        return False

    def containing(self, part: str, most: int) -> list[str]:
        """
        Terms that start or end with *part*, or hold it if it is long or a single sign; at most *most*, itself left out.
        """
        anywhere = len(part) == 1 or len(part) >= LONG_PART
        found: dict[str, None] = {}
        for segment in self.segments:
            text = segment.vocabulary
            at = text.find(part)
            while at >= 0 and len(found) < most:
                start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
                if anywhere or start == at or end == at + len(part):
                    found.setdefault(text[start:end])
                at = text.find(part, end)
        found.pop(part, None)
        return list(found)

    def glued(self, part: str, most: int) -> list[str]:
        """
        Terms that hold *part* between, before or behind words that stand by themselves too; at most *most*.

        So many short words stand inside others by chance that only this tells *Rotwein* from *Schwein*.
        """
        found: dict[str, None] = {}
        for segment in self.segments:
            text = segment.vocabulary
            at = text.find(part)
            for _ in range(_MOST_LOOKED_AT):
                if at < 0 or len(found) >= most:
                    break
                start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
                before, behind = text[start:at], text[at + len(part) : end]
                if (before or behind) and self._is_glued(before, -1) and self._is_glued(behind, 1):
                    found.setdefault(text[start:end])
                at = text.find(part, at + 1)
        return list(found)

    def _is_glued(self, side: str, towards: int) -> bool:
        """Whether *side* of a compound is a word, or nothing; between it and the part a link may stand."""
        if not side:
            return True
        for link in LINKS:
            if link and not (side.endswith(link) if towards < 0 else side.startswith(link)):
                continue
            word = side[: len(side) - len(link)] if towards < 0 else side[len(link) :]
            if len(word) >= 3 and self.has(word):
                return True
        return False

    @cached_property
    def average(self) -> float:
        """The mean length of a chunk, in steps of one in a hundred, so that it stays through most changes."""
        total = float(self.lengths[self.alive].sum()) if self.has_dead else float(self.lengths.sum())
        mean = total / max(self.count, 1)
        return float(_STEP ** round(math.log(mean, _STEP))) if mean > 0 else 1.0

    def starting(self, part: str, most: int) -> list[str]:
        """Terms that start with *part*: the *most* that stand in most chunks."""
        counts: dict[str, int] = {}
        for segment in self.segments:
            for at in range(bisect_left(segment.ordered, part), bisect_left(segment.ordered, part + "\U0010ffff")):
                term = segment.ordered[at]
                counts[term] = counts.get(term, 0) + int(segment.starts[at + 1] - segment.starts[at])
        return nlargest(most, counts, key=lambda term: counts[term])

    def norms(self) -> Floats:
        """By row, what a term's weight is saturated against: k1 (1 - b + b length / average)."""
        return (K1 * (1 - B) + (K1 * B / self.average) * self.lengths).astype(np.float32)

    def idf(self, found: int) -> float:
        """The weight of a term that *found* chunks hold; above 0."""
        return math.log1p((self.count - found + 0.5) / (found + 0.5))
