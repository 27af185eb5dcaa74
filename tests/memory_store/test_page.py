"""Pages: bytes in, the same bytes out, and edits that touch one line."""

import datetime
import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_store.errors import NotText, PageReadOnly
from memory_store.page import Heading, Page, parse, render

WILD = st.text(
    st.one_of(
        st.sampled_from("\r\n\n\n-#>`~:[]{}\"'%!&*| \t,?"),
        st.sampled_from("\f\v\x1c\u2028\u2029\x85\ufeffa1Ä😀"),
        st.characters(),
    ),
    max_size=80,
).map(lambda text: text.encode("utf-8", "surrogatepass"))


def changed(before: bytes, after: bytes) -> list[str]:
    """The changed lines between two files, as a diff of no context shows them."""
    lines = difflib.unified_diff(before.decode().splitlines(True), after.decode().splitlines(True), n=0)
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


@given(st.one_of(WILD, st.binary(max_size=40), WILD.map(lambda b: b"---\n" + b + b"\n---\n")))
def test_round_trip(data: bytes) -> None:
    """Whatever is UTF-8 without NUL is parsed, and rendered to the very same bytes; all else is NotText."""
    try:
        data.decode("utf-8")
        readable = b"\0" not in data
    except UnicodeDecodeError:
        readable = False
    if not readable:
        with pytest.raises(NotText):
            parse(data)
        return
    page = parse(data)
    assert render(page) == data
    assert len(page.lines) == len(page.ends)
    assert all(page.ends[:-1])
    assert page.inert <= set(range(1, len(page.lines) + 1))
    assert all(1 <= heading.line <= len(page.lines) for heading in page.headings)
    assert page.title("none")
    assert isinstance(page.tags, tuple)


def test_only_three_line_ends() -> None:
    """LF, CRLF and CR end a line; form feeds, vertical tabs, NEL and U+2028 are text within one."""
    page = parse("a\r\nb\rc\nd\x0be\x0cf\x85g\u2028h".encode())
    assert page.lines == ("a", "b", "c", "d\x0be\x0cf\x85g\u2028h")
    assert page.ends == ("\r\n", "\r", "\n", "")
    assert page.text == "a\nb\nc\nd\x0be\x0cf\x85g\u2028h"
    assert parse(b"").lines == ()
    assert parse(b"\n\n").lines == ("", "")


@pytest.mark.parametrize(
    "middle", [b"**A bold line**", b"Just prose.", b"- a\n- list", b"Note: this\n**and** that", b"> quoted"]
)
def test_pain_01_thematic_break_is_body(middle: bytes) -> None:
    """pain 01: text between two breaks is no frontmatter: it is body, noted as a problem, and never rewritten."""
    data = b"---\n" + middle + b"\n---\n# Title\n\n- [a] b\n"
    page = parse(data)
    assert page.body_start == 1
    assert not page.frontmatter
    assert page.problem
    assert page.title("none") == "Title"
    assert render(page) == data
    with pytest.raises(PageReadOnly):
        page.replace_line(6, "- [a] c")


def test_pain_01_break_that_never_closes() -> None:
    """pain 01: a first `---` without a second is a break; the page is plain body and may be edited."""
    page = parse(b"---\n# Title\n")
    assert page.problem is None
    assert page.body_start == 1
    assert render(page.replace_line(2, "# New")) == b"---\n# New\n"
    assert parse(b"--- \ntitle: x\n---\n").body_start == 1


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("title: x\ntags: [a, b\n", 3),
        ("title: a: b\n", 2),
        ("title: x\n\tkey: y\n", 3),
        ("a: 1\na: 2\n", 3),
        ("x: @y\n", 2),
        ("x: !!python/none 1\n", 2),
    ],
)
def test_pain_02_invalid_yaml_refuses_edits(block: str, line: int) -> None:
    """pain 02: on a page whose frontmatter is no valid YAML every edit is refused with the line; no byte changes."""
    data = f"---\n{block}---\n- [a] b\n".encode()
    page = parse(data)
    assert page.problem
    assert page.problem.line == line
    edits = (
        lambda: page.replace_line(1, "x"),
        lambda: page.insert_after(0, ["x"]),
        lambda: page.delete_line(1),
        lambda: page.set_key("a", "b"),
    )
    for edit in edits:
        with pytest.raises(PageReadOnly) as refused:
            edit()
        assert refused.value.line == line
    assert render(page) == data


