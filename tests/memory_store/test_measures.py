"""What is measured in a value: told anew it leaves the rest, and what moved by so much is reckoned or left."""

import pytest

from memory_store.measures import measures, scaled, shifted, spliced


def kinds(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in measures(text)]


def test_days_hours_money_and_amounts_are_found_in_order() -> None:
    """Each measured part of a value is found once, as what it is."""
    assert kinds("next Tuesday at 14:30 with Dr. Albers") == [("day", "next Tuesday"), ("clock", "14:30")]
    assert kinds("6:45 on the 20th from Eindhoven") == [("clock", "6:45"), ("day", "the 20th")]
    assert kinds("5 mg of ramipril every morning") == [("amount", "5 mg")]
    assert kinds("1,380 euros a month") == [("money", "1,380 euros")]
    assert kinds("Friday at 9") == [("day", "Friday"), ("clock", "9")]
    assert kinds("Gebler & Sons") == []


@pytest.mark.parametrize(
    ("held", "told", "now"),
    [
        ("next Tuesday at 14:30 with Dr. Albers", "Thursday at 9", "Thursday at 9 with Dr. Albers"),
        ("6:45 on the 20th from Eindhoven", "8:10", "8:10 on the 20th from Eindhoven"),
        ("900 euros a month", "950", "950 euros a month"),
        ("€900", "€950", "€950"),
        ("5 mg of ramipril every morning", "10 mg", "10 mg of ramipril every morning"),
        ("Friday", "Monday at 10", "Monday at 10"),
        ("the 3rd of May at noon", "the 5th", "the 5th at noon"),
        ("Fridays at 4", "5", "Fridays at 5"),
    ],
)
def test_what_is_told_anew_leaves_the_rest(held: str, told: str, now: str) -> None:
    """Only the part of the same kind is exchanged: with whom, from where and how often stay."""
    assert spliced(held, told) == now


@pytest.mark.parametrize(
    ("held", "told"), [("Dr. Albers", "Thursday at 9"), ("8:15", "€20"), ("5 mg and 20 mg", "10 mg")]
)
def test_what_has_no_such_part_is_not_exchanged(held: str, told: str) -> None:
    """A person does not move to Thursday, and of two doses nobody said which is another now."""
    assert spliced(held, told) is None


@pytest.mark.parametrize(
    ("held", "by", "sign", "now"),
    [
        ("15:00", "45 minutes", 1, "15:45"),
        ("11:15 on 4 May", "half an hour", -1, "10:45 on 4 May"),
        ("Friday at 4pm", "an hour", 1, "Friday at 5pm"),
        ("at 9 on Monday", "30 minutes", 1, "at 9:30 on Monday"),
        ("14 May", "two weeks", 1, "28 May"),
        ("Friday", "two days", -1, "Wednesday"),
        ("900 euros", "50", 1, "950 euros"),
        ("1,050 euros a month", "60 euros", 1, "1,110 euros a month"),
        ("20%", "5", -1, "15%"),
        ("200 euros", "10%", 1, "220 euros"),
        ("three weeks", "a week", 1, "4 weeks"),
    ],
)
def test_what_moved_by_so_much_is_reckoned(held: str, by: str, sign: int, now: str) -> None:
    """An hour, a day, an amount or a share more or less, written as the value was."""
    assert shifted(held, by, sign) == now


@pytest.mark.parametrize(
    ("held", "by"),
    [("Friday at 4pm", "a week"), ("May 2027", "a month"), ("5 mg and 20 mg", "5 mg"), ("Utrecht", "2 km")],
)
def test_what_cannot_be_reckoned_exactly_is_not(held: str, by: str) -> None:
    """A week after `Friday` is a Friday that no calendar names, and of two amounts nobody said which grew."""
    assert shifted(held, by, 1) is None


def test_halving_and_doubling_are_reckoned() -> None:
    """The one count of a value is multiplied; where there are two, or none, nothing is."""
    assert scaled("20 mg of omeprazole at 8:00", 0.5) == "10 mg of omeprazole at 8:00"
    assert scaled("12 euros", 2.0) == "24 euros"
    assert scaled("Utrecht", 2.0) is None
