"""
Several pages written as one change: whole after a kill, merged with what the owner saved meanwhile, one commit.

What is about to be written lies in the state folder first, so that the next start finishes what a kill interrupted.
A page that the owner changed on the same lines is not written: our version is parked as a proposal.
"""

import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import msgspec

from memory_store.errors import (
    HistoryBusy,
    HistoryDamaged,
    NoSpace,
    NotText,
    PageChanged,
    PageMissing,
    PageUnwritable,
    StoreError,
    VaultMissing,
    VaultReadOnly,
    WouldLoseText,
)
from memory_store.files import Vault, content_hash, naming_failure
from memory_store.history import History
from memory_store.merge import merge
from memory_store.page import parse
from memory_store.swap import make_folders, sync, sync_folder

logger = logging.getLogger(__name__)
_TRIES = 5
_STAMP = "%Y%m%dT%H%M%S%f"
SETTLING_S = 0.05  # an editor's save takes a few milliseconds


@dataclass(frozen=True)
class PageWrite:
    """*path* is to become *new* (None: deleted), a change made to *old* (None: there was no file)."""

    path: str
    old: bytes | None
    new: bytes | None


class Proposal(msgspec.Struct, frozen=True):
    """A version of ours that could not be joined with the owner's: *ours* was made of *base*; *message* says why."""

    id: str
    when: str
    path: str
    message: str
    base: bytes | None
    ours: bytes | None


class _Intent(msgspec.Struct, frozen=True, omit_defaults=True):
    """*made*: all is written, as path, what stood there just before, and what does now; only the commit waits."""

    message: str
    may_shrink: bool
    pages: list[tuple[str, bytes | None, bytes | None]]
    made: list[tuple[str, bytes | None, bytes | None]] | None = None


@dataclass(frozen=True)
class Written:
    """
    What a write came to: *pages* as they are now (merged ones included), the *commit*, what was *parked*.

    *commit* None with a *notice*: the pages are written, their commit waits.
    """

    pages: Mapping[str, bytes | None] = field(default_factory=dict)
    commit: str | None = None
    parked: tuple[Proposal, ...] = ()
    notice: str | None = None


