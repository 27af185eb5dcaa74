"""
Whether a sentence that was told falls short of what a question asks: it tells of another thing of the sort (the green
hive, not the yellow one; the cello, not the violin), or has nothing of the kind that is asked for. Then it is quoted as
what comes near, not as the answer. No model, no clock.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from daemon.agreement import OF_A_KIND, are_apart
from daemon.doers import is_trade
from daemon.spoken import families, names
from daemon.subjects import whom
from daemon.synonyms import others_for
from daemon.wanted import Kind, holds, tells_no_hour, wanted
from memory_store.grammar import Clause, Phrase, is_light, kin, parse
from memory_store.names import Similarity
from memory_store.news import KIN
from memory_store.phrases import stems

ONE_THING = 0.72  # cosine from which two nouns may name one thing
ONE_THING_OF_IT = 0.45  # the same where both are of one thing: `work schedule`, `work hours`
OF_IT = 0.4  # cosine from which something said may be of a thing that is asked for: vegetarian, meat
ABOUT = 0.5  # how near in meaning a sentence must be that shares nothing with a question but whom it is about
_TELLING: tuple[Kind, ...] = (
    "time", "schedule", "amount", "colour", "duration", "frequency", "count", "age", "measure", "place",
)  # fmt: skip
_AT_A_PLACE = re.compile(r"\b(?:at|in)\s+(?:the\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)*")
_DAYS = re.compile(
    r"\b(?:\w{3,6}day|January|February|March|April|May|June|July|August|September|October|November|December)s?\b"
)
_PEOPLE = re.compile(
    rf"{KIN.pattern}|^(?:council|committee|board|team|company|firm|staff|crew|club|parent|family|student|child|kid|people|person|volunteer|school|"
    r"shop|agency|office|bank|parish|group|society|association|union|company|neighbou?r|friend|colleague|tenant|apprentice|trainee|intern|"
    r"police|army|government|department|member|resident|guest|client|patient|partner|owner|lad|girl|boy|chap|guy|bloke|folk|lot|all|both)$",
    re.IGNORECASE,
)
_TELLS_A_JOB = re.compile(
    r"\b(?:is|am|are|was|as|being|become|became)\s+(?:an?|the|our)\b|['’][sm]\s+an?\b|\b(?:work|job|profession|occupation|stud|train|employ|run|teach|manage)\w*",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(r"\bfavou?rite\s+(?P<what>[a-z]+)", re.IGNORECASE)
_SECRET = re.compile(
    r"\b(?:codes?|pins?|pass\w+|combinations?|combo|keys?|numbers?|plates?|id|logins?)\b", re.IGNORECASE
)
_OF_MONEY = re.compile(r"\b(?:pay|cost|charg|earn|spend|price|rent|fee|owe|salary|wage|budget)\w*\b", re.IGNORECASE)
_AGED = re.compile(
    r"\b(?:old|ages?|aged|turn(?:s|ed|ing)?|born|birthday|years?|months?|weeks?)\b|"
    r"(?<!number)(?<!code)(?:\s(?:is|am|are|was|be)|['’][sm]|['’]re)\s+(?:\w+\s+)?\w+\W*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b\d+\b")
_POINTS_BACK = re.compile(r"\W*(?:he|she|they|it)\b", re.IGNORECASE)
_ASKS_A_NAME = re.compile(r"\b(?:names?|called)\b", re.IGNORECASE)
_SAYS_NO_MORE = frozenset(
    map(kin, "new old current own good best favourite favorite little main whole usual other".split())
)
_FEELS = frozenset("like love enjoy hate dislike prefer".split())


def falls_short(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *sentence* may come near to what *question* asks, but does not tell it."""
    return (
        lacks_its_kind(question, sentence)
        or _are_told_apart(question, sentence)
        or _names_another(question, sentence)
        or _has_it_not(question, sentence, near)
        or _is_felt_for_another(question, sentence, near)
        or is_of_another_thing(question, sentence, near)
        or is_about_whom_alone(question, sentence, near)
        or _has_it_not_of_them(question, sentence)
        or _does_something_else(question, sentence, near)
        or _is_what_another_thing_does(question, sentence, near)
    )


