"""The night as the daemon runs it: one dream at a time, recorded, told in dreams/, undone on request."""

import random
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from hashlib import blake2b

from daemon.config import Night as Settings
from daemon.errors import NotFound
from daemon.night import commit, lessons, triggers
from daemon.night.bounds import Bounds
from daemon.night.commit import DreamStore
from daemon.night.cycle import Dreamer, Limits
from daemon.night.decay import lowered, used
from daemon.night.fade import Fade
from daemon.night.from_use import FromUse
from daemon.night.graph import Graph
from daemon.night.learning import Learned, with_answers
from daemon.night.lessons import LessonStore
from daemon.night.loop import Paused, Probe
from daemon.night.mind import Mind, NoMind
from daemon.night.model_probes import model_probes
from daemon.night.policy import Kept as KeptPolicy
from daemon.night.policy import Policy
from daemon.night.reading import Reading
from daemon.night.record import RoundRecord, RunKind, RunRecord, record_dream
from daemon.night.sight import Gate, Sight
from daemon.night.state import NightState, Question, holding
from daemon.night.triggers import Allowance
from daemon.night.uses import Uses
from daemon.night.view import MemoryView
from daemon.night.work import FORGETTING, Pause, Work
from memory_store.errors import NothingToUndo, StoreError

Publish = Callable[..., object]


