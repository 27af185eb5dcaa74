"""
Where somebody, or a thing of ours, was moved: a fact of its own, `Knut lives in` or `Sanne is`, never what they are.

A town is where somebody lives; a ward, a room or a group is where they are, told with its preposition.
"""

import re
from collections.abc import Container
from dataclasses import replace

from memory_store.clause_parts import thing_of, whose
from memory_store.done import is_told
from memory_store.familiar import Familiar
from memory_store.grammar import Clause, Phrase, parse
from memory_store.grammar.lexicon import brill
from memory_store.measures import measures
from memory_store.news import KIN
from memory_store.phrases import clean_value
from memory_store.predicates import WHENCE_AND_WHEN
from memory_store.said import NAME, PERSONAL_NAME, Said
from memory_store.verbs import plural

# What one is on, at, and in.
_PLACES = {
    noun: how
    for how, nouns in {
        "on": "ward|floor|team|shift|island|platform|committee|board|crew|plot|pitch|farm|shelf|level|deck|estate|line",
        "at": "pier|table|desk|berth|gate|jetty|quay|mooring|counter|station|school|college|university",
        "in": "room|group|class|unit|department|section|division|bed|block|flat|hall|building|wing|house|home|office|"
        "tent|hut|cabin|cell|box|bay|lab|squad|choir|orchestra|league|band|form|row|cage|stable|hive|barn|field|shed|garage|"
        "cellar|attic|kitchen|garden|hospital|hospice|clinic|village|town|city|country|countryside|hostel|dormitory|dorm|"
        "suite|cottage|caravan|branch",
    }.items()
    for noun in nouns.split("|")
}
_WITH_NUMBER = rf"(?:\s(?:number\s)?(?:\d+[a-zA-Z]?|[A-Z0-9]+|{NAME}))?"
# `the Ladybird group`, `room 31 on the first floor`
_PLACED = re.compile(
    rf"(?P<at>(?:(?:the|a|an)\s)?(?:[\w’'-]+\s){{0,3}}?(?P<noun>{'|'.join(_PLACES)}){_WITH_NUMBER})(?P<more>,?\s(?:in|on|at|of|near)\s.+)?$"
)
_TOWN = re.compile(rf"(?:(?:the|an?)\s(?:[a-z]+\s){{1,2}}(?:in|near)\s)?{NAME}(?:,\s{NAME})?$")
_MOVES = ("move", "relocate", "transfer")
_INTO = ("to", "into", "onto")
# verbs that put somebody into another group, class or room, where that is what they are put into
_TURNS = (*_MOVES, "change", "switch", "go", "return", "promote", "shift", "assign")
_BECAUSE = re.compile(
    r"\s(?:because(?: of)?|since|as|after|when|so|due to|(?:with|for) (?:my|his|her|their|the|an?)|by)\s.*$"
)


def moved(text: str, known: Familiar) -> Said | None:
    """Where *text*, a clause of news, tells that somebody or something was moved; None where it tells no such thing."""
    clauses = parse(text)
    for clause in clauses:
        if clause.verb is None or clause.verb.lemma not in _TURNS or not is_told(clause, clauses, text):
            continue
        who = _who(clause)
        where = _where(clause, text)
        if who is None or where is None or (thing := _called(who)) is None:
            continue
        person = is_somebody(who) or _is_known(who, known)
        if (m := _PLACED.match(where)) is not None:
            if not person and who.kind != "name" and not who.ours and not _is_by_us(clause):
                continue
            led = "in" if _leads(clause) == "into" else "on" if _leads(clause) == "onto" else _PLACES[m["noun"]]
            return _said(f"{thing} {'are' if who.plural else 'is'}", f"{led} {where}", who)
        if _TOWN.match(where) and person and clause.verb.lemma in _MOVES:
            lives = clause.object is None and clause.verb.voice == "active" and clause.verb.lemma != "transfer"
            if lives:
                return _said(f"{thing} {'live' if who.plural else 'lives'} in", where, who)
            return _said(f"{thing} {'are' if who.plural else 'is'}", f"in {where}", who)
    return None


def is_somebody(phrase: Phrase) -> bool:
    """Whether *phrase* is a person: by a name, by kin, or by a word for people."""
    if phrase.kind == "name" and phrase.determiner == "" and re.fullmatch(PERSONAL_NAME, phrase.text):
        return True
    return phrase.kind == "common" and (
        phrase.named is not None or KIN.search(phrase.head) is not None or _PEOPLE.search(phrase.head) is not None
    )


def _is_known(who: Phrase, known: Familiar) -> bool:
    """Whether *who*, which may be only the first word of a sentence, is a name of somebody of whom facts tell."""
    return re.fullmatch(PERSONAL_NAME, who.text) is not None and _is_name_known(who.text, known)


def _is_name_known(one: str, known: Familiar) -> bool:
    return any(re.match(rf"{re.escape(one)}\b", name) or one in values for name, values in known.values.items())


