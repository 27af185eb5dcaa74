"""
How far a sentence that the owner told speaks of what a question asks.

By what they share: words, meaning, who does what, and whether anything of the kind that is asked for stands in it; a
little by the message around it. How much each counts was fitted to conversations of our own making.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from daemon.doers import is_another_doing, tells_of_another
from daemon.spoken import Said, families, names
from daemon.wanted import holds, wanted
from memory_store.grammar import agree, relations
from memory_store.names import Similarity

COMMON = 0.35  # how much less each further message that has a word makes it tell
# What counts: words shared, and with the message around it; meaning, and that of the message; form; anything of the
# kind that is asked for, or nothing of it; whether it only says on what something hangs.
_WEIGHTS = (1.4, 3.3, 3.9, 6.1, 1.5, 1.5, -1.3, -2.0, -2.5)
_SURENESS = -7.8
_OF_ANOTHER = 20.0  # what it takes off that somebody else does it, or has it
_WEIGHTS_OF_WORDS = (2.5, 5.5, 0.0, 0.0, 1.5, 2.0, -1.0, -1.0, -2.0)  # where meaning cannot be told
_SURENESS_OF_WORDS = -6.5
_TYPED = ("time", "schedule", "amount", "colour", "duration", "frequency", "count", "age", "measure")
_relations = lru_cache(maxsize=8192)(relations)


class Relevance:
    """Of *said*, all that is compared; *near* tells how near texts are in meaning, None where that cannot be told."""

    def __init__(self, said: Sequence[Said], near: Similarity | None) -> None:
        self._said = said
        self._near = near
        held: Counter[str] = Counter()
        for message in {one.telling.message for one in said}:
            held.update(families(message))
        self._held = held

    @property
    def knows_meaning(self) -> bool:
        """Whether it can tell how near texts are in meaning."""
        return self._near is not None

    def of(self, question: str) -> dict[Said, float]:
        """How surely each speaks of what *question* asks, as log odds: from 0 on it rather does than not."""
        asked = families(question)
        whole = self.weight(asked)
        wants, known, forms = wanted(question), names(question), _relations(question)
        texts = [one.text for one in self._said]
        messages = [one.telling.message for one in self._said]
        asks_of_others = Said(question, self._said[0].telling, 0).is_of_others if self._said else False
        found = {}
        for one, own, around in zip(
            self._said, self.meaning(question, texts), self.meaning(question, messages), strict=True
        ):
            named = wants.kind == "person" and names(one.text) - known
            kind = 1.0 if named else holds(wants.kind, one.text)
            features = (
                self.weight(asked & families(one.text)) / whole if whole else 0.0,
                self.weight(asked & families(one.telling.message)) / whole if whole else 0.0,
                own,
                around,
                max((agree(told, form) for told in _relations(one.text) for form in forms), default=0.0),
                kind,
                float(not kind and wants.kind in _TYPED),
                float(one.is_tie),
                float(one.is_of_others and not asks_of_others),
            )
            weights, least = (_WEIGHTS, _SURENESS) if self._near else (_WEIGHTS_OF_WORDS, _SURENESS_OF_WORDS)
            found[one] = least + sum(weight * feature for weight, feature in zip(weights, features, strict=True))
            if tells_of_another(question, one.text) or is_another_doing(question, one.text):
                found[one] -= _OF_ANOTHER
        return found

    def may_answer(self, question: str, text: str) -> bool:
        """Whether *text* holds anything of the kind that *question* asks for; True where its form does not tell."""
        kind = wanted(question).kind
        if kind == "person":
            return bool(names(text) - names(question))
        return kind not in _TYPED or holds(kind, text) > 0

    def weight(self, keys: Iterable[str]) -> float:
        """How much *keys* tell: 1 for what one message alone has, less for each other."""
        return sum(1.0 / (1.0 + COMMON * max(0, self._held[key] - 1)) for key in keys)

    def meaning(self, text: str, others: Sequence[str]) -> list[float]:
        """How near each of *others* is to *text* in meaning; 0 where that cannot be told."""
        if self._near is None or not others:
            return [0.0] * len(others)
        return [float(one) for one in self._near([text], others)[0]]

    def alike(self, one: str, other: str) -> float:
        """How far two sentences tell of the same: by words of one family, and by meaning."""
        mine, its = families(one), families(other)
        least = min(self.weight(mine), self.weight(its))
        shared = self.weight(mine & its) / least if least else 0.0
        return shared if self._near is None else 0.5 * shared + 0.5 * self.meaning(one, [other])[0]
