"""Which contents a page has had under earlier names, as the commits tell: a page that was renamed or moved is one."""

from collections.abc import Iterable

from dulwich.diff_tree import CHANGE_RENAME, RenameDetector, TreeChange, tree_changes
from dulwich.object_store import BaseObjectStore
from dulwich.objects import Blob, Commit, ObjectID

Version = tuple[bytes, ObjectID]
_ALIKE_PERCENT = 60
_EMPTY = Blob().id


def changes_of(store: BaseObjectStore, commit: Commit) -> list[TreeChange]:
    """What *commit* changed since its first parent."""
    return list(tree_changes(store, _tree_before(store, commit), commit.tree))


def lineage(store: BaseObjectStore, commits: Iterable[Commit], name: bytes) -> set[Version]:
    """
    Names and contents that the page now at *name* has had; *commits* come oldest first.

    A page goes on under another name where one goes and one comes with the same or nearly the same text in one commit,
    or with the same text in two, in either order.
    """
    pages: dict[bytes, set[Version]] = {}
    begun_as: dict[bytes, ObjectID] = {}
    gone: dict[ObjectID, set[Version]] = {}
    for commit in commits:
        changes = changes_of(store, commit)
        if {"add", "delete"} <= {change.type for change in changes}:
            detector = RenameDetector(store, rename_threshold=_ALIKE_PERCENT)
            changes = detector.changes_with_renames(_tree_before(store, commit), commit.tree)
        moved = {
            change.old.path: pages.pop(change.old.path, set())
            for change in changes
            if change.type == CHANGE_RENAME and change.old and change.old.path
        }
        for change in changes:
            if change.type == "delete" and change.old and change.old.path and change.old.sha:
                held, last = pages.pop(change.old.path, set()), change.old.sha
                heir = next((path for path in pages if begun_as[path] == last != _EMPTY), None)
                if heir is not None:
                    pages[heir] |= held
                elif last != _EMPTY:
                    gone[last] = held
        for change in changes:
            if change.type == "delete" or not change.new or not change.new.path or not change.new.sha:
                continue
            path, sha = change.new.path, change.new.sha
            if path not in pages:
                before = change.old.path if change.type == CHANGE_RENAME and change.old else None
                pages[path] = moved.get(before, set()) if before else gone.pop(sha, set())
                begun_as[path] = sha
            pages[path].add((path, sha))
    return pages.get(name, set())


def _tree_before(store: BaseObjectStore, commit: Commit) -> ObjectID | None:
    parent = store[commit.parents[0]] if commit.parents else None
    return parent.tree if isinstance(parent, Commit) else None
