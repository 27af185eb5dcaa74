"""
Words of English: which parts of speech each may be, its lemma and number.

The lexicon is Brill's (94,000 words, one tag each; the file comes with `textblob`, whose code is not imported). What
else a word may be follows from its forms: what has a form in -ing or -ed may be a verb, what has one in -s a noun.
"""

import re
from bisect import bisect_left
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

IRREGULAR_VERBS = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten|
bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built|burn burnt burnt|burst burst burst|buy bought bought|cast cast cast|catch caught caught|
choose chose chosen|cling clung clung|come came come|cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|dream dreamt dreamt|drink drank drunk|
drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|flee fled fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|get got got|get got gotten|give gave given|go went gone|grind ground ground|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|
hold held held|hurt hurt hurt|keep kept kept|kneel knelt knelt|know knew known|lay laid laid|lead led led|lean leant leant|leap leapt leapt|learn learnt learnt|leave left left|lend lent lent|
let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|meet met met|mow mowed mown|outgrow outgrew outgrown|overtake overtook overtaken|pay paid paid|prove proved proven|put put put|quit quit quit|
read read read|rebuild rebuilt rebuilt|redo redid redone|repay repaid repaid|resell resold resold|rewrite rewrote rewritten|rid rid rid|ride rode ridden|ring rang rung|rise rose risen|run ran run|saw sawed sawn|say said said|see saw seen|seek sought sought|
sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|shed shed shed|shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|
sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|smell smelt smelt|sow sowed sown|speak spoke spoken|speed sped sped|spell spelt spelt|spend spent spent|spill spilt spilt|spin spun spun|
split split split|spoil spoilt spoilt|spread spread spread|spring sprang sprung|stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|strike struck struck|string strung strung|
swear swore sworn|sweep swept swept|swell swelled swollen|swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|
understand understood understood|undertake undertook undertaken|undo undid undone|upset upset upset|wake woke woken|wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|withdraw withdrew withdrawn|
withhold withheld withheld|write wrote written|be was been|be were been"""
_IRREGULAR_NOUNS = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
    "geese": "goose", "mice": "mouse", "wives": "wife", "knives": "knife", "lives": "life", "leaves": "leaf",
    "shelves": "shelf", "loaves": "loaf", "halves": "half", "scarves": "scarf", "calves": "calf", "wolves": "wolf",
    "thieves": "thief", "oxen": "ox", "dice": "die", "criteria": "criterion", "data": "data", "media": "media",
    "folk": "folk", "folks": "folk", "police": "police", "sheep": "sheep", "fish": "fish", "series": "series",
}  # fmt: skip
_PLURAL_ONLY = frozenset("children people men women feet teeth geese mice oxen dice criteria folk police".split())

# The closed classes; a word that stands here may be nothing else, unless the lexicon of open classes is named too.
_CLOSED = {
    "DT": "a an the this these those every each another either neither any some no all both half enough much many several few such whatever whichever",
    "PRP": "i you he she it we they me him them us myself yourself himself herself itself ourselves themselves mine yours hers ours theirs everyone everybody someone somebody anyone anybody nobody everything something anything nothing one ones none",
    "PRP$": "my your his its our their whose",
    "MD": "can could will would shall should may might must ought 'll 'd wo ca sha cannot",
    "WP": "who whom what whoever",
    "WRB": "when where why how whenever wherever",
    "WDT": "which",
    "CC": "and or but nor yet & plus",
    "TO": "to",
    "EX": "there",
    "POS": "'s ' ’",
    "IN": "of in on at by with from for into onto as about above across after against along among amid around before behind below beneath beside besides between beyond during except inside near opposite outside over past per since through throughout than till toward towards under underneath until unto upon versus via within without if unless because although though while whereas whether lest once like despite",
    "RB": "not n't never also too just now then already still always usually often mostly normally generally currently only even really very quite rather again soon here today tonight tomorrow yesterday nowadays instead together twice ever almost nearly maybe perhaps however therefore anymore ago away anyway else anywhere somewhere everywhere nowhere home apart forward lately overnight abroad downstairs upstairs straight later",
    "RP": "up out off down back",
    "UH": "yes no oh well hi hello hey please thanks ok okay yeah yep nope ah btw fyi",
}  # fmt: skip
_ALSO = {
    "that": ("WDT", "DT", "IN", "PRP"), "this": ("DT", "PRP"), "these": ("DT", "PRP"), "those": ("DT", "PRP"), "her": ("PRP$", "PRP"), "his": ("PRP$", "PRP"),
    "all": ("DT", "PRP"), "both": ("DT", "PRP"), "each": ("DT", "PRP"), "some": ("DT", "PRP"), "any": ("DT", "PRP"), "another": ("DT", "PRP"), "several": ("DT", "PRP"), "few": ("DT", "JJ", "PRP"), "many": ("DT", "JJ", "PRP"), "much": ("DT", "RB", "PRP"), "either": ("DT", "RB"),
    "half": ("DT", "NN", "CD"), "one": ("CD", "PRP"), "no": ("DT", "UH", "RB"), "there": ("EX", "RB"), "which": ("WDT",), "what": ("WP", "WDT"), "whose": ("WP$",),
    "will": ("MD", "NN"), "may": ("MD",), "can": ("MD", "NN"), "might": ("MD",), "must": ("MD",), "'d": ("MD", "VBD"), "'s": ("VBZ", "POS"), "’": ("POS",), "'": ("POS",),
    "like": ("IN", "VB", "VBP"), "past": ("IN", "JJ", "NN", "RB"), "near": ("IN", "JJ"), "opposite": ("IN", "JJ", "NN"), "inside": ("IN", "NN", "RB"), "outside": ("IN", "NN", "RB", "JJ"), "over": ("IN", "RP", "RB"), "through": ("IN", "RP"), "around": ("IN", "RB", "RP"),
    "in": ("IN", "RP"), "on": ("IN", "RP"), "by": ("IN", "RB"), "about": ("IN", "RB"), "along": ("IN", "RP"), "under": ("IN", "RB"), "before": ("IN", "RB"), "after": ("IN",), "since": ("IN", "RB"), "once": ("IN", "RB"), "as": ("IN", "RB"), "so": ("RB", "IN"),
    "up": ("RP", "IN"), "out": ("RP", "IN"), "off": ("RP", "IN"), "down": ("RP", "IN", "NN"), "away": ("RB", "JJ"), "back": ("RP", "NN", "JJ", "VB", "VBP"), "home": ("NN", "RB"), "well": ("RB", "UH", "NN", "JJ"), "plus": ("CC", "IN"), "still": ("RB", "JJ"), "only": ("RB", "JJ"), "even": ("RB", "JJ"), "right": ("JJ", "NN", "RB"), "left": ("VBD", "VBN", "JJ", "NN"), "please": ("UH", "VB"), "yet": ("RB", "CC"), "just": ("RB",), "straight": ("RB", "JJ"), "later": ("RB", "JJR"), "today": ("NN", "RB"), "tomorrow": ("NN", "RB"), "yesterday": ("NN", "RB"), "tonight": ("NN", "RB"), "overnight": ("RB", "JJ"), "early": ("RB", "JJ"), "late": ("RB", "JJ"), "daily": ("RB", "JJ", "NN"), "weekly": ("RB", "JJ", "NN"), "monthly": ("RB", "JJ", "NN"), "yearly": ("RB", "JJ"), "better": ("JJR", "RBR"), "thanks": ("UH", "NNS"), "more": ("JJR", "RBR", "DT"), "most": ("JJS", "RBS", "DT"), "less": ("JJR", "RBR"), "fewer": ("JJR",), "least": ("JJS", "RBS"),
    "am": ("VBP",), "'m": ("VBP",), "are": ("VBP",), "'re": ("VBP",), "is": ("VBZ",), "was": ("VBD",), "were": ("VBD",), "be": ("VB",), "been": ("VBN",), "being": ("VBG",), "have": ("VBP", "VB"), "'ve": ("VBP", "VB"), "has": ("VBZ",), "had": ("VBD", "VBN"), "having": ("VBG",), "do": ("VBP", "VB"), "does": ("VBZ",), "did": ("VBD",), "done": ("VBN", "JJ"), "doing": ("VBG",),
    "let": ("VB", "VBP", "VBD", "VBN"), "need": ("VBP", "VB", "NN"), "because": ("IN",), "except": ("IN",), "course": ("NN",), "per": ("IN",), "own": ("JJ", "VB", "VBP"), "first": ("JJ", "RB"), "second": ("JJ", "NN", "RB"), "next": ("JJ", "RB"), "last": ("JJ", "VB", "VBP", "RB"), "free": ("JJ", "RB"), "open": ("JJ", "VB", "VBP"), "close": ("JJ", "VB", "VBP", "RB"), "round": ("JJ", "RP", "IN", "NN"), "noon": ("NN",), "midnight": ("NN",), "etc": ("RB",), "either way": ("RB",),
    "monday": ("NNP",), "tuesday": ("NNP",), "wednesday": ("NNP",), "thursday": ("NNP",), "friday": ("NNP",), "saturday": ("NNP",), "sunday": ("NNP",),
    "north": ("JJ", "NN", "RB"), "south": ("JJ", "NN", "RB"), "east": ("JJ", "NN", "RB"), "west": ("JJ", "NN", "RB"), "upper": ("JJ",), "lower": ("JJ", "VB", "VBP"),
    "o'clock": ("NN",), "ones": ("NNS",), "who": ("WP",), "mum": ("NN",), "mom": ("NN",), "dad": ("NN",), "kids": ("NNS",), "rota": ("NN",), "wifi": ("NN",), "email": ("NN", "VB", "VBP"),
}  # fmt: skip
NUMBERS = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen""".split()
)
_CLOSED_TAGS: dict[str, tuple[str, ...]] = {}
for _tag, _words in _CLOSED.items():
    for _word in _words.split():
        _CLOSED_TAGS.setdefault(_word, (_tag,))
