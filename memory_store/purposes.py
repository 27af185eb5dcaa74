"""What something is used, taken or booked for: `we use X as our Y`, `I work as a T at P`; the purpose names the fact."""

import re

from memory_store.phrases import noun_phrase, specific
from memory_store.said import ADVERBS, NAME, PERSONAL_NAME, Said, subject_of, value_of

_GOING_WITH = re.compile(
    rf"^(?:I|we)(?:['’]re|['’]m|['’]ve|\s+are|\s+am|\s+have)?\s*{ADVERBS}(?:going with|went with|go with|chose|chosen|picked|decided on|opted for|opt for|settled on|"
    r"us(?:e|ing)|have|got|rely(?:ing)? on|running|run|doing|do|aiming for|made|make|adopted|hired|appointed|selected|stick(?:ing)? with|treat(?:ing)?|having|keep(?:ing)?|count on|get|cast|charge|give|offer|pay|list|name|book(?:ed)?|sign(?:ed)?|elect(?:ed)?|nominat(?:ed|e)|shoot (?:with|on))\s+"
    rf"(?P<v>.+?)\s+(?P<adv>{ADVERBS})(?P<p>as|for|to be|in the role of)\s+(?P<np>(?P<o>(?:my|our|the|a|an)\s+)?[A-Za-z][^,.;:—]*?)(?:\s+(?:instead of|rather than|over)\s+(?P<old>[^,;]+?))?(?P<now>\s+now)?$",
    re.DOTALL | re.IGNORECASE,
)


_GOING_WITH_OURS = re.compile(
    rf"^(?:I|we)(?:['’]re|['’]m|['’]ve|\s+are|\s+am|\s+have)?\s*{ADVERBS}(?:going with|went with|go with|chose|chosen|picked|decided on|opted for|opt for|settled on|"
    r"us(?:e|ing)|have|got|rely(?:ing)? on|running|run|doing|do|aiming for|made|make|adopted|hired|appointed|selected|stick(?:ing)? with|treat(?:ing)?|having|keep(?:ing)?|count on|get|cast|charge|list|name|book(?:ed)?|sign(?:ed)?|elect(?:ed)?|nominat(?:ed|e)|shoot (?:with|on))\s+"
    rf"(?P<v>.+)\s+(?P<adv>{ADVERBS})(?P<p>as|for|to be|in the role of)\s+(?P<np>(?P<o>(?:my|our)\s+)[A-Za-z][^,.;:—]*?)(?:\s+(?:instead of|rather than|over)\s+(?P<old>[^,;]+?))?(?P<now>\s+now)?$",
    re.DOTALL | re.IGNORECASE,
)


# What people have for a while or for somebody to hear, not for keeps.
TALK_OBJECT = re.compile(
    r"^(?:(?:an?|the|some|any|no|two|three|few|a few|another|my)\s+)?(?:\w+\s+)?(?:questions?|minutes?|ideas?|plans?|moments?|times?|meetings?|requests?|"
    r"favors?|reasons?|solutions?|recipes?|lists?|tips?|suggestions?|recommendations?|respect|love|passion|interest|need)$",
    re.IGNORECASE,
)


# Whatever the verb: `we're on X as our Y now`, `we agreed on X as our Y`, `we've set X aside for our Y`.
_AS_OURS = re.compile(
    rf"^(?:I|we|they)(?:['’](?:re|m|ve|d))?\s+(?:[a-z]+\s+){{0,4}}?(?-i:(?P<v>(?:(?:the|an?)\s+)?(?:{NAME}|[$€£]?\d\S*)(?:\s+[a-z]+){{0,3}}?|(?:the|an?)\s+[a-z]+(?:\s[a-z]+){{0,2}}))(?:\s+(?:aside|in))?\s+(?P<p>as|for)\s+(?P<o>my|our|the)\s+(?P<np>[a-z][a-z -]*?)"
    r"(?:\s+(?:instead of|rather than|over)\s+(?P<old>[^,;]+?))?(?P<now>\s+now)?$",
    re.IGNORECASE,
)


_PARTS_WITH = re.compile(
    r"\b(?:fired|lost|dropped|ditched|left|quit|sacked|dumped|rejected|refused|ruled out|considered|thought|said|tried|thinking|thank(?:ed)?|waiting|looking|asked|paid|apologi[sz]ed|blamed?|used to|know|knew|see|saw|mistook|wrote|write|need|want|love|like|read|sold)\b",
    re.IGNORECASE,
)


_SETTLED = re.compile(
    r"(?:['’]re|['’]m|\bare|\bam)\s+(?:\w+\s+)?(?:at|on|with|up to|down to|aiming for|looking at)\s|\b(?:set|put|settled|agreed|went|gone|decided|landed|booked|reserved|hired|signed|chosen|chose|picked|budgeted|moved|switched|got|have|taken|took|gone over|stuck|going)\b",
    re.IGNORECASE,
)


_GIVEN = re.compile(
    r"\b(?:given|gave|assigned|got|have|chose|chosen|picked|booked|took|taken|use|using|went with|settled on)\b",
    re.IGNORECASE,
)


