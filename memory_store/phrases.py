"""
English words and phrases as far as memory needs them: stems, what a phrase is about, where a value ends.

Only closed classes and word endings of the language stand here; names of things are always the owner's own words.
"""

import re
from functools import lru_cache

from memory_store.doing import irregular

WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?", re.UNICODE)

# Words that carry no topic of their own.
FUNCTION_WORDS = frozenset(
    """a an the my our your his her its their mine ours i we you he she it they me us him them this that these
    those there here is are was were be been being am 's 're 've 'll 'd do does did done have has had having
    will would can could shall should may might must of for to in on at by with from as into onto over under
    about around after before between and or but so if then than also too just now currently still again already
    always usually often really actually any some all each every both what which who whom whose when where why
    how that's what's who's where's when's it's i'm we're i've we've let's please tell know known remember
    everything anything list name right one ones ever more most new current latest present not no don't didn't
    doesn't up these days moment today please""".split()
)
# Verbs that say little: what stands beside them names the thing.
LIGHT_VERBS = frozenset(
    """have has had having use uses used using go goes went going gone get gets got getting take takes took taken
    taking do does did doing make makes made making run runs ran running keep keeps kept keeping be being been
    come comes coming came give gives gave put puts set sets own owns owned handle handles rely relies call
    calls called""".split()
)
# Nouns that only say that something is a thing of its kind.
CLASS_NOUNS = frozenset(
    """tool tools system systems provider providers service services platform platforms framework frameworks app
    apps software program thing things stuff name names kind type sort choice option setup arrangement place
    places location locations person people company brand model details info information status""".split()
)
_IRREGULAR = {
    **irregular(),
    "went": "go", "gone": "go", "took": "take", "taken": "take", "got": "get", "made": "make", "ran": "run",
    "kept": "keep", "bought": "buy", "brought": "bring", "taught": "teach", "met": "meet", "paid": "pay", "ate": "eat",
    "eaten": "eat", "drank": "drink", "drove": "drive", "driven": "drive", "wore": "wear", "worn": "wear",
    "slept": "sleep", "spoke": "speak", "spoken": "speak", "wrote": "write", "written": "write", "led": "lead",
    "left": "leave", "chose": "choose", "chosen": "choose", "choice": "choose", "rode": "ride", "ridden": "ride",
    "sold": "sell", "sent": "send", "held": "hold", "grew": "grow", "flew": "fly", "became": "become", "began": "begin",
    "gave": "give", "given": "give", "built": "build", "children": "child", "wives": "wife", "people": "person",
    "living": "live", "lives": "live", "lived": "live", "using": "use", "used": "use", "moving": "move", "moved": "move",
    "supplies": "supply", "medication": "medicine", "medications": "medicine", "media": "media",
}  # fmt: skip
# Words that are mostly written short.
_SHORT = {
    "auth": "authentication", "config": "configuration", "repo": "repository", "admin": "administrator", "doc": "document",
    "dev": "developer", "info": "information", "spec": "specification", "app": "application", "env": "environment",
    "dept": "department", "org": "organization", "temp": "temperature", "appt": "appointment", "med": "medicine",
    "fave": "favorite", "fav": "favorite", "favourite": "favorite", "veg": "vegetable", "veggie": "vegetable",
    "lab": "laboratory", "phone": "telephone", "bike": "bicycle", "fridge": "refrigerator", "exam": "examination",
    "uni": "university", "rep": "representative", "tech": "technology", "stat": "statistic", "photo": "photograph",
    "mic": "microphone", "vet": "veterinarian", "kit": "kit", "pw": "password", "db": "database", "mgr": "manager",
    "flat": "flat", "programme": "program", "tv": "television", "ad": "advertisement", "vac": "vacation", "dorm": "dormitory",
}  # fmt: skip
_SUFFIXES = (
    "izations", "ization", "ational", "ations", "ation", "ments", "ment", "ities", "ity", "iness", "ness", "ences",
    "ence", "ances", "ance", "ions", "ion", "ings", "ing", "iers", "ier", "ers", "ors", "er", "or", "ates", "ate",
    "ship", "ially", "ial", "ally", "al", "ary", "ies", "ied", "ive", "ed", "es", "ly", "ist", "s", "y", "e",
)  # fmt: skip
_PARTICLE_VERB = re.compile(
    r"\b(work|set|sign|log|check|back|start|build|clean|follow|stand|kick|hand|turn|wrap|warm|meet|hang)"
    r"(?:s|ed|ing|ning|ting|nging)?[ -](out|up|in|off|on|down|over)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """What the forms of a word have in common: `supervises`, `supervisor` -> `supervis`. Crude, and the same for all."""
    word = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    word = _IRREGULAR.get(word) or _SHORT.get(word) or _SHORT.get(word.removesuffix("s")) or word
    changed = True
    while changed:
        changed = False
        for suffix in _SUFFIXES:
            if suffix == "s" and word.endswith(("ss", "us", "is")):
                continue
            least = 3 if len(suffix) <= 2 or suffix in ("ing", "ings") else 4
            if word.endswith(suffix) and len(word) - len(suffix) >= least:
                word = word[: -len(suffix)]
                changed = True
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def joined(text: str) -> str:
    """*text* with particle verbs as one word, and words joined by hyphens as several: `work out` -> `workout`."""
    return _PARTICLE_VERB.sub(lambda m: m[1] + m[2], text).replace("-", " ")


@lru_cache(maxsize=65536)
def stems(text: str) -> tuple[str, ...]:
    """Stems of the words of *text* that carry a topic, in order, each once; particle verbs are one word."""
    words = [w.lower().replace("’", "'") for w in WORD.findall(joined(text))]
    kept = [w for w in words if w not in FUNCTION_WORDS and w.removesuffix("'s") not in FUNCTION_WORDS]
    return tuple(dict.fromkeys(stem(w) for w in kept))


LIGHT_STEMS = frozenset(stem(w) for w in LIGHT_VERBS)
TOOL_STEMS = frozenset(stem(w) for w in "tool system provider service platform framework app software program".split())
_CLASS_STEMS = frozenset(stem(w) for w in CLASS_NOUNS)


@lru_cache(maxsize=65536)
def core(text: str) -> frozenset[str]:
    """Stems that name what *text* is about: without light verbs and class nouns, unless nothing else is left."""
    every = stems(text)
    without_light = [s for s in every if s not in LIGHT_STEMS] or list(every)
    return frozenset([s for s in without_light if s not in _CLASS_STEMS] or without_light)


@lru_cache(maxsize=65536)
def class_modifiers(text: str) -> frozenset[str]:
    """Class nouns that stand before a word of the topic, and tell it from others: `company address`, `app password`."""
    text = re.sub(r"^[a-z]+ to (?=[a-z])", "", text)  # `a place to rehearse` is where we rehearse
    about, every = core(text), stems(text)
    last = max((i for i, s in enumerate(every) if s in about), default=0)
    return frozenset(s for s in every[:last] if s in _CLASS_STEMS) - about


def overlap(a: frozenset[str], b: frozenset[str]) -> tuple[int, int]:
    """How many stems *a* and *b* share, seen from either side."""
    shared = len(a & b)
    return shared, shared


# -- values ---

_PRONOUN = r"(?:i|we|it|they|he|she|you|that|this|there|which|who|everyone|people|nobody|someone|everything|nothing)"
_CUT = re.compile(
    r"\s+(?:—|–|--|-)\s+"
    r"|\s*;\s*|\s*:\s+(?=[a-z])"
    rf"|(?<!for a),?\s+(?:and|but|or|so|because|since|as|though|although|while|until|unless|if|when|whenever|once|where|after|before)"
    rf"\s+(?:{_PRONOUN}\b|{_PRONOUN}['’]|my\b|our\b|then\b|now\b)"
    r"|,\s+(?:and|but|so|which|who|whose|where|because|though|although|while|since|if|when|in case|by the way|just|not|no more"
    r"|rather|instead|right|thanks|thank|please|as|except|still|already|really|even|only|always|usually|often|sadly|luckily|finally|especially|hence|thus|until|plus)\b"
    rf"|,\s+(?:{_PRONOUN})(?:\s|['’])"
    r"|,\s+(?:thats|its|hes|shes|theyre|no|keep|remember|god|eh|sure|you|always|obviously|apparently|mind)\s|\s+(?:just\s+)?so\s+(?:its|it['’]s|that|good|i|we|you|nobody|everyone)\b"
    r"|,\s+(?:(?:the|our|my|his|her|their|each|every|everyone|nobody)\s+)?[a-z]+(?:\s[a-z]+)?(?:\s+(?:is|are|was|were|has|have|had|does|will|can)|['’]s)\s"
    r"|,\s+(?-i:[A-Z])\w+(?:\s+(?-i:[A-Z])\w+)*(?:\s+(?:is|are|was|has|have|had|said|says|does|will|can|decides?|takes?|gets?|likes?|wants?)|['’]s)\s"
    r"|,?\s+(?:as|since)\s+(?-i:[A-Z])\w+\s+(?-i:[a-z]+s)\b"
    r"|\s+(?:because|although|whereas|instead of|rather than|in case|so that|even though|thanks to|due to|in place of"
    r"|in favou?r of)\b"
    r"|,?\s+(?:which|who)\s+(?:is|are|was|means|has|have|makes|i|we)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:rn|keep that|purely|mainly|mostly|going forward|from here on|atm|obvs|this session|this block|until further notice|for good|by the way|for the rest of the \w+|right now|for now|now|these days|nowadays|at the mo(?:ment)?|currently|at present|presently|from now on|from now|"
    r"from today(?: on)?|anymore|any more|lately|too|as well|again|by the way|btw|actually|though|already|"
    r"as of (?:\w+ ){0,3}\w+|starting (?:\w+ )?\w+|since (?:\w+ )?\w+|this (?:week|month|year|season|term|semester|autumn|spring|summer|winter|time(?: round| around)?)|"
    r"at this point|for the time being|from (?:here|there|now) on(?: out)?|if that matters|in case you wonder|you know|officially|permanently|full[- ]time|"
    r"for (?:ages|years|months|a (?:while|few|couple)|about|over|almost|nearly|the (?:past|last)|(?:\w+ )?(?:years?|months?|weeks?|days?))\b.*|"
    r"next (?:week|month)|last (?:week|month|year)|yesterday|today|"
    r"in (?:his|her|their|its) (?:place|stead)|(?:from|after) (?:then|that)(?: (?:day|point|moment))?(?: on(?:wards)?)?|"
    r"from (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: on(?:wards)?)?|instead|after all|of late)$",
    re.IGNORECASE,
)
_BAD_START = re.compile(
    r"^(?:and|or|but|one more|linked|tied|whatever|connected|bound|dependent|subject to|based on|due to|because|up to|down to|thanks to|decided|determined|dictated|obviously|clearly|basically|i|we|you|he|she|it|they|that|this|these|those|there|what|why|how|whether|if|when|who|which|because|to|not|n't|"
    r"no longer|nothing|something|anything|everything|very|so|too|really|quite|pretty|rather|getting|got (?:an?|the|my|our|your|his|her|some|new|another|rid)|being|supposed|about to|"
    r"able|unable|going|trying|unsure|sure|always|never|also|just|only|more|less|most|least|as|like|such|one of|all|"
    r"important|essential|crucial|necessary|possible|likely|probably|maybe|perhaps|where|still|made up|part of|with|for|about|of|than|by|like|per|(?:the\s+)?(?:idea|thought|fact|way)\s+(?:of|that)|her|him|"
    r"a (?:bit|little|lot|mess|problem|pain|great|good|nice|bad|big|huge|very|key|major|way|matter|result)|"
    r"the (?:same|best|worst|most|only|reason|way|case|result|following|fact))\b",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(r"\d|[/@#_\\]|[A-Z]|\.\w")
# "the Old Malthouse, lovely acoustics"
_NAME_THEN_REMARK = re.compile(
    r"^((?:the\s+|an?\s+)?[A-Z][\w'’.&-]*(?:\s+(?:&\s+)?[A-Z0-9][\w'’.&-]*)*)(?P<now>\s+(?:now|currently|these days|right now|again|already|today))?,\s+[a-z][\w' -]*$"
)
# "the flat on Elm Street, moved in last week", "0817, for the back door"
_THEN_AFTERTHOUGHT = re.compile(
    r"(?P<now>\s+(?:now|currently|these days|right now|again|already))?,\s+(?:(?:just|only|finally|recently|since|having|been|mostly|mainly|at least|for|in|at|with|by|to|from|on|of|though|long|sadly|happily)\s+(?![A-Z]).*"
    r"|(?:moved|switched|changed|started|signed|bought|got|found|hired|took|joined|came|left|went|made|set|picked|chosen|chose|decided|agreed|arrived|settled|opened|met|won|born|inherited|adopted|recommended|replaced|upgraded)\b(?:\s+.*)?)$"
)
_FULL_STOP = re.compile(r"(?<![.\b][A-Za-z])(?<!Inc)(?<!Ltd)(?<!Co)(?<!Jr)(?<!Sr)[.!]+$")
MAX_VALUE_WORDS = 14


def clean_value(text: str) -> tuple[str | None, bool]:
    """
    What a clause says something is, cut where the next clause begins.

    Returns:
        The value, or None where no value could stand; and whether an adverb of the present stood behind it.
    """
    cut = _CUT.search(text)
    value = (text[: cut.start()] if cut else text).strip().strip(",;:").strip()
    now = False
    value = _FULL_STOP.sub("", value)
    while tail := _TAIL.search(value):
        since_long = re.match(r"[\s,]+for\s", tail[0]) is not None
        now = now or (
            not since_long
            and bool(re.search(r"now|today|these days|as of|this|start|from|instead", tail[0], re.IGNORECASE))
        )
        value = value[: tail.start()].strip()
    value = re.sub(r"\s+(?:and|or|but|so)$", "", value)
    if re.match(r"['‘](?!\d)[^'’]*$", value) or value.count('"') == 1 or value.count("“") > value.count("”"):
        return None, now
    value = value.strip().rstrip("!")
    value = re.sub(r"(?<![.\b][A-Za-z])(?<!Inc)(?<!Ltd)(?<!Co)(?<!Jr)(?<!Sr)\.$", "", value)
    if len(value) > 1 and value[0] in "\"“'" and value[-1] in "\"”'":
        value = value[1:-1].strip()
    if m := _NAME_THEN_REMARK.match(value):
        value, now = m[1], now or bool(m["now"])
    elif (m := _THEN_AFTERTHOUGHT.search(value)) and (
        specific(value[: m.start()]) or re.match(r"(?:mr|mrs|ms|dr|prof)\b", value)
    ):
        value, now = value[: m.start()], now or bool(m["now"])
    value = re.sub(
        r"^(?:an?|the)\s+(?:brand[- ]new|new|second-hand|used|trusty|shiny|lovely|big|small|little|good old)\s+(?=[A-Z0-9])",
        "",
        value,
    )
    value = re.sub(r"^an?\s+(?=[A-Z])", "", value)
    value = re.sub(r"^(?:young|dear|poor|good old|lovely)\s+(?=[A-Z])", "", value)
    if not value or not WORD.search(value) or len(value.split()) > MAX_VALUE_WORDS or "\n" in value:
        return None, now
    return value, now


def implausible(value: str) -> bool:
    """Whether *value* rather begins a clause, a comment or a comparison than names anything."""
    return bool(_BAD_START.match(value))


def specific(value: str) -> bool:
    """Whether *value* holds a name, a number, a path or the like."""
    return bool(_SPECIFIC.search(value))


# -- noun phrases ---

_NOT_IN_NOUN = frozenset(
    """now is are was were be been am i we you he she it they that which who whom whose what if when while because and or but
    so as not no do does did have has had will would can could should may might must than then there here me us
    him them isn't aren't don't doesn't whether how why where until unless since although though very really
    just only even ever never said says say think thinks know knows want wants need needs like likes give gives
    make makes called named about than into through during including containing between your his their her its""".split()
)
# Nouns by which people talk about the talk itself, or about how something strikes them.
_TALK_NOUNS = frozenset(
    """question questions point problem problems issue issues guess hope understanding advice task request concern
    concerns thought thoughts bet impression reason reasons best worst first second third next last main thing
    things answer answers example examples prompt essay story text sentence paragraph message response reply
    result results way fact case idea ideas opinion feeling suggestion suggestions assumption conclusion topic
    subject input output purpose intention intent difference rest following part parts fault mistake bad
    apologies pleasure turn only same other others more most favorite favourite biggest current new old
    situation assignment character characters protagonist article code function script query image video table
    list lists file files data dataset error one ones kind sort type lot number time times day life world truth
    key trick catch downside upside drawback focus attention mind heart head eyes everything something anything
    nothing""".split()
)
_TALK_HEADS = frozenset(
    """question questions answer answers reason reasons part parts way thing things issue issues concern guess
    request task example result results fact truth difference problem problems one ones case thought advice
    suggestion mistake understanding opinion impression same other rest""".split()
)
_STRIP_ADJECTIVE = re.compile(
    r"^(?:new|current|latest|present|brand[- ]new|actual|existing|own|main and only|lovely|great|wonderful|amazing|nice|brilliant|fantastic|excellent|awesome|trusty|fabulous|really good|very good)\s+",
    re.IGNORECASE,
)


def noun_phrase(text: str, *, any_noun: bool = False) -> str | None:
    """
    *text* as the name of an attribute, without article, possessive and words of time; None where it is none.

    Single nouns by which people rather talk about the talk (`image`, `point`) count with *any_noun* only.
    """
    phrase = re.sub(r"\s+", " ", text.strip().strip(',;:.!?"“”'))
    phrase = re.sub(
        r"^(?:(?:all|both|any|each|every)\s+(?:of\s+)?)?(?:my|our|the|an?|this|that|these|those|any|whatever|which(?:ever)?|"
        r"a different|another|this (?:season|year|month|week|term)['’]s|today['’]s)\s+",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    phrase = re.sub(
        r"^(?:team|group|club|company|lab|band|family|crew|class|office|household|shop|studio|department|season|year)"
        r"['’]s\s+(?=\w)", "", phrase, flags=re.IGNORECASE,
    )  # fmt: skip
    while (stripped := _STRIP_ADJECTIVE.sub("", phrase)) != phrase:
        phrase = stripped
    phrase = re.sub(r"^(?:name of|choice of)\s+(?:my|our|the)?\s*", "", phrase, flags=re.IGNORECASE)
    phrase = re.sub(r"['’]s\s+name$", "", phrase, flags=re.IGNORECASE)
    phrase = re.sub(
        r"\s+(?:that\s+|which\s+)?(?:(?:our|my)\s+\w+|we|i|people|everyone|they|you|we['’]re|i['’]m|we['’]ve|i['’]ve)\s+.*$",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    phrase = re.sub(r"\s+(?:that|which|who)\s+[a-z]+s?\s+.*$", "", phrase, flags=re.IGNORECASE)
    phrase = re.sub(r"\s+for (?:all )?(?:this|that|it|us|me|everyone)$", "", phrase, flags=re.IGNORECASE)
    while tail := _TAIL.search(phrase):
        phrase = phrase[: tail.start()]
    phrase = re.sub(
        r"\s+(?:here|there|right now|now|at the moment|these days|nowadays|currently|at present|today|this (?:week|month|year|"
        r"season|term)|we(?:['’]re| are) \w+ing|(?:that )?(?:we|i) (?:use|have|run|go to|work with|like|love|are on|take))$",
        "", phrase, flags=re.IGNORECASE,
    )  # fmt: skip
    words = phrase.split()
    if not 1 <= len(words) <= 7 or not re.match(r"[^\W\d_]", phrase) or re.search(r"[,;:()\"“”?!—<>=*]", phrase):
        return None
    lowered = [w.lower().replace("’", "'") for w in words]
    if any(w in _NOT_IN_NOUN for w in lowered):
        return None
    head = lowered[
        next((i for i, w in enumerate(lowered) if i and w in ("of", "for", "in", "on", "to", "with", "at")), len(words))
        - 1
    ]
    if (
        (len(words) == 1 and head in _TALK_NOUNS and not any_noun)
        or head in _TALK_HEADS
        or lowered[-1] in ("of", "for", "in", "on", "to", "with", "at", "the", "a", "my", "our")
    ):
        return None
    return phrase
