"""
The ranking: what each kind of evidence says of each chunk, joined into one list.

Scores are joined, not ranks: each is standardised over the candidates of a search (mean 0, deviation 1), so that one
clear winner outweighs many narrow ones, and summed under the weights of `weights.toml`, which says how they were found.
"""

import math
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_store.index.analysis import QueryWord, fold, stemmer
from memory_store.index.bm25 import LINKS, LONG_PART, Postings
from memory_store.index.manifest import KINDS
from memory_store.index.nearness import Measured, Nearness
from memory_store.index.scoring import MARKED, Found, Scorer, Term
from memory_store.index.volume import View
from memory_store.index.words import COMPOUNDING
from memory_store.tuning import Tuned
from memory_store.when import TIME_WORDS, Days

Floats = NDArray[np.float32]

CANDIDATES = 200
_PARTIAL = 0.5
_MOST_FORMS = 40
_SHORT = 5
_SHORTEST_COMPOUND, _LONGEST_COMPOUND = 8, 50
STANDARDISED = frozenset({"keyword", "passage", "near", "page", "vector", "vector_near", "page_vector"})
EVIDENCE = (
    *("keyword", "passage", "near", "coverage", "around", "wide", "page", "vector", "vector_near", "page_vector"),
    *("length", "asks", "answers", "who", "when", "tells_when"),
)
_TURN = KINDS.index("turn")
_EARLY, _FADING_DAYS = 2.0, 7.0
_LEAST_SIMILAR = 0.15  # MiniLM's cosine of texts that have nothing in common is mostly below
_SAME_TIME = 0.5
_SAID = 0.5
_NO_SPREAD = 1e-6  # rounding, no difference


@dataclass(frozen=True)
class Question:
    """
    What is searched for: *terms* to count, *vector* to compare, *names* that may be speakers (folded words), and
    *days*, the time it speaks of. *said* are the words of terms that have told that time, and count for half.
    *asks_when*: it is a time that is asked for.
    """

    terms: tuple[Term, ...]
    vector: Floats | None = None
    names: frozenset[str] = frozenset()
    days: Days | None = None
    said: frozenset[str] = frozenset()
    asks_when: bool = False


@dataclass(frozen=True)
class Evidence:
    """One kind of evidence for a chunk: its rank by it alone, its raw score, its share of the sum."""

    name: str
    rank: int | None
    score: float
    share: float


class Ranked(NamedTuple):
    """A chunk by its row, the sum, and what it is made of."""

    row: int
    score: float
    parts: tuple[Evidence, ...]


_ranked = partial(tuple.__new__, Ranked)  # many at once: in a third of the time


@cache
def shipped_weights(*, with_vectors: bool) -> Mapping[str, float]:
    """The weights that come with this version, for searches with and without vectors."""
    loaded = tomllib.loads((Path(__file__).parent / "weights.toml").read_text("utf-8"))
    return {name: float(value) for name, value in loaded[section_of(with_vectors=with_vectors)].items()}


def fused_weights(shifts: Mapping[str, float], *, with_vectors: bool) -> Mapping[str, float]:
    """The shipped weights with *shifts* (see `Tuning`) added."""
    shipped = shipped_weights(with_vectors=with_vectors)
    if not shifts:
        return shipped
    section = section_of(with_vectors=with_vectors)
    return {name: weight + shifts.get(f"{section}.{name}", 0.0) for name, weight in shipped.items()}


def section_of(*, with_vectors: bool) -> str:
    """What weights for searches with and without vectors stand under."""
    return "hybrid" if with_vectors else "keyword"


