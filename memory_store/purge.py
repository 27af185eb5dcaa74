"""
Take bytes out of a git history: every commit, tree, blob and tag that holds them is rewritten, and the old ones go.

What takes its time is done while others read and write: the new objects, and the new packs, come to lie beside the old
ones; `held` is entered only to put them in their place. What was committed meanwhile is rewritten there, and is little.

`purge_own` works on a repository of ours, all refs of it. `purge_foreign` rewrites one ref in somebody else's
repository and deletes only loose objects that hold the bytes and that nothing of theirs reaches.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dulwich.index import Index, IndexEntry
from dulwich.object_store import DiskObjectStore
from dulwich.objects import S_ISGITLINK, ZERO_SHA, Commit, ObjectID, Tree, hex_to_sha
from dulwich.pack import Pack
from dulwich.refs import HEADREF, Ref, SymrefLoop
from dulwich.repo import Repo

from memory_store.errors import HistoryBusy
from memory_store.redact import Redaction
from memory_store.repacking import without
from memory_store.rewriting import Dropped, Rewriter, above, holds
from memory_store.swap import sync

Held = Callable[[], AbstractContextManager[object]]
Step = Callable[[], None]
_STASHES = "logs/refs/stash"
_AT_ONCE = 500  # objects that are deleted while others wait


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


def purge_own(
    repo: Repo,
    redaction: Redaction,
    dropped: Dropped,
    held: Held,
    index_held: Callable[[], AbstractContextManager[Index | None]],
    step: Step = lambda: None,
) -> Purged:
    """
    Rewrite all refs of *repo*, which is ours, and delete everything that nothing reaches any more.

    *repo* is a handle of its own, for the caller's thread alone. While nobody else of ours uses the repository, which
    *held* sees to, refs, index and logs are replaced, and files deleted. *index_held* keeps git's index from other
    programs, and gives None where there is none. *step* is called in between, and may raise.

    Raises:
        HistoryBusy: another program works on the repository; what is left is done by the next try.
    """
    store = _store(repo)
    rewriter = Rewriter(store, redaction, dropped, held, step)
    _rewrite_all(repo, rewriter)
    rewriter.flush()
    before = {ObjectID(sha) for sha in store}
    control = Path(repo.controldir())
    with held(), index_held() as index:
        became = [(ref, old, rewriter.rewrite(old)) for ref, old in _all_refs(repo).items()]
        for entry in map(index.__getitem__, index) if index is not None else ():
            if isinstance(entry, IndexEntry) and entry.sha in store:
                entry.sha = rewriter.blob(entry.sha)
        rewriter.flush()
        taken = [ref for ref, old, new in became if new != old and not repo.refs.set_if_equals(ref, old, new)]
        if taken:
            raise HistoryBusy("another program committed at the same moment", "what is to be forgotten goes later")
        _rewrite_stashes(control / _STASHES, rewriter, redaction)
        _remove_logs(control / "logs", but=control / _STASHES)
        for leftover in [*control.glob("*_HEAD"), *control.glob("*_EDITMSG"), *control.glob("*_MSG")]:
            leftover.unlink()
    gone = (before | rewriter.replaced) - rewriter.reached
    left = _delete(repo, set(gone), rewriter.reached, held, step)
    return Purged(rewriter.changed, len(gone), _still_holding(store, left, redaction), rewriter.still_there())


def purge_foreign(
    repo: Repo, ref: Ref, redaction: Redaction, dropped: Dropped, held: Held, step: Step = lambda: None
) -> Purged:
    """
    Rewrite the commits of *ref* in a repository that is not ours, and delete what only they held. See `purge_own`.
    """
    store = _store(repo)
    old = repo.refs.as_dict().get(ref)
    if old is None:
        return Purged(0, 0, (), theirs_left_alone=True)
    rewriter = Rewriter(store, redaction, dropped, held, step)
    rewriter.rewrite(old)
    rewriter.flush()
    control = Path(repo.commondir())
    with held():
        old = repo.refs.as_dict()[ref]
        new = rewriter.rewrite(old)
        rewriter.flush()
        if new != old:
            repo.refs.set_if_equals(ref, old, new)
        (control / "logs" / os.fsdecode(ref)).unlink(missing_ok=True)
    gone = rewriter.replaced
    theirs = [sha for name, sha in _all_refs(repo).items() if name != ref] + list(_reflogged(control))
    kept = _closure(repo, theirs, set(), step) if gone else set()
    removed = 0
    with held():
        for sha in gone - kept:
            if (sha in rewriter.dropped or holds(store[sha], redaction)) and store.contains_loose(sha):
                store.delete_loose_object(sha)
                removed += 1
    remaining = _still_holding(store, gone - kept, redaction)
    return Purged(rewriter.changed, removed, remaining, rewriter.still_there(), theirs_left_alone=True)


def _rewrite_all(repo: Repo, rewriter: Rewriter) -> None:
    """Rewrite, but for what comes to be meanwhile, all that refs, index and stashes name."""
    store = _store(repo)
    stashes = Path(repo.controldir()) / _STASHES
    for old in _all_refs(repo).values():
        rewriter.rewrite(old)
    for sha in _index_blobs(repo):
        if sha in store:
            rewriter.blob(sha)
    for line in stashes.read_bytes().splitlines() if stashes.is_file() else ():
        rewriter.rewrite(ObjectID(line.split(b" ", 2)[1]))


def _rewrite_stashes(log: Path, rewriter: Rewriter, redaction: Redaction) -> None:
    """Rewrite what the owner has stashed, and the log of it, which alone tells of all but the newest."""
    try:
        lines = log.read_bytes().splitlines()
    except FileNotFoundError:
        return
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
    rewriter.flush()
    fresh.replace(log)


def _remove_logs(logs: Path, but: Path) -> None:
    """Remove all reflogs *but* one, and the folders that then are empty."""
    for folder, _, names in os.walk(logs, topdown=False):
        for file in (Path(folder, name) for name in names):
            if file != but:
                file.unlink()
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


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


def _reflogged(control: Path) -> Iterator[ObjectID]:
    for log in (control / "logs").rglob("*"):
        if log.is_file():
            for line in log.read_bytes().splitlines():
                for sha in line.split(b" ", 2)[:2]:
                    if len(sha) == 40 and set(sha) != {ord("0")}:
                        yield ObjectID(sha)


def _closure(repo: Repo, heads: Iterable[ObjectID], known: set[ObjectID], step: Step = lambda: None) -> set[ObjectID]:
    """
    *known*, and all objects that *heads* and the index reach; what is missing from the store is passed over.
    """
    store = _store(repo)
    seen = known | {sha for sha in _index_blobs(repo) if sha in known or sha in store}
    waiting = [sha for sha in heads if sha in store]
    while waiting:
        sha = waiting.pop()
        if sha in seen:
            continue
        seen.add(sha)
        step()
        found = store[sha]
        waiting.extend(before for before in above(found) if before in store)
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


def _delete(repo: Repo, gone: set[ObjectID], kept: set[ObjectID], held: Held, step: Step) -> set[ObjectID]:
    """
    Delete *gone*: loose objects one by one, packs that hold any by others without them; those that are there still.

    What is written meanwhile may come to be one of them again, and stays: *kept* is what was reached before that.
    """
    store = _store(repo)
    folder = Path(os.fsdecode(store.pack_dir))
    raw = {hex_to_sha(sha) for sha in gone}
    while pack := next((each for each in store.packs if any(name in raw for name, _, _ in _entries(each))), None):
        fresh = without(pack, raw, step)
        with held():
            for sha in gone & _reached_now(repo, kept):
                store.add_object(store[sha])  # into a file of its own
                gone.remove(sha)
                raw.remove(hex_to_sha(sha))
            if fresh is not None:
                fresh.use()
            basename = Path(pack._data_path).stem
            store.close()
            for file in (folder / f"{basename}.idx", *folder.glob(f"{basename}.*")):
                file.unlink(missing_ok=True)
    with held():
        _drop_companions(store)
    loose = sorted(gone)
    for start in range(0, len(loose), _AT_ONCE):
        step()
        with held():
            now = _reached_now(repo, kept)
            for sha in loose[start : start + _AT_ONCE]:
                if sha not in now:
                    with contextlib.suppress(FileNotFoundError):
                        store.delete_loose_object(sha)
    return {sha for sha in gone if sha in store}


def _entries(pack: Pack) -> Iterator[tuple[bytes, int, int | None]]:
    return iter(pack.index.iterentries())


def _drop_companions(store: DiskObjectStore) -> None:
    """Delete what git derived from the packs, and what a kill of it left half written."""
    objects = Path(os.fsdecode(store.path))
    shutil.rmtree(objects / "info/commit-graphs", ignore_errors=True)
    stale = ("info/commit-graph", "info/packs", "pack/multi-pack-index", "*/tmp_obj_*", "*/*.lock", "pack/tmp_*")
    for file in (file for pattern in stale for file in objects.glob(pattern)):
        file.unlink()


def _reached_now(repo: Repo, kept: set[ObjectID]) -> set[ObjectID]:
    """*kept*, and what was put into the history since."""
    return _closure(repo, _all_refs(repo).values(), kept)


def _still_holding(store: DiskObjectStore, left: Iterable[ObjectID], redaction: Redaction) -> tuple[str, ...]:
    return tuple(sha.decode() for sha in sorted(left) if sha in store and holds(store[sha], redaction))
