"""The client against a peer on a real unix socket that answers well, badly, late, or hangs up."""

import http.server
import socketserver
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from daemon import wire
from daemon.client import ChatChunk, Client, DaemonError, DaemonNotRunning, Turn
from daemon.errors import Exit, outcome_of
from daemon.transport import Transport, split_host

Answer = Callable[["Peer"], None]


class Peer(http.server.BaseHTTPRequestHandler):
    """Answers every request as the test says, and remembers what was asked."""

    protocol_version = "HTTP/1.1"
    answer: Answer
    asked: list[tuple[str, str, bytes]]
    gone: threading.Event

    def do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.asked.append((self.command, self.path, body))
        type(self).answer(self)

    do_GET = do_POST = do_DELETE = do  # noqa: N815 - names that http.server looks for

    def reply(self, body: bytes, status: int = 200, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, *parts: bytes, end: bool = True) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in parts:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        if end:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Listener(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    asked: list[tuple[str, str, bytes]]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests are about."""


Serve = Callable[[Answer], tuple[Client, list[tuple[str, str, bytes]]]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start a peer that answers as given; returns a client of it and the list of what was asked."""
    listeners: list[Listener] = []

    def start(answer: Answer) -> tuple[Client, list[tuple[str, str, bytes]]]:
        asked: list[tuple[str, str, bytes]] = []
        handler = type("Handler", (Peer,), {"answer": staticmethod(answer), "asked": asked})
        listener = Listener(str(tmp_path / "socket"), handler)
        listeners.append(listener)
        threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return Client(socket_path=tmp_path / "socket", timeout_s=60), asked

    yield start
    for listener in listeners:
        listener.shutdown()
        listener.server_close()


def test_nobody_listens(tmp_path: Path) -> None:
    """Without a daemon every call says so in words that name the next step, and has an exit code of its own."""
    with pytest.raises(DaemonNotRunning, match="not running") as caught:
        Client(socket_path=tmp_path / "nothing").status()
    assert caught.value.hint == "start it with `reverie start`"
    assert outcome_of(caught.value.kind).exit == Exit.NOT_RUNNING


def test_dead_socket_is_nobody(tmp_path: Path) -> None:
    """A socket file that a killed daemon left behind counts as no daemon."""
    left = tmp_path / "socket"
    Listener(str(left), Peer).server_close()
    assert left.exists()
    with pytest.raises(DaemonNotRunning):
        Client(socket_path=left).health()


def test_search_travels_both_ways(serve: Serve) -> None:
    """A search sends what was asked and returns typed hits."""
    hit = wire.Hit(path="a/Ö.md", start_line=3, end_line=4, title="T", heading="H", snippet="s", score=0.5)
    client, asked = serve(lambda peer: peer.reply(msgspec.json.encode(wire.SearchReply(hits=[hit], took_ms=1.5))))
    reply = client.search("wörter", limit=3, mode="keyword", syntax=True, explain=True, prefix="a/")
    assert reply.hits == [hit]
    method, path, body = asked[0]
    assert (method, path) == ("POST", "/memory/search")
    assert msgspec.json.decode(body, type=wire.SearchRequest) == wire.SearchRequest(
        query="wörter", limit=3, mode="keyword", syntax=True, explain=True, prefix="a/"
    )


def test_query_parameters_are_escaped(serve: Serve) -> None:
    """A path with spaces, ampersands and letters beyond ASCII arrives whole."""
    status = wire.PageStatus(path="a b&c/ü.md", state="indexed", reason="read")
    client, asked = serve(lambda peer: peer.reply(msgspec.json.encode(status)))
    assert client.page_status("a b&c/ü.md") == status
    assert asked[0][1] == "/memory/status?path=a%20b%26c%2F%C3%BC.md"


@pytest.mark.parametrize(
    ("body", "kind", "message", "hint"),
    [
        (b'{"error": "no such page", "kind": "PageMissing", "hint": "look"}', "PageMissing", "no such page", "look"),
        (
            b'{"error": {"message": "too long", "type": "x", "code": "PromptTooLong"}}',
            "PromptTooLong",
            "too long",
            None,
        ),
        (b"<html>nginx</html>", "HttpError", "<html>nginx</html>", None),
        (b"", "HttpError", "HTTP status 422", None),
    ],
)
def test_refusals_of_every_shape(serve: Serve, body: bytes, kind: str, message: str, hint: str | None) -> None:
    """An error in reverie's shape, in OpenAI's, or in no shape at all becomes one error with its parts."""
    client, _ = serve(lambda peer: peer.reply(body, 422))
    with pytest.raises(DaemonError) as caught:
        client.page("x.md")
    assert (caught.value.kind, caught.value.message, caught.value.hint) == (kind, message, hint)
    assert caught.value.status == 422


def test_a_reply_of_another_version(serve: Serve) -> None:
    """A reply that is not of the expected type is an error that names the path, never a half-filled value."""
    client, _ = serve(lambda peer: peer.reply(b'{"nothing": 1}'))
    with pytest.raises(DaemonError, match="/status") as caught:
        client.status()
    assert caught.value.kind == "BadReply"


def test_a_daemon_that_hangs_up(serve: Serve) -> None:
    """A connection closed without a reply is reported as that."""

    def hang_up(peer: Peer) -> None:
        peer.close_connection = True

    client, _ = serve(hang_up)
    with pytest.raises(DaemonError, match="hung up") as caught:
        client.status()
    assert caught.value.kind == "ConnectionLost"


def test_a_daemon_that_never_answers(serve: Serve) -> None:
    """A call gives up after its time, and says after how long."""
    release = threading.Event()
    client, _ = serve(lambda _: release.wait(60) and None)
    client.daemon = replace(client.daemon, timeout_s=0.05)
    with pytest.raises(DaemonError, match=r"0\.05 s") as caught:
        client.status()
    release.set()
    assert caught.value.kind == "TimeoutError"


def _delta(text: str) -> bytes:
    return b"data: " + msgspec.json.encode({"choices": [{"delta": {"content": text}}]}) + b"\n\n"


def test_chat_streams_text_then_memory(serve: Serve) -> None:
    """Deltas come as they are; the last chunk gathers finish, sources, changes and usage, however they were split."""
    source = wire.Source(path="facts/Work.md", start_line=3, end_line=3)
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}], "reverie": wire.ChatMemory(sources=[source])}
    usage = {"choices": [], "usage": {"completion_tokens": 7}}

    def answer(peer: Peer) -> None:
        whole = b": comment\n\n" + _delta("Hel") + _delta("lo") + b"data: " + msgspec.json.encode(end) + b"\r\n\r\n"
        whole += b"data: " + msgspec.json.encode(usage) + b"\n\ndata: [DONE]\n\n"
        peer.stream(*(whole[i : i + 7] for i in range(0, len(whole), 7)))

    client, asked = serve(answer)
    with client.chat_stream([Turn("user", "hi")], model="m:memory", max_tokens=9) as stream:
        chunks = list(stream)
    assert chunks == [
        ChatChunk(text="Hel"),
        ChatChunk(text="lo"),
        ChatChunk(finish="stop", memory=wire.ChatMemory(sources=[source]), completion_tokens=7),
    ]
    sent = msgspec.json.decode(asked[0][2])
    assert sent["messages"] == [{"role": "user", "content": "hi"}]
    assert sent["max_tokens"] == 9
    assert sent["stream"] is True


