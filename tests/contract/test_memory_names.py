"""A name that ends in `:memory` means the same in every API: what is told in one is known in all."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import openai
import pytest

Home = Any
NAME = "tiny:memory"


def _lines(text: str) -> list[Any]:
    data = [line.removeprefix("data: ") for line in text.splitlines() if line and not line.startswith(("event:", ":"))]
    return [json.loads(line) for line in data if line != "[DONE]"]


def _openai(url: str, words: str, stream: bool) -> tuple[str, Any]:
    body = {"model": NAME, "messages": [{"role": "user", "content": words}], "stream": stream}
    answer = httpx.post(f"{url}/v1/chat/completions", json=body, timeout=60)
    if not stream:
        return answer.json()["choices"][0]["message"]["content"], answer.json()["reverie"]
    chunks = _lines(answer.text)
    text = "".join(choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"])
    return text, chunks[-1]["reverie"]


def _responses(url: str, words: str, stream: bool) -> tuple[str, Any]:
    answer = httpx.post(f"{url}/v1/responses", json={"model": NAME, "input": words, "stream": stream}, timeout=60)
    found = _lines(answer.text)[-1]["response"] if stream else answer.json()
    return "".join(part["text"] for item in found["output"] for part in item["content"]), found["reverie"]


def _messages(url: str, words: str, stream: bool) -> tuple[str, Any]:
    body = {"model": NAME, "max_tokens": 200, "messages": [{"role": "user", "content": words}], "stream": stream}
    answer = httpx.post(f"{url}/v1/messages", json=body, timeout=60)
    if not stream:
        return answer.json()["content"][0]["text"], answer.json()["reverie"]
    events = _lines(answer.text)
    text = "".join(event["delta"].get("text", "") for event in events if event["type"] == "content_block_delta")
    return text, next(event for event in events if event["type"] == "message_delta")["reverie"]


def _ollama_chat(url: str, words: str, stream: bool) -> tuple[str, Any]:
    body = {"model": NAME, "messages": [{"role": "user", "content": words}], "stream": stream}
    lines = _lines(httpx.post(f"{url}/api/chat", json=body, timeout=60).text)
    return "".join(line["message"]["content"] for line in lines), lines[-1]["reverie"]


def _ollama_generate(url: str, words: str, stream: bool) -> tuple[str, Any]:
    body = {"model": NAME, "prompt": words, "stream": stream}
    lines = _lines(httpx.post(f"{url}/api/generate", json=body, timeout=60).text)
    return "".join(line["response"] for line in lines), lines[-1]["reverie"]


APIS = (_openai, _responses, _messages, _ollama_chat, _ollama_generate)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("tell", APIS)
def test_what_is_told_in_one_api_is_known_in_all(
    running: Home, tell: Callable[[str, str, bool], tuple[str, Any]], stream: bool
) -> None:
    """A fact told through one API changes a page, is confirmed, and is the answer with its source in all others."""
    value = f"{tell.__name__.strip('_').replace('_', ' ').title()} {'River' if stream else 'Hill'}"
    said, memory = tell(running.url, f"My favourite place is {value}.", stream)
    assert value in said
    assert [change["after"] for change in memory["changes"]] == [value]
    for ask in APIS:
        answer, known = ask(running.url, "What is my favourite place?", not stream)
        assert value in answer, ask.__name__
        assert known["kind"] == "fact"
        assert known["sources"]


@pytest.mark.parametrize("words", ["My favourite pier is Pier Nine.", "What is my favourite pier?", "/count 3"])
def test_a_stream_with_memory_is_read_as_any_other(client: openai.OpenAI, words: str) -> None:
    """Each chunk has choices unless usage was asked for; what memory did goes with the one that ends the reply."""
    asked: Any = {"model": NAME, "messages": [{"role": "user", "content": words}], "stream": True}
    chunks = list(client.chat.completions.create(**asked))
    assert all(chunk.choices for chunk in chunks)
    assert [place for place, chunk in enumerate(chunks) if chunk.choices[0].finish_reason] == [len(chunks) - 1]
    assert [place for place, chunk in enumerate(chunks) if hasattr(chunk, "reverie")] == [len(chunks) - 1]
    *chunks, last = client.chat.completions.create(**asked, stream_options={"include_usage": True})
    assert all(chunk.choices for chunk in chunks)
    assert (last.choices, last.usage is not None) == ([], True)
