"""Jobs: due late rather than never, one at a time, on record; and what holds them back."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from daemon.config import load
from daemon.events import Events
from daemon.governor import Governor, Moment, holds_back
from daemon.metrics import Metrics
from daemon.paths import Paths
from daemon.scheduler import Job, Run, Scheduler, due
from models.catalog import Catalog
from models.requests import ModelSettings
from models.supervisor import Supervisor

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_pain_26_a_missed_run_is_made_up_once_and_a_clock_set_back_does_not_repeat_it() -> None:
    """pain 26: late runs are due at once; a last run in the future counts as now; broken records never block."""
    hour = 3600.0
    assert due(None, hour, NOON) == NOON
    assert due(Run("2026-11-30T08:00:00+00:00", "done"), hour, NOON) == NOON
    assert due(Run("2026-11-30T11:30:00+00:00", "done"), hour, NOON) == NOON + timedelta(minutes=30)
    assert due(Run("2026-12-24T00:00:00+00:00", "done"), hour, NOON) == NOON + timedelta(hours=1)
    assert due(Run("2026-11-30T12:30:00+01:00", "done"), hour, NOON) == NOON + timedelta(minutes=30)
    assert due(Run("yesterday", "done"), hour, NOON) == NOON


async def test_pain_26_a_clock_set_back_takes_what_is_planned_along(tmp_path: Path) -> None:
    """pain 26: when the clock goes back a day, what was to run in half an hour still does; set forward, it is due."""
    clock, ticks = datetime(2100, 1, 2, 12, tzinfo=UTC), 0.0

    async def work() -> str | None:
        return None

    scheduler = Scheduler(
        [Job("work", work, None)],
        tmp_path / "jobs.json",
        events=Events(),
        metrics=Metrics(),
        waits_for=lambda: None,
        now=lambda: clock,
        ticks=lambda: ticks,
    )

    def waits_yet() -> timedelta:
        scheduler.heed_clock()
        return datetime.fromisoformat(scheduler.status()[0].next_run or "") - clock

    async with AsyncExitStack() as stack:
        await scheduler.start(stack)
        scheduler.soon("work", 3600)
        assert waits_yet() == timedelta(hours=1)
        clock, ticks = clock + timedelta(minutes=30) - timedelta(days=1), 1800.0
        assert waits_yet() == timedelta(minutes=30)
        clock, ticks = clock + timedelta(minutes=10), ticks + 600
        assert waits_yet() == timedelta(minutes=20)
        scheduler.soon("work", 3600)
        assert waits_yet() == timedelta(hours=1)
        clock += timedelta(days=2)
        assert waits_yet() < timedelta(0)
        clock -= timedelta(days=2)
        assert waits_yet() == timedelta(0)


def _scheduler(jobs: list[Job], record: Path, reasons: list[str | None] | None = None) -> Scheduler:
    waits = iter(reasons or [])
    return Scheduler(
        jobs, record, events=Events(), metrics=Metrics(), waits_for=lambda: next(waits, None), now=lambda: NOON
    )


async def test_a_job_runs_its_outcome_is_kept_and_a_failure_is_one_too(tmp_path: Path) -> None:
    """Outcomes and failures are recorded, shown, and survive a restart; one job's failure does not touch another's."""

    async def good() -> str | None:
        return "3 things"

    async def bad() -> str | None:
        raise RuntimeError("secret words")

    jobs = [Job("good", good, 60), Job("bad", bad, None)]
    scheduler = _scheduler(jobs, tmp_path / "jobs.json")
    await scheduler.run("bad")
    await scheduler.run("good")
    found = {job.name: job for job in _scheduler(jobs, tmp_path / "jobs.json").status()}
    assert (found["good"].state, found["good"].outcome, found["good"].last_run) == (
        "idle",
        "3 things",
        NOON.isoformat(),
    )
    assert (found["bad"].state, found["bad"].outcome) == ("failed", "unexpected RuntimeError")
    (tmp_path / "jobs.json").write_text("broken")
    assert _scheduler(jobs, tmp_path / "jobs.json").status()[0].last_run is None


async def test_one_at_a_time_and_what_is_asked_for_meanwhile_runs_after(tmp_path: Path) -> None:
    """Two jobs never overlap; a run asked for while the job runs is made after it, once."""
    running, runs = 0, 0
    again, done = asyncio.Event(), asyncio.Event()

    async def work() -> str | None:
        nonlocal running, runs
        running += 1
        assert running == 1
        runs += 1
        if runs == 1:
            for _ in range(3):
                scheduler.soon("work")
            await asyncio.sleep(0)
            again.set()
        else:
            done.set()
        running -= 1
        return None

    scheduler = Scheduler(
        [Job("work", work, None)], tmp_path / "jobs.json", events=Events(), metrics=Metrics(), waits_for=lambda: None
    )
    async with AsyncExitStack() as stack:
        await scheduler.start(stack)
        scheduler.soon("work")
        async with asyncio.timeout(60):
            await again.wait()
            await done.wait()
    assert runs == 2


async def test_what_somebody_awaits_is_over_when_the_answer_comes(tmp_path: Path) -> None:
    """A run asked for while the job runs ends after that one: who awaits it sees what both have done."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    ended: list[str] = []

    async def work() -> str | None:
        begun.set()
        await go_on.wait()
        ended.append("ended")
        return None

    scheduler = _scheduler([Job("work", work, None)], tmp_path / "jobs.json")
    async with AsyncExitStack() as stack:
        await scheduler.start(stack)
        scheduler.soon("work")
        async with asyncio.timeout(60):
            await begun.wait()
            asked = asyncio.create_task(scheduler.run("work", force=True))
            await asyncio.sleep(0)
            go_on.set()
            await asked
    assert ended == ["ended", "ended"]


