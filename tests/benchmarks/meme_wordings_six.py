"""
A sixth wave of wordings: a small farm and a school band, as people write chat messages. As first measured, after the
fifth had taught the patterns: ER .65, Agg .65, Tr .80, Del 1.00, Cas .64, Abs .47, mean .70 (20 episodes, seed 11). It has
taught them since.
"""

from meme_wordings import Domain, Entity

FARM = Domain(
    name="farm",
    topics={
        "supplies": ("What do you know about our suppliers and supplies? Tell me everything.",
                     "List everything you know about the farm's supplies."),
        "routine": ("What do you know about our routine on the farm? Tell me everything.",),
    },
    quotes={
        "gate notice": ("Close the gate behind you. The goats can read, but they will not listen.",),
        "egg rule": ("Wash the basket, never the egg. Date every box.",
                     "Two for the house, ten for the stall. The cracked ones are for the dog."),
    },
    entities=(
        Entity(key="vet", names=("vet",), topic="people", values=("Dr. Maartens", "Dr. Lowell", "Ingeborg Falk", "Dr. Pirelli"),
               tells=("Our vet's {v}.", "{v} looks after the animals, she's our vet.", "When an animal's sick we call {v}, our vet.",
                      "We've got a lovely vet, {v}."),
               changes=("We're with a new vet now, {v}.", "{old} retired, so our vet is {v} now.", "{v} took over as our vet.",
                        "Our vet's not {old} any longer, it's {v}."),
               questions=("Who's our vet?", "What's our vet's name?"), history=("Which vets have we had, in order?",)),
        Entity(key="feed", names=("feed supplier",), topic="supplies", values=("Hofmeister Mills", "GrainCo", "Ockley Feeds", "Barley Bros"),
               tells=("We buy feed from {v}, they're our feed supplier.", "Our feed supplier is {v}.", "Feed comes from {v} (our feed supplier)."),
               changes=("We've gone over to {v} as our feed supplier.", "Feed supplier's {v} now instead of {old}."),
               questions=("Who's our feed supplier?", "Which feed supplier do we use?"), hangs_on=("vet", "coop")),
        Entity(key="coop", names=("dairy", "dairy co-op"), topic="trade", values=("Alpenmilch", "Green Churn", "Velden Dairy", "Whitewell"),
               tells=("We sell our milk to {v}, that's our dairy.", "Our milk goes to {v}, our dairy.", "Our dairy is {v}."),
               changes=("As of this week our dairy is {v}.", "We've left {old} and our dairy is {v} now.", "Our dairy switched: it's {v} now."),
               questions=("Which dairy do we use?", "Who's our dairy?"), history=("Which dairies have we sold to, in order?", "List our dairies from first to last.")),
        Entity(key="milking", names=("milking time",), topic="routine", values=("5:30", "six sharp", "4:45 am"),
               tells=("Milking time's {v}, ugh.", "Our milking time is {v}.", "We start at {v}, that's milking time."),
               changes=("Milking time is {v} these days.",), questions=("When's milking time?", "What's our milking time?"), hangs_on=("coop",)),
        Entity(key="collection", names=("collection day",), topic="routine", values=("Tuesdays", "Friday", "every other Monday"),
               tells=("Collection day is {v}.", "The truck comes {v}, that's collection day.", "Our collection day's {v}."),
               changes=("They've moved collection day to {v}.",), questions=("When is collection day?", "What's our collection day?"), hangs_on=("coop", "milking")),
        Entity(key="hand", names=("farmhand",), topic="people", values=("Casimir", "Big Joe", "Lotte Grün"),
               tells=("Our farmhand's {v}.", "{v} helps out, he's our farmhand.", "We took on {v} as our farmhand."),
               changes=("{v} is the farmhand now.", "We have a new farmhand called {v}."), questions=("Who's our farmhand?",),
               history=("Who have our farmhands been, in order?",)),
        Entity(key="bedding", names=("bedding",), topic="supplies", values=("chopped straw", "wood shavings", "hemp"),
               tells=("For bedding we use {v}.", "Our bedding is {v}.", "The bedding we use is {v}."),
               changes=("Our bedding is {v} now.",), questions=("What do we use for bedding?", "What's our bedding?"), hangs_on=("vet", "hand")),
        Entity(key="diesel", names=("diesel supplier",), topic="supplies", values=("Tanko", "RuralFuel", "Petersen Oil"),
               tells=("Our diesel supplier's {v}.", "We get our diesel from {v}, our diesel supplier."),
               changes=("Our diesel supplier is {v} now.",), questions=("Who's our diesel supplier?",)),
        Entity(key="dog", names=("sheepdog",), topic="animals", values=("Fly", "Bramble", "Old Tess"),
               tells=("Our sheepdog's called {v}.", "We have a sheepdog, {v}.", "Our sheepdog is {v}."),
               changes=("Our sheepdog is {v} now, {old} is too old for it.",), questions=("What's our sheepdog called?", "Who's our sheepdog?"),
               history=("Which sheepdogs have we had, oldest first?",)),
        Entity(key="stall_price", names=("egg price",), topic="trade", values=("3.20 a dozen", "2 euros a box", "40 cents each"),
               tells=("Our egg price is {v}.", "The egg price at the stall is {v}.", "We charge {v}, that's our egg price."),
               changes=("We put our egg price up to {v}.",), questions=("What's our egg price?",), hangs_on=("feed",)),
        Entity(key="gate_code", names=("gate code",), topic="secrets", values=("5561", "H-204"),
               tells=("The gate code is {v}.", "Gate code's {v}."), changes=("The gate code is {v} now.",), questions=("What's the gate code?",)),
    ),
)  # fmt: skip

