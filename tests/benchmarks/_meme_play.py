"""How an episode is played to a memory under test: session after session, the questions where they stand."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Session:
    """One conversation: the *turns* of the owner, each with the reply to it (empty for none)."""

    at: datetime
    turns: tuple[tuple[str, str], ...]

    @property
    def day(self) -> str:
        return self.at.date().isoformat()

    @property
    def said(self) -> tuple[str, ...]:
        """The owner's words alone."""
        return tuple(words for words, _ in self.turns)

    @classmethod
    def of(cls, given: dict) -> "Session":
        turns: list[tuple[str, str]] = []
        for turn in given["conversation"]:
            if turn["role"] == "user":
                turns.append((turn["content"], ""))
            elif turns:
                words, reply = turns[-1]
                turns[-1] = (words, f"{reply}\n\n{turn['content']}".strip())
        return cls(datetime.fromisoformat(given["timestamp"]).astimezone(), tuple(turns))


class System(Protocol):
    """A memory under test: reads a session, then answers; *day* is that of the last session."""

    def read(self, session: Session) -> None: ...

    def ask(self, question: str, day: str) -> str: ...


def play(episode: dict, system: System) -> Iterator[tuple[dict, str, float]]:
    """Every session in order, questions where they stand: each with its answer and the seconds that it took."""
    day = "2026-01-01"
    for n, given in enumerate([*episode["sessions"], None]):
        for place, questions in (("before_at", "before_questions"), ("after_at", "after_questions")):
            if episode[place] == n:
                for question in episode[questions]:
                    began = time.perf_counter()
                    text = system.ask(question["question"], day)
                    yield question, text, time.perf_counter() - began
        if given is not None:
            session = Session.of(given)
            day = session.day
            system.read(session)
