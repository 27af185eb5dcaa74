"""A real HTTP server on the loopback that serves one file, well or badly."""

import hashlib
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


@dataclass
class Web:
    """
    Serves *content* at any path. *break_after*: close the connection after so many bytes of the next answers, one an
    entry. *ranges* False ignores Range. *statuses*: answer the next requests with these. *redirects*: path to address.
    """

    content: bytes
    etag: str | None = None
    ranges: bool = True
    honest_if_range: bool = True
    chunked: bool = False
    break_after: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    gate: Callable[[], None] | None = None
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    sent: int = 0

    def __enter__(self) -> Self:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                web.answer(self)

            def log_message(self, *_: object) -> None:
                """Nothing: the tests look at `requests`."""

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """Clients here may hang up: that is what the tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def tag(self) -> str:
        return self.etag or f'"{hashlib.md5(self.content).hexdigest()}"'

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = {key.lower(): value for key, value in handler.headers.items()}
        self.requests.append((handler.path, asked))
        if self.statuses:
            self._bare(handler, self.statuses.pop(0))
        elif target := self.redirects.get(handler.path):
            self._bare(handler, 302, {"Location": target, **self.headers})
        elif asked.get("if-none-match") == self.tag:
            self._bare(handler, 304)
        else:
            self._send(handler, asked)

    def _bare(self, handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str] | None = None) -> None:
        handler.send_response(status)
        for key, value in ({"Content-Length": "0"} | (headers or {})).items():
            handler.send_header(key, value)
        handler.end_headers()

    def _send(self, handler: BaseHTTPRequestHandler, asked: dict[str, str]) -> None:
        start, size = 0, len(self.content)
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.get("range", ""))
        same = asked.get("if-range") == self.tag or not self.honest_if_range
        if wanted and self.ranges and same:
            start = int(wanted[1])
            if start >= size:
                self._bare(handler, 416, {"Content-Range": f"bytes */{size}"})
                return
        handler.send_response(206 if start else 200)
        handler.send_header("ETag", self.tag)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        body = self.content[start:]
        if self.chunked:
            handler.send_header("Transfer-Encoding", "chunked")
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        else:
            handler.send_header("Content-Length", str(len(body)))
        for key, value in self.headers.items():
            handler.send_header(key, value)
        handler.end_headers()
        if self.break_after:
            body = body[: self.break_after.pop(0)]
            handler.close_connection = True
        half = len(body) // 2
        handler.wfile.write(body[:half])
        handler.wfile.flush()
        if self.gate:
            self.gate()
        handler.wfile.write(body[half:])
        self.sent += len(body)
