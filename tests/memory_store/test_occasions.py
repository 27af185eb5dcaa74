"""Events by which questions tell their time: how they are named, and when memory says that they were."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_store.files import Vault
from memory_store.index import Index
from memory_store.occasions import Mentioned, Occasion, find_occasion, when_was
from memory_store.when import FOREVER, Days

NOW = dt.datetime(2025, 12, 1, 12, 0, tzinfo=dt.UTC)


def days(first: str, last: str = "") -> Days:
    """From a day to a day."""
    return Days(*(dt.date.fromisoformat(text).toordinal() for text in (first, last or first)))


@pytest.mark.parametrize(
    ("question", "relation", "words"),
    [
        ("What began before the trip to the islands?", "before", "the trip to the islands"),
        ("After the wedding, where did we live?", "after", "the wedding"),
        ("what have I bought since I moved to Berlin", "since", "I moved to Berlin"),
        ("who called during the conference", "during", "the conference"),
        ("Which book did I read while I was in Rome?", "during", "I was in Rome"),
        ("What did Ann do two weeks after her surgery?", "after", "her surgery"),
    ],
)
def test_questions_name_events(question: str, relation: str, words: str) -> None:
    """The relation, and the event's words to the end of the clause."""
    found = find_occasion(question)
    assert found is not None
    assert (found.relation, found.words) == (relation, words)


@pytest.mark.parametrize(
    "question",
    [
        "who looked after the dog?",
        "she was named after her aunt",
        "the following people came",
        "what comes before 5",
        "after lunch",
        "When was the wedding?",
        "what is the time before that?",
    ],
)
def test_other_words_name_no_event(question: str) -> None:
    """Looking after somebody is no time, nor is a number, and what is asked for is not known."""
    found = find_occasion(question)
    assert found is None or found.words == "that"


@pytest.mark.parametrize(
    ("relation", "first", "last"),
    [
        ("before", 1, 105),
        ("until", 1, 107),
        ("after", 107, FOREVER),
        ("since", 105, FOREVER),
        ("during", 105, 107),
    ],
)
def test_times_lie_to_an_event_as_the_words_say(relation: str, first: int, last: int) -> None:
    """Its own days are on both sides, since a day is as exact as memory tells."""
    assert Occasion(relation, "x").days(Days(105, 107)) == Days(first, last)  # type: ignore[arg-type]
    assert Occasion("after", "x", offset=(14, 3)).days(Days(100, 100)) == Days(111, 117)


@pytest.mark.parametrize(
    ("texts", "when"),
    [
        (["2025-06-02: The wedding is on June 14th, bring shoes."], "2025-06-14"),
        (["2025-06-16: The wedding was yesterday. Who was there?"], "2025-06-15"),
        (["2025-06-02: The wedding is tomorrow!"], "2025-06-03"),
        (["2025-01-02: The wedding is on 14 June 2025.", "2025-09-01: I still dream of the wedding."], "2025-06-14"),
        (["2025-06-02: The wedding, oh.", "2025-06-04: Such a wedding!"], "2025-06-02 2025-06-04"),
        (["2025-06-02: The wedding, oh.", "2025-08-04: Such a wedding!"], None),
        (["2025-06-02: The wedding is on June 14th.", "2025-09-01: The wedding is on October 3rd."], None),
        (["2025-06-02: When is the wedding, on June 14th?", "2025-09-04: After the wedding."], None),
    ],
)
def test_an_event_is_when_memory_agrees_that_it_was(texts: list[str], when: str | None) -> None:
    """A date told with it beats the days on which it was told of; what is asked tells nothing; discord is no date."""
    tellings = [Mentioned(text.partition(": ")[2], dt.date.fromisoformat(text[:10])) for text in texts]
    found, _ = when_was(tellings, lambda sentence: "wedding" in sentence)
    assert found == (days(*when.split()) if when else None)


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("[wedding] 14 June 2025 (since 2025-01-02)", "2025-06-14"),
        ("[team lead] Mina Olsen (since 2025-03-01; from [[journal/2025/2025-03-01]])", "2025-03-01"),
        ("[employer] Harbour Office (2024-01-10 to 2025-02-02)", "2024-01-10 2025-02-02"),
        ("[dog] Bruno", None),
    ],
)
def test_facts_tell_when(line: str, when: str | None) -> None:
    """A date that is the value, else from when on the fact holds, or held."""
    found, _ = when_was([Mentioned(line, None, fact=True)], lambda _sentence: True)
    assert found == (days(*when.split()) if when else None)


@pytest.fixture
def index(tmp_path: Path) -> Callable[[dict[str, str]], Index]:
    """Makes an index over pages."""

    def make(pages: dict[str, str]) -> Index:
        for path, text in pages.items():
            (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "vault" / path).write_text(text)
        made = Index.open(Vault(tmp_path / "vault", owned=True), tmp_path / "state", now=lambda: NOW)
        made.sync()
        return made

    return make


TALKS = {
    "talks/2025-05-02.md": "# 2025-05-02\n\n**Ann:** I bought a tent and a rope.\n\n**Bob:** What for?\n",
    "talks/2025-06-20.md": "# 2025-06-20\n\n**Ann:** The voyage starts tomorrow.\n\n**Bob:** Have a good one.\n",
    "talks/2025-08-09.md": "# 2025-08-09\n\n**Ann:** I bought a compass and a hat.\n\n**Bob:** Again something new.\n",
    "talks/2025-10-01.md": "# 2025-10-01\n\n**Bob:** I think of your voyage often.\n\n**Ann:** So do I.\n",
}


def test_a_question_finds_what_was_before_or_after_an_event(index: Callable[[dict[str, str]], Index]) -> None:
    """The event's date is found in memory, and what lies on the right side of it comes first."""
    made = index(TALKS)
    assert "tent" in made.search("what was bought before the voyage", mode="keyword")[0].text
    assert "compass" in made.search("what was bought after the voyage", mode="keyword")[0].text
    assert "compass" in made.search("what has Ann bought since she went on the voyage", mode="keyword")[0].text
    when = [one for one in made.search("what was bought after the voyage", explain=True)[0].parts if one.name == "when"]
    assert when[0].score == pytest.approx(1.0)


def test_an_event_of_which_memory_is_not_sure_changes_nothing(index: Callable[[dict[str, str]], Index]) -> None:
    """Unknown events, such as happen again and again, and such as have two dates leave the question as it is."""
    made = index({**TALKS, "talks/2025-11-01.md": "# 2025-11-01\n\n**Ann:** The voyage was yesterday, a second one.\n"})
    for question in ("what was bought after the voyage", "what was bought after the shipwreck"):
        hits = made.search(question, explain=True)
        assert all(part.name != "when" for hit in hits for part in hit.parts)
        assert any("bought" in hit.text for hit in hits)


def test_a_fact_gives_an_event_its_date(index: Callable[[dict[str, str]], Index]) -> None:
    """A line of a fact page is as good as a conversation."""
    pages = {path: text for path, text in TALKS.items() if "voyage" not in text}
    made = index({**pages, "facts/Me.md": "# Me\n\n- [voyage] 21 June 2025 (since 2025-01-02)\n"})
    assert "compass" in made.search("what was bought after the voyage")[0].text
    assert "tent" in made.search("what was bought before my voyage")[0].text
