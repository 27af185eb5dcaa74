"""What happened, as the status screen, `reverie logs -f` and scripts follow it. Never the owner's words."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

from daemon.wire import Event, Severity

KEPT = 1000
BEHIND = 256


class FellBehind(Exception):
    """A reader of the stream was too slow and is dropped; it comes back with the last id it saw."""


class Events:
    """
    A ring of the last events and its readers.

    Readers have bounded queues: one who does not read is dropped, so that nothing grows without bound.
    """

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._now = now
        self._ring: deque[Event] = deque(maxlen=KEPT)
        self._readers: set[asyncio.Queue[Event | FellBehind | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._next = 1
        self._open = True

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Name the loop that the readers live on; from then on other threads may publish too."""
        self._loop = loop

    def publish(self, kind: str, message: str, severity: Severity = "ok", **data: Any) -> None:
        """Tell what happened. Safe from any thread."""
        try:
            running: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if self._loop is None or running is self._loop:
            self._add(kind, message, severity, data)
        else:
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody reads any more
                self._loop.call_soon_threadsafe(self._add, kind, message, severity, data)

    def _add(self, kind: str, message: str, severity: Severity, data: dict[str, Any]) -> None:
        when = self._now().isoformat(timespec="milliseconds")
        event = Event(id=self._next, when=when, kind=kind, message=message, severity=severity, data=data)
        self._next += 1
        self._ring.append(event)
        for queue in list(self._readers):
            if queue.qsize() >= BEHIND:
                self._drop(queue)
            else:
                queue.put_nowait(event)

    def _drop(self, queue: "asyncio.Queue[Event | FellBehind | None]") -> None:
        self._readers.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(FellBehind())

    def recent(self, since: int | None = None) -> list[Event]:
        """Events kept with an id above *since*, oldest first; an id from before a restart gives all that is kept."""
        if since is None or since >= self._next:
            return list(self._ring)
        return [event for event in self._ring if event.id > since]

    async def follow(self, since: int | None = None, *, heartbeat_s: float = 15.0) -> AsyncIterator[Event | None]:
        """
        Events after *since* (None: from now on), then each as it happens; None when *heartbeat_s* passed in silence.

        Ends when the daemon stops.

        Raises:
            FellBehind: the reader left too many unread.
        """
        queue: asyncio.Queue[Event | FellBehind | None] = asyncio.Queue()
        self._readers.add(queue)
        try:
            for event in self.recent(since) if since is not None else ():
                yield event
            while self._open or not queue.empty():
                try:
                    following = await asyncio.wait_for(queue.get(), heartbeat_s)
                except TimeoutError:
                    yield None
                    continue
                if following is None:
                    return
                if isinstance(following, FellBehind):
                    raise following
                yield following
        finally:
            self._readers.discard(queue)

    def close(self) -> None:
        """End all readers."""
        self._open = False
        for queue in list(self._readers):
            queue.put_nowait(None)
