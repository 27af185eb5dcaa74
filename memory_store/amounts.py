"""Of what kind a value is, where it can be measured: money, a time of day, a span of time, a day, a date, an amount."""

import re

_NUMBER = (
    r"(?:\d[\d,.]*\d|\d|(?:a|an|half an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?:[- ](?:hundred|thousand|dozen))?|(?:a )?dozen)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:january|february|march|april|(?-i:May)|june|july|august|september|october|november|december)"
# In the order in which they are tried: what looks like more than one is the first.
_KINDS = {
    "money": rf"[£$€]\s?\d[\d,.]*(?<![,.])(?:\s?(?:k|m|per|an?|each)\b(?:\s[a-z]+)?)?|{_NUMBER}\s(?:pounds?|dollars?|euros?|quid|pence|p|cents?|crowns?|francs?|kroner|bucks)\b(?:\s(?:a|an|per|each|for)\s[a-z]+)?",
    "clock": r"(?:(?:half|quarter|five|ten|twenty)\s(?:past|to)\s\w+|\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b\.?|\d{1,2}:\d\d(?:\s?[ap]\.?m\b)?|\w+ o['’]clock|\b(?:noon|midday|midnight|dawn|dusk|sunrise|sunset|daybreak|teatime|lunchtime|bedtime)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\s(?:in the (?:morning|afternoon|evening)|at night|sharp))(?:\s(?:in the (?:morning|afternoon|evening)|at night|sharp))?",
    "span": rf"{_NUMBER}\s(?:and a half\s)?(?:(?:working|business|calendar)\s)?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|weekends?|terms?|seasons?|fortnights?)\b|\b(?:overnight|a fortnight)\b",
    "day": rf"(?:the\s)?(?:(?:first|second|third|fourth|last|every(?: other)?|every second|alternate|the \w+)\s)?\b{_DAY}\b(?:\s(?:morning|afternoon|evening|night)s?)?(?:\s(?:and|or|to)\s{_DAY})?(?:\sof (?:the|each|every) month)?|\b(?:weekdays|weekends?|the weekend)\b",
    "date": rf"\b(?:{_MONTH}(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?|(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)?(?:\sof)?\s{_MONTH})(?:\s\d{{4}})?\b|\b(?:in )?(?:the )?(?:early |late |mid-?)?(?:spring|summer|autumn|winter)\b|\b(?:easter|christmas|michaelmas|whitsun|good friday)\b|\bthe \d{{1,2}}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b",
    "often": r"\b(?:once|twice|three times|\w+ times)\s(?:a|an|per|every)\s\w+|\bevery\s(?:other\s|second\s)?(?:\w+\s)?(?:hours?|days?|weeks?|months?|years?|miles?|kilometres?|time)\b|\bevery\s\d[\d,]*\s\w+|\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annually)\b",
    "percent": rf"{_NUMBER}\s?(?:%|percent|per cent)",
    "amount": rf"{_NUMBER}\s?(?:grams?|g|kg|kilos?|kilograms?|pounds?|ounces?|tons?|tonnes?|litres?|liters?|l|ml|pints?|gallons?|miles?|km|kilometres?|kilometers?|metres?|meters?|m|cm|mm|inches|feet|ft|yards?|acres?|hectares?|degrees?|volts?|watts?|mph|people|persons|seats|copies|pages|[a-z]+s)\b",
    "number": r"\d[\d,.]*(?<![,.])(?![\w-])|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a dozen)\b(?![\w-])",
}
_FORMS = {kind: re.compile(rf"(?<![\w-])(?:{form})", re.IGNORECASE) for kind, form in _KINDS.items()}
_ALIKE = {
    "day": ("day", "date"),
    "date": ("date", "day"),
    "number": ("number", "amount"),
    "span": ("span", "amount"),
    "amount": ("amount", "number"),
    "often": ("often", "span"),
}


def kind_of(value: str) -> str | None:
    """The kind of *value*, by what stands at its beginning or alone; None for names and plain words."""
    bare = re.sub(
        r"^(?:at|around|about|by|on|in|from|for|to|every|up to|only|just|roughly|nearly|the)\s(?!the\s\d)",
        "",
        value.strip(),
    )
    for kind, form in _FORMS.items():
        for text in (value, bare):
            m = form.match(text.strip())
            if m is not None and (kind != "amount" or len(text.split()) <= 4):
                return kind
    return None


def of_kind(text: str, kind: str) -> list[str]:
    """What in *text* is of *kind*, in order; of a kind near it where none is."""
    for near in _ALIKE.get(kind, (kind,)):
        if found := [m[0].strip() for m in _FORMS[near].finditer(text)]:
            return found
    return []
