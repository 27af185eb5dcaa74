"""
A second wave of wordings, written after the patterns had met the first: other domains, other people's ways of talking.

As first measured, before anything was changed for it: ER 1.00, Agg .20, Tr .32, Del .48, Cas .20, Abs .14, mean .39.
What failed then has since taught the patterns, so that later figures of this wave are no longer of unseen wordings.
"""

from meme_wordings import Domain, Entity

THEATRE = Domain(
    name="theatre",
    topics={
        "production": (
            "What do you know about our current production? Tell me everything.",
            "Give me the full picture of the show we're doing.",
        ),
        "tech": (
            "What tech gear does the theatre have? List it all.",
            "Which lighting and sound equipment do we have? Everything, please.",
        ),
    },
    quotes={
        "curtain speech": (
            "Good evening and welcome. Switch off what rings, unwrap what rustles, and let us begin.",
            "Tonight a few friends pretend to be strangers. Please pretend along with us.",
        ),
        "house rule": (
            "Whoever opens the trap closes the trap. Whoever borrows the hammer brings back the hammer.",
            "No coffee near the desk. No shoes on the velvet. No whistling, ever.",
        ),
    },
    entities=(
        Entity(
            key="director",
            names=("director",),
            topic="people",
            values=("Marguerite Oyelaran", "Stellan Vane", "Ottilie Brandt", "Hugo Castellan"),
            tells=(
                "{v} is directing us this time round.",
                "Our director, {v}, is a bit of a perfectionist.",
                "So the director is {v}, you'll hear that name a lot.",
                "We managed to get {v} to be our director.",
            ),
            changes=(
                "{old} quit on us. {v} is our director now.",
                "There's been a change at the top: {v} is directing instead of {old}.",
                "{v} stepped in as director after {old} left.",
                "We've got a new director, her name's {v}.",
            ),
            questions=("Who's directing us?", "Who is our director?"),
            history=("Who has directed us so far, in order?", "Name all our directors from first to last."),
        ),
        Entity(
            key="play",
            names=("play", "play we're staging"),
            topic="production",
            values=("The Glass Orchard", "Night on Tallow Street", "A Fox at Supper", "Winter Quarters"),
            tells=(
                "We're putting on {v} this autumn.",
                "The play we're doing is {v}.",
                "Our next play is going to be fun: it's {v}.",
                "We're rehearsing {v} at the moment.",
            ),
            changes=(
                "We've scrapped {old} and we're doing {v} as our play instead.",
                "Change of plan, our play is {v} now.",
                "We ended up swapping the play: {v} rather than {old}.",
            ),
            questions=("Which play are we doing?", "What play are we putting on?", "What's our play?"),
            history=("Which plays have we put on, in chronological order?",),
            hangs_on=("director",),
        ),
        Entity(
            key="lead_role",
            names=("lead", "lead role"),
            topic="production",
            values=("Tamsin Roe", "Jules Adeyemi", "Petra Lindqvist"),
            tells=(
                "{v} is playing the lead.",
                "The lead role went to {v}.",
                "We cast {v} in the lead role.",
            ),
            changes=(
                "{v} is taking over the lead from {old}.",
                "The lead role is {v}'s now.",
                "We recast the lead role with {v}.",
            ),
            questions=("Who's playing the lead?", "Who has the lead role?"),
            hangs_on=("play", "director"),
        ),
        Entity(
            key="venue",
            names=("venue",),
            topic="production",
            values=("the Old Malthouse", "Corn Exchange Hall", "St Brannock's crypt", "the Tramshed"),
            tells=(
                "We'll be performing at {v}.",
                "The venue's {v}, lovely acoustics.",
                "For the venue we picked {v}.",
            ),
            changes=(
                "The venue fell through, so it's {v} now.",
                "We had to move the venue to {v}.",
                "New venue, by the way: {v}.",
            ),
            questions=("Where are we performing?", "What's the venue?", "Which venue are we using?"),
            history=("What venues have we had, earliest to latest?",),
        ),
        Entity(
            key="opening_night",
            names=("opening night",),
            topic="production",
            values=("14 March", "2 October", "the last Friday in May"),
            tells=("Opening night is {v}.", "We open on {v}, that's opening night.", "Opening night's set for {v}."),
            changes=("Opening night got pushed back to {v}.", "We've had to shift opening night to {v}."),
            questions=("When's opening night?", "When do we open?"),
            hangs_on=("venue", "play"),
        ),
        Entity(
            key="ticket_price",
            names=("ticket price",),
            topic="money",
            values=("twelve pounds", "£9.50", "pay what you can"),
            tells=(
                "We charge {v} a ticket, so the ticket price is {v}.",
                "The ticket price is {v}.",
                "Ticket price: {v}.",
            ),
            changes=("We put the ticket price up to {v}.", "The ticket price went to {v}."),
            questions=("How much is a ticket?", "What's our ticket price?"),
            hangs_on=("venue",),
        ),
        Entity(
            key="lighting_desk",
            names=("lighting desk",),
            topic="tech",
            values=("Strandov 48", "Avolux Titan", "ChamSys Mini"),
            tells=(
                "The lighting desk is an old {v}.",
                "We run the lights off a {v} lighting desk.",
                "Our lighting desk's a {v}.",
            ),
            changes=("We finally replaced the lighting desk with a {v}.", "The lighting desk is a {v} these days."),
            questions=("What lighting desk have we got?", "Which lighting desk do we use?"),
            history=("What lighting desks have we had over the years?",),
            hangs_on=("venue",),
        ),
        Entity(
            key="sound_mixer",
            names=("sound mixer",),
            topic="tech",
            values=("Yamoto QL1", "Midor M32", "Behrings X18"),
            tells=("Our sound mixer is a {v}.", "Sound goes through a {v}, that's our sound mixer."),
            changes=(
                "We got rid of the {old}; the sound mixer is a {v} now.",
                "The sound mixer's been replaced by a {v}.",
            ),
            questions=("What's our sound mixer?", "Which sound mixer do we have?"),
        ),
        Entity(
            key="rehearsal_day",
            names=("rehearsal day", "rehearsals"),
            topic="people",
            values=("Tuesdays and Thursdays", "Sunday afternoons", "Monday evenings"),
            tells=("We rehearse on {v}.", "Rehearsals are on {v}.", "Our rehearsal day is {v}."),
            changes=("Rehearsals have moved to {v}.", "We now rehearse on {v}."),
            questions=("When do we rehearse?", "When are rehearsals?", "What's our rehearsal day?"),
            hangs_on=("director",),
        ),
        Entity(
            key="stage_door_code",
            names=("stage door code",),
            topic="secrets",
            values=("5583", "C19Y", "77-04"),
            tells=("The stage door code is {v}.", "The code for the stage door is {v}, that's the stage door code."),
            changes=("They changed the stage door code to {v}.",),
            questions=("What's the stage door code?",),
        ),
        Entity(
            key="costume_maker",
            names=("costume maker",),
            topic="people",
            values=("Ines Fallow", "Bram Ostrander", "Wilhelmina Tate"),
            tells=("{v} makes our costumes.", "Our costume maker is {v}.", "Costumes are by {v}, our costume maker."),
            changes=("{v} is our costume maker from this week.", "{v} has taken over from {old} as our costume maker."),
            questions=("Who makes our costumes?", "Who's our costume maker?"),
            hangs_on=("director", "play"),
        ),
    ),
)

