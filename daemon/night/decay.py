"""
Weights that sink and come back: nothing is deleted, and what a later dream needs is lifted again.

Whatever lowers a passage does so by `lower`, in a dream as in the job of its own: one step a night, never twice.
"""

from collections.abc import Collection, Sequence

from daemon.night.bounds import Bounds
from daemon.night.graph import Graph
from daemon.night.loop import Probe, Source
from daemon.night.repairs import Action, Repair, Weigh
from daemon.night.state import Access
from daemon.night.uses import Use
from memory_store.tuning import Tuning

GAMMA = 0.2
LEAST = 0.008
SHOWN_IN_VAIN = 5
"""How often searches must have shown what was never used."""


def decayed(weight: float, gamma: float = GAMMA) -> float:
    """*weight* one step lower; 0 only where *gamma* is 0, which hides instead of lowering."""
    return 0.0 if gamma <= 0 else max(weight * gamma, LEAST)


def restored() -> float:
    """The weight of a passage that was found relevant."""
    return 1.0


def lower(graph: Graph, rows: Sequence[int], tuning: Tuning, bounds: Bounds) -> list[Action]:
    """
    That the passages of *rows* weigh less, each one step below what it weighed when *graph* was built.

    What weighs something else by now, and what *bounds* spare, is left out: a passage sinks once a night.
    """
    nodes = [graph.nodes[row] for row in rows]
    return [
        Weigh(node.passage.key, decayed(node.weight, bounds.gamma), node.shown)
        for node in nodes
        if node.passage.key not in bounds.spared and tuning.weights.get(node.passage.key, 1.0) == node.weight
    ]


def lowered(repairs: Sequence[Repair]) -> frozenset[int]:
    """The passages, by key, that *repairs* lower."""
    weighs = [action for repair in repairs for action in repair.actions if isinstance(action, Weigh)]
    return frozenset(action.key for action in weighs if action.weight < 1)


def used(uses: Sequence[Use]) -> frozenset[int]:
    """The passages, by key, that were found relevant by who searched."""
    return frozenset(key for use in uses for key in use.right)


def shown_in_vain(access: Access, needed: Collection[int]) -> set[int]:
    """The passages, by key, that searches have shown again and again and that are none of those *needed*."""
    return {key for key, count in access.found.items() if count >= SHOWN_IN_VAIN and key not in needed}


def fading(graph: Graph, tuning: Tuning, bounds: Bounds) -> Repair:
    """All that was shown in vain and is no fact, lowered: to be measured, so that what a question needs is spared."""
    vain = shown_in_vain(graph.access, bounds.spared)
    rows = [row for row, node in graph.nodes.items() if node.passage.key in vain and node.passage.kind != "fact"]
    return Repair("decay", tuple(lower(graph, rows, tuning, bounds)))


def use_probes(graph: Graph, uses: Sequence[Use]) -> list[Probe]:
    """What somebody searched for and found, as questions that must go on leading there; each once."""
    found: dict[str, Probe] = {}
    for use in uses:
        rows = [row for key in use.right if (row := graph.row_of(key)) is not None]
        places = [graph.nodes[row].passage for row in rows]
        if places:
            sources = tuple(Source(place.path, place.start_line, place.end_line) for place in places)
            found[use.question] = Probe(f"use {use.question}", use.question, places[0].text, sources, pattern="use")
    return list(found.values())
