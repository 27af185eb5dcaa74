"""With whom somebody is, whom they lost, what something was before, and several kinds of things at once."""

import pytest

from memory_store.familiar import Familiar
from memory_store.statements import extract


def test_who_died_is_told_as_past() -> None:
    """A husband of whom the first that is told is that he died was that, and is no more."""
    told = [(s.kind, s.attribute, s.value, s.old, s.gone) for s in extract("My husband Aksel passed away in 2011.")]
    assert told == [("state", "husband", "Aksel", None, False), ("end", "husband", None, "Aksel", True)]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm seeing someone new, his name is Mika.", "boyfriend", "Mika"),
        ("I'm dating somebody new, her name is Runa.", "girlfriend", "Runa"),
        ("I'm going out with Mika now.", "partner", "Mika"),
    ],
)
def test_with_whom_one_is_now(text: str, attribute: str, value: str) -> None:
    """Somebody new is girlfriend, boyfriend or partner, by the pronoun, or by the word that facts have."""
    assert (attribute, value) in [(s.attribute, s.value) for s in extract(text)]
    known = Familiar()
    known.add("girlfriend", "Ida")
    assert [s.attribute for s in extract("I'm dating Runa now.", known=known)] == ["girlfriend"]


def test_what_it_was_before_is_past() -> None:
    """What it used to be comes before what it is."""
    found = extract("The parking fee is 25 a month; it used to be 19.")
    assert [(s.attribute, s.value, s.old) for s in found] == [
        ("parking fee", "19", None),
        ("parking fee", "25 a month", "19"),
    ]


def test_several_of_one_kind_and_one_of_another() -> None:
    """Both kinds are told by name."""
    told = {s.attribute: s.value for s in extract("We have two goats, Pim and Pam, and a donkey called Fritz.")}
    assert told.items() >= {"goats": "Pim and Pam", "donkey": "Fritz"}.items()
