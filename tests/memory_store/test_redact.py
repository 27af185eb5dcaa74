"""What forgetting takes out of a text, and what it leaves."""

import pytest

from memory_store.redact import Redaction, is_telling, redaction


@pytest.mark.parametrize("value", ["hunter2", "Mina Olsen", "4321", "a-b-c", "iPhone"])
def test_telling_values_go_everywhere(value: str) -> None:
    """A value that can hardly stand anywhere by chance goes from every text, in any case of its letters."""
    found = redaction("pass phrase", [value])
    for text in (value, value.upper(), f"x{value}y"):
        assert found.scrub(f"before {text} after".encode()).count(b"[forgotten]") == 1
        assert not found.touches(found.scrub(text.encode()))


def test_plain_words_go_where_the_talk_is_of_the_fact() -> None:
    """A plain word goes from lines and journal entries that name the attribute; elsewhere it stays."""
    found = redaction("favourite colour", ["blue"])
    assert not is_telling("blue")
    page = b"my colour is Blue\r\nthe sky is blue\nbluebells, a colour\n"
    assert found.scrub(page) == b"my colour is [forgotten]\r\nthe sky is blue\nbluebells, a colour\n"
    journal = b"# day\n\n## 14:00:00 m ^e1\n> my colour\n\n> blue it is\n\n## 14:01:00 m ^e2\n> blue sky\n"
    assert found.scrub(journal).count(b"blue") == 1
    assert found.scrub(journal).endswith(b"> blue sky\n")


def test_a_value_that_others_have_too_counts_as_plain() -> None:
    """A telling value that another fact has as well goes only where the attribute is named."""
    found = redaction("team lead", ["Mina Olsen"], others=["Mina Olsen"])
    assert found.scrub(b"Mina Olsen, my friend") == b"Mina Olsen, my friend"
    assert found.scrub(b"Mina Olsen, our lead") == b"[forgotten], our lead"


def test_a_value_within_the_attributes_own_name_stays() -> None:
    """A value that the attribute's name holds cannot be told from the tombstone, so it is no text to look for."""
    assert (
        redaction("wifi password", ["password"]).scrub(b"- [wifi password] (forgotten)")
        == b"- [wifi password] (forgotten)"
    )


def test_both_unicode_forms_and_a_mark_that_holds_the_value() -> None:
    """Composed and decomposed letters are the same value; a value that the mark holds is taken away without one."""
    found = redaction("pass phrase", ["G\u00e4ste 1"])
    assert b"ste 1" not in found.scrub("ga\u0308ste 1, G\u00c4STE 1".encode())
    assert Redaction((b"got",)).scrub(b"I got it, forgotten") == b"I  it, forten"
    assert Redaction().scrub(b"anything") == b"anything"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("is Blue-Heron\n42 today", "is [forgotten]\n today"),
        ("> Blue-Heron\r\n> 42 today", "> [forgotten]\r\n>  today"),
        ("is blue-heron \t 42.", "is [forgotten]."),
        ("is Blue-Heron\u00a042.", "is [forgotten]."),
        ("is **Blue-Heron** 42.", "is **[forgotten]**."),
        ("is Blue-Heron _42_.", "is _[forgotten]_."),
        ("is `Blue-Heron` **42**!", "is `**[forgotten]`**!"),
    ],
)
def test_pain_29_words_of_a_value_may_be_apart_in_other_ways(text: str, left: str) -> None:
    """pain 29: line ends, spaces of any kind and emphasis between its words hide no value; the rest stays."""
    found = redaction("pass phrase", ["Blue-Heron 42"])
    assert found.scrub(text.encode()).decode() == left
    assert not found.touches(left.encode())


@pytest.mark.parametrize(
    "text", ["Blue-Heron\n\n42", "Blue-Heron\n- 42", "Blue-Heron, 42", "Blue-Heron42", "Blue-Heron"]
)
def test_words_that_only_follow_each_other_are_not_the_value(text: str) -> None:
    """A new paragraph or item, a comma, or half of the value is left as it is."""
    assert not redaction("pass phrase", ["Blue-Heron 42"]).touches(text.encode())


def test_a_plain_word_is_found_between_signs() -> None:
    """Quotes, unbreakable spaces and emphasis bound a word; letters of any alphabet are part of another."""
    found = redaction("favourite colour", ["blue"])
    for text in (
        "my colour: _blue_",
        "colour\u00a0blue",
        "colour \u201cblue\u201d",
        "colour \u00abblue\u00bb",
        "colour **blue**",
    ):
        assert found.scrub(text.encode()).decode() == text.replace("blue", "[forgotten]")
    for text in ("colour blue_sky", "colour sky_blue", "colour blue\u00e9", "colour \u00e9blue"):
        assert not found.touches(text.encode())


def test_a_longer_value_of_another_fact_keeps_what_it_has_in_common() -> None:
    """What is to be forgotten stays where it is only a part of what another fact is, also on a line that names both."""
    found = redaction("locker code", ["heron-42"], others=["heron-42-b", "north-heron-42"])
    line = b"locker code heron-42, bike code heron-42-b, gate code north-heron-42"
    assert found.scrub(line) == b"locker code [forgotten], bike code heron-42-b, gate code north-heron-42"
    assert found.scrub(b"heron-42 is my locker code") == b"[forgotten] is my locker code"