def test_pain_03_null_tab_and_worse() -> None:
    """pain 03: `type:` null is fine; a tab, control characters, deep nesting and aliases of themselves stop nothing."""
    assert parse(b"---\ntype:\n---\n").frontmatter == {"type": None}
    assert parse(b"---\nat: 2026-13-45\n---\n").frontmatter == {"at": "2026-13-45"}
    for block in (
        b"a:\tb\n\tc: d",
        b"a: \x01",
        b"[" * 5000,
        b"a: &a [*a]",
        b"? [x]\n: y",
        b"a: *b",
        b"%YAML 9.9",
        b"x: 1e999999999",
    ):
        page = parse(b"---\n" + block + b"\n---\ntext\n")
        assert render(page) == b"---\n" + block + b"\n---\ntext\n"
        assert page.tags == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("é".encode("latin-1"), "0xe9"),
        ("text".encode("utf-16"), "UTF-16"),
        ("text".encode("utf-16-le"), "NUL"),
        (b"a\0b", "offset 1"),
        (b"\xef\xbb\xbfab\xff", "offset 5"),
        (b"\xed\xa0\x80", "0xed"),
    ],
)
def test_pain_04_what_is_no_utf8_is_refused(data: bytes, reason: str) -> None:
    """pain 04: UTF-16, Latin-1 and NUL bytes are reported with their place, never guessed at."""
    with pytest.raises(NotText) as refused:
        parse(data)
    assert reason in refused.value.reason


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_pain_04_bom_and_line_ends_stay(end: str, bom: bytes) -> None:
    """pain 04: an edit keeps the byte-order mark and writes the line ends that its neighbours have."""
    data = bom + end.join(["---", "title: x", "---", "a", "b"]).encode()
    page = parse(data)
    assert page.frontmatter == {"title": "x"}
    edited = page.insert_after(5, ["c", "d"]).replace_line(4, "A").set_key("title", "z").set_key("num", 1)
    assert render(edited) == bom + end.join(["---", "title: z", "num: 1", "---", "A", "b", "c", "d"]).encode()


PAIN_05 = """\
---
# what this page is about
zeta: last   # odd order, on purpose
tags: [a,  b]
created: 2026-07-01
draft: yes
title: 'It''s here'
"quoted key": "v"
aliases:
  - one   # first
  - "two"

  - three
cssclass:
text: |
  several
  lines

plain: runs over
  two lines
n: 1_000
alpha: {x: 1, y: [2]}
---
body
"""


@pytest.mark.parametrize(
    ("key", "value", "diff"),
    [
        ("zeta", "first", ["-zeta: last   # odd order, on purpose\n", "+zeta: first   # odd order, on purpose\n"]),
        ("tags", ["a", "c"], ["-tags: [a,  b]\n", "+tags: [a, c]\n"]),
        ("created", datetime.date(2026, 8, 1), ["-created: 2026-07-01\n", "+created: 2026-08-01\n"]),
        ("draft", "no", ["-draft: yes\n", '+draft: "no"\n']),
        ("draft", True, ["-draft: yes\n", "+draft: true\n"]),
        ("draft", "yes", []),
        ("tags", ["a", "b"], []),
        ("title", "It's there", ["-title: 'It''s here'\n", "+title: 'It''s there'\n"]),
        ("quoted key", "w", ['-"quoted key": "v"\n', '+"quoted key": "w"\n']),
        ("aliases", ["one", "two", "three", "four"], ["+  - four\n"]),
        ("aliases", ["two", "three"], ["-  - one   # first\n"]),
        ("cssclass", "wide", ["-cssclass:\n", "+cssclass: wide\n"]),
        ("plain", "x", ["-plain: runs over\n", "-  two lines\n", "+plain: x\n"]),
        ("n", 2, ["-n: 1_000\n", "+n: 2\n"]),
        ("alpha", None, ["-alpha: {x: 1, y: [2]}\n", "+alpha: null\n"]),
        ("new", "a: b", ['+new: "a: b"\n']),
        ("new", "2026-01-01", ['+new: "2026-01-01"\n']),
        ("new", 1.5, ["+new: 1.5\n"]),
    ],
)
def test_pain_05_one_key_one_line(key: str, value: object, diff: list[str]) -> None:
    """pain 05: setting one key changes that key's line and no other, whatever the style of the rest."""
    for bom, end in (("", "\n"), ("\ufeff", "\r\n")):
        data = (bom + PAIN_05.replace("\n", end)).encode()
        page = parse(data).set_key(key, value)
        assert page.frontmatter[key] == value
        assert changed(data, render(page)) == [line.replace("\n", end) for line in diff]


def test_set_key_without_frontmatter_or_in_an_empty_one() -> None:
    """A page without frontmatter gets one before its first line; an empty one, and one in braces, take a key too."""
    assert render(parse(b"text\r\n").set_key("a", "b")) == b"---\r\na: b\r\n---\r\ntext\r\n"
    assert render(parse(b"").set_key("a", "b")) == b"---\na: b\n---\n"
    assert render(parse(b"---\n---\nx").set_key("a", "b")) == b"---\na: b\n---\nx"
    assert render(parse(b"---\n# only\n---\nx").set_key("a", "b")) == b"---\n# only\na: b\n---\nx"
    assert render(parse(b"---\n{a: 1}\n---\nx").set_key("b", 2)) == b"---\n{a: 1, b: 2}\n---\nx"
    assert render(parse(b"---\n{a: 1}\n---\nx").set_key("a", 2)) == b"---\n{a: 2}\n---\nx"


