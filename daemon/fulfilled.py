"""
How far what was told later tells that something came true which was only supposed: `if the pump ever fails`, `with any
other coach`. By the words that both have, by who does what in both, and by meaning, sentence by sentence. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from daemon.relevance import Relevance
from daemon.spoken import LEADS, Said, families, names, unaltered
from memory_store.grammar import Relation, is_light, relations, tag

_LEAD = re.compile(
    rf"^\W*{LEADS}(?:if|when|once|whenever|unless|should|were|as soon as|in case|"
    r"until|(?:as|so) long as|provided(?: that)?|the (?:second|minute|moment|day)(?: that)?)\b\s*",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(r"\b(?:he|she|they)\b", re.IGNORECASE)
# Another than the one that it is, or an end of it: what is denied of that one makes it so.
_ANOTHER = re.compile(r"\b(?:another|different|other|else|new|without|no longer|not|no)\b|n['’]t\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:stop|leav|quit|goes?|gone|chang|switch|replac|retir|resign|end)\w*", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:no ?(?:one|body|thing)|none|never|neither|not|no|fail(?:ed|s)|still)\b(?! longer| more)|"
    r"n['’]t\b(?! .*\bany ?(?:more|longer))",
    re.IGNORECASE,
)
# What is only thought of, wanted or feared.
_ONLY_THOUGHT = re.compile(
    r"\b(?:maybe|perhaps|might|considers?|considering|considered|ponders?|pondering|rumou?rs?|hopes?|hoping|dreams? of|"
    r"(?:thinks?|thinking|thought|talks?|talking|talked|speaks?|spoke) (?:of|about)|"
    r"(?:plans?|planning|planned|wants?|wanted|intends?|means?|threatens?|would like|['’]d like|likes) to|"
    r"almost|nearly)\b",
    re.IGNORECASE,
)
_relations = lru_cache(maxsize=8192)(relations)


@dataclass(frozen=True)
class Told:
    """
    How far what was supposed is told, each from 0 to 1: *words* of it, *parts* of its clause in one clause, *meaning*.
    *denied*: it is told not to be so, or only thought of. *of_another*: it is told of somebody or something else.
    """

    words: float
    parts: float
    meaning: float
    denied: bool
    of_another: bool


def supposed(condition: str, message: str) -> str:
    """What *condition* supposes, without its cue, and with the last name in *message* before it for a `he` or `she`."""
    text = _LEAD.sub("", condition)
    pronoun = _SOMEBODY.search(text)
    if pronoun is None or names(text):
        return text
    before = [one.text for one in tag(message[: max(0, message.find(text))]) if one.tag.startswith("NNP")]
    return text[: pronoun.start()] + before[-1] + text[pronoun.end() :] if before else text


def how_told(what: str, asked: frozenset[str], news: Sequence[Said], relevance: Relevance) -> Told:
    """How far *news*, the sentences of a message, tells *what* is supposed, beside the words that were *asked*."""
    plainly = unaltered(what)
    keys = families(plainly) - asked
    weight = relevance.weight
    whole = max(0.3, weight(keys))
    words = [weight(keys & families(one.text)) / whole for one in news]
    parts = [_agreement(plainly, one.text, relevance) for one in news]
    meaning = relevance.meaning(plainly, [one.text for one in news])
    fits = [a + b[0] + c for a, b, c in zip(words, parts, meaning, strict=True)]
    closest = fits.index(max(fits))
    text = news[closest].text
    is_another = _ANOTHER.search(what) is not None
    ends = is_another or any(not families(m[0]) & families(text) for m in _ENDS.finditer(what))
    denied = (_DENIED.search(text) is not None and not ends) or _ONLY_THOUGHT.search(text) is not None
    of_another = parts[closest][1] and not is_another
    return Told(max(words), max(part for part, _ in parts), max(meaning), denied, of_another)


def _agreement(supposed: str, told: str, relevance: Relevance) -> tuple[float, bool]:
    """
    The most of what a clause of *supposed* says that one clause of *told* says too: its verb, and who and what; and
    whether that clause is of another subject.
    """
    best, of_another = 0.0, False
    for mine in _relations(supposed):
        light = mine.clause.verb is None or is_light(mine.clause.verb.lemma)
        verb = mine.verb.split()[0] if mine.verb and not light else ""
        roles = [role.keys for role in mine.roles if role.keys]
        whole = bool(verb) + sum(relevance.weight(keys) for keys in roles)
        for its in _relations(told) if whole else ():
            both = float(bool(verb) and its.verb.split()[:1] == [verb])
            for keys in roles:
                both += max((relevance.weight(keys & role.keys) for role in its.roles), default=0.0)
            if both / whole > best:
                best, of_another = both / whole, _differ(mine, its)
    return best, of_another


def _differ(mine: Relation, its: Relation) -> bool:
    """Whether both clauses name a subject, and these are two."""
    who, other = mine.role("agent", "theme"), its.role("agent", "theme")
    if who is None or other is None or not who.keys or not other.keys:
        return False
    return not any(who.keys & role.keys for role in its.roles)
