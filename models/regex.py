"""Regular expressions to GBNF. What a grammar cannot express is refused by name."""

import re
from collections.abc import Callable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from models.charset import DIGITS, SPACE, WORD, CharSet
from models.errors import GrammarInvalid

REPEAT_LIMIT = 2000  # llama.cpp refuses more
NEWLINE = CharSet(((0x0A, 0x0A),))
CATEGORIES = {
    op.CATEGORY_DIGIT: CharSet(DIGITS),
    op.CATEGORY_NOT_DIGIT: CharSet(DIGITS).inverted(),
    op.CATEGORY_WORD: CharSet(WORD),
    op.CATEGORY_NOT_WORD: CharSet(WORD).inverted(),
    op.CATEGORY_SPACE: CharSet(SPACE),
    op.CATEGORY_NOT_SPACE: CharSet(SPACE).inverted(),
}
STARTS = {op.AT_BEGINNING, op.AT_BEGINNING_STRING}
ENDS = {op.AT_END, op.AT_END_STRING}
REFUSED = {
    op.ASSERT: ("(?=", "lookaround cannot be enforced"),
    op.ASSERT_NOT: ("(?!", "lookaround cannot be enforced"),
    op.GROUPREF: ("\\1", "backreferences cannot be enforced"),
    op.GROUPREF_EXISTS: ("(?(", "conditional groups cannot be enforced"),
}


def regex_grammar(pattern: str) -> str:
    """
    A grammar for the texts that *pattern* matches from begin to end.

    Raises:
        GrammarInvalid: it is no regular expression, or has a part that a grammar cannot express.
    """
    return f"root ::= {Regex(pattern, CharSet.gbnf).whole()}\n"


def json_string_body(pattern: str, any_char: str) -> str:
    """
    An expression for JSON strings, without quotes, in which *pattern* is found; anchors bind it to the ends.

    *any_char* is the expression for any character of a JSON string.
    """
    return Regex(pattern, CharSet.gbnf_in_json).found(any_char)


class Regex:
    """A parsed pattern; *char* writes one character of a set."""

    def __init__(self, pattern: str, char: Callable[[CharSet], str]) -> None:
        self._char = char
        try:
            parsed = parser.parse(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise GrammarInvalid("pattern", f"not a regular expression: {error}") from error
        flags = parsed.state.flags & ~re.UNICODE
        if flags:
            raise GrammarInvalid("pattern", "flags such as (?i) cannot be enforced")
        self._items = list(parsed)

    def whole(self) -> str:
        """For texts that match from begin to end; anchors at the ends say so once more."""
        items, _, _ = _anchored(self._items)
        return self._sequence(items)

    def found(self, any_char: str) -> str:
        """For texts in which the pattern is found."""
        branches = [self._items]
        if len(self._items) == 1 and self._items[0][0] is op.BRANCH:
            branches = [list(branch) for branch in self._items[0][1][1]]
        out = []
        for branch in branches:
            items, start, end = _anchored(branch)
            body = self._sequence(items)
            out.append(f"{'' if start else f'{any_char}* '}{body}{'' if end else f' {any_char}*'}")
        return out[0] if len(out) == 1 else f"({' | '.join(out)})"

    def _sequence(self, items: Any) -> str:
        return " ".join(self._item(kind, value) for kind, value in items) or '""'

    def _item(self, kind: Any, value: Any) -> str:
        if kind is op.LITERAL:
            return self._char(CharSet(((value, value),)))
        if kind is op.NOT_LITERAL:
            return self._char(CharSet(((value, value),)).inverted())
        if kind is op.ANY:
            return self._char(NEWLINE.inverted())
        if kind is op.IN:
            return self._char(_members(value))
        if kind is op.BRANCH:
            return f"({' | '.join(self._sequence(branch) for branch in value[1])})"
        if kind is op.SUBPATTERN:
            _, added, removed, inner = value
            if added or removed:
                raise GrammarInvalid("pattern", "flags such as (?i:...) cannot be enforced")
            return f"({self._sequence(inner)})"
        if kind in {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}:
            low, high, inner = value
            return f"({self._sequence(inner)}){repetition(int(low), None if high is op.MAXREPEAT else int(high))}"
        if kind is op.ATOMIC_GROUP:
            return f"({self._sequence(value)})"
        if kind is op.AT:
            raise GrammarInvalid("pattern", "an anchor or \\b within a pattern cannot be enforced")
        keyword, reason = REFUSED.get(kind, (str(kind).lower(), "cannot be enforced"))
        raise GrammarInvalid("pattern", f"{keyword}: {reason}")


def _anchored(items: Any) -> tuple[list[Any], bool, bool]:
    """*items* without anchors at the ends, and whether they were there."""
    items = list(items)
    start = bool(items) and items[0][0] is op.AT and items[0][1] in STARTS
    items = items[1:] if start else items
    end = bool(items) and items[-1][0] is op.AT and items[-1][1] in ENDS
    return items[:-1] if end else items, start, end


def _members(items: Any) -> CharSet:
    ranges: list[tuple[int, int]] = []
    negated = False
    for kind, value in items:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.LITERAL:
            ranges.append((value, value))
        elif kind is op.RANGE:
            ranges.append(value)
        elif kind is op.CATEGORY and value in CATEGORIES:
            ranges += CATEGORIES[value].ranges
        else:
            raise GrammarInvalid("pattern", f"{str(value).lower()} cannot be enforced")
    found = CharSet.of(ranges)
    return found.inverted() if negated else found


def repetition(low: int, high: int | None) -> str:
    """A GBNF repetition mark. *high* None, or more than llama.cpp takes, is open."""
    low = min(low, REPEAT_LIMIT)
    if high is None or high > REPEAT_LIMIT:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    return f"{{{low},{high}}}" if (low, high) != (0, 1) else "?"
