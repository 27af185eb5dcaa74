"""
Questions to which memory should lead, made by rule from memory itself; each answer stands verbatim at its source.

The best ones were asked by people: a question in a conversation and the reply that followed it. The others come from
templates over facts, links, rare words, and passages of different sessions that speak of the same thing; over what is
weakly connected, told twice, or told with a value that holds no longer.
"""

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain, islice, zip_longest

import numpy as np

from daemon.context import stale_values
from daemon.night.diagnose import SAME
from daemon.night.graph import NO_WITNESSES, Graph, Node, informative, sentences
from daemon.night.loop import Origin, Probe, Source
from daemon.night.state import Question
from memory_store.facts import attribute_key
from memory_store.index.analysis import fold, words
from memory_store.ledger import Ledger

_LEAST_STEMS = 2
_ROLES = frozenset({"user", "assistant", "system", "tool"})
_LONGEST_ANSWER = 300
_RARE = 4
_WEAK_SHARE = 4
_MOST_WEAK, _MOST_DOUBLED = 8, 4  # in a round: most room is for what people ask
_ROWS_AT_ONCE = 256
MOST_LOOKED = 2000
"""How many passages, drawn at random, one round makes probes of."""


def make_probes(
    graph: Graph,
    ledger: Ledger,
    *,
    rng: random.Random,
    most: int,
    real: Sequence[Question] = (),
) -> list[Probe]:
    """
    At most *most* probes, real questions first, then of each kind in turn; those of one kind in random order.

    No two ask the same of the same lines.
    """
    rows = sorted(graph.nodes)
    nodes = [graph.nodes[row] for row in rng.sample(rows, min(len(rows), MOST_LOOKED))]
    kinds = [
        list(asked_probes(graph, nodes)),
        list(reply_probes(graph, nodes)),
        list(fact_probes(graph, ledger)),
        list(link_probes(nodes)),
        list(rare_probes(graph, nodes)),
        list(shared_probes(graph)),
        list(together_probes(graph)),
    ]
    for probes in kinds:
        rng.shuffle(probes)
    kinds[_RARE] = weak_first(graph, kinds[_RARE])
    kinds += [list(stale_probes(graph, ledger, nodes)), list(islice(doubled_probes(graph, nodes), _MOST_DOUBLED))]
    turns = chain.from_iterable(zip_longest(*kinds))
    found: dict[str, Probe] = {}
    for probe in chain(real_probes(graph, ledger, real), (probe for probe in turns if probe is not None)):
        found.setdefault(probe.id, probe)
    return list(islice(found.values(), most))


def grounded(probe: Probe, texts: Mapping[Source, str]) -> bool:
    """Whether the answer stands word for word in each source, or, with several, in one of them."""
    return bool(probe.answer) and any(probe.answer in texts.get(source, "") for source in probe.sources)


def asked_probes(graph: Graph, nodes: Sequence[Node]) -> Iterator[Probe]:
    """Questions that somebody asked in a conversation, put to the reply that followed."""
    for node in nodes:
        reply = graph.nodes.get(node.passage.following)
        if reply is None or reply.session != node.session or not node.passage.speaker:
            continue
        if reply.passage.speaker in (None, node.passage.speaker) or not is_witness(reply):
            continue
        asked = [part for part in sentences(node.passage.text) if part.endswith("?")]
        if not asked:
            continue
        question = _addressed(" ".join(asked[-2:]), str(reply.passage.speaker))
        answer = _best_sentence(graph, reply)
        if answer and len(graph.corpus.stems(question)) >= _LEAST_STEMS:
            yield probe_of(question, answer, (reply,), pattern="asked")


def reply_probes(graph: Graph, nodes: Sequence[Node]) -> Iterator[Probe]:
    """Replies asked for by a word of their question and a word of their own, as one who half remembers would."""
    for probe in asked_probes(graph, nodes):
        row = graph.at(probe.sources[0].path, probe.sources[0].start_line)
        node = graph.nodes[row] if row is not None else None
        before = graph.nodes.get(node.passage.previous) if node else None
        if node is None or before is None:
            continue
        names = {fold(name) for name in (node.passage.speaker, before.passage.speaker) if name}
        theirs = _telling_words(graph, before.passage.text, names)[:2]
        own = [word for word in _telling_words(graph, probe.answer, names) if word not in theirs][:1]
        if theirs and own:
            who = node.passage.speaker
            name = who if who and who.casefold() not in _ROLES else None
            about = " and ".join([*theirs, *own])
            question = f"What did {name} tell about {about}?" if name else f"What was told about {about}?"
            yield probe_of(question, probe.answer, (node,), pattern="reply")


