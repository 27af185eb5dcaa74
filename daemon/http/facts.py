"""Facts over HTTP: list them, recall one, why it is so, what would follow from a change, the graph of what hangs."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from daemon import knowledge, wire
from daemon.errors import RequestInvalid
from daemon.http.replies import body, reply, text
from daemon.parts import Handler, Parts


async def facts(parts: Parts, request: Request) -> Response:
    """`GET /memory/facts?prefix=&words=`: every fact that stands now."""
    asked = request.query_params
    found = await asyncio.to_thread(knowledge.facts, parts.memory, asked.get("prefix", ""), asked.get("words", ""))
    return reply(found)


async def recall(parts: Parts, request: Request) -> Response:
    """`GET /memory/recall?what=&at=&past=`: what holds, or held on a day, and with `past=1` what held before."""
    what, at = text(request, "what"), request.query_params.get("at") or None
    past = request.query_params.get("past", "") not in ("", "0", "false")
    return reply(await asyncio.to_thread(lambda: knowledge.recall(parts.memory, what, at=at, past=past)))


async def why(parts: Parts, request: Request) -> Response:
    """`GET /memory/why?what=`: the chain of causes down to the words that were told."""
    return reply(await asyncio.to_thread(knowledge.reasons, parts.memory, text(request, "what")))


async def what_if(parts: Parts, request: Request) -> Response:
    """`POST /memory/what-if`: every consequence of a supposition; writes nothing."""
    asked = await body(request, wire.WhatIfRequest, limit_bytes=parts.config.server.body_limit)
    if not asked.text.strip():
        raise RequestInvalid("text: is empty", "text")
    return reply(await asyncio.to_thread(knowledge.suppositions, parts.memory, asked.text))


async def graph(parts: Parts, request: Request) -> Response:
    """`GET /memory/graph?format=&what=`: the dependency graph, whole or around one fact."""
    asked = request.query_params
    form, what = asked.get("format", "text"), asked.get("what") or None
    return reply(await asyncio.to_thread(knowledge.picture, parts.memory, form, what))


ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/memory/facts"): facts,
    ("GET", "/memory/recall"): recall,
    ("GET", "/memory/why"): why,
    ("POST", "/memory/what-if"): what_if,
    ("GET", "/memory/graph"): graph,
}
