"""What a change of one fact means for those that hang on it: that it changed, ended, became doubtful, was forgotten."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from memory_store.fact_values import Fact, FactChange, same_value

Happening = Literal["changed", "ended", "first", "confirmed", "corrected", "unsure", "forgotten"]

CAUSES: dict[Happening, str] = {  # the word a line gives as its cause
    "changed": "changed",
    "ended": "ended",
    "first": "changed",
    "confirmed": "confirmed",
    "corrected": "corrected",
    "unsure": "unsure",
    "forgotten": "forgotten",
}


class Event(NamedTuple):
    """What happened to a fact: the values it *had*, those it *has*, and which of these are *fresh*."""

    what: Happening
    had: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()


def event_of(
    change: FactChange, facts: Sequence[Fact], earlier: Event | None = None, *, applied: bool = False
) -> Event | None:
    """
    What *change* makes of what stands, *facts*, or of what an *earlier* change left; None where it changes nothing.

    *applied*: the facts are those after the change, as with edits by hand.
    """
    now = earlier.has if earlier else tuple(fact.value for fact in facts if fact.value is not None)
    doubt = next((fact for fact in facts if fact.state == "unsure"), None) if not earlier else None
    was = change.was or (doubt.was if doubt else None)
    if applied:
        doubted, had = change.before == "?", _had_before(change, now)
    else:
        doubted, had = doubt is not None, now
    after = change.after
    match change.kind:
        case "set" | "add" if after is not None:
            if any(same_value(after, value) for value in had) and not change.correction:
                return None
            named = change.before is not None and any(same_value(change.before, value) for value in had)
            kept = tuple(v for v in had if change.kind == "add" or (named and not same_value(v, change.before)))
            has = (*kept, after)
            if doubted:
                return Event("confirmed" if was and same_value(was, after) else "changed", (), has, (after,))
            if earlier is not None and earlier.had and not had:
                # it ended, and what came after it was told with that
                back = any(same_value(after, value) for value in earlier.had)
                return Event("confirmed" if back else "changed", () if back else earlier.had, has, (after,))
            if not had:
                # told as news of a fact not known before: it did change, from whatever it was
                return Event("first" if change.before is None else "changed", (), has, (after,))
            return Event("corrected" if change.correction else "changed", had, has, (after,))
        case "unsure":
            return Event("unsure", had) if had else None
        case "forget":
            has = tuple(v for v in had if change.before and not same_value(v, change.before)) if len(had) > 1 else ()
            if has:
                return Event("ended", had, has)
            return Event("forgotten", had) if had or doubted or facts else None
        case "remove":
            gone = change.before if change.before != "?" else None
            has = tuple(v for v in had if gone and not same_value(v, gone))
            return Event("ended", had, has) if had else None
    return None


def _had_before(change: FactChange, now: tuple[str, ...]) -> tuple[str, ...]:
    """The values before an edit by hand: those of now, with *change* taken back."""
    kept = tuple(v for v in now if change.after is None or not same_value(v, change.after))
    return (*kept, change.before) if change.before not in (None, "?") and change.before else kept
