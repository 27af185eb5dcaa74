"""
A reader that makes the mistakes of the MetaMem paper until it is told better, and a world of questions to put to it.

It really reads: what it says is worked out from the lines of the block that it is given, advice included. Without
advice it hits on the right procedure now and then (temperature); with advice that it understands it slips seldom.
Advice that fits a question badly misleads it.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import _fresh_worlds as fresh

from daemon.context import INTRODUCTION, Passage

LUCK = 0.35  # how often it does right untold
SLIP = 0.03  # how often it errs though told
_ADVICE = re.compile(r"^\(advice\) (.*)$", re.MULTILINE)
_LINE = re.compile(r"^> (\d{4}-\d\d-\d\d) (.*)$", re.MULTILINE)
_MONEY = re.compile(r"(\d+) euros")
_WHOLE = re.compile(r"\b(?:all in all|altogether|in total)\b", re.IGNORECASE)
_PLAN = re.compile(r"\b(?:plan|want|hope|might|will|going to|booked for)\b", re.IGNORECASE)
_HELD = re.compile(r"\b(?:is now|is|changed to) ([A-Z]\w+)")


def understood(advice: Sequence[str]) -> frozenset[str]:
    """What it takes from *advice*, by its words; two pieces that contradict each other are both lost on it."""
    found: set[str] = set()
    for line in (each.lower() for each in advice):
        if re.search(r"\b(?:stated|given) total|total (?:that is )?(?:stated|given)", line) and re.search(
            r"parts|components|not add|leave out", line
        ):
            found.add("stated")
        if re.search(r"\bonce\b|\btwice\b", line) and re.search(r"count", line):
            found.add("once")
        if re.search(r"every line|add up all|sum everything", line):
            found.add("sum")
        if re.search(r"\b(?:latest|newest|told last|most recent)\b", line):
            found.add("latest" if re.search(r"unless|for how things are now|current", line) else "always latest")
        if re.search(r"\bthe value that held then|earlier value", line):
            found.add("then")
        if re.search(r"guess", line):
            found.add("guess")
        if re.search(r"plans?.*(?:as done|same weight)", line):
            found.add("any plan")
        elif re.search(r"plan|wish", line) and re.search(r"not happened|leave out|only where|no event", line):
            found.add("happened")
        if re.search(r"does not say|not known", line) and "decline only" not in line:
            found.add("decline")
    contradictions = [
        {one, other}
        for one, other in (
            ("stated", "sum"),
            ("once", "sum"),
            ("always latest", "then"),
            ("happened", "any plan"),
            ("decline", "guess"),
        )
        if {one, other} <= found
    ]
    return frozenset(found.difference(*contradictions))


def read(block: str, question: str, rng: random.Random) -> str:
    """What it answers to *question* after reading *block*."""
    body = block.removeprefix(INTRODUCTION)
    told = understood(_ADVICE.findall(body))
    lines = sorted(set(_LINE.findall(body)))

    def does(skill: str) -> bool:
        return rng.random() < (1 - SLIP if skill in told else LUCK)

    if "euros" in question:
        amounts = [(day, text, int(match[1])) for day, text in lines if (match := _MONEY.search(text))]
        if does("happened"):
            amounts = [one for one in amounts if not _PLAN.search(one[1])]
        whole = [amount for _, text, amount in amounts if _WHOLE.search(text)]
        if whole and does("stated"):
            return f"{whole[-1]} euros"
        return f"{sum(amount for _, _, amount in amounts)} euros"
    if re.search(r"how (?:many times|often)", question, re.IGNORECASE):
        if does("happened"):
            lines = [line for line in lines if not _PLAN.search(line[1])]
        days = [match[1] for _, text in lines if (match := re.search(r"on (?:the )?(\d+ \w+)", text))]
        return str(len(set(days)) if does("once") else len(days))
    if re.search(r"\bplan", question, re.IGNORECASE):
        planned = [text for _, text in lines if _PLAN.search(text)]
        return _name(planned[-1]) if planned else "unknown"
    values = [(day, match[1]) for day, text in lines if (match := _HELD.search(text))]
    if re.search(r"\b(?:before|at first|originally|used to)\b", question, re.IGNORECASE):
        return values[-1 if "always latest" in told else 0][1] if values else "unknown"
    if values:
        return values[-1][1] if "always latest" in told or does("latest") else values[0][1]
    visits = [text for _, text in lines if re.search(r"\bin [A-Z]|\bto [A-Z]", text)]
    if visits:
        real = [text for text in visits if not _PLAN.search(text)]
        return _name(real[-1]) if real and does("happened") else _name(visits[-1])
    return "unknown" if does("decline") else "Tuesday"


def _name(text: str) -> str:
    found = re.findall(r"\b(?:in|to|for) ([A-Z]\w+)", text)
    return found[0] if found else "unknown"


@dataclass(frozen=True)
class Case:
    """A question about *told*, with the right answer; *kind* is what it tests."""

    kind: str
    question: str
    answer: str
    told: tuple[tuple[str, str], ...]

    def passages(self) -> list[Passage]:
        """*told* as a search would find it."""
        return [
            Passage(f"journal/2026/{day}.md", 5 + n, 5 + n, f"{day} {text}", when=day)
            for n, (day, text) in enumerate(self.told)
        ]


NAMES = (
    "Fitbox",
    "Ironhall",
    "Vaultline",
    "Kestrel",
    "Marigold",
    "Northgate",
    "Palmera",
    "Quince",
    "Rookery",
    "Saltire",
)
CITIES = ("Bergen", "Oslo", "Riga", "Porto", "Ghent", "Turin", "Malmo", "Lyon", "Split", "Graz", "Cork", "Bilbao")
# Held-out questions are about other things, in other words; the third of each are the fresh ones.
THINGS = (("gym", "bank", "dentist", "bakery"), ("phone network", "insurer", "vet", "choir"), fresh.THINGS)
COSTS = (("flat", "trip", "repair"), ("wedding", "garden", "boat"), fresh.COSTS)
OUTINGS = (("theatre", "sauna", "market"), ("opera", "climbing hall", "allotment"), fresh.OUTINGS)
TOTALS = (
    ("How many euros did the {} cost in total?", "How many euros was the {} altogether?"),
    ("What did the {} come to, all told, how many euros?", "How many euros did we spend on the {}?"),
    fresh.TOTALS,
)
TIMES = (("How many times did we go to the {}?",), ("How often were we at the {}?",), fresh.TIMES)
HOLDS = (
    ("Which {} do I use now?", "Who is my current {}?"),
    ("Which {} am I with these days?", "What {} do I have at the moment?"),
    fresh.HOLDS,
)
HELD = (("Which {} did I use before?",), ("Which {} did I use at first?",), fresh.HELD)
WENT = (("Which city did I travel to last spring?",), ("In which city was I in spring?",), fresh.WENT)
PLANS = (("Which city do I plan to go to?",), ("What city are my plans for?",), fresh.PLANS)
ABSENT = (("On which day does the {} close?",), ("What day is the {} inspected?",), fresh.ABSENT)


# What a model may propose when it reflects badly.
WRONG = (
    "For totals, go through every line and add up all that fits.",
    "The newest value is always the one to give.",
    "Where memory does not say, make a good guess.",
    "What was planned counts as done.",
    "Give plans and wishes the same weight as events.",
    "Look twice before you answer.",
    "Be brief.",
)


def world(seed: int, count: int, *, side: int) -> list[Case]:
    """
    *count* questions: of held-out ones (*side* 1, fresh 2) as many of each kind, of the others (0) as often as people
    ask them, so that some mistakes show seldom.
    """
    rng = random.Random(seed)
    if side:
        makers = [list(OFTEN)[n % len(OFTEN)] for n in range(count)]
    else:
        makers = rng.choices(list(OFTEN), list(OFTEN.values()), k=count)
    return [maker(rng, side) for maker in makers]


def _day(month: int, day: int) -> str:
    return f"2026-{month:02d}-{day:02d}"


def _total(rng: random.Random, side: int) -> Case:
    thing = rng.choice(COSTS[side])
    parts = [rng.randrange(20, 400) for _ in range(rng.randrange(2, 4))]
    told = [(_day(3, n + 1), f"Part {n + 1} of the {thing} cost {part} euros.") for n, part in enumerate(parts)]
    told.append((_day(3, 20), f"All in all the {thing} cost {sum(parts)} euros."))
    return Case("total", rng.choice(TOTALS[side]).format(thing), f"{sum(parts)} euros", tuple(told))


def _planned_cost(rng: random.Random, side: int) -> Case:
    thing = rng.choice(COSTS[side])
    paid, planned = rng.randrange(20, 400), rng.randrange(20, 400)
    told = (
        (_day(3, 2), f"I paid 1 bill for the {thing}: {paid} euros."),
        (_day(3, 9), f"I might pay {planned} euros more for the {thing}."),
    )
    return Case("planned cost", rng.choice(TOTALS[side]).format(thing), f"{paid} euros", told)


def _times(rng: random.Random, side: int) -> Case:
    place = rng.choice(OUTINGS[side])
    days = sorted(rng.sample(range(2, 27), rng.randrange(2, 4)))
    told = [(_day(5, day), f"We went to the {place} on {day} May.") for day in days]
    told.append((_day(5, 28), f"As I said, the {place} on {days[0]} May was lovely."))
    if rng.random() < 0.5:
        told.append((_day(5, 29), f"We plan to go to the {place} on 30 May."))
    return Case("times", rng.choice(TIMES[side]).format(place), str(len(days)), tuple(told))


def _values(rng: random.Random, side: int) -> tuple[str, list[str], tuple[tuple[str, str], ...]]:
    thing = rng.choice(THINGS[side])
    names = rng.sample(fresh.NAMES if side == 2 else NAMES, rng.randrange(2, 4))
    told = [(_day(2 + n, 3), f"My {thing} {'is' if not n else 'is now'} {name}.") for n, name in enumerate(names)]
    return thing, names, tuple(told)


def _now(rng: random.Random, side: int) -> Case:
    thing, names, told = _values(rng, side)
    return Case("now", rng.choice(HOLDS[side]).format(thing), names[-1], told)


def _before(rng: random.Random, side: int) -> Case:
    thing, names, told = _values(rng, side)
    return Case("before", rng.choice(HELD[side]).format(thing), names[0], told)


def _visits(rng: random.Random, side: int) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    been, planned = rng.sample(fresh.CITIES if side == 2 else CITIES, 2)
    return (
        been,
        planned,
        ((_day(4, 12), f"I spent Easter in {been}."), (_day(4, 20), f"I want to travel to {planned} in June.")),
    )


def _went(rng: random.Random, side: int) -> Case:
    been, _, told = _visits(rng, side)
    return Case("went", rng.choice(WENT[side]), been, told)


def _plans(rng: random.Random, side: int) -> Case:
    _, planned, told = _visits(rng, side)
    return Case("plans", rng.choice(PLANS[side]), planned, told)


def _absent(rng: random.Random, side: int) -> Case:
    thing = rng.choice(OUTINGS[side])
    return Case("absent", rng.choice(ABSENT[side]).format(thing), "unknown", ((_day(6, 1), f"The {thing} is lovely."),))


OFTEN = {_now: 5, _before: 5, _plans: 4, _total: 3, _went: 2, _times: 2, _planned_cost: 1, _absent: 1}
