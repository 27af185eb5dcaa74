"""
The YAML block at the head of a page: read it, and set one key of it by editing its lines.

Nothing is ever dumped as a whole, so comments, list styles, quoting, dates and the order of keys stay as they were
written. The parser serves to read the values and to find where in the text a value stands.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from io import StringIO
from types import MappingProxyType

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

EMPTY: Mapping[str, object] = MappingProxyType({})

_SIMPLE = re.compile(r"([A-Za-z_][\w-]*): ([A-Za-z][\w./-]*(?: [\w./()-]+)*)")
_OLD_YAML_WORD = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null|none|~|\.inf|\.nan)|[-+.\d][-+.,:_\dxobTZ \t]*")
_MOST_CHARACTERS = 65_536
_MOST_BRACKETS = 500


@dataclass(frozen=True)
class PageProblem:
    """Why a page is read-only: *line* of the file (from 1) and a *reason* in the owner's words."""

    line: int
    reason: str


@dataclass(frozen=True)
class Frontmatter:
    """What stands at the head of a page. Without frontmatter, or with a problem, the body starts at line 1."""

    body_start: int = 1
    values: Mapping[str, object] = field(default_factory=lambda: EMPTY)
    problem: PageProblem | None = None


class _Constructor(SafeConstructor):
    """Reads `2026-13-45` as the text it is, where YAML's own rule would fail."""

    def construct_yaml_timestamp(self, node: ScalarNode, values: object = None) -> object:
        try:
            return super().construct_yaml_timestamp(node, values)
        except (ValueError, OverflowError):
            return self.construct_scalar(node)


_Constructor.add_constructor("tag:yaml.org,2002:timestamp", _Constructor.construct_yaml_timestamp)


def _yaml() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _Constructor
    return yaml


def read_frontmatter(lines: Sequence[str]) -> Frontmatter:
    """
    The frontmatter of a page with these *lines*.

    Only a first line of exactly `---` opens it, and only a YAML mapping makes it one: prose between two thematic
    breaks is body, and noted as a problem, since other programs may take it for frontmatter.
    """
    if not lines or lines[0] != "---":
        return Frontmatter()
    for number, line in enumerate(lines[1:], start=2):
        if line in ("---", "..."):
            return _read_block("\n".join(lines[1 : number - 1]), number + 1)
    return Frontmatter()


