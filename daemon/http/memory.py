"""Memory over HTTP: search, ask, remember, forget, undo, pages, history, reindex."""

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import RequestInvalid
from daemon.http.replies import body, number, reply, text, while_connected
from daemon.parts import Handler, Parts


async def search(parts: Parts, request: Request) -> Response:
    """`POST /memory/search`."""
    asked = await body(request, wire.SearchRequest, limit_bytes=parts.config.server.body_limit)
    if not 1 <= asked.limit <= 1000:
        raise RequestInvalid(f"limit is {asked.limit}, expected 1 to 1000", "limit")
    return reply(await while_connected(request, parts.memory.search(asked)))


async def ask(parts: Parts, request: Request) -> Response:
    """`POST /memory/ask`."""
    asked = await body(request, wire.AskRequest, limit_bytes=parts.config.server.body_limit)
    if not asked.question.strip():
        raise RequestInvalid("question: is empty", "question")
    if not 1 <= asked.limit <= 100:
        raise RequestInvalid(f"limit is {asked.limit}, expected 1 to 100", "limit")
    parts.last_chat = time.monotonic()
    return reply(await while_connected(request, parts.assistant.ask(asked)))


async def remember(parts: Parts, request: Request) -> Response:
    """`POST /memory/remember`."""
    asked = await body(request, wire.RememberRequest, limit_bytes=parts.config.server.body_limit)
    if not asked.text.strip():
        raise RequestInvalid("text: is empty", "text")
    return reply(await parts.assistant.remember(asked))


async def feedback(parts: Parts, request: Request) -> Response:
    """`POST /feedback`."""
    asked = await body(request, wire.FeedbackRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await parts.assistant.feedback(asked))


async def forget(parts: Parts, request: Request) -> Response:
    """`POST /memory/forget`: without `confirm` nothing changes."""
    asked = await body(request, wire.ForgetRequest, limit_bytes=parts.config.server.body_limit)
    if not asked.what.strip():
        raise RequestInvalid("what: is empty", "what")
    return reply(await parts.assistant.forget(asked))


async def undo(parts: Parts, request: Request) -> Response:
    """`POST /memory/undo`."""
    asked = await body(request, wire.UndoRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await parts.memory.undo(asked.id))


async def reindex(parts: Parts, request: Request) -> Response:
    """`POST /memory/reindex`: returns when done."""
    asked = await body(request, wire.ReindexRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await parts.memory.reindex(asked.paths))


async def pages(parts: Parts, request: Request) -> Response:
    """`GET /memory/pages?prefix=`."""
    prefix = request.query_params.get("prefix", "")
    return reply(await asyncio.to_thread(parts.memory.pages, prefix))


async def page(parts: Parts, request: Request) -> Response:
    """`GET /memory/page?path=&line=&preview=`: reading a hit is a sign that it was right, unless it is a preview."""
    line, preview = number(request, "line", least=1), request.query_params.get("preview") == "true"
    return reply(await asyncio.to_thread(lambda: parts.memory.page(text(request, "path"), line=line, preview=preview)))


async def page_status(parts: Parts, request: Request) -> Response:
    """`GET /memory/status?path=`."""
    return reply(await asyncio.to_thread(parts.memory.page_status, text(request, "path")))


async def history(parts: Parts, request: Request) -> Response:
    """`GET /memory/history?limit=`."""
    limit = number(request, "limit", 20, least=1, most=10_000)
    return reply(await asyncio.to_thread(parts.memory.history, limit or 20))


async def proposals(parts: Parts, _request: Request) -> Response:
    """`GET /memory/proposals`: changes that met an edit of the owner's, and wait."""
    return reply(await asyncio.to_thread(parts.memory.proposals))


async def apply_proposal(parts: Parts, request: Request) -> Response:
    """`POST /memory/proposals/apply`: make a parked change after all."""
    asked = await body(request, wire.ProposalRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await asyncio.to_thread(parts.memory.apply_proposal, asked.id))


async def drop_proposal(parts: Parts, request: Request) -> Response:
    """`POST /memory/proposals/drop`: let go of a parked change."""
    asked = await body(request, wire.ProposalRequest, limit_bytes=parts.config.server.body_limit)
    return reply(await asyncio.to_thread(parts.memory.drop_proposal, asked.id))


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/memory/search"): search,
    ("POST", "/memory/ask"): ask,
    ("POST", "/memory/remember"): remember,
    ("POST", "/memory/forget"): forget,
    ("POST", "/feedback"): feedback,
    ("POST", "/memory/undo"): undo,
    ("POST", "/memory/reindex"): reindex,
    ("GET", "/memory/pages"): pages,
    ("GET", "/memory/page"): page,
    ("GET", "/memory/status"): page_status,
    ("GET", "/memory/history"): history,
    ("GET", "/memory/proposals"): proposals,
    ("POST", "/memory/proposals/apply"): apply_proposal,
    ("POST", "/memory/proposals/drop"): drop_proposal,
}
