"""Changes written into pages: one line each, everything else untouched."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.errors import ChangeAmbiguous, FactInvalid, FactNotWritten, PageReadOnly
from memory_store.facts import FactChange, Ref, Rule, RuleAdded, apply, new_page, read_facts, scrub
from memory_store.page import parse, render

BEFORE = """---
title: Work
tags: [work]
---
# Work

- [team lead] Tom Vega (since 2026-11-12)
- [weekly report recipient] Lena Brandt (since 2026-11-13)
- [code reviewer] Arno Weiss
- [guest wifi password] hunter2

## Rules
- when [team lead] changes, [weekly report recipient] becomes Priya Nair
- when [team lead] changes, [code reviewer] becomes ?
- when [framework] is Svelte, [dev server command] becomes npm run dev
"""
AFTER = """---
title: Work
tags: [work]
---
# Work

- [team lead] Mina Olsen (since 2026-11-28; from [[journal/2026/2026-11-28]])
- [weekly report recipient] Priya Nair (since 2026-11-28; by rule: [team lead] changed)
- [code reviewer] ? (was Arno Weiss; unsure since 2026-11-28: [team lead] changed)
- [guest wifi password] (forgotten 2026-11-28)

## Rules
- when [team lead] changes, [weekly report recipient] becomes Priya Nair
- when [team lead] changes, [code reviewer] becomes ?
- when [framework] is Svelte, [dev server command] becomes npm run dev

## Past
- [team lead] Tom Vega (2026-11-12 to 2026-11-28)
- [weekly report recipient] Lena Brandt (2026-11-13 to 2026-11-28)
"""
TODAY = "2026-11-28"


def change(attribute: str, kind: str = "set", after: str | None = None, **more: object) -> FactChange:
    return FactChange("facts/Work.md", attribute, kind, after=after, **more)  # type: ignore[arg-type]


def applied(text: str, *changes: FactChange | RuleAdded, today: str = TODAY) -> str:
    return render(apply(parse(text.encode()), changes, today=today)).decode()


def test_the_design_page_comes_out_as_the_design_says() -> None:
    """A change, its two consequences and a forgetting give the format's own example, to the byte."""
    changes = (
        change("Team Lead", after="Mina Olsen", source="journal/2026/2026-11-28"),
        change("weekly report recipient", after="Priya Nair", cause="[team lead] changed"),
        change("code reviewer", "unsure", cause="[team lead] changed"),
        change("guest wifi password", "forget"),
    )
    assert applied(BEFORE, *changes) == AFTER
    assert applied(BEFORE.replace("\n", "\r\n"), *changes) == AFTER.replace("\n", "\r\n")


def test_applying_twice_is_applying_once() -> None:
    """A change that says what already stands changes no byte."""
    changes = (change("team lead", after="Mina"), change("hobby", "add", "chess"), change("code reviewer", "unsure"))
    once = applied(BEFORE, *changes)
    assert applied(once, *changes, today="2027-01-01") == once


def test_changing_one_fact_changes_one_line_and_adds_one_to_the_past() -> None:
    """Indent, bullet, tags, notes and block id of the line stay; no other line is touched."""
    line = "    * [team  lead]   Tom #work (mood: good; since 2026-01-02) ^lead"
    text = f"intro\n\n* group\n{line}\n    * [x y] z\n\n## Past\n* [x y] w\n\ntail"
    out = applied(text, change("team lead", after="Mina"))
    lines = [line for line in difflib.ndiff(text.split("\n"), out.split("\n")) if line[0] in "+-"]
    assert lines == [
        "-     * [team  lead]   Tom #work (mood: good; since 2026-01-02) ^lead",
        "+     * [team lead] Mina #work (since 2026-11-28; mood: good) ^lead",
        "+ * [team lead] Tom (2026-01-02 to 2026-11-28)",
    ]


def test_missing_sections_are_made_in_order() -> None:
    """On an empty page facts come first, then Rules, then Past; a second change uses what is there."""
    rule = Rule(Ref("team lead"), "changes", Ref("code reviewer"), None)
    page = apply(
        new_page("Work"),
        (
            change("team lead", after="Tom"),
            RuleAdded("facts/Work.md", rule, "journal/a"),
            change("team lead", after="Mina"),
            change("code reviewer", after="Arno"),
        ),
        today=TODAY,
    )
    assert render(page).decode().split("---\n")[2] == (
        "# Work\n\n- [team lead] Mina (since 2026-11-28)\n- [code reviewer] Arno (since 2026-11-28)\n\n"
        "## Rules\n- when [team lead] changes, [code reviewer] becomes ? (since 2026-11-28; from [[journal/a]])\n\n"
        "## Past\n- [team lead] Tom (2026-11-28 to 2026-11-28)\n"
    )


