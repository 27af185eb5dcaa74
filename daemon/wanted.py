"""
What kind of answer a question's own word wants, and whether a value is of that kind: `where` a place, `how often` how
often, `what time` a time. By form alone: no model, no clock.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memory_store.doing import is_done_to, verb_form
from memory_store.phrases import stem
from memory_store.verbs import is_verbal, noun_stems

Kind = Literal[
    "person", "place", "time", "amount", "count", "duration", "frequency", "age", "code", "link", "colour", "reason",
    "measure", "manner", "source", "script", "schedule", "any",
]  # fmt: skip


@dataclass(frozen=True)
class Wanted:
    """
    The *kind* of answer, and the *noun* that names it where the question has one (`which airport`, `the colour of`).

    *words* are stems of the question that only say what kind of answer is wanted.
    """

    kind: Kind
    noun: str = ""
    words: frozenset[str] = frozenset()

    @property
    def head(self) -> str:
        """The stem of the noun's last word."""
        return stem(self.noun.split()[-1]) if self.noun else ""


def _stems_of(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_TIME_NOUNS = "time hour date day weekday week month year season term moment deadline o'clock night"
_AMOUNT_NOUNS = "much price cost fee charge rate amount pay sum total rent salary wage budget"
_PLACE_NOUNS = "place location address town city village country street venue spot whereabouts site building"
_SCHEDULE_NOUNS = "schedule timetable hours rota routine calendar interval"
_PERSON_NOUNS = "person people contact name guy man woman somebody"
_CODE_NOUNS = (
    "code number pin plate registration id postcode licence license serial reference password passcode combination"
)
_LINK_NOUNS = "url link endpoint website email homepage address handle"
_SCRIPT_NOUNS = "syntax command query expression format pattern script snippet"
_COLOUR_NOUNS = "colour color shade"
_OF_NOUN: dict[str, Kind] = {
    **dict.fromkeys(_stems_of(_PERSON_NOUNS) - {stem("name")}, "person"),
    **dict.fromkeys(_stems_of(_PLACE_NOUNS), "place"),
    **dict.fromkeys(_stems_of(_LINK_NOUNS) - {stem("address")}, "link"),
    **dict.fromkeys(_stems_of(_CODE_NOUNS), "code"),
    **dict.fromkeys(_stems_of(_SCRIPT_NOUNS), "script"),
    **dict.fromkeys(_stems_of(_AMOUNT_NOUNS), "amount"),
    **dict.fromkeys(_stems_of(_TIME_NOUNS), "time"),
    **dict.fromkeys(_stems_of(_SCHEDULE_NOUNS), "schedule"),
    **dict.fromkeys(_stems_of(_COLOUR_NOUNS), "colour"),
    stem("age"): "age",
}
# words of a question that say no more than its kind of answer does
_SAID_BY: dict[Kind, frozenset[str]] = {
    "person": _stems_of(_PERSON_NOUNS),
    "place": _stems_of(_PLACE_NOUNS + " whereabouts exactly"),
    "time": _stems_of(_TIME_NOUNS + " take place happen"),
    "amount": _stems_of(_AMOUNT_NOUNS + " cost"),
    "count": _stems_of("many number count"),
    "duration": _stems_of("long quick quickly fast soon time last take"),
    "frequency": _stems_of("often frequently many times"),
    "age": _stems_of("old age"),
    "code": _stems_of("number"),
    "link": _stems_of(_LINK_NOUNS),
    "script": _stems_of(_SCRIPT_NOUNS),
    "schedule": _stems_of(_SCHEDULE_NOUNS),
    "source": frozenset(),
    "colour": _stems_of(_COLOUR_NOUNS),
    "measure": _stems_of("large big tall heavy wide deep high warm hot cold far thick strong full steep loud size"),
    "reason": frozenset(),
    "manner": _stems_of("way"),
    "any": frozenset(),
}
_ALWAYS = _stems_of(
    "exact exactly verbatim literally word letter say said tell text recite quote repeat wording ask give year season "
    "now today currently again please suppose supposed remind called name else"
)
_HOW: tuple[tuple[str, Kind], ...] = (
    (r"much", "amount"),
    (r"many times|often|frequently|regularly", "frequency"),
    (r"many", "count"),
    (r"long|quickly|fast|soon", "duration"),
    (r"old", "age"),
    (r"far|large|big|tall|heavy|wide|deep|high|warm|hot|cold|thick|strong|steep|loud", "measure"),
)
_ASKING = re.compile(
    r"\b(?:(?P<who>who|whom|whose)|(?P<where>where)|(?P<when>when)|(?P<why>why|how come|for what reason|what(?:['’]s| is| was) the reason)|"
    r"how\s+(?P<how>[a-z]+(?:\s+times)?)|(?:what|which)\s+(?:(?:kind|type|sort|brand|make) of\s+)?(?P<np>(?!(?:is|are|was|were|do|does|did|am|has|have|will|else|about|if|can|should)\b)[\w'’-]+(?:\s+[\w'’-]+){0,4}?)"
    r"(?=\s+(?:do|does|did|am|are|is|have|has|was|were|will|should|can|must|['’]m|[a-z]+s|[a-z]+ed)\b|\?|$)|"
    r"(?:what|which)(?:['’]s|\s+(?:is|are|was|were|will be|has been|have been))\s+(?P<is>[^?.,]+))",
    re.IGNORECASE,
)
_MEANWHILE = re.compile(
    r"\s+(?:(?:this|these|next|last) (?:year|season|month|week|term|days|summer|winter|spring|autumn)|now|nowadays|right now|at the moment|at present|today|currently|again|please|then)$",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"\b(?:what|which)\b.*\b(?:costs?|charges?|pays?|paid|earns?|charged)$|\bwhat\b.*\b(?:pay|charge) for\b",
    re.IGNORECASE,
)
_DOES = re.compile(r"\bwhat (?:do|does|did) (?!(?:we|it)\b).+ do(?: for (?:a living|work))?$", re.IGNORECASE)
_WHENCE = re.compile(r"\bwhere\b.*\bfrom$|\bwhere\b.*\b(?:get|buy|order|source)\b", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|for|in|on|at|to|with|from|by|that|which|we|i|you|before|after|over)\b.*$", re.IGNORECASE)


@lru_cache(maxsize=4096)
def wanted(question: str) -> Wanted:
    """What *question* wants, by the word that asks."""
    text = re.sub(r"\s+", " ", question).strip(" ?.!")
    while _MEANWHILE.search(text):
        text = _MEANWHILE.sub("", text)
    if _COSTS.search(text):
        return _of("amount")
    if _DOES.search(text):
        return Wanted("any", "job", _ALWAYS)
    if _WHENCE.search(text):
        return _of("source")
    m = _ASKING.search(text)
    if m is None:
        return Wanted("any", "", _ALWAYS)
    if m["who"]:
        return _of("person")
    if m["where"]:
        return _of("place")
    if m["when"]:
        return _of("time")
    if m["why"]:
        return _of("reason")
    if m["how"]:
        kind = next((kind for said, kind in _HOW if re.fullmatch(said, m["how"].lower())), None)
        if kind in ("amount", "count") and (of := re.match(r"\s+([a-z]+)\b", text[m.end() :], re.IGNORECASE)):
            return Wanted(kind, of[1] if kind == "count" else "", _SAID_BY[kind] | _ALWAYS)
        return _of(kind or "manner")
    noun = re.sub(r"^(?:the|my|our|your|a|an)\s+", "", (m["np"] or m["is"] or "").strip(), flags=re.IGNORECASE)
    noun = _OF.sub("", noun).strip()
    words = noun.split()
    if not words or (is_done_to(words[-1].lower()) and len(words) > 1):
        return _of("any")
    head = stem(words[-1])
    kind = _OF_NOUN.get(head, "any")
    if head == stem("address") and re.search(r"\b(?:e-?mail|web|ip)\b", noun, re.IGNORECASE):
        kind = "link"
    return Wanted(kind, noun, _SAID_BY[kind] | _ALWAYS)


def _of(kind: Kind) -> Wanted:
    return Wanted(kind, "", _SAID_BY[kind] | _ALWAYS)


# -- what a value is ---

_NUMBER = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|dozen|"
    r"quarter|third|couple|pair|none|no|nothing|free|both|several|few|single|double|full|(?:a|per) (?:day|night|week|month|term|year|season|head|person|piece|litre|kilo|hour))\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[£$€¥]\s?\d|\d\s?(?:[£$€¥]|k\b)|\b(?:euros?|pounds?|dollars?|pence|cents?|francs?|kroner|kronor|crowns?|quid|bucks|yen|"
    r"rupees?|zloty|eur|usd|gbp|chf|free of charge)\b",
    re.IGNORECASE,
)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = re.compile(
    rf"\d[:.]\d\d\b|\b\d{{1,2}}\s?(?:am|pm|a\.m|p\.m|h)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun|week|mid|birth|holi|yester|to|every)days?\b|"
    rf"\b(?:{_MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|thu|fri)\b|\b\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:1[5-9]|20)\d\d\b|\b(?:noon|midnight|mornings?|evenings?|afternoons?|nights?|tonight|tomorrow|"
    r"weekends?|weeks?|months?|years?|quarters?|spring|summer|autumn|fall|winter|dawn|dusk|sunrise|sunset|breakfast|lunch|dinner|supper|"
    r"teatime|lunchtime|bedtime|christmas|easter|o['’]clock|hourly|daily|weekly|monthly|yearly|annually|fortnightly|terms?|days?|hours?|minutes?|seasons?|soon|now|later|always|never|"
    r"half past|quarter (?:past|to)|(?:at|by|from|until|till|before|after|around|since|between|to|past)\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})|"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?:\s+(?:thirty|fifteen|forty-five))|once|twice|before|after|during|when)\b|^(?:at\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})$",
    re.IGNORECASE,
)
_A_DAY = re.compile(rf"\b(?:{_MONTHS}|\w+day)\b|\d[.:/]\d", re.IGNORECASE)
_DATES = re.compile(
    rf"\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})\b|\b(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?\b|\d{{4}}-\d\d-\d\d",
    re.IGNORECASE,
)
_TIME_ONLY = re.compile(
    rf"^(?:(?:(?:on|at|by|in|the|every|each|from|until|till|to|of|and|or|around|about|this|next|last|first|second|third|fourth|half|past|quarter|early|late|between|before|after|"
    rf"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{{1,4}}(?::\d\d|\.\d\d)?(?:st|nd|rd|th|am|pm)?|am|pm|o['’]clock|"
    rf"{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|noon|midday|midnight|mornings?|evenings?|afternoons?|nights?|weekends?|spring|summer|autumn|winter|weeks?|months?|years?|hours?|minutes?|days?)[\s,/–-]*)+)$",
    re.IGNORECASE,
)
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?|terms?|seasons?|decades?|h|s)"
_DURATION = re.compile(
    rf"\b(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|half|few|several|couple(?: of)?|hundred|{_UNIT[3:-1]})(?:[\s-]+(?:to|or|and|a|an|half|working|more|\d+|two|three|four|five|six|seven|eight|ten|twelve))*[\s-]*{_UNIT}\b|"
    r"\b(?:until|till|overnight|all (?:day|night|week|year|summer|winter)|forever|indefinitely|from .+ to .+|between .+ and .+)\b",
    re.IGNORECASE,
)
_FREQUENCY = re.compile(
    r"\b(?:every|each|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|hourly|nightly|once|twice|thrice|times|always|never|rarely|often|(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"mornings|evenings|afternoons|nights|weekends|weekdays|(?:a|per) (?:day|week|fortnight|month|term|year|season))\b",
    re.IGNORECASE,
)
_LOCATIVE = r"(?:in|at|on|under|underneath|behind|beside|near|by|above|below|inside|outside|opposite|next to|between|over|off|around|across|along|beyond|upstairs|downstairs|from|to|into|out of|up|down|with)"
_PLACED = re.compile(
    rf"^{_LOCATIVE}\s+\S|\b(?:in|at|on|under|behind|near|beside|inside|next to)\s+(?:the|my|our|a|an|(?-i:[A-Z]))",
    re.IGNORECASE,
)
_AT = frozenset(
    [
        "in",
        "at",
        "on",
        "under",
        "behind",
        "beside",
        "near",
        "above",
        "below",
        "inside",
        "outside",
        "opposite",
        "through",
        "via",
        "around",
        "across",
        "along",
    ]
)
_MOVES = frozenset(
    [
        "go",
        "move",
        "drive",
        "fly",
        "ship",
        "deliver",
        "send",
        "lead",
        "run",
        "travel",
        "walk",
        "sail",
        "ride",
        "bring",
        "take",
        "commute",
        "head",
        "return",
    ]
)
_PLACE_WORDS = re.compile(
    r"\b(?:street|road|lane|avenue|square|hall|house|room|barn|shed|garage|cellar|attic|kitchen|office|hut|farm|park|garden|field|"
    r"school|church|chapel|library|hotel|pub|caf[eé]|station|harbour|harbor|port|quay|pier|beach|bay|lake|river|hill|mountain|valley|island|floor|"
    r"building|centre|center|campus|yard|court|gym|pool|studio|workshop|museum|theatre|theater|stables?|tower|bridge|market|mill|desk|cupboard|drawer|shelf|box|"
    r"fridge|freezer|store|storage|warehouse|basement|porch|gate|door|corner|side|north|south|east|west|home|abroad|upstairs|downstairs|outside|inside|here|there)\b",
    re.IGNORECASE,
)
_COLOURS = re.compile(
    r"\b(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|beige|cream|ivory|gold(?:en)?|silver|bronze|"
    r"turquoise|teal|navy|maroon|crimson|scarlet|magenta|lilac|lavender|indigo|cyan|mint|olive|khaki|ochre|burgundy|tan|"
    r"amber|copper|charcoal|anthracite|coral|peach|rose|mauve|plum|lime|emerald|clear|transparent|striped|\w+(?:ish))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:^|\s)(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s)?[A-ZÀ-Þ][\w'’.-]+")
