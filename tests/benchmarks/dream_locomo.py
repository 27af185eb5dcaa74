"""
Dreams measured on LoCoMo: evidence recall on questions that the loop never sees, before and after.

    python tests/benchmarks/dream_locomo.py                     # every conversation, three rounds
    python tests/benchmarks/dream_locomo.py --tables            # and ablations, gamma, rounds with rare facts
    python tests/benchmarks/dream_locomo.py --tables gamma --alone --few 3    # this table alone, on the last three
    python tests/benchmarks/dream_locomo.py --bound             # what repairs do with the evaluation's own questions

Each conversation is kept as a journal by the store itself, with the starter embedding model; searches are the
product's. No chat model takes part. After a dream a question and the reply it is tied to are shown as one hit where
both are found: *apart* is the recall without that, and *neighbours* that of joining any two hits that follow one
another without a dream. What is printed last is one JSON object with every number.
"""

import argparse
import dataclasses
import json
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from _locomo import ROOT, Asked, CachedEmbedder, Recall, ingest, load, recall
from _notes import evaluation_data

from daemon.config import Night as Settings
from daemon.config import load as load_config
from daemon.night.bounds import Bounds
from daemon.night.cycle import Dream, Dreamer, Limits
from daemon.night.graph import Graph, build, informative, sentences
from daemon.night.loop import Found, Probe, Source
from daemon.night.night import Night
from daemon.night.probes import grounded, make_probes
from daemon.night.state import Access, NightState
from daemon.night.view import MemoryView
from daemon.paths import Paths
from memory_store.index.corpus import Corpus
from memory_store.index.hits import Hit, joined
from memory_store.ledger import Ledger
from memory_store.store import Store
from memory_store.tuning import Tuning

DATA = evaluation_data() / "locomo/locomo10.json"
TODAY = date(2024, 6, 1)


@dataclass
class Case:
    """One conversation: its store and questions."""

    name: str
    store: Store
    asked: list[Asked]
    before: Recall
    neighbours: Recall
    corpus: Corpus

    @cached_property
    def view(self) -> MemoryView:
        """Memory as it is, with all questions looked up."""
        made = MemoryView(self.corpus, Tuning())
        made.learn([one.question for one in self.asked])
        return made

    @cached_property
    def plain(self) -> Recall:
        """Recall without a dream, ranked as the overlay ranks."""
        return recall(searching(self.view), self.asked)


@dataclass
class Result:
    """What a dream did to one conversation."""

    name: str
    turns: int
    questions: int
    before: Recall
    after: Recall
    took_s: float
    cpu_s: float
    kept: dict[str, int]
    rounds: list[tuple[float, float]]
    probes: int
    grounded: float
    leaked: int
    lines: int
    apart: Recall
    neighbours: Recall
    extra: dict[str, float] = field(default_factory=dict)


def open_case(conversation: dict, root: Path, embedder: CachedEmbedder) -> Case:
    """The conversation in a store of its own, measured as it is."""
    store, asked = ingest(conversation, root, embedder)
    before = recall(lambda question: store.search(question, limit=10), asked)
    budget = before.characters
    before = recall(lambda question: store.search(question, limit=10), asked, budget=budget)
    neighbours = recall(lambda question: with_neighbours(store.search(question, limit=20)), asked, budget=budget)
    return Case(conversation["sample_id"], store, asked, before, neighbours, store.corpus())


def with_neighbours(hits: Sequence[Hit]) -> list[Hit]:
    """*hits* with each two that follow one another joined, as dreams join a question and its reply: for comparison."""
    ties = {
        one.key: {
            other.key: 1.0 for other in hits if one.path == other.path and 0 < other.start_line - one.end_line <= 4
        }
        for one in hits
    }
    return joined(hits, ties)[:10]


def headline(case: Case, root: Path, settings: Settings) -> Result:
    """The product's own night on *case*, then its own search."""
    night = Night(
        lambda: case.store,
        NightState(root / "state" / "night"),
        lambda: settings,
        now=lambda: datetime(TODAY.year, TODAY.month, TODAY.day, 3, tzinfo=UTC),
    )
    probes: list[Probe] = []
    began, cpu = time.monotonic(), time.process_time()
    run = night.dream("Measured")
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    while case.store.embed_pending(512):
        pass
    after = recall(lambda question: case.store.search(question, limit=10), case.asked, budget=case.before.characters)
    view = MemoryView(case.store.corpus(), night.state.tuning())
    view.learn([one.question for one in case.asked])
    apart = recall(searching(view), case.asked, budget=case.before.characters)
    probes = asked_of(case.corpus, run.id, settings.probes)
    return Result(
        case.name,
        len(case.corpus.passages),
        len(case.asked),
        case.before,
        after,
        took,
        cpu,
        dict(Counter(repair.op for repair in run.repairs)),
        [(one.before, one.after) for one in run.rounds],
        sum(one.probes for one in run.rounds),
        share_grounded(case.corpus, probes),
        leaks(probes, case.asked),
        sum(len(repair.actions) for repair in run.repairs if repair.commit),
        apart,
        case.neighbours,
    )


