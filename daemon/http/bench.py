"""Benches over HTTP: how fast a model is on this machine, and how well memory answers with it."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.bench.memory import measure
from daemon.errors import RequestInvalid, kind_of, message_of, note, outcome_of
from daemon.http.replies import NDJSON, Stream, body
from daemon.parts import Handler, Parts
from models.catalog import Installed
from models.errors import WrongModelKind

log = logging.getLogger(__name__)
EPISODES_AT_MOST = 100


async def models(parts: Parts, request: Request) -> Response:
    """`POST /models/bench`: `Progress` lines, then the `BenchReport`."""
    asked = await body(request, wire.ModelRequest, limit_bytes=parts.config.server.body_limit)
    installed = await asyncio.to_thread(parts.catalog.get, asked.name)
    if installed.kind == "rerank":
        raise WrongModelKind(installed.name, "ranking", "bench, which measures chat and embedding models")
    return Stream(_lines(_speeds(parts, installed)), NDJSON)


async def memory(parts: Parts, request: Request) -> Response:
    """`POST /memory/bench`: `Progress` lines, then the `MemoryBenchReport`. The owner's memory has no part in it."""
    asked = await body(request, wire.MemoryBenchRequest, limit_bytes=parts.config.server.body_limit)
    if not 1 <= asked.episodes <= EPISODES_AT_MOST:
        raise RequestInvalid(f"episodes is {asked.episodes}, expected 1 to {EPISODES_AT_MOST}", "episodes")
    installed = await asyncio.to_thread(parts.catalog.get, asked.name)
    if installed.kind != "chat":
        raise WrongModelKind(installed.name, installed.kind, "a bench of memory, which needs a chat model")
    return Stream(_lines(measure(parts, installed, episodes=asked.episodes, seed=asked.seed)), NDJSON)


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/models/bench"): models,
    ("POST", "/memory/bench"): memory,
}


async def _lines(values: AsyncGenerator[msgspec.Struct]) -> AsyncIterator[bytes]:
    """One line a value; hanging up ends the work."""
    try:
        async with aclosing(values):
            async for value in values:
                yield msgspec.json.encode(value) + b"\n"
    except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error is the last line
        note(log, error, "bench")
        failure = wire.Error(error=message_of(error), kind=kind_of(error), hint=outcome_of(error).hint)
        yield msgspec.json.encode(failure) + b"\n"


async def _speeds(parts: Parts, installed: Installed) -> AsyncGenerator[wire.Progress | wire.BenchReport]:
    from models.bench import Speeds, bench_chat, bench_embed

    name, supervisor = installed.name, parts.supervisor
    loaded = any(worker.model == name and worker.state in ("ready", "busy") for worker in supervisor.status())
    load_s, context_tokens = None, 4096
    if installed.backend != "remote":
        yield wire.Progress(step="loading", unit="items")
        started = time.monotonic()
        context_tokens = (await supervisor.load(name)).context_tokens or context_tokens
        load_s = None if loaded else time.monotonic() - started
    steps = (
        bench_chat(lambda generation: supervisor.generate(name, generation), context_tokens)
        if installed.kind == "chat"
        else bench_embed(lambda texts: supervisor.embed(name, texts))
    )
    async for step in steps:
        if isinstance(step, Speeds):
            rss = next((worker.rss_bytes for worker in supervisor.status() if worker.model == name), 0)
            yield wire.BenchReport(model=name, kind=installed.kind, rss_bytes=rss, load_s=load_s, **vars(step))
        else:
            yield wire.Progress(step=step, unit="items")
