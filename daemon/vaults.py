"""
Which vaults this home has remembered in, so that one that was moved away, or left for another, is missed.

Kept in the state folder and deletable: then the vault in use counts as the first one.
"""

import contextlib
import datetime as dt
import logging
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from daemon.errors import VaultUnusable
from memory_store.errors import StoreError
from memory_store.facts import Fact, read_facts
from memory_store.files import Vault
from memory_store.ledger import Ledger
from memory_store.page import parse

log = logging.getLogger(__name__)
VAULTS_FILE = "vaults.json"  # in the state folder
TOLD_FOR = dt.timedelta(days=7)


class Known(msgspec.Struct, frozen=True):
    """A vault that was open: its *pages* when it was last looked at, and the day on which it came into use."""

    path: str
    owned: bool
    since: str
    pages: int = 0


class LeftBehind(msgspec.Struct, frozen=True):
    """*count* facts that stand on the pages of *folder*, in a vault used before, and not in this one."""

    folder: Path
    count: int

    def __str__(self) -> str:
        what = "1 fact was" if self.count == 1 else f"{self.count} facts were"
        return f"{what} left in {self.folder}, where memory was kept before"


class KnownVaults:
    """The vaults of one home, the one in use last."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: list[Known] = []
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            self._known = msgspec.json.decode(file.read_bytes(), type=list[Known])

    def must_be_there(self, vault: Path) -> None:
        """
        Make sure that *vault*, if it held pages, still stands where it was.

        Raises:
            VaultUnusable: it is gone; to make an empty one in its place would hide that.
        """
        known = next((each for each in self._known if each.path == str(vault) and each.pages), None)
        if known is None or vault.exists():
            return
        pages = "1 page" if known.pages == 1 else f"{known.pages} pages"
        anew = f"or `mkdir {shlex.quote(str(vault))}` to begin an empty one"
        reason = f"it held {pages} and is not there now; put it back, name its new place in vault.path, {anew}"
        raise VaultUnusable(vault, reason)

    def enter(self, vault: Path, *, owned: bool, today: dt.date) -> None:
        """*vault* is the one in use from now on."""
        found = next((each for each in self._known if each.path == str(vault)), None)
        if found is not None and found is self._known[-1]:
            return
        fresh = Known(str(vault), owned, today.isoformat(), found.pages if found else 0)
        self._known = [each for each in self._known if each is not found] + [fresh]
        self._save()

    def count(self, pages: int) -> None:
        """The vault in use has so many pages. The last of them gone is told by others: it stays known."""
        if self._known and pages and self._known[-1].pages != pages:
            self._known[-1] = msgspec.structs.replace(self._known[-1], pages=pages)
            self._save()

    def is_new(self, today: dt.date) -> bool:
        """Whether the vault in use came into use in the last days."""
        with contextlib.suppress(ValueError, IndexError):
            return today - dt.date.fromisoformat(self._known[-1].since) < TOLD_FOR
        return False

    def left_behind(self, ledger: Ledger) -> list[LeftBehind]:
        """Facts in the vaults used before that *ledger*, of the one in use, does not hold; the latest first."""
        if len(self._known) < 2:
            return []
        here = Path(os.path.realpath(self._known[-1].path))
        have = {(fact.key, fact.value) for fact in ledger.facts()}
        found = []
        for each in reversed(self._known[:-1]):
            root = Path(os.path.realpath(each.path))
            if root.is_relative_to(here) or here.is_relative_to(root):
                continue  # the same pages
            vault = Vault(root, owned=each.owned)
            folder = f"{vault.base}facts"
            facts = {(fact.key, fact.value) for fact in _facts(vault, folder) if fact.value is not None}
            if facts - have:
                found.append(LeftBehind(root / folder, len(facts - have)))
        return found

    def _save(self) -> None:
        part = self._file.with_suffix(".part")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(msgspec.json.encode(self._known))
            part.replace(self._file)
        except OSError as error:
            log.warning("which vault is in use could not be noted: %s", error.strerror)


def _facts(vault: Vault, folder: str) -> Sequence[Fact]:
    found: list[Fact] = []
    with contextlib.suppress(StoreError, OSError):
        for file in vault.scan(folder).files:
            with contextlib.suppress(StoreError, OSError):
                found += read_facts(file.path, parse(vault.read(file.path).data)).facts
    return found
