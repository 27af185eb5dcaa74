"""
The one gate before a fact is given as the answer: whether it answers the very thing that a question asks.

Subject, relation and kind of answer must agree. What a question says beyond the fact must be said by its asking word
(`what time`, `how much`), by the noun that the fact is named by (`which airport do we fly into`), or be another word
for what the fact says. Whom a question is about is judged in `subjects`. No clock.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from daemon.questions import parse_question
from daemon.subjects import known_names
from daemon.synonyms import others_for
from daemon.wanted import Wanted, is_of, tells_no_hour, wanted
from memory_store.facts import Fact
from memory_store.grammar import Relation, agree, answer, parse, relations, tag
from memory_store.ledger import Ledger
from memory_store.names import Similarity
from memory_store.phrases import LIGHT_STEMS, WORD, core, stem, stems
from memory_store.verbs import is_role, is_verbal, noun_stems, nouns, sentence
from memory_store.whereabouts import is_somebody_named

Verdict = Literal["sure", "near", "far", "apart"]

OF_A_KIND = 0.3  # cosine from which a value may be of the kind that a noun names
ONE_THING = 0.72  # cosine from which two nouns may name one thing
RELATED = 0.45  # cosine of what only the question and only the fact say, from which they may be one thing
"""
`sure`: it answers. `near`: it is about the same, but tells something else of it. `far`: they share no word, so that
only nearness in meaning can tell, which does; `apart`: it does not.
"""

# One of a group is never another of it, however near they are in meaning.
_APART = tuple(
    tuple(frozenset(map(stem, one.split("|"))) for one in group.split())
    for group in (
        "open close|shut", "start|begin end|finish|stop|out|over", "buy|purchase sell", "live|stay work study", "arrive|come leave|depart|go",
        "lend borrow", "teach learn", "speak learn|study", "phone|telephone|mobile email address birthday age name", "first last", "import export",
        "breakfast lunch dinner|supper", "mother father sister brother son daughter wife husband", "win lose", "send receive",
        "hire fire", "price size colour weight", "before after", "arrival departure", "upstairs downstairs",
        "summer winter spring autumn", "daily weekly monthly yearly", "morning evening afternoon", "wash repair", "love|like|enjoy hate|dislike", "tall|height heavy|weigh|weight wide|width deep|depth old|age", "front back|rear",
        "left right", "home|heim away", "minimum maximum", "read write", "make|build repair|fix", "cook serve",
    )
)  # fmt: skip


# Words that say one thing of whatever stands beside them.
_ALIKE = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "care look manage handle charge responsible maintain mind run lead head chair see", "cost price fee charge", "make build produce sew",
        "supply provide deliver source", "start begin open", "end finish stop close", "fix repair mend service", "buy purchase order",
        "live reside stay", "keep store put stash hide park stand", "hold happen occur", "earn pay", "teach train coach instruct",
        "clean wash", "print publish", "drive take bring carry transport", "cook cater prepare", "write draft", "book reserve",
    )
)  # fmt: skip


@dataclass(frozen=True)
class Agreement:
    """How far a fact agrees with a question: the *verdict*, and which stems of the question the fact *lacks*."""

    verdict: Verdict
    lacks: frozenset[str] = frozenset()


SAYS_SO = 0.9  # how far a fact, read as a sentence, says what the question asks


def says(question: str, fact: Fact) -> float:
    """
    How far *fact*, read as the clause that it is, says what *question* asks, in [0, 1]: `who manages the room`, or
    `what does Ida manage`, and `the room is managed by Ida`. 0 where what would answer is not its value, unless the
    question names that.
    """
    value = fact.value or fact.was
    if not value or len(value) > LONGEST_READ or wanted(question).noun == "job":
        return 0.0
    joined = frozenset(stems(question)) - frozenset(map(stem, WORD.findall(question)))
    if joined - frozenset(stems(fact.attribute)):
        return 0.0  # to work out is not to work
    best, turned = 0.0, core(value) <= frozenset(stems(question))
    for asked in relations(question):
        for told in _told(fact.attribute, value):
            found = answer(told, asked)
            if found is not None and (turned or found[0].phrase.text in value):
                best = max(best, agree(told, asked))
    return best


LONGEST_READ = 120  # characters of a value; longer ones are texts


@lru_cache(maxsize=4096)
def _told(attribute: str, value: str) -> tuple[Relation, ...]:
    return tuple(relations(f"{sentence(attribute, value)}."))


def agreement(question: str, fact: Fact, ledger: Ledger, similarity: Similarity | None = None) -> Agreement:
    """Whether *fact* answers the very thing that *question* asks."""
    asked = parse_question(question)
    if asked.mode == "topic":
        return Agreement("sure")
    value = fact.value or fact.was or ""
    want = wanted(question)
    kind = is_of(want.kind, fact.attribute, value) if value else None
    if value and kind and tells_no_hour(question, value):
        kind = False
    known = known_names(question, ledger)
    words = frozenset() if kind is None and want.kind in _BY_FORM else want.words
    mine = core(question) - known - words
    if _OWNS.search(question):
        mine |= frozenset(("own",))
    if want.noun == "job":
        mine -= frozenset((stem("living"),))
        is_trade = is_somebody_named(fact.attribute) and re.match(r"an?\s", value) is not None
        if not is_trade and ("job" in noun_stems(fact.attribute) or not core(fact.attribute) & _OF_JOBS):
            mine |= frozenset(("job",))
    if asked.mode != "now":
        mine -= _OF_MODES
    its = core(fact.attribute) - known
    told = core(value) | frozenset(stems(value))
    left = frozenset(one for one in mine if not _is_kin(one, its | told | noun_stems(fact.attribute)))
    extra = frozenset(one for one in its if not _is_kin(one, mine | words))
    alike = frozenset().union(*(group for group in _ALIKE if group & left and group & extra))
    left, shared_words = left - alike, extra & alike
    extra -= alike
    shared = (its - extra - shared_words) or frozenset(stems(question)) & frozenset(
        stems(fact.attribute)
    ) - LIGHT_STEMS - known
    if asked.mode != "now":
        return Agreement("sure" if shared or not its else "far", left)
    if not its and known:
        return Agreement("sure" if not left and kind is not False else "near", left)
    named = (_is_named_so(want, fact) and (not extra or _is_headed(want.head, fact.attribute))) and not (
        is_verbal(fact.attribute) and (kind is False or (kind is None and want.kind != "any"))
    )
    if not shared and kind is not False and says(question, fact) >= SAYS_SO:
        return Agreement("sure", left)
    if not shared and not noun_stems(fact.attribute) & mine:
        return Agreement(
            _by_meaning(question, left or mine, fact, kind, bool(known), bool(told & mine), similarity), left
        )
    if kind is False and not named:
        return Agreement("near", left)
    if left and "job" not in left and says(question, fact) >= SAYS_SO:
        return Agreement("sure", left)
    if kind is None and extra and want.kind in ("person", "place", "manner"):
        return Agreement("near", left)
    if _is_another_doing(left, extra, question, fact.attribute):
        return Agreement("near", left)
    if extra and want.head in _ANY_THING:
        return Agreement("near", left)  # what somebody is called, and where they live
    if want.noun and not extra and left <= frozenset(stems(want.noun)) and _is_clause(fact.attribute):
        # `which papers do we take`: what one takes; but of all that one likes only what is of the kind
        return Agreement("sure" if _is_of_the_kind(want, fact, value, similarity) else "near", left)
    called = not left and bool(noun_stems(fact.attribute) & mine)  # `work as` is a job
    if want.noun and want.kind == "any" and extra and not (called or _is_headed(want.head, fact.attribute)):
        return Agreement("near", left)  # what light is used, and who designs it
    if not left or named or _is_kin(want.head, told):
        return Agreement("sure", left)
    if are_apart(left, extra) or _of_other_things(left, extra, question, fact, similarity):
        return Agreement("near", left)
    if not extra and _names_an_object(left, question):
        return Agreement("near", left)
    if not extra:
        firm = fact.state == "forgotten" or (bool(kind) and (want.kind != "person" or _tells_who(fact.attribute)))
        return Agreement("sure" if firm else "near", left)
    related = similarity is not None and _nearness(left, extra, question, fact, similarity) >= RELATED
    return Agreement("sure" if related else "near", left)


def _by_meaning(
    question: str,
    left: frozenset[str],
    fact: Fact,
    kind: bool | None,
    of_somebody: bool,
    in_value: bool,
    similarity: Similarity | None,
) -> Verdict:
    """How a *fact* agrees that is named by no word of *question*."""
    if are_apart(left, core(fact.attribute)):
        return "apart"
    if kind is False or of_somebody:
        return "near" if of_somebody or in_value else "apart"
    if in_value and wanted(question).kind != "any":
        return "near"
    if wanted(question).noun and similarity is not None:
        called = f"{fact.attribute} {nouns(fact.attribute)}".strip()
        if float(similarity([_words(question, left) or question], [called])[0, 0]) < RELATED:
            return "near" if in_value else "apart"
    return "far"


_BY_FORM = ("code", "link", "script", "schedule")  # kinds of which a value is by its form, or cannot be told to be
_OWNS = re.compile(r"\bown(?:s|ed)?\b", re.IGNORECASE)
_OF_JOBS = frozenset(map(stem, "work job profession occupation role study".split()))
_OF_MODES = frozenset(
    map(
        stem,
        [
            "time",
            "change",
            "changed",
            "order",
            "first",
            "last",
            "earliest",
            "latest",
            "oldest",
            "newest",
            "list",
            "develop",
            "developed",
            "evolve",
            "over",
            "far",
            "year",
            "season",
            "previous",
            "previously",
            "before",
            "former",
            "formerly",
            "earlier",
            "history",
            "current",
            "recent",
            "present",
            "chronological",
            "names",
            "called",
        ],
    )
)


def _is_clause(attribute: str) -> bool:
    """Whether *attribute* is what somebody does, of which the value is the object."""
    return is_verbal(attribute) or is_role(attribute)


def _tells_who(attribute: str) -> bool:
    """Whether *attribute* is of what somebody does, or is, to others."""
    last = attribute.split()[-1].lower()
    return last in ("by", "with", "to") or is_role(attribute) or last.endswith(("er", "or", "ist", "ant", "ent"))


def _is_headed(head: str, attribute: str) -> bool:
    """Whether *head* is the head of *attribute*, or that is a clause, which has none."""
    if _is_clause(attribute) or noun_stems(attribute):
        return True
    noun = stems(re.split(r"\s(?:of|for|in|on|at|to|with|from|by)\b", attribute)[0])
    return bool(noun) and _is_kin(head, frozenset(noun[-1:]))


def _is_named_so(want: Wanted, fact: Fact) -> bool:
    """Whether the noun that *want* asks for is what *fact* is named by."""
    head = want.head
    if head in _ANY_THING:
        return not frozenset(stems(fact.attribute)) - frozenset(stems(want.noun))
    return bool(head) and _is_kin(head, frozenset(stems(fact.attribute)) | noun_stems(fact.attribute))


# nouns that ask only which one a thing is: `the auth middleware config`, `the name of the boat`
_ANY_THING = frozenset(
    map(
        stem,
        [
            "name",
            "title",
            "brand",
            "make",
            "model",
            "kind",
            "type",
            "sort",
            "version",
            "config",
            "configuration",
            "setup",
            "choice",
            "option",
            "details",
        ],
    )
)


def _is_kin(one: str, others: frozenset[str]) -> bool:
    """Whether *one* is among *others*, but for how it ends: `suppl` and `sup`."""
    return bool(one) and (one in others or any(_akin(one, other) for other in others))


def _akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.removeprefix(short) in ("out", "up", "in", "off", "on"):
        return False  # `work out` and `work`
    return (
        len(short) >= 3
        and long.startswith(short)
        and len(long) - len(short) <= 3
        and (len(short) >= 4 or short + short[-1] == long[: len(short) + 1])
    )


def are_apart(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of *some* and one of *others* are of a group of which one is never another."""
    for group in _APART:
        here = [one for one in group if one & some]
        there = [one for one in group if one & others]
        if here and there and not any(one in there for one in here):
            return True
    return False


