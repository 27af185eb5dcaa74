"""A full disk, a read-only disk and kill -9: what was acknowledged stands, what was there before is intact."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory_store.errors import HistoryBusy, NoSpace, VaultReadOnly
from memory_store.facts import FactChange
from memory_store.journal import Exchange, Said
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 0, tzinfo=timezone(timedelta(hours=1)))


def opened(home: Path) -> Store:
    return Store.open(home / "memory", home / "state", owned=True, now=lambda: NOW)


def hobby(number: int, value: str) -> FactChange:
    return FactChange("facts/Me.md", f"hobby {number}", "set", after=value)


def test_a_full_disk_loses_nothing(disk: Path, fill: Callable[[Path], Path]) -> None:
    """On a full disk writes, notes and conversations fail as NoSpace, leave all as it was, and work again with room."""
    if not disk.is_mount():
        return
    store = opened(disk)
    store.write([hobby(0, "chess")], "Remember a hobby")
    before = (disk / "memory/facts/Me.md").read_bytes()
    filler = fill(disk)
    for attempt in (
        lambda: store.write([hobby(1, "go " * 2000)], "Remember"),
        lambda: store.remember_note("words " * 2000),
        lambda: store.append_journal(Exchange("e1", NOW, "m", [Said("user", "words " * 2000)])),
    ):
        with pytest.raises(NoSpace):
            attempt()
    assert (disk / "memory/facts/Me.md").read_bytes() == before
    assert [path.name for path in disk.rglob("*.md")] == ["Me.md"]
    assert list(disk.rglob(".reverie-*")) == []
    assert store.ledger.current("hobby 0")[0].value == "chess"
    filler.unlink()
    store.write([hobby(1, "go")], "Remember")
    store.append_journal(Exchange("e1", NOW, "m", [Said("user", "words")]))
    store.close()
    store = opened(disk)
    assert store.ledger.current("hobby 1")[0].value == "go"
    assert len(store.history()) == 3
    store.close()


def test_an_index_on_a_full_disk_catches_up_with_room(disk: Path, fill: Callable[[Path], Path]) -> None:
    """What the index cannot take in for want of space is found once there is some, and nothing found before is lost."""
    if not disk.is_mount():
        return
    store = opened(disk)
    (disk / "memory" / "a.md").write_text("the quokka sleeps\n")
    store.sync()
    (disk / "memory" / "b.md").write_text("".join(f"wombat number{n} sleeps\n\n" for n in range(3000)))
    filler = fill(disk)
    for attempt in (store.sync, store.rebuild):
        with pytest.raises((NoSpace, OSError)):
            attempt()
    assert [hit.path for hit in store.search("quokka", limit=1)] == ["a.md"]
    filler.unlink()
    store.sync()
    assert [hit.path for hit in store.search("number2999", limit=1)] == ["b.md"]
    store.close()


def test_however_little_room_there_is_what_is_said_of_a_change_is_true(
    tmp_path: Path, disk: Path, fill: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    """
    With the state on a disk that has room for a part of a change only: what is refused is not written, what is written
    is not refused, and what a forgetting has begun on is gone from everywhere once there is room.
    """
    if not disk.is_mount():
        return
    vault, page = tmp_path / "memory", tmp_path / "memory/facts/Me.md"
    store = Store.open(vault, disk / "state", owned=True, now=lambda: NOW)
    store.sync()
    for room in range(0, 130_000, 16_384):
        store.write([hobby(room, f"secret{room}x")], "Remember a hobby")
        filler = fill(disk)
        os.truncate(filler, filler.stat().st_size - room)
        was = page.read_bytes()
        try:
            store.write([hobby(1, f"news{room}")], "Remember")
        except NoSpace:
            assert page.read_bytes() == was
        else:
            assert f"news{room}" in page.read_text()
        was = page.read_bytes()
        try:
            assert store.forget(f"hobby {room}", confirm=True).done
        except NoSpace:
            begun = page.read_bytes() != was
        else:
            begun = True
        filler.unlink()
        store.owner_commit()
        if begun:
            told = [path for path, data in store._history.versions("facts") if f"secret{room}x".encode() in data]
            assert (f"secret{room}x" in page.read_text(), told) == (False, []), room
            assert not store.search(f"secret{room}x")
    assert len(list((disk / "state" / "index").glob("volume-*"))) == 1
    store.close()
    caplog.clear()  # errors that were logged hold the index's files


def test_a_rebuild_that_finds_no_room_leaves_nothing_behind(disk: Path, fill: Callable[[Path], Path]) -> None:
    """Each try to build the index anew on a full disk ends as NoSpace, and takes no more of the disk than before."""
    if not disk.is_mount():
        return
    (disk / "memory").mkdir()
    (disk / "memory" / "a.md").write_text("".join(f"wombat number{n} sleeps\n\n" for n in range(500)))
    store = opened(disk)
    store.sync()
    filler = fill(disk)
    os.truncate(filler, filler.stat().st_size - 60_000)
    for _ in range(3):
        with pytest.raises(NoSpace):
            store.rebuild()
        assert len(list((disk / "state" / "index").glob("volume-*"))) == 1
    assert store.search("number499", limit=1)[0].path == "a.md"
    filler.unlink()
    assert store.rebuild().rebuilt
    store.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # dulwich tries once more, in vain
def test_a_history_that_found_no_room_leaves_no_lock(
    tmp_path: Path, disk: Path, fill: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    """However little room git's files have: what could not be committed is, once there is some, and no lock is left."""
    if not disk.is_mount():
        return
    store = Store.open(disk / "memory", tmp_path / "state", owned=True, now=lambda: NOW)
    git = disk / "memory" / ".git"
    for room in range(0, 60_000, 4_096):
        page = disk / "memory" / f"{room}.md"
        page.write_bytes(b"")
        filler = fill(disk)
        os.truncate(filler, filler.stat().st_size - room)
        with contextlib.suppress(NoSpace, HistoryBusy):
            store.write([hobby(1, f"news{room}")], "Remember")
        with contextlib.suppress(NoSpace, HistoryBusy):
            store.owner_commit()
        assert [lock.name for lock in git.rglob("*.lock")] == [], room
        filler.unlink()
        store.write([hobby(2, f"later{room}")], "Remember")
        assert store.history(1)[0].message.startswith("Remember")
    assert store.doctor() == []
    store.close()
    caplog.clear()


