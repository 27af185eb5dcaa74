"""
Events by which a question tells its time, "before the trip", "since I moved", and when memory says that they were.

No event is known by name: what memory tells of one is read for dates, and only where these agree do they count.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memory_store.when import FOREVER, MONTHS, WEEKDAYS, Days, find_day, find_range

Relation = Literal["before", "after", "since", "until", "during"]

_RELATIONS: dict[str, Relation] = {
    "before": "before",
    "prior to": "before",
    "ahead of": "before",
    "after": "after",
    "following": "after",
    "since": "since",
    "until": "until",
    "till": "until",
    "up to": "until",
    "during": "during",
    "while": "during",
    "throughout": "during",
}
_COUNTS = {word: n for n, word in enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight"))}
_COUNTS |= {"a": 1, "an": 1, "the": 1, "a few": 3, "a couple of": 2}
_COUNT = "|".join(sorted(_COUNTS, key=len, reverse=True))
_UNITS = {"day": 1, "morning": 1, "night": 1, "evening": 1, "week": 7, "month": 30, "year": 365}
_SLACK = {"week": 3, "month": 15, "year": 60}
_NAMED = re.compile(
    rf"\b(?:({_COUNT}|\d{{1,2}}) ({'|'.join(_UNITS)})s? |(?:right|just|shortly|soon|long|even) )?"
    rf"({'|'.join(_RELATIONS)})\s+",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,;:?!.()]|\s(?:did|do|does|was|were|is|are|has|have|had|will|would|can|could|should|and|but|or|what|who|where"
    r"|which|how|when|why)\s",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?:(?i:i|we|you|he|she|they|it)|[A-Z]\w+)\s")
_DETERMINED = re.compile(
    r"(?:(?i:the|my|our|your|his|her|their|its|that|this|a|an|i|we|he|she|they)|[A-Z][\w’']*)(?:\s|$)"
)
_NO_TIME = re.compile(r"\b(?:look|tak|took|nam|ask|clean)\w*(?: \w+)?\s+$", re.IGNORECASE)
# Said with an event, and not always where it is told: "since I went on the voyage", "the voyage is over".
_LIGHT = """
    go goes going went gone come came coming start starts started begin began begun end ended finish finished return
    returned leave left happen happened take took taken give gave hold held
"""
LIGHT_VERBS = frozenset(_LIGHT.split())
_SENTENCES = re.compile(r"(?<=[.!?…])\s+|\n+")
_LONGEST = 60

_AGREE_DAYS = 10
_LONGEST_EVENT = 31
_MOST_SHARE = 2 / 3
_NEAR_DAYS = 7

_MONTH = "|".join(MONTHS)
_AHEAD = re.compile(rf"\bin (\d{{1,2}}|{_COUNT}) (day|week|month)s?\b", re.IGNORECASE)
_COMING = re.compile(rf"\b(?:next|coming) (week|weekend|month|{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_DAY_OF_MONTH = re.compile(
    rf"\b(?:({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?|(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH}))\b(?!,? ?\d)",
    re.IGNORECASE,
)
_TODAY = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_QUALIFIERS = re.compile(r"\s\(([^()]*)\)\s*$")
_DATE = r"((?:19|20)\d\d-\d\d-\d\d)"
_FROM_TO = re.compile(rf"{_DATE} to {_DATE}")
_SINCE = re.compile(rf"\bsince {_DATE}")


@dataclass(frozen=True)
class Occasion:
    """
    An event that a question names in *words*, and how the time that is meant lies to it: its *relation*.

    With *offset* (days, slack) it lies so far before or after it.
    """

    relation: Relation
    words: str
    offset: tuple[int, int] | None = None

    def days(self, when: Days) -> Days:
        """The days that are meant, if the event was on the days *when*: those count as before and as after it too."""
        if self.offset:
            by, slack = self.offset
            middle = when.first - by if self.relation == "before" else when.last + by
            return Days(middle - slack, middle + slack)
        return {
            "before": Days(1, when.first),
            "until": Days(1, when.last),
            "after": Days(when.last, FOREVER),
            "since": Days(when.first, FOREVER),
            "during": when,
        }[self.relation]


@dataclass(frozen=True)
class Mentioned:
    """A passage that speaks of an event: *text*, the *day* on which it was told, whether it is the line of a *fact*."""

    text: str
    day: dt.date | None
    fact: bool = False


def find_occasion(question: str) -> Occasion | None:
    """The event by which *question* tells its time; None where it names none."""
    lowered = question.lower()
    if not any(name in lowered for name in _RELATIONS):
        return None
    for match in _NAMED.finditer(question):
        rest = question[match.end() :]
        if not _DETERMINED.match(rest) or _NO_TIME.search(question[: match.start()]):
            continue
        subject = _SUBJECT.match(rest)
        end = _END.search(rest, subject.end() if subject else 0)
        words = rest[: end.start() if end else len(rest)].rstrip()
        if not 0 < len(words) <= _LONGEST:
            continue
        relation = _RELATIONS[match[3].lower()]
        offset = None
        if match[2] and relation in ("before", "after"):
            count = int(match[1]) if match[1].isdigit() else _COUNTS[match[1].lower()]
            unit = match[2].lower()
            offset = count * _UNITS[unit], _SLACK.get(unit, 1)
        return Occasion(relation, words, offset)
    return None


def when_was(tellings: Sequence[Mentioned], names: Callable[[str], bool]) -> tuple[Days | None, bool]:
    """
    When the event was of which *tellings* speak, and whether they say so; None where they do not agree.

    Dates in sentences that name it (*names* says so) come first: two thirds of them have to agree. Without any, it was
    when it was told of, if that was within one week and never else.
    """
    found = [days for one in tellings for days in _dates(one, names)]
    if found:
        return _agreed(found), True
    told = [one.day.toordinal() for one in tellings if one.day and not one.fact]
    near = bool(told) and max(told) - min(told) <= _NEAR_DAYS
    return (Days(min(told), max(told)) if near else None), False


def _dates(telling: Mentioned, names: Callable[[str], bool]) -> Iterator[Days]:
    """The days that *telling* gives the event."""
    if telling.fact:
        if names(telling.text) and (days := _of_fact(telling.text)):
            yield days
        return
    if telling.day is None:
        return
    for sentence in _SENTENCES.split(telling.text):
        if not sentence.rstrip().endswith("?") and names(sentence):
            days = _told(sentence, telling.day)
            if days and days.last - days.first <= _LONGEST_EVENT:
                yield days


def _of_fact(line: str) -> Days | None:
    """The date that is the fact's value, or else from when on it holds."""
    qualifiers = _QUALIFIERS.search(line)
    if day := find_day(line[: qualifiers.start()] if qualifiers else line):
        return Days(day.toordinal(), day.toordinal())
    if qualifiers and (span := _FROM_TO.search(qualifiers[1]) or _SINCE.search(qualifiers[1])):
        days = [day.toordinal() for text in span.groups() if (day := find_day(text))]
        return Days(min(days), max(days)) if days else None
    return None


