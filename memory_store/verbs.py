"""
Attributes made of verbs, as sentences and as nouns: `live in` -> `you live in Porto`; home, town, address.

A small lexicon of everyday English verbs, so that `where do I live`, `my home town` and `I moved to` meet.
"""

import re
from functools import lru_cache

from memory_store.ages import of_age
from memory_store.doing import RATHER_NOUNS, is_done_to, past_of, verb_form
from memory_store.grammar.lexicon import candidates
from memory_store.phrases import FUNCTION_WORDS, stem

# What people call the thing that stands after the verb.
_NOUNS: dict[str, str] = {
    "live in": "home residence city town address place where I live",
    "based in": "home residence city town place where I am based",
    "live with": "household flatmates family people I live with",
    "work as": "job title profession occupation position role trade",
    "work at": "employer job company workplace",
    "work on": "project task work",
    "study at": "school university college program degree course",
    "study": "subject major field of study",
    "drive": "car vehicle",
    "ride": "bike vehicle",
    "take to work": "commute way to work transport",
    "subscribed to": "subscription service",
    "part of": "club group membership",
    "member of": "club group membership",
    "play": "sport game instrument",
    "learn": "skill language subject I am learning",
    "planning": "plan trip",
    "have coming up": "upcoming event plan",
    "sleep": "sleep schedule bedtime",
    "read": "book reading",
    "watch": "show film series",
    "listen to": "music podcast",
    "wear": "clothes size",
    "eat": "food diet",
    "drink": "drink beverage",
    "speak": "language",
    "allergic to": "allergy",
    "diagnosed with": "illness diagnosis condition",
    "married to": "husband wife spouse",
    "report to": "manager boss",
    "shop at": "shop store",
    "bank with": "bank",
    "bank at": "bank",
    "meet at": "meeting place",
    "train at": "gym training place",
    "deploy on": "hosting deployment infrastructure",
    "deploy to": "hosting deployment infrastructure",
    "host on": "hosting infrastructure",
    "weigh": "weight",
    "owe": "debt",
    "earn": "salary pay wage income",
    "am": "who I am",
}
# What people call somebody who does this for them, by a word of what they do it to.
_ROLES: dict[str, str] = {
    "book": "accountant bookkeeper", "account": "accountant bookkeeper", "tax": "accountant tax adviser", "hair": "hairdresser barber",
    "tooth": "dentist", "teeth": "dentist", "lawn": "gardener", "garden": "gardener", "pipe": "plumber", "website": "web designer",
    "roof": "roofer", "nail": "manicurist", "photo": "photographer", "picture": "photographer", "wiring": "electrician",
}  # fmt: skip
# Verbs that are no nouns, whatever the value is.
_NO_NOUNS = ("am", "are", "hate", "dislike", "weigh", "owe", "earn", "quit")
# Verbs that alone are rather nouns: `my bike`, not `I bike it`.
_NOUN_ALONE = frozenset("bike cycle train shop bank walk swim hike park".split())
_NOUN_FOR = re.compile(r"(?:code|rent) (?:for|of|to) ")  # `code for the shed`: what it is, nobody does
_ING_NOUNS = frozenset(
    "bedding building heating lighting training parking clothing wedding meeting housing catering flooring wiring "
    "plumbing seating bearing filling stuffing dressing icing topping stocking lodging briefing opening".split()
)
# `meeting with the dean` is what there is, and nobody's doing.
_EVENT = re.compile(rf"(?:{'|'.join(sorted(_ING_NOUNS))}) (?:with|in|for|about|of) (?:the|my|our) \w+$")
_RECIPIENT = re.compile(r"^(?P<what>.+) recipient$")
_PREPOSITION = r"(?:in|at|on|to|with|for|from|by|as|through|of|up|around|near|via|after|over)"
_HABIT = frozenset(
    """live reside stay work study drive ride take use own play train practise practice learn speak read watch
    attend follow deploy host release ship buy order sleep eat drink wear carry prefer like love enjoy rent
    commute meet teach collect grow cook volunteer store keep run write code develop hike swim cycle bike go
    walk shop bank sing paint sell measure rely track manage log build monitor serve subscribed based allergic
    part member have planning am are diagnosed insured enrolled get do send edit shoot rehearse stage make put perform
    hate dislike weigh owe earn quit""".split()
)
_SLOT = re.compile(
    rf"^(?P<head>[a-z]+(?: {_PREPOSITION})?) (?P<tail>{_PREPOSITION} (?!.* {_PREPOSITION}$).+|coming up|lined up|planned|scheduled|booked)$"
)
# `minutes taken by`, `boats kept in`
_DONE_TO = re.compile(
    rf"^(?P<np>.+?) (?P<done>[a-z]+(?: (?:after|for|of|up|out|off|down|over|back|away))?) (?P<how>{_PREPOSITION}|within|under|before|behind)$"
)
_PARTICIPLES = (
    "subscribed",
    "based",
    "allergic",
    "part",
    "member",
    "planning",
    "diagnosed",
    "insured",
    "enrolled",
    "from",
    "married",
    "engaged",
    "responsible",
)


