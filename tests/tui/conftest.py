"""A stand-in for the daemon at the level of the wire, so that what the screens show does not depend on models."""

import http.server
import socketserver
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from daemon import wire
from daemon.client import Client

STATUS = wire.Status(
    version="0.1.0",
    pid=4711,
    home="/home/ada/.local/share/reverie",
    vault="/home/ada/notes",
    address="127.0.0.1:7077",
    socket="/run/user/1000/reverie/socket",
    uptime_s=7250,
    rss_bytes=96_000_000,
    cpu_percent=0.2,
    ready=True,
    chat_model="smollm2-135m-instruct",
    embed_model="all-minilm-l6-v2",
    index=wire.IndexStatus(
        pages=3, chunks=12, vectors=12, pending_pages=0, pending_vectors=0, lag_s=0.0, watching=True
    ),
    workers=[
        wire.WorkerStatus(
            model="smollm2-135m-instruct",
            pid=4712,
            state="busy",
            rss_bytes=240_000_000,
            tokens_per_second=112.4,
            active=1,
            queued=0,
            unload_in_s=300,
        )
    ],
    jobs=[
        wire.JobStatus(
            name="rescan",
            state="idle",
            last_run="2026-11-30T14:00:00+01:00",
            next_run="2026-11-30T14:10:00+01:00",
            outcome="3 pages, nothing new",
        )
    ],
)
PAGES = [
    wire.PageInfo(path="facts/Work.md", title="Work", size_bytes=210, modified="2026-11-28T10:00:00+01:00", chunks=4),
    wire.PageInfo(path="Trip.md", title="Trip", size_bytes=90, modified="2026-11-20T10:00:00+01:00", chunks=2),
]
TEXT = "# Work\n\n- [team lead] Mina Olsen (since 2026-11-28)\n- [framework] Svelte (since 2026-10-02)\n"
HIT = wire.Hit(
    path="facts/Work.md",
    start_line=3,
    end_line=3,
    title="Work",
    heading="Work",
    snippet="[team lead] Mina Olsen",
    score=1.0,
)
MODELS = [wire.ModelInfo(name="smollm2-135m-instruct", kind="chat", installed=True, size_bytes=98_362_432)]
EVENT = wire.Event(id=1, when="2026-11-30T14:00:00+01:00", kind="index.synced", message="3 pages indexed")
MEMORY = wire.ChatMemory(
    sources=[wire.Source(path="facts/Work.md", start_line=3, end_line=3, text="Mina Olsen")],
    changes=[
        wire.FactChanged(
            attribute="team lead", path="facts/Work.md", line=3, before="Tom Vega", after="Mina Olsen", reason="said so"
        )
    ],
)


class Desk:
    """What the stand-in answers; a test may change it while the app runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.status = STATUS
        self.reply = ["Your team lead ", "is Mina Olsen."]
        self.memory = MEMORY
        self.models = list(MODELS)
        self.text = TEXT
        self.hit_line = HIT.start_line
        self.go_on = threading.Event()
        self.go_on.set()
        self.closing = threading.Event()
        self.asked: list[str] = []


class _Handler(http.server.BaseHTTPRequestHandler):
    server: "_Server"

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *args: object) -> None:
        """Be quiet."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        desk = self.server.desk
        match url.path:
            case "/status":
                self._send(desk.status)
            case "/models":
                self._send(desk.models)
            case "/memory/pages":
                self._send(PAGES)
            case "/memory/page":
                self._send(wire.PageView(path=query["path"][0], title="Work", text=desk.text, hash="0"))
            case "/events":
                self._stream(["data: " + msgspec.json.encode(EVENT).decode()] if query["since"] == ["0"] else [])
                desk.closing.wait(60)
            case _:
                self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        desk = self.server.desk
        if self.path == "/memory/search":
            request = msgspec.json.decode(body, type=wire.SearchRequest)
            desk.asked.append(request.query)
            hit = msgspec.structs.replace(HIT, start_line=desk.hit_line, end_line=desk.hit_line)
            hits = [hit] if "lead" in request.query else []
            self._send(wire.SearchReply(hits=hits, took_ms=3.2))
            return
        if self.path == "/feedback":
            judged = msgspec.json.decode(body, type=wire.FeedbackRequest)
            desk.asked.append(f"{judged.verdict} {judged.exchange}")
            self._send(wire.FeedbackNoted(question="", trains=False))
            return
        desk.asked.append(msgspec.json.decode(body)["messages"][-1]["content"])
        self._stream([])
        for text in desk.reply:
            if not self._write({"choices": [{"index": 0, "delta": {"content": text}}]}):
                return
            desk.go_on.wait(60)
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "reverie": desk.memory}
        self._write(last)
        self.wfile.write(b"data: [DONE]\n\n")

    def _write(self, part: object) -> bool:
        try:
            self.wfile.write(b"data: " + msgspec.json.encode(part) + b"\n\n")
            self.wfile.flush()
        except OSError:
            return False
        return True

    def _send(self, value: object) -> None:
        data = msgspec.json.encode(value)
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, lines: list[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for line in lines:
            self.wfile.write(line.encode() + b"\n\n")
        self.wfile.flush()


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    desk: Desk

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are no news."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """The stand-in, listening."""
    desk = Desk(tmp_path / "socket")
    server = _Server(str(desk.path), _Handler)
    server.desk = desk
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield desk
    desk.closing.set()
    desk.go_on.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def client(desk: Desk) -> Client:
    """A real client of the stand-in."""
    return Client(socket_path=desk.path, timeout_s=60)


class Patience:
    """Waits for a state of the app by letting it work, up to a bound."""

    async def until(self, pilot: object, condition: object, *, within_s: float = 60.0) -> None:
        deadline = time.monotonic() + within_s
        while not condition():  # type: ignore[operator]
            assert time.monotonic() < deadline, "the app never got there"
            await pilot.pause(0.02)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are compared in colour, whatever the terminal of the tests prefers."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def patience() -> Patience:
    """See `Patience`."""
    return Patience()