def terms_of(
    words: Sequence[QueryWord], postings: Postings, languages: Sequence[str], *, begun: bool = False
) -> tuple[Term, ...]:
    """
    *words* with the stems under which the pages have them; with *begun* the last is only the beginning of a word.

    In languages that glue words together, and for words that no page has, parts count too, at half: pages' words that
    contain the word (a short one only between words that stand by themselves too), and the two halves of the word
    itself.
    """
    glue = not COMPOUNDING.isdisjoint(languages)
    terms = []
    last = _beginnings(words) if begun else ()
    for word in words:
        known = any(map(postings.has, word.stems))
        if known and not glue and word.word not in last:
            terms.append(_whole(word))
            continue
        stems = dict.fromkeys(word.stems, 1.0)
        if (not known and word.word.isalnum()) or (glue and len(word.word) > 4):
            share = 1.0 if _is_one_sign(word.word) else _PARTIAL
            for part in _parts_looked_for(word, known=known):
                for stem in postings.containing(part, _MOST_FORMS):
                    stems.setdefault(stem, share)
            if not known:
                for stem in _halves(word, postings):
                    stems.setdefault(stem, _PARTIAL)
        if glue and word.word.isalpha() and 3 <= len(word.word) <= _SHORT:
            for stem in postings.glued(min(word.stems, key=len), _MOST_FORMS):
                stems.setdefault(stem, _PARTIAL)
        if word.word in last:
            for stem in postings.starting(word.word, _MOST_FORMS):
                stems.setdefault(stem, 1.0)
        if word.word.isalnum() or known or len(stems) > len(word.stems):  # of a name that no page has its parts remain
            terms.append(Term(word.word, tuple(stems.items())))
    return tuple(terms)


@lru_cache(4000)
def _whole(word: QueryWord) -> Term:
    """*word* as pages have it, no part of another."""
    return Term(word.word, tuple([(stem, 1.0) for stem in word.stems]))


def _beginnings(words: Sequence[QueryWord]) -> tuple[str, ...]:
    """What is being typed: the last word; of a name that is joined its last part too."""
    last = words[-1].word if words else ""
    return (last, re.split("[_.-]", last)[-1])


def _is_one_sign(word: str) -> bool:
    return len(word) == 1 and not word.isascii()


def _parts_looked_for(word: QueryWord, *, known: bool) -> tuple[str, ...]:
    """
    What a longer word that holds *word* would hold: its stem by each language, since the page's is not known.

    A long word that is not *known* may be German on pages of which too little is German to tell.
    """
    longest = max(word.stems, key=len)
    if _is_one_sign(word.word):
        return (longest,)
    long = _SHORTEST_COMPOUND <= len(word.word) <= _LONGEST_COMPOUND
    german = (stemmer("de")(word.word),) if long and not known else ()
    parts = (longest, *(stem for stem in (*word.stems, *german) if stem != longest and len(stem) >= LONG_PART))
    return tuple(part for part in parts if 3 < len(part) <= _LONGEST_COMPOUND)


def _halves(word: QueryWord, postings: Postings) -> tuple[str, ...]:
    best: tuple[int, tuple[str, ...]] = (0, ())
    text = word.word
    if not _SHORTEST_COMPOUND <= len(text) <= _LONGEST_COMPOUND or not text.isalpha():
        return ()
    for cut in range(3, len(text) - 2):
        for link in LINKS:
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
    """The candidates of a search, ascending, with each kind of evidence as found (*raw*), its *weights* and the sum."""

    rows: NDArray[np.intp]
    raw: Mapping[str, Floats]
    weights: Mapping[str, float]
    total: Floats

    def share(self, name: str) -> Floats:
        """What the evidence *name* adds to the sum."""
        return standard(name, self.raw[name]) * np.float32(self.weights.get(name, 0))