def test_rules_section_is_made_before_past() -> None:
    """Where Past stands already, Rules comes before it, with a blank line between."""
    rule = RuleAdded("a.md", Rule(Ref("a b"), "changes", Ref("c d"), "x", since="2026-01-01"))
    assert applied("- [a b] 1\n## Past\n- [a b] 0\n", rule) == (
        "- [a b] 1\n\n## Rules\n- when [a b] changes, [c d] becomes x (since 2026-01-01)\n\n## Past\n- [a b] 0\n"
    )


def test_facts_are_added_before_the_sections_and_after_their_siblings() -> None:
    """A further value stands after its siblings and their notes, a new fact after the last one."""
    text = "1. [hobby] chess\n   since school\n2. [team lead] Tom\n\n## Rules\n"
    out = applied(text, change("hobby", "add", "tennis"), change("city", after="Riga"))
    assert out == (
        "1. [hobby] chess\n   since school\n2. [hobby] tennis (since 2026-11-28)\n2. [team lead] Tom\n"
        "3. [city] Riga (since 2026-11-28)\n\n## Rules\n"
    )


def test_a_file_without_final_newline_stays_without_one() -> None:
    """New lines at the end of a file take over its missing newline."""
    assert applied("- [city] Riga", change("city", after="Oslo")) == (
        "- [city] Oslo (since 2026-11-28)\n\n## Past\n- [city] Riga (until 2026-11-28)"
    )


def test_of_several_values_only_the_named_one_is_replaced() -> None:
    """`before` names the value; without it the change is refused, unless it means every one."""
    text = "- [hobby] chess\n- [hobby] tennis\n"
    one = applied(text, change("hobby", after="go", before="Chess"))
    assert one.startswith("- [hobby] go (since 2026-11-28)\n- [hobby] tennis\n")
    every = applied(text, change("hobby", after="go", every=True))
    assert every == (
        "- [hobby] go (since 2026-11-28)\n\n## Past\n- [hobby] tennis (until 2026-11-28)\n"
        "- [hobby] chess (until 2026-11-28)\n"
    )
    with pytest.raises(ChangeAmbiguous) as caught:
        applied(text, change("hobby", after="go"))
    assert caught.value.values == ("chess", "tennis")


def test_several_values_become_one_doubt_that_names_them() -> None:
    """When all of an attribute is in doubt, one `?` stands for it, and each value is in the past."""
    out = applied("- [hobby] chess\n- [hobby] tennis\n", change("hobby", "unsure"))
    assert out.startswith("- [hobby] ? (was chess, tennis; unsure since 2026-11-28)\n\n## Past\n")
    assert len(read_facts("a.md", parse(out.encode())).past) == 2


def test_a_doubt_that_is_settled_leaves_what_was_in_the_past() -> None:
    """From a value over `?` to a new value, the past says when the first one ended."""
    text = "- [boss] Tom (since 2026-01-02; from [[a]])\n"
    out = applied(text, change("boss", "unsure", cause="[office] changed"), today="2026-02-03")
    assert out == "- [boss] ? (was Tom; since 2026-01-02; from [[a]]; unsure since 2026-02-03: [office] changed)\n"
    assert applied(out, change("boss", after="Mina")) == (
        "- [boss] Mina (since 2026-11-28)\n\n## Past\n- [boss] Tom (2026-01-02 to 2026-02-03; from [[a]])\n"
    )


def test_a_correction_leaves_nothing_in_the_past() -> None:
    """What was never true is replaced, keeps its day, and says that it was corrected."""
    out = applied("- [boss] Tim (since 2026-01-02)\n", change("boss", after="Tom", correction=True, source="j"))
    assert out == "- [boss] Tom (since 2026-01-02; corrected 2026-11-28; from [[j]])\n"


def test_an_end_without_successor_goes_to_the_past() -> None:
    """A removed value leaves the page's facts, with the `depends_on` under it, and stands in Past."""
    out = applied("- [dog] Rex\n  - depends_on [flat]\n- [flat] big\n", change("dog", "remove"))
    assert out == "- [flat] big\n\n## Past\n- [dog] Rex (until 2026-11-28)\n"


def test_pain_29_forgetting_leaves_no_value_of_the_fact_on_the_page() -> None:
    """pain 29: past values, rules that state one, and causes that quote one go with the value."""
    text = (
        "- [wifi] hunter2 (mood: hunter2)\n- [router] old (by rule: [wifi] is hunter2)\n\n## Rules\n"
        "- when [flat] changes, [wifi] becomes hunter2\n- when [wifi] is hunter2, [router] becomes old\n"
        "- when [wifi] changes, [router] becomes ?\n\n## Past\n- [wifi] hunter2 (until 2026-01-02)\n"
    )
    out = applied(text, change("wifi", "forget"))
    assert "hunter2" not in out
    assert out.startswith("- [wifi] (forgotten 2026-11-28)\n- [router] old (by rule: [wifi] changed)\n")
    other = "- [router] old (by rule: [wifi] is hunter2)\n"
    assert "hunter2" not in render(scrub(parse(other.encode()), "wifi")).decode()


