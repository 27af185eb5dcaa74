"""OpenAI's `/v1/completions`: raw prompts, without a chat template and without memory."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon.errors import RequestInvalid, outcome_of
from daemon.http import errors
from daemon.http.generating import Piece, event, gathered, pieces_of, stream, total
from daemon.http.openai import SMALLEST, usage_entry
from daemon.http.openai_types import Common, Format, format_of, judge, sampling_of
from daemon.http.replies import SSE, body, reply, while_connected
from daemon.http.values import bounded, keep_alive_s, stops_of
from daemon.parts import Handler, Parts
from models.requests import Answer, Delta, Generation, TokenLogprob, Usage

PROMPTS_LIMIT = 64
AT_ONCE = 8


class CompletionRequest(Common, kw_only=True):
    """*prompt*: a text, several, or token ids of the model's own vocabulary. *logprobs* counts rivals a token."""

    prompt: str | list[str | int | list[int]] | None = None
    suffix: str | None = None
    echo: bool | None = False
    best_of: int | None = None
    max_tokens: int | None = 16
    logprobs: int | None = None
    response_format: Format | None = None


async def complete(parts: Parts, request: Request) -> Response:
    """`POST /v1/completions`, streamed or whole."""
    asked = await body(request, CompletionRequest, limit_bytes=parts.config.server.body_limit)
    generations = generations_of(asked)
    head: dict[str, object] = {
        "id": f"cmpl-{uuid.uuid4().hex[:24]}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": asked.model,
    }
    if asked.stream:
        return await stream(parts, request, _in_turn(parts, asked, generations), Chunks(asked, head), SSE)
    found = await while_connected(request, _all(parts, asked, generations))
    choices = [_choice(index, answer, asked) for index, answer in enumerate(found)]
    prompts = [total(answer.usage for answer in found[at : at + (asked.n or 1)]) for at in _steps(asked, len(found))]
    return reply({**head, "choices": choices, "usage": usage_entry(_sum(prompts))})


ROUTES: dict[tuple[str, str], Handler] = {("POST", "/v1/completions"): complete}


def generations_of(asked: CompletionRequest) -> list[Generation]:
    """
    A generation a prompt.

    Raises:
        RequestInvalid: what cannot be served, by name.
    """
    if asked.suffix:
        raise RequestInvalid("suffix: filling in between two texts is not supported", "suffix")
    if asked.best_of is not None and asked.best_of != (asked.n or 1):
        raise RequestInvalid("best_of is not supported; n is", "best_of")
    if asked.echo and asked.logprobs is not None:
        raise RequestInvalid("logprobs of the prompt (echo with logprobs) are not supported", "logprobs")
    judge(asked)
    bounded(asked, logprobs=(0, 20), max_tokens=(0, 10**7))
    prompts = _prompts(asked.prompt)
    template = Generation(
        sampling=sampling_of(asked),
        stop=stops_of(asked.stop),
        max_tokens=16 if asked.max_tokens is None else asked.max_tokens,
        n=asked.n or 1,
        logprobs=asked.logprobs is not None,
        top_logprobs=asked.logprobs or 0,
        response_format=format_of(asked, asked.response_format),
        truncate=asked.truncate or "error",
        echo=bool(asked.echo),
        ignore_eos=bool(asked.ignore_eos),
        context_tokens=asked.num_ctx,
        keep_alive_s=keep_alive_s(asked.keep_alive),
    )
    return [msgspec.structs.replace(template, prompt=prompt) for prompt in prompts]


def _prompts(given: str | list[str | int | list[int]] | None) -> list[str | tuple[int, ...]]:
    if given is None or given == []:
        raise RequestInvalid("prompt: one is needed", "prompt")
    if isinstance(given, str):
        return [given]
    numbers = [each for each in given if isinstance(each, int)]
    if numbers:
        if len(numbers) < len(given):
            raise RequestInvalid("prompt: a list holds texts, token ids, or lists of token ids", "prompt")
        return [_tokens(numbers)]
    if len(given) > PROMPTS_LIMIT:
        raise RequestInvalid(f"prompt: {len(given)} prompts, at most {PROMPTS_LIMIT} are taken at once", "prompt")
    return [_tokens(each) if isinstance(each, list) else str(each) for each in given]


