"""
Fit the weights of `memory_store/weights.toml` on LoCoMo, and say what they are worth on chats they did not see.

usage: tune_search.py MODEL_FOLDER [--write]

For each question the product's own candidates and evidence; a linear model of their sum under a softmax, pulled
towards a prior set by hand so that nothing leans on one data set alone. Two folds by chat: fitted on five, tested on
the others, both ways. What ships is fitted on all ten.
"""

import argparse
import datetime as dt
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from locomo import Chat, load, pages

from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.analysis import query_words
from memory_store.search import (
    EVIDENCE,
    Question,
    gather,
    names_in,
    section_of,
    shipped_weights,
    standard,
    terms_of,
)
from memory_store.tuning import Tuning
from memory_store.when import asks_when, find_range
from models.embed import OnnxEmbedder

WITHOUT = ("vector", "vector_near", "page_vector")
PRIOR = {
    "keyword": 0.5,
    "passage": 0.9,
    "near": 0.1,
    "coverage": 1.2,
    "around": 1.0,
    "wide": 0.5,
    "page": 0.4,
    "vector": 0.5,
    "vector_near": 0.1,
    "page_vector": 0.2,
    "length": 0.3,
    "asks": -0.4,
    "answers": 0.2,
    "who": 1.5,
    "when": 1.5,
    "tells_when": 0.5,
}
# Chats say nothing about passages of notes, where BM25 has to keep its say beside coverage: on reference pages
# (docstrings of the standard library, asked by their own first sentence) weights from chats alone cost a tenth of MRR.
FIXED = frozenset({"passage"})
SCALE = 0.35  # of no account for the order; what dreams add and take off is measured against it
PULL, STEPS, RATE = 0.02, 150, 0.08


@dataclass(frozen=True)
class Case:
    """A question's candidates as (n, evidence), which of them are evidence turns, and how many of these there are."""

    chat: str
    features: np.ndarray
    right: np.ndarray
    wanted: int


