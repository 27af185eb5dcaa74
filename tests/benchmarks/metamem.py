"""
Rules on the use of memory: does the loop find them, and do they help with questions that it never saw?

    python tests/benchmarks/metamem.py reading [--seeds 5] [--fresh]
    python tests/benchmarks/metamem.py retrieval [--train 3]

`reading`: a scripted reader that counts twice, takes old values for new ones and plans for events, until a rule tells
it better (see _reader.py); whole, without reflection (rules of the same grammar at random), without evolution (all that
the first batch proposes, unmeasured), and untaught. `retrieval`: LoCoMo as journals; directives learned on the
questions of some conversations, evidence recall in the block measured on the others.
"""

import argparse
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from _reader import WRONG, Case, read, world

from daemon.context import build
from daemon.directives import joined
from daemon.night.loop import Probe
from daemon.night.meta_page import Add, MetaRule, advice_of, in_force
from daemon.night.metamem import (
    BATCH,
    SAMPLES,
    Evolution,
    Lesson,
    Reflect,
    Sample,
    applied,
    evolve,
    teaches,
    without_conflicts,
)
from daemon.night.reflection import REMEDIES, RuleMade
from daemon.night.verdict import RIGHT, score
from daemon.passages import choose
from memory_store.ledger import Ledger

BUDGET = 1200
PASSAGES = 6
EMPTY = Ledger.build([])


class Reading:
    """Puts questions to the scripted reader, through the block that the daemon would build."""

    samples = SAMPLES

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = {f"{n}": case for n, case in enumerate(cases)}
        self.calls = 0

    def probes(self) -> list[Probe]:
        return [Probe(name, case.question, case.answer, (), "feedback", case.kind) for name, case in self.cases.items()]

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample:
        self.calls += 1
        case = self.cases[probe.id]
        force = in_force(rules, probe.question)
        directive = joined([rule.directive for rule in force])
        passages = choose(case.passages(), directive, count=PASSAGES)
        block = build(
            probe.question,
            EMPTY,
            passages,
            budget_tokens=BUDGET,
            advice=advice_of(force, BUDGET // 4),
            directive=directive,
        )
        answer = read(block.text, probe.question, random.Random(f"{probe.id} {seed}"))
        return Sample(score(answer, case.answer), answer, block.text)


def success(trial: Reading, rules: Sequence[MetaRule]) -> tuple[float, dict[str, float]]:
    """The share of right answers over all samples, and by kind of question."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for probe in trial.probes():
        for seed in range(SAMPLES):
            by_kind[probe.pattern].append(float(trial(probe, rules, seed).success >= RIGHT))
    return statistics.fmean(one for each in by_kind.values() for one in each), {
        kind: statistics.fmean(each) for kind, each in by_kind.items()
    }


def unreflected(rng: random.Random) -> Reflect:
    """Proposes a rule of the grammar now and then, whatever went wrong: one a batch, on average."""
    remedies = [remedy for each in REMEDIES.values() for remedy in each]

    def propose(_probe: Probe, _samples: Sequence[Sample], _rules: Sequence[MetaRule]) -> list[Lesson]:
        if rng.random() > 1 / BATCH:
            return []
        remedy = rng.choice(remedies)
        return [Lesson(Add(MetaRule(remedy.text, remedy.does)), "at random")]

    return propose


def mistaken(rng: random.Random) -> Reflect:
    """Reflects as a middling model would: half of what the grammar sees is missed, and as much is proposed wrongly."""
    careful = RuleMade()

    def propose(probe: Probe, samples: Sequence[Sample], rules: Sequence[MetaRule]) -> list[Lesson]:
        found = [lesson for lesson in careful(probe, samples, rules) if rng.random() < 0.5]
        wrong = [Lesson(Add(MetaRule(rng.choice(WRONG))), "a mistake") for _ in range(rng.randrange(1, 3))]
        return [*found, *wrong]

    return propose


def unevolved(trial: Reading, training: Sequence[Probe], reflect: Reflect, rng: random.Random) -> tuple[MetaRule, ...]:
    """The rules that the first batch proposes, all of them, none measured."""
    lessons: list[Lesson] = []
    for probe in rng.sample(list(training), BATCH):
        samples = [trial(probe, (), seed) for seed in range(SAMPLES)]
        lessons += reflect(probe, samples, ()) if teaches(samples) else ()
    return applied((), without_conflicts(lessons, ()))


def reading(seeds: int, *, fresh: bool) -> None:
    """One row a variant, the mean over seeds of success on 160 held-out questions, of the *fresh* world or not."""
    start, side = (70_000, 2) if fresh else (0, 1)
    rows: dict[str, list[float]] = defaultdict(list)
    kinds: dict[str, list[float]] = defaultdict(list)
    began = time.perf_counter()
    for seed in range(seeds):
        seen = Reading(world(start + seed, 96, side=0))
        training = seen.probes()[:64]
        held_out = Reading(world(1000 + start + seed, 160, side=side))

        def measure(name: str, rules: Sequence[MetaRule], asked: Reading = held_out) -> None:
            share, by_kind = success(asked, rules)
            rows[name].append(share)
            for kind, value in by_kind.items() if name.startswith("whole, by the grammar") else ():
                kinds[kind].append(value)

        def learn(reflect: Reflect, made: int = seed, seen: Reading = seen) -> Evolution:
            probes = seen.probes()
            return evolve((), probes[:64], probes[64:], seen, reflect, rng=random.Random(made))

        measure("untaught", ())
        measure("without reflection: rules at random, measured", learn(unreflected(random.Random(seed))).rules)
        for name, reflects in (("by the grammar", lambda _: RuleMade()), ("half mistaken", mistaken)):
            first = unevolved(seen, training, reflects(random.Random(seed)), random.Random(seed))
            measure(f"without evolution: the first batch, {name}", first)
            whole = learn(reflects(random.Random(seed)))
            measure(f"whole, {name}", whole.rules)
            print(f"seed {seed}, {name}: {len(whole.steps)} steps, {whole.before:.3f} -> {whole.after:.3f}, rules:")
            for rule in whole.rules:
                print(f"    {rule.id} {rule.text} `{rule.directive}` (helped {rule.helped}, hurt {rule.hurt})")
    for name, values in rows.items():
        print(f"{name:52s} {statistics.fmean(values):.3f}  ({min(values):.3f} to {max(values):.3f})")
    print("whole, by kind:", {kind: round(statistics.fmean(values), 3) for kind, values in kinds.items()})
    print(f"{time.perf_counter() - began:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("reading", "retrieval"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--train", type=int, default=3, help="conversations to learn from")
    parser.add_argument("--fresh", action="store_true", help="seeds and held-out questions that were measured once")
    arguments = parser.parse_args()
    if arguments.part == "reading":
        reading(arguments.seeds, fresh=arguments.fresh)
    else:
        from _directives import retrieval

        retrieval(arguments.train)


if __name__ == "__main__":
    main()
