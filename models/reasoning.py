"""Splitting what a model thinks from what it says, on either tag, as it streams."""

from dataclasses import dataclass

TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<seed:think>", "</seed:think>"),
    ("<thought>", "</thought>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
SPOKEN = (("Here is my thought process:", "Here is my response:"),)  # Granite 3: tags only where a template says so
PATIENCE = 4000  # characters


@dataclass(frozen=True, slots=True)
class Split:
    """
    A piece of text and of reasoning, either may be empty.

    *was_reasoning*: a closing tag came without an opening one, so that all text before it was reasoning.
    """

    text: str = ""
    reasoning: str = ""
    was_reasoning: bool = False


class ReasoningSplitter:
    """
    Feeds text in pieces; gives text and reasoning apart, without the tags.

    An opening tag counts only where the answer begins, so that a model may write about tags in its answer; a lone
    closing tag counts once, before any opening one. *inside*: the prompt itself has opened the reasoning. *patience*:
    so many characters are held back for a lone closing tag; what was shown before one comes is told by `was_reasoning`.
    """

    def __init__(self, tags: tuple[tuple[str, str], ...] = TAGS, *, inside: bool = False, patience: int = 0) -> None:
        self._opens = tuple(pair[0] for pair in tags)
        self._closes = tuple(pair[1] for pair in tags)
        self._close_of = dict(tags)
        self._state = "reasoning" if inside else "start"
        self._awaited: tuple[str, ...] = self._closes
        self._held = ""
        self._strip = inside
        self._patience = patience

    @property
    def inside(self) -> bool:
        """Whether the last piece was, or the next one would be, reasoning."""
        return self._state == "reasoning"

    @property
    def held(self) -> str:
        """What may yet turn out to be a tag."""
        return self._held

    def push(self, piece: str) -> Split:
        """What is certain now; a possible beginning of a tag is held back."""
        text = self._held + piece
        self._held = ""
        out_text: list[str] = []
        out_reasoning: list[str] = []
        was_reasoning = False
        while text:
            if self._state == "start":
                text = self._at_start(text)
                if self._state == "start":
                    break
                continue
            if self._state == "done":
                out_text.append(self._stripped(text))
                break
            place, tag = self._find(text, self._awaited)
            if tag is None:
                keep = possible_beginning(text, self._awaited)
                if self._state == "text" and self._patience:
                    self._patience = self._patience if len(text) <= self._patience else 0
                    keep = len(text) if self._patience else keep
                shown, self._held = text[: len(text) - keep], text[len(text) - keep :]
                (out_reasoning if self._state == "reasoning" else out_text).append(self._stripped(shown))
                break
            if self._state == "reasoning":
                out_reasoning.append(self._stripped(text[:place]))
            else:
                out_reasoning.append("".join(out_text) + text[:place])
                out_text = []
                was_reasoning = True
            text = text[place + len(tag) :]
            self._state, self._strip = "done", True
        return Split("".join(out_text), "".join(out_reasoning), was_reasoning)

    def _at_start(self, text: str) -> str:
        """Decide whether the answer opens with a tag; leaves the state at start while that is open."""
        rest = text.lstrip()
        for tag in self._opens:
            if rest.startswith(tag):
                self._state, self._strip = "reasoning", True
                self._awaited = (self._close_of[tag],)
                return rest[len(tag) :]
        if not rest or any(tag.startswith(rest) for tag in self._opens):
            self._held = text
            return text
        self._state = "text"
        return text

    def _stripped(self, text: str) -> str:
        """Without the blank lines that follow a tag."""
        if self._strip:
            text = text.lstrip()
            self._strip = not text
        return text

    @staticmethod
    def _find(text: str, tags: tuple[str, ...]) -> tuple[int, str | None]:
        found = [(place, tag) for tag in tags if (place := text.find(tag)) >= 0]
        return min(found) if found else (-1, None)

    def finish(self) -> Split:
        """What was held back, as no tag came of it."""
        held, self._held = self._held, ""
        if self._state == "reasoning":
            return Split(reasoning=self._stripped(held))
        return Split(text=held if self._state == "text" else self._stripped(held) if held.strip() else "")


def possible_beginning(text: str, tags: tuple[str, ...]) -> int:
    """Length of the longest end of *text* that one of *tags* could begin with."""
    longest = max(map(len, tags), default=0)
    for length in range(min(longest - 1, len(text)), 0, -1):
        if any(tag.startswith(text[len(text) - length :]) for tag in tags):
            return length
    return 0


def prompt_opens(prompt: str, tags: tuple[tuple[str, str], ...] = TAGS) -> str | None:
    """The closing tag to expect, when the rendered *prompt* ends within an opened reasoning; else None."""
    end = prompt.rstrip()
    for opening, closing in tags:
        if end.endswith(opening):
            return closing
    return None


def tags_of(template: str) -> tuple[tuple[str, str], ...]:
    """The tags that a model with this chat template may use."""
    return (*TAGS, *(pair for pair in SPOKEN if pair[0] in template))


def patience_for(template: str, prompt: str, tags: tuple[tuple[str, str], ...] = TAGS) -> int:
    """
    How long to wait for a lone closing tag: long for a model that thinks without an opening one, unless told not to.

    Its template knows the closing tag alone, and the rendered *prompt* does not end with it. Where it knows both, the
    model writes both, and an answer that begins otherwise is shown at once.
    """
    known = tuple(closing for opening, closing in tags if closing in template and opening not in template)
    return PATIENCE if known and not prompt.rstrip().endswith(known) else 0