SCHOOLBAND = Domain(
    name="schoolband",
    topics={
        "rehearsal": ("What do you know about our rehearsals? Tell me everything.",),
        "people": ("Who's involved in the band? List everyone.",),
    },
    quotes={
        "warm-up line": ("Feet flat, backs straight, phones in the box. Breathe before you bow.",),
        "band pledge": ("We listen more than we play. We never laugh at a wrong note.",
                        "First the tune, then the volume. Nobody solos over the tuba."),
    },
    entities=(
        Entity(key="conductor", names=("conductor", "band leader"), topic="people", values=("Ms. Abernathy", "Mr. Tavares", "Herr Nolte", "Mrs. Quill"),
               tells=("{v} conducts us, she's our conductor.", "Our conductor is {v}.", "We've got {v} as our conductor this year."),
               changes=("We got a new conductor, {v}.", "{v} is filling {old}'s shoes as our conductor.", "{old} went on leave, so {v} is our conductor now.",
                        "Our conductor is {v} now."),
               questions=("Who's our conductor?", "Who conducts us?"), history=("Who have our conductors been, in order?", "Which conductors have we had so far?")),
        Entity(key="room", names=("rehearsal room",), topic="rehearsal", values=("B12", "the old gym", "Studio 3", "the chapel"),
               tells=("We rehearse in {v}, that's our rehearsal room.", "Our rehearsal room is {v}.", "The rehearsal room's {v}."),
               changes=("We got moved to {v}, so that's our rehearsal room now.", "Our rehearsal room is {v} from now on.", "They've given us {v} as our rehearsal room instead of {old}."),
               questions=("What's our rehearsal room?", "Where do we rehearse?"), history=("Which rehearsal rooms have we had, in order?",)),
        Entity(key="day", names=("rehearsal day",), topic="rehearsal", values=("Wednesday", "Thursday after school", "Saturday morning"),
               tells=("Rehearsal day's {v}.", "Our rehearsal day is {v}.", "We rehearse on {v}, so that's our rehearsal day."),
               changes=("Rehearsal day got moved to {v}.",), questions=("When's our rehearsal day?", "What's our rehearsal day?"), hangs_on=("conductor", "room")),
        Entity(key="opener", names=("opening piece",), topic="program", values=("Blue Tango", "Fanfare in B", "Moonlit Parade"),
               tells=("Our opening piece is {v}.", "We open with {v}, that's our opening piece.", "The opening piece's going to be {v}."),
               changes=("Our opening piece is {v} now.",), questions=("What's our opening piece?",), hangs_on=("conductor", "soloist")),
        Entity(key="soloist", names=("soloist",), topic="people", values=("Amara", "Theo Lind", "Priyanka", "Lukas"),
               tells=("Our soloist's {v}.", "{v} plays the solos, so {v} is our soloist.", "{v} got picked as our soloist."),
               changes=("{v} is our soloist now.", "{v} replaces {old} as our soloist."), questions=("Who's our soloist?",),
               history=("Who have our soloists been, in order?",), hangs_on=("conductor",)),
        Entity(key="roadie", names=("equipment manager",), topic="people", values=("Wes", "Magda", "Old Franklin"),
               tells=("Our equipment manager is {v}.", "{v} hauls the gear, he's our equipment manager."), changes=("Our equipment manager is {v} now.",),
               questions=("Who's our equipment manager?",)),
        Entity(key="tuner", names=("tuning app",), topic="rehearsal", values=("PitchPal", "Tunely", "A440"),
               tells=("We tune with {v}, that's our tuning app.", "Our tuning app is {v}.", "We all use {v} as our tuning app."),
               changes=("We've changed our tuning app to {v}.",), questions=("What's our tuning app?", "Which tuning app do we use?"), hangs_on=("conductor",)),
        Entity(key="amp", names=("sound system",), topic="rehearsal", values=("the Roland stack", "two borrowed Yamahas", "BoomBox 300"),
               tells=("Our sound system is {v}.", "For sound we have {v} as our sound system."), changes=("Our sound system's {v} now.",),
               questions=("What's our sound system?",), hangs_on=("room",)),
        Entity(key="uniform", names=("uniform colour",), topic="program", values=("maroon", "white and gold", "all black"),
               tells=("Our uniform colour is {v}.", "We wear {v}, that's our uniform colour."), changes=("Our uniform colour is {v} now.",),
               questions=("What's our uniform colour?",), hangs_on=("soloist", "conductor")),
        Entity(key="locker", names=("instrument locker code",), topic="secrets", values=("3-1-4", "0808"),
               tells=("The instrument locker code is {v}.", "Our instrument locker code's {v}."), changes=("The instrument locker code is {v} now.",),
               questions=("What's the instrument locker code?",)),
        Entity(key="sponsor", names=("trip sponsor",), topic="money", values=("the bakery on Hill St", "Kwik Tyres", "Lions Club", "Optik Weber"),
               tells=("{v} pays for our trips, they're our trip sponsor.", "Our trip sponsor is {v}."), changes=("Our trip sponsor is {v} now.", "We've lost {old}; our trip sponsor is {v} now."),
               questions=("Who's our trip sponsor?",), history=("Which trip sponsors have we had?",)),
    ),
)  # fmt: skip

