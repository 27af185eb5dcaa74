"""Forgetting as it goes on: pages, history, parked versions, index, and all that others derived; also after a kill."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from memory_store.errors import StoreError
from memory_store.files import Vault
from memory_store.forget import Begun, Forgetting, Forgotten, plan_forgetting, resume
from memory_store.history import FINAL, History
from memory_store.index.vault_index import Index
from memory_store.landing import Landing
from memory_store.purge import Purged
from memory_store.redact import Redaction
from memory_store.values import applied
from memory_store.writer import PageWrite, Writer

logger = logging.getLogger(__name__)


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
        self._under_way: set[Path] = set()

    def forget(self, plan: Forgetting, begun: Begun) -> tuple[Forgotten, Path]:
        """
        Carry out *plan* in all that is the store's; what is left to do lies in the file that is given back.

        Raises:
            HistoryBusy, HistoryDamaged, PageReadOnly, NoSpace and their like: nothing was changed, where it was refused
                before the pages were written; else the rest is done by `go_on`.
        """
        self._landing.require_commits()
        self._history.must_be_free()
        self._history.owner_commit()
        before = self._landing.ledger
        pending = self._writer.save(self._folder, begun)
        self._under_way.add(pending)
        try:
            self._land(plan.writes, plan.subject)
        except StoreError:
            self._under_way.discard(pending)
            pending.unlink()
            raise
        try:
            purged = self._clean(plan.redaction)
        except BaseException:
            self._under_way.discard(pending)  # so that `go_on` does the rest
            raise
        return plan.done(
            tuple(applied(change, before, self._landing.ledger) for change in plan.changes), purged
        ), pending

    def end(self, begun: Begun, pending: Path) -> None:
        """Let all others forget it too; then it is over. Needs no lock."""
        try:
            self._also_forget(begun)
            pending.unlink()
        finally:
            self._under_way.discard(pending)

    @property
    def unfinished(self) -> int:
        """How many have begun and wait for `go_on`."""
        return len(set(self._folder.glob("*.json")) - self._under_way)

    def go_on(self) -> None:
        """Finish what a kill, or a history that was busy, kept from being forgotten, as far as that can be done now."""
        for leftover in self._folder.glob(".*.part"):
            leftover.unlink()
        for pending in sorted(set(self._folder.glob("*.json")) - self._under_way):
            try:
                begun = msgspec.json.decode(pending.read_bytes(), type=Begun)
                self._finish(begun)
                self.end(begun, pending)
            except msgspec.DecodeError:
                logger.warning("what was to be forgotten cannot be read any more, say it again: %s", pending)
                pending.unlink()
            except StoreError as error:
                logger.warning("what was to be forgotten is not gone from everywhere yet: %s", error)

    def _finish(self, begun: Begun) -> None:
        self._landing.facts.refresh()
        plan = plan_forgetting(self._vault, self._landing.ledger, begun.what, self._landing.today(), self._history)
        if plan.found and set(plan.begun(begun.what).values) <= set(begun.values):
            self._land(plan.writes, plan.subject)
        self._land(resume(self._vault, begun.redaction), "Forget what was asked")
        self._clean(begun.redaction)

    def _land(self, writes: Sequence[PageWrite], subject: str) -> None:
        self._landing.land(writes, f"{subject}\n\n{FINAL}", may_shrink=True, index_at_once=True)

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
