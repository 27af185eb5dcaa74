"""What ended without another value is told as past: until when it was so, and never as if it still were."""

import pytest

from daemon.ended import NOT_ANY_MORE
from daemon.heard import hear, weighed
from daemon.recall import from_facts
from daemon.spoken import Utterance
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Me

- [cats] Tofu (since 2026-11-28)
- [sister] Nele (since 2026-11-02)

## Past
- [dog] Pluto (2026-11-12 to 2026-11-28)
- [next gig] 21 December at the Lyceum (2026-11-12 to 2026-11-28)
- [cats] Miso and Tofu (2026-11-12 to 2026-11-28)
"""
LEDGER = Ledger.build([read_facts("facts/Me.md", parse(PAGE.encode()))])
TODAY = "2026-11-30"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When is our next gig?", "your next gig was 21 December at the Lyceum (until 2026-11-28)."),
        ("What is my dog called?", "your dog was Pluto (until 2026-11-28)."),
        ("Do I have a dog?", "your dog was Pluto (until 2026-11-28)."),
    ],
)
def test_what_ended_is_told_as_past(question: str, told: str) -> None:
    """A question after it gets what was so, until when, and the line under Past that says so."""
    reply = from_facts(question, LEDGER, today=TODAY, similarity=None)
    assert reply is not None
    assert reply.text == f"{NOT_ANY_MORE} {told}"
    assert reply.sources[0].start_line in (7, 8)


def test_what_another_value_took_the_place_of_has_not_ended() -> None:
    """What stands now answers, and its own past does not."""
    reply = from_facts("What are my cats called?", LEDGER, today=TODAY, similarity=None)
    assert reply is not None
    assert reply.text == "Your cats are Tofu."
    assert from_facts("What is my brother called?", LEDGER, today=TODAY, similarity=None) is None


def test_the_old_sentence_does_not_overrule_the_end_and_a_new_one_does() -> None:
    """The sentence that told it once counts less than its end, unless something was told of it since."""
    question = "When is our next gig?"
    direct = from_facts(question, LEDGER, today=TODAY, similarity=None)

    def told(day: str) -> str:
        said = [Utterance("Our next gig is on 21 December at the Lyceum.", f"{day}T10:00:00", f"journal/2026/{day}.md")]
        reply = weighed(question, direct, hear(question, lambda _about: said, None), LEDGER)
        return reply.text if reply else ""

    assert told("2026-11-12").startswith(NOT_ANY_MORE)
    assert not told("2026-11-30").startswith(NOT_ANY_MORE)
