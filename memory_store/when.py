"""Dates as people write them in headings, file names and frontmatter."""

import datetime as dt
import re

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
