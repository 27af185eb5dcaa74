"""How lines of a page are laid out beside the results."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.widgets.preview import wrapped


@given(line=st.text(alphabet=st.sampled_from("ab c 云é—"), max_size=120), width=st.integers(10, 40))
def test_wrapping_loses_nothing(line: str, width: int) -> None:
    """Rows follow each other, fit the width, and leave out at most the space at which a line was broken."""
    parts = wrapped(line, width)
    assert parts[0][0] == 0
    assert parts[-1][1] == len(line)
    assert all(cell_len(line[begin:end]) <= width for begin, end in parts)
    for (_, end), (begin, _) in pairwise(parts):
        assert line[end:begin] in ("", " ")


def test_a_word_is_not_broken_where_a_space_is_near() -> None:
    """Lines break at spaces; a word longer than the row is broken where the row ends."""
    assert wrapped("the quick brown fox", 10) == [(0, 9), (10, 19)]
    assert wrapped("x" * 25, 10) == [(0, 10), (10, 20), (20, 25)]
