"""The parts of a clause as what facts are made of: whose it is, how the thing is called, where, when, and which value."""

import re

from memory_store.grammar import Clause, Phrase
from memory_store.phrases import noun_phrase
from memory_store.said import Said, Subject, value_of

_PLACES = frozenset(
    [
        "in",
        "at",
        "on",
        "near",
        "behind",
        "under",
        "inside",
        "outside",
        "beside",
        "opposite",
        "over",
        "above",
        "below",
        "across",
        "along",
        "off",
        "between",
        "next",
        "to",
        "up",
        "next to",
        "out of",
        "up in",
        "up at",
        "down in",
        "down at",
        "over in",
        "over at",
        "out in",
        "out at",
    ]
)

_NO_NAMES = frozenset(
    [
        "i",
        "we",
        "you",
        "he",
        "she",
        "it",
        "they",
        "people",
        "man",
        "woman",
        "person",
        "humans",
        "user",
        "customer",
        "life",
        "time",
        "thing",
        "world",
        "everything",
        "something",
        "nobody",
    ]
)


def whose(subject: Phrase) -> Subject:
    if (
        subject.head == "i"
        or subject.determiner == "my"
        or (subject.owner is not None and subject.owner.determiner == "my")
    ):
        return "i"
    return "we" if subject.head == "we" or subject.ours else "the"


def thing_of(subject: Phrase) -> str | None:
    """*subject* as it stands in the name of a fact."""
    if subject.head in _NO_NAMES or subject.determiner in (
        "his",
        "her",
        "their",
        "its",
        "your",
        "this",
        "that",
        "these",
    ):
        return None
    if subject.also and subject.kind != "name":
        text = subject.text
        return re.sub(r"^(?:my|our|the)\s+", "", text, flags=re.IGNORECASE) if len(text.split()) <= 5 else None
    if subject.named is not None and subject.kind == "common":
        return subject.named.text
    text = re.sub(r"^(?:my|our|the|an?|all|both)\s+(?:(?:my|our|the)\s+)?", "", subject.text, flags=re.IGNORECASE)
    if subject.kind == "name":
        return text if len(text.split()) <= 4 else None
    if subject.owner is not None and not subject.text.startswith(subject.owner.text):
        text = f"{subject.owner.bare}'s {text}"
    if len(text.split()) > 9:
        return None
    named = noun_phrase(text, any_noun=True)
    return named or (
        text if (subject.ours or subject.determiner == "the") and re.fullmatch(r"[\w'’ -]+", text) else None
    )


def value_told(phrase: Phrase, more: str = "") -> tuple[str | None, bool]:
    value, now = value_of(phrase.text + more)
    if (
        value is None
        or phrase.kind == "pronoun"
        or phrase.determiner in ("your", "his", "her", "their", "its", "this", "that", "these", "those", "no", "any")
    ):
        return None, now
    if len(value.split()) > 9:
        return None, now
    return value, now


def is_news(clause: Clause) -> bool:
    if any(a in ("now", "instead", "nowadays") for a in clause.adverbs):
        return True
    return any(
        p in ("from", "as of", "since", "starting", "")
        and phrase.kind == "time"
        and re.match(r"(?:these|this|next|today|now|tomorrow|last)\b", phrase.text, re.IGNORECASE) is not None
        for p, phrase in clause.complements
    )


def _is_news_time(preposition: str, phrase: Phrase) -> bool:
    """`from this week`, `these days`: since when it is so, no part of what is so."""
    return phrase.kind == "time" and (
        preposition in ("as of", "since", "starting")
        or re.match(
            r"(?:these|this|next|today|now|tomorrow|last|yesterday|the moment|present)\b", phrase.text, re.IGNORECASE
        )
        is not None
        or (
            preposition == "from"
            and re.match(
                r"(?:next|this|mon|tues|wed|thurs|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
                phrase.text,
                re.IGNORECASE,
            )
            is not None
        )
    )


def told(clause: Clause, name: str, value: str, subject: Phrase, *, now: bool = False) -> Said:
    owned = subject.ours
    return Said(
        name,
        value,
        whose(subject),
        verb=True,
        weak=True,
        loose=not owned,
        bare=not owned and not subject.determiner and subject.kind != "name",
        change=now or is_news(clause),
        also=any(a in ("also", "too", "additionally") for a in clause.adverbs),
    )


_IDIOMS = frozenset(
    [
        "on average",
        "in general",
        "in particular",
        "in fact",
        "in addition",
        "for example",
        "for instance",
        "of course",
        "at least",
        "at all",
        "in order",
        "in case",
        "in total",
        "by far",
        "on time",
        "in turn",
        "for sure",
        "for now",
        "at first",
        "in person",
        "by hand",
        "in advance",
        "at present",
        "on purpose",
        "for free",
        "in return",
        "in circles",
    ]
)


def parts_of(clause: Clause) -> list[tuple[str, str, Phrase]]:
    """The prepositional parts of *clause*, places and times that belong together as one: preposition, text, phrase."""
    found: list[tuple[str, str, Phrase]] = []
    last: Phrase | None = None
    for preposition, phrase in clause.complements:
        if phrase.kind == "clause":
            break  # what comes after it is part of it
        if preposition == "since":
            last = None
            continue
        if (
            _is_news_time(preposition, phrase)
            or phrase.kind == "pronoun"
            or f"{preposition} {phrase.text.lower()}" in _IDIOMS
        ):
            last = None
            continue
        if found and last is not None and phrase.start > last.end:
            before, text, first = found[-1]
            timed = phrase.kind == "time", first.kind == "time"
            near = phrase.start - last.end <= len(preposition) + 2
            if (
                near
                and preposition != "by"
                and (
                    (
                        all(timed)
                        or (
                            not any(timed)
                            and preposition in ("of", "for", "from", *_PLACES)
                            and before in _PLACES
                            and "amount" not in (phrase.kind, first.kind)
                        )
                    )
                    or (timed[0] and first.kind == "amount" and before in ("at", "from", "until", "till", "by"))
                    or (timed[1] and phrase.kind == "amount" and preposition in ("at", "between"))
                )
            ):
                glue = f" {preposition} " if preposition else " "
                found[-1] = (before, f"{text}{glue}{phrase.text}", first)
                last = phrase
                continue
        found.append((preposition, phrase.text, phrase))
        last = phrase
    return found
