"""A plain reading of GBNF, to hold grammars against."""

import re
from collections.abc import Callable, Iterator

Match = Callable[[str, int], Iterator[int]]


class Gbnf:
    """A GBNF text as a set of backtracking matchers: slow, and simple enough to be believed."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, Match] = {}
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            self.body, self.at = body, 0
            self.rules[name] = self._choice()
            assert self.at == len(body), f"{name}: stopped at {body[self.at :]!r}"

    def accepts(self, text: str) -> bool:
        """Whether the root rule matches all of *text*."""
        return any(end == len(text) for end in self.rules["root"](text, 0))

    def _space(self) -> None:
        while self.at < len(self.body) and self.body[self.at] in " \t":
            self.at += 1

    def _choice(self) -> Match:
        options = [self._sequence()]
        while self.at < len(self.body) and self.body[self.at] == "|":
            self.at += 1
            options.append(self._sequence())

        def match(text: str, start: int) -> Iterator[int]:
            seen = set()
            for option in options:
                for end in option(text, start):
                    if end not in seen:
                        seen.add(end)
                        yield end

        return match

    def _sequence(self) -> Match:
        items = []
        self._space()
        while self.at < len(self.body) and self.body[self.at] not in "|)":
            items.append(self._repeated(self._item()))
            self._space()

        def match(text: str, start: int, i: int = 0) -> Iterator[int]:
            if i == len(items):
                yield start
                return
            for middle in items[i](text, start):
                yield from match(text, middle, i + 1)

        return match

    def _repeated(self, item: Match) -> Match:
        low, high = 1, 1
        mark = self.body[self.at : self.at + 1]
        if mark and mark in "*+?":
            low, high = {"*": (0, 10**6), "+": (1, 10**6), "?": (0, 1)}[mark]
            self.at += 1
        elif mark == "{":
            found = re.compile(r"\{(\d+)(,?)(\d*)\}").match(self.body, self.at)
            assert found
            low = int(found[1])
            high = int(found[3]) if found[3] else 10**6 if found[2] else low
            self.at = found.end()
        if (low, high) == (1, 1):
            return item

        def match(text: str, start: int, count: int = 0) -> Iterator[int]:
            if count < high:
                for middle in item(text, start):
                    if middle > start:
                        yield from match(text, middle, count + 1)
            if count >= low or (count == 0 and low == 1 and start in item(text, start)):
                yield start

        return match

    def _item(self) -> Match:
        char = self.body[self.at]
        if char == "(":
            self.at += 1
            inner = self._choice()
            assert self.body[self.at] == ")"
            self.at += 1
            return inner
        if char == '"':
            return self._literal()
        if char == "[":
            return self._class()
        found = re.compile(r"[\w-]+").match(self.body, self.at)
        assert found, self.body[self.at :]
        self.at = found.end()
        return lambda text, start: self.rules[found.group()](text, start)

    def _char(self) -> str:
        char = self.body[self.at]
        self.at += 1
        if char != "\\":
            return char
        kind = self.body[self.at]
        self.at += 1
        size = {"x": 2, "u": 4, "U": 8}.get(kind)
        if size is None:
            return {"n": "\n", "t": "\t", "r": "\r"}.get(kind, kind)
        code = self.body[self.at : self.at + size]
        self.at += size
        return chr(int(code, 16))

    def _literal(self) -> Match:
        self.at += 1
        wanted = ""
        while self.body[self.at] != '"':
            wanted += self._char()
        self.at += 1
        return lambda text, start: iter((start + len(wanted),) if text.startswith(wanted, start) else ())

    def _class(self) -> Match:
        self.at += 1
        negated = self.body[self.at] == "^"
        self.at += negated
        ranges = []
        while self.body[self.at] != "]":
            low = high = self._char()
            if self.body[self.at] == "-" and self.body[self.at + 1] != "]":
                self.at += 1
                high = self._char()
            ranges.append((low, high))
        self.at += 1

        def match(text: str, start: int) -> Iterator[int]:
            if start < len(text) and any(low <= text[start] <= high for low, high in ranges) is not negated:
                yield start + 1

        return match
