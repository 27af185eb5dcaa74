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

Home = Any
CHAT, EMBED = "smollm2-135m-instruct", "all-minilm-l6-v2"
EXAMPLES = 10
NOT_TRIED = (
    "/events",  # a stream without end
    "/mcp",  # JSON-RPC, which its own schema describes: test_mcp
    *("/api/create", "/api/push", "/api/blobs/{digest}"),  # 501 by design
)
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
    found = httpx.get(f"{running.url}/openapi.json").json()
    assert found == json.loads(json.dumps(document()))
    assert found["openapi"] == "3.1.0"
    schemas = found["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(found)))
    assert references
    assert references <= set(schemas)


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
@pytest.mark.timeout(600)
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
    with httpx.Client(base_url=real.url, timeout=120) as http:
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
