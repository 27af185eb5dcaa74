"""`reverie serve`, `start`, `stop`, `status`, `logs`: the daemon as a process."""

import argparse
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from daemon import wire
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client, DaemonError
from daemon.lock import Holder, holder_of
from daemon.paths import Paths

READY_WITHIN_S = 120.0
STOP_WITHIN_S = 60.0
FORCED_WITHIN_S = 12.0  # a daemon told to end at once ends itself within 10 s, unless it hangs
SAY_WAITING_AFTER_S = 1.0
QUICK_S = 10.0
SHOWN_LAG_S = 2.0  # what a save takes to be found anyway is no lag to tell of


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    if command in ("serve", "start"):
        parser.add_argument("--host", metavar="ADDRESS", help="listen on this address (default 127.0.0.1)")
        parser.add_argument("--port", metavar="N", help="listen on this port (default 7077; 0: a free one)")
        parser.add_argument(
            "--set", metavar="KEY=VALUE", action="append", default=[], help="any setting, as log.level=debug"
        )
        parser.set_defaults(run=serve if command == "serve" else start)
    elif command == "stop":
        parser.add_argument("--force", action="store_true", help="do not let running replies finish")
        parser.set_defaults(run=stop)
    elif command == "status":
        parser.add_argument("--json", action="store_true", help="everything as JSON")
        parser.set_defaults(run=status)
    else:
        parser.add_argument("-f", "--follow", action="store_true", help="go on with events as they happen")
        parser.add_argument("-n", "--lines", type=int, default=20, metavar="N", help="the last N lines (default 20)")
        parser.add_argument("--json", action="store_true", help="events only, one JSON object a line; implies -f")
        parser.set_defaults(run=logs)


def flags_of(arguments: argparse.Namespace) -> list[str]:
    """The daemon's own flags."""
    flags: list[str] = []
    for name in ("host", "port"):
        value = getattr(arguments, name)
        if value is not None:
            flags += [f"--{name}", value]
    for setting in arguments.set:
        flags += ["--set", setting]
    return flags


def serve(arguments: argparse.Namespace) -> int:
    """Become the daemon."""
    from daemon.__main__ import main

    return int(main(flags_of(arguments)))


def start(arguments: argparse.Namespace) -> int:
    """Start a daemon that outlives this terminal; return once it serves."""
    holder = holder_of(Paths.find().lock)
    if holder is not None and holder.stopping:
        _await_stopping(holder)
    elif holder is not None:
        print(f"reverie already runs: process {holder.pid}{_at(holder.address)}")
        return 0
    pid = spawn(flags_of(arguments), os.environ)
    holder = holder_of(Paths.find().lock)
    print(f"reverie runs: process {pid}{_at(holder.address if holder else None)}")
    for problem in Client.from_environment().status().problems:
        output.narrate(f"  note: {problem}")
    return 0


def _await_stopping(holder: Holder) -> None:
    output.narrate(f"the daemon before (process {holder.pid}) is stopping; waiting for its running replies ...")
    if not await_end(Paths.find().lock, STOP_WITHIN_S):
        raise CommandFailed(
            "Draining", f"process {holder.pid} has not ended yet", "`reverie stop --force` does not wait for it"
        )


def _at(address: str | None) -> str:
    return f" at {address}" if address else ""


def ensure_running() -> None:
    """Start the daemon where none runs."""
    holder = holder_of(Paths.find().lock)
    if holder is not None and holder.stopping:
        _await_stopping(holder)
        holder = None
    if holder is None:
        output.narrate("starting the daemon ...")
        spawn([], os.environ)


