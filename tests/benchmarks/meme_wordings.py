"""
How people tell, change, tie together, delete and ask about things: the raw material of generated episodes.

Written as people speak, before and apart from the patterns of `memory_store.statements`. Three domains that are in
no public benchmark. `{v}` is the value, `{old}` the one before; in a tie `{a}` hangs on `{b}`, and `{w}` is what
`{a}` will be.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Entity:
    """One thing that can be told: its names, values, wordings, and the questions that ask for it."""

    key: str
    names: tuple[str, ...]
    topic: str
    values: tuple[str, ...]
    tells: tuple[str, ...]
    changes: tuple[str, ...]
    questions: tuple[str, ...]
    history: tuple[str, ...] = ()
    hangs_on: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Entities that belong together, and questions that ask for all of a topic."""

    name: str
    entities: tuple[Entity, ...]
    topics: dict[str, tuple[str, ...]]
    quotes: dict[str, tuple[str, ...]]


KITCHEN = Domain(
    name="kitchen",
    topics={
        "suppliers": (
            "Who do we buy from? Tell me every supplier you know of.",
            "List all of our suppliers.",
        ),
        "equipment": (
            "What equipment do we have in the kitchen? List everything.",
            "Which kit is in the kitchen? Name all of it.",
        ),
    },
    quotes={
        "allergy notice": (
            "Some of our dishes contain nuts, sesame or shellfish. Ask anyone in a white jacket before you order.",
            "Everything here is made by hand in one small room. Traces of gluten are everywhere.",
        ),
        "closing checklist": (
            "Lights off at the pass first. Gas at the wall second. Nobody leaves before the floor is dry.",
            "Label it, date it, chill it. Then lock the back door twice.",
        ),
    },
    entities=(
        Entity(
            key="head_chef",
            names=("head chef",),
            topic="people",
            values=("Odalys Brink", "Ruben Tarsh", "Mirela Voss", "Kenji Aldana"),
            tells=(
                "{v} is our head chef, in case you're wondering who signs off the menu.",
                "Quick context: the head chef here is {v}.",
                "Our head chef {v} wants everything plated by seven.",
                "We've got {v} as head chef.",
            ),
            changes=(
                "{v} took over as head chef this week.",
                "Big news, our head chef is {v} now, {old} left on Sunday.",
                "We have a new head chef: {v}.",
                "{old} stepped down, so {v} is the head chef from today.",
            ),
            questions=("Who is our head chef?", "Who's the head chef these days?"),
            history=("Who have been our head chefs so far, in order?", "Name every head chef we've had, oldest first."),
        ),
        Entity(
            key="fish_supplier",
            names=("fish supplier", "fishmonger"),
            topic="suppliers",
            values=("Tidewater & Sons", "Hallorand Seafood", "Pier Nineteen", "Corvane Fisheries"),
            tells=(
                "We get our fish from {v}.",
                "Our fish supplier is {v}, they come at five in the morning.",
                "By the way, {v} is the fish supplier we use.",
            ),
            changes=(
                "We dropped {old} and now get our fish from {v}.",
                "The fish supplier changed from {old} to {v}.",
                "Starting Monday {v} is our fish supplier.",
            ),
            questions=("Where do we get our fish from?", "Who is our fish supplier?", "Which fish supplier do we use?"),
            history=("Which fish suppliers have we used over time, first to last?",),
            hangs_on=("head_chef",),
        ),
        Entity(
            key="vegetable_supplier",
            names=("vegetable supplier",),
            topic="suppliers",
            values=("Greenmarch Farm", "Ellory Gardens", "Sundell Growers"),
            tells=(
                "Our vegetable supplier is {v}.",
                "Vegetables come from {v} twice a week; that's our vegetable supplier.",
                "{v} is our vegetable supplier at the moment.",
            ),
            changes=("We switched our vegetable supplier to {v}.", "{v} has replaced {old} as our vegetable supplier."),
            questions=("Who is our vegetable supplier?", "Which vegetable supplier are we with?"),
            hangs_on=("head_chef", "menu_theme"),
        ),
        Entity(
            key="bread_supplier",
            names=("bread supplier",),
            topic="suppliers",
            values=("Mill & Hearth", "Oberon Bakery", "Crustworks"),
            tells=("The bread supplier is {v}.", "For bread we use {v} as our supplier, so the bread supplier is {v}."),
            changes=("Our bread supplier is now {v}.", "We moved our bread supplier over to {v}."),
            questions=("Who is our bread supplier?", "What's our bread supplier called?"),
        ),
        Entity(
            key="menu_theme",
            names=("menu theme", "theme of the menu"),
            topic="menu",
            values=("Alpine comfort food", "coastal Basque", "Nordic foraging", "late-summer barbecue"),
            tells=(
                "This season's menu theme is {v}.",
                "The menu theme we're running is {v}.",
                "We're doing {v} as our menu theme.",
            ),
            changes=(
                "The menu theme has changed to {v}.",
                "We're going with {v} as the menu theme now instead of {old}.",
                "Our new menu theme is {v}.",
            ),
            questions=("What is our menu theme?", "What's the current theme of the menu?"),
            history=("What menu themes have we had, from first to latest?",),
            hangs_on=("head_chef",),
        ),
        Entity(
            key="signature_dish",
            names=("signature dish",),
            topic="menu",
            values=("smoked eel ravioli", "braised goat shoulder", "burnt leek tart", "saffron cuttlefish"),
            tells=(
                "Our signature dish is {v}.",
                "The signature dish people come for is {v}.",
                "{v} is our signature dish, it sells out by eight.",
            ),
            changes=("We changed the signature dish to {v}.", "The signature dish is {v} now, no more {old}."),
            questions=("What's our signature dish?", "Which dish is our signature dish?"),
            history=("List all our signature dishes over time in order.",),
            hangs_on=("menu_theme", "head_chef"),
        ),
        Entity(
            key="wine_list_owner",
            names=("wine list owner",),
            topic="people",
            values=("Tomasz Reyl", "Inga Paloma", "Fabrice Onwu"),
            tells=("{v} owns the wine list.", "The wine list owner is {v}.", "{v} looks after the wine list."),
            changes=("The wine list owner is {v} from now on.", "The wine list belongs to {v} now."),
            questions=("Who owns the wine list?", "Who is the wine list owner?"),
            hangs_on=("head_chef",),
        ),
        Entity(
            key="oven",
            names=("oven",),
            topic="equipment",
            values=("Rational iCombi", "Moretti deck oven", "Unox Bakertop"),
            tells=("The oven we cook on is a {v}.", "Our oven is the {v}.", "We have a {v} as our oven."),
            changes=("The old oven died, so we replaced it with a {v}.", "Our oven is now a {v}."),
            questions=("What oven do we have?", "Which oven are we cooking on?"),
            history=("What ovens have we had over the years, in order?",),
        ),
        Entity(
            key="booking_system",
            names=("booking system", "reservation system"),
            topic="equipment",
            values=("TableNest", "Resly", "Seatwise", "Covers360"),
            tells=(
                "We take reservations through {v}, that's our booking system.",
                "Our booking system is {v}.",
                "We use {v} as our booking system.",
                "We use {v} for bookings.",
            ),
            changes=(
                "We migrated the booking system from {old} to {v}.",
                "We swapped {old} for {v} as our booking system.",
                "Our booking system is {v} as of this week.",
            ),
            questions=("What booking system do we use?", "Which reservation system are we on?"),
            history=("Which booking systems have we gone through, earliest to latest?",),
        ),
        Entity(
            key="deposit_policy",
            names=("deposit policy",),
            topic="rules",
            values=("ten euros a head", "card hold only", "no deposit", "half up front"),
            tells=("Our deposit policy is {v}.", "The deposit policy for groups is {v}."),
            changes=("The deposit policy is now {v}.", "We've changed our deposit policy to {v}."),
            questions=("What's our deposit policy?", "What is the deposit policy for groups?"),
            hangs_on=("booking_system",),
        ),
        Entity(
            key="alarm_code",
            names=("alarm code",),
            topic="secrets",
            values=("4471-K", "90312", "7788B"),
            tells=("The alarm code is {v}.", "In case I forget, our alarm code is {v}."),
            changes=("The alarm code changed to {v}.",),
            questions=("What's the alarm code?", "What is our alarm code?"),
        ),
        Entity(
            key="delivery_day",
            names=("delivery day",),
            topic="rules",
            values=("Tuesday", "Thursday", "Friday morning"),
            tells=("Our delivery day is {v}.", "Delivery day here is {v}."),
            changes=("Delivery day moved to {v}.", "The delivery day is {v} now."),
            questions=("When is our delivery day?", "What day is delivery day?"),
            hangs_on=("fish_supplier", "vegetable_supplier"),
        ),
    ),
)