def asked_of(corpus: Corpus, name: str, most: int) -> list[Probe]:
    """Every probe that the rules can make of *corpus*."""
    graph = build(corpus, tuning=Tuning(), access=Access(), today=TODAY)
    del name, most
    return make_probes(graph, Ledger(), rng=random.Random(0), most=10**6)


def share_grounded(corpus: Corpus, probes: Sequence[Probe]) -> float:
    """The share of probes whose answer stands word for word at its source."""
    texts = {
        Source(passage.path, passage.start_line, passage.end_line): passage.text for passage in corpus.passages.values()
    }
    return sum(grounded(probe, texts) for probe in probes) / max(1, len(probes))


def leaks(probes: Sequence[Probe], asked: Sequence[Asked]) -> int:
    """How many probes ask word for word what the evaluation asks."""
    known = {" ".join(one.question.lower().split()) for one in asked}
    return sum(" ".join(probe.question.lower().split()) in known for probe in probes)


# -- tables: on the overlay, which ranks as the search does ---


def searching(view: MemoryView) -> Callable[[str], list[Hit]]:
    """*view* as a search."""

    def search(question: str) -> list[Hit]:
        return [as_hit(found) for found in view.retrieve(question, 10)]

    return search


def as_hit(found: Found) -> Hit:
    """A found passage as a hit; a draft says where its words come from, as its line would."""
    links = "".join(f" [[{cited.path.removesuffix('.md')}]]" for cited in found.cites)
    place = found.place
    return Hit(place.path, place.start_line, place.end_line, "", "", "", found.score, found.text + links)


def dream(
    case: Case,
    *,
    rounds: int = 3,
    seed: int = 1,
    gamma: float = 0.2,
    forced: bool = False,
    lines: bool = False,
    candidates: int = Limits.candidates,
    **options,
) -> Dream:
    """One dream on the overlay with parts changed or left out by *options*; *forced* rounds never stop early."""
    graph = build(case.corpus, tuning=Tuning(), access=Access(), today=TODAY)
    rng = random.Random(seed)

    def make(graph: Graph, most: int) -> list[Probe]:
        return make_probes(graph, Ledger(), rng=rng, most=most)

    options.setdefault("make", make)
    limits = Limits(rounds=rounds, least_rise=-9.0 if forced else Limits.least_rise, candidates=candidates)
    bounds = Bounds(gamma=gamma, lines=lines)
    return Dreamer(graph, Ledger(), bounds, limits, rng, **options).dream(case.view)


def blind(graph: Graph, most: int) -> list[Probe]:
    """Instead of the Dreamer: passages at random, each asked for by half of one of its sentences."""
    rng = random.Random(len(graph.nodes) + most)
    rows = rng.sample(sorted(graph.nodes), min(most, len(graph.nodes)))
    probes = []
    for row in rows:
        passage = graph.nodes[row].passage
        said = max(sentences(passage.text), key=lambda part: informative(graph.corpus, part), default="")
        words = said.split()
        if len(words) > 3:
            place = Source(passage.path, passage.start_line, passage.end_line)
            probes.append(Probe(f"b{row}", " ".join(words[::2]), said, (place,), pattern="blind"))
    return probes


def bound(cases: Sequence[Case]) -> dict[str, dict[str, float]]:
    """
    What repairs could do with better probes: half of each conversation's own questions are the probes of a dream.

    Recall@5, without joining, on those that were probes, and on the other half, which stays unseen; by variant, over
    all questions and over those that have an answer (categories 1 to 4).
    """
    found: dict[str, dict[str, list[float]]] = {}
    variants: dict[str, dict] = {
        "before": {},
        "all parts": {},
        "no sweep": {"sweeps": False},
        "with lines": {"lines": True},
    }
    for case in cases:
        order = random.Random(1).sample(case.asked, len(case.asked))
        for probed, unseen in ((order[::2], order[1::2]), (order[1::2], order[::2])):
            probes = [_own(case, number, one) for number, one in enumerate(probed)]
            for name, options in variants.items():
                made = (
                    dream(case, make=lambda *_, probes=probes: probes, **options).view
                    if options or name != "before"
                    else case.view
                )
                for part, asked in (("probed", probed), ("unseen", unseen)):
                    for kind, some in (("all", asked), ("answerable", [one for one in asked if one.category != 5])):
                        after = recall(searching(made), some).at5
                        found.setdefault(name, {}).setdefault(f"{part}, {kind}", []).append(after)
    return {name: {part: float(np.mean(values)) for part, values in parts.items()} for name, parts in found.items()}


