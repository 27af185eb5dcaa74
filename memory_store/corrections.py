"""Being put right: `No, it's teal`, `I meant Max, not Rex`; what was told before was never true."""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_store.clauses import parse_clause
from memory_store.facts import same_value
from memory_store.mentions import PRONOUN, Mention
from memory_store.phrases import clean_value, specific
from memory_store.sentences import Sentence, undress
from memory_store.statement import Statement
from memory_store.told import stated

_CORRECTS = re.compile(
    r"^(?:(?:no(?=[,.:;!—–-]|\s+(?:it|that|this|he|she|they|wait|sorry|actually|i)\b)|nope|wait|sorry|oops|actually|hmm|hm|correction|i mean|i meant|my mistake|my bad|apologies|i misspoke|i was wrong|i got (?:it|that) wrong|i made a mistake|that['’]s (?:wrong|not right|incorrect)|not quite|ah|oh|well|rather|(?:scratch|strike) that|um|uh)\b[\s,:;.!—–-]*)+"
    r"(?:(?:it|that|this|he|she|they)(?:['’]s|\s+is|\s+are|\s+was|\s+should (?:be|have been)|['’]re)\s+(?:actually\s+|really\s+|supposed to be\s+)?)?(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_CUE = re.compile(
    r"^(?:(?:oh|ah|hmm?|well|um|uh)\b[\s,:;.!—–-]*)*(?:no(?=[,.:;!—–-]|\s+(?:it|that|this|he|she|they|wait|sorry|actually|i)\b)|nope|wait|sorry|oops|correction|i meant?|my mistake|my bad|i misspoke|i was wrong|i got (?:it|that) wrong|i made a mistake|that['’]s (?:wrong|not right|incorrect)|not quite|(?:scratch|strike) that)\b",
    re.IGNORECASE,
)


def correction(sentence: Sentence, last: list[Statement]) -> list[Statement]:
    """`No, it's V`, `I meant V`, `Correction: my X is V`: the value told before was never true."""
    whole = sentence.text
    if not _CUE.match(whole) and not re.match(r"^actually,?\s+(?:it|that)(?:['’]s|\s+is)\b", whole, re.IGNORECASE):
        return []
    m = _CORRECTS.match(whole)
    if m is None:
        return []
    body = m["v"]
    said = parse_clause(undress(body)[0])
    if said is not None and said.value and said.attribute and not said.echo:
        old = re.search(r",?\s+(?:not|rather than|instead of)\s+(?P<v>[^,;]+?)[.!]*$", body)
        was = clean_value(old["v"])[0] if old else None
        return [replace(stated(said, sentence), kind="correction", old=said.old or was)]
    of = next((s for s in reversed(last) if s.value), None)
    body = re.split(r",?\s+(?:not|rather than|instead of)\s+", body)[0]
    value, _ = clean_value(body)
    if (
        value is None
        or len(value.split()) > 6
        or re.match(
            r"(?:i|we|you|that|this|it|the(?!\s\d)|not|what|how|can|could|please|but|and|so|my|thanks?|problem|worries|need|no)\b",
            value,
            re.IGNORECASE,
        )
    ):
        return []
    if of is None and not specific(value):
        return []
    about = Mention(of.attribute, value=of.value, certain=True) if of else PRONOUN
    return [
        Statement(
            "correction",
            about,
            of.attribute if of else None,
            value,
            old=of.value if of else None,
            span=(sentence.start, sentence.end),
            sentence=whole,
        )
    ]


# Words for how things are, which people say of anything: no value that was meant instead of another.
SAYS_HOW = re.compile(
    r"(?:all|almost|also|already|always|(?-i:an?)|the(?!\s\d)|about|at|in|on|to|for|from|of|too|very|so|still|fine|ok|okay|good|great|bad|better|best|wrong|"
    r"right|true|false|correct|enough|perfect|cool|nice|done|over|yes|no|not|just|only|me|you|him|her|them|us|mine|yours|hers|his|"
    r"up|here|there|nothing|something|really|quite|easy|hard|clear|\w+ing|\w+ed|\w+ly)\b",
    re.IGNORECASE,
)


_INSTEAD = re.compile(
    r"^(?P<cue>(?:no|nope|wait|sorry|oops|actually|hmm?|ah|oh|um|uh|well|correction|my mistake|my bad|i misspoke|that['’]s (?:wrong|not right|incorrect)|(?:scratch|strike) that)\b[\s,:;.!—–-]*)*"
    r"(?:(?P<said>i meant|i mean|it['’]s|it is|it should be|it should have been|that['’]s|that should be|he['’]s|she['’]s|he is|she is)\s+(?:to say\s+)?(?:called\s+|named\s+|actually\s+|really\s+)?)?"
    r"(?P<v>[^,;:?]+?)(?:,?\s+(?:and\s+)?(?:not|rather than|instead of)\s+(?P<old>[^,;:?]+?))?[.!\s]*$",
    re.IGNORECASE,
)


def correction_of_before(sentence: Sentence, after: Sequence[Statement]) -> list[Statement]:
    """
    `No, it's teal`, `I meant Max, not Rex`: one value instead of the one told in the message before.

    Where that is not named, only what is plainly said to be another value of the same form counts.
    """
    m = _INSTEAD.match(sentence.text)
    if m is None or not after or not (m["cue"] or m["said"]):
        return []
    value, _ = clean_value(m["v"])
    told = [s for s in after if s.value and s.attribute and s.kind not in ("deletion", "dependency", "rule", "end")]
    if m["old"]:
        told = [s for s in told if same_value(s.value, m["old"].strip())]
    elif not (m["cue"] and m["said"]) or value is None or SAYS_HOW.match(value):
        return []
    if len(told) != 1 or value is None or len(value.split()) > 6 or same_value(value, told[0].value):
        return []
    of = told[0]
    if not m["old"] and _form(value) != _form(of.value or ""):
        return []
    return [
        Statement(
            "correction",
            Mention(of.attribute, value=of.value, certain=True),
            of.attribute,
            value,
            old=of.value,
            subject=of.subject,
            span=(sentence.start, sentence.end),
            sentence=sentence.whole,
        )
    ]


def _form(value: str) -> tuple[bool, bool]:
    """What tells values of two kinds apart at a glance: whether it holds a digit, whether it is a name."""
    return any(c.isdigit() for c in value), value[:1].isupper()
