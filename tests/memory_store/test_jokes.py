"""What a message takes back itself is told nowhere."""

import pytest

from memory_store.jokes import is_taken_back, without_jokes
from memory_store.sentences import sentences
from memory_store.statements import extract


@pytest.mark.parametrize(
    "message",
    [
        "Just kidding: my uncle bought a castle. No he didn't, I'm only joking.",
        "My uncle lives in a castle. Just kidding!",
        "My uncle's name is Balthasar, haha, not really.",
        "Our plumber is Mr Wirth. No wait, I'm pulling your leg.",
        "I'm a sword swallower, only joking.",
        "Our plumber is Mr Wirth. It was just a joke.",
        "Our plumber is Mr Wirth. No, he isn't.",
    ],
)
def test_a_joke_tells_nothing(message: str) -> None:
    """Neither a fact, nor a sentence to be quoted alone as if it were true."""
    assert extract(message) == []
    assert [one.text for one in sentences(message)] == []
    assert is_taken_back(message)


def test_what_is_told_instead_of_a_joke_counts() -> None:
    """After `Kidding,` comes what is so, and what stood before the joke stays."""
    found = extract("My name is Jo. I live in Rio. Kidding, I live in Hanau.")
    assert [(s.attribute, s.value) for s in found] == [("name", "Jo"), ("live in", "Hanau")]


@pytest.mark.parametrize(
    "message",
    [
        "I'm not really hungry.",
        "He's not joking, we have to go.",
        "No, I don't eat meat.",
        "I like joking with my son.",
    ],
)
def test_words_of_joking_in_earnest_take_nothing_back(message: str) -> None:
    """They stand for themselves where they are no remark on what was said."""
    assert without_jokes(message) == message
