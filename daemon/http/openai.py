"""OpenAI's paths: chat completions, embeddings, models. Names that end in `:memory` read and write memory."""

import asyncio
import base64
import logging
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import NotFound, RequestInvalid, note, outcome_of
from daemon.http import errors
from daemon.http.openai_types import ChatRequest, EmbeddingsRequest, generation_of
from daemon.http.replies import SSE, Stream, body, reply, while_connected
from daemon.parts import Handler, Parts
from models.errors import WrongModelKind
from models.requests import Delta, TokenLogprob, Usage

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)
MEMORY = ":memory"
Piece = Delta | wire.ChatMemory


async def chat(parts: Parts, request: Request) -> Response:
    """`POST /v1/chat/completions`, streamed or whole."""
    asked = await body(request, ChatRequest, limit_bytes=parts.config.server.body_limit)
    pieces = _pieces(parts, asked)
    started = time.monotonic()
    reply_id, created = f"chatcmpl-{uuid.uuid4().hex[:24]}", int(time.time())
    if not asked.stream:
        whole = await while_connected(request, _whole(parts, asked, pieces, started))
        return reply({"id": reply_id, "object": "chat.completion", "created": created, **whole})
    head = {"id": reply_id, "object": "chat.completion.chunk", "created": created, "model": asked.model}
    # The first piece is awaited before any header is sent, so that a refusal has its own status.
    first = await while_connected(request, _first(parts, pieces, started))
    return Stream(_chunks(parts, asked, head, first, pieces, started), SSE)


async def embeddings(parts: Parts, request: Request) -> Response:
    """`POST /v1/embeddings`, as numbers or base64 of little-endian float32."""
    asked = await body(request, EmbeddingsRequest, limit_bytes=parts.config.server.body_limit)
    if isinstance(asked.input, str):
        texts = [asked.input]
    elif all(isinstance(text, str) for text in asked.input):
        texts = [text for text in asked.input if isinstance(text, str)]
    else:
        raise RequestInvalid("input: token ids are not supported, only text", "input")
    if not texts:
        raise RequestInvalid("input: at least one text is needed", "input")
    rows = await while_connected(request, parts.supervisor.embed(asked.model, texts))
    parts.metrics.embedded_texts.add(len(texts))
    if asked.dimensions is not None:
        rows = _shortened(rows, asked.dimensions)
    return reply(
        {
            "object": "list",
            "model": asked.model,
            "data": [
                {"object": "embedding", "index": index, "embedding": _encoded(row, asked.encoding_format)}
                for index, row in enumerate(rows)
            ],
            "usage": await _embedding_usage(parts, asked.model, texts),
        }
    )


async def models(parts: Parts, _request: Request) -> Response:
    """`GET /v1/models`: every installed model, chat models under both their names."""
    return reply({"object": "list", "data": [_entry(name) for name in await asyncio.to_thread(_names, parts)]})


async def model(parts: Parts, request: Request) -> Response:
    """`GET /v1/models/NAME`."""
    name = request.url.path.removeprefix("/v1/models/")
    if name not in await asyncio.to_thread(_names, parts):
        raise NotFound(f"no model {name!r} is installed")
    return reply(_entry(name))


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/v1/chat/completions"): chat,
    ("POST", "/v1/embeddings"): embeddings,
    ("GET", "/v1/models"): models,
    ("GET", "/v1/models/*"): model,
}


def _names(parts: Parts) -> list[str]:
    names: list[str] = []
    for installed in parts.catalog.installed():
        names.append(installed.name)
        if installed.kind == "chat":
            names.append(installed.name + MEMORY)
    return names


def _entry(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "reverie"}


def _pieces(parts: Parts, asked: ChatRequest) -> AsyncIterator[Piece]:
    generation = generation_of(asked)
    name = asked.model.strip()
    if name.endswith(MEMORY):
        return parts.assistant.chat(name.removesuffix(MEMORY), generation)
    return parts.supervisor.generate(name, generation)


async def _first(parts: Parts, pieces: AsyncIterator[Piece], started: float) -> Piece | None:
    piece = await anext(pieces, None)
    parts.metrics.first_token_seconds.observe(time.monotonic() - started)
    return piece


async def _chunks(
    parts: Parts,
    asked: ChatRequest,
    head: dict[str, object],
    first: Piece | None,
    pieces: AsyncIterator[Piece],
    started: float,
) -> AsyncIterator[bytes]:
    """The stream's events; an error after the first is an event too, and ends it."""
    usages: dict[int, Usage] = {}
    opened: set[int] = set()
    async with _closing(pieces):
        try:
            piece = first
            while piece is not None:
                if isinstance(piece, wire.ChatMemory):
                    yield _event({**head, "choices": [], "reverie": piece})
                else:
                    if piece.usage:
                        usages[piece.index] = piece.usage
                    yield _event({**head, "choices": [_delta_choice(piece, opened, asked)]})
                piece = await anext(pieces, None)
        except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error travels in the stream
            note(log, error, "chat stream")
            yield _event({"error": errors.openai_error(error, outcome_of(error))})
            return
        finally:
            _count(parts, usages, started)
        if asked.stream_options and asked.stream_options.include_usage:
            yield _event({**head, "choices": [], "usage": _usage(usages)})
        yield b"data: [DONE]\n\n"


