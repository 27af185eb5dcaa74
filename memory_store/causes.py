"""Why a fact is as it is: the chain of rules behind it, down to the lines that were stated."""

from dataclasses import dataclass

from memory_store.fact_lines import parse_cause
from memory_store.fact_values import Fact, Ref, Rule, same_value
from memory_store.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Cause:
    """
    A step in the chain behind a fact: *fact* at its line, what *rule* made it so (None: it was stated, see its source).

    *depth* 0 is the fact asked about; each cause follows what it explains, one deeper. *said* is the cause as the
    line gives it, where no fact of that name is left.
    """

    depth: int
    fact: Fact
    rule: Rule | None = None
    said: str | None = None


def why(ledger: Ledger, attribute: str, page: str | None = None) -> tuple[Cause, ...]:
    """The chain of causes behind what stands under *attribute*, down to the lines that were stated."""
    found: list[Cause] = []
    for fact in ledger.current(attribute, page):
        _explain(ledger, fact, 0, found, set())
    return tuple(found)


def _explain(ledger: Ledger, fact: Fact, depth: int, found: list[Cause], seen: set[tuple[str, int]]) -> None:
    place = (fact.path, fact.line)
    said = parse_cause(fact.cause) if fact.cause else None
    if said is None or place in seen:
        found.append(Cause(depth, fact, said=fact.cause))
        return
    seen.add(place)
    ref, text = said
    rule = _rule_behind(ledger, fact, ref, text)
    paths = ledger.resolve(ref, fact.path)
    found.append(Cause(depth, fact, rule, None if paths else fact.cause))
    for path in paths:
        line = [entry for entry in ledger.timeline(ref.attribute, path) if _before(entry, fact)]
        if line:
            _explain(ledger, line[-1], depth + 1, found, seen)


def _before(entry: Fact, fact: Fact) -> bool:
    return entry.since is None or fact.since is None or entry.since <= fact.since


def _rule_behind(ledger: Ledger, fact: Fact, ref: Ref, said: str) -> Rule | None:
    """The rule that most likely set *fact*, of those that stand now; None where it was edited away."""

    def fit(rule: Rule) -> tuple[bool, bool, str, int]:
        is_so = rule.trigger == "is" and same_value(said, f"is {rule.value}")
        named = is_so or (rule.trigger == "changes" and said == "changed")
        return same_value(rule.becomes, fact.value), named, rule.since or "", rule.line

    rules = [rule for rule in ledger.rules_to(fact.attribute) if rule.when.key == ref.key]
    return max(rules, key=fit, default=None)
