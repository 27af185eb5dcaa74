"""How old somebody is."""

import pytest

from memory_store.ages import aged
from memory_store.familiar import Familiar
from memory_store.statements import extract


@pytest.mark.parametrize(
    ("message", "attribute", "value"),
    [
        ("I'm 52.", "age", "52"),
        ("I just turned 40.", "age", "40"),
        ("My daughter is 6.", "daughter's age", "6"),
        ("Our toddler is 18 months old.", "toddler's age", "18 months"),
        ("Lotte turned eleven last week.", "Lotte's age", "eleven"),
        ("My uncle Lars is 66 years old.", "Lars's age", "66"),
    ],
)
def test_an_age_is_a_fact_of_its_own(message: str, attribute: str, value: str) -> None:
    """How old somebody is does not take the place of who they are."""
    assert (attribute, value) in [(s.attribute, s.value) for s in extract(message, known=Familiar())]


@pytest.mark.parametrize(
    "clause", ["My rent is 90", "The drive is 8 hours", "I'm 20 minutes late", "My bus is 12 minutes"]
)
def test_other_numbers_are_no_ages(clause: str) -> None:
    """What costs, lasts or is numbered is told of no age."""
    assert aged(clause) is None


@pytest.mark.parametrize(
    ("message", "attribute", "old"),
    [
        ("Bram is no longer 9.", "Bram's age", "9"),
        ("My niece is no longer two, so grown up.", "niece's age", "two"),
    ],
)
def test_no_longer_ends_an_age(message: str, attribute: str, old: str) -> None:
    """`No longer 9` tells that they are not 9, and never that they are."""
    (told,) = extract(message, known=Familiar())
    assert (told.kind, told.attribute, told.value, told.old) == ("end", attribute, None, old)
