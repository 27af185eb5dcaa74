"""Anthropic's Messages: `/v1/messages`, streamed as its typed events, and `/v1/messages/count_tokens`."""

import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import outcome_of
from daemon.http import errors
from daemon.http.anthropic_types import CountRequest, MessagesRequest, generation_of, messages_of, tools_of
from daemon.http.generating import Piece, Pieces, event, pieces_of, plain, stream, whole
from daemon.http.replies import SSE, body, reply, while_connected
from daemon.parts import Handler, Parts
from models.requests import Answer, Delta, ToolCallDelta, Usage


async def messages(parts: Parts, request: Request) -> Response:
    """`POST /v1/messages`, streamed or whole."""
    asked = await body(request, MessagesRequest, limit_bytes=parts.config.server.body_limit)
    generation = generation_of(asked)
    source: Pieces = pieces_of(parts, asked.model, generation)
    if generation.prefill:
        source = _without(generation.prefill, source)
    if asked.stream:
        return await stream(parts, request, source, Events(asked.model, generation.stop), SSE)
    found = await whole(parts, request, source)
    answer = found.answers[0]
    said = _message(asked.model, _content(answer)) | _ended(answer.finish_reason, answer.stopped_by, generation.stop)
    return reply(said | {"usage": _usage(answer.usage)} | ({"reverie": found.memory} if found.memory else {}))


async def count(parts: Parts, request: Request) -> Response:
    """`POST /v1/messages/count_tokens`: by the model's own template and vocabulary."""
    asked = await body(request, CountRequest, limit_bytes=parts.config.server.body_limit)
    turns, tools = messages_of(asked), tools_of(asked)
    tokens = await while_connected(request, parts.supervisor.count_tokens(plain(asked.model), turns, tools))
    return reply({"input_tokens": tokens})


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/v1/messages"): messages,
    ("POST", "/v1/messages/count_tokens"): count,
}


async def _without(prefill: str, source: Pieces) -> AsyncGenerator[Piece]:
    """*source* without the beginning that the client gave: Anthropic's replies go on after it."""
    left = prefill
    async with aclosing(source):
        async for piece in source:
            if left and isinstance(piece, Delta) and piece.text:
                begun = piece.text[: len(left)]
                cut = len(begun) if left.startswith(begun) else 0
                left = left[cut:] if cut else ""
                piece = msgspec.structs.replace(piece, text=piece.text[cut:])
            yield piece


def _message(model: str, content: list[dict[str, object]]) -> dict[str, object]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _content(answer: Answer) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    if answer.reasoning:
        found.append({"type": "thinking", "thinking": answer.reasoning, "signature": ""})
    if answer.text or not (answer.tool_calls or answer.reasoning):
        found.append({"type": "text", "text": answer.text})
    found += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}
        for call in answer.tool_calls
    ]
    return found


def _input(arguments: str) -> object:
    try:
        return msgspec.json.decode(arguments, type=dict[str, object])
    except msgspec.MsgspecError:  # cut short by max_tokens
        return {}


def _ended(finish: str | None, stopped_by: str | None, stops: Sequence[str]) -> dict[str, object]:
    """Why it ended; a stop of the template's own is no stop sequence of the client's."""
    if stopped_by in stops:
        return {"stop_reason": "stop_sequence", "stop_sequence": stopped_by}
    reason = {"length": "max_tokens", "tool_calls": "tool_use"}.get(finish or "stop", "end_turn")
    return {"stop_reason": reason, "stop_sequence": None}


def _usage(usage: Usage) -> dict[str, int]:
    """Tokens as Anthropic counts: those read from the cache are not input."""
    return {
        "input_tokens": usage.prompt_tokens - usage.cached_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached_tokens,
        "output_tokens": usage.completion_tokens,
    }


class Events:
    """A message as Anthropic streams it: blocks that open, grow and close, one after the other."""

    def __init__(self, model: str, stops: Sequence[str]) -> None:
        self._model = model
        self._stops = stops
        self._index = -1
        self._open: str | None = None
        self._call: int | None = None
        self._last = Delta(finish_reason="stop")
        self._memory: wire.ChatMemory | None = None

    def opening(self) -> bytes:
        """The message without content. What it took is told at the end, when it is known."""
        usage = _usage(Usage(prompt_tokens=0, completion_tokens=0))
        message = _message(self._model, []) | {"usage": usage}
        return _event("message_start", message=message) + _event("ping")

    def piece(self, piece: Piece) -> bytes:
        """Deltas, with the events around them where a block begins or ends."""
        if isinstance(piece, wire.ChatMemory):
            self._memory = piece
            return b""
        if piece.finish_reason is not None:
            self._last = piece
        shown = b""
        if piece.reasoning:
            shown += self._block("thinking", {"type": "thinking", "thinking": "", "signature": ""})
            shown += self._delta({"type": "thinking_delta", "thinking": piece.reasoning})
        if piece.text:
            shown += self._block("text", {"type": "text", "text": ""})
            shown += self._delta({"type": "text_delta", "text": piece.text})
        for call in piece.tool_calls:
            shown += self._called(call)
        return shown

    def _called(self, call: ToolCallDelta) -> bytes:
        shown = b""
        if self._call != call.index or self._open != "tool_use":
            self._call = call.index
            shown += self._close()
            block: dict[str, object] = {"type": "tool_use", "id": call.id or "", "name": call.name or "", "input": {}}
            shown += self._block("tool_use", block)
        if call.arguments:
            shown += self._delta({"type": "input_json_delta", "partial_json": call.arguments})
        return shown

    def _block(self, kind: str, block: dict[str, object]) -> bytes:
        """A block of *kind*, opened unless one is open."""
        if self._open == kind:
            return b""
        shown = self._close()
        self._index += 1
        self._open = kind
        return shown + _event("content_block_start", index=self._index, content_block=block)

    def _close(self) -> bytes:
        if self._open is None:
            return b""
        signed = self._delta({"type": "signature_delta", "signature": ""}) if self._open == "thinking" else b""
        self._open = None
        return signed + _event("content_block_stop", index=self._index)

    def _delta(self, delta: dict[str, object]) -> bytes:
        return _event("content_block_delta", index=self._index, delta=delta)

    def closing(self) -> bytes:
        """The last block's end, why the message ended, and its usage."""
        shown = b"" if self._index >= 0 else self._block("text", {"type": "text", "text": ""})
        ended = _ended(self._last.finish_reason, self._last.stopped_by, self._stops)
        usage = _usage(self._last.usage or Usage(prompt_tokens=0, completion_tokens=0))
        memory: dict[str, object] = {"reverie": self._memory} if self._memory else {}
        shown += self._close() + _event("message_delta", delta=ended, usage=usage, **memory)
        return shown + _event("message_stop")

    def failure(self, error: Exception) -> bytes:
        """An event with the error."""
        return event(errors.anthropic_error(error, outcome_of(error)), "error")


def _event(kind: str, **fields: object) -> bytes:
    return event({"type": kind, **fields}, kind)
