"""
One value taking another's place in a fact that is known: `Mina handed the team lead job to Lena`, `Lena is in for Mina`.

The fact is given by its name or by the value that it has; what is read is only which other value comes instead, and
that a word of change says so.
"""

import re
from dataclasses import dataclass

from memory_store.familiar import Familiar, Spot
from memory_store.later import is_to_come
from memory_store.meant import are_of_two_kinds
from memory_store.news import KIN, PEOPLE
from memory_store.phrases import clean_value, specific, stems
from memory_store.said import NAME, PERSONAL_NAME


@dataclass(frozen=True)
class Succession:
    """*attribute*, which was *old* where that is named, is now *value*."""

    attribute: str
    value: str
    old: str | None


# `uncle lives in`: what becomes of it is not told by what the owner does
_OF_ANOTHER = re.compile(r"^(?!(?:we|I)\b).+ (?:lives?|works?|stud(?:y|ies)|stays?) (?:in|at|for|with|near|on|as)$")
# Somebody else's doings: what my uncle left is not what I left.
_ANOTHERS = re.compile(
    r"^(?:(?:and|but|so)\s+)?(?:(?:my|our|his|her|their|your)\s+[a-z]|(?:he|she|they|you|who)\b)", re.IGNORECASE
)
# "…, she went to Graz": where somebody went who was it, no successor
_WHERE_THEY_WENT = re.compile(
    r",?\s+(?:(?:and|as|since|because)\s+)?(?:s?he|they)(?:['’](?:s|ve|re))?\s+(?:(?:has|have|is|are|was|were)\s+)?"
    r"(?:went|gone|going|moved|moving|left|leaving|returned|retired)\b[^,;.]*",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:if|whether|unless|might|may|could|would|should|maybe|perhaps|possibly|probably|almost|nearly|thinking|considering|considered|wonder|wish|hope|hoping|wanted|want|wants|plan|plans|planning|think|thought|supposed|suppose|imagine|rumou?rs?|apparently|"
    r"asked|asks|say|says|said|tell|told|heard|read|used to be|never|didn['’]t|don['’]t|doesn['’]t|hasn['’]t|haven['’]t|won['’]t|can['’]t|when|whenever|once|until|before)\b|\?",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"(?:isn['’]t|is not|aren['’]t|no longer|not)\s|used to be|(?:can['’]t|couldn['’]t|won['’]t|doesn['’]t|don['’]t|didn['’]t|hasn['’]t)\s+(?:\w+\s+){1,5}?(?:any ?more|any longer|back|work out|happen)|(?:was|were)\b[^,;.]*\b(?:until|till)\b[^,;.]*|before (?:that|then)|(?:it )?couldn['’]t be helped",
    re.IGNORECASE,
)
_NAMED = rf"(?P<v>(?:(?:the|an?|some|young|old|little|good old)\s+)?{NAME})"
# V comes where OLD was
_FOR_OLD = re.compile(
    rf"{_NAMED}\s+(?:(?:has|have|had|is|are|was|now|just|then|will|be|also|kindly|finally)\s+)*"
    r"(?:replac(?:es?|ed|ing)|succeed(?:s|ed|ing)?|supersed(?:es?|ed)|follow(?:s|ed)|tak(?:es?|ing)|took|taken|step(?:s|ped|ping)?|c(?:omes?|ame|oming)|fill(?:s|ed|ing)?|in|stand(?:s|ing)?|stood|instead|there|relieves?|relieved)"
    r"(?:\s+(?:over|in|up|into|from|for|of|on|instead|the|place|role|job|shoes|after|as|team))*\s*$"
)
_INSTEAD = re.compile(
    r"\b(?:instead of|in place of|rather than|in lieu of|in for|over from|on from|replacing|not|no longer|and not)\s*$",
    re.IGNORECASE,
)
# OLD gives way to V
_TO_NEW = re.compile(
    rf"^(?:['’]s)?\s*(?:(?:has|have|had|is|are|was|were|got|been|being|just|now|finally|recently|will|be)\s+)*"
    r"(?:hand(?:s|ed|ing)|pass(?:es|ed|ing)?|g(?:a|i)ve(?:s|n)?|transferr?(?:s|ed)|replaced|succeeded|superseded|followed|swapped(?: out)?|exchanged|traded(?: in)?|switched|changed|moved|turned over|turned|entrusted|left|leaves|bequeathed|ceded|delegated|lost out|gave way|makes way|made way|making way)\b"
    rf"[^.;]{{0,60}}?\b(?:to|by|with|for|into|in favou?r of)\s+{_NAMED}"
)
_GONE = re.compile(
    r"\b(?:left|leaving|leaves|quit|quits|gone|went|goes|go|out|over|history|retired|retires|retiring|resigned|stepped (?:down|back|aside)|pulled out|backed out|dropped out|fell through|bailed|cancell?ed|closed|closing|shut|shutting|dropped|ditched|dumped|scrapped?|scrap|binned|sacked|fired|let go|moved (?:away|on|out)|"
    r"passed away|died|broke|broken|packed (?:in|up)|lost|sold(?: out)?|no more|no longer|anymore|any more|any longer|used to be|was|were|isn['’]t|is not|aren['’]t|not|can['’]t|instead|finished|done with|off to|on leave|bust|bankrupt|stopped|put down|handed over|gave up|given up|swapped|replaced|traded|switched|exchanged|from|discontinued|blew away|returned|gave back)\b",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\b(?:now|new|in|instead|is|are|it['’]s|that['’]s|became|become|becomes|taken over|took over|takes over|joined|join|got|get|hired|went with|gone with|switched to|moved to|bought|picked|chose|chosen|found|to|for|have|has|use|signed|with|at|on|does|do|steps? in|stepped in|come in|came in|been given|appointed|elected)\b",
    re.IGNORECASE,
)
_BECOMING = (
    r"(?:(?:is|are|was|has|have|had|been|be|will|just|now|recently|officially|finally|to|gets?|got|going|agreed|offered|volunteered|chosen|picked|elected|appointed|named|made|promoted|hired|selected|brought|put|in|up|on|over|over from|as|for|into|the|our|my|new|a|job|role|of|in charge as|charge|stepp(?:ed|ing)|steps?|takes?|took|taken|taking|comes?|came|coming|signed|signs|starts?|started|joins?|joined|"
    r"becomes?|became|become|acts?|acting|serves?|serving|works?|working|fills?|filling|role of|position of|board|aboard|back|instead|this time)\s+)*"
)
_OF_CHANGE = re.compile(
    r"\b(?:now|new|chang\w*|switch\w*|swap\w*|mov\w+|replac\w+|took|take|takes|taken|taking|became|become|becomes|got|made|appointed|elected|named|hired|instead|anymore|any more|any longer|no longer|went|gone|left|out|from|as of|since|these days|starting|update|again|back|promoted|stepp\w+|steps?|joined|signed|used to|came|comes?|"
    r"this time|in charge|handed|passed|gave|given|raised|lowered|increased|up to|down to|pushed|shift\w*|picked|chose|chosen|put|set|ended up|news|scrap\w*|went with|gone with|booked|brought|after)\b",
    re.IGNORECASE,
)
_NOT_NAMES = re.compile(
    r"(?:I|We|You|It|He|She|They|My|Our|The|This|That|There|These|Those|Now|Then|So|And|But|Since|After|With|From|As|In|On|At|For|Not|No|Out|Instead|Guess|Big|News|Change|Update|Turns|Starting|Today|Yesterday|Well|Also|Our|Old|New|Since|When|Because|To|By|Of|A|An|Sad|Good|Bad|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)(?:['’]\w+)?"
)


