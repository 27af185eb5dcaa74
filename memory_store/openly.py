"""
Clauses of any verb, where no narrower form is known: who does what, and the last part of it as the value.

`we start at half past seven` -> start at: half past seven; `the sourdough proves sixteen hours` -> sourdough proves:
sixteen hours. What is read so is weak: it counts only in a short message of the speaker's own.
"""

import re

from memory_store.doing import RATHER_NOUNS, is_done_to, verb_form
from memory_store.phrases import FUNCTION_WORDS, noun_phrase, specific
from memory_store.predicates import NOT_LASTING
from memory_store.said import ADVERBS, NAME, Said, Subject, value_of

PREP = r"(?:in|at|on|near|by|with|for|to|from|as|out of|through|via|within|under|over|around|behind|before|after|during|opposite|beside|next to|above|below|against|between|among|along|across|off|into|onto|inside|outside|until|till|since)"
# "the boxes are packed by noon", "the kids are sleeping at Fran's"
_UNDER_WAY = re.compile(
    rf"^(?P<np>(?:(?:my|our|the)\s+)?[^\W\d_][\w-]*(?:\s[^\W\d_][\w-]*){{0,4}}?)(?:\s+(?:is|are|(?P<gets>gets?))|['’]s|['’]re)\s+(?P<adv>{ADVERBS}(?:being\s+)?)(?P<verb>[a-z]+)\s+(?:(?P<particle>after|for|of|up|out|off|down|over|back|away)\s+(?={PREP}\s))?(?:(?P<p>{PREP})\s+)?(?P<v>.+)$",
    re.IGNORECASE,
)
_TOOK_ON = re.compile(
    rf"^(?P<s>I|[Ww]e)(?:['’]ve|\s+have)?\s+(?:(?:now|just|since|recently)\s+)*(?P<verb>[a-z]+)\s+(?P<v>(?:the\s+)?{NAME})\s+as\s+(?:(?:my|our|the|a|an)\s+)?(?P<np>[a-z][a-z -]*)$"
)
_OURS = re.compile(
    rf"^(?P<s>I|we)(?:(?P<be>['’]m|['’]re|\s+am|\s+are|['’]ve been|\s+have been)\s+(?P<adv>{ADVERBS})(?P<ing>[a-z]+ing)|\s+(?P<adv2>{ADVERBS})(?P<verb>[a-z]+))\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_PLACE = re.compile(
    rf"^(?P<o>(?:(?:my|our|the|his|her|their|all|some)\s+)?(?:it|them|em|['’]em|him|her|everything|[a-z]+(?:\s[a-z]+)?)\s+)??(?P<adv>(?:{ADVERBS}|(?:out|up|back|over|down|away|off|round|around|together|twice|once)\s+)*)(?P<p>{PREP})\s+(?P<v>.+)$",
    re.IGNORECASE,
)
# How much, how often and when, in words: as telling as a number.
MEASURED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half|quarter|dozen|once|twice|every|each|noon|midday|midnight|morning|mornings|afternoon|afternoons|evening|evenings|night|nights|"
    r"dawn|dusk|sunrise|sunset|teatime|lunchtime|bedtime|breakfast|lunch|dinner|supper|weekend|weekends|weekdays?|daily|weekly|fortnightly|monthly|yearly|spring|summer|autumn|winter|\w+days?|o['’]clock)\b",
    re.IGNORECASE,
)
_AS_OURS = re.compile(rf"^(?P<v>(?:the\s+)?{NAME})\s+as\s+(?:(?:my|our|the)\s+)?(?P<np>[a-z][a-z -]*)$")
_NO_VALUE = re.compile(
    r"^(?:average|a new|another|a different|atm|obvs|lol|tbh|though|anyway|mate|that|to|how|what|if|whether|when|why|who|which|because|so|like|me|us|you|him|her|them|it|this|these|those|all|too|very|really|more|less|not|no|nothing|something|anything|everything|everyone|and|or|but|up|out|off|on|in|down|over|well|better|best|fine|ok|good|great|bad|hard|"
    r"(?:a|an|some|any|the)\s+(?:lot|bit|few|little|couple|problem|problems|question|questions|issue|issues|idea|ideas|way|ways|thing|things|time|list|good|great|bad|error|errors|reason|feeling|look|chance|point|fact|same|best|following|number|kind|sort|type|error|code|function|file|text|sentence|word|words|story|essay|paragraph|example|answer)|"
    r"\w+ing\b)(?:[\s,]|$)",
    re.IGNORECASE,
)
# What hangs on what is no value: ties are read elsewhere.
_OF_TIES = frozenset(
    "depend rely change switch move replace swap pick choose add remove decide determine dictate govern drive hinge hang matter affect influence mean require cause".split()
)
_NOT_SUBJECTS = frozenset(
    """i we you he she it they that this these those there what who which where when why how if because so and but or people
    someone somebody anyone nobody everything something nothing things let please could would can should also then here
    one ones users user customers students companies humans women men children nobody most many some few several both
    such another others god life time work""".split()
)


