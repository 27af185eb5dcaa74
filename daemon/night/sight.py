"""Memory as the night sees it: the graph of all passages, and the questions that are made from it by rule."""

import random
from collections.abc import Callable, Sequence
from datetime import datetime

from daemon.night.commit import DreamStore
from daemon.night.graph import Graph, build
from daemon.night.loop import Probe
from daemon.night.probes import make_probes
from daemon.night.reading import Reading
from daemon.night.state import NightState, Question
from memory_store.facts import attribute_key
from memory_store.index.corpus import Corpus

Gate = Callable[[], object]


class Sight:
    """Looks at *store*, with what the night has learned (*state*) and what *reading* has left."""

    def __init__(
        self, store: Callable[[], DreamStore], state: NightState, reading: Reading, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._state = state
        self._reading = reading
        self._now = now

    def graph(self, corpus: Corpus | None = None, gate: Gate = lambda: None) -> Graph:
        """Of *corpus*, else of all that is indexed now; *gate* is called all the time."""
        store = self._store()
        names = [attribute_key(name) for name in store.ledger.attributes()]
        tuning, access, today = self._state.tuning(), self._reading.access().copy(), self._now().date()
        corpus = corpus or store.corpus()
        return build(corpus, tuning=tuning, access=access, today=today, attributes=names, gate=gate)

    def probes(self, most: int, rng: random.Random, *, graph: Graph, real: Sequence[Question] = ()) -> list[Probe]:
        """Questions made from memory by rule, after those of *real* that have an answer in it."""
        return make_probes(graph, self._store().ledger, rng=rng, most=most, real=real)
