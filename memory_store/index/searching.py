"""From a query to hits, on one state of the index."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory_store.files import Vault
from memory_store.index.analysis import QueryWord, query_words, stemmer
from memory_store.index.analysis import words as words_of
from memory_store.index.embedding import Embedding
from memory_store.index.hits import HitMaker, Hits, joined
from memory_store.index.scoring import MARKED, Term
from memory_store.index.volume import View, Volume
from memory_store.index.whoosh_index import IndexDamaged
from memory_store.occasions import LIGHT_VERBS, Mentioned, find_occasion, when_was
from memory_store.search import Question, Ranked, fused_weights, names_in, rank, terms_of
from memory_store.tuning import Tuned, Tuning
from memory_store.when import Days, asks_when, find_day, find_range, split_limits

Mode = Literal["hybrid", "keyword", "vector"]
_MOST_CORRECTED = 2
_MOST_UNSAID = 3
_MOST_TELLINGS = 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for and how; see `Index.search`."""

    query: str
    limit: int
    mode: Mode
    syntax: bool
    prefix: str | None
    explain: bool
    typing: bool


@dataclass(frozen=True, slots=True)
class _Ready:
    """
    What searches of a *view* need: which rows tell of *dreams*, and what was learned of the chunks.

    Dreams are no memories: they are found only by who names their folder.
    """

    view: View
    dreams: NDArray[np.bool_] | None
    tuned: Tuned | None
    languages: tuple[str, ...]
    has_turns: bool


