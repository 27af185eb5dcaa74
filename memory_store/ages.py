"""How old somebody is: `Marta is 8`, `my son turned nine`, `I'm 34`; as a fact of its own, `Marta's age`."""

import re

from memory_store.news import KIN
from memory_store.said import ADVERBS, Said

_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)"
)
_WHO = (
    r"(?:(?:my|our)\s+(?P<np>[a-z][a-z-]*(?:\s[a-z][a-z-]*)?)|(?P<n>(?-i:[A-ZÀ-Þ][a-zà-ÿ]+(?:\s[A-ZÀ-Þ][a-zà-ÿ]+)?)))"
)
_TURNED = r"(?:(?:have|has)\s+)?(?:just\s+)?turned"
_AGED = re.compile(
    rf"^(?:(?P<i>I)(?:['’]m|\s+am|\s+(?P<t>{_TURNED}))|{_WHO}(?:['’]s|\s+is|\s+(?P<t2>{_TURNED})))\s+"
    rf"(?P<a>{ADVERBS})(?P<v>{_NUMBER})(?P<u>(?:\s+|-)(?:years?|yrs?|months?|weeks?|days?)(?:(?:\s+|-)olds?)?)?"
    r"(?:\s+(?:now|already|today|yesterday|this (?:week|month|year)|last (?:week|month|year|\w+day)|on \w+day))*$",
    re.IGNORECASE,
)
# What is told to be a number, and no more, where that is its age.
_THAT_AGE = re.compile(rf"(?:{KIN.pattern}|\b(?:partner|baby|toddler|puppy|kitten|dog|cat|horse))$", re.IGNORECASE)
_AGE = re.compile(r"^(?P<who>.+)['’]s age$")


def aged(text: str) -> Said | None:
    """The age that *text* tells: of the speaker, of somebody of theirs, or of whom they name."""
    m = _AGED.match(text)
    if m is None:
        return None
    turned, unit = m["t"] or m["t2"], (m["u"] or "").strip(" -").lower()
    if unit and not (unit.endswith(("old", "olds")) or turned):
        return None  # how long it takes
    if m["np"] and not (unit or turned or _THAT_AGE.search(m["np"])):
        return None
    who = m["np"] or m["n"]
    months = re.match(r"(?:month|week|day)s?", unit)
    value = f"{m['v']} {months[0]}" if months else m["v"]
    if "no longer" in m["a"].lower():  # how old they are now is not told
        return Said(f"{who}'s age" if who else "age", None, "we" if m["n"] else "i", old=value, ends=True, change=True)
    return Said(
        f"{who}'s age" if who else "age", value, "we" if m["n"] else "i", change=bool(turned), loose=bool(m["n"])
    )


def of_age(attribute: str) -> str | None:
    """Whose age *attribute* is; empty for the owner's own; None where it is no age."""
    if attribute == "age":
        return ""
    m = _AGE.match(attribute)
    return m["who"] if m else None
