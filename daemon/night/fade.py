"""
Decay, as a run of the night: what searches show again and again, and nobody ever needs, steps back.

It is measured as a repair of a dream is: on questions made from memory and on what was searched for and found. What one
of them needs is spared, and what does not help the others is not done.
"""

import random
from datetime import timedelta

import msgspec

from daemon.night import triggers
from daemon.night.bounds import Bounds, Caps
from daemon.night.decay import fading, lowered, shown_in_vain, use_probes, used
from daemon.night.learning import with_answers
from daemon.night.loop import Paused, retrieval_f1
from daemon.night.reading import Reading
from daemon.night.record import RepairRecord, RoundRecord, RunRecord
from daemon.night.repairs import without
from daemon.night.sight import Sight
from daemon.night.sweep import measured
from daemon.night.uses import Uses
from daemon.night.view import MemoryView
from daemon.night.work import Pause, Work

FADED = "faded"
EVERY = timedelta(days=1)


class Faded(msgspec.Struct, frozen=True):
    """When it was looked last for what to lower."""

    when: str = ""


class Fade:
    """Lowers what was shown in vain, as *reading* counts it, and *uses* do not tell of."""

    def __init__(self, work: Work, sight: Sight, reading: Reading, uses: Uses) -> None:
        self._work = work
        self._sight = sight
        self._reading = reading
        self._uses = uses

    def due(self) -> str | None:
        """Why it should be looked now for what to lower; None for a day, or where nothing was shown in vain."""
        work = self._work
        last = work.state.read(FADED, Faded) or Faded()
        when = triggers.not_after(last.when, work.now())
        if when != last.when:
            work.state.write(FADED, Faded(when))
        if triggers.since(when, work.now()) < EVERY:
            return None
        vain = shown_in_vain(self._reading.access(), self._spared())
        return f"{len(vain)} passages were shown in vain" if vain else None

    def run(self, why: str, *, pause: Pause = lambda: None) -> RunRecord | str:
        """
        Lower what was shown in vain, where that helps: the run where something changes, else why nothing does, or why
        *pause* ended it; then it is as due as before.

        Raises:
            StoreError: the vault cannot be read at all; nothing was changed.
        """
        work, heeded = self._work, self._work.heeding(pause)
        with work.turn():
            run, began = work.begin("decay", why)
            try:
                found = self._found(run, heeded)
            except Paused:
                return heeded() or "it was held up"
            work.state.write(FADED, Faded(work.now().isoformat(timespec="seconds")))
            work.budget.spend(work.clock() - began)
            if found is None:
                return run.stopped
            run.repairs = [found]
            work.runs.keep(run)
            work.make_real(run)
            work.end(run, began)
            return run

    def _spared(self) -> frozenset[int]:
        """What was found relevant, and what this night has lowered already."""
        return used(self._uses.all()) | lowered(self._work.tonight())

    def _found(self, run: RunRecord, pause: Pause) -> RepairRecord | None:
        """What to lower; the scores, and why it is so or is nothing, go into *run*. Raises Paused."""
        work, settings = self._work, self._work.settings()

        def gate() -> None:
            if pause() is not None:
                raise Paused

        store, tuning, spared = work.store(), work.state.tuning(), self._spared()
        run.stopped = "nothing was shown in vain"
        if not shown_in_vain(self._reading.access(), spared):
            return None
        graph = self._sight.graph(gate=gate)
        run.passages = len(graph.nodes)
        before = work.tonight()
        bounds = Bounds(gamma=settings.gamma, spared=spared)
        caps = Caps(graph, share=settings.most_share, lines=0, before=before)
        repair = caps.cut(without(fading(graph, tuning, bounds), work.refused), (), {})
        run.stopped = "nothing may be lowered"
        if not repair.actions:
            return None
        real = with_answers(work.state.questions(), store.ledger, gate)
        probes = use_probes(graph, self._uses.all())
        probes += self._sight.probes(settings.probes, random.Random(7), graph=graph, real=real)
        view = MemoryView(graph.corpus, tuning, gate=gate)
        view.learn([probe.question for probe in probes])
        scored = [retrieval_f1(view, probe) for probe in probes]
        found = measured(view, graph, repair, probes, scored)
        run.stopped = "what was shown in vain is in nobody's way"
        if found is None:
            return None
        repair, reward = found
        run.stopped = "what was shown in vain steps back"
        scores = reward.success_before, reward.success_after
        run.rounds = [RoundRecord(number=1, probes=len(probes), before=scores[0], after=scores[1], kept=1, tried=1)]
        return RepairRecord(
            id=f"{run.id}.1",
            op="decay",
            failure="noisy",
            question="all questions of the run",
            actions=list(repair.actions),
            before=scores[0],
            after=scores[1],
        )
