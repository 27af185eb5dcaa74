"""
How chunks are written into a Whoosh index: the schema, and a segment writer that works in bulk.

What it writes is Whoosh's own format, read by Whoosh. Gathering postings and writing their blocks, the two stages that
take Whoosh's writer most of its time, are done for all of a segment at once.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh import fields, formats, index, writing
from whoosh.analysis import Analyzer, Token
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage

from memory_store.index.analysis import word_spans
from memory_store.index.bm25 import FIELD_WEIGHTS, FieldPostings

TEXT_FIELDS = ("title", "headings", "body", "tags", "speaker")
_MERGE_ABOVE = 12
_TERMS_A_STEP = 8


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

    def __init__(self, step: Callable[[], None]) -> None:
        self.entries: dict[str, dict[bytes, _Entry]] = {}
        self._step = step

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """One posting; documents come in ascending order."""
        self._step()
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
        order = np.argsort(of_word, kind="stable")
        of_word = of_word[order]
        docs = np.repeat(np.frombuffer(self._docs, np.uint32), lengths)[order]
        first = np.flatnonzero(_changes(of_word) | _changes(docs))
        counts = np.diff(np.append(first, len(of_word)))
        heads = of_word[first]
        starts = np.searchsorted(heads, np.arange(len(self._number) + 1))
        places = np.arange(len(of_word), dtype=np.int32)
        places -= np.repeat((np.cumsum(lengths) - lengths).astype(np.int32), lengths)
        values = np.minimum(places, 65535).astype(np.uint16)[order].tobytes()
        return _Sorted(tuple(self._number), starts, docs[first], counts, first, values)


def _changes(values: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Where a value is another than the one before it; the first is."""
    changed = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


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


class _SteppingFile:
    """*file*, of which each write begins with *step*."""

    def __init__(self, file: Any, step: Callable[[], None]) -> None:
        self._file = file
        self._step = step
        self.tell = file.tell

    def write(self, data: bytes) -> int:
        self._step()
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class SteppingStorage(FileStorage):  # type: ignore[misc]
    """A folder of Whoosh's in which each work on a file, and each write, begins with *step*."""

    def __init__(self, path: str, step: Callable[[], None]) -> None:
        super().__init__(path)
        self.step = step

    def create_file(self, name: str, *arguments: Any, **options: Any) -> Any:
        """As Whoosh's, after a step."""
        self.step()
        made = super().create_file(name, *arguments, **options)
        made.file = _SteppingFile(made.file, self.step)
        return made

    def open_file(self, name: str, *arguments: Any, **options: Any) -> Any:
        """As Whoosh's, after a step."""
        self.step()
        return super().open_file(name, *arguments, **options)

    def file_exists(self, name: str) -> bool:
        """As Whoosh's, after a step."""
        self.step()
        return bool(super().file_exists(name))

    def list(self) -> Any:
        """As Whoosh's, after a step; but a folder that cannot be read just now is told, and is no empty one."""
        self.step()
        folder = Path(self.folder)
        return [path.name for path in folder.iterdir()] if folder.exists() else []

    def delete_file(self, name: str) -> None:
        """As Whoosh's, after a step."""
        self.step()
        super().delete_file(name)

    def temp_storage(self, name: str | None = None) -> FileStorage:
        """As Whoosh's; work on its files begins with a step too."""
        made = super().temp_storage(name)
        return SteppingStorage(made.folder, self.step)


class ChunkWriter(writing.SegmentWriter):  # type: ignore[misc]
    """Whoosh's segment writer with its two slow stages, gathering and writing postings, done in bulk."""

    def __init__(self, ix: index.Index, **options: Any) -> None:
        super().__init__(ix, codec=W3Codec(compression=1), compound=True, **options)
        self.pool = _Pool(self.storage.step)
        self._running: dict[str, _Running] = {}
        self._sorted: dict[str, _Sorted] = {}
        self._rows = array("I")

    def add_chunk(self, document: Document) -> None:
        """Add one row, with all its words."""
        self.storage.step()
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

    def add_postings_to_pool(self, reader: Any, first: int, numbers: dict[int, int] | None) -> None:
        """As Whoosh's, after a step."""
        self.storage.step()
        super().add_postings_to_pool(reader, first, numbers)

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
            for number, text in enumerate(sorted(entries)):
                if number % _TERMS_A_STEP == 0:
                    self.storage.step()
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


def merge_smallest(writer: ChunkWriter, segments: list[Any]) -> list[Any]:
    """Whoosh's merge policy: few segments stay; of many, the small ones become one."""
    if len(segments) <= _MERGE_ABOVE:
        return segments
    by_size = sorted(segments, key=lambda segment: segment.doc_count_all())
    count, total = 2, sum(segment.doc_count_all() for segment in by_size[:2])
    while count < len(by_size) and by_size[count].doc_count_all() <= 2 * total:
        total += by_size[count].doc_count_all()
        count += 1
    return _merged(writer, segments, by_size[:count])


def merge_touched(writer: ChunkWriter, segments: list[Any]) -> list[Any]:
    """As a merge policy: those of which documents were removed become one, without these."""
    return _merged(writer, segments, [segment for segment in segments if segment.has_deletions()])


def merge_all(writer: ChunkWriter, segments: list[Any]) -> list[Any]:
    """As a merge policy: all become one."""
    return _merged(writer, segments, segments)


def _merged(writer: ChunkWriter, segments: list[Any], old: list[Any]) -> list[Any]:
    """Those of *segments* that are left when *writer* has taken *old* ones into its own."""
    from whoosh.reading import SegmentReader

    for segment in old:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.storage.step()
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in old]
