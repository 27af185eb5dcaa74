"""Schemas, regular expressions and bounds as grammars, against a plain reading of GBNF."""

import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.call_grammar import call_grammar
from models.errors import GrammarInvalid
from models.grammar import json_grammar, schema_grammar
from models.numbers import integer, number
from models.regex import regex_grammar
from models.requests import Tool
from models.tool_formats import LLAMA, MISTRAL, TAGS
from tests.models.gbnf import Gbnf

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "age": {"type": "integer", "minimum": 0, "maximum": 130},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
        "mood": {"type": ["string", "null"]},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (
            PERSON,
            ['{"name":"Bo","age":0}', '{"name": "é","age": 130,"tags": ["a","b"],"mood": null}'],
            [
                '{"name":"","age":0}',
                '{"age":0,"name":"Bo"}',
                '{"name":"Bo","age":131}',
                '{"name":"Bo"}',
                '{"name":"Bo","age":01}',
                '{"name":"Bo","age":1,"tags":["a","a","a"]}',
                '{"name":"Bo","age":1,"x":2}',
                '{"{"name":"Bo","age":1}',
            ],
        ),
        (
            {"type": "object", "properties": {"a": {}, "b": {}}},
            ["{}", '{"a":1}', '{"b":[]}', '{"a":1,"b":2}'],
            ['{,"b":2}'],
        ),
        ({"enum": ["x", 1, None, {"a": 1}]}, ['"x"', "1", "null", '{"a": 1}'], ["x", "2", "true"]),
        ({"const": 'say "hi"\n'}, ['"say \\"hi\\"\\n"'], ['"say"']),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, ["1", "-20", "true"], ["1.5", '"a"']),
        ({"type": "string", "pattern": "^[A-Z]{2}-\\d+$"}, ['"AB-12"'], ['"A-1"', '"AB-"', '"AB-1 "']),
        ({"type": "string", "pattern": "b+"}, ['"abba"', '"b"'], ['"aa"', '""']),
        ({"type": "string", "pattern": '^["\\\\]$'}, ['"\\""', '"\\\\"'], ['"""', '"a"']),
        ({"type": "string", "maxLength": 2}, ['""', '"ab"', '"\\u00e9b"'], ['"abc"']),
        ({"type": "string", "format": "date"}, ['"2026-11-30"'], ['"2026-13-30"', '"today"']),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
            ['[1,"a"]'],
            ["[1]"],
        ),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, ["[1]", "[1,2, 3]"], ["[]", "[1,]"]),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, ["{}", '{"k":1,"l":2}'], ['{"k":"v"}']),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}},
                "required": ["a", "z"],
                "additionalProperties": True,
            },
            ['{"a":1,"z":true}', '{"a":1,"z":0,"q":[]}'],
            ['{"a":1}'],
        ),
        (
            {
                "allOf": [
                    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                    {"properties": {"b": {"type": "null"}}, "required": ["b"]},
                ]
            },
            ['{"a":1,"b":null}'],
            ['{"a":1}'],
        ),
        (
            {
                "$defs": {
                    "tree": {
                        "type": "object",
                        "properties": {
                            "v": {"type": "integer"},
                            "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                        },
                        "required": ["v"],
                    }
                },
                "$ref": "#/$defs/tree",
            },
            ['{"v":1}', '{"v":1,"kids":[{"v":2,"kids":[]},{"v":3}]}'],
            ['{"kids":[]}', '{"v":1,"kids":[1]}'],
        ),
        (True, ["1", "{}", "[[]]"], ["", "x"]),
    ],
)
def test_a_schema_becomes_a_grammar_for_its_texts(schema: Any, good: list[str], bad: list[str]) -> None:
    """What the grammar accepts is valid under the schema; what is not is rejected."""
    grammar = Gbnf(schema_grammar(schema))
    for text in good:
        assert grammar.accepts(text), text
        jsonschema.validate(json.loads(text), schema)
    for text in bad:
        assert not grammar.accepts(text), text


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "object", "patternProperties": {"^a": {}}}, "patternProperties"),
        ({"type": "array", "uniqueItems": True}, "uniqueItems"),
        ({"not": {"type": "string"}}, "not"),
        ({"if": {}, "then": {}}, "if"),
        ({"type": "number", "multipleOf": 0.5}, "multipleOf"),
        ({"type": "number", "minimum": 0.5}, "minimum"),
        ({"type": "string", "pattern": "(?=a)b"}, "pattern"),
        ({"type": "string", "pattern": "(a"}, "pattern"),
        ({"type": "banana"}, "type"),
        ({"$ref": "#/$defs/nothing"}, "$ref"),
        ({"$ref": "http://example.com/schema"}, "$ref"),
        ({"type": "object", "properties": {"a": {"properties": {"b": {"contains": {}}}}}}, "contains"),
        ({"unknownKeyword": 1}, "unknownKeyword"),
        ({"type": "object", "properties": {"a": False}}, "false"),
        ({"type": "integer", "minimum": 5, "maximum": 4}, "minimum"),
    ],
)
def test_pain_33_what_cannot_be_enforced_is_refused_by_name(schema: Any, keyword: str) -> None:
    """pain 33: the error names the keyword, at any depth; nothing is left unconstrained."""
    with pytest.raises(GrammarInvalid) as refusal:
        schema_grammar(schema)
    assert refusal.value.keyword == keyword


