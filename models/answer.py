"""One answer as it streams: from token bytes to deltas that are safe to show."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from models.errors import OutputInvalid
from models.pieces import Characters, StopMatcher
from models.reasoning import ReasoningSplitter, Split
from models.requests import Delta, FinishReason, TokenLogprob, ToolCallDelta


class CallParser(Protocol):
    """Takes tool calls out of a stream of text."""

    @property
    def calls(self) -> int:
        """Calls seen so far."""
        ...

    @property
    def begun(self) -> str | None:
        """Where the last piece began the first call: what came of it so far, without the opening text; else None."""
        ...

    def push(self, text: str) -> tuple[str, list[ToolCallDelta]]:
        """Text that belongs to no call, and pieces of calls."""
        ...

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """What was held back."""
        ...


class Splitter(Protocol):
    """Tells what a model thinks from what it says."""

    @property
    def inside(self) -> bool:
        """Whether the model thinks at this point."""
        ...

    @property
    def held(self) -> str:
        """Text that came and is not certain yet."""
        ...

    def push(self, piece: str) -> Split:
        """Text and reasoning that are certain now."""
        ...

    def finish(self) -> Split:
        """What was held back."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """
    What holds for an answer.

    *splitter* None: all is text. *hide_reasoning* drops the rest. *check* gets the whole text at the end and says what
    is wrong with it, or None. *prefix*: text that the prompt has already begun the answer with.
    """

    stops: tuple[str, ...] = ()
    splitter: Callable[[], Splitter] | None = ReasoningSplitter
    hide_reasoning: bool = False
    check: Callable[[str], str | None] | None = None
    calls: Callable[[], CallParser] | None = None
    prefix: str = ""


@dataclass(slots=True)
class Piece:
    """What became showable at once."""

    text: str = ""
    reasoning: str = ""
    was_reasoning: bool = False
    calls: list[ToolCallDelta] = field(default_factory=list)


class AnswerStream:
    """Bytes of tokens in, deltas out; holds what may yet turn out to be a stop, a tag or a call."""

    def __init__(self, rules: AnswerRules, index: int = 0) -> None:
        self._rules = rules
        self._index = index
        self._characters = Characters()
        self._stops = StopMatcher(rules.stops)
        self._splitter = rules.splitter() if rules.splitter else None
        self._calls = rules.calls() if rules.calls else None
        self._whole: list[str] = []  # kept for the check only
        self._waiting = Piece()
        self._logprobs: list[TokenLogprob] = []
        self.stopped_by: str | None = None
        self.reasoning_tokens = 0
        if rules.prefix:
            self._take(rules.prefix)

    @property
    def begun(self) -> str | None:
        """Where the text has just entered a tool call: what came of the call, after its opening text; else None."""
        if self._calls is None or self._calls.begun is None:
            return None
        return self._calls.begun + (self._splitter.held if self._splitter else "") + self._stops.held

    @property
    def reasoning(self) -> bool:
        """Whether the model is thinking at this point."""
        return self._splitter is not None and self._splitter.inside

    def push(self, data: bytes, logprob: TokenLogprob | None = None) -> bool:
        """Take the bytes of one token. True: a stop string came, and the answer ends here."""
        if logprob is not None:
            self._logprobs.append(logprob)
        if self.reasoning:
            self.reasoning_tokens += 1
        shown, self.stopped_by = self._stops.push(self._characters.push(data))
        if shown:
            self._take(shown)
        return self.stopped_by is not None

    def _take(self, text: str) -> None:
        self._receive(self._splitter.push(text) if self._splitter else Split(text=text))

    def _receive(self, split: Split) -> None:
        waiting = self._waiting
        if split.was_reasoning:
            waiting.reasoning += waiting.text
            waiting.text = ""
            waiting.was_reasoning = True
            self._whole.clear()
        if not self._rules.hide_reasoning:
            waiting.reasoning += split.reasoning
        elif split.was_reasoning:
            waiting.reasoning = ""
        text = split.text
        if text and self._calls:
            text, calls = self._calls.push(text)
            waiting.calls += calls
        waiting.text += text
        if self._rules.check:
            self._whole.append(text)

    def take(self) -> Delta | None:
        """Everything that became showable since the last call, None when nothing did."""
        piece = self._waiting
        if not (piece.text or piece.reasoning or piece.calls or piece.was_reasoning or self._logprobs):
            return None
        self._waiting = Piece()
        delta = Delta(
            index=self._index,
            text=piece.text,
            reasoning=piece.reasoning,
            was_reasoning=piece.was_reasoning,
            tool_calls=tuple(piece.calls),
            logprobs=tuple(self._logprobs),
        )
        self._logprobs.clear()
        return delta

    def finish(self, reason: FinishReason) -> FinishReason:
        """
        Let go what was held back; `take` gives it. The reason becomes tool_calls where the answer made some.

        Raises:
            OutputInvalid: the answer ended by itself and is not what was asked for.
        """
        if self.stopped_by is None:
            rest = self._characters.finish()
            shown, _ = self._stops.push(rest)
            shown += self._stops.finish()
            if shown:
                self._take(shown)
        if self._splitter:
            self._receive(self._splitter.finish())
        if self._calls:
            text, calls = self._calls.finish()
            self._waiting.text += text
            self._waiting.calls += calls
            if self._calls.calls and reason == "stop":
                return "tool_calls"
        if self._rules.check and reason == "stop":
            whole = "".join(self._whole)
            problem = self._rules.check(whole)
            if problem is not None:
                raise OutputInvalid(problem, whole)
        return reason


def check_json(text: str) -> str | None:
    """What keeps *text* from being JSON, or None."""
    try:
        json.loads(text)
    except ValueError as error:
        return f"not JSON: {error}"
    return None