def lacks_its_kind(question: str, sentence: str) -> bool:
    """Whether *sentence* holds nothing of the kind that *question* asks for: no time, no amount, nobody else."""
    want = wanted(question)
    kind = want.kind
    if want.noun == "job":
        return not _TELLS_A_JOB.search(sentence)
    if (favourite := _FAVOURITE.search(question)) is not None:
        held = families(sentence)
        return kin(favourite["what"]) not in held and not {kin(one) for one in others_for(favourite["what"])} & held
    if kind == "code" and not re.search(r"\d", sentence):
        return not _SECRET.search(sentence)
    counted = re.findall(r"\d+", question)  # `number 4` in both says no amount
    if kind == "amount" and _OF_MONEY.search(question) and not set(re.findall(r"\d+", sentence)) - set(counted):
        return holds("amount", _COUNTED.sub(" ", sentence) if counted else sentence) < 1
    if kind == "age" and not _AGED.search(sentence):
        return True
    if _ASKS_A_NAME.search(question):
        return not names(sentence) - names(question)
    if kind == "person":
        return not _names_somebody_else(question, sentence) or _tells_what_it_is(question, sentence)
    if tells_no_hour(question, sentence):
        return True
    return kind in _TELLING and not holds(kind, sentence)


def _names_somebody_else(question: str, sentence: str) -> bool:
    """Whether *sentence* names anybody, or speaks of anybody, beside whom *question* names."""
    if names(_DAYS.sub(" ", _AT_A_PLACE.sub(" ", sentence))) - names(question):
        return True
    asked = families(question)
    return any(
        kin(phrase.head) not in asked and _may_be_somebody(phrase) and not names(phrase.text) & names(question)
        for phrase in _all(parse(sentence))
    )


def _tells_what_it_is(question: str, sentence: str) -> bool:
    """Whether *sentence* tells what that is with which *question* asks who does something: what car, not who mends it."""
    things = {
        kin(c.object.head)
        for c in parse(question)
        if c.object is not None and c.object.kind == "common" and c.verb is not None and c.verb.lemma != "be"
    }
    told = [c for c in parse(sentence) if c.verb is not None]
    is_it = [
        c.verb is not None and c.verb.lemma == "be" and c.subject is not None and kin(c.subject.head) in things
        for c in told
    ]
    return (
        bool(things and is_it)
        and all(is_it)
        and not any(one.kind == "common" and is_trade(one.head) for one in _all(tuple(told)))
    )


def _may_be_somebody(phrase: Phrase) -> bool:
    head = phrase.head.lower()
    if phrase.kind == "pronoun":
        return head not in ("it", "that", "this", "there", "these", "those")
    return phrase.kind == "common" and (is_trade(head) or _PEOPLE.search(head) is not None)


def _are_told_apart(question: str, sentence: str) -> bool:
    """Whether they differ by words of which one is never another: to open, and to close."""
    mine, its = frozenset(stems(question)), frozenset(stems(sentence))
    return are_apart(mine - its, its - mine)


def _names_another(question: str, sentence: str) -> bool:
    """Whether *sentence* is about somebody, or theirs, whom *question* does not name, and not about whom it names."""
    mine = names(question)
    if not mine or mine & names(sentence):
        return False
    subjects = [clause.subject for clause in parse(sentence) if clause.subject is not None]
    whose = [one.owner or one for one in subjects]
    return bool(whose) and all(one.kind == "name" or one.owner is not None for one in whose)


