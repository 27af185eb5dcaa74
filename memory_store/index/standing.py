"""How far the index is behind the files, and why a page is found or not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from memory_store.files import Vault, original_of
from memory_store.index.manifest import Entry, Placed

Known = Callable[[str], tuple[Entry | None, list[Placed]]]


@dataclass(frozen=True)
class IndexStatus:
    """How far the index is behind the files. *rebuilding*: a new one is made, or is due at the next sync."""

    pages: int
    chunks: int
    vectors: int
    pending_pages: int
    pending_vectors: int
    failed: int
    rebuilding: bool
    notice: str | None = None


@dataclass(frozen=True)
class PageStatus:
    """Whether and why a file is found or not."""

    path: str
    state: Literal["indexed", "pending", "ignored", "unreadable", "missing"]
    reason: str
    indexed_at: str | None = None
    chunks: int = 0
    vectors: int = 0
    hash: str | None = None


def page_status(vault: Vault, path: str, known: Known, ready: Callable[[Sequence[Placed]], int]) -> PageStatus:
    """
    Why the file at *path* is found or not; *known* gives what is indexed of it, *ready* how many chunks have vectors.
    """
    parts = path.split("/")
    if ".." not in parts and any(part.startswith(".") for part in parts):
        return PageStatus(path, "ignored", "hidden files and folders hold no pages")
    real = vault.locate(path)
    role = vault.classify(path)
    entry, chunks = known(path)
    try:
        info = real.lstat()
    except FileNotFoundError:
        once = "; it was indexed, and goes at the next sync" if entry else ""
        return PageStatus(path, "missing", f"there is no such file{once}")
    except OSError as error:
        return PageStatus(path, "unreadable", (error.strerror or str(error)).lower())
    if role == "conflict":
        original = original_of(path)
        return PageStatus(path, "ignored", f"a conflicted copy of {original}: kept out of recall, see `doctor`")
    if role == "ignored":
        return PageStatus(path, "ignored", "only visible markdown files are pages, no editor's helpers")
    if (vault.root / path).is_symlink():
        return PageStatus(path, "ignored", "a link: links are not followed")
    if entry is None:
        return PageStatus(path, "pending", "not indexed yet: the next sync takes it in")
    vectors = ready(chunks)
    if entry.problem and (entry.hash is None or entry.size < 0):
        return PageStatus(path, "unreadable", entry.problem, entry.indexed_at, len(chunks), vectors, entry.hash)
    current = (entry.size, entry.mtime_ns, entry.inode) == (info.st_size, info.st_mtime_ns, info.st_ino)
    reason = f"indexed as plain text: {entry.problem}" if entry.problem else "indexed"
    if not current:
        reason = "changed since it was indexed: the next sync takes it in"
    state: Literal["indexed", "pending"] = "indexed" if current else "pending"
    return PageStatus(path, state, reason, entry.indexed_at, len(chunks), vectors, entry.hash)
