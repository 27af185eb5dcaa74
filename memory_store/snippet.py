"""The part of a chunk that shows why it was found, with the places of the words that matched."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from memory_store.index.analysis import ENGLISH, stemmer, word_spans
from memory_store.index.words import LEMMAS

SNIPPET_CHARS = 240
_PLAIN = re.compile(r"[a-z0-9]+")
_MIXED = re.compile(r"[a-z][A-Z]|'")


class Snippet(NamedTuple):
    """One line of *text*; *marks* are (start, end) of matched words in it, ascending, not overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...]
    terms: tuple[str, ...]


Match = tuple[int, int, str]


class Line(NamedTuple):
    """A chunk's text in one line, white space joined; *plain*: the same in lower case, if its words are plain ASCII."""

    text: str
    plain: str | None

    @classmethod
    def of(cls, text: str) -> "Line":
        """*text* in one line."""
        line = " ".join(text.split())
        return cls(line, line.lower() if line.isascii() and not _MIXED.search(line) else None)


class Marker:
    """
    Marks the words of a question in texts: a word whose stem by one of *stemmers* is among *stems*.

    In scripts without spaces a word counts if a part of it does.
    """

    def __init__(self, stems: Iterable[str], stemmers: Sequence[Callable[[str], str]]) -> None:
        self._stems = frozenset(stems)
        self._stemmers = tuple(stemmers)
        self._starts = _starts_of(self._stems)
        self._known: dict[str, bool] = {}

    def snippets(self, lines: Sequence[Line], *, size: int = SNIPPET_CHARS) -> list[Snippet]:
        """About *size* characters of each of *lines* where most of the words stand, cut at words."""
        found = self._in_plain([line.plain or "" for line in lines])
        for line, places in zip(lines, found, strict=True):
            if line.plain is None:
                places += self._in_any(line.text)
        return [_shown(line.text, places, size) for line, places in zip(lines, found, strict=True)]

    def _matches(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            may = word[:2] in self._starts or not word.isascii()
            known = self._known[word] = may and any(stem(word) in self._stems for stem in self._stemmers)
        return known

    def _in_plain(self, lines: Sequence[str]) -> list[list[Match]]:
        """
        Words of each line that match, with their places.

        All lines are looked through at once, and only at words that begin as one that matches may.
        """
        text = "\n".join(lines)
        matches, known, find, word_at = self._matches, self._known, text.find, _PLAIN.match
        places: list[tuple[int, int]] = []
        for start in self._starts:
            at = find(start)
            while at >= 0:
                end = at + 1
                if not text[at - 1 : at].isalnum() and (match := word_at(text, at)):
                    word, end = match[0], match.end()
                    if known[word] if word in known else matches(word):
                        places.append((at, end))
                at = find(start, end)
        places.sort()
        found: list[list[Match]] = []
        first = number = 0
        for line in lines:
            stop = first + len(line)
            here: list[Match] = []
            while number < len(places) and places[number][0] < stop:
                at, end = places[number]
                here.append((at - first, end - first, text[at:end]))
                number += 1
            found.append(here)
            first = stop + 1
        return found

    def _in_any(self, line: str) -> list[Match]:
        found = []
        for start, end, parts in word_spans(line):
            for offset, part in enumerate(parts):
                if self._matches(part):
                    inside = len(parts) > 1 and len(part) == 2 and end - start == len(parts) + 1
                    found.append((start + offset, start + offset + 2, part) if inside else (start, end, part))
        return found


def _shown(text: str, found: Sequence[Match], size: int) -> Snippet:
    """The part of *text* where most of *found* stand."""
    terms = tuple(dict.fromkeys([word for _, _, word in found]))
    if len(text) <= size:
        return Snippet(text, _joined([(start, stop) for start, stop, _ in found]), terms)
    begin, end = _window(text, found, size)
    lead, tail = ("… " if begin else ""), (" …" if end < len(text) else "")
    shift = len(lead) - begin
    marks = [(start + shift, stop + shift) for start, stop, _ in found if start >= begin and stop <= end]
    return Snippet(f"{lead}{text[begin:end]}{tail}", _joined(marks), terms)


def _joined(marks: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """*marks*, ascending, those that overlap or touch as one."""
    if all(after[0] > before[1] for before, after in pairwise(marks)):
        return tuple(marks)
    joined = marks[:1]
    for start, stop in marks[1:]:
        if start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return tuple(joined)


def _starts_of(stems: Iterable[str]) -> frozenset[str]:
    """The first two letters of all words in a-z whose stems may be among *stems*."""
    return frozenset(start for stem in stems for start in _starts_of_one(stem) if start)


@lru_cache(4000)
def _starts_of_one(stem: str) -> tuple[str, ...]:
    found = set()
    for form in (stem, *_irregular().get(stem, ())):
        found.add(form[:2])
        if form[1:2] in ("i", "y"):  # dying, die; sky, skies
            found.update((form[0] + "i", form[0] + "y"))
    return tuple(found)


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    """The irregular forms behind each stem of English."""
    stem = stemmer(ENGLISH)
    table: dict[str, tuple[str, ...]] = {}
    for form in LEMMAS:
        table[stem(form)] = (*table.get(stem(form), ()), form)
    return table


def _window(line: str, found: Sequence[Match], size: int) -> tuple[int, int]:
    at = _densest(found, size)
    begin = max(0, min(at - size // 6, len(line) - size))
    if at - begin < size // 2:
        least = max(0, at - size // 2)
        begin = max(line.rfind(" ", least, begin) + 1, least)
    end = min(begin + size, len(line))
    space = line.rfind(" ", begin + size // 2, end)
    return begin, end if end == len(line) or space < 0 else space


def _densest(found: Sequence[Match], size: int) -> int:
    """Where the *size* characters begin in which most words, and most different ones, stand."""
    if not found or found[-1][1] <= found[0][0] + size:
        return found[0][0] if found else 0
    best, at = -1.0, 0
    for index, (start, _, _) in enumerate(found):
        inside = [word for begin, end, word in found[index : index + 40] if end <= start + size]
        value = len(set(inside)) + 0.1 * len(inside)
        if value > best:
            best, at = value, start
    return at
