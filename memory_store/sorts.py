"""Nouns that only say of what sort a thing is, and nouns that are one for another."""

from memory_store.phrases import stems


def _stems_of(words: str) -> frozenset[str]:
    return frozenset(stem for word in words.split() for stem in stems(word))


OF_A_KIND = _stems_of("account subscription membership contract policy booking reservation ticket order thing one")
MEETINGS = _stems_of("training lesson class practice session course club group meeting match game lecture rehearsal")
_SAME = (
    _stems_of("rate fee price charge charges costs cost tariff"),
    _stems_of("due deadline hand-in submission"),
)


def also_called(called: set[str]) -> set[str]:
    """*called*, the stems of the words for a thing, with those of the words that are one for another of them."""
    return called.union(*(same for same in _SAME if same & called))
