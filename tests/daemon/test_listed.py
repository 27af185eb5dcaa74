"""What stands on a list, read from facts."""

import pytest

from daemon.account import Account
from daemon.heard import weighed
from daemon.listed import on_the_list
from daemon.spoken import Utterance
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = b"""# Us

- [shopping list] milk (since 2026-03-01)
- [shopping list] eggs (since 2026-03-02)
- [packing list for Oban] torch (since 2026-03-03)
- [list price] 40 euros (since 2026-03-03)

## Past

- [wish list] lamp (2026-03-01 to 2026-03-04)
"""
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE))])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What's on the shopping list?", "On your shopping list: milk and eggs."),
        ("Show me my shopping list", "On your shopping list: milk and eggs."),
        ("Which things are still on my packing list?", "On your packing list for Oban: torch."),
        ("What is on my wish list now?", "Your wish list is empty."),
    ],
)
def test_a_list_is_read_out(question: str, told: str) -> None:
    """All that stands on it now, under its name, or that nothing does any more."""
    reply = on_the_list(question, LEDGER)
    assert reply is not None and (reply.kind, reply.text) == ("fact", told)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the shopping list?",
        "What is the list price?",
        "Where is my shopping list?",
        "What's on my reading list?",
    ],
)
def test_another_question_reads_no_list(question: str) -> None:
    """What only names a list, or one that nobody knows, is asked of others."""
    assert on_the_list(question, LEDGER) is None


def test_what_was_heard_of_a_list_counts_only_where_it_tells_more() -> None:
    """The page knows what was taken off; a sentence that puts on what no fact has knows better."""
    question = "What's on the shopping list?"

    def heard(*messages: str) -> Account:
        return Account("told", tuple(Utterance(text, "2026-03-09T09:00:00") for text in messages), several=True)

    direct = on_the_list(question, LEDGER)
    assert weighed(question, direct, heard("Shopping list: milk, eggs, tea.", "We got the tea."), LEDGER) == direct
    more = weighed(question, direct, heard("Shopping list: milk, eggs.", "Rice belongs on it too."), LEDGER)
    assert more is not None and more.kind == "passages"
