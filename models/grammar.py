"""
JSON and JSON schemas to GBNF, so that a model can write nothing else.

A keyword that a grammar cannot express is refused by name; nothing is silently left unconstrained. Bounds too large
for a grammar are left to the check of the finished answer.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from models.charset import literal
from models.errors import GrammarInvalid
from models.numbers import integer, number
from models.regex import json_string_body, repetition

Schema = Mapping[str, Any] | bool

ANY_CHAR = "char"
BASE = {
    "ws": '| " " | "\\n" [ \\t]{0,20}',
    "char": '[^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\bfnrt/] | "u" [0-9a-fA-F]{4})',
    "string": '"\\"" char* "\\""',
    "integer": '"-"? ("0" | [1-9] [0-9]{0,15})',
    "number": '"-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "value": "object | array | string | number | boolean | null",
    "object": '"{" ws (string ":" ws value ("," ws string ":" ws value)*)? ws "}"',
    "array": '"[" ws (value ("," ws value)*)? ws "]"',
}
FORMATS = {
    "date": '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])',
    "time": (
        '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,6})? '
        '("Z" | [-+] [01] [0-9] ":" [0-5] [0-9])'
    ),
    "uuid": '[0-9a-f]{8} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{12}',
}
TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "discriminator"}
    | {"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "contentMediaType", "contentEncoding"}
    | {"format", "strict"}
)
# Keywords by the type they speak of; a schema without `type` that uses them is of that type.
KEYWORDS: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties", "unevaluatedProperties"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems"}),
    "string": frozenset({"minLength", "maxLength", "pattern"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}),
}
COMBINED = frozenset({"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "nullable"})
HARMLESS: Mapping[str, object] = {"uniqueItems": False, "minProperties": 0, "multipleOf": 1, "not": False}
KNOWN = ANNOTATIONS | COMBINED | frozenset().union(*KEYWORDS.values())


def json_grammar() -> str:
    """A grammar for any JSON object."""
    return grammar_text({"root": "object"})


def schema_grammar(schema: Schema) -> str:
    """
    A grammar for the JSON texts that *schema* allows, or for some of them: properties come in the schema's order.

    Raises:
        GrammarInvalid: a keyword cannot be enforced; it is named.
    """
    rules: dict[str, str] = {}
    root = _Compiler(schema, rules).compile(schema, "root")
    if root != "root":
        rules["root"] = root
    return grammar_text(rules)


def literals(schema: Schema, rules: dict[str, str], name: str) -> str:
    """Compile *schema* into *rules*, to be used within a larger grammar; the expression that stands for it."""
    return _Compiler(schema, rules).compile(schema, name)


@dataclass(frozen=True, slots=True)
class Members:
    """
    How an object has its members.

    *pair* writes one: its key (None for any), its schema and the JSON value as an expression. *joined*: what stands
    between two of them.
    """

    pair: Callable[[str | None, Schema, str], str]
    joined: str


def _json_pair(key: str | None, _: Schema, value: str) -> str:
    return f'string ":" ws {value}' if key is None else f"{literal(_json(key) + ':')} ws {value}"


JSON = Members(_json_pair, '"," ws')


def members(schema: Schema, rules: dict[str, str], name: str, way: Members) -> str:
    """
    Compile the members of an object as *way* has them; the expression for all of them.

    Raises:
        GrammarInvalid: the schema is not simply one of an object, or has a part that cannot be enforced.
    """
    return _Compiler(schema, rules).members(schema, name, way)


def grammar_text(rules: Mapping[str, str], base: Mapping[str, str] = BASE) -> str:
    """*rules* with the *base* rules that they use, as a GBNF text."""
    return "".join(f"{name} ::= {body}\n" for name, body in {**rules, **base}.items())


class _Compiler:
    """One schema document on its way into rules."""

    def __init__(self, document: Schema, rules: dict[str, str]) -> None:
        self._document = document
        self._rules = rules
        self._references: dict[str, str] = {}

    def compile(self, schema: Schema, name: str) -> str:
        """The expression for *schema*: the name of a rule, or an alternative in parentheses."""
        if schema is True or schema == {}:
            return "value"
        if schema is False:
            raise GrammarInvalid("false", "a schema that allows nothing")
        if not isinstance(schema, Mapping):
            raise GrammarInvalid("schema", f"{schema!r} is not a schema")
        for keyword, value in schema.items():
            if keyword not in KNOWN and not (keyword in HARMLESS and HARMLESS[keyword] == value):
                raise GrammarInvalid(keyword, "cannot be enforced by a grammar")
        if "$ref" in schema:
            return self._reference(schema, name)
        if "allOf" in schema:
            return self.compile(self._merged(schema), name)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._alternatives(schema, keyword, name)
        if "const" in schema:
            return self._rule(name, literal(_json(schema["const"])))
        if "enum" in schema:
            return self._enum(schema, name)
        kinds = self._kinds(schema)
        if len(kinds) == 1:
            return self._of_type(kinds[0], schema, name)
        return self._rule(name, " | ".join(self._of_type(kind, schema, f"{name}-{kind}") for kind in kinds))

    def _rule(self, name: str, body: str) -> str:
        name = "".join(c if c.isascii() and c.isalnum() else "-" for c in name).strip("-") or "r"
        unique, count = name, 1
        while unique in BASE or (unique in self._rules and self._rules[unique] != body):
            count += 1
            unique = f"{name}-{count}"
        self._rules[unique] = body
        return unique

    @staticmethod
    def _kinds(schema: Mapping[str, Any]) -> list[str]:
        kinds = schema.get("type")
        if kinds is None:
            kinds = [kind for kind, keywords in KEYWORDS.items() if keywords & schema.keys()] or list(TYPES)
            if len(kinds) == len(TYPES):
                kinds.remove("integer")  # a number already
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        if schema.get("nullable") is True:
            kinds.append("null")
        for kind in kinds:
            if kind not in TYPES:
                raise GrammarInvalid("type", f"{kind!r} is not a JSON type")
        if not kinds:
            raise GrammarInvalid("type", "an empty list allows nothing")
        return kinds

    def _of_type(self, kind: str, schema: Mapping[str, Any], name: str) -> str:
        match kind:
            case "object":
                return self._object(schema, name)
            case "array":
                return self._array(schema, name)
            case "string":
                return self._string(schema, name)
            case "integer" | "number":
                return self._number(kind, schema, name)
        return kind

    # -- combinations ---

    def _reference(self, schema: Mapping[str, Any], name: str) -> str:
        others = schema.keys() - ANNOTATIONS - {"$ref"}
        if others:
            raise GrammarInvalid(min(others), "beside $ref it cannot be enforced")
        address = schema["$ref"]
        known = self._references.get(address)
        if known is None:
            target = self._resolve(address)
            known = self._references[address] = self._rule(str(address).rpartition("/")[2] or name, "placeholder")
            del self._rules[known]
            self._rules[known] = f'"{address}"'  # holds the name while the target, which may lead back here, compiles
            body = self.compile(target, f"{known}-of")
            self._rules[known] = body
        return known

    def _resolve(self, address: object) -> Schema:
        if not isinstance(address, str) or not address.startswith("#"):
            raise GrammarInvalid("$ref", f"{address!r} does not point into this schema")
        node: Any = self._document
        for part in address.lstrip("#").strip("/").split("/") if address.strip("#/") else []:
            part = part.replace("~1", "/").replace("~0", "~")
            try:
                node = node[int(part)] if isinstance(node, list) else node[part]
            except (KeyError, IndexError, ValueError, TypeError):
                raise GrammarInvalid("$ref", f"{address!r} points nowhere") from None
        if not isinstance(node, Mapping | bool):
            raise GrammarInvalid("$ref", f"{address!r} is not a schema")
        return node

    def _merged(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """*schema* with its allOf folded in."""
        base = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
        for part in schema["allOf"]:
            part = self._resolve(part["$ref"]) if isinstance(part, Mapping) and set(part) == {"$ref"} else part
            if part is True:
                continue
            if not isinstance(part, Mapping):
                raise GrammarInvalid("allOf", "a schema that allows nothing")
            base = _fold(base, self._merged(part) if "allOf" in part else part, "allOf")
        return base

    def _alternatives(self, schema: Mapping[str, Any], keyword: str, name: str) -> str:
        base = {key: value for key, value in schema.items() if key != keyword and key not in ANNOTATIONS}
        options = []
        for i, option in enumerate(schema[keyword]):
            if base and isinstance(option, Mapping):
                target = self._resolve(option["$ref"]) if "$ref" in option else option
                option = _fold(base, target, keyword) if isinstance(target, Mapping) else base
            options.append(self.compile(option, f"{name}-{i}"))
        if not options:
            raise GrammarInvalid(keyword, "an empty list allows nothing")
        return self._rule(name, " | ".join(dict.fromkeys(options)))

    def _enum(self, schema: Mapping[str, Any], name: str) -> str:
        kinds = self._kinds(schema) if "type" in schema else None
        values = [value for value in schema["enum"] if kinds is None or _kind_of(value) & set(kinds)]
        if not values:
            raise GrammarInvalid("enum", "it allows nothing")
        return self._rule(name, " | ".join(literal(_json(value)) for value in values))

    # -- types ---

    def _object(self, schema: Mapping[str, Any], name: str) -> str:
        properties = schema.get("properties") or schema.get("required")
        if not properties and schema.get("additionalProperties", schema.get("unevaluatedProperties", True)) is True:
            return "object"
        return self._rule(name, f'"{{" ws {self._members(schema, name, JSON)} ws "}}"')

    def members(self, schema: Schema, name: str, way: Members) -> str:
        """See the function of this name."""
        while isinstance(schema, Mapping) and schema.keys() & {"$ref", "allOf"}:
            schema = self._merged(schema) if "allOf" in schema else self._resolve(schema["$ref"])
        if not isinstance(schema, Mapping) or schema.get("type", "object") != "object":
            raise GrammarInvalid("type", "arguments are an object")
        for keyword in schema.keys() - ANNOTATIONS - KEYWORDS["object"] - {"type"}:
            raise GrammarInvalid(keyword, "cannot be enforced by a grammar")
        return self._members(schema, name, way)

    def _members(self, schema: Mapping[str, Any], name: str, way: Members) -> str:
        """Members in order, optional ones or not, with what joins those that are there."""
        properties: dict[str, Schema] = dict(schema.get("properties", {}))
        more: Schema = schema.get("additionalProperties", schema.get("unevaluatedProperties", not properties))
        required = list(schema.get("required", ()))
        for key in required:
            if key not in properties:
                if more is False:
                    raise GrammarInvalid("required", f"{key!r} is required and not allowed")
                properties[key] = more
        pairs = []
        for key, value in properties.items():
            pairs.append((way.pair(key, value, self.compile(value, f"{name}-{key}")), key in required))
        extra = None if more is False else way.pair(None, more, self.compile(more, f"{name}-more"))
        tail = f"({way.joined} {extra})*" if extra else '""'
        tails = [tail]
        for i in range(len(pairs) - 1, 0, -1):
            pair, needed = pairs[i]
            piece = f"{way.joined} {pair}" if needed else f"({way.joined} {pair})?"
            tails.append(self._rule(f"{name}-tail{i}", f"{piece} {tails[-1]}"))
        tails.reverse()  # tails[i] follows pair i
        firsts = []
        for i, (pair, needed) in enumerate(pairs):
            firsts.append(f"{pair} {tails[i]}")
            if needed:
                break
        else:
            if extra:
                firsts.append(f"{extra} {tail}")
            firsts.append('""')
        return f"({' | '.join(firsts)})"

    def _array(self, schema: Mapping[str, Any], name: str) -> str:
        low, high = _count(schema, "minItems") or 0, _count(schema, "maxItems")
        first: list[Schema] = list(schema.get("prefixItems", ()))
        items: Any = schema.get("items", True)
        if isinstance(items, list):  # as drafts before 2020 wrote a tuple
            first, items = items, True
        heads = [self.compile(each, f"{name}-{i}") for i, each in enumerate(first)]
        if heads:
            if low < len(heads) and "minItems" in schema:
                raise GrammarInvalid("minItems", "below the number of prefixItems it cannot be enforced")
            body = ' "," ws '.join(heads)
            if items is not False and (high is None or high > len(heads)):
                rest = self.compile(items, f"{name}-item")
                room = None if high is None else high - len(heads)
                body += f' ("," ws {rest}){repetition(max(0, low - len(heads)), room)}'
            return self._rule(name, f'"[" ws {body} ws "]"')
        if high == 0 or items is False:
            return self._rule(name, '"[" ws "]"')
        item = self.compile(items, f"{name}-item")
        body = f'{item} ("," ws {item}){repetition(max(0, low - 1), None if high is None else high - 1)}'
        return self._rule(name, f'"[" ws {body} ws "]"' if low else f'"[" ws ({body})? ws "]"')

    def _string(self, schema: Mapping[str, Any], name: str) -> str:
        if "pattern" in schema:
            body = json_string_body(str(schema["pattern"]), ANY_CHAR)
            return self._rule(name, f'"\\"" {body} "\\""')
        low, high = _count(schema, "minLength") or 0, _count(schema, "maxLength")
        form = schema.get("format")
        if form == "date-time":
            return self._rule(name, f'"\\"" {FORMATS["date"]} "T" {FORMATS["time"]} "\\""')
        if form in FORMATS:
            return self._rule(name, f'"\\"" {FORMATS[form]} "\\""')
        if not low and high is None:
            return "string"
        return self._rule(name, f'"\\"" char{repetition(low, high)} "\\""')

    def _number(self, kind: str, schema: Mapping[str, Any], name: str) -> str:
        if not KEYWORDS["number"] & schema.keys():
            return kind
        low, above = _bound(schema, "minimum", "exclusiveMinimum", max)
        high, below = _bound(schema, "maximum", "exclusiveMaximum", min)
        if kind == "integer":
            floor = None if low is None else (int(low) if low == int(low) else int(low // 1) + 1)
            ceiling = None if high is None else int(high // 1)
            if floor is not None and above and low == floor:
                floor += 1
            if ceiling is not None and below and high == ceiling:
                ceiling -= 1
            return self._rule(name, integer(floor, ceiling))
        for keyword, bound in (("minimum", low), ("maximum", high)):
            if bound is not None and bound != int(bound):
                raise GrammarInvalid(keyword, f"{bound} is not a whole number")
        whole_low = None if low is None else int(low)
        whole_high = None if high is None else int(high)
        return self._rule(name, number(whole_low, whole_high, above=above, below=below))


def _bound(schema: Mapping[str, Any], inclusive: str, exclusive: str, tighter: Any) -> tuple[float | None, bool]:
    """The bound that counts, and whether it is itself excluded."""
    closed, open_ = schema.get(inclusive), schema.get(exclusive)
    if isinstance(open_, bool):  # as draft 4 wrote it
        return closed, open_
    for keyword, value in ((inclusive, closed), (exclusive, open_)):
        if value is not None and not isinstance(value, int | float):
            raise GrammarInvalid(keyword, f"{value!r} is not a number")
    if closed is None or open_ is None:
        return (closed, False) if open_ is None else (open_, True)
    return (open_, True) if tighter(closed, open_) == open_ else (closed, False)


def _count(schema: Mapping[str, Any], keyword: str) -> int | None:
    value = schema.get(keyword)
    if value is None:
        return None
    if not isinstance(value, int) or value < 0:
        raise GrammarInvalid(keyword, f"{value!r} is not a count")
    return value


def _fold(a: Mapping[str, Any], b: Mapping[str, Any], keyword: str) -> dict[str, Any]:
    """Both schemas in one, where that is a schema."""
    out = dict(a)
    for key, value in b.items():
        if key not in out or key in ANNOTATIONS or out[key] == value:
            out[key] = value
        elif key == "properties":
            out[key] = {**out[key], **value}
        elif key == "required":
            out[key] = list(dict.fromkeys([*out[key], *value]))
        elif key == "additionalProperties" and False in (out[key], value):
            out[key] = False
        else:
            raise GrammarInvalid(keyword, f"two different {key} cannot be joined")
    return out


def _kind_of(value: object) -> set[str]:
    match value:
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number"}
        case str():
            return {"string"}
        case None:
            return {"null"}
        case list():
            return {"array"}
    return {"object"}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
