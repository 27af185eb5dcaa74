"""
Bytes <-> Page, without loss: `render(parse(data)) == data` for every UTF-8 text.

A page is its lines, their terminators and whether a byte-order mark stands before them. What markdown and YAML say
about these lines (frontmatter, headings, tags, what is inert) is derived and takes no part in equality. Only LF, CRLF
and CR end a line; form feeds and U+2028 are text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from memory_store.errors import NotText, PageReadOnly
from memory_store.frontmatter import EMPTY, Frontmatter, PageProblem, read_frontmatter, with_key

BOM = b"\xef\xbb\xbf"
_TERMINATOR = re.compile(r"(\r\n|\n|\r)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:$|[>|]|#{1,6}(?:[ \t]|$)|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|<!--|%%)")
_LIST_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])([ \t]+|$)")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_TAG = re.compile(r"(?:^|(?<=[\s(]))#([\w/-]*[^\W\d][\w/-]*)")


@dataclass(frozen=True)
class Heading:
    """A heading of the body: *level* 1 to 6, *line* counts from 1."""

    level: int
    text: str
    line: int


@dataclass(frozen=True)
class Page:
    """
    One markdown file as lines. `ends[i]` terminates `lines[i]`; only the last may be empty.

    Lines count from 1. *body_start* is the first line after the frontmatter. A page with a *problem* is all body,
    indexed as text, and refuses edits.
    """

    lines: tuple[str, ...]
    ends: tuple[str, ...]
    bom: bool = False
    body_start: int = field(default=1, compare=False)
    frontmatter: Mapping[str, object] = field(default_factory=lambda: EMPTY, compare=False)
    problem: PageProblem | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The whole text with every terminator as `\\n`."""
        return "".join(chain.from_iterable((line, "\n" if end else "") for line, end in self._pairs()))

    @cached_property
    def inert(self) -> frozenset[int]:
        """Lines inside fenced code or comments (HTML's, and Obsidian's `%%`), their delimiters included."""
        return frozenset(_inert_lines(self.lines, self.body_start))

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """Headings of the body in order, those in code or comments left out."""
        return tuple(_headings(self.lines, self.body_start, self.inert))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Tags of the frontmatter, then `#tags` of the body outside code, without `#`, each once, in order."""
        found = dict.fromkeys(_listed_tags(self.frontmatter))
        for number in range(self.body_start, len(self.lines) + 1):
            line = self.lines[number - 1]
            if "#" in line and number not in self.inert:
                found.update(dict.fromkeys(_TAG.findall(_CODE_SPAN.sub("", line) if "`" in line else line)))
        return tuple(found)

    def title(self, default: str) -> str:
        """The frontmatter's `title`, else the first heading of level 1, else *default*."""
        title = self.frontmatter.get("title")
        if title is not None and not isinstance(title, list | dict | tuple) and str(title).strip():
            return str(title).strip()
        return next((h.text for h in self.headings if h.level == 1 and h.text), default)

    def replace_line(self, n: int, text: str) -> "Page":
        """This page with line *n* saying *text*; its terminator stays."""
        self._editable(n)
        _one_line(text)
        return _page((*self.lines[: n - 1], text, *self.lines[n:]), self.ends, self.bom)

    def insert_after(self, n: int, texts: Sequence[str]) -> "Page":
        """
        This page with *texts* as new lines after line *n*; 0 puts them before the first.

        New lines end as their neighbour does; a file without a final newline stays without one.
        """
        self._editable(n, first=0)
        if not texts:
            return self
        for text in texts:
            _one_line(text)
        usual = self._usual_end(n)
        ends = [*self.ends[:n], *[usual] * len(texts), *self.ends[n:]]
        if n and n == len(self.lines) and not self.ends[n - 1]:
            ends[n - 1], ends[-1] = usual, ""
        return _page((*self.lines[:n], *texts, *self.lines[n:]), tuple(ends), self.bom)

    def delete_line(self, n: int) -> "Page":
        """This page without line *n*."""
        self._editable(n)
        return _page((*self.lines[: n - 1], *self.lines[n:]), (*self.ends[: n - 1], *self.ends[n:]), self.bom)

    def set_key(self, key: str, value: object) -> "Page":
        """
        This page with *key* of its frontmatter set to *value*; every other byte stays.

        *value*: text, number, bool, date, None, or a list of these. A value that is equal already changes nothing.

        Raises:
            PageReadOnly: the page has a problem, or its YAML does not let this key be set without touching more.
        """
        self._editable(0, first=0)
        if key in self.frontmatter and _same(self.frontmatter[key], value):
            return self
        block = self.lines[1 : self.body_start - 2] if self.body_start > 1 else None
        try:
            start, stop, texts = with_key(block, key, value)
        except ValueError as refusal:
            raise PageReadOnly(1, str(refusal)) from refusal
        if block is None:
            texts, start, stop = ["---", *texts, "---"], 0, 0
        else:
            start, stop = start + 1, stop + 1
        end = self._usual_end(start)
        ends = (*self.ends[:start], *[end] * len(texts), *self.ends[stop:])
        page = _page((*self.lines[:start], *texts, *self.lines[stop:]), ends, self.bom)
        wanted = {**self.frontmatter, key: list(value) if isinstance(value, tuple) else value}
        if page.problem or not _same(dict(page.frontmatter), wanted):
            raise PageReadOnly(start + 1, f"the frontmatter does not let '{key}' be set on its own")
        return page

    def _pairs(self) -> Iterable[tuple[str, str]]:
        return zip(self.lines, self.ends, strict=True)

    def _usual_end(self, n: int) -> str:
        near = self.ends[max(n - 1, 0) : n + 1]
        return next((end for end in (*near, *self.ends[:1]) if end), "\n")

    def _editable(self, n: int, *, first: int = 1) -> None:
        if self.problem:
            raise PageReadOnly(self.problem.line, self.problem.reason)
        if not first <= n <= len(self.lines):
            raise IndexError(f"line {n} of a page of {len(self.lines)} lines")


