"""Sentences that name two known facts and say that one hangs on the other, in the many ways in which people do."""

import pytest

from memory_store.familiar import Familiar
from memory_store.hanging import Hanging, find_hanging

FACTS = {
    "potter": "Ines Holt",
    "glaze": "celadon",
    "kiln": "Nabertherm",
    "clay supplier": "Westerwald Clays",
    "market day": "Thursday",
    "start at": "half past seven",
    "rehearse in": "St Aldhelm's hall",
}


def _hanging(text: str) -> list[Hanging]:
    familiar = Familiar()
    for attribute, value in FACTS.items():
        familiar.add(attribute, value)
    return find_hanging(text, familiar)


@pytest.mark.parametrize(
    "text",
    [
        "Our glaze hinges on who our potter is.",
        "The glaze goes with the potter.",
        "The glaze comes down to the potter.",
        "The glaze is set by the potter.",
        "The glaze was picked to match the potter.",
        "The glaze is the potter's call.",
        "The glaze is whatever the potter wants.",
        "The potter gets to pick the glaze.",
        "It's the potter who picks the glaze.",
        "Whoever our potter is decides the glaze.",
        "My potter recommended the glaze.",
        "The glaze came recommended by the potter.",
        "We chose the glaze for the potter.",
        "The glaze only makes sense with the potter.",
        "The glaze is part of the deal with the potter.",
        "We only use that glaze because the potter told us to.",
        "Without the potter there'd be no glaze.",
        "If it weren't for the potter, the glaze would be something else.",
        "As long as the potter stays, the glaze stays.",
        "So long as we keep our potter, the glaze won't change.",
        "The glaze holds until we get another potter.",
        "A different potter means a different glaze.",
        "Change the potter and the glaze has to change too.",
        "The moment we lose our potter the glaze is useless.",
        "Unless the potter stays the same, the glaze won't.",
        "The glaze won't survive a change of potter.",
        "With another potter, the glaze would be different.",
        "When we change potters I'd have to redo the glaze.",
        "If the potter changed I honestly don't know what we'd do for a glaze.",
        "Depending on the potter, the glaze can be different.",
        "For the glaze, it all comes down to the potter.",
        "The glaze it depend of the potter.",
        "The glaze isn't set in stone, it depends on the potter.",
        "Glaze and potter go together.",
        "If Ines Holt ever leaves, no clue about the glaze.",
    ],
)
def test_what_hangs_on_what(text: str) -> None:
    """In whatever order the two are named, the one that hangs on the other becomes `?` when that changes."""
    assert _hanging(text) == [Hanging("glaze", "potter")]


@pytest.mark.parametrize(
    "text",
    [
        "The glaze doesn't depend on the potter.",
        "The glaze has nothing to do with the potter.",
        "Does the glaze depend on the potter?",
        "What happens to the glaze if the potter changes?",
        "The potter likes the kiln.",
        "If the potter is ill, the glaze waits.",
        "The potter dropped the kiln.",
    ],
)
def test_two_names_alone_are_no_tie(text: str) -> None:
    """Two facts named together, in a question, or with a denial between them, do not hang on each other."""
    assert _hanging(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "If the potter changes, the glaze will be Tenmoku.",
        "Tenmoku will be the glaze if the potter changes.",
        "Tenmoku becomes glaze once we have a new potter.",
        "With a new potter, Tenmoku would be the glaze.",
        "A new potter means Tenmoku as glaze.",
        "Should the potter change, Tenmoku becomes glaze.",
        "Were the potter to change, the glaze would be Tenmoku.",
        "After a change of potter, the glaze is going to be Tenmoku.",
        "In case of a new potter, Tenmoku is the glaze.",
        "If ever the potter goes, Tenmoku steps in as glaze.",
        "If the potter changes we make Tenmoku our glaze.",
        "Changing the potter would make Tenmoku our glaze.",
        "A change of potter moves the glaze to Tenmoku.",
        "If somebody else becomes potter, Tenmoku will be the glaze.",
        "If we lose Ines Holt as potter, Tenmoku is the glaze.",
        "Our plan: if the potter changes, Tenmoku is glaze.",
        "If the potter change, glaze will be Tenmoku.",
        "New potter, then Tenmoku as glaze.",
    ],
)
def test_what_becomes_of_it_when_the_other_changes(text: str) -> None:
    """A rule is read whole: what waits, for a change of what, and which value it takes."""
    assert _hanging(text) == [Hanging("glaze", "potter", becomes="Tenmoku")]


@pytest.mark.parametrize(
    "text",
    [
        "If Leo Marsh becomes potter, the glaze will be Tenmoku.",
        "With Leo Marsh as potter, the glaze would be Tenmoku.",
        "Once Leo Marsh is potter, we'll move the glaze to Tenmoku.",
        "Should Leo Marsh become potter, the glaze is Tenmoku.",
        "The glaze will be Tenmoku if the potter is Leo Marsh.",
        "If it's Leo Marsh for potter, the glaze is Tenmoku.",
        "If we end up with Leo Marsh as potter, then the glaze is Tenmoku.",
    ],
)
def test_a_rule_may_wait_for_a_value(text: str) -> None:
    """A condition that names a value waits for that value, not for any change."""
    assert _hanging(text) == [Hanging("glaze", "potter", "is", "Leo Marsh", "Tenmoku")]


def test_a_fact_known_by_a_verb_is_named_by_a_noun_or_by_its_value() -> None:
    """`the start time` is what we start at, and leaving a place that we rehearse in is a change of it."""
    assert _hanging("Should we ever have to leave St Aldhelm's, the start time would be six.") == [
        Hanging("start at", "rehearse in", becomes="six")
    ]


def test_two_facts_may_hang_on_one() -> None:
    """Both of two facts joined by `and` hang on what is named once."""
    assert _hanging("The glaze and the kiln both depend on the potter.") == [
        Hanging("glaze", "potter"),
        Hanging("kiln", "potter"),
    ]
