"""What is told of one time only: `the rehearsal is cancelled this week`; what recurs is so again the next time."""

import re

from memory_store.familiar import Familiar
from memory_store.phrases import stems

_FOR_ONCE = re.compile(
    r"(?<!from )(?<!of )(?<!since )(?<!starting )\b(?:this (?:week|time|once|month|morning|afternoon|evening|weekend|\w+day)|today|tonight|"
    r"tomorrow|next (?:week|weekend|\w+day)|(?:just |only )(?:this )?once|over (?:christmas|easter|the holidays))\b(?! on(?:wards)?\b)",
    re.IGNORECASE,
)
RECURS = re.compile(r"\b(?:\w+days|every|each|daily|weekly|monthly|nightly|fortnightly)\b", re.IGNORECASE)


def is_for_once(text: str, known: Familiar) -> bool:
    """Whether *text*, a sentence, tells of one time of something that is known to recur."""
    if _FOR_ONCE.search(text) is None:
        return False
    said = set(stems(text))
    named = {spot.attribute for spot in known.spots(text)}
    return any(
        RECURS.search(value) is not None
        for name, values in known.values.items()
        if name in named or (stems(name) and set(stems(name)) <= said)
        for value in values
    )
