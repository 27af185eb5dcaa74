"""The index under damage, kills and company."""

import contextlib
import multiprocessing
import os
import resource
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_store.errors import StoreError
from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.volume import Volume
from memory_store.index.whoosh_index import WhooshIndex

_POINTERS = {
    "pointer to none": b"volume-99",
    "pointer of zeros": bytes(8),
    "pointer of noise": b"volume-\xff\xc3",
    "pointer out": b"../memory",
    "empty pointer": b"",
}
PAGES = {f"n{i}.md": f"# Note {i}\n\nquokka number{i} sleeps\n" for i in range(12)}


def _damage(folder: Path, what: str) -> None:
    files = {
        "whoosh segment": next(folder.glob("volume-*/whoosh/*.seg"), None),
        "whoosh toc": next(folder.glob("volume-*/whoosh/*.toc"), None),
        "postings": next(folder.glob("volume-*/postings/*.seg"), None),
        "manifest": next(folder.glob("volume-*/manifest.db"), None),
    }
    if what in _POINTERS:
        (folder / "current").write_bytes(_POINTERS[what])
        return
    if what == "whoosh folder":
        for path in folder.glob("volume-*/whoosh/*"):
            path.unlink()
        return
    file = files[what]
    assert file is not None
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])


@contextlib.contextmanager
def _no_more_files() -> Iterator[None]:
    """Inside, this process cannot open another file."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, *limits), limits[1]))
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_too_many_open_files_are_no_damage(make_bench: Callable) -> None:
    """Where no more files can be opened nothing may be found just then, and the index still counts as sound after."""
    bench = make_bench(PAGES)
    asks: list[Callable[[], object]] = [
        lambda: bench.index.search("quokka"),
        lambda: bench.index.search("number7", syntax=True),
        bench.index.sync,
        bench.index.status,
    ]

    def ask(index: int) -> None:  # in a thread of its own, which has no connection to the manifest yet
        with contextlib.suppress(OSError, StoreError):
            asks[index]()

    with _no_more_files():
        for index in range(len(asks)):
            asker = threading.Thread(target=ask, args=(index,))
            asker.start()
            asker.join()
    assert bench.index.status().notice is None
    assert not bench.index.sync().rebuilt
    assert bench.paths("number7", syntax=True) == ["n7.md"]


@pytest.mark.parametrize("what", ["whoosh segment", "whoosh toc", "postings", "manifest", "whoosh folder", *_POINTERS])
def test_pain_20_damage_is_seen_at_open_and_rebuilt(make_bench: Callable, what: str) -> None:
    """pain 20: a truncated or missing file is noticed at open; searches answer at once; a sync rebuilds beside."""
    bench = make_bench(PAGES)
    bench.index.close()
    for leftover in bench.state.glob("volume-*/manifest.db-*"):
        leftover.unlink()
    _damage(bench.state, what)
    bench.index = Index.open(bench.vault, bench.state)
    assert bench.index.status().rebuilding
    during = bench.index.search("quokka number7")
    assert during[0].path == "n7.md"
    assert during.notice
    assert bench.index.sync().rebuilt
    after = bench.index.search("quokka number7")
    assert (after[0].path, after.notice) == ("n7.md", None)
    assert bench.paths("number7", syntax=True) == ["n7.md"]
    assert len(list(bench.state.glob("volume-*"))) == 1


def test_an_index_of_an_earlier_version_is_rebuilt(make_bench: Callable) -> None:
    """An index made under another schema is read by no newer version: it is rebuilt, and searches go on."""
    bench = make_bench(PAGES)
    bench.index.close()
    with contextlib.closing(sqlite3.connect(next(bench.state.glob("volume-*/manifest.db")))) as db, db:
        db.execute("UPDATE meta SET value = '1' WHERE key = 'format'")
        db.execute("ALTER TABLE chunks DROP COLUMN length")
    bench.index = Index.open(bench.vault, bench.state)
    assert bench.index.search("quokka number7")[0].path == "n7.md"
    assert bench.index.sync().rebuilt
    assert bench.paths("number7", syntax=True) == ["n7.md"]


def test_pain_20_damage_is_seen_at_search(make_bench: Callable) -> None:
    """pain 20: files that break under a running index: the search answers, the next sync rebuilds."""
    bench = make_bench(PAGES)
    for path in bench.state.glob("volume-*/whoosh/*"):
        path.unlink()
    hits = bench.index.search("number7", syntax=True)
    assert [hit.path for hit in hits] == ["n7.md"]
    assert "repaired" in hits.notice
    assert bench.index.status().rebuilding
    assert bench.index.sync().rebuilt
    assert bench.paths("number7", syntax=True) == ["n7.md"]


def test_pain_20_a_stale_lock_does_not_block(make_bench: Callable) -> None:
    """pain 20: a lock file that a killed process left behind stops nothing."""
    bench = make_bench(PAGES)
    bench.index.close()
    for folder in bench.state.glob("volume-*/whoosh"):
        (folder / "MAIN_WRITELOCK").write_text("")
    bench.index = Index.open(bench.vault, bench.state)
    bench.write("new.md", "numbat\n")
    assert bench.index.sync().added == 1
    assert bench.paths("numbat") == ["new.md"]


def _sync_and_die(root: str, state: str, at: str) -> None:
    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    vault = Vault(Path(root), owned=True)
    index = Index.open(vault, Path(state))
    if at == "before whoosh":
        WhooshIndex.write = die  # type: ignore[method-assign, assignment]
    elif at == "inside whoosh":
        from whoosh.writing import SegmentWriter

        SegmentWriter._commit_toc = die
    elif at == "after whoosh":
        from memory_store.index import volume

        volume.build_segment = die  # type: ignore[assignment]
    else:
        Volume._show = die  # type: ignore[method-assign, assignment]
    index.sync()


@pytest.mark.parametrize("at", ["before whoosh", "inside whoosh", "after whoosh", "after all"])
def test_pain_20_a_kill_at_any_point_of_a_commit_is_mended(make_bench: Callable, at: str) -> None:
    """pain 20: kill -9 before, inside, between and after the commits: a restart and a sync give the true state."""
    bench = make_bench(PAGES)
    bench.index.close()
    bench.write("n3.md", "# Note 3\n\nnumbat instead\n")
    bench.write("new.md", "numbat too\n")
    (bench.root / "n4.md").unlink()
    if at == "after all":
        bench.index = Index.open(bench.vault, bench.state)
        bench.index.close()
    child = multiprocessing.get_context("fork").Process(
        target=_sync_and_die, args=(str(bench.root), str(bench.state), at)
    )
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    bench.index = Index.open(bench.vault, bench.state)
    assert "n3.md" not in bench.paths("quokka", limit=20)
    bench.index.sync()
    assert not bench.index.status().rebuilding
    assert sorted(bench.paths("numbat")) == ["n3.md", "new.md"]
    assert sorted(bench.paths("numbat", syntax=True)) == ["n3.md", "new.md"]
    assert len(bench.paths("quokka", limit=20)) == 10
    assert len(bench.paths("quokka", limit=20, syntax=True)) == 10
    assert bench.index._volume.whoosh.count() == bench.index.status().chunks == 12


def test_searches_go_on_while_the_index_is_rebuilt(make_bench: Callable) -> None:
    """While syncs and rebuilds run, every search gives every page, none waits, none fails."""
    bench = make_bench(PAGES)
    stop = threading.Event()
    wrong: list[object] = []

    def look() -> None:
        while not stop.is_set():
            try:
                found = {hit.path for hit in bench.index.search("quokka", limit=20)}
                found_too = {hit.path for hit in bench.index.search("quokka", limit=20, syntax=True)}
            except (StoreError, OSError, ValueError) as error:
                wrong.append(error)
                return
            if not (set(PAGES) <= found and set(PAGES) <= found_too):
                wrong.append((found, found_too))

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(6):
            bench.write(f"extra{turn}.md", f"wombat {turn}\n")
            if turn % 2:
                bench.index.rebuild()
            else:
                bench.index.sync()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_rebuilds_that_meet_keep_out_of_each_others_folder(make_bench: Callable) -> None:
    """Two rebuilds that are asked for at once come one after the other, each in a folder of its own."""
    bench = make_bench(PAGES)
    index, lock = bench.index, bench.index._changing
    both_wait = threading.Barrier(3)
    folders: list[Path] = []
    sync = index._upkeep.sync

    class Door:
        """The index's lock, which lets nobody in before both rebuilds stand before it."""

        def __enter__(self) -> None:
            both_wait.wait(60)
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()

    def seen(volume: Volume, paths: list[str] | None) -> object:
        folders.append(volume.folder)
        return sync(volume, paths)

    index._changing, index._upkeep.sync = Door(), seen
    threads = [threading.Thread(target=index.rebuild) for _ in range(2)]
    for thread in threads:
        thread.start()
    both_wait.wait(60)
    for thread in threads:
        thread.join()
    index._changing, index._upkeep.sync = lock, sync
    assert len(set(folders)) == 2
    assert sorted(bench.paths("quokka", limit=20)) == sorted(PAGES)


