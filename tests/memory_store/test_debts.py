"""Who owes whom, and what is lent, in either direction."""

import pytest

from memory_store.debts import owed


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Hannah owes me 80 euros", "Hannah owes", "80 euros"),
        ("Hannah still owes me 80 euros for the window", "Hannah owes", "80 euros"),
        ("I still owe my brother £40", "owe brother", "£40"),
        ("I borrowed a drill from Mehmet", "borrowed from Mehmet", "drill"),
        ("We lent Ines our tent until Sunday", "lent Ines", "our tent"),
        ("I lent the ladder to Ines", "lent Ines", "the ladder"),
        ("Mehmet lent me his drill", "borrowed from Mehmet", "his drill"),
    ],
)
def test_what_is_owed_or_lent_stands_under_whom(text: str, attribute: str, value: str) -> None:
    """The fact names the other one, and holds what is owed."""
    said = owed(text)
    assert said is not None
    assert (said.attribute, said.value) == (attribute, value)


@pytest.mark.parametrize(
    "text", ["I owe you an apology", "He owes his success to luck", "I lent a hand to the crew", "She borrowed it"]
)
def test_what_is_no_debt(text: str) -> None:
    """Thanks, hands and other people's debts are not kept."""
    assert owed(text) is None