_PERSONAL = re.compile(
    r"\b(?:my|our|the|his|her|their|a|an)\s+\w|\b(?:someone|somebody|nobody|everyone|everybody|anyone|volunteers?|myself|ourselves|"
    r"me|us|i|we|he|she|they|him|her|them|you|\w+(?:er|or|ist|ian|man|woman|ant|ent|ess)s?|parents?|family|neighbours?|neighbors?|students?|"
    r"children|kids|people|team|staff|crew|club|company|council|committee)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"[\w-]\.[a-z]{2,}|/|@|\blocalhost\b|:\d{2,}", re.IGNORECASE)


_STREET = re.compile(r"\s(?:Street|Road|Lane|Avenue|Square|Crescent|Terrace|Drive|Row|Hill|Way)$")
_ASKS_THE_HOUR = re.compile(r"\b(?:what|which) (?:time|hour)\b|\bhow (?:early|late)\b", re.IGNORECASE)
_HOUR = re.compile(
    r"\d[:.]\d\d|\b\d{1,2}(?!\d|[.:]\d|(?:st|nd|rd|th)\b|[-/]\d|\s+(?:of\s+)?[A-Z])|o['’]clock|\b(?:noon|midday|midnight|mornings?|evenings?|afternoons?|nights?|"
    r"dawn|dusk|sun\w+|break\w*|lunch\w*|dinner|supper|tea\w*|bed\w*|half past|quarter|after|before|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|opening|closing|early|late|hours?)\b",
    re.IGNORECASE,
)


def tells_no_hour(question: str, text: str) -> bool:
    """Whether *question* asks for the hour, and *text* has none: no month, nor a day, is what time something is."""
    return _ASKS_THE_HOUR.search(question) is not None and _HOUR.search(text) is None


_NOTHING = re.compile(r"(?:none|nowhere|nothing|no one|nobody|never|not)\b", re.IGNORECASE)


def is_of(kind: Kind, attribute: str, value: str) -> bool | None:
    """Whether *value*, told as *attribute*, is of that *kind*; None where its form does not tell."""
    if _NOTHING.match(value):
        return None
    match kind:
        case "person":
            return _is_person(attribute, value)
        case "place":
            return _is_place(attribute, value)
        case "time":
            return _TIME.search(value) is not None and not _MONEY.search(value)
        case "amount":
            if _MONEY.search(value) or re.fullmatch(r"[\d.,]+", value):
                return True
            if re.match(r"(?:every|each|once|twice)\b", value, re.IGNORECASE):
                return False
            return False if _TIME_ONLY.match(value) and not _DURATION.search(value) else _counted(value)
        case "count":
            return bool(_counted(value) or re.search(r",|\band\b", value))
        case "measure":
            return _counted(value)
        case "duration":
            return _DURATION.search(value) is not None or bool(re.search(r"\d", value) and not _TIME_ONLY.match(value))
        case "frequency":
            return _FREQUENCY.search(value) is not None
        case "age":
            return bool(_NUMBER.search(value)) and not _A_DAY.search(value)
        case "code":
            return True if re.search(r"\d", value) else None
        case "link":
            return True if _LINK.search(value) else None
        case "schedule":
            return True if _TIME.search(value) or _FREQUENCY.search(value) else None
        case "source":
            return _is_place(attribute, value) or _is_person(attribute, value) or None
        case "script":
            return True if re.search(r"[(){}\[\]=$<>|_]|\w\.\w|--?\w|/", value) else None
        case "manner":
            last = attribute.split()[-1].lower()
            return False if last in ("in", "at", "as") and _NAMED.search(value) else None
        case "colour":
            return _COLOURS.search(value) is not None
        case _:
            return None


def _counted(value: str) -> bool | None:
    """Whether *value* tells how many or how much; a name without any number does not."""
    if _NUMBER.search(value):
        return True
    return False if _NAMED.match(value) else None


def _is_person(attribute: str, value: str) -> bool | None:
    if _STREET.search(value):
        return False
    if _TIME_ONLY.match(value) or _MONEY.search(value) or re.match(r"[\d\W]+$", value) or _LINK.search(value):
        return False
    if re.match(r"(?:in|on|under|behind|near|next to|from|inside|outside)\s", value, re.IGNORECASE):
        return False
    last = attribute.split()[-1].lower()
    if last in ("in", "on", "near", "behind", "under", "as", "within") or (
        last == "at" and not _of_employers(attribute)
    ):
        return False
    if last in ("by", "with"):
        return True
    if is_verbal(attribute) and last not in ("to", "for", "from", "at", "of"):
        return None
    return True if _NAMED.search(value) or _PERSONAL.search(value) else None


def _of_employers(attribute: str) -> bool:
    """Whether one *does* this at somebody's: `work at`, `bank at`, `study at`."""
    return bool(
        re.search(r"\b(?:work|bank|stud|shop|train|insur|buy|bought|order|learn|treat)\w*\b", attribute, re.IGNORECASE)
    )


_PLACE_STEMS = _stems_of(
    _PLACE_NOUNS + " home residence base headquarters room hall office school gym where workplace company employer"
)
_SOMEBODY = re.compile(r"(?:Dr|Mr|Ms|Mrs|Prof|Miss)\b")
_WHO_DOES = re.compile(r"(?:er|or|ist|man|woman|lead|chief|head|chair|boss|agent|vet|cook|nurse|friend|mate)$")
_NOT_PLACES = frozenset(["as", "by", "of", "about", "than"])


def _is_place(attribute: str, value: str) -> bool | None:
    if _TIME_ONLY.match(value) or _MONEY.search(value):
        return False
    words = attribute.lower().split()
    last = words[-1]
    if last in _NOT_PLACES or _SOMEBODY.match(value):
        return False
    if _WHO_DOES.search(last) and re.fullmatch(r"[A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ][\w'’-]+)?", value):
        return False
    if last in _AT:
        return True
    if {"to", "into"} & set(words) and (verb_form(words[0]) or ("",))[0] in _MOVES:
        return True
    if last in ("to", "into", "towards", "from"):
        return True if any((verb_form(word) or ("",))[0] in _MOVES for word in words) else None
    if _PLACED.search(value) or _PLACE_WORDS.search(value) or _LINK.search(value):
        return True
    held = frozenset(map(stem, words)) | noun_stems(attribute)
    if held & _PLACE_STEMS:
        return True
    form = verb_form(words[0]) if len(words) > 1 else None
    if form is not None and form[1] == "s":
        return False  # who does it
    if last == "with":
        return None
    return None if _NAMED.search(value) or is_done_to(last) else False


def holds(kind: Kind, text: str) -> float:
    """How surely *text*, a sentence, holds anything of that *kind*, in [0, 1]; 0.5 where its form does not tell."""
    match kind:
        case "person":
            return 0.4 if _PERSONAL.search(text) else 0.0  # a name is told apart from the question's own by who asks
        case "place" | "source":
            return 1.0 if _PLACED.search(text) else 0.6 if _PLACE_WORDS.search(text) else 0.0
        case "time" | "schedule":
            return 1.0 if _TIME.search(text) else 0.0
        case "amount":
            return 1.0 if _MONEY.search(text) else 0.7 if _NUMBER.search(text) else 0.0
        case "age":
            return 1.0 if _NUMBER.search(_DATES.sub(" ", text)) else 0.0
        case "count" | "measure":
            return 1.0 if _NUMBER.search(text) else 0.0
        case "duration":
            return 1.0 if _DURATION.search(text) else 0.0
        case "frequency":
            return 1.0 if _FREQUENCY.search(text) else 0.5 if _TIME.search(text) else 0.0
        case "colour":
            return 1.0 if _COLOURS.search(text) else 0.0
        case "code" | "link":
            return 1.0 if re.search(r"\d", text) else 0.3
        case _:
            return 0.5