async def test_the_governor_holds_background_jobs_back_and_status_says_why(tmp_path: Path) -> None:
    """A background job waits with a reason and is planned again; another kind runs all the same."""
    ran: list[str] = []

    async def work() -> str | None:
        ran.append("ran")
        return None

    jobs = [Job("dream", work, None), Job("commit", work, None, background=False)]
    scheduler = _scheduler(jobs, tmp_path / "jobs.json", ["on battery"])
    await scheduler.run("dream")
    await scheduler.run("commit")
    state = {job.name: job for job in scheduler.status()}
    assert (ran, state["dream"].state, state["dream"].waits_for) == (["ran"], "waiting", "on battery")
    await scheduler.run("dream")
    assert (len(ran), scheduler.status()[1].state) == (2, "idle")


def test_what_the_governor_looks_at(tmp_path: Path) -> None:
    """Running chats, recent chats, battery power and load hold work back, as configured."""
    night = load(Paths.find({"REVERIE_HOME": str(tmp_path)}), {}).night
    calm = Moment(on_battery=None, load_per_core=0.1, busy_chats=0, chat_ago_s=None)
    assert holds_back(calm, night) is None
    assert holds_back(Moment(False, 0.1, 0, 500), night) is None
    assert holds_back(Moment(None, 0.1, 1, None), night) == "a chat is running"
    assert holds_back(Moment(None, 0.1, 0, 5), night) == "a chat 5 s ago"
    assert holds_back(Moment(True, 0.1, 0, None), night) == "on battery"
    assert "busy" in (holds_back(Moment(False, 3.0, 0, None), night) or "")
    eager = load(Paths.find({"REVERIE_HOME": str(tmp_path)}), {"REVERIE_NIGHT_ON_BATTERY": "true"}).night
    assert holds_back(Moment(True, 0.1, 0, None), eager) is None


def test_pain_26_quiet_hours_are_those_of_the_owners_clock(tmp_path: Path) -> None:
    """pain 26: by the clock on the wall, whatever daylight saving does to it: the same hour of UTC, a day apart."""
    environ = {"REVERIE_NIGHT_QUIET_HOURS": "22:00-06:30", "REVERIE_NIGHT_MAX_LOAD": "1e9"}
    night = load(Paths.find({"REVERIE_HOME": str(tmp_path)}), environ | {"REVERIE_NIGHT_ON_BATTERY": "true"}).night
    clock = datetime(2026, 10, 24, 4, 45, tzinfo=UTC)
    governor = Governor(
        lambda: night,
        Supervisor(Catalog(tmp_path), ModelSettings()),
        lambda: None,
        now=lambda: clock.astimezone(ZoneInfo("Europe/Berlin")),
    )
    assert governor.waits_for() is None  # 06:45, in summer
    clock += timedelta(days=1)
    assert governor.waits_for() == "quiet hours (22:00-06:30)"  # 05:45, in winter


@pytest.mark.parametrize(
    "moment",
    [
        Moment(on_battery=True, load_per_core=0.0, busy_chats=0, chat_ago_s=None),
        Moment(on_battery=None, load_per_core=9.0, busy_chats=0, chat_ago_s=None),
        Moment(on_battery=None, load_per_core=0.0, busy_chats=1, chat_ago_s=0.0),
        Moment(on_battery=None, load_per_core=0.0, busy_chats=0, chat_ago_s=1.0),
        Moment(on_battery=None, load_per_core=0.0, busy_chats=0, chat_ago_s=None, minute=180),
    ],
)
async def test_each_reason_holds_a_job_back_and_what_is_asked_for_at_once_overrides_it(
    tmp_path: Path, moment: Moment
) -> None:
    """Battery, load, a chat, a chat just now, quiet hours: the job waits and says why; forced it runs all the same."""
    settings = replace(load(Paths.find({"REVERIE_HOME": str(tmp_path)}), {}).night, quiet_hours="02:00-04:00")
    made: list[int] = []

    async def work() -> str:
        made.append(1)
        return "done"

    scheduler = Scheduler(
        [Job("dream", work, 600)],
        tmp_path / "jobs.json",
        events=Events(),
        metrics=Metrics(),
        waits_for=lambda: holds_back(moment, settings),
    )
    await scheduler.run("dream")
    assert made == []
    assert scheduler.status()[0].waits_for == holds_back(moment, settings)
    await scheduler.run("dream", force=True)
    assert made == [1]
    assert scheduler.status()[0].waits_for is None


async def test_pain_26_a_run_missed_while_the_machine_slept_is_made_up_once(tmp_path: Path) -> None:
    """pain 26: asleep past many due times, across a restart: one run at the start, the next a whole interval later."""
    clock = NOON
    made: list[datetime] = []

    async def work() -> None:
        made.append(clock)

    def scheduler() -> Scheduler:
        return Scheduler(
            [Job("decay", work, 3600)],
            tmp_path / "jobs.json",
            events=Events(),
            metrics=Metrics(),
            waits_for=lambda: None,
            now=lambda: clock,
        )

    await scheduler().run("decay")
    clock += timedelta(days=3)
    again = scheduler()
    assert due(Run(again.status()[0].last_run or "", "done"), 3600, clock) == clock
    await again.run("decay")
    assert made == [NOON, clock]
    assert due(Run(again.status()[0].last_run or "", "done"), 3600, clock) == clock + timedelta(hours=1)
