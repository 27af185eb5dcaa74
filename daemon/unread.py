"""
Words of the owner that a model was to read and could not: kept in the state folder until one can.

The words are in the journal as well; what is kept here only says that nothing was drawn from them yet.
"""

import secrets
from collections.abc import Iterable
from pathlib import Path

import msgspec

TRIES_AT_MOST = 3  # with one model; another may still be able to


class Kept(msgspec.Struct):
    """*words* as they were told *when* (a day), filed under *source*; *tries* by model."""

    words: str
    when: str
    source: str | None = None
    tries: dict[str, int] = {}
    id: str = ""


class Unread:
    """The queue, a file an entry. A file that cannot be read is left where it is, and skipped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, words: str, when: str, source: str | None, model: str) -> None:
        """Keep *words*; the first try with *model* has failed."""
        self._put(Kept(words, when, source, {model: 1}, f"{when}-{secrets.token_hex(4)}"))

    def waiting(self, model: str | None = None) -> list[Kept]:
        """All that is kept, oldest first; with *model*, what it was not tried with too often."""
        found = []
        for file in sorted(self._folder.glob("*.json")):
            try:
                kept = msgspec.json.decode(file.read_bytes(), type=Kept)
            except (OSError, msgspec.MsgspecError):
                continue
            if model is None or kept.tries.get(model, 0) < TRIES_AT_MOST:
                kept.id = file.stem
                found.append(kept)
        return found

    def failed(self, kept: Kept, model: str) -> None:
        """Count another try with *model*."""
        kept.tries[model] = kept.tries.get(model, 0) + 1
        self._put(kept)

    def done(self, kept: Kept) -> None:
        """It was read."""
        (self._folder / f"{kept.id}.json").unlink(missing_ok=True)

    def scrub(self, values: Iterable[str]) -> None:
        """Drop every entry that holds one of *values*, in any case and spacing."""
        sought = [" ".join(value.casefold().split()) for value in values]
        for kept in self.waiting():
            words = " ".join(kept.words.casefold().split())
            if any(value in words for value in sought):
                self.done(kept)
        for leftover in self._folder.glob(".*.part"):  # of a kill
            leftover.unlink(missing_ok=True)

    def _put(self, kept: Kept) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f".{kept.id}.part"
        part.write_bytes(msgspec.json.encode(kept))
        part.rename(self._folder / f"{kept.id}.json")
