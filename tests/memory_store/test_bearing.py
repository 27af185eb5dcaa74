"""What a sentence supposes is read by the facts that are known: which would have to change, which would follow."""

import pytest

from memory_store.bearing import bearings
from memory_store.cuts import cuts
from memory_store.ledger import Ledger
from memory_store.names import Names

FACTS = {
    "telescope serviced by": "Orrery & Daughters",
    "dome opens at": "8 pm",
    "tour costs": "£9",
    "director": "Imke Varga",
    "lecture": "comets",
    "run talks in": "the library",
    "star charts printed by": "Nightjar Press",
    "works the projector": "Jo",
    "host our catalogue on": "Skylark",
}


def _read(text: str, before: str = "") -> list[str]:
    names = Names(Ledger.build(()))
    for attribute, value in FACTS.items():
        names.add(attribute, "facts/Us.md", [value])
    found: list[str] = []
    told: list[str] = []
    for ways in cuts(text, before):
        for one in bearings(ways, before, told, names) or ():
            told += [one.cause.attribute, one.effect.attribute]
            event = f"{one.cause.attribute} {one.trigger}" + (f" {one.value}" if one.value else "")
            found.append(f"{event} > {one.effect.attribute}: {one.becomes}")
    return found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("If the director changes, the lecture will be auroras.", "director changes > lecture: auroras"),
        ("Should Imke ever step down, the lecture becomes auroras.", "director changes > lecture: auroras"),
        ("With another director, the dome would open at 9 pm.", "director changes > dome opens at: 9 pm"),
        (
            "The day somebody else services the telescope, a tour will cost £12.",
            "telescope serviced by changes > tour costs: £12",
        ),
        ("Any change of director means that the dome opens at 7 pm.", "director changes > dome opens at: 7 pm"),
        ("Whoever succeeds Imke, talks will be run in the annexe.", "director changes > run talks in: the annexe"),
        ("Get us off Skylark and a tour will cost £7.", "host our catalogue on changes > tour costs: £7"),
        ("Moving to any other host, we'd run talks in the annexe.", "host our catalogue on changes > run talks in: the annexe"),
        ("When it's not Jo on the projector, Ottla Reyes will print the star charts.", "works the projector changes > star charts printed by: Ottla Reyes"),
        ("If the dome opens at any other hour, talks will be run in the annexe.", "dome opens at changes > run talks in: the annexe"),
        ("If the star charts are ever printed by Penumbra, a tour will cost £8.", "star charts printed by is Penumbra > tour costs: £8"),
        ("If somebody else works the projector, I have no idea what the lecture would be.", "works the projector changes > lecture: None"),
    ],
)  # fmt: skip
def test_a_supposition_ties_the_facts_that_its_words_mean(text: str, told: str) -> None:
    """Cause, effect and new value are found whatever the form of the sentence."""
    assert _read(text) == [told]


def test_what_was_spoken_of_before_is_meant_by_pronouns() -> None:
    """`it` and `them` mean what the sentence before told."""
    before = "Talks are run in the library because Imke likes it there."
    assert _read("Under a new director they'd be held in the annexe.", before) == [
        "director changes > run talks in: the annexe"
    ]


def test_two_suppositions_in_one_sentence_are_two_rules() -> None:
    """`if …, …, and if …, …` gives both."""
    said = (
        "If the star charts are printed by Penumbra, a tour will cost £8, and if they are printed by Umbra, a tour will "
        "cost £7."
    )
    assert len(_read(said)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "If I ever won the lottery, I would buy a bigger telescope.",
        "If the director changes, the lecture stays the same.",
        "When I get home I make tea.",
        "If it rains, we get wet.",
        "I got a new lamp for Jo, and I want to make sure she's using it.",
        "With a different hat, you would look younger.",
    ],
)
def test_what_ties_no_known_facts_is_no_rule(text: str) -> None:
    """Wishes, and what follows from nothing that is known, give no rule."""
    assert _read(text) == []


def test_only_what_can_be_measured_changes_in_a_longer_value() -> None:
    """`tea in the hall at four` keeps the tea and the hall where only the hour is another."""
    names = Names(Ledger.build(()))
    names.add("director", "facts/Us.md", ["Imke Varga"])
    names.add("volunteers have", "facts/Us.md", ["their tea at 4 pm"])
    said = "With another director, the volunteers would have their tea at 5 pm."
    [one] = bearings(cuts(said)[0], "", [], names) or []
    assert one.becomes == "their tea at 5 pm"
