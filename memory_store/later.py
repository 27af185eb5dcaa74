"""From when something is so that is told ahead: `Starting January I work in Ulm`, `from next month on`."""

import re

from memory_store.measures import measures

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_FROM = re.compile(
    r"\b(?:starting|beginning|effective|as of|from)\s+(?:(?:from|in)\s+)?"
    r"(?P<when>next\s(?:week|month|year|term|season|spring|summer|autumn|winter)|"
    rf"(?:the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?(?-i:{_MONTH})(?:\s\d{{4}})?)"
    r"(?=\s+on(?:wards?)?\b|\s*[,.!]|\s+(?:I|we|my|our|the|he|she|it|they|[A-Z])\b|\s*$)",
    re.IGNORECASE,
)


def dated_ahead(value: str, sentence: str) -> str:
    """*value*, with the day from which *sentence* tells it to be so, where that is still to come."""
    m = _FROM.search(sentence)
    if m is None or any(one.kind == "day" for one in measures(value)) or m["when"].lower() in value.lower():
        return value
    return f"{value}, from {m['when']}"
