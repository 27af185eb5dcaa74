"""The ring of events and its readers."""

import asyncio
import logging
import re
import socket
import sys
from pathlib import Path

import pytest

from daemon import logs
from daemon.config import load
from daemon.events import BEHIND, KEPT, Events, FellBehind
from daemon.notify import notify, watchdog_interval_s
from daemon.paths import Paths


async def test_a_reader_gets_what_it_missed_and_then_what_happens() -> None:
    """A reader that comes back with the last id it saw gets the rest, then new events from any thread."""
    events = Events()
    events.bind(asyncio.get_running_loop())
    for number in range(3):
        events.publish("tested", f"number {number}")
    seen = []
    async for event in events.follow(since=1):
        assert event is not None
        seen.append(event.id)
        if event.id == 3:
            await asyncio.to_thread(events.publish, "tested", "from a thread")
        if event.id == 4:
            break
    assert seen == [2, 3, 4]


async def test_silence_is_broken_by_heartbeats_and_ended_by_close() -> None:
    """While nothing happens a reader gets heartbeats; when the daemon stops, the stream ends."""
    events = Events()
    stream = events.follow(heartbeat_s=0.001)
    assert await anext(stream) is None
    events.close()
    assert [event async for event in stream if event] == []


async def test_a_slow_reader_is_dropped_and_the_ring_stays_bounded() -> None:
    """A reader that leaves too many unread is dropped instead of growing; the ring keeps a fixed number."""
    events = Events()
    stream = events.follow()
    first = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    for number in range(KEPT + BEHIND):
        events.publish("tested", str(number))
    with pytest.raises(FellBehind):
        await first
    assert len(events.recent()) == KEPT


async def test_an_id_from_before_a_restart_gives_all_that_is_kept() -> None:
    """Ids start again with the daemon: a reader that names a higher one than exists gets everything kept."""
    events = Events()
    events.publish("tested", "one")
    assert [event.id for event in events.recent(since=900)] == [1]


def test_the_log_is_in_utc_and_rotates(tmp_path: Path) -> None:
    """Lines carry UTC times; the file is cut at its size and so many old ones are kept."""
    settings = load(
        Paths.find({"REVERIE_HOME": str(tmp_path)}), {"REVERIE_LOG_MAX_BYTES": "1000", "REVERIE_LOG_KEEP": "2"}
    )
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    root.handlers = []
    try:
        logs.start(tmp_path / "r.log", settings.log, to_stderr=False)
        for number in range(100):
            logging.getLogger("test").info("line %d", number)
        logging.getLogger("test").debug("the owner's words")
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers, root.level = before, level
    assert sorted(path.name for path in tmp_path.glob("r.log*")) == ["r.log", "r.log.1", "r.log.2"]
    text = (tmp_path / "r.log").read_text()
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO    test: line \d+\n", text)
    assert "owner" not in text


@pytest.mark.parametrize("abstract", [False, True] if sys.platform == "linux" else [False])
def test_readiness_reaches_the_service_manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool) -> None:
    """READY=1 arrives on a socket in the file system and on an abstract one; without a manager nothing happens."""
    monkeypatch.delattr(socket, "SOCK_CLOEXEC", raising=False)  # macOS has none
    name = f"@reverie-{tmp_path.name}-{abstract}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + name[1:] if abstract else name)
        assert notify("READY=1", {"NOTIFY_SOCKET": name})
        assert manager.recv(100) == b"READY=1"
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    assert watchdog_interval_s({"WATCHDOG_USEC": "30000000"}) == 15
    assert watchdog_interval_s({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) is None
