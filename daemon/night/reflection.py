"""
What went wrong with an answer, and which rules would have helped: by a fixed grammar of failures, or by a model.

The grammar knows kinds of mistakes and kinds of questions, never words of the owner's notes but as the topic of a
specific rule; so a note cannot become a rule (pain 30).
"""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from daemon.context import content_words
from daemon.directives import MOST_HITS, UNDIRECTED, Directive, Kind, kinds_of
from daemon.night.loop import Probe, Source
from daemon.night.meta_page import Add, Change, Drop, MetaRule
from daemon.night.metamem import Lesson, Sample
from daemon.night.verdict import RIGHT, UNKNOWN, declines, holds, items, numbers, words
from daemon.passages import kind_of
from memory_store.ledger import Ledger

Failure = Literal[
    "counted twice",
    "left out of a count",
    "a value that was replaced",
    "the value of today for one of the past",
    "a plan taken for an event",
    "the wrong order",
    "declined what memory holds",
    "answered what memory does not hold",
    "somebody else's words",
    "a day left relative",
    "too many words",
    "too few passages",
    "the passage beside it",
    "too few facts",
    "too little of the journal",
    "too little of the notes",
    "past values left out",
    "what it depends on left out",
]

_PLAN = re.compile(
    r"\b(?:will|'ll|plan(?:s|ned|ning)?|going to|want(?:s|ed)? to|hop(?:e|es|ing|ed)|might|may|intend\w*"
    r"|thinking (?:of|about)|consider\w*|would like|wish\w*|next (?:week|month|year)|book(?:ed|ing)? for|schedul\w+)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:week|month|year|night|\w+day)|\w+ (?:days?|weeks?"
    r"|months?|years?) ago)\b",
    re.IGNORECASE,
)
_OVERTAKEN = re.compile(r"\b(?:overtaken|earlier|until|was|no longer)\b", re.IGNORECASE)
_SPEAKER = re.compile(r"^\W*(?:\*\*)?([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)(?:\*\*)?:")
_NAMES: dict[Kind, str] = {
    "total": "totals",
    "order": "order",
    "past": "the past",
    "now": "how things are now",
    "date": "dates",
    "person": "people",
    "place": "places",
    "reason": "reasons",
    "list": "lists",
    "plan": "plans",
    "check": "yes or no",
}
_ADDED_AT_MOST = 14
_BESIDE = 12

_COUNTS: tuple[Kind, ...] = ("total",)
_NOW: tuple[Kind, ...] = ("now", "person", "place")
_THEN: tuple[Kind, ...] = ("past", "order")


@dataclass(frozen=True, slots=True)
class Remedy:
    """A rule that a kind of failure asks for. *bound*: only for the kinds of question that it failed at."""

    text: str
    when: tuple[Kind, ...] = ()
    does: Directive = UNDIRECTED
    bound: bool = False

    def says(self, text: str) -> bool:
        """Whether *text* is this, for whatever questions."""
        return text.endswith(self.text[1:])

    def worded(self, when: Sequence[Kind], about: Sequence[str]) -> str:
        """This, for some questions."""
        if not self.bound:
            return self.text
        names = [_NAMES[kind] for kind in when] or [f"what concerns {word}" for word in about]
        return f"For {' and '.join(names)}, {self.text[0].lower()}{self.text[1:]}" if names else self.text


