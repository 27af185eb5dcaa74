"""
What is to be forgotten, as a rule over bytes: which of them go wherever they stand, and which only where the talk is of
the fact they belong to. Between the words of a value may stand a line's end, any space, or marks of emphasis.

A value that says something only by itself (a password, a full name, a number) goes everywhere. A plain word, or a value
that another fact has too, goes from lines, and from journal entries, that also name the attribute.
"""

import re
import unicodedata
from collections.abc import Iterable
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
_LINES = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|$)")
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
            while self._everywhere.search(data):
                data = self._everywhere.sub(self._marked, data)
        if self._named is not None and any(name in data for name in self.named):
            head, *entries = _ENTRY.split(data)
            data = head + b"".join(self._named.sub(rb"\1" + MARK, entry) for entry in entries)
        if self._related is None or not self._related.search(data):
            return data
        head, *entries = _ENTRY.split(data)
        lines = _LINES.findall(head)
        return b"".join(map(self._scrub_unit, [*lines, *entries]))

    def touches(self, data: bytes) -> bool:
        """Whether *data* holds anything that is to be forgotten."""
        return self.scrub(data) != data

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


def _spaced(value: bytes) -> bytes:
    """A pattern for *value*, its words apart by spaces of any kind, by the end of a line, or by marks of emphasis."""
    return _GAP.join(re.escape(word.encode()) for word in value.decode("utf-8", "replace").split())


def _inside(value: bytes, whole: bytes) -> bytes:
    """A pattern that forbids *value* to begin here where it only is a part of *whole*."""
    at = whole.lower().find(value.lower())
    before, rest = whole[:at], whole[at:]
    behind = b"(?<=" + re.escape(before) + b")" if before else b""
    return b"(?!" + behind + re.escape(rest) + _AFTER + b")"


def _longest_first(values: Iterable[bytes]) -> list[bytes]:
    return sorted({value for value in values if value.strip()}, key=len, reverse=True)