_CLOSED_TAGS.update(_ALSO)

_PAST: dict[str, list[str]] = {}
_PARTICIPLE: dict[str, list[str]] = {}
for _forms in IRREGULAR_VERBS.replace("\n", "").split("|"):
    _base, _past, _participle = _forms.split()
    _PAST.setdefault(_past, []).append(_base)
    _PARTICIPLE.setdefault(_participle, []).append(_base)
_IRREGULAR_BASES = frozenset(b for bases in _PAST.values() for b in bases)
_BE = frozenset("am 'm are 're is was were be been being".split())


@cache
def _entries() -> tuple[list[bytes], bytes]:
    """The lexicon's lines, sorted, as one buffer with the first word of every 64th line: little memory, few steps."""
    spec = find_spec("textblob")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        return [], b""
    lines = sorted(
        line
        for line in (Path(places[0]) / "en" / "en-lexicon.txt").read_bytes().split(b"\n")
        if line and line[:1].isalnum() and line.count(b" ") == 1
    )
    blocks = [b"\n".join(lines[i : i + 64]) for i in range(0, len(lines), 64)]
    return [lines[i].split(b" ")[0] for i in range(0, len(lines), 64)], b"\n\n".join(blocks) if blocks else b""


@cache
def _blocks() -> tuple[list[bytes], list[bytes]]:
    firsts, buffer = _entries()
    return firsts, buffer.split(b"\n\n")


