"""Ollama's way to look after models: tags, show, ps, pull, delete, copy, version; and `/`, by which it is found."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from daemon import VERSION, wire
from daemon.errors import NotSupported, kind_of, message_of, note
from daemon.http.generating import LATEST, MEMORY, has_memory, plain
from daemon.http.models import pulled, removed
from daemon.http.ollama_types import CopyRequest, ModelRequest
from daemon.http.replies import NDJSON, Stream, body, reply
from daemon.parts import Handler, Parts
from models.catalog import Installed
from models.channels import thinks
from models.errors import ModelError
from models.gguf import GgufHeader
from models.names import judge_length

log = logging.getLogger(__name__)
NEVER = "9999-12-31T23:59:59Z"
LIST_LIMIT = 64  # longer lists of a model file (vocabularies) are told with verbose only


async def running(_parts: Parts, _request: Request) -> Response:
    """`GET /` and `HEAD /`: how Ollama's clients see whether somebody is there."""
    return PlainTextResponse("reverie is running")


async def version(_parts: Parts, _request: Request) -> Response:
    """`GET /api/version`: reverie's own."""
    return reply({"version": VERSION})


async def tags(parts: Parts, _request: Request) -> Response:
    """`GET /api/tags`: every installed model; chat models also with the tag `memory`."""
    return reply({"models": await asyncio.to_thread(_tags, parts)})


def _tags(parts: Parts) -> list[dict[str, object]]:
    found = []
    for model in parts.catalog.installed():
        entry = _entry(parts, model)
        names = [model.name + LATEST, *([model.name + MEMORY] if model.kind == "chat" else [])]
        found += [{"name": name, "model": name, **entry} for name in names]
    return found


async def show(parts: Parts, request: Request) -> Response:
    """`POST /api/show`."""
    asked = await body(request, ModelRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await asyncio.to_thread(_shown, parts, asked))


async def ps(parts: Parts, _request: Request) -> Response:
    """`GET /api/ps`: loaded models; wakes none."""
    return reply({"models": await asyncio.to_thread(_loaded, parts)})


async def pull(parts: Parts, request: Request) -> Response:
    """`POST /api/pull`: progress a line, unless told to come when done."""
    asked = await body(request, ModelRequest, limit_bytes=parts.config.server.body_limit)
    judge_length(asked.wanted, "model")
    steps = pulled(parts, wire.PullRequest(source=asked.wanted.removesuffix(LATEST)))
    if asked.stream is not False:
        return Stream(_progress(asked.wanted, steps), NDJSON)
    async with aclosing(steps):
        async for _ in steps:
            pass
    return reply({"status": "success"})


async def delete(parts: Parts, request: Request) -> Response:
    """`DELETE /api/delete`."""
    asked = await body(request, ModelRequest, limit_bytes=parts.config.server.body_limit)
    await removed(parts, plain(asked.wanted))
    return Response()


async def copy(parts: Parts, request: Request) -> Response:
    """`POST /api/copy`: a second name for a model, whose bytes are shared."""
    asked = await body(request, CopyRequest, limit_bytes=parts.config.server.body_limit)
    made = await asyncio.to_thread(parts.catalog.copy, plain(asked.source), plain(asked.destination))
    parts.events.publish("model_copied", f"{made.name} is a copy of {asked.source}", model=made.name)
    return Response()


async def create(_parts: Parts, _request: Request) -> Response:
    """`POST /api/create`, `/api/push`, `/api/blobs`: not here."""
    raise NotSupported(
        "models are not created or pushed here: pull a GGUF file (`reverie models pull FILE`), and set template, stops "
        "and sampling under [overrides] of its model.toml"
    )


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/"): running,
    ("GET", "/api/version"): version,
    ("GET", "/api/tags"): tags,
    ("POST", "/api/show"): show,
    ("GET", "/api/ps"): ps,
    ("POST", "/api/pull"): pull,
    ("DELETE", "/api/delete"): delete,
    ("POST", "/api/copy"): copy,
    ("POST", "/api/create"): create,
    ("POST", "/api/push"): create,
    ("POST", "/api/blobs/*"): create,
}


