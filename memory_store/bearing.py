"""
What a supposition bears on: of the facts that are known, the one that would have to change, and the one that would follow.

Both are looked for together. A fact is meant by the words of its name in any of their forms, by its value, by the kind
of thing that its value is, by what the sentence before spoke of, and by nearness in meaning; the new value is what the
consequence puts where the old one stood. Without a margin over every other reading nothing is read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from memory_store.amounts import kind_of
from memory_store.consequences import parse_consequence
from memory_store.cuts import ENDS, NEW_ONE, Cut
from memory_store.facts import attribute_key
from memory_store.grammar import kin
from memory_store.names import Known, Names
from memory_store.placed import in_frame, in_its_part, measured_in, others_of_kind, part_of, value_in
from memory_store.pointing import EVENT_WORDS, Facts, own_words, words_of


@dataclass(frozen=True)
class Bearing:
    """When *cause* *trigger* (*value*), *effect* becomes *becomes*; None is `?`."""

    cause: Known
    effect: Known
    trigger: Literal["changes", "is"] = "changes"
    value: str | None = None
    becomes: str | None = None


_OTHERWISE = re.compile(
    rf"\b(?:{NEW_ONE})\b|\b(?:chang\w*|leav(?:e|es|ing)|left|quits?|retir\w+|resigns?|stops?|stopped|ends?|ended|expires?|switch\w*|swap\w*|replac\w+|los(?:e|es|t|ing)|drop\w*|ditch\w*|alter\w*|differ\w*|other than|anything but|anyone but|anybody but|nobody but|"
    r"no longer|not|isn|aren|weren|wasn|never|out|over|fall(?:s)? through|step\w* (?:down|aside|back)|stood down|stands? down|cancel\w*|bankrupt|bust|close[sd]?|shuts?|sold|sells?|dies|gone|goes|elsewhere|somewhere else|someone else|somebody else|anybody else|anyone else|anything else|anything other|something else|"
    r"successor|succeeds?|follows|comes after|takes? over|taken over|took over|hand(?:s|ed)? over|pass(?:es|ed)? to|whoever|whichever|without|mov(?:e|es|ed)|shift\w*|ris(?:e|es)|goes up|goes down|falls?|part(?:s)? (?:ways|company)|gives? (?:it )?up|withdraw\w*|pulls? out|ceas\w+|depart\w*|lapse\w*|runs? out|revis\w+|renegotiat\w+|redrawn|unavailable|vacant)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:again|afresh|anew|from scratch|no idea|no clue|not sure|unsure|don['’]t know|do not know|dunno|who knows|(?:nobody|no one|goodness|god|heaven) knows|can(?:['’]t|not| not) (?:say|tell|promise|keep|stay|be sure)|couldn['’]t (?:say|tell|keep)|could be any\w+|may be any\w+|might|(?-i:may)|could|perhaps|maybe|possibly|probably not|"
    r"(?:would|will|['’]d|['’]ll)?\s?(?:have|has|need|needs) (?:to|re\w+|looking|a new|another|an?other)|must|rethink|reconsider|revisit|review|re-?think|redo|up in the air|open(?: question)?|up for grabs|anyone['’]s guess|all bets|in doubt|doubtful|unclear|uncertain|unknown|no longer|not hold|won['’]t hold|wouldn['’]t hold|"
    r"differ\w*|chang\w*|something else|someone else|somewhere else|another|(?:a )?different|a new|of (?:his|her|their|its|the) own|as (?:he|she|they) (?:likes?|pleases?|sees? fit)|look (?:for|at)|find|choose|decide|void|lapse\w*|not (?:be|stay|count|last|apply|work)|needs? (?:to be )?\w+ed)\b",
    re.IGNORECASE,
)
_NO_MATTER = re.compile(
    r"\b(?:stays? (?:the same|as|put)|the same|remains?|regardless|either way|unaffected|not (?:affect|matter|change)|n['’]t (?:affect|matter|change)|makes? no difference|all the same)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|that|this|they|them|their|these|those|there|then|one|ones|he|she|him|her|so|we|i)\b", re.IGNORECASE
)

# -- both ends ---

LEAST = 0.5
MARGIN = 0.06


def bearings(cuts: Sequence[Cut], before: str, told: Sequence[str], names: Names) -> list[Bearing] | None:
    """
    What the first of *cuts* that makes sense says of known facts: [] where it says that nothing follows, None where no
    cut can be read for sure. *before*: the sentences before it; *told*: the facts that the message told or named so far.
    """
    facts = Facts(names)
    if not facts.known:
        return None
    for cut in cuts:
        if (found := _read(cut, before, told, facts)) is not None:
            return found
    return None


def _read(cut: Cut, before: str, told: Sequence[str], facts: Facts) -> list[Bearing] | None:
    keys = {attribute_key(t) for t in told}
    before = f"{before} {cut.aside}".strip()
    recent = np.array([k.key in keys for k in facts.known], dtype=float)
    spoken = recent
    if before:
        spoken = np.maximum.reduce([recent, facts.by_words(before), facts.by_value(before), facts.by_sort(before)])
    causes = _causes(cut, before, spoken, facts)
    if causes.max(initial=0.0) < LEAST:
        return None
    if _NO_MATTER.search(cut.consequence) and cut.mark not in ENDS:
        return []
    read = [_one(cut, part, causes, spoken, facts) for part in _parts(cut.consequence)]
    found = [one for one in read if one is not None]
    return found or None


def _parts(consequence: str) -> list[str]:
    parts = re.split(
        r",?\s+and\s+(?=(?:the|our|my)\s+\w+[^,]*?\s(?:would|will|becomes?|goes|moves?|changes?|is|are|has|have)\b)|;\s+",
        consequence,
    )
    return [p for p in parts if p.strip()]


def _causes(cut: Cut, before: str, spoken: np.ndarray, facts: Facts) -> np.ndarray:
    condition = cut.condition
    words = np.maximum(facts.by_words(condition, whole=True), facts.by_value(condition))
    sorts = facts.by_sort(condition)
    left = words_of(condition) - EVENT_WORDS
    meaning = facts.by_meaning(condition) if left else np.zeros(len(facts.known))
    score = np.maximum(words, sorts) * 0.8 + 0.2 * meaning
    if not left:
        score = np.maximum(score, 0.6 * spoken)  # `if that changes`, `with somebody else`
    elif words.max(initial=0.0) < 0.3:
        # a word for it that stands in no name: `another garage`
        again = 0.1 if left & words_of(before) else 0.0
        score = np.maximum(score, (0.45 + again) * spoken + 0.4 * meaning + 0.4 * sorts)
    if left and _POINTS_BACK.match(condition):
        framed = np.array([in_frame(condition, k) is not None for k in facts.known], dtype=float)
        score = np.maximum(score, 0.35 * spoken + 0.4 * framed)
    score = score + 0.08 * spoken + np.array([_suits(condition, k) for k in facts.known])
    return np.asarray(np.minimum(score, 1.0))


_WHERE = re.compile(
    r"\b(?:any|some|no|every)(?:where|place)\b|\belsewhere\b|\b(?:other|new|different|another) (?:place|venue|site|hall|room|building|location|spot)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:any|some|an)?\s?other (?:time|day|hour|date|evening|night|morning)\b|\banother (?:time|day|hour|date|evening|night|morning)\b",
    re.IGNORECASE,
)
_WHO = re.compile(r"\b(?:any|some|every|no)\s?(?:one|body)\b|\bwhoever\b|^(?:he|she)\b", re.IGNORECASE)


def _suits(condition: str, known: Known) -> float:
    """Less for a fact whose value is no place, time or person where *condition* speaks of another one of these."""
    now = next(iter(known.values or known.was), None)
    if now is None:
        return -0.15  # a rule alone told of it
    kind = kind_of(now)
    times = ("clock", "day", "date", "span", "often")
    if (_WHERE.search(condition) and kind is not None) or (_WHEN.search(condition) and kind not in times):
        return -0.4
    last = known.attribute.rpartition(" ")[2].lower()
    if _WHO.search(condition) and (kind is not None or last in ("in", "at", "on")):
        return -0.4
    if (m := _DOER.search(condition)) and kin(m[1]) in own_words(known.attribute):
        return 0.1 if part_of(known.attribute, now)[1] in ("agent", "attribute") else -0.1
    return 0.0


# `another singer`: whoever sings
_DOER = re.compile(
    r"\b(?:other|another|new|different|else|next|of)\s((?:[a-z]+\s)?[a-z]{2,}(?:er|or|ist))\b", re.IGNORECASE
)


def _effects(part: str, spoken: np.ndarray, facts: Facts) -> np.ndarray:
    words = np.maximum(facts.by_words(part), 0.6 * facts.by_value(part))
    meaning = facts.by_meaning(part)
    elided = re.match(r"(?:would|will|could|might|may|can|must|has|have|needs?)\b", part, re.IGNORECASE) is not None
    back = 1.0 if _POINTS_BACK.search(part) or elided or words.max(initial=0.0) < 0.3 else 0.6
    effects = 0.7 * words + 0.3 * meaning
    effects = np.maximum(effects, 0.5 * back * spoken + 0.3 * meaning)
    return np.asarray(effects + 0.1 * spoken + np.array([_fits(part, k) for k in facts.known]))


def _one(cut: Cut, part: str, causes: np.ndarray, spoken: np.ndarray, facts: Facts) -> Bearing | None:
    effects = _effects(part, spoken, facts) - 0.15 * facts.by_words(cut.condition)
    own = int(np.argmax(causes))
    framed = in_frame(part, facts.known[own]) is not None
    if len(effects) > 1 and effects[own] - np.delete(effects, own).max() > (-MARGIN if framed else 2 * MARGIN):
        return None  # what it is itself then: `if the gym shuts, I'd train at V`
    best: list[tuple[float, int, int]] = []
    for c in np.argsort(-causes)[:5]:
        for e in np.argsort(-effects)[:6]:
            if c == e or causes[c] < LEAST or effects[e] < LEAST:
                continue
            tied = 0.2 if facts.known[c].key in facts.known[e].hangs_on else 0.0
            best.append((float(causes[c] + effects[e] + tied), int(c), int(e)))
    best.sort(key=lambda b: -b[0])
    if not best:
        return _of_a_new(cut, part, causes, facts)
    _, c, e = best[0]
    if len(best) > 1 and best[0][0] - best[1][0] < MARGIN:
        return None
    cause, effect = facts.known[c], facts.known[e]
    event = _event(cut, cause)
    if event is None:
        return None
    becomes = (
        value_in(part, effect, other=cause) if cut.mark not in ENDS or cut.mark in ("without", "but for") else None
    )
    unknown = _OPEN.search(part) is not None
    if becomes is None and not unknown and cut.mark not in ENDS:
        return None
    if (
        becomes is not None
        and unknown
        and re.search(r"\b(?:might|could|perhaps|maybe|possibly)\b", part, re.IGNORECASE)
    ):
        becomes = None
    trigger, value = event
    if becomes is None and trigger == "is":
        return None
    return Bearing(cause, effect, trigger, value, becomes)


def _fits(part: str, known: Known) -> float:
    """More for a fact whose value is of a kind that *part* names another of, less for one of a kind that it lacks."""
    now = next(iter(known.values or known.was), None)
    kind = kind_of(now) if now else None
    inner = measured_in(now) if now and kind is None else None
    if now is None or (kind is None and inner is None):
        return 0.1 if now is not None and in_its_part(part, known) else 0.0
    if others_of_kind(part, kind or kind_of(inner or "") or "", [now]):
        return 0.2
    return 0.0 if kind is None or _OPEN.search(part) else -0.3


def _of_a_new(cut: Cut, part: str, causes: np.ndarray, facts: Facts) -> Bearing | None:
    """What follows for a fact that is not known yet, where the cause is named beyond doubt."""
    order = np.argsort(-causes)
    if causes[order[0]] < 0.75 or (len(order) > 1 and causes[order[0]] - causes[order[1]] < 2 * MARGIN):
        return None
    outcome = parse_consequence(part)
    name = (outcome.effect.name or outcome.effect.alias) if outcome else None
    cause = facts.known[int(order[0])]
    event = _event(cut, cause)
    if outcome is None or name is None or outcome.becomes is None or event is None:
        return None
    if any(k.key == attribute_key(name) for k in facts.known):
        return None
    return Bearing(cause, Known(name, None), *event, becomes=outcome.becomes)


_MARKS = frozenset("with under from at in by for on upon after given following".split())


def _event(cut: Cut, cause: Known) -> tuple[Literal["changes", "is"], str | None] | None:
    """What the condition waits for: that *cause* changes, or that it is some value."""
    condition = cut.condition
    if cut.mark in ENDS or cut.mark in ("new", "whoever"):
        return "changes", None
    otherwise = _OTHERWISE.search(condition)
    value = value_in(condition, cause)
    if value is not None and words_of(value) <= set(own_words(cause.attribute)):
        value = None  # `if we change our bank`
    if value is not None and re.match(
        r"(?:an?|any|some|another|the)?\s*(?:new|different|other|another|else)\b|any\w*\s|some\w+\s(?:else|new|other)",
        value,
        re.IGNORECASE,
    ):
        value = None
    if value is not None and (re.search(r"\d|[A-Z]", value) or not otherwise):
        if not re.search(
            r"\b(?:other than|no longer|anything but|any\w+ but|not|stops?|leaves?|quits?)\b|n['’]t\b",
            condition,
            re.IGNORECASE,
        ):
            return "is", value
    return ("changes", None) if otherwise or cut.mark.split()[0] in _MARKS else None
