"""Tool calls as models write them: recognising the way, taking calls out of the stream, forcing them by grammar."""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from models.charset import literal
from models.grammar import expression, grammar_text
from models.requests import Tool, ToolCallDelta


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """
    How a model writes calls: *opens* before one (or before a list), the key of the arguments, *closes* after it.

    *bare*: a call may also stand alone as the whole answer, without an opening text.
    """

    name: Literal["tags", "bare", "list"]
    opens: tuple[str, ...]
    closes: str
    arguments: str = "arguments"
    bare: bool = False


TAGS = ToolFormat("tags", ("<tool_call>",), "</tool_call>")  # Qwen, Hermes, SmolLM, and reverie's own fallback
LLAMA = ToolFormat("bare", ("<|python_tag|>",), "", arguments="parameters", bare=True)
MISTRAL = ToolFormat("list", ("[TOOL_CALLS]",), "")
PARALLEL = "{0,7}"  # further calls under a grammar: a small model bound to call would call for ever


def tool_format(template: str) -> ToolFormat | None:
    """The format that a chat template teaches, None when it teaches none that is known here."""
    if not re.search(r"\btools\b", template):
        return None
    if "<tool_call>" in template and "<function=" not in template:
        return TAGS
    if "[TOOL_CALLS]" in template and "[ARGS]" not in template:
        return MISTRAL
    if "<|python_tag|>" in template or '{"name": function name, "parameters"' in template:
        return LLAMA
    return None


class CallStream:
    """
    One call as its JSON object arrives: the name first, then the arguments' text, as it is written.

    Text goes in character by character; `push` says how much of it belonged to the object.
    """

    def __init__(self, index: int) -> None:
        self._index = index
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._text: list[str] = []
        self._string_at = 0
        self._key: str | None = None
        self._expects_key = True
        self._value_at: int | None = None
        self._arguments_from: int | None = None
        self._arguments_to: int | None = None
        self._sent = 0
        self.name: str | None = None
        self._named = False
        self.done = False

    @property
    def text(self) -> str:
        """Everything that was pushed."""
        return "".join(self._text)

    def push(self, text: str) -> int:
        """Take from *text* what belongs to the object; how many characters."""
        for i, char in enumerate(text):
            self._text.append(char)
            self._step(char, len(self._text) - 1)
            if self.done:
                return i + 1
        return len(text)

    def _step(self, char: str, at: int) -> None:
        if self._in_string:
            if self._escaped:
                self._escaped = False
            elif char == "\\":
                self._escaped = True
            elif char == '"':
                self._in_string = False
                if self._depth == 1 and self._expects_key:
                    self._key = self._decoded(self._string_at, at + 1)
            return
        if char == '"':
            self._in_string, self._string_at = True, at
            self._begin_value(at)
        elif char in "{[":
            self._begin_value(at)
            self._depth += 1
        elif char in "}]":
            self._depth -= 1
            if self._depth == 0:
                self._end_value(at)
                self.done = True
        elif self._depth == 1 and char == ":":
            self._expects_key, self._value_at = False, None
        elif self._depth == 1 and char == ",":
            self._end_value(at)
            self._expects_key, self._key = True, None
        elif not char.isspace():
            self._begin_value(at)

    def _begin_value(self, at: int) -> None:
        if self._depth == 1 and not self._expects_key and self._value_at is None:
            self._value_at = at
            if self._key in {"arguments", "parameters"}:
                self._arguments_from = at

    def _end_value(self, at: int) -> None:
        if self._expects_key or self._value_at is None:
            return
        raw = "".join(self._text[self._value_at : at]).rstrip()
        if self._key == "name":
            self.name = self._decoded(self._value_at, at)
        elif self._key in {"arguments", "parameters"}:
            self._arguments_to = self._value_at + len(raw)

    def _decoded(self, start: int, end: int) -> str | None:
        try:
            value = json.loads("".join(self._text[start:end]))
        except ValueError:
            return None
        return value if isinstance(value, str) else None

    def take(self) -> list[ToolCallDelta]:
        """What became known since the last time: the name once, then pieces of the arguments."""
        if self.name is None:
            return []
        out = []
        if not self._named:
            self._named = True
            out.append(ToolCallDelta(index=self._index, id=f"call_{uuid.uuid4().hex[:24]}", name=self.name))
        start = self._arguments_from
        if start is None:
            if self.done and not self._sent:
                self._sent = 2
                out.append(ToolCallDelta(index=self._index, arguments="{}"))
            return out
        if self._text[start] == '"':  # the arguments as a JSON text within a string: whole, when it is whole
            if self._arguments_to is not None and not self._sent:
                text = self._decoded(start, self._arguments_to) or "{}"
                self._sent = len(text)
                out.append(ToolCallDelta(index=self._index, arguments=text))
            return out
        end = self._arguments_to if self._arguments_to is not None else len(self._text)
        piece = "".join(self._text[start + self._sent : end])
        if piece:
            self._sent += len(piece)
            out.append(ToolCallDelta(index=self._index, arguments=piece))
        return out


