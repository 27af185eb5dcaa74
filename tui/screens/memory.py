"""The memory browser: search, preview, and the owner's editor."""

from pathlib import PurePosixPath

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from daemon import wire
from tui.messages import PageChosen, QueryChanged
from tui.screens.frame import Frame
from tui.widgets.preview import Preview


class MemoryScreen(Frame):
    """A field, what it found on the left, the page on the right. `e` opens the page in $EDITOR at its line."""

    BINDINGS = [
        Binding("slash", "focus_search", "Search"),
        Binding("down", "focus_results", "To the results"),
        Binding("escape", "focus_results", "To the results"),
        Binding("e", "app.edit_page", "Edit", show=False),
        Binding("ctrl+e", "app.edit_page", "Edit in $EDITOR", priority=True),
    ]
    name_here = "memory"

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[str, int]] = []

    def compose_body(self) -> ComposeResult:
        """Field, results, preview."""
        yield Input(placeholder="Search memory; empty lists all pages", id="query")
        with Horizontal():
            yield OptionList(id="results")
            yield Preview()
        yield Static("", id="found", markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """A key that leads to where one is does nothing, and is not shown."""
        here = self.focused.id if self.focused is not None else None
        return not ((action == "focus_search" and here == "query") or (action == "focus_results" and here == "results"))

    def on_screen_resume(self) -> None:
        """Start in the field and show what there is now."""
        self.query_one("#query", Input).focus()
        self.post_message(QueryChanged(self.query_one("#query", Input).value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while the owner types."""
        event.stop()
        self.post_message(QueryChanged(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter moves to the results, as Down does."""
        event.stop()
        self.action_focus_results()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview the place under the cursor."""
        event.stop()
        path, line = self._places[event.option_index]
        self.post_message(PageChosen(path, line))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter moves into the page, to scroll it."""
        event.stop()
        path, line = self._places[event.option_index]
        self.post_message(PageChosen(path, line, opened=True))
        self.query_one("#preview").focus()

    def action_focus_search(self) -> None:
        """Back to the field."""
        self.query_one("#query", Input).focus()

    def action_focus_results(self) -> None:
        """To the list."""
        self.query_one("#results", OptionList).focus()

    def show_pages(self, pages: list[wire.PageInfo], here: str | None) -> None:
        """All pages, by path; the cursor stands on *here*, so that listing them never leaves the page that is shown."""
        self._fill([(page.path, 1, _title(page)) for page in pages])
        at = next((row for row, page in enumerate(pages) if page.path == here), None if here else 0)
        with self.prevent(OptionList.OptionHighlighted):
            self.query_one("#results", OptionList).highlighted = at
        self._tell(counted(len(pages), "page"))

    def show_hits(self, reply: wire.SearchReply) -> None:
        """What a search found, best first."""
        self._fill([(hit.path, hit.start_line, hit.snippet) for hit in reply.hits])
        if reply.hits:
            self.query_one("#results", OptionList).highlighted = 0
        notes = [f"{counted(len(reply.hits), 'hit')} in {reply.took_ms:.0f} ms"]
        if reply.did_you_mean:
            notes.append(f"did you mean “{reply.did_you_mean}”?")
        if reply.notice:
            notes.append(reply.notice)
        self._tell("; ".join(notes))

    def show_page(self, page: wire.PageView, line: int) -> None:
        """A page with its line numbers, scrolled so that *line* is in view."""
        self.query_one(Preview).show(page.path, page.text, line)

    def _fill(self, rows: list[tuple[str, int, str]]) -> None:
        results = self.query_one("#results", OptionList)
        self._places = [(path, line) for path, line, _ in rows]
        results.clear_options()
        results.add_options(Option(_row(path, line, words)) for path, line, words in rows)

    def _tell(self, text: str) -> None:
        self.query_one("#found", Static).update(text)


def counted(count: int, what: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _title(page: wire.PageInfo) -> str:
    """A page's title where its name does not say it already."""
    return "" if page.title == PurePosixPath(page.path).stem else page.title


def _row(path: str, line: int, words: str) -> Content:
    """A result in two lines: where, and the beginning of what stands there, if there is anything to say of it."""
    place = PurePosixPath(path)
    first = " ".join(words.split())[:200]
    name = place.stem if line == 1 else f"{place.stem}:{line}"
    folder = f"  {place.parent}/" if str(place.parent) != "." else ""
    return Content.assemble((name, "bold"), (folder, "dim"), f"\n{first}" if first else "")
