"""What the owner's own sentences answer where no fact does."""

from collections.abc import Sequence

import pytest

from daemon.account import Account, asks_for_several, recount
from daemon.heard import hear, quotations, still_told, weighed
from daemon.replies import Reply
from daemon.spoken import Utterance, asks, condition, is_conditional, is_news, names, sentences_of
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

BAKERY = (
    "Our baker is Hedda Lund.",
    "The rye loaf is made by Hedda Lund's brother.",
    "The shop opens at six. The hour is up to the landlord, who is Mr Oakes.",
    "The flour comes from Tarn Mill. If the mill ever changes, the rye loaf will be made by Ivo.",
    "The oven was built by Castor Works.",
    "What is a good way to store yeast?",
    "The safe opens with 4410.",
)


def told(*messages: str) -> list[Utterance]:
    """*messages*, one a day."""
    return [
        Utterance(text, f"2026-03-{day:02}T09:00:00", "journal/x.md", day, day) for day, text in enumerate(messages, 1)
    ]


def ask(question: str, *messages: str) -> Account | None:
    """What all of *messages* answer, without an embedding model."""
    tellings = told(*messages)
    return recount(question, lambda _about: tellings, None)


def quoted(account: Account | None) -> list[str]:
    """The sentences that are quoted."""
    return [one.message for one in account.quoted] if account else []


def test_a_sentence_that_speaks_of_what_is_asked_is_quoted() -> None:
    """What no reader made a fact of is answered in the owner's words, without the rest of their message."""
    found = ask("Who built the oven?", *BAKERY)
    assert found is not None
    assert (found.kind, quoted(found)) == ("told", ["The oven was built by Castor Works."])


def test_what_was_never_told_is_not_answered() -> None:
    """No sentence is quoted that shares little with the question."""
    assert ask("Where do we park the van?", *BAKERY) is None


def test_what_was_said_to_follow_is_answered_once_it_happened() -> None:
    """News of what a condition names makes its consequence the answer, and not before."""
    before = ask("Who makes the rye loaf?", *BAKERY)
    after = ask("Who makes the rye loaf?", *BAKERY, "We have left Tarn Mill, our flour comes from Ridge Mill now.")
    assert before is not None and before.kind == "told"
    assert after is not None and after.kind == "follows"
    assert quoted(after) == ["If the mill ever changes, the rye loaf will be made by Ivo."]
    assert after.news is not None and "Ridge Mill" in after.news.message


FERRY = (
    "The flag tells the fare: at flag blue, the fare is 4 euros; at flag white, it is 6 euros. We are at flag blue.",
    "Our cook is Ivo Brandt.",
    "The galley opens at seven under Rask, at eight under Holm and at nine under Tove. The galley is run by Rask.",
)


def test_of_several_cases_the_one_that_was_told_last_to_hold_is_answered() -> None:
    """A table of cases is looked up by what is so now, before and after it changes."""
    before = ask("What is the fare?", *FERRY)
    after = ask("What is the fare?", *FERRY, "We are now at flag white.")
    assert before is not None and before.kind == "told" and "4 euros" in quoted(before)[0]
    assert after is not None and (after.kind, quoted(after)) == ("follows", ["at flag white, it is 6 euros."])


def test_a_case_whose_holder_left_is_given_for_the_one_who_came() -> None:
    """Who is told to have come names the case, and who left it names none."""
    found = ask("When does the galley open?", *FERRY, "Rask has left the ferry. The galley is now run by Tove.")
    assert found is not None and (found.kind, quoted(found)) == ("follows", ["at nine under Tove."])


def test_what_hung_on_something_is_unsure_once_that_changed() -> None:
    """Where nothing was said to follow, news of what it hung on makes what was told unsure."""
    found = ask("When does the shop open?", *BAKERY, "Mr Oakes has sold the house, and Vera Quill is our landlord now.")
    assert found is not None and found.kind == "unsure"
    assert quoted(found) == ["The shop opens at six."]