def gather(
    view: View,
    question: Question,
    *,
    limit: int,
    nearness: Nearness | None = None,
    allowed: NDArray[np.bool_] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Gathered:
    """
    All evidence on the chunks that may be among the *limit* best for *question*.

    These are the best by keyword, turns beside them, and the best by vector. *nearness* is None where there are no
    vectors; *allowed* by row or None for all.
    """
    weights = weights or shipped_weights(with_vectors=nearness is not None)
    count = max(CANDIDATES, 4 * limit)
    columns = view.columns
    found = view.scorer.find(question.terms)
    if question.said:
        pairs = zip(question.terms, found, strict=True)
        found = [one._replace(idf=one.idf * _SAID) if term.word in question.said else one for term, one in pairs]
    scores = view.scorer.score(found) if found else None
    rows = _candidates(view, scores, nearness, allowed, count)
    raw: dict[str, Floats] = {}
    if not len(rows):
        return Gathered(rows, {}, weights, np.zeros(0, np.float32))
    turn = columns.kind[rows] == _TURN if view.has_turns else np.zeros(0, np.bool_)
    turns = view.has_turns and bool(turn.any())
    beside = (columns.previous[rows], columns.following[rows]) if turns else ()
    files = columns.file.take(rows)
    if scores is not None:
        raw["keyword"] = own = scores.take(rows)
        raw["passage"] = np.where(turn, own[turn].mean(), own).astype(np.float32) if turns else own
        two_off = (_beyond(columns.previous, beside[0]), _beyond(columns.following, beside[1])) if beside else ()
        raw["coverage"], around, wide = _coverage(view.scorer, found, rows, beside, two_off)
        raw["around"] = np.where(turn, around, raw["coverage"]) if turns else around
        raw["wide"] = np.where(turn, wide, raw["coverage"]) if turns else wide
        raw["page"] = _of_page(files, own)
        if beside:
            raw["near"] = np.where(turn, _at(scores, beside[0]) + _at(scores, beside[1]), 0).astype(np.float32)
    if nearness is not None:
        raw["vector"] = nearness.at(rows)
        raw["page_vector"] = _of_page(files, raw["vector"])
        if beside:
            near = np.where(beside[0] >= 0, nearness.at(beside[0]), 0) + np.where(
                beside[1] >= 0, nearness.at(beside[1]), 0
            )
            raw["vector_near"] = np.where(turn, near, 0).astype(np.float32)
    if beside:
        said = np.log1p(columns.words[rows].astype(np.float32))
        raw["length"] = np.where(turn, np.clip((said - 2.7) / 0.6, -2.5, 1.5), 0).astype(np.float32)
        raw["asks"] = (turn & columns.asks[rows]).astype(np.float32)
        raw["answers"] = (turn & (beside[0] >= 0) & columns.asks[np.maximum(beside[0], 0)]).astype(np.float32)
    if question.names:
        named = [i for name, i in columns.speakers.items() if not question.names.isdisjoint(fold(name).split())]
        raw["who"] = np.isin(columns.speaker[rows], named).astype(np.float32)
    if question.days:
        raw["when"] = _nearness(columns.day[rows], question.days)
    if question.asks_when:
        raw["tells_when"] = (view.scorer.marks(view.scorer.find((_times(),)), rows) > 0).astype(np.float32)
    return Gathered(rows, raw, weights, _sum(raw, weights))


def rank(
    view: View,
    question: Question,
    *,
    limit: int,
    nearness: Nearness | None = None,
    allowed: NDArray[np.bool_] | None = None,
    weights: Mapping[str, float] | None = None,
    tuned: Tuned | None = None,
    explain: bool = False,
) -> list[Ranked]:
    """
    The *limit* best chunks for *question*, best first; ties by row. With *explain* they have parts.

    *nearness* is None where there are no vectors; *allowed* by row or None for all; *tuned* is what dreams
    have learned of the chunks.
    """
    found = gather(view, question, limit=limit, nearness=nearness, allowed=allowed, weights=weights)
    rows, total = found.rows, found.total
    if not _keyword_alone(found.raw):
        speaks = _speaks(view, found, question.days)
        rows, total = rows[speaks], total[speaks]
    if tuned is not None and len(rows):
        rows, total = tuned.apply(rows, total)
        if allowed is not None:
            rows, total = rows[allowed[rows]], total[allowed[rows]]
    order = (-total).argsort(kind="stable")[:limit]
    if tuned is not None:
        order = order[np.isfinite(total[order])]
    if not explain:
        return list(map(_ranked, zip(rows.take(order).tolist(), total.take(order).tolist(), repeat(()), strict=False)))
    places = np.searchsorted(found.rows, rows)
    places[(places == len(found.rows)) | (found.rows[np.minimum(places, len(found.rows) - 1)] != rows)] = -1
    ranks = {name: np.argsort(np.argsort(-values, kind="stable")) for name, values in found.raw.items()}
    return [Ranked(int(rows[i]), float(total[i]), _parts(found, ranks, int(places[i]), float(total[i]))) for i in order]


def _keyword_alone(raw: Mapping[str, Floats]) -> bool:
    """Whether the candidates are there for a word of the question that stands in each of them."""
    return "keyword" in raw and "vector" not in raw and "near" not in raw


def _speaks(view: View, found: Gathered, days: Days | None) -> NDArray[np.bool_]:
    """
    Which candidates have to do with the question at all.

    A word of it stands in them or, in a conversation, beside them; or their text is near in meaning; or their day is.
    """
    nothing = np.zeros(len(found.rows), np.float32)
    raw = found.raw
    worded = (raw.get("keyword", nothing) > 0) | (raw.get("around", nothing) > 0)
    meant = (raw.get("vector", nothing) >= _LEAST_SIMILAR) & (view.columns.words[found.rows] > 0)
    timely = raw.get("when", nothing) > _SAME_TIME if days else np.zeros(len(nothing), np.bool_)
    speaks: NDArray[np.bool_] = worded | meant | timely
    return speaks


def _parts(found: Gathered, ranks: Mapping[str, NDArray[np.intp]], place: int, total: float) -> tuple[Evidence, ...]:
    """What the score of the candidate at *place* (-1: none, it was led to) is made of."""
    if place < 0:
        return (Evidence("dream", None, total, total),)
    parts = [
        Evidence(name, int(ranks[name][place]) + 1 if raw[place] else None, float(raw[place]), share)
        for name, raw in found.raw.items()
        for share in (float(found.share(name)[place]),)
    ]
    taught = total - float(found.total[place])
    return tuple(parts) if abs(taught) < 1e-6 else (*parts, Evidence("dream", None, taught, taught))


def standard(name: str, values: Floats) -> Floats:
    """Evidence as it is weighed: scores that depend on the question's words with mean 0 and deviation 1."""
    if name not in STANDARDISED:
        return values
    apart, scale = _apart(values)
    return apart * scale


def _apart(values: Floats) -> tuple[Floats, np.float32]:
    """*values* less their mean, and what makes their deviation 1; 0 where they do not differ."""
    mean = np.add.reduce(values) / np.float32(len(values))
    apart = values - mean
    deviation = math.sqrt(float(np.dot(apart, apart)) / len(values))
    return apart, np.float32(1 / deviation if deviation > _NO_SPREAD * abs(mean) else 0)


def _sum(raw: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The sum of each of *raw* in its standard form times its weight. What is the same array is weighed once."""
    weighed: dict[tuple[int, bool], float] = {}
    for name, values in raw.items():
        key = (id(values), name in STANDARDISED)
        weighed[key] = weighed.get(key, 0.0) + weights.get(name, 0)
    arrays = {id(values): values for values in raw.values()}
    total = np.zeros(len(next(iter(arrays.values()))), np.float32)
    for (which, standardised), weight in weighed.items():
        if standardised:
            apart, scale = _apart(arrays[which])
            total += apart * (scale * np.float32(weight))
        elif weight:
            total += arrays[which] * np.float32(weight)
    return total


def _candidates(
    view: View, scores: Floats | None, nearness: Nearness | None, allowed: NDArray[np.bool_] | None, count: int
) -> NDArray[np.intp]:
    found: list[NDArray[np.intp]] = []
    if scores is not None:
        best = Measured(scores).best(count, allowed)
        found += [best, _turns_beside(view, best)] if view.has_turns else [best]
        if nearness is None and not view.has_turns:
            return best
    if nearness is not None:
        found.append(nearness.best(count, allowed))
    rows = _distinct(np.concatenate(found)) if found else np.zeros(0, np.intp)
    alive = view.scorer.postings.alive
    kept = alive[rows] if allowed is None else alive[rows] & allowed[rows]
    return rows[kept]


def _distinct(rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """*rows* ascending, each once; of a few hundred, ten times as fast as `np.unique`."""
    ordered = np.sort(rows)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def _turns_beside(view: View, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The turns before and after *rows*."""
    columns = view.columns
    beside = np.concatenate([columns.previous[rows], columns.following[rows]])
    beside = beside[beside >= 0].astype(np.intp)
    turns: NDArray[np.intp] = beside[columns.kind[beside] == _TURN]
    return turns


def _at(values: Floats, rows: NDArray[np.int32]) -> Floats:
    return np.where(rows >= 0, values[rows], np.float32(0))


def _beyond(column: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """What *column* says of *rows*, of which -1 leads to -1."""
    return np.where(rows >= 0, column[rows], -1)


def _coverage(
    scorer: Scorer,
    found: Sequence[Found],
    rows: NDArray[np.intp],
    beside: Sequence[NDArray[np.int32]],
    two_off: Sequence[NDArray[np.int32]],
) -> tuple[Floats, Floats, Floats]:
    """
    What part of the question, by idf, stands in each of *rows*; in it and those *beside* it together; and in these and
    those *two_off*.
    """
    if not beside:
        own = scorer.covered(found, rows)
        return own, own, own
    idf = np.array([term.idf for term in found[:MARKED]], np.float32)
    idf /= np.add.reduce(idf) or 1
    every = np.concatenate([rows, *beside, *two_off])
    marks = (scorer.marks(found, np.maximum(every, 0)) * (every >= 0)).reshape(5, len(rows))
    around = np.bitwise_or.reduce(marks[:3])
    return _mass(marks[0], idf), _mass(around, idf), _mass(around | marks[3] | marks[4], idf)


@cache
def _times() -> Term:
    """Words by which people tell when, other than dates."""
    stem = stemmer("en")
    return Term("when", tuple(dict.fromkeys((stem(word), 1.0) for word in TIME_WORDS)))


def _mass(marks: NDArray[np.unsignedinteger], idf: Floats) -> Floats:
    """The sum of the *idf* of the terms that are marked."""
    bits = np.unpackbits(marks.view(np.uint8).reshape(len(marks), -1), axis=1, count=len(idf), bitorder="little")
    mass: Floats = bits.astype(np.float32) @ idf
    return mass


def _nearness(days: NDArray[np.int32], wanted: Days) -> Floats:
    """1 within *wanted*, less with each day outside: what is told later counts more than what is told before."""
    early, late = np.maximum(wanted.first - days, 0), np.maximum(days - wanted.last, 0)
    near = np.exp(-(_EARLY * early + late) / _FADING_DAYS).astype(np.float32)
    return np.where(days > 0, near, 0).astype(np.float32)


def _of_page(files: NDArray[np.int32], scores: Floats) -> Floats:
    """For each chunk, what the best three chunks of its page score together."""
    key = files.astype(np.int64) << 32
    key -= (scores - np.minimum.reduce(scores)).view(np.int32)  # bits of floats from 0 on order as they do
    order = key.argsort()
    page = files.take(order)
    best = scores.take(order)
    best[3:] *= page[3:] != page[:-3]
    begins = np.empty(len(page), np.bool_)
    begins[:1] = True
    np.not_equal(page[1:], page[:-1], out=begins[1:])
    sums = np.add.reduceat(best, begins.nonzero()[0])
    out = np.empty(len(files), np.float32)
    out[order] = sums.take(begins.cumsum() - 1)
    return out


def names_in(words: Iterable[QueryWord], speakers: Collection[str]) -> frozenset[str]:
    """Those of *words* that are a part of a speaker's name."""
    if not speakers:
        return frozenset()
    parts = {part for name in speakers for part in fold(name).split()}
    return frozenset(word.word for word in words if word.word in parts)
