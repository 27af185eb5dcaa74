"""Other servers' ways with OpenAI's shape, and their failures, seen through every API here."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import httpx
import ollama
import openai
import pytest

Home = Any
CALL = {"name": "weather", "arguments": '{"city": "Oslo"}'}
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def _chunk(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices, **more}


SHAPES: dict[str, list[dict[str, Any]]] = {
    "vllm": [
        _chunk({"role": "assistant", "content": ""}, prompt_token_ids=None),
        _chunk({"reasoning_content": "hm", "content": None}),
        _chunk({"content": "Yes."}),
        _chunk({"tool_calls": [{"index": 0, "id": "x", "type": "function", "function": {"name": "weather"}}]}),
        _chunk({"tool_calls": [{"index": 0, "function": {"name": None, "arguments": CALL["arguments"][:5]}}]}),
        _chunk({"tool_calls": [{"index": 0, "function": {"arguments": CALL["arguments"][5:]}}]}),
        _chunk({"content": ""}, "tool_calls", stop_reason=None),
        _chunk(None, usage={**USAGE, "prompt_tokens_details": None}),
    ],
    "llama-server": [
        _chunk({"role": "assistant", "content": None}),
        _chunk({"reasoning_content": "hm"}),
        _chunk({"content": "Yes."}, timings={"prompt_n": 7}),
        _chunk({"tool_calls": [{"index": 0, "id": "x", "type": "function", "function": CALL}]}),
        _chunk({}, "tool_calls"),
        _chunk(None, usage=USAGE, timings={"predicted_per_second": 10.5}),
    ],
    "ollama": [
        _chunk({"role": "assistant", "content": "", "reasoning": "hm"}, system_fingerprint="fp_ollama"),
        _chunk({"role": "assistant", "content": "Yes."}),
        _chunk({"role": "assistant", "content": "", "tool_calls": [{"index": 0, "id": "x", "function": CALL}]}),
        _chunk({"role": "assistant", "content": ""}, "tool_calls"),
        _chunk(None, usage=USAGE),
    ],
}
REFUSALS: dict[str, tuple[int, dict[str, Any], int]] = {  # by model: its status and body there, and the status here
    "bad": (400, {"object": "error", "message": "too many flowers", "type": "BadRequestError", "code": 400}, 400),
    "locked": (401, {"error": {"message": "too many flowers", "type": "invalid_request_error"}}, 502),
    "missing": (404, {"error": {"message": "too many flowers", "code": "not_found"}}, 502),
    "busy": (429, {"error": {"message": "too many flowers"}}, 503),
    "broken": (500, {"error": {"code": 500, "message": "too many flowers", "type": "server_error"}}, 502),
    "proxy": (502, {}, 502),
}


class Peer(BaseHTTPRequestHandler):
    """A server that answers by the model's name: a shape, a refusal, or an end in the middle."""

    protocol_version = "HTTP/1.1"
    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(asked)
        model = asked["model"]
        if model in REFUSALS:
            status, body, _ = REFUSALS[model]
            content = json.dumps(body).encode() if body else b"<html>too many flowers</html>"
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        dies = model in ("dies", "ends", "garbles", "tells")
        for chunk in SHAPES["vllm"][:3] if dies else SHAPES[model]:
            self._event(json.dumps(chunk))
        if model == "garbles":
            self._event("{no json")
        if model == "tells":
            self._event(json.dumps({"error": {"message": "out of memory", "code": 500}}))
        if not dies:
            self._event("[DONE]")
        if model != "dies":  # else the connection is cut in the middle of the body
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def _event(self, data: str) -> None:
        line = f"data: {data}\n\n".encode()
        self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def peer() -> Iterator[str]:
    """The address of a running `Peer`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Peer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def _entries(peer: str) -> str:
    names = (*SHAPES, *REFUSALS, "dies", "ends", "garbles", "tells")
    entry = '[[models.remote]]\nname = "{0}"\nbase_url = "{1}/v1"\nmodel = "{0}"\nkind = "chat"\n'
    return "".join(entry.format(name, peer) for name in names)


@pytest.fixture(scope="module")
def near(peer: str, tmp_path_factory: pytest.TempPathFactory, home_class: Any) -> Iterator[Home]:
    """A daemon that knows nothing but the peer's models."""
    home = home_class(tmp_path_factory.mktemp("near"))
    home.configure("[models]\nembed = ''\n" + _entries(peer))
    home.start()
    yield home
    home.close()


def _bodies(model: str, stream: bool) -> dict[str, dict[str, Any]]:
    asked = {"model": model, "messages": [{"role": "user", "content": "x"}], "stream": stream}
    return {
        "/v1/chat/completions": asked,
        "/v1/responses": {"model": model, "input": "x", "stream": stream},
        "/v1/messages": {**asked, "max_tokens": 20},
        "/api/chat": asked,
    }


