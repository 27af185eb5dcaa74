"""The one table of errors."""

import inspect
import tomllib
from pathlib import Path

import pytest

import memory_store.errors
import memory_store.index.vectors
import models.errors
from daemon import VERSION
from daemon.errors import EXIT_MEANINGS, TABLE, UNEXPECTED, Exit, is_expected, message_of, outcome_of
from daemon.http.errors import body_of


def _classes() -> list[type[BaseException]]:
    found = {
        value
        for module in (memory_store.errors, models.errors, memory_store.index.vectors)
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, memory_store.errors.StoreError | models.errors.ModelError)
    }
    return sorted(found, key=lambda found: found.__name__)


@pytest.mark.parametrize("error", _classes(), ids=lambda error: error.__name__)
def test_every_error_of_the_rooms_has_a_row_of_its_own(error: type[BaseException]) -> None:
    """Clients get an error's kind alone, so each class is found by its name, and by the name it has on the pipe."""
    assert error.__name__ in TABLE
    assert outcome_of(error) is TABLE[error.__name__]
    assert outcome_of(getattr(error, "kind", error.__name__)) is TABLE[error.__name__]


def test_exit_codes_are_distinct_and_explained() -> None:
    """Each exit code means one thing, and says which."""
    assert set(EXIT_MEANINGS) == set(Exit)
    assert all(400 <= outcome.status < 600 and outcome.exit in Exit for outcome in TABLE.values())


def test_an_unexpected_error_tells_no_words() -> None:
    """An error that the table does not know may hold the owner's words: only its kind is told."""
    error = RuntimeError("the owner's words")
    assert not is_expected(error)
    assert outcome_of(error) is UNEXPECTED
    assert message_of(error) == "unexpected RuntimeError"
    assert b"words" not in body_of(error, "/memory/ask")
    assert b"words" not in body_of(error, "/v1/chat/completions")


def test_the_version_is_told_once() -> None:
    """The version that the daemon tells is the package's."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION
