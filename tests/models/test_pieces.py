"""Characters and stop strings in a stream of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from models.pieces import Characters, StopMatcher


@given(st.text(), st.lists(st.integers(1, 5), min_size=1))
def test_characters_survive_any_cut(text: str, cuts: list[int]) -> None:
    """However bytes are cut into tokens, the text comes out whole."""
    data = text.encode()
    characters = Characters()
    out, at, i = "", 0, 0
    while at < len(data):
        size = cuts[i % len(cuts)]
        out += characters.push(data[at : at + size])
        at, i = at + size, i + 1
    assert out + characters.finish() == text


def test_bytes_that_are_no_text_become_a_replacement_character() -> None:
    """An answer that ends within a character ends with U+FFFD, not with an error."""
    characters = Characters()
    assert characters.push(b"a\xe2\x82") == "a"
    assert characters.finish() == "�"


@given(
    st.text(alphabet="abc", max_size=40),
    st.lists(st.text(alphabet="abc", min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.integers(1, 4), min_size=1),
)
def test_stop_strings_are_found_across_any_borders(text: str, stops: list[str], cuts: list[int]) -> None:
    """Cut into any pieces, a text ends where its earliest stop begins, and nothing of the stop is shown before."""
    matcher = StopMatcher(stops)
    shown, found, at, i = "", None, 0, 0
    while at < len(text) and found is None:
        size = cuts[i % len(cuts)]
        piece, found = matcher.push(text[at : at + size])
        shown, at, i = shown + piece, at + size, i + 1
    if found is None:
        shown += matcher.finish()
        assert shown == text
        assert not any(stop in text for stop in stops)
    else:
        assert found in stops
        assert shown + found == text[: len(shown) + len(found)]
        assert not any(stop in shown for stop in stops)


def test_a_thousand_stop_strings_cost_no_time() -> None:
    """1,000 stop strings do not slow a stream down noticeably, and the right one is found."""
    matcher = StopMatcher([f"stop{n:04}" for n in range(1000)])
    shown = "".join(matcher.push("word ")[0] for _ in range(2000))
    assert matcher.push("sto")[0] == ""
    assert matcher.push("p0777 more") == ("", "stop0777")
    assert shown == "word " * 2000
