"""The night as the daemon runs it: one dream at a time, recorded, told in dreams/, undone on request."""

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b

from daemon.config import Night as Settings
from daemon.errors import NotFound, message_of
from daemon.night import commit, lessons, ranking, triggers
from daemon.night.commit import DreamStore
from daemon.night.cycle import Dreamer, Limits
from daemon.night.graph import Graph, build
from daemon.night.learning import Learned, with_answers
from daemon.night.lessons import LessonStore
from daemon.night.loop import Paused, Probe
from daemon.night.mind import Mind, NoMind
from daemon.night.model_probes import model_probes
from daemon.night.policy import Kept as KeptPolicy
from daemon.night.policy import Policy
from daemon.night.probes import make_probes
from daemon.night.propose import Bounds
from daemon.night.ranking import RANKED, Ranked
from daemon.night.reading import Reading
from daemon.night.record import RepairRecord, RoundRecord, RunKind, RunRecord, lines_of, record_dream
from daemon.night.repairs import Repair
from daemon.night.runs import Runs
from daemon.night.state import NightState, Question
from daemon.night.triggers import Allowance, Ledgered
from daemon.night.uses import Uses
from daemon.night.view import MemoryView
from memory_store.errors import NothingToUndo, StoreError
from memory_store.facts import attribute_key
from memory_store.index.corpus import Corpus