def fact_probes(graph: Graph, ledger: Ledger, *, among: Collection[str] | None = None) -> Iterator[Probe]:
    """What each fact says, or each of those that have a name *among* these, asked by its attribute."""
    at: dict[tuple[str, int], Node] = {}
    for node in graph.nodes.values():
        if node.passage.kind == "fact":
            at[node.passage.path, node.passage.start_line] = node
    for fact in ledger.facts():
        place = at.get((fact.path, fact.line))
        if place is None or fact.value is None or fact.value not in place.passage.text:
            continue
        if among is not None and attribute_key(fact.attribute) not in among:
            continue
        name = fact.attribute
        question = name if name.endswith("?") else f"What is the {name}?"
        yield probe_of(question, fact.value, (place,), pattern="fact")


def link_probes(nodes: Sequence[Node]) -> Iterator[Probe]:
    """What a page says of another that it links to."""
    for node in nodes:
        if node.passage.kind == "turn":
            continue
        for name in re.findall(r"\[\[([^\]|#]+)", node.passage.text):
            title = node.passage.path.removesuffix(".md").rpartition("/")[2]
            other = name.strip().rpartition("/")[2]
            if other and other.casefold() != title.casefold() and not re.fullmatch(r"\d{4}-\d\d-\d\d", other):
                yield probe_of(f"How does {title} bear on {other}?", name, (node,), pattern="link")


def rare_probes(graph: Graph, nodes: Sequence[Node]) -> Iterator[Probe]:
    """What was said of a word that stands in one passage alone."""
    for node in filter(is_witness, nodes):
        best: tuple[float, str, str] | None = None
        for part in sentences(node.passage.text):
            for word in dict.fromkeys(words(part)):
                stems = graph.corpus.stems(word)
                if len(word) < 4 or not stems or word.isdigit():
                    continue
                if len(graph.corpus.rows_with(stems[0])) == 1:
                    value = informative(graph.corpus, part)
                    if best is None or value > best[0]:
                        best = (value, word, part)
        if best and len(best[2]) <= _LONGEST_ANSWER:
            who = node.passage.speaker
            other = [w for w in dict.fromkeys(words(best[2])) if w != best[1] and graph.corpus.stems(w)][:2]
            about = " and ".join([best[1], *other[:1]])
            name = who if who and who.casefold() not in _ROLES else None
            question = f"What did {name} say about {about}?" if name else f"What is known about {about}?"
            yield probe_of(question, best[2], (node,), pattern="rare")


def shared_probes(graph: Graph) -> Iterator[Probe]:
    """What passages of different sessions say of an entity that few name: their answer is scattered."""
    for entity, rows in graph.entities():
        nodes = [node for row in rows if is_witness(node := graph.nodes[row])]
        if not 2 <= len({node.session for node in nodes}) <= 3 or len(nodes) > 3 or len(entity) < 3:
            continue
        if not all(entity in node.names for node in nodes):
            continue
        word = _as_written(entity, nodes)
        if word is None:
            continue
        who = {node.passage.speaker for node in nodes}
        name = next(iter(who)) if len(who) == 1 else None
        if name and name.casefold() not in _ROLES:
            question = f"What has {name} said about {word} over time?"
        else:
            question = f"What is known about {word}?"
        yield probe_of(question, word, nodes, pattern="shared")


def together_probes(graph: Graph) -> Iterator[Probe]:
    """What joins two passages that are often found together and have no edge but that."""
    for name, count in sorted(graph.access.together.items(), key=lambda pair: -pair[1]):
        keys = [int(key) for key in name.split(":")]
        rows = [row for key in keys if (row := graph.row_of(key)) is not None]
        if count < 2 or len(rows) != 2:
            continue
        one, other = (graph.nodes[row] for row in rows)
        if any(edge in ("session", "link", "tie") and to == other.row for edge, to in graph.edges(one.row)):
            continue
        for entity in sorted(one.entities & other.entities, key=len, reverse=True):
            word = _as_written(entity, (one, other))
            if word:
                yield probe_of(f"How do things about {word} hang together?", word, (one, other), pattern="together")
                break


def stale_probes(graph: Graph, ledger: Ledger, nodes: Sequence[Node]) -> Iterator[Probe]:
    """What each fact says of which a passage gives a value that holds no longer."""
    past = {attribute_key(name) for name in ledger.attributes() if any(one.until for one in ledger.timeline(name))}
    overtaken: set[str] = set()
    for node in nodes:
        named = (past & node.names) - overtaken if node.passage.kind != "fact" else set()
        if named:
            overtaken |= {attribute_key(one.attribute) for one in stale_values(node.passage.text, ledger, [*named])}
    for probe in fact_probes(graph, ledger, among=overtaken) if overtaken else ():
        yield replace(probe, pattern="stale")


