"""The ledger: timelines, times past, conflicts, and renewal page by page."""

from hypothesis import given
from hypothesis import strategies as st

from memory_store.facts import Fact, PageFacts, Ref, RuleAdded, read_facts
from memory_store.ledger import Ledger, diff, names_page
from memory_store.page import parse


def page(path: str, *lines: str) -> PageFacts:
    return read_facts(path, parse("\n".join(lines).encode()))


def values(facts: tuple[Fact, ...]) -> list[str | None]:
    return [fact.value for fact in facts]


WORK = page(
    "facts/Work.md",
    "- [team lead] Mina (since 2026-11-28)",
    "- [code reviewer] ? (was Arno; since 2026-03-01; unsure since 2026-11-28: [team lead] changed)",
    "- [hobby] chess",
    "- [hobby] tennis (since 2026-05-05)",
    "- [wifi] (forgotten 2026-10-10)",
    "## Past",
    "- [team lead] Ada (until 2026-01-12)",
    "- [team lead] Tom (2026-01-12 to 2026-11-28)",
    "- [team lead] Eve (2026-11-28 to 2026-11-28)",
)


def test_current_gives_all_that_stands_now() -> None:
    """One value, several, a doubt and a tombstone are all current; attributes compare loosely."""
    ledger = Ledger.build([WORK])
    assert values(ledger.current("TEAM  lead")) == ["Mina"]
    assert values(ledger.current("hobby")) == ["chess", "tennis"]
    assert [fact.state for attribute in ("code reviewer", "wifi") for fact in ledger.current(attribute)] == [
        "unsure",
        "forgotten",
    ]
    assert ledger.current("nothing of the kind") == ()
    assert ledger.attributes() == ("team lead", "code reviewer", "hobby", "wifi")


def test_timeline_is_oldest_first_with_what_a_doubt_had_been() -> None:
    """Values of one day stay in the order of their lines; the value behind a `?` has its place."""
    ledger = Ledger.build([WORK])
    assert values(ledger.timeline("team lead")) == ["Ada", "Tom", "Eve", "Mina"]
    was, doubt = ledger.timeline("code reviewer")
    assert (was.value, was.since, was.until, doubt.state) == ("Arno", "2026-03-01", "2026-11-28", "unsure")


def test_at_gives_what_stood_on_a_day() -> None:
    """A value counts from its first day on and no longer on its last; a month or year means its end."""
    ledger = Ledger.build([WORK])
    found = {
        day: values(ledger.at("team lead", day)) for day in ("2025", "2026-01-12", "2026-10", "2026-11-28", "2027")
    }
    assert found == {
        "2025": ["Ada"],
        "2026-01-12": ["Tom"],
        "2026-10": ["Tom"],
        "2026-11-28": ["Mina"],
        "2027": ["Mina"],
    }
    assert values(ledger.at("code reviewer", "2026-04-01")) == ["Arno"]
    assert values(ledger.at("code reviewer", "2026-01-01")) == []
    assert values(ledger.at("hobby", "2026-01-01")) == ["chess"]


def test_two_pages_that_claim_one_attribute_are_a_conflict() -> None:
    """Neither wins: both are given, the conflict is listed and shown, and a page's name decides."""
    ledger = Ledger.build([WORK, page("Home.md", "- [Team Lead] Bob"), page("Other.md", "- [city] Riga")])
    assert values(ledger.current("team lead")) == ["Bob", "Mina"]
    (conflict,) = ledger.conflicts()
    assert (conflict.attribute, conflict.agree, len(conflict.facts)) == ("Team Lead", False, 2)
    assert values(ledger.current("team lead", "Work")) == ["Mina"]
    assert ("conflict", "Home.md", 1) in [(p.kind, p.path, p.line) for p in ledger.problems]


def test_pages_are_named_as_obsidian_names_them() -> None:
    """Bare names, paths, aliases and headings lead to the page; parts of names do not."""
    for name in ("Work", "work", "facts/Work", "facts/Work.md", "Work|my job", "Work#Rules", "[[Work]]"):
        assert names_page(name, "facts/Work.md")
    for name in ("ork", "acts/Work", "Home", ""):
        assert not names_page(name, "facts/Work.md")