def signed(text: str) -> str:
    """*text* with the sign for NUL in the place of each NUL, as no page may hold one."""
    return text.replace("\0", "\u2400")


def parse(data: bytes) -> Page:
    """
    The page that *data* holds.

    Raises:
        NotText: a NUL byte, or not UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotText("it looks like UTF-16")
    if b"\0" in data:
        offset = data.index(0)
        raise NotText(f"it has a NUL byte at offset {offset}", line=data.count(b"\n", 0, offset) + 1)
    bom = data.startswith(BOM)
    try:
        text = data[len(BOM) if bom else 0 :].decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + (len(BOM) if bom else 0)
        line = data.count(b"\n", 0, offset) + 1
        raise NotText(f"byte 0x{data[offset]:02x} at offset {offset} is not UTF-8", line=line) from error
    pieces = _TERMINATOR.split(text)
    lines, ends = pieces[::2], pieces[1::2]
    if lines[-1]:
        ends.append("")
    else:
        lines.pop()
    return _page(tuple(lines), tuple(ends), bom)


def render(page: Page) -> bytes:
    """The bytes of *page*."""
    text = "".join(chain.from_iterable(zip(page.lines, page.ends, strict=True)))
    return (BOM if page.bom else b"") + text.encode("utf-8")


def _page(lines: tuple[str, ...], ends: tuple[str, ...], bom: bool) -> Page:
    found: Frontmatter = read_frontmatter(lines)
    return Page(lines, ends, bom, found.body_start, found.values, found.problem)


def _one_line(text: str) -> None:
    if "\n" in text or "\r" in text:
        raise ValueError("a line cannot hold a line end")


def _same(one: object, other: object) -> bool:
    """Equal in value and kind, so that `1`, `1.0` and `true` differ, and `[a]` equals `("a",)`."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def _listed_tags(frontmatter: Mapping[str, object]) -> Iterable[str]:
    for key in ("tags", "tag"):
        value = frontmatter.get(key)
        listed = re.split(r"[,\s]+", value) if isinstance(value, str) else value if isinstance(value, list) else ()
        for tag in listed:
            if isinstance(tag, str | int) and str(tag).strip().lstrip("#"):
                yield str(tag).strip().lstrip("#")


