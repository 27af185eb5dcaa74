"""What asks to be forgotten, in whatever words, and what only sounds as if it did."""

import pytest

from memory_store.pleas import pleas


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Scratch that tool shed code I gave you.", "tool shed code"),
        ("Please don't hold on to my card's PIN.", "my card's PIN"),
        ("There's no need to keep the combination of the strongbox any longer.", "the combination of the strongbox"),
        ("I'd feel better if you no longer knew where we hide the key.", "where we hide the key"),
        ("I want you to have no record of my diagnosis.", "my diagnosis"),
        ("The rent for the barn can go from your notes.", "The rent for the barn"),
        ("Make my locker number disappear, please.", "my locker number"),
        ("Let's pretend you never heard my aunt's address.", "my aunt's address"),
        ("I take back what I said about the price of the boat.", "the price of the boat"),
        ("And strike out what I told you about her pension, please, it's hers.", "her pension"),
        ("Could the password for the forum be removed?", "the password for the forum"),
        ("The till code: gone, please.", "The till code"),
        ("Could I trouble you to do away with my bank number?", "my bank number"),
        ("The barn code has no business being in your memory.", "The barn code"),
        ("There's no point in keeping my username for the forum.", "my username for the forum"),
        ("u can delete our wifi password now", "our wifi password"),
        ("Wipe the shed code pls, changed it", "the shed code"),
        ("Forget the attic code, the lock was stolen.", "the attic code"),
    ],
)
def test_a_request_to_forget_in_many_words(text: str, what: str) -> None:
    """An order or a wish to the assistant, a verb of removing or not keeping, and something told: what that is."""
    assert [plea.what for plea in pleas(text)] == [what]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The shed's code was off the record, so wipe it.", "shed's code"),
        ("I told you the gate number, which was a mistake. Could you get rid of it?", "gate number"),
        ("You know the code of the attic. I wish you didn't. Clear it out, please.", "code of the attic"),
        ("My son asked me not to tell his grade, so I have to ask you to forget it.", "his grade"),
        ("About my locker: please wipe that from your memory.", "my locker"),
        ("I told you the combination of my trunk. That was careless of me. Do forget it.", "combination of my trunk"),
        ("Regarding the loan, I'd ask that the sum not be kept.", "the loan the sum"),
    ],
)
def test_it_is_what_was_named_before(text: str, named: str) -> None:
    """`it` is named by what stands before it, in its sentence or the ones before."""
    assert any(plea.it and named in plea.what for plea in pleas(text))


def test_two_things_in_one_request() -> None:
    """Each of several things is to go."""
    three = pleas("Forget the attic code, the wifi password and the PIN.")
    assert [plea.what for plea in three] == ["the attic code", "the wifi password", "the PIN"]
    found = pleas("Forget the attic code and the wifi password, please.")
    assert [plea.what for plea in found] == ["the attic code", "the wifi password"]


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my umbrella.",
        "I always forget the code.",
        "Don't forget the milk.",
        "Don't let me forget the code of the gate.",
        "Never forget the code of the safe.",
        "Remove the onions from the list.",
        "She wiped the table.",
        "Forget it, I'll set up the login myself.",
        "I'd love to forget that evening.",
        "They deleted my account.",
        "My brother asked the porter to forget the door code.",
        "My colleague asked them to remove her salary from the system.",
        "What did I ask you to forget about the key?",
        "Why would anyone forget the entry code?",
        "If I lost my card I'd ask you to forget the PIN.",
        "You didn't forget the key code, did you?",
        "I went out and lost my card's PIN.",
        "Lose weight, says my trainer.",
        "Please keep the keypad number in your notes.",
        'He said: "Please forget the password for the forum."',
        "Put those on my home plan, please.",
        "There's no point in keeping the old fridge.",
        "Please take out the bins and throw away the key.",
        "The PIN is 3190, but you didn't hear it from me.",
    ],
)
def test_what_asks_for_no_forgetting(text: str) -> None:
    """Reminders, lapses, other people's requests, questions, suppositions, and things that are thrown away."""
    assert pleas(text) == ()
