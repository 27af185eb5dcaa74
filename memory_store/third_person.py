"""Clauses whose subject is neither `I` nor `we`: who does what for us, where things go, what they cost."""

import re

from memory_store.doing import third_of
from memory_store.phrases import noun_phrase, specific
from memory_store.said import ADVERBS, NAME, PERSONAL_NAME, Said, subject_of, value_of

_APPOSED = re.compile(
    r"^(?P<o>[Mm]y|[Oo]ur)\s+(?P<np>[a-z][a-z'’-]*(?:\s+[a-z][a-z'’-]*){0,3}),?\s+(?P<v>(?:[A-Z](?:[\w'’-]+|\.))(?:\s+[A-Z][\w'’-]+){0,2}),?\s+(?P<verb>[a-z]+)\b",
)

_AGENT = re.compile(
    rf"^(?P<v>{NAME})\s+(?P<adv>{ADVERBS})(?:(?:is|are|has been|have been)\s+(?P<adv2>{ADVERBS})(?P<ing>[a-z]+ing)|(?P<verb>[a-z]+(?:s|es)))"
    rf"(?:\s+(?P<prep>after|for|at|on|over|to|out|up|off))?\s+(?P<obj>(?:my|our|the|me|us)\b(?:\s+[a-z][^,.;:—]*)?)$",
)

# "Gebler & Sons make our sails"
_AGENTS = re.compile(
    rf"^(?P<v>{NAME})(?<=s) (?P<adv>{ADVERBS})(?P<ing>(?!))?(?P<verb>[a-z]+)(?:\s+(?P<prep>after|for|at|on|over|to|out|up|off))?\s+(?P<obj>(?:my|our)\b(?:\s+[a-z][^,.;:—]*)?)$",
)

_IMPERSONAL = re.compile(
    r"^(?P<np>(?:(?:my|our|the|all|all our|all the)\s+)?[^\W\d_][\w'’/-]*(?:\s+[\w'’/-]+){0,3})\s+"
    r"(?P<verb>(?:go(?:es)?|runs?|drains?|comes?|ships?|starts?|begins?|ends?|opens?|closes?|happens?|lives?|sits?|meets?|belongs?|points?|"
    r"flows?|lands?|leaves?|arrives?|reports?|is held|are held|takes? place|follows?|uses?|targets?|costs?|lasts?|takes?|sleeps?|serves?|"
    r"(?:is|are) (?:defined|stored|hosted|kept|handled|managed|run|written|built|deployed|made|held|done|owned|led|maintained|run|reviewed|"
    r"approved|signed off|documented|tracked|supplied|delivered|served|cooked|paid|funded|booked|sent|logged|located|based))"
    r")\s+(?:(?P<particle>out|up|off|down)\s+)?(?P<prep>(?:to|at|on|in|from|with|by|through|via|into|under|for|out of)\s+)?(?P<v>.+)$",
    re.DOTALL,
)

