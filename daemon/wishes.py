"""How far what is to be forgotten is what a question asks, or a sentence tells: by its words, or others for them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from daemon.doers import is_another_doing
from daemon.spoken import families
from daemon.synonyms import others_for
from memory_store.phrases import WORD
from memory_store.pleas import Plea

GONE = 0.6  # from this share of its words on, a wish that something be forgotten means what is asked, or told
# What people call a secret by, one for another.
_SECRETS = families("code passcode password pin keypad combination combo key number access lock login digits figure")
_FIGURES = families("figure amount sum total")
_PAID = families("price cost value worth salary wages debt rent fee sum amount figure")
_KINDS = _SECRETS | _FIGURES | _PAID
MEASURED, MONEY = "0", "0.00"  # what stands for any figure, or amount of money, among the words of what is told
# What a thing is asked for by, and the verb by which it was told.
_DONE = (
    ("debt", "owe"),
    ("price cost", "cost charge"),
    ("weight", "weigh"),
    ("address", "live"),
    ("name", "call"),
    ("worth value", "worth value"),
)
_EARNING = frozenset(word for verb in ("make", "bring", "take") for word in families(verb))
_EARNED = re.compile(r"\b(?:I|we) (?:make|earn|get paid|am paid|are paid|bring home|take home)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Wish:
    """What is to be forgotten: each of its words with the *others* that stand for it; *loosely*, others stand there."""

    words: frozenset[str]
    others: Mapping[str, frozenset[str]]
    loosely: bool
    told: str

    @classmethod
    def of(cls, plea: Plea) -> "Wish":
        """The wish that *plea* tells."""
        words = families(plea.what)
        others = dict.fromkeys(words & _SECRETS, _SECRETS)
        others |= dict.fromkeys(words & _FIGURES, frozenset([MEASURED]))
        for key in words & _PAID:
            others[key] = others.get(key, frozenset()) | {MONEY}
        for word in WORD.findall(plea.what):
            for key in families(word) & words:
                others[key] = others.get(key, frozenset()) | families(" ".join(others_for(word)))
        for pair in _DONE:
            noun, verb = (families(one) for one in pair)
            for one, other in ((noun, verb), (verb, noun)):
                others |= {key: others.get(key, frozenset()) | other for key in words & one}
        if _EARNED.search(plea.what):
            pay = families("earn salary pay wages income")
            others |= dict.fromkeys(words & (_EARNING | pay), pay)
        return cls(words, others, plea.it, plea.what)

    def is_of_another_doing(self, question: str) -> bool:
        """Whether it was told with a verb that *question* has with another particle: `work`, and `work out`."""
        return self.loosely and is_another_doing(question, self.told)

    def share(self, about: frozenset[str], weight: Callable[[frozenset[str]], float]) -> float:
        """How much of it *about* speaks of, by the *weight* of its words, in [0, 1]."""
        met = frozenset(key for key in self.words if key in about or self.others.get(key, frozenset()) & about)
        if not met - _KINDS and self.words - _KINDS:
            return 0.0  # a code, or an amount, of something else
        whole = weight(self.words)
        if self.loosely:
            whole = min(whole, weight(about))
            if self.words & _SECRETS and not about & _SECRETS and not any(key[:1].isdigit() for key in about):
                return 0.0  # where the safe is, is not what opens it
        return weight(met) / whole if whole else 0.0
