"""
The vault, its history, its index and its facts as one thing: what the daemon calls.

Synchronous, from any thread. Searches and reads wait for nobody; writes, appends, undo and forget come one after the
other. A write recalculates what hangs on it, lands in the pages and in one commit, and the index follows.
"""

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from memory_store import doctor
from memory_store.commits import Commit, undo_message
from memory_store.conversations import Conversations
from memory_store.errors import (
    PageUnreadable,
    ProposalUnknown,
    StoreError,
)
from memory_store.facts import Change
from memory_store.files import Vault
from memory_store.forget import Begun, Forgotten
from memory_store.forgetting import Forgetter, Going
from memory_store.history import History
from memory_store.index.corpus import Corpus
from memory_store.index.hits import Hits
from memory_store.index.searching import Mode
from memory_store.index.standing import IndexStatus, PageStatus
from memory_store.index.vault_index import Index
from memory_store.index.vectors import Embedder
from memory_store.journal import Exchange, SourceRef
from memory_store.landing import FOLLOWS, Landing, page_title, parsed
from memory_store.ledger import Ledger
from memory_store.notes import appended, ended, note_lines, page_for_notes
from memory_store.page import Page, render
from memory_store.proposing import write_after_all
from memory_store.replaced import Replaced
from memory_store.swap import make_folders
from memory_store.sync import SyncReport
from memory_store.tuning import Tuning
from memory_store.undoing import TAKEN_BACK_WITHIN, take_back, undone_reasons
from memory_store.values import Noted, PageInfo, PageText, Undone, WriteResult, as_text
from memory_store.writer import PageWrite, Proposal, Writer

logger = logging.getLogger(__name__)
AlsoForget = Callable[["Store", Begun], None]


