"""Input that no client should send, through every API: each answers with a 4xx in its own shape, and serves on."""

import contextlib
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

Home = Any

CHAT = {"model": "tiny", "messages": [{"role": "user", "content": "/say hi"}], "stream": False}
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": CHAT,
    "/v1/completions": {"model": "tiny", "prompt": "/say hi\n"},
    "/v1/responses": {"model": "tiny", "input": "/say hi"},
    "/v1/messages": {**CHAT, "max_tokens": 20},
    "/v1/embeddings": {"model": "tiny-embed", "input": "hi"},
    "/v1/rerank": {"query": "hi", "documents": ["hi"]},
    "/api/chat": CHAT,
    "/api/generate": {"model": "tiny", "prompt": "/say hi", "stream": False},
    "/api/embed": {"model": "tiny-embed", "input": "hi"},
    "/memory/search": {"query": "hi"},
}
PATHS = list(BODIES)


@pytest.fixture(
    scope="module", params=["scripted", pytest.param("real", marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def served(request: pytest.FixtureRequest) -> Iterator[Home]:
    """A daemon with scripted models, and one with the starter models under the same names."""
    if request.param == "scripted":
        yield request.getfixturevalue("running")
        return
    home = request.getfixturevalue("home_class")(request.getfixturevalue("tmp_path_factory").mktemp("real"))
    home.configure(
        '[server]\nbody_limit = "1 MB"\n[models]\nchat = "tiny"\nembed = "tiny-embed"\ncontext_tokens = 256\n'
    )
    models_dir: Path = request.getfixturevalue("models_dir")
    for name, kept in (("tiny", "smollm2-135m-instruct"), ("tiny-embed", "all-minilm-l6-v2")):
        shutil.copytree(models_dir / kept, home.paths.models_dir / name, symlinks=True)
        (home.paths.models_dir / name / "model.toml").unlink()
    home.start()
    yield home
    deaths = [line for line in home.client.metrics().splitlines() if line.startswith("reverie_worker_deaths_total")]
    home.close()
    assert all(line.endswith(" 0") for line in deaths), deaths


def _is_shaped(path: str, answer: httpx.Response) -> bool:
    """Whether the error has the shape of its API."""
    said = answer.json()
    if path == "/v1/messages":
        return bool(said["type"] == "error" and said["error"]["type"] and said["error"]["message"])
    if path.startswith("/v1/"):
        return bool(said["error"]["message"] and said["error"]["type"] and "param" in said["error"])
    return isinstance(said["error"], str)


@pytest.mark.parametrize("path", PATHS)
def test_unknown_fields_are_skipped(served: Home, path: str) -> None:
    """Fields of later versions, and of other servers, change nothing."""
    body = {**BODIES[path], "no_such_field": {"deep": [1, None]}, "user": "me", "metadata": {"a": "b"}, "service": 1}
    assert httpx.post(f"{served.url}{path}", json=body, timeout=600).status_code == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b"7", b'"text"', b"{}", b"\xff\xfe{}", b'{"model": "ti\xffny"}', b"[" * 100_000],
    ids=["empty", "cut", "null", "list", "number", "text", "no fields", "utf-16", "not utf-8", "deep"],
)
def test_what_is_no_request_is_400(served: Home, path: str, content: bytes) -> None:
    """No JSON, not UTF-8, nested without end, or of another kind: 400, in the API's shape."""
    answer = httpx.post(
        f"{served.url}{path}", content=content, headers={"content-type": "application/json"}, timeout=600
    )
    assert answer.status_code == 400, answer.text
    assert _is_shaped(path, answer)


@pytest.mark.parametrize("path", PATHS)
def test_a_body_over_the_limit_is_413(served: Home, path: str) -> None:
    """10 MB where 1 MB is the limit: refused, announced or sent in pieces, before it is held."""
    large = b'{"model": "' + b"x" * 10_000_000 + b'"}'
    answer = _posted(f"{served.url}{path}", large)
    assert answer is None or (answer.status_code == 413 and _is_shaped(path, answer))
    pieces = _posted(f"{served.url}{path}", (large[at : at + 65_536] for at in range(0, len(large), 65_536)))
    assert pieces is None or pieces.status_code == 413


def _posted(url: str, content: Any) -> httpx.Response | None:
    """None: the daemon closed the connection before all was sent, as it may."""
    with contextlib.suppress(httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        return httpx.post(url, content=content, timeout=600)
    return None


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("/v1/chat/completions", {"stop": ["x"] * 1000}),
        ("/v1/chat/completions", {"n": 100}),
        ("/v1/chat/completions", {"n": -1}),
        ("/v1/chat/completions", {"max_tokens": -5}),
        ("/v1/chat/completions", {"temperature": -0.1}),
        ("/v1/chat/completions", {"seed": 2**80}),
        ("/v1/chat/completions", {"top_k": 2**40}),
        ("/v1/chat/completions", {"logit_bias": {"-4": 1}}),
        ("/v1/chat/completions", {"logit_bias": {"a": 1}}),
        ("/v1/chat/completions", {"logit_bias": {"4": 1e300}}),
        ("/v1/chat/completions", {"num_ctx": -1}),
        ("/v1/chat/completions", {"messages": []}),
        ("/v1/chat/completions", {"messages": [None]}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": [7]}]}),
        ("/v1/chat/completions", {"tools": [{"type": "function", "function": {"name": "x" * 5000}}]}),
        ("/v1/chat/completions", {"model": "x" * 5000}),
        ("/v1/chat/completions", {"stream": "yes"}),
        ("/v1/completions", {"n": 100}),
        ("/v1/completions", {"max_tokens": -5}),
        ("/v1/responses", {"max_output_tokens": -5}),
        ("/v1/responses", {"input": [None]}),
        ("/v1/messages", {"max_tokens": -5}),
        ("/v1/messages", {"stop_sequences": ["x"] * 1000}),
        ("/v1/messages", {"messages": []}),
        ("/v1/embeddings", {"input": []}),
        ("/v1/embeddings", {"input": [1, 2, 3]}),
        ("/v1/embeddings", {"dimensions": -1}),
        ("/v1/embeddings", {"dimensions": 2**70}),
        ("/v1/embeddings", {"input": ["x"] * 5000}),
        ("/v1/embeddings", {"encoding_format": "hex"}),
        ("/v1/rerank", {"top_n": -1}),
        ("/v1/rerank", {"documents": []}),
        ("/v1/rerank", {"documents": ["x"] * 5000}),
        ("/v1/rerank", {"query": ""}),
        ("/v1/messages", {"top_k": -5}),
        ("/v1/messages", {"temperature": 9}),
        ("/v1/responses", {"top_p": 2}),
        ("/v1/responses", {"input": []}),
        ("/api/generate", {"options": {"temperature": -1}}),
        ("/api/generate", {"keep_alive": "for ever"}),
        ("/api/embed", {"input": [7]}),
        ("/api/chat", {"options": {"num_predict": -50}}),
        ("/api/chat", {"options": {"stop": ["x"] * 1000}}),
        ("/api/chat", {"options": {"num_ctx": 2**60}}),
        ("/api/chat", {"keep_alive": "for ever"}),
        ("/api/embed", {"dimensions": -1}),
        ("/memory/search", {"limit": -1}),
        ("/memory/ask", {"question": "who is it " * 3_000}),
        ("/feedback", {"question": "who is it " * 3_000, "verdict": "down"}),
    ],
)
def test_values_out_of_bounds_are_400(served: Home, path: str, change: dict[str, Any]) -> None:
    """Negative numbers, too many of a thing, numbers that fit nowhere: 400, in the API's shape."""
    answer = httpx.post(f"{served.url}{path}", json={**BODIES.get(path, {}), **change}, timeout=600)
    assert answer.status_code == 400, answer.text
    assert _is_shaped(path, answer)


def test_a_large_bound_is_told_in_digits(served: Home) -> None:
    """What is too large is answered with the number to stay under as people write it."""
    answer = httpx.post(f"{served.url}/v1/chat/completions", json={**CHAT, "max_tokens": 10**8}, timeout=600)
    assert answer.json()["error"]["message"] == "max_tokens is 100000000, expected 1 to 10000000"


def test_a_conversation_of_megabytes_is_not_remembered(new_home: Any) -> None:
    """With memory, what is too long for any model is refused before memory reads it, in each API's shape."""
    home = new_home()
    home.configure('[models]\nchat = "tiny"\n')
    home.add_fake_model()
    home.start()
    words = [{"role": "user", "content": "My word is word. " * 100_000}]
    for path, body in BODIES.items():
        if "messages" in body:
            answer = httpx.post(
                f"{home.url}{path}", json={**body, "model": "tiny:memory", "messages": words}, timeout=600
            )
            assert (answer.status_code, "1000000" in answer.text) == (400, True), answer.text
            assert _is_shaped(path, answer)
    assert not list(home.paths.vault.rglob("journal/**/*.md"))


def test_odd_texts_are_answered(served: Home) -> None:
    """Control characters, lone surrogates as JSON may write them, and an empty text break nothing."""
    url = f"{served.url}/v1/chat/completions"
    for text in ('"\\u0000"', '"\\ud800"', '"<|im_end|>"', '""', '" "'):
        content = b'{"model": "tiny", "max_tokens": 4, "messages": [{"role": "user", "content": %s}]}' % text.encode()
        assert httpx.post(url, content=content, timeout=600).status_code in (200, 400), text


def test_what_is_no_http_ends_the_connection_and_nothing_else(served: Home) -> None:
    """Noise on the port gets a 400 or a closed connection; the next request is served."""
    host, _, port = served.url.removeprefix("http://").partition(":")
    for noise in (
        b"\x16\x03\x01\x02\x00",
        b"GET /\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=10) as sock:
            sock.sendall(noise)
            sock.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                assert b" 200 " not in sock.recv(4096)
    assert httpx.get(f"{served.url}/health", timeout=600).status_code == 200