def _as_ours(text: str) -> Said | None:
    m = _AS_OURS.match(text)
    if m is None or _PARTS_WITH.search(text[: m.start("v")]) or re.match(r"(?:I|We|They)\b", m["v"]):
        return None
    plain = not re.match(r"(?:(?:the|an?)\s+)?[A-Z0-9#$£€@]", m["v"])
    if plain and not (m["p"].lower() == "as" and m["o"].lower() != "the" and _GIVEN.search(text[: m.start("v")])):
        return None
    ours = m["o"].lower() != "the"
    if not ours and not _SETTLED.search(text[: m.start("v")]):
        return None
    if m["p"].lower() == "for" and not _SETTLED.search(text[: m.start("v")]):
        return None
    np, (value, now) = noun_phrase(m["np"]), value_of(m["v"])
    if np is None or value is None or len(np.split()) > 4 or TALK_OBJECT.match(np):
        return None
    news = bool(re.search(r"\b(?:moved|switched|gone over|now|instead)\b", text, re.IGNORECASE))
    return Said(np, value, subject_of(text), old=m["old"], change=now or news or bool(m["now"]))


# `two tickets for the derby`: of what there are some, which the derby is not
SOME = re.compile(r"(?:two|three|four|five|six|seven|eight|nine|ten|some|a few|\d+)\s[a-z]+s$")


def with_purpose(text: str) -> Said | None:
    """`we use X as our Y`, `we went with X for our Y`, `I have X for Y`: the purpose names the thing."""
    text = re.sub(
        r"^for\s+(?:the\s+)?[a-z ]+?,?\s+(?=(?:we|i)\b.*\bas\s+(?:my|our|the)\s)", "", text, flags=re.IGNORECASE
    )
    m = _GOING_WITH_OURS.match(text) or _GOING_WITH.match(text)
    if m is None:
        return _as_ours(text)
    value, now = value_of(m["v"])
    np = noun_phrase(m["np"])
    owned = (m["o"] or "").strip().lower() in ("my", "our", "the")
    has = re.match(r"(?:I|we)(?:['’]ve)?\s+(?:\w+\s+)?(?:have|do|make|got|doing)\b", text, re.IGNORECASE)
    if np is None or value is None or not (m["p"] == "as" or owned or has):
        return None
    if m["p"] == "for" and re.fullmatch(PERSONAL_NAME, np):
        return None  # for whom, not for what
    if re.search(r"\b(?:me|us|you|them|while|now)\b", np) or re.match(r"(?:the )?(?:first|last|next|long|same)\b", np):
        return None
    if m["p"] == "for" and not owned and (not specific(value) and has and len(np.split()) > 2):
        return None
    if has and m["p"] == "for" and (TALK_OBJECT.match(value) or SOME.match(value)):
        return None
    return Said(np, value, subject_of(text), old=m["old"], change=now or bool(m["now"] or m["old"]))


_WORK = rf"(?P<s>I(?:\s+am|['’]m)?)\s+{ADVERBS}(?:work(?:ing)?|employed)"


WORK_AS = re.compile(rf"^{_WORK}\s+as\s+(?P<v>(?:an?|the|their|its)\s+[^,;:]+)$", re.IGNORECASE)


_TRADE_AND_PLACE = (
    re.compile(
        rf"^(?P<s>I(?:\s+am|['’]m))\s+{ADVERBS}(?P<as>an?\s+(?!(?:\w+\s)?(?:student|pupil|member|guest|patient|regular|fan|beginner|trainee|loss)\b)[a-z][a-z-]*(?:\s[a-z-]+)?)\s+(?P<p>at)\s+(?P<at>(?:(?:the|an?)\s+)?[a-z]*\s?[A-Za-z].*)$"
    ),
    re.compile(
        rf"^{_WORK}\s+as\s+(?P<as>(?:an?|the)\s+[^,;:]+?)\s+(?P<p>at|for|with|in)\s+(?P<at>(?:(?:the|an?)\s+)?[^\s,;:].*)$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?P<s>(?:(?-i:{PERSONAL_NAME})|he|she|(?:my|our)\s[a-z]+(?:\s[a-z]+)?)\s+{ADVERBS}works)\s+as\s+(?P<as>(?:an?|the)\s+[^,;:]+?)\s+(?P<p>at|for|with|in)\s+(?P<at>(?:(?:the|an?)\s+)?[^\s,;:].*)$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^{_WORK}\s+(?P<p>at|for|by)\s+(?P<at>[^,;:]+?)\s+as\s+(?P<as>(?:an?|the|their|its)\s+[^,;:]+)$",
        re.IGNORECASE,
    ),
)


def trade_and_place(text: str) -> tuple[str, ...]:
    """`I work as a T at P`, in either order, as the two clauses that it is; anything else as it stands."""
    for pattern in _TRADE_AND_PLACE:
        if m := pattern.match(text):
            if m["s"].endswith("works"):
                return f"{m['s']} {m['p']} {m['at']}", f"{m['s']} as {m['as']}"
            place = f"I work {'for' if m['p'].lower() == 'by' else m['p']} {m['at']}"
            return place, f"I work as {m['as']}"
    return (text,)
