"""Why a fact is as it is, and what hangs on what: answers that go along the rules. No model, no clock."""

import re
from collections.abc import Sequence

from daemon.answer import named
from daemon.replies import Reply, doubt, source_of
from daemon.wire import Source
from memory_store.causes import Cause, why
from memory_store.fact_lines import rule_text
from memory_store.facts import Fact, Rule
from memory_store.ledger import Ledger
from memory_store.names import Similarity
from memory_store.verbs import plural, sentence, to_you, within, your

STEPS_AT_MOST = 5
SHOWN_AT_MOST = 12
_LEAD = r"^\W*(?:(?:and|so|but|ok|okay|hey|please|well|tell me|do you know|can you tell me|remind me|explain)\W+)*"
_WHY = re.compile(
    rf"{_LEAD}(?:why|how come|for what reason|what(?:['’]s| is| was) the reason (?:that|for|why))\b\s*(?P<what>.+)$",
    re.IGNORECASE,
)
_WHAT = r"(?:what(?:\s+else|\s+all)?|which\s+[\w ]+?|who|everything that|anything that)"
_HANGS = re.compile(
    rf"{_LEAD}(?:(?:{_WHAT}|list (?:what|everything that))\s+(?:(?:would|will|could|does|do)\s+)?(?:depends?|hangs?|hinges?|relies|rely|is tied|is linked|are tied)\s+(?:on|upon|to)\s+(?P<on>.+)"
    rf"|{_WHAT}\s+(?:would |will )?(?:changes?|happens?|follows?|becomes? unsure|moves?|shifts?)(?: too| as well)?\s+(?:if|when|once)\s+(?P<if>.+?)\s+(?:changes?|changed|is changed|were to change|moves?)"
    rf"|{_WHAT}\s+(?:is|are)\s+affected\s+(?:by|if|when)\s+(?P<by>.+?)(?:\s+(?:changes?|changed))?)\W*$",
    re.IGNORECASE,
)
_HANGS_ON = re.compile(
    rf"{_LEAD}(?:on\s+)?what\s+(?:else\s+)?(?:do|does)\s+(?P<what>.+?)\s+(?:depend|hang|hinge|rely)(?:\s+(?:on|upon))?\W*$",
    re.IGNORECASE,
)


def along_rules(question: str, ledger: Ledger, similarity: Similarity | None) -> Reply | None:
    """The answer to a *question* why something is so, what hangs on it or on what it hangs; None for any other."""
    if (m := _HANGS.match(question)) is not None:
        attribute = named(m["on"] or m["if"] or m["by"], ledger, similarity)
        return _dependants(attribute, ledger) if attribute else None
    if (m := _HANGS_ON.match(question)) is not None:
        attribute = named(m["what"], ledger, similarity)
        return _conditions(attribute, ledger) if attribute else None
    if (m := _WHY.match(question)) is not None:
        attribute = named(m["what"], ledger, similarity)
        return _reasons(attribute, ledger) if attribute else None
    return None


def _dependants(attribute: str, ledger: Ledger) -> Reply:
    """What would follow when *attribute* changes, and what would follow from that."""
    rules: list[Rule] = []
    waiting, seen = [attribute], {attribute.casefold()}
    while waiting:
        for rule in ledger.rules_on(waiting.pop(0)):
            rules.append(rule)
            if rule.then.key not in seen:
                seen.add(rule.then.key)
                waiting.append(rule.then.attribute)
    if not rules:
        facts = ledger.current(attribute)
        return _reply(f"Nothing that I know hangs on {your(attribute)}.", facts, (), attribute)
    lines = [f"These hang on {your(attribute)}:", *(f"- {_told(rule, ledger)}" for rule in rules[:SHOWN_AT_MOST])]
    if len(rules) > SHOWN_AT_MOST:
        lines.append(f"And {len(rules) - SHOWN_AT_MOST} more; `reverie graph` shows them all.")
    return _reply("\n".join(lines), (), rules[:SHOWN_AT_MOST], attribute)


