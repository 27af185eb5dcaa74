"""What the daemon says in its own words, where no model is trusted to: what it noted, what it found, what it lacks."""

from collections.abc import Sequence

from daemon.context import Passage, coverage
from memory_store.facts import Change, FactChange, RuleAdded
from memory_store.verbs import sentence, your

NOTHING = "Nothing in memory answers that."
NOTHING_TO_FORGET = "Nothing in memory goes by that name, so there is nothing to forget."
ASK_TO_ERASE = "Say 'yes, forget it' to remove it everywhere: from the conversations and the history too."
OR_RUN = "Outside a conversation, run: {commands}"
QUOTED_AT_MOST = 3
_QUOTED_CHARACTERS = 600


def noted(changes: Sequence[Change], consequences: Sequence[FactChange] = ()) -> str:
    """One line a change, with its page; then what follows from it by the owner's rules."""
    lines = [_said(change) for change in changes]
    follows = [_consequence(change) for change in consequences]
    if follows:
        lines.append(f"So {_listed(follows)}.")
    forgotten = [change.attribute for change in changes if isinstance(change, FactChange) and change.kind == "forget"]
    if forgotten:
        commands = "; ".join(f'reverie forget "{attribute}"' for attribute in dict.fromkeys(forgotten))
        lines.append(f"{ASK_TO_ERASE} {OR_RUN.format(commands=commands)}")
    return "\n".join(dict.fromkeys(line for line in lines if line))


def erased(attributes: Sequence[str], left: Sequence[str]) -> str:
    """That all of *attributes* are gone, and the places that keep them all the same."""
    kept = f" Kept: {_listed(left)}." if left else ""
    what = _listed(attributes)
    return f"Removed everywhere: {what}. Pages, conversations, index and history hold it no more.{kept}"


def which_to_forget(attributes: Sequence[str]) -> str:
    """The question back, where a request to forget may mean several facts."""
    return f"Which shall I forget: {' or '.join(attributes)}?"


def bearing(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """The first few *passages* that hold at least half of what the question is about."""
    return [
        passage
        for passage in passages
        if coverage(question, f"{passage.title} {passage.heading} {passage.text}") >= 0.5
    ][:QUOTED_AT_MOST]


def quoted(passages: Sequence[Passage]) -> str:
    """*passages* as they stand, each with its place."""
    blocks = []
    for passage in passages:
        text = passage.text.strip()
        if len(text) > _QUOTED_CHARACTERS:
            text = text[:_QUOTED_CHARACTERS].rsplit(" ", 1)[0] + " …"
        lines = "\n".join(f"> {line}" for line in text.splitlines() if line.strip())
        blocks.append(f"{lines}\n({place(passage.path, passage.start_line, passage.end_line)})")
    return "This is what your notes say:\n\n" + "\n\n".join(blocks)


def place(path: str, start_line: int, end_line: int) -> str:
    """`path:line`, or `path:first-last`."""
    return f"{path}:{start_line}" if end_line <= start_line else f"{path}:{start_line}-{end_line}"


def _said(change: Change) -> str:
    match change:
        case RuleAdded(rule=rule):
            trigger = {"changes": "changes", "is": f"is {rule.value}", "forgotten": "is forgotten"}[rule.trigger]
            becomes = rule.becomes or "unsure"
            told = f"when {your(rule.when.attribute)} {trigger}, {your(rule.then.attribute)} becomes {becomes}"
        case FactChange(kind="forget"):
            told = f"{your(change.attribute)} is forgotten"
        case FactChange(kind="unsure"):
            told = f"{your(change.attribute)} is no longer sure"
        case FactChange(kind="remove"):
            told = (
                f"{your(change.attribute)} is no longer {change.before}"
                if change.before
                else f"{your(change.attribute)} ended"
            )
        case FactChange(kind="add"):
            told = f"{_plainly(change)}, besides what was known"
        case FactChange(before=None):
            told = _plainly(change)
        case _:
            told = f"{_plainly(change, now=True)}, no longer {change.before}"
    return f"Noted: {told} ({change.path})."


def _plainly(change: FactChange, *, now: bool = False) -> str:
    """The fact as a plain sentence to the owner, to stand after a colon."""
    value = change.after or ""
    told = sentence(change.attribute, value)
    if now:
        told = f"{told.removesuffix(value)}now {value}" if told.endswith(f" {value}") else f"{told} now"
    return told[:1].lower() + told[1:] if told.startswith(("You", "Your ")) else told


def _consequence(change: FactChange) -> str:
    if change.after is None:
        return f"{your(change.attribute)} is unsure now"
    told = _plainly(change)
    return told if f" is {change.after}" not in told else f"{your(change.attribute)} becomes {change.after}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
