"""Three versions of a page into one: what both sides changed on different lines is kept from both."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOO_MANY_LINES = 20_000


@dataclass(frozen=True)
class _Hunk:
    """Lines `[start:stop]` of the base become *lines*."""

    start: int
    stop: int
    lines: tuple[bytes, ...]


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """
    *base* with the changes of *ours* and of *theirs*; None where both changed the same line differently.

    Lines that both inserted at the same place are kept from both, theirs first. The unit is the line with its
    terminator, so an edit of one line never conflicts with an edit of the next.
    """
    if ours in (base, theirs):
        return theirs
    if theirs == base:
        return ours
    lines = base.splitlines(keepends=True)
    mine = _hunks(lines, ours.splitlines(keepends=True))
    other = _hunks(lines, theirs.splitlines(keepends=True))
    if mine is None or other is None:
        return None
    merged: list[bytes] = []
    at = 0
    for hunk in sorted({*other, *mine}, key=lambda h: (h.start, h.stop, h in mine and h not in other)):
        if hunk.start < at:
            return None
        _extend(merged, lines[at : hunk.start])
        _extend(merged, hunk.lines)
        at = hunk.stop
    _extend(merged, lines[at:])
    return b"".join(merged)


def overlay(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """
    *theirs* with the changes that made *ours* of *base*: where both changed the same lines, ours stand. None where that
    is too much to compute.
    """
    lines = base.splitlines(keepends=True)
    mine = _hunks(lines, ours.splitlines(keepends=True))
    other = _hunks(lines, theirs.splitlines(keepends=True))
    if mine is None or other is None:
        return None
    kept = [hunk for hunk in other if not any(_collide(hunk, own) for own in mine)]
    merged: list[bytes] = []
    at = 0
    for hunk in sorted({*kept, *mine}, key=lambda h: (h.start, h.stop, h in mine)):
        _extend(merged, lines[at : hunk.start])
        _extend(merged, hunk.lines)
        at = max(at, hunk.stop)
    _extend(merged, lines[at:])
    return b"".join(merged)


def _collide(one: _Hunk, other: _Hunk) -> bool:
    return one.start < other.stop and other.start < one.stop


def _extend(merged: list[bytes], lines: Sequence[bytes]) -> None:
    """Add *lines*; a last line without terminator gets one when others follow it."""
    if lines and merged and not merged[-1].endswith((b"\n", b"\r")):
        merged[-1] += b"\r\n" if merged[0].endswith(b"\r\n") else b"\n"
    merged.extend(lines)


def _hunks(base: Sequence[bytes], new: Sequence[bytes]) -> list[_Hunk] | None:
    """The edits that make *new* of *base*, as small as lines allow; None where that is too much to compute."""
    head = 0
    while head < min(len(base), len(new)) and base[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(new)) - head and base[-1 - tail] == new[-1 - tail]:
        tail += 1
    old, fresh = base[head : len(base) - tail], new[head : len(new) - tail]
    if len(old) + len(fresh) > _TOO_MANY_LINES:
        return None
    hunks: list[_Hunk] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, fresh, autojunk=False).get_opcodes():
        if tag == "replace" and j - i == m - k:
            pairs = zip(range(i, j), fresh[k:m], strict=True)
            hunks += [_Hunk(head + n, head + n + 1, (line,)) for n, line in pairs if old[n] != line]
        elif tag != "equal":
            hunks.append(_Hunk(head + i, head + j, tuple(fresh[k:m])))
    return hunks
