"""
One generation of the index in a folder: manifest, Whoosh index and posting arrays, changed together.

Searches use a `View`, which never changes; a commit ends by putting the next one in its place. A rebuild makes another
volume beside this one.
"""

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_store.chunk import Chunk
from memory_store.index import manifest
from memory_store.index.analysis import LANGUAGES, joined_words, language_of, stemmer, words
from memory_store.index.bm25 import (
    Postings,
    Segment,
    SegmentDamaged,
    build_segment,
    merge_due,
    merge_segments,
)
from memory_store.index.courtesy import Courtesy
from memory_store.index.manifest import Columns, Entry, Manifest, Placed
from memory_store.index.scoring import Scorer
from memory_store.index.shelf import Shelf
from memory_store.index.vectors import text_key
from memory_store.index.whoosh_index import IndexDamaged, WhooshIndex
from memory_store.index.whoosh_writer import Document

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PageChange:
    """
    What one file becomes. *fields* are its row in the manifest; *kept* are chunks already indexed, perhaps moved, by
    place; *new* are chunks to index, by place; *dropped* are rows that go.
    """

    fields: dict[str, object]
    kept: dict[int, Placed] = field(default_factory=dict)
    new: dict[int, Chunk] = field(default_factory=dict)
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True)
class View:
    """What searches see: the same until the next commit, whatever happens meanwhile."""

    scorer: Scorer
    columns: Columns

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the chunks, commonest first; those of less than one in a thousand are left out."""
        counts = np.bincount(self.columns.language[self.scorer.postings.alive], minlength=len(LANGUAGES))
        total = max(int(counts.sum()), 1)
        found = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i] * 1000 >= total and counts[i]]
        return tuple(LANGUAGES[i] for i in found) or LANGUAGES[:1]

    @cached_property
    def has_turns(self) -> bool:
        """Whether any chunk is a turn of a conversation."""
        return bool((self.columns.kind == manifest.KINDS.index("turn")).any())


class VolumeRetired(Exception):
    """This volume is closed: ask for the one that took its place."""


class Volume:
    """
    The index in *folder*. `commit` and `compact` are called by one thread at a time; `view` by any. Who wants to get
    ready for a view before it is searched is called by *prepare*.

    Raises (everywhere):
        IndexDamaged: files are missing or not what was written.
    """

    def __init__(self, folder: Path, listed: Manifest, whoosh: WhooshIndex, courtesy: Courtesy) -> None:
        self.folder = folder
        self._courtesy = courtesy
        self.manifest = listed
        self.whoosh = whoosh
        self.shelf = Shelf()
        self.prepare: Callable[[Volume, View], object] | None = None
        self._segments: list[tuple[str, Segment]] = []
        self._next_row = 0
        self.compacting = False
        self._writing = threading.Lock()
        self._counting = threading.Lock()
        self._users = 0
        self._retired = False
        self._remove = False
        self.view = View(Scorer.of(Postings.of([], np.zeros(0, np.float32), np.zeros(0, np.bool_))), Columns())

    @classmethod
    def create(cls, folder: Path, courtesy: Courtesy) -> "Volume":
        """An empty one; *folder* must not exist."""
        (folder / "postings").mkdir(parents=True)
        listed = Manifest.create(folder / "manifest.db")
        return cls(folder, listed, WhooshIndex.create(folder / "whoosh", courtesy.step), courtesy)

    @classmethod
    def open(cls, folder: Path, courtesy: Courtesy) -> "Volume":
        """The volume in *folder*, repaired where a kill in the middle of a commit left its parts apart."""
        listed = Manifest.open(folder / "manifest.db")
        try:
            made = cls(folder, listed, WhooshIndex.open(folder / "whoosh", courtesy.step), courtesy)
        except IndexDamaged:
            listed.close()
            raise
        try:
            made._load()
        except (IndexDamaged, SegmentDamaged) as error:
            made.close()
            raise IndexDamaged(str(error)) from error
        return made

    def _load(self) -> None:
        columns = self.manifest.columns()
        self._next_row = max(int(self.manifest.meta("next_row") or 0), len(columns.file))
        columns = columns.grown(self._next_row)
        names = self.manifest.segments()
        self._segments = [(name, Segment.load(self.folder / "postings" / name)) for name in names]
        for path in (self.folder / "postings").iterdir():
            if path.name not in names:
                path.unlink()
        if self.whoosh.generation != int(self.manifest.meta("generation") or 0):
            columns = self._reconcile(columns)
        elif self.whoosh.count() != int(np.count_nonzero(columns.alive)):
            raise IndexDamaged("the Whoosh index and the manifest count different chunks")
        self._show(columns)
        for _, segment in self._segments:
            segment.rest()

    def _reconcile(self, columns: Columns) -> Columns:
        """Make the parts agree after a crash between their commits; what is missing is indexed at the next sync."""
        there = self.whoosh.rows()
        known = np.flatnonzero(columns.alive)
        orphans = np.setdiff1d(there, known)
        lost = np.setdiff1d(known, there)
        self._next_row = max(self._next_row, int(there.max(initial=-1)) + 1)
        logger.warning("index: a commit was cut off: %d chunks to drop, %d to read again", len(orphans), len(lost))
        if len(orphans):
            self.whoosh.write((), [int(row) for row in orphans])
        with self.manifest.transaction() as db:
            for file in {int(columns.file[row]) for row in lost}:
                db.execute("UPDATE files SET size = -1, hash = '' WHERE id = ?", (file,))
            manifest.drop_rows(db, lost)
            manifest.put_meta(db, "generation", str(self.whoosh.generation))
            manifest.put_meta(db, "next_row", str(self._next_row))
        return self.manifest.columns().grown(self._next_row)

    def _show(self, columns: Columns) -> None:
        segments = [segment for _, segment in self._segments]
        postings = Postings.of(segments, columns.length, columns.alive)
        self._courtesy.step()
        view = View(Scorer.of(postings, self.view.scorer), columns)
        self._courtesy.step()
        if self.prepare is not None:
            self.prepare(self, view)
        self._courtesy.step()
        self.view = view

    def step(self) -> None:
        """Let a search pass (see `Courtesy`)."""
        self._courtesy.step()

    def commit(self, pages: Sequence[PageChange], removed: Sequence[Entry]) -> None:
        """
        Take *pages* in and drop *removed* files: whole, in one step for searches.

        A file's number stays through changes and renames; its path is what *fields* say.
        """
        with self._writing, self._courtesy.working():
            gone = [int(row) for entry in removed for row in self._rows_of(entry.id)]
            gone += [row for page in pages for row in page.dropped]
            first = self._next_row
            rows = iter(range(first, first + sum(len(page.new) for page in pages)))
            numbered = [{place: next(rows) for place in page.new} for page in pages]
            self._next_row = first + sum(map(len, numbered))
            languages = np.zeros(self._next_row, np.uint8)
            sizes = np.zeros(self._next_row, np.int32)
            generation = int(self.manifest.meta("generation") or 0)
            segment, lengths = None, np.zeros(self._next_row, np.float32)
            self._courtesy.step()
            if gone or self._next_row > first:
                written = self.whoosh.write(_documents(pages, numbered, languages, sizes), gone)
                generation = written.generation
                self._courtesy.step()
                segment, present, found = build_segment(written.postings, languages, lambda n: stemmer(LANGUAGES[n]))
                lengths[present] = found
            self._courtesy.step()
            columns = self.view.columns.grown(self._next_row, self._courtesy.step)
            self._courtesy.step()
            if segment is not None and len(segment.rows):
                name = f"{generation:08d}.seg"
                segment.save(self.folder / "postings" / name)
                self._segments.append((name, Segment.load(self.folder / "postings" / name)))
            with self.manifest.transaction() as db:
                for entry in removed:
                    manifest.drop_file(db, entry.id)
                manifest.drop_rows(db, gone)
                columns.drop(gone)
                self._courtesy.step()
                for page, numbers in zip(pages, numbered, strict=True):
                    self._courtesy.step()
                    file = manifest.put_file(db, page.fields)
                    placed = _place(file, page, numbers, languages, lengths, sizes)
                    self._courtesy.step()
                    manifest.put_chunks(db, placed)
                    self._courtesy.step()
                    columns.put(placed)
                manifest.put_segments(db, [name for name, _ in self._segments])
                manifest.put_meta(db, "generation", str(generation))
                manifest.put_meta(db, "next_row", str(self._next_row))
            self._show(columns)
            self._merge(merge_due([segment for _, segment in self._segments]))

    def gather_postings(self) -> None:
        """Merge the posting segments into one, so that each word of a question is looked up once."""
        with self._writing, self._courtesy.working():
            if len(self._segments) > 1:
                self._merge(len(self._segments))
            for _, segment in self._segments:
                segment.rest()

    def compact(self, *, whole: bool) -> None:
        """Leave words of chunks that are gone in no file; *whole*: merge everything."""
        with self._writing, self._courtesy.working():
            self.compacting = True
            try:
                self.whoosh.compact(whole=whole)
                with self.manifest.transaction() as db:
                    manifest.put_meta(db, "generation", str(self.whoosh.generation))
                self._merge(len(self._segments))
                self.manifest.vacuum()
                self.shelf.clear()
            finally:
                self.compacting = False

    def empty_rows(self) -> tuple[int, int]:
        """How many rows hold no chunk any more, and how many there are."""
        alive = self.view.columns.alive
        return len(alive) - int(np.count_nonzero(alive)), len(alive)

    @contextmanager
    def used(self) -> Iterator[View]:
        """
        The view, with the promise that the files stay open while it is looked at.

        Raises:
            VolumeRetired: another volume has taken this one's place.
        """
        with self._counting:
            if self._retired:
                raise VolumeRetired
            self._users += 1
        try:
            yield self.view
        finally:
            self._leave()

    def _leave(self) -> None:
        with self._counting:
            self._users -= 1
            last = self._retired and not self._users
        if last:
            self._release()

    def close(self, *, remove: bool = False) -> None:
        """Let nobody begin to use it; release the files, or remove them, once those who do are done."""
        with self._counting:
            if self._retired:
                return
            self._retired = True
            self._remove = remove
            last = not self._users
        if last:
            self._release()

    def _release(self) -> None:
        self.whoosh.close()
        self.manifest.close()
        if self._remove:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _rows_of(self, file: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.view.columns.file == file)

    def _merge(self, count: int) -> None:
        if not count:
            return
        old = self._segments[-count:]
        merged = merge_segments([segment for _, segment in old], self.view.columns.alive)
        self._courtesy.step()
        name = old[-1][0].removesuffix(".seg").split("-")[0] + f"-{self.whoosh.generation:08d}.seg"
        if name in {known for known, _ in old}:
            name = f"{name.removesuffix('.seg')}-again.seg"
        merged.save(self.folder / "postings" / name)
        self._courtesy.step()
        kept = self._segments[:-count]
        self._segments = [*kept, (name, Segment.load(self.folder / "postings" / name))]
        with self.manifest.transaction() as db:
            manifest.put_segments(db, [known for known, _ in self._segments])
        self._show(self.view.columns)
        for known, _ in old:
            (self.folder / "postings" / known).unlink(missing_ok=True)


def _documents(
    pages: Sequence[PageChange],
    numbered: Sequence[dict[int, int]],
    languages: NDArray[np.uint8],
    sizes: NDArray[np.int32],
) -> Iterator[Document]:
    """What Whoosh takes in; on the way *languages* and *sizes* are filled in by row."""
    for page, numbers in zip(pages, numbered, strict=True):
        path = str(page.fields["path"])
        tags = page.fields["tags"]
        title = words(str(page.fields["title"]))
        tagged = [word for tag in tags for word in words(tag)] if isinstance(tags, tuple) else []
        opening = islice((word for chunk in page.new.values() for word in words(chunk.text)[:50]), 400)
        spoken = language_of(list(opening))
        for place, chunk in page.new.items():
            body = words(chunk.text)
            sizes[numbers[place]] = len(body)
            language = language_of(body, spoken) if len(body) >= 20 else spoken
            body += joined_words(chunk.text)
            languages[numbers[place]] = LANGUAGES.index(language)
            nearest = chunk.headings[-1:]  # says more of a chunk than those above, and counts twice
            texts = {
                "title": title,
                "headings": _heading_words(" ".join((*chunk.headings, *nearest))) if nearest else (),
                "body": body,
                "tags": tagged,
                "speaker": words(chunk.speaker) if chunk.speaker else (),
            }
            facets = {"path": path, "kind": chunk.kind}
            if chunk.when:
                facets["date"] = chunk.when[:10]
            yield Document(numbers[place], texts, facets)


def _heading_words(text: str) -> list[str]:
    return words(text) + joined_words(text)


def _place(
    file: int,
    page: PageChange,
    numbers: dict[int, int],
    languages: NDArray[np.uint8],
    lengths: NDArray[np.float32],
    sizes: NDArray[np.int32],
) -> list[Placed]:
    placed = {place: chunk._replace(file=file, place=place) for place, chunk in page.kept.items()}
    for place, chunk in page.new.items():
        row = numbers[place]
        placed[place] = Placed(
            row,
            file,
            place,
            chunk.kind,
            chunk.start_line,
            chunk.end_line,
            chunk.start_byte,
            chunk.end_byte,
            chunk.headings,
            chunk.speaker,
            chunk.when,
            int(languages[row]),
            chunk.key,
            text_key(chunk.embed_text),
            float(lengths[row]),
            int(sizes[row]),
            int(chunk.text.rstrip().endswith(("?", "？", "؟"))),
        )
    return [placed[place] for place in sorted(placed)]
