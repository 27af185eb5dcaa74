"""The OpenAPI document, and what random requests by it do to the daemon."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation import GenerationMode

from daemon.http.app import ROUTES
from daemon.http.openapi import OPERATIONS, Operation, document
from tests.contract.described import problems

Home = Any
CHAT, EMBED = "smollm2-135m-instruct", "all-minilm-l6-v2"
EXAMPLES = 10
NOT_TRIED = (
    "/events",  # a stream without end
    "/mcp",  # JSON-RPC, which its own schema describes: test_mcp
    *("/api/create", "/api/push", "/api/blobs/{digest}"),  # 501 by design
)
NEVER_DONE = {  # nothing is there to be shown, pulled or taken back
    *("/v1/responses/{id}", "/memory/undo", "/memory/proposals/apply", "/memory/proposals/drop", "/night/show"),
    *("/night/undo", "/night/approve", "/feedback", "/memory/forget"),
}
AIMED = {
    *("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages", "/v1/messages/count_tokens"),
    *("/v1/embeddings", "/v1/rerank", "/rerank", "/api/chat", "/api/generate", "/api/embed", "/api/embeddings"),
    "/api/show",
}
COSTLY = ("num_ctx", "keep_alive")  # the model would be loaded anew each time
LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


def test_every_path_is_described() -> None:
    """The document and the daemon's routes name the same paths and methods."""
    described = {(each.method, re.sub(r"\{.*\}", "*", each.path)) for each in OPERATIONS}
    assert described == set(ROUTES)


