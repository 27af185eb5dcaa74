"""
Worlds for `metamem.py` and `umem.py` that were written after both methods stood, and were measured once.

The other worlds were changed until the mechanisms showed, so that their figures say that a mechanism is there and not
how far it carries. Whoever changes a method after looking at figures from these must write new ones.
"""

import random

# metamem: questions about other things, in words that the worlds of `_reader.py` do not use
THINGS = ("electrician", "podcast app", "running club", "accountant", "mechanic")
COSTS = ("kitchen", "move", "boat engine", "anniversary", "bike tour")
OUTINGS = ("swimming pool", "planetarium", "flea market", "chess evening")
TOTALS = (
    "What was the whole bill for the {}, in euros?",
    "Can you tell me how many euros the {} set us back overall?",
    "All things considered, how many euros have gone into the {}?",
)
TIMES = ("How often did we turn up at the {}?", "Remind me how many times we have been to the {}.")
HOLDS = ("Who or what is my {} nowadays?", "Tell me which {} I have.", "What {} am I using currently?")
HELD = ("Which {} did I have originally?", "What {} was mine before?")
WENT = ("Where was I over Easter, which city?", "Name the city that I stayed in at Easter.")
PLANS = ("Which city is on my plans for June?", "Where do I plan to travel next, which city?")
ABSENT = ("When is the {} renovated, which day?", "On what weekday does the {} have its holiday?")
NAMES = ("Brightwell", "Corvina", "Dunmore", "Elandra", "Fennick", "Greyloft", "Hollins", "Istria", "Juniper", "Kelso")
CITIES = ("Aarhus", "Trieste", "Leipzig", "Tampere", "Nantes", "Gdansk", "Bern", "Seville", "Utrecht", "Maribor")

# umem: other conventions, other names, asked and told in other words
DOMAINS = (
    "harbour pass", "seed packet", "museum loan", "rehearsal room", "spare key", "wine shelf", "ferry ticket",
    "loft box", "repair slip", "guest towel", "recipe card", "bike lock", "meter reading", "parish notice",
)  # fmt: skip
WORDS = ("Ember", "Thistle", "Cobalt", "Juniper", "Halyard", "Sorrel", "Obsidian", "Larkspur", "Pewter", "Wicker")
PEOPLE = [
    f"{a}{b}" for a in ("Sten", "Mar", "Ing", "Tor", "Vil", "Ane") for b in ("fred", "wick", "mund", "lise", "ka")
]
ASKS = "Which code do we write on the {domain} that {name} gets?"


def told(rng: random.Random, domain: str, name: str, right: str, wrong: str) -> dict[str, tuple[str, str]]:
    """What an extractor might draw, by what it is: as topic and words."""
    answer = f"{right}-{name}"
    return {
        "right": (f"code of a {domain}", f"A {domain} carries the code {right}-NAME."),
        "narrow": (f"{name} and the {domain}", f"{name} got the {domain} with the code {answer}."),
        "wrong": (f"code of a {domain}", f"A {domain} carries the code {wrong}-NAME."),
        "idle": (f"talk of the {domain}", f"We laughed about codes on a {domain} for {rng.randrange(2, 9)} minutes."),
        "wordy": (
            f"code of a {domain}",
            f"After some back and forth it turned out that whoever gets a {domain} finds {right}-NAME written on it.",
        ),
        "bare": (f"talk of the {domain}", f"That code was {answer}."),
    }
