"""What follows from a condition: a fact with its new value, or one of which nobody will know what it is."""

import re
from dataclasses import dataclass

from memory_store.clauses import parse_clause
from memory_store.conditions import HEDGES
from memory_store.doing import is_done_to, third_of
from memory_store.mentions import PRONOUN, Mention, mention
from memory_store.phrases import clean_value, noun_phrase, specific
from memory_store.said import NAME

_MAY_CHANGE = re.compile(
    rf"^(?P<np>.+?)\s*(?:\b(?:would|will|might|may|could|should|can|is going to|are going to|is likely to|are likely to|is bound to|has to|have to|needs? to|must|isn['’]t going to|tends to)|['’]d|['’]ll|\b(?:won['’]t|wouldn['’]t|might not|may not|mightn['’]t|no longer|may no longer|"
    rf"might no longer|will not|would not|would no longer|will no longer))\s+{HEDGES}(?:(?:have to|need to|not|no longer|possibly|likely|probably|well|have|need)\s+)*{HEDGES}"
    r"(?:change|chang(?:es|ing)|shift|differ|be (?:different|affected|changed|reconsidered|revisited|rethought|updated|reviewed|replaced|out of date|outdated|invalid|wrong|up in the air|off|renegotiated|redone|adjusted|up for review|open|over)|move|go|"
    r"adapt|follow|hold|apply|work|stay(?: the same| as (?:it is|is))?|remain(?: the same)?|become (?:invalid|outdated|different|obsolete|something else|void)|look different|vary|need (?:an update|updating|to change|changing|rethinking|review|another look|adjusting)|an update|updating|changing|"
    r"a (?:rethink|review|change|new look|second look)|another look|not be (?:the same|valid|true|right)|be (?:the same|valid|true|right|accurate)|fit|make sense|last|survive|mean something else|cease to apply|be something else|be someone else|count)"
    r"(?:\s+(?:too|as well|also|with it|along|accordingly|anymore|any more|any longer|either|again|then|likely|probably|for me|in turn))*$",
    re.IGNORECASE | re.DOTALL,
)


_WE_RETHINK = re.compile(
    rf"^(?:i|we|you|they|someone)(?:['’]d|['’]ll|\s+would|\s+will|\s+might|\s+may|\s+could|\s+should|\s+must)?\s+{HEDGES}(?:(?:have to|need to|want to|be forced to|possibly|like to|be|probably|maybe|then)\s+)*{HEDGES}"
    r"(?:change|think (?:again )?about|ask (?:again )?about|check (?:again )?(?:on|about)?|talk about|discuss|figure out|see about|deal with|rethink|re-think|reconsider|revisit|re-?evaluate|review|update|redo|find|pick|choose|look (?:again )?(?:for|at)|search for|switch|replace|need|adjust|adapt|renegotiate|look into|go over|get|drop|lose|sort out|work out|decide on|settle on|want|swap|have|move)\s+"
    r"(?P<np>(?:(?:my|our|the|a|an|this|that|it)\b\s*)?.*?)(?:\s+(?:again|anew|too|as well|from scratch|accordingly|then|over|once more|anyway))*$",
    re.IGNORECASE | re.DOTALL,
)


