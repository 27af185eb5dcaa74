"""The front door: who may come in, and how wrong requests are told."""

import json
import socket
from typing import Any

import httpx
import pytest

from daemon.errors import HostRefused, OriginRefused, TokenRequired
from daemon.http.auth import admit, is_loopback

Home = Any


def _admit(headers: dict[str, str], peer: str = "127.0.0.1", token: str | None = None) -> str | None:
    return admit(
        {"host": "localhost:7077", **headers}, peer, names={"laptop"}, origins={"https://ok.example"}, token=token
    )


def test_pain_38_only_this_daemons_names_are_answered() -> None:
    """pain 38: a Host that is none of the daemon's (DNS rebinding) is refused, whatever its port or case."""
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:7077", "[::1]:7077", "laptop:7077", "localhost."):
        assert _admit({"host": host}) is None
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.nip.io:7077", "", "[::1", "192.168.0.9"):
        with pytest.raises(HostRefused):
            _admit({"host": host})


def test_pain_38_pages_of_other_sites_are_refused() -> None:
    """pain 38: a browser names the page that makes it call; only pages of this machine and trusted ones pass."""
    for origin in ("http://localhost:3000", "http://127.0.0.1", "https://ok.example"):
        assert _admit({"origin": origin}) == origin
    for origin in ("https://evil.example", "null", "https://ok.example.evil", "http://localhost.evil", "file://"):
        with pytest.raises(OriginRefused):
            _admit({"origin": origin})
    with pytest.raises(OriginRefused):
        _admit({"sec-fetch-site": "cross-site"})


def test_the_token_decides_off_the_loopback() -> None:
    """Another machine passes with the token and nothing else; with it any name of the daemon will do."""
    for wrong in ({}, {"authorization": "Bearer no"}, {"authorization": "Basic secret"}):
        with pytest.raises(TokenRequired):
            _admit(wrong, peer="192.168.0.9", token="secret")
    assert _admit({"authorization": "bearer secret", "host": "nas"}, peer="192.168.0.9", token="secret") is None
    with pytest.raises(TokenRequired):
        _admit({}, peer="192.168.0.9", token=None)
    assert [is_loopback(peer) for peer in ("127.9.9.9", "::1", "::ffff:127.0.0.1", "10.0.0.1", "", None, "x")] == [
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b'{"query": "\xff"}', "not JSON"),
        (b'{"query": 1}', "query: Expected `str`"),
        (b"[]", "Expected `object`"),
        (b'{"query": "a", "limit": 0}', "limit is 0"),
        (b'{"x": ' + b"[" * 100_000, "not JSON"),
    ],
    ids=["cut off", "empty", "not UTF-8", "wrong type", "wrong shape", "wrong value", "too deep"],
)
def test_bad_bodies_are_told_apart(running: Home, content: bytes, words: str) -> None:
    """Broken JSON, wrong types and wrong values are 400 in reverie's shape, naming the place."""
    with running.http() as http:
        answer = http.post("/memory/search", content=content)
    assert answer.status_code == 400, answer.text
    assert answer.json()["kind"] == "RequestInvalid"
    assert words in answer.json()["error"]


@pytest.mark.parametrize("text", [rb"\ud800", rb"cut \ud83d", rb"\ude00", rb"\ud83dA", rb"\\\ud83d"])
def test_half_of_a_surrogate_pair_is_read_as_the_replacement_character(running: Home, text: bytes) -> None:
    """A client that cuts an emoji in two is answered, not told that its body is not JSON; whole pairs stay whole."""
    content = b'{"model": "tiny", "messages": [{"role": "user", "content": "/say %s \\ud83d\\ude00"}]}' % text
    with running.http() as http:
        answer = http.post("/v1/chat/completions", content=content)
    assert answer.status_code == 200, answer.text
    said = answer.json()["choices"][0]["message"]["content"]
    assert "\ufffd" in said
    assert said.endswith("\U0001f600")


def test_a_page_name_too_long_for_a_file_is_refused(running: Home) -> None:
    """It is a 400 that tells no path, and nothing is written."""
    with running.http() as http:
        for length in (253, 300):
            answer = http.post("/memory/remember", json={"text": "Bring bread.", "page": "x" * length})
            assert (answer.status_code, answer.json()["kind"]) == (400, "PathTooLong"), answer.text
            assert str(running.folder) not in answer.text


@pytest.mark.parametrize("number", ["²", "٣", "9" * 5000, "-1", "1.5", ""])
def test_what_only_looks_like_a_number_is_refused(running: Home, number: str) -> None:
    """A parameter that Python would call digits, and can read as no number, is 400; in a header it counts for none."""
    with running.http() as http:
        reply = http.get("/memory/history", params={"limit": number})
        assert (reply.status_code, "expected a whole number" in reply.json()["error"]) == (400, True)
        with http.stream("GET", "/events", headers={"Last-Event-ID": number.encode()}) as events:
            assert events.status_code == 200


