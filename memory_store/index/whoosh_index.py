"""
The Whoosh index: the record of which words stand where, Whoosh's query language, corrections of spelling.

A document is a chunk, known by its row. Words are stored as written (folded), so that phrases, wildcards and fuzzy
terms mean what they say; a plain word of a query also finds its other forms. Texts are not stored: they are in the
files. Documents are written by a segment writer of our own, in Whoosh's own format.
"""

import difflib
import re
import shutil
import threading
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from whoosh import fields, formats, index, qparser, query, writing
from whoosh.analysis import Analyzer, Token
from whoosh.codec.whoosh3 import W3Codec
from whoosh.query import QueryError
from whoosh.scoring import BM25F

from memory_store.errors import StoreError
from memory_store.index.analysis import stemmer, word_spans
from memory_store.index.bm25 import FIELD_WEIGHTS, B, FieldPostings
from memory_store.index.words import LEMMAS

_T = TypeVar("_T")
TEXT_FIELDS = ("title", "headings", "body", "tags", "speaker")
_MERGE_ABOVE = 12
_LONGEST_CORRECTED = 30


class QueryInvalid(StoreError):
    """The query is not in Whoosh's query language."""

    def __init__(self, query_text: str, reason: str) -> None:
        self.query = query_text
        self.reason = reason
        super().__init__(f"cannot read the query {query_text!r}: {reason}; leave out --query to search for plain words")


class IndexDamaged(StoreError):
    """Files of the index are missing or not what was written; it has to be rebuilt."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the index is damaged ({reason}); it is being rebuilt from the pages")


class Words(Analyzer):  # type: ignore[misc]
    """Whoosh's view of `analysis.words`."""

    def __call__(self, value: str, **_: object) -> Iterator[Token]:
        """Yield a token for each word of *value*, with its position."""
        token = Token(positions=True, chars=True, removestops=True, mode="query")
        place = 0
        for start, end, found in word_spans(value):
            for word in found:
                token.text, token.pos, token.boost, token.stopped = word, place, 1.0, False
                token.startchar, token.endchar = start, end
                place += 1
                yield token


class Places(formats.Positions):  # type: ignore[misc]
    """Positions as plain 16-bit numbers: a tenth of the time that Whoosh's own pickled ones take to write."""

    def encode(self, poslist: Sequence[int]) -> bytes:
        """*poslist* ascending; beyond 65,535 all count as there."""
        return array("H", [min(place, 65535) for place in poslist]).tobytes()

    def decode_positions(self, valuestring: bytes) -> list[int]:
        """The inverse of `encode`."""
        return array("H", valuestring).tolist()

    def decode_frequency(self, valuestring: bytes) -> int:
        """How many positions there are."""
        return len(valuestring) // 2


def schema() -> fields.Schema:
    """The fields of a chunk. `row` is its number in the manifest."""

    def text(boost: float) -> fields.TEXT:
        made = fields.TEXT(analyzer=Words(), phrase=True, field_boost=boost, multitoken_query="phrase")
        made.format = Places(field_boost=boost)
        return made

    return fields.Schema(
        row=fields.NUMERIC(int, bits=32, signed=False, unique=True, sortable=True, shift_step=0),
        path=fields.ID(),
        kind=fields.ID(),
        date=fields.ID(),
        **{name: text(FIELD_WEIGHTS[name]) for name in TEXT_FIELDS},
    )


@dataclass(frozen=True)
class Document:
    """A chunk as the index takes it in: *texts* by field, words already drawn; *facets* are exact values by field."""

    row: int
    texts: Mapping[str, Sequence[str]]
    facets: Mapping[str, str]


@dataclass(slots=True)
class _Entry:
    """The postings of one word in one field: documents ascending, weights, and each one's value in *values*."""

    docs: "array[int]" = field(default_factory=lambda: array("I"))
    weights: "array[float]" = field(default_factory=lambda: array("f"))
    sizes: "array[int]" = field(default_factory=lambda: array("I"))
    values: bytearray = field(default_factory=bytearray)


