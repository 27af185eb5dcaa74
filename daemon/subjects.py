"""
Whether a fact is about whom and about what a question asks: the bar before a fact is given as the answer.

A question that names somebody else needs a fact that names them too, and one for a thing is not answered by another
thing of the same sort. No model, no clock.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from daemon.questions import parse_question
from memory_store.ages import of_age
from memory_store.facts import Fact
from memory_store.ledger import Ledger
from memory_store.openly import MEASURED
from memory_store.phrases import WORD, core, stem, stems
from memory_store.said import PERSONAL_NAME
from memory_store.verbs import is_role, is_verbal, noun_stems

_OF_USERS = re.compile(r"\busers?\b", re.IGNORECASE)
_USERS = re.compile(r"\b(?:the )?user['’]s\b", re.IGNORECASE)
_ASKED = {
    "does": "do",
    "is": "am",
    "has": "have",
    "did": "did",
    "was": "was",
    "can": "can",
    "will": "will",
    "should": "should",
}
_USER_ASKED = re.compile(rf"\b({'|'.join(_ASKED)}) the user\b", re.IGNORECASE)
_USER = re.compile(r"\bthe user\b", re.IGNORECASE)
_KIN = (
    ("wife", "husband", "spouse", "partner", "fiance", "fiancee", "boyfriend", "girlfriend"),
    ("mother", "mum", "mom", "mama", "mummy"),
    ("father", "dad", "papa", "daddy"),
    ("child", "children", "kid", "kids"),
    ("grandmother", "grandma", "gran", "granny", "nana"),
    ("grandfather", "grandpa", "grandad", "granddad"),
    ("boss", "manager", "supervisor"),
    ("neighbor", "neighbour"),
    ("sister",), ("brother",), ("son",), ("daughter",), ("friend",), ("cousin",), ("uncle",), ("aunt",), ("niece",),
    ("nephew",), ("colleague",), ("flatmate",), ("roommate",), ("landlord",), ("landlady",),
)  # fmt: skip
_WOMEN = frozenset(
    stem(word)
    for word in [
        "wife",
        "fiancee",
        "girlfriend",
        "mother",
        "mum",
        "mom",
        "mama",
        "mummy",
        "grandmother",
        "grandma",
        "gran",
        "granny",
        "nana",
        "sister",
        "daughter",
        "aunt",
        "niece",
        "landlady",
    ]
)
_MEN = frozenset(
    stem(word)
    for word in [
        "husband",
        "fiance",
        "boyfriend",
        "father",
        "dad",
        "papa",
        "daddy",
        "grandfather",
        "grandpa",
        "grandad",
        "granddad",
        "brother",
        "son",
        "uncle",
        "nephew",
        "landlord",
    ]
)
_HER, _HIM = (re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in ("she|her|hers", "he|him|his"))
_RELATIONS = {stem(word): frozenset(map(stem, words)) for words in _KIN for word in words}
_NAME = r"\b(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?[A-Z][\w-]+(?:\s[A-Z][\w-]+)?"
# "does Sam live", "is Sam married", "did Ben's"
_SUBJECT = re.compile(
    rf"\b(?:[Dd]oes|[Dd]id|[Ii]s|[Ww]as|[Hh]as|[Hh]ad|[Cc]an|[Ww]ill|[Ss]hould)\s(?P<who>{_NAME})(?=\s\w)"
)
# "Ana's room"; but "what room's my desk in" is no room's
_POSSESSOR = re.compile(
    rf"(?P<who>{_NAME}|\b[\w-]+)['’]s(?=\s(?!(?:the|my|our|your|his|her|their|a|an|this|that|been|going|gone)\b)\w)"
)
_TOPIC_OF = re.compile(rf"\b(?:about|on)\s(?:my\s|our\s)?(?P<who>{_NAME}|(?:{'|'.join(sum(_KIN, ()))})\b)")
# no owners of a thing: contractions, and what is the owner's as a whole
_CONTRACTED = re.compile(
    r"what|who|where|when|how|which|that|it|there|here|let|he|she|today|tomorrow|everyone|"
    r"team|company|firm|office|group|band|club|class|family|household|house|home|flat|project|school|department|"
    r"society|association|organi[sz]ation|charity|library|shop|store|studio|workshop|parish|congregation|choir|orchestra|theatre|theater|"
    r"museum|gallery|farm|business|practice|clinic|hospital|guild|union|league|council|committee|board|crew|unit|restaurant|bakery|"
    r"caf[eé]|hotel|centre|center|church|community|village|town|site|place",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\w+day|January|February|March|April|May|June|July|August|September|October|November|December|"
    r"week|month|year|tonight",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"\bwho(?:['’]s|\s+(?:is|are|was|were))\b|\bnames?\b|\bcalled\b", re.IGNORECASE)
_PLACED = re.compile(r"\b(?:in|at|from|to|near)$")
_PLAIN = frozenset(stem(word) for word in ("name", "call", "person", "people", "who", "identity"))
_HOW = frozenset(map(stem, ("much", "many", "long", "old", "often", "far")))
_OF_ANYTHING = frozenset(
    stem(word)
    for word in ("favourite", "best", "preferred", "main", "new", "old", "current", "first", "last", "next", "usual")
)
_TIME_VALUE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+day|tomorrow|tonight|night|noon|midday|midnight|morning|evening|afternoon|week|weekend|month|quarter|"
    r"year|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|daily|weekly|monthly|yearly|hourly|after|before|every|once|twice|christmas|easter|dawn|dusk|"
    r"sunrise|sunset|lunch|breakfast|dinner|teatime|bedtime|lunchtime|half past|quarter (?:past|to)|o['’]clock|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hour|birthday|soon|now|later|never|always)s?\b",
    re.IGNORECASE,
)
# "my gym", "do we meet", "I've had"; but how one does a thing, or what one needs for it, is the world's
_OF_THE_OWNER = re.compile(
    r"\b(?:my|our|mine|ours)\b|(?<!\bhow )\b(?:do|did|am|are|have|was|were)\s(?:i|we)\b(?!\s(?:need|want|get)\b)|"
    r"\b(?:i|we)(?:['’]ve|\shave)\b",
    re.IGNORECASE,
)


def is_about(question: str, attribute: str, ledger: Ledger) -> bool:
    """Whether what is, or was, known as *attribute* is about whom and what *question* asks."""
    facts = ledger.timeline(attribute) or ledger.current(attribute)
    if parse_question(question).mode == "topic":
        who = [*whom(question), *(m["who"] for m in _TOPIC_OF.finditer(question))]
        return not who or any(_names(who, f"{one.attribute} {one.value or ''} {one.path}", ledger) for one in facts)
    return any(_is_one(question, fact, ledger) for fact in facts)


def with_known_kin(question: str, ledger: Ledger) -> str:
    """*question* with the word for somebody of the owner's that facts have: `my father` for `my dad`."""

    def known(word: str) -> bool:
        return any(re.search(rf"\b{word}\b", attribute) for attribute in ledger.attributes())

    for words in _KIN:
        asked = next((word for word in words if re.search(rf"\b(?:my|our)\s+{word}\b", question, re.IGNORECASE)), None)
        if asked and not known(asked) and (other := next(filter(known, words), None)):
            question = re.sub(rf"\b{asked}\b", other, question, flags=re.IGNORECASE)
    return question


