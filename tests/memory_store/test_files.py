"""The vault's files: what is listed, what is refused, and that an error is never an absence."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory_store.errors import NotContained, PageMissing, PageUnreadable
from memory_store.files import Vault, content_hash, is_page_name, original_of


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "vault").mkdir()
    return Vault(tmp_path / "vault", owned=True)


def put(vault: Vault, path: str, text: str = "text\n") -> Path:
    file = vault.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def listed(vault: Vault) -> list[str]:
    return [file.path for file in vault.files()]


def test_listing_knows_roles(vault: Vault) -> None:
    """Pages are listed by path, each with the role that its place gives it."""
    for path in (
        "MEMORY.md",
        "META.md",
        "facts/Work.md",
        "journal/2026/2026-11-30.md",
        "dreams/d.md",
        "Ideas/x.markdown",
    ):
        put(vault, path)
    put(vault, "picture.png")
    assert {file.path: file.role for file in vault.files()} == {
        "Ideas/x.markdown": "note",
        "MEMORY.md": "memory",
        "META.md": "meta",
        "dreams/d.md": "dream",
        "facts/Work.md": "facts",
        "journal/2026/2026-11-30.md": "journal",
    }


def test_foreign_vault_roles(tmp_path: Path) -> None:
    """In a vault of somebody's own, only what lies below `reverie/` has reverie's roles."""
    vault = Vault(tmp_path, owned=False)
    assert vault.classify("facts/Work.md") == "note"
    assert vault.classify("MEMORY.md") == "note"
    assert vault.classify("reverie/facts/Work.md") == "facts"
    assert vault.classify("reverie/MEMORY.md") == "memory"


@pytest.mark.parametrize(
    "name",
    [
        ".todo.md.swp",
        "4913",
        "todo.md~",
        ".#todo.md",
        "#todo.md#",
        ".todo.md",
        "todo.md.tmp",
        "~$todo.md",
        "todo.md.bak",
    ],
)
def test_pain_06_editors_helpers_are_no_pages(vault: Vault, name: str) -> None:
    """pain 06: what editors leave beside a page is never listed."""
    put(vault, name)
    put(vault, "todo.md")
    assert listed(vault) == ["todo.md"]
    assert vault.classify(name) == "ignored"


def test_pain_12_unreadable_folder_hides_its_pages(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 12: a folder that cannot be listed is reported and hides what is below it: nothing counts as deleted."""
    put(vault, "a/x.md")
    put(vault, "b.md")
    real = os.scandir

    def scandir(path: Path) -> object:
        if str(path).rstrip("/").endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    scan = vault.scan()
    assert [file.path for file in scan.files] == ["b.md"]
    assert [error.path for error in scan.errors] == ["a"]
    assert "EACCES" in scan.errors[0].reason
    assert scan.hides("a/x.md")
    assert not scan.hides("ab.md")


def test_pain_12_vault_gone_is_an_error(vault: Vault) -> None:
    """pain 12: when the vault itself is away (unmounted), listing fails instead of finding nothing."""
    vault.root.rmdir()
    with pytest.raises(PageUnreadable):
        vault.scan()


def test_pain_12_cloud_placeholder(vault: Vault) -> None:
    """pain 12: a page that iCloud moved off the disk is hidden, not gone."""
    put(vault, "deep/.todo.md.icloud")
    scan = vault.scan()
    assert scan.hides("deep/todo.md")


