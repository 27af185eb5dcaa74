"""What sentences say, as clauses and relations."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_store.grammar import Clause, agree, answer, kin, parse, relations, tag
from memory_store.grammar.lexicon import lemma


def one(text: str) -> Clause:
    [clause] = parse(text)
    return clause


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("The parcel ships on Friday", "ships"),
        ("My uncle drives the girls to ballet", "drives"),
        ("when the landlord changes, we move", "changes"),
        ("The workshop that Bea runs fills up fast", "fills"),
        ("once the clay dries we fire it", "dries"),
    ],
)
def test_a_word_that_is_rather_a_noun_is_the_verb_where_the_clause_lacks_one(text: str, verb: str) -> None:
    """Every clause has one finite verb, which agrees with its subject."""
    assert {t.text: t.tag for t in tag(text)}[verb] == "VBZ"


def test_a_clause_has_its_subject_verb_object_and_parts_as_written() -> None:
    """Phrases keep their words and places."""
    text = "Our paper mill delivers two pallets to the north dock every Tuesday."
    clause = one(text)
    assert clause.subject is not None and clause.subject.text == "Our paper mill" and clause.subject.ours
    assert clause.verb is not None and clause.verb.lemma == "deliver"
    assert clause.object is not None and clause.object.text == "two pallets"
    assert [(p, phrase.text) for p, phrase in clause.complements] == [("to", "the north dock"), ("", "every Tuesday")]
    assert all(text[p.start : p.end] == p.text for _, p in clause.complements)


@pytest.mark.parametrize(
    ("text", "word", "role"),
    [
        ("Who feeds the ducks?", "who", "subject"),
        ("Where do we keep the oars?", "where", "adverbial"),
        ("What does a ticket cost?", "what", "object"),
        ("Who do the nurses report to?", "who", "to"),
        ("How long does the ferry take?", "how long", "adverbial"),
        ("What's the name of our plumber?", "what", "attribute"),
        ("Which of the ovens is the oldest?", "which", "attribute"),
        ("What time do lessons end?", "when", "adverbial"),
        ("At which pool do we train?", "which", "at"),
    ],
)
def test_a_question_says_what_it_leaves_open(text: str, word: str, role: str) -> None:
    """The gap of a question has its word and the part of the clause that is missing."""
    clause = one(text)
    gap = clause.gap
    assert clause.mood == "question" and gap is not None and (gap.word, gap.role) == (word, role)


def test_what_two_clauses_share_is_read_into_both() -> None:
    """Coordinated verbs have one subject, and a verb goes for two subjects where the second lacks one."""
    baked, sold = parse("The rye is baked on Mondays and sells out by noon.")
    assert baked.subject == sold.subject
    first, second = parse("My licence expires in June and my visa in August.")
    assert second.subject is not None and second.subject.text == "my visa"
    assert first.verb == second.verb and second.complement("in") is not None


def test_conditions_and_relative_clauses_are_clauses_of_their_own() -> None:
    """Each says on what it hangs."""
    condition, main = parse("If the boiler fails, the classes move to the annex.")
    assert (condition.link, condition.mood, main.mood) == ("if", "conditional", "declarative")
    main, relative = parse("We rent a lathe, which costs 90 francs a week.")
    assert (relative.link, relative.parent) == ("which", 0)
    assert relative.subject is not None and relative.subject.text == "a lathe"


@pytest.mark.parametrize(
    ("statement", "question", "value"),
    [
        ("The herb garden is managed by Ida.", "Who manages the herb garden?", "Ida"),
        ("Ida manages the herb garden.", "Who is the manager of the herb garden?", "Ida"),
        ("Pruning takes place in February.", "When does pruning take place?", "February"),
        ("Postage within the island takes two days.", "How long does postage take?", "two days"),
        ("Our van is parked behind the chapel.", "Where is our van?", "the chapel"),
        ("The twins are allergic to wasps.", "What are the twins allergic to?", "wasps"),
        ("The lawn gets mown twice a month.", "How often is the lawn mown?", "twice a month"),
        ("Ben does the drawings and Kat handles the permits.", "Who handles the permits?", "Kat"),
    ],
)
def test_a_statement_answers_a_question_in_other_words(statement: str, question: str, value: str) -> None:
    """Active and passive, nouns and verbs of one family meet; the gap is filled by the part that fits."""
    [asked] = relations(question)
    best = max(relations(statement), key=lambda told: agree(told, asked))
    found = answer(best, asked)
    assert agree(best, asked) >= 0.8
    assert found is not None and found[0].phrase.text == value


def test_a_statement_of_something_else_does_not_agree() -> None:
    """What shares no word with the question, or has nothing for its gap, scores 0."""
    [asked] = relations("When does the kitchen close?")
    assert agree(relations("The office is painted green.")[0], asked) == 0
    assert agree(relations("The kitchen is closed by Theo.")[0], asked) == 0


@pytest.mark.parametrize(
    "family",
    [
        ("deliver", "delivery", "deliveries", "delivered"),
        ("manage", "manager", "management"),
        ("rehearse", "rehearsal", "rehearsals"),
        ("record", "recording", "recorder"),
        ("cost", "costs"),
        ("supply", "supplies", "supplier"),
    ],
)
def test_derived_words_are_of_one_family(family: tuple[str, ...]) -> None:
    """Endings of derivation and inflection do not tell words apart."""
    assert len({kin(word) for word in family}) == 1


_WORDS = [*"the our who of and if we is was kiln's n't to ran by 40 Ida which what".split(), ",", "?", ".", '"']  # noqa: SIM905


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(
            st.sampled_from(_WORDS),
            max_size=14,
        ).map(" ".join),
    )
)
def test_any_text_is_read_and_every_place_lies_in_it(text: str) -> None:
    """Parsing never raises; tokens stand in order and every phrase is what the text has at its place."""
    tokens = tag(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert all(a.end <= b.start for a, b in itertools.pairwise(tokens))
    assert "".join(t.text for t in tokens).replace(" ", "") == "".join(text.split()).replace(" ", "")
    for clause in parse(text):
        for phrase in (clause.subject, clause.object, clause.second, *(p for _, p in clause.complements)):
            assert phrase is None or (text[phrase.start : phrase.start + 1] == phrase.text[:1] and phrase.text)
    relations(text)


def test_options_of_a_command_are_words_of_it() -> None:
    """`--tag=2` and `-v` end no clause and are no dash."""
    [clause] = parse("The release command is ship run -v --tag=2")
    assert clause.object is not None
    assert clause.object.text == "ship run -v --tag=2"


@pytest.mark.parametrize(
    ("word", "base"), [("goes", "go"), ("washes", "wash"), ("passes", "pass"), ("closes", "close"), ("moves", "move")]
)
def test_the_base_of_a_verb_is_one_that_the_lexicon_has(word: str, base: str) -> None:
    """`goes` is a form of go."""
    assert lemma(word, "VBZ") == base


def test_a_number_after_a_noun_tells_which_one_is_meant() -> None:
    """`berth 14` is one phrase, `the fish twice` is not."""
    (clause,) = parse("Our boat is moored at berth 14.")
    assert [(p, phrase.text) for p, phrase in clause.complements] == [("at", "berth 14")]
    (clause,) = parse("We moved the orchids to greenhouse five.")
    assert [(p, phrase.text) for p, phrase in clause.complements] == [("to", "greenhouse five")]


@pytest.mark.parametrize(
    ("text", "token"),
    [("the password is heron!22.", "heron!22"), ("it is pa$$w0rd, I think", "pa$$w0rd"), ("take a?7b now", "a?7b")],
)
def test_a_password_is_one_word(text: str, token: str) -> None:
    """Marks inside of what has letters and digits end no sentence, and no value."""
    assert token in [t.text for t in tag(text)]


def test_marks_between_words_end_them() -> None:
    """A sentence that goes on without a blank, a price, a product: these are words and marks as before."""
    assert [t.text for t in tag("Really?Yes: 5$ or 3*4")] == ["Really", "?", "Yes", ":", "5$", "or", "3", "*", "4"]
