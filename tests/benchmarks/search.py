"""
What a search finds and how fast: LoCoMo by turn and by note, and the keyword path beside tantivy, in one run.

usage: search.py [--model FOLDER] [--chunks 50000 200000] [--only found|speed|http] [--held-out] [--peers NAME ...]

By turn: each chat a vault of its own, one page a session; an evidence turn among the first k hits, through the whole of
`Index.search`. The weights that ship were fitted on these chats: `--held-out` asks each chat's questions with weights
fitted on the five chats of the other half. By note: all sessions of all chats in one folder, 200 questions, a page with
evidence among the first k pages; `--peers` are put the same questions, each in an environment of its own.
Over HTTP: the running daemon on 50,000 chunks, eight clients at once, questions in words, hybrid.
Speed: made-up notes with words as frequent as in English, beside tantivy in an environment of its own; from text to the
ten best for both, and from text to ten hits with snippets: ours are checked against their files, tantivy's are not.
"""

import argparse
import gc
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon does, before numpy is there

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from _home import ROOT, temporary_home
from _note_peers import PEERS
from locomo import Chat, load, pages

from daemon.paths import Paths
from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.analysis import query_words
from memory_store.index.scoring import best_rows
from memory_store.index.vectors import Embedder
from memory_store.search import Question, rank, terms_of
from memory_store.snippet import SNIPPET_CHARS
from memory_store.tuning import Tuning

QUESTIONS = 200
SAVES = 20
ROUNDS = 5
TANTIVY = "0.27.0"
_EMBEDDED = 50_000
PEER = """
import json, statistics, sys, time, tantivy
data = json.loads(sys.stdin.readline())
schema = tantivy.SchemaBuilder().add_text_field("body", stored=True, tokenizer_name="en_stem").build()
index = tantivy.Index(schema)
writer = index.writer(heap_size=200_000_000, num_threads=1)
for text in data["texts"]:
    writer.add_document(tantivy.Document(body=text))
writer.commit(); writer.wait_merging_threads(); index.reload()
searcher = index.searcher()

def shown(asked, snippets):
    query = index.parse_query(asked, ["body"])
    found = searcher.search(query, 10).hits
    if snippets:
        maker = tantivy.SnippetGenerator.create(searcher, query, schema, "body")
        maker.set_max_num_chars(data["snippet_chars"])
        for _, address in found:
            maker.snippet_from_doc(searcher.doc(address)).to_html()

def tell(snippets):
    times = []
    for asked in data["questions"]:
        start = time.perf_counter()
        shown(asked, snippets)
        times.append(time.perf_counter() - start)
    print(statistics.median(times) * 1000, flush=True)

tell(True)
for line in sys.stdin:
    tell(False)
    tell(True)
"""


