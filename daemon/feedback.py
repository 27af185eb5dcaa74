"""Which answers were right, as the owner tells: by a thumb, by the right answer, or in the next sentence of a chat."""

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from daemon import wire
from daemon.night.lessons import RECORDS
from daemon.night.loop import Source
from daemon.night.state import NightState, Question, in_passing
from daemon.night.uses import Uses
from daemon.questions import is_question
from daemon.taught import corrected
from memory_store.statements import Statement

KEPT = 200
MOST_CHARS = 300
_FACT = re.compile(r"\[[^\]]+\] (?P<value>.+)")


@dataclass(frozen=True)
class Exchanged:
    """
    A question and its answer: the *sources* that were read for it, the *rules* of META.md that were in force, and the
    *value* where one fact answered. *model*: a model said it, who need not have used all that it read.
    """

    question: str
    answer: str
    rules: tuple[str, ...] = ()
    value: str = ""
    sources: tuple[wire.Source, ...] = ()
    model: bool = False

    @property
    def places(self) -> list[Source]:
        """Where the answer is from."""
        return [Source(one.path, one.start_line, one.end_line) for one in self.sources]

    @property
    def said(self) -> str:
        """The words of a model that tell what it used of its sources."""
        return self.answer if self.model else ""


class Feedback:
    """Remembers the latest exchanges, and files what the owner says of them for the night."""

    def __init__(
        self,
        state: NightState,
        uses: Uses,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._state = state
        self._uses = uses
        self._now = now
        self._exchanges: OrderedDict[str, Exchanged] = OrderedDict()

    def exchanged(self, name: str, exchange: Exchanged) -> None:
        """*exchange* took place; it can be spoken of by *name*."""
        self._exchanges[name] = exchange
        while len(self._exchanges) > KEPT:
            self._exchanges.popitem(last=False)

    def cited(self, exchange: Exchanged) -> None:
        """An answer was given from its sources."""
        self._uses.cited(exchange.question, exchange.places, exchange.said)

    def find(self, name: str | None) -> Exchanged | None:
        """The exchange called *name*, if it is not long ago."""
        return self._exchanges.get(name or "")

    def forget(self) -> None:
        """Keep no exchange."""
        self._exchanges.clear()

    def failed(self, question: str) -> None:
        """A question that memory could not answer: the night asks it again."""
        if is_question(question) and len(question) <= MOST_CHARS:
            with in_passing():
                self._add(question, "", "failed")

    def answered(self, question: str, answer: str, origin: str) -> None:
        """The right answer to *question*, from the owner."""
        answer = " ".join(answer.split())
        if question.strip() and answer and len(question) <= MOST_CHARS and len(answer) <= MOST_CHARS:
            self._add(question.strip(), answer, origin)

    def judged(self, exchange: Exchanged, verdict: str) -> None:
        """
        The rules that were in force helped, or hurt: their records are written to META.md by the night. What was cited
        answered the question, or did not.
        """
        if verdict == "up":
            self._uses.cited(exchange.question, exchange.places, exchange.said, confirmed=True)
        else:
            self._uses.refuted(exchange.question)
        if not exchange.rules:
            return
        counted = self._state.read(RECORDS, dict[str, list[int]]) or {}
        for rule in exchange.rules:
            helped, hurt = counted.get(rule, [0, 0])
            counted[rule] = [helped + (verdict == "up"), hurt + (verdict == "down")]
        self._state.write(RECORDS, counted)

    def corrected(
        self, said: Sequence[str], statements: Sequence[Statement], values: Sequence[str]
    ) -> tuple[str, str] | None:
        """
        Where the last of *said* (the owner's turns) corrects the answer to the question before it, that is filed, and
        the question and its answer are returned.

        *statements* and *values* are what the last turn was understood to say.
        """
        if len(said) < 2 or not is_question(said[-2]):
            return None
        changed = values and any(statement.kind == "correction" for statement in statements)
        right = values[0] if changed else corrected(said[-1])
        if not right:
            return None
        self._uses.refuted(said[-2])
        self.answered(said[-2], right, "correction")
        return said[-2].strip(), right

    def _add(self, question: str, answer: str, origin: str) -> None:
        when = self._now().isoformat(timespec="seconds")
        self._state.add_question(Question(question, answer, origin, when))


def value_of(sources: Sequence[wire.Source], kind: wire.AnswerKind | None) -> str:
    """The value of the fact that answered; empty where more than one did, or none."""
    found = _FACT.fullmatch(sources[0].text) if kind == "fact" and len(sources) == 1 else None
    return found["value"] if found else ""