def find_succession(text: str, familiar: Familiar) -> Succession | None:
    """What *text*, one sentence, tells of a known fact that took another value; None where it tells no such thing."""
    text = _WHERE_THEY_WENT.sub("", text.strip().rstrip(".! "))
    if len(text) > 240 or text.endswith("?") or is_to_come(text):
        return None
    text = _without_whereabouts(text, familiar)
    spots = [s for s in familiar.spots(text) if not _is_anothers_new_one(text, s)]
    if not spots or len({s.attribute for s in spots}) != 1:
        return None
    if _HEDGED.search(_FINE.sub(" ", text)):
        return None
    attribute = spots[0].attribute
    if _OF_ANOTHER.match(attribute) or _BESIDES.search(text) or re.fullmatch(PERSONAL_NAME, attribute):
        return None  # nor does what somebody is become where they went
    if len(familiar.values.get(attribute, [])) > 1:
        return None
    olds = [s for s in spots if s.value is not None]
    if KIN.search(attribute) and all(s.value is not None for s in spots):
        return None  # nobody takes the place of a neighbour or a sister by coming instead
    named = [s for s in spots if s.value is None]
    if not named and _ANOTHERS.match(text):
        return None
    if olds:
        value = _after_old(text, olds, named)
        if value is not None:
            return _succession(attribute, value, olds[0].value)
    if named and familiar.values.get(attribute) and not _is_somebody_elses(text, named[-1], attribute):
        value = _by_name(text, named, olds)
        if value is not None and not are_of_two_kinds(value, familiar.values[attribute][0]):
            return _succession(attribute, value, olds[0].value if olds else None)
    return None


