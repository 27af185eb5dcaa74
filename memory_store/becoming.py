"""What a sentence tells of facts beside what became of known ones, which counts more."""

import re
from collections.abc import Iterator, Sequence

from memory_store.altered import Altered
from memory_store.clauses import parse_clause
from memory_store.doing import third_of
from memory_store.done import doing, is_told
from memory_store.familiar import Familiar
from memory_store.grammar import parse
from memory_store.labels import is_mood
from memory_store.measures import measures
from memory_store.phrases import clean_value, noun_phrase
from memory_store.said import Said, value_of
from memory_store.sentences import Sentence
from memory_store.statement import Statement
from memory_store.told import altered, stated
from memory_store.verbs import tells_where
from memory_store.whereabouts import bare_place

_IS_NOW = re.compile(
    r"^(?:(?:my|our|the)\s+)?(?P<np>[^,;:?]+?)\s+(?:is|are)\s+(?:now|currently|from now on|these days|as of today)\s+(?P<v>[^?]+)$",
    re.IGNORECASE,
)


def with_news(
    found: list[Statement], text: str, told: Sequence[Altered], sentence: Sentence, known: Familiar, *, tasks: bool
) -> list[Statement]:
    """
    *found*, what *text* states in known forms, with what it *told* to have become of known facts in the place of what
    its clauses seemed to state; of what only became unsure nothing yet. *tasks*: its message gives some.
    """
    told = [*told, *_denied(text, known)]
    sure = [one for one in told if one.value is not None or one.gone]
    if told:
        found = [s for s in found if s.kind != "end"]
    if not sure:
        news = [] if found or told or tasks else [stated(said, sentence) for said in _told_to(text)]
        vague = [altered(one, sentence) for one in told] if len(told) > 1 else []  # one of several, nobody said which
        return news or [*found, *vague] or _now(text, sentence, known)
    spans = [text[slice(*one.span)] for one in sure]
    names = {one.attribute for one in sure}
    places = {bare_place(one.value) for one in sure if one.value}
    besides = [
        s
        for s in found
        if s.value
        and s.attribute not in names
        and not any(s.value in span for span in spans)
        and not (tells_where(s.attribute or "") and bare_place(s.value) in places)
    ]
    instead = [stated(said, sentence) for said in _who_comes_instead(text)] if any(one.gone for one in sure) else []
    return [altered(one, sentence) for one in sure] + besides + instead


_DENIED = re.compile(
    r"^(?P<s>(?:I|we)(?:['’](?:m|re)|\s+am|\s+are)|\S.*?\sis)\s+not\s+(?P<p>[^,;]+?)\s+(?:after all|any ?more|any longer)[.!]*$",
    re.IGNORECASE,
)


def _denied(text: str, known: Familiar) -> list[Altered]:
    """`I'm not allergic to penicillin after all`: what a known fact tells is not so."""
    m = _DENIED.match(text)
    said = parse_clause(f"{m['s']} {m['p']}") if m else None
    if said is None or said.value is None or said.value not in known.values.get(said.attribute, []):
        return []
    return [Altered(said.attribute, said.value, gone=True, span=(0, len(text)))]


def _who_comes_instead(text: str) -> Iterator[Said]:
    """`…, his colleague Dirk will come on Friday instead`: what somebody else is to do."""
    for clause in parse(text):
        who, verb = clause.subject, clause.verb
        if who is None or verb is None or verb.modal != "will" or "instead" not in clause.adverbs or verb.negated:
            continue
        name = who.named.text if who.named is not None else who.text if who.kind == "name" else None
        for preposition, phrase in clause.complements if name else ():
            if phrase.kind == "time":
                yield Said(f"{name} {third_of(verb.lemma)} {preposition}".strip(), phrase.text, "the", verb=True)


def _now(text: str, sentence: Sentence, known: Familiar) -> list[Statement]:
    """`The NAME is now V`, of a fact of just that name, whatever its value is."""
    m = _IS_NOW.match(text)
    named = known.named(m["np"]) if m else set()
    value = value_of(m["v"])[0] if m else None
    if m is None or len(named) != 1 or value is None or is_mood(m["np"], value):
        return []
    return [stated(Said(named.pop(), value, "we", change=True), sentence)]


def _told_to(text: str) -> list[Said]:
    """What *text* tells of things of the speaker's of which nothing is known: `our landlady raised the rent to 950`."""
    found: list[Said] = []
    clauses = parse(text)
    for clause in clauses:
        if clause.verb is None or not is_told(clause, clauses, text) or len(text) > 160:
            continue
        done, thing, by = doing(clause, text), clause.object, clause.subject
        if thing is not None and thing.head == "raise" and done is not None and by is not None and by.head == "i":
            to = next((ph for p, ph in (*thing.parts, *clause.complements) if p == "to" and measures(ph.text)), None)
            found += [Said("salary", to.text, "i", change=True)] if to is not None else []
            continue
        if done is None or done[0].kind != "other" or not done[0].sign or thing is None or thing.kind != "common":
            continue
        if not (thing.ours or (by is not None and by.ours and thing.determiner == "the")) or by is thing:
            continue
        m = re.search(r"\s(?:from\s+(?P<old>.+?)\s+)?to\s+(?P<v>[£$€]?\d.*)$", text[thing.end :].rstrip(" .!"))
        np, value = noun_phrase(thing.bare), clean_value(m["v"])[0] if m else None
        if m and np and value and measures(value):
            found.append(Said(np, value, "we" if thing.determiner == "our" else "i", old=m["old"], change=True))
    return found
