"""
Whose place a new value takes: news that names a fact by another word than it is known by, or by who was it before.

`The baker has closed down. We get our rolls from the mill now.` tells of the fact whose value was the baker.
"""

import re

import numpy as np

from memory_store.amounts import kind_of
from memory_store.names import Known, Names
from memory_store.phrases import FUNCTION_WORDS
from memory_store.pointing import Facts, telling
from memory_store.statement import Statement
from memory_store.verbs import is_role, is_verbal, sentence

LEAST = 0.45
MARGIN = 0.12
_GONE = re.compile(
    r"\b(?:left|leaves|leaving|gone|went|goes|retired|retiring|quit|resigned|closed|shut|sold|bust|broke|packed|stopped|stepped|stood|handed|given|gave|dropped|ditched|done with|no longer|n['’]t|not|history|over|moved|moving|"
    r"died|passed|replaced|swapped|switched|changed|out|off|back|ended|end|lost|bailed|fallen|fell|graduated|skint|sacked|fired|promoted|transferred|accepted|pulled|taken|took|finished|cancelled|got|used to|instead of|expired|ran|run)\b",
    re.IGNORECASE,
)


def heir(statement: Statement, names: Names) -> Known | None:
    """The one fact of which *statement*, news under a name that is not known, tells the new value; None where unsure."""
    if not statement.attribute or not statement.value or statement.attribute[0].isupper():
        return None
    facts = Facts(names)
    if not facts.known:
        return None
    around = f"{statement.before} {statement.sentence}"
    gone = facts.by_value(around.replace(statement.value, " ")) if _GONE.search(around) else np.zeros(len(facts.known))
    gone = np.where(gone >= 0.9, 1.0, 0.0)
    if statement.kind == "state" and not gone.any():
        return None
    words = np.maximum(facts.by_words(statement.attribute, whole=True), 0.8 * facts.by_sort(statement.attribute))
    meaning = facts.by_meaning(sentence(statement.attribute, statement.value))
    score = 0.45 * words + 0.35 * meaning + 0.3 * gone
    for i, known in enumerate(facts.known):
        named_by_verb = statement.verb or is_verbal(known.attribute) or is_role(known.attribute)
        # two nouns that are not one name name two things: `school locker code`, `locker code`
        score[i] += 0.15 * bool(known.moves) + alike(statement.value, known) - (not named_by_verb)
    order = np.argsort(-score)
    best = float(score[order[0]])
    if best < LEAST + 0.1 * (not facts.known[int(order[0])].moves) or (
        len(order) > 1 and best - float(score[order[1]]) < MARGIN
    ):
        return None
    return facts.known[int(order[0])]


def alike(value: str, known: Known) -> float:
    """Less for a fact whose value is of another kind than *value*, more for one that says that it is of one sort with it."""
    now = next(iter(known.values or known.was), None)
    if now is None:
        return -0.2
    one, other = kind_of(value), kind_of(now)
    if one != other or bool(telling(value)) != bool(telling(now)):
        return -1.0
    plain = {w for w in value.split() if w.islower()} & {w for w in now.split() if w.islower()} - FUNCTION_WORDS
    return 0.2 if plain and one is None and len(value.split()) > 1 else 0.0
