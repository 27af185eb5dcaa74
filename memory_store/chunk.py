"""
A page -> its chunks: stretches of the file that are indexed, found and shown each by itself.

A chunk never crosses a heading. On pages of facts each fact line is a chunk; in conversations each turn is one; other
text is cut between paragraphs near a target size. Byte offsets point into the file as it is, so that the text of a
chunk can be read back without reading the page.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from memory_store.journal import Turn, parse_journal
from memory_store.page import Page
from memory_store.when import find_clock, find_day

Kind = Literal["note", "fact", "turn"]

TARGET_CHARS = 900
LONGEST_CHARS = 1400
_FACT = re.compile(r"[ \t]*[-*+] \[(?![ xX]\])[^\]]+\](?!\()")
_STAMP = r"(?:\[?[\d./:, -]{4,24}(?:[ap]m)?\]?(?: [-–])? ?)?"
_NAME = r"[^\W\d_][\w.'’ -]{0,38}?"
_SPEAKER = re.compile(
    rf"(?:>[ \t]?)?(?:[-*+] )?{_STAMP}"
    rf"(?:(?:\*\*|__)({_NAME})(?::(?:\*\*|__)|(?:\*\*|__) ?:)|({_NAME}):)(?:\s+|$)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_BOOKKEEPING = re.compile(
    r"(?i)(?:title|tags?|aliases|permalink|type|id|date|day|created\w*|updated\w*|modified\w*)\s*:"
)
_FORM = re.compile(r"#{1,2} |<!-- at |---\s*$|\*\*[^*]+:\*\*\s*$")


@dataclass(frozen=True, slots=True)
class Chunk:
    """
    A stretch of a page. Lines count from 1, both included; bytes are `start_byte <= b < end_byte` of the file.

    *headings* leads from the page's top to the chunk, *when* is ISO 8601 (a day, or a day and a time), *before* is
    what was said just before a turn. *key* identifies what the index holds of it; *embed_text* is what gets embedded.
    """

    kind: Kind
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    text: str
    headings: tuple[str, ...] = ()
    speaker: str | None = None
    when: str | None = None
    before: str = ""

    @property
    def key(self) -> bytes:
        """Equal for chunks that the index cannot tell apart, wherever they stand."""
        parts = (self.kind, *self.headings, self.speaker or "", self.when or "", self.before, self.text)
        return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

    @property
    def embed_text(self) -> str:
        """The text with the heading, or the speaker and the words before, that it cannot be understood without."""
        if self.kind == "turn":
            spoken = f"{self.speaker}: {self.text}" if self.speaker else self.text
            return f"{self.before}\n{spoken}" if self.before else spoken
        context = " > ".join(self.headings[-2:])
        return f"{context}\n{self.text}" if context else self.text


class _Unit(NamedTuple):
    """A line, or a sentence-wise piece of one too long to be a chunk."""

    line: int
    text: str
    start: int
    end: int


def chunk_page(path: str, page: Page, role: str = "note") -> tuple[Chunk, ...]:
    """
    The chunks of *page* in order; at least one, so that a page is found by its title even when it is empty.

    *role* as in `files.Role`: lines of facts and turns of the journal stand for themselves.
    """
    day = _page_day(path, page)
    facts = role == "facts"
    chunks: list[Chunk] = []
    units = list(_units(page))
    if role == "journal" and (turns := parse_journal(page, day or "")):
        return tuple(_journal(units, turns, day))
    first_of_line: dict[int, int] = {}
    for index, unit in enumerate(units):
        first_of_line.setdefault(unit.line, index)
    bounds = [h for h in page.headings if h.line >= page.body_start]
    headed = {h.line for h in bounds}
    opening = first_of_line.get(page.body_start, len(units))
    chunks += _paragraphs(_front(units[:opening], page.body_start), (), day)
    path_so_far: list[tuple[int, str]] = []
    start = opening
    for heading in (*bounds, None):
        stop = first_of_line.get(heading.line, len(units)) if heading else len(units)
        chunks += _section(units[start:stop], tuple(text for _, text in path_so_far), day, facts)
        if heading is None:
            break
        path_so_far = [entry for entry in path_so_far if entry[0] < heading.level] + [(heading.level, heading.text)]
        start = first_of_line.get(heading.line + _heading_height(page, heading.line), len(units))
        if not _has_body(page, heading.line + _heading_height(page, heading.line), headed):
            chunks += _cut(units[stop:start], tuple(text for _, text in path_so_far), day)
    return tuple(chunks) or (Chunk("note", 1, max(len(page.lines), 1), 0, 0, "", (), None, day),)


def _front(units: Sequence[_Unit], body_start: int) -> Sequence[_Unit]:
    """
    The frontmatter from its first to its last line that says more than when, under which name and tags a page is kept.

    Dates, titles, tags and aliases are found otherwise, and a page that has only these has no chunk of them.
    """
    telling = []
    kept_otherwise = False
    for index, unit in enumerate(units):
        if not 1 < unit.line < body_start - 1 or not unit.text.strip():
            continue
        if not unit.text.startswith((" ", "\t", "-", "#")):
            kept_otherwise = bool(_BOOKKEEPING.match(unit.text))
        if not kept_otherwise and not unit.text.startswith("#"):
            telling.append(index)
    return units[telling[0] : telling[-1] + 1] if telling else ()


def _journal(units: Sequence[_Unit], turns: Sequence[Turn], day: str | None) -> Iterator[Chunk]:
    """Each turn by itself, and what the owner wrote between the entries; headings and labels are form, not words."""
    at = 0
    before = ""
    for turn in turns:
        start = next(i for i in range(at, len(units)) if units[i].line >= turn.start_line)
        stop = next((i for i in range(start, len(units)) if units[i].line > turn.end_line), len(units))
        yield from _paragraphs([unit for unit in units[at:start] if not _FORM.match(unit.text)], (), day)
        speaker = turn.speaker.capitalize()
        for piece in _groups(units[start:stop]):
            chunk = _chunk("turn", piece, (), speaker, turn.when)
            text = _QUOTE.sub("", chunk.text).strip()
            yield replace(chunk, text=text, before=before)
            before = f"{speaker}: {text[-300:]}"
        at = stop
    yield from _paragraphs([unit for unit in units[at:] if not _FORM.match(unit.text)], (), day)


def shown_text(raw: bytes, kind: str) -> str:
    """The bytes of a chunk as text to read: `\\n` line ends, and turns without the quotation marks of the journal."""
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    return _QUOTE.sub("", text) if kind == "turn" else text


def _units(page: Page) -> Iterator[_Unit]:
    at = 3 if page.bom else 0
    for number, (line, end) in enumerate(zip(page.lines, page.ends, strict=True), start=1):
        size = len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))
        if len(line) <= LONGEST_CHARS:
            yield _Unit(number, line, at, at + size)
        else:
            start = at
            for piece in _pieces(line):
                width = len(piece) if piece.isascii() else len(piece.encode("utf-8", "surrogatepass"))
                yield _Unit(number, piece, start, start + width)
                start += width
        at += size + len(end)


def _pieces(line: str) -> Iterator[str]:
    """*line* cut behind sentences, else behind words, else anywhere; the pieces join to *line*."""
    start = 0
    ends = [match.end() for match in _SENTENCE_END.finditer(line)]
    ends.append(len(line))
    at = 0
    while start < len(line):
        limit = start + TARGET_CHARS
        while at < len(ends) and ends[at] <= limit:
            at += 1
        stop = ends[at - 1] if at and ends[at - 1] > start else min(start + LONGEST_CHARS, len(line))
        if stop < len(line) and not (at and stop == ends[at - 1]):
            space = line.rfind(" ", start + TARGET_CHARS // 2, stop)
            stop = space + 1 if space > 0 else stop
        yield line[start:stop]
        start = stop


def _section(units: Sequence[_Unit], headings: tuple[str, ...], day: str | None, facts: bool) -> Iterator[Chunk]:
    if not any(unit.text.strip() for unit in units):
        return
    if facts:
        yield from _facts(units, headings, day)
    elif speakers := _speakers(units):
        yield from _turns(units, speakers, headings, _section_time(headings, day))
    else:
        yield from _paragraphs(units, headings, _section_time(headings, day))


def _facts(units: Sequence[_Unit], headings: tuple[str, ...], day: str | None) -> Iterator[Chunk]:
    loose: list[_Unit] = []
    for unit in units:
        if _FACT.match(unit.text):
            yield from _paragraphs(loose, headings, day)
            loose = []
            yield _chunk("fact", [unit], headings, None, None)
        else:
            loose.append(unit)
    yield from _paragraphs(loose, headings, day)


def _speakers(units: Sequence[_Unit]) -> dict[int, tuple[str, int]]:
    """
    Where turns begin, as index -> (speaker, where the words start); empty if this is no conversation.

    A conversation has a speaker who comes back, or bold speakers, and little text outside the turns.
    """
    found: dict[int, tuple[str, int]] = {}
    bold = 0
    for index, unit in enumerate(units):
        if ":" in unit.text and (match := _SPEAKER.match(unit.text)):
            found[index] = ((match[1] or match[2]).strip(), match.end())
            bold += bool(match[1])
    if not found:
        return {}
    names = {name for name, _ in found.values()}
    first = min(found)
    outside = sum(1 for unit in units[:first] if unit.text.strip())
    comes_back = len(found) >= 4 and len(names) <= max(2, len(found) // 2)
    return found if outside <= len(found) and (comes_back or (bold >= 2 and len(names) <= 2)) else {}


def _turns(
    units: Sequence[_Unit], speakers: dict[int, tuple[str, int]], headings: tuple[str, ...], when: str | None
) -> Iterator[Chunk]:
    starts = sorted(speakers)
    yield from _paragraphs(units[: starts[0]], headings, when)
    before = ""
    for start, stop in zip(starts, (*starts[1:], len(units)), strict=True):
        speaker, offset = speakers[start]
        spoken = units[start:stop]
        for piece in _groups(spoken):
            chunk = _chunk("turn", piece, headings, speaker, when)
            text = chunk.text[offset:] if piece[0] is spoken[0] else chunk.text
            text = _QUOTE.sub("", text).strip()
            stamp = find_clock(spoken[0].text[:offset])
            at = f"{when[:10]}T{stamp.isoformat()}" if when and stamp else when
            yield replace(chunk, text=text, when=at, before=before)
            before = f"{speaker}: {text[-300:]}"


def _paragraphs(units: Sequence[_Unit], headings: tuple[str, ...], when: str | None) -> Iterator[Chunk]:
    for piece in _groups(units):
        yield _chunk("note", piece, headings, None, when)


_cut = _paragraphs


def _groups(units: Iterable[_Unit]) -> Iterator[list[_Unit]]:
    """*units* in runs of about the target size, cut at blank lines where one is near; blank ends trimmed."""
    run: list[_Unit] = []
    size = 0
    blank = 0
    for unit in units:
        empty = not unit.text.strip()
        if empty and not run:
            continue
        width = len(unit.text) + 1
        if size + width > TARGET_CHARS and run:
            rest = sum(len(kept.text) + 1 for kept in run[blank:])
            cut = blank if blank * 3 > len(run) and rest + width <= LONGEST_CHARS else len(run)
            if size + width > LONGEST_CHARS or empty or cut < len(run) or _starts_item(unit.text):
                yield from _trimmed(run[:cut])
                run = run[cut:]
                size = sum(len(kept.text) + 1 for kept in run)
                blank = 0
        run.append(unit)
        size += width
        if empty:
            blank = len(run)
    yield from _trimmed(run)


def _starts_item(text: str) -> bool:
    return text.lstrip()[:2] in ("- ", "* ", "+ ") or text.lstrip()[:1].isdigit()


def _trimmed(run: Sequence[_Unit]) -> Iterator[list[_Unit]]:
    first = next((i for i, unit in enumerate(run) if unit.text.strip()), None)
    if first is not None:
        last = max(i for i, unit in enumerate(run) if unit.text.strip())
        yield list(run[first : last + 1])


def _chunk(
    kind: Kind, units: Sequence[_Unit], headings: tuple[str, ...], speaker: str | None, when: str | None
) -> Chunk:
    text = units[0].text
    for before, unit in pairwise(units):
        text += unit.text if unit.line == before.line else "\n" + unit.text
    return Chunk(kind, units[0].line, units[-1].line, units[0].start, units[-1].end, text, headings, speaker, when)


def _heading_height(page: Page, line: int) -> int:
    """1, or 2 and more for a heading underlined with `===`."""
    if page.lines[line - 1].lstrip().startswith("#"):
        return 1
    height = 1
    while line - 1 + height < len(page.lines) and not set(page.lines[line - 1 + height].strip()) <= {"=", "-"}:
        height += 1
    return height + 1


def _has_body(page: Page, line: int, headings: set[int]) -> bool:
    """Whether anything stands under a heading, be it another heading."""
    return any(n in headings or page.lines[n - 1].strip() for n in range(line, len(page.lines) + 1))


def _page_day(path: str, page: Page) -> str | None:
    for key in ("date", "created", "created_at", "day"):
        value = page.frontmatter.get(key)
        if isinstance(value, dt.date):
            return value.isoformat()[:10]
        if isinstance(value, str) and (day := find_day(value)):
            return day.isoformat()
    day = find_day(PurePosixPath(path).name) or find_day(page.title(""))
    return day.isoformat() if day else None


def _section_time(headings: Sequence[str], day: str | None) -> str | None:
    for heading in reversed(headings):
        named = find_day(heading)
        clock = find_clock(heading)
        if named or (clock and day):
            date = named.isoformat() if named else str(day)[:10]
            return f"{date}T{clock.isoformat()}" if clock else date
    return day
