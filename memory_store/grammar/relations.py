"""
What a clause says of what, in a form in which statements and questions compare.

`the tasting room is managed by Ana`, `Ana manages the tasting room`, `Ana is the manager of the tasting room` and
`who manages the tasting room?` have one relation: the last with a gap where the others have Ana.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory_store.grammar.clauses import Clause, Gap, parse
from memory_store.grammar.kinship import content, is_light, kin
from memory_store.grammar.phrases import Phrase


@dataclass(frozen=True)
class Role:
    """
    A part of a relation. *name*: agent, patient, theme (of what something is told with `be`, or of a verb that has no
    object), attribute (what it is), receiver, or a preposition; '' for a bare time or amount. *keys*: its families.
    """

    name: str
    phrase: Phrase
    keys: frozenset[str]


@dataclass(frozen=True)
class Relation:
    """
    What one clause says. *verb*: the family of its verb with its particle; '' for `be`. *roles*: who and what takes
    part, in order. *gap*: what a question leaves open. *owner*: families of whose it is. *keys*: all families.
    """

    verb: str
    roles: tuple[Role, ...]
    clause: Clause
    gap: Gap | None = None
    negated: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """The families of all its words that carry a topic."""
        found = frozenset(key for role in self.roles for key in role.keys)
        return found | ({self.verb} if self.verb else frozenset())

    def role(self, *names: str) -> Role | None:
        """The first part under one of *names*."""
        return next((r for r in self.roles if r.name in names), None)


_SELF = frozenset("i we me us you my our your mine ours yours".split())
_PLACES = frozenset(
    "in at on near behind under inside outside beside opposite next to|into|over|above|below|across|around|through|between|along|to|from|by|upstairs".replace(
        "|", " "
    ).split()
)
_TIMES = frozenset("in at on by before after during until till from since within for every around between".split())


def _role(name: str, phrase: Phrase) -> Role:
    keys = (
        frozenset()
        if phrase.kind == "pronoun" or phrase.head in _SELF
        else content(phrase.text) - {kin(w) for w in _SELF}
    )
    return Role(name, phrase, keys)


@lru_cache(maxsize=4096)
def relation(clause: Clause) -> Relation | None:
    """What *clause* says of what; None where it has no verb."""
    verb = clause.verb
    if verb is None:
        return None
    roles: list[Role] = []
    complements = list(clause.complements)
    family = kin(verb.lemma)
    if verb.lemma == "be" and verb.voice == "active":
        family = ""
        if clause.subject is not None:
            roles.append(_role("theme", clause.subject))
        if clause.object is not None:
            roles.append(_role("attribute", clause.object))
    elif verb.voice == "passive":
        if clause.subject is not None:
            roles.append(_role("patient", clause.subject))
        for i, (preposition, phrase) in enumerate(complements):
            if preposition == "by" and phrase.kind not in ("time", "amount", "clause"):
                roles.append(_role("agent", phrase))
                del complements[i]
                break
        if clause.object is not None:
            roles.append(_role("attribute", clause.object))
    else:
        intransitive = clause.object is None and not (clause.gap is not None and clause.gap.role == "object")
        if clause.subject is not None:
            roles.append(_role("theme" if intransitive else "agent", clause.subject))
        if clause.second is not None:
            roles.append(_role("receiver", clause.second))
        if clause.object is not None:
            roles.append(_role("patient", clause.object))
    if verb.particle:
        family = f"{family} {verb.particle}"
    if clause.subject is not None:
        roles += [_role(p, part) for p, part in clause.subject.parts if p != "of"]
    roles += [_role(preposition, phrase) for preposition, phrase in complements]
    gap = clause.gap
    if gap is not None and gap.role in ("object", "subject", "attribute"):
        passive = verb.voice == "passive"
        name = {"object": "patient", "subject": "patient" if passive else "agent", "attribute": "attribute"}[gap.role]
        gap = Gap(gap.word, "attribute" if not family else name, gap.noun)
    return Relation(family, tuple(roles), clause, gap, verb.negated)


def relations(text: str) -> tuple[Relation, ...]:
    """What the clauses of *text* say of what."""
    return tuple(found for clause in parse(text) if (found := relation(clause)) is not None)


def _kind_fits(gap: Gap, role: Role) -> float:
    """How well what stands in *role* answers *gap*: 0 not at all, 1 well."""
    phrase, word = role.phrase, gap.word
    timed = phrase.kind == "time" or (
        phrase.kind == "amount" and role.name in ("at", "by", "from", "until", "till", "before", "after", "around")
    )
    if word == "when":
        return (
            1.0
            if timed
            else 0.6
            if phrase.kind == "amount" or (role.name in ("after", "before", "during", "in") and phrase.kind == "common")
            else 0.0
        )
    if word == "where":
        if timed or phrase.kind in ("amount", "quality", "clause"):
            return 0.0
        return (
            1.0
            if role.name in _PLACES
            else 0.5
            if role.name in ("attribute", "patient") and phrase.kind in ("name", "common")
            else 0.0
        )
    if word in ("how long", "how much", "how many", "how far", "how old", "how big", "how high"):
        return (
            1.0
            if phrase.kind == "amount" or re.search(r"\d", phrase.text)
            else 0.8
            if phrase.kind == "time" and word == "how long"
            else 0.7
            if phrase.head in _COUNTS or phrase.determiner in ("a", "an", "no", "half")
            else 0.0
        )
    if word in ("how often", "how soon", "how early", "how late"):
        return (
            1.0
            if phrase.kind == "time" or re.match(r"(?:once|twice|every|each)\b|.*\b(?:times?|a|per)\b", phrase.text)
            else 0.3
            if timed
            else 0.0
        )
    if word in ("who", "whose"):
        return 0.0 if timed or phrase.kind in ("amount", "quality", "clause") else 1.0 if phrase.kind == "name" else 0.7
    if word == "why":
        return 0.0
    if word == "how":
        return (
            1.0
            if role.name in ("by", "with", "through", "via", "on", "in") and not timed
            else 0.5
            if phrase.kind == "quality"
            else 0.2
        )
    if word in ("which", "what"):
        if gap.noun is not None and kin(gap.noun.head) in role.keys:
            return 1.0
        return 0.5 if timed and role.name not in ("attribute", "patient") else 0.9
    return 0.5


_COUNTS = frozenset("half quarter dozen couple few all nothing none nobody one two three".split())


def answer(statement: Relation, question: Relation) -> tuple[Role, float] | None:
    """The part of *statement* that fills the gap of *question*, and how well it fits, in (0, 1]; None where none does."""
    gap = question.gap
    if gap is None or gap.word == "whether":
        return None
    asked = question.keys
    best: tuple[Role, float] | None = None
    for role in statement.roles:
        if role.keys and role.keys <= asked:
            continue  # what the question names is not what it asks for
        if role.phrase.kind == "pronoun":
            continue
        fit = _kind_fits(gap, role)
        if (
            (gap.role in ("patient", "agent", "attribute") and role.name == gap.role)
            or gap.role == role.name
            or (gap.role in ("adverbial", "") and role.name not in ("agent", "receiver"))
        ):
            fit *= 1.0
        elif gap.role in ("attribute", "") or role.name in ("attribute", "theme"):
            fit *= 0.9
        else:
            fit *= 0.7
        if fit > 0 and (best is None or fit > best[1]):
            best = (role, fit)
    return best


def agree(statement: Relation, question: Relation) -> float:
    """
    How far *statement* says what *question* asks, in [0, 1]: how much of what the question names it names too, in the
    same parts, with something where the question has its gap. 0 where nothing fills the gap.
    """
    found = answer(statement, question)
    if question.gap is not None and question.gap.word != "whether" and found is None:
        return 0.0
    filled = found[0] if found else None
    told = frozenset(key for role in statement.roles if role is not filled for key in role.keys) | frozenset(
        statement.verb.split()[:1]
    )
    asked = {key: 1.0 for role in question.roles for key in role.keys}
    light = question.clause.verb is not None and is_light(question.clause.verb.lemma)
    if question.verb and not light:
        asked[question.verb.split()[0]] = 1.0
    if question.gap is not None and question.gap.noun is not None:
        noun = content(question.gap.noun.text)
        if filled is None or not noun & (filled.keys | told):
            asked.update(dict.fromkeys(noun, 0.5))
    if not asked:
        return 0.0
    met = sum(weight for key, weight in asked.items() if key in told)
    score = met / sum(asked.values())
    same = [
        (mine, its) for mine in question.roles for its in statement.roles if mine.keys and mine.keys & its.keys and its is not filled
    ]  # fmt: skip
    if same and all(_apart(mine.name, its.name) for mine, its in same):
        score *= 0.8
    return score * (0.6 + 0.4 * (found[1] if found else 1.0))


def _apart(mine: str, its: str) -> bool:
    """Whether the parts *mine* and *its* exclude one another: the one who does it, and what it is done to."""
    return {mine, its} == {"agent", "patient"}
