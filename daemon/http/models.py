"""Models on this machine: list, show, pull, load, unload, check, remove."""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import model_info, wire
from daemon.errors import kind_of, message_of, note, outcome_of
from daemon.http.replies import NDJSON, Stream, body, reply, text, while_connected
from daemon.parts import Handler, Parts
from models.catalog import Installed
from models.errors import ModelError
from models.names import judge_length

log = logging.getLogger(__name__)
PROGRESS_EVERY_S = 0.1


async def listing(parts: Parts, _request: Request) -> Response:
    """`GET /models`: installed ones, then the known ones that are not."""
    return reply(await asyncio.to_thread(_all, parts))


async def show(parts: Parts, request: Request) -> Response:
    """`GET /models/show?name=`."""
    return reply(await asyncio.to_thread(_one, parts, text(request, "name")))


async def fetch(parts: Parts, request: Request) -> Response:
    """`POST /models/pull`: `Progress` lines; hanging up stops the pull, another call goes on where it stopped."""
    asked = await body(request, wire.PullRequest, limit_bytes=parts.config.server.body_limit)
    judge_length(asked.source, "source")
    judge_length(asked.name or "", "name")
    return Stream(_pull(parts, asked), NDJSON)


async def load(parts: Parts, request: Request) -> Response:
    """`POST /models/load`: returns when the model is ready."""
    asked = await body(request, wire.ModelRequest, limit_bytes=parts.config.server.body_limit)
    await while_connected(request, parts.supervisor.load(asked.name))
    return reply(await asyncio.to_thread(_one, parts, asked.name))


async def unload(parts: Parts, request: Request) -> Response:
    """`POST /models/unload`: its memory is free on return, also where its files were deleted meanwhile."""
    asked = await body(request, wire.ModelRequest, limit_bytes=parts.config.server.body_limit)
    await parts.supervisor.unload(asked.name)
    found = await asyncio.to_thread(parts.catalog.get, asked.name)
    await parts.supervisor.unload(found.name)
    return reply(await asyncio.to_thread(_one, parts, found.name))


async def check(parts: Parts, request: Request) -> Response:
    """`POST /models/check`: `CheckResult` lines, then the `CheckReport`."""
    asked = await body(request, wire.ModelRequest, limit_bytes=parts.config.server.body_limit)
    installed = await asyncio.to_thread(parts.catalog.get, asked.name)
    return Stream(_check(parts, installed), NDJSON)


async def remove(parts: Parts, request: Request) -> Response:
    """`DELETE /models?name=`: its worker is ended, its files are deleted."""
    return reply(_installed(parts, await removed(parts, text(request, "name"))))


async def removed(parts: Parts, name: str) -> Installed:
    """The model *name*, which is no longer here."""
    await parts.supervisor.unload(name)
    installed = await asyncio.to_thread(parts.catalog.get, name)
    await parts.supervisor.unload(installed.name)
    await asyncio.to_thread(parts.catalog.remove, installed.name)
    await parts.memory.models_changed()
    parts.events.publish("model_removed", f"{installed.name} was removed", model=installed.name)
    return installed


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/models"): listing,
    ("DELETE", "/models"): remove,
    ("GET", "/models/show"): show,
    ("POST", "/models/pull"): fetch,
    ("POST", "/models/load"): load,
    ("POST", "/models/unload"): unload,
    ("POST", "/models/check"): check,
}


def _all(parts: Parts) -> list[wire.ModelInfo]:
    rest = [model_info.known(spec) for spec in model_info.missing(parts.catalog)]
    return [*(_installed(parts, model) for model in parts.catalog.installed()), *rest]


def _one(parts: Parts, name: str) -> wire.ModelInfo:
    spec = model_info.missing_one(parts.catalog, name)
    return model_info.known(spec) if spec else _installed(parts, parts.catalog.get(name))


def _installed(parts: Parts, model: Installed) -> wire.ModelInfo:
    worker = next((worker for worker in parts.supervisor.status() if worker.model == model.name), None)
    return model_info.installed(model, worker, parts.trust.of(model.name) or ())


async def _pull(parts: Parts, asked: wire.PullRequest) -> AsyncIterator[bytes]:
    """One line a step; the last has `done` or `error`."""
    async with aclosing(pulled(parts, asked)) as steps:
        try:
            async for step in steps:
                yield _line(step)
        except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error is the last line
            note(log, error, "pull")
            yield _line(wire.Progress(step="failed", error=message_of(error), kind=kind_of(error)))


async def pulled(parts: Parts, asked: wire.PullRequest) -> AsyncGenerator[wire.Progress]:
    """
    Fetch a model: its steps, not more than ten a second, the last with `done`. Closing it stops the pull.

    Raises:
        What `models.pull.pull` raises.
    """
    loop = asyncio.get_running_loop()
    steps: asyncio.Queue[wire.Progress | None] = asyncio.Queue()
    cancel = threading.Event()
    said_step, said_at = "", 0.0

    def progress(step: str, completed: int, total: int) -> None:
        nonlocal said_step, said_at
        now = time.monotonic()
        if step != said_step or completed == total or now - said_at >= PROGRESS_EVERY_S:
            said_step, said_at = step, now
            loop.call_soon_threadsafe(steps.put_nowait, wire.Progress(step=step, completed=completed, total=total))

    def work() -> Installed:
        from models.pull import pull  # brings an HTTP client, a quarter of the daemon's start

        try:
            return pull(
                asked.source,
                catalog=parts.catalog,
                name=asked.name,
                sha256=asked.sha256,
                progress=progress,
                cancel=cancel,
                offline=parts.config.models.offline,
            )
        finally:
            loop.call_soon_threadsafe(steps.put_nowait, None)

    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        while (step := await steps.get()) is not None:
            yield step
        try:
            installed = await task
        except ModelError as error:
            parts.events.publish("pull_failed", message_of(error), "error", failure=kind_of(error))
            raise
        parts.events.publish("model_pulled", f"{installed.name} is installed", model=installed.name)
        await parts.memory.models_changed()
        size = installed.size_bytes
        yield wire.Progress(step=f"installed {installed.name}", completed=size, total=size, done=True)
    finally:
        cancel.set()


async def _check(parts: Parts, installed: Installed) -> AsyncIterator[bytes]:
    results: asyncio.Queue[wire.CheckResult | None] = asyncio.Queue()
    task = asyncio.create_task(parts.trust.check(installed, results))
    try:
        while (result := await results.get()) is not None:
            yield _line(result)
        try:
            report = await task
        except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error is the last line
            note(log, error, "check")
            hint = outcome_of(error).hint
            yield _line(wire.Error(error=message_of(error), kind=kind_of(error), hint=hint))
            return
        trusted = ", ".join(report.trust) or "nothing"
        parts.events.publish("model_checked", f"{report.model} is trusted with {trusted}", model=report.model)
        yield _line(report)
    finally:
        task.cancel()


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"