HIKING = Domain(
    name="hiking",
    topics={
        "gear": ("What hiking gear do I own? List all of it.", "Tell me everything you know about my gear."),
        "club": ("What do you know about how our club is run? List everything.",),
    },
    quotes={
        "club motto": (
            "Slow feet reach far hills. Nobody is left behind, and nobody is hurried.",
            "Leave the gate as you found it. Leave the hill better.",
        ),
        "radio protocol": (
            "Say who you call, then who you are. Wait two breaths. Never shout into the wind.",
            "Channel first, name second, message last. If in doubt, repeat.",
        ),
    },
    entities=(
        Entity(
            key="town",
            names=("home town", "town I live in"),
            topic="life",
            values=("Skaldvik", "Monterane", "Braelow", "Port Ister"),
            tells=(
                "I live in {v}, so the hills are close.",
                "I'm based in {v}.",
                "My place is in {v}, by the way, I've been living there since spring.",
            ),
            changes=("I've moved to {v}.", "I live in {v} now.", "We're in {v} now, the move went fine."),
            questions=("Where do I live?", "Which town do I live in?", "Where am I based?"),
            history=(
                "Which places have I lived in, in order?",
                "List all the towns I've lived in, earliest to latest.",
            ),
        ),
        Entity(
            key="meeting_point",
            names=("meeting point",),
            topic="club",
            values=("the old tram depot", "Kestrel car park", "the chapel steps", "Lock House"),
            tells=(
                "Our club's meeting point is {v}.",
                "The meeting point for walks is {v}.",
                "We always meet at {v}, that's our meeting point.",
            ),
            changes=(
                "The meeting point moved to {v}.",
                "From now on the meeting point is {v}.",
                "We've moved our meeting point from {old} to {v}.",
            ),
            questions=("Where's the meeting point?", "What is our meeting point for walks?"),
            history=("What meeting points have we had, oldest to newest?",),
            hangs_on=("town", "walk_leader"),
        ),
        Entity(
            key="walk_leader",
            names=("walk leader", "leader of the walks"),
            topic="club",
            values=("Sorrel Haim", "Bastian Ochoa", "Yvette Dunmore", "Padraic Lund"),
            tells=(
                "{v} leads our walks.",
                "Our walk leader is {v}.",
                "The walk leader this year is {v}.",
            ),
            changes=(
                "{v} is the new walk leader.",
                "The walk leader role passed from {old} to {v}.",
                "{v} has taken over from {old} as walk leader.",
            ),
            questions=("Who leads our walks?", "Who is the walk leader?"),
            history=("Who have been the walk leaders, in order?",),
        ),
        Entity(
            key="start_time",
            names=("start time",),
            topic="club",
            values=("7:30", "8:15", "nine sharp", "half past six"),
            tells=("Our start time is {v}.", "The start time for walks is {v}."),
            changes=("We've pushed the start time to {v}.", "The start time is {v} now."),
            questions=("What's our start time?", "When is the start time for walks?"),
            hangs_on=("walk_leader", "meeting_point"),
        ),
        Entity(
            key="club_treasurer",
            names=("treasurer", "club treasurer"),
            topic="club",
            values=("Noor Vestergaard", "Eamon Platt", "Lucia Brandauer"),
            tells=("Our treasurer is {v}.", "{v} is the club's treasurer.", "The club treasurer is {v}."),
            changes=("{v} replaced {old} as treasurer.", "Our treasurer is {v} now."),
            questions=("Who is our treasurer?", "Who's the club treasurer?"),
        ),
        Entity(
            key="boots",
            names=("boots", "hiking boots"),
            topic="gear",
            values=("Scarva Ridge", "Lowmark Tibet", "Asolane Fugitive", "Merrin Moab"),
            tells=(
                "My boots are {v}.",
                "I hike in {v} boots.",
                "I've been wearing {v} boots.",
                "My hiking boots are the {v}, still comfy.",
            ),
            changes=(
                "I replaced my {old} boots with {v}.",
                "I've switched from {old} to {v} boots.",
                "My boots are {v} now.",
            ),
            questions=("What boots do I wear?", "Which hiking boots do I have?"),
            history=("Which boots have I had over time, from earliest to latest?",),
        ),
        Entity(
            key="tent",
            names=("tent",),
            topic="gear",
            values=("Norrland Duo", "Hille Akton", "Tarpwell One"),
            tells=("I sleep in a {v} tent.", "My tent is a {v}.", "I own a {v} tent."),
            changes=(
                "I sold the {old} and bought a {v} tent.",
                "My tent is a {v} now.",
                "I upgraded my tent to a {v}.",
            ),
            questions=("What tent do I have?", "Which tent do I own?"),
            history=("List the tents I've owned in order.",),
        ),
        Entity(
            key="backpack",
            names=("backpack",),
            topic="gear",
            values=("Osprenne 48", "Gregor Zulu", "Deutane Aircon"),
            tells=("My backpack is a {v}.", "I carry a {v} backpack.", "I use a {v} as my backpack."),
            changes=("I got a new backpack, a {v}.", "I swapped my {old} backpack for a {v}."),
            questions=("What backpack do I carry?", "Which backpack do I use?"),
            hangs_on=("tent",),
        ),
        Entity(
            key="insurance",
            names=("hiking insurance", "insurance"),
            topic="life",
            values=("AlpenSafe Basic", "SummitCover", "TrekGuard Plus"),
            tells=("My hiking insurance is {v}.", "I'm insured with {v} for hiking, my hiking insurance is {v}."),
            changes=("I switched my hiking insurance to {v}.", "My hiking insurance is now {v}."),
            questions=("What's my hiking insurance?", "Which hiking insurance do I have?"),
            hangs_on=("town",),
        ),
        Entity(
            key="training_route",
            names=("training route",),
            topic="life",
            values=("the reservoir loop", "Gallows Ridge", "the canal towpath", "Beacon Steps"),
            tells=(
                "My training route is {v}.",
                "I train on {v}; call it my training route.",
                "For training I do {v}, that's my training route.",
            ),
            changes=("I changed my training route to {v}.", "My training route is {v} these days."),
            questions=("What's my training route?", "Which route is my training route?"),
            history=("What training routes have I had, in order?",),
            hangs_on=("town",),
        ),
        Entity(
            key="emergency_contact",
            names=("emergency contact",),
            topic="life",
            values=("my brother Idris", "Wanda Kessel", "my neighbour Olu"),
            tells=("My emergency contact is {v}.", "Please note that my emergency contact is {v}."),
            changes=("My emergency contact is now {v}.",),
            questions=("Who is my emergency contact?",),
            hangs_on=("town",),
        ),
        Entity(
            key="hut_pin",
            names=("hut key code", "key code for the hut"),
            topic="secrets",
            values=("3309", "82-14-7", "5521A"),
            tells=("The hut key code is {v}.", "The key code for the hut is {v}."),
            changes=("The hut key code is {v} now.",),
            questions=("What's the hut key code?", "What is the key code for the hut?"),
        ),
    ),
)

