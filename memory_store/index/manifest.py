"""
What is indexed: files with their stat and hash, chunks with their place, kept in SQLite.

A restart compares stats with this and reads nothing that is unchanged. A chunk's row is its number in the Whoosh index
and in all arrays; what a row says never changes, only where it stands. SQLite's own journal makes each sync whole or
absent; the Whoosh generation that belongs to it is in the same transaction, so that a crash between the two is seen.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from memory_store.errors import NoSpace
from memory_store.index.whoosh_index import IndexDamaged

_T = TypeVar("_T")
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL, racy INTEGER NOT NULL, hash TEXT, role TEXT NOT NULL, title TEXT NOT NULL,
    tags TEXT NOT NULL, problem TEXT, indexed_at TEXT
);
CREATE TABLE chunks (
    row INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
    headings TEXT NOT NULL, speaker TEXT, day TEXT, language INTEGER NOT NULL, key BLOB NOT NULL,
    embed INTEGER NOT NULL, length REAL NOT NULL, words INTEGER NOT NULL, asks INTEGER NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file, place);
CREATE TABLE segments (name TEXT PRIMARY KEY, place INTEGER NOT NULL) WITHOUT ROWID;
"""
_MOST_FILES = 4000  # remembered
_TEXTS = msgspec.json.Decoder(tuple[str, ...])
FORMAT = "5 " + hashlib.sha256(_SCHEMA.encode()).hexdigest()[:16]  # another schema is another format, unasked


class Entry(NamedTuple):
    """
    A file as indexed. *hash* None: it could not be taken in, *problem* says why; a problem with a hash is a page that
    was indexed as plain text. *racy*: it changed so shortly before it was read that its stat proves nothing.
    """

    id: int
    path: str
    size: int
    mtime_ns: int
    inode: int
    racy: bool
    hash: str | None
    role: str
    title: str
    tags: tuple[str, ...]
    problem: str | None
    indexed_at: str | None

    def same_stat(self, size: int, mtime_ns: int, inode: int) -> bool:
        """Whether a file with this stat is the one that was read."""
        return self.mtime_ns == mtime_ns and self.size == size and self.inode == inode and not self.racy


class Placed(NamedTuple):
    """
    A chunk's row and place. *headings* from the top; *day* ISO 8601.

    *embed* is the key of its vector, *length* its length weighted by field, *words* counts
    its own; *asks* is 1 if it ends with a question.
    """

    row: int
    file: int
    place: int
    kind: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    headings: tuple[str, ...]
    speaker: str | None
    day: str | None
    language: int
    key: bytes
    embed: int
    length: float
    words: int
    asks: int


class Columns:
    """
    What a search needs of every chunk, in arrays by row; `file` is -1 where there is no chunk.

    Changes are made on a copy (`grown`), so that whoever holds a state keeps it.
    """

    def __init__(self, size: int = 0) -> None:
        self.file = np.full(size, -1, np.int32)
        self.previous = np.full(size, -1, np.int32)
        self.following = np.full(size, -1, np.int32)
        self.day = np.zeros(size, np.int32)
        self.language = np.zeros(size, np.uint8)
        self.kind = np.zeros(size, np.uint8)
        self.speaker = np.full(size, -1, np.int32)
        self.embed = np.zeros(size, np.int64)
        self.length = np.zeros(size, np.float32)
        self.words = np.zeros(size, np.int32)
        self.asks = np.zeros(size, np.bool_)
        self.speakers: dict[str, int] = {}

    @property
    def alive(self) -> NDArray[np.bool_]:
        """By row, whether there is a chunk."""
        return self.file >= 0

    def grown(self, size: int, step: Callable[[], None] = lambda: None) -> "Columns":
        """A copy with room for *size* rows; *step* is called between its columns."""
        copy = Columns(size)
        for name, old in vars(self).items():
            if isinstance(old, np.ndarray):
                step()
                getattr(copy, name)[: len(old)] = old
        copy.speakers = dict(self.speakers)
        return copy

    def drop(self, rows: Iterable[int]) -> None:
        """There are no such chunks any more."""
        gone = np.fromiter(rows, np.int64)
        for name, empty in (("file", -1), ("previous", -1), ("following", -1), ("length", 0)):
            getattr(self, name)[gone] = empty

    def put(self, chunks: Sequence["Placed"]) -> None:
        """Set the rows of *chunks*: all those of some files, each file's in order."""
        if not chunks:
            return
        rows = np.array([c.row for c in chunks])
        self.file[rows] = files = np.array([c.file for c in chunks], np.int32)
        self.day[rows] = [day_number(c.day) for c in chunks]
        self.language[rows] = [c.language for c in chunks]
        self.kind[rows] = [KINDS.index(c.kind) for c in chunks]
        speakers = self.speakers
        self.speaker[rows] = [-1 if not c.speaker else speakers.setdefault(c.speaker, len(speakers)) for c in chunks]
        self.embed[rows] = [c.embed for c in chunks]
        self.length[rows] = [c.length for c in chunks]
        self.words[rows] = [c.words for c in chunks]
        self.asks[rows] = [c.asks for c in chunks]
        self.previous[rows] = self.following[rows] = -1
        together = files[1:] == files[:-1]
        self.previous[rows[1:][together]] = rows[:-1][together]
        self.following[rows[:-1][together]] = rows[1:][together]


