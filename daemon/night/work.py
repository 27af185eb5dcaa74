"""What all night work has in common: one run at a time, on record, made real or taken back whole, told, undone."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from daemon.config import Night as Settings
from daemon.errors import message_of
from daemon.night import commit, lessons, triggers
from daemon.night.budget import Budget
from daemon.night.commit import DreamStore
from daemon.night.record import RepairRecord, RunKind, RunRecord
from daemon.night.repairs import Repair
from daemon.night.runs import Runs
from daemon.night.state import NightState
from daemon.night.told import DreamPages
from memory_store.errors import StoreError

log = logging.getLogger(__name__)
Pause = Callable[[], str | None]
SEEN_AT_START = 20
FORGETTING = "something is being forgotten"


class Work:
    """
    Runs on *store*, each after the one before. Every method is for a thread.

    *clock* counts seconds, *now* tells the time in the owner's zone.
    """

    def __init__(
        self,
        store: Callable[[], DreamStore],
        state: NightState,
        settings: Callable[[], Settings],
        *,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.state = state
        self.settings = settings
        self.now = now
        self.clock = clock
        self.runs = Runs(state)
        self.budget = Budget(state, settings, now=now, clock=clock)
        self.pages = DreamPages(store, now)
        self._turn = threading.Lock()
        self._hushing: list[object] = []

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Nothing else runs within; what a kill cut off before is mended first."""
        with self._turn:
            self.mend()
            yield

    @contextlib.contextmanager
    def hushed(self) -> Iterator[None]:
        """Nothing runs within: what runs is told to stop, and has told and recorded what it did before this begins."""
        mine = object()
        self._hushing.append(mine)
        try:
            with self._turn:
                yield
        finally:
            self._hushing.remove(mine)

    @property
    def is_hushed(self) -> bool:
        """Whether somebody waits for runs to end, or has them wait."""
        return bool(self._hushing)

    def heeding(self, pause: Pause) -> Pause:
        """*pause* for a run, which ends too where something is to be `hushed` for."""
        return lambda: FORGETTING if self._hushing else pause()

    def begin(self, kind: RunKind, why: str) -> tuple[RunRecord, float]:
        """A new run, not yet on record, and when it began by the clock."""
        now = self.now()
        run = RunRecord(id=self.runs.next_id(now), kind=kind, started=now.isoformat(timespec="seconds"), why=why)
        return run, self.clock()

    def end(self, run: RunRecord, began: float) -> None:
        """Close the record of *run* and tell what it did."""
        run.took_s = self.clock() - began
        run.ended = self.now().isoformat(timespec="seconds")
        self.pages.tell(run)
        self.runs.keep(run)

    def make_real(self, run: RunRecord) -> None:
        """Apply the repairs of *run*, or, where that is asked for, let them wait for consent."""
        if self.settings().approve == "ask":
            for repair in run.repairs:
                repair.state = "waiting"
            self.runs.keep(run)
        else:
            self.apply(run, run.repairs)

    def apply(self, run: RunRecord, repairs: Sequence[RepairRecord]) -> None:
        """Make *repairs* of *run* real, all of them or, after a kill, none."""
        run.applying = f"{repairs[0].id} and {len(repairs) - 1} more" if repairs else ""
        commit.apply(self.store(), self.state, repairs, run.applying, lambda: self.runs.keep(run))
        run.applying = ""

    @property
    def refused(self) -> frozenset[str]:
        """Actions that the owner took back, by what they were meant for."""
        return frozenset(self.state.read("refused", list[str]) or [])

    def tonight(self) -> tuple[Repair, ...]:
        """What runs of this night have done so far, and what of it waits for consent."""
        night = triggers.night_of(self.now())
        return tuple(
            Repair(repair.op, tuple(repair.actions))
            for run in self.runs.since(night)
            if triggers.night_of(datetime.fromisoformat(run.started)) == night
            for repair in run.repairs
            if repair.state in ("kept", "waiting")
        )

    def mend(self) -> None:
        """Close the records of runs that were cut off. What the history is too busy for waits for the next run."""
        latest = self.runs.latest(SEEN_AT_START)
        for run in latest:
            if run.ended and not run.applying:
                continue
            try:
                self._finish(run, again=run is latest[0] and len(latest) > 1 and latest[1].cut)
            except StoreError as error:
                log.warning("%s, which was cut off, is mended later: %s", run.id, message_of(error))

    def _finish(self, run: RunRecord, *, again: bool) -> None:
        """Close the record of a run that was cut off; where the one before was too (*again*), none is due yet."""
        stand = commit.recover(self.store(), self.state, run.repairs, run.applying)
        lessons.recover(self.store(), self.state, run.lessons)
        states = [*(one.state for one in run.repairs), *(one.state for one in run.lessons)]
        run.cut, run.applying = True, ""
        told = "what it kept stands, and can be undone" if stand or "kept" in states else "nothing was changed"
        run.stopped = f"cut off: {told}"
        run.ended = run.ended or run.started
        self.pages.tell(run)
        self.runs.keep(run)
        if again and run.kind == "dream":
            self.budget.dreamt(self.store().index_status().pages, kept_some=bool(run.repairs))
