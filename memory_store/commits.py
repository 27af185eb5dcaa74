"""What commits tell: who changed what and why, what they undo, and what they forgot for good."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from dulwich.diff_tree import tree_changes
from dulwich.objects import Commit as GitCommit
from dulwich.objects import ObjectID
from dulwich.repo import Repo

from memory_store.repository import US, Repository, commit_object

FINAL = "Forgotten for good."
_UNDOES = "Undoes: "
_TOMBSTONE = re.compile(r"- \[.+\] forgotten(?: \(.*\))?")  # as `values.commit_message` writes it
_MOST_KNOWN = 1000


@dataclass(frozen=True)
class Commit:
    """
    One change: *when* is ISO 8601 with offset, *paths* are relative to the vault, *undoes* an id or empty.

    *final*: it forgot something for good, so that there is nothing to go back to. *forgets*: it put a tombstone where
    a fact was, as asked.
    """

    id: str
    when: str
    author: str
    message: str
    paths: tuple[str, ...]
    ours: bool
    undoes: str = ""
    final: bool = False
    forgets: bool = False


class Commits:
    """Reads what commits of *git* tell, and remembers it: they never change."""

    def __init__(self, git: Repository) -> None:
        self._git = git
        self._known: dict[ObjectID, Commit] = {}

    def described(self, repo: Repo, commit: GitCommit) -> Commit:
        """What *commit* tells."""
        known = self._known.get(commit.id)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[commit.id] = self._describe(repo, commit)
        return known

    def clear(self) -> None:
        """Forget what was read."""
        self._known.clear()

    def _describe(self, repo: Repo, commit: GitCommit) -> Commit:
        parent = commit_object(repo, commit.parents[0].decode()).tree if commit.parents else None
        paths = (self._git.from_repo(changed_path(c)) for c in tree_changes(repo.object_store, parent, commit.tree))
        message = commit.message.decode("utf-8", "replace").rstrip()
        undoes = next((line.removeprefix(_UNDOES) for line in message.splitlines() if line.startswith(_UNDOES)), "")
        zone = timezone(timedelta(seconds=commit.author_timezone))
        return Commit(
            commit.id.decode(),
            datetime.fromtimestamp(commit.author_time, zone).isoformat(),
            commit.author.decode("utf-8", "replace").partition(" <")[0],
            message,
            tuple(path for path in paths if path is not None),
            commit.author == US,
            undoes,
            FINAL in message.splitlines(),
            any(_TOMBSTONE.fullmatch(line) for line in message.splitlines()[1:]),
        )


def undo_message(commit: Commit) -> str:
    """The message of the commit that undoes *commit*, by which `find` knows it."""
    return f"Undo: {commit.message.partition(chr(10))[0]}\n\n{_UNDOES}{commit.id}"


def refusal(forgot: Commit, before: Commit | None) -> str:
    """Why an undo without an id stops at *forgot*, and what to say for the change *before* it."""
    told = "a forget cannot be undone" if forgot.final else "what was asked to be forgotten is not brought back unasked"
    reason = f"the newest change is a forget ({_named(forgot)}): {told}"
    if before is None:
        return f"{reason}; no change before it is left to undo"
    return f"{reason}; the change before it is {_named(before)}: `reverie undo {before.id[:10]}` takes that back"


def _named(commit: Commit) -> str:
    return f"{commit.id[:10]} of {commit.when[:16].replace('T', ' ')}, “{commit.message.partition(chr(10))[0]}”"


def changed_path(change: object) -> bytes:
    """The path in the repository of a change between two trees."""
    for side in ("new", "old"):
        path = getattr(getattr(change, side), "path", None)
        if isinstance(path, bytes):
            return path
    raise ValueError("a change without a path")