REMEDIES: dict[Failure, tuple[Remedy, ...]] = {
    "counted twice": (
        Remedy("For totals, use the stated total and leave out its parts.", _COUNTS),
        Remedy("For totals, count each thing once, even where it is told twice.", _COUNTS),
    ),
    "left out of a count": (Remedy("For totals, go through every line and add up all that fits.", _COUNTS),),
    "a value that was replaced": (
        Remedy("Use the latest value and leave out the ones that it replaced, unless asked about the past."),
        Remedy("For how things are now, read what was told last as what holds.", _NOW, Directive(order="time")),
        Remedy("For how things are now, leave out values of the past.", _NOW, Directive(past=False)),
    ),
    "the value of today for one of the past": (
        Remedy("For the past, give the value that held then, not the one of today.", _THEN, Directive(past=True)),
    ),
    "a plan taken for an event": (
        Remedy("What was planned, wished or booked has not happened: it counts only where it is told that it did."),
        Remedy("For totals, leave out what was only planned.", _COUNTS),
    ),
    "the wrong order": (
        Remedy("For order, go by the dates, earliest first.", ("order",), Directive(past=True, order="time")),
        Remedy("Read in the order of time.", does=Directive(order="time"), bound=True),
    ),
    "declined what memory holds": (Remedy("Where memory holds the answer, give it; decline only where it does not."),),
    "answered what memory does not hold": (Remedy("Where memory does not say, answer that it is not known."),),
    "somebody else's words": (Remedy("Say of each person only what they said, or what was said of them."),),
    "a day left relative": (Remedy("Turn words such as yesterday into the date, by the day on which they were said."),),
    "too many words": (Remedy("Answer with the value alone."),),
    "too few passages": (
        Remedy("Look at more passages.", does=Directive(hits=12), bound=True),
        Remedy("Look at many passages.", does=Directive(hits=20), bound=True),
    ),
    "the passage beside it": (
        Remedy("Read what stands around each passage too.", does=Directive(widen=1), bound=True),
        Remedy("Read well around each passage.", does=Directive(widen=2), bound=True),
    ),
    "too few facts": (Remedy("Read facts before passages.", does=Directive(prefer="facts"), bound=True),),
    "too little of the journal": (
        Remedy("Read conversations before other passages.", does=Directive(prefer="journal"), bound=True),
    ),
    "too little of the notes": (
        Remedy("Read notes before other passages.", does=Directive(prefer="notes"), bound=True),
    ),
    "past values left out": (
        Remedy("Give earlier values too.", does=Directive(past=True), bound=True),
        Remedy("Give earlier values too, in the order of time.", does=Directive(past=True, order="time"), bound=True),
    ),
    "what it depends on left out": (
        Remedy("Give what a fact depends on, and what depends on it.", does=Directive(expand=True), bound=True),
    ),
}


def failures(probe: Probe, sample: Sample, ledger: Ledger | None = None) -> tuple[Failure, ...]:
    """What went wrong with *sample*, likeliest first; nothing where it is right."""
    if sample.success >= RIGHT:
        return ()
    unknown = probe.answer.strip().casefold().rstrip(".") in UNKNOWN
    if not unknown and not _is_shown(probe, sample):
        return tuple(_missed(probe, sample, ledger))
    if not sample.answer:
        return ("the wrong order",) if len(probe.sources) > 1 else ()
    return tuple(dict.fromkeys(_misread(probe, sample, unknown)))


def _is_shown(probe: Probe, sample: Sample) -> bool:
    missing = [source for source in probe.sources if not any(shown.meets(source) for shown in sample.shown)]
    return not missing or (holds(sample.block, probe.answer) and len(probe.sources) < 2) or not sample.shown


def _missed(probe: Probe, sample: Sample, ledger: Ledger | None) -> list[Failure]:
    """Evidence that was not among what was read."""
    found: list[Failure] = []
    for source in probe.sources:
        if any(shown.meets(source) for shown in sample.shown):
            continue
        facts = ledger.pages.get(source.path) if ledger is not None else None
        if facts is not None and any(fact.line == source.start_line for fact in facts.past):
            found.append("past values left out")
        elif facts is not None:
            found += ["what it depends on left out", "too few facts"]
        if any(_beside(shown, source) for shown in sample.shown):
            found.append("the passage beside it")
        kinds = [kind_of(shown.path) for shown in sample.shown]
        kind = kind_of(source.path)
        if kind != "facts":
            found.append("too few passages")
            if kinds.count(kind) < len(kinds):
                found.append("too little of the journal" if kind == "journal" else "too little of the notes")
    return list(dict.fromkeys(found))


def _beside(shown: Source, source: Source) -> bool:
    apart = max(shown.start_line - source.end_line, source.start_line - shown.end_line)
    return shown.path == source.path and 0 < apart <= _BESIDE