def test_news_of_something_else_changes_nothing() -> None:
    """News that shares nothing with what an answer hangs on leaves it as it was told."""
    found = ask("When does the shop open?", *BAKERY, "The cat has moved into the attic now.")
    assert found is not None and found.kind == "told"


def test_what_was_to_be_forgotten_is_not_quoted() -> None:
    """A request to forget counts by what it names, in other words than those in which it was told too."""
    found = ask("What does the safe open with?", *BAKERY, "Please forget how the safe opens.")
    assert found == Account("forgotten")


def test_what_was_told_again_after_a_request_to_forget_is_known() -> None:
    """Told anew, it may be quoted anew."""
    found = ask(
        "What does the safe open with?", *BAKERY, "Please forget how the safe opens.", "The safe opens with 9023."
    )
    assert quoted(found) == ["The safe opens with 9023."]


def test_a_history_is_told_in_order() -> None:
    """A question about how something changed is answered with all that was told of it, oldest first."""
    said = ("The stall costs 30 euros a week.", "The stall costs 34 euros a week now.")
    assert quoted(ask("How has the cost of the stall changed over time?", *said)) == list(said)


def test_the_last_that_was_told_counts() -> None:
    """Of two sentences that tell the same of another time the later one answers."""
    found = ask("What does the stall cost?", "The stall costs 30 euros a week.", "The stall costs 34 euros a week now.")
    assert quoted(found) == ["The stall costs 34 euros a week now."]


def test_several_are_all_quoted() -> None:
    """Where several things are asked for, each sentence that tells one is quoted."""
    said = ("Nils is a driver of ours.", "The cellar is damp.", "Rosa is a driver of ours too.")
    assert quoted(ask("Who are our drivers?", *said)) == [said[0], said[2]]


def test_each_state_of_a_history_is_quoted_however_it_was_told() -> None:
    """Later states are found by what they share with the question or with one another, not by one wording."""
    said = (
        "We moor the barge in Calder Basin, and the cat likes it.",
        "The lock is shut for repairs.",
        "The basin silted up so we moor it in Nine Elms.",
        "Nine Elms flooded, we moor it in Tarn Wharf now.",
    )
    found = ask("Where have we moored the barge, from the beginning till now?", *said)
    assert quoted(found) == [
        said[0],
        said[2],
        said[3],
    ]


def test_a_state_is_quoted_with_the_sentence_that_names_it() -> None:
    """Where a sentence only says that there is news, the one after it says what."""
    said = ("The barge's name is Ottilie.", "New name for the barge. It's Tern.")
    assert quoted(ask("What names has the barge had, in order?", *said)) == list(said)


def test_a_list_does_not_hang_on_news_of_one_of_its_own() -> None:
    """What was told one by one is all quoted, though a reason stands beside one of them."""
    said = (
        "Odo can splice rope.",
        "Ines can splice rope too, since her father has a boat.",
        "Pavel can splice rope as of Sunday.",
    )
    assert quoted(ask("Who can splice rope?", *said)) == list(said)


def test_a_request_to_forget_takes_only_what_it_names() -> None:
    """What was told in the same sentence is still known, and a reason for the request names nothing."""
    said = ("The hatch key is under the mat and the winch is behind the stove.", "Forget the hatch key, it was stolen.")
    found = ask("Where is the winch?", *said)
    assert found is not None and found.kind == "told"
    assert ask("Where is the hatch key?", *said) == Account("forgotten")


def test_what_others_have_is_no_answer() -> None:
    """A question of the owner's own is not answered by what somebody else does, however well that fits."""
    said = ("The shop opens at half past seven.", "My cousin has a shop in Torrow, and hers opens at six.")
    assert quoted(ask("When do we open the shop?", *said)) == [said[0]]


def test_news_of_others_changes_nothing() -> None:
    """What changed for others bears on nothing of the owner's."""
    said = (
        "The bread is baked by Henrik.",
        "If Henrik ever stops, the bread will be white.",
        "The bread is brown.",
        "My cousin has a new baker, Henrik's brother, and her bread is black now.",
    )
    found = ask("What colour is the bread?", *said)
    assert found is not None and found.kind == "told"


