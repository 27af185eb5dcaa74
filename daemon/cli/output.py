"""How results look: colours on a terminal only, columns, sizes, JSON, progress. stdout is data, stderr is narration."""

import os
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

import msgspec

from daemon import wire
from daemon.plain import place

CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


def colours(stream: TextIO) -> bool:
    """Whether *stream* may be coloured: a terminal, and NO_COLOR is not set (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """*text* in a colour where the stream (default stdout) shows colours."""
    return f"\033[{CODES[style]}m{text}\033[0m" if colours(stream or sys.stdout) else text


def narrate(text: str) -> None:
    """Tell the person something that is not the result."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """*value* (wire types, lists and dicts of them) as indented JSON on stdout. Defaults are left out."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_table(rows: Sequence[Sequence[str]], head: Sequence[str], *, empty: str = "there is nothing to list") -> None:
    """Left-aligned columns; heading on a terminal only, so that pipes get rows alone. No rows: *empty* is told."""
    if not rows:
        narrate(empty)
        return
    shown = [list(head), *map(list, rows)] if sys.stdout.isatty() else [list(row) for row in rows]
    widths = [max(len(row[i]) for row in shown) for i in range(len(head))]
    for number, row in enumerate(shown):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        print(paint(line, "dim") if number == 0 and sys.stdout.isatty() else line)


def print_sources(sources: Sequence[wire.Source]) -> None:
    """Each source on a line: place, the rule that led there, its text cut to the width after a word."""
    width = shutil.get_terminal_size().columns
    for source in sources:
        where = place(source)
        rest = f"by rule: {source.rule}" if source.rule else " ".join(source.text.split())
        room = max(20, width - len(where) - 6)
        print(f"  {paint(where, 'cyan')}  {paint(cut(rest, room), 'dim')}".rstrip())


def cut(text: str, room: int) -> str:
    """*text* in at most *room* characters, ended after a word with a mark where something is left out."""
    if len(text) <= room:
        return text
    kept = text[: room - 1]
    whole = kept if text[room - 1].isspace() else kept.rpartition(" ")[0]
    return f"{(whole if len(whole) >= room // 2 else kept).rstrip()}…"


def print_changes(changes: Sequence[wire.FactChanged]) -> None:
    """Each change on a line: the fact, what it was, what it is, where, and why."""
    for change in changes:
        before = change.before if change.before is not None else "(nothing)"
        after = change.after if change.after is not None else "(forgotten)" if change.forgotten else "?"
        where = paint(f"{change.path}:{change.line}", "cyan")
        why = f"  {paint(change.reason, 'dim')}" if change.reason else ""
        print(f"  [{change.attribute}] {before} -> {after}  {where}{why}")


def size(count: float) -> str:
    """Bytes for people, in powers of ten."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def duration(seconds: float) -> str:
    """Seconds for people: 45 s, 12 min, 3 h 05 min."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


class ProgressBar:
    """Progress on stderr: a bar that redraws on a terminal; a line a step elsewhere."""

    def __init__(self) -> None:
        self.stream = sys.stderr
        self.step = ""
        self.drawn = False

    def show(self, progress: wire.Progress) -> None:
        """Draw one state. A new step begins a new line."""
        if not self.stream.isatty():
            if progress.step != self.step or progress.done:
                total = f" ({self._amount(progress, progress.total)})" if progress.total else ""
                narrate(f"  {progress.step}{total}")
            self.step = progress.step
            return
        if self.drawn and progress.step != self.step:
            self.end()
        self.step = progress.step
        self.drawn = True
        if progress.total:
            share = min(1.0, progress.completed / progress.total)
            filled = round(share * 20)
            line = f"  [{'#' * filled}{'.' * (20 - filled)}] {share:4.0%} of {self._amount(progress, progress.total)}"
        else:
            line = f"  {self._amount(progress, progress.completed)}" if progress.completed else " "
        line += f"  {progress.step}"
        width = shutil.get_terminal_size().columns - 1
        self.stream.write("\r\033[K" + line[:width])
        self.stream.flush()

    def end(self) -> None:
        """Leave the last state on the screen and go to the next line."""
        if self.drawn:
            self.stream.write("\n")
            self.stream.flush()
            self.drawn = False

    @staticmethod
    def _amount(progress: wire.Progress, count: int) -> str:
        return size(count) if progress.unit == "bytes" else str(count)
