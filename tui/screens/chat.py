"""The conversation."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static

from daemon import wire
from tui.screens.frame import Frame
from tui.widgets.composer import Composer
from tui.widgets.turn import TurnView

WELCOME = (
    "Tell it something, ask about it later. What it learns stands in plain markdown files that you can edit.\n"
    "Enter sends, Ctrl+J starts a new line, Esc stops a reply."
)


class ChatScreen(Frame):
    """Turns above, the field below. The reply that runs is always the last turn."""

    BINDINGS = [
        Binding("escape", "app.stop_reply", "Stop"),
        Binding("ctrl+n", "app.new_chat", "New chat"),
        Binding("ctrl+o", "app.next_model", "Model"),
        Binding("ctrl+up", "app.judge('up')", "Good answer", show=False, priority=True),
        Binding("ctrl+down", "app.judge('down')", "Bad answer", show=False, priority=True),
    ]
    name_here = "chat"

    def compose_body(self) -> ComposeResult:
        """The turns, the field, and a line on the model."""
        with VerticalScroll(id="turns"):
            yield Static(WELCOME, id="welcome", markup=False)
        yield Composer()
        yield Static("", id="model", markup=False)

    def on_screen_resume(self) -> None:
        """The field has the cursor whenever the chat is shown."""
        self.query_one(Composer).focus()

    def show_model(self, name: str | None, note: str = "") -> None:
        """Tell which model answers, and how it is doing."""
        text = name or "no chat model is installed: `reverie models pull smollm2-135m-instruct`"
        self.query_one("#model", Static).update(f"{text}  {note}".rstrip())

    def add_turn(self, speaker: str, text: str = "") -> TurnView:
        """A new last turn, scrolled into view."""
        self.query("#welcome").remove()
        view = TurnView(speaker, text)
        turns = self.query_one("#turns", VerticalScroll)
        turns.mount(view)
        turns.anchor()
        return view

    def clear_turns(self) -> None:
        """Begin anew."""
        self.query(TurnView).remove()

    def show_memory(self, view: TurnView, memory: wire.ChatMemory) -> None:
        """Changes and sources under a reply."""
        view.show_memory(memory)