def test_many_syncs_leave_few_segments(make_bench: Callable) -> None:
    """After many small commits posting files and Whoosh segments stay few, and every page is found."""
    bench = make_bench()
    for i in range(40):
        bench.write(f"n{i}.md", f"quokka number{i}\n")
        bench.index.sync([f"n{i}.md"])
    volume = bench.index._volume
    assert len(volume.view.scorer.postings.segments) <= 12
    assert len(list((volume.folder / "whoosh").glob("*.seg"))) <= 14
    assert len(bench.paths("quokka", limit=50)) == 40
    assert len(bench.paths("quokka", limit=50, syntax=True)) == 40
    bench.reopen()
    assert len(bench.paths("quokka", limit=50)) == 40


def test_compacting_leaves_no_trace_of_what_is_gone(make_bench: Callable, hash_embedder: object) -> None:
    """After a page is removed and the index compacted, its words are in no file of the state folder."""
    bench = make_bench({**PAGES, "secret.md": "# Hush\n\nxyzzyplugh is the word\n"}, embedder=hash_embedder)
    bench.embed_all()
    bench.write("secret.md", "# Hush\n\nnothing\n")
    bench.index.sync()
    bench.embed_all()
    bench.index.compact()
    bench.index.close()
    traces = [path for path in bench.state.rglob("*") if path.is_file() and b"xyzzyplugh" in path.read_bytes()]
    assert traces == []
    bench.reopen()
    assert bench.index.status().vectors == bench.index.status().chunks == 13
    assert bench.paths("quokka number5")[0] == "n5.md"
    assert bench.paths("xyzzyplugh", mode="keyword") == []