def _misread(probe: Probe, sample: Sample, unknown: bool) -> list[Failure]:
    """The answer stood in what was read, and something else was said."""
    question, gold, answer = probe.question, probe.answer, sample.answer
    if unknown:
        return ["answered what memory does not hold"]
    if declines(answer):
        return ["declined what memory holds"]
    found: list[Failure] = []
    lines = sample.block.splitlines()
    wanted, said = numbers(gold), numbers(answer)
    if len(wanted) == 1 and said and "total" in kinds_of(question):
        if said[-1] > wanted[0]:
            found += ["counted twice"] if _adds_up(said[-1] - wanted[0], numbers(sample.block)) else []
            found += ["a plan taken for an event"] if any(_PLAN.search(line) for line in lines) else []
            found += ["counted twice"]
        elif said[-1] < wanted[0]:
            found.append("left out of a count")
    if sorted(items(gold)) == sorted(items(answer)) and items(gold) != items(answer):
        return ["the wrong order"]
    if len(items(gold)) > 1 and "order" in kinds_of(question):
        found.append("the wrong order")
    if _RELATIVE.search(answer) and not _RELATIVE.search(gold):
        found.append("a day left relative")
    theirs = [i for i, line in enumerate(lines) if holds(line, answer) or (said and said == numbers(line)[:1])]
    mine = [i for i, line in enumerate(lines) if holds(line, gold)]
    if theirs and any(_PLAN.search(lines[i]) for i in theirs) and not any(_PLAN.search(lines[i]) for i in mine):
        found.append("a plan taken for an event")
    if not theirs and _yes(answer) and not _yes(gold) and any(_PLAN.search(line) for line in lines):
        found.append("a plan taken for an event")
    if theirs and mine and theirs != mine:
        if "past" in kinds_of(question):
            found.append("the value of today for one of the past")
        if "past" not in kinds_of(question) or "now" in kinds_of(question) or _OVERTAKEN.search(lines[theirs[0]]):
            found.append("a value that was replaced")
        speakers = {match[1] for i in (*theirs, *mine) if (match := _SPEAKER.match(lines[i].lstrip("->* ")))}
        if len(speakers) > 1:
            found.append("somebody else's words")
    if set(words(gold)) < set(words(answer)):
        found.append("too many words")
    return found


def _yes(text: str) -> bool:
    return text.strip().casefold().startswith("yes")


def _adds_up(excess: float, found: Sequence[float]) -> bool:
    """Whether some of the numbers that were read come to *excess*."""
    few = [number for number in dict.fromkeys(found) if 0 < number <= excess][:_ADDED_AT_MOST]
    return any(
        abs(sum(some) - excess) < 1e-6
        for size in range(1, min(4, len(few)) + 1)
        for some in itertools.combinations(few, size)
    )


@dataclass(frozen=True)
class RuleMade:
    """Reflects by the fixed grammar: failures of the wrong samples, then rules against them."""

    ledger: Callable[[], Ledger] | None = None

    def __call__(self, probe: Probe, samples: Sequence[Sample], rules: Sequence[MetaRule]) -> list[Lesson]:
        """What *rules* should learn from *probe*."""
        ledger = self.ledger() if self.ledger else None
        found: dict[Failure, None] = {}
        for sample in samples:
            found.update(dict.fromkeys(failures(probe, sample, ledger)))
        lessons: dict[str, Lesson] = {}
        for failure in found:
            for lesson in self._lessons(failure, probe, rules):
                lessons.setdefault(lesson.key, lesson)
        return list(lessons.values())

    def _lessons(self, failure: Failure, probe: Probe, rules: Sequence[MetaRule]) -> list[Lesson]:
        lessons = []
        for remedy in REMEDIES[failure]:
            mine = next((rule for rule in rules if not rule.by_hand and remedy.says(rule.text)), None)
            wanted = _worded(remedy, probe)
            if mine is None:
                lessons += [Lesson(Add(rule), failure) for rule in wanted]
                continue
            if mine.applies(probe.question):  # it is there, and did not help enough
                stronger = _stronger(mine.directive)
                if stronger != mine.directive:
                    lessons.append(Lesson(Change(mine.id, replace(mine, directive=stronger)), failure))
                if mine.hurt > mine.helped:
                    lessons.append(Lesson(Drop(mine.id), failure))
            else:
                when = tuple(
                    dict.fromkeys((*mine.directive.when, *(k for rule in wanted for k in rule.directive.when)))
                )
                if not when:
                    continue
                wider = replace(
                    mine,
                    text=remedy.worded(when, ()),
                    directive=replace(mine.directive, when=when, about=()),
                    scope="general",
                )
                lessons.append(Lesson(Change(mine.id, wider), failure))
        return lessons