def test_an_error_in_mid_stream_is_raised(serve: Serve) -> None:
    """When the model dies while it answers, the words so far are kept and the error is raised with its kind."""
    error = b'data: {"error": {"message": "the worker died", "type": "server_error", "code": "WorkerDied"}}\n\n'
    client, _ = serve(lambda peer: peer.stream(_delta("Hel"), error))
    stream = client.chat_stream([Turn("user", "hi")], model="m")
    assert next(stream).text == "Hel"
    with pytest.raises(DaemonError, match="worker died") as caught:
        next(stream)
    assert caught.value.kind == "WorkerDied"


@pytest.mark.parametrize("end", [True, False])
def test_a_stream_that_breaks_off_is_no_success(serve: Serve, end: bool) -> None:
    """A reply that ends before its end, cleanly or not, raises instead of passing for whole."""
    client, _ = serve(lambda peer: peer.stream(_delta("Hel"), end=end))
    stream = client.chat_stream([Turn("user", "hi")], model="m")
    assert next(stream).text == "Hel"
    with pytest.raises(DaemonError) as caught:
        next(stream)
    assert caught.value.kind == "ConnectionLost"


def test_close_from_another_thread_wakes_the_reader(serve: Serve) -> None:
    """Closing a stream ends, without an error, an iteration that waits in another thread; the daemon sees it go."""
    gone = threading.Event()

    def answer(peer: Peer) -> None:
        event = wire.Event(id=1, when="2026-11-30T10:00:00+00:00", kind="started", message="")
        peer.stream(b"data: " + msgspec.json.encode(event) + b"\n\n", end=False)
        if not peer.connection.recv(1):
            gone.set()

    client, _ = serve(answer)
    stream = client.events(since=0)
    seen: list[wire.Event] = []
    first = threading.Event()

    def read() -> None:
        for event in stream:
            seen.append(event)
            first.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert first.wait(60)
    stream.close()
    reader.join(60)
    assert not reader.is_alive()
    assert [event.id for event in seen] == [1]
    assert gone.wait(60)


