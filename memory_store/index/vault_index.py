"""
The index of a vault: kept in step with its files, searched meanwhile, rebuilt beside itself when it is damaged.

The state folder holds volumes (`volume-N`, the number in `current` is the one in use) and `vectors`. Whatever is found
damaged is replaced by a volume built anew from the pages; until it is swapped in, searches use what is sound.
"""

import ctypes
import datetime as dt
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory_store.errors import PageMissing, PageUnreadable
from memory_store.files import FileStat, Vault, original_of
from memory_store.index.analysis import QueryWord, query_words, stemmer
from memory_store.index.corpus import Corpus
from memory_store.index.embedding import Embedding
from memory_store.index.hits import HitMaker, Hits, joined
from memory_store.index.manifest import Entry, Placed, put_meta
from memory_store.index.unindexed import search_pages
from memory_store.index.vectors import Embedder
from memory_store.index.volume import PageChange, View, Volume, VolumeRetired
from memory_store.index.whoosh_index import IndexDamaged
from memory_store.search import Question, Ranked, names_in, rank, terms_of
from memory_store.sync import (
    Action,
    Add,
    Failure,
    Keep,
    Progress,
    Remove,
    Rename,
    SyncReport,
    Update,
    Withhold,
    digest,
    looks_unmounted,
    plan,
    unreadable,
    withheld,
)
from memory_store.tuning import Tuned, Tuning
from memory_store.when import find_range, split_limits

logger = logging.getLogger(__name__)

Mode = Literal["hybrid", "keyword", "vector"]
_BATCH_BYTES = 8_000_000
_MOST_CORRECTED = 2
_MANY_CHANGED = 100
_QUICK_BYTES = 1_000_000


@dataclass(frozen=True)
class IndexStatus:
    """How far the index is behind the files. *rebuilding*: a new one is made, or is due at the next sync."""

    pages: int
    chunks: int
    vectors: int
    pending_pages: int
    pending_vectors: int
    failed: int
    rebuilding: bool
    notice: str | None = None


@dataclass(frozen=True)
class PageStatus:
    """Whether and why a file is found or not."""

    path: str
    state: Literal["indexed", "pending", "ignored", "unreadable", "missing"]
    reason: str
    indexed_at: str | None = None
    chunks: int = 0
    vectors: int = 0
    hash: str | None = None