def spawn(flags: list[str], environ: Mapping[str, str]) -> int:
    """
    Start a detached daemon with *flags* and wait until it says that it is ready. Returns its process id.

    Raises:
        CommandFailed: it ended early (with its own last words) or was not ready in time (it goes on starting).
    """
    paths = Paths.find(environ)
    paths.make()
    words = paths.log.with_name("start.log")
    with (
        tempfile.TemporaryDirectory(prefix="reverie-") as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear,
    ):
        address = Path(folder) / "ready"
        ear.bind(str(address))
        with words.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "daemon", *flags],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
                env={**environ, "NOTIFY_SOCKET": str(address)},
            )
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline:
            readable, _, _ = select.select([ear], [], [], 0.1)
            if readable and b"READY=1" in ear.recv(4096).split(b"\n"):
                return process.pid
            if process.poll() is not None:
                raise _ended(process.returncode, words)
    raise CommandFailed(
        "Starting",
        f"the daemon (process {process.pid}) is still starting after {READY_WITHIN_S:.0f} s",
        "`reverie logs`",
    )


def _ended(code: int, words: Path) -> CommandFailed:
    """What a daemon that ended before it was ready said last, under the kind that has its exit code."""
    from daemon.errors import TABLE, Exit

    if code == Exit.DISK and not words.stat().st_size:
        return CommandFailed("OSError", f"the disk that holds {words.parent} is full or cannot be written")
    lines = [line for line in words.read_text(errors="replace").splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith("reverie: ")), lines[-1] if lines else "")
    hint = (
        next((line.strip() for line in lines[lines.index(said) + 1 :] if line.startswith("  ")), None) if said else None
    )
    kind = next((kind for kind, outcome in TABLE.items() if outcome.exit == code), "StoreError")
    message = said.removeprefix("reverie: ") or f"the daemon ended at once, with code {code}"
    return CommandFailed(kind, message, hint if kind != "StoreError" else f"{words} has its words")


def stop(arguments: argparse.Namespace) -> int:
    """Ask the daemon to end and wait until it has."""
    paths = Paths.find()
    holder = holder_of(paths.lock)
    if holder is None:
        output.narrate("reverie was not running")
        return 0
    with contextlib.suppress(ProcessLookupError):
        os.kill(holder.pid, signal.SIGTERM)
        if arguments.force:
            os.kill(holder.pid, signal.SIGTERM)
        os.kill(holder.pid, signal.SIGCONT)  # one that was suspended could not heed the others
    ended = await_end(paths.lock, SAY_WAITING_AFTER_S)
    if not ended and not arguments.force:
        output.narrate("waiting for running replies to finish; `reverie stop --force` does not wait")
    if not ended and not await_end(paths.lock, FORCED_WITHIN_S if arguments.force else STOP_WITHIN_S):
        if not arguments.force:
            raise CommandFailed(
                "Draining", f"process {holder.pid} has not ended yet", "`reverie stop --force` does not wait"
            )
        _kill(holder, paths.lock)
    print("reverie stopped")
    return 0


def _kill(holder: Holder, lock: Path) -> None:
    """End a daemon that hangs: what it has saved is safe whenever it dies."""
    if holder.is_alive():
        os.kill(holder.pid, signal.SIGKILL)
    if not await_end(lock, FORCED_WITHIN_S):
        raise CommandFailed("Draining", f"process {holder.pid} cannot be ended", f"`kill -9 {holder.pid}`")
    output.narrate(f"process {holder.pid} did not answer, and was killed")


def await_end(lock: Path, within_s: float) -> bool:
    """Whether the holder of *lock* was gone within the time."""
    deadline = time.monotonic() + within_s
    while holder_of(lock) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)  # the lock is the only thing that surely outlives the process; it can only be asked
    return True


def status(arguments: argparse.Namespace) -> int:
    """Print what runs, on what, and what waits."""
    now = _status_now()
    if arguments.json:
        output.print_json(now)
        return 0
    state = output.paint("ready", "green") if now.ready else output.paint("starting", "yellow")
    print(
        f"reverie {now.version}, {state}, process {now.pid}, up {output.duration(now.uptime_s)},"
        f" {output.size(now.rss_bytes)}, {now.cpu_percent:.1f}% CPU"
    )
    rows = [
        ("address", now.address or "none"),
        ("socket", now.socket),
        ("vault", now.vault),
        ("chat", now.chat_model or "no model; `reverie models pull starter`"),
        ("embeddings", now.embed_model or "no model; searching by keyword only"),
        ("index", index_line(now.index)),
        *(("worker", worker_line(worker)) for worker in now.workers),
        *(("job", job_line(job)) for job in now.jobs),
        *(("problem", output.paint(problem, "yellow")) for problem in now.problems),
    ]
    for name, value in rows:
        print(f"  {name:<10}  {value}")
    return 0


