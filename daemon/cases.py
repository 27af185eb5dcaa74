"""
What the owner told of one thing in several cases: `at flag blue the fare is 4 euros, and with any other flag 6`.

No case needs to be understood whole. A message is cut where one case ends and the next begins; the words that only one
of them has tell it from the others, and what was told last with these words says which case holds. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from daemon.spoken import LEADS
from memory_store.grammar import content, parse, tag
from memory_store.sentences import sentences

# What names a case: `if the tide is low`, `under the old lease`, `with a skipper`, `in the case of rain`.
_SUBORDINATES = (
    r"if|when|whenever|once|unless|should|provided|(?:as|so) long as|as soon as|"
    r"from the (?:moment|day)|while|whilst"
)
_SUBORDINATE = re.compile(rf"(?:{_SUBORDINATES})\b", re.IGNORECASE)
_INVERTED = re.compile(r"(?:were|had)\s(?:the|a|an|any|he|she|it|we|they|our|my|[A-Z])", re.IGNORECASE)
# That something hangs on something, in whatever case: `it depends on the coach we work with`.
_ON_WHAT = re.compile(
    r"\b(?:depend\w*|up to (?!\d)|decid\w+|determin\w+)\b|"
    r"^(?:that|this|it)(?:['’]s| is) (?:when|where|how|what|why)\b",
    re.IGNORECASE,
)
_STILL = re.compile(r"\b(?:(?:as|so) long as|while|whilst)\b", re.IGNORECASE)
_LEAD = re.compile(rf"^\W*{LEADS}", re.IGNORECASE)
_SAYS_THAT = re.compile(rf"^[^,;]{{2,60}}\bthat\s+(?=(?:{_SUBORDINATES})\b)", re.IGNORECASE)
_NO_PRONOUN = r"(?!\s+(?:that|this|it|her|him|them|me|us|you)\b)"
_CUE = re.compile(
    rf"\b(?:{_SUBORDINATES}|in (?:the )?(?:case|event)|(?:with|under|on|after){_NO_PRONOUN}|"
    r"without|otherwise)\b",
    re.IGNORECASE,
)
_SURE_CUE = re.compile(
    rf"\b(?:{_SUBORDINATES}|in (?:the )?(?:case|event)|(?:with|under){_NO_PRONOUN}|"
    r"without|otherwise)\b",
    re.IGNORECASE,
)
_SURELY = re.compile(rf"\b(?:{_SUBORDINATES}|in (?:the )?(?:case|event)|otherwise|would)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:any|all|every|some)\s?(?:one|body|thing|where|\s\w+)?\s+(?:else|but|other|except)\b|\bothers?\b|\bdifferent\b|"
    r"\banother\b|\botherwise\b|\b(?:changes?|switch) (?:of|in)\b|\bchanges\b|\bno longer\b|"
    r"\b(?:under|with|if|when|once|after)\b[^,;]{0,30}\bnew\b|\bwithout\b|\bunless\b|"
    r"\b(?:if|when|once|whenever)\b[^,;]{0,40}(?:\bnot\b|n['’]t\b)",
    re.IGNORECASE,
)
_WOULD = re.compile(r"\b(?:would|will|shall|then)\b|['’](?:ll|d)\b", re.IGNORECASE)
_BUT_NAMED = re.compile(r"\b(?:but|except|other than|unless|no longer|not|without)\b.*|n['’]t\b.*", re.IGNORECASE)
# Where one part may end: "; with a skipper", ", and 6 euros with a dog"; not "get us off that and we'll talk".
_CUT = re.compile(
    r"\s*;\s*(?:and\s+)?|,\s+(?:(?:and|but|or|while|whereas|whilst)\s+)?(?!(?:we|I|it|they|he|she|you)['’](?:ll|d)\b)|"
    r"\s+(?:and|but|or|whereas)\s+(?!(?:we|I|it|they|he|she|you)(?:['’](?:ll|d)|\s(?:will|would))\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^[A-Z][^:.;]{2,80}:\s+(?=\w)")
_RELATIVE = re.compile(r"(?:which|who|whose|that|where)\b", re.IGNORECASE)
_REASON = re.compile(r"(?:because|since|['’]?cos|bc|as(?! (?:long|soon) as))\b", re.IGNORECASE)
# That something ended, so that what holds with it holds no more.
_ENDED = re.compile(
    r"\b(?:end(?:ed|s)|over|terminated|cancel(?:l?ed)|expired|lapsed|gone|left|leaving|withdr[ae]wn?|stopped|quit|"
    r"resigned|retired|closed|died|broke|broken|sold|no longer|any ?(?:more|longer)|discontinued|stepped down|declined|"
    r"dropped|taken over|not available|unavailable|bankrupt|insolven\w+|finished|replaced)\b",
    re.IGNORECASE,
)
_MARKED = 3.0  # how much more a name or a number tells than another word


@dataclass(frozen=True)
class Case:
    """
    One of several. *keys*: the families of words by which it is told; *is_named*: it says when it holds; *is_other*: it
    holds where no other does.
    """

    text: str
    keys: frozenset[str]
    is_named: bool
    is_other: bool

    @property
    def goes_on(self) -> bool:
        """Whether it tells how long holds what holds already: `as long as Hollis prints it`."""
        return _STILL.search(self.text) is not None


@lru_cache(maxsize=4096)
def cases_of(message: str) -> tuple[Case, ...]:
    """The cases that *message* tells apart; none where it tells of fewer than two."""
    told = [_parts(sentence.text) for sentence in sentences(message) if not sentence.asks]
    parts = [part for each in told for part in each]
    alike = {part for each in told for part in _alike(each)}
    beside = any(sum(part in alike or _SURE_CUE.search(part) is not None for part in each) > 1 for each in told)
    cue = _CUE if beside else _SURELY
    named = [
        part for part in parts if part in alike or (_names_case(part) and (cue.search(part) or _OTHER.search(part)))
    ]
    if not named:
        return ()
    held = named
    if len(named) == 1 or _OTHER.search(named[0]):  # what stands before them holds as long as none of them does
        first = parts.index(named[0])
        held = parts[max(0, first - 1) : first] + named
    if len(held) < 2:
        return ()
    spread = Counter(key for part in held for key in content(part))
    return tuple(_case(part, spread, is_named=part in named) for part in held)


def holding(cases: Iterable[Case], told: str) -> Case | None:
    """
    Of *cases* the one that *told* names as what holds; None where it names none, or two as much.

    A name tells a case by itself; another word or a number only beside one more word that the case has. Where a case
    is told by a name or a number, no other word of it tells it.
    """
    its, plainly = content(told), marked(told)
    best, most, second = None, 0.0, 0.0
    for case in cases:
        named = case.keys & its
        by = case.keys & marked(condition_in(case.text))
        if case.is_other or not named or (by and not by & its):
            continue
        if not (named & _names(told) or len(content(case.text) & its) > 1):
            continue
        score = sum(_MARKED if key in plainly else 1.0 for key in named)
        if score > most:
            best, most, second = case, score, most
        else:
            second = max(second, score)
    return best if most > second else None


def other(cases: Iterable[Case]) -> Case | None:
    """Of *cases* the one that holds where no other does."""
    return next((case for case in cases if case.is_other), None)


def outcome(text: str) -> str:
    """What *text* says to follow, without when: `the price is 5 if it rains` -> `the price is 5`."""
    start, end = _condition_span(text)
    return f"{text[:start]} {text[end:].lstrip(', ')}".strip() or text


def condition_in(text: str) -> str:
    """The case in which *text* says something to follow; all of it where it names none."""
    start, end = _condition_span(text)
    m = _SURE_CUE.match(text, start)
    return text[m.end() if m else start : end].strip(" .") or text


def _condition_span(text: str) -> tuple[int, int]:
    """Where the condition stands in *text*, its cue included; nowhere where it names none."""
    m = _SURE_CUE.search(text)
    comma = text.find(",", m.end() if m else 0)
    if m is not None:
        return m.start(), comma if comma >= 0 else len(text)
    return (0, comma) if comma >= 0 and tag(text)[0].tag == "IN" else (0, 0)


def has_ended(told: str) -> bool:
    """Whether *told* says of what it names that it is no more."""
    return _ENDED.search(told) is not None


@lru_cache(maxsize=4096)
def _names(text: str) -> frozenset[str]:
    words = " ".join(t.text for t in tag(text) if t.tag in ("NNP", "NNPS"))
    return content(words) if words else frozenset()


@lru_cache(maxsize=4096)
def marked(text: str) -> frozenset[str]:
    """The families of names and numbers in *text*."""
    words = " ".join(t.text for t in tag(text) if t.tag == "CD" or t.text[:1].isdigit())
    return _names(text) | (content(words) if words else frozenset())


def _alike(parts: list[str]) -> list[str]:
    """Those of *parts* that begin with one preposition: `at flag blue, it is 4 euros; at flag white, 6`."""
    first = [tag(part)[0] for part in parts]
    spread = Counter(word.text.lower() for word in first if word.tag == "IN")
    return [part for part, word in zip(parts, first, strict=True) if word.tag == "IN" and spread[word.text.lower()] > 1]


def _case(part: str, spread: Counter[str], *, is_named: bool) -> Case:
    is_other = _OTHER.search(part) is not None
    named = _BUT_NAMED.sub("", part) if is_other else part
    return Case(part, frozenset(key for key in content(named) if spread[key] == 1), is_named, is_other)


def _names_case(part: str) -> bool:
    return (
        not _REASON.match(part)
        and (_CUE.search(part) is not None or _OTHER.search(part) is not None)
        and not _ON_WHAT.search(part)
    )


def _parts(text: str) -> list[str]:
    """*text* cut into cases; what is no case of its own stays with what it belongs to."""
    label = _LABEL.match(text)
    at = label.end() if label else 0
    spans: list[list[int]] = []
    joint = ""
    for m in [*_CUT.finditer(text, at), None]:
        start, end = (m.start(), m.end()) if m else (len(text), len(text))
        piece = text[at:start]
        if piece.strip(" .!"):
            if spans and not _begins(text[spans[-1][0] : spans[-1][1]], joint.strip(), piece):
                spans[-1][1] = start
            else:
                spans.append([at, start])
        at, joint = end, m[0] if m else ""
    return [text[start:end].strip() for start, end in spans]


def _begins(before: str, joint: str, piece: str) -> bool:
    """Whether *piece* begins another case than *before* tells, rather than to go on with it."""
    if _RELATIVE.match(piece) or not _is_told(before) or " " not in piece.strip():
        return False
    if _names_case(before) and not _WOULD.search(before) and not _names_case(piece) and not joint.startswith(";"):
        return False
    verbs = _verbs(piece)
    if joint == "," and not verbs and tag(piece)[0].tag in ("IN", "TO") and not _CUE.match(piece):
        return False
    return joint.startswith(";") or _names_case(piece) or verbs > 0


def _is_told(part: str) -> bool:
    """Whether *part* says what follows from the case that it names, where it begins with one."""
    part = _SAYS_THAT.sub("", _LEAD.sub("", part))
    verbs = _verbs(part)
    if _CUE.match(part) is None and not _INVERTED.match(part):
        return verbs > (tag(part)[0].tag == "VBG") or (_names_case(part) and tag(part)[0].tag != "VBG")
    if _SUBORDINATE.match(part) or _INVERTED.match(part):
        return verbs > 1 and ("," in part or _WOULD.search(part) is not None)
    return verbs > 0


def _verbs(text: str) -> int:
    return sum(clause.verb is not None for clause in parse(text))
