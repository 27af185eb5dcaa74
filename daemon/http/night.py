"""The night over HTTP: status, run, log, show, undo, approve, policy, ranking."""

import asyncio
from collections import Counter
from contextlib import nullcontext

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.http.replies import body, number, reply, text
from daemon.night.diagnose import FAILURES, FEATURES
from daemon.night.lessons import LessonRecord
from daemon.night.night import Night
from daemon.night.policy import Policy
from daemon.night.record import RunRecord
from daemon.night.repairs import OPS
from daemon.parts import Handler, Parts
from daemon.shown import like
from memory_store.search import fused_weights, section_of, shipped_weights

JOBS = ("dream", "decay", "ranking", "reflect", "rules")


async def status(parts: Parts, _request: Request) -> Response:
    """`GET /night/status`. Wakes nothing."""
    return reply(await asyncio.to_thread(_status, parts))


async def run(parts: Parts, request: Request) -> Response:
    """
    `POST /night/run`: with `now` it runs at once, whatever holds it back or was spent, and the reply comes when it is
    over; else it is put in line.
    """
    asked = await body(request, wire.NightRunRequest, limit_bytes=parts.config.server.body_limit)
    parts.memory.must_be_open()
    parts.dreaming.asked |= {"dream", "decay", "ranking"}
    parts.teaching.asked |= {"reflect", "rules"}
    with parts.night.budget.at_once() if asked.now else nullcontext():
        for job in JOBS:
            await parts.scheduler.run(job, force=asked.now)
    return reply(await asyncio.to_thread(_status, parts))


async def log(parts: Parts, request: Request) -> Response:
    """`GET /night/log?limit=`."""
    limit = number(request, "limit", 20, least=1, most=10_000) or 20
    runs = await asyncio.to_thread(lambda: parts.night.runs.latest(limit))
    return reply([_run(one, whole=False) for one in runs])


async def show(parts: Parts, request: Request) -> Response:
    """`GET /night/show?id=`."""
    found = await asyncio.to_thread(parts.night.runs.find, text(request, "id"))
    return reply(_run(found, only=text(request, "id")))


async def undo(parts: Parts, request: Request) -> Response:
    """`POST /night/undo`."""
    asked = await body(request, wire.NightRequest, limit_bytes=parts.config.server.body_limit)
    found, problems = await asyncio.to_thread(parts.night.undo, asked.id)
    parts.events.publish("dream_undone", f"dream {asked.id} is undone", id=asked.id)
    return reply(_run(found, only=asked.id, problems=problems))


async def approve(parts: Parts, request: Request) -> Response:
    """`POST /night/approve`."""
    asked = await body(request, wire.NightRequest, limit_bytes=parts.config.server.body_limit)
    found = await asyncio.to_thread(parts.night.approve, asked.id)
    parts.events.publish("dream_approved", f"dream {asked.id} is applied", id=asked.id)
    return reply(_run(found, only=asked.id))


async def policy(parts: Parts, _request: Request) -> Response:
    """`GET /night/policy`."""
    return reply(_policy(await asyncio.to_thread(parts.night.policy)))


async def change_policy(parts: Parts, request: Request) -> Response:
    """`POST /night/policy`."""
    asked = await body(request, wire.NightPolicyRequest, limit_bytes=parts.config.server.body_limit)
    change = parts.night.reset_policy if asked.reset else parts.night.policy
    return reply(_policy(await asyncio.to_thread(change)))


async def show_ranking(parts: Parts, _request: Request) -> Response:
    """`GET /night/ranking`."""
    return reply(await asyncio.to_thread(_ranking, parts.night))


async def change_ranking(parts: Parts, request: Request) -> Response:
    """`POST /night/ranking`."""
    asked = await body(request, wire.NightRankingRequest, limit_bytes=parts.config.server.body_limit)
    if asked.reset:
        parts.memory.must_be_open()
        await asyncio.to_thread(parts.night.ranking.reset)
    return reply(await asyncio.to_thread(_ranking, parts.night))


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/night/status"): status,
    ("POST", "/night/run"): run,
    ("GET", "/night/log"): log,
    ("GET", "/night/show"): show,
    ("POST", "/night/undo"): undo,
    ("POST", "/night/approve"): approve,
    ("GET", "/night/policy"): policy,
    ("POST", "/night/policy"): change_policy,
    ("GET", "/night/ranking"): show_ranking,
    ("POST", "/night/ranking"): change_ranking,
}


