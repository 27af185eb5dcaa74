"""
Take bytes out of a git history: every commit, tree, blob and tag that holds them is rewritten, and the old ones go.

`purge_own` works on a repository of ours, all refs of it. `purge_foreign` rewrites one ref in somebody else's
repository and deletes only loose objects that hold the bytes and that nothing of theirs reaches.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dulwich.index import Index, IndexEntry
from dulwich.object_store import DiskObjectStore
from dulwich.objects import S_ISGITLINK, ZERO_SHA, Blob, Commit, ObjectID, ShaFile, Tag, Tree
from dulwich.refs import HEADREF, Ref, SymrefLoop
from dulwich.repo import Repo

from memory_store.redact import Redaction
from memory_store.repository import index_held
from memory_store.swap import sync

_STASHES = "logs/refs/stash"
_HASH = re.compile(rb"\b[0-9a-f]{40}\b")


@dataclass(frozen=True)
class Dropped:
    """What goes whole: all that was ever at *paths*, and of other paths the given *versions*."""

    paths: frozenset[bytes] = frozenset()
    versions: frozenset[tuple[bytes, ObjectID]] = frozenset()

    def holds(self, path: bytes, sha: ObjectID) -> bool:
        """Whether the content *sha* goes from *path*."""
        return path in self.paths or (path, sha) in self.versions


@dataclass(frozen=True)
class Purged:
    """
    What a purge did: objects *rewritten* and *removed*; *remaining* are ids of objects that still hold the bytes.

    *shared* are ids of texts that went with a page and that stay, as another page has, or had, the very same text.
    *theirs_left_alone*: the repository is the owner's, so their own commits were not looked into.
    """

    rewritten: int
    removed: int
    remaining: tuple[str, ...]
    shared: tuple[str, ...] = ()
    theirs_left_alone: bool = False


def purge_own(repo: Repo, redaction: Redaction, dropped: Dropped) -> Purged:
    """Rewrite all refs of *repo*, which is ours, and delete everything that nothing reaches any more."""
    store = _store(repo)
    rewriter = _Rewriter(store, redaction, dropped)
    heads = _all_refs(repo)
    with _index_held(repo) as index:
        for ref, old in heads.items():
            new = rewriter.rewrite(old)
            if new != old:
                repo.refs.set_if_equals(ref, old, new)
        for entry in map(index.__getitem__, index) if index is not None else ():
            if isinstance(entry, IndexEntry) and entry.sha in store:
                entry.sha = rewriter.blob(entry.sha)
    control = Path(repo.controldir())
    stashed = _rewrite_stashes(control / _STASHES, rewriter, redaction)
    _remove_logs(control / "logs", but=control / _STASHES)
    for leftover in [*control.glob("*_HEAD"), *control.glob("*_EDITMSG"), *control.glob("*_MSG")]:
        leftover.unlink()
    reachable = _closure(store, [*_all_refs(repo).values(), *stashed], _index_blobs(repo))
    removed = _prune(store, reachable)
    return Purged(rewriter.changed, removed, _holding(store, redaction), rewriter.still_there())


def purge_foreign(repo: Repo, ref: Ref, redaction: Redaction, dropped: Dropped) -> Purged:
    """Rewrite the commits of *ref* in a repository that is not ours, and delete what only they held."""
    store = _store(repo)
    old = repo.refs.as_dict().get(ref)
    if old is None:
        return Purged(0, 0, (), theirs_left_alone=True)
    before = _closure(store, [old], ())
    rewriter = _Rewriter(store, redaction, dropped)
    new = rewriter.rewrite(old)
    if new != old:
        repo.refs.set_if_equals(ref, old, new)
    control = Path(repo.commondir())
    (control / "logs" / os.fsdecode(ref)).unlink(missing_ok=True)
    theirs = [sha for name, sha in _all_refs(repo).items() if name != ref] + list(_reflogged(control))
    kept = _closure(store, [*theirs, new], _index_blobs(repo))
    removed = 0
    for sha in before - kept:
        if (sha in rewriter.dropped or _holds(store[sha], redaction)) and store.contains_loose(sha):
            store.delete_loose_object(sha)
            removed += 1
    remaining = tuple(
        sha.decode()
        for sha in sorted((before - kept) | _closure(store, [new], ()))
        if sha in store and _holds(store[sha], redaction)
    )
    return Purged(rewriter.changed, removed, remaining, rewriter.still_there(), theirs_left_alone=True)


def _rewrite_stashes(log: Path, rewriter: "_Rewriter", redaction: Redaction) -> list[ObjectID]:
    """
    Rewrite what the owner has stashed, and the log of it, which alone tells of all but the newest; the new ids.
    """
    try:
        lines = log.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    stashed: list[ObjectID] = []
    fresh = log.with_suffix(".part")
    with fresh.open("wb") as file:
        for line in lines:
            head, _, message = line.partition(b"\t")
            _, sha, who = head.split(b" ", 2)
            before = stashed[-1] if stashed else ZERO_SHA
            stashed.append(rewriter.rewrite(ObjectID(sha)))
            file.write(b"%s %s %s\t%s\n" % (before, stashed[-1], redaction.scrub(who), redaction.scrub(message)))
        sync(file.fileno())
    fresh.replace(log)
    return stashed


def _remove_logs(logs: Path, but: Path) -> None:
    """Remove all reflogs *but* one, and the folders that then are empty."""
    for folder, _, names in os.walk(logs, topdown=False):
        for file in (Path(folder, name) for name in names):
            if file != but:
                file.unlink()
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


class _Rewriter:
    """Maps each object to its rewritten form, parents before children, each looked at once."""

    def __init__(self, store: DiskObjectStore, redaction: Redaction, dropped: Dropped) -> None:
        self._store = store
        self._redaction = redaction
        self._goes = dropped.holds
        self.dropped: set[ObjectID] = set()
        self._trees: dict[tuple[ObjectID, bytes], ObjectID] = {}
        self._done: dict[ObjectID, ObjectID] = {}
        self.changed = 0

    def rewrite(self, sha: ObjectID) -> ObjectID:
        """The id of what *sha* becomes; the object itself is in the store on return."""
        waiting = [sha]
        while waiting:
            current = waiting[-1]
            if current in self._done:
                waiting.pop()
                continue
            found = self._store[current]
            missing = [needed for needed in _above(found) if needed not in self._done]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            self._done[current] = self._rewritten(found)
        return self._done[sha]

    def blob(self, sha: ObjectID) -> ObjectID:
        """The id of what the blob *sha* becomes."""
        if sha not in self._done:
            found = self._store[sha]
            scrubbed = self._redaction.scrub(found.data) if isinstance(found, Blob) else b""
            changed = isinstance(found, Blob) and scrubbed != found.data
            self._done[sha] = self._added(Blob.from_string(scrubbed)) if changed else sha
        return self._done[sha]

    def still_there(self) -> tuple[str, ...]:
        """Ids of texts that were dropped and are in the store even so."""
        left = (sha for sha in sorted(self.dropped) if sha in self._store)
        return tuple(sha.decode() for sha in left if isinstance(blob := self._store[sha], Blob) and blob.data.strip())

    def _rewritten(self, found: ShaFile) -> ObjectID:
        match found:
            case Commit():
                return self._commit(found)
            case Tree():
                return self._tree(found.id, b"")
            case Tag():
                return self._tag(found)
            case _:
                return self.blob(found.id)

    def _tree(self, sha: ObjectID, folder: bytes) -> ObjectID:
        known = self._trees.get((sha, folder))
        if known is not None:
            return known
        old = self._store[sha]
        new = Tree()
        for entry in old.items() if isinstance(old, Tree) else ():
            path, child = folder + entry.path, entry.sha
            if self._goes(path, entry.sha):
                self.dropped.add(entry.sha)
                continue
            if entry.mode & 0o170000 == 0o040000:
                child = self._tree(child, path + b"/")
                found = self._store[child]
                if isinstance(found, Tree) and not len(found):
                    continue
            elif not S_ISGITLINK(entry.mode):
                child = self.blob(child)
            new.add(self._redaction.scrub(entry.path) or b"forgotten", entry.mode, child)
        self._trees[sha, folder] = self._added(new) if new.id != sha else sha
        return self._trees[sha, folder]

    def _commit(self, old: Commit) -> ObjectID:
        tree = self._tree(old.tree, b"")
        parents = [self._done[parent] for parent in old.parents]
        message = self._redaction.scrub(_HASH.sub(self._mapped, old.message))
        if tree == old.tree and parents == old.parents and message == old.message and not _holds(old, self._redaction):
            return old.id
        new = Commit()
        new.tree, new.parents, new.message = tree, parents, message
        new.author, new.committer = (self._redaction.scrub(who) for who in (old.author, old.committer))
        new.author_time, new.commit_time = old.author_time, old.commit_time
        new.author_timezone, new.commit_timezone = old.author_timezone, old.commit_timezone
        new.encoding = old.encoding
        return self._added(new)

    def _mapped(self, name: "re.Match[bytes]") -> bytes:
        """The new id of a commit that a message names, as an undo names what it undoes."""
        return self._done.get(ObjectID(name[0]), ObjectID(name[0]))

    def _tag(self, old: Tag) -> ObjectID:
        kind, sha = old.object
        if self._done[sha] == sha and not _holds(old, self._redaction):
            return old.id
        new = Tag()
        new.name, new.object = self._redaction.scrub(old.name), (kind, self._done[sha])
        new.tagger, new.tag_time, new.tag_timezone = old.tagger, old.tag_time, old.tag_timezone
        new.message = self._redaction.scrub(old.message or b"")
        return self._added(new)

    def _added(self, new: ShaFile) -> ObjectID:
        self._store.add_object(new)
        self.changed += 1
        return new.id


def _above(found: ShaFile) -> Iterable[ObjectID]:
    if isinstance(found, Commit):
        return found.parents
    return (found.object[1],) if isinstance(found, Tag) else ()


def _holds(found: ShaFile, redaction: Redaction) -> bool:
    match found:
        case Blob():
            return redaction.touches(found.data)
        case Tree():
            return any(redaction.touches(entry.path) for entry in found.items())
        case Commit():
            return any(map(redaction.touches, (found.message, found.author, found.committer)))
        case Tag():
            return redaction.touches(found.message or b"") or redaction.touches(found.name)
    return False


def _holding(store: DiskObjectStore, redaction: Redaction) -> tuple[str, ...]:
    return tuple(sha.decode() for sha in sorted(set(store)) if _holds(store[sha], redaction))


def _store(repo: Repo) -> DiskObjectStore:
    if not isinstance(repo.object_store, DiskObjectStore):
        raise ValueError("the repository's objects are not on this disk")
    return repo.object_store


def _all_refs(repo: Repo) -> dict[Ref, ObjectID]:
    """Every ref that holds an id of its own, a detached HEAD included."""
    found: dict[Ref, ObjectID] = {}
    for ref in repo.refs.allkeys():
        with contextlib.suppress(KeyError, SymrefLoop):
            names, sha = repo.refs.follow(ref)
            if sha is not None and names[-1] == ref:
                found[ref] = sha
    with contextlib.suppress(KeyError, SymrefLoop):
        names, sha = repo.refs.follow(HEADREF)
        if sha is not None:
            found[names[-1]] = sha
    return found


def _index_blobs(repo: Repo) -> Iterator[ObjectID]:
    if Path(repo.index_path()).exists():
        index = repo.open_index()
        for entry in map(index.__getitem__, index):
            if isinstance(entry, IndexEntry):
                yield entry.sha


@contextlib.contextmanager
def _index_held(repo: Repo) -> Iterator[Index | None]:
    """The index, kept from other programs meanwhile; None where there is none. Raises FileLocked where one has it."""
    if not Path(repo.index_path()).exists():
        yield None
        return
    with index_held(repo) as index:
        yield index


def _reflogged(control: Path) -> Iterator[ObjectID]:
    for log in (control / "logs").rglob("*"):
        if log.is_file():
            for line in log.read_bytes().splitlines():
                for sha in line.split(b" ", 2)[:2]:
                    if len(sha) == 40 and set(sha) != {ord("0")}:
                        yield ObjectID(sha)


def _closure(store: DiskObjectStore, heads: Iterable[ObjectID], blobs: Iterable[ObjectID]) -> set[ObjectID]:
    """All objects that *heads* reach, and *blobs*; what is missing from the store is passed over."""
    seen = {sha for sha in blobs if sha in store}
    waiting = [sha for sha in heads if sha in store]
    while waiting:
        sha = waiting.pop()
        if sha in seen:
            continue
        seen.add(sha)
        found = store[sha]
        waiting.extend(above for above in _above(found) if above in store)
        if isinstance(found, Commit):
            waiting.append(found.tree)
        elif isinstance(found, Tree):
            for entry in found.items():
                if S_ISGITLINK(entry.mode):
                    continue
                if entry.mode & 0o170000 == 0o040000:
                    waiting.append(entry.sha)
                else:
                    seen.add(entry.sha)
    return seen


def _prune(store: DiskObjectStore, reachable: set[ObjectID]) -> int:
    """Delete all else. Packs that hold any of it are written anew, and their companions go."""
    unreachable = {ObjectID(sha) for sha in store} - reachable
    if any(sha in unreachable for pack in store.packs for sha in pack):
        store.repack(exclude=unreachable)
        folder = Path(os.fsdecode(store.pack_dir))
        for companion in folder.glob("pack-*"):
            if not companion.with_suffix(".pack").exists():
                companion.unlink()
    for sha in unreachable:
        if store.contains_loose(sha):
            store.delete_loose_object(sha)
    info = Path(os.fsdecode(store.path)) / "info"
    for stale in (info / "commit-graph", info / "packs", Path(os.fsdecode(store.pack_dir)) / "multi-pack-index"):
        stale.unlink(missing_ok=True)
    shutil.rmtree(info / "commit-graphs", ignore_errors=True)
    for pattern in ("*/tmp_obj_*", "*/*.lock", "pack/tmp_*"):
        for leftover in Path(os.fsdecode(store.path)).glob(pattern):
            leftover.unlink()
    return len(unreachable)
