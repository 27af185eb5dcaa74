"""Tool calls in a stream."""

import json

import pytest

from models.call_grammar import call_grammar
from models.requests import Delta, Tool, ToolCallDelta, collect
from models.tool_formats import (
    COHERE,
    COMMAND_R,
    DEEPSEEK,
    DEEPSEEK_FENCED,
    FORMATS,
    FUNCTION_TAGS,
    GLM,
    GRANITE,
    HARMONY,
    KIMI,
    LIQUID,
    LLAMA,
    MISTRAL,
    MISTRAL_NAMED,
    PHI,
    PYTHON,
    QWEN_CODER,
    TAGS,
    ToolFormat,
    tool_format,
)
from models.tools import ToolParser
from tests.models.gbnf import Gbnf

TEXTS = Tool(name="f", parameters={"type": "object", "properties": {"text": {"type": "string"}}})


def stream(form: ToolFormat, text: str, size: int) -> tuple[str, list[tuple[str, object]]]:
    """What a text gives in pieces of *size*: the rest of the text, and (name, arguments) of each call."""
    parser = ToolParser(form, [TEXTS])
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
    (
        MISTRAL_NAMED,
        'Let me look.[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g[CALL_ID]x1[ARGS]{}',
        "Let me look.",
        [("f", {"a": 1}), ("g", {})],
    ),
    (MISTRAL_NAMED, "[TOOL_CALLS] nothing of the kind", " nothing of the kind", []),
    (
        DEEPSEEK_FENCED,
        (
            '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": "```"}\n```'
            "<｜tool▁call▁end｜>\n"
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
        ),
        "",
        [("f", {"a": "```"}), ("g", {})],
    ),
    (
        DEEPSEEK,
        (
            'Yes.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>'
            "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
        ),
        "Yes.",
        [("f", {"a": 1}), ("g", {})],
    ),
    (
        KIMI,
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>"
            '{"a": 1}<|tool_call_end|><|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{}<|tool_call_end|>'
            "<|tool_calls_section_end|>"
        ),
        "",
        [("f", {"a": 1}), ("g", {})],
    ),
    (
        COHERE,
        (
            '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "f", "parameters": {"a": [1]}},\n'
            '    {"tool_call_id": "1", "tool_name": "g", "parameters": {}}\n]<|END_ACTION|>'
        ),
        "",
        [("f", {"a": [1]}), ("g", {})],
    ),
    (
        COMMAND_R,
        'Plan: I look.\nAction: ```json\n[\n    {\n        "tool_name": "f",\n    "parameters": {"a": 1}\n    }\n]```',
        "Plan: I look.\n",
        [("f", {"a": 1})],
    ),
    (COMMAND_R, "Action: none", "Action: none", []),
    (
        GRANITE,
        '<|tool_call|>[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]',
        "",
        [("f", {"a": 1}), ("g", {})],
    ),
    (
        PHI,
        '<|tool_call|>[{"type": "function", "function": {"name": "f", "arguments": {"a": {"name": 1}}}}]<|/tool_call|>',
        "",
        [("f", {"a": {"name": 1}})],
    ),
    (PHI, 'functools[{"name": "f", "arguments": {"a": 1}}]', "", [("f", {"a": 1})]),
    (PHI, "import functools", "import functools", []),
    (FUNCTION_TAGS, '<function=f>{"a": 1}</function>\n<function=g>{}</function>', "", [("f", {"a": 1}), ("g", {})]),
    (
        QWEN_CODER,
        (
            "I look.\n<tool_call>\n<function=f>\n<parameter=text>\n12\n<b>\n</parameter>\n"
            "<parameter=a>\n[1, 2]\n</parameter>\n</function>\n</tool_call>\n"
            "<tool_call>\n<function=g>\n</function>\n</tool_call>"
        ),
        "I look.\n",
        [("f", {"text": "12\n<b>", "a": [1, 2]}), ("g", {})],
    ),
    (QWEN_CODER, "<tool_call>\nnothing of the kind</tool_call>.", "nothing of the kind.", []),
    (
        GLM,
        (
            "<tool_call>f\n<arg_key>text</arg_key>\n<arg_value>12</arg_value>\n<arg_key>a</arg_key>\n"
            "<arg_value>12</arg_value>\n</tool_call><tool_call>g\n</tool_call>"
        ),
        "",
        [("f", {"text": "12", "a": 12}), ("g", {})],
    ),
    (
        PYTHON,
        '[f(text="a, (b]", a=[1, {"x": None}], ok=True), g()]',
        "",
        [("f", {"text": "a, (b]", "a": [1, {"x": None}], "ok": True}), ("g", {})],
    ),
    (PYTHON, "[f(text='it\\'s', b=true, c=word)]", "", [("f", {"text": "it's", "b": True, "c": "word"})]),
    (PYTHON, "<|python_start|>[other(a=1)]<|python_end|>", "", [("other", {"a": 1})]),
    (PYTHON, "[1] is a footnote, f(x) none", "[1] is a footnote, f(x) none", []),
    (PYTHON, "[f] then", "[f] then", []),
    (LLAMA, '[f(a=1), f(a="2")]', "", [("f", {"a": 1}), ("f", {"a": "2"})]),
    (
        LIQUID,
        'Let me see.<|tool_call_start|>[f(a=1), g(b="x")]<|tool_call_end|>Done.',
        "Let me see.Done.",
        [("f", {"a": 1}), ("g", {"b": "x"})],
    ),
    (LIQUID, '<|tool_call_start|>[{"name": "f", "arguments": {"a": 1}}]<|tool_call_end|>', "", [("f", {"a": 1})]),
    (
        HARMONY,
        '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
        "",
        [("f", {"a": 1})],
    ),
]
TOOLS = (
    Tool(name="f", parameters={"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}),
    Tool(name='odd "name"'),
)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_a_format_writes_its_parser_reads_and_its_grammar_allows(form: ToolFormat) -> None:
    """A row of the table agrees with itself: two calls as it writes them are two calls, and text that is forced."""
    one = form.written("f", '{"a":1}')
    text = form.begin + one + ("" if form.join is None else form.join + one) + form.end
    count = 1 if form.join is None else 2
    assert stream(form, text, 4) == ("", [("f", {"a": 1})] * count)
    assert Gbnf(call_grammar(form, TOOLS, parallel=True, opened=False)).accepts(text)
    assert Gbnf(call_grammar(form, TOOLS, parallel=False, opened=False)).accepts(form.example("f", '{"a":1}'))
    assert not Gbnf(call_grammar(form, TOOLS, parallel=False, opened=False)).accepts(form.example("f", '{"a":2}'))
    if not form.bare:
        opened = text.removeprefix(form.opens[0])
        assert opened != text
        assert Gbnf(call_grammar(form, TOOLS, parallel=True, opened=True)).accepts(opened)


TEMPLATES = {
    "tool_calls {{'<｜tool▁calls▁begin｜>' + tool['type'] + '<｜tool▁sep｜>' + name + '```json'}}": DEEPSEEK_FENCED,
    "tool_calls {{'<｜tool▁calls▁begin｜>' + name + '<｜tool▁sep｜>'}}": DEEPSEEK,
    "{% if tools %}<|tool_calls_section_begin|><|tool_call_begin|>": KIMI,
    "{% if tools %}<|START_ACTION|>": COHERE,
    "{% if tools %}Write 'Action:' followed by a json-formatted list: Action: ```json": COMMAND_R,
    "{% if tools %}[TOOL_CALLS]{{ name }}[ARGS]": MISTRAL_NAMED,
    "{% if 'tools' in message %}<|tool|>{{ message['tools'] }}<|/tool|>": PHI,
    "{% if tools %}respond with <|tool_call|> followed by a JSON list of tools used": GRANITE,
    "{% if tools %}<function=example_function_name>{{ parameters }}</function><|python_tag|>": FUNCTION_TAGS,
    "{% if tools %}<|start|>assistant<|channel|>analysis<|message|>": HARMONY,
    "{% if tools %}<tool_call>{name}<arg_key>": GLM,
    "{% if tools %}<tool_call><function=name><parameter=key>": QWEN_CODER,
    "{% if tools %}<|tool_list_start|>[": LIQUID,
    "{% if tools %}{{ 'List of tools: [' }}": LIQUID,
    "{% if tools %}[func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]": PYTHON,
    'tools {"name": function name, "parameters": dictionary}<|python_start|>': LLAMA,
}


@pytest.mark.parametrize(("template", "form"), TEMPLATES.items())
def test_models_of_today_are_recognised_by_their_templates(template: str, form: ToolFormat | None) -> None:
    """What each family's template shows names its row."""
    assert tool_format(template) is form


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


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "unit": {"type": "string", "enum": ["km", "miles"]},
        "count": {"type": "integer"},
        "deep": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]},
    },
    "required": ["text", "count"],
}


