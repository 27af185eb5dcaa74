"""
Lists that are kept by word of mouth: `our shopping list: milk and eggs`, `put rice on it too`, `take the eggs off it`.

`It` is the list that was spoken of last, or, of what goes on or off one, what was named before.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_store.grammar import parse

_KIND = r"(?:list|plan|menu|agenda|repertoire)"
_NAMED = rf"(?:[a-z][\w'’-]*\s){{0,3}}{_KIND}(?:\s(?:for|of)\s(?:(?:the|my|our)\s)?[\w'’-]+(?:\s[A-Z][\w'’-]+)?)?"
_NP = rf"(?:(?:my|our|the|that|this|[A-Z]\w+['’]s)\s+(?P<np>{_NAMED})|(?P<it>it|there|them)\b)"
_PLEASE = r"^(?:(?:please|can you|could you|also|and|so|then|ok|okay|oh|now|just|instead|in (?:its|their) (?:place|stead))[\s,]+)*"
_WE = r"(?:(?:I|we|they|(?:(?:Mr|Mrs|Ms|Dr)\.?\s)?(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])\w+)?)(?:['’]ve|\s+have|\s+has)?\s+(?:(?:just|also|now|since)\s+)*)?"
_END = (
    r"(?:\s+(?:please|too|as well|now|instead|again|today|for now|in (?:its|their) (?:place|stead)))*"
    r"(?:,?\s+(?:because|since|as|so that|which|until|thank|thanks|please|but)\b[^?]*)?[.!?]*$"
)
_PUT = r"(?:add(?:ed)?|put|writ(?:e|ten)|wrote|st[iu]ck|pop(?:ped)?|noted?)"
_TAKE_AWAY = (
    r"(?:removed?|take|took|taken|cross(?:ed)?|strike|struck|scratch(?:ed)?|deleted?|tick(?:ed)?|drop(?:ped)?|wiped?)"
)
_ADD = re.compile(rf"{_PLEASE}{_WE}{_PUT}\s+(?P<x>.+?)\s+(?:to|on|onto|down on)\s+{_NP}{_END}", re.IGNORECASE)
_ADD_ON = re.compile(rf"{_PLEASE}{_WE}put\s+(?P<x>.+?)\s+on(?:\s+(?:instead|too|as well))*[.!]*$", re.IGNORECASE)
_ADDED = re.compile(
    rf"^(?P<x>.+?)\s+(?:has|have|is|are|was|were|['’]s)\s+(?:\w+\s+)?(?:added\s+to|(?:put|gone|now)\s+on(?:to)?)\s+{_NP}{_END}",
    re.IGNORECASE,
)
_TAKE = re.compile(
    rf"{_PLEASE}{_WE}{_TAKE_AWAY}\s+(?P<x>.+?)\s+(?:off|from|out of|off of)\s+{_NP}{_END}", re.IGNORECASE
)
_TAKEN = re.compile(
    rf"^(?P<x>.+?)(?:\s+(?:has|have|is|are|was|were|can|should)|['’]s)\s+(?:\w+\s+){{0,2}}?off\s+{_NP}{_END}",
    re.IGNORECASE,
)
_CLEAR = re.compile(rf"{_PLEASE}(?:clear|empty|wipe|reset)(?:\s+out)?\s+{_NP}{_END}", re.IGNORECASE)
# `our shopping list: butter, eggs and milk`, `on our packing list are a kite and a map`
_HOLDS = re.compile(
    rf"^(?:my|our|the)\s+(?P<np>{_NAMED})(?:\s+(?:has|holds|contains|includes)(?:[^:]*:)?|(?:\s+is)?:)\s+(?P<x>[^:;]+?)[.!]*$"
    r"|^(?P<np2>(?:[A-Za-z][\w'’-]*\s){1,3}list):\s+(?P<x2>[^:;?]+?)[.!]*$"
    rf"|^on\s+(?:my|our)\s+(?P<np3>{_NAMED}),?\s+(?:there\s+)?(?:is|are|['’]s)\s+(?P<x3>[^:;?]+?)[.!]*$"
    rf"|^there(?:['’]s|\s+is|\s+are)\s+(?P<x4>[^:;?]+?)\s+on\s+(?:my|our)\s+(?P<np4>{_NAMED})[.!]*$"
    rf"|^(?:the|my|our)\s+(?:[a-z]+\s)?[a-z]+s\s+on\s+(?:my|our)\s+(?P<np5>{_NAMED})\s+are\s+(?P<x5>[^:;?]+?)[.!]*$",
    re.IGNORECASE,
)
# `we got the eggs`: what was on a list is had
_HAD = re.compile(
    r"^(?:I|we)(?:['’]ve|\s+have)?\s+(?:(?:already|just|now)\s+)*(?:got|bought|picked up|found|packed|fetched)\s+"
    r"(?P<x>.+?)(?:\s+(?:now|already|today|this morning))*[.!]*$",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?:[,;]\s+|\s+)(?:so|and|but|then)\s+"
    rf"(?=(?:please\s+)?(?:(?:I|we|they)(?:['’]ve|\s+have)?\s+)?(?:{_PUT}|{_TAKE_AWAY})\s)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(?:it|that|this|them|those|these|that one|this one)$", re.IGNORECASE)
_ALL = re.compile(r"(?:everything|all|all of (?:it|them))$", re.IGNORECASE)


@dataclass(frozen=True)
class Listed:
    """*items* that are put on the list *name*, or, where they are *off*, taken from it."""

    name: str
    items: tuple[str, ...]
    off: bool


def find_listed(text: str) -> Listed | None:
    """What *text* asks to be put on a list, or taken off it, or tells to stand on one."""
    return next(iter(find_moves(text, {})), None)


def find_moves(text: str, known: Mapping[str, Sequence[str]], spoken_of: str = "") -> tuple[Listed, ...]:
    """
    All that *text* puts on lists and takes off them, in order.

    *known*: facts, some of which are lists, by name. *spoken_of*: the list that was spoken of last, which it may be.
    """
    found: list[Listed] = []
    before = ""
    for part in _PARTS.split(text):
        move = _move(part, before, known, found[-1].name if found else spoken_of)
        if move is not None:
            found.append(move)
        before = f"{before} {part}"
    return tuple(found)


def _move(text: str, before: str, known: Mapping[str, Sequence[str]], spoken_of: str) -> Listed | None:
    m = _ADD.match(text) or _TAKE.match(text) or _ADDED.match(text) or _TAKEN.match(text) or _CLEAR.match(text)
    if m is None and spoken_of:
        m = _ADD_ON.match(text)
    if m is None:
        m = _HOLDS.match(text)
        if m is None:
            return None
        name = next(g for g in (m[f"np{n}"] for n in ("", 2, 3, 4, 5)) if g)
        items = _items(next(g for g in (m[f"x{n}"] for n in ("", 2, 3, 4, 5)) if g))
        return Listed(known_as(name, known), items, off=False) if items else None
    off = m.re in (_TAKE, _TAKEN, _CLEAR)
    named = "" if m.re is _ADD_ON else m["np"] or ""
    name = known_as(named, known) if named else spoken_of
    if not name:
        return None
    on = tuple(known.get(name, ()))
    if m.re is _CLEAR or (off and _ALL.match(m["x"])):
        return Listed(name, on, off=True)
    items = _meant(m["x"], before, on, off=off) if _POINTS.match(m["x"]) else _items(m["x"])
    return Listed(name, items, off) if items else None


def known_as(name: str, known: Mapping[str, Sequence[str]]) -> str:
    """The name of the list that *name* means: `the list` is the only one that is known."""
    name = name.lower() if not re.search(r"\s(?:for|of)\s", name) else name[:1].lower() + name[1:]
    if name in known:
        return name
    alike = [one for one in known if names_a_list(one) and f" {name} " in f" {one} "]
    return alike[0] if len(alike) == 1 else name


def names_a_list(name: str) -> bool:
    """Whether a fact of that *name* is a list."""
    return re.search(r"\blist\b(?:$|\s(?:for|of)\s)", name) is not None


def _meant(text: str, before: str, on: Sequence[str], *, off: bool) -> tuple[str, ...]:
    """What `it` or `those`, in *text*, are: what stands *on* the list and was named *before*, or the last thing named."""
    if off:
        named = [item for item in on if re.search(rf"\b{re.escape(item)}\b", before, re.IGNORECASE)]
        return tuple(named) if len(named) == 1 or text.lower() in ("them", "those", "these") else ()
    last = next((clause.object for clause in reversed(parse(before)) if clause.object is not None), None)
    return _items(last.text) if last is not None else ()


def find_had(text: str, known: Mapping[str, Sequence[str]]) -> Listed | None:
    """What *text* tells to be had now of what stands on a list that is *known*."""
    m = _HAD.match(text)
    if m is None:
        return None
    had = {item.lower() for item in _items(m["x"])}
    for name, values in known.items():
        if names_a_list(name) and (on := tuple(value for value in values if value.lower() in had)):
            return Listed(name, on, off=True)
    return None


def _items(text: str) -> tuple[str, ...]:
    """The things that *text* names one after another; none where it rather tells something of them."""
    if _POINTS.match(text) or _ALL.match(text):
        return ()
    found = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", text)
    items = [re.sub(r"^(?:the|some|any|a|an|my|our)\s+", "", item.strip(), flags=re.IGNORECASE) for item in found]
    return tuple(items) if all(items) and all(len(item.split()) <= 5 for item in items) else ()
