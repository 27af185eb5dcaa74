"""The grammar of single lines: what is a fact, what is a rule, and that writing loses nothing."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_store.errors import FactInvalid
from memory_store.fact_lines import (
    parse_cause,
    parse_fact,
    parse_nested_rule,
    parse_rule,
    render_fact,
    render_rule,
    tidy_value,
)
from memory_store.fact_values import Fact, Ref, Rule, attribute_key, same_value

DESIGN_FACTS = [
    "[team lead] Mina Olsen (since 2026-11-28; from [[journal/2026/2026-11-28]])",
    "[weekly report recipient] Priya Nair (since 2026-11-28; by rule: [team lead] changed)",
    "[code reviewer] ? (was Arno Weiss; unsure since 2026-11-28: [team lead] changed)",
    "[guest wifi password] (forgotten 2026-11-28)",
    "[team lead] Tom Vega (2026-11-12 to 2026-11-28)",
]
DESIGN_RULES = [
    "when [team lead] changes, [weekly report recipient] becomes Priya Nair",
    "when [team lead] changes, [code reviewer] becomes ?",
    "when [framework] is Svelte, [dev server command] becomes npm run dev",
    "when [[Work]] [team lead] is forgotten, [[Home|my home]] [mood] becomes fine",
]


@pytest.mark.parametrize("body", DESIGN_FACTS)
def test_design_fact_lines_come_back_as_written(body: str) -> None:
    """Every fact line of the format's own example renders to the same characters."""
    fact = parse_fact(body)
    assert fact is not None
    assert render_fact(fact) == body


@pytest.mark.parametrize("body", DESIGN_RULES)
def test_design_rule_lines_come_back_as_written(body: str) -> None:
    """Every rule line of the format's own example renders to the same characters."""
    rule = parse_rule(body)
    assert rule is not None
    assert render_rule(rule) == body


VALUES = {
    "[guest room] green": "green",
    "[guest room]    green   ": "green",
    "[guest room]\tgreen": "green",
    "[ guest   room ] green": "green",
    "[regular appointment] tutoring session (weekly)": "tutoring session (weekly)",
    "[regular appointment] tutoring (weekly) (since 2026-01-02)": "tutoring (weekly)",
    "[sister] Anna (from Oslo)": "Anna (from Oslo)",
    "[train] late (was early)": "late (was early)",
    "[mood] happy :)": "happy :)",
    "[mood] see :( (since 2026-01-02)": "see :(",
    "[song] the one called #1": "the one called #1",
    "[language] C# and F#": "C# and F#",
    "[ratio] 3:2; mostly": "3:2; mostly",
    "[path] C:\\temp\\[x]": "C:\\temp\\[x]",
    "[regex] `^\\d+\\(\\.\\)$`": "`^\\d+\\(\\.\\)$`",
    "[boss] [[People/Mina Olsen|Mina]]": "[[People/Mina Olsen|Mina]]",
    "[boss] [Mina](https://example.org/a_(b))": "[Mina](https://example.org/a_(b))",
    "[猫の名前] 小雪": "小雪",
    "[家] 東京": "東京",
    "[اسم القط] مشمش": "مشمش",
    "[שם] דנה (since 2026-01-02)": "דנה",
    "[🐈 name] 🐟🐟": "🐟🐟",
    "[tea \\[green\\]] sencha": "sencha",
    "[doubt] really? (verbatim)": "really?",
    "[doubt] ? (verbatim)": "?",
}


@pytest.mark.parametrize(("body", "value"), VALUES.items())
def test_values_written_by_hand_are_understood(body: str, value: str) -> None:
    """Odd spacing, brackets, links, signs and scripts stand in a value as they are."""
    fact = parse_fact(body)
    assert fact is not None
    assert (fact.state, fact.value) == ("known", value)


NOT_FACTS = [
    "[ ] buy milk",
    "[x] buy milk",
    "[/] half done",
    "[-] cancelled",
    "[text](https://example.org)",
    "[text][ref]",
    "[text]: https://example.org",
    "[^1] a footnote",
    "[!note] a callout",
    "[12] a citation",
    "[[Page]] is a link",
    "[] nothing",
    "[unclosed bracket",
    "plain [not first] words",
    "**[bold] words**",
]


@pytest.mark.parametrize("body", NOT_FACTS)
def test_tasks_links_and_prose_are_no_facts(body: str) -> None:
    """What looks like a fact to a careless eye is left to markdown."""
    assert parse_fact(body) is None


