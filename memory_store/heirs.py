"""
Whose place a new value takes: news that names a fact by another word than it is known by, or by who was it before.

`The baker has closed down. We get our rolls from the mill now.` tells of the fact whose value was the baker.
"""

import re
from collections.abc import Sequence

import numpy as np

from memory_store.amounts import kind_of
from memory_store.facts import attribute_key, same_value
from memory_store.meant import done_to, is_who_does_it, may_mean, plainly, tells_no_doer
from memory_store.names import Candidate, Known, Names, choose, is_of_another_head, may_change
from memory_store.phrases import FUNCTION_WORDS, core
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
        score[i] -= is_of_another_head(statement.attribute, known.attribute)  # the chapel's minister, not the chapel
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


def changed(statement: Statement, names: Names) -> Known | None:
    """The fact that a piece of news is about, found by the old value, or by nearness in words and meaning."""
    if statement.old:
        holders = [k for k in names.by_value(statement.old, past=True) if may_mean(statement, k)]
        if len(holders) == 1:
            return holders[0]
        if len(holders) > 1 and statement.attribute:
            near = [c for c in names.candidates([statement.about]) if c.known in holders]
            if near and near[0].score > 0.3:
                return near[0].known
    if statement.attribute and not statement.verb:
        named = core(statement.attribute)
        found = [
            c
            for c in _likely(names.candidates([statement.about]), statement, names)
            # near in meaning is not the same thing, and who fixes the car is not the car
            if may_change(statement.attribute, c.known.attribute)
            and not (is_role(c.known.attribute) and named <= done_to(c.known.attribute))
            and not (is_who_does_it(c.known) and tells_no_doer(statement))
        ]
        return choose(found, least=0.5, margin=0.06) or _of_one_form(statement, names)
    mentions = [statement.about] if statement.attribute else []
    said = sentence(statement.attribute, statement.value or "") if statement.attribute else plainly(statement)
    found = _likely(names.candidates(mentions, context=said), statement, names)
    found = [c for c in found if (c.known.moves or c.score > 0.75) and may_mean(statement, c.known)]
    return choose(found, least=0.36, margin=0.05)


def _of_one_form(statement: Statement, names: Names) -> Known | None:
    """The one fact whose value has the form of the new one, `P4` and `P5`, where its name was told only vaguely."""
    if statement.attribute not in ("position", "best") or not statement.value:
        return None
    form = _form(statement.value)
    found = [k for k in names.known.values() if any(_form(value) == form for value in k.values)]
    return found[0] if form is not None and len(found) == 1 else None


def _likely(found: Sequence[Candidate], statement: Statement, names: Names) -> list[Candidate]:
    """*found* with more for what other facts hang on, and for values of the kind of the new one; best first."""
    held = [c for c in found if c.known.values or c.known.was or c.known.moves]
    kinds = np.zeros(len(held))
    if names.similarity is not None and statement.value and held:
        values = [next(iter(c.known.values or c.known.was), c.known.attribute)[:80] for c in held]
        kinds = np.clip((names.similarity([statement.value[:80]], values)[0] - 0.1) / 0.65, 0.0, 1.0)
    scored = [
        Candidate(c.known, c.score + (0.15 if c.known.moves else 0.0) + 0.2 * float(k) + _of_its_sort(statement, c))
        for c, k in zip(held, kinds, strict=True)
    ]
    return sorted(scored, key=lambda c: -c.score)


def moves_house(statement: Statement, names: Names) -> bool:
    """Whether `I moved from A to B` is about where one lives: A is where, or both mean places."""
    home = names.known.get(attribute_key("live in"))
    if home is not None and any(same_value(v, statement.old) for v in (*home.values, *home.was)):
        return True
    if names.similarity is None:
        return False
    near = names.similarity(
        [statement.old or "", statement.value or ""], ["a city, a town or a country", "an app, a tool or a firm"]
    )
    return bool((near[:, 0] > near[:, 1]).all())


def _of_its_sort(statement: Statement, candidate: Candidate) -> float:
    """More for a fact whose value is of one sort with the one told: `greenhouse five`, `greenhouse three`."""
    return max(0.0, alike(statement.value, candidate.known)) if statement.value else 0.0


def _form(value: str) -> str | None:
    """Of which letters and digits a short *value* with a digit is made; None of others."""
    if len(value) > 8 or " " in value or not any(c.isdigit() for c in value):
        return None
    return "".join("9" if c.isdigit() else "A" if c.isupper() else "a" if c.islower() else c for c in value)
