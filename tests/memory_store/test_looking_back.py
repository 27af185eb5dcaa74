"""Ties that are told before all that they tie is known."""

import pytest

from memory_store.familiar import Familiar
from memory_store.statements import extract


def _ties(message: str) -> list[tuple[str | None, str | None]]:
    return [(s.attribute, s.depends_on[0].name) for s in extract(message, known=Familiar()) if s.kind == "dependency"]


@pytest.mark.parametrize(
    ("message", "effect", "cause"),
    [
        (
            "My slot is Tuesday. Slots are handed out by the pool manager, and our manager is Ms. Hale.",
            "slot",
            "manager",
        ),
        (
            "Our mooring is Pier Lund. Our mooring fee is 90, and the fee is determined by the pier.",
            "mooring fee",
            "mooring",
        ),
        ("Our opening move is the Vienna. That's down to our trainer Ravi, who loves it.", "opening move", "trainer"),
        (
            "I have a cat called Momo. Our vet is Dr. Hahn. Momo eats Kittimix. The food is what the vet recommended.",
            "Momo eats",
            "vet",
        ),
    ],
)
def test_a_tie_is_read_with_what_the_rest_of_the_message_told(message: str, effect: str, cause: str) -> None:
    """What a thing hangs on may be named before it is told what that is, or in the same breath."""
    assert _ties(message) == [(effect, cause)]


def test_who_is_meant_is_told_beside_a_tie() -> None:
    """`Down to our trainer Ravi` tells also that the trainer is Ravi."""
    told = extract("Our opening move is the Vienna. That's down to our trainer Ravi, who loves it.")
    assert ("state", "trainer", "Ravi") in [(s.kind, s.attribute, s.value) for s in told]


@pytest.mark.parametrize(
    ("message", "cause", "case"),
    [
        ("If Ida Moor takes over as warden, the curfew will be 11 pm.", "warden", "Ida Moor"),
        ("Should I be moved to the night crew, my pay day will be Friday.", "crew", "night crew"),
        ("If I get cabin 12, the deposit will be 80 euros.", "cabin", "12"),
    ],
)
def test_a_rule_waits_for_being_moved_or_given(message: str, cause: str, case: str) -> None:
    """To be moved to a group, to be given a numbered thing, or somebody's taking over are events for rules."""
    found = [s for s in extract(message) if s.kind == "rule"]
    assert [(s.depends_on[0].name, s.trigger, s.when_value) for s in found] == [(cause, "is", case)]


@pytest.mark.parametrize(
    "message",
    [
        "Please make sure the password for the tennis site is deleted from your memory.",
        "Please remove the password for the tennis site from everything you know.",
    ],
)
def test_asked_to_see_to_it_that_it_is_forgotten(message: str) -> None:
    """Seeing to it that something is deleted, and removing it from all that is known, are deletions."""
    assert [(s.kind, s.attribute) for s in extract(message)] == [("deletion", "password for the tennis site")]
