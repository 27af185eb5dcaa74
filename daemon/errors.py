"""
The one table from an error to its HTTP status, its exit code and the next step; and the daemon's own errors.

Rows are found by class name, so that this module imports neither memory_store nor models, and a client that has only
the `kind` of a failed call finds the same row.
"""

from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging


class Exit(IntEnum):
    """Exit codes of every `reverie` command and of the daemon."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_RUNNING = 3
    ALREADY_RUNNING = 4
    PORT_TAKEN = 5
    CONFIG_INVALID = 6
    NOT_FOUND = 7
    CONFLICT = 8
    REFUSED = 9
    MODEL_FAILED = 10
    BUSY = 11
    DISK = 12
    INVALID = 13
    UNSURE = 14
    FORCED = 15
    INTERRUPTED = 130


EXIT_MEANINGS: dict[Exit, str] = {
    Exit.OK: "done",
    Exit.FAILED: "failed for a reason that the message names",
    Exit.USAGE: "the command line was wrong",
    Exit.NOT_RUNNING: "no daemon runs on this home",
    Exit.ALREADY_RUNNING: "another daemon runs on this home",
    Exit.PORT_TAKEN: "the address is in use by another process",
    Exit.CONFIG_INVALID: "the configuration is wrong",
    Exit.NOT_FOUND: "no such model, page, fact or change",
    Exit.CONFLICT: "somebody else changed it meanwhile",
    Exit.REFUSED: "refused: not allowed, or it would lose text",
    Exit.MODEL_FAILED: "the model could not be loaded, or died",
    Exit.BUSY: "too much to do right now; try again",
    Exit.DISK: "the disk is full, read-only or failing",
    Exit.INVALID: "the request was wrong",
    Exit.UNSURE: "memory holds no sure answer",
    Exit.FORCED: "stopped before running work was finished",
    Exit.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True)
class Outcome:
    """What an error means outside: HTTP status, exit code, and the next step (None: the message says enough)."""

    status: int
    exit: Exit
    hint: str | None = None


TABLE: dict[str, Outcome] = {
    # the daemon
    "ConfigInvalid": Outcome(400, Exit.CONFIG_INVALID, "correct it, then start again"),
    "AlreadyRunning": Outcome(409, Exit.ALREADY_RUNNING, "`reverie stop` ends the running one"),
    "NotRunning": Outcome(503, Exit.NOT_RUNNING, "`reverie start` starts it"),
    "PortTaken": Outcome(409, Exit.PORT_TAKEN, "set REVERIE_HOST=127.0.0.1:PORT, or server.port in the config file"),
    "AddressUnusable": Outcome(400, Exit.CONFIG_INVALID, "server.host must be an address of this machine"),
    "RequestInvalid": Outcome(400, Exit.INVALID),
    "BodyTooLarge": Outcome(413, Exit.INVALID, "raise server.body_limit if you mean it"),
    "HostRefused": Outcome(403, Exit.REFUSED, "call it by localhost or 127.0.0.1, or set server.allowed_hosts"),
    "OriginRefused": Outcome(403, Exit.REFUSED, "add the page's origin to server.allowed_origins if you trust it"),
    "TokenRequired": Outcome(
        401, Exit.REFUSED, "send `Authorization: Bearer TOKEN`; the token is in the runtime folder"
    ),
    "NotFound": Outcome(404, Exit.NOT_FOUND),
    "MethodNotAllowed": Outcome(405, Exit.INVALID),
    "NotSupported": Outcome(501, Exit.INVALID),
    "Draining": Outcome(503, Exit.BUSY, "the daemon is stopping"),
    "Starting": Outcome(503, Exit.BUSY, "the daemon is starting; try again in a moment"),
    "NoModel": Outcome(404, Exit.NOT_FOUND, "reverie models pull smollm2-135m-instruct"),
    "VaultUnusable": Outcome(503, Exit.DISK),
    # memory_store
    "StoreError": Outcome(500, Exit.FAILED),
    "NotText": Outcome(422, Exit.INVALID, "save the file as UTF-8"),
    "PageReadOnly": Outcome(409, Exit.CONFLICT, "mend the named line by hand; `reverie doctor` lists such pages"),
    "PageChanged": Outcome(409, Exit.CONFLICT, "it was edited meanwhile; try again"),
    "PageMissing": Outcome(404, Exit.NOT_FOUND),
    "PageNotFound": Outcome(404, Exit.NOT_FOUND),
    "ChangeAmbiguous": Outcome(409, Exit.CONFLICT),
    "FactInvalid": Outcome(400, Exit.INVALID),
    "FactNotWritten": Outcome(409, Exit.CONFLICT),
    "WouldLoseText": Outcome(409, Exit.REFUSED),
    "PageUnreadable": Outcome(503, Exit.DISK),
    "PageUnwritable": Outcome(500, Exit.DISK),
    "NotOurs": Outcome(403, Exit.REFUSED),
    "NotForNotes": Outcome(403, Exit.REFUSED),
    "NoSpace": Outcome(507, Exit.DISK),
    "HistoryBusy": Outcome(503, Exit.BUSY),
    "HistoryDamaged": Outcome(500, Exit.DISK),
    "NotContained": Outcome(403, Exit.REFUSED, "paths are relative to the vault and stay inside it"),
    "VaultMissing": Outcome(503, Exit.DISK),
    "PathTooLong": Outcome(400, Exit.INVALID),
    "VaultReadOnly": Outcome(409, Exit.DISK, "asking and searching still work"),
    "NothingToUndo": Outcome(404, Exit.NOT_FOUND),
    "CommitUnknown": Outcome(404, Exit.NOT_FOUND, "`reverie memory history` lists the changes"),
    "UndoConflict": Outcome(409, Exit.CONFLICT),
    "ProposalUnknown": Outcome(404, Exit.NOT_FOUND),
    "FactUnknown": Outcome(404, Exit.NOT_FOUND, "`reverie search` looks through all pages"),
    "QueryInvalid": Outcome(400, Exit.INVALID),
    "EmbedderUnavailable": Outcome(503, Exit.MODEL_FAILED),
    "IndexStale": Outcome(503, Exit.BUSY),
    # models
    "ModelError": Outcome(500, Exit.MODEL_FAILED),
    "WorkerError": Outcome(500, Exit.MODEL_FAILED),
    "ModelUnknown": Outcome(404, Exit.NOT_FOUND, "`reverie models ls` lists the models"),
    "ModelMissing": Outcome(404, Exit.NOT_FOUND),
    "RemoteFailed": Outcome(502, Exit.MODEL_FAILED),
    "RemoteOffline": Outcome(403, Exit.REFUSED),
    "ModelExists": Outcome(409, Exit.CONFLICT),
    "ModelLoadFailed": Outcome(502, Exit.MODEL_FAILED),
    "ModelFileCorrupt": Outcome(422, Exit.MODEL_FAILED, "`reverie models pull` fetches it again"),
    "ModelTruncated": Outcome(422, Exit.MODEL_FAILED, "`reverie models pull` goes on where it stopped"),
    "ModelUnsupported": Outcome(422, Exit.MODEL_FAILED),
    "DigestMismatch": Outcome(422, Exit.MODEL_FAILED),
    "ShuttingDown": Outcome(503, Exit.BUSY),
    "NotAModel": Outcome(422, Exit.MODEL_FAILED),
    "ModelTooNew": Outcome(422, Exit.MODEL_FAILED, "update reverie"),
    "WrongModelKind": Outcome(400, Exit.INVALID, "`reverie models ls` shows what each is for"),
    "PullFailed": Outcome(502, Exit.FAILED),
    "PullOffline": Outcome(403, Exit.REFUSED),
    "PullGated": Outcome(403, Exit.REFUSED),
    "PullBusy": Outcome(409, Exit.BUSY),
    "PullCancelled": Outcome(499, Exit.INTERRUPTED),
    "DiskFull": Outcome(507, Exit.DISK),
    "PromptTooLong": Outcome(400, Exit.INVALID),
    "TextTooLong": Outcome(400, Exit.INVALID),
    "GrammarInvalid": Outcome(400, Exit.INVALID),
    "OutputInvalid": Outcome(502, Exit.MODEL_FAILED),
    "TemplateFailed": Outcome(400, Exit.INVALID),
    "WorkerDied": Outcome(502, Exit.MODEL_FAILED),
    "MemoryBudgetExceeded": Outcome(507, Exit.MODEL_FAILED),
    "QueueFull": Outcome(503, Exit.BUSY),
    # the system
    "FileNotFoundError": Outcome(404, Exit.NOT_FOUND),
    "PermissionError": Outcome(403, Exit.DISK),
    "OSError": Outcome(500, Exit.DISK),
    "TimeoutError": Outcome(504, Exit.BUSY),
    "KeyboardInterrupt": Outcome(499, Exit.INTERRUPTED),
}
UNEXPECTED = Outcome(500, Exit.FAILED, "`reverie logs` shows the trace")


def outcome_of(error: BaseException | type[BaseException] | str) -> Outcome:
    """The row of *error* (an error, its class, or its kind in either spelling): its own, else its nearest base's."""
    if isinstance(error, str):
        return TABLE.get(error) or TABLE.get("".join(word.title() for word in error.split("_")), UNEXPECTED)
    cls = error if isinstance(error, type) else type(error)
    for base in cls.__mro__:
        if base.__name__ in TABLE:
            return TABLE[base.__name__]
    return UNEXPECTED


