"""Merging three versions of a page by lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.merge import merge

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d\n", b"\n"]), max_size=8).map(b"".join)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        (b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nC\n", b"A\nb\nC\n"),
        (b"a\nb\nc\n", b"A\nb\nc\n", b"a\nB\nc\n", b"A\nB\nc\n"),
        (b"a\nb\n", b"a\nb\nours\n", b"a\nb\ntheirs\n", b"a\nb\ntheirs\nours\n"),
        (b"a\nb\n", b"a\nx\nb\n", b"A\nb\n", b"A\nx\nb\n"),
        (b"a\nb\n", b"b\n", b"a\nb\nc\n", b"b\nc\n"),
        (b"a\nb", b"a\nb\nc", b"x\na\nb", b"x\na\nb\nc"),
        (b"a\nb", b"A\nb", b"a\nb\nc", b"A\nb\nc"),
        (b"a\n", b"same\n", b"same\n", b"same\n"),
        (b"a\n", b"ours\n", b"theirs\n", None),
        (b"a\nb\n", b"a\n", b"a\nB\n", None),
        (b"", b"ours\n", b"theirs\n", b"theirs\nours\n"),
    ],
)
def test_merge(base: bytes, ours: bytes, theirs: bytes, merged: bytes | None) -> None:
    """Edits of different lines, also neighbouring ones, join; the same line changed twice is a conflict."""
    assert merge(base, ours, theirs) == merged


@given(LINES, LINES)
def test_one_side_alone(base: bytes, other: bytes) -> None:
    """Where only one side changed, or both alike, the result is that side."""
    assert merge(base, other, base) == other
    assert merge(base, base, other) == other
    assert merge(base, other, other) == other


@given(LINES, LINES, LINES)
def test_no_added_line_is_lost(base: bytes, ours: bytes, theirs: bytes) -> None:
    """A merge that succeeds holds every kind of line that either side newly brought."""
    merged = merge(base, ours, theirs)
    if merged is not None:
        for side in (ours, theirs):
            new = set(side.splitlines(keepends=True)) - set(base.splitlines(keepends=True))
            assert new <= set(merged.splitlines(keepends=True))


def test_a_page_too_long_to_compare_is_a_conflict() -> None:
    """Two rewrites of tens of thousands of lines are not compared line by line: a conflict, at once."""
    base, ours, theirs = (b"".join(b"%s%d\n" % (side, n) for n in range(30_000)) for side in (b"b", b"o", b"t"))
    assert merge(base, ours, theirs) is None
