"""Greetings and thanks."""

import pytest

from daemon.courtesies import ABILITIES, ALL_RIGHT, GOODBYE, HELLO, WELCOME, courtesy


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("hi", HELLO),
        ("Hi there!", HELLO),
        ("Hello, reverie.", HELLO),
        ("good morning", HELLO),
        ("Good evening, how are you today?", HELLO),
        ("hey! what's up?", HELLO),
        ("Guten Morgen!", HELLO),
        ("How are you?", HELLO),
        ("who are you?", ABILITIES),
        ("What can you do?", ABILITIES),
        ("help", ABILITIES),
        ("Thanks!", WELCOME),
        ("ok thank you very much", WELCOME),
        ("Thanks for your help, bye!", WELCOME),
        ("danke", WELCOME),
        ("ok", ALL_RIGHT),
        ("Great!", ALL_RIGHT),
        ("never mind", ALL_RIGHT),
        ("bye", GOODBYE),
        ("Good night.", GOODBYE),
    ],
)
def test_courtesies_have_an_answer(words: str, said: str) -> None:
    """What is nothing but a courtesy, or asks what reverie is, is answered with one fixed sentence."""
    assert courtesy(words) == said


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Hi, my name is Ada.",
        "Hello world in Python, please",
        "Good morning is a song by whom?",
        "Thanks to Ben we won.",
        "How are you connected to the network?",
        "Help me write a poem",
        "Who are you going with?",
        "What do you do about slugs?",
        "ok, and who is my dentist?",
        "yes",
        "no",
        "Later I went home.",
    ],
)
def test_all_else_is_no_courtesy(words: str) -> None:
    """A greeting that goes on, or words that only begin like one, are left to memory and the model."""
    assert courtesy(words) is None
