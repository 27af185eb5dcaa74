"""Pages: bytes in, the same bytes out, and edits that touch one line."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.errors import NotText
from memory_store.page import parse, render

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
