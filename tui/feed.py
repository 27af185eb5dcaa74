"""
Calls to the daemon, to be run in worker threads: each ends in messages to *target* and touches nothing on the screen.
"""

from collections.abc import Callable, Sequence
from threading import Event
from typing import Literal

from textual.message import Message
from textual.message_pump import MessagePump

from daemon import wire
from daemon.client import ChatChunk, Client, DaemonError, Stream, Turn
from tui.messages import (
    CallFailed,
    DaemonWentAway,
    EventHappened,
    FeedbackNoted,
    HitsFound,
    ModelsListed,
    PageRead,
    PagesListed,
    ReplyEnded,
    ReplyFailed,
    ReplyGrew,
    StatusRead,
)

STATUS_EVERY_S = 1.0
RETRY_EVERY_S = 2.0


def one_line(error: DaemonError) -> str:
    """The error and the next step."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def follow_status(client: Client, target: MessagePump, stopped: Event) -> None:
    """Post a `StatusRead` or a `DaemonWentAway` about once a second, until *stopped* is set."""
    while not stopped.is_set():
        try:
            target.post_message(StatusRead(client.status()))
        except DaemonError as error:
            target.post_message(DaemonWentAway(one_line(error)))
        stopped.wait(STATUS_EVERY_S)


def judge(client: Client, target: MessagePump, verdict: Literal["up", "down"], exchange: str, serial: int) -> None:
    """Tell the daemon what the owner thinks of *exchange*."""
    try:
        client.feedback(verdict, exchange=exchange)
    except DaemonError as error:
        target.post_message(CallFailed(one_line(error)))
    else:
        target.post_message(FeedbackNoted(serial, verdict))


class EventFeed:
    """Follows the daemon's events and comes back after a restart of the daemon; `close` ends it from any thread."""

    def __init__(self, client: Client, target: MessagePump) -> None:
        self._client = client
        self._target = target
        self._stopped = Event()
        self._stream: Stream[wire.Event] | None = None

    def follow(self) -> None:
        """Post an `EventHappened` for each event, those kept from before included, until `close`."""
        since = 0
        while not self._stopped.is_set():
            try:
                with self._client.events(since=since) as stream:
                    self._stream = stream
                    if self._stopped.is_set():
                        return
                    for event in stream:
                        since = event.id
                        self._target.post_message(EventHappened(event))
            except DaemonError:
                since = 0  # a daemon that starts anew counts anew; its status tells the owner that it was away
            self._stopped.wait(RETRY_EVERY_S)

    def close(self) -> None:
        """End `follow`, also while it waits for an event."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.close()


class Reply:
    """One running reply, which the owner may stop."""

    def __init__(self, client: Client, target: MessagePump, serial: int, turns: Sequence[Turn], model: str) -> None:
        self.serial = serial
        self._client = client
        self._target = target
        self._turns = turns
        self._model = model
        self._stopped = Event()
        self._stream: Stream[ChatChunk] | None = None

    def stream(self) -> None:
        """Post a `ReplyGrew` a chunk, then `ReplyEnded` or `ReplyFailed`."""
        try:
            with self._client.chat_stream(self._turns, model=self._model) as stream:
                self._stream = stream
                for chunk in stream:
                    self._target.post_message(ReplyGrew(self.serial, chunk))
                    if self._stopped.is_set():
                        break
        except DaemonError as error:
            if not self._stopped.is_set():
                self._target.post_message(ReplyFailed(self.serial, one_line(error)))
                return
        self._target.post_message(ReplyEnded(self.serial, stopped=self._stopped.is_set()))

    def stop(self) -> None:
        """Hang up: the daemon frees the model at once."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.close()


def list_models(client: Client, target: MessagePump) -> None:
    """Post `ModelsListed`."""
    _call(target, lambda: ModelsListed(client.models()))


def list_pages(client: Client, target: MessagePump) -> None:
    """Post `PagesListed`."""
    _call(target, lambda: PagesListed(client.pages()))


def search(client: Client, target: MessagePump, query: str) -> None:
    """Post `HitsFound` at once, the last word of *query* perhaps unfinished, then by meaning too where that finds."""

    def whole() -> HitsFound:
        reply = client.search(query, limit=30)
        return HitsFound(query, reply if reply.hits else client.search(query, limit=30, typing=True))

    _call(target, lambda: HitsFound(query, client.search(query, limit=30, typing=True)))
    _call(target, whole)


def read_page(client: Client, target: MessagePump, path: str, line: int, *, opened: bool) -> None:
    """Post `PageRead`; *opened*: not only passed by."""
    _call(target, lambda: PageRead(client.page(path, line=line, preview=not opened), line))


def _call(target: MessagePump, call: Callable[[], Message]) -> None:
    try:
        target.post_message(call())
    except DaemonError as error:
        target.post_message(CallFailed(one_line(error)))
