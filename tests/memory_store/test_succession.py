"""Sentences that tell of another value in a known fact, whichever of the two values and of the name they give."""

import pytest

from memory_store.familiar import Familiar
from memory_store.succession import find_succession

FACTS = {"potter": "Ines Holt", "hosting provider": "Hilltop", "uncle lives in": "Turku", "live in": "Oulu"}


def _told(text: str) -> tuple[str, str] | None:
    familiar = Familiar()
    for attribute, value in FACTS.items():
        familiar.add(attribute, value)
    found = find_succession(text, familiar)
    return (found.attribute, found.value) if found else None


@pytest.mark.parametrize(
    "text",
    [
        "Ines Holt handed over the potter role to Leo Marsh.",
        "Ines passed the potter job on to Leo Marsh.",
        "Ines Holt gave up the potter role and Leo Marsh has it now.",
        "Leo Marsh takes Ines Holt's place as potter.",
        "Leo Marsh is stepping in for Ines as potter.",
        "They made Leo Marsh our new potter.",
        "Ines Holt is out, Leo Marsh is in as potter.",
        "It's no longer Ines Holt who's our potter, it's Leo Marsh.",
        "Not Ines Holt but Leo Marsh is our potter now.",
        "Ines Holt used to be our potter, now Leo Marsh is.",
        "Ines Holt was our potter until last week; now it's Leo Marsh.",
        "After Ines Holt left, Leo Marsh became potter.",
        "Leo Marsh, our new potter, started on Monday.",
        "The potter position went to Leo Marsh.",
        "There was a change of potter, from Ines Holt to Leo Marsh.",
        "Potter has changed, it's Leo Marsh.",
        "Ines Holt was succeeded by Leo Marsh.",
        "Ines moved away, so Leo Marsh is now the potter.",
        "We let Ines go and hired Leo Marsh as our potter.",
        "We have a new potter in Leo Marsh.",
        "Leo Marsh from Vaasa is our new potter.",
    ],
)
def test_who_takes_whose_place(text: str) -> None:
    """Handing over, stepping in, out and in, used to and now: the value that comes is the fact's."""
    assert _told(text) == ("potter", "Leo Marsh")


@pytest.mark.parametrize(
    "text",
    [
        "I've left Hilltop for Ridgenet.",
        "I dropped Hilltop in favour of Ridgenet.",
        "Hilltop is history, I'm at Ridgenet now.",
    ],
)
def test_the_old_value_names_the_fact(text: str) -> None:
    """A value that goes tells of which fact the one that comes is news."""
    assert _told(text) == ("hosting provider", "Ridgenet")


@pytest.mark.parametrize(
    "text",
    [
        "Our potter might be Leo Marsh next year.",
        "I wish our potter were Leo Marsh.",
        "Is the potter Leo Marsh now?",
        "I almost switched from Hilltop to Ridgenet.",
        "Our potter Ines Holt moved to Berlin.",
        "Ines met Leo Marsh.",
        "Our potter is no longer Ines Holt, she went to Berlin.",
        "My aunt moved from Oulu to Vaasa.",
        "We moved from Turku to Vaasa.",
    ],
)
def test_what_is_no_succession(text: str) -> None:
    """Doubts, wishes, questions, the moves of a person and other people's doings leave the fact as it is."""
    assert _told(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "My friend Oskar has a new potter, Leo Marsh.",
        "Tilda found another potter, some Leo Marsh from Vaasa.",
        "My sister got herself a new potter called Leo Marsh.",
        "Our postman's got a new hosting provider: Ridgenet.",
    ],
)
def test_what_another_has_got_is_theirs(text: str) -> None:
    """Somebody else's new potter is not the owner's, and nor is whoever has got one."""
    assert _told(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Ines Holt, our potter, moved to Vaasa.",
        "Our potter Ines has gone back to Turku.",
        "Ines Holt got into college after all, she's started in Vaasa.",
        "Our potter is studying in Tampere now.",
    ],
)
def test_where_somebody_went_takes_nobodys_place(text: str) -> None:
    """A place never becomes who does something."""
    assert _told(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Ines Holt leaves on Thursday and then Leo Marsh takes over as potter.",
        "Leo Marsh takes over from Ines Holt next month.",
        "Next week Leo Marsh steps in for Ines as potter.",
    ],
)
def test_what_is_to_come_is_not_so_yet(text: str) -> None:
    """Until the day that is told all is as it was."""
    assert _told(text) is None


def test_what_somebody_does_is_no_thing_of_that_name() -> None:
    """`I train` speaks of no train."""
    familiar = Familiar()
    familiar.add("train", "the 7:40")
    assert find_succession("I've changed gyms, I train at Ridgefit now.", familiar) is None
