"""Rules evolve by what they measurably do, whatever is proposed."""

import random
from collections.abc import Sequence
from dataclasses import replace

from daemon.directives import Directive
from daemon.night.loop import Probe
from daemon.night.meta_page import MOST_LEARNED, Add, Change, Drop, MetaRule
from daemon.night.metamem import (
    PATIENCE,
    Lesson,
    Sample,
    applied,
    edits_between,
    evolve,
    teaches,
    without_conflicts,
)

PROBES = [Probe(f"p{n}", f"How many {n}?", str(n), ()) for n in range(24)]
GOOD, BAD, IDLE = (MetaRule(text) for text in ("Count each thing once.", "Guess.", "Be brief."))


class Scripted:
    """Right in two of five tries; in all with the good rule, in none with the bad one."""

    samples = 5

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample:
        texts = {rule.text for rule in rules}
        right = BAD.text not in texts and (GOOD.text in texts or seed < 2)
        return Sample(float(right), "1", "x" * (100 + 10 * len(rules)))


def proposing(*rules: MetaRule):  # type: ignore[no-untyped-def] # a reflection
    return lambda _probe, _samples, _rules: [Lesson(Add(rule), "why") for rule in rules]


def learn(reflect, rules: tuple[MetaRule, ...] = ()):  # type: ignore[no-untyped-def]
    return evolve(rules, PROBES[:16], PROBES[16:], Scripted(), reflect, rng=random.Random(1))


def test_what_helps_on_other_questions_is_kept_and_nothing_else() -> None:
    """Of a good, a harmful and an idle rule only the good one stays, with a record of where it was missed."""
    evolution = learn(proposing(BAD, IDLE, GOOD))
    assert [(rule.text, rule.id, rule.helped, rule.hurt) for rule in evolution.rules] == [(GOOD.text, "M1", 8, 0)]
    assert (round(evolution.before, 6), evolution.after) == (0.4, 1.0)


def test_it_stops_after_five_steps_without_gain() -> None:
    """Proposals that never help end the loop, and leave the rules as they were."""
    evolution = learn(proposing(IDLE))
    assert len(evolution.steps) == PATIENCE
    assert evolution.rules == ()


def test_a_reflection_that_proposes_nothing_or_nonsense_changes_nothing() -> None:
    """A model that never answers well leaves META.md as it is."""
    assert learn(proposing()).rules == ()
    nonsense = [Lesson(Drop("M99"), ""), Lesson(Change("M98", GOOD), "")]
    assert learn(lambda *_: nonsense).rules == ()


def test_rules_by_hand_stay_and_suggestions_say_what_they_cost() -> None:
    """A rule of the owner's that hurts is not touched: the loop only suggests to let go of it."""
    mine = replace(BAD, line=3)
    evolution = learn(proposing(GOOD), (mine,))
    assert evolution.rules[0] == mine
    assert [lesson.edit for lesson in evolution.suggestions] == [Drop("line 3")]
    assert "“Guess.” +0." in evolution.suggestions[0].why


def test_a_learned_rule_that_came_to_hurt_goes() -> None:
    """Left out once, it is not missed, and its record does not save it."""
    evolution = learn(proposing(), (replace(BAD, id="M1", learned=True, helped=1, hurt=0),))
    assert evolution.rules == ()
    kept = replace(IDLE, id="M1", learned=True, helped=9, hurt=1)
    assert learn(proposing(), (kept,)).rules == (kept,)


def test_questions_that_are_sometimes_right_and_sometimes_wrong_teach() -> None:
    """Always right or always wrong teaches nothing; where nothing is left to chance, wrong teaches."""
    right, wrong = Sample(1.0), Sample(0.0)
    assert teaches([right, wrong, wrong])
    assert not teaches([right, right])
    assert not teaches([wrong, wrong])
    assert teaches([wrong])


def test_conflicts_across_a_batch_are_settled_by_support() -> None:
    """Doubles count together; of two that contradict each other the better supported one is tried."""
    owned = MetaRule("Mine.", id="M7")
    rules = (owned, MetaRule("Old.", id="M1", learned=True))
    few, many = (MetaRule(f"{n}", Directive(("total",), hits=n)) for n in (8, 20))
    other = MetaRule("other", Directive(("person",), hits=4))
    lessons = [
        Lesson(Add(few), ""),
        Lesson(Drop("M1"), ""),
        Lesson(Change("M1", GOOD), ""),
        Lesson(Add(many), ""),
        Lesson(Add(many), ""),
        Lesson(Change("M1", GOOD), ""),
        Lesson(Add(other), ""),
        Lesson(Drop("M7"), ""),
        Lesson(Add(MetaRule("old")), ""),
    ]
    kept = without_conflicts(lessons, rules)
    assert [(lesson.edit, lesson.support) for lesson in kept] == [
        (Change("M1", GOOD), 2),
        (Add(many), 2),
        (Add(other), 1),
    ]


def test_edits_lead_from_one_state_to_the_other() -> None:
    """What evolved is told as additions, changes and removals; over thirty the worst records go."""
    one, two = (MetaRule(f"{n}", id=f"M{n}", learned=True, helped=n) for n in (1, 2))
    after = applied((one, two), [Lesson(Drop("M1"), ""), Lesson(Change("M2", GOOD), ""), Lesson(Add(IDLE), "")])
    assert [(rule.id, rule.text) for rule in after] == [("M2", GOOD.text), ("M3", IDLE.text)]
    assert edits_between((one, two), after) == (Drop("M1"), Change("M2", after[0]), Add(after[1]))
    full = tuple(MetaRule(f"{n}.", id=f"M{n}", learned=True, helped=n) for n in range(1, MOST_LEARNED + 1))
    crowded = applied(full, [Lesson(Add(replace(IDLE, helped=5)), "")])
    assert len(crowded) == MOST_LEARNED
    assert "M1" not in {rule.id for rule in crowded}
