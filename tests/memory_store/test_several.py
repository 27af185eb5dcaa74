"""Several things told in one sentence, of one subject or of those it names."""

import pytest

from memory_store.familiar import Familiar
from memory_store.several import apart, spelled_out
from memory_store.statements import extract


def _told(message: str) -> dict[str | None, str | None]:
    return {s.attribute: s.value for s in extract(message, known=Familiar())}


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "My cousin Ivo lives in Turin, teaches at the conservatory and has two parrots.",
            {"cousin": "Ivo", "Ivo lives in": "Turin", "Ivo teaches at": "the conservatory", "Ivo has": "two parrots"},
        ),
        (
            "My aunt Greta is from Oslo and plays the organ.",
            {"aunt": "Greta", "Greta is from": "Oslo", "Greta plays": "the organ"},
        ),
        ("We run the kiln with our neighbour Otto.", {"run": "the kiln", "neighbour": "Otto"}),
        ("I keep a boat called Petrel with my uncle Sven.", {"boat": "Petrel", "uncle": "Sven"}),
        ("My mother lives in Bern, my uncle in Basel.", {"mother lives in": "Bern", "uncle lives in": "Basel"}),
        ("Could you remember that the shed code is 4482?", {"shed code": "4482"}),
        ("I have two nephews: Jonas is 12 and Till is 9.", {"Jonas's age": "12", "Till's age": "9"}),
        ("Jonas, my nephew, studies at the Lyceum.", {"nephew": "Jonas", "Jonas studies at": "the Lyceum"}),
        (
            "I have a brother called Emil who works at the mill.",
            {"brother": "Emil", "Emil works at": "the mill"},
        ),
        (
            "I live in Ghent, work at the harbour and drive a Skoda.",
            {"live in": "Ghent", "work at": "the harbour", "drive": "Skoda"},
        ),
        ("I live in Ghent with my two sisters.", {"live in": "Ghent", "live with": "my two sisters"}),
        (
            "My visa expires in May 2029 and my work permit in 2030.",
            {"visa expires in": "May 2029", "work permit expires in": "2030"},
        ),
        (
            "The electrician is Pavel, his number is 0170 33 21.",
            {"electrician": "Pavel", "Pavel's number": "0170 33 21"},
        ),
        ("My van is a Transit. It costs 70 a month.", {"van": "Transit", "van costs": "70 a month"}),
        ("I have two hens, Berta and Lola.", {"hens": "Berta and Lola"}),
        ("My coach is Ines, she is from Cork.", {"coach": "Ines", "Ines is from": "Cork"}),
    ],
)
def test_each_thing_that_a_sentence_tells_is_a_fact(message: str, facts: dict[str, str]) -> None:
    """Verbs that share a subject, names set beside a noun, `who` and pronouns each tell one thing more."""
    assert _told(message) == facts


@pytest.mark.parametrize(
    "clause",
    [
        "I like coffee and work",
        "I play bass and drums",
        "Our firm makes and sells kites",
        "I need posters that can win fans and drive sales",
        "Helena likes fish and chips",
    ],
)
def test_what_is_one_thing_stays_one(clause: str) -> None:
    """`And` between nouns, between verbs of one object, and after what is to be done, joins one thing."""
    assert [one for part in spelled_out(clause) for one in apart(part)] == [clause]


def test_what_somebody_has_is_not_who_they_are() -> None:
    """`My son has asthma` says nothing against `my son is Rui`."""
    assert _told("My nephew is Ben. My nephew has hay fever.") == {"nephew": "Ben", "nephew has": "hay fever"}


def test_those_one_lives_with_are_told_apart() -> None:
    """Of `with my wife Katja and our two kids, Mila and Theo` each is a clause of their own."""
    assert spelled_out("I live in Bremen with my wife Katja and our two kids, Mila and Theo") == (
        "I live in Bremen",
        "my wife is Katja",
        "our kids are Mila and Theo",
    )


def test_two_things_measured_each_for_itself_are_two_clauses() -> None:
    """Two doses, two lessons on two days; a pair of days of one thing is one."""
    assert spelled_out("I take 5 mg of this in the morning and 20 mg of that at night") == (
        "I take 5 mg of this in the morning",
        "I also take 20 mg of that at night",
    )
    assert spelled_out("Ella has ballet on Tuesdays and judo on Fridays") == (
        "Ella has ballet on Tuesdays",
        "Ella also has judo on Fridays",
    )
    assert spelled_out("I do yoga on Tuesday and Friday at 7pm") == ("I do yoga on Tuesday and Friday at 7pm",)


def test_a_place_that_is_called_so_keeps_its_name_and_where_it_stands() -> None:
    """`a small bakery in Ghent called De Korst`: what it is called, and where it is."""
    assert spelled_out("I run a small bakery in Ghent called De Korst") == (
        "my bakery is De Korst",
        "my bakery's place is in Ghent",
    )


def test_who_the_plumber_is_stands_apart_from_when_he_comes() -> None:
    """A name set off by commas says who it is, and the rest is told of them by name."""
    assert apart("the plumber, Rolf Aders, comes on Wednesday") == (
        "the plumber is Rolf Aders",
        "Rolf Aders comes on Wednesday",
    )


def test_who_introduces_themselves_tells_their_work() -> None:
    """As what one works, where, in which town and on which floor, beside one's name."""
    found = {s.attribute: s.value for s in extract("Hi, I'm Marta, a midwife at Lindner clinic in Graz, floor 3.")}
    assert found == {
        "name": "Marta",
        "work as": "midwife",
        "work at": "Lindner clinic",
        "clinic's town": "Graz",
        "work on": "floor 3",
    }
