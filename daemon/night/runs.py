"""The records of what the night did, one a run, in the state folder."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from typing import TypeVar

import msgspec

from daemon.errors import NotFound
from daemon.night.record import RunRecord
from daemon.night.repairs import Action, Tie, Weigh
from daemon.night.state import NightState

GONE = "[gone]"
A = TypeVar("A", bound=Action)


class Runs:
    """Every run that is on record. A run's id is the day it began on and its number that day: `2026-11-30-2`."""

    def __init__(self, state: NightState) -> None:
        self._state = state

    def latest(self, limit: int = 20) -> list[RunRecord]:
        """At most *limit*, newest first."""
        names = sorted(self._state.names("runs"), key=_order, reverse=True)[:limit]
        return [run for name in names if (run := self._state.read(f"runs/{name}", RunRecord))]

    def since(self, day: str) -> list[RunRecord]:
        """Those that began on *day* (`2026-11-30`) or later."""
        names = [name for name in self._state.names("runs") if _order(name)[0] >= day]
        return [run for name in names if (run := self._state.read(f"runs/{name}", RunRecord))]

    def find(self, name: str) -> RunRecord:
        """
        The run that *name* is, or belongs to.

        Raises:
            NotFound.
        """
        found = self._state.read(f"runs/{name.partition('.')[0]}", RunRecord) if _is_name(name) else None
        if found is None or not (name == found.id or found.find(name) or found.lessons_of(name)):
            raise NotFound(f"there is no dream {name!r}; `reverie night log` lists them")
        return found

    def waiting(self) -> int:
        """How many repairs wait for consent."""
        runs = self.latest(100)
        states = [one.state for run in runs for one in run.repairs] + [one.state for run in runs for one in run.lessons]
        return states.count("waiting")

    def next_id(self, now: datetime) -> str:
        """The id of a run that begins *now*."""
        day = now.date().isoformat()
        taken = [int(name.rpartition("-")[2]) for name in self._state.names("runs") if name.startswith(f"{day}-")]
        return f"{day}-{max(taken, default=0) + 1}"

    def forget(self, holds: Callable[[str], bool], says: Callable[[Collection[int]], set[int]]) -> None:
        """
        Leave out the words of passages that nothing *says* any more, and what *holds* the words to forget; what was
        done to passages stays on record, and can be undone.
        """
        runs = self.since("")
        there = says({key for run in runs for key in _keys(run)})
        for run in runs:
            before = msgspec.json.encode(run)
            run.failed = [
                one
                for one in run.failed
                if there.issuperset(one.keys) and not any(map(holds, (one.question, *one.pages)))
            ]
            for repair in run.repairs:
                if not there.issuperset(repair.keys) or holds(repair.question):
                    repair.question = GONE
                repair.actions = [_without_words(action, there, holds) for action in repair.actions]
                repair.back = [_without_words(action, there, holds) for action in repair.back]
            if msgspec.json.encode(run) != before:
                self.keep(run)

    def keep(self, run: RunRecord) -> None:
        """Put *run* on record as it is now."""
        self._state.write(f"runs/{run.id}", run)

    def drop(self, run: RunRecord) -> None:
        """Take *run* off the record: it changed nothing."""
        self._state.remove(f"runs/{run.id}")


def _keys(run: RunRecord) -> Iterator[int]:
    """Every passage that *run* quotes."""
    for one in run.failed:
        yield from one.keys
    for repair in run.repairs:
        yield from repair.keys
        for action in (*repair.actions, *repair.back):
            yield from _named(action)


def _named(action: Action) -> tuple[int, ...]:
    if isinstance(action, Weigh):
        return (action.key,)
    return (action.source, action.target) if isinstance(action, Tie) else ()


def _without_words(action: A, there: Collection[int], holds: Callable[[str], bool]) -> A:
    """*action* without the first words of its passages, where one is not *there*, or they are to be forgotten."""
    if isinstance(action, Weigh | Tie) and (not set(_named(action)) <= set(there) or holds(action.shown)):
        return msgspec.structs.replace(action, shown=GONE)
    return action


def _order(name: str) -> tuple[str, int]:
    day, _, number = name.rpartition("-")
    return day, int(number) if number.isdecimal() else 0


def _is_name(name: str) -> bool:
    return name.replace("-", "").replace(".", "").isalnum()
