"""Bytes on their way into the models folder: progress, cancellation and room on the disk, the same for every source."""

import errno
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from models.errors import DiskFull, PullCancelled

Progress = Callable[[str, int, int], None]

_BLOCK_BYTES = 1 << 20
_SPARE_BYTES = 32 << 20  # left free beside the model: the index and the journal live on the same disk
_FICLONE = 0x40049409  # ioctl of Linux: share the blocks of another file until one of them is written


@dataclass(frozen=True)
class Transfer:
    """One pull, as the code that moves bytes sees it. *folder* is where the bytes go."""

    source: str
    folder: Path
    progress: Progress | None = None
    cancel: threading.Event = field(default_factory=threading.Event)

    def step(self, step: str, completed: int = 0, total: int = 0) -> None:
        """
        Report, and stop here if the caller wants to stop.

        Raises:
            PullCancelled
        """
        if self.cancel.is_set():
            raise PullCancelled(self.source)
        if self.progress:
            self.progress(step, completed, total)

    def wait(self, seconds: float) -> None:
        """Wait, unless cancelled (raises PullCancelled)."""
        if self.cancel.wait(seconds):
            raise PullCancelled(self.source)

    def need(self, size_bytes: int) -> None:
        """
        Make sure that *size_bytes* more fit on the disk.

        Raises:
            DiskFull
        """
        free = shutil.disk_usage(self.folder).free
        if size_bytes + _SPARE_BYTES > free:
            raise DiskFull(self.source, size_bytes, free, self.folder)

    def copy(self, source: IO[bytes], target: IO[bytes], step: str, total: int, completed: int = 0) -> int:
        """Copy all of *source*, block by block; how many bytes there are with the *completed* ones before."""
        while block := source.read(_BLOCK_BYTES):
            self.step(step, completed, total)
            with self.writing(len(block)):
                target.write(block)
            completed += len(block)
        self.step(step, completed, total)
        return completed

    @contextmanager
    def writing(self, size_bytes: int) -> Iterator[None]:
        """Inside, a full disk is DiskFull."""
        try:
            yield
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise DiskFull(self.source, size_bytes, shutil.disk_usage(self.folder).free, self.folder) from error


def take_file(source: Path, target: Path, transfer: Transfer) -> None:
    """Make *target* have the bytes of *source*: as a clone or a link where the disk can, as a copy otherwise."""
    step, size = f"copying {source.name}", source.stat().st_size
    transfer.step(step, 0, size)
    if not (_clone(source, target) or _link(source, target)):
        transfer.need(size)
        with source.open("rb") as reading, target.open("wb") as writing:
            transfer.copy(reading, writing, step, size)
    transfer.step(step, size, size)


def sync_file(path: Path) -> None:
    """Have the file's bytes on the disk before this returns."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _clone(source: Path, target: Path) -> bool:
    if sys.platform != "linux":
        return False
    import fcntl

    with source.open("rb") as reading, target.open("wb") as writing:
        try:
            fcntl.ioctl(writing.fileno(), _FICLONE, reading.fileno())
        except OSError:
            pass
        else:
            return True
    target.unlink()
    return False


def _link(source: Path, target: Path) -> bool:
    try:
        os.link(source, target)
    except OSError:
        return False
    return True