def _tokens(given: Sequence[int]) -> tuple[int, ...]:
    if not given:
        raise RequestInvalid("prompt: a list of token ids is empty", "prompt")
    if any(not 0 <= token < 2**31 for token in given):
        raise RequestInvalid("prompt: a number in it is no token id", "prompt")
    return tuple(given)


async def _in_turn(parts: Parts, asked: CompletionRequest, generations: list[Generation]) -> AsyncGenerator[Piece]:
    """The answers to all prompts, one prompt after the other, counted on."""
    for place, generation in enumerate(generations):
        async with aclosing(_deltas(parts, asked, generation)) as deltas:
            async for delta in deltas:
                yield msgspec.structs.replace(delta, index=place * generation.n + delta.index)


async def _deltas(parts: Parts, asked: CompletionRequest, generation: Generation) -> AsyncGenerator[Delta]:
    async with aclosing(pieces_of(parts, asked.model, generation)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Delta):
                yield piece


async def _all(parts: Parts, asked: CompletionRequest, generations: list[Generation]) -> list[Answer]:
    """All prompts at once: the engine shares its slots among them."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(generation: Generation) -> Sequence[Answer]:
        async with gate:
            return (await gathered(parts, pieces_of(parts, asked.model, generation))).answers

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(generation)) for generation in generations]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [answer for task in tasks for answer in task.result()]


def _steps(asked: CompletionRequest, answers: int) -> range:
    return range(0, answers, asked.n or 1)


def _sum(usages: Sequence[Usage]) -> Usage:
    """Of several prompts each counts."""
    return Usage(
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
    )


class Chunks:
    """Completions as OpenAI streams them."""

    def __init__(self, asked: CompletionRequest, head: dict[str, object]) -> None:
        self._asked = asked
        self._head = head
        self._usages: dict[int, Usage] = {}
        self._lengths: dict[int, int] = {}

    def opening(self) -> bytes:
        """Nothing."""
        return b""

    def piece(self, piece: Piece) -> bytes:
        """One chunk."""
        if not isinstance(piece, Delta):
            return b""
        if piece.usage:
            self._usages[piece.index] = piece.usage
        choice: dict[str, object] = {
            "index": piece.index,
            "text": piece.text,
            "finish_reason": piece.finish_reason,
            "logprobs": None,
        }
        if self._asked.logprobs is not None:
            choice["logprobs"] = _logprobs(piece.logprobs, self._lengths.get(piece.index, 0))
        self._lengths[piece.index] = self._lengths.get(piece.index, 0) + len(piece.text)
        return event({**self._head, "choices": [choice]})

    def closing(self) -> bytes:
        """The usage, where it was asked for, and OpenAI's end mark."""
        last = b"data: [DONE]\n\n"
        options = self._asked.stream_options
        if options and options.include_usage:
            n = self._asked.n or 1
            prompts = {index // n for index in self._usages}
            each = [total(u for index, u in self._usages.items() if index // n == place) for place in sorted(prompts)]
            last = event({**self._head, "choices": [], "usage": usage_entry(_sum(each))}) + last
        return last

    def failure(self, error: Exception) -> bytes:
        """An event with the error."""
        return event({"error": errors.openai_error(error, outcome_of(error))})


def _choice(index: int, answer: Answer, asked: CompletionRequest) -> dict[str, object]:
    return {
        "index": index,
        "text": answer.text,
        "finish_reason": answer.finish_reason,
        "logprobs": None if asked.logprobs is None else _logprobs(answer.logprobs, 0),
    }


def _logprobs(tokens: Sequence[TokenLogprob], offset: int) -> dict[str, object]:
    """The old shape: parallel lists. Offsets count characters of the text."""
    offsets = []
    for token in tokens:
        offsets.append(offset)
        offset += len(token.text)
    return {
        "tokens": [token.text for token in tokens],
        "token_logprobs": [max(token.logprob, SMALLEST) for token in tokens],
        "top_logprobs": [{rival.text: max(rival.logprob, SMALLEST) for rival in token.top} for token in tokens],
        "text_offset": offsets,
    }