def _status(parts: Parts) -> wire.NightStatus:
    night, settings = parts.night, parts.config.night
    spent, tuning = night.budget.spent(), night.state.tuning()
    last = night.runs.latest(1)
    return wire.NightStatus(
        jobs=[job for job in parts.scheduler.status() if job.name in JOBS],
        due=night.due() if parts.memory.is_open else None,
        waits_for=parts.scheduler.waits_for() or night.budget.waits_for(),
        spent_s=spent.spent_s,
        budget_s=settings.budget_s,
        spent_tokens=spent.spent_tokens,
        budget_tokens=settings.budget_tokens,
        approve=settings.approve,
        waiting=night.runs.waiting(),
        lowered=len(tuning.weights),
        ties=sum(map(len, tuning.ties.values())),
        shifted=len(tuning.shifts),
        empty_runs=spent.empty,
        last=_run(last[0], whole=False) if last else None,
    )


def _run(run: RunRecord, *, only: str = "", whole: bool = True, problems: list[str] | None = None) -> wire.NightRun:
    states = [*(one.state for one in run.repairs), *(one.state for one in run.lessons)]
    return wire.NightRun(
        id=run.id,
        started=run.started,
        ended=run.ended,
        why=run.why,
        stopped=run.stopped,
        passages=run.passages,
        took_s=run.took_s,
        kind=run.kind,
        kept=states.count("kept"),
        waiting=states.count("waiting"),
        undone=states.count("undone"),
        log=run.log,
        rounds=[like(one, wire.NightRound) for one in run.rounds],
        repairs=[
            wire.NightRepair(
                id=one.id,
                op=one.op,
                failure=one.failure,
                question=one.question,
                actions=[str(action) for action in one.actions],
                before=one.before,
                after=one.after,
                state=one.state,
                commit=one.commit,
                note=one.note,
            )
            for one in (run.find(only) if only else run.repairs)
        ]
        + [_lesson(one) for one in (run.lessons_of(only) if only else run.lessons)]
        if whole
        else [],
        problems=problems or [],
        failed=[like(one, wire.NightFailed) for one in run.failed] if whole and only in ("", run.id) else [],
    )


def _lesson(lesson: LessonRecord) -> wire.NightRepair:
    return wire.NightRepair(
        id=lesson.id,
        op=f"{lesson.kind} {lesson.op}",
        failure=lesson.why if lesson.kind == "rule" else "learned",
        question=lesson.text or lesson.old,
        actions=[lesson.describe()],
        before=lesson.before,
        after=lesson.after,
        state=lesson.state,
        commit=lesson.commit,
        note=lesson.note,
    )


def _policy(policy: Policy) -> wire.NightPolicy:
    return wire.NightPolicy(chances=_chances(policy), start=_chances(Policy()), groups=policy.groups)


def _ranking(night: Night) -> wire.NightRanking:
    last, shifts = night.ranking.last(), night.state.tuning().shifts
    weights = []
    for with_vectors in (True, False):
        section = section_of(with_vectors=with_vectors)
        now = fused_weights(shifts, with_vectors=with_vectors)
        for name, shipped in shipped_weights(with_vectors=with_vectors).items():
            weights.append(wire.EvidenceWeight(search=section, evidence=name, shipped=shipped, now=now[name]))
    return wire.NightRanking(
        learns=night.ranking.is_on,
        uses=dict(Counter(use.how for use in night.uses.all())),
        weights=weights,
        asked=last.cases,
        before=last.before,
        after=last.after,
        outcome=last.why,
    )


def _chances(policy: Policy) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for place, failure in enumerate(FAILURES):
        features = np.zeros(len(FEATURES))
        features[place] = 1.0
        chances = policy.chances(features)
        table[failure] = {str(op): round(float(chances[i]), 4) for i, op in enumerate(OPS)}
    return table