class ToolParser:
    """Takes the calls out of an answer's text, in a given format."""

    def __init__(self, form: ToolFormat, *, in_call: bool = False) -> None:
        """*in_call*: the answer is bound to begin with a call, though no opening text comes before it."""
        self._form = form
        self._state = "between" if in_call else "start"
        self._held = ""
        self._call: CallStream | None = None
        self.calls = 0
        self.triggered = False

    def push(self, text: str) -> tuple[str, list[ToolCallDelta]]:
        """Text that belongs to no call, and pieces of calls; a possible opening is held back."""
        self.triggered = False
        text = self._held + text
        self._held = ""
        shown: list[str] = []
        calls: list[ToolCallDelta] = []
        while text:
            if self._state == "call":
                text = self._in_call(text, calls)
            elif self._state == "between":
                text = self._between(text)
                if self._held:
                    break
            else:
                text = self._in_text(text, shown)
                if self._held:
                    break
        return "".join(shown), calls

    def _in_text(self, text: str, shown: list[str]) -> str:
        form = self._form
        if self._state == "start" and form.bare:
            head = text.lstrip()
            compact = re.sub(r"\s", "", head)
            if compact.startswith(('{"name"', '{"type":"function"')):
                self._open()
                return head
            if any(begin.startswith(compact) for begin in ('{"name"', '{"type":"function"')):
                self._held = text
                return ""
        self._state = "text"
        found = [(place, opening) for opening in form.opens if (place := text.find(opening)) >= 0]
        if found:
            place, opening = min(found)
            shown.append(text[:place].rstrip() if not text[:place].strip() else text[:place])
            self._state = "between"
            self.triggered = not text[place + len(opening) :].strip()
            return text[place + len(opening) :]
        keep = 0
        for opening in form.opens:
            for length in range(min(len(opening) - 1, len(text)), keep, -1):
                if text.endswith(opening[:length]):
                    keep = length
                    break
        shown.append(text[: len(text) - keep])
        self._held = text[len(text) - keep :]
        return ""

    def _open(self) -> None:
        self._call = CallStream(self.calls)
        self._state = "call"

    def _in_call(self, text: str, calls: list[ToolCallDelta]) -> str:
        call = self._call
        assert call is not None
        used = call.push(text)
        calls += call.take()
        if call.done:
            self.calls += call.name is not None
            self._call = None
            self._state = "between"
        return text[used:]

    def _between(self, text: str) -> str:
        """Around calls: openings, closings, commas and brackets are skipped; anything else is text again."""
        text = text.lstrip(" \n\r\t,;[]" if self._form.name == "list" else " \n\r\t,;")
        if not text:
            return ""
        if text[0] == "{":
            self._open()
            return text
        for mark in (*self._form.opens, self._form.closes):
            if mark and text.startswith(mark):
                return text[len(mark) :]
            if mark and mark.startswith(text):
                self._held = text
                return ""
        self._state = "text"
        return text

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """What was held back; a call that never got a name comes back as text."""
        held, self._held = self._held, ""
        if self._state == "between":
            held = ""
        if self._call is not None:
            if self._call.name is None:
                held = self._call.text
            else:
                self.calls += 1
            self._call = None
        return held, []


def call_grammar(form: ToolFormat, tools: Sequence[Tool], *, parallel: bool, opened: bool) -> str:
    """
    A grammar for calls of *tools* and nothing else.

    *opened*: the opening text is already there. Arguments are bound by each tool's schema.

    Raises:
        GrammarInvalid: a schema cannot be enforced.
    """
    rules: dict[str, str] = {}
    options = []
    for i, tool in enumerate(tools):
        arguments = expression(tool.parameters or {"type": "object"}, rules, f"args-{i}")
        name = literal(json.dumps(tool.name, ensure_ascii=False))
        options.append(f'"{{\\"name\\": " {name} ", \\"{form.arguments}\\": " {arguments} "}}"')
    rules["call"] = " | ".join(options)
    opening, closing = literal(form.opens[0]), literal(form.closes) if form.closes else '""'
    if form.name == "list":
        more = f' ("," ws call){PARALLEL}' if parallel else ""
        body = f'"[" ws call{more} "]"'
        rules["root"] = body if opened else f"{opening} {body}"
    elif form.name == "bare":
        more = f' ("; " call){PARALLEL}' if parallel else ""
        rules["root"] = f"call{more}"
    else:
        one = f'"\\n"? call "\\n"? {closing}'
        more = f' ("\\n"? {opening} {one}){PARALLEL}' if parallel else ""
        rules["root"] = f"{one}{more}" if opened else f"{opening} {one}{more}"
    return grammar_text(rules)
