"""
Whether a sentence tells of somebody else than a question asks: of what she does, where it asks what I do; of my
umbrella, where it asks for Anna's. By subjects and owners of their clauses. Pure.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from daemon.synonyms import kinds_of
from memory_store.grammar import Clause, Phrase, content, is_light, kin, parse, relations
from memory_store.news import KIN
from memory_store.whereabouts import is_somebody

_SELF = frozenset(("i", "we"))
_THEY = frozenset(("he", "she", "they"))
_OURS = frozenset(("my", "our"))
_THEIRS = frozenset(("his", "her", "their"))
_TRADE = re.compile(
    r"(?:(?<!wat)(?<!pap)(?<!numb)(?<!dinn)(?<!summ)(?<!wint)(?<!corn)(?<!rout)(?<!print)(?<!comput)(?<!scoot)er|(?<!do)(?<!fl)(?<!col)or|"
    r"[^l]ist|ician|man|woman|lord|lady|boss|chef|cook|nurse|coach|vet|guide|aide|judge|guard|sitter)$"
)
_KIN = re.compile(KIN.pattern, re.IGNORECASE)


@lru_cache(maxsize=8192)
def tells_of_another(question: str, sentence: str) -> bool:
    """Whether *sentence* tells what *question* asks of another than whom that is about, and of nobody else."""
    return (
        _is_done_by_another(question, sentence)
        or _is_of_another(question, sentence)
        or _is_of_other_kin(question, sentence)
        or is_where_another_is(question, sentence)
    )


_STAYS = frozenset("be move live work stay sit sleep relocate transfer switch change go belong".split())
_OF_SELF = re.compile(r"\b(?:i|me|we|us|mine|ours|myself)\b", re.IGNORECASE)
_MY = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)


@lru_cache(maxsize=8192)
def is_where_another_is(question: str, sentence: str) -> bool:
    """Whether *question* asks where, or on which, the owner is, and *sentence* tells that of somebody else alone."""
    asked = next((c for c in parse(question) if c.verb is not None and c.subject is not None), None)
    if asked is None or asked.subject is None or asked.verb is None or asked.subject.head not in _SELF:
        return False
    told = [c for c in parse(sentence) if c.verb is not None and c.subject is not None]
    if asked.verb.lemma not in _STAYS or not told or _OF_SELF.search(sentence):
        return False
    for clause in told:
        who, verb = clause.subject, clause.verb
        assert who is not None and verb is not None
        beside = sentence[who.end :]
        if verb.lemma not in _STAYS or not is_somebody(who) or _MY.search(beside):
            return False
        if kin(who.head) in content(question) or content(who.text) & content(question):
            return False
    return True


def _is_of_other_kin(question: str, sentence: str) -> bool:
    """Whether *sentence* is about one of the owner's people, and *question* about another."""
    asked = {kin(one.head) for one in _phrases(parse(question)) if _is_somebody(one)}
    told = {kin(one.head) for one in _phrases(parse(sentence)) if _is_somebody(one)}
    named = frozenset(re.findall(r"(?<!^)\b[A-Z]\w+", question)) & frozenset(re.findall(r"\b[A-Z]\w+", sentence))
    return bool(asked and told) and not asked & told and not named


def _is_done_by_another(question: str, sentence: str) -> bool:
    """Whether all that *sentence* tells of the doing that *question* asks about is done by another."""
    asked = next((c for c in parse(question) if c.verb is not None and c.subject is not None), None)
    if asked is None or asked.verb is None or asked.subject is None:
        return False
    verb = asked.verb.lemma
    if verb == "be" or is_light(verb):
        return False
    told = [c for c in parse(sentence) if c.verb is not None and kin(c.verb.lemma) == kin(verb)]
    doers = [_doer(c) for c in told]
    if not doers or any(doer is None for doer in doers):
        return False
    return all(doer is not None and _are_two(asked.subject, doer) for doer in doers)


def _doer(clause: Clause) -> Phrase | None:
    """Who does what *clause* tells; None where that is not told, or nobody's doing."""
    return None if clause.verb is None or clause.verb.voice == "passive" else clause.subject


