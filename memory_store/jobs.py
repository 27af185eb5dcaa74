"""Where somebody works and as what, told as a step: `I started a new job at X as a Y`, `Mina got promoted to Y`."""

import re
from collections.abc import Iterator

from memory_store.familiar import Familiar
from memory_store.grammar import Clause, Phrase, parse
from memory_store.news import KIN
from memory_store.phrases import clean_value
from memory_store.said import PERSONAL_NAME, Said

JOBS = frozenset(["job", "position", "role", "post", "placement", "internship", "apprenticeship", "traineeship", "gig"])
_TAKES = frozenset(["start", "begin", "get", "land", "take", "accept", "find", "secure"])
_PLACES = ("at", "with", "for", "in")
_HEDGED = re.compile(r"\b(?:if|would|could|might|hope|want|not|never|n['’]t|maybe|almost|interview)\b", re.IGNORECASE)
# How the facts of somebody's work may be called, the owner's own and others'.
AT, AS = (
    ("work at", "work for", "work in", "employer", "workplace"),
    ("work as", "position", "job title", "job", "role"),
)


def new_job(text: str, known: Familiar) -> list[Said]:
    """What *text*, a sentence, tells of somebody's new work; nothing where it tells of none."""
    if _HEDGED.search(text) or text.endswith("?"):
        return []
    for clause in parse(text):
        verb, thing = clause.verb, clause.object
        if verb is None or verb.modal or verb.negated or clause.subject is None:
            continue
        if thing is None or thing.head not in JOBS or verb.lemma not in _TAKES:
            continue
        if thing.determiner in ("a", "an", "another", "my", "the") and (found := list(_taken(clause, text, known))):
            return found
    return []


def _taken(clause: Clause, text: str, known: Familiar) -> Iterator[Said]:
    subject, thing = clause.subject, clause.object
    assert subject is not None and thing is not None
    whose = worker(subject, known)
    if whose is None:
        return
    parts = [*thing.parts, *clause.complements]
    for at_work in (True, False):
        phrase = next((ph for p, ph in parts if (p in _PLACES if at_work else p == "as")), None)
        if phrase is None or phrase.kind in ("time", "amount", "clause", "pronoun"):
            continue
        other = ("as",) if at_work else ("at", "with", "for")
        end = min([ph.start for p, ph in parts if p in other and ph.start > phrase.end], default=len(text))
        told = re.sub(r"\s+(?:as|at|with|for)\s*$", "", text[phrase.start : end].rstrip(" .!,"))
        if (value := clean_value(told)[0]) is not None:
            if at_work:
                yield _said(whose, AT, "at", value, known)
            else:
                yield _said(whose, AS, "as", re.sub(r"^an?\s+", "", value), known)


def worker(subject: Phrase, known: Familiar) -> tuple[str, ...] | None:
    """The names under which facts of the work of *subject* may stand; none for the owner, None where it is nobody."""
    if subject.head == "i":
        return ()
    if subject.kind == "name" and re.fullmatch(PERSONAL_NAME, subject.text):
        return subject.text, *(name for name, values in known.values.items() if subject.text in values)
    if subject.ours and KIN.search(subject.text):
        noun = subject.bare
        return (*known.values.get(noun, ()), noun)
    return None


def _said(whose: tuple[str, ...], names: tuple[str, ...], how: str, value: str, known: Familiar) -> Said:
    if not whose:
        name = next((name for name in names if name in known.values), names[0])
    else:
        of = [name for one in whose for name in known.values if re.fullmatch(rf"{re.escape(one)} works {how}", name)]
        name = of[0] if of else f"{whose[0]} works {how}"
    verb = re.search(rf"\bworks? {how}$", name) is not None
    return Said(name, value, "the" if whose else "i", change=name in known.values, verb=verb)
