"""`/openapi.json`: every path, with the types of what goes in, of what comes out, and of errors."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from daemon import VERSION, wire
from daemon.http.anthropic_replies import AnthropicError, AnthropicMessage, CountedTokens, MessageEvent
from daemon.http.anthropic_types import CountRequest, MessagesRequest
from daemon.http.completions import CompletionRequest
from daemon.http.embeddings import EmbeddingsRequest, RerankRequest
from daemon.http.ollama_replies import (
    OllamaChat,
    OllamaError,
    OllamaGeneration,
    OllamaProcesses,
    OllamaProgress,
    OllamaShown,
    OllamaTags,
    OllamaVector,
    OllamaVectors,
    OllamaVersion,
)
from daemon.http.ollama_types import ChatRequest as OllamaChatRequest
from daemon.http.ollama_types import CopyRequest, EmbedRequest, GenerateRequest
from daemon.http.ollama_types import EmbeddingsRequest as OllamaEmbeddingsRequest
from daemon.http.ollama_types import ModelRequest as OllamaModelRequest
from daemon.http.openai_replies import (
    ChatChunk,
    ChatCompletion,
    ModelEntry,
    ModelList,
    OpenAIError,
    Ranks,
    ResponseEvent,
    ResponseObject,
    TextCompletion,
    Vectors,
)
from daemon.http.openai_types import ChatRequest
from daemon.http.replies import JSON, NDJSON, SSE, reply
from daemon.http.responses_types import ResponsesRequest
from daemon.parts import Handler, Parts


@dataclass(frozen=True)
class Operation:
    """
    What goes into a call and comes out of it.

    *takes* is the body's type, *gives* the reply's, *streams* that or those of a line or an event of a streamed reply.
    *query* names parameters: those that end in `!` are required, those that begin with `#` are numbers.
    """

    method: str
    path: str
    takes: Any = None
    gives: Any = None
    streams: Any = None
    media: tuple[str, ...] = (JSON,)
    query: tuple[str, ...] = ()


EVENTS, LINES, BOTH = (JSON, SSE), (NDJSON,), (JSON, NDJSON)
OPERATIONS = (
    Operation("GET", "/health", gives=wire.Health),
    Operation("GET", "/status", gives=wire.Status),
    Operation("GET", "/metrics", media=("text/plain",)),
    Operation("GET", "/events", streams=wire.Event, media=(SSE,), query=("#since",)),
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
    Operation("GET", "/memory/proposals", gives=list[wire.ParkedChange]),
    Operation("POST", "/memory/proposals/apply", wire.ProposalRequest, wire.Remembered),
    Operation("POST", "/memory/proposals/drop", wire.ProposalRequest, wire.ParkedChange),
    Operation("GET", "/memory/facts", gives=list[wire.FactLine], query=("prefix", "words")),
    Operation("GET", "/memory/recall", gives=wire.Recalled, query=("what!", "at", "past")),
    Operation("GET", "/memory/why", gives=wire.Why, query=("what!",)),
    Operation("POST", "/memory/what-if", wire.WhatIfRequest, wire.WhatIf),
    Operation("GET", "/memory/graph", gives=wire.Graph, query=("format", "what")),
    Operation("POST", "/memory/bench", wire.MemoryBenchRequest, None, (wire.Progress, wire.MemoryBenchReport), LINES),
    Operation("POST", "/mcp", Any),
    Operation("GET", "/models", gives=list[wire.ModelInfo]),
    Operation("DELETE", "/models", gives=wire.ModelInfo, query=("name!",)),
    Operation("GET", "/models/show", gives=wire.ModelInfo, query=("name!",)),
    Operation("POST", "/models/pull", wire.PullRequest, None, wire.Progress, LINES),
    Operation("POST", "/models/load", wire.ModelRequest, wire.ModelInfo),
    Operation("POST", "/models/unload", wire.ModelRequest, wire.ModelInfo),
    Operation("POST", "/models/check", wire.ModelRequest, None, (wire.CheckResult, wire.CheckReport), LINES),
    Operation("POST", "/models/bench", wire.ModelRequest, None, (wire.Progress, wire.BenchReport), LINES),
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
    Operation("POST", "/v1/chat/completions", ChatRequest, ChatCompletion, ChatChunk, EVENTS),
    Operation("POST", "/v1/completions", CompletionRequest, TextCompletion, TextCompletion, EVENTS),
    Operation("POST", "/v1/responses", ResponsesRequest, ResponseObject, ResponseEvent, EVENTS),
    Operation("GET", "/v1/responses/{id}"),
    Operation("DELETE", "/v1/responses/{id}"),
    Operation("POST", "/v1/messages", MessagesRequest, AnthropicMessage, MessageEvent, EVENTS),
    Operation("POST", "/v1/messages/count_tokens", CountRequest, CountedTokens),
    Operation("POST", "/v1/embeddings", EmbeddingsRequest, Vectors),
    Operation("POST", "/v1/rerank", RerankRequest, Ranks),
    Operation("POST", "/rerank", RerankRequest, Ranks),
    Operation("GET", "/v1/models", gives=ModelList),
    Operation("GET", "/v1/models/{name}", gives=ModelEntry),
    Operation("GET", "/", media=("text/plain",)),
    Operation("POST", "/api/chat", OllamaChatRequest, OllamaChat, OllamaChat, BOTH),
    Operation("POST", "/api/generate", GenerateRequest, OllamaGeneration, OllamaGeneration, BOTH),
    Operation("POST", "/api/embed", EmbedRequest, OllamaVectors),
    Operation("POST", "/api/embeddings", OllamaEmbeddingsRequest, OllamaVector),
    Operation("GET", "/api/version", gives=OllamaVersion),
    Operation("GET", "/api/tags", gives=OllamaTags),
    Operation("GET", "/api/ps", gives=OllamaProcesses),
    Operation("POST", "/api/show", OllamaModelRequest, OllamaShown),
    Operation("POST", "/api/pull", OllamaModelRequest, OllamaProgress, OllamaProgress, BOTH),
    Operation("DELETE", "/api/delete", OllamaModelRequest, media=()),
    Operation("POST", "/api/copy", CopyRequest, media=()),
    Operation("POST", "/api/create", media=()),
    Operation("POST", "/api/push", media=()),
    Operation("POST", "/api/blobs/{digest}", media=()),
)


async def show(_parts: Parts, _request: Request) -> Response:
    """`GET /openapi.json`."""
    return reply(document())


ERRORS = {"OpenAI": OpenAIError, "Ollama": OllamaError, "Anthropic": AnthropicError, "reverie": wire.Error}
ROUTES: dict[tuple[str, str], Handler] = {("GET", "/openapi.json"): show}


@cache
def document() -> dict[str, object]:
    """The OpenAPI document of this version."""
    types: list[Any] = list(ERRORS.values())
    for each in OPERATIONS:
        types += [*_types(each.takes), *_types(each.gives), *_types(each.streams)]
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
    api = _api(operation.path)
    error = schemas[str(ERRORS[api])]

    def content(media: str) -> dict[str, object]:
        if media not in (NDJSON, SSE):
            whole = [schemas[str(each)] for each in _types(operation.gives)]
            return {"schema": whole[0] if whole else {"type": "string"} if media == "text/plain" else {}}
        pieces = [schemas[str(each)] for each in _types(operation.streams)]
        return {"schema": {"anyOf": [*pieces, error]}}

    done = {"description": "Done", "content": {media: content(media) for media in operation.media}}
    said: dict[str, object] = {
        "operationId": f"{operation.method} {operation.path}",
        "tags": [api],
        "responses": {
            "200": done if operation.media else {"description": "Done"},
            "default": {"description": f"An error in {api}'s shape", "content": {JSON: {"schema": error}}},
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
