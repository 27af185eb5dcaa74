"""
What is known already, as far as sentences may point at it: names and values of facts, found in a text.

A name counts where its words stand together, in singular or plural; a value where it is named in full, or by the part
that tells it from every other: `Petra` for Petra Lindqvist, `the Rec` for the Rec at Filton.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from memory_store.doing import RATHER_NOUNS, ing_of, may_follow_a_name, verb_form
from memory_store.ledger import Ledger
from memory_store.phrases import FUNCTION_WORDS, WORD, stem
from memory_store.verbs import is_role, is_verbal

# What may stand before a noun without being part of its name.
_BEFORE = re.compile(
    r"(?:(?:all|both)\s+)?(?:(?:my|our|the|this|that|these|those|its|their|his|her|an?|any|some|another|every|each|whichever|whatever|which|what|no|one['’]?s?)\s+)?"
    r"(?:(?:brand[- ]new|new|different|other|current|present|next|same|old|particular|whole|own)\s+)*$",
    re.IGNORECASE,
)
_AFRESH = re.compile(r"\b(?:another|new|different|other)\b", re.IGNORECASE)
# What people add to the name of a part that somebody plays.
_AFTER = re.compile(
    r"^\s+(?:role|job|position|post|duty|duties|slot|title|hat)\b(?!\s+(?:description|title))", re.IGNORECASE
)
MOST_WORDS = 6  # of a name or a value; longer ones are not named in full
_NEVER_PART = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays january
    february march april may june july august september october november december the a an of and at in on mr mrs ms dr prof st saint new old big great little""".split()
)
SINGLE_OPEN = re.compile(
    r"^(?:['’]s\b|['’]\s|\s*(?:$|[.,;:!?)(—–=]|-\s)|\s+(?:[A-Z⟦]|\d))", re.UNICODE
)  # what may follow a name of one word


@dataclass(frozen=True)
class Spot:
    """
    A fact named at `text[start:end]`: by its name, or by *value*. *afresh*: as `a new one`, `another`, `different`.

    *own* is where its own words begin, after articles and adjectives.
    """

    start: int
    end: int
    attribute: str
    value: str | None = None
    afresh: bool = False
    own: int = 0


@dataclass
class Familiar:
    """
    Names of known facts, parts of their values, and *nouns*, what people call facts after an article: `the start` for
    what we start at; each by its words in plain forms.
    """

    names: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    nouns: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    parts: dict[tuple[str, ...], set[tuple[str, str]]] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, ledger: Ledger) -> "Familiar":
        """What the facts and rules of *ledger* name."""
        familiar = cls()
        for fact in ledger.facts():
            familiar.add(fact.attribute, fact.value if fact.state == "known" else fact.was)
        for rule in ledger.rules:
            familiar.add(rule.when.attribute)
            familiar.add(rule.then.attribute)
        return familiar

    def add(self, attribute: str, value: str | None = None) -> None:
        """Know *attribute*, and that it is *value*."""
        if attribute not in self.values:
            self.values[attribute] = []
            name, nouns = _called(attribute)
            if name:
                self.names.setdefault(name, set()).add(attribute)
            for noun in nouns:
                self.nouns.setdefault(noun, set()).add(attribute)
        if value and len(value) < 80 and value not in self.values[attribute] and "\n" not in value:
            self.values[attribute].append(value)
            for part in _parts(value):
                self.parts.setdefault(part, set()).add((attribute, value))

    def named(self, name: str) -> set[str]:
        """The known facts of that name, in singular or plural."""
        return self.names.get(_forms(name), set())

    def spots(self, text: str) -> list[Spot]:
        """Every known fact that *text* names, in order, none overlapping; of two readings the longer."""
        words = [(m.start(), m.end(), m[0]) for m in WORD.finditer(text)]
        forms = [_form(word) for _, _, word in words]
        found: list[tuple[int, Spot]] = []
        for i, (start, _, _) in enumerate(words):
            for count in range(1, min(MOST_WORDS, len(words) - i) + 1):
                said = tuple(forms[i : i + count])
                _, end, last = words[i + count - 1]
                end -= 2 if last.lower().endswith(("'s", "’s")) else 0
                if (
                    (known := self.names.get(said))
                    and _stands_alone(text, said, end, start)
                    and not _ends_a_name(text, start)
                    and not _is_done(text, start, end)
                ):
                    found += [(count * 2, self._named(text, start, end, attribute)) for attribute in known]
                meant = self.nouns.get(said, ())
                if len(meant) == 1 and _WITH_ARTICLE.search(text[:start]) and _stands_alone(text, said, end, start):
                    found += [(count * 2 - 1, self._named(text, start, end, attribute)) for attribute in meant]
                held = [pair for pair in self.parts.get(said, ()) if _is_named(text, start, end, pair[1], said)]
                if len(held) == 1:
                    found.append((count * 2 - 1, _valued(text, words[:i], start, end, *held[0])))
        found.sort(key=lambda pair: (-pair[0], pair[1].start))
        kept: list[Spot] = []
        for _, spot in found:
            if not any(spot.own < k.end and k.own < spot.end for k in kept):
                kept.append(spot)
        return sorted(kept, key=lambda spot: spot.start)

    def _named(self, text: str, start: int, end: int, attribute: str) -> Spot:
        before = _BEFORE.search(text[:start])
        at = before.start() if before else start
        if after := _AFTER.match(text[end:]):
            end += after.end()
        return Spot(at, end, attribute, None, bool(_AFRESH.search(text[at:start])), own=start)


