"""
What a rule of META.md tells the context builder to do, and for which questions: `when: order; past: include`.

A rule says in prose what it is for ("For questions about order or history, …"); its directive may say it exactly.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

Kind = Literal["total", "order", "past", "now", "date", "person", "place", "reason", "list", "plan", "check"]
Prefer = Literal["facts", "journal", "notes"]

MOST_HITS = 30
MOST_WIDE = 3

_ASKS: dict[Kind, str] = {
    "total": r"how many|how much|how often|total|sum|altogether|in all|count|number of|add(?:s|ed)? up",
    "order": r"order|first|last|latest|earliest|sequence|chronolog\w*|timeline|step by step|one after|came (?:before"
    r"|after)|happened (?:before|after)|before or after|most recent(?:ly)?",
    "past": r"used to|previous(?:ly)?|before|earlier|former(?:ly)?|originally|histor\w+|past|was|were|had|back then"
    r"|over time|so far|went through|until|in the beginning|at first",
    "now": r"now|current(?:ly)?|still|these days|at the moment|today|present(?:ly)?|nowadays",
    "date": r"when|what (?:day|date|time|year|month)|which (?:day|date|year|month)|how long|how old|since",
    "person": r"who|whose|whom",
    "place": r"where",
    "reason": r"why|how come|what happens|what if|depends?|affect\w*|because|reason|change if",
    "list": r"list|all|every\w*|each|which of|name the|what are|which are|what were|which were",
    "plan": r"plan\w*|going to|intend\w*|next|upcoming|schedul\w*|will",
    "check": r"^(?:is|are|do|does|did|was|were|has|have|had|can|could|will)",
}
_NAMES: dict[Kind, str] = {
    "total": r"totals?|sums?|counts?|counting|how many|how much|numbers?|amounts?",
    "order": r"order|sequences?|timelines?|chronology",
    "past": r"past|histor\w+|earlier|former|previous|old values?",
    "now": r"now|current|present",
    "date": r"dates?|days?|times?|when|durations?",
    "person": r"people|persons?|who|names",
    "place": r"places?|where|locations?",
    "reason": r"reasons?|why|dependenc\w+|consequences?|causes?",
    "list": r"lists?|all of|everything|several",
    "plan": r"plans?|intentions?|future",
    "check": r"yes or no|checks?",
}
_ASKED = {kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in _ASKS.items()}
_NAMED = {kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in _NAMES.items()}
_OPENING = re.compile(r"\s*(?:for|when asked|if asked|in questions)\b([^,:]*)[,:]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_EMPTY = frozenset(
    _WORD.findall(
        "a about an and any answers answer asked asking for in is it me my of on one or question questions that the "
        "this to what with your"
    )
)
_KEYS = ("when", "about", "hits", "past", "order", "expand", "prefer", "widen")


@dataclass(frozen=True, slots=True)
class Directive:
    """
    How memory is read for some questions. None leaves a choice to the builder's own judgement.

    *when* are the kinds of question and *about* the words that it is for, any of each; where both are empty it is for
    all. *hits* is how many passages; *past* whether superseded values belong; *order* is by time or by score; *expand*
    brings what a fact depends on, and what depends on it; *prefer* puts passages of one kind first; *widen* adds so
    many neighbours on either side of each passage.
    """

    when: tuple[Kind, ...] = ()
    about: tuple[str, ...] = ()
    hits: int | None = None
    past: bool | None = None
    order: Literal["time", "score"] | None = None
    expand: bool | None = None
    prefer: Prefer | None = None
    widen: int | None = None

    @property
    def acts(self) -> bool:
        """Whether it changes how memory is read at all."""
        return replace(self, when=(), about=()) != Directive()

    def __str__(self) -> str:
        """As it stands between code marks; empty where there is nothing to say."""
        parts = [f"when: {', '.join(self.when)}"] if self.when else []
        parts += [f"about: {', '.join(self.about)}"] if self.about else []
        parts += [f"hits: {self.hits}"] if self.hits is not None else []
        parts += [f"past: {'include' if self.past else 'leave out'}"] if self.past is not None else []
        parts += [f"order: {self.order}"] if self.order else []
        parts += [f"expand: {'dependencies' if self.expand else 'nothing'}"] if self.expand is not None else []
        parts += [f"prefer: {self.prefer}"] if self.prefer else []
        parts += [f"widen: {self.widen}"] if self.widen is not None else []
        return "; ".join(parts)


UNDIRECTED = Directive()


def parse(text: str) -> Directive | None:
    """The directive that *text* is; None where it is none: words that this does not know are not obeyed by half."""
    values: dict[str, object] = {}
    for part in text.split(";"):
        key, colon, value = (piece.strip().casefold() for piece in part.partition(":"))
        if not colon or key not in _KEYS or key in values:
            return None
        read = _read(key, value)
        if read is None:
            return None
        values[key] = read
    return Directive(**values)  # type: ignore[arg-type] # _read gives each key its type


def _read(key: str, value: str) -> object:
    words = tuple(word for word in re.split(r"\s*,\s*", value) if word)
    match key:
        case "when":
            return words if words and all(word in _ASKS for word in words) else None
        case "about":
            return words or None
        case "hits" | "widen":
            return (
                min(int(value), MOST_HITS if key == "hits" else MOST_WIDE) if re.fullmatch(r"\d{1,4}", value) else None
            )
        case "past":
            return {"include": True, "leave out": False}.get(value)
        case "order":
            return value if value in ("time", "score") else None
        case "expand":
            return {"dependencies": True, "nothing": False}.get(value)
        case _:
            return value if value in ("facts", "journal", "notes") else None


def kinds_of(question: str) -> frozenset[Kind]:
    """The kinds of question that *question* may be, by its words."""
    return frozenset(kind for kind, words in _ASKED.items() if words.search(question.strip()))


def applies(directive: Directive, prose: str, question: str) -> bool:
    """
    Whether a rule is for *question*: as its directive says, else as the opening of its *prose* says, else always.
    """
    when, about = directive.when, directive.about
    if not when and not about:
        when, about = purpose_of(prose)
    if not when and not about:
        return True
    if any(kind in kinds_of(question) for kind in when):
        return True
    words = {_stem(word) for word in _WORD.findall(question.casefold())}
    return any({_stem(part) for part in _WORD.findall(phrase.casefold())} <= words for phrase in about)


def purpose_of(prose: str) -> tuple[tuple[Kind, ...], tuple[str, ...]]:
    """The kinds of question, or else the words, that the opening of *prose* names: "For totals and sums, …"."""
    opening = _OPENING.match(prose)
    if opening is None:
        return (), ()
    kinds = tuple(kind for kind, names in _NAMED.items() if names.search(opening[1]))
    words = tuple(word for word in _WORD.findall(opening[1].casefold()) if word not in _EMPTY)
    return kinds, () if kinds else words


def joined(directives: Sequence[Directive]) -> Directive:
    """One directive out of several: for each choice, the first that makes it wins."""
    found: dict[str, object] = {}
    for directive in directives:
        for field in fields(Directive):
            value = getattr(directive, field.name)
            if field.name not in ("when", "about") and value is not None:
                found.setdefault(field.name, value)
    return Directive(**found)  # type: ignore[arg-type] # taken from fields of the same names


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
