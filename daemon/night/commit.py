"""Kept repairs become real: lines through the store, one commit each; statistics in the state folder."""

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from daemon.errors import message_of
from daemon.night.record import RepairRecord
from daemon.night.repairs import Recalculate, Write, meant, reversed_actions, tuned
from daemon.night.state import NightState
from memory_store.commits import Commit
from memory_store.errors import NothingToUndo, StoreError, UndoConflict
from memory_store.facts import Change, FactChange, parse_fact
from memory_store.index.corpus import Corpus
from memory_store.index.standing import IndexStatus
from memory_store.ledger import Ledger
from memory_store.page import Page
from memory_store.tuning import Tuning
from memory_store.values import Undone, WriteResult

log = logging.getLogger(__name__)
RECENT = 500


class DreamStore(Protocol):
    """What the night needs of the store."""

    @property
    def ledger(self) -> Ledger: ...
    @property
    def base(self) -> str:
        """Where reverie's own folders lie in the vault: empty, or `reverie/`."""

    def index_status(self) -> IndexStatus: ...
    def corpus(self) -> Corpus: ...
    def says(self, keys: Collection[int]) -> set[int]: ...
    def use_tuning(self, tuning: Tuning) -> None: ...
    def write(self, changes: Sequence[Change], why: str, source: str | None = None) -> WriteResult: ...
    def follow_edits(self) -> WriteResult: ...
    def undo(self, commit: str | None = None) -> Undone: ...
    def owner_commit(self) -> str | None: ...
    def history(self, limit: int | None = 50) -> list[Commit]: ...
    def page(self, path: str) -> Page: ...
    def edit_page(self, path: str, change: Callable[[Page], Page], subject: str) -> WriteResult: ...
    def append_lines(self, path: str, lines: Sequence[str], subject: str) -> str | None: ...


def apply(
    store: DreamStore,
    state: NightState,
    repairs: Sequence[RepairRecord],
    name: str = "",
    keep: Callable[[], None] = lambda: None,
) -> None:
    """
    Make *repairs* real, in order; each record then says how it went. What the owner has edited is committed first.

    A repair whose page the owner is editing is parked (the owner wins), one that cannot be written is dropped; its
    statistics are then left as they were. Those of all others change in one step, as *name*, once their lines stand:
    *keep* keeps the records before each step, so that `recover` can finish or take back what is cut off.
    """
    for repair in repairs:
        repair.state = "applying"
    if any(_writes(repair) for repair in repairs):
        keep()
        store.owner_commit()
    tuning = state.tuning()
    for repair in repairs:
        if not _write(store, repair):
            continue
        repair.back = list(reversed_actions(tuning, repair.actions))
        tuning = tuned(tuning, repair.actions)
    keep()
    state.keep_tuning(tuning, name)
    _stands(repairs)
    store.use_tuning(tuning)


def recover(store: DreamStore, state: NightState, repairs: Sequence[RepairRecord], name: str) -> bool:
    """
    Whether *repairs*, cut off in `apply` as *name*, stand: they do where the statistics were changed.

    Else the lines that were written already go again. Where the owner has changed them since, they stay.
    """
    if name and state.tuned_by() == name:
        _stands(repairs)
        return True
    cut = [repair for repair in repairs if repair.state == "applying"]
    done = [(commit.message, commit.id) for commit in store.history(RECENT)] if any(map(_writes, cut)) else []
    for repair in reversed(cut):
        repair.state, repair.back, repair.note = "failed", [], "cut off before it was made real"
        repair.commit = next((at for message, at in done if message.startswith(subject_of(repair))), None)
        if repair.commit:
            try:
                store.undo(repair.commit)
            except NothingToUndo:
                continue
            except UndoConflict as error:
                repair.state, repair.note = "kept", f"cut off; its lines stay: {error}"
    return False


def _stands(repairs: Sequence[RepairRecord]) -> None:
    for repair in repairs:
        if repair.state == "applying":
            repair.state = "kept"


def subject_of(repair: RepairRecord) -> str:
    """How the commit of its lines begins."""
    return f"Dream {repair.id}: {repair.op}"


def _write(store: DreamStore, repair: RepairRecord) -> bool:
    """Write the lines of *repair* in one commit, and follow rules again where it says so; whether it stands."""
    changes = [
        FactChange(write.path, write.attribute, "add", after=write.value, reason="dream", source=write.link)
        for write in _writes(repair)
        if sound(write)
    ]
    if len(changes) != len(_writes(repair)):
        repair.state, repair.note = "failed", "a line of it is no sound fact line"
        return False
    try:
        if changes:
            result = store.write(changes, subject_of(repair))
            repair.commit = result.commit
            repair.note = result.notice or ""
            if result.parked:
                repair.state = "parked"
                return False
        if any(isinstance(action, Recalculate) for action in repair.actions):
            repair.commit = store.follow_edits().commit or repair.commit
    except StoreError as error:
        log.warning("dream %s is dropped: %s", repair.id, message_of(error))
        repair.state, repair.note = "failed", message_of(error)
        return False
    return True


def undo(store: DreamStore, state: NightState, repairs: Sequence[RepairRecord]) -> list[str]:
    """
    Take *repairs* back, the last first, those that wait for consent too, and remember that the owner did not want them.
    Returns what could not be.

    Lines that were changed again since stay as they are; weights and ties go back all the same.
    """
    problems: list[str] = []
    tuning = state.tuning()
    refused = set(state.read("refused", list[str]) or [])
    for repair in reversed(repairs):
        if repair.state not in ("kept", "waiting"):
            continue
        refused.update(map(meant, repair.actions))
        if repair.state == "waiting":
            repair.state = "undone"
            continue
        if repair.commit:
            try:
                store.undo(repair.commit)
            except (UndoConflict, NothingToUndo) as error:
                problems.append(f"{repair.id}: {error}")
                repair.note = str(error)
        tuning = tuned(tuning, repair.back)
        repair.state = "undone"
    state.keep_tuning(tuning)
    state.write("refused", sorted(refused))
    store.use_tuning(tuning)
    return problems


def sound(write: Write) -> bool:
    """Whether *write* is a fact line with a source that reads back as it is meant."""
    fact = parse_fact(f"[{write.attribute}] {write.value} (from [[{write.link}]])")
    meant = (write.value, write.attribute, write.link)
    return bool(write.link) and fact is not None and (fact.value, fact.attribute, fact.source) == meant


def _writes(repair: RepairRecord) -> list[Write]:
    return [action for action in repair.actions if isinstance(action, Write)]
