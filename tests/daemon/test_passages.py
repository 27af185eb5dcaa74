"""Which passages are read, and how far around them, as META.md's directives say."""

from daemon.context import Passage
from daemon.directives import UNDIRECTED, Directive
from daemon.passages import choose
from memory_store.errors import PageMissing
from memory_store.page import Page, parse

FOUND = [
    Passage("Boats.md", 3, 3, "note", when=None),
    Passage("journal/2026/2026-11-12.md", 6, 6, "later", when="2026-11-12T10:00:00"),
    Passage("facts/Me.md", 1, 1, "fact"),
    Passage("journal/2026/2026-11-02.md", 6, 6, "earlier", when="2026-11-02"),
]
JOURNAL = """# 2026-11-12

## 10:00:00 m ^a1

**User:**
> The first thing I told.

**Assistant:**
> An answer that is no evidence.

---

## 10:01:00 m ^a2

**User:**
> The second thing.
> On two lines.

---

## 10:02:00 m ^a3

**User:**
> And what is this?

---

## 10:03:00 m ^a4

**User:**
> The third thing.

---
"""


def texts(directive: Directive, count: int = 2) -> list[str]:
    return [passage.text for passage in choose(FOUND, directive, count=count)]


def test_passages_are_chosen_and_put_in_order_as_directed() -> None:
    """hits, prefer and order each do what they say; undirected, the best stand as they were found."""
    assert texts(UNDIRECTED) == ["note", "later"]
    assert texts(Directive(hits=3)) == ["note", "later", "fact"]
    assert texts(Directive(prefer="journal")) == ["later", "earlier"]
    assert texts(Directive(prefer="facts", hits=1)) == ["fact"]
    assert texts(Directive(order="time", hits=4)) == ["earlier", "later", "note", "fact"]


def test_a_turn_is_widened_by_what_was_told_around_it() -> None:
    """Neighbours of a turn are turns of the owner that tell something, on lines that are really theirs."""
    passage = Passage("journal/2026/2026-11-12.md", 16, 17, "The second thing.")
    wide = choose([passage], Directive(widen=1), count=5, read=lambda _: parse(JOURNAL.encode()))
    assert [(one.start_line, one.end_line, one.text) for one in wide] == [
        (6, 31, "The first thing I told.\nThe second thing.\nOn two lines.\nThe third thing.")
    ]


def test_a_note_is_widened_by_paragraphs_and_overlaps_go() -> None:
    """Neighbours of a note are paragraphs; a passage that the wider one holds is not read twice."""
    page = parse(b"---\ntags: [a]\n---\none\n\ntwo\ntwo\n\nthree\n\nfour\n")
    found = [Passage("A.md", 6, 7, "two"), Passage("A.md", 9, 9, "three")]
    wide = choose(found, Directive(widen=1), count=5, read=lambda _: page)
    assert [(one.start_line, one.end_line) for one in wide] == [(4, 9), (6, 11)]
    wide = choose(found, Directive(widen=2), count=5, read=lambda _: page)
    assert [(one.start_line, one.end_line) for one in wide] == [(4, 11)]


def test_a_page_that_is_gone_is_not_widened() -> None:
    """What cannot be read stays as it was found."""

    def gone(path: str) -> Page:
        raise PageMissing(path)

    assert choose(FOUND[:1], Directive(widen=1), count=1, read=gone) == FOUND[:1]