def _own(case: Case, number: int, one: Asked) -> Probe:
    sources = tuple(Source(turn.path, turn.start_line, turn.end_line) for turn in one.evidence)
    answer = one.evidence[0].text.strip().splitlines()[0]
    return Probe(f"own {number}", one.question, answer, sources, "failed", "own")


def rare_recall(view: MemoryView, corpus: Corpus, count: int = 150) -> float:
    """The share of passages with a word of their own that are among ten hits for their three rarest words."""
    rng = random.Random(5)
    from memory_store.index.analysis import words

    found = []
    for passage in corpus.passages.values():
        said = sorted(
            {word for word in words(passage.text) if len(word) > 3 and corpus.stems(word)},
            key=lambda word: (len(corpus.rows_with(corpus.stems(word)[0])), word),
        )
        if len(said) >= 3 and len(corpus.rows_with(corpus.stems(said[0])[0])) == 1:
            found.append((" ".join(said[:3]), passage))
    rng.shuffle(found)
    hits = 0
    for question, passage in found[:count]:
        place = Source(passage.path, passage.start_line, passage.end_line)
        hits += any(hit.shows(place) for hit in view.retrieve(question, 10))
    return hits / max(1, len(found[:count]))


def interval(gains: Sequence[float], draws: int = 10_000) -> tuple[float, float]:
    """The 95% interval of the mean by bootstrap over conversations."""
    generator = np.random.default_rng(0)
    picked = generator.choice(np.array(gains), (draws, len(gains)))
    low, high = np.percentile(picked.mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


ABLATIONS: dict[str, dict] = {
    "all parts": {},
    "no Dreamer": {"make": blind},
    "no Analyst": {"analyst": "none"},
    "no policy": {"learned": False},
    "no sweep": {"sweeps": False},
    "hard pruning": {"gamma": 0.0},
    "with lines": {"lines": True},
    "one candidate": {"candidates": 1},
    "one candidate, no Analyst": {"candidates": 1, "analyst": "none"},
    "one candidate, no policy": {"candidates": 1, "learned": False},
    "one candidate, no sweep": {"candidates": 1, "sweeps": False},
}


GAMMAS = (0.0, 0.1, 0.2, 0.5, 0.9)
ROUNDS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 20)


def gains(cases: Sequence[Case], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, list[float]]:
    """What each of *rows*, options of a dream, gains over *cases*: mean and interval."""
    found = {}
    for name, options in rows.items():
        made = [recall(searching(dream(case, **options).view), case.asked).at5 - case.plain.at5 for case in cases]
        found[name] = [float(np.mean(made)), *interval(made)]
        mean, low, high = (100 * value for value in found[name])
        print(f"  {name:<26} {mean:+.2f} [{low:+.2f}, {high:+.2f}]", flush=True)
    return found


def rounds_and_rare(cases: Sequence[Case]) -> dict[str, dict[int, float]]:
    """What is gained after each of twenty forced rounds, and the share of rare facts that is still found."""
    gained: dict[int, list[float]] = {}
    rare: dict[int, list[float]] = {}
    for case in cases:
        start = rare_recall(case.view, case.corpus)
        made = dream(case, rounds=max(ROUNDS), forced=True)
        for rounds in ROUNDS:
            view = case.view
            for one in made.kept:
                if one.round <= rounds:
                    view = view.with_(one.repair)
            gained.setdefault(rounds, []).append(recall(searching(view), case.asked).at5 - case.plain.at5)
            rare.setdefault(rounds, []).append(rare_recall(view, case.corpus) / max(start, 1e-9))
    found = {"rounds": {rounds: float(np.mean(all_)) for rounds, all_ in gained.items()}}
    found["rare"] = {rounds: float(np.mean(all_)) for rounds, all_ in rare.items()}
    print("  rounds:", {n: f"{100 * value:+.2f}" for n, value in found["rounds"].items()}, flush=True)
    print("  rare facts kept:", {n: f"{value:.3f}" for n, value in found["rare"].items()}, flush=True)
    return found


