"""What the screens look like at 80x24, in full colour and in sixteen."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from daemon.client import Client
from tui.app import ReverieApp
from tui.widgets.composer import Composer
from tui.widgets.turn import SourceLine


def text_of(app: ReverieApp, selector: str) -> str:
    """The plain text of a static widget on the current screen."""
    return str(app.screen.query_one(selector, Static).visual)


@pytest.mark.parametrize("ansi", [False, True], ids=["colours", "sixteen"])
def test_chat_looks_right(client: Client, desk, patience, snap_compare, ansi: bool) -> None:
    """A question, its answer, what it changed and where it stands, above the field and the keys."""
    app = ReverieApp(client, ansi=ansi)

    async def converse(pilot: Pilot[None]) -> None:
        await patience.until(pilot, lambda: "tok/s" in text_of(app, "#model"))
        app.screen.query_one(Composer).insert("Our team lead is now Mina Olsen. Who leads the team?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: bool(app.screen.query(SourceLine)))
        app.screen.query_one(Composer).cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, run_before=converse, terminal_size=(80, 24))


def test_memory_looks_right(client: Client, desk, patience, snap_compare) -> None:
    """Hits on the left, the page at its line on the right."""
    app = ReverieApp(client, ansi=False)

    async def look(pilot: Pilot[None]) -> None:
        await pilot.press("f2", *"lead")
        preview = app.memory.query_one("#preview")
        await patience.until(pilot, lambda: "facts/Work.md:3" in str(preview.border_title))
        app.memory.action_focus_results()
        await pilot.pause()

    assert snap_compare(app, run_before=look, terminal_size=(80, 24))


def test_status_looks_right(client: Client, desk, patience, snap_compare) -> None:
    """The daemon, its models, its jobs and the last events."""
    app = ReverieApp(client, ansi=False)

    async def look(pilot: Pilot[None]) -> None:
        await pilot.press("f3")
        await patience.until(pilot, lambda: "up to date" in text_of(app, "#daemon"))
        await patience.until(pilot, lambda: "3 pages indexed" in text_of(app, "#events"))

    assert snap_compare(app, run_before=look, terminal_size=(80, 24))