@pytest.mark.parametrize(
    "endless",
    [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
        b"GET /health?",
        b"POST /memory/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Long: ",
    ],
)
def test_a_request_whose_head_does_not_end_is_cut_off(running: Home, endless: bytes) -> None:
    """A header, an address or a trailer that goes on and on is 400, or the line is cut; it is not held without end."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(str(running.paths.socket))
        got = b""
        try:
            line.sendall(endless)
            for _ in range(100):
                line.sendall(b"x" * 100_000)
            got = line.recv(4096)
        except (BrokenPipeError, ConnectionResetError):
            return
    assert got == b"" or b" 400 " in got.partition(b"\r\n")[0]


def test_a_body_may_be_longer_than_a_head(running: Home) -> None:
    """What comes behind a head is bounded by the limit for bodies alone, however it is sent; heads may follow it."""
    question = {"query": "harbour " * 20_000}
    with running.http() as http:
        for content in (json.dumps(question).encode(), iter([json.dumps(question).encode()])):
            assert http.post("/memory/search", content=content).status_code == 200
        assert http.get("/health", headers={"X-Long": "x" * 30_000}).status_code == 200


def test_errors_have_the_shape_of_the_api_that_was_called(running: Home) -> None:
    """Under /v1 an error is OpenAI's, elsewhere reverie's own; unknown paths and methods are told apart."""
    with running.http() as http:
        openai = http.post("/v1/chat/completions", json={"model": "tiny", "messages": []})
        assert openai.status_code == 400
        assert openai.json()["error"]["type"] == "invalid_request_error"
        assert openai.json()["error"]["param"] == "messages"
        missing = http.get("/v1/nothing")
        assert (missing.status_code, missing.json()["error"]["type"]) == (404, "not_found_error")
        assert http.get("/nothing").json()["kind"] == "NotFound"
        wrong = http.get("/memory/search")
        assert (wrong.status_code, wrong.json()["error"]) == (405, "/memory/search takes POST, not GET")


def test_a_body_over_the_limit_is_refused_unread(running: Home) -> None:
    """A body that announces or turns out to be larger than the limit is 413."""
    with running.http() as http:
        announced = http.post("/memory/search", content=b" " * 1_000_001)
        assert (announced.status_code, announced.json()["kind"]) == (413, "BodyTooLarge")
        streamed = http.post("/memory/search", content=iter([b" " * 100_000] * 11))
        assert (streamed.status_code, streamed.json()["kind"]) == (413, "BodyTooLarge")


def test_a_local_page_may_read_replies_and_a_foreign_one_may_not(running: Home) -> None:
    """CORS: the admitted origin is named in replies and preflights; a foreign page gets 403 and no header."""
    local = {"Origin": "http://localhost:3000"}
    answer = httpx.get(f"{running.url}/health", headers=local, timeout=60)
    assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"
    preflight = httpx.options(f"{running.url}/v1/chat/completions", headers=local)
    assert (preflight.status_code, "POST" in preflight.headers["access-control-allow-methods"]) == (204, True)
    foreign = httpx.post(
        f"{running.url}/memory/forget", headers={"Origin": "https://evil.example"}, content=b"{}", timeout=60
    )
    assert foreign.status_code == 403
    assert "access-control-allow-origin" not in foreign.headers
    forwarded = httpx.get(f"{running.url}/health", headers={"X-Forwarded-For": "9.9.9.9"}, timeout=60)
    assert forwarded.status_code == 200


def test_metrics_are_prometheus_text_with_few_labels(running: Home) -> None:
    """Every line of /metrics is a comment or a sample, and unknown paths share one label."""
    with running.http() as http:
        for path in ("/a", "/b", "/c?x=1"):
            http.get(path)
        text = http.get("/metrics").text
    for line in text.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            float(value)
            assert name.startswith("reverie_")
    assert 'path="other"' in text
    assert 'path="/a"' not in text
    assert "reverie_rss_bytes" in text


def test_status_and_config_are_whole(running: Home) -> None:
    """What /status, /config and /doctor say decodes into their wire types."""
    assert running.client.status().vault == str(running.paths.vault)
    keys = [value.key for value in running.client.config()]
    assert "server.port" in keys
    assert json.loads(next(value.value for value in running.client.config() if value.key == "server.port")) == 0
    assert any(finding.subject == "reverie" for finding in running.client.doctor())
