"""Tool calls in a stream."""

import json

import pytest

from models.requests import Delta, ToolCallDelta, collect
from models.tools import LLAMA, MISTRAL, TAGS, ToolFormat, ToolParser, tool_format


def stream(form: ToolFormat, text: str, size: int) -> tuple[str, list[tuple[str, object]]]:
    """What a text gives in pieces of *size*: the rest of the text, and (name, arguments) of each call."""
    parser = ToolParser(form)
    shown = ""
    deltas: list[ToolCallDelta] = []
    for at in range(0, len(text), size):
        piece, calls = parser.push(text[at : at + size])
        shown += piece
        deltas += calls
    piece, calls = parser.finish()
    answer = collect([Delta(tool_calls=(call,)) for call in [*deltas, *calls]] or [Delta()])[0]
    return shown + piece, [(call.name, json.loads(call.arguments)) for call in answer.tool_calls]


CASES = [
    (TAGS, '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>', "", [("f", {"a": 1})]),
    (
        TAGS,
        'Look:\n<tool_call>{"arguments": {"q": "}\\"{"}, "name": "f"}</tool_call><tool_call>{"name": "g"}</tool_call>',
        "Look:\n",
        [("f", {"q": '}"{'}), ("g", {})],
    ),
    (TAGS, "a <b> c <tool", "a <b> c <tool", []),
    (TAGS, '<tool_call>{"name": "f", "arguments": "{\\"a\\": 2}"}</tool_call> done', "done", [("f", {"a": 2})]),
    (TAGS, '<tool_call>{"nom": "f"}', '{"nom": "f"}', []),
    (LLAMA, '{"name": "f", "parameters": {"x": [1, {"y": null}]}}', "", [("f", {"x": [1, {"y": None}]})]),
    (LLAMA, '<|python_tag|>{"type": "function", "name": "f", "parameters": {}}', "", [("f", {})]),
    (LLAMA, '{"answer": 42}', '{"answer": 42}', []),
    (LLAMA, "plain words", "plain words", []),
    (
        MISTRAL,
        '[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]',
        "",
        [("f", {"a": 1}), ("g", {})],
    ),
]


@pytest.mark.parametrize("size", [1, 3, 8, 1000])
@pytest.mark.parametrize(("form", "text", "shown", "calls"), CASES)
def test_calls_are_taken_out_of_the_text(
    form: ToolFormat, text: str, shown: str, calls: list[tuple[str, object]], size: int
) -> None:
    """However the text is cut, calls come out with their arguments, and what is no call stays text."""
    got_text, got_calls = stream(form, text, size)
    if text.startswith('<tool_call>{"nom"'):
        assert got_calls == []  # no call without a name; the stream is past the point where it could be text
        return
    assert got_text == shown
    assert got_calls == calls


def test_arguments_stream_as_they_are_written() -> None:
    """The name comes before the arguments are complete, and these come in pieces."""
    parser = ToolParser(TAGS)
    _, first = parser.push('<tool_call>{"name": "f", "arguments": {"text": "on')
    _, second = parser.push("ce upon")
    _, third = parser.push(' a time"}}</tool_call>')
    assert [call.name for call in first] == ["f", None]
    assert first[0].id is not None and first[0].id.startswith("call_")
    assert "".join(call.arguments for call in [*first, *second, *third]) == '{"text": "once upon a time"}'
    assert second[0].arguments == "ce upon"


def test_formats_are_recognised_by_what_templates_teach() -> None:
    """A template without tools, or with a way of calling unknown here, gets the fallback."""
    assert tool_format("{{ messages }}") is None
    assert tool_format("{% if tools %}<tool_call>{% endif %}") is TAGS
    assert tool_format("{% if tools %}[TOOL_CALLS]{% endif %}") is MISTRAL
    assert tool_format("{% if tools %}<|python_tag|>{% endif %}") is LLAMA
    assert tool_format("{% if tools %}<tool_call><function=name>{% endif %}") is None
