"""
The ranking: what each kind of evidence says of each chunk, joined into one list.

Scores are joined, not ranks: each is standardised over the candidates of a search (mean 0, deviation 1), so that one
clear winner outweighs many narrow ones, and summed under the weights of `weights.toml`, which says how they were found.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_store.index.analysis import QueryWord, fold
from memory_store.index.bm25 import Postings, Term
from memory_store.index.volume import View
from memory_store.index.words import COMPOUNDING
from memory_store.tuning import Tuned

Floats = NDArray[np.float32]

CANDIDATES = 200
_FAR = 2
_PARTIAL = 0.5
_MOST_FORMS = 40
_SHORTEST_COMPOUND, _LONGEST_COMPOUND = 8, 50
_LINKS = ("", "s", "es", "n", "en", "e", "er")
EVIDENCE = ("keyword", "near", "coverage", "vector", "vector_near", "page", "who", "when")


@dataclass(frozen=True)
class Question:
    """
    What is searched for: *terms* to count, *vector* to compare, *names* that may be speakers (folded words), and
    *days*, a range of proleptic day numbers, both ends included.
    """

    terms: tuple[Term, ...]
    vector: Floats | None = None
    names: frozenset[str] = frozenset()
    days: tuple[int, int] | None = None


@dataclass(frozen=True)
class Evidence:
    """One kind of evidence for a chunk: its rank by it alone, its raw score, its share of the sum."""

    name: str
    rank: int | None
    score: float
    share: float


@dataclass(frozen=True)
class Ranked:
    """A chunk by its row, the sum, and what it is made of."""

    row: int
    score: float
    parts: tuple[Evidence, ...]


@cache
def shipped_weights() -> dict[str, float]:
    """The weights that come with this version."""
    loaded = tomllib.loads((Path(__file__).parent / "weights.toml").read_text("utf-8"))
    return {name: float(loaded["weights"][name]) for name in EVIDENCE}


def terms_of(words: Sequence[QueryWord], postings: Postings, languages: Sequence[str]) -> tuple[Term, ...]:
    """
    *words* with the stems under which the pages have them.

    In languages that glue words together, and for words that no page has, parts count too, at half: pages' words that
    contain the word, and the two halves of the word itself.
    """
    glue = not COMPOUNDING.isdisjoint(languages)
    terms = []
    for word in words:
        stems = dict.fromkeys(word.stems, 1.0)
        known = any(postings.has(stem) for stem in word.stems)
        if not known or (glue and len(word.word) > 4):
            longest = max(word.stems, key=len)
            share = 1.0 if _is_one_sign(word.word) else _PARTIAL
            if 3 < len(longest) <= _LONGEST_COMPOUND or _is_one_sign(word.word):
                for stem in postings.containing(longest, _MOST_FORMS):
                    stems.setdefault(stem, share)
            if not known:
                for stem in _halves(word, postings):
                    stems.setdefault(stem, _PARTIAL)
        terms.append(Term(word.word, tuple(stems.items())))
    return tuple(terms)


def _is_one_sign(word: str) -> bool:
    return len(word) == 1 and not word.isascii()


def _halves(word: QueryWord, postings: Postings) -> tuple[str, ...]:
    from memory_store.index.analysis import stemmer

    best: tuple[int, tuple[str, ...]] = (0, ())
    text = word.word
    if not _SHORTEST_COMPOUND <= len(text) <= _LONGEST_COMPOUND or not text.isalpha():
        return ()
    for cut in range(3, len(text) - 2):
        for link in _LINKS:
            left, right = text[: cut - len(link)], text[cut:]
            if len(left) < 3 or not text[:cut].endswith(link):
                continue
            for language in ("de", "en"):
                stem = stemmer(language)
                if postings.has(stem(left)) and postings.has(stem(right)) and min(len(left), len(right)) > best[0]:
                    best = (min(len(left), len(right)), (stem(left), stem(right)))
    return best[1]


@dataclass(frozen=True)
class Gathered:
    """The candidates of a search, ascending, with each kind of evidence as found (*raw*) and as summed (*shares*)."""

    rows: NDArray[np.int64]
    raw: Mapping[str, Floats]
    shares: Mapping[str, Floats]
    total: Floats


def gather(
    view: View,
    question: Question,
    *,
    limit: int,
    similarity: Floats | None = None,
    allowed: NDArray[np.bool_] | None = None,
    weights: dict[str, float] | None = None,
) -> Gathered:
    """
    All evidence on the chunks that may be among the *limit* best for *question*.

    *similarity* by row (NaN where there is no vector) or None; *allowed* by row or None for all. What is sure not to
    answer has the sum -inf.
    """
    weights = weights or shipped_weights()
    columns = view.columns
    scores, covered = view.scorer.score(question.terms)
    similar = np.nan_to_num(similarity, nan=0.0) if similarity is not None else None
    candidates = _candidates(view, scores, similar, question, allowed, max(CANDIDATES, 4 * limit))
    if not len(candidates):
        return Gathered(candidates, {}, {}, np.zeros(0, np.float32))
    mass = view.scorer.mass(question.terms)
    raw: dict[str, Floats] = {}
    if question.terms:
        raw["keyword"] = scores[candidates]
        raw["near"] = _around(columns.previous, columns.following, scores, candidates)
        raw["coverage"] = covered[candidates] / np.float32(mass or 1)
        raw["page"] = _of_page(columns.file[candidates], scores[candidates])
    if similar is not None:
        raw["vector"] = similar[candidates]
        raw["vector_near"] = _around(columns.previous, columns.following, similar, candidates)
    if question.names:
        named = [i for name, i in columns.speakers.items() if not question.names.isdisjoint(fold(name).split())]
        if named:
            raw["who"] = np.isin(columns.speaker[candidates], named).astype(np.float32)
    if question.days:
        day = columns.day[candidates]
        raw["when"] = ((day >= question.days[0]) & (day <= question.days[1])).astype(np.float32)
    shares = {name: np.float32(weights[name]) * _standard(name, values) for name, values in raw.items()}
    total = np.sum(list(shares.values()), axis=0)
    if question.terms and similar is None:
        total = np.where(scores[candidates] > 0, total, -np.inf)
    return Gathered(candidates, raw, shares, total)


def rank(
    view: View,
    question: Question,
    *,
    limit: int,
    similarity: Floats | None = None,
    allowed: NDArray[np.bool_] | None = None,
    weights: dict[str, float] | None = None,
    tuned: Tuned | None = None,
) -> list[Ranked]:
    """
    The *limit* best chunks for *question*, best first; ties by row.

    *similarity* by row (NaN where there is no vector) or None; *allowed* by row or None for all; *tuned* is what
    dreams have learned of the chunks.
    """
    found = gather(view, question, limit=limit, similarity=similarity, allowed=allowed, weights=weights)
    rows, total = found.rows, found.total
    sure = np.isfinite(total)
    places = np.arange(len(rows))
    if tuned is not None and sure.any():
        rows, total = tuned.apply(rows[sure], total[sure])
        if allowed is not None:
            rows, total = rows[allowed[rows]], total[allowed[rows]]
        places = np.searchsorted(found.rows, rows)
        places[(places == len(found.rows)) | (found.rows[np.minimum(places, len(found.rows) - 1)] != rows)] = -1
    order = [int(i) for i in np.lexsort((rows, -total))[:limit] if np.isfinite(total[i])]
    ranks = {name: np.argsort(np.argsort(-values, kind="stable")) for name, values in found.raw.items()}
    return [Ranked(int(rows[i]), float(total[i]), _parts(found, ranks, int(places[i]), float(total[i]))) for i in order]


def _parts(found: Gathered, ranks: Mapping[str, NDArray[np.int64]], place: int, total: float) -> tuple[Evidence, ...]:
    """What the score of the candidate at *place* (-1: none, it was led to) is made of."""
    if place < 0:
        return (Evidence("dream", None, total, total),)
    parts = [
        Evidence(name, int(ranks[name][place]) + 1 if raw[place] else None, float(raw[place]), float(share[place]))
        for (name, raw), share in zip(found.raw.items(), found.shares.values(), strict=True)
    ]
    taught = total - float(found.total[place])
    return tuple(parts) if abs(taught) < 1e-6 else (*parts, Evidence("dream", None, taught, taught))


def _standard(name: str, values: Floats) -> Floats:
    if name in ("who", "when", "coverage"):
        return values
    deviation = float(values.std())
    return (values - values.mean()) / np.float32(deviation) if deviation > 0 else np.zeros_like(values)


def _candidates(
    view: View,
    scores: Floats,
    similar: Floats | None,
    question: Question,
    allowed: NDArray[np.bool_] | None,
    count: int,
) -> NDArray[np.int64]:
    """The best by keyword and the best by vector, and those beside the best by keyword."""
    alive = view.scorer.postings.alive
    found: list[NDArray[np.int64]] = []
    if question.terms:
        best = top(scores if allowed is None else np.where(allowed, scores, 0), count)
        found.append(best)
        beside = np.concatenate([view.columns.previous[best[: count // 2]], view.columns.following[best[: count // 2]]])
        found.append(beside[beside >= 0].astype(np.int64))
    if similar is not None:
        found.append(top(similar if allowed is None else np.where(allowed, similar, 0), count))
    if not found:
        return np.zeros(0, np.int64)
    rows = np.unique(np.concatenate(found))
    kept = alive[rows] if allowed is None else alive[rows] & allowed[rows]
    return rows[kept]


def top(scores: Floats, count: int) -> NDArray[np.int64]:
    """Indexes of the *count* highest positive *scores*, best first, ties by index."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > count:
        values = scores[positive]
        positive = positive[np.argpartition(-values, count)[:count]] if count else positive[:0]
    return positive[np.lexsort((positive, -scores[positive]))]


