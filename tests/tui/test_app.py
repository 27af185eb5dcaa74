"""The app as its owner drives it."""

import os
import stat
import sys
from pathlib import Path

import msgspec
import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import DataTable, Footer, OptionList, Static
from textual.widgets._footer import FooterKey

from daemon import wire
from daemon.client import Client
from daemon.transport import Transport
from tui.app import ReverieApp, _on_stdout, editor_command
from tui.widgets.composer import Composer
from tui.widgets.preview import Preview
from tui.widgets.turn import SourceLine, TurnView


def shown(app: ReverieApp, selector: str) -> str:
    """The plain text of a static widget on the current screen."""
    return str(app.screen.query_one(selector, Static).visual)


def keys_of(app: ReverieApp) -> list[str]:
    """What the line of keys says, from left to right, as far as it fits the screen."""
    footer = app.screen.query_one(Footer)
    return [key.description for key in footer.query(FooterKey) if key.region.right <= app.size.width]


def rows_of(app: ReverieApp) -> list[str]:
    """What the screen shows, row by row."""
    return [row.text for row in app.screen._compositor.render_strips()]


async def test_chat_streams_a_reply_and_shows_sources(client: Client, desk, patience) -> None:
    """A sent question shows the reply as it streams, the change it made, and the sources under it."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        desk.go_on.clear()
        app.screen.query_one(Composer).insert("who leads the team?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: any("team lead" in view.text for view in app.screen.query(TurnView)))
        assert not app.screen.query(SourceLine)
        desk.go_on.set()
        await patience.until(pilot, lambda: bool(app.screen.query(SourceLine)))
        assert [view.text for view in app.screen.query(TurnView)][-1] == "Your team lead is Mina Olsen."
        assert "facts/Work.md:3" in str(app.screen.query(SourceLine).first().visual)
        assert desk.asked[-1] == "who leads the team?"


async def test_escape_stops_a_reply(client: Client, desk, patience) -> None:
    """Esc hangs up on the running reply, and what came so far stays."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        desk.go_on.clear()
        app.screen.query_one(Composer).insert("tell me everything")
        await pilot.press("enter")
        await patience.until(pilot, lambda: any("team lead" in view.text for view in app.screen.query(TurnView)))
        await pilot.press("escape")
        await patience.until(pilot, lambda: bool(app.screen.query(".problem")))
        assert shown(app, ".problem") == "stopped"


async def test_memory_that_is_off_is_told_until_it_is_on(client: Client, desk, patience) -> None:
    """Ctrl+O takes memory away and says so, for as long as it is off; pressed again it says that memory is on."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: "memory is on" in shown(app, "#model"))
        assert not app.screen.query_one("#memory-off").display
        await pilot.press("ctrl+o")
        assert shown(app, "#model").startswith("smollm2-135m-instruct  memory is off")
        assert app.screen.query_one("#memory-off").display
        assert app.screen.query_one("#memory-off").region.height == 1
        await pilot.press("ctrl+o")
        assert shown(app, "#model").startswith("smollm2-135m-instruct:memory  memory is on")
        assert not app.screen.query_one("#memory-off").display


async def test_every_screen_says_how_to_quit(client: Client, desk, patience) -> None:
    """At 80 columns each screen's line of keys ends with Quit; the chat's says what Ctrl+O does."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("f1", "f2", "f3"):
            await pilot.press(key)
            await patience.until(pilot, lambda: bool(keys_of(app)) and keys_of(app)[-1] == "Quit")
        await pilot.press("f1")
        await patience.until(pilot, lambda: "Memory on/off" in keys_of(app))


