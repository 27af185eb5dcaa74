"""
The process that holds one model: `python -m models.worker FD`, started by the supervisor, never by hand.

One thread reads the pipe and makes requests ready, the main thread runs the model. The process ends when the pipe
closes: so it never outlives the daemon.
"""

import contextlib
import logging
import os
import select
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from models.backend import Backend, TextEmbedder, TextRanker
from models.engine import Engine
from models.errors import ModelError, ModelLoadFailed, TextTooLong, WorkerError, WrongModelKind
from models.ipc import (
    Busy,
    Cancel,
    Count,
    Deltas,
    Drop,
    Embed,
    Embedded,
    Frames,
    FromWorker,
    Generate,
    Loaded,
    Number,
    Start,
    ToWorker,
    failure,
    frame,
)
from models.prefixes import PrefixStore
from models.prepare import Preparer
from models.requests import Delta, WorkerSpec

log = logging.getLogger("models.worker")

REPORT_S = 0.5
EXIT_DEADLINE_S = 5.0
BACKLOG_BYTES = 1 << 18
EMBED_PIECE = 16


class Outbox:
    """
    What goes to the daemon. Never blocks the model: what the pipe does not take yet waits, and deltas that wait
    travel together.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._lock = threading.Lock()
        self._deltas: list[tuple[int, Delta]] = []
        self._bytes = bytearray()

    def delta(self, job_id: int, delta: Delta) -> None:
        """Send *delta* at the next `flush`."""
        with self._lock:
            self._deltas.append((job_id, delta))

    def send(self, message: FromWorker) -> None:
        """Send *message* after all deltas before it, now."""
        with self._lock:
            self._pack()
            self._bytes += frame(message)
        self.flush()

    def _pack(self) -> None:
        if self._deltas:
            self._bytes += frame(Deltas(items=self._deltas))
            self._deltas = []

    def flush(self) -> bool:
        """Write what the pipe takes; False when something is left."""
        with self._lock:
            if len(self._bytes) < BACKLOG_BYTES:
                self._pack()
            while self._bytes:
                try:
                    sent = self._sock.send(self._bytes, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    return False
                except OSError:  # the daemon is gone; the reading thread ends the process
                    self._bytes.clear()
                    return True
                del self._bytes[:sent]
            return True

    def drain(self) -> None:
        """Write everything, waiting for the pipe."""
        while not self.flush():
            select.select([], [self._sock], [], 1.0)


class ChatService:
    """A model that answers: prepares in the reading thread, decodes in the main one."""

    def __init__(self, spec: WorkerSpec, backend: Backend, outbox: Outbox) -> None:
        self._spec = spec
        self._backend = backend
        self._outbox = outbox
        self._prefixes = None
        if spec.prefix_dir is not None:
            self._prefixes = PrefixStore(
                Path(spec.prefix_dir),
                digest=spec.digest,
                state_key=backend.state_key,
                budget_bytes=spec.prefix_budget_bytes,
            )
        self._preparer = Preparer(backend, spec.overrides)
        self._engine = Engine(backend, self._emit, queue_limit=spec.queue_limit, prefixes=self._prefixes)
        self._reported = 0.0

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the owner should know about the model's file."""
        return self._preparer.warnings

    def _emit(self, job_id: int, event: Delta | ModelError) -> None:
        if isinstance(event, Delta):
            self._outbox.delta(job_id, event)
        else:
            self._outbox.send(failure(job_id, event))

    def receive(self, message: ToWorker) -> None:
        """Deal with *message*; from the reading thread."""
        match message:
            case Generate():
                self._engine.submit(self._preparer.job(message.id, message.generation))
            case Cancel():
                self._engine.cancel(message.id)
            case Count():
                subject = message.messages or message.text
                self._outbox.send(Number(id=message.id, value=self._preparer.count(subject, message.tools)))
            case Drop():
                self._engine.order(lambda: self._drop(message))
            case Embed():
                raise WrongModelKind(self._spec.model, "chat", "embeddings")

    def _drop(self, message: Drop) -> None:
        def matches(tokens: Sequence[int]) -> bool:
            text = b"".join(map(self._backend.piece, tokens)).decode("utf-8", "replace").casefold()
            return any(needle.casefold() in text for needle in message.texts)

        self._outbox.send(Number(id=message.id, value=self._engine.drop(matches)))

    def run(self) -> None:
        """Serve until `close`."""
        engine, outbox = self._engine, self._outbox
        flushed = True
        while True:
            if engine.busy:
                engine.step()
                flushed = outbox.flush()
                self._report(idle=not engine.busy)
            elif not flushed:
                outbox.drain()
                flushed = True
            elif not engine.wait() and not engine.busy:
                break
        if self._prefixes is not None:
            self._prefixes.close()

    def _report(self, *, idle: bool) -> None:
        now = time.monotonic()
        if idle or now - self._reported >= REPORT_S:
            self._reported = now
            load = self._engine.load
            self._outbox.send(Busy(active=load.active, queued=load.queued, tokens_per_second=load.tokens_per_second))

    def close(self) -> None:
        """Make `run` end after the present step."""
        self._engine.close()
        self._backend.interrupt()


