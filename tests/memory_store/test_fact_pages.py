"""What a page says in facts and rules, and what it leaves to markdown."""

from memory_store.fact_values import PageFacts, Ref
from memory_store.facts import new_page, read_facts
from memory_store.page import parse, render


def read(text: str) -> PageFacts:
    return read_facts("facts/Work.md", parse(text.encode()))


def said(facts: PageFacts) -> list[tuple[str, str | None, int]]:
    return [(fact.attribute, fact.value, fact.line) for fact in facts.facts]


def problems(facts: PageFacts) -> list[tuple[int, str]]:
    return [(problem.line, problem.kind) for problem in facts.problems]


def test_bullets_of_every_kind_and_depth_hold_facts() -> None:
    """`-`, `*`, `+`, numbered and nested items are read, each at its line."""
    found = read(
        "* [one thing] a\n+ [two things] b\n1. [three things] c\n2) [four things] d\n- group\n\t- [five things] e\n"
    )
    assert said(found) == [
        ("one thing", "a", 1),
        ("two things", "b", 2),
        ("three things", "c", 3),
        ("four things", "d", 4),
        ("five things", "e", 6),
    ]


def test_code_comments_quotations_and_plain_lines_hold_none() -> None:
    """Fences, indented code, comments, quotations and lines without bullet are not facts."""
    text = "```\n- [a fact] 1\n```\n\n    - [b fact] 2\n\n<!--\n- [c fact] 3\n-->\n"
    text += "> - [d fact] 4\n[e fact] 5\n%%\n- [f fact] 6\n%%\n"
    assert read(text) == PageFacts("facts/Work.md", "Work")


def test_frontmatter_is_no_body() -> None:
    """A list in the frontmatter that looks like a fact is YAML."""
    assert said(read("---\nlist:\n- [a fact]\n---\n- [b fact] 2\n")) == [("b fact", "2", 5)]


def test_a_page_that_cannot_be_parsed_has_no_facts() -> None:
    """Broken frontmatter makes a page text only: nothing on it is taken for a fact."""
    assert read("---\na: [1\n---\n- [b fact] 2\n").facts == ()


def test_values_of_several_lines_end_where_no_hard_break_stands() -> None:
    """A backslash at the end of a line carries the value on; a remark under a fact stays a remark."""
    found = read("- [my poem] Roses\\\n  \\\n  \\- violets (verbatim)\n- [lead one] Mina\n  She is new.\n")
    assert said(found) == [("my poem", "Roses\n\n- violets", 1), ("lead one", "Mina", 4)]
    assert found.facts[0].end_line == 3


def test_a_backslash_before_a_new_item_belongs_to_the_value() -> None:
    """`C:\\` at the end of a line swallows nothing."""
    assert said(read("- [my drive] C:\\\n- [b fact] 2\n")) == [("my drive", "C:\\", 1), ("b fact", "2", 2)]


def test_past_and_rules_are_told_by_their_headings() -> None:
    """Facts under Past are past, deeper headings included, until a heading of the same level."""
    found = read("# Work\n- [a fact] 1\n## PAST\n- [a fact] 0\n### older\n- [a fact] -1\n## Notes\n- [b fact] 2\n")
    assert said(found) == [("a fact", "1", 2), ("b fact", "2", 8)]
    assert [(fact.value, fact.line) for fact in found.past] == [("0", 4), ("-1", 6)]


def test_depends_on_stands_under_its_fact() -> None:
    """A nested `depends_on` is a rule for the fact above; elsewhere it is reported."""
    found = read(
        "- [code reviewer] Arno\n  - depends_on [team lead]\n  - some remark\n\ntext\n\n- depends_on [team lead]\n"
    )
    assert [(rule.when, rule.then, rule.becomes, rule.line) for rule in found.rules] == [
        (Ref("team lead"), Ref("code reviewer"), None, 2)
    ]
    assert problems(found) == [(7, "malformed-rule")]


def test_malformed_rules_are_reported_with_their_line() -> None:
    """A rule that lacks its end, and a line among the rules that is none, are shown; prose is not."""
    found = read("- when [team lead] changes\n- when I sleep\n\n## Rules\n- the [team lead] decides\n- see the wiki\n")
    assert problems(found) == [(1, "malformed-rule"), (5, "malformed-rule")]


def test_half_deleted_sections_are_reported_and_read_on() -> None:
    """A value cut off, a bracket cut off and a Past without heading are shown; the rest is read."""
    found = read("- [team lead]\n- [code revie\n- [old lead] Tom (2026-01-02 to 2026-02-03)\n- [b fact] 2\n")
    assert problems(found) == [(1, "half-deleted"), (2, "half-deleted"), (3, "half-deleted")]
    assert said(found) == [("b fact", "2", 4)]
    assert [fact.value for fact in found.past] == ["Tom"]


def test_a_value_of_100_kB_is_a_fact_and_is_shown() -> None:
    """Size stops nothing, but the owner hears of it."""
    found = read(f"- [my log] {'x (' * 34_000}\n")
    assert len(found.facts) == 1
    assert problems(found) == [(1, "large-value")]


def test_line_ends_and_byte_order_mark_change_nothing() -> None:
    """CRLF, CR and a byte-order mark give the same facts."""
    text = "# Work\n- [a fact] 1\\\n  2\n- [b fact] 3\n"
    for data in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text):
        assert said(read(data)) == [("a fact", "1\n2", 2), ("b fact", "3", 4)]


def test_a_new_page_bears_its_title_whatever_it_is() -> None:
    """Colons, quotes, hashes and line ends in a title make a valid page of that title."""
    for title in ("Work", 'Me: #1 "best"', "- [x] task", "two\nlines", "猫"):
        page = parse(render(new_page(title)))
        assert page.problem is None
        assert page.title("?") == " ".join(title.split())
        assert read_facts("a.md", page).facts == ()


def test_a_qualifier_that_is_never_closed_is_a_problem() -> None:
    """What a cut line leaves of its qualifiers counts as value and is reported; brackets of the owner's own are not."""
    cut = "- [cook] Ada (since 2026-01-01\n- [bar] (forgotten\n- [guest] ? (was\n- [old cook] Max (2025-01-01 to\n"
    assert problems(read(cut)) == [(line, "half-deleted") for line in (1, 2, 3, 4)]
    assert problems(read("- [mood] fine :(\n- [cook] Ada (the tall one\n- [bar] open (since noon) (verbatim)\n")) == []


def test_what_is_never_closed_and_hides_facts_is_a_problem() -> None:
    """A comment or a code block that goes on to the page's end is reported where facts or rules stand in it."""
    assert problems(read("- [a fact] 1\n\n<!--\n- [b fact] 2\n")) == [(3, "half-deleted")]
    assert problems(read("- [a fact] 1\n\n```\n- when [a fact] changes, [b fact] becomes ?\n")) == [(3, "half-deleted")]
    assert problems(read("%%\n- [b fact] 2\n")) == [(1, "half-deleted")]
    for closed in ("<!--\n- [b fact] 2\n-->\n", "```\n- [b fact] 2\n```", "%%\n- [b fact] 2\n%%\n", "```\njust code\n"):
        assert problems(read(closed)) == []
