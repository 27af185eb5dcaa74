"""
Recalculation: what follows from a change, by the rules, through the dependency graph. Pure; nothing is written here.

The meaning of a rule, for a fact that hangs on another which has just
- *changed* (another value, a value after `?`, a further value, an end): `is V` fires where V is among the new values,
  `changes` always; where neither does and X, of a rule `is X`, is no longer so, a value that came from X becomes `?`;
- *been stated for the first time*, or *corrected*, or *confirmed* after a doubt: only `is V` fires, because nothing in
  the world changed. A value that came from the corrected one becomes `?`; one that became `?` for that doubt alone
  comes back with the confirmation;
- *become `?`*: what hangs on it by `changes`, or had its value from `is X`, becomes `?` too;
- *been forgotten*: `is forgotten` fires; all else that hangs on it becomes `?`.

Of several rules that fire, `is V` and `is forgotten` go before `changes`, a stated value before `?`, both before a
doubt that merely spreads; then the newer one wins, by `since`, then by line. A fact that was forgotten is set by no
rule, and one that the same change states is left as stated.

A rule whose value is a distance, `two days before it`, is reckoned from whatever its cause is, whenever that is told;
from what is no plain date it gives `?`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from memory_store.dependencies import Cycle, Edge, Node, contradictions, page_name, refers, target_of
from memory_store.fact_lines import parse_cause, render_ref, rule_text
from memory_store.fact_values import Change, Fact, FactChange, Problem, Ref, Rule, RuleAdded, same_value
from memory_store.happenings import CAUSES, Event, Happening, event_of
from memory_store.ledger import Ledger, names_page
from memory_store.reckoning import is_distance, reckon

_LAST_LINE = 1 << 60  # where a rule will stand that is about to be added


@dataclass(frozen=True, slots=True)
class Recalculation:
    """
    *consequences* in topological order, none of them for a fact that was changed itself; *cycles* that were met and
    followed no further; *problems* of the rules that took part.
    """

    consequences: tuple[FactChange, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Verdict(NamedTuple):
    """What one rule says that a fact becomes, and how strongly."""

    rank: int
    rule: Rule
    becomes: str | None
    cause: str


def recalculate(ledger: Ledger, changes: Sequence[Change], *, applied: bool = False) -> Recalculation:
    """
    What follows from *changes* by the rules of *ledger* and those being added.

    *ledger* is the one before the changes; with *applied* (edits by hand, from `diff`) the one after them.
    `apply` dates the consequences.
    """
    run = _Run(ledger, applied)
    for change in changes:
        if isinstance(change, RuleAdded):
            run.add_rule(change)
    for change in changes:
        if isinstance(change, FactChange):
            run.change(change)
    return run.result()


@dataclass
class _Run:
    ledger: Ledger
    applied: bool
    events: dict[Node, Event] = field(default_factory=dict)
    stated: dict[Node, None] = field(default_factory=dict)  # in order; left as the owner states them
    added: list[RuleAdded] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _facts: dict[Node, tuple[Fact, ...]] = field(default_factory=dict)  # these two: what is asked for again and again
    _named: tuple[dict[Node, str], dict[Node, str]] = field(default_factory=lambda: ({}, {}))

    # -- what happened ---

    def add_rule(self, change: RuleAdded) -> None:
        rule = change.rule
        if not self.applied:
            rule = replace(rule, path=change.path, line=_LAST_LINE + len(self.added), since=rule.since or "9999")
        self.added.append(replace(change, rule=rule))

    def change(self, change: FactChange) -> None:
        node = Node(change.path, change.key)
        earlier = self.events.get(node)
        event = event_of(change, self._present(node), earlier, applied=self.applied)
        self.stated[node] = None
        if event is None:
            return
        if earlier is not None:
            fresh = tuple(value for value in (*earlier.fresh, *event.fresh) if value in event.has)
            event = Event(event.what, earlier.had, event.has, fresh or event.fresh)
        self.events[node] = event

    def _present(self, node: Node) -> tuple[Fact, ...]:
        facts = self._facts.get(node)
        if facts is None:
            facts = self.ledger.standing(node.key)
            if len(facts) != 1 or facts[0].path != node.path:
                facts = tuple(fact for fact in facts if fact.path == node.path)
            self._facts[node] = facts
        return facts

    # -- what follows ---

    def result(self) -> Recalculation:
        woken = self._woken()
        order, incoming, back = self._ordered([*self.events, *woken])
        consequences = []
        for node in order:
            if node in self.stated:
                continue
            verdicts = [*woken.get(node, ()), *self._verdicts(node, incoming.get(node, ()))]
            if not verdicts:
                continue
            best = verdicts[0]
            if len(verdicts) > 1:
                best = max(verdicts, key=lambda v: (v.rank, v.rule.since or "", v.rule.line))
                rules = [verdict.rule for verdict in verdicts if verdict.rank]
                self.problems += contradictions(sorted(rules, key=lambda rule: (rule.path, rule.line)))
            found = self._consequence(node, best)
            if found is not None:
                change, self.events[node] = found
                consequences.append(change)
        met = tuple(cycle for edge, cycle in back if edge.cause in self.events)
        self.problems += (
            Problem(cycle.rules[0].path, cycle.rules[0].line, f"these facts depend on themselves: {cycle}", "cycle")
            for cycle in met
        )
        return Recalculation(tuple(consequences), met, tuple(dict.fromkeys(self.problems)))

    def _ordered(self, starts: Iterable[Node]) -> tuple[list[Node], dict[Node, list[Edge]], list[tuple[Edge, Cycle]]]:
        """All that may be reached, each after what it hangs on; the edges into each; those that close a cycle."""
        done: list[Node] = []
        state: dict[Node, Literal["open", "done"]] = {}
        incoming: dict[Node, list[Edge]] = {}
        back: list[tuple[Edge, Cycle]] = []
        for start in reversed(
            list(starts)
        ):  # reversed, and edges taken from the end, so that siblings come in line order
            if start in state:
                continue
            state[start] = "open"
            nodes, waiting, taken = [start], [self._edges(start)], list[Edge]()
            while nodes:
                edges = waiting[-1]
                while edges:
                    edge = edges.pop()
                    seen = state.get(edge.target)
                    if seen == "open":
                        back.append((edge, _cycle(taken, edge)))
                        continue
                    if edge.target in incoming:
                        incoming[edge.target].append(edge)
                    else:
                        incoming[edge.target] = [edge]
                    if seen is None:
                        state[edge.target] = "open"
                        nodes.append(edge.target)
                        waiting.append(self._edges(edge.target))
                        taken.append(edge)
                        break
                else:
                    waiting.pop()
                    if taken:
                        taken.pop()
                    state[nodes[-1]] = "done"
                    done.append(nodes.pop())
        done.reverse()
        return done, incoming, back

    def _edges(self, node: Node) -> list[Edge]:
        """The edges out of *node*, by the place of their rules."""
        rules = self.ledger.rules_on(node.key)
        replaced = [change.replaces for change in self.added if change.replaces is not None]
        if self.added and not self.applied:
            rules = (*rules, *(change.rule for change in self.added if change.rule.when.key == node.key))
        alone = bool(self._present(node)) and len(self.ledger.standing(node.key)) == 1
        found = []
        for rule in rules:
            if rule in replaced or not ((alone and rule.when.page is None) or self._may_fire(rule, node)):
                continue
            target = target_of(self.ledger, rule, self.stated)
            if target is not None:
                found.append(Edge(node, target, rule))
            elif node in self.events:
                self._report_target(rule)
        return found

    def _may_fire(self, rule: Rule, node: Node) -> bool:
        if rule.when.page is not None:
            return names_page(rule.when.page, node.path)
        paths = self.ledger.resolve(rule.when, rule.path)
        return not paths or node.path in paths

    def _report_target(self, rule: Rule) -> None:
        several = len(self.ledger.resolve(rule.then, rule.path)) > 1
        message = f"{render_ref(rule.then)} " + ("stands on several pages" if several else "names no page")
        self.problems.append(Problem(rule.path, rule.line, message, "ambiguous" if several else "unknown-fact"))

    def _woken(self) -> dict[Node, list[_Verdict]]:
        """What rules that stand newly say of facts as they are, where their cause does not change now as well."""
        found: dict[Node, list[_Verdict]] = {}
        for change in self.added:
            rule = change.rule
            target = target_of(self.ledger, rule, self.stated)
            if target is None or target in self.stated or rule.becomes is None:
                continue
            for path in self.ledger.resolve(rule.when, rule.path):
                cause = Node(path, rule.when.key)
                if cause not in self.events and self._speaks_now(change, cause, target):
                    event = _woken_by(rule, [fact.value for fact in self._present(cause) if fact.value])
                    found.setdefault(target, []).append(self._verdict(rule, cause, target, event))
        return found

    def _speaks_now(self, change: RuleAdded, cause: Node, target: Node) -> bool:
        rule = change.rule
        if rule.trigger == "is":
            return any(same_value(fact.value, rule.value) for fact in self._present(cause))
        if is_distance(rule.becomes):
            return bool(self._present(cause))
        for fact in self._present(target):
            said = parse_cause(fact.cause) if fact.cause else None
            if said is None or not refers(said[0], cause, target.path):
                continue
            fitting = said[1] == ("forgotten" if rule.trigger == "forgotten" else "changed")
            edited = change.replaces is not None and same_value(change.replaces.becomes, fact.value)
            if fitting and (fact.state == "unsure" or edited):
                return True
        return False

    # -- what a rule says ---

    def _verdicts(self, node: Node, edges: Iterable[Edge]) -> Iterator[_Verdict]:
        for edge in edges:
            event = self.events.get(edge.cause)
            if event is not None:
                verdict = self._judge(edge, event, node)
                if verdict is not None:
                    yield verdict

    def _judge(self, edge: Edge, event: Event, node: Node) -> _Verdict | None:
        rule = edge.rule
        if event.what == "confirmed" and (was := self._doubted_for(edge.cause, node)):
            return self._verdict(rule, edge.cause, node, event, doubt=True)._replace(becomes=was)
        doubt: bool | None = None
        if event.what == "forgotten":
            doubt = rule.trigger != "forgotten"
        elif rule.trigger == "changes":
            doubt = {"unsure": True, "changed": False, "ended": False}.get(event.what)
            if is_distance(rule.becomes) and doubt is None:
                doubt = False  # it holds of whatever the cause is
        elif rule.trigger == "is":
            doubt = self._condition(edge, event, node)
        return None if doubt is None else self._verdict(rule, edge.cause, node, event, doubt=doubt)

    def _condition(self, edge: Edge, event: Event, node: Node) -> bool | None:
        """Whether an `is` rule leaves a doubt (True), speaks (False), or is silent (None)."""
        rule = edge.rule
        if any(same_value(value, rule.value) for value in event.fresh):
            return False
        left = any(same_value(value, rule.value) for value in event.had)
        stays = any(same_value(value, rule.value) for value in event.has)
        return True if left and not stays and self._came_from(rule, edge.cause, node) else None

    def _doubted_for(self, cause: Node, node: Node) -> str | None:
        """What *node* was before it became `?` for no other reason than that *cause* did."""
        for fact in self._present(node):
            said = parse_cause(fact.cause) if fact.cause and fact.state == "unsure" else None
            if said and said[1] == "unsure" and refers(said[0], cause, node.path):
                return fact.was
        return None

    def _verdict(self, rule: Rule, cause: Node, target: Node, event: Event, *, doubt: bool = False) -> _Verdict:
        said = CAUSES[event.what]
        if not doubt and rule.trigger == "is":
            said = f"is {rule.value}"
        rank = 0 if doubt else 3 if rule.trigger != "changes" else 2 if rule.becomes is not None else 1
        becomes = None if doubt else rule.becomes
        if becomes is not None and is_distance(becomes):
            becomes = reckon(becomes, event.has[0]) if len(event.has) == 1 else None
        return _Verdict(rank, rule, becomes, f"{self._name(rule, cause, target)} {said}")

    def _name(self, rule: Rule, cause: Node, target: Node) -> str:
        """*cause* as a line on the page of *target* names it; where it stands nowhere, as *rule* does."""
        elsewhere = cause.path != target.path
        named = self._named[elsewhere].get(cause)
        if named is None:
            facts = self._present(cause)
            attribute = facts[0].attribute if facts else rule.when.attribute
            named = render_ref(Ref(attribute, page_name(cause.path) if elsewhere else None))
            if facts:
                self._named[elsewhere][cause] = named
        return named

    def _came_from(self, rule: Rule, cause: Node, node: Node) -> bool:
        """Whether what stands at *node* is what *rule* said, or says that it came from the rule's cause being so."""
        for fact in self._present(node):
            if rule.becomes is not None and same_value(fact.value, rule.becomes):
                return True
            said = parse_cause(fact.cause) if fact.cause and fact.state == "known" else None
            if said and refers(said[0], cause, node.path) and same_value(said[1], f"is {rule.value}"):
                return True
        return False

    def _consequence(self, node: Node, verdict: _Verdict) -> tuple[FactChange, Event] | None:
        facts = self._present(node)
        had: tuple[str, ...] = ()
        doubt = None
        for fact in facts:
            if fact.state == "forgotten":
                return None
            if fact.value is not None:
                had = (*had, fact.value)
            elif doubt is None:
                doubt = fact
        if verdict.becomes is None:
            if not had:
                return None
            event = Event("unsure", had)
        elif any(same_value(value, verdict.becomes) for value in had):
            return None
        else:
            new = (verdict.becomes,)
            what: Happening = "changed" if had or doubt else "first"
            if doubt and doubt.was and same_value(doubt.was, verdict.becomes):
                what = "confirmed"
            event = Event(what, had, new, new)
        change = FactChange(
            node.path,
            facts[0].attribute if facts else " ".join(verdict.rule.then.attribute.split()),
            "unsure" if verdict.becomes is None else "set",
            before=", ".join(had) or ("?" if doubt else None),
            after=verdict.becomes,
            reason=rule_text(verdict.rule),
            cause=verdict.cause,
            every=True,
        )
        return change, event


def _woken_by(rule: Rule, values: Sequence[str]) -> Event:
    return Event("forgotten" if rule.trigger == "forgotten" else "changed", has=tuple(values))


def _cycle(way: Sequence[Edge], closing: Edge) -> Cycle:
    start = next((i for i, edge in enumerate(way) if edge.cause == closing.target), len(way))
    round_trip = [*way[start:], closing]
    return Cycle(tuple(edge.cause for edge in round_trip), tuple(edge.rule for edge in round_trip))