@lru_cache(maxsize=65536)
def is_verbal(attribute: str) -> bool:
    """Whether *attribute* is a verb phrase whose object the value is, with the owner as its subject."""
    bare = attribute.removeprefix("we ")
    words = bare.split()
    if re.fullmatch(rf"[a-z]+ {_PREPOSITION}", bare) and not words[0].endswith("s"):
        return bare in _NOUNS or words[0] in _HABIT or words[0] in _PARTICIPLES or verb_form(words[0]) is not None
    if len(words) == 3 and re.fullmatch(_PREPOSITION, words[2]) and words[1].endswith("s"):
        form = verb_form(words[0])  # `screen films on`
        if form is not None and form[1] == "base" and verb_form(words[1]) is None:
            return True
    if not words or words[0] not in _HABIT or bare in _NOUN_ALONE or _NOUN_FOR.match(bare):
        return False
    return len(words) == 1 or bool(re.search(rf"\b{_PREPOSITION}$", bare)) or bool(_SLOT.match(bare))


def tells_where(attribute: str) -> bool:
    """Whether *attribute* is of where somebody or something is: `Polly is`, `parents are`, in which group, on which floor."""
    return _WHERE_IS.match(attribute) is not None


_WHERE_IS = re.compile(r"(?P<who>\S.*)\s(?P<is>is|are)$")


@lru_cache(maxsize=65536)
def is_role(attribute: str) -> bool:
    """Whether *attribute* is what somebody does: `makes our costumes`, `directing us`, `performing at`."""
    if attribute in _ING_NOUNS or _EVENT.match(attribute):
        return False
    if re.search(rf"\s{_PREPOSITION}$", attribute):
        return True
    return bool(
        re.match(
            r"^[a-z]+(?:s|ing)\s+(?:[a-z]+\s+)?(?:our|my|the|us|me)\b|^[a-z]+ing(?:\s(?:in|at|on|up|out|with))?$",
            attribute,
        )
    )


_FEELINGS = frozenset("love like enjoy hate prefer follow watch track read use own have look want am are".split())


def is_thing_and_deed(noun: str, deed: str) -> bool:
    """Whether *noun* is a thing, and *deed* what one does by the same word that is not named so: `train`, `train at`."""
    verb, _, preposition = deed.removeprefix("we ").partition(" ")
    return noun == verb and noun in _NOUN_ALONE and bool(preposition) and noun not in nouns(deed).split()


@lru_cache(maxsize=65536)
def stands_for_noun(attribute: str) -> bool:
    """Whether people may come back to *attribute* by a noun: `performing at` as the venue, not `love`."""
    return (is_verbal(attribute) or is_role(attribute)) and attribute.removeprefix("we ").split()[0] not in _FEELINGS


@lru_cache(maxsize=65536)
def nouns(attribute: str) -> str:
    """Nouns for what a verbal *attribute* holds; empty where the lexicon knows none."""
    known = _NOUNS.get(attribute.removeprefix("we "), "")
    if known or not re.match(r"[a-z]+(?:s|ing) (?:my|our|the) ", attribute):
        return known
    last = attribute.split()[-1].lower()
    return _ROLES.get(last) or _ROLES.get(last.removesuffix("s")) or _ROLES.get(last.removesuffix("es")) or ""


