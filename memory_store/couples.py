"""With whom somebody is, `I'm seeing someone new, her name is Dora`, and whom they lost; what was before."""

import re

from memory_store.familiar import Familiar
from memory_store.said import PERSONAL_NAME, Said

_SEEING = re.compile(
    r"(?:and |but |so )?I(?:['’]m|\s+am|['’]ve been|\s+have been)\s+(?:now\s+)?"
    r"(?:seeing|dating|going out with|together with)\s+"
    rf"(?:some(?:one|body)(?:\s+(?:new|else))?(?:,|\s+(?:now|and))*\s+(?:(?P<whose>her|his|their)\s+name(?:['’]s|\s+is)|called|named)\s+)?(?P<n>{PERSONAL_NAME})"
    r"(?:\s+(?:now|these days))?[.!]*$"
)
_COUPLES = {"her": ("girlfriend",), "his": ("boyfriend",), "their": ("partner",)}
_LOST = re.compile(
    rf"(?:[Mm]y|[Oo]ur)\s+(?:late\s+)?(?P<np>[a-z]+(?:-[a-z]+)?),?\s+(?P<n>{PERSONAL_NAME}),?\s+(?:has\s+|sadly\s+|unfortunately\s+)*"
    r"(?:died|passed away|passed on|was killed)\b(?!.*\b(?:to|of)\s+(?:me|us)\b)"
)


def seeing(text: str, known: Familiar) -> Said | None:
    """With whom *text* says that the speaker is now, by the word for them that facts have."""
    m = _SEEING.match(text)
    if m is None:
        return None
    names = _COUPLES.get(m["whose"] or "", ("girlfriend", "boyfriend", "partner"))
    name = next((one for one in names if one in known.values), names[0] if m["whose"] else "partner")
    return Said(name, m["n"], "i", change=True)


def lost(text: str) -> tuple[str, str] | None:
    """Who of the speaker's *text* says to have died, and their name."""
    m = _LOST.match(text)
    return (m["np"], m["n"]) if m else None


def used_to_be(sentence: str) -> str | None:
    """What *sentence* says at its end that something was before: `…; it used to be 48`."""
    m = _USED.search(sentence)
    return m["v"] if m else None


_USED = re.compile(
    r"[;,—–(-]\s*(?:(?:and|but)\s+)?(?:it|that)\s+(?:used to be|was)\s+(?P<v>[^,;.]*\d[^,;.]*?)"
    r"(?:\s+(?:before|until .+|at first|earlier|last year))?[.!)]*$",
    re.IGNORECASE,
)
