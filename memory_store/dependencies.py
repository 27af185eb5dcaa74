"""The dependency graph that rules draw over facts: its edges, its cycles, what is wrong with it, and pictures of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memory_store.fact_lines import render_ref
from memory_store.fact_values import Problem, Ref, Rule, same_case, same_value
from memory_store.ledger import Ledger, names_page


class Node(NamedTuple):
    """An attribute on a page; *key* as `attribute_key` gives it."""

    path: str
    key: str


class Edge(NamedTuple):
    """*rule* carries a change of *cause* to *target*."""

    cause: Node
    target: Node
    rule: Rule


@dataclass(frozen=True, slots=True)
class Cycle:
    """Facts that depend on themselves, in order of the arrows; *rules* are those along the way."""

    nodes: tuple[Node, ...]
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        names = [f"[{node.key}]" for node in self.nodes]
        return " -> ".join([*names, names[0]])


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges by the place of their rules; *names* spells each node as its line does."""

    edges: tuple[Edge, ...]
    names: dict[Node, str]

    def text(self) -> str:
        """One line an edge: `[cause] -> [target]: when it changes, becomes …  (path:line)`."""
        lines = []
        for edge in self.edges:
            rule = edge.rule
            lines.append(
                f"{self._name(edge.cause)} -> {self._name(edge.target)}: {_label(rule)}  ({rule.path}:{rule.line})"
            )
        return "\n".join(lines)

    def mermaid(self) -> str:
        """A mermaid flowchart, as Obsidian and many others draw it."""
        ids = self._ids()
        lines = ["flowchart LR"]
        lines += [f'    {ident}["{_html(self.names[node])}"]' for node, ident in ids.items()]
        lines += [f'    {ids[edge.cause]} -->|"{_html(_label(edge.rule))}"| {ids[edge.target]}' for edge in self.edges]
        return "\n".join(lines)

    def dot(self) -> str:
        """A digraph for Graphviz."""
        ids = self._ids()
        lines = ["digraph facts {", "    rankdir=LR;"]
        lines += [f"    {ident} [label={_quoted(self.names[node])}];" for node, ident in ids.items()]
        lines += [
            f"    {ids[edge.cause]} -> {ids[edge.target]} [label={_quoted(_label(edge.rule))}];" for edge in self.edges
        ]
        return "\n".join([*lines, "}"])

    def _ids(self) -> dict[Node, str]:
        used = dict.fromkeys(node for edge in self.edges for node in (edge.cause, edge.target))
        return {node: f"f{number}" for number, node in enumerate(used, 1)}

    def _name(self, node: Node) -> str:
        twins = sum(1 for other in self.names if other.key == node.key)
        page = f"[[{page_name(node.path)}]] " if twins > 1 else ""
        return f"{page}[{self.names[node]}]"


def graph(ledger: Ledger) -> Graph:
    """The whole dependency graph of *ledger*; rules whose facts are unknown are drawn too, on their own page."""
    edges = tuple(edge for rule in ledger.rules for edge in edges_of(ledger, rule))
    names: dict[Node, str] = {}
    for edge in edges:
        for node, ref in ((edge.cause, edge.rule.when), (edge.target, edge.rule.then)):
            facts = ledger.current(node.key, node.path)
            names.setdefault(node, facts[0].attribute if facts else ref.attribute)
    return Graph(edges, names)


def edges_of(ledger: Ledger, rule: Rule) -> Iterator[Edge]:
    """The edges that *rule* draws: one for each page that its cause may mean; none where its target is ambiguous."""
    target = target_of(ledger, rule)
    if target is None:
        return
    for path in ledger.resolve(rule.when, rule.path) or (rule.path,):
        yield Edge(Node(path, rule.when.key), target, rule)


def target_of(ledger: Ledger, rule: Rule, new: Iterable[Node] = ()) -> Node | None:
    """
    The fact that *rule* sets: known by that name, or about to be (*new*), or else to be made on the page that it names,
    failing that on its own. None where several pages claim it, or where the page it names does not exist.
    """
    key = rule.then.key
    if rule.then.page is None and len(now := ledger.standing(key)) == 1:
        return Node(now[0].path, key)
    paths = ledger.resolve(rule.then, rule.path)
    if not paths:
        paths = tuple(
            node.path
            for node in new
            if node.key == key and (rule.then.page is None or names_page(rule.then.page, node.path))
        )
    if not paths and rule.then.page is not None:
        paths = tuple(path for path in ledger.pages if names_page(rule.then.page, path))
    elif not paths:
        paths = (rule.path,)
    return Node(paths[0], key) if len(paths) == 1 else None


