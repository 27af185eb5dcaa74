"""Following the files of the vault: what changed is synced, one sync at a time, and a failure is tried again."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from daemon import wire
from daemon.config import Vault as Settings
from daemon.errors import message_of, note
from daemon.events import Events
from memory_store.watch import Watcher

log = logging.getLogger(__name__)
RETRY_S = 30.0
POLL_RESCANS = 6  # the rescan job looks at everything; the watcher's own look also mends notifications that ended


class Following:
    """Calls *sync* in a thread with the paths that changed (None: perhaps all), and *done* with what it did."""

    def __init__(
        self,
        sync: Callable[[Sequence[str] | None], wire.Synced],
        done: Callable[[wire.Synced], None],
        events: Events,
    ) -> None:
        self._sync = sync
        self._done = done
        self._events = events
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: Watcher | None = None
        self._news = asyncio.Event()
        self._changed: set[str] = set()
        self._all_changed = False
        self._behind_since: float | None = None
        self._level = asyncio.Event()  # nothing waits, or a look at everything, which takes its time
        self._level.set()
        self._failure: str | None = None

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Changes are handled in *loop*; before this nothing may be told."""
        self._loop = loop

    async def start(self, vault: Path, settings: Settings, stack: AsyncExitStack) -> None:
        """Watch *vault* until *stack* ends; the first look at everything goes on in the background."""
        follower = asyncio.create_task(self._follow(), name="memory")
        stack.push_async_callback(_ended, follower)
        watcher = Watcher(vault, self.tell, settings.debounce_ms / 1000, poll_s=POLL_RESCANS * settings.rescan_s)
        await asyncio.to_thread(watcher.start)
        stack.push_async_callback(asyncio.to_thread, watcher.stop)
        self._watcher = watcher
        self.note(None)

    def tell(self, paths: frozenset[str] | None) -> None:
        """*paths* changed (None: look at everything); from any thread."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.note, paths)

    def note(self, paths: frozenset[str] | None) -> None:
        """As `tell`, from the loop."""
        if paths is None:
            self._all_changed = True
        else:
            self._changed |= paths
            self._level.clear()
        if self._behind_since is None:
            self._behind_since = time.monotonic()
        self._news.set()

    async def _follow(self) -> None:
        """Sync after every change, one at a time; what changes meanwhile is synced next."""
        while True:
            await self._news.wait()
            self._news.clear()
            paths = None if self._all_changed else sorted(self._changed)
            self._changed.clear()
            self._all_changed = False
            began = time.monotonic()
            if paths is None:
                self._level.set()
            try:
                synced = await asyncio.to_thread(self._sync, paths)
            except Exception as error:  # noqa: BLE001 - a job's door: following the files must outlive one failure
                note(log, error, "sync")
                self._failure = f"the index cannot follow the files: {message_of(error)}"
                self._events.publish("sync_failed", message_of(error), "error")
                asyncio.get_running_loop().call_later(RETRY_S, self.note, None)
                continue
            self._failure = None
            self._behind_since = began if self._news.is_set() else None
            if not self._news.is_set():
                self._level.set()
            self._done(synced)

    async def caught_up(self, within_s: float) -> None:
        """Wait until pages that are told to have changed are synced; not for a look at everything."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._level.wait(), within_s)

    @property
    def lag_s(self) -> float:
        """How long the oldest change has waited; 0 when none does."""
        return 0.0 if self._behind_since is None else time.monotonic() - self._behind_since

    @property
    def waiting(self) -> int:
        """How many paths wait for the next sync."""
        return len(self._changed)

    @property
    def is_watching(self) -> bool:
        """Whether changes are told by the system, rather than found by looking."""
        return self._watcher is not None and self._watcher.watching

    def problems(self) -> list[str]:
        """What keeps the index from following."""
        found = [self._failure] if self._failure else []
        if self._watcher is not None and self._watcher.problem:
            found.append(self._watcher.problem)
        return found


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait({task})
