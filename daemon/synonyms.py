"""
Words that people use for one another: what was told as a film may be asked for as a movie, and the dog as a pet.

Everyday words only, each group of one sense. A question is put in the words that memory has; it is never widened by
words that are merely near, as a violin is to a cello. Pure.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from memory_store.verbs import nouns

_SAME = (
    "film|movie", "blood type|blood group", "salary|wage|wages|pay|income|earnings", "boss|manager|supervisor|line manager",
    "flat|apartment", "house|home", "car|vehicle", "bike|bicycle", "lorry|truck", "doctor|physician|gp", "job|profession|occupation|position",
    "lawyer|solicitor|attorney", "hairdresser|barber", "holiday|vacation", "autumn|fall", "medicine|medication|meds|drug|tablets|pills",
    "shop|store", "glasses|spectacles", "rubbish|trash|garbage", "sofa|couch", "cupboard|closet|wardrobe", "lift|elevator",
    "football|soccer", "maths|mathematics|math", "birthday|date of birth", "password|passcode|passphrase", "wifi|wi-fi",
    "laptop|computer|notebook|pc", "fridge|refrigerator", "cooker|stove|hob", "tap|faucet", "post|mail", "colleague|coworker|co-worker|workmate",
    "flatmate|roommate|housemate", "mobile|cell phone|cellphone|mobile phone|cell|phone", "surname|last name|family name", "present|gift",
    "licence plate|license plate|number plate|registration|plate number", "nursery|kindergarten|daycare|day care|creche", "hobby|pastime",
    "photographer|camera man", "seat|place", "pub|bar", "plane|flight", "lunch break|lunch", "trousers|pants", "trainers|sneakers|running shoes",
    "parcel|package", "bill|invoice", "pavement|sidewalk", "queue|line", "petrol|gas|fuel", "nappy|diaper", "pram|stroller|buggy",
    "carer|caregiver|nurse", "cleaner|cleaning lady|cleaning woman", "babysitter|nanny|childminder|sitter", "check-up|checkup", "dose|dosage",
    "town|city", "road|street", "trip|journey", "meeting|appointment", "course|class", "lesson|class", "teacher|tutor|instructor",
    "coach|trainer", "coaches|trains", "teaches|tutors|instructs", "like|love|enjoy", "hate|dislike", "captain|skipper", "landlord|landlady", "chair|chairman|chairwoman|chairperson|head", "singer|vocalist", "author|writer",
    "illness|disease|condition", "timetable|schedule|rota|hours|working hours", "deadline|due date", "cash machine|atm", "charger|power adapter", "torch|flashlight",
    "cat|kitty", "dog|puppy", "rabbit|bunny", "loft|attic", "cellar|basement", "garden|yard|backyard", "ground floor|first floor", "combo|combination",
    "favourite|favorite", "colour|color", "title|job title|position", "fee|charge", "price|cost", "size|dimensions", "insurer|insurance company|insurance",
    "employer|company|firm", "dessert|pudding", "cookie|biscuit", "sweets|candy", "drink|beverage", "meal|dish", "supper|dinner", "midday|noon",
)  # fmt: skip
# What one asks for by its kind.
_OF_A_KIND = {
    "pet": "dog cat parrot rabbit hamster tortoise turtle goldfish budgie budgerigar canary pony horse snake lizard gecko ferret "
    "puppy kitten guinea-pig gerbil chinchilla fish",
    "animal": "dog cat parrot rabbit hamster tortoise turtle goldfish budgie canary pony horse snake lizard goat sheep cow donkey hens chickens bees pig",
    "sibling": "brother sister",
    "parent": "mother father mum mom dad",
    "grandparent": "grandmother grandfather grandma grandpa",
    "child": "son daughter",
    "computer": "laptop desktop notebook macbook pc tablet",
    "vehicle": "car bike bicycle scooter motorbike van moped lorry truck motorcycle",
}
_DOES = re.compile(
    r"(?P<ask>.*?)\b(?:do|did|am|are|have|will|would) (?:i|we) (?P<verb>[a-z]+(?: (?:to|in|at|as|with|on|for|under))?)"
    r"(?: (?:for (?:a living|work)|now|nowadays|currently|these days|at the moment|a (?:month|year|week|day|hour)|per \w+))*\W*",
    re.IGNORECASE,
)
_MORE_NOUNS = {
    "answer to": "manager boss",
    "work for": "employer boss company",
    "work under": "manager boss",
    "make": "salary pay income",
}


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    """Each word or phrase with the others that stand for it."""
    found: dict[str, list[str]] = {}
    for group in _SAME:
        words = group.split("|")
        for word in words:
            found.setdefault(word, []).extend(other for other in words if other != word)
    return {word: tuple(dict.fromkeys(others)) for word, others in found.items()}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    words = sorted(_groups(), key=len, reverse=True)
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, words))})s?(?![\w-])", re.IGNORECASE)


def others_for(word: str) -> tuple[str, ...]:
    """The words that people use for *word*, which may be a phrase; none where it is in no group."""
    low = word.lower()
    return _groups().get(low) or _groups().get(low.removesuffix("s"), ())


def in_known_words(question: str, known: Callable[[str], bool]) -> Iterator[str]:
    """*question* put with words that are *known*, where its own are not: `film` for `movie`, `boss` for `report to`."""

    def put(m: re.Match[str]) -> str:
        if known(m[0]):
            return m[0]
        return next(filter(known, others_for(m[0])), m[0])

    said = _pattern().sub(put, question)
    if said != question:
        yield said
    if (m := _DOES.fullmatch(question.strip())) is not None:
        if m["verb"].lower() == "do" and known("work as"):
            yield "What do I work as?"
        called = f"{nouns(m['verb'].lower())} {_MORE_NOUNS.get(m['verb'].lower(), '')}".split(" where ")[0].split()
        for noun in dict.fromkeys(called):
            if known(noun):
                asks = "what" if re.search(r"\bhow much\b", m["ask"], re.IGNORECASE) else m["ask"].strip() or "what"
                yield f"{asks} is my {noun}?"
                return


def kinds_of(kind: str) -> frozenset[str]:
    """What is of that *kind*."""
    return frozenset(_OF_A_KIND.get(kind, "").split())


def kinds_in(question: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """*question* put for each thing that is *known* of the kind that it names: for `dog` and `cat`, of `pets`."""
    for kind, words in _OF_A_KIND.items():
        if known(kind) or (m := re.search(rf"(?<![\w'’-]){kind}(?:s|ren)?\b", question, re.IGNORECASE)) is None:
            continue
        held = tuple(filter(known, words.split()))
        if _WHICH_ONES.fullmatch(f"{question[: m.start()]}KIND{question[m.end() :]}".strip()):
            return tuple(f"What is my {word}?" for word in held)
        return tuple(f"{question[: m.start()]}{word}{question[m.end() :]}" for word in held)
    return ()


# `which pets do I have?`, `do we have any pets?`, `what are our pets called?`
_WHICH_ONES = re.compile(
    r"(?:(?:what|which|how many)(?: kind of| sort of)? KIND (?:do|have) (?:i|we)(?: have| own| keep| got)?|"
    r"(?:do|have) (?:i|we)(?: have| own| keep| got)? (?:any |a )?KIND|"
    r"(?:what|who)(?:['’]s| is|['’]re| are) (?:my|our) KIND(?:['’]s? names?)?(?: called)?)"
    r"(?: now| at the moment| currently)?\W*",
    re.IGNORECASE,
)
