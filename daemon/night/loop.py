"""
The loop that improves memory: probe, propose, measure, keep or drop.

A repair of pages, an experience and a rule of memory use are three kinds of proposal for it. A proposal is a value;
it is tried as an overlay on a view of memory, so that nothing is written before it has proved to help.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, Self, TypeVar

import numpy as np

Origin = Literal["rule", "model", "failed", "correction", "feedback"]
Kind = Literal["repair", "experience", "rule"]
Similarity = Callable[[Sequence[str], Sequence[str]], np.ndarray]

NEIGHBOURS = 3
CANDIDATES = 8
LIMIT = 5
LENGTH_SHARE = 0.1
MOST_HARM = 0.0


class Paused(Exception):
    """Something goes before the night: what was decided so far stands, what is being measured is let go."""


@dataclass(frozen=True, slots=True)
class Source:
    """Lines of a page, both included, counted from 1."""

    path: str
    start_line: int
    end_line: int

    def meets(self, other: "Source") -> bool:
        """Whether a line belongs to both."""
        return self.path == other.path and self.start_line <= other.end_line and other.start_line <= self.end_line


@dataclass(frozen=True, slots=True)
class Probe:
    """
    A question to which memory should lead: *answer* stands verbatim in each of *sources* (or in them together).

    *origin* says where it comes from; *pattern* which template made it, or what it failed at. *vector* is its
    embedding, where there is one.
    """

    id: str
    question: str
    answer: str
    sources: tuple[Source, ...]
    origin: Origin = "rule"
    pattern: str = ""
    vector: np.ndarray | None = None

    @property
    def is_made(self) -> bool:
        """Whether it was made from the words of its sources, and is none that somebody asked."""
        return self.origin in ("rule", "model")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Probe) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Found:
    """What a view retrieved: the text a reader would see, where it stands, and the lines that it *cites*."""

    text: str
    place: Source
    score: float = 0.0
    cites: tuple[Source, ...] = ()

    def shows(self, source: Source) -> bool:
        """Whether it holds lines of *source*, or cites them."""
        return self.place.meets(source) or any(cited.meets(source) for cited in self.cites)


class Proposal(Protocol):
    """A reversible change to memory, as a value."""

    @property
    def key(self) -> str:
        """Equal for proposals that would do the same."""

    @property
    def kind(self) -> Kind: ...

    def describe(self) -> str:
        """What it does, in one line for the owner."""


P = TypeVar("P", bound=Proposal)
P_contra = TypeVar("P_contra", bound=Proposal, contravariant=True)


class View(Protocol[P_contra]):
    """Memory as it would be: cheap to derive, written nowhere."""

    def retrieve(self, question: str, limit: int) -> Sequence[Found]:
        """At most *limit*, best first."""

    def with_(self, proposal: P_contra) -> Self:
        """This view with *proposal* applied."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a view did on one probe: *success* in [0, 1], and the *length* in characters that had to be read."""

    success: float
    length: int = 0


@dataclass(frozen=True, slots=True)
class Reward:
    """
    What a proposal changed over a probe and its neighbours: mean success and length, and the largest single loss.
    """

    success_before: float
    success_after: float
    length_before: float = 0.0
    length_after: float = 0.0
    harmed: float = 0.0

    @property
    def gain(self) -> float:
        """The rise of the mean success."""
        return self.success_after - self.success_before

    @property
    def utility(self) -> float:
        """Marginal utility: the gain, and a bonus for a shorter context only where success did not fall."""
        if self.gain < 0 or self.harmed > 0 or self.length_before <= 0:
            return self.gain
        return self.gain + LENGTH_SHARE * max(0.0, 1.0 - self.length_after / self.length_before)


Judge = Callable[[View[P], Probe], Outcome]


@dataclass(frozen=True, slots=True)
class Weighed(Generic[P]):
    """A proposal and what it was measured to do."""

    proposal: P
    reward: Reward


