"""Dates as people write them in headings, file names and frontmatter, and times as questions speak of them."""

import datetime as dt
import re
from dataclasses import dataclass

_NAMES = "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct"
MONTHS = {
    name: number
    for number, names in enumerate(f"{_NAMES}|november nov|december dec".split("|"), start=1)
    for name in names.split()
}
_MONTH = "|".join(MONTHS)
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)[_.]?(\d\d)[_.]?(\d\d)(?!\d)")
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\.?,? ((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d))? ?([ap]m)?(?![\d:])", re.IGNORECASE)


def find_day(text: str) -> dt.date | None:
    """The first full date that *text* names, in ISO form or with the month as a word."""
    if found := _ISO.search(text) or _COMPACT.search(text):
        return _day(found[1], found[2], found[3])
    if found := _DAY_FIRST.search(text):
        return _day(found[3], MONTHS[found[2].lower()], found[1])
    if found := _MONTH_FIRST.search(text):
        return _day(found[3], MONTHS[found[1].lower()], found[2])
    return None


def find_clock(text: str) -> dt.time | None:
    """The first time of day that *text* names, `13:05`, `13:05:59` or `1:05 pm`."""
    for found in _CLOCK.finditer(text):
        hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
        half = (found[4] or "").lower()
        if half and not 1 <= hour <= 12:
            continue
        hour = hour % 12 + 12 if half == "pm" else hour % 12 if half == "am" else hour
        if hour < 24 and minute < 60 and second < 60:
            return dt.time(hour, minute, second)
    return None


def _day(year: str | int, month: str | int, day: str | int) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


@dataclass(frozen=True)
class Days:
    """A range of days, both ends included, as proleptic ordinals; open ends are 1 and 10,000,000."""

    first: int
    last: int

    def __contains__(self, day: int) -> bool:
        return self.first <= day <= self.last


