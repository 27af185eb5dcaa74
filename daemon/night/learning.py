"""
The two lessons of a night: experiences from finished conversations, and rules on how to use memory.

Both decide on an overlay of memory and write nothing; see `lessons` for what becomes of it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import groupby

import msgspec

from daemon.answer import answer
from daemon.context import Passage
from daemon.night.blocks import Blocks, RetrievalTrial, retrieved
from daemon.night.experiences import Conversation, learn, spare
from daemon.night.lessons import LessonRecord, of_edit, of_kept, of_spared, of_suggestion
from daemon.night.loop import Origin, Outcome, Probe, Reward, Similarity, Source
from daemon.night.meta_page import MetaRule
from daemon.night.metamem import Trial, edits_between, evolve
from daemon.night.mind import ReadingTrial, Says, drawing, reflecting
from daemon.night.reflection import RuleMade
from daemon.night.state import NightState, Question
from daemon.night.triggers import moment
from daemon.night.verdict import holds
from memory_store.journal import Turn
from memory_store.ledger import Ledger

LEAST_HELD = 4
MOST_PROBES = 60
MOST_CONVERSATIONS = 20
MOST_OF_ONE = 4
PAUSE = timedelta(minutes=30)
SETTLED = timedelta(minutes=10)
REFLECTED = "reflected"
_LOOKED_AT = 90
_SOURCES = 3

Find = Callable[[str, int], Sequence[Passage]]


@dataclass
class Learned:
    """
    What came of a lesson: success *before* and *after* over *asked* questions, and why it *stopped*. With *done* of its
    conversations it is done.
    """

    lessons: list[LessonRecord] = field(default_factory=list)
    before: float = 0.0
    after: float = 0.0
    asked: int = 0
    stopped: str = ""
    tokens: int = 0
    done: int = 0


class Looked:
    """Searches, each made once and deep enough for every directive."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._known: dict[str, Sequence[Passage]] = {}

    def __call__(self, question: str, limit: int) -> Sequence[Passage]:
        if question not in self._known:
            self._known[question] = self._find(question, _LOOKED_AT)
        return self._known[question][:limit]


def learn_rules(
    blocks: Blocks,
    rules: tuple[MetaRule, ...],
    probes: Sequence[Probe],
    mind: Says,
    *,
    rng: random.Random,
    go_on: Callable[[], bool],
    written: tuple[MetaRule, ...] | None = None,
) -> Learned:
    """
    Edits of META.md that questions held back do better under, of which two thirds teach and a third judges.

    *written* are the rules as the page has them, where their records are behind those of *rules*.

    A model that is trusted to read is asked; else what is retrieved decides, and directives alone are learned.
    """
    held = [probe for probe in probes if _is_held(probe)]
    taught = [probe for probe in probes if not _is_held(probe)]
    page = rules if written is None else written
    if len(held) < LEAST_HELD or len(taught) < LEAST_HELD:
        counted = [of_edit(edit, page, "its record", Reward(0.0, 0.0)) for edit in edits_between(page, rules)]
        return Learned(counted, stopped=f"{len(probes)} questions are too few to learn rules from")
    trial: Trial = ReadingTrial(blocks, mind) if mind.can("read") else RetrievalTrial(blocks)
    reflect = reflecting(mind, RuleMade(lambda: blocks.ledger))
    evolution = evolve(rules, taught, held, trial, reflect, rng=rng, go_on=go_on)
    why = {lesson.key: lesson.why for lesson in evolution.kept}
    reward = Reward(evolution.before, evolution.after)
    records = [of_edit(edit, page, "", reward) for edit in edits_between(page, evolution.rules)]
    for record in records:
        told = [reason for key, reason in why.items() if record.text.casefold()[:-1] in key]
        record.why = told[0] if told else "it was measured again"
    records += [of_suggestion(lesson, rules) for lesson in evolution.suggestions]
    return Learned(records, evolution.before, evolution.after, len(probes), f"{len(evolution.steps)} steps")


def _is_held(probe: Probe) -> bool:
    """Whether a question judges rather than teaches, always the same."""
    return blake2b(probe.id.encode(), digest_size=2).digest()[0] % 3 == 0


def learn_experiences(
    blocks: Blocks,
    conversations: Sequence[Conversation],
    probes: Sequence[Probe],
    mind: Says,
    *,
    similarity: Similarity | None = None,
    go_on: Callable[[], bool],
) -> Learned:
    """Experiences drawn from *conversations* that *probes* do better with, and those that are no longer needed."""
    judge: Callable[[Blocks, Probe], Outcome] = retrieved
    if mind.can("read"):
        judge = ReadingTrial(blocks, mind).outcome
    epoch = learn(blocks, conversations, probes, drawing(mind), judge, similarity=similarity, go_on=go_on)
    records = [of_kept(kept) for kept in epoch.kept]
    if go_on() and not epoch.kept:
        enough = spare(blocks, probes, judge)
        records += [of_spared(each, epoch.after) for each in blocks.experiences if each not in enough]
    told = f"{epoch.tried} candidates tried"
    return Learned(records, epoch.before, epoch.after, len(probes), told, done=epoch.done)


# -- what to learn from ---


def with_answers(
    questions: Sequence[Question], ledger: Ledger, gate: Callable[[], object] = lambda: None
) -> list[Question]:
    """*questions*; one that failed when it was asked has the answer that a fact surely gives by now, where one does."""
    found = []
    for question in questions:
        gate()
        known = "" if question.answer.strip() else _answer_by_now(question.question, ledger)
        found.append(msgspec.structs.replace(question, answer=known) if known else question)
    return found


