"""The fast English stemmer against Whoosh's own."""

from hypothesis import given
from hypothesis import strategies as st
from whoosh.lang import porter2

from memory_store.index.english import stem

ENDS = (
    *(end for end, _, _ in (*porter2.s2_triples, *porter2.s3_triples)),
    *(
        *porter2.s4_delete_list,
        *porter2.s1b_suffixes,
        "",
        "s",
        "ies",
        "ied",
        "sses",
        "eed",
        "eedly",
        "y",
        "l",
        "e",
        "sion",
    ),
)


def test_every_ending_that_a_rule_knows_is_stemmed_as_before() -> None:
    """Roots short and long, with each ending and with two: the same stems as Whoosh's."""
    roots = ("", "b", "boy", "sky", "gener", "commun", "arsen", "hop", "fall", "plac", "happi", "relat", "yell", "'tis")
    words = [root + first + second for root in roots for first in ENDS for second in ("", "s", "ly", "ness", "ing")]
    words += [*porter2.exceptional_forms, *porter2.exceptional_early_exit_post_1a]
    assert [stem(word) for word in words] == [porter2.stem(word) for word in words]


@given(st.text("abeilnosty'", max_size=14))
def test_any_word_is_stemmed_as_before(word: str) -> None:
    """Whatever letters come together, the stem is Whoosh's."""
    assert stem(word) == porter2.stem(word)