TABLES: dict[str, Callable[[Sequence[Case]], object]] = {
    "ablations": lambda cases: gains(cases, ABLATIONS),
    "gamma": lambda cases: gains(cases, {f"gamma {gamma}": {"gamma": gamma} for gamma in GAMMAS}),
    "rounds": rounds_and_rare,
}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument(
        "--models", type=Path, default=Path(os.environ.get("REVERIE_TEST_MODELS", ROOT / ".cache/models"))
    )
    parser.add_argument("--only", nargs="*", default=None, metavar="NAME", help="these conversations alone")
    parser.add_argument("--cache", type=Path, default=None, help="a file for vectors, so that a second run is quick")
    parser.add_argument("--tables", nargs="*", choices=list(TABLES), help="these tables as well, all if none is named")
    parser.add_argument("--few", type=int, default=10, help="of the conversations, how many the tables are made of")
    parser.add_argument("--alone", action="store_true", help="the tables, without the dreams of the product itself")
    parser.add_argument("--bound", action="store_true", help="half of the questions as probes, the rest held out")
    parser.add_argument("--lines", type=int, default=None, help="at most so many lines are written a dream")
    parser.add_argument("--out", type=Path, default=None, help="also write the JSON here")
    asked = parser.parse_args()
    settings = load_config(Paths.find({"REVERIE_HOME": "/nonexistent"}), {}).night
    if asked.lines is not None:
        settings = dataclasses.replace(settings, most_lines=asked.lines)
    embedder = CachedEmbedder(model_folder(asked.models), asked.cache)
    root = Path(tempfile.mkdtemp(prefix="reverie-locomo-"))
    results: list[Result] = []
    cases: list[Case] = []
    try:
        for conversation in load(asked.data):
            name = conversation["sample_id"]
            if asked.only and name not in asked.only:
                continue
            case = open_case(conversation, root / name, embedder)
            embedder([one.question for one in case.asked])
            cases.append(case)
            if asked.bound or asked.alone:
                continue
            result = headline(case, root / name, settings)
            results.append(result)
            embedder.save()
            print(
                f"{name}: recall@5 {result.before.at5:.3f} -> {result.after.at5:.3f} (apart {result.apart.at5:.3f}, "
                f"neighbours {result.neighbours.at5:.3f}), @10 {result.before.at10:.3f} -> {result.after.at10:.3f}; "
                f"{result.turns} turns, {result.questions} questions, {result.kept}, "
                f"{result.took_s:.0f} s ({result.cpu_s:.0f} s of CPU)",
                flush=True,
            )
        if asked.bound:
            print(json.dumps(bound(cases), indent=1))
            return
        report: dict[str, object] = {"results": [dataclasses.asdict(one) for one in results]}
        if results:
            report |= summary(results)
        if asked.tables is not None:
            print("recall@5 gained without joining, mean [95% interval]", flush=True)
            report["tables"] = {name: TABLES[name](cases[-asked.few :]) for name in asked.tables or TABLES}
        text = json.dumps(report)
        if asked.out:
            asked.out.write_text(text)
        print(text)
    finally:
        for case in cases:
            case.store.close()
        shutil.rmtree(root, ignore_errors=True)


def summary(results: Sequence[Result]) -> dict[str, object]:
    """Means with their intervals, printed and returned."""
    gains5 = [one.after.at5 - one.before.at5 for one in results]
    gains10 = [one.after.at10 - one.before.at10 for one in results]
    same = [one.after.within for one in results]
    apart = [one.apart.at5 - one.before.at5 for one in results]
    found = {
        "recall@5": [float(np.mean([r.before.at5 for r in results])), float(np.mean([r.after.at5 for r in results]))],
        "gain@5": [float(np.mean(gains5)), *interval(gains5)],
        "gain@5 apart": [float(np.mean(apart)), *interval(apart)],
        "gain@5 neighbours joined without a dream": float(
            np.mean([one.neighbours.at5 - one.before.at5 for one in results])
        ),
        "within the same characters": {
            "before": float(np.mean([one.before.within for one in results])),
            "apart": float(np.mean([one.apart.within for one in results])),
            "after": float(np.mean(same)),
        },
        "gain@10": [float(np.mean(gains10)), *interval(gains10)],
        "characters": [float(np.mean([getattr(r, k).characters for r in results])) for k in ("before", "after")],
        "by_category": {
            category: [
                float(
                    np.mean([getattr(r, k).by_category[category] for r in results if category in r.before.by_category])
                )
                for k in ("before", "after")
            ]
            for category in sorted({name for r in results for name in r.before.by_category})
        },
        "grounded": min(one.grounded for one in results),
        "leaked": sum(one.leaked for one in results),
        "slowest_s": max(one.took_s for one in results),
    }
    print(json.dumps(found, indent=1))
    return found


def model_folder(models: Path) -> Path:
    """Where the starter embedding model lies."""
    return next(folder for folder in (models / "all-minilm-l6-v2", models) if (folder / "model.onnx").is_file())


if __name__ == "__main__":
    main()
