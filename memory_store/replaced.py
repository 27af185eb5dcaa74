"""
What the owner replaced by hand: an edit is never answered with a write, so that the old value waits here until our next
write of its page puts it into the page's past. Until then the facts know it all the same.

The note may be deleted: the history has what was replaced.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from memory_store.errors import StoreError
from memory_store.facts import Fact, PageFacts, attribute_key, same_value
from memory_store.redact import Redaction

logger = logging.getLogger(__name__)


class _Noted(msgspec.Struct, frozen=True):
    facts: list[Fact]


class Replaced:
    """Not thread-safe: the store calls it under its lock. Noted in *folder* by *save*."""

    def __init__(self, folder: Path, save: Callable[[Path, msgspec.Struct, str], Path]) -> None:
        self._folder = folder
        self._save = save
        self._facts: list[Fact] = []
        try:
            self._facts = msgspec.json.decode((folder / "replaced.json").read_bytes(), type=_Noted).facts
        except FileNotFoundError:
            pass
        except (OSError, msgspec.DecodeError):
            logger.warning("what was replaced by hand is known from the history alone: the note of it cannot be read")

    def add(self, facts: Sequence[Fact], today: str) -> None:
        """The values *facts* ended *today*."""
        known = {(fact.path, fact.key, fact.value, fact.since) for fact in self._facts}
        fresh = [fact for fact in facts if (fact.path, fact.key, fact.value, fact.since) not in known]
        if fresh:
            self._keep([*self._facts, *(replace(fact, until=today) for fact in fresh)])

    def of(self, page: PageFacts) -> tuple[Fact, ...]:
        """Those of *page*, each at the line of what stands there now, which it does not tell itself."""
        found = []
        for fact in self._facts or ():
            now = [each for each in page.facts if each.key == fact.key]
            told = [each for each in page.past if each.key == fact.key and each.since == fact.since]
            if fact.path == page.path and not any(same_value(each.value, fact.value) for each in (*now, *told)):
                found.append(replace(fact, line=now[0].line if now else fact.line))
        return tuple(found)

    def drop(self, path: str) -> None:
        """The page at *path* tells of its own by now, or is gone."""
        self._keep([fact for fact in self._facts if fact.path != path])

    def forget(self, what: str, redaction: Redaction) -> None:
        """Drop the values of the fact *what*, and what *redaction* takes."""
        self._keep(
            [
                fact
                for fact in self._facts
                if fact.key != attribute_key(what)
                and fact.path not in redaction.paths
                and not redaction.touches(msgspec.json.encode(fact))
            ]
        )

    def _keep(self, facts: list[Fact]) -> None:
        if facts == self._facts:
            return
        self._facts = facts
        try:
            self._save(self._folder, _Noted(facts), "replaced")
        except StoreError as error:
            logger.warning("what was replaced by hand could not be noted: %s", error)
