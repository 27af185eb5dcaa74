"""Words that people use for one another."""

import pytest

from daemon.recall import from_facts
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Me

- [favourite film] Solaris
- [boss] Ida Krogh
- [blood type] 0 negative
- [salary] 58k
- [dog] Bruno
- [tortoise] Gus
- [work as] joiner
- [flute teacher] Mr. Quist
- [router password] Heron31
"""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger.build([read_facts("facts/Me.md", parse(PAGE.encode()))])


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What's my favourite movie?", "Solaris"),
        ("Who do I report to?", "Ida Krogh"),
        ("Who is my manager?", "Ida Krogh"),
        ("What's my blood group?", "0 negative"),
        ("How much do I earn?", "58k"),
        ("Which pets do I have?", "Bruno"),
        ("Which pets do I have?", "Gus"),
        ("What do I do for a living?", "joiner"),
    ],
)
def test_another_word_for_a_fact_finds_it(question: str, value: str, ledger: Ledger) -> None:
    """A question is put in the words that the facts have, where its own are not known."""
    found = from_facts(question, ledger, today="2026-03-02", similarity=None)
    assert found is not None
    assert found.kind == "fact"
    assert value in found.text


@pytest.mark.parametrize("question", ["Who is my oboe teacher?", "What is the password of my laptop?"])
def test_what_is_only_of_the_sort_is_not_given(question: str, ledger: Ledger) -> None:
    """No word stands for another of the same sort."""
    found = from_facts(question, ledger, today="2026-03-02", similarity=None)
    assert found is None or found.kind == "near"


def test_what_is_asked_of_a_kind_is_asked_of_each_thing_of_it() -> None:
    """`Where does my sibling live` is no question which siblings there are."""
    page = b"# Me\n\n- [brother] Tom\n- [brother lives in] Ghent\n"
    found = from_facts(
        "Where does my sibling live?",
        Ledger.build([read_facts("facts/Me.md", parse(page))]),
        today="2026-03-02",
        similarity=None,
    )
    assert found is not None
    assert "Ghent" in found.text
