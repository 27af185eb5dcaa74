"""How the daemon is: models, memory in use, speed, the index, what happened last, and jobs."""

from collections import deque

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import DataTable, Static

from daemon import wire
from tui.screens.frame import Frame

EVENTS_KEPT = 200
EVENTS_SHOWN = 6  # where there is no room for more
ROWS_OF_THE_REST = 32
SIGNS = {"ok": "·", "note": "i", "warning": "!", "error": "✗"}


class StatusScreen(Frame):
    """Everything of `reverie status`, kept up to date."""

    name_here = "status"

    def __init__(self) -> None:
        super().__init__()
        self._events: deque[wire.Event] = deque(maxlen=EVENTS_KEPT)

    def compose_body(self) -> ComposeResult:
        """The daemon, its workers, its newest events, its jobs."""
        with VerticalScroll(id="overview"):
            yield Static("", id="daemon")
            yield Static("Models", classes="caption")
            yield DataTable(id="workers", cursor_type="none", zebra_stripes=False)
            yield Static("Last events", classes="caption")
            yield Static("", id="events")
            yield Static("Jobs", classes="caption")
            yield DataTable(id="jobs", cursor_type="none", zebra_stripes=False)

    def on_mount(self) -> None:
        """Columns stand; rows come with each status."""
        self.query_one("#workers", DataTable).add_columns("model", "state", "memory", "tok/s", "active", "unloads in")
        self.query_one("#jobs", DataTable).add_columns("job", "last run", "next run", "state")
        self._show_events()

    def on_screen_resume(self) -> None:
        """The arrow keys scroll."""
        self.query_one("#overview").focus()

    def on_resize(self) -> None:
        """A taller screen has room for more events."""
        if self.is_built:
            self._show_events()

    def show_status(self, status: wire.Status) -> None:
        """The newest state of everything."""
        self.query_one("#daemon", Static).update(_daemon(status))
        workers = self.query_one("#workers", DataTable)
        workers.clear()
        for worker in status.workers:
            workers.add_row(
                worker.model,
                worker.state,
                _size(worker.rss_bytes),
                f"{worker.tokens_per_second:.0f}" if worker.tokens_per_second else "",
                f"{worker.active}+{worker.queued}" if worker.queued else str(worker.active),
                _span(worker.unload_in_s) if worker.unload_in_s is not None else "",
            )
        if not status.workers:
            workers.add_row("none loaded", "", "", "", "", "")
        jobs = self.query_one("#jobs", DataTable)
        jobs.clear()
        for job in status.jobs:
            said = job.waits_for or (job.outcome if job.state != "running" else None)
            state = f"{job.state}: {said}" if said and job.state != "idle" else said or job.state
            jobs.add_row(job.name, _clock(job.last_run), _clock(job.next_run), state)

    def add_event(self, event: wire.Event) -> None:
        """One more event; the newest stands on top."""
        self._events.appendleft(event)
        if self.is_built:
            self._show_events()

    def _show_events(self) -> None:
        room = max(EVENTS_SHOWN, self.size.height - ROWS_OF_THE_REST)
        newest = list(self._events)[:room]
        lines = [f"{_clock(event.when)} {SIGNS[event.severity]} {event.message}" for event in newest]
        self.query_one("#events", Static).update(Content("\n".join(lines) or "none yet"))


def _daemon(status: wire.Status) -> Content:
    index = status.index
    waits = "up to date"
    if index.pending_pages or index.pending_vectors:
        waits = f"{index.pending_pages} pages, {index.pending_vectors} vectors wait ({index.lag_s:.1f} s behind)"
    if not index.watching:
        waits += "; not watching, rescans instead"
    vectors = f"{index.vectors} vectors" if status.embed_model else "no vectors"
    uptime, memory, cpu = _span(status.uptime_s), _size(status.rss_bytes), f"{status.cpu_percent:.1f}% CPU"
    lines = [
        f"reverie {status.version}, pid {status.pid}, up {uptime}, {memory}, {cpu}",
        f"vault   {status.vault}",
        f"index   {index.pages} pages, {index.chunks} chunks, {vectors}; {waits}",
        f"models  chat: {status.chat_model or 'none'}, embeddings: {status.embed_model or 'none'}",
    ]
    return Content.assemble("\n".join(lines), *((f"\n! {problem}", "$text-warning") for problem in status.problems))


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.0f} MB" if size_bytes < 1e9 else f"{size_bytes / 1e9:.1f} GB"


def _span(seconds: float) -> str:
    if seconds < 0:
        return "never"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _clock(when: str | None) -> str:
    """`2026-11-30T14:03:07+01:00` -> `14:03:07`."""
    return when[11:19] if when else ""