def test_a_read_only_disk_is_read(disk: Path) -> None:
    """A vault on a disk that was mounted read-only opens, is searched, and refuses writes by name."""
    if not disk.is_mount():
        return
    home = disk.parent
    (disk / "facts").mkdir()
    (disk / "facts/Me.md").write_text("- [hobby] herons\n")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    store = Store.open(disk, home / "state", owned=True, now=lambda: NOW)
    store.sync()
    assert store.search("herons")[0].path == "facts/Me.md"
    for attempt in (lambda: store.write([hobby(1, "go")], "Remember"), lambda: store.remember_note("x")):
        with pytest.raises(VaultReadOnly):
            attempt()
    with pytest.raises(VaultReadOnly):
        store.owner_commit()
    assert store.history() == []
    store.close()


WRITER = """
import sys
from datetime import datetime, timezone
from pathlib import Path
from memory_store.facts import FactChange
from memory_store.store import Store
home = Path(sys.argv[1])
store = Store.open(home / "memory", home / "state", owned=True, now=lambda: datetime.now(timezone.utc))
for number in range(10_000):
    hobby = FactChange("facts/Me.md", f"hobby {number}", "set", after="a value")
    task = FactChange("facts/Work.md", f"task {number}", "set", after="a value")
    store.write([hobby, task], f"Change {number}")
    print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path, acknowledged: int) -> None:
    """A writer killed with -9: every acknowledged change stands, none stands half, the next start tidies."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        last = -1
        while last < acknowledged:
            last = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.stdout.read().split()
    last = int(rest[-1]) if rest else last
    store = opened(tmp_path)
    store.sync()
    known = {fact.attribute for fact in store.ledger.facts()}
    assert {f"hobby {n}" for n in range(last + 1)} <= known
    assert {name.removeprefix("hobby ") for name in known if "hobby" in name} == {
        name.removeprefix("task ") for name in known if "task" in name
    }
    store.owner_commit()
    assert {commit.author for commit in store.history(None)} == {"reverie"}
    assert list(tmp_path.rglob(".reverie-*")) == []
    store.write([hobby(-1, "after")], "After")
    store.close()