LAB = Domain(
    name="lab",
    topics={
        "instruments": (
            "What instruments do we have in the lab? List all of them.",
            "List everything you know about our lab equipment.",
        ),
        "paper": ("Tell me everything about the paper I'm writing.",),
    },
    quotes={
        "safety rule": (
            "No goggles, no bench. No label, no fridge. No partner, no night run.",
            "Acid into water, never the other way. If it smokes, leave, then shout.",
        ),
        "abstract": (
            "We show that slow cooling orders the lattice twice. The second order has not been seen before.",
            "Membranes remember pressure for hours. We measure how, and for how long.",
        ),
    },
    entities=(
        Entity(
            key="supervisor",
            names=("supervisor", "PhD supervisor"),
            topic="people",
            values=("Prof. Halvorsen", "Dr. Amaro", "Prof. Teegarden", "Dr. Liang"),
            tells=(
                "My supervisor is {v}.",
                "I'm doing my PhD with {v}, my supervisor.",
                "{v} is my supervisor.",
                "{v} supervises me.",
            ),
            changes=(
                "My supervisor is now {v}.",
                "I changed supervisors: {v} is my supervisor now.",
                "{v} took over from {old} as my supervisor.",
            ),
            questions=("Who is my supervisor?", "Who's supervising me?"),
            history=("Who have been my supervisors, in order?",),
        ),
        Entity(
            key="target_journal",
            names=("target journal",),
            topic="paper",
            values=("Physica Letters", "Soft Matter Reports", "J. Interfacial Science", "Acta Crystalline"),
            tells=(
                "The target journal for my paper is {v}.",
                "We're aiming for {v} as the target journal.",
                "Our target journal is {v}.",
            ),
            changes=(
                "We changed the target journal to {v}.",
                "The target journal is {v} now rather than {old}.",
                "It's {v} we're going for now, that's the new target journal.",
            ),
            questions=("What's our target journal?", "Which target journal are we aiming for?"),
            history=("What target journals did we have, first to last?",),
            hangs_on=("supervisor", "method"),
        ),
        Entity(
            key="method",
            names=("measurement method",),
            topic="paper",
            values=("neutron scattering", "Raman mapping", "ellipsometry", "cryo-SEM"),
            tells=(
                "Our measurement method is {v}.",
                "We measure with {v}, that's our measurement method.",
                "We rely on {v} as the measurement method.",
            ),
            changes=(
                "We went from {old} to {v} as our measurement method.",
                "The measurement method is now {v}.",
                "We abandoned {old}; the measurement method is {v}.",
            ),
            questions=("What measurement method do we use?", "What is our measurement method?"),
            history=("What measurement methods have we used, earliest first?",),
            hangs_on=("funding",),
        ),
        Entity(
            key="sample",
            names=("sample material",),
            topic="paper",
            values=("doped hematite", "lipid bilayers", "graphene foam", "amber glass"),
            tells=(
                "The sample material is {v}.",
                "Our sample material at the moment is {v}.",
                "We work on {v} as sample material.",
            ),
            changes=("We changed our sample material to {v}.", "The sample material is {v} now."),
            questions=("What's our sample material?", "Which sample material do we work on?"),
            hangs_on=("method",),
        ),
        Entity(
            key="funding",
            names=("funding source", "source of funding"),
            topic="money",
            values=("the Norling grant", "ERCA starter money", "the Vantor foundation", "DFX"),
            tells=(
                "My funding source is {v}.",
                "The funding source for all this is {v}.",
                "I'm paid from {v}; that's my funding source.",
            ),
            changes=(
                "My funding source changed: it's {v} now.",
                "The funding source is now {v}.",
                "The funding source went from {old} to {v}.",
            ),
            questions=("What's my funding source?", "What is the source of funding?"),
            history=("Which funding sources have I had over time?",),
        ),
        Entity(
            key="microscope",
            names=("microscope",),
            topic="instruments",
            values=("Zeisse 880", "Leichtmann SP8", "Nikora A1"),
            tells=("Our microscope is a {v}.", "The microscope in the lab is the {v}.", "We have a {v} microscope."),
            changes=("The microscope got replaced by a {v}.", "Our microscope is a {v} now."),
            questions=("What microscope do we have?", "Which microscope is in the lab?"),
            history=("What microscopes have we had, in order?",),
            hangs_on=("funding",),
        ),
        Entity(
            key="spectrometer",
            names=("spectrometer",),
            topic="instruments",
            values=("Brukane Alpha", "Horivar T64", "Ocean FX"),
            tells=("Our spectrometer is a {v}.", "We run a {v} spectrometer."),
            changes=(
                "We traded the {old} for a {v}, so that's the spectrometer now.",
                "The spectrometer is a {v} now.",
            ),
            questions=("What spectrometer do we have?", "Which spectrometer do we run?"),
            hangs_on=("funding",),
        ),
        Entity(
            key="analysis_software",
            names=("analysis software",),
            topic="instruments",
            values=("FitLab Pro", "Origino", "PyRefine", "Igorine"),
            tells=(
                "I do my analysis in {v}, that's my analysis software.",
                "My analysis software is {v}.",
                "I use {v} for data analysis.",
                "For analysis software I use {v}.",
            ),
            changes=(
                "I've moved from {old} to {v} for analysis software.",
                "My analysis software is {v} now.",
                "I use {v} instead of {old} as my analysis software now.",
            ),
            questions=("What analysis software do I use?", "Which software do I use for data analysis?"),
            history=("What analysis software have I used, in order from earliest?",),
            hangs_on=("method", "microscope"),
        ),
        Entity(
            key="group_meeting",
            names=("group meeting", "group meeting slot"),
            topic="people",
            values=("Monday at ten", "Wednesday after lunch", "Friday 9am"),
            tells=("Our group meeting is on {v}.", "The group meeting is {v}."),
            changes=("Group meeting moved to {v}.", "The group meeting is now on {v}."),
            questions=("When is our group meeting?", "When's the group meeting?"),
            hangs_on=("supervisor",),
        ),
        Entity(
            key="thesis_title",
            names=("thesis title", "working title"),
            topic="paper",
            values=("Order in slow glass", "Memory of soft walls", "Noise as a probe"),
            tells=("My thesis title is {v}.", "The working title of my thesis is {v}, so that's the thesis title."),
            changes=("I changed the thesis title to {v}.", "My thesis title is now {v}."),
            questions=("What's my thesis title?", "What is the title of my thesis?"),
            hangs_on=("supervisor", "sample"),
        ),
        Entity(
            key="cluster_account",
            names=("cluster account",),
            topic="secrets",
            values=("qz_4417", "mlund3", "proj-halo-9"),
            tells=("My cluster account is {v}.", "Our cluster account is {v}."),
            changes=("My cluster account is now {v}.",),
            questions=("What's my cluster account?",),
        ),
        Entity(
            key="coauthor",
            names=("co-author",),
            topic="people",
            values=("Beatriz Olander", "Samir Quist", "Hanne Dorf"),
            tells=(
                "My co-author is {v}.",
                "{v} is my co-author on the paper.",
                "I'm writing the paper with {v}, who's my co-author.",
            ),
            changes=("{v} replaced {old} as co-author.", "My co-author is {v} now."),
            questions=("Who is my co-author?", "Who's the co-author?"),
            hangs_on=("target_journal",),
        ),
    ),
)

