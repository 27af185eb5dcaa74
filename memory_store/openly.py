"""What may be a value, whatever the verb that it stands with; and who was taken on as what."""

import re

from memory_store.doing import verb_form
from memory_store.phrases import noun_phrase
from memory_store.said import NAME, Said

PREP = r"(?:in|at|on|near|by|with|for|to|from|as|out of|through|via|within|under|over|around|behind|before|after|during|opposite|beside|next to|above|below|against|between|among|along|across|off|into|onto|inside|outside|until|till|since)"
_TOOK_ON = re.compile(
    rf"^(?P<s>I|[Ww]e)(?:['’]ve|\s+have)?\s+(?:(?:now|just|since|recently)\s+)*(?P<verb>[a-z]+)\s+(?P<v>(?:the\s+)?{NAME})\s+as\s+(?:(?:my|our|the|a|an)\s+)?(?P<np>[a-z][a-z -]*)$"
)
# How much, how often and when, in words: as telling as a number.
MEASURED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half|quarter|dozen|once|twice|every|each|noon|midday|midnight|morning|mornings|afternoon|afternoons|evening|evenings|night|nights|"
    r"dawn|dusk|sunrise|sunset|teatime|lunchtime|bedtime|breakfast|lunch|dinner|supper|weekend|weekends|weekdays?|daily|weekly|fortnightly|monthly|yearly|spring|summer|autumn|winter|\w+days?|o['’]clock)\b",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"^(?:average|a new|another|a different|atm|obvs|lol|tbh|though|anyway|mate|that|to|how|what|if|whether|when|why|who|which|because|so|like|me|us|you|him|her|them|it|this|these|those|all|too|very|really|more|less|not|no|nothing|something|anything|everything|everyone|and|or|but|up|out|off|on|in|down|over|well|better|best|fine|ok|good|great|bad|hard|"
    r"(?:a|an|some|any|the)\s+(?:lot|bit|few|little|couple|stuff|problem|problems|question|questions|issue|issues|idea|ideas|way|ways|thing|things|time|list|good|great|bad|error|errors|reason|feeling|look|chance|point|fact|same|best|following|number|kind|sort|type|error|code|function|file|text|sentence|word|words|story|essay|paragraph|example|answer)|"
    r"\w+ing\b)(?:[\s,]|$)",
    re.IGNORECASE,
)


def taken_on(text: str) -> Said | None:
    """`We have retained V as NP`, with any verb: who is now what."""
    m = _TOOK_ON.match(text)
    form = verb_form(m["verb"]) if m else None
    if m is None or form is None or form[1] != "past" or form[0] in _PARTINGS or (np := noun_phrase(m["np"])) is None:
        return None
    return Said(np, m["v"], "i" if m["s"] == "I" else "we", change=True)


_PARTINGS = frozenset(
    "lose drop leave quit sell know see want use think consider reject fire dismiss remove remember treat describe mention".split()
)


def is_value(value: str) -> bool:
    """Whether *value* tells anything: no word of talk, and not over-long."""
    return (
        not _NO_VALUE.match(value)
        and 1 <= len(value.split()) <= (20 if re.search(r":.*,|,.*\band\b", value) else 9)
        and value[-1].isalnum() | (value[-1] in "’'.%)")
    )
