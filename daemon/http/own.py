"""The daemon about itself: health, metrics, status, events, config, doctor. None of them wakes or keeps a model."""

import asyncio
import time
from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import VERSION, doctor, wire
from daemon.config import as_toml
from daemon.events import FellBehind
from daemon.http.replies import SSE, Stream, number, reply, whole_number
from daemon.metrics import Gauge
from daemon.parts import Handler, Parts
from daemon.shown import like

HEARTBEAT_S = 15.0


async def health(parts: Parts, _request: Request) -> Response:
    """`GET /health`: 200 once the daemon serves, 503 before and while it drains."""
    said = await asyncio.to_thread(parts.health)
    return reply(said, 200 if said.status == "ok" else 503)


async def status(parts: Parts, _request: Request) -> Response:
    """`GET /status`: everything the status screen shows."""
    index, problems = await asyncio.to_thread(lambda: (parts.memory.index_status(), parts.problems()))
    chat_model = await asyncio.to_thread(parts.chat_model)
    return reply(
        wire.Status(
            version=VERSION,
            pid=parts.process.pid,
            home=str(parts.paths.data_dir),
            vault=str(parts.config.vault_path(parts.paths)),
            address=parts.address,
            socket=str(parts.paths.socket),
            uptime_s=time.monotonic() - parts.started,
            rss_bytes=parts.process.memory_info().rss,
            cpu_percent=parts.process.cpu_percent(None),
            ready=parts.state == "ok",
            chat_model=chat_model,
            embed_model=parts.config.models.embed or None,
            index=index,
            workers=[like(worker, wire.WorkerStatus) for worker in parts.supervisor.status()],
            jobs=parts.scheduler.status(),
            problems=problems,
        )
    )


async def metrics(parts: Parts, _request: Request) -> Response:
    """`GET /metrics`: Prometheus text."""
    index = await asyncio.to_thread(parts.memory.index_status)
    workers = parts.supervisor.status()
    gauges = [
        Gauge("reverie_up_seconds", "Time since the start", (((), time.monotonic() - parts.started),)),
        Gauge("reverie_rss_bytes", "Resident memory of the daemon", (((), parts.process.memory_info().rss),)),
        Gauge(
            "reverie_worker_rss_bytes",
            "Resident memory of a model worker",
            tuple(((("model", worker.model),), worker.rss_bytes) for worker in workers),
        ),
        Gauge(
            "reverie_worker_tokens_per_second",
            "Generation speed of a model worker",
            tuple(((("model", worker.model),), worker.tokens_per_second) for worker in workers),
        ),
        Gauge("reverie_index_pages", "Pages in the index", (((), index.pages),)),
        Gauge("reverie_index_chunks", "Chunks in the index", (((), index.chunks),)),
        Gauge("reverie_index_pending_pages", "Pages that wait for the index", (((), index.pending_pages),)),
        Gauge("reverie_index_pending_vectors", "Chunks that wait for their vector", (((), index.pending_vectors),)),
        Gauge("reverie_index_lag_seconds", "How long the oldest page has waited", (((), index.lag_s),)),
    ]
    return Response(parts.metrics.render(gauges), media_type="text/plain; version=0.0.4")


async def events(parts: Parts, request: Request) -> Response:
    """`GET /events?since=ID`: server-sent events; `Last-Event-ID` does the same, as browsers send it."""
    since = number(request, "since", most=2**53)
    if since is None:
        since = whole_number(request.headers.get("last-event-id", ""))
    return Stream(_events(parts, since), SSE)


async def _events(parts: Parts, since: int | None) -> AsyncIterator[bytes]:
    yield b": reverie\n\n"
    try:
        async for event in parts.events.follow(since, heartbeat_s=HEARTBEAT_S):
            if event is None:
                yield b": still here\n\n"
            else:
                yield b"id: %d\nevent: %s\ndata: %s\n\n" % (event.id, event.kind.encode(), msgspec.json.encode(event))
    except FellBehind:
        yield b": too slow, come back with the last id\n\n"


async def config(parts: Parts, _request: Request) -> Response:
    """`GET /config`: every setting with its source."""
    return reply(
        [wire.ConfigValue(key=key, value=as_toml(value), source=source) for key, value, source in parts.config.items()]
    )


async def findings(parts: Parts, _request: Request) -> Response:
    """`GET /doctor`: what is wrong or odd, worst first."""
    return reply(await asyncio.to_thread(doctor.examine, parts))


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/health"): health,
    ("GET", "/status"): status,
    ("GET", "/metrics"): metrics,
    ("GET", "/events"): events,
    ("GET", "/config"): config,
    ("GET", "/doctor"): findings,
}
