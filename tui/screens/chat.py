"""The conversation."""

from collections.abc import Sequence
from textwrap import shorten

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from daemon import wire
from tui.screens.frame import Frame
from tui.widgets.composer import Composer
from tui.widgets.turn import SourceLine, TurnView

WELCOME = (
    "Tell it something, ask about it later. What it learns stands in plain markdown files that you can edit.\n"
    "Enter sends. Tab reaches the sources under a reply, Enter opens one.\n"
    "Ctrl+Up says that the last answer was good, Ctrl+Down that it was bad."
)
MEMORY_OFF = "Memory is off: nothing here is remembered or recalled. Ctrl+O turns it on."


def memory_note(model: str) -> str:
    """Whether a chat with *model* has memory, in three words."""
    return "memory is on" if model.endswith(":memory") else "memory is off"


class ChatScreen(Frame):
    """Turns above, the field below. The reply that runs is always the last turn."""

    BINDINGS = [
        Binding("escape", "app.stop_reply", "Stop"),
        Binding("ctrl+n", "app.new_chat", "New chat"),
        Binding("ctrl+o", "app.turn_memory", "Memory on/off"),
        Binding("ctrl+t", "app.next_model", "Next model"),
        Binding("ctrl+up", "app.judge('up')", "Good answer", show=False, priority=True),
        Binding("ctrl+down", "app.judge('down')", "Bad answer", show=False, priority=True),
        Binding("tab", "reach_source", "Source", show=False),
        Binding("pageup", "scroll_turns(-1)", "Earlier", show=False, priority=True),
        Binding("pagedown", "scroll_turns(1)", "Later", show=False, priority=True),
    ]
    name_here = "chat"

    def compose_body(self) -> ComposeResult:
        """The turns, the field, and a line on the model."""
        with VerticalScroll(id="turns", can_focus=False):
            yield _welcome()
        yield _hidden("waiting")
        yield _hidden("memory-off", MEMORY_OFF)
        yield Composer()
        yield Static("", id="model", markup=False)

    def on_screen_resume(self) -> None:
        """The field has the cursor whenever the chat is shown."""
        self.query_one(Composer).focus()

    def on_key(self, event: events.Key) -> None:
        """Whoever types, or leaves a source by Escape, is in the field again."""
        composer = self.query_one(Composer)
        if composer.has_focus:
            return
        if event.is_printable and event.character:
            composer.focus()
            composer.insert(event.character)
            event.stop()
        elif event.key == "escape":
            composer.focus()

    def action_reach_source(self) -> None:
        """From the field to the sources of the last reply that has any; from these on, and back to the field."""
        latest = next((found for view in reversed(self.query(TurnView)) if (found := view.query(SourceLine))), None)
        if self.query_one(Composer).has_focus and latest is not None:
            latest.first().focus()
        else:
            self.focus_next()

    def action_scroll_turns(self, pages: int) -> None:
        """Show what was said before, or after, wherever the cursor is."""
        turns = self.query_one("#turns", VerticalScroll)
        if pages < 0:
            turns.scroll_page_up()
        else:
            turns.scroll_page_down()

    def show_model(self, name: str | None, note: str = "") -> None:
        """Tell which model answers, whether it has a memory, and how it is doing."""
        text = "no chat model is installed: `reverie models pull smollm2-135m-instruct`"
        if name is not None:
            text = f"{name}  {memory_note(name)}"
        self.query_one("#model", Static).update(f"{text}  {note}".rstrip())
        self.query_one("#memory-off").display = name is not None and not name.endswith(":memory")

    def show_waiting(self, texts: Sequence[str]) -> None:
        """Tell what was sent while a reply runs, and goes out after it."""
        waiting = self.query_one("#waiting", Static)
        waiting.display = bool(texts)
        waiting.update("\n".join(f"waits for this reply (Esc stops it): {_one_line(text)}" for text in texts))

    def give_back(self, texts: Sequence[str]) -> None:
        """Put *texts*, which nobody answers, into the field before what stands there."""
        composer = self.query_one(Composer)
        kept = [text for text in (*texts, composer.text) if text]
        if texts:
            composer.text = "\n".join(kept)
            composer.move_cursor(composer.document.end)

    def add_turn(self, speaker: str, text: str = "") -> TurnView:
        """A new last turn, scrolled into view."""
        self.query(".welcome").remove()
        view = TurnView(speaker, text)
        turns = self.query_one("#turns", VerticalScroll)
        turns.mount(view)
        turns.anchor()
        return view

    def clear_turns(self) -> None:
        """Begin anew, with the words of welcome."""
        self.query(TurnView).remove()
        if not self.query(".welcome"):
            self.query_one("#turns", VerticalScroll).mount(_welcome())

    def show_memory(self, view: TurnView, memory: wire.ChatMemory) -> None:
        """Changes and sources under a reply."""
        view.show_memory(memory)


def _welcome() -> Static:
    """What stands where nothing was said yet."""
    return Static(WELCOME, classes="welcome", markup=False)


def _hidden(id_: str, text: str = "") -> Static:
    """A line that takes no room until it is shown."""
    line = Static(text, id=id_, markup=False)
    line.display = False
    return line


def _one_line(text: str) -> str:
    """*text* on one line of the smallest screen, cut with an ellipsis."""
    return shorten(text, 36, placeholder=" …")
