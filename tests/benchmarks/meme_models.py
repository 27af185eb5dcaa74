"""
The systems of the MEME paper that leave the work to a model, over the daemon's own OpenAI API.

`full-text` shows the model as much of the conversations as fits; `bm25`, `dense` and `rag` with a model let it read
what they found; `md-flat` lets it keep one memory.md; `karpathy-wiki` lets it keep a wiki beside raw pages, with an
index and a log. The tools are a JSON schema that the daemon enforces, so that a model without tool training can call
them too. Published figures come from far larger models than the starter's 135 million weights.
"""

import json
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Protocol

from _meme_play import Session

TIMEOUT_S = 120  # for one call
TOOL_TOKENS = 120
_ANSWER = (
    "Answer the question from the notes in one short sentence. If the notes do not say, or what they say may no longer "
    "hold, say that you are not sure."
)


class Finder(Protocol):
    """What finds parts of the conversation without a model."""

    def read(self, session: Session) -> None: ...

    def found(self, question: str) -> str: ...


@dataclass
class Chat:
    """One model behind an OpenAI API at *url*; *room* characters of notes fit into its prompt."""

    url: str
    model: str
    room: int = 4000
    calls: int = 0
    failed: int = 0

    def say(self, system: str, user: str, *, schema: dict | None = None, tokens: int = 60) -> str:
        """What the model says to *user*; empty where the daemon refuses or the model does not finish."""
        body: dict = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": tokens,
            "temperature": 0,
        }
        if schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "tool", "schema": schema, "strict": True},
            }
        request = urllib.request.Request(
            f"{self.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        self.calls += 1
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
                return str(json.load(reply)["choices"][0]["message"]["content"] or "")
        except (urllib.error.URLError, TimeoutError) as error:
            print(f"{self.model}: {error}", file=sys.stderr, flush=True)
            self.failed += 1
            return ""

    def act(self, system: str, user: str, schema: dict) -> dict:
        """The tool call that the model makes; empty where it does not come to its end."""
        try:
            called = json.loads(self.say(system, user, schema=schema, tokens=TOOL_TOKENS))
        except json.JSONDecodeError:
            self.failed += 1
            return {}
        return called if isinstance(called, dict) else {}

    def answer(self, notes: str, question: str) -> str:
        return self.say(_ANSWER, f"Notes:\n{notes[-self.room :]}\n\nQuestion: {question}")


@dataclass
class FullText:
    """As many of the last turns as fit."""

    chat: Chat
    turns: list[str] = field(default_factory=list)

    def read(self, session: Session) -> None:
        self.turns += [f"({session.day}) {text}" for turn in session.turns for text in turn if text]

    def ask(self, question: str, day: str) -> str:
        return self.chat.answer("\n".join(self.turns), question)


@dataclass
class Reads:
    """A finder whose finds the model reads."""

    chat: Chat
    finder: Finder

    def read(self, session: Session) -> None:
        self.finder.read(session)

    def ask(self, question: str, day: str) -> str:
        return self.chat.answer(self.finder.found(question), question)


def _object(**properties: dict) -> dict:
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


_LINE = {"type": "string", "maxLength": 160}


@dataclass
class FlatMemory:
    """One memory.md that the model appends to or rewrites after every message."""

    chat: Chat
    memory: str = ""
    tool: dict = field(
        default_factory=lambda: _object(
            tool={"type": "string", "enum": ["nothing", "append", "replace", "delete"]}, line=_LINE, old=_LINE
        )
    )

    def read(self, session: Session) -> None:
        for text in session.said:
            self._read(text, session.day)

    def _read(self, text: str, day: str) -> None:
        called = self.chat.act(
            "You keep memory.md about the user. Append a line for a new fact, replace the old line when a fact changes "
            "(and whatever depends on it), delete what you are asked to forget, or do nothing.",
            f"memory.md:\n{self.memory[-self.chat.room :]}\n\nThe user says on {day}: {text[:1500]}",
            self.tool,
        )
        line, old = str(called.get("line", "")).strip(), str(called.get("old", "")).strip()
        match called.get("tool"):
            case "append" if line:
                self.memory += f"- {line}\n"
            case "replace" if old and old in self.memory:
                self.memory = self.memory.replace(old, line, 1)
            case "delete" if old:
                self.memory = "".join(each for each in self.memory.splitlines(keepends=True) if old not in each)

    def ask(self, question: str, day: str) -> str:
        return self.chat.answer(self.memory, question)


@dataclass
class Wiki:
    """Raw pages that stay as they are, and a wiki with an index and a log that the model keeps beside them."""

    chat: Chat
    raw: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def index(self) -> str:
        return "\n".join(f"{name}: {text.splitlines()[0][:80]}" for name, text in self.pages.items() if text.strip())

    def read(self, session: Session) -> None:
        for text in session.said:
            self._read(text, session.day)

    def _read(self, text: str, day: str) -> None:
        self.raw.append(f"({day}) {text}")
        called = self.chat.act(
            "You keep a wiki about the user. Name the page that this message belongs to and give its whole new text; "
            "an empty page name where nothing is worth keeping.",
            f"Index:\n{self.index()[:1500]}\n\nThe user says on {day}: {text[:1500]}",
            _object(page={"type": "string", "maxLength": 40}, text={"type": "string", "maxLength": 300}),
        )
        name, body = str(called.get("page", "")).strip(), str(called.get("text", "")).strip()
        if name and body:
            self.pages[name] = body
            self.log.append(f"{day} {name}")

    def ask(self, question: str, day: str) -> str:
        if not self.pages:
            return self.chat.answer("", question)
        called = self.chat.act(
            "Choose the page that answers the question.",
            f"Index:\n{self.index()[:2000]}\n\nQuestion: {question}",
            _object(page={"type": "string", "enum": list(self.pages)[-40:]}),
        )
        return self.chat.answer(self.pages.get(str(called.get("page", "")), ""), question)
