"""Running pip and the compiler: their words go to the log, their failures become one line."""

import contextlib
import os
import re
import signal
import subprocess

from make import places
from make.places import Failed, say


class Interrupted:
    """Whether a signal told us to end: at once, but for the moment in which a program starts that is to end with us."""

    starting = False
    told = False

    @classmethod
    def hear(cls, _number, _frame):
        cls.told = True
        if not cls.starting:
            raise KeyboardInterrupt


def pip(*arguments):
    command = [str(places.PYTHON), "-m", "pip", "--no-input", "--disable-pip-version-check"] + list(arguments)
    logged(command, "pip could not do its part")


def install(what):
    """Install exactly the pinned versions; where one cannot be had here, what pyproject.toml allows."""
    try:
        pip("install", "-c", str(places.CONSTRAINTS), *what)
    except Failed as error:
        if "ResolutionImpossible" not in str(error) and "No matching distribution" not in str(error):
            raise
        say("install", "a pinned version is not to be had here; taking the newest that fits")
        pip("install", *what)


def logged(command, failure, environment=None, progress=None, keep_open=()):
    """
    Run *command* with its words in the log; where it fails, say why in one line. It ends with us, and all it started
    with it; killed at once, we leave it the files of *keep_open*, so that a lock among them tells that it still runs.
    """
    places.CACHE.mkdir(exist_ok=True)
    words = []
    with open(str(places.LOG), "a", errors="replace") as log:
        log.write("\n$ %s\n" % " ".join(command))
        log.flush()
        Interrupted.starting = True
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                universal_newlines=True,
                errors="replace",
                start_new_session=True,
                pass_fds=keep_open,
            )
        finally:
            Interrupted.starting = False
        try:
            if Interrupted.told:
                raise KeyboardInterrupt
            for line in process.stdout:
                log.write(line)
                words.append(line)
                if progress is not None:
                    progress.line(line)
            code = process.wait()
        finally:
            if process.poll() is None:
                _end(process)
            if progress is not None:
                progress.end()
    if code:
        raise Failed("%s: %s" % (failure, reason("".join(words[-400:]))))


def _end(process):
    """End a program and those that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
            return


def reason(words):
    """Why a program failed, for people."""
    log = places.LOG.relative_to(places.ROOT)
    if "No space left on device" in words:
        return "the disk is full; make room and run it again"
    network = ("NewConnectionError", "Temporary failure in name resolution", "Failed to establish a new connection")
    network += ("Network is unreachable", "Connection refused", "ReadTimeoutError", "ConnectTimeoutError", "ProxyError")
    if any(sign in words for sign in network):
        return "the package index cannot be reached; check the network and run it again (details in %s)" % log
    if "CERTIFICATE_VERIFY_FAILED" in words:
        return (
            "the package index is not trusted: check this machine's clock, and that your proxy's certificate is known"
            " to pip (details in %s)" % log
        )
    errors = [
        line.strip() for line in words.splitlines() if re.match(r"\s*(ERROR|error|fatal error|CMake Error)", line)
    ]
    return "%s (details in %s)" % (errors[-1][:300] if errors else "it ended early", log)
