"""The vault's history: what is committed, as whose, what an undo takes back, and what a purge leaves nowhere."""

import os
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from dulwich.objects import Blob
from dulwich.repo import Repo

from memory_store.commits import undo_message
from memory_store.errors import CommitUnknown, HistoryBusy, HistoryDamaged, NothingToUndo
from memory_store.files import Vault
from memory_store.history import History
from memory_store.redact import Redaction
from memory_store.repository import Repository

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=timezone(timedelta(hours=1)))
GIT = shutil.which("git")


@pytest.fixture(autouse=True)
def no_git_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own git configuration takes part."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "vault").mkdir()
    return Vault(tmp_path / "vault", owned=True)


def opened(vault: Vault) -> History:
    return History(vault, lambda: NOW)


def write(vault: Vault, history: History, path: str, text: str, message: str = "Change") -> str | None:
    """Write a page as the store does: the file, then the commit with what stood there before."""
    file = vault.root / path
    before = {path: file.read_bytes() if file.exists() else None}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return history.record({path: text.encode()}, message, before=before)


def git(folder: Path, *arguments: str) -> str:
    """What the real git prints. Only called where there is one."""
    environment = {
        **os.environ,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def sound(folder: Path) -> None:
    """Where the real git is at hand, it finds the repository whole and the tracked files unchanged."""
    if GIT:
        assert "error" not in git(folder, "fsck", "--full", "--strict", "--no-dangling")
        assert git(folder, "status", "--porcelain", "--untracked-files=no") == ""


def all_bytes(folder: Path) -> bytes:
    """Every file below *folder*, git's objects unpacked."""
    found = []
    for file in folder.rglob("*"):
        if file.is_file():
            found += [str(file).encode(), data := file.read_bytes()]
            if "objects" in file.parts and not file.suffix:
                found.append(zlib.decompress(data))
    for control in folder.rglob(".git"):
        with Repo(str(control.parent)) as repo:
            found += [repo.object_store[sha].as_raw_string() for sha in repo.object_store]
    return b"\n".join(found)


def test_changes_are_commits_that_say_why(vault: Vault) -> None:
    """Each change is one commit with its message, author, time and paths; a change of nothing makes none."""
    history = opened(vault)
    first = write(vault, history, "facts/Me.md", "one\n", "Remember one\n\nTold in chat.")
    second = write(vault, history, "facts/Work.md", "two\n", "Remember two")
    assert write(vault, history, "facts/Work.md", "two\n", "Nothing") is None
    log = history.log()
    assert [(commit.id, commit.message, commit.paths) for commit in log] == [
        (second, "Remember two", ("facts/Work.md",)),
        (first, "Remember one\n\nTold in chat.", ("facts/Me.md",)),
    ]
    assert {(commit.author, commit.ours, commit.when) for commit in log} == {
        ("reverie", True, "2026-11-28T14:02:11+01:00")
    }
    assert opened(vault).log(1)[0].id == second
    assert history.content("facts/Me.md") == b"one\n"
    assert history.content("facts/None.md") is None
    sound(vault.root)


def test_a_change_that_was_committed_before_a_kill_is_not_committed_again(vault: Vault) -> None:
    """What is told twice of one change makes one commit, and none of what stood before it as the owner's edit."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    write(vault, history, "a.md", "two\n")
    made = len(history.log())
    assert history.record({"a.md": b"two\n"}, "Change", before={"a.md": b"one\n"}) is None
    assert len(history.log()) == made


def test_the_owners_edits_are_theirs(vault: Vault) -> None:
    """What the owner changed is committed as theirs: before a change of ours to that page, or at a quiet moment."""
    history = opened(vault)
    assert history.owner_commit() is None
    write(vault, history, "facts/Me.md", "one\n")
    (vault.root / "facts/Me.md").write_text("one\nby hand\n")
    (vault.root / "note.md").write_text("note\n")
    write(vault, history, "facts/Me.md", "one\nby hand\nours\n")
    assert [(commit.author, commit.paths) for commit in history.log()] == [
        ("reverie", ("facts/Me.md",)),
        ("Owner", ("facts/Me.md",)),
        ("reverie", ("facts/Me.md",)),
    ]
    assert history.owner_commit()
    (vault.root / "note.md").unlink()
    (vault.root / "todo (conflicted copy 2026-07-10).md").write_text("x")
    (vault.root / "picture.png").write_bytes(b"x")
    assert history.owner_commit()
    assert history.owner_commit() is None
    assert [(commit.message, commit.paths) for commit in history.log(2)] == [("Edit note.md", ("note.md",))] * 2
    sound(vault.root)


def test_the_owner_is_named_as_their_git_is_configured(vault: Vault, tmp_path: Path) -> None:
    """The owner's commits carry the name of their git configuration, if there is one that can be read."""
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n")
    history = opened(vault)
    (vault.root / "note.md").write_text("note\n")
    history.owner_commit()
    assert history.log()[0].author == "Ada Lovelace"


def test_appended_conversations_are_ours(vault: Vault) -> None:
    """Journal pages that only grew are kept as ours; one that was edited by hand is the owner's change."""
    history = opened(vault)
    file = vault.root / "journal/2026/2026-11-28.md"
    file.parent.mkdir(parents=True)
    file.write_text("# 2026-11-28\n")
    history.owner_commit()
    file.write_text("# 2026-11-28\nmore\n")
    history.owner_commit()
    file.write_text("# changed\n")
    history.owner_commit()
    assert [commit.author for commit in history.log()] == ["Owner", "reverie", "reverie"]


def test_pain_07_owner_commit_writes_no_page(vault: Vault) -> None:
    """pain 07: an editor that rewrites `updated:` at every save is recorded each time, never answered by a write."""
    history = opened(vault)
    file = vault.root / "note.md"
    for number in range(3):
        file.write_text(f"---\nupdated: {number}\n---\ntext\n")
        before = file.stat()
        history.owner_commit()
        after = file.stat()
        assert (before.st_mtime_ns, before.st_ino, before.st_ctime_ns) == (
            after.st_mtime_ns,
            after.st_ino,
            after.st_ctime_ns,
        )
    assert len(history.log()) == 3


def test_pain_12_an_unreadable_page_is_not_committed_as_deleted(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 12: folders that cannot be listed, and a vault that is suddenly empty, do not turn into deletions."""
    history = opened(vault)
    for name in ("a/x", "a/y", "b"):
        write(vault, history, f"{name}.md", name)
    real = os.scandir

    def scandir(path: Path) -> object:
        if str(path).rstrip("/").endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        assert history.owner_commit() is None
    for name in ("a/x", "a/y", "b"):
        (vault.root / f"{name}.md").unlink()
    assert history.owner_commit() is None
    assert history.content("a/x.md") == b"a/x"


def test_pain_25_only_named_paths_are_committed(vault: Vault) -> None:
    """pain 25: stray files and the owner's unfinished edits of other pages take no part in a commit of ours."""
    history = opened(vault)
    write(vault, history, "facts/Me.md", "one\n")
    (vault.root / "stray.md").write_text("stray\n")
    (vault.root / "facts/Me.md").write_text("one\nhalf an ed")
    write(vault, history, "facts/Work.md", "two\n")
    assert history.log(1)[0].paths == ("facts/Work.md",)
    assert history.content("facts/Me.md") == b"one\n"
    if GIT:
        assert git(vault.root, "status", "--porcelain") == " M facts/Me.md\n?? stray.md\n"


def state_of(folder: Path) -> Mapping[str, bytes]:
    """All of a repository that belongs to its owner: files, index, HEAD and branches; not objects or our own ref."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "objects" not in file.parts and "reverie" not in file.parts
    }


@pytest.mark.parametrize("below", ["", "notes"])
def test_an_existing_repository_is_respected(tmp_path: Path, below: str) -> None:
    """In a repository of the owner's, at the vault or above it, branch, index, HEAD and files stay bit for bit."""
    root = tmp_path / "theirs"
    (root / below).mkdir(parents=True)
    with Repo.init(str(root), default_branch=b"trunk") as repo:
        (root / below / "note.md").write_text("committed\n")
        repo.get_worktree().stage([str(Path(below) / "note.md")])
        repo.get_worktree().commit(b"theirs", committer=b"Ada <a@b>", author=b"Ada <a@b>")
        (root / below / "note.md").write_text("staged\n")
        repo.get_worktree().stage([str(Path(below) / "note.md")])
        (root / below / "note.md").write_text("working\n")
    before = state_of(root)
    vault = Vault(root / below, owned=False)
    history = opened(vault)
    write(vault, history, "reverie/facts/Me.md", "one\n")
    (vault.root / "reverie/facts/Me.md").write_text("one\nby hand\n")
    history.owner_commit()
    write(vault, history, "reverie/facts/Me.md", "one\nby hand\ntwo\n")
    history.purge(Redaction((b"two",)))
    assert state_of(root) == before
    assert not history.git.ours
    assert [(commit.author, commit.paths) for commit in history.log()] == [
        ("reverie", ("reverie/facts/Me.md",)),
        ("Owner", ("reverie/facts/Me.md",)),
        ("reverie", ("reverie/facts/Me.md",)),
    ]
    if GIT:
        assert git(root, "log", "--format=%s") == "theirs\n"
        assert "error" not in git(root, "fsck", "--full", "--strict", "--no-dangling")


def test_a_foreign_vault_without_repository(tmp_path: Path) -> None:
    """A foreign vault without a repository gets one inside `reverie/`; nothing is put beside the owner's notes."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/note.md").write_text("theirs\n")
    vault = Vault(tmp_path / "vault", owned=False)
    history = opened(vault)
    write(vault, history, "reverie/facts/Me.md", "one\n")
    history.owner_commit()
    assert sorted(path.name for path in vault.root.iterdir()) == ["note.md", "reverie"]
    assert [commit.paths for commit in history.log()] == [("reverie/facts/Me.md",)]
    sound(vault.root / "reverie")


def test_a_held_index_delays_only_the_index(vault: Vault) -> None:
    """While another git program holds the index, commits go on; the index follows at the next chance; doctor hears."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    lock = vault.root / ".git/index.lock"
    lock.write_bytes(b"")
    assert write(vault, history, "b.md", "two\n")
    assert "index.lock" in (history.problem() or "")
    assert lock.exists()
    lock.unlink()
    assert write(vault, history, "c.md", "three\n")
    assert history.problem() is None
    sound(vault.root)


def test_a_held_branch_is_busy(vault: Vault) -> None:
    """A branch that another program holds, and a merge of the owner's under way, make a commit wait, saying why."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    lock = vault.root / ".git/refs/heads/main.lock"
    lock.write_bytes(b"")
    with pytest.raises(HistoryBusy, match=r"main\.lock"):
        write(vault, history, "b.md", "two\n")
    lock.unlink()
    (vault.root / ".git/MERGE_HEAD").write_bytes(b"")
    with pytest.raises(HistoryBusy, match="MERGE_HEAD"):
        history.record({"b.md": b"two\n"}, "Again")
    assert len(history.log()) == 1


def test_locks_that_a_kill_left_are_cleared(vault: Vault) -> None:
    """Locks of the branch and of objects left by a kill hold nothing up: those of long ago go at open, or when met."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    history.close()
    git = vault.root / ".git"
    obj = git / "objects" / f"{Blob.from_string(b'two' + bytes([10])).id.decode()[:2]}"
    obj.mkdir(exist_ok=True)
    locks = [git / "refs/heads/main.lock", git / "HEAD.lock", obj / "0123.lock"]
    for lock in locks:
        lock.write_bytes(b"")
        os.utime(lock, (NOW.timestamp() - 60,) * 2)
    history = opened(vault)
    assert write(vault, history, "b.md", "two\n")
    assert not any(lock.exists() for lock in locks)
    locks[0].write_bytes(b"")
    os.utime(locks[0], (NOW.timestamp() - 60,) * 2)
    with pytest.raises(HistoryBusy, match="removed"):
        write(vault, history, "c.md", "three\n")
    assert history.record({"c.md": b"three\n"}, "Again")
    sound(vault.root)


def test_the_index_follows_after_a_kill_between_commit_and_index(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill while the index is written leaves it behind and locked: the next start frees it and brings it in step."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    with monkeypatch.context() as patch:
        patch.setattr(Repository, "pay_index_debt", lambda *_: None)
        write(vault, history, "b.md", "two\n")
    (vault.root / ".git/index.lock").write_bytes(b"half an ind")
    history.close()
    history = opened(vault)
    write(vault, history, "c.md", "three\n")
    assert history.problem() is None
    sound(vault.root)


def test_locks_of_our_own_last_commit_go_at_once_after_a_kill(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while it moves the branch, or brings the index in step, the next start knows the fresh lock as its own."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for at, name in (("_set_ref", "refs/heads/main.lock"), ("index_entry_from_stat", "index.lock")):
        with monkeypatch.context() as patch:
            patch.setattr(f"memory_store.repository.{at}", killed)
            with pytest.raises(KeyboardInterrupt):
                write(vault, history, "b.md", f"{at}\n")
        lock = vault.root / ".git" / name
        lock.write_bytes(b"")  # a kill lets nobody clear it away
        history.close()
        history = opened(vault)
        assert write(vault, history, "b.md", f"{at} again\n")
        assert not lock.exists()
        sound(vault.root)


def test_a_lock_is_known_as_ours_however_long_the_index_has_waited(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large vault the index follows at a quiet moment, long after the commit; a kill then holds nothing up."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memory_store.repository._BIG_INDEX_BYTES", 0)
        write(vault, history, "b.md", "two\n")
        note = vault.root / ".git/reverie-debt"
        os.utime(note, (NOW.timestamp() - 600,) * 2)
        patch.setattr("memory_store.repository.index_entry_from_stat", killed)
        with pytest.raises(KeyboardInterrupt):
            history.owner_commit()
    (vault.root / ".git/index.lock").write_bytes(b"half an ind")
    history.close()
    history = opened(vault)
    history.owner_commit()
    assert history.problem() is None
    sound(vault.root)


def test_a_damaged_repository_is_named(vault: Vault) -> None:
    """A repository that cannot be read is an error that names it; it is not replaced by an empty one."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    history.close()
    for file in (vault.root / ".git/objects").rglob("??/*"):
        file.chmod(0o644)
        file.write_bytes(b"")
    with pytest.raises(HistoryDamaged, match=r"vault"):
        opened(vault).record({"a.md": b"two\n"}, "Change")
    assert "damaged" in (opened(vault).problem() or "")


def test_what_an_undo_takes_back(vault: Vault) -> None:
    """Undo without an id goes from the newest change of ours backwards, over undos and conversations."""
    history = opened(vault)
    with pytest.raises(NothingToUndo):
        history.find(None)
    first = write(vault, history, "a.md", "one\n", "First")
    second = write(vault, history, "a.md", "two\n", "Second")
    (vault.root / "b.md").write_text("by hand")
    history.owner_commit()
    write(vault, history, "journal/2026/2026-11-28.md", "words", "Keep conversations")
    newest = history.find(None)
    assert newest.id == second
    (reverse,) = history.reverses(newest.id)
    assert (reverse.path, reverse.made, reverse.before) == ("a.md", b"two\n", b"one\n")
    write(vault, history, "a.md", "one\n", undo_message(newest))
    undo = history.log(1)[0]
    assert (undo.message, undo.undoes) == (f"Undo: Second\n\nUndoes: {second}", second)
    assert history.find(None).id == first
    assert history.reverses(first)[0].before is None
    assert history.find(undo.id[:10]).id == undo.id
    for unknown in ("ffffffff", undo.id[:3], "zz"):
        with pytest.raises(CommitUnknown):
            history.find(unknown)


def test_what_lies_loose_is_packed_once_it_is_much(vault: Vault) -> None:
    """The same history, found, undone and added to as before, in one file; few objects are left as they are."""
    history = opened(vault)
    for number in range(6):
        write(vault, history, "facts/Me.md", f"- [hobby] chess {number}\n", f"Change {number}")
    log = history.log(None)
    objects = vault.root / ".git" / "objects"
    loose = [*objects.glob("??/*")]
    assert history.pack(len(loose)) == 0
    assert history.pack(len(loose) - 1) == len(loose)
    assert [*objects.glob("??/*")] == []
    assert len([*objects.glob("pack/*.pack")]) == 1
    for one in (history, opened(vault)):
        assert one.log(None) == log
        assert [step.before for step in one.reverses(log[0].id)] == [b"- [hobby] chess 4\n"]
    assert history.pack(0) == 0
    write(vault, history, "facts/Me.md", "- [hobby] go\n", "Change on")
    assert len(history.log(None)) == len(log) + 1
    assert history.pack(0) > 0
    sound(vault.root)
    assert history.purge(Redaction((b"chess 2",))).remaining == ()
    assert b"chess 2" not in all_bytes(vault.root)
    sound(vault.root)


def test_a_repository_of_the_owners_is_packed_by_their_git_alone(tmp_path: Path) -> None:
    """What lies loose there is left as it is."""
    Repo.init(str(tmp_path), default_branch=b"main").close()
    (tmp_path / "notes").mkdir()
    vault = Vault(tmp_path / "notes", owned=False)
    history = opened(vault)
    write(vault, history, "reverie/facts/Me.md", "- [hobby] chess\n")
    before = sorted((tmp_path / ".git").rglob("*"))
    assert before
    assert history.pack(0) == 0
    assert sorted((tmp_path / ".git").rglob("*")) == before


@pytest.mark.parametrize("packed", [False, True])
def test_pain_29_purged_bytes_are_in_no_object(vault: Vault, packed: bool) -> None:
    """pain 29: after a purge no object, message, file name, log or pack holds the bytes; the rest stays."""
    history = opened(vault)
    write(vault, history, "facts/Me.md", "- [hobby] chess\n", "Remember chess")
    write(vault, history, "facts/Me.md", "- [hobby] chess\n- [password] hunter2\n", "Remember hunter2")
    write(vault, history, "deep/er/hunter2.md", "x", "A page")
    write(vault, history, "deep/er/other.md", "y hunter2 z", "Another")
    (vault.root / "deep/er/hunter2.md").unlink()
    history.owner_commit()
    write(vault, history, "deep/er/other.md", "y z")
    write(vault, history, "facts/Me.md", "- [hobby] chess\n", "Forget")
    if packed:
        with Repo(str(vault.root)) as repo:
            repo.object_store.pack_loose_objects()
        history.close()
        history = opened(vault)
    count = len(history.log(None))
    assert b"hunter2" in all_bytes(vault.root)
    purged = history.purge(Redaction((b"hunter2",)))
    assert purged.remaining == ()
    assert purged.rewritten and purged.removed
    assert b"hunter2" not in all_bytes(vault.root)
    log = history.log(None)
    assert len(log) == count
    assert log[-1].message == "Remember chess"
    assert "Remember [forgotten]" in [commit.message for commit in log]
    assert history.content("facts/Me.md") == b"- [hobby] chess\n"
    sound(vault.root)
    assert write(vault, history, "facts/Me.md", "- [hobby] go\n")
    sound(vault.root)


def test_pain_29_branches_tags_and_stages_of_the_owner_are_purged_too(vault: Vault) -> None:
    """pain 29: in our own repository what the owner branched, tagged, stashed or staged loses the bytes too."""
    history = opened(vault)
    write(vault, history, "a.md", "hunter2\n")
    if not GIT:
        return
    git(vault.root, "branch", "side")
    git(vault.root, "tag", "-a", "v1", "-m", "holds hunter2")
    (vault.root / "a.md").write_text("hunter2 stashed\n")
    git(vault.root, "stash")
    (vault.root / "staged.md").write_text("hunter2 staged\n")
    git(vault.root, "add", "staged.md")
    git(vault.root, "gc", "--quiet")
    history.close()
    (vault.root / "staged.md").write_text("staged\n")
    write(vault, history, "a.md", "gone\n")
    assert history.purge(Redaction((b"hunter2",))).remaining == ()
    assert b"hunter2" not in all_bytes(vault.root)
    assert git(vault.root, "show", "side:a.md") == "[forgotten]\n"
    assert git(vault.root, "show", ":staged.md") == "[forgotten] staged\n"
    assert "error" not in git(vault.root, "fsck", "--full", "--no-dangling")


def test_pain_29_in_the_owners_repository_theirs_is_left_alone(tmp_path: Path) -> None:
    """pain 29: in the owner's repository our ref loses the bytes; what theirs reaches stays."""
    vault = Vault(tmp_path, owned=False)
    with Repo.init(str(tmp_path), default_branch=b"trunk") as repo:
        history = opened(vault)
        write(vault, history, "reverie/facts/Me.md", "hunter2\n")
        write(vault, history, "reverie/facts/Work.md", "also hunter2\n")
        repo.get_worktree().stage(["reverie/facts/Work.md"])
        theirs = repo.get_worktree().commit(b"theirs", committer=b"Ada <a@b>", author=b"Ada <a@b>")
        for name in ("Me", "Work"):
            write(vault, history, f"reverie/facts/{name}.md", "gone\n")
        purged = history.purge(Redaction((b"hunter2",)))
        assert purged.theirs_left_alone
        assert purged.remaining == ()
        holding = [sha for sha in repo.object_store if b"hunter2" in repo.object_store[sha].as_raw_string()]
        assert len(holding) == 1
        assert repo.refs[b"refs/heads/trunk"] == theirs
    assert [commit.paths for commit in history.log()] == [
        ("reverie/facts/Work.md",),
        ("reverie/facts/Me.md",),
        ("reverie/facts/Work.md",),
        ("reverie/facts/Me.md",),
    ]


def test_no_commit_is_made_where_no_branch_is_checked_out(vault: Vault) -> None:
    """While the owner looks at an old state nothing is committed that they would leave behind; it is said why."""
    history = opened(vault)
    first = write(vault, history, "a.md", "one\n")
    second = write(vault, history, "a.md", "one\ntwo\n")
    head = vault.root / ".git" / "HEAD"
    branch = head.read_bytes()
    head.write_text(f"{first}\n")
    with pytest.raises(HistoryBusy, match="no branch is checked out"):
        write(vault, history, "a.md", "one\nthree\n")
    with pytest.raises(HistoryBusy):
        history.owner_commit()
    assert "git switch" in (history.problem() or "")
    head.write_bytes(branch)
    assert history.problem() is None
    third = history.record({"a.md": b"one\nthree\n"}, "Change")
    assert [commit.id for commit in history.log()] == [third, second, first]


def test_pain_29_all_that_the_owner_stashed_is_still_there(vault: Vault) -> None:
    """pain 29: a purge rewrites every stash, not only the newest; each can be taken up again, without the bytes."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    if not GIT:
        return
    for text in ("hunter2 first\n", "second\n", "third hunter2\n"):
        (vault.root / "a.md").write_text(text)
        git(vault.root, "stash", "push", "--quiet", "-m", f"on {text.strip()}")
    assert history.purge(Redaction((b"hunter2",))).remaining == ()
    assert b"hunter2" not in all_bytes(vault.root)
    assert [line.rpartition(": ")[2] for line in git(vault.root, "stash", "list").splitlines()] == [
        "on third [forgotten]",
        "on second",
        "on [forgotten] first",
    ]
    sound(vault.root)
    for text in ("third [forgotten]\n", "second\n", "[forgotten] first\n"):
        git(vault.root, "stash", "pop", "--quiet")
        assert (vault.root / "a.md").read_text() == text
        git(vault.root, "checkout", "--quiet", "--", ".")


def test_pain_29_a_purge_waits_for_another_worktree(vault: Vault, tmp_path: Path) -> None:
    """pain 29: what the owner has in another folder of the same repository is not rewritten under their hands."""
    history = opened(vault)
    write(vault, history, "a.md", "hunter2\n")
    if not GIT:
        return
    other = tmp_path / "other"
    git(vault.root, "worktree", "add", "--quiet", "--detach", str(other))
    for refused in (history.must_be_free, lambda: history.purge(Redaction((b"hunter2",)))):
        with pytest.raises(HistoryBusy, match="git worktree remove"):
            refused()
    assert git(other, "show", "HEAD:a.md") == "hunter2\n"
    git(vault.root, "worktree", "remove", str(other))
    assert history.purge(Redaction((b"hunter2",))).remaining == ()


def _objects(vault: Vault) -> list[Path]:
    return sorted(file for file in (vault.root / ".git/objects").rglob("*") if file.is_file())


def test_an_index_that_cannot_be_read_is_made_anew(vault: Vault) -> None:
    """git's index, cut or full of zeros, keeps no commit and no purge from being made; what was there is put aside."""
    history = opened(vault)
    write(vault, history, "a.md", "one hunter2\n")
    write(vault, history, "b.md", "two\n")
    index = vault.root / ".git/index"
    for damaged in (index.read_bytes()[:20], bytes(100), b""):
        index.write_bytes(damaged)
        commit = write(vault, history, "b.md", f"two, {len(damaged)}\n")
        assert history.log(1)[0].id == commit
        assert index.with_name("index.damaged").read_bytes() == damaged
        sound(vault.root)
    index.write_bytes(b"none")
    assert history.purge(Redaction((b"hunter2",))).remaining == ()
    assert history.problem() is None


def test_a_branch_that_names_nothing_is_damage_not_a_beginning(vault: Vault) -> None:
    """A branch whose file a power cut has emptied is told: no commit begins the history anew in its place."""
    history = opened(vault)
    write(vault, history, "a.md", "one\n")
    branch = vault.root / ".git/refs/heads/main"
    kept = branch.read_bytes()
    for damaged in (b"", bytes(41), b"no commit\n"):
        branch.write_bytes(damaged)
        with pytest.raises(HistoryDamaged, match=r"vault/\.git is damaged"):
            write(vault, history, "a.md", "two\n")
        assert "damaged" in (history.problem() or "")
        assert branch.read_bytes() == damaged
    branch.write_bytes(kept)
    assert history.problem() is None


def test_a_repository_whose_configuration_is_lost_is_still_ours(vault: Vault) -> None:
    """With an empty configuration our repository is known by our own ref: commits go on where they went."""
    history = opened(vault)
    first = write(vault, history, "a.md", "one\n")
    (vault.root / ".git/config").write_bytes(b"")
    again = opened(vault)
    assert again.git.ours
    second = write(vault, again, "a.md", "two\n")
    assert [commit.id for commit in again.log()] == [second, first]


def test_pain_29_others_commit_while_a_purge_goes_on(vault: Vault) -> None:
    """pain 29: between any two objects that a purge looks at others commit; their commits stay, and the bytes go."""
    history = opened(vault)
    for number in range(3):
        write(vault, history, "a.md", f"hunter2 {number}\n")
    write(vault, history, "a.md", "gone\n")
    committed = []

    def step() -> None:
        if len(committed) < 5:
            committed.append(write(vault, history, f"{len(committed)}.md", f"{len(committed)}\n", "Meanwhile"))

    assert history.purge(Redaction((b"hunter2",)), step=step).remaining == ()
    assert [commit.message for commit in history.log()] == ["Meanwhile"] * 5 + ["Change"] * 4
    assert b"hunter2" not in all_bytes(vault.root)
    sound(vault.root)


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_told_again_while_the_old_objects_go_stays(vault: Vault, packed: bool) -> None:
    """Told again after the history was rewritten, the very same page is a new one, and a purge takes nothing of it."""
    history = opened(vault)
    write(vault, history, "deep/a.md", "hunter2\n")
    old = history.newest()
    write(vault, history, "deep/a.md", "gone\n")
    if packed:
        assert history.pack(0)
    told = []

    def step() -> None:
        if not told and history.log()[-1].id != old:
            told.append(write(vault, history, "deep/a.md", "hunter2\n"))

    history.purge(Redaction((b"hunter2",)), step=step)
    assert told and told[0] == history.newest()
    history.close()
    assert opened(vault).content("deep/a.md") == b"hunter2\n"
    sound(vault.root)


def test_a_purge_that_is_told_to_end_leaves_all_that_stands(vault: Vault) -> None:
    """Stopped at any object, a purge leaves a sound repository with every commit, and the next one does the rest."""
    history = opened(vault)
    for number in range(3):
        write(vault, history, "deep/a.md", f"hunter2 {number}\n")
    write(vault, history, "deep/a.md", "gone\n")
    history.pack(0)
    left = 0
    ended = False
    while not ended:
        steps = iter(range(left))

        def step(steps: Iterator[int] = steps) -> None:
            if next(steps, None) is None:
                raise HistoryBusy("it ends", "later")

        try:
            ended = history.purge(Redaction((b"hunter2",)), step=step).remaining == ()
        except HistoryBusy:
            left += 1
        assert len(history.log()) == 4
        sound(vault.root)
    assert left > 5
    assert b"hunter2" not in all_bytes(vault.root)
    assert not list((vault.root / ".git/objects/pack").glob("tmp_*"))


def test_pain_29_a_purge_beside_the_owners_gc_is_done_in_the_end(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 29: where git packs anew in the middle of a purge, that waits, and leaves what stands; the next is done."""
    history = opened(vault)
    write(vault, history, "a.md", "hunter2\n")
    write(vault, history, "a.md", "gone\n")
    if not GIT:
        return
    git(vault.root, "gc", "--quiet")
    with monkeypatch.context() as patch:

        def packed_anew(*_: object) -> None:
            git(vault.root, "repack", "-a", "-d", "-f", "--depth=0", "--quiet")
            for file in (vault.root / ".git/objects/pack").glob("pack-*.pack"):
                file.rename(file.with_name(f"{file.name}.aside"))
            with Repo(str(vault.root)) as repo:
                repo.object_store[repo.head()]

        patch.setattr("memory_store.purge.without", packed_anew)
        with pytest.raises((HistoryBusy, HistoryDamaged)):
            history.purge(Redaction((b"hunter2",)))
    for file in (vault.root / ".git/objects/pack").glob("*.aside"):
        file.rename(file.with_suffix(""))
    assert history.purge(Redaction((b"hunter2",))).remaining == ()
    assert b"hunter2" not in all_bytes(vault.root)
    sound(vault.root)


def test_a_pack_is_copied_without_what_goes(vault: Vault) -> None:
    """What a pack stores as the difference from an object that goes is written out; all else is copied as it lies."""
    history = opened(vault)
    text = "".join(f"line {number} of a long page\n" for number in range(400))
    for number in range(30):
        write(vault, history, "a.md", f"{text}{number}\n{'hunter2' if number % 7 == 0 else ''}\n")
    if not GIT:
        return
    git(vault.root, "repack", "-a", "-d", "-f", "--depth=30", "--quiet")
    git(vault.root, "prune")
    history.close()
    size = sum(file.stat().st_size for file in (vault.root / ".git/objects/pack").iterdir())
    assert history.purge(Redaction((b"hunter2",))).remaining == ()
    assert b"hunter2" not in all_bytes(vault.root)
    sound(vault.root)
    assert "chain length" in git(
        vault.root, "verify-pack", "-v", *[str(p) for p in _objects(vault) if p.suffix == ".idx"]
    )
    assert sum(file.stat().st_size for file in (vault.root / ".git/objects/pack").iterdir()) < 3 * size


def test_after_a_look_a_quiet_moment_reads_only_what_changed_since(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others wait for a commit of the owner's edits: pages are read before it, and after a purge none is read again."""
    history = History(vault, lambda: datetime.now(UTC) + timedelta(hours=1))
    for number in range(5):
        write(vault, history, f"{number}.md", f"page {number} hunter2\n")
        write(vault, history, f"{number}.md", f"page {number}\n")
    history.look()
    read: list[str] = []
    real = Vault.read
    monkeypatch.setattr(Vault, "read", lambda self, path: (read.append(path), real(self, path))[1])
    assert history.owner_commit() is None
    history.purge(Redaction((b"hunter2",)))
    assert history.owner_commit() is None
    assert read == []
    (vault.root / "3.md").write_text("page three\n")
    assert history.owner_commit()
    assert read == ["3.md"]
    sound(vault.root)