def test_tags_block_id_comment_and_unknown_qualifiers_are_kept_apart_from_the_value() -> None:
    """All that may follow a value is read for itself, and written again in the fixed order."""
    fact = parse_fact("[boss] Mina #work #people/team (mood: good; since 2026-01; ref (a; b)) <!-- check --> ^boss-1")
    assert fact == Fact(
        "boss",
        "Mina",
        tags=("work", "people/team"),
        since="2026-01",
        notes=("mood: good", "ref (a; b)"),
        block_id="boss-1",
        comment="<!-- check -->",
    )
    assert parse_fact(render_fact(fact)) == fact


def test_qualifiers_before_the_doubt_belong_to_the_value_that_was() -> None:
    """A `?` remembers since when its former value held and where that was told."""
    was = "was Mina (the tall one); since 2026-01-02; from [[a]]"
    body = f"[boss] ? ({was}; unsure since 2026-03-04: who knows; from [[b]])"
    fact = parse_fact(body)
    assert fact is not None
    assert (fact.was, fact.was_since, fact.was_source) == ("Mina (the tall one)", "2026-01-02", "a")
    assert (fact.since, fact.source, fact.cause) == ("2026-03-04", "b", "who knows")
    assert render_fact(fact) == body


@pytest.mark.parametrize(
    "value",
    [
        "?",
        "call me #brave",
        "x ^abc",
        "Tom (since 2019)",
        "a (verbatim)",
        "(forgotten)",
        "one\ntwo",
        "C:\\",
        "a <!-- b",
        "%% x %%",
    ],
)
def test_values_that_would_read_as_something_else_are_written_so_that_they_do_not(value: str) -> None:
    """A value keeps its characters whatever the grammar might see in them."""
    for tags in ((), ("home",)):
        fact = Fact("the thing", value, tags=tags)
        assert parse_fact(render_fact(fact)) == fact


def test_rules_in_other_words_are_understood() -> None:
    """Capitals, `if`, `will be`, `then` and a missing comma's space say the same."""
    wanted = Rule(Ref("team lead"), "changes", Ref("reviewer"), "Priya")
    for body in (
        "When [team lead] changes, [reviewer] becomes Priya",
        "if  [team lead]  is changed ,then [reviewer] will be  Priya",
        "whenever [team  lead] changes,[reviewer] becomes Priya",
    ):
        assert parse_rule(body) == wanted


def test_depends_on_under_a_fact_is_a_rule_without_outcome() -> None:
    """`depends_on [a]` says that the fact above becomes `?` when [a] changes."""
    rule = parse_nested_rule("depends_on [[Work]] [team lead]", "reviewer")
    assert rule == Rule(Ref("team lead", "Work"), "changes", Ref("reviewer"), None, nested=True)
    assert parse_nested_rule("depends_on the weather", "reviewer") is None
    assert parse_nested_rule("depends_on [team lead] mostly", "reviewer") is None


@pytest.mark.parametrize(
    "body",
    [
        "when [team lead] changes",
        "when [team lead] changes, [b c] becomes",
        "when team lead changes, [b c] becomes X",
        "when [a b] rains, [b c] becomes X",
    ],
)
def test_half_a_rule_is_none(body: str) -> None:
    """A rule line that lacks a part is not guessed at."""
    assert parse_rule(body) is None


def test_a_fact_that_no_line_can_hold_is_refused() -> None:
    """An empty value and an attribute that reads as a task are errors, not corrupt lines."""
    for fact in (Fact("x", "1"), Fact("", "1"), Fact("a b", ""), Fact("^a", "v")):
        with pytest.raises(FactInvalid):
            render_fact(fact)


def test_attributes_compare_without_case_spacing_and_composition() -> None:
    """`Café  Owner` in any normal form and case names one fact."""
    assert attribute_key("Cafe\u0301  OWNER") == attribute_key(" caf\u00e9 owner")


def test_values_compare_without_case_articles_and_link_brackets() -> None:
    """`the Old Mill.` and `[[mills/old|old mill]]` are one value; `Mill` is another."""
    assert same_value("the Old Mill.", "[[mills/old|old mill]]")
    assert not same_value("Old Mill", "Mill")
    assert not same_value(None, "Mill")