def _valued(text: str, before: list[tuple[int, int, str]], start: int, end: int, attribute: str, value: str) -> Spot:
    """The spot of *value* in *text*, with what stands before its telling words: `St` of St Aldhelm's."""
    for token, _, word in reversed(before):
        apart = text[token:start].strip(" .").count(" ") > 1
        if apart or not word[0].isupper() or _form(word) not in _forms(value):
            break
        start = token
    articles = _BEFORE.search(text[:start])
    at = articles.start() if articles else start
    named = None if text[start].islower() and any(c.isupper() for c in value) else value
    return Spot(at, end, attribute, named, bool(_AFRESH.search(text[at:start])), own=start)


@lru_cache(maxsize=65536)
def _called(attribute: str) -> tuple[tuple[str, ...], frozenset[tuple[str, ...]]]:
    """The words of *attribute* as a name, empty where it is none, and what it is called after an article."""
    words = _forms(attribute)
    if not words or not _is_noun(attribute):
        return (), frozenset(_nouns_of(attribute))
    if len(words) > MOST_WORDS:
        return (), frozenset()
    shorter = {words[-1:]}
    if head := _MORE_OF_IT.match(attribute):
        shorter = {_forms(head["np"]), _forms(head["np"])[-1:]}
    if len(words) > 1 and (form := verb_form(attribute.split()[-1])) and form[1] == "s":
        # the cat's food: what `the cat eats`
        shorter = {(noun,) for noun in _OBJECTS.get(form[0], ())}
    return words, frozenset(shorter - {words})


@lru_cache(maxsize=65536)
def _parts(value: str) -> frozenset[tuple[str, ...]]:
    """*value*, and the parts of it by which it may be named."""
    return frozenset(part for part in (_forms(value), *_telling_parts(value)) if part and len(part) <= MOST_WORDS)


# `topic this term with the class`: the topic
_MORE_OF_IT = re.compile(
    r"^(?P<np>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)\s(?:this|that|with|for|of|in|on|at|to|from|by)\s", re.IGNORECASE
)


def _nouns_of(attribute: str) -> list[tuple[str, ...]]:
    """What people call a fact that is known by a verb: `start time` for `start at`, `flour` for `flour comes from`."""
    words = [w for w in attribute.removeprefix("we ").split() if w.isalpha()]
    found: list[tuple[str, ...]] = []
    for i, word in enumerate(words):
        form = verb_form(word)
        if form is None or not (_agrees(form[1], words[i - 1]) if i else form[1] != "s"):
            continue
        if form[1] == "ing" and any(verb_form(w) and w not in RATHER_NOUNS for w in words[1:]):
            break  # `swimming lessons take place at`: the verb comes later
        if i > 0:
            found += [tuple(_form(w) for w in words[:i]), (_form(words[i - 1]),)]
        found += [(noun,) for noun in _OBJECTS.get(form[0], ()) if i <= 1]
        if form[0] not in _LIGHT:
            plain = [form[0], word if form[1] == "ing" else ing_of(form[0])]
            found += [(_form(w),) for w in plain] + [(_form(w), "time") for w in plain]
        if i == 0:
            found += [(_form(w),) for w in words[1:-1] if w not in FUNCTION_WORDS and len(w) > 3]
        break
    return found


def _agrees(form: str, subject: str) -> bool:
    """Whether a verb of that *form* may be what *subject* does, or what is done to it: `tea made`, `reminders go`."""
    return form in ("s", "past") or (form == "base" and subject.endswith("s"))


# What one calls that which somebody does so: the food is what one eats.
_OBJECTS = {
    "eat": ("food", "meal", "diet"),
    "feed": ("food",),
    "drink": ("drink",),
    "sit": ("seat", "place"),
    "wear": ("outfit",),
    "drive": ("car",),
    "study": ("subject",),
    "teach": ("subject",),
    "work": ("job",),
    "live": ("home", "address"),
    "pay": ("fee", "price"),
    "cost": ("price",),
    "sleep": ("bed",),
}
_LIGHT = frozenset("have do take get go use be make keep come run put give set live work".split())
_WITH_ARTICLE = re.compile(
    r"\b(?:my|our|the|this|that|which|whichever|another|different|new|other|his|her|their)\s+$", re.IGNORECASE
)