def main() -> None:
    """Measure and print markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--chunks", type=int, nargs="+", default=[50_000, 200_000])
    parser.add_argument("--only", choices=("found", "speed", "http"))
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--peers", nargs="*", default=[], choices=list(PEERS))
    arguments = parser.parse_args()
    embedder: Embedder | None = None
    if arguments.model:
        from models.embed import OnnxEmbedder

        embedder = OnnxEmbedder(arguments.model)
    if arguments.only in (None, "found"):
        if arguments.peers and not arguments.model:
            parser.error("--peers needs --model: all of them embed with the same one")
        found(embedder, arguments)
    if arguments.only in (None, "speed"):
        for chunks in arguments.chunks:
            speed(chunks, embedder if chunks <= _EMBEDDED else None)
    if embedder and arguments.only in (None, "http"):
        print("\n| 50,000 chunks over HTTP, hybrid | |\n|---|---|")
        for name, value in over_http(embedder).items():
            print(f"| {name} | {value:.1f} ms |", flush=True)


def found(embedder: Embedder | None, arguments: argparse.Namespace) -> None:
    """What is found in LoCoMo."""
    chats = load()
    tunings: Mapping[str, Tuning] = {}
    if embedder and arguments.held_out:
        from tune_search import held_out

        tunings = held_out(chats, embedder)
    print("| LoCoMo | R@5 | R@10 | R@20 | MRR | p50 ms |\n|---|---|---|---|---|---|", flush=True)
    modes = ("keyword", "hybrid") if embedder else ("keyword",)
    for mode, row in by_turn(chats, embedder, modes, tunings).items():
        show(f"turn, {mode}", row)
    for mode, row in by_note(chats, embedder, modes, tunings).items():
        show(f"note, pooled, {mode}", row)
    for name in arguments.peers:
        show(f"note, pooled, {name}", peer_by_note(name, chats, arguments.model))


def show(name: str, row: list[float]) -> None:
    """One line of the table, as it comes."""
    print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in row) + " |", flush=True)


def by_turn(
    chats: list[Chat], embedder: Embedder | None, modes: tuple[str, ...], tunings: Mapping[str, Tuning]
) -> dict[str, list[float]]:
    """Recall by turn, each chat by itself."""
    ranks: dict[str, list[int]] = {mode: [] for mode in modes}
    times: dict[str, list[float]] = {mode: [] for mode in modes}
    for chat in chats:
        made, turns = pages(chat)
        with _index(made, embedder) as index:
            index.use_tuning(tunings.get(chat.name, Tuning()))
            for question in chat.questions:
                for mode in modes:
                    start = time.perf_counter()
                    hits = index.search(question.text, limit=20, mode=mode)
                    times[mode].append(time.perf_counter() - start)
                    right = [turns.get((hit.path, hit.start_line)) in question.evidence for hit in hits]
                    ranks[mode].append(right.index(True) if True in right else -1)
    return {mode: _row(ranks[mode], times[mode]) for mode in modes}


def pooled(chats: list[Chat]) -> tuple[dict[str, str], list[tuple[str, str, set[str]]]]:
    """All sessions as pages of one folder, and questions: (chat, text, pages with evidence)."""
    made = {path: text for chat in chats for path, text in pages(chat)[0].items()}
    asked = []
    for chat in chats:
        turns = pages(chat)[1]
        asked += [
            (chat.name, question.text, {path for (path, _), turn in turns.items() if turn in question.evidence})
            for question in chat.questions
        ]
    return made, random.Random(0).sample(asked, QUESTIONS)


def peer_by_note(name: str, chats: list[Chat], model: Path) -> list[float]:
    """The same of a peer."""
    made, asked = pooled(chats)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder).resolve() / "notes"
        for path, text in made.items():
            (notes / path).parent.mkdir(parents=True, exist_ok=True)
            (notes / path).write_text(text, "utf-8")
        answers, times = PEERS[name](notes, [text for _, text, _ in asked], model)
    return _row([_first(paths, right) for paths, (_, _, right) in zip(answers, asked, strict=True)], times)


def by_note(
    chats: list[Chat], embedder: Embedder | None, modes: tuple[str, ...], tunings: Mapping[str, Tuning]
) -> dict[str, list[float]]:
    """Recall by page, all chats in one folder."""
    made, asked = pooled(chats)
    ranks: dict[str, list[int]] = {mode: [] for mode in modes}
    times: dict[str, list[float]] = {mode: [] for mode in modes}
    with _index(made, embedder) as index:
        for chat, text, right in asked:
            index.use_tuning(tunings.get(chat, Tuning()))
            for mode in modes:
                start = time.perf_counter()
                hits = index.search(text, limit=60, mode=mode)
                times[mode].append(time.perf_counter() - start)
                ranks[mode].append(_first([hit.path for hit in hits], right))
    return {mode: _row(ranks[mode], times[mode]) for mode in modes}


def made_up(chunks: int) -> tuple[dict[str, str], list[str], list[str]]:
    """Pages of a hundred chunks with words as frequent as in English, questions of six such words, and the texts."""
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
    return made, asked, texts


def speed(chunks: int, embedder: Embedder | None) -> None:
    """The keyword path beside tantivy on the same texts; with *embedder* the whole search beside embedding alone."""
    made, asked, texts = made_up(chunks)
    filler = Filler(embedder) if embedder else None
    rounds: defaultdict[str, list[float]] = defaultdict(list)
    rows: dict[str, float] = {}
    with _index(made, filler) as index, _tantivy(texts, asked) as (first_time, peer):
        view = index._volume.view
        languages, postings = view.languages, view.scorer.postings

        def best(text: str) -> None:
            terms = terms_of(query_words(text, languages), postings, languages)
            best_rows(view.scorer.score(view.scorer.find(terms)), 10)

        def ranked(text: str) -> None:
            rank(view, Question(terms_of(query_words(text, languages), postings, languages)), limit=40)

        def keyword(text: str) -> None:
            index.search(text, mode="keyword")

        rows["tantivy, to ten snippets, each question for the first time"] = first_time
        rows["to ten hits, keyword, each question for the first time"] = _median(keyword, asked)
        for _ in range(ROUNDS):  # in turns, so that other work on the machine meets both
            theirs = peer()
            rounds["tantivy, to the ten best"].append(theirs[0])
            rounds["tantivy, to ten snippets"].append(theirs[1])
            rounds["to the ten best by keyword"].append(_median(best, asked))
            rounds["to ranked chunks, all evidence"].append(_median(ranked, asked))
            rounds["to ten hits, keyword"].append(_median(keyword, asked))
            rounds["while typing"].append(_median(lambda text: index.search(text[:-2], typing=True), asked))
            if embedder:
                rounds["embedding alone"].append(_median(lambda text: embedder([text]), asked[:60]))
                rounds["to ten hits, hybrid"].append(_median(index.search, asked[:60]))
        rows |= {name: float(np.median(values)) for name, values in rounds.items()}
        rows |= _saves(index, asked)
    print(f"\n| p50 ms at {chunks} chunks | |\n|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value:.2f} |", flush=True)


@contextmanager
def _tantivy(texts: Sequence[str], asked: Sequence[str]) -> Iterator[tuple[float, Callable[[], list[float]]]]:
    """
    tantivy's median in milliseconds to ten snippets of questions asked for the first time, and a call that gives its
    two medians of the same questions asked again: to the ten best, and to ten snippets. They are as long as ours.
    """
    with subprocess.Popen([tantivy(), "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ask(line: str) -> None:
            stdin.write(line + "\n")
            stdin.flush()

        def measured() -> list[float]:
            ask("again")
            return [float(stdout.readline()) for _ in range(2)]

        ask(json.dumps({"texts": texts, "questions": asked, "snippet_chars": SNIPPET_CHARS}))
        yield float(stdout.readline()), measured
        stdin.close()


def _median(call: Callable[[str], object], asked: Sequence[str]) -> float:
    """Milliseconds."""
    times = []
    for text in asked:
        start = time.perf_counter()
        call(text)
        times.append(time.perf_counter() - start)
    return float(np.median(times)) * 1000


def _saves(index: Index, asked: Sequence[str]) -> dict[str, float]:
    """
    From the write of a small page until it is found; and searches meanwhile, beside the median of all of them.

    Who saves looks for the page by a search too: two at once share one interpreter, so those beside it are told apart.
    """
    times: list[tuple[float, float]] = []
    ended = threading.Event()

    def searching() -> None:
        while not ended.is_set():
            for text in asked:
                start = time.perf_counter()
                index.search(text, mode="keyword")
                times.append((start, time.perf_counter()))

    searcher = threading.Thread(target=searching)
    searcher.start()
    waits, looks = [], []
    for number in range(SAVES):
        start = time.perf_counter()
        (index._vault.root / f"saved{number}.md").write_text(f"zanzibarine{number} was seen in the harbour\n", "utf-8")
        index.sync([f"saved{number}.md"])
        saved = time.perf_counter()
        assert index.search(f"zanzibarine{number}", mode="keyword")
        looks.append((saved, time.perf_counter()))
        waits.append(looks[-1][1] - start)
    ended.set()
    searcher.join()
    took = np.array([end - start for start, end in times])
    meanwhile = took / np.median(took)
    beside = np.array([any(start < b and end > a for a, b in looks) for start, end in times])
    return {
        "from save to found, p95": float(np.percentile(waits, 95)) * 1000,
        "searches meanwhile, p95 in their median": float(np.percentile(meanwhile, 95)),
        "searches meanwhile, the slowest in their median": float(meanwhile.max()),
        "the slowest that met no other search, in their median": float(meanwhile[~beside].max()),
        "searches meanwhile beyond twice their median, for each save": float((meanwhile > 2).sum()) / SAVES,
        "of these, beside another search, for each save": float((meanwhile[beside] > 2).sum()) / SAVES,
    }


class Filler:
    """Embeds questions with a model; pages, of which there are many, get vectors by chance."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._chance = np.random.default_rng(0)
        self.digest, self.dim = embedder.digest, embedder.dim

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        if len(texts) == 1:
            return self._embedder(texts)
        return self._chance.standard_normal((len(texts), self.dim)).astype(np.float32)


