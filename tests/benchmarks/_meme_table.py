"""
Every system over the same few episodes, as a table: shares of questions answered rightly, a task each.

A system that fails midway says so in its row; the others go on. Cascade, absence and deletion count only where the
question was answered before the change. The rules of judging are the product's own (`daemon.bench.episodes`).
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack

from meme_models import Chat

from daemon.bench.episodes import Question, Task, is_right, knew

TASKS: dict[str, Task] = {
    "ER": "recall",
    "Agg": "list",
    "Tr": "history",
    "Del": "deletion",
    "Cas": "cascade",
    "Abs": "absence",
}
SYSTEMS = (
    "reverie",
    "reverie-norecalc",
    "bm25",
    "dense",
    "rag",
    "full-text",
    "md-flat",
    "karpathy-wiki",
    "mem0",
)
Play = Callable[[dict, str, ExitStack], dict[str, str]]


def table(episodes: Sequence[dict], systems: Iterable[str], chat: Chat | None, play: Play) -> None:
    """Print a row a system as it ends; *play* gives the answers to one episode, by the questions' ids."""
    print(f"| system | {' | '.join(TASKS)} | mean | model calls, failed | s an episode |", flush=True)
    print("|---" * (len(TASKS) + 4) + "|", flush=True)
    for system in systems:
        calls, failed = (chat.calls, chat.failed) if chat else (0, 0)
        rights: dict[str, list[bool]] = {task: [] for task in TASKS}
        began = time.perf_counter()
        played = 0
        for episode in episodes:
            try:
                with ExitStack() as stack:
                    answers = play(episode, system, stack)
            except (OSError, RuntimeError, SystemExit) as error:
                print(f"{system}: {error}", file=sys.stderr, flush=True)
                break
            played += 1
            for task, right in judged(episode, answers):
                rights[task].append(right)
        took_s = (time.perf_counter() - began) / max(played, 1)
        shares = {task: sum(right) / len(right) for task, right in rights.items() if right}
        cells = [f"{shares[task]:.2f}" if task in shares else "-" for task in TASKS]
        mean = f"{statistics.mean(shares.values()):.2f}" if shares else "-"
        used = f"{chat.calls - calls}, {chat.failed - failed}" if chat and chat.calls > calls else "0"
        ended = "" if played == len(episodes) else f" (ended after {played} of {len(episodes)})"
        print(f"| {system}{ended} | {' | '.join(cells)} | {mean} | {used} | {took_s:.1f} |", flush=True)


def judged(episode: dict, answers: dict[str, str]) -> Iterable[tuple[str, bool]]:
    """Each after-question's task, and whether it was answered rightly."""
    before = {tuple(asked["entity"]): asked for asked in episode["before_questions"]}
    for asked in episode["after_questions"]:
        if asked.get("excluded"):
            continue
        task = asked["task"]
        right = answers_rightly(asked, answers.get(asked["id"], ""))
        if task in ("Cas", "Abs", "Del"):
            earlier = before.get(tuple(asked["entity"]))
            right = right and earlier is not None and _knew(earlier, answers.get(earlier["id"], ""))
        yield task, right


def answers_rightly(asked: dict, answer: str) -> bool:
    """Whether *answer* answers the question *asked*, whatever was known before."""
    values = flat(asked["values"])
    return is_right(Question(TASKS[asked["task"]], asked["question"], values, tuple(asked.get("old") or ())), answer)


def _knew(earlier: dict, answer: str) -> bool:
    return all(knew(Question("recall", "", (), before=value), answer) for value in flat(earlier["values"]))


def flat(values: dict) -> tuple[str, ...]:
    """The values of a question, one after the other."""
    found: list[str] = []
    for value in values.values():
        found += value if isinstance(value, list) else [value]
    return tuple(found)
