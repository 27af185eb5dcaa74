"""Conditionals: what a rule waits for, and what follows from it."""

import re
from dataclasses import dataclass
from typing import Literal

from memory_store.clauses import parse_clause
from memory_store.doing import verb_form
from memory_store.mentions import PRONOUN, Mention, mention
from memory_store.phrases import clean_value, noun_phrase, specific
from memory_store.predicates import PART_OF_A_WHOLE

HEDGES = r"(?:(?:ever|also|then|just|probably|likely|most likely|certainly|surely|definitely|all|both|too|well|quite|suddenly|someday|one day|really|simply|automatically|immediately|in turn|therefore|always|actually|already)\s+)*"


IF = r"(?:if|when|once|whenever|as soon as|the (?:moment|minute|day|second|instant)(?: that)?|in case|(?:the )?(?:next|first) time|by the time|from the moment|in the event(?: that)?|every time|any ?time|each time|after|should|until|as long as|assuming|provided(?: that)?|supposing|given that|were)"


_CHANGE_VERB = (
    r"(?:chang(?:es?|ed|ing)|mov(?:es?|ed)|shift(?:s|ed)?|switch(?:es|ed)?|(?:is|are|gets?|were|was|be|been|ends up) (?:ever )?(?:replaced|changed|swapped|updated|moved|switched|different|renamed|"
    r"someone else|something else|somewhere else|no longer (?:the same|valid|there)|another one|over|gone)|differs?|leaves?|quits?|steps? down|goes away|went away|ends?|expires?|varies|vary|"
    r"falls? through|pull(?:s|ed)? out|back(?:s|ed)? out|drop(?:s|ped)? out|goes under|went under|clos(?:es|ed)(?: down)?|shuts? down|is cancelled|is canceled|turns? over|rotates?|does|do|did|happens?|isn['’]t (?:there|the same)(?: anymore| any more)?|stops?|hands? over|departs?|retires?|becomes? (?:different|another|someone else|something else)|were different|were to change|has to change|had to change|was different)"
)


_NP_CHANGES = re.compile(
    rf"^(?P<np>.+?)\s+{HEDGES}(?:(?:does|do|did|should|were to|was to|is to|has|have|had|would|will)\s+)?{HEDGES}{_CHANGE_VERB}(?:\s+(?:again|one day|someday|at some point|in the future|hands|ever|too))*$",
    re.IGNORECASE | re.DOTALL,
)


_NP_IS = re.compile(
    rf"^(?P<np>.+?)\s+{HEDGES}(?:(?:does|do|did|should|were to|has|have|had)\s+)?{HEDGES}(?:becomes?|became|is|are|be|been|turns? out to be|turned out to be|changes? to|changed to|switch(?:es|ed)? to|mov(?:es?|ed) to|go(?:es)? to|"
    r"turns? into|gets? changed to|is changed to|is set to|shifts? to|was|were|end(?:s|ed)? up(?: being| as)?|is switched to|is replaced (?:by|with)|gets? replaced (?:by|with))\s+(?:now |ever )?(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_WE_CHANGE = re.compile(
    rf"^(?:i|we|you|they)\s+{HEDGES}(?:(?:do|did|should|have to|had to|need to|were to|decide to|choose to|want to|get to|end up)\s+)?{HEDGES}(?:chang(?:e|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing)|replac(?:e|ed|ing)|swap(?:ped)?(?: out)?|updat(?:e|ed)|migrat(?:e|ed)|upgrad(?:e|ed)|"
    r"get|got|have|find|found|pick|picked|choose|chose|use|go with|went with|lose|lost|leave|left|quit|drop|dropped|end(?:ed)? up with|wind up with|adopt|hire|hired|buy|bought|start(?: using)?|try|take|rename|relocate|sign with|elect|appoint)\s+(?:away from\s+|from\s+|over\s+)?"
    r"(?P<det>(?:my|our|the|a different|another|a new|an other|new|different|a|any other|some other)\s+)?(?P<np>[^,]+?)(?:\s+(?:over\s+)?(?:to|with|for|into)\s+(?P<v>.+))?$",
    re.IGNORECASE | re.DOTALL,
)


_SOMETHING_WITH = re.compile(
    r"^(?:(?:anything|something)\s+(?:ever\s+)?(?:happens?|changes?|shifts?|goes wrong)\s+(?:to|with|about|in|regarding)|there(?:['’]s| is| are| should be| were)\s+(?:ever\s+)?(?:an?|any)\s+(?:change|switch)\s+(?:to|of|in|with|about)|there(?:['’]s| is) (?:ever )?(?:a new|another|a different)|of\s+(?:an?|any)\s+(?:new|different|change (?:of|in|to)))\s+(?P<np>.+)$",
    re.IGNORECASE,
)


