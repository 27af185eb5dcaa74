"""
What happened, as facts in the past: posted by workers, handled by the app, which alone changes what is shown.
"""

from dataclasses import dataclass

from textual.message import Message

from daemon import wire
from daemon.client import ChatChunk


@dataclass
class StatusRead(Message):
    """The daemon told how it is."""

    status: wire.Status


@dataclass
class DaemonWentAway(Message):
    """The daemon did not answer; *reason* is one line with the next step."""

    reason: str


@dataclass
class EventHappened(Message):
    """An event of the daemon arrived."""

    event: wire.Event


@dataclass
class ModelsListed(Message):
    """The models that the daemon knows arrived."""

    models: list[wire.ModelInfo]


@dataclass
class QuestionSent(Message):
    """The owner sent *text* in the chat."""

    text: str


@dataclass
class ReplyGrew(Message):
    """A piece of the running reply arrived. *serial* counts the questions of this chat."""

    serial: int
    chunk: ChatChunk


@dataclass
class ReplyEnded(Message):
    """The running reply is complete, or *stopped* by the owner."""

    serial: int
    stopped: bool = False


@dataclass
class ReplyFailed(Message):
    """The running reply broke off."""

    serial: int
    reason: str


@dataclass
class FeedbackNoted(Message):
    """The daemon took note of what the owner thinks of a reply. *serial* counts the questions of this chat."""

    serial: int
    verdict: str


@dataclass
class QueryChanged(Message):
    """The owner typed in the search field; an empty *query* lists all pages."""

    query: str


@dataclass
class HitsFound(Message):
    """A search ended. *query* tells late replies from the one that is waited for."""

    query: str
    reply: wire.SearchReply


@dataclass
class PagesListed(Message):
    """All pages arrived."""

    pages: list[wire.PageInfo]


@dataclass
class PageChosen(Message):
    """The owner moved to a page, or followed a source to it; *line* counts from 1. *opened*: not only passed by."""

    path: str
    line: int = 1
    opened: bool = False


@dataclass
class PageRead(Message):
    """A page's text arrived, to be shown at *line*."""

    page: wire.PageView
    line: int


@dataclass
class CallFailed(Message):
    """A call that the owner asked for failed; *reason* is one line."""

    reason: str
