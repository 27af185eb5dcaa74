"""
Conversations of several days that tell facts, tie them together and change them, with questions and right answers.

The tasks are MEME's (arXiv 2605.12477): exact recall, aggregation, tracking, deletion, cascade, absence.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from daemon.bench.worlds import (
    CHATTER,
    DELETIONS,
    QUOTE_QUESTIONS,
    QUOTES,
    RULES,
    TIES,
    WORLDS,
    Thing,
    World,
)

Task = Literal["recall", "list", "history", "deletion", "cascade", "absence"]
TASKS: dict[Task, str] = {
    "recall": "a text, word for word",
    "list": "all of a topic",
    "history": "past values in order",
    "deletion": "what was to be forgotten",
    "cascade": "what followed from a change",
    "absence": "what is no longer known",
}
FIRST_DAY = date(2026, 1, 5)
ROUNDABOUT = 0.15  # of what is told
MOST_CHARS = 400  # beyond it, and three times the values, a reply is a dump and no answer
HEDGE = re.compile(
    r"\b(not (?:sure|certain|known|clear)|unsure|uncertain|unclear|unknown|no longer (?:known|certain|valid|applies)|"
    r"(?:may|might|could) (?:have|no longer|not)|(?:probably|likely) changed|(?:don't|do not) (?:know|have)|"
    r"can(?:no|')t (?:confirm|say|tell)|to be confirmed|out of date|outdated)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Question:
    """
    *values* is what the answer must hold (in this order for a history), or for a deletion must not; *old* what it must
    not hold. *before*: what it must have been answered with before the change, or nothing was known and nothing counts.
    """

    task: Task
    text: str
    values: tuple[str, ...]
    old: tuple[str, ...] = ()
    before: str | None = None


@dataclass(frozen=True)
class Session:
    """What the owner says on one day."""

    day: date
    messages: tuple[str, ...]


@dataclass(frozen=True)
class Episode:
    """*told* comes first, then questions with a *before* are asked, then *changed* comes, then all are asked."""

    world: str
    told: tuple[Session, ...]
    changed: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def steps(self) -> int:
        """How many messages and questions one way through takes."""
        asked = len(self.questions) + sum(question.before is not None for question in self.questions)
        return asked + sum(len(session.messages) for session in (*self.told, *self.changed))


def generate(count: int, seed: int) -> Iterator[Episode]:
    """*count* episodes, the same ones for the same *seed*, from one world after the other."""
    chance = random.Random(seed)
    for number in range(count):
        yield _episode(WORLDS[number % len(WORLDS)], chance)


def is_right(question: Question, answer: str) -> bool:
    """Whether *answer* answers *question*, by its words alone."""
    said = plain(answer)
    values = [plain(value) for value in question.values]
    if not said or len(said) > MOST_CHARS + 3 * sum(map(len, values)):
        return False
    held = all(value in said for value in values)
    match question.task:
        case "history":
            places = [said.find(value) for value in values]
            return held and places == sorted(places)
        case "deletion":
            return not any(value in said for value in values)
        case "cascade":
            olds = [plain(old) for old in question.old]
            stale = any(old in said and not any(old in value or value in old for value in values) for old in olds)
            return held and not stale and not HEDGE.search(said)
        case "absence":
            return HEDGE.search(said) is not None
    return held


def knew(question: Question, answer: str) -> bool:
    """Whether *answer*, given before the change, holds what was so then."""
    return question.before is None or plain(question.before) in plain(answer)


def plain(text: str) -> str:
    """*text* as answers are compared: case folded, quotation marks and dashes of one kind, white space single."""
    text = text.replace("’", "'").replace("“", '"').replace("”", '"').replace("—", "-").replace("–", "-")
    return " ".join(text.casefold().split())


def _episode(world: World, chance: random.Random) -> Episode:
    values: dict[str, list[str]] = {}

    def way(ways: tuple[str, ...]) -> str:
        return ways[-1] if chance.random() < ROUNDABOUT else chance.choice(ways[:-1])

    def tell(thing: Thing) -> str:
        values[thing.name] = [chance.choice(thing.values)]
        return way(thing.tells).format(v=values[thing.name][0])

    def change(thing: Thing) -> str:
        old = values[thing.name][-1]
        new = chance.choice([value for value in thing.values if value not in values[thing.name]])
        values[thing.name].append(new)
        return way(thing.changes).format(v=new, old=old)

    def rule(thing: Thing, on: Thing) -> str:
        becomes = chance.choice([value for value in thing.values if value not in values[thing.name]])
        values[thing.name].append(becomes)
        return way(RULES).format(a=on.name, b=thing.name, v=becomes)

    def tie(thing: Thing, on: Thing) -> str:
        return way(TIES).format(a=on.name, b=thing.name)

    saying = chance.choice(world.sayings)
    states = [tell(thing) for thing in (*world.group, world.secret, world.root, world.moving)]
    chance.shuffle(states)
    days = [
        states[:3],
        states[3:],
        [change(world.moving), way(QUOTES).format(a=world.saying, v=saying)],
        [tell(world.ruled), rule(world.ruled, world.root), tell(world.tied), tie(world.tied, world.root)],
        [change(world.moving), tell(world.further), rule(world.further, world.ruled)],
        [tell(world.remote), tie(world.remote, world.tied)],
    ]
    told = [Session(FIRST_DAY + timedelta(3 * n), _mixed(messages, chance)) for n, messages in enumerate(days)]
    later = [change(world.root), way(DELETIONS).format(a=world.secret.name)]
    changed = Session(FIRST_DAY + timedelta(3 * len(days) + 4), _mixed(later, chance))
    after = Session(changed.day + timedelta(2), (chance.choice(CHATTER),))

    def asked(task: Task, thing: Thing) -> Question:
        before, now = values[thing.name][0], values[thing.name][-1]
        old = (before,) if task == "cascade" else ()
        return Question(task, chance.choice(thing.questions), (now if task == "cascade" else before,), old, before)

    questions = (
        Question("recall", chance.choice(QUOTE_QUESTIONS).format(a=world.saying), (saying,)),
        Question("list", world.group_question, tuple(values[thing.name][-1] for thing in world.group)),
        Question("history", world.moving.history, tuple(values[world.moving.name])),
        asked("deletion", world.secret),
        asked("cascade", world.ruled),
        asked("cascade", world.further),
        asked("absence", world.tied),
        asked("absence", world.remote),
    )
    return Episode(world.name, tuple(told), (changed, after), questions)


def _mixed(messages: list[str], chance: random.Random) -> tuple[str, ...]:
    """*messages* with one that tells nothing among them, every second time."""
    if chance.random() < 0.5:
        messages = list(messages)
        messages.insert(chance.randrange(len(messages) + 1), chance.choice(CHATTER))
    return tuple(messages)
