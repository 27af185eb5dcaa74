"""Direct answers from facts, and the three ways of not knowing."""

from collections.abc import Sequence

import pytest

from daemon.answer import answer
from daemon.recall import from_facts
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [team lead] Mina Olsen (since 2026-11-28; from [[journal/2026/2026-11-28]])
- [weekly report goes to] Priya Nair (since 2026-11-28; by rule: [team lead] changed)
- [code reviewer] ? (was Arno Weiss; unsure since 2026-11-28: [team lead] changed)
- [guest wifi password] (forgotten 2026-11-28)
- [live in] Porto
- [fish supplier] Pier Nineteen

## Rules
- when [team lead] changes, [weekly report goes to] becomes Priya Nair
- when [team lead] changes, [code reviewer] becomes ?

## Past
- [team lead] Tom Vega (2026-11-12 to 2026-11-28)
"""


@pytest.fixture
def ledger() -> Ledger:
    return Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


def test_a_known_fact(ledger: Ledger) -> None:
    """A value is told in a plain sentence, with the line it stands on."""
    reply = answer("Who is our team lead?", ledger, today="2026-11-30")
    assert reply is not None
    assert (reply.kind, reply.text) == ("fact", "Your team lead is Mina Olsen.")
    assert (reply.sources[0].path, reply.sources[0].start_line) == ("facts/Us.md", 3)


def test_a_value_by_rule_names_its_rule(ledger: Ledger) -> None:
    """The source of a value that followed from another says which."""
    reply = answer("Who does the weekly report go to?", ledger, today="2026-11-30")
    assert reply is not None
    assert "Priya Nair" in reply.text
    assert reply.sources[0].rule == "[team lead] changed"


def test_a_doubt_quotes_the_news_that_left_it_open() -> None:
    """Where news told only that a thing changed, the answer is what it was, and the owner's own sentence."""
    told = "- [landlord meeting] ? (was Friday at 4pm; unsure since 2026-11-28: He postponed it by a week.)"
    page = parse(f"# Me\n\n{told}\n".encode())
    reply = answer("When is the landlord meeting?", Ledger.build([read_facts("facts/Me.md", page)]), today="2026-11-30")
    assert reply is not None
    assert reply.kind == "unsure"
    assert "was Friday at 4pm" in reply.text
    assert "you told me on 2026-11-28: “He postponed it by a week”" in reply.text


def test_an_unsure_fact_says_why_and_since_when(ledger: Ledger) -> None:
    """An honest doubt names what was, what changed and when."""
    reply = answer("Who is the code reviewer?", ledger, today="2026-11-30")
    assert reply is not None
    assert reply.kind == "unsure"
    assert "not sure" in reply.text
    assert "Arno Weiss" in reply.text
    assert "2026-11-28" in reply.text


def test_a_forgotten_fact_says_so(ledger: Ledger) -> None:
    """What was to be forgotten is told as that, and differs from never having known."""
    reply = answer("What's the guest wifi password?", ledger, today="2026-11-30")
    assert reply is not None
    assert reply.kind == "forgotten"
    assert answer("What is my blood type?", ledger, today="2026-11-30") is None


def test_verbs_answer_questions(ledger: Ledger) -> None:
    """A fact told with a verb is found by the verb, and by the noun for it."""
    for question in ("Where do I live?", "What city do I live in?"):
        reply = answer(question, ledger, today="2026-11-30")
        assert reply is not None
        assert reply.text == "You live in Porto."


def test_history_in_order(ledger: Ledger) -> None:
    """A question about order gets past and present values, oldest first."""
    reply = answer("Who have been our team leads, in order?", ledger, today="2026-11-30")
    assert reply is not None
    assert reply.text.index("Tom Vega") < reply.text.index("Mina Olsen")


