"""
What hangs on what: conditionals and the many ways of saying that one thing depends on another.

`Tie` without an outcome is a dependency (`?` when the cause changes), with one it is a rule.
"""

import re
from dataclasses import dataclass
from typing import Literal

from memory_store.clauses import Said, parse_clause
from memory_store.phrases import clean_value, noun_phrase, specific


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
        return self.name is None and self.alias is None and self.value is None and self.within is None


@dataclass(frozen=True)
class Tie:
    """When *causes* (several mentions of one fact) *trigger*, then *effect* becomes *becomes*; None is `?`."""

    effect: Mention
    causes: tuple[Mention, ...]
    trigger: Literal["changes", "is"] = "changes"
    value: str | None = None
    becomes: str | None = None


PRONOUN = Mention()
_PRONOUN = re.compile(
    r"^(?:this|that|it|these|those|they|which|either|the (?:latter|same)|any of (?:this|that)|all (?:this|that|of (?:this|that)))$",
    re.IGNORECASE,
)
_HEDGES = r"(?:(?:ever|also|then|just|probably|likely|most likely|certainly|surely|definitely|all|both|too|well|quite|suddenly|someday|one day|really|simply|automatically|immediately|in turn|therefore|always|actually|already)\s+)*"


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
    if _PRONOUN.match(text):
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
        r"^(?:my|our|the)\s+(?P<np>[a-z][a-z -]*?),?\s+(?P<v>(?:[A-Z][\w'’.&-]*)(?:\s+[A-Z0-9][\w'’.&-]*)*),?$", text
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


# -- conditions ---

