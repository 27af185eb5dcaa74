"""Lists that are kept by word of mouth: `add milk to the shopping list`, `take the eggs off it`."""

import re
from collections.abc import Mapping, Sequence
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

# `our shopping list: butter, eggs and milk`
_HOLDS = re.compile(
    rf"^(?:my|our|the)\s+{_NP}(?:\s+(?:has|holds|contains|includes)|(?:\s+is)?:)\s+(?P<x>[^:;]+?)[.!]*$", re.IGNORECASE
)
# `we got the eggs`: what was on a list is had
_HAD = re.compile(
    r"^(?:I|we)(?:['’]ve|\s+have)?\s+(?:(?:already|just|now)\s+)*(?:got|bought|picked up|found|packed|fetched)\s+"
    r"(?P<x>.+?)(?:\s+(?:now|already|today|this morning))*[.!]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Listed:
    """*items* that are put on the list *name*, or, where they are *off*, taken from it."""

    name: str
    items: tuple[str, ...]
    off: bool


def find_listed(text: str) -> Listed | None:
    """What *text* asks to be put on a list, or taken off it, or tells to stand on one."""
    m = _ADD.match(text) or _TAKE.match(text) or _HOLDS.match(text)
    if m is None or re.match(r"(?:it|that|this|them|everything|all)\b", m["x"], re.IGNORECASE):
        return None
    items = _items(m["x"])
    return Listed(m["np"].lower(), items, m.re is _TAKE) if items else None


def find_had(text: str, known: Mapping[str, Sequence[str]]) -> Listed | None:
    """What *text* tells to be had now of what stands on a list that is *known*."""
    m = _HAD.match(text)
    if m is None:
        return None
    had = {item.lower() for item in _items(m["x"])}
    for name, values in known.items():
        if name.endswith(" list") and (on := tuple(value for value in values if value.lower() in had)):
            return Listed(name, on, off=True)
    return None


def _items(text: str) -> tuple[str, ...]:
    """The things that *text* names one after another; none where it rather tells something of them."""
    found = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", text)
    items = [re.sub(r"^(?:the|some|any|a|an)\s+", "", item.strip(), flags=re.IGNORECASE) for item in found]
    return tuple(items) if all(items) and all(len(item.split()) <= 5 for item in items) else ()
