"""
Words of one family: what is left of a word when its endings are gone, the same for deliver, delivery, deliveries.
"""

from functools import lru_cache

from memory_store.grammar.lexicon import lemma, may_be_verb
from memory_store.grammar.tagging import tag
from memory_store.phrases import stem

# Words that carry no topic of their own, beyond those that grammar already leaves out.
_LIGHT = frozenset("be do have go get take make run keep come put give set hold use happen there thing one it".split())


@lru_cache(maxsize=16384)
def kin(word: str) -> str:
    """
    The family of *word*: words derived from one another share it: `deliver`, `delivery`, `deliveries`; `manage`,
    `manager`, `management`; `rehearse`, `rehearsal`. By general endings, so a few strangers meet too.
    """
    low = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    if "-" in low:
        return "-".join(kin(part) for part in low.split("-"))
    base = lemma(low, "NNS") if low.endswith("s") and not low.endswith("ss") else low
    if base.endswith("ier") and may_be_verb(base[:-3] + "y"):
        base = base[:-3] + "y"  # supplier
    for form in ("VBD", "VBN", "VBG"):
        verb = lemma(base, form)
        if verb != base and may_be_verb(verb):
            base = verb
            break
    return stem(base)


def content(text: str) -> frozenset[str]:
    """The families of the words of *text* that carry its topic: nouns, names, verbs, adjectives, numbers."""
    found = [t for t in tag(text) if t.tag[0] in "NVJC" and t.tag != "CC" and t.text[:1].isalnum()]
    heavy = frozenset(kin(t.lemma) for t in found if t.lemma not in _LIGHT)
    return heavy or frozenset(kin(t.lemma) for t in found if t.lemma != "be")


def is_light(word: str) -> bool:
    """Whether the verb *word* says little, so that what stands beside it names the doing: `takes place`."""
    return word in _LIGHT