def test_a_cause_names_its_fact() -> None:
    """`[[Work]] [team lead] changed` leads back to the fact; free words do not."""
    assert parse_cause("[[Work]] [team lead] changed") == (Ref("team lead", "Work"), "changed")
    assert parse_cause("who knows") is None


_CHARS = st.characters(exclude_categories=("Cs",), exclude_characters="\r\0")
_SALT = st.sampled_from(
    [
        "(",
        ")",
        "#tag",
        " ^id",
        "(since 2020)",
        "?",
        "\\",
        ";",
        "[[a|b]]",
        "[b]",
        "<!--",
        "-->",
        "%%",
        "\n",
        "- ",
        " (verbatim)",
        "was x",
        ", [b c] becomes ",
        "forgotten",
    ]
)
_TEXT = st.lists(st.one_of(st.text(_CHARS, max_size=6), _SALT), min_size=1, max_size=8).map("".join)
_VALUE = _TEXT.map(tidy_value).filter(bool)
_ATTRIBUTE = st.text(_CHARS, min_size=1, max_size=12).map(lambda text: " ".join(("my " + text).split()))
_DATE = st.dates().map(str)
_TAG = st.text(st.characters(categories=("L",)), min_size=1, max_size=5)
_LINE = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)
_LINK = st.text(st.characters(categories=("L", "N"), include_characters="/-|#"), min_size=1, max_size=12)


@given(
    _ATTRIBUTE,
    _VALUE,
    st.lists(_TAG, max_size=2).map(tuple),
    st.none() | _DATE,
    st.none() | _LINK,
    st.none() | _LINE,
    st.none() | st.from_regex(r"[a-z0-9]{1,6}", fullmatch=True),
)
@example("my lead", "a\n\n- b\\\n\\c", (), None, None, None, None)
def test_known_facts_round_trip(
    attribute: str,
    value: str,
    tags: tuple[str, ...],
    since: str | None,
    source: str | None,
    cause: str | None,
    block_id: str | None,
) -> None:
    """Whatever a fact holds, its line reads back as that fact; there is no value that cannot be written."""
    fact = Fact(attribute, value, tags=tags, since=since, source=source, cause=cause, block_id=block_id)
    assert parse_fact(render_fact(fact)) == fact


@given(_ATTRIBUTE, st.none() | _LINE, st.none() | _DATE, st.none() | _LINK, st.none() | _DATE, st.none() | _LINE)
def test_doubts_and_tombstones_round_trip(
    attribute: str, was: str | None, was_since: str | None, source: str | None, since: str | None, cause: str | None
) -> None:
    """A `?` keeps what it was, since when, and why; a tombstone keeps its day."""
    doubt = Fact(attribute, None, "unsure", was=was, was_since=was_since, was_source=source, since=since, cause=cause)
    assert parse_fact(render_fact(doubt)) == doubt
    stone = Fact(attribute, None, "forgotten", since=since, source=source)
    assert parse_fact(render_fact(stone)) == stone


@given(
    _ATTRIBUTE,
    _ATTRIBUTE,
    st.sampled_from(["changes", "is", "forgotten"]),
    _VALUE.map(lambda text: " ".join(text.split())).filter(bool),
    st.none() | _VALUE,
    st.none() | _LINK,
    st.none() | _DATE,
)
@example("my a", "my b", "is", "x, [my b] becomes y", "z", None, None)
@example("my a", "my b", "is", "forgotten", "?", None, None)
def test_rules_round_trip(
    when: str, then: str, trigger: str, value: str, becomes: str | None, page: str | None, since: str | None
) -> None:
    """Whatever a rule says, its line reads back as that rule."""
    rule = Rule(Ref(when), "changes", Ref(then, page.strip("|#") or "p" if page else None), becomes, since=since)
    if trigger == "is":
        rule = replace(rule, trigger="is", value=value)
    elif trigger == "forgotten":
        rule = replace(rule, trigger="forgotten")
    assert parse_rule(render_rule(rule)) == rule


@given(st.one_of(st.text(_CHARS, max_size=60), _TEXT))
def test_any_line_is_read_without_error(text: str) -> None:
    """No text makes the grammar fail; and what it reads as a fact, it can write."""
    for body in (text, f"[some thing] {text}", f"when [some thing] {text}"):
        parse_rule(body)
        fact = parse_fact(body.replace("\n", " "))
        if fact is not None and (fact.value or fact.state != "known"):
            assert parse_fact(render_fact(fact)) == fact