class EmbedService:
    """
    A model that makes rows of texts, vectors or scores: interactive requests first, long ones in pieces so that they
    can be passed.
    """

    def __init__(self, spec: WorkerSpec, model: TextEmbedder | TextRanker, outbox: Outbox) -> None:
        self._spec = spec
        self._model = model
        self._most_at_once = max(1, spec.threads // 2)
        self._has = "ranking" if spec.kind == "rerank" else "embeddings"
        self._outbox = outbox
        self._wake = threading.Condition()
        self._waiting: deque[Embed] = deque()
        self._done: dict[int, bytearray] = {}
        self._closing = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """None so far."""
        return ()

    def receive(self, message: ToWorker) -> None:
        """Deal with *message*; from the reading thread."""
        match message:
            case Embed():
                if (message.query is not None) != (self._spec.kind == "rerank"):
                    needs = "embeddings" if message.query is None else "ranking"
                    raise WrongModelKind(self._spec.model, self._has, needs)
                if message.whole:
                    self._must_fit(message.texts)
                with self._wake:
                    self._waiting.append(message)
                    self._wake.notify()
            case Cancel():
                with self._wake:
                    self._waiting = deque(waiting for waiting in self._waiting if waiting.id != message.id)
                    self._done.pop(message.id, None)
            case Drop():
                self._outbox.send(Number(id=message.id, value=0))
            case Count():
                self._outbox.send(Number(id=message.id, value=self._embedder("counting tokens").count(message.text)))
            case Generate():
                raise WrongModelKind(self._spec.model, self._has, "chat")

    def _embedder(self, needs: str) -> TextEmbedder:
        model: Any = self._model
        if self._spec.kind == "rerank":
            raise WrongModelKind(self._spec.model, self._has, needs)
        embedder: TextEmbedder = model
        return embedder

    def _must_fit(self, texts: Sequence[str]) -> None:
        embedder = self._embedder("embeddings")
        for text in texts:
            if (tokens := embedder.count(text)) > embedder.window_tokens:
                raise TextTooLong(tokens, embedder.window_tokens)

    def run(self) -> None:
        """Serve until `close`."""
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                if self._closing:
                    return
                asked = self._at_once() or [self._waiting[0]]
                for request in asked:
                    self._done.setdefault(request.id, bytearray())
            if len(asked) == 1 or not self._answer(asked):
                for request in asked:
                    self._advance(request)
            self._outbox.drain()

    def _at_once(self) -> list[Embed]:
        """
        The interactive request that waits longest, with those that can be computed together with it: many askers.

        A text costs as much among others as alone, and whoever asked needs a core for what follows. So of short
        requests there are no more than half of the cores can compute at the same time.
        """
        waiting = [request for request in self._waiting if request.priority == "interactive"]
        if not waiting or waiting[0].query is not None:
            return waiting[:1]
        asked: list[Embed] = []
        texts = 0
        for request in waiting:
            texts += len(request.texts)
            if asked and (request.query is not None or texts > self._most_at_once):
                break
            asked.append(request)
        return asked

    def _answer(self, asked: Sequence[Embed]) -> bool:
        """Answer all of *asked* with one call, each text computed once; False if that fails, for whichever of them."""
        places: dict[str, int] = {}
        for request in asked:
            for text in request.texts:
                places.setdefault(text, len(places))
        try:
            data = self._rows(asked[0], tuple(places)) if places else b""
        except ModelError:
            return False
        width = 4 * self._model.dim
        for request in asked:
            rows = b"".join(data[width * places[text] : width * (places[text] + 1)] for text in request.texts)
            with self._wake:
                wanted = request.id in self._done  # else cancelled meanwhile
            if wanted:
                self._forget(request)
                self._outbox.send(Embedded(id=request.id, dim=self._model.dim, data=rows))
        return True

    def _advance(self, request: Embed) -> None:
        width = 4 * self._model.dim
        done = len(self._done[request.id]) // width
        # An interactive request goes through in one piece: nothing may pass it.
        size = len(request.texts) if request.priority == "interactive" else EMBED_PIECE * 4
        piece = request.texts[done : done + size]
        try:
            data = self._rows(request, piece) if piece else b""
        except ModelError as error:
            self._forget(request)
            self._outbox.send(failure(request.id, error))
            return
        with self._wake:
            so_far = self._done.get(request.id)
            if so_far is None:  # cancelled meanwhile
                return
            so_far += data
            complete = len(so_far) >= width * len(request.texts)
        if complete:
            self._forget(request)
            self._outbox.send(Embedded(id=request.id, dim=self._model.dim, data=bytes(so_far)))

    def _rows(self, request: Embed, texts: Sequence[str]) -> bytes:
        model: Any = self._model
        rows: bytes = model.embed_bytes(texts) if request.query is None else model.score_bytes(request.query, texts)
        return rows

    def _forget(self, request: Embed) -> None:
        with self._wake:
            self._done.pop(request.id, None)
            with contextlib.suppress(ValueError):
                self._waiting.remove(request)

    def close(self) -> None:
        """Make `run` end after the present piece."""
        with self._wake:
            self._closing = True
            self._wake.notify()


Service = ChatService | EmbedService


def open_backend(spec: WorkerSpec) -> tuple[Backend, tuple[str, ...]]:
    """The backend of *spec*, and notes on what it had to fall back from."""
    if spec.backend == "fake":
        from models.fake import FakeBackend

        return FakeBackend(spec), ()
    from models.llama import open_llama

    return open_llama(spec)


def open_embedder(spec: WorkerSpec) -> TextEmbedder:
    """The embedder of *spec*."""
    if spec.backend == "fake":
        from models.fake import FakeEmbedder

        return FakeEmbedder(spec)
    if spec.backend == "onnx":
        from models.embed import OnnxEmbedder

        return OnnxEmbedder(Path(spec.path), spec.threads)
    from models.llama_embed import LlamaEmbedder

    return LlamaEmbedder(spec)


def open_ranker(spec: WorkerSpec) -> TextRanker:
    """The cross-encoder of *spec*."""
    if spec.backend == "fake":
        from models.fake import FakeRanker

        return FakeRanker()
    if spec.backend == "onnx":
        from models.rerank import CrossEncoder

        return CrossEncoder(Path(spec.path), spec.threads)
    raise ModelLoadFailed(spec.model, "ranking models in GGUF form are not supported yet")


def serve(sock: socket.socket) -> int:
    """Load what the first message names and serve it until the pipe closes; the exit code."""
    frames = Frames()
    decoder = msgspec.msgpack.Decoder(ToWorker)
    outbox = Outbox(sock)
    waiting = deque(_bodies(sock, frames))
    if not waiting:
        return 0
    start = decoder.decode(waiting.popleft())
    if not isinstance(start, Start):
        raise ValueError("the first message must be Start")
    spec = start.spec
    service: Service
    try:
        if spec.kind == "chat":
            backend, notes = open_backend(spec)
            service = ChatService(spec, backend, outbox)
            loaded = Loaded(
                context_tokens=backend.context_tokens,
                trained_tokens=backend.trained_tokens,
                slots=backend.slots,
                gpu_layers=backend.gpu_layers,
                notes=notes,
                warnings=service.warnings,
            )
        else:
            model = open_ranker(spec) if spec.kind == "rerank" else open_embedder(spec)
            service = EmbedService(spec, model, outbox)
            loaded = Loaded(dim=model.dim, slots=1)
    except ModelError as error:
        outbox.send(failure(0, error))
        outbox.drain()
        return 1
    outbox.send(loaded)

    def read() -> None:
        bodies: Sequence[bytes] = list(waiting)
        while True:
            for body in bodies:
                message = decoder.decode(body)
                try:
                    service.receive(message)
                except ModelError as error:
                    outbox.send(failure(getattr(message, "id", 0), error))
                except Exception as error:  # a door: one request's bug must not end the others
                    log.exception("a request failed")
                    outbox.send(failure(getattr(message, "id", 0), WorkerError(f"{type(error).__name__}: {error}")))
            bodies = _bodies(sock, frames)
            if not bodies:
                break
        service.close()
        time.sleep(EXIT_DEADLINE_S)  # the present step ends long before; else this ends it
        os._exit(0)

    threading.Thread(target=read, name="pipe", daemon=True).start()
    service.run()
    return 0


def _bodies(sock: socket.socket, frames: Frames) -> list[bytes]:
    """The next message bodies; empty when the daemon has closed the pipe."""
    while True:
        try:
            data = sock.recv(1 << 18)
        except OSError:
            return []
        if not data:
            return []
        bodies = frames.push(data)
        if bodies:
            return bodies


def main(argv: Sequence[str]) -> int:
    """Entry point: the descriptor of the pipe is the only argument."""
    # The daemon decides when a worker ends, by closing the pipe: a Ctrl-C in its terminal must not.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # The model's thread must get the interpreter back at once when a decode ends.
    sys.setswitchinterval(0.0005)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    with socket.socket(fileno=int(argv[0])) as sock:
        code = serve(sock)
    sys.stderr.flush()
    os._exit(code)  # the daemon waits for the memory, not for destructors


if __name__ == "__main__":
    main(sys.argv[1:])
