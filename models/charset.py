"""Sets of characters as ranges, and how GBNF writes them, plainly or within a JSON string."""

from collections.abc import Iterable
from dataclasses import dataclass

HIGHEST = 0x10FFFF
DIGITS = ((0x30, 0x39),)
WORD = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE = ((0x09, 0x0D), (0x20, 0x20))
JSON_ESCAPES = {0x22: '"', 0x5C: "\\", 0x08: "b", 0x0C: "f", 0x0A: "n", 0x0D: "r", 0x09: "t"}
JSON_FORBIDDEN = ((0x00, 0x1F), (0x22, 0x22), (0x5C, 0x5C))

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CharSet:
    """Code points, as sorted ranges that do not touch."""

    ranges: tuple[Range, ...]

    @staticmethod
    def of(ranges: Iterable[Range]) -> "CharSet":
        """The union of *ranges*."""
        merged: list[Range] = []
        for low, high in sorted(ranges):
            if merged and low <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else:
                merged.append((low, high))
        return CharSet(tuple(merged))

    def inverted(self) -> "CharSet":
        """All code points that are not in the set."""
        out: list[Range] = []
        at = 0
        for low, high in self.ranges:
            if at < low:
                out.append((at, low - 1))
            at = high + 1
        if at <= HIGHEST:
            out.append((at, HIGHEST))
        return CharSet(tuple(out))

    def without(self, other: "CharSet") -> "CharSet":
        """What is in this set and not in *other*."""
        return CharSet.of([*self.inverted().ranges, *other.ranges]).inverted()

    def __contains__(self, point: int) -> bool:
        return any(low <= point <= high for low, high in self.ranges)

    def gbnf(self) -> str:
        """A GBNF expression for one character of the set."""
        if self.ranges and self.ranges[-1][1] == HIGHEST:
            rest = self.inverted()
            if not rest.ranges:
                return "[^\\x00]"
            return f"[^{''.join(map(_range, rest.ranges))}]"
        return f"[{''.join(map(_range, self.ranges))}]"

    def gbnf_in_json(self) -> str:
        """A GBNF expression for one character of the set as it stands in a JSON string, escaped where it must be."""
        plain = self.without(CharSet(JSON_FORBIDDEN))
        parts = [plain.gbnf()] if plain.ranges else []
        parts += [literal("\\" + sign) for point, sign in JSON_ESCAPES.items() if point in self]
        return parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"


def _range(pair: Range) -> str:
    low, high = pair
    return _point(low) if low == high else f"{_point(low)}-{_point(high)}"


def _point(point: int) -> str:
    char = chr(point)
    if char.isascii() and char.isalnum():
        return char
    if point <= 0xFF:
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"


def literal(text: str) -> str:
    """*text* as a GBNF literal."""
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif ord(char) < 0x20 or ord(char) == 0x7F:
            out.append(f"\\x{ord(char):02X}")
        else:
            out.append(char)
    return f'"{"".join(out)}"'
