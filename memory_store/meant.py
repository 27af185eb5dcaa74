"""Whether a statement may mean a fact: by names and by kinds of values, before any score is compared."""

import re
from collections.abc import Sequence

from memory_store.doing import verb_form
from memory_store.names import EQUAL, Candidate, Known, may_be_called, may_change
from memory_store.news import KIN
from memory_store.openly import MEASURED
from memory_store.phrases import core, stem, stems
from memory_store.said import PERSONAL_NAME
from memory_store.statement import Statement
from memory_store.verbs import is_role, is_verbal

_OF_ANOTHER = re.compile(r"^(?!(?:we|I)\b).+ (?:lives?|works?|stud(?:y|ies)|stays?) (?:in|at|for|with|near|on|as)$")


# `brother drives`
_THEY_DO = re.compile(rf"^(?:{KIN.pattern}|(?:{PERSONAL_NAME}))\s(?P<does>[a-z]+)\b")


def _is_of_another(name: str) -> bool:
    """Whether *name* is what somebody else does, which is no news of what the owner does."""
    m = _THEY_DO.match(name)
    form = verb_form(m["does"]) if m else None
    return _OF_ANOTHER.match(name) is not None or (form is not None and form[1] == "s")


def may_mean(statement: Statement, known: Known) -> bool:
    """Whether *statement*, which names the value of *known*, may be about that."""
    told = statement.attribute or ""
    others = [_is_of_another(name) for name in (told, known.attribute)]
    if any(others):
        # where my mother lives is not where I live
        return all(others) and may_change(told, known.attribute)
    return not statement.attribute or may_be_called(statement.attribute, known.attribute)


def is_of_another_kind(statement: Statement, known: Known) -> bool:
    """Whether *statement* tells a time where *known* tells a place or a person, or so turned."""
    return bool(known.values) and are_of_two_kinds(statement.value or "", known.values[0])


def are_of_two_kinds(one: str, other: str) -> bool:
    """Whether one is a time, and the other somebody's or something's name."""
    times = [_TIME.search(value) is not None or value.isdigit() for value in (one, other)]
    names = [not time and _NAMED.match(value) is not None for time, value in zip(times, (one, other), strict=True)]
    return any(times) and any(names)


_NAMED = re.compile(r"(?:the\s+)?[A-Z]")
_TIME = re.compile(
    rf"{MEASURED.pattern}|\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b|\d[:.]\d\d|\d\s?[ap]\.?m\b", re.IGNORECASE
)


# What a thing does or costs of which there may be news without the thing being another.
_ITS_OWN = frozenset(map(stem, ("opens", "closes", "costs", "charges", "takes", "lasts", "weighs", "holds", "seats")))
_OF_IT = re.compile(r"\b(?:hours?|times?|prices?|pric(?:ed|ing)|fees?|rates?|charges?|amounts?)\b", re.IGNORECASE)


def tells_more(known: Known, sentence: str) -> bool:
    """
    Whether *known* tells something of a thing that *sentence* does not speak of: when the pool opens, where it is the
    pool that may become another.
    """
    own = set(stems(known.attribute)) & _ITS_OWN
    return bool(own) and not own & set(stems(sentence)) and not _OF_IT.search(sentence)


_PLACED = frozenset(["in", "at", "on", "near", "to", "under", "behind", "with", "from", "for"])
_MOVING = re.compile(r"\b(?:mov|shift|relocat|transferr|transplant|reschedul|postpon|carr|put)\w*\b", re.IGNORECASE)


def is_who_does_it(known: Known) -> bool:
    """Whether *known* tells by whom something is done: `seedlings watered by`."""
    last = known.attribute.rpartition(" ")[2]
    return last == "by" or (is_role(known.attribute) and last not in _PLACED)


def tells_no_doer(statement: Statement) -> bool:
    """Whether *statement*, news of a thing, tells where or when it is now, or names nobody."""
    return _MOVING.search(statement.sentence) is not None or not re.search(r"[A-Z]", statement.value or "")


def done_to(role: str) -> frozenset[str]:
    """What `fixes my car` is done to: its stems but for the verb's."""
    return core(role) - set(stems(role.split()[0]))


def best_score(found: Sequence[Candidate]) -> float:
    return found[0].score if found else 0.0


def is_ours(statement: Statement) -> bool:
    words = f" {statement.sentence.lower()} "
    return statement.subject == "we" or " our " in words or " we " in words


def cause_told(statement: Statement) -> Known | None:
    """The cause as a fact not known yet: its last plain noun name, else its verb."""
    named = [m for m in statement.depends_on if m.name and (m.certain or m is statement.depends_on[-1])]
    aliases = [m for m in statement.depends_on if m.alias]
    name = next((m.name for m in reversed(named) if m.name), None) or next((m.alias for m in aliases if m.alias), None)
    return Known(name, None) if name else None


def cannot_take(statement: Statement, effect: Candidate) -> bool:
    """Whether *effect* is of another kind than the value that *statement*, a rule, tells: who cooks, and at six."""
    held = next(iter(effect.known.values or effect.known.was), None)
    if effect.score >= EQUAL or not statement.value or held is None:
        return False
    about, name = statement.about.alias, effect.known.attribute
    a_noun = " " in name and not (is_verbal(name) or is_role(name))
    if about and a_noun and not set(stems(name.split()[-1])) <= set(stems(about)):
        return True  # where the boats are kept is no boat duty
    return are_of_two_kinds(statement.value, held)


def effect_told(statement: Statement) -> Known | None:
    name = statement.about.name or statement.about.alias
    return Known(name, None) if name else None


def plainly(statement: Statement) -> str:
    """The sentence without its news words, to be compared with facts by meaning."""
    text = statement.sentence.split(" Do you")[0]
    return text if len(text) < 160 else ""


_SEVERAL = frozenset(
    """play like love enjoy read watch speak own learn collect hate dislike cook grow practise practice follow support
    use planning part attend am are member subscribed""".split()
)


# What one does of which one does more without ending the other: to the dentist, to grandpa, to the sea.
_UNLIKE = frozenset(("go to", "visit", "celebrate", "see", "meet with", "take", "bring"))


def holds_several(attribute: str) -> bool:
    words = attribute.split()
    if attribute.removeprefix("we ") in _UNLIKE:
        return True
    if attribute.startswith(("have coming", "we have coming", "allergic")):
        return True
    form = verb_form(words[-1])
    if form is not None and form[1] == "s":  # what somebody has, likes, speaks
        return form[0] in _SEVERAL or form[0] == "have"
    return words[0] in _SEVERAL and len(words) <= 2
