"""Which two facts a tie joins: cause and effect found together, and what of several readings says most."""

from collections.abc import Sequence

from memory_store.bearing import Bearing
from memory_store.meant import cannot_take, cause_told, effect_told, tells_more
from memory_store.mentions import Mention
from memory_store.names import EQUAL, Candidate, Known, Names
from memory_store.phrases import specific
from memory_store.statement import Statement

SURELY = 0.6  # what both ends of a tie need that is to be read by its form alone, whatever else its words may mean
NEW = 0.4  # what a fact not known yet scores as the one meant


def rank(mentions: Sequence[Mention], names: Names) -> list[Candidate]:
    """The facts that *mentions*, which all mean one, may mean, best first."""
    return [c for c in names.candidates(mentions) if c.score > 0.2][:8]


def pair(statement: Statement, causes: list[Candidate], effects: list[Candidate]) -> tuple[Known, Known] | None:
    """Cause and effect together: a pair that is already tied supports both."""
    best: list[tuple[float, Known, Known]] = []
    new_cause = cause_told(statement)
    new_effect = effect_told(statement)
    effects = [e for e in effects if not cannot_take(statement, e)]
    causes = [c for c in causes if not tells_more(c.known, statement.sentence)]
    sure_effect = effects[0].score if effects else 0.0
    sure_cause = causes[0].score if causes else 0.0
    if min(sure_effect, sure_cause) >= SURELY and effects[0].known is causes[0].known:
        return None  # what a fact is itself then: `if the gym shuts, I'd train at V`
    if sure_effect >= EQUAL:
        effects = [e for e in effects if e.score >= EQUAL]
    if sure_cause >= EQUAL:
        causes = [c for c in causes if c.score >= EQUAL]
    for c in [*causes, *([Candidate(new_cause, NEW)] if new_cause and sure_cause < EQUAL else [])]:
        for e in [*effects, *([Candidate(new_effect, NEW)] if new_effect and sure_effect < EQUAL else [])]:
            if c.known.key == e.known.key:
                continue
            tied = 0.25 if c.known.key in e.known.hangs_on else 0.0
            root = 0.04 if c.known.moves else 0.0
            best.append((c.score + e.score + tied + root, c.known, e.known))
    best.sort(key=lambda b: -b[0])
    known_side = max(sure_cause, sure_effect)
    if new_cause and new_effect and known_side < NEW and statement.kind == "rule" and specific(statement.value or ""):
        return new_cause, new_effect  # told before either of its facts
    if not best or (known_side < 0.55 and best[0][1].key not in best[0][2].hangs_on):
        return None
    return best[0][1], best[0][2]


def surely_ties(statement: Statement, names: Names) -> bool:
    """Whether both ends of a tie are known facts by what it calls them."""
    best = [rank(mentions, names)[:1] for mentions in ([statement.about], statement.depends_on)]
    return not statement.weak and all(
        found and found[0].score >= SURELY and (found[0].known.values or found[0].known.was) for found in best
    )


def says_more(read: Sequence[Sequence[Bearing] | None], rules: Sequence[Statement], names: Names) -> bool:
    """Whether what was *read* by the known facts says at least what *rules*, read by form, say of the same ones."""
    found = [one for ways in read for one in ways or ()]
    ends = [pair(s, rank(s.depends_on, names), rank([s.about], names)) for s in rules]
    by_form = {(both[0].key, both[1].key): s for both, s in zip(ends, rules, strict=True) if both}
    return len(found) >= len(rules) and all(
        _adds(one, by_form.get((one.cause.key, one.effect.key)), any(s.value for s in rules)) for one in found
    )


def _adds(one: Bearing, rule: Statement | None, valued: bool) -> bool:
    """Whether *one* says more than *rule*, read by form of the same two facts; *valued*: the forms told an outcome."""
    if rule is None or rule.value is None:
        return one.becomes is not None and (rule is not None or not valued)
    if one.becomes is None:
        return False
    return (one.trigger, one.value) != (rule.trigger, rule.when_value) or one.becomes not in rule.value
