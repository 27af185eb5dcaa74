"""Directives on LoCoMo: learned on the questions of some conversations, measured on those of others."""

import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import locomo
import numpy as np

from daemon.context import Passage
from daemon.night.blocks import Blocks, evidence
from daemon.night.learning import Looked
from daemon.night.loop import Probe, Source
from daemon.night.meta_page import MetaRule
from daemon.night.metamem import Evolution, Sample, evolve
from daemon.night.reflection import RuleMade
from daemon.questions import is_question
from memory_store.ledger import Ledger
from memory_store.page import Page, parse
from memory_store.store import Store

CATEGORIES = {1: "several turns", 2: "time", 3: "inference", 4: "one turn"}
BUDGET, PASSAGES = 1200, 6
TAUGHT, HELD = 96, 64


class Chats:
    """Each conversation in a vault of its own; questions know theirs by name."""

    samples = 1

    def __init__(self, folder: Path, chats: Sequence[locomo.Chat]) -> None:
        self.probes: dict[str, list[Probe]] = {}
        self._blocks: dict[str, Blocks] = {}
        for chat in chats:
            pages, lines = locomo.pages(chat)
            for path, text in pages.items():
                file = folder / chat.name / "vault" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
            vault, state = folder / chat.name / "vault", folder / chat.name / "state"
            store = Store.open(vault, state, owned=True, now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
            store.sync()
            at = {turn: place for place, turn in lines.items()}
            self._blocks[chat.name] = Blocks(
                Ledger.build([]), Looked(_find(store)), _reader(vault), (), BUDGET, PASSAGES
            )
            self.probes[chat.name] = [
                Probe(
                    f"{chat.name}/{n}",
                    asked.text,
                    "(evidence)",
                    tuple(Source(path, line, line) for path, line in sorted(at[turn] for turn in asked.evidence)),
                    "feedback",
                    str(asked.category),
                )
                for n, asked in enumerate(chat.questions)
            ]

    def view(self, probe: Probe, rules: Sequence[MetaRule]) -> Blocks:
        return self._blocks[probe.id.partition("/")[0]].under(rules)

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample:
        _, block = self.view(probe, rules).recall(probe.question)
        shown = tuple(Source(one.path, one.start_line, one.end_line) for one in block.sources)
        return Sample(evidence(probe, block), "", block.text, shown)

    def recall(self, probes: Sequence[Probe], rules: Sequence[MetaRule]) -> tuple[list[float], float]:
        """Evidence recall of each question, and the mean length of what is read, in characters."""
        samples = [self(probe, rules, 0) for probe in probes]
        return [one.success for one in samples], statistics.fmean(len(one.block) for one in samples)


def _find(store: Store):
    def find(question: str, limit: int) -> list[Passage]:
        return [
            Passage(hit.path, hit.start_line, hit.end_line, hit.text, hit.title, hit.heading, hit.score, hit.when)
            for hit in store.search(question, limit=limit)
            if hit.speaker is None or not is_question(hit.text)
        ]

    return find


def _reader(vault: Path):
    known: dict[str, Page] = {}

    def read(path: str) -> Page:
        if path not in known:
            known[path] = parse((vault / path).read_bytes())
        return known[path]

    return read


def learn(chats: Chats, probes: Sequence[Probe], seed: int) -> Evolution:
    rng = random.Random(seed)
    some = rng.sample(list(probes), min(len(probes), TAUGHT + HELD))
    return evolve((), some[:TAUGHT], some[TAUGHT:], chats, RuleMade(), rng=rng)


def retrieval(train: int) -> None:
    """Recall in the block, before and after, by category; then each category by rules learned without it."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        chats = Chats(Path(folder), locomo.load())
        names = list(chats.probes)
        seen = [probe for name in names[:train] for probe in chats.probes[name]]
        unseen = [probe for name in names[train:] for probe in chats.probes[name]]
        print(f"{len(seen)} questions of {train} conversations, {len(unseen)} of {len(names) - train} held out")
        whole = learn(chats, seen, 1)
        print(f"{len(whole.steps)} steps, validation {whole.before:.3f} -> {whole.after:.3f}")
        for rule in whole.rules:
            print(f"    {rule.id} {rule.text} `{rule.directive}` (helped {rule.helped}, hurt {rule.hurt})")
        table(chats, unseen, whole.rules, "held-out conversations")
        for category, name in CATEGORIES.items():
            rules = learn(chats, [probe for probe in seen if probe.pattern != str(category)], 1).rules
            table(chats, [probe for probe in unseen if probe.pattern == str(category)], rules, f"{name}, never taught")
        print(f"{time.perf_counter() - began:.0f} s, keyword search alone")


def table(chats: Chats, probes: Sequence[Probe], rules: Sequence[MetaRule], title: str) -> None:
    before, length = chats.recall(probes, ())
    after, longer = chats.recall(probes, rules)
    by_chat: dict[str, list[float]] = defaultdict(list)
    for probe, one, other in zip(probes, before, after, strict=True):
        by_chat[probe.id.partition("/")[0]].append(other - one)
    low, high = bootstrap([statistics.fmean(gains) for gains in by_chat.values()])
    print(
        f"{title}: {statistics.fmean(before):.3f} -> {statistics.fmean(after):.3f} "
        f"(gain over conversations {low:+.3f} to {high:+.3f}), {length:.0f} -> {longer:.0f} characters"
    )
    if len({probe.pattern for probe in probes}) > 1:
        for category, name in CATEGORIES.items():
            mine = [n for n, probe in enumerate(probes) if probe.pattern == str(category)]
            old, new = (statistics.fmean(scores[n] for n in mine) for scores in (before, after))
            print(f"    {name:14s} {old:.3f} -> {new:.3f}  ({len(mine)})")


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """A 95% interval of the mean."""
    rng = np.random.default_rng(0)
    means = rng.choice(np.array(values), (2000, len(values))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
