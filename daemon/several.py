"""Several questions in one message: each by itself, with what it leaves to the one before filled in."""

import re
from collections.abc import Sequence

from daemon.questions import is_question, parse_question
from daemon.replies import Reply

PARTS_AT_MOST = 5
UNANSWERED = "Nothing in memory answers “{question}”."
_WH = r"(?:who(?:m|se)?|where|when|why|how|what|which)"
_ANOTHER = re.compile(
    rf"[,;]?\s+(?:and|plus|also|and also|as well as|and then)\s+(?=(?:in |on |at |from |to |with |for |by )?{_WH}(?:['’]s)?\s)",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\?+\s+(?=\w)")
_TWO_WORDS = re.compile(
    rf"^(?P<lead>.*?\b)(?P<one>{_WH})\s+and\s+(?P<other>{_WH})\s+(?P<rest>(?:do|does|did|is|are|was|were|will|can|has|have|should)\s.+)$",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\b{_WH}(?:['’]s)?\b|^(?:and\s+)?(?:is|are|do|does|did|am|was|were|has|have|can|will)\b", re.IGNORECASE
)
_HIS = re.compile(r"\b(?:his|her|their|its)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|she|they|it|him|them)\b", re.IGNORECASE)
_THING = re.compile(
    r"^(?:who|what|where|when|which|how much|how old)(?:['’]s|\s+(?:is|are|was|were))\s+(?P<np>(?:my|our|the)\s[^?]+|[A-Z][^?]+)$",
    re.IGNORECASE,
)


def asked_apart(text: str) -> tuple[str, ...]:
    """The questions of *text*, in order; itself alone where it asks one thing, or for all that is known of one."""
    whole = re.sub(r"\s+", " ", text).strip()
    if not is_question(whole) or parse_question(whole).mode in ("topic", "history", "verbatim"):
        return (text,)
    parts: list[str] = []
    for sentence in _NEXT.split(whole):
        if (both := _TWO_WORDS.match(sentence)) is not None:
            parts += [f"{both['lead']}{both['one']} {both['rest']}", f"{both['lead']}{both['other']} {both['rest']}"]
        else:
            parts += _ANOTHER.split(sentence)
    parts = [part.strip(" ,;") for part in parts]
    if not 2 <= len(parts) <= PARTS_AT_MOST or not all(_ASKS.search(part) and len(part.split()) > 2 for part in parts):
        return (text,)
    whole_parts, thing = [], ""
    for part in parts:
        part = part.rstrip("?!. ")
        whole_parts.append(_filled(part, thing) + "?")
        if (named := _THING.match(part)) is not None:
            thing = named["np"].strip()
    return tuple(whole_parts)


def _filled(question: str, thing: str) -> str:
    """*question* with *thing*, of which the one before was, for its pronouns."""
    if not thing:
        return question
    filled, times = _HIS.subn(f"{thing}'s", question, count=1)
    return filled if times else _HE.sub(thing, question, count=1)


def together(questions: Sequence[str], replies: Sequence[Reply | None]) -> Reply | None:
    """One reply to all of *questions*, each answered or told to be unknown; None where none of them is known at all."""
    found = [reply for reply in replies if reply is not None]
    if not found:
        return None
    lines, missing = [], []
    for question, reply in zip(questions, replies, strict=True):
        asked = question[:1].upper() + question[1:]
        if reply is None:
            lines.append(UNANSWERED.format(question=asked))
            missing.append(asked)
        else:
            lines.append(f"“{asked}” {reply.text}" if reply.kind == "near" else reply.text)
    kinds = {reply.kind for reply in found}
    kind = kinds.pop() if len(kinds) == 1 and not missing else "unsure"
    if kinds == {"near"}:
        kind = "near"
    return Reply(
        "\n".join(dict.fromkeys(lines)),
        kind,
        tuple(dict.fromkeys(source for reply in found for source in reply.sources)),
        max(reply.confidence for reply in found),
        tuple(dict.fromkeys(name for reply in found for name in reply.attributes)),
        unanswered=tuple(missing),
    )
