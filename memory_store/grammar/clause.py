"""A clause and its parts, as values."""

from dataclasses import dataclass
from typing import Literal

from memory_store.grammar.phrases import Phrase

Mood = Literal["declarative", "question", "imperative", "conditional"]


@dataclass(frozen=True)
class Verb:
    """
    The verb of a clause: *lemma* with its *particle* (`pick up`), as written in *text* from *start*.

    *tense*: present, past or bare; *aspect*: simple, perfect or progressive. *modal*: can, will, have to, want to, used
    to …, or empty.
    """

    lemma: str
    text: str
    start: int
    end: int
    particle: str = ""
    voice: Literal["active", "passive"] = "active"
    tense: Literal["present", "past", "bare"] = "present"
    aspect: Literal["simple", "perfect", "progressive"] = "simple"
    modal: str = ""
    negated: bool = False


@dataclass(frozen=True)
class Gap:
    """
    What a question asks for. *word*: who, what, where, when, why, how, how long, how much, how many, how often, which,
    whose, or whether. *noun*: in `which boat`, `how many boats`. *role*: subject, object, attribute, adverbial, or the
    preposition that waits for it: `at`.
    """

    word: str
    role: str
    noun: Phrase | None = None


@dataclass(frozen=True)
class Clause:
    """
    One clause at `[start:end]` of the text. With `be` the *object* is what the subject is: a noun phrase or a quality.

    *complements*: `(preposition, phrase)` in order; a bare time or amount behind the verb has the preposition ''.
    *link*: what leads to it (if, when, because, and, but, who, which …; '' where nothing does), *parent*: the index of
    the clause on which it hangs, among all that `parse` returned. *lead*: the words before it, in front.
    """

    subject: Phrase | None
    verb: Verb | None
    object: Phrase | None = None
    second: Phrase | None = None
    complements: tuple[tuple[str, Phrase], ...] = ()
    adverbs: tuple[str, ...] = ()
    mood: Mood = "declarative"
    gap: Gap | None = None
    link: str = ""
    parent: int | None = None
    start: int = 0
    end: int = 0
    sentence: int = 0

    def complement(self, *prepositions: str) -> Phrase | None:
        """The first complement behind one of *prepositions*."""
        return next((p for prep, p in self.complements if prep in prepositions), None)
