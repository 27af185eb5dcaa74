"""
Rules on how to use memory, learned from questions (MetaMem, arXiv 2602.11182).

In mini-batches: answers are sampled and judged, what went wrong is reflected on, and the additions, changes and
removals of rules that come of it are kept only where other questions, held back for that, are answered better.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from daemon.directives import Directive
from daemon.night.loop import Outcome, Paused, Probe, Reward, Source, marginal_utility
from daemon.night.meta_page import MOST_LEARNED, Add, Change, Drop, Edit, MetaRule, next_id
from daemon.night.verdict import RIGHT

SAMPLES = 5
TEMPERATURE = 0.7
BATCH = 8
PATIENCE = 5
TRIED = 10
MOST_HARM = 0.5
NOTHING = Reward(0.0, 0.0)

Rules: TypeAlias = tuple[MetaRule, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """One try at a question: what was *shown* and read (*block*), what was answered, and how right that is."""

    success: float
    answer: str = ""
    block: str = ""
    shown: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """An *edit* of the rules, and *why*: what went wrong. *support* counts the questions that ask for it."""

    edit: Edit
    why: str
    support: int = 1

    @property
    def key(self) -> str:
        """Equal for lessons that would do the same."""
        match self.edit:
            case Add(rule):
                return f"add {rule.key}"
            case Change(id, rule):
                return f"change {id} {rule.key}"
            case Drop(id):
                return f"drop {id}"

    @property
    def kind(self) -> str:
        """A rule's."""
        return "rule"

    def describe(self) -> str:
        """What it does and why, in one line."""
        match self.edit:
            case Add(rule):
                return f"rule added: {rule.text} ({self.why})"
            case Change(id, rule):
                return f"rule {id} changed: {rule.text} ({self.why})"
            case Drop(id):
                return f"rule {id} dropped ({self.why})"


class Trial(Protocol):
    """
    Tries a question under some rules. The same seed gives the same sample, so that rules are compared like with like.
    *samples* is how many tries tell more than one does: 1 where nothing is left to chance.
    """

    @property
    def samples(self) -> int: ...

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample: ...


Reflect = Callable[[Probe, Sequence[Sample], Sequence[MetaRule]], Sequence[Lesson]]


@dataclass(frozen=True, slots=True)
class Step:
    """One mini-batch: how many questions *taught*, what was proposed and what was *kept*, and what that did."""

    asked: int
    taught: int
    proposed: tuple[Lesson, ...] = ()
    kept: tuple[Lesson, ...] = ()
    reward: Reward = NOTHING


@dataclass(frozen=True, slots=True)
class Evolution:
    """*rules* as they came to be, from *before* to *after* in success on the questions held back, step by step."""

    rules: Rules
    before: float
    after: float
    steps: tuple[Step, ...]
    suggestions: tuple[Lesson, ...] = ()

    @property
    def kept(self) -> tuple[Lesson, ...]:
        """All that was kept, in order."""
        return tuple(lesson for step in self.steps for lesson in step.kept)


