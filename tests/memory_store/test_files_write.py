"""Writes to the vault: compared before they land, synced, and nothing lost when anything fails."""

import ctypes
import errno
import fcntl
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from memory_store import swap
from memory_store.errors import (
    NoSpace,
    NotContained,
    NotOurs,
    PageChanged,
    PageUnreadable,
    VaultReadOnly,
    WouldLoseText,
)
from memory_store.files import Vault, content_hash

TEXT = b"# Page\n\nwith some words that the owner wrote by hand\n"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "vault").mkdir()
    return Vault(tmp_path / "vault", owned=True)


def names(vault: Vault) -> list[str]:
    return sorted(str(path.relative_to(vault.root)) for path in vault.root.rglob("*") if path.is_file())


def test_create_replace_delete(vault: Vault) -> None:
    """A page is made, replaced and deleted by version; each step leaves exactly the page and no other file."""
    first = vault.replace("a/b/page.md", TEXT, None)
    assert first == content_hash(TEXT)
    second = vault.replace("a/b/page.md", TEXT + b"more\n", first)
    assert vault.read("a/b/page.md").data == TEXT + b"more\n"
    assert names(vault) == ["a/b/page.md"]
    vault.delete("a/b/page.md", second)
    assert names(vault) == []


def test_pain_08_another_version_is_never_touched(vault: Vault) -> None:
    """pain 08: a write made for another version fails, naming both, and leaves what it found."""
    old = vault.replace("page.md", TEXT, None)
    (vault.root / "page.md").write_bytes(b"the owner's\n")
    found = content_hash(b"the owner's\n")
    for attempt in (
        lambda: vault.replace("page.md", b"ours\n", old),
        lambda: vault.replace("page.md", b"ours\n", None),
        lambda: vault.delete("page.md", old),
    ):
        with pytest.raises(PageChanged) as refused:
            attempt()
        assert refused.value.found == found
    (vault.root / "page.md").unlink()
    with pytest.raises(PageChanged) as refused:
        vault.replace("page.md", b"ours\n", old)
    assert refused.value.found is None
    assert names(vault) == []


@pytest.mark.parametrize("by_rename", [True, False])
@pytest.mark.parametrize("exchange", [True, False])
def test_pain_08_a_save_in_the_last_moment_wins(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, by_rename: bool, exchange: bool
) -> None:
    """pain 08: the owner saves after our last look and before our rename: with an exchange the save is put back."""
    old = vault.replace("page.md", TEXT, None)
    target = vault.root / "page.md"
    theirs = TEXT + b"saved in the last microsecond\n"
    real = swap._exchange

    def late(one: Path, other: Path) -> bool:
        monkeypatch.setattr(swap, "_exchange", real)
        if by_rename:
            (vault.root / "new").write_bytes(theirs)
            (vault.root / "new").rename(target)
        else:
            target.write_bytes(theirs)
        return real(one, other)

    def earlier(path: Path) -> str | None:
        target.write_bytes(theirs)
        return content_hash(path.read_bytes())

    if exchange:
        monkeypatch.setattr(swap, "_exchange", late)
        with pytest.raises(PageChanged):
            vault.replace("page.md", TEXT + b"ours\n", old)
    else:
        monkeypatch.setattr(swap, "_system_exchange", None)
        assert swap.swap(target, b"ours", old=old, new="x" * 64, hash_of=earlier) == content_hash(theirs)
    assert target.read_bytes() == theirs
    assert names(vault) == ["page.md"]


