"""Several cases told in one message, and which of them holds."""

import pytest

from daemon.cases import cases_of, condition_in, has_ended, holding, other, outcome


def texts(message: str) -> list[str]:
    """The cases that *message* tells apart, as they stand."""
    return [case.text for case in cases_of(message)]


def test_cases_that_begin_with_what_names_them():
    """A condition told first keeps what follows from it, also where the later ones are shortened."""
    assert texts("Berths: with a keel over 2 metres, the fee is 90 euros; with a keel under, it is 60 euros.") == [
        "with a keel over 2 metres, the fee is 90 euros",
        "with a keel under, it is 60 euros.",
    ]


def test_cases_whose_condition_comes_last():
    """What only the first says in full, the others may leave out."""
    assert texts("The hall costs 40 a night with Corvin, 55 with Ostrid and 70 with Pell.") == [
        "The hall costs 40 a night with Corvin",
        "55 with Ostrid",
        "70 with Pell.",
    ]


def test_one_preposition_before_each_case():
    """Cases need no word of condition where each begins alike."""
    assert texts("The flag tells the course: at flag blue, we row upstream; at flag white, we row downstream.") == [
        "at flag blue, we row upstream",
        "at flag white, we row downstream.",
    ]


def test_what_stands_before_an_exception_is_a_case_of_its_own():
    """What is told plainly holds as long as the exception does not."""
    cases = cases_of("Ida locks up at nine, while anybody else locks up at ten.")
    assert [(case.text, case.is_named, case.is_other) for case in cases] == [
        ("Ida locks up at nine", False, False),
        ("anybody else locks up at ten.", True, True),
    ]


@pytest.mark.parametrize(
    "message",
    [
        "Lunch was great and we met Peter.",
        "The boat is moored at the west jetty, next to the crane.",
        "We walked with Ida.",
        "If it rains we stay in.",
    ],
)
def test_one_case_is_no_choice(message: str):
    """A message that tells of fewer than two cases tells of none."""
    assert cases_of(message) == ()


def test_the_case_that_is_named_holds():
    """A name tells a case by itself; a number or a word only with one more word of it."""
    cases = cases_of("The hall costs 40 a night with Corvin, 55 with Ostrid and 70 with Pell.")
    held = holding(cases, "The hall is now run by Ostrid.")
    assert held is not None and held.text == "55 with Ostrid"
    assert holding(cases, "I bought 70 tulips.") is None
    assert holding(cases, "Corvin had tea with Pell.") is None


def test_a_case_told_by_a_name_is_told_by_nothing_else():
    """Another word of the condition is no news of it."""
    cases = cases_of("As long as our printer is Hollis, posters are free. If the printer is Brandt, they cost 3 euros.")
    assert holding(cases, "Our printer moved to a larger shop.") is None
    held = holding(cases, "The printer is Brandt now.")
    assert held is not None and held.text.endswith("they cost 3 euros.")


def test_the_case_that_holds_where_no_other_does():
    """One of the cases may be for whatever else."""
    cases = cases_of("Repairs take 3 days by the terms of Hollis, and 5 days under a contract with anybody else.")
    rest = other(cases)
    assert rest is not None and rest.text == "5 days under a contract with anybody else."


def test_what_follows_and_when():
    """A sentence is told apart into the case and what follows in it."""
    assert outcome("If the tide is low, the ferry sails at ten.") == "the ferry sails at ten."
    assert outcome("The ferry sails at ten if the tide is low.") == "The ferry sails at ten"
    assert condition_in("If the tide is low, the ferry sails at ten.") == "the tide is low"
    assert condition_in("The ferry sails at ten if the tide is low.") == "the tide is low"


@pytest.mark.parametrize(
    "told", ["Hollis has closed.", "The contract with Hollis has ended.", "Hollis is no longer available."]
)
def test_what_has_ended(told: str):
    """What is no more is told by one of many words."""
    assert has_ended(told)
    assert not has_ended("Hollis prints in colour.")


def test_a_reason_is_no_case() -> None:
    """What only says why something is so names no case in which it is."""
    told = (
        "We row on Mondays, because that's when Ida is free. If Jan rows, we row on Fridays, since another boat is out."
    )
    assert not any(text.startswith(("because", "since")) for text in texts(told))
