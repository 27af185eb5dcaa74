"""The part of a chunk that shows why it was found, with the places of the words that matched."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from memory_store.index.analysis import word_spans

SNIPPET_CHARS = 240


@dataclass(frozen=True)
class Snippet:
    """One line of *text*; *marks* are (start, end) of matched words in it, ascending, not overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...]
    terms: tuple[str, ...]


def snippet(
    text: str, stems: Collection[str], stemmers: Sequence[Callable[[str], str]], *, size: int = SNIPPET_CHARS
) -> Snippet:
    """
    About *size* characters of *text* where most of *stems* stand, white space joined, cut at words.

    A word matches if one of *stemmers* makes it a stem of *stems*, or, in scripts without spaces, if a part of it does.
    """
    line = " ".join(text.split())
    found: list[tuple[int, int, str]] = []
    matches: dict[str, bool] = {}
    for start, end, parts in word_spans(line):
        for offset, part in enumerate(parts):
            if part not in matches:
                matches[part] = any(stem(part) in stems for stem in stemmers)
            if matches[part]:
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
