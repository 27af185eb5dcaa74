"""Where somebody works and as what, told as a step: a job begun, or got, at a place and as something."""

import pytest

from memory_store.familiar import Familiar
from memory_store.jobs import new_job


def known(**facts: str) -> Familiar:
    familiar = Familiar()
    for name, value in facts.items():
        familiar.add(name.replace("_", " "), value)
    return familiar


def told(text: str, familiar: Familiar | None = None) -> list[tuple[str, str | None]]:
    return [(said.attribute, said.value) for said in new_job(text, familiar or Familiar())]


def test_a_new_job_tells_where_and_as_what() -> None:
    """In either order, with the town of the place."""
    assert told("I started a new job at Fenwick Ltd as a project manager.") == [
        ("work at", "Fenwick Ltd"),
        ("work as", "project manager"),
    ]
    assert told("I got a job as a cook at an inn in Graz.") == [("work at", "an inn in Graz"), ("work as", "cook")]


def test_somebodys_job_goes_by_the_name_that_is_known() -> None:
    """Of a relative by their name or by what they are, whichever the facts of their work stand under."""
    familiar = known(sister="Nora", sister_works_at="the town library")
    assert told("Nora got a new job at a museum in Vienna.", familiar) == [("sister works at", "a museum in Vienna")]
    assert told("My sister landed a job at a museum.", familiar) == [("sister works at", "a museum")]


@pytest.mark.parametrize(
    "text",
    [
        "If I got a job at Fenwick, I would move.",
        "I want to get a job at Fenwick.",
        "I didn't get the job at Fenwick.",
        "I got the job done at noon.",
        "I started a job interview at Fenwick.",
    ],
)
def test_no_job_that_was_not_begun(text: str) -> None:
    """Conditions, wishes, denials and jobs that are done are none."""
    assert told(text) == []