def test_what_was_said_to_follow_goes_before_what_was_left_open() -> None:
    """Where news bears on a tie and on a condition alike, the answer is what was said to follow."""
    said = (
        "The children eat at noon. Ada cooks, and that is the reason it's so early.",
        "As soon as somebody else cooks, the children will eat at one.",
        "Ada has left. Rafael cooks for the children now.",
    )
    found = ask("When do the children eat?", *said)
    assert found is not None and found.kind == "follows"
    assert quoted(found) == [said[1]]


def test_what_follows_for_another_thing_is_no_answer() -> None:
    """News that bears on a condition of another kind of thing leaves what was asked as it was told."""
    said = (
        "The choir is led by Ruth.",
        "If somebody else leads the choir of the children, they will sing at five.",
        "Walter has left the choir of the children, and somebody new leads it now.",
    )
    found = ask("Who leads the choir?", *said[:1], *said[1:])
    assert found is not None and found.kind == "told"


def test_a_time_is_no_list() -> None:
    """What asks for a time is answered with one, though more of the kind was told with `too`."""
    said = ("We serve breakfast from eight on.", "We serve breakfast in bed too, from nine on.")
    found = ask("When do we serve breakfast?", *said)
    assert found is not None and len(found.quoted) == 1


def test_a_list_needs_no_noun_for_its_members() -> None:
    """Members of a list are found by what was said of them, not by what they are called."""
    said = (
        "Kamran has a licence for the minibus.",
        "The cellar is damp.",
        "Annette may drive the minibus as well.",
        "Tomasz has a licence for the minibus too.",
    )
    assert quoted(ask("Who is allowed to drive the minibus?", *said)) == [said[0], said[2], said[3]]


def test_a_circle_of_conditions_ends() -> None:
    """Two things that hang on one another are answered as they were told."""
    said = ("The menu is up to the cook.", "The cook is up to the menu.", "The menu is in Danish.")
    assert ask("What language is the menu in?", *said) is not None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("If the mill changes, the loaf will be made by Ivo.", "If the mill changes"),
        ("The loaf will be made by Ivo if the mill changes.", "if the mill changes."),
        ("With a different mill, the loaf would be white.", "With a different mill"),
        ("Get us off that host and we'll talk for an hour.", "Get us off that host"),
        ("Should the mill close, the loaf will be white.", "Should the mill close"),
        ("As soon as somebody else bakes, the loaf will be white.", "As soon as somebody else bakes"),
        ("mill shuts for good -> Ivo grinds it", "mill shuts for good"),
        ("the oven breaks = we buy from Ridge", "the oven breaks"),
        ("rent over 900 and we close", "rent over 900"),
        ("Now once the mill is sold, she bakes rye.", "Now once the mill is sold"),
    ],
)
def test_a_condition_is_told_apart_from_what_follows(text: str, part: str) -> None:
    """Conditions come first or last, with or without an `if`."""
    assert is_conditional(text)
    assert condition(text) == part


@pytest.mark.parametrize(
    "text",
    [
        "Any baker appointed in Ivo's stead shall bake white bread.",
        "The loaf is white in case the mill is ever run by anyone else.",
        "Under any other baker it's white bread.",
        "Take it to somebody else and it costs more.",
        "The minute they close the mill we bake rye.",
        "A different baker might not.",
    ],
)
def test_conditions_need_no_if(text: str) -> None:
    """What would follow from what is said in many ways."""
    assert is_conditional(text)


