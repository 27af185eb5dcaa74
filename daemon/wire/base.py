"""What the types of all rooms are made from: the base of all, an error, and a place that was read."""

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of all wire types: frozen, keyword-only, defaults left out of the JSON."""


class Error(Wire, frozen=True):
    """The body of every failed call on reverie's own paths."""

    error: str
    kind: str
    hint: str | None = None


class Source(Wire, frozen=True):
    """Where something was read: a line range of a page, the rule that led there, and the text that stands there."""

    path: str
    start_line: int
    end_line: int
    text: str = ""
    rule: str | None = None
