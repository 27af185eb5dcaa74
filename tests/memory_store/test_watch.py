"""Noticing what happens to files."""

import errno
import queue
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.events import FileSystemEvent
from watchdog.observers import Observer

from memory_store.watch import Watcher

WAIT_S = 60.0


class _Told:
    """What a watcher said, one call after another."""

    def __init__(self) -> None:
        self.calls: queue.Queue[frozenset[str] | None] = queue.Queue()

    def until(self, wanted: Callable[[set[str], bool], bool]) -> tuple[set[str], bool]:
        """All paths told, and whether a full look was asked for, as soon as *wanted* of them holds."""
        paths: set[str] = set()
        everything = False
        while not wanted(paths, everything):
            call = self.calls.get(timeout=WAIT_S)
            everything = everything or call is None
            paths |= call or frozenset()
        return paths, everything


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., tuple[Path, _Told, Watcher]]]:
    """Start watching a folder; it is stopped at the end."""
    watchers: list[Watcher] = []

    def start(**options: float) -> tuple[Path, _Told, Watcher]:
        root = tmp_path / "vault"
        root.mkdir(exist_ok=True)
        told = _Told()
        watcher = Watcher(root, told.calls.put, options.pop("debounce_s", 0.02), **options)
        watchers.append(watcher)
        watcher.start()
        return root, told, watcher

    yield start
    for watcher in watchers:
        watcher.stop()


def test_a_save_is_told_as_its_path(watch: Callable) -> None:
    """New, changed and deleted pages are told by path, others not at all."""
    root, told, watcher = watch()
    assert watcher.watching
    (root / "a.md").write_text("one")
    (root / "a.txt").write_text("no page")
    paths, _ = told.until(lambda paths, _: "a.md" in paths)
    assert paths == {"a.md"}
    (root / "a.md").unlink()
    told.until(lambda paths, _: "a.md" in paths)


def test_a_page_that_is_read_is_no_news(watch: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading wakes nobody: of a page that is opened and closed nothing is told, of one that is written all is."""
    kinds: list[str] = []
    dispatch = Watcher.dispatch

    def seen(watcher: Watcher, event: FileSystemEvent) -> None:
        kinds.append(event.event_type)
        dispatch(watcher, event)

    monkeypatch.setattr(Watcher, "dispatch", seen)
    root, told, _ = watch()
    (root / "a.md").write_text("one")
    told.until(lambda paths, _: "a.md" in paths)
    for _ in range(3):
        assert (root / "a.md").read_text() == "one"
    (root / "b.md").write_text("two")
    told.until(lambda paths, _: "b.md" in paths)
    (root / "b.md").chmod(0o600)
    told.until(lambda paths, _: "b.md" in paths)
    assert "created" in kinds
    assert not {"opened", "closed_no_write"} & set(kinds)


def test_pain_06_a_save_by_rename_is_a_change_and_helpers_are_silent(watch: Callable) -> None:
    """pain 06: vim's dance (4913, .swp, ~, rename over) tells the page and nothing else."""
    root, told, _ = watch()
    (root / "note.md").write_text("old")
    told.until(lambda paths, _: "note.md" in paths)
    for helper in ("4913", ".note.md.swp", ".#note.md", "note.md~"):
        (root / helper).write_text("helper")
    (root / ".note.md.tmp").write_text("new")
    (root / ".note.md.tmp").replace(root / "note.md")
    (root / "note.md~").unlink()
    paths, everything = told.until(lambda paths, _: "note.md" in paths)
    assert paths == {"note.md"}
    assert not everything


def test_pain_06_a_renamed_folder_asks_for_a_full_look(watch: Callable) -> None:
    """pain 06: folders that are moved, made or deleted make everything below them uncertain."""
    root, told, _ = watch()
    (root / "x").mkdir()
    told.until(lambda _, everything: everything)
    (root / "x" / "a.md").write_text("one")
    told.until(lambda paths, everything: "x/a.md" in paths or everything)
    (root / "x").rename(root / "y")
    told.until(lambda _, everything: everything)
    shutil.rmtree(root / "y")
    told.until(lambda _, everything: everything)


@pytest.mark.parametrize("way", ["moved in", "made anew", "both at once"])
def test_a_folder_in_the_vaults_place_is_followed(watch: Callable, tmp_path: Path, way: str) -> None:
    """Once the vault's folder is replaced by another, as sync programs and backups do, saves there are told by path."""
    root, told, watcher = watch()
    other = tmp_path / "restored"
    other.mkdir()
    (root / "old.md").write_text("one")
    told.until(lambda paths, _: "old.md" in paths)
    if way == "both at once":
        root.rename(tmp_path / "before")
        other.rename(root)
    else:
        root.rename(tmp_path / "before")
        told.until(lambda _, everything: everything)
        other.rename(root) if way == "moved in" else root.mkdir()
    told.until(lambda _, everything: everything)
    call: frozenset[str] | None = None
    while "a.md" not in (call or ()):  # what happened before is told first
        (root / "a.md").write_text("one")
        call = told.calls.get(timeout=WAIT_S)
    assert watcher.watching


def test_a_burst_is_gathered(watch: Callable) -> None:
    """Three hundred saves in a row come as far fewer calls and none is lost."""
    root, told, _ = watch(debounce_s=0.5)
    names = {f"n{i}.md" for i in range(300)}
    for name in names:
        (root / name).write_text(name)
    paths, _ = told.until(lambda paths, _: names <= paths)
    assert paths == names
    assert told.calls.qsize() < 100


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE])
def test_pain_10_without_notifications_it_looks_from_time_to_time(
    watch: Callable, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """pain 10: when inotify watches run out, the watcher says so and asks for full looks instead."""

    def exhausted(*_: object, **__: object) -> None:
        raise OSError(code, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "schedule", exhausted)
    _, told, watcher = watch(poll_s=0.03)
    for _ in range(3):
        assert told.calls.get(timeout=WAIT_S) is None
    assert not watcher.watching
    assert "max_user_watches" in watcher.problem


def test_pain_10_notifications_that_ended_begin_again(watch: Callable) -> None:
    """pain 10: when the thread that hears the system dies, that is seen, and the next look begins anew."""
    root, told, watcher = watch()
    for emitter in watcher._observer.emitters.copy():
        emitter.stop()
        emitter.join()
    assert not watcher.watching
    watcher._gather(None)
    told.until(lambda _, everything: everything)
    assert watcher.watching
    (root / "a.md").write_text("one")
    told.until(lambda paths, _: "a.md" in paths)


def test_nothing_is_told_after_stop(watch: Callable) -> None:
    """Once stop returns, the callback is not called any more."""
    root, told, watcher = watch(poll_s=0.01)
    told.calls.get(timeout=WAIT_S)
    watcher.stop()
    while not told.calls.empty():
        told.calls.get_nowait()
    (root / "a.md").write_text("late")
    assert told.calls.empty()