class Store:
    """Make one with `open`; `close` it before the next one opens the same state."""

    def __init__(
        self, vault: Vault, state: Path, index: Index, now: Callable[[], datetime], also_forget: AlsoForget
    ) -> None:
        self.vault = vault
        self._index = index
        self._now = now
        self._lock = threading.RLock()
        self._history = History(vault, now)
        self._writer = Writer(vault, self._history, state, now)
        self._conversations = Conversations(vault, self._history, state / "conversations", self._writer.save)
        replaced = Replaced(state, self._writer.save)
        self._landing = Landing(vault, self._history, self._writer, self._conversations, replaced, index, now)
        self._forgetter = Forgetter(
            self._landing,
            vault,
            self._history,
            self._writer,
            replaced,
            index,
            state / "forgetting",
            self._lock,
            lambda begun: also_forget(self, begun),
        )

    @classmethod
    def open(
        cls,
        vault: Path,
        state: Path,
        *,
        embedder: Embedder | None = None,
        owned: bool,
        now: Callable[[], datetime],
        also_forget: AlsoForget = lambda _store, _begun: None,
    ) -> "Store":
        """
        The store of the vault at *vault*, what is derived from it in *state*. Finishes what a kill interrupted.

        Reads the pages of facts; the index takes in the rest at the first `sync`. *now* gives the time with its offset.
        *also_forget* takes out of everything else what the store forgot; it is called again after a kill.

        Raises:
            PageUnreadable: the vault is not there, or cannot be listed.
            NoSpace, VaultReadOnly: the vault or the state folder cannot be made.
        """
        if owned:
            make_folders(vault)
        here = Vault(vault, owned=owned)
        here.scan("facts")
        if not here.root.is_dir():
            raise PageUnreadable(str(vault), "it is no folder")
        index = Index.open(here, state / "index", embedder=embedder, now=now)
        store = cls(here, state, index, now, also_forget)
        with store._lock:
            try:
                for path in here.heal():
                    logger.warning("a version that a kill kept aside is now %s", path)
                store._history.git.begin()
                store._landing.recover()
                store._history.first_commit()
            except StoreError as error:
                logger.warning("what was interrupted is not finished yet: %s", error)
            store._landing.open()
        return store

    # -- reading ---

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: Mode = "hybrid",
        syntax: bool = False,
        prefix: str | None = None,
        explain: bool = False,
        typing: bool = False,
    ) -> Hits:
        """See `Index.search`: chunks that answer, best first, none that is no longer in its file."""
        return self._index.search(
            query, limit=limit, mode=mode, syntax=syntax, prefix=prefix, explain=explain, typing=typing
        )

    def to_embed(self, query: str) -> str | None:
        """See `Index.to_embed`."""
        return self._index.to_embed(query)

    @property
    def ledger(self) -> Ledger:
        """All facts as of the last sync or write. Immutable."""
        return self._landing.facts.ledger

    def ledger_if_saved(self, paths: Iterable[str]) -> Ledger | None:
        """All facts as they stand now, where a page among *paths* was saved meanwhile; None where none was."""
        if not self._landing.facts.has_changed(paths):
            return None
        with self._lock:
            self._landing.facts.refresh()
        return self.ledger

    def read(self, path: str) -> PageText:
        """
        The page at *path* as it is now.

        Raises:
            NotContained, PageMissing, PageUnreadable, NotText.
        """
        snapshot = self.vault.read(path)
        page = parsed(path, snapshot.data)
        return PageText(path, page.title(page_title(path)), page.text, snapshot.hash)

    def pages(self, prefix: str = "") -> list[PageInfo]:
        """All pages whose path starts with *prefix*, by path, conflicted copies left out."""
        listed = self._index.listing()
        found = []
        for file in self.vault.files():
            if file.path.startswith(prefix) and file.role != "conflict":
                title, tags, chunks = listed.get(file.path, (page_title(file.path), (), 0))
                found.append(
                    PageInfo(file.path, title or page_title(file.path), file.size, file.mtime_ns, chunks, tags)
                )
        return found

    def page_status(self, path: str) -> PageStatus:
        """Whether and why the file at *path* is found or not."""
        return self._index.page_status(path)

    def index_status(self) -> IndexStatus:
        """How far the index is behind the files; cheap, and reads no page."""
        return self._index.status()

    def history(self, limit: int | None = 50) -> list[Commit]:
        """The newest changes of the vault, newest first."""
        return self._history.log(limit)

    def taken_back(self) -> frozenset[str]:
        """What was told, by sentence, and undone since: of the newest changes, as these say why they were made."""
        return undone_reasons(self._history.log(TAKEN_BACK_WITHIN))

    def proposals(self) -> list[Proposal]:
        """Versions of ours that wait for the owner, since they changed the same lines."""
        return self._writer.proposals()

    def proposal(self, proposal: str) -> Proposal:
        """
        The parked version whose id is, or starts with, *proposal*.

        Raises:
            ProposalUnknown.
        """
        found = [each for each in self._writer.proposals() if proposal and each.id.startswith(proposal)]
        if len(found) != 1:
            raise ProposalUnknown(proposal)
        return found[0]

    def drop_proposal(self, proposal: str) -> Proposal:
        """
        Let go of a parked version.

        Raises:
            ProposalUnknown.
        """
        with self._lock:
            found = self.proposal(proposal)
            self._writer.drop(found.id)
            return found

    def apply_proposal(self, proposal: str) -> WriteResult:
        """
        Write a parked version after all, in one commit: where it and the owner's edit changed the same lines, its own
        stand; all other lines of theirs stay, and what they had is in the history.

        Raises:
            ProposalUnknown.
            UndoConflict: the page has become too different to say which lines were meant.
            All that `Vault.replace` raises.
        """
        with self._lock:
            self._landing.begin()
            return write_after_all(self.proposal(proposal), self.vault, self._history, self._writer, self._landing)

    def doctor(self) -> list[doctor.Finding]:
        """Everything in the vault that its owner should look at, worst first."""
        proposals, unfinished = self._writer.proposals(), self._forgetter.unfinished
        return doctor.examine(self.vault, self.ledger, self._history, proposals, unfinished)

    # -- the index ---

    def sync(self, paths: Iterable[str] | None = None) -> SyncReport:
        """
        Take in what changed on the disk, or *paths* alone: the index, then the facts. Writes no page.

        Raises:
            PageUnreadable: the vault's folder cannot be listed.
        """
        with self._lock:
            self._landing.find_again()
        report = self._index.sync(paths)
        with self._lock:
            self._landing.facts.refresh()
        return report

    @property
    def takes_in(self) -> bool:
        """See `Index.takes_in`."""
        return self._index.takes_in

    def rebuild(self) -> SyncReport:
        """Build the index anew beside the running one, and swap."""
        report = self._index.rebuild()
        with self._lock:
            self._landing.facts.refresh()
        return report

    def tidy(self) -> str | None:
        """Make good what changes leave behind in index and history, where that is much; what was done, in few words."""
        done, packed = self._index.tidy(), self._history.pack()
        return ", ".join(filter(None, (done, f"{packed} objects of the history packed" if packed else None))) or None

    def use_embedder(self, embedder: Embedder | None) -> None:
        """Embed with *embedder* from now on; see `embed_pending`."""
        self._index.use_embedder(embedder)

    def embed_pending(self, max_texts: int = 64) -> int:
        """Embed some of the texts that have no vector yet; how many were, 0 when nothing is left."""
        return self._index.embed_pending(max_texts)

    def use_tuning(self, tuning: Tuning) -> None:
        """Rank by what dreams have learned, from now on; see `Index.use_tuning`."""
        self._index.use_tuning(tuning)

    def corpus(self) -> Corpus:
        """All passages with what ranks them; see `Index.corpus`."""
        return self._index.corpus()

    def says(self, keys: Collection[int]) -> set[int]:
        """Those of *keys* that name a passage of some page."""
        return self._index.says(keys)

    @property
    def base(self) -> str:
        """Where reverie's own folders lie in the vault: empty, or `reverie/`."""
        return self.vault.base

    # -- writing ---

    def write(self, changes: Sequence[Change], why: str, source: str | None = None) -> WriteResult:
        """
        Change facts, and what hangs on them by the rules, in one commit that says *why*.

        *source* is the wikilink target for changes that name none. What the owner saved meanwhile is merged line by
        line; where lines collide our page is parked.

        Raises:
            PageReadOnly, NotText: a page that must change cannot be; nothing was written.
            ChangeAmbiguous, FactInvalid, FactNotWritten, and all that `Vault.replace` raises.
        """
        with self._lock:
            self._landing.begin()
            asked = [_sourced(as_text(change), source) for change in changes]
            found = self._landing.consequences(asked)
            return self._landing.write([*asked, *found.consequences], found.problems, why)

    @property
    def has_followed(self) -> bool:
        """Whether `follow_edits` would find nothing to do, as far as the last sync saw."""
        return self._landing.has_followed

    def follow_edits(self) -> WriteResult:
        """
        Recalculate what hangs on facts and rules that the owner edited by hand since the last time, in one commit.

        Writes only consequences, never what was edited; nothing follows from an edit that changed no fact.
        """
        with self._lock:
            self._landing.begin(follow=False)
            return self._landing.follow()

    def remember_note(self, text: str, page: str | None = None) -> Noted:
        """
        File *text* word for word at the end of *page* (default: `Notes.md` of ours), in one commit.

        Raises:
            PageReadOnly, NotText, NotOurs, NotForNotes, NotContained, and all that `Vault.replace` raises.
        """
        path = page_for_notes(self.vault, page)
        with self._lock:
            self._landing.begin()
            old, current = self._landing.page(path)
            lines = note_lines(text, self._landing.today())
            changed, start = appended(current, lines)
            subject = f"Note on {page_title(path)}"
            written = self._landing.land([PageWrite(path, old, render(changed))], subject)
            return Noted(path, start, start + len(lines) - 1, written.commit, written.parked, written.notice)

    def append_lines(self, path: str, lines: Sequence[str], subject: str) -> str | None:
        """
        Put *lines* at the end of the page at *path*, a blank one before them, in one commit *subject*; its id.

        Raises:
            PageReadOnly, NotText, NotOurs, NotContained, and all that `Vault.replace` raises.
        """
        path = self.vault.spelled(path)
        with self._lock:
            self._landing.begin()
            old, current = self._landing.page(path)
            changed, _start = appended(current, lines)
            return self._landing.land([PageWrite(path, old, render(changed))], subject).commit

    def page(self, path: str) -> Page:
        """
        The page at *path* as it is now, to be edited by `edit_page`.

        Raises:
            NotContained, PageMissing, PageUnreadable, NotText.
        """
        return parsed(path, self.vault.read(path).data)

    def edit_page(self, path: str, change: Callable[[Page], Page], subject: str) -> WriteResult:
        """
        The page at *path* (a new one where there is none) as *change* makes it, in one commit *subject*.

        Lines that the owner changed meanwhile win: then our version is parked.

        Raises:
            PageReadOnly, NotText, NotOurs, NotContained, and all that `Vault.replace` raises.
        """
        path = self.vault.spelled(path)
        with self._lock:
            self._landing.begin()
            old, current = self._landing.page(path)
            changed = change(current)
            if changed == current:
                return WriteResult()
            written = self._landing.land([PageWrite(path, old, render(ended(changed)))], subject, may_shrink=True)
            return WriteResult((), written.commit, tuple(written.pages), written.parked, (), written.notice)

    def append_journal(self, exchange: Exchange) -> SourceRef:
        """
        Keep a conversation, on the disk when this returns, and committed where git is free. The next sync finds it.

        Raises:
            VaultMissing, NoSpace, VaultReadOnly, PageUnreadable, PageUnwritable: nothing of it was kept.
        """
        with self._lock:
            self._landing.find_again()
            return self._conversations.append(exchange)

    def open_journal(self) -> SourceRef:
        """The page that today's conversations go to, made if missing. Raises as `append_journal`."""
        with self._lock:
            self._landing.find_again()
            return self._conversations.open_page(self._landing.today())

    def undo(self, commit: str | None = None) -> Undone:
        """
        Take back what one change did, and only that; None: the newest of ours. An undo can be undone by its id.

        Raises:
            CommitUnknown.
            NothingToUndo: also where *commit* is None and the newest change forgot something.
            UndoConflict: what it wrote was changed again since; nothing was undone.
            HistoryBusy: a change that is made has no commit yet, so that another would be taken for the newest.
        """
        with self._lock:
            self._landing.begin()
            self._landing.require_commits()
            found = self._history.find(commit)
            writes = take_back(self.vault, self._history, found)
            written = self._landing.land(writes, undo_message(found), may_shrink=True)
            notice = written.notice or (_EDIT_STANDS if found.message.startswith(FOLLOWS) else None)
            return Undone(found, written.commit, tuple(written.pages), written.parked, notice)

    def forget(self, what: str, *, confirm: bool = False) -> Forgotten:
        """
        Remove a fact's value, or a page, from everywhere: pages, past, journal, index, parked versions, git objects.

        *what* is an attribute or a path. Without *confirm* nothing happens: the result says what would. What hangs on
        the fact becomes `?`; a tombstone stays. Others wait for no more than the pages.

        Raises:
            PageReadOnly: a page that holds the value cannot be changed; nothing was.
            HistoryBusy, HistoryDamaged: the history cannot be cleaned now: nothing was changed, or, where that came
                later, the rest is done by `go_on_forgetting`.
        """
        if not confirm:
            return self._forgetter.plan(what).preview()
        going = self._forgetter.begin(what)
        return self._forgetter.finish(going) if isinstance(going, Going) else going

    def begin_to_forget(self, what: str) -> Going | Forgotten:
        """The first part of `forget`: no page says it any more. The rest is `end_forgetting`."""
        return self._forgetter.begin(what)

    def end_forgetting(self, going: Going) -> Forgotten:
        """The rest of `forget`; what was done in all."""
        return self._forgetter.finish(going)

    def go_on_forgetting(self) -> None:
        """Finish what was begun to be forgotten, and was kept from its end by a kill, or by a history that was busy."""
        self._forgetter.go_on()

    def owner_commit(self) -> str | None:
        """Commit as the owner's what they edited, at a quiet moment; the id, or None. Writes no page."""
        self._forgetter.go_on()
        if self.vault.there:
            self._history.look()
        with self._lock:
            self._landing.recover()
            self._landing.require_commits()
            return self._history.owner_commit()

    def close(self) -> None:
        """Release all files."""
        self._forgetter.end()
        with self._lock:
            self._index.close()
            self._history.close()


def _sourced(change: Change, source: str | None) -> Change:
    if source is None or change.source is not None:
        return change
    return replace(change, source=source)


_EDIT_STANDS = "the edit by hand that it followed stands, so that what hangs on it may say otherwise now: see to both"