def _delta_choice(piece: Delta, opened: set[int], asked: ChatRequest) -> dict[str, object]:
    delta: dict[str, object] = {}
    if piece.index not in opened:
        opened.add(piece.index)
        delta = {"role": "assistant", "content": ""}
    if piece.text:
        delta["content"] = piece.text
    if piece.reasoning:
        delta["reasoning_content"] = piece.reasoning
    if piece.tool_calls:
        delta["tool_calls"] = [
            {
                "index": call.index,
                **({"id": call.id, "type": "function"} if call.id else {}),
                "function": {**({"name": call.name} if call.name else {}), "arguments": call.arguments},
            }
            for call in piece.tool_calls
        ]
    choice: dict[str, object] = {"index": piece.index, "delta": delta, "finish_reason": piece.finish_reason}
    if asked.logprobs:
        choice["logprobs"] = {"content": [_logprob(token) for token in piece.logprobs]}
    return choice


async def _whole(parts: Parts, asked: ChatRequest, pieces: AsyncIterator[Piece], started: float) -> dict[str, object]:
    answers: dict[int, list[Delta]] = {}
    memory: wire.ChatMemory | None = None
    usages: dict[int, Usage] = {}
    async with _closing(pieces):
        try:
            async for piece in pieces:
                if not answers:
                    parts.metrics.first_token_seconds.observe(time.monotonic() - started)
                if isinstance(piece, wire.ChatMemory):
                    memory = piece
                    continue
                answers.setdefault(piece.index, []).append(piece)
                if piece.usage:
                    usages[piece.index] = piece.usage
        finally:
            _count(parts, usages, started)
    choices = [_choice(index, deltas, asked) for index, deltas in sorted(answers.items())]
    return {
        "model": asked.model,
        "choices": choices,
        "usage": _usage(usages),
        **({"reverie": memory} if memory else {}),
    }


def _choice(index: int, deltas: list[Delta], asked: ChatRequest) -> dict[str, object]:
    text, reasoning = ("".join(getattr(delta, part) for delta in deltas) for part in ("text", "reasoning"))
    calls: dict[int, dict[str, Any]] = {}
    for delta in deltas:
        for call in delta.tool_calls:
            entry = calls.setdefault(
                call.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
            )
            entry["id"] = call.id or entry["id"]
            entry["function"]["name"] = call.name or entry["function"]["name"]
            entry["function"]["arguments"] += call.arguments
    message: dict[str, object] = {"role": "assistant", "content": text or (None if calls else "")}
    if reasoning:
        message["reasoning_content"] = reasoning
    if calls:
        message["tool_calls"] = [calls[place] for place in sorted(calls)]
    finish = next((delta.finish_reason for delta in reversed(deltas) if delta.finish_reason), "stop")
    choice: dict[str, object] = {"index": index, "message": message, "finish_reason": finish}
    if asked.logprobs:
        choice["logprobs"] = {"content": [_logprob(token) for delta in deltas for token in delta.logprobs]}
    return choice


def _logprob(token: TokenLogprob) -> dict[str, object]:
    return {
        "token": token.text,
        "logprob": token.logprob,
        "bytes": list(token.bytes),
        "top_logprobs": [
            {"token": rival.text, "logprob": rival.logprob, "bytes": list(rival.bytes)} for rival in token.top
        ],
    }


def _usage(usages: dict[int, Usage]) -> dict[str, object]:
    """Of several answers to one prompt the prompt counts once."""
    prompt = max((usage.prompt_tokens for usage in usages.values()), default=0)
    completion = sum(usage.completion_tokens for usage in usages.values())
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": max((usage.cached_tokens for usage in usages.values()), default=0)},
        "completion_tokens_details": {"reasoning_tokens": sum(usage.reasoning_tokens for usage in usages.values())},
    }


def _count(parts: Parts, usages: dict[int, Usage], started: float) -> None:
    parts.metrics.chat_seconds.observe(time.monotonic() - started)
    parts.metrics.prompt_tokens.add(max((usage.prompt_tokens for usage in usages.values()), default=0))
    parts.metrics.completion_tokens.add(sum(usage.completion_tokens for usage in usages.values()))


def _event(value: object) -> bytes:
    return b"data: " + msgspec.json.encode(value) + b"\n\n"


def _closing(pieces: AsyncIterator[Piece]) -> "aclosing[Any]":
    """Closing the source cancels the generation behind it."""
    return aclosing(pieces)


def _encoded(row: "np.ndarray", encoding: str | None) -> object:
    return base64.b64encode(row.astype("<f4").tobytes()).decode() if encoding == "base64" else row.tolist()


def _shortened(rows: "np.ndarray", dimensions: int) -> "np.ndarray":
    import numpy as np

    if not 1 <= dimensions <= rows.shape[1]:
        raise RequestInvalid(f"dimensions is {dimensions}, the model has {rows.shape[1]}", "dimensions")
    short = rows[:, :dimensions]
    unit: np.ndarray = short / np.maximum(np.linalg.norm(short, axis=1, keepdims=True), 1e-12)
    return unit


async def _embedding_usage(parts: Parts, name: str, texts: list[str]) -> dict[str, int]:
    """Tokens by the model's own count; words, where the model does not tell."""
    try:
        tokens = await parts.supervisor.count_tokens(name, "\n".join(texts))
    except WrongModelKind:
        tokens = sum(len(text.split()) for text in texts)
    return {"prompt_tokens": tokens, "total_tokens": tokens}
