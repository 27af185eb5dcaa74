"""
Which kind of repair to try for which failure: a small softmax policy, learned on this machine.

It starts from the Analyst's fixed mapping and is trained by group-relative advantages (GRPO): of a group of samples
for one failure those that were rewarded above the group's mean become likelier, with clipped steps, and the policy
stays near its start.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np

from daemon.night.diagnose import FAILURES, FEATURES, FIXED
from daemon.night.repairs import OPS, Op

CLIP = 0.2
KL = 0.001
STEP = 0.3
EPOCHS = 2
SURE = 2.5

Weights = np.ndarray


def fixed_weights() -> Weights:
    """(features, ops): each failure's own operation leads by `SURE`."""
    weights = np.zeros((len(FEATURES), len(OPS)))
    for failure, op in FIXED.items():
        weights[FAILURES.index(failure), OPS.index(op)] = SURE
    return weights


@dataclass(frozen=True)
class Policy:
    """*weights* give logits; *groups* is how many failures it has learned from."""

    weights: Weights = field(default_factory=fixed_weights)
    groups: int = 0

    def chances(self, features: np.ndarray) -> np.ndarray:
        """The probability of each operation, in the order of `OPS`."""
        return _softmax(features @ self.weights)

    def draw(self, features: np.ndarray, generator: np.random.Generator) -> Op:
        """One operation at random by its chance."""
        return OPS[int(generator.choice(len(OPS), p=self.chances(features)))]

    def learn(self, features: np.ndarray, ops: Sequence[Op], rewards: Sequence[float]) -> "Policy":
        """
        The policy after one group: a few clipped gradient steps on the advantages, less the pull to the start.

        A group whose samples were all rewarded alike teaches nothing.
        """
        gained = np.asarray(rewards, float)
        if len(gained) < 2 or not np.isfinite(gained).all() or gained.std() < 1e-9:
            return self
        advantages = (gained - gained.mean()) / gained.std()
        taken = np.array([OPS.index(op) for op in ops])
        before = self.chances(features)[taken]
        start = _softmax(features @ fixed_weights())
        weights = self.weights
        for _ in range(EPOCHS):
            chances = _softmax(features @ weights)
            ratio = chances[taken] / before
            clipped = ((advantages > 0) & (ratio > 1 + CLIP)) | ((advantages < 0) & (ratio < 1 - CLIP))
            scale = np.where(clipped, 0.0, ratio * advantages) / len(taken)
            logits = np.zeros(len(OPS))
            for op, amount in zip(taken, scale, strict=True):
                logits[op] += amount
            logits -= scale.sum() * chances
            ratios = np.log(chances / start)
            logits -= KL * chances * (ratios - float(chances @ ratios))
            weights = weights + STEP * np.outer(features, logits)
        return replace(self, weights=weights, groups=self.groups + 1)


class Kept(msgspec.Struct):
    """A policy as it lies in the state folder; one of another shape is not read."""

    features: list[str]
    ops: list[str]
    weights: list[list[float]]
    groups: int = 0

    @classmethod
    def of(cls, policy: Policy) -> "Kept":
        """*policy* as it is kept."""
        return cls(list(FEATURES), list(OPS), policy.weights.tolist(), policy.groups)

    def policy(self) -> Policy:
        """The policy, or the start where this one does not fit."""
        weights = np.array(self.weights, float)
        if self.features != list(FEATURES) or self.ops != list(OPS) or weights.shape != (len(FEATURES), len(OPS)):
            return Policy()
        return Policy(weights, self.groups) if np.isfinite(weights).all() else Policy()


def _softmax(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max())
    return np.asarray(raised / raised.sum())
