"""What is in somebody's diary: `next Tuesday I have a dentist appointment at 14:30 with Dr. Albers`."""

import re

from memory_store.said import Said, subject_of

_KINDS = (
    r"appointment|meeting|interview|exam|lesson|class|reservation|booking|consultation|check-?up|viewing|hearing|"
    r"rehearsal|audition|date|call|dinner|lunch|breakfast|flight|shift|concert|session"
)
_DAY = (
    r"(?:(?:on|this|next|every|the)\s+)*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|tonight|week|month|"
    r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?(?:\s+(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december))?|(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\s+\d{1,2}(?:st|nd|rd|th)?)(?:\s+(?:morning|afternoon|evening|night))?"
)
_CLOCK = (
    r"(?:(?:at|from|around|until|till|to)\s+)?(?:\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?)?|noon|midnight)"
    r"(?:\s+o['’]clock)?"
)
_TIME = rf"(?:{_DAY}(?:,?\s+{_CLOCK})*|{_CLOCK}(?:,?\s+{_DAY})?)"
_ENGAGED = re.compile(
    rf"^(?:(?P<lead>{_DAY}),?\s+)?(?:I|we)(?:\s+have(?:\s+got)?|['’]ve(?:\s+got)?|\s+got)\s+(?:an?|the|my|our|another)\s+"
    rf"(?P<np>(?:[a-z][a-z'’-]*\s){{0,3}}?(?:{_KINDS}))(?P<who>\s+(?:with|for)\s+(?:(?!\b(?:on|at|this|next)\b)[^,;])+?)?"
    rf"(?:,?\s+(?P<time>{_TIME}))?(?P<with>\s+(?:with|at|in)\s+[^,;]+)?$",
    re.IGNORECASE,
)


# "I'm meeting with the landlord Friday at 4pm"
_MEETING = re.compile(
    rf"^(?:(?P<lead>{_DAY}),?\s+)?(?:I|we)(?:\s+am|\s+are|['’]m|['’]re)\s+(?P<v>meeting|seeing|visiting)\s+(?:up\s+)?"
    rf"(?P<who>(?:with\s+)?(?:the|my|our|(?-i:[A-Z]))(?:(?!\b(?:on|at|this|next)\s)[^,;])*?),?\s+(?P<time>(?:on\s+)?{_TIME})$",
    re.IGNORECASE,
)


def engaged(text: str) -> Said | None:
    """What the speaker of *text* has before them, and when; None where it tells no time, or no such thing."""
    if m := _MEETING.match(text.strip()):
        when = " ".join(filter(None, (m["lead"], re.sub(r"^on\s", "", m["time"]))))
        whom = re.sub(r"^((?:with )?)(?:my|our) ", r"\1the ", m["who"])
        return Said(f"{m['v'].lower()} {whom}", when, subject_of(text))
    m = _ENGAGED.match(text.strip())
    if m is None or not (m["lead"] or m["time"]):
        return None
    lead = m["lead"] or ""
    if lead.lower().startswith(("next", "this", "on", "every")):
        lead = lead[:1].lower() + lead[1:]
    when = " ".join(filter(None, (lead, m["time"])))
    who, more = (m["who"] or "").strip(), (m["with"] or "").strip()
    if re.match(r"on\s", when, re.IGNORECASE):
        when = when[3:]
    alone = " " not in m["np"]
    name = f"{m['np']} {who}" if alone and who else m["np"]
    value = " ".join(filter(None, (when, more if alone or not who else f"{who} {more}".strip())))
    subject = subject_of(text[m.end("lead") :].lstrip(", ") if m["lead"] else text)
    return Said(re.sub(r"\b(?:my|our)\s+", "the ", name), value, subject)