@dataclass(frozen=True)
class Put:
    """A *question* with another word, *by*, for somebody whom it is about; the fact *who* tells that they are one."""

    question: str
    who: Fact
    by: str

    def is_of_them(self, attributes: Iterable[str]) -> bool:
        """Whether each of *attributes* names them by that word."""
        return all(_stems(self.by) <= _stems(attribute) for attribute in attributes)


def in_other_words(question: str, ledger: Ledger) -> tuple[Put, ...]:
    """
    *question* as it may be put as well: `where does Ana work` for `where does my sister work`, and the other way round.
    None where it asks who somebody is.
    """
    if _ASKS_WHO.search(question):
        return ()
    found = []
    for fact in ledger.facts():
        if fact.state != "known" or not re.fullmatch(rf"(?:Dr\.? )?{PERSONAL_NAME}", fact.value or ""):
            continue
        if is_verbal(fact.attribute) or is_role(fact.attribute) or not fact.attribute.islower():
            continue
        name, role = re.escape(fact.value or ""), "|".join(map(re.escape, _called(fact.attribute)))
        by = fact.value or ""
        said, times = re.subn(rf"\b(?:my |our |the )(?:{role})\b", by, question, flags=re.IGNORECASE)
        if not times:
            by = fact.attribute
            said, times = re.subn(rf"(?<![\w-]){name}\b", f"my {by}", question)
        if times:
            found.append(Put(said, fact, by))
    return tuple(found)


