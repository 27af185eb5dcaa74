"""
What hangs on what among facts that are known already: a sentence that names two of them, with words of dependence.

Where `ties` goes by the form of the whole sentence, here the places of the two names are given, and only what stands
between and around them is read. Nothing is concluded from two names alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memory_store.consequences import parse_consequence
from memory_store.dependence import CHANGE_OF, OPENING, find_dependence
from memory_store.familiar import Familiar, Spot
from memory_store.phrases import clean_value, specific, stems
from memory_store.said import NAME


@dataclass(frozen=True)
class Hanging:
    """When *cause* *trigger* (*value*), then *effect* becomes *becomes*; None is `?`."""

    effect: str
    cause: str
    trigger: Literal["changes", "is"] = "changes"
    value: str | None = None
    becomes: str | None = None
    by_verb: bool = False  # *effect* is a verb and what goes with it, not the name of a known fact


def find_hanging(text: str, familiar: Familiar) -> list[Hanging]:
    """What *text*, one sentence, says of known facts that hang on each other."""
    text = text.strip().rstrip(".! ")
    if text.endswith("?") or len(text) > 320:
        return []
    if (m := _REASON_FIRST.match(text)) and (main := find_hanging(m["main"], familiar)):
        return main
    spots = familiar.spots(text)
    if not spots:
        return []
    found = _conditional(text, spots, familiar)
    if found is None:
        found = [Hanging(effect, cause) for effect, cause in find_dependence(text, spots)]
    return list(dict.fromkeys(h for h in found if h.effect != h.cause))


_REASON_FIRST = re.compile(r"^(?:because|since|as)\s[^,]+,\s+(?P<main>.+)$", re.IGNORECASE)

# -- conditions ---

_MARK = (
    r"(?:if(?: ever)?|when(?:ever)?|once|as soon as|in case(?: (?:of|that))?|in the event (?:of|that)|(?:the|from the) (?:moment|minute|day|second|instant|week)(?: that)?|"
    r"(?:the )?(?:next|first) time|every ?time|any ?time|after|following|should|were|assuming|supposing|provided(?: that)?|unless|until|till|"
    r"(?:as|so) long as|(?:only |just )?while|on|upon|with|under|given|for|without|but for)"
)
_STARTS = re.compile(
    rf"(?:^|(?<=[\s,;:(—–]))(?P<mark>{_MARK})\s+(?P<there>(?:there(?:['’]s| is| was| were| will be| should be)|it(?:['’]s|\s+is|\s+will be|\s+were|\s+weren['’]t|\s+wasn['’]t)|we(?:['’]re| are)?|i(?:['’]m)?|somebody|someone|anybody|anyone|they)\b)?",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^(?:(?:and|but|so|also|oh|well|it['’]s agreed|agreed|our (?:plan|deal|rule|agreement)|the (?:plan|deal|rule|agreement))[,:]?\s+)*(?P<verb>change|swap|switch|replace|lose|drop|take away|remove|move)\s+$",
    re.IGNORECASE,
)
# What makes of a fact in a condition an event: it changes, is lost, is another.
_CHANGING = re.compile(
    r"\b(?:chang(?:es?|ed|ing)|leav(?:es?|ing)|left|goes|gone|go|quits?|quitting|retires?|resigns?|stops?|stopped|ends?|ended|expires?|mov(?:es?|ed|ing)|switch(?:es|ed|ing)?|swap(?:s|ped)?|shift(?:s|ed)?|replac(?:es?|ed|ing)|"
    r"los(?:es?|ing|t)|drop(?:s|ped)?|ditch(?:es|ed)?|alter(?:s|ed)?|different|differs?|another|new|other than|no longer|not|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|out|over|falls? through|pull(?:s|ed)? out|back(?:s|ed)? out|(?:steps?|stepp(?:ed|ing)|stands?|stood|standing) down|(?:gives?|gave|given) (?:it )?up|cancel(?:s|led)?|bankrupt|bust|part(?:s|ed)? ways|pulls? the plug|sacked|fired|unavailable|(?:runs?|ran) out|"
    r"clos(?:es?|ed)|shuts?|goes under|is sold|dies|moves on|moved on|else|varies|rotates?|turns? over|takes? over|hands? over|is gone|elsewhere|without|change of|changeover)\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:stays?|remains?|keeps?|kept|is still|are still|still|holds?|lasts?|the same|around|as (?:it|he|she|they) (?:is|are)|sticks?|in place|with us|have|has|['’]ve got|is|are|we['’]re|i['’]m)\b|^\s*$",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"\b(?:chang\w*|differ\w*|alter\w*|rethink|rethought|reconsider\w*|review\w*|redo|redone|re-?do|revisit\w*|re-?evaluat\w*|up in the air|up for \w+|open(?!\s+(?:from|at|until|till|on|between|daily|every|all)\b)|unclear|uncertain|unsure|unknown|not sure|no idea|no clue|clueless|"
    r"don['’]t know|do not know|dunno|who knows|god knows|heaven knows|can['’]t (?:say|tell|promise|keep|use|have|stay|hold)|couldn['’]t (?:say|tell|keep|use|have|stay)|won['’]t (?:\w+ )?(?:do|work|hold|stay|last|fit|apply|be|survive|count|stand|make sense)|won['’]t|wouldn['’]t|not (?:be|hold|stay|work|apply|fit|last|count)|no longer|need(?:s|ing)? (?:a|an|to|another|replac\w*|chang\w*|updat\w*|re\w+)|"
    r"another|a new|a different|something else|someone else|somewhere else|useless|worthless|void|out (?:of )?the window|off|gone|over|replace\w*|look (?:for|at|into)|see about|find|figure out|sort out|work out|think about|afresh|again|from scratch|might|(?-i:may)|maybe|perhaps|probably|anything|anyone's guess|anyone’s guess|all bets|"
    r"no more|fall\w* (?:apart|through|away)|go(?:es)? (?:too|as well|away|with it)|have to|has to|would have to|must|wouldn['’]t hold|won['’]t hold|in doubt|doubtful|shaky|redundant|obsolete|pointless|nothing|lost|mess)\b",
    re.IGNORECASE,
)


def _conditional(text: str, spots: Sequence[Spot], familiar: Familiar) -> list[Hanging] | None:
    """What follows by the condition in *text*; [] where a condition stands there that is none; None without one."""
    split = _split(text, spots)
    if split is None:
        return None
    mark, (c0, c1), (e0, e1), cause = split
    condition, consequence = text[c0:c1].strip(" ,"), text[e0:e1].strip(" ,;:—–")
    event = _event(mark, condition, cause, text, c0, c1, familiar)
    if event is None:
        return []
    trigger, value = event
    inner = [s for s in spots if e0 <= s.own < e1 and s.attribute != cause.attribute]
    by_name = [s for s in inner if s.value is None]
    effects = by_name or inner
    if not effects:
        return _of_a_new(mark, consequence, cause, trigger, value)
    found: list[Hanging] = []
    named = list(dict.fromkeys(s.attribute for s in effects))
    for i, attribute in enumerate(named):
        own = [s for s in effects if s.attribute == attribute]
        piece = (e0, e1)
        if len(named) > 1:
            before = [s for s in effects if s.end <= own[0].start and s.attribute != attribute]
            after = [s for s in effects if s.start >= own[-1].end and s.attribute != attribute]
            piece = (
                _cut(text, before[-1].end, own[0].start) if before else e0,
                _cut(text, own[-1].end, after[0].start) if after else e1,
            )
        becomes = _outcome(text, piece, own[0], [s for s in spots if piece[0] <= s.own < piece[1]], familiar)
        if (
            becomes is None
            and not own[0].afresh
            and not _OPEN_END.search(text[piece[0] : piece[1]])
            and trigger == "changes"
            and mark not in _WHILE_MARKS
        ):
            if i == 0 and len(named) == 1:
                return []
            continue
        if becomes is None and trigger == "is":
            continue
        found.append(Hanging(attribute, cause.attribute, trigger, value, becomes))
    return found


def _of_a_new(
    mark: str, consequence: str, cause: Spot, trigger: Literal["changes", "is"], value: str | None
) -> list[Hanging]:
    """What follows for a fact that is not known by its name: `if the start is altered, Maureen takes me home`."""
    told = parse_consequence(consequence) if mark not in _WHILE_MARKS else None
    name = told.effect.name or told.effect.alias if told is not None else None
    if told is None or name is None:
        return []
    return [Hanging(name, cause.attribute, trigger, value, told.becomes, by_verb=told.effect.name is None)]


_WHILE_MARKS = frozenset(
    ("as long as", "so long as", "while", "only while", "just while", "unless", "until", "till", "without", "but for")
)


def _cut(text: str, start: int, end: int) -> int:
    """Between two names, where the one's clause ends and the other's begins."""
    m = re.search(r",\s*(?:and|but)?\s*|\s+and\s+|;\s*", text[start:end])
    return start + m.start() if m else end


def _split(text: str, spots: Sequence[Spot]) -> tuple[str, tuple[int, int], tuple[int, int], Spot] | None:
    """The mark of a condition in *text*, where the condition stands, where what follows from it, and the fact waited for."""
    head = spots[0]
    if CHANGE_OF.search(OPENING.sub("", text[: head.start])) and (
        m := re.match(
            r"\s+(?:(?:would|will|does|could|should|always|also)\s+)*(?P<v>means?|makes?|turns?|moves?|sets?|puts?|switch(?:es)?|brings?|changes?|takes?|pushes?|raises?|lowers?)\b(?:\s+that\b)?",
            text[head.end :],
            re.IGNORECASE,
        )
    ):
        return (
            "if",
            (0, head.end),
            (head.end + (m.end() if m["v"].lower().startswith("mean") else m.start("v")), len(text)),
            head,
        )
    if _BARE.match(text[: head.start]) and (m := re.search(r"\band\b|,", text[head.end :])):
        at = head.end + m.end()
        return "if", (0, head.end + m.start()), (at, len(text)), head
    if head.afresh and (m := re.match(r"^(?:(?:and|but|so)\s+)*$", text[: head.start])) is not None:
        if m := re.match(
            r"\s+(?:would|will|does|['’]d|['’]ll)?\s*(?:also\s+|always\s+)?(?:means?|makes?|brings?|involves?|gives?|calls? for|leads? to|sets?|turns?|moves?|puts?)\s+(?:that\s+)?|,\s+(?:then\s+)?|\s+then\s+|\s+(?=(?:different|other|new|another|a different|a new)\s)",
            text[head.end :],
        ):
            at = head.end + m.start() + (len(m[0]) - len(m[0].lstrip())) if "mean" not in m[0] else head.end + m.end()
            if m[0].lstrip().startswith((",", "then")) or not m[0].strip():
                at = head.end + m.end()
            return "if", (0, head.end), (at, len(text)), head
    for m in _STARTS.finditer(text):
        mark = m["mark"].lower()
        mark = re.sub(r"\s+(?:ever|that|of)$", "", mark)
        after = [s for s in spots if s.own >= m.end("mark")]
        if after and re.search(r",\s|\bthen\b", text[m.end("mark") : after[0].start]):
            continue  # it is named in what follows, not in the condition
        before = [s for s in spots if s.end <= m.start()]
        if not after:
            continue
        if mark in (
            "on",
            "upon",
            "with",
            "under",
            "given",
            "for",
            "following",
            "without",
            "but for",
            "after",
        ) and not _by_phrase(mark, text, after[0], m):
            continue
        lead = text[: m.start()].strip(" ,;:—–")
        first = (
            not before
            and len(lead.split()) <= 7
            and not re.search(
                r"\b(?:is|are|will|would)\b", re.sub(r"\b(?:is|was) that$|(?:it['’]s|it is) agreed", "", lead)
            )
        )
        told_after = before and any(
            s.attribute != after[0].attribute and re.search(r",\s|\bthen\b", text[after[0].end : s.start])
            for s in after
        )
        if first or told_after:
            cause = after[0]
            later = [s for s in after if s.attribute != cause.attribute]
            until = later[0].start if later else len(text)
            same = [s for s in after if s.attribute == cause.attribute and s.end <= until]
            last = same[0] if not later else same[-1]
            room = text[last.end : until]
            if b := re.search(r",\s+(?:then\s+|so\s+)?|\s+then\s+|\s+[—–]\s+|:\s+", room):
                return mark, (m.end("mark"), last.end + b.start()), (last.end + b.end(), len(text)), cause
            b = _PREDICATE.match(room)
            at = last.end + (b.end() if b else 0)
            return mark, (m.end("mark"), at), (at, len(text)), cause
        if before or lead:
            if before and re.search(
                r"[;—]|,\s+(?:they|it|he|she|you|we|i)\b", text[before[-1].end : m.start()], re.IGNORECASE
            ):
                continue  # that was a clause of its own
            cause = after[0]
            end = len(text)
            if b := re.search(r",\s+(?=(?:so|and|but|which|that)\b)|\s+[—–]\s+", text[cause.end :]):
                end = cause.end + b.start()
            return mark, (m.end("mark"), end), (0, m.start()), cause
    return None


_PREDICATE = re.compile(
    r"^(?:['’]s)?(?:\s+(?:ever|does|do|did|would|will|should|to|has|have|had|is|are|was|were|gets?|got|be|been|being|going|suddenly|actually|really|no|longer|not))*"
    r"(?:\s+(?:chang(?:es?|ed|ing)|leav(?:es?|ing)|left|goes|gone|quits?|retires?|resigns?|stops?|ends?|mov(?:es?|ed)|switch(?:es|ed)?|replaced|lost|dropped|different|out|over|away|down|through|under|on|falls?|steps?|pulls?|closes?|shuts?|stays?|the same|expires?))*"
    r"(?:\s+(?:again|one day|someday|at some point|ever|for good))*(?=\s|$)",
    re.IGNORECASE,
)


def _by_phrase(mark: str, text: str, cause: Spot, m: re.Match[str]) -> bool:
    """Whether *mark*, a preposition, opens a condition here: `with a new B`, `with V as B`, `without B`."""
    between = text[m.end("mark") : cause.start]
    if mark in ("without", "but for"):
        return len(between.split()) == 0
    if mark == "after":
        return bool(
            re.match(r"\s*(?:an?|any|the|our)\s+(?:change|switch)\s+(?:of|in)\s*$", between, re.IGNORECASE)
        ) or (cause.afresh and not between.strip())
    if mark in ("on", "upon", "following"):
        return bool(re.search(r"\b(?:change|switch)\s+(?:of|in)\s*$", between, re.IGNORECASE))
    if cause.afresh and not between.strip():
        return True
    if mark in ("with", "under", "for", "given"):
        told = rf"\s*(?:{NAME})\s+(?:as|for)\s*$"
        if re.match(told, between):
            return True
        return mark == "with" and bool(re.match(rf"\s+(?:at|being|as|set to)\s+(?:{NAME}|\S+)(?=,)", text[cause.end :]))
    return False


def _event(
    mark: str, condition: str, cause: Spot, text: str, c0: int, c1: int, familiar: Familiar
) -> tuple[Literal["changes", "is"], str | None] | None:
    """What is waited for: a change of *cause*, or that it is a value; None where *condition* is neither."""
    if mark in _WHILE_MARKS:
        return (
            ("changes", None)
            if _STAYS.search(condition) or _CHANGING.search(condition) or mark in ("without", "but for")
            else None
        )
    rest = text[cause.end : c1]
    lead = text[c0 : cause.start]
    if cause.afresh or re.search(r"\b(?:change|switch|swap)\s+(?:of|in|to)\s*$", lead, re.IGNORECASE):
        if not re.search(r"\b(?:to|into|is|called|named)\s+[A-Z0-9]", rest):
            return "changes", None
    if re.search(
        r"\b(?:some(?:body|one)|any(?:body|one)) (?:else|new|other than)\b|\bother than\b", condition, re.IGNORECASE
    ):
        return "changes", None
    if cause.value is None:
        current = [v.lower() for v in familiar.values.get(cause.attribute, [])]
        for value in (_value_after(rest), _value_before(lead, mark)):
            if value and not any(value.lower() in v or v in value.lower() for v in current):
                return "is", value
            if value:
                return ("changes", None) if _CHANGING.search(condition) else None
    told = re.sub(r"\b(?:my|our|the)\b", " ", lead + " " + rest)
    return ("changes", None) if _CHANGING.search(told) else None


def _value_after(rest: str) -> str | None:
    m = re.match(
        r"^(?:['’]s|['’]ll be)?(?:\s+(?:ever|does|should|will|would|were|was|is|are|has|have|to|be|been|now|really|actually|suddenly))*\s*"
        r"(?:\s(?:becomes?|became|turns? (?:out to be|to|into)|turned (?:out to be|to|into)|changes? to|changed to|switch(?:es|ed)? to|goes? to|moves? to|moved to|shifts? to|at|to|into|as|being|set to))?\s+(?P<v>.+)$",
        rest,
        re.IGNORECASE,
    )
    if m is None:
        return None
    linked = rest[: m.start("v")].split()
    value = clean_value(m["v"])[0]
    if not linked or value is None:
        return None
    if re.match(
        r"(?:an?\s|the\s)?(?:different|another|new|other|no longer|not|gone|over|out|changed|replaced|moved|someone|something|somewhere|leaving|closed|left|lost|away|ill|sick|busy|late|free|ready|happy|ok|okay|fine|back|down|there)\b|chang|leav|mov",
        value,
        re.IGNORECASE,
    ):
        return None
    if not re.search(
        r"\b(?:is|are|was|were|be|becomes?|became|to|into|at|as|being)$|['’]s$",
        rest[: m.start("v")].strip(),
        re.IGNORECASE,
    ):
        return None
    return value if specific(value) or len(value.split()) <= 4 else None


def _value_before(lead: str, mark: str) -> str | None:
    """`V becomes our B`, `we use V as our B`, `it's V for B`, `with V as B`."""
    lead = lead.strip()
    m = re.match(
        rf"^(?:(?:it['’]s|it is|it should be|there['’]s|(?:we|i|they)(?:['’]d|['’]ll|['’]ve)?(?:\s+(?:ever|do|did|should|were to|decide to|have to|end(?:ed)? up))*\s+(?:with|use|used|get|got|have|had|choose|chose|pick|picked|hire|hired|take|took|go with|went with|go for|settle on|make|made|switch to|move to|elect|appoint|name|put|sign|book))\s+)?"
        rf"(?P<v>(?:the\s+)?{NAME})\s+(?:(?:ever|should|does|were to|will|would|is|has|was|gets?|got|to)\s+)*(?:becomes?|became|become|is|be|as|for|takes? over(?: as)?|took over(?: as)?|made|elected|appointed|named|to be|steps? (?:in|up)(?: as)?|turns? out to be|ends? up(?: as)?|gets?)?$",
        lead,
    )
    if m is None or (mark == "for" and not lead.endswith(("as", "for"))):
        return None
    value = m["v"]
    if re.match(r"(?:I|We|They|It|There|The|My|Our|If|When|Somebody|Someone)$", value):
        return None
    return value


# -- what follows ---

_ONLY_SO = re.compile(
    r"(?:only |still |just )?(?:good|valid|fine|right|ok|okay|true|safe|certain|settled|fixed|possible|available|secure|guaranteed|the same|there|set|in place|sure|firm|stable|what it is|as it is)(?: .*)?",
    re.IGNORECASE,
)
_AS = r"(?:as|for|to be|in|into|(?:the|a) (?:next|natural))"


def _outcome(text: str, piece: tuple[int, int], effect: Spot, inside: Sequence[Spot], familiar: Familiar) -> str | None:
    """The value that the fact *effect* is told to take in `text[slice(*piece)]`; None where none is told."""
    clause = text[piece[0] : piece[1]].strip(" ,;:—–")
    current = [v.lower() for v in familiar.values.get(effect.attribute, [])]
    lead, rest = text[piece[0] : effect.start], text[effect.end : piece[1]]
    name = f"our {effect.attribute}" if effect.value is None else None

    def fits(value: str | None) -> str | None:
        if value is None:
            return None
        value = re.sub(r"^(?:to|into|at)\s+", "", value.strip(" ,."))
        if not value or value.lower() in current or _OPEN_END.match(value) or len(value.split()) > 8:
            return None
        if _ONLY_SO.fullmatch(value):
            return None
        if re.match(
            r"(?:what|who|whoever|whatever|it|that|this|they|he|she|so|too|also|not|no|in|on|out|up|off|a (?:new|different)|another|different|something|someone|hard|harder|easy|easier|good|bad|better|worse|fine|ok)\b",
            value,
            re.IGNORECASE,
        ):
            return None
        return value

    told = parse_consequence(clause)
    if told is not None and told.effect.alias and set(stems(told.effect.alias)) & set(stems(effect.attribute)):
        if value := fits(told.becomes):
            return value
    if name is not None:
        m = re.match(
            r"^(?:['’]s|['’]ll be|['’]d be)?(?:\s+(?:will|would|shall|should|has to|have to|is going to|are going to|is to|must|then|also|just|automatically|immediately|probably not|has|now))*\s*"
            r"(?:\s*(?:=|:)|\s+(?:is|are|be|becomes?|become|goes? (?:up |down |over |back )?(?:in|in?to|on|under|behind)|switch(?:es)?(?: over)? to|moves?(?: over)? to|changes? to|turns? (?:in)?to|shifts? to|rises? to|drops? to|falls? (?:back )?(?:to|on)|pass(?:es)?(?: on)? to|stays? at|reverts? to|happens? (?:at|on|in)|have to be|to be))(?:\s+(?:then|just|automatically|to be|going to be|have to be|set to|moved to|called|named|at))*\s+(?P<v>.+)$",
            rest,
            re.IGNORECASE,
        )
        if m is None and re.search(
            r"\b(?:move|switch|change|turn|shift|put|push|set|raise|lower|make|transfer|bring|takes?|moves?|switches|changes|turns|puts|pushes|sets)\s*$",
            lead,
            re.IGNORECASE,
        ):
            m = re.match(r"^\s+(?:over\s+|up\s+|down\s+|back\s+)?(?:to|into|at)\s+(?P<v>.+)$", rest, re.IGNORECASE)
        if m is not None:
            if re.match(
                r"(?:different|another|gone|over|off|out|up|open$|void|useless|something|someone)\b",
                m["v"],
                re.IGNORECASE,
            ):
                return None
            if value := fits(clean_value(m["v"])[0]):
                if not re.search(r"\b(?:might|(?-i:may)|could|maybe|perhaps)\b", clause, re.IGNORECASE):
                    return value
    if told is not None and (called := told.effect.name) and set(stems(called)) & set(stems(effect.attribute)):
        if value := fits(told.becomes):
            return value
    if re.search(r"\b(?:might|(?-i:may)|could|maybe|perhaps|not|won['’]t|wouldn['’]t)\b", clause, re.IGNORECASE):
        return None
    before = re.sub(r"^\W*(?:then|so|and|but|i['’]d say|let['’]s say)\s+", "", lead, flags=re.IGNORECASE)
    m = re.search(
        rf"(?P<v>(?:(?:the|an?)\s+)?{NAME}|(?:the|an?)\s+[a-z]+(?:\s+[a-z]+)?|(?<=\buse )[a-z]+(?:\s[a-z]+)?|(?<=\bwith )[a-z]+(?:\s[a-z]+)?|(?<=\bfor )[a-z]+(?:\s[a-z]+)?)"
        rf"(?:['’]s|['’]ll|['’]d)?(?:\s+(?:will|would|is|are|be|becomes?|become|gets?|get|to|takes?|take|over|steps?|step|in|up|next|line|then|now|automatically|should|shall|has|have|comes?|serves?|acts?|from(?:\s+{NAME})?|going|instead))*\s*(?:\s{_AS})?\s*$",
        before,
    )
    if m is not None:
        return fits(m["v"])
    names = [
        n[0]
        for n in re.finditer(rf"(?:(?<=the )|(?<![\w]))(?:{NAME})", clause)
        if not any(text.find(n[0], s.start) == s.own for s in inside) and n[0].lower() not in current
    ]
    names = [
        n
        for n in names
        if not re.fullmatch(
            r"(?:I|We|The|Our|My|It|Then|They|He|She|So|And|But|That|This|If|When|In|No|For|As|With|At|On|By|To|From)(?:['’]\w+)?",
            n,
        )
    ]
    goes = re.search(
        rf"\b(?:goes?|pass(?:es)?|falls?|moves?|switch(?:es)?)\s+(?:on\s+|over\s+|up\s+|down\s+)?to\s+(?P<v>{NAME})",
        clause,
    )
    if len(names) == 1 and (
        goes is not None or re.match(r"^\s*(?:is|are|will be|would be|it['’]ll be|it['’]s)?\s*$", lead + rest)
    ):
        return fits(names[0])
    if len(names) == 1 and re.search(r"\b(?:it['’]ll be|it['’]d be|it will be|it would be|it['’]s|it is)\s+", clause):
        return fits(names[0])
    return None