def doubled_probes(graph: Graph, nodes: Sequence[Node]) -> Iterator[Probe]:
    """What two passages say that are nearly the same, asked of the one that says more."""
    vectors = graph.corpus.vectors
    told = [node for node in nodes if is_witness(node)]
    if vectors is None or len(told) < 2:
        return
    mine = vectors[[node.row for node in told]]
    for start in range(0, len(told), _ROWS_AT_ONCE):
        near = np.argwhere(mine[start : start + _ROWS_AT_ONCE] @ mine.T >= SAME)
        for i, other in ((start + int(one), int(other)) for one, other in near):
            if i < other:
                pair = (told[i], told[other])
                node = max(pair, key=lambda node: graph.says(node.row))
                if (probe := _told_probe(graph, node, "doubled")) is not None:
                    yield probe


def weak_first(graph: Graph, probes: Sequence[Probe]) -> list[Probe]:
    """*probes*, a few of those first whose passage has the fewest edges: nothing else leads there."""
    edges = {}
    for probe in probes:
        row = graph.at(probe.sources[0].path, probe.sources[0].start_line)
        edges[probe.id] = len(graph.edges(row)) if row is not None else 0
    few = sorted(edges.values())[len(edges) // _WEAK_SHARE] if edges else 0
    weak = [probe for probe in probes if edges[probe.id] <= few][:_MOST_WEAK]
    return [*weak, *(probe for probe in probes if probe not in weak)]


def _told_probe(graph: Graph, node: Node, pattern: str) -> Probe | None:
    """What *node* says, asked for by its most telling words."""
    answer = _best_sentence(graph, node)
    about = _telling_words(graph, answer, set())[:2] if answer else []
    if answer is None or len(about) < 2:
        return None
    return probe_of(f"What is known about {' and '.join(about)}?", answer, (node,), pattern=pattern)


def real_probes(graph: Graph, ledger: Ledger, real: Sequence[Question]) -> Iterator[Probe]:
    """Questions of the owner that failed or were corrected, where their answer stands somewhere in memory now."""
    current = {fact.value: (fact.path, fact.line) for fact in ledger.facts() if fact.value}
    for question in real:
        if not question.answer:
            continue
        at = current.get(question.answer)
        nodes = [
            node
            for node in graph.nodes.values()
            if question.answer in node.passage.text
            and (at is None or (node.passage.path, node.passage.start_line) == at)
        ]
        if 0 < len(nodes) <= 3:
            origin: Origin = "correction" if question.origin == "correction" else "failed"
            yield probe_of(question.question, question.answer, nodes, origin=origin, pattern=question.origin)


def _addressed(question: str, replier: str) -> str:
    """*question* as it was put to *replier*, who is named unless that is a role."""
    name = "" if replier.casefold() in _ROLES else f"{replier}, "
    return " ".join(f"{name}{question}".split())


def is_witness(node: Node) -> bool:
    """Whether what *node* says may be an answer: what a model once said is no evidence of anything."""
    return (node.passage.speaker or "").casefold() not in NO_WITNESSES


def _best_sentence(graph: Graph, node: Node) -> str | None:
    said = [part for part in sentences(node.passage.text) if not part.endswith("?") and len(part) <= _LONGEST_ANSWER]
    said = [part for part in said if len(graph.corpus.stems(part)) >= _LEAST_STEMS]
    return max(said, key=lambda part: informative(graph.corpus, part), default=None)


def _telling_words(graph: Graph, text: str, but: set[str]) -> list[str]:
    """The words of *text* by what they say, most telling first, *but* aside."""
    found = [word for word in dict.fromkeys(words(text)) if len(word) > 3 and word not in but]
    return sorted(found, key=lambda word: -informative(graph.corpus, word))


def _as_written(entity: str, nodes: Sequence[Node]) -> str | None:
    """A word that stands the same in all *nodes* and is *entity*, or has it for a stem."""
    pattern = re.compile(rf"\b{re.escape(entity)}\w{{0,4}}\b", re.IGNORECASE)
    found = [set(pattern.findall(node.passage.text)) for node in nodes]
    common = set.intersection(*found) if found else set()
    return min(common, default=None)


def probe_of(question: str, answer: str, nodes: Iterable[Node], *, origin: Origin = "rule", pattern: str) -> Probe:
    """A probe whose answer stands in *nodes*; its name is the same for the same question, answer and places."""
    sources = tuple(Source(node.passage.path, node.passage.start_line, node.passage.end_line) for node in nodes)
    name = blake2b(f"{question}\0{answer}\0{sources}".encode("utf-8", "replace"), digest_size=6).hexdigest()
    return Probe(name, question, answer, sources, origin, pattern)
