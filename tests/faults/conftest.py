"""A disk that can be filled."""

import contextlib
import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system of its own of 2 MiB; where none can be mounted, a plain one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    mounted = sys.platform.startswith("linux") and os.geteuid() == 0
    mounted = mounted and subprocess.run(command, capture_output=True, check=False).returncode == 0
    yield folder
    if mounted and subprocess.run(["umount", str(folder)], capture_output=True, check=False).returncode:
        gc.collect()  # maps of the index's files end with the objects that hold them
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def fill() -> Callable[[Path], Path]:
    """Leaves no room on the file system of a folder; gives the file that takes it."""

    def leave_no_room(folder: Path) -> Path:
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        return filler

    return leave_no_room
