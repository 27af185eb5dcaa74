"""Several things of one kind, told at once and one more at a time."""

import pytest

from memory_store.familiar import Familiar
from memory_store.statements import extract


def _told(message: str, known: Familiar | None = None) -> list[tuple[str, str | None, str | None]]:
    return [(s.kind, s.attribute, s.value) for s in extract(message, known=known or Familiar())]


@pytest.mark.parametrize(
    ("message", "name", "values"),
    [
        ("We have two kilns, Ada and Bell.", "kilns", "Ada and Bell"),
        ("There are three barges here: Nell, Tib and Wren.", "barges", "Nell, Tib and Wren"),
        ("So far two potters have joined us, namely Ines and Tor.", "potters", "Ines and Tor"),
        ("Our clay comes from two places: Lund Quarry and Pitt Farm.", "clay comes from", "Lund Quarry and Pitt Farm"),
    ],
)
def test_several_are_told_at_once_under_the_noun_that_counts_them(message: str, name: str, values: str) -> None:
    """A counted plural of ours, and which they are: a fact named by that plural, or by what is done with them."""
    assert _told(message) == [("state", name, values)]


@pytest.mark.parametrize(
    "message",
    [
        "A third kiln arrived: Cleo.",
        "There's a third kiln called Cleo now.",
        "Cleo is being fetched, she's the third kiln.",
        "Cleo joins them as another kiln.",
        "In May Cleo became a kiln as well.",
        "The guild lent us another, Cleo.",
    ],
)
def test_one_more_joins_those_that_are_known(message: str) -> None:
    """An ordinal, `another`, or `a … as well` with the singular of a known plural adds to it and replaces nothing."""
    known = Familiar()
    known.add("kilns", "Ada and Bell")
    assert ("add", "kilns", "Cleo") in _told(message, known)


def test_another_of_what_there_is_one_of_takes_its_place() -> None:
    """`Another kiln` where one kiln is known is no further one by that word alone."""
    known = Familiar()
    known.add("kiln", "Ada")
    assert _told("We have gone over to another kiln, Cleo.", known) == [("change", "kiln", "Cleo")]
