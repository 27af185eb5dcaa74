"""What undoing a change would write, and where it must not."""

from collections.abc import Sequence

from memory_store.commits import Commit
from memory_store.errors import NothingToUndo, NotText, PageMissing, UndoConflict
from memory_store.facts import read_facts
from memory_store.files import Vault
from memory_store.history import History, Reverse
from memory_store.merge import merge
from memory_store.page import parse
from memory_store.redact import MARK
from memory_store.writer import PageWrite


def take_back(vault: Vault, history: History, commit: Commit) -> list[PageWrite]:
    """
    The writes that take back what *commit* did, and only that.

    Raises:
        NothingToUndo: it forgot something for good, or what it changed was forgotten since.
        UndoConflict: what it wrote was changed again since.
    """
    if commit.final:
        raise NothingToUndo(f"{commit.id[:8]} forgot something for good: there is nothing to go back to")
    steps = history.reverses(commit.id)
    found = [(step.path, reversal(vault, step)) for step in steps]
    conflicts = tuple(path for path, write in found if write is None)
    if conflicts:
        raise UndoConflict(commit.id, conflicts)
    writes = [write for _, write in found if write is not None]
    if any(brings_back_a_mark(write) for write in writes):
        raise NothingToUndo(f"what {commit.id[:8]} changed was forgotten for good since: only a mark is left of it")
    return writes


def reversal(vault: Vault, step: Reverse) -> PageWrite | None:
    """The write that takes *step* back; None where what it made was changed again on the same lines."""
    try:
        current: bytes | None = vault.read(step.path).data
    except PageMissing:
        current = None
    if current in (step.made, step.before):
        return PageWrite(step.path, current, step.before)
    if current is None or step.made is None:
        return None
    merged = merge(step.made, step.before or b"", current)
    if merged is None:
        return None
    return PageWrite(step.path, current, merged if merged.strip() or step.before is not None else None)


TAKEN_BACK_WITHIN = 200  # changes, the newest, of which conversations are half


def undone_reasons(log: Sequence[Commit]) -> frozenset[str]:
    """Why the changes of *log*, newest first, were made that are undone and stay so: the sentences that told them."""
    undone: set[str] = set()
    for commit in log:
        if commit.undoes and commit.id not in undone:
            undone.add(commit.undoes)
    return frozenset(
        commit.message.partition("\n")[0] for commit in log if commit.ours and not commit.undoes and commit.id in undone
    )


def brings_back_a_mark(write: PageWrite) -> bool:
    """Whether *write* would make the mark that stands where something was forgotten the value of a fact."""
    if MARK not in (write.new or b""):
        return False
    before, after = (_values_with_mark(write.path, data) for data in (write.old, write.new))
    return after > before


def _values_with_mark(path: str, data: bytes | None) -> int:
    mark = MARK.decode()
    try:
        return sum(mark in (fact.value or "") for fact in read_facts(path, parse(data or b"")).facts)
    except NotText:
        return 0