@pytest.mark.parametrize(
    "text",
    [
        "The day depends on who bakes, and right now Ivo bakes.",
        "The tart sells better than any other cake.",
        "When we started we baked rye.",
        "We have gone over to another mill, Tarn Mill.",
    ],
)
def test_what_only_sounds_like_a_condition_is_none(text: str) -> None:
    """Ties, comparisons and what was so once say nothing of what would follow."""
    assert not is_conditional(text)


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("Our oven is in Tarn and the mill is in Calder.", ["Our oven is in Tarn", "the mill is in Calder."]),
        ("If the mill closes and Ivo leaves, we bake rye.", ["If the mill closes and Ivo leaves, we bake rye."]),
        ("Ivo came along, and he bakes too.", ["Ivo came along, and he bakes too."]),
        ("We bake in Tarn, which is a village.", ["We bake in Tarn, which is a village."]),
    ],
)
def test_a_sentence_is_cut_where_it_tells_a_second_thing(message: str, parts: list[str]) -> None:
    """What tells something by itself is a sentence of its own; what only points back is not, nor half a condition."""
    assert [one.text for one in sentences_of(message)] == parts


@pytest.mark.parametrize("text", ["The mill is in Tarn.", "We bake on Mondays.", "Ivo makes the loaf."])
def test_a_plain_sentence_is_neither_news_nor_condition(text: str) -> None:
    """What only tells how it is counts as no change."""
    assert not is_news(text)
    assert not is_conditional(text)


@pytest.mark.parametrize(
    ("question", "several"),
    [("Which ovens do we have?", True), ("Who are our drivers?", True), ("Who is our driver?", False)],
)
def test_a_plural_asks_for_several(question: str, several: bool) -> None:
    """The noun asked for, or the verb, says how many are meant."""
    assert asks_for_several(question) is several


PAGE = "# Us\n\n- [shop opens at] six (since 2026-03-03)\n"
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


def weigh(question: str, direct: Reply | None, messages: Sequence[str]) -> Reply | None:
    """The answer of facts and of what was told together."""
    tellings = told(*messages)
    return weighed(question, direct, hear(question, lambda _about: tellings, None), LEDGER)


FACT = Reply("Your shop opens at six.", "fact", (), 1.0, ("shop opens at",))


def test_a_fact_goes_before_what_was_told() -> None:
    """Where the facts answer and nothing has changed since, they do."""
    assert weigh("When does our shop open?", FACT, BAKERY) == FACT


def test_a_fact_whose_ground_changed_without_a_rule_is_not_given_as_sure() -> None:
    """A tie that no rule on a page holds still makes its fact unsure once it is news."""
    reply = weigh("When does our shop open?", FACT, [*BAKERY, "Mr Oakes has left, and Vera Quill is our landlord now."])
    assert reply is not None and reply.kind == "unsure"
    assert "six" in reply.text and "Vera Quill" in reply.text


def test_a_fact_that_does_not_read_well_gives_way_to_the_words_it_was_told_in() -> None:
    """Where both tell the same, the owner's own sentence is better than one that is no English."""
    direct = Reply("Your opens the shop at is six.", "fact", (), 1.0, ("shop opens at",))
    reply = weigh("When does our shop open?", direct, BAKERY)
    assert reply is not None and "The shop opens at six." in reply.text


def test_what_was_only_said_to_follow_is_no_fact() -> None:
    """A value that the owner only told in a condition does not answer before that came true."""
    direct = Reply("Your shop opens at nine.", "fact", (), 1.0, ("shop opens at",))
    page = "# Us\n\n- [shop opens at] nine (since 2026-03-03)\n"
    ledger = Ledger.build([read_facts("facts/Us.md", parse(page.encode()))])
    said = told("The shop opens at six.", "If the landlord leaves, the shop will open at nine.")
    question = "When does our shop open?"
    reply = weighed(question, direct, hear(question, lambda _about: said, None), ledger)
    assert reply is not None and "six" in reply.text and "nine" not in reply.text


def test_a_fact_that_was_put_right_goes_before_what_was_told() -> None:
    """Where the page and the words tell different things of the same, the page, which may have been edited, answers."""
    page = "# Us\n\n- [shop opens at] seven (since 2026-03-03)\n"
    ledger = Ledger.build([read_facts("facts/Us.md", parse(page.encode()))])
    direct = Reply("Your shop opens at seven.", "fact", (), 1.0, ("shop opens at",))
    said = told(*BAKERY)
    question = "When does our shop open?"
    assert weighed(question, direct, hear(question, lambda _about: said, None), ledger) == direct


