"""Conditions: what a rule waits for."""

import re
from dataclasses import dataclass
from typing import Literal

from memory_store.clauses import parse_clause
from memory_store.doing import may_follow_a_name, verb_form
from memory_store.mentions import Mention, mention
from memory_store.phrases import FUNCTION_WORDS, clean_value, noun_phrase
from memory_store.predicates import PART_OF_A_WHOLE

HEDGES = r"(?:(?:ever|also|only|then|just|probably|likely|most likely|certainly|surely|definitely|all|both|too|well|quite|suddenly|someday|one day|really|simply|automatically|immediately|in turn|therefore|always|actually|already)\s+)*"


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
    """An event that a rule can wait for: *cause* changes, or is *value*."""

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
    if (other := _otherwise(text)) is not None:
        return Condition(other, "changes")
    if m := _NUMBERED.match(text):
        return Condition(Mention(m["np"]), "is", m["v"])
    if (m := _TO_BE.match(text)) and (np := noun_phrase(m["np"])):
        # "if Ruth becomes the shop manager": the value stands first
        return Condition(Mention(np), "is", m["v"])
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


# "another dairy", "a new coach": what is to be another one
_ANOTHER = re.compile(
    r"\b(?:an?other|(?:some|an?) (?:new|different|other)|new|different)\s+(?P<np>[a-z][a-z-]*(?:\s[a-z][a-z-]*){0,2})",
    re.IGNORECASE,
)
_OTHER_THAN_NOW = re.compile(
    rf"\s(?:(?P<p>in|at|on|with|from|by|to|for|through)\s+)?(?:{_ANOTHER.pattern}|some(?:one|body|where|thing) else\b|elsewhere\b).*$",
    re.IGNORECASE,
)
_SOMEBODY_ELSE = re.compile(
    r"^(?:some(?:one|body) else|another [a-z]+|a (?:different|new) [a-z]+)(?=\s[a-z]+\s)", re.IGNORECASE
)


def _otherwise(text: str) -> Mention | None:
    """What is otherwise than now in `we store the boats elsewhere`, `we meet on another day`, `somebody else cooks our lunch`."""
    text = re.sub(r"\b(?:ever|should|were to)\s+", "", text)
    name = _kind(m["np"]) if (m := _ANOTHER.search(text)) else None
    verb: str | None = None
    if m := _OTHER_THAN_NOW.search(text):
        verb = _frame(f"{text[: m.start()]} {m['p'] or 'at'} Elsewhere") if m["p"] or name is None else None
    elif m := _SOMEBODY_ELSE.match(text):
        verb = _frame(f"Somebody{text[m.end() :]}")
    return Mention(name, verb) if name or verb else None


def _kind(words: str) -> str | None:
    """The noun that *words* begin with, up to the verb or preposition after it."""
    kept: list[str] = []
    for word in words.split():
        if kept and (word in FUNCTION_WORDS or may_follow_a_name(word)):
            break
        kept.append(word)
    return noun_phrase(" ".join(kept))


def _frame(clause: str) -> str | None:
    """What *clause* calls the fact whose value is Somebody or Elsewhere."""
    said = parse_clause(clause, loose=True)
    return said.attribute if said is not None and said.value in ("Elsewhere", "Somebody") else None
