"""When a fact in other words than the question's is given as the answer."""

from collections.abc import Sequence

import numpy as np

from daemon.recall import as_question, from_facts
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = "# Me\n\n- [go to for workouts] Moss Gym\n- [hobby] pottery\n"
LEDGER = Ledger.build([read_facts("facts/Me.md", parse(PAGE.encode()))])


def near(some: Sequence[str], others: Sequence[str]) -> np.ndarray:
    """All that is about sport or leisure is near to each other, whatever its words."""
    groups = (("exercise", "gym"), ("free", "hobby", "leisure"))

    def of(text: str) -> list[bool]:
        return [any(word in text.lower() for word in group) for group in groups]

    return np.array([[0.85 * any(a and b for a, b in zip(of(x), of(y), strict=True)) for y in others] for x in some])


def ask(question: str) -> str | None:
    reply = from_facts(question, LEDGER, today="2026-11-30", similarity=near)
    return reply and reply.text


def test_what_the_owner_does_is_answered_in_other_words() -> None:
    """A question about the owner needs no word of the fact; a list of a topic neither."""
    assert ask("Where do I exercise?") == "You go to Moss Gym for workouts."
    assert "pottery" in (ask("What do I do in my free time? List everything you know.") or "")


def test_the_same_asked_of_the_world_is_not() -> None:
    """What is only near in meaning is no answer where the question is not about the owner."""
    assert ask("Where do athletes exercise?") is None
    assert ask("List everything about free jazz.") is None


def test_a_question_may_be_typed_in_haste() -> None:
    """Missing apostrophes of a question are put in, and the bare name of a fact asks for it; nothing else does."""
    asked = {
        "whats my dogs name": "what's my dog's name",
        "wheres the key": "where's the key",
        "Hobby": "Hobby?",
        "my hobby.": "hobby?",
        "hobby shops": "hobby shops",
        "what are my sisters": "what are my sisters",
        "my sisters name is Ola": "my sisters name is Ola",
    }
    assert {words: as_question(words, LEDGER) for words in asked} == asked
