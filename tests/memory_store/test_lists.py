"""Lists kept by word of mouth: what is put on one, and taken off it."""

import pytest

from memory_store.lists import Listed, find_had, find_listed


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Add cinnamon to the shopping list.", Listed("shopping list", ("cinnamon",), False)),
        ("Please put oat milk, rice and the blue soap on my shopping list", Listed("shopping list", ("oat milk", "rice", "blue soap"), False)),
        ("Remove butter from the shopping list.", Listed("shopping list", ("butter",), True)),
        ("Can you take the tent off our packing list?", Listed("packing list", ("tent",), True)),
        ("Our shopping list: butter, eggs and milk", Listed("shopping list", ("butter", "eggs", "milk"), False)),
        ("The packing list has a tent and a stove.", Listed("packing list", ("tent", "stove"), False)),
    ],
)  # fmt: skip
def test_what_goes_on_a_list_and_off_it(text: str, listed: Listed) -> None:
    """Each thing for itself, under the list's own name."""
    assert find_listed(text) == listed


@pytest.mark.parametrize(
    "text",
    ["Put it on the list.", "The list is long.", "Add two numbers to the total.", "Remove everything from the list."],
)
def test_what_names_no_thing_and_no_list(text: str) -> None:
    """A pronoun, all of it, or no list at all change none."""
    assert find_listed(text) is None


def test_what_is_had_goes_off_its_list() -> None:
    """`We got the eggs` takes them off the list on which they stand; what stands on none changes none."""
    known = {"shopping list": ["butter", "eggs"], "car": ["a red Saab"]}
    assert find_had("We got the eggs.", known) == Listed("shopping list", ("eggs",), off=True)
    assert find_had("We got a red Saab.", known) is None
    assert find_had("We got home late.", known) is None