def test_pain_08_two_saves_around_our_exchange(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: the owner saves before our exchange and again before we put back: a page and a visible copy."""
    old = vault.replace("page.md", TEXT, None)
    target = vault.root / "page.md"
    real = swap._exchange
    saves = [b"first save\n", b"second save\n"]

    def late(one: Path, other: Path) -> bool:
        target.write_bytes(saves.pop(0))
        return real(one, other)

    monkeypatch.setattr(swap, "_exchange", late)
    with pytest.raises(PageChanged):
        vault.replace("page.md", TEXT + b"ours\n", old)
    assert {vault.read(name).data for name in names(vault)} == {b"first save\n", b"second save\n"}
    assert {file.role for file in vault.files()} == {"note", "conflict"}


def test_pain_08_racing_saves_lose_nothing(vault: Vault) -> None:
    """pain 08: two writers that add lines by compare-and-swap as fast as they can: every acknowledged line is there."""
    vault.replace("page.md", b"start\n", None)

    def add(name: str) -> None:
        count = 0
        while count < 25:
            snapshot = vault.read("page.md")
            try:
                vault.replace("page.md", snapshot.data + f"{name} {count}\n".encode(), snapshot.hash)
            except (PageChanged, PageUnreadable):
                continue
            count += 1

    threads = [threading.Thread(target=add, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = vault.read("page.md").data.decode().splitlines()
    assert sorted(lines) == sorted(["start"] + [f"{name} {n}" for name in "ab" for n in range(25)])
    assert names(vault) == ["page.md"]


def test_pain_09_a_write_that_loses_text_is_refused(vault: Vault) -> None:
    """pain 09: emptying a page or dropping most of its words is refused, unless the caller is meant to take away."""
    text = b"".join(b"line %d of the page\n" % n for n in range(20))
    version = vault.replace("page.md", text, None)
    for data in (b"", b"\n \n", b"line 1 of the page\n", b"something else altogether, at the same length\n" * 9):
        with pytest.raises(WouldLoseText):
            vault.replace("page.md", data, version)
    assert vault.read("page.md").data == text
    short = vault.replace("short.md", b"- [a] b\n", None)
    with pytest.raises(WouldLoseText):
        vault.replace("short.md", b"", short)
    short = vault.replace("short.md", b"- [a] something else\n", short)
    vault.replace("short.md", b"", short, may_shrink=True)
    vault.replace("page.md", text.replace(b"line 3 of the page\n", b""), version)


def test_mode_and_owner_stay(vault: Vault) -> None:
    """A replaced page keeps its permissions and, where the process may set it, its owner; a new one follows umask."""
    version = vault.replace("page.md", TEXT, None)
    file = vault.root / "page.md"
    umask = os.umask(0)
    os.umask(umask)
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 1234, 4321)
    before = file.stat()
    vault.replace("page.md", TEXT + b"x", version)
    after = file.stat()
    assert (before.st_mode, before.st_uid, before.st_gid) == (after.st_mode, after.st_uid, after.st_gid)


def test_foreign_vault_is_written_below_reverie_only(tmp_path: Path) -> None:
    """In a vault of somebody's own nothing outside `reverie/` is written, by any call, through any link."""
    vault = Vault(tmp_path, owned=False)
    (tmp_path / "note.md").write_bytes(TEXT)
    (tmp_path / "reverie").mkdir()
    (tmp_path / "reverie" / "link.md").symlink_to(tmp_path / "note.md")
    for path in ("note.md", "new.md", "reverie/link.md", "reveries/x.md"):
        with pytest.raises(NotOurs):
            vault.replace(path, b"x", content_hash(TEXT))
        with pytest.raises(NotOurs):
            vault.append(path, b"x")
        with pytest.raises(NotOurs):
            vault.delete(path, content_hash(TEXT))
    vault.replace("reverie/facts/Me.md", b"x", None)
    assert (tmp_path / "note.md").read_bytes() == TEXT


def test_pain_13_writes_are_contained(vault: Vault, tmp_path: Path) -> None:
    """pain 13: no write leaves the vault or touches what is no page."""
    (vault.root / "way").symlink_to(tmp_path)
    for path in ("../x.md", "way/x.md", "/tmp/x.md", ".git/x.md", "a/.hidden.md", "picture.png", "x.md~"):
        with pytest.raises(NotContained):
            vault.replace(path, b"x", None)
        with pytest.raises(NotContained):
            vault.append(path, b"x")
    assert not (tmp_path / "x.md").exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, bool]]:
    """A folder on a file system of 64 KiB where root may mount one; else any folder, and False."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = False
    if os.geteuid() == 0 and sys.platform.startswith("linux"):
        command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    yield disk, mounted
    if mounted:
        subprocess.run(["umount", str(disk)], check=True)


def test_full_disk(small_disk: tuple[Path, bool]) -> None:
    """On a full disk every write fails as NoSpace; the page, its neighbours and the folder are as they were."""
    disk, mounted = small_disk
    vault = Vault(disk, owned=True)
    version = vault.replace("page.md", TEXT, None)
    vault.append("journal/day.md", b"one\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16384, hard))
    try:
        big = TEXT + b"x " * 65536
        for attempt in (
            lambda: vault.replace("page.md", big, version),
            lambda: vault.replace("new.md", big, None),
            lambda: vault.append("journal/day.md", big),
            lambda: vault.append("journal/other.md", big),
        ):
            with pytest.raises(NoSpace):
                attempt()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert vault.read("page.md").data == TEXT
    assert vault.read("journal/day.md").data == b"one\n"
    assert names(vault) == ["journal/day.md", "page.md"]
    vault.replace("page.md", TEXT + b"again\n", version)


@pytest.mark.parametrize("step", ["write", "fsync", "rename", "link"])
@pytest.mark.parametrize(("code", "error"), [(errno.ENOSPC, NoSpace), (errno.EROFS, VaultReadOnly)])
def test_a_step_that_fails_leaves_the_original(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, step: str, code: int, error: type[Exception]
) -> None:
    """Whichever system call of a write fails, the old page stands, and no temporary file stays."""
    version = vault.replace("page.md", TEXT, None)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        if step == "link":
            with pytest.raises(error):
                vault.replace("new.md", TEXT, None)
        else:
            with pytest.raises(error):
                vault.replace("page.md", TEXT + b"x", version)
    assert vault.read("page.md").data == TEXT
    assert names(vault) == ["page.md"]


KILLED = """
import os, signal, sys
from pathlib import Path
from memory_store.files import Vault
vault = Vault(Path(sys.argv[1]), owned=True)
def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, sys.argv[2], killed)
vault.replace("page.md", Path(sys.argv[3]).read_bytes(), sys.argv[4])
"""


@pytest.mark.parametrize("call", ["fsync", "rename", "unlink"])
def test_killed_in_the_middle_of_a_write(vault: Vault, tmp_path: Path, call: str) -> None:
    """kill -9 before the sync, the rename or the clearing away: the whole old or the whole new page; heal tidies."""
    version = vault.replace("page.md", TEXT, None)
    new = tmp_path / "new"
    new.write_bytes(TEXT + b"new\n")
    arguments = [sys.executable, "-c", KILLED, str(vault.root), call, str(new), version]
    assert subprocess.run(arguments, check=False).returncode == -9
    assert vault.read("page.md").data == (TEXT + b"new\n" if call == "unlink" else TEXT)
    assert len(names(vault)) == 2
    assert vault.heal() == ()
    assert names(vault) == ["page.md"]


def test_heal_keeps_a_version_it_does_not_know(vault: Vault) -> None:
    """A kill between trading places and putting the owner's save back: it comes back as a visible conflicted copy."""
    (vault.root / "sub").mkdir()
    (vault.root / "sub" / f".reverie-swap-{'a' * 16}-{'b' * 16}-00.tmp").write_bytes(b"the owner's save\n")
    (path,) = vault.heal()
    assert vault.read(path).data == b"the owner's save\n"
    assert vault.classify(path) == "conflict"


