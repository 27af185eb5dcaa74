"""Which facts a request to forget means by its words, or by others for them, where it calls none by its name. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.spoken import families
from daemon.wishes import GONE, Wish
from memory_store.facts import Fact
from memory_store.ledger import Ledger
from memory_store.pleas import pleas
from memory_store.verbs import nouns

_CLEARLY = 0.25  # how much more of it than any other fact is what one fact must be


@dataclass(frozen=True)
class Named:
    """The *facts* that are meant for sure, and *among* which names the rest may mean one."""

    facts: tuple[Fact, ...] = ()
    among: tuple[str, ...] = ()


def named_to_go(words: str, ledger: Ledger) -> Named:
    """The facts of *ledger* that *words* ask to forget, one for each thing that they name."""
    known = [fact for fact in ledger.facts() if fact.value or fact.was]
    found: list[Fact] = []
    among: tuple[str, ...] = ()
    for plea in pleas(words):
        meant = _meant(Wish.of(plea), known)
        if len({fact.key for fact in meant}) == 1:
            found += meant
        elif meant and not among:
            among = tuple(dict.fromkeys(fact.attribute for fact in meant))
    return Named(tuple(dict.fromkeys(found)), among)


def _meant(wish: Wish, known: Sequence[Fact]) -> list[Fact]:
    """The facts that *wish* means by their names; where none does, by what they tell. Several: any of them."""
    for told in ([_name(fact) for fact in known], [f"{_name(fact)} {fact.value or fact.was}" for fact in known]):
        about = [families(text) for text in told]
        held = Counter(key for keys in about for key in keys)

        def weight(keys: frozenset[str], held: Counter[str] = held) -> float:
            return float(sum(max(1, held[key]) ** -0.5 for key in keys))

        shares = [wish.share(keys, weight) for keys in about]
        most = max(shares, default=0.0)
        if most < GONE:
            continue
        near = [i for i, share in enumerate(shares) if share > most - _CLEARLY and share >= GONE]
        # `the landlord` is no other for `the landlord's phone number`
        whole = [i for i in near if not any(about[i] < about[other] for other in near)]
        return [known[i] for i in whole]
    return []


def _name(fact: Fact) -> str:
    return f"{fact.attribute} {nouns(fact.attribute)}"