def test_one_of_several_values_is_forgotten_alone() -> None:
    """Forgetting one hobby leaves the other, and no trace of the one."""
    text = "- [hobby] chess\n- [hobby] tennis\n\n## Past\n- [hobby] chess (until 2026-01-02)\n"
    out = applied(text, change("hobby", "forget", before="chess"))
    assert "chess" not in out
    assert "- [hobby] tennis\n" in out


def test_a_rule_said_again_is_not_written_again() -> None:
    """The same rule changes nothing; a new outcome for the same event takes the line's place."""
    text = "## Rules\n- when [a b] changes, [c d] becomes x\n"
    assert applied(text, RuleAdded("a.md", Rule(Ref("A B"), "changes", Ref("c d"), "X"))) == text
    assert applied(text, RuleAdded("a.md", Rule(Ref("a b"), "changes", Ref("c d"), None))) == text
    assert applied(text, RuleAdded("a.md", Rule(Ref("a b"), "changes", Ref("c d"), "y"), "j")) == (
        "## Rules\n- when [a b] changes, [c d] becomes y (since 2026-11-28; from [[j]])\n"
    )


def test_pain_02_a_page_with_broken_frontmatter_is_refused() -> None:
    """pain 02: the refusal names the line."""
    with pytest.raises(PageReadOnly) as caught:
        applied("---\na: [1\nb: 2\n---\n- [boss] Tom\n", change("boss", after="Mina"))
    assert caught.value.line > 0


def test_what_would_not_be_read_back_is_not_written() -> None:
    """Behind an unclosed fence nothing is a fact, so nothing is written there."""
    with pytest.raises(FactNotWritten):
        applied("# Work\n```\ncode\n", change("boss", after="Mina"))


def test_an_empty_value_is_refused() -> None:
    """White space alone is no value."""
    with pytest.raises(FactInvalid):
        applied(BEFORE, change("team lead", after="  \n "))


_PIECES = st.sampled_from(
    [
        "# Work", "## Past", "## Rules", "## Notes", "", "", "text", "- [a b] one", "* [c d] two (since 2026-01-02)",
        "  - [e f] three", "- [e f] ?", "- [a b] (forgotten 2026-01-01)", "- [ ] task", "```", "> quote", "- plain",
        "- when [a b] changes, [c d] becomes x", "  - depends_on [a b]", "1. [g h] four\\", "   more", "---",
        "\t- [i j] k",
    ]
)  # fmt: skip
_KINDS = st.sampled_from(["set", "add", "unsure", "forget", "remove"])


@given(
    st.lists(_PIECES, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.sampled_from(["a b", "c d", "e f", "g h", "new one"]),
    _KINDS,
    st.sampled_from(["X", "two", "p\n- q\n\n#r\\", "? (was z)"]),
)
def test_any_page_takes_any_change_or_refuses_it_whole(
    pieces: list[str], end: str, final: bool, attribute: str, kind: str, after: str
) -> None:
    """
    On pages of every shape a change is there afterwards, other facts are as they were, untouched lines stand in their
    order, and the line ends are the page's; or the change is refused.
    """
    data = (end.join(pieces) + (end if final else "")).encode()
    page = parse(data)
    old = read_facts("a.md", page)
    try:
        out = apply(page, [change(attribute, kind, after if kind in ("set", "add") else None, every=True)], today=TODAY)
    except (FactNotWritten, PageReadOnly):
        return
    again = parse(render(out))
    assert (again.lines, again.ends) == (out.lines, out.ends)
    new = read_facts("a.md", again)
    others = lambda facts: [(f.key, f.state, f.value) for f in facts if f.key != attribute]  # noqa: E731
    assert others(new.facts) == others(old.facts)
    values = [fact.value for fact in new.facts if fact.key == attribute]
    if kind in ("set", "add"):
        assert after in values
    elif kind == "remove":
        assert not [value for value in values if value]
    assert {e for e in out.ends if e} <= ({e for e in page.ends if e} or {"\n"})
    mine = {number for f in (*old.facts, *old.past) if f.key == attribute for number in range(f.line, f.end_line + 1)}
    mine |= {rule.line for rule in old.rules}
    kept = [line for number, line in enumerate(page.lines, 1) if number not in mine]
    remaining = iter(out.lines)
    assert all(line in remaining for line in kept)