class Manifest:
    """
    The manifest in one SQLite file. Readers have connections of their own, one a thread; one thread writes at a time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._opening = threading.Lock()
        self._files: dict[int, Entry] = {}

    @classmethod
    def create(cls, path: Path) -> "Manifest":
        """An empty manifest; *path* must not exist."""
        made = cls(path)
        with made.transaction() as db:
            for statement in _SCHEMA.strip().split(";")[:-1]:
                db.execute(statement)
            db.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
        return made

    @classmethod
    def open(cls, path: Path) -> "Manifest":
        """
        The manifest in *path*.

        Raises:
            IndexDamaged: missing, of another format, or not readable.
        """
        if not path.is_file():
            raise IndexDamaged("the manifest is missing")
        made = cls(path)
        try:
            if made.meta("format") != FORMAT:
                raise IndexDamaged("the manifest is of another version")
            if (found := made._read(lambda db: db.execute("PRAGMA quick_check(1)").fetchone())) != ("ok",):
                raise IndexDamaged(f"the manifest fails its check: {found}")
        except IndexDamaged:
            made.close()
            raise
        return made

    # -- reading ---

    def meta(self, key: str) -> str | None:
        """A remembered value."""
        found = self._read(lambda db: db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone())
        return str(found[0]) if found else None

    def entries(self) -> dict[str, Entry]:
        """All files by path."""
        return self._read(lambda db: {row[1]: _entry(row) for row in db.execute("SELECT * FROM files")})

    def entry(self, path: str) -> Entry | None:
        """The file at *path*."""
        found = self._read(lambda db: db.execute("SELECT * FROM files WHERE path = ?", (path,)).fetchone())
        return _entry(found) if found else None

    def files_by_id(self, ids: Iterable[int]) -> dict[int, Entry]:
        """The files with these numbers; those that are gone are left out."""
        wanted = list(dict.fromkeys(ids))
        return self._read(
            lambda db: {row[0]: _entry(row) for row in _in(db, "SELECT * FROM files WHERE id IN ({})", wanted)}
        )

    def file_ids(self, prefix: str) -> NDArray[np.int32]:
        """Numbers of the files whose path starts with *prefix*."""
        query = "SELECT id FROM files WHERE path >= ? AND path < ?"
        bounds: tuple[object, ...] = (prefix, prefix[:-1] + chr(ord(prefix[-1:] or " ") + 1))
        if not prefix or prefix[-1] >= "\ud7ff":
            query, bounds = "SELECT id FROM files WHERE substr(path, 1, ?) = ?", (len(prefix), prefix)
        found = self._read(lambda db: db.execute(query, bounds).fetchall())
        return np.array([row[0] for row in found], np.int32)

    def chunks_of(self, file: int) -> list[Placed]:
        """The chunks of a file in order."""
        return self._read(
            lambda db: [_placed(r) for r in db.execute("SELECT * FROM chunks WHERE file = ? ORDER BY place", (file,))]
        )

    def chunks(self, rows: Iterable[int]) -> dict[int, Placed]:
        """The chunks with these rows; those that are gone are left out."""
        wanted = list(dict.fromkeys(int(row) for row in rows))
        return self._read(
            lambda db: {r[0]: _placed(r) for r in _in(db, "SELECT * FROM chunks WHERE row IN ({})", wanted)}
        )

    def located(self, rows: Iterable[int]) -> dict[int, tuple[Placed, Entry]]:
        """
        The chunks with these rows, each with its file. While a change is made a file may be as it was before it: its
        stat then is not the file's any more.
        """
        files = self._files
        chunks = self.chunks(rows)
        unknown = {chunk.file for chunk in chunks.values()} - files.keys()
        if unknown:
            if len(files) > _MOST_FILES:
                files.clear()
            files.update(self.files_by_id(unknown))
        return {row: (chunk, file) for row, chunk in chunks.items() if (file := files.get(chunk.file)) is not None}

    def files_missing(self, embeds: NDArray[np.int64]) -> list[str]:
        """Paths of the files that say a text with one of these vector keys, each once."""
        wanted = [int(key) for key in embeds]
        query = "SELECT DISTINCT path FROM files JOIN chunks ON file = files.id WHERE embed IN ({}) ORDER BY path"
        return self._read(lambda db: list(dict.fromkeys(row[0] for row in _in(db, query, wanted))))

    def counts(self) -> tuple[int, int, int]:
        """Pages indexed, chunks, and files that could not be taken in."""
        query = "SELECT count(hash), (SELECT count(*) FROM chunks), count(*) - count(hash) FROM files"
        query += " WHERE role != 'conflict'"
        found = self._read(lambda db: db.execute(query).fetchone())
        return int(found[0]), int(found[1]), int(found[2])

    def listing(self) -> dict[str, tuple[str, tuple[str, ...], int]]:
        """Title, tags and number of chunks of every file, by path."""
        query = "SELECT path, title, tags, (SELECT count(*) FROM chunks WHERE file = files.id) FROM files"
        return self._read(lambda db: {row[0]: (row[1], tuple(json.loads(row[2])), row[3]) for row in db.execute(query)})

    def segments(self) -> list[str]:
        """Names of the posting files, oldest first."""
        return self._read(lambda db: [row[0] for row in db.execute("SELECT name FROM segments ORDER BY place")])

    def columns(self) -> Columns:
        """The columns of all chunks."""

        def read(db: sqlite3.Connection) -> Columns:
            made = Columns(int(db.execute("SELECT ifnull(max(row), -1) + 1 FROM chunks").fetchone()[0]))
            cursor = db.execute("SELECT * FROM chunks ORDER BY file, place")
            last: list[Placed] = []
            while rows := cursor.fetchmany(4000):
                chunks = [_placed(row) for row in rows]
                before = int(made.previous[last[0].row]) if last else -1
                made.put([*last, *chunks])
                if last:
                    made.previous[last[0].row] = before
                last = chunks[-1:]
            return made

        return self._read(read)

    # -- writing ---

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Changes made within are kept together, or not at all."""
        db = self._connection()
        try:
            with _naming_full_disk(self._path):
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
                self._files = {}
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")

    def vacuum(self) -> None:
        """Rewrite the file without what was deleted."""
        db = self._connection()
        with _naming_full_disk(self._path):
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close all connections."""
        with self._opening:
            for db in self._open:
                db.close()
            self._open.clear()
        self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
            with _naming_full_disk(self._path):
                db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute("PRAGMA secure_delete=ON")
            self._local.db = db
            with self._opening:
                self._open.append(db)
        return db

    def _read(self, read: Callable[[sqlite3.Connection], _T]) -> _T:
        try:
            return read(self._connection())
        except sqlite3.DatabaseError as error:
            if self._path.is_file():
                self._path.open("rb").close()  # too many open files are no damage: raises OSError
            raise IndexDamaged(f"manifest: {error}") from error


@contextmanager
def _naming_full_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise NoSpace(str(path), "no space left on device") from error
        raise


KINDS = ("note", "fact", "turn")


def day_number(day: str | None) -> int:
    """Days since year 1 of an ISO date; 0 for none."""
    import datetime as dt

    return dt.date.fromisoformat(day[:10]).toordinal() if day else 0


def put_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    """Remember *value* under *key*."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def put_file(db: sqlite3.Connection, fields: Mapping[str, object]) -> int:
    """Add the file or replace what is known of it; its number stays. Returns the number."""
    values = {**fields, "tags": json.dumps(fields["tags"])}
    names = ", ".join(values)
    db.execute(
        f"INSERT INTO files ({names}) VALUES ({', '.join('?' * len(values))}) ON CONFLICT (path) DO UPDATE SET "
        + ", ".join(f"{name} = excluded.{name}" for name in values if name != "path"),
        tuple(values.values()),
    )
    found = db.execute("SELECT id FROM files WHERE path = ?", (fields["path"],)).fetchone()
    return int(found[0])


