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
from memory_store.grammar.lexicon import brill, may_be_verb
from memory_store.measures import measures
from memory_store.openly import MEASURED, is_value
from memory_store.phrases import specific
from memory_store.said import PERSONAL_NAME, Said
from memory_store.verbs import sentence


@dataclass(frozen=True)
class ClauseSaid:
    """What one clause *said*, where in the text its verb stands, and whether that is an everyday one."""

    said: Said
    at: int
    everyday: bool = True


def tellings(text: str, known: Container[str] = ()) -> tuple[ClauseSaid, ...]:
    """
    What the clauses of *text* tell, in order; conditions, questions, wishes and what is not so tell nothing.

    *known*: people of whom more is told, rather than who it is that does something.
    """
    found = parse(text)
    told: list[ClauseSaid] = []
    if any(c.mood == "imperative" and c.sentence == 0 and c is found[0] for c in found):
        return ()
    supposed = _supposed(found)
    for clause in found:
        if clause.verb is None or clause in supposed or not _is_told(clause, found):
            continue
        if clause.verb.lemma == "have" and text[clause.end :].lstrip().startswith(":"):
            continue  # what they are comes next
        if clause.verb.text.lower() == clause.verb.lemma and not may_be_verb(clause.verb.lemma):
            continue  # a word that is no verb in any dictionary
        everyday = verb_form(clause.verb.text.split()[-1].lower()) is not None or clause.verb.lemma == "be"
        told += [
            ClauseSaid(said, clause.verb.start, everyday)
            for said in facts_of(clause, known)
            if said.value
            and is_value(said.value)
            and not (said.bare and not _ends(text))
            and not (_is_by_us(clause) and reads_as_theirs(said))
        ]
    return tuple(told)


def reads_as_theirs(said: Said) -> bool:
    """Whether *said*, which the speaker does, would read as what somebody or something is to them: `I tutor Felix`."""
    value = said.value or ""
    if not said.verb or not value or not sentence(said.attribute, value).startswith("Your "):
        return False
    led = re.search(r"\s[A-Z]\S*\s(?:on|in|at|with|for|to|from|by)$", said.attribute) is not None
    return led or (re.fullmatch(PERSONAL_NAME, value) is not None and not measures(value))


def _is_by_us(clause: Clause) -> bool:
    return clause.subject is not None and clause.subject.head in ("i", "we")


def speaks_of_a_task(message: str) -> bool:
    """Whether *message* tells somebody to do something."""
    if "?" not in message and _ASKED_FOR.search(message):
        return True
    return len(message) <= 400 and any(
        (c.mood == "imperative" or _wants_made(c))
        and not _names_rather(c)
        and (
            c.verb is None
            or c.verb.lemma not in ("remember", "remind", "forget", "note", "delete", "keep", "wish", "thank")
        )
        for c in parse(message)
    )


_ASKED_FOR = re.compile(
    r"\b(?:can|could|would|will) (?:you|u) (?:please )?(?!(?:remember|remind|keep|note|forget|delete|erase|remove|drop|wipe|let|make)\b)[a-z]+",
    re.IGNORECASE,
)
_WORKS = frozenset("create write generate draft produce outline rewrite summarize summarise translate".split())


def _wants_made(clause: Clause) -> bool:
    """`I want to create a list of …`"""
    verb = clause.verb
    return verb is not None and verb.modal in ("want to", "need to") and verb.lemma in _WORKS


def _names_rather(clause: Clause) -> bool:
    """Whether what looks like an imperative only opens, or names something: `Update: …`, `Ticket price: …`."""
    verb, thing = clause.verb, clause.object
    if thing is None:
        return not clause.complements
    bare = thing.determiner in ("", "'s") and thing.kind in ("common", "amount")
    if thing.kind == "common" and thing.plural:
        return False
    return bare and verb is not None and (brill(verb.lemma) or "").startswith("NN")


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


def _is_part_of(clause: Clause, above: Clause) -> bool:
    """Whether *clause* only says of what *above* speaks: `I had no idea that …`, `everything we have on …`, `like you are … and …`."""
    thing, subject = above.object, clause.subject
    if above.link in ("like", "than", "whether") and clause.link == "and":
        return True
    if thing is None or subject is None:
        return False
    if clause.link == "which" and thing.determiner == "no":
        return True
    return clause.link == "" and thing.kind == "pronoun" and 0 < subject.start - thing.end <= 1


_MADE = frozenset("make design build write paint draw print compose create develop knit sew carve weave code".split())


def _was_made(clause: Clause) -> bool:
    """Whether it tells who made something that lasts: `the brochure was designed by Otto`."""
    by = clause.complement("by")
    made = clause.verb is not None and clause.verb.voice == "passive" and clause.verb.lemma in _MADE
    return made and by is not None and by.kind == "name" and clause.verb is not None and not clause.verb.modal


def _is_infinitive(clause: Clause) -> bool:
    """Whether the verb does not agree with its subject, and goes on another: `my goal is to sow and harvest`."""
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or subject.kind not in ("common", "name") or subject.plural or subject.also:
        return False
    return verb.lemma != "be" and verb.text.split()[0].lower() == verb.lemma


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
        or (verb.tense != "present" and not _was_made(clause))
    ):
        return False
    if (
        clause.link == "which"
        and clause.object is not None
        and (clause.object.kind == "pronoun" or clause.object.determiner in ("the", "this", "that"))
    ):
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
    if parent is not None and parent < len(among) and _is_part_of(clause, among[parent]):
        return False
    if clause.link in ("and", "or", "but") and _is_infinitive(clause):
        return False
    if clause.link in ("and", "or", "but") and parent is not None and parent < len(among):
        above = among[parent]
        wished = clause.subject is above.subject and any(p.kind == "clause" for _, p in above.complements)
        return (
            clause.link != "or"
            and not (wished and above.verb is not None and above.verb.lemma != "be")
            and above.mood == "declarative"
            and (above.link not in _HYPOTHETICAL or clause.subject is not above.subject)
        )
    return True
