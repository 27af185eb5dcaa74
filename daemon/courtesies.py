"""Greetings, thanks and the like, which deserve a true answer where the model at hand would invent one."""

import re

_CAN = (
    "Tell me something and I note it; ask, and I answer from your pages, with their lines. "
    "For free talk I need a model that passes `reverie models check`."
)
ABILITIES = f"I'm reverie. {_CAN}"
HELLO = f"Hello, I'm reverie. {_CAN}"
WELCOME = "You're welcome."
GOODBYE = "Goodbye. This conversation is kept."
ALL_RIGHT = "All right."

_TO = r"(?:[\s,]+(?:there|again|you|all|everyone|everybody|friend|reverie))*"
_GREETING = (
    r"(?:hi+|hey+|hello+|hallo|hola|bonjour|salut|ciao|howdy|yo|greetings|moin|servus|"
    r"good (?:morning|afternoon|evening|day)|guten (?:morgen|tag|abend)|morning|evening)"
)
_HOW = (
    r"(?:(?:and )?how(?:['’]s| is) (?:it going|everything|life|your day)|(?:and )?how (?:are|do) you(?: (?:do|doing))?|"
    r"how are things|what['’]?s up|sup|(?:it['’]s )?nice to (?:meet|see) you)(?: (?:today|this \w+))?"
)
_WHO = (
    r"(?:who|what) are you|what(?:['’]s| is) your name|what (?:can|do) you do(?: for me)?|"
    r"(?:how )?can you help(?: me)?|help(?: me)?|what is this|are you (?:there|a bot|an ai|human|real)|test(?:ing)?"
)
_THANKS = (
    r"(?:(?:ok(?:ay)?|great|cool|perfect|nice|many|no|all right)[\s,.!]*)?"
    r"(?:thanks?(?: you)?|thx|cheers|ta|danke(?: sch(?:ö|oe)n)?|merci|gracias)"
    r"(?: (?:so|very) much| a lot| again| for (?:that|your help|the help|everything))?"
)
_BYE = (
    r"(?:good ?bye|bye+(?:[ -]bye)?|see (?:you|ya)(?: (?:later|soon|tomorrow))?|good ?night|sleep well|"
    r"(?:talk|speak) to you (?:later|soon|tomorrow)|later|ciao ciao|tsch(?:ü|ue)ss|have a (?:good|nice|great) \w+)"
)
_FINE = (
    r"(?:ok(?:ay)?|k|great|cool|nice|perfect|good|fine|alright|all right|got it|i see|understood|"
    r"never ?mind|no (?:worries|problem|matter)|"
    r"well done|good (?:job|work)|wow|lol|haha+|awesome|excellent|wonderful|very good)"
)
_ANSWERS = [
    (re.compile(rf"(?:{pattern})[\s.!?,:;)]*", re.IGNORECASE), answer)
    for pattern, answer in (
        (rf"(?:{_THANKS}{_TO}[\s,.!]*)(?:{_BYE}{_TO})?", WELCOME),
        (rf"{_FINE}{_TO}", ALL_RIGHT),
        (rf"(?:(?:ok(?:ay)?|well|thanks)[\s,.!]+)?{_BYE}{_TO}", GOODBYE),
        (rf"(?:{_GREETING}{_TO}[\s,.!?]*)+(?:{_HOW}{_TO}[\s,.!?]*)?(?:{_WHO})?", HELLO),
        (rf"{_HOW}{_TO}", HELLO),
        (_WHO, ABILITIES),
    )
]


def courtesy(words: str) -> str | None:
    """The answer to *words* that are nothing but a courtesy, or ask what reverie is; None for all else."""
    words = " ".join(words.split())
    return next((answer for pattern, answer in _ANSWERS if pattern.fullmatch(words)), None)