def parse_openly(text: str, *, loose: bool = False) -> Said | None:
    """
    What *text*, a clause in the present, says somebody or something of the speaker's does, has or is at.

    *loose* takes any value of what is not said to be the speaker's.
    """
    return _of_us(text) or _under_way(text, loose) or _of_a_thing(text)


def taken_on(text: str) -> Said | None:
    """`We have retained V as NP`, with any verb: who is now what."""
    m = _TOOK_ON.match(text)
    form = verb_form(m["verb"]) if m else None
    if m is None or form is None or form[1] != "past" or form[0] in _PARTINGS or (np := noun_phrase(m["np"])) is None:
        return None
    return Said(np, m["v"], "i" if m["s"] == "I" else "we", change=True)


_PARTINGS = frozenset(
    "lose drop leave quit sell know see want use think consider reject fire dismiss remove remember treat describe mention".split()
)


def _of_us(text: str) -> Said | None:
    m = _OURS.match(text)
    if m is None:
        return None
    found = verb_form(m["ing"] or m["verb"])
    if (
        found is None
        or found[1] != ("ing" if m["ing"] else "base")
        or (found[0] in NOT_LASTING and found[0] != "do")
        or found[0] == "be"
    ):
        return None
    subject: Subject = "i" if m["s"].lower() == "i" else "we"
    if (as_ours := _AS_OURS.match(m["rest"])) and (np := noun_phrase(as_ours["np"])):
        return Said(np, as_ours["v"], subject)
    verb, rest = found[0], m["rest"]
    if verb in _OF_TIES:
        return None
    if verb == "do" and (
        done := re.match(r"^(?:my|our|the|all (?:my|our))\s+(?P<ing>[a-z]+ing)\s+(?P<rest>.+)$", rest)
    ):
        # "we do our imaging at X": image
        verb, rest = (verb_form(done["ing"]) or (done["ing"], ""))[0], done["rest"]
    elif verb in NOT_LASTING:
        return None
    told = _told(verb, rest)
    if told is None:
        return None
    name, value, now = told
    return Said(name, value, subject, verb=True, weak=True, change=now)


def _under_way(text: str, loose: bool) -> Said | None:
    """`The boxes are packed by noon`, `the kids are sleeping at Fran's`: what is done to a thing, or what it is doing."""
    m = _UNDER_WAY.match(text)
    if m is None or any(word.lower() in _NOT_SUBJECTS for word in m["np"].split()):
        return None
    done, form = is_done_to(m["verb"]), verb_form(m["verb"])
    verb = form[0] if form else m["verb"]
    if not done and (form is None or form[1] != "ing" or m["gets"]):
        return None
    value, now = value_of(m["v"])
    owned = re.match(r"(?:my|our)\s", m["np"], re.IGNORECASE)
    if (verb in NOT_LASTING and not m["particle"]) or verb in _OF_TIES or value is None or not _is_value(value):
        return None
    if not (owned or loose or specific(value) or MEASURED.search(value)):
        return None
    if m["p"] is None and (done or not (owned or re.match(r"(?:the|an?)\s+[A-Z]", m["v"]))):
        return None
    np = re.sub(r"^(?:my|our|the)\s+", "", m["np"], flags=re.IGNORECASE)
    name = " ".join(w for w in (np, m["verb"] if done else verb, m["particle"], m["p"]) if w)
    return Said(name, value, "we", verb=True, weak=True, loose=not owned, change=now)


def _of_a_thing(text: str) -> Said | None:
    for m in _readings(text):
        told = _told(m["verb"].lower(), m["rest"])
        if told is None:
            continue
        name, value, now = told
        owned = re.match(r"(?:my|our)\s", m["np"], re.IGNORECASE)
        np = re.sub(r"^(?:my|our|the|an?|all the|all our)\s+", "", m["np"], flags=re.IGNORECASE)
        subject: Subject = "i" if m["np"].lower().startswith("my ") else "we"
        if not owned and not specific(value) and not MEASURED.search(value) and len(value.split()) > 5:
            return None
        return Said(f"{np} {name}", value, subject, verb=True, weak=True, loose=not owned, change=now)
    return None