DOMAINS_SIX = (FARM, SCHOOLBAND)

TIES_SIX = (
    "Since {b} is what decides {a}, don't take it as fixed.",
    "{A} works only as long as we've got {b}.",
    "We settled on {a} with {b} in mind.",
    "{B} changing would mean looking at {a} again.",
    "{A} is up to {b}, to be honest.",
    "No idea what we'd do about {a} if {b} were to change.",
    "If {b} changes at some point, I'd have to ask about {a} again.",
    "{A} comes from {b}, which is why it may not last.",
    "If {b} changes, {a} probably won't stay the same.",
    "The choice of {a} hinges on {b}.",
    "{A} is tailored to {b}.",
    "Without {b}, {a} could be anything.",
)
RULES_SIX = (
    "If {b} changes, we've decided {a} will be {w}.",
    "When {b} changes one day, we'll go with {w} for {a}.",
    "{A} will switch to {w} if {b} changes.",
    "Next time {b} changes, {a} is {w}.",
    "If we get another {b_bare}, {a} will be {w}.",
    "In the event that {b} changes, {a} will be {w}.",
    "We'd use {w} as {a} if {b} changed.",
    "If there's ever a new {b_bare}, {a} turns into {w}.",
)
RULES_NAMED_SIX = (
    "If {b} turns out to be {to}, {a} will be {w}.",
    "{A} will be {w} once {to} is {b}.",
    "If we go with {to} as {b}, {a} is {w}.",
)
DELETIONS_SIX = (
    "Forget what I told you about {a}, please.",
    "You don't need to keep {a} any more, get rid of it.",
    "Please take {a} out of your memory.",
    "{A} was private, please delete it.",
    "Let's pretend I never told you {a}.",
    "Please scratch {a} from your notes.",
)
QUOTES_SIX = (
    'I want {a} stored word for word: "{v}"',
    'Please note {a} exactly as I write it: "{v}"',
    '{A} goes like this, verbatim: "{v}"',
)
QUOTE_QUESTIONS_SIX = ("What exactly is {a}?", "Give me {a} verbatim, please.", "How does {a} go, word for word?")
JOINS_SIX = (" Oh and ", " Plus, ", " By the way, ", " And ")
