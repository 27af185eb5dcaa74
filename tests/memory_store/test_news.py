"""News of what one is and does, told without the name by which it is known."""

import pytest

from memory_store.fact_pages import read_facts
from memory_store.facts import FactChange
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import parse
from memory_store.statements import extract


@pytest.mark.parametrize(
    ("known", "message", "attribute", "before", "after"),
    [
        ("[grade] C2", "I was promoted to C3.", "grade", "C2", "C3"),
        ("[shoe size] 42", "I got promoted to head nurse.", "position", None, "head nurse"),
        ("[marathon best] 3:58", "I ran 3:41 in the marathon, a new best.", "marathon best", "3:58", "3:41"),
        ("[bench press best] 85kg", "I lifted 90kg, my new record.", "bench press best", "85kg", "90kg"),
    ],
)
def test_a_promotion_and_a_record_are_news(
    known: str, message: str, attribute: str, before: str | None, after: str
) -> None:
    """They change the fact of that name, or the only one with a value of its form; else they are one of their own."""
    ledger = Ledger.build([read_facts("facts/Me.md", parse(f"# Me\n\n- {known}\n".encode()))])
    statements = extract(message, known=Familiar.of(ledger))
    (change,) = changes(statements, ledger, today="2026-11-30", source=None).changes
    assert isinstance(change, FactChange)
    assert (change.attribute, change.before, change.after) == (attribute, before, after)
