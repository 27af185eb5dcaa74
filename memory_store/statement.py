"""One thing that a sentence says: what `statements` reads and `linking` links."""

from dataclasses import dataclass
from typing import Literal

from memory_store.cuts import Cut
from memory_store.mentions import Mention
from memory_store.said import Subject

Kind = Literal["state", "change", "add", "end", "dependency", "rule", "deletion", "correction", "verbatim"]


@dataclass(frozen=True)
class Statement:
    """
    One thing that a sentence says. *about* is the fact it concerns, *attribute* a readable name for it.

    state, change, add, correction, verbatim: it is *value* (was *old*, where told). end: *old* holds no longer, and
    where it is *gone* nothing has come in its place.
    deletion: it is to be forgotten. dependency: it hangs on *depends_on* (several mentions of one fact). rule: when
    that changes, or with trigger `is` takes the value *when_value*, it becomes *value*.

    *everything*: a deletion means all that is known of it.

    *cuts*: for each thing that its sentence supposes the ways in which it parts, to be read by the facts that are
    known, in the place of all else that the sentence says. *before*: the sentences before it.

    *span* is where the sentence stands in the message. *weak*: stated of a thing that need not be the speaker's.
    *echo*: it counts only where a fact of that name is known.
    """

    kind: Kind
    about: Mention
    attribute: str | None = None
    value: str | None = None
    old: str | None = None
    depends_on: tuple[Mention, ...] = ()
    trigger: Literal["changes", "is"] = "changes"
    when_value: str | None = None
    subject: Subject = "i"
    verb: bool = False
    loose: bool = False
    weak: bool = False
    echo: bool = False
    everything: bool = False
    gone: bool = False
    span: tuple[int, int] = (0, 0)
    sentence: str = ""
    cuts: tuple[tuple[Cut, ...], ...] = ()
    before: str = ""
