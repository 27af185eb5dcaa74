"""
What is said to words of which nothing came to be known, where no model may answer: plainly what became of them.

Only what a small model can do at all, to talk and to write, is left to it.
"""

import re

from daemon import speech
from memory_store.grammar import Clause, parse
from memory_store.lists import find_listed

NO_COMMAND = "That is no command here: tell me something, or ask. `reverie --help` lists what the command line can do."
WHOLE_QUESTION = "I read each message by itself: please ask that as a whole question."
CANNOT_DO = "That I cannot do: I remember what I am told, and answer from it. I kept it in the conversation."
NOT_LISTED = "That stands on no list that I know."
_BARE = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay)\W+)?(?:why|how|how come|what|when|where|who|which|whose|how much|how many|since when|until when|"
    r"what else|who else|really|are you sure|why not|what for)\W*",
    re.IGNORECASE,
)
_WANTS_TALK = re.compile(
    r"\b(?:want|need|would like|['’]d like|like|expect|ask)\s+(?:you|help|some|to know|to (?:hear|read|see|learn|understand)|an? (?:\w+ )?(?:poem|story|joke|list|idea|"
    r"text|letter|email|summary|explanation|recipe))\b|\bwonder(?:ing)?\b",
    re.IGNORECASE,
)
_TALKING = frozenset(
    "write explain translate summarise summarize tell give list suggest describe draft compose rewrite rephrase continue "
    "generate compare define answer solve calculate compute name imagine pretend act help show create make say sing recite repeat correct check "
    "improve shorten expand invent guess think talk discuss convert count sort teach advise recommend propose outline "
    "brainstorm proofread paraphrase complete finish format analyse analyze classify extract find read consider assume let "
    "spell rhyme reply respond reword simplify elaborate provide design code implement fix debug discuss greet joke chat plan".split()
)
_TELLS = re.compile(r"\W*(?:please\s+)?(?:remember|note|(?:keep|bear) in mind)\b", re.IGNORECASE)
_LONGEST = 400


def plainly(words: str) -> str | None:
    """The line that says what became of *words*; None where they may be left to a model."""
    words = words.strip()
    if re.fullmatch(r"/[a-z?]+", words, re.IGNORECASE):
        return NO_COMMAND
    if _BARE.fullmatch(words):
        return WHOLE_QUESTION
    if _WANTS_TALK.search(words):
        return None
    if (listed := find_listed(words)) is not None and listed.off:
        return NOT_LISTED
    if speech.is_statement(words):
        return speech.KEPT
    if len(words) > _LONGEST or "\n" in words or "?" in words or re.search(r"\byou\b", words, re.IGNORECASE):
        return None
    main = _main(parse(words))
    if main is None or main.verb is None:
        return None
    if _TELLS.match(words) or (main.verb.tense == "past" if main.subject is None else main.mood == "declarative"):
        return speech.KEPT
    if main.mood == "imperative" and main.verb.lemma not in _TALKING and " " in words:
        return CANNOT_DO
    return None


def _main(clauses: tuple[Clause, ...]) -> Clause | None:
    """The first clause that hangs on no other, rather one that no conjunction joins: in `If it rains, we stay` the last."""
    alone = [clause for clause in clauses if not clause.link]
    return next(iter(alone), None) or next((clause for clause in clauses if clause.parent is None), None)