_IF = r"(?:if|when|once|whenever|as soon as|the (?:moment|minute|day|second|instant)(?: that)?|in case|in the event(?: that)?|every time|any ?time|each time|after|should|until|as long as|assuming|provided(?: that)?|supposing|given that|were)"
_COND_FIRST = re.compile(
    rf"^(?:(?:and|but|so|then|also|now|note that|remember that|keep in mind that|the (?:plan|rule|deal|idea|agreement) is(?: that)?[:,]?|we (?:agreed|decided) (?:that|on this:)|just so you know[:,]?)\s*[:,]?\s*)*(?P<if>{_IF})\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_COND_LAST = re.compile(rf"^(?P<cons>.+?),?\s+(?P<if>{_IF})\s+(?P<cond>.+)$", re.IGNORECASE | re.DOTALL)
_CHANGE_VERB = (
    r"(?:chang(?:es?|ed|ing)|mov(?:es?|ed)|shift(?:s|ed)?|switch(?:es|ed)?|(?:is|are|gets?|were|was|be|been|ends up) (?:ever )?(?:replaced|changed|swapped|updated|moved|switched|different|renamed|"
    r"someone else|something else|somewhere else|no longer (?:the same|valid|there)|another one|over|gone)|differs?|leaves?|quits?|steps? down|goes away|went away|ends?|expires?|varies|vary|"
    r"falls? through|turns? over|rotates?|does|do|did|happens?|isn['’]t (?:there|the same)(?: anymore| any more)?|stops?|hands? over|departs?|retires?|becomes? (?:different|another|someone else|something else)|were different|were to change|has to change|had to change|was different)"
)
_NP_CHANGES = re.compile(
    rf"^(?P<np>.+?)\s+{_HEDGES}(?:(?:does|do|did|should|were to|was to|is to|has|have|had|would|will)\s+)?{_HEDGES}{_CHANGE_VERB}(?:\s+(?:again|one day|someday|at some point|in the future|hands|ever|too))*$",
    re.IGNORECASE | re.DOTALL,
)
_NP_IS = re.compile(
    rf"^(?P<np>.+?)\s+{_HEDGES}(?:(?:does|do|did|should|were to|has|have|had)\s+)?{_HEDGES}(?:becomes?|became|is|are|be|been|turns? out to be|turned out to be|changes? to|changed to|switch(?:es|ed)? to|mov(?:es?|ed) to|go(?:es)? to|"
    r"turns? into|gets? changed to|is changed to|is set to|shifts? to|was|were|end(?:s|ed)? up(?: being| as)?|is switched to|is replaced (?:by|with)|gets? replaced (?:by|with))\s+(?:now |ever )?(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_WE_CHANGE = re.compile(
    rf"^(?:i|we|you|they)\s+{_HEDGES}(?:(?:do|did|should|have to|had to|need to|were to|decide to|choose to|want to|get to|end up)\s+)?{_HEDGES}(?:chang(?:e|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing)|replac(?:e|ed|ing)|swap(?:ped)?(?: out)?|updat(?:e|ed)|migrat(?:e|ed)|upgrad(?:e|ed)|"
    r"get|got|have|find|found|pick|picked|choose|chose|use|go with|went with|lose|lost|leave|left|quit|drop|dropped|adopt|hire|hired|buy|bought|start(?: using)?|try|take|rename|relocate|sign with|elect|appoint)\s+(?:away from\s+|from\s+|over\s+)?"
    r"(?P<det>(?:my|our|the|a different|another|a new|an other|new|different|a|any other|some other)\s+)?(?P<np>[^,]+?)(?:\s+(?:over\s+)?(?:to|with|for|into)\s+(?P<v>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_SOMETHING_WITH = re.compile(
    r"^(?:(?:anything|something)\s+(?:ever\s+)?(?:happens?|changes?|shifts?|goes wrong)\s+(?:to|with|about|in|regarding)|there(?:['’]s| is| are| should be| were)\s+(?:ever\s+)?(?:an?|any)\s+(?:change|switch)\s+(?:to|of|in|with|about)|there(?:['’]s| is) (?:ever )?(?:a new|another|a different)|of\s+(?:an?|any)\s+(?:new|different|change (?:of|in|to)))\s+(?P<np>.+)$",
    re.IGNORECASE,
)
_WE_MOVE = re.compile(
    rf"^(?:i|we)\s+{_HEDGES}(?:(?:do|did|should|have to|were to|decide to)\s+)?{_HEDGES}(?:move|moved|relocate|relocated)(?:\s+(?:house|home|away|somewhere(?: else)?|elsewhere|out|again|flat|apartments?))*$",
    re.IGNORECASE,
)
_WE_TO = re.compile(
    rf"^(?:i|we)\s+{_HEDGES}(?:(?:do|did|should|were to|decide to)\s+)?{_HEDGES}(?P<verb>move|moved|relocate|switch|change|go|migrate|go over|upgrade)\s+(?:over\s+)?(?:to|into)\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Condition:
    cause: Mention
    trigger: Literal["changes", "is"]
    value: str | None = None


def parse_condition(text: str) -> Condition | None:
    """*text* behind `if` or `when` as an event that a rule can wait for; None where it is none."""
    text = re.sub(r"\s+", " ", text).strip().strip(",;:.!").strip()
    if not text or len(text) > 160:
        return None
    text = re.sub(r"^(?:that|ever|someday|one day)\s+(?=(?:my|our|the|we|i)\b)", "", text, flags=re.IGNORECASE)
    if m := _SOMETHING_WITH.match(text):
        found = mention(m["np"])
        return Condition(found, "changes") if found else None
    if _WE_MOVE.match(text):
        return Condition(Mention(alias="live in"), "changes")
    if m := _NP_CHANGES.match(text):
        if not re.match(
            r"^(?:i|we|you|he|she|there|someone|people|anything|something|everything|nothing|things|what|who)$",
            m["np"],
            re.IGNORECASE,
        ) and (found := mention(m["np"])):
            return Condition(found, "changes")
        return None
    if m := _WE_TO.match(text):
        value, _ = clean_value(m["v"])
        if value and (
            n := re.match(r"^(?:a |an )?(?:different|new|another|other)\s+(?P<np>.+)$", value, re.IGNORECASE)
        ):
            return Condition(Mention(noun_phrase(n["np"])), "changes")
        if value:
            return Condition(
                Mention(alias="live in" if m["verb"].lower() in ("move", "moved", "relocate") else None, value=value),
                "is",
                value,
            )
    if m := _WE_CHANGE.match(text):
        verb_takes_bare = bool(
            re.match(
                rf"^(?:i|we|you|they)\s+{_HEDGES}(?:\w+ to\s+)?{_HEDGES}(?:chang|switch|replac|swap|mov|updat|leave|left|quit|lose|lost|drop|migrat)",
                text,
                re.IGNORECASE,
            )
        )
        det = (m["det"] or "").strip().lower()
        np = noun_phrase(m["np"])
        if np and (
            verb_takes_bare or det in ("a different", "another", "a new", "new", "different", "any other", "some other")
        ):
            if (
                m["v"]
                and (value := clean_value(m["v"])[0])
                and not re.match(r"(?:something|someone|another|a different|a new|anything)", value, re.IGNORECASE)
            ):
                return Condition(Mention(np), "is", value)
            return Condition(Mention(np, value=re.sub(r"^(?:my|our|the)\s+", "", m["np"])), "changes")
    if m := _NP_IS.match(text):
        np_text = m["np"]
        if re.match(
            r"^(?:i|we|you|he|she|there|someone|people|this|that|it|something|anything)$", np_text, re.IGNORECASE
        ) is None and re.match(r"^(?:my|our|the|[a-z]+)\b", np_text, re.IGNORECASE):
            np = noun_phrase(np_text)
            value, _ = clean_value(m["v"])
            if np and value:
                if re.match(
                    r"(?:different|another|not|no longer|someone else|something else|somewhere else|new|updated|gone|over|unavailable|closed)\b",
                    value,
                    re.IGNORECASE,
                ):
                    return Condition(Mention(np), "changes")
                return Condition(Mention(np), "is", value)
    if (
        re.match(r"^(?:i|we)\b", text, re.IGNORECASE)
        and (said := parse_clause(re.sub(r"\b(?:ever|should|were to)\s+", "", text), loose=True))
        and said.value
        and said.verb
    ):
        return Condition(Mention(alias=said.attribute), "is", said.value)
    return None


# -- consequences ---

_MAY_CHANGE = re.compile(
    rf"^(?P<np>.+?)\s*(?:\b(?:would|will|might|may|could|should|can|is going to|are going to|is likely to|are likely to|is bound to|has to|have to|needs? to|must|isn['’]t going to|tends to)|['’]d|['’]ll|\b(?:won['’]t|wouldn['’]t|might not|may not|mightn['’]t|no longer|may no longer|"
    rf"might no longer|will not|would not|would no longer|will no longer))\s+{_HEDGES}(?:(?:have to|need to|not|no longer|possibly|likely|probably|well|have|need)\s+)*{_HEDGES}"
    r"(?:change|chang(?:es|ing)|shift|differ|be (?:different|affected|changed|reconsidered|revisited|rethought|updated|reviewed|replaced|out of date|outdated|invalid|wrong|up in the air|off|renegotiated|redone|adjusted|up for review|open|over)|move|go|"
    r"adapt|follow|hold|apply|work|stay(?: the same| as (?:it is|is))?|remain(?: the same)?|become (?:invalid|outdated|different|obsolete|something else|void)|look different|vary|need (?:an update|updating|to change|changing|rethinking|review|another look|adjusting)|an update|updating|changing|"
    r"a (?:rethink|review|change|new look|second look)|another look|not be (?:the same|valid|true|right)|be (?:the same|valid|true|right|accurate)|fit|make sense|last|survive|mean something else|cease to apply|be something else|be someone else|count)"
    r"(?:\s+(?:too|as well|also|with it|along|accordingly|anymore|any more|any longer|either|again|then|likely|probably|for me|in turn))*$",
    re.IGNORECASE | re.DOTALL,
)
_WE_RETHINK = re.compile(
    rf"^(?:i|we|you|they|someone)(?:['’]d|['’]ll|\s+would|\s+will|\s+might|\s+may|\s+could|\s+should|\s+must)?\s+{_HEDGES}(?:(?:have to|need to|want to|be forced to|possibly|like to|be|probably|maybe|then)\s+)*{_HEDGES}"
    r"(?:change|rethink|re-think|reconsider|revisit|re-?evaluate|review|update|redo|find|pick|choose|look (?:again )?(?:for|at)|search for|switch|replace|need|adjust|adapt|renegotiate|look into|go over|get|drop|lose|sort out|work out|decide on|settle on|want|swap|have|move)\s+"
    r"(?P<np>(?:(?:my|our|the|a|an|this|that|it)\b\s*)?.*?)(?:\s+(?:again|anew|too|as well|from scratch|accordingly|then|over|once more|anyway))*$",
    re.IGNORECASE | re.DOTALL,
)
_IN_DOUBT = re.compile(
    r"^(?:(?:i|we)(?:['’]m|['’]re|\s+am|\s+are)\s+(?:not sure|unsure|no longer sure|less sure)\s+(?:about|of)\s+(?P<a>.+?)|(?:i|we)\s+(?:can['’]?t|cannot|couldn['’]t|could not|won['’]t|wouldn['’]t)\s+(?:really\s+|just\s+|even\s+)?"
    r"(?:keep|hold on to|stick with|go on with|carry on with|use|have|maintain|count on|rely on)\s+(?P<a2>.+?)|(?:all )?bets are off (?:for|on|with)\s+(?P<a3>.+?))(?:\s+(?:any ?more|any longer|then|either|as it is))*$",
    re.IGNORECASE,
)
_IT_IS_FOR = re.compile(
    r"^(?:it['’]s|it is|it['’]ll be|it will be|we['’]ll have|we have|that means|make it)\s+(?P<v>.+?)\s+(?:for|as)\s+(?P<np>(?:my|our|the)\s+.+)$",
    re.IGNORECASE,
)
_BECOMES = re.compile(
    r"^(?P<v>[^,]+?)\s+(?:becomes?|will be|will become|would be|would become|is going to be|gets to be|takes over as|will take over as|will serve as|would take over as)\s+(?P<np>(?:my|our|the)\s+[^,]+)$",
    re.IGNORECASE | re.DOTALL,
)
_ANAPHOR_TO = re.compile(
    r"^(?:it|this|that|they|those|these)(?:['’]ll|['’]d|\s+will|\s+would|\s+should|\s+is going to)?\s+(?:(?:then|just|also|instead)\s+)?(?:goes?|becomes?|be|is|switch(?:es)?(?: over)? to|moves? to|changes? to|turns? into|shifts? to|are|will be|would be|becomes|run|happen|become)\s+(?:to\s+)?(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_UNCERTAIN = re.compile(
    r"\b(?:might|(?-i:may)|could|maybe|perhaps|possibly|not sure|don['’]t know|who knows|probably)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Consequence:
    effect: Mention
    becomes: str | None


def parse_consequence(text: str) -> Consequence | None:
    """*text* as what happens to a fact: a new value, or (None) that nobody knows."""
    text = re.sub(r"\s+", " ", text).strip().strip(",;:.!").strip()
    text = re.sub(
        r"^(?:then|so|and|but|well|of course|naturally|obviously|in that case|i (?:think|guess|suppose|imagine|expect)(?: that)?|we (?:agreed|decided|said)(?: that)?|it['’]s agreed(?: that)?|the (?:plan|rule|deal|idea) is(?: that)?:?)[,:]?\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    if not text or len(text) > 240 or text.endswith("?"):
        return None
    if m := _MAY_CHANGE.match(text):
        if re.match(
            r"^(?:i|we|you|he|she|there|things?|everything|nothing|people|life)$", m["np"].strip(), re.IGNORECASE
        ) is None and (found := _effect(m["np"])):
            return Consequence(found, None)
    if (m := _IT_IS_FOR.match(text)) and (thing := noun_phrase(m["np"])):
        value, _ = clean_value(m["v"])
        return Consequence(Mention(thing), value) if value else None
    if m := _WE_RETHINK.match(text):
        np = re.sub(
            r"^(?:(?:a|an)\s+)?(?:different|new|another|other)\s+",
            "",
            re.sub(r"^(?:a|an)\s+(?=different|new|other)", "", m["np"].strip(), flags=re.IGNORECASE),
            flags=re.IGNORECASE,
        )
        fresh = np != m["np"].strip()
        if re.match(r"^(?:this|that|it|them|these|those|(?:this|that) one)?$", np, re.IGNORECASE) and not fresh:
            return Consequence(PRONOUN, None)
        if (
            (fresh or re.match(r"(?:my|our|the)\s", np, re.IGNORECASE))
            and (found := _effect(np))
            and not re.search(r"\s(?:to|into)\s", np)
        ):
            return Consequence(found, None)
    if (m := _IN_DOUBT.match(text)) and (found := _effect(m["a"] or m["a2"] or m["a3"])):
        return Consequence(found, None)
    certain = _demodal(text)
    if certain is None or _UNCERTAIN.search(text):
        return None
    if m := _ANAPHOR_TO.match(text):
        value, _ = clean_value(m["v"])
        if value and not re.match(
            r"(?:different|another|better|worse|hard|easy|great|nice|fine|good|bad|too|more|less)\b",
            value,
            re.IGNORECASE,
        ):
            return Consequence(PRONOUN, value)
    if (
        (m := _BECOMES.match(text))
        and (thing := noun_phrase(m["np"]))
        and not re.match(r"(?:my|our)\s", m["v"], re.IGNORECASE)
    ):
        outcome, _ = clean_value(m["v"])
        if outcome and not (
            re.match(r"the\s", m["v"], re.IGNORECASE) and noun_phrase(m["v"]) and not specific(outcome)
        ):
            return Consequence(Mention(thing), outcome)
    said = parse_clause(certain, loose=True)
    if said is None or said.value is None or said.ends or not said.attribute:
        return None
    if said.value.lower() in ("different", "another", "something else", "someone else", "changed", "affected"):
        return Consequence(Mention(said.attribute), None)
    return Consequence(
        Mention(None if said.verb else said.attribute, said.attribute if said.verb else None), said.value
    )


def _effect(text: str) -> Mention | None:
    text = text.strip()
    if m := re.match(r"^(?:this|that|these|those|the same)\s+(?P<np>[a-z -]+)$", text, re.IGNORECASE):
        return PRONOUN if len(m["np"].split()) <= 2 else Mention(noun_phrase(m["np"]))
    return mention(text)


_MODAL = r"(?:\s+(?:will|would|shall|should|is going to|are going to|am going to|is to|are to|would then|will then|is then|are then)|['’]re going to|['’]m going to|['’]ll|['’]d)"
_TO_V = (
    r"(?:be (?:changed|switched|moved|set|updated)(?: over)? to|become|becomes|turn(?:s)? into|switch(?:es)?(?: over)? to|change(?:s)? to|shift(?:s)?(?: over)? to|adjust(?:s)? to|move(?:s)?(?: over)? to|"
    r"go(?:es)? over to|be replaced (?:by|with)|fall(?:s)? back (?:to|on)|go(?:es)? back to|revert(?:s)? to|turn(?:s)? to|turn(?:s)? out to be|drop(?:s)? to|rise(?:s)? to|go(?:es)? up to|go(?:es)? down to|be)"
)


def _demodal(text: str) -> str | None:
    """A clause about what will be, told in the present: `X will switch to V` -> `X is V`; None where it is no such clause."""
    if m := re.match(
        rf"^(?P<s>I|we){_MODAL}\s+{_HEDGES}(?:switch|change|move|go|convert)(?:\s+over)?\s+to\s+(?P<v>.+?)\s+(?P<p>for|as)\s+(?P<np>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        return f"{m['s']} use {m['v']} {m['p']} {m['np']}"
    if m := re.match(
        rf"^(?P<s>I|we){_MODAL}\s+{_HEDGES}(?:start|begin|be)\s+(?P<ing>\w+ing\b.*)$", text, re.IGNORECASE | re.DOTALL
    ):
        return f"{m['s']} am {m['ing']}" if m["s"].lower() == "i" else f"{m['s']} are {m['ing']}"
    if m := re.match(rf"^(?P<s>I|we){_MODAL}\s+{_HEDGES}(?:be|become)\s+(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['s']} {'am' if m['s'].lower() == 'i' else 'are'} {m['v']}"
    if m := re.match(rf"^(?P<s>I|we){_MODAL}\s+{_HEDGES}(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        if re.match(r"plan\s+", m["v"], re.IGNORECASE):
            return f"{m['s']}'{'m' if m['s'].lower() == 'i' else 're'} planning {m['v'][5:]}"
        return f"{m['s']} {m['v']}"
    if m := re.match(rf"^(?P<np>.+?){_MODAL}\s+{_HEDGES}{_TO_V}\s+(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['np']} is {m['v']}"
    if m := re.match(rf"^(?P<np>.+?){_MODAL}\s+{_HEDGES}(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['np']} {m['v']}"
    if m := re.match(
        rf"^(?P<np>(?:my|our|the)\s+.+?)\s+{_HEDGES}(?:{_TO_V}|goes to|go to)\s+(?P<v>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        return f"{m['np']} is {m['v']}"
    return text


# -- dependencies ---

_DEGREE = r"(?:(?:entirely|mostly|largely|only|just|solely|directly|purely|partly|very much|really|simply|strictly|completely|heavily|always|basically|also|all|mainly|currently|ultimately|actually|in the end|usually|kind of|sort of|totally|fully|closely)\s+)*"
_TIE = re.compile(
    rf"\b(?:(?:is|are|was|were|['’]s|['’]re)\s+)?{_DEGREE}(?:"
    r"depend(?:s|ing|ent)?\s+(?:entirely |mostly |largely |solely |only |a lot |heavily |directly |completely )?(?:on|upon)|rel(?:ies|y|ying) (?:entirely |only |solely )?(?:on|upon)|hing(?:es?|ing) (?:entirely |on whether |mostly )?(?:on|upon)|hangs? (?:on|off|by|from)|rests? (?:on|upon)|rid(?:es?|ing) on|turns? on|"
    r"(?:based|contingent|conditional|conditioned|dependent|predicated|built|reliant|founded|modelled|modeled) (?:entirely |solely |mostly |only )?(?:on|upon|around)|"
    r"(?:tied|linked|bound|connected|coupled|pegged|attached|wedded|matched|keyed|anchored|fitted|tailored|geared|adapted|chained|married|hooked|related|specific|subject|restricted|limited|yoked|hitched|locked|glued) (?:directly |closely |tightly |up |in |entirely )?(?:to|into|with)|"
    r"(?:determined|decided|dictated|driven|set|governed|controlled|shaped|chosen|picked|defined|assigned|imposed|influenced|fixed|made|given|run|handed out|provided|selected|arranged|appointed|paid for|covered|mandated|required|ruled|steered|approved|forced) (?:entirely |mostly |largely |solely |only |directly )?(?:by|through)|"
    r"(?:chosen|picked|selected|set|designed|meant|made|sized|arranged|planned|there|only there) (?:to (?:fit|match|suit|go with|work with|accommodate)|for|because of|around|with|in line with|based on)|"
    r"because of|(?:only )?due to|thanks to|down to|all about|up to|a (?:function|result|consequence|matter|product|question) of|in line with|in step with|on account of|by virtue of|through|conditional upon|"
    r"follow(?:s|ing)?(?: directly)?(?: from)?|(?:all )?com(?:es?|ing) (?:from|with|through|down to|as part of)|stems? from|flows? from|results? from|derives? from|goes? (?:hand in hand )?with|go hand in hand with|stands? (?:or|and) falls? with|stand or fall with|stays? only as long as|"
    r"var(?:ies|y) with|chang(?:es?) with|moves? with|depends|is a matter of|works? only (?:because of|with|thanks to)|only works? (?:because of|with|thanks to|as long as)|exists? (?:only )?because of|(?:only )?makes? sense (?:with|because of|given|alongside)|stands? on|only what (?:it|they) (?:is|are) because of|whatever (?=(?:my|our|the)\b)"
    r")\s+",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    rf"^(?P<b>.+?)\s+{_DEGREE}(?:decides?(?: on)?|determines?|dictates?|drives?|governs?|controls?|shapes?|sets?|picks?|chooses?|influences?|affects?|defines?|has (?:a|the (?:last|final)) (?:say|word) (?:in|on|about|over)|calls the shots on|is (?:the )?(?:reason|basis) for|rules?|steers?|informs?|settles|is behind|underlies|is what (?:decides|determines|drives|sets))\s+"
    r"(?P<a>(?:what |which |who |how |where |when )?(?:my|our|the|which|what|who|this|that|it)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CHOSE_BECAUSE = re.compile(
    r"^(?:i|we|they)(?:['’]ve| have)?\s+(?:only |just |really |originally |specifically )*(?:settled on|chose|picked|went with|use|go to|go with|have|selected|decided on|took|take|set up|set|keep|kept|adopted|got|do|run|made|follow|went for|opted for|need|arranged)\s+(?P<a>.+?)\s+(?:only |just |mainly |purely )?"
    r"(?:because of|due to|thanks to|based on|on account of|to (?:fit|match|suit)|for the sake of|in view of|depending on)\s+(?P<b>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ASSIGNED = re.compile(
    r"^(?P<b>[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)*|(?:my|our|the)\s+[a-z -]+?)\s+(?:has\s+)?(?:assigned|picked|chose|decided|set|arranged|made|approved|selected|insisted on|wanted|appointed|requires|demanded|recommended|prescribed|likes|prefers|wants|set up|decides|chooses|gave me|handed out|assigns)\s+(?:on\s+)?(?:it|that|this|her|him|them)\b",
    re.DOTALL,
)
_MEANS_CHANGING = re.compile(
    r"^(?:changing|replacing|switching|swapping|moving|losing|(?:a|any) change (?:of|in|to)|a (?:different|new))\s+(?P<b>(?:(?:my|our|the)\s+)?.+?)\s+(?:would|will|could|might|may|always)?\s*(?:also\s+)?"
    r"(?:well\s+|also\s+|even\s+|easily\s+)?(?:means?|affects?|changes?|requires?|forces?|involves?|throws? off|upsets?|leads? to)\s+(?:(?:also\s+)?(?:changing|a change (?:in|of|to)|rethinking|replacing|another look at|a rethink of|a (?:new|different))\s+)?(?P<a>(?:(?:my|our|the)\s+)?.+?)(?:\s+(?:too|as well|also))?$",
    re.IGNORECASE,
)
_REASON_IS = re.compile(
    r"^the (?:main |only |real )?(?:reason|basis) (?:for|behind|why we have|why i have|we have|i have)\s+(?P<a>(?:my|our|the)\s+.+?)\s+is\s+(?P<b>(?:my|our|the|where|who|which)\s+.+)$|"
    r"^(?P<b2>(?:my|our|the)\s+.+?)\s+(?:is|are) (?:the )?(?:main |only |real )?(?:reason|basis) (?:for|behind|why we have|why i have|we have|i have)\s+(?P<a2>(?:my|our|the)\s+.+)$",
    re.IGNORECASE,
)
_RECIPROCAL = re.compile(
    r"^(?P<a>(?:my|our|the)\s+[^,]+?)\s+and\s+(?P<b>(?:my|our|the)\s+[^,]+?)\s+(?:go|are)\s+(?:hand in hand|tied together|linked|connected|tied)\b",
    re.IGNORECASE,
)
_REASON_FOR = re.compile(
    r"^(?:it['’]s |it is |that['’]s |this is )?(?P<p>because of|due to|thanks to|through|for|part of|as part of|on account of|based on|depending on|given|set by|a (?:result|consequence) of)\s+(?P<b>(?:my|our|the|where|which|who|what|how)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)


def find_ties(text: str) -> tuple[list[Tie], str | None]:
    """
    The ties that the sentence *text* states, and the part of it that may state a fact of its own.

    The part is the main clause before a dash or semicolon; a tie whose effect is a pronoun means that part's fact.
    None: nothing beside the ties.
    """
    parts = _segments(text)
    ties: list[Tie] = []
    main: str | None = None
    for i, part in enumerate(parts):
        found = _conditional(part) or _dependency(part, follows=i > 0)
        if found is None:
            if main is None and i == 0:
                main = part
                split = _tail_tie(part)
                if split is not None:
                    main, tie = split
                    ties.append(tie)
            elif main is not None and not ties:
                main = f"{main} — {part}" if i == 1 else main
            continue
        ties.append(found)
    return _merge(ties, told=main is not None), main


def _segments(text: str) -> list[str]:
    """*text* at dashes, semicolons and connectives, so that each part holds at most one tie."""
    rough = re.split(
        r"\s+[—–]\s+|\s+-\s+|\s*;\s*|:\s+(?=(?:if|when|once|whenever|should)\b)|,\s+(?:so|and|but)\s+(?=(?:if|when|once|whenever|should|it|that|this|we|i|we['’]d|i['’]d)\b)|,\s+(?:which|that)\s+(?=(?:is|depends|hinges|relies|follows|comes|in turn)\b)|\s+and\s+(?=(?:if|when|once|whenever)\b)",
        text,
        flags=re.IGNORECASE,
    )
    return [p.strip() for p in rough if p.strip()]


def _merge(ties: list[Tie], *, told: bool) -> list[Tie]:
    """Ties of one sentence about one effect without an outcome are one tie whose cause is told in several ways."""
    plain = [t for t in ties if t.becomes is None]
    others = [t for t in ties if t.becomes is not None]
    if len(plain) > 1:
        named = [t.effect for t in plain if not t.effect.pronoun]
        told = told and any(t.effect.pronoun for t in plain)
        if told or len({(e.name or e.alias or e.value or "").lower() for e in named}) <= 1:
            causes = tuple(c for t in plain for c in t.causes if not c.pronoun)
            plain = [Tie(PRONOUN if told else named[0], causes)]
    causes = tuple(c for t in ties for c in t.causes if not c.pronoun)
    found = []
    for tie in (*plain, *others):
        kept = tuple(c for c in tie.causes if not c.pronoun) or causes
        if kept:
            found.append(Tie(tie.effect, kept, tie.trigger, tie.value, tie.becomes))
    return found


_WOULD_MAKE = re.compile(
    r"^(?:(?:a|any) change (?:of|in|to)|a (?:new|different)|another|changing)\s+(?P<b>.+?)\s+(?:would|will|does|is going to|could|should)?\s*(?:make|makes|mean|means|turn|turns|set|sets)\s+(?P<a>(?:my|our|the)\s+.+)$",
    re.IGNORECASE,
)
_WITH_AS = re.compile(r"^with\s+(?P<v>.+?)\s+as\s+(?P<b>(?:my|our|the)\s+[^,]+),\s+(?P<c>.+)$", re.IGNORECASE)


def _made_so(text: str) -> Tie | None:
    """`A change of B would make A W`: where A ends and W begins, a capital, a number or a known article tells."""
    m = _WOULD_MAKE.match(text)
    if m is not None and (cause := mention(m["b"])):
        split = re.match(
            r"^(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)\s+(?:into\s+|to\s+|become\s+|is\s+|be\s+)?(?P<v>(?:(?:the|an?)\s+)?[A-Z0-9£$€#\"].*|(?:the|an?|my|our)\s+.+)$",
            m["a"],
        )
        if split and (np := noun_phrase(split["np"])) and (value := clean_value(split["v"])[0]):
            return Tie(Mention(np), (cause,), becomes=value)
    m = _WITH_AS.match(text)
    if m is not None and (np := noun_phrase(m["b"])) and (outcome := parse_consequence(m["c"])) and outcome.becomes:
        return Tie(outcome.effect, (Mention(np),), "is", m["v"], outcome.becomes)
    return None


def _conditional(text: str) -> Tie | None:
    if found := _made_so(text):
        return found
    unread: list[Tie] = []
    for condition, consequence in _readings(text):
        event = parse_condition(condition)
        if event is None:
            continue
        outcome = parse_consequence(consequence)
        if outcome is not None:
            return Tie(outcome.effect, (event.cause,), event.trigger, event.value, outcome.becomes)
        if event.trigger == "changes" and _OWNED_NOUN.search(consequence) and not _NO_TIE.search(consequence):
            unread.append(Tie(Mention(within=consequence.strip()), (event.cause,)))
    return unread[0] if unread else None


def _readings(text: str) -> list[tuple[str, str]]:
    """Every way to cut *text* into a condition and what follows from it."""
    found: list[tuple[str, str]] = []
    text = re.sub(
        r"^(?:(?:and|but|so|also|oh|note that|remember that|keep in mind that|please note that|the (?:plan|rule|deal|idea|agreement) is(?: that)?|we (?:agreed|decided)(?: that)?)\s*[:,]?\s*)+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    if m := _COND_FIRST.match(text):
        rest = m["rest"]
        cuts = [(c.start(), c.end()) for c in re.finditer(r",\s+(?:then\s+)?|\s+then\s+", rest)]
        found += [(rest[:a], rest[b:]) for a, b in cuts]
        if m["if"].lower() == "should":
            found = [
                (re.sub(r"^(\S+(?:\s+\S+)*?)\s+(change|become|move|switch|go)\b", r"\1 \2s", a), b) for a, b in found
            ]
        if not cuts and (c := re.search(r"(?<=changes)\s+|(?<=changed)\s+", rest)):
            found.append((rest[: c.start()], rest[c.end() :]))
    elif m := _COND_LAST.match(text):
        found.append((m["cond"], m["cons"]))
        for c in re.finditer(rf",?\s+{_IF}\s+", text, re.IGNORECASE):
            found.append((text[c.end() :], text[: c.start()]))
    return found


def _dependency(text: str, *, follows: bool) -> Tie | None:
    """A sentence part that says of two things that one hangs on the other."""
    text = re.sub(
        r"^(?:(?:and|but|so|also|oh|note|remember|keep in mind|bear in mind|mind|know|just so you know|of course|though|now|since)(?:\s+that)?[,:]?\s+)+",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    )
    text = text.strip().rstrip(".!")
    if text.endswith("?") or len(text) > 260:
        return None
    if re.match(
        r"^(?:it|that|this)(?:['’]s| is| all)? (?:just |really |all |kind of )*depends?\b(?:\s*$|\s+on (?:your|how|what you|who you|the (?:situation|context|person|case)))",
        text,
        re.IGNORECASE,
    ):
        return None
    if follows and (m := _ASSIGNED.match(text)):
        cause = mention(m["b"])
        return Tie(PRONOUN, (cause,)) if cause else None
    if follows and (m := _REASON_FOR.match(text)):
        cause = mention(m["b"])
        return Tie(PRONOUN, (cause,)) if cause else None
    if m := _RECIPROCAL.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b and not b.pronoun else None
    if m := _CHOSE_BECAUSE.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        if a and b and (re.match(r"(?:my|our|the|this|that|it)\b", m["a"], re.IGNORECASE)):
            return Tie(a, (b,))
    if m := _MEANS_CHANGING.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b else None
    if m := _REASON_IS.match(text):
        a, b = mention(m["a"] or m["a2"]), mention(m["b"] or m["b2"])
        return Tie(a, (b,)) if a and b and not a.pronoun and not b.pronoun else None
    if m := re.match(
        r"^without\s+(?P<b>(?:my|our|the)\s+.+?),?\s+(?P<a>(?:my|our|the)\s+.+?)\s+(?:would|could|wouldn['’]t|couldn['’]t|makes?|is)\b",
        text,
        re.IGNORECASE,
    ):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b else None
    for m in _TIE.finditer(text):
        left, right = text[: m.start()].strip(), text[m.end() :].strip()
        if re.search(r"n['’]t\b|\b(?:not|never|no longer)\b", left, re.IGNORECASE):
            continue
        weak = bool(
            re.match(
                r"(?:(?:is|are|['’]s|['’]re)\s+)?(?:through|for|up to|follows?|comes? (?:with|from)|goes? with|set|made|given|run|related|provided)\b",
                m[0].strip(),
                re.IGNORECASE,
            )
        )
        left = re.sub(r"^(?:i think|i guess|i believe|you see|see|because|since|as)\s+", "", left, flags=re.IGNORECASE)
        left = re.sub(
            r"\s+(?:is|are)\s+(?:the way (?:it|they)(?: is| are)?|what (?:it|they) (?:is|are)|like that|as (?:it|they) (?:is|are)|so)$",
            "",
            left,
            flags=re.IGNORECASE,
        )
        left = re.sub(r"\s+(?:is|are|was|were)$", "", left)
        right = re.sub(
            r"\s+(?:as (?:it|they) (?:is|are)|the way (?:it|they) (?:is|are))$", "", right, flags=re.IGNORECASE
        )
        if w := re.match(
            r"^(?:whatever|what(?:ever)?|which(?:ever)?|who(?:ever)?|how|where)\s+(?P<np>.+?)(?:\s+(?:is|are))?$",
            left,
            re.IGNORECASE,
        ):
            left = w["np"]
        if _PRONOUN.match(left) or (left == "" and follows):
            effect: Mention | None = PRONOUN if follows else None
        elif (
            re.match(r"(?:my|our|the|all|this|that|which|where|who|what)\b", left, re.IGNORECASE)
            and len(left.split()) <= 9
        ):
            effect = mention(
                re.sub(r"^the (?:choice|kind|type|size|length|amount|number) of\s+", "", left, flags=re.IGNORECASE)
            )
        else:
            effect = None
        if effect is None:
            continue
        if weak and not re.match(r"(?:my|our|the|where|which|who|what|how)\b", right, re.IGNORECASE):
            continue
        cause = mention(right)
        if cause is None or cause.pronoun:
            continue
        return Tie(effect, (cause,))
    if m := _DECIDES.match(text):
        b_text = m["b"]
        if re.match(r"(?:i|we|you|he|she|they|it|that|this|what|which|who)\b", b_text, re.IGNORECASE) and not re.match(
            r"(?:what|which|who|where)\s+\w+", b_text, re.IGNORECASE
        ):
            return None
        a = mention(
            re.sub(r"^(?:what|which|who|how|where|when)\s+", "", m["a"])
            if re.match(r"(?:what|which|who|how|where|when)\s+(?:my|our|the)\b", m["a"], re.IGNORECASE)
            else m["a"]
        )
        b = mention(b_text)
        owned = re.match(r"(?:my|our|who|which|where|the)\b", b_text, re.IGNORECASE)
        if a and b and owned and not b.pronoun and (not a.pronoun or follows):
            return Tie(a, (b,))
    return None


_OWNED_NOUN = re.compile(r"\b(?:my|our|the|this|that|it)\b", re.IGNORECASE)
_NO_TIE = re.compile(
    r"\?|n['’]t (?:matter|change|affect)|\b(?:doesn['’]t matter|regardless|either way|stays? the same|still|please|let me know|you (?:can|could|should|would|will))\b",
    re.IGNORECASE,
)
_HANGS = re.compile(
    r"\b(?:depend(?:s|ed|ing)?|hang(?:s|ing)?|hung|tied|linked|bound|connected|coupled|suits?|fits?|follows?|because|thanks|due|came|comes|decided|determined|matches|matched|goes|rel(?:y|ies)|"
    r"based|chosen|picked|whatever|up to|down to|according to|in line with|owes?|stems?|rides?|stands?|rests?|hinges?|reflects?|mirrors?|varies|tracks?|attached|pegged|at the mercy of|a matter of|for the sake of)\b",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:decides?|determines?|dictates?|drives?|governs?|controls?|shapes?|sets|picks|chooses|influences?|affects?|rules|means|implies|brings|requires|calls for|gives us|gave us|forces)\b",
    re.IGNORECASE,
)


def told_loosely(text: str) -> Tie | None:
    """Two things of ours with a word of dependence between them: who they are is for `linking` to find."""
    text = text.strip().rstrip(".!")
    if (
        len(text.split()) > 22
        or text.endswith("?")
        or _NO_TIE.search(text)
        or re.search(r"\b(?:not|never|no longer|would you|if)\b|n['’]t\b", text, re.IGNORECASE)
    ):
        return None
    for cue, turned in ((_HANGS, False), (_MOVES, True)):
        for m in cue.finditer(text):
            left, right = text[: m.start()], text[m.end() :]
            if not (
                re.search(r"\b(?:my|our|the)\s+[a-z]", left, re.IGNORECASE)
                and re.search(r"\b(?:my|our|the)\s+[a-z]", right, re.IGNORECASE)
            ):
                continue
            a, b = (right, left) if turned else (left, right)
            return Tie(Mention(within=a.strip()), (Mention(within=b.strip()),))
    return None


def _tail_tie(text: str) -> tuple[str, Tie] | None:
    """A statement with its reason at the end: `I take the bus because of my new job`, `… as part of my program`."""
    m = re.match(
        r"^(?P<main>.+?)[, ]\s*(?:all |only |mostly |mainly |purely |and that['’]s )?(?P<p>because of|due to|thanks to|as part of|through|on account of|depending on|based on|because|since)\s+(?P<b>(?:my|our|where|which|who|what|the|we|i)\b.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if m is None:
        return None
    clausal = m["p"].lower() in ("because", "since")
    said = parse_clause(m["main"])
    if said is None or said.value is None:
        return None
    cause = mention(m["b"])
    if cause is None or cause.pronoun or (clausal and not (cause.certain and cause.value)):
        return None
    return m["main"], Tie(PRONOUN, (cause,))