FREELANCE = Domain(
    name="freelance",
    topics={
        "money": (
            "What do you know about my finances? Tell me everything.",
            "List everything you know about how I handle money.",
        ),
        "gear": ("What equipment do I work with? List everything.", "List all the gear I own for work."),
    },
    quotes={
        "mission statement": (
            "I take pictures of people at work. I leave before they start to pose.",
            "Small jobs, done whole. Big jobs, done small.",
        ),
        "cancellation clause": (
            "If you cancel a week before, you pay nothing. If you cancel a day before, you pay half.",
            "Weather is nobody's fault. We move the day and keep the fee.",
        ),
    },
    entities=(
        Entity(
            key="main_client",
            names=("main client", "biggest client"),
            topic="work",
            values=("Bergamot Foods", "Hollis & Crane", "the city museum", "Ardent Bikes"),
            tells=(
                "Most of my work comes from {v}, my main client.",
                "My main client is {v}.",
                "{v} is my biggest client by far.",
                "I mainly work for {v}; they're my main client.",
            ),
            changes=(
                "I lost {old} and now my main client is {v}.",
                "{v} has become my main client.",
                "My main client isn't {old} anymore, it's {v}.",
            ),
            questions=("Who's my main client?", "Who is my biggest client?"),
            history=("Who have my main clients been, first to last?",),
        ),
        Entity(
            key="day_rate",
            names=("day rate",),
            topic="money",
            values=("480 euros", "550 a day", "620 euros"),
            tells=("I charge {v} as my day rate.", "My day rate is {v}.", "My day rate's currently {v}."),
            changes=("I've put my day rate up to {v}.", "I raised my day rate from {old} to {v}."),
            questions=("What's my day rate?", "How much is my day rate?"),
            history=("How has my day rate changed over time?",),
            hangs_on=("main_client",),
        ),
        Entity(
            key="studio",
            names=("studio",),
            topic="work",
            values=("Hafen Yard", "Loft 12", "the Brickworks", "Kiln Street"),
            tells=(
                "My studio is at {v}.",
                "I rent a studio at {v}.",
                "I work out of a studio in {v}.",
            ),
            changes=(
                "I gave up the studio at {old} and moved into one at {v}.",
                "My studio's at {v} now.",
                "I moved my studio to {v}.",
            ),
            questions=("Where's my studio?", "Where is my studio?"),
            history=("Where have my studios been, in order?",),
            hangs_on=("main_client",),
        ),
        Entity(
            key="camera",
            names=("camera",),
            topic="gear",
            values=("Nikora Z7", "Canos R5", "Leicon Q2", "Fujinor X100"),
            tells=(
                "I shoot with a {v}.",
                "My camera's a {v}.",
                "I've been shooting on a {v} camera for ages.",
                "These days I use a {v} as my camera.",
            ),
            changes=(
                "I traded in my {old} for a {v}, so that's my camera now.",
                "I switched cameras, I'm on a {v} now.",
                "My camera is a {v} now, the {old} is gone.",
            ),
            questions=("What camera do I shoot with?", "Which camera do I have?", "What's my camera?"),
            history=("Which cameras have I had, from the first to the current one?",),
        ),
        Entity(
            key="lens",
            names=("favourite lens", "go-to lens"),
            topic="gear",
            values=("35mm f1.4", "85mm prime", "24-70 zoom"),
            tells=(
                "My go-to lens is the {v}.",
                "My favourite lens is the {v}.",
                "I mostly use the {v}, it's my favourite lens.",
            ),
            changes=("My go-to lens is the {v} now.", "The {v} has replaced the {old} as my favourite lens."),
            questions=("What's my go-to lens?", "What is my favourite lens?"),
            hangs_on=("camera",),
        ),
        Entity(
            key="editing_software",
            names=("editing software", "photo editor"),
            topic="gear",
            values=("DarkRoomer", "Capsule One", "LumaPress"),
            tells=(
                "I edit everything in {v}.",
                "My editing software is {v}.",
                "I edit my photos with {v}, that's my editing software.",
            ),
            changes=(
                "I've gone over to {v} for my editing software.",
                "I edit in {v} now instead of {old}; it's my new editing software.",
            ),
            questions=("What do I edit my photos with?", "What editing software do I use?"),
            hangs_on=("camera",),
        ),
        Entity(
            key="accountant",
            names=("accountant",),
            topic="money",
            values=("Regina Holt", "Davor Pesic", "Ms. Anselm"),
            tells=("{v} does my books.", "My accountant is {v}.", "My accountant's called {v}."),
            changes=("I fired {old}; my accountant is {v} now.", "{v} is my new accountant."),
            questions=("Who's my accountant?", "Who does my books?"),
            hangs_on=("bank",),
        ),
        Entity(
            key="bank",
            names=("business bank", "bank"),
            topic="money",
            values=("Nordhaven Bank", "Fidelis", "Koru Credit", "Monetta"),
            tells=("I bank with {v}.", "My business bank is {v}.", "My bank is {v}."),
            changes=(
                "I moved my bank to {v}.",
                "I've left {old} and I'm with {v} now, that's my bank.",
                "I bank with {v} now.",
            ),
            questions=("Who do I bank with?", "Which bank am I with?", "What's my bank?"),
            history=("Which banks have I been with, in order?",),
        ),
        Entity(
            key="invoice_tool",
            names=("invoicing tool",),
            topic="money",
            values=("Billo", "PaperFee", "InvoiceOwl"),
            tells=("I do my invoices in {v}.", "I send my invoices with {v}.", "My invoicing tool is {v}."),
            changes=("I changed my invoicing tool to {v}.", "I do my invoices in {v} now."),
            questions=("What do I use for invoices?", "What's my invoicing tool?"),
            hangs_on=("bank", "accountant"),
        ),
        Entity(
            key="backup_drive",
            names=("backup drive password",),
            topic="secrets",
            values=("heron-42-moss", "Bluet!9", "quartz7"),
            tells=("The backup drive password is {v}.", "My backup drive password is {v}."),
            changes=("My backup drive password is {v} now.",),
            questions=("What's my backup drive password?",),
        ),
        Entity(
            key="gallery",
            names=("gallery",),
            topic="work",
            values=("Salt Room", "Galerie Ost", "White Wall Nine"),
            tells=(
                "I'm represented by {v}, they're my gallery.",
                "My gallery is {v}.",
                "The gallery that shows my work is {v}.",
            ),
            changes=("I signed with {v}, so that's my gallery now.", "My gallery is now {v}."),
            questions=("Which gallery shows my work?", "What's my gallery?"),
            hangs_on=("studio", "main_client"),
        ),
    ),
)

