"""
The git repository behind a vault's history: which one it is, commits made in it, and what a kill left in it mended.

Ours or the owner's: see `memory_store.history`.
"""

import contextlib
import logging
import os
import re
import shutil
import struct
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal

from dulwich.errors import ChecksumMismatch, FileFormatException, NotGitRepository, RefFormatError
from dulwich.file import FileLocked
from dulwich.index import Index, UnsupportedIndexFormat, index_entry_from_stat, locked_index
from dulwich.object_store import DiskObjectStore, commit_tree_changes, iter_tree_contents, tree_lookup_path
from dulwich.objects import ZERO_SHA, Blob, ObjectID, RawObjectID, ShaFile, Tree
from dulwich.objects import Commit as GitCommit
from dulwich.pack import PackFileDisappeared
from dulwich.refs import Ref, SymrefLoop
from dulwich.repo import Repo

from memory_store.errors import HistoryBusy, HistoryDamaged
from memory_store.files import Vault, naming_failure
from memory_store.swap import make_folders

logger = logging.getLogger(__name__)
OUR_REF = Ref(b"refs/reverie/history")
SEEN_REF = Ref(b"refs/reverie/seen")  # our last commit on a branch that the owner may commit to as well
HEAD = Ref(b"HEAD")
US = b"reverie <reverie@localhost>"
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply")
_DETACHED = re.compile(rb"[0-9a-f]{40,64}\s*")
_MANY = 64
_LONGEST_REASON = 200
_BIG_INDEX_BYTES = 300_000
_STALE_LOCK_S = 5.0  # git holds the locks of refs and objects for moments
_DEBT = "reverie-debt"

# What dulwich raises over files that are not what git wrote.
_DAMAGED = (
    *(NotGitRepository, FileFormatException, ChecksumMismatch, RefFormatError, SymrefLoop, AssertionError),
    *(LookupError, ValueError, EOFError, struct.error, zlib.error),
)

Author = Literal["reverie", "owner"]
Get = Callable[[ObjectID | RawObjectID], ShaFile]