def test_set_key_that_would_break_an_alias_is_refused() -> None:
    """A value that other keys point to cannot be replaced on its own: refused, nothing changes."""
    with pytest.raises(PageReadOnly):
        parse(b"---\na: &x 1\nb: *x\n---\n").set_key("a", 2)
    with pytest.raises(PageReadOnly):
        parse(b"---\na: 1\n---\n").set_key("b", object())


@given(
    st.dictionaries(st.text(min_size=1, max_size=6), st.text(max_size=8), max_size=4),
    st.text(min_size=1, max_size=6),
    st.one_of(
        st.text(max_size=12),
        st.integers(),
        st.booleans(),
        st.floats(allow_nan=False),
        st.dates(),
        st.none(),
        st.lists(st.text(max_size=5), max_size=3),
    ),
)
@settings(max_examples=40)
def test_set_key_reads_back(first: dict[str, str], key: str, value: object) -> None:
    """Any keys and values that are set one after the other read back as they were, and order stays."""
    page = parse(b"body\n")
    for name, text in [*first.items(), (key, value)]:
        page = page.set_key(name, text)
    assert dict(parse(render(page)).frontmatter) == {**first, key: value}
    assert list(page.frontmatter) == list({**first, key: value})
    assert page.lines[page.body_start - 1 :] == ("body",)


@given(WILD, st.data())
def test_an_edit_touches_its_lines_only(data: bytes, draw: st.DataObject) -> None:
    """Replacing, inserting and deleting lines leaves the bytes of all other lines as they were."""
    try:
        page = parse(data)
    except NotText:
        return
    if page.problem or not page.lines:
        return
    n = draw.draw(st.integers(1, len(page.lines)))
    other = page.replace_line(n, "new")
    assert (other.lines[: n - 1], other.lines[n:], other.ends) == (page.lines[: n - 1], page.lines[n:], page.ends)
    grown = page.insert_after(n, ["x", "y"])
    assert grown.lines == (*page.lines[:n], "x", "y", *page.lines[n:])
    assert bool(grown.ends[-1]) == bool(page.ends[-1])
    assert parse(render(grown)) == grown
    gone = page.delete_line(n)
    assert render(gone) == render(
        Page((*page.lines[: n - 1], *page.lines[n:]), (*page.ends[: n - 1], *page.ends[n:]), page.bom)
    )


def test_a_line_end_in_an_edit_is_a_mistake() -> None:
    """Text for one line that holds a line end is refused, and so is a line that is not there."""
    page = parse(b"a\n")
    with pytest.raises(ValueError, match="line end"):
        page.replace_line(1, "b\nc")
    with pytest.raises(IndexError):
        page.replace_line(2, "b")


def test_inert_lines() -> None:
    """Fenced code (also in lists, also unclosed) and comments are inert; quotations and inline comments are not."""
    text = """\
---
# not inert: frontmatter is not body
---
text
```py
- [a] code
~~~
```
> - [a] quoted
- item
  ```
  - [a] code
  ```
- ~~~~
  ~~~
  ~~~~
<!-- one line -->
<!-- several
- [a] hidden
--> tail
text <!-- inline --> text
para <!-- opens
hidden --> shows
lone <!-- never closed

%% obsidian
- [a] hidden
%%
    ~~~ indented text, no fence
~~~
end"""
    page = parse(text.encode())
    assert sorted(page.inert) == [5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 23, 26, 27, 28, 30, 31]


def test_headings_tags_and_title() -> None:
    """Headings of both kinds are found with their lines, tags of frontmatter and body once each, code left out."""
    text = """\
---
tags: [work, "#home"]
---
# One #
#tag no heading
## Two `#no` #yes/sub and a#no #12 #1a
###
Setext
===
para
over two
---
- item
---
```
# no
```
####### no
"""
    page = parse(text.encode())
    assert page.headings == (
        Heading(1, "One", 4),
        Heading(2, "Two `#no` #yes/sub and a#no #12 #1a", 6),
        Heading(3, "", 7),
        Heading(1, "Setext", 8),
        Heading(2, "para over two", 10),
    )
    assert page.tags == ("work", "home", "tag", "yes/sub", "1a")
    assert page.title("file") == "One"
    assert parse(b"---\ntitle: 2026\n---\n# One").title("file") == "2026"
    assert parse(b"## Two").title("file") == "file"
    assert parse(b"---\ntags: a, b c\n---\n").tags == ("a", "b", "c")
