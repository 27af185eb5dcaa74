"""Where somebody is or was moved to is a fact of its own; what they are stays beside it."""

from pathlib import PurePosixPath

import pytest

from memory_store.fact_edits import apply
from memory_store.fact_pages import new_page, read_facts
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import Page
from memory_store.statements import extract
from memory_store.verbs import news, sentence, your

TODAY = "2026-03-04"


def _told(*messages: str) -> dict[str, list[str]]:
    """The facts that are known after *messages*, by their names."""
    pages: dict[str, Page] = {}
    ledger = Ledger.build([])
    for message in messages:
        found = changes(extract(message, known=Familiar.of(ledger)), ledger, today=TODAY, source=None).changes
        for path in dict.fromkeys(change.path for change in found):
            of_it = [change for change in found if change.path == path]
            pages[path] = apply(pages.get(path) or new_page(PurePosixPath(path).stem), of_it, today=TODAY)
            ledger = ledger.replace(path, read_facts(path, pages[path]))
    return {name: [fact.value or "?" for fact in ledger.current(name)] for name in ledger.attributes()}


@pytest.mark.parametrize(
    ("messages", "name", "values"),
    [
        (["My cousin Pelle moved to Bodø."], "Pelle lives in", ["Bodø"]),
        (["My nurse Farah was moved to ward 9."], "Farah is", ["on ward 9"]),
        (["My workmate Ilse works on ward 2.", "Ilse got moved to ward 6."], "Ilse works on", ["ward 6"]),
        (["They moved grandpa to bed 14."], "grandpa is", ["in bed 14"]),
        (["My niece Tove is in the Otter team.", "Tove switched to the Heron team."], "Tove is", ["on the Heron team"]),
        (["Our dinghy is called Skua.", "I moved the Skua to berth 11."], "Skua is", ["at berth 11"]),
        (["I keep the Skua at berth 2.", "I moved the Skua to berth 11."], "keep Skua at", ["berth 11"]),
        (["My uncle lives in Thun.", "My uncle relocated to Sion in May."], "uncle lives in", ["Sion"]),
        (["Our grandparents moved to the countryside."], "grandparents are", ["in the countryside"]),
    ],
)  # fmt: skip
def test_who_moved_is_somewhere_else(messages: list[str], name: str, values: list[str]) -> None:
    """A town is where somebody lives; a ward, a bed, a group is where they are, with its preposition or as told."""
    assert _told(*messages).get(name) == values


@pytest.mark.parametrize(
    "more",
    ["Liv moved to Arendal.", "Liv is allergic to latex.", "Liv was moved to desk 4.", "Liv is in the Wren choir."],
)
def test_what_somebody_is_stays(more: str) -> None:
    """Neither an address, an allergy nor a place takes the place of what somebody is."""
    known = _told("My friend Liv is a glazier.", "Liv is vegetarian.", more)
    assert known["Liv"] == ["a glazier", "vegetarian"]
    assert len(known) == 3


def test_one_of_a_sort_replaces_the_other() -> None:
    """Somebody who is another thing of the same sort now is that."""
    known = _told("My friend Liv is a glazier.", "Liv is vegetarian.", "Liv is now a baker.")
    assert sorted(known["Liv"]) == ["a baker", "vegetarian"]


@pytest.mark.parametrize(
    "message",
    [
        "Pelle's brother moved to Bodø.",
        "Rehearsal moved to Lier.",
        "My cousin Pelle might be moved to ward 9.",
        "If they moved grandpa to bed 14 I'd complain.",
    ],
)
def test_who_did_not_move_is_nowhere_else(message: str) -> None:
    """Neither what may be, nor a thing or a stranger that moved, is where somebody of the owner's is."""
    assert not [name for name in _told(message) if name.endswith((" is", "lives in"))]


def test_where_somebody_is_reads_as_a_sentence() -> None:
    """It is said with its preposition, of one and of several."""
    assert sentence("Farah is", "on ward 9") == "Farah is on ward 9"
    assert sentence("parents are", "in the countryside") == "Your parents are in the countryside"
    assert your("Farah is") == "where Farah is"
    assert news("Farah is", "on ward 9", "on ward 2") == "Farah is now on ward 9, no longer on ward 2"


@pytest.mark.parametrize(
    ("message", "tied"),
    [
        ("I moved the Skua to berth 11 because of the gale.", False),
        ("We held the fair in the barn because the meadow was wet.", False),
        ("Our berth is number 11 because our harbour master is Nils.", True),
    ],
)
def test_a_reason_of_what_happened_once_ties_nothing(message: str, tied: bool) -> None:
    """A rule needs what lasts: the gale is why a boat was moved, and nothing hangs on it."""
    known = Familiar()
    known.add("keep Skua at", "berth 2")
    known.add("fair held in", "the village hall")
    known.add("crew", "Tone")
    assert any(s.kind in ("dependency", "rule") for s in extract(message, known=known)) is tied