def test_a_fact_that_was_to_be_forgotten_is_not_given() -> None:
    """A request to forget that met no fact is kept to all the same."""
    direct = Reply("Your safe opens with 4410.", "fact", (), 1.0, ("safe opens with",))
    reply = weigh("What does our safe open with?", direct, [*BAKERY, "Please forget how the safe opens."])
    assert reply is not None and reply.kind == "forgotten"
    assert "4410" not in reply.text


@pytest.mark.parametrize(
    "wish",
    [
        "Safe code: forget it.",
        "It was a mistake to tell you the code of the safe. Please you forget it.",
        "I gave you the code of the safe, which was not smart. Delete it please.",
        "Could you lose the code we gave you for the safe? We'd be happier if it weren't anywhere.",
    ],
)
def test_what_is_to_be_forgotten_may_be_named_before(wish: str) -> None:
    """`Forget it` means what the same message named before it."""
    found = ask("What is the code of the safe?", *BAKERY, "The code of the safe is 4410.", wish)
    assert found is not None and found.kind == "forgotten"


@pytest.mark.parametrize("wish", ["Could you drop the kids at school?", "We lost the game. Forget it."])
def test_other_wishes_forget_nothing(wish: str) -> None:
    """A thing that is put away, or a matter that is let go, takes no code with it."""
    found = ask("What is the code of the safe?", *BAKERY, "The code of the safe is 4410.", wish)
    assert found is not None and found.kind == "told"


def test_where_what_is_to_be_forgotten_still_stands_is_found() -> None:
    """A request to forget that meets no fact names the lines of the conversation that tell it."""
    tellings = told(*BAKERY, "Please forget how the safe opens.")
    [left] = still_told("Please forget how the safe opens.", lambda _about: tellings)
    assert left.message == "The safe opens with 4410."
    assert still_told("How does the safe open?", lambda _about: tellings) == ()


def test_a_question_for_advice_is_left_to_others() -> None:
    """What was told is not quoted to a question that asks what would be best."""
    tellings = told(*BAKERY)
    assert hear("What is the best way to clean an oven?", lambda _about: tellings, None) is None


def test_what_was_told_is_quoted_with_its_place() -> None:
    """Each quotation names the lines on which it stands."""
    tellings = told(*BAKERY)
    [passage] = quotations(hear("Who built our oven?", lambda _about: tellings, None))
    assert (passage.path, passage.start_line, passage.text) == (
        "journal/x.md",
        5,
        "The oven was built by Castor Works.",
    )


def test_another_thing_of_the_sort_is_quoted_as_what_comes_nearest() -> None:
    """Of the flute no answer is made for the oboe; it is marked as what comes near, and what is hers is not quoted."""
    near = ask("Who plays the oboe?", "Ruth plays the flute.")
    assert near is not None
    assert (near.kind, near.near) == ("told", True)
    there = ask("Who plays the flute?", "Ruth plays the flute.")
    assert there is not None
    assert not there.near
    assert not quoted(ask("Where do I work?", "My sister works at the quarry."))


def test_a_question_is_no_evidence_without_its_mark_either() -> None:
    """What was asked before, typed in haste, is not quoted as told."""
    assert not quoted(ask("where do i eat", "do i eat at home", "is the oven clean"))


def test_what_was_denied_is_told_with_its_denial() -> None:
    """The sentence that says that it is not so stands behind the one that it denies."""
    found = ask(
        "Does Wim have a sister?", "I think Wim's sister is called Jet.", "Jet is not Wim's sister, just a cousin."
    )
    assert quoted(found)[-1] == "Jet is not Wim's sister, just a cousin."


