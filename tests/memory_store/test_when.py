"""Times in headings and in questions."""

import datetime as dt

import pytest

from memory_store.when import Days, find_clock, find_day, find_range, parse_range, split_limits

TODAY = dt.date(2026, 11, 30)  # a Monday


def _days(first: str, last: str) -> Days:
    return Days(dt.date.fromisoformat(first).toordinal(), dt.date.fromisoformat(last).toordinal())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-08 notes", "2026-05-08"),
        ("1:56 pm on 8 May, 2023", "2023-05-08"),
        ("May 8th, 2023", "2023-05-08"),
        ("20260508.md", "2026-05-08"),
        ("the 3rd of June 2024", "2024-06-03"),
        ("31 February 2024", None),
        ("version 3.11 of 2024", None),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, day: str | None) -> None:
    """ISO, compact, and with the month as a word; impossible dates are none."""
    assert find_day(text) == (dt.date.fromisoformat(day) if day else None)


@pytest.mark.parametrize(
    ("text", "clock"),
    [("1:56 pm on 8 May", "13:56"), ("14:02:11 model ^e1", "14:02:11"), ("12:05 am", "00:05"), ("25:00", None)],
)
def test_times_of_day(text: str, clock: str | None) -> None:
    """Twelve and twenty-four hour clocks."""
    assert find_clock(text) == (dt.time.fromisoformat(clock) if clock else None)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what did we do yesterday?", "2026-11-29", "2026-11-29"),
        ("what did I say last week", "2026-11-23", "2026-11-29"),
        ("who came two weeks ago", "2026-11-13", "2026-11-19"),
        ("what happened in May", "2026-05-01", "2026-05-31"),
        ("what happened in December?", "2025-12-01", "2025-12-31"),
        ("trips of May 2024", "2024-05-01", "2024-05-31"),
        ("where were we in 2024", "2024-01-01", "2024-12-31"),
        ("the plan of last summer", "2026-06-01", "2026-08-31"),
        ("in winter 2024", "2024-12-01", "2025-02-28"),
        ("what was on 8 May 2023?", "2023-05-08", "2023-05-08"),
        ("who called on July 17", "2026-07-17", "2026-07-17"),
        ("who called last Friday", "2026-11-27", "2026-11-27"),
        ("what did I read last month", "2026-10-01", "2026-10-31"),
    ],
)
def test_times_in_questions_become_ranges(question: str, first: str, last: str) -> None:
    """Relative and absolute expressions, seen from today."""
    assert find_range(question, TODAY) == _days(first, last)


@pytest.mark.parametrize(
    "question", ["may I come in?", "the march of time", "who is Mina", "summer dress", "room 2024"]
)
def test_words_that_only_look_like_times_are_left_alone(question: str) -> None:
    """`may`, `march`, `summer` and bare numbers without a sign of time give no range."""
    assert find_range(question, TODAY) is None


def test_before_and_after_open_a_range() -> None:
    """`before`, `until`, `since` and `after` reach to one side."""
    before, since = find_range("what did we eat before May 2024", TODAY), find_range("news since May 2024", TODAY)
    assert before is not None
    assert dt.date(2024, 4, 30).toordinal() in before
    assert dt.date(2024, 5, 1).toordinal() not in before
    assert since is not None
    assert dt.date(2024, 5, 1).toordinal() in since
    assert dt.date(2024, 4, 30).toordinal() not in since


def test_limits_in_the_query_language() -> None:
    """`after:`, `before:` and `on:` are taken out of the query and joined; what is no time stays a word."""
    query, days = split_limits('boat after:2026-05 before:"last week" trip', TODAY)
    assert query.split() == ["boat", "trip"]
    assert days == _days("2026-06-01", "2026-11-22")
    assert split_limits("on:2026-05-08", TODAY) == ("", _days("2026-05-08", "2026-05-08"))
    assert split_limits("after:lunch boat", TODAY) == ("after:lunch boat", None)
    assert parse_range("2026-13", TODAY) is None