BOUND = st.one_of(st.none(), st.integers(-1200, 1200))


@settings(max_examples=150)
@given(BOUND, BOUND)
def test_bounds_of_integers_hold_digit_by_digit(low: int | None, high: int | None) -> None:
    """Exactly the numbers between the bounds are accepted, without leading zeros or plus signs."""
    if low is not None and high is not None and low > high:
        low, high = high, low
    grammar = Gbnf(f"root ::= {integer(low, high)}")
    near = {b + d for b in (low, high, 0) if b is not None for d in range(-12, 13)} | {-5000, -999, 99, 100, 7777}
    for value in near:
        allowed = (low is None or value >= low) and (high is None or value <= high)
        assert grammar.accepts(str(value)) is allowed, value
    assert not grammar.accepts("007")


@settings(max_examples=150)
@given(BOUND, BOUND, st.booleans(), st.booleans(), st.lists(st.decimals(-1300, 1300, places=2), max_size=20))
def test_bounds_of_decimals_hold(
    low: int | None, high: int | None, above: bool, below: bool, values: list[Any]
) -> None:
    """What is accepted lies between the bounds, exclusive ones too; and what lies there is accepted."""
    if low is not None and high is not None:
        if low > high:
            low, high = high, low
        if low == high and (above or below):
            return
    grammar = Gbnf(f"root ::= {number(low, high, above=above, below=below)}")
    for value in [*values, *(bound + d for bound in (low, high) if bound is not None for d in (-1, 0, 1))]:
        for text in {f"{value:.2f}", f"{value}"}:
            v = float(text)
            if v == 0 and text.startswith("-"):
                continue
            inside = (low is None or v > low or (v == low and not above)) and (
                high is None or v < high or (v == high and not below)
            )
            assert grammar.accepts(text) is inside, text


@given(
    st.sampled_from(
        ["[a-c]+x?", "(ab|cd){2,3}", "a.c", "[^0-9]*", r"\d{3}-\w+", "^x|y$", r"\.\*", "é+", "(?:a|b)*?c", ""]
    ),
    st.text(alphabet="abcdxyé019.*- \n", max_size=8),
)
def test_a_regex_becomes_a_grammar_for_its_matches(pattern: str, text: str) -> None:
    """A text is accepted exactly when the expression matches all of it."""
    if pattern == "^x|y$":
        return
    assert Gbnf(regex_grammar(pattern)).accepts(text) is (re.fullmatch(pattern, text, re.ASCII) is not None)


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?!a)b", r"\bword\b", "(?i)a", "a{3", "[", "a$b"])
def test_pain_33_a_regex_that_cannot_be_enforced_is_refused(pattern: str) -> None:
    """pain 33: lookaround, backreferences, inner anchors, flags and broken patterns are errors, not free text."""
    if pattern == "a{3":
        assert Gbnf(regex_grammar(pattern)).accepts("a{3")
        return
    with pytest.raises(GrammarInvalid) as refusal:
        regex_grammar(pattern)
    assert refusal.value.keyword == "pattern"


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=6,
        ),
        max_size=3,
    )
)
def test_any_object_fits_the_json_grammar(value: dict[str, Any]) -> None:
    """Every JSON object, as Python writes it, is accepted; a stray brace is not."""
    grammar = Gbnf(json_grammar())
    text = json.dumps(value, separators=(",", ": "))
    assert grammar.accepts(text)
    assert not grammar.accepts('{"' + text)


SEARCH = Tool(
    name="search",
    parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
)
NOW = Tool(name="now")


def test_forced_calls_name_a_tool_and_fit_its_schema() -> None:
    """Under the grammar only calls of the given tools, with arguments of the right shape, can be written."""
    grammar = Gbnf(call_grammar(TAGS, [SEARCH, NOW], parallel=True, opened=False))
    one = '<tool_call>\n{"name": "search", "arguments": {"q": "x"}}\n</tool_call>'
    assert grammar.accepts(one)
    assert grammar.accepts(f'{one}\n<tool_call>{{"name": "now", "arguments": {{}}}}</tool_call>')
    assert not grammar.accepts(one.replace('"q"', '"r"'))
    assert not grammar.accepts(one.replace("search", "delete"))
    alone = Gbnf(call_grammar(TAGS, [SEARCH], parallel=False, opened=True))
    assert alone.accepts(one.removeprefix("<tool_call>"))
    assert not alone.accepts(f"{one.removeprefix('<tool_call>')}\n{one}")


def test_forced_calls_come_in_each_models_own_form() -> None:
    """Mistral's list and Llama's bare object are bound too."""
    assert Gbnf(call_grammar(MISTRAL, [NOW, SEARCH], parallel=True, opened=False)).accepts(
        '[TOOL_CALLS] [{"name": "now", "arguments": {}}, {"name": "search", "arguments": {"q":""}}]'.replace(
            "] [", "]["
        )
    )
    assert Gbnf(call_grammar(LLAMA, [NOW], parallel=False, opened=False)).accepts('{"name": "now", "parameters": {}}')
