"""What can go wrong with pages, files and history: one class a fact, with the fields that a reply needs."""


class StoreError(Exception):
    """Base of all errors of this room. The message names the thing and the next step."""


# -- pages ---


class NotText(StoreError):
    """The bytes are no UTF-8 text, from *line* on where that can be said: never guessed at, never rewritten."""

    def __init__(self, reason: str, path: str | None = None, line: int | None = None) -> None:
        self.reason = reason
        self.path = path
        self.line = line
        super().__init__(f"{path or 'this file'} is not UTF-8 text: {reason}; save it as UTF-8 to have it remembered")


class PageReadOnly(StoreError):
    """The page has a problem, so an edit could break what its owner wrote: nothing was changed."""

    def __init__(self, line: int, reason: str, path: str | None = None) -> None:
        self.line = line
        self.reason = reason
        self.path = path
        super().__init__(f"{path or 'page'}:{line}: {reason}; the page was left as it is, mend that line by hand first")


# -- files ---


class NotContained(StoreError):
    """The path leads out of the vault, or names no file that could be a page."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path!r} {reason}; name a file inside the vault")


class PathTooLong(StoreError):
    """No file can have such a name, or not one that is written by way of another beside it."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path[:60]!r}… is too long for the name of a page")


class PageMissing(StoreError):
    """No such file in the vault."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} does not exist; `reverie memory ls` lists the pages")


class PageUnreadable(StoreError):
    """The file is there but could not be read just now: its old entry is to be kept, the read tried again."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path} cannot be read: {reason}; what was known of it is kept until it can")


class PageChanged(StoreError):
    """The file is not the version that the write was made for: nothing was written. None stands for no file."""

    def __init__(self, path: str, expected: str | None, found: str | None) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        happened = "is gone" if found is None else "exists already" if expected is None else "was changed meanwhile"
        super().__init__(f"{path} {happened}; read it again and repeat the change")


class WouldLoseText(StoreError):
    """The write would empty a page or lose most of its words: refused. Both counts are words."""

    def __init__(self, path: str, words: int, kept: int) -> None:
        self.path = path
        self.words = words
        self.kept = kept
        super().__init__(f"{path}: the write would keep {kept} of {words} words; it was refused, the page is untouched")


class NotOurs(StoreError):
    """The vault belongs to somebody else, and the path is outside `reverie/`, all that may be written there."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} is the owner's; in this vault only files below reverie/ are written")


class NotForNotes(StoreError):
    """The page is a record of conversations or dreams, in which nothing else is written."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} is a record, in which no notes are written; name another page")


class VaultMissing(StoreError):
    """The vault's folder is gone, or another one stands in its place: nothing was written, nothing made."""

    def __init__(self, root: str) -> None:
        self.root = root
        super().__init__(f"the vault is not there: {root}; put it back, or mount it, and all goes on")


class VaultReadOnly(StoreError):
    """The file system or its permissions let nothing be written here."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path} cannot be written: {reason}; make the vault writable for this user")


class NoSpace(StoreError):
    """The disk, a quota or a size limit is full. What stood there before is intact."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"no space to write {path}: {reason}; free some and try again, nothing was lost")


class PageUnwritable(StoreError):
    """The write failed for another reason of the file system. What stood there before is intact."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path} could not be written: {reason}; the page is as it was")


# -- facts ---


class FactInvalid(StoreError):
    """An attribute, value or rule that the grammar cannot hold: nothing was written."""

    def __init__(self, attribute: str, reason: str) -> None:
        self.attribute = attribute
        self.reason = reason
        super().__init__(f"[{attribute}] cannot be written as a fact: {reason}")


class ChangeAmbiguous(StoreError):
    """A change that names one value where several stand: nothing was written."""

    def __init__(self, path: str, attribute: str, values: tuple[str, ...]) -> None:
        self.path = path
        self.attribute = attribute
        self.values = values
        super().__init__(
            f"{path}: [{attribute}] has {len(values)} values; say which of them changes: {', '.join(values)}"
        )


class FactNotWritten(StoreError):
    """What was to be written would not read back (an unclosed code fence or comment swallows it): nothing was."""

    def __init__(self, path: str, attribute: str, line: int) -> None:
        self.path = path
        self.attribute = attribute
        self.line = line
        super().__init__(
            f"{path}:{line}: [{attribute}] would not be read back from there; close the code fence or comment above it"
        )


# -- history ---


class HistoryBusy(StoreError):
    """Another git program holds the repository, or left its lock behind. The pages are written; their commit waits."""

    def __init__(self, what: str, hint: str) -> None:
        self.what = what
        self.hint = hint
        super().__init__(f"the history is busy: {what}; {hint}")


class HistoryDamaged(StoreError):
    """The repository cannot be read. Pages are not touched by this; their history is."""

    def __init__(self, folder: str, reason: str) -> None:
        self.folder = folder
        self.reason = reason
        super().__init__(f"the history in {folder} is damaged: {reason}; move that folder away to start a new one")


class CommitUnknown(StoreError):
    """No single change of the history has this id."""

    def __init__(self, commit: str, matches: int = 0) -> None:
        self.commit = commit
        self.matches = matches
        if matches:
            message = (
                f"{matches} changes have an id that starts with {commit!r}; give at least 4 characters, and enough"
            )
        else:
            message = f"no change has the id {commit!r}"
        super().__init__(message)


class UndoConflict(StoreError):
    """Lines that the change made were changed again since: nothing was undone."""

    def __init__(self, commit: str, paths: tuple[str, ...]) -> None:
        self.commit = commit
        self.paths = paths
        super().__init__(f"{', '.join(paths)} changed again since {commit[:8]}; undo the later change first, or edit")


class ProposalUnknown(StoreError):
    """No parked change has this id, or several have one that starts so."""

    def __init__(self, proposal: str) -> None:
        self.proposal = proposal
        super().__init__(f"no single parked change has the id {proposal!r}; `reverie proposals ls` lists them")


class NothingToUndo(StoreError):
    """No change of ours is left to undo, or this one took its text away for good."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)
