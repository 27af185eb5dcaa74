"""
What a search finds and how fast: LoCoMo by turn and by note, and the keyword path beside tantivy, in one run.

usage: search.py [--model FOLDER] [--chunks 50000] [--tantivy PYTHON]

By turn: each chat a vault of its own, one page a session; an evidence turn among the first k hits, through the whole of
`Index.search`. The weights that ship were fitted on these chats: `tune_search.py` says what they find in chats they did
not see. By note: all sessions of all chats in one folder, 200 questions, a page with evidence among the first k pages.
Speed: made-up notes with words as frequent as in English; *PYTHON* is an interpreter that has tantivy.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from locomo import Chat, load, pages

from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.analysis import query_words
from memory_store.index.vectors import Embedder
from memory_store.search import Question, rank, terms_of

QUESTIONS = 200
PEER = """
import json, statistics, sys, time, tantivy
data = json.load(sys.stdin)
schema = tantivy.SchemaBuilder().add_text_field("body", stored=False, tokenizer_name="en_stem").build()
index = tantivy.Index(schema)
writer = index.writer(heap_size=200_000_000, num_threads=1)
for text in data["texts"]:
    writer.add_document(tantivy.Document(body=text))
writer.commit(); writer.wait_merging_threads(); index.reload()
searcher = index.searcher()
times = []
for turn in range(2):
    times = []
    for asked in data["questions"]:
        start = time.perf_counter()
        searcher.search(index.parse_query(asked, ["body"]), 10)
        times.append(time.perf_counter() - start)
print(statistics.median(times) * 1000)
"""


def main() -> None:
    """Measure and print markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--tantivy", type=Path)
    arguments = parser.parse_args()
    embedder: Embedder | None = None
    if arguments.model:
        from models.embed import OnnxEmbedder

        embedder = OnnxEmbedder(arguments.model)
    chats = load()
    print("| LoCoMo | R@5 | R@10 | R@20 | MRR | p50 ms |\n|---|---|---|---|---|---|", flush=True)
    modes = ("keyword", "hybrid") if embedder else ("keyword",)
    for name, found in (("turn", by_turn(chats, embedder, modes)), ("note, pooled", by_note(chats, embedder, modes))):
        for mode in modes:
            print(f"| {name}, {mode} | " + " | ".join(f"{value:.3f}" for value in found[mode]) + " |", flush=True)
    speed(arguments.chunks, arguments.tantivy)


def by_turn(chats: list[Chat], embedder: Embedder | None, modes: tuple[str, ...]) -> dict[str, list[float]]:
    """Recall by turn, each chat by itself."""
    ranks: dict[str, list[int]] = {mode: [] for mode in modes}
    times: dict[str, list[float]] = {mode: [] for mode in modes}
    for chat in chats:
        made, turns = pages(chat)
        with _index(made, embedder) as index:
            for question in chat.questions:
                for mode in modes:
                    start = time.perf_counter()
                    hits = index.search(question.text, limit=20, mode=mode)
                    times[mode].append(time.perf_counter() - start)
                    right = [turns.get((hit.path, hit.start_line)) in question.evidence for hit in hits]
                    ranks[mode].append(right.index(True) if True in right else -1)
    return {mode: _row(ranks[mode], times[mode]) for mode in modes}


def by_note(chats: list[Chat], embedder: Embedder | None, modes: tuple[str, ...]) -> dict[str, list[float]]:
    """Recall by page, all chats in one folder."""
    made = {path: text for chat in chats for path, text in pages(chat)[0].items()}
    asked = []
    for chat in chats:
        turns = pages(chat)[1]
        asked += [
            (question.text, {path for (path, _), turn in turns.items() if turn in question.evidence})
            for question in chat.questions
        ]
    asked = random.Random(0).sample(asked, QUESTIONS)
    ranks: dict[str, list[int]] = {mode: [] for mode in modes}
    times: dict[str, list[float]] = {mode: [] for mode in modes}
    with _index(made, embedder) as index:
        for text, right in asked:
            for mode in modes:
                start = time.perf_counter()
                hits = index.search(text, limit=60, mode=mode)
                times[mode].append(time.perf_counter() - start)
                order = list(dict.fromkeys(hit.path for hit in hits))[:20]
                ranks[mode].append(next((i for i, path in enumerate(order) if path in right), -1))
    return {mode: _row(ranks[mode], times[mode]) for mode in modes}


def speed(chunks: int, peer: Path | None) -> None:
    """The keyword path, from words to ranked chunks, beside tantivy on the same texts."""
    rng = np.random.default_rng(1)
    vocabulary = ["".join(rng.choice(list("abcdefghijklmnoprstuvwy"), rng.integers(3, 9))) for _ in range(40_000)]
    odds = 1 / (np.arange(len(vocabulary)) + 10)
    odds /= odds.sum()
    texts = [" ".join(vocabulary[i] for i in row) for row in rng.choice(len(vocabulary), (chunks, 45), p=odds)]
    asked = [" ".join(vocabulary[i] for i in row) for row in rng.choice(len(vocabulary), (200, 6), p=odds)]
    made = {
        f"n{i}.md": "\n\n".join(f"## {j}\n\n{text}" for j, text in enumerate(texts[i : i + 100]))
        for i in range(0, chunks, 100)
    }
    with _index(made, None) as index:
        view = index._volume.view
        for _ in range(2):
            scored, ranked = [], []
            for text in asked:
                start = time.perf_counter()
                terms = terms_of(query_words(text, view.languages), view.scorer.postings, view.languages)
                view.scorer.score(view.scorer.find(terms))
                middle = time.perf_counter()
                rank(view, Question(terms), limit=40)
                scored.append(middle - start)
                ranked.append(time.perf_counter() - middle)
        whole = []
        for text in asked:
            start = time.perf_counter()
            index.search(text, mode="keyword")
            whole.append(time.perf_counter() - start)
    print(f"\n| p50 ms at {chunks} chunks | |\n|---|---|")
    for name, times in (("keyword scorer", scored), ("ranking", ranked), ("search with snippets, verified", whole)):
        print(f"| {name} | {float(np.median(times)) * 1000:.2f} |")
    if peer:
        data = json.dumps({"texts": texts, "questions": asked})
        done = subprocess.run([str(peer), "-c", PEER], input=data, capture_output=True, text=True, check=True)
        print(f"| tantivy, parse and top ten | {float(done.stdout):.2f} |")


@contextmanager
def _index(made: dict[str, str], embedder: Embedder | None) -> Iterator[Index]:
    """An index over *made* pages in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        for path, text in made.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        index = Index.open(Vault(root, owned=True), Path(folder) / "state", embedder=embedder)
        index.sync()
        while index.embed_pending(512):
            pass
        yield index
        index.close()


def _row(ranks: list[int], times: list[float]) -> list[float]:
    found = np.array(ranks)
    hits = [float(np.mean((found >= 0) & (found < k))) for k in (5, 10, 20)]
    reciprocal = np.where(found >= 0, 1 / np.maximum(found + 1, 1), 0)
    return [*hits, float(reciprocal.mean()), float(np.median(times)) * 1000]


if __name__ == "__main__":
    main()
