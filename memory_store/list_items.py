"""List items of markdown as lines: bullets, and texts that go on over several lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_NEEDS_GUARD = re.compile(r"[\\\s\[\]#>|`~<%$=*+\-_0-9]")
_CONTINUED = re.compile(r"\\(?=[\\\s\[\]#>|`~<%$=*+\-_0-9])")
_BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(?=\S)")


@dataclass(frozen=True, slots=True)
class Bullet:
    """How a list item begins: white space, the mark (`-`, `*`, `+`, `1.`, `1)`), and the space after it."""

    indent: str = ""
    mark: str = "-"
    gap: str = " "

    def next(self) -> "Bullet":
        """The bullet of the item after this one: a numbered list counts on."""
        if self.mark[0] in "-*+":
            return self
        return replace(self, mark=f"{int(self.mark[:-1]) + 1}{self.mark[-1]}")


def split_bullet(line: str) -> tuple[Bullet, str] | None:
    """The bullet of a list item and what it says; None for every other line."""
    match = _BULLET.match(line)
    return (Bullet(*match.groups()), line[match.end() :]) if match else None


def to_lines(bullet: Bullet, body: str) -> list[str]:
    """
    The lines of a list item that says *body*.

    Every line but the last ends in a backslash, markdown's hard break, which is what makes the next one part of it.
    Those after the first are indented under the text; where one would read as markdown of its own, or starts with
    white space, a backslash stands before it too. An empty one is a backslash alone.
    """
    first, *rest = body.split("\n")
    inset = bullet.indent + " " * len(bullet.mark + bullet.gap)
    lines = [
        f"{bullet.indent}{bullet.mark}{bullet.gap}{first}",
        *(f"{inset}\\{line}" if line and _NEEDS_GUARD.match(line) else f"{inset}{line}" for line in rest),
    ]
    return [*(f"{line}\\" for line in lines[:-1]), lines[-1]]


def join_lines(parts: Sequence[str]) -> str:
    """What a list item says over the lines *parts*: indents, hard breaks and guarding backslashes taken off."""
    texts = [part.removesuffix("\\") for part in parts[:-1]] + [parts[-1]]
    rest = (text.lstrip(" \t") for text in texts[1:])
    return "\n".join([texts[0], *(text[1:] if _CONTINUED.match(text) else text for text in rest)])