def _told(sentence: str, day: dt.date) -> Days | None:
    """The days of which *sentence*, told on *day*, speaks: past ones as in questions, and coming ones."""
    told = day.toordinal()
    if find_day(sentence) is None and (match := _DAY_OF_MONTH.search(sentence)):
        month, number = MONTHS[(match[1] or match[4]).lower()], int(match[2] or match[3])
        near = [_ordinal(day.year + by, month, number) for by in (-1, 0, 1)]
        best = min((one for one in near if one), key=lambda one: abs(one - told), default=None)
        return Days(best, best) if best else None
    if match := _AHEAD.search(sentence):
        count = int(match[1]) if match[1].isdigit() else _COUNTS[match[1].lower()]
        unit = match[2].lower()
        at, slack = told + count * _UNITS[unit], _SLACK.get(unit, 0)
        return Days(at - slack, at + slack)
    if match := _COMING.search(sentence):
        return _coming(match[1].lower(), day)
    if "tomorrow" in sentence.lower():
        return Days(told + 1, told + 1)
    if _TODAY.search(sentence):
        return Days(told, told)
    return find_range(sentence, day)


def _coming(name: str, day: dt.date) -> Days:
    told = day.toordinal()
    monday = told - day.weekday() + 7
    if name == "week":
        return Days(monday, monday + 6)
    if name == "weekend":
        return Days(monday - 2, monday + 6)
    if name == "month":
        first = (day.replace(day=1) + dt.timedelta(days=32)).replace(day=1)
        return Days(first.toordinal(), first.toordinal() + 30)
    ahead = (WEEKDAYS.index(name) - day.weekday()) % 7 or 7
    return Days(told + ahead, told + ahead + 7)


def _agreed(found: Sequence[Days]) -> Days | None:
    """The narrowest of the days that two thirds of *found* are near to."""
    for one in sorted(found, key=lambda days: days.last - days.first):
        near = sum(other.first - _AGREE_DAYS <= one.last and one.first <= other.last + _AGREE_DAYS for other in found)
        if near >= _MOST_SHARE * len(found):
            return one
    return None


def _ordinal(year: int, month: int, day: int) -> int:
    """0 where there is no such day."""
    try:
        return dt.date(year, month, day).toordinal()
    except ValueError:
        return 0
