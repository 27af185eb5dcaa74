"""
Statements -> changes of facts: which fact each means, on which page it stands, and what is left open.

Words link first, meanings second, both with a margin; what stays unsure is returned as unlinked or ambiguous, with
the statement, and changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memory_store.bearing import Bearing, bearings
from memory_store.cuts import Cut
from memory_store.fact_values import ChangeKind
from memory_store.facts import Change, FactChange, Ref, Rule, RuleAdded, attribute_key, is_attribute, same_value
from memory_store.forgotten import UNSURE, all_about, to_forget
from memory_store.heirs import changed, heir, moves_house
from memory_store.later import dated_ahead
from memory_store.ledger import Ledger
from memory_store.meant import best_score, cause_told, effect_told, holds_several, is_of_another_kind, is_ours
from memory_store.mentions import Mention
from memory_store.names import Candidate, Known, Names, Similarity, choose, same_name
from memory_store.pairing import pair, rank, says_more, surely_ties
from memory_store.phrases import clean_value, core
from memory_store.reckoning import is_distance, reckon, told_as
from memory_store.statement import Statement
from memory_store.verbs import is_role, is_verbal, tells_where
from memory_store.whereabouts import are_of_one_sort, is_somebody_named

LOOSELY = 0.7  # what both ends of a tie need that was told in no known form
_ONLY_IF = re.compile(
    r"(?:only |even )?if(?: and when)?|should|in the event|provided(?: that)?|assuming|supposing|suppose", re.IGNORECASE
)
_OF_THE_LISTENER = re.compile(r"(?:you|anybody|anyone|somebody|someone|it (?:helps|matters))\b", re.IGNORECASE)
ME, US = "facts/Me.md", "facts/Us.md"


@dataclass(frozen=True)
class Ambiguous:
    """A statement that may mean any of *attributes*, best first."""

    statement: Statement
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class Linked:
    """
    What statements come to: *changes* in order; the rest could not be linked and change nothing. *together*: the facts
    about somebody, or something, of whom everything is to be forgotten.
    """

    changes: tuple[Change, ...] = ()
    unlinked: tuple[Statement, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    together: tuple[str, ...] = ()


def changes(
    statements: Sequence[Statement],
    ledger: Ledger,
    *,
    today: str,
    source: str | None,
    similarity: Similarity | None = None,
    base: str = "",
) -> Linked:
    """
    What *statements* (of one message, in order) change in *ledger*. *today* is not read; `apply` dates the lines.

    Facts not known yet go to pages below the folder *base* (`Vault.base`).
    """
    del today
    linker = _Linker(ledger, Names(ledger, similarity), source, base + ME, base + US)
    for i, statement in enumerate(statements):
        linker.take(statement, statements[i + 1 :])
    return Linked(tuple(linker.changes), tuple(linker.unlinked), tuple(linker.ambiguous), tuple(linker.together))


@dataclass
class _Linker:
    ledger: Ledger
    names: Names
    source: str | None
    me: str
    us: str
    changes: list[Change] = field(default_factory=list)
    unlinked: list[Statement] = field(default_factory=list)
    ambiguous: list[Ambiguous] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    read: set[tuple[int, int]] = field(default_factory=set)  # the sentences that are done with

    def take(self, statement: Statement, following: Sequence[Statement]) -> None:
        if statement.span in self.read:
            return
        if statement.cuts:
            self._suppose(statement, following)
            return
        self.told += [statement.attribute] if statement.attribute else []
        if statement.attribute and not is_attribute(statement.attribute):
            # a single letter, a number: no line could hold a fact of that name
            self._leave(statement)
            return
        match statement.kind:
            case "dependency" | "rule":
                self._tie(statement)
            case "deletion":
                self._forget(statement)
            case "end":
                if not any(s.value and (s.old == statement.old or _tells_anew(s, statement)) for s in following):
                    self._end(statement)
            case "correction":
                self._correct(statement)
            case "verbatim":
                self._set(statement, self._named(statement) or self._fresh(statement))
            case _:
                self._state(statement)

    # -- facts ---

    def _state(self, statement: Statement) -> None:
        if statement.echo and self._named(statement) is None:
            self._leave(statement)
            return
        if statement.attribute == "live in" and statement.old and not moves_house(statement, self.names):
            statement = replace(statement, attribute=None, about=Mention(value=statement.value), verb=False)
        if statement.old and statement.attribute in ("on", "with", "at", "in"):
            # "BookPaw is history, we're on Tailwise": of what that is news, the old value tells
            statement = replace(statement, attribute=None, about=Mention(value=statement.value), verb=False)
        if statement.verb and statement.attribute in ("am", "are"):
            if statement.value and self.names.by_value(statement.value):
                return
            known = changed(statement, self.names)
            if known is not None and known.attribute in ("am", "are") and statement.kind == "change":
                known = None
        else:
            known = self._named(statement)
            if (
                known is not None
                and known.key != attribute_key(statement.attribute or "")
                and is_of_another_kind(statement, known)
            ):
                known = None  # `rehearsals are on Tuesday` says nothing of where we rehearse
        if known is None and statement.kind == "state" and statement.attribute:
            known = self._told_of(statement)
        own = statement.attribute in ("am", "are") or tells_where(statement.attribute or "")
        if known is None and (statement.kind == "change" or statement.old) and not own:
            known = changed(statement, self.names)
        if known is None and statement.attribute != "live in" and not own:
            known = heir(statement, self.names)
        if known is not None and statement.attribute:
            self._same_thing(statement, known)
        if known is not None and statement.old and not known.values:
            # the old value stands under another name, which has changed as well
            holders = [k for k in self.names.by_value(statement.old) if k.key != known.key]
            if len(holders) == 1 and (is_verbal(holders[0].attribute) or is_role(holders[0].attribute)):
                self._set(statement, holders[0])
        if known is None:
            if not statement.attribute:
                self._leave(statement)
                return
            if statement.weak and not self._acceptable(statement):
                self._leave(statement)
                return
            known = self._fresh(statement)
        self._set(statement, known)

    def _told_of(self, statement: Statement) -> Known | None:
        """The fact that a rule told of before it was known, by a longer or a shorter name: `the daily call time`."""
        mention = Mention(statement.attribute)
        found = [
            c for c in self.names.candidates([mention]) if c.known.hangs_on and not (c.known.values or c.known.was)
        ]
        return choose(found, least=0.8, margin=0.06)

    def _same_thing(self, statement: Statement, known: Known) -> None:
        """The name that rules wait for, where the value was found under another: it has changed as well."""
        waiting = self.names.known.get(attribute_key(statement.attribute or ""))
        if waiting is None or waiting is known or waiting.values or waiting.was or not waiting.moves:
            return
        self._set(statement, waiting)

    def _acceptable(self, statement: Statement) -> bool:
        return len((statement.attribute or "").split()) <= 6

    def _named(self, statement: Statement) -> Known | None:
        if not statement.attribute:
            return None
        found = self.names.by_name(statement.attribute) or self.names.by_other_word(statement.attribute)
        if found is None or is_of_another_kind(statement, found):
            alike = [k for k in self.names.called(statement.attribute) if not is_of_another_kind(statement, k)]
            found = alike[0] if len(alike) == 1 else found
        if found is None and (about := statement.about).name and (statement.kind in ("change", "correction")):
            found = self.names.by_name(about.name or "")
        return found

    def _fresh(self, statement: Statement) -> Known:
        path = (
            self.us
            if statement.subject in ("we", "the")
            and not (statement.verb and (statement.attribute or "").startswith("live"))
            else self.me
        )
        return Known(statement.attribute or "", self._topic(statement) or path)

    def _topic(self, statement: Statement) -> str | None:
        """The owner's one page of facts that the attribute or its sentence names: `wedding planner`, `at work`."""
        if not statement.attribute:
            return None
        folder = self.us.rpartition("/")[0] + "/"
        named: list[str] = []
        for path in self.ledger.pages:
            if not path.startswith(folder) or path in (self.us, self.me):
                continue
            title = path.rpartition("/")[2].removesuffix(".md")
            about = core(title)
            told = rf"\b(?:for|at|about|on|in|regarding)\s+(?:(?:my|our|the)\s+)?{re.escape(title)}\b"
            if about and (
                about <= core(statement.attribute) or re.search(told, statement.sentence, re.IGNORECASE) is not None
            ):
                named.append(path)
        return named[0] if len(named) == 1 else None

    def _set(self, statement: Statement, known: Known) -> None:
        value = statement.value
        if value is None:
            return
        if not known.moves and not known.hangs_on and statement.kind in ("state", "change"):
            value = dated_ahead(value, statement.sentence)
        path = known.path or (self.us if statement.subject in ("we", "the") else self.me)
        if any(same_value(v, value) for v in known.values):
            return
        several = statement.kind == "add" or (
            statement.kind == "state" and statement.verb and known.values and holds_several(known.attribute)
        )
        before = known.values[0] if len(known.values) == 1 else None
        if statement.old and (old := next((v for v in known.values if same_value(v, statement.old)), None)):
            before = old
        elif known.values and is_somebody_named(known.attribute):  # one may be vegan and a vet
            before = next((v for v in known.values if are_of_one_sort(v, value)), None)
            several = several or before is None
        elif len(known.values) > 1 and statement.kind != "add" and not several:
            before = None
        kind = "add" if several and known.values else "set"
        if not known.values and statement.kind == "change":
            before = self._what_it_was(statement, known, path)
        self.changes.append(
            FactChange(
                path,
                known.attribute,
                "add" if kind == "add" else "set",
                None if kind == "add" else before,
                value,
                statement.sentence,
                self.source,
                every=kind == "set" and len(known.values) > 1 and before is None,
                correction=statement.kind == "correction",
            )
        )
        if kind == "add" or (before and len(known.values) > 1):
            values = [v for v in known.values if v != before] + [value]
        else:
            values = [value]
        self.names.add(known.attribute, path, values)

    def _what_it_was(self, statement: Statement, known: Known, path: str) -> str | None:
        """News of a fact that is not known yet: the value it had, where told, is stated first; `?` where not."""
        if known.was or not known.moves:
            return None
        old = clean_value(statement.old or "")[0]
        if old is None or statement.kind != "change":
            return "?"
        self.changes.append(FactChange(path, known.attribute, "set", None, old, statement.sentence, self.source))
        return old

    def _end(self, statement: Statement) -> None:
        if not statement.old:
            self._leave(statement)
            return
        vacant = self._named(statement)
        if (
            vacant is not None
            and vacant.path
            and len(vacant.values) == 1
            and same_value(vacant.values[0], statement.old)
        ):
            # it is somebody else by now, or nobody: which, was not told
            kind: ChangeKind = "remove" if statement.gone else "unsure"
            self.changes.append(
                FactChange(vacant.path, vacant.attribute, kind, vacant.values[0], None, statement.sentence, self.source)
            )
            vacant.was, vacant.values = [*vacant.values, *vacant.was], []
            return
        holders = self.names.by_value(statement.old)
        if vacant is not None and vacant in holders:
            holders = [vacant]  # one of the several values that it has
        if len(holders) != 1 or statement.subject == "other":
            self._leave(statement)
            return
        known = holders[0]
        value = (
            next(v for v in known.values if same_value(v, statement.old))
            if any(same_value(v, statement.old) for v in known.values)
            else known.values[0]
        )
        self.changes.append(
            FactChange(known.path or self.me, known.attribute, "remove", value, None, statement.sentence, self.source)
        )
        known.values = [v for v in known.values if v != value]

    def _correct(self, statement: Statement) -> None:
        known = self._named(statement)
        holders = self.names.by_value(statement.old) if statement.old else []
        if len(holders) == 1 and (known is None or core(known.attribute) <= core(holders[0].attribute)):
            known = holders[0]  # the bakery's place, and not the bakery
        if known is None and statement.attribute:
            known = self._fresh(statement)
        if known is None:
            self._leave(statement)
            return
        self._set(statement, known)

    def _forget(self, statement: Statement) -> None:
        if statement.everything and len(about := all_about(statement, self.names)) > 1:
            self.together += about
            return
        found = to_forget(statement, self.names, self.us)
        if not isinstance(found, Known):
            self._open(statement, found, UNSURE)
            self._offer(statement)
            return
        known = found
        if known.path is None:
            self._leave(statement)
            return
        self.changes.append(
            FactChange(
                known.path,
                known.attribute,
                "forget",
                known.values[0] if len(known.values) == 1 else None,
                None,
                statement.sentence,
                self.source,
            )
        )
        known.values, known.was = [], []

    def _offer(self, statement: Statement) -> None:
        """What a request to forget that says more than any name does may mean, to be asked: `club treasurer`."""
        said = core(statement.about.name or "")
        near = [k.attribute for k in self.names.known.values() if k.values and frozenset() < core(k.attribute) < said]
        if near and not self.ambiguous:
            self.ambiguous.append(Ambiguous(statement, tuple(near[:4])))

    # -- ties ---

    def _suppose(self, statement: Statement, following: Sequence[Statement]) -> None:
        """What a sentence supposes, by the facts that are known; by its form alone where they do not tell."""
        of_it = [replace(s, cuts=()) for s in (statement, *(f for f in following if f.span == statement.span))]
        aside = statement.cuts[0][0].told
        told = [s for s in of_it if s.kind not in ("rule", "dependency") and s.value and s.value in aside]
        for other in told:
            self.take(other, following)
        read: list[list[Bearing] | None] = []
        for ways in statement.cuts:
            read.append(bearings(ways, statement.before, self.told[-4:], self.names))
            # `…, and if it is the other one, …`
            self.told += [k.attribute for one in read[-1] or () for k in (one.effect, one.cause)]
        rules = [s for s in of_it if s.kind in ("rule", "dependency")]
        sure = len(rules) >= len(statement.cuts) and all(surely_ties(s, self.names) for s in rules)
        if all(found is None for found in read) or (sure and not says_more(read, rules, self.names)):
            read = []
            for other in of_it:
                if (
                    other not in told
                    and not _only_if(other, statement.cuts)
                    and not (other.kind == "rule" and other.about.pronoun and not other.depends_on)
                ):
                    self.take(other, following)
        self.read.add(statement.span)
        for one in (one for found in read for one in found or ()):
            path = one.effect.path or one.cause.path or self.me
            when, then = Ref(one.cause.attribute), Ref(one.effect.attribute)
            self._rule(Rule(when, one.trigger, then, one.becomes, one.value, source=self.source, path=path))

    def _tie(self, statement: Statement) -> None:
        effects = rank([statement.about], self.names)
        causes = rank(statement.depends_on, self.names)
        if statement.weak and min(best_score(effects), best_score(causes)) < LOOSELY:
            # told in words that no pattern knows: only between facts that both stand there by name
            self._leave(statement)
            return
        ends = pair(statement, causes, effects)
        if ends is None and is_distance(statement.value):
            both = cause_told(statement), effect_told(statement)
            ends = (both[0], both[1]) if both[0] and both[1] else None
        if ends is None:
            self._leave(statement)
            return
        cause, effect = ends
        if cause.key == effect.key or not is_attribute(cause.attribute) or not is_attribute(effect.attribute):
            self._leave(statement)
            return
        self._learn_cause(statement, cause)
        path = effect.path or cause.path or self.me
        if statement.kind == "dependency" and self._told(cause, effect):
            return
        rule = Rule(
            Ref(cause.attribute),
            statement.trigger,
            Ref(effect.attribute),
            statement.value,
            statement.when_value,
            source=self.source,
            path=path,
        )
        if rule.becomes and is_distance(rule.becomes) and not any(reckon(rule.becomes, v) for v in cause.values):
            # not to be reckoned yet: it is known as it was told
            told = told_as(rule.becomes, cause.attribute)
            self.changes.append(FactChange(path, effect.attribute, "set", None, told, statement.sentence, self.source))
        self._rule(rule)

    def _rule(self, rule: Rule) -> None:
        if any(
            r.then.key == rule.then.key
            and r.trigger == rule.trigger
            and r.becomes == rule.becomes
            and same_value(r.value, rule.value)
            for r in self.ledger.rules_on(rule.when.attribute)
        ):
            return
        self.changes.append(RuleAdded(rule.path, rule, self.source))
        self.names.tie(rule.when.attribute, rule.then.attribute, rule.path)

    def _told(self, cause: Known, effect: Known) -> bool:
        """Whether a change of *cause* already has a say in *effect*; a bare dependency adds nothing to it."""
        return cause.key in effect.hangs_on

    def _learn_cause(self, statement: Statement, cause: Known) -> None:
        """A reason told with its value (`my employer, I work at X`) states that value too, where none is known."""
        if attribute_key(cause.attribute) in self.names.known and (cause.values or cause.was):
            return
        value = next((m.value for m in statement.depends_on if m.certain and m.value), None)
        if value is None:
            names = {attribute_key(m.name) for m in statement.depends_on if m.name}
            if len(names) > 1:
                # "determined by my tendinitis; if my health condition changes": two names, so one is a value
                value = next(
                    (m.value for m in statement.depends_on if m.value and not same_name(m.value, cause.attribute)), None
                )
        if value and not same_name(value, cause.attribute):
            path = cause.path or (self.us if is_ours(statement) else self.me)
            cause.path = path
            self.changes.append(FactChange(path, cause.attribute, "set", None, value, statement.sentence, self.source))
            self.names.add(cause.attribute, path, [value])

    # -- what stays open ---

    def _leave(self, statement: Statement) -> None:
        self.unlinked.append(statement)

    def _open(self, statement: Statement, found: Sequence[Candidate], least: float) -> None:
        near = tuple(c.known.attribute for c in found if c.score >= least)
        if len(near) > 1:
            self.ambiguous.append(Ambiguous(statement, near[:4]))
        else:
            self._leave(statement)


def _tells_anew(later: Statement, ended: Statement) -> bool:
    """Whether *later* tells what the fact is now of which *ended* tells that it is no more what it was."""
    joins = later.kind == "add" and ended.gone  # one of several goes, another comes
    return ended.attribute is not None and later.attribute == ended.attribute and not joins


def _only_if(statement: Statement, cuts: Sequence[Sequence[Cut]]) -> bool:
    """Whether *statement* tells a fact that holds only if something happens first, so that it is none yet."""
    if statement.kind in ("rule", "dependency") or not statement.value:
        return False
    return any(
        _ONLY_IF.fullmatch(cut.mark)
        and not _OF_THE_LISTENER.match(cut.condition)
        and statement.value in cut.consequence
        for ways in cuts
        for cut in ways
    )
