"""
What a sentence tells, read off its clauses: which of them tell what is so, now, and of their own accord.

Conditions and what they govern, questions, wishes, tasks, negations and what may be so tell nothing.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from memory_store.clause_facts import facts_of
from memory_store.doing import verb_form
from memory_store.grammar import Clause, parse
from memory_store.openly import MEASURED, is_value
from memory_store.phrases import specific
from memory_store.said import Said


@dataclass(frozen=True)
class Telling:
    """What one clause *said*, where in the text its verb stands, and whether that is an everyday one."""

    said: Said
    at: int
    everyday: bool = True


def tellings(text: str, known: Container[str] = ()) -> tuple[Telling, ...]:
    """
    What the clauses of *text* tell, in order; conditions, questions, wishes and what is not so tell nothing.

    *known*: people of whom more is told, rather than who it is that does something.
    """
    found = parse(text)
    told: list[Telling] = []
    if any(c.mood == "imperative" and c.sentence == 0 and c is found[0] for c in found):
        return ()
    supposed = _supposed(found)
    for clause in found:
        if clause.verb is None or clause in supposed or not _is_told(clause, found):
            continue
        if clause.verb.lemma == "have" and text[clause.end :].lstrip().startswith(":"):
            continue  # what they are comes next
        everyday = verb_form(clause.verb.text.split()[-1].lower()) is not None or clause.verb.lemma == "be"
        told += [
            Telling(said, clause.verb.start, everyday)
            for said in facts_of(clause, known)
            if said.value and is_value(said.value) and not (said.bare and not _ends(text))
        ]
    return tuple(told)


def speaks_of_a_task(message: str) -> bool:
    """Whether *message* tells somebody to do something."""
    return len(message) <= 400 and any(
        c.mood == "imperative"
        and (c.verb is None or c.verb.lemma not in ("remember", "forget", "note", "delete", "keep", "wish", "thank"))
        for c in parse(message)
    )


def first_telling(text: str, known: Container[str] = ()) -> Said | None:
    """The first thing that *text*, one clause, tells."""
    first = next((c.verb.start for c in parse(text) if c.verb is not None), -1)
    for told in tellings(text, known):
        if told.at != first:
            break
        said, value = told.said, told.said.value or ""
        if said.bare and not told.everyday:
            continue
        if not said.loose or (len(value.split()) <= 6 and (specific(value) or MEASURED.search(value) or not said.bare)):
            return said
    return None


def _supposed(found: tuple[Clause, ...]) -> list[Clause]:
    """The clauses among *found* that a condition governs, before them or behind."""
    governed: list[Clause] = []
    for i, clause in enumerate(found):
        if clause.link not in _CONDITIONS:
            continue
        if clause.parent is not None and clause.parent < i and found[clause.parent].sentence == clause.sentence:
            governed.append(found[clause.parent])
        else:
            governed += [c for c in found[i + 1 :] if c.sentence == clause.sentence]
    return governed


def _ends(text: str) -> bool:
    """Whether *text* is punctuated, or tells how much or when: what only names something is no sentence."""
    return text.rstrip()[-1:] in (".", "!", ",") or specific(text[1:]) or MEASURED.search(text) is not None


_CONDITIONS = frozenset("if unless when whenever once".split())
_MAYBE = frozenset("maybe perhaps probably possibly hardly never hypothetically supposedly apparently not".split())
_HYPOTHETICAL = frozenset(
    "if unless when whenever once should whether because since as so that although though while until till before after like than where how why".split()
)


def _is_told(clause: Clause, among: tuple[Clause, ...]) -> bool:
    verb = clause.verb
    assert verb is not None
    if (
        clause.mood != "declarative"
        or clause.link in _HYPOTHETICAL
        or verb.negated
        or (
            verb.modal
            and not (verb.modal in ("can", "may") and verb.voice == "passive" and clause.complement("for") is not None)
        )
        or any(adverb in _MAYBE for adverb in clause.adverbs)
        or verb.tense != "present"
    ):
        return False
    if clause.link == "which" and clause.object is not None and clause.object.determiner in ("the", "this", "that"):
        return False
    if clause.subject is not None and re.match(
        r"(?:this|that|these|those|such|your|his|her|their|its)\b", clause.subject.text, re.IGNORECASE
    ):
        return False
    if clause.subject is not None and clause.subject.determiner in (
        "no",
        "every",
        "each",
        "any",
        "another",
        "either",
        "neither",
        "some",
        "such",
    ):
        return False
    parent = clause.parent
    if clause.link in ("and", "or", "but") and parent is not None and parent < len(among):
        above = among[parent]
        return (
            clause.link != "or"
            and above.mood == "declarative"
            and (above.link not in _HYPOTHETICAL or clause.subject is not above.subject)
        )
    return True
