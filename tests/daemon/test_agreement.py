"""Whether a fact answers the very thing that a question asks."""

import pytest

from daemon.agreement import agreement
from daemon.recall import from_facts
from daemon.wanted import wanted
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [car] a blue Skoda
- [Paolo's birthday] the 4th of May
- [work as] structural engineer
- [work at] Halden Bridges
- [choir rehearses at] St Bede's
- [tasting room managed by] Sylvie
- [rent] 900 euros a month
- [Deliveries take] three days
- [sister lives in] Lyon
- [partner] James
- [James] a joiner
- [airport] Skarnes
- [ticket costs] nine euros
- [door key] under the blue flowerpot
- [delivery window] 5 to 7 in the morning
- [lighting designer] Priya Menon
- [Crew] at the Hotel Averine
- [take to work] the number 4 tram
- [results come back within] two weeks
- [dentist] Dr Voss
- [bakery opens at] 7:30
- [ferry runs] every two hours
"""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("What car do we have?", "car"),
        ("What colour is our car?", "car"),
        ("When is Paolo's birthday?", "Paolo's birthday"),
        ("Where do I work?", "work at"),
        ("What do I work as?", "work as"),
        ("What is my job?", "work as"),
        ("What does James do?", "James"),
        ("Where does the choir rehearse?", "choir rehearses at"),
        ("Who manages the tasting room?", "tasting room managed by"),
        ("How much is the rent?", "rent"),
        ("How long does a delivery take?", "Deliveries take"),
        ("What's my partner's name?", "partner"),
        ("Which airport do we fly into?", "airport"),
        ("What does a ticket cost?", "ticket costs"),
        ("Where is the door key hidden?", "door key"),
        ("When is our delivery window?", "delivery window"),
        ("Which hotel does the crew stay at?", "Crew"),
        ("How do I get to work?", "take to work"),
        ("How quickly do results come back?", "results come back within"),
        ("Who is my dentist?", "dentist"),
        ("What time does the bakery open?", "bakery opens at"),
        ("How often does the ferry run?", "ferry runs"),
    ],
)
def test_what_is_asked_in_other_words_is_answered_surely(ledger: Ledger, question: str, attribute: str) -> None:
    """Asking words, the noun that a fact is named by, and other forms of its words do not count against it."""
    assert agreement(question, ledger.current(attribute)[0], ledger).verdict == "sure"


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Where is the car parked?", "car"),
        ("What is the registration of our car?", "car"),
        ("Who insures the car?", "car"),
        ("Where does Paolo work?", "Paolo's birthday"),
        ("Where do I work?", "work as"),
        ("Who conducts the choir?", "choir rehearses at"),
        ("When does the choir rehearse?", "choir rehearses at"),
        ("Where is the tasting room?", "tasting room managed by"),
        ("When is the rent due?", "rent"),
        ("Who is the rent paid to?", "rent"),
        ("Where does my sister work?", "sister lives in"),
        ("What is the name of my sister?", "sister lives in"),
        ("What does my partner do?", "partner"),
        ("Which lighting desk do we have?", "lighting designer"),
        ("How do I get to work?", "work at"),
        ("When does the bakery close?", "bakery opens at"),
        ("How much does the ferry cost?", "ferry runs"),
        ("Where is my dentist?", "dentist"),
        ("Where do I work out?", "work at"),
        ("What lighting do we use?", "lighting designer"),
    ],
)
def test_something_else_of_the_same_thing_is_no_answer(ledger: Ledger, question: str, attribute: str) -> None:
    """What a fact tells of the right thing answers nothing that it does not tell."""
    assert agreement(question, ledger.current(attribute)[0], ledger).verdict != "sure"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who waters the plants?", "person"),
        ("And where do we park?", "place"),
        ("At what time do we start?", "time"),
        ("How much is it?", "amount"),
        ("What does the hall cost?", "amount"),
        ("How many keys are there?", "count"),
        ("How long is the break?", "duration"),
        ("How often does the bus run?", "frequency"),
        ("What's the number of the account?", "code"),
        ("What's our staging URL?", "link"),
        ("Why did it change?", "reason"),
        ("Where do we get our flour?", "source"),
        ("What is our play this year?", "any"),
    ],
)
def test_a_question_word_says_what_kind_of_answer_it_wants(question: str, kind: str) -> None:
    """Who, where, when, how much and the noun behind what and which each want an answer of their kind."""
    assert wanted(question).kind == kind


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Who is the manager of the tasting room?", "tasting room managed by"),
        ("What does Sylvie manage?", "tasting room managed by"),
        ("Who caters for us?", "does our catering"),
        ("Who is our caterer?", "does our catering"),
    ],
)
def test_a_fact_is_read_as_the_clause_it_was_told_in(question: str, attribute: str) -> None:
    """Passive and active, and words of one family, say the same."""
    page = parse(f"{PAGE}- [does our catering] Pepperfield\n".encode())
    reply = from_facts(question, Ledger.build([read_facts("facts/Us.md", page)]), today="2026-12-01", similarity=None)
    assert reply is not None
    assert (reply.kind, reply.attributes) == ("fact", (attribute,))


def test_what_is_near_is_offered_as_no_more_than_that() -> None:
    """The nearest fact is told as what is known nearby, not as the answer."""
    reply = from_facts(
        "Where is the car parked?",
        Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))]),
        today="",
        similarity=None,
    )
    assert reply is not None
    assert reply.kind == "near"
    assert reply.text == "I don't know that. What I know near it: your car is a blue Skoda."


def test_the_hour_is_no_month_and_who_is_no_street() -> None:
    """What time asks for an hour, who for nobody's street, and how tall for no weight; a job is found by its noun."""
    page = (
        b"# Us\n\n- [Theo starts school in] August\n- [food bank] Canal Road\n- [weigh] 71 kilos\n- [work as] nurse\n"
    )
    ledger = Ledger.build([read_facts("facts/Us.md", parse(page))])

    def kind(question: str) -> str | None:
        found = from_facts(question, ledger, today="2026-03-02", similarity=None)
        return found.kind if found else None

    assert kind("What time does Theo start school?") == "near"
    assert kind("When does Theo start school?") == "fact"
    assert kind("Who runs the food bank?") == "near"
    assert kind("How tall am I?") in (None, "near")
    assert kind("What's my job?") == "fact"