def _is_noun(attribute: str) -> bool:
    """Whether a sentence may name *attribute* by its own words: `rent`, not `live in`."""
    return attribute in RATHER_NOUNS or not (is_verbal(attribute) or is_role(attribute))


def _forms(text: str) -> tuple[str, ...]:
    return tuple(_form(m[0]) for m in WORD.finditer(text))


@lru_cache(maxsize=65536)
def _form(word: str) -> str:
    """*word* without its case, its possessive and its plural."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    if len(word) <= 5 and word.isalpha() and stem(word) != word and len(stem(word)) > len(word) + 3:
        return stem(word)  # written short: auth, vet
    for ending, plain in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and not word.endswith(("ss", "us", "is")):
            return (
                _form(word[: -len(ending)] + plain)
                if len(word) <= 6 and ending == "s"
                else word[: -len(ending)] + plain
            )
    return word


def _telling_parts(value: str) -> list[tuple[str, ...]]:
    """The capitalised words of a name, each alone, and all of them: enough to tell whom it means."""
    words = [m[0] for m in WORD.finditer(value)]
    names = [w for w in words if w[0].isupper() and w.lower().removesuffix("'s") not in _NEVER_PART and len(w) > 2]
    parts = [tuple(_form(w) for w in names)] if len(names) > 1 else []
    if len(names) <= 4:
        parts += [(_form(w),) for w in names if w.lower() not in FUNCTION_WORDS]
    if names and words[-1].islower() and len(words[-1]) > 3 and words[-1] not in FUNCTION_WORDS:
        parts.append((_form(words[-1]),))  # `which hall`: of what sort it is
    return parts


def _is_named(text: str, start: int, end: int, value: str, part: tuple[str, ...]) -> bool:
    """Whether the words at `text[start:end]` mean *value*: whole, or capitalised as a name is."""
    if len(part) == len(_forms(value)):
        said = text[start:end]
        return len(said) > 2 and (any(c.isupper() or c.isdigit() for c in said) or not any(c.isupper() for c in value))
    if text[start].islower():
        return (
            len(part) == 1 and _WITH_ARTICLE.search(text[:start]) is not None and _stands_alone(text, part, end, start)
        )
    return text[start].isupper() and not re.match(r"\s+[A-Z]", text[end : end + 2])


def _stands_alone(text: str, names: tuple[str, ...], end: int, start: int) -> bool:
    """Whether a name of one word is no part of a longer one, as `gym` is of `gym bag`."""
    if re.search(r"[\w-]-$", text[:start]):
        return False
    after = text[end:]
    if len(names) > 1 or SINGLE_OPEN.match(after):
        return True
    following = re.match(r"\s+([a-z]+(?:['’][a-z]+)?)", after)
    if following is None:
        return False
    word = following[1]
    return (
        word in FUNCTION_WORDS
        or word in _NOT_A_NOUN
        or may_follow_a_name(word)
        or bool(re.search(r"(?:['’][a-z]+|ed|es|ly|ing)$", word))
        or (word.endswith("s") and not word.endswith("ss"))
    )


def _is_done(text: str, start: int, end: int) -> bool:
    """Whether the word at *start* is what somebody does, as in `I train at the pool`, and no train of theirs."""
    form = verb_form(text[start:end])
    return form is not None and form[1] in ("base", "ing") and _WHO_DOES.search(text[:start]) is not None


_WHO_DOES = re.compile(
    r"\b(?:I|we|you|they)(?:['’](?:ll|d|m|re))?\s+(?:(?:now|just|still|also|always|usually|often|only|am|are|can|will|would|could|do|used\s+to|have\s+to|want\s+to|like\s+to)\s+)*$",
    re.IGNORECASE,
)


def _ends_a_name(text: str, start: int) -> bool:
    """Whether the word at *start* is the last of a name, as in `Penmere Orchard`, and names no orchard of ours."""
    return (
        text[start].isupper()
        and re.search(r"(?<=\w\s)[A-Z][\w'’-]*\s$|^[A-Z][\w'’-]*\s$", text[:start]) is not None
        and re.search(r"\b(?:The|Our|My|A|An|This|That)\s$", text[:start]) is None
    )


_NOT_A_NOUN = frozenset(
    """position post duty slot title spot changes change moves move goes depends hinges hangs follows comes became becomes become stays stay leaves leave
    ends end never ever always might must went got came left stood stands because since if when unless while though
    although whenever once until till instead without within hold holds apart together alone cause cos role job gone
    fell falls needs means stops works where who whose why via per like unlike either neither plus minus except""".split()
)
