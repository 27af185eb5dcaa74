"""A daemon that is told to end does so in bounded time, whatever hangs in it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon.errors import Exit

pytestmark = pytest.mark.timeout(90)

HANGING = """
import asyncio, sys, threading
from daemon import __main__, lifecycle
from daemon.memory import Memory

where, begun, bound_s = sys.argv[1], sys.argv[2], float(sys.argv[3])
lifecycle.UNDO_AT_MOST_S = bound_s
never = threading.Event()

def tell():
    with open(begun, "w") as file:
        file.write("x")

ready = lifecycle.Daemon._ready
def ready_then_hang(self, parts):
    ready(self, parts)
    loop = asyncio.get_running_loop()
    if where == "a thread":
        loop.run_in_executor(None, never.wait)
        loop.call_soon(tell)
    elif where == "the loop":
        def hang():
            tell()
            never.wait()
        loop.call_soon(hang)

async def open_and_hang(self, stack):
    tell()
    await asyncio.to_thread(never.wait)

lifecycle.Daemon._ready = ready_then_hang
if where == "the start":
    Memory.open = open_and_hang
sys.exit(__main__.main(sys.argv[4:]))
"""

Hang = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def hang(tmp_path: Path) -> Iterator[Hang]:
    """Start a daemon in which *where* hangs; it is there when this returns. *bound_s*: what its end may take."""
    started: list[subprocess.Popen[str]] = []
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    environ |= {"REVERIE_HOME": str(tmp_path / "home"), "REVERIE_SERVER_PORT": "0"}

    def start(where: str, bound_s: float, drain: str) -> "subprocess.Popen[str]":
        begun = tmp_path / "begun"
        os.mkfifo(begun)
        command = [sys.executable, "-c", HANGING, where, str(begun), str(bound_s), "--set", f"server.drain_s={drain}"]
        started.append(subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True))
        begun.read_text()
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_thread_that_hangs_keeps_no_daemon(hang: Hang) -> None:
    """A thread that never returns, as from a file of a dead network disk, does not keep a daemon that has ended."""
    process = hang("a thread", 10, "0s")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == Exit.OK


@pytest.mark.parametrize("where", ["the start", "the loop"])
def test_what_hangs_before_the_end_began_is_cut_off(hang: Hang, where: str) -> None:
    """A start that never comes to its end, and a loop that stands still, are cut off by one SIGTERM."""
    process = hang(where, 0.2, "0s")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == Exit.FORCED


@pytest.mark.parametrize("where", ["the start", "the loop"])
def test_a_second_signal_forces_whatever_hangs(hang: Hang, where: str) -> None:
    """The second signal does not wait for what the first one gave time: the end comes within its own bound."""
    process = hang(where, 0.2, "1h" if where == "the loop" else "0s")
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == Exit.FORCED
