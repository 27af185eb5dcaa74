"""
Which fact a mention means: names compared by their words first, by meaning second, and never guessed.

Scores lie in [0, 1]. A link needs a score and a margin over the next best; without both it is left open.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from memory_store.doing import is_done_to, verb_form
from memory_store.facts import attribute_key, same_value, value_key
from memory_store.ledger import Ledger
from memory_store.mentions import Mention
from memory_store.news import KIN
from memory_store.phrases import LIGHT_STEMS, TOOL_STEMS, class_modifiers, core, overlap, stem, stems
from memory_store.said import PERSONAL_NAME
from memory_store.verbs import (
    is_role,
    is_thing_and_deed,
    is_verbal,
    noun_stems,
    nouns,
    sentence,
    stands_for_noun,
    tells_where,
)

Similarity = Callable[[Sequence[str], Sequence[str]], np.ndarray]

EQUAL = 0.95  # the same words, apart from light verbs and class nouns


OF_THAT_KIND = 0.7  # a fact named by the kind of thing that its value is


@dataclass
class Known:
    """An attribute as linking sees it: where it stands, what it is now, and what hangs on it and on what it hangs."""

    attribute: str
    path: str | None
    values: list[str] = field(default_factory=list)
    was: list[str] = field(default_factory=list)
    hangs_on: set[str] = field(default_factory=set)
    moves: set[str] = field(default_factory=set)

    @property
    def key(self) -> str:
        """The attribute as names are compared."""
        return attribute_key(self.attribute)


@dataclass(frozen=True)
class Candidate:
    """A fact that may be meant, and how likely."""

    known: Known
    score: float


_PREPOSITION_CLASS = {
    "in": "in",
    "at": "in",
    "near": "in",
    "by": "in",
    **{p: p for p in ("on", "with", "for", "to", "as", "from")},
}


@lru_cache(maxsize=65536)
def _prepositions(text: str) -> frozenset[str]:
    words = text.lower().split()
    if len(words) > 2 and words[-1] == "by" and is_done_to(words[-2]):
        words = words[:-1]  # `minutes taken by` is who `takes the minutes`
    return frozenset(_PREPOSITION_CLASS[w] for w in words if w in _PREPOSITION_CLASS)


@lru_cache(maxsize=65536)
def _tells_a_doing(name: str, who: str) -> bool:
    """Whether *name* is *who*, somebody, with a verb: `mum takes`."""
    rest = name[len(who) :].split()
    is_somebody = KIN.fullmatch(who) is not None or re.fullmatch(PERSONAL_NAME, who) is not None
    return is_somebody and name.startswith(f"{who} ") and bool(rest) and verb_form(rest[0]) is not None


def same_name(a: str, b: str) -> bool:
    """Whether two attribute names are one but for small words and endings: `auth method`, `authentication method`."""
    if attribute_key(a) == attribute_key(b):
        return True
    if {a.rpartition(" ")[2].lower(), b.rpartition(" ")[2].lower()} == {"recipient", "to"}:
        # `weekly report recipient` and `weekly report goes to`
        return attribute_key(re.sub(r" goes? to$", " recipient", a)) == attribute_key(
            re.sub(r" goes? to$", " recipient", b)
        )
    if {a.lower(), b.lower()} == {"live in", "live at"}:
        return False  # a town and an address
    if a.lower().startswith("we ") != b.lower().startswith("we "):
        return False
    if (
        a.endswith(" has") != b.endswith(" has")
        or tells_where(a) != tells_where(b)
        or _tells_a_doing(a, b)
        or _tells_a_doing(b, a)
        or is_thing_and_deed(a, b)
        or is_thing_and_deed(b, a)
    ):
        return False  # what somebody has, or takes, where they are, and who they are
    x, y = core(a), core(b)
    if not x or not y or len(x) != len(y):
        return False
    if (is_verbal(a) or is_role(a)) and (is_verbal(b) or is_role(b)) and _prepositions(a) != _prepositions(b):
        # "rehearse on" (a day), "rehearsing" (a play)
        return False
    if len(x) == 1 and (len(stems(a)) == 1 or len(stems(b)) == 1) and _prepositions(a) != _prepositions(b):
        # `live in` and `live with`
        if not (" " not in a.strip() or " " not in b.strip()):
            return False
        if {a.split()[0].lower(), b.split()[0].lower()} & {"live", "work"}:
            return False
    if "'s" in a.replace("’", "'") or "'s" in b.replace("’", "'"):
        return set(stems(a)) == set(stems(b))
    if x != y or class_modifiers(a) != class_modifiers(b):
        return False
    left, right = set(stems(a)) - x, set(stems(b)) - y
    if not left or not right or left == right or (left <= LIGHT_STEMS and right <= LIGHT_STEMS):
        return True
    # `use for bookings` and `booking system`
    return (left <= LIGHT_STEMS and right <= TOOL_STEMS) or (right <= LIGHT_STEMS and left <= TOOL_STEMS)


@lru_cache(maxsize=65536)
def likeness(phrase: str, attribute: str) -> float:
    """How well *phrase* names *attribute*: 1 the same, EQUAL but for small words, less the more words are left over."""
    if attribute_key(phrase) == attribute_key(attribute):
        return 1.0
    if same_name(phrase, attribute):
        return EQUAL
    x, y = core(phrase), core(attribute)
    if not x or not y or is_thing_and_deed(phrase, attribute) or is_thing_and_deed(attribute, phrase):
        return 0.0
    hits, back = overlap(x, y)
    if x == y:
        return 0.8
    if not hits:
        # "employer" for `work at`
        by_noun = noun_stems(attribute) or noun_stems(phrase)
        other = x if noun_stems(attribute) else y
        if by_noun and (met := len(by_noun & other)):
            return 0.75 * met / len(other)
        return 0.0
    # the head noun, last of a noun phrase, counts more than what stands before it
    head = _head(phrase)
    head_hit = head is not None and head in stems(attribute)
    cover, reverse = hits / len(x), back / len(y)
    score = 0.5 * cover + 0.25 * reverse + (0.15 if head_hit else 0.0)
    every, its = set(stems(phrase)), set(stems(attribute))
    if head_hit and (every <= its or its <= every):
        # "coach" and "head coach": one says no more than the other
        score = max(score, 0.84 if len(y) <= 2 else 0.8)
    return min(score, 0.9)


@lru_cache(maxsize=65536)
def may_change(phrase: str, attribute: str) -> bool:
    """
    Whether news of *phrase* may be news of *attribute*: by what stands in both names, not by nearness in meaning.

    A word in *phrase* that *attribute* lacks tells it apart (`work phone number`, `phone number`; `wife`, `husband`);
    a word left out does not (`wifi password`, `guest wifi password`).
    """
    if same_name(phrase, attribute):
        return True
    x, y = core(phrase), core(attribute)
    if not x or not y or _tells_a_doing(attribute, phrase) or is_thing_and_deed(attribute, phrase):
        return False
    if not class_modifiers(phrase) <= class_modifiers(attribute):
        return False
    return x <= y or x <= noun_stems(attribute) or y <= noun_stems(phrase)


# What people call a secret by, one for another: the code on the keypad, the combination of the padlock.
_SECRETS = frozenset(
    stem(w)
    for w in [
        "code",
        "passcode",
        "password",
        "pin",
        "keypad",
        "combination",
        "key",
        "number",
        "access",
        "lock",
        "login",
    ]
)


@lru_cache(maxsize=65536)
def same_secret(phrase: str, attribute: str) -> bool:
    """Whether *phrase* names *attribute*, both a code of something, but for the word for a code: `cupboard code`."""
    x, y = core(phrase), core(attribute)
    if not (x & _SECRETS and y & _SECRETS):
        return False
    return bool(x - _SECRETS) and x - _SECRETS == y - _SECRETS


@lru_cache(maxsize=65536)
def may_be_called(phrase: str, attribute: str) -> bool:
    """Whether *phrase* may name *attribute*, whose value is told with it: not two nouns each with a word of its own."""
    if may_change(phrase, attribute) or is_verbal(attribute) or is_role(attribute) or is_verbal(phrase):
        return True
    return core(attribute) <= core(phrase)


def _head(phrase: str) -> str | None:
    cut = phrase.lower()
    for preposition in (" of ", " for ", " in ", " on ", " to ", " with ", " at "):
        cut = cut.split(preposition)[0]
    words = stems(cut)
    return words[-1] if words else None


# Words that tell things of one kind from each other: the early shift is not the late one.
_OPPOSITES = (
    "early late", "morning afternoon evening night noon lunch dinner breakfast", "first second third fourth last next",
    "left right", "upper lower middle", "front back rear", "big small large little", "summer winter spring autumn",
    "weekday weekend", "north south east west", "junior senior", "inner outer", "inside outside indoor outdoor",
    "upstairs downstairs", "old new", "mother father", "brother sister", "son daughter", "wife husband", "aunt uncle",
    "boyfriend girlfriend",
)  # fmt: skip
_OPPOSED = tuple(frozenset(words.split()) for words in _OPPOSITES)


@lru_cache(maxsize=65536)
def are_opposed(phrase: str, attribute: str) -> bool:
    """Whether *phrase* and *attribute* each hold another word of those that tell one thing of a kind from the next."""
    one, other = set(phrase.lower().split()), set(attribute.lower().split())
    return any(one & words and other & words and not one & other & words for words in _OPPOSED)


_ALSO_CALLED = {
    "weigh": ("weight",),
    "earn": ("salary", "wage", "pay", "income"),
    "position": ("work as", "job title", "job", "role"),
}


class Names:
    """All attributes of a ledger, and of changes not yet written, to be found by mentions."""

    def __init__(self, ledger: Ledger, similarity: Similarity | None = None) -> None:
        self.similarity = similarity
        self.known: dict[str, Known] = {}
        for fact in ledger.facts():
            entry = self.known.setdefault(fact.key, Known(fact.attribute, fact.path))
            if fact.state == "known" and fact.value is not None:
                entry.values.append(fact.value)
            elif fact.was:
                entry.was.append(fact.was)
        for rule in ledger.rules:
            self.tie(rule.when.attribute, rule.then.attribute, rule.path)

    def tie(self, when: str, then: str, path: str | None) -> None:
        """Note that *then*, on the page *path*, hangs on *when*."""
        cause = self.known.setdefault(attribute_key(when), Known(when, None))
        effect = self.known.setdefault(attribute_key(then), Known(then, path))
        cause.moves.add(effect.key)
        effect.hangs_on.add(cause.key)

    def add(self, attribute: str, path: str, values: Iterable[str]) -> Known:
        """Note that *attribute* on the page *path* has *values* from now on."""
        entry = self.known.setdefault(attribute_key(attribute), Known(attribute, path))
        entry.path = entry.path or path
        entry.values = list(values)
        return entry

    def by_name(self, name: str) -> Known | None:
        """The attribute that *name* is, word for word or but for small words; None where none or several are."""
        exact = self.known.get(attribute_key(name))
        found = [exact] if exact is not None else self.called(name)
        if len(found) > 1:
            found = [k for k in found if set(stems(k.attribute)) == set(stems(name))] or found
        return found[0] if len(found) == 1 else None

    def by_other_word(self, name: str) -> Known | None:
        """The fact that is known by another word for *name*: the noun for a verb, `weight` for `weigh`, or turned."""
        for word, others in _ALSO_CALLED.items():
            for other in others if name == word else (word,) if name in others else ():
                if (known := self.known.get(attribute_key(other))) is not None and (known.values or known.was):
                    return known
        return None

    def called(self, name: str) -> list[Known]:
        """Every attribute that *name* may be, word for word or but for small words."""
        return [k for k in self.known.values() if same_name(name, k.attribute)]

    def by_value(self, value: str, *, past: bool = False) -> list[Known]:
        """Attributes whose value now (with *past*, or before it became `?`) is *value*."""
        plain = _plain(value)
        found = [k for k in self.known.values() if any(same_value(v, value) or _plain(v) == plain for v in k.values)]
        if not found and past:
            found = [k for k in self.known.values() if any(same_value(v, value) or _plain(v) == plain for v in k.was)]
        return found

    def _of_that_kind(self, name: str) -> Known | None:
        """The one fact whose value says of what kind it is, by the word *name*: `the dairy` for the Fennick Dairy."""
        words = set(stems(name))
        found = [k for k in self.known.values() if len(words) == 1 and any(words < set(stems(v)) for v in k.values)]
        return found[0] if len(found) == 1 else None

    def candidates(self, mentions: Sequence[Mention], *, context: str = "") -> list[Candidate]:
        """Every attribute with its score against *mentions*, which all mean one fact; best first."""
        if not self.known:
            return []
        entries = list(self.known.values())
        scores = np.zeros(len(entries))
        phrases: list[str] = []
        for item in mentions:
            if item.within:
                words = core(item.within) | frozenset(stems(item.within))
                held = [core(k.attribute) for k in entries]
                heads = [_head(k.attribute) for k in entries]
                by_head = [0.72 if len(h) == 2 and head in words else 0.0 for h, head in zip(held, heads, strict=True)]
                scores = np.maximum(scores, by_head)
                scores = np.maximum(
                    scores, [min(0.75 + 0.05 * len(h), 0.94) if h and h <= words else 0.0 for h in held]
                )
            if item.name and (kind := self._of_that_kind(item.name)) is not None:
                scores[entries.index(kind)] = max(scores[entries.index(kind)], OF_THAT_KIND)
            for name in (item.name, item.alias):
                if name and not (name is item.alias and item.value and _says_little(name)):
                    phrases.append(name)
                    scores = np.maximum(scores, [likeness(name, k.attribute) for k in entries])
            if item.value:
                exact = self.by_value(item.value)
                if len(exact) == 1 or (exact and item.certain):
                    bonus = 1.0 if item.certain or item.name is None else 0.97
                    for k in exact:
                        i = entries.index(k)
                        scores[i] = max(scores[i], bonus if len(exact) == 1 else bonus - 0.1)
                elif item.certain and item.alias:
                    phrases.append(f"{item.alias} {item.value}")
                elif item.certain and not exact:
                    phrases.append(f"{item.name or ''} {item.value}".strip())
        if context:
            phrases.append(context)
        if self.similarity is not None and phrases:
            meaning = self.meaning(phrases, entries)
            met = blend(scores, meaning)
            # a verb may stand for any noun, but two nouns that share no word seldom mean one thing
            told_by_verb = np.array([stands_for_noun(k.attribute) for k in entries])
            met = np.where(told_by_verb, np.maximum(met, 0.8 * meaning), met)
            met = np.where(~told_by_verb & (scores == 0) & (meaning < 0.7), 0.6 * met, met)
            scores = np.maximum(scores, met)
        other = [any(is_of_another_head(item.name, k.attribute) for item in mentions if item.name) for k in entries]
        scores = np.where(other, 0.5 * scores, scores)
        opposed = [
            any(are_opposed(name, k.attribute) for item in mentions for name in (item.name, item.alias) if name)
            for k in entries
        ]
        scores = np.where(opposed, 0.4 * scores, scores)
        of_its_value = [any(_is_of_its_value(item.name, k) for item in mentions if item.name) for k in entries]
        scores = np.where(of_its_value, 0.5 * scores, scores)
        order = np.argsort(-scores, kind="stable")
        return [Candidate(entries[int(i)], float(scores[int(i)])) for i in order]

    def meaning(self, phrases: Sequence[str], entries: Sequence[Known]) -> np.ndarray:
        """The highest cosine of any of *phrases* with the name of each entry, alone and with its value."""
        assert self.similarity is not None
        facts = [(k.attribute, next(iter(k.values or k.was), "")) for k in entries]
        return np.asarray(meanings(self.similarity, phrases, facts).max(axis=0))


def meanings(similarity: Similarity, phrases: Sequence[str], facts: Sequence[tuple[str, str]]) -> np.ndarray:
    """
    How near each of *phrases* is in meaning to each of *facts*, attribute and value: (phrases, facts), in [0, 1].

    A fact is compared by its attribute alone and as a sentence; cosines of unrelated phrases lie near .1, of the same
    thing in other words from .5 up, and the scale is stretched accordingly.
    """
    bare = [" ".join((a.removeprefix("we "), nouns(a).split(" where ")[0])).strip() for a, _ in facts]
    full = [sentence(a, v[:80]) if v else b for (a, v), b in zip(facts, bare, strict=True)]
    cosines = similarity(list(phrases), bare + full)
    nearest = np.maximum(cosines[:, : len(facts)], cosines[:, len(facts) :])
    return np.asarray(np.clip((nearest - 0.1) / 0.65, 0.0, 1.0))


def blend(words: np.ndarray, meaning: np.ndarray) -> np.ndarray:
    """One score of the likeness of words and of the nearness of meanings."""
    return np.asarray(0.45 * words + 0.55 * meaning)


def _says_little(verb: str) -> bool:
    """Whether *verb* (`use`, `have`, `am`) tells two facts apart only by their values."""
    return (len(stems(verb)) <= 1 and core(verb) <= LIGHT_STEMS) or verb in ("am", "are", "part of")


_OF_SOMETHING = re.compile(
    r"^(?P<head>[a-z][a-z -]*?)\s(?:of|on|for|in|at)\s(?:(?:the|our|my|an?)\s)?(?P<of>\S.*)$", re.IGNORECASE
)


@lru_cache(maxsize=65536)
def is_of_another_head(name: str, attribute: str) -> bool:
    """Whether *attribute* has only that of which *name* is: `label on the jars`, of `jars come from`."""
    m = _OF_SOMETHING.match(name)
    if m is None or same_secret(name, attribute):
        return False
    head, every = set(stems(m["head"])), set(stems(attribute)) | noun_stems(attribute)
    return bool(head) and not head & every and bool(set(stems(m["of"])) & every)


def _is_of_its_value(name: str, known: Known) -> bool:
    """Whether *name* names something of what *known* is, no other word for it: the loaf's price, of the best seller."""
    words, held = core(name), core(next(iter(known.values), ""))
    return bool(held) and held < words and not (words - held) & core(known.attribute)


def _plain(value: str) -> str:
    return " ".join(stem(w) for w in value_key(value).replace("-", " ").split())


def choose(found: Sequence[Candidate], *, least: float, margin: float) -> Known | None:
    """The best candidate, where it is good enough and clearly better than the next."""
    if not found or found[0].score < least:
        return None
    if len(found) > 1 and found[0].score - found[1].score < margin:
        return None
    return found[0].known
