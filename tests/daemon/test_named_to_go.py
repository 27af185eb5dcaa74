"""Which facts a request to forget means, where it calls none by its name."""

import pytest

from daemon.named_to_go import named_to_go
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [keypad on the tool chest] 2019
- [salary] 48,500
- [landlord] Mr. Voss
- [landlord's phone number] 0555 6120
- [shed code] 4127
- [gate code] 9035
- [brother owes] 12,000
"""
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


@pytest.mark.parametrize(
    ("words", "attribute"),
    [
        ("Please don't keep the keypad number of the tool chest any more.", "keypad on the tool chest"),
        ("What I earn is private. Don't keep it.", "salary"),
        (
            "I promised our landlord not to pass his phone number on. So out with it from your memory.",
            "landlord's phone number",
        ),
        ("I told you about my brother's debt, which was careless. Please wipe that.", "brother owes"),
    ],
)
def test_a_fact_is_meant_by_other_words_for_it(words: str, attribute: str) -> None:
    """By most of the words of its name, or by others that people use for these."""
    assert [fact.attribute for fact in named_to_go(words, LEDGER).facts] == [attribute]


def test_each_of_two_things_is_meant() -> None:
    """A request that names two facts means both."""
    found = named_to_go("Forget the shed code and the gate code, please.", LEDGER)
    assert [fact.attribute for fact in found.facts] == ["shed code", "gate code"]


def test_what_may_mean_several_means_none() -> None:
    """Where two facts are named equally well the owner is to be asked which."""
    found = named_to_go("Please delete that code from your notes.", LEDGER)
    assert found.facts == ()
    assert {"shed code", "gate code"} <= set(found.among)


def test_no_request_names_no_fact() -> None:
    """What asks for no forgetting takes nothing."""
    assert named_to_go("I forgot the shed code again.", LEDGER).facts == ()
