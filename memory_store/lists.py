"""Lists that are kept by word of mouth: `add milk to the shopping list`, `take the eggs off it`."""

import re
from dataclasses import dataclass

_NP = r"(?P<np>(?:[a-z][a-z-]*\s){0,2}list)"
_PLEASE = r"^(?:(?:please|can you|could you|also|and|ok|okay|oh|now|just)[\s,]+)*"
_ADD = re.compile(
    rf"{_PLEASE}(?:add|put|write|stick|pop|note)\s+(?P<x>.+?)\s+(?:to|on|onto|down on)\s+(?:my|our|the)\s+{_NP}(?:\s+(?:please|too|as well))*[.!?]*$",
    re.IGNORECASE,
)
_TAKE = re.compile(
    rf"{_PLEASE}(?:remove|take|cross|strike|scratch|delete|tick|drop)\s+(?P<x>.+?)\s+(?:off|from|out of|off of)\s+(?:my|our|the)\s+{_NP}(?:\s+please)?[.!?]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Listed:
    """*items* that are put on the list *name*, or, where they are *off*, taken from it."""

    name: str
    items: tuple[str, ...]
    off: bool


def find_listed(text: str) -> Listed | None:
    """What *text* asks to be put on a list, or taken off it."""
    m = _ADD.match(text) or _TAKE.match(text)
    if m is None or re.match(r"(?:it|that|this|them|everything|all)\b", m["x"], re.IGNORECASE):
        return None
    items = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", m["x"])
    items = [re.sub(r"^(?:the|some|any)\s+", "", item.strip(), flags=re.IGNORECASE) for item in items]
    if not all(items) or any(len(item.split()) > 5 for item in items):
        return None
    return Listed(m["np"].lower(), tuple(items), m.re is _TAKE)
