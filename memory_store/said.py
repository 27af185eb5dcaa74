"""What a clause says, and the small parts of which every reading of one is made."""

import re
from dataclasses import dataclass
from typing import Literal

from memory_store.phrases import clean_value, implausible, noun_phrase

Subject = Literal["i", "we", "the", "other"]


@dataclass(frozen=True)
class Said:
    """
    What a clause says: *attribute* is *value*.

    *change*: said as news (now, new, switched). *also*: joins other values. *ends*: no longer holds (*value* may be
    None: *old* ended). *verb*: the attribute is made of a verb. *loose*: the subject is a bare or definite noun phrase;
    *weak*: moreover its value is no name, number or path, so that it may be about anything; *bare*: its subject has no
    article or owner; *echo*: so bare that it
    counts only where a fact of that name is known already.
    """

    attribute: str
    value: str | None
    subject: Subject
    old: str | None = None
    change: bool = False
    also: bool = False
    ends: bool = False
    verb: bool = False
    loose: bool = False
    weak: bool = False
    bare: bool = False
    echo: bool = False


ADVERB = (
    r"(?:now|rn|atm|currently|still|also|actually|already|just|recently|usually|normally|mostly|always|generally|typically|"
    r"officially|finally|mainly|really|basically|since|all|both|each|often|regularly|simply|only|then|ever|both|even|"
    r"today|lately|happily|proudly|temporarily|instead|primarily|no longer|simply|once again|again)"
)


ADVERBS = rf"(?:{ADVERB}\s+)*"


NAME = r"(?:[A-Z0-9#/@][\w'’.&/+:#@-]*)(?:\s+(?:(?:of|the|and|de|van|von|la|el|&|\+|-)\s+)*(?:[A-Z0-9#/@][\w'’.&/+:#@-]*))*"


# One or two words, each capitalised and no more: what people are called.
PERSONAL_NAME = r"[A-ZÀ-Þ][a-zà-ÿ]+(?:[’'-](?:[A-ZÀ-Þ][a-zà-ÿ]+|[a-zà-ÿ]{2,}))*(?:\s[A-ZÀ-Þ][a-zà-ÿ-]+)?"


def strip_preposition(value: str) -> str:
    """*value* without what leads to it: `at`, `called`, `set to`; before a name also `in`, `on`, `from`."""
    return re.sub(
        r"^(?:(?:at|around|about|roughly|approximately|called|named|set to|set at|set for|scheduled for|down to|still|now|"
        r"currently|simply|just|with)\s+|(?:in|on|from|by|to|via|through)\s+(?=[A-Z0-9#/\"“]|the [A-Z]|\w+day\b))+",
        "", value, flags=0,
    ).strip()  # fmt: skip


def value_of(text: str, *, prep: bool = False) -> tuple[str | None, bool]:
    """
    The value that *text* names (None: none), and whether it says that it is so now. *prep*: a preposition may lead.
    """
    value, now = clean_value(text)
    if value is None:
        return None, now
    if prep:
        value = strip_preposition(value)
    if not value or implausible(value):
        return None, now
    return value, now


def subject_of(text: str) -> Subject:
    """Whose fact *text* tells, by how it begins."""
    low = text.strip().lower()
    if low.startswith(("my ", "i ", "i'", "i’")):
        return "i"
    if low.startswith(("our ", "we ", "we'", "we’")) or re.match(
        r"the (?:team|club|group|company|lab|family)['’]s", low
    ):
        return "we"
    return "the"


def owned_noun(text: str, *, bare: bool = False) -> str | None:
    """The noun phrase that *text* is, where it is somebody's (*bare*: or nobody's); else None."""
    if not bare and not re.match(r"\s*(?:my|our|the|this)\s|.*['’]s\s", text, re.IGNORECASE):
        return None
    return noun_phrase(text)


def stated(np: str | None, value: str | None, subject: Subject, **more: object) -> Said | None:
    """That *np* is *value*; None where one of them is missing, or where they are the same."""
    if np is None or value is None or np.lower() == value.lower():
        return None
    return Said(np, value, subject, **more)  # type: ignore[arg-type]


def without_determiner(text: str) -> str:
    """*text* without `my`, `our`, `the` or `a` before it."""
    return re.sub(r"^(?:my|our|the|a|an)\s+(?:old\s+)?", "", text.strip(), flags=re.IGNORECASE).strip()
