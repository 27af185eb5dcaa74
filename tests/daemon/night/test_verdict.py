"""How right an answer is, where what is right is known word for word."""

import pytest

from daemon.night.verdict import RIGHT, score


@pytest.mark.parametrize(
    ("answer", "gold", "right"),
    [
        ("Mina Olsen", "Mina Olsen", True),
        ("Your team lead is Mina Olsen.", "mina olsen", True),
        ("Tom Vega", "Mina Olsen", False),
        ("It came to 550 euros.", "550 euros", True),
        ("It came to 1,100 euros.", "550 euros", False),
        ("550 euros, or 1100 with the parts", "550 euros", False),
        ("Porto, then Riga, then Oslo", "Porto, Riga, Oslo", True),
        ("Riga, then Porto, then Oslo", "Porto, Riga, Oslo", False),
        ("I don't know", "unknown", True),
        ("Tuesday", "unknown", False),
        ("I don't know", "Tuesday", False),
        ("", "Tuesday", False),
        ("Yes, in May.", "yes", True),
        ("No.", "yes", False),
        ("He said that " + "and more " * 40 + "Tuesday", "Tuesday", False),
    ],
)
def test_answers_are_right_or_not(answer: str, gold: str, right: bool) -> None:
    """Wrapping is forgiven; other numbers, another order, guesses and floods of words are not."""
    assert (score(answer, gold) >= RIGHT) is right