# `Koen has a new barber`, `my sister found another dentist`: theirs
_THEY_GOT = re.compile(
    rf"^(?:(?:and|but|so|well|oh)[\s,]+)*(?:(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er|[Tt]heir)\s+(?P<who>[a-z][a-z -]*?)(?:['’]s\s+[a-z]+)?(?P<n>,?\s+{PERSONAL_NAME},?)?|(?!(?:I|We)\b){PERSONAL_NAME}|[Hh]e|[Ss]he)"
    r"(?:['’]s|\s+(?:has|have|had))?\s*(?:(?:just|now|also|recently|finally|since)\s+)*(?:(?:got|gets|getting|gotten|found|finds|hired|hires|chose|picked|took|bought|adopted|wants|needs|switched to|changed to|went to|goes to|uses|likes)\s+)?"
    r"(?:(?:himself|herself|themselves)\s+)?$"
)
_A_NEW = re.compile(r"(?:an?|another|some|his|her|their)\s", re.IGNORECASE)


def _is_anothers_new_one(text: str, spot: Spot) -> bool:
    """Whether *spot* names, as a new one, what somebody else has got: nobody's new barber is the speaker's."""
    if spot.value is not None or not _A_NEW.match(text, spot.start):
        return False
    m = _THEY_GOT.match(text[: spot.start])
    if m is None:
        return False
    return m["who"] is None or bool(m["n"] or KIN.search(m["who"]) or PEOPLE.search(m["who"]))


_WENT = re.compile(
    r"\s+(?:(?:just|now|recently|already|also|even|has|have|had|is|are|was|been|s?he['’]s|they['’]ve|up|out|off|over|back|"
    r"away|down|home|abroad)\s+)*"
    r"(?:moved|moves|moving|went|goes|going|gone|left|leaves|leaving|started|starts|starting|studies|studied|studying|"
    r"lives|lived|living|works|worked|working|settled|emigrated|relocated|returned|flew|travels|travelled|travelling|"
    r"stays|stayed|staying|born|university|uni|school|college)"
    r"(?:\s+(?:up|out|off|over|back|away|down|home|abroad|there|studying|working|living|university|uni|school|college|"
    rf"a job|a new job|a course))*\s+(?:to|in|for|at|from|near)\s+(?:the\s+)?{NAME}"
)


def _without_whereabouts(text: str, familiar: Familiar) -> str:
    """*text* without where whom it speaks of went, or lives: no place takes the place of who does something."""
    spots = familiar.spots(text)
    if not spots or not PEOPLE.search(spots[0].attribute):
        return text
    if spots[0].value is None and _A_JOB.search(text[: spots[0].end]):
        return text
    held = [one for spot in spots for one in familiar.values.get(spot.attribute, ())]
    return _WENT.sub("", text) if all(re.fullmatch(_SOMEBODY, one) for one in held) else text


_SOMEBODY = rf"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?{PERSONAL_NAME}"
_A_JOB = re.compile(r"\b(?:role|job|position|post|duty|duties|slot|title|hat)$", re.IGNORECASE)
_THEIRS = re.compile(r"\b(?:his|her|their|its)\s+(?:[a-z]+\s+)?$", re.IGNORECASE)
# "my brother's barber", "Koen's new barber"
_OF_A_PERSON = re.compile(
    rf"(?:(?P<who>{PERSONAL_NAME})|(?:[Mm]y|[Oo]ur|[Tt]he)\s(?P<np>[a-z][a-z -]*?))['’]s?\s+(?:(?:new|old|current|other)\s+)?$"
)


