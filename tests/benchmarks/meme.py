"""
MEME-style episodes through the same code that serves the owner: told, linked, recalculated, committed, indexed, asked.

    python tests/benchmarks/meme.py [--systems NAME,NAME] [--episodes FILE] [--model starter]      (a table of systems)
    python tests/benchmarks/meme.py --episodes FILE --system reverie --out ANSWERS [--diagnose] [--limit N]
    python tests/benchmarks/meme.py --generate N --seed S [--fillers FILE] --out EPISODES

Systems without a model: reverie, reverie-norecalc (nothing follows from a change), bm25, dense, rag; and, quick enough
to develop with, reverie-pages: the pure functions on pages in memory, without journal, index, history and passages.
With `--model NAME` (at `--url`, or `starter` for a daemon of its own) also full-text, md-flat, karpathy-wiki, mem0, and
a reader behind bm25, dense and rag. Without `--out` all of them, or `--systems`, are compared, on two generated
episodes or those of `--episodes`.

Each episode begins with an empty vault. Its sessions come in order, their time as the clock, replies too where a system
keeps them; before- and after-questions are asked where they stand. `--every K --offset O` takes every K-th episode.
"""

import argparse
import gzip
import json
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from _home import embedding_folder, temporary_home
from _mem0 import mem0
from _meme_play import System, play
from _meme_reverie import Household, Inconsequent, Owned, Pages, household
from _meme_table import SYSTEMS, answers_rightly, flat, table
from _meme_turns import Finds, Meanings
from meme_generate import generate
from meme_models import Chat, FlatMemory, FullText, Reads, Wiki

from daemon.bench.episodes import plain
from memory_store.store import Store

OWNED = {"reverie": Store, "reverie-norecalc": Inconsequent}
FOUND = ("bm25", "dense", "rag")
WITH_MODEL = {"full-text": FullText, "md-flat": FlatMemory, "karpathy-wiki": Wiki}


class Systems:
    """Makes the systems by name, each with what it needs: loaded at the first that needs it, ended with *stack*."""

    def __init__(self, stack: ExitStack, chat: Chat | None, *, words_only: bool) -> None:
        self.chat = chat
        self._stack = stack
        self._words_only = words_only
        self._meanings: Meanings | None = None
        self._household: Household | None = None

    def make(self, name: str, stack: ExitStack) -> System:
        """A fresh system, ended on leaving *stack*."""
        if name in OWNED:
            if self._household is None:
                self._household = self._stack.enter_context(household(words_only=self._words_only))
            return stack.enter_context(self._household.memory(OWNED[name]))
        if name == "reverie-pages":
            return Pages(self._similarity())
        if name in FOUND:
            finds = Finds(name, self._similarity())
            return Reads(self.chat, finds) if self.chat else finds
        if self.chat is not None and name == "mem0":
            return stack.enter_context(mem0(self.chat))
        if self.chat is not None and name in WITH_MODEL:
            return WITH_MODEL[name](self.chat)
        known = ", ".join((*OWNED, "reverie-pages", *FOUND))
        raise SystemExit(f"no system {name!r}; known: {known}; with --model {', '.join((*WITH_MODEL, 'mem0'))}")

    def _similarity(self) -> Meanings | None:
        if self._meanings is None and not self._words_only:
            self._meanings = Meanings(embedding_folder())
        return self._meanings


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
    with ExitStack() as stack:
        chat: Chat | None = None
        if args.model == "starter":
            home = stack.enter_context(temporary_home())
            home.environ["REVERIE_MODELS_CONTEXT_TOKENS"] = "8192"  # as long as the model was trained for
            home.start()
            chat = Chat(f"http://127.0.0.1:{home.port}/v1", "smollm2-135m-instruct")
        elif args.model:
            chat = Chat(args.url, args.model)
        systems = Systems(stack, chat, words_only=args.words_only)
        if args.out:
            _run(args, systems)
        else:
            _compare(args, systems)
    if chat is not None:
        print(f"{chat.calls} calls of the model, {chat.failed} without a usable reply", file=sys.stderr)
    return 0


def _compare(args: argparse.Namespace, systems: Systems) -> None:
    found = read_lines(args.episodes) if args.episodes else generate(args.generate or 2, args.seed, [], args.wave)
    episodes = list(found)[args.offset :: args.every][: args.limit]
    named = args.systems.split(",") if args.systems else SYSTEMS if systems.chat else SYSTEMS[:5]

    def answers(episode: dict, name: str, stack: ExitStack) -> dict[str, str]:
        return {question["id"]: text for question, text, _ in play(episode, systems.make(name, stack))}

    table(episodes, named, systems.chat, answers)


def _run(args: argparse.Namespace, systems: Systems) -> None:
    episodes = list(read_lines(args.episodes))[args.offset :: args.every][: args.limit]
    ingest, asked = [], []
    with open(args.out, "w", encoding="utf-8") as out:
        for episode in episodes:
            with ExitStack() as stack:
                system = systems.make(args.system, stack)
                began, spent = time.perf_counter(), 0.0
                for question, text, took_s in play(episode, system):
                    spent += took_s
                    asked.append(took_s)
                    out.write(json.dumps({"id": question["id"], "answer": text}, ensure_ascii=False) + "\n")
                ingest.append(time.perf_counter() - began - spent)
                if args.diagnose and isinstance(system, Owned | Pages):
                    diagnose(episode, system)
    print(
        f"{len(episodes)} episodes; ingest median {statistics.median(ingest):.2f} s, worst {max(ingest):.2f} s; "
        f"answer median {1000 * statistics.median(asked):.1f} ms, worst {1000 * max(asked):.0f} ms",
        file=sys.stderr,
    )


def diagnose(episode: dict, system: Owned | Pages) -> None:
    """For every after-question that fails: never encoded, not maintained, not retrieved or not answered."""
    for q in episode["after_questions"]:
        if q.get("excluded"):
            continue
        text = system.ask(q["question"], "")
        if answers_rightly(q, text):
            continue
        values = [plain(value) for value in flat(q["values"])]
        everything = " ".join(plain(line) for line in system.lines)
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