def _status_now() -> wire.Status:
    """
    Raises:
        DaemonError: no daemon answers.
        CommandFailed: one is there that hangs.
    """
    client = Client.from_environment(timeout_s=QUICK_S)
    try:
        return client.status()
    except DaemonError as error:
        holder = holder_of(Paths.find().lock) if error.kind == "TimeoutError" else None
        if holder is None or client.daemon.socket_path is None:
            raise
        message = f"{error}: process {holder.pid} hangs or is suspended"
        raise CommandFailed(error.kind, message, "`reverie stop --force` ends it") from error


def index_line(index: wire.IndexStatus) -> str:
    """The index in a line."""
    parts = [f"{index.pages} pages, {index.chunks} chunks, {index.vectors} vectors"]
    if index.pending_pages or index.pending_vectors:
        parts.append(
            f"{index.pending_pages} pages and {index.pending_vectors} vectors wait, {index.lag_s:.1f} s behind"
        )
    else:
        parts.append("up to date" if index.lag_s < SHOWN_LAG_S else f"{index.lag_s:.0f} s behind")
    if index.rebuilding:
        parts.append("rebuilding")
    if index.failed:
        parts.append(f"{index.failed} unreadable (`reverie doctor`)")
    if not index.watching:
        parts.append("not watching: changes are found by rescans only")
    return ", ".join(parts)


def worker_line(worker: wire.WorkerStatus) -> str:
    """A model's process in a line."""
    parts = [f"{worker.model} {worker.state}", f"process {worker.pid}", output.size(worker.rss_bytes)]
    if worker.tokens_per_second:
        parts.append(f"{worker.tokens_per_second:.0f} tokens/s")
    if worker.active or worker.queued:
        parts.append(f"{worker.active} running, {worker.queued} waiting")
    if worker.unload_in_s is not None:
        parts.append(f"unloads in {output.duration(worker.unload_in_s)}")
    return ", ".join(parts)


def job_line(job: wire.JobStatus) -> str:
    """A scheduled job in a line."""
    parts = [f"{job.name} {job.state}"]
    if job.last_run:
        parts.append(f"last {job.last_run}" + (f" ({job.outcome})" if job.outcome else ""))
    if job.next_run:
        parts.append(f"next {job.next_run}")
    if job.waits_for:
        parts.append(f"held back: {job.waits_for}")
    return ", ".join(parts)


def logs(arguments: argparse.Namespace) -> int:
    """Print the end of the log file; with -f, the daemon's events from now on."""
    paths = Paths.find()
    client = Client.from_environment()
    if not arguments.json:
        if paths.log.exists():
            with paths.log.open(encoding="utf-8", errors="replace") as file:
                for line in deque(file, maxlen=max(arguments.lines, 0)):
                    sys.stdout.write(line)
        elif not arguments.follow:
            raise CommandFailed(
                "FileNotFoundError", f"there is no log yet at {paths.log}", "`reverie start` begins one"
            )
        sys.stdout.flush()
    if not (arguments.follow or arguments.json):
        return 0
    for event in client.events():
        _print_event(event, as_json=arguments.json)
    output.narrate("the daemon stopped")
    return 0


def _print_event(event: wire.Event, *, as_json: bool) -> None:
    import msgspec

    if as_json:
        print(msgspec.json.encode(event).decode(), flush=True)
        return
    colour = {"ok": "green", "note": "blue", "warning": "yellow", "error": "red"}[event.severity]
    print(f"{event.when}  {output.paint(event.kind, colour)}  {event.message}", flush=True)
