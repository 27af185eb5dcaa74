"""Why a probe failed, read from where the evidence ranked and what stood above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from daemon.night.graph import NO_WITNESSES, Graph
from daemon.night.loop import LIMIT, Probe, retrieval_f1
from daemon.night.repairs import Op
from daemon.night.view import DEEP, MemoryView
from memory_store.ledger import Ledger

Failure = Literal["buried", "scattered", "redundant", "noisy", "stale"]
FAILURES: tuple[Failure, ...] = ("buried", "scattered", "redundant", "noisy", "stale")
FIXED: dict[Failure, Op] = {
    "buried": "extract",
    "scattered": "synthesize",
    "redundant": "merge",
    "noisy": "decay",
    "stale": "recalculate",
}
SAME = 0.93
LITTLE = 0.5
FEATURES = (*FAILURES, "deep", "missing", "many sources", "asked before", "lowered")


@dataclass(frozen=True)
class Diagnosis:
    """
    *failure* and what it rests on: *sources* are the rows that hold the answer, *above* those that outrank the first of
    them (or fill the first places), *unseen* the sources that are found nowhere near, *features* the failure as
    numbers, in the order of `FEATURES`.
    """

    probe: Probe
    failure: Failure
    success: float
    sources: tuple[int, ...]
    above: tuple[int, ...]
    noise: tuple[int, ...]
    doubles: tuple[tuple[int, int], ...]
    stale: tuple[int, ...]
    askers: tuple[tuple[int, int], ...]
    unseen: tuple[int, ...]
    features: np.ndarray


def diagnose(view: MemoryView, graph: Graph, ledger: Ledger, probe: Probe) -> Diagnosis | None:
    """What is wrong with *probe* under *view*; None where nothing is, or where its sources are gone."""
    success = retrieval_f1(view, probe).success
    sources = _rows_of(graph, probe)
    if success >= 1.0 or not sources:
        return None
    ranked = [row for row, _ in view.ranked(probe.question, DEEP)]
    ranks = [ranked.index(row) for row in sources if row in ranked]
    first = min(ranks, default=DEEP)
    above = tuple(row for row in ranked[: min(first, LIMIT)] if row >= 0 and row not in sources)
    if len(sources) > 1:
        above = tuple(row for row in ranked[: LIMIT + 2] if row >= 0 and row not in sources)[:LIMIT]
    askers = tuple((row, source) for source in sources for row in (asker(graph, source),) if row is not None)
    asking = {row for row, _ in askers}
    noise = tuple(row for row in above if _says_little(graph, row, sources))
    top = [row for row in ranked[: 2 * LIMIT] if row >= 0]
    doubles = tuple(
        (a, b)
        for i, a in enumerate(top)
        for b in top[i + 1 :]
        if graph.similar(a, b) >= SAME and not (a in sources and b in sources)
    )
    stale = tuple(row for row in above if _is_stale(graph, ledger, row))
    found = sum(rank < LIMIT for rank in ranks)
    if stale:
        failure: Failure = "stale"
    elif doubles and any(a in above for a, _ in doubles):
        failure = "redundant"
    elif len(sources) > 1 and found < len(sources):
        failure = "scattered"
    elif noise:
        failure = "noisy"
    else:
        failure = "buried"
    features = np.zeros(len(FEATURES))
    features[FAILURES.index(failure)] = 1.0
    features[len(FAILURES) :] = (
        float(first >= LIMIT),
        float(not ranks),
        float(len(sources) > 1),
        float(bool(asking.intersection(above))),
        float(any(graph.nodes[row].passage.key in view.tuning.weights for row in sources)),
    )
    unseen = tuple(row for row in sources if row not in ranked[: 2 * LIMIT])
    return Diagnosis(probe, failure, success, sources, above, noise, doubles, stale, askers, unseen, features)


def _rows_of(graph: Graph, probe: Probe) -> tuple[int, ...]:
    rows = (graph.at(source.path, source.start_line) for source in probe.sources)
    return tuple(row for row in rows if row is not None)


def asker(graph: Graph, row: int) -> int | None:
    """The passage of the same conversation to which *row* replies, where that asks something."""
    node = graph.nodes[row]
    before = graph.nodes.get(node.passage.previous)
    if before is None or before.session != node.session or "?" not in before.passage.text:
        return None
    if (node.passage.speaker or "").casefold() in NO_WITNESSES:
        return None
    return before.row if before.passage.speaker and before.passage.speaker != node.passage.speaker else None


def _says_little(graph: Graph, row: int, sources: Sequence[int]) -> bool:
    """Whether *row* asks or greets rather than tells."""
    return any(says_little(graph, row, source) for source in sources)


def says_little(graph: Graph, row: int, than: int) -> bool:
    """Whether *row*, its questions aside, says far less than *than*, or than passages do; a fact never does."""
    if graph.nodes[row].passage.kind == "fact":
        return False
    return graph.says(row, questions=False) < LITTLE * min(graph.says(than), graph.typical)


def idles(graph: Graph, row: int) -> bool:
    """Whether *row* is talk that tells next to nothing, by what passages say."""
    if graph.nodes[row].passage.kind != "turn":
        return False
    return graph.says(row, questions=False) < LITTLE * graph.typical


def _is_stale(graph: Graph, ledger: Ledger, row: int) -> bool:
    """Whether *row* gives a value of a fact that holds no longer, as if it still did."""
    from daemon.context import stale_values

    passage = graph.nodes[row].passage
    return passage.kind != "fact" and bool(ledger.attributes()) and bool(stale_values(passage.text, ledger))
