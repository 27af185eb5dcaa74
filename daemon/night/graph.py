"""
The vault as a graph in three tiers: recent turns, sessions, consolidated pages; derived, never stored.

Nodes are passages with what use has left on them: how often they were found, with what, their weight. Edges are
shared entities, the session, links between pages, and ties that earlier dreams made.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from statistics import median
from typing import Literal

from daemon.night.state import Access
from memory_store.index.corpus import Corpus, Passage
from memory_store.tuning import Tuning

Tier = Literal["recent", "session", "page"]
Edge = Literal["entity", "session", "link", "tie"]

NO_WITNESSES = frozenset({"assistant", "system", "tool"})
"""Speakers whose words are no evidence of anything: an answer of theirs may be made up."""
RECENT = timedelta(days=7)
_LEAST_SHARED = 2
_SAMPLED = 500
_SHOWN = 60
_MOST_SHARED = 12
_CAPITAL = re.compile(r"(?<![.!?:\n>\"“])(?<!^)\s((?:[A-ZÀ-ÖØ-Þ][\w'’-]+)(?:\s+[A-ZÀ-ÖØ-Þ][\w'’-]+)*)")
_DATE = re.compile(r"\b(?:\d{4}-\d\d(?:-\d\d)?|(?:19|20)\d\d|\d{1,2}(?::\d\d| ?[ap]m)|\d+(?:st|nd|rd|th))\b")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^.!?…。！？\n]+(?:[.!?…。！？]+[\"'”’)]*|$|(?=\n))")
_LINK = re.compile(r"\[\[([^\]|#]+)")


@dataclass(frozen=True, slots=True)
class Node:
    """A passage in the graph. *session* groups turns of one conversation, and passages of one page.
    *names* are those of its entities that are written as names or dates."""

    passage: Passage
    tier: Tier
    session: str
    entities: frozenset[str]
    names: frozenset[str]
    weight: float
    found: int

    @property
    def row(self) -> int:
        """Its row in the corpus."""
        return self.passage.row

    @property
    def shown(self) -> str:
        """Its first words, for the owner to know it by."""
        text = " ".join(self.passage.text.split())
        return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"


class Graph:
    """Made by `build`. Immutable."""

    def __init__(self, corpus: Corpus, nodes: Mapping[int, Node], tuning: Tuning, access: Access) -> None:
        self.corpus = corpus
        self.nodes = nodes
        self.access = access
        self.tuning = tuning
        self._of_entity: dict[str, list[int]] = defaultdict(list)
        self._of_key: dict[int, int] = {}
        self._of_page: dict[str, list[int]] = defaultdict(list)
        self._at: dict[tuple[str, int], int] = {}
        self._says: dict[tuple[int, bool], float] = {}
        for row, node in nodes.items():
            self._of_key.setdefault(node.passage.key, row)
            self._at[node.passage.path, node.passage.start_line] = row
            self._of_page[node.passage.path.removesuffix(".md").rpartition("/")[2].casefold()].append(row)
            for entity in node.entities:
                self._of_entity[entity].append(row)

    def at(self, path: str, line: int) -> int | None:
        """The row of the passage that begins there."""
        return self._at.get((path, line))

    def says(self, row: int, *, questions: bool = True) -> float:
        """How much the passage of *row* says, with or without what it asks."""
        known = self._says.get((row, questions))
        if known is None:
            text = self.nodes[row].passage.text
            if not questions:
                text = " ".join(part for part in sentences(text) if not part.endswith("?"))
            known = self._says[row, questions] = informative(self.corpus, text)
        return known

    @cached_property
    def typical(self) -> float:
        """How much a passage says, in the middle of all (of a large vault: of some)."""
        step = 1 + len(self.nodes) // _SAMPLED
        return median(self.says(row) for row in list(self.nodes)[::step]) if self.nodes else 0.0

    def row_of(self, key: int) -> int | None:
        """The row of the passage that *key* names, if it is still there."""
        return self._of_key.get(key)

    def entities(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Entities with their rows, in order of first appearance."""
        yield from self._of_entity.items()

    def edges(self, row: int) -> list[tuple[Edge, int]]:
        """All neighbours of *row* with the kind of edge, each pair of kind and row once."""
        node = self.nodes[row]
        found: dict[tuple[Edge, int], None] = {}
        for entity in sorted(node.entities):
            found.update({("entity", other): None for other in self._of_entity[entity] if other != row})
        for other in (node.passage.previous, node.passage.following):
            if other in self.nodes and self.nodes[other].session == node.session:
                found["session", other] = None
        for name in _LINK.findall(node.passage.text):
            for other in self._of_page.get(name.strip().rpartition("/")[2].casefold(), ())[:3]:
                if other != row:
                    found["link", other] = None
        for key in self.tuning.ties.get(node.passage.key, {}):
            if (tied := self._of_key.get(key)) is not None:
                found["tie", tied] = None
        return list(found)

    def similar(self, row: int, other: int) -> float:
        """Cosine of two passages; 0 where there are no vectors."""
        vectors = self.corpus.vectors
        return float(vectors[row] @ vectors[other]) if vectors is not None else 0.0


def build(
    corpus: Corpus,
    *,
    tuning: Tuning,
    access: Access,
    today: date,
    attributes: Sequence[str] = (),
    gate: Callable[[], object] = lambda: None,
) -> Graph:
    """
    The graph of everything in *corpus*. *attributes* are names of facts, which count as entities wherever named; *gate*
    is called all the time.
    """
    named: dict[int, set[str]] = {}
    stems: dict[int, tuple[str, ...]] = {}
    for row, passage in corpus.passages.items():
        gate()
        named[row], stems[row] = _names(passage, attributes), corpus.stems(passage.text)
    spread = Counter(stem for found in stems.values() for stem in found)
    most = max(_LEAST_SHARED + 1, min(_MOST_SHARED, len(stems) // 20))
    nodes = {}
    for row, passage in corpus.passages.items():
        terms = {stem for stem in stems[row] if _LEAST_SHARED <= spread[stem] <= most and len(stem) > 2}
        nodes[row] = Node(
            passage,
            _tier(passage, today),
            "/".join((passage.path, *passage.headings)),
            frozenset(named[row] | terms),
            frozenset(named[row]),
            tuning.weights.get(passage.key, 1.0),
            access.found.get(passage.key, 0),
        )
    return Graph(corpus, nodes, tuning, access)


def _tier(passage: Passage, today: date) -> Tier:
    if passage.kind != "turn":
        return "page"
    try:
        said = date.fromisoformat((passage.day or "")[:10])
    except ValueError:
        return "session"
    return "recent" if timedelta(0) <= today - said <= RECENT else "session"


def _names(passage: Passage, attributes: Sequence[str]) -> set[str]:
    """Runs of capitalised words inside sentences, dates, and attributes of facts."""
    found = {run.casefold() for run in _CAPITAL.findall(passage.text)}
    found |= set(_DATE.findall(passage.text))
    folded = f" {' '.join(_WORD.findall(passage.text.casefold()))} "
    found |= {name for name in attributes if f" {name} " in folded}
    return found


def sentences(text: str) -> list[str]:
    """The sentences of *text*, each a verbatim piece of it."""
    return [part for found in _SENTENCE.finditer(text) if (part := found.group().strip())]


def informative(corpus: Corpus, text: str) -> float:
    """How much *text* says: the sum of what its words say by their rarity."""
    return sum(map(corpus.idf_of, corpus.stems(text)))
