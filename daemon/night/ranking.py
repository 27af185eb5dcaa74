"""
What use teaches about the ranking: a small linear layer over the evidence of a search, fitted at night and measured.

The weights of `weights.toml` are pulled towards what the owner opened, what answers cited and what was corrected. They
are kept only if they find better in uses that they were not fitted on, and worse neither on the questions that come
with reverie nor on those made from memory by rule; else what ships stays.
"""

import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np

from daemon.night.loop import Probe, Source
from daemon.night.repairs import Action, Shift
from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.corpus import Asked, Corpus
from memory_store.index.vectors import EmbedderUnavailable
from memory_store.search import Floats, fused_weights, section_of, standard

RANKED = "ranked"
FRESH_USES = 10
MOST_PROBES = 240
LEAST_USES = 20
FOLDS = 4
PRIOR_CASES = 20.0
STEPS, RATE = 120, 0.05
SHARPNESS = 2.9
MOST_SHIFT = 0.5
LEAST_GAIN = 0.005
SHARES = (1.0, 0.5, 0.25, 0.1)
ANY_RANK, FIRST = 20, 5
AT_ONCE = 8

Gate = Callable[[], object]


class Ranked(msgspec.Struct, frozen=True):
    """What came of the last look: uses up to *when*, how many could be asked again, and their MRR, held back."""

    when: str = ""
    cases: int = 0
    before: float = 0.0
    after: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class Case:
    """A question's candidates: evidence as it is weighed (n, kinds), and which of them are right."""

    question: str
    evidence: Floats
    right: np.ndarray


@dataclass(frozen=True)
class Found:
    """How well cases are answered: mean reciprocal rank, and the share with a right one among the first few."""

    mrr: float
    first: float

    def worse_than(self, other: "Found") -> bool:
        """In either way."""
        return self.mrr < other.mrr - 1e-9 or self.first < other.first - 1e-9


@dataclass(frozen=True)
class Proposed:
    """
    The *shifts* from the shipped weights that should stand from now on (None: those that do), and *why*.

    *before* and *after* are of uses held back, for the weights in force and for what was fitted on the others.
    """

    shifts: Mapping[str, float] | None
    why: str
    cases: int = 0
    before: float = 0.0
    after: float = 0.0


def propose(
    corpus: Corpus,
    uses: Iterable[tuple[str, frozenset[int]]],
    probes: Sequence[Probe],
    standing: Mapping[str, float],
    *,
    now: Callable[[], datetime],
    gate: Gate = lambda: None,
) -> Proposed:
    """
    Whether other shifts than *standing* find better, from *uses* (question, keys of right passages). *gate* is called
    all the time.

    *probes* are questions made by rule. What stands goes back to what ships where it has come to find worse than that.
    """
    kinds = tuple(fused_weights({}, with_vectors=corpus.has_meaning))
    section = section_of(with_vectors=corpus.has_meaning)
    cases = cases_of(corpus, [(question, _with_keys(corpus, keys)) for question, keys in uses], kinds, gate)
    shipped, present = (
        np.array([fused_weights(of, with_vectors=corpus.has_meaning)[name] for name in kinds], np.float32)
        for of in ({}, standing)
    )
    made = cases_of(corpus, [(probe.question, _with_lines(corpus, probe)) for probe in probes], kinds, gate)
    guards = (made, fixed(corpus, now, gate))

    def harms(weights: Floats) -> bool:
        return any(measured(guard, weights).worse_than(measured(guard, shipped)) for guard in guards)

    if not np.array_equal(present, shipped) and harms(present):
        return Proposed({}, "what was learned has come to find worse than what ships", len(cases))
    if len(cases) < LEAST_USES:
        return Proposed(None, f"{len(cases)} of {LEAST_USES} uses to learn from", len(cases))
    fitted, base = [], []
    for fold in range(FOLDS):
        held = [case for case in cases if _fold(case.question) == fold]
        weights = fit([case for case in cases if _fold(case.question) != fold], guards, shipped, gate)
        fitted += [_reciprocal(case, weights) for case in held]
        base += [_reciprocal(case, present) for case in held]
    before, after = float(np.mean(base)), float(np.mean(fitted))
    if after < before + LEAST_GAIN:
        return Proposed(None, "what some uses teach does not help the others", len(cases), before, after)
    full = fit(cases, guards, shipped, gate) - shipped
    for share in SHARES:
        moved = np.round(share * full, 4).astype(np.float32)
        better = measured(cases, shipped + moved).mrr > measured(cases, present).mrr
        if better and not harms(shipped + moved):
            shifts = {f"{section}.{name}": float(by) for name, by in zip(kinds, moved, strict=True) if by}
            return Proposed(shifts, "it helps uses that it was not learned from", len(cases), before, after)
    return Proposed(None, "what uses teach would find worse what was found before", len(cases), before, after)


def actions(found: Proposed, standing: Mapping[str, float]) -> list[Action]:
    """What leads from *standing* to what was *found*; shifts of the other section stay."""
    if found.shifts is None:
        return []
    sections = {name.partition(".")[0] for name in found.shifts or standing}
    wanted = {name: 0.0 for name in standing if name.partition(".")[0] in sections} | dict(found.shifts)
    return [Shift(name, by) for name, by in wanted.items() if by != standing.get(name, 0.0)]


