"""Start in order, serve, undo in reverse. Signals, readiness, and how long running replies may go on."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import uvicorn

from daemon import VERSION, config, logs
from daemon.assembly import assemble
from daemon.config import Config
from daemon.errors import ConfigInvalid, Exit
from daemon.http.app import App
from daemon.http.auth import is_loopback, read_token
from daemon.http.protocol import Protocol
from daemon.lock import Lock
from daemon.notify import notify, watchdog_interval_s
from daemon.parts import Parts
from daemon.paths import Paths
from daemon.signals import heard
from daemon.sockets import listen_tcp, listen_unix

log = logging.getLogger(__name__)
UNDO_AT_MOST_S = 10.0
LOG_AT_MOST_S = 1.0
THREADS = 24
TURN_S = 0.001


class Server(uvicorn.Server):
    """uvicorn on our sockets, our signals, and no clock that ticks while nothing happens."""

    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.stopping = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the daemon."""
        yield

    async def main_loop(self) -> None:
        """Wait for the end."""
        await self.on_tick(0)
        await self.stopping.wait()


def _cut_off() -> None:
    """End the process though a part does not come to its end: something hangs in a call that nothing can end."""
    surely = threading.Timer(LOG_AT_MOST_S, os._exit, (int(Exit.FORCED),))  # the disk of the log may be what hangs
    surely.daemon = True
    surely.start()
    log.warning("ended before every part had come to its end")
    logging.shutdown()
    os._exit(int(Exit.FORCED))