@lru_cache(maxsize=65536)
def noun_stems(attribute: str) -> frozenset[str]:
    """The stems of the nouns of *attribute*."""
    return frozenset(stem(w) for w in nouns(attribute).split() if len(w) > 2 and w not in FUNCTION_WORDS)


def sentence(attribute: str, value: str, *, past: bool = False) -> str:
    """*attribute* and *value* as a plain sentence to the owner, of now or of the *past*, without its full stop."""
    subject, verb, rest = _clause(attribute, value)
    return f"{subject} {past_of(verb) if past else verb} {rest}"


def news(attribute: str, value: str, before: str) -> str:
    """That *attribute* is *value* now, and no longer *before*, as one sentence without its full stop."""
    subject, verb, rest = _clause(attribute, value)
    _, _, was = _clause(attribute, before)
    is_so = verb in ("is", "are", "am")
    said = f"{subject} {verb} now {rest}" if is_so else f"{subject} now {verb} {rest}"
    return f"{said}, no longer {before if subject == value else was.removeprefix('you ')}"


def within(told: str) -> str:
    """The sentence *told* as it goes on after a comma or a colon."""
    return told[:1].lower() + told[1:] if told.startswith(("You ", "Your ")) else told


def _clause(attribute: str, value: str) -> tuple[str, str, str]:
    """Subject, verb and the rest of the sentence that says to the owner that *attribute* is *value*."""
    bare = attribute.removeprefix("we ")
    if bare.endswith(" as") and _ONE_OF_A_KIND.match(value):
        value = f"{'an' if value[0] in 'aeiou' else 'a'} {value}"
    thing = _may_be_thing(bare) and bool(re.match(r"an?\s", value) or _AMOUNT.match(value))
    if (whose := of_age(attribute)) is not None:
        return (your(whose, capital=True), "is", value) if whose else ("You", "are", value)
    if m := _RECIPIENT.match(bare):
        return your(m["what"], capital=True), "go" if plural(m["what"]) else "goes", f"to {value}"
    if m := _WHERE_IS.match(attribute):
        return your(m["who"], capital=True), m["is"], value
    if m := _BETWEEN.match(bare):
        return "You", m["did"], f"{m['whom']} {value}" if m["whom"] else value
    if is_verbal(attribute) and not thing:
        verb, _, rest = bare.partition(" ")
        if bare in ("am", "are"):
            return "You", "are", value
        if bare == "live with" and value.lower() in ("alone", "by myself"):
            return "You", "live", value
        if m := _SLOT.match(bare):
            verb, _, rest = m["head"].partition(" ")
            rest, value = f"{rest} {value}".strip(), m["tail"]
        said = f"{rest} {value}".strip()
        return ("You", "are", f"{verb} {said}") if _is_participle(verb) else ("You", verb, said)
    if thing and is_verbal(attribute):
        return f"Your {bare}", "is", value
    if told := _third(attribute, value):
        return told
    if re.match(r"^[a-z]+ing\b(?! (?:our|my|the|us|me)\b)", bare) and is_role(bare):
        return "You", "are", f"{bare} {value}"
    if role := _role(attribute):
        return value, *role
    return your(attribute, capital=True), "are" if plural(attribute) else "is", value


def _may_be_thing(bare: str) -> bool:
    """Whether *bare*, one word, may be what a thing is called rather than what one does: `rent`, and not `get`."""
    if " " in bare or bare in _NO_NOUNS:
        return False
    return not is_verbal(bare) or "NN" in dict(candidates(bare))


# what is between the owner and another: `lent Cem`, and what is had without being it: `rent out`
_BETWEEN = re.compile(r"(?P<did>lent|owe|rent out|hire out|let out)(?:\s(?P<whom>(?!(?:for|to|of|on|in)\b)\S.*))?$")


def _is_participle(verb: str) -> bool:
    return verb in _PARTICIPLES or (verb.endswith("ing") and (verb_form(verb) or ("", "ing"))[1] == "ing")


