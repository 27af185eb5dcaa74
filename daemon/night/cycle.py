"""
One dream: probe, diagnose, propose, measure, keep what helps, and again until retrieval no longer rises.

Pure: it decides, on a corpus and under an overlay; nothing is written here.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Literal

import numpy as np

from daemon.night.bounds import Bounds, Caps
from daemon.night.diagnose import FAILURES, FIXED, Diagnosis, Failure, diagnose
from daemon.night.graph import Graph
from daemon.night.loop import (
    CANDIDATES,
    NEIGHBOURS,
    Outcome,
    Probe,
    Reward,
    Weighed,
    best,
    nearest,
    retrieval_f1,
    weigh,
)
from daemon.night.policy import Policy
from daemon.night.propose import propose, restoring
from daemon.night.repairs import OPS, Op, Repair, meant, without
from daemon.night.sweep import measured, sweeps
from daemon.night.view import MemoryView
from memory_store.ledger import Ledger

Analyst = Literal["rules", "none"]
LEAST_RISE = 0.002
SWEEP = Probe("sweep", "all probes of the round", "", (), pattern="sweep")


@dataclass(frozen=True)
class Limits:
    """
    What one dream may do: *rounds* at most, *probes* a round; with what the night did before it, touch a *share* of the
    pages and write *lines*; a repair is kept that costs no neighbour more than *harm*.
    """

    rounds: int = 3
    probes: int = 240
    share: float = 0.5
    lines: int = 40
    harm: float = 0.0
    candidates: int = CANDIDATES
    neighbours: int = NEIGHBOURS
    least_rise: float = LEAST_RISE


@dataclass(frozen=True)
class Kept:
    """A repair that is kept, and why."""

    repair: Repair
    probe: Probe
    failure: Failure
    reward: Reward
    round: int


@dataclass(frozen=True)
class Failed:
    """A probe that failed, how, what was *tried* for it, and whether something was kept that helps it."""

    probe: Probe
    failure: Failure
    tried: tuple[Op, ...]
    helped: bool

    def after(self, earlier: "Failed | None") -> "Failed":
        """This, with what was tried and helped in rounds before."""
        if earlier is None:
            return self
        tried = tuple(dict.fromkeys((*earlier.tried, *self.tried)))
        return replace(self, tried=tried, helped=self.helped or earlier.helped)


@dataclass(frozen=True)
class Round:
    """
    Scores of one round over its probes, before and after; *tried* repairs for its *failures*; *dropped* are those that
    none helped.
    """

    number: int
    probes: int
    before: float
    after: float
    failures: dict[str, int]
    kept: int
    dropped: int
    tried: int = 0


@dataclass(frozen=True)
class Dream:
    """
    What a dream found out. *view* has every kept repair applied; *stopped* says why it ended; *failed* are the probes
    that did, each once, with all that was tried in any round.
    """

    view: MemoryView
    kept: tuple[Kept, ...]
    rounds: tuple[Round, ...]
    policy: Policy
    stopped: str = ""
    probes: tuple[Probe, ...] = ()
    failed: tuple[Failed, ...] = ()


@dataclass
class Dreamer:
    """
    Dreams on one corpus. *make* gives the probes of a round; *pause* says, between two failures, why to stop (or None).

    *analyst* "none" draws operations whatever the failure; *learned* False follows the fixed mapping alone. *refused*
    are actions, by what they are meant for, that the owner took back before; *before* is what earlier dreams of the
    night have done.
    """

    graph: Graph
    ledger: Ledger
    bounds: Bounds
    limits: Limits
    rng: random.Random
    make: Callable[[Graph, int], list[Probe]]
    policy: Policy = field(default_factory=Policy)
    analyst: Analyst = "rules"
    learned: bool = True
    sweeps: bool = True
    refused: frozenset[str] = frozenset()
    before: tuple[Repair, ...] = ()
    pause: Callable[[], str | None] = lambda: None

    def __post_init__(self) -> None:
        limits = self.limits
        self._caps = Caps(self.graph, share=limits.share, lines=limits.lines, before=self.before)

    def dream(self, view: MemoryView) -> Dream:
        """All rounds."""
        kept: list[Kept] = []
        rounds: list[Round] = []
        probes: list[Probe] = []
        failed: dict[str, Failed] = {}
        policy = self.policy
        stopped = "the last round"
        generator = np.random.default_rng(self.rng.getrandbits(32))
        for number in range(1, self.limits.rounds + 1):
            if why := self.pause():
                stopped = why
                break
            asked = self._probes(view)
            probes += asked
            if not asked:
                stopped = "nothing to ask"
                break
            before = [retrieval_f1(view, probe) for probe in asked]
            fresh, swept = self._sweep(view, asked, before, kept, number) if self.sweeps else (view, [])
            now = [retrieval_f1(fresh, probe) for probe in asked] if swept else before
            fresh, mine, policy, missed, tried, why = self._round(
                fresh, asked, now, [*kept, *swept], policy, generator, number
            )
            mine = [*swept, *mine]
            after = [retrieval_f1(fresh, probe) for probe in asked]
            scores = fmean(one.success for one in before), fmean(one.success for one in after)
            rises = scores[1] - scores[0] >= self.limits.least_rise
            if rises:
                view, kept = fresh, [*kept, *mine]
            for one in (*_swept(asked, before, now, swept), *missed):
                last = replace(one, helped=one.helped and rises)
                failed[one.probe.id] = last.after(failed.get(one.probe.id))
            counts = {name: sum(one.failure == name for one in missed) for name in FAILURES}
            rounds.append(
                Round(
                    number,
                    len(asked),
                    scores[0],
                    scores[1] if rises else scores[0],
                    {name: count for name, count in counts.items() if count},
                    len(mine) if rises else 0,
                    len(missed) - len(mine) + len(swept),
                    tried + len(swept),
                )
            )
            if why:
                stopped = why
                break
            if not rises:
                stopped = "retrieval no longer rises"
                break
        return Dream(view, tuple(kept), tuple(rounds), policy, stopped, tuple(probes), tuple(failed.values()))

    def _probes(self, view: MemoryView) -> list[Probe]:
        asked = self.make(self.graph, self.limits.probes)
        view.learn([probe.question for probe in asked])
        return [replace(probe, vector=view.asked(probe.question).vector) for probe in asked]

    def _round(
        self,
        view: MemoryView,
        probes: Sequence[Probe],
        before: Sequence[Outcome],
        earlier: Sequence[Kept],
        policy: Policy,
        generator: np.random.Generator,
        number: int,
    ) -> tuple[MemoryView, list[Kept], Policy, list[Failed], int, str | None]:
        tried = 0
        kept: list[Kept] = []
        missed: list[Failed] = []
        order = sorted(range(len(probes)), key=lambda i: before[i].success)
        why = None
        for i in order:
            if before[i].success >= 1.0:
                break
            why = self.pause()
            if why:
                break
            found = diagnose(view, self.graph, self.ledger, probes[i])
            if found is None:
                continue
            back = self._allowed(restoring(found, self.graph, view.tuning))  # offered always, whatever is drawn
            drawn = self._propose(found, view, policy, generator)
            near = nearest(probes[i], probes, count=self.limits.neighbours)
            weighed = weigh(view, probes[i], [*back, *drawn], near)
            tried += len({one.proposal.key for one in weighed})
            if self.learned and self.analyst == "rules":
                rewards = [one.reward.utility for one in weighed[len(back) :]]
                policy = policy.learn(found.features, [repair.op for repair in drawn], rewards)
            allowed = [one for one in weighed if self._fits(one.proposal, [*earlier, *kept])]
            winner = self._best(allowed)
            ops = tuple(dict.fromkeys(one.proposal.op for one in weighed))
            missed.append(Failed(probes[i], found.failure, ops, winner is not None))
            if winner is not None:
                view = view.with_(winner.proposal)
                kept.append(Kept(winner.proposal, probes[i], found.failure, winner.reward, number))
        return view, kept, policy, missed, tried, why

    def _best(self, weighed: Sequence[Weighed[Repair]]) -> Weighed[Repair] | None:
        """The best that writes nothing, else the best: a new line is one more thing to find among the others."""
        quiet = [one for one in weighed if not one.proposal.writes]
        return best(quiet, most_harm=self.limits.harm) or best(weighed, most_harm=self.limits.harm)

    def _sweep(
        self,
        view: MemoryView,
        probes: Sequence[Probe],
        before: Sequence[Outcome],
        earlier: Sequence[Kept],
        number: int,
    ) -> tuple[MemoryView, list[Kept]]:
        """*view* with the best repair of a whole kind, where one helps over all *probes*; on the pages that need it."""
        done = [one.repair for one in earlier]
        need: dict[str, float] = defaultdict(float)
        for probe, outcome in zip(probes, before, strict=True):
            for path in {source.path for source in probe.sources}:
                need[path] += 1.0 - outcome.success
        made = [self._caps.cut(repair, done, need) for repair in self._sweeps(view)]
        tried = [
            found for repair in made if repair.actions and (found := measured(view, self.graph, repair, probes, before))
        ]
        if not tried:
            return view, []
        repair, reward = max(tried, key=lambda found: found[1].gain)
        failure: Failure = "buried" if repair.op == "extract" else "noisy"
        return view.with_(repair), [Kept(repair, SWEEP, failure, reward, number)]

    def _sweeps(self, view: MemoryView) -> list[Repair]:
        """Repairs of a whole kind, without what the owner has refused."""
        return [without(repair, self.refused) for repair in sweeps(self.graph, view, self.bounds)]

    def _propose(
        self, found: Diagnosis, view: MemoryView, policy: Policy, generator: np.random.Generator
    ) -> list[Repair]:
        def draw() -> Op:
            if self.analyst == "none":
                return OPS[int(generator.integers(len(OPS)))]
            return policy.draw(found.features, generator) if self.learned else FIXED[found.failure]

        made = propose(found, self.graph, self.ledger, view.tuning, self.bounds, draw, count=self.limits.candidates)
        return self._allowed(made)

    def _allowed(self, repairs: Sequence[Repair]) -> list[Repair]:
        """*repairs* without those of which the owner has refused a part."""
        return [one for one in repairs if not self.refused.intersection(map(meant, one.actions))]

    def _fits(self, repair: Repair, kept: Sequence[Kept]) -> bool:
        """Whether *repair* stays within what one night may do, after what it did before, and *kept*."""
        return self._caps.fits([*(one.repair for one in kept), repair])


def _swept(
    probes: Sequence[Probe], before: Sequence[Outcome], after: Sequence[Outcome], swept: Sequence[Kept]
) -> list[Failed]:
    """Those of *probes* that failed until a repair of a whole kind was *swept* over all."""
    return [
        Failed(probe, one.failure, (one.repair.op,), helped=True)
        for one in swept
        for probe, old, new in zip(probes, before, after, strict=True)
        if old.success < 1.0 <= new.success
    ]
