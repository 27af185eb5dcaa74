"""The OpenAPI document, and what random requests by it do to the daemon."""

import json
import re
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from daemon.http.app import ROUTES
from daemon.http.openapi import OPERATIONS, document

Home = Any
NOT_HERE = ("/api/create", "/api/push", "/api/blobs/{digest}")  # 501 by design
ENDLESS = ("/events",)


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


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}")
def test_random_requests_find_no_internal_error(running: Home, operation: Any) -> None:
    """Requests made by schemathesis from the document, right and wrong ones, get answers, and none is a 500."""
    import schemathesis
    from schemathesis.generation import GenerationMode

    if operation.path in (*NOT_HERE, *ENDLESS):
        return
    schema = schemathesis.openapi.from_dict(document())
    described = schema[operation.path][operation.method]
    modes = [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if _can_be_wrong(operation) else [])]
    with httpx.Client(base_url=running.url, timeout=60) as http:
        for mode in modes:

            @given(case=described.as_strategy(generation_mode=mode))
            @settings(
                max_examples=25,
                deadline=None,
                database=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            )
            def try_it(case: Any) -> None:
                asked = case.as_transport_kwargs(base_url=running.url)
                asked.pop("cookies", None)
                try:
                    answer = http.request(**_for_httpx(asked))
                except (httpx.InvalidURL, httpx.LocalProtocolError, UnicodeEncodeError):
                    return  # nothing was sent
                assert answer.status_code != 500, f"{asked}: {answer.text[:2000]}"
                assert answer.status_code < 600

            try_it()
    assert running.process.poll() is None


def _can_be_wrong(operation: Any) -> bool:
    return bool(operation.query) or operation.takes not in (None, Any)


def _for_httpx(asked: dict[str, Any]) -> dict[str, Any]:
    """The same request in httpx's words."""
    kept = {key: value for key, value in asked.items() if key in ("method", "url", "headers", "params", "json")}
    if (data := asked.get("data")) is not None:
        kept["content" if isinstance(data, bytes | str) else "data"] = data
    headers = dict(kept.pop("headers", None) or {})
    return kept | {"headers": {name: value for name, value in headers.items() if name.lower() != "content-length"}}