class Daemon:
    """One run of the daemon, from the lock to its release."""

    def __init__(self, settings: Config, paths: Paths, environ: Mapping[str, str], flags: Mapping[str, str]) -> None:
        self._config = settings
        self._paths = paths
        self._environ = environ
        self._flags = flags
        self._stop = asyncio.Event()
        self._forced = False
        self._reloads = False
        self._enders: list[threading.Timer] = []
        self._server: Server | None = None
        self._parts: Parts | None = None

    async def run(self, *, to_stderr: bool) -> Exit:
        """
        Serve until told to stop.

        Raises:
            AlreadyRunning, PortTaken, AddressUnusable: nothing was started.
        """
        loop = asyncio.get_running_loop()
        sys.setswitchinterval(TURN_S)  # a request passes from thread to thread and waits for its turn each time
        # More threads than Python's few: searches that wait for a model must not hold up a look at the status.
        loop.set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="reverie"))
        self._loop = loop
        hears: dict[int, Callable[[], object]] = {
            signal.SIGTERM: self._told_to_stop,
            signal.SIGINT: self._told_to_stop,
            signal.SIGHUP: self._told_to_reload,
        }
        with heard(hears), self._ending_bounded():
            await self._run(loop, to_stderr=to_stderr)
        log.info("reverie ended")
        return Exit.FORCED if self._forced else Exit.OK

    async def _run(self, loop: asyncio.AbstractEventLoop, *, to_stderr: bool) -> None:
        async with AsyncExitStack() as stack:
            sockets = self._take_place(stack)
            logs.start(self._paths.log, self._config.log, to_stderr=to_stderr)
            parts = self._parts = await assemble(self._config, self._paths, stack)
            parts.address = _address_of(sockets)
            parts.events.bind(loop)
            if not all(is_loopback(bound.getsockname()[0]) for bound in sockets if bound.family != socket.AF_UNIX):
                parts.token = read_token(self._paths.token)
            self._lock.serve_at(parts.address, self._paths.socket)
            serving = asyncio.create_task(self._serve(parts, sockets))
            stack.push_async_callback(self._end, serving)
            log.info("reverie %s starts: %s, %s", VERSION, parts.address, self._paths.socket)
            await parts.memory.open(stack)
            await parts.scheduler.start(stack)
            self._ready(parts)
            await self._stop.wait()
            notify("STOPPING=1", self._environ)
            self._lock.say_stopping()
            await self._drain(parts, serving)

    def _take_place(self, stack: AsyncExitStack) -> list[socket.socket]:
        """Lock the home and bind both sockets, or raise before anything else has started."""
        self._paths.make()
        self._lock = Lock.take(self._paths.lock, self._paths.data_dir)
        stack.callback(self._lock.release)
        sockets = listen_tcp(self._config.server.host, self._config.server.port)
        for bound in sockets:
            stack.callback(bound.close)
        own = listen_unix(self._paths.socket)
        stack.callback(own.close)
        stack.callback(_unlink, self._paths.socket, self._paths.socket.stat().st_ino)
        return [*sockets, own]

    async def _serve(self, parts: Parts, sockets: list[socket.socket]) -> None:
        self._server = Server(
            uvicorn.Config(
                App(parts),
                http=Protocol,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,  # a header must not say where a call comes from
                timeout_keep_alive=75,
            )
        )
        await self._server.serve(sockets=sockets)

    def _ready(self, parts: Parts) -> None:
        parts.state = "ok"
        gc.freeze()  # modules and the first facts stay: no collection need walk over them again
        notify(f"READY=1\nSTATUS=serves at {parts.address}", self._environ)
        for problem in parts.problems():
            log.warning("%s", problem)
        parts.events.publish("daemon_ready", f"reverie {VERSION} serves at {parts.address}", address=parts.address)
        log.info("ready after %.2f s", time.time() - psutil.Process().create_time())
        interval_s = watchdog_interval_s(self._environ)
        if interval_s:
            self._pat(interval_s)

    def _pat(self, interval_s: float) -> None:
        """Tell the service manager's watchdog that the loop turns."""
        notify("WATCHDOG=1", self._environ)
        asyncio.get_running_loop().call_later(interval_s, self._pat, interval_s)

    def _told_to_stop(self) -> None:
        """The first signal drains, the second forces; called in a thread, whatever the loop does."""
        if not self._enders:
            self._end_within(self._ends_within_s(), _cut_off)
            self._loop.call_soon_threadsafe(self._stop.set)
            return
        self._forced = True
        self._end_within(UNDO_AT_MOST_S, lambda: os._exit(int(Exit.FORCED)))
        log.warning("stopped before running work was finished")
        self._loop.call_soon_threadsafe(self._force)

    def _ends_within_s(self) -> float:
        """What a daemon that is told to end may take: running replies, where there can be any, and its parts."""
        serves = self._parts is not None and self._parts.state != "starting"
        return 2 * UNDO_AT_MOST_S + (self._parts.config.server.drain_s if self._parts and serves else 0.0)

    def _force(self) -> None:
        if self._server:
            self._server.force_exit = True

    def _end_within(self, seconds: float, end: Callable[[], object]) -> None:
        ender = threading.Timer(seconds, end)
        ender.daemon = True
        ender.start()
        self._enders.append(ender)

    @contextlib.contextmanager
    def _ending_bounded(self) -> Iterator[None]:
        """Leave no bound behind on an end that was reached, or on a start that failed."""
        try:
            yield
        finally:
            for ender in self._enders:
                ender.cancel()

    async def _drain(self, parts: Parts, serving: "asyncio.Task[None]") -> None:
        """Let running replies finish, up to the deadline; take no new ones."""
        parts.state = "draining"
        drain_s = parts.config.server.drain_s
        log.info("stopping; running replies may go on for %g s", drain_s)
        parts.events.publish("daemon_stopping", "reverie is stopping")
        parts.events.close()
        assert self._server is not None
        self._server.config.timeout_graceful_shutdown = max(1, round(drain_s))
        self._server.stopping.set()
        await asyncio.wait({serving})
        left = set(self._server.server_state.tasks)
        if left:
            self._forced = True
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it would log each cut reply with a trace
            log.warning("%d running replies were cut", len(left))
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=UNDO_AT_MOST_S)
        await parts.assistant.settle()

    async def _end(self, serving: "asyncio.Task[None]") -> None:
        """See the server ended on every way out."""
        if self._server:
            self._server.stopping.set()
            self._server.force_exit = True
        await asyncio.wait({serving}, timeout=UNDO_AT_MOST_S)
        serving.cancel()

    def _told_to_reload(self) -> None:
        """However often it is said before it is heard, once is enough; called in a thread."""
        if not self._reloads:
            self._reloads = True
            self._loop.call_soon_threadsafe(self._reload)

    def _reload(self) -> None:
        """Read the settings again: what can change live does, the rest is named; a broken file changes nothing."""
        self._reloads = False
        parts = self._parts
        if parts is None:
            return
        notify(f"RELOADING=1\nMONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}", self._environ)
        try:
            fresh = config.load(self._paths, self._environ, self._flags)
        except ConfigInvalid as error:
            log.error("the settings were not reloaded: %s", error)
            parts.events.publish("config_refused", f"the settings were not reloaded: {error}", "error")
        else:
            changes = config.differences(parts.config, fresh)
            parts.config = config.merged(parts.config, fresh)
            logs.set_level(parts.config.log.level)
            for change in changes:
                how = "now" if change.live else "only after a restart"
                log.info("%s: %r -> %r (%s)", change.key, change.before, change.after, how)
            live = [change.key for change in changes if change.live]
            later = [change.key for change in changes if not change.live]
            words = f"settings reloaded: {', '.join(live) or 'nothing changed'}"
            words += f"; after a restart: {', '.join(later)}" if later else ""
            parts.events.publish("config_reloaded", words, "note" if later else "ok", live=live, later=later)
        notify("READY=1", self._environ)


def _address_of(sockets: list[socket.socket]) -> str | None:
    for bound in sockets:
        if bound.family != socket.AF_UNIX:
            host, port = bound.getsockname()[:2]
            return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return None


def _unlink(path: Path, inode: int) -> None:
    """Remove our socket, unless another file took its place."""
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_ino == inode:
            path.unlink()