def test_the_document_is_served_and_every_reference_in_it_leads_somewhere(running: Home) -> None:
    """`/openapi.json` is OpenAPI 3.1 with the schemas that it refers to."""
    found = httpx.get(f"{running.url}/openapi.json", timeout=60).json()
    assert found == json.loads(json.dumps(document()))
    assert found["openapi"] == "3.1.0"
    schemas = found["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(found)))
    assert references
    assert references <= set(schemas)


def _chat(words: str, **more: object) -> dict[str, object]:
    return {"model": "tiny", "messages": [{"role": "user", "content": words}], "max_tokens": 50, **more}


TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
CALLED = '/say Look. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
THOUGHT = "/think hm | so"
SHAPE = [{"model": "tiny"}, {"model": "no-such-model"}, {}]
EXAMPLES_OF: dict[str, list[dict[str, object]]] = {
    "/memory/search": [{"query": "who leads the team?", "explain": True}, {"query": 1}],
    "/memory/ask": [{"question": "Who is the team lead?"}, {}],
    "/memory/remember": [{"text": "My team lead is Mina Olsen."}, {"text": ""}],
    "/memory/forget": [{"what": "[no such attribute]"}, {}],
    "/memory/undo": [{"id": "none"}, {"id": 1}],
    "/memory/reindex": [{}, {"paths": 1}],
    "/memory/what-if": [{"text": "team lead = Tom Vega"}, {}],
    "/memory/proposals/apply": [{"id": "none"}],
    "/memory/proposals/drop": [{"id": "none"}],
    "/feedback": [{}],
    "/models/load": [{"name": "tiny"}, {"name": "none"}],
    "/models/unload": [{"name": "tiny"}, {"name": "none"}],
    "/models/check": [{"name": "tiny"}, {"name": "none"}],
    "/models/bench": [{"name": "tiny"}, {"name": "none"}],
    "/models/pull": [{"source": "/no/such/file.gguf"}, {"source": ""}],
    "/night/undo": [{"id": "none"}],
    "/night/approve": [{"id": "none"}],
    "/night/policy": [{}],
    "/night/ranking": [{}],
    "/v1/chat/completions": [
        _chat("hi", stream=stream, **more)
        for stream in (False, True)
        for more in (
            {"logprobs": True, "top_logprobs": 2, "n": 2, "stream_options": {"include_usage": True}},
            {"messages": [{"role": "user", "content": CALLED}], "tools": [TOOL]},
            {"messages": [{"role": "user", "content": THOUGHT}]},
            {"model": "tiny:memory", "messages": [{"role": "user", "content": "My dentist is Vera Lang."}]},
            {"model": "none"},
            {"messages": []},
        )
    ],
    "/v1/completions": [
        {"model": "tiny", "prompt": ["/say hi\n", "/say ho\n"], "stream": stream, "logprobs": 1, "n": 2}
        for stream in (False, True)
    ]
    + [{"model": "tiny"}],
    "/v1/responses": [
        {"model": "tiny", "input": words, "stream": stream, "tools": [{"type": "function", "name": "f"}], **more}
        for stream in (False, True)
        for words in ("/say hi", CALLED, THOUGHT)
        for more in ({}, {"max_output_tokens": 1, "instructions": "x", "metadata": {"a": "b"}, "temperature": 0.5})
    ]
    + [{"model": "tiny", "input": []}],
    "/v1/messages": [
        _chat(
            words,
            stream=stream,
            tools=[{"name": "f", "input_schema": {"type": "object"}}],
            thinking={"type": "enabled"},
        )
        for stream in (False, True)
        for words in ("/say hi", CALLED, THOUGHT)
    ]
    + [_chat("My bank is North.", model="tiny:memory", stream=True), _chat("hi", max_tokens=-1)],
    "/v1/messages/count_tokens": [_chat("hi"), {"model": "none", "messages": []}],
    "/v1/embeddings": [
        {"model": "tiny-embed", "input": ["a", "b"]},
        {"model": "tiny-embed", "input": "a", "encoding_format": "base64"},
        {"model": "tiny", "input": "a"},
    ],
    "/v1/rerank": [{"query": "a", "documents": ["a", "b"], "return_documents": True}, {"query": "a"}],
    "/rerank": [{"query": "a", "documents": ["a", "b"]}, {"query": "a"}],
    "/api/chat": [
        {
            "model": "tiny",
            "messages": [{"role": "user", "content": words}],
            "stream": stream,
            "tools": [TOOL],
            "logprobs": True,
        }
        for stream in (False, True)
        for words in ("/say hi", CALLED, THOUGHT)
    ]
    + [{"model": "tiny"}, {"model": "none", "messages": [{"role": "user", "content": "hi"}]}, {}],
    "/api/generate": [{"model": "tiny", "prompt": "/say hi", "stream": stream} for stream in (False, True)] + SHAPE,
    "/api/embed": [{"model": "tiny-embed", "input": ["a", "b"]}, *SHAPE],
    "/api/embeddings": [{"model": "tiny-embed", "prompt": "a"}, {"model": "tiny-embed"}, *SHAPE],
    "/api/show": SHAPE,
    "/api/pull": [{"model": "/no/such/file.gguf", "stream": stream} for stream in (False, True)],
    "/api/copy": [{"source": "tiny", "destination": "tiny-too"}, {"source": "none", "destination": "x"}],
    "/api/delete": [{"model": "tiny-too"}, {"model": "none"}],
    "/api/create": [{}],
    "/api/push": [{}],
    "/api/blobs/{digest}": [{}],
}
QUERIES = {
    "/memory/page": [{"path": "facts/Me.md"}, {"path": "none.md"}, {}],
    "/memory/status": [{"path": "facts/Me.md"}, {"path": "none.md"}],
    "/memory/recall": [{"what": "[team lead]"}, {"what": "[none]"}, {}],
    "/memory/why": [{"what": "[team lead]"}, {}],
    "/memory/graph": [{}, {"format": "none"}],
    "/models/show": [{"name": "tiny"}, {"name": "none"}, {}],
    "/models": [{}],
    "/night/show": [{"id": "none"}, {}],
}
NOT_ASKED = ("/events", "/mcp", "/memory/bench", "/night/run")  # endless, of its own schema, of minutes


def test_replies_are_as_the_document_says(running: Home) -> None:
    """Replies, lines and events of streams, and errors of every path have the types that the document gives them."""
    seen: set[tuple[str, bool]] = set()
    with httpx.Client(base_url=running.url, timeout=60) as http:
        http.post("/memory/remember", json={"text": "My team lead is Mina Olsen."})
        for operation in OPERATIONS:
            if operation.path in NOT_ASKED:
                continue
            path = operation.path.replace("{id}", "none").replace("{name}", "tiny").replace("{digest}", "x")
            for body in EXAMPLES_OF.get(operation.path, [{}]) if operation.method != "GET" else [{}]:
                for query in QUERIES.get(operation.path, [{}]):
                    content = json.dumps(body) if operation.method != "GET" else None
                    answer = http.request(operation.method, path, content=content, params=query)
                    assert answer.status_code in (200, 400, 404, 409, 422, 501, 502), (path, body, answer.text)
                    assert not problems(operation, answer), (
                        path,
                        body,
                        query,
                        answer.text[:1000],
                        problems(operation, answer),
                    )
                    seen.add((operation.path, answer.status_code == 200))
    succeed = {each.path for each in OPERATIONS if each.media} - set(NOT_ASKED) - NEVER_DONE
    assert succeed <= {path for path, done in seen if done}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, models_dir: Path, home_class: Any) -> Iterator[Home]:
    """A daemon with the starter models, in a models folder of its own, since random requests delete and copy."""
    home = home_class(tmp_path_factory.mktemp("real"))
    home.configure("[server]\nbody_limit = '1 MB'\n[models]\ncontext_tokens = 512\noffline = true\n")
    shutil.copytree(models_dir, home.paths.models_dir, symlinks=True)
    home.start()
    yield home
    home.close()


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS if each.path not in NOT_TRIED],
    ids=lambda each: f"{each.method} {each.path}",
)
def test_random_requests_find_no_internal_error(real: Home, operation: Operation) -> None:
    """
    Requests made by schemathesis from the document, right and wrong ones, get answers of the described shape.

    None is a 500, and the daemon lives. Those that ask for text or vectors ask a real model, for few tokens.
    """
    described = schemathesis.openapi.from_dict(document())[operation.path][operation.method]
    modes = [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if _can_be_wrong(operation) else [])]
    with httpx.Client(base_url=real.url, timeout=600) as http:
        for mode in modes:

            @given(case=described.as_strategy(generation_mode=mode))
            @settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            )
            def try_it(case: Any) -> None:
                _aim(operation, case)
                asked = case.as_transport_kwargs(base_url=real.url)
                asked.pop("cookies", None)
                try:
                    answer = http.request(**_for_httpx(asked))
                except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeEncodeError):
                    return  # nothing was sent
                assert answer.status_code != 500, f"{asked}: {answer.text[:2000]}"
                assert answer.status_code < 600
                assert not problems(operation, answer), f"{asked}: {answer.text[:2000]}"

            try_it()
    assert real.process.poll() is None
    deaths = [line for line in real.client.metrics().splitlines() if line.startswith("reverie_worker_deaths_total")]
    assert all(line.endswith(" 0") for line in deaths), deaths


