"""Which of the passages that a search found a model reads, and how far around them, as META.md's directives say."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from daemon.context import Passage
from daemon.directives import Directive, Prefer
from daemon.questions import is_question
from memory_store.errors import StoreError
from memory_store.journal import parse_journal
from memory_store.page import Page

Read = Callable[[str], Page]


def choose(found: Sequence[Passage], directive: Directive, *, count: int, read: Read | None = None) -> list[Passage]:
    """
    Of *found* (best first) those to be read, in reading order: *count* of them, unless *directive* says otherwise.

    *read* gives a page as it is now; without it nothing is widened. A passage within another is left out.
    """
    ranked = list(found)
    if directive.prefer:
        ranked.sort(key=lambda passage: kind_of(passage.path) != directive.prefer)
    chosen = ranked[: count if directive.hits is None else directive.hits]
    if directive.widen and read is not None:
        chosen = _distinct([_widened(passage, directive.widen, read) for passage in chosen])
    if directive.order == "time":
        chosen.sort(key=lambda passage: (passage.when is None, passage.when or "", passage.path, passage.start_line))
    return chosen


def kind_of(path: str) -> Prefer:
    """What a directive may prefer the page at *path* as."""
    inner = path.removeprefix("reverie/")
    return "facts" if inner.startswith("facts/") else "journal" if inner.startswith("journal/") else "notes"


def _widened(passage: Passage, steps: int, read: Read) -> Passage:
    """*passage* with *steps* neighbours before and after: turns of a conversation, paragraphs of other pages."""
    try:
        page = read(passage.path)
    except StoreError:
        return passage
    blocks = _turns(page) if kind_of(passage.path) == "journal" else _paragraphs(page)
    mine = [i for i, (start, end, _) in enumerate(blocks) if start <= passage.end_line and passage.start_line <= end]
    if not mine:
        return passage
    kept = blocks[max(0, mine[0] - steps) : mine[-1] + 1 + steps]
    return replace(
        passage,
        start_line=min(passage.start_line, kept[0][0]),
        end_line=max(passage.end_line, kept[-1][1]),
        text="\n".join(text for _, _, text in kept),
    )


def _turns(page: Page) -> list[tuple[int, int, str]]:
    """What was told on a page of the journal: no answers of models, no questions."""
    return [
        (turn.start_line, turn.end_line, turn.text)
        for turn in parse_journal(page)
        if turn.speaker != "assistant" and not is_question(turn.text)
    ]


def _paragraphs(page: Page) -> list[tuple[int, int, str]]:
    """Stretches of lines between empty ones, frontmatter left out."""
    found: list[tuple[int, int, str]] = []
    start = 0
    for number in range(page.body_start, len(page.lines) + 2):
        filled = number <= len(page.lines) and bool(page.lines[number - 1].strip())
        if filled and not start:
            start = number
        elif not filled and start:
            found.append((start, number - 1, "\n".join(page.lines[start - 1 : number - 1])))
            start = 0
    return found


def _distinct(passages: Sequence[Passage]) -> list[Passage]:
    kept: list[Passage] = []
    for passage in passages:
        if not any(
            one.path == passage.path and one.start_line <= passage.start_line and passage.end_line <= one.end_line
            for one in kept
        ):
            kept.append(passage)
    return kept
