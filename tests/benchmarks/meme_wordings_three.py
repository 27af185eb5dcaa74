"""
A third wave of wordings: a household and a youth football team. As first
measured: ER .70, Agg .80, Tr .62, Del .95, Cas .60, Abs .30, mean .66. It has taught the patterns since.
"""

from meme_wordings import Domain, Entity

HOUSE = Domain(
    name="house",
    topics={
        "services": (
            "Which services and contracts do we have for the house? List everything.",
            "Tell me everything about our household contracts.",
        ),
        "kids": ("What do you know about the kids' week? Tell me everything.",),
    },
    quotes={
        "house motto": (
            "Shoes off, voices down, doors closed. Everybody clears one thing that is not theirs.",
            "Whoever cooks does not wash. Whoever complains cooks tomorrow.",
        ),
        "alarm instruction": (
            "Press the star, then the code, then wait for two beeps. Do not open the door before the second beep.",
        ),
    },
    entities=(
        Entity(
            key="electricity",
            names=("electricity provider", "power company"),
            topic="services",
            values=("Lumenor", "GreenGrid", "Voltaine", "Stadtwerk Nord"),
            tells=(
                "Our electricity provider is {v}.",
                "We get our electricity from {v}.",
                "The power comes from {v}, that's our electricity provider.",
            ),
            changes=(
                "We changed our electricity provider to {v}.",
                "We've switched from {old} to {v} for electricity.",
                "Our electricity provider is {v} now.",
            ),
            questions=("Who is our electricity provider?", "Where do we get our electricity from?"),
            history=("Which electricity providers have we had, in order?",),
            hangs_on=("landlord",),
        ),
        Entity(
            key="landlord",
            names=("landlord",),
            topic="house",
            values=("Mrs. Ferrante", "Mr. Boateng", "the Kestner family", "Dr. Sahin"),
            tells=("Our landlord is {v}.", "We rent from {v}, our landlord.", "{v} is our landlord."),
            changes=(
                "The house was sold, so our landlord is {v} now.",
                "We have a new landlord, {v}.",
                "{v} is our new landlord.",
            ),
            questions=("Who's our landlord?", "Who do we rent from?"),
            history=("Who have our landlords been, from first to last?",),
        ),
        Entity(
            key="internet",
            names=("internet provider",),
            topic="services",
            values=("Fibra", "NetHollow", "QuickLine"),
            tells=(
                "Our internet provider is {v}.",
                "Our internet is from {v}, so {v} is our internet provider.",
                "We use {v} for internet.",
            ),
            changes=("We moved our internet over to {v}.", "Our internet provider is {v} as of this month."),
            questions=("Who is our internet provider?", "Which internet provider do we have?"),
            hangs_on=("landlord",),
        ),
        Entity(
            key="cleaner",
            names=("cleaner", "cleaning lady"),
            topic="services",
            values=("Dolores", "Mirka", "Ana-Lucia"),
            tells=("Our cleaner is {v}.", "{v} cleans our house.", "We have a cleaner called {v}."),
            changes=("{v} is our new cleaner.", "{v} replaced {old} as our cleaner."),
            questions=("Who's our cleaner?", "What's the name of our cleaner?"),
        ),
        Entity(
            key="bin_day",
            names=("bin day", "rubbish day"),
            topic="house",
            values=("Wednesday", "Monday", "Friday"),
            tells=("Bin day is {v}.", "Our bin day is {v}.", "The bins go out on {v}, that's bin day."),
            changes=("Bin day has moved to {v}.", "They changed our bin day to {v}."),
            questions=("When is bin day?", "What day is our bin day?"),
            history=("Which bin days have we had, oldest first?",),
        ),
        Entity(
            key="school",
            names=("kids' school", "school"),
            topic="kids",
            values=("Birchwood Primary", "St. Odile", "the Lindgren School", "Marlow Road"),
            tells=("The kids go to {v}.", "Our kids' school is {v}.", "The school our kids go to is {v}."),
            changes=("The kids go to {v} now.", "We moved the kids from {old} to {v}.", "Our kids' school is now {v}."),
            questions=("Which school do the kids go to?", "What's our kids' school?"),
            history=("Which schools have the kids been to, in order?",),
        ),
        Entity(
            key="pickup_time",
            names=("pick-up time",),
            topic="kids",
            values=("3:15", "half past four", "2:45"),
            tells=("Pick-up time is {v}.", "The pick-up time at school is {v}.", "Our pick-up time is {v}."),
            changes=("Pick-up time changed to {v}.",),
            questions=("When is pick-up time?", "What's our pick-up time?"),
            hangs_on=("school",),
        ),
        Entity(
            key="babysitter",
            names=("babysitter",),
            topic="kids",
            values=("Flora", "Young-Mi", "Casper"),
            tells=("Our babysitter is {v}.", "{v} babysits for us.", "{v} is the babysitter we usually call."),
            changes=("We've got a new babysitter, {v}.", "Our babysitter is {v} now."),
            questions=("Who is our babysitter?", "Who babysits for us?"),
            hangs_on=("school", "pickup_time"),
        ),
        Entity(
            key="car",
            names=("family car", "car"),
            topic="house",
            values=("Skodan Octa", "Renor Zoe", "Volvix V60"),
            tells=("We drive a {v}.", "Our car is a {v}.", "The family car is a {v}."),
            changes=("We sold the {old} and bought a {v}, so that's the family car now.", "Our car is a {v} now."),
            questions=("What car do we drive?", "What's our family car?"),
            history=("Which cars have we had over the years?",),
        ),
        Entity(
            key="garage_code",
            names=("garage code",),
            topic="secrets",
            values=("2290", "A-17-4", "8042#"),
            tells=("The garage code is {v}.", "Our garage code is {v}."),
            changes=("We changed the garage code to {v}.",),
            questions=("What's the garage code?", "What is our garage code?"),
        ),
        Entity(
            key="insurer",
            names=("home insurance", "home insurer"),
            topic="services",
            values=("Casa Sure", "Helvance", "Old Mutuary"),
            tells=(
                "Our home insurance is with {v}.",
                "Our home insurance is {v}.",
                "We have {v} as our home insurance.",
            ),
            changes=("We took our home insurance to {v}.", "Our home insurance is with {v} now."),
            questions=("Who is our home insurance with?", "What's our home insurance?"),
            hangs_on=("landlord",),
        ),
    ),
)