_WITH_AS_OURS = re.compile(
    rf"^(?:i|we|they)\s+{HEDGES}(?:(?:do|did|should|have to|were to|decide to|choose to)\s+)?{HEDGES}(?:end(?:ed)? up (?:with|on|using)|wind up with|go(?:es)? (?:with|for)|went (?:with|for)|get|got|have|choose|chose|pick|picked|hire|hired|use|take|took|settle on|switch to|move to|decide on|opt for|start|started|begin|take up|took up|try)\s+"
    r"(?P<v>[^,]+?)\s+(?:as|for|to be)\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*)$",
    re.IGNORECASE,
)
_TO_BE = re.compile(
    rf"^(?P<v>[A-Z0-9][\w'’.&-]*(?:\s+(?:&\s+)?[A-Z0-9][\w'’.&-]*)*)\s+{HEDGES}(?i:becomes?|became|is|turns? out to be|ends? up as|(?:takes?|took) over as|steps in as|is (?:made|elected|appointed|named)|gets|were)\s+(?P<np>(?:(?:my|our|the)\s+[a-z][a-z -]*|(?<=as )[a-z]+(?:\s[a-z]+)?|(?<=elected )[a-z]+|(?<=appointed )[a-z]+|(?<=made )[a-z]+))$"
)
# "if I get plot 23"
_NUMBERED = re.compile(
    rf"^(?:i|we)\s+{HEDGES}(?:do\s+)?(?:get|got|have|receive|take|am given|are given|['’]m given|['’]re given|move to|moved to)\s+(?P<np>[a-z]+)\s+(?P<v>(?:number\s+)?[A-Z]?\d+[a-z]?)$",
    re.IGNORECASE,
)
# "if we go back to gas for heating"
_GO_WITH_FOR = re.compile(
    rf"^(?:i|we)\s+{HEDGES}(?:(?:do|did|should|were to|decide to)\s+)?{HEDGES}(?:go|went)\s+(?:back\s+to|with|for)\s+(?P<v>[^,]+?)\s+for\s+(?:(?:my|our|the)\s+)?(?P<np>[a-z]+(?:\s[a-z]+)?)$",
    re.IGNORECASE,
)
_WE_DID = re.compile(r"^(?P<s>i|we)\s+(?P<v>[a-z]+)\s+(?P<rest>.+)$", re.IGNORECASE)
_EVENTS = frozenset(
    "change switch move replace swap update migrate upgrade get have find pick choose use go lose leave quit drop end adopt hire buy start try take rename sign elect appoint be".split()
)
_WE_MOVE = re.compile(
    rf"^(?:i|we)\s+{HEDGES}(?:(?:do|did|should|have to|were to|decide to)\s+)?{HEDGES}(?:move|moved|relocate|relocated)(?:\s+(?:house|home|away|somewhere(?: else)?|elsewhere|out|again|flat|apartments?))*$",
    re.IGNORECASE,
)