def keys_of(corpus: Corpus, probe: Probe) -> frozenset[int]:
    """The passages that answer *probe*, by key."""
    holds = _with_lines(corpus, probe)
    return frozenset(passage.key for row, passage in corpus.passages.items() if holds(row))


def cases_of(
    corpus: Corpus,
    wanted: Sequence[tuple[str, Callable[[int], bool]]],
    kinds: Sequence[str],
    gate: Gate = lambda: None,
) -> list[Case]:
    """Each question with its candidates in *corpus*; *wanted* says of a row whether it is right. Hopeless ones go."""
    cases = []
    for start in range(0, len(wanted), AT_ONCE):
        gate()
        some = wanted[start : start + AT_ONCE]
        for asked, (question, is_right) in zip(corpus.ask([q for q, _ in some]), some, strict=True):
            right = np.array([is_right(int(row)) for row in asked.found.rows], bool)
            if right.any() and not right.all():
                cases.append(Case(question, _table(asked, kinds), right))
    return cases


def fit(cases: Sequence[Case], guards: Sequence[Sequence[Case]], start: Floats, gate: Gate = lambda: None) -> Floats:
    """
    Weights that give right candidates most of the probability, near *start*: no further from it than `MOST_SHIFT`.

    The pull towards it is as strong as so many cases, `PRIOR_CASES`, that are content with it. Each of *guards*, which
    are to be found no worse, counts for half as much as the cases.
    """
    weights, mean, spread = start.copy(), np.zeros_like(start), np.zeros_like(start)
    parts = [(1.0, cases), *((0.5, guard) for guard in guards)]
    for step in range(1, STEPS + 1):
        gate()
        slope = (PRIOR_CASES / max(len(cases), 1)) * (weights - start)
        for share, case in ((share / len(part), case) for share, part in parts for case in part):
            scores = SHARPNESS * (case.evidence @ weights)
            odds = np.exp(scores - scores.max())
            chosen = np.where(case.right, odds, 0)
            slope = slope + share * ((odds / odds.sum() - chosen / max(chosen.sum(), 1e-12)) @ case.evidence)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        move = RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights = np.clip(weights - move, start - MOST_SHIFT, start + MOST_SHIFT).astype(np.float32)
    return weights


def measured(cases: Sequence[Case], weights: Floats) -> Found:
    """How *cases* are answered under *weights*; without any, perfectly."""
    ranks = [_rank(case, weights) for case in cases]
    if not ranks:
        return Found(1.0, 1.0)
    return Found(
        float(np.mean([1 / rank if rank <= ANY_RANK else 0.0 for rank in ranks])),
        float(np.mean([rank <= FIRST for rank in ranks])),
    )


def fixed(corpus: Corpus, now: Callable[[], datetime], gate: Gate = lambda: None) -> list[Case]:
    """The questions that come with reverie, put to the pages that come with them under the models of *corpus*."""
    pages, questions = _fixed_set()
    with tempfile.TemporaryDirectory(prefix="reverie-fixed-") as folder:
        root = Path(folder) / "pages"
        for path, text in pages.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        index = Index.open(Vault(root, owned=True), Path(folder) / "state", embedder=corpus.embedder, now=now)
        try:
            index.sync()
            while index.embed_pending(AT_ONCE):
                gate()
            made = index.corpus()
        except EmbedderUnavailable:
            return []
        finally:
            index.close()
        kinds = tuple(fused_weights({}, with_vectors=corpus.has_meaning))
        return cases_of(made, [(question, _with_text(made, answer)) for question, answer in questions], kinds, gate)


@cache
def _fixed_set() -> tuple[dict[str, str], list[tuple[str, str]]]:
    data = tomllib.loads((Path(__file__).parent / "fixed_set.toml").read_text("utf-8"))
    return {page["path"]: page["text"] for page in data["page"]}, [(q["asks"], q["right"]) for q in data["question"]]


def _with_keys(corpus: Corpus, keys: frozenset[int]) -> Callable[[int], bool]:
    return lambda row: (passage := corpus.passages.get(row)) is not None and passage.key in keys


def _with_lines(corpus: Corpus, probe: Probe) -> Callable[[int], bool]:
    def holds(row: int) -> bool:
        passage = corpus.passages.get(row)
        place = Source(passage.path, passage.start_line, passage.end_line) if passage else None
        return place is not None and any(place.meets(source) for source in probe.sources)

    return holds


def _with_text(corpus: Corpus, answer: str) -> Callable[[int], bool]:
    return lambda row: (passage := corpus.passages.get(row)) is not None and answer in passage.text


def _table(asked: Asked, kinds: Sequence[str]) -> Floats:
    nothing = np.zeros(len(asked.found.rows), np.float32)
    columns = [standard(name, asked.found.raw[name]) if name in asked.found.raw else nothing for name in kinds]
    return np.array(columns, np.float32).T


def _rank(case: Case, weights: Floats) -> int:
    """Of the best right candidate, from 1; ties count against it."""
    scores = case.evidence @ weights
    best = scores[case.right].max()
    return 1 + int(np.count_nonzero(scores[~case.right] >= best))


def _reciprocal(case: Case, weights: Floats) -> float:
    rank = _rank(case, weights)
    return 1 / rank if rank <= ANY_RANK else 0.0


def _fold(question: str) -> int:
    return blake2b(question.casefold().encode(), digest_size=2).digest()[0] % FOLDS
