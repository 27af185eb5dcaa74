"""What can go wrong with pages, files and history: one class a fact, with the fields that a reply needs."""


class StoreError(Exception):
    """Base of all errors of this room. The message names the thing and the next step."""


# -- pages ---


class NotText(StoreError):
    """The bytes are no UTF-8 text: never guessed at, never rewritten."""

    def __init__(self, reason: str, path: str | None = None) -> None:
        self.reason = reason
        self.path = path
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
