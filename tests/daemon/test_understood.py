"""What is said to words that no reader understood, where no model may answer."""

import pytest

from daemon import speech
from daemon.understood import CANNOT_DO, NO_COMMAND, NOT_LISTED, WHOLE_QUESTION, plainly


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("hanna went off to the seaside", speech.KEPT),
        ("the cellar smells", speech.KEPT),
        ("I feel sad today", speech.KEPT),
        ("remember that the ladder is behind the shed", speech.KEPT),
        ("please keep in mind that Ola is away", speech.KEPT),
        ("moved the ladder to the barn", speech.KEPT),
        ("If the weather is bad, we cancel the picnic.", speech.KEPT),
        ("/help", NO_COMMAND),
        ("Why?", WHOLE_QUESTION),
        ("and how much?", WHOLE_QUESTION),
        ("Put the kettle on.", CANNOT_DO),
        ("Take the rice off the shopping list.", NOT_LISTED),
        ("Clear the shopping list.", NOT_LISTED),
        ("remind me at five to call the plumber", CANNOT_DO),
    ],
)
def test_what_became_of_words_is_said_in_one_line(words: str, said: str) -> None:
    """A telling is kept, an order cannot be followed, a bare question word asks nothing: no model babbles about it."""
    assert plainly(words) == said


@pytest.mark.parametrize(
    "words",
    ["Write me a limerick", "tell me a joke", "I want a poem about rain", "translate this: good day", "Is rain wet?"],
)
def test_what_a_model_can_do_at_all_is_left_to_it(words: str) -> None:
    """To talk and to write is for a model, however small."""
    assert plainly(words) is None
