"""
What the generated conversations speak of: two small worlds, each thing with its values and with ways of saying it.

Of the ways, the last one is roundabout: a model that can extract may read what patterns do not. `{v}` is the value,
`{old}` the one before.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Thing:
    """One thing that is told, with the questions that ask for it; *history* asks for all that it has been."""

    name: str
    values: tuple[str, ...]
    tells: tuple[str, ...]
    changes: tuple[str, ...] = ()
    questions: tuple[str, ...]
    history: str = ""


@dataclass(frozen=True, kw_only=True)
class World:
    """
    Things that belong together. When *root* changes, *ruled* becomes something stated, and *further* follows from
    that; *tied* hangs on *root* and *remote* on *tied*, with no word of what they become. *moving* has a past, *secret*
    is to be forgotten, *group* is asked for as a whole, and the *saying* is to be kept word for word.
    """

    name: str
    root: Thing
    ruled: Thing
    further: Thing
    tied: Thing
    remote: Thing
    moving: Thing
    secret: Thing
    group: tuple[Thing, ...]
    group_question: str
    saying: str
    sayings: tuple[str, ...]


RULES = (
    "When the {a} changes, the {b} will be {v}.",
    "If we ever get another {a}, the {b} becomes {v}.",
    "Should the {a} change, {v} takes over as {b}.",
    "Once there is another {a}, we go with {v} for the {b}.",
)
TIES = (
    "The {b} depends on the {a}.",
    "Our {b} hangs on who the {a} is.",
    "The {b} is up to the {a}, so it may be another one under somebody else.",
)
DELETIONS = (
    "Please forget our {a}.",
    "Forget the {a}, I don't want it stored anywhere.",
    "Could you wipe the {a} from what you know? It should never have been written down.",
)
QUOTES = (
    'Our {a} is, word for word: "{v}"',
    'Please remember our {a} exactly: "{v}"',
    'Keep our {a} to the letter, it goes like this: "{v}"',
)
QUOTE_QUESTIONS = ("What is our {a}, word for word?", "Please recite our {a} exactly.")
CHATTER = (
    "How do I get candle wax out of a tablecloth?",
    "Can you explain what a tidal bore is?",
    "What would be a good name for a grey cat?",
    "Thanks, that was helpful yesterday.",
    "I slept badly, the wind kept rattling the shutters all night.",
)


def _person(name: str, values: tuple[str, ...]) -> Thing:
    return Thing(
        name=name,
        values=values,
        tells=(
            f"Our {name} is {{v}}.",
            f"{{v}} is our {name}.",
            f"By the way, the {name} is {{v}}, in case you need a name.",
            f"You'll hear me mention {{v}} now and then, that's our {name}.",
        ),
        changes=(
            f"Our {name} is now {{v}}.",
            f"{{v}} has taken over from {{old}} as our {name}.",
            f"We have a new {name}: {{v}}.",
            f"{{old}} stepped down last night, so from today it's {{v}} who is our {name}.",
        ),
        questions=(f"Who is our {name}?", f"Who's the {name} now?"),
    )


def _thing(name: str, values: tuple[str, ...]) -> Thing:
    return Thing(
        name=name,
        values=values,
        tells=(
            f"Our {name} is {{v}}.",
            f"The {name} is {{v}}.",
            f"Just so you know, our {name} is {{v}}.",
            f"It's {{v}} that we have as our {name}.",
        ),
        changes=(
            f"Our {name} is now {{v}}.",
            f"We changed our {name} from {{old}} to {{v}}.",
            f"No more {{old}}: {{v}} is our {name} from this week on.",
        ),
        questions=(f"What is our {name}?", f"What's our {name} at the moment?"),
        history=f"What has our {name} been over time, oldest first?",
    )


WORLDS = (
    World(
        name="rowing club",
        root=_person("club secretary", ("Ines Valter", "Joran Pike", "Mette Lund")),
        ruled=_person("newsletter editor", ("Paula Quist", "Emil Tarn", "Rosa Winther")),
        further=_thing("newsletter printer", ("Holm & Sons", "Blue Page Press", "Kvist Print")),
        tied=_person("key holder", ("Anders Roe", "Lis Falk", "Tobias Mørk")),
        remote=_thing("gate code", ("4417", "9920", "3052")),
        moving=_thing("boat shed", ("Pier Four", "the old ferry hall", "Lock House")),
        secret=_thing("bank password", ("willow-73-anchor", "copper-12-finch")),
        group=(
            _thing("oar supplier", ("Fenwick Oars", "Strand Blades")),
            _thing("paint supplier", ("Hull & Colour", "Seabright")),
            _thing("rope supplier", ("Three Strands", "Knot Brothers")),
        ),
        group_question="List all of our suppliers.",
        saying="launch rule",
        sayings=(
            "Nobody rows alone before sunrise. Whoever breaks this washes all eight boats.",
            "Vest on, cap on, then carry. The last one out closes the gate twice.",
        ),
    ),
    World(
        name="film crew",
        root=_thing("lead camera", ("Arriflex 16", "Bolex H16", "Krasnogorsk 3")),
        ruled=_thing("film stock", ("Orwo UN54", "Vision 250D", "Fomapan 100")),
        further=_thing("processing lab", ("Nordlab", "Silver Bath", "Atelier Lux")),
        tied=_thing("lens set", ("Angenieux primes", "Cooke Panchros", "Switar trio")),
        remote=_thing("transport case", ("the aluminium trunk", "the green peli", "the plywood crate")),
        moving=_thing("rehearsal room", ("Studio Nine", "the chapel loft", "Depot West")),
        secret=_thing("locker combination", ("31-07-22", "18-44-05")),
        group=(
            _person("sound recordist", ("Viktor Hale", "Nora Stjerne")),
            _person("lighting chief", ("Ulla Brandt", "Ove Sand")),
            _person("script supervisor", ("Dina Krog", "Palle Friis")),
        ),
        group_question="Who is in our crew? List everyone you know of.",
        saying="safety notice",
        sayings=(
            "Cables are taped before anyone walks. Lamps are touched with gloves or not at all.",
            "Quiet means quiet. A door that opens during a take buys the coffee.",
        ),
    ),
)