def _are_two(asked: Phrase, told: Phrase) -> bool:
    """Whether *asked* and *told*, each the subject of a clause, surely are two persons."""
    mine, its = asked.head.lower(), told.head.lower()
    if mine in _SELF:
        if its in _THEY:
            return its != "they" or mine == "i"
        return _is_somebody(told) or _is_one_living(told) or (mine == "i" and told.kind == "name" and not told.ours)
    if _is_somebody(asked) or asked.kind == "name":
        return its == "i"
    return False


def _is_somebody(phrase: Phrase) -> bool:
    """Whether *phrase* is a person of the owner's, by the word for it."""
    return phrase.kind != "pronoun" and _KIN.search(phrase.head) is not None and (phrase.ours or bool(phrase.owner))


def _is_one_living(phrase: Phrase) -> bool:
    """Whether *phrase* is one person by what they do, or an animal."""
    return (
        phrase.kind == "common" and not phrase.plural and (is_trade(phrase.head) or phrase.head in kinds_of("animal"))
    )


def is_trade(noun: str) -> bool:
    """Whether *noun* is what somebody is by what they do: `plumber`, `dentist`."""
    return _TRADE.search(noun) is not None


def _is_of_another(question: str, sentence: str) -> bool:
    """Whether the thing that *question* asks about is, wherever *sentence* names it, another's."""
    for thing in _owned(parse(question)):
        if thing.ours and _is_only_theirs(thing, sentence):
            return True
        named = [phrase for phrase in _phrases(parse(sentence)) if kin(phrase.head) == kin(thing.head)]
        if named and all(_owners_differ(thing, phrase) for phrase in named):
            return True
    return False


def _is_only_theirs(thing: Phrase, sentence: str) -> bool:
    """Whether of *thing*, the owner's, by each word for it in *sentence* somebody else's is meant: `her dentist`."""
    own = {kin(word) for word in (*thing.modifiers, thing.head)}
    named = [phrase for phrase in _phrases(parse(sentence)) if kin(phrase.head) in own]
    return bool(named) and all(phrase.determiner in _THEIRS for phrase in named) and not _OF_SELF.search(sentence)


def _owned(clauses: tuple[Clause, ...]) -> Iterator[Phrase]:
    """What is said to be somebody's."""
    return (one for one in _phrases(clauses) if (one.owner is not None or one.determiner in _OURS) and one.head)


def _owners_differ(asked: Phrase, told: Phrase) -> bool:
    if asked.owner is not None and asked.owner.kind != "name" and not _is_somebody(asked.owner):
        return False  # the club's is ours
    mine = asked.owner.text.lower() if asked.owner is not None else ""
    if told.owner is not None:
        its = told.owner.text.lower()
        return not mine or not (_words(mine) & _words(its))
    if told.determiner in _OURS:
        return bool(mine)
    return told.determiner in _THEIRS and not mine


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower())) - _OURS


def _phrases(clauses: tuple[Clause, ...]) -> Iterator[Phrase]:
    """All noun phrases of *clauses*."""
    for clause in clauses:
        noun = (clause.gap.noun,) if clause.gap is not None else ()
        for one in (clause.subject, clause.object, clause.second, *noun, *(phrase for _, phrase in clause.complements)):
            if one is not None:
                yield from _inside(one)


def _inside(phrase: Phrase) -> Iterator[Phrase]:
    yield phrase
    for _, part in phrase.parts:
        yield from _inside(part)
    for one in phrase.also:
        yield from _inside(one)


@lru_cache(maxsize=8192)
def is_another_doing(question: str, text: str) -> bool:
    """Whether *text* tells a doing whose verb has no particle, or another, where *question* has one: `work out`, `work`."""
    asked = [one.verb for one in relations(question) if " " in one.verb]
    told = [one.verb for one in relations(text) if one.verb]
    alike = [(its, mine) for its in asked for mine in told if its.split()[0] == mine.split()[0]]
    return bool(alike) and all(its != mine for its, mine in alike)
