"""Grammars for tool calls: names as offered, arguments as the schemas have them, all in the model's own format."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from models.charset import CharSet, literal
from models.errors import GrammarInvalid
from models.grammar import ANNOTATIONS, BASE, FORMATS, Members, Schema, grammar_text, literals, members
from models.regex import Regex, repetition
from models.requests import Tool
from models.tool_formats import ARGUMENTS, KEY, NAME, VALUE, ToolFormat

PARALLEL = "{0,7}"  # further calls: a small model bound to call would call for ever
PYTHON = BASE | {
    "boolean": '"True" | "False" | "true" | "false"',
    "null": '"None" | "null"',
    "string": '"\\"" char* "\\"" | "\'" ([^\'\\\\\\x00-\\x1F\\x7F] | "\\\\" [^\\x00-\\x1F\\x7F])* "\'"',
}
ANY_NAME = "[a-zA-Z_] [a-zA-Z0-9_]*"
PLAIN = "[^<]"  # of a text in tags where it is bound to a pattern or a length
_HOLES = re.compile(r"(\$NAME|\$ARGUMENTS|\$KEY|\$VALUE|\n)")


def call_grammar(form: ToolFormat, tools: Sequence[Tool], *, parallel: bool, opened: bool) -> str:
    """
    A grammar for calls of *tools* and nothing else.

    *opened*: the first opening text is already there. Arguments are bound by each tool's schema.

    Raises:
        GrammarInvalid: a schema cannot be enforced.
    """
    rules: dict[str, str] = {}
    holes = [
        {NAME: literal(form.shown(tool.name)), ARGUMENTS: _arguments(form, tool.parameters, rules, f"args-{i}")}
        for i, tool in enumerate(tools)
    ]

    def calls(written: str) -> str:
        return " | ".join(_spelled(written, each) for each in holes)

    rules["call"] = rules["first"] = calls(form.call)
    begin = form.begin
    if opened and begin.startswith(form.opens[0]):
        begin = begin.removeprefix(form.opens[0])
    elif opened:
        rules["first"] = calls(form.call.removeprefix(form.opens[0]))
    more = f"({_spelled(form.join)} call){PARALLEL}" if parallel and form.join is not None else ""
    rules["root"] = f"{_spelled(begin)} first {more} {_spelled(form.end)}"
    return grammar_text(rules, PYTHON if form.python and form.argument else BASE)


def _spelled(written: str, holes: Mapping[str, str] | None = None) -> str:
    """*written* as a grammar's expression; where a line ends, any blank may stand or none."""
    found = []
    for part in _HOLES.split(written):
        if holes is not None and part in holes:
            found.append(holes[part])
        elif part:
            found.append("ws" if part == "\n" else literal(part))
    return " ".join(found) or '""'


def _arguments(form: ToolFormat, schema: Mapping[str, Any], rules: dict[str, str], name: str) -> str:
    schema = schema or {"type": "object"}
    if not form.argument:
        return literals(schema, rules, name)

    def pair(key: str | None, found: Schema, value: str) -> str:
        if form.tagged:
            value = _in_tags(form, found, rules) or value
        return _spelled(form.argument, {KEY: ANY_NAME if key is None else literal(key), VALUE: value})

    return members(schema, rules, name, Members(pair, _spelled(form.joined)))


def _in_tags(form: ToolFormat, schema: Schema, rules: dict[str, str]) -> str | None:
    """The expression for a text in tags, which stands there as it is; None for a value of another type."""
    if not isinstance(schema, Mapping) or schema.get("type") != "string":
        return None
    for keyword in schema.keys() - ANNOTATIONS - {"type", "enum", "const", "pattern", "minLength", "maxLength"}:
        raise GrammarInvalid(keyword, "cannot be enforced by a grammar")
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        return f"({' | '.join(literal(str(value)) for value in values)})"
    if "pattern" in schema:
        return f"({Regex(str(schema['pattern']), CharSet.gbnf).found(PLAIN)})"
    if schema.get("format") in FORMATS:
        return f"({FORMATS[schema['format']]})"
    low, high = schema.get("minLength") or 0, schema.get("maxLength")
    if low or high is not None:
        return f"{PLAIN}{repetition(low, high)}"
    closing = form.argument.partition(VALUE)[2].strip()
    return without_text(closing, rules, "text")


def without_text(stop: str, rules: dict[str, str], name: str) -> str:
    """
    The name of a rule for any text that *stop* does not stand in.

    *stop* must hold its first character nowhere else: then one that comes always begins anew.
    """
    first = stop[0]
    for i in range(len(stop)):
        expected = {first} if i == 0 else {first, stop[i]}
        others = CharSet.of([(ord(char), ord(char)) for char in expected] + [(0, 0)]).inverted().gbnf()
        ways = [f"{others} {name}", f"{literal(first)} {name}-1", '""']
        if 0 < i < len(stop) - 1:
            ways.insert(1, f"{literal(stop[i])} {name}-{i + 1}")
        rules[name if i == 0 else f"{name}-{i}"] = " | ".join(ways)
    return name