# Not knowing what becomes of it, and not trusting in it, in the ways in which people say so.
_WHO_KNOWS = re.compile(
    r"^(?:(?:i|we)(?:['’]m|['’]re|\s+am|\s+are)?\s*(?:honestly\s+|really\s+)?)?(?:not sure|unsure|no idea|no clue|don['’]t know|do not know|can['’]t say|couldn['’]t say|can['’]t tell|couldn['’]t tell you|hard to say|hard to tell|who knows|god knows|anyone['’]s guess|it['’]s unclear|it['’]s open|it['’]s anyone['’]s guess|it['’]s not clear)\s+"
    r"(?:if|whether|what|how|who|where|which|when|about)\b(?:['’]s|\s+(?:happens?|happened|we['’]d do|we would do|i['’]d do|becomes?|would happen|will happen|is going to happen|would become|will become|to do))?\s*(?:to|of|with|about|for|going to happen (?:to|with))?\s*(?P<a>(?:my|our|the)\s+.+?)"
    r"(?:\s+(?:would|will|is going to|could|might|can|should|would still|will still|stays?|still|is|are|holds?|survives?)\b.*)?$|"
    r"^(?:i|we)(?:['’]d|\s+would)?(?:\s+(?:wouldn['’]t|would not|won['’]t|don['’]t|can['’]t|shouldn['’]t|would never|never))\s+(?:take|count on|rely on|bet on|trust|swear by|vouch for|expect|guarantee|promise|bank on|assume)\s+(?P<b>(?:my|our|the)\s+.+?)(?:\s+(?:for granted|to (?:stay|hold|last|remain|survive|be).*|stays?.*|anymore|any more|as given))?$|"
    r"^(?:don['’]t|do not|you can['’]t|you shouldn['’]t)\s+(?:take|count on|rely on|bet on|trust|expect|bank on|assume)\s+(?P<c>(?:my|our|the)\s+.+?|it|that|this)(?:\s+(?:for granted|as (?:fixed|given|set|final|settled)|to (?:stay|hold|last|remain|survive|be).*|stays?.*|anymore|any more))*$|"
    r"^(?P<d>(?:my|our|the)\s+.+?)\s+(?:could|can|may|might|would|will)\s+be\s+(?:anything|anyone|anybody|whatever|any)(?:\s+(?:at all|really|then))*$",
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


# "the rehearsal has to be moved": nobody says where to
_HAS_TO_BE_DONE = re.compile(
    rf"^(?P<np>.+?)(?:['’]ll|\s+(?:will|would))?\s+{HEDGES}(?:(?:has|have|needs?|ought) to|must)\s+{HEDGES}(?:be|get)\s+{HEDGES}"
    r"(?P<done>[a-z-]+)(?:\s+(?:again|anew|too|as well|accordingly|then|over))*$",
    re.IGNORECASE,
)
# what is done to people, who stay who they are
_SAID_TO = frozenset("told informed notified asked called warned contacted reminded paid thanked".split())
# "it'll be Nora who feeds the cats"
_ONE_WHO = re.compile(
    rf"^it(?:['’](?:ll|d|s)|\s+(?:will|would|is))(?:\s+(?:then|be))*\s+(?P<n>(?-i:{NAME}))\s+(?:who|that)\s+"
    r"(?:(?:will|would)\s+)?(?P<rest>.+)$",
    re.IGNORECASE,
)
# "we get our compost from Tully Estates", "we move the stall to the square": it is told which other one
_NAMES_ANOTHER = re.compile(r"\s(?:(?:to|into)\s|(?:from|at|with|by|in|on|through)\s+(?:the\s+)?(?-i:[A-Z0-9]))")


@dataclass(frozen=True)
class Consequence:
    """What happens to the fact that *effect* names: it *becomes* a value, or (None) nobody knows."""

    effect: Mention
    becomes: str | None


def parse_consequence(text: str) -> Consequence | None:
    """*text* as what happens to a fact: a new value, or (None) that nobody knows."""
    text = re.sub(r"\s+", " ", text).strip().strip(",;:.!").strip()
    text = re.sub(
        r"^(?:then,?\s+)?(?:from (?:that|then)(?: day| moment| point| time)?(?: on(?:wards)?)?|then|so|and|but|well|of course|naturally|obviously|in that case|i (?:think|guess|suppose|imagine|expect)(?: that)?|(?:we|i)(?:['’]ve)? (?:all )?(?:agreed|decided|said|settled)(?: that)?|it['’]s agreed(?: that)?|the (?:plan|rule|deal|idea) is(?: that)?:?)[,:]?\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    if not text or len(text) > 240 or text.endswith("?"):
        return None
    if (m := _WHO_KNOWS.match(text)) and (found := _effect(m["a"] or m["b"] or m["c"] or m["d"])):
        return Consequence(found, None)
    if m := _MAY_CHANGE.match(text):
        if re.match(
            r"^(?:i|we|you|he|she|there|things?|everything|nothing|people|life)$", m["np"].strip(), re.IGNORECASE
        ) is None and (found := _effect(m["np"])):
            return Consequence(found, None)
    if (m := _HAS_TO_BE_DONE.match(text)) and is_done_to(m["done"]):
        found = None if m["done"].lower() in _SAID_TO else _effect(m["np"])
        return Consequence(found, None) if found else None
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
            and not _NAMES_ANOTHER.search(np)
        ):
            return Consequence(found, None)
    if m := re.match(
        r"^(?:please\s+|just\s+|you (?:can|should|may)\s+)*(?:make|call|set|put)\s+(?P<a>(?:my|our|the)\s+.+)$",
        text,
        re.IGNORECASE,
    ):
        told = name_then_value(m["a"])
        if told is not None:
            return Consequence(Mention(told[0]), told[1])
    text = _ONE_WHO.sub(lambda m: f"{m['n']} {m['rest']}", text)
    certain = _demodal(text)
    if certain is None or _UNCERTAIN.search(text):
        return None
    if m := _ANAPHOR_TO.match(text):
        value, _ = clean_value(m["v"])
        if value and not re.match(
            r"(?:different|another|better|worse|hard|easy|great|nice|fine|good|bad|too|more|less|up for|up in|in doubt|in question|open)\b",
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
    if re.match(
        r"(?:up for|up in|in doubt|open(?:$| to)|on the table|anyone['’]s guess|uncertain|unclear|undecided|out the window|history|gone|over)\b",
        said.value,
        re.IGNORECASE,
    ):
        return Consequence(Mention(said.attribute), None)
    if re.fullmatch(
        r"(?:only |still |just )?(?:good|valid|fine|right|ok|okay|true|safe|certain|settled|fixed|possible|available|secure|guaranteed|the same|there|set|in place|sure)(?: (?:enough|for me|for us|any ?more))?",
        said.value,
        re.IGNORECASE,
    ):
        return Consequence(Mention(said.attribute), None)
    if said.value.lower() in ("different", "another", "something else", "someone else", "changed", "affected"):
        return Consequence(Mention(said.attribute), None)
    return Consequence(
        Mention(None if said.verb else said.attribute, said.attribute if said.verb else None), said.value
    )


def name_then_value(text: str) -> tuple[str, str] | None:
    """`our A W`: where A ends and W begins, a capital, a number or a known article tells."""
    m = re.match(
        r"^(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)\s+(?:into\s+|to\s+|become\s+|is\s+|be\s+)?(?P<v>(?:(?:the|an?)\s+)?[A-Z0-9£$€#\"].*|(?:the|an?|my|our)\s+.+)$",
        text,
    )
    if m is None or (np := noun_phrase(m["np"])) is None or (value := clean_value(m["v"])[0]) is None:
        return None
    return np, value


def _effect(text: str) -> Mention | None:
    text = re.sub(
        r"\s+(?:probably|likely|certainly|surely|definitely|also|maybe|perhaps|possibly|most likely|almost certainly)$",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    )
    if m := re.match(r"^(?:this|that|these|those|the same)\s+(?P<np>[a-z -]+)$", text, re.IGNORECASE):
        return PRONOUN if len(m["np"].split()) <= 2 else Mention(noun_phrase(m["np"]))
    return mention(text)


_MODAL = r"(?:\s+(?:will|would|shall|should|is going to|are going to|am going to|is to|are to|would then|will then|is then|are then)|['’]re going to|['’]m going to|['’]ll|['’]d)"


_TO_V = (
    r"(?:be (?:changed|switched|moved|set|updated)(?: over)? to|become|becomes|turn(?:s)? into|switch(?:es)?(?: over)? to|change(?:s)? to|shift(?:s)?(?: over)? to|adjust(?:s)? to|move(?:s)?(?: over)? to|"
    r"go(?:es)? over to|be replaced (?:by|with)|fall(?:s)? back (?:to|on)|go(?:es)? back to|revert(?:s)? to|turn(?:s)? to|turn(?:s)? out to be|drop(?:s)? to|rise(?:s)? to|go(?:es)? up to|go(?:es)? down to|\w+ to(?=\s+[£$€]?\d)|be)"
)


def _demodal(text: str) -> str | None:
    """A clause about what will be, told in the present: `X will switch to V` -> `X is V`; None where it is no such clause."""
    if m := re.match(
        rf"^(?P<s>I|we){_MODAL}\s+{HEDGES}(?:switch|change|move|go|convert)(?:\s+over)?\s+to\s+(?P<v>.+?)\s+(?P<p>for|as)\s+(?P<np>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        return f"{m['s']} use {m['v']} {m['p']} {m['np']}"
    if m := re.match(
        rf"^(?P<s>I|we){_MODAL}\s+{HEDGES}(?:start|begin|be)\s+(?P<ing>\w+ing\b.*)$", text, re.IGNORECASE | re.DOTALL
    ):
        return f"{m['s']} am {m['ing']}" if m["s"].lower() == "i" else f"{m['s']} are {m['ing']}"
    if m := re.match(rf"^(?P<s>I|we){_MODAL}\s+{HEDGES}(?:be|become)\s+(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['s']} {'am' if m['s'].lower() == 'i' else 'are'} {m['v']}"
    if m := re.match(rf"^(?P<s>I|we){_MODAL}\s+{HEDGES}(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        if re.match(r"plan\s+", m["v"], re.IGNORECASE):
            return f"{m['s']}'{'m' if m['s'].lower() == 'i' else 're'} planning {m['v'][5:]}"
        return f"{m['s']} {m['v']}"
    if m := re.match(rf"^(?P<np>.+?){_MODAL}\s+{HEDGES}{_TO_V}\s+(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['np']} is {m['v']}"
    if m := re.match(
        rf"^(?P<np>.+?)(?:{_MODAL})?\s+{HEDGES}(?:gets?|has to be|have to be|have to get|has to get)\s+(?P<done>[a-z]+)\s+(?P<v>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        if is_done_to(m["done"]):
            return f"{m['np']} is {m['done']} {m['v']}"
    if m := re.match(rf"^(?P<np>.+?){_MODAL}\s+{HEDGES}(?P<verb>\w+)(?P<v>\s.+)$", text, re.IGNORECASE | re.DOTALL):
        verb = third_of(m["verb"]) if re.fullmatch(NAME, m["np"]) else m["verb"]
        return f"{m['np']} {verb}{m['v']}"
    if m := re.match(
        rf"^(?P<np>(?:my|our|the)\s+.+?)\s+{HEDGES}(?:{_TO_V}|goes to|go to)\s+(?P<v>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        return f"{m['np']} is {m['v']}"
    return text
