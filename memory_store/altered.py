"""What became of a fact, as a clause tells it, and what the rest of the sentence puts in its place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_store.said import NAME


@dataclass(frozen=True)
class Altered:
    """
    *attribute*, which was *old*, is *value* now, as the clause at *span* of the text tells; without a value it has
    ended where it is *gone*, and is unsure where it is not. *part* of the old value was named.
    """

    attribute: str
    old: str
    value: str | None = None
    gone: bool = False
    part: str = ""
    span: tuple[int, int] = (0, 0)


_INSTEAD = re.compile(
    rf"\b(?:to|for|do|doing|take|taking|chose|chosen|picked|with|be|get)\s+(?P<v>{NAME}|[a-z]+)(?=\s+instead\b|\s*[.!]*$)"
)


def with_what_comes_instead(found: Sequence[Altered], text: str) -> list[Altered]:
    """*found*, where the rest of *text* says what comes in the place of the part that is over."""
    m = _INSTEAD.search(text, found[0].span[1] - 1) if len(found) == 1 and found[0].gone else None
    if (
        m is None
        or not found[0].part
        or ("instead" not in text and not re.search(r"\bwill\b|\bgoing\b", text[found[0].span[1] - 1 :]))
    ):
        return list(found)
    one = found[0]
    if one.part[:1].isupper() != m["v"][:1].isupper():
        return list(found)
    return [replace(one, value=one.old.replace(one.part, m["v"]), gone=False, span=(one.span[0], len(text)))]