def _has_it_not(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *question* asks if there is something of which *sentence* says nothing."""
    held = families(sentence)
    for clause in parse(question):
        thing = clause.object
        if clause.gap is None or clause.gap.word != "whether" or thing is None or thing.kind != "common":
            continue
        if kin(thing.head) in held or {kin(one) for one in others_for(thing.head)} & held:
            return False
        said = [one.head for one in _all(parse(sentence)) if one.head and one.kind in ("common", "quality", "name")]
        return near is None or not said or float(near([thing.head], said).max()) < OF_IT
    return False


def lacks_what_tells_apart(question: str, sentence: str) -> bool:
    """Whether *question* asks for a thing of the owner's by words that tell it from others, and *sentence* has none."""
    held = families(sentence)
    things = [thing for thing in _all(parse(question)) if thing.ours and thing.kind == "common" and thing.modifiers]
    return any(_told_apart(thing) and not _told_apart(thing) & held for thing in things)


def _is_what_another_thing_does(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *question* asks for a thing of the owner's, and *sentence* tells only of others of theirs."""
    if near is None or not lacks_what_tells_apart(question, sentence):
        return False
    subjects = [clause.subject for clause in parse(sentence) if clause.verb is not None]
    if not subjects or not all(one is not None and one.ours and one.kind == "common" for one in subjects):
        return False
    heads = [one.head for one in subjects if one is not None]
    asked = [one.bare for one in _all(parse(question)) if one.ours and one.kind == "common"]
    return not families(" ".join(heads)) & families(question) and float(near(asked, heads).max()) < ONE_THING_OF_IT


def _has_it_not_of_them(question: str, sentence: str) -> bool:
    """Whether *question* asks for somebody's number, size or the like, of which *sentence* says nothing."""
    held = families(sentence)
    for thing in _all(parse(question)):
        whose = thing.owner
        if whose is None or _MEASURED_BY.search(thing.head) is None:
            continue
        own = families(f"{' '.join(thing.modifiers)} {thing.head}") - families(whose.text)
        if (
            own
            and not own & held
            and not any({kin(one) for one in others_for(word)} & held for word in thing.modifiers)
        ):
            return True
    return False


_MEASURED_BY = re.compile(r"number|size|code|pin|height|weight|plate|password|address|e-?mail|phone|salary|id")


def _does_something_else(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *question* asks how much or what somebody named does, and *sentence* tells another thing that they do."""
    asked = next((c for c in parse(question) if c.verb is not None and c.gap is not None), None)
    if near is None or asked is None or asked.verb is None or asked.subject is None or is_light(asked.verb.lemma):
        return False
    who = names(asked.subject.text)
    told = [c.verb.lemma for c in parse(sentence) if c.verb is not None and c.subject and names(c.subject.text) & who]
    told = [verb for verb in told if verb != "be" and not is_light(verb)]
    if not who or not told or asked.verb.lemma == "be" or kin(asked.verb.lemma) in families(sentence):
        return False
    return float(near([asked.verb.lemma], told).max()) < OF_A_KIND


def _is_felt_for_another(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *sentence* tells of something that is liked or hated, and *question* asks for such of another kind."""
    if near is None:
        return False
    for asked in parse(question):
        noun = asked.gap.noun if asked.gap is not None else None
        if noun is None or asked.verb is None or asked.verb.lemma not in _FEELS:
            continue
        told = [c.object for c in parse(sentence) if c.verb is not None and c.verb.lemma in _FEELS and c.object]
        return bool(told) and all(float(near([noun.text], [one.text])[0, 0]) < OF_A_KIND for one in told)
    return False


def is_about_whom_alone(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *question* and *sentence* share nothing but whom they are about, and mean little of the same."""
    who = frozenset().union(*(families(one) for one in whom(question)), names(question))
    who |= frozenset(kin(m[0]) for m in KIN.finditer(question))
    held = families(sentence)
    if near is None or not who & held or (families(question) - who) & held or _POINTS_BACK.match(sentence):
        return False
    if float(near([question], [sentence])[0, 0]) < ABOUT:
        return True
    asks, tells = _heads(question, who), _heads(sentence, who)
    return bool(asks and tells) and float(near(asks, tells).max()) < OF_IT


def _heads(text: str, who: frozenset[str]) -> list[str]:
    """The nouns and qualities in *text* that do not say *who* it is about."""
    every = (one.head for one in _all(parse(text)) if one.kind in ("common", "quality", "name"))
    return [one for one in dict.fromkeys(every) if one and kin(one) not in who]


def is_of_another_thing(question: str, sentence: str, near: Similarity | None) -> bool:
    """Whether *sentence* tells what *question* asks of another thing of the sort, and not of that one."""
    asked, told = parse(question), parse(sentence)
    held, known = families(sentence) | _numbers(sentence), families(question) | _numbers(question)
    for thing in _all(asked):
        mine = _told_apart(thing)
        same = [one for one in _all(told) if kin(one.head) == kin(thing.head)]
        if not mine or mine <= held or not same:
            continue
        numbered = frozenset(filter(str.isdigit, mine))
        if all(_told_apart(one) - known for one in same) and not (numbered or mine) & held:
            return True
    return any(_does_it_to_another(q, s, known, held, near) for q in asked for s in told) and not any(
        _does_it_to_that(q, s, held) for q in asked for s in told
    )


def _does_it_to_another(
    asked: Clause, told: Clause, known: frozenset[str], held: frozenset[str], near: Similarity | None
) -> bool:
    """Whether *told* is the doing that *asked* is about, done with another thing; or what another thing is."""
    if not _is_one_doing(asked, told):
        return False
    if _is_elsewhere(asked, told):
        return True
    mine, its = _thing(asked), _thing(told)
    if mine is None or its is None or kin(mine.head) in held or kin(its.head) in known or mine.kind == "name":
        return False
    if kin(its.head) in {kin(other) for other in others_for(mine.head)}:
        return False
    least = ONE_THING_OF_IT if _told_apart(mine) & _told_apart(its) else ONE_THING
    return near is None or float(near([mine.head], [its.head])[0, 0]) < least


def _is_elsewhere(asked: Clause, told: Clause) -> bool:
    """Whether both name where to, with whom and so on, and not the same: the bus to one town, and that to another."""
    mine, its = _named_parts(asked), _named_parts(told)
    every = frozenset().union(*its.values()) if its else frozenset()
    return any(mine[at] and its.get(at) and not mine[at] & every for at in mine)


def _named_parts(clause: Clause) -> dict[str, frozenset[str]]:
    """The names in *clause*, by the preposition before them."""
    found: dict[str, frozenset[str]] = {}
    inside = (clause.subject, clause.object)
    for at, phrase in (*clause.complements, *(part for one in inside if one is not None for part in one.parts)):
        if at and phrase.kind == "name":
            found[at] = found.get(at, frozenset()) | families(phrase.text)
    return found


def _does_it_to_that(asked: Clause, told: Clause, held: frozenset[str]) -> bool:
    mine = _thing(asked)
    return mine is not None and _is_one_doing(asked, told) and kin(mine.head) in held and not _is_elsewhere(asked, told)


def _is_one_doing(asked: Clause, told: Clause) -> bool:
    if asked.verb is None or told.verb is None:
        return False
    one, other = asked.verb.lemma, told.verb.lemma
    return kin(one) == kin(other) and not (is_light(one) and one != "be")


def _thing(clause: Clause) -> Phrase | None:
    """The thing that *clause* is about beside who does it: its object, or what does or is something, and is nobody."""
    if clause.verb is None:
        return None
    one = clause.object
    is_acted = clause.verb.lemma == "be" or clause.verb.voice == "passive"
    if is_acted or one is None or one.kind not in ("common", "name"):
        one = clause.subject
        return one if one is not None and one.kind == "common" and (is_acted or not _may_be_somebody(one)) else None
    return one


@lru_cache(maxsize=4096)
def _told_apart(phrase: Phrase) -> frozenset[str]:
    """The families of words in *phrase* that tell it from others of its sort."""
    modifiers = [] if phrase.kind == "name" else phrase.modifiers  # `Mr`, and what else stands before a name
    beside = families(" ".join((*modifiers, *(part.text for _, part in phrase.parts))))
    if phrase.kind == "amount":
        beside |= _numbers(phrase.text)
    for _, part in phrase.parts:
        beside |= _numbers(part.text)
    return beside - _SAYS_NO_MORE - {kin(phrase.head)}


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


def _all(clauses: tuple[Clause, ...]) -> Iterator[Phrase]:
    for clause in clauses:
        yield from _parts(clause)


def _parts(clause: Clause) -> Iterator[Phrase]:
    """Every noun phrase of *clause*, also within others."""
    noun = (clause.gap.noun,) if clause.gap is not None else ()
    for one in (clause.subject, clause.object, clause.second, *noun, *(phrase for _, phrase in clause.complements)):
        if one is not None:
            yield from _inside(one)


def _inside(phrase: Phrase) -> Iterator[Phrase]:
    yield phrase
    if phrase.owner is not None:
        yield from _inside(phrase.owner)
    for _, part in phrase.parts:
        yield from _inside(part)
    for one in phrase.also:
        yield from _inside(one)
