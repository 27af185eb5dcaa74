"""
All passages of a vault at one moment, with what ranks them: what a dream looks at, and tries its ideas on.

Everything is read once; questions are then ranked from memory, with passages that are not written yet among them.
"""

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memory_store.chunk import shown_text
from memory_store.errors import NotContained
from memory_store.files import Vault, content_hash
from memory_store.index.analysis import joined_words, query_words, stemmer, words
from memory_store.index.bm25 import K1, B
from memory_store.index.embedding import Embedding
from memory_store.index.manifest import Entry, Manifest, Placed
from memory_store.index.nearness import Measured
from memory_store.index.scoring import Term
from memory_store.index.vectors import Embedder, EmbedderUnavailable
from memory_store.index.volume import View
from memory_store.search import Gathered, Question, fused_weights, gather, names_in, terms_of
from memory_store.tuning import Tuned, Tuning
from memory_store.when import asks_when, find_range

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as it stands: *key* names what it says, *previous* and *following* are rows of its page (-1: none)."""

    row: int
    key: int
    path: str
    start_line: int
    end_line: int
    kind: str
    text: str
    speaker: str | None
    day: str | None
    headings: tuple[str, ...]
    previous: int
    following: int


@dataclass(frozen=True)
class Asked:
    """A question with all that was found for it; *vector* None: by keyword alone."""

    text: str
    question: Question
    found: Gathered
    vector: Floats | None
    mass: float


@dataclass(frozen=True)
class Draft:
    """A passage that is not written yet, ready to be ranked."""

    text: str
    counts: Mapping[str, int]
    length: float
    vector: Floats | None


class Corpus:
    """Made by `Index.corpus`. Holds no file open; from any thread."""

    def __init__(
        self,
        passages: Mapping[int, Passage],
        view: View,
        vectors: Floats | None,
        embedder: Embedder | None,
        today: date,
        shifts: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.passages = passages
        self.vectors = vectors
        self._view = view
        self._embedder = embedder
        self._today = today
        self._shifts = shifts
        self._idf: dict[str, float] = {}
        alive = view.columns.alive
        self._average = float(view.columns.length[alive].mean()) if alive.any() else 1.0

    @classmethod
    def read(
        cls,
        vault: Vault,
        listed: Manifest,
        view: View,
        embedding: Embedding | None,
        today: date,
        shifts: Mapping[str, float],
    ) -> "Corpus":
        """What is indexed and unchanged, dreams and META.md aside; vectors only where nearly all are there."""
        columns = view.columns
        passages: dict[int, Passage] = {}
        for entry in listed.entries().values():
            if entry.role not in ("conflict", "dream", "meta") and entry.hash is not None:
                for chunk, text in _texts(vault, entry, listed.chunks_of(entry.id)):
                    if chunk.row < len(columns.file) and columns.file[chunk.row] >= 0:
                        passages[chunk.row] = Passage(
                            chunk.row,
                            int(columns.embed[chunk.row]),
                            entry.path,
                            chunk.start_line,
                            chunk.end_line,
                            chunk.kind,
                            text,
                            chunk.speaker,
                            chunk.day,
                            chunk.headings,
                            int(columns.previous[chunk.row]),
                            int(columns.following[chunk.row]),
                        )
        vectors = embedding.rows(view) if embedding is not None else None
        embedder = embedding.embedder if embedding is not None and vectors is not None else None
        return cls(passages, view, vectors, embedder, today, shifts)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The rows of all passages."""
        return np.fromiter(self.passages, np.int64, len(self.passages))

    @cached_property
    def remembered(self) -> NDArray[np.bool_]:
        """By row: whether a passage stands there."""
        there = np.zeros(len(self._view.columns.file), bool)
        there[self.rows] = True
        return there

    @property
    def has_meaning(self) -> bool:
        """Whether vectors take part."""
        return self._embedder is not None

    def weights(self, *, with_vectors: bool) -> Mapping[str, float]:
        """What each kind of evidence weighs here."""
        return fused_weights(self._shifts, with_vectors=with_vectors)

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model, where vectors take part."""
        return self._embedder

    def embed(self, texts: Sequence[str]) -> Floats | None:
        """Unit rows, or None where vectors take no part."""
        if self._embedder is None or not texts:
            return None
        try:
            return np.asarray(self._embedder(list(texts)), np.float32)
        except EmbedderUnavailable:
            self._embedder = None
            return None

    def ask(self, texts: Sequence[str], *, limit: int = 50) -> list[Asked]:
        """Each of *texts* with its candidates, untuned."""
        vectors = self.embed(texts)
        return [self._ask(text, vectors[i] if vectors is not None else None, limit) for i, text in enumerate(texts)]

    def _ask(self, text: str, vector: Floats | None, limit: int) -> Asked:
        postings = self._view.scorer.postings
        languages = self._view.languages
        asked = query_words(text, languages)
        terms, names = terms_of(asked, postings, languages), names_in(asked, self._view.columns.speakers)
        question = Question(terms, None, names, find_range(text, self._today), asks_when=asks_when(text))
        nearness = Measured(self.vectors @ vector) if vector is not None and self.vectors is not None else None
        weights = self.weights(with_vectors=nearness is not None)
        found = gather(self._view, question, limit=limit, nearness=nearness, weights=weights)
        return Asked(text, question, found, vector, self._view.scorer.mass(question.terms) or 1.0)

    def tuned(self, tuning: Tuning) -> Tuned:
        """*tuning* by row of this state."""
        return Tuned.of(tuning, self._view.columns.embed, self._view.columns.alive)

    def draft(self, text: str, vector: Floats | None = None) -> Draft:
        """*text* as a passage of its own; *vector* where it is known already."""
        said = (*words(text), *joined_words(text))
        stems = Counter(stem for word in said for stem in {stemmer(name)(word) for name in self._view.languages})
        if vector is None:
            made = self.embed([text])
            vector = made[0] if made is not None else None
        return Draft(text, stems, float(sum(stems.values())), vector)

    def score(self, asked: Asked, draft: Draft) -> float:
        """What *draft* would score for *asked* among its candidates, neighbours and page left out; -inf: not found."""
        found, weights = asked.found, self.weights(with_vectors="vector" in asked.found.raw)
        norm = K1 * (1 - B) + K1 * B * draft.length / (self._average or 1.0)
        keyword = covered = 0.0
        for term in asked.question.terms:
            count = _count(term, draft.counts)
            if count:
                idf = self.idf(term)
                keyword += idf * count / (count + norm)
                covered += idf
        if not covered and not (asked.vector is not None and draft.vector is not None):
            return -math.inf
        total = (weights["coverage"] + weights["around"]) * covered / asked.mass
        if "keyword" in found.raw:
            total += (weights["keyword"] + weights["passage"]) * _standing(keyword, found.raw["keyword"])
        if "vector" in found.raw and asked.vector is not None and draft.vector is not None:
            total += weights["vector"] * _standing(float(draft.vector @ asked.vector), found.raw["vector"])
        if asked.question.names and not asked.question.names.isdisjoint(draft.counts):
            total += weights["who"]
        return total

    def idf(self, term: Term) -> float:
        """How much the occurrence of *term* says, by the passages that hold it."""
        if len(term.stems) == 1:
            return self.idf_of(term.stems[0][0])
        postings = self._view.scorer.postings
        rows = {int(row) for stem, _ in term.stems for row in postings.postings(stem)[0]}
        return postings.idf(len(rows))

    def idf_of(self, stem: str) -> float:
        """How much the occurrence of *stem* says."""
        known = self._idf.get(stem)
        if known is None:
            postings = self._view.scorer.postings
            known = self._idf[stem] = postings.idf(len(postings.postings(stem)[0]))
        return known

    def stems(self, text: str) -> tuple[str, ...]:
        """The stems of the words in *text* that carry meaning, each once, in order."""
        return tuple(dict.fromkeys(stem for word in query_words(text, self._view.languages) for stem in word.stems))

    def rows_with(self, stem: str) -> NDArray[np.int32]:
        """The passages that hold *stem*."""
        return self._view.scorer.postings.postings(stem)[0]


def _count(term: Term, counts: Mapping[str, int]) -> float:
    return sum(share * counts.get(stem, 0) for stem, share in term.stems)


def _standing(value: float, values: Floats) -> float:
    deviation = float(values.std()) if len(values) else 0.0
    return (value - float(values.mean())) / deviation if deviation > 0 else 0.0


def _texts(vault: Vault, entry: Entry, chunks: Sequence[Placed]) -> Iterator[tuple[Placed, str]]:
    """The chunks of a file with their texts; none if it changed since it was indexed, in a way that its hash shows."""
    try:
        descriptor = os.open(vault.locate(entry.path), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except (OSError, NotContained):
        return
    try:
        info = os.fstat(descriptor)
        unchanged = entry.same_stat(info.st_size, info.st_mtime_ns, info.st_ino)
        if not unchanged and content_hash(os.pread(descriptor, info.st_size + 1, 0)) != entry.hash:
            return
        for chunk in chunks:
            raw = os.pread(descriptor, chunk.end_byte - chunk.start_byte, chunk.start_byte)
            yield chunk, shown_text(raw, chunk.kind)
    except OSError:
        return
    finally:
        os.close(descriptor)
