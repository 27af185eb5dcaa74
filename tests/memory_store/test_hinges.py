"""What a fact just told hangs on, told by words that only point back at it."""

import pytest

from memory_store.familiar import Familiar
from memory_store.statements import extract


def _told(message: str) -> list[tuple[str | None, str | None]]:
    """Effect and cause of each tie in *message*, where a few things are known already."""
    known = Familiar()
    for attribute, value in (("brew master", "Ottilie Kern"), ("tap room", "the Undercroft"), ("licence", "class B")):
        known.add(attribute, value)
    found = extract(message, known=known)
    return [(s.attribute, s.depends_on[0].name) for s in found if s.kind == "dependency" and s.attribute]


@pytest.mark.parametrize(
    ("message", "effect", "cause"),
    [
        # the cause is known, by name or by who it is
        ("The mash tun holds 900 litres. That was sized to suit the tap room.", "mash tun holds", "tap room"),
        ("Our yeast is Kveik. Ottilie swears by it.", "yeast", "brew master"),
        ("Kegs are filled on Mondays. We do it then because Ottilie is here.", "Kegs filled on", "brew master"),
        ("Last orders are at ten. The hour goes by the licence.", "orders", "licence"),
        ("Our hops are Fuggles. Another brew master would take other hops.", "hops", "brew master"),
        ("Our hops are Fuggles. As long as the brew master is Ottilie Kern, that won't change.", "hops", "brew master"),
        ("Corkage is two pounds. It's laid down in the licence.", "Corkage", "licence"),
        # the cause is told beside
        ("Tours start at noon. It depends on the coach firm, Wend Travel.", "Tours start at", "coach firm"),
        ("Tours start at noon. That's fixed by the guild, whose warden is Hal Roe.", "Tours start at", "guild's warden"),
        ("The rent is due on the fifth. That follows from our lease, which is with Dunmore.", "rent due on", "lease"),
        ("Malt comes on Fridays. The day is whatever the carrier says, and our carrier is Pugh.", "Malt comes on", "carrier"),
        ("Malt comes on Fridays. That hinges on who drives the van; right now it's Pugh.", "Malt comes on", "drives the van"),
        ("The vats are cleaned at six, because we are twinned with the dairy.", "vats cleaned at", "twinned with"),
    ],
)  # fmt: skip
def test_a_sentence_that_points_back_tells_what_the_fact_before_hangs_on(message: str, effect: str, cause: str) -> None:
    """Whatever form it has: a word that points back, a word of dependence, and another thing that is known or told."""
    assert _told(message) == [(effect, cause)]


@pytest.mark.parametrize(
    "message",
    [
        "Our yeast is Kveik. It doesn't depend on the licence.",
        "Our yeast is Kveik. Ottilie is away today.",
        "Our yeast is Kveik. The licence is class C now.",
        "We use Kveik as our licence yeast.",
        "Our yeast is Kveik. Is that because of the licence?",
        "Our yeast is Kveik, whatever happens to the licence.",
    ],
)
def test_no_tie_without_a_word_of_dependence_that_points_back(message: str) -> None:
    """Two things told after each other, a denial and a question tie nothing."""
    assert _told(message) == []


def test_what_the_cause_is_counts_as_told() -> None:
    """A thing named as what another hangs on, with who or what it is, is a fact of its own."""
    found = extract("Tours start at noon. It depends on the coach firm, Wend Travel.", known=Familiar())
    assert ("coach firm", "Wend Travel") in [(s.attribute, s.value) for s in found]
