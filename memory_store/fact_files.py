"""The pages of facts on the disk, read again as they change: the ledger of what they say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from memory_store.errors import NotText, PageMissing, PageUnreadable
from memory_store.facts import Fact, PageFacts, read_facts
from memory_store.files import FileStat, Vault
from memory_store.history import History
from memory_store.ledger import Ledger
from memory_store.page import parse


class FactFiles:
    """
    *ledger* holds all facts as of the last `refresh`; immutable, and replaced by each. *untold* gives what belongs to a
    page's past and is not told there.
    """

    def __init__(self, vault: Vault, untold: Callable[[PageFacts], tuple[Fact, ...]]) -> None:
        self._vault = vault
        self._untold = untold
        self._stats: dict[str, tuple[int, int, int]] = {}
        self.ledger = Ledger()

    def refresh(self, written: Mapping[str, bytes | None] | None = None) -> None:
        """Read again the pages of facts whose files changed. What cannot be read keeps its old facts."""
        if not self._vault.there:
            return
        ledger = self.ledger
        files, hidden = self._files()
        for path in [path for path in self._stats if path not in files and not hidden(path)]:
            del self._stats[path]
            ledger = ledger.replace(path, None)
        fresh: list[PageFacts] = []
        for path, file in files.items():
            stamp = (file.mtime_ns, file.size, file.inode)
            if self._stats.get(path) == stamp and not (written and path in written):
                continue
            try:
                snapshot = self._vault.read(path)
                facts = read_facts(path, parse(snapshot.data))
                fresh.append(replace(facts, past=(*facts.past, *self._untold(facts))))
                self._stats[path] = (snapshot.mtime_ns, snapshot.size, snapshot.inode)
            except NotText:
                ledger = ledger.replace(path, None)
                self._stats[path] = stamp
            except (PageMissing, PageUnreadable):
                continue
        if len(fresh) > 8:
            ledger = Ledger.build([*ledger.pages.values(), *fresh])
        else:
            for facts in fresh:
                ledger = ledger.replace(facts.path, facts)
        self.ledger = ledger

    def has_changed(self, paths: Iterable[str]) -> bool:
        """Whether one of the pages at *paths* was saved, or went, since it was read."""
        for path in paths:
            known = self._stats.get(path)
            if known is None:
                continue
            try:
                info = (self._vault.root / path).stat()
            except FileNotFoundError:
                return True
            except OSError:
                continue
            if known != (info.st_mtime_ns, info.st_size, info.st_ino):
                return True
        return False

    def _files(self) -> tuple[dict[str, FileStat], Callable[[str], bool]]:
        scan = self._vault.scan(f"{self._vault.base}facts")
        files = {file.path: file for file in scan.files if file.role == "facts"}
        memory = f"{self._vault.base}MEMORY.md"
        try:
            snapshot = self._vault.read(memory)
            files[memory] = FileStat(memory, snapshot.size, snapshot.mtime_ns, snapshot.inode, "memory")
        except PageMissing:
            pass
        except PageUnreadable:
            return files, lambda path: path == memory or scan.hides(path)
        return files, scan.hides

    def as_in(self, history: History) -> Ledger:
        """The facts as *history* has them: what differs now was edited by hand since."""
        pages = []
        for path, facts in self.ledger.pages.items():
            data = history.content(path)
            try:
                pages.append(read_facts(path, parse(data)) if data is not None else facts)
            except NotText:
                pages.append(facts)
        return Ledger.build(pages)