class Night:
    """
    Dreams on *store*. Every method is for a thread; a second dream waits for the first.

    *clock* counts seconds, *now* tells the time in the owner's zone; *pause* says why background work should stop.
    """

    def __init__(
        self,
        store: Callable[[], DreamStore],
        state: NightState,
        settings: Callable[[], Settings],
        *,
        now: Callable[[], datetime],
        mind: Mind | None = None,
        publish: Publish = lambda *_args, **_data: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self.state = state
        self._settings = settings
        self._now = now
        self._mind = mind or NoMind()
        self._publish = publish
        self.uses = Uses(state, now=now, clock=clock, is_on=lambda: settings().learn_from_use)
        self.reading = Reading(state, self.uses, now)
        self._work = Work(store, state, settings, now=now, clock=clock)
        self.runs, self.budget = self._work.runs, self._work.budget
        self._sight = Sight(store, state, self.reading, now)
        self.ranking = FromUse(self._work, self._sight, self.uses)
        self.fade = Fade(self._work, self._sight, self.reading, self.uses)

    def open(self) -> None:
        """Let searches use what earlier nights have taught; finish, or take back, what a kill cut off."""
        if not self.ranking.is_on:
            self.ranking.reset()
        self._work.mend()
        self._store().use_tuning(self.state.tuning())

    # -- what reading leaves ---

    def failed(self, question: str, answer: str = "", *, corrected: bool = False) -> None:
        """A real question failed, or the owner corrected its answer: a probe for the next dream."""
        origin = "correction" if corrected else "failed"
        when = self._now().isoformat(timespec="seconds")
        self.state.add_question(Question(question, answer, origin, when))

    def close(self) -> None:
        """Keep what reading has left."""
        self.reading.keep()

    # -- dreaming ---

    def due(self) -> str | None:
        """Why a dream should run now; None where nothing calls for one."""
        confidence = self.reading.access().confidence
        return triggers.why_due(
            self.budget.kept(), pages=self._pages(), confidence=confidence, settings=self._settings(), now=self._now()
        )

    def dream(self, why: str, *, pause: Pause = lambda: None) -> RunRecord:
        """
        One dream, to its end or until *pause* gives a reason; what it kept so far stands. One that is in the way of
        forgetting keeps nothing, and leaves no record.

        Raises:
            StoreError: the vault cannot be read or written at all; nothing was changed.
        """
        pause = self._work.heeding(pause)
        with self._work.turn():
            run, began = self._work.begin("dream", why)
            try:
                self._dream(run, began, pause)
            except Paused:
                self.runs.drop(run)
                run.stopped = FORGETTING
                return run
            self._work.end(run, began)
            self._settle(run, finished=pause() is None)
            return run

    def _dream(self, run: RunRecord, began: float, pause: Pause) -> None:
        settings, store = self._settings(), self._store()

        def gate() -> None:
            if pause() == FORGETTING:
                raise Paused

        corpus = store.corpus()
        self.runs.keep(run)  # so that a cut is on record
        run.passages = len(corpus.passages)
        self.close()
        tuning, before = self.state.tuning(), self._work.tonight()
        graph = self._sight.graph(corpus, gate)
        rng = _chance(run)
        real = with_answers(self.state.questions(), store.ledger, gate)
        left = self.budget.left(began, pause)
        asked: list[Probe] | None = None

        def stop() -> str | None:
            return left.over() or None

        def make(graph: Graph, most: int) -> list[Probe]:
            nonlocal asked
            if asked is None:  # a model asks once, what it costs is asked again in every round
                self._mind.wake(left)
                asked = model_probes(graph, self._mind, rng=rng, pause=stop)
            return [*asked, *self._sight.probes(most - len(asked), rng, graph=graph, real=real)]

        dreamer = Dreamer(
            graph,
            store.ledger,
            Bounds(
                gamma=settings.gamma,
                folder=f"{store.base}facts/",
                lines=settings.most_lines > 0,
                spared=used(self.uses.all()) | lowered(before),
            ),
            Limits(
                rounds=settings.rounds, probes=settings.probes, share=settings.most_share, lines=settings.most_lines
            ),
            rng,
            make,
            policy=self.policy(),
            pause=stop,
            refused=self._work.refused,
            before=before,
        )
        dream = dreamer.dream(MemoryView(corpus, tuning, gate=gate))
        record_dream(run, dream)
        run.asked, run.tokens = len(asked or ()), self._mind.tokens
        if self._mind.tokens and self._mind.complaint:
            run.stopped = f"{run.stopped}; {self._mind.complaint}"
        self._work.make_real(run)
        self.state.write("policy", KeptPolicy.of(dream.policy))

    def _settle(self, run: RunRecord, *, finished: bool) -> None:
        """Count *run*: what it spent, and, where it *finished*, that a dream was made; else one is as due as before."""
        self.budget.spend(run.took_s, run.tokens)
        if not finished:
            return
        empty = self.budget.dreamt(self._pages(), kept_some=bool(run.repairs))
        limit = self._settings().empty_runs
        if limit and empty and empty % limit == 0:
            told = f"{empty} dreams in a row kept nothing: `reverie night log` tells why"
            self._publish("night_empty", told, "warning")

    # -- learning ---

    def teach(
        self,
        kind: RunKind,
        why: str,
        store: LessonStore,
        learn: Callable[[Allowance, random.Random], Learned],
        pause: Pause,
    ) -> RunRecord:
        """
        What *learn* learns, recorded and made real like a dream: it is told what is left of the night, and draws its
        lots from the run's own.

        Raises:
            StoreError: the vault cannot be read at all; nothing was changed.
        """
        with self._work.turn():
            run, began = self._work.begin(kind, why)
            self.runs.keep(run)  # so that a cut is on record
            try:
                learned = learn(self.budget.left(began, self._work.heeding(pause)), _chance(run))
            except StoreError:
                self.runs.drop(run)
                raise
            run.passages = self._store().index_status().chunks
            run.stopped, run.lessons, run.tokens = learned.stopped, learned.lessons, learned.tokens
            if learned.asked:
                run.rounds = [RoundRecord(number=1, probes=learned.asked, before=learned.before, after=learned.after)]
            for number, lesson in enumerate(run.lessons, start=1):
                lesson.id = f"{run.id}.{number}"
                if self._settings().approve == "ask":
                    lesson.state = "waiting"
            ready = [lesson for lesson in run.lessons if lesson.state != "waiting"]
            lessons.apply(store, self.state, ready, run.started[:10], lambda: self.runs.keep(run))
            self._work.end(run, began)
            self.budget.spend(run.took_s, run.tokens)
            return run

    def probes(self, most: int, rng: random.Random, *, gate: Gate = lambda: None) -> list[Probe]:
        """Questions made from memory by rule; *gate* is called all the time."""
        return self._sight.probes(most, rng, graph=self._sight.graph(gate=gate))

    # -- undoing ---

    def undo(self, name: str) -> tuple[RunRecord, list[str]]:
        """
        Take back a run, or one repair of it; also what could not be taken back.

        Raises:
            NotFound.
            NothingToUndo: nothing of it stands any more, or ever did.
        """
        with self._work.turn():
            run = self.runs.find(name)
            states = [*(one.state for one in run.find(name)), *(one.state for one in run.lessons_of(name))]
            if not {"kept", "waiting"}.intersection(states):
                raise NothingToUndo(f"nothing of {name} stands")
            problems = commit.undo(self._store(), self.state, run.find(name))
            problems += lessons.undo(self._store(), run.lessons_of(name))
            self.runs.keep(run)
            self._work.pages.add(run, f"{name} was taken back")
            return run, problems

    def approve(self, name: str) -> RunRecord:
        """
        Apply what waits for consent: a run, or one repair of it.

        Raises:
            NotFound: there is no such run, or nothing of it waits.
        """
        with self._work.turn():
            run = self.runs.find(name)
            states = [*(one.state for one in run.find(name)), *(one.state for one in run.lessons_of(name))]
            if "waiting" not in states:
                raise NotFound(f"nothing of {name} waits for consent; `reverie night log` tells what does")
            store = self._store()
            self._work.apply(run, [one for one in run.find(name) if one.state == "waiting"])
            learned = [one for one in run.lessons_of(name) if one.state == "waiting"]
            lessons.apply(store, self.state, learned, self._now().date().isoformat(), lambda: self.runs.keep(run))
            self.runs.keep(run)
            self._work.pages.add(run, f"{name} was approved")
            return run

    def policy(self) -> Policy:
        """The policy as it stands."""
        kept = self.state.read("policy", KeptPolicy)
        return kept.policy() if kept else Policy()

    def reset_policy(self) -> Policy:
        """Start again from the fixed mapping."""
        self.state.remove("policy")
        return Policy()

    def hushed(self) -> AbstractContextManager[None]:
        """No run of the night goes on within; one that does ends first."""
        return self._work.hushed()

    @property
    def is_hushed(self) -> bool:
        """Whether somebody waits for runs to end, or has them wait."""
        return self._work.is_hushed

    def scrub(self, needles: Sequence[str], says: Callable[[Collection[int]], set[int]]) -> None:
        """
        Forget everything that holds one of *needles*: questions, records, and what was counted of searches.

        *says* tells which passages are still said.
        """
        self.close()
        self.uses.forget(needles, says)
        self.runs.forget(holding(needles), says)
        self.state.scrub(needles)

    def _pages(self) -> int:
        return self._store().index_status().pages


def _chance(run: RunRecord) -> random.Random:
    """The lots of *run*: the same whenever they are drawn again, others in every run."""
    return random.Random(int.from_bytes(blake2b(run.id.encode(), digest_size=4).digest()))