def evolve(
    rules: Rules,
    training: Sequence[Probe],
    validation: Sequence[Probe],
    trial: Trial,
    reflect: Reflect,
    *,
    rng: random.Random,
    batch: int = BATCH,
    patience: int = PATIENCE,
    most_harm: float = MOST_HARM,
    go_on: Callable[[], bool] = lambda: True,
) -> Evolution:
    """
    *rules* improved on *training*, kept where *validation* says so; rules by hand stay as they are.

    Each lesson of a batch is tried on top of those kept before it, the most supported first. Ends after *patience*
    steps without gain, or as soon as *go_on* says no.
    """

    def tried(probe: Probe, under: Sequence[MetaRule]) -> list[Sample]:
        found = []
        for seed in range(trial.samples):
            if not go_on():
                raise Paused
            found.append(trial(probe, under, seed))
        return found

    held = _Held(validation, tried, reads=trial.samples > 1)
    try:
        outcomes = held.outcomes(rules)
    except Paused:
        return Evolution(rules, 0.0, 0.0, ())
    before = _mean(outcomes)
    steps: list[Step] = []
    idle = 0
    queue: list[Probe] = []
    while training and validation and idle < patience and go_on():
        if not queue:
            queue = rng.sample(list(training), len(training))
        asked, queue = queue[:batch], queue[batch:]
        lessons: list[Lesson] = []
        taught = 0
        try:
            for probe in asked:
                samples = tried(probe, rules)
                if teaches(samples):
                    taught += 1
                    lessons += reflect(probe, samples, rules)
        except Paused:
            break
        proposed = without_conflicts(lessons, rules)
        kept: tuple[Lesson, ...] = ()
        start = outcomes
        for lesson in proposed[:TRIED]:
            changed = applied(rules, (lesson,))
            try:
                after = held.outcomes(changed)
            except Paused:
                break
            reward = marginal_utility(outcomes, after)
            if changed != rules and reward.utility > 0 and reward.harmed <= most_harm:
                rules, outcomes, kept = changed, after, (*kept, lesson)
        reward = marginal_utility(start, outcomes)
        steps.append(Step(len(asked), taught, proposed, kept, reward))
        idle = 0 if kept else idle + 1
    suggestions: tuple[Lesson, ...] = ()
    with suppress(Paused):
        rules, pruned = _prune(rules, outcomes, held)
        if pruned:
            steps.append(Step(0, 0, pruned, pruned))
            outcomes = held.outcomes(rules)
        suggestions = _against_the_owner(rules, outcomes, held)
    return Evolution(rules, before, _mean(outcomes), tuple(steps), suggestions)


def teaches(samples: Sequence[Sample]) -> bool:
    """Whether a question teaches: sometimes right and sometimes wrong, or, where chance plays no part, not right."""
    right = [sample.success >= RIGHT for sample in samples]
    return not all(right) and (len(samples) == 1 or any(right))


class _Held:
    """The questions held back, tried once under each state of the rules. *reads*: a model does, so prose matters."""

    def __init__(
        self, probes: Sequence[Probe], tried: Callable[[Probe, Sequence[MetaRule]], list[Sample]], *, reads: bool
    ) -> None:
        self.probes = probes
        self.reads = reads
        self._tried = tried
        self._known: dict[tuple[str, ...], list[Outcome]] = {}

    def outcomes(self, rules: Rules) -> list[Outcome]:
        """How each question fares under *rules*."""
        name = tuple(f"{rule.by_hand}{rule.scope}{rule.hurt - rule.helped}{rule.key}" for rule in rules)
        if name not in self._known:
            self._known[name] = [self._outcome(probe, rules) for probe in self.probes]
        return self._known[name]

    def _outcome(self, probe: Probe, rules: Rules) -> Outcome:
        samples = self._tried(probe, rules)
        return Outcome(
            sum(sample.success for sample in samples) / len(samples),
            sum(len(sample.block) for sample in samples) // len(samples),
        )


def applied(rules: Rules, lessons: Sequence[Lesson]) -> Rules:
    """*rules* after *lessons*; new ones get ids. Of more than 30 learned rules those with the worst records go."""
    now = list(rules)
    for lesson in lessons:
        match lesson.edit:
            case Add(rule):
                if all(each.key != rule.key for each in now):
                    fresh = next_id(now, [each.id for each in rules])
                    now.append(replace(rule, id=fresh, learned=True, edited=False, line=0, end_line=0))
            case Drop(id):
                now = [each for each in now if each.id != id or each.by_hand]
            case Change(id, rule):
                now = [
                    replace(rule, id=id, learned=True, line=each.line, end_line=each.end_line)
                    if each.id == id and not each.by_hand
                    else each
                    for each in now
                ]
    while sum(not each.by_hand for each in now) > MOST_LEARNED:
        now.remove(min((each for each in now if not each.by_hand), key=lambda each: each.helped - each.hurt))
    return tuple(now)


def edits_between(before: Rules, after: Rules) -> tuple[Edit, ...]:
    """What turns the learned rules of *before* into those of *after*."""
    old = {rule.id: rule for rule in before if not rule.by_hand}
    new = {rule.id: rule for rule in after if not rule.by_hand}
    gone: list[Edit] = [Drop(name) for name in old if name not in new]
    changed: list[Edit] = [Change(name, rule) for name, rule in new.items() if name in old and rule != old[name]]
    added: list[Edit] = [Add(rule) for name, rule in new.items() if name not in old]
    return (*gone, *changed, *added)