def test_statements_are_no_questions(ledger: Ledger) -> None:
    """What asks nothing is not answered."""
    assert answer("Our team lead is Mina.", ledger, today="2026-11-30") is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who was the team lead before Mina?", "Before Mina, your team lead was Tom Vega (until 2026-11-28)."),
        ("Who came after Tom as team lead?", "After Tom, your team lead is Mina Olsen."),
        ("Who does the weekly report go to?", "Your weekly report goes to Priya Nair."),
    ],
)
def test_who_came_before_and_after(ledger: Ledger, question: str, text: str) -> None:
    """The neighbour of a named value is told from the timeline, in a plain sentence."""
    reply = answer(question, ledger, today="2026-11-30")
    assert reply is not None and reply.text == text


def test_a_noun_that_is_also_a_verb_is_said_as_a_noun() -> None:
    """`my bike is a red Koga` is no deed of the owner's."""
    page = parse(b"# Me\n\n- [bike] a red Koga\n- [watch] a Casio\n")
    ledger = Ledger.build([read_facts("facts/Me.md", page)])
    for question, text in (
        ("What's my bike?", "Your bike is a red Koga."),
        ("What's my watch?", "Your watch is a Casio."),
    ):
        reply = answer(question, ledger, today="2026-11-30")
        assert reply is not None and reply.text == text


@pytest.mark.parametrize("words", ["me?", "us", "me so far?"])
def test_all_that_is_known_of_the_owner_is_listed(ledger: Ledger, words: str) -> None:
    """Asked what is known of me or us, every fact is told, a sentence each, but nothing that was to be forgotten."""
    reply = answer(f"What do you know about {words}", ledger, today="2026-11-30")
    assert reply is not None
    assert "You live in Porto." in reply.text.splitlines()
    assert "Your team lead is Mina Olsen." in reply.text.splitlines()
    assert "wifi" not in reply.text
    assert "Tom Vega" not in reply.text
    assert len(reply.sources) == len(reply.text.splitlines())


def test_several_things_asked_for_one_by_one(ledger: Ledger) -> None:
    """Where a question lists what it wants to know, each of these stands in the answer, before what else is near."""
    reply = answer("What do you know about us? The fish supplier, the team lead and the live in.", ledger, today="")
    assert reply is not None
    assert reply.text.startswith("fish supplier: Pier Nineteen; team lead: Mina Olsen; live in: Porto")
    reply = answer("What are the team lead, the fish supplier and the guest list?", ledger, today="")
    assert reply is not None
    assert reply.text == "team lead: Mina Olsen; fish supplier: Pier Nineteen."


def _facts(*lines: str, past: Sequence[str] = ()) -> Ledger:
    text = ["# Me", "", *(f"- {line}" for line in lines), "", "## Past", *(f"- {line}" for line in past)]
    page = parse("\n".join(text).encode() + b"\n")
    return Ledger.build([read_facts("facts/Me.md", page)])


@pytest.mark.parametrize(
    ("line", "question", "text"),
    [
        ("[live with] my two sisters", "Who do I live with?", "You live with your two sisters."),
        ("[shed key] with our neighbour", "Where is the shed key?", "Your shed key is with your neighbour."),
        ("[boat costs] 300 a year", "What does my boat cost?", "Your boat costs 300 a year."),
        ("[rent] 780", "What's my rent?", "Your rent is 780."),
        ("[Ivo has] two parrots", "What does Ivo have?", "Ivo has two parrots."),
        ("[Lotte's age] 11", "How old is Lotte?", "Lotte is 11."),
        ("[age] 52", "How old am I?", "You are 52."),
        ("[allergic to] nuts", "What am I allergic to?", "You are allergic to nuts."),
        ("[father's age] 70", "How old is my dad?", "Your father is 70."),
        ("[mum] Rosa", "Who is my mother?", "Your mum is Rosa."),
        ("[start at] seven", "When do I start?", "You start at seven."),
    ],
)
def test_an_answer_is_a_plain_sentence_to_the_owner(line: str, question: str, text: str) -> None:
    """What the owner said of themselves is said back to them, with the verb that they used."""
    found = from_facts(question, _facts(line), today="2026-11-30", similarity=None)
    assert found is not None and found.text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where does my cousin live?", "Ivo lives in Turin."),
        ("Where does Ivo live?", "Ivo lives in Turin."),
        ("How old is Ivo?", "Your cousin is 31."),
        ("Who is my cousin?", "Your cousin is Ivo."),
    ],
)
def test_somebody_may_be_asked_about_by_name_or_by_what_they_are(question: str, text: str) -> None:
    """`My cousin` and his name mean one person, whichever of them a fact has in its name."""
    ledger = _facts("[cousin] Ivo", "[Ivo lives in] Turin", "[cousin's age] 31")
    found = from_facts(question, ledger, today="2026-11-30", similarity=None)
    assert found is not None and found.text == text