class Repository:
    """
    Opened at its first use; any thread may call, one at a time is served.

    *now* gives the time of a commit with its offset.
    """

    def __init__(self, vault: Vault, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._now = now
        self._lock = threading.RLock()
        self._opened: Repo | None = None
        self._standing: tuple[int, int] | None = None
        self._index_debt: set[str] = set()
        self.folder, self.ours = _find_repository(vault)

    @property
    def ref(self) -> Ref:
        """Where our commits go."""
        return HEAD if self.ours else OUR_REF

    @property
    def begun(self) -> bool:
        """Whether there is a repository yet."""
        return (self.folder / ".git").exists()

    def begin(self) -> None:
        """
        Make the repository where it is ours to make: before the vault is watched, as a watch stumbles over folders that
        come and go. Where this failed, the first commit makes it.

        Raises:
            HistoryDamaged, NoSpace, VaultReadOnly, PageUnwritable.
        """
        if self.ours and not self.begun:
            with self.guarded():
                pass

    def close(self) -> None:
        """Let go of the repository's files."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    @contextlib.contextmanager
    def guarded(self, *, writing: bool = False) -> Iterator[Repo]:
        """The repository, made if there is none, with git's and the disk's failures turned into ours."""
        with self._lock, self._told():
            if writing:
                self._vault.require()
            if self._opened is not None and _identity(self.folder) != self._standing:
                logger.warning("the history in %s was taken away, or another put in its place", self.folder)
                self.close()
                self._index_debt.clear()
                self.folder, self.ours = _find_repository(self._vault)
            if self._opened is None:
                self._opened = self._open()
                self._standing = _identity(self.folder)
            if writing and (busy := self.under_way(self._opened)):
                raise busy
            try:
                yield self._opened
            except OSError:
                self._drop_object_locks(Path(self._opened.controldir()))
                raise

    @contextlib.contextmanager
    def beside(self) -> Iterator[Repo]:
        """The repository by a handle of its own, for long work of one thread while others use it."""
        with self._told(), Repo(str(self.folder)) as repo:
            _set_up(repo)
            yield repo

    def let_go_of_packs(self) -> None:
        """Read anew what packs there are: some were deleted, and would be kept by who has them open."""
        with self._lock:
            if self._opened is not None:
                self._opened.object_store.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn git's and the disk's failures within into ours."""
        try:
            with naming_failure(".git"):
                yield
        except FileLocked as error:
            lock = os.fsdecode(error.lockfilename)
            hint = "if no git program is running, delete that file"
            if self._drop_if_stale(Path(lock)):
                hint = "it died, so its lock is removed; the next change tries again"
            raise HistoryBusy(f"{lock} is held by another git program", hint) from error
        except PackFileDisappeared as error:
            raise HistoryBusy("git packs the history anew just now", "it is tried again by itself") from error
        except _DAMAGED as error:
            reason = f"{type(error).__name__} {error}".strip()
            raise HistoryDamaged(str(self.folder / ".git"), reason[:_LONGEST_REASON]) from error

    def under_way(self, repo: Repo) -> HistoryBusy | None:
        """What the owner does with git that no commit of ours may come between; None while they do nothing."""
        if not self.ours:
            return None
        control = Path(repo.controldir())
        for name in _UNDER_WAY:
            if (control / name).exists():
                hint = "finish or abort it; the commit waits until then"
                return HistoryBusy(f"a git operation of the owner's is under way ({name})", hint)
        with contextlib.suppress(OSError):
            if _DETACHED.fullmatch((control / "HEAD").read_bytes()):  # what is committed there is left behind
                hint = "check out a branch (`git switch main`); the commit waits until then"
                return HistoryBusy("no branch is checked out in the vault", hint)
        return None

    def _open(self) -> Repo:
        for leftover in self.folder.glob(".reverie-init-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if self.ours and not (self.folder / ".git").exists():
            make_folders(self.folder, within=self._vault.root)
            with tempfile.TemporaryDirectory(prefix=".reverie-init-", dir=self.folder) as folder:
                with Repo.init(folder, default_branch=b"main") as repo:
                    config = repo.get_config()
                    config.set((b"reverie",), b"owned", b"true")
                    config.set((b"core",), b"autocrlf", b"false")
                    config.write_to_path()
                (Path(folder) / ".git").rename(self.folder / ".git")
        repo = Repo(str(self.folder))
        _set_up(repo)
        self._mend(Path(repo.controldir()))
        return repo

    def _mend(self, git: Path) -> None:
        """Clear away what a kill of ours left: locks, and an index that is behind the last commit."""
        note = git / _DEBT
        refs = ("*.lock", "refs/**/*.lock") if self.ours else (f"{OUR_REF.decode()}.lock",)
        for lock in (lock for pattern in refs for lock in git.glob(pattern)):
            if not self.ours or _is_right_after(lock, note):  # nobody else takes it, or it is from our last commit
                lock.unlink(missing_ok=True)
            else:
                self._drop_if_stale(lock)
        self._drop_object_locks(git)
        with contextlib.suppress(OSError):
            self._index_debt.update(path for path in note.read_text("utf-8", "replace").split("\0") if path)

    def _drop_object_locks(self, git: Path) -> None:
        """Clear away the locks of objects that a kill or a full disk left: git locks none, and of us there is one."""
        for lock in git.glob("objects/??/*.lock"):
            if self.ours:
                lock.unlink(missing_ok=True)
            else:
                self._drop_if_stale(lock)

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

    def to_repo(self, path: str) -> bytes:
        """What git calls *path* of the vault."""
        if self.folder == self._vault.root:
            return os.fsencode(path)
        return os.fsencode(os.path.relpath(self._vault.root / path, self.folder))

    def from_repo(self, name: bytes) -> str | None:
        """The path below the vault of what git calls *name*; None if it lies outside."""
        if self.folder == self._vault.root:
            return os.fsdecode(name)
        path = self.folder / os.fsdecode(name)
        return str(path.relative_to(self._vault.root)) if path.is_relative_to(self._vault.root) else None

    def tip(self, repo: Repo) -> ObjectID | None:
        """The newest commit. Raises ValueError where something stands in its place that is none."""
        try:
            return repo.refs[self.ref]
        except KeyError:
            pass
        *_, name = repo.refs.follow(self.ref)[0]
        if name == HEAD or (Path(repo.controldir()) / os.fsdecode(name)).exists():
            raise ValueError(f"{os.fsdecode(name)} names no commit")
        return None

    def seen(self, repo: Repo) -> ObjectID | None:
        """The newest commit that we made: what the owner committed by themselves since is not in it."""
        if self.ours:
            with contextlib.suppress(*_DAMAGED):
                found = repo.refs[SEEN_REF]
                return commit_object(repo, found.decode()).id
        return self.tip(repo)

    def walk(self, repo: Repo) -> Iterator[GitCommit]:
        """All commits by their first parents, newest first."""
        tip = self.tip(repo)
        while tip is not None:
            commit = commit_object(repo, tip.decode())
            yield commit
            tip = commit.parents[0] if commit.parents else None

    def commit(self, repo: Repo, after: Mapping[str, bytes | None], message: str, author: Author) -> str | None:
        """
        Commit the contents *after* of just these paths (None: deleted). The id; None if it would change nothing.

        Raises:
            HistoryBusy: another program committed at the same moment.
        """
        tip = self.tip(repo)
        tree = commit_object(repo, tip.decode()).tree if tip else None
        removed: list[tuple[bytes, int | None, ObjectID | None]] = []
        added: list[tuple[bytes, int | None, ObjectID | None]] = []
        blobs: list[tuple[ShaFile, str | None]] = []
        get: Get = cache(repo.object_store.__getitem__)
        for path, data in after.items():
            name = self.to_repo(path)
            mode, old = look_up(get, tree, name)
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
        if not _set_ref(repo, self.ref, commit.id, tip or ZERO_SHA, subject):
            raise HistoryBusy("another program committed at the same moment", "it is tried again with the next change")
        if self.ours:
            _set_ref(repo, SEEN_REF, commit.id)
            self._index_debt.update(after)
            index = Path(repo.index_path())
            if not index.exists() or index.stat().st_size < _BIG_INDEX_BYTES:
                self.pay_index_debt(repo)
        return commit.id.decode()

    @contextlib.contextmanager
    def claiming_index(self, repo: Repo) -> Iterator[None]:
        """While the index is locked within: a note by which the next start knows the lock of a kill as ours."""
        debt = Path(repo.controldir()) / _DEBT
        debt.write_text("\0".join(self._index_debt), "utf-8")
        try:
            yield
        except FileLocked:
            os.utime(debt, (0, 0))  # that lock is not ours
            raise
        if not self._index_debt:
            debt.unlink(missing_ok=True)

    @contextlib.contextmanager
    def index_claimed(self, repo: Repo) -> Iterator[Index | None]:
        """git's index, kept from other programs and written at the end; None where there is none."""
        if not Path(repo.index_path()).exists():
            yield None
            return
        with self.claiming_index(repo), index_held(repo) as index:
            yield index

    def pay_index_debt(self, repo: Repo) -> None:
        """
        Bring the index in step for the paths we committed.

        While another program holds it, that waits; in a large vault, where it takes a second, for a quiet moment.
        """
        if not self._index_debt:
            return
        self.see_index_sound(repo)
        tip = self.tip(repo)
        tree = commit_object(repo, tip.decode()).tree if tip else None
        try:
            get: Get = cache(repo.object_store.__getitem__)
            with self.claiming_index(repo), index_held(repo) as index:
                for path in self._index_debt:
                    name = self.to_repo(path)
                    mode, sha = look_up(get, tree, name)
                    if sha is None or mode is None:
                        if name in index:
                            del index[name]
                    else:
                        index[name] = index_entry_from_stat(self._stat_for(path, sha), sha, mode)
        except FileLocked:
            return
        self._index_debt.clear()
        (Path(repo.controldir()) / _DEBT).unlink(missing_ok=True)

    def see_index_sound(self, repo: Repo) -> None:
        """Put an index that cannot be read aside, and owe one of all that the last commit holds."""
        index = Path(repo.index_path())
        if not index.exists():
            return
        try:
            repo.open_index()
        except (*_DAMAGED, UnsupportedIndexFormat) as error:
            aside = index.with_name("index.damaged")
            logger.warning("git's index of the vault cannot be read (%s): it is now %s", error, aside)
            index.replace(aside)
            tip = self.tip(repo)
            tree = commit_object(repo, tip.decode()).tree if tip else None
            names = [entry.path for entry in iter_tree_contents(repo.object_store, tree)] if tree else []
            self._index_debt.update(path for name in names if (path := self.from_repo(name)) is not None)

    def _stat_for(self, path: str, sha: ObjectID) -> os.stat_result:
        """The file's stat if it holds what was committed; else one of zeros, so that git looks for itself."""
        with contextlib.suppress(OSError):
            file = self._vault.root / path
            info = file.stat()
            if Blob.from_string(file.read_bytes()).id == sha:
                return info
        return os.stat_result((0o100644, 0, 0, 1, 0, 0, 0, 0, 0, 0))


def _is_right_after(lock: Path, note: Path) -> bool:
    """Whether *lock* was taken just when, or after, *note* was written."""
    try:
        return -1 < lock.stat().st_mtime - note.stat().st_mtime < 2 * _STALE_LOCK_S
    except OSError:
        return False


def _set_up(repo: Repo) -> None:
    if isinstance(repo.object_store, DiskObjectStore):
        repo.object_store.loose_compression_level = zlib.Z_BEST_SPEED  # as git itself stores single objects
        repo.object_store.fsync_object_files = True


def _set_ref(repo: Repo, ref: Ref, new: ObjectID, old: ObjectID | None = None, message: bytes | None = None) -> bool:
    """Let *ref* name *new*, if it names *old* (None: whatever it does). A full disk leaves no lock of ours behind."""
    try:
        return repo.refs.set_if_equals(ref, old, new, committer=US, message=message)
    except OSError:
        *_, name = repo.refs.follow(ref)[0]
        Path(repo.controldir(), f"{os.fsdecode(name)}.lock").unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def index_held(repo: Repo) -> Iterator[Index]:
    """
    git's index, kept from other programs meanwhile and written at the end. Raises FileLocked where one has it.

    Whatever keeps it from being written, its lock, which dulwich then leaves behind, goes.
    """
    entered = False
    try:
        with locked_index(repo.index_path()) as index:
            entered = True
            yield index
    except BaseException:
        if entered:
            Path(f"{repo.index_path()}.lock").unlink(missing_ok=True)
        raise


def _identity(folder: Path) -> tuple[int, int] | None:
    """What the `.git` of *folder* is on its disk; None: there is none."""
    try:
        info = (folder / ".git").stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _find_repository(vault: Vault) -> tuple[Path, bool]:
    """The folder whose `.git` keeps the history, and whether that repository is ours."""
    candidates = [vault.root] if vault.owned else [vault.root / "reverie", vault.root, *vault.root.parents]
    for folder in candidates:
        if (folder / ".git").exists():
            return folder, _is_ours(folder)
    return (vault.root, True) if vault.owned else (vault.root / "reverie", True)


def _is_ours(folder: Path) -> bool:
    """Whether we made the repository in *folder*: its configuration says so, or, where that is lost, our own ref."""
    try:
        with Repo(str(folder)) as repo:
            said = repo.get_config().get_boolean((b"reverie",), b"owned")
            return SEEN_REF in repo.refs if said is None else said
    except (*_DAMAGED, OSError):
        return False


def commit_object(repo: Repo, commit: str) -> GitCommit:
    """The commit with the full id *commit*. Raises KeyError or ValueError where there is none."""
    found = repo.object_store[ObjectID(commit.encode())]
    if not isinstance(found, GitCommit):
        raise ValueError(f"{commit} is no commit")
    return found


def look_up(get: Get, tree: ObjectID | None, name: bytes) -> tuple[int | None, ObjectID | None]:
    """Mode and id of what *tree* holds at *name*; None for both: nothing."""
    if tree is None:
        return None, None
    try:
        return tree_lookup_path(get, tree, name)
    except (KeyError, ValueError, NotADirectoryError):
        return None, None
