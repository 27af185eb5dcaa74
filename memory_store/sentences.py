"""
A message -> the sentences in it that may state something, and sentences -> clauses.

Left out: code, what is not their own words (`pasted`), quoted text, markup, lists, and whole messages that only hand the assistant a text to work
on. What is left keeps its place: every sentence knows where in the message it stands.
"""

import re
from dataclasses import dataclass

from memory_store.colloquial import plainer
from memory_store.jokes import without_jokes
from memory_store.pasted import own_words

LONG_MESSAGE = 1500
SHORT = 60  # characters
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INERT_LINE = re.compile(
    r"^[ \t]*(?:>|\||<[/\w!]|[#]{1,6} |[-*•+] |\d+[.)] |[{}\[\]<>$%]|//|/\*|(?:def|class|import|from|function|const|let|var|return|public|private|SELECT|INSERT|UPDATE|CREATE)\b).*$",
    re.MULTILINE,
)
_QUOTED = re.compile(r"\"[^\"\n]{12,}?\"|“[^”]{12,}?”|«[^»]{12,}?»|(?<!\w)'(?=[A-Z])[^'\n]{20,}?'(?!\w)")
_TASK = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+|can u\s+|would you\s+|pls\s+|i want you to\s+|i need you to\s+|i would like you to\s+|i['’]d like you to\s+|help me\s+|now\s+)*"
    r"(?:write(?! (?:(?:this|that|it) )?down\b)|rewrite|re-write|translate|summari[sz]e|paraphrase|proofread|edit|correct|fix|improve|rephrase|generate|create|compose|draft|continue|act as|"
    r"you are|you['’]re|imagine|pretend|roleplay|role-play|explain|analy[sz]e|review|convert|classify|extract|expand|shorten|complete|answer|solve|"
    r"describe|tell me a story|make (?:a|an|this|it|the)|come up with|design|code|implement|outline|brainstorm|finish|grade|prove|from now on,? you|ignore|"
    r"in the style of|produce|turn this|format|suppose (?:you|that you)|simulate|respond|reply|play)\b",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\b(?:act as|i want you to act|you will (?:act|play)|role-?play|you are an? (?:expert|assistant|ai|professional)|in the style of|my first (?:request|sentence|suggestion|command)|"
    r"as an? (?:ai|language model)|the following (?:text|passage|article|paragraph|code|story|email|essay)|here is (?:the|a|an|some) (?:text|passage|article|code|essay|email|story)|"
    r"prompt:|hypothetical (?:scenario|situation|world|question)|fiction|screenplay|once upon a time|write (?:a|an|me|the)|dear (?:sir|madam|hiring))\b",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?…]+(?=[\"”’)\]]*(?:\s|$))|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|approx|no|fig|sr|rev|gen|capt|lt|mt|[a-z])$", re.IGNORECASE
)


@dataclass(frozen=True)
class Sentence:
    """
    *whole* stands at `message[start:end]`, *text* is the same in plainer words.

    *asks*: it is a question; *short*: so is the message around it.
    """

    text: str
    start: int
    end: int
    asks: bool
    short: bool
    ours: bool
    whole: str = ""


def sentences(message: str) -> list[Sentence]:
    """The sentences of *message* that are the speaker's own words, in order."""
    masked = without_jokes(_FENCE.sub(_blank, own_words(_FENCE.sub(_blank, message))))
    masked = _INERT_LINE.sub(_blank, masked)
    masked = _QUOTED.sub(_blank_but_ends, masked)
    ours = bool(re.search(r"\b(?:we|our|us|my|i|i['’]m|we['’]re|i['’]ve)\b", message, re.IGNORECASE))
    found: list[Sentence] = []
    start = 0
    for stop in [*(m for m in _END.finditer(masked)), None]:
        if stop is not None and stop[0].startswith(".") and _abbreviated(masked, start, stop):
            continue
        end = stop.end() if stop else len(masked)
        text = masked[start:end]
        stripped = text.strip()
        if stripped:
            lead = len(text) - len(text.lstrip())
            found.append(
                Sentence(stripped, start + lead, start + lead + len(stripped), "?" in stripped[-3:], False, ours)
            )
        start = end
    short = len(message) <= 320 and len(found) <= 5
    return [Sentence(plainer(s.text), s.start, s.end, s.asks, short, s.ours, s.text) for s in found]


def is_long(message: str) -> bool:
    """Whether *message* is longer than what people tell of themselves at once."""
    return len(message) > LONG_MESSAGE or len([line for line in message.splitlines() if line.strip()]) > 12


def is_of_others(message: str) -> bool:
    """Whether even what seems to be the owner's own in *message* states nothing: a text, or the head of a long one."""
    own = own_words(message).strip()
    return speaks_of_a_text(own) or (is_long(message) and len(own) > 320)


def speaks_of_a_text(message: str) -> bool:
    """Whether *message* hands over a text, a role or a task, so that its sentences state nothing of the speaker."""
    if is_long(message):
        return True
    if _SETTING.search(message):
        return True
    lines = [line for line in message.splitlines() if line.strip()]
    if not lines:
        return True
    if _TASK.match(message) and (len(message) > 160 or len(lines) > 1 or ":" in message):
        return True
    short = len(message) <= SHORT  # a number, a code: `I'm 34`
    letters = sum(c.isascii() and (c.isalpha() or (short and c.isdigit())) for c in message)
    return letters < 0.55 * len(message.replace(" ", ""))


def _abbreviated(text: str, start: int, stop: re.Match[str]) -> bool:
    return (
        bool(_ABBREVIATION.search(text[max(start, stop.start() - 12) : stop.start()]))
        and text[stop.end() :].strip() != ""
    )


def _blank(m: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", m[0])


def _blank_but_ends(m: re.Match[str]) -> str:
    words = len(m[0].split())
    if words <= 6 and not re.search(r"\b(?:is|are|was|i|we|you|my|our)\b", m[0], re.IGNORECASE):
        return m[0]
    return " " * len(m[0])


# -- discourse ---

_OPENING = re.compile(
    r"^(?:[\s,:;.!—–-]*(?:(?:oh|ah|hey|hi|hello|well|so(?! long as)|okay|ok|also|and|but|then|anyway|anyways|btw|fyi|yes|yeah|yep|thanks|thank you|great|cool|nice|sorry|"
    r"alright|right|sure|look|listen|by the way|just so you know|so you know|just so you['’]re aware|for the record|for context|for reference|for your information|"
    r"(?:a )?(?:quick|small|little|big|brief|important|another|one|some) (?:context|update|note|news|reminder|thing|fact|correction|heads[- ]up|change)|good news|bad news|"
    r"context|update|updates|news|note|reminder|heads[- ]up|correction|ps|p\.s\.|"
    r"to be clear|as you (?:may )?know|you know|as i (?:said|mentioned)|as mentioned|one more thing|another thing|on another note|"
    r"mind you|from (?:this|next) \w+(?: on)?|obviously|naturally|clearly|of course|basically|for now|these days|nowadays|currently|right now|at the moment|at present|lately|recently|from now on|from today(?: on)?|going forward|"
    r"(?:from|as of|since|starting|beginning) (?:(?:this|next|last|the) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|week|month|year|season|term|semester|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter)(?: on(?:wards)?)?(?=,|\s+(?:the|our|my|we|i)\b|\s+[A-Z])|as of (?:this |next |last )?\w+|(?:starting|effective) (?:from )?(?:this |next )?\w+|since (?:this |last )?\w+(?= (?:we|i|our|my))|this (?:week|month|year|season|term)(?!['’])|today|yesterday|"
    r"it turns out|turns out|i should (?:also )?(?:mention|say|add|note)|i (?:just )?want(?:ed)? (?:to|you to) (?:say|mention|tell you|let you know|note|add|know|share)|"
    r"i['’]d like you to (?:know|note|remember)|(?:please |do )?(?:note|remember|keep in mind|bear in mind|be aware|know|mind)|(?:just )?to let you know|just letting you know|"
    r"let me (?:tell you|add|mention)|you should (?:also )?know|(?:please )?(?:don['’]t|do not) forget|in case (?:you (?:need|wonder|ask|are wondering)|you['’]re wondering|i forget|it matters|it helps|that matters)(?: it| that)?|"
    r"if it helps|if you must know|believe it or not|in fact|honestly|basically|in general|first(?:ly| of all)?|second(?:ly)?|finally|last(?:ly| but not least)?|besides|"
    r"in addition|additionally|on top of that|plus|speaking of which|funny enough|as it happens|as usual|personally|for what it['’]s worth|just)\b(?:\s+that\b)?[\s,:;.!—–-]*))+",
    re.IGNORECASE,
)
_NEWSY = re.compile(
    r"\b(?:update|news|now|change|changed|switched|correction|recently|from now on|starting|as of|going forward|effective)\b",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"\s+[—–]\s+|\s+--?\s+(?=[A-Za-z])|\s*;\s*"
    r"|:\s+(?=(?:it|they|we|our|my|i|the|from|when|if|once|[A-Z][\w.’'-]*(?:\s[A-Z][\w’'-]*)*\s+(?:is|was|took|has))\b)"
    r"|,\s+(?:so|and|but|which means)\s+(?=(?:i|we|my|our|it|that|that['’]s|it['’]s|they|the|now|he|she|i['’]m|we['’]re|i['’]ve|we['’]ve|from)\b|[A-Z])"
    r"|,\s+(?=(?:i|we|my|our|it|that|that['’]s|it['’]s|they|the new one|the next one|you|you['’]ll|he|she|i['’]m|we['’]re|i['’]ve|we['’]ve|who['’]s my|who['’]s our|who is my|who is our|which is|call it|no more|in case|the [a-z]+ (?:went|is|was)\b)\b)"
    r"|,\s+(?:but\s+|and\s+)?(?:now|these days|nowadays)\s+(?=(?:i|we|my|our|it['’]s|i['’]m|we['’]re)\b)"
    r"|,\s+(?:and\s+)?(?=[a-z]+(?:\s[a-z]+)?\s(?:is|are|was|were)\b)"
    r"|(?:,|\s+and|,\s+and)\s+(?=(?:his|her|their|its)\s[a-z]+(?:\s[a-z]+)?\s(?:is|are|was|were)\b)"
    r"|,\s+(?=(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])\w+)*\s+(?:left|stepped|is|has|was|took|quit|retired|went|moved|got|became)\b)"
    r"|\s+(?:so|and|but)\s+(?=(?:i|we|my|our|now)\b|the\s[a-z]+(?:\s[a-z]+)?\s(?:is|are)\s+\S*[A-Z0-9])"
    r"|\s+and\s+(?=(?:he|she|they)\s(?:lives?|works?|is|are|has|have|plays?|studies|goes|likes?|loves?)\s)"
    r"|\s+and\s+(?=(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])\w+)*\s+(?:is|has|took)\b|(?:the|our|my)\s+new\s)",
    re.IGNORECASE,
)


def undress(text: str) -> tuple[str, bool]:
    """*text* without the words that only open the turn, and whether those announced news."""
    m = _OPENING.match(text)
    if m is None or m.end() >= len(text):
        return text, False
    # "Note the team lead" keeps its object; "So" alone opens, "Just" before a verb does not hurt
    return text[m.end() :], bool(_NEWSY.search(m[0]))


def clauses(text: str) -> list[str]:
    """*text* cut where a new clause begins; parentheses and quotes are never cut."""
    depth, parts, last = 0, [], 0
    shut = [False] * (len(text) + 1)
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        shut[i] = depth > 0
    for m in _SPLIT.finditer(text):
        if shut[m.start()] or m.start() <= last:
            continue
        parts.append(text[last : m.start()])
        last = m.end()
    parts.append(text[last:])
    return [p.strip() for p in (part.strip().rstrip(",;:") for part in parts) if p.strip()]