def _worded(remedy: Remedy, probe: Probe) -> list[MetaRule]:
    """*remedy* for all questions of a kind, and, where the owner asked, for those on the same topic."""
    if not remedy.bound:
        directive = replace(remedy.does, when=remedy.when) if remedy.does.acts else remedy.does
        return [MetaRule(remedy.text, directive, "general")]
    kinds = tuple(sorted(kinds_of(probe.question)))
    topic = topic_of(probe.question)
    harmless = remedy.does.hits is not None or remedy.does.widen is not None
    whens: list[tuple[Kind, ...]] = [()] if harmless else []  # what brings more, and hides nothing, may be for all
    whens += [(kind,) for kind in kinds] + ([kinds] if len(kinds) > 1 else [])
    found = [MetaRule(remedy.worded(when, ()), replace(remedy.does, when=when)) for when in whens]
    if topic and probe.origin != "rule":
        found.append(MetaRule(remedy.worded((), topic), replace(remedy.does, about=topic), "specific"))
    return found


def topic_of(question: str) -> tuple[str, ...]:
    """The longest word of *question* that carries meaning, if any."""
    carried = content_words(question)
    spelt = [word for word in re.findall(r"[^\W\d_]{4,}", question.casefold()) if content_words(word) & carried]
    return (max(spelt, key=len),) if spelt else ()


def _stronger(directive: Directive) -> Directive:
    if directive.hits is not None:
        return replace(directive, hits=min(MOST_HITS, directive.hits + 8))
    if directive.widen is not None:
        return replace(directive, widen=min(3, directive.widen + 1))
    return directive


# -- by a model ---

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "rules": {
            "type": "array",
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "operation": {"enum": ["ADD", "DEL", "MOD"]},
                    "id": {"type": "string", "maxLength": 6},
                    "rule": {"type": "string", "maxLength": 200},
                    "scope": {"enum": ["general", "specific"]},
                },
                "required": ["operation", "id", "rule", "scope"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["rules"],
    "additionalProperties": False,
}
_PROMPT = (
    "Answers to a question from memory were sometimes right and sometimes wrong. Say which rules on how to use memory "
    "would make them right: ADD a rule, MOD the rule of an id, or DEL it. A rule is one sentence, holds for other "
    "questions of its kind (general) or for this topic (specific), and names no answer.\n\n"
    "Rules now:\n{rules}\n\nQuestion: {question}\nRight answer: {gold}\nAnswers given:\n{answers}"
)
_ORDERS = re.compile(r"\b(?:ignore|disregard|system prompt|instructions?)\b|[<>`\[\]{}]|https?:", re.IGNORECASE)


class _Proposed(msgspec.Struct):
    operation: Literal["ADD", "DEL", "MOD"]
    id: str = ""
    rule: str = ""
    scope: Literal["general", "specific"] = "general"


class _Reply(msgspec.Struct):
    rules: list[_Proposed]


def prompt(probe: Probe, samples: Sequence[Sample], rules: Sequence[MetaRule]) -> str:
    """What a model is asked to reflect on. It sees the owner's own question and answers, not pages."""
    return _PROMPT.format(
        rules="\n".join(rule.advice() for rule in rules) or "(none)",
        question=probe.question,
        gold=probe.answer,
        answers="\n".join(
            f"- {sample.answer} ({'right' if sample.success >= RIGHT else 'wrong'})" for sample in samples
        ),
    )


def read_reply(text: str, probe: Probe, rules: Sequence[MetaRule]) -> list[Lesson] | None:
    """
    The lessons in a model's answer; None where it is not in the form that was asked for.

    A rule that gives orders of another kind, holds the answer itself, or names an id that is none, is left out.
    """
    try:
        reply = msgspec.json.decode(text.strip().encode("utf-8", "replace"), type=_Reply)
    except msgspec.MsgspecError:
        return None
    known = {rule.id: rule for rule in rules if rule.id and not rule.by_hand}
    lessons = []
    for one in reply.rules[:3]:
        said = " ".join(one.rule.split())[:200]
        sound = len(words(said)) > 2 and not _ORDERS.search(said) and not holds(said, probe.answer)
        if one.operation == "DEL" and one.id in known:
            lessons.append(Lesson(Drop(one.id), "a model's reflection"))
        elif one.operation == "MOD" and one.id in known and sound:
            changed = replace(known[one.id], text=said, scope=one.scope)
            lessons.append(Lesson(Change(one.id, changed), "a model's reflection"))
        elif one.operation == "ADD" and sound:
            lessons.append(Lesson(Add(MetaRule(said, scope=one.scope)), "a model's reflection"))
    return lessons
