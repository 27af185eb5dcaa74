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

import msgspec

from memory_store import doctor
from memory_store.errors import (
    HistoryBusy,
    HistoryDamaged,
    NoSpace,
    NothingToUndo,
    NotText,
    PageMissing,
    PageReadOnly,
    PageUnreadable,
    PageUnwritable,
    ProposalUnknown,
    StoreError,
    UndoConflict,
    VaultReadOnly,
)
from memory_store.fact_files import FactFiles
from memory_store.facts import Change, Fact, FactChange, Problem, apply, keep_past, new_page
from memory_store.files import Vault
from memory_store.forget import Begun, Forgetting, Forgotten, plan_forgetting, resume
from memory_store.history import FINAL, Commit, History, undo_message
from memory_store.index.corpus import Corpus
from memory_store.index.hits import Hits
from memory_store.index.searching import Mode
from memory_store.index.standing import IndexStatus, PageStatus
from memory_store.index.vault_index import Index
from memory_store.index.vectors import Embedder
from memory_store.journal import Exchange, SourceRef, append_exchange, open_page
from memory_store.ledger import Ledger, diff, ended
from memory_store.merge import overlay
from memory_store.page import Page, parse, render
from memory_store.purge import Purged
from memory_store.recalc import Recalculation, recalculate
from memory_store.redact import Redaction
from memory_store.swap import make_folders
from memory_store.sync import SyncReport
from memory_store.tuning import Tuning
from memory_store.undoing import brings_back_a_mark, reversal
from memory_store.values import Noted, PageInfo, PageText, Undone, WriteResult, applied, commit_message
from memory_store.writer import PageWrite, Proposal, Writer, Written

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
        self._forgetting = state / "forgetting"
        self._also_forget = also_forget
        self._facts = FactFiles(vault)
        self._settled = Ledger()

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
                store._writer.recover()
                store._resume_forgetting()
            except (VaultReadOnly, NoSpace, PageUnwritable, HistoryBusy, HistoryDamaged) as error:
                logger.warning("what was interrupted is not finished yet: %s", error)
            store._facts.refresh()
            store._settled = store._facts.as_in(store._history)
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

    @property
    def ledger(self) -> Ledger:
        """All facts as of the last sync or write. Immutable."""
        return self._facts.ledger

    def ledger_if_saved(self, paths: Iterable[str]) -> Ledger | None:
        """All facts as they stand now, where a page among *paths* was saved meanwhile; None where none was."""
        if not self._facts.has_changed(paths):
            return None
        with self._lock:
            self._facts.refresh()
        return self.ledger

    def read(self, path: str) -> PageText:
        """
        The page at *path* as it is now.

        Raises:
            NotContained, PageMissing, PageUnreadable, NotText.
        """
        snapshot = self.vault.read(path)
        page = _parsed(path, snapshot.data)
        return PageText(path, page.title(_name(path)), page.text, snapshot.hash)

    def pages(self, prefix: str = "") -> list[PageInfo]:
        """All pages whose path starts with *prefix*, by path, conflicted copies left out."""
        listed = self._index.listing()
        found = []
        for file in self.vault.files():
            if file.path.startswith(prefix) and file.role != "conflict":
                title, tags, chunks = listed.get(file.path, (_name(file.path), (), 0))
                found.append(PageInfo(file.path, title or _name(file.path), file.size, file.mtime_ns, chunks, tags))
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
            self._begin()
            found = self.proposal(proposal)
            self._history.owner_commit()
            try:
                current: bytes | None = self.vault.read(found.path).data
            except PageMissing:
                current = None
            new = found.ours
            if new is not None and current is not None:
                new = overlay(found.base or b"", new, current)
                if new is None:
                    raise UndoConflict(found.id, (found.path,))
            before = self.ledger
            subject = found.message.partition("\n")[0]
            written = self._land([PageWrite(found.path, current, new)], f"{subject} (parked until now)")
            if not written.parked:
                self._writer.drop(found.id)
            changes = tuple(
                applied(change, before, self.ledger)
                for change in diff(before, self.ledger)
                if isinstance(change, FactChange)
            )
            return WriteResult(changes, written.commit, tuple(written.pages), written.parked, (), written.notice)

    def doctor(self) -> list[doctor.Finding]:
        """Everything in the vault that its owner should look at, worst first."""
        return doctor.examine(self.vault, self.ledger, self._history, self._writer.proposals())

    # -- the index ---

    def sync(self, paths: Iterable[str] | None = None) -> SyncReport:
        """
        Take in what changed on the disk, or *paths* alone: the index, then the facts. Writes no page.

        Raises:
            PageUnreadable: the vault's folder cannot be listed.
        """
        with self._lock:
            self._find_again()
        report = self._index.sync(paths)
        with self._lock:
            self._facts.refresh()
        return report

    def rebuild(self) -> SyncReport:
        """Build the index anew beside the running one, and swap."""
        report = self._index.rebuild()
        with self._lock:
            self._facts.refresh()
        return report

    def tidy(self) -> str | None:
        """Make good what changes leave behind in the index, where that is much; see `Index.tidy`."""
        return self._index.tidy()

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
            self._begin()
            asked = [_sourced(change, source) for change in changes]
            found = self._consequences(asked)
            return self._write_all([*asked, *found.consequences], found.problems, why)

    def follow_edits(self) -> WriteResult:
        """
        Recalculate what hangs on facts and rules that the owner edited by hand since the last time, in one commit.

        Writes only consequences, never what was edited; nothing follows from an edit that changed no fact.
        """
        with self._lock:
            self._begin(follow=False)
            return self._follow()

    def remember_note(self, text: str, page: str | None = None) -> Noted:
        """
        File *text* word for word at the end of *page* (default: `Notes.md` of ours), in one commit.

        Raises:
            PageReadOnly, NotText, NotOurs, NotContained, and all that `Vault.replace` raises.
        """
        path = page or f"{self.vault.base}Notes.md"
        path = path if path.endswith(".md") else f"{path}.md"
        with self._lock:
            self._begin()
            old, current = self._page(path)
            lines = _note_lines(text, self._today())
            at = len(current.lines)
            blank = (
                [""] if at and current.lines[-1].strip() and not (current.lines[-1][:2] == lines[0][:2] == "- ") else []
            )
            changed = current.insert_after(at, [*blank, *lines])
            if not changed.ends[-1]:
                changed = Page(changed.lines, (*changed.ends[:-1], "\n"), changed.bom)
            subject = f"Note on {_name(path)}"
            written = self._land([PageWrite(path, old, render(changed))], subject)
            start = at + len(blank) + 1
            return Noted(path, start, start + len(lines) - 1, written.commit, _notice(written))

    def append_lines(self, path: str, lines: Sequence[str], subject: str) -> str | None:
        """
        Put *lines* at the end of the page at *path*, a blank one before them, in one commit *subject*; its id.

        Raises:
            PageReadOnly, NotText, NotOurs, NotContained, and all that `Vault.replace` raises.
        """
        with self._lock:
            self._begin()
            old, current = self._page(path)
            at = len(current.lines)
            blank = [""] if at and current.lines[-1].strip() else []
            changed = current.insert_after(at, [*blank, *lines])
            if not changed.ends[-1]:
                changed = Page(changed.lines, (*changed.ends[:-1], "\n"), changed.bom)
            return self._land([PageWrite(path, old, render(changed))], subject).commit

    def page(self, path: str) -> Page:
        """
        The page at *path* as it is now, to be edited by `edit_page`.

        Raises:
            NotContained, PageMissing, PageUnreadable, NotText.
        """
        return _parsed(path, self.vault.read(path).data)

    def edit_page(self, path: str, change: Callable[[Page], Page], subject: str) -> WriteResult:
        """
        The page at *path* (a new one where there is none) as *change* makes it, in one commit *subject*.

        Lines that the owner changed meanwhile win: then our version is parked.

        Raises:
            PageReadOnly, NotText, NotOurs, NotContained, and all that `Vault.replace` raises.
        """
        with self._lock:
            self._begin()
            old, current = self._page(path)
            changed = change(current)
            if changed == current:
                return WriteResult()
            if changed.ends and not changed.ends[-1]:
                changed = Page(changed.lines, (*changed.ends[:-1], "\n"), changed.bom)
            written = self._land([PageWrite(path, old, render(changed))], subject, may_shrink=True)
            return WriteResult((), written.commit, tuple(written.pages), written.parked, (), written.notice)

    def append_journal(self, exchange: Exchange) -> SourceRef:
        """
        Keep a conversation, on the disk when this returns. The next sync finds it, the next quiet moment commits it.

        Raises:
            VaultMissing, NoSpace, VaultReadOnly, PageUnreadable, PageUnwritable: nothing of it was kept.
        """
        with self._lock:
            self._find_again()
            return append_exchange(self.vault, exchange)

    def open_journal(self) -> SourceRef:
        """The page that today's conversations go to, made if missing. Raises as `append_journal`."""
        with self._lock:
            self._find_again()
            return open_page(self.vault, self._today())

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
            self._begin()
            self._require_commits()
            found = self._history.find(commit)
            if found.final:
                raise NothingToUndo(f"{found.id[:8]} forgot something for good: there is nothing to go back to")
            writes = []
            conflicts = []
            for step in self._history.reverses(found.id):
                write = reversal(self.vault, step)
                if write is None:
                    conflicts.append(step.path)
                else:
                    writes.append(write)
            if conflicts:
                raise UndoConflict(found.id, tuple(conflicts))
            if any(brings_back_a_mark(write) for write in writes):
                raise NothingToUndo(
                    f"what {found.id[:8]} changed was forgotten for good since: only a mark is left of it"
                )
            written = self._land(writes, undo_message(found), may_shrink=True)
            return Undone(found, written.commit, tuple(written.pages), _notice(written))

    def forget(self, what: str, *, confirm: bool = False) -> Forgotten:
        """
        Remove a fact's value, or a page, from everywhere: pages, past, journal, index, parked versions, git objects.

        *what* is an attribute or a path. Without *confirm* nothing happens: the result says what would. What hangs on
        the fact becomes `?`; a tombstone stays.

        Raises:
            PageReadOnly: a page that holds the value cannot be changed; nothing was.
            HistoryBusy, HistoryDamaged: the history cannot be cleaned now; nothing was changed.
        """
        with self._lock:
            self._begin()
            plan = plan_forgetting(self.vault, self.ledger, what, self._today(), self._history)
            if not confirm or not plan.found:
                return plan.preview()
            begun = plan.begun(what)
            pending = self._writer.save(self._forgetting, begun)
            done = self._forget(plan)
        self._also_forget(self, begun)
        pending.unlink()
        return done

    def owner_commit(self) -> str | None:
        """Commit as the owner's what they edited, at a quiet moment; the id, or None. Writes no page."""
        with self._lock:
            self._find_again()
            self.vault.require()
            self._writer.recover()
            self._require_commits()
            return self._history.owner_commit()

    def close(self) -> None:
        """Release all files."""
        with self._lock:
            self._index.close()
            self._history.close()

    # -- one change ---

    def _begin(self, *, follow: bool = True) -> None:
        """Finish what had to wait, see what the owner has saved, and let what hangs on their edits follow."""
        self._find_again()
        self.vault.require()
        self._writer.recover()
        self._facts.refresh()
        if follow:
            try:
                self._follow()
            except StoreError as error:
                logger.warning("what hangs on an edit by hand could not be written: %s", error)
                self._settled = self.ledger

    def _require_commits(self) -> None:
        """Raises HistoryBusy while a change of ours has no commit: it would pass for the owner's, or be passed over."""
        if self._writer.waiting:
            hint = "free the disk, or end the git program that holds it"
            raise HistoryBusy("the last change waits for its commit", hint)

    def _find_again(self) -> None:
        """
        Take up a folder that was put in the vault's place: by a sync program, a backup, another mount of the same disk.

        It is the vault if it holds at least half of the pages; an empty mount point is not.
        """
        if not self.vault.replaced:
            return
        known = {*self._index.listing(), *self.ledger.pages}
        found = known & {file.path for file in self.vault.files()}
        if known and len(found) * 2 >= len(known):
            self.vault.adopt()
            self._history.close()
            logger.warning("another folder with the same pages stands in the vault's place: it is the vault now")

    def _follow(self) -> WriteResult:
        settled, self._settled = self._settled, self.ledger
        edits = diff(settled, self.ledger)
        if not edits:
            return WriteResult()
        found = self._consequences(edits, applied=True)
        if not found.consequences:
            return WriteResult(problems=found.problems)
        try:
            return self._write_all(
                found.consequences, found.problems, "Follow an edit by hand", ended(edits, settled, self.ledger)
            )
        except StoreError:
            self._settled = settled  # so that the next look follows the same edits
            raise

    def _consequences(self, changes: Sequence[Change], *, applied: bool = False) -> Recalculation:
        """What follows from *changes* by the rules; see `recalculate`."""
        return recalculate(self.ledger, changes, self._today(), applied=applied)

    def _write_all(
        self, changes: Sequence[Change], problems: tuple[Problem, ...], why: str, replaced: Sequence[Fact] = ()
    ) -> WriteResult:
        """Write *changes*; on pages that they change, values that the owner *replaced* by hand go into the past too."""
        by_path: dict[str, list[Change]] = {}
        for change in changes:
            by_path.setdefault(change.path, []).append(change)
        writes = []
        for path, on_page in by_path.items():
            old, page = self._page(path)
            try:
                page = apply(page, on_page, today=self._today())
                past = [fact for fact in replaced if fact.path == path]
                writes.append(
                    PageWrite(path, old, render(keep_past(page, past, today=self._today()) if past else page))
                )
            except PageReadOnly as error:
                raise PageReadOnly(error.line, error.reason, path) from error
        before = self.ledger
        takes_away = any(isinstance(change, FactChange) and change.kind in ("forget", "remove") for change in changes)
        written = self._land(writes, commit_message(why, changes), may_shrink=takes_away)
        parked = {proposal.path for proposal in written.parked}
        shown = tuple(
            applied(change, before, self.ledger)
            for change in changes
            if isinstance(change, FactChange) and change.path not in parked
        )
        return WriteResult(shown, written.commit, tuple(written.pages), written.parked, problems, written.notice)

    def _land(
        self, writes: Sequence[PageWrite], message: str, *, may_shrink: bool = False, index_at_once: bool = False
    ) -> Written:
        """Write, commit, and let facts follow, and the index: *index_at_once*, or where that takes no time."""
        written = self._writer.write(writes, message, may_shrink=may_shrink)
        if written.pages:
            self._facts.refresh(written.pages)
            self._settled = self.ledger
            try:
                if index_at_once:
                    self._index.sync(list(written.pages))
                else:
                    self._index.follow(list(written.pages))
            except OSError as error:
                logger.warning("the index could not follow a change, the next sync tries again: %s", error)
        return written

    def _forget(self, plan: Forgetting) -> Forgotten:
        self._history.owner_commit()
        before = self.ledger
        self._land(plan.writes, f"{plan.subject}\n\n{FINAL}", may_shrink=True, index_at_once=True)
        purged = self._clean(plan.redaction)
        return plan.done(tuple(applied(change, before, self.ledger) for change in plan.changes), purged)

    def _resume_forgetting(self) -> None:
        """Finish what a kill, or a history that was busy, kept from being forgotten."""
        for pending in self._forgetting.glob("*.json"):
            begun = msgspec.json.decode(pending.read_bytes(), type=Begun)
            writes = resume(self.vault, begun.redaction)
            self._land(writes, f"Forget what was asked\n\n{FINAL}", may_shrink=True, index_at_once=True)
            self._clean(begun.redaction)
            self._also_forget(self, begun)
            pending.unlink()

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

    # -- facts ---

    def _page(self, path: str) -> tuple[bytes | None, Page]:
        """The bytes and the page at *path*; a new page of facts where there is none."""
        try:
            data = self.vault.read(path).data
        except PageMissing:
            return None, new_page(_name(path))
        return data, _parsed(path, data)

    def _today(self) -> str:
        return self._now().date().isoformat()


def _parsed(path: str, data: bytes) -> Page:
    try:
        return parse(data)
    except NotText as error:
        raise NotText(error.reason, path, error.line) from error


def _name(path: str) -> str:
    return path.rpartition("/")[2].strip().rpartition(".")[0] or path


def _sourced(change: Change, source: str | None) -> Change:
    if source is None or change.source is not None:
        return change
    return replace(change, source=source)


def _note_lines(text: str, today: str) -> list[str]:
    lines = text.replace("\0", "\u2400").replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    if len(lines) == 1:
        return [f"- {lines[0]} ({today})"]
    return [f"**{today}**", *(f"> {line}".rstrip() for line in lines)]


def _notice(written: Written) -> str | None:
    if written.parked:
        return "the page was edited on the same lines meanwhile: our version is parked, see `reverie doctor`"
    return written.notice
