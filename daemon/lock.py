"""
One daemon a home: a lock that the system itself drops when its holder dies.

The lock file's content only says who holds it; whether somebody does is asked of the system (flock), never of a
process id, which may have been given to another process meanwhile.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from daemon.errors import AlreadyRunning

START_TOLERANCE_S = 1.0


@dataclass(frozen=True)
class Holder:
    """
    The daemon that holds a home, *stopping* once it was told to end.

    *started* is its process's start (Unix time): with *pid* it names one process.
    """

    pid: int
    started: float
    address: str | None = None
    socket: str | None = None
    stopping: bool = False

    def is_alive(self) -> bool:
        """Whether the process of this id is the one that took the lock, not a later one with a recycled id."""
        import psutil  # costs milliseconds; most readers of the lock never ask

        try:
            started: float = psutil.Process(self.pid).create_time()
        except psutil.Error:
            return False
        return abs(started - self.started) < START_TOLERANCE_S


class Lock:
    """The held lock of a home. Release it by `release`, or by dying."""

    def __init__(self, file: Path, descriptor: int) -> None:
        self._file = file
        self._descriptor = descriptor

    @classmethod
    def take(cls, file: Path, home: Path) -> "Lock":
        """
        Take the lock and write this process into the file; a file left by a dead daemon is taken over.

        Raises:
            AlreadyRunning: a living daemon holds it; it is named.
        """
        import psutil

        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            holder = _read(file)
            raise AlreadyRunning(home, holder.pid if holder else 0, holder.address if holder else None) from None
        lock = cls(file, descriptor)
        lock.write(Holder(os.getpid(), psutil.Process().create_time()))
        return lock

    def write(self, holder: Holder) -> None:
        """Say who holds the lock and where it serves."""
        content = json.dumps(asdict(holder)).encode()
        try:
            os.pwrite(self._descriptor, content, 0)
            os.ftruncate(self._descriptor, len(content))
        except OSError as error:
            error.filename = str(self._file)
            raise

    def serve_at(self, address: str | None, socket: Path) -> None:
        """Add the addresses, once they are known."""
        holder = _read(self._file)
        if holder:
            self.write(replace(holder, address=address, socket=str(socket)))

    def say_stopping(self) -> None:
        """Add that it ends: running replies may take a while yet."""
        holder = _read(self._file)
        if holder:
            self.write(replace(holder, stopping=True))

    def release(self) -> None:
        """Empty the file and let the lock go. The file stays: removing it would let two daemons lock two files."""
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def holder_of(file: Path) -> Holder | None:
    """The living daemon that holds *file*, or None; what a dead one left there is not believed."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(file)
    finally:
        os.close(descriptor)
    return None


def _read(file: Path) -> Holder | None:
    try:
        found = json.loads(file.read_bytes())
        return Holder(
            int(found["pid"]),
            float(found["started"]),
            found.get("address"),
            found.get("socket"),
            bool(found.get("stopping")),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
