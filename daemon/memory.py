"""The open vault in the daemon: opened beside the serving, kept in step with the files, its news told as events."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from daemon import wire
from daemon.config import Config
from daemon.errors import Starting, VaultUnusable
from daemon.events import Events
from daemon.metrics import Metrics


class Memory:
    """Everything the daemon does with the store."""

    def __init__(
        self,
        vault: Path,
        state_dir: Path,
        *,
        owned: bool,
        settings: Callable[[], Config],
        events: Events,
        metrics: Metrics,
    ) -> None:
        self._vault = vault
        self._state_dir = state_dir
        self._owned = owned
        self._settings = settings
        self._events = events
        self._metrics = metrics
        self._failure: VaultUnusable | None = None

    async def open(self, stack: AsyncExitStack) -> None:
        """Open the store; a vault that cannot be used is a problem to show, not a reason to end."""
        del stack
        self._failure = VaultUnusable(self._vault, "memory is not assembled yet")

    def problems(self) -> list[str]:
        """What is wrong with memory as a whole."""
        return [str(self._failure)] if self._failure else []

    def findings(self) -> list[wire.Finding]:
        """What `doctor` tells of memory."""
        return []

    def index_status(self) -> wire.IndexStatus:
        """How far the index is; zeros while there is none."""
        return wire.IndexStatus(
            pages=0, chunks=0, vectors=0, pending_pages=0, pending_vectors=0, lag_s=0.0, watching=False
        )

    async def models_changed(self) -> None:
        """A model was installed or removed."""

    def _store(self) -> object:
        raise self._failure or Starting("memory")

    async def search(self, asked: wire.SearchRequest) -> wire.SearchReply:
        """Chunks that answer, best first."""
        raise NotImplementedError(asked, self._store())

    async def undo(self, commit: str | None) -> wire.Commit:
        """Take back a change of the daemon."""
        raise NotImplementedError(commit, self._store())

    async def reindex(self, paths: list[str] | None) -> wire.Synced:
        """Read pages anew."""
        raise NotImplementedError(paths, self._store())

    def pages(self, prefix: str) -> list[wire.PageInfo]:
        """All pages whose path starts with *prefix*."""
        raise NotImplementedError(prefix, self._store())

    def page(self, path: str) -> wire.PageView:
        """One page."""
        raise NotImplementedError(path, self._store())

    def page_status(self, path: str) -> wire.PageStatus:
        """Whether and why a page is found."""
        raise NotImplementedError(path, self._store())

    def history(self, limit: int) -> list[wire.Commit]:
        """Changes, newest first."""
        raise NotImplementedError(limit, self._store())