def is_expected(error: BaseException) -> bool:
    """Whether the table names the class of *error* or a base of it: its message is then made for the owner."""
    return outcome_of(error) is not UNEXPECTED


def kind_of(error: BaseException) -> str:
    """The name under which *error* travels: that of its class."""
    return type(error).__name__


def message_of(error: BaseException) -> str:
    """What the owner is told: the error's own words, or, of an unexpected one, its kind alone."""
    if not is_expected(error):
        return f"unexpected {kind_of(error)}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or kind_of(error)


def note(log: "logging.Logger", error: BaseException, where: str) -> None:
    """Log a failure once: unexpected ones with their trace, those of the daemon's making in one line."""
    if not is_expected(error):
        log.error("%s failed", where, exc_info=error)
    elif outcome_of(error).status >= 500:
        log.warning("%s: %s: %s", where, kind_of(error), message_of(error))
    else:
        log.debug("%s: %s: %s", where, kind_of(error), message_of(error))


class DaemonError(Exception):
    """Base of the daemon's own errors. The message names the thing and, where there is one, the next step."""


class ConfigInvalid(DaemonError):
    """A setting is unknown or wrong. *place* is `FILE:LINE`, a variable's name or a flag."""

    def __init__(self, place: str, key: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.key = key


class AlreadyRunning(DaemonError):
    """Another daemon holds this home."""

    def __init__(self, home: Path, pid: int, address: str | None) -> None:
        where = f" at {address}" if address else ""
        super().__init__(f"reverie already runs on {home}: process {pid}{where}")
        self.pid = pid
        self.address = address


class NotRunning(DaemonError):
    """No daemon answers on this home's socket."""

    def __init__(self, socket: Path) -> None:
        super().__init__(f"no daemon answers on {socket}")
        self.socket = socket


class PortTaken(DaemonError):
    """The address is in use. *holder* describes the process that has it, where the system tells."""

    def __init__(self, host: str, port: int, holder: str | None) -> None:
        super().__init__(f"{host}:{port} is in use by {holder or 'another process'}")
        self.host = host
        self.port = port
        self.holder = holder


class AddressUnusable(DaemonError):
    """The address cannot be bound on this machine."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host}:{port}: {reason}")


class VaultUnusable(DaemonError):
    """The vault cannot be opened; memory is switched off until it can."""

    def __init__(self, vault: Path, reason: str) -> None:
        super().__init__(f"the vault {vault} cannot be used: {reason}")
        self.vault = vault


class RequestInvalid(DaemonError):
    """The body or a parameter of a request is wrong. *param* names it, where one is to blame."""

    def __init__(self, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.param = param


class BodyTooLarge(DaemonError):
    """A request's body is over the limit."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the body is larger than {limit_bytes} bytes")
        self.limit_bytes = limit_bytes


class HostRefused(DaemonError):
    """The Host header names no name of this daemon: a sign of DNS rebinding."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the host {host!r} is not one of this daemon's")


class OriginRefused(DaemonError):
    """A page of another site made a browser call the daemon."""

    def __init__(self, origin: str) -> None:
        super().__init__(f"calls from the web page {origin!r} are not allowed")


class TokenRequired(DaemonError):
    """A call from outside the loopback without the right token."""

    def __init__(self) -> None:
        super().__init__("a bearer token is required off the loopback")


class NotFound(DaemonError):
    """No such path, page, fact or event."""


class FactUnknown(DaemonError):
    """No fact has this name. *near* are the names that come closest, best first."""

    def __init__(self, name: str, near: tuple[str, ...] = ()) -> None:
        nearest = ", ".join(f"[{attribute}]" for attribute in near)
        super().__init__(f"memory knows nothing as [{name}]" + (f"; did you mean {nearest}?" if near else ""))
        self.name = name
        self.near = near


class MethodNotAllowed(DaemonError):
    """The path is right, the method is not."""


class NotSupported(DaemonError):
    """The API has this call, and reverie does not; the message says what does the same."""


class Draining(DaemonError):
    """The daemon is stopping and takes no new work."""

    def __init__(self) -> None:
        super().__init__("the daemon is stopping")


class Starting(DaemonError):
    """The part that the call needs is not up yet."""

    def __init__(self, part: str) -> None:
        super().__init__(f"{part} is starting")


class NoModel(DaemonError):
    """A call left the choice of a model to the daemon, and none is installed."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"no {kind} model is installed")
