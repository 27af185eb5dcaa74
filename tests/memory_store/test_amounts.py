"""Values that can be measured are told apart by kind."""

import pytest

from memory_store.amounts import kind_of, of_kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("£6", "money"),
        ("38 pounds a year", "money"),
        ("half past seven", "clock"),
        ("ten o'clock", "clock"),
        ("three weeks", "span"),
        ("Tuesdays", "day"),
        ("the first Monday of the month", "day"),
        ("12 March", "date"),
        ("every 500 miles", "often"),
        ("10 percent", "percent"),
        ("250 grams", "amount"),
        ("Bay A", None),
        ("a garden voucher", None),
    ],
)
def test_a_value_is_of_a_kind(value: str, kind: str | None) -> None:
    """Money, times, days, spans and amounts are known by their form; names and plain words are of no kind."""
    assert kind_of(value) == kind


def test_what_is_of_a_kind_is_found_in_a_sentence() -> None:
    """The price in a sentence that also tells a day."""
    assert of_kind("from Monday a shelf will cost £8 each", "money") == ["£8 each"]
    assert of_kind("from Monday a shelf will cost £8", "day") == ["Monday"]