TEAM = Domain(
    name="team",
    topics={
        "matchday": (
            "What do you know about our match days? Tell me everything.",
            "List everything about our matches.",
        ),
        "staff": ("Who runs the team? List everyone you know.",),
    },
    quotes={
        "team oath": (
            "We win with grace and we lose with grace. We shake every hand before we leave.",
            "Eleven on the pitch, twenty in the team. Nobody carries the bag alone.",
        ),
        "warm-up chant": ("Left foot, right foot, who has got it? We have got it. Blue, blue, blue.",),
    },
    entities=(
        Entity(
            key="coach",
            names=("coach", "head coach"),
            topic="staff",
            values=("Bernd Achterberg", "Coach Delacroix", "Simone Vitale", "Pekka Lahti"),
            tells=("Our coach is {v}.", "{v} coaches our team.", "{v} is our coach this season."),
            changes=(
                "{v} is the new coach.",
                "Our coach is {v} now, {old} went to another club.",
                "{v} took over from {old} as coach.",
            ),
            questions=("Who's our coach?", "Who coaches our team?"),
            history=("Who have our coaches been, in order?",),
        ),
        Entity(
            key="captain",
            names=("captain", "team captain"),
            topic="staff",
            values=("Milo", "Janek", "Oisin", "Taavi"),
            tells=("Our captain is {v}.", "{v} wears the armband, he's our captain.", "The team captain is {v}."),
            changes=("Our captain is now {v}.", "{v} is captain now instead of {old}."),
            questions=("Who is our captain?", "Who's the team captain?"),
            history=("List our captains in order.",),
            hangs_on=("coach",),
        ),
        Entity(
            key="formation",
            names=("formation",),
            topic="matchday",
            values=("4-4-2", "3-5-2", "4-3-3"),
            tells=("We play a {v} formation.", "Our formation is {v}.", "The formation we play is {v}."),
            changes=("We changed our formation to {v}.", "Our formation is {v} from now on."),
            questions=("What's our formation?", "Which formation do we play?"),
            hangs_on=("coach",),
        ),
        Entity(
            key="home_ground",
            names=("home ground", "home pitch"),
            topic="matchday",
            values=("Millrace Park", "the Gasworks pitch", "Elm Lane", "Harbour Field"),
            tells=(
                "Our home ground is {v}.",
                "We play our home games at {v}.",
                "Home games are at {v}, that's our home ground.",
            ),
            changes=(
                "Our home ground is {v} now.",
                "We've moved our home ground to {v}.",
                "From this season our home ground is {v}.",
            ),
            questions=("What's our home ground?", "Where do we play our home games?"),
            history=("What home grounds have we had, earliest to latest?",),
        ),
        Entity(
            key="kickoff",
            names=("kick-off time",),
            topic="matchday",
            values=("10:30", "two o'clock", "noon"),
            tells=("Our kick-off time is {v}.", "The kick-off time is {v}.", "Kick-off time is {v} on Saturdays."),
            changes=("Our kick-off time moved to {v}.",),
            questions=("When is our kick-off time?", "What's our kick-off time?"),
            hangs_on=("home_ground",),
        ),
        Entity(
            key="training_day",
            names=("training day",),
            topic="staff",
            values=("Tuesday and Thursday", "Monday", "Wednesday evening"),
            tells=("Our training day is {v}.", "We train on {v}, so that's our training day."),
            changes=("Our training day is {v} now.",),
            questions=("When is our training day?", "What's our training day?"),
            hangs_on=("coach", "home_ground"),
        ),
        Entity(
            key="sponsor",
            names=("shirt sponsor", "sponsor"),
            topic="money",
            values=("Bakker Tools", "Pizzeria Lupo", "the savings bank", "Hoof & Horn"),
            tells=("Our shirt sponsor is {v}.", "{v} sponsors our shirts.", "{v} is our shirt sponsor."),
            changes=(
                "Our shirt sponsor is now {v}.",
                "We have a new shirt sponsor: {v}.",
                "{v} has replaced {old} as our shirt sponsor.",
            ),
            questions=("Who is our shirt sponsor?", "Who sponsors our shirts?"),
            history=("Which shirt sponsors have we had over time?",),
        ),
        Entity(
            key="kit_colour",
            names=("kit colour",),
            topic="matchday",
            values=("navy blue", "orange", "green and white"),
            tells=("Our kit colour is {v}.", "The kit colour is {v}."),
            changes=("Our kit colour changed to {v}.", "Our kit colour is now {v}."),
            questions=("What's our kit colour?", "What colour is our kit?"),
            hangs_on=("sponsor",),
        ),
        Entity(
            key="bus_company",
            names=("bus company",),
            topic="money",
            values=("Reisen Kolb", "Blueline Coaches", "Jansen Tours"),
            tells=(
                "Our bus company is {v}.",
                "We travel with {v}; that's our bus company.",
                "The bus company we use is {v}.",
            ),
            changes=("We changed the bus company to {v}.",),
            questions=("Which bus company do we use?", "What's our bus company?"),
            hangs_on=("sponsor",),
        ),
        Entity(
            key="physio",
            names=("physio", "team physio"),
            topic="staff",
            values=("Greta Holm", "Yusuf Demir", "Nell Farrow"),
            tells=("Our physio is {v}.", "{v} is our team physio.", "We have {v} as our physio."),
            changes=("{v} is our physio now.",),
            questions=("Who is our physio?", "Who's the team physio?"),
            hangs_on=("sponsor", "coach"),
        ),
        Entity(
            key="locker_code",
            names=("locker room code",),
            topic="secrets",
            values=("1906", "K-33", "7411"),
            tells=("The locker room code is {v}.", "Our locker room code is {v}."),
            changes=("The locker room code is {v} now.",),
            questions=("What's the locker room code?",),
        ),
    ),
)

