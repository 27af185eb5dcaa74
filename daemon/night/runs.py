"""The records of what the night did, one a run, in the state folder."""

from datetime import datetime

from daemon.errors import NotFound
from daemon.night.record import RunRecord
from daemon.night.state import NightState


class Runs:
    """Every run that is on record. A run's id is the day it began on and its number that day: `2026-11-30-2`."""

    def __init__(self, state: NightState) -> None:
        self._state = state

    def latest(self, limit: int = 20) -> list[RunRecord]:
        """At most *limit*, newest first."""
        names = sorted(self._state.names("runs"), key=_order, reverse=True)[:limit]
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

    def keep(self, run: RunRecord) -> None:
        """Put *run* on record as it is now."""
        self._state.write(f"runs/{run.id}", run)

    def drop(self, run: RunRecord) -> None:
        """Take *run* off the record: it changed nothing."""
        self._state.remove(f"runs/{run.id}")


def _order(name: str) -> tuple[str, int]:
    day, _, number = name.rpartition("-")
    return day, int(number) if number.isdecimal() else 0


def _is_name(name: str) -> bool:
    return name.replace("-", "").replace(".", "").isalnum()
