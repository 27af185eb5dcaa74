"""Taking tool calls out of a stream of text, in the format that the model writes them in (`models.tool_formats`)."""

import json
import re
from collections.abc import Sequence

from models.python_calls import BEGUN, MAY_BEGIN, PythonCalls, begun
from models.requests import Tool, ToolCallDelta
from models.tagged_calls import TaggedCall
from models.tool_formats import ToolFormat

NAMES, ARGUMENTS = frozenset({"name", "tool_name"}), frozenset({"arguments", "parameters"})
BARE = ('{"name"', '{"type":"function"')  # how a call without an opening text begins, blanks apart
HEADER_LIMIT = 400  # characters between an opening and the arguments


class CallStream:
    """
    One call as its JSON object arrives: the name first, then the arguments' text, as it is written.

    Text goes in character by character; `push` says how much of it belonged to the object. With a *name* the object is
    the arguments alone. A call may also lie in the object's member `function`.
    """

    def __init__(self, index: int, name: str | None = None) -> None:
        self._index = index
        self._depth = 0
        self._level = 1  # where the members that count lie
        self._in_string = False
        self._escaped = False
        self._text: list[str] = []
        self._string_at = 0
        self._key: str | None = None
        self._expects_key = True
        self._value_at: int | None = None
        self._arguments_from: int | None = None if name is None else 0
        self._arguments_to: int | None = None
        self._sent = 0
        self.name = name
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
                if self._depth == self._level and self._expects_key:
                    self._key = self._decoded(self._string_at, at + 1)
            return
        if char == '"':
            self._in_string, self._string_at = True, at
            self._begin_value(at)
        elif char in "{[":
            self._begin_value(at)
            if char == "{" and self._depth == self._level == 1 and self._key == "function":
                self._level, self._expects_key, self._key = 2, True, None
            self._depth += 1
        elif char in "}]":
            if self._depth == self._level:
                self._end_value(at)
            self._depth -= 1
            if self._depth == 0:
                self.done = True
                if self._arguments_from == 0:
                    self._arguments_to = at + 1
        elif self._depth == self._level and char == ":":
            self._expects_key, self._value_at = False, None
        elif self._depth == self._level and char == ",":
            self._end_value(at)
            self._expects_key, self._key = True, None
        elif not char.isspace():
            self._begin_value(at)

    def _begin_value(self, at: int) -> None:
        if self._depth == self._level and not self._expects_key and self._value_at is None:
            self._value_at = at
            if self._key in ARGUMENTS and self._arguments_from is None:
                self._arguments_from = at

    def _end_value(self, at: int) -> None:
        if self._expects_key or self._value_at is None:
            return
        raw = "".join(self._text[self._value_at : at]).rstrip()
        if self._arguments_from == 0:
            return
        if self._key in NAMES:
            self.name = self._decoded(self._value_at, at)
        elif self._key in ARGUMENTS:
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
            out.append(begun(self._index, self.name))
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
    """
    Takes the calls out of an answer's text, in a given format; *tools* say which arguments are texts.

    After each `push`, *begun* is what of it stands behind the first opening text, where that came; else None.
    """

    def __init__(self, form: ToolFormat, tools: Sequence[Tool] = ()) -> None:
        self._form = form
        self._tools = {tool.name: tool for tool in tools}
        self._state = "start"
        self._held = ""
        self._call: CallStream | None = None
        self._list: PythonCalls | None = None
        self._tagged: TaggedCall | None = None
        self.calls = 0
        self.begun: str | None = None

    def push(self, text: str) -> tuple[str, list[ToolCallDelta]]:
        """Text that belongs to no call, and pieces of calls; a possible opening is held back."""
        self.begun = None
        text = self._held + text
        self._held = ""
        shown: list[str] = []
        calls: list[ToolCallDelta] = []
        while text:
            match self._state:
                case "call":
                    text = self._in_call(text, calls)
                case "header":
                    text = self._in_header(text, shown)
                case "between":
                    text = self._between(text)
                case "opened":
                    text = self._opened(text, shown, calls)
                case "listed":
                    text = self._listed(text)
                case "list":
                    text = self._in_list(text, calls)
                case _:
                    text = self._in_text(text, shown)
            if self._held:
                break
        return "".join(shown), calls

    def _in_text(self, text: str, shown: list[str]) -> str:
        form = self._form
        if self._state == "start" and form.bare:
            head = text.lstrip()
            if self._bare(head):
                self.begun = head
                return head
            if self._may_be_bare(head):
                self._held = text
                return ""
        self._state = "text"
        found = [(place, opening) for opening in form.opens if (place := text.find(opening)) >= 0]
        if found:
            place, opening = min(found)
            shown.append(text[:place] if text[:place].strip() else "")
            self._enter()
            self.begun = text[place + len(opening) :]
            return self.begun
        keep = 0
        for opening in form.opens:
            for length in range(min(len(opening) - 1, len(text)), keep, -1):
                if text.endswith(opening[:length]):
                    keep = length
                    break
        shown.append(text[: len(text) - keep])
        self._held = text[len(text) - keep :]
        return ""

    def _bare(self, head: str) -> bool:
        """Whether an answer that begins with *head* is a call without an opening text; then it is opened."""
        if re.sub(r"\s", "", head).startswith(BARE):
            self._open()
            return True
        named = BEGUN.match(head) if self._form.python else None
        if named is not None and named[1] in self._tools:
            self._open_list()
            return True
        return False

    def _may_be_bare(self, head: str) -> bool:
        named = MAY_BEGIN.fullmatch(head) if self._form.python else None
        if named is not None:
            return any(name.startswith(named[1] or "") for name in self._tools)
        return any(begin.startswith(re.sub(r"\s", "", head)) for begin in BARE)

    def _enter(self) -> None:
        """An opening text has gone by."""
        form = self._form
        self._state = "header" if form.named else "opened" if form.tagged else "listed" if form.python else "between"

    def _open(self, name: str | None = None) -> None:
        self._call = CallStream(self.calls, name)
        self._state = "call"

    def _open_list(self) -> None:
        self._list = PythonCalls(self.calls)
        self._state = "list"

    def _listed(self, text: str) -> str:
        """After an opening in a format of lists in Python: one, or JSON all the same."""
        text = text.lstrip()
        if BEGUN.match(text):
            self._open_list()
        elif MAY_BEGIN.fullmatch(text):
            self._held = text
            return ""
        else:
            self._state = "between"
        return text

    def _in_list(self, text: str, calls: list[ToolCallDelta]) -> str:
        found = self._list
        assert found is not None
        used = found.push(text)
        calls += found.take()
        self.calls = found.index
        if found.done:
            self._list = None
            self._state = "between"
        return text[used:]

    def _in_header(self, text: str, shown: list[str]) -> str:
        """From an opening to the arguments: the name stands here."""
        place = text.find("{")
        if place < 0 and len(text) <= HEADER_LIMIT:
            self._held = text
            return ""
        named = re.fullmatch(self._form.named, text[:place].strip(), re.DOTALL) if place >= 0 else None
        if named is None:
            self._state = "text"
            shown.append(text)
            return ""
        self._open(named[1].strip())
        return text[place:]

    def _opened(self, text: str, shown: list[str], calls: list[ToolCallDelta]) -> str:
        """After an opening in a format with tags: a JSON object all the same, or tags up to the closing text."""
        if self._tagged is None:
            text = text.lstrip()
            if text.startswith("{"):
                self._open()
                return text
            assert self._form.tagged is not None
            self._tagged = TaggedCall(self.calls, self._form.tagged, self._tools)
        block, closed, rest = text.partition(self._form.skips[0])
        left, found = self._tagged.push(block, whole=bool(closed))
        calls += found
        if not closed:
            self._held = left
            return ""
        if not self._tagged_ends():
            shown.append(block)
        self._state = "between"
        return rest

    def _tagged_ends(self) -> bool:
        """Let go of a call in tags; False where it has been none."""
        named = self._tagged is not None and self._tagged.name is not None
        self._tagged = None
        self.calls += named
        return named

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
        """Around calls: openings, what is skipped, commas and blanks; anything else is text again."""
        text = text.lstrip(" \n\r\t,;")
        if not text:
            return ""
        if text[0] == "{" and not self._form.named:
            self._open()
            return text
        marks = (*self._form.opens, *self._form.skips)
        for mark in sorted(marks, key=len, reverse=True):
            if text.startswith(mark):
                if mark in self._form.opens:
                    self._enter()
                return text[len(mark) :]
        if any(mark.startswith(text) for mark in marks):
            self._held = text
            return ""
        self._state = "text"
        return text

    def finish(self) -> tuple[str, list[ToolCallDelta]]:
        """What was held back; a call that never got a name comes back as text."""
        held, self._held = self._held, ""
        if self._tagged is not None:
            _, found = self._tagged.push(held, whole=True)
            return "" if self._tagged_ends() else held, found
        if self._state == "between":
            held = ""
        if self._list is not None:
            found = self._list.finish()
            self.calls = self._list.index
            self._list = None
            return "", found
        if self._call is not None:
            if self._call.name is None:
                held = self._call.text
            else:
                self.calls += 1
            self._call = None
        return held, []
