"""
The vectors of a vault's chunks: which are there, which are missing, how near they are to a question.

Embedding goes on beside everything else, a batch at a time; a search takes the vectors that are there when it begins.
"""

import shutil
import threading
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_store.chunk import chunk_page
from memory_store.errors import NotText, PageMissing, PageUnreadable
from memory_store.files import Vault
from memory_store.index.nearness import Nearness, Places, Scanned
from memory_store.index.vectors import Embedder, EmbedderUnavailable, Vectors, text_key
from memory_store.index.volume import PageChange, View, Volume
from memory_store.page import parse

_FEW = 0.8
_MOST_HELD = 4000


@dataclass(frozen=True)
class _Places:
    """Where the *vectors* of a view's chunks lie, and which are *filled*: of those *rows* that have one."""

    view: View
    vectors: Vectors
    count: int
    places: Places
    rows: NDArray[np.int64]
    filled: NDArray[np.int32]

    @property
    def slots(self) -> NDArray[np.int32]:
        """By row; -1 for none."""
        return self.places.slots


class Embedding:
    """An embedding model at work on a vault. Any thread may ask; `embed` is called by one at a time."""

    def __init__(self, vault: Vault, folder: Path, embedder: Embedder) -> None:
        self._vault = vault
        self._folder = folder
        self._embedder = embedder
        self._vectors = Vectors(folder, embedder.digest, embedder.dim)
        self._texts: dict[int, str] = {}
        self._known: _Places | None = None
        self._changing = threading.Lock()

    def _places(self, view: View) -> "_Places":
        known, vectors = self._known, self._vectors
        count = len(vectors)
        known = known if known and known.vectors is vectors else None
        if known and known.view is view and known.count == count:
            return known
        keys = view.columns.embed
        slots = np.full(len(keys), -1, np.int32)
        if known and np.array_equal(known.view.columns.embed, keys[: len(known.slots)]):
            slots[: len(known.slots)] = known.slots
        unknown = np.flatnonzero((slots < 0) & view.scorer.postings.alive)
        slots[unknown] = vectors.slots(keys[unknown])
        slots[~view.scorer.postings.alive] = -1
        rows = np.flatnonzero(slots >= 0)
        self._known = known = _Places(view, vectors, count, Places.of(slots), rows, slots[rows])
        return known

    def prepare(self, view: View) -> None:
        """Find the vectors of *view*'s chunks before it is searched."""
        self._places(view)

    def slots(self, view: View) -> NDArray[np.int32]:
        """By row, where its vector lies among all; -1 where there is none, or no chunk."""
        return self._places(view).slots

    @property
    def embedder(self) -> Embedder:
        """The model that is at work."""
        return self._embedder

    def rows(self, view: View) -> NDArray[np.float32] | None:
        """The vectors of all chunks by row, zeros where there is none; None while too few are there."""
        places = self._places(view)
        if len(places.rows) < view.scorer.postings.count * _FEW:
            return None
        out = np.zeros((len(places.slots), places.vectors.dim), np.float32)
        out[places.rows] = places.vectors.rows(places.filled)
        return out

    def ready(self, view: View) -> int:
        """How many chunks have their vector."""
        return len(self._places(view).rows)

    def was_ready(self, view: View) -> bool:
        """Whether, when this was looked at last, enough chunks had their vector to search by; cheap."""
        return self._known is not None and len(self._known.rows) >= view.scorer.postings.count * _FEW

    def ready_of(self, keys: NDArray[np.int64]) -> int:
        """How many of *keys* have their vector."""
        return int(np.count_nonzero(self._vectors.slots(keys) >= 0))

    def nearness(self, view: View, query: str) -> tuple[Nearness | None, str | None]:
        """How near the chunks of *view* are to *query*; or None and why."""
        places = self._places(view)
        ready, alive = len(places.rows), view.scorer.postings.count
        if ready < alive * _FEW:
            return None, f"found by keyword: {ready} of {alive} passages are embedded so far"
        try:
            asked = np.asarray(self._embedder([query]), np.float32)[0]
        except EmbedderUnavailable as error:
            return None, f"found by keyword: {error.reason}"
        return Scanned(places.vectors, places.places, asked), None

    def embed(self, volume: Volume, view: View, most: int) -> int:
        """
        Embed up to *most* texts that have no vector yet; how many were. With none left, other models' vectors go.

        Raises:
            EmbedderUnavailable.
        """
        missing = np.unique(view.columns.embed[view.scorer.postings.alive & (self.slots(view) < 0)])
        if not len(missing):
            for path in Vectors.others(self._folder, self._embedder.digest):
                shutil.rmtree(path, ignore_errors=True)
            self._texts.clear()
            return 0
        texts = self._texts_of(volume, missing, most)
        if texts:
            made = np.asarray(self._embedder(list(texts.values())), np.float32)
            with self._changing:
                self._vectors.add(list(texts), made)
            self._places(view)  # so that no search has to
        for key in texts:
            self._texts.pop(key, None)
        return len(texts)

    def remember(self, change: PageChange) -> None:
        """Hold the texts of what was just read, so that embedding need not read it again."""
        for chunk in islice(change.new.values(), max(_MOST_HELD - len(self._texts), 0)):
            self._texts[text_key(chunk.embed_text)] = chunk.embed_text

    def keep_only(self, view: View) -> None:
        """Drop vectors and texts of chunks that are gone."""
        self._texts.clear()
        with self._changing:
            self._vectors = self._vectors.keep_only(view.columns.embed[view.columns.alive])
        self._known = None

    def unused(self, view: View) -> int:
        """How many vectors are of texts that no chunk of *view* says any more."""
        return len(self._vectors) - len(np.unique(self._places(view).filled))

    def _texts_of(self, volume: Volume, missing: NDArray[np.int64], most: int) -> dict[int, str]:
        wanted = {int(key) for key in missing}
        texts = {key: text for key, text in self._texts.items() if key in wanted}
        if not texts:
            for path in volume.manifest.files_missing(missing[:500]):
                try:
                    page = parse(self._vault.read(path).data)
                except (NotText, PageMissing, PageUnreadable):
                    continue
                for chunk in chunk_page(path, page, self._vault.classify(path)):
                    key = text_key(chunk.embed_text)
                    if key in wanted and len(texts) < _MOST_HELD:
                        texts[key] = chunk.embed_text
                if len(texts) >= most:
                    break
            self._texts = dict(texts)
        return dict(list(texts.items())[:most])
