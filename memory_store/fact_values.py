"""The values of the fact grammar: facts, rules, references, changes and problems. Frozen; they know no text layout."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

FactState = Literal["known", "unsure", "forgotten"]
Trigger = Literal["changes", "is", "forgotten"]
ChangeKind = Literal["set", "add", "unsure", "forget", "remove"]
ProblemKind = Literal[
    "malformed-rule",
    "malformed-fact",
    "half-deleted",
    "large-value",
    "unknown-fact",
    "ambiguous",
    "cycle",
    "contradiction",
    "conflict",
]


@lru_cache(maxsize=65536)
def attribute_key(attribute: str) -> str:
    """What attribute names are compared by: case folded, white space normalised, NFC."""
    folded = unicodedata.normalize("NFC", attribute).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


@lru_cache(maxsize=65536)
def value_key(value: str) -> str:
    """What values are compared by: as attributes, without a leading article or `number`, a last stop, or brackets."""
    text = attribute_key(value)
    if text.startswith("[[") and text.endswith("]]") and "[[" not in text[2:]:
        text = text[2:-2].rpartition("|")[2].strip()
    words = text.rstrip(".").split(" ")
    if len(words) > 1 and words[0] in ("a", "an", "the"):
        words = words[1:]
    if len(words) == 2 and words[0] in ("number", "no.", "nr") and words[1][:1].isdigit():
        words = words[1:]
    return " ".join(words).strip() or text


def same_value(a: str | None, b: str | None) -> bool:
    """Whether two values say the same: case, articles, spacing and link brackets aside. None equals None alone."""
    if a is None or b is None:
        return a is b
    return a == b or value_key(a) == value_key(b)


@dataclass(frozen=True, slots=True)
class Ref:
    """Names a fact: `[attribute]`, or with a page `[[page]] [attribute]`."""

    attribute: str
    page: str | None = None

    @property
    def key(self) -> str:
        """The attribute as names are compared."""
        return attribute_key(self.attribute)


@dataclass(frozen=True, slots=True)
class Fact:
    """
    One value of an attribute, at the line (from 1) where it stands.

    known: *value* holds since *since* (and, in the past, until *until*). unsure: *value* is None, *was* is what it
    had been (*was_since*, *was_source*), *since* the day the doubt began, *cause* its reason. forgotten: *value* is
    None, *since* the day. *source* is the wikilink target it was told in, *cause* the rule that set it, such as
    `[team lead] changed`. *notes* are qualifiers of the owner's that mean nothing here, in their
    order; *block_id* (`^id`) and *comment* stand at the end of the line.
    """

    attribute: str
    value: str | None
    state: FactState = "known"
    tags: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    source: str | None = None
    cause: str | None = None
    was: str | None = None
    was_since: str | None = None
    was_source: str | None = None
    corrected: str | None = None
    notes: tuple[str, ...] = ()
    block_id: str | None = None
    comment: str | None = None
    path: str = ""
    line: int = 0
    end_line: int = 0

    @property
    def key(self) -> str:
        """The attribute as names are compared."""
        return attribute_key(self.attribute)


@dataclass(frozen=True, slots=True)
class Rule:
    """
    `when [when] changes|is value|is forgotten, [then] becomes X|?`; *becomes* None is `?`.

    *nested* is the short form `- depends_on [when]` under the fact *then*: a dependency without a stated outcome.
    """

    when: Ref
    trigger: Trigger
    then: Ref
    becomes: str | None
    value: str | None = None
    since: str | None = None
    source: str | None = None
    notes: tuple[str, ...] = ()
    block_id: str | None = None
    nested: bool = False
    path: str = ""
    line: int = 0
    end_line: int = 0


def same_case(one: Rule, other: Rule) -> bool:
    """Whether two rules speak of the same event and the same fact, whatever they say that it becomes."""
    return (
        (one.trigger, one.when.key, one.then.key) == (other.trigger, other.when.key, other.then.key)
        and attribute_key(one.when.page or "") == attribute_key(other.when.page or "")
        and attribute_key(one.then.page or "") == attribute_key(other.then.page or "")
        and (one.trigger != "is" or same_value(one.value, other.value))
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the owner should look at: `path:line` and what is wrong. Nothing stops because of it."""

    path: str
    line: int
    message: str
    kind: ProblemKind = "malformed-fact"


@dataclass(frozen=True, slots=True)
class FactChange:
    """
    A change of one fact on the page *path*.

    set: *after* replaces *before*; where the attribute has several values and *before* is None, *every* replaces them
    all, otherwise *after* is refused as ambiguous by `apply`. add: *after* joins the values. unsure: becomes `?`.
    forget: becomes a tombstone and its past goes. remove: the value ends without a successor. *correction*: the value
    was never true, so *after* takes its place and its `since`, and nothing goes into the past.

    *before* `?` is a doubt; *was*, where known, what that doubt had been a value of.

    *reason* is for people; *source* the wikilink target where it was said; *cause* the rule, such as
    `[team lead] changed`, for changes that follow from others.
    """

    path: str
    attribute: str
    kind: ChangeKind
    before: str | None = None
    after: str | None = None
    reason: str = ""
    source: str | None = None
    cause: str | None = None
    every: bool = False
    correction: bool = False
    tags: tuple[str, ...] = ()
    was: str | None = None

    @property
    def key(self) -> str:
        """The attribute as names are compared."""
        return attribute_key(self.attribute)


@dataclass(frozen=True, slots=True)
class RuleAdded:
    """*rule* is to stand (or, after an edit by hand, stands newly) on the page *path*, in the place of *replaces*."""

    path: str
    rule: Rule
    source: str | None = None
    replaces: Rule | None = None


Change: TypeAlias = FactChange | RuleAdded


@dataclass(frozen=True, slots=True)
class PageFacts:
    """All that the grammar finds on one page, each in line order."""

    path: str
    title: str = ""
    facts: tuple[Fact, ...] = ()
    past: tuple[Fact, ...] = ()
    rules: tuple[Rule, ...] = ()
    problems: tuple[Problem, ...] = ()
