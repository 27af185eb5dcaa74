"""A new number told of what was just spoken of: `…, he wears 35 now`, `…, so they gave me 118`, `…, it's 13.20 now`."""

import re
from collections.abc import Iterator, Sequence

from memory_store.altered import Altered
from memory_store.done import RISES, is_told
from memory_store.familiar import Familiar
from memory_store.grammar import Clause, parse
from memory_store.measures import is_decimal, measures, number_in, spliced
from memory_store.news import KIN
from memory_store.phrases import LIGHT_STEMS, stems
from memory_store.said import PERSONAL_NAME
from memory_store.verbs import noun_stems

_SINGLE = frozenset(("he", "she"))
_WHO = frozenset(("i", "we", "it", "he", "she", "they", "that"))
_GIVES = frozenset(("give", "assign", "hand", "issue", "allot", "allocate"))
_NOW = re.compile(r"\b(?:now|these days|from now on|instead|by now)\b", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:$|[.,;!]|(?:now|these days|from now on|instead|by now|already)\b)", re.IGNORECASE)
# What a number is called by what one does with it.
_CALLED = {"wear": "size", "weigh": "weight", "charge": "rate fee", "earn": "pay wage salary", "cost": "price fee"}
_PAY = frozenset(stems("earn salary wage pay income"))
_NAMED = re.compile(PERSONAL_NAME)
_SOMEBODYS = re.compile(rf"(?:{PERSONAL_NAME}|{KIN.pattern.lower()})(?=['’]s\s|\s[a-z])")
_NEAR = 2.0  # so many times as much, at the most, is the same thing at another number


def told_anew(text: str, known: Familiar, context: Sequence[str]) -> list[Altered]:
    """The one known fact of which *text* tells another number without its name; nothing where several may be meant."""
    clauses = parse(text)
    for clause in clauses:
        number = _number(clause, text)
        if number is None or not is_told(clause, clauses, text):
            continue
        found = list(_meant(clause, number, text, known, context))
        if len(found) == 1:
            return found
    return []


def _number(clause: Clause, text: str) -> str | None:
    """The one number that *clause* gives as news."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or subject.head not in _WHO | {"office", "company"}:
        return None
    told = text[verb.end : clause.end]
    found = measures(told)
    if len(found) != 1 or (found[0].kind not in ("number", "money", "amount") and not is_decimal(found[0])):
        return None
    if not _ENDS.match(told[found[0].end :]):
        return None  # of what is counted
    given = verb.lemma in _GIVES and re.match(r"\s(?:me|us|him|her|them)\b", told) is not None
    stated = verb.tense == "present" and verb.voice == "active" and _NOW.search(text[clause.start :]) is not None
    return found[0].text if given or stated else None


def _meant(clause: Clause, number: str, text: str, known: Familiar, context: Sequence[str]) -> Iterator[Altered]:
    verb, subject = clause.verb, clause.subject
    assert verb is not None and subject is not None
    before = text[: clause.start] or (context[-1] if context else "")
    said = set(stems(f"{before} {_CALLED.get(verb.lemma, '')} {verb.lemma} {text[verb.end : clause.end]}"))
    if any(word in said for rise in RISES for word in stems(rise)):
        said |= _PAY
    spoken_of = (before, context[-1] if context else "")
    names = next((found for one in spoken_of if (found := _names(one))), frozenset())
    for name, values in known.values.items():
        for value in values:
            person = _SOMEBODYS.match(name)
            if (person is not None) != (subject.head in _SINGLE) or (person is not None and person[0] not in names):
                continue
            its = (set(stems(name)) | noun_stems(name)) - LIGHT_STEMS - set(stems(person[0] if person else ""))
            if not its & said or not _is_near(number, value):
                continue
            new = spliced(value, number)
            if new is not None and new != value:
                yield Altered(name, value, new, span=(clause.start, len(text)))


def _names(text: str) -> frozenset[str]:
    return frozenset(m[0] for form in (_NAMED, KIN) for m in form.finditer(text))


def _is_near(number: str, value: str) -> bool:
    """Whether *value* counts one thing, and *number* may be that at another time."""
    held = [one for one in measures(value) if one.kind in ("number", "money", "amount")]
    was, now = (number_in(held[0].text), number_in(number)) if len(held) == 1 else (None, None)
    return was is not None and now is not None and bool(was) and 1 / _NEAR <= now / was <= _NEAR
