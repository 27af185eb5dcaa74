"""What the daemon says in its own words, where no model is trusted to: what it noted, what it found, what it lacks."""

import re
from collections.abc import Sequence
from typing import Literal

from daemon.context import Passage, coverage
from daemon.taught import in_words
from memory_store.facts import Change, FactChange, RuleAdded
from memory_store.ledger import Ledger
from memory_store.verbs import news, sentence, to_you, within, your

NOTHING = "Nothing in memory answers that."
NOTHING_TO_FORGET = "Nothing in memory goes by that name, so there is nothing to forget."
WHAT_WAS_SAID = "what you said there"
ASK_TO_ERASE = "Say 'yes, forget it' to remove it everywhere: from the conversations and the history too."
OR_RUN = "Outside a conversation, run: {commands}"
KEPT = "I kept that in the conversation, not as a fact."
NOT_KEPT = "Not kept: what was not to be remembered is written nowhere."
UNSAID = "(something that was not to be remembered)"
QUOTED_AT_MOST = 3
_QUOTED_CHARACTERS = 600
_NEWS_CHARACTERS = 140  # of what changed since; its place tells the rest
_CONFIRMS = "noted:"
FORGOTTEN = "You asked me to forget that."
STILL_TOLD = (
    "I will not bring it up again. You told it in {places}. Say 'yes, forget it' to remove what you said there."
)
_QUOTES = "This is what your notes say:"
_NEAREST = "I don't know that. The nearest that you told me:"
_BESIDE = "You told me this:"
_FOLLOWS = "Going by what you told me:"
_UNSURE = "I am not sure any more. You told me:"
_CAME_TRUE = "That came true by what you told me later"
_SINCE_THEN = "Since then you told me:"
_STATES = re.compile(
    r"(?:(?:and|but|so|also|well|oh|yes|no|actually|today|yesterday)[\s,]+)*"
    r"(?:(?:i|we)(?:['’](?:m|re|ve))?\s"
    r"(?!want you|need you|would like|need (?:help|to know)|wonder|was wondering)"
    r"|(?:i|we)['’](?:m|re|ve)\b|(?:he|she|they|it|that|this)(?:['’](?:s|re|ve))?\s"
    r"|(?:some|every|no)(?:body|one)\s(?:has\s|just\s)*(?:said|says|told|tells|thinks|thought|heard|claims|mentioned|knows)\b"
    r"|(?:people|they|folks|rumou?r(?:s| has it)|word has it|there['’]?s? (?:is )?(?:talk|a rumou?r))\b"
    r"|(?:my|our|his|her|their)\s|(?:the|a|an)\s[\w' -]+?\s(?:is|are|was|were|has|had)\b"
    r"|(?-i:[A-Z])[\w’'-]+\s(?:(?-i:[A-Z])[\w’'-]+\s)?(?:is|are|was|were|has|had|(?!does|please)[a-z]+s)\s)",
    re.IGNORECASE,
)
_STATED_CHARACTERS = 400
_PLACE = re.compile(r"\(\S.*:\d+(?:-\d+)?\)")


def noted(changes: Sequence[Change], consequences: Sequence[FactChange] = ()) -> str:
    """One line a change, with its page; then what follows from it by the owner's rules."""
    lines = [_was(change) if _ends_at_once(change, changes) else _said(change) for change in changes]
    follows = [_consequence(change) for change in consequences]
    if follows:
        lines.append(f"So {_listed(follows)}.")
    forgotten = [change.attribute for change in changes if isinstance(change, FactChange) and change.kind == "forget"]
    if forgotten:
        commands = "; ".join(f'reverie forget "{attribute}"' for attribute in dict.fromkeys(forgotten))
        lines.append(f"{ASK_TO_ERASE} {OR_RUN.format(commands=commands)}")
    return "\n".join(dict.fromkeys(line for line in lines if line))


def would_forget(attributes: Sequence[str], ledger: Ledger) -> str:
    """The question whether all of *attributes*, each with what is known of it, are to go."""
    lines = [
        f"- {sentence(fact.attribute, to_you(fact.value or ''))}"
        for attribute in attributes
        for fact in ledger.current(attribute)
        if fact.value
    ]
    return "\n".join(["This is what I would forget:", *lines, ASK_TO_ERASE])


def is_statement(words: str) -> bool:
    """Whether *words* plainly state something of somebody, so that a reply should say what became of it."""
    words = words.strip()
    plain = len(words) <= _STATED_CHARACTERS and "?" not in words and "\n" not in words
    return plain and _STATES.match(words) is not None


def begins_as_ours(text: str) -> bool | None:
    """Whether a reply begins as our confirmations or quotations do; None where *text* is too little of it to tell."""
    begun = text.lstrip().lower()
    openings = (_CONFIRMS, *(quotes.lower() for quotes in (_QUOTES, _NEAREST, _FOLLOWS, _UNSURE)))
    if begun.startswith(openings):
        return True
    return None if any(opening.startswith(begun) for opening in openings) else False