def test_what_was_before_is_asked_with_before_at_the_end() -> None:
    """`When was it before?` asks for the past value, which is told in the past."""
    past = ("[live in] Turin (2025-01-01 to 2026-03-01)", "[exam] 2 May (2026-01-01 to 2026-04-01)")
    ledger = _facts("[live in] Ghent", "[exam] 9 May", past=past)
    for question, text in (
        ("When was the exam before?", "Before, your exam was 2 May (until 2026-04-01)."),
        ("Where did I live before that?", "Before, you lived in Turin (until 2026-03-01)."),
    ):
        found = from_facts(question, ledger, today="2026-11-30", similarity=None)
        assert found is not None and found.text == text


def test_a_fact_without_a_past_is_not_what_it_was_before(ledger: Ledger) -> None:
    """Asked for the value before, what holds now is said to be that, not given as the answer."""
    reply = from_facts("Who was our fish supplier before?", ledger, today="2026-11-30", similarity=None)
    assert reply is not None
    assert (reply.kind, reply.text) == ("near", "I know of none before. Your fish supplier is Pier Nineteen.")


DEADLINES = """# Us

- [deadline] mid April (since 2026-12-01)
- [we rehearse at] the youth centre (since 2026-12-01)
- [rehearse at] home
- [film] Stalker

## Past
- [deadline] end of March (2026-11-12 to 2026-12-01)
- [we rehearse at] a garage (2026-11-12 to 2026-12-01)
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the original deadline?", "Your deadline, oldest first: end of March (since 2026-11-12), then"),
        ("What was the deadline before?", "Before, your deadline was end of March (until 2026-12-01)."),
        ("Where did we rehearse before?", "Before, you rehearsed at a garage (until 2026-12-01)."),
        ("What was our original film?", "Your film is Stalker."),
    ],
)
def test_what_was_so_at_first_or_before(question: str, said: str) -> None:
    """Words for the beginning ask for the timeline, `before` for the last value that is no more."""
    reply = answer(question, Ledger.build([read_facts("facts/Us.md", parse(DEADLINES.encode()))]), today="2026-12-01")
    assert reply is not None
    assert reply.text.startswith(said)


def test_nothing_is_said_twice() -> None:
    """A fact of ours is told with mine of the same name, and never with itself."""
    both = Ledger.build([read_facts("facts/Us.md", parse(DEADLINES.encode()))])
    reply = answer("Where do we rehearse?", both, today="2026-12-01")
    assert reply is not None
    assert reply.text.count("youth centre") == 1


def test_a_day_seen_from_another_is_told_with_it() -> None:
    """`tomorrow` means nothing without the day on which it was said."""
    page = "# Me\n\n- [dentist] tomorrow at nine (since 2026-11-12)\n- [tax] 3 May (since 2026-11-12)\n"
    diary = Ledger.build([read_facts("facts/Me.md", parse(page.encode()))])
    replies = [answer(question, diary, today="2026-12-01") for question in ("When is my dentist?", "When is my tax?")]
    assert [reply and reply.text for reply in replies] == [
        "Your dentist is tomorrow at nine (told on 2026-11-12).",
        "Your tax is 3 May.",
    ]