DOMAINS = (KITCHEN, HIKING, LAB)

# Something hangs on something else, and nothing says what it becomes.
TIES = (
    "{A} depends on {b}, so if {b} ever changes we'd have to rethink it.",
    "Whatever {a} is depends entirely on {b}.",
    "{A} is only what it is because of {b}.",
    "If {b} changed, {a} might not stay the same.",
    "{A} hinges on {b}.",
    "Keep in mind that {a} is tied to {b}.",
    "Note that {b} decides {a}.",
    "We only settled on {a} because of {b}; a different {b_bare} could mean something else.",
    "{A} goes hand in hand with {b}.",
    "I'd have to reconsider {a} if {b} changes.",
    "Just so you know, {a} stands or falls with {b}.",
    "{A} follows from {b}, nothing more.",
    "When {b} changes, {a} may no longer hold.",
    "{A} was chosen to fit {b}.",
    "The choice of {a_bare} is driven by {b}.",
)

# What something will be when something else changes.
RULES = (
    "If {b} ever changes, {a} will be {w}.",
    "Once {b} changes, {a} becomes {w}.",
    "{A} will switch to {w} as soon as {b} changes.",
    "Should {b} change, we'd make {w} {a}.",
    "In case {b} changes, {w} becomes {a}.",
    "If we ever get a different {b_bare}, then {a} is going to be {w}.",
    "The plan is: when {b} changes, {a} changes to {w}.",
    "Whenever {b} changes, set {a} to {w}.",
    "The moment {b} changes, {a} turns into {w}.",
    "{A} goes to {w} if {b} changes.",
)

