"""Whether a clause tells of its speaker's own knowledge what happened, and what that did to which thing."""

import re
from collections.abc import Sequence

from memory_store.deeds import Deed, deed
from memory_store.grammar import Clause, Phrase
from memory_store.measures import measures

_SUPPOSED = frozenset(
    "if unless when whenever once should whether because until till before after like than where how why who".split()
)
_NO_NEWS = frozenset("maybe perhaps probably possibly hardly almost nearly never apparently supposedly still".split())
_HEDGED = re.compile(
    r"\b(?:if|whether|unless|might|(?-i:may)|could|would|should|maybe|perhaps|possibly|probably|almost|nearly|thinking|"
    r"consider\w*|wonder|wish|hop(?:e|es|ing|ed)|want\w*|plan(?:s|ning|ned)?|thought|supposed|suppose|imagine|rumou?rs?|"
    r"apparently|ask(?:s|ed)|says?|said|tells?|told|heard|never|didn['’]t|don['’]t|doesn['’]t|hasn['’]t|haven['’]t|"
    r"won['’]t|can['’]t|wasn['’]t|isn['’]t|not)\b|\?",
    re.IGNORECASE,
)
_PARTICLE = re.compile(
    r"\s+(?P<p>up|down|off|out|back|away|forwards?|rid|go|(?:over|through|on)(?=\s*(?:$|[,.;!]|to\b|by\b|as\b)))\b"
)


def is_told(clause: Clause, among: Sequence[Clause], text: str) -> bool:
    """Whether *clause* tells what happened, of its speaker's own knowledge."""
    verb = clause.verb
    assert verb is not None
    had_to = verb.modal == "have to" and verb.tense == "past"
    if clause.mood in ("question", "conditional") or verb.negated or clause.link in _SUPPOSED:
        return False
    if verb.modal and not had_to:
        return False
    done = verb.tense == "past" or verb.aspect != "simple" or verb.voice == "passive" or verb.lemma in _PAST_IS_BASE
    by_now = re.search(r"\bnow\b", f"{text[clause.start : verb.end]} {_rest(verb.end, text)}") is not None
    if not (done or by_now) or any(adverb in _NO_NEWS for adverb in clause.adverbs):
        return False
    above = among[clause.parent] if clause.parent is not None and clause.parent < len(among) else None
    if above is not None and above.link in _SUPPOSED and clause.link in ("and", "or", "but"):
        return False
    conditions = (
        ("if", "unless", "once", "whenever", "when") if verb.tense == "present" else ("if", "unless", "whenever")
    )
    if any(c.link in conditions and c.sentence == clause.sentence for c in among):
        return False
    return _HEDGED.search(text[clause.start : clause.end]) is None


_PAST_IS_BASE = frozenset("quit cut put set shut split let reset".split())


RISES = {"raise": 1, "rise": 1, "increase": 1, "hike": 1, "cut": -1, "reduction": -1, "discount": -1, "extension": 1}


def doing(clause: Clause, text: str) -> tuple[Deed, Phrase | None] | None:
    """What *clause*, of *text*, did, and to what: its object, what stands behind a particle, or else its subject."""
    verb, thing = clause.verb, clause.object
    assert verb is not None
    acts = verb.voice == "active"
    patient = thing if acts and thing is not None else clause.subject
    if thing is not None and thing.head in RISES and verb.lemma in ("get", "have", "receive", "give"):
        return Deed("other", RISES[thing.head]), patient
    if acts and weight_told(clause) is not None:
        more = verb.lemma in ("gain", "put")
        if more or verb.lemma in ("lose", "drop", "shed"):
            return Deed("other", 1 if more else -1), clause.subject
    notice = next((ph for _, ph in clause.complements if ph.head == "notice"), thing)
    if acts and verb.lemma in ("give", "hand") and notice is not None and notice.head == "notice":
        return Deed("left"), clause.subject
    if acts and thing is None:
        for preposition, phrase in clause.complements:
            if (preposition in _PARTICLES or preposition == "against") and (found := deed(verb.lemma, {preposition})):
                if found != deed(verb.lemma, ()):
                    return found, phrase  # `gave up handball`, `decided against biology`
    said = _rest(verb.end, text)
    if (m := _SHIFTED.search(said)) and measures(said):
        return Deed("other", 1 if m["more"] else -1), clause.subject if thing is None or measures(thing.text) else thing
    if verb.tense == "present" and verb.aspect == "simple" and acts and verb.lemma not in _PAST_IS_BASE:
        return None
    particles = {verb.particle, *clause.adverbs, *(p.split()[0] for p, _ in clause.complements if " " in p)} - {""}
    particles |= {clause.second.text} if clause.second is not None else set()
    for end in (verb.end, thing.end if thing else verb.end):
        if (m := _PARTICLE.match(text, end)) is not None:
            particles.add(m["p"].removesuffix("s") if m["p"] == "forwards" else m["p"])
    found = deed(verb.lemma, particles)
    if found is None and acts and thing is not None and verb.lemma not in _NO_MOVES:
        to = next((ph for p, ph in clause.complements if p.split()[-1:] == ["to"]), None)
        if to is not None and measures(to.text):
            return Deed("other"), patient  # whatever was done to it, it is at that now
    return (found, patient) if found is not None else None


_NO_MOVES = frozenset(
    "compare prefer add refer invite remind drive walk ride take send listen write read say tell explain relate limit win "
    "lose sell see meet call get have do make use want need leave sign attach commit respond reply expose subject confine".split()
)


def _rest(end: int, text: str) -> str:
    """What follows *end* in *text* as far as its clause goes."""
    return re.split(r"[,.;!?]\s", text[end:])[0]


_WEIGHTS = re.compile(r"\d\s?(?:kg|kilos?|kilograms?|pounds?|lbs?|stone|grams?)\b", re.IGNORECASE)


def weight_told(clause: Clause) -> str | None:
    """How much weight *clause* names as lost or gained: `2 kilos` in `put on 2 kilos`."""
    told = [clause.object, *(phrase for preposition, phrase in clause.complements if preposition == "on")]
    return next((one.text for one in told if one is not None and _WEIGHTS.search(one.text)), None)


_PARTICLES = frozenset("up off out down back away on over".split())
# `half an hour earlier`, `5 euros cheaper`
_SHIFTED = re.compile(
    r"\b(?:(?P<more>later|longer|more|dearer|heavier|higher)|earlier|sooner|shorter|less|cheaper|lighter|lower)(?=\s*(?:$|[.,;!]|now\b|than\b|expensive\b|from\b))"
)
