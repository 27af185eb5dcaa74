"""Several questions in one message."""

import pytest

from daemon.recall import from_facts
from daemon.several import asked_apart
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [treasurer] Odile Brandt
- [choir rehearses at] St Bede's
- [hall rent] 80 euros a night
"""
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Who is our treasurer?", 1),
        ("Who is our treasurer, and where does the choir rehearse?", 2),
        ("Who is our treasurer and what does the hall cost?", 2),
        ("Who is our treasurer? Where does the choir rehearse?", 2),
        ("When and where do we meet?", 2),
        ("Who brings salt and pepper?", 1),
        ("Tell me everything about the choir and what it sings.", 1),
        ("Where do I live? I forgot.", 1),
    ],
)
def test_a_message_is_taken_for_as_many_questions_as_it_asks(text: str, questions: int) -> None:
    """An `and` before a question word begins another question; an `and` between things does not."""
    assert len(asked_apart(text)) == questions


def test_a_pronoun_of_the_second_question_is_whom_the_first_was_about() -> None:
    """`and when is her birthday` asks of whom the question before it asked."""
    assert asked_apart("Who is our treasurer and when is her birthday?")[1] == "when is our treasurer's birthday?"


def test_each_question_gets_its_answer() -> None:
    """Both halves of a message are answered, each from its own fact."""
    reply = from_facts("Who is our treasurer and where does the choir rehearse?", LEDGER, today="", similarity=None)
    assert reply is not None
    assert "Odile Brandt" in reply.text
    assert "St Bede's" in reply.text
    assert reply.kind == "fact"


def test_the_question_that_memory_cannot_answer_is_named() -> None:
    """Where one half is unknown, that is said of it, and the whole is not given as sure."""
    reply = from_facts("Who is our treasurer, and who tunes the organ?", LEDGER, today="", similarity=None)
    assert reply is not None
    assert "Odile Brandt" in reply.text
    assert "Nothing in memory answers “Who tunes the organ?”." in reply.text
    assert reply.kind == "unsure"
