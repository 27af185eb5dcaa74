"""Which questions the daemon answers itself, be it that it does not know, and which are left to a model."""

import pytest

from daemon.context import Block, Passage
from daemon.own_words import own_words
from daemon.recall import Recall
from daemon.speech import NOTHING
from daemon.telling import Told
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = "# Us\n\n- [live in] Leeds\n- [Otto] allergic to nuts\n- [rent] 900\n"
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])
TOLD = Passage("journal/2026/2026-12-01.md", 7, 7, "In our band I play the bass.", speaker="User")
RECALL = Recall(LEDGER, None, (TOLD,), Block(""))


@pytest.mark.parametrize(
    "question",
    [
        "Does Otto have a temper?",
        "How many people are in the band?",
        "Whose birthday is on the ninth?",
        "What don't I like?",
        "Who works for me?",
        "List all codes you know.",
        "collar size?",
    ],
)
def test_what_only_the_owner_could_know_is_not_left_to_a_model(question: str) -> None:
    """Where memory holds no answer about the owner, or whom and what they told of, a model would make one up."""
    own = own_words(question, RECALL, Told(), talks=False)
    assert own is not None
    assert (own.text, own.kind) == (NOTHING, "unknown")


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Peru?",
        "Is Leeds old?",
        "whats the capital of Peru",
        "any news?",
        "How do I learn to juggle?",
        "Does water boil at 90 degrees?",
    ],
)
def test_what_is_of_the_world_is_left_to_a_model(question: str) -> None:
    """General questions, and those for advice, are for a model, however small."""
    assert own_words(question, RECALL, Told(), talks=False) is None