def begins_as_quoted(text: str) -> bool:
    """Whether a reply begins as our quotations do."""
    return text.lstrip().startswith((_QUOTES, _NEAREST, _FOLLOWS, _UNSURE))


def unquoted(text: str) -> str:
    """The words of our quotation *text*, without its form."""
    lines = [line.removeprefix("> ") for line in text.splitlines()[1:] if line.strip() and not _PLACE.fullmatch(line)]
    return "\n".join(lines)


def without_confirmation(text: str) -> str:
    """*text* without our mark of a confirmation at its head."""
    while text.lstrip().lower().startswith(_CONFIRMS):
        text = text.lstrip()[len(_CONFIRMS) :].lstrip()
    return text


def erased(attributes: Sequence[str], left: Sequence[str]) -> str:
    """That all of *attributes* are gone, and the places that keep them all the same."""
    kept = f" Kept: {_listed(left)}." if left else ""
    what = _listed(attributes)
    return f"Removed everywhere: {what}. Pages, conversations, index and history hold it no more.{kept}"


def erasing(attributes: Sequence[str]) -> str:
    """That *attributes* are gone from where they are read, and still go from where nobody does."""
    what = _listed(attributes)
    return f"Removed from pages and conversations: {what}. The index and the history are being cleaned, which goes on."


def which_to_forget(attributes: Sequence[str]) -> str:
    """The question back, where a request to forget may mean several facts, or one of another name."""
    if len(attributes) == 1:
        return f"I know nothing by that name. If your {attributes[0]} is meant, ask me to forget that."
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
    return f"{_QUOTES}\n\n{_quotations(passages)}"


def nearest(passages: Sequence[Passage]) -> str:
    """*passages* that come near to what was asked and do not answer it, each with its place."""
    return f"{_NEAREST}\n\n{_quotations(passages)}"


def beside(passages: Sequence[Passage]) -> str:
    """*passages* that come near to what was asked, told after what facts have near it."""
    return f"{_BESIDE}\n\n{_quotations(passages)}"


def since_then(kind: Literal["follows", "unsure"], told: Sequence[Passage], news: Sequence[Passage]) -> str:
    """
    What was *told*, and whether it follows or became unsure by *news*.

    News by which it follows is given by its place, since it may name what was so before beside what is so now; news by
    which it became unsure word for word, since that is all there is to tell why.
    """
    if kind == "follows":
        places = ", ".join(place(one.path, one.start_line, one.end_line) for one in news)
        return f"{_FOLLOWS}\n\n{_quotations(told)}\n\n{_CAME_TRUE} ({places})."
    return f"{_UNSURE}\n\n{_quotations(told)}\n\n{_SINCE_THEN}\n\n{_quotations(news, _NEWS_CHARACTERS)}"


def _quotations(passages: Sequence[Passage], longest: int = _QUOTED_CHARACTERS) -> str:
    blocks = []
    for passage in passages:
        text = in_words(passage.text.strip())
        if len(text) > longest:
            text = text[:longest].rsplit(" ", 1)[0] + " …"
        lines = "\n".join(f"> {line}" for line in text.splitlines() if line.strip())
        blocks.append(f"{lines}\n({place(passage.path, passage.start_line, passage.end_line)})")
    return "\n\n".join(blocks)


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
                f"{your(change.attribute)} is no longer {to_you(change.before)}"
                if change.before
                else f"{your(change.attribute)} ended"
            )
        case FactChange(kind="add"):
            told = f"{_plainly(change)}, besides what was known"
        case FactChange(before=None):
            told = _plainly(change)
        case _:
            told = within(news(change.attribute, to_you(change.after or ""), to_you(change.before or "")))
    return f"Noted: {told} ({change.path})."


def _ends_at_once(change: Change, among: Sequence[Change]) -> bool:
    """Whether what *change* sets is told in the same breath, as another of *among*, to be no more."""
    return isinstance(change, FactChange) and any(
        isinstance(one, FactChange)
        and one.attribute == change.attribute
        and {one.kind, change.kind} == {"set", "remove"}
        and change.before != change.after
        and (one.before or one.after) == (change.after or change.before)
        for one in among
    )


def _was(change: Change) -> str:
    assert isinstance(change, FactChange)
    told = sentence(change.attribute, to_you(change.after or change.before or ""), past=True)
    return f"Noted: {within(told)} ({change.path})."


def _plainly(change: FactChange) -> str:
    """The fact as a plain sentence to the owner, to stand after a colon."""
    return within(sentence(change.attribute, to_you(change.after or "")))


def _consequence(change: FactChange) -> str:
    if change.after is None:
        return f"{your(change.attribute)} is unsure now"
    told = _plainly(change)
    return told if f" is {change.after}" not in told else f"{your(change.attribute)} becomes {change.after}"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