class Index:
    """
    Searches from any thread; syncs, embeds and rebuilds one at a time. Make one with `open`.
    """

    def __init__(
        self,
        vault: Vault,
        state: Path,
        embedder: Embedder | None,
        now: Callable[[], dt.datetime],
        volume: Volume | None,
    ) -> None:
        self._vault = vault
        self._state = state
        self._now = now
        self._volume = volume
        self._changing = threading.RLock()
        self._tuning = Tuning()
        self._dreams_seen: tuple[View, NDArray[np.int32]] | None = None
        self._tuned: tuple[View, Tuned] | None = None
        self._damage: str | None = None if volume else "there was none yet"
        self._rebuilding = False
        self._pending_pages = 0
        self._suspicion: str | None = None
        self._embedding: Embedding | None = None
        self.use_embedder(embedder)

    @classmethod
    def open(
        cls,
        vault: Vault,
        state: Path,
        *,
        embedder: Embedder | None = None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> "Index":
        """
        The index of *vault* kept in *state*; reads no page. One that is missing or damaged is rebuilt by the next sync.
        """
        state.mkdir(parents=True, exist_ok=True)
        volume = None
        damage = None
        try:
            name = (state / "current").read_text("utf-8").strip()
            volume = Volume.open(state / name)
        except OSError:
            damage = "there was none yet"
        except IndexDamaged as error:
            damage = error.reason
            logger.warning("index: %s", error)
        made = cls(vault, state, embedder, now, volume)
        made._damage = damage
        return made

    # -- searching ---

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
        """
        Chunks that answer *query*, best first; plain words, or with *syntax* Whoosh's query language.

        `after:`, `before:` and `on:` in either keep hits of those days (`on:2026-05`, `after:"last summer"`); in plain
        words times count, seen from today. *prefix* keeps hits below a folder (or path). While *typing* the last word
        may be the beginning of one, and no vectors are used: quick enough for every key press. Ties go by row. Waits
        for no sync, commit or rebuild.

        Raises:
            QueryInvalid: with *syntax*, the query cannot be parsed.
        """
        volume = self._volume
        if volume is None or limit < 1:
            return search_pages(self._vault, query, limit=limit, prefix=prefix) if limit > 0 else Hits()
        try:
            return self._search(volume, query, limit, mode, syntax, prefix, explain, typing)
        except VolumeRetired:
            if volume is self._volume:
                raise
            return self.search(
                query, limit=limit, mode=mode, syntax=syntax, prefix=prefix, explain=explain, typing=typing
            )
        except IndexDamaged as error:
            self._damaged(error)
            if not syntax:
                return search_pages(self._vault, query, limit=limit, prefix=prefix)
            try:
                found = self._search(volume, query, limit, "keyword", False, prefix, explain, typing)
            except IndexDamaged:
                return search_pages(self._vault, query, limit=limit, prefix=prefix)
            found.notice = "the index is being repaired; the query was read as plain words"
            return found

    def _search(
        self,
        volume: Volume,
        query: str,
        limit: int,
        mode: Mode,
        syntax: bool,
        prefix: str | None,
        explain: bool,
        typing: bool,
    ) -> Hits:
        if typing and not syntax:
            mode = "keyword"
        with volume.used() as view:
            return self._search_view(volume, view, query, limit, mode, syntax, prefix, explain, typing)

    def _search_view(
        self,
        volume: Volume,
        view: View,
        query: str,
        limit: int,
        mode: Mode,
        syntax: bool,
        prefix: str | None,
        explain: bool,
        typing: bool,
    ) -> Hits:
        languages = view.languages
        notices: list[str] = []
        today = self._now().date()
        query, limits = split_limits(query, today)
        allowed = None
        if prefix:
            allowed = np.isin(view.columns.file, volume.manifest.file_ids(prefix.removeprefix("./")))
        elif len(dreams := self._dreams(volume, view)):
            allowed = ~np.isin(view.columns.file, dreams)
        if limits:
            day = view.columns.day
            inside = (day >= limits.first) & (day <= limits.last) & (day > 0)
            allowed = inside if allowed is None else allowed & inside
        asked: Sequence[QueryWord] = ()
        if syntax:
            keep = None if allowed is None else lambda row: row < len(allowed) and bool(allowed[row])
            found, matched = volume.whoosh.search(query, limit=2 * limit + 10, languages=languages, only=keep)
            ranked = [Ranked(row, score, ()) for row, score in found]
            stems: Sequence[str] = [stemmer(name)(word) for word in matched for name in languages]
        else:
            asked = query_words(query, languages)
            postings = view.scorer.postings
            begun = typing and query[-1:].isalnum()
            terms = terms_of(asked, postings, languages, begun=begun) if mode != "vector" else ()
            question = Question(terms, None, names_in(asked, view.columns.speakers), find_range(query, today))
            similarity = None
            if mode != "keyword" and self._embedding is not None:
                similarity, why = self._embedding.similarities(view, query)
                notices += [why] if why else []
            if similarity is None and mode == "vector":
                question = replace(question, terms=terms_of(asked, postings, languages))
            ranked = rank(
                view,
                question,
                limit=3 * limit + 10,
                similarity=similarity,
                allowed=allowed,
                tuned=self._tuned_for(view),
                explain=explain,
            )
            stems = [s for t in question.terms for s, _ in t.stems] or [s for word in asked for s in word.stems]
        maker = HitMaker(self._vault, volume.manifest, stems, [stemmer(name) for name in languages])
        try:
            ties = {} if syntax else self._tuning.ties
            hits = maker.make(ranked, limit=2 * limit if ties else limit, explain=explain)
        finally:
            maker.close()
        if ties:
            hits = joined(hits, ties)[:limit]
        if self._damage:
            notices.append("the index is being rebuilt")
        meant = None if syntax or (typing and hits) else self._meant(volume, view, query, asked)
        return Hits(hits, notice="; ".join(notices) or None, did_you_mean=meant)

    def _dreams(self, volume: Volume, view: View) -> NDArray[np.int32]:
        """Files that tell of dreams: no memories, so that they are found only by who names their folder."""
        if self._dreams_seen is None or self._dreams_seen[0] is not view:
            self._dreams_seen = (view, volume.manifest.file_ids(f"{self._vault.base}dreams/"))
        return self._dreams_seen[1]

    def _meant(self, volume: Volume, view: View, query: str, asked: Sequence[QueryWord]) -> str | None:
        """*query* with words that no page has replaced by near ones that pages have; None if nothing is to correct."""
        better = query
        postings = view.scorer.postings
        unknown = [
            word.word for word in asked if len(word.word) > 3 and not any(postings.has(stem) for stem in word.stems)
        ]
        for word in unknown[:_MOST_CORRECTED]:
            try:
                near = volume.whoosh.correct(word)
            except IndexDamaged as error:
                self._damaged(error)
                return None
            at = better.lower().find(word)
            if near and at >= 0:
                better = better[:at] + near + better[at + len(word) :]
        return better if better != query else None

    # -- what dreams teach ---

    def use_tuning(self, tuning: Tuning) -> None:
        """Rank with *tuning* from now on; it lies with whoever made it, not in the index."""
        self._tuning = tuning
        self._tuned = None

    def _tuned_for(self, view: View) -> Tuned | None:
        if not self._tuning:
            return None
        known = self._tuned
        if known is None or known[0] is not view:
            known = self._tuned = (view, Tuned.of(self._tuning, view.columns.embed, view.columns.alive))
        return known[1]

    def corpus(self) -> Corpus:
        """
        All passages with what ranks them, as they stand now.

        Raises:
            IndexDamaged: there is no sound index now.
        """
        while True:
            volume = self._volume
            if volume is None:
                raise IndexDamaged("there is none yet")
            try:
                with volume.used() as view:
                    return Corpus.read(self._vault, volume.manifest, view, self._embedding, self._now().date())
            except VolumeRetired:
                continue

    # -- keeping in step ---

    def sync(self, paths: Iterable[str] | None = None) -> SyncReport:
        """
        Take in what changed: everything, or, with *paths*, those files alone. A damaged index is rebuilt first.

        A vault that suddenly looks empty is refused once: a second sync that finds its folder on the same disk as
        before, and empty still, believes it. On another disk (the mount is gone) it is refused as long as that lasts.
        """
        with self._changing:
            if self._damage:
                return self.rebuild()
            volume = self._volume
            assert volume is not None
            try:
                return self._sync(volume, None if paths is None else list(paths))
            except IndexDamaged as error:
                self._damaged(error)
                return self.rebuild()

    def follow(self, paths: Sequence[str]) -> bool:
        """
        Take in *paths*, which were just written, where that is quick; whether it was done.

        Not done while another sync goes on, of which a write cannot await the end, nor for large pages: until the next
        sync such a page is found by the passages that did not change.
        """
        size = sum(file.stat().st_size for path in paths if (file := self._vault.root / path).is_file())
        if size > _QUICK_BYTES or not self._changing.acquire(blocking=False):
            return False
        try:
            self.sync(paths)
        finally:
            self._changing.release()
        return True

    def rebuild(self) -> SyncReport:
        """Build the index anew from the pages, beside the one in use, and swap it in. Vectors are used again."""
        with self._changing:
            self._rebuilding = True
            try:
                numbers = [int(p.name.split("-")[1]) for p in self._state.glob("volume-*") if p.name[7:].isdigit()]
                fresh = Volume.create(self._state / f"volume-{max(numbers, default=0) + 1}")
                if self._volume is None:
                    self._point_to(fresh)
                    self._volume = fresh
                report = self._sync(fresh, None)
                self._swap(fresh)
                return replace(report, rebuilt=True)
            finally:
                self._rebuilding = False

    def _point_to(self, volume: Volume) -> None:
        pointer = self._state / "current.part"
        with pointer.open("w", encoding="utf-8") as file:
            file.write(volume.folder.name)
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self._state / "current")

    def _swap(self, fresh: Volume) -> None:
        self._point_to(fresh)
        old, self._volume, self._damage = self._volume, fresh, None
        if old is not None and old is not fresh:
            old.close(remove=True)
        for path in self._state.glob("volume-*"):
            if path != fresh.folder and not (old and path == old.folder):
                shutil.rmtree(path, ignore_errors=True)

    def _damaged(self, error: IndexDamaged) -> None:
        if self._damage is None:
            logger.warning("index: %s", error)
            self._damage = error.reason

    def _sync(self, volume: Volume, paths: list[str] | None) -> SyncReport:
        if paths is None:
            scan = self._vault.scan()
            known = volume.manifest.entries()
            errors = [(error.path, error.reason) for error in scan.errors]
            actions = plan(scan.files, known, hides=scan.hides, errors=errors)
            unchanged = len(scan.files) - sum(not isinstance(a, Remove | Keep) for a in actions)
            refused = self._unmounted(volume, actions, len(known), len(scan.files))
            if refused:
                actions = [action for action in actions if not isinstance(action, Remove)]
        else:
            files, errors = self._look(paths)
            known = {path: entry for path in paths if (entry := volume.manifest.entry(path))}
            hidden = {path for path, _ in errors}
            actions = plan(files, known, hides=lambda path: path in hidden, errors=errors)
            unchanged, refused = len(files) - sum(not isinstance(a, Remove | Keep) for a in actions), None
        self._pending_pages = len(actions)
        progress = Progress(unchanged=unchanged)
        try:
            self._apply(volume, actions, progress)
        finally:
            self._pending_pages = 0
        if len(progress.changed) >= _MANY_CHANGED:
            _give_back_memory()
        return progress.report(refused=refused)

    def _look(self, paths: Iterable[str]) -> tuple[list[FileStat], list[tuple[str, str]]]:
        files: list[FileStat] = []
        errors: list[tuple[str, str]] = []
        for path in dict.fromkeys(paths):
            file = self._vault.root / path
            if file.is_symlink():  # as in a scan: no link is followed
                continue
            try:
                real = self._vault.locate(path)
                if real != file:
                    continue
                info = real.lstat()
                files.append(FileStat(path, info.st_size, info.st_mtime_ns, info.st_ino, self._vault.classify(path)))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                errors.append((path, (error.strerror or str(error)).lower()))
        return files, errors

    def _unmounted(self, volume: Volume, actions: Sequence[Action], known: int, there: int) -> str | None:
        device = str(self._vault.root.stat().st_dev)
        before = volume.manifest.meta("device")
        if not looks_unmounted(actions, known):
            self._suspicion = None
            if before != device and there:
                with volume.manifest.transaction() as db:
                    put_meta(db, "device", device)
            return None
        gone = sum(isinstance(action, Remove) for action in actions)
        if before is not None and before != device:
            return f"{gone} of {known} pages are missing and the vault's folder is on another disk: is it mounted?"
        if self._suspicion == f"{device}:{there}":
            self._suspicion = None
            return None
        self._suspicion = f"{device}:{there}"
        return f"{gone} of {known} pages are missing at once; they are dropped if the next scan finds the same"

    def _apply(self, volume: Volume, actions: Sequence[Action], progress: Progress) -> None:
        pages: list[PageChange] = []
        removed = []
        size = 0
        for action in actions:
            match action:
                case Remove(entry):
                    removed.append(entry)
                    progress.removed += entry.hash is not None
                    progress.changed.add(entry.path)
                case Withhold(stat, entry):
                    placed = volume.manifest.chunks_of(entry.id) if entry else []
                    pages.append(withheld(stat, placed))
                    progress.changed.add(stat.path)
                case Keep(path, reason):
                    entry = volume.manifest.entry(path)
                    if entry and entry.problem != reason:
                        progress.failed.append(Failure(path, reason))
                case Add(stat) | Update(stat, _) | Rename(stat, _):
                    if isinstance(action, Rename):
                        removed.append(action.entry)
                        progress.changed.add(action.entry.path)
                    change = self._take_in(volume, action, progress)
                    if change is not None:
                        pages.append(change)
                        size += stat.size if change.new else 0
            if size > _BATCH_BYTES or len(pages) >= 5000:
                volume.commit(pages, removed)
                pages, removed, size = [], [], 0
        if pages or removed:
            volume.commit(pages, removed)

    def _take_in(self, volume: Volume, action: Add | Update | Rename, progress: Progress) -> PageChange | None:
        stat = action.stat
        entry = action.entry if isinstance(action, Update) else None
        placed = volume.manifest.chunks_of(entry.id) if entry else []
        try:
            snapshot = self._vault.read(stat.path)
        except PageMissing:
            return None
        except PageUnreadable as error:
            if entry is None or entry.problem != error.reason:
                progress.failed.append(Failure(stat.path, error.reason))
            return unreadable(stat.path, entry, placed, stat.role, error.reason)
        found = digest(
            stat, entry, placed, snapshot, now_ns=time.time_ns(), indexed_at=self._now().isoformat(timespec="seconds")
        )
        if found.failure:
            progress.failed.append(found.failure)
        if found.same:
            progress.unchanged += 1
        else:
            progress.changed.add(stat.path)
            if isinstance(action, Add):
                progress.added += 1
            elif isinstance(action, Rename):
                progress.renamed += 1
            else:
                progress.updated += 1
            if self._embedding is not None:
                self._embedding.remember(found.change)
        self._pending_pages -= 1
        return found.change

    # -- vectors ---

    def use_embedder(self, embedder: Embedder | None) -> None:
        """Embed with *embedder* from now on; vectors of another model are left aside, and dropped when it is done."""
        with self._changing:
            self._embedding = Embedding(self._vault, self._state / "vectors", embedder) if embedder else None

    def embed_pending(self, max_texts: int = 64) -> int:
        """
        Embed up to *max_texts* texts that have no vector yet; how many were, 0 when there is nothing to do.

        Raises:
            EmbedderUnavailable: the model does not answer now.
        """
        embedding, volume = self._embedding, self._volume
        if embedding is None or volume is None:
            return 0
        try:
            with volume.used() as view:
                return embedding.embed(volume, view, max_texts)
        except VolumeRetired:
            return 0

    # -- telling ---

    def status(self) -> IndexStatus:
        """Where the index stands; cheap, reads no page."""
        volume, embedding = self._volume, self._embedding
        due = self._rebuilding or self._damage is not None
        if volume is None:
            return IndexStatus(0, 0, 0, self._pending_pages, 0, 0, due, self._damage)
        try:
            with volume.used() as view:
                pages, chunks, failed = volume.manifest.counts()
                ready = embedding.ready(view) if embedding is not None else 0
        except VolumeRetired:
            return self.status() if volume is not self._volume else IndexStatus(0, 0, 0, 0, 0, 0, False, "closed")
        except IndexDamaged as error:
            self._damaged(error)
            return IndexStatus(0, 0, 0, self._pending_pages, 0, 0, True, error.reason)
        missing = chunks - ready if embedding is not None else 0
        return IndexStatus(pages, chunks, ready, self._pending_pages, max(missing, 0), failed, due, self._damage)

    def listing(self) -> dict[str, tuple[str, tuple[str, ...], int]]:
        """Title, tags and number of chunks of every indexed file, by path; empty while there is no sound index."""
        volume = self._volume
        try:
            return volume.manifest.listing() if volume else {}
        except IndexDamaged as error:
            self._damaged(error)
            return {}

    def page_status(self, path: str) -> PageStatus:
        """Why the file at *path* is found or not."""
        parts = path.split("/")
        if ".." not in parts and any(part.startswith(".") for part in parts):
            return PageStatus(path, "ignored", "hidden files and folders hold no pages")
        real = self._vault.locate(path)
        role = self._vault.classify(path)
        entry, chunks = self._known(path)
        try:
            info = real.lstat()
        except FileNotFoundError:
            known = "; it was indexed, and goes at the next sync" if entry else ""
            return PageStatus(path, "missing", f"there is no such file{known}")
        except OSError as error:
            return PageStatus(path, "unreadable", (error.strerror or str(error)).lower())
        if role == "conflict":
            original = original_of(path)
            return PageStatus(path, "ignored", f"a conflicted copy of {original}: kept out of recall, see `doctor`")
        if role == "ignored":
            return PageStatus(path, "ignored", "only visible markdown files are pages, no editor's helpers")
        if (self._vault.root / path).is_symlink():
            return PageStatus(path, "ignored", "a link: links are not followed")
        if entry is None:
            return PageStatus(path, "pending", "not indexed yet: the next sync takes it in")
        vectors = 0
        if self._embedding is not None and chunks:
            vectors = self._embedding.ready_of(np.array([c.embed for c in chunks], np.int64))
        if entry.problem and (entry.hash is None or entry.size < 0):
            return PageStatus(path, "unreadable", entry.problem, entry.indexed_at, len(chunks), vectors, entry.hash)
        current = (entry.size, entry.mtime_ns, entry.inode) == (info.st_size, info.st_mtime_ns, info.st_ino)
        reason = f"indexed as plain text: {entry.problem}" if entry.problem else "indexed"
        if not current:
            reason = "changed since it was indexed: the next sync takes it in"
        state: Literal["indexed", "pending"] = "indexed" if current else "pending"
        return PageStatus(path, state, reason, entry.indexed_at, len(chunks), vectors, entry.hash)

    def _known(self, path: str) -> tuple[Entry | None, list[Placed]]:
        volume = self._volume
        if volume is None:
            return None, []
        try:
            with volume.used():
                entry = volume.manifest.entry(path)
                return entry, volume.manifest.chunks_of(entry.id) if entry else []
        except VolumeRetired:
            return self._known(path) if volume is not self._volume else (None, [])
        except IndexDamaged as error:
            self._damaged(error)
            return None, []

    def compact(self) -> None:
        """Leave no trace of what is gone: in Whoosh's files, the postings, the manifest and the vectors."""
        with self._changing:
            volume = self._volume
            if volume is None or self._damage:
                return
            volume.compact()
            if self._embedding is not None:
                self._embedding.keep_only(volume.view)

    def close(self) -> None:
        """Release the files."""
        with self._changing:
            if self._volume is not None:
                self._volume.close()


def _give_back_memory() -> None:
    """Hand freed memory to the system: glibc keeps what a large sync needed, a third of what the process then holds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