@pytest.mark.parametrize("form", [QWEN_CODER, GLM, PYTHON, LIQUID, TAGS], ids=lambda form: form.name)
def test_arguments_follow_the_schema_in_every_way_of_writing_them(form: ToolFormat) -> None:
    """Once a call is opened, its name is one of the tools', and its arguments are those of the schema, in its types."""
    grammar = Gbnf(call_grammar(form, [Tool(name="f", parameters=SCHEMA)], parallel=False, opened=True))

    def allows(name: str, **arguments: object) -> bool:
        return grammar.accepts(form.example(name, json.dumps(arguments)).removeprefix(form.opens[0]))

    assert allows("f", text="a <b> </param>\n'c'", unit="km", count=12, deep={"on": True})
    assert allows("f", text="", count=-1)
    assert not allows("g", text="", count=1)
    assert not allows("f", text="")
    assert not allows("f", text="", count="many")
    assert not allows("f", text="", unit="feet", count=1)
    assert not allows("f", text="", count=1, more=2)
    assert not allows("f", text="", count=1, deep={})


def test_an_open_argument_in_tags_ends_at_its_own_closing_tag() -> None:
    """A text in tags may hold anything but the tag that ends it."""
    grammar = Gbnf(call_grammar(QWEN_CODER, [Tool(name="f", parameters=SCHEMA)], parallel=False, opened=True))
    call = QWEN_CODER.example("f", json.dumps({"text": "TEXT", "count": 1})).removeprefix("<tool_call>")
    assert grammar.accepts(call.replace("TEXT", "</parameter <</para> <parameter=x> </parameter"))
    assert not grammar.accepts(call.replace("TEXT", "</parameter>"))


@pytest.mark.parametrize(
    ("form", "pieces", "begun"),
    [
        (TAGS, ["Well. <tool", "_call>"], ""),
        (TAGS, ["<tool_call>\n{"], "\n{"),
        (LLAMA, ['{"na', 'me": "f'], '{"name": "f'),
        (PYTHON, ["[", "f", "(a"], "[f(a"),
        (TAGS, ["nothing"], None),
    ],
)
def test_what_has_come_of_a_call_is_known_when_it_begins(
    form: ToolFormat, pieces: list[str], begun: str | None
) -> None:
    """A token may hold more than the opening text: a grammar that binds from there on goes on after it."""
    parser = ToolParser(form, [TEXTS])
    for piece in pieces:
        parser.push(piece)
    assert parser.begun == begun
