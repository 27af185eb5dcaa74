"""
A repair of all passages of one kind at once, measured on every probe of the round.

Probes meet a part of a vault only. So each round begins with repairs of a whole kind; passages that a probe shows to
be needed are taken out, and one is kept only if retrieval rises over all probes. What still fails is mended singly.
"""

from collections.abc import Sequence
from dataclasses import replace

from daemon.night.bounds import Bounds
from daemon.night.decay import lower
from daemon.night.diagnose import asker, idles, says_little
from daemon.night.graph import Graph
from daemon.night.loop import Outcome, Probe, Reward, marginal_utility, retrieval_f1
from daemon.night.propose import tie
from daemon.night.repairs import Action, Repair, Tie, Weigh
from daemon.night.view import MemoryView

STRENGTH = 0.3
TRIES = 4


def replies(graph: Graph) -> list[tuple[int, int]]:
    """Each passage that asks, with the reply to it."""
    found = ((asker(graph, row), row) for row in graph.nodes)
    return [(asking, row) for asking, row in found if asking is not None]


def sweeps(graph: Graph, view: MemoryView, bounds: Bounds) -> list[Repair]:
    """Repairs of a whole kind: ties to replies, lower weights for what asks and tells little, and for all that does."""
    pairs = replies(graph)
    known = view.tuning
    ties: list[Action] = [
        tie(graph, asking, reply, STRENGTH)
        for asking, reply in pairs
        if graph.nodes[reply].passage.key not in known.ties.get(graph.nodes[asking].passage.key, {})
    ]
    asking_only = [
        asking
        for asking, reply in pairs
        if graph.nodes[asking].passage.key not in known.weights and says_little(graph, asking, reply)
    ]
    lowered = lower(graph, asking_only, known, bounds)
    asked = set(asking_only)
    idle = [
        row
        for row, node in graph.nodes.items()
        if row not in asked and node.passage.key not in known.weights and idles(graph, row)
    ]
    made = [
        Repair("decay", (*ties, *lowered)),
        Repair("extract", tuple(ties)),
        Repair("decay", tuple(lowered)),
        Repair("decay", (*ties, *lowered, *lower(graph, idle, known, bounds))),
    ]
    return list({repair.key: repair for repair in made if repair.actions}.values())


def measured(
    view: MemoryView, graph: Graph, repair: Repair, probes: Sequence[Probe], before: Sequence[Outcome]
) -> tuple[Repair, Reward] | None:
    """
    *repair* without what harmed a probe, and its reward over all *probes*; None where retrieval does not rise.

    A passage that a harmed probe needs keeps its weight, and a tie that led past it is left out.
    """
    for _ in range(TRIES):
        changed = view.with_(repair)
        after = [retrieval_f1(changed, probe) for probe in probes]
        harmed = [probe for probe, old, new in zip(probes, before, after, strict=True) if new.success < old.success]
        reward = marginal_utility(before, after)
        spared = _spared(graph, changed, harmed)
        actions = tuple(action for action in repair.actions if not _touches(action, spared))
        if len(actions) == len(repair.actions) or not actions:
            break
        repair = replace(repair, actions=actions)
    return (repair, reward) if reward.gain > 0 else None


def _spared(graph: Graph, view: MemoryView, harmed: Sequence[Probe]) -> set[int]:
    """Keys of the sources of *harmed*, and of what now stands above them."""
    keys = set()
    for probe in harmed:
        rows = {row for source in probe.sources if (row := graph.at(source.path, source.start_line)) is not None}
        keys |= {graph.nodes[row].passage.key for row in rows}
        for row, _ in view.ranked(probe.question, 5):
            if row in rows:
                break
            if row >= 0:
                keys.add(-graph.nodes[row].passage.key)
    return keys


def _touches(action: Action, keys: set[int]) -> bool:
    """Weights of needed passages, and ties to what passed them."""
    if isinstance(action, Weigh):
        return action.key in keys
    return isinstance(action, Tie) and -action.target in keys