class Writer:
    """Not thread-safe: the store calls it under its lock."""

    def __init__(self, vault: Vault, history: History, state: Path, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._history = history
        self._intents = state / "writing"
        self._proposals = state / "proposals"
        self._now = now
        self._made: dict[Path, _Intent] = {}  # those that a full disk did not let be noted as made

    def write(self, writes: Sequence[PageWrite], message: str, *, may_shrink: bool = False) -> Written:
        """
        Write all of *writes* and commit them with *message*.

        The owner's changes on other lines stay; where lines collide, our page is parked and the others are written.
        If a page fails for another reason, those written before are taken back.

        Raises:
        """
        wanted = [write for write in writes if write.old != write.new]
        if not wanted:
            return Written()
        pages = [(write.path, write.old, write.new) for write in wanted]
        intended = _Intent(message, may_shrink, pages)
        intent = self.save(self._intents, intended, self._stamp())
        before: dict[str, bytes | None] = {}
        after: dict[str, bytes | None] = {}
        parked: list[Proposal] = []
        try:
            for write in wanted:
                done = self._put(write, may_shrink=may_shrink)
                if done is None:
                    parked.append(self._park(write, message))
                else:
                    before[write.path], after[write.path] = done
        except StoreError:
            self._take_back(before, after)
            intent.unlink(missing_ok=True)
            raise
        return self._commit(intent, _made(intended, before, after), parked)

    def recover(self) -> Written:
        """Finish the writes that a kill interrupted, and the commits that had to wait; the last one's result."""
        result = Written()
        held_up = False
        for intent in sorted(self._intents.glob("*.json")):
            try:
                found = self._made.get(intent) or msgspec.json.decode(intent.read_bytes(), type=_Intent)
            except (msgspec.DecodeError, OSError):
                intent.unlink(missing_ok=True)
                continue
            parked: list[Proposal] = []
            if found.made is None:
                found = self._finish(found, parked)
            if held_up:  # each commit after those before it
                self._wait(intent, found)
                continue
            result = self._commit(intent, found, parked)
            held_up = intent.exists()
        for leftover in (*self._intents.glob(".*.part"), *self._proposals.glob(".*.part")):
            leftover.unlink(missing_ok=True)
        return result

    def _finish(self, intent: _Intent, parked: list[Proposal]) -> _Intent:
        """
        Write what a kill left unwritten of *intent*. A page that is none any more is *parked* like one that collides.

        Raises:
            NoSpace, VaultReadOnly, VaultMissing: nothing can be written now.
        """
        before: dict[str, bytes | None] = {}
        after: dict[str, bytes | None] = {}
        for path, old, new in intent.pages:
            write = PageWrite(path, old, new)
            try:
                done = (old, new) if self._now_at(path) == new else self._put(write, may_shrink=intent.may_shrink)
            except (NoSpace, VaultReadOnly, VaultMissing):
                raise
            except StoreError as error:
                logger.warning("a change that a kill interrupted cannot be written: %s", error)
                done = None
            if done is None:
                parked.append(self._park(write, intent.message))
            else:
                before[path], after[path] = done
        return _made(intent, before, after)

    @property
    def waiting(self) -> bool:
        """Whether a change that is made still waits for its commit."""
        return any(self._intents.glob("*.json"))

    def proposals(self) -> list[Proposal]:
        """What is parked, oldest first."""
        found = []
        for file in sorted(self._proposals.glob("*.json")):
            try:
                found.append(msgspec.json.decode(file.read_bytes(), type=Proposal))
            except (msgspec.DecodeError, OSError):
                logger.warning("a parked proposal cannot be read: %s", file)
        return found

    def drop(self, proposal: str) -> None:
        """Forget about a parked proposal."""
        (self._proposals / f"{proposal}.json").unlink(missing_ok=True)

    # -- one page ---

    def _put(self, write: PageWrite, *, may_shrink: bool) -> tuple[bytes | None, bytes | None] | None:
        """Write one page; what stood there just before, and what stands there now. None: the owner's lines collide."""
        before, new = write.old, write.new
        for _ in range(_TRIES):
            expected = content_hash(before) if before is not None else None
            try:
                if new is not None:
                    self._vault.replace(write.path, new, expected, may_shrink=may_shrink)
                elif expected is not None:
                    self._vault.delete(write.path, expected)
                return before, new
            except PageChanged:
                before, new = self._joined(write, self._now_at(write.path))
                if new is None:
                    return None
        return None

    def _joined(self, write: PageWrite, theirs: bytes | None) -> tuple[bytes | None, bytes | None]:
        """
        The owner's version and its merge with ours; no merge where they collide.

        Many editors empty a page, or move it away, and then write it: what seems to collide is looked at again.
        """
        if write.new is None:
            return theirs, None
        for _ in range(_TRIES):
            if theirs is not None:
                new = merge(write.old or b"", write.new, theirs)
                if new is not None and _sound(new, write.new):
                    return theirs, new
            time.sleep(SETTLING_S)
            seen, theirs = theirs, self._now_at(write.path)
            if seen == theirs and seen is not None and seen.strip():
                break
        return theirs, None

    def _now_at(self, path: str) -> bytes | None:
        try:
            return self._vault.read(path).data
        except PageMissing:
            return None

    def _take_back(self, before: Mapping[str, bytes | None], after: Mapping[str, bytes | None]) -> None:
        for path, data in before.items():
            try:
                self._put(PageWrite(path, after[path], data), may_shrink=True)
            except (StoreError, WouldLoseText) as error:
                logger.warning("a page of an interrupted change stays written: %s", error)

    def _park(self, write: PageWrite, message: str) -> Proposal:
        proposal = Proposal(
            f"{self._now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}",
            self._now().isoformat(timespec="seconds"),
            write.path,
            message,
            write.old,
            write.new,
        )
        self.save(self._proposals, proposal, proposal.id)
        logger.warning(
            "%s was edited on the lines that a change was for: the change is parked, see `doctor`", write.path
        )
        return proposal

    def _commit(self, intent: Path, made: _Intent, parked: Sequence[Proposal]) -> Written:
        before = {path: data for path, data, _ in made.made or ()}
        after = {path: data for path, _, data in made.made or ()}
        try:
            commit = self._history.record(after, made.message, before=before) if after else None
        except HistoryBusy as busy:
            self._wait(intent, made)
            return Written(after, None, tuple(parked), str(busy))
        except (NoSpace, VaultReadOnly, PageUnwritable) as full:
            self._wait(intent, made)
            until = "there is room" if isinstance(full, NoSpace) else "its history can be written"
            notice = f"the change is made, do not repeat it; its commit is made once {until}: {full.reason}"
            return Written(after, None, tuple(parked), notice)
        except HistoryDamaged as damaged:
            self._over(intent)
            return Written(after, None, tuple(parked), str(damaged))
        self._over(intent)
        return Written(after, commit, tuple(parked))

    def _wait(self, intent: Path, made: _Intent) -> None:
        """Note that *intent* is made, so that nothing but its commit is done later, whatever is written meanwhile."""
        if self._made.get(intent) == made:
            return
        self._made[intent] = made
        try:
            self.save(self._intents, made, intent.stem)
        except StoreError as error:
            logger.warning("a change whose commit waits could not be noted as made: %s", error)

    def _over(self, intent: Path) -> None:
        self._made.pop(intent, None)
        intent.unlink(missing_ok=True)

    def _stamp(self) -> str:
        """A name for a new intent that comes after those of all that wait, whatever the clock says."""
        stamp = f"{self._now():{_STAMP}}"
        for file in self._intents.glob("*.json"):
            day, _, clock = file.name.partition("-")[0].partition("T")
            if clock.isdecimal():
                stamp = max(stamp, f"{day}T{int(clock) + 1:012d}")
        return f"{stamp}-{secrets.token_hex(3)}"

    def save(self, folder: Path, value: msgspec.Struct, name: str = "") -> Path:
        """Put *value* into a new file of *folder*, on the disk when this returns."""
        name = name or f"{self._now():{_STAMP}}-{secrets.token_hex(3)}"
        part, file = folder / f".{name}.part", folder / f"{name}.json"
        with naming_failure(str(file)):
            make_folders(folder)
            try:
                with part.open("wb") as out:
                    out.write(msgspec.json.encode(value))
                    out.flush()
                    sync(out.fileno())
                part.rename(file)
                sync_folder(folder)
            except OSError:
                part.unlink(missing_ok=True)
                raise
        return file


def _made(intent: _Intent, before: Mapping[str, bytes | None], after: Mapping[str, bytes | None]) -> _Intent:
    return msgspec.structs.replace(intent, made=[(path, before[path], after[path]) for path in after])


def _sound(merged: bytes, ours: bytes) -> bool:
    """Whether a merge is as readable a page as our version was."""
    try:
        return parse(merged).problem is None or parse(ours).problem is not None
    except NotText:
        return False
