"""
Notices when files of the vault change, by the system's own notifications where they can be had.

Changes are gathered until they pause, then told as paths; what paths cannot tell (folders moved, an overflow) is told
as "look at everything". A folder put in the vault's place is followed from then on. Where no notifications can be had,
everything is looked at from time to time.
"""

import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from watchdog import events
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from memory_store.files import is_page_name, is_unicode

logger = logging.getLogger(__name__)

Changed = Callable[[frozenset[str] | None], None]
_EXHAUSTED = (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_LONGEST_GATHER = 8
_OF_NO_CHANGE = ("", "opened", "closed_no_write")
# What the system is asked to tell. Not that a page is opened to be read: each search reads some.
_CHANGES = [
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, FileSystemEvent) and kind.event_type not in _OF_NO_CHANGE
]


class Watcher(FileSystemEventHandler):
    """
    Calls *on_change* from a thread of its own with the paths (relative to *root*) of pages that changed, came or went.

    Called once changes pause for *debounce_s*, and at the latest after eight times that; None asks for a full look.
    With *poll_s*, a full look is also asked for whenever that long has passed, be notifications running or not.
    """

    def __init__(
        self, root: Path, on_change: Changed, debounce_s: float = 0.15, *, poll_s: float | None = None
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._on_change = on_change
        self._debounce_s = debounce_s
        self._poll_s = poll_s
        self._observer: BaseObserver | None = None
        self._watched: tuple[int, int] | None = None  # the folder that is watched, whatever its name by now
        self._gathered: set[str] = set()
        self._everything = False
        self._since: float | None = None
        self._last = 0.0
        self._wake = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.problem: str | None = None

    @property
    def watching(self) -> bool:
        """Whether the system tells of changes; if not, `problem` says why, and changes are found by looking."""
        if self._observer is None or self.problem is not None:
            return False
        return self._observer.is_alive() and all(each.is_alive() for each in self._observer.emitters.copy())

    def start(self) -> None:
        """Begin. Never fails for want of notifications: then it polls."""
        self._thread = threading.Thread(target=self._tell, name="vault-watch", daemon=True)
        self._thread.start()
        self._observe()

    def stop(self) -> None:
        """End; *on_change* is not called after this returns."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._leave()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Take in one event of the system."""
        if event.is_directory:
            if event.event_type in ("moved", "deleted", "created"):
                self._gather(None)
            return
        for raw in (event.src_path, event.dest_path):
            if raw:
                path = self._relative(os.fsdecode(raw))
                if path is not None:
                    self._gather(path)

    def _observe(self) -> None:
        observer = Observer()
        self._watched = self._standing()
        try:
            observer.schedule(self, str(self._root), recursive=True, event_filter=_CHANGES)
            above = str(self._root.parent)
            observer.schedule(_Door(self._root, self._gather), above, recursive=False, event_filter=_CHANGES)
            observer.start()
        except OSError as error:
            self._fall_back(error)
            return
        self._observer = observer
        self.problem = None

    def _leave(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            if self._observer.is_alive():
                self._observer.join()
            self._observer = None

    def _standing(self) -> tuple[int, int] | None:
        try:
            info = self._root.stat()
        except OSError:
            return None
        return info.st_dev, info.st_ino

    def _keep_watching(self) -> None:
        """Watch anew where notifications have ended, or another folder stands in the place of the one watched."""
        standing = self._standing()
        ended = not self.watching and self.problem is None and self._observer is not None
        if standing is not None and (ended or standing != self._watched):
            self._leave()
            self._observe()

    def _fall_back(self, error: OSError) -> None:
        exhausted = error.errno in _EXHAUSTED and sys.platform == "linux"
        limit = " (raise fs.inotify.max_user_watches)" if exhausted else ""
        self.problem = f"the system gives no notifications of changes: {error.strerror or error}{limit}"
        logger.warning("watch: %s; looking at the vault from time to time instead", self.problem)
        self._gather(None)

    def _relative(self, path: str) -> str | None:
        name = os.path.basename(path)  # noqa: PTH119 (thousands of events in a burst)
        if not is_page_name(name) or not path.startswith(f"{self._root}{os.sep}"):
            return None
        relative = path[len(str(self._root)) + 1 :].replace(os.sep, "/")
        hidden = any(part.startswith(".") for part in relative.split("/"))
        return relative if not hidden and is_unicode(relative) else None

    def _gather(self, path: str | None) -> None:
        with self._wake:
            if path is None:
                self._everything = True
            else:
                self._gathered.add(path)
            self._last = time.monotonic()
            if self._since is None:
                self._since = self._last
            self._wake.notify_all()

    def _tell(self) -> None:
        looked = time.monotonic()
        while True:
            with self._wake:
                while not self._stopping and (wait := self._wait(looked)) != 0:
                    self._wake.wait(wait)
                if self._stopping:
                    return
                everything = self._everything or self._since is None
                paths = frozenset(self._gathered)
                self._gathered.clear()
                self._everything = False
                self._since = None
            if everything:
                looked = time.monotonic()
                self._keep_watching()
            self._on_change(None if everything else paths)

    def _wait(self, looked: float) -> float | None:
        """Seconds until something is to be told; 0 for now, None for as long as nothing happens."""
        now = time.monotonic()
        due = []
        if self._since is not None:
            due.append(min(self._last + self._debounce_s, self._since + _LONGEST_GATHER * self._debounce_s))
        if self._poll_s is not None:
            due.append(looked + self._poll_s)
        return max(0.0, min(due) - now) if due else None


class _Door(FileSystemEventHandler):
    """Sees the vault's folder come, go or be replaced, which is told in the folder above it."""

    def __init__(self, root: Path, gather: Callable[[None], None]) -> None:
        self._root = str(root)
        self._gather = gather

    def dispatch(self, event: FileSystemEvent) -> None:
        """Ask for a full look where it is about the vault itself."""
        about = (os.fsdecode(event.src_path), os.fsdecode(event.dest_path))
        if event.event_type in ("created", "moved", "deleted") and self._root in about:
            self._gather(None)
