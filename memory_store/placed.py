"""
What a clause says that a fact would be: the words that it puts where the value of the fact stands.

Found by the role that the value plays in the clause of its own (who does it, at what), by the frame of its name, by the
kind of what can be measured, as a complement, or as the one new name.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from memory_store.amounts import kind_of, of_kind
from memory_store.doing import verb_form
from memory_store.facts import same_value
from memory_store.grammar import Relation, Role, kin, relations
from memory_store.names import Known
from memory_store.phrases import WORD, clean_value
from memory_store.pointing import own_words, telling, words_of
from memory_store.said import NAME, strip_preposition
from memory_store.verbs import is_role, is_verbal, sentence

_BE = r"(?:be(?:come|comes|came)?|is|are|was|were|being|['’]s|['’]re)"
_BECOMES = re.compile(
    rf"\b(?:(?:turn|turns|change|changes|switch|switches|go|goes|move|moves|shift|shifts|fall|falls|rise|rises|drop|drops|back|over|up|down|revert|reverts)\s(?:(?:back|over|up|down)\s)?(?:in)?to|be (?:replaced|followed|succeeded) (?:by|with)|{_BE}(?:\s(?:\w+ly|then|now|instead|always|only|again))*|make (?:it|them|that)|call (?:it|them)|at)\s+(?P<v>\S.*)$",
    re.IGNORECASE,
)
_TAKES_OVER = re.compile(
    rf"^(?:then\s+|it(?:['’](?:ll|d)|\s(?:will|would|is)) (?:be )?)?(?P<v>(?:the\s+|my\s+|our\s+)?(?-i:{NAME})|(?:my|our|the|his|her)\s[a-z-]+(?:\s(?-i:{NAME}))?)\s+(?:who\s|that\s)?(?:would|will|['’]d|['’]ll|can|is going to|is to|has agreed to|gets?|takes?|does|steps?|becomes?|has promised to|is|[a-z]+s)\b",
)
_TAIL = re.compile(
    r"\s+(?:instead|then|again|now|too|as well|in (?:his|her|their|its) (?:place|stead)|from (?:then|that day) on|after all|of course|right away|straight away|at once|as agreed|for (?:me|us|them|it)|from (?:there|him|her|them)|in that case)\b.*$",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"^(?:all$|anything|everything|different|another|other|new|changed|affected|something|someone|somewhere|somebody|any\w+|elsewhere|whatever|whoever|up to|again|afresh|no longer|not|void|gone|off|over|different\w*|up in|in doubt|open|void|(?:a|an|some|the)\s(?:different|new|other|change|matter|question|fresh)|to be\b|decided|reviewed|rethought|reconsidered|renegotiated|revised|chosen|settled|redone|discussed|agreed|found|looked)\b",
    re.IGNORECASE,
)


def _clean(text: str) -> str | None:
    text = _TAIL.sub("", text.strip())
    text = re.split(
        r",\s+(?:because|since|as|which|who|so|and|but|not|for|if|at least)\b|\s+(?:because|since|so that|if|when|once|unless|until)\s|\s+[—–]\s+|;|\s+like\s+(?:we|i|they|it|normal|every\w+)\b",
        text,
    )[0]
    value = clean_value(text)[0]
    if value is None:
        return None
    value = re.sub(r"^(?:re)?(?:named|called|titled|christened)\s+(?=\S)", "", strip_preposition(value))
    if (
        not value
        or _NO_VALUE.match(value)
        or len(value.split()) > 9
        or re.fullmatch(r"(?:it|that|this|they|them|one|so|we|us)", value, re.IGNORECASE)
    ):
        return None
    return value


def value_in(text: str, known: Known, *, other: Known | None = None) -> str | None:
    """What *text* says that *known* is or would be: what it puts where the value of *known* stands."""
    now = next(iter(known.values or known.was), None)
    kind = kind_of(now) if now else None
    taken = [*known.values, *(other.values if other else ())]
    within = measured_in(now) if now is not None and kind is None else None
    if now is not None and within is not None and words_of(now.replace(within, " ")) <= words_of(text):
        # `their break at noon`: only the hour is another
        found = others_of_kind(text, kind_of(within) or "", taken)
        return now.replace(within, found[0]) if len(set(found)) == 1 else None
    for told in (in_its_part(text, known), in_frame(text, known), *([_as_complement(text)] if kind is None else [])):
        if told and not _is_taken(told, taken) and (kind is None or kind_of(told) == kind or of_kind(told, kind)):
            return told
    if kind is not None:
        found = others_of_kind(text, kind, taken)
        return found[0] if len(set(found)) == 1 else None
    placed = known.attribute.rpartition(" ")[2].lower() in ("in", "at", "on", "near", "under", "behind")
    if not placed and (m := _TAKES_OVER.match(text)) and (now is None or telling(now) or is_role(known.attribute)):
        told = clean_value(m["v"])[0]
        if told and (telling(told) or not words_of(told) & words_of(known.attribute)) and not _is_taken(told, taken):
            return told
    if now is None or telling(now):
        held = {w.lower() for v in taken for w in telling(v)}
        names = [m[0] for m in re.finditer(rf"(?<!^)(?<![.!?]\s)\b{NAME}", text) if m[0] != "I"]
        names = [n for n in names if telling(n) and not {w.lower() for w in telling(n)} & held]
        if len(names) == 1:
            return clean_value(names[0])[0]
    return None


_PREPOSITIONS = frozenset(
    "in at on with for to from by as through of up around round along beside near via after over under into behind about per".split()
)
_WILL = (
    r"(?:['’](?:ll|d)|\s+(?:would|will|is going to|are going to|should|shall|has to|have to|can|may|might|must|could))"
)


_PLACES = frozenset("in at on near by behind under".split())


@lru_cache(maxsize=4096)
def part_of(attribute: str, value: str) -> tuple[str, str]:
    """The verb of the clause that says that *attribute* is *value*, and under which role or preposition it stands there."""
    for told in relations(sentence(attribute, value)):
        for role in told.roles:
            if value.lower() in role.phrase.text.lower():
                return told.verb, role.name
    last = attribute.rpartition(" ")[2].lower()
    return "", last if last in _PREPOSITIONS else ("attribute" if not is_verbal(attribute) else "patient")


def _to_next(text: str, role: Role, told: Relation) -> str:
    """What stands in *text* from *role* to the next part of the same clause."""
    start = role.phrase.start
    ends = [r.phrase.start for r in told.roles if r.phrase.start > start]
    if told.clause.verb is not None and told.clause.verb.start > start:
        ends.append(told.clause.verb.start)
    if not ends:
        return text[start:]
    return re.sub(
        rf"(?:,|\s+(?:like|who|which|that|and|but|{'|'.join(_PREPOSITIONS)}))*\s*$", "", text[start : min(ends)]
    )


@lru_cache(maxsize=1024)
def _relations(text: str) -> tuple[Relation, ...]:
    return relations(text)


def in_its_part(text: str, known: Known) -> str | None:
    """What *text* says in the part of a clause in which the value of *known* stands in its own: whoever does it, at what."""
    now = next(iter(known.values or known.was), None)
    verb, part = part_of(known.attribute, now or "Elsewhere")
    own = set(own_words(known.attribute))
    led = now is not None and now.split()[0].lower() in _PREPOSITIONS
    found: list[tuple[int, str]] = []
    for told in _relations(text):
        for role in told.roles:
            alike = role.name == part or (role.name in _PLACES and part in _PLACES and kind_of(now or "") is None)
            if led and role.name in _PREPOSITIONS and role.phrase.kind != "pronoun" and own & told.keys:
                found.append((3, f"{role.name} {role.phrase.text}"))
                continue
            if role.phrase.kind == "pronoun" or not alike:
                continue
            if not verb and not told.verb and not own & told.keys and role.name == "attribute":
                continue
            same = 2 * (told.verb == verb and bool(verb)) + bool(own & told.keys) + (role.name == part)
            if part in ("agent", "patient", "attribute") and same < 2:
                continue
            found.append((same, _to_next(text, role, told)))
        is_it = next((r for r in told.roles if r.name == "theme"), None)
        what = next((r for r in told.roles if r.name == "attribute"), None)
        if not told.verb and is_it is not None and what is not None and is_it.phrase.kind == "pronoun":
            found.append((1, what.phrase.text))  # `it'll be Eli who …`
    best = max(found, key=lambda f: f[0], default=None)
    return (best[1] if led else _clean(best[1])) if best else None


def _is_taken(told: str, taken: Sequence[str]) -> bool:
    """Whether *told* is one of *taken*, or names one of them by a part of it."""
    part = {m[0].lower() for m in WORD.finditer(told)}
    named = bool(telling(told))
    return any(same_value(told, v) or (named and part <= {m[0].lower() for m in WORD.finditer(v)}) for v in taken)


def others_of_kind(text: str, kind: str, taken: Sequence[str]) -> list[str]:
    """What in *text* is of *kind* and not among *taken*."""
    return [v for v in of_kind(text, kind) if not any(same_value(v, t) or v.lower() in t.lower() for t in taken)]


def measured_in(value: str) -> str | None:
    """The one thing that can be measured in *value*, which is more than that."""
    for kind in ("money", "clock", "span", "often", "percent", "day"):
        if len(found := of_kind(value, kind)) == 1 and kind_of(found[0]) == kind:
            return found[0]
    return None


def in_frame(text: str, known: Known) -> str | None:
    """What stands in *text* where the value of *known* would, by the words at the end of its name: `… pitched in V`."""
    own = [w.lower() for w in known.attribute.split()]
    led = len(own) > 1 and own[-1] in _PREPOSITIONS
    verb = own[-2] if led else own[-1]
    form = verb_form(verb)
    words = [(m.start(), m.end(), m[0].lower()) for m in WORD.finditer(text)]
    now = next(iter(known.values or known.was), "Elsewhere")
    if now.split()[0].lower() in _PREPOSITIONS:  # `along the canal`
        ends = [end for _, end, word in words if kin(word) in own_words(known.attribute)]
        m = (
            re.match(rf"(?:\s+[a-z]+){{0,2}}?\s+(?P<v>(?:{'|'.join(_PREPOSITIONS)})\s+\S.*)$", text[ends[-1] :])
            if ends
            else None
        )
        return _TAIL.sub("", clean_value(m["v"])[0] or "") or None if m else None
    for _, end, word in words:
        if kin(word) != kin(verb):
            continue
        rest = text[end:]
        if led:
            m = re.match(rf"((?:\s+[a-z'’]+){{0,5}}?)\s+{own[-1]}\s+(?P<v>\S.*)$", rest, re.IGNORECASE)
        elif form is not None and form[1] == "s" and (len(own) > 1 or is_verbal(known.attribute)):
            m = re.match(r"\s+(?P<v>\S.*)$", rest)
        else:
            m = re.match(
                rf"(?:\s+[a-z'’]+){{0,4}}?(?:{_WILL}\s+(?:(?:then|also|instead|always)\s+)*(?:be|become|go to|move to|switch to|change to|turn into|rise to|drop to|be set (?:to|at))"
                r"|(?:\s+(?:then|now))?\s+(?:is|are|becomes?|goes? to|moves? to|changes? to|switche?s? to|turns? into|rises? to|drops? to|to|at))\s+(?P<v>\S.*)$",
                rest,
                re.IGNORECASE,
            )
        if m and (told := _clean(m["v"])):
            return told
    if (
        led
        and set(own_words(known.attribute)) & words_of(text)
        and (m := re.search(rf"\s{own[-1]}\s+(?P<v>\S.*)$", text))
    ):
        return _clean(m["v"])
    return None


def _as_complement(text: str) -> str | None:
    m = _BECOMES.search(text)
    return _clean(m["v"]) if m else None
