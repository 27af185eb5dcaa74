"""Why something is so: the clause that gives the reason for another, the circumstance under which it holds."""

import re

from memory_store.clauses import parse_clause
from memory_store.familiar import Familiar
from memory_store.grammar import parse
from memory_store.said import NAME

_BECAUSE = r"(?:because|since|as(?= (?:we|i|it|they|he|she|you|i['’]m|we['’]re|it['’]s)\b)|cos|cause|coz|now that|seeing (?:as|that)|given that|as long as|so long as)"


_REASON_FIRST = re.compile(
    rf"^{_BECAUSE}\s+(?P<reason2>(?:(?:we|i|they|it|he|she)(?:['’](?:re|m|s)|\s+(?:are|am|is|have|use|live|work))|of)\s+.+?)\s+(?=(?:we|i)\s+(?!(?:am|are|have|had|was|were)\b)[a-z]+\s|(?:my|our|the)\s+[a-z]+\s+(?:[a-z]+\s+)?(?:is|are|[a-z]+s)\s)(?P<main2>.+)$|"
    rf"^{_BECAUSE}\s+(?P<reason>[^,]+?),\s+(?:then\s+)?(?P<main>.+)$",
    re.IGNORECASE,
)


_REASON_LAST = re.compile(
    rf"^(?P<main>.+?),?\s+(?:(?:and|but|purely|only|just|mainly|mostly|simply|all)\s+)*(?:{_BECAUSE}(?: of)?|due to|thanks to|on account of)\s+(?P<reason>.+)$",
    re.IGNORECASE,
)


def reason_given(text: str) -> str | None:
    """The clause in *text* that gives the reason for the other: `since we're at X`, `because of it being Y`."""
    m = _REASON_FIRST.match(text) or _REASON_LAST.match(text)
    if m is None:
        return None
    told = m.groupdict()
    return told["reason"] or told.get("reason2")


_UNDER = re.compile(
    rf"^(?:with|under|through)\s+(?:(?P<c>(?:the\s+)?(?-i:{NAME}))(?:,\s+|\s+)(?P<main>(?:my|our|the|we|i)\b.+|[a-z]+\s.+)|"
    r"(?P<c2>(?:my|our|the|this|that)\s+[^,]{2,30}?),?\s+(?P<main2>(?:my|our|the|we|i)\s.+))$",
    re.IGNORECASE,
)


_AS_LONG_AS = re.compile(
    r"^(?P<main>.+?),?\s+(?:(?:only|just)\s+)?(?:(?:as|so) long as|(?<!\ba )while)\s+(?P<reason>.+)$", re.IGNORECASE
)


def holds_while(text: str) -> str | None:
    """What *text* states as so now, and only as long as something else is: `Trev drives us as long as we start at ten`."""
    m = _AS_LONG_AS.match(text)
    if m is None or re.search(
        r"\b(?:will|would|could|might|may|if|stays?|remains?|holds?|lasts?|works?|counts?)\b|['’](?:ll|d)\b",
        m["main"],
        re.IGNORECASE,
    ):
        return None
    said = parse_clause(m["main"])
    return m["main"] if said is not None and said.value else None


def is_of_an_event(text: str, known: Familiar) -> bool:
    """
    Whether *text* gives the reason for what happened once, of which nothing *known* and nothing lasting is the cause:
    `I moved the boat because of the storm` ties no facts.
    """
    m = _REASON_FIRST.match(text) or _REASON_LAST.match(text)
    told = m.groupdict() if m else {}
    main, reason = told.get("main") or told.get("main2"), told.get("reason") or told.get("reason2")
    if not main or not reason or known.spots(reason) or re.search(r"\b(?:my|our)\b", reason, re.IGNORECASE):
        return False
    verbs = [c.verb for part in (main, reason) for c in parse(part) if c.verb is not None]
    return bool(verbs) and all((v.tense == "past" or v.aspect == "perfect") and not v.modal for v in verbs)


def circumstance(text: str) -> str | None:
    """The value under which the rest of *text* is so: `with Polar Courier the boxes go out on Monday`."""
    if m := _UNDER.match(text):
        return m["c"] or m["c2"]
    return None


def without_reason(text: str) -> str:
    """*text* without the reason that it begins with."""
    if m := _REASON_FIRST.match(text):
        return m["main"] or m["main2"]
    if m := _UNDER.match(text):
        return m["main"] or m["main2"]
    return text