def _readings(text: str) -> list[re.Match[str]]:
    """Every place in *text* where a verb may follow its subject, first to last; the subject is no pronoun."""
    found = []
    for m in re.finditer(r"\s(?P<verb>[a-z]+)(?=\s)", text):
        subject, verb = text[: m.start()], m["verb"]
        form = verb_form(verb)
        words = [w.lower().strip("'’,") for w in subject.split()]
        if not words or len(words) > 5 or "," in subject:
            break
        if (
            form is None
            or (form[0] in NOT_LASTING and verb not in ("has", "gets", "does"))
            or form[0] == "be"
            or form[1] not in ("s", "base")
        ):
            continue
        last = words[-1]
        plural = (
            (last.endswith("s") and not last.endswith("ss") and not re.search(r"['’]s$", last))
            or last in ("everybody", "everyone", "kids")
            or " and " in subject
        )
        if form[1] == "base" and not (plural and last not in ("everybody", "everyone")):
            continue
        if form[1] == "s" and (plural and not subject.split()[-1][0].isupper() and verb != "has"):
            continue
        if form[0] in _OF_TIES or words[0].endswith("ever"):
            break
        opens = verb_form(words[0])
        compound = plural and len(words) > 1 and opens is not None and opens[1] == "ing"  # `swimming lessons`
        if (opens is not None and not compound and (opens[1] == "ing" or words[0] not in RATHER_NOUNS)) or re.match(
            r"(?:some|often|usual|al)\w*$", words[0]
        ):
            break  # a command, or an adverb
        if words[0] in _NOT_SUBJECTS or any(
            w in FUNCTION_WORDS
            and w not in ("the", "my", "our", "a", "an", "of", "in", "for", "at", "on", "and", "all")
            for w in words
        ):
            break
        if verb in RATHER_NOUNS and not re.match(
            r"\s*(?:at|on|in|to|from|with|by|for|the|an?|my|our|[A-Z0-9£$€]|" + MEASURED.pattern[2:-2] + r")\b",
            text[m.end() :],
        ):
            continue
        again = re.compile(rf"(?P<np>.{{{m.start()}}})\s(?P<verb>{verb})\s+(?P<rest>.+)$", re.DOTALL).match(text)
        if again is not None:
            found.append(again)
    return found


def _told(verb: str, rest: str) -> tuple[str, str, bool] | None:
    """*rest*, what follows *verb*, as the rest of a name and the value; and whether it is told as news."""
    rest = rest.strip()
    second = verb_form(rest.split()[0]) if rest else None
    if verb in ("has", "have", "gets", "get", "do", "does") and (
        (second is not None and second[1] in ("past", "base") and rest.split()[0] not in RATHER_NOUNS)
        or re.match(
            r"(?:been|gone|done|come|put|taken|given|broken|fallen|grown|written|driven|gotten|known|seen|begun|run|shut|let|set|cut|just|now|already|finally|to|\w+(?:ed|wn|orn|ung))\b",
            rest,
        )
    ):
        return None  # what has happened, or what one does indeed
    if re.match(
        r"with\s"
        if verb in ("go", "goes")
        else r"(?:from|with|down to)\s+(?:the|my|our)\s+[a-z ]+$"
        if verb in ("come", "comes")
        else r"(?!)",
        rest,
        re.IGNORECASE,
    ):
        return None  # a tie
    if m := _PLACE.match(rest):
        thing = re.sub(r"^(?:my|our|the|his|her|their|some)\s+", "", (m["o"] or "").strip(), flags=re.IGNORECASE)
        if thing.lower() in ("it", "them", "em", "'em", "’em", "him", "her", "everything"):
            thing = ""
        if _NO_VALUE.match(thing + " ") or thing in ("nothing", "something", "anything"):
            return None
        if not thing or not (verb_form(thing.split()[0]) and thing not in RATHER_NOUNS):
            value, now = value_of(m["v"])
            if m["p"].lower() == "to" and (act := verb_form(m["v"].split()[0])) and act[1] == "base":
                return None  # to do something
            if value is not None and _is_value(value):
                particle = " ".join(
                    w for w in m["adv"].split() if w in ("out", "up", "back", "over", "down", "off", "away")
                )
                return " ".join(w for w in (verb, thing, particle, m["p"].lower()) if w), value, now
    value, now = value_of(rest)
    if value is None or not _is_value(value):
        return None
    return verb, value, now


def _is_value(value: str) -> bool:
    return (
        not _NO_VALUE.match(value)
        and 1 <= len(value.split()) <= (20 if re.search(r":.*,|,.*\band\b", value) else 9)
        and value[-1].isalnum() | (value[-1] in "’'.%)")
    )
