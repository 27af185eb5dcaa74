"""Days and hours that are told by their distance from others: `two days before it` of 11 March is 9 March."""

import datetime as dt
import re
from dataclasses import dataclass

from memory_store.when import MONTHS, NUMBERS, WEEKDAYS

_NUMBER = "|".join(sorted(map(re.escape, NUMBERS), key=len, reverse=True))
_UNIT = r"(?P<u>minute|hour|day|week|fortnight)s?"
_DISTANCE = rf"(?P<n>\d{{1,3}}|the|{_NUMBER})\s+{_UNIT}\s+(?P<w>before|after|later than|ahead of)"
_OF_IT = re.compile(rf"^{_DISTANCE}\s+it$", re.IGNORECASE)
_BEGINS = r"(?:is|are|starts?|begins?|opens?|happens?)"
_TOLD = re.compile(
    rf"^(?P<a>(?:my|our|the)\s+[a-z][\w'’ -]*?)\s+(?:{_BEGINS}|will be|falls|comes|takes place)\s+"
    r"(?:always\s+|held\s+|due\s+|on\s+)*"
    rf"(?P<d>{_DISTANCE})\s+(?P<b>(?:my|our|the)\s+[\w'’ -]+?)(?:\s+{_BEGINS})?$",
    re.IGNORECASE,
)
_MONTH = "|".join(MONTHS)
_DAY, _YEAR = r"(?P<d>\d{1,2})(?P<th>st|nd|rd|th)?", r"(?P<y>,? \d{4})?"
_DAY_FIRST = re.compile(rf"^{_DAY}(?P<of> of)? (?P<m>{_MONTH}){_YEAR}$", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"^(?P<m>{_MONTH}) {_DAY}{_YEAR}$", re.IGNORECASE)
_CLOCK = re.compile(r"^(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))?\s?(?P<half>[ap]m)?$", re.IGNORECASE)
_HOURS = 24 * 60


@dataclass(frozen=True)
class Reckoned:
    """What is told of *what*: its *distance* from *of*, as a rule says it, `two days before it`."""

    what: str
    distance: str
    of: str


def find_reckoned(text: str) -> Reckoned | None:
    """What *text*, a clause, says to be so long before or after something else."""
    m = _TOLD.match(text.strip().rstrip(".!"))
    return Reckoned(m["a"], f"{m['d']} it", m["b"]) if m else None


def told_as(distance: str, name: str) -> str:
    """*distance* as people tell it of a fact called *name*."""
    return re.sub(r"\bit$", f"the {name}", distance)


def is_distance(value: str | None) -> bool:
    """Whether *value*, which a rule gives, is to be reckoned from the fact that the rule waits for."""
    return value is not None and _OF_IT.match(value) is not None


def reckon(distance: str, day: str) -> str | None:
    """The day or the hour at *distance* from *day*, written as that is; None where it is no plain one of the kind."""
    m = _OF_IT.match(distance)
    if m is None:
        return None
    count = 1 if m["n"].lower() == "the" else int(m["n"]) if m["n"].isdigit() else NUMBERS[m["n"].lower()]
    count = -count if m["w"].lower() in ("before", "ahead of") else count
    unit = m["u"].lower()
    if unit in ("minute", "hour"):
        return later_than(day, count * (60 if unit == "hour" else 1))
    return on_day(day, count * {"day": 1, "week": 7, "fortnight": 14}[unit])


def on_day(day: str, days: int) -> str | None:
    """*days* after *day*, in its form: a weekday, an ISO date, a day of a month with or without its year."""
    day = day.strip()
    if day.lower() in WEEKDAYS:
        return WEEKDAYS[(WEEKDAYS.index(day.lower()) + days) % 7].capitalize()
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            return (dt.date.fromisoformat(day) + dt.timedelta(days)).isoformat()
        m = _DAY_FIRST.match(day) or _MONTH_FIRST.match(day)
        if m is None:
            return None
        years = [int(m["y"].strip(", "))] if m["y"] else [2001, 2004]  # without a year, it must be so in any
        found = [dt.date(year, MONTHS[m["m"].lower()], int(m["d"])) + dt.timedelta(days) for year in years]
    except (ValueError, OverflowError):
        return None
    if len({(date.month, date.day) for date in found}) > 1:
        return None
    return _written(found[0], m)


def _written(date: dt.date, like: re.Match[str]) -> str:
    name = date.strftime("%B" if len(like["m"]) > 3 or like["m"].lower() == "may" else "%b")
    th = (
        {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10 if date.day not in (11, 12, 13) else 0, "th")
        if like["th"]
        else ""
    )
    year = f"{',' if ',' in like['y'] else ''} {date.year}" if like["y"] else ""
    if like.re is _MONTH_FIRST:
        return f"{name} {date.day}{th}{year}"
    return f"{date.day}{th}{like['of'] or ''} {name}{year}"


def later_than(clock: str, minutes: int) -> str | None:
    """*minutes* after *clock*, in its form, within the day."""
    m = _CLOCK.match(clock.strip())
    if m is None or not (m["m"] or m["half"]):
        return None
    hour, half = int(m["h"]), (m["half"] or "").lower()
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    at = hour * 60 + int(m["m"] or 0) + minutes
    if not 0 <= at < _HOURS:
        return None
    hour, minute = divmod(at, 60)
    if not half:
        return f"{hour:02}:{minute:02}" if len(m["h"]) == 2 else f"{hour}:{minute:02}"
    minutes_told = f":{minute:02}" if minute or m["m"] else ""
    return f"{hour % 12 or 12}{minutes_told}{' ' if ' ' in clock.strip() else ''}{'pm' if hour >= 12 else 'am'}"