@lru_cache(maxsize=8192)
def brill(word: str) -> str | None:
    """The tag that the lexicon has for *word*, as it is written; None where it has none."""
    firsts, blocks = _blocks()
    key = word.encode()
    at = bisect_left(firsts, key)
    if at >= len(firsts) or firsts[at] != key:
        at -= 1
    if at < 0:
        return None
    found = re.search(rb"(?m)^" + re.escape(key) + rb" (\S+)$", blocks[at])
    if found is None:
        american = re.sub(r"(?<=\w\w)(is|ys)(?=(?:e|ed|es|ing|er|ation)$)", lambda m: m[1][0] + "z", word)
        american = re.sub(r"our(?=s|ed|ing|ful|$)", "or", american)
        return brill(american) if american != word else None
    return found[1].decode().split("|")[0]


def _roots(word: str, ending: str) -> list[str]:
    """What *word* may be a form of, by *ending*: `planned` -> plann, plan, planne."""
    root = word[: -len(ending)]
    if not root:
        return []
    found = [root, root + "e"]
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "aeiouls":
        found.insert(0, root[:-1])
    elif len(root) > 3 and root[-1] == root[-2]:
        found.append(root[:-1])
    if root.endswith("i"):
        found.insert(0, root[:-1] + "y")
    return found


