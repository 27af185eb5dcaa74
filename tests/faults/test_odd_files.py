"""A vault in which lies what is no page: pipes, sockets, devices, loops, names in no encoding."""

import contextlib
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from memory_store.errors import HistoryDamaged
from memory_store.facts import FactChange
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=UTC)


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Path]:
    """A vault with a page of facts among things that are none."""
    vault = tmp_path / "memory"
    (vault / "facts").mkdir(parents=True)
    (vault / "facts" / "Home.md").write_text("# Home\n\n- [wifi password] zanzibar77\n")
    for name in ("pipe", "pipe.md", "facts/pipe.md", "pipe.txt"):
        os.mkfifo(vault / name)
    for name, target in (("zero", "/dev/zero"), ("zero.md", "/dev/zero"), ("loop", "."), ("self.md", "self.md")):
        (vault / name).symlink_to(target)
    with closing(socket.socket(socket.AF_UNIX)) as door:
        here = Path.cwd()
        os.chdir(vault)  # the whole path may be longer than a socket's name can be
        try:
            door.bind("socket")
        finally:
            os.chdir(here)
        yield vault


def test_pain_29_forgetting_waits_for_nothing_that_never_ends(odd: Path, tmp_path: Path) -> None:
    """pain 29: pipes and devices are not read; a file that keeps the value is named, in whatever bytes its name is."""
    named = os.fsencode(odd) + b"/caf\xe9.txt"
    try:
        with open(named, "wb") as file:  # noqa: PTH123 - the name is no text
            file.write(b"it is zanzibar77\n")
    except OSError:
        named = b""  # a system whose names must be text
    store = Store.open(odd, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    done = store.forget("wifi password", confirm=True)
    assert done.done
    kept = [place for place in done.left if "no page" in place]
    assert kept == (["caf\\xe9.txt: it is no page, so it is not rewritten"] if named else [])
    msgspec.json.encode(done.left)  # it can be told
    assert "zanzibar77" not in (odd / "facts" / "Home.md").read_text()
    store.close()


def test_a_vault_whose_history_is_damaged_opens_and_is_written(odd: Path, tmp_path: Path) -> None:
    """Whichever object of git's is broken: pages are read, found and written, and what is wrong is told in a line."""
    store = Store.open(odd, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    store.remember_note("one", "Notes.md")
    store.close()
    for broken in (file for file in sorted((odd / ".git" / "objects").rglob("*")) if file.is_file()):
        kept = broken.read_bytes()
        broken.chmod(0o644)
        broken.write_bytes(kept[: len(kept) // 2])
        store = Store.open(odd, tmp_path / "state", owned=True, now=lambda: NOW)
        store.sync()
        with contextlib.suppress(HistoryDamaged):
            store.owner_commit()
        store.remember_note(broken.name, "Notes.md")
        assert broken.name in (odd / "Notes.md").read_text()
        assert [hit.path for hit in store.search("zanzibar77")] == ["facts/Home.md"]
        assert all("\n" not in found.message for found in store.doctor() if found.subject == "history")
        store.close()
        broken.write_bytes(kept)


def test_pain_13_a_page_reached_through_a_link_is_the_page_itself(odd: Path, tmp_path: Path) -> None:
    """pain 13: a note filed, and a page forgotten, through a link in the vault is that of the page, in history too."""
    store = Store.open(odd, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    assert store.remember_note("a note", "loop/facts/Home").path == "facts/Home.md"
    assert store.history(1)[0].paths == ("facts/Home.md",)
    assert store.owner_commit() is None
    done = store.forget("loop/facts/Home.md", confirm=True)
    assert "facts/Home.md" in done.places
    assert not (odd / "facts" / "Home.md").exists()
    assert all(path != "facts/Home.md" for commit in store.history(None) for path in commit.paths)
    store.close()


def test_pain_15_pages_whose_names_differ_in_case_or_form_alone_are_pages_of_their_own(tmp_path: Path) -> None:
    """pain 15: where the file system tells them apart each is found, written and forgotten by its own name alone."""
    vault = tmp_path / "memory"
    (vault / "facts").mkdir(parents=True)
    names = ["Work", "work", "Caf\u00e9", "Cafe\u0301"]
    for number, name in enumerate(names):
        (vault / f"facts/{name}.md").write_text(f"- [locker {number}] heron-{number}{number}\n")
    if len(list((vault / "facts").iterdir())) < len(names):  # here they are one
        return
    store = Store.open(vault, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    store.owner_commit()
    for number, name in enumerate(names):
        path = f"facts/{name}.md"
        assert [hit.path for hit in store.search(f"heron-{number}{number}", mode="keyword", limit=1)] == [path]
        store.write([FactChange(path, f"locker {number}", "set", after=f"osprey-{number}{number}")], "Change")
        assert f"osprey-{number}{number}" in (vault / path).read_text()
    assert store.forget("locker 0", confirm=True).done
    assert "osprey" not in (vault / "facts/Work.md").read_text()
    assert ["osprey-11" in (vault / "facts/work.md").read_text(), store.owner_commit()] == [True, None]
    store.close()


@pytest.mark.parametrize(("before", "after"), [("Work", "WORK"), ("Caf\u00e9", "Cafe\u0301")])
def test_pain_15_a_rename_that_changes_case_or_form_alone_is_followed(tmp_path: Path, before: str, after: str) -> None:
    """pain 15: the page is found under the name it has now, once, its facts with it, and the history knows it."""
    vault = tmp_path / "memory"
    (vault / "facts").mkdir(parents=True)
    (vault / f"facts/{before}.md").write_text("- [locker] heron-42\n")
    store = Store.open(vault, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    store.owner_commit()
    (vault / f"facts/{before}.md").rename(vault / f"facts/{after}.md")
    store.sync()
    assert [hit.path for hit in store.search("heron-42")] == [f"facts/{after}.md"]
    assert [fact.path for fact in store.ledger.current("locker")] == [f"facts/{after}.md"]
    assert store.owner_commit()
    assert store.owner_commit() is None
    assert store.history()[0].paths and [info.path for info in store.pages("facts/")] == [f"facts/{after}.md"]
    store.write([FactChange(f"facts/{after}.md", "locker", "set", after="osprey-7")], "Change")
    assert len(list((vault / "facts").iterdir())) == 1
    assert store.forget("locker", confirm=True).left == ()
    store.close()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"heron-42" not in file.read_bytes()