def _is_somebody_elses(text: str, named: Spot, attribute: str) -> bool:
    """Whether what *named* names belongs to who is spoken of, of whom *attribute* does not tell: `the baker's prices`."""
    if (of := _OF_A_PERSON.search(text[: named.own])) is not None:
        who = of["who"] or of["np"]
        is_person = of["np"] is None or KIN.search(who) or PEOPLE.search(who)
        return bool(is_person) and not set(stems(who)) & set(stems(attribute))
    whose = _THEIRS.search(text[: named.own])
    if whose is None or re.match(r"(?:my|our)\b", text, re.IGNORECASE):
        return False
    return not set(stems(text[: whose.start()])) & set(stems(attribute))


# one more, not one for another
_BESIDES = re.compile(r"\b(?:also|too|as well|in addition)\b", re.IGNORECASE)


def find_renewal(text: str, familiar: Familiar) -> Succession | None:
    """What *text* tells anew in the very words of a fact that is known by its verb: `we're now twinned with V`."""
    text = text.strip().rstrip(".! ")
    if text.endswith("?") or _HEDGED.search(_FINE.sub(" ", text)):
        return None
    anew = _ANEW.search(text) is not None
    for attribute, values in familiar.values.items():
        words = attribute.removeprefix("we ").split()
        if len(values) != 1 or len(words) < 2 or words[-1] not in _PREPOSITIONS:
            continue
        between = r"\s+(?:(?:is|are|has been|now|currently|instead)\s+)*"
        m = re.search(rf"\b{between.join(map(re.escape, words))}\s+(?P<v>.+)$", text, re.IGNORECASE)
        value = clean_value(m["v"])[0] if m else None
        if not anew and not (value and re.fullmatch(rf"(?:the\s+)?{NAME}", value)):
            continue
        if value and len(value.split()) <= 6 and value.lower() != values[0].lower():
            return Succession(attribute, value, None)
    return None


_ANEW = re.compile(
    r"\b(?:now|instead|rather than|from now on|these days|from today|any ?more|no longer|as of)\b", re.IGNORECASE
)
_PREPOSITIONS = frozenset(("in", "at", "on", "with", "for", "from", "by", "to", "as", "under", "through", "of"))


def _succession(attribute: str, value: str, old: str | None) -> Succession | None:
    value = re.sub(r"^(?:an?|some|young|good old)\s+(?=[A-Z])", "", value)
    if old is not None and (value.lower() == old.lower() or (value.isdigit() and not re.search(r"\d", old))):
        return None
    return Succession(attribute, value, old)


# `the Saturday market`, not `the Saturday`
_WITH_ITS_NOUN = re.compile(
    rf"(?P<v>the\s+{NAME}\s+[a-z]+)(?=\s+(?:now|instead|these days|from now on|this time)\b|\s*(?:[,.;]|$))"
)


def _others(text: str, spots: list[Spot]) -> list[re.Match[str]]:
    """Names, numbers and the like in *text* that are no known fact's."""
    found: list[re.Match[str]] = []
    for m in re.finditer(rf"(?<!\w){_NAMED}", text):
        if any(s.own < m.end() and m.start() < s.end for s in spots):
            continue
        if _NOT_NAMES.fullmatch(m["v"]) or (_NOT_NAMES.fullmatch(m["v"].split()[0]) and len(m["v"].split()) == 1):
            continue
        if found and re.fullmatch(r"\s(?:from|of|at|in|near)\s", text[found[-1].end() : m.start()]):
            continue  # where somebody is from
        found.append(_WITH_ITS_NOUN.match(text, m.start()) or m)
    return found


