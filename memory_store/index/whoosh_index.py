"""
The Whoosh index: the record of which words stand where, Whoosh's query language, corrections of spelling.

A document is a chunk, known by its row. Words are stored as written (folded), so that phrases, wildcards and fuzzy
terms mean what they say; a plain word of a query also finds its other forms. Texts are not stored: they are in the
files. Documents are written by a segment writer of our own, in Whoosh's own format.
"""

import contextlib
import difflib
import errno
import pickle
import re
import shutil
import struct
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from whoosh import fields, index, qparser, query
from whoosh.codec.base import OutOfOrderError
from whoosh.index import IndexError as WhooshError
from whoosh.index import LockError
from whoosh.query import QueryError
from whoosh.reading import SegmentReader
from whoosh.scoring import BM25F

from memory_store.errors import StoreError
from memory_store.index.analysis import stemmer
from memory_store.index.bm25 import B, FieldPostings
from memory_store.index.whoosh_writer import (
    TEXT_FIELDS,
    ChunkWriter,
    Document,
    SteppingStorage,
    merge_all,
    merge_smallest,
    merge_touched,
    schema,
)
from memory_store.index.words import LEMMAS

_T = TypeVar("_T")
_LONGEST_CORRECTED = 30
_SHOWN = 80
_MOST_WORDS, _MOST_FUZZY, _DEEPEST = 32, 4, 32  # Whoosh takes seconds for more, and as deep as Python's own stack
_ROWS_A_STEP = 200


class QueryInvalid(StoreError):
    """The query is not in Whoosh's query language."""

    def __init__(self, query_text: str, reason: str) -> None:
        self.query = query_text
        self.reason = reason
        shown = query_text if len(query_text) <= _SHOWN else f"{query_text[: _SHOWN - 1]}…"
        super().__init__(f"cannot read the query {shown!r}: {reason}; leave out --query to search for plain words")


class IndexDamaged(StoreError):
    """Files of the index are missing or not what was written; it has to be rebuilt."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the index is damaged ({reason}); it is being rebuilt from the pages")


@dataclass(frozen=True)
class Written:
    """A finished commit: the index's new generation and what was added, by word."""

    generation: int
    postings: list[FieldPostings]