def test_another_word_for_what_was_told_finds_it() -> None:
    """What was told of the apartment is heard where the flat is asked for."""
    tellings = told("The apartment has two balconies.", "The boat has a blue hull.")
    found = hear("How many balconies does our flat have?", lambda _about: tellings, None)
    assert quoted(found) == ["The apartment has two balconies."]


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Which inn we meet at depends on the landlord.", False),
        ("Which inn do we meet at?", True),
        ("What does it depend on?", True),
    ],
)
def test_what_says_on_what_something_hangs_asks_nothing(text: str, is_asked: bool) -> None:
    """A sentence that begins with `which` and says on what that hangs is told, not asked."""
    assert asks(text) is is_asked


def test_a_condition_of_becoming_is_read_whole() -> None:
    """`To become` tells no consequence, so the condition goes on to its comma."""
    assert condition("Were anyone else to become warden, we would meet at noon.") == "Were anyone else to become warden"


def test_who_sets_it_is_what_it_hangs_on() -> None:
    """News of whom somebody said to set a thing makes that unsure."""
    said = ["A berth costs 300 euros. The harbour master sets that, and he is Mr. Oster."]
    news = "Mr. Oster has retired. The harbour master is Ms. Falk now."
    found = ask("How much is a berth?", *said, news)
    assert found is not None and found.kind == "unsure"


@pytest.mark.parametrize(
    "news",
    ["Mr. Oster has decided to retire, so the harbour master is Ms. Falk now.", "My uncle Oster has moved to Tarn."],
)
def test_news_may_tell_of_a_decision_or_of_kin(news: str) -> None:
    """Whom a thing hangs on may decide something, and may be kin: news of either bears on it."""
    said = "A berth costs 300 euros. That is up to the harbour master, my uncle Oster."
    found = ask("How much is a berth?", said, news)
    assert found is not None and found.kind == "unsure"


def test_what_follows_is_not_what_was_told_already() -> None:
    """Of two conditions the one with another value follows, not that with the value that was told."""
    said = "A berth costs 300 euros. If Oster leaves, it will not stay at 300 euros. If Oster leaves, it will be 450."
    found = ask("How much is a berth?", said, "Oster has left, the harbour master is Falk now.")
    assert found is not None and found.kind == "follows"
    assert "450" in found.quoted[0].message


@pytest.mark.parametrize(
    "text", ["mill = Tarn Mill", "We moved the ovens, Tarn -> Ridge", "The rent is over 900 and we pay it"]
)
def test_a_note_of_what_is_so_supposes_nothing(text: str) -> None:
    """An arrow or a sign between two things, or a measure that is told, is no condition."""
    assert not any(is_conditional(one.text) for one in sentences_of(text))


def test_news_of_the_same_people_alone_is_no_fulfilment() -> None:
    """That a person of whom something was supposed did something else leaves what was told as it was."""
    said = ("Hedda Lund drives us to the fair. If she ever loses her licence, we take the train.",)
    for news in (
        "Hedda Lund has bought a parrot.",
        "Ivo's cousin lost his licence.",
        "Hedda Lund hasn't lost anything.",
    ):
        account = ask("Who drives us to the fair?", *said, news)
        assert account is not None
        assert account.kind == "told", news
    account = ask("Who drives us to the fair?", *said, "Hedda Lund lost her licence on Sunday.")
    assert account is not None
    assert account.kind == "follows"


def test_a_day_or_month_is_no_name() -> None:
    """What happens in the same month is no news of what was supposed for it."""
    assert names("Berta starts on Mondays in September") == {"berta"}


def test_what_others_have_makes_no_case_hold() -> None:
    """Of several cases none comes to hold by what was told of a friend."""
    said = (
        "The loaf is white. If it turns out that Ivo can't eat wheat, we use spelt.",
        "My friend Berta's son can't eat wheat, poor boy.",
    )
    account = ask("What kind of loaf is it?", *said)
    assert account is not None
    assert account.news is None


def test_what_a_sentence_hung_on_is_not_what_it_told() -> None:
    """A request to forget one sentence leaves another one that only names the same as its reason."""
    said = (
        "The press is in the barn, this is determined by the fact that our flour is Tarn rye.",
        "We use Tarn rye as our flour. Please remove that from your memory.",
    )
    account = ask("Where is the press?", *said)
    assert account is not None
    assert account.kind != "forgotten"
