"""
From what lies in the vault and what is indexed to a list of plain actions, and from one to a page's change.

`plan` reads no file and decides; `digest` takes one that was read and says what becomes of its chunks.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memory_store.chunk import Chunk, chunk_page
from memory_store.errors import NotText
from memory_store.files import FileStat, Snapshot, original_of
from memory_store.index.manifest import Entry, Placed
from memory_store.index.volume import PageChange
from memory_store.page import parse

RACY_NS = 50_000_000
_MANY = 50


@dataclass(frozen=True)
class Add:
    """A file that is not indexed."""

    stat: FileStat


@dataclass(frozen=True)
class Update:
    """A file whose stat is not the one that was indexed."""

    stat: FileStat
    entry: Entry


@dataclass(frozen=True)
class Rename:
    """A file that stands under another path, its stat unchanged."""

    stat: FileStat
    entry: Entry


@dataclass(frozen=True)
class Remove:
    """A file that is gone."""

    entry: Entry


@dataclass(frozen=True)
class Withhold:
    """A sync program's conflicted copy: listed, kept out of recall."""

    stat: FileStat
    entry: Entry | None


@dataclass(frozen=True)
class Keep:
    """A file that cannot be seen just now: its entry stays, and is tried again."""

    path: str
    reason: str


Action = Add | Update | Rename | Remove | Withhold | Keep


@dataclass(frozen=True)
class Failure:
    """A file that could not be taken in, or not wholly, and why. Reported once for each content."""

    path: str
    reason: str


@dataclass(frozen=True)
class SyncReport:
    """
    What a sync did. *changed* are the paths whose entries are new, other or gone; *failed* the files newly found bad.

    *refused* says why nothing was removed although files are missing: the vault looks unmounted.
    """

    added: int = 0
    updated: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    failed: tuple[Failure, ...] = ()
    changed: frozenset[str] = frozenset()
    refused: str | None = None
    rebuilt: bool = False