def _role(attribute: str) -> tuple[str, str] | None:
    """What somebody does for the owner, as verb and the rest: `makes`, `your costumes`."""
    m = re.match(r"^(?P<v>[a-z]+(?:s|ing)) (?P<o>(?:[a-z]+ )?(?:our|my|the|us|me)\b.*)$", attribute)
    if m is None or _EVENT.match(attribute):
        return None
    said = re.sub(r"\b(?:us|me)$", "you", re.sub(r"\b(?:our|my)\b", "your", m["o"]))
    return ("is", f"{m['v']} {said}") if m["v"].endswith("ing") else (m["v"], said)


# a trade or the like, told without its article
_ONE_OF_A_KIND = re.compile(
    r"(?!(?:an?|the|my|our|your|one|part|head|chief|both)\s)(?!.*(?:,|\band\b))[a-z][\w -]*(?<!s)$"
)
_AMOUNT = re.compile(
    r"[£$€]?\d[\d.,:]*(?:\s?[£$€]|\s(?:euros?|dollars?|pounds?))?(?:\s(?:a|per|each|every)\s\w+)?$", re.IGNORECASE
)


_OF_AMOUNTS = frozenset("take cost last need weigh hold have contain".split())


def _told_by_lexicon(words: list[str]) -> tuple[str, str, str] | None:
    """`cheese ages for`, `twins allergic to`: with a verb that is none of the everyday ones, or a quality."""
    word, preposition = words[-2], words[-1]
    if verb_form(word) is not None or not word.islower():
        return None
    subject = " ".join(words[:-2])
    may = dict(candidates(word))
    if "VBZ" in may and not plural(subject):
        return subject, word, preposition
    if "JJ" in may and may["JJ"] == 0 and may.get("NN", 2.0) > 1.0:
        return subject, "are" if plural(subject) else "is", f"{word} {preposition}"
    return None


@lru_cache(maxsize=65536)
def _third_parts(attribute: str) -> tuple[str, str, str] | None:
    """*attribute* as subject, verb and what comes before the value: `Ana works at`, `boxes packed by`."""
    if (m := _DONE_TO.match(attribute)) and is_done_to(m["done"].split()[0]):
        return m["np"], "are" if plural(m["np"]) else "is", f"{m['done']} {m['how']}"
    words = attribute.split()
    if len(words) > 2 and words[-2] == "due":
        return " ".join(words[:-2]), "are" if plural(" ".join(words[:-2])) else "is", f"due {words[-1]}"
    if (
        len(words) > 1
        and words[-1].islower()
        and verb_form(words[-1]) is not None
        and is_done_to(words[-1])
        and words[-1] not in RATHER_NOUNS
    ):
        subject = " ".join(words[:-1])
        if not is_verbal(subject):
            return subject, "are" if plural(subject) else "is", words[-1]  # `garden watered` twice a day
    rare = _told_by_lexicon(words) if len(words) > 2 and re.fullmatch(_PREPOSITION, words[-1]) else None
    if rare and not any((verb_form(word) or ("", ""))[1] == "s" for word in words[1:-2]):
        return rare
    for i, word in enumerate(words[1:], start=1):
        form, rest = verb_form(word), " ".join(words[i + 1 :])
        ends = bool(re.search(rf"(?:^|\s)(?:{_PREPOSITION}|within|under|before|behind|between)$", rest))
        if form is None or (rest and not ends and " " in rest) or len(words) - i > 4:
            continue
        subject = " ".join(words[:i])
        if form[1] == "s" and rest.isalpha() and rest.islower() and word not in RATHER_NOUNS and not ends:
            return subject, word, rest  # `daughter wears size`
        if form[1] == "s" and (ends or word not in RATHER_NOUNS or word == "costs"):
            return subject, word, rest
        if form[1] == "base" and (ends or (not rest and word in _OF_AMOUNTS)) and plural(subject):
            return subject, word, rest
    return None


