"""
What facts cost, through the store that serves the owner: changes, suppositions, answers, and taking in an episode.

usage: facts.py [--dependants 1000] [--facts 10000] [--tokens 31000] [--runs 5]

The pages are on disk, in a git history of their own. Shapes: in a *chain* each fact hangs on the one before it, in a
*star* all hang on one. The episode is a generated one among chats that are not about the owner; what is told is drawn
by pattern, linked with the starter embedding model, written and journaled, then all of it is indexed and embedded.
"""

import argparse
import gc
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from _home import embedding_folder
from _notes import evaluation_data
from meme_generate import generate

from daemon.answer import answer
from memory_store.facts import FactChange
from memory_store.journal import Exchange, Said
from memory_store.linking import changes
from memory_store.statements import extract
from memory_store.store import Store
from memory_store.suppositions import suppose, what_if
from models.embed import OnnxEmbedder

ON_A_PAGE = 200
MANY = 1000  # facts beside those of the episode
TODAY = datetime(2026, 11, 28, 12, tzinfo=UTC)


def main() -> int:
    """Measure, and print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dependants", type=int, default=1000)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--tokens", type=int, default=31_000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print("| measured | mark | median | worst | CPU, median |\n|---|---|---|---|---|")
    for shape in ("chain", "star"):
        for pages in (1, 20):
            recalculation(shape, pages, arguments)
    for shape in ("chain", "star"):
        supposition(shape, arguments)
    episode(arguments)
    return 0


def recalculation(shape: str, pages: int, arguments: argparse.Namespace) -> None:
    """One change that every other fact of the vault hangs on, its commit included."""
    walls, cpus = [], []
    for _ in range(arguments.runs):
        with tempfile.TemporaryDirectory(prefix="reverie-bench-facts-") as name:
            root = Path(name)
            write_facts(root / "vault", shape, arguments.dependants + 1, pages)
            store = opened(root)
            store.sync()
            store.owner_commit()
            change = FactChange(next(store.ledger.facts()).path, "fact 0", "set", after="new", reason="told")
            wall_s, cpu_s, done = timed(partial(store.write, [change], "told"))
            assert len(done.changes) == arguments.dependants + 1
            assert done.commit
            walls.append(wall_s)
            cpus.append(cpu_s)
            store.close()
    show(f"a change with {arguments.dependants} dependants, {shape}, {pages} page(s)", 1.0, walls, cpus)


def supposition(shape: str, arguments: argparse.Namespace) -> None:
    """`what-if` on a vault in which everything hangs on the fact that is supposed to change."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-facts-") as name:
        root = Path(name)
        write_facts(root / "vault", shape, arguments.facts, -(-arguments.facts // ON_A_PAGE))
        store = opened(root)
        gc.freeze()  # as the daemon does once it is ready
        walls, cpus = [], []
        for _ in range(arguments.runs):
            wall_s, cpu_s, found = timed(lambda: what_if(store.ledger, suppose(store.ledger, "fact 0 = new")))
            assert len(found.consequences) == arguments.facts - 1
            walls.append(wall_s)
            cpus.append(cpu_s)
        gc.unfreeze()
        store.close()
    show(f"what-if on {arguments.facts} facts, {shape}", 0.2, walls, cpus, by_cpu=True)


def episode(arguments: argparse.Namespace) -> None:
    """An episode taken in from a fresh vault, and the answers to its questions from its facts."""
    embedder = OnnxEmbedder(embedding_folder())
    given = long_episode(arguments.tokens, embedder.count)
    tokens = sum(embedder.count(turn["content"]) for one in given["sessions"] for turn in one["conversation"])
    with tempfile.TemporaryDirectory(prefix="reverie-bench-facts-") as name:
        clock = [TODAY]
        store = opened(Path(name), embedder, lambda: clock[0])
        near = Nearness(embedder)
        wall_s, cpu_s, embedded = timed(lambda: take_in(store, given, near, clock))
        facts = sum(1 for _ in store.ledger.facts())
        what = f"an episode of {tokens} tokens: {facts} facts, {embedded} passages embedded"
        show(what, 10.0, [wall_s], [cpu_s])
        answers(store, given, near, arguments.runs)
        write_facts(Path(name) / "vault", "star", MANY, 10)
        store.sync()
        answers(store, given, near, arguments.runs)
        store.close()
    embedder.close()


def answers(store: Store, given: dict, near: "Nearness", runs: int) -> None:
    """The questions of the episode, each asked *runs* times; the first time, names of facts are embedded."""
    walls, cpus = [], []
    today = TODAY.date().isoformat()
    for question in given["after_questions"]:
        for _ in range(runs):
            wall_s, cpu_s, _ = timed(partial(answer, question["question"], store.ledger, today=today, similarity=near))
            walls.append(wall_s)
            cpus.append(cpu_s)
    show(f"an answer from {sum(1 for _ in store.ledger.facts())} facts", 0.15, walls, cpus)


def take_in(store: Store, given: dict, near: "Nearness", clock: list[datetime]) -> int:
    """Every session in order, as a chat files it; then the index and its vectors. How many passages got one."""
    for number, session in enumerate(given["sessions"]):
        clock[0] = datetime.fromisoformat(session["timestamp"]).replace(tzinfo=UTC)
        turns = session["conversation"]
        ref = store.append_journal(
            Exchange(f"{number:09x}", clock[0], "bench", [Said(turn["role"], turn["content"]) for turn in turns])
        )
        for turn in turns:
            if turn["role"] != "user":
                continue
            statements = extract(turn["content"])
            if statements:
                today = clock[0].date().isoformat()
                linked = changes(statements, store.ledger, today=today, source=ref.link, similarity=near)
                if linked.changes:
                    store.write(linked.changes, statements[0].sentence, ref.link)
    store.sync()
    embedded = 0
    while count := store.embed_pending(64):
        embedded += count
    return embedded


class Nearness:
    """Cosines of phrases, each embedded once, as the daemon keeps them."""

    def __init__(self, embedder: OnnxEmbedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, np.ndarray] = {}

    def __call__(self, some: Sequence[str], others: Sequence[str]) -> np.ndarray:
        missing = [text for text in dict.fromkeys((*some, *others)) if text not in self._kept]
        self._kept.update(zip(missing, self._embedder(missing), strict=True))
        rows, columns = (np.array([self._kept[text] for text in texts]) for texts in (some, others))
        return rows @ columns.T


def long_episode(tokens: int, count: Callable[[str], int]) -> dict:
    """A generated episode among other chats, made longer by more of them until it has *tokens*."""
    fillers = other_chats()
    given = next(generate(1, 5, fillers))
    have = sum(count(turn["content"]) for session in given["sessions"] for turn in session["conversation"])
    at = 0
    while have < tokens:
        turns = fillers[at % len(fillers)]
        place = 1 + 2 * at % max(len(given["sessions"]) - 1, 1)
        when = given["sessions"][place - 1]["timestamp"]
        given["sessions"].insert(place, {"timestamp": when, "conversation": turns})
        have += sum(count(turn["content"]) for turn in turns)
        at += 1
    return given


def other_chats() -> list[list[dict]]:
    """Chats that are mostly not about the owner, of the evaluation data; without it, a few of our own."""
    file = evaluation_data() / "meme" / "filler_sessions.jsonl.gz"
    if file.exists():
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found = [json.loads(line) for line in lines]
        return [each if isinstance(each, list) else each["conversation"] for each in found[:200]]
    long = " ".join(f"Step {n}: turn the {n}th screw a little, then look at the level again." for n in range(1, 60))
    asked = "How do I level a table on an uneven floor? Explain every step."
    return [[{"role": "user", "content": asked}, {"role": "assistant", "content": long}]]


def write_facts(vault: Path, shape: str, count: int, pages: int) -> None:
    """*count* facts dealt out over *pages*, each but the first hanging on another one."""
    facts: dict[int, list[str]] = {}
    rules: dict[int, list[str]] = {}
    for number in range(count):
        page = number * pages // count
        facts.setdefault(page, []).append(f"- [fact {number}] value {number} (since 2026-01-01; from [[journal/x]])")
        if number:
            cause = 0 if shape == "star" else number - 1
            becomes = "?" if number % 2 and shape == "star" else f"other {number}"
            rules.setdefault(page, []).append(f"- when [fact {cause}] changes, [fact {number}] becomes {becomes}")
    (vault / "facts").mkdir(parents=True, exist_ok=True)
    for page, lines in facts.items():
        text = "\n".join([f"# P{page}", "", *lines, "", "## Rules", *rules.get(page, [])])
        (vault / "facts" / f"P{page:03d}.md").write_text(text + "\n")


def opened(root: Path, embedder: OnnxEmbedder | None = None, now: Callable[[], datetime] = lambda: TODAY) -> Store:
    """The store of the vault under *root*."""
    return Store.open(root / "vault", root / "state", embedder=embedder, owned=True, now=now)


def timed(call: Callable[[], object]) -> tuple[float, float, object]:
    """Seconds by the clock, seconds of this process's CPU, and what *call* gave."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = call()
    return time.perf_counter() - wall, time.process_time() - cpu, done


def show(what: str, mark_s: float, walls: list[float], cpus: list[float], *, by_cpu: bool = False) -> None:
    """Print a row; its median, of the clock or *by_cpu*, should be within the mark."""
    missed = statistics.median(cpus if by_cpu else walls) > mark_s
    figures = [_time(statistics.median(walls)), _time(max(walls)), _time(statistics.median(cpus))]
    mark = f"<= {_time(mark_s)}{' CPU' if by_cpu else ''}"
    mark += " (missed)" if missed else ""
    print(f"| {what} | {mark} | {' | '.join(figures)} |", flush=True)


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
