"""
Ties read once more when the whole message is known: `the chair hands out the days, and our chair is Mr. Y`.

People name what a thing hangs on before they tell what it is, in the same sentence or the next; and they name it with
what it is beside it: `that's down to our captain Leo`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_store.familiar import Familiar
from memory_store.hanging import find_hanging
from memory_store.phrases import noun_phrase
from memory_store.said import Said, Subject
from memory_store.sentences import Sentence, clauses, undress
from memory_store.statement import Statement
from memory_store.told import hung, stated
from memory_store.verbs import is_verbal

_NAME = r"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s|Professor\s)?[A-Z][a-z’'-]+(?:\s[A-Z][a-z’'-]+)?"
_BESIDE = re.compile(
    rf"\b(?:by|to|on|from|with|because of|thanks to|of|that)\s+(?P<o>my|our)\s+(?P<np>[a-z]+(?:\s[a-z]+)?),?\s+(?P<v>{_NAME})(?=\s*(?:[,.;!]|$)|\s+(?:who|and|so|has|is|wants?|likes?|chose|picked|decide[sd]?)\b)|"
    r"\b(?:by|to|on|from|with|because of|thanks to|of)\s+(?P<o3>the)\s+(?P<np3>[a-z]+(?:\s[a-z]+)?),\s+(?P<v3>(?:Mr|Mrs|Ms|Dr|Prof)\.?\s[A-Z][\w’'-]+)(?=\s*(?:[,.;!]|$))"
)
_HANGS = re.compile(
    r"\b(?:depend\w*|down to|up to|hangs?|hinges?|tied|linked|(?:set|chosen|picked|decided|determined|given(?: to (?:us|me))?|handed out|made|assigned|fixed|recommended|arranged) by|because of|thanks to|comes? (?:from|with)|goes with|follows? from)\b",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"^(?:and\s+|but\s+|so\s+)?(?:that|this|it|which)(?=['’]s\s|\s+(?:is|was|depends|hangs|hinges|comes|goes|follows|changes|varies)\b)",
    re.IGNORECASE,
)
_WHO = re.compile(r",\s+who\s[^,.;]*")
_MORE = re.compile(r",\s+(?:so|and|but|which)\s+(?=\w)")


def beside(sentence: Sentence, known: Familiar) -> list[Statement]:
    """What a sentence that ties things together tells beside it of which one is meant: `our captain Leo`."""
    if sentence.asks or not _HANGS.search(sentence.text):
        return []
    found: list[Statement] = []
    for m in _BESIDE.finditer(sentence.text):
        owner, value = m["o"] or m["o3"], m["v"] or m["v3"]
        np = noun_phrase(m["np"] or m["np3"])
        if np is None or np in known.values:
            continue
        subject: Subject = "i" if owner == "my" else "we"
        found.append(stated(Said(np, value, subject), sentence))
    return found


def tied_after_all(told: Sequence[tuple[Sentence, list[Statement]]], known: Familiar) -> list[Statement]:
    """The ties in sentences that gave none, read by all that the message told: *told* has them with what each gave."""
    found: list[Statement] = []
    of: str | None = None
    for sentence, statements in told:
        before = of
        of = next((s.attribute for s in reversed(statements) if s.value and s.attribute), of)
        if sentence.asks or any(s.kind in ("dependency", "rule", "deletion", "verbatim") for s in statements):
            continue
        text = _WHO.sub("", undress(sentence.text)[0].rstrip(".!"))
        parts = [text] if not statements or _THAT.match(text) else []
        if len(cut := [p for clause in clauses(text) for p in _MORE.split(clause)]) > 1:
            parts += cut
        for part in parts:
            if before and not is_verbal(before):
                part = _THAT.sub(f"the {before}", part)
            if hanging := find_hanging(part, known):
                found += [hung(one, sentence) for one in hanging if one.effect != one.cause]
                break
    return [replace(s, weak=False) for s in dict.fromkeys(found)]
