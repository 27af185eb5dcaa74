"""
What befell a thing that is known: it was moved, raised, cut, put off, it is over or gone, in any words of change.

A clause names the thing by its fact's name, by its value or a part of that, by somebody to whom it belongs, or, after a
sentence that spoke of it, by a pronoun. What it is now is told (`to Friday`), or reckoned (`by an hour`); where neither
can be, it is no longer sure: no fact stands as it did when it is told that it changed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory_store.altered import Altered, with_what_comes_instead
from memory_store.anew import told_anew
from memory_store.deeds import Deed
from memory_store.done import RISES, doing, is_told, weight_told
from memory_store.familiar import Familiar
from memory_store.grammar import Clause, Phrase, parse
from memory_store.measures import DISTANCE, fewer, measures, scaled, shifted, spliced, uncounted
from memory_store.news import KIN
from memory_store.once import RECURS
from memory_store.phrases import clean_value, stems
from memory_store.said import PERSONAL_NAME
from memory_store.sorts import MEETINGS, OF_A_KIND, also_called
from memory_store.value_parts import TIMES_OFF, WHERE, is_dated, listed, part_named, placed_as, segment, without
from memory_store.verbs import is_verbal, noun_stems
from memory_store.whereabouts import is_somebody, moved, where_known


@dataclass(frozen=True)
class _Held:
    """A known fact that may be meant, where a *part* of its value is named by that."""

    attribute: str
    value: str
    part: str = ""


_PEOPLE = frozenset("i we he she they me us him them somebody everybody".split())
_PRONOUNS = frozenset("it he she they them him her that this".split())
_GROUPS = frozenset("band team company firm club choir group job school shop crew board committee orchestra us".split())
_WORK = frozenset("us job company firm team post position role work shop band notice".split())
_DEBTS = frozenset(s for word in ("owe", "borrow", "lend", "loan", "debt") for s in stems(word))
_TO_ANOTHER = frozenset("reschedule rebook rearrange move change reset update renew replace".split())
_GENITIVE = re.compile(r"(?:['’]s|s['’])\s")
_COUPLE = re.compile(r"\b(?:girlfriend|boyfriend|partner|wife|husband|fianc[ée]e?|spouse|gf|bf)$", re.IGNORECASE)
_KIN = re.compile(rf"{KIN.pattern}|\b(?:partner|spouse|dog|cat|pet|horse)s?\b", re.IGNORECASE)
_DOES = r"(?:works?|does|runs?|leads?|manages?|teaches|handles?|plays?|sings?|coaches|drives?|takes?|covers?|cooks?)"
_TO = ("to", "until", "till", "for", "into", "onto")


def alterations(text: str, known: Familiar, context: Sequence[str] = ()) -> list[Altered]:
    """What *text*, a sentence, tells to have become of *known* facts; *context*: the sentences before, latest last."""
    if not known.values or len(text) > 300 or text.rstrip().endswith("?"):
        return []
    found: list[Altered] = []
    clauses = parse(text)
    for clause in clauses:
        if clause.verb is None or not is_told(clause, clauses, text):
            continue
        done = doing(clause, text)
        if done is None:
            continue
        end = next((c.start for c in clauses if c.start > clause.start and c.start >= clause.verb.end), len(text))
        told = _Told(text, clause, *done, end, known, [*context, text[: clause.start]])
        found += [one for one in told.read() if all(one.attribute != f.attribute or one.old != f.old for f in found)]
    if any(one.value is not None for one in found):
        return with_what_comes_instead(found, text)
    return told_anew(text, known, context) or with_what_comes_instead(found, text)


_PAY = ("salary", "wage", "pay", "income")


class _Told:
    """One *clause* of *text* that tells of a *deed*, read by the facts that are *known*."""

    def __init__(
        self,
        text: str,
        clause: Clause,
        deed: Deed,
        patient: Phrase | None,
        end: int,
        known: Familiar,
        context: Sequence[str],
    ) -> None:
        self._text, self._clause, self._deed, self._patient, self._end = text, clause, deed, patient, end
        self._known, self._context = known, context
        self._facts = [(name, value) for name, values in known.values.items() for value in values]
        verb = clause.verb
        assert verb is not None
        self._span = (clause.start, end)
        self._rise = clause.object if clause.object is not None and clause.object.head in RISES else None
        self._weighs = weight_told(clause)
        self._particles = {verb.particle, clause.second.text if clause.second is not None else ""}
        self._agent = clause.subject if verb.voice == "active" and patient is not clause.subject else None

    def read(self) -> Iterator[Altered]:
        match self._deed.kind:
            case "other":
                yield from self._other()
            case "over":
                yield from self._over()
            case "dead":
                yield from self._dead()
            case "left":
                yield from self._left()
            case "parted":
                yield from self._parted()
            case "settled":
                yield from self._settled()
            case "split":
                yield from self._split()
            case "got":
                yield from self._got()
            case "away":
                yield from (replace(one, gone=False) for one in self._dead() if one.value is None)

    # -- another value ---

    def _other(self) -> Iterator[Altered]:
        if self._weighs is not None:
            yield from self._weighed(self._weighs)
            return
        who = self._patient
        if who is not None and (found := list(self._moved(who))):
            yield from found
            return
        if who is not None and (is_somebody(who) or _is_person(who) or KIN.search(who.text) or who.head in _PEOPLE):
            return  # where somebody went, or was put, is no news of whose part they play, nor of what they take
        named = self._meant()
        meant = named or self._meets_on()
        turned = [(held, new) for held in meant if (new := self._new(held)) is not None and new != held.value]
        if len(turned) > 1:
            turned = [pair for pair in turned if not pair[0].part] or turned
        if len(turned) == 1:
            held, new = turned[0]
            yield self._altered(held, new)
        elif turned and not named:
            for held, _ in turned:  # one of them, and which one was not told
                yield self._altered(held, None)
        elif not turned and (self._deed.sign or self._is_of_time()) and not self._tells_what():
            for held in meant:
                counts = any(m.kind != "number" or m.text == held.value for m in measures(held.value)) or re.search(
                    r"\b(?:code|password|pin|number|login)$", held.attribute
                )
                if len(meant) <= 2 and counts and not held.part:
                    yield self._altered(held, None)

    def _meets_on(self) -> list[_Held]:
        """The facts that tell when something is, of which the clause tells by another word: `the judo class`."""
        to = self._clause.complement("to", "until", "for")
        thing = self._patient
        if thing is None or thing.kind != "common" or to is None or not is_dated(to.text):
            return []
        said = set(stems(thing.bare)) - MEETINGS
        found = [_Held(n, v) for n, v in self._facts if said and is_dated(v) and said <= set(stems(f"{n} {v}"))]
        return found if len(found) <= 3 else []

    def _weighed(self, by: str) -> Iterator[Altered]:
        """`I lost 3 kilos`: what the one who did weighs now."""
        who = self._clause.subject
        names = [""] if who is None or who.head in ("i", "we") else [*self._names(who), who.bare]
        for name, value in self._facts:
            if any(
                name
                in (f"{one} weighs".strip(), f"{one}'s weight", "weigh" if not one else "", "weight" if not one else "")
                for one in names
            ):
                if (new := shifted(value, by, self._deed.sign)) is not None:
                    yield self._altered(_Held(name, value), new)

    def _moved(self, who: Phrase) -> Iterator[Altered]:
        """Where somebody or something is, of whom that is known: `Wilma moved to Peine`."""
        told = moved(self._text, self._known)
        if told is None or told.value is None:
            return
        names = self._last_spoken_of() if who.kind == "pronoun" else [who.bare, *self._names(who)]
        names += [who.named.text] if who.named is not None else []
        for name, value in self._facts:
            of = next(
                (one for one in names if re.search(rf"(?:^|\s){re.escape(one)}(?:\s|$)", name, re.IGNORECASE)), None
            )
            if of is None or (name.endswith("lives in") != told.attribute.endswith("lives in")):
                continue
            new = where_known(value, told.value)
            if new is not None and new != value:
                yield self._altered(_Held(name, value), new)

    def _is_of_time(self) -> bool:
        """Whether the verb alone says that it is at another time now."""
        verb = self._clause.verb
        return verb is not None and verb.lemma in _TO_ANOTHER

    def _tells_what(self) -> bool:
        """Whether the clause goes on to tell to what, which is then not about a fact that could not take it."""
        return any(
            preposition.split()[-1:] in [[to] for to in _TO]
            for preposition, phrase in self._clause.complements
            if not measures(phrase.text)
        )

    def _new(self, held: _Held) -> str | None:
        """What *held* is now; None where that is not told, or cannot be."""
        part = segment(held.value, held.part)
        new = self._new_part(part, named=not held.part)
        return held.value.replace(part, new, 1) if new is not None else None

    def _new_part(self, was: str, *, named: bool) -> str | None:
        if self._deed.factor:
            return scaled(was, self._deed.factor)
        for of, phrase in self._rise.parts if self._rise is not None else ():
            if of == "of":
                return shifted(was, phrase.text, self._deed.sign)
            if of == "to":
                return spliced(was, phrase.text)
        for preposition, phrase in self._clause.complements:
            if phrase.kind == "clause":
                continue
            preposition = preposition.split()[-1] if preposition else ""  # `back to`, `up by`
            if preposition in _TO or (preposition == "from" and " to " in phrase.text):
                value = self._value(phrase)
                if value is None or (preposition == "for" and not measures(value)):
                    continue
                if measures(was) or measures(value):
                    return spliced(was, value) if measures(value) else None
                return placed_as(was, value) if named else None
            if preposition == "by" and (measures(phrase.text) or DISTANCE.match(phrase.text)):
                return shifted(was, phrase.text, self._deed.sign) if self._deed.sign else None
        by = [phrase for preposition, phrase in self._clause.complements if preposition == ""]
        by += (
            [self._clause.object]
            if self._clause.object is not None and self._patient is not self._clause.object
            else []
        )
        for phrase in by:
            if self._deed.sign and (new := shifted(was, phrase.text, self._deed.sign)) is not None:
                return new
        return None

    def _value(self, phrase: Phrase) -> str | None:
        told = re.split(r"\s+(?:from|instead of|because of)\s", self._text[phrase.start : self._end])[0]
        if phrase.text in told and " to " in phrase.text and self._text[: phrase.start].endswith("from "):
            told = told.split(" to ", 1)[1]
        return clean_value(told.rstrip(" ,.;!"))[0]

    # -- over and gone ---

    def _over(self) -> Iterator[Altered]:
        patient = self._patient
        if self._agent is None and patient is not None and _is_person(patient):
            whom = patient.text
            theirs = [(n, v) for n, v in self._facts if n.startswith((f"{whom} ", f"{whom}'s ")) and measures(v)]
            for name, value in theirs:
                yield self._altered(_Held(name, value), None, gone=True)
            if theirs or any(value.startswith(whom) and KIN.search(name) for name, value in self._facts):
                return
        verb, agent = self._clause.verb, self._agent
        its_own = verb is not None and verb.lemma in ("give", "decide", "pack", "stop", "finish", "abandon")
        for held in self._meant():
            if (
                its_own
                and agent is not None
                and agent.head not in ("i", "we")
                and not self._is_of_agent(held.attribute)
            ):
                continue  # what somebody gave up may go on without them
            if verb is not None and verb.lemma in ("finish", "end", "close", "shut") and RECURS.search(held.value):
                continue  # for the day
            whole = held.part == held.value and self._is_of_agent(held.attribute)
            if held.part and not (held.part[:1].isupper() or is_dated(held.value) or whole):
                continue
            if not held.part and not (is_dated(held.value) or self._is_exactly(held)):
                continue
            yield self._altered(held, None, gone=True)

    def _is_of_agent(self, attribute: str) -> bool:
        """Whether *attribute* tells of who did it: of the speaker, or of somebody by their name."""
        agent = self._agent
        if agent is None or agent.head in ("i", "we"):
            return is_verbal(attribute)
        return any(re.match(rf"{re.escape(name)}\b", attribute) for name in (*self._names(agent), agent.bare))

    def _is_exactly(self, held: _Held) -> bool:
        return self._patient is not None and set(stems(held.attribute)) == set(stems(uncounted(self._patient.text)))

    def _dead(self) -> Iterator[Altered]:
        if self._patient is not None:
            yield from self._members(self._patient, of_any=True)

    def _left(self) -> Iterator[Altered]:
        clause, verb = self._clause, self._clause.verb
        assert verb is not None
        by_others = verb.lemma in ("fire", "sack", "let", "lay", "dismiss")
        who = self._patient if by_others else clause.subject
        if who is None:
            return
        if who.head in ("i", "we"):
            if clause.object is not None and clause.complement("at", "in", "on", "with", "by", "under") is None:
                for held in self._meant():
                    if held.part or noun_stems(held.attribute) & set(stems(clause.object.text)):
                        yield self._altered(held, None, gone=True)
            return
        whole = clause.object is None and not any(phrase.kind != "time" for _, phrase in clause.complements)
        if verb.lemma == "leave":
            timed = any(one.kind == "clock" for _, phrase in clause.complements for one in measures(phrase.text))
            early = re.search(r"\b(?:early|late|already|again|soon)\b", self._text[self._span[0] : self._end])
            if timed or early or not (whole or (clause.object and clause.object.head in _GROUPS)):
                return  # for the day
        yield from (one for one in self._members(who, of_any=False) if whole or self._is_from(one))

    def _is_from(self, one: Altered) -> bool:
        """Whether what somebody left is what *one* tells of, or all that they do for the speaker."""
        things = [phrase for _, phrase in self._clause.complements] + (
            [self._clause.object] if self._clause.object else []
        )
        its = set(stems(f"{one.attribute} {one.old}"))
        return any(thing.head in _WORK or its & set(stems(thing.text)) for thing in things if thing.kind != "time")

    def _members(self, who: Phrase, *, of_any: bool) -> Iterator[Altered]:
        """What becomes of the facts of which *who* is the value, or one of several; *of_any*: of kin too."""
        whom = self._names(who)
        for name, value in self._facts:
            for member in whom:
                rest = without(value, member)
                if rest is None:
                    continue
                if rest:
                    yield self._altered(_Held(name, value), rest)
                elif of_any:
                    yield self._altered(_Held(name, value), None, gone=True)
                elif not _KIN.search(name):
                    yield self._altered(_Held(name, value), None)
        if not of_any:
            for name, value in self._facts:
                if any(re.match(rf"{re.escape(one)} {_DOES}\b", name) for one in whom):
                    yield self._altered(_Held(name, value), None, gone=True)

    def _names(self, who: Phrase) -> list[str]:
        """The names of whom *who* means: as it stands, or by what they are to the owner, or as last spoken of."""
        if _is_person(who) or who.also:
            return [one.text for one in (who, *who.also) if _is_person(one)] + [
                part for part in listed(who.text) if re.fullmatch(PERSONAL_NAME, part) and who.also
            ]
        if who.kind == "pronoun":
            return self._last_spoken_of() if who.head in ("he", "she", "they", "him", "her", "them") else []
        said = set(stems(who.text))
        found = [value for name, value in self._facts if said and set(stems(name)) == said]
        return found if len(found) == 1 and re.fullmatch(PERSONAL_NAME, found[0]) else []

    def _last_spoken_of(self) -> list[str]:
        for sentence in reversed(self._context):
            found = [
                (sentence.rfind(member), member)
                for name, value in self._facts
                for member in (*listed(value), *re.findall(rf"^{PERSONAL_NAME}(?=['’]s|\s[a-z])", name))
                if re.fullmatch(PERSONAL_NAME, member) and re.search(rf"\b{re.escape(member)}\b", sentence)
            ]
            if found:
                return [max(found)[1]]
        return []

    def _got(self) -> Iterator[Altered]:
        """What was bought is to be bought no more."""
        bought = set(stems(self._patient.text)) if self._patient is not None else set()
        for name, value in self._facts:
            if name.endswith(" list") and bought and set(stems(value)) == bought:
                yield self._altered(_Held(name, value), None, gone=True)

    def _parted(self) -> Iterator[Altered]:
        if self._clause.object is None and self._clause.verb is not None and self._clause.verb.voice == "active":
            return  # who lost is not lost
        thing = self._patient
        for held in self._meant():
            if not (held.part and not measures(held.part)) and not self._is_exactly(held):
                continue
            if held.part and WHERE.search(held.value.partition(held.part)[0]):
                continue  # the hive in which something is
            rest = without(held.value, held.part) if held.part else ""
            if not rest and thing is not None:
                rest = fewer(held.value, self._text[thing.start : thing.end]) or ""
            yield self._altered(held, rest or None, gone=not rest)

    def _settled(self) -> Iterator[Altered]:
        clause = self._clause
        if clause.subject is not None and (whose := _GENITIVE.search(clause.subject.text)) is not None:
            kin = set(stems(clause.subject.text[whose.end() :]))  # `Ute's sister` pays nothing of what Ute owes
            if not any(kin <= set(stems(name)) for name, _ in self._facts):
                return
        told = [p for p in (clause.subject, clause.object, clause.second) if p is not None]
        told += [phrase for preposition, phrase in clause.complements if preposition in ("to", "with", "")]
        whom = {p.text for p in told if _is_person(p)} | {
            name for p in told if p.kind == "pronoun" for name in self._names(p)
        }
        things = {s for p in told if p.kind == "common" for s in stems(p.text)}
        by_me = clause.subject is not None and clause.subject.head in ("i", "we")
        plainly_paid = clause.verb is not None and clause.verb.lemma == "pay" and not self._particles & {"back", "off"}
        if plainly_paid and not any(measures(p.text) for p in told):
            return
        for name, value in self._facts:
            its = set(stems(name)) | set(stems(value))
            if not its & _DEBTS and not (things and things == set(stems(name)) and its & _DEBTS):
                continue
            if not any(re.search(rf"\b{re.escape(one)}\b", f"{name} {value}") for one in whom) and not things & its:
                continue
            if by_me == bool(re.search(r"\bowes$|^lent\b", name)):
                continue  # who owes is who pays
            part = next((p.text for p in told if measures(p.text)), None)
            left = shifted(value, part, -1) if part else None
            is_all = left is None or not re.search(r"[1-9]", left)
            yield self._altered(_Held(name, value), None if is_all else left, gone=is_all)

    def _split(self) -> Iterator[Altered]:
        clause = self._clause
        thing = clause.object
        if thing is not None and not (_is_person(thing) or thing.also or _COUPLE.search(thing.text)):
            return  # a fight is broken up
        told = [p for p in (clause.subject, thing, clause.complement("with", "from")) if p is not None]
        whom = {
            n
            for p in told
            for one in (p, *p.also)
            if one.head not in ("i", "we")
            for n in [one.text, *self._names(one)]
        }
        if not whom - {p.text for p in told if p.head in ("i", "we")} and self._context:
            whom = set(self._last_spoken_of())
        for name, value in self._facts:
            if not _COUPLE.search(name):
                continue
            if value in whom or any(set(stems(one)) == set(stems(name)) for one in whom):
                yield self._altered(_Held(name, value), None, gone=True)

    # -- which fact is meant ---

    def _altered(self, held: _Held, value: str | None, *, gone: bool = False) -> Altered:
        return Altered(held.attribute, held.value, value, gone, held.part, self._span)

    def _meant(self) -> list[_Held]:
        """The known facts that the clause tells of."""
        patient = self._patient
        if self._rise is not None:  # `a pay rise of 200`
            words = " ".join(w for w in self._rise.modifiers if w not in ("big", "small", "little", "nice", "tiny"))
            found = [held for word in ([words] if words else _PAY) for held in self._called(word)]
            return found or [held for word in _PAY for held in self._called(word)]
        if patient is None:
            return []
        if patient.kind == "pronoun":
            return self._spoken_of() if patient.head in _PRONOUNS else []
        words = re.sub(r"^(?:doing|having|taking|going to)\s", "", TIMES_OFF.sub("", patient.text))
        if patient.determiner in ("his", "her", "their", "its", "your"):
            if self._agent is None or self._agent.kind == "pronoun":
                return []
            words = f"{self._agent.text} {words}"
        return self._called(uncounted(words) if self._deed.kind == "parted" else words)

    def _called(self, words: str) -> list[_Held]:
        said = set(stems(words))
        said = said - OF_A_KIND or said
        if not said:
            return []
        by_name: list[_Held] = []
        within: list[_Held] = []
        for name, value in self._facts:
            called = also_called(set(stems(name)) | noun_stems(name))
            of_another = _GENITIVE.search(name)
            if of_another is not None and not said & set(stems(name[of_another.end() :])):
                continue  # the kids are not their bedtime
            if said <= called:
                by_name.append(_Held(name, value))
            elif said <= called | set(stems(value)) and (part := part_named(value, words)):
                within.append(_Held(name, value, part))
        exact = [held for held in by_name if set(stems(held.attribute)) == said]
        if not by_name and not within and "'" not in words.replace("’", "'"):
            spots = {
                s.attribute
                for s in self._known.spots(words)
                if s.value is None and said <= set(stems(words[s.own : s.end]))
            }
            by_name = [_Held(name, value) for name, value in self._facts if name in spots]
        return exact or [*by_name, *within]

    def _spoken_of(self) -> list[_Held]:
        """What a pronoun means: a fact that one of the last sentences told, or that hangs on whoever did it."""
        by = set(stems(self._agent.text)) if self._agent is not None and self._agent.kind != "pronoun" else set()
        for sentence in reversed(self._context):
            told = [
                _Held(name, value)
                for name, value in self._facts
                if value.lower() in sentence.lower() and self._may_befall(value)
            ]
            told = [held for held in told if by & set(stems(f"{held.attribute} {held.value}"))] or told
            if told:
                return told if len(told) <= 2 else []
        found = [_Held(n, v) for n, v in self._facts if by & set(stems(n)) and self._may_befall(v)]
        return found if len(found) == 1 else []

    def _may_befall(self, value: str) -> bool:
        if self._deed.kind == "over":
            return is_dated(value)
        return self._deed.kind != "other" or bool(measures(value))


def _is_person(phrase: Phrase) -> bool:
    """Whether *phrase* is a name such as people and animals have, at the head of a sentence too."""
    return not phrase.determiner and phrase.kind != "pronoun" and re.fullmatch(PERSONAL_NAME, phrase.text) is not None