class WhooshIndex:
    """One Whoosh index in a folder. One thread writes at a time; any number search."""

    def __init__(self, folder: Path, ix: index.Index, step: Callable[[], None]) -> None:
        self._folder = folder
        self._ix = ix
        self._step = step
        self._searching = threading.Lock()
        self._schema = schema()
        self._rows: dict[str, NDArray[np.int64]] = {}

    @classmethod
    def create(cls, folder: Path, step: Callable[[], None]) -> "WhooshIndex":
        """An empty index; what stood in *folder* is gone. Each work on a file begins with *step*."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return cls(folder, SteppingStorage(str(folder), step).create_index(schema()), step)

    @classmethod
    def open(cls, folder: Path, step: Callable[[], None]) -> "WhooshIndex":
        """
        The index in *folder*. A lock that a dead process left does not matter: it goes with its process.

        Raises:
            IndexDamaged: missing, truncated or unreadable.
        """

        def opened() -> "WhooshIndex":
            made = cls(folder, SteppingStorage(str(folder), step).open_index(), step)
            made.count()
            return made

        return _guarded(opened)

    @property
    def generation(self) -> int:
        """Rises with every commit."""
        return int(_guarded(self._ix.latest_generation))

    def count(self) -> int:
        """How many chunks it holds."""
        return int(_guarded(lambda: self._with_searcher(lambda s: s.doc_count())))

    def rows(self) -> NDArray[np.int64]:
        """The rows of all chunks it holds, in no order."""

        def read() -> list[int]:
            with self._ix.reader() as reader:
                column = reader.column_reader("row")
                return [column[number] for number in reader.all_doc_ids()]

        return np.array(_guarded(read), np.int64)

    def write(self, add: Iterable[Document], remove: Sequence[int]) -> Written:
        """
        One commit: whole, or (killed, disk full) not at all. Small segments are merged when they become many.

        Raises:
            IndexDamaged: what it builds on cannot be read.
        """

        def commit() -> Written:
            writer = ChunkWriter(self._ix, timeout=10.0)
            try:
                self._remove(writer, remove)
                for document in add:
                    writer.add_chunk(document)
                postings = writer.word_postings()
            except BaseException:
                writer.cancel()
                raise
            writer.commit(mergetype=merge_smallest)
            return Written(writer.generation, postings)

        return _guarded(commit)

    def _remove(self, writer: ChunkWriter, rows: Sequence[int]) -> None:
        """Mark *rows* deleted; without a search for each, for which Whoosh would read all segments every time."""
        gone = np.array(rows, np.int64)
        first = 0
        if not len(gone):
            return
        known, self._rows = self._rows, {}
        for segment in writer.segments:
            name = segment.segment_id()
            there = self._rows[name] = known[name] if name in known else self._rows_of(segment)
            for number in np.flatnonzero(np.isin(there, gone)):
                writer.delete_document(first + int(number))
            first += segment.doc_count_all()

    def _rows_of(self, segment: Any) -> NDArray[np.int64]:
        """The rows of the documents of *segment*, those deleted included."""
        reader = SegmentReader(self._ix.storage, self._schema, segment)
        try:
            column = reader.column_reader("row")
            count = segment.doc_count_all()
            rows = np.empty(count, np.int64)
            for start in range(0, count, _ROWS_A_STEP):
                self._step()
                part = range(start, min(start + _ROWS_A_STEP, count))
                rows[start : part.stop] = [column[number] for number in part]
            return rows
        finally:
            reader.close()

    def removed(self) -> tuple[int, int]:
        """How many chunks were removed and still stand in the files, and how many stand there."""

        def count() -> tuple[int, int]:
            with self._ix.reader() as reader:
                return reader.doc_count_all() - reader.doc_count(), reader.doc_count_all()

        return _guarded(count)

    def segments(self) -> int:
        """Of how many segments the files consist."""
        return len(self._ix._segments())

    def compact(self, *, whole: bool) -> None:
        """
        Write segments of which chunks were removed anew, as one, so that their words are in no file any more; *whole*:
        all segments.
        """

        def merge() -> None:
            ChunkWriter(self._ix, timeout=10.0).commit(mergetype=merge_all if whole else merge_touched)

        _guarded(merge)

    def word_postings(self) -> list[FieldPostings]:
        """All postings of the text fields, read back from the files: what the scorer's arrays are derived from."""

        def read() -> list[FieldPostings]:
            found: dict[str, tuple[list[str], list[int], list[int], list[int]]] = {}
            with self._ix.reader() as reader:
                column = reader.column_reader("row")
                row_of = np.array([column[n] for n in range(reader.doc_count_all())], np.uint32)
                dead = {n for n in range(reader.doc_count_all()) if reader.is_deleted(n)}
                for name, text in reader.all_terms():
                    if name not in TEXT_FIELDS:
                        continue
                    names, sizes, docs, counts = found.setdefault(name, ([], [], [], []))
                    matcher = reader.postings(name, text)
                    before = len(docs)
                    while matcher.is_active():
                        if matcher.id() not in dead:
                            docs.append(matcher.id())
                            counts.append(len(matcher.value()) // 2)
                        matcher.next()
                    if len(docs) > before:
                        names.append(text.decode())
                        sizes.append(len(docs) - before)
            return [
                FieldPostings(name, tuple(names), np.array(sizes), row_of[docs], np.array(counts, np.float32))
                for name, (names, sizes, docs, counts) in found.items()
            ]

        return _guarded(read)

    def search(
        self, text: str, *, limit: int, languages: Sequence[str] = ("en",), only: Callable[[int], bool] | None = None
    ) -> tuple[list[tuple[int, float]], tuple[str, ...]]:
        """
        Rows that match *text* in Whoosh's query language with their BM25F scores, best first; and the words matched.

        Raises:
            QueryInvalid: it cannot be parsed.
            IndexDamaged.
        """
        parsed = self._parse(text)

        def run(searcher: Any) -> tuple[list[tuple[int, float]], tuple[str, ...]]:
            if not searcher.doc_count_all():  # an index without segments has no columns
                return [], ()
            expanded = _with_other_forms(parsed, searcher.reader(), languages)
            results = searcher.search(expanded, limit=None if only else limit)
            column = searcher.reader().column_reader("row")
            found = [(int(column[number]), float(score)) for number, score in results.items()]
            matched = {term.decode() for name, term in _terms(expanded, searcher.reader()) if name in TEXT_FIELDS}
            return [hit for hit in found if only is None or only(hit[0])][:limit], tuple(sorted(matched))

        return _guarded(lambda: self._with_searcher(run))

    def correct(self, word: str) -> str | None:
        """A word of the vault that *word* may have been meant as; None if it stands there, or nothing is near."""

        def nearest(searcher: Any) -> str | None:
            reader = searcher.reader()
            if any((name, word) in reader for name in TEXT_FIELDS):
                return None
            distance = 1 if len(word) < 6 else 2
            for name in ("body", "headings", "title", "tags"):
                if found := searcher.corrector(name).suggest(word, limit=1, maxdist=distance, prefix=1):
                    return str(found[0])
            return None

        if not word.isalpha() or not 4 <= len(word) <= _LONGEST_CORRECTED:
            return None
        return _guarded(lambda: self._with_searcher(nearest))

    def close(self) -> None:
        """Release the files."""
        with self._searching:
            self._ix.close()

    def _with_searcher(self, use: Callable[[Any], _T]) -> _T:
        """
        Call *use* with a searcher of the newest generation. Whoosh's files are seeked, so one thread at a time.

        It is closed again at once: an open one holds a copy of each segment in memory, and opening takes milliseconds.
        """
        with self._searching, contextlib.closing(self._ix.searcher(weighting=BM25F(B=B))) as searcher:
            return use(searcher)

    def _parse(self, text: str) -> Any:
        _check_syntax(text, self._schema)
        parser = qparser.MultifieldParser(["title", "headings", "body", "tags"], self._schema)
        parser.add_plugin(qparser.FuzzyTermPlugin())
        try:
            parsed = parser.parse(text)
        except (QueryError, ValueError, TypeError, AttributeError) as error:
            raise QueryInvalid(text, str(error) or type(error).__name__) from error
        for leaf in parsed.leaves():
            if getattr(leaf, "error", None):
                raise QueryInvalid(text, str(leaf.error))
        return parsed


# A full or read-only disk, and too many open files, say nothing of what lies in them.
_NO_DAMAGE = (errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_NOT_READABLE = (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError)


def _guarded(action: Callable[[], _T]) -> _T:
    """What *action* gives; whatever Whoosh raises over files that are not what it wrote becomes `IndexDamaged`."""
    try:
        return action()
    except LockError as error:
        raise StoreError("another process is writing this index; stop it, or wait") from error
    except (WhooshError, OutOfOrderError, pickle.UnpicklingError, struct.error, zlib.error, *_NOT_READABLE) as error:
        if isinstance(error, OSError) and error.errno in _NO_DAMAGE:
            raise
        raise IndexDamaged(f"{type(error).__name__}: {error}") from error


def _check_syntax(text: str, known: fields.Schema) -> None:
    """Refuse what Whoosh would silently read as something else."""
    plain = re.sub(r'"[^"]*"', '""', re.sub(r"\\.", "", text))
    if plain.count('"') % 2:
        raise QueryInvalid(text, "a quotation mark is not closed")
    depth = 0
    for at, sign in enumerate(plain):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            raise QueryInvalid(text, f"a closing bracket at {at + 1} has no opening one")
        if depth > _DEEPEST:
            raise QueryInvalid(text, f"its brackets are more than {_DEEPEST} deep")
    if depth:
        raise QueryInvalid(text, "a bracket is not closed")
    if (count := len(re.findall(r"[^\s()]+", plain))) > _MOST_WORDS:
        raise QueryInvalid(text, f"it has {count} words, and may have {_MOST_WORDS}")
    if (count := plain.count("~")) > _MOST_FUZZY:
        raise QueryInvalid(text, f"it has {count} words with ~, and may have {_MOST_FUZZY}")
    for name in re.findall(r"(?<![\w:])([A-Za-z_]+):(?!//)", plain):
        if name not in known.names():
            near = difflib.get_close_matches(name, known.names(), 1)
            fields_text = f"did you mean {near[0]}:" if near else "fields are " + ", ".join(sorted(known.names()))
            raise QueryInvalid(text, f"there is no field {name}: ({fields_text})")
    if re.search(r"(?:^|[\s(])(?:AND|OR|ANDNOT)\s*(?:$|\))", plain) or re.match(r"\s*(?:AND|OR|ANDNOT)\b", plain):
        raise QueryInvalid(text, "an operator has nothing on one side")


def _with_other_forms(parsed: Any, reader: Any, languages: Sequence[str]) -> Any:
    """*parsed* with each plain word of a text field joined by the words of the index that share its stem."""

    def grow(node: Any) -> Any:
        if not node.is_leaf():
            return node.apply(grow)
        if type(node) is not query.Term or node.fieldname not in TEXT_FIELDS:
            return node
        word = node.text.decode() if isinstance(node.text, bytes) else node.text
        forms = {word, *_forms(reader, node.fieldname, word, languages)}
        terms = [query.Term(node.fieldname, form, boost=node.boost) for form in sorted(forms)]
        return terms[0] if len(terms) == 1 else query.Or(terms)

    return grow(parsed)


def _forms(reader: Any, name: str, word: str, languages: Sequence[str]) -> Iterator[str]:
    for language in languages:
        stem_of = stemmer(language)
        stem = stem_of(word)
        starts = {word[:3], stem[:3]}
        for candidate in (form for form, base in LEMMAS.items() if language == "en" and base == LEMMAS.get(word, word)):
            starts.add(candidate[:3])
        for start in starts:
            for found in reader.expand_prefix(name, start):
                text = found.decode() if isinstance(found, bytes) else found
                if stem_of(text) == stem:
                    yield text


def _terms(parsed: Any, reader: Any) -> Iterator[tuple[str, bytes]]:
    for name, text in parsed.iter_all_terms() if hasattr(parsed, "iter_all_terms") else ():
        yield name, text if isinstance(text, bytes) else text.encode()
    for leaf in parsed.leaves():
        if isinstance(leaf, query.MultiTerm):
            for text in leaf._btexts(reader):
                yield leaf.fieldname, text if isinstance(text, bytes) else text.encode()
