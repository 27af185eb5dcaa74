"""Whether a fact is about whom and about what a question asks."""

import pytest

from daemon.answer import answer
from daemon.subjects import in_first_person, is_about, is_of_somebody_known, is_of_the_owner, names_somebody
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Me

- [favourite colour] green
- [live in] Leeds
- [team lead] Arno
- [husband] Ben
- [gym] PureGym
- [Nora's birthday] 3 May
- [sister lives in] Porto
- [brother] Sam
- [dog] Rex
- [weekly report goes to] Priya
- [work at] Shell
- [name] Clara
- [deadline] Friday
- [guest wifi password] heron
- [report to] Ann
"""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return Ledger.build([read_facts("facts/Me.md", parse(PAGE.encode()))])


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("What is Ben's favourite colour?", "favourite colour"),
        ("Where does Sam live?", "live in"),
        ("Where does Sam live?", "sister lives in"),
        ("Where does my sister live?", "live in"),
        ("Who's my team lead's boss?", "team lead"),
        ("Where does Ben work?", "husband"),
        ("Where does Ben work?", "work at"),
        ("What is my favourite food?", "favourite colour"),
        ("When do I go to the gym?", "gym"),
        ("When is my birthday?", "Nora's birthday"),
        ("What's my dog's breed?", "dog"),
        ("Is Sam married?", "husband"),
        ("What is the office wifi password?", "guest wifi password"),
    ],
)
def test_a_fact_of_somebody_or_something_else_is_no_answer(ledger: Ledger, question: str, attribute: str) -> None:
    """Another person, another thing of the sort, or a name where a time was asked for, do not answer."""
    assert not is_about(question, attribute, ledger)


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("What is my favourite colour?", "favourite colour"),
        ("Where do I live?", "live in"),
        ("Which town do I live in?", "live in"),
        ("Where does my sister live?", "sister lives in"),
        ("Who is my team lead?", "team lead"),
        ("Who is Ben?", "husband"),
        ("What is my wife's name?", "husband"),
        ("Which gym do I go to?", "gym"),
        ("When is Nora's birthday?", "Nora's birthday"),
        ("What's my dog's name?", "dog"),
        ("What is my brother's name?", "brother"),
        ("Who does the weekly report go to?", "weekly report goes to"),
        ("Who is my employer?", "work at"),
        ("When is our deadline?", "deadline"),
        ("What's the wifi password?", "guest wifi password"),
        ("What's our office's guest wifi password?", "guest wifi password"),
        ("Who's my boss?", "report to"),
    ],
)
def test_the_fact_that_was_meant_answers(ledger: Ledger, question: str, attribute: str) -> None:
    """Their own words, a relation for a name, or a noun for a verb keep their answer."""
    assert is_about(question, attribute, ledger)


def test_a_topic_of_somebody_lists_what_names_them(ledger: Ledger) -> None:
    """Of a person only facts that name them are listed, and none where there is none."""

    def listed(question: str) -> str | None:
        reply = answer(question, ledger, today="2026-11-30", fits=lambda name: is_about(question, name, ledger))
        return reply and reply.text

    assert listed("What do you know about Ben?") == "husband: Ben."
    assert listed("What do you know about my sister?") == "sister lives in: Porto."
    assert listed("What do you know about Kim?") is None


def test_a_question_about_a_person_is_told_from_one_about_the_world() -> None:
    """What a model may know by itself is left to it; where somebody of the owner's lives is not."""
    assert all(map(names_somebody, ["Where does Sam live?", "What is Ben's job?", "Is my sister married?"]))
    assert not any(map(names_somebody, ["What is Kubernetes used for?", "Is Python fast?", "What's the time?"]))


def test_a_question_about_the_owner_is_told_from_how_things_are_done() -> None:
    """What somebody has, is or does, memory knows; how one does a thing, or what it takes, the world does."""
    of_the_owner = [
        "Where do I work out?",
        "List all vehicles I've had over time.",
        "What do I do in my free time? List everything you know.",
        "How often do we water the beds?",
    ]
    of_the_world = [
        "How do I get candle wax out of a tablecloth?",
        "What do I need for a risotto?",
        "Where can I read about tides?",
        "Tell me everything about Napoleon.",
    ]
    assert all(map(is_of_the_owner, of_the_owner))
    assert not any(map(is_of_the_owner, of_the_world))


@pytest.mark.parametrize("value", ["half past seven", "teatime", "quarter to nine", "8 o'clock"])
def test_a_time_in_words_answers_when(value: str) -> None:
    """A time of day need have no figure."""
    ledger = Ledger.build([read_facts("facts/Me.md", parse(f"# Me\n\n- [rehearsals start at] {value}\n".encode()))])
    assert is_about("When do our rehearsals start?", "rehearsals start at", ledger)


def test_whoever_facts_tell_of_is_known(ledger: Ledger) -> None:
    """A question about somebody known is never the world's; one about a place where the owner lives may be."""
    asked = ("Does Ben snore?", "Has Nora a bike?", "Is Leeds big?", "Does Einstein snore?", "Does it rain?")
    assert [is_of_somebody_known(question, ledger) for question in asked] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("What is the user's shoe size?", "What is my shoe size?"),
        ("Is the user allergic to nuts?", "Am I allergic to nuts?"),
        ("Where does the user live?", "Where do I live?"),
        ("Who drives the user home?", "Who drives me home?"),
        ("Where is my gym?", "Where is my gym?"),
    ],
)
def test_what_a_program_asks_of_the_user_is_asked_of_the_owner(ledger: Ledger, asked: str, meant: str) -> None:
    """A client's model speaks of its user where the owner would say I and my."""
    assert in_first_person(asked, None) == meant
    found = answer(in_first_person("What is the user's gym?", ledger), ledger, today="2026-06-01")
    assert found is not None
    assert "PureGym" in found.text


def test_where_facts_are_about_users_the_user_is_one_of_them() -> None:
    """In notes on a program its users are what they are called."""
    notes = Ledger.build([read_facts("facts/App.md", parse(b"# App\n\n- [user's default role] reader\n"))])
    asked = "What is the user's default role?"
    assert in_first_person(asked, notes) == asked
