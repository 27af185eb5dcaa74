"""OpenAI's chat completions and list of models. Names that end in `:memory` read and write memory."""

import asyncio
import time
import uuid
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import NotFound, outcome_of
from daemon.http import errors
from daemon.http.generating import MEMORY, Piece, event, has_memory, pieces_of, plain, stream, total, whole
from daemon.http.openai_replies import ModelEntry, ModelList
from daemon.http.openai_types import ChatRequest, generation_of
from daemon.http.replies import SSE, body, reply
from daemon.parts import Handler, Parts
from models.errors import ModelError
from models.requests import Answer, Delta, TokenLogprob, Usage

SMALLEST = -9999.0  # what OpenAI says for a logarithm that JSON cannot hold


async def chat(parts: Parts, request: Request) -> Response:
    """`POST /v1/chat/completions`, streamed or whole."""
    asked = await body(request, ChatRequest, limit_bytes=parts.config.server.body_limit)
    source = pieces_of(parts, asked.model, generation_of(asked))
    reply_id, created = f"chatcmpl-{uuid.uuid4().hex[:24]}", int(time.time())
    if asked.stream:
        return await stream(parts, request, source, Chunks(asked, reply_id, created), SSE)
    found = await whole(parts, request, source)
    said: dict[str, object] = {
        "id": reply_id,
        "object": "chat.completion",
        "created": created,
        "model": asked.model,
        "choices": [_choice(index, answer, asked) for index, answer in enumerate(found.answers)],
        "usage": usage_entry(found.usage),
    }
    return reply(said | ({"reverie": found.memory} if found.memory else {}))


async def models(parts: Parts, _request: Request) -> Response:
    """`GET /v1/models`: every installed model, chat models under both their names. Anthropic's clients read it too."""
    names = await asyncio.to_thread(_names, parts)
    first, last = (names[0], names[-1]) if names else (None, None)
    entries = [_entry(name) for name in names]
    return reply(ModelList(object="list", data=entries, has_more=False, first_id=first, last_id=last))


async def model(parts: Parts, request: Request) -> Response:
    """`GET /v1/models/NAME`."""
    name = request.url.path.removeprefix("/v1/models/")
    names = await asyncio.to_thread(_names, parts)
    if name not in names:
        try:
            found = (await asyncio.to_thread(parts.catalog.get, plain(name))).name
        except ModelError as error:
            raise NotFound(str(error)) from None
        if found + MEMORY * has_memory(name) not in names:
            raise NotFound(f"{name}: only chat models have a name with memory")
    return reply(_entry(name))


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/v1/chat/completions"): chat,
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


def _entry(name: str) -> ModelEntry:
    return ModelEntry(
        id=name,
        object="model",
        created=0,
        owned_by="reverie",
        type="model",
        display_name=name,
        created_at="1970-01-01T00:00:00Z",
    )


class Chunks:
    """A chat as OpenAI streams it."""

    def __init__(self, asked: ChatRequest, reply_id: str, created: int) -> None:
        self._asked = asked
        self._head: dict[str, object] = {
            "id": reply_id,
            "object": "chat.completion.chunk",
            "created": created,
            "model": asked.model,
        }
        self._opened: set[int] = set()
        self._usages: dict[int, Usage] = {}
        self._held: dict[str, object] | None = None  # ends a reply with memory, and tells what that did

    def opening(self) -> bytes:
        """Nothing: the first chunk carries the role."""
        return b""

    def piece(self, piece: Piece) -> bytes:
        """One chunk; what memory did goes with the last, as clients expect choices in each chunk."""
        if isinstance(piece, wire.ChatMemory):
            held, self._held = self._held, None
            return event({**(held or {**self._head, "choices": [self._choice(Delta())]}), "reverie": piece})
        if piece.usage:
            self._usages[piece.index] = piece.usage
        chunk = {**self._head, "choices": [self._choice(piece)]}
        if piece.finish_reason is None or not has_memory(self._asked.model):
            return event(chunk)
        before, self._held = self._release(), chunk
        return before

    def _release(self) -> bytes:
        held, self._held = self._held, None
        return event(held) if held else b""

    def _choice(self, piece: Delta) -> dict[str, object]:
        delta: dict[str, object] = {}
        if piece.index not in self._opened:
            self._opened.add(piece.index)
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
        if self._asked.logprobs:
            choice["logprobs"] = {"content": [_logprob(token) for token in piece.logprobs]}
        return choice

    def closing(self) -> bytes:
        """The usage, where it was asked for, and OpenAI's end mark."""
        options = self._asked.stream_options
        last = b"data: [DONE]\n\n"
        if options and options.include_usage:
            last = event({**self._head, "choices": [], "usage": usage_entry(total(self._usages.values()))}) + last
        return self._release() + last

    def failure(self, error: Exception) -> bytes:
        """An event with the error."""
        return event({"error": errors.openai_error(error, outcome_of(error))})


def _choice(index: int, answer: Answer, asked: ChatRequest) -> dict[str, object]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in answer.tool_calls
    ]
    message: dict[str, object] = {"role": "assistant", "content": answer.text or (None if calls else "")}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if calls:
        message["tool_calls"] = calls
    choice: dict[str, object] = {"index": index, "message": message, "finish_reason": answer.finish_reason}
    if asked.logprobs:
        choice["logprobs"] = {"content": _logprobs(answer.logprobs)}
    return choice


def _logprobs(tokens: Sequence[TokenLogprob]) -> list[dict[str, object]]:
    return [_logprob(token) for token in tokens]


def _logprob(token: TokenLogprob) -> dict[str, object]:
    return {
        "token": token.text,
        "logprob": max(token.logprob, SMALLEST),
        "bytes": list(token.bytes),
        "top_logprobs": [
            {"token": rival.text, "logprob": max(rival.logprob, SMALLEST), "bytes": list(rival.bytes)}
            for rival in token.top
        ],
    }


def usage_entry(usage: Usage) -> dict[str, object]:
    """Tokens as chats and completions tell them."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }
