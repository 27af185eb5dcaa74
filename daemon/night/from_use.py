"""What use teaches the ranking, as a run of the night: due after so many uses, kept where it helps, taken back."""

import random
from dataclasses import replace

import msgspec

from daemon.night import ranking, triggers
from daemon.night.learning import with_answers
from daemon.night.loop import Paused
from daemon.night.ranking import RANKED, Ranked
from daemon.night.record import RepairRecord, RoundRecord, RunRecord
from daemon.night.sight import Sight
from daemon.night.uses import Uses
from daemon.night.work import Pause, Work


class FromUse:
    """Learns from *uses*."""

    def __init__(self, work: Work, sight: Sight, uses: Uses) -> None:
        self._work = work
        self._sight = sight
        self._uses = uses

    @property
    def is_on(self) -> bool:
        """Whether what becomes of hits is kept, and learned from."""
        return self._work.settings().learn_from_use

    def due(self) -> str | None:
        """Why the ranking should learn now; None where too little was used since it last looked."""
        if not self.is_on:
            return None
        last, now = self.last(), self._work.now()
        when = triggers.not_after(last.when, now)
        if when != last.when:
            self._work.state.write(RANKED, msgspec.structs.replace(last, when=when))
        fresh = sum(triggers.moment(when) < triggers.moment(use.when) <= now for use in self._uses.all())
        return f"{fresh} hits were used" if fresh >= ranking.FRESH_USES else None

    def learn(self, why: str, *, pause: Pause = lambda: None) -> RunRecord | str:
        """
        Learn from use, and keep what helps: the run where something changes, else why nothing does, or why *pause*
        ended it; then it is as due as before.

        Raises:
            StoreError: the vault cannot be read at all; nothing was changed.
        """
        work, heeded = self._work, self._work.heeding(pause)
        with work.turn():
            run, began = work.begin("ranking", why)
            uses, shifts = self._uses.all(), work.state.tuning().shifts
            try:
                found, run.passages = self._found(heeded)
            except Paused:
                return heeded() or "it was held up"
            when = max((use.when for use in uses), default="", key=triggers.moment)
            work.state.write(RANKED, Ranked(when, found.cases, found.before, found.after, found.why))
            actions = ranking.actions(found, shifts)
            if not actions:
                return found.why
            run.stopped = found.why
            run.rounds = [RoundRecord(number=1, probes=found.cases, before=found.before, after=found.after, kept=1)]
            run.repairs = [
                RepairRecord(
                    id=f"{run.id}.1",
                    op="reweigh",
                    failure="used",
                    question=f"{found.cases} uses",
                    actions=actions,
                    before=found.before,
                    after=found.after,
                )
            ]
            work.runs.keep(run)
            work.make_real(run)
            work.end(run, began)
            work.budget.spend(run.took_s)
            return run

    def last(self) -> Ranked:
        """What came of the last look at uses."""
        return self._work.state.read(RANKED, Ranked) or Ranked()

    def reset(self) -> None:
        """Rank as shipped again, and forget what was used."""
        work = self._work
        with work.turn():
            tuning = work.state.tuning()
            if tuning.shifts:
                work.state.keep_tuning(replace(tuning, shifts={}))
                work.store().use_tuning(work.state.tuning())
            self._uses.clear()
            work.state.remove(RANKED)

    def _found(self, pause: Pause) -> tuple[ranking.Proposed, int]:
        """What uses teach, and over how many passages. Raises Paused."""
        work = self._work

        def gate() -> None:
            if pause() is not None:
                raise Paused

        store = work.store()
        corpus = store.corpus()
        uses = [(use.question, frozenset(use.right)) for use in self._uses.all()]
        real = with_answers(work.state.questions(), store.ledger, gate)
        graph = self._sight.graph(corpus, gate)
        made = self._sight.probes(ranking.MOST_PROBES + len(real), random.Random(7), graph=graph, real=real)
        uses += [(one.question, ranking.keys_of(corpus, one)) for one in made if one.origin != "rule"]
        probes = [one for one in made if one.origin == "rule"]
        found = ranking.propose(corpus, uses, probes, work.state.tuning().shifts, now=work.now, gate=gate)
        return found, len(corpus.passages)
