"""A page beside the results, its long lines wrapped, standing at the line that was found."""

import re

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

LINES_AROUND = 5_000
LINE_AT_MOST = 20_000
LINES_ABOVE = 3
CONTROL = {code: 0x2400 + code for code in range(32)} | {127: 0x2421}  # shown as pictures: never sent to the terminal
STYLES = (
    (re.compile(r"^#{1,6} .*"), "preview--heading"),
    (re.compile(r"^\s*>.*"), "preview--quote"),
    (re.compile(r"(?<=^- )\[[^\]\n]+\](?!\()"), "preview--attribute"),
    (re.compile(r"\[\[[^\]\n]+\]\]"), "preview--link"),
    (re.compile(r"\*\*[^*\n]+\*\*"), "preview--strong"),
    (re.compile(r"`[^`\n]+`"), "preview--code"),
)


class Preview(ScrollView, can_focus=True):
    """
    Shows a page with its line numbers and scrolls to a line of it. Only what is in view is drawn.

    Of a very long page the lines around that one are shown, of a very long line its beginning; the title says so.
    """

    COMPONENT_CLASSES = {
        "preview--number",
        "preview--here",
        "preview--heading",
        "preview--quote",
        "preview--attribute",
        "preview--link",
        "preview--strong",
        "preview--code",
    }

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._lines: list[str] = []
        self._first = 1  # the number of the first of them
        self._line = 1
        self._rows: list[tuple[int, int, int]] = []  # a row of the screen: which line, from where, to where
        self._width = 0

    def show(self, path: str, text: str, line: int) -> None:
        """The page at *path*, with *line* (from 1) in view."""
        lines = text.split("\n")
        begin = max(0, line - 1 - LINES_AROUND)
        near = lines[begin : line + LINES_AROUND]
        whole = len(near) == len(lines) and all(len(each) <= LINE_AT_MOST for each in near)
        self._lines = [each[:LINE_AT_MOST].expandtabs(4).translate(CONTROL) for each in near]
        self._first, self._line = begin + 1, line
        self.border_title = f"{path}:{line}" + ("" if whole else " (a part of it)")
        self._wrap()

    def on_resize(self) -> None:
        """Lines wrap elsewhere now: stay at the same one."""
        if self.scrollable_content_region.width != self._width:
            self._wrap()

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        row = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        if row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        index, begin, end = self._rows[row]
        here = self._first + index == self._line
        base = (
            self.rich_style + self.get_component_rich_style("preview--here", partial=True) if here else self.rich_style
        )
        number = f"{self._first + index:>{self._digits}} " if begin == 0 else " " * (self._digits + 1)
        mark = "❱" if here and begin == 0 else " "
        text = Text(self._lines[index], end="")
        for pattern, name in STYLES:
            text.highlight_regex(pattern, self.get_component_rich_style(name, partial=True))
        segments = [Segment(mark + number, base + self.get_component_rich_style("preview--number", partial=True))]
        segments += Segment.apply_style(text[begin:end].render(self.app.console), base)
        return Strip(segments).adjust_cell_length(width, base)

    @property
    def _digits(self) -> int:
        return len(str(self._first + len(self._lines)))

    def _wrap(self) -> None:
        """Lay the lines out anew, and go to the one that was found."""
        self._width = self.scrollable_content_region.width
        room = max(10, self._width - self._digits - 2)
        self._rows = [(index, *part) for index, line in enumerate(self._lines) for part in wrapped(line, room)]
        self.virtual_size = Size(self._width, len(self._rows))
        self.refresh()
        self.call_after_refresh(self._go_to_line)  # once there is a bar to scroll with

    def _go_to_line(self) -> None:
        at = next((row for row, (index, _, _) in enumerate(self._rows) if self._first + index == self._line), 0)
        self.scroll_to(y=max(at - LINES_ABOVE, 0), animate=False)


def wrapped(line: str, width: int) -> list[tuple[int, int]]:
    """Where each row of *line* begins and ends, none wider than *width* cells; broken at spaces where there are any."""
    parts = []
    begin = 0
    while cell_len(line[begin : begin + width + 1]) > width or len(line) - begin > width:
        end = begin + width
        while cell_len(line[begin:end]) > width:
            end -= 1
        space = line.rfind(" ", begin + 1, end + 1)
        end = space if space > begin and line[begin:space].strip() else max(end, begin + 1)
        parts.append((begin, end))
        begin = end + 1 if end < len(line) and line[end] == " " else end
    return [*parts, (begin, len(line))]
