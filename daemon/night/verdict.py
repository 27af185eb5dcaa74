"""How right an answer is, where what is right is known word for word."""

import re
from collections import Counter
from collections.abc import Sequence

RIGHT = 0.8
UNKNOWN = frozenset(["", "unknown", "i don't know", "i do not know", "not known", "?"])
_DECLINES = re.compile(
    r"\b(?:don['’]?t|do not|does not|doesn['’]?t|cannot|can['’]?t|not|nothing|no)\b.*\b(?:know|say|mention\w*|memory"
    r"|found|information|recorded?|answers?)\b|\bunknown\b|^\W*\?\W*$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])-?\d+(?:\.\d+)?")
_ITEMS = re.compile(r"\s*(?:,|;|→|->|\bthen\b|\band\b|\n)\s*", re.IGNORECASE)
_YES, _NO = re.compile(r"\W*yes\b", re.IGNORECASE), re.compile(r"\W*no\b", re.IGNORECASE)
_ROOM = 14  # words that an answer may have besides the right ones


def score(answer: str, gold: str) -> float:
    """
    How right *answer* is, 0 to 1: 1 where it is *gold*, or says it in a short sentence; else the F1 of their words.

    A number must be the one number that is said; things in order must come in that order; an unknown must be declined.
    """
    if gold.strip().casefold().rstrip(".") in UNKNOWN:
        return 1.0 if declines(answer) else 0.0
    if not answer.strip() or (declines(answer) and words(gold) != words(answer)):
        return 0.0
    right, said = words(gold), words(answer)
    if right == said:
        return 1.0
    if _YES.match(gold) or _NO.match(gold):
        return 1.0 if bool(_YES.match(gold)) == bool(_YES.match(answer)) and _is_plain(answer) else 0.0
    wanted = numbers(gold)
    if len(wanted) == 1 and len(right) <= 2:
        return 1.0 if set(numbers(answer)) == set(wanted) else 0.0
    items = [words(item) for item in _ITEMS.split(gold) if words(item)]
    if len(items) > 1:
        places = [_place(said, item) for item in items]
        if all(place is not None for place in places):
            return 1.0 if places == sorted(places, key=lambda place: place or 0) else 0.5
        return f1(said, right) / 2
    if _place(said, right) is not None and len(said) <= len(right) + _ROOM:
        return 1.0
    return min(f1(said, right), RIGHT - 0.01)


def _is_plain(answer: str) -> bool:
    return bool(_YES.match(answer) or _NO.match(answer))


def declines(answer: str) -> bool:
    """Whether *answer* says that it is not known."""
    return answer.strip().casefold().rstrip(".") in UNKNOWN or bool(_DECLINES.search(answer))


def words(text: str) -> tuple[str, ...]:
    """The words that answers are compared by: case folded, articles and punctuation left out."""
    found = re.findall(r"[^\W_]+(?:[.,'’-][^\W_]+)*", text.casefold())
    return tuple(word for word in found if word not in ("a", "an", "the"))


def numbers(text: str) -> list[float]:
    """The numbers in *text*, in order."""
    return [float(number.replace(",", "")) for number in _NUMBER.findall(text)]


def items(text: str) -> list[tuple[str, ...]]:
    """What *text* lists, each as its words."""
    return [words(item) for item in _ITEMS.split(text) if words(item)]


def f1(said: Sequence[str], right: Sequence[str]) -> float:
    """The harmonic mean of precision and recall over words."""
    common = (Counter(said) & Counter(right)).total()
    return 2 * common / (len(said) + len(right)) if common else 0.0


def holds(text: str, phrase: str) -> bool:
    """Whether *text* says *phrase*, word for word."""
    return bool(words(phrase)) and _place(words(text), words(phrase)) is not None


def _place(said: Sequence[str], item: Sequence[str]) -> int | None:
    for i in range(len(said) - len(item) + 1):
        if tuple(said[i : i + len(item)]) == tuple(item):
            return i
    return None
