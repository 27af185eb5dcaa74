"""
Several things of one kind: told at once (`we have two kilns, Ada and Bell`), and one more of them (`a third kiln, Cleo`).
"""

import re

from memory_store.familiar import Familiar
from memory_store.phrases import noun_phrase
from memory_store.said import NAME, Said, subject_of
from memory_store.verbs import plural

_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}|several|these|the following)"
_ONE_MORE = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|further|additional|extra|another|one more|yet another)"
_ITEM = r"(?:the\s+)?[\w'’&.-]+(?:\s(?!and\b)[\w'’&.-]+){0,4}"
_AT_ONCE = re.compile(
    rf"^(?P<lead>.*?)\b{_COUNT}\s+(?:(?:different|other|main|regular)\s+)?(?P<np>[a-z]+(?:[ -][a-z]+){{0,2}}?(?:(?<=s)|(?<=people)|(?<=children)|(?<=men)))(?P<rest>\s[^,:;]{{0,40}}?)?\s*[,:—–]\s+"
    rf"(?:namely\s+|they(?:['’]re|\s+are)\s+|called\s+)?(?P<v>{_ITEM}(?:,\s+{_ITEM})*,?\s+and\s+{_ITEM})$",
    re.IGNORECASE,
)
_THESE_ARE = re.compile(
    rf"^(?:these|those|the following|here) are\s+(?:(?:all\s+)?(?:my|our|the)\s+)(?P<np>[a-z]+(?:[ -][a-z]+){{0,2}}):\s+(?P<v>{_ITEM}(?:,\s+{_ITEM})*,?\s+and\s+{_ITEM})$",
    re.IGNORECASE,
)
# `…, and they lent us another, Cleo`
_ANOTHER_ONE = re.compile(rf"\banother(?:\s+one)?(?:,\s+|\s+(?:called|named)\s+)(?:the\s+)?(?P<v>{NAME})$")
_SAYS_MORE = re.compile(r"\s(?:is|are|was|has|goes|costs)\s")  # `Ada is big and Bell is small`: what they are
_OURS = re.compile(r"\b(?:we|i|my|our|us|there)\b", re.IGNORECASE)
_MORE_FORMS = (
    # a third kiln came: Cleo; another kiln called Cleo
    re.compile(rf"\b{_ONE_MORE}\s+(?P<np>[a-z]+(?:\s[a-z]+){{0,2}}?)\b(?:\s[^,:;]{{1,40}})??(?:\s*[,:]\s+|\s+(?:called|named|is|namely)\s+)(?:the\s+)?(?P<v>{NAME})(?=$|[,.;]|\s(?:and|who|which|from|as|now|too|for)\b)"),
    # Cleo joins as another kiln; Cleo is coming, she's the third kiln
    re.compile(rf"(?P<v>{NAME})\s[^;:]{{0,40}}?(?:\bas|\bis|\bbecame|\bbecomes|['’]s|\bbeing)\s+(?:our\s+|the\s+|an?\s+)?{_ONE_MORE}\s+(?P<np>[a-z]+(?:\s[a-z]+){{0,2}})"),
    # Cleo became a kiln as well
    re.compile(rf"(?:^(?:In|Since|From|On)\s\w+,?\s|^)(?P<v>{NAME})\s+(?:has\s+|also\s+)*(?:is|became|becomes|become|joined(?: us)? as|came in as|signed up as)\s+(?:also\s+)?(?:an?|one of (?:our|the))\s+(?P<np>[a-z]+(?:\s[a-z]+){{0,2}}?)(?:\s+(?:as well|too))"),
)  # fmt: skip


def told_at_once(text: str, known: Familiar) -> Said | None:
    """What *text* names several of, and which: under the noun that counts them, or under what is done with them."""
    text = text.strip().rstrip(".! ")
    if (m := _THESE_ARE.match(text)) and (name := noun_phrase(m["np"])):
        return Said(name, m["v"], "we")
    m = _AT_ONCE.match(text)
    if m is None or not (known.values or _OURS.search(f"{m['lead']} {m['rest'] or ''}")):
        return None
    if _SAYS_MORE.search(m["v"]) or not (known.values or re.search(rf"(?:^|\sand\s)(?:the\s+)?{NAME}$", m["v"])):
        return None
    whose = re.match(r"(?:my|our)\s+(?P<s>[a-z].*\s(?:from|in|at|on|to|with|by|for))\s*$", m["lead"], re.IGNORECASE)
    name = whose["s"].strip() if whose else noun_phrase(m["np"])
    return Said(name, m["v"], subject_of(m["lead"]) if whose else "we") if name else None


_TWO_KINDS = re.compile(
    rf"^(?P<s>(?:I|[Ww]e)(?:['’]ve got|\s+(?:have|own|keep|got)))\s+(?P<a>{_COUNT}\s[a-z ]+?[,:]\s+{NAME}(?:,\s+{NAME})*,?\s+and\s+{NAME}),?\s+"
    rf"and\s+(?P<b>an?\s[a-z ]+?\s(?:called|named)\s{NAME})[.!]*$"
)


def told_of_two_kinds(text: str) -> tuple[str, ...]:
    """*text* apart, where it tells of several of one kind, and of one of another; empty where it does not."""
    m = _TWO_KINDS.match(text)
    return (f"{m['s']} {m['a']}", f"{m['s']} {m['b']}") if m else ()


def one_more(text: str, known: Familiar) -> Said | None:
    """What *text* names as one more of several things that are known: it joins them."""
    text = text.strip().rstrip(".! ")
    for form in _MORE_FORMS:
        m = form.search(text)
        of = _known_as(m["np"], known) if m else None
        if m and of:
            return Said(of, m["v"], "we", also=True)
    if (m := _ANOTHER_ONE.search(text)) and (last := [a for a in known.values if plural(a)]):
        return Said(last[-1], m["v"], "we", also=True)
    return None


def _known_as(np: str, known: Familiar) -> str | None:
    """The known fact that holds several of what *np* is one of."""
    words = np.split()
    while words:
        if found := [a for a in known.named(" ".join(words)) if plural(a)]:
            return found[0]
        words.pop()
    return None
