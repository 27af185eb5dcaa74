"""Whether a sentence answers, or only comes near."""

import pytest

from daemon.shortfalls import falls_short


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who plays the oboe?", "Ruth plays the flute, she rehearses every Monday."),
        ("Does Ruth have riding lessons?", "Ruth has drawing lessons on Mondays"),
        ("What's the pony in the left box called?", "The pony in the right box is called Flint."),
        ("What's my best time over 5 km?", "My best time over 10 km is 47:12."),
        ("What's the password of my printer?", "The router password is Heron31."),
        ("What colour are the cellar doors?", "The attic doors are green."),
        ("What colour is Ruth's sledge?", "My cousin Ruth has a sledge."),
        ("How old is Wim's goat?", "My friend Wim owns a goat."),
        ("What's the name of Wim's goat?", "My friend Wim owns a goat."),
        ("When does the quarry open?", "The quarry shuts at 17:00."),
        ("How old will my uncle be?", "My uncle's birthday is May 9th."),
        ("when do i go to the pool", "pool locker combo is 33-8-21"),
        ("What is Ruth's shoe size?", "Ruth is in class 4."),
        ("What's Wim's member number?", "Wim was moved to bench 12."),
        ("Who is the lodger in flat 8?", "The lodger in flat 5 is Ruth Behr."),
        ("What does flat 5 cost?", "The lodger in flat 5 is Ruth Behr."),
        ("Who leads our band?", "Our band plays on Fridays."),
    ],
)
def test_another_thing_of_the_sort_is_no_answer(question: str, sentence: str) -> None:
    """What is told of another thing, or holds nothing of the kind that is asked for, only comes near."""
    assert falls_short(question, sentence, None)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who plays the flute?", "Ruth plays the flute, she rehearses every Monday."),
        ("What's the pony in the right box called?", "The pony in the right box is called Flint."),
        ("What pet does Wim have?", "My friend Wim has a goat."),
        ("Who inspects my boiler?", "My boiler inspector is Mr. Haddock."),
        ("when do i go to the pool", "i go to the pool on mon and thu"),
        ("How much is the rent?", "Our landlady raised the rent from 900 to 950"),
        ("Who looks after the boats?", "The boats are Henk's job."),
    ],
)
def test_what_tells_it_in_any_words_is_one(question: str, sentence: str) -> None:
    """The thing that is asked for, with anything of the kind that is asked for, answers."""
    assert not falls_short(question, sentence, None)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When was the attic painted?", "The cellar was painted in 2019."),
        ("How much did the stool cost?", "The mat cost 120 euros."),
        ("Who's my vet?", "My barber is Dr. Ng."),
        ("What music do I hate?", "I love jazz."),
        ("Who is Wim's drawing teacher?", "Wim is in class 4b."),
    ],
)
def test_what_befell_another_thing_is_no_answer(question: str, sentence: str) -> None:
    """Of what is done, costs or is, the thing must be the one that is asked for; and to love is not to hate."""
    assert falls_short(question, sentence, None)
