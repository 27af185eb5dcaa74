"""`reverie recall`, `why`, `what-if` and `graph`, on pages that their owner wrote."""

import json
from pathlib import Path

import pytest

from daemon.errors import Exit

PAGE = """# Harbour

- [berth warden] Mina Olsen (since 2026-11-28; from [[Harbour talk]])
- [crane permit holder] Priya Nair (since 2026-11-28; by rule: [berth warden] changed)
- [gate keeper] ? (was Arno Weiss; unsure since 2026-11-28: [berth warden] changed)
- [harbour code] (forgotten 2026-11-28)
- [ferry line] Red line

## Rules
- when [berth warden] changes, [crane permit holder] becomes Priya Nair
- when [berth warden] changes, [gate keeper] becomes ?
- when [crane permit holder] changes, [ferry line] becomes ?

## Past
- [berth warden] Tom Vega (2026-11-12 to 2026-11-28)
- [crane permit holder] Lena Brandt (2026-11-13 to 2026-11-28)
"""


@pytest.fixture
def harbour(reverie):
    """The command, where the harbour's page and a second one that disagrees with it are known."""
    vault = Path(json.loads(reverie("status", "--json").out)["vault"])
    facts = vault / "facts"
    facts.mkdir(exist_ok=True)
    (facts / "Harbour.md").write_text(PAGE)
    (facts / "Pier.md").write_text("# Pier\n\n- [ferry line] Blue line\n")
    (vault / "Harbour talk.md").write_text("# Talk\n\nRain all day.\nMina Olsen is the berth warden from now on.\n")
    assert reverie("memory", "reindex", "facts/Harbour.md", "facts/Pier.md", "Harbour talk.md").code == 0
    return reverie


def test_recall_prints_value_time_reason_and_source(harbour):
    """`recall` says what holds, since when, by which rule, and quotes the line in which it was told."""
    done = harbour("recall", "berth warden")
    assert done.code == 0
    assert done.out.splitlines()[0] == "[berth warden] Mina Olsen (since 2026-11-28)  facts/Harbour.md:3"
    assert "Harbour talk.md:4  Mina Olsen is the berth warden from now on." in done.out
    done = harbour("recall", "[crane permit holder]")
    assert "Priya Nair (since 2026-11-28)" in done.out
    assert "why: [berth warden] changed" in done.out
    assert "facts/Harbour.md:10  when [berth warden] changes" in done.out
    assert "Harbour talk.md:4" in done.out
    as_json = json.loads(harbour("recall", "--json", "berth warden").out)
    assert as_json["facts"][0]["value"] == "Mina Olsen"


def test_recall_of_another_day_and_of_all_days(harbour):
    """`--at` gives the value of then, `--past` the timeline, oldest first; a wrong date is refused."""
    assert harbour("recall", "berth warden", "--at", "2026-11-20").out.startswith("[berth warden] Tom Vega")
    assert harbour("recall", "berth warden", "--at", "2026-01").code == Exit.UNSURE
    lines = harbour("recall", "berth warden", "--past").out.splitlines()
    assert lines[0].startswith("[berth warden] Tom Vega (2026-11-12 to 2026-11-28)")
    assert lines[1].startswith("[berth warden] Mina Olsen")
    assert harbour("recall", "berth warden", "--at", "yesterday").code == Exit.INVALID


def test_three_ways_of_not_knowing_have_their_codes(harbour):
    """A doubt and a tombstone are exit code 14, each in its own words; an unknown name is 7, with those near it."""
    doubt = harbour("recall", "gate keeper")
    assert doubt.code == Exit.UNSURE
    assert "[gate keeper] ? (was Arno Weiss) (since 2026-11-28)" in doubt.out
    assert "why: [berth warden] changed" in doubt.out
    forgotten = harbour("recall", "harbour code")
    assert (forgotten.code, "(forgotten)" in forgotten.out) == (Exit.UNSURE, True)
    assert harbour("recall", "the holder of the crane permit").code == 0  # small words aside, it is the same name
    unknown = harbour("recall", "crane licence")
    assert unknown.code == Exit.NOT_FOUND
    assert "did you mean [crane permit holder]" in unknown.err
    assert "[berth warden]" in harbour("why", "bert warden").err


def test_forgetting_what_is_not_known_is_told(harbour):
    """A name that no fact has is refused with those near it; nothing is removed."""
    done = harbour("forget", "--yes", "bert warden")
    assert done.code == Exit.NOT_FOUND
    assert "did you mean [berth warden]" in done.err
    assert "(forgotten)" in harbour("recall", "harbour code").out
    again = harbour("forget", "--yes", "harbour code")
    assert (again.code, "nothing of it is left" in again.err) == (0, True)


def test_recall_names_pages_that_disagree(harbour):
    """Two pages that claim a fact are a conflict: both values are printed, none wins, the exit code says unsure."""
    done = harbour("recall", "ferry line")
    assert done.code == Exit.UNSURE
    assert "Red line" in done.out
    assert "Blue line" in done.out
    assert "conflict: facts/Harbour.md:7 and facts/Pier.md:3 disagree about [ferry line]" in done.err
    assert harbour("recall", "[[Pier]] [ferry line]").code == 0


def test_why_prints_the_chain_down_to_the_words(harbour):
    """`why` prints each cause under what it explains, with its rule, down to the line that was told."""
    lines = harbour("why", "[gate keeper]").out.splitlines()
    assert lines[0].startswith("[gate keeper] ? (was Arno Weiss)")
    assert "by rule: when [berth warden] changes, [gate keeper] becomes ?" in lines[1]
    assert lines[2].startswith("  [berth warden] Mina Olsen")
    assert "told: Mina Olsen is the berth warden from now on." in lines[3]


def test_what_if_tells_every_consequence_and_writes_nothing(harbour):
    """`what-if` follows two hops and leaves every page as it was."""
    done = harbour("what-if", "berth warden = Zoe")
    assert done.code == 0
    assert "[berth warden] Mina Olsen -> Zoe" in done.out
    consequences = done.out.partition("so:")[2]
    assert "[gate keeper]" not in consequences  # it is `?` already
    assert "nothing was written" in done.err
    hop = harbour("what-if", "[crane permit holder] = Zoe").out.partition("so:")[2]
    assert "[ferry line] Red line -> ?" in hop
    assert Path(json.loads(harbour("status", "--json").out)["vault"], "facts/Harbour.md").read_text() == PAGE
    assert harbour("what-if", "nobody knows this = x").code == Exit.NOT_FOUND
    assert harbour("what-if", "hello").code == Exit.INVALID


def test_graph_is_drawn_in_three_forms(harbour):
    """`graph` prints arrows as text, mermaid or dot; with a name, only what is tied to it."""
    text = harbour("graph").out
    assert "[berth warden] -> [gate keeper]: changes, becomes ?  (facts/Harbour.md:11)" in text
    assert harbour("graph", "--format", "mermaid").out.startswith("flowchart LR\n")
    assert harbour("graph", "--format", "dot").out.startswith("digraph facts {")
    assert len(harbour("graph", "gate keeper").out.splitlines()) == 1
    edges = json.loads(harbour("graph", "--json").out)["edges"]
    assert {"cause": "berth warden", "target": "gate keeper"}.items() <= edges[1].items()
