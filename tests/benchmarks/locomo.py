"""
LoCoMo as vaults of notes: one page a session, and which line each turn of the evidence stands on.

Read from `$REVERIE_EVAL/locomo`, else `../shared/data/locomo` beside the repository; never copied into it.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ANSWERABLE = (1, 2, 3, 4)


@dataclass(frozen=True)
class Session:
    """One conversation of one day: *when* as the data words it, *turns* as (id, speaker, text)."""

    name: str
    when: str
    turns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Question:
    """*evidence* are ids of turns."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True)
class Chat:
    """One long conversation and the questions asked about it."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


def data_file() -> Path:
    """Where the data is to be."""
    root = os.environ.get("REVERIE_EVAL")
    folder = Path(root) if root else Path(__file__).parents[2].parent / "shared" / "data"
    return folder / "locomo" / "locomo10.json"


def load(file: Path | None = None) -> list[Chat]:
    """All conversations, with the questions of categories 1 to 4 whose evidence can be found in them."""
    return [_chat(sample) for sample in json.loads((file or data_file()).read_text("utf-8"))]


def _chat(sample: dict) -> Chat:
    talk = sample["conversation"]
    names = sorted((k for k in talk if isinstance(talk[k], list)), key=lambda name: int(name.split("_")[1]))
    sessions = tuple(
        Session(n, talk[f"{n}_date_time"], tuple((t["dia_id"], t["speaker"], t["text"]) for t in talk[n]))
        for n in names
    )
    known = {turn for session in sessions for turn, _, _ in session.turns}
    questions = []
    for qa in sample["qa"]:
        evidence = frozenset(part for item in qa.get("evidence", ()) for part in _ids(item)) & known
        if qa["category"] in ANSWERABLE and evidence:
            questions.append(Question(str(qa["question"]), qa["category"], evidence))
    return Chat(sample["sample_id"], sessions, tuple(questions))


def _ids(item: str) -> Iterator[str]:
    yield from item.replace(";", " ").replace(",", " ").split()


def pages(chat: Chat) -> tuple[dict[str, str], dict[tuple[str, int], str]]:
    """*chat* as pages by path, and the turn that stands on each (path, line)."""
    made: dict[str, str] = {}
    lines: dict[tuple[str, int], str] = {}
    for session in chat.sessions:
        path = f"{chat.name}/{session.name}.md"
        text = [f"# {session.name.replace('_', ' ').capitalize()}", "", f"## {session.when}", ""]
        for turn, speaker, said in session.turns:
            lines[path, len(text) + 1] = turn
            text += [f"**{speaker}:** {' '.join(said.split())}", ""]
        made[path] = "\n".join(text)
    return made, lines
