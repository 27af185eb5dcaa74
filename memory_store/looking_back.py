"""
Ties read once more when the whole message is known: `the chair hands out the days, and our chair is Mr. Y`.

People name what a thing hangs on before they tell what it is, in the same sentence or the next; and they name it with
what it is beside it: `that's down to our captain Leo`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_store.familiar import Familiar
from memory_store.hanging import Hanging, find_hanging
from memory_store.hinges import Hinge, find_hinge, is_part, is_the_tie, told_in_any_words
from memory_store.phrases import core, noun_phrase
from memory_store.reasons import is_of_an_event
from memory_store.said import Said, Subject
from memory_store.sentences import Sentence, clauses, undress
from memory_store.statement import Statement
from memory_store.told import hung, stated, vacated
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


# Where a fact ends and what it hangs on begins, in one sentence.
_HINGE = re.compile(
    r"\s*;\s*|\s+[—–-]\s+|,\s+(?=(?:(?:and|but|so)\s+)?(?:which|it|that|this|they|he|she|the (?:only |main |sole )?reason)\b)|"
    r",?\s+(?=(?:because|since|as(?= (?:we|he|she|they|agreed|[a-z]+ed by|laid down by|set by)\b)|(?<=, )as(?= (?:the|our|my)\b| (?-i:[A-Z]))|as long as|so long as|on account of|owing to|due to|thanks to|courtesy of|by courtesy of|by agreement with|to (?:suit|fit|match)|depending on)\b)",
    re.IGNORECASE,
)


def hinged(
    found: Sequence[Statement], told: Sequence[tuple[Sentence, list[Statement]]], known: Familiar
) -> list[Statement]:
    """*found*, the statements of a message, with what the facts in it are said to hang on by words that point back."""
    kept, read = list(found), -1  # up to which sentence no fact is to be looked for
    for i, (sentence, statements) in enumerate(told):
        if i <= read or sentence.asks or any(s.kind in ("deletion", "verbatim", "rule") for s in statements):
            continue
        if any(_joins_known(s, known) for s in found if s.span == (sentence.start, sentence.end)):
            continue
        if is_of_an_event(sentence.text.rstrip(".!"), known):
            continue
        for fact, text, apart in _facts_before(told, i):
            facts = [s for s in statements if _is_fact(s) and s.attribute != fact.attribute]
            seeming = [s for s in facts if _only_seems(s, fact, text)]
            beside = [*(_said(s) for s in facts if s not in seeming), *_trailing(text)]
            hinge = find_hinge(text, _said(fact), known, beside, but=[s.attribute or "" for s in seeming], apart=apart)
            if hinge is None or hinge.cause == fact.attribute:
                continue
            if hinge.told is None and not known.values.get(hinge.cause):
                next_one = _told_next(told, i, hinge)
                hinge, read = (next_one, i + 1) if next_one is not None else (hinge, i)
            is_known = bool(known.values.get(hinge.cause))
            if hinge.told is None and not is_known and len(known.values) < MUCH_KNOWN:
                continue
            wrong = [*(s for s in statements if s.kind == "dependency"), *seeming]
            firm = replace(fact, weak=False, echo=False)
            same = [s for s in kept if s.attribute == fact.attribute and _is_fact(s) and s.span == fact.span]
            kept = [firm if s in same else s for s in kept if s not in wrong]
            if not same:
                kept.append(firm)
            known.add(firm.attribute or "", firm.value)
            if hinge.told is not None and not is_known:
                kept.append(stated(hinge.told, sentence))
                known.add(hinge.cause, hinge.told.value)
            kept.append(hung(Hanging(fact.attribute or "", hinge.cause), sentence))
            break
    return list(dict.fromkeys(kept))


_UNSETTLED = re.compile(
    r"^(?:my|our|the)\s+(?P<np>[a-z][\w '’-]*?)\s+(?:has|have|was|were|is being|are being|got)\s+(?:(?:just|now|since|recently|completely|been|all)\s+)*"
    r"(?P<done>changed|altered|revised|renegotiated|renewed|rewritten|redrawn|amended|overhauled|reorgani[sz]ed|reshuffled|restructured|revoked|terminated|cancelled|withdrawn|scrapped|dissolved|abolished)\b",
    re.IGNORECASE,
)


def unsettled(
    found: Sequence[Statement], told: Sequence[tuple[Sentence, list[Statement]]], known: Familiar
) -> list[Statement]:
    """What is told of known facts that are not what they were, where the message does not say what they are now."""
    ends: list[Statement] = []
    for sentence, _ in told:
        m = None if sentence.asks else _UNSETTLED.match(undress(sentence.text)[0])
        named = known.named(m["np"]) if m else set()
        if m is None or len(named) != 1 or any(s.attribute in named for s in found):
            continue
        name = named.pop()
        held = known.values[name]
        if held:
            ends.append(vacated(name, held[-1], sentence))
        else:
            ends.append(stated(Said(name, m["done"].lower(), "we", change=True), sentence))
    return ends


MUCH_KNOWN = 3  # facts; with fewer, a bare thing that hangs on another need not be the owner's


def _facts_before(told: Sequence[tuple[Sentence, list[Statement]]], i: int) -> Iterator[tuple[Statement, str, bool]]:
    """Facts that words in sentence *i* may point back at, each with those words, and whether they stand in another."""
    sentence, statements = told[i]
    for cut in _HINGE.finditer(sentence.text):
        head, tail = sentence.text[: cut.start()], sentence.text[cut.end() :]
        facts = [short for s in statements if (short := _within(s, head)) is not None]
        if not facts and sentence.short and (said := told_in_any_words(head)) is not None:
            facts = [stated(said, sentence)]
        yield from ((s, tail, False) for s in facts)
    if i == 0:
        return
    before, facts = told[i - 1][0], [s for s in told[i - 1][1] if _is_fact(s)]
    if not facts and not before.asks and before.short and (said := told_in_any_words(before.text)) is not None:
        facts = [stated(said, before)]
    yield from ((s, sentence.text, True) for s in reversed(facts))


def _within(fact: Statement, head: str) -> Statement | None:
    """*fact* where *head* tells it, with no more of its value than stands there."""
    if not _is_fact(fact) or fact.value is None:
        return None
    at = head.find(fact.value[:8])
    value = head[at:].strip(" ,") if at >= 0 else ""
    if fact.value in head:
        return fact
    return (
        replace(fact, value=value, about=replace(fact.about, value=value))
        if value and fact.value.startswith(value)
        else None
    )


_AND_THE = re.compile(r"(?:;|,\s+and|:|\sand)\s+(?=(?:the|our|my)\s)", re.IGNORECASE)


def _trailing(text: str) -> list[Said]:
    """What the last clause of *text* tells of the thing named before: `…, and the office is headed by Olaf`."""
    last = _AND_THE.split(text)[1:]
    return [said for clause in last[-1:] if (said := told_in_any_words(clause)) is not None]


def _told_next(told: Sequence[tuple[Sentence, list[Statement]]], i: int, hinge: Hinge) -> Hinge | None:
    """*hinge* with what the next sentence tells of its cause: `The council is run by the Greens.`"""
    if i + 1 == len(told) or told[i + 1][0].asks:
        return None
    said = told_in_any_words(told[i + 1][0].text)
    if said is None or not core(said.attribute) & core(hinge.cause):
        return None
    return Hinge(said.attribute, said)


def _is_fact(statement: Statement) -> bool:
    return statement.kind in ("state", "change", "add", "correction") and bool(statement.value and statement.attribute)


def _joins_known(tie: Statement, known: Familiar) -> bool:
    """Whether *tie* is a tie of two known facts, which needs no better reading."""
    named = [m.name or m.alias for m in tie.depends_on]
    return (
        tie.kind == "dependency"
        and (tie.about.name or tie.about.alias) in known.values
        and any(n in known.values for n in named)
    )


def _said(fact: Statement) -> Said:
    return Said(fact.attribute or "", fact.value, fact.subject)


def _only_seems(statement: Statement, fact: Statement, text: str) -> bool:
    """Whether *statement* only seems to tell a fact: `the price is down to the rent`, said of the ticket price."""
    said = _said(statement)
    less = is_part(said.attribute, fact.attribute or "") and re.match(r"(?:the|my|our)\s", said.value or "") is not None
    return less or is_the_tie(said, text)