class Searching:
    """
    Answers searches, any number at once; remembers what depends on the state of the index alone.

    *damaged* is told what was found broken while an answer was still possible.
    """

    def __init__(self, vault: Vault, now: Callable[[], dt.datetime], damaged: Callable[[IndexDamaged], None]) -> None:
        self._vault = vault
        self._now = now
        self._damaged = damaged
        self.tuning = Tuning()
        self._ready: list[_Ready] = []

    def use_tuning(self, tuning: Tuning) -> None:
        """Rank with *tuning* from now on."""
        self.tuning = tuning
        self._ready = []

    def prepare(self, volume: Volume, view: View) -> "_Ready":
        """What searches of *view* need and no question changes: made before it is searched, so that none waits."""
        dreams = volume.manifest.file_ids(f"{self._vault.base}dreams/")
        columns = view.columns
        told = None
        if len(dreams):
            of_dream = np.zeros(max(int(columns.file.max(initial=0)), int(dreams.max())) + 1, np.bool_)
            of_dream[dreams] = True
            told = of_dream[columns.file] & (columns.file >= 0)
        volume.step()
        tuned = Tuned.of(self.tuning, columns.embed, columns.alive) if self.tuning else None
        volume.step()
        languages = view.languages
        volume.step()
        made = _Ready(view, told, tuned, languages, view.has_turns)
        self._ready = [*self._ready[-1:], made]
        return made

    def _ready_for(self, volume: Volume, view: View) -> "_Ready":
        for known in reversed(self._ready):
            if known.view is view:
                return known
        return self.prepare(volume, view)

    def search(self, volume: Volume, view: View, wanted: Wanted, embedding: Embedding | None) -> Hits:
        """
        What *wanted* asks for, in *view*, the state of *volume*; with *embedding* by meaning too.

        Raises:
            IndexDamaged.
            QueryInvalid: with syntax, the query cannot be parsed.
        """
        syntax, limit, explain = wanted.syntax, wanted.limit, wanted.explain
        typing = wanted.typing
        mode = "keyword" if typing and not syntax else wanted.mode
        ready = self._ready_for(volume, view)
        languages = view.languages
        notices: list[str] = []
        today = self._now().date()
        query, limits = split_limits(wanted.query, today)
        allowed = None
        if wanted.prefix:
            allowed = np.isin(view.columns.file, volume.manifest.file_ids(wanted.prefix.removeprefix("./")))
        elif ready.dreams is not None:
            allowed = ~ready.dreams
        if limits:
            day = view.columns.day
            inside = (day >= limits.first) & (day <= limits.last) & (day > 0)
            allowed = inside if allowed is None else allowed & inside
        asked: Sequence[QueryWord] = ()
        question = Question(())
        if syntax:
            keep = None if allowed is None else lambda row: row < len(allowed) and bool(allowed[row])
            found, matched = volume.whoosh.search(query, limit=2 * limit + 10, languages=languages, only=keep)
            ranked = [Ranked(row, score, ()) for row, score in found]
            stems: Sequence[str] = [stemmer(name)(word) for word in matched for name in languages]
        else:
            days, said = self._time_of(volume, ready, query, today, typing=typing)
            asked = query_words(query, languages)
            postings = view.scorer.postings
            begun = typing and query[-1:].isalnum()
            terms = terms_of(asked, postings, languages, begun=begun) if mode != "vector" else ()
            question = Question(terms, None, names_in(asked, view.columns.speakers), days, said, asks_when(query))
            nearness = None
            if mode != "keyword" and embedding is not None:
                nearness, why = embedding.nearness(view, query)
                notices += [why] if why else []
            if nearness is None and mode == "vector":
                question = replace(question, terms=terms_of(asked, postings, languages))
            ranked = rank(
                view,
                question,
                limit=3 * limit + 10,
                nearness=nearness,
                allowed=allowed,
                weights=fused_weights(self.tuning.shifts, with_vectors=nearness is not None),
                tuned=ready.tuned,
                explain=explain,
            )
            stems = [s for t in question.terms for s, _ in t.stems] or [s for word in asked for s in word.stems]
        maker = HitMaker(self._vault, volume.manifest, volume.shelf, stems, [stemmer(name) for name in languages])
        try:
            ties = {} if syntax else self.tuning.ties
            hits = maker.make(ranked, limit=2 * limit if ties else limit, explain=explain)
        finally:
            maker.close()
        if ties:
            hits = joined(hits, ties)[:limit]
        meant = None if syntax or (typing and hits) else self._meant(volume, view, query, asked)
        if hits and asked and not typing and (unsaid := _unsaid(view, asked, question.terms)):
            notices.append(f"no page says {', '.join(f'“{word}”' for word in unsaid)}: this is near it at most")
        return Hits(hits, notice="; ".join(notices) or None, did_you_mean=meant)

    def _time_of(
        self, volume: Volume, ready: "_Ready", query: str, today: dt.date, *, typing: bool
    ) -> tuple[Days | None, frozenset[str]]:
        """
        The days of which *query* speaks, and the words of it that have said so.

        An event is looked up in memory; where that says when it was, its words have done most of their part.
        """
        days = find_range(query, today)
        occasion = find_occasion(query) if days is None and not typing else None
        if occasion is None:
            return days, frozenset()
        view = ready.view
        words = query_words(occasion.words, view.languages)
        speakers = names_in(words, view.columns.speakers)
        named = [word for word in words if word.word not in speakers and word.word not in LIGHT_VERBS]
        terms = terms_of(named, view.scorer.postings, view.languages)
        found = view.scorer.find(terms)
        if not found or len(found) > MARKED or not all(one.parts for one in found):
            return None, frozenset()
        rarest = min(found, key=lambda one: sum(len(part.rows) for part in one.parts))
        rows = np.concatenate([part.rows for part in rarest.parts])
        rows = rows[(view.scorer.marks(found, rows) == (1 << len(found)) - 1) & view.columns.alive[rows]]
        rows = rows if ready.dreams is None else rows[~ready.dreams[rows]]
        if not 0 < len(rows) <= _MOST_TELLINGS:
            return None, frozenset()
        maker = HitMaker(self._vault, volume.manifest, volume.shelf, (), ())
        try:
            hits = maker.make([Ranked(int(row), 0.0, ()) for row in rows], limit=len(rows), explain=False)
        finally:
            maker.close()
        stems = [stemmer(name) for name in view.languages]
        wanted = [{stem for stem, _ in term.stems} for term in terms]

        def names(sentence: str) -> bool:
            there = {stem(word) for word in words_of(sentence) for stem in stems}
            return all(not there.isdisjoint(any_of) for any_of in wanted)

        tellings = [Mentioned(hit.text, find_day(hit.when or ""), hit.kind == "fact") for hit in hits]
        when, is_said = when_was(tellings, names)
        if when is None:
            return None, frozenset()
        return occasion.days(when), frozenset(word.word for word in named) if is_said else frozenset()

    def _meant(self, volume: Volume, view: View, query: str, asked: Sequence[QueryWord]) -> str | None:
        """*query* with words that no page has replaced by near ones that pages have; None if nothing is to correct."""
        has = view.scorer.postings.has
        unknown = [word.word for word in asked if len(word.word) > 3 and not any(map(has, word.stems))]
        better = query
        for word in unknown[:_MOST_CORRECTED]:
            try:
                near = volume.whoosh.correct(word)
            except IndexDamaged as error:
                self._damaged(error)
                return None
            at = better.lower().find(word)
            if near and at >= 0:
                better = better[:at] + near + better[at + len(word) :]
        return better if better != query else None


def _unsaid(view: View, asked: Sequence[QueryWord], terms: Sequence[Term]) -> list[str]:
    """The first few words of *asked* that no page has in any form: what is found is found without them."""
    has = view.scorer.postings.has
    missing = [word for word in asked if not has(word.stems[0])]
    if not missing:
        return []
    forms = {term.word: [stem for stem, _ in term.stems] for term in terms}
    found = (word.word for word in missing if not any(map(has, forms.get(word.word, word.stems))))
    return [word for word in found if len(word) > 3][:_MOST_UNSAID]
