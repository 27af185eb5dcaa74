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


def test_news_that_is_announced_takes_its_value_from_the_next_sentence() -> None:
    """`My X has changed again. I work with V now.` tells which X it is, not a new kind of fact."""
    told = extract("My tandem pilot has changed again. I fly with Oksana now.", known=Familiar())
    assert [(s.kind, s.attribute, s.value) for s in told] == [("change", "tandem pilot", "Oksana")]


@pytest.mark.parametrize(
    ("message", "cause", "case"),
    [
        ("Rehearsal would start at 19:00 if we practised at the Barn.", "practise at", "the Barn"),
        ("If we go back to coal for heating, the supplier would be Ashdown.", "heating", "coal"),
    ],
)
def test_a_rule_waits_for_what_would_be(message: str, cause: str, case: str) -> None:
    """`If we practised at V` and `if we go back to V for NP` wait for that value."""
    found = [s for s in extract(message) if s.kind == "rule"]
    assert [(s.depends_on[0].name or s.depends_on[0].alias, s.when_value) for s in found] == [(cause, case)]


@pytest.mark.parametrize(
    ("message", "attribute"),
    [
        (
            'The bell over the gate has an inscription. Please memorise it literally: "Cast in a wet spring."',
            "inscription",
        ),
        ('Our club rules end with a sentence I want to keep as it is: "Bring back what you borrowed."', "club rules"),
        ('My coach once told me something I want to keep verbatim: "Breathe before you turn."', "what coach told"),
        ('The label on my jam says, exactly: "Plums, sugar and patience." Please keep it.', "label on my jam"),
    ],
)
def test_a_text_is_called_by_where_it_stands_or_who_said_it(message: str, attribute: str) -> None:
    """A text kept word for word that has no name of its own is found by its place or its speaker."""
    assert [(s.kind, s.attribute) for s in extract(message)] == [("verbatim", attribute)]


def test_a_mood_of_somebody_named_is_no_fact() -> None:
    """`Momo is still nervous` tells how Momo is today."""
    assert extract("Momo is still nervous.") == []


@pytest.mark.parametrize(
    ("message", "attribute", "value"),
    [
        ("The combination of the bike lock is 7731. How do I oil it?", "combination of the bike lock", "7731"),
        ("The password for the club's ticket site is otterden.", "password for the club's ticket site", "otterden"),
        ("The director of the show is Petra Oum.", "director of the show", "Petra Oum"),
    ],
)
def test_a_code_or_a_part_of_what_is_ours_counts_without_my(message: str, attribute: str, value: str) -> None:
    """Codes are told by those whose they are, and `of the show` is of the show one has spoken of."""
    known = Familiar()
    known.add("hobby", "theatre")
    told = [s for s in extract(message, known=known) if not s.echo]
    assert [(s.attribute, s.value) for s in told] == [(attribute, value)]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Please delete Momo's chip number.", ("deletion", "Momo's chip number", None)),
        ("The workshop has a new tenant, Ms. Grau.", ("change", "tenant", "Ms. Grau")),
        ("If the boiler is replaced by a heat pump, the bill will be 40 euros.", ("rule", "bill", "40 euros")),
        ("If I start fencing as my sport, my trainer will be Aldous.", ("rule", "trainer", "Aldous")),
        ("If the captain changes, our colour will be red. For now it is ochre.", ("state", "colour", "ochre")),
        ("My yarn is wool and the needle size is 4.", ("state", "needle size", "4")),
    ],
)
def test_plain_sentences_of_several_kinds(message: str, told: tuple[str, str, str | None]) -> None:
    """Bare possessives, new holders, replacements, `start V as my NP`, `for now it is V` and a second clause are read."""
    assert told in [(s.kind, s.attribute, s.value) for s in extract(message, known=Familiar())]
