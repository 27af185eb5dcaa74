"""Replies held against what `/openapi.json` says of them."""

import json
import re
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from daemon.http.openapi import Operation, document


def problems(operation: Operation, answer: httpx.Response) -> list[str]:
    """What is wrong with an answer by the document; nothing for one whose type this does not describe."""
    said: Any = document()["paths"]
    responses = said[operation.path][operation.method.lower()]["responses"]
    described = responses["200" if answer.status_code == 200 else "default"].get("content", {})
    media = answer.headers.get("content-type", "").partition(";")[0]
    if not answer.content:
        return []
    if media not in described:
        return [f"{answer.status_code} with {media!r}, described are {sorted(described)}"]
    schema = json.dumps(described[media]["schema"])
    return [
        f"{error.json_path}: {error.message[:300]}"
        for value in _values(answer, media)
        for error in _faults(schema, value)
    ]


def _values(answer: httpx.Response, media: str) -> list[Any]:
    match media:
        case "text/event-stream":
            data = re.findall(r"^data: (.*)$", answer.text, re.MULTILINE)
            return [json.loads(each) for each in data if each != "[DONE]"]
        case "application/x-ndjson":
            return [json.loads(line) for line in answer.text.split("\n") if line.strip()]
        case "application/json":
            return [answer.json()]
        case _:
            return [answer.text]


def _faults(schema: str, value: object) -> list[Any]:
    return list(_validator(schema).iter_errors(value))


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(schema), "components": document()["components"]})
