"""What rules of META.md tell the context builder, and for which questions."""

import pytest

from daemon.directives import Directive, applies, joined, kinds_of, parse


def test_a_directive_reads_as_it_is_written() -> None:
    """Every choice survives parse and text again; a large number is bounded."""
    text = "when: order, past; about: boat; hits: 12; past: include; order: time; expand: dependencies; prefer: facts"
    assert str(parse(f"{text}; widen: 1")) == f"{text}; widen: 1"
    assert parse("past: include; order: time") == Directive(past=True, order="time")
    assert parse("HITS: 9999") == Directive(hits=30)
    assert str(Directive()) == ""


@pytest.mark.parametrize(
    "text",
    ["", "npm run dev", "hits: many", "past: maybe", "colour: red", "hits: 3; hits: 4", "when: sometimes", "hits"],
)
def test_what_is_not_understood_whole_is_no_directive(text: str) -> None:
    """Code in a rule that is no directive, or half of one, is not obeyed."""
    assert parse(text) is None


def test_a_rule_is_for_the_questions_that_its_opening_names() -> None:
    """Prose such as "For totals, …" bounds a rule; a directive's own words go before it; else it is for all."""
    prose = "For questions about order or history, give past values in time order."
    assert applies(Directive(), prose, "In what order did we visit them?")
    assert applies(Directive(), prose, "What did we use before?")
    assert not applies(Directive(), prose, "Who is the reviewer?")
    assert applies(Directive(when=("person",)), prose, "Who is the reviewer?")
    assert applies(Directive(), "Be brief.", "Who is the reviewer?")
    assert applies(Directive(), "Where memory does not say, say so.", "Who is the reviewer?")
    assert applies(Directive(), "For the boat, look further.", "Where are the boats?")
    assert not applies(Directive(about=("boat trailer",)), "", "Where is the boat?")


def test_kinds_of_questions_are_told_by_their_words() -> None:
    """A question may be of several kinds, or of none."""
    assert "total" in kinds_of("How many guests came?")
    assert {"date", "past"} <= kinds_of("When was the party?")
    assert kinds_of("Tell me about Riga") == frozenset()


def test_of_several_directives_the_first_choice_wins() -> None:
    """What the first leaves open the next may say."""
    assert joined([Directive(hits=3), Directive(hits=9, order="time")]) == Directive(hits=3, order="time")
