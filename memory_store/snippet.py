"""The part of a chunk that shows why it was found, with the places of the words that matched."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from memory_store.index.analysis import ENGLISH, UNSPACED_RUN, fold, stemmer, word_spans, words
from memory_store.index.words import LEMMAS

SNIPPET_CHARS = 240
_CAMEL = re.compile(r"[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*")
_NO_PLACE = "\0"
_ASCII = bytes(range(128)).lower()
_ASCII_PLAIN = bytes(code if chr(code).isalnum() else 32 for code in _ASCII).ljust(256)
_ASCII_CASES = bytes(97 if chr(c).islower() else 65 if chr(c).isupper() else 32 for c in range(128)).ljust(256)


class _Plain(dict[int, str]):
    """Each letter as it is compared, all else as a space; `_NO_PLACE` for what does not stay one letter."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        folded = fold(sign)
        joins = unicodedata.category(sign)[0] == "M" or "\u0590" <= sign <= "\u06ff" or UNSPACED_RUN.match(sign)
        if joins or (len(folded) > 1 and folded[0].isalnum()):
            plain = _NO_PLACE
        else:
            plain = folded if len(folded) == 1 and folded.isalnum() else " "
        self[code] = plain
        return plain


_PLAIN = _Plain()


class Snippet(NamedTuple):
    """One line of *text*; *marks* are (start, end) of matched words in it, ascending, not overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...]
    terms: tuple[str, ...]


Match = tuple[int, int, str]


class Line(NamedTuple):
    """
    A chunk's text in one line, white space joined.

    *plain* is the same folded, place for place, with nothing but spaces between words; None where folding moves
    letters. *camel* are the places of camelCase names with their parts.
    """

    text: str
    plain: str | None
    camel: tuple[tuple[int, int, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, text: str) -> "Line":
        """*text* in one line."""
        line = " ".join(text.split())
        if line.isascii():  # as most are: by tables, in a tenth of the time
            raw = line.encode()
            plain = raw.translate(_ASCII_PLAIN).decode()
            turns = b"aA" in raw.translate(_ASCII_CASES)
        else:
            plain = line.translate(_PLAIN)
            if _NO_PLACE in plain:
                return cls(line, None)
            turns = True
        if not turns:
            return cls(line, plain)
        return cls(line, plain, tuple((*m.span(), tuple(words(m[0]))) for m in _CAMEL.finditer(line)))


class Marker:
    """
    Marks the words of a question in texts: a word whose stem by one of *stemmers* is among *stems*.

    In scripts without spaces a word counts if a part of it does.
    """

    def __init__(self, stems: Iterable[str], stemmers: Sequence[Callable[[str], str]]) -> None:
        self._stems = frozenset(stems)
        self._stemmers = tuple(stemmers)
        starts: list[str] = []
        for start in sorted({start for stem in self._stems for start in _starts_of(stem)}):
            if not starts or not start.startswith(starts[-1]):  # so that each word is met once
                starts.append(start)
        self._starts = tuple(starts)
        self._known: dict[str, bool] = {}

    def snippets(self, lines: Sequence[Line], *, size: int = SNIPPET_CHARS) -> list[Snippet]:
        """About *size* characters of each of *lines* where most of the words stand, cut at words."""
        found = self._in_plain([line.plain or "" for line in lines])
        for line, places in zip(lines, found, strict=True):
            if line.plain is None:
                places += self._in_any(line.text)
            elif line.camel:
                places += self._in_names(line)
                places.sort()
        return [_shown(line, places, size) for line, places in zip(lines, found, strict=True)]

    def _matches(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = False
            if word.startswith(self._starts) or not word.isascii():
                for stem in self._stemmers:
                    known = known or stem(word) in self._stems
            self._known[word] = known
        return known

    def _in_plain(self, lines: Sequence[str]) -> list[list[Match]]:
        """
        Words of each line that match, with their places.

        All lines are looked through at once, and only at words that begin as one that matches may.
        """
        text = f" {' '.join(lines)} "
        matches, known, find = self._matches, self._known, text.find
        places: list[Match] = []
        for start in self._starts:
            wanted = " " + start
            at = find(wanted)
            while at >= 0:
                end = find(" ", at + 2)
                word = text[at + 1 : end]
                if known[word] if word in known else matches(word):
                    places.append((at + 1, end, word))
                at = find(wanted, end)
        places.sort()
        found: list[list[Match]] = [[] for _ in lines]
        number, first, stop = -1, 0, 0
        for at, end, word in places:
            while at >= stop:
                number, first = number + 1, stop + 1
                stop = first + len(lines[number])
                here = found[number]
            here.append((at - first, end - first, word))
        return found

    def _in_names(self, line: Line) -> list[Match]:
        """The camelCase names of *line* of which a part matches, but not the whole."""
        found = []
        for start, end, (whole, *parts) in line.camel:
            part = next(filter(self._matches, parts), None)
            if part is not None and not self._matches(whole):
                found.append((start, end, part))
        return found

    def _in_any(self, line: str) -> list[Match]:
        found = []
        for start, end, parts in word_spans(line):
            for offset, part in enumerate(parts):
                if self._matches(part):
                    inside = len(parts) > 1 and len(part) == 2 and end - start == len(parts) + 1
                    found.append((start + offset, start + offset + 2, part) if inside else (start, end, part))
        return found


def _shown(line: Line, found: Sequence[Match], size: int) -> Snippet:
    """The part of *line* where most of *found* stand."""
    text = line.text
    terms = tuple(dict.fromkeys([word for _, _, word in found]))
    if len(text) <= size:
        marks = [(start, stop) for start, stop, _ in found]
    else:
        begin, end = _window(text, found, size)
        shift = (2 if begin else 0) - begin
        marks = [(start + shift, stop + shift) for start, stop, _ in found if start >= begin and stop <= end]
        text = f"{'… ' if begin else ''}{text[begin:end]}{' …' if end < len(text) else ''}"
    return Snippet(text, tuple(marks if line.plain is not None else _joined(marks)), terms)


def _joined(marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """*marks*, ascending, those that overlap or touch as one."""
    joined: list[tuple[int, int]] = []
    for start, stop in marks:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return joined


@lru_cache(4000)
def _starts_of(stem: str) -> tuple[str, ...]:
    """
    How all words begin whose stem may be *stem*: stemming keeps what stands before a word's last two letters.

    Irregular forms, and those in which *i* and *y* take turns, are told apart.
    """
    found = {stem[: max(2, min(4, len(stem) - 2))]}
    found.update(form[:4] for form in _irregular().get(stem, ()))
    if stem[1:2] in ("i", "y"):  # dying, die; sky, skies
        found.update((stem[0] + "i", stem[0] + "y"))
    return tuple(found - {""})


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    """The irregular forms behind each stem of English."""
    stem = stemmer(ENGLISH)
    table: dict[str, tuple[str, ...]] = {}
    for form in LEMMAS:
        table[stem(form)] = (*table.get(stem(form), ()), form)
    return table


def _window(line: str, found: Sequence[Match], size: int) -> tuple[int, int]:
    last = len(line) - size
    at = _densest(found, size)
    begin = at - size // 6
    begin = 0 if begin < 0 else min(begin, last)
    if at - begin < size // 2:
        least = at - size // 2 if at > size // 2 else 0
        begin = line.rfind(" ", least, begin) + 1 or least
    end = begin + size
    if end >= len(line):
        return begin, len(line)
    space = line.rfind(" ", begin + size // 2, end)
    return begin, end if space < 0 else space


def _densest(found: Sequence[Match], size: int) -> int:
    """Where the *size* characters begin in which most words, and most different ones, stand."""
    if not found or found[-1][1] <= found[0][0] + size:
        return found[0][0] if found else 0
    best, at, stop = -1.0, 0, 0
    for index, (start, _, _) in enumerate(found):
        while stop < len(found) and found[stop][1] <= start + size:
            stop += 1
        inside = found[index:stop]
        value = len({word for _, _, word in inside}) + 0.1 * len(inside)
        if value > best:
            best, at = value, start
        if stop == len(found):
            break
    return at
