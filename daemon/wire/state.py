"""The daemon itself: its health, its workers, its jobs, and its news."""

from typing import Any, Literal

from daemon.wire.base import Wire
from daemon.wire.pages import IndexStatus

Severity = Literal["ok", "note", "warning", "error"]
JobState = Literal["idle", "running", "waiting", "failed"]


class WorkerStatus(Wire, frozen=True):
    """A process that holds one model."""

    model: str
    pid: int
    state: Literal["starting", "ready", "busy", "stopping", "failed"]
    rss_bytes: int
    tokens_per_second: float = 0.0
    active: int = 0
    queued: int = 0
    unload_in_s: float | None = None


class JobStatus(Wire, frozen=True):
    """A scheduled job: when it last ran and how, when it is due, and what holds it back."""

    name: str
    state: JobState
    last_run: str | None = None
    next_run: str | None = None
    outcome: str | None = None
    waits_for: str | None = None


class Status(Wire, frozen=True):
    """Everything the status screen shows, in one call that wakes nothing."""

    version: str
    pid: int
    home: str
    vault: str
    address: str | None
    socket: str
    uptime_s: float
    rss_bytes: int
    cpu_percent: float
    ready: bool
    chat_model: str | None
    embed_model: str | None
    index: IndexStatus
    workers: list[WorkerStatus] = []
    jobs: list[JobStatus] = []
    problems: list[str] = []


class Health(Wire, frozen=True):
    """200 with `ok` once the daemon serves; *problems* are things it serves without."""

    status: Literal["starting", "ok", "draining"]
    version: str
    problems: list[str] = []


class Finding(Wire, frozen=True):
    """One line of `reverie doctor`."""

    severity: Severity
    subject: str
    message: str
    path: str | None = None
    line: int | None = None
    hint: str | None = None


class Event(Wire, frozen=True):
    """A past fact of the daemon, as `/events` streams it. *data* holds plain JSON values, never the owner's words."""

    id: int
    when: str
    kind: str
    message: str
    severity: Severity = "ok"
    data: dict[str, Any] = {}


class ConfigValue(Wire, frozen=True):
    """One setting, its value as TOML would write it, and the place that set it."""

    key: str
    value: str
    source: str