def _around(
    previous: NDArray[np.int32], following: NDArray[np.int32], scores: Floats, rows: NDArray[np.int64]
) -> Floats:
    """What the neighbours of *rows* score, the nearest at full and the next at half."""
    total = np.zeros(len(rows), np.float32)
    for step in (previous, following):
        at = rows
        share = 1.0
        for _ in range(_FAR):
            at = np.where(at >= 0, step[at], -1)
            total += np.float32(share) * np.where(at >= 0, scores[at], 0)
            share /= 2
    return total


def _of_page(files: NDArray[np.int32], scores: Floats) -> Floats:
    """For each chunk, what the best three chunks of its page score together."""
    order = np.lexsort((-scores, files))
    sorted_files = files[order]
    starts = np.flatnonzero(np.diff(sorted_files, prepend=-2))
    within = np.arange(len(files)) - np.repeat(starts, np.diff(np.append(starts, len(files))))
    best = np.where(within < 3, scores[order], 0)
    sums = np.add.reduceat(best, starts)
    out = np.empty(len(files), np.float32)
    out[order] = np.repeat(sums, np.diff(np.append(starts, len(files))))
    return out


def names_in(words: Iterable[QueryWord], speakers: Collection[str]) -> frozenset[str]:
    """Those of *words* that are a part of a speaker's name."""
    parts = {part for name in speakers for part in fold(name).split()}
    return frozenset(word.word for word in words if word.word in parts)
