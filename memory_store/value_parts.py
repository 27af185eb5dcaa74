"""Values that tell several things, or of which a part is named: `Miso and Tofu`, `5 mg of A and 20 mg of B`."""

import re

from memory_store.measures import measures
from memory_store.news import KIN
from memory_store.phrases import stems
from memory_store.said import NAME, PERSONAL_NAME

TIMES_OFF = re.compile(r"\s+(?:(?:last|this|next)\s\w+|yesterday|today|again|already)$", re.IGNORECASE)


def is_dated(value: str) -> bool:
    """Whether *value* tells a day or an hour."""
    return any(one.kind in ("day", "clock") for one in measures(value))


def listed(value: str) -> list[str]:
    """The things that *value* lists; it alone where it lists none."""
    return [one for one in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", value) if one]


def without(value: str, member: str) -> str | None:
    """*value* without *member*: empty where it is all; None where it is none of it."""
    told = listed(value)
    kept = [one for one in told if member.lower() not in (one.lower(), one.lower().split()[0])]
    if len(kept) == len(told):
        return None
    return kept[0] if len(kept) == 1 else " and ".join(filter(None, (", ".join(kept[:-1]), kept[-1]))) if kept else ""


def part_named(value: str, words: str) -> str:
    """The words of *value* that *words* name, as they stand there."""
    said = set(stems(words))
    found = [m for m in re.finditer(r"[\w'’-]+", value) if set(stems(m[0])) & said]
    return value[found[0].start() : found[-1].end()] if found else ""


def segment(value: str, part: str) -> str:
    """The stretch of *value* that tells of *part*, where it tells of several things: `5 mg of A and 20 mg of B`."""
    pieces = re.split(r"\s+and\s+|,\s+", value)
    if not part or len(pieces) < 2 or not all(measures(piece) for piece in pieces):
        return value
    return next((piece for piece in pieces if part in piece), value)


WHERE = re.compile(r"(?:under|in|at|on|behind|with|by|inside|above|below|near|next to|beside)\s", re.IGNORECASE)
_WITH_WHOM = re.compile(rf"(?:mr|mrs|ms|dr)\b|\bneighbou?rs?\b|{KIN.pattern}|^{PERSONAL_NAME}$", re.IGNORECASE)


def placed_as(was: str, value: str) -> str | None:
    """*value* in the place of *was*: where it is, told as where it was; None where one is a name and the other not."""
    if WHERE.match(was) and not WHERE.match(value):
        return f"{'with' if _WITH_WHOM.search(value) else 'at'} {value}"
    named = [re.match(rf"(?:the\s+)?{NAME}", one) is not None for one in (was, value)]
    return value if named[0] == named[1] else None