def retrieval_f1(view: View[P], probe: Probe, *, limit: int = LIMIT) -> Outcome:
    """
    The harmonic mean of recall (which sources the hits show) and precision (hits that do, of those read until the last
    of them); 0 when no source is among the first *limit* hits. A citation counts where its line holds the answer too.
    """
    found = view.retrieve(probe.question, limit)
    useful = [any(_tells(hit, source, probe.answer) for source in probe.sources) for hit in found]
    length = sum(len(hit.text) for hit in found)
    if not any(useful):
        return Outcome(0.0, length)
    shown = sum(any(_tells(hit, source, probe.answer) for hit in found) for source in probe.sources)
    recall = shown / len(probe.sources)
    last = max(rank for rank, helps in enumerate(useful, start=1) if helps)
    precision = sum(useful) / last
    return Outcome(2 * precision * recall / (precision + recall), length)


def _tells(hit: Found, source: Source, answer: str) -> bool:
    return hit.place.meets(source) or (hit.shows(source) and answer in hit.text)


def marginal_utility(before: Sequence[Outcome], after: Sequence[Outcome]) -> Reward:
    """The reward of a change under which the same probes went from *before* to *after*; zeros where there is none."""
    if not before:
        return Reward(0.0, 0.0)
    return Reward(
        sum(one.success for one in before) / len(before),
        sum(one.success for one in after) / len(after),
        sum(one.length for one in before) / len(before),
        sum(one.length for one in after) / len(after),
        max(0.0, *(old.success - new.success for old, new in zip(before, after, strict=True))),
    )


def weigh(
    view: View[P], probe: Probe, proposals: Sequence[P], neighbours: Sequence[Probe], *, judge: Judge[P] = retrieval_f1
) -> list[Weighed[P]]:
    """Each of *proposals*, in order, with its reward on *probe* and *neighbours*; doubles are measured once."""
    asked = (probe, *neighbours)
    before = [judge(view, one) for one in asked]
    rewards: dict[str, Reward] = {}
    for proposal in proposals:
        if proposal.key not in rewards:
            changed = view.with_(proposal)
            rewards[proposal.key] = marginal_utility(before, [judge(changed, one) for one in asked])
    return [Weighed(proposal, rewards[proposal.key]) for proposal in proposals]


def best(weighed: Sequence[Weighed[P]], *, most_harm: float = MOST_HARM) -> Weighed[P] | None:
    """The one of the highest positive utility that harms no probe by more than *most_harm*; the first among equals."""
    kept = [one for one in weighed if one.reward.utility > 0 and one.reward.harmed <= most_harm]
    return max(kept, key=lambda one: one.reward.utility, default=None)


def choose(
    view: View[P],
    probe: Probe,
    proposals: Sequence[P],
    neighbours: Sequence[Probe],
    *,
    judge: Judge[P] = retrieval_f1,
    most_harm: float = MOST_HARM,
) -> P | None:
    """The proposal to keep, or None where none helps without harm."""
    winner = best(weigh(view, probe, proposals, neighbours, judge=judge), most_harm=most_harm)
    return winner.proposal if winner else None


def nearest(
    probe: Probe, probes: Sequence[Probe], *, count: int = NEIGHBOURS, similarity: Similarity | None = None
) -> tuple[Probe, ...]:
    """
    The *count* other probes nearest in meaning: by their vectors, else by *similarity*, else by shared words.

    Ties by order. Probes that ask the very same thing count, as they are questions of their own.
    """
    others = [other for other in probes if other.id != probe.id]
    if not others or count < 1:
        return ()
    if probe.vector is not None and all(other.vector is not None for other in others):
        scores = np.stack([other.vector for other in others if other.vector is not None]) @ probe.vector
    elif similarity is not None:
        scores = np.asarray(similarity([probe.question], [other.question for other in others]))[0]
    else:
        scores = np.array([_shared_words(probe.question, other.question) for other in others])
    order = np.argsort(-scores, kind="stable")[:count]
    return tuple(others[int(i)] for i in order)


def _shared_words(one: str, other: str) -> float:
    a, b = set(one.lower().split()), set(other.lower().split())
    return len(a & b) / len(a | b) if a | b else 0.0
