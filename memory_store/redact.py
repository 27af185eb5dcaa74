"""
What is to be forgotten, as a rule over bytes: which of them go wherever they stand, and which only where the talk is of
the fact they belong to. Between the words of a value may stand a line's end, any space, or marks of emphasis.

A value that says something only by itself (a password, a full name, a number) goes everywhere. A plain word, or a value
that another fact has too, goes from lines, and from journal entries, that also name the attribute.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import msgspec

MARK = b"[forgotten]"
_ENTRY = re.compile(rb"(?m)^(?=## \d\d:\d\d:\d\d )")
_SPACE = rb"(?:[ \t\v\f]|\xc2\xa0|\xe2\x80[\x80-\x8b\xaf]|\xe2\x81\x9f|\xe3\x80\x80|&nbsp;)"
_BREAK = rb"\\?\r?\n(?:" + _SPACE + rb"|>)*"
_GAP = rb"([*_~`=]*)(?:" + _SPACE + rb"+(" + _BREAK + rb")?|(" + _BREAK + rb"))([*_~`=]*)"
_SIGNS = rb"\xc2[\xa0\xab\xbb]|\xe2\x80[\x80-\xbf]|\xe3\x80\x80"
_BEFORE = (
    rb"(?<![^\W_])(?<![^\W_]_)(?:(?<![\x80-\xff])|(?<=\xc2[\xa0\xab\xbb])|(?<=\xe2\x80[\x80-\xbf])|(?<=\xe3\x80\x80))"
)
_AFTER = rb"(?!_*(?:[^\W_]|(?!" + _SIGNS + rb")[\x80-\xff]))"
_MOST_BETWEEN = 20_000  # bytes between the words of a value
_SMALL_WORDS = frozenset(["and", "for", "from", "her", "his", "its", "name", "our", "the", "with", "your"])


class Redaction(msgspec.Struct, frozen=True, dict=True):
    """
    *everywhere* goes from all text; *related* only near one of *words*, and not out of one of *longer*, values of other
    facts of which it is a part; pages at *paths* go whole. *named* are people's names: every sentence of a conversation
    goes that holds one, as it is spelled.

    *versions* are what those pages were under earlier names: paths, and git ids of the contents that go with them.
    """

    everywhere: tuple[bytes, ...] = ()
    related: tuple[bytes, ...] = ()
    words: tuple[bytes, ...] = ()
    paths: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    longer: tuple[bytes, ...] = ()
    named: tuple[bytes, ...] = ()

    def scrub(self, data: bytes) -> bytes:
        """*data* with a mark for all that is to be forgotten."""
        if self._everywhere is not None:
            data = _swept(data, _stretches(data, self._tell_tales[0], *self._extent), self._scrub_stretch)
        if self._named is not None and any(name in data for name in self.named):
            head, *entries = _ENTRY.split(data)
            data = head + b"".join(self._named.sub(rb"\1" + MARK, entry) for entry in entries)
        if self._related is not None:
            data = _swept(data, _units(data, self._tell_tales[1]), self._scrub_unit)
        return data

    def touches(self, data: bytes) -> bool:
        """Whether *data* holds anything that is to be forgotten."""
        return self.scrub(data) != data

    def _scrub_stretch(self, stretch: bytes) -> bytes:
        while self._everywhere is not None and self._everywhere.search(stretch):
            stretch = self._everywhere.sub(self._marked, stretch)
        return stretch

    @cached_property
    def _extent(self) -> tuple[int, int]:
        """Over how many lines, and bytes, one of *everywhere* may go on at the most."""
        lines = max((len(_words(value)) for value in self.everywhere), default=0) + 1
        return lines, max(map(len, self.everywhere), default=0) + _MOST_BETWEEN

    @cached_property
    def _tell_tales(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        """Of each value, for those of *everywhere* and of *related*, the longest word: where none is, no value is."""
        every, related = (
            tuple({max(_words(value), key=len).lower() for value in values if value.strip()})
            for values in (self.everywhere, self.related)
        )
        return every, related

    def _scrub_unit(self, unit: bytes) -> bytes:
        if self._related is None or self._words is None or not self._words.search(unit):
            return unit
        return self._related.sub(self._marked, unit)

    def _marked(self, match: "re.Match[bytes]") -> bytes:
        """The mark in the place of a value; the line break within it, and marks of emphasis, stay around it."""
        gaps = [part or b"" for part in match.groups()]
        opened, closed = b"".join(gaps[3::4]), b"".join(gaps[0::4])
        broken = b"".join(one + other for one, other in zip(gaps[1::4], gaps[2::4], strict=True))
        return opened + self._mark + closed + broken

    @cached_property
    def _mark(self) -> bytes:
        return b"" if any(value.lower() in MARK for value in (*self.everywhere, *self.related)) else MARK

    @cached_property
    def _everywhere(self) -> "re.Pattern[bytes] | None":
        found = _longest_first(self.everywhere)
        return re.compile(b"(?i)" + b"|".join(map(_spaced, found))) if found else None

    @cached_property
    def _related(self) -> "re.Pattern[bytes] | None":
        found = _longest_first(self.related)
        kept = [_inside(value, whole) for value in found for whole in self.longer if value.lower() in whole.lower()]
        word = _BEFORE + b"".join(kept) + rb"(?:" + b"|".join(map(_spaced, found)) + b")" + _AFTER
        return re.compile(b"(?im)" + word) if found else None

    @cached_property
    def _named(self) -> "re.Pattern[bytes] | None":
        """A sentence with one of the names, as far as it stands on one line."""
        names = b"|".join(map(re.escape, _longest_first(self.named)))
        named = _BEFORE + b"(?:" + names + b")" + _AFTER
        return re.compile(rb"([ ]?)[^\r\n.!?>]*?" + named + rb"[^\r\n.!?]*[.!?]?") if names else None

    @cached_property
    def _words(self) -> "re.Pattern[bytes] | None":
        return re.compile(b"(?i)" + b"|".join(map(re.escape, self.words))) if self.words else None


def redaction(
    attribute: str, values: Iterable[str], *, others: Iterable[str] = (), paths: tuple[str, ...] = ()
) -> Redaction:
    """How *values* of *attribute* are to be forgotten; *others* are texts of other facts, which keep theirs."""
    others = [text.casefold() for text in others]
    everywhere: list[bytes] = []
    related: list[bytes] = []
    longer: list[bytes] = []
    for value in values:
        if not value.strip() or value.casefold() in attribute.casefold():
            continue
        also = [text for text in others if value.casefold() in text]
        (everywhere if is_telling(value) and not also else related).extend(spellings(value))
        longer += [form for text in also if text != value.casefold() for form in spellings(text)]
    words = [word for word in re.findall(r"\w+", attribute.casefold()) if len(word) > 2 and word not in _SMALL_WORDS]
    near = tuple(spelling for word in words or [attribute] for spelling in spellings(word))
    unique = [tuple(dict.fromkeys(texts)) for texts in (everywhere, related, longer)]
    return Redaction(unique[0], unique[1], near, paths, longer=unique[2])


def is_telling(value: str) -> bool:
    """Whether *value* can hardly stand in a text by chance: several words, a digit, a sign, an inner capital."""
    text = value.strip()
    return len(text) > 3 and (not text.isalpha() or not (text.islower() or text[1:].islower()))


def spellings(value: str) -> list[bytes]:
    """*value* as UTF-8 in both Unicode forms, and in the cases that a search for ASCII letters would not find."""
    found: dict[str, None] = {}
    for text in (value, value.lower(), value.upper(), value.capitalize(), value.title()):
        for form in ("NFC", "NFD"):
            found[unicodedata.normalize(form, text)] = None
    return [text.encode("utf-8", "replace") for text in found]


def _swept(data: bytes, stretches: Sequence[tuple[int, int]], scrub: Callable[[bytes], bytes]) -> bytes:
    """*data* with *scrub* done to *stretches* of it, which are in order and apart."""
    if not stretches:
        return data
    parts: list[bytes] = []
    at = 0
    for start, end in stretches:
        parts += [data[at:start], scrub(data[start:end])]
        at = end
    return b"".join([*parts, data[at:]])


def _places(data: bytes, tell_tales: Iterable[bytes]) -> list[int]:
    """Where in *data* one of *tell_tales* begins, in order."""
    lowered = data.lower()
    found: list[int] = []
    for word in tell_tales:
        at = lowered.find(word)
        while at >= 0:
            found.append(at)
            at = lowered.find(word, at + 1)
    return sorted(found)


def _stretches(data: bytes, tell_tales: Sequence[bytes], lines: int, reach: int) -> list[tuple[int, int]]:
    """So many *lines* around each of *tell_tales*, as a value may go on over: patterns are slow, this is little."""
    found: list[tuple[int, int]] = []
    covered = -1
    for place in _places(data, tell_tales):
        if place < covered:
            continue
        start, covered = _back(data, place, lines, reach), _on(data, place, lines, reach)
        end = _on(data, covered, lines, reach)
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _back(data: bytes, place: int, lines: int, reach: int) -> int:
    """Where, so many *lines* before *place*, a line ends; *reach* bytes before it at the most."""
    least = max(place - reach, 0)
    for _ in range(lines):
        place = data.rfind(b"\n", least, place)
        if place < 0:
            return least
    return place


def _on(data: bytes, place: int, lines: int, reach: int) -> int:
    """Where, so many *lines* after *place*, a line ends; *reach* bytes after it at the most."""
    most = min(place + reach, len(data))
    for _ in range(lines):
        place = data.find(b"\n", place + 1, most)
        if place < 0:
            return most
    return place


def _units(data: bytes, tell_tales: Sequence[bytes]) -> list[tuple[int, int]]:
    """The lines, and in a journal the entries, that hold one of *tell_tales*."""
    places = _places(data, tell_tales)
    entries = [match.start() for match in _ENTRY.finditer(data)] if places else []
    found: list[tuple[int, int]] = []
    for place in places:
        if found and place < found[-1][1]:
            continue
        number = bisect_right(entries, place)
        if number:
            found.append((entries[number - 1], entries[number] if number < len(entries) else len(data)))
            continue
        start = max(data.rfind(b"\n", 0, place), data.rfind(b"\r", 0, place)) + 1
        ends = [end for mark in (b"\n", b"\r") if (end := data.find(mark, place)) >= 0]
        found.append((start, min(ends, default=len(data))))
    return found


def _spaced(value: bytes) -> bytes:
    """A pattern for *value*, its words apart by spaces of any kind, by the end of a line, or by marks of emphasis."""
    return _GAP.join(map(re.escape, _words(value)))


def _words(value: bytes) -> list[bytes]:
    return [word.encode() for word in value.decode("utf-8", "replace").split()]


def _inside(value: bytes, whole: bytes) -> bytes:
    """A pattern that forbids *value* to begin here where it only is a part of *whole*."""
    at = whole.lower().find(value.lower())
    before, rest = whole[:at], whole[at:]
    behind = b"(?<=" + re.escape(before) + b")" if before else b""
    return b"(?!" + behind + re.escape(rest) + _AFTER + b")"


def _longest_first(values: Iterable[bytes]) -> list[bytes]:
    return sorted({value for value in values if value.strip()}, key=len, reverse=True)
