"""One turn of the conversation, as it is shown."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Label, Static

from daemon import wire
from tui.messages import PageChosen


class SourceLine(Static, can_focus=True):
    """A place that an answer was read from. Enter or a click opens it."""

    BINDINGS = [("enter", "open", "Open")]

    def __init__(self, source: wire.Source) -> None:
        rule = f"  by rule: {source.rule}" if source.rule else ""
        super().__init__(f"↳ {source.path}:{source.start_line}{rule}", classes="source", markup=False)
        self.source = source

    def action_open(self) -> None:
        """Show the page at that line."""
        self.post_message(PageChosen(self.source.path, self.source.start_line))

    def on_click(self) -> None:
        """A click is as good as Enter."""
        self.action_open()


class TurnView(Vertical):
    """Who spoke and what was said; for replies also what was changed in memory and where the answer stands."""

    def __init__(self, speaker: str, text: str = "") -> None:
        super().__init__(classes=f"turn {'mine' if speaker == 'you' else 'theirs'}")
        self.speaker = speaker
        self.text = text
        self._body = Static(text, classes="body", markup=False)

    def compose(self) -> ComposeResult:
        """The speaker above the words."""
        yield Label(self.speaker, classes="speaker", markup=False)
        yield self._body

    def extend(self, text: str) -> None:
        """Add *text* to what was said."""
        self.text += text
        self._body.update(self.text)

    def note(self, text: str, kind: str) -> None:
        """Add a line under the words; *kind* is its style: `problem`, `change` or `thinking`."""
        self.mount(Static(text, classes=kind, markup=False))

    def show_memory(self, memory: wire.ChatMemory) -> None:
        """Add the changes and the sources of a reply."""
        for change in memory.changes:
            after = change.after if change.after is not None else "?"
            self.note(f"✎ [{change.attribute}] {after}  {change.path}:{change.line}", "change")
        for source in memory.sources[:5]:
            self.mount(SourceLine(source))
