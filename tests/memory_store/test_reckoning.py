"""Days and hours that are told by their distance from others."""

import pytest

from memory_store.fact_edits import apply
from memory_store.fact_pages import new_page, read_facts
from memory_store.facts import Change
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import Page
from memory_store.recalc import recalculate
from memory_store.reckoning import reckon
from memory_store.statements import extract

DAY = "2026-11-30"


def _told(*messages: str) -> Ledger:
    """What is known after *messages*."""
    pages: dict[str, Page] = {}
    ledger = Ledger.build(())
    for message in messages:
        statements = extract(message, known=Familiar.of(ledger))
        told = changes(statements, ledger, today=DAY, source=None).changes
        on_page: dict[str, list[Change]] = {}
        for change in (*told, *recalculate(ledger, told).consequences):
            on_page.setdefault(change.path, []).append(change)
        for path, group in on_page.items():
            pages[path] = apply(pages.get(path) or new_page(path), group, today=DAY)
            ledger = ledger.replace(path, read_facts(path, pages[path]))
    return ledger


@pytest.mark.parametrize(
    ("distance", "day", "found"),
    [
        ("three days before it", "2 May", "29 April"),
        ("a week after it", "December 28th, 2026", "January 4th, 2027"),
        ("the day before it", "1 March 2028", "29 February 2028"),
        ("the day before it", "1 March", None),  # of which year, it does not say
        ("two days after it", "Saturday", "Monday"),
        ("a fortnight before it", "2026-01-05", "2025-12-22"),
        ("an hour before it", "8:15 pm", "7:15 pm"),
        ("90 minutes after it", "09:00", "10:30"),
        ("two days before it", "some time in spring", None),
    ],
)
def test_a_distance_is_reckoned_in_the_form_of_the_day(distance: str, day: str, found: str | None) -> None:
    """The day is written as the other one is; what is no plain one gives none."""
    assert reckon(distance, day) == found


def test_a_day_that_hangs_on_another_moves_with_it() -> None:
    """It is reckoned when it is told, and again whenever the other day moves."""
    tell = ["Our opening is on 12 June.", "The fitting is three days before the opening."]
    assert _told(*tell).current("fitting")[0].value == "9 June"
    assert _told(*tell, "The opening moved to 20 June.").current("fitting")[0].value == "17 June"


def test_a_day_that_hangs_on_one_not_known_yet_is_known_as_told() -> None:
    """`Three days before the opening` is the answer until the opening is known."""
    ledger = _told("The fitting is three days before the opening.")
    assert ledger.current("fitting")[0].value == "three days before the opening"
    later = _told("The fitting is three days before the opening.", "Our opening is on 12 June.")
    assert later.current("fitting")[0].value == "9 June"


def test_what_cannot_be_reckoned_is_unsure_with_its_reason() -> None:
    """Where the other day becomes one that is no plain date, this one is `?` for that."""
    tell = ["Our opening is on 12 June.", "The fitting is three days before the opening."]
    ledger = _told(*tell, "The opening moved to late summer.")
    (fitting,) = ledger.current("fitting")
    assert fitting.state == "unsure" and fitting.was == "9 June" and fitting.cause == "[opening] changed"