def _after_old(text: str, olds: list[Spot], named: list[Spot]) -> str | None:
    """The value that comes where the known one goes, both named in *text*."""
    old = olds[-1]
    lead, tail = text[: old.start], text[old.end :]
    appositive = any(
        text[s.end : o.start].strip(" ,") == "" or text[o.end : s.start].strip(" ,") == "" for s in named for o in olds
    )
    if m := _TO_NEW.match(tail):
        moved = re.match(
            r"^(?:['’]s)?\s*(?:(?:has|have|is|just|now)\s+)*(?:moved|left|leaves|passes|passed|gave|gives|turned|changed|switched)\s+(?:to|for|by)\b",
            tail,
        )
        if not (
            moved
            and (
                appositive
                or (re.match(r"[A-Z]", old.value or "") and not re.search(r"\b(?:from|quit|left|dropped)\s*$", lead))
            )
        ):
            return m["v"]
    if m := _FOR_OLD.search(lead):
        if not _NOT_NAMES.fullmatch(m["v"]):
            return m["v"]
    others = _others(text, [*olds, *named])
    names = list(
        dict.fromkeys(re.sub(r"^(?:the|an?|some|young|old|little|good old)\s+(?=[A-Z])", "", m["v"]) for m in others)
    )
    if len(names) != 1:
        return None
    other = others[-1]
    if other.start() < old.start:
        between = text[other.end() : old.start]
        return other["v"] if _INSTEAD.search(between) and len(between.split()) <= 8 else None
    between = text[old.end : other.start()]
    if m := re.search(r"\b(?:from)\s*$", lead):
        return other["v"] if re.search(r"\bto\s*$", between) else None
    if re.search(
        r"\b(?:quit|left|leave|leaving|dropped|ditched|dumped|binned|scrap(?:ped)?|sold|traded(?: in)?|swapped|swap|exchanged|replaced|replacing|switched|substituted|retired|sacked|fired|out with|no more|instead of|rather than|gone off|done with|off|away from|goodbye to|not|no longer|after)\s*$",
        lead,
        re.IGNORECASE,
    ) and _IN.search(between):
        return other["v"]
    if _GONE.search(between) and _IN.search(text[old.end + _GONE.search(between).end() :] or ""):  # type: ignore[union-attr]
        rest = between[_GONE.search(between).end() :]  # type: ignore[union-attr]
        if named or re.search(r"[,;—–]|\b(?:so|and|but|now|to)\b", rest):
            mover = re.match(
                r"^\s*(?:(?:has|have|is|are|just)\s+)*(?:left|went|gone|goes|off|moved)\s+(?:\w+\s+)?(?:to|for)\s*$"
                r"|^\s*(?:(?:was|were|got|been|just)\s+)+[a-z]+\s+(?:\w+\s+)?to\s*$",
                between,
            )
            if not (mover and re.match(r"[A-Z]", old.value or "") and not named):
                return other["v"]
    return None


_FROM_WHERE = re.compile(rf"^\s(?:from|of|at|in|near)\s{NAME}(?=\s)")


def _by_name(text: str, named: list[Spot], olds: list[Spot]) -> str | None:
    """The value that a fact named in *text* is told to have now."""
    plainly = re.search(r"\s(?:is|are)\s+$", text[: named[-1].start]) is not None
    if not plainly and not _OF_CHANGE.search(text) and not any(s.afresh for s in named):
        return None
    spots = [*named, *olds]
    others = [m for m in _others(text, spots) if not re.match(r"['’]s?\s+[a-z]", text[m.end() :])]
    before = [m for m in others if m.end() <= named[-1].start]
    if before and re.fullmatch(
        rf"\s*{_BECOMING}", _FROM_WHERE.sub("", text[before[-1].end() : named[-1].start]), re.IGNORECASE
    ):
        others = before[-1:]
    if not others or len({m["v"] for m in others}) != 1:
        return None
    other, spot = others[-1], named[-1]
    value = re.sub(r"^(?:an?|some)\s+(?=[A-Z])", "", other["v"])
    if other.end() <= spot.start:
        between = _FROM_WHERE.sub("", text[other.end() : spot.start])
        if (
            re.fullmatch(
                rf"['’]?s?\s*{_BECOMING}", between + " " if not between.endswith(" ") else between, re.IGNORECASE
            )
            and between.strip()
        ):
            return value
        if re.fullmatch(r",?\s*", between) and re.search(
            r"\b(?:made|appointed|elected|named|picked|chose|hired|call(?:ed)?|got|took on)\s*$", text[: other.start()]
        ):
            return value
        if re.fullmatch(r",\s*", between) and spot.afresh:
            return value
        return None
    between = text[spot.end : other.start()]
    if not between.strip(" ,:—–-=") and not re.search(r"[:,—–=-]", between):
        return None
    if re.fullmatch(
        r"(?:['’]s|['’]re)?\s*(?:\s*(?:,|:|;|—|–|-|=|!|[Ii]t['’]s|[Ii]t is|[Tt]hat['’]s|is|are|was|were|has|have|had|been|be|will|now|again|just|finally|recently|got|gets|gone|going|goes|went|to|over|up|down|from|with|by|in|into|at|for|on|changed?|changes|switched?|swapped|moved|replaced|shifted|passed|handed|turned|became|becomes|set|pushed|raised|lowered|increased|rose|risen|"
        r"dropped|fell|fallen|updated|renamed|hands|role|job|position|name|called|named|this time|instead|as of|today|no longer|not|so|and|but|the|our|new one|one|had|has to|change))*\s*",
        between,
    ):
        if re.search(r"\bfrom\s*$", between):
            return None
        cleaned = clean_value(text[other.start() :])[0]
        if cleaned and specific(cleaned) and len(cleaned.split()) <= 5:
            value = re.sub(r"\s+(?:instead|now|this time)\b.*$", "", cleaned)
        return value
    return None


