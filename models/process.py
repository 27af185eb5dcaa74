"""One worker process as the daemon sees it: starting, talking, dying."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import msgspec

from models.errors import ModelError, WorkerDied
from models.ipc import (
    Busy,
    Cancel,
    Deltas,
    Embedded,
    Failed,
    Frames,
    FromWorker,
    Generate,
    Loaded,
    Number,
    Start,
    ToWorker,
    frame,
    revive,
)
from models.requests import Delta, WorkerSpec

log = logging.getLogger(__name__)

Event = Delta | Embedded | Number | ModelError
STDERR_LINES = 20
STOP_S = 6.0
ROOT = str(Path(__file__).resolve().parent.parent)


class Mailbox:
    """Where the answers to one request arrive, in order."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._ready: asyncio.Future[None] | None = None

    def put(self, event: Event) -> None:
        """Deliver *event*."""
        self._events.append(event)
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    async def get(self) -> Delta | Embedded | Number:
        """
        The next event.

        Raises:
            ModelError: the request, or its worker, failed.
        """
        while not self._events:
            self._ready = asyncio.get_running_loop().create_future()
            await self._ready
        event = self._events.popleft()
        if isinstance(event, ModelError):
            raise event
        return event


class _Pipe(asyncio.Protocol):
    """Bytes from the worker to messages."""

    def __init__(self, receive: Callable[[FromWorker], None], lost: Callable[[], None]) -> None:
        self._receive = receive
        self._lost = lost
        self._frames = Frames()
        self._decoder = msgspec.msgpack.Decoder(FromWorker)

    def data_received(self, data: bytes) -> None:
        for body in self._frames.push(data):
            self._receive(self._decoder.decode(body))

    def connection_lost(self, _: Exception | None) -> None:
        self._lost()


class WorkerProcess:
    """A process with one model. `start` before anything else; after its end every request in it has failed."""

    def __init__(self, spec: WorkerSpec, on_end: Callable[["WorkerProcess"], None]) -> None:
        self.spec = spec
        self.loaded = Loaded()
        self.busy = Busy(active=0, queued=0, tokens_per_second=0.0)
        self.ready = False
        self.stopping = False
        self.load_s = 0.0
        self.exit_code: int | None = None
        self.keep_alive_s = 0.0
        self.idle_since = time.monotonic()
        self.idle_timer: asyncio.TimerHandle | None = None
        self.idle = asyncio.Event()
        self.idle.set()
        self.ended = asyncio.Event()
        self._on_end = on_end
        self._process: asyncio.subprocess.Process | None = None
        self._transport: asyncio.Transport | None = None
        self._mailboxes: dict[int, Mailbox] = {}
        self._next_id = 0
        self._loading: asyncio.Future[None] | None = None
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._watcher: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id, 0 before the start."""
        return self._process.pid if self._process else 0

    @property
    def requests(self) -> int:
        """Requests that are not done."""
        return len(self._mailboxes)

    async def start(self, timeout_s: float) -> None:
        """
        Start the process and load the model.

        Raises:
            ModelError: it could not be loaded, or the process died of it.
        """
        begun = time.monotonic()
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        with theirs:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([ROOT, *_inherited()])}
            self._process = await asyncio.create_subprocess_exec(
                # -P: no module is ever taken from the folder the daemon happens to stand in.
                *(sys.executable, "-P", "-m", "models.worker", str(theirs.fileno())),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env=environment,
            )
        self._loading = loop.create_future()
        self._transport, _ = await loop.create_connection(lambda: _Pipe(self._receive, self._pipe_lost), sock=ours)
        self._watcher = loop.create_task(self._watch(), name=f"worker {self.spec.model}")
        self.send(Start(spec=self.spec))
        try:
            async with asyncio.timeout(timeout_s):
                await self._loading
        except TimeoutError:
            await self.stop()
            raise WorkerDied(self.spec.model, None, f"it did not load within {timeout_s:.0f} s") from None
        except asyncio.CancelledError:
            await self.stop()
            raise
        except ModelError:
            await self.ended.wait()
            raise
        self.ready = True
        self.load_s = time.monotonic() - begun

    def send(self, message: ToWorker) -> None:
        """Put *message* on the pipe; lost when the worker is gone."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame(message))

    def open(self) -> tuple[int, Mailbox]:
        """A new request id, and where its answers arrive."""
        if self.ended.is_set() or self.stopping:
            raise self._death()
        self._next_id += 1
        mailbox = self._mailboxes[self._next_id] = Mailbox()
        self.idle.clear()
        return self._next_id, mailbox

    def close(self, request_id: int, *, cancel: bool) -> None:
        """The request is done, or, with *cancel*, given up."""
        if self._mailboxes.pop(request_id, None) is None:
            return
        if cancel:
            self.send(Cancel(id=request_id))
        if not self._mailboxes:
            self.idle_since = time.monotonic()
            self.idle.set()

    async def stop(self) -> None:
        """End the process, by closing its pipe, at last by force. Its memory is returned afterwards."""
        self.stopping = True
        if self._transport is not None:
            self._transport.close()
        if self._process is None:
            return
        try:
            async with asyncio.timeout(STOP_S):
                await self.ended.wait()
        except TimeoutError:
            self.kill()
            await self.ended.wait()

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None and self._process.returncode is None:
            # Not Process.kill: that one reaps the child when it is dead, and the exit code is lost to asyncio.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    # -- what comes from the worker ---

    def _receive(self, message: FromWorker) -> None:
        match message:
            case Deltas():
                for request_id, delta in message.items:
                    self._deliver(request_id, delta)
            case Embedded() | Number():
                self._deliver(message.id, message)
            case Busy():
                self.busy = message
            case Loaded():
                self.loaded = message
                if self._loading is not None and not self._loading.done():
                    self._loading.set_result(None)
            case Failed():
                error = revive(message)
                if message.id:
                    self._deliver(message.id, error)
                elif self._loading is not None and not self._loading.done():
                    self._loading.set_exception(error)

    def _deliver(self, request_id: int, event: Event) -> None:
        mailbox = self._mailboxes.get(request_id)
        if mailbox is not None:  # else given up meanwhile
            mailbox.put(event)

    def _pipe_lost(self) -> None:
        if not self.stopping and not self.ended.is_set():
            # Without a pipe it is of no use. Mostly it is dying already, and has a moment to leave its exit code.
            asyncio.get_running_loop().call_later(1.0, self.kill)

    async def _watch(self) -> None:
        process = self._process
        assert process is not None and process.stderr is not None
        with contextlib.suppress(ValueError):  # a line beyond the reader's limit
            async for line in process.stderr:
                text = line.decode("utf-8", "replace").rstrip()
                if text and not text.startswith("INFO "):  # the last words are to say why it died
                    self._stderr.append(text)
                    log.debug("worker %s: %s", self.spec.model, text)
        self.exit_code = await process.wait()
        self.ready = False
        if self._transport is not None:
            self._transport.close()
        death = self._death()
        if self._loading is not None and not self._loading.done():
            self._loading.set_exception(death)
        for mailbox in self._mailboxes.values():
            mailbox.put(death)
        self._mailboxes.clear()
        self.idle.set()
        self.ended.set()
        self._on_end(self)

    def _death(self) -> WorkerDied:
        return WorkerDied(self.spec.model, self.exit_code, self._stderr[-1][:300] if self._stderr else "")


def _inherited() -> list[str]:
    given = os.environ.get("PYTHONPATH", "")
    return [given] if given else []


__all__ = ["Generate", "Mailbox", "WorkerProcess"]
