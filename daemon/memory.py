"""The open vault in the daemon: opened beside the serving, kept in step with the files, its news told as events."""

import asyncio
import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daemon import logs, shown, wire
from daemon.config import Config
from daemon.config import Memory as Settings
from daemon.context import Passage
from daemon.embedding import Embedders, patience_s
from daemon.erasing import Erasing
from daemon.errors import Starting, VaultUnusable, kind_of, message_of, note
from daemon.events import Events
from daemon.following import Following
from daemon.meaning import Meaning
from daemon.metrics import Metrics
from daemon.night.blocks import Blocks
from daemon.night.meta_page import MetaRule, meta_path, read_rules
from daemon.outcomes import Outcomes
from daemon.questions import is_question
from daemon.spoken import Utterance, utterances_in
from daemon.turns import Turns
from daemon.vaults import VAULTS_FILE, KnownVaults, LeftBehind
from memory_store.errors import NotText, PageMissing, StoreError, VaultMissing
from memory_store.facts import Change
from memory_store.forget import Begun
from memory_store.index.hits import Hits
from memory_store.journal import Exchange
from memory_store.ledger import Ledger
from memory_store.page import Page, parse
from memory_store.store import Store

if TYPE_CHECKING:
    from daemon.night.night import Night

log = logging.getLogger(__name__)

