"""All facts of the vault with their timelines: an immutable view, built from pages and renewed page by page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from memory_store.fact_values import (
    Change,
    ChangeKind,
    Fact,
    FactChange,
    FactState,
    PageFacts,
    Problem,
    Ref,
    Rule,
    RuleAdded,
    attribute_key,
    same_case,
    same_value,
)

_Line = TypeVar("_Line", bound=Fact | Rule)
_KINDS: Mapping[FactState, ChangeKind] = {"known": "set", "unsure": "unsure", "forgotten": "forget"}
_END = "\x7f"  # sorts after every digit: pads a partial date to the end of its period


@dataclass(frozen=True, slots=True)
class Conflict:
    """Pages that claim the same attribute. *agree*: they all give the same values, so that only the doubling is odd."""

    attribute: str
    facts: tuple[Fact, ...]
    agree: bool


@dataclass(frozen=True)
class Ledger:
    """
    Every fact, past and present, with constant-time lookup by attribute.

    Attributes compare as `attribute_key` says. Where a method takes *page*, it may be a path, a path without `.md`,
    a bare name or a wikilink target; None means all pages.
    """

    pages: Mapping[str, PageFacts] = field(default_factory=dict)
    _now: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False)
    _past: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False)
    _rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict, repr=False)
    _rules_to: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def build(cls, pages: Iterable[PageFacts]) -> "Ledger":
        """A ledger of *pages*; of two with the same path the later one counts."""
        by_path = {page.path: page for page in pages}
        ordered = {path: by_path[path] for path in sorted(by_path)}
        now: dict[str, list[Fact]] = {}
        past: dict[str, list[Fact]] = {}
        rules: dict[str, list[Rule]] = {}
        rules_to: dict[str, list[Rule]] = {}
        for page in ordered.values():
            for fact in page.facts:
                now.setdefault(fact.key, []).append(fact)
            for fact in page.past:
                past.setdefault(fact.key, []).append(fact)
            for rule in page.rules:
                rules.setdefault(rule.when.key, []).append(rule)
                rules_to.setdefault(rule.then.key, []).append(rule)
        return cls(ordered, _frozen(now), _frozen(past), _frozen(rules), _frozen(rules_to))

    def replace(self, path: str, facts: PageFacts | None) -> "Ledger":
        """This ledger with the page at *path* read anew, or without it where *facts* is None."""
        old = self.pages.get(path) or PageFacts(path)
        new = facts or PageFacts(path)
        pages = dict(self.pages)
        if facts is not None and path in pages:
            pages[path] = facts
        elif facts is not None:
            pages = dict(sorted([*pages.items(), (path, facts)]))
        else:
            pages.pop(path, None)
        return Ledger(
            pages,
            _renew(self._now, path, [(f.key, f) for f in old.facts], [(f.key, f) for f in new.facts]),
            _renew(self._past, path, [(f.key, f) for f in old.past], [(f.key, f) for f in new.past]),
            _renew(self._rules, path, [(r.when.key, r) for r in old.rules], [(r.when.key, r) for r in new.rules]),
            _renew(self._rules_to, path, [(r.then.key, r) for r in old.rules], [(r.then.key, r) for r in new.rules]),
        )

    def attributes(self) -> tuple[str, ...]:
        """Every attribute that stands now, forgotten ones included, as its first line spells it; by path, line."""
        seen: dict[str, str] = {}
        for fact in self.facts():
            seen.setdefault(fact.key, fact.attribute)
        return tuple(seen.values())

    def facts(self) -> Iterator[Fact]:
        """Every fact that stands now, by path, then line."""
        for page in self.pages.values():
            yield from page.facts

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, by path, then line."""
        return tuple(rule for page in self.pages.values() for rule in page.rules)

    def current(self, attribute: str, page: str | None = None) -> tuple[Fact, ...]:
        """What stands now under *attribute*: several values, a `?` or a tombstone too; by path, then line."""
        found = self._now.get(attribute_key(attribute), ())
        return found if page is None else tuple(fact for fact in found if names_page(page, fact.path))

    def standing(self, key: str) -> tuple[Fact, ...]:
        """What `current` gives, for an attribute whose key is *key*."""
        return self._now.get(key, ())

    def timeline(self, attribute: str, page: str | None = None) -> tuple[Fact, ...]:
        """Everything *attribute* has been, oldest first, what stands now last. A `?` is preceded by what it was."""
        past = list(self._past.get(attribute_key(attribute), ()))
        now = self.current(attribute, page)
        if page is not None:
            past = [fact for fact in past if names_page(page, fact.path)]
        for fact in now:
            if fact.state != "unsure" or fact.was is None:
                continue
            if not any(old.path == fact.path and old.until == fact.since and old.value for old in past):
                past.append(_was(fact))
        past.sort(key=lambda old: (old.until or old.since or "", old.since or ""))
        return (*past, *sorted(now, key=lambda fact: fact.since or ""))

    def at(self, attribute: str, date: str, page: str | None = None) -> tuple[Fact, ...]:
        """
        What stood under *attribute* on *date* (`2026`, `2026-11` and `2026-11-28`; the end of that period).

        A value counts from its `since` on and no longer on its `until`; a missing `since` reaches back for ever.
        """
        day = date + _END
        return tuple(
            fact
            for fact in self.timeline(attribute, page)
            if (fact.since is None or fact.since <= day) and (fact.until is None or day < fact.until)
        )

    def rules_on(self, attribute: str) -> tuple[Rule, ...]:
        """Rules that a change of *attribute* may fire."""
        return self._rules.get(attribute_key(attribute), ())

    def rules_to(self, attribute: str) -> tuple[Rule, ...]:
        """Rules that say what *attribute* becomes."""
        return self._rules_to.get(attribute_key(attribute), ())

    def conflicts(self) -> tuple[Conflict, ...]:
        """Attributes that more than one page claims, by first path and line. None of them wins."""
        return self._conflicts

    @cached_property
    def _conflicts(self) -> tuple[Conflict, ...]:
        found = []
        for facts in self._now.values():
            if len(facts) < 2:
                continue
            by_page: dict[str, set[str]] = {}
            for fact in facts:
                by_page.setdefault(fact.path, set()).add(f"{fact.state} {attribute_key(fact.value or '')}")
            if len(by_page) > 1:
                first = next(iter(by_page.values()))
                agree = all(values == first for values in by_page.values())
                found.append(Conflict(facts[0].attribute, facts, agree))
        return tuple(sorted(found, key=lambda conflict: (conflict.facts[0].path, conflict.facts[0].line)))

    def resolve(self, ref: Ref, home: str) -> tuple[str, ...]:
        """
        The paths of the pages on which *ref*, written on the page *home*, names a fact that stands or once stood.

        A page in the reference decides; without one, *home* itself does where it holds the attribute; otherwise
        every page that does. More than one path is an ambiguity; none means that nothing is known by that name.
        """
        now = self._now.get(ref.key, ())
        if len(now) == 1 and ref.page is None:
            return (now[0].path,)
        held = dict.fromkeys(fact.path for fact in (now or self._past.get(ref.key, ())))
        if ref.page is not None:
            return tuple(path for path in held if names_page(ref.page, path))
        return (home,) if home in held else tuple(held)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that `doctor` shows of facts: what pages report, and what only the whole shows; by path, then line."""
        return self._problems

    @cached_property
    def _problems(self) -> tuple[Problem, ...]:
        from memory_store.dependencies import check  # the graph is drawn over a ledger

        own = [problem for page in self.pages.values() for problem in page.problems]
        return tuple(sorted([*own, *check(self)], key=lambda problem: (problem.path, problem.line, problem.message)))


def names_page(name: str, path: str) -> bool:
    """Whether the wikilink target *name* may mean the page at *path*, as Obsidian resolves it (case aside)."""
    wanted = attribute_key(name.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].partition("#")[0])
    wanted = wanted.removesuffix(".md").strip("/ ")
    whole = attribute_key(path).removesuffix(".md")
    return bool(wanted) and (whole == wanted or whole.endswith("/" + wanted))


def diff(old: Ledger, new: Ledger) -> tuple[Change, ...]:
    """
    What an edit by hand changed, as the changes that say the same: for `recalculate(new, …, applied=True)`.

    By path, then line. A fact that only moved, to another line or page, did not change; nor did one whose qualifiers
    alone did. Rules that stand newly come as `RuleAdded`; those that went leave what they once said as it is.
    """
    found: list[tuple[str, int, Change]] = []
    gone: dict[tuple[str, str], list[Fact]] = {}
    fresh: dict[tuple[str, str], list[Fact]] = {}
    for path in sorted({*old.pages, *new.pages}):
        before, after = old.pages.get(path) or PageFacts(path), new.pages.get(path) or PageFacts(path)
        if before is after or before == after:
            continue
        said_before, said_after = _by_key(before.facts), _by_key(after.facts)
        for key in {**said_before, **said_after}:
            lost, found_anew = said_before.get(key, []), said_after.get(key, [])
            if [(fact.state, fact.value) for fact in lost] != [(fact.state, fact.value) for fact in found_anew]:
                gone[path, key], fresh[path, key] = lost, found_anew
        found += ((path, change.rule.line, change) for change in _new_rules(before, after))
    for place, lost in gone.items():
        _drop_same(lost, fresh.get(place, []))
    elsewhere: dict[str, list[list[Fact]]] = {}
    for place, found_anew in fresh.items():
        elsewhere.setdefault(place[1], []).append(found_anew)
    for place, lost in gone.items():
        for found_anew in elsewhere.get(place[1], ()):
            _drop_same(lost, found_anew)
    for place in {**gone, **fresh}:
        path = place[0]
        for line, change in _fact_changes(path, gone.get(place, []), fresh.get(place, []), new):
            found.append((path, line, change))
    return tuple(change for _, _, change in sorted(found, key=lambda entry: entry[:2]))


def ended(edits: Sequence[Change], old: Ledger, new: Ledger) -> tuple[Fact, ...]:
    """
    The values that *edits* by hand, from *old* to *new*, put others or a `?` in the place of, unless the owner put them
    into the past themselves. What was deleted or is to be forgotten is not among them.
    """
    found = []
    for change in edits:
        if not isinstance(change, FactChange) or change.kind not in ("set", "unsure") or change.before is None:
            continue
        for fact in old.current(change.attribute):
            if fact.path != change.path or fact.state != "known" or not same_value(fact.value, change.before):
                continue
            kept = (past for past in new.timeline(change.attribute) if past.until and past.path == change.path)
            if not any(same_value(past.value, fact.value) and past.since == fact.since for past in kept):
                found.append(fact)
    return tuple(found)


def _by_key(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.key, []).append(fact)
    return found


def _drop_same(gone: list[Fact], fresh: list[Fact]) -> None:
    """Takes out of both lists, in place, what says the same."""
    for fact in list(gone):
        twin = next((f for f in fresh if f.state == fact.state and same_value(f.value, fact.value)), None)
        if twin is not None:
            gone.remove(fact)
            fresh.remove(twin)


def _fact_changes(path: str, gone: list[Fact], fresh: list[Fact], new: Ledger) -> Iterator[tuple[int, FactChange]]:
    reason = "edited by hand"
    for index in range(max(len(gone), len(fresh))):
        before = gone[index] if index < len(gone) else None
        after = fresh[index] if index < len(fresh) else None
        value = None if before is None else "?" if before.state == "unsure" else before.value
        if after is None and before is not None:
            if before.state == "known":
                yield before.line, FactChange(path, before.attribute, "remove", before=value, reason=reason)
        elif after is not None:
            kind = _KINDS[after.state]
            if kind == "set" and before is None and len(new.current(after.attribute, path)) > 1:
                kind = "add"
            yield (
                after.line,
                FactChange(
                    path,
                    after.attribute,
                    kind,
                    before=value,
                    after=after.value,
                    reason=reason,
                    was=before.was if before else None,
                ),
            )


def _new_rules(before: PageFacts, after: PageFacts) -> Iterator[RuleAdded]:
    by_fact: dict[tuple[str, str], tuple[list[Rule], list[Rule]]] = {}
    for rules, side in ((before.rules, 0), (after.rules, 1)):
        for rule in rules:
            by_fact.setdefault((rule.when.key, rule.then.key), ([], []))[side].append(rule)
    for rule in after.rules:
        olds, news = by_fact[rule.when.key, rule.then.key]
        same = [old for old in olds if same_case(old, rule)]
        if any(old.becomes == rule.becomes or same_value(old.becomes, rule.becomes) for old in same):
            continue
        kept = [other.becomes for other in news if same_case(other, rule)]
        replaced = next((old for old in same if old.becomes not in kept), None)
        yield RuleAdded(after.path, rule, rule.source, replaced)


def _was(fact: Fact) -> Fact:
    """What an unsure *fact* had been, as an entry of its timeline."""
    return Fact(
        fact.attribute,
        fact.was,
        since=fact.was_since,
        until=fact.since,
        source=fact.was_source,
        path=fact.path,
        line=fact.line,
        end_line=fact.end_line,
    )


def _frozen(lists: dict[str, list[_Line]]) -> dict[str, tuple[_Line, ...]]:
    return {key: tuple(items) for key, items in lists.items()}


def _renew(
    index: Mapping[str, tuple[_Line, ...]], path: str, old: list[tuple[str, _Line]], new: list[tuple[str, _Line]]
) -> Mapping[str, tuple[_Line, ...]]:
    """*index* with the entries of the page *path* exchanged, *old* for *new*; other keys are shared, not copied."""
    fresh: dict[str, list[_Line]] = {key: [] for key, _ in old}
    for key, item in new:
        fresh.setdefault(key, []).append(item)
    if not fresh:
        return index
    renewed = dict(index)
    for key, items in fresh.items():
        kept = [item for item in index.get(key, ()) if item.path != path]
        if merged := sorted([*kept, *items], key=lambda item: (item.path, item.line)):
            renewed[key] = tuple(merged)
        else:
            renewed.pop(key, None)
    return renewed
