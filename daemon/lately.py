"""What changed lately: `what changed today?`, answered by the days that stand beside the facts. No model, no clock."""

import re
from datetime import date, timedelta

from daemon.replies import Reply, doubt, sentence_of, sources_of
from memory_store.facts import Fact
from memory_store.ledger import Ledger
from memory_store.verbs import news, to_you

CHANGES_AT_MOST = 12
_ASKS = re.compile(
    r"\W*(?:(?:so|and|ok|okay|hey|please|tell me|do you know)\W+)*what(?:['’]s| is| has| have| did)?(?: all)?\s+"
    r"(?P<what>(?:been )?chang(?:ed?|es)|new|(?:is |has been )?different|happened|been added|(?:i|we) (?:tell|told) you)"
    r"(?:\s+(?:in|with) (?:my|our|the) (?:facts|memory|notes|pages))?\s+"
    r"(?P<when>today|yesterday|lately|recently|this week|last week|this month|(?:since|in) (?:yesterday|last week|the last (?:few days|week|month)|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday))\W*",
    re.IGNORECASE,
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def lately(question: str, ledger: Ledger, today: str) -> Reply | None:
    """What changed in the days for which *question* asks; None where it asks for nothing of the kind."""
    m = _ASKS.fullmatch(question.strip())
    if m is None:
        return None
    first, last = _span(m["when"].lower(), date.fromisoformat(today))
    lines: list[str] = []
    shown: list[Fact] = []
    fresh: list[tuple[str, list[Fact]]] = []
    for attribute in ledger.attributes():
        facts = [fact for fact in ledger.current(attribute) if first <= (fact.since or "") <= last]
        if not facts:
            continue
        past = [
            fact for fact in ledger.timeline(attribute) if fact.until and first <= fact.until <= last and fact.value
        ]
        known = [fact for fact in facts if fact.state == "known" and fact.value]
        if facts[0].state == "unsure":
            lines.append(doubt(facts[0]))
        elif len(known) == len(past) == 1:
            told = news(attribute, to_you(known[0].value or ""), to_you(past[0].value or ""))
            lines.append(f"{told[:1].upper()}{told[1:]}.")
        elif known and past:
            every = [fact.value or "" for fact in ledger.current(attribute) if fact.value]
            gone = " or ".join(to_you(fact.value or "") for fact in past)
            lines.append(f"{sentence_of(attribute, every).removesuffix('.')}, no longer {gone}.")
        elif known:
            fresh.append((sentence_of(attribute, [fact.value or "" for fact in known]), known))
            continue
        else:
            continue
        shown += facts
    if not lines and not fresh:
        return Reply(f"Nothing that I know of changed {m['when'].lower()}.", "fact", (), 1.0, ())
    room = CHANGES_AT_MOST - len(lines)
    if fresh and room > 0:
        lines += ["New:" if lines else "Nothing changed; this is new:", *(line for line, _ in fresh[:room])]
        shown += [fact for _, facts in fresh[:room] for fact in facts]
    names = tuple(dict.fromkeys(fact.attribute for fact in shown))
    return Reply("\n".join(lines), "fact", sources_of(shown), 1.0, names)


def _span(when: str, today: date) -> tuple[str, str]:
    """The first and the last day that *when* means."""
    back, last = 0, today
    if when == "yesterday":
        back, last = 1, today - timedelta(days=1)
    elif "yesterday" in when:
        back = 1
    elif when == "last week":
        back, last = today.weekday() + 7, today - timedelta(days=today.weekday() + 1)
    elif "this week" in when:
        back = today.weekday()
    elif "month" in when:
        back = 31
    elif "week" in when or when in ("lately", "recently"):
        back = 7
    elif "few days" in when:
        back = 3
    elif (day := when.split()[-1]) in _DAYS:
        back = (today.weekday() - _DAYS.index(day)) % 7 or 7
    return (today - timedelta(days=back)).isoformat(), last.isoformat()