def test_pain_12_a_page_of_which_only_the_name_is_here(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 12: a page that macOS would first have to fetch from the cloud is listed, and not readable now."""
    put(vault, "todo.md")
    real = os.fstat

    def dataless(descriptor: int) -> SimpleNamespace:
        info = real(descriptor)
        return SimpleNamespace(st_mode=info.st_mode, st_flags=0x40000000 | 0x20)

    with monkeypatch.context() as mac, pytest.raises(PageUnreadable) as refused:
        mac.setattr(os, "fstat", dataless)
        vault.read("todo.md")
    assert "in the cloud" in str(refused.value)
    assert listed(vault) == ["todo.md"]


def test_pain_12_vanishing_and_special_files(vault: Vault) -> None:
    """pain 12: a page that is not there, and one that is a pipe or a folder, are two plain errors; nothing blocks."""
    os.mkfifo(vault.root / "pipe.md")
    (vault.root / "folder.md").mkdir()
    assert listed(vault) == []
    for path in ("pipe.md", "folder.md"):
        with pytest.raises(PageUnreadable):
            vault.read(path)
    with pytest.raises(PageMissing):
        vault.read("never.md")
    with pytest.raises(PageMissing):
        vault.read("never/there.md")


def test_pain_13_containment(vault: Vault, tmp_path: Path) -> None:
    """pain 13: links out of the vault, `..`, absolute and hidden paths are refused by their real place; loops end."""
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "page.md").write_text("secret")
    put(vault, "in/page.md")
    (vault.root / "link.md").symlink_to(tmp_path / "secret.md")
    (vault.root / "way").symlink_to(tmp_path / "outside")
    (vault.root / "in" / "loop").symlink_to(vault.root)
    (vault.root / "round.md").symlink_to(vault.root / "round.md")
    put(vault, ".git/config.md")
    assert listed(vault) == ["in/page.md"]
    assert vault.scan().refused == ("in/loop", "link.md", "round.md", "way")
    for path in (
        "link.md",
        "way/page.md",
        "../secret.md",
        "in/../../secret.md",
        "/etc/passwd",
        "",
        "in//page.md",
        "a\0b",
        ".git/config.md",
        str(tmp_path / "secret.md"),
        "in/loop/.git/config.md",
    ):
        with pytest.raises(NotContained):
            vault.read(path)
    with pytest.raises((PageUnreadable, PageMissing)):
        vault.read("round.md")


@pytest.mark.parametrize(
    "name",
    [
        "🦔 hedgehog 🌙.md",
        "caf\u00e9.md",
        "cafe\u0301.md",
        "n" * 252 + ".md",
        "notes .md",
        "notes.md ",
        " notes.md",
        "a\\b.md",
        "-.md",
        "x\u2028y.md",
    ],
)
def test_pain_15_odd_names(vault: Vault, name: str) -> None:
    """pain 15: emoji, both Unicode forms, 255 bytes, spaces at the ends: one entry each, opened by its raw name."""
    put(vault, name, "here\n")
    assert listed(vault) == [name]
    assert vault.read(name).data == b"here\n"


def test_pain_15_twins(vault: Vault) -> None:
    """pain 15: two files whose names differ only in Unicode form are two pages."""
    put(vault, "caf\u00e9.md", "one")
    put(vault, "cafe\u0301.md", "two")
    assert len(listed(vault)) == 2
    assert vault.read("caf\u00e9.md").data == b"one"
    assert vault.read("cafe\u0301.md").data == b"two"


def test_pain_15_name_that_is_no_unicode(vault: Vault) -> None:
    """pain 15: a name in another encoding is reported, and stops no other page."""
    (vault.root / os.fsdecode(b"caf\xe9.md")).write_bytes(b"x")
    (vault.root / os.fsdecode(b"f\xfcr")).mkdir()
    (vault.root / os.fsdecode(b"f\xfcr") / "c.md").write_bytes(b"x")
    put(vault, "b.md")
    scan = vault.scan()
    assert [file.path for file in scan.files] == ["b.md"]
    assert sorted((e.path, e.reason) for e in scan.errors) == [
        ("caf\\xe9.md", "its name is not UTF-8"),
        ("f\\xfcr", "its name is not UTF-8"),
    ]


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("todo (conflicted copy 2026-07-10).md", "todo.md"),
        ("todo (Ada's conflicted copy 2026-07-10 1).md", "todo.md"),
        ("todo (conflicted copy 2026-07-10 123456).md", "todo.md"),
        ("todo (Conflicted copy laptop 202607101234).md", "todo.md"),
        ("todo.sync-conflict-20260710.md", "todo.md"),
        ("a/todo.sync-conflict-20260710-123456-ABCDEFG.md", "a/todo.md"),
        ("todo_conflict-20260710-123456.md", "todo.md"),
        ("todo (SFConflict ada@example.org 2026-07-10-12-34-56).md", "todo.md"),
        ("todo (Case Conflict).md", "todo.md"),
        ("todo [conflicted].md", "todo.md"),
        ("todo-DESKTOP-AB12CD3.md", "todo.md"),
        ("todo.dup.md", "todo.md"),
        ("Team (conflict resolution).md", None),
        ("conflicted copy.md", None),
        ("Conflicts.md", None),
        ("todo (2).md", None),
    ],
)
def test_pain_16_conflicted_copies(vault: Vault, name: str, original: str | None) -> None:
    """pain 16: the copies that sync programs leave are told from notes by the names those programs give."""
    put(vault, name)
    assert original_of(name) == original
    assert [file.role for file in vault.files()] == ["conflict" if original else "note"]
    assert is_page_name(name.rpartition("/")[2])


def test_snapshot_names_its_version(vault: Vault) -> None:
    """A snapshot's hash is the SHA-256 of exactly the bytes it carries."""
    put(vault, "a.md", "x\r\n")
    snapshot = vault.read("a.md")
    assert snapshot.hash == content_hash(snapshot.data)
    assert (snapshot.size, snapshot.inode) == (3, (vault.root / "a.md").stat().st_ino)


@pytest.mark.parametrize("path", ["a" * 5000 + ".md", "a/" * 2500 + "b.md"])
def test_a_name_that_no_file_can_have_is_a_missing_page(vault: Vault, path: str) -> None:
    """A path longer than the system takes names no page: nothing is to be tried again later."""
    with pytest.raises(PageMissing):
        vault.read(path)