def _inert_lines(lines: Sequence[str], body_start: int) -> Iterable[int]:
    text = "\n".join(lines)
    if not any(mark in text for mark in ("```", "~~~", "<!--", "%%")):
        return
    fence = ""
    closer = ""
    list_indent = 0
    for number in range(body_start, len(lines) + 1):
        line = lines[number - 1]
        if fence:
            yield number
            rest = line.strip()
            if len(rest) >= len(fence) and set(rest) == {fence[0]}:
                fence = ""
            continue
        if closer:
            yield number
            if closer in line:
                closer = ""
            continue
        body = line.lstrip(" \t")
        if not body:
            continue
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        item = _LIST_ITEM.match(line)
        if item:
            list_indent = len(item.group().expandtabs(4))
            indent, body = list_indent, line[item.end() :]
        elif indent < list_indent:
            list_indent = indent if indent > 1 else 0
        opened = _FENCE.match(body) if indent - list_indent <= 3 else None
        if opened and not (opened[1][0] == "`" and "`" in opened[2]):
            fence = opened[1]
            yield number
        elif body.startswith("<!--") and indent - list_indent <= 3:
            yield number
            closer = "" if "-->" in body[4:] else "-->"
        elif body.startswith("%%") and indent <= 3:
            yield number
            closer = "" if "%%" in body[2:] else "%%"
        elif (
            "<!--" in body
            and body[0] != ">"
            and "-->" not in body.rpartition("<!--")[2]
            and _comment_closes(lines, number)
        ):
            closer = "-->"


def _comment_closes(lines: Sequence[str], number: int) -> bool:
    """Whether a comment opened in the middle of line *number* ends within its paragraph."""
    for line in lines[number:]:
        if not line.strip():
            return False
        if "-->" in line:
            return True
    return False


def _headings(lines: Sequence[str], body_start: int, inert: frozenset[int]) -> Iterable[Heading]:
    for number in range(body_start, len(lines) + 1):
        line = lines[number - 1]
        first = line.lstrip(" ")[:1]
        if first == "#":
            if number not in inert and (atx := _ATX.fullmatch(line)):
                yield Heading(len(atx[1]), (atx[2] or "").strip(), number)
        elif first in ("=", "-") and (setext := _SETEXT.fullmatch(line)) and number not in inert:
            start = _paragraph_start(lines, number, body_start, inert)
            if start:
                text = " ".join(part.strip() for part in lines[start - 1 : number - 1])
                yield Heading(1 if setext[1][0] == "=" else 2, text, start)


def _paragraph_start(lines: Sequence[str], end: int, body_start: int, inert: frozenset[int]) -> int:
    """The first line of the paragraph that ends before line *end*; 0 if none does."""
    start = end
    while start > body_start and start - 1 not in inert:
        above = lines[start - 2]
        if _NO_PARAGRAPH.match(above) or (_SETEXT.fullmatch(above) and start < end):
            break
        start -= 1
    if start == end or lines[start - 1].startswith(("    ", "\t")) or _after_item(lines, start, body_start):
        return 0
    return start


def _after_item(lines: Sequence[str], number: int, body_start: int) -> bool:
    """Whether line *number* continues a list item or quotation, so that it starts no paragraph of its own."""
    return (
        number > body_start
        and bool(lines[number - 2].strip())
        and bool(_NO_PARAGRAPH.match(lines[number - 2]))
        and (not _ATX.fullmatch(lines[number - 2]))
    )