_FOR_X = re.compile(
    r"^(?:for|to)\s+(?P<np>[^,]+?)(?:,\s+|\s+(?=(?:I|we)\s))(?:(?:please\s+)?(?:we|I|you|just|people)?\s*(?:always |usually |can |should |do |'?ll )*"
    r"(?P<verb>use|contact|call|ask|go to|email|see|ping|message|run|take|do|have|talk to|rely on|write to|visit|reach out to|need|picked|chose|choose|went with|go with|booked|book|got|hired|selected|settled on))\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)

_NO_APPOSITION = frozenset(
    ["and", "or", "retired", "left", "quit", "died", "resigned", "stepped", "went", "moved", "was", "has", "had", "is"]
)

_NO_ROLE = frozenset(
    [
        "is",
        "has",
        "says",
        "was",
        "thinks",
        "likes",
        "loves",
        "wants",
        "needs",
        "goes",
        "seems",
        "asks",
        "means",
        "lets",
        "tells",
    ]
)

_LIGHT_ROLE = frozenset(
    ["does", "gives", "makes", "gets", "helps", "takes", "making", "giving", "getting", "helping", "taking"]
)


_WORKS_AS = re.compile(
    rf"^(?P<o>(?:my|our)\s)?(?P<who>(?-i:{PERSONAL_NAME})|(?<=\s)[a-z]+(?:\s[a-z]+)?)\s+{ADVERBS}(?:works|is working)\s+as\s+(?:an?|the)\s+(?P<v>[^,;:]+)$",
    re.IGNORECASE,
)


def parse_other(text: str, loose: bool) -> Said | None:
    """What *text* says somebody or something does for us; None where nothing of the kind. *loose*: whatever the value is."""
    if (m := _WORKS_AS.match(text)) and (trade := value_of(m["v"])[0]) is not None:
        return Said(f"{m['who']} works as", trade, subject_of(text), verb=True, loose=not m["o"], weak=not m["o"])
    if m := _FOR_X.match(text):
        value, now = value_of(m["v"])
        np = (
            noun_phrase(re.sub(r"^(?:run|start|launch)\s+", "", m["np"]))
            if not m["np"].lower().startswith(("me", "the most", "example", "instance", "now", "some", "be "))
            else None
        )
        if np and value and (role := re.match(r"^(?P<v>.+?)\s+as\s+(?:our|my|the)\s+(?P<np>[a-z ]+)$", m["v"])):
            np, value = f"{np} {role['np']}", role["v"]
        if np and value and specific(value) and len(np.split()) <= 4:
            if text.lower().startswith("to "):
                np = noun_phrase(m["np"].strip()) or np
            return Said(np, value, "we", change=now, loose=True)
        if (
            np
            and value
            and m["verb"].lower() in ("use", "run", "contact", "call", "email", "ask", "message")
            and len(value.split()) <= 5
            and len(np.split()) <= 4
        ):
            if not re.match(r"(?:an?|the|this|these|your|our|my)\b", value):
                return Said(noun_phrase(m["np"]) or np, value, "we", loose=True)
    if (m := _APPOSED.match(text)) and m["verb"] not in _NO_APPOSITION:
        np = noun_phrase(m["np"])
        if np and len(np.split()) <= 3:
            return Said(np, m["v"], subject_of(text))
    m = _AGENT.match(text) or _AGENTS.match(text)
    if m and not (m["prep"] in ("at", "for") and m["obj"].startswith("the ")):  # where somebody works is no role
        verb, obj = m["ing"] or m["verb"], m["obj"]
        if m.re is _AGENTS:
            verb = third_of(verb)
        of_us = obj.startswith(("my ", "our "))
        if verb in _NO_ROLE or (verb in _LIGHT_ROLE and not (of_us or loose)) or verb.endswith(("us", "ss", "as")):
            return None
        if re.search(r"\d|['’]s\b|^(?:I|We|You|It|He|She|They|There|This|That|What|Who)\b", m["v"]) or verb in (
            "being",
            "doing",
            "having",
            "going",
        ):
            return None
        obj = value_of(obj)[0] or re.sub(r"\s+(?:this time.*|these days|now|at the moment)$", "", obj)
        if len(obj.split()) > 4 or re.match(r"(?:me|us)\s", obj):
            return None
        name = " ".join(w for w in (verb, m["prep"], obj) if w)
        value, now = value_of(m["v"])
        if value and len(value.split()) <= 4:
            return Said(name, value, "we", verb=True, change=now, loose=obj.startswith("the"))
    if m := _IMPERSONAL.match(text):
        np_text = m["np"]
        if re.match(
            r"(?:I|we|you|it|this|that|they|he|she|there|what|who|which|everyone|people)\b", np_text, re.IGNORECASE
        ):
            return None
        np = noun_phrase(np_text)
        value, now = value_of(m["v"])
        owned = bool(re.match(r"(?:my|our|all our)\s", np_text, re.IGNORECASE))
        if (
            np
            and value
            and not re.match(r"(?:my|our)\s", value)
            and (loose or specific(value) or (owned and m["prep"]))
            and len(np.split()) <= 4
        ):
            if not owned and not loose and not _impersonal_ok(value):
                return None
            if not loose and re.match(r"[a-z]+(?<!s)$", m["verb"]) and not np.endswith("s"):
                return None
            verb = re.sub(r"^(?:is|are)\s+", "", m["verb"])
            prep = (m["prep"] or "").strip()
            value = re.sub(r"^(?:an?)\s+", "", value)
            if re.match(r"go(?:es)?$", verb) and prep == "to" and _SOMEBODY.fullmatch(value):
                return Said(f"{np} recipient", value, subject_of(np_text), change=now, loose=not owned)
            return Said(
                " ".join(w for w in (np, verb, m["particle"], prep) if w),
                value,
                subject_of(np_text),
                verb=True,
                change=now,
                loose=not owned,
            )
    return None


_SOMEBODY = re.compile(r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?[A-Z][a-z’'-]+(?:\s[A-Z][\w’'.-]*){0,2}")


def _impersonal_ok(value: str) -> bool:
    return bool(re.search(r"\d|[/#@]|\w\.\w|^(?:[A-Z]\w+\s?(?:&\s)?){1,3}$", value)) and len(value.split()) <= 8
