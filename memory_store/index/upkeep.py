"""
A volume kept in step with the files of a vault: looks, plans, takes in.

What cannot be read is kept, never taken for deleted; a vault that suddenly looks empty is doubted once.
"""

import ctypes
import datetime as dt
import time
from collections.abc import Callable, Iterable, Sequence

from memory_store.errors import PageMissing, PageUnreadable
from memory_store.files import FileStat, Snapshot, Vault
from memory_store.index.manifest import put_meta
from memory_store.index.volume import PageChange, Volume
from memory_store.sync import (
    Action,
    Add,
    Failure,
    Keep,
    Progress,
    Remove,
    Rename,
    SyncReport,
    Update,
    Withhold,
    digest,
    looks_unmounted,
    plan,
    unreadable,
    withheld,
)

CHUNKS_A_COMMIT = 10_000  # of one page: about nine megabytes of text
_BATCH_BYTES = 1_000_000
_LARGE_BYTES = 5_000_000
_MANY_CHANGED = 100
_LEAST_DEAD, _MUCH = 200, 0.2


class Upkeep:
    """Syncs, one at a time. *pending_pages* are those that the one going on has still to take in."""

    def __init__(self, vault: Vault, now: Callable[[], dt.datetime], read: Callable[[PageChange], None]) -> None:
        self._vault = vault
        self._now = now
        self._read = read
        self._suspicion: str | None = None
        self.pending_pages = 0

    def sync(self, volume: Volume, paths: Sequence[str] | None) -> SyncReport:
        """
        Take in all that changed, or, with *paths*, those files alone.

        Raises:
            IndexDamaged.
        """
        if paths is None:
            scan = self._vault.scan()
            known = volume.manifest.entries()
            errors = [(error.path, error.reason) for error in scan.errors]
            actions = plan(scan.files, known, hides=scan.hides, errors=errors)
            unchanged = len(scan.files) - sum(not isinstance(a, Remove | Keep) for a in actions)
            refused = self._unmounted(volume, actions, len(known), len(scan.files))
            if refused:
                actions = [action for action in actions if not isinstance(action, Remove)]
        else:
            files, errors = self._look(paths)
            known = {path: entry for path in paths if (entry := volume.manifest.entry(path))}
            hidden = {path for path, _ in errors}
            actions = plan(files, known, hides=lambda path: path in hidden, errors=errors)
            unchanged, refused = len(files) - sum(not isinstance(a, Remove | Keep) for a in actions), None
        self.pending_pages = len(actions)
        progress = Progress(unchanged=unchanged)
        try:
            self._apply(volume, actions, progress)
        finally:
            self.pending_pages = 0
        if len(progress.changed) >= _MANY_CHANGED:
            volume.gather_postings()
        if len(progress.changed) >= _MANY_CHANGED or any(_size(action) > _LARGE_BYTES for action in actions):
            _give_back_memory()
        return progress.report(refused=refused)

    def _look(self, paths: Iterable[str]) -> tuple[list[FileStat], list[tuple[str, str]]]:
        files: list[FileStat] = []
        errors: list[tuple[str, str]] = []
        for path in dict.fromkeys(paths):
            file = self._vault.root / path
            try:
                if file.is_symlink():  # as in a scan: no link is followed
                    continue
                real = self._vault.locate(path)
                if real != file:
                    continue
                info = real.lstat()
                files.append(FileStat(path, info.st_size, info.st_mtime_ns, info.st_ino, self._vault.classify(path)))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                errors.append((path, (error.strerror or str(error)).lower()))
        return files, errors

    def _unmounted(self, volume: Volume, actions: Sequence[Action], known: int, there: int) -> str | None:
        device = str(self._vault.root.stat().st_dev)
        before = volume.manifest.meta("device")
        if not looks_unmounted(actions, known):
            self._suspicion = None
            if before != device and there:
                with volume.manifest.transaction() as db:
                    put_meta(db, "device", device)
            return None
        gone = sum(isinstance(action, Remove) for action in actions)
        if before is not None and before != device:
            return f"{gone} of {known} pages are missing and the vault's folder is on another disk: is it mounted?"
        if self._suspicion == f"{device}:{there}":
            self._suspicion = None
            return None
        self._suspicion = f"{device}:{there}"
        return f"{gone} of {known} pages are missing at once; they are dropped if the next scan finds the same"

    def _apply(self, volume: Volume, actions: Sequence[Action], progress: Progress) -> None:
        pages: list[PageChange] = []
        removed = []
        size = 0
        for action in actions:
            volume.step()
            match action:
                case Remove(entry):
                    removed.append(entry)
                    progress.removed += entry.hash is not None
                    progress.changed.add(entry.path)
                case Withhold(stat, entry):
                    placed = volume.manifest.chunks_of(entry.id) if entry else []
                    pages.append(withheld(stat, placed))
                    progress.changed.add(stat.path)
                case Keep(path, reason):
                    entry = volume.manifest.entry(path)
                    if entry and entry.problem != reason:
                        progress.failed.append(Failure(path, reason))
                case Add(stat) | Update(stat, _) | Rename(stat, _):
                    if isinstance(action, Rename):
                        removed.append(action.entry)
                        progress.changed.add(action.entry.path)
                    change = self._take_in(volume, action, progress)
                    if change is not None:
                        pages.append(_begun(volume, change))
                        size += stat.size if change.new else 0
                    del change
            if size > _BATCH_BYTES or len(pages) >= 5000:
                volume.commit(pages, removed)
                pages, removed, size = [], [], 0
        if pages or removed:
            volume.commit(pages, removed)

    def _take_in(self, volume: Volume, action: Add | Update | Rename, progress: Progress) -> PageChange | None:
        stat = action.stat
        entry = action.entry if isinstance(action, Update) else None
        placed = volume.manifest.chunks_of(entry.id) if entry else []

        def read() -> Snapshot:
            snapshot = self._vault.read(stat.path)
            volume.step()
            return snapshot

        try:
            found = digest(
                stat,
                entry,
                placed,
                read,
                now_ns=time.time_ns(),
                indexed_at=self._now().isoformat(timespec="seconds"),
            )
        except PageMissing:
            return None
        except PageUnreadable as error:
            if entry is None or entry.problem != error.reason:
                progress.failed.append(Failure(stat.path, error.reason))
            return unreadable(stat.path, entry, placed, stat.role, error.reason)
        volume.step()
        if found.failure:
            progress.failed.append(found.failure)
        if found.same:
            progress.unchanged += 1
        else:
            progress.changed.add(stat.path)
            if isinstance(action, Add):
                progress.added += 1
            elif isinstance(action, Rename):
                progress.renamed += 1
            else:
                progress.updated += 1
            self._read(found.change)
        self.pending_pages -= 1
        return found.change


