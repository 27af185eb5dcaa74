"""Where the owner writes: Enter sends, Ctrl+J starts a new line."""

from textual import events
from textual.widgets import TextArea

from tui.messages import QuestionSent


class Composer(TextArea):
    """A field that grows with its text, up to six lines. Posts `QuestionSent` and empties itself."""

    BINDINGS = [("ctrl+j", "newline", "New line")]

    def __init__(self) -> None:
        super().__init__(id="composer", show_line_numbers=False, compact=True, placeholder="Say something …")

    async def on_key(self, event: events.Key) -> None:
        """Send on Enter, before the text area takes it as a line break."""
        if event.key == "enter":
            event.prevent_default()
            event.stop()
            text = self.text.strip()
            if text:
                self.clear()
                self.post_message(QuestionSent(text))

    def action_newline(self) -> None:
        """Start a new line at the cursor."""
        self.insert("\n")
