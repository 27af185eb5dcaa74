"""
Experiences from conversations: do they grow, and do they carry over to questions that were never asked?

    python tests/benchmarks/umem.py [--seeds 3] [--epochs 10] [--fresh]

A world of conventions ("what is the label of the Norwegian invoice for Fjord?": the convention's word and the name).
Each conversation raises one question; the candidates drawn from it hold the convention, the bare answer, a wrong
convention, words beside the point, in random order. The reader takes the answer from the memory that shares most words
with the question. Held-out questions are about other names.
"""

import argparse
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import _fresh_worlds as fresh

from daemon.context import content_words
from daemon.night.blocks import Blocks
from daemon.night.experiences import Candidate, Conversation, Experience, learn, spare
from daemon.night.loop import Outcome, Probe
from memory_store.ledger import Ledger

DOMAINS = (
    "norwegian invoice", "garden order", "choir rota", "boat permit", "school form", "cellar crate", "clinic letter",
    "parcel label", "theatre seat", "library card", "orchard row", "bakery tray",
)  # fmt: skip
WORDS = ("Kestrel", "Marigold", "Saltire", "Quince", "Rookery", "Tamarind", "Palmera", "Umberto", "Ironhall", "Vault")
INSIGHT = 0.5  # how often a conversation yields what holds in general
TALKS = 12  # conversations an epoch, of 36
DRAWN = 3  # candidates drawn from a conversation, of all that might be
NAMES = [
    f"{a}{b}" for a in ("Fjord", "Birk", "Holt", "Lind", "Moss", "Tarn") for b in ("aby", "eck", "ova", "um", "ist")
]
_LEARNED = re.compile(r"^- learned (.*?): (.*)$", re.MULTILINE)
_ANSWER = re.compile(r"\b([A-Z]\w+)-(\w+)")


@dataclass(frozen=True)
class World:
    """Conventions of *domains*, by *words*; how *names* are asked for, and what may be drawn from a talk about one."""

    domains: Sequence[str]
    words: Sequence[str]
    names: Sequence[str]
    asks: str
    draws: Callable[[random.Random, str, str, str, str], dict[str, tuple[str, str]]]


def drawn(_rng: random.Random, domain: str, name: str, right: str, wrong: str) -> dict[str, tuple[str, str]]:
    """What an extractor might draw, by what it is: as topic and words."""
    answer = f"{right}-{name}"
    return {
        "right": (f"on {domain}", f"Its mark is {right}-NAME."),
        "narrow": (f"on {domain} {name}", f"The mark of the {domain} for {name} is {answer}."),
        "wrong": (f"on {domain}", f"Its mark is {wrong}-NAME."),
        "idle": (f"on {domain} mark", f"Someone asked for the mark of a {domain} and wondered who made it up."),
        "wordy": (
            f"on {domain}",
            f"As was said at length, and more than once, the mark of a {domain} is {right}-NAME.",
        ),
        "bare": (f"on {domain} mark", f"The mark is {answer}."),
    }


TUNED = World(DOMAINS, WORDS, NAMES, "What is the mark of the {domain} for {name}?", drawn)
FRESH = World(fresh.DOMAINS, fresh.WORDS, fresh.PEOPLE, fresh.ASKS, fresh.told)


def read(block: str, asked: str, names: Sequence[str]) -> str:
    """The answer in the memory that shares most words with *asked*, the first of equals; a convention is filled in."""
    wanted = content_words(asked)
    name = next(name for name in names if name in asked)
    best = max(_LEARNED.findall(block), key=lambda line: len(wanted & content_words(" ".join(line))), default=None)
    found = _ANSWER.search(best[1]) if best else None
    if found is None:
        return "unknown"
    return f"{found[1]}-{name}" if found[2] == "NAME" else found[0]


def judging(names: Sequence[str]) -> Callable[[Blocks, Probe], Outcome]:
    """Judges what is read out of the block about one of *names*."""

    def judge(view: Blocks, probe: Probe) -> Outcome:
        _, block = view.recall(probe.question)
        return Outcome(float(read(block.text, probe.question, names) == probe.answer), len(block.text))

    return judge


