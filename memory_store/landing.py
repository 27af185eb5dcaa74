"""How a change lands: in pages, in one commit, in the facts and in the index; and how edits by hand are followed."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import groupby

from memory_store.conversations import Conversations
from memory_store.errors import HistoryBusy, NotText, PageMissing, PageReadOnly, StoreError
from memory_store.fact_files import FactFiles
from memory_store.facts import Change, FactChange, Problem, apply, keep_past, new_page, read_facts
from memory_store.files import Vault
from memory_store.history import History
from memory_store.index.vault_index import Index
from memory_store.ledger import Ledger, diff, ended
from memory_store.page import Page, parse, render
from memory_store.recalc import Recalculation, recalculate
from memory_store.replaced import Replaced
from memory_store.values import WriteResult, applied, commit_message
from memory_store.writer import PageWrite, Writer, Written

logger = logging.getLogger(__name__)
FOLLOWS = "Follow an edit by hand"  # how the message of the commit begins that does so


class Landing:
    """One change after the other; whoever calls holds the store's lock."""

    def __init__(
        self,
        vault: Vault,
        history: History,
        writer: Writer,
        conversations: Conversations,
        replaced: Replaced,
        index: Index,
        now: Callable[[], datetime],
    ) -> None:
        self._vault = vault
        self._history = history
        self._writer = writer
        self._conversations = conversations
        self._index = index
        self._now = now
        self._replaced = replaced
        self.facts = FactFiles(vault, replaced.of)
        self._settled = Ledger()

    def open(self) -> None:
        """Read the facts. What differs from the history was edited by hand while nobody looked."""
        self.facts.refresh()
        try:
            self._settled = self.facts.as_in(self._history)
        except StoreError as error:
            logger.warning("what was edited by hand while nobody looked cannot be told: %s", error)
            self._settled = self.ledger

    @property
    def ledger(self) -> Ledger:
        """All facts as of the last look or change. Immutable."""
        return self.facts.ledger

    def begin(self, *, follow: bool = True) -> None:
        """Finish what had to wait, see what the owner has saved, and let what hangs on their edits follow."""
        self.recover()
        self.facts.refresh()
        if follow:
            try:
                self.follow()
            except StoreError as error:
                logger.warning("what hangs on an edit by hand could not be written: %s", error)
                self._settled = self.ledger

    def recover(self) -> None:
        """Finish what had to wait."""
        self.find_again()
        self._vault.require()
        self._writer.recover()
        self._conversations.keep()

    def require_commits(self) -> None:
        """Raises HistoryBusy while a change of ours has no commit: it would pass for the owner's, or be passed over."""
        if self._writer.waiting or self._conversations.waiting:
            hint = "free the disk, or end the git program that holds it"
            raise HistoryBusy("the last change waits for its commit", hint)

    def find_again(self) -> None:
        """
        Take up a folder that was put in the vault's place: by a sync program, a backup, another mount of the same disk.

        It is the vault if it holds at least half of the pages; an empty mount point is not.
        """
        if not self._vault.replaced:
            return
        known = {*self._index.listing(), *self.ledger.pages}
        found = known & {file.path for file in self._vault.files()}
        if known and len(found) * 2 >= len(known):
            self._vault.adopt()
            self._history.close()
            logger.warning("another folder with the same pages stands in the vault's place: it is the vault now")

    @property
    def has_followed(self) -> bool:
        """Whether all that the owner edited by hand, as far as it was looked at, has been followed."""
        return not diff(self._settled, self.ledger)

    def follow(self) -> WriteResult:
        """Recalculate what hangs on facts and rules that the owner edited by hand since the last time."""
        settled, self._settled = self._settled, self.ledger
        edits = diff(settled, self.ledger)
        if not edits:
            return WriteResult()
        found = self.consequences(edits, applied=True)
        replaced = ended(edits, settled, self.ledger)
        self._replaced.add(replaced, self.today())
        if not found.consequences:
            self.facts.refresh({fact.path: None for fact in replaced})
            return WriteResult(problems=found.problems)
        try:
            return self.write(found.consequences, found.problems, FOLLOWS)
        except StoreError:
            self._settled = settled  # so that the next look follows the same edits
            raise

    def consequences(self, changes: Sequence[Change], *, applied: bool = False) -> Recalculation:
        """What follows from *changes* by the rules; see `recalculate`."""
        return recalculate(self.ledger, changes, applied=applied)

    def write(self, changes: Sequence[Change], problems: tuple[Problem, ...], why: str) -> WriteResult:
        """Write *changes*; on pages that they change, values that the owner replaced by hand go into the past too."""
        by_path: dict[str, list[Change]] = {}
        for change in changes:
            by_path.setdefault(change.path, []).append(change)
        writes = []
        for path, on_page in by_path.items():
            old, page = self.page(path)
            try:
                page = apply(page, on_page, today=self.today())
                for day, facts in groupby(self._replaced.of(read_facts(path, page)), lambda fact: fact.until or ""):
                    page = keep_past(page, list(facts), today=day)
            except PageReadOnly as error:
                raise PageReadOnly(error.line, error.reason, path) from error
            writes.append(PageWrite(path, old, render(page)))
        before = self.ledger
        takes_away = any(isinstance(change, FactChange) and change.kind in ("forget", "remove") for change in changes)
        written = self.land(writes, commit_message(why, changes), may_shrink=takes_away)
        parked = {proposal.path for proposal in written.parked}
        for path in by_path.keys() - parked:
            self._replaced.drop(path)
        shown = tuple(
            applied(change, before, self.ledger)
            for change in changes
            if isinstance(change, FactChange) and change.path not in parked
        )
        return WriteResult(shown, written.commit, tuple(written.pages), written.parked, problems, written.notice)

    def land(self, writes: Sequence[PageWrite], message: str, *, may_shrink: bool = False) -> Written:
        """Write, commit, and let facts follow, and the index where that takes no time."""
        written = self._writer.write(writes, message, may_shrink=may_shrink)
        if written.pages:
            self.facts.refresh(written.pages)
            self._settle(write for write in writes if write.path in written.pages)
            try:
                self._index.follow(list(written.pages))
            except (StoreError, OSError) as error:  # the pages are written: all else is made good later
                logger.warning("the index could not follow a change, the next sync tries again: %s", error)
        return written

    def _settle(self, writes: Iterable[PageWrite]) -> None:
        """What *writes* say is followed already; what the owner saved beside or right behind them is not."""
        for write in writes:
            if write.new is None:
                self._settled = self._settled.replace(write.path, None)
            elif write.path in self.ledger.pages:
                self._settled = self._settled.replace(write.path, read_facts(write.path, parse(write.new)))

    def page(self, path: str) -> tuple[bytes | None, Page]:
        """The bytes and the page at *path*; a new page of facts where there is none."""
        try:
            data = self._vault.read(path).data
        except PageMissing:
            return None, new_page(page_title(path))
        return data, parsed(path, data)

    def today(self) -> str:
        """The owner's day, ISO 8601."""
        return self._now().date().isoformat()


def parsed(path: str, data: bytes) -> Page:
    """The page that *data* of the file at *path* is. Raises NotText with the path."""
    try:
        return parse(data)
    except NotText as error:
        raise NotText(error.reason, path, error.line) from error


def page_title(path: str) -> str:
    """What the page at *path* is called where it does not say itself."""
    return path.rpartition("/")[2].strip().rpartition(".")[0] or path
