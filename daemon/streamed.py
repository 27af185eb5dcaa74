"""What the lines of a streamed reply say. A stream that ends before its end is a `DaemonError`."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from daemon import wire
from daemon.transport import DaemonError, failure_of

S = TypeVar("S")
R = TypeVar("R")


class ChatChunk(msgspec.Struct, frozen=True):
    """
    A piece of a streamed reply: some text, or some reasoning, or the end.

    *memory* comes once, with the last chunk, from models whose name ends in `:memory`.
    """

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    memory: wire.ChatMemory | None = None
    completion_tokens: int | None = None


class _Delta(msgspec.Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta = msgspec.field(default_factory=_Delta)
    message: _Delta | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice] = []
    reverie: wire.ChatMemory | None = None
    usage: _Usage | None = None
    error: object = None


def _data(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The data of each server-sent event; comments, ids and names are left out."""
    data: list[bytes] = []
    for line in lines:
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            yield b"\n".join(data)
            data.clear()


def chat_chunks(lines: Iterator[bytes]) -> Iterator[ChatChunk]:
    """Deltas as they come; the last chunk gathers how it ended, its memory and its usage, which may come apart."""
    finish: str | None = None
    memory: wire.ChatMemory | None = None
    tokens: int | None = None
    ended = False
    for data in _data(lines):
        if data == b"[DONE]":
            ended = True
            break
        part = msgspec.json.decode(data, type=_Completion)
        if part.error is not None:
            raise failure_of(data, 0)
        memory = part.reverie or memory
        if part.usage is not None:
            tokens = part.usage.completion_tokens
        for choice in part.choices:
            finish = choice.finish_reason or finish
            text = choice.delta.content or ""
            reasoning = choice.delta.reasoning_content or choice.delta.reasoning or ""
            if text or reasoning:
                yield ChatChunk(text=text, reasoning=reasoning)
    if not ended and finish is None:
        raise DaemonError("ConnectionLost", "the reply broke off", "ask again; `reverie logs` tells why")
    yield ChatChunk(finish=finish or "stop", memory=memory, completion_tokens=tokens)


def events(lines: Iterator[bytes]) -> Iterator[wire.Event]:
    """Events as they come."""
    for data in _data(lines):
        yield msgspec.json.decode(data, type=wire.Event)


def progress(lines: Iterator[bytes]) -> Iterator[wire.Progress]:
    """The steps of a pull, up to the one that is `done`."""
    done = False
    for line in filter(None, lines):
        try:
            step = msgspec.json.decode(line, type=wire.Progress)
        except msgspec.MsgspecError:
            raise failure_of(line, 0) from None
        if step.error is not None:
            raise DaemonError(step.kind or "PullFailed", step.error)
        done = step.done
        yield step
    if not done:
        raise DaemonError("ConnectionLost", "the download broke off", "run it again: it goes on where it stopped")


class _Line(msgspec.Struct):
    """Tells the line of a report from a step before it and from an `Error`."""

    model: str | None = None
    error: object = None


def report_of(step: type[S], report: type[R], what: str) -> Callable[[Iterator[bytes]], Iterator[S | R]]:
    """Decodes the steps of *what* as they come, then its report, which names its model."""

    def decode(lines: Iterator[bytes]) -> Iterator[S | R]:
        for line in filter(None, lines):
            kind = msgspec.json.decode(line, type=_Line)
            if kind.error is not None:
                raise failure_of(line, 0)
            if kind.model is not None:
                yield msgspec.json.decode(line, type=report)
                return
            yield msgspec.json.decode(line, type=step)
        raise DaemonError("ConnectionLost", f"the {what} broke off", "`reverie logs` tells why")

    return decode
