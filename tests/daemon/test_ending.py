"""A daemon that is told to end does so in bounded time, whatever hangs in it."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon.errors import Exit
from tests.nursery import Forked

pytestmark = pytest.mark.timeout(90)

HANGING = """
import asyncio, threading
from daemon import __main__, lifecycle
from daemon.memory import Memory

__main__.THREADS_AT_MOST_S = 0.2
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
"""

Hang = Callable[[str, float, str], Forked]


@pytest.fixture
def hang(tmp_path: Path) -> Iterator[Hang]:
    """Start a daemon in which *where* hangs; it is there when this returns. *bound_s*: what its end may take."""
    started: list[Forked] = []
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    environ |= {"REVERIE_HOME": str(tmp_path / "home"), "REVERIE_SERVER_PORT": "0"}

    def start(where: str, bound_s: float, drain: str) -> Forked:
        begun = tmp_path / "begun"
        os.mkfifo(begun)
        what = f"where, begun, bound_s = {(where, str(begun), bound_s)!r}\n"
        started.append(Forked(["--set", f"server.drain_s={drain}"], environ, before=what + HANGING))
        begun.read_text()
        return started[-1]

    yield start
    for process in started:
        process.kill()


def test_a_thread_that_hangs_keeps_no_daemon(hang: Hang) -> None:
    """A thread that never returns, as from a file of a dead network disk, does not keep a daemon that has ended."""
    process = hang("a thread", 10, "0s")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == Exit.OK


@pytest.mark.parametrize("where", ["the start", "the loop"])
def test_what_hangs_before_the_end_began_is_cut_off(hang: Hang, where: str) -> None:
    """A start that never comes to its end, and a loop that stands still, are cut off by one SIGTERM."""
    process = hang(where, 0.2, "0s")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == Exit.FORCED


@pytest.mark.parametrize("where", ["the start", "the loop"])
def test_a_second_signal_forces_whatever_hangs(hang: Hang, where: str) -> None:
    """The second signal does not wait for what the first one gave time: the end comes within its own bound."""
    process = hang(where, 0.2, "1h" if where == "the loop" else "0s")
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == Exit.FORCED
