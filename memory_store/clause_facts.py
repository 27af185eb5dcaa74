"""
A clause of any verb as attribute and value.

`delivery within the island takes two days` -> delivery within the island takes: two days; `Ida makes the tea` -> makes
the tea: Ida; `we train with Coach Bell on Mondays` -> train with: Coach Bell, and train on: Mondays. What is read so is
weak: it counts only in a short message of the speaker's own.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import replace

from memory_store.clause_parts import is_news, parts_of, thing_of, told, value_told, whose
from memory_store.doing import third_of
from memory_store.grammar import Clause, Phrase, Verb
from memory_store.grammar.lexicon import lemma, may_be_verb
from memory_store.openly import MEASURED
from memory_store.phrases import noun_phrase, specific
from memory_store.predicates import NOT_LASTING
from memory_store.said import NAME, Said, value_of

# What hangs on what is no value: ties are read elsewhere.
_OF_TIES = frozenset(
    "depend rely hinge hang matter affect influence mean require cause determine dictate govern decide follow rest".split()
)
# Verbs of thought and speech beyond those that tell nothing lasting, with any subject.
_OF_TALK = frozenset(
    "accept grant hear miss forgive say ask think hope wonder believe know want wish guess suggest recommend explain describe mean contain include represent refer seem appear look sound feel let help thank love hate try need like prefer consider consist comprise argue claim state mention note show tell".split()
)
_LASTING_ANYHOW = frozenset(
    "talk have do go get make take give run keep come put use cost live work stay speak write send sell build pay".split()
)
_GROWS = frozenset(
    "go rise climb drop fall increase decrease jump grow shrink move change switch shift raise lower push put set extend shorten cut reduce bring postpone reschedule relocate rename double".split()
)
_ALONE = frozenset("it this that he she they there one ones these those you everyone somebody someone nobody".split())
_MOODS = frozenset(
    "happy glad grateful sorry sure curious interested excited tired proud afraid aware ready able unable willing keen eager nervous worried anxious confident sad angry upset bored confused stuck new good bad great fine ok okay okay nice easy hard difficult important clear similar different close due true right wrong full high low better best worse worth likely familiar pleased satisfied thankful".split()
)


def facts_of(clause: Clause, known: Container[str]) -> Iterator[Said]:
    """What *clause*, which tells what is so, says; of people in *known* rather what they do than who does it."""
    subject, verb = clause.subject, clause.verb
    assert verb is not None
    if subject is not None and any(p.head == "i" for p in subject.also):
        subject = replace(subject, head="we", kind="pronoun", also=())  # "my wife and I"
    if subject is not None and subject.determiner in ("a", "an") and not _costs(clause):
        return
    if subject is not None and re.match(r"all\s(?!the\b|our\b|my\b)", subject.text, re.IGNORECASE):
        return  # what is so of a kind
    if subject is not None and subject.head == "you" and re.search(r"\d", _words(clause)):
        subject = replace(subject, head="we")  # "you open the lock-up with 6120": so does the owner
    if (
        subject is None
        or subject.kind in ("clause", "amount")
        or (subject.head in _ALONE and subject.kind == "pronoun" and subject.head not in ("everyone", "everybody"))
    ):
        return
    if verb.lemma == "be" and verb.voice == "active":
        yield from _being(clause, subject)
        return
    if subject.head in ("i", "we") and (called := _called(clause, subject)) is not None:
        yield called
        return
    if verb.lemma in _OF_TIES or (
        verb.lemma in NOT_LASTING | _OF_TALK
        and verb.lemma not in _LASTING_ANYHOW
        and not (verb.lemma == "call" and clause.second is not None)
    ):
        return
    if verb.aspect == "perfect":
        yield from _changed(clause, subject, verb)
        return
    if verb.lemma in ("have", "need", "want", "like", "get", "do", "keep") and _goes_on(clause):
        return
    ours = subject.head in ("i", "we")
    if not ours and thing_of(subject) is None:
        return
    yield from _done(clause, subject, verb, known)


_CALLED = re.compile(rf"^(?:an?|the|my|our)\s+(?P<np>[a-z][a-z -]*?)\s+(?:called|named)\s+(?P<v>{NAME})$")


def _called(clause: Clause, subject: Phrase) -> Said | None:
    """`I see a therapist called Dr Amsel`: the therapist."""
    verb, thing = clause.verb, clause.object
    m = _CALLED.match(thing.text) if thing is not None else None
    if (
        m is None
        or verb is None
        or (verb.lemma in NOT_LASTING | _OF_TALK and verb.lemma not in ("see", "like", "love"))
    ):
        return None
    return Said(m["np"], m["v"], whose(subject), weak=True)


def _costs(clause: Clause) -> bool:
    """Whether it tells how much or when: what of one of its kind is told of all, `a plot costs £38`."""
    verb = clause.verb
    return (
        verb is not None
        and (
            verb.voice == "passive"
            or verb.lemma in ("cost", "take", "last", "weigh", "be", "run", "start", "come", "need")
        )
        and bool(MEASURED.search(_words(clause)) or re.search(r"\d", _words(clause)) or verb.voice == "passive")
    )


def _words(clause: Clause) -> str:
    return " ".join(p.text for p in (clause.object, *(c for _, c in clause.complements)) if p is not None)


def _goes_on(clause: Clause) -> bool:
    """Whether rather another verb follows that of *clause*: `I have to audition`, `I do miss it`, `I keep waking`."""
    things = [p for p in (clause.object,) if p is not None] + [
        p for preposition, p in clause.complements if preposition in ("to", "")
    ]
    return any(
        p.kind == "clause"
        or (
            not p.determiner
            and p.owner is None
            and p.kind in ("common", "quality")
            and not p.plural
            and may_be_verb(p.text.split()[0].lower())
            and (p is not clause.object or len(p.text.split()) > 1 or p.start < 0)
        )
        for p in things
    )


def _done(clause: Clause, subject: Phrase, verb: Verb, known: Container[str]) -> Iterator[Said]:
    ours = subject.head in ("i", "we")
    thing = "" if ours else thing_of(subject)
    if thing is None:
        return
    parts = [p for p in parts_of(clause) if p[0] != "to" or p[2].kind != "clause"]
    if verb.voice == "passive":
        if ours:
            return
        done = verb.text.split()[-1] if not verb.particle else " ".join(verb.text.split()[-2:])
        said = f"{thing} {done}"
        for preposition, text, phrase in parts:
            value, now = value_of(text)
            if value is None or value_told(phrase)[0] is None:
                continue
            if preposition == "by" and phrase.kind == "common" and phrase.determiner == "the":
                continue  # who does it is told elsewhere
            yield told(clause, f"{said} {preposition}".strip(), value, subject, now=now)
        return
    doing = clause.object is not None and (
        clause.object.determiner in ("the", "my", "our") or clause.object.head in ("us", "me")
    )
    doing = doing or (clause.object is not None and clause.object.kind == "name")
    if verb.aspect == "progressive" and not (ours or subject.ours or parts or doing):
        return
    base = verb.lemma
    finite = base if ours or subject.plural or subject.also else third_of(base)
    head = " ".join(w for w in (thing, finite, verb.particle) if w)
    if not ours and clause.object is not None and subject.kind == "name" and clause.object.determiner in ("a", "an"):
        return  # of whom nothing else is known
    thing_done = clause.object if clause.object is not None and clause.object.kind != "clause" else None
    if base == "do" and thing_done is not None and thing_done.text.endswith("ing") and thing_done.determiner:
        base, thing_done = lemma(thing_done.head, "VBG"), None  # "do our printing at X"
        head = " ".join(w for w in (thing, base if ours or subject.plural else third_of(base)) if w)
        clause = replace(clause, object=None)
    if clause.object is not None and thing_done is None:
        return
    if thing_done is None:
        if parts and (parts[0][0], parts[0][1]) == ("to", "visit"):
            head, parts = f"{head} to visit", parts[1:]  # what they come for, not where to
        for preposition, text, phrase in parts:
            value, now = value_of(text)
            if value is None or value_told(phrase)[0] is None or phrase.kind == "clause":
                continue
            if not preposition and phrase.kind != "time":
                continue
            if verb.lemma == "stand" and preposition == "at" and phrase.kind == "amount" and thing:
                head, preposition = thing, ""  # "the rent stands at 600"
            yield told(clause, f"{head} {preposition}".strip(), value, subject, now=now)
        return
    if clause.second is not None and (
        clause.second.kind != "pronoun" or clause.second.head.endswith(("self", "selves"))
    ):
        if clause.second.kind == "name" and thing_done.determiner in ("a", "an") and not parts:
            return  # done once: `I give Elara a book`
        beside = re.sub(r"^(?:my|our|the|an?)\s+", "", clause.second.text, flags=re.IGNORECASE)
        head = f"{head} {beside}"  # "we call the column Odds"
    light = re.sub(r"^(?:my|our|the|an?|some)\s+", "", thing_done.text, flags=re.IGNORECASE)
    value, now = value_told(thing_done)
    somebody = subject.kind == "name" or subject.named is not None
    for_us = thing_done.head in ("us", "me") and thing_done.kind == "pronoun"
    by_name = (
        somebody
        and subject.text not in known
        and not subject.plural
        and (
            (thing_done.kind == "common" and (thing_done.determiner in ("the", "my", "our") or thing_done.ours))
            or for_us
        )
    )
    if by_name and len(thing_done.text.split()) <= 5:
        tail = " ".join(f"{p} {t}".strip() for p, t, _ in parts[:1])
        name = " ".join(w for w in (third_of(base), verb.particle, thing_done.text, tail) if w)
        if verb.aspect == "progressive" and for_us:
            name = " ".join(w for w in (verb.text.split()[-1], thing_done.text, tail) if w)
        who, _ = value_of(subject.text if subject.named is None or subject.owner is not None else subject.named.text)
        if who is not None and len(name.split()) <= 9:
            yield Said(name, who, "we", verb=True, weak=True, loose=not thing_done.ours, change=is_news(clause))
        return
    if base == "have" and any(
        (p == "to" and ph.kind == "clause") or may_be_verb(ph.text) for p, ph in clause.complements
    ):
        return
    if base == "have" and verb.aspect == "simple" and not verb.particle:
        had = list(_had(clause, subject, thing_done, parts, thing))
        if had:
            yield from had
            return
    if verb.particle and thing_done.kind == "amount" and value is not None:
        value, head = f"{value} {verb.particle}", " ".join(w for w in (thing, finite) if w)  # "10 percent off"
    amount = next((p for of, p in thing_done.parts if of == "of" and p.kind == "amount"), None)
    if (
        amount is not None
        and base in ("give", "have", "offer", "get")
        and (
            noun := noun_phrase(
                light[: thing_done.core_end - thing_done.end] if thing_done.core_end < thing_done.end else light
            )
        )
    ):
        tail = " ".join(f"{p} {t}" for p, t, _ in parts[:1])
        yield Said(
            f"{noun} {tail}".strip(),
            amount.text,
            whose(subject),
            weak=True,
            loose=not subject.ours,
            change=is_news(clause),
        )
        return
    if thing_done.determiner in ("a", "an") and not thing and value is not None:
        behind = " ".join(
            f"{p} {t}".strip()
            for p, t, ph in parts[:1]
            if ph.kind not in ("time", "amount") and p not in ("for", "to") and ph.start - thing_done.end <= len(p) + 2
        )
        whole = value_of(f"{thing_done.text} {behind}".strip())[0] if behind else None
        yield told(
            clause, head, re.sub(r"^an?\s+(?=.*\s(?:in|at|on|near)\s)", "", whole) if whole else value, subject, now=now
        )
        for preposition, text, phrase in parts[1:] if behind else parts:
            if phrase.kind == "time" and len(light.split()) <= 3 and (at := value_of(text)[0]) is not None:
                yield told(clause, f"{head} {light} {preposition}".strip(), at, subject)
        return
    placed = [(p, t, ph) for p, t, ph in parts if value_of(t)[0] is not None and value_told(ph)[0] is not None]
    telling = value is not None and (thing_done.kind in ("name", "amount", "time") or specific(value))
    if thing and not telling and thing_done.ours:
        value = None  # what a thing does to something of ours is not which it is
    if value is not None and (telling or not (placed or base == "get")):
        yield told(clause, head, value, subject, now=now)
    if thing_done.kind == "pronoun" and thing_done.head not in ("it", "them", "everything"):
        return
    said_thing = "" if thing_done.kind == "pronoun" else light
    if len(said_thing.split()) > 4:
        return
    for preposition, text, phrase in placed[: 1 if telling else 2]:
        if telling and phrase.kind == "common" and not specific(text):
            continue
        if not preposition and phrase.kind != "time":
            continue
        part, now = value_of(text)
        if part is not None:
            yield told(clause, " ".join(w for w in (head, said_thing, preposition) if w), part, subject, now=now)


def _had(
    clause: Clause, subject: Phrase, had: Phrase, parts: list[tuple[str, str, Phrase]], thing: str
) -> Iterator[Said]:
    """`the crew has its break at noon`: the crew's break; `the cards have the number 77`: the number of the cards."""
    noun = re.sub(r"^(?:my|our|the|an?|its|their)\s+", "", had.text, flags=re.IGNORECASE)
    genitive = "'" if thing.endswith("s") else "'s"
    of = f"{thing}{genitive} " if thing else ""
    if (m := re.fullmatch(r"(?P<np>[a-z]+(?: [a-z]+)?) (?P<v>\S*\d\S*)", noun)) and had.determiner in (
        "the",
        "a",
        "an",
    ):
        yield Said(f"{of}{m['np']}", m["v"], whose(subject), weak=True, loose=not subject.ours, change=is_news(clause))
        return
    if had.kind != "common" or had.plural or len(noun.split()) > 3 or (had.determiner in ("a", "an") and thing):
        return
    for preposition, text, phrase in parts[:1]:
        if preposition in ("on", "at", "in", "every", "") and phrase.kind in ("time", "amount", "name"):
            value, now = value_of(text)
            if value is not None:
                yield Said(
                    f"{of}{noun}",
                    value,
                    whose(subject),
                    weak=True,
                    loose=not subject.ours,
                    change=now or is_news(clause),
                )


