"""How far what is to be forgotten is what is asked."""

import pytest

from daemon.spoken import families
from daemon.wishes import MEASURED, MONEY, Wish
from memory_store.pleas import Plea


@pytest.mark.parametrize(
    ("what", "about", "meant"),
    [
        ("the combination of the strongbox", "What is the code of the strongbox?", True),
        ("my flat number", "What is my apartment number?", True),
        ("what I earn", "What is my salary?", True),
        ("the code of the strongbox", "What is the code of the gate?", False),
        ("the code of the key box", "When are the gates locked?", False),
    ],
)
def test_other_words_for_it_count(what: str, about: str, meant: bool) -> None:
    """A wish is met by other words for the same, but not by another thing of the kind."""
    share = Wish.of(Plea(what, 0, len(what))).share(families(about), len)
    assert (share >= 0.6) is meant


def test_where_a_thing_is_is_not_what_opens_it() -> None:
    """Of what was told before `it`, a question about the thing alone asks for something else."""
    wish = Wish.of(Plea("The combination of the strongbox is private", 0, 10, it=True))
    assert wish.share(families("Where is the strongbox?"), len) == 0.0
    assert wish.share(families("What is the combination of the strongbox?"), len) == 1.0


def test_an_amount_is_one_of_the_thing_that_is_named() -> None:
    """What a house is worth is not met by any sum that is told, only by one told of the house."""
    wish = Wish.of(Plea("the worth of her house", 0, 10))
    assert wish.share(families("The allowance is 349 euros.") | {MEASURED, MONEY}, len) == 0.0
    assert wish.share(families("I'll get 90,000 for the house.") | {MEASURED, MONEY}, len) == 1.0