@pytest.mark.parametrize("model", SHAPES)
def test_each_servers_shape_is_one_shape_here(near: Home, model: str) -> None:
    """Thoughts, words, a call and the counts of vLLM, llama-server and Ollama arrive alike through every API."""
    tools: Any = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
    words: Any = [{"role": "user", "content": "x"}]
    with openai.OpenAI(base_url=f"{near.url}/v1", api_key="none", max_retries=0) as client:
        choice: Any = client.chat.completions.create(model=model, messages=words, tools=tools).choices[0]
        call = choice.message.tool_calls[0].function
        assert (choice.message.content, choice.message.reasoning_content, choice.finish_reason) == (
            "Yes.",
            "hm",
            "tool_calls",
        )
        assert (call.name, json.loads(call.arguments)) == ("weather", {"city": "Oslo"})
        chunks: Any = list(client.chat.completions.create(model=model, messages=words, tools=tools, stream=True))
        pieces = [piece for chunk in chunks for piece in chunk.choices[0].delta.tool_calls or ()]
        assert json.loads("".join(piece.function.arguments or "" for piece in pieces)) == {"city": "Oslo"}
        response = client.responses.create(model=model, input="x")
        assert [item.type for item in response.output] == ["reasoning", "message", "function_call"]
    reply = ollama.Client(host=near.url).chat(model=model, messages=words, tools=tools)
    assert (reply.message.content, reply.message.thinking) == ("Yes.", "hm")
    assert (reply.prompt_eval_count, reply.eval_count) == (7, 5)
    with anthropic.Anthropic(base_url=near.url, api_key="none", max_retries=0) as to_anthropic:
        message = to_anthropic.messages.create(model=model, messages=words, max_tokens=20)
    assert (message.stop_reason, message.usage.output_tokens) == ("tool_use", 5)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("model", REFUSALS)
def test_refusals_over_there_are_refusals_here(near: Home, model: str, stream: bool) -> None:
    """Its words in each API's shape, with a status of this daemon's own; busy says when to come again."""
    with httpx.Client(base_url=near.url, timeout=60) as http:
        for path, body in _bodies(model, stream).items():
            answer = http.post(path, json=body)
            assert answer.status_code == REFUSALS[model][2], (path, answer.text)
            assert ("retry-after" in answer.headers) == (model == "busy")
            error = answer.json()["error"]
            said = error if path == "/api/chat" else error["message"]
            assert model == "busy" or "too many flowers" in said
            assert (answer.json().get("type") == "error") == (path == "/v1/messages")


@pytest.mark.parametrize("model", ["dies", "ends", "garbles", "tells"])
def test_a_reply_that_breaks_off_over_there_ends_here_with_an_error(near: Home, model: str) -> None:
    """Streamed, the words so far and then an error in the API's own shape; whole, a 502; the daemon serves on."""
    ends = {
        "/v1/chat/completions": lambda lines: json.loads(lines[-1].removeprefix("data: "))["error"]["message"],
        "/v1/responses": lambda lines: json.loads(lines[-1].removeprefix("data: "))["response"]["error"]["message"],
        "/v1/messages": lambda lines: json.loads(lines[-1].removeprefix("data: "))["error"]["message"],
        "/api/chat": lambda lines: json.loads(lines[-1])["error"],
    }
    with httpx.Client(base_url=near.url, timeout=60) as http:
        for path, body in _bodies(model, True).items():
            answer = http.post(path, json=body)
            assert answer.status_code == 200
            assert "Yes." in answer.text
            assert model in ends[path]([line for line in answer.text.splitlines() if line])
            assert "[DONE]" not in answer.text
        for path, body in _bodies(model, False).items():
            answer = http.post(path, json=body)
            assert (answer.status_code, model in answer.text) == (502, True), (path, answer.text)
        assert http.get("/health").status_code == 200
        fine = http.post("/v1/chat/completions", json=_bodies("ollama", False)["/v1/chat/completions"])
        assert fine.status_code == 200


def test_offline_nobody_is_asked_by_any_path(peer: str, new_home: Any) -> None:
    """With offline = true every API refuses a remote model with 403, and no request leaves the daemon."""
    home = new_home()
    home.configure("[models]\noffline = true\nembed = ''\n" + _entries(peer))
    home.start()
    before = len(Peer.asked)
    with httpx.Client(base_url=home.url, timeout=60) as http:
        for model in ("vllm", "vllm:memory"):
            for stream in (False, True):
                for path, body in _bodies(model, stream).items():
                    answer = http.post(path, json=body)
                    assert (answer.status_code, "offline" in answer.text) == (403, True), (path, answer.text)
        for path, body in (
            ("/v1/completions", {"prompt": "x"}),
            ("/v1/embeddings", {"input": "x"}),
            ("/v1/messages/count_tokens", {"messages": [{"role": "user", "content": "x"}]}),
            ("/api/generate", {"prompt": "x"}),
            ("/api/embed", {"input": "x"}),
            ("/models/check", {"name": "vllm"}),
        ):
            assert http.post(path, json={"model": "vllm", **body}).status_code in (200, 403, 404), path
        assert http.get("/v1/models").json()["data"] == []
    assert len(Peer.asked) == before
