"""
The measured parts of a value: days, hours, money, amounts. One of them told anew leaves the rest as it stands, and one
that moved by so much is reckoned where that can be done exactly.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory_store.reckoning import later_than, on_day
from memory_store.when import MONTHS, NUMBERS, WEEKDAYS

_SHORT_DAY = r"(?:mon|tues?|wed|thurs?|fri|sat|sun)"
_DAY = rf"(?:{'|'.join(WEEKDAYS)}|{_SHORT_DAY})s?"
_MONTH = rf"(?:{'|'.join(sorted(set(MONTHS) - {'may'}, key=len, reverse=True))}|(?-i:May))"
_NUMBER = r"\d+(?:[,.]\d+)*"
_COUNT = "|".join(sorted((n for n in NUMBERS if " " not in n and n not in ("a", "an", "zero")), key=len, reverse=True))
_UNIT = (
    r"(?:mg|µg|mcg|kg|kilos?|kilograms?|grams?|g|ml|litres?|liters?|l|km|kilometres?|kilometers?|miles?|metres?|meters?|"
    r"cm|mm|kwh|gb|tb|mb|pages?|people|persons?|seats?|points?|degrees?|pills?|tablets?|drops?|cups?|sets?|laps?)"
)
_CURRENCY = r"(?:euros?|eur|dollars?|pounds?|quid|bucks|francs?|crowns?|kroner|pence|cents?)"
_FORMS = {
    "money": rf"[£$€]\s?{_NUMBER}(?:\s?k\b)?|\b{_NUMBER}\s?(?:k\b|[£$€]|{_CURRENCY}\b)",
    "percent": rf"\b{_NUMBER}\s?(?:%|percent\b|per cent\b)",
    "day": (
        rf"\b(?:(?:next|this|coming|every|each)\s+)*{_DAY}\b(?:\s(?:morning|afternoon|evening|night)s?\b)?"
        rf"|\b(?:today|tomorrow|tonight)\b|\b\d{{4}}-\d\d-\d\d\b"
        rf"|\b(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:\sof)?\s{_MONTH}\b(?:,?\s\d{{4}})?"
        rf"|\b{_MONTH}\s(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,?\s\d{{4}}\b)?|\bthe\s\d{{1,2}}(?:st|nd|rd|th)\b"
        rf"|\b{_MONTH}\b(?:\s\d{{4}}\b)?"
    ),
    "clock": (
        r"\b\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?|\b(?:noon|midday|midnight)\b"
        r"|\b(?:half|quarter|five|ten|twenty)\s(?:past|to)\s\w+|\b\w+\so['’]clock"
        r"|(?<=\bat\s)\d{1,2}(?![\w:.,%/-]*\w)"
    ),
    "span": rf"\b(?:{_NUMBER}|{_COUNT}|half an)\s(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\b",
    "amount": rf"\b(?:{_NUMBER}|{_COUNT})\s?{_UNIT}\b",
    "number": rf"(?<![\w:.,/-])(?:{_NUMBER})(?![\w:/-]|[.,]\d)",
}  # fmt: skip
_PATTERNS = {kind: re.compile(form, re.IGNORECASE) for kind, form in _FORMS.items()}
_TIMES = ("day", "clock")
DISTANCE = re.compile(
    rf"^(?P<n>half an?|an?|{_NUMBER}|{_COUNT})\s(?P<u>min|minute|hour|hr|day|week|fortnight|month|year)s?\b",
    re.IGNORECASE,
)
_MINUTES = {"min": 1, "minute": 1, "hour": 60, "hr": 60}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}


@dataclass(frozen=True)
class Measure:
    """What is measured at `text[start:end]`, and of what *kind* it is."""

    kind: str
    text: str
    start: int
    end: int


def measures(text: str) -> tuple[Measure, ...]:
    """The measured parts of *text*, in order; none lies in another."""
    found: list[Measure] = []
    for kind, form in _PATTERNS.items():
        for m in form.finditer(text):
            if not any(m.start() < one.end and one.start < m.end() for one in found):
                found.append(Measure(kind, m[0], m.start(), m.end()))
    return tuple(sorted(found, key=lambda one: one.start))


def spliced(held: str, told: str) -> str | None:
    """*held* with what *told* measures in the place of what it is of that kind; None where it has no such part."""
    new = _as_clocks(measures(told), held)
    if not new:
        return None if measures(held) else told
    value = held
    for one in new:
        placed = _placed(value, one)
        if placed is None:
            return None
        value = placed
    return value


def _as_clocks(told: Sequence[Measure], held: str) -> list[Measure]:
    """*told*, where a bare number is an hour of the day if *held* tells nothing else that is counted, and 1.25 none else."""
    kinds = {one.kind for one in measures(held)}
    hours = bool(kinds) and kinds <= set(_TIMES)
    dotted = any(one.kind == "clock" and is_decimal(one) for one in measures(held))
    if not hours and not dotted and ("clock" not in kinds or kinds & {"amount", "money"}):
        told = [replace(m, kind="number") if is_decimal(m) else m for m in told]
    return [replace(m, kind="clock") if hours and m.kind == "number" else m for m in told]


def is_decimal(one: Measure) -> bool:
    """Whether *one* may be a number as well as an hour: `13.20`."""
    return re.fullmatch(r"\d+\.\d+", one.text) is not None


def _placed(held: str, new: Measure) -> str | None:
    known = measures(held)
    alike = [one for one in known if one.kind == new.kind]
    if new.kind in ("number", "money") and not alike:
        counted = [one for one in known if one.kind not in _TIMES]
        if len(counted) != 1 or (new.kind == "money" and counted[0].kind != "number"):
            return None
        old = counted[0]
        text = new.text if new.kind == "money" else re.sub(_NUMBER, new.text, old.text, count=1)
        return held[: old.start] + text + held[old.end :]
    if new.kind == "amount" and len(alike) > 1:
        alike = [one for one in alike if _unit(one.text) == _unit(new.text)]
    if alike:
        first, last = alike[0], alike[-1]
        joint = r"\s*(?:to|and|or|until|till|-|–|,)\s*" if new.kind in _TIMES else r"\s*(?:to|-|–)\s*"
        if len(alike) > 1 and not re.fullmatch(joint, held[first.end : alike[1].start]):
            return None  # it has several, and which one is meant nobody said
        text = new.text
        if (
            new.kind == "day"
            and first.text[:4].lower() == "the "
            and not text.lower().startswith("the ")
            and text[:1].isdigit()
        ):
            text = f"the {text}"
        return held[: first.start] + text + held[last.end :]
    if new.kind in _TIMES and any(one.kind in _TIMES for one in known):
        return f"{held} at {new.text}" if new.kind == "clock" else f"{new.text} at {held.removeprefix('at ')}"
    return None


def _unit(text: str) -> str:
    return re.sub(rf"^(?:{_NUMBER}|\w+)\s?", "", text).lower().rstrip("s")


def shifted(held: str, by: str, sign: int) -> str | None:
    """*held* with the one part that *by* measures so much more, or less by its *sign*; None where that is not exact."""
    if m := DISTANCE.match(by):
        return _in_time(held, m, sign)
    told = measures(by)
    if len(told) != 1 or told[0].kind not in ("money", "percent", "amount", "number"):
        return None
    by_number = number_in(told[0].text)
    known = [one for one in measures(held) if one.kind not in _TIMES]
    if told[0].kind in ("money", "amount"):
        known = [one for one in known if one.kind in (told[0].kind, "number")]
        if told[0].kind == "amount" and len(known) > 1:
            known = [one for one in known if _unit(one.text) == _unit(told[0].text)]
    if len(known) != 1 or by_number is None:
        return None
    was = number_in(known[0].text)
    if was is None:
        return None
    now = was * (1 + sign * by_number / 100) if told[0].kind == "percent" else was + sign * by_number
    return _with_number(held, known[0], now)


_COUNTED = re.compile(rf"^(?P<n>\d+|an?|another|{_COUNT})(?:\s+(?=[a-z])|$)", re.IGNORECASE)


def uncounted(text: str) -> str:
    """*text* without the number of things that it begins with: `canoes`, of `two canoes`; an amount stays whole."""
    is_amount = any(one.kind != "number" for one in measures(text))
    return text if is_amount else _COUNTED.sub("", text) or text


def fewer(held: str, some: str) -> str | None:
    """*held*, which counts something (`five hives`), without *some* of it (`one hive`); None where either counts not."""
    all_of, gone = _COUNTED.match(held), _COUNTED.match(some)
    if all_of is None or gone is None:
        return None
    left = int((number_in(all_of["n"]) or 0) - (number_in(gone["n"]) or 1))  # `another` is one
    if left <= 0:
        return None
    word = next((word for word, number in NUMBERS.items() if number == left), str(left))
    return (str(left) if all_of["n"].isdigit() else word) + held[all_of.end("n") :]


def scaled(held: str, factor: float) -> str | None:
    """*held* with its one count multiplied by *factor*; None where it has several or none."""
    known = [one for one in measures(held) if one.kind not in _TIMES]
    was = number_in(known[0].text) if len(known) == 1 else None
    return _with_number(held, known[0], was * factor) if was is not None else None


def _in_time(held: str, by: re.Match[str], sign: int) -> str | None:
    number = 0.5 if by["n"].lower().startswith("half") else number_in(by["n"])
    unit = by["u"].lower()
    if number is None:
        return None
    known = measures(held)
    spans = [one for one in known if one.kind == "span"]
    clocks = [one for one in known if one.kind == "clock"]
    days = [one for one in known if one.kind == "day"]
    if unit in _MINUTES and clocks:
        return _replaced(held, clocks, lambda text: _hour_later(text, sign * int(number * _MINUTES[unit])))
    if unit in _DAYS and days:
        distance = sign * int(number * _DAYS[unit])
        if distance % 7 == 0 and any(_weekday(one.text) is not None for one in days):
            return None  # the same day of another week, and which one that is was told in no calendar
        return _replaced(held, days, lambda text: _day_later(text, distance))
    if len(spans) == 1 and (was := number_in(spans[0].text)) is not None and unit in spans[0].text.lower():
        return _with_number(held, spans[0], was + sign * number)
    return None


def _hour_later(text: str, minutes: int) -> str | None:
    if text.isdigit():
        later = later_than(f"{text}:00", minutes)
        return later.removesuffix(":00") if later else None
    return later_than(text, minutes)


def _day_later(text: str, days: int) -> str | None:
    begins = re.match(r"(?:the|next|this|every)\s", text, re.IGNORECASE)
    lead = begins[0] if begins else ""
    bare = text[len(lead) :]
    plural = bare.lower().endswith("days")
    if re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)", bare):
        number = int(re.sub(r"\D", "", bare)) + days
        return f"{lead}{number}{_ending(number)}" if 1 <= number <= 28 else None
    later = on_day(bare.removesuffix("s") if plural else bare, days)
    return f"{lead}{later}{'s' if plural else ''}" if later else None


def _ending(number: int) -> str:
    return "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _weekday(text: str) -> str | None:
    found = re.search(rf"\b{_DAY}\b", text, re.IGNORECASE)
    return found[0] if found else None


def _replaced(held: str, parts: Sequence[Measure], turn: Callable[[str], str | None]) -> str | None:
    for one in reversed(parts):
        turned = turn(one.text)
        if turned is None:
            return None
        held = held[: one.start] + turned + held[one.end :]
    return held


def number_in(text: str) -> float | None:
    """The number in *text*."""
    if m := re.search(_NUMBER, text):
        digits = m[0]
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
            digits = digits.replace(",", "")
        elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", digits):
            digits = digits.replace(".", "")
        try:
            return float(digits.replace(",", "."))
        except ValueError:
            return None
    word = text.split(" ", 1)[0].lower()  # `a week` is one
    return float(NUMBERS[word]) if word in NUMBERS else None


def _with_number(held: str, part: Measure, number: float) -> str | None:
    """*held* with *number* in the place of that of *part*, written as that was."""
    m = re.search(_NUMBER, part.text)
    if number < 0 or abs(number - round(number, 2)) > 1e-9:
        return None
    plain = f"{number:.2f}".rstrip("0").rstrip(".")
    if m is None:
        word = part.text.split(" ", 1)[0]
        return held[: part.start] + plain + part.text[len(word) :] + held[part.end :]
    if "," in m[0] and number >= 1000 and number == int(number):
        plain = f"{int(number):,}"
    return held[: part.start] + part.text[: m.start()] + plain + part.text[m.end() :] + held[part.end :]
