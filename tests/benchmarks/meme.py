"""
MEME-style episodes through the same code that serves the owner: extract, link, recalculate, write pages, answer.

    python tests/benchmarks/meme.py [--systems NAME,NAME] [--episodes FILE] [--model starter]      (a table of systems)
    python tests/benchmarks/meme.py --episodes FILE --system reverie --out ANSWERS [--diagnose] [--limit N]
    python tests/benchmarks/meme.py --generate N --seed S [--fillers FILE] --out EPISODES

Systems without a model: reverie, reverie-norecalc, bm25, dense, rag. With `--model NAME` (at `--url`, or `starter` for
a daemon of its own) also full-text, md-flat, karpathy-wiki, mem0, and a reader behind bm25, dense and rag. Without
`--out` all of them, or `--systems`, are compared, on two generated episodes or those of `--episodes`.

Sessions are fed in order, the owner's turns only, each session's day as today; before- and after-questions are asked
where they stand. `--every K --offset O` takes every K-th episode.
"""

import argparse
import gzip
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from _home import embedding_folder, temporary_home
from _mem0 import mem0
from _meme_table import SYSTEMS, answers_rightly, flat, table
from meme_generate import generate
from meme_models import Chat, FlatMemory, FullText, Reads, Wiki

from daemon.answer import answer
from daemon.bench.episodes import plain
from memory_store.fact_edits import apply
from memory_store.fact_pages import new_page, read_facts
from memory_store.facts import Change, FactChange, RuleAdded
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import Page
from memory_store.phrases import WORD, stems
from memory_store.recalc import recalculate
from memory_store.statements import extract

Similarity = Callable[[Sequence[str], Sequence[str]], np.ndarray]


class System(Protocol):
    """A memory under test: reads the owner's turns of a day, then answers."""

    def read(self, text: str, day: str) -> None: ...

    def ask(self, question: str, day: str) -> str: ...