class _Pool:
    """Postings by field and word; merged segments hand theirs over in Whoosh's form."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[bytes, _Entry]] = {}

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """One posting; documents come in ascending order."""
        name, text, document, weight, value = item
        of_field = self.entries.setdefault(name, {})
        entry = of_field.get(text)
        if entry is None:
            entry = of_field[text] = _Entry()
        entry.docs.append(document)
        entry.weights.append(weight)
        entry.sizes.append(len(value or b""))
        entry.values += value or b""

    def cleanup(self) -> None:
        """Forget everything."""
        self.entries = {}


class _Running:
    """One field's words as they run, as numbers; sorted into postings all at once."""

    def __init__(self) -> None:
        self._number: defaultdict[str, int] = defaultdict(count().__next__)
        self._words = array("I")
        self._docs = array("I")
        self._lengths = array("I")

    def add(self, document: int, found: Sequence[str]) -> None:
        number = self._number
        self._words.extend([number[word] for word in found])
        self._docs.append(document)
        self._lengths.append(len(found))

    def postings(self) -> "_Sorted":
        of_word = np.frombuffer(self._words, np.uint32)
        lengths = np.frombuffer(self._lengths, np.uint32).astype(np.int64)
        docs = np.repeat(np.frombuffer(self._docs, np.uint32), lengths)
        places = np.arange(len(of_word)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        order = np.argsort(of_word, kind="stable")
        of_word, docs = of_word[order], docs[order]
        first = np.flatnonzero((np.diff(of_word, prepend=-1) != 0) | (np.diff(docs.astype(np.int64), prepend=-1) != 0))
        counts = np.diff(np.append(first, len(of_word)))
        heads = of_word[first]
        starts = np.searchsorted(heads, np.arange(len(self._number) + 1))
        values = np.minimum(places[order], 65535).astype(np.uint16).tobytes()
        return _Sorted(tuple(self._number), starts, docs[first], counts, first, values)


@dataclass(frozen=True)
class _Sorted:
    """Postings of one field: word *i* has those from `starts[i]`; a posting's value starts at place `at`."""

    words: tuple[str, ...]
    starts: NDArray[np.int64]
    docs: NDArray[np.uint32]
    counts: NDArray[np.int64]
    at: NDArray[np.int64]
    values: bytes

    def entries(self, boost: float) -> dict[bytes, _Entry]:
        docs, weights = self.docs.tobytes(), (self.counts * boost).astype(np.float32).tobytes()
        sizes = (2 * self.counts).astype(np.uint32).tobytes()
        edges = (2 * np.append(self.at, len(self.values) // 2)[self.starts]).tolist()
        starts = (4 * self.starts).tolist()
        return {
            word.encode(): _Entry(
                array("I", docs[starts[i] : starts[i + 1]]),
                array("f", weights[starts[i] : starts[i + 1]]),
                array("I", sizes[starts[i] : starts[i + 1]]),
                bytearray(self.values[edges[i] : edges[i + 1]]),
            )
            for i, word in enumerate(self.words)
        }


class _ChunkWriter(writing.SegmentWriter):  # type: ignore[misc]
    """Whoosh's segment writer with its two slow stages, gathering and writing postings, done in bulk."""

    def __init__(self, ix: index.Index, **options: Any) -> None:
        super().__init__(ix, codec=W3Codec(compression=1), compound=True, **options)
        self.pool = _Pool()
        self._running: dict[str, _Running] = {}
        self._sorted: dict[str, _Sorted] = {}
        self._rows = array("I")

    def add_chunk(self, document: Document) -> None:
        number = self.docnum
        writer = self.perdocwriter
        writer.start_doc(number)
        for name, found in document.texts.items():
            if found:
                running = self._running.get(name)
                if running is None:
                    running = self._running[name] = _Running()
                running.add(number, found)
                writer.add_field(name, None, None, len(found))
        for name, value in document.facets.items():
            self.pool.add((name, value.encode(), number, 1.0, b""))
        row = self.schema["row"]
        self.pool.add(("row", row.to_bytes(document.row), number, 1.0, b""))
        writer.add_column_value("row", row.column_type, document.row)
        writer.finish_doc()
        self._added = True
        self.docnum += 1
        self._rows.append(document.row)

    def word_postings(self) -> list[FieldPostings]:
        """What was added, with rows for documents, for the scorer's arrays. Nothing may be added after it."""
        rows = np.frombuffer(self._rows, np.uint32)
        self._sorted = {name: running.postings() for name, running in self._running.items()}
        return [
            FieldPostings(name, s.words, np.diff(s.starts), rows[s.docs], s.counts.astype(np.float32))
            for name, s in self._sorted.items()
        ]

    def _flush_segment(self) -> None:
        self.perdocwriter.close()
        reader = self.per_document_reader()
        out = self.fieldwriter
        for name in sorted(self.pool.entries.keys() | self._sorted.keys()):
            entries = self._sorted[name].entries(FIELD_WEIGHTS[name]) if name in self._sorted else {}
            for text, merged in self.pool.entries.pop(name, {}).items():
                known = entries.get(text)
                if known is None:
                    entries[text] = merged
                else:
                    known.docs.extend(merged.docs)
                    known.weights.extend(merged.weights)
                    known.sizes.extend(merged.sizes)
                    known.values += merged.values
            out.start_field(name, self.schema[name])
            length_of = reader.doc_field_length_reader(name)
            lengths = [length_of(number) for number in range(self.docnum)] if self.schema[name].scorable else None
            for text in sorted(entries):
                out.start_term(text)
                _write_blocks(out._postwriter, entries.pop(text), lengths)
                out.finish_term()
            out.finish_field()
        out.close()
        reader.close()


def _write_blocks(out: Any, entry: _Entry, lengths: Sequence[int] | None) -> None:
    values = bytes(entry.values)
    at = 0
    size = out._blocklimit
    for start in range(0, len(entry.docs), size):
        docs = entry.docs[start : start + size]
        out._ids = docs
        out._weights = entry.weights[start : start + size]
        out._maxweight = max(out._weights)
        if values:
            blobs = []
            for width in entry.sizes[start : start + size]:
                blobs.append(values[at : at + width])
                at += width
            out._values = blobs
        if lengths is not None:
            here = [lengths[number] for number in docs]
            out._minlength, out._maxlength = min(here), max(here)
        out._write_block(last=start + size >= len(entry.docs))


@dataclass(frozen=True)
class Written:
    """A finished commit: the index's new generation and what was added, by word."""

    generation: int
    postings: list[FieldPostings]


class WhooshIndex:
    """One Whoosh index in a folder. One thread writes at a time; any number search."""

    def __init__(self, folder: Path, ix: index.Index) -> None:
        self._folder = folder
        self._ix = ix
        self._searching = threading.Lock()
        self._searcher: Any = None
        self._schema = schema()

    @classmethod
    def create(cls, folder: Path) -> "WhooshIndex":
        """An empty index; what stood in *folder* is gone."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return cls(folder, index.create_in(str(folder), schema()))

    @classmethod
    def open(cls, folder: Path) -> "WhooshIndex":
        """
        The index in *folder*. A lock that a dead process left does not matter: it goes with its process.

        Raises:
            IndexDamaged: missing, truncated or unreadable.
        """

        def opened() -> "WhooshIndex":
            made = cls(folder, index.open_dir(str(folder)))
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
            writer = _ChunkWriter(self._ix, timeout=10.0)
            try:
                for row in remove:
                    writer.delete_by_term("row", row)
                for document in add:
                    writer.add_chunk(document)
                postings = writer.word_postings()
            except BaseException:
                writer.cancel()
                raise
            writer.commit(mergetype=_merge_smallest)
            return Written(writer.generation, postings)

        return _guarded(commit)

    def compact(self) -> None:
        """Merge all segments into one, so that words of removed chunks are in no file any more."""

        def merge() -> None:
            _ChunkWriter(self._ix, timeout=10.0).commit(optimize=True)

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
            if self._searcher is not None:
                self._searcher.close()
                self._searcher = None
        self._ix.close()

    def _with_searcher(self, use: Callable[[Any], _T]) -> _T:
        """Call *use* with a searcher of the newest generation. Whoosh's files are seeked, so one thread at a time."""
        with self._searching:
            if self._searcher is None or not self._searcher.up_to_date():
                fresh = self._ix.searcher(weighting=BM25F(B=B))
                if self._searcher is not None:
                    self._searcher.close()
                self._searcher = fresh
            return use(self._searcher)

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


_NOT_READABLE = (OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError)


def _guarded(action: Callable[[], _T]) -> _T:
    """What *action* gives; whatever Whoosh raises over files that are not what it wrote becomes `IndexDamaged`."""
    import pickle
    import struct
    import zlib

    from whoosh.codec.base import OutOfOrderError
    from whoosh.index import IndexError as WhooshError
    from whoosh.index import LockError

    try:
        return action()
    except LockError as error:
        raise StoreError("another process is writing this index; stop it, or wait") from error
    except (WhooshError, OutOfOrderError, pickle.UnpicklingError, struct.error, zlib.error, *_NOT_READABLE) as error:
        if isinstance(error, OSError) and error.errno in (28, 30, 122):  # no space, read-only, quota
            raise
        raise IndexDamaged(f"{type(error).__name__}: {error}") from error


def _merge_smallest(writer: _ChunkWriter, segments: list[Any]) -> list[Any]:
    """Whoosh's merge policy: few segments stay; of many, the small ones become one."""
    from whoosh.reading import SegmentReader

    if len(segments) <= _MERGE_ABOVE:
        return segments
    by_size = sorted(segments, key=lambda segment: segment.doc_count_all())
    count, total = 2, sum(segment.doc_count_all() for segment in by_size[:2])
    while count < len(by_size) and by_size[count].doc_count_all() <= 2 * total:
        total += by_size[count].doc_count_all()
        count += 1
    for segment in by_size[:count]:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in by_size[:count]]


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
    if depth:
        raise QueryInvalid(text, "a bracket is not closed")
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


__all__ = ["Document", "IndexDamaged", "QueryInvalid", "WhooshIndex", "Written", "schema"]
