"""Of whom a sentence tells."""

import pytest

from daemon.doers import is_another_doing, tells_of_another


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("where do I live", "My mother's name is Gerda and she lives in Husum."),
        ("Where do I work?", "My sister works at the quarry."),
        ("Where is Wim's ladder?", "I left my ladder at Wim's house."),
        ("What colour is my kayak?", "My brother's kayak is green."),
        ("Where does my aunt work?", "I work at the quarry."),
        ("How old is my aunt?", "My grandmother is 90."),
        ("Which floor am I on?", "My workmate Ilse was moved to floor 3."),
        ("What team do I work on?", "Ilse is on the night team."),
        ("Where do we live?", "Ilse lives in Husum."),
        ("When is my eye test?", "My lodger had to change her eye test to Tuesday."),
    ],
)
def test_what_another_does_or_has_is_told_apart(question: str, sentence: str) -> None:
    """What my sister does is no answer to what I do, nor is my ladder another's."""
    assert tells_of_another(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("where do I live", "I live in Husum."),
        ("Where do we meet?", "The choir meets in the chapel."),
        ("Who is the society's treasurer?", "Our treasurer is Nell Harker."),
        ("Where does my sister work?", "She works at the quarry."),
        ("What colour is my kayak?", "The kayak is green."),
        ("When do we move?", "We move house in May, my mother says."),
        ("Which floor am I on?", "My boss moved me to floor 3."),
        ("Where do I live?", "My sister moved in with me in Husum."),
        ("What floor does my workmate work on?", "My workmate Ilse was moved to floor 3."),
        ("When is my eye test?", "The optician moved the eye test to Tuesday."),
    ],
)
def test_the_same_one_in_other_words_is_not(question: str, sentence: str) -> None:
    """A group is we, what is the club's is ours, and a pronoun may be anybody."""
    assert not tells_of_another(question, sentence)


def test_a_verb_with_a_particle_is_another_doing() -> None:
    """`Work out` is not told by `work`, `give up` not by `give in`; the same verb with the same particle tells it."""
    assert is_another_doing("Where do I work out?", "I work at Tarn Mill.")
    assert is_another_doing("What did we give up?", "We gave in to the dog.")
    assert not is_another_doing("Where do I work out?", "I work out in the barn.")
    assert not is_another_doing("Where do I work?", "I work out in the barn.")