def check(ledger: Ledger) -> Iterator[Problem]:
    """What is wrong with facts and rules as a whole: unknown and ambiguous names, cycles, contradictions, conflicts."""
    for rule in ledger.rules:
        for ref in (rule.when, rule.then):
            paths = ledger.resolve(ref, rule.path)
            if not paths:
                yield Problem(
                    rule.path, rule.line, f"the rule names {render_ref(ref)}, which is no fact", "unknown-fact"
                )
            elif len(paths) > 1:
                where = ", ".join(paths)
                message = f"{render_ref(ref)} stands on several pages ({where}): name the page before it"
                yield Problem(rule.path, rule.line, message, "ambiguous")
    yield from contradictions(ledger.rules)
    for cycle in cycles(edge for rule in ledger.rules for edge in edges_of(ledger, rule)):
        rule = cycle.rules[0]
        yield Problem(rule.path, rule.line, f"these facts depend on themselves: {cycle}", "cycle")
    for fact in ledger.facts():
        if fact.state == "forgotten":
            for past in ledger.timeline(fact.attribute):
                if past.until and past.value:
                    message = f"[{fact.attribute}] is to be forgotten, but what it was stands here"
                    yield Problem(past.path, past.line, message, "half-deleted")
    for conflict in ledger.conflicts():
        first, *others = conflict.facts
        where = ", ".join(f"{fact.path}:{fact.line}" for fact in others if fact.path != first.path)
        how = "the same" if conflict.agree else "another"
        message = f"[{conflict.attribute}] is claimed with {how} value by {where}"
        yield Problem(first.path, first.line, message, "conflict")


def contradictions(rules: Iterable[Rule]) -> Iterator[Problem]:
    """Rules that give one fact two values for one event, with nothing to say which is newer; told at the later one."""
    cases: dict[tuple[str, str, str], list[Rule]] = {}
    for rule in rules:
        cases.setdefault((rule.trigger, rule.when.key, rule.then.key), []).append(rule)
    for same in cases.values():
        for index, rule in enumerate(same):
            for other in same[:index]:
                if rule.becomes is None or other.becomes is None or same_value(rule.becomes, other.becomes):
                    continue
                if same_case(rule, other) and (rule.since or "") == (other.since or ""):
                    message = (
                        f"contradicts the rule at {other.path}:{other.line}: [{rule.then.attribute}] cannot be both"
                    )
                    yield Problem(rule.path, rule.line, message, "contradiction")
                    break


def cycles(edges: Iterable[Edge]) -> tuple[Cycle, ...]:
    """One cycle for every knot of facts that depend on themselves (Tarjan's components, one way round each)."""
    out: dict[Node, list[Edge]] = {}
    for edge in edges:
        out.setdefault(edge.cause, []).append(edge)
    found = []
    for component in _components(out):
        inside = set(component)
        start = component[0]
        if len(component) == 1 and not any(edge.target == start for edge in out.get(start, ())):
            continue
        found.append(_way_round(start, inside, out))
    return tuple(found)


def page_name(path: str) -> str:
    """The shortest wikilink target for the page at *path*."""
    return path.rpartition("/")[2].removesuffix(".md")


def refers(ref: Ref, node: Node, home: str) -> bool:
    """Whether *ref*, written on the page *home*, may name *node*."""
    return ref.key == node.key and (names_page(ref.page, node.path) if ref.page is not None else home == node.path)


def _components(out: dict[Node, list[Edge]]) -> list[list[Node]]:
    """Strongly connected components, iteratively."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    components: list[list[Node]] = []
    for root in out:
        if root in index:
            continue
        work: list[tuple[Node, Iterator[Edge]]] = [(root, iter(out.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, edges = work[-1]
            for edge in edges:
                target = edge.target
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(out.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = [stack.pop()]
                    while component[-1] != node:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    components.append(component[::-1])
    return components


def _way_round(start: Node, inside: set[Node], out: dict[Node, list[Edge]]) -> Cycle:
    """The shortest way from *start* back to itself within its component."""
    came: dict[Node, Edge] = {}
    frontier = [start]
    while start not in came:
        reached = []
        for node in frontier:
            for edge in out.get(node, ()):
                if edge.target in inside and edge.target not in came:
                    came[edge.target] = edge
                    reached.append(edge.target)
        frontier = reached
    way = [came[start]]
    while way[-1].cause != start:
        way.append(came[way[-1].cause])
    way.reverse()
    return Cycle(tuple(edge.cause for edge in way), tuple(edge.rule for edge in way))


def _label(rule: Rule) -> str:
    event = {"changes": "changes", "forgotten": "is forgotten", "is": f"is {rule.value}"}[rule.trigger]
    return f"{event}, becomes {'?' if rule.becomes is None else ' '.join(rule.becomes.split())}"


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
