"""What was told of one thing from time to time, strung together."""

from collections.abc import Sequence

import pytest

from daemon.account import Account, recount
from daemon.heard import bearing
from daemon.spoken import Utterance, joins
from daemon.threads import THREAD_CHARACTERS
from memory_store.ledger import Ledger


def ask(question: str, *messages: str) -> Account | None:
    """What *messages*, one a day, answer without an embedding model."""
    told = [
        Utterance(text, f"2026-03-{day:02}T09:00:00", "journal/x.md", day, day) for day, text in enumerate(messages, 1)
    ]
    return recount(question, lambda _about: told, None)


def quoted(question: str, messages: Sequence[str]) -> list[str]:
    """The sentences that are quoted."""
    account = ask(question, *messages)
    return [one.message for one in account.quoted] if account else []


def test_one_name_leads_to_the_next() -> None:
    """A state that shares only a name with the one before is one of the same history."""
    said = (
        "The first boat we sailed was a Tern.",
        "The bakery opens at six.",
        "The Tern sprang a leak, so we bought a Gannet.",
        "We sold the Gannet for a Petrel, which is the boat we sail now.",
    )
    assert quoted("Which boats have we sailed, from the first to the last?", said) == [said[0], said[2], said[3]]


def test_what_goes_on_to_speak_of_a_member_stands_beside_it() -> None:
    """`In its place` is told with the sentence that says in the place of what."""
    said = (
        "The songs in our set are Blue Lanes and Old Harbour.",
        "The van needs oil.",
        "We've taken Old Harbour out of the set. In its place we play Seven Gates.",
    )
    assert quoted("Which songs are in our set now?", said) == [said[0], said[2]]


def test_what_others_have_is_in_no_list_of_ours() -> None:
    """A friend's is no member, however like ours it is told."""
    said = (
        "I subscribe to a magazine called Hedgerow.",
        "My friend Ada subscribes to a magazine called Comet.",
        "I subscribe to a magazine called Tidewrack too.",
    )
    assert quoted("Which magazines do I subscribe to?", said) == [said[0], said[2]]


def test_a_long_thread_is_told_without_its_asides() -> None:
    """What gives a reason goes before a member does, and all of it is short enough to be read."""
    said = (
        "Our captain was Oda at first, because she was the loudest of us all by a long way.",
        "Then Wim was our captain, since nobody but him remembered where the cups were kept.",
        "After Wim our captain was Pia, because the rest of us were busy with the new boathouse.",
        "Our captain is Jo now, although most of us had thought that somebody older would do it.",
        "The boathouse leaks.",
    )
    found = quoted("Who have our captains been, in order?", said)
    assert found == [f"{one.split(',')[0]} …" for one in said[:4]]
    assert sum(map(len, found)) < THREAD_CHARACTERS


def test_one_of_several_may_be_told_of_her() -> None:
    """A history of somebody's counts where sentences of it only say `she`."""
    account = ask(
        "Which walking sticks has Gran had, in order?",
        "Her first walking stick was a Kerry.",
        "Then she got a walking stick called Stout.",
    )
    assert (
        account is not None
        and bearing("Which walking sticks has Gran had, in order?", account, Ledger.build(())) is account
    )


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Mira holds a key, and so does Ben.", True),
        ("We've taken the plum tart off the menu.", True),
        ("I do planks in their place.", True),
        ("Some oats have been added to the order.", True),
        ("We rehearse in the barn.", False),
        ("The car is off to the garage.", False),
    ],
)
def test_what_joins_a_list_or_leaves_it(text: str, is_one: bool) -> None:
    """One of several is known by words that say so."""
    assert joins(text) is is_one


def test_a_name_leads_on_where_nothing_else_does() -> None:
    """What has no word of the question is of its history by the name of the state before, told right before it."""
    said = (
        "Our first mixer was an old Branby.",
        "The Branby caught fire at a matinee. A Zerox replaced it.",
        "The curtain is red.",
    )
    assert quoted("Which mixers have we had, from the first to the last?", said) == list(said[:2])
