"""What the store tells of pages and of its own changes: frozen values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_store.commits import Commit
from memory_store.facts import Change, Fact, FactChange, Problem, RuleAdded, same_value
from memory_store.ledger import Ledger
from memory_store.page import signed
from memory_store.writer import Proposal


@dataclass(frozen=True)
class PageText:
    """A page to read: *text* has every line end as `\\n`; *hash* is the version of the file."""

    path: str
    title: str
    text: str
    hash: str


@dataclass(frozen=True)
class PageInfo:
    """A page in a listing; *modified_ns* since the epoch, *chunks* as indexed."""

    path: str
    title: str
    size: int
    modified_ns: int
    chunks: int
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Applied:
    """One fact as it was changed, at the line where it stands now (0: the line is gone). A value None is none."""

    attribute: str
    path: str
    line: int
    before: str | None
    after: str | None
    reason: str
    forgotten: bool = False


@dataclass(frozen=True)
class WriteResult:
    """
    What a write did: *changes* asked for, then their consequences; *commit* undoes it all.

    *parked* are pages whose owner changed the same lines meanwhile; *notice* says why a commit has to wait.
    """

    changes: tuple[Applied, ...] = ()
    commit: str | None = None
    pages: tuple[str, ...] = ()
    parked: tuple[Proposal, ...] = ()
    problems: tuple[Problem, ...] = ()
    notice: str | None = None


@dataclass(frozen=True)
class Noted:
    """A note as it was filed: its lines, and the commit that undoes it."""

    path: str
    start_line: int
    end_line: int
    commit: str | None
    parked: tuple[Proposal, ...] = ()
    notice: str | None = None


@dataclass(frozen=True)
class Undone:
    """The change that was undone, and the commit that did it; *parked* where the owner is editing its very lines."""

    undone: Commit
    commit: str | None
    pages: tuple[str, ...]
    parked: tuple[Proposal, ...] = ()
    notice: str | None = None


def applied(change: FactChange, before: Ledger, after: Ledger) -> Applied:
    """*change* as it shows between the two ledgers."""
    was = change.before
    if was is None:
        standing = before.current(change.attribute, change.path)
        had = ", ".join(fact.value for fact in standing if fact.value) if change.kind != "add" else ""
        was = had or ("?" if any(fact.state == "unsure" for fact in standing) else None)
    fact = _standing(change, after)
    return Applied(
        fact.attribute if fact else change.attribute,
        change.path,
        fact.line if fact else 0,
        was,
        fact.value if fact else None,
        change.cause or change.reason,
        change.kind == "forget" and (fact is None or fact.state == "forgotten"),
    )


def commit_message(why: str, changes: Sequence[Change]) -> str:
    """*why* as the subject, and each fact that changes on a line of its own."""
    lines = []
    for change in changes:
        if isinstance(change, FactChange):
            value = {"unsure": "?", "forget": "forgotten", "remove": "ended"}.get(change.kind, change.after or "")
            because = f" ({change.cause})" if change.cause else ""
            lines.append(f"- [{change.attribute}] {value}{because}")
    subject = " ".join(why.split()) or "Change facts"
    return subject if not lines else subject + "\n\n" + "\n".join(lines)


def _standing(change: FactChange, after: Ledger) -> Fact | None:
    if change.kind == "remove":
        return None
    facts = [fact for fact in after.current(change.attribute, change.path) if fact.path == change.path]
    exact = [fact for fact in facts if change.after is not None and same_value(fact.value, change.after)]
    return next(iter(exact or facts), None)


def as_text(change: Change) -> Change:
    """*change* with a sign for each NUL byte in it, which would make its page no text any more."""
    match change:
        case FactChange():
            return replace(
                change,
                attribute=signed(change.attribute),
                before=change.before and signed(change.before),
                after=change.after and signed(change.after),
                reason=signed(change.reason),
                was=change.was and signed(change.was),
            )
        case RuleAdded(rule=rule):
            when, then = (replace(ref, attribute=signed(ref.attribute)) for ref in (rule.when, rule.then))
            value, becomes = (text and signed(text) for text in (rule.value, rule.becomes))
            return replace(change, rule=replace(rule, when=when, then=then, value=value, becomes=becomes))
