"""What memory is told, and what becomes of it: remembered, forgotten, parked, undone."""

from typing import Literal

from daemon.wire.base import Source, Wire
from daemon.wire.facts import FactChanged, FactLine
from daemon.wire.search import AnswerKind


class RememberRequest(Wire, frozen=True):
    """Words to remember. *page* names the page (default: chosen by topic); *verbatim* files them as they are."""

    text: str
    page: str | None = None
    verbatim: bool = False


class Remembered(Wire, frozen=True):
    """
    What became of the words: facts changed (consequences included), or a note line; and the id that undoes it.

    *notice* says where it waits: parked beside an edit of the owner's, or without its commit.
    """

    changes: list[FactChanged]
    noted: Source | None = None
    commit: str | None = None
    notice: str | None = None


class ForgetRequest(Wire, frozen=True):
    """*what* is an attribute or a page path. Without *confirm* nothing happens: the reply says what would."""

    what: str
    confirm: bool = False


class Forgotten(Wire, frozen=True):
    """What was (or, unconfirmed, would be) removed, and the dependants that became `?`."""

    done: bool
    matches: list[FactLine]
    changes: list[FactChanged] = []
    places: list[str] = []


class ParkedChange(Wire, frozen=True):
    """A change of the daemon's that met an edit of the owner's on the same lines, and waits. *diff* is unified."""

    id: str
    when: str
    path: str
    message: str
    diff: str = ""


class ProposalRequest(Wire, frozen=True):
    """Names a parked change."""

    id: str


class ChatMemory(Wire, frozen=True):
    """
    What memory did in a chat with a `:memory` model: the `reverie` member of the reply, or of a stream's last chunk.

    *sources* is what the reply was given to read, best first; *changes* is what the user's words changed. *exchange*
    names question and reply for feedback.
    """

    sources: list[Source] = []
    changes: list[FactChanged] = []
    commit: str | None = None
    kind: AnswerKind | None = None
    exchange: str | None = None


class FeedbackRequest(Wire, frozen=True):
    """
    What the owner thinks of an answer: of an *exchange* (see `ChatMemory`), or of any *question*.

    *correction* is the right answer, where they say it.
    """

    verdict: Literal["up", "down"]
    exchange: str | None = None
    question: str | None = None
    correction: str | None = None


class FeedbackNoted(Wire, frozen=True):
    """What became of feedback: *trains* says whether the night has a right answer to learn from; what it changed."""

    question: str
    trains: bool
    changes: list[FactChanged] = []
    commit: str | None = None


class UndoRequest(Wire, frozen=True):
    """None undoes the newest change of the daemon."""

    id: str | None = None


class Commit(Wire, frozen=True):
    """
    A change in the vault's history. The reply to an undo names what was undone: its id, and when it was made; *notice*
    says why it has no id yet.
    """

    id: str
    when: str
    author: str
    message: str
    paths: list[str]
    undone: str | None = None
    undone_when: str | None = None
    notice: str | None = None