_WE_TO = re.compile(
    rf"^(?:i|we)\s+{HEDGES}(?:(?:do|did|should|were to|decide to)\s+)?{HEDGES}(?P<verb>move|moved|relocate|switch|change|go|migrate|go over|upgrade)\s+(?:over\s+)?(?:to|into)\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


# `as long as B is what it is`: what waits is the end of it.
_STAYS_SO = re.compile(
    r"^(?:we (?:still )?have |we['’]ve (?:still )?got |i (?:still )?have |there(?:['’]s| is) )?(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)\s+(?:(?:is|are|stays?|remains?|holds?|lasts?|keeps?|sticks? around|is still|are still|stays put)\b\s*(?:what|who|where|how|as|the way)?\s*(?:it|they|he|she)?\s*(?:is|are|the same|around|there|here|put|in place|like (?:this|that)|with us)?)$",
    re.IGNORECASE,
)


# How somebody or something is for a day, which is no value of a fact that a rule could wait for.
_FOR_A_WHILE_SO = (
    r"(?:away|out|ill|sick|unwell|busy|late|absent|off|free|travell?ing|tired|asleep|awake|in|around|at home|"
    r"back|on (?:holiday|leave|vacation|call|duty|a (?:trip|call|break))|(?:out of|in|at) (?:the )?(?:office|town|work|bed|a meeting))"
    r"(?:\s+(?:sick|today|tomorrow|again|home|for\b[^,]*|this \w+|on \w+days?))*"
)
_FOR_A_WHILE = re.compile(rf"^{_FOR_A_WHILE_SO}$", re.IGNORECASE)
_THEN_ONLY = re.compile(
    rf"^(?:if|when|whenever|while|in case|on days when)\s+[^,]+?(?:['’](?:s|m|re)|\s(?:is|are|am|gets?))\s+{_FOR_A_WHILE_SO}(?:,|\s+then\b)|"
    rf"\s(?:if|when|whenever|while|in case)\s+[^,]+?(?:['’](?:s|m|re)|\s(?:is|are|am|gets?))\s+{_FOR_A_WHILE_SO}[.!]*$",
    re.IGNORECASE,
)


def holds_for_a_while(text: str) -> bool:
    """Whether *text* tells what is so only `if Denise is away`: no fact, and nothing that a rule could see."""
    return _THEN_ONLY.search(text) is not None


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
    if (m := _GO_WITH_FOR.match(text)) and (np := noun_phrase(m["np"])) and (value := clean_value(m["v"])[0]):
        return Condition(Mention(np), "is", value)
    if (m := _WE_DID.match(text)) and (form := verb_form(m["v"])) and form[1] == "past" and form[0] not in _EVENTS:
        # "if we trained at the Arena": what would be so then
        text = f"{m['s']} {form[0]} {m['rest']}"
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
    if (m := _WITH_AS_OURS.match(text)) and (np := noun_phrase(m["np"])) and (value := clean_value(m["v"])[0]):
        if re.match(r"(?:an?|another|some|any)\s", m["v"], re.IGNORECASE) or value.lower().endswith(" else"):
            return Condition(Mention(np), "changes")
        return Condition(Mention(np), "is", value)
    text = re.sub(
        r"^(i|we)\s+(?:am|['’]m|are|['’]re|is|be|get|got|were|was)\s+(?:ever\s+)?(?:moved|transferred|reassigned)\s+to\s",
        r"\1 move to ",
        text,
        flags=re.IGNORECASE,
    )
    text = re.sub(
        r"^((?:i|we)\s+(?:ever\s+)?(?:move|moved|relocate))\s+(?:out|away|over|across|down|up|back)\s+to\s",
        r"\1 to ",
        text,
        flags=re.IGNORECASE,
    )
    if m := _WE_TO.match(text):
        value, _ = clean_value(m["v"])
        if value and (part := PART_OF_A_WHOLE.match(re.sub(r"^the\s", "", value))):
            return Condition(Mention(part["np"]), "is", part["v"])
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
                rf"^(?:i|we|you|they)\s+{HEDGES}(?:\w+ to\s+)?{HEDGES}(?:chang|switch|replac|swap|mov|updat|leave|left|quit|lose|lost|drop|migrat)",
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
    if m := _NUMBERED.match(text):
        return Condition(Mention(m["np"]), "is", m["v"])
    if (m := _TO_BE.match(text)) and (np := noun_phrase(m["np"])):
        # "if Ruth becomes the shop manager": the value stands first
        return Condition(Mention(np), "is", m["v"])
    if (m := _STAYS_SO.match(text)) and (np := noun_phrase(m["np"])):
        return Condition(Mention(np), "changes")
    if m := _NP_IS.match(text):
        np_text = m["np"]
        if re.match(
            r"^(?:i|we|you|he|she|there|someone|people|this|that|it|something|anything)$", np_text, re.IGNORECASE
        ) is None and re.match(r"^(?:my|our|the|[a-z]+)\b", np_text, re.IGNORECASE):
            np = noun_phrase(np_text)
            value, _ = clean_value(re.sub(r"^replaced\s+(?:by|with)\s+", "", m["v"]))
            if value and _FOR_A_WHILE.match(value):
                # "if Denise is away": no fact is that
                return None
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
    if m := re.match(
        r"^(?:please\s+|just\s+|you (?:can|should|may)\s+)*(?:make|call|set|put)\s+(?P<a>(?:my|our|the)\s+.+)$",
        text,
        re.IGNORECASE,
    ):
        told = name_then_value(m["a"])
        if told is not None:
            return Consequence(Mention(told[0]), told[1])
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
    r"go(?:es)? over to|be replaced (?:by|with)|fall(?:s)? back (?:to|on)|go(?:es)? back to|revert(?:s)? to|turn(?:s)? to|turn(?:s)? out to be|drop(?:s)? to|rise(?:s)? to|go(?:es)? up to|go(?:es)? down to|be)"
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
    if m := re.match(rf"^(?P<np>.+?){_MODAL}\s+{HEDGES}(?P<v>.+)$", text, re.IGNORECASE | re.DOTALL):
        return f"{m['np']} {m['v']}"
    if m := re.match(
        rf"^(?P<np>(?:my|our|the)\s+.+?)\s+{HEDGES}(?:{_TO_V}|goes to|go to)\s+(?P<v>.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    ):
        return f"{m['np']} is {m['v']}"
    return text
