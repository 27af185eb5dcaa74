"""One daemon a home, whatever became of process ids."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from daemon.errors import AlreadyRunning
from daemon.lock import Holder, Lock, holder_of


def test_the_holder_is_named_while_it_lives_and_forgotten_after(tmp_path: Path) -> None:
    """While a process holds the lock, others are refused with its id; its death alone frees the lock."""
    file = tmp_path / "lock"
    program = f"""
import sys
from pathlib import Path
from daemon.lock import Lock
lock = Lock.take(Path({str(file)!r}), Path({str(tmp_path)!r}))
lock.serve_at("127.0.0.1:1", Path("/s"))
print("held", flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunning, match=rf"process {other.pid} at 127\.0\.0\.1:1"):
            Lock.take(file, tmp_path)
        holder = holder_of(file)
        assert holder is not None
        assert (holder.pid, holder.address, holder.socket, holder.is_alive()) == (other.pid, "127.0.0.1:1", "/s", True)
        other.kill()
        other.wait()
        assert holder_of(file) is None
        Lock.take(file, tmp_path).release()


def test_pain_36_a_stale_lock_with_a_recycled_process_id_does_not_count(tmp_path: Path) -> None:
    """pain 36: a lock file that names a living but different process is taken over, and never believed by readers."""
    file = tmp_path / "lock"
    file.write_text(json.dumps({"pid": os.getppid(), "started": 1.0, "address": "127.0.0.1:1", "socket": "/s"}))
    assert holder_of(file) is None
    lock = Lock.take(file, tmp_path)
    holder = holder_of(file)
    assert holder is not None
    assert holder.pid == os.getpid()
    assert holder.is_alive()
    assert not Holder(os.getppid(), psutil.Process(os.getppid()).create_time() - 100).is_alive()
    lock.release()
    assert holder_of(file) is None


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{}", b"[1]", b'{"pid": "x"}'])
def test_a_broken_lock_file_is_taken_over(tmp_path: Path, content: bytes) -> None:
    """Whatever stands in a lock file that nobody holds, the next daemon takes it."""
    file = tmp_path / "lock"
    file.write_bytes(content)
    assert holder_of(file) is None
    Lock.take(file, tmp_path).release()
