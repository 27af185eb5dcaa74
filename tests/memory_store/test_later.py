"""What is told to be so from a day on that is still to come is kept with that day."""

import pytest

from memory_store.later import dated_ahead
from memory_store.statements import extract


@pytest.mark.parametrize(
    ("value", "sentence", "kept"),
    [
        ("the night ward", "Starting March I'm moving to the night ward.", "the night ward, from March"),
        ("the old mill", "From next month on we sing in the old mill.", "the old mill, from next month"),
        ("Edda", "From next month Edda keeps our books.", "Edda, from next month"),
        ("480 euros", "As of 1 May our rent is 480 euros.", "480 euros, from 1 May"),
    ],
)
def test_a_plan_is_kept_with_its_day(value: str, sentence: str, kept: str) -> None:
    """It is not told as what is so already."""
    assert dated_ahead(value, sentence) == kept


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("the old mill", "We sing in the old mill."),
        ("Lea", "Our new baker is Lea from next door."),
        ("March to May", "The course runs from March to May."),
        ("the letter", "I keep the letter from March in a drawer."),
    ],
)
def test_what_is_so_now_has_no_day_to_come(value: str, sentence: str) -> None:
    """Neither a span nor whence something comes is a day from which it is so."""
    assert dated_ahead(value, sentence) == value


@pytest.mark.parametrize(
    "sentence",
    ["Gerda retires on Monday and then Otis takes over the desk.", "Next month Otis swaps with Gerda."],
)
def test_who_takes_over_later_is_no_fact_yet(sentence: str) -> None:
    """Neither a clause nor who comes later becomes a value before its day."""
    assert extract(sentence) == []
