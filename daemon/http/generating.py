"""
The one way from a request for text to its reply, whichever API asked: pieces of an answer in, an API's bytes out.

API modules translate their requests into `Generation` and render pieces; all of them get memory, metrics, hang-ups and
errors from here.
"""

import logging
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import msgspec
from starlette.requests import Request

from daemon import wire
from daemon.errors import RequestInvalid, note
from daemon.http.replies import Stream, while_connected
from daemon.parts import Parts
from models.requests import Answer, Delta, Generation, Usage, collect

log = logging.getLogger(__name__)
MEMORY = ":memory"
LATEST = ":latest"
REMEMBERED_CHARS = 1_000_000  # of a conversation with memory: more fits no model, and takes memory long to read
Piece: TypeAlias = Delta | wire.ChatMemory
Pieces: TypeAlias = AsyncGenerator[Piece]


class Renderer(Protocol):
    """An API's way to stream one reply."""

    def opening(self) -> bytes:
        """What comes before the first piece."""
        ...

    def piece(self, piece: Piece) -> bytes:
        """A piece; empty where the API shows nothing for it, or only later."""
        ...

    def closing(self) -> bytes:
        """What comes after the last piece."""
        ...

    def failure(self, error: Exception) -> bytes:
        """What ends a stream that broke after its headers were sent."""
        ...


@dataclass(frozen=True)
class Whole:
    """A complete reply: its answers by index, and what memory did."""

    answers: Sequence[Answer]
    memory: wire.ChatMemory | None

    @property
    def usage(self) -> Usage:
        """Tokens of all answers; the prompt that they share counts once."""
        return total(answer.usage for answer in self.answers)


def plain(model: str) -> str:
    """*model* without the tags that say nothing about which model it is."""
    return model.strip().removesuffix(MEMORY).removesuffix(LATEST)


def has_memory(model: str) -> bool:
    """Whether a chat with *model* reads and writes memory."""
    return model.strip().removesuffix(LATEST).endswith(MEMORY)


def pieces_of(parts: Parts, model: str, generation: Generation) -> Pieces:
    """
    The answer of *model*, with memory where its name ends in `:memory`. Nothing happens before the first piece.

    Raises:
        RequestInvalid: memory was asked for without a conversation, or for one that is far too long.
    """
    if not has_memory(model):
        return parts.supervisor.generate(plain(model), generation)
    if generation.prompt is not None:
        raise RequestInvalid(f"{model}: memory goes with conversations; a raw prompt goes to {plain(model)}", "model")
    if (chars := sum(len(turn.content) for turn in generation.messages)) > REMEMBERED_CHARS:
        raise RequestInvalid(
            f"messages: {chars} characters; a conversation with memory holds {REMEMBERED_CHARS}", "messages"
        )
    return parts.assistant.chat(plain(model), generation)


async def whole(parts: Parts, request: Request, source: Pieces) -> Whole:
    """All of *source*, unless the client hangs up before the end."""
    return await while_connected(request, gathered(parts, source))


async def gathered(parts: Parts, source: Pieces) -> Whole:
    """All of *source*, to the end."""
    memory: wire.ChatMemory | None = None
    deltas: list[Delta] = []
    async for piece in _counted(parts, source):
        if isinstance(piece, wire.ChatMemory):
            memory = piece
        else:
            deltas.append(piece)
    return Whole(collect(deltas), memory)


async def stream(parts: Parts, request: Request, source: Pieces, renderer: Renderer, media_type: str) -> Stream:
    """
    *source* as *renderer* shows it.

    The first piece is awaited before any header is sent, so that a refusal has its own status.
    """
    counted = _counted(parts, source)
    first = await while_connected(request, _next(counted))
    return Stream(_rendered(first, counted, renderer), media_type)


async def _next(source: Pieces) -> Piece | None:
    return await anext(source, None)


async def _rendered(first: Piece | None, rest: Pieces, renderer: Renderer) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        try:
            begun = renderer.opening()
            piece = first
            while piece is not None:
                if shown := begun + renderer.piece(piece):
                    yield shown
                begun = b""
                piece = await anext(rest, None)
            if last := begun + renderer.closing():
                yield last
        except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error travels in the stream
            note(log, error, "a stream")
            yield renderer.failure(error)


async def _counted(parts: Parts, source: Pieces) -> AsyncGenerator[Piece]:
    """*source*, with the metrics of a reply; closing it cancels the work behind."""
    started = parts.last_chat = time.monotonic()
    usages: dict[int, Usage] = {}
    first = True
    try:
        async with aclosing(source):
            async for piece in source:
                if first:
                    first = False
                    parts.metrics.first_token_seconds.observe(time.monotonic() - started)
                if isinstance(piece, Delta) and piece.usage and piece.usage.generated:
                    usages[piece.index] = piece.usage
                yield piece
    finally:
        used = total(usages.values())
        parts.metrics.chat_seconds.observe(time.monotonic() - started)
        parts.metrics.prompt_tokens.add(used.prompt_tokens)
        parts.metrics.completion_tokens.add(used.completion_tokens)


def total(usages: Iterable[Usage]) -> Usage:
    """Of several answers to one prompt the prompt counts once."""
    found = list(usages)
    return Usage(
        prompt_tokens=max((usage.prompt_tokens for usage in found), default=0),
        completion_tokens=sum(usage.completion_tokens for usage in found),
        cached_tokens=max((usage.cached_tokens for usage in found), default=0),
        reasoning_tokens=sum(usage.reasoning_tokens for usage in found),
    )


def event(value: object, name: str | None = None) -> bytes:
    """*value* as a server-sent event."""
    head = b"" if name is None else b"event: " + name.encode() + b"\n"
    return head + b"data: " + msgspec.json.encode(value) + b"\n\n"