@dataclass
class Progress:
    """A report in the making."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    failed: list[Failure] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def report(self, *, refused: str | None = None) -> SyncReport:
        """What it has come to."""
        return SyncReport(
            self.added,
            self.updated,
            self.removed,
            self.renamed,
            self.unchanged,
            tuple(self.failed),
            frozenset(self.changed),
            refused,
        )


def plan(
    files: Sequence[FileStat],
    known: Mapping[str, Entry],
    *,
    hides: Callable[[str], bool] = lambda _: False,
    errors: Iterable[tuple[str, str]] = (),
) -> list[Action]:
    """
    What is to be done so that the index says what *files* say; unchanged files give no action.

    *known* are the entries in question: one that is in it and not in *files* is gone, unless *hides* says that it may
    be there unseen. A file counts as renamed when its inode, size and time are those of one that is gone.
    """
    here = {stat.path for stat in files}
    gone = {path: entry for path, entry in known.items() if path not in here and not hides(path)}
    moved: defaultdict[tuple[int, int, int], list[Entry]] = defaultdict(list)
    for entry in gone.values():
        if entry.hash and not entry.racy:
            moved[entry.size, entry.mtime_ns, entry.inode].append(entry)
    actions: list[Action] = []
    for stat in files:
        known_as = known.get(stat.path)
        if stat.role == "ignored":
            continue
        if stat.role == "conflict":
            same = known_as is not None and known_as.same_stat(stat.size, stat.mtime_ns, stat.inode)
            if not (same and known_as is not None and known_as.role == "conflict"):
                actions.append(Withhold(stat, known_as))
        elif known_as is not None:
            if not known_as.same_stat(stat.size, stat.mtime_ns, stat.inode) or known_as.role != stat.role:
                actions.append(Update(stat, known_as))
        elif before := moved.get((stat.size, stat.mtime_ns, stat.inode)):
            entry = before.pop()
            del gone[entry.path]
            actions.append(Rename(stat, entry))
        else:
            actions.append(Add(stat))
    actions += [Remove(entry) for entry in gone.values()]
    actions += [Keep(path, reason) for path, reason in errors]
    return actions


def looks_unmounted(actions: Sequence[Action], known: int) -> bool:
    """Whether so much is missing at once that a lost mount is likelier than an owner who tidies up."""
    removed = sum(isinstance(action, Remove) for action in actions)
    return removed > 0 and (removed == known or (known >= _MANY and removed * 10 > known * 8))


@dataclass(frozen=True)
class Digest:
    """What became of reading one file: the *change* to commit, and what to tell about it."""

    change: PageChange
    failure: Failure | None = None
    same: bool = False


def digest(
    stat: FileStat,
    entry: Entry | None,
    placed: Sequence[Placed],
    read: Callable[[], Snapshot],
    *,
    now_ns: int,
    indexed_at: str,
) -> Digest:
    """
    How the entry of a file becomes what *read* finds in it; *placed* are its chunks as indexed, in order.

    *now_ns*, the time just before the read, tells whether the file is too young for its stat to prove anything. What
    *read* raises goes through. Its bytes are let go of as soon as they are a page: they may be many.
    """
    snapshot = read()
    fields: dict[str, object] = {
        "path": stat.path,
        "size": snapshot.size,
        "mtime_ns": snapshot.mtime_ns,
        "inode": snapshot.inode,
        "racy": int(now_ns - snapshot.mtime_ns < RACY_NS),
        "hash": snapshot.hash,
        "role": stat.role,
        "title": PurePosixPath(stat.path).stem,
        "tags": (),
        "problem": None,
        "indexed_at": indexed_at,
    }
    if entry is not None and entry.hash == snapshot.hash and entry.role == stat.role:
        known = {"title": entry.title, "tags": entry.tags, "problem": entry.problem, "indexed_at": entry.indexed_at}
        return Digest(PageChange({**fields, **known}, {c.place: c for c in placed}), same=True)
    try:
        page = parse(snapshot.data)
    except NotText as error:
        fields |= {"hash": None, "problem": f"not UTF-8 text: {error.reason}", "indexed_at": None}
        known_bad = entry is not None and entry.problem == fields["problem"]
        failure = None if known_bad else Failure(stat.path, str(fields["problem"]))
        return Digest(PageChange(fields, dropped=tuple(c.row for c in placed)), failure)
    del snapshot
    fields |= {"title": page.title(PurePosixPath(stat.path).stem), "tags": page.tags}
    aliases = page.frontmatter.get("aliases")
    if isinstance(aliases, list) and aliases:
        fields["tags"] = (*page.tags, *(str(alias) for alias in aliases))
    failure = None
    if page.problem:
        fields["problem"] = f"line {page.problem.line}: {page.problem.reason}"
        failure = Failure(stat.path, str(fields["problem"]))
    chunks = chunk_page(stat.path, page, stat.role)
    alike = entry is not None and (entry.title, entry.tags) == (fields["title"], fields["tags"])
    kept, new = _reuse(chunks, placed if alike else ())
    used = {chunk.row for chunk in kept.values()}
    return Digest(PageChange(fields, kept, new, tuple(c.row for c in placed if c.row not in used)), failure)


def withheld(stat: FileStat, placed: Sequence[Placed]) -> PageChange:
    """The entry of a conflicted copy: no chunks, and the name of the page it competes with."""
    fields: dict[str, object] = {
        "path": stat.path,
        "size": stat.size,
        "mtime_ns": stat.mtime_ns,
        "inode": stat.inode,
        "racy": 0,
        "hash": None,
        "role": "conflict",
        "title": PurePosixPath(stat.path).stem,
        "tags": (),
        "problem": f"a conflicted copy of {original_of(stat.path)}",
        "indexed_at": None,
    }
    return PageChange(fields, dropped=tuple(c.row for c in placed))


def unreadable(path: str, entry: Entry | None, placed: Sequence[Placed], role: str, reason: str) -> PageChange:
    """The entry of a file that cannot be read now: as it was, to be tried again at the next sync."""
    fields: dict[str, object] = {
        "path": path,
        "size": -1,
        "mtime_ns": 0,
        "inode": 0,
        "racy": 1,
        "hash": entry.hash if entry else None,
        "role": role,
        "title": entry.title if entry else PurePosixPath(path).stem,
        "tags": entry.tags if entry else (),
        "problem": reason,
        "indexed_at": entry.indexed_at if entry else None,
    }
    return PageChange(fields, {c.place: c for c in placed})


def _reuse(chunks: Sequence[Chunk], placed: Sequence[Placed]) -> tuple[dict[int, Placed], dict[int, Chunk]]:
    """Which of *chunks* are indexed already, moved to where they stand now, and which are new; both by place."""
    known: defaultdict[bytes, list[Placed]] = defaultdict(list)
    for old in reversed(placed):
        known[old.key].append(old)
    kept: dict[int, Placed] = {}
    new: dict[int, Chunk] = {}
    for place, chunk in enumerate(chunks):
        if same := known.get(chunk.key):
            kept[place] = same.pop()._replace(
                place=place,
                start_line=chunk.start_line,
                end_line=chunk.end_line,
                start_byte=chunk.start_byte,
                end_byte=chunk.end_byte,
            )
        else:
            new[place] = chunk
    return kept, new
