"""
What memory knows of its facts, for the owner's eyes: one fact, the reasons behind it, what would follow from a change,
and the graph of what hangs on what. Reads the ledger, writes nothing.
"""

import difflib
import re
from collections.abc import Callable, Iterator

from daemon import shown, wire
from daemon.context import content_words, coverage, without_experiences
from daemon.errors import FactUnknown, RequestInvalid
from daemon.memory import Memory
from memory_store.causes import Cause, why
from memory_store.dependencies import Edge, Graph, Node, graph
from memory_store.fact_lines import rule_text
from memory_store.facts import Fact, FactChange, Ref, Rule, attribute_key
from memory_store.journal import parse_journal
from memory_store.ledger import Ledger, names_page
from memory_store.names import Names, Similarity, likeness, meanings
from memory_store.page import Page
from memory_store.suppositions import ref_of, suppose, what_if

NEAR_AT_MOST = 5
NEAR_LEAST = 0.3
LINES_AT_MOST = 3  # of one fact's source
STEPS_AT_MOST = 4  # of the causes behind a fact
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")

Read = Callable[[str], Page | None]


def facts(memory: Memory, prefix: str = "", words: str = "") -> list[wire.FactLine]:
    """Every fact that stands now on pages whose path starts with *prefix*, and that says all of *words*; by place."""
    wanted = words.casefold().split()
    found = []
    for fact in _told(memory).facts():
        said = f"{fact.attribute} {fact.value or fact.was or ''}".casefold()
        if fact.path.startswith(prefix) and all(word in said for word in wanted):
            found.append(shown.fact_line(fact))
    return found


def recall(memory: Memory, what: str, *, at: str | None = None, past: bool = False) -> wire.Recalled:
    """
    What holds now under the name *what*, or held on the date *at*; with *past*, what held before too.

    Raises:
        FactUnknown: nothing has that name; those that come near are named.
        RequestInvalid: *at* is no date.
    """
    if at is not None and not _DATE.fullmatch(at):
        raise RequestInvalid(f"at is {at!r}, expected a date as 2026-10-01, 2026-10 or 2026", "at")
    ledger = _told(memory)
    ref = _known(memory, ledger, what)
    timeline = ledger.timeline(ref.attribute, ref.page)
    now = ledger.current(ref.attribute, ref.page) if at is None else ledger.at(ref.attribute, at, ref.page)
    shown_now = list(now)
    shown_past = [fact for fact in timeline if fact.until] if past or not shown_now else []
    return wire.Recalled(
        attribute=timeline[-1].attribute,
        facts=[shown.fact_line(fact) for fact in shown_now],
        past=[shown.fact_line(fact) for fact in shown_past],
        sources=[source for fact in shown_now for source in _grounds(fact, ledger, memory.page_or_none)],
        at=at,
        conflict=_conflict(ledger, ref) if at is None else None,
    )


def reasons(memory: Memory, what: str) -> wire.Why:
    """
    The chain of causes behind what stands under the name *what*, down to the lines that were told.

    Raises:
        FactUnknown.
    """
    ledger = _told(memory)
    ref = _known(memory, ledger, what)
    causes = why(ledger, ref.attribute, ref.page)
    return wire.Why(
        attribute=ledger.timeline(ref.attribute, ref.page)[-1].attribute,
        causes=[_cause(cause, memory.page_or_none) for cause in causes],
    )


def suppositions(memory: Memory, text: str) -> wire.WhatIf:
    """
    Everything that would follow from what *text* supposes. Writes nothing.

    Raises:
        FactUnknown: it supposes of a fact that is not known.
        RequestInvalid: it supposes nothing.
    """
    ledger = _told(memory)
    supposed = suppose(ledger, text)
    if not supposed:
        forgetting = re.match(r"\s*forget\s+(.+)", text, re.IGNORECASE | re.DOTALL)
        name, equals, value = text.partition("=")
        if not forgetting and not (equals and name.strip() and value.strip()):
            raise RequestInvalid(f"{text!r} supposes nothing; say `team lead = Arno`, or `forget team lead`", "text")
        ref = _known(memory, ledger, forgetting[1] if forgetting else name)
        page = f"[[{ref.page}]] " if ref.page else ""
        same = f"{page}[{ref.attribute}]"
        supposed = suppose(ledger, f"forget {same}" if forgetting else f"{same} = {value}")
    found = what_if(ledger, supposed)
    return wire.WhatIf(
        supposed=[_changed(change, ledger) for change in supposed],
        consequences=[_changed(change, ledger) for change in found.consequences],
        problems=[f"{problem.path}:{problem.line}: {problem.message}" for problem in found.problems],
    )