@lru_cache(maxsize=256)
def _read_block(block: str, body_start: int) -> Frontmatter:
    simple = _read_simple(block)
    if simple is not None:
        return Frontmatter(body_start, MappingProxyType(simple))
    if len(block) > _MOST_CHARACTERS or block.count("[") + block.count("{") > _MOST_BRACKETS:
        return Frontmatter(problem=PageProblem(1, "the frontmatter is too long, or too deeply nested, to be read"))
    try:
        loaded = _yaml().load(block)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        found = " ".join(str(error.problem or error.context).split())
        return Frontmatter(problem=PageProblem((mark.line if mark else 0) + 2, f"this is not valid YAML: {found}"))
    except (YAMLError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        found = " ".join(str(error).split())[:120] or type(error).__name__
        return Frontmatter(problem=PageProblem(2, f"this is not valid YAML: {found}"))
    if loaded is None:
        return Frontmatter(body_start)
    if not isinstance(loaded, dict):
        kind = "a list" if isinstance(loaded, list) else "text"
        return Frontmatter(problem=PageProblem(1, f"between the first two '---' stands {kind}, not 'key: value' lines"))
    return Frontmatter(body_start, MappingProxyType({str(key): value for key, value in loaded.items()}))


def _read_simple(block: str) -> dict[str, object] | None:
    """*block* read without a YAML parser where every line is `key: some words`, as most pages have it, else None."""
    values: dict[str, object] = {}
    for line in block.split("\n"):
        match = _SIMPLE.fullmatch(line)
        if not match or match[1] in values or _OLD_YAML_WORD.fullmatch(match[2]) or _OLD_YAML_WORD.fullmatch(match[1]):
            return None
        values[match[1]] = match[2]
    return values


def with_key(block: Sequence[str] | None, key: str, value: object) -> tuple[int, int, list[str]]:
    """
    The edit that sets *key*: lines `[start:stop]` of *block* (0-based; None: no frontmatter yet) become the texts.

    Raises:
        ValueError: the value cannot be written, or the place of the key is not plain to see.
    """
    if block is None:
        return 0, 0, [f"{_scalar(key, flow=False)}: {_value(value, None)}"]
    root = YAML(pure=True).compose(StringIO("\n".join(block) + "\n"))
    if root is None:
        return len(block), len(block), [f"{_scalar(key, flow=False)}: {_value(value, None)}"]
    if not isinstance(root, MappingNode):
        raise ValueError("the frontmatter is not a mapping")
    for name, old in root.value:
        if isinstance(name, ScalarNode) and name.value == key:
            return _replaced(block, name, old, value, flow=bool(root.flow_style))
    if root.flow_style:
        line, column = root.end_mark.line, root.end_mark.column - 1
        comma = ", " if root.value else ""
        entry = f"{comma}{_scalar(key, flow=True)}: {_value(value, None, flow=True)}"
        return line, line + 1, [block[line][:column].rstrip() + entry + block[line][column:]]
    indent = " " * root.start_mark.column
    at = _last_line(block, root) + 1
    return at, at, [f"{indent}{_scalar(key, flow=False)}: {_value(value, None)}"]


def _replaced(block: Sequence[str], name: Node, old: Node, value: object, *, flow: bool) -> tuple[int, int, list[str]]:
    if isinstance(old, SequenceNode) and not old.flow_style and isinstance(value, list | tuple) and value and old.value:
        return _replaced_items(block, old, value)
    start, column = old.start_mark.line, old.start_mark.column
    stop, end = _end(block, old)
    if isinstance(old, ScalarNode) and not old.style and not old.value:
        start = stop = name.end_mark.line
        column = end = block[start].index(":", name.end_mark.column) + 1
    elif start > name.end_mark.line:
        start = name.end_mark.line
        column = block[start].index(":", name.end_mark.column) + 1
    head = block[start][:column]
    tail = block[stop][end:] if stop < len(block) else ""
    gap = "" if head.endswith((" ", "\t")) or not head.strip() else " "
    return start, stop + 1, [head + gap + _value(value, old, flow=flow) + tail]


def _replaced_items(block: Sequence[str], old: SequenceNode, value: Sequence[object]) -> tuple[int, int, list[str]]:
    """A block list with new items: the line of every item that stays is kept as it was written."""
    start = old.start_mark.line
    stop = _last_line(block, old) + 1
    loaded = _yaml().load("\n".join(block))
    written: dict[str, list[str]] = {}
    values = next((v for v in loaded.values() if isinstance(v, list) and len(v) == len(old.value)), [])
    bounds = [item.start_mark.line for item in old.value] + [stop]
    for item, text, first, last in zip(values, old.value, bounds, bounds[1:], strict=False):
        if isinstance(text, ScalarNode):
            written.setdefault(repr(item), []).append("\n".join(block[first:last]))
    indent = " " * old.start_mark.column
    texts: list[str] = []
    for item in value:
        kept = written.get(repr(item))
        texts.extend(kept.pop(0).split("\n") if kept else [f"{indent}- {_value(item, None)}"])
    return start, stop, texts


def _last_line(block: Sequence[str], node: Node) -> int:
    return _end(block, node)[0]


def _end(block: Sequence[str], node: Node) -> tuple[int, int]:
    """Line and column just behind the last character of *node*: a block's own end mark lies beyond its comments."""
    if isinstance(node, ScalarNode) and node.style not in ("|", ">"):
        return node.end_mark.line, node.end_mark.column
    if isinstance(node, CollectionNode) and node.flow_style:
        return node.end_mark.line, node.end_mark.column
    if isinstance(node, SequenceNode) and node.value:
        return _end(block, node.value[-1])
    if isinstance(node, MappingNode) and node.value:
        return _end(block, node.value[-1][1])
    line = node.end_mark.line - (1 if node.end_mark.column == 0 else 0)
    line = min(line, len(block) - 1)
    while line > node.start_mark.line and not block[line].strip():
        line -= 1
    return line, len(block[line])


def _value(value: object, old: Node | None, *, flow: bool = False) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_scalar(item, flow=True) for item in value) + "]"
    style = old.style if isinstance(old, ScalarNode) else None
    return _scalar(value, flow=flow, quote=style if style in ("'", '"') else None)


def _scalar(value: object, *, flow: bool, quote: str | None = None) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), _float(value))
        case datetime() | date():
            return value.isoformat()
        case str():
            return _text(value, flow=flow, quote=quote)
        case _:
            raise ValueError(f"a {type(value).__name__} cannot stand in frontmatter")


def _float(value: float) -> str:
    text = repr(value)
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


def _text(value: str, *, flow: bool, quote: str | None) -> str:
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if quote is None and _plain(value, flow=flow):
        return value
    return '"' + "".join(map(_escaped, value)) + '"'


def _plain(value: str, *, flow: bool) -> bool:
    """Whether *value* may stand unquoted, in the eyes of old YAML readers too."""
    if not value.isprintable() or value != value.strip() or _OLD_YAML_WORD.fullmatch(value):
        return False
    if value in ("---", "...") or value.startswith(("--- ", "... ", "@", "`", "=", "<<")):
        return False
    try:
        loaded = _yaml().load(f"k: [{value}]" if flow else f"k: {value}")
    except (YAMLError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError):
        return False
    return isinstance(loaded, dict) and loaded == {"k": [value] if flow else value}


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