class Meanings:
    """Cosines by MiniLM, each text embedded once; the model files come from REVERIE_TEST_MODELS."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.enable_truncation(128)
        self._tokens.enable_padding()
        self._inputs = {i.name for i in self._session.get_inputs()}
        self._seen: dict[str, np.ndarray] = {}

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        return self.embed(left) @ self.embed(right).T

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        missing = sorted({t for t in texts if t not in self._seen}, key=len)
        for start in range(0, len(missing), 32):
            batch = missing[start : start + 32]
            encoded = self._tokens.encode_batch(list(batch))
            ids = np.array([e.ids for e in encoded], dtype=np.int64)
            mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
            if hidden.ndim == 3:
                weights = mask[..., None].astype(np.float32)
                hidden = (hidden * weights).sum(1) / weights.sum(1)
            hidden = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
            self._seen.update(zip(batch, hidden, strict=True))
        return np.stack([self._seen[t] for t in texts]) if texts else np.zeros((0, 384), np.float32)


class Reverie:
    """Facts on pages in memory. *recalculates* False is the ablation: changes, but nothing follows from them."""

    def __init__(self, similarity: Similarity | None, *, recalculates: bool = True) -> None:
        self.similarity = similarity
        self.recalculates = recalculates
        self.pages: dict[str, Page] = {}
        self.ledger = Ledger.build(())
        self.log: list[str] = []

    def read(self, text: str, day: str) -> None:
        statements = extract(text, known=Familiar.of(self.ledger))
        if not statements:
            return
        linked = changes(
            statements, self.ledger, today=day, source=f"journal/{day[:4]}/{day}", similarity=self.similarity
        )
        self.log += [f"{day} UNLINKED {s.kind} {s.sentence[:120]}" for s in linked.unlinked]
        self.log += [f"{day} AMBIGUOUS {a.attributes} {a.statement.sentence[:120]}" for a in linked.ambiguous]
        self.write(linked.changes, day)

    def write(self, told: Sequence[Change], day: str) -> None:
        if not told:
            return
        followed = recalculate(self.ledger, told, day).consequences if self.recalculates else ()
        by_path: dict[str, list[Change]] = {}
        for change in (*told, *followed):
            by_path.setdefault(change.path, []).append(change)
            self.log.append(f"{day} {_shown(change)}")
        for path, group in by_path.items():
            page = self.pages.get(path) or new_page(Path(path).stem)
            self.pages[path] = apply(page, group, today=day)
            self.ledger = self.ledger.replace(path, read_facts(path, self.pages[path]))

    def ask(self, question: str, day: str) -> str:
        reply = answer(question, self.ledger, today=day, similarity=self.similarity)
        return reply.text if reply else "I don't know; you never told me."


class Turns:
    """
    A baseline without a model: the owner's turns, and as the answer the best of them, up to 400 characters.

    *kind*: `bm25` (k1 1.2, b .75, over stems), `dense` (cosine of whole turns) or `rag` (reciprocal ranks of both).
    """

    def __init__(self, kind: str, meanings: "Meanings | None") -> None:
        self.kind, self.meanings = kind, meanings
        self.turns: list[str] = []
        self.words: list[Counter[str]] = []

    def read(self, text: str, day: str) -> None:
        self.turns.append(text)
        self.words.append(Counter(s for w in WORD.findall(text[:4000]) for s in stems(w)))

    def ask(self, question: str, day: str) -> str:
        orders = []
        if self.kind in ("bm25", "rag"):
            orders.append(np.argsort(-self._bm25(question), kind="stable"))
        if self.kind in ("dense", "rag"):
            assert self.meanings is not None, "dense needs the embedding model"
            turns = [t[:1000] for t in self.turns]
            orders.append(np.argsort(-self.meanings([question], turns)[0], kind="stable"))
        scores = np.zeros(len(self.turns))
        for order in orders:
            scores[order] += 1 / (60 + np.arange(len(order)))
        said, room = [], 400
        for i in np.argsort(-scores, kind="stable")[:20]:
            if len(self.turns[i]) < room:
                said.append(self.turns[i])
                room -= len(self.turns[i]) + 1
        return " ".join(said)

    def _bm25(self, question: str) -> np.ndarray:
        lengths = np.array([sum(w.values()) for w in self.words], dtype=float)
        scores = np.zeros(len(self.words))
        for stem in {s for w in WORD.findall(question) for s in stems(w)}:
            found = np.array([w[stem] for w in self.words], dtype=float)
            weight = np.log(1 + (len(found) - (found > 0).sum() + 0.5) / ((found > 0).sum() + 0.5))
            scores += weight * found * 2.2 / (found + 1.2 * (0.25 + 0.75 * lengths / max(lengths.mean(), 1)))
        return scores


def _shown(change: Change) -> str:
    if isinstance(change, RuleAdded):
        r = change.rule
        return f"RULE when [{r.when.attribute}] {r.trigger} {r.value or ''}, [{r.then.attribute}] becomes {r.becomes or '?'}"
    assert isinstance(change, FactChange)
    return f"{change.kind.upper()} [{change.attribute}] {change.before} -> {change.after} ({change.cause or change.reason[:90]})"


def read_lines(path: str) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes")
    parser.add_argument("--system", default="reverie")
    parser.add_argument("--systems", help="which to compare, by commas")
    parser.add_argument("--out", help="where the answers go, or the episodes of --generate")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--diagnose", action="store_true", help="say of each failed question where it failed")
    parser.add_argument("--words-only", action="store_true", help="link and answer without embeddings")
    parser.add_argument("--generate", type=int, help="write this many episodes of our own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wave", type=int, default=1, help="which wave of wordings to generate from: 1 to 6")
    parser.add_argument("--fillers", help="sessions (jsonl) that surround the generated ones")
    parser.add_argument("--model", help="the model that reads and keeps notes; `starter` runs a daemon of its own")
    parser.add_argument("--url", default="http://127.0.0.1:7077/v1", help="the OpenAI API at which --model is served")
    args = parser.parse_args()
    if args.generate and args.out:
        fillers = list(read_lines(args.fillers)) if args.fillers else []
        with open(args.out, "w", encoding="utf-8") as out:
            out.writelines(
                json.dumps(episode, ensure_ascii=False) + "\n"
                for episode in generate(args.generate, args.seed, fillers, args.wave)
            )
        return 0
    if args.out and not args.episodes:
        parser.error("--episodes or --generate is needed")
    similarity: Meanings | None = None
    if not args.words_only:
        similarity = Meanings(embedding_folder())
    with ExitStack() as stack:
        chat: Chat | None = None
        if args.model == "starter":
            home = stack.enter_context(temporary_home())
            home.environ["REVERIE_MODELS_CONTEXT_TOKENS"] = "8192"  # as long as the model was trained for
            home.start()
            chat = Chat(f"http://127.0.0.1:{home.port}/v1", "smollm2-135m-instruct")
        elif args.model:
            chat = Chat(args.url, args.model)
        if args.out:
            _run(args, similarity, chat)
        else:
            _compare(args, similarity, chat)
    if chat is not None:
        print(f"{chat.calls} calls of the model, {chat.failed} without a usable reply", file=sys.stderr)
    return 0


def _compare(args: argparse.Namespace, similarity: "Meanings | None", chat: "Chat | None") -> None:
    found = read_lines(args.episodes) if args.episodes else generate(args.generate or 2, args.seed, [], args.wave)
    episodes = list(found)[args.offset :: args.every][: args.limit]
    named = args.systems.split(",") if args.systems else SYSTEMS if chat else SYSTEMS[:5]

    def answers(episode: dict, name: str, chat: Chat | None, stack: ExitStack) -> dict[str, str]:
        system = make(name, similarity, chat, stack)
        return {question["id"]: text for question, text, _ in play(episode, system)}

    table(episodes, named, chat, answers)


def _run(args: argparse.Namespace, similarity: "Meanings | None", chat: "Chat | None") -> None:
    episodes = list(read_lines(args.episodes))[args.offset :: args.every][: args.limit]
    ingest, asked = [], []
    with open(args.out, "w", encoding="utf-8") as out:
        for episode in episodes:
            with ExitStack() as stack:
                system = make(args.system, similarity, chat, stack)
                began, spent = time.perf_counter(), 0.0
                for question, text, took_s in play(episode, system):
                    spent += took_s
                    asked.append(took_s)
                    out.write(json.dumps({"id": question["id"], "answer": text}, ensure_ascii=False) + "\n")
                ingest.append(time.perf_counter() - began - spent)
                if args.diagnose and isinstance(system, Reverie):
                    diagnose(episode, system)
    print(
        f"{len(episodes)} episodes; ingest median {statistics.median(ingest):.2f} s, worst {max(ingest):.2f} s; "
        f"answer median {1000 * statistics.median(asked):.1f} ms, worst {1000 * max(asked):.0f} ms",
        file=sys.stderr,
    )


def play(episode: dict, system: System) -> Iterator[tuple[dict, str, float]]:
    """Every session in order, questions where they stand: each with its answer and the seconds that it took."""
    for n, session in enumerate([*episode["sessions"], None]):
        for place, questions in (("before_at", "before_questions"), ("after_at", "after_questions")):
            if episode[place] == n:
                day = (episode["sessions"][n - 1]["timestamp"] if n else "2026-01-01")[:10]
                for question in episode[questions]:
                    began = time.perf_counter()
                    text = system.ask(question["question"], day)
                    yield question, text, time.perf_counter() - began
        if session is not None:
            for turn in session["conversation"]:
                if turn["role"] == "user":
                    system.read(turn["content"], session["timestamp"][:10])


def make(name: str, similarity: "Meanings | None", chat: "Chat | None", stack: ExitStack) -> System:
    """A fresh system, ended on leaving *stack*."""
    if chat is not None and name == "mem0":
        return stack.enter_context(mem0(chat))
    if chat is not None and name in ("full-text", "md-flat", "karpathy-wiki"):
        return {"full-text": FullText, "md-flat": FlatMemory, "karpathy-wiki": Wiki}[name](chat)
    if chat is not None and name in ("bm25", "dense", "rag"):
        return Reads(chat, Turns(name, similarity))
    if name in ("reverie", "reverie-norecalc"):
        return Reverie(similarity, recalculates=name == "reverie")
    if name in ("bm25", "dense", "rag"):
        return Turns(name, similarity)
    raise SystemExit(
        f"no system {name!r}; known: reverie, reverie-norecalc, bm25, dense, rag; with --model full-text, md-flat, karpathy-wiki, mem0"
    )


def diagnose(episode: dict, system: Reverie) -> None:
    """For every after-question that fails: never encoded, not maintained, not retrieved or not answered."""
    for q in episode["after_questions"]:
        if q.get("excluded"):
            continue
        text = system.ask(q["question"], "")
        if answers_rightly(q, text):
            continue
        values = [plain(value) for value in flat(q["values"])]
        everything = " ".join(plain(line) for page in system.pages.values() for line in page.lines)
        held = [v for v in values if v in everything]
        where = (
            "never encoded"
            if not held and q["task"] not in ("Abs", "Del")
            else "not retrieved"
            if len(held) == len(values)
            else "partly encoded"
        )
        if q["task"] in ("Cas", "Abs") and where == "not retrieved":
            now = " ".join(plain(f.value or "?") for f in system.ledger.facts())
            where = (
                "not maintained" if q["task"] == "Cas" and values[0] not in now else "not retrieved or not maintained"
            )
        print(
            f"{q['id']} {q['task']}{q['hop'] or ''} {where}: {q['question']} gold={q['values']} old={q.get('old')}\n    said: {text}",
            file=sys.stderr,
        )


if __name__ == "__main__":
    raise SystemExit(main())