SEARCHES_AT_ONCE = max(1, (os.cpu_count() or 2) // 2)  # the embedding worker computes beside them


class Memory:
    """
    Everything the daemon does with the store. Plain methods are for threads, never for the loop's own.

    A vault that cannot be used is a problem that is shown, not a reason to end: models serve without memory.
    """

    def __init__(
        self,
        vault: Path,
        state_dir: Path,
        *,
        owned: bool,
        settings: Callable[[], Config],
        events: Events,
        metrics: Metrics,
        embedders: Embedders,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        kind: type[Store] = Store,
    ) -> None:
        self._kind = kind
        self._vault = vault
        self._state_dir = state_dir
        self._owned = owned
        self._settings = settings
        self._events = events
        self._metrics = metrics
        self._now = now
        self._opened: Store | None = None
        self._failure: VaultUnusable | None = None
        self._following = Following(self._sync, self._after_sync, events)
        self._outcomes = Outcomes(events, metrics, self._following.tell)
        self.erasing = Erasing(self._store, self._outcomes, self._hushed)
        self._synced_once = threading.Event()
        self._turns = Turns(SEARCHES_AT_ONCE)
        self._doubt: str | None = None
        self.meaning = Meaning(embedders, settings, events, lambda delay_s: self.soon("embed", delay_s))
        self._vaults = KnownVaults(state_dir / VAULTS_FILE)
        self._left: list[LeftBehind] = []
        self.night: Night | None = None
        self.also_forget: list[Callable[[Sequence[str]], None]] = []
        self.soon: Callable[[str, float], None] = lambda _job, _delay_s: None

    # -- open and close ---

    async def open(self, stack: AsyncExitStack) -> None:
        """Open the store and begin to follow the files; the first look at them goes on in the background."""
        loop = asyncio.get_running_loop()
        self._following.bind(loop)
        self.meaning.bind(loop)
        try:
            self._opened = await asyncio.to_thread(self._open_store)
        except (StoreError, OSError) as error:
            self._failure = VaultUnusable(self._vault, message_of(error))
            log.error("%s", self._failure)
            self._events.publish("memory_failed", str(self._failure), "error")
            return
        stack.push_async_callback(asyncio.to_thread, self._opened.close)
        self._vaults.enter(self._vault, owned=self._owned, today=self._now().date())
        await asyncio.to_thread(self._look_back)
        for left in self._left:
            log.warning("%s", left)
        if self.night is not None:
            await asyncio.to_thread(self.night.open)
            stack.push_async_callback(asyncio.to_thread, self.night.close)
        self.erasing.open(stack)
        await self._following.start(self._vault, self._settings().vault, stack)

    def _open_store(self) -> Store:
        if self._owned or self._vault.exists():
            self._vault.mkdir(parents=True, exist_ok=True)
        else:  # a folder of the owner's that is missing was mistyped, or is not mounted
            raise FileNotFoundError(errno.ENOENT, "it does not exist", str(self._vault))
        return self._kind.open(
            self._vault,
            self._state_dir,
            embedder=self.meaning.known(),
            owned=self._owned,
            now=self._now,
            also_forget=self._forget_derived,
        )

    @property
    def is_open(self) -> bool:
        """Whether memory can be asked."""
        return self._opened is not None

    def store(self) -> Store:
        """
        The open store.

        Raises:
            Starting, VaultUnusable.
        """
        return self._store()

    def must_be_open(self) -> None:
        """Raises Starting or VaultUnusable where memory cannot be asked."""
        self._store()

    def _store(self) -> Store:
        if self._opened is None:
            raise self._failure or Starting("memory")
        return self._opened

    # -- follow the files ---

    def _after_sync(self, synced: wire.Synced) -> None:
        done: dict[str, Any] = {"added": synced.added, "updated": synced.updated, "removed": synced.removed}
        if any(done.values()) or not self._synced_once.is_set():
            self._synced_once.set()
            words = ", ".join(f"{count} {what}" for what, count in done.items() if count) or "nothing new"
            self._events.publish("index_synced", f"{words} ({synced.took_s:.2f} s)", **done)
            self.soon("embed", 0.0)
            self.soon("commit", self._settings().vault.commit_quiet_s)
        for failure in synced.failed:
            self._events.publish("page_failed", failure, "warning")

    def _sync(self, paths: Sequence[str] | None, *, rebuild: bool = False) -> wire.Synced:
        """The index follows the files, then what hangs on facts that the owner edited follows these."""
        began = time.monotonic()
        store = self._store()
        report = store.rebuild() if rebuild else store.sync(paths)
        self._vaults.count(store.index_status().pages)
        if report.changed or not store.has_followed:  # the index may have seen an edit with our own write
            self._follow_edits(store)
        if paths is None:
            if report.refused and report.refused != self._doubt:
                self._events.publish("vault_doubted", report.refused, "warning")
            self._doubt = report.refused
            self._look_back()
        return wire.Synced(
            added=report.added,
            updated=report.updated + report.renamed,
            removed=report.removed,
            unchanged=report.unchanged,
            failed=[f"{failure.path}: {failure.reason}" for failure in report.failed],
            took_s=time.monotonic() - began,
        )

    def _look_back(self) -> None:
        """See what facts stand in vaults used before, and not in this one."""
        self._left = self._vaults.left_behind(self._store().ledger)

    def _follow_edits(self, store: Store) -> None:
        """What cannot be written now (a read-only page, a full disk) is told, and tried again at the next change."""
        try:
            result = store.follow_edits()
        except StoreError as error:
            note(log, error, "following an edit")
            words = f"what hangs on an edit could not be written ({kind_of(error)}); `reverie doctor` shows the page"
            self._events.publish("edit_not_followed", words, "warning", failure=kind_of(error))
        else:
            self._outcomes.written(result)

    # -- jobs ---

    async def rescan(self) -> str | None:
        """Ask for a look at everything, as the watcher may have missed something."""
        if self.is_open:
            self._following.note(None)
        return None

    async def embed_backlog(self, busy: Callable[[], bool]) -> str | None:
        """Embed what has no vector yet, pausing as soon as somebody chats."""
        return await self.meaning.embed_backlog(self._store(), busy) if self.is_open else None

    async def models_changed(self) -> None:
        """A model came or went: follow, if it is the one for embedding."""
        if self._opened is not None:
            await self.meaning.follow_model(self._opened)

    async def compact(self) -> str | None:
        """Merge, pack and drop what changes leave behind in index and history; None where that is not worth it yet."""
        return await asyncio.to_thread(self._store().tidy) if self.is_open else None

    async def commit_owner(self) -> str | None:
        """Commit what the owner changed by hand, as theirs."""
        if not self.is_open:
            return None
        commit = await asyncio.to_thread(self._store().owner_commit)
        if commit:
            self._events.publish("owner_committed", f"your own edits were committed ({commit[:8]})", commit=commit)
        return f"committed {commit[:8]}" if commit else None

    # -- what is wrong, and how far ---

    def problems(self) -> list[str]:
        """What is wrong with memory as a whole."""
        found = [str(self._failure)] if self._failure else []
        if self._opened is not None:
            if not self._opened.vault.there:
                found.append(str(VaultMissing(str(self._vault))))
            elif not os.access(self._vault, os.W_OK):
                found.append(f"the vault {self._vault} is read-only: nothing new can be remembered")
        if self._doubt:
            found.append(self._doubt)
        return [*found, *self._following.problems()]

    def left_behind(self) -> list[str]:
        """What facts stand in a vault used before, in the first days after the change to this one."""
        return [str(left) for left in self._left] if self._vaults.is_new(self._now().date()) else []

    def findings(self) -> list[wire.Finding]:
        """What `doctor` tells of memory."""
        if self._opened is None:
            return []
        self._look_back()
        hint = f"copy its pages into {self._vault / self.base / 'facts'}, or set vault.path back"
        left = [wire.Finding(severity="note", subject="vault", message=str(each), hint=hint) for each in self._left]
        return [*(shown.like(found, wire.Finding) for found in self._opened.doctor()), *left]

    def index_status(self) -> wire.IndexStatus:
        """How far the index is; zeros while there is none."""
        lag_s, watching = self._following.lag_s, self._following.is_watching
        if self._opened is None:
            return wire.IndexStatus(
                pages=0, chunks=0, vectors=0, pending_pages=0, pending_vectors=0, lag_s=lag_s, watching=watching
            )
        status = self._opened.index_status()
        return wire.IndexStatus(
            pages=status.pages,
            chunks=status.chunks,
            vectors=status.vectors,
            pending_pages=max(status.pending_pages, self._following.waiting),
            pending_vectors=status.pending_vectors,
            lag_s=lag_s,
            watching=watching,
            rebuilding=status.rebuilding,
            failed=status.failed,
        )

    # -- search ---

    async def caught_up(self, within_s: float) -> None:
        """Wait, *within_s* at most, until the index has what was written just before, if that is to be soon."""
        if self._opened is None or self._opened.takes_in:
            await self._following.caught_up(within_s)

    async def search(self, asked: wire.SearchRequest) -> wire.SearchReply:
        """
        Chunks that answer, best first.

        Raises:
            QueryInvalid: with syntax, the query cannot be parsed.
        """
        began = time.monotonic()
        self._metrics.searches.add()
        if asked.mode != "keyword" and not (asked.syntax or asked.typing):
            await self.meaning.ahead(self._store().to_embed(asked.query))
        hits = await asyncio.to_thread(self._search, asked)
        return wire.SearchReply(
            hits=[shown.hit(hit) for hit in hits],
            took_ms=(time.monotonic() - began) * 1000,
            notice=hits.notice,
            did_you_mean=hits.did_you_mean,
        )

    def _search(self, asked: wire.SearchRequest, *, noticed: bool = True) -> Hits:
        patience_s.set(self._settings().memory.search_wait_ms / 1000)
        with self._turns.taken():
            hits = self._store().search(
                asked.query,
                limit=asked.limit,
                mode=asked.mode,
                syntax=asked.syntax,
                prefix=asked.prefix,
                explain=asked.explain,
                typing=asked.typing,
            )
        if noticed and self.night is not None and not (asked.prefix or asked.syntax):
            if asked.typing:
                self.night.reading.typed(asked.query, hits)
            else:
                self.night.reading.searched(asked.query, hits)
        return hits

    def passages(self, question: str, limit: int, *, noticed: bool = True) -> list[Passage]:
        """
        Passages for a question, best first.

        Of conversations only what the owner told: their earlier questions, and what a model once answered, are no
        evidence of anything. *noticed*: it was asked for, not tried at night.
        """
        hits = self._search(wire.SearchRequest(query=question, limit=limit), noticed=noticed)
        return [
            Passage(
                hit.path,
                hit.start_line,
                hit.end_line,
                hit.text,
                hit.title,
                hit.heading,
                hit.score,
                when=hit.when,
                speaker=hit.speaker,
            )
            for hit in hits
            if hit.speaker is None or (hit.speaker.lower() != "assistant" and not is_question(hit.text))
        ]

    def utterances(self, words: str, limit: int) -> list[Utterance]:
        """What the owner said in conversations that may bear on *words*, their questions and requests included."""
        asked = wire.SearchRequest(query=words, limit=limit, prefix=f"{self.base}journal/")
        return utterances_in(self._search(asked, noticed=False), self.page_or_none)

    # -- read ---

    def ledger(self) -> Ledger:
        """All facts as they stand now."""
        return self._store().ledger

    def ledger_if_saved(self, paths: Iterable[str]) -> Ledger | None:
        """All facts, read again, where a page among *paths* was saved a moment ago and is not taken in yet."""
        return self._store().ledger_if_saved(paths)

    @property
    def base(self) -> str:
        """The folder of the vault below which we write: empty in a vault of our own."""
        return self._store().vault.base

    def rules(self) -> tuple[MetaRule, ...]:
        """The rules of META.md on how to use memory."""
        try:
            return read_rules(self._page(meta_path(self._store().vault.base)))
        except (PageMissing, NotText):
            return ()

    def blocks(self, settings: Settings) -> Blocks:
        """How the block for any question is built from memory as it is now."""
        store = self._store()
        return Blocks(
            ledger=store.ledger,
            find=self.passages,
            read=self._page,
            rules=self.rules(),
            budget_tokens=settings.budget_tokens,
            passages=settings.passages,
            base=store.vault.base,
        )

    def _page(self, path: str) -> Page:
        return parse(self._store().vault.read(path).data)

    def page_or_none(self, path: str) -> Page | None:
        """The page at *path* as it is now; None where there is none that can be read."""
        try:
            return self._page(path)
        except StoreError:
            return None

    def pages(self, prefix: str) -> list[wire.PageInfo]:
        """All pages whose path starts with *prefix*, by path."""
        return [shown.page_info(page) for page in self._store().pages(prefix)]

    def page(self, path: str, *, line: int | None = None, preview: bool = False) -> wire.PageView:
        """
        One page as it is now; somebody reads it, at *line* if that is known, unless it is only a *preview*.

        Raises:
            NotContained, PageMissing, PageUnreadable, NotText.
        """
        page = self._store().read(path)
        if not preview and self.night is not None:
            self.night.uses.opened(path, line)
        return wire.PageView(path=page.path, title=page.title, text=page.text, hash=page.hash)

    def page_status(self, path: str) -> wire.PageStatus:
        """Whether and why a page is found."""
        return shown.like(self._store().page_status(path), wire.PageStatus)

    def history(self, limit: int) -> list[wire.Commit]:
        """Changes, newest first."""
        return [shown.like(commit, wire.Commit) for commit in self._store().history(limit)]

    def taken_back(self) -> frozenset[str]:
        """The sentences that told what was undone since."""
        return self._store().taken_back()

    # -- write ---

    def journal(self, exchange: Exchange) -> str:
        """Append a conversation, on disk when this returns; the link under which its page is found."""
        ref = self._store().append_journal(exchange)
        self._following.tell(frozenset((ref.path,)))
        return ref.link

    def open_journal(self) -> str:
        """Make sure that conversations can be kept; the link under which today's are found."""
        return self._store().open_journal().link

    def write(self, changes: Sequence[Change], why: str, source: str | None) -> wire.Remembered:
        """Change facts, and what hangs on them, in one commit."""
        return self._outcomes.written(self._store().write(changes, why, source))

    def proposals(self) -> list[wire.ParkedChange]:
        """Changes of ours that met an edit of the owner's on the same lines, oldest first."""
        return [shown.parked(proposal) for proposal in self._store().proposals()]

    def apply_proposal(self, proposal: str) -> wire.Remembered:
        """
        Make a parked change after all.

        Raises:
            ProposalUnknown, UndoConflict, and what writing a page raises.
        """
        return self._outcomes.written(self._store().apply_proposal(proposal))

    def drop_proposal(self, proposal: str) -> wire.ParkedChange:
        """Let go of a parked change. Raises ProposalUnknown."""
        return shown.parked(self._store().drop_proposal(proposal))

    def remember_note(self, text: str, page: str | None) -> wire.Remembered:
        """File words as they are, at the end of a page."""
        return self._outcomes.noted(self._store().remember_note(text, page), text)

    def _hushed(self) -> AbstractContextManager[None]:
        """No run of the night within."""
        return self.night.hushed() if self.night is not None else nullcontext()

    def _forget_derived(self, store: Store, begun: Begun) -> None:
        """Take what *store* forgot out of all else; at a start after a kill too."""
        if self.night is not None:
            self.night.scrub([begun.what, *begun.values], store.says)
        self.meaning.forget()
        logs.scrub(begun.redaction.scrub)
        for forget in self.also_forget:
            forget(begun.values)

    async def undo(self, commit: str | None) -> wire.Commit:
        """
        Take back a change of the daemon.

        Raises:
            CommitUnknown, NothingToUndo, UndoConflict.
        """
        undone = await asyncio.to_thread(self._store().undo, commit)
        return self._outcomes.undone(undone, self._now())

    async def reindex(self, paths: list[str] | None) -> wire.Synced:
        """Read *paths* anew, or rebuild everything beside the running index; then embed what is new."""
        if paths is None:
            synced = await asyncio.to_thread(self._sync, None, rebuild=True)
        else:
            synced = await asyncio.to_thread(self._sync, paths)
        self._after_sync(synced)
        return synced