def put_chunks(db: sqlite3.Connection, chunks: Iterable[Placed]) -> None:
    """Add chunks, or move those whose row is there already."""
    db.executemany(
        "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *(c.row, c.file, c.place, c.kind, c.start_line, c.end_line, c.start_byte, c.end_byte),
                *(json.dumps(c.headings, ensure_ascii=False), c.speaker, c.day, c.language, c.key, c.embed, c.length),
                *(c.words, c.asks),
            )
            for c in chunks
        ),
    )


def drop_rows(db: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Remove chunks."""
    db.executemany("DELETE FROM chunks WHERE row = ?", ((int(row),) for row in rows))


def drop_file(db: sqlite3.Connection, file: int) -> None:
    """Remove a file and its chunks."""
    db.execute("DELETE FROM chunks WHERE file = ?", (file,))
    db.execute("DELETE FROM files WHERE id = ?", (file,))


def put_segments(db: sqlite3.Connection, names: Sequence[str]) -> None:
    """The posting files are these, oldest first."""
    db.execute("DELETE FROM segments")
    db.executemany("INSERT INTO segments VALUES (?, ?)", ((name, place) for place, name in enumerate(names)))


def _entry(row: Any) -> Entry:
    return Entry._make((*row[:5], bool(row[5]), *row[6:9], _list(row[9]), *row[10:]))


def _placed(row: Any) -> Placed:
    return Placed._make((*row[:8], _list(row[8]), *row[9:]))


def _list(text: Any) -> tuple[str, ...]:
    return () if text == "[]" else _TEXTS.decode(text)


def _in(db: sqlite3.Connection, query: str, values: Sequence[int]) -> list[Any]:
    found: list[Any] = []
    for start in range(0, len(values), 500):
        part = values[start : start + 500]
        found += db.execute(query.format(",".join("?" * len(part))), part).fetchall()
    return found
