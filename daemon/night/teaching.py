"""Learning as jobs of the scheduler: reflecting on finished conversations, and evolving the rules of META.md."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from daemon.config import Memory as Settings
from daemon.context import Passage
from daemon.events import Events
from daemon.memory import Memory
from daemon.night import lessons, triggers
from daemon.night.job import GiveWay
from daemon.night.learning import (
    MOST_PROBES,
    REFLECTED,
    Learned,
    Looked,
    Reflected,
    conversations,
    is_settled,
    learn_experiences,
    learn_rules,
    reflected,
    training,
    until_when,
    with_answers,
)
from daemon.night.loop import Probe
from daemon.night.mind import Mind
from daemon.night.night import Night
from daemon.night.record import RunRecord
from daemon.night.told import counted
from daemon.night.triggers import Allowance, moment
from daemon.taught import answer_in
from memory_store.errors import StoreError
from memory_store.journal import Turn, parse_journal

RULES_EVERY = timedelta(days=1)
MOST_DAYS = 14


class Taught(msgspec.Struct):
    """When rules were evolved last, and how many questions with answers there were."""

    when: str = ""
    questions: int = 0


class Teaching:
    """Learning gives way while a model *answers* somebody; *asked* holds the jobs that somebody asked for."""

    def __init__(
        self,
        night: Night,
        memory: Memory,
        mind: Mind,
        events: Events,
        settings: Callable[[], Settings],
        *,
        answers: Callable[[], bool],
        now: Callable[[], datetime],
    ) -> None:
        self._night = night
        self._memory = memory
        self._mind = mind
        self._events = events
        self._settings = settings
        self._answers = answers
        self._now = now
        self.asked: set[str] = set()

    async def reflect(self) -> str | None:
        """Experiences from what was said since the last time; None where nobody has spoken."""
        return await self._run("reflect", self._unreflected, self._reflect)

    async def evolve(self) -> str | None:
        """Rules on how to use memory, where questions came in or a day has passed; None otherwise."""
        return await self._run("rules", self._due, self._evolve)

    async def _run(self, name: str, due: Callable[[], str | None], teach: Callable[[str], RunRecord]) -> str | None:
        if not self._memory.is_open:
            return None
        why = await asyncio.to_thread(due) or ("Asked for" if name in self.asked else None)
        if why is None:
            return None
        if (reason := await asyncio.to_thread(self._night.budget.waits_for)) is not None:
            return f"due ({why}), but {reason}"
        self.asked.discard(name)
        run = await asyncio.to_thread(teach, why)
        kept = sum(lesson.state in ("kept", "waiting") for lesson in run.lessons)
        said = f"{name} {run.id}: {counted(kept, 'lesson')}, {run.stopped}"
        if kept:
            self._events.publish("learned", said, id=run.id, kept=kept, before=run.before, after=run.after)
        return said

    # -- what is due ---

    def _unreflected(self) -> str | None:
        since, now = self._since(), self._now()
        ended = (
            turn.speaker == "user" and moment(turn.when) > moment(since) and is_settled(turn, now)
            for _, turn in self._turns(since)
        )
        return "Conversations have ended" if any(ended) else None

    def _due(self) -> str | None:
        kept = self._night.state.read("taught", Taught)
        answered = self._answered()
        now = self._now()
        if kept is None:
            kept = Taught(now.isoformat(timespec="seconds"), 0)
            self._night.state.write("taught", kept)
        if answered > kept.questions:
            return f"{answered - kept.questions} answered questions came in"
        when = triggers.not_after(kept.when, now)
        if when != kept.when:
            self._night.state.write("taught", Taught(when, kept.questions))
        return "The usual time has come" if triggers.since(when, now) >= RULES_EVERY else None

    def _since(self) -> str:
        """When the last conversation ended that was reflected on."""
        kept = reflected(self._night.state)
        until = triggers.not_after(kept, self._now())
        if until != kept:
            self._night.state.write(REFLECTED, Reflected(until))
        return until

    def _answered(self) -> int:
        return sum(bool(question.answer.strip()) for question in self._night.state.questions())

    # -- learning ---

    def _reflect(self, why: str) -> RunRecord:
        state, since = self._night.state, self._since()
        give_way = GiveWay(self._answers)
        turns = self._turns(since)
        until = since

        def learn(left: Allowance, _rng: random.Random) -> Learned:
            nonlocal until
            looked, probes = self._probes(give_way)
            blocks = replace(self._memory.blocks(self._settings()), find=looked)
            talks = conversations(turns, probes, since=since, now=self._now())
            self._mind.wake(left)
            learned = self._memory.meaning.with_similarity(
                lambda near: learn_experiences(blocks, talks, probes, self._mind, similarity=near, go_on=left)
            )
            learned.tokens = self._mind.tokens
            settled = [turn.when for _, turn in turns if is_settled(turn, self._now())]
            until = until_when(talks, learned.done, settled, since)
            of = f"{learned.done} of " if learned.done < len(talks) else ""
            told = f"{of}{counted(len(talks), 'conversation')}, {learned.stopped}"
            learned.stopped = _told(told, left.over() or self._mind.complaint)
            return learned

        run = self._night.teach("reflect", why, self._memory.store(), learn, give_way)
        state.write(REFLECTED, Reflected(until))
        return run

    def _evolve(self, why: str) -> RunRecord:
        state, store = self._night.state, self._memory.store()
        give_way = GiveWay(self._answers)
        cut = ""

        def learn(left: Allowance, rng: random.Random) -> Learned:
            nonlocal cut
            looked, probes = self._probes(give_way)
            written = lessons.standing_rules(store, state, counted=False)
            rules = lessons.standing_rules(store, state)
            blocks = replace(self._memory.blocks(self._settings()), find=looked, rules=rules)
            self._mind.wake(left)
            learned = learn_rules(blocks, rules, probes, self._mind, rng=rng, go_on=left, written=written)
            learned.tokens = self._mind.tokens
            cut = left.over()
            learned.stopped = _told(learned.stopped, cut or self._mind.complaint)
            return learned

        run = self._night.teach("rules", why, store, learn, give_way)
        if not cut:  # else it is as due as it was
            state.write("taught", Taught(self._now().isoformat(timespec="seconds"), self._answered()))
        if all(lesson.state == "kept" for lesson in run.lessons if lesson.kind == "rule"):
            state.remove(lessons.RECORDS)  # what feedback has added stands on the page now
        return run

    def _probes(self, give_way: GiveWay) -> tuple[Looked, list[Probe]]:
        def find(question: str, limit: int) -> Sequence[Passage]:
            give_way()
            return self._memory.passages(question, limit, noticed=False)

        looked = Looked(find)
        made = self._night.probes(MOST_PROBES, random.Random(7), gate=give_way)
        ledger = self._memory.ledger()
        real = with_answers(self._night.state.questions(), ledger, give_way)
        return looked, training(looked, ledger, real, made)

    def _turns(self, since: str) -> list[tuple[str, Turn]]:
        """What was said on the days from *since* on, with the paths of the pages."""
        store = self._memory.store()
        found: list[tuple[str, Turn]] = []
        paths = [page.path for page in store.pages(f"{store.base}journal/")]
        for path in [path for path in paths if path.rpartition("/")[2][:10] >= since[:10]][-MOST_DAYS:]:
            try:
                turns = parse_journal(store.page(path), path.rpartition("/")[2][:10])
                found += [(path, turn) for turn in turns if answer_in(turn.text) is None]  # a right answer is no talk
            except StoreError:
                continue
        return found


def _told(stopped: str, complaint: str) -> str:
    return f"{stopped}; {complaint}" if complaint else stopped