def _being(clause: Clause, subject: Phrase) -> Iterator[Said]:
    """`the twins are allergic to wasps`, `choir practice is in the library`; what a thing is, is read elsewhere too."""
    thing = "" if subject.head in ("i", "we") else thing_of(subject)
    if thing is None:
        return
    quality = clause.object
    if quality is not None and quality.kind == "quality":
        when_due = quality.head == "due" and clause.complement("on", "by", "at", "in") is not None
        if quality.head in _MOODS and not when_due:
            return
        for preposition, text, phrase in parts_of(clause)[:1]:
            value, now = value_of(text)
            if (
                value is None
                or not preposition
                or phrase.kind == "clause"
                or (preposition == "to" and not phrase.determiner and may_be_verb(phrase.text))
            ):
                continue
            like = re.sub(r"^(?:now|still|also|already|just|currently|only)\s+", "", quality.text)
            yield told(clause, " ".join(w for w in (thing, like, preposition) if w), value, subject, now=now)
        return
    if not thing:
        return
    if quality is None:
        for preposition, text, phrase in parts_of(clause)[:1]:
            if phrase.kind == "clause" or not preposition:
                continue
            value, now = value_of(f"{preposition} {text}", prep=True)
            if value is None and preposition == "by" and phrase.kind == "common":
                value = f"by {text}"
            if value is not None:
                yield Said(
                    thing,
                    value,
                    whose(subject),
                    weak=not subject.ours,
                    loose=not subject.ours,
                    change=now or is_news(clause),
                )
        return
    value, now = value_told(quality)
    if clause.link == "whose" and subject.owner is not None and quality.kind == "name" and value is not None:
        # "the abbey, whose verger is Mr Pell"
        yield Said(f"{subject.owner.head}'s {subject.bare}", value, "we", weak=True, loose=not subject.owner.ours)
        return
    if not subject.ours and (
        quality.determiner in ("a", "an")
        or subject.determiner != "the"
        or (quality.plural and quality.kind == "common")
    ):
        return  # of what sort it is
    if value is not None and quality.kind in ("name", "amount", "time", "common") and not quality.ours:
        yield Said(
            thing,
            value,
            whose(subject),
            weak=not specific(value),
            loose=not subject.ours,
            change=now or is_news(clause),
        )


def _changed(clause: Clause, subject: Phrase, verb: Verb) -> Iterator[Said]:
    """`membership has gone up to 95`: a thing has another value now."""
    thing = thing_of(subject)
    if thing is None or subject.head in ("i", "we") or subject.kind == "name" or verb.lemma not in _GROWS:
        return
    for preposition, text, phrase in parts_of(clause):
        if preposition.split()[-1:] != ["to"] or phrase.kind == "clause":
            continue
        value, _ = value_of(text)
        if value is not None:
            yield Said(thing, value, whose(subject), change=True, loose=not subject.ours)
            return
