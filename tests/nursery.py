"""
Daemons for tests, forked from one process that has imported all they need: a start costs a fork, no second of imports.

Run as a script, it is that process. Each byte on its standard input, a unix socket, comes with four descriptors: a file
with the daemon's flags, its environment and what to do before it starts, its stdout, its stderr, and a socket on which
its process id and, once it has ended, its exit code are told.
"""

import functools
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path


class Forked:
    """A daemon started so: what tests need of `subprocess.Popen`. *before* is Python that runs first in its process."""

    def __init__(self, flags: Sequence[str], environ: Mapping[str, str], *, before: str = "") -> None:
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - read when it ended
        self._news, theirs = socket.socketpair()
        self._heard = b""
        self.returncode: int | None = None
        with tempfile.TemporaryFile() as request, theirs:
            request.write(json.dumps([list(flags), dict(environ), before]).encode())
            request.seek(0)
            descriptors = [each.fileno() for each in (request, self._out, self._err, theirs)]
            socket.send_fds(_nursery()[1], [b"d"], descriptors)
        pid = self._next(None)
        assert pid is not None
        self.pid = pid

    def _next(self, timeout_s: float | None) -> int | None:
        """The next number that is told; None where none came within the time."""
        self._news.settimeout(timeout_s)
        while b"\n" not in self._heard:
            try:
                heard = self._news.recv(64)
            except (TimeoutError, BlockingIOError):
                return None
            assert heard, "the process that forks daemons has ended"
            self._heard += heard
        number, _, self._heard = self._heard.partition(b"\n")
        return int(number)

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        if self.returncode is None:
            self.returncode = self._next(0)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end: what it said on stdout and stderr."""
        if self.returncode is None:
            self.returncode = self._next(timeout)
            if self.returncode is None:
                raise subprocess.TimeoutExpired("daemon", timeout or 0.0)
        self._news.close()
        said = []
        for file in (self._out, self._err):
            with file:
                file.seek(0)
                said.append(file.read().decode(errors="replace"))
        return said[0], said[1]

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


@functools.cache
def _nursery() -> tuple[subprocess.Popen[bytes], socket.socket]:
    """The process that forks daemons, and the way to it. It ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        return subprocess.Popen([sys.executable, __file__], stdin=theirs), ours


def main() -> None:
    """Fork daemons until nobody can ask for one any more."""
    sys.path[0] = str(Path(__file__).parents[1])
    import daemon.lifecycle  # noqa: F401 - the daemon imports it once its settings are read
    from daemon import __main__ as started

    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()  # nor do daemons look for garbage in what they share
    door = socket.socket(fileno=os.dup(0))
    while True:
        _, descriptors, _, _ = socket.recv_fds(door, 1, 4)
        if not descriptors:
            return
        if os.fork() == 0:
            door.close()
            request, out, err, news = descriptors
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            pid = os.fork()
            if pid == 0:
                os.close(news)
                flags, before = _become(request, out, err)
                exec(before, {"__name__": "before"})
                sys.exit(started.main(flags))
            os.write(news, b"%d\n" % pid)
            _, status = os.waitpid(pid, 0)
            os.write(news, b"%d\n" % os.waitstatus_to_exitcode(status))
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def _become(request: int, out: int, err: int) -> tuple[list[str], str]:
    """Make this process what `python -m daemon` would be; the flags, and what is to be done before."""
    with open(request, "rb") as file:
        flags, environ, before = json.load(file)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, descriptor in enumerate((nothing, out, err)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()
    sys.argv[1:] = flags
    return flags, before


if __name__ == "__main__":
    main()
