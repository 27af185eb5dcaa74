"""What the owner should look at in the vault: read only, nothing is mended here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Literal

from memory_store.errors import NotText, PageMissing, PageUnreadable
from memory_store.files import Vault, original_of
from memory_store.history import History
from memory_store.ledger import Ledger
from memory_store.page import Page, parse
from memory_store.writer import Proposal

_DIFF_LINES = 8
_BIG_BYTES = 20_000_000
_MERGE_MARKS = ("<<<<<<< ", "=======", ">>>>>>> ")
_ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Finding:
    """One thing to look at; *hint* is the next step."""

    severity: Literal["note", "warning", "error"]
    subject: str
    message: str
    path: str | None = None
    line: int | None = None
    hint: str | None = None


def examine(
    vault: Vault, ledger: Ledger, history: History, proposals: Sequence[Proposal], unfinished: int = 0
) -> list[Finding]:
    """Everything found, worst first, then by path. *unfinished*: how many forgettings have begun and wait."""
    found = [*_files(vault), *_facts(ledger), *_parked(proposals)]
    if unfinished:
        what = "what you asked to forget is not gone from everywhere yet"
        found.append(
            Finding("warning", "forget", what, hint="it goes on by itself once pages and history can be written")
        )
    problem = history.problem()
    if problem:
        found.append(Finding("warning", "history", problem))
    return sorted(found, key=lambda f: (_ORDER[f.severity], f.path or "", f.line or 0))


def _files(vault: Vault) -> Iterator[Finding]:
    try:
        scan = vault.scan()
    except PageUnreadable as error:
        yield Finding("error", "vault", str(error), hint="mount it, or set vault.path in the config")
        return
    for unseen in scan.errors:
        hint = "what was known of it is kept until it can be read"
        yield Finding("warning", "file", f"cannot be read: {unseen.reason}", unseen.path, hint=hint)
    for link in scan.refused:
        yield Finding("note", "link", "links are not followed, so what it leads to is not remembered", link)
    for file in scan.files:
        if file.role == "conflict":
            yield _conflicted(vault, file.path)
        elif file.size <= _BIG_BYTES:
            yield from _page(vault, file.path)


def _page(vault: Vault, path: str) -> Iterator[Finding]:
    try:
        page = parse(vault.read(path).data)
    except NotText as error:
        yield Finding("warning", "page", f"not UTF-8 text: {error.reason}", path, error.line, "save it as UTF-8")
        return
    except PageMissing:
        return
    except PageUnreadable as error:
        yield Finding("warning", "page", f"cannot be read: {error.reason}", path)
        return
    if page.problem:
        hint = "it is found as plain text, and never rewritten, until that line is mended"
        yield Finding("warning", "page", page.problem.reason, path, page.problem.line, hint)
    if (line := _unmerged(page)) is not None:
        hint = "leave the lines that are right, and none of git's marks"
        yield Finding("warning", "page", "a merge is not finished here, so that both sides count", path, line, hint)


def _unmerged(page: Page) -> int | None:
    """The line where git has left both sides of a merge, outside code."""
    marks = iter(_MERGE_MARKS)
    wanted, begun = next(marks), None
    for number, text in enumerate(page.lines, start=1):
        if text.startswith(wanted) and number not in page.inert:
            begun = begun or number
            wanted = next(marks, "")
            if not wanted:
                return begun
    return None


def _conflicted(vault: Vault, path: str) -> Finding:
    original = original_of(path)
    message = f"a sync program's conflicted copy of {original}" if original else "a version that was kept aside"
    message += ", left out of recall"
    try:
        theirs = vault.read(original).data if original else b""
        lines = _diff(theirs, vault.read(path).data)
        message += ":\n" + "\n".join(lines) if lines else ": it says the same"
    except (PageMissing, PageUnreadable):
        message += "; the page itself is gone"
    return Finding("warning", "conflict", message, path, hint="copy over what you want to keep, then delete the copy")


def _facts(ledger: Ledger) -> Iterator[Finding]:
    for problem in ledger.problems:
        yield Finding("warning", "facts", problem.message, problem.path, problem.line)


def _parked(proposals: Sequence[Proposal]) -> Iterator[Finding]:
    for proposal in proposals:
        subject = proposal.message.partition("\n")[0]
        message = f"a change ({subject}) met an edit of the same lines and waits:\n"
        message += "\n".join(_diff(proposal.base or b"", proposal.ours or b""))
        hint = f"`reverie proposals apply {proposal.id}` makes it, `reverie proposals drop {proposal.id}` lets go of it"
        yield Finding("warning", "parked", message, proposal.path, hint=hint)


def unified(proposal: Proposal) -> str:
    """What a parked version changes, as a unified diff."""
    sides = ((data or b"").decode("utf-8", "replace").splitlines() for data in (proposal.base, proposal.ours))
    old, new = sides
    return "\n".join(unified_diff(old, new, proposal.path, proposal.path, lineterm="", n=1))


def _diff(before: bytes, after: bytes) -> list[str]:
    """The changed lines, at most a few."""
    sides = (data.decode("utf-8", "replace").splitlines() for data in (before, after))
    old, new = sides
    if len(old) + len(new) > 4000:
        return ["(too long to compare here)"] if old != new else []
    lines = [line for line in unified_diff(old, new, lineterm="", n=0) if line[:3] not in ("---", "+++", "@@ ")]
    more = len(lines) - _DIFF_LINES
    return lines if more <= 0 else [*lines[:_DIFF_LINES], f"… {more} more lines"]