def test_pull_reports_and_fails_loudly(serve: Serve) -> None:
    """Progress lines come typed; a failed pull raises with the reason and its kind."""
    failed = wire.Progress(step="fetch", error="wrong digest", kind="DigestMismatch")
    lines = [wire.Progress(step="fetch", completed=1, total=2), failed]
    client, _ = serve(lambda peer: peer.stream(*(msgspec.json.encode(line) + b"\n" for line in lines)))
    stream = client.pull("hf:a/b/c.gguf")
    assert next(stream) == lines[0]
    with pytest.raises(DaemonError, match="wrong digest") as caught:
        next(stream)
    assert caught.value.kind == "DigestMismatch"


def test_check_tells_results_from_the_report(serve: Serve) -> None:
    """Each result comes as it ends, and the report last."""
    result = wire.CheckResult(ability="read", name="colour", passed=True)
    report = wire.CheckReport(model="m", digest="d", results=[result], scores={"read": 1.0}, trust=["read"], took_s=1)
    client, _ = serve(lambda peer: peer.stream(*(msgspec.json.encode(line) + b"\n" for line in (result, report))))
    with client.check("m") as stream:
        assert list(stream) == [result, report]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", ("", 7077)),
        ("box", ("box", 7077)),
        ("box:80", ("box", 80)),
        ("http://box:80/", ("box", 80)),
        ("[::1]:9", ("::1", 9)),
        ("::1", ("::1", 7077)),
    ],
)
def test_host_spellings(value: str, expected: tuple[str, int]) -> None:
    """REVERIE_HOST is understood in all its usual spellings."""
    assert split_host(value) == expected


def test_the_environment_chooses_the_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine is called by TCP with a token; an address of this machine means this home's socket."""
    monkeypatch.setenv("REVERIE_HOME", str(tmp_path))
    monkeypatch.setenv("REVERIE_HOST", "box:80")
    monkeypatch.setenv("REVERIE_TOKEN", "secret")
    remote = Client.from_environment()
    assert remote.daemon == Transport(None, "box", 80, "secret")
    monkeypatch.setenv("REVERIE_HOST", "0.0.0.0:80")
    assert Client.from_environment().daemon.socket_path is not None
