"""Calls written in Python, `[f(a=1), g(b="x")]`, as they arrive."""

import ast
import json
import re
import uuid

from models.requests import ToolCallDelta

NAME = r"[^\s()\[\]{},;:=\"'`]+"
BEGUN = re.compile(rf"\[\s*({NAME})\s*\(")
MAY_BEGIN = re.compile(rf"\[?\s*({NAME})?\s*")
_KEY = re.compile(rf"\s*({NAME})\s*=\s*")
OPEN, CLOSE = "([{", ")]}"


class PythonCalls:
    """
    A list of calls from its bracket on: each name as soon as it is known, each argument as JSON when it is whole.

    `push` says how much of a text belonged to the list. Numbers of calls count from *index*.
    """

    def __init__(self, index: int) -> None:
        self.index = index
        self.done = False
        self._text = ""  # since the last name or argument
        self._name: str | None = None
        self._given = 0
        self._depth = 0  # within an argument
        self._quote = ""
        self._escaped = False
        self._out: list[ToolCallDelta] = []

    def push(self, text: str) -> int:
        """Take from *text* what belongs to the list; how many characters."""
        for i, char in enumerate(text):
            self._step(char)
            if self.done:
                return i + 1
        return len(text)

    def take(self) -> list[ToolCallDelta]:
        """What became known since the last time."""
        out, self._out = self._out, []
        return out

    def finish(self) -> list[ToolCallDelta]:
        """The rest of a call that was broken off: its arguments end here."""
        if self._name is not None:
            self._end_call()
        return self.take()

    def _step(self, char: str) -> None:
        if self._name is None:
            if char == "(":
                self._begin_call(self._text.strip(" \t\r\n[,;"))
            elif char == "]":
                self.done = True
            else:
                self._text += char
            return
        if self._quote:
            if self._escaped:
                self._escaped = False
            elif char == "\\":
                self._escaped = True
            elif char == self._quote:
                self._quote = ""
        elif char in "\"'":
            self._quote = char
        elif char in OPEN:
            self._depth += 1
        elif char in CLOSE and self._depth:
            self._depth -= 1
        elif char == ")":
            self._argument()
            self._end_call()
            return
        elif char == "," and not self._depth:
            self._argument()
            return
        self._text += char

    def _begin_call(self, name: str) -> None:
        self._name, self._given, self._text = name, 0, ""
        self._out.append(begun(self.index, name))

    def _end_call(self) -> None:
        self._out.append(ToolCallDelta(index=self.index, arguments="}" if self._given else "{}"))
        self._name, self._text, self._depth, self._quote = None, "", 0, ""
        self.index += 1

    def _argument(self) -> None:
        text, self._text = self._text, ""
        named = _KEY.match(text)
        if named is None:
            return
        member = f"{json.dumps(named[1], ensure_ascii=False)}: {as_json(text[named.end() :].strip())}"
        self._out.append(ToolCallDelta(index=self.index, arguments=(", " if self._given else "{") + member))
        self._given += 1


def begun(index: int, name: str) -> ToolCallDelta:
    """What tells that a call has begun, with an id of its own."""
    return ToolCallDelta(index=index, id=f"call_{uuid.uuid4().hex[:24]}", name=name)


def as_json(text: str) -> str:
    """A Python value as JSON; one in JSON already stays, and what is neither is a text."""
    for read in (json.loads, ast.literal_eval):
        try:
            return json.dumps(read(text), ensure_ascii=False)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
    return json.dumps(text, ensure_ascii=False)