FOREVER = 10_000_000
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_COUNTED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(_COUNTED)}
NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 4}
_NUMBER = "|".join(sorted((re.escape(word) for word in NUMBERS), key=len, reverse=True))
_AGO = re.compile(rf"\b(?:about |around )?(\d{{1,3}}|{_NUMBER}) (day|week|month|year)s? ago\b", re.IGNORECASE)
_LAST_FEW = re.compile(rf"\b(?:last|past) (\d{{1,3}}|{_NUMBER}) (day|week|month|year)s\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(today|yesterday|tonight|(?:last|this|past) (?:night|week|weekend|month|year))\b", re.IGNORECASE
)
_WEEKDAY = re.compile(rf"\b(?:last|on|this) ({'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_SEASON = re.compile(rf"\b(last |this )?({'|'.join(_SEASONS)})(?: (?:of )?((?:19|20)\d\d))?\b", re.IGNORECASE)
_MONTH_OF = re.compile(rf"\b({_MONTH})\.?(?:,? (?:of )?((?:19|20)\d\d))?(?!\w)", re.IGNORECASE)
_MONTH_DAY = re.compile(
    rf"\b(?:({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?|(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH}))\b(?!,? ?\d)",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"\b(?:in|last|since|during|until|by|before|after|of|on|this|for|late|early|mid)[ -]$", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:in|during|of|since|before|after|by|until|year) ((?:19|20)\d\d)\b", re.IGNORECASE)
_LIMIT = re.compile(r"(?<!\S)(after|before|on|since|until):(\"[^\"]+\"|\S+)", re.IGNORECASE)
_OPEN = re.compile(r"\b(before|until|by|after|since)\s+(?:the )?(?:end of )?$", re.IGNORECASE)

_LETTERS = re.compile(r"[a-z]+")
_DIGIT = re.compile(r"\d")
_UNITS = ("day", "night", "week", "weekend", "month", "year")
# What names no time has none of these, nor a digit.
_TIMELY = frozenset(
    ("today", "yesterday", "tonight", *_UNITS, *(f"{unit}s" for unit in _UNITS), *MONTHS, *WEEKDAYS, *_SEASONS)
)


_ASKS_WHEN = re.compile(
    r"\b(?:when|what (?:date|day|month|year|time)|(?:which|what) (?:day|month|year)|how long|how (?:soon|often))\b",
    re.IGNORECASE,
)
TIME_WORDS = (*WEEKDAYS, "yesterday", "today", "tonight", "tomorrow", "ago", "last", "next", "week", "weekend")


def asks_when(question: str) -> bool:
    """Whether *question* asks for a time."""
    return _ASKS_WHEN.search(question) is not None


def find_range(text: str, today: dt.date) -> Days | None:
    """
    The days that a question speaks of, seen from *today*; None if it names no time.

    Names of months and weekdays without a year mean the latest that has begun. `before`, `until`, `after` and `since`
    open the range on one side.
    """
    found = _closed_range(text, today)
    if found is None:
        return None
    first, last, at = found
    if opened := _OPEN.search(text[:at]):
        if opened[1].lower() in ("before", "until", "by"):
            return Days(1, first - 1 if opened[1].lower() == "before" else last)
        return Days(last + 1 if opened[1].lower() == "after" else first, FOREVER)
    return Days(first, last)


def parse_range(text: str, today: dt.date) -> Days | None:
    """The days that *text*, and nothing beside it, names: `2026`, `2026-05`, `2026-05-08`, or in words."""
    if found := re.fullmatch(r"((?:19|20)\d\d)(?:-(\d\d))?(?:-(\d\d))?", text):
        year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
        try:
            if day:
                return Days(*[dt.date(year, month, day).toordinal()] * 2)
            return Days(*(_month(year, month) if month else (_ordinal(year, 1), _ordinal(year + 1, 1) - 1)))
        except ValueError:
            return None
    found_in = _closed_range(text if " " in text else f"in {text}", today)
    return Days(found_in[0], found_in[1]) if found_in else None


def split_limits(query: str, today: dt.date) -> tuple[str, Days | None]:
    """*query* without its `after:`, `before:` and `on:`, and the days that these leave; None for all."""
    if ":" not in query:
        return query, None
    first, last = 1, FOREVER
    rest = query
    for match in _LIMIT.finditer(query):
        days = parse_range(match[2].strip('"'), today)
        if days is None:
            continue
        rest = rest.replace(match.group(), " ", 1)
        name = match[1].lower()
        if name in ("after", "on", "since"):
            first = max(first, days.last + 1 if name == "after" else days.first)
        if name in ("before", "on", "until"):
            last = min(last, days.first - 1 if name == "before" else days.last)
    return (query, None) if rest == query else (rest.strip(), Days(first, last))


def _closed_range(text: str, today: dt.date) -> tuple[int, int, int] | None:
    lowered = text.lower()
    if _TIMELY.isdisjoint(_LETTERS.findall(lowered)) and not _DIGIT.search(lowered):
        return None
    now = today.toordinal()
    for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST):
        if (match := pattern.search(text)) and (day := find_day(match.group())):
            return day.toordinal(), day.toordinal(), match.start()
    if match := _MONTH_DAY.search(text):
        month, number = MONTHS[(match[1] or match[4]).lower()], int(match[2] or match[3])
        for year in (today.year, today.year - 1):
            day = _day(year, month, number)
            if day and day <= today:
                return day.toordinal(), day.toordinal(), match.start()
    if match := _AGO.search(text):
        days = _count(match[1]) * {"day": 1, "week": 7, "month": 30, "year": 365}[match[2].lower()]
        slack = {"day": 0, "week": 3, "month": 15, "year": 120}[match[2].lower()]
        return now - days - slack, now - days + slack, match.start()
    if match := _LAST_FEW.search(text):
        days = _count(match[1]) * {"day": 1, "week": 7, "month": 31, "year": 366}[match[2].lower()]
        return now - days, now, match.start()
    if match := _NAMED.search(text):
        return *_named(match[1].lower(), today), match.start()
    if match := _WEEKDAY.search(text):
        back = (today.weekday() - WEEKDAYS.index(match[1].lower())) % 7 or 7
        return now - back, now - back, match.start()
    if (match := _SEASON.search(text)) and (match[1] or match[3]):
        return *_season(match, today), match.start()
    for match in _MONTH_OF.finditer(text):
        if match[2] or _MARKED.search(text[: match.start()]):
            month = MONTHS[match[1].lower()]
            year = int(match[2]) if match[2] else today.year - (month > today.month)
            return *_month(year, month), match.start()
    if match := _YEAR.search(text):
        return _ordinal(int(match[1]), 1), _ordinal(int(match[1]) + 1, 1) - 1, match.start(1)
    return None


def _named(name: str, today: dt.date) -> tuple[int, int]:
    now = today.toordinal()
    monday = now - today.weekday()
    previous = today.replace(day=1) - dt.timedelta(days=1)
    known = {
        "today": (now, now),
        "tonight": (now, now),
        "yesterday": (now - 1, now - 1),
        "last night": (now - 1, now),
        "this week": (monday, now),
        "last week": (monday - 7, monday - 1),
        "past week": (now - 7, now),
        "last weekend": (monday - 2, monday - 1),
        "this weekend": (monday + 5, monday + 6),
        "this month": (_ordinal(today.year, today.month), now),
        "last month": _month(previous.year, previous.month),
        "past month": (now - 31, now),
        "this year": (_ordinal(today.year, 1), now),
        "last year": (_ordinal(today.year - 1, 1), _ordinal(today.year, 1) - 1),
        "past year": (now - 366, now),
    }
    return known.get(name, (now - 7, now))


def _season(match: re.Match[str], today: dt.date) -> tuple[int, int]:
    month = _SEASONS[match[2].lower()]
    year = int(match[3]) if match[3] else today.year
    if not match[3]:
        if (year, month) > (today.year, today.month):
            year -= 1
        ended = _ordinal(year + (month + 3 > 12), (month + 2) % 12 + 1)
        if (match[1] or "").strip().lower() == "last" and ended > today.toordinal():
            year -= 1
    return _ordinal(year, month), _ordinal(year + (month + 3 > 12), (month + 2) % 12 + 1) - 1


def _month(year: int, month: int) -> tuple[int, int]:
    return _ordinal(year, month), _ordinal(year + month // 12, month % 12 + 1) - 1


def _ordinal(year: int, month: int) -> int:
    return dt.date(year, month, 1).toordinal()


def _count(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]
