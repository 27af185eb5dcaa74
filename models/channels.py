"""Answers in channels, as gpt-oss writes them (OpenAI's harmony format): thoughts, words and calls, each a message."""

import re

from models.reasoning import Split, possible_beginning, tags_of
from models.tool_formats import HARMONY

MESSAGE, CHANNEL, START = "<|message|>", "<|channel|>", "<|start|>"
ENDS = ("<|end|>", "<|call|>", "<|return|>", START, CHANNEL)
FINAL = f"{CHANNEL}final{MESSAGE}"  # what an answer without thoughts begins with
_BEGINNINGS = (CHANNEL, START, "to=")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_RECIPIENT = re.compile(r"\bto=([^\s<]+)")


def in_channels(template: str) -> bool:
    """Whether a chat template speaks in channels."""
    return re.search(HARMONY.teaches, template) is not None


def thinks(template: str) -> bool:
    """Whether a model with this chat template may think before it speaks."""
    marks = [mark for pair in tags_of(template) for mark in pair]
    return "enable_thinking" in template or in_channels(template) or any(mark in template for mark in marks)


class ChannelSplitter:
    """
    Feeds text in pieces; gives text and reasoning apart, without the marks of messages.

    The channel `analysis` is reasoning, every other is text. A call of a function comes out as `HARMONY` has it,
    for the parser of calls; what is said to a tool of gpt-oss's own (browser, python) is reasoning.
    """

    def __init__(self) -> None:
        self._held = ""
        self._in_header = True
        self._reasons = False
        self._said = False

    @property
    def inside(self) -> bool:
        """Whether the last piece was, or the next one would be, reasoning."""
        return self._reasons and not self._in_header

    @property
    def held(self) -> str:
        """What may yet turn out to be a mark; within a header nothing that could be shown."""
        return "" if self._in_header else self._held

    def push(self, piece: str) -> Split:
        """What is certain now; a header, or a possible beginning of a mark, is held back."""
        text = self._held + piece
        self._held = ""
        said: list[str] = []
        thought: list[str] = []
        while text and not self._held:
            text = self._header(text, said) if self._in_header else self._body(text, said, thought)
        return Split("".join(said), "".join(thought))

    def _header(self, text: str, said: list[str]) -> str:
        """Where a message begins: its channel, and to whom it goes."""
        head, found, rest = text.partition(MESSAGE)
        if not found:
            begun = text.lstrip()
            if begun and not any(begun.startswith(mark) or mark.startswith(begun) for mark in _BEGINNINGS):
                self._in_header = self._reasons = False  # no message: a model that left its format
                return text
            self._held = text
            return ""
        self._in_header = False
        channel, recipient = _CHANNEL.search(head), _RECIPIENT.search(head)
        name = recipient[1] if recipient else ""
        if name.startswith("functions."):
            self._reasons = False
            said.append(f"{CHANNEL}commentary to={name} {MESSAGE}")
            return rest
        self._reasons = bool(name) or (channel is not None and channel[1] == "analysis")
        if self._said and not self._reasons:
            said.append("\n\n")
        return rest

    def _body(self, text: str, said: list[str], thought: list[str]) -> str:
        place, mark = min(((place, mark) for mark in ENDS if (place := text.find(mark)) >= 0), default=(-1, ""))
        shown = text[:place]
        if place < 0:
            keep = possible_beginning(text, ENDS)
            shown, self._held = text[: len(text) - keep], text[len(text) - keep :]
        (thought if self._reasons else said).append(shown)
        self._said = self._said or bool(shown and not self._reasons)
        if place < 0:
            return ""
        self._in_header = True
        return text[place if mark in (START, CHANNEL) else place + len(mark) :]

    def finish(self) -> Split:
        """What was held back, as no mark came of it; a header without its message says nothing."""
        held, self._held = self._held, ""
        if self._in_header:
            return Split()
        return Split(reasoning=held) if self._reasons else Split(text=held)
