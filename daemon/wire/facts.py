"""Facts: how they stand, where they come from, and what hangs on them."""

from typing import Literal

from daemon.wire.base import Source, Wire


class FactLine(Wire, frozen=True):
    """
    A fact as the owner sees it. *value* None with *unsure* is `?`, *was* then what it had been; None with *forgotten*
    is a tombstone.
    """

    attribute: str
    value: str | None
    path: str
    line: int
    since: str | None = None
    until: str | None = None
    reason: str | None = None
    source: str | None = None
    unsure: bool = False
    forgotten: bool = False
    was: str | None = None
    tags: list[str] = []


class FactChanged(Wire, frozen=True):
    """
    One change of one fact: *before* and *after* are values (None: none, or `?`), *reason* names a sentence or a rule.
    """

    attribute: str
    path: str
    line: int
    before: str | None
    after: str | None
    reason: str
    forgotten: bool = False


class Recalled(Wire, frozen=True):
    """
    What memory knows of one fact: what holds now (or held on *at*), what held before, and the lines it was told in.

    *facts* are several where several values hold, or where pages disagree: *conflict* then says so. None of them holds
    a value where the fact is unsure or forgotten.
    """

    attribute: str
    facts: list[FactLine] = []
    past: list[FactLine] = []
    sources: list[Source] = []
    at: str | None = None
    conflict: str | None = None


class Cause(Wire, frozen=True):
    """
    A step of the chain behind a fact, *depth* rules away from it: the fact, the rule that set it, where it was told.

    *said* is the cause as the line gives it, where no fact of that name is left.
    """

    depth: int
    fact: FactLine
    rule: Source | None = None
    said: str | None = None
    sources: list[Source] = []


class Why(Wire, frozen=True):
    """The chain of causes behind what stands under *attribute*: each step follows what it explains, one deeper."""

    attribute: str
    causes: list[Cause]


class WhatIfRequest(Wire, frozen=True):
    """*text* supposes: `team lead = Arno`, `[[Work]] [team lead] = ?`, `forget team lead`. Nothing is written."""

    text: str


class WhatIf(Wire, frozen=True):
    """What was supposed, and everything that would follow from it by the rules, each after what it hangs on."""

    supposed: list[FactChanged]
    consequences: list[FactChanged] = []
    problems: list[str] = []


class GraphEdge(Wire, frozen=True):
    """A rule as an arrow: when *cause* does what *when* says, *target* becomes *becomes* (None: `?`)."""

    cause: str
    target: str
    when: str
    becomes: str | None
    path: str
    line: int


class Graph(Wire, frozen=True):
    """The dependency graph: its edges, and a picture of them in *format*."""

    format: Literal["text", "mermaid", "dot"]
    picture: str
    edges: list[GraphEdge] = []
