"""Noun phrases: what a clause speaks of, with their owner, modifiers and kind."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from memory_store.grammar.lexicon import NUMBERS, is_plural
from memory_store.grammar.tagging import Token

Kind = Literal["name", "amount", "time", "common", "pronoun", "quality", "clause"]


@dataclass(frozen=True)
class Phrase:
    """
    A noun phrase, as written at `[start:end]` of the text; *core_end* leaves out what follows its noun.

    *head*: lemma of its noun. *determiner*: `our`, `the`, `no`, or empty. *owner*: whose it is, in `my father's car`.
    *modifiers*: lemmas of the words before the noun. *parts*: `(preposition, phrase)` behind it (`of`, `for` …).
    *named*: the name beside it, in `my sister Ana`. *also*: what stands beside it behind `and`, `or` or a comma.
    *kind*: a name, an amount, a time, a common noun, a pronoun, a quality (`red`, `allergic`) or a clause (`to swim`).
    """

    text: str
    start: int
    end: int
    core_end: int
    head: str
    kind: Kind
    plural: bool = False
    determiner: str = ""
    owner: "Phrase | None" = None
    modifiers: tuple[str, ...] = ()
    parts: "tuple[tuple[str, Phrase], ...]" = ()
    named: "Phrase | None" = None
    also: "tuple[Phrase, ...]" = ()

    @property
    def ours(self) -> bool:
        """Whether it is the speaker's by how it is called: `my`, `our`, `we`, `my father's`."""
        if self.determiner in ("my", "our", "mine", "ours"):
            return True
        return self.head in ("i", "we", "me", "us") or (self.owner is not None and self.owner.ours)

    @property
    def bare(self) -> str:
        """Its text without the article or possessive before it."""
        return re.sub(
            r"^(?:my|our|the|an?|your|his|her|its|their|this|that|these|those|all|both)\s+",
            "",
            self.text,
            flags=re.IGNORECASE,
        )


_UNITS = frozenset(
    "second minute hour day night week fortnight month year season term decade evening morning afternoon weekend quarter lesson session visit person head".split()
)
_DURATIONS = frozenset("second minute hour day night week fortnight month year decade".split())
_CLOCK = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december
    noon midnight dawn dusk sunrise sunset spring summer autumn winter today tomorrow yesterday tonight lunchtime teatime bedtime weekend weekday morning afternoon
    evening night midday christmas easter moment day week month year season term mon tue wed thu fri sat sun o'clock oclock time""".split()
)
_OF_TIMES = _CLOCK | frozenset(
    "next last first second third fourth fifth other whole same late early busy school working bank following previous final past week-end monday mondays half few single".split()
)
_MONEY = frozenset(
    "euro dollar pound cent penny pence quid franc crown krone buck percent kilo gram litre liter metre meter mile kilometre kilometer degree".split()
)
_TIME_OF_DAY = re.compile(r"^\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\.?$|^\d{1,2}[:.]\d\d$", re.IGNORECASE)
_BEFORE_NOUN = frozenset("JJ JJR JJS CD VBG VBN NN NNS NNP NNPS".split())
_NOUN = frozenset("NN NNS NNP NNPS".split())


def kind_of(tokens: list[Token], head: Token) -> Kind:
    """What sort of thing the words *tokens* with the noun *head* name."""
    low = head.lemma
    numeral = any(t.tag == "CD" for t in tokens)
    if head.tag == "PRP" or head.tag in ("WP", "EX"):
        return "pronoun"
    if _TIME_OF_DAY.match(head.text) or any(_TIME_OF_DAY.match(t.text) for t in tokens):
        return "time"
    if low == "o'clock":
        return "time"
    told = {t.lemma for t in tokens if t is not head and t.tag in ("JJ", "NN", "NNS", "NNP", "VBG", "VBN")}
    if low.removesuffix("s") in _DURATIONS and head.tag != "NNP" and not told <= _OF_TIMES:
        return "common"  # our open days
    if low in _CLOCK or low.removesuffix("s") in _CLOCK:
        return (
            "amount"
            if numeral and low.removesuffix("s") in _DURATIONS and not re.match(r"\d+(?:st|nd|rd|th)$", tokens[0].low)
            else "time"
        )
    if head.tag == "CD" and any(t.lemma in _CLOCK for t in tokens):
        return "time"
    if (
        head.tag == "CD"
        or (numeral and (head.tag == "NNS" or low in _DURATIONS or low in _MONEY or low in NUMBERS))
        or re.match(r"[£$€]", tokens[0].text)
    ):
        return "amount"
    if low in _DURATIONS or (low in _UNITS and numeral):
        return "time"
    if head.tag in ("NNP", "NNPS") or (tokens[0].tag == "NNP" and head.text[:1].isupper()):
        return "name"
    if head.tag in ("JJ", "JJR", "JJS", "VBN", "VBG", "RB"):
        return "quality"
    return "common"


class Phrases:
    """Reads noun phrases off tagged words."""

    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens

    def tag(self, i: int) -> str:
        """The tag at *i*; empty beyond the end."""
        return self.tokens[i].tag if 0 <= i < len(self.tokens) else ""

    def low(self, i: int) -> str:
        """The word at *i* in lower case; empty beyond the end."""
        return self.tokens[i].low if 0 <= i < len(self.tokens) else ""

    def read(self, i: int, *, parts: bool = True) -> tuple[Phrase, int] | None:
        """The noun phrase that begins at *i*, and where it ends; None where none begins. *parts*: with its `of …`."""
        begin = i
        if (clock := self._clock(i)) is not None:
            return clock
        determiner = ""
        owner: Phrase | None = None
        while (
            self.tag(i) == "DT"
            or self.tag(i) in ("PRP$", "WP$")
            or (self.low(i) in ("all", "both", "half") and self.tag(i + 1) in ("DT", "PRP$"))
        ):
            if (
                determiner
                and self.tag(i) == "DT"
                and self.low(i) not in ("the", "a", "an", "other", "these", "those", "few")
            ):
                break
            determiner = self.low(i)
            i += 1
        if self.tag(i) == "PRP" and not determiner:
            return self._made(begin, i + 1, i, "", None, (), parts=False), i + 1
        if self.tag(i) == "EX":
            return self._made(begin, i + 1, i, "", None, (), parts=False), i + 1
        found = self._words(i)
        if found is None and determiner == "the" and self.tag(i) in ("JJ", "JJS", "JJR", "VBN"):
            found = i, i + 1  # "the oldest"
        if found is None:
            if (
                determiner
                and begin < i
                and self.tag(begin) == "DT"
                and determiner not in ("a", "an", "the", "no", "every")
            ):
                return self._made(begin, i, i - 1, "", None, (), parts=False), i
            return None
        head, end = found
        if self.tag(end) == "POS" and self.tag(end + 1) not in ("", ".", ",", "VBZ", "MD", "VBD"):
            owner = self._made(begin, end, head, determiner, None, self._modifiers(i, head), parts=False)
            inner = self.read(end + 1, parts=parts) if self.tag(end + 1) not in ("DT", "PRP$", "PRP") else None
            if inner is not None:
                thing, after = inner
                whole = self._span(begin, after)
                if thing.owner is not None:  # "my sister's dog's vet"
                    start = self.tokens[begin].start
                    owner = replace(thing.owner, owner=owner, text=self.text[start : thing.owner.end], start=start)
                start = self.tokens[begin].start
                return replace(thing, text=whole, start=start, owner=owner, determiner="'s"), after
            return owner, end + 1
        if self.tag(end) == "POS":
            thing = self._made(begin, end + 1, head, determiner, None, self._modifiers(i, head), parts=False)
            return thing, end + 1
        phrase = self._made(begin, end, head, determiner, None, self._modifiers(i, head), parts=parts)
        after = end
        while self.tokens[after - 1].end < phrase.end and after < len(self.tokens):
            after += 1
        return phrase, after

    def _clock(self, i: int) -> tuple[Phrase, int] | None:
        """`half past seven`, `a quarter to five`."""
        j = i + (self.tag(i) == "DT" and self.low(i + 1) == "quarter")
        if self.low(j) not in ("half", "quarter") and self.tag(j) != "CD":
            return None
        if self.low(j + 1) not in ("past", "to") or self.tag(j + 2) != "CD":
            return None
        start, end = self.tokens[i].start, self.tokens[j + 2].end
        return Phrase(self.text[start:end], start, end, end, self.tokens[j + 2].lemma, "time"), j + 3

    def _words(self, i: int) -> tuple[int, int] | None:
        """The noun among the words from *i*, and where they end."""
        head = -1
        j = i
        if (
            self.tag(j) == "RB"
            and self.tag(j + 1) in _NOUN
            and self.tag(j - 1) in ("DT", "PRP$", "IN", "TO")
            and self.low(j) in ("away", "home", "overnight", "indoor", "north", "south")
        ):
            j += 1
        while j < len(self.tokens):
            tag = self.tag(j)
            if tag in _NOUN or tag == "CD":
                if (
                    head >= 0
                    and tag == "CD"
                    and self.tokens[head].tag in _NOUN
                    and self.tokens[head].lemma not in _CLOCK
                    and self.tokens[head].tag != "NNP"
                    and not self._numbered(head, j)
                ):
                    break
                if (
                    head >= 0
                    and tag == "CD"
                    and self.tokens[head].lemma not in _CLOCK
                    and self.tokens[head].tag == "NNP"
                    and self.tokens[head].lemma.endswith("s")
                    and self.low(j) in NUMBERS
                ):
                    break
                head = j
                j += 1
            elif (
                (tag in ("JJ", "JJR", "JJS", "VBG", "VBN") and self._leads(j))
                or (
                    tag == "RB"
                    and self.tag(j + 1) in ("JJ", "VBN")
                    and self._leads(j + 1)
                    and self.low(j) not in ("not", "n't", "also", "still", "now", "just", "only", "already")
                )
                or (tag == "CC" and self.low(j) in ("&", "+") and head == j - 1 and head >= 0)
            ):
                j += 1
            elif tag == "CC" and head < 0 and j > i and self.tag(j + 1) in ("JJ", "VBN") and self._leads(j + 1):
                j += 1  # "red and white wine"
            elif tag in ("IN", "DT") and self._joins_names(j):
                j += 1
            elif tag == "POS" and self.tokens[j - 1].tag == "NNP" and self.tag(j + 1) == "NNP" and head >= 0:
                break
            else:
                break
        return (head, head + 1) if head >= 0 else None

    def _numbered(self, head: int, j: int) -> bool:
        """Whether the number at *j* tells which one the noun at *head* is: `berth 14`, `greenhouse five`."""
        after = self.tag(j + 1)
        return self.tag(head) == "NN" and after not in (*_NOUN, "CD", "JJ", "JJR", "DT", "POS") and self.low(j) != "one"

    def _leads(self, j: int) -> bool:
        """Whether the adjective at *j* is followed by its noun."""
        k = j + 1
        while self.tag(k) in ("JJ", "JJR", "JJS", "VBG", "VBN", "CD") or (
            self.tag(k) == "CC" and self.tag(k + 1) in ("JJ", "VBN")
        ):
            k += 1
        return self.tag(k) in _NOUN or (self.tag(k - 1) == "CD" and k - 1 > j)

    def _joins_names(self, j: int) -> bool:
        """`of`, `de`, `van`, `the`, inside a name."""
        if self.low(j) not in ("of", "de", "van", "von", "la", "le", "du", "del", "the", "and"):
            return False
        before, after = self.tokens[j - 1] if j else None, self.tag(j + 1)
        if before is None or before.tag != "NNP":
            return False
        return (self.low(j) != "the" and after == "NNP" and self.low(j) != "and") or (
            self.low(j) == "of" and self.low(j + 1) == "the" and self.tag(j + 2) == "NNP"
        )

    def _modifiers(self, i: int, head: int) -> tuple[str, ...]:
        return tuple(t.lemma for t in self.tokens[i:head] if t.tag in _BEFORE_NOUN)

    def _span(self, begin: int, end: int) -> str:
        return self.text[self.tokens[begin].start : self.tokens[end - 1].end]

    def _made(
        self,
        begin: int,
        end: int,
        head: int,
        determiner: str,
        owner: Phrase | None,
        modifiers: tuple[str, ...],
        *,
        parts: bool,
    ) -> Phrase:
        noun = self.tokens[head]
        kind = kind_of(list(self.tokens[begin:end]), noun)
        core_end = noun.end
        named: Phrase | None = None
        if noun.tag == "NNP" and kind == "name":
            common = [k for k in range(begin, head) if self.tag(k) in ("NN", "NNS")]
            if (
                common
                and (determiner in ("my", "our", "the", "his", "her", "their") or self.tag(begin - 1) == "POS")
                and all(self.tag(k) == "NNP" or self.low(k) in ("&", "of", "the") for k in range(common[-1] + 1, head))
            ):
                # "my sister Ana"
                first = common[-1] + 1
                named = self._made(first, head + 1, head, "", None, (), parts=False)
                noun = self.tokens[common[-1]]
                kind = "common"
                core_end = noun.end
                modifiers = modifiers[: max(0, len(modifiers) - (head - common[-1]))]
        if noun.tag == "CD" and head > begin and self.tag(head - 1) == "NN" and kind == "amount":
            kind = "name"  # "berth 14"
        if kind in ("amount", "time") and self._is_rate(end):
            end = self._rate_end(end)
        behind: list[tuple[str, Phrase]] = []
        while parts and self.tag(end) == "IN" and self.low(end) == "of" and kind != "pronoun":
            inner = self.read(end + 1)
            if inner is None:
                break
            behind.append(("of", inner[0]))
            end = inner[1]
        return Phrase(
            self._span(begin, end), self.tokens[begin].start, self.tokens[end - 1].end, core_end,
            noun.lemma, kind, is_plural(noun.low, noun.tag), determiner, owner, modifiers, tuple(behind), named,
        )  # fmt: skip

    def _is_rate(self, i: int) -> bool:
        """`a month`, `per hour`, `each`, behind an amount."""
        if (
            self.low(i) in ("a", "an", "per", "each", "every")
            and self.tokens[i + 1 : i + 2]
            and self.tag(i + 1) in _NOUN
        ):
            return True
        return self.low(i) == "each"

    def _rate_end(self, i: int) -> int:
        return i + 1 if self.low(i) == "each" and self.tag(i + 1) not in _NOUN else i + 2
