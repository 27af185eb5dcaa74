"""
A fourth wave of wordings: a bookshop. As first measured: ER 1.00, Agg .50, Tr .42, Del .60, Cas .40, Abs .17 (of 6),
mean .51. It has taught the patterns since.
"""

from meme_wordings import Domain, Entity

BOOKSHOP = Domain(
    name="bookshop",
    topics={
        "trade": ("What do you know about how we run the shop? Tell me everything.",),
        "people": ("Who works with us? List everyone you know of.",),
    },
    quotes={
        "shop sign": ("Come in out of the rain. Read a page before you buy. Put it back if it bores you.",),
        "refund rule": ("Within two weeks, with the receipt, no questions. After that we will talk about it.",),
    },
    entities=(
        Entity(key="manager", names=("shop manager",), topic="people", values=("Leopold Finch", "Agnieszka Moor", "Dario Pell", "Ruth Amsel"),
               tells=("Our shop manager is {v}.", "{v} manages the shop.", "We hired {v} as our shop manager."),
               changes=("{v} is our new shop manager.", "{v} has stepped into the role of shop manager.", "Our shop manager {old} retired and {v} is the shop manager now."),
               questions=("Who manages the shop?", "Who is our shop manager?"), history=("Who have our shop managers been, in order?",)),
        Entity(key="wholesaler", names=("wholesaler",), topic="trade", values=("Bertram & Lowe", "Gardiner Books", "Inkwell Trade", "Norbook"),
               tells=("We order our stock from {v}.", "Our wholesaler is {v}.", "{v} is the wholesaler we order from."),
               changes=("We've changed wholesalers, it's {v} now.", "Our wholesaler is {v} these days, not {old}.", "We replaced {old} with {v} as our wholesaler."),
               questions=("Who is our wholesaler?", "Where do we order our stock from?"), history=("Which wholesalers have we had, earliest first?",), hangs_on=("manager",)),
        Entity(key="till", names=("till system",), topic="trade", values=("Kassandra", "TillMate", "QuickPay 3"),
               tells=("Our till system is {v}.", "The till runs on {v}, that's our till system.", "We ring everything up on {v}; it's our till system."),
               changes=("The till system was swapped for {v}.", "Our till system is {v} now."),
               questions=("What's our till system?", "Which till system do we use?"), history=("Which till systems have we used over time?",), hangs_on=("manager",)),
        Entity(key="hours", names=("opening hours",), topic="trade", values=("ten to six", "9:00-17:30", "noon till eight"),
               tells=("Our opening hours are {v}.", "The opening hours are {v}.", "We're open {v}, those are our opening hours."),
               changes=("Our opening hours are {v} from now on.", "We've shifted our opening hours to {v}."),
               questions=("What are our opening hours?", "When are our opening hours?"), hangs_on=("manager", "landlord")),
        Entity(key="discount", names=("student discount",), topic="trade", values=("10%", "15 percent", "a free bookmark"),
               tells=("Our student discount is {v}.", "The student discount is {v}.", "We give {v} as a student discount."),
               changes=("The student discount went up to {v}.", "Our student discount is now {v}."),
               questions=("What's our student discount?", "How much is our student discount?"), hangs_on=("wholesaler", "till")),
        Entity(key="landlord", names=("landlady",), topic="people", values=("Frau Dietz", "Mrs. Okonjo", "Signora Belli"),
               tells=("Our landlady is {v}.", "We rent the shop from {v}, our landlady."),
               changes=("Our landlady is {v} now.", "{v} bought the building and is our landlady now."),
               questions=("Who is our landlady?", "Who's our landlady?"), history=("Who have our landladies been, in order?",)),
        Entity(key="book_club", names=("book club night",), topic="trade", values=("the first Tuesday", "Thursday at seven", "Sunday mornings"),
               tells=("Book club night is {v}.", "Our book club night is {v}."),
               changes=("We moved book club night to {v}.", "Book club night is {v} now."),
               questions=("When is book club night?", "When's our book club night?"), hangs_on=("hours", "manager")),
        Entity(key="safe_code", names=("safe combination",), topic="secrets", values=("31-7-19", "9-44-02"),
               tells=("The safe combination is {v}.", "Our safe combination is {v}."), changes=("The safe combination is {v} now.",),
               questions=("What's the safe combination?",)),
        Entity(key="illustrator", names=("window illustrator",), topic="people", values=("Piet Hanssen", "Marisol Vega", "Kiri Tan"),
               tells=("{v} paints our windows, our window illustrator.", "Our window illustrator is {v}."), changes=("Our window illustrator is {v} now.",),
               questions=("Who is our window illustrator?",)),
    ),
)  # fmt: skip

DOMAINS_FOUR = (BOOKSHOP,)
TIES_FOUR = (
    "{A} is really {b}'s call.",
    "As long as {b} stays the same, {a} stays the same, but not otherwise.",
    "{A} stands on the shoulders of {b}; if that changes, so might this.",
    "We'd lose {a} if {b} changed.",
    "I only know {a} will hold while we have {b}.",
    "If we get a new {b_bare}, {a} is up for discussion.",
    "{A} depends on {b}.",
    "{A} has everything to do with {b}.",
    "Should {b} change, we would have to think about {a} again.",
    "{A} is set by {b}.",
)
RULES_FOUR = (
    "If {b} changes, {a} will become {w}.",
    "The day {b} changes, we'll set {a} to {w}.",
    "{A} will be {w} after {b} changes.",
    "When {b} changes, then from that day {a} is {w}.",
    "If we change {b}, {a} is going to be {w}.",
    "Once {b} has changed, {a} will be {w}.",
)
RULES_NAMED_FOUR = (
    "If {to} becomes {b}, {a} will be {w}.",
    "When {b} turns into {to}, {a} will be {w}.",
    "If {b} is {to}, then {a} is {w}.",
)
DELETIONS_FOUR = (
    "Please forget about {a}.",
    "Erase {a} from your memory, please.",
    "Could you please not remember {a}?",
    "Drop {a} from your notes.",
)
QUOTES_FOUR = ('Here\'s {a}, remember it verbatim: "{v}"', 'I\'d like {a} kept word for word: "{v}"')
QUOTE_QUESTIONS_FOUR = ("What does {a} say exactly?", "Quote {a} for me.")