def picture(memory: Memory, form: str, what: str | None = None) -> wire.Graph:
    """
    The dependency graph, as text, mermaid or dot; with *what*, only what that fact hangs on and what hangs on it.

    Raises:
        FactUnknown.
        RequestInvalid: *form* is none of these.
    """
    ledger = _told(memory)
    drawn = graph(ledger)
    if what is not None:
        drawn = _around(drawn, _known(memory, ledger, what))
    edges = [
        wire.GraphEdge(
            cause=drawn.names[edge.cause],
            target=drawn.names[edge.target],
            when=_event(edge.rule),
            becomes=edge.rule.becomes,
            path=edge.rule.path,
            line=edge.rule.line,
        )
        for edge in drawn.edges
    ]
    match form:
        case "text":
            return wire.Graph(format="text", picture=drawn.text(), edges=edges)
        case "mermaid":
            return wire.Graph(format="mermaid", picture=drawn.mermaid(), edges=edges)
        case "dot":
            return wire.Graph(format="dot", picture=drawn.dot(), edges=edges)
    raise RequestInvalid(f"format is {form!r}, expected text, mermaid or dot", "format")


def sources_of(fact: Fact, read: Read) -> list[wire.Source]:
    """The lines in which *fact* was told, best first: of a conversation, the owner's words; else lines of the page."""
    target = fact.source or fact.was_source
    if target is None:
        return []
    path = _page_of(target)
    page = read(path)
    if page is None:
        return []
    value = attribute_key(fact.value or fact.was or "")
    asked = f"{fact.attribute} {fact.value or fact.was or ''}"
    scored = []
    for start, end, text in _stretches(path, page):
        if value and content_words(value) and not coverage(value, text):
            continue  # of the same, but not this: the line was edited since
        score = coverage(asked, text) + (1 if value and value in attribute_key(text) else 0)
        if score >= 0.5:
            scored.append((-score, start, wire.Source(path=path, start_line=start, end_line=end, text=text.strip())))
    best = min(scored, default=None)
    return [source for score, _, source in sorted(scored)[:LINES_AT_MOST] if best and score <= best[0] + 0.25]


def _page_of(link: str) -> str:
    return f"{link.partition('#')[0].partition('|')[0].strip().removesuffix('.md')}.md"


def near(name: str, ledger: Ledger, similarity: Similarity | None = None) -> tuple[str, ...]:
    """The few attributes whose names, or meanings, come closest to *name*, best first."""
    heads = [ledger.current(attribute)[0] for attribute in ledger.attributes()]
    if not heads:
        return ()
    scores = {fact.attribute: likeness(name, fact.attribute) for fact in heads}
    keys = {fact.key: fact.attribute for fact in heads}
    for key in difflib.get_close_matches(attribute_key(name), keys, NEAR_AT_MOST, 0.7):
        scores[keys[key]] = max(scores[keys[key]], 0.7)
    if similarity is not None:
        met = meanings(similarity, [name], [(fact.attribute, fact.value or fact.was or "") for fact in heads])
        for fact, meant in zip(heads, met.max(axis=0), strict=True):
            scores[fact.attribute] = max(scores[fact.attribute], 0.9 * float(meant))
    ranked = sorted((-score, attribute) for attribute, score in scores.items() if score >= NEAR_LEAST)
    return tuple(attribute for _, attribute in ranked[:NEAR_AT_MOST])


def must_be_known(memory: Memory, what: str) -> None:
    """Raises FactUnknown, with the names that come near, where no fact is called *what*, or ever was."""
    ref = ref_of(what)
    ledger = memory.ledger()
    if not ledger.timeline(ref.attribute, ref.page):
        raise FactUnknown(
            ref.attribute, memory.meaning.with_similarity(lambda meant: near(ref.attribute, ledger, meant))
        )


def _told(memory: Memory) -> Ledger:
    return without_experiences(memory.ledger())


