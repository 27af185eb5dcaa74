"""The part of a chunk that shows why it was found, with the places of the words that matched."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memory_store.index.analysis import ENGLISH, stemmer, word_spans
from memory_store.index.words import LEMMAS

SNIPPET_CHARS = 240
_PLAIN = re.compile(r"[a-z0-9]+")
_MIXED = re.compile(r"[a-z][A-Z]|'")


@dataclass(frozen=True)
class Snippet:
    """One line of *text*; *marks* are (start, end) of matched words in it, ascending, not overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...]
    terms: tuple[str, ...]


def starts_of(stems: Iterable[str]) -> frozenset[str]:
    """The first two letters of all words in a-z whose stems may be among *stems*."""
    found = set()
    for stem in stems:
        forms = (stem, *_irregular().get(stem, ()))
        for form in forms:
            found.add(form[:2])
            if form[1:2] in ("i", "y"):  # dying, die; sky, skies
                found.update((form[0] + "i", form[0] + "y"))
    return frozenset(found)


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    """The irregular forms behind each stem of English."""
    stem = stemmer(ENGLISH)
    table: dict[str, tuple[str, ...]] = {}
    for form in LEMMAS:
        table[stem(form)] = (*table.get(stem(form), ()), form)
    return table


def snippet(
    text: str,
    stems: Collection[str],
    stemmers: Sequence[Callable[[str], str]],
    *,
    size: int = SNIPPET_CHARS,
    starts: Collection[str] | None = None,
    known: dict[str, bool] | None = None,
) -> Snippet:
    """
    About *size* characters of *text* where most of *stems* stand, white space joined, cut at words.

    A word matches if one of *stemmers* makes it a stem of *stems*, or, in scripts without spaces, if a part of it does.
    *starts* (`starts_of` the stems) and *known*, which words match, spare work where many texts are shown.
    """
    line = " ".join(text.split())
    starts = starts_of(stems) if starts is None else starts
    matches = {} if known is None else known

    def matching(word: str) -> bool:
        if word not in matches:
            may = word[:2] in starts or not word.isascii()
            matches[word] = may and any(stem(word) in stems for stem in stemmers)
        return matches[word]

    found: list[tuple[int, int, str]] = []
    if line.isascii() and not _MIXED.search(line):
        lowered = line.lower()
        right = {word for word in _PLAIN.findall(lowered) if word[:2] in starts and matching(word)}
        found = sorted((start, start + len(word), word) for word in right for start in _places(lowered, word))
    else:
        for start, end, parts in word_spans(line):
            for offset, part in enumerate(parts):
                if matching(part):
                    inside = len(parts) > 1 and len(part) == 2 and end - start == len(parts) + 1
                    found.append((start + offset, start + offset + 2, part) if inside else (start, end, part))
    begin, end = _window(line, found, size)
    marks: list[tuple[int, int]] = []
    for start, stop, _ in found:
        if start >= begin and stop <= end:
            if marks and start - begin <= marks[-1][1]:
                marks[-1] = (marks[-1][0], max(marks[-1][1], stop - begin))
            else:
                marks.append((start - begin, stop - begin))
    lead, tail = ("… " if begin else ""), (" …" if end < len(line) else "")
    shift = len(lead)
    return Snippet(
        f"{lead}{line[begin:end]}{tail}",
        tuple((start + shift, stop + shift) for start, stop in marks),
        tuple(dict.fromkeys(word for _, _, word in found)),
    )


def _places(line: str, word: str) -> Iterator[int]:
    """Where *word* stands in *line* by itself."""
    at = line.find(word)
    while at >= 0:
        end = at + len(word)
        if not line[at - 1 : at].isalnum() and not line[end : end + 1].isalnum():
            yield at
        at = line.find(word, end)


def _window(line: str, found: Sequence[tuple[int, int, str]], size: int) -> tuple[int, int]:
    if len(line) <= size:
        return 0, len(line)
    best, at = -1.0, 0
    for index, (start, _, _) in enumerate(found):
        inside = [word for begin, end, word in found[index : index + 40] if end <= start + size]
        value = len(set(inside)) + 0.1 * len(inside)
        if value > best:
            best, at = value, start
    begin = max(0, min(at - size // 6, len(line) - size))
    while begin > 0 and not line[begin - 1].isspace() and at - begin < size // 2:
        begin -= 1
    end = min(begin + size, len(line))
    space = line.rfind(" ", begin + size // 2, end)
    return begin, end if end == len(line) or space < 0 else space
