"""Git objects without what is to be forgotten: each commit, tree, blob and tag mapped to what it becomes."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from dulwich.object_store import DiskObjectStore
from dulwich.objects import S_ISGITLINK, Blob, Commit, ObjectID, ShaFile, Tag, Tree, parse_tree

from memory_store.redact import Redaction

_HASH = re.compile(rb"\b[0-9a-f]{40}\b")
_FOLDER = 0o040000
_KINDS = 0o170000
_AT_ONCE_BYTES = 32_000_000
Entry = tuple[bytes, int, ObjectID]  # of a tree: name, mode, id


@dataclass(frozen=True)
class Dropped:
    """What goes whole: all that was ever at *paths*, and of other paths the given *versions*."""

    paths: frozenset[bytes] = frozenset()
    versions: frozenset[tuple[bytes, ObjectID]] = frozenset()

    def holds(self, path: bytes, sha: ObjectID) -> bool:
        """Whether the content *sha* goes from *path*."""
        return path in self.paths or (path, sha) in self.versions


class Rewriter:
    """
    Maps each object to its rewritten form, parents before children, each looked at once; of a tree only what the trees
    before did not hold in the same place.

    New objects are put into *store* within *held*, many at a time: call `flush` before anything refers to them. *step*
    is called before each object.
    """

    def __init__(
        self,
        store: DiskObjectStore,
        redaction: Redaction,
        dropped: Dropped,
        held: Callable[[], AbstractContextManager[object]],
        step: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._redaction = redaction
        self._goes = dropped.holds
        self._held = held
        self._step = step
        self.dropped: set[ObjectID] = set()
        self._trees: dict[tuple[ObjectID, bytes], ObjectID] = {}
        self._same: defaultdict[bytes, set[Entry]] = defaultdict(set)
        self._done: dict[ObjectID, ObjectID] = {}
        self._fresh: dict[ObjectID, ShaFile] = {}
        self._fresh_bytes = 0
        self.changed = 0

    @property
    def reached(self) -> set[ObjectID]:
        """All that what was rewritten consists of now."""
        return {*self._done.values(), *self._trees.values()}

    @property
    def replaced(self) -> set[ObjectID]:
        """All that became something else, or went."""
        blobs_and_above = {old for old, new in self._done.items() if new != old}
        return blobs_and_above | {old for (old, _), new in self._trees.items() if new != old} | self.dropped

    def rewrite(self, sha: ObjectID) -> ObjectID:
        """The id of what *sha* becomes."""
        waiting = [sha]
        while waiting:
            current = waiting[-1]
            if current in self._done:
                waiting.pop()
                continue
            found = self._object(current)
            missing = [needed for needed in above(found) if needed not in self._done]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            self._done[current] = self._rewritten(found)
        return self._done[sha]

    def blob(self, sha: ObjectID) -> ObjectID:
        """The id of what the blob *sha* becomes."""
        if sha not in self._done:
            self._step()
            kind, data = self._raw(sha)
            scrubbed = self._redaction.scrub(data) if kind == Blob.type_num else data
            self._done[sha] = self._added(Blob.from_string(scrubbed)) if scrubbed != data else sha
        return self._done[sha]

    def flush(self) -> None:
        """Put what is new into the store."""
        if not self._fresh:
            return
        with self._held():
            for new in self._fresh.values():
                self._store.add_object(new)
        self._fresh.clear()
        self._fresh_bytes = 0

    def still_there(self) -> tuple[str, ...]:
        """Ids of texts that were dropped and are in the store even so."""
        left = (sha for sha in sorted(self.dropped) if sha in self._store)
        return tuple(sha.decode() for sha in left if isinstance(blob := self._store[sha], Blob) and blob.data.strip())

    def _object(self, sha: ObjectID) -> ShaFile:
        return self._fresh.get(sha) or self._store[sha]

    def _raw(self, sha: ObjectID) -> tuple[int, bytes]:
        fresh = self._fresh.get(sha)
        return (fresh.type_num, fresh.as_raw_string()) if fresh is not None else self._store.get_raw(sha)

    def _rewritten(self, found: ShaFile) -> ObjectID:
        match found:
            case Commit():
                return self._commit(found)
            case Tree():
                return self._tree(found.id, b"")
            case Tag():
                return self._tag(found)
            case _:
                return self.blob(found.id)

    def _tree(self, sha: ObjectID, folder: bytes) -> ObjectID:
        known = self._trees.get((sha, folder))
        if known is not None:
            return known
        self._step()
        kind, data = self._raw(sha)
        entries: list[Entry] = self._entries(data) if kind == Tree.type_num else []
        same = self._same[folder]
        become: dict[Entry, Entry | None] = {}
        for entry in entries:
            if entry not in same:
                new = self._entry(entry, folder)
                if new == entry:
                    same.add(entry)
                else:
                    become[entry] = new
        result = sha
        if become:
            tree = Tree()
            for entry in entries:
                if (kept := become.get(entry, entry)) is not None:
                    tree.add(*kept)
            result = self._added(tree)
        self._trees[sha, folder] = result
        return result

    def _entries(self, data: bytes) -> list[Entry]:
        width = self._store.object_format.oid_length
        return [(name, mode, ObjectID(sha)) for name, mode, sha in parse_tree(data, width)]

    def _entry(self, entry: Entry, folder: bytes) -> Entry | None:
        """What *entry* of the tree at *folder* becomes; None: it goes."""
        name, mode, sha = entry
        path = folder + name
        if self._goes(path, sha):
            self.dropped.add(sha)
            return None
        if mode & _KINDS == _FOLDER:
            child = self._tree(sha, path + b"/")
            if not self._raw(child)[1]:
                return None
        else:
            child = sha if S_ISGITLINK(mode) else self.blob(sha)
        return self._redaction.scrub(name) or b"forgotten", mode, child

    def _commit(self, old: Commit) -> ObjectID:
        tree = self._tree(old.tree, b"")
        parents = [self._done[parent] for parent in old.parents]
        message = self._redaction.scrub(_HASH.sub(self._mapped, old.message))
        if tree == old.tree and parents == old.parents and message == old.message and not holds(old, self._redaction):
            return old.id
        new = Commit()
        new.tree, new.parents, new.message = tree, parents, message
        new.author, new.committer = (self._redaction.scrub(who) for who in (old.author, old.committer))
        new.author_time, new.commit_time = old.author_time, old.commit_time
        new.author_timezone, new.commit_timezone = old.author_timezone, old.commit_timezone
        new.encoding = old.encoding
        return self._added(new)

    def _mapped(self, name: "re.Match[bytes]") -> bytes:
        """The new id of a commit that a message names, as an undo names what it undoes."""
        return self._done.get(ObjectID(name[0]), ObjectID(name[0]))

    def _tag(self, old: Tag) -> ObjectID:
        kind, sha = old.object
        if self._done[sha] == sha and not holds(old, self._redaction):
            return old.id
        new = Tag()
        new.name, new.object = self._redaction.scrub(old.name), (kind, self._done[sha])
        new.tagger, new.tag_time, new.tag_timezone = old.tagger, old.tag_time, old.tag_timezone
        new.message = self._redaction.scrub(old.message or b"")
        return self._added(new)

    def _added(self, new: ShaFile) -> ObjectID:
        self._fresh[new.id] = new
        self._fresh_bytes += new.raw_length()
        self.changed += 1
        if self._fresh_bytes > _AT_ONCE_BYTES:
            self.flush()
        return new.id


def above(found: ShaFile) -> Iterable[ObjectID]:
    """What a commit or a tag stands on."""
    if isinstance(found, Commit):
        return found.parents
    return (found.object[1],) if isinstance(found, Tag) else ()


def holds(found: ShaFile, redaction: Redaction) -> bool:
    """Whether *found* itself says what is to be forgotten."""
    match found:
        case Blob():
            return redaction.touches(found.data)
        case Tree():
            return any(redaction.touches(entry.path) for entry in found.items())
        case Commit():
            return any(map(redaction.touches, (found.message, found.author, found.committer)))
        case Tag():
            return redaction.touches(found.message or b"") or redaction.touches(found.name)
    return False
