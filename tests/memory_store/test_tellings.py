"""What clauses of any verb tell as facts."""

import pytest

from memory_store.statements import extract
from memory_store.tellings import tellings
from memory_store.verbs import sentence


def _told(text: str) -> dict[str, str | None]:
    return {t.said.attribute: t.said.value for t in tellings(text)}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Postage within the island takes two days.", {"Postage within the island takes": "two days"}),
        ("The herb garden is managed by Ida.", {"herb garden managed by": "Ida"}),
        ("Ida makes the soup on Fridays.", {"makes the soup on Fridays": "Ida"}),
        ("We swim with Coach Bell on Mondays.", {"swim with": "Coach Bell", "swim on": "Mondays"}),
        ("The crates are kept in the barn, which costs 40 francs a month.", {"crates kept in": "the barn", "barn costs": "40 francs a month"}),
        ("Ben does the drawings and Kat handles the permits.", {"does the drawings": "Ben", "handles the permits": "Kat"}),
        ("Our office is open for 15 hours a week.", {"office open for": "15 hours a week"}),
        ("The twins are allergic to wasps.", {"twins allergic to": "wasps"}),
        ("The night crew has its break at midnight.", {"night crew's break": "midnight"}),
        ("We give a guarantee of two years on new tyres.", {"guarantee on new tyres": "two years"}),
        ("The safe opens with 20-11-4.", {"safe opens with": "20-11-4"}),
        ("Postage has gone up to 9 francs.", {"Postage": "9 francs"}),
        ("Nina's aunt Carol is marrying us.", {"marrying us": "Nina's aunt Carol"}),
    ],
)  # fmt: skip
def test_a_clause_of_any_verb_tells_its_parts(text: str, facts: dict[str, str]) -> None:
    """Whatever the verb, what it is told of and how makes the attribute, and what is telling the value as written."""
    assert _told(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "If we end up late, the guests are riding over in vans.",
        "When the mill is shut we're grinding at Tolle's.",
        "Practice is at six unless it rains.",
        "In case the shift begins at another hour, lunch moves to two.",
        "The kiln doesn't run on Sundays.",
        "Perhaps the ferry leaves at nine.",
        "The ferry would leave at nine.",
        "Paint the shed in blue.",
        "Where does the ferry leave from?",
        "A kiln is an oven.",
    ],
)
def test_what_is_supposed_asked_or_denied_tells_nothing(text: str) -> None:
    """Conditions and what they govern, tasks, questions, negations and definitions state nothing."""
    assert _told(text) == {}


def test_no_value_runs_on_into_the_next_clause() -> None:
    """What follows `and` with a subject and verb of its own is told for itself."""
    told = {s.attribute: s.value for s in extract("Kim moved to Lyon and Omar produces us now.")}
    assert told == {"produces us": "Omar"}


@pytest.mark.parametrize(
    "text",
    [
        "On Mondays I tutor Greta.",
        "I coach Greta.",
        "I swapped my Sunday shift with Greta.",
        "We exchanged our day off with Omar.",
    ],
)
def test_what_one_does_with_somebody_is_not_who_they_are(text: str) -> None:
    """Whom one teaches is no tutor of one's own, and with whom one swaps a shift is no shift."""
    assert not [
        s
        for s in extract(text)
        if s.value in ("Greta", "Omar") and sentence(s.attribute or "", s.value).startswith("Your")
    ]


def test_of_what_one_has_some_for_something_that_is_not() -> None:
    """Two tickets for the play are no play."""
    assert "play" not in {s.attribute for s in extract("I have two tickets for the play.")}


@pytest.mark.parametrize(
    ("attribute", "value", "said"),
    [
        ("cheese ages for", "six weeks", "Your cheese ages for six weeks"),
        ("garden watered", "twice a day", "Your garden is watered twice a day"),
        ("twins allergic to", "wasps", "Your twins are allergic to wasps"),
        ("code for the shed", "7719", "Your code for the shed is 7719"),
        ("Ida has piano lessons on", "Fridays", "Ida has piano lessons on Fridays"),
        ("hate", "liver", "You hate liver"),
        ("weigh", "80 kilos", "You weigh 80 kilos"),
        ("Ida owes", "50 euros", "Ida owes you 50 euros"),
        ("sing", "bass", "You sing bass"),
        ("lent Ida", "the drill", "You lent Ida the drill"),
        ("rent out", "two rooms", "You rent out two rooms"),
        ("Ms. Lund pays", "310 a month", "Ms. Lund pays 310 a month"),
        ("Opening hours", "8 to 12", "Your opening hours are 8 to 12"),
        ("essay due on", "2 May", "Your essay is due on 2 May"),
        ("son wears size", "31 shorts", "Your son wears size 31 shorts"),
        ("meeting with the dean", "Friday at four", "Your meeting with the dean is Friday at four"),
        ("lift's inspection runs out on", "3 May", "Your lift's inspection runs out on 3 May"),
        ("makes the soup on Fridays", "Ida", "Ida makes the soup on Fridays"),
    ],
)
def test_such_a_fact_reads_as_a_sentence(attribute: str, value: str, said: str) -> None:
    """An attribute made of any verb is told back as a plain sentence."""
    assert sentence(attribute, value) == said