async def test_the_next_model_can_be_chosen_where_there_are_several(client: Client, desk, patience) -> None:
    """Ctrl+T goes through the installed chat models and leaves memory as it was; with one model it is not offered."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        assert "Next model" not in keys_of(app)
    desk.models = [*desk.models, wire.ModelInfo(name="other", kind="chat", installed=True, size_bytes=1)]
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: "Next model" in keys_of(app))
        assert keys_of(app)[-1] == "Quit"
        await pilot.press("ctrl+t")
        assert shown(app, "#model").startswith("other:memory  memory is on")
        await pilot.press("ctrl+o", "ctrl+t")
        assert shown(app, "#model").startswith("smollm2-135m-instruct  memory is off")


async def test_long_lines_of_a_page_are_wrapped(client: Client, desk, patience) -> None:
    """The preview shows the end of a long line, and the line that was found stands in view below wrapped ones."""
    long = "word " * 300 + "end"
    desk.text = "\n".join([long, long, "- [team lead] Mina Olsen", *["more"] * 60])
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2", *"lead")
        preview = app.memory.query_one(Preview)
        await patience.until(pilot, lambda: any("❱ 3 - [team lead] Mina Olsen" in row for row in rows_of(app)))
        assert preview.virtual_size.width <= preview.size.width
        assert any(row.rstrip(" │").endswith("end") for row in rows_of(app))


async def test_a_very_long_page_is_shown_around_its_line(client: Client, desk, patience) -> None:
    """Of a page of 100,000 lines the preview holds the neighbourhood of the one that was found, and says so."""
    desk.text = "\n".join(f"line {number}" for number in range(1, 100_001))
    desk.hit_line = 70_000
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2", *"lead")
        preview = app.memory.query_one(Preview)
        await patience.until(pilot, lambda: "a part of it" in str(preview.border_title))
        await patience.until(pilot, lambda: any("70000 line 70000" in row for row in rows_of(app)))


async def test_what_is_sent_while_a_reply_runs_goes_out_after_it(client: Client, desk, patience) -> None:
    """A message sent during a reply waits, is shown to wait, and is sent when the reply has ended."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        desk.go_on.clear()
        app.screen.query_one(Composer).insert("who leads the team?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: any("team lead" in view.text for view in app.screen.query(TurnView)))
        app.screen.query_one(Composer).insert("and since when?")
        await pilot.press("enter")
        await pilot.pause()
        assert desk.asked == ["who leads the team?"]
        assert "waits for this reply (Esc stops it): and since when?" in shown(app, "#waiting")
        await pilot.press("ctrl+o")
        desk.go_on.set()
        await patience.until(pilot, lambda: desk.asked[-1] == "and since when?")
        await patience.until(pilot, lambda: len(app.screen.query(SourceLine)) == 2)
        texts = [view.text for view in app.screen.query(TurnView)]
        assert texts == [
            "who leads the team?",
            "Your team lead is Mina Olsen.",
            "and since when?",
            "Your team lead is Mina Olsen.",
        ]
        assert not app.screen.query_one("#waiting").display
        assert [view.speaker for view in app.screen.query(TurnView)][-1].endswith(":memory")  # as when it was sent


async def test_what_nobody_answers_stands_in_the_field_again(client: Client, desk, patience) -> None:
    """What waits when a new chat begins, or was sent to a daemon that is away, is put back into the field."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        composer = app.chat.query_one(Composer)
        desk.go_on.clear()
        composer.insert("who leads the team?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: any("team lead" in view.text for view in app.screen.query(TurnView)))
        composer.insert("and since when?")
        await pilot.press("enter")
        await pilot.pause()
        composer.insert("half a thou")
        await pilot.press("ctrl+n")
        assert composer.text == "and since when?\nhalf a thou"
        app.client.daemon = Transport(Path("/nobody/listens/here"))
        composer.text = "is anybody there?"
        await pilot.press("enter")
        await patience.until(pilot, lambda: bool(app.screen.query(".problem")))
        assert composer.text == "is anybody there?"


async def test_a_source_opens_the_page_at_its_line(client: Client, desk, patience) -> None:
    """Enter on a source shows the page in the memory browser, at the line."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        app.screen.query_one(Composer).insert("who?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: bool(app.screen.query(SourceLine)))
        await pilot.press("tab", "enter")
        await patience.until(pilot, lambda: app.current_mode == "memory")
        preview = app.memory.query_one("#preview")
        await patience.until(pilot, lambda: str(preview.border_title) == "facts/Work.md:3")


async def test_memory_lists_pages_and_searches_while_typing(client: Client, desk, patience) -> None:
    """The browser lists all pages, and narrows them to hits as the owner types."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        await patience.until(pilot, lambda: app.memory.query_one("#results", OptionList).option_count == 2)
        await pilot.press(*"lead")
        await patience.until(pilot, lambda: "1 hit in" in shown(app, "#found"))
        assert app.memory.query_one("#results", OptionList).option_count == 1


async def test_down_leads_from_the_search_to_its_results(client: Client, desk, patience) -> None:
    """Down moves out of the field into the list, and the keys below say how to get back."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        await patience.until(pilot, lambda: app.memory.query_one("#results", OptionList).option_count == 2)
        assert "To the results" in keys_of(app)
        await pilot.press("down")
        assert app.memory.query_one("#results", OptionList).has_focus
        await patience.until(pilot, lambda: "Search" in keys_of(app))
        assert "To the results" not in keys_of(app)
        await pilot.press("down")
        await patience.until(pilot, lambda: app.memory.query_one("#results", OptionList).highlighted == 1)


