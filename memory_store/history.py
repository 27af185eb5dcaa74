"""
The vault's history in git, through dulwich: what changed, who changed it and why; and what undoing it would write.

A vault of reverie's own is its own repository, committed to the branch that HEAD names, with the index kept in step
so that `git status` is clean. In a repository of the owner's, commits go to `refs/reverie/history` alone: their
branch, index, HEAD and working tree are never touched. A foreign vault without a repository gets one in `reverie/`.

Commits are made of the contents that were written, never of what happens to lie on the disk.
"""

import contextlib
import os
import re
import shutil
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Literal

from dulwich.diff_tree import tree_changes
from dulwich.errors import ChecksumMismatch, FileFormatException, NotGitRepository
from dulwich.file import FileLocked
from dulwich.ignore import IgnoreFilterManager
from dulwich.index import index_entry_from_stat, locked_index
from dulwich.object_store import DiskObjectStore, commit_tree_changes, iter_tree_contents, tree_lookup_path
from dulwich.objects import ZERO_SHA, Blob, ObjectID, RawObjectID, ShaFile, Tree
from dulwich.objects import Commit as GitCommit
from dulwich.refs import Ref
from dulwich.repo import Repo

from memory_store.errors import CommitUnknown, HistoryBusy, HistoryDamaged, NothingToUndo, PageMissing, PageUnreadable
from memory_store.files import Vault, is_page_name, naming_failure
from memory_store.purge import Purged, purge_foreign, purge_own
from memory_store.redact import MARK, Redaction
from memory_store.swap import make_folders

OUR_REF = Ref(b"refs/reverie/history")
HEAD = Ref(b"HEAD")
US = b"reverie <reverie@localhost>"
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_UNDOES = "Undoes: "
_TOMBSTONE = re.compile(r"- \[.+\] forgotten(?: \(.*\))?")  # as `values.commit_message` writes it
FINAL = "Forgotten for good."
_RACY_S = 2.0
_MANY = 64
_BIG_INDEX_BYTES = 300_000
_STALE_LOCK_S = 5.0  # git holds the locks of refs and objects for moments
_DEBT = "reverie-debt"

Author = Literal["reverie", "owner"]
_Get = Callable[[ObjectID | RawObjectID], ShaFile]


@dataclass(frozen=True)
class Commit:
    """
    One change: *when* is ISO 8601 with offset, *paths* are relative to the vault, *undoes* an id or empty.

    *final*: it forgot something for good, so that there is nothing to go back to. *forgets*: it put a tombstone where
    a fact was, as asked.
    """

    id: str
    when: str
    author: str
    message: str
    paths: tuple[str, ...]
    ours: bool
    undoes: str = ""
    final: bool = False
    forgets: bool = False


@dataclass(frozen=True)
class Reverse:
    """What undoing would do to *path*: take the step from *made* back to *before* (None: no file)."""

    path: str
    made: bytes | None
    before: bytes | None


