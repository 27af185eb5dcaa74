"""From when something is so that is told ahead: `Starting January I work in Ulm`, `from next month on`."""

import re

from memory_store.measures import measures

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_FROM = re.compile(
    r"\b(?:starting|beginning|effective|as of|from)\s+(?:(?:from|in)\s+)?"
    r"(?P<when>next\s(?:week|month|year|term|season|spring|summer|autumn|winter)|"
    rf"(?:the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?(?-i:{_MONTH})(?:\s\d{{4}})?)"
    r"(?=\s+on(?:wards?)?\b|\s*[,.!]|\s+(?:I|we|my|our|the|he|she|it|they|(?-i:[A-Z])\w*)\b|\s*$)",
    re.IGNORECASE,
)
_TO_COME = (
    rf"(?:tomorrow|in\s(?:{_MONTH})\b|"
    rf"(?:on|this|next|from|as of|starting)\s+(?:next\s+)?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    rf"week(?:end)?|month|year|spring|summer|autumn|winter|term|season|{_MONTH})\b)"
)
_GOES = (
    r"(?:retires|leaves|quits|resigns|stops|finishes|steps\s(?:down|back)|"
    r"(?:is|['’]s)\s(?:leaving|retiring|quitting|resigning|stopping))"
)
_COMES = r"(?:takes\sover|becomes|steps\sin|replaces|succeeds|swaps|fills\sin|stands\sin)"
_A_PLAN = re.compile(
    rf"\b{_GOES}\b[^,;.]{{0,40}}?\s{_TO_COME}.*\b(?:{_COMES}|then\s(?-i:[A-Z])\w+\s[a-z]+s)\b|\b{_COMES}\b[^,;.]*\s{_TO_COME}|"
    rf"^{_TO_COME},?\s(?:\S+\s){{1,3}}?{_COMES}\b",
    re.IGNORECASE,
)


def is_to_come(text: str) -> bool:
    """Whether *text* tells who takes whose place, but only from a day on that is still to come."""
    return _A_PLAN.search(text) is not None and not _ON_WHAT.search(text)


_ON_WHAT = re.compile(r"\b(?:if|when|whenever|once|unless|depends?)\b", re.IGNORECASE)


def dated_ahead(value: str, sentence: str) -> str:
    """*value*, with the day from which *sentence* tells it to be so, where that is still to come."""
    m = _FROM.search(sentence)
    if m is None or any(one.kind == "day" for one in measures(value)) or m["when"].lower() in value.lower():
        return value
    return f"{value}, from {m['when']}"
