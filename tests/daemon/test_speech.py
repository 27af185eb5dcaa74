"""What the daemon says itself."""

import pytest

from daemon.context import Passage
from daemon.speech import (
    bearing,
    begins_as_ours,
    is_statement,
    noted,
    quoted,
    which_to_forget,
    without_confirmation,
)
from memory_store.facts import FactChange, Ref, Rule, RuleAdded

WORK = "facts/Work.md"


def test_what_was_noted_is_said_with_its_page_and_its_consequences() -> None:
    """Each change is one line that names the page; what follows by rule is one more."""
    change = FactChange(WORK, "team lead", "set", before="Tom Vega", after="Mina Olsen")
    follows = [
        FactChange(WORK, "weekly report recipient", "set", after="Priya Nair"),
        FactChange(WORK, "code reviewer", "unsure"),
    ]
    assert noted([change], follows) == (
        "Noted: your team lead is now Mina Olsen, no longer Tom Vega (facts/Work.md).\n"
        "So your weekly report goes to Priya Nair and your code reviewer is unsure now."
    )
    assert noted([FactChange(WORK, "city", "set", after="Porto")]) == "Noted: your city is Porto (facts/Work.md)."
    rule = Rule(Ref("team lead"), "changes", Ref("code reviewer"), None)
    assert noted([RuleAdded(WORK, rule)]) == (
        "Noted: when your team lead changes, your code reviewer becomes unsure (facts/Work.md)."
    )
    asked = noted([FactChange(WORK, "wifi password", "forget")])
    assert "Say 'yes, forget it'" in asked
    assert 'run: reverie forget "wifi password"' in asked  # for whom a conversation ends after one message


@pytest.mark.parametrize(
    ("attribute", "value", "said"),
    [
        ("allergic to", "penicillin", "you are allergic to penicillin"),
        ("live in", "Leeds", "you live in Leeds"),
        ("Nora's birthday", "3 May", "Nora's birthday is 3 May"),
        ("sister lives in", "Porto", "your sister lives in Porto"),
    ],
)
def test_what_was_noted_reads_as_a_sentence(attribute: str, value: str, said: str) -> None:
    """A fact is read back as a person would say it, whoever it is of."""
    assert noted([FactChange(WORK, attribute, "set", after=value)]) == f"Noted: {said} (facts/Work.md)."


def test_passages_are_quoted_with_their_places_or_not_at_all() -> None:
    """Only passages that hold half of what was asked are quoted, each with path and line; never a guess."""
    trailer = Passage("Boats.md", 3, 3, "The boat trailer is parked behind the barn.")
    other = Passage("Soup.md", 1, 2, "Leeks and potatoes.")
    assert bearing("Where is the boat trailer parked?", [other, trailer]) == [trailer]
    assert quoted([trailer]) == (
        "This is what your notes say:\n\n> The boat trailer is parked behind the barn.\n(Boats.md:3)"
    )
    assert bearing("Where is the boat trailer parked?", [other]) == []


@pytest.mark.parametrize(
    ("words", "states"),
    [
        ("He is a pilot and lives in Oslo.", True),
        ("I'm a bit tired today.", True),
        ("Ben works nights.", True),
        ("Tell me a joke", False),
        ("I want you to write a poem", False),
        ("Hello there", False),
        ("Is it late?", False),
    ],
)
def test_a_plain_statement_is_told_from_talk(words: str, states: bool) -> None:
    """What states something gets a line on what became of it, which an untrusted model might invent."""
    assert is_statement(words) is states


def test_a_confirmation_is_ours_alone() -> None:
    """A head that reads as ours is seen, or not yet, and taken away."""
    assert [begins_as_ours(text) for text in (" Not", "noted: x", "Notes", "")] == [None, True, False, None]
    assert without_confirmation("Noted: Noted: he sails.") == "he sails."


def test_a_fact_of_another_name_is_offered_and_not_forgotten() -> None:
    """Where only a fact of a shorter name is known, the owner is told how to name it."""
    assert "your email address" in which_to_forget(["email address"])
    assert which_to_forget(["a", "b"]) == "Which shall I forget: a or b?"


@pytest.mark.parametrize(
    ("words", "states"),
    [
        ("Somebody told me that the library may move.", True),
        ("Rumour has it that the ferry stops in May.", True),
        ("Somebody help me with a letter", False),
        ("Did somebody say that the library moves?", False),
    ],
)
def test_hearsay_is_acknowledged_without_a_model(words: str, states: bool) -> None:
    """What others are said to say is stated, and needs no model to be kept."""
    assert is_statement(words) is states
