"""Ways of saying that something is something else now, and when one does what one does."""

import pytest

from memory_store.rephrasing import rephrased
from memory_store.statements import extract


def _told(*messages: str) -> list[tuple[str, str | None, str | None]]:
    return [(s.kind, s.attribute, s.value) for message in messages for s in extract(message)]


@pytest.mark.parametrize(
    ("message", "attribute", "value"),
    [
        ("We went for ivory as the cover colour in the end.", "cover colour", "ivory"),
        ("I settled on a hatchback as my car.", "car", "hatchback"),
        ("We decided to go with gas for cooking after all.", "cooking", "gas"),
        ("Our desk colour has changed again, it's moss green now.", "desk colour", "moss green"),
        ("I gave my parrot a new name: Captain Beak.", "parrot", "Captain Beak"),
        ("Our umpire is no longer Joan but Priya.", "umpire", "Priya"),
        ("Mo finished his exams and Tessa replaced him as the trainee.", "trainee", "Tessa"),
        ("Ms. Adler has been replaced as our notary by Mr. Banks.", "notary", "Mr. Banks"),
        ("We have another drummer again: Zoltan.", "drummer", "Zoltan"),
    ],
)
def test_what_took_the_place_of_another_is_a_change(message: str, attribute: str, value: str) -> None:
    """However one says that it is something else now, it comes to a change of that thing to its new value."""
    assert [(s.kind, s.attribute, (s.value or "").removeprefix("a ")) for s in extract(message)] == [
        ("change", attribute, value)
    ]


@pytest.mark.parametrize(
    ("message", "attribute", "value"),
    [
        ("Hobbs & Daughters gave us the 3rd of May as the delivery date.", "delivery date", "the 3rd of May"),
        ("Our stair carpet will be wool.", "stair carpet", "wool"),
        ("I have a diploma in glass painting.", "diploma", "glass painting"),
        ("We use the workbook Open Doors.", "workbook", "Open Doors"),
        ("I go to school by bus 9.", "go to school by", "bus 9"),
        ("We live in the cottage on Mill Lane.", "live in", "the cottage on Mill Lane"),
    ],
)
def test_a_choice_or_a_possession_is_a_state(message: str, attribute: str, value: str) -> None:
    """What was agreed on, or is had or used under a name, is kept under what it is."""
    assert _told(message) == [("state", attribute, value)]


def test_a_time_told_first_does_not_hide_what_is_done_then() -> None:
    """`On weekends I volunteer at V` tells as much as `I volunteer at V on weekends`."""
    assert _told("On weekends I volunteer at the seal rescue.") == [
        ("state", "volunteer at", "the seal rescue"),
        ("state", "volunteer on", "weekends"),
    ]


@pytest.mark.parametrize(
    ("message", "attribute", "value"),
    [
        ("We moved to Alder Street on Saturday.", "live in", "Alder Street"),
        ("I was moved to the burns ward last week.", "ward", "burns ward"),
        ("I was moved to team Green.", "team", "team Green"),
    ],
)
def test_a_move_tells_where_to_and_not_when(message: str, attribute: str, value: str) -> None:
    """The day of a move is no part of the place, and a ward or a team is no place to live in."""
    assert _told(message) == [("change", attribute, value)]


@pytest.mark.parametrize(
    "text", ["My neighbour Gus has a new dog called Pixel", "Our builder has a new van called Daisy"]
)
def test_what_somebody_else_has_new_is_not_ours(text: str) -> None:
    """The new thing of a person is theirs; that of a club, or a printer, is the owner's."""
    assert rephrased(text) == text
    assert rephrased("Our club has a new mascot called Pixel") == "our mascot is now Pixel"