def _begun(volume: Volume, change: PageChange) -> PageChange:
    """
    What is left to do of *change*: of one of very many chunks, all but the last are committed, as many at a time as
    memory is fit for. Until the rest follows the file counts as not read, so that a kill in between is made good.
    """
    if len(change.new) <= CHUNKS_A_COMMIT:
        return change
    unfinished = {**change.fields, "size": -1, "hash": ""}
    before = {*change.dropped, *(kept.row for kept in change.kept.values())}
    places = sorted(change.new)
    last = places[-1 - (len(places) - 1) % CHUNKS_A_COMMIT :]
    for start in range(0, len(places) - len(last), CHUNKS_A_COMMIT):
        part = {place: change.new.pop(place) for place in places[start : start + CHUNKS_A_COMMIT]}
        volume.commit([PageChange(unfinished, new=part)], ())
    entry = volume.manifest.entry(str(change.fields["path"]))
    done = volume.manifest.chunks_of(entry.id) if entry else []
    kept = change.kept | {chunk.place: chunk for chunk in done if chunk.row not in before}
    return PageChange(change.fields, kept, change.new, change.dropped)


def _size(action: Action) -> int:
    return action.stat.size if isinstance(action, Add | Update) else 0


def _give_back_memory() -> None:
    """Hand freed memory to the system: glibc keeps what a large sync needed, a third of what the process then holds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def is_much(dead: int, among: int, *, share: float = _MUCH) -> bool:
    """Whether *dead* of *among* things are worth the work of removing them."""
    return dead >= _LEAST_DEAD and dead >= share * among
