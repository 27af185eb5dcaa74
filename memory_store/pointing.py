"""
How words point at known facts: by the words of a name in any form, by a value, by what sort of thing it is, by meaning.
"""

import re
from functools import lru_cache

import numpy as np

from memory_store.amounts import kind_of
from memory_store.grammar import kin
from memory_store.names import Names
from memory_store.phrases import FUNCTION_WORDS, LIGHT_VERBS, WORD, joined
from memory_store.verbs import is_verbal, sentence

# Words by which people say that something changes, whatever it is.
EVENT_WORDS = frozenset(
    kin(w)
    for w in """change switch move leave go quit retire resign stop end replace swap new different other another else elsewhere anything anyone anybody
    somebody someone something anywhere ever longer succeed successor succession become take over pass hand lose drop out happen day moment time case
    would be get have make mean put set today again day""".split()
)


@lru_cache(maxsize=65536)
def words_of(text: str) -> frozenset[str]:
    """The families of the words of *text* that carry a topic."""
    return frozenset(_in_order(text))


@lru_cache(maxsize=65536)
def _in_order(text: str) -> tuple[str, ...]:
    words = [m[0].lower().replace("’", "'").removesuffix("'s") for m in WORD.finditer(joined(text))]
    return tuple(dict.fromkeys(kin(w) for w in words if w not in FUNCTION_WORDS))


_LIGHT = frozenset(kin(w) for w in LIGHT_VERBS)


@lru_cache(maxsize=65536)
def own_words(attribute: str) -> tuple[str, ...]:
    """The families by which *attribute* is known; light verbs count only where there is nothing else."""
    every = _in_order(attribute)
    return tuple(s for s in every if s not in _LIGHT) or every


@lru_cache(maxsize=65536)
def telling(value: str) -> tuple[str, ...]:
    """The words that tell *value* from others: its capitalised ones, lower case."""
    titles = ("mr", "mrs", "ms", "dr", "prof", "st", "the", "sir", "i", "new", "old")
    return tuple(w for m in WORD.finditer(value) if (w := m[0])[0].isupper() and len(w) > 1 and w.lower() not in titles)


# What one calls things of a sort, whatever they are: by the preposition behind which they are told.
_SORTS = {
    "from": "supplier provider source vendor seller dealer company firm shop wholesaler distributor grower mill merchant",
    "by": "courier carrier supplier provider company firm contractor driver person man woman maker manufacturer carrier artist team",
    "with": "company firm provider bank insurer partner person program software app system tool",
    "on": "day date program software app system platform road street",
    "in": "place venue hall room site location spot building town village city home month season",
    "at": "place venue hall room site location spot ground building time hour",
}
_SORT_OF = {kin(w): {p for p, ws in _SORTS.items() if w in ws.split()} for ws in _SORTS.values() for w in ws.split()}
_KINDS_OF = {
    kin(word): frozenset(kinds.split())
    for kinds, words in (
        ("money percent", "price cost fee charge rate rent fare wage salary pay"),
        ("day date", "day weekday date month season evening night"),
        ("clock span", "hour time start"),
        ("span", "length period duration"),
        ("number amount", "number amount quantity size"),
    )
    for word in words.split()
}


@lru_cache(maxsize=65536)
def _is_of_sort(word: str, attribute: str, value: str) -> bool:
    """Whether *word*, a stem, says of what sort *value* of *attribute* is: `supplier`, of whom corks come from."""
    if kinds := _KINDS_OF.get(word):
        return kind_of(value) in kinds
    last = attribute.rpartition(" ")[2].lower()
    return last in _SORT_OF.get(word, ()) and kind_of(value) is None


class Facts:
    """The known facts, and how likely words mean each of them."""

    def __init__(self, names: Names) -> None:
        self.similarity = names.similarity
        self.known = [k for k in names.known.values() if k.values or k.was or k.hangs_on or k.moves]
        count: dict[str, int] = {}
        for known in self.known:
            for word in set(own_words(known.attribute)):
                count[word] = count.get(word, 0) + 1
        self.rare = {word: 1.0 / n**0.5 for word, n in count.items()}
        holders: dict[str, int] = {}
        for known in self.known:
            for word in {w for v in (*known.values, *known.was) for w in telling(v)}:
                holders[word] = holders.get(word, 0) + 1
        self.holders = holders

    def by_words(self, text: str, *, whole: bool = False) -> np.ndarray:
        """How much of each fact's name stands in *text*, rare words counting more; *whole*: and how much of *text* it is."""
        words = words_of(text)
        left = words - EVENT_WORDS
        found = np.zeros(len(self.known))
        for i, known in enumerate(self.known):
            own = own_words(known.attribute)
            weights = [self.rare[w] * (1.25 if w == own[-1] and not is_verbal(known.attribute) else 1.0) for w in own]
            hit = sum(w for w, s in zip(weights, own, strict=True) if s in words)
            if hit:
                found[i] = hit / sum(weights)
                if whole and left:
                    found[i] = max(found[i], 0.5 * found[i] + 0.5 * len(left & set(own)) / len(left))
        return found

    def by_value(self, text: str) -> np.ndarray:
        """Which facts' values *text* names, by a name that few others have."""
        found = np.zeros(len(self.known))
        low = f" {text.lower()} "
        for i, known in enumerate(self.known):
            for value, least in (*((v, 1.0) for v in known.values), *((v, 0.6) for v in known.was)):
                named = [w for w in telling(value) if re.search(rf"(?<![\w-]){re.escape(w)}(?!\w)", text)]
                if named:
                    rarest = min(self.holders.get(w, 1) for w in named)
                    found[i] = max(found[i], least * (0.95 if rarest == 1 else 0.7))
                elif not telling(value) and len(value) > 3 and f" {value.lower()} " in re.sub(r"[,.;:]", " ", low):
                    found[i] = max(found[i], 0.6 * least)
        return found

    def by_sort(self, text: str) -> np.ndarray:
        """Which facts are of the sort of thing that *text* speaks of, by a word in the value: `the nursery`, Oak Nurseries."""
        words = words_of(text) - EVENT_WORDS
        found = np.zeros(len(self.known))
        for i, known in enumerate(self.known):
            if any(words_of(v) & words and telling(v) for v in known.values):
                found[i] = 0.6
            elif any(_is_of_sort(w, known.attribute, v) for w in words for v in known.values[:1]):
                found[i] = 0.4
        if (found > 0).sum() == 1:
            return np.where(found > 0, 0.6, 0.0)
        return found if (found > 0.4).sum() <= 1 else np.minimum(found, 0.4)

    def by_meaning(self, text: str) -> np.ndarray:
        """How near in meaning each fact is to *text*, in [0, 1]."""
        if self.similarity is None or not self.known or not text.strip():
            return np.zeros(len(self.known))
        told = [sentence(k.attribute, next(iter(k.values or k.was), "")[:80]) for k in self.known]
        bare = [k.attribute for k in self.known]
        cosines = self.similarity([text], told + bare)[0]
        n = len(self.known)
        return np.asarray(np.clip((np.maximum(cosines[:n], cosines[n:]) - 0.1) / 0.65, 0.0, 1.0))