def _known(memory: Memory, ledger: Ledger, what: str) -> Ref:
    """The fact that *what* names, word for word or but for small words."""
    ref = ref_of(what)
    if ledger.timeline(ref.attribute, ref.page):
        return ref
    if ref.page is None and (found := Names(ledger).by_name(ref.attribute)) and ledger.timeline(found.attribute):
        return Ref(found.attribute)
    raise FactUnknown(ref.attribute, memory.meaning.with_similarity(lambda meant: near(ref.attribute, ledger, meant)))


def _grounds(fact: Fact, ledger: Ledger, read: Read) -> list[wire.Source]:
    """Where *fact* was told; one that followed from others: the rules that led to it, and where these were told."""
    if not fact.cause:
        return sources_of(fact, read)
    chain = [cause for cause in why(ledger, fact.attribute, fact.path) if cause.depth or cause.fact == fact]
    steps = [_cause(cause, read) for cause in chain[:STEPS_AT_MOST]]
    return [source for step in steps for source in ([step.rule] if step.rule else step.sources)]


def _conflict(ledger: Ledger, ref: Ref) -> str | None:
    """What is odd about a fact that several pages claim."""
    if ref.page is not None:
        return None
    for conflict in ledger.conflicts():
        if attribute_key(conflict.attribute) == ref.key:
            where = " and ".join(f"{fact.path}:{fact.line}" for fact in conflict.facts)
            what = "say the same" if conflict.agree else "disagree"
            return f"{where} {what} about [{conflict.attribute}]"
    return None


def _stretches(path: str, page: Page) -> Iterator[tuple[int, int, str]]:
    """The pieces of a page that may have told something, with their lines: of a journal, only what the owner said."""
    turns = parse_journal(page) if "journal/" in path else []
    if turns:
        yield from ((turn.start_line, turn.end_line, turn.text) for turn in turns if turn.speaker == "user")
        return
    for number in range(page.body_start, len(page.lines) + 1):
        if page.lines[number - 1].strip():
            yield number, number, page.lines[number - 1]


def _cause(cause: Cause, read: Read) -> wire.Cause:
    rule = cause.rule
    source = None
    if rule is not None:
        source = wire.Source(
            path=rule.path, start_line=rule.line, end_line=rule.end_line or rule.line, text=rule_text(rule)
        )
    sources = sources_of(cause.fact, read) if rule is None else []
    edited = rule is None and not sources and cause.fact.source and read(_page_of(cause.fact.source)) is not None
    return wire.Cause(
        depth=cause.depth,
        fact=shown.fact_line(cause.fact),
        rule=source,
        said=cause.said or (f"it was edited by hand; [[{cause.fact.source}]] told another value" if edited else None),
        sources=sources,
    )


def _changed(change: FactChange, ledger: Ledger) -> wire.FactChanged:
    standing = [fact for fact in ledger.standing(change.key) if fact.path == change.path]
    before = change.before
    if not before:
        had = ", ".join(fact.value for fact in standing if fact.value)
        before = had or ("?" if standing and standing[0].state == "unsure" else None)
    return wire.FactChanged(
        attribute=change.attribute,
        path=change.path,
        line=standing[0].line if standing else 0,
        before=before,
        after=change.after,
        reason=change.reason if change.cause is None else f"{change.cause}: {change.reason}",
    )


def _around(drawn: Graph, ref: Ref) -> Graph:
    """The edges on a way to or from the fact *ref*."""
    starts = {
        node for node in drawn.names if node.key == ref.key and (ref.page is None or names_page(ref.page, node.path))
    }
    kept: set[Edge] = set()
    for forward in (True, False):
        out: dict[Node, list[Edge]] = {}
        for edge in drawn.edges:
            out.setdefault(edge.cause if forward else edge.target, []).append(edge)
        reached, waiting = set(starts), list(starts)
        while waiting:
            for edge in out.get(waiting.pop(), ()):
                kept.add(edge)
                there = edge.target if forward else edge.cause
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
    return Graph(tuple(edge for edge in drawn.edges if edge in kept), drawn.names)


def _event(rule: Rule) -> str:
    return {"changes": "changes", "forgotten": "is forgotten", "is": f"is {rule.value}"}[rule.trigger]