_PEOPLE = re.compile(
    r"(?:colleague|shipmate|mate|lady|gentleman|man|woman|boy|girl|baby|patient|tenant|lodger|nurse|boss|chef|pupil|student|guest|"
    r"client|resident|apprentice|trainee|intern|(?:teach|manag|work|lead|train|lawy|play|sing|danc|driv|garden|clean|farm|bak|paint)er|"
    r"doctor|tutor|mentor|director|conductor|supervisor|actor|(?:dent|therap|pian|organ|cell|reception|flor)ist)$"
)


def where_known(value: str, where: str) -> str | None:
    """*where*, told with its preposition, as *value* tells where it was; None where that is no place of the sort."""
    new = _PLACED.match(bare_place(where))
    was = _PLACED.match(bare_place(value))
    if new is None or was is None:
        return where if new is None and was is None and _TOWN.match(bare_place(value)) else None
    if new["noun"] != was["noun"] and not _LED.match(value):
        return None
    return where if _LED.match(value) else bare_place(where)


def apart_from_who(said: Said, named: Container[str], known: Familiar) -> Said:
    """
    *said* as a fact of its own where it tells of somebody where they are, `Polly is`, or more of them than what they
    are: `Polly allergic to`. *named*: people whom the message named.
    """
    value, name = said.value or "", said.attribute
    where, of = _LED.match(value), _QUALITY_OF.match(value)
    if said.ends or (where is None and of is None):
        return said
    somebody = re.fullmatch(PERSONAL_NAME, name) is not None and (
        name in named or _is_name_known(name, known) or brill(name) == "NNP"
    )
    if not somebody and not is_kin(name):
        return said
    if where is None and of is not None:
        return replace(said, attribute=f"{name} {of['q']}", value=of["v"], verb=True)
    return replace(said, attribute=f"{name} {'are' if plural(name) else 'is'}", verb=True)


def is_somebody_named(attribute: str) -> bool:
    """Whether *attribute* only names somebody, so that its values are what they are."""
    return re.fullmatch(PERSONAL_NAME, attribute) is not None or is_kin(attribute)


def are_of_one_sort(one: str, other: str) -> bool:
    """Whether of *one* and *other*, each what somebody is, only one can be: two names, two trades, two amounts."""
    return _sort(one) == _sort(other) != ""


def _sort(value: str) -> str:
    if re.match(r"an?\s", value):
        return "trade"
    if found := measures(value):
        return found[0].kind
    return "name" if re.fullmatch(NAME, value) else ""


_QUALITY_OF = re.compile(
    r"(?P<q>[a-z]+(?:ic|ed|ent|ant|ful|id|ous|ive|ble) (?:to|of|with|for|about|from|by))\s(?P<v>\S.*)$"
)


def is_kin(name: str) -> bool:
    """Whether *name* is a word for one of the speaker's people, as a fact is named by it: `younger sister`."""
    return "'" not in name.replace("’", "'") and (m := list(KIN.finditer(name))) != [] and m[-1].end() == len(name)


def bare_place(where: str) -> str:
    """*where* without its preposition."""
    return _LED.sub("", where)


_LED = re.compile(r"^(?:in|at|on|with|near|under|behind|beside)\s")


def _said(attribute: str, value: str, who: Phrase) -> Said:
    owned = who.ours or (not who.determiner and KIN.fullmatch(who.text) is not None)
    subject = "the" if who.named is not None else whose(who)
    return Said(attribute, value, subject, verb=True, weak=not owned, loose=not owned, change=True)


def _called(who: Phrase) -> str | None:
    """*who* as it stands in the name of a fact."""
    if who.kind == "common" and not who.determiner and who.owner is None:
        return who.text if KIN.search(who.text) or re.fullmatch(PERSONAL_NAME, who.text) else None  # `mum`
    return re.sub(r"^the\s", "", name, flags=re.IGNORECASE) if (name := thing_of(who)) is not None else None


def _who(clause: Clause) -> Phrase | None:
    """Who or what is somewhere else now: what was moved, or who moved."""
    verb = clause.verb
    assert verb is not None
    if verb.voice == "passive":
        return clause.subject
    who = clause.object if clause.object is not None else clause.subject
    return None if who is None or who.kind in ("pronoun", "clause", "amount", "time") else who


def _is_by_us(clause: Clause) -> bool:
    return clause.object is not None and clause.subject is not None and clause.subject.head in ("i", "we")


def _leads(clause: Clause) -> str:
    return next((p.split()[-1] for p, _ in clause.complements if p.split()[-1:] and p.split()[-1] in _INTO), "")


def _where(clause: Clause, text: str) -> str | None:
    """The words of *text* that say where to, without when and why."""
    verb = clause.verb
    assert verb is not None
    begin = clause.object.end if clause.object is not None and clause.object.start > verb.end else verb.end
    m = re.match(
        r"(?:\s(?:over|back|down|up|out))?(?:\sfrom\s.+?)?\s(?:to|into|onto)\s+(?P<v>[^,;:.!?]+(?:,\sroom\s\w+)?)",
        text[begin:],
    )
    if m is None:
        return None
    told = WHENCE_AND_WHEN.sub("", _BECAUSE.sub("", m["v"].strip()))
    told = re.sub(r"\s(?:now|again|too|instead|for good|together|permanently|temporarily)$", "", told)
    value = clean_value(told)[0]
    return None if value is None or len(value.split()) > 9 else value
