"""Bounds of numbers to GBNF, digit by digit."""

from models.errors import GrammarInvalid

FRACTION = '("." [0-9]{1,15})'
SOME_FRACTION = '("." "0"{0,13} [1-9] [0-9]{0,14})'
NO_FRACTION = '("." "0"{1,3})'
DIGITS_LIMIT = 15


def integer(low: int | None, high: int | None) -> str:
    """An expression for the whole numbers from *low* to *high*, both included; None is open."""
    if low is not None and high is not None and low > high:
        raise GrammarInvalid("minimum", f"{low} is more than the maximum {high}")
    parts = []
    if high is None or high >= 0:
        parts.append(_natural(max(low or 0, 0), high))
    if low is None or low < 0:
        parts.append(
            f'"-" ({_natural(max(1, -high if high is not None and high < 0 else 1), None if low is None else -low)})'
        )
    return " | ".join(parts)


def number(low: int | None, high: int | None, *, above: bool = False, below: bool = False) -> str:
    """
    An expression for the decimals from *low* to *high*; *above* and *below* leave the bound itself out.

    Bounds are whole numbers: digits of fractions are not compared here.
    """
    if low is not None and high is not None and (low > high or (low == high and (above or below))):
        raise GrammarInvalid("minimum", f"{low} leaves nothing below the maximum {high}")
    parts = []
    if high is None or high > 0 or (high == 0 and not below):
        positive = low is None or low < 0
        parts += _decimals(0 if positive else low or 0, high, above=above and not positive, below=below)
    if low is None or low < 0:
        ends = high is not None and high <= 0
        mirrored = _decimals(
            -high if ends and high is not None else 0,
            None if low is None else -low,
            above=(below and ends) or not ends or high == 0,
            below=above,
        )
        parts += [f'"-" ({part})' for part in mirrored]
    return " | ".join(parts)


def _decimals(low: int, high: int | None, *, above: bool, below: bool) -> list[str]:
    """Decimals from *low* to *high*, neither negative."""
    if high is not None and low == high:
        return [] if above or below else [f"({_natural(low, low)}) {NO_FRACTION}?"]
    parts = []
    inner = low
    if above:
        parts.append(f"({_natural(low, low)}) {SOME_FRACTION}")
        inner = low + 1
    if high is None:
        parts.append(f"({_natural(inner, None)}) {FRACTION}?")
        return parts
    if inner <= high - 1:
        parts.append(f"({_natural(inner, high - 1)}) {FRACTION}?")
    if not below:
        parts.append(f"({_natural(high, high)}) {NO_FRACTION}?")
    return parts


def _natural(low: int, high: int | None) -> str:
    """Whole numbers from *low* to *high*, neither negative, without leading zeros."""
    parts = []
    if low == 0:
        parts.append('"0"')
        low = 1
        if high == 0:
            return '"0"'
    if high is None:
        size = len(str(low))
        parts.append(_same_size(str(low), "9" * size))
        if size < DIGITS_LIMIT:
            parts.append(f"[1-9] [0-9]{{{size},{DIGITS_LIMIT}}}")
        return " | ".join(parts)
    for size in range(len(str(low)), len(str(high)) + 1):
        smallest = max(low, 10 ** (size - 1))
        largest = min(high, 10**size - 1)
        parts.append(_same_size(str(smallest), str(largest)))
    return " | ".join(parts)


def _same_size(low: str, high: str) -> str:
    """Digit strings of one length from *low* to *high*."""
    if not low:
        return '""'
    if low[0] == high[0]:
        tail = _same_size(low[1:], high[1:])
        return f'"{low[0]}"' if tail == '""' else f'"{low[0]}" ({tail})'
    parts = []
    first, last = int(low[0]), int(high[0])
    rest = len(low) - 1
    if low[1:].strip("0"):
        parts.append(f'"{first}" ({_same_size(low[1:], "9" * rest)})')
        first += 1
    if high[1:].strip("9"):
        parts.append(f'"{last}" ({_same_size("0" * rest, high[1:])})')
        last -= 1
    if first <= last:
        digits = "" if rest == 0 else f" [0-9]{{{rest}}}"
        parts.append(f"[{first}-{last}]{digits}")
    return " | ".join(parts)
