"""How far what was told later tells that what was only supposed came true."""

import pytest

from daemon.fulfilled import Told, how_told, supposed
from daemon.relevance import Relevance
from daemon.spoken import Said, Utterance


def tells(news: str, what: str) -> Told:
    """How far *news* tells *what* was supposed, by words alone."""
    said = [Said(news, Utterance(news, "2026-05-01"), 0)]
    return how_told(what, frozenset(), said, Relevance(said, None))


@pytest.mark.parametrize(
    ("condition", "message", "what"),
    [
        ("If the dredger breaks down", "", "the dredger breaks down"),
        ("and should she retire", "Berit tunes the organ, and should she retire", "Berit retire"),
        ("With any other tuner", "", "With any other tuner"),
        ("once they move out", "The tenants are loud. once they move out", "they move out"),
    ],
)
def test_what_is_supposed_names_whom_it_speaks_of(condition: str, message: str, what: str) -> None:
    """The cue is left out, and a pronoun stands for the last name before it, where there is one."""
    assert supposed(condition, message) == what


def test_what_came_true_is_told_in_the_same_words() -> None:
    """An event that was supposed is told by its verb and by whom it befell; anything else of them tells less."""
    true = tells("Berit moved to Oslo in May.", "Berit moves to Oslo")
    other = tells("Berit bought a new coat.", "Berit moves to Oslo")
    assert true.parts == 1.0
    assert other.parts < 0.5
    assert true.words > other.words


@pytest.mark.parametrize(
    "news", ["Nobody gave us a piano.", "They haven't given us a piano.", "Still no piano was given to us."]
)
def test_what_is_denied_did_not_come_true(news: str) -> None:
    """News that it is not so is told apart from news that it is."""
    assert tells(news, "somebody gives us a piano").denied
    assert not tells("The school gave us a piano.", "somebody gives us a piano").denied


@pytest.mark.parametrize(
    "news",
    ["Berit is thinking about maybe moving to Oslo.", "Berit plans to move to Oslo.", "Berit might move to Oslo."],
)
def test_what_is_only_thought_of_did_not_come_true(news: str) -> None:
    """Plans, wishes and chances are no events."""
    assert tells(news, "Berit moves to Oslo").denied


def test_an_end_that_is_denied_did_not_come() -> None:
    """Where an end was supposed, news that it did not come denies it; that somebody is no more with us does not."""
    assert tells("Berit didn't quit.", "Berit quits").denied
    assert not tells("Berit isn't in the choir now.", "Berit quits").denied


def test_that_somebody_does_no_more_is_no_denial_of_a_change() -> None:
    """Where another was supposed, that the one before is not it any more makes it true."""
    assert not tells("Berit isn't our tuner now.", "another tuner comes").denied


def test_what_befell_somebody_else_is_told_apart() -> None:
    """The same event of another is not the one that was supposed."""
    assert tells("Torben's sister got a cat.", "Berit gets a cat").of_another
    assert not tells("Berit got a cat.", "Berit gets a cat").of_another
