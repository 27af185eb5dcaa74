"""Changes of facts written into a page: one line a fact, one line a past value, every other line untouched."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memory_store.errors import ChangeAmbiguous, FactNotWritten, PageReadOnly
from memory_store.fact_lines import parse_cause, render_fact, render_rule, tidy_value
from memory_store.fact_pages import PAST, RULES, block_end, read_facts, section_lines
from memory_store.fact_values import (
    Change,
    Fact,
    FactChange,
    PageFacts,
    Rule,
    RuleAdded,
    attribute_key,
    same_case,
    same_value,
)
from memory_store.list_items import Bullet, split_bullet, to_lines
from memory_store.page import Page, parse, render


def apply(page: Page, changes: Sequence[Change], *, today: str) -> Page:
    """
    *page* after *changes*, in their order; all of them are of this page, whatever path they name. Pure.

    A fact keeps its bullet, indent, tags, notes and block id; its former value goes to the end of `Past`. New facts
    stand after the last one (a further value after its siblings), new rules at the end of `Rules`; missing sections
    are made, `Rules` before `Past`. A change that says what already stands changes nothing, so applying twice is
    applying once. A tombstone takes the fact's past, and the rules that would bring it back, with it.

    Raises:
        PageReadOnly: the page has a problem.
        ChangeAmbiguous: a value is replaced where several stand, and none is named.
        FactInvalid: an attribute or value that no line can hold.
        FactNotWritten: an unclosed fence or comment would swallow the new lines.
    """
    path = changes[0].path if changes else ""
    if page.problem:
        raise PageReadOnly(page.problem.line, page.problem.reason, path or None)
    draft = _Draft(page, read_facts(path, page), today)
    for change in changes:
        if isinstance(change, RuleAdded):
            draft.add_rule(change)
        else:
            draft.change(change)
    return draft.written()


def scrub(page: Page, attribute: str, *, path: str = "") -> Page:
    """*page* without past values of *attribute*, rules that state one, and values of it in causes. Pure."""
    if page.problem:
        raise PageReadOnly(page.problem.line, page.problem.reason, path or None)
    draft = _Draft(page, read_facts(path, page), "")
    draft.scrub(attribute)
    return draft.written()


def keep_past(page: Page, facts: Sequence[Fact], *, today: str) -> Page:
    """*page* with *facts*, values of its own that ended *today*, at the end of `Past`, other lines as they are."""
    draft = _Draft(page, read_facts(facts[0].path if facts else "", page), today)
    for fact in facts:
        draft.end(fact)
    return draft.written()


@dataclass(slots=True)
class _Slot:
    """A fact in its place: as it stands (*old*, None if new) and as it is to stand (*now*, None if it goes)."""

    old: Fact | None
    now: Fact | None


@dataclass(slots=True)
class _RuleSlot:
    old: Rule | None
    now: Rule | None


@dataclass
class _Draft:
    page: Page
    read: PageFacts
    today: str
    facts: list[_Slot] = field(init=False)
    past: list[_Slot] = field(init=False)
    rules: list[_RuleSlot] = field(init=False)

    def __post_init__(self) -> None:
        self.facts = [_Slot(fact, fact) for fact in self.read.facts]
        self.past = [_Slot(fact, fact) for fact in self.read.past]
        self.rules = [_RuleSlot(rule, rule) for rule in self.read.rules]
        self._by_key: dict[str, list[_Slot]] = {}
        for slot in self.facts:
            if slot.old:
                self._by_key.setdefault(slot.old.key, []).append(slot)

    # -- decisions ---

    def change(self, change: FactChange) -> None:
        slots = [slot for slot in self._by_key.get(change.key, ()) if slot.now]
        match change.kind:
            case "set":
                self._set(change, slots)
            case "add":
                self._add(change, slots)
            case "unsure":
                self._doubt(change, self._targets(change, slots, every=True))
            case "forget":
                self._forget(change, slots)
            case "remove":
                for slot in self._targets(change, slots, every=change.before is None):
                    if slot.now and slot.now.state != "forgotten":
                        self.end(slot.now)
                        slot.now = None

    def add_rule(self, change: RuleAdded) -> None:
        value = tidy_value(change.rule.becomes) if change.rule.becomes is not None else None
        rule = replace(
            change.rule,
            becomes=value,
            value=" ".join(change.rule.value.split()) if change.rule.value else None,
            since=change.rule.since or self.today,
            source=change.source or change.rule.source,
            nested=False,
        )
        for slot in self.rules:
            if slot.now is None or not same_case(slot.now, rule):
                continue
            if rule.becomes is None or same_value(slot.now.becomes, rule.becomes):
                return
            if not slot.now.nested:
                slot.now = replace(rule, block_id=slot.now.block_id, notes=slot.now.notes)
                return
        self.rules.append(_RuleSlot(None, rule))

    def scrub(self, attribute: str) -> None:
        key = attribute_key(attribute)
        for slot in self.past:
            if slot.now and slot.now.key == key:
                slot.now = None
        for rule_slot in self.rules:
            rule = rule_slot.now
            if (
                rule
                and not rule.nested
                and (
                    (rule.then.key == key and rule.becomes is not None)
                    or (rule.when.key == key and rule.trigger == "is")
                )
            ):
                rule_slot.now = None
        for slot in (*self.facts, *self.past):
            if slot.now and slot.now.cause and (found := parse_cause(slot.now.cause)):
                ref, said = found
                if ref.key == key and said.startswith("is ") and said != "is forgotten":
                    cause = slot.now.cause.removesuffix(said) + "changed"
                    slot.now = replace(slot.now, cause=cause)

    def _set(self, change: FactChange, slots: list[_Slot]) -> None:
        after = tidy_value(change.after or "")
        targets = self._targets(change, slots, every=change.every)
        if not targets:
            self._new(change, after)
            return
        first, *others = targets
        fact = first.now
        assert fact is not None
        for other in others:
            if other.now:
                self.end(other.now)
            other.now = None
        if fact.state == "known" and (fact.value == after or (same_value(fact.value, after) and not change.correction)):
            return
        correcting = change.correction and fact.state == "known"
        if not correcting:
            self.end(fact)
        first.now = Fact(
            fact.attribute,
            after,
            tags=tuple(dict.fromkeys((*fact.tags, *change.tags))),
            since=fact.since if correcting else self.today,
            source=change.source or (fact.source if correcting else None),
            cause=change.cause,
            corrected=self.today if correcting else None,
            notes=fact.notes,
            block_id=fact.block_id,
            comment=fact.comment,
        )

    def _add(self, change: FactChange, slots: list[_Slot]) -> None:
        after = tidy_value(change.after or "")
        if any(slot.now and same_value(slot.now.value, after) for slot in slots):
            return
        tombstone = next((slot for slot in slots if slot.now and slot.now.state == "forgotten"), None)
        if tombstone:
            self._set(replace(change, kind="set", before=None), [tombstone])
        else:
            self._new(change, after)

    def _doubt(self, change: FactChange, targets: list[_Slot]) -> None:
        held = [slot for slot in targets if slot.now and slot.now.state == "known"]
        if not held:
            return
        first, *others = held
        fact = first.now
        assert fact is not None
        if others:
            for slot in held:
                if slot.now:
                    self.end(slot.now)
            for slot in others:
                slot.now = None
        values = [slot.old.value if slot.old else None for slot in held] if others else [fact.value]
        first.now = Fact(
            fact.attribute,
            None,
            "unsure",
            tags=fact.tags,
            since=self.today,
            source=change.source,
            cause=change.cause or change.reason or None,
            was=", ".join(" ".join(value.split()) for value in values if value) or None,
            was_since=None if others else fact.since,
            was_source=None if others else fact.source,
            notes=fact.notes,
            block_id=fact.block_id,
            comment=fact.comment,
        )

    def _forget(self, change: FactChange, slots: list[_Slot]) -> None:
        one = [slot for slot in slots if change.before is not None and _holds(slot, change.before)]
        if one and len(one) < len(slots):
            for slot in one:
                slot.now = None
            for past in self.past:
                if past.now and past.now.key == change.key and same_value(past.now.value, change.before):
                    past.now = None
            return
        former = next((slot.now for slot in self.past if slot.now and slot.now.key == change.key), None)
        if not slots and former is None:
            return
        attribute = slots[0].now.attribute if slots and slots[0].now else change.attribute
        stone = Fact(attribute, None, "forgotten", since=self.today, source=change.source)
        if slots and slots[0].now:
            fact = slots[0].now
            slots[0].now = fact if fact.state == "forgotten" else replace(stone, tags=fact.tags, block_id=fact.block_id)
            for slot in slots[1:]:
                slot.now = None
        else:
            self._insert(stone)
        self.scrub(change.attribute)

    def _targets(self, change: FactChange, slots: list[_Slot], *, every: bool) -> list[_Slot]:
        """The values that *change* means: the one it names, the only one, or, with *every*, all."""
        if change.before is not None and change.before != "?" and len(slots) > 1:
            named = [slot for slot in slots if _holds(slot, change.before)]
            if named:
                return named
        if len(slots) > 1 and not every:
            values = tuple(slot.now.value or "?" for slot in slots if slot.now)
            raise ChangeAmbiguous(change.path, change.attribute, values)
        return slots

    def _new(self, change: FactChange, after: str) -> None:
        fact = Fact(change.attribute, after, tags=change.tags, since=self.today, source=change.source)
        self._insert(replace(fact, attribute=" ".join(change.attribute.split()), cause=change.cause))

    def _insert(self, fact: Fact) -> None:
        slot = _Slot(None, fact)
        self.facts.append(slot)
        self._by_key.setdefault(fact.key, []).append(slot)

    def end(self, fact: Fact) -> None:
        """Puts what *fact* was into the past, unless it stands there already."""
        if fact.state == "known":
            past = replace(fact, until=self.today, tags=(), notes=(), block_id=None, comment=None, corrected=None)
        elif fact.state == "unsure" and fact.was is not None:
            known = any(
                slot.now and slot.now.key == fact.key and slot.now.until == fact.since and slot.now.value
                for slot in self.past
            )
            if known:
                return
            past = Fact(
                fact.attribute, fact.was, since=fact.was_since, until=fact.since or self.today, source=fact.was_source
            )
        else:
            return
        self.past.append(_Slot(None, past))

    # -- lines ---

    def written(self) -> Page:
        """The page with every decision written, read back and found to say just that."""
        edits = _Edits(self.page)
        for slot in (*self.facts, *self.past):
            if slot.old and slot.now != slot.old:
                edits.exchange(slot.old.line, slot.old.end_line, render_fact(slot.now) if slot.now else None)
        for rule_slot in self.rules:
            rule = rule_slot.old
            if rule and rule_slot.now != rule:
                edits.exchange(rule.line, rule.end_line, render_rule(rule_slot.now) if rule_slot.now else None)
        new_rules = [render_rule(slot.now) for slot in self.rules if slot.now and not slot.old]
        new_past = [render_fact(slot.now) for slot in self.past if slot.now and not slot.old]
        for slot in self.facts:
            if slot.now and not slot.old:
                edits.add_fact(slot.now.key, render_fact(slot.now), self.read)
            elif slot.old and not slot.now:
                for rule_slot in self.rules:  # a nested rule goes with the fact it stands under
                    nested = rule_slot.now
                    if (
                        nested
                        and nested.nested
                        and slot.old.line < nested.line <= block_end(self.page, slot.old.line, slot.old.end_line)
                    ):
                        rule_slot.now = None
                        edits.exchange(nested.line, nested.end_line, None)
        edits.add_to_section(RULES, new_rules, [rule.end_line for rule in self.read.rules if not rule.nested])
        edits.add_to_section(PAST, new_past, [fact.end_line for fact in self.read.past])
        page = edits.page()
        self._verify(page)
        return page

    def _verify(self, page: Page) -> None:
        if page is self.page:
            return
        found = read_facts(self.read.path, page)
        said = Counter((fact.key, fact.state, fact.value) for fact in (*found.facts, *found.past))
        wanted = [slot for slot in (*self.facts, *self.past) if slot.now]
        for slot in wanted:
            assert slot.now is not None
            key = (slot.now.key, slot.now.state, slot.now.value)
            said[key] -= 1
            if said[key] < 0:
                line = slot.old.line if slot.old else len(page.lines)
                raise FactNotWritten(self.read.path, slot.now.attribute, line)
        if len(found.rules) < sum(1 for slot in self.rules if slot.now):
            raise FactNotWritten(self.read.path, "Rules", len(page.lines))


class _Edits:
    """Lines to exchange and to add, gathered by their place in the old page and applied at once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._instead: dict[int, list[str]] = {}
        self._after: dict[int, list[str]] = {}
        self._last_bullet: dict[int, Bullet] = {}
        self._gap_before: set[int] = set()

    def exchange(self, line: int, end_line: int, body: str | None) -> None:
        """Lines *line* to *end_line* say *body* instead; None takes them away."""
        bullet = self._bullet(line)
        self._instead[line] = [] if body is None else to_lines(bullet, body)
        for number in range(line + 1, end_line + 1):
            self._instead[number] = []

    def add_fact(self, key: str, body: str, read: PageFacts) -> None:
        """A new fact after the last value of its attribute, or after the last fact, or where facts belong."""
        siblings = [fact for fact in read.facts if fact.key == key]
        own = self._own_facts(read)
        if siblings or own:
            anchor = (siblings or own)[-1]
            end = block_end(self._page, anchor.line, anchor.end_line)
            bullet = self._last_bullet.get(end, self._bullet(anchor.line)).next()
            self._last_bullet[end] = bullet
            self._after.setdefault(end, []).extend(to_lines(bullet, body))
            return
        first = min((found[0] for name in (RULES, PAST) if (found := section_lines(self._page, name))), default=None)
        end = self._last_text(len(self._page.lines) if first is None else first - 1)
        if end not in self._after and end >= self._page.body_start:
            self._after[end] = [""]
        self._after.setdefault(end, []).extend(to_lines(Bullet(), body))
        if first is not None:
            self._gap_before.add(first)

    def add_to_section(self, name: str, bodies: Sequence[str], ends: Sequence[int]) -> None:
        """*bodies* at the end of the section *name* (after its items, which end at *ends*), made where missing."""
        if not bodies:
            return
        found = section_lines(self._page, name)
        if found is None:
            place = self._new_section_place(name)
            lines = self._after.setdefault(place, [])
            lines.extend(["", f"## {name.capitalize()}", *self._plain(bodies)])
            if name == RULES and (past := section_lines(self._page, PAST)):
                self._gap_before.add(past[0])
            return
        heading, last = found
        inside = [end for end in ends if heading < end <= last]
        place = inside[-1] if inside else heading
        bullet = self._bullet(place) if inside else Bullet()
        lines = self._after.setdefault(place, [])
        for body in bodies:
            bullet = bullet.next()
            lines.extend(to_lines(bullet, body))

    def page(self) -> Page:
        """The page with all edits in; the same object where there are none."""
        if not self._instead and not self._after:
            return self._page
        old = self._page
        usual = next((end for end in old.ends if end), "\n")
        lines: list[str] = list(self._after.get(0, ()))
        ends: list[str] = [usual] * len(lines)
        for number, (line, end) in enumerate(zip(old.lines, old.ends, strict=True), 1):
            instead = self._instead.get(number)
            texts = [line] if instead is None else instead
            added = self._after.get(number, [])
            gap = [""] if added and number + 1 in self._gap_before else []
            both = [*texts, *added, *gap]
            lines.extend(both)
            ends.extend([end or usual] * (len(both) - 1) + [end] if both else [])
        if ends and not all(ends):
            ends = [end or usual for end in ends[:-1]] + [ends[-1]]
            if old.ends and not old.ends[-1]:
                ends[-1] = ""
        return parse(render(replace(old, lines=tuple(lines), ends=tuple(ends))))  # line 1 may open frontmatter now

    def _own_facts(self, read: PageFacts) -> list[Fact]:
        """Facts outside the sections of rules and past, those of the outermost indent."""
        sections = [found for name in (RULES, PAST) if (found := section_lines(self._page, name))]
        facts = [fact for fact in read.facts if not any(heading < fact.line <= last for heading, last in sections)]
        indents = {fact.line: len(self._bullet(fact.line).indent.expandtabs(4)) for fact in facts}
        least = min(indents.values(), default=0)
        return [fact for fact in facts if indents[fact.line] == least]

    def _new_section_place(self, name: str) -> int:
        past = section_lines(self._page, PAST) if name == RULES else None
        return self._last_text(past[0] - 1 if past else len(self._page.lines))

    def _last_text(self, number: int) -> int:
        """The last line up to *number* that is not blank; the frontmatter's end where all of the body is."""
        while number >= self._page.body_start and not self._page.lines[number - 1].strip():
            number -= 1
        return number

    def _bullet(self, line: int) -> Bullet:
        split = split_bullet(self._page.lines[line - 1])
        return split[0] if split else Bullet()

    def _plain(self, bodies: Iterable[str]) -> Iterator[str]:
        for body in bodies:
            yield from to_lines(Bullet(), body)


def _holds(slot: _Slot, value: str) -> bool:
    return slot.now is not None and same_value(slot.now.value, value)