def candidates(rng: random.Random, conventions: dict[str, str], world: World):
    """What an extractor might draw from a conversation: right, too narrow, wrong, wordy and idle, in any order."""

    def propose(conversation: Conversation, probe: Probe, known: Sequence[Experience]) -> list[Candidate]:
        domain, name = conversation.said
        word, wrong = conventions[domain], rng.choice(world.words)
        values = list(world.draws(rng, domain, name, word, wrong).values())
        if rng.random() > INSIGHT:
            values = [(topic, value) for topic, value in values if f"{word}-NAME" not in value]
        values = rng.sample(values, DRAWN)
        found = [Candidate(Experience(topic, value, conversation.source)) for topic, value in values]
        same = [each for each in known if domain in each.topic]
        if same:
            found += [Candidate(candidate.experience, rng.choice(same)) for candidate in list(found)]
        return found

    return propose


def run(seed: int, epochs: int, world: World = TUNED, asked: int = 36) -> dict[str, list[tuple[float, float, int]]]:
    """By variant, for each epoch: success on the questions asked again, on held-out ones, and memories kept."""
    rng = random.Random(seed)
    conventions = {domain: rng.choice(world.words) for domain in world.domains}
    names, domains = rng.sample(world.names, len(world.names)), world.domains
    judge = judging(names)

    def probe(n: int, domain: str, name: str) -> Probe:
        return Probe(
            f"{n}", world.asks.format(domain=domain, name=name), f"{conventions[domain]}-{name}", (), "feedback"
        )

    cases = [(domains[n % len(domains)], names[n % 20]) for n in range(asked)]
    questions = [probe(n, *case) for n, case in enumerate(cases)]
    unseen = [probe(1000 + n, domains[n % len(domains)], names[20 + n % 10]) for n in range(48)]
    talks = [Conversation(case, "journal/2026/2026-11-30", (one,)) for case, one in zip(cases, questions, strict=True)]
    empty = Blocks(Ledger.build([]), lambda _q, _n: [], _no_page, (), 1200, 6)
    rows: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for variant in ("utility over 3 neighbours", "N = 0", "N = 0, unguarded", "commit always"):
        view = empty
        propose = candidates(random.Random(seed), conventions, world)
        for epoch in range(epochs):
            order = random.Random(f"{seed} {epoch}").sample(talks, TALKS)
            if variant == "commit always":
                for talk in order:
                    view = view.with_(propose(talk, talk.probes[0], view.experiences)[0])
            else:
                count = 3 if variant.startswith("utility") else 0
                guarded = "unguarded" not in variant
                view = learn(view, order, questions, propose, judge, neighbours=count, guarded=guarded).view
                if guarded:
                    view = view.knowing(spare(view, questions, judge))
            rows[variant].append(
                (_success(view, questions, judge), _success(view, unseen, judge), len(view.experiences))
            )
    return rows


def _success(view: Blocks, probes: Sequence[Probe], judge: Callable[[Blocks, Probe], Outcome]) -> float:
    return statistics.fmean(judge(view, probe).success for probe in probes)


def _no_page(path: str):  # the world has none
    raise AssertionError(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--fresh", action="store_true", help="a world and seeds that were measured once")
    arguments = parser.parse_args()
    began = time.perf_counter()
    first, world = (70_000, FRESH) if arguments.fresh else (0, TUNED)
    runs = [run(first + seed, arguments.epochs, world) for seed in range(arguments.seeds)]
    for variant in runs[0]:
        again, unseen, kept = (
            [statistics.fmean(each[variant][n][part] for each in runs) for n in range(arguments.epochs)]
            for part in range(3)
        )
        grows = all(
            each[variant][n][0] <= each[variant][n + 1][0] for each in runs for n in range(arguments.epochs - 1)
        )
        print(f"{variant:26s} asked again {' '.join(f'{one:.2f}' for one in again)}  monotone: {grows}")
        print(f"{'':26s} held out    {' '.join(f'{one:.2f}' for one in unseen)}  memories: {kept[-1]:.0f}")
    print(f"{time.perf_counter() - began:.1f} s, {arguments.seeds} seeds")


if __name__ == "__main__":
    main()
