"""Lists kept by word of mouth: what is put on one, and taken off it."""

import pytest

from memory_store.familiar import Familiar
from memory_store.lists import Listed, find_had, find_listed, find_moves
from memory_store.statements import extract


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Add cinnamon to the shopping list.", Listed("shopping list", ("cinnamon",), False)),
        ("Please put oat milk, rice and the blue soap on my shopping list", Listed("shopping list", ("oat milk", "rice", "blue soap"), False)),
        ("Remove butter from the shopping list.", Listed("shopping list", ("butter",), True)),
        ("Can you take the tent off our packing list?", Listed("packing list", ("tent",), True)),
        ("Our shopping list: butter, eggs and milk", Listed("shopping list", ("butter", "eggs", "milk"), False)),
        ("The packing list has a tent and a stove.", Listed("packing list", ("tent", "stove"), False)),
        ("Shopping list: milk, onions and dish soap.", Listed("shopping list", ("milk", "onions", "dish soap"), False)),
        ("My packing list for Oban: torch, scarf.", Listed("packing list for Oban", ("torch", "scarf"), False)),
        ("On our wish list are a lamp and the red rug.", Listed("wish list", ("lamp", "red rug"), False)),
        ("There's a lamp on our wish list.", Listed("wish list", ("lamp",), False)),
        ("The songs on my practice list are Blue Lanes and Tides.", Listed("practice list", ("Blue Lanes", "Tides"), False)),
        ("We've put a scarf on the packing list too, because it snows.", Listed("packing list", ("scarf",), False)),
        ("Mr. Dahl put the Waltz on my practice list, which is hard.", Listed("practice list", ("Waltz",), False)),
        ("Candles have been added to the shopping list.", Listed("shopping list", ("Candles",), False)),
        ("We've crossed the torch off the packing list, since Per has one.", Listed("packing list", ("torch",), True)),
        ("The lamp is off the wish list.", Listed("wish list", ("lamp",), True)),
    ],
)  # fmt: skip
def test_what_goes_on_a_list_and_off_it(text: str, listed: Listed) -> None:
    """Each thing for itself, under the list's own name."""
    assert find_listed(text) == listed


@pytest.mark.parametrize(
    "text",
    ["Put it on the list.", "The list is long.", "Add two numbers to the total.", "Put up a list of rules."],
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


KNOWN = {"shopping list": ["butter", "eggs"], "practice list": ["Waltz", "Tides"], "car": ["a red Saab"]}


@pytest.mark.parametrize(
    ("text", "spoken_of", "moves"),
    [
        ("Add rice to it.", "shopping list", [Listed("shopping list", ("rice",), False)]),
        ("Put honey on too.", "shopping list", [Listed("shopping list", ("honey",), False)]),
        ("Put honey on too.", "", []),
        (
            "I can play the Waltz now, so we've taken it off my practice list.",
            "",
            [Listed("practice list", ("Waltz",), True)],
        ),
        ("I do planks now, so put those on my home plan, please.", "", [Listed("home plan", ("planks",), False)]),
        ("In its place we've put the Jig on it.", "practice list", [Listed("practice list", ("Jig",), False)]),
        ("Clear the shopping list.", "", [Listed("shopping list", ("butter", "eggs"), True)]),
        ("Take everything off the shopping list.", "", [Listed("shopping list", ("butter", "eggs"), True)]),
        (
            "Take the eggs off the shopping list and put milk on it.",
            "",
            [Listed("shopping list", ("eggs",), True), Listed("shopping list", ("milk",), False)],
        ),
    ],
)
def test_it_is_what_was_spoken_of(text: str, spoken_of: str, moves: list[Listed]) -> None:
    """A pronoun means the list of which the talk was, or the thing that was named before it."""
    assert list(find_moves(text, KNOWN, spoken_of)) == moves


def test_the_list_is_the_only_one_of_its_name() -> None:
    """What is called after its purpose once may be called the list, or by its kind alone, after that."""
    known = {"packing list for Oban": ["torch"]}
    assert find_moves("Take the torch off the list.", known) == (Listed("packing list for Oban", ("torch",), True),)
    assert find_moves("Add a scarf to the packing list.", known) == (
        Listed("packing list for Oban", ("scarf",), False),
    )


def test_the_list_spoken_of_is_that_of_the_sentence_before() -> None:
    """In one message `it` needs no name."""
    known = Familiar()
    known.add("set list", "Tides")
    found = extract("We've struck Tides off the set list. We've put Blue Lanes on it in its place.", known=known)
    assert [(one.kind, one.attribute, one.old, one.value) for one in found] == [
        ("end", "set list", "Tides", None),
        ("add", "set list", None, "Blue Lanes"),
    ]
