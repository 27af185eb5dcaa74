"""What all screens share: their names with their keys on top, all other keys below, the line that tells of trouble."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer, Static

NAMES = {"chat": "F1 Chat", "memory": "F2 Memory", "status": "F3 Status"}


class Frame(Screen[None]):
    """A screen with the names of all three; `compose_body` gives what stands between them and the keys."""

    BINDINGS = [
        Binding("f1", "app.switch_mode('chat')", "Chat", show=False),
        Binding("f2", "app.switch_mode('memory')", "Memory", show=False),
        Binding("f3", "app.switch_mode('status')", "Status", show=False),
    ]
    name_here = ""

    @property
    def is_built(self) -> bool:
        """Whether its widgets are there: not before it was composed, nor once it is being taken down."""
        return self.is_mounted and bool(self.query("#trouble"))

    def compose(self) -> ComposeResult:
        """Names, trouble, body, keys."""
        marks = [f"[reverse] {label} [/]" if name == self.name_here else f" {label} " for name, label in NAMES.items()]
        yield Static(f"[b]reverie[/]  {' '.join(marks)}", id="names")
        trouble = Static("", id="trouble", markup=False)
        trouble.display = False
        yield trouble
        yield from self.compose_body()
        yield Footer(show_command_palette=False)

    def compose_body(self) -> ComposeResult:
        """What is this screen's own."""
        yield from ()

    def tell_trouble(self, reason: str | None) -> None:
        """Show one line in place of silence; None takes it away."""
        trouble = self.query_one("#trouble", Static)
        trouble.display = reason is not None
        trouble.update(reason or "")
