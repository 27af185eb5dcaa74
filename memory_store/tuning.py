"""
What use has taught about passages: a weight each, and ties along which evidence flows.

Both are statistics, not contents: they live in the state folder, are named by what a passage says (the key of its
vector), and do nothing to passages that are gone or were changed. A weight below 1 lowers a passage in every ranking
and hides it only at 0; a tie lets a passage be found by the words of the one it answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

SHARE_OF_WEIGHT = 0.5


@dataclass(frozen=True)
class Tuning:
    """
    Weights in [0, 1] by passage (1 where none is named), and ties `from -> {to: strength}`.

    *shifts* are added to the shipped weights of kinds of evidence, under names such as `hybrid.when`.
    """

    weights: Mapping[int, float] = field(default_factory=dict)
    ties: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    shifts: Mapping[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.weights or self.ties)


@dataclass(frozen=True)
class Tuned:
    """A tuning as it applies to one state of the index: by row. *penalties* are what weights take off a score."""

    weighed: Rows
    penalties: Floats
    sources: Rows
    targets: Rows
    strengths: Floats

    @classmethod
    def of(cls, tuning: Tuning, keys: NDArray[np.int64], alive: NDArray[np.bool_]) -> "Tuned":
        """*tuning* for passages whose keys are *keys* by row; equal passages share what is known of them."""
        rows: dict[int, list[int]] = {}
        for row in np.flatnonzero(alive & np.isin(keys, _named(tuning))):
            rows.setdefault(int(keys[row]), []).append(int(row))
        weighed = [(row, weight) for key, weight in tuning.weights.items() for row in rows.get(key, ())]
        tied = [
            (source, target, strength)
            for key, ties in tuning.ties.items()
            for to, strength in ties.items()
            for source in rows.get(key, ())
            for target in rows.get(to, ())
        ]
        return cls(
            np.array([row for row, _ in weighed], np.int64),
            penalties([weight for _, weight in weighed]),
            np.array([source for source, _, _ in tied], np.int64),
            np.array([target for _, target, _ in tied], np.int64),
            np.array([strength for _, _, strength in tied], np.float32),
        )

    def apply(self, rows: Rows, scores: Floats) -> tuple[Rows, Floats]:
        """
        *rows* (ascending) with their *scores* tuned; those that ties lead to from the upper half join.

        A tie adds its strength times what its source scores above the mean, before weights.
        """
        if not len(rows):
            return rows, scores
        mean = float(scores.mean())
        flows = self._flows(rows, scores - np.float32(mean))
        if len(flows[0]):
            at = np.searchsorted(rows, flows[0])
            missing = flows[0][rows[np.minimum(at, len(rows) - 1)] != flows[0]]
            if len(missing):
                joining = np.unique(missing)
                both = np.concatenate([rows, joining])
                order = np.argsort(both, kind="stable")
                low = np.full(len(joining), scores.min(), np.float32)
                rows, scores = both[order], np.concatenate([scores, low])[order]
            scores = scores.copy()
            np.maximum.at(gained := np.zeros(len(rows), np.float32), np.searchsorted(rows, flows[0]), flows[1])
            scores += gained
        at = np.searchsorted(rows, self.weighed)
        there = (at < len(rows)) & (rows[np.minimum(at, len(rows) - 1)] == self.weighed)
        if there.any():
            scores = scores.copy()
            np.subtract.at(scores, at[there], self.penalties[there])
        return rows, scores

    def _flows(self, rows: Rows, above: Floats) -> tuple[Rows, Floats]:
        at = np.searchsorted(rows, self.sources)
        there = (at < len(rows)) & (rows[np.minimum(at, len(rows) - 1)] == self.sources)
        gains = self.strengths[there] * above[at[there]]
        positive = gains > 0
        return self.targets[there][positive], gains[positive]


def penalties(weights: "list[float]") -> Floats:
    """What *weights* take off a score: none at 1, more than any evidence can make good at 0."""
    with np.errstate(divide="ignore"):
        return (-SHARE_OF_WEIGHT * np.log(np.array(weights, np.float32))).astype(np.float32)


def _named(tuning: Tuning) -> NDArray[np.int64]:
    names = set(tuning.weights) | set(tuning.ties)
    names.update(to for ties in tuning.ties.values() for to in ties)
    return np.fromiter(names, np.int64, len(names))