def test_append_survives_a_save_by_rename(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor that puts a new file in place while we append gets the appended text too."""
    vault.append("day.md", b"one\n")
    real = os.fsync
    done: list[int] = []

    def fsync(descriptor: int) -> None:
        real(descriptor)
        if not done:
            done.append(1)
            (vault.root / "new").write_bytes(b"edited\n")
            (vault.root / "new").rename(vault.root / "day.md")

    monkeypatch.setattr(os, "fsync", fsync)
    vault.append("day.md", b"two\n")
    assert vault.read("day.md").data == b"edited\ntwo\n"


def test_pain_08_a_program_that_had_the_page_open_loses_nothing(tmp_path: Path) -> None:
    """pain 08: what another program adds to the file it opened before our write is seen, and our write taken back."""
    page = tmp_path / "a.md"
    page.write_bytes(b"one\n")
    hashed: list[str] = []

    with page.open("ab", buffering=0) as writer:

        def hash_of(file: Path) -> str:
            found = content_hash(file.read_bytes())
            hashed.append(file.name)
            if len(hashed) == 2:  # just after the first look at what came out
                writer.write(b"late\n")
            return found

        new = content_hash(b"ours\n")
        found = swap.swap(page, b"ours\n", old=content_hash(b"one\n"), new=new, hash_of=hash_of)
    if swap._system_exchange is None:
        return
    assert found == content_hash(b"one\nlate\n")
    assert page.read_bytes() == b"one\nlate\n"
    assert [file.name for file in tmp_path.iterdir()] == ["a.md"]


class _MacLibrary:
    """The call of macOS's C library that lets files trade places."""

    def __init__(self) -> None:
        def renamex_np(one: bytes, other: bytes, flags: int) -> int:
            assert flags == 2  # RENAME_SWAP
            aside = Path(os.fsdecode(one)).rename(os.fsdecode(one) + ".aside")
            Path(os.fsdecode(other)).rename(os.fsdecode(one))
            aside.rename(os.fsdecode(other))
            return 0

        self.renamex_np = renamex_np


def test_pain_08_files_trade_places_on_macos_too(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: macOS's own call puts the owner's last save back, too; a system without such a call has none."""
    exchange = swap.find_exchange("darwin", cast("ctypes.CDLL", _MacLibrary()))
    monkeypatch.setattr(swap, "_system_exchange", exchange)
    old = vault.replace("page.md", TEXT, None)
    theirs = TEXT + b"saved in the last microsecond\n"

    def late(one: Path, other: Path) -> bool:
        monkeypatch.setattr(swap, "_exchange", real)
        (vault.root / "page.md").write_bytes(theirs)
        return real(one, other)

    real = swap._exchange
    monkeypatch.setattr(swap, "_exchange", late)
    with pytest.raises(PageChanged):
        vault.replace("page.md", TEXT + b"ours\n", old)
    assert (vault.root / "page.md").read_bytes() == theirs
    assert swap.find_exchange("freebsd14", ctypes.CDLL(None)) is None
    assert swap.find_exchange("linux", cast("ctypes.CDLL", _MacLibrary())) is None


def test_what_is_synced_leaves_the_drives_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS a write asks the drive itself to keep it; a file system that knows no such thing is synced as any."""
    asked: list[int] = []

    def flushed(_descriptor: int, command: int) -> None:
        asked.append(command)
        if len(asked) > 2:
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(swap, "_FULL_SYNC", 51)
    monkeypatch.setattr(fcntl, "fcntl", flushed)
    for word in (b"one\n", b"two\n"):
        swap.append(tmp_path / "a.md", word)
    assert (tmp_path / "a.md").read_bytes() == b"one\ntwo\n"
    assert asked == [51] * 3  # the file, its folder, and the file again
