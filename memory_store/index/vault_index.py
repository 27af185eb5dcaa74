"""
The index of a vault: kept in step with its files, searched meanwhile, rebuilt beside itself when it is damaged.

The state folder holds volumes (`volume-N`, the number in `current` is the one in use) and `vectors`. Whatever is found
damaged is replaced by a volume built anew from the pages; until it is swapped in, searches use what is sound.
"""

import datetime as dt
import logging
import os
import re
import shutil
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from memory_store.files import Vault, naming_failure
from memory_store.index.corpus import Corpus
from memory_store.index.courtesy import Courtesy
from memory_store.index.embedding import Embedding
from memory_store.index.hits import Hits
from memory_store.index.manifest import Entry, Placed, put_meta
from memory_store.index.searching import Mode, Searching, Wanted
from memory_store.index.standing import IndexStatus, PageStatus, page_status
from memory_store.index.unindexed import search_pages
from memory_store.index.upkeep import Upkeep, is_much
from memory_store.index.vectors import Embedder
from memory_store.index.volume import PageChange, View, Volume, VolumeRetired
from memory_store.index.whoosh_index import IndexDamaged, QueryInvalid
from memory_store.sync import SyncReport
from memory_store.tuning import Tuning
from memory_store.when import split_limits

logger = logging.getLogger(__name__)

