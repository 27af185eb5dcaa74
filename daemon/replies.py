"""
What to say of the facts that were meant: now, before, or all of them; each with the lines it was read from.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from daemon.questions import Question
from daemon.wire import AnswerKind, Source
from memory_store.facts import Fact
from memory_store.ledger import Ledger
from memory_store.phrases import MAX_VALUE_WORDS
from memory_store.verbs import sentence, to_you, within, your

TOPIC_FACTS = 16
TOPIC_LEAST = 12  # so many are listed even where they are rather far from the topic
LONG = 50  # characters; longer values, such as quotations, are not listed beside others
TOPIC_CHARACTERS = 396
EVERYTHING_AT_MOST = 40  # facts in one reply
UNKNOWN = "I don't know that."
NEARBY = "What I know near it:"


@dataclass(frozen=True)
class Reply:
    """
    A plain answer. *kind*: fact, unsure, forgotten, or near: no answer, but what is known near it.

    *confidence* in [0, 1]: how surely the question meant these *attributes*. *sources* name the lines it was read
    from, and the rule behind a value that followed from one. *lacks*: stems of the question of which what is near tells
    nothing. *unanswered*: those of several questions to which nothing was found.
    """

    text: str
    kind: AnswerKind
    sources: tuple[Source, ...]
    confidence: float
    attributes: tuple[str, ...]
    lacks: frozenset[str] = frozenset()
    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meant:
    """An attribute that a question may mean, and how surely."""

    attribute: str
    score: float


def _is_exact(value: str) -> bool:
    """Whether *value* has the form of words that were to be kept as they are."""
    return "\n" in value or value.endswith((".", "!", "?")) or len(value.split()) > MAX_VALUE_WORDS


def told_now(best: Meant, ledger: Ledger) -> Reply:
    """What is known now of what was meant, that it is unsure, or that it was to be forgotten."""
    facts = ledger.current(best.attribute)
    known = [f for f in facts if f.state == "known" and f.value is not None]
    if known:
        text = sentence_of(known[0].attribute, [f.value or "" for f in known])
        if known[0].since and _SEEN_FROM_A_DAY.search(known[0].value or ""):
            text = f"{text.removesuffix('.')} (told on {known[0].since})."
        return reply_of(text, "fact", known, best)
    unsure = [f for f in facts if f.state == "unsure"]
    if unsure:
        return reply_of(doubt(unsure[0]), "unsure", unsure, best)
    fact = facts[0]
    since = f" on {fact.since}" if fact.since else ""
    return reply_of(f"You asked me to forget {your(fact.attribute)}{since}.", "forgotten", facts, best)


# `tomorrow` is another day by the time it is asked for
_SEEN_FROM_A_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming) (?:week|weekend|month|year|\w+day|spring|"
    r"summer|autumn|winter)|in (?:a|two|three|four|\d+) (?:days?|weeks?|months?))\b",
    re.IGNORECASE,
)


def told_nearby(best: Meant, ledger: Ledger) -> Reply:
    """What is known near what was asked, said to be no more than that."""
    told = told_now(best, ledger)
    if told.kind == "forgotten":
        return told  # what it was is not known, so neither whether it would have answered
    text = told.text if told.kind != "fact" else f"{NEARBY} {within(told.text)}"
    return replace(told, text=f"{UNKNOWN} {text}", kind="near")


def joined(one: Reply, other: Reply) -> Reply:
    """Both replies as one."""
    kind: AnswerKind = (
        one.kind if one.kind == other.kind else "unsure" if "unsure" in (one.kind, other.kind) else "fact"
    )
    return Reply(
        f"{one.text} {other.text}",
        kind,
        (*one.sources, *other.sources),
        one.confidence,
        (*one.attributes, *other.attributes),
    )


def doubt(fact: Fact) -> str:
    """That *fact* is no longer sure, and why, where that is known."""
    was = f": {_was(fact)}" if fact.was else f" about {your(fact.attribute)}"
    why = _because(fact)
    joint = ", but " if fact.was else ", because "
    return (
        f"I'm not sure any more{was}{joint}{why}."
        if why
        else f"I'm not sure any more{was}, and that may no longer hold."
    )


def _was(fact: Fact) -> str:
    """What *fact* told, as what was so, or is still, to stand within a sentence."""
    past = fact.until is not None or fact.state != "known"
    return within(sentence(fact.attribute, to_you(fact.value or fact.was or ""), past=past))


def _because(fact: Fact) -> str:
    on = f" on {fact.since}" if fact.since else ""
    if fact.cause and (m := re.match(r"^(?:\[\[.*?\]\]\s*)?\[(?P<a>.+?)\]\s*(?P<what>.*)$", fact.cause)):
        what = m["what"].strip() or "changed"
        what = {"unsure": "became uncertain", "forgotten": "was to be forgotten"}.get(what, what)
        return f"{your(m['a'])} {what}{on}"
    if fact.cause:
        return f"you told me{on}: “{fact.cause.rstrip('.')}”"
    return f"that changed{on}" if on else ""


def told_in_time(asked: Question, best: Meant, ledger: Ledger) -> Reply:
    """What was meant as it was before, or all that it ever was, oldest first."""
    timeline = ledger.timeline(best.attribute)
    valued = [f for f in timeline if f.value]
    if not valued:
        return told_now(best, ledger)
    if (beside := asked.before or asked.after) is not None:
        near = _beside(valued, beside, later=asked.after is not None)
        if near is None:
            return (
                told_now(best, ledger)
                if asked.after is not None or not _holds(valued, beside)
                else _none_before(valued[0], beside, best)
            )
        when = f" (until {near.until})" if near.until else ""
        word = "Before" if asked.before else "After"
        return reply_of(f"{word} {beside}, {_was(near)}{when}.", "fact", (near,), best)
    if asked.mode == "previous":
        past = [f for f in valued if f.until] or []
        if past:
            last = past[-1]
            until = f" (until {last.until})" if last.until else ""
            return reply_of(f"Before, {_was(last)}{until}.", "fact", past[-1:], best)
        now = told_now(best, ledger)
        if now.kind != "fact" or not _EARLIER.search(asked.text):
            return now
        return replace(now, text=f"I know of none before. {now.text}", kind="near")
    if len(valued) == 1 and ledger.current(best.attribute)[0].state == "known":
        return told_now(best, ledger)
    told = ", then ".join(f"{f.value}" + (f" (since {f.since})" if f.since and len(valued) < 5 else "") for f in valued)
    open_end = ""
    current = ledger.current(best.attribute)
    if current and current[0].state == "unsure":
        open_end = f"; since {current[0].since} I'm not sure" if current[0].since else "; now I'm not sure"
    return reply_of(
        f"{your(valued[-1].attribute, capital=True)}, oldest first: {told}{open_end}.", "fact", valued, best
    )


_EARLIER = re.compile(r"\b(?:before|previous(?:ly)?|former(?:ly)?|prior|earlier|used to)\b", re.IGNORECASE)


def _holds(valued: Sequence[Fact], value: str) -> bool:
    return any(_is_of(f, value) for f in valued)


def _is_of(fact: Fact, value: str) -> bool:
    held = f" {(fact.value or '').casefold()} "
    return f" {value.casefold()} " in held or f" {value.casefold().removeprefix('the ')} " in held


def _beside(valued: Sequence[Fact], value: str, *, later: bool) -> Fact | None:
    """The value right before (*later*: right after) the last that is *value*; None where there is none."""
    places = [i for i, f in enumerate(valued) if _is_of(f, value)]
    if not places:
        return None
    place = places[-1] + (1 if later else -1)
    return valued[place] if 0 <= place < len(valued) else None


def _none_before(first: Fact, value: str, best: Meant) -> Reply:
    return reply_of(
        f"I know of none before {value}: {_was(first)} from the first.",
        "fact",
        (first,),
        best,
    )


def told_of_all(ranked: Sequence[Meant], ledger: Ledger) -> Reply | None:
    """Everything near the topic, best first, as short lines; what was forgotten is left out."""
    top = ranked[0].score
    if top < 0.12:
        return None
    picked: list[Fact] = []
    lines: list[str] = []
    names: list[str] = []
    doubts = False
    for entry in ranked[:TOPIC_FACTS]:
        if entry.score < 0.3 * top and len(lines) >= TOPIC_LEAST:
            break
        facts = ledger.current(entry.attribute)
        values = [f.value for f in facts if f.value and f.state == "known"]
        if values:
            if len(values[0]) > LONG and entry.score < 0.6:
                continue
            line = f"{facts[0].attribute.removeprefix('we ')}: {', '.join(values)}"
        elif facts and facts[0].state == "unsure":
            line = f"{facts[0].attribute}: not sure" + (f" (was {facts[0].was})" if facts[0].was else "")
            doubts = True
        else:
            continue
        if lines and sum(map(len, lines)) + len(line) > TOPIC_CHARACTERS:
            break
        lines.append(line)
        names.append(entry.attribute)
        picked += facts
    if not lines:
        return None
    kind: AnswerKind = "unsure" if doubts and len(lines) == 1 else "fact"
    return Reply("; ".join(lines) + ".", kind, sources_of(picked), min(top, 1.0), tuple(names))


def everything(ledger: Ledger, *, shared: bool) -> Reply | None:
    """All that is known of the owner, a fact a line, what is *shared* first where it was asked for."""
    told: list[tuple[int, str, str, tuple[Fact, ...]]] = []
    for attribute in ledger.attributes():
        facts = ledger.current(attribute)
        values = [f.value.splitlines()[0] for f in facts if f.value and f.state == "known"]
        place = {"Me.md": 0, "Us.md": -1 if shared else 1}.get(facts[0].path.rpartition("/")[2], 2)
        if values:
            told.append((place, sentence_of(facts[0].attribute, values), attribute, facts))
        elif facts[0].state == "unsure":
            told.append((place, doubt(facts[0]), attribute, facts))
    if not told:
        return None
    told.sort(key=lambda entry: entry[0])
    shown = told[:EVERYTHING_AT_MOST]
    lines = [line for _, line, _, _ in shown]
    if len(told) > len(shown):
        lines.append(f"And {len(told) - len(shown)} more, on your pages below facts/.")
    return Reply(
        "\n".join(lines),
        "fact",
        sources_of([fact for *_, facts in shown for fact in facts]),
        1.0,
        tuple(attribute for _, _, attribute, _ in shown),
    )


def reply_of(text: str, kind: AnswerKind, facts: Sequence[Fact], best: Meant) -> Reply:
    """*text* as a reply that was read from *facts*."""
    return Reply(text, kind, sources_of(facts), min(best.score, 1.0), (best.attribute,))


def sources_of(facts: Sequence[Fact]) -> tuple[Source, ...]:
    """The lines of *facts*."""
    return tuple(map(source_of, facts))


def source_of(fact: Fact) -> Source:
    """The line of *fact*."""
    return Source(
        path=fact.path,
        start_line=fact.line,
        end_line=max(fact.end_line, fact.line),
        text=f"[{fact.attribute}] {fact.value or ('?' if fact.state == 'unsure' else '(forgotten)')}",
        rule=fact.cause,
    )


def sentence_of(attribute: str, values: Sequence[str]) -> str:
    """*attribute* and its *values* as one sentence."""
    value = " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
    text = sentence(attribute, value if _is_exact(value) else to_you(value))
    if "\n" in value and text.endswith(value):
        # several lines, kept word for word, stand on lines of their own
        return f"{text.removesuffix(value).strip().removesuffix(' is').removesuffix(' are')}:\n{value}"
    return text if text.endswith((".", "!", "?")) else text + "."