def tantivy() -> Path:
    """The Python of the peer's environment, made at the first call."""
    folder = Path(os.environ.get("REVERIE_PEERS") or ROOT / ".cache" / "peers") / f"tantivy-{TANTIVY}"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", f"tantivy=={TANTIVY}"], check=True)
    return python


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
        gc.freeze()  # as the daemon does once it is ready
        yield index
        index.close()


def _first(paths: Sequence[str], right: set[str]) -> int:
    """The rank of the first of *paths*, each counted once, that is *right*; -1 beyond twenty."""
    order = list(dict.fromkeys(paths))[:20]
    return next((i for i, path in enumerate(order) if path in right), -1)


def over_http(embedder: Embedder) -> dict[str, float]:
    """
    Hybrid searches of a running daemon by eight clients at once: its words are made up, its vectors by chance.

    The index is laid down beforehand, under the model's name, since embedding it would take an hour.
    """
    made, asked, _ = made_up(_EMBEDDED)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder).resolve() / "notes"
        notes.mkdir()
        for path, text in made.items():
            (notes / path).write_text(text, "utf-8")
        with temporary_home(vault=notes, models=("all-minilm-l6-v2",)) as home:
            state = Paths.find(home.environ).state_dir / "index"
            index = Index.open(Vault(notes, owned=False), state, embedder=Filler(embedder))
            index.sync()
            while index.embed_pending(4096):
                pass
            index.close()
            home.start()
            home.wait(lambda: home.index().vectors >= _EMBEDDED and not home.index().pending_pages, within_s=600)

            def ask(questions: Sequence[str]) -> list[float]:
                line = http.client.HTTPConnection("127.0.0.1", home.port, timeout=60)
                times = []
                for question in questions:
                    start = time.perf_counter()
                    line.request("POST", "/memory/search", json.dumps({"query": question}))
                    reply = json.loads(line.getresponse().read())
                    times.append(time.perf_counter() - start)
                    assert reply["hits"], reply
                    assert not reply.get("notice"), reply["notice"]
                return times

            ask(asked[:20])
            with ThreadPoolExecutor(8) as clients:
                times = [took for each in clients.map(ask, [asked[n::8] for n in range(8)]) for took in each]
            alone = ask(asked[:60])
    return {
        "8 clients, p50": float(np.median(times)) * 1000,
        "8 clients, p95": float(np.percentile(times, 95)) * 1000,
        "1 client, p50": float(np.median(alone)) * 1000,
    }


def _row(ranks: list[int], times: list[float]) -> list[float]:
    found = np.array(ranks)
    hits = [float(np.mean((found >= 0) & (found < k))) for k in (5, 10, 20)]
    reciprocal = np.where(found >= 0, 1 / np.maximum(found + 1, 1), 0)
    return [*hits, float(reciprocal.mean()), float(np.median(times)) * 1000]


if __name__ == "__main__":
    main()