def _answer_by_now(question: str, ledger: Ledger) -> str:
    told = answer(question, ledger, today="")
    if told is None or told.kind != "fact" or len(told.attributes) != 1:
        return ""
    values = [fact.value for fact in ledger.current(told.attributes[0]) if fact.state == "known"]
    return values[0] or "" if len(values) == 1 else ""


def training(find: Find, ledger: Ledger, real: Sequence[Question], made: Sequence[Probe]) -> list[Probe]:
    """
    Questions with a known answer: the owner's own first, those over the ledger's timelines and rules, then *made* ones.

    A real question counts where its answer can be found in memory, word for word.
    """
    found: dict[str, Probe] = {}
    for probe in (*_real(find, real), *ledger_probes(ledger), *made):
        found.setdefault(f"{probe.question} {probe.answer}".casefold(), probe)
    return list(found.values())[:MOST_PROBES]


def _real(find: Find, questions: Sequence[Question]) -> Iterator[Probe]:
    origins: dict[str, Origin] = {"correction": "correction", "feedback": "feedback"}
    for question in reversed(questions):
        if not question.answer.strip():
            continue
        holding = [
            Source(passage.path, passage.start_line, passage.end_line)
            for passage in find(f"{question.question} {question.answer}", 10)
            if holds(passage.text, question.answer)
        ][:1]
        if holding:
            origin = origins.get(question.origin, "failed")
            yield _probe(question.question, question.answer, holding, origin, question.origin)


def ledger_probes(ledger: Ledger) -> Iterator[Probe]:
    """Questions on what was, in what order, and on what hangs on what; the answers are the lines of facts."""
    for attribute in ledger.attributes():
        line = [fact for fact in ledger.timeline(attribute) if fact.value]
        before = [fact for fact in line if fact.until]
        if before and len(line) > 1:
            old = before[-1]
            yield _probe(
                f"Which {attribute} came before the present one?",
                old.value or "",
                [Source(old.path, old.line, old.end_line or old.line)],
                pattern="past",
            )
            if len(line) < _SOURCES * 2:
                yield _probe(
                    f"List every {attribute} in the order in which it held.",
                    ", ".join(fact.value or "" for fact in line),
                    [Source(fact.path, fact.line, fact.end_line or fact.line) for fact in line],
                    pattern="order",
                )
        for rule in ledger.rules_on(attribute):
            for fact in ledger.current(rule.then.attribute)[:1]:
                if fact.value:
                    yield _probe(
                        f"What happens to other things when the {attribute} changes, and how do they stand?",
                        fact.value,
                        [Source(fact.path, fact.line, fact.end_line or fact.line)],
                        pattern="dependency",
                    )


def _probe(question: str, answer: str, sources: Sequence[Source], origin: Origin = "rule", pattern: str = "") -> Probe:
    name = blake2b(f"{question}|{sources[0].path}:{sources[0].start_line}".encode(), digest_size=8).hexdigest()
    return Probe(name, question, answer, tuple(sources), origin, pattern)


def conversations(
    turns: Sequence[tuple[str, Turn]], probes: Sequence[Probe], *, since: str, now: datetime
) -> list[Conversation]:
    """
    The finished conversations among *turns* (with the paths of their pages), oldest first, that ended after *since*.

    One ends where nobody spoke for half an hour; the last counts once it has been still for ten minutes. Each brings
    the *probes* that were asked in it or that it answers.
    """
    found: list[Conversation] = []
    for talk in _talks(turns):
        if moment(talk[-1][1].when) <= moment(since) or not is_settled(talk[-1][1], now):
            continue
        said = tuple(turn.text for _, turn in talk if turn.speaker == "user")
        asked = {text.strip().casefold() for text in said}
        mine = [
            probe
            for probe in probes
            if probe.question.strip().casefold() in asked
            or any(source.path == path and turn.start_line <= source.end_line and source.start_line <= turn.end_line
                   for source in probe.sources for path, turn in talk)
        ][:MOST_OF_ONE]  # fmt: skip
        if said and mine:
            found.append(Conversation(said, talk[0][0].removesuffix(".md"), tuple(mine), talk[-1][1].when))
    return found[-MOST_CONVERSATIONS:]


def _talks(turns: Sequence[tuple[str, Turn]]) -> Iterator[list[tuple[str, Turn]]]:
    talk: list[tuple[str, Turn]] = []
    for _, entry in groupby(turns, key=lambda one: (one[0], one[1].entry)):
        these = list(entry)
        here, before = _when(these[0][1]), _when(talk[-1][1]) if talk else None
        apart = here is None or before is None or here - before > PAUSE or these[0][0] != talk[-1][0]
        if talk and (apart or these[0][1].session != talk[-1][1].session):
            yield talk
            talk = []
        talk += these
    if talk:
        yield talk


def is_settled(turn: Turn, now: datetime) -> bool:
    """Whether *turn* was said long enough ago that its conversation may count as finished."""
    when = _when(turn)
    return when is not None and now - when >= SETTLED


def _when(turn: Turn) -> datetime | None:
    try:
        when = datetime.fromisoformat(turn.when)
    except ValueError:
        return None
    return when if when.tzinfo else when.astimezone()


def until_when(talks: Sequence[Conversation], done: int, settled: Sequence[str], since: str) -> str:
    """
    When the last thing ended that was reflected on: of *talks* so many were *done*, the others are left for next time.

    With all of them done nothing that is *settled* is left, whether a question came of it or not.
    """
    if done < len(talks):
        return talks[done - 1].ended if done else since
    return max(settled, default=since, key=moment)


class Reflected(msgspec.Struct):
    """How far conversations have been reflected on: when the last of them ended."""

    until: str = ""


def reflected(state: NightState) -> str:
    """When the last conversation that was reflected on ended; empty for none."""
    kept = state.read(REFLECTED, Reflected)
    return kept.until if kept else ""