DOMAINS_TWO = (THEATRE, FREELANCE)

TIES_TWO = (
    "Obviously {a} all comes down to {b}.",
    "If anything happens with {b}, I'm not sure about {a} any more.",
    "We can't really keep {a} if {b} changes.",
    "{A} is the way it is thanks to {b}.",
    "I'd need to look at {a} again if {b} were to change.",
    "The reason for {a} is {b}.",
    "Remember that {a} rides on {b}, so a change there would throw it off.",
    "{A} only makes sense with {b} as it is.",
    "Changing {b} would mean changing {a} too.",
    "{A} is subject to {b}.",
    "{B} has the last word on {a}.",
    "Without {b}, {a} wouldn't be what it is.",
    "As soon as {b} changes we need to rethink {a}.",
    "{A} may well change if {b} does.",
    "We picked {a} based on {b}.",
)

RULES_TWO = (
    "If there's ever a change to {b}, {a} moves to {w}.",
    "We agreed that {a} becomes {w} if {b} changes.",
    "Just so it's written down: should {b} change, then {a} will be {w}.",
    "When we get a new {b_bare}, {a} is {w}.",
    "A change of {b_bare} would make {a} {w}.",
    "{A} is going to be {w} the day {b} changes.",
    "After {b} changes, {a} should be {w}.",
    "{W} will be {a} once {b} changes.",
    "In the event {b} changes, we go with {w} for {a}.",
    "If {b} changes then it's {w} for {a}.",
)

RULES_NAMED_TWO = (
    "If {b} ever turns into {to}, {a} should become {w}.",
    "With {to} as {b}, {a} would be {w}.",
    "{A} changes to {w} if {b} is {to}.",
    "Once {b} is {to}, {a} will be {w}.",
    "In case {b} changes to {to}, we'll have {w} as {a}.",
)

DELETIONS_TWO = (
    "I'd like you to forget {a}, please.",
    "Can you get rid of {a} from your notes?",
    "Please stop keeping {a} on record.",
    "You can forget about {a} now.",
    "I shouldn't have told you {a}. Please delete it.",
    "Take {a} out of your memory, would you?",
    "Please purge everything about {a}.",
    "{A} is none of your business after all, forget it.",
)

QUOTES_TWO = (
    'This is {a}, verbatim, so keep it just like this: "{v}"',
    "Please store {a} word for word, here it comes: {v}",
    'Note down {a} exactly: "{v}"',
)

QUOTE_QUESTIONS_TWO = (
    "What's the exact wording of {a}?",
    "Can you recite {a} word for word?",
    "Read {a} back to me exactly.",
)
