"""Who owes whom, and what is lent: `Hannah owes me 80 euros`, `I borrowed a drill from Mehmet`."""

import re

from memory_store.phrases import clean_value
from memory_store.said import PERSONAL_NAME, Said

_SOMEBODY = rf"(?P<who>{PERSONAL_NAME}|(?:my|our)\s[a-z][a-z -]*?)"
_THING = r"(?P<v>(?:an?\s|the\s|my\s|our\s|his\s|her\s|their\s|[£$€]?\d)[^,;]*?)"
_WHEN = r"(?:\s+(?:last|this)\s\w+|\s+yesterday|\s+today|\s+(?:for|until|till|from)\s.+)?"
_FORMS = (
    (re.compile(rf"^{_SOMEBODY}\s+owes\s+(?:me|us)\s+{_THING}{_WHEN}$", re.IGNORECASE), "{who} owes"),
    (re.compile(rf"^(?:I|we)\s+owe\s+{_SOMEBODY}\s+{_THING}{_WHEN}$", re.IGNORECASE), "owe {who}"),
    (re.compile(rf"^(?:I|we)(?:['’]ve)?\s+(?:have\s+)?borrowed\s+{_THING}\s+(?:from|off)\s+{_SOMEBODY}{_WHEN}$", re.IGNORECASE), "borrowed from {who}"),
    (re.compile(rf"^(?:I|we)(?:['’]ve)?\s+(?:have\s+)?lent\s+{_SOMEBODY}\s+{_THING}{_WHEN}$", re.IGNORECASE), "lent {who}"),
    (re.compile(rf"^(?:I|we)(?:['’]ve)?\s+(?:have\s+)?lent\s+{_THING}\s+(?:out\s+)?to\s+{_SOMEBODY}{_WHEN}$", re.IGNORECASE), "lent {who}"),
    (re.compile(rf"^{_SOMEBODY}\s+lent\s+(?:me|us)\s+{_THING}{_WHEN}$", re.IGNORECASE), "borrowed from {who}"),
)  # fmt: skip
# money that is lent is owed
_OWED = {"lent {who}": "{who} owes", "borrowed from {who}": "owe {who}"}
_COUNTED = re.compile(r"[£$€]?\d[\d.,]*(?:\s?(?:euros?|pounds?|dollars?|francs?|quid|bucks?|[£$€]))?$", re.IGNORECASE)


def owed(text: str) -> Said | None:
    """What *text*, a clause, tells to be owed or lent, and between whom."""
    text = re.sub(r"\bstill\s+(?=owes?\b)", "", text)
    for form, name in _FORMS:
        if (m := form.match(text)) is not None:
            who = re.sub(r"^(?:my|our)\s+", "", m["who"], flags=re.IGNORECASE)
            value = clean_value(re.sub(r"^an?\s+", "", m["v"]))[0]
            if value is not None and (m["who"][0].isupper() or m["who"].lower().startswith(("my ", "our "))):
                counted = _COUNTED.match(value) is not None
                return Said((_OWED[name] if counted and name in _OWED else name).format(who=who), value, "i", verb=True)
    return None