LONGEST_QUERY = 100_000  # characters, of which a search takes half a second
_VOLUME = re.compile(r"volume-[0-9]+")
_QUICK_BYTES = 1_000_000
_MANY_SEGMENTS = 8
_MOST_EMPTY = 0.5


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
        courtesy: Courtesy,
    ) -> None:
        self._courtesy = courtesy
        self._vault = vault
        self._state = state
        self._now = now
        self._volume = volume
        self._changing = threading.RLock()
        self._searching = Searching(vault, now, self._damaged)
        self._upkeep = Upkeep(vault, now, self._remember)
        self._damage: str | None = None if volume else "there was none yet"
        self._rebuilding = False
        self._embedding: Embedding | None = None
        self.use_embedder(embedder)
        if volume is not None:
            volume.prepare = self._prepare

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
        The index of *vault* kept in *state*; reads no page. One that is missing, damaged or of another vault is rebuilt
        by the next sync.
        """
        state.mkdir(parents=True, exist_ok=True)
        courtesy = Courtesy()
        volume = None
        damage = None
        try:
            name = (state / "current").read_text("utf-8", "replace").strip()
            if not _VOLUME.fullmatch(name):
                raise IndexDamaged("what names the one in use cannot be read")
            volume = Volume.open(state / name, courtesy)
        except OSError:
            damage = "there was none yet"
        except IndexDamaged as error:
            damage = error.reason
            logger.warning("index: %s", error)
        if volume is not None and volume.manifest.meta("vault") != str(vault.root):
            volume.close()
            volume, damage = None, "there was none yet of this vault"
        made = cls(vault, state, embedder, now, volume, courtesy)
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
        for no sync, commit or rebuild. Of a very long query what comes first counts.

        Raises:
            QueryInvalid: with *syntax*, the query cannot be parsed, or is too long.
        """
        volume = self._volume
        if len(query) > LONGEST_QUERY:
            if syntax:
                raise QueryInvalid(query, f"it has {len(query):,} characters, and may have {LONGEST_QUERY:,}")
            query = query[:LONGEST_QUERY]
        if volume is None or limit < 1:
            return search_pages(self._vault, query, limit=limit, prefix=prefix) if limit > 0 else Hits()
        wanted = Wanted(query, limit, mode, syntax, prefix, explain, typing)
        while True:
            try:
                return self._search(volume, wanted)
            except VolumeRetired:
                if volume is self._volume or self._volume is None:
                    raise
                volume = self._volume
            except IndexDamaged as error:
                self._damaged(error)
                return self._search_damaged(volume, wanted)

    def _search_damaged(self, volume: Volume, wanted: Wanted) -> Hits:
        """What can be found by those parts of *volume* that are sound, or without it."""
        if wanted.syntax:
            try:
                found = self._search(volume, replace(wanted, mode="keyword", syntax=False))
                found.notice = "the index is being repaired; the query was read as plain words"
                return found
            except IndexDamaged:
                pass
        return search_pages(self._vault, wanted.query, limit=wanted.limit, prefix=wanted.prefix)

    def _search(self, volume: Volume, wanted: Wanted) -> Hits:
        with self._courtesy.searching(), volume.used() as view:
            hits = self._searching.search(volume, view, wanted, self._embedding)
        if self._damage:
            hits.notice = "; ".join(filter(None, (hits.notice, "the index is being rebuilt")))
        return hits

    def to_embed(self, query: str) -> str | None:
        """Of what a search for *query* wants the vector; None where, as far as is known, too few passages have one."""
        embedding, volume = self._embedding, self._volume
        if embedding is None or volume is None or not embedding.was_ready(volume.view):
            return None
        return split_limits(query, self._now().date())[0]

    # -- what dreams teach ---

    def use_tuning(self, tuning: Tuning) -> None:
        """Rank with *tuning* from now on; it lies with whoever made it, not in the index."""
        self._searching.use_tuning(tuning)

    def says(self, keys: Collection[int]) -> set[int]:
        """Those of *keys* (see `Hit.key`) that name a passage of some page."""
        volume = self._volume
        if volume is None:
            return set(keys)
        columns = volume.view.columns
        return set(keys) & set(columns.embed[columns.alive].tolist())

    def corpus(self) -> Corpus:
        """
        All passages with what ranks them, as they stand now. Waits for a sync that goes on, and builds what is missing.

        Raises:
            IndexDamaged: there is no sound index now.
        """
        while True:
            with self._changing:
                if self._damage:
                    self.rebuild()
                volume = self._volume
                assert volume is not None
            try:
                with volume.used() as view:
                    today, shifts = self._now().date(), self._searching.tuning.shifts
                    return Corpus.read(self._vault, volume.manifest, view, self._embedding, today, shifts)
            except VolumeRetired:
                continue

    # -- keeping in step ---

    def sync(self, paths: Iterable[str] | None = None) -> SyncReport:
        """
        Take in what changed: everything, or, with *paths*, those files alone. A damaged index is rebuilt first.

        A vault that suddenly looks empty is refused once: a second sync that finds its folder on the same disk as
        before, and empty still, believes it. On another disk (the mount is gone) it is refused as long as that lasts.

        Raises:
            NoSpace and its kin: the index cannot be written now; what it held is found still.
        """
        with self._changing, self._courtesy.working(), naming_failure(str(self._state)):
            if self._damage:
                return self.rebuild()
            volume = self._volume
            assert volume is not None
            try:
                return self._upkeep.sync(volume, None if paths is None else list(paths))
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
        """
        Build the index anew from the pages, beside the one in use, and swap it in. Vectors are used again.

        Raises:
            NoSpace and its kin: the index cannot be written now; of the new one nothing is left.
        """
        with self._changing, self._courtesy.working(), naming_failure(str(self._state)):
            numbers = [int(p.name.split("-")[1]) for p in self._state.glob("volume-*") if p.name[7:].isdecimal()]
            folder = self._state / f"volume-{max(numbers, default=0) + 1}"
            self._rebuilding = True
            try:
                fresh = Volume.create(folder, self._courtesy)
                with fresh.manifest.transaction() as db:
                    put_meta(db, "vault", str(self._vault.root))
                fresh.prepare = self._prepare
                if self._volume is None:
                    self._point_to(fresh)
                    self._volume = fresh
                report = self._upkeep.sync(fresh, None)
                self._swap(fresh)
                return replace(report, rebuilt=True)
            except BaseException:
                if self._volume is None or self._volume.folder != folder:  # it would fill a full disk more at each try
                    shutil.rmtree(folder, ignore_errors=True)
                raise
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

    def _prepare(self, volume: Volume, view: View) -> None:
        self._searching.prepare(volume, view)
        volume.step()
        if self._embedding is not None:
            self._embedding.prepare(view)

    # -- vectors ---

    def _remember(self, change: PageChange) -> None:
        """Embedding need not read again what was just read."""
        if self._embedding is not None:
            self._embedding.remember(change)

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
            return IndexStatus(0, 0, 0, self._upkeep.pending_pages, 0, 0, due, self._damage)
        try:
            with volume.used() as view:
                pages, chunks, failed = volume.manifest.counts()
                ready = embedding.ready(view) if embedding is not None else 0
        except VolumeRetired:
            return self.status() if volume is not self._volume else IndexStatus(0, 0, 0, 0, 0, 0, False, "closed")
        except IndexDamaged as error:
            self._damaged(error)
            return IndexStatus(0, 0, 0, self._upkeep.pending_pages, 0, 0, True, error.reason)
        missing = chunks - ready if embedding is not None else 0
        return IndexStatus(pages, chunks, ready, self._upkeep.pending_pages, max(missing, 0), failed, due, self._damage)

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
        embedding = self._embedding

        def ready(chunks: Sequence[Placed]) -> int:
            return embedding.ready_of(np.array([c.embed for c in chunks], np.int64)) if embedding and chunks else 0

        return page_status(self._vault, path, self._known, ready)

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

    def tidy(self) -> str | None:
        """
        Make good what changes leave behind, where that has become much; what was done, in a few words.

        Where most rows are empty the index is built anew beside itself, else its files are merged. No search waits;
        saves are taken in after it.
        """
        volume = self._volume
        if volume is None or self._damage:
            return None
        try:
            with self._changing:
                return ", ".join(self._tidy(volume, self._embedding)) or None
        except IndexDamaged as error:
            self._damaged(error)
            return "the index is damaged; the next look at the files rebuilds it"

    def _tidy(self, volume: Volume, embedding: Embedding | None) -> Iterator[str]:
        if is_much(*volume.empty_rows(), share=_MOST_EMPTY):
            yield f"{volume.empty_rows()[0]} empty rows dropped"
            self.rebuild()
        elif is_much(*volume.whoosh.removed()) or volume.whoosh.segments() > _MANY_SEGMENTS:
            yield f"{volume.whoosh.segments()} segments merged"
            volume.compact(whole=True)
        if embedding is not None and (now := self._volume) is not None:
            unused = embedding.unused(now.view)
            if is_much(unused, unused + embedding.ready(now.view)):
                yield f"{unused} vectors dropped"
                embedding.keep_only(now.view)

    @property
    def takes_in(self) -> bool:
        """Whether what is saved now is taken in soon: not while files are merged, which in a large vault lasts."""
        volume = self._volume
        return volume is None or not volume.compacting

    def compact(self) -> None:
        """
        Leave no trace of what is gone: in Whoosh's files, the postings, the manifest and the vectors.

        Raises:
            NoSpace and its kin: traces may be left.
        """
        with self._changing, naming_failure(str(self._state)):
            volume = self._volume
            if volume is None or self._damage:
                return
            volume.compact(whole=False)
            if self._embedding is not None:
                self._embedding.keep_only(volume.view)

    def close(self) -> None:
        """Release the files."""
        with self._changing:
            if self._volume is not None:
                self._volume.close()