def _conditions(attribute: str, ledger: Ledger) -> Reply:
    """On what *attribute* hangs."""
    rules = ledger.rules_to(attribute)
    if not rules:
        return _reply(f"I know of nothing that {your(attribute)} hangs on.", ledger.current(attribute), (), attribute)
    lines = [f"{your(attribute, capital=True)} hangs on this:", *(f"- {_told(rule, ledger)}" for rule in rules)]
    return _reply("\n".join(lines), (), rules, attribute)


def _reasons(attribute: str, ledger: Ledger) -> Reply | None:
    """The chain of causes behind *attribute*, down to what was told."""
    steps = why(ledger, attribute)[:STEPS_AT_MOST]
    if not steps:
        return None
    first = steps[0].fact
    if len(steps) == 1 and steps[0].rule is None:
        past = [fact for fact in ledger.timeline(attribute) if fact.until and fact.value]
        before = f" Before, {_is(past[-1], past=True)}." if past else ""
        told = f"You told me so{_on(first)}" if first.source else f"It stands so on the page{_on(first)}"
        text = f"I know no reason for it. {told}: {_is(first)}.{before}"
        return Reply(text, "near", tuple(map(source_of, (first, *past[-1:]))), 1.0, (attribute,))
    behind = [*(step.fact for step in steps[1:]), None]
    lines = [_step(step, cause) for step, cause in zip(steps, behind, strict=True)]
    rules = [step.rule for step in steps if step.rule is not None]
    return _reply("\n".join(dict.fromkeys(lines)), [step.fact for step in steps], rules, attribute)


def _step(step: Cause, behind: Fact | None) -> str:
    fact = step.fact
    said = _is(fact)
    said = said[:1].upper() + said[1:]
    if step.rule is not None:
        cause = your(behind.attribute) if behind else your(step.rule.when.attribute)
        return f"{said}, because {cause} changed{_on(fact)}. Your rule: {_told(step.rule, None)}."
    if step.said:
        return f"{said}, because {step.said}."
    return f"{said}{', as you told me' if fact.source else ''}{_on(fact)}."


def _is(fact: Fact, *, past: bool = False) -> str:
    """What *fact* tells, to stand within a sentence."""
    if fact.state == "unsure":
        return within(doubt(fact).rstrip("."))
    if fact.state == "forgotten":
        return f"you asked me to forget {your(fact.attribute)}"
    return within(sentence(fact.attribute, to_you(fact.value or ""), past=past))


def _on(fact: Fact) -> str:
    return f" on {fact.since}" if fact.since else ""


def _told(rule: Rule, ledger: Ledger | None) -> str:
    """*rule* in words; with a *ledger*, and what it tells of now."""
    event = {"changes": "changes", "forgotten": "is forgotten", "is": f"is {rule.value}"}[rule.trigger]
    if plural(rule.when.attribute):
        event = {"changes": "change", "forgotten": "are forgotten", "is": f"are {rule.value}"}[rule.trigger]
    then = f"becomes {to_you(rule.becomes)}" if rule.becomes else "is no longer sure"
    now = [fact.value for fact in ledger.current(rule.then.attribute) if fact.value] if ledger else []
    current = f" (now {to_you(', '.join(now))})" if now and now != [rule.becomes] else ""
    return f"when {your(rule.when.attribute)} {event}, {your(rule.then.attribute)}{current} {then}"


def _reply(text: str, facts: Sequence[Fact], rules: Sequence[Rule], attribute: str) -> Reply:
    sources = [*map(source_of, facts), *map(_place, rules)]
    return Reply(text, "fact", tuple(sources), 1.0, (attribute,))


def _place(rule: Rule) -> Source:
    return Source(path=rule.path, start_line=rule.line, end_line=rule.end_line or rule.line, text=rule_text(rule))
