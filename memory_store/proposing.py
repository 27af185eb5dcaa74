"""A version of ours that was parked beside an edit of the owner's, written after all."""

from memory_store.errors import PageMissing, UndoConflict
from memory_store.facts import FactChange
from memory_store.files import Vault
from memory_store.history import History
from memory_store.landing import Landing
from memory_store.ledger import diff
from memory_store.merge import overlay
from memory_store.values import WriteResult, applied
from memory_store.writer import PageWrite, Proposal, Writer


def write_after_all(
    proposal: Proposal, vault: Vault, history: History, writer: Writer, landing: Landing
) -> WriteResult:
    """
    Write *proposal* in one commit: where it and the owner's edit changed the same lines, its own stand; all other lines
    of theirs stay, and what they had is in the history. Whoever calls holds the store's lock.

    Raises:
        UndoConflict: the page has become too different to say which lines were meant.
        All that `Vault.replace` raises.
    """
    history.owner_commit()
    try:
        current: bytes | None = vault.read(proposal.path).data
    except PageMissing:
        current = None
    new = proposal.ours
    if new is not None and current is not None:
        new = overlay(proposal.base or b"", new, current)
        if new is None:
            raise UndoConflict(proposal.id, (proposal.path,))
    before = landing.ledger
    subject = proposal.message.partition("\n")[0]
    written = landing.land([PageWrite(proposal.path, current, new)], f"{subject} (parked until now)")
    if not written.parked:
        writer.drop(proposal.id)
    changes = tuple(
        applied(change, before, landing.ledger)
        for change in diff(before, landing.ledger)
        if isinstance(change, FactChange)
    )
    return WriteResult(changes, written.commit, tuple(written.pages), written.parked, (), written.notice)