def _entry(parts: Parts, model: Installed) -> dict[str, object]:
    changed = datetime.fromtimestamp(model.model_file.stat().st_mtime if model.files else 0, UTC)
    return {
        "modified_at": _time(changed),
        "size": model.size_bytes,
        "digest": model.sha256 or "",
        "details": _details(model, _header(parts, model)),
    }


def _header(parts: Parts, model: Installed) -> GgufHeader | None:
    """What the file says; a damaged one says nothing, and stays in the list until somebody loads it."""
    try:
        return parts.catalog.judge(model)
    except ModelError:
        return None


def _details(model: Installed, header: GgufHeader | None) -> dict[str, object]:
    family = header.architecture if header else ""
    return {
        "parent_model": "",
        "format": "gguf" if header else model.backend,
        "family": family,
        "families": [family] if family else [],
        "parameter_size": _size(header.parameters) if header else "",
        "quantization_level": header.quantisation if header else "",
    }


def _size(parameters: int) -> str:
    for unit, letter in ((10**9, "B"), (10**6, "M"), (10**3, "K")):
        if parameters >= unit:
            return f"{parameters / unit:.1f}{letter}"
    return str(parameters)


def _shown(parts: Parts, asked: ModelRequest) -> dict[str, object]:
    model = parts.catalog.get(plain(asked.wanted))
    header = _header(parts, model)
    entry = _entry(parts, model)
    template = model.overrides.chat_template or (header.chat_template if header else None) or ""
    capabilities = ["embedding"] if model.kind == "embed" else ["completion", "tools"]
    if thinks(template):
        capabilities.append("thinking")
    source = model.files[0].name if model.files else model.name
    stops = "\n".join(f'stop "{stop}"' for stop in model.overrides.stop or ())
    return {
        "modelfile": f"# {model.name}, as installed by reverie from {model.source}\nFROM {source}\n",
        "parameters": stops,
        "template": template,
        "license": model.license or "",
        "details": entry["details"],
        "model_info": _facts(header, verbose=bool(asked.verbose)) if header else {},
        "capabilities": capabilities,
        "modified_at": entry["modified_at"],
        "reverie": {"memory": has_memory(asked.wanted), "trust": sorted(parts.trust.of(model.name) or ())},
    }


def _facts(header: GgufHeader, *, verbose: bool) -> dict[str, object]:
    facts: dict[str, object] = {"general.parameter_count": header.parameters}
    for key, value in header.metadata.items():
        if isinstance(value, str | int | float | bool):
            facts[key] = value
        elif isinstance(value, tuple):
            facts[key] = value if verbose or len(value) <= LIST_LIMIT else None
        else:
            facts[key] = None
    return facts


def _loaded(parts: Parts) -> list[dict[str, object]]:
    installed = {model.name: model for model in parts.catalog.installed()}
    found: list[dict[str, object]] = []
    for worker in parts.supervisor.status():
        model = installed.get(worker.model)
        if model is None or worker.state not in ("ready", "busy"):
            continue
        left = worker.unload_in_s
        keeps = left is None and worker.state == "ready"
        until = NEVER if keeps else _time(datetime.now(UTC) + timedelta(seconds=left or 0))
        found.append(
            {
                "name": model.name + LATEST,
                "model": model.name + LATEST,
                "size": worker.rss_bytes,
                "digest": model.sha256 or "",
                "details": _details(model, _header(parts, model)),
                "expires_at": until,
                "size_vram": worker.rss_bytes if worker.gpu_layers else 0,
                "context_length": worker.context_tokens,
            }
        )
    return found


async def _progress(source: str, steps: AsyncGenerator[wire.Progress]) -> AsyncGenerator[bytes]:
    """Ollama's lines: a manifest, bytes of what is fetched, success; or an error."""
    yield _line({"status": "pulling manifest"})
    async with aclosing(steps):
        try:
            async for step in steps:
                if step.total and not step.done:
                    sizes = {"digest": source, "total": step.total, "completed": step.completed}
                    yield _line({"status": step.step, **sizes})
                else:
                    yield _line({"status": step.step})
        except Exception as error:  # noqa: BLE001 - the request's door: headers are out, so the error is the last line
            note(log, error, "pull")
            yield _line({"error": message_of(error), "kind": kind_of(error)})
            return
    yield _line({"status": "success"})


def _time(when: datetime) -> str:
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"
