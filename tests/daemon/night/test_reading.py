"""What reading leaves for the night, and that it costs no search anything."""

import os
from datetime import UTC, datetime
from pathlib import Path

from daemon.night.reading import KEEP_EVERY, Reading
from daemon.night.state import NightState
from daemon.night.uses import Uses
from memory_store.index.hits import Hit, Hits


def _now() -> datetime:
    return datetime(2026, 11, 28, tzinfo=UTC)


def test_no_search_waits_for_the_counts_to_be_on_disk(tmp_path: Path) -> None:
    """However long the disk takes to keep what was counted, searches go on; what they leave meanwhile is kept after."""
    state = NightState(tmp_path)
    slow = tmp_path / "access.new"
    os.mkfifo(slow)
    reading = Reading(state, Uses(state, now=_now), _now)
    hits = Hits([Hit("a.md", 1, 1, "", "", "", 1.0, key=7)])
    for _ in range(KEEP_EVERY + 5):
        reading.searched("boat", hits)
    with slow.open("rb") as disk:  # only now the first writing gets on, to no disk
        slow.unlink()
        assert disk.read()
    reading.searched("boat", hits)
    reading.keep()
    assert state.access().found[7] == KEEP_EVERY + 6
