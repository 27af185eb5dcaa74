"""Pages, and how the index keeps up with them."""

from typing import Literal

from daemon.wire.base import Wire


class PageInfo(Wire, frozen=True):
    """A page in a listing."""

    path: str
    title: str
    size_bytes: int
    modified: str
    chunks: int
    tags: list[str] = []


class PageView(Wire, frozen=True):
    """A page to read. *text* has its line ends normalised to `\\n`; the file keeps its own."""

    path: str
    title: str
    text: str
    hash: str


class PageStatus(Wire, frozen=True):
    """Whether and why a file is found or not."""

    path: str
    state: Literal["indexed", "pending", "ignored", "unreadable", "missing"]
    reason: str
    indexed_at: str | None = None
    chunks: int = 0
    vectors: int = 0
    hash: str | None = None


class ReindexRequest(Wire, frozen=True):
    """None: the whole vault, rebuilt beside the running index and swapped in."""

    paths: list[str] | None = None


class Synced(Wire, frozen=True):
    """What a sync did. *failed* holds `path: reason` lines; their old entries were kept."""

    added: int
    updated: int
    removed: int
    unchanged: int
    failed: list[str]
    took_s: float


class IndexStatus(Wire, frozen=True):
    """How far the index is behind the files. *lag_s* is 0 when nothing waits."""

    pages: int
    chunks: int
    vectors: int
    pending_pages: int
    pending_vectors: int
    lag_s: float
    watching: bool
    rebuilding: bool = False
    failed: int = 0