# What something will be when something else takes a named value.
RULES_NAMED = (
    "If {b} becomes {to}, {a} will be {w}.",
    "When {b} is {to}, {a} will be {w}.",
    "Once {b} switches to {to}, {a} becomes {w}.",
    "{A} will be {w} if {b} turns out to be {to}.",
    "Should {b} change to {to}, {a} would be {w}.",
)

DELETIONS = (
    "Please forget {a}.",
    "Forget what I told you about {a}.",
    "Could you delete {a} from your memory?",
    "I'd rather you didn't keep {a}; please erase it.",
    "Don't remember {a} any more, please.",
    "Wipe {a} from your notes.",
    "Please remove {a} from what you know about me.",
    "I don't want you to store {a} any longer.",
)

QUOTES = (
    'Remember {a} word for word: "{v}"',
    "Here is {a}, please keep it exactly as written: {v}",
    '{A} reads as follows, I\'ll want it verbatim later: "{v}"',
    'Please memorise {a} exactly: "{v}"',
    "I need you to remember {a} to the letter. It goes: {v}",
)

QUOTE_QUESTIONS = (
    "What is {a}, word for word?",
    "Quote {a} exactly.",
    "Give me {a} verbatim.",
    "How exactly does {a} go?",
)

REPLIES = (
    "Got it.",
    "Thanks, noted. Is there anything you want to do with that today?",
    "Understood! Let me know how it goes.",
    "Sounds good. Would you like me to draft something?",
)

# Turns of the user that state nothing about them.
CHATTER = (
    "How long should I rest a dough before shaping it?",
    "Can you summarise the difference between lattice and network models?",
    "What would happen if the head office moved to another city?",
    "My friend says her supervisor is terrible, how could I cheer her up?",
    "Write a short poem about rain on a tin roof.",
    "I wonder whether I should get a different phone at some point.",
    "Is it true that boots last longer if you wax them?",
    "Suppose the booking system were free, would it change the sums?",
    "Thanks, that helps a lot!",
    "Can you explain this? \"The tenant's deposit is two months' rent and the landlord is Mr. Hollis.\"",
)
