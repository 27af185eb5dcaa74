"""
Forgetting as it goes on: pages first, at once; then history, parked versions, index and all that others derived.

The first part is done under the store's lock. The rest takes its time in a large vault, and nobody waits for it but who
wants to hear of its end: it takes the lock for moments. A kill in between is made good at the next start.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from memory_store.commits import FINAL
from memory_store.errors import HistoryBusy, StoreError
from memory_store.files import Vault
from memory_store.forget import Begun, Forgetting, Forgotten, Looked, plan_forgetting, resume
from memory_store.history import History
from memory_store.index.vault_index import Index
from memory_store.landing import Landing
from memory_store.purge import Purged
from memory_store.redact import Redaction
from memory_store.replaced import Replaced
from memory_store.values import applied
from memory_store.writer import PageWrite, Writer

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Going:
    """
    A forgetting of which the pages say nothing any more: *so_far* is what was done. What is left to do of *plan* lies
    in the file *pending*, as *begun*.
    """

    so_far: Forgotten
    plan: Forgetting
    begun: Begun
    pending: Path


class Forgetter:
    """
    Does what a `Forgetting` plans. What has begun lies in *folder* until all are done with it.

    *lock* is the store's. *also_forget* takes it out of everything else.
    """

    def __init__(
        self,
        landing: Landing,
        vault: Vault,
        history: History,
        writer: Writer,
        replaced: Replaced,
        index: Index,
        folder: Path,
        lock: AbstractContextManager[object],
        also_forget: Callable[[Begun], None],
    ) -> None:
        self._landing = landing
        self._vault = vault
        self._history = history
        self._writer = writer
        self._replaced = replaced
        self._index = index
        self._folder = folder
        self._lock = lock
        self._also_forget = also_forget
        self._under_way: set[Path] = set()
        self._one_at_a_time = threading.Lock()
        self._ending = False

    def plan(self, what: str) -> Forgetting:
        """
        What forgetting *what* takes. Looks at all pages without the lock, then, with it, at those that changed since.

        Raises:
            PageReadOnly: a page that holds the value has a problem and is not rewritten.
        """
        looked = Looked()
        self._plan(what, looked)
        with self._lock:
            self._landing.begin()
            return self._plan(what, looked)

    def begin(self, what: str) -> Going | Forgotten:
        """
        Take *what* from the pages, in one commit; where nothing is to forget, what that says.

        Raises:
            HistoryBusy, HistoryDamaged, PageReadOnly, NoSpace and their like: nothing was changed.
        """
        looked = Looked()
        self._plan(what, looked)
        self._history.look()
        with self._lock:
            self._landing.begin()
            plan = self._plan(what, looked)
            if not plan.found:
                return plan.preview()
            begun = plan.begun(what)
            self._landing.require_commits()
            self._history.must_be_free()
            self._history.owner_commit()
            before = self._landing.ledger
            pending = self._writer.save(self._folder, begun)
            self._under_way.add(pending)
            self._replaced.forget(begun.what, begun.redaction)
            try:
                self._land(plan.writes, plan.subject)
            except StoreError:
                self._under_way.discard(pending)
                pending.unlink()
                raise
            except BaseException:
                self._under_way.discard(pending)
                raise
            changes = tuple(applied(change, before, self._landing.ledger) for change in plan.changes)
            return Going(plan.done(changes), plan, begun, pending)

    def finish(self, going: Going) -> Forgotten:
        """
        Take it out of all else as well; what was done in the end.

        Raises:
            HistoryBusy, HistoryDamaged and their like: the rest is done by `go_on`.
        """
        try:
            with self._one_at_a_time:
                purged = self._clean(going.begun.redaction)
            self._end(going.begun, going.pending)
        finally:
            self._under_way.discard(going.pending)
        return going.plan.done(going.so_far.changes, purged)

    @property
    def unfinished(self) -> int:
        """How many have begun and wait for `go_on`."""
        return len(set(self._folder.glob("*.json")) - self._under_way)

    def go_on(self) -> None:
        """
        Finish what a kill, or a history that was busy, kept from being forgotten, as far as that can be done now.

        What is just being forgotten is left to who does it.
        """
        if not self._one_at_a_time.acquire(blocking=False):
            return
        try:
            with self._lock:
                for leftover in self._folder.glob(".*.part"):
                    leftover.unlink()
                cut_short = sorted(set(self._folder.glob("*.json")) - self._under_way)
            for pending in cut_short:
                self._go_on_with(pending)
        finally:
            self._one_at_a_time.release()

    def end(self) -> None:
        """Leave what is not done to the next start: who is in the middle of it stops soon."""
        self._ending = True

    def _go_on_with(self, pending: Path) -> None:
        try:
            begun = msgspec.json.decode(pending.read_bytes(), type=Begun)
            looked, rest = Looked(), Looked()
            self._plan(begun.what, looked)
            resume(self._vault, begun.redaction, rest)
            with self._lock:
                self._landing.begin()
                self._landing.require_commits()
                self._replaced.forget(begun.what, begun.redaction)
                plan = self._plan(begun.what, looked)
                if plan.found and set(plan.begun(begun.what).values) <= set(begun.values):
                    self._land(plan.writes, plan.subject)
                self._land(resume(self._vault, begun.redaction, rest), "Forget what was asked")
            self._clean(begun.redaction)
            self._end(begun, pending)
        except msgspec.DecodeError:
            logger.warning("what was to be forgotten cannot be read any more, say it again: %s", pending)
            pending.unlink()
        except StoreError as error:
            logger.warning("what was to be forgotten is not gone from everywhere yet: %s", error)

    def _plan(self, what: str, looked: Looked) -> Forgetting:
        return plan_forgetting(self._vault, self._landing.ledger, what, self._landing.today(), self._history, looked)

    def _land(self, writes: Sequence[PageWrite], subject: str) -> None:
        self._landing.land(writes, f"{subject}\n\n{FINAL}", may_shrink=True)

    def _clean(self, redaction: Redaction) -> Purged:
        """Take what is to be forgotten out of the index, the history and parked versions."""
        self._index.sync()
        purged = self._history.purge(redaction, apart=lambda: self._lock, step=self._step)
        with self._lock:
            for proposal in self._writer.proposals():
                held = (proposal.base, proposal.ours)
                if proposal.path in redaction.paths or any(data and redaction.touches(data) for data in held):
                    self._writer.drop(proposal.id)
        self._index.compact()
        return purged

    def _end(self, begun: Begun, pending: Path) -> None:
        self._also_forget(begun)
        pending.unlink(missing_ok=True)

    def _step(self) -> None:
        if self._ending:
            raise HistoryBusy("reverie is ending", "the rest goes at the next start")
