"""What a search gives back, and how chunks become hits: never with text that is no longer in its file."""

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memory_store.chunk import LONGEST_CHARS, Chunk, chunk_page, shown_text
from memory_store.errors import NotText
from memory_store.files import Vault, content_hash
from memory_store.index.manifest import Entry, Manifest, Placed
from memory_store.index.shelf import Shelf, Shown
from memory_store.index.vectors import text_key
from memory_store.page import parse
from memory_store.search import Evidence, Ranked
from memory_store.snippet import Line, Marker, Snippet

_CLOSE = 4
_LARGE_BYTES = 2_000_000  # to cut a larger page takes longer than a search may
_PIECE_BYTES = 4_000_000
_PLAIN_FILE = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK

Stemmed = Callable[[str], str]


class Hit(NamedTuple):
    """
    A chunk that answers a search, as it stands in its file at this moment.

    *marks* are the matched words in *snippet* as (start, end); *parts* say what the score is made of; *key* names what
    the chunk says.
    """

    path: str
    start_line: int
    end_line: int
    title: str
    heading: str
    snippet: str
    score: float
    text: str = ""
    parts: tuple[Evidence, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    terms: tuple[str, ...] = ()
    kind: str = "note"
    speaker: str | None = None
    when: str | None = None
    key: int = 0


class Hits(list[Hit]):
    """Hits, best first, and what the owner should know about them: a *notice*, a better spelling."""

    def __init__(self, hits: Iterable[Hit] = (), *, notice: str | None = None, did_you_mean: str | None = None) -> None:
        super().__init__(hits)
        self.notice = notice
        self.did_you_mean = did_you_mean


def joined(hits: Sequence[Hit], ties: Mapping[int, Mapping[int, float]]) -> list[Hit]:
    """
    *hits* with a passage and the reply that it is tied to shown as one, in the place of the better of the two.

    Only where both were found and follow one another on their page: what is read together comes together, and leaves
    a place to others. Each hit joins at most one other, the better first.
    """
    places = {hit.key: place for place, hit in enumerate(hits)}
    partner: dict[int, int] = {}
    for place, hit in enumerate(hits):
        for other in sorted(places[key] for key in ties.get(hit.key, {}) if key in places):
            near = hits[other].path == hit.path and 0 < hits[other].start_line - hit.end_line <= _CLOSE
            if near and place not in partner and other not in partner:
                partner[place], partner[other] = other, place
    out: list[Hit] = []
    for place, hit in enumerate(hits):
        mate = partner.get(place)
        if mate is None:
            out.append(hit)
        elif mate > place:
            pair = sorted((hit, hits[mate]), key=lambda one: one.start_line)
            text = "\n".join(f"{one.speaker}: {one.text}" if one.speaker else one.text for one in pair)
            out.append(hit._replace(start_line=pair[0].start_line, end_line=pair[1].end_line, text=text, speaker=None))
    return out


@dataclass
class _Page:
    """
    A file as a search meets it: unchanged and open for reading pieces, or changed and cut anew, or gone.

    A large one that changed is open too: what it says is looked for where it was, and *grown* bytes further on.
    """

    descriptor: int | None = None
    chunks: Mapping[bytes, Chunk] = field(default_factory=dict)
    grown: int | None = None


class HitMaker:
    """Turns rows into hits. One search, one maker: it looks at each file once; `close` releases the files."""

    def __init__(
        self, vault: Vault, manifest: Manifest, shelf: Shelf, stems: Sequence[str], stemmers: Sequence[Stemmed]
    ) -> None:
        self._vault = vault
        self._manifest = manifest
        self._shelf = shelf
        self._marker = Marker(stems, stemmers)
        self._below = f"{vault.root}/"
        self._same: dict[str, Entry] = {}
        self._links: dict[str, bool] = {}
        self._pages: dict[str, _Page] = {}
        self._root: int | None = None

    def make(self, ranked: Sequence[Ranked], *, limit: int, explain: bool) -> list[Hit]:
        """The first *limit* of *ranked* whose words still stand in their files."""
        there: list[tuple[Ranked, Shown]] = []
        at = 0
        while at < len(ranked) and len(there) < limit:
            part = ranked[at : at + limit - len(there)]
            at += len(part)
            seen = [self._seen(found.row) for found in part]
            unseen = [found.row for found, shown in zip(part, seen, strict=True) if shown is None]
            located = self._manifest.located(unseen) if unseen else {}
            for found, shown in zip(part, seen, strict=True):
                if shown is None and (place := located.get(found.row)):
                    shown = self._read(found.row, *place)
                if shown is not None:
                    there.append((found, shown))
        snippets = self._marker.snippets([shown.line for _, shown in there])
        return [_hit(*one, snippet, explain) for one, snippet in zip(there, snippets, strict=True)]

    def close(self) -> None:
        """Close the files that were looked at."""
        for page in self._pages.values():
            if page.descriptor is not None:
                os.close(page.descriptor)
        self._pages.clear()
        if self._root is not None:
            os.close(self._root)
            self._root = None

    def _seen(self, row: int) -> Shown | None:
        """The chunk from the shelf, if its file is at this moment what it was."""
        shown = self._shelf.get(row)
        if shown is None:
            return None
        entry = shown.entry
        path = entry.path
        known = self._same.get(path)
        if known is None:
            try:
                info = os.lstat(self._below + path)
                if not entry.same_stat(info.st_size, info.st_mtime_ns, info.st_ino):
                    return None
                if "/" in path and self._through_link(path.rpartition("/")[0]):
                    return None
            except OSError:
                return None
            self._same[path] = entry
        elif known is not entry and not entry.same_stat(known.size, known.mtime_ns, known.inode):
            return None
        return shown

    def _through_link(self, folder: str) -> bool:
        """Whether a link stands between the vault and *folder*."""
        if not folder:
            return False
        known = self._links.get(folder)
        if known is None:
            link = stat.S_ISLNK(os.lstat(self._below + folder).st_mode)
            known = self._links[folder] = link or self._through_link(folder.rpartition("/")[0])
        return known

    def _read(self, row: int, chunk: Placed, entry: Entry) -> Shown | None:
        """The chunk as it stands in its file now."""
        page = self._pages.get(entry.path)
        if page is None:
            page = self._pages[entry.path] = self._look(entry)
        if page.descriptor is not None and page.grown is not None:
            return _moved(page.descriptor, chunk, entry, page.grown)
        if page.descriptor is not None:
            try:
                raw = os.pread(page.descriptor, chunk.end_byte - chunk.start_byte, chunk.start_byte)
            except OSError:  # a failing disk: what cannot be read is not shown, all else is
                return None
            text = shown_text(raw, chunk.kind)
            shown = Shown(entry, chunk, " > ".join(chunk.headings), text, Line.of(text))
            if not entry.racy and len(text) <= LONGEST_CHARS:
                self._shelf.put(row, shown)
            return shown
        now = page.chunks.get(chunk.key)
        if now is None:
            return None
        moved = chunk._replace(start_line=now.start_line, end_line=now.end_line)
        return Shown(entry, moved, " > ".join(chunk.headings), now.text, Line.of(now.text))

    def _open(self, path: str) -> int:
        """A descriptor of the file at *path*; no link is followed on the way to it."""
        if self._root is None:
            self._root = os.open(self._vault.root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
        if "/" not in path:
            return os.open(path, _PLAIN_FILE, dir_fd=self._root)
        *folders, name = path.split("/")
        at = self._root
        try:
            for folder in folders:
                below = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
                if at != self._root:
                    os.close(at)
                at = below
            return os.open(name, _PLAIN_FILE, dir_fd=at)
        finally:
            if at != self._root:
                os.close(at)

    def _look(self, entry: Entry) -> _Page:
        """The file behind *entry*: its stat is compared on the open file, so nothing can change in between unseen."""
        try:
            descriptor = self._open(entry.path)
        except OSError:
            return _Page()
        info = os.fstat(descriptor)
        if entry.same_stat(info.st_size, info.st_mtime_ns, info.st_ino):
            return _Page(descriptor)
        try:
            if not stat.S_ISREG(info.st_mode):
                os.close(descriptor)
                return _Page()
            if max(info.st_size, entry.size) > _LARGE_BYTES and info.st_size != entry.size:
                return _Page(descriptor, grown=info.st_size - entry.size)
            data = os.pread(descriptor, info.st_size + 1, 0) if info.st_size < 64_000_000 else b""
            if content_hash(data) == entry.hash:
                return _Page(descriptor)
            page = parse(data)
        except (OSError, NotText):
            os.close(descriptor)
            return _Page()
        os.close(descriptor)
        return _Page(None, {c.key: c for c in chunk_page(entry.path, page, entry.role)})


def _moved(descriptor: int, chunk: Placed, entry: Entry, by: int) -> Shown | None:
    """*chunk* of a file that grew *by* bytes somewhere, where it says the same still; its lines are counted anew."""
    context = " > ".join(chunk.headings[-2:])
    for at in (chunk.start_byte, chunk.start_byte + by):
        try:
            text = shown_text(os.pread(descriptor, chunk.end_byte - chunk.start_byte, max(at, 0)), chunk.kind)
            if text_key(f"{context}\n{text}" if context else text) != chunk.embed:
                continue
            line = _lines_before(descriptor, at) + 1
        except OSError:
            return None
        there = chunk._replace(start_line=line, end_line=line + chunk.end_line - chunk.start_line)
        return Shown(entry, there, " > ".join(chunk.headings), text, Line.of(text))
    return None


def _lines_before(descriptor: int, end: int) -> int:
    """How many lines of the file end before the byte *end*."""
    count = 0
    for at in range(0, end, _PIECE_BYTES):
        count += os.pread(descriptor, min(_PIECE_BYTES, end - at), at).count(b"\n")
    return count


def _hit(found: Ranked, shown: Shown, snippet: Snippet, explain: bool) -> Hit:
    entry, chunk, heading, text, _ = shown
    return Hit(
        entry.path,
        chunk.start_line,
        chunk.end_line,
        entry.title,
        heading,
        snippet.text,
        found.score,
        text,
        found.parts if explain else (),
        snippet.marks,
        snippet.terms,
        chunk.kind,
        chunk.speaker,
        chunk.day,
        chunk.embed,
    )