_VACATES = re.compile(
    r"^(?:['’]s|\s+(?:is|isn['’]t|was|has|have|are|aren['’]t))?\s*(?:(?:just|now|recently|also)\s+)*(?:no longer|not|stopped being|stepped (?:down|back) as|resigned as|quit as|retired as|gave up being|done as|ceased to be|finished as)?\s*$",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"no longer|stopped|stepped|resigned|quit|retired|gave up|done as|ceased|finished|n['’]t|\bnot\b", re.IGNORECASE
)


# `The reviewer is no longer clear`, `it's not certain any more who our reviewer is`: what it is now, nobody knows.
_OPEN = r"(?:clear|certain|sure|settled|fixed|decided|known|confirmed|final|safe|valid|in force|set in stone)"
_NOT_KNOWN = (
    re.compile(
        rf"^(?:my|our|the)\s+(?P<np>[a-z][\w '’-]*?)\s+(?:is|are)\s+(?:(?:now|all|again|suddenly)\s+)*(?:no longer\s+{_OPEN}|(?:not|n['’]t)\s+{_OPEN}\s+(?:any ?more|any longer)|"
        r"(?:up in the air|in doubt|up for grabs|uncertain|undecided|unclear|unsettled)(?:\s+(?:again|now|at the moment|once more))*)$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:it(?:['’]s|\s+is)\s+(?:no longer\s+{_OPEN}|(?:not|n['’]t)\s+{_OPEN}\s+(?:any ?more|any longer)|(?:now\s+)?(?:uncertain|unclear|undecided)(?:\s+now)?)|"
        r"(?:i|we|nobody|no one)\s+(?:no longer knows?|(?:don['’]t|do not) know any ?more|knows any ?more))\s*,?\s+(?:who|what|which|where|when|how much)\s+(?:my|our|the)\s+(?P<np>[a-z][\w '’-]*?)\s+(?:is|are|will be|costs?|takes place)$",
        re.IGNORECASE,
    ),
)


def find_vacancy(text: str, familiar: Familiar) -> tuple[str, str] | None:
    """The known fact, and its value, of which *text* tells only that it holds no longer: `Mina is no longer team lead`."""
    text = text.strip().rstrip(".! ")
    if unknown := next((m for form in _NOT_KNOWN if (m := form.match(text))), None):
        held = [(name, familiar.values[name][-1]) for name in familiar.named(unknown["np"]) if familiar.values[name]]
        return held[0] if len(held) == 1 else None
    spots = familiar.spots(text)
    if text.endswith("?") or len(spots) != 2 or spots[0].attribute != spots[1].attribute or len(text) > 160:
        return None
    old, name = spots
    if old.value is None:
        old, name = name, old
    if old.value is None or name.value is not None or _HEDGED.search(_FINE.sub(" ", re.sub(_NO_MORE, " ", text))):
        return None
    first, second = sorted((old, name), key=lambda spot: spot.start)
    between, tail = text[first.end : second.start], text[second.end :]
    if text[: first.start].strip() or not re.fullmatch(
        r"(?:\s+(?:any ?more|any longer|now|as of \w+|since \w+))*", tail
    ):
        return None
    if first is name:
        between = re.sub(r"^\s*(?:is|['’]s|isn['’]t)", lambda m: m[0], between)
    if not _NO_MORE.search(between) or not _VACATES.match(between):
        return None
    return old.attribute, old.value
