"""
Where a sentence that supposes something parts: into what would have to happen, and what would follow from it.

By form alone: what is supposed is told by a conjunction (`if`, `the day`), a phrase (`with another garage`, `under a new
owner`, `whoever comes after her`) or a subject that is not there yet (`a change of supplier would mean …`). Which facts
are meant is for `bearing` to find.
"""

import re
from dataclasses import dataclass, replace

# What follows comes about when the condition ends.
ENDS = frozenset(("unless", "until", "till", "as long as", "so long as", "for as long as", "without", "but for"))


@dataclass(frozen=True)
class Cut:
    """*condition* as it was said, without its *mark* (lower case); *consequence*, what follows; *aside*, what else was told."""

    mark: str
    condition: str
    consequence: str
    aside: str = ""

    @property
    def told(self) -> str:
        """What of the sentence is told as so: `Trev drives us` in `Trev drives us as long as we train there`."""
        holds = self.mark in ENDS and not _VERB_OF_THE_FUTURE.search(self.consequence)
        return f"{self.aside} {self.consequence}" if holds else self.aside


_LEAD = re.compile(
    r"^(?:(?:and|but|so|also|oh|well|now|then|besides|note that|remember(?: that)?|keep in mind(?: that)?|mind you|by the way|just so you know|fyi|btw|"
    r"it (?:is|was|has been) (?:agreed|settled|decided|understood|arranged)(?: (?:between us|already|long since))?(?: that)?|it['’]s (?:agreed|settled|decided)(?: that)?|"
    r"(?:the|our) (?:plan|rule|deal|idea|agreement|understanding|arrangement)(?: is|:)(?: that)?|(?:we|i)(?:['’]ve| have)? (?:all )?(?:agreed|decided|settled|said|figured|promised|planned|sworn)(?: on this)?(?: that)?)\s*[:,]?\s+)+",
    re.IGNORECASE,
)
_IF = (
    r"(?:even if|only if|if(?: and when)?|(?:as and )?when(?:ever)?|once|as soon as|(?:the|from the|on the) (?:day|moment|minute|second|instant|week|month)(?: that| when)?|in case(?: that)?|in the event(?: that)?|"
    r"(?:the )?(?:next|first) time|every ?time|any ?time|each time|should|were|had|supposing|suppose|assuming|provided(?: that)?|say|imagine|unless|until|till|as long as|so long as|for as long as|after|because once|no sooner than)"
)
_PLAIN_IF = re.compile(rf"^(?P<mark>{_IF})\s+(?P<rest>\S.*)$", re.IGNORECASE)
_IF_WITHIN = re.compile(
    r"(?:,\s+|\s+(?:—|–|-)\s+|;\s+|:\s+|\s+)(?:(?:and|but|or|only|except)\s+)?(?P<mark>if(?: and when)?|when(?:ever)?|once|as soon as|(?:the|from the|on the) (?:day|moment|minute|second|instant)(?: that| when)?|in case|in the event(?: that)?|"
    r"(?:the )?next time|every ?time|any ?time|should|unless|until|till|as long as|so long as|for as long as|supposing|assuming|provided(?: that)?)\s+(?=\S+\s)",
    re.IGNORECASE,
)
_COMMA = re.compile(
    r",?\s+(?:—|–)\s+|:\s+(?:in that case|then)?,?\s*|,\s+(?:then,?\s+|so\s+|in that case,?\s+)?|\s+then,?\s+",
    re.IGNORECASE,
)
# A thing that is not there yet.
NEW_ONE = (
    r"(?:(?:an?|any|some|the|every)\s+(?:\w+\s+)?(?:change|switch|move|handover|shift)\s+(?:of|in|to|at|from)|(?:changing|switching|replacing|swapping|losing|leaving|dropping)|"
    r"(?:an?|any|some|the|our|every)\s+(?:(?:altogether|completely|quite)\s+)?(?:new|different|other|fresh|next|replacement)|(?:any|some|yet\s+)?another|any(?=\s.*\b(?:but|other than)\b))"
)
_SOMEBODY_NEW = r"(?:any(?:body|one|thing|where) (?:else|new|but|other)|some(?:body|one|thing|where) (?:else|new|other)|nobody (?:else|but)|no one (?:else|but)|(?:his|her|their|its|[A-Z][\w'’ ]+['’]s|(?:the|our|my) \w+['’]s) (?:successor|replacement|departure|retirement))"
_MODAL = r"(?:would|will|could|might|may|can|should|shall|must|['’]d|['’]ll|is going to|is to|means?|meant|makes?|brings?|turns?|puts?|sets?|moves?|takes?|changes?|gets?|has to|have to|need(?:s)? to|always)"
# `a change of garage would mean …`
_AS_SUBJECT = re.compile(
    rf"^(?P<condition>(?:[^,;]{{2,50}}?\s(?:with|from|by|at|of|under)\s)?(?:{NEW_ONE}|{_SOMEBODY_NEW})\b[^,;]{{0,70}}?)\s*,?\s+(?:(?:also|then|probably|certainly|simply|always|just)\s+)*(?P<verb>(?:{_MODAL})\b.*)$",
    re.IGNORECASE,
)
# `with another garage, …`, `without Glasco as the supplier, …`, `under a new owner …`
_AS_PHRASE = re.compile(
    rf"^(?P<mark>(?:on|upon|at|after|with|following) the (?:arrival|appointment|coming|election|departure|retirement|resignation|death|loss) of|with|under|without|for|from|at|by|given|upon|on|after|following|but for|in the absence of|were it not for|if not for)\s+(?P<condition>(?:{NEW_ONE}|{_SOMEBODY_NEW})\b[^,;]{{0,80}}?|(?<=\sof\s)[^,;]{{2,60}}|(?<=without\s)[^,;]{{2,80}}|(?<=but for\s)[^,;]{{2,80}}|(?<=not for\s)[^,;]{{2,80}}|(?-i:[A-Z])[^,;]{{1,50}} (?:as|for|at) [^,;]{{2,50}}|[^,;]{{2,50}}\s(?:gone|out of the picture|out|away))"
    r"(?:,\s+(?:then\s+)?(?P<rest>\S.*)|\s+(?P<rest2>(?:my|our|the|each|every|we|i|it|that|they)\b.*))$",
    re.IGNORECASE,
)
_PHRASE_WITHIN = re.compile(
    rf"^(?P<rest>.+?\S),?\s+(?P<mark>with|under|without|for|from|at|after|upon|given|but for|by)\s+(?P<condition>(?:{NEW_ONE}|{_SOMEBODY_NEW})\b[^,;]*)$",
    re.IGNORECASE,
)
# `whoever succeeds her as warden, …`
_WHOEVER = re.compile(
    r"^(?P<condition>(?:whoever|whatever|whichever(?:\s\w+)?)\s+(?:\w+\s+){0,2}?(?:succeeds?|follows?|replaces?|takes?|comes|steps|fills|is|gets|has|becomes|next)\b[^,;]*?),\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
# `nobody knows what another warden would say`
_UNKNOWN_OF = re.compile(
    rf"^(?P<rest>.*?\b(?:what|which|whether|how|where|when|who|if|of|that|but|and)\s+)(?P<condition>(?:{NEW_ONE}|{_SOMEBODY_NEW})\b[^,;]*?)\s+(?P<verb>(?:{_MODAL})\b.*)$",
    re.IGNORECASE,
)
# `get us off it and we'd …`, `any other cook and we're …`, `moving to another host, we'd …`, `anywhere else we play it'll be …`
_AND_THEN = re.compile(
    rf"^(?P<condition>(?:(?!(?:i|we|he|she|they|it|you|the|my|our|that|this|there|an?|his|her|their)\b|\w+ed\b)[a-z]+\s[^,;]{{0,60}}?\b(?:{NEW_ONE}|{_SOMEBODY_NEW}|off|away|out)|(?:{NEW_ONE}|{_SOMEBODY_NEW})|(?:change|switch|swap|replace|lose|drop|leave|move|ditch|take away))\b[^,;]{{0,60}}?),?\s+and\s+(?P<rest>(?:then\s+)?(?:we|i|it|they|you|he|she|there|the|our|my|an?|each|every)\b.*)$",
    re.IGNORECASE,
)
_WILL = re.compile(
    r"(?:then\s+)?(?:(?:the|our|my|an?|each|every)\s[a-z-]+(?:\s[a-z]+)?|\w+)(?:['’](?:d|ll|re|m)\b|\s+(?:would|will|could|might|may|are|am|have to|has to|gonna)\b)",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"^(?P<condition>(?:moving|going|switching|changing|leaving|losing|getting|taking|having|swapping|replacing|dropping|quitting|finding|hiring|using)\s[^,;]+),\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"(?:;|,?\s+(?:—|–)|,|:)\s+(?:(?:and|but|so|or|which means(?: that)?)\s+)*|\s+(?:and|but|so)\s+(?:so\s+)?|\s+that\s+(?=(?:if|when|once|the (?:day|moment)|as soon as|should|with)\s)",
    re.IGNORECASE,
)
# Where without a comma what follows begins: `if somebody else ran it | it could be anywhere`.
_NEXT_CLAUSE = re.compile(
    r"\s+(?=(?:then\s)?(?:it|that|this|they|we|i|he|she|you|there|(?:the|our|my)\s[a-z]+(?:\s(?!(?:you|we|it|they|he|she|i|there)\b)[a-z]+){0,2}?)(?:['’](?:d|ll)\b|\s+(?:would|will|could|might|may|must|can|has to|have to)\b|(?:['’](?:re|m)|\s(?:are|am|is))\s(?:\w+ly\s)?[a-z]+ing\b))",
    re.IGNORECASE,
)
_MEANS_THAT = re.compile(
    r"^(?:would|will|could|might|can|['’]d|['’]ll|is going to)?\s*(?:also\s+|always\s+|then\s+)?(?:means?|meant|bring(?:s)? (?:it )?(?:about|with it)|see(?:s)? to it|implies|imply)\s+(?:that\s+|having\s+)?(?=\S)",
    re.IGNORECASE,
)
_IN_THAT_CASE = re.compile(
    r"^(?:in (?:that|which) case|if so|then|if that happens|should that happen|when that happens|if it (?:does|comes to that)|from then on|in that event)[,:]?\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_VERB_OF_THE_FUTURE = re.compile(
    r"\b(?:would|will|could|might|may|can|should|shall|must|wouldn|won|going to|gonna|has to|have to|need|needs)\b|(?:\b(?:is|are|am)|['’](?:re|m|s))\s(?:\w+ly\s)?[a-z]+ing\b|['’](?:d|ll)\b",
    re.IGNORECASE,
)


def cuts(text: str, before: str = "") -> list[list[Cut]]:
    """
    For each thing that *text*, a sentence, supposes: every way in which it parts, the likeliest first.

    *before*: the sentences before it.
    """
    text = _LEAD.sub("", re.sub(r"\s+", " ", text).strip().rstrip(".! "))
    if not text or text.endswith("?") or len(text) > 500:
        return []
    parts = _AND_IF.split(text)
    if (
        len(parts) > 1
        and all(_PLAIN_IF.match(p) or _AS_PHRASE.match(p) for p in parts[1:])
        and (first := _ways(parts[0], before))
    ):
        return [first, *(ways for p in parts[1:] if (ways := _ways(p, "")))]
    ways = _ways(text, before)
    return [ways] if ways else []


_AND_IF = re.compile(
    r"(?:,|;)?\s+(?:and|but|while|whereas)\s+(?=(?:if|when|once|should|with (?:a|an|any)|under|as soon as)\s)|;\s+(?=(?:if|when|once|should)\s)",
    re.IGNORECASE,
)


def _ways(text: str, before: str) -> list[Cut]:
    if (m := _IN_THAT_CASE.match(text)) and before:
        told = _LEAD.sub("", re.split(r"(?<=[.!?])\s", before.strip())[-1].rstrip(".!?: "))
        told = re.sub(r"^(?:suppose|supposing|say|imagine|if|what if)\s+", "", told, flags=re.IGNORECASE)
        return [Cut("if", told, m["rest"])]
    if found := _begun(text):
        return found
    for m in _CLAUSES.finditer(text):
        aside, rest = text[: m.start()], text[m.end() :]
        if rest and (_VERB_OF_THE_FUTURE.search(rest) or _PLAIN_IF.match(rest)) and (found := _begun(rest)):
            return [replace(cut, aside=aside) for cut in found]
    return _ended(text)


def _begun(text: str) -> list[Cut]:
    """*text* as one that begins with the condition."""
    found: list[Cut] = []
    if m := _PLAIN_IF.match(text):
        mark, rest = m["mark"].lower(), m["rest"]
        ends = list(_COMMA.finditer(rest))
        if mark in ("should", "were", "had", "say", "imagine", "suppose") and not ends:
            return []
        if " " in mark and mark.startswith(("the ", "on ", "from ")) and not _SUBJECT.match(rest):
            return []
        ends += _NEXT_CLAUSE.finditer(rest)
        found = [Cut(mark, rest[: c.start()], rest[c.end() :]) for c in ends if rest[c.end() :]]
        found.sort(key=_oddity)
        if not found:
            ends = list(re.finditer(r"\s(?=(?:my|our|the|we|i|it|that|he|she|they)\s)", rest, re.IGNORECASE))
            found = [Cut(mark, rest[: c.start()], rest[c.end() :]) for c in ends if len(rest[: c.start()].split()) > 2]
        return found
    if m := _WHOEVER.match(text):
        found.append(Cut("whoever", m["condition"], m["rest"]))
    if (m := _AND_THEN.match(text)) and not _VERB_OF_THE_FUTURE.search(m["condition"]) and _WILL.match(m["rest"]):
        found.append(Cut("new", m["condition"], m["rest"]))
    if (m := _DOING.match(text)) and _VERB_OF_THE_FUTURE.search(m["rest"]):
        found.append(Cut("if", m["condition"], m["rest"]))
    if re.match(rf"(?:{NEW_ONE}|{_SOMEBODY_NEW})\b", text, re.IGNORECASE):
        ends = [*re.finditer(r",\s+", text), *_NEXT_CLAUSE.finditer(text)]
        ahead = [Cut("new", text[: c.start()], text[c.end() :]) for c in ends if len(text[: c.start()].split()) > 1]
        found += [c for c in ahead if _oddity(c) == (False, False)]
    if m := _AS_SUBJECT.match(text):
        found.append(Cut("new", m["condition"], _MEANS_THAT.sub("", m["verb"])))
    if m := _AS_PHRASE.match(text):
        found.append(Cut(m["mark"].lower(), m["condition"], m["rest"] or m["rest2"]))
    return found


def _oddity(cut: Cut) -> tuple[bool, bool]:
    """Lower for what has its verb of the future where it belongs."""
    return _VERB_OF_THE_FUTURE.search(cut.consequence) is None, _VERB_OF_THE_FUTURE.search(cut.condition) is not None


_SUBJECT = re.compile(
    r"(?:that|when|we|i|he|she|it|they|the|our|my|you|some\w+|any\w+|no\w*)\b|(?-i:[A-Z])", re.IGNORECASE
)


def _ended(text: str) -> list[Cut]:
    """*text* as one that ends with the condition."""
    found: list[Cut] = []
    for m in _IF_WITHIN.finditer(text):
        rest = text[m.end() :]
        if " " in m["mark"] and m["mark"].lower().startswith(("the ", "on ", "from ")) and not _SUBJECT.match(rest):
            continue
        if end := re.search(r",\s+(?:and|but|so|because|since|which|as)\s|;|\s+[—–]\s", rest):
            rest = rest[: end.start()]
        found.append(_apart(m["mark"], rest, text[: m.start()]))
    if found:
        return found
    if (last := _PHRASE_WITHIN.match(text)) and _VERB_OF_THE_FUTURE.search(last["rest"]):
        return [_apart(last["mark"], last["condition"], last["rest"])]
    if unknown := _UNKNOWN_OF.match(text):
        return [_apart("new", unknown["condition"], f"{unknown['rest']}{unknown['verb']}")]
    return []


def _apart(mark: str, condition: str, consequence: str) -> Cut:
    """The cut whose consequence is the last clause of *consequence*."""
    ends = [m for m in _CLAUSES.finditer(consequence) if _VERB_OF_THE_FUTURE.search(consequence[m.end() :])]
    if not ends or not _VERB_OF_THE_FUTURE.search(consequence):
        return Cut(mark.lower(), condition, consequence)
    last = ends[-1]
    return Cut(mark.lower(), condition, consequence[last.end() :], aside=consequence[: last.start()])