def _third(attribute: str, value: str) -> tuple[str, str, str] | None:
    """The sentence that tells what somebody or something of the owner's does, has or costs."""
    parts = _third_parts(attribute)
    if parts is None or (parts[1] == "costs" and not parts[2] and not _AMOUNT.match(value)):
        return None
    subject, verb, rest = parts
    rest = "you" if verb == "owes" and not rest else rest
    return your(subject, capital=True), verb, f"{rest} {value}".strip()


@lru_cache(maxsize=65536)
def plural(attribute: str) -> bool:
    """Whether *attribute* is of several things."""
    head = re.split(rf"\s{_PREPOSITION}\s", attribute)[0].split()[-1].lower()
    return head.endswith("s") and not head.endswith(("ss", "us", "is", "as", "ics", "os")) and len(head) > 3


def your(attribute: str, *, capital: bool = False) -> str:
    """*attribute* as a noun phrase of the owner's: `your rent`, `where you live`, `Nora's birthday`."""
    if m := _WHERE_IS.match(attribute):
        name = f"where {your(m['who'])} {m['is']}"
    elif is_verbal(attribute) and (attribute not in RATHER_NOUNS or attribute in _NOUNS):
        name = _what_you_do(attribute.removeprefix("we "))
    elif parts := _third_parts(attribute):
        name = _asked_by(parts[2], f"{your(parts[0])} {parts[1]}")
    elif role := _role(attribute):
        name = f"who {' '.join(role)}"
    elif _NAMED.match(attribute):
        name = attribute  # somebody who has a name, or what is theirs
    elif _NOBODYS.match(attribute):
        name = f"the {attribute}"
    else:
        name = f"your {_small(attribute)}"
    return name[:1].upper() + name[1:] if capital else name


def _small(attribute: str) -> str:
    """*attribute* without the capital that it has only from the head of its sentence: `visiting hours`."""
    first, _, rest = attribute.partition(" ")
    begins = (
        bool(rest)
        and rest == rest.lower()
        and first[1:].islower()
        and any(tag.startswith(("NN", "JJ", "VB")) and tag != "NNP" for tag, _ in candidates(first.lower()))
    )
    return f"{first.lower()} {rest}" if begins else attribute


_NOBODYS = re.compile(
    r"(?:[a-z]+ )?(?:lady|woman|man|gentleman|guy|people|person|patient)\b(?:\s(?:in|at|from|on|with)\s|$)"
)
_NAMED = re.compile(
    r"(?:the|your|our|my|what)\s|(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Frau|Herr)\.?\s[A-Z]|[A-Z][\w-]*(?:\s[A-Z][\w-]*)?['’]s?\s|[A-ZÀ-Þ][a-zà-ÿ]+(?:\s[A-ZÀ-Þ][a-zà-ÿ]+)*$"
)


_AT_AN_HOUR = re.compile(r"\b(?:open|clos|start|begin|end|finish|leav|arriv|depart|wak)\w*$")


def _asked_by(preposition: str, told: str) -> str:
    """The clause that asks for what *told* leaves out behind its *preposition*: `where you live`."""
    if preposition in ("in", "at", "near"):
        return f"{'when' if preposition == 'at' and _AT_AN_HOUR.search(told) else 'where'} {told}"
    return f"{'who' if preposition == 'with' else 'what'} {told} {preposition}".strip()


def _what_you_do(verbal: str) -> str:
    """`where you live` for `live in`, `what you are allergic to`, `what you take for breakfast`."""
    if verbal in ("am", "are"):
        return "what you are"
    verb, _, rest = verbal.partition(" ")
    return _asked_by(rest, f"you are {verb}" if _is_participle(verb) else f"you {verb}")


_TURNED = {"my": "your", "our": "your", "me": "you", "us": "you", "myself": "yourself", "I'm": "you are", "I": "you"}
_OF_THE_SPEAKER = re.compile(rf"(?<![\w.-])(?:{'|'.join(_TURNED)})(?![\w.-])")


def to_you(words: str) -> str:
    """*words* of the owner's as they are said back to them: `with my partner` as `with your partner`."""
    return _OF_THE_SPEAKER.sub(lambda m: _TURNED[m[0]], words.replace("I’m", "I'm"))
