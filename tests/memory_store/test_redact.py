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
    found = redaction("team lead", ["Mina Olsen"], shared=["Mina Olsen"])
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
