"""META.md as the night reads and edits it: learned rules change, the owner's lines never do."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from daemon.directives import Directive, joined
from daemon.night.meta_page import (
    MOST_LEARNED,
    Add,
    Change,
    Drop,
    MetaRule,
    edit,
    in_force,
    next_id,
    read_rules,
    render_rule,
)
from memory_store.page import parse, render

TODAY = "2026-11-30"
META = b"""---
tags: [meta]
---
# How to use memory\r
Prose of mine.
- [ ] a task is no rule
* Never tell my sister's birthday. `hits: 3`
- M3 For totals, use the stated total and leave out its parts. (general; helped 12, hurt 1; since 2026-11-28)
- Mine, told
  over two lines (see below)
```
- M9 in code (general; helped 1, hurt 0)
```
- M4 For order or history, give past values in time order. `past: include; order: time` (general; helped 31, hurt 0)

The end"""


def test_rules_are_read_with_their_directives_and_records() -> None:
    """Learned rules have an id and a record; other list items are the owner's; tasks and code are no rules."""
    rules = read_rules(parse(META))
    assert [(rule.id, rule.learned, rule.line) for rule in rules] == [
        ("", False, 7),
        ("M3", True, 8),
        ("", False, 9),
        ("M4", True, 14),
    ]
    assert rules[0].directive == Directive(hits=3)
    assert (rules[1].text, rules[1].helped, rules[1].hurt, rules[1].since) == (
        "For totals, use the stated total and leave out its parts.",
        12,
        1,
        "2026-11-28",
    )
    assert rules[2].text == "Mine, told over two lines (see below)"
    assert rules[3].directive == Directive(past=True, order="time")


def test_an_edit_changes_its_own_line_alone() -> None:
    """ADD, MOD and DEL leave every other byte, and an unknown id, or one of the owner's, is left alone."""
    page = parse(META)
    m3 = read_rules(page)[1]
    changed = edit(page, [Change("M3", replace(m3, helped=13)), Change("M77", m3), Drop("M9")], today=TODAY)
    assert render(changed) == META.replace(b"helped 12", b"helped 13")
    assert render(edit(page, [Drop("M3")], today=TODAY)) == b"".join(
        line for line in META.splitlines(keepends=True) if b"M3" not in line
    )
    added = edit(page, [Add(MetaRule("For lists, name all.", scope="specific"))], today=TODAY)
    line = b"- M5 For lists, name all. (specific; helped 0, hurt 0; since 2026-11-30)\n"
    assert render(added) == META.replace(b"hurt 0)\n\nThe", b"hurt 0)\n" + line + b"\nThe")
    assert edit(added, [Add(MetaRule("for lists,  NAME all"))], today=TODAY) == added


def test_a_rule_that_the_owner_edited_is_theirs() -> None:
    """Against the marks of the night, a changed text or directive makes a rule the owner's; a record does not."""
    written = read_rules(parse(META))
    marks = {rule.id: rule.mark for rule in written if rule.id}
    edited = META.replace(b"leave out its parts", b"show its parts").replace(b"helped 31", b"helped 2")
    assert [rule.id for rule in read_rules(parse(edited), marks) if rule.by_hand] == ["", "M3", ""]
    assert [rule.id for rule in read_rules(parse(META), {}) if rule.by_hand] == ["", ""]


def test_at_most_thirty_rules_are_learned() -> None:
    """The thirty-first is not added; the owner's own do not count."""
    page = parse(META)
    for n in range(40):
        page = edit(page, [Add(MetaRule(f"Rule number {n}."))], today=TODAY)
    rules = read_rules(page)
    assert sum(rule.learned for rule in rules) == MOST_LEARNED
    assert sum(rule.by_hand for rule in rules) == 2
    assert len({rule.id for rule in rules if rule.id}) == MOST_LEARNED


def test_an_empty_page_takes_a_rule() -> None:
    """The first rule stands alone, or after what is there."""
    assert render(edit(parse(b""), [Add(MetaRule("A."))], today=TODAY)).startswith(b"- M1 A. (general; helped 0")
    assert b"Words\n\n- M1 A." in render(edit(parse(b"Words\n"), [Add(MetaRule("A."))], today=TODAY))


def test_the_owners_rules_come_first() -> None:
    """Where directives disagree, a rule by hand wins, then a specific one, then the one that helped more."""
    rules = [
        MetaRule("A", Directive(hits=9, order="time"), learned=True, helped=5),
        MetaRule("B", Directive(hits=7), learned=True, helped=9),
        MetaRule("C", Directive(hits=5, when=("person",)), "specific", learned=True),
        MetaRule("D", Directive(widen=1)),
    ]
    assert [rule.text for rule in in_force(rules, "who?")] == ["D", "C", "B", "A"]
    assert joined([rule.directive for rule in in_force(rules, "who?")]) == Directive(hits=5, order="time", widen=1)
    assert joined([rule.directive for rule in in_force(rules, "where?")]).hits == 7
    assert next_id(rules, ["M8"]) == "M9"


texts = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=60).map(str.strip)


@given(
    text=texts.filter(lambda text: text and not text.startswith(("[", "`")) and not text.endswith(("`", ")"))),
    helped=st.integers(0, 999),
    hurt=st.integers(0, 999),
    directive=st.builds(
        Directive,
        when=st.sampled_from([(), ("order",), ("past", "now")]),
        hits=st.none() | st.integers(0, 30),
        past=st.none() | st.booleans(),
        prefer=st.sampled_from([None, "facts", "journal"]),
    ),
)
def test_a_written_rule_reads_back(text: str, helped: int, hurt: int, directive: Directive) -> None:
    """render, then parse, gives the same rule."""
    rule = MetaRule(text, directive, "specific", "M12", helped, hurt, TODAY, learned=True, line=1, end_line=1)
    assert read_rules(parse(f"- {render_rule(rule)}\n".encode())) == (rule,)
