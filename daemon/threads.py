"""
What was told of one thing from time to time: how it was first and what came after, or one of several after another.

One sentence leads to the next: by words and meaning, by a name that both have (`my first boat was the Tern`, `after the
Tern we got a Teal`), by `it` or `there` right after, and by saying that it joins, or takes the place of, what was told.
How much each counts was fitted to conversations of our own making.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from daemon.relevance import Relevance
from daemon.spoken import Said, Utterance, families, is_done_by_others, names, sentences_of, tells_by_itself
from daemon.wanted import wanted
from memory_store.grammar import relations

THREAD_CHARACTERS = 395  # as much of a thread is told
LEAST_OF_THREAD = -3.3  # below these log odds a sentence is of something else
SEEDS = 2
THROUGH_ANOTHER = 0.7  # how far it is like what the one before is like
LEANING = 2.5  # how much less sure a sentence is that speaks of what the one before tells
_PLACE_CHARACTERS = 35
_FURTHEST = -8.0
# What counts: relevance below the best; likeness to what is told; a name that it shares; `too`; a word of order; the
# same doing of the same; the noun asked for; that it ends; what is new in it; no name, where the others have one.
_WEIGHTS = (0.5, 9.0, 1.05, 1.05, 0.5, 0.8, 0.8, 0.95, 1.85, -1.9)
_SURENESS = -3.9
_IN_ORDER = re.compile(
    r"\b(?:first|then|after|afterwards|before|next|original(?:ly)?|began|started|beginning|early|start|initial(?:ly)?|"
    r"used to|nowadays|these days|now|instead|no longer|any ?more|since|at last|finally|again|replaced|last|this|"
    r"until)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|its|there|them|those|these|their|one|ones|that|this|he|she|they|hers?|his|him)\b", re.IGNORECASE
)
_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(?:off|out of|no longer|any ?more|cancel\w*|dropped?|clos\w+|gone|stopp\w+|struck|cross\w*|unfollow\w*|pulled|"
    r"finish\w*|withdraw\w*|left|remov\w*|end\w*|back)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",?\s+(?:because|since|as(?=\s(?:i|we|he|she|it|they|the|my|our)\b)|although|though|which|who|so that|until|if)\s"
    r"(?!.*\b(?:now|then|today|these days)\b)[^.?!]*(?=[.?!]*$)",
    re.IGNORECASE,
)
_SAYS_LITTLE = frozenset({"", "be", "do", "have", "get", "go", "take"})
_relations = lru_cache(maxsize=8192)(relations)


@dataclass(frozen=True)
class Strand:
    """
    A sentence as it was told, whole: *said* names it, *parts* are the clauses of it that were told apart.

    *before*: the sentence right before it, where it goes on to speak of what that tells: `In its place we have Moss.`
    """

    said: Said
    parts: tuple[Said, ...]
    before: "Strand | None" = None

    @property
    def is_of_others(self) -> bool:
        """Whether it tells of what others do or have, or begins so."""
        return self.parts[0].is_of_others or is_done_by_others(self.said.text)

    @property
    def joins(self) -> bool:
        """Whether what it tells joins what was told before."""
        return any(one.adds for one in self.parts)

    @property
    def lately(self) -> frozenset[str]:
        """The names in what the same message tells before it."""
        message = self.said.telling.message
        return names(message[: max(0, message.find(self.said.text))])

    def sure(self, scores: Mapping[Said, float]) -> float:
        """How surely it speaks of what *scores* tell."""
        return _best(self, scores)


class Threads:
    """All that was *said* plainly, to be strung together."""

    def __init__(self, said: Sequence[Said], relevance: Relevance) -> None:
        self._strands = _whole(said)
        self._relevance = relevance
        self._likeness: dict[tuple[str, str], float] = {}

    def leading(self, scores: Mapping[Said, float]) -> list[str]:
        """The words of the sentences that a thread would begin with, best first."""
        ranked = sorted(self._strands, key=lambda one: -_best(one, scores))
        return [one.said.text for one in ranked[:SEEDS]]

    def of(
        self,
        question: str,
        scores: Mapping[Said, float],
        but: Collection[Utterance] = (),
        *,
        least: float = LEAST_OF_THREAD,
    ) -> list[Strand]:
        """
        What was told of what *question* asks, in order; *scores* tell how surely each speaks of it.

        *least*: the log odds from which on a sentence is taken to go on with the others.
        """
        rest = [one for one in self._strands if one.said.telling not in but]
        if not rest:
            return []
        first = max(rest, key=lambda one: _best(one, scores))
        asked = _Asked(question, _best(first, scores))
        found, alike = [first], dict.fromkeys(rest, 0.0)
        rest = [one for one in rest if one != first and one.is_of_others == first.is_of_others]
        while rest:
            for one in rest:
                alike[one] = max(alike[one], self._alike(one, found[-1]))
            sure = {one: self._odds(one, found, asked, scores, alike[one]) for one in rest}
            fit = [one for one in rest if sure[one] >= least and _size([*found, one]) <= THREAD_CHARACTERS]
            if not fit:
                break
            found.append(max(fit, key=lambda one: sure[one]))
            rest.remove(found[-1])
        return sorted(found, key=lambda one: one.said.order)

    def _alike(self, one: Strand, other: Strand) -> float:
        key = (one.said.text, other.said.text)
        if key not in self._likeness:
            self._likeness[key] = self._likeness[key[::-1]] = self._relevance.alike(*key)
        if one.before is None or one.before == other:
            return self._likeness[key]
        return max(self._likeness[key], THROUGH_ANOTHER * self._alike(one.before, other))

    def _odds(
        self, one: Strand, found: Sequence[Strand], asked: "_Asked", scores: Mapping[Said, float], alike: float
    ) -> float:
        """How surely *one* goes on with what was *found*."""
        return _SURENESS + sum(
            weight * feature
            for weight, feature in zip(_WEIGHTS, self.features(one, found, asked, scores, alike), strict=True)
        )

    def features(
        self, one: Strand, found: Sequence[Strand], asked: "_Asked", scores: Mapping[Said, float], alike: float
    ) -> tuple[float, ...]:
        """What tells whether *one* goes on with what was *found*, in the order of their weights."""
        text = one.said.text
        named = names(text) - asked.names
        told = frozenset().union(*(families(it.said.text) for it in found))
        name_it = sum(bool(names(it.said.text) - asked.names) for it in found) / len(found)
        return (
            max(_FURTHEST, _best(one, scores) - asked.best),
            alike,
            float(any((named | one.lately) & (names(it.said.text) - asked.names) for it in found)),
            float(one.said.adds),
            float(_IN_ORDER.search(text) is not None),
            float(any(_same_form(it.said.text, text) for it in found)),
            float(bool(asked.head) and any(asked.head[:4] == family[:4] for family in families(text))),
            float(_ENDS.search(text) is not None),
            min(1.0, self._relevance.weight(families(text) - asked.families - told) / 2),
            0.0 if named else name_it,
        )


class _Asked:
    """What a question asks, and how surely the *best* speaks of it."""

    def __init__(self, question: str, best: float) -> None:
        self.families = families(question)
        self.names = names(question)
        self.head = wanted(question).head
        self.best = best


def told(strands: Sequence[Strand]) -> tuple[Utterance, ...]:
    """*strands* as they were told, those of one message together; without asides where they are long."""
    full = sum(len(one.said.text) + _PLACE_CHARACTERS for one in strands) <= THREAD_CHARACTERS
    by_telling: dict[Utterance, list[Strand]] = {}
    for one in strands:
        by_telling.setdefault(one.said.telling, []).append(one)
    found = []
    for telling, inside in by_telling.items():
        text = ""
        for before, one in zip([None, *inside], inside, strict=False):
            joint = "" if before is None else " " if _is_next(before, one) else " … "
            text += joint + (one.said.text if full else _brief(one.said.text))
        found.append(replace(telling, message=text))
    return tuple(found)


def _whole(said: Sequence[Said]) -> list[Strand]:
    """*said*, clauses of one sentence put together again where they stand side by side."""
    found: list[Strand] = []
    for one in said:
        before = found[-1] if found else None
        if before is not None and before.said.telling == one.telling and before.parts[-1].nth + 1 == one.nth:
            inside = sentences_of(one.telling.message)
            if inside[one.nth].start == inside[before.said.nth].start:
                whole = inside[one.nth].whole
                start = whole.find(before.said.text)
                end = whole.find(one.text, start + len(before.said.text))
                if 0 <= start < end:
                    joined = replace(before.said, text=whole[start : end + len(one.text)])
                    found[-1] = Strand(joined, (*before.parts, one))
                    continue
        found.append(Strand(one, (one,)))
    return [replace(one, before=_leans(before, one)) for before, one in zip([None, *found], found, strict=False)]


def _leans(before: Strand | None, one: Strand) -> Strand | None:
    """*before*, where *one* can only be understood by it."""
    if before is None or before.said.telling != one.said.telling or not _is_next(before, one):
        return None
    text = one.said.text
    return before if _POINTS.search(text) or _INSTEAD.search(text) or not tells_by_itself(text) else None


def _is_next(before: Strand, after: Strand) -> bool:
    return before.parts[-1].nth + 1 == after.said.nth


def _best(one: Strand, scores: Mapping[Said, float]) -> float:
    own = max(scores[part] for part in one.parts)
    return own if one.before is None else max(own, _best(one.before, scores) - LEANING)


def _size(strands: Iterable[Strand]) -> int:
    """How many characters it takes to tell *strands* in short."""
    texts, tellings = 0, set()
    for one in strands:
        texts += len(_brief(one.said.text)) + 1
        tellings.add(one.said.telling)
    return texts + _PLACE_CHARACTERS * len(tellings)


@lru_cache(maxsize=8192)
def _brief(text: str) -> str:
    """*text* without the reason or the remark at its end, where that names nothing."""
    m = _ASIDE.search(text)
    if m is None or len(text[: m.start()].split()) < 4 or names(m[0]) or re.search(r"\d", m[0]):
        return text
    return f"{text[: m.start()]} …"


@lru_cache(maxsize=8192)
def _same_form(one: str, other: str) -> bool:
    """Whether both tell the same doing of the same."""
    return any(
        a.verb == b.verb
        and bool(a.roles and b.roles)
        and (a.roles[0].name, a.roles[0].keys) == (b.roles[0].name, b.roles[0].keys)
        and (a.verb not in _SAYS_LITTLE or len(a.keys & b.keys) > 1)
        for a in _relations(one)
        for b in _relations(other)
    )
