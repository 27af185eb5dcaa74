"""What a dream may do, as values: weigh a passage, tie two, write a line, recalculate a fact, shift evidence."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec

from daemon.night.loop import Kind, Source
from memory_store.tuning import Tuning

Op = Literal["extract", "synthesize", "merge", "decay", "recalculate", "reweigh"]
OPS: tuple[Op, ...] = ("extract", "synthesize", "merge", "decay", "recalculate")


class Weigh(msgspec.Struct, frozen=True, tag=True):
    """The passage *key* weighs *weight* from now on; *shown* are its first words, for the log."""

    key: int
    weight: float
    shown: str = ""

    def __str__(self) -> str:
        return f"weight {self.weight:.3g}: “{self.shown}”"


class Tie(msgspec.Struct, frozen=True, tag=True):
    """Evidence for the passage *source* counts for *target* too, at *strength*."""

    source: int
    target: int
    strength: float
    shown: str = ""

    def __str__(self) -> str:
        return f"tie {self.strength:.3g}: {self.shown}"


class Write(msgspec.Struct, frozen=True, tag=True):
    """A fact line on the page *path*: *value* stands verbatim at *cites*; *link* is the wikilink to there."""

    path: str
    attribute: str
    value: str
    link: str
    cites: Source

    def __str__(self) -> str:
        return f"line on {self.path}: [{self.attribute}] {self.value}"


class Recalculate(msgspec.Struct, frozen=True, tag=True):
    """The rules on *attribute* are followed again."""

    attribute: str
    path: str

    def __str__(self) -> str:
        return f"recalculate [{self.attribute}] on {self.path}"


class Shift(msgspec.Struct, frozen=True, tag=True):
    """*by* is added to the shipped weight of the kind of *evidence*, as `hybrid.when`."""

    evidence: str
    by: float

    def __str__(self) -> str:
        return f"{self.evidence} {self.by:+.3f}"


Action: TypeAlias = Weigh | Tie | Write | Recalculate | Shift


@dataclass(frozen=True, slots=True)
class Repair:
    """Actions that belong together, all or none. The first kind of proposal of the loop."""

    op: Op
    actions: tuple[Action, ...]

    @property
    def key(self) -> str:
        """Equal for repairs that do the same."""
        return "; ".join(sorted(repr(action) for action in self.actions))

    @property
    def kind(self) -> Kind:
        """A repair."""
        return "repair"

    def describe(self) -> str:
        """What it does, in one line."""
        return f"{self.op}: " + "; ".join(str(action) for action in self.actions)

    @property
    def writes(self) -> tuple[Write, ...]:
        """The lines it adds."""
        return tuple(action for action in self.actions if isinstance(action, Write))


def meant(action: Action) -> str:
    """
    What *action* is for, whatever its strength: who took back one does not want the same by another number.

    A name that quotes nothing, as it outlives what was forgotten.
    """
    if isinstance(action, Weigh):
        told = f"{'lower' if action.weight < 1 else 'lift'}: “{action.shown}”"
    else:
        told = f"tie: {action.shown}" if isinstance(action, Tie) else str(action)
    return blake2b(told.encode("utf-8", "replace"), digest_size=8).hexdigest()


def without(repair: Repair, refused: Collection[str]) -> Repair:
    """*repair* without the actions that are *refused*, by what they are meant for."""
    return replace(repair, actions=tuple(action for action in repair.actions if meant(action) not in refused))


def tuned(tuning: Tuning, actions: Sequence[Action]) -> Tuning:
    """*tuning* after *actions*; weights of 1, ties and shifts of 0 are left out: they do nothing."""
    weights = dict(tuning.weights)
    ties: dict[int, Mapping[int, float]] = dict(tuning.ties)
    shifts = dict(tuning.shifts)
    for action in actions:
        if isinstance(action, Weigh):
            weights[action.key] = action.weight
            if action.weight >= 1:
                del weights[action.key]
        elif isinstance(action, Tie):
            mine = {**ties.get(action.source, {}), action.target: action.strength}
            mine = {target: strength for target, strength in mine.items() if strength > 0}
            ties[action.source] = mine
            if not mine:
                del ties[action.source]
        elif isinstance(action, Shift):
            shifts[action.evidence] = action.by
            if not action.by:
                del shifts[action.evidence]
    return Tuning(weights, ties, shifts)


def reversed_actions(tuning: Tuning, actions: Sequence[Action]) -> Iterator[Weigh | Tie | Shift]:
    """What takes *actions* back to *tuning*, the state before them."""
    for action in actions:
        if isinstance(action, Weigh):
            yield Weigh(action.key, tuning.weights.get(action.key, 1.0), action.shown)
        elif isinstance(action, Tie):
            before = tuning.ties.get(action.source, {}).get(action.target, 0.0)
            yield Tie(action.source, action.target, before, action.shown)
        elif isinstance(action, Shift):
            yield Shift(action.evidence, tuning.shifts.get(action.evidence, 0.0))
