"""Which fact a request to forget means: named with more words than it is known by, or with other ones for a code."""

import re

from memory_store.meant import may_mean
from memory_store.mentions import Mention
from memory_store.names import Candidate, Known, Names, choose, may_change, same_secret
from memory_store.news import KIN
from memory_store.phrases import core
from memory_store.said import PERSONAL_NAME
from memory_store.statement import Statement

UNSURE = 0.42  # what a fact needs that may be meant by a request to forget, by its name
# Whose something of ours may be, or for what: it tells it from nothing else that we share.
GROUPS = frozenset(
    """team group club company lab band family crew class choir orchestra society association committee league school
    studio department wedding trip project event festival party show season tour camp household""".split()  # noqa: SIM905
)


def ours_of_a_group(statement: Statement, names: Names, us: str) -> Known | None:
    """
    `our club treasurer` for what we know as `treasurer`: a fact of ours, the only one so called, and nothing more
    said than whose or for what it is; or `my hiking boots` for my only boots.
    """
    name = statement.about.name or ""
    found = [k for k in names.known.values() if k.values and name.lower().endswith(f" {k.attribute.lower()}")]
    if len(found) != 1 or not re.search(rf"\b(?:my|our)\s+{re.escape(name)}\b", statement.sentence, re.IGNORECASE):
        return None
    known = found[0]
    more = name[: -len(known.attribute)].lower().split()
    shared = [k for k in names.known.values() if k.attribute.lower().endswith(known.attribute.lower())]
    if len(shared) != 1:
        return None
    ours = known.path == us and re.search(r"\bour\b", statement.sentence, re.IGNORECASE) is not None
    if not all(w.endswith("ing") or (ours and w in GROUPS) for w in more):
        return None
    return known


def named_in(text: str, names: Names) -> Known | None:
    """The one attribute all of whose words are in *text*; of several, the longest."""
    words = core(text)
    found = [
        k
        for k in names.known.values()
        if (k.values or k.was) and core(k.attribute) and core(k.attribute) <= words and not _is_whose(k.attribute, text)
    ]
    found.sort(key=lambda k: -len(core(k.attribute)))
    if len(found) > 1 and len(core(found[0].attribute)) == len(core(found[1].attribute)):
        return None
    return found[0] if found else None


def _is_whose(name: str, text: str) -> bool:
    """Whether *text* speaks of what *name* has, rather than of *name*: `my sister's address`."""
    return re.search(rf"(?<!\w){re.escape(name)}['’]s?\s+\w", text, re.IGNORECASE) is not None


def stands_in(value: str, text: str) -> bool:
    """Whether *value* stands in *text* as words of its own."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


def is_all_of(value: str, known: Known, text: str) -> bool:
    """Whether *text* says little more than that *known* is *value*: a name that merely occurs in it is not meant."""
    return stands_in(value, text) and len(core(text) - core(value) - core(known.attribute)) <= 1


# of what sort a thing is, said after its name: `my dentist's phone number` for `dentist's phone`
_SORT = re.compile(r"(?<=\w)(?<!['’]s)\s+(?:number|name|address|details?)$", re.IGNORECASE)


def is_called(mention: Mention, known: Known) -> bool:
    """Whether what *mention* names, and may be destroyed, is *known* by the words of its name."""
    return any(
        may_change(_SORT.sub("", name), known.attribute)
        or (same_secret(name, known.attribute) and any(re.search(r"\d", v) for v in known.values))
        for name in (mention.name, mention.alias)
        if name
    )


def all_about(statement: Statement, names: Names) -> list[str]:
    """
    The facts that tell of whom, or of what by its name, *statement* speaks: those that hold the name, and, of kin and
    friends, those that are told by what they are to the owner as well; then the names of people. None of a thing that
    is called by a noun.
    """
    whom = statement.about.name or statement.about.value or ""
    nouns, called = ({whom.lower()}, set[str]()) if not whom[:1].isupper() else (set[str](), {whom})
    if nouns and not KIN.fullmatch(whom):
        return []
    for known in names.known.values():
        noun = known.attribute.lower().removesuffix(" name").removesuffix("'s")
        for value in known.values if KIN.fullmatch(noun) else ():
            if noun in nouns and re.fullmatch(PERSONAL_NAME, value):
                called.add(value)
            elif value in called:
                nouns.add(noun)
    facts = [
        known.attribute
        for known in names.known.values()
        if known.values
        and (
            any(stands_in(name, text) for name in called for text in (known.attribute, *known.values))
            or any(re.match(rf"{re.escape(noun)}(?:['’]s)?(?:\s|$)", known.attribute, re.IGNORECASE) for noun in nouns)
        )
    ]
    people = [name for name in sorted(called) if re.fullmatch(PERSONAL_NAME, name) and name not in facts]
    return [*facts, *people] if facts else []


def to_forget(statement: Statement, names: Names, us: str) -> Known | list[Candidate]:
    """
    The fact that *statement* asks to forget; where none is meant for sure, those that may be.

    *us*: the page of what is ours.
    """
    known: Known | None = None
    if statement.value:
        holders = [k for k in names.by_value(statement.value, past=True) if may_mean(statement, k)]
        if len(holders) > 1 and statement.attribute:
            holders = [c.known for c in names.candidates([Mention(statement.attribute)]) if c.known in holders][:1]
        known = holders[0] if len(holders) == 1 else None
    if statement.attribute and (named := names.by_name(statement.attribute)) is not None:
        # that I live with Paolo, who is my husband: the first is meant, which says so too
        says_so = any(stands_in(statement.value or "", v) for v in named.values)
        known = named if known is None or says_so else known
    if known is None and statement.attribute is None and statement.about.value:
        text = f" {statement.about.value.lower()} "
        holders = [k for k in names.known.values() if any(is_all_of(v, k, text) for v in k.values)]
        known = max(holders, key=lambda k: max(len(v) for v in k.values)) if holders else named_in(text, names)
    if known is None and statement.about.value:
        holders = names.by_value(statement.about.value, past=True)
        known = holders[0] if len(holders) == 1 else None
    if known is not None:
        return known
    found = [
        c
        for c in names.candidates([Mention(statement.about.name, statement.about.alias)])
        if (c.known.values or c.known.was) and is_called(statement.about, c.known)
    ]
    return choose(found, least=UNSURE, margin=0.1) or ours_of_a_group(statement, names, us) or found