class History:
    """
    The vault's repository. Opened at its first use; any thread may call, one at a time is served.

    *now* gives the time of a commit with its offset.
    """

    def __init__(self, vault: Vault, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._now = now
        self._lock = threading.RLock()
        self._repository: Repo | None = None
        self._seen: dict[str, tuple[int, int, int, ObjectID]] = {}
        self._index_debt: set[str] = set()
        self.folder, self.ours = _find_repository(vault)

    @property
    def ref(self) -> Ref:
        """Where our commits go."""
        return HEAD if self.ours else OUR_REF

    def record(
        self,
        after: Mapping[str, bytes | None],
        message: str,
        *,
        before: Mapping[str, bytes | None] | None = None,
        author: Author = "reverie",
    ) -> str | None:
        """
        Commit the contents *after* of just these paths (None: deleted), by *author*, saying *message*.

        What the owner had changed of them unrecorded, as *before* shows, is committed first, as theirs.

        Returns:
            The id of the commit; None if it would change nothing.

        Raises:
            HistoryBusy, HistoryDamaged: no commit was made.
        """
        with self._guarded(writing=True) as repo:
            if before:
                self._commit(repo, before, _edited(before), "owner")
            return self._commit(repo, after, message, author)

    def owner_commit(self) -> str | None:
        """
        Commit as the owner's what they changed since the last commit; conversations appended meanwhile as ours.

        Looks at pages only, below `reverie/` in a vault that is not ours. Reads, and writes no page. What cannot be
        read, and a vault that looks suddenly empty, is left for another time.

        Returns:
            The id of the last commit made; None when nothing had changed.
        """
        with self._guarded(writing=True) as repo:
            after = self._changed_on_disk(repo)
            appended = {
                path: data
                for path, data in after.items()
                if data
                and self._vault.classify(path) == "journal"
                and data.startswith(self._content(repo, path) or b"")
            }
            edits = {path: data for path, data in after.items() if path not in appended}
            own = self._commit(repo, appended, "Keep conversations", "reverie") if appended else None
            theirs = self._commit(repo, edits, _edited(edits), "owner") if edits else None
            self._pay_index_debt(repo)
            return theirs or own

    def log(self, limit: int | None = 50) -> list[Commit]:
        """The newest *limit* changes (None: all), newest first; changes that touch no page of the vault left out."""
        found: list[Commit] = []
        if not self._begun:
            return found
        with self._guarded() as repo:
            for commit in self._walk(repo):
                if limit is not None and len(found) >= limit:
                    break
                described = self._described(repo, commit)
                if described.paths:
                    found.append(described)
        return found

    def find(self, commit: str | None) -> Commit:
        """
        The change whose id starts with *commit*; None: the newest of ours that is no undo and is not undone.

        Raises:
            CommitUnknown: none, or more than one.
            NothingToUndo: None was asked for, and nothing is left, or the newest change forgot something: that is
                never brought back, nor what came before it taken, without an id.
        """
        if not self._begun:
            raise NothingToUndo("there is no change yet")
        undone: set[str] = set()
        matches: list[Commit] = []
        forgot: Commit | None = None
        with self._guarded() as repo:
            for git_commit in self._walk(repo):
                if commit is None:
                    described = self._described(repo, git_commit)
                    if described.undoes:
                        if described.id not in undone:
                            undone.add(described.undoes)
                    elif described.id in undone or not self._undoable(described):
                        continue
                    elif described.final or described.forgets:
                        forgot = forgot or described
                    elif forgot is None:
                        return described
                    elif MARK.decode() not in described.message:  # what told of it would be no use to take back
                        raise NothingToUndo(_refusal(forgot, described))
                elif git_commit.id.decode().startswith(commit.lower()):
                    matches.append(self._described(repo, git_commit))
        if commit is None:
            raise NothingToUndo(_refusal(forgot, None) if forgot else "there is no change left to undo")
        if len(matches) == 1 and len(commit) >= 4:
            return matches[0]
        raise CommitUnknown(commit, len(matches))

    def reverses(self, commit: str) -> list[Reverse]:
        """What undoing the change with the full id *commit* would take back, by path."""
        with self._guarded() as repo:
            made = _commit_object(repo, commit)
            parent = _commit_object(repo, made.parents[0].decode()).tree if made.parents else None
            return [
                Reverse(path, _blob(repo, change.new), _blob(repo, change.old))
                for change in tree_changes(repo.object_store, parent, made.tree)
                if (path := self._from_repo(_changed_path(change))) is not None
            ]

    def content(self, path: str) -> bytes | None:
        """What the newest commit holds at *path*; None: nothing."""
        if not self._begun:
            return None
        with self._guarded() as repo:
            return self._content(repo, path)

    def versions(self, path: str) -> list[bytes]:
        """What *path* has held in every commit that changed it, newest first, each content once."""
        found: dict[ObjectID, bytes] = {}
        if not self._begun:
            return []
        name = self._to_repo(path)
        with self._guarded() as repo:
            for commit in self._walk(repo):
                _, sha = _look_up(repo.object_store.__getitem__, commit.tree, name)
                if sha and sha not in found and isinstance(blob := repo.object_store[sha], Blob):
                    found[sha] = blob.data
        return list(found.values())

    def purge(self, redaction: Redaction) -> Purged:
        """
        Rewrite the history so that no git object of ours holds what is to be forgotten; reflogs and old packs go too.

        In the owner's repository only our own ref is rewritten, and the result says so.
        """
        with self._guarded(writing=True) as repo:
            dropped = {self._to_repo(path) for path in redaction.paths}
            if self.ours:
                purged = purge_own(repo, redaction, dropped)
            else:
                purged = purge_foreign(repo, OUR_REF, redaction, dropped)
            self._seen.clear()
            return purged

    def problem(self) -> str | None:
        """What keeps the history from working, in one line; None when nothing does."""
        if not self._begun:
            return None
        try:
            with self._guarded() as repo:
                for commit in self._walk(repo):
                    next(iter_tree_contents(repo.object_store, commit.tree), None)
                    break
                lock = Path(repo.index_path() + ".lock")
                if self.ours and lock.exists():
                    return f"{lock} is held by another git program; if none is running, delete it"
        except (HistoryBusy, HistoryDamaged) as error:
            return str(error)
        return None

    def close(self) -> None:
        """Let go of the repository's files."""
        with self._lock:
            if self._repository is not None:
                self._repository.close()
                self._repository = None

    @property
    def _begun(self) -> bool:
        """Whether there is a repository yet: one of ours is made by the first commit."""
        return (self.folder / ".git").exists()

    # -- making commits ---

    def _commit(self, repo: Repo, after: Mapping[str, bytes | None], message: str, author: Author) -> str | None:
        tip = self._tip(repo)
        tree = _commit_object(repo, tip.decode()).tree if tip else None
        removed: list[tuple[bytes, int | None, ObjectID | None]] = []
        added: list[tuple[bytes, int | None, ObjectID | None]] = []
        blobs: list[tuple[ShaFile, str | None]] = []
        get: _Get = cache(repo.object_store.__getitem__)
        for path, data in after.items():
            name = self._to_repo(path)
            mode, old = _look_up(get, tree, name)
            if data is None:
                if old is not None:
                    removed.append((name, None, None))
                continue
            blob = Blob.from_string(data)
            if blob.id != old:
                blobs.append((blob, None))
                added.append((name, mode or 0o100644, blob.id))
        if not removed and not added:
            return None
        if len(blobs) > _MANY:
            repo.object_store.add_objects(blobs)
        else:
            for new, _ in blobs:
                repo.object_store.add_object(new)
        base: ObjectID | Tree = tree if tree is not None else Tree()
        for changes in (removed, added):
            if changes:
                base = commit_tree_changes(repo.object_store, base, changes)
        commit = GitCommit()
        commit.tree = base.id if isinstance(base, Tree) else base
        commit.parents = [tip] if tip else []
        commit.author = commit.committer = US if author == "reverie" else self._owner(repo)
        now = self._now()
        commit.author_time = commit.commit_time = int(now.timestamp())
        commit.author_timezone = commit.commit_timezone = int((now.utcoffset() or timedelta()).total_seconds())
        commit.encoding = b"UTF-8"
        commit.message = message.encode("utf-8", "replace").rstrip() + b"\n"
        repo.object_store.add_object(commit)
        subject = message.partition("\n")[0].encode("utf-8", "replace") if self.ours else None
        if self.ours:  # noted before, so that after a kill the index is brought in step, and its lock known as ours
            debt = "\0".join(self._index_debt | after.keys())
            (Path(repo.controldir()) / _DEBT).write_text(debt, "utf-8")
        if not repo.refs.set_if_equals(self.ref, tip or ZERO_SHA, commit.id, committer=US, message=subject):
            raise HistoryBusy("another program committed at the same moment", "it is tried again with the next change")
        if self.ours:
            self._index_debt.update(after)
            index = Path(repo.index_path())
            if not index.exists() or index.stat().st_size < _BIG_INDEX_BYTES:
                self._pay_index_debt(repo)
        return commit.id.decode()

    def _pay_index_debt(self, repo: Repo) -> None:
        """
        Bring the index in step for the paths we committed.

        While another program holds it, that waits; in a large vault, where it takes a second, for a quiet moment.
        """
        if not self._index_debt:
            return
        tip = self._tip(repo)
        tree = _commit_object(repo, tip.decode()).tree if tip else None
        try:
            get: _Get = cache(repo.object_store.__getitem__)
            with locked_index(repo.index_path()) as index:
                for path in self._index_debt:
                    name = self._to_repo(path)
                    mode, sha = _look_up(get, tree, name)
                    if sha is None or mode is None:
                        if name in index:
                            del index[name]
                    else:
                        index[name] = index_entry_from_stat(self._stat_for(path, sha), sha, mode)
        except FileLocked:
            os.utime(Path(repo.controldir()) / _DEBT, (0, 0))  # that lock is not ours
            return
        self._index_debt.clear()
        (Path(repo.controldir()) / _DEBT).unlink(missing_ok=True)

    def _stat_for(self, path: str, sha: ObjectID) -> os.stat_result:
        """The file's stat if it holds what was committed; else one of zeros, so that git looks for itself."""
        with contextlib.suppress(OSError):
            file = self._vault.root / path
            info = file.stat()
            if Blob.from_string(file.read_bytes()).id == sha:
                return info
        return os.stat_result((0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0))

    def _changed_on_disk(self, repo: Repo) -> dict[str, bytes | None]:
        scan = self._vault.scan()
        tip = self._tip(repo)
        tree = _commit_object(repo, tip.decode()).tree if tip else None
        known = dict(self._pages_in(repo, tree))
        changed: dict[str, bytes | None] = {}
        ignored = IgnoreFilterManager.from_repo(repo) if self.ours else None
        present: set[str] = set()
        for file in scan.files:
            if not file.path.startswith(self._vault.base) or file.role == "conflict":
                continue
            present.add(file.path)
            stamp = (file.mtime_ns, file.size, file.inode)
            seen = self._seen.get(file.path)
            if seen and seen[:3] == stamp and known.get(file.path) == seen[3]:
                continue
            if file.path not in known and ignored and ignored.is_ignored(os.fsdecode(self._to_repo(file.path))):
                continue
            try:
                snapshot = self._vault.read(file.path)
            except (PageMissing, PageUnreadable):
                continue
            sha = Blob.from_string(snapshot.data).id
            if self._now().timestamp() - snapshot.mtime_ns / 1e9 > _RACY_S:
                self._seen[file.path] = (snapshot.mtime_ns, snapshot.size, snapshot.inode, sha)
            if known.get(file.path) != sha:
                changed[file.path] = snapshot.data
        gone = [path for path in known if path not in present and not scan.hides(path)]
        if present or len(gone) < 2:
            changed.update(dict.fromkeys(gone))
        return changed

    def _pages_in(self, repo: Repo, tree: ObjectID | None) -> Iterator[tuple[str, ObjectID]]:
        if tree is not None:
            for entry in iter_tree_contents(repo.object_store, tree):
                path = self._from_repo(entry.path)
                if path is not None and path.startswith(self._vault.base) and is_page_name(path.rpartition("/")[2]):
                    yield path, entry.sha

    # -- reading ---

    def _content(self, repo: Repo, path: str) -> bytes | None:
        tip = self._tip(repo)
        if tip is None:
            return None
        _, sha = _look_up(repo.object_store.__getitem__, _commit_object(repo, tip.decode()).tree, self._to_repo(path))
        found = repo.object_store[sha] if sha else None
        return found.data if isinstance(found, Blob) else None

    def _tip(self, repo: Repo) -> ObjectID | None:
        try:
            return repo.refs[self.ref]
        except KeyError:
            return None

    def _walk(self, repo: Repo) -> Iterator[GitCommit]:
        tip = self._tip(repo)
        while tip is not None:
            commit = _commit_object(repo, tip.decode())
            yield commit
            tip = commit.parents[0] if commit.parents else None

    def _described(self, repo: Repo, commit: GitCommit) -> Commit:
        parent = _commit_object(repo, commit.parents[0].decode()).tree if commit.parents else None
        paths = (self._from_repo(_changed_path(c)) for c in tree_changes(repo.object_store, parent, commit.tree))
        message = commit.message.decode("utf-8", "replace").rstrip()
        undoes = next((line.removeprefix(_UNDOES) for line in message.splitlines() if line.startswith(_UNDOES)), "")
        zone = timezone(timedelta(seconds=commit.author_timezone))
        return Commit(
            commit.id.decode(),
            datetime.fromtimestamp(commit.author_time, zone).isoformat(),
            commit.author.decode("utf-8", "replace").partition(" <")[0],
            message,
            tuple(path for path in paths if path is not None),
            commit.author == US,
            undoes,
            FINAL in message.splitlines(),
            any(_TOMBSTONE.fullmatch(line) for line in message.splitlines()[1:]),
        )

    def _undoable(self, commit: Commit) -> bool:
        """Whether an undo without an id looks at *commit*: it is ours, and more than a conversation kept."""
        kept = all(self._vault.classify(path) == "journal" for path in commit.paths)
        return commit.ours and (commit.final or (bool(commit.paths) and not kept))

    # -- the repository ---

    @contextlib.contextmanager
    def _guarded(self, *, writing: bool = False) -> Iterator[Repo]:
        """The repository, made if there is none, with git's and the disk's failures turned into ours."""
        with self._lock:
            try:
                if self._repository is None:
                    with naming_failure(".git"):
                        self._repository = self._opened()
                if writing and self.ours:
                    for name in _UNDER_WAY:
                        if (Path(self._repository.controldir()) / name).exists():
                            hint = "finish or abort it; the commit waits until then"
                            raise HistoryBusy(f"a git operation of the owner's is under way ({name})", hint)
                with naming_failure(".git"):
                    yield self._repository
            except FileLocked as error:
                lock = os.fsdecode(error.lockfilename)
                hint = "if no git program is running, delete that file"
                if self._drop_if_stale(Path(lock)):
                    hint = "it died, so its lock is removed; the next change tries again"
                raise HistoryBusy(f"{lock} is held by another git program", hint) from error
            except (NotGitRepository, FileFormatException, ChecksumMismatch, KeyError, ValueError, zlib.error) as error:
                raise HistoryDamaged(str(self.folder), f"{type(error).__name__} {error}".strip()) from error

    def _opened(self) -> Repo:
        for leftover in self.folder.glob(".reverie-init-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if self.ours and not (self.folder / ".git").exists():
            make_folders(self.folder)
            with tempfile.TemporaryDirectory(prefix=".reverie-init-", dir=self.folder) as folder:
                with Repo.init(folder, default_branch=b"main") as repo:
                    config = repo.get_config()
                    config.set((b"reverie",), b"owned", b"true")
                    config.set((b"core",), b"autocrlf", b"false")
                    config.write_to_path()
                (Path(folder) / ".git").rename(self.folder / ".git")
        repo = Repo(str(self.folder))
        if isinstance(repo.object_store, DiskObjectStore):
            repo.object_store.loose_compression_level = zlib.Z_BEST_SPEED  # as git itself stores single objects
            repo.object_store.fsync_object_files = True
        self._mend(Path(repo.controldir()), Path(repo.index_path()))
        return repo

    def _mend(self, git: Path, index: Path) -> None:
        """Clear away what a kill of ours left: locks, and an index that is behind the last commit."""
        refs = ("*.lock", "refs/**/*.lock") if self.ours else (f"{OUR_REF.decode()}.lock",)
        for pattern in (*refs, "objects/??/*.lock"):
            for lock in git.glob(pattern):
                self._drop_if_stale(lock)
        with contextlib.suppress(OSError):
            debt = git / _DEBT
            self._index_debt.update(path for path in debt.read_text("utf-8").split("\0") if path)
            lock = index.with_name(f"{index.name}.lock")
            if abs(lock.stat().st_mtime - debt.stat().st_mtime) < 2 * _STALE_LOCK_S:
                lock.unlink()

    def _drop_if_stale(self, lock: Path) -> bool:
        """Remove *lock* if who took it is surely gone. That of the index is another thing: an editor may hold it."""
        try:
            stale = lock.name != "index.lock" and self._now().timestamp() - lock.stat().st_mtime > _STALE_LOCK_S
            if stale:
                lock.unlink()
        except OSError:
            return False
        return stale

    def _owner(self, repo: Repo) -> bytes:
        """Who the owner is, as their git configuration says."""
        name, mail = b"Owner", b"owner@localhost"
        with contextlib.suppress(OSError, ValueError, KeyError):
            config = repo.get_config_stack()
            with contextlib.suppress(KeyError):
                name = config.get((b"user",), b"name") or name
            with contextlib.suppress(KeyError):
                mail = config.get((b"user",), b"email") or mail
        clean = name.translate(None, b"<>\n\0").strip() or b"Owner"
        return clean + b" <" + mail.translate(None, b"<>\n\0").strip() + b">"

    def _to_repo(self, path: str) -> bytes:
        if self.folder == self._vault.root:
            return os.fsencode(path)
        return os.fsencode(os.path.relpath(self._vault.root / path, self.folder))

    def _from_repo(self, name: bytes) -> str | None:
        """The path below the vault of what git calls *name*; None if it lies outside."""
        if self.folder == self._vault.root:
            return os.fsdecode(name)
        path = self.folder / os.fsdecode(name)
        return str(path.relative_to(self._vault.root)) if path.is_relative_to(self._vault.root) else None


def undo_message(commit: Commit) -> str:
    """The message of the commit that undoes *commit*, by which `find` knows it."""
    return f"Undo: {commit.message.partition(chr(10))[0]}\n\n{_UNDOES}{commit.id}"


def _refusal(forgot: Commit, before: Commit | None) -> str:
    """Why an undo without an id stops at *forgot*, and what to say for the change *before* it."""
    told = "a forget cannot be undone" if forgot.final else "what was asked to be forgotten is not brought back unasked"
    reason = f"the newest change is a forget ({_named(forgot)}): {told}"
    if before is None:
        return f"{reason}; no change before it is left to undo"
    return f"{reason}; the change before it is {_named(before)}: `reverie undo {before.id[:10]}` takes that back"


def _named(commit: Commit) -> str:
    return f"{commit.id[:10]} of {commit.when[:16].replace('T', ' ')}, “{commit.message.partition(chr(10))[0]}”"


def _edited(after: Mapping[str, bytes | None]) -> str:
    names = sorted(after)
    subject = f"Edit {names[0]}" if len(names) == 1 else f"Edit {len(names)} pages"
    return subject if len(names) == 1 else subject + "\n\n" + "\n".join(names)


def _find_repository(vault: Vault) -> tuple[Path, bool]:
    """The folder whose `.git` keeps the history, and whether that repository is ours."""
    candidates = [vault.root] if vault.owned else [vault.root / "reverie", vault.root, *vault.root.parents]
    for folder in candidates:
        if (folder / ".git").exists():
            return folder, _is_ours(folder)
    return (vault.root, True) if vault.owned else (vault.root / "reverie", True)


def _is_ours(folder: Path) -> bool:
    try:
        with Repo(str(folder)) as repo:
            return repo.get_config().get_boolean((b"reverie",), b"owned", False) or False
    except (NotGitRepository, KeyError, ValueError, OSError):
        return False


def _commit_object(repo: Repo, commit: str) -> GitCommit:
    found = repo.object_store[ObjectID(commit.encode())]
    if not isinstance(found, GitCommit):
        raise ValueError(f"{commit} is no commit")
    return found


def _look_up(get: _Get, tree: ObjectID | None, name: bytes) -> tuple[int | None, ObjectID | None]:
    if tree is None:
        return None, None
    try:
        return tree_lookup_path(get, tree, name)
    except (KeyError, ValueError, NotADirectoryError):
        return None, None


def _blob(repo: Repo, entry: object) -> bytes | None:
    sha = getattr(entry, "sha", None)
    found = repo.object_store[sha] if sha else None
    return found.data if isinstance(found, Blob) else None


def _changed_path(change: object) -> bytes:
    for side in ("new", "old"):
        path = getattr(getattr(change, side), "path", None)
        if isinstance(path, bytes):
            return path
    raise ValueError("a change without a path")
