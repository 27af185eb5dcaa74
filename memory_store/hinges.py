"""
What a fact just told hangs on, by words that only point back at it: `That hinges on who runs the kiosk; it's Olaf.`

A sentence right after a fact, with a word of dependence and a word that points back, is about that fact whatever its
form; what it hangs on is the other thing that the sentence speaks of, known by now or told there.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memory_store.clauses import parse_clause
from memory_store.doing import is_done_to, verb_form
from memory_store.familiar import Familiar
from memory_store.openly import MEASURED
from memory_store.phrases import clean_value, core, implausible, noun_phrase, specific, stems
from memory_store.said import NAME, Said, value_of
from memory_store.sentences import undress


@dataclass(frozen=True)
class Hinge:
    """*cause*, what the fact before hangs on; *told*: what the sentence tells that this is."""

    cause: str
    told: Said | None = None


# -- words of dependence ---

_DONE = r"(?:[a-z]+ed|set|laid|chosen|given|made|drawn|cut|built|held|kept|put|written|run|sold|bought|lent|found|got)"
_SUITS = r"(?:suit|fit|match|please|accommodate|oblige|satisfy|meet|coincide with|go with|work with|tie in with|comply with|line up with|keep up with)"
# A clause that gives the reason follows.
_BECAUSE = re.compile(
    r"\b(?:because(?! of)|cos|since|as(?= (?:that|this|we|he|she|they)\b)|(?<![^,] )as(?= (?:the|our|my)\b| (?-i:[A-Z]))|seeing (?:that|as)|now that|given that|(?:as|so) long as|while|on condition that|provided(?: that)?)\b",
    re.IGNORECASE,
)
# What a thing hangs on follows.
_ON = re.compile(
    "|".join(
        (
            r"\b(?:depend|hing|hang|hung|rest|turn|rel(?:y|i)|bank|lean|count)\w*(?:\s[a-z]+ly)? (?:on|upon)\b",
            r"\b(?:follow|stem|deriv|result|flow)\w*(?:\s[a-z]+ly)? from\b|\b(?:goes|go|going|went) (?:by|with|hand in hand with)\b|\bcom(?:es?|ing) (?:from|with|down to)\b",
            r"\b(?:tied|linked|bound|pegged|geared|keyed|attached|matched|fitted|tailored|adapted|adjusted|aligned|coupled|connected|indexed|subject|specific) (?:in )?to\b",
            r"\b(?:based|built|conditional|contingent|dependent|reliant|predicated|modelled|modeled) (?:up)?on\b|\b(?:down|up|owing|due|thanks|according) to\b|\bdepending on\b",
            r"\b(?:because|on account|by virtue|for the sake|in view|at the (?:request|insistence|discretion|mercy|behest|wish)|a (?:question|matter|result|consequence|condition|function)|the (?:choice|decision|call|idea|wish|work)|(?:in|within) the (?:gift|hands|remit)) of\b",
            r"\breason (?:for (?:it|that|this) |why )?(?:is|was)\b|\b(?:courtesy|courtesies) of\b|\b(?:goes|go|dates?) back to\b|\bow(?:e|es|ed) (?:it |this |that )?to\b|\bas (?:agreed with|[a-z]+(?:ed|id|set) by)\b",
            r"\bin (?:line|step|keeping|accordance|agreement|consultation|tune) with\b",
            rf"\bto {_SUITS}\b|\b(?:suits?|fits?|match(?:es)?|tracks?|mirrors?|reflects?|accommodates?)\b",
            rf"(?:\b(?:is|are|was|were|been|being|gets?|got)|['’]s|['’]re)(?:\s[a-z]+ly|\sonly|\sjust|\sall|\salways)? {_DONE}(?: [a-z]+)? (?:by|with|around|for|through)\b",
            r"\b(?:laid down|set out|set down|fixed|agreed|specified|stipulated|prescribed|regulated|settled|written) (?:in|into|under)\b",
            r"\b(?:we|i) (?:\w+ )?(?:chose|picked|set|got|planned|arranged|agreed|booked|settled on|fixed|bought|took|use|keep|have)\b[^,;]* (?:around|through|with|for)\b",
            r"\b(?:whatever|whoever|wherever|whenever|whichever)\b",
        )
    ),
    re.IGNORECASE,
)
# What it hangs on stands before.
_WILLS = re.compile(
    r"\b(?:wants?|wanted|prefers?|preferred|likes?|liked|insists?|insisted|asks?|asked|ch(?:ooses?|ose)|picks?|picked|sets?|decides?|decided|determines?|determined|dictates?|fix(?:es|ed)|arranges?|arranged|requires?|required|demands?|demanded|"
    r"needs?|needed|specif(?:ies|ied)|prescribes?|prescribed|recommends?|recommended|suggests?|suggested|approves?|approved|pays?|paid|funds?|funded|provides?|provided|suppl(?:ies|ied)|lends?|lent|lets?|gave|gives?|negotiates?|negotiated|ordered|orders|swears?|sticks?|"
    r"allows?|allowed|governs?|governed|controls?|controlled|drives?|books|booked|makes?|introduced|brought|has the (?:last|final) (?:say|word)|calls the (?:shots|tune)|is behind)\b|['’]s (?:call|choice|decision|idea|wish|doing|pick|work|say|suggestion|recommendation|order|rule)\b",
    re.IGNORECASE,
)
# If that becomes another: what may stand behind the name of a cause, and for one that is not named.
_CHANGES = re.compile(
    r"^(?:['’]s successor)?(?:\s+(?:ever|should|were|to|is|was|does|has|had|would|will|be))*\s+(?:chang|leav|left|goes|gone|go\b|quit|retir|resign|replac|step|clos|mov)",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\b(?:some(?:body|one) else|successor|another|different)\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:if|should|were|with|once|when|would|might|may)\b|['’]d\b", re.IGNORECASE)
_NOT = re.compile(
    r"\?|n['’]t (?:depend|matter|hinge)|^(?!.*\blong as\b).*n['’]t change\b|\b(?:not (?:depend|because|due|tied|up to)|regardless|irrespective|no matter|nothing to do|independent of|whatever happens|either way)\b",
    re.IGNORECASE,
)

# -- words that point back ---

_BACK = re.compile(r"\b(?:it|its|that|this|these|those|they|them|he|she|him|her|there|then|so|which)\b", re.IGNORECASE)
# What one calls a thing by the kind of it, when it was just told.
_KINDS = re.compile(
    r"\b(?:the|that|this|what|which|where|when|how)\s+(?:(?:exact|whole|very|actual)\s+)?(?:time|hour|date|day|days|month|season|slot|timing|timetable|schedule|place|spot|site|location|venue|room|price|fee|charge|cost|rate|amount|sum|"
    r"figure|number|level|size|length|limit|quantity|name|title|choice|person|arrangement|rule|policy|model|make|brand|type|kind|colour|color|dose|frequency|route|address|we|i|much|many|long|often|early|late)\b",
    re.IGNORECASE,
)
# `The drop point was arranged with …`: a thing not heard of before, right after a fact, is rather that by another name.
_NEWLY_NAMED = re.compile(
    r"^[Tt]he\s+[a-z]+(?:\s[a-z]+)?\s(?:is|are|was|were|depends?|hinges?|follows?|comes?|goes|rests?)\s"
)


def find_hinge(
    text: str, of: Said, known: Familiar, beside: Sequence[Said] = (), *, but: Collection[str] = (), apart: bool = True
) -> Hinge | None:
    """
    What *text*, said right after the fact *of*, says that it hangs on; None where it says no such thing.

    *beside*: other facts that *text* tells; *but*: what it only seems to tell. *apart*: it is no part of the same
    sentence, so that it must point back.
    """
    name, value = of.attribute, of.value or ""
    text = (undress(text)[0] if apart else text).strip().rstrip(".! ")
    if _NOT.search(text) or len(text) > 260 or (apart and not _points_back(text, name, value)):
        return None
    spots = [
        s
        for s in known.spots(text)
        if s.attribute not in but and not is_part(s.attribute, name) and s.value != value and _is_name(s.value)
    ]
    told = [said for said in beside if not is_part(said.attribute, name)]
    cues = [(m, read) for cue, read in ((_ON, _thing), (_BECAUSE, _reason)) if (m := cue.search(text))]
    for m, read in sorted(cues, key=lambda cue: cue[0].start()):
        after = [s for s in spots if s.own >= m.end()]
        if after and not _tells_which(text, after[0].start):
            return Hinge(after[0].attribute)
        if cause := read(text[m.end() :].strip(), told):
            return cause
    if m := _WILLS.search(text):
        before = [s for s in spots if s.own < m.start()]
        if before:
            return Hinge(before[-1].attribute)
        if cause := _doer(text[: m.start()], told):
            return cause
    elif not cues:
        if not _SUPPOSED.search(text):
            return None
        spots = [s for s in spots if s.afresh or _CHANGES.match(text[s.end :]) or _ELSE.search(text)]
    return Hinge(spots[0].attribute) if spots else None


def _is_name(value: str | None) -> bool:
    """Whether a fact was named by more than a number or a plain word that it happens to be."""
    return value is None or any(c.isupper() for c in value)


def is_the_tie(said: Said, text: str) -> bool:
    """Whether *said* is only *text* itself, which ties two things, read as a fact: `the hour goes by the licence`."""
    cue, own = _ON.search(text), re.escape(said.attribute.split()[0])
    begins = re.match(rf"(?:(?:the|our|my)\s+)?{own}\b", text, re.IGNORECASE) is not None
    return begins and cue is not None and (said.value or "") in text[cue.end() - 1 :]


def is_part(name: str, of: str) -> bool:
    """Whether *name* only says less of what *of* names: `price` of `ticket price`."""
    return name == of or set(stems(name)) < set(stems(of))


def _points_back(text: str, of: str, value: str) -> bool:
    own = set(stems(of)) | set(stems(value))
    return bool(_BACK.search(text) or _KINDS.search(text) or own & set(stems(text)) or _NEWLY_NAMED.match(text))


def _tells_which(text: str, at: int) -> bool:
    """Whether the fact named at *at* only tells of which one something else is: `the chairman of our club`."""
    return re.search(r"\b(?:for|at|in)\s+$|(?<!because)(?<!account)(?<!\bchoice)\sof\s+$", text[:at]) is not None


# -- what it hangs on ---

_NOW = r"(?:(?:right now|currently|at present|at the moment|these days|today|for now|now)[,]?\s+)"
# `…, and right now that's Olaf`
_THAT_IS = re.compile(
    rf"[,;—–]\s*(?:and\s+)?{_NOW}?(?:that|it|which)(?:['’]s|\s+is)\s+{_NOW}?(?P<v>(?:the\s+)?(?:{NAME}|\d\S*(?:\s[a-z]+)?))"
)
# `the office, which is run by Olaf`, `the guild, whose warden is Olaf`, `the warden (Olaf)`, `the warden, Olaf`
_WHICH_IS = re.compile(
    r"^(?:(?:my|our|the|a|an|its|their)\s+)?(?P<np>(?:[A-Z]{2,4}\s)?[a-z][a-z'’ -]*?)\s*(?:"
    r",?\s(?:who|which|that)(?:['’]s|\s+is|\s+are|\s+stands? at)\s+(?:(?:(?:run|led|headed|held|chaired|owned|managed)\s+)?(?:by|with|at)\s+)?|,?\s*whose\s+(?P<of>[a-z]+(?:\s[a-z]+)?)\s+is\s+|,?\s+of (?:whom|which) (?:we have|there are)\s+|"
    rf",\s*(?:{_NOW}|namely\s+|an?\s+)?|\s\(\s*{_NOW}?|\s(?=[A-Z])|\s(?:called|named|of|being)\s)(?P<v>[^()]+)"
)
_WHO_DOES = re.compile(
    r"^(?:who|what|which)(?:ever)?\s+(?P<verb>[a-z]+s|is in charge of)\s+(?P<o>[^,;]+)", re.IGNORECASE
)
_SAYS = re.compile(
    r"\s+(?:says?|decides?|wants?|sets?|fixes|chooses|picks|prefers|likes|allows?|gives?)\b.*$", re.IGNORECASE
)
_ASKING = re.compile(
    r"^(?:whatever|whoever|what|who|how|where|which|whether|when)\s+(?:type of\s+|kind of\s+)?", re.IGNORECASE
)
_MEASURE = re.compile(
    r"^(?:the\s+)?(?:size|type|kind|sort|choice|amount|length|state|availability|needs|wishes|habits) of\s+",
    re.IGNORECASE,
)


def _reason(clause: str, told: Sequence[Said]) -> Hinge | None:
    """The fact that *clause* states, by which something is as it is: `because our partner is Olaf`."""
    said = parse_clause(clause, loose=True) or _we_are(clause)
    if said is not None and said.value and said.attribute and not said.ends:
        return Hinge(said.attribute, said)
    return Hinge(told[-1].attribute, told[-1]) if told else None


def _we_are(clause: str) -> Said | None:
    """`we are paired with the infirmary`: paired with."""
    m = re.match(
        rf"^(?:we|i)(?:['’](?:re|m)|\s+are|\s+am)\s+(?:\w+ly\s+|now\s+)?(?P<done>{_DONE})\s+(?P<p>with|to|at|by|in|under|from)\s+(?P<v>.+)$",
        clause,
        re.IGNORECASE,
    )
    value = value_of(m["v"])[0] if m else None
    return Said(f"{m['done']} {m['p']}", value, "we", verb=True) if m and value else None


def _thing(phrase: str, told: Sequence[Said]) -> Hinge | None:
    """What *phrase*, behind a word of dependence, names; and what that is, where it says so."""
    phrase = re.sub(r"^(?:of|on|upon|that|to)\s+", "", phrase)
    now = _THAT_IS.search(phrase)
    if (m := _WHO_DOES.match(phrase)) and (thing := noun_phrase(m["o"])):
        name = f"{m['verb'].lower()} the {thing}"
        return Hinge(name, Said(name, now["v"], "we", verb=True) if now else None)
    bare = _MEASURE.sub("", _ASKING.sub("", _SAYS.sub("", phrase)))
    head = re.split(r"[,;:—–(]|\s(?:which|who|whose|that|and|so|but|because|since)\s", bare)[0].strip()
    np = noun_phrase(head, any_noun=True)
    akin = [said for said in told if np is None or _akin(np, said.attribute)]
    if akin:
        return Hinge(akin[-1].attribute, akin[-1])
    if (m := _WHICH_IS.match(bare)) and (np_of := noun_phrase(m["np"], any_noun=True)):
        value = value_of(m["v"])[0]
        stated = re.search(r"\b(?:is|are|stands?|have)\b", bare[m.end("np") : m.start("v")]) is not None
        if value and (specific(value) or MEASURED.match(value) or (stated and len(value.split()) <= 3)):
            name = f"{np_of}'s {m['of']}" if m["of"] else np_of
            return Hinge(name, Said(name, value, "we"))
    if len(told) == 1:
        return Hinge(told[0].attribute, told[0])
    if np is None or not re.match(r"(?:my|our|the|its|their|which|what|who|how)\b", phrase, re.IGNORECASE):
        return None
    return Hinge(np, Said(np, now["v"], "we") if now else None)


def _akin(one: str, other: str) -> bool:
    """Whether two names may mean one thing: they share a word that tells what it is."""
    return bool(core(one) & core(other))


def _doer(text: str, told: Sequence[Said]) -> Hinge | None:
    """Who or what *text* names before what it does: `it's the funding body that`, `our designer, Ada Roy,`."""
    text = re.sub(r"^(?:it|that)(?:['’]s|\s+is|\s+was)\s+", "", text.strip(), flags=re.IGNORECASE)
    text = re.sub(r"\s+(?:(?:is|are)\s+(?:the (?:one|people|person)\s+)?)?(?:who|that|which)$", "", text)
    m = re.search(
        rf"(?:^|\s)(?:my|our|the)\s+(?P<np>[a-z][a-z '’-]*?)(?:,\s*(?P<v>(?-i:{NAME})),?)?$", text, re.IGNORECASE
    )
    np = noun_phrase(m["np"]) if m else None
    if np is None or m is None:
        return None
    if akin := [said for said in told if _akin(np, said.attribute)]:
        return Hinge(akin[-1].attribute, akin[-1])
    return Hinge(np, Said(np, m["v"], "we") if m["v"] else None)


# -- the fact before ---

_PREP = r"(?:in|at|on|by|with|for|to|from|under|as|through|via|between|before|after|of)"
_BEHIND_VERB = re.compile(
    rf"^(?P<done>(?:[a-z]+(?:ed|en|pt|de|ld|ut|ung|wn|id|ught|nt)|run|set|put|place|up|out|off|down)\s+)?(?:(?P<p>{_PREP})\s+)?(?P<v>\S.*)$"
)
_NO_SUBJECT = re.compile(
    rf"^(?:I|we|you|your|his|her|their|some|many|most|all|people|someone|everyone|everything|nothing|it|this|that|they|he|she|there|here|what|who|which|if|when|how|why|and|but|so|please|let|{_PREP})\b",
    re.IGNORECASE,
)


# `the office is headed by Olaf`: headed by
_DONE_SOMEHOW = re.compile(rf"^(?P<how>{_DONE} {_PREP}) (?P<v>.+)$")


def told_in_any_words(text: str) -> Said | None:
    """*text*, of which the next sentence tells what it hangs on, as a fact: its subject and verb are the name."""
    text = undress(text)[0].strip().rstrip(".!")
    if (said := parse_clause(text, loose=True)) and said.value and said.attribute:
        done = _DONE_SOMEHOW.match(said.value)
        if done is None:
            return said
        return replace(said, attribute=f"{said.attribute} {done['how']}", value=done["v"], verb=True)
    if _NO_SUBJECT.match(text):
        return None
    told = [
        said
        for m in re.finditer(r"(?<=\s)([a-z]+)\s+", text)
        if (said := _told(text[: m.start()].strip(), m[1], text[m.end() :]))
    ]
    return max(told, key=lambda said: said.verb, default=None)


def _told(subject: str, verb: str, rest: str) -> Said | None:
    """*rest* as what is told of *subject*, where *verb* is its verb; best where a preposition or a number follows."""
    form = verb_form(verb)
    if form is not None and form[0] == "have" and is_done_to(rest.split()[0]):
        return None  # "has retired"
    m = _BEHIND_VERB.match(rest)
    value = clean_value(m["v"])[0] if m else None
    if m is None or value is None or form is None or form[1] not in ("s", "base"):
        return None
    if implausible(value) or len(value.split()) > 8 or len(subject.split()) > 6 or "," in subject:
        return None
    np = re.sub(r"^(?:my|our|the|all)\s+", "", subject, flags=re.IGNORECASE)
    words = (
        np,
        "" if form[0] == "be" else verb,
        (m["done"] or "").strip(),
        m["p"] if form[0] != "be" or m["done"] else "",
    )
    plainly = bool(m["p"] or m["done"] or re.match(r"\d|[A-Z]", value) or MEASURED.match(value))
    return Said(" ".join(w for w in words if w), value, "we", verb=plainly)
