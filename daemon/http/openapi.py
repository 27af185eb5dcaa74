"""`/openapi.json`: every path, with the types of what goes in and, on reverie's own paths, of what comes out."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import VERSION, wire
from daemon.http.anthropic_types import CountRequest, MessagesRequest
from daemon.http.completions import CompletionRequest
from daemon.http.embeddings import EmbeddingsRequest, RerankRequest
from daemon.http.ollama_types import ChatRequest as OllamaChatRequest
from daemon.http.ollama_types import CopyRequest, EmbedRequest, GenerateRequest
from daemon.http.ollama_types import EmbeddingsRequest as OllamaEmbeddingsRequest
from daemon.http.ollama_types import ModelRequest as OllamaModelRequest
from daemon.http.openai_types import ChatRequest
from daemon.http.replies import JSON, NDJSON, SSE, reply
from daemon.http.responses_types import ResponsesRequest
from daemon.parts import Handler, Parts


@dataclass(frozen=True)
class Operation:
    """
    What goes into a call and comes out of it.

    *takes* is the body's type, *gives* the reply's (or, of a stream, that or those of a line or event). *query* names
    parameters: those that end in `!` are required, those that begin with `#` are numbers.
    """

    method: str
    path: str
    takes: Any = None
    gives: Any = None
    media: tuple[str, ...] = (JSON,)
    query: tuple[str, ...] = ()


CHAT: tuple[str, ...] = (JSON, SSE)
LINES: tuple[str, ...] = (NDJSON,)
OPERATIONS = (
    Operation("GET", "/health", gives=wire.Health),
    Operation("GET", "/status", gives=wire.Status),
    Operation("GET", "/metrics", media=("text/plain",)),
    Operation("GET", "/events", gives=wire.Event, media=(SSE,), query=("#since",)),
    Operation("GET", "/config", gives=list[wire.ConfigValue]),
    Operation("GET", "/doctor", gives=list[wire.Finding]),
    Operation("GET", "/openapi.json"),
    Operation("POST", "/memory/search", wire.SearchRequest, wire.SearchReply),
    Operation("POST", "/memory/ask", wire.AskRequest, wire.Answer),
    Operation("POST", "/memory/remember", wire.RememberRequest, wire.Remembered),
    Operation("POST", "/memory/forget", wire.ForgetRequest, wire.Forgotten),
    Operation("POST", "/feedback", wire.FeedbackRequest, wire.FeedbackNoted),
    Operation("POST", "/memory/undo", wire.UndoRequest, wire.Commit),
    Operation("POST", "/memory/reindex", wire.ReindexRequest, wire.Synced),
    Operation("GET", "/memory/pages", gives=list[wire.PageInfo], query=("prefix",)),
    Operation("GET", "/memory/page", gives=wire.PageView, query=("path!", "#line", "preview")),
    Operation("GET", "/memory/status", gives=wire.PageStatus, query=("path!",)),
    Operation("GET", "/memory/history", gives=list[wire.Commit], query=("#limit",)),
    Operation("GET", "/memory/proposals"),
    Operation("POST", "/memory/proposals/apply", wire.ProposalRequest, wire.Remembered),
    Operation("POST", "/memory/proposals/drop", wire.ProposalRequest),
    Operation("GET", "/memory/facts", gives=list[wire.FactLine], query=("prefix", "words")),
    Operation("GET", "/memory/recall", gives=wire.Recalled, query=("what!", "at", "past")),
    Operation("GET", "/memory/why", gives=wire.Why, query=("what!",)),
    Operation("POST", "/memory/what-if", wire.WhatIfRequest, wire.WhatIf),
    Operation("GET", "/memory/graph", gives=wire.Graph, query=("format", "what")),
    Operation("POST", "/memory/bench", wire.MemoryBenchRequest, (wire.Progress, wire.MemoryBenchReport), LINES),
    Operation("POST", "/mcp", Any),
    Operation("GET", "/models", gives=list[wire.ModelInfo]),
    Operation("DELETE", "/models", gives=wire.ModelInfo, query=("name!",)),
    Operation("GET", "/models/show", gives=wire.ModelInfo, query=("name!",)),
    Operation("POST", "/models/pull", wire.PullRequest, wire.Progress, LINES),
    Operation("POST", "/models/load", wire.ModelRequest, wire.ModelInfo),
    Operation("POST", "/models/unload", wire.ModelRequest, wire.ModelInfo),
    Operation("POST", "/models/check", wire.ModelRequest, (wire.CheckResult, wire.CheckReport), LINES),
    Operation("POST", "/models/bench", wire.ModelRequest, (wire.Progress, wire.BenchReport), LINES),
    Operation("GET", "/night/status", gives=wire.NightStatus),
    Operation("POST", "/night/run", wire.NightRunRequest, wire.NightStatus),
    Operation("GET", "/night/log", gives=list[wire.NightRun], query=("#limit",)),
    Operation("GET", "/night/show", gives=wire.NightRun, query=("id!",)),
    Operation("POST", "/night/undo", wire.NightRequest, wire.NightRun),
    Operation("POST", "/night/approve", wire.NightRequest, wire.NightRun),
    Operation("GET", "/night/policy", gives=wire.NightPolicy),
    Operation("POST", "/night/policy", wire.NightPolicyRequest, wire.NightPolicy),
    Operation("GET", "/night/ranking", gives=wire.NightRanking),
    Operation("POST", "/night/ranking", wire.NightRankingRequest, wire.NightRanking),
    Operation("POST", "/v1/chat/completions", ChatRequest, media=CHAT),
    Operation("POST", "/v1/completions", CompletionRequest, media=CHAT),
    Operation("POST", "/v1/responses", ResponsesRequest, media=CHAT),
    Operation("GET", "/v1/responses/{id}"),
    Operation("DELETE", "/v1/responses/{id}"),
    Operation("POST", "/v1/messages", MessagesRequest, media=CHAT),
    Operation("POST", "/v1/messages/count_tokens", CountRequest),
    Operation("POST", "/v1/embeddings", EmbeddingsRequest),
    Operation("POST", "/v1/rerank", RerankRequest),
    Operation("POST", "/rerank", RerankRequest),
    Operation("GET", "/v1/models"),
    Operation("GET", "/v1/models/{name}"),
    Operation("GET", "/", media=("text/plain",)),
    Operation("POST", "/api/chat", OllamaChatRequest, media=LINES),
    Operation("POST", "/api/generate", GenerateRequest, media=LINES),
    Operation("POST", "/api/embed", EmbedRequest),
    Operation("POST", "/api/embeddings", OllamaEmbeddingsRequest),
    Operation("GET", "/api/version"),
    Operation("GET", "/api/tags"),
    Operation("GET", "/api/ps"),
    Operation("POST", "/api/show", OllamaModelRequest),
    Operation("POST", "/api/pull", OllamaModelRequest, media=LINES),
    Operation("DELETE", "/api/delete", OllamaModelRequest),
    Operation("POST", "/api/copy", CopyRequest),
    Operation("POST", "/api/create"),
    Operation("POST", "/api/push"),
    Operation("POST", "/api/blobs/{digest}"),
)


async def show(_parts: Parts, _request: Request) -> Response:
    """`GET /openapi.json`."""
    return reply(document())


ROUTES: dict[tuple[str, str], Handler] = {("GET", "/openapi.json"): show}


@cache
def document() -> dict[str, object]:
    """The OpenAPI document of this version."""
    types = [each for operation in OPERATIONS for each in (*_types(operation.takes), *_types(operation.gives))]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    found = dict(zip(map(str, types), schemas, strict=True))
    paths: dict[str, dict[str, object]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "reverie",
            "version": VERSION,
            "description": "OpenAI's, Ollama's and Anthropic's APIs, and reverie's own for memory, models and nights.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _types(given: Any) -> tuple[Any, ...]:
    return () if given is None else given if isinstance(given, tuple) else (given,)


def _described(operation: Operation, schemas: dict[str, dict[str, Any]]) -> dict[str, object]:
    free: dict[str, Any] = {"type": "string"} if "text/plain" in operation.media else {}
    shapes = [schemas[str(each)] for each in _types(operation.gives)]
    given = {"anyOf": shapes} if len(shapes) > 1 else shapes[0] if shapes else free
    failed = {"description": "An error in the shape of the API that was called", "content": {JSON: {"schema": {}}}}
    said: dict[str, object] = {
        "operationId": f"{operation.method} {operation.path}",
        "tags": [_api(operation.path)],
        "responses": {
            "200": {"description": "Done", "content": {media: {"schema": given} for media in operation.media}},
            "default": failed,
        },
    }
    if parameters := _parameters(operation):
        said["parameters"] = parameters
    if operation.takes is not None:
        said["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[str(operation.takes)]}}}
    return said


def _api(path: str) -> str:
    if path.startswith("/v1/messages"):
        return "Anthropic"
    return "OpenAI" if path.startswith("/v1/") else "Ollama" if path.startswith("/api/") else "reverie"


def _parameters(operation: Operation) -> list[dict[str, object]]:
    text, number = {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 1000}
    found: list[dict[str, object]] = [
        {"name": part[1:-1], "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for part in operation.path.split("/")
        if part.startswith("{")
    ]
    for name in operation.query:
        schema = number if name.startswith("#") else text
        found.append({"name": name.strip("#!"), "in": "query", "required": name.endswith("!"), "schema": schema})
    return found