def main() -> None:
    """Fit, test across folds, print; with --write put the weights into the product."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    embedder = OnnxEmbedder(arguments.model)
    lines, names = [], sorted(EVIDENCE.index(n) for n in EVIDENCE)
    cases = {True: [], False: []}
    chats = load()
    for chat in chats:
        for vectors, found in collect(chat, embedder):
            cases[vectors].append(found)
    for vectors, section in ((True, "hybrid"), (False, "keyword")):
        columns = [i for i in names if vectors or EVIDENCE[i] not in WITHOUT]
        halves = [{chat.name for chat in chats[:5]}, {chat.name for chat in chats[5:]}]
        scored = []
        for half in halves:
            weights = fit([c for c in cases[vectors] if c.chat in half], columns)
            scored += [(c, c.features[:, columns] @ weights) for c in cases[vectors] if c.chat not in half]
        result = "  ".join(f"{name} {value:.3f}" for name, value in metrics(scored).items())
        print(f"{section:8} two folds: {result}", flush=True)
        final = fit(cases[vectors], columns)
        lines += ["", f"# two-fold across chats: {result}", f"[{section}]"]
        lines += [f"{EVIDENCE[i]} = {SCALE * value:.3f}" for i, value in zip(columns, final, strict=True)]
    text = "\n".join(
        [
            f"# Weights of the evidence in a search, by name as in `search.EVIDENCE`; all of them scaled by {SCALE}.",
            "version = 4",
            f'origin = "tests/benchmarks/tune_search.py on LoCoMo, ten chats, pull {PULL} towards a prior set by hand"',
            *lines,
            "",
        ]
    )
    if arguments.write:
        (Path(__file__).parents[2] / "memory_store" / "weights.toml").write_text(text, "utf-8")
    else:
        print(text)


def held_out(chats: list[Chat], embedder: OnnxEmbedder) -> dict[str, Tuning]:
    """For each chat, by name, the weights that were fitted on the half of all chats to which it does not belong."""
    cases: dict[bool, list[Case]] = {True: [], False: []}
    for chat in chats:
        for vectors, found in collect(chat, embedder):
            cases[vectors].append(found)
    halves = [{chat.name for chat in chats[:5]}, {chat.name for chat in chats[5:]}]
    shifts: list[dict[str, float]] = [{}, {}]
    for vectors in (True, False):
        section, shipped = section_of(with_vectors=vectors), shipped_weights(with_vectors=vectors)
        columns = [EVIDENCE.index(name) for name in shipped]
        for half, found in zip(halves, shifts, strict=True):
            weights = fit([case for case in cases[vectors] if case.chat not in half], columns)
            for name, weight in zip(shipped, weights, strict=True):
                found[f"{section}.{name}"] = SCALE * float(weight) - shipped[name]
    return {name: Tuning(shifts=found) for half, found in zip(halves, shifts, strict=True) for name in half}


def collect(chat: Chat, embedder: OnnxEmbedder) -> list[tuple[bool, Case]]:
    """The cases of *chat*, with and without vectors."""
    cases = []
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as state:
        made, turns = pages(chat)
        for path, text in made.items():
            (Path(root) / path).parent.mkdir(exist_ok=True)
            (Path(root) / path).write_text(text, "utf-8")
        index = Index.open(Vault(Path(root), owned=True), Path(state), embedder=embedder)
        index.sync()
        while index.embed_pending(512):
            pass
        volume = index._volume
        with volume.used() as view:
            alive = np.flatnonzero(view.columns.alive)
            chunks = volume.manifest.chunks(alive)
            files = volume.manifest.files_by_id(c.file for c in chunks.values())
            turn_of = {row: turns.get((files[c.file].path, c.start_line)) for row, c in chunks.items()}
            today = dt.date.fromordinal(int(view.columns.day.max()))
            for question in chat.questions:
                words = query_words(question.text, view.languages)
                terms = terms_of(words, view.scorer.postings, view.languages)
                names = names_in(words, view.columns.speakers)
                asked = Question(
                    terms, None, names, find_range(question.text, today), asks_when=asks_when(question.text)
                )
                nearness, _ = index._embedding.nearness(view, question.text)
                for vectors in (True, False):
                    found = gather(view, asked, limit=20, nearness=nearness if vectors else None)
                    rows = found.rows
                    features = np.zeros((len(rows), len(EVIDENCE)), np.float32)
                    for name, values in found.raw.items():
                        features[:, EVIDENCE.index(name)] = standard(name, values)
                    right = np.array([turn_of.get(int(row)) in question.evidence for row in rows])
                    cases.append((vectors, Case(chat.name, features, right, len(question.evidence))))
        index.close()
    print(chat.name, len(chat.questions), flush=True, file=sys.stderr)
    return cases


def fit(cases: list[Case], columns: list[int]) -> np.ndarray:
    """Weights of *columns* that give evidence turns most of the probability, near the prior."""
    prior = np.array([PRIOR[EVIDENCE[i]] for i in columns], np.float32)
    free = np.array([EVIDENCE[i] not in FIXED for i in columns])
    kept = [c for c in cases if c.right.any()]
    width = max(len(c.right) for c in kept)
    x = np.zeros((len(kept), width, len(columns)), np.float32)
    there, right = np.zeros((2, len(kept), width), bool)
    for i, case in enumerate(kept):
        x[i, : len(case.right)] = case.features[:, columns]
        there[i, : len(case.right)], right[i, : len(case.right)] = True, case.right
    weights, mean, spread = prior.copy(), np.zeros(len(columns)), np.zeros(len(columns))
    for step in range(1, STEPS + 1):
        scores = np.where(there, x @ weights, -np.inf)
        odds = np.exp(scores - scores.max(1, keepdims=True))
        all_share = odds / odds.sum(1, keepdims=True)
        right_odds = np.where(right, odds, 0)
        right_share = right_odds / np.maximum(right_odds.sum(1, keepdims=True), 1e-12)
        slope = np.einsum("qn,qnf->f", all_share - right_share, x) / len(kept) + PULL * (weights - prior)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        weights = weights - free * RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    return weights


def metrics(scored: list[tuple[Case, np.ndarray]]) -> dict[str, float]:
    """R@k: questions with an evidence turn among the first k; share@k: mean share of evidence turns there; MRR."""
    sums = dict.fromkeys(("R@5", "R@10", "R@20", "share@5", "share@10", "MRR"), 0.0)
    for case, scores in scored:
        ranks = np.flatnonzero(case.right[np.argsort(-scores, kind="stable")])
        if len(ranks):
            sums["MRR"] += 1 / (ranks[0] + 1)
            for k in (5, 10, 20):
                sums[f"R@{k}"] += ranks[0] < k
            for k in (5, 10):
                sums[f"share@{k}"] += np.count_nonzero(ranks < k) / case.wanted
    return {name: value / len(scored) for name, value in sums.items()}


if __name__ == "__main__":
    main()