def without_conflicts(lessons: Sequence[Lesson], rules: Rules) -> tuple[Lesson, ...]:
    """
    *lessons* of a batch without doubles, most supported first; of those that contradict each other the first alone.

    What a rule says already, and what would change a rule of the owner's, is left out.
    """
    counted: dict[str, Lesson] = {}
    for lesson in lessons:
        known = counted.get(lesson.key)
        counted[lesson.key] = replace(known, support=known.support + lesson.support) if known else lesson
    owned = {rule.id for rule in rules if rule.by_hand and rule.id}
    standing = {rule.key for rule in rules}
    kept: list[Lesson] = []
    for lesson in sorted(counted.values(), key=lambda each: -each.support):
        edit = lesson.edit
        if isinstance(edit, Drop | Change) and edit.id in owned:
            continue
        if isinstance(edit, Add) and edit.rule.key in standing:
            continue
        if not any(_contradict(edit, other.edit) for other in kept):
            kept.append(lesson)
    return tuple(kept)


def _contradict(one: Edit, other: Edit) -> bool:
    if isinstance(one, Drop | Change) and isinstance(other, Drop | Change):
        return one.id == other.id
    if isinstance(one, Drop) or isinstance(other, Drop):
        return False
    return _clash(one.rule.directive, other.rule.directive)


def _clash(one: Directive, other: Directive) -> bool:
    """Whether two directives may be for the same question and want different things of it."""
    apart = (one.when and other.when and not set(one.when) & set(other.when)) or (
        one.about and other.about and not set(one.about) & set(other.about)
    )
    if apart:
        return False
    return any(
        a is not None and b is not None and a != b
        for a, b in (
            (one.hits, other.hits),
            (one.past, other.past),
            (one.order, other.order),
            (one.expand, other.expand),
            (one.prefer, other.prefer),
            (one.widen, other.widen),
        )
    )


def _prune(rules: Rules, outcomes: Sequence[Outcome], held: _Held) -> tuple[Rules, tuple[Lesson, ...]]:
    """Each learned rule's record after being left out once; those that are not missed at all go."""
    gone: list[Lesson] = []
    for rule in rules:
        tried = rule.directive.acts or held.reads
        if rule.by_hand or not tried or not any(rule.applies(probe.question) for probe in held.probes):
            continue
        without = tuple(each for each in rules if each.id != rule.id)
        alone = held.outcomes(without)
        helped = sum(now.success > then.success for now, then in zip(outcomes, alone, strict=True))
        hurt = sum(now.success < then.success for now, then in zip(outcomes, alone, strict=True))
        reward = marginal_utility(outcomes, alone)
        if rule.helped + helped <= rule.hurt + hurt and reward.gain >= 0:
            gone.append(Lesson(Drop(rule.id), "it made no difference" if not hurt else "it hurt more than it helped"))
            rules, outcomes = without, alone
        else:
            counted = replace(rule, helped=rule.helped + helped, hurt=rule.hurt + hurt)
            rules = tuple(counted if each.id == rule.id else each for each in rules)
    return rules, tuple(gone)


def _against_the_owner(rules: Rules, outcomes: Sequence[Outcome], held: _Held) -> tuple[Lesson, ...]:
    """Rules by hand that the questions held back would do better without: for the owner to decide."""
    found = []
    for rule in rules:
        if not rule.by_hand or not (rule.directive.acts or held.reads):
            continue
        reward = marginal_utility(outcomes, held.outcomes(tuple(each for each in rules if each is not rule)))
        if reward.gain > 0:
            found.append(
                Lesson(Drop(rule.id or f"line {rule.line}"), f"without “{rule.text}” {reward.gain:+.3f} of success")
            )
    return tuple(found)


def _mean(outcomes: Sequence[Outcome]) -> float:
    return sum(outcome.success for outcome in outcomes) / len(outcomes) if outcomes else 0.0