@pytest.mark.parametrize("keys", [("escape", "e"), ("ctrl+e",)])
async def test_editor_opens_the_page_at_its_line(
    client: Client, desk, patience, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    """`e`, or Ctrl+E in the field, runs $EDITOR on the file of the vault, and the page is read anew afterwards."""
    log = tmp_path / "called"
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\necho "$@" > {log}\n')
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2", *"lead")
        await patience.until(pilot, lambda: "facts/Work.md:3" in str(app.memory.query_one("#preview").border_title))
        app.suspend = NoSuspend  # type: ignore[method-assign]
        await pilot.press(*keys)
        await patience.until(pilot, log.exists)
    assert log.read_text().split() == ["+3", f"{desk.status.vault}/facts/Work.md"]


async def test_status_shows_workers_jobs_and_events(client: Client, desk, patience) -> None:
    """The status screen shows models, memory in use, speed, jobs and what happened last."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3")
        await patience.until(pilot, lambda: "up to date" in shown(app, "#daemon"))
        await patience.until(pilot, lambda: "3 pages indexed" in shown(app, "#events"))
        row = app.status.query_one("#workers", DataTable).get_row_at(0)
        assert row[:4] == ["smollm2-135m-instruct", "busy", "240 MB", "112"]


async def test_a_daemon_that_is_away_is_told_and_comes_back(tmp_path: Path, patience) -> None:
    """Without a daemon the app says so with the next step, and stays."""
    app = ReverieApp(Client(socket_path=tmp_path / "nobody"), ansi=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: "reverie start" in shown(app, "#trouble"))
        assert app.theme == "ansi-dark"


async def test_a_daemon_that_went_away_is_not_said_to_be_busy(client: Client, patience) -> None:
    """What the model's process was doing is no longer told once its daemon is gone."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: "tok/s" in shown(app, "#model"))
        app.client.daemon = Transport(Path("/nobody/listens/here"))
        await patience.until(pilot, lambda: "reverie start" in shown(app, "#trouble"))
        assert shown(app, "#model") == "smollm2-135m-instruct:memory  memory is on"


async def test_a_reply_can_be_judged_once(client: Client, desk, patience) -> None:
    """Ctrl+Down sends a thumb down on the last reply, from the field, and says how to give the right answer."""
    desk.memory = msgspec.structs.replace(desk.memory, exchange="e1")
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: "tok/s" in shown(app, "#model"))
        app.screen.query_one(Composer).insert("Who leads the team?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: bool(app.screen.query(SourceLine)))
        await pilot.press("ctrl+down")
        await patience.until(pilot, lambda: any("No, it's" in str(one.visual) for one in app.screen.query(Static)))
        await pilot.press("ctrl+up")
        await pilot.pause()
    assert desk.asked[-1] == "down e1"


def test_editor_command_knows_line_numbers() -> None:
    """Editors that take +LINE get it; others get the path alone."""
    path = Path("/v/a b.md")
    assert editor_command("nvim -p", path, 7) == ["nvim", "-p", "+7", "/v/a b.md"]
    assert editor_command("code --wait", path, 7) == ["code", "--wait", "/v/a b.md"]


class NoSuspend:
    """The test terminal cannot be handed over; the editor of the test needs none."""

    def __enter__(self) -> None:
        os.environ.setdefault("TERM", "dumb")

    def __exit__(self, *exc: object) -> None:
        return None


async def test_a_new_chat_begins_with_the_words_of_welcome(client: Client, desk, patience) -> None:
    """Ctrl+N takes the turns away and shows what an empty chat shows, so that one sees that it is new."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        app.chat.query_one(Composer).insert("who?")
        await pilot.press("enter")
        await patience.until(pilot, lambda: bool(app.screen.query(SourceLine)))
        assert not app.screen.query(".welcome")
        await pilot.press("ctrl+n")
        await patience.until(pilot, lambda: not app.screen.query(TurnView))
        assert "Tell it something" in shown(app, ".welcome")


async def test_the_screen_is_drawn_on_stdout_where_stderr_goes_elsewhere(client: Client) -> None:
    """Textual draws on stderr; with `2>file` the owner would see nothing."""
    driver = _on_stdout(HeadlessDriver)(ReverieApp(client, ansi=False))
    assert driver._file is sys.__stdout__


async def test_the_cursor_finds_its_way_between_field_and_sources(client: Client, desk, patience) -> None:
    """Tab goes to the latest reply's sources and back; typing or Escape there lands in the field."""
    app = ReverieApp(client, ansi=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await patience.until(pilot, lambda: ":memory" in shown(app, "#model"))
        composer = app.screen.query_one(Composer)
        for count in (1, 2):
            await pilot.press("w", "h", "o", "enter")
            await patience.until(pilot, lambda count=count: len(app.screen.query(SourceLine)) == count)
        await pilot.press("tab")
        assert app.focused is app.screen.query(SourceLine).last()
        await pilot.press("tab")
        assert app.focused is composer
        await pilot.press("tab", "escape")
        assert app.focused is composer
        await pilot.press("tab", "h", "i")
        assert app.focused is composer
        assert composer.text == "hi"
