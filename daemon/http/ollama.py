"""Ollama's way to ask for text and vectors: `/api/chat`, `/api/generate`, `/api/embed`, `/api/embeddings`."""

import time
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import kind_of, message_of
from daemon.http.embeddings import shortened, tokens_of
from daemon.http.generating import Piece, Pieces, pieces_of, plain, stream, whole
from daemon.http.ollama_types import (
    ChatRequest,
    Common,
    EmbeddingsRequest,
    EmbedRequest,
    GenerateRequest,
    chat_of,
    generate_of,
)
from daemon.http.openai import SMALLEST
from daemon.http.replies import NDJSON, body, reply, while_connected
from daemon.http.values import keep_alive_s
from daemon.parts import Handler, Parts
from models.requests import Answer, Delta, Generation, Timings, TokenLogprob, ToolCall, Usage, collect


async def chat(parts: Parts, request: Request) -> Response:
    """`POST /api/chat`, streamed unless told otherwise."""
    asked = await body(request, ChatRequest, limit_bytes=parts.config.server.body_limit)
    generation = chat_of(asked)
    if not generation.messages:
        return await _loaded(parts, request, asked, {"message": {"role": "assistant", "content": ""}})
    return await _answer(parts, request, asked, generation, Lines(asked, "message"))


async def generate(parts: Parts, request: Request) -> Response:
    """`POST /api/generate`, streamed unless told otherwise."""
    asked = await body(request, GenerateRequest, limit_bytes=parts.config.server.body_limit)
    generation = generate_of(asked)
    if not asked.prompt:
        return await _loaded(parts, request, asked, {"response": ""})
    return await _answer(parts, request, asked, generation, Lines(asked, "response"))


async def _answer(parts: Parts, request: Request, asked: Common, generation: Generation, lines: "Lines") -> Response:
    source: Pieces = pieces_of(parts, asked.model, generation)
    if asked.stream is not False:
        return await stream(parts, request, source, lines, NDJSON)
    found = await whole(parts, request, source)
    answer = found.answers[0]
    said = lines.line(
        answer.text,
        answer.reasoning,
        answer.tool_calls,
        answer.logprobs,
    )
    return reply(said | lines.end(answer, found.memory))


async def _loaded(parts: Parts, request: Request, asked: Common, shown: dict[str, object]) -> Response:
    """Without words to answer the model is loaded, or with keep_alive 0 unloaded."""
    name, keep = plain(asked.model), keep_alive_s(asked.keep_alive)
    if keep == 0:
        await parts.supervisor.unload(parts.catalog.get(name).name)
    else:
        await while_connected(request, parts.supervisor.load(name, keep))
    reason = "unload" if keep == 0 else "load"
    line: dict[str, object] = {"model": asked.model, "created_at": now(), **shown, "done": True, "done_reason": reason}
    return Response(msgspec.json.encode(line) + b"\n", media_type=NDJSON)


async def embed(parts: Parts, request: Request) -> Response:
    """`POST /api/embed`: unit vectors of one text or several."""
    asked = await body(request, EmbedRequest, limit_bytes=parts.config.server.body_limit)
    started = time.monotonic_ns()
    name = plain(asked.model)
    texts = [asked.input] if isinstance(asked.input, str) else asked.input or []
    await while_connected(request, parts.supervisor.load(name, keep_alive_s(asked.keep_alive)))
    loaded = time.monotonic_ns()
    rows = await while_connected(request, parts.supervisor.embed(name, texts, whole=asked.truncate is False))
    if asked.dimensions is not None:
        rows = shortened(rows, asked.dimensions)
    parts.metrics.embedded_texts.add(len(texts))
    return reply(
        {
            "model": asked.model,
            "embeddings": rows.tolist(),
            "total_duration": time.monotonic_ns() - started,
            "load_duration": loaded - started,
            "prompt_eval_count": await tokens_of(parts, name, texts) if texts else 0,
        }
    )


async def embeddings(parts: Parts, request: Request) -> Response:
    """`POST /api/embeddings`: one vector."""
    asked = await body(request, EmbeddingsRequest, limit_bytes=parts.config.server.body_limit)
    name = plain(asked.model)
    if not asked.prompt:
        await while_connected(request, parts.supervisor.load(name, keep_alive_s(asked.keep_alive)))
        return reply({"embedding": []})
    rows = await while_connected(request, parts.supervisor.embed(name, [asked.prompt]))
    parts.metrics.embedded_texts.add(1)
    return reply({"embedding": rows[0].tolist()})


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/api/chat"): chat,
    ("POST", "/api/generate"): generate,
    ("POST", "/api/embed"): embed,
    ("POST", "/api/embeddings"): embeddings,
}