def _aim(operation: Operation, case: Any) -> None:
    """Give a request for text or vectors a model that is there, and few tokens to write."""
    body = case.body
    if not isinstance(body, dict) or operation.path not in AIMED or not isinstance(body.get("model"), str):
        return
    body["model"] = EMBED if "embed" in operation.path or "rerank" in operation.path else CHAT
    body |= {field: None for field in COSTLY if field in body} | ({"n": 2} if body.get("n") in range(3, 17) else {})
    for field in LIMITS:
        if field in _fields(operation) and not _is_small(body.get(field)):
            body[field] = 3
    if operation.path in ("/api/chat", "/api/generate"):
        options = body.get("options")
        if isinstance(options, dict):
            options.pop("num_ctx", None)
            options["num_predict"] = options["num_predict"] if _is_small(options.get("num_predict")) else 3
        elif options is None:
            body["options"] = {"num_predict": 3}


def _fields(operation: Operation) -> set[str]:
    return {field.name for field in msgspec.structs.fields(operation.takes)}


def _is_small(value: object) -> bool:
    return value is not None and not (isinstance(value, int) and value > 3)


def _can_be_wrong(operation: Operation) -> bool:
    return bool(operation.query) or operation.takes not in (None, Any)


def _for_httpx(asked: dict[str, Any]) -> dict[str, Any]:
    """The same request in httpx's words."""
    kept = {key: value for key, value in asked.items() if key in ("method", "url", "headers", "params", "json")}
    if (data := asked.get("data")) is not None:
        kept["content" if isinstance(data, bytes | str) else "data"] = data
    headers = dict(kept.pop("headers", None) or {})
    return kept | {"headers": {name: value for name, value in headers.items() if name.lower() != "content-length"}}
