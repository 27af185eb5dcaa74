"""A call written in tags, as it arrives: texts stand in them as they are, other values as JSON."""

import json
import re
from collections.abc import Mapping

from models.python_calls import begun
from models.requests import Tool, ToolCallDelta


class TaggedCall:
    """
    One call between its opening and its closing text: each argument as JSON when it is whole.

    *patterns* are those of the name, and of an argument's key and value.
    """

    def __init__(self, index: int, patterns: tuple[str, str], tools: Mapping[str, Tool]) -> None:
        self._index = index
        self._name_pattern, self._argument = patterns
        self._tools = tools
        self._types: Mapping[str, object] = {}
        self._given = 0
        self.name: str | None = None

    def push(self, text: str, *, whole: bool) -> tuple[str, list[ToolCallDelta]]:
        """
        Take what is certain of *text*, which with *whole* is the rest of the call.

        Returns:
            What is to come again with more, and what became known.
        """
        if not whole and "</" not in text:
            return text, []
        found = list(re.finditer(self._argument, text, re.DOTALL))
        if not found and not whole:
            return text, []
        out: list[ToolCallDelta] = []
        if self.name is None:
            named = re.match(self._name_pattern, text)
            if named is None:
                return text, []
            self.name = named[1].strip()
            if self.name in self._tools:
                self._types = self._tools[self.name].parameters.get("properties", {})
            out.append(begun(self._index, self.name))
        for argument in found:
            key = argument[1].strip()
            member = {key: _typed(argument[2], self._types.get(key))}
            shown = json.dumps(member, ensure_ascii=False)[1:-1]
            out.append(ToolCallDelta(index=self._index, arguments=(", " if self._given else "{") + shown))
            self._given += 1
        if whole:
            out.append(ToolCallDelta(index=self._index, arguments="}" if self._given else "{}"))
        return text[found[-1].end() :] if found else text, out


def _typed(text: str, schema: object) -> object:
    """An argument that was written without quotes: JSON, unless it is to be a text or is none."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