DOMAINS_THREE = (HOUSE, TEAM)

TIES_THREE = (
    "{A} is tied up with {b}, so I can't promise it stays if {b} changes.",
    "By the way, {a} depends on who or what {b} is.",
    "If {b} changes, we'll probably need a different {a_bare}.",
    "{A} was decided by {b}.",
    "Everything about {a} hangs on {b}.",
    "If {b} changes, {a} will have to be sorted out again.",
    "Mind you, {a} is linked to {b}.",
    "{A} came with {b}, so it goes if {b} goes.",
    "We have {a} because of {b}.",
    "When {b} changes, we'd have to see about {a}.",
    "{A} is whatever suits {b}.",
    "A new {b_bare} could well mean a different {a_bare}.",
)

RULES_THREE = (
    "If {b} changes, {a} will change to {w}.",
    "As soon as {b} changes, {a} is {w}.",
    "If {b} ever changes, we switch {a} to {w}.",
    "Once we have a different {b_bare}, {a} will be {w}.",
    "When {b} changes we're going to make {w} {a}.",
    "{A} becomes {w} when {b} changes.",
    "In case of a new {b_bare}, {a} will be {w}.",
    "Whenever {b} changes, {a} should go to {w}.",
)

RULES_NAMED_THREE = (
    "If {b} is ever {to}, {a} will be {w}.",
    "When {b} changes to {to}, {a} becomes {w}.",
    "Should {b} become {to}, we'd have {w} as {a}.",
    "{A} will be {w} as soon as {b} is {to}.",
)

DELETIONS_THREE = (
    "Please forget {a} for good.",
    "Delete {a} from what you remember, please.",
    "I don't want you to know {a} anymore.",
    "Can you forget I ever mentioned {a}?",
    "Strike {a} from your memory.",
    "Please don't keep {a} in your notes.",
)

QUOTES_THREE = (
    'Keep {a} word for word, please: "{v}"',
    'I want you to remember {a} exactly as it is: "{v}"',
    "{A}, to be remembered verbatim: {v}",
)

QUOTE_QUESTIONS_THREE = ("What does {a} say, word for word?", "Recite {a}.", "Tell me {a} verbatim.")