def test_a_reference_means_its_own_page_first() -> None:
    """Without a page, the rule's own page counts where it has the fact; otherwise all that have it."""
    ledger = Ledger.build([page("a.md", "- [x y] 1"), page("b.md", "- [x y] 2"), page("c.md")])
    assert ledger.resolve(Ref("x y"), "a.md") == ("a.md",)
    assert ledger.resolve(Ref("x y"), "c.md") == ("a.md", "b.md")
    assert ledger.resolve(Ref("x y", "b"), "a.md") == ("b.md",)
    assert ledger.resolve(Ref("x z"), "a.md") == ()


_LINE = st.sampled_from(
    [
        "- [a b] 1",
        "- [a b] 2",
        "- [c d] ?",
        "- when [a b] changes, [c d] becomes 3",
        "## Past",
        "- [e f] (forgotten)",
        "",
    ]
)
_PAGE = st.none() | st.lists(_LINE, max_size=6)


@given(st.lists(st.tuples(st.sampled_from(["a.md", "b.md", "c/d.md"]), _PAGE), max_size=8))
def test_replacing_pages_one_by_one_gives_the_ledger_built_at_once(steps: list[tuple[str, list[str] | None]]) -> None:
    """The incremental way and the plain way never differ, and no ledger ever changes."""
    ledger = Ledger.build([])
    pages: dict[str, PageFacts] = {}
    for path, lines in steps:
        facts = None if lines is None else page(path, *lines)
        before, copy = ledger, Ledger.build(ledger.pages.values())
        ledger = ledger.replace(path, facts)
        assert before == copy
        if facts is None:
            pages.pop(path, None)
        else:
            pages[path] = facts
    assert ledger == Ledger.build(pages.values())
    assert list(ledger.pages) == sorted(ledger.pages)


def edited(before: list[str], after: list[str]) -> list[tuple[str, str | None, str | None]]:
    changes = diff(Ledger.build([page("a.md", *before)]), Ledger.build([page("a.md", *after)]))
    return [("rule", None, None) if isinstance(c, RuleAdded) else (c.kind, c.before, c.after) for c in changes]


def test_diff_says_what_an_edit_by_hand_said() -> None:
    """Each kind of edit is the change that a spoken sentence would have been."""
    assert edited(["- [a b] 1"], ["- [a b] 2"]) == [("set", "1", "2")]
    assert edited(["- [a b] 1"], ["- [A  B] 1 #tag", ""]) == []
    assert edited([], ["- [a b] 2"]) == [("set", None, "2")]
    assert edited(["- [a b] ? (was 1)"], ["- [a b] 2"]) == [("set", "?", "2")]
    assert edited(["- [a b] 1"], ["- [a b] ?"]) == [("unsure", "1", None)]
    assert edited(["- [a b] 1"], ["- [a b] (forgotten)"]) == [("forget", "1", None)]
    assert edited(["- [a b] 1"], []) == [("remove", "1", None)]
    assert edited(["- [a b] 1"], ["- [a b] 1", "- [a b] 2"]) == [("add", None, "2")]
    assert edited(["- [a b] 1", "- [a b] 2"], ["- [a b] 2"]) == [("remove", "1", None)]
    assert edited([], ["- when [a b] changes, [c d] becomes 1"]) == [("rule", None, None)]


def test_a_fact_that_moved_did_not_change() -> None:
    """Cut from one page and pasted into another in one save, or moved within one, nothing happened to a fact."""
    old = Ledger.build([page("a.md", "- [a b] 1", "- [c d] 2"), page("b.md")])
    new = Ledger.build([page("a.md", "- [c d] 2"), page("b.md", "text", "- [a b] 1")])
    assert diff(old, new) == ()


def test_an_edited_rule_names_the_one_it_replaces() -> None:
    """The former outcome is known, so that what came from it can follow."""
    old = Ledger.build([page("a.md", "- when [a b] changes, [c d] becomes 1")])
    new = Ledger.build([page("a.md", "", "- when [a b] changes, [c d] becomes 2")])
    (change,) = diff(old, new)
    assert isinstance(change, RuleAdded)
    assert change.replaces is not None
    assert (change.replaces.becomes, change.rule.becomes) == ("1", "2")
