"""What a person supposes of a fact, and what would follow from it. Writes nothing."""

from collections.abc import Sequence
from typing import Literal

from memory_store.fact_lines import parse_cause
from memory_store.fact_values import Change, FactChange, Ref
from memory_store.ledger import Ledger
from memory_store.recalc import Recalculation, recalculate


def ref_of(name: str) -> Ref:
    """The fact that a person names as `team lead`, `[team lead]` or `[[Work]] [team lead]`."""
    named = parse_cause(name.strip())
    return named[0] if named else Ref(" ".join(name.strip().strip("[]").split()))


def suppose(ledger: Ledger, text: str) -> tuple[FactChange, ...]:
    """
    The changes that `team lead = Arno`, `[[Work]] [team lead] = ?` or `forget team lead` mean; one for each page that
    holds the attribute. None where no fact has that name, or where *text* says something else.
    """
    forgetting = text.strip().casefold().startswith("forget ")
    name, equals, value = (text.strip()[7:], "=", "") if forgetting else text.partition("=")
    ref = ref_of(name)
    if not equals or not (forgetting or value.strip()):
        return ()
    changes = []
    for path in dict.fromkeys(fact.path for fact in ledger.current(ref.attribute, ref.page)):
        attribute = next(fact.attribute for fact in ledger.current(ref.attribute) if fact.path == path)
        kind: Literal["forget", "unsure", "set"] = (
            "forget" if forgetting else "unsure" if value.strip() == "?" else "set"
        )
        after = value.strip() if kind == "set" else None
        changes.append(FactChange(path, attribute, kind, after=after, reason="supposed", every=True))
    return tuple(changes)


def what_if(ledger: Ledger, changes: Sequence[Change]) -> Recalculation:
    """What would follow from *changes*."""
    return recalculate(ledger, changes)