def in_first_person(question: str, ledger: Ledger | None) -> str:
    """
    *question* with the owner's `I` and `my` where a program asks of `the user`: `what is the user's blood type`.
    As it stands where facts are about users.
    """
    if ledger is not None and any(_OF_USERS.search(name) for name in ledger.attributes()):
        return question
    said = _USERS.sub("my", question)
    said = _USER_ASKED.sub(lambda m: f"{_ASKED[m[1].lower()]} I", said)
    said = said[:1].upper() + said[1:] if question[:1].isupper() else said
    return _USER.sub("me", said)


def _called(role: str) -> tuple[str, ...]:
    """*role*, and what else people say for it."""
    return next((words for words in _KIN if role in words), (role,))


def names_somebody(question: str) -> bool:
    """Whether *question* is about a named person's, or a relation's, things or doings."""
    if _stems(question) & _RELATIONS.keys():
        return True
    personal = re.match(r"\W*(?:where|when|who|how old)\b", question, re.IGNORECASE) or _POSSESSOR.search(question)
    return bool(personal) and bool(whom(question))


def is_of_somebody_known(question: str, ledger: Ledger) -> bool:
    """Whether *question* is about the doings or things of somebody of whom facts tell, and of no place among these."""
    told = [f for f in ledger.facts() if not _PLACED.search(f.attribute)]
    return any(_stems(one) & _stems(f"{f.attribute} {f.value or ''}") for one in whom(question) for f in told)


def is_of_the_owner(question: str) -> bool:
    """Whether *question* is about what the owner has, is or does."""
    return _OF_THE_OWNER.search(question) is not None


def names_whom(question: str, text: str, ledger: Ledger) -> bool:
    """Whether *text* names all whom *question* asks about."""
    return all(_names([one], text, ledger) for one in whom(question))


def may_mean_whom(question: str, text: str) -> bool:
    """Whether *text* says of `her`, or of `him`, all that *question* asks of one whom that may mean."""
    who = whom(question)
    of_whom = frozenset().union(*map(_stems, who))
    wanted = core(question) - _PLAIN - _HOW - of_whom
    if len(who) != 1 or not wanted or not wanted <= core(text):
        return False
    may_be = [pronoun for pronoun, kin in ((_HER, _MEN), (_HIM, _WOMEN)) if not of_whom & kin]
    return any(pronoun.search(text) for pronoun in may_be) and not whom(text)


def meets_by_the_way(question: str, text: str) -> bool:
    """Whether *question* and *text* share words, but only such as may be said of anything: `favourite`, `new`."""
    wanted = core(question) - _PLAIN
    shared = wanted & core(text)
    return bool(shared) and shared <= _OF_ANYTHING and wanted > shared


