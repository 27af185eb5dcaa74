"""How fast a model is on this machine: prompts read, tokens written, the wait for the first one, memory held."""

import random
import statistics
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from models.requests import ChatMessage, Delta, Generation, Sampling

RUNS = 3
PROMPT_WORDS = 400
ANSWER_TOKENS = 96
TEXTS = 64
VOCABULARY = (
    "river stone light garden winter morning paper window quiet market bridge summer letter harbour copper meadow "
    "lantern silver thunder village mirror forest candle island journey kitchen ladder needle orchard pepper"
)
WORDS = VOCABULARY.split()

Generate = Callable[[Generation], AsyncGenerator[Delta]]
Embed = Callable[[Sequence[str]], Awaitable[object]]


@dataclass(frozen=True)
class Speeds:
    """
    Medians of a few runs. What was not measured is None.

    *first_token_ms* is the wait for a short question whose beginning was read before, through the daemon.
    """

    prompt_tokens: int | None = None
    prompt_tokens_per_s: float | None = None
    generation_tokens_per_s: float | None = None
    first_token_ms: float | None = None
    texts_per_s: float | None = None


async def bench_chat(generate: Generate, context_tokens: int) -> AsyncIterator[str | Speeds]:
    """Steps as they begin, then the speeds. A prompt takes at most half of *context_tokens*."""
    words = min(PROMPT_WORDS, max(16, context_tokens // 8))
    yield "reading prompts"
    read: list[tuple[int, float]] = []
    for run in range(RUNS):
        last = await _last(generate, _text(words, seed=run), max_tokens=1)
        if last.usage and last.timings:
            fresh = last.usage.prompt_tokens - last.usage.cached_tokens
            read.append((fresh, fresh / max(last.timings.prompt_ms / 1e3, 1e-6)))
    yield "writing answers"
    written = []
    for run in range(RUNS):
        last = await _last(generate, _text(8, seed=100 + run), max_tokens=ANSWER_TOKENS)
        if last.usage and last.timings and last.usage.completion_tokens > 1:
            written.append((last.usage.completion_tokens - 1) / max(last.timings.generation_ms / 1e3, 1e-6))
    yield "waiting for first tokens"
    waits = []
    for run in range(RUNS + 1):
        started = time.perf_counter()
        async with aclosing(generate(_asked(_text(words // 4, seed=200) + f" {run}?", max_tokens=2))) as deltas:
            async for _ in deltas:
                waits.append((time.perf_counter() - started) * 1e3)
                break
    yield Speeds(
        prompt_tokens=int(statistics.median(tokens for tokens, _ in read)) if read else None,
        prompt_tokens_per_s=statistics.median(speed for _, speed in read) if read else None,
        generation_tokens_per_s=statistics.median(written) if written else None,
        first_token_ms=statistics.median(waits[1:]) if waits[1:] else None,
    )


async def bench_embed(embed: Embed) -> AsyncIterator[str | Speeds]:
    """Steps as they begin, then the speeds: texts of forty words."""
    yield "embedding texts"
    speeds = []
    for run in range(RUNS):
        texts = [_text(40, seed=run * TEXTS + number) for number in range(TEXTS)]
        started = time.perf_counter()
        await embed(texts)
        speeds.append(TEXTS / (time.perf_counter() - started))
    yield Speeds(texts_per_s=statistics.median(speeds))


async def _last(generate: Generate, text: str, max_tokens: int) -> Delta:
    last = Delta()
    async with aclosing(generate(_asked(text, max_tokens=max_tokens))) as deltas:
        async for delta in deltas:
            last = delta
    return last


def _asked(text: str, max_tokens: int) -> Generation:
    return Generation(
        messages=(ChatMessage(role="user", content=text),),
        sampling=Sampling(temperature=0.0),
        max_tokens=max_tokens,
        ignore_eos=True,
    )


def _text(words: int, *, seed: int) -> str:
    """The same words every time, others for another *seed*, from the first one on."""
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) for _ in range(words))
