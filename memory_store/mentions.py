"""How sentences point at facts: by a name, a verb, a value or a pronoun."""

import re
from dataclasses import dataclass

from memory_store.clauses import parse_clause
from memory_store.phrases import clean_value, noun_phrase, specific
from memory_store.said import Said


@dataclass(frozen=True)
class Mention:
    """
    How a sentence points at a fact: by a *name*, by another name (*alias*, often of a verb), by a *value*.

    All None: by a pronoun. *within*: words among which its name stands, where no pattern told which. *certain* tells a value that was said to be one from words that may be a name or a value.
    """

    name: str | None = None
    alias: str | None = None
    value: str | None = None
    certain: bool = False
    within: str | None = None

    @property
    def pronoun(self) -> bool:
        """Whether it names nothing by itself."""
        return self.name is None and self.alias is None and self.value is None and self.within is None


PRONOUN = Mention()


PRONOUNS = re.compile(
    r"^(?:this|that|it|these|those|they|which|either|the (?:latter|same)|any of (?:this|that)|all (?:this|that|of (?:this|that)))$",
    re.IGNORECASE,
)


def mention(text: str) -> Mention | None:
    """What *text*, the object of a tie, points at; None where it points at nothing that a fact could be."""
    text = re.sub(r"\s+", " ", text).strip().strip(",;:.!").strip()
    text = re.sub(
        r"^(?:entirely|mostly|largely|only|just|solely|directly|purely|partly|very much|really|simply|strictly|completely|heavily|both)\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    text = re.sub(
        r"(?:,\s*|\s+)(?:nothing more|nothing else|and nothing else|alone|only|entirely|completely|for sure|too|as well|of course|after all|at least|though|that's all|i guess|basically)$",
        "",
        text,
        flags=re.IGNORECASE,
    )
    text = re.split(
        r",\s+(?:so|and|but|which|because|since|as|not|or)\b|;|\s+[—–]\s+|\s+(?:and so|so that|because)\s", text
    )[0].strip()
    if not text or len(text) > 160:
        return None
    if PRONOUNS.match(text):
        return PRONOUN
    if m := re.match(r"^(?:the|my|our) (?:fact|choice|decision|reason) (?:that|to)\s+(?P<c>.+)$", text, re.IGNORECASE):
        return _from_clause(m["c"])
    paren = re.match(r"^(?P<head>[^()]+?)\s*\((?P<c>[^()]+(?:\([^()]*\)[^()]*)*)\)$", text)
    said = None
    if paren:
        said = parse_clause(paren["c"], loose=True)
        if (
            said is None
            and noun_phrase(paren["head"])
            and (value := clean_value(re.sub(r"^(?:currently|now|right now|at the moment)[,:]?\s+", "", paren["c"]))[0])
        ):
            said = Said(noun_phrase(paren["head"]) or "", value, "i")
            return Mention(name=said.attribute, value=value, certain=True)
        if said is not None:
            text = paren["head"]
    if m := re.match(
        r"^(?:(?:who|what|which|where|how)\s+or\s+(?=(?:who|what|which|where|how)\b))?(?:whatever|which(?:ever)?|what|who(?:ever)?|where(?:ver)?|how|when|the (?:place|way|person) (?:where|that|who)?|whether)\s+(?P<c>.+)$",
        text,
        re.IGNORECASE,
    ):
        inner = m["c"]
        word = text.split()[0].lower()
        noun = None
        if n := re.match(
            r"^(?P<np>[a-z][a-z -]*?)\s+(?:i|we|i['’]m|we['’]re|i['’]ve|we['’]ve|is|are|happens|gets)\b",
            inner,
            re.IGNORECASE,
        ):
            noun = noun_phrase(n["np"]) if word in ("which", "whichever", "what", "whatever") else None
        if noun:
            return Mention(
                noun, said.attribute if said else None, said.value if said else None, certain=said is not None
            )
        clause = _from_clause(inner)
        if clause is not None and clause.value:
            return clause
        if n := re.match(
            r"^(?P<np>(?:my|our|the)\s+[^()]+?)\s+(?:is|are|happens to be|turns out to be|decides?|says?|uses?|works? (?:in|on|at))(?:\s+(?P<p>in|at|on|with))?$",
            inner,
            re.IGNORECASE,
        ):
            return Mention(noun_phrase(n["np"]))
        if n := re.match(r"^(?:is|['’]s|are)\s+(?:the |my |our )?(?P<np>.+)$", inner, re.IGNORECASE):
            return Mention(noun_phrase(n["np"]))
        if n := re.match(
            r"^(?:i|we|i['’]m|we['’]re)\s+(?:currently\s+|happen to\s+)?(?P<v>[a-z]+(?:\s+[a-z]+){0,3})$",
            inner,
            re.IGNORECASE,
        ):
            return Mention(re.sub(r"^(\w+)ing\b", lambda g: g[0], n["v"]))
        if n := re.match(r"^(?P<v>[a-z]+s)\s+(?P<o>(?:my|our|the)\s+.+)$", inner, re.IGNORECASE):
            return Mention(f"{n['v']} {n['o']}")
        return clause
    if re.match(r"^(?:i|we|i['’]m|we['’]re)\b", text, re.IGNORECASE):
        return _from_clause(text)
    if said is not None:
        return Mention(noun_phrase(text), said.attribute or None, said.value, certain=True)
    owned = re.match(r"^(?:my|our)\s", text, re.IGNORECASE)
    np = noun_phrase(text)
    appositive = re.match(
        r"^(?:[Mm]y|[Oo]ur|[Tt]he)\s+(?P<np>[a-z][a-z -]*?),?\s+(?P<v>(?:[A-Z][\w'’.&-]*)(?:\s+[A-Z0-9][\w'’.&-]*)*),?$",
        text,
    )
    if appositive and (name := noun_phrase(appositive["np"])):
        return Mention(name, value=appositive["v"], certain=True)
    plain = re.sub(
        r"^(?:my|our|the|a|an|this|having (?:a|an)?|using|being|living in|working (?:at|with|for))\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    if np is None and not specific(plain):
        return Mention(value=plain) if owned else None
    return Mention(np, value=plain)


def _from_clause(text: str) -> Mention | None:
    said = parse_clause(text, loose=True)
    if said is None or said.ends:
        return None
    return Mention(alias=said.attribute or None, value=said.value, certain=True)