def _is_of_the_kind(want: Wanted, fact: Fact, value: str, similarity: Similarity | None) -> bool:
    """Whether *value*, one of the many things that may be liked, is what *want* asks for."""
    if similarity is None or fact.attribute.removeprefix("we ") not in _FEELINGS:
        return True
    return float(similarity([want.noun], [value])[0, 0]) >= OF_A_KIND


_FEELINGS = ("love", "like", "enjoy", "hate", "dislike", "prefer", "have", "own", "want")


def _is_another_doing(left: frozenset[str], extra: frozenset[str], question: str, attribute: str) -> bool:
    """Whether *question* asks of one thing that the owner does, and *attribute* is another: to speak is not to learn."""
    if not is_verbal(attribute) or stem(attribute.removeprefix("we ").split()[0]) not in extra:
        return False
    asked = next((c for c in parse(question) if c.verb is not None and c.subject is not None and c.subject.ours), None)
    return asked is not None and asked.verb is not None and stem(asked.verb.lemma) in left


def _of_other_things(
    left: frozenset[str], extra: frozenset[str], question: str, fact: Fact, similarity: Similarity | None
) -> bool:
    """Whether what only *question* and what only *fact* names are things, and no two words for one: violin, cello."""
    here, there = _things(question, left), _things(sentence(fact.attribute, ""), extra)
    if not here or not there:
        return False
    if any(frozenset(map(stem, others_for(one))) & extra for one in here):
        return False
    return similarity is None or float(similarity([" ".join(here)], [" ".join(there)])[0, 0]) < ONE_THING


def _things(text: str, wanted_stems: frozenset[str]) -> list[str]:
    """The nouns of *text* that have one of these stems."""
    return [t.text for t in tag(text) if t.tag.startswith("NN") and stem(t.text) in wanted_stems]


def _names_an_object(left: frozenset[str], question: str) -> bool:
    """Whether what only *question* names is what it asks somebody to do something with: `who teaches Lotte piano`."""
    return any(
        one is not None and frozenset(stems(one.bare)) & left
        for clause in parse(question)
        for one in (clause.object, clause.second)
        if clause.verb is not None and clause.verb.lemma != "be"
    )


def _nearness(left: frozenset[str], extra: frozenset[str], question: str, fact: Fact, similarity: Similarity) -> float:
    """How near in meaning are the words that only *question* says, and those that only *fact* says."""
    one, other = _words(question, left), _words(fact.attribute, extra)
    return float(similarity([one], [other])[0, 0]) if one and other else 0.0


def _words(text: str, wanted_stems: frozenset[str]) -> str:
    """The words of *text* that have one of these stems, in order."""
    said = [word.strip("?.,!:;\"'’") for word in text.replace("-", " ").split()]
    return " ".join(word for word in said if word and stem(word) in wanted_stems)