class Lines:
    """A reply as Ollama streams it: one JSON object a line, the last with the counts."""

    def __init__(self, asked: Common, field: str) -> None:
        """*field* is `message` in a chat, `response` in a generation."""
        self._asked = asked
        self._field = field
        self._started = time.monotonic_ns()
        self._calls: list[Delta] = []
        self._last: Delta | None = None
        self._memory: wire.ChatMemory | None = None

    def opening(self) -> bytes:
        """Nothing."""
        return b""

    def piece(self, piece: Piece) -> bytes:
        """A line of what can be shown; calls are whole, so they wait for the next one or the end."""
        if isinstance(piece, wire.ChatMemory):
            self._memory = piece
            return b""
        if piece.tool_calls:
            self._calls.append(piece)
        if piece.finish_reason is not None:
            self._last = piece
        calls = self._whole_calls() if self._last is not None else ()
        if not (piece.text or piece.reasoning or calls):
            return b""
        return _encoded(self.line(piece.text, piece.reasoning, calls, piece.logprobs) | {"done": False})

    def _whole_calls(self) -> tuple[ToolCall, ...]:
        found = collect(self._calls)
        self._calls = []
        return found[0].tool_calls if found else ()

    def closing(self) -> bytes:
        """The last line."""
        last = collect([self._last] if self._last else [Delta(finish_reason="stop")])[0]
        return _encoded(self.line("", "", (), ()) | self.end(last, self._memory))

    def failure(self, error: Exception) -> bytes:
        """A line with the error."""
        return _encoded({"error": message_of(error), "kind": kind_of(error)})

    def line(
        self, text: str, reasoning: str, calls: tuple[ToolCall, ...], logprobs: tuple[TokenLogprob, ...]
    ) -> dict[str, object]:
        """What every line holds."""
        head: dict[str, object] = {"model": self._asked.model, "created_at": now()}
        thinking = {"thinking": reasoning} if reasoning else {}
        if self._field == "response":
            head |= {"response": text, **thinking}
        else:
            made = [
                {"id": call.id, "function": {"index": place, "name": call.name, "arguments": _arguments(call)}}
                for place, call in enumerate(calls)
            ]
            made_calls = {"tool_calls": made} if made else {}
            head |= {"message": {"role": "assistant", "content": text, **thinking, **made_calls}}
        if self._asked.logprobs:
            head["logprobs"] = [_logprob(token) for token in logprobs]
        return head

    def end(self, answer: Answer, memory: wire.ChatMemory | None) -> dict[str, object]:
        """What the last line holds besides: why it ended, and durations in nanoseconds."""
        usage, timings = answer.usage, answer.timings
        return {
            "done": True,
            "done_reason": "length" if answer.finish_reason == "length" else "stop",
            **_durations(usage, timings, time.monotonic_ns() - self._started),
            **({"reverie": memory} if memory else {}),
        }


def _durations(usage: Usage, timings: Timings, total_ns: int) -> dict[str, int]:
    return {
        "total_duration": total_ns,
        "load_duration": int(timings.load_ms * 1e6),
        "prompt_eval_count": usage.prompt_tokens,
        "prompt_eval_duration": int(timings.prompt_ms * 1e6),
        "eval_count": usage.completion_tokens,
        "eval_duration": int(timings.generation_ms * 1e6),
    }


def _arguments(call: ToolCall) -> object:
    try:
        return msgspec.json.decode(call.arguments, type=dict[str, Any])
    except msgspec.MsgspecError:  # cut short by the limit of tokens: what there is, under a name of its own
        return {"incomplete": call.arguments}


def _logprob(token: TokenLogprob) -> dict[str, object]:
    return {
        "token": token.text,
        "logprob": max(token.logprob, SMALLEST),
        "bytes": list(token.bytes),
        "top_logprobs": [{"token": rival.text, "logprob": max(rival.logprob, SMALLEST)} for rival in token.top],
    }


def now() -> str:
    """The time as Ollama writes it."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def _encoded(line: dict[str, object]) -> bytes:
    return msgspec.json.encode(line) + b"\n"