log = logging.getLogger(__name__)
SEEN_AT_START = 20
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
        self._clock = clock
        self.uses = Uses(state, now=now, clock=clock, is_on=lambda: self.learns_from_use)
        self.reading = Reading(state, self.uses, now)
        self.runs = Runs(state)
        self._turn = threading.Lock()
        self._granted = triggers.NOTHING

    def open(self) -> None:
        """Let searches use what earlier nights have taught; finish, or take back, what a kill cut off."""
        if not self.learns_from_use:
            self.reset_ranking()
        self._mend()
        self._store().use_tuning(self.state.tuning())

    def _mend(self) -> None:
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
        stand = commit.recover(self._store(), self.state, run.repairs, run.applying)
        lessons.recover(self._store(), self.state, run.lessons)
        states = [*(one.state for one in run.repairs), *(one.state for one in run.lessons)]
        run.cut, run.applying = True, ""
        told = "what it kept stands, and can be undone" if stand or "kept" in states else "nothing was changed"
        run.stopped = f"cut off: {told}"
        run.ended = run.ended or run.started
        self._tell(self._store(), run)
        self.runs.keep(run)
        if again:
            self._settle(run)

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
        pages = self._pages()
        confidence = self.reading.access().confidence
        return triggers.why_due(
            self._kept(), pages=pages, confidence=confidence, settings=self._settings(), now=self._now()
        )

    def waits_for(self) -> str | None:
        """What the night's budget says against more work."""
        return triggers.exhausted(self._kept(), self._settings(), self._now(), self._granted)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """What runs within was asked for by the owner: it has a whole night's budget, whatever was spent before."""
        spent = self.spent()
        self._granted = triggers.Granted(spent.spent_s, spent.spent_tokens)
        try:
            yield
        finally:
            self._granted = triggers.NOTHING

    def dream(self, why: str, *, pause: Callable[[], str | None] = lambda: None) -> RunRecord:
        """
        One dream, to its end or until *pause* gives a reason; what it kept so far stands.

        Raises:
            StoreError: the vault cannot be read or written at all; nothing was changed.
        """
        with self._turn:
            self._mend()
            return self._dream(why, pause)

    def _dream(self, why: str, pause: Callable[[], str | None]) -> RunRecord:
        settings, store, now = self._settings(), self._store(), self._now()
        began = self._clock()
        run = RunRecord(id=self.runs.next_id(now), started=now.isoformat(timespec="seconds"), why=why)
        corpus = store.corpus()
        self.runs.keep(run)  # so that a cut is on record
        run.passages = len(corpus.passages)
        self.close()
        tuning, access = self.state.tuning(), self.state.access()
        attributes = [attribute_key(name) for name in store.ledger.attributes()]
        graph = build(corpus, tuning=tuning, access=access, today=now.date(), attributes=attributes, gate=pause)
        rng = _chance(run)
        real = with_answers(self.state.questions(), store.ledger, pause)

        left = self._left(began, pause)
        asked: list[Probe] | None = None

        def stop() -> str | None:
            return left.over() or None

        def make(graph: Graph, most: int) -> list[Probe]:
            nonlocal asked
            if asked is None:  # a model asks once, what it costs is asked again in every round
                self._mind.wake(left)
                asked = model_probes(graph, self._mind, rng=rng, pause=stop)
            made = make_probes(graph, store.ledger, rng=rng, most=most - len(asked), real=real)
            return [*asked, *made]

        policy = self.state.read("policy", KeptPolicy)
        dreamer = Dreamer(
            graph,
            store.ledger,
            Bounds(gamma=settings.gamma, folder=f"{store.base}facts/", lines=settings.most_lines > 0),
            Limits(
                rounds=settings.rounds, probes=settings.probes, share=settings.most_share, lines=settings.most_lines
            ),
            rng,
            make,
            policy=policy.policy() if policy else Policy(),
            pause=stop,
            refused=frozenset(self.state.read("refused", list[str]) or []),
            before=self._tonight(now),
        )
        dream = dreamer.dream(MemoryView(corpus, tuning, gate=pause))
        record_dream(run, dream)
        run.asked, run.tokens = len(asked or ()), self._mind.tokens
        if self._mind.tokens and self._mind.complaint:
            run.stopped = f"{run.stopped}; {self._mind.complaint}"
        if settings.approve == "ask":
            for repair in run.repairs:
                repair.state = "waiting"
            self.runs.keep(run)
        else:
            self._apply(store, run, run.repairs)
        self.state.write("policy", KeptPolicy.of(dream.policy))
        run.took_s = self._clock() - began
        run.ended = self._now().isoformat(timespec="seconds")
        self._tell(store, run)
        self.runs.keep(run)
        self._settle(run, finished=pause() is None)
        return run

    def _apply(self, store: DreamStore, run: RunRecord, repairs: Sequence[RepairRecord]) -> None:
        """Make *repairs* of *run* real, all of them or, after a kill, none."""
        run.applying = f"{repairs[0].id} and {len(repairs) - 1} more" if repairs else ""
        commit.apply(store, self.state, repairs, run.applying, lambda: self.runs.keep(run))
        run.applying = ""

    def _tonight(self, now: datetime) -> tuple[Repair, ...]:
        """What dreams of the night that *now* belongs to have done so far, and what of it waits for consent."""
        night = triggers.night_of(now)
        return tuple(
            Repair(repair.op, tuple(repair.actions))
            for run in self.runs.latest(SEEN_AT_START)
            if triggers.night_of(datetime.fromisoformat(run.started)) == night
            for repair in run.repairs
            if repair.state in ("kept", "waiting")
        )

    def _left(self, began: float, pause: Callable[[], str | None]) -> Allowance:
        """What a run that *began* at that count of the clock may still use."""
        kept, settings = self.spent(), self._settings()
        seconds = settings.budget_s - kept.spent_s + self._granted.seconds
        tokens = settings.budget_tokens - kept.spent_tokens + self._granted.tokens
        return Allowance(lambda: seconds - (self._clock() - began), tokens, pause)

    # -- learning ---

    def teach(
        self,
        kind: RunKind,
        why: str,
        store: LessonStore,
        learn: Callable[[Allowance, random.Random], Learned],
        pause: Callable[[], str | None],
    ) -> RunRecord:
        """
        What *learn* learns, recorded and made real like a dream: it is told what is left of the night, and draws its
        lots from the run's own.

        Raises:
            StoreError: the vault cannot be read at all; nothing was changed.
        """
        with self._turn:
            self._mend()
            now, began, kept = self._now(), self._clock(), self._kept()
            run = RunRecord(id=self.runs.next_id(now), kind=kind, started=now.isoformat(timespec="seconds"), why=why)
            self.runs.keep(run)  # so that a cut is on record
            try:
                learned = learn(self._left(began, pause), _chance(run))
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
            lessons.apply(store, self.state, ready, now.date().isoformat(), lambda: self.runs.keep(run))
            run.took_s = self._clock() - began
            run.ended = self._now().isoformat(timespec="seconds")
            self._tell(self._store(), run)
            self.runs.keep(run)
            kept = self._kept()
            triggers.spend(kept, self._now(), seconds=run.took_s, tokens=run.tokens)
            self.state.write("kept", kept)
            return run

    # -- learning from use ---

    @property
    def learns_from_use(self) -> bool:
        """Whether what becomes of hits is kept, and learned from."""
        return self._settings().learn_from_use

    def ranking_due(self) -> str | None:
        """Why the ranking should learn now; None where too little was used since it last looked."""
        if not self.learns_from_use:
            return None
        last = self.state.read(RANKED, Ranked) or Ranked()
        fresh = sum(use.when > last.when for use in self.uses.all())
        return f"{fresh} hits were used" if fresh >= ranking.FRESH_USES else None

    def learn_ranking(self, why: str, *, pause: Callable[[], str | None] = lambda: None) -> RunRecord | str:
        """
        Learn from use, and keep what helps: the run where something changes, else why nothing does, or why *pause*
        ended it; then it is as due as before.

        Raises:
            StoreError: the vault cannot be read at all; nothing was changed.
        """
        with self._turn:
            now, began, store, tuning = self._now(), self._clock(), self._store(), self.state.tuning()

            def gate() -> None:
                if pause() is not None:
                    raise Paused

            corpus = store.corpus()
            uses = [(use.question, frozenset(use.right)) for use in self.uses.all()]
            try:
                real = with_answers(self.state.questions(), store.ledger, gate)
                most, rng = ranking.MOST_PROBES + len(real), random.Random(7)
                made = self.probes(most, rng, corpus=corpus, real=real, gate=gate)
                told = [one for one in made if one.origin != "rule"]
                uses += [(one.question, ranking.keys_of(corpus, one)) for one in told]
                probes = [one for one in made if one.origin == "rule"]
                found = ranking.propose(corpus, uses, probes, tuning.shifts, now=self._now, gate=gate)
            except Paused:
                return pause() or "it was held up"
            when = max((use.when for use in self.uses.all()), default="")
            self.state.write(RANKED, Ranked(when, found.cases, found.before, found.after, found.why))
            actions = ranking.actions(found, tuning.shifts)
            if not actions:
                return found.why
            started = now.isoformat(timespec="seconds")
            run = RunRecord(id=self.runs.next_id(now), kind="ranking", started=started, why=why, stopped=found.why)
            run.passages = len(corpus.passages)
            run.rounds = [RoundRecord(number=1, probes=found.cases, before=found.before, after=found.after, kept=1)]
            repair = RepairRecord(
                id=f"{run.id}.1",
                op="reweigh",
                failure="used",
                question=f"{found.cases} uses",
                actions=actions,
                before=found.before,
                after=found.after,
                state="waiting" if self._settings().approve == "ask" else "kept",
            )
            run.repairs = [repair]
            self.runs.keep(run)
            self._apply(store, run, [repair] if repair.state == "kept" else [])
            run.took_s = self._clock() - began
            run.ended = self._now().isoformat(timespec="seconds")
            self._tell(store, run)
            self.runs.keep(run)
            kept = self._kept()
            triggers.spend(kept, self._now(), seconds=run.took_s)
            self.state.write("kept", kept)
            return run

    def ranked(self) -> Ranked:
        """What came of the last look at uses."""
        return self.state.read(RANKED, Ranked) or Ranked()

    def reset_ranking(self) -> None:
        """Rank as shipped again, and forget what was used."""
        with self._turn:
            tuning = self.state.tuning()
            if tuning.shifts:
                self.state.keep_tuning(replace(tuning, shifts={}))
                self._store().use_tuning(self.state.tuning())
            self.uses.clear()
            self.state.remove(RANKED)

    def probes(
        self,
        most: int,
        rng: random.Random,
        *,
        corpus: Corpus | None = None,
        real: Sequence[Question] = (),
        gate: Callable[[], object] = lambda: None,
    ) -> list[Probe]:
        """
        Questions made from memory by rule, after those of *real* that have an answer in it; *gate* is called all the
        time.
        """
        store = self._store()
        corpus = corpus or store.corpus()
        names = [attribute_key(name) for name in store.ledger.attributes()]
        tuning, access, today = self.state.tuning(), self.reading.access(), self._now().date()
        graph = build(corpus, tuning=tuning, access=access, today=today, attributes=names, gate=gate)
        return make_probes(graph, store.ledger, rng=rng, most=most, real=real)

    def _tell(self, store: DreamStore, run: RunRecord) -> None:
        """Append to the dream's page. A page that cannot be written is no reason to lose the record."""
        if not run.repairs and not run.lessons:
            return
        run.log = f"{store.base}dreams/{run.started[:10]}.md"
        try:
            store.append_lines(run.log, lines_of(run), f"Dream {run.id}: what it did")
        except StoreError as error:
            log.warning("%s is not written: %s", run.log, message_of(error))
            run.log = ""

    def _add(self, run: RunRecord, what: str) -> None:
        """Append to the dream's page *what* became of *run* later."""
        if run.log:
            try:
                self._store().append_lines(run.log, [f"- {self._now():%Y-%m-%d %H:%M}: {what}"], f"Dream: {what}")
            except StoreError as error:
                log.warning("%s is not written: %s", run.log, message_of(error))

    def _settle(self, run: RunRecord, *, finished: bool = True) -> None:
        """Count *run*: what it spent, and, where it *finished*, that a dream was made; else one is as due as before."""
        now = self._now()
        kept = self._kept()
        triggers.spend(kept, now, seconds=run.took_s, tokens=run.tokens)
        if finished:
            kept.last, kept.pages = now.isoformat(timespec="seconds"), self._pages()
            kept.empty = 0 if run.repairs else kept.empty + 1
        self.state.write("kept", kept)
        if not finished:
            return
        limit = self._settings().empty_runs
        if limit and kept.empty >= limit and kept.empty % limit == 0:
            self._publish(
                "night_empty", f"{kept.empty} dreams in a row kept nothing: `reverie night log` tells why", "warning"
            )

    # -- telling and undoing ---

    def undo(self, name: str) -> tuple[RunRecord, list[str]]:
        """
        Take back a run, or one repair of it; also what could not be taken back.

        Raises:
            NotFound.
            NothingToUndo: nothing of it stands any more, or ever did.
        """
        with self._turn:
            run = self.runs.find(name)
            states = [*(one.state for one in run.find(name)), *(one.state for one in run.lessons_of(name))]
            if not {"kept", "waiting"}.intersection(states):
                raise NothingToUndo(f"nothing of {name} stands")
            problems = commit.undo(self._store(), self.state, run.find(name))
            problems += lessons.undo(self._store(), run.lessons_of(name))
            self.runs.keep(run)
            self._add(run, f"{name} was taken back")
            return run, problems

    def approve(self, name: str) -> RunRecord:
        """
        Apply what waits for consent: a run, or one repair of it.

        Raises:
            NotFound: there is no such run, or nothing of it waits.
        """
        with self._turn:
            run = self.runs.find(name)
            states = [*(one.state for one in run.find(name)), *(one.state for one in run.lessons_of(name))]
            if "waiting" not in states:
                raise NotFound(f"nothing of {name} waits for consent; `reverie night log` tells what does")
            store = self._store()
            self._apply(store, run, [one for one in run.find(name) if one.state == "waiting"])
            learned = [one for one in run.lessons_of(name) if one.state == "waiting"]
            lessons.apply(store, self.state, learned, self._now().date().isoformat(), lambda: self.runs.keep(run))
            self.runs.keep(run)
            self._add(run, f"{name} was approved")
            return run

    def policy(self) -> Policy:
        """The policy as it stands."""
        kept = self.state.read("policy", KeptPolicy)
        return kept.policy() if kept else Policy()

    def reset_policy(self) -> Policy:
        """Start again from the fixed mapping."""
        self.state.remove("policy")
        return Policy()

    def spent(self) -> Ledgered:
        """What is remembered between dreams, as of this night."""
        kept = self._kept()
        triggers.spend(kept, self._now())
        return kept

    def scrub(self, needles: Sequence[str], says: Callable[[Collection[int]], set[int]]) -> None:
        """
        Forget everything that holds one of *needles*: questions, records, and what was counted of searches.

        *says* tells which passages are still said.
        """
        self.close()
        self.uses.forget(needles, says)
        self.state.scrub(needles)

    def _pages(self) -> int:
        return self._store().index_status().pages

    def _kept(self) -> Ledgered:
        return self.state.read("kept", Ledgered) or Ledgered()


def _chance(run: RunRecord) -> random.Random:
    """The lots of *run*: the same whenever they are drawn again, others in every run."""
    return random.Random(int.from_bytes(blake2b(run.id.encode(), digest_size=4).digest()))
