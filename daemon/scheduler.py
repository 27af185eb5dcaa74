"""
What is due: jobs that run beside the serving, one at a time, late rather than never, their last runs on record.

APScheduler keeps the times; what is due after a restart is decided here, from the record.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from daemon.errors import message_of, note
from daemon.events import Events
from daemon.metrics import Metrics
from daemon.wire import JobStatus
from daemon.wire.state import JobState

log = logging.getLogger(__name__)
LOOK_AGAIN_S = 30.0
SET_BACK_S = 1.0


@dataclass(frozen=True)
class Job:
    """
    Work to be done every *every_s* (None: only when asked for). *run* says in a few words what came of it, or nothing
    (None) where there was nothing to do. *background* jobs ask the governor first.
    """

    name: str
    run: Callable[[], Awaitable[str | None]]
    every_s: float | None
    background: bool = True


class Run(msgspec.Struct, frozen=True):
    """The record of a job's last run: when it ended, how, and whether it failed."""

    when: str
    outcome: str
    failed: bool = False


class Scheduler:
    """Runs *jobs*; each at most once at a time, and only one of all."""

    def __init__(
        self,
        jobs: Sequence[Job],
        record: Path,
        *,
        events: Events,
        metrics: Metrics,
        waits_for: Callable[[], str | None],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs = {job.name: job for job in jobs}
        self._record = record
        self._events = events
        self._metrics = metrics
        self.waits_for = waits_for
        self._now = now
        self._ticks = ticks
        self._looked: tuple[datetime, float] | None = None
        self._runs = _read(record)
        self._waiting: dict[str, str] = {}
        self._running: str | None = None
        self._turn = asyncio.Lock()
        self._asked: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._clock = _Clock(self.heed_clock)

    async def start(self, stack: contextlib.AsyncExitStack) -> None:
        """Plan every job by its last run; on leaving *stack* nothing more begins and what runs is cancelled."""
        self._clock.start()
        stack.push_async_callback(self._stop)
        for job in self._jobs.values():
            if job.every_s is not None:
                self._plan(job.name, due(self._runs.get(job.name), job.every_s, self._now()))

    def soon(self, name: str, delay_s: float = 0.0) -> None:
        """Run *name* after *delay_s*; a later call moves the time, so that many make one run."""
        self._plan(name, self._now() + timedelta(seconds=delay_s))

    def status(self) -> list[JobStatus]:
        """Every job, by name."""
        return [self._status(name) for name in sorted(self._jobs)]

    async def _stop(self) -> None:
        self._clock.shutdown(wait=False)
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _due(self, name: str) -> None:
        """Its time has come: begin, or, where it runs or waits for its turn, see that it runs once more."""
        self._asked.add(name)
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._run_asked(name), name=f"job {name}")

    async def _run_asked(self, name: str) -> None:
        try:
            async with self._turn:
                while name in self._asked:
                    self._asked.discard(name)
                    await self._run(name)
        finally:
            del self._tasks[name]

    async def run(self, name: str, *, force: bool = False) -> None:
        """
        Run *name*, after what runs now, if nothing holds it back (or with *force* all the same); plan its next run.

        Its failure is recorded, not raised.
        """
        async with self._turn:
            await self._run(name, force=force)

    async def _run(self, name: str, *, force: bool = False) -> None:
        job = self._jobs[name]
        if job.background and not force and (reason := self.waits_for()):
            self._waiting[name] = reason
            self._plan(name, self._now() + timedelta(seconds=LOOK_AGAIN_S))
            return
        self._waiting.pop(name, None)
        self._running = name
        failed = False
        try:
            outcome = await job.run()
        except Exception as error:  # noqa: BLE001 - a job's door: the failure is its outcome
            note(log, error, f"job {name}")
            outcome, failed = message_of(error), True
            self._events.publish("job_failed", f"{name}: {outcome}", "error", job=name)
        finally:
            self._running = None
        self._metrics.job_runs.add(job=name, outcome="failed" if failed else "done")
        self._runs[name] = Run(self._now().isoformat(timespec="seconds"), outcome or "nothing to do", failed)
        try:
            await asyncio.to_thread(_write, self._record, dict(self._runs))
        except OSError as error:  # a full disk: the runs are known until the daemon ends
            log.warning("when jobs ran could not be recorded: %s", message_of(error))
        if job.every_s is not None and self._clock.get_job(name) is None:
            self._plan(name, due(self._runs[name], job.every_s, self._now()))

    def heed_clock(self) -> None:
        """
        Where the clock was set back, set back by as much what is planned: it was to run after so long, and would wait
        until the clock has caught up.
        """
        now, ticks = self._now(), self._ticks()
        before, self._looked = self._looked, (now, ticks)
        if before is None:
            return
        back = timedelta(seconds=ticks - before[1]) - (now - before[0])
        if back > timedelta(seconds=SET_BACK_S):
            log.info("the clock was set back by %s: what is planned follows it", back)
            for planned in self._clock.get_jobs():
                if when := getattr(planned, "next_run_time", None):
                    planned.modify(next_run_time=max(now, when - back))

    def _plan(self, name: str, when: datetime) -> None:
        self.heed_clock()
        self._clock.add_job(
            self._due,
            DateTrigger(when),
            args=[name],
            id=name,
            replace_existing=True,
            coalesce=True,
            misfire_grace_time=None,
        )

    def _status(self, name: str) -> JobStatus:
        run, planned, waits = self._runs.get(name), self._clock.get_job(name), self._waiting.get(name)
        # APScheduler gives a job its time only once the scheduler runs.
        following = getattr(planned, "next_run_time", None)
        state: JobState = (
            "running" if self._running == name else "waiting" if waits else "failed" if run and run.failed else "idle"
        )
        return JobStatus(
            name=name,
            state=state,
            last_run=run.when if run else None,
            next_run=following.isoformat(timespec="seconds") if following else None,
            outcome=run.outcome if run else None,
            waits_for=waits,
        )


class _Clock(AsyncIOScheduler):  # type: ignore[misc]  # APScheduler has no types
    """APScheduler, which asks at each of its looks, that come after so long by any clock, what the clock has done."""

    def __init__(self, heed: Callable[[], None]) -> None:
        super().__init__(timezone=UTC)
        self._heed = heed

    def wakeup(self) -> None:
        """Look for what is due."""
        self._heed()
        super().wakeup()


def due(last: Run | None, every_s: float, now: datetime) -> datetime:
    """
    When a job is to run next: *every_s* after its last run, at once where that time has passed or it never ran.

    A last run that lies in the future (the clock was set back) counts as now, so that a job neither runs twice nor
    waits for the clock to catch up.
    """
    if last is None:
        return now
    try:
        when = min(datetime.fromisoformat(last.when), now)
    except (ValueError, TypeError):
        return now
    return max(now, when + timedelta(seconds=every_s))


def _read(record: Path) -> dict[str, Run]:
    try:
        return msgspec.json.decode(record.read_bytes(), type=dict[str, Run])
    except (OSError, msgspec.MsgspecError):
        return {}


def _write(record: Path, runs: dict[str, Run]) -> None:
    fresh = record.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(runs)))
    fresh.replace(record)