def _singulars(word: str) -> list[str]:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")) or len(word) < 3:
        return []
    found = [word[:-1]]
    if word.endswith("ies") and len(word) > 4:
        found.insert(0, word[:-3] + "y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found.append(word[:-2])
    return found


def _inflect(base: str) -> tuple[str, ...]:
    """Forms in -ing and -ed of *base*, as they may be written."""
    if base.endswith("e") and not base.endswith("ee"):
        return base[:-1] + "ing", base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base + "ing", base[:-1] + "ied"
    doubled = base + base[-1]
    return base + "ing", base + "ed", doubled + "ing", doubled + "ed"


@lru_cache(maxsize=8192)
def may_be_verb(base: str) -> bool:
    """Whether *base* is the base form of a verb."""
    if base in _IRREGULAR_BASES or brill(base) in ("VB", "VBP"):
        return True
    if len(base) < 3 or not base.isalpha():
        return False
    return any(brill(form) in ("VBG", "VBN", "VBD") for form in _inflect(base)) and brill(base) not in (
        "IN",
        "DT",
        "PRP",
        "NNP",
    )


@lru_cache(maxsize=8192)
def may_be_noun(base: str) -> bool:
    """Whether *base* is a noun in the singular."""
    return brill(base) == "NN" or brill(base + "s") == "NNS" or (brill(base) is None and not may_be_verb(base))


@lru_cache(maxsize=8192)
def candidates(word: str) -> tuple[tuple[str, float], ...]:
    """
    The parts of speech that *word*, in lower case, may be, with what each costs: 0 is the likeliest.

    Tags are those of the Penn Treebank; a numeral is CD.
    """
    if closed := _CLOSED_TAGS.get(word):
        return tuple((tag, 0.4 * i) for i, tag in enumerate(closed))
    if word in NUMBERS:
        return (("CD", 0.0),)
    if word in _PLURAL_ONLY:
        return (("NNS", 0.0),)
    listed = brill(word)
    found: dict[str, float] = {}

    def may(tag: str, cost: float) -> None:
        found[tag] = min(cost, found.get(tag, 9.0))

    if listed in (
        "NN",
        "NNS",
        "JJ",
        "RB",
        "VB",
        "VBP",
        "VBD",
        "VBN",
        "VBG",
        "VBZ",
        "JJR",
        "JJS",
        "RBR",
        "CD",
        "IN",
        "UH",
    ):
        may(listed, 0.0)
        if listed in ("VB", "VBP"):
            may("VB", 0.0)
            may("VBP", 0.0)
        if listed in ("VBD", "VBN"):
            may("VBD", 0.0 if listed == "VBD" else 0.3)
            may("VBN", 0.0 if listed == "VBN" else 0.3)
    if word in _PAST:
        may("VBD", 0.0)
    if word in _PARTICIPLE:
        may("VBN", 0.0)
    if word in _IRREGULAR_NOUNS and word not in ("leaves", "lives"):
        may("NNS" if word not in ("data", "media", "fish") else "NN", 0.0)
    for base in _singulars(word):
        if may_be_verb(base):
            may("VBZ", 0.5 if listed != "VBZ" else 0.0)
        if may_be_noun(base) or listed == "VBZ":
            may("NNS", 0.5 if listed not in (None, "NNS") else 0.0)
    if word.endswith("ing") and len(word) > 4 and (listed == "VBG" or any(may_be_verb(b) for b in _roots(word, "ing"))):
        may("VBG", 0.2)
        may("NN", 0.4)
    if word.endswith("ed") and len(word) > 3 and any(may_be_verb(b) for b in _roots(word, "ed")):
        may("VBD", 0.2)
        may("VBN", 0.2)
        may("JJ", 0.8)
    if word.endswith("ed") and len(word) > 4 and listed in (None, "JJ"):
        may("VBN", 0.3)
        may("VBD", 0.5)
    if may_be_verb(word):
        may("VB", 0.8)
        may("VBP", 0.6)
    if (
        "VB" not in found
        and (listed == "NN" or listed is None)
        and word.isalpha()
        and not found.keys() & {"VBD", "VBG", "RB"}
    ):
        may("VB", 2.0)
        may("VBP", 2.0)
    elif "VBZ" not in found and listed == "NNS" and word.endswith("s"):
        may("VBZ", 2.0)
    if ("VB" in found or listed == "VBG" or listed == "JJ") and not word.endswith("ly"):
        may("NN", 0.7 if may_be_noun(word) else 1.1)
    if not found:
        for ending, tag in _ENDINGS:
            if word.endswith(ending):
                may(tag, 0.0)
        may("NNS" if word.endswith("s") and not word.endswith(("ss", "us", "is")) else "NN", 0.3 if found else 0.0)
        if word.endswith("s"):
            may("VBZ", 1.2)
        elif word.isalpha():
            may("VB", 1.6)
            may("VBP", 1.6)
        if word.endswith("ed"):
            may("VBD", 0.2)
        if word.endswith("ing"):
            may("VBG", 0.2)
    return tuple(sorted(found.items(), key=lambda item: item[1]))


_ENDINGS = (
    ("ly", "RB"), ("ous", "JJ"), ("ful", "JJ"), ("less", "JJ"), ("able", "JJ"), ("ible", "JJ"), ("ive", "JJ"), ("ish", "JJ"), ("ed", "VBN"), ("al", "JJ"),
)  # fmt: skip


@lru_cache(maxsize=8192)
def lemma(word: str, tag: str) -> str:
    """The form under which a dictionary has *word*, a *tag*."""
    word = word.lower().replace("’", "'")
    if tag.startswith("V"):
        return _verb_lemma(word, tag)
    if tag == "MD":
        return {"'ll": "will", "wo": "will", "'d": "would", "ca": "can", "cannot": "can", "sha": "shall"}.get(
            word, word
        )
    if word == "n't":
        return "not"
    if tag == "NNS":
        if word in _IRREGULAR_NOUNS:
            return _IRREGULAR_NOUNS[word]
        options = _singulars(word)
        return next((b for b in options if brill(b) in ("NN", "VB")), options[0] if options else word)
    return word


def _verb_lemma(word: str, tag: str) -> str:
    if word in _BE or (word == "'s" and tag == "VBZ"):
        return "be"
    if word in ("have", "'ve", "has", "had", "having"):
        return "have"
    if word == "'d":
        return "have"
    if tag == "VBZ":
        if word == "does":
            return "do"
        options = _singulars(word)
        listed = [b for b in options if brill(b) in ("VB", "VBP", "NN")]  # `go`, not `goe`
        return next((b for b in (*listed, *options) if may_be_verb(b)), options[0] if options else word)
    if tag in ("VBD", "VBN"):
        table = _PAST if tag == "VBD" else _PARTICIPLE
        if bases := table.get(word) or _PAST.get(word) or _PARTICIPLE.get(word):
            return bases[0]
        return _root(word, "ed")
    if tag == "VBG":
        return "lie" if word == "lying" else _root(word, "ing")
    return word


def _root(word: str, ending: str) -> str:
    if not word.endswith(ending):
        return word
    options = _roots(word, ending)
    if re.search(r"(?:^|[^aeiou])[aeiou][^aeiouwxy]$", word[: -len(ending)]) and len(word) - len(ending) <= 5:
        options.sort(key=lambda b: not b.endswith("e"))  # riding is of ride: of rid it is ridding
    exact = [b for b in options if b in _IRREGULAR_BASES or brill(b) in ("VB", "VBP")]
    verbs = [b for b in options if may_be_verb(b)]
    return next(
        iter([*exact, *(b for b in verbs if brill(b)), *verbs, *(b for b in options if brill(b)), *options]), word
    )


def is_plural(word: str, tag: str) -> bool:
    """Whether *word* is a noun of several."""
    return tag in ("NNS", "NNPS") or word.lower() in _PLURAL_ONLY
