"""
The vault's history in git, through dulwich: what changed, who changed it and why; and what undoing it would write.

A vault of reverie's own is its own repository, committed to the branch that HEAD names, with the index kept in step
so that `git status` is clean. In a repository of the owner's, commits go to `refs/reverie/history` alone: their
branch, index, HEAD and working tree are never touched. A foreign vault without a repository gets one in `reverie/`.

Commits are made of the contents that were written, never of what happens to lie on the disk.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dulwich.diff_tree import tree_changes
from dulwich.ignore import IgnoreFilterManager
from dulwich.object_store import iter_tree_contents
from dulwich.objects import Blob, ObjectID
from dulwich.repo import Repo

from memory_store.commits import Commit, Commits, changed_path, refusal
from memory_store.errors import (
    CommitUnknown,
    HistoryBusy,
    NothingToUndo,
    PageMissing,
    PageUnreadable,
    StoreError,
)
from memory_store.files import Role, Vault, is_page_name
from memory_store.lineage import changes_of, lineage
from memory_store.packing import MOST_LOOSE, pack_loose
from memory_store.purge import Purged, purge_foreign, purge_own
from memory_store.redact import MARK, Redaction
from memory_store.repository import OUR_REF, Author, Repository, commit_object, look_up
from memory_store.rewriting import Dropped

_RACY_S = 2.0


@dataclass(frozen=True)
class Reverse:
    """What undoing would do to *path*: take the step from *made* back to *before* (None: no file)."""

    path: str
    made: bytes | None
    before: bytes | None


class History:
    """
    What the vault's repository, *git*, tells of its changes, and what is added. Any thread may call.

    *now* gives the time of a commit with its offset.
    """

    def __init__(self, vault: Vault, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._now = now
        self._seen: dict[str, tuple[int, int, int, ObjectID]] = {}
        self.git = Repository(vault, now)
        self._commits = Commits(self.git)

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

        What the owner had changed of them unrecorded, as *before* shows, is committed first, as theirs. Nothing is
        committed where all of *after* stands in the last commit already.

        Returns:
            The id of the commit; None if it would change nothing.

        Raises:
            HistoryBusy, HistoryDamaged: no commit was made.
        """
        with self.git.guarded(writing=True) as repo:
            tip = self.git.tip(repo)
            if after and all(self._content(repo, path, tip) == data for path, data in after.items()):
                return None  # it was committed before a kill, and only its note was left
            if before:
                self.git.commit(repo, before, _edited(before), "owner")
            return self.git.commit(repo, after, message, author)

    def keep(self, path: str, before: bytes, after: bytes) -> str | None:
        """
        Commit, as ours, that conversations were added to the page at *path*: *before* became *after*. The commit's id.

        What the owner had changed of *before* by hand is committed first, as theirs.

        Raises:
            HistoryBusy, HistoryDamaged and their like: not all is committed.
        """
        with self.git.guarded(writing=True) as repo:
            self._require_quiet(repo)
            committed = self._content(repo, path, self.git.tip(repo))
            if before and not before.startswith(committed or b""):
                self.git.commit(repo, {path: before}, _edited({path: before}), "owner")
            return self.git.commit(repo, {path: after}, "Keep a conversation", "reverie")

    def look(self) -> None:
        """
        Look at all pages that changed since the last look, so that `owner_commit`, for which others wait, need not.

        Raises:
            PageUnreadable: the vault's folder cannot be listed.
        """
        for file in self._vault.scan().files:
            seen = self._seen.get(file.path)
            is_ours_to_commit = file.path.startswith(self._vault.base) and file.role != "conflict"
            if is_ours_to_commit and (seen is None or seen[:3] != (file.mtime_ns, file.size, file.inode)):
                self._look_at(file.path)

    def owner_commit(self) -> str | None:
        """
        Commit as the owner's what they changed since the last commit; conversations appended meanwhile as ours.

        Looks at pages only, below `reverie/` in a vault that is not ours. Reads, and writes no page. What cannot be
        read, and a vault that looks suddenly empty, is left for another time.

        Returns:
            The id of the last commit made; None when nothing had changed.
        """
        with self.git.guarded(writing=True) as repo:
            after = self._changed_on_disk(repo)
            tip = self.git.tip(repo)
            appended = {
                path: data
                for path, data in after.items()
                if data
                and self._vault.classify(path) == "journal"
                and data.startswith(self._content(repo, path, tip) or b"")
            }
            edits = {path: data for path, data in after.items() if path not in appended}
            own = self.git.commit(repo, appended, "Keep conversations", "reverie") if appended else None
            theirs = self.git.commit(repo, edits, _edited(edits), "owner") if edits else None
            self.git.pay_index_debt(repo)
            return theirs or own

    def first_commit(self) -> None:
        """Where there is no commit yet, one of the pages of facts, so that an edit before the next is known as such."""
        if self._vault.there and not self.log(1):
            with self.git.guarded(writing=True) as repo:
                facts = self._changed_on_disk(repo, "facts")
                if facts:
                    self.git.commit(repo, facts, _edited(facts), "owner")

    def newest(self) -> str | None:
        """The id of the newest commit; None: there is none."""
        if not self.git.begun:
            return None
        with self.git.guarded() as repo:
            tip = self.git.tip(repo)
            return tip.decode() if tip else None

    def log(self, limit: int | None = 50) -> list[Commit]:
        """The newest *limit* changes (None: all), newest first; changes that touch no page of the vault left out."""
        found: list[Commit] = []
        if not self.git.begun:
            return found
        with self.git.guarded() as repo:
            for commit in self.git.walk(repo):
                if limit is not None and len(found) >= limit:
                    break
                described = self._commits.described(repo, commit)
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
        if not self.git.begun:
            raise NothingToUndo("there is no change yet")
        undone: set[str] = set()
        matches: list[Commit] = []
        forgot: Commit | None = None
        with self.git.guarded() as repo:
            for git_commit in self.git.walk(repo):
                if commit is None:
                    described = self._commits.described(repo, git_commit)
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
                        raise NothingToUndo(refusal(forgot, described))
                elif git_commit.id.decode().startswith(commit.lower()):
                    matches.append(self._commits.described(repo, git_commit))
        if commit is None:
            raise NothingToUndo(refusal(forgot, None) if forgot else "there is no change left to undo")
        if len(matches) == 1 and len(commit) >= 4:
            return matches[0]
        raise CommitUnknown(commit, len(matches))

    def reverses(self, commit: str) -> list[Reverse]:
        """What undoing the change with the full id *commit* would take back, by path."""
        with self.git.guarded() as repo:
            made = commit_object(repo, commit)
            parent = commit_object(repo, made.parents[0].decode()).tree if made.parents else None
            return [
                Reverse(path, _blob(repo, change.new), _blob(repo, change.old))
                for change in tree_changes(repo.object_store, parent, made.tree)
                if (path := self.git.from_repo(changed_path(change))) is not None
            ]

    def content(self, path: str) -> bytes | None:
        """
        What the newest commit that we made holds at *path*; None: nothing.

        Commits that the owner made by themselves since are not looked at: what they changed is an edit by hand too.
        """
        if not self.git.begun:
            return None
        with self.git.guarded() as repo:
            return self._content(repo, path, self.git.seen(repo))

    def versions(self, role: Role) -> Iterator[tuple[str, bytes]]:
        """What all pages of *role*, those that are gone too, have held, newest first, each content of a page once."""
        if not self.git.begun:
            return
        seen: set[tuple[bytes, ObjectID]] = set()
        with self.git.guarded() as repo:
            for commit in self.git.walk(repo):
                for change in changes_of(repo.object_store, commit):
                    if change.new is None or not change.new.path or not change.new.sha:
                        continue
                    version, path = (change.new.path, change.new.sha), self.git.from_repo(change.new.path)
                    if version in seen or path is None or self._vault.classify(path) != role:
                        continue
                    seen.add(version)
                    if isinstance(blob := repo.object_store[change.new.sha], Blob):
                        yield path, blob.data

    def former(self, path: str) -> list[tuple[str, str]]:
        """Other names that the page at *path* has had, each with the git id of a content it had then."""
        if not self.git.begun:
            return []
        name = self.git.to_repo(path)
        with self.git.guarded() as repo:
            commits = reversed(list(self.git.walk(repo)))
            found = sorted(lineage(repo.object_store, commits, name))
        named = ((self.git.from_repo(old), sha.decode()) for old, sha in found if old != name)
        return [(old, sha) for old, sha in named if old is not None]

    def pack(self, most_loose: int = MOST_LOOSE) -> int:
        """
        Pack what lies loose in a repository of our own, where that is more than *most_loose* objects; how many were.

        Raises:
            HistoryBusy, HistoryDamaged: nothing was lost.
        """
        if not (self.git.ours and self.git.begun):
            return 0
        with self.git.guarded(writing=True) as repo:
            return pack_loose(repo, most_loose)

    def purge(
        self,
        redaction: Redaction,
        *,
        apart: Callable[[], AbstractContextManager[object]] = nullcontext,
        step: Callable[[], None] = lambda: None,
    ) -> Purged:
        """
        Rewrite the history so that no git object of ours holds what is to be forgotten; reflogs and old packs go too.

        In the owner's repository only our own ref is rewritten, and the result says so. Others read and commit
        meanwhile, but for moments, for which *apart* is entered too. *step* is called often, and may raise.

        Raises:
            HistoryBusy, HistoryDamaged: not all is done; the next try does the rest.
        """

        @contextmanager
        def held() -> Iterator[Repo]:
            with apart(), self.git.guarded(writing=True) as repo:
                self._must_stand_alone(repo)
                yield repo

        with held() as repo:
            if self.git.ours:
                self.git.see_index_sound(repo)
            dropped = Dropped(
                frozenset(self.git.to_repo(path) for path in redaction.paths),
                frozenset((self.git.to_repo(path), ObjectID(sha.encode())) for path, sha in redaction.versions),
            )
        try:
            with self.git.beside() as repo:
                if self.git.ours:
                    return purge_own(repo, redaction, dropped, held, lambda: self.git.index_claimed(repo), step)
                return purge_foreign(repo, OUR_REF, redaction, dropped, held, step)
        finally:
            self._commits.clear()
            self.git.let_go_of_packs()

    def must_be_free(self) -> None:
        """
        Make sure that a `purge` is not kept from its work: a git program of the owner's may hold the index for long.

        Raises:
            HistoryBusy, HistoryDamaged.
        """
        if not self.git.begun:
            return
        with self.git.guarded(writing=True) as repo:
            self._require_quiet(repo)
            self._must_stand_alone(repo)

    def require_quiet(self) -> None:
        """
        Make sure that git does nothing of the owner's just now that a commit should not come between.

        Raises:
            HistoryBusy, HistoryDamaged.
        """
        with self.git.guarded(writing=True) as repo:
            self._require_quiet(repo)

    def _require_quiet(self, repo: Repo) -> None:
        lock = repo.index_path() + ".lock"
        if self.git.ours and Path(lock).exists():
            raise HistoryBusy(f"{lock} is held by another git program", "if none is running, delete that file")

    def _must_stand_alone(self, repo: Repo) -> None:
        """Raises HistoryBusy where the owner works on the same objects in another folder, which nobody rewrites."""
        for told in Path(repo.controldir()).glob("worktrees/*/gitdir") if self.git.ours else ():
            other = Path(os.fsdecode(told.read_bytes().strip()))
            if other.exists():
                hint = f"`git worktree remove {other.parent}`, then what is to be forgotten goes"
                raise HistoryBusy(f"{other.parent} is a worktree of the vault's repository", hint)

    def problem(self) -> str | None:
        """What keeps the history from working, in one line; None when nothing does."""
        if not self.git.begun:
            return None
        try:
            with self.git.guarded() as repo:
                tip = self.git.tip(repo)
                tree = commit_object(repo, tip.decode()).tree if tip else None
                for path, sha in self._pages_in(repo, tree):
                    if self._vault.classify(path) == "facts" or sha not in repo.object_store:
                        repo.object_store[sha]  # raises where it cannot be read
                if busy := self.git.under_way(repo):
                    return str(busy)
                lock = Path(repo.index_path() + ".lock")
                if self.git.ours and lock.exists():
                    return f"{lock} is held by another git program; if none is running, delete it"
        except StoreError as error:
            return str(error)
        return None

    def close(self) -> None:
        """Let go of the repository's files."""
        self.git.close()

    def _changed_on_disk(self, repo: Repo, role: Role | None = None) -> dict[str, bytes | None]:
        scan = self._vault.scan()
        tip = self.git.tip(repo)
        tree = commit_object(repo, tip.decode()).tree if tip else None
        known = dict(self._pages_in(repo, tree))
        changed: dict[str, bytes | None] = {}
        ignored = IgnoreFilterManager.from_repo(repo) if self.git.ours else None
        present: set[str] = set()
        for file in scan.files:
            if not file.path.startswith(self._vault.base) or file.role == "conflict" or role not in (None, file.role):
                continue
            present.add(file.path)
            stamp = (file.mtime_ns, file.size, file.inode)
            seen = self._seen.get(file.path)
            if seen and seen[:3] == stamp and known.get(file.path) == seen[3]:
                continue
            if file.path not in known and ignored and ignored.is_ignored(os.fsdecode(self.git.to_repo(file.path))):
                continue
            found = self._look_at(file.path)
            if found is not None and known.get(file.path) != found[0]:
                changed[file.path] = found[1]
        gone = [path for path in known if path not in present and not scan.hides(path)]
        if present or len(gone) < 2:
            changed.update(dict.fromkeys(gone))
        return changed

    def _look_at(self, path: str) -> tuple[ObjectID, bytes] | None:
        """What the page at *path* holds, and the id of that; None where it cannot be read now."""
        try:
            snapshot = self._vault.read(path)
        except (PageMissing, PageUnreadable):
            return None
        sha = Blob.from_string(snapshot.data).id
        if self._now().timestamp() - snapshot.mtime_ns / 1e9 > _RACY_S:
            self._seen[path] = (snapshot.mtime_ns, snapshot.size, snapshot.inode, sha)
        return sha, snapshot.data

    def _pages_in(self, repo: Repo, tree: ObjectID | None) -> Iterator[tuple[str, ObjectID]]:
        if tree is not None:
            for entry in iter_tree_contents(repo.object_store, tree):
                path = self.git.from_repo(entry.path)
                if path is not None and path.startswith(self._vault.base) and is_page_name(path.rpartition("/")[2]):
                    yield path, entry.sha

    # -- reading ---

    def _content(self, repo: Repo, path: str, commit: ObjectID | None) -> bytes | None:
        if commit is None:
            return None
        tree = commit_object(repo, commit.decode()).tree
        _, sha = look_up(repo.object_store.__getitem__, tree, self.git.to_repo(path))
        found = repo.object_store[sha] if sha else None
        return found.data if isinstance(found, Blob) else None

    def _undoable(self, commit: Commit) -> bool:
        """Whether an undo without an id looks at *commit*: it is ours, and more than a conversation kept."""
        kept = all(self._vault.classify(path) == "journal" for path in commit.paths)
        return commit.ours and (commit.final or (bool(commit.paths) and not kept))


def _edited(after: Mapping[str, bytes | None]) -> str:
    names = sorted(after)
    subject = f"Edit {names[0]}" if len(names) == 1 else f"Edit {len(names)} pages"
    return subject if len(names) == 1 else subject + "\n\n" + "\n".join(names)


def _blob(repo: Repo, entry: object) -> bytes | None:
    sha = getattr(entry, "sha", None)
    found = repo.object_store[sha] if sha else None
    return found.data if isinstance(found, Blob) else None
