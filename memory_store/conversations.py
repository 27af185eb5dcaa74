"""
Conversations as they come: on their journal page, synced; then at once in a commit, which `git reset` leaves alone.

While git does something of the owner's, and no commit can be made, a conversation lies in the state folder too, until
one holds it: a page that lost it meanwhile to a checkout or a reset gets it back. Taken out of a page after that it is
an edit by hand, which stands.
"""

import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from memory_store.errors import HistoryBusy, HistoryDamaged, NoSpace, PageMissing, StoreError
from memory_store.files import Vault
from memory_store.history import History
from memory_store.journal import Exchange, SourceRef, append_entry, append_exchange, open_page

logger = logging.getLogger(__name__)


class _Waiting(msgspec.Struct, frozen=True):
    """What an exchange added to the page at *path*, and the mark by which it is known there."""

    path: str
    entry: bytes
    mark: bytes


class Conversations:
    """
    Not thread-safe: the store calls it under its lock. What waits for a commit lies in *folder*, put there by *save*.
    """

    def __init__(
        self, vault: Vault, history: History, folder: Path, save: Callable[[Path, msgspec.Struct], Path]
    ) -> None:
        self._vault = vault
        self._history = history
        self._folder = folder
        self._save = save

    def append(self, exchange: Exchange) -> SourceRef:
        """
        Keep *exchange*, on the disk when this returns, and in a commit where one can be made now.

        Raises:
            VaultMissing, NoSpace, VaultReadOnly, PageUnreadable, PageUnwritable: nothing of it was kept.
        """
        self.keep()
        done = append_exchange(self._vault, exchange)
        try:
            self._history.keep(done.ref.path, done.before, done.after)
        except HistoryDamaged as damaged:
            logger.warning("a conversation is in the journal, and in no commit: %s", damaged)
        except StoreError as error:
            self._wait(_Waiting(done.ref.path, done.entry, f"^{exchange.id}".encode()), error)
        return done.ref

    def open_page(self, day: str) -> SourceRef:
        """The page that the conversations of *day* go to, made if missing. Raises as `append`."""
        return open_page(self._vault, day)

    @property
    def waiting(self) -> bool:
        """Whether a conversation still waits for its commit."""
        return any(self._folder.glob("*.json"))

    def keep(self) -> None:
        """Put back what was lost before a commit held it, and commit it, as far as that can be done now."""
        for file in sorted(self._folder.glob("*.json")):
            try:
                self._keep(msgspec.json.decode(file.read_bytes(), type=_Waiting))
            except msgspec.DecodeError:
                logger.warning("a conversation that waited cannot be read any more: %s", file)
            except StoreError as error:
                logger.info("conversations wait for their commit: %s", error)
                return
            file.unlink(missing_ok=True)

    def _keep(self, waiting: _Waiting) -> None:
        self._history.require_quiet()
        data = self._read(waiting.path)
        if waiting.mark not in data:
            logger.warning("%s had lost a conversation before it was committed: it is put back", waiting.path)
            append_entry(self._vault, waiting.path, data, waiting.entry)
            before, data = data, self._read(waiting.path)
        else:
            before = data
        self._history.keep(waiting.path, before, data)

    def _read(self, path: str) -> bytes:
        try:
            return self._vault.read(path).data
        except PageMissing:
            return b""

    def _wait(self, waiting: _Waiting, why: StoreError) -> None:
        if not isinstance(why, HistoryBusy | NoSpace):
            logger.warning("a conversation is in the journal, and in no commit yet: %s", why)
        try:
            self._save(self._folder, waiting)
        except StoreError as error:
            logger.warning("that a conversation waits for its commit could not be noted: %s", error)
