"""The front door: who may come in, which path answers, and what is said when something fails."""

import logging
import time

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from daemon.errors import Draining, MethodNotAllowed, NotFound, note
from daemon.http import (
    anthropic,
    auth,
    bench,
    completions,
    embeddings,
    errors,
    facts,
    mcp,
    memory,
    models,
    night,
    ollama,
    ollama_models,
    openai,
    openapi,
    own,
    responses,
)
from daemon.parts import Handler, Parts

log = logging.getLogger(__name__)

ROUTES: dict[tuple[str, str], Handler] = {
    **own.ROUTES,
    **memory.ROUTES,
    **facts.ROUTES,
    **mcp.ROUTES,
    **models.ROUTES,
    **bench.ROUTES,
    **night.ROUTES,
    **openai.ROUTES,
    **completions.ROUTES,
    **embeddings.ROUTES,
    **responses.ROUTES,
    **anthropic.ROUTES,
    **ollama.ROUTES,
    **ollama_models.ROUTES,
    **openapi.ROUTES,
}
ALLOWED_HEADERS = (
    "authorization, content-type, x-requested-with, user-agent, openai-organization, openai-project, x-api-key, "
    "anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, x-stainless-arch, x-stainless-lang, "
    "x-stainless-os, x-stainless-package-version, x-stainless-retry-count, x-stainless-runtime, "
    "x-stainless-runtime-version, x-stainless-timeout, x-stainless-helper-method, mcp-protocol-version, "
    "mcp-session-id, mcp-method, mcp-name"
)
WITHOUT_WORK = frozenset({"/health", "/status", "/metrics", "/config", "/events"})


class App:
    """The ASGI application: both sockets end here."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Its failure is logged once and told in the shape of the API it called."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        path, started, status = request.url.path, time.monotonic(), 0
        origin: str | None = None

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_cors(origin)]
                self._parts.metrics.request_seconds.observe(
                    time.monotonic() - started, path=_label(scope["method"], path)
                )
            await send(message)

        try:
            origin = self._admit(request)
            response = await self._answer(request)
        except ClientDisconnect:
            self._parts.metrics.requests.add(path=_label(scope["method"], path), status="hung_up")
            return
        except Exception as error:  # noqa: BLE001 - the request's door: the failure is its reply
            note(log, error, f"{scope['method']} {path}")
            response = errors.respond(error, path)
        try:
            await response(scope, receive, sending)
        except (ClientDisconnect, OSError):
            log.debug("%s %s: the client hung up", scope["method"], path)
        finally:
            self._parts.metrics.requests.add(path=_label(scope["method"], path), status=str(status or "hung_up"))

    def _admit(self, request: Request) -> str | None:
        """The origin to name in the reply. On the unix socket everybody who can open it may come in."""
        server = request.scope.get("server")
        if server is None or server[1] is None:
            return None
        settings = self._parts.config.server
        return auth.admit(
            request.headers,
            request.client.host if request.client else None,
            names={name.lower() for name in (settings.host, *settings.allowed_hosts)},
            origins=settings.allowed_origins,
            token=self._parts.token,
        )

    async def _answer(self, request: Request) -> Response:
        path = request.url.path.rstrip("/") or "/"
        method = "GET" if request.method == "HEAD" else request.method
        if method == "OPTIONS":
            return Response(status_code=204)
        handler = _find(method, path)
        if self._parts.state == "draining" and path not in WITHOUT_WORK:
            raise Draining
        return await handler(self._parts, request)


def _find(method: str, path: str) -> Handler:
    handler = ROUTES.get((method, path)) or ROUTES.get((method, _parent(path)))
    if handler:
        return handler
    others = sorted({m for m, p in ROUTES if p in (path, _parent(path))})
    if others:
        raise MethodNotAllowed(f"{path} takes {', '.join(others)}, not {method}")
    raise NotFound(f"there is no {path} here")


def _parent(path: str) -> str:
    """`/v1/models/a/b` is one of `/v1/models/*`."""
    return "/v1/models/*" if path.startswith("/v1/models/") else f"{path.rpartition('/')[0]}/*"


def _label(method: str, path: str) -> str:
    """The path as metrics count it: known ones by name, all others together, so that labels stay few."""
    path = path.rstrip("/") or "/"
    for known in (path, _parent(path)):
        if (method, known) in ROUTES:
            return known
    return "other"


def _cors(origin: str | None) -> list[tuple[bytes, bytes]]:
    """Headers that let the admitted page of *origin* read the reply."""
    if origin is None:
        return []
    return [
        (b"access-control-allow-origin", origin.encode("latin-1", "replace")),
        (b"access-control-allow-methods", b"GET, POST, DELETE"),
        (b"access-control-allow-headers", ALLOWED_HEADERS.encode()),
        (b"vary", b"origin"),
    ]