def bears_on(question: str, text: str, ledger: Ledger) -> bool:
    """Whether *text*, a passage, names whom *question* asks about, and more of what it asks than that."""
    who = whom(question)
    if not names_whom(question, text, ledger):
        return False
    wanted = core(question) - _PLAIN - _OF_ANYTHING
    wanted -= _stems(" ".join(who))
    return not wanted or bool(wanted & core(text))


def _is_one(question: str, fact: Fact, ledger: Ledger) -> bool:
    if of_age(fact.attribute) is not None and not re.search(r"\b(?:ages?|old|aged|born)\b", question, re.IGNORECASE):
        return False
    who = whom(question)
    value = fact.value or fact.was or ""
    if any(not _names([one], fact.attribute, ledger) for one in who):
        return False
    mentioned = core(question) | _aliases(core(question), ledger)
    if any(not core(one) & mentioned for one in _possessors(fact.attribute)):
        return False  # somebody's, whom the question does not name
    kin = [
        one for one in _stems(question) if one in _RELATIONS and not _names([one], f"{fact.attribute} {value}", ledger)
    ]
    if kin and not noun_stems(fact.attribute) & set().union(*(_RELATIONS[one] for one in kin)):
        return False
    if re.match(r"^\W*(?:when|what time)\b", question, re.IGNORECASE) and value and not tells_time(value):
        return False
    known = known_names(question, ledger)
    wanted = core(question) - known - _PLAIN
    its = core(fact.attribute) - known
    if who and wanted and not its:
        return False  # it tells who they are, and no more
    shared, left = wanted & its, wanted - its - core(value) - noun_stems(fact.attribute)
    if not shared or not left or not its - wanted:
        return True
    if is_verbal(fact.attribute) or is_role(fact.attribute):
        return bool(shared - _OF_ANYTHING)
    # a favourite food is no favourite colour, nor the team's channel that for alerts
    return bool(shared - _OF_ANYTHING) and not _heads(*parse_question(question).names) & _heads(fact.attribute)


def tells_time(value: str) -> bool:
    """Whether *value* may say when something is, in figures or in words."""
    return _TIME_VALUE.search(value) is not None or MEASURED.search(value) is not None


def known_names(question: str, ledger: Ledger) -> frozenset[str]:
    """The stems of the words by which *question*, and *ledger*, name whom it is about."""
    who = whom(question)
    known = frozenset().union(*(core(one) | _stems(one) for one in who)) if who else frozenset()
    return known | _aliases(known, ledger)


def whom(question: str) -> list[str]:
    """Names and relations whose thing, or whose doing, the question is about."""
    found = [m["who"] for m in _SUBJECT.finditer(question)]
    found += [m["who"] for m in _POSSESSOR.finditer(question) if not _CONTRACTED.fullmatch(m["who"])]
    return [one for one in dict.fromkeys(found) if not _TIMES.fullmatch(one)]


def _possessors(attribute: str) -> list[str]:
    return [m["who"] for m in _POSSESSOR.finditer(attribute)]


def _heads(*phrases: str) -> frozenset[str]:
    return frozenset(found[-1] for phrase in phrases if (found := stems(phrase)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in WORD.findall(text))


def _names(who: Iterable[str], text: str, ledger: Ledger) -> bool:
    """Whether *text* names one of *who*: by a word of the name, by a word for the relation, or by either's other."""
    held = _stems(text)
    for one in who:
        words = _stems(one)
        for word in words | _aliases(words, ledger):
            if held & _RELATIONS.get(word, frozenset([word])):
                return True
    return False


def _aliases(words: frozenset[str], ledger: Ledger) -> frozenset[str]:
    """`husband` for `Ben`, and `Ben` for `husband`, where the one is told to be the other."""
    found: set[str] = set()
    for fact in ledger.facts():
        attribute = _stems(fact.attribute)
        if fact.value and fact.state == "known" and len(attribute) == 1 and attribute & _RELATIONS.keys():
            value = _stems(fact.value)
            if len(value) <= 3 and value & words:
                found |= attribute
            if attribute & words:
                found |= value
    return frozenset(found)
