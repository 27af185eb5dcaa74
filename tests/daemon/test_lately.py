"""What changed lately."""

import pytest

from daemon.recall import from_facts
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [team lead] Mina (since 2026-03-02)
- [office] the old mill (since 2026-03-01)
- [locker] 14 (since 2025-10-01)

## Rules

- when [team lead] changes, [locker] becomes ?

## Past

- [team lead] Tom (2025-11-12 to 2026-03-02)
"""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


def said(question: str, ledger: Ledger) -> str:
    found = from_facts(question, ledger, today="2026-03-02", similarity=None)
    assert found is not None
    return found.text


def test_what_changed_today_tells_the_changes_of_the_day(ledger: Ledger) -> None:
    """A fact that has another value since today is told with both; rules and older facts are not."""
    assert said("What changed today?", ledger) == "Your team lead is now Mina, no longer Tom."


def test_what_is_new_is_told_beside_what_changed(ledger: Ledger) -> None:
    """Since yesterday there is a change and a new fact."""
    text = said("what changed since yesterday", ledger)
    assert "Mina, no longer Tom" in text
    assert "the old mill" in text
    assert "14" not in text


def test_a_day_without_changes_is_told_to_be_one(ledger: Ledger) -> None:
    """Nothing is listed for a day on which nothing was told."""
    found = from_facts("What changed today?", ledger, today="2026-03-05", similarity=None)
    assert found is not None
    assert found.text == "Nothing that I know of changed today."
