"""Forgetting as it goes on: pages, history, parked versions, index, and all that others derived; also after a kill."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from memory_store.files import Vault
from memory_store.forget import Begun, Forgetting, Forgotten, resume
from memory_store.history import FINAL, History
from memory_store.index.vault_index import Index
from memory_store.landing import Landing
from memory_store.purge import Purged
from memory_store.redact import Redaction
from memory_store.values import applied
from memory_store.writer import Writer


class Forgetter:
    """
    Does what a `Forgetting` plans. What has begun lies in *folder* until all are done with it.

    *also_forget* takes it out of everything else.
    """

    def __init__(
        self,
        landing: Landing,
        vault: Vault,
        history: History,
        writer: Writer,
        index: Index,
        folder: Path,
        also_forget: Callable[[Begun], None],
    ) -> None:
        self._landing = landing
        self._vault = vault
        self._history = history
        self._writer = writer
        self._index = index
        self._folder = folder
        self._also_forget = also_forget

    def begin(self, begun: Begun) -> Path:
        """Keep on the disk what is to be forgotten, so that a start after a kill does the rest; the file."""
        return self._writer.save(self._folder, begun)

    def forget(self, plan: Forgetting) -> Forgotten:
        """Carry out *plan* in all that is the store's."""
        self._history.owner_commit()
        before = self._landing.ledger
        self._landing.land(plan.writes, f"{plan.subject}\n\n{FINAL}", may_shrink=True, index_at_once=True)
        purged = self._clean(plan.redaction)
        return plan.done(tuple(applied(change, before, self._landing.ledger) for change in plan.changes), purged)

    def end(self, begun: Begun, pending: Path) -> None:
        """Let all others forget it too; then it is over. Needs no lock."""
        self._also_forget(begun)
        pending.unlink()

    def resume(self) -> None:
        """Finish what a kill, or a history that was busy, kept from being forgotten."""
        for pending in self._folder.glob("*.json"):
            begun = msgspec.json.decode(pending.read_bytes(), type=Begun)
            writes = resume(self._vault, begun.redaction)
            self._landing.land(writes, f"Forget what was asked\n\n{FINAL}", may_shrink=True, index_at_once=True)
            self._clean(begun.redaction)
            self.end(begun, pending)

    def _clean(self, redaction: Redaction) -> Purged:
        """Take what is to be forgotten out of the history, parked versions and the index."""
        purged = self._history.purge(redaction)
        for proposal in self._writer.proposals():
            held = (proposal.base, proposal.ours)
            if proposal.path in redaction.paths or any(data and redaction.touches(data) for data in held):
                self._writer.drop(proposal.id)
        self._index.sync()  # a page that was written, or edited, just before is in the index as it was
        self._index.compact()
        return purged
