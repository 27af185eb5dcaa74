"""Phrases that are more than a noun, and what lies ahead: lists, gerunds, qualities, clauses that name something."""

from dataclasses import replace

from memory_store.grammar.phrases import Phrase, Phrases

SUBORDINATORS = frozenset(
    "if unless because although though while whereas whether once since until till when whenever where wherever as after before so like except than that".split()
)
FINITE = frozenset("VBZ VBP VBD MD".split())
VERBAL = frozenset("VBZ VBP VBD MD VB VBN VBG".split())
ADVERBS = frozenset("RB RBR RBS".split())

# Links of several words, as the one word that says the same.
_LONG_LINKS = tuple(
    (tuple(words.split()), link)
    for words, link in (
        ("in case", "if"), ("as soon as", "once"), ("as long as", "if"), ("so long as", "if"), ("provided that", "if"),
        ("provided", "if"), ("in the event that", "if"), ("now that", "since"), ("each time", "whenever"),
        ("every time", "whenever"), ("any time", "whenever"), ("by the time", "before"),
("given that", "since"), ("seeing that", "since"),
    )
)  # fmt: skip


class Spans(Phrases):
    """Reads off tagged words what stands in the place of a noun, and looks ahead. *asked*: a question mark follows."""

    asked = False

    def aux(self, i: int) -> bool:
        """Whether an auxiliary stands at *i*."""
        return self.tag(i) == "MD" or (self.tag(i) in FINITE and self.tokens[i].lemma in ("be", "have", "do"))

    def subordinates(self, i: int) -> bool:
        """Whether the word at *i* makes what follows a clause of another: `when the paint dries`, not `when?`."""
        low, tag = self.low(i), self.tag(i)
        if low not in SUBORDINATORS or tag not in ("IN", "WRB", "WDT", "RB"):
            return False
        if (
            tag == "WRB"
            and (self.asked or self.tag(i + 1) in ("VBZ", "VBP", "VBD", "MD"))
            and low in ("when", "where")
            and self.aux(i + 1)
        ):
            return False
        if low in ("as", "since", "until", "till", "after", "before", "like", "except", "than", "once", "so", "while"):
            return self.finite_before_stop(i + 1)
        return True

    def led(self, i: int) -> tuple[str, int] | None:
        """What leads to a clause that hangs on another, at *i*, and where that clause begins."""
        for words, link in _LONG_LINKS:
            if all(self.low(i + n) == word for n, word in enumerate(words)):
                return link, i + len(words)
        if (
            self.low(i) == "the"
            and self.low(i + 1) in ("moment", "second", "minute", "instant", "day")
            and self.tag(i + 2) in ("PRP", "DT", "PRP$", "NNP")
            and not self.two_verbs(i + 3)
            and self.finite_before_stop(i + 2)
        ):
            return "once", i + 2
        if self.low(i) in ("even", "only", "except") and self.low(i + 1) in ("if", "when", "though"):
            i += 1
        if not self.subordinates(i):
            return None
        return self.low(i), i + 1 + (self.low(i + 1) == "that")

    def finite_before_stop(self, i: int) -> bool:
        """Whether a finite verb comes before the next comma."""
        while self.tag(i) in ADVERBS:
            i += 1
        read = self.read(i)
        if read is None:
            return False
        i = read[1]
        while self.tag(i) not in FINITE:
            if self.tag(i) in ADVERBS:
                i += 1
            elif (
                self.tag(i) in ("IN", "TO", "CC")
                and (inner := self.read(i + 1)) is not None
                and (self.tag(i) != "CC" or self.tag(inner[1]) in FINITE)
            ):
                i = inner[1]
            else:
                return self.relative(i)
        return True

    def finite_before_stop_or_at(self, i: int) -> bool:
        return (
            self.tag(i) in FINITE
            or self.finite_before_stop(i)
            or (self.tag(i) in ADVERBS and self.tag(i + 1) in FINITE)
        )

    def two_verbs(self, j: int) -> bool:
        """Whether a verb at *j* is followed by another finite one, with no comma or `and` between."""
        while self.tag(j) in ADVERBS:
            j += 1
        if self.tag(j) not in FINITE:
            return False
        k = j + 1
        while self.tag(k) in ("VB", "VBN", "VBG", "RB", "IN", "TO", "RP", "DT", "NN", "NNS", "JJ", "PRP"):
            k += 1
        return self.tag(k) in FINITE and k > j + (self.tag(j) == "MD")

    def relative(self, j: int) -> bool:
        """Whether at *j* a relative clause begins, maybe behind a comma."""
        k = j + (self.tag(j) == ",")
        return (
            self.low(k) in ("who", "which", "that", "whose", "whom", "where")
            and self.tag(k) in ("WP", "WDT", "WP$", "PRP$", "WRB")
            and self.finite_before_stop_or_at(k + 1)
        )

    def coordinated(
        self, read: tuple[Phrase, int], *, subject: bool = False, fronted: bool = False
    ) -> tuple[Phrase, int]:
        """The phrase *read* with those that stand beside it: `Ana, Ben and Cleo`."""
        phrase, j = read
        also: list[Phrase] = []
        while True:
            k = j
            comma = self.tag(k) == ","
            k += comma
            joint = self.tag(k) == "CC" and self.low(k) in ("and", "or", "&", "plus", "nor")
            k += joint
            if not (comma or joint) or (comma and fronted):
                break
            inner = self.read(k)
            if inner is not None and (phrase.kind in ("time", "amount")) != (inner[0].kind in ("time", "amount")):
                break
            if inner is None or (inner[0].kind == "pronoun" and (not joint or not subject)):
                break
            if self.tag(inner[1]) in FINITE or (self.tag(inner[1]) in ADVERBS and self.tag(inner[1] + 1) in FINITE):
                if not (subject and (joint or also)):
                    break
            elif (
                (subject and comma and not joint and not self.list_goes_on(inner[1]))
                or (not subject and comma and not joint and not self.list_goes_on(inner[1]))
                or (not subject and self.own_clause(inner[1]))
            ):
                break
            also.append(inner[0])
            j = inner[1]
            if joint and self.tag(j) != ",":
                break
        if not also:
            return phrase, j
        last = also[-1]
        return replace(phrase, text=self.text[phrase.start : last.end], end=last.end, also=tuple(also), plural=True), j

    def own_clause(self, i: int) -> bool:
        """Whether a finite verb comes soon after *i*, so that what stands before it is a subject of its own."""
        k = i
        while self.tag(k) in ("IN", "DT", "NN", "NNP", "NNS", "RB", "JJ", "PRP$", "POS") and k < i + 7:
            k += 1
        return self.tag(k) in FINITE and not self.relative(k - 1)

    def list_goes_on(self, i: int) -> bool:
        """Whether after *i* more members follow, the last behind `and`."""
        k = i
        while self.tag(k) == ",":
            inner = self.read(k + 1)
            if inner is None:
                break
            k = inner[1]
        if self.tag(k) == ",":
            k += 1
        return (
            self.tag(k) == "CC"
            and self.low(k) in ("and", "or", "&")
            and self.read(k + 1) is not None
            and not self.own_clause((self.read(k + 1) or (None, k))[1])
        )

    def begins_clause(self, i: int) -> bool:
        """Whether at *i* something other than this clause begins."""
        tag, low = self.tag(i), self.low(i)
        if tag in (",", "(", ")", '"', ".", "CC"):
            return True
        if low in ("i", "we", "he", "she", "they") or (
            low == "that" and tag in ("IN", "WDT") and self.finite_before_stop(i + 1)
        ):
            return True
        if (
            low in SUBORDINATORS
            and tag in ("IN", "WRB")
            and self.subordinates(i)
            and low not in ("where", "when", "that", "whether", "how")
            and self.finite_before_stop(i + 1)
        ):
            return True
        return low in ("when", "where", "whenever") and tag == "WRB" and self.finite_before_stop(i + 1)

    def verb_ahead(self, j: int) -> bool:
        while self.tag(j) in ADVERBS:
            j += 1
        return self.tag(j) in VERBAL

    def whole(self, i: int, j: int) -> Phrase:
        start, end = self.tokens[i].start, self.tokens[j - 1].end
        return Phrase(self.text[start:end], start, end, end, self.tokens[j - 1].lemma, "clause")

    def with_part(self, phrase: Phrase, preposition: str, part: Phrase) -> Phrase:
        return replace(
            phrase, text=self.text[phrase.start : part.end], end=part.end, parts=(*phrase.parts, (preposition, part))
        )

    def gerund(self, i: int) -> tuple[Phrase, int] | None:
        """`grading papers` as a subject: the doing, with what it is done to."""
        if self.tag(i) != "VBG" or self.tag(i + 1) not in ("DT", "PRP$", "IN", "NNS", "NN", "PRP", "RP", "NNP"):
            return None
        if self.tag(i + 1) in ("NN", "NNS", "NNP") and self.tag(i - 1) in ("DT", "PRP$"):
            return None
        j = i + 1
        while j < len(self.tokens) and self.tag(j) not in (*FINITE, ",", ".", "CC"):
            j += 1
        if self.tag(j) not in FINITE:
            return None
        start, end = self.tokens[i].start, self.tokens[j - 1].end
        return Phrase(self.text[start:end], start, end, end, self.tokens[i].lemma, "clause"), j

    def gerund_object(self, i: int) -> tuple[Phrase, int] | None:
        """`making jam` behind a preposition or a verb: its words, as a clause."""
        if self.tag(i) != "VBG":
            return None
        j = i + 1
        read = self.read(j)
        if read is not None:
            j = read[1]
        while self.tag(j) in ("RP", "RB"):
            j += 1
        return replace(self.whole(i, j), head=self.tokens[i].lemma), j

    def infinitive(self, i: int) -> tuple[Phrase, int]:
        """`to bring snacks`: its words, as a clause; where they end."""
        j = i + 2
        while (
            j < len(self.tokens)
            and self.tag(j) not in (",", ".")
            and not (self.tag(j) == "CC" and (self.tag(j + 1) in FINITE or self.own_clause(j + 1)))
            and not (self.low(j) in SUBORDINATORS and self.tag(j) in ("IN", "WRB") and self.finite_before_stop(j + 1))
            and not self.relative(j)
        ):
            j += 1
        return replace(self.whole(i, j), head=self.tokens[i + 1].lemma), j

    def free_clause(self, i: int) -> tuple[Phrase, int] | None:
        """`what we charge`, `who leads the walk`, as the subject of `depends on …`: its words, as a clause."""
        if self.low(i) not in (
            "what",
            "who",
            "whoever",
            "where",
            "when",
            "how",
            "which",
            "whatever",
            "why",
        ) or self.tag(i) not in ("WP", "WRB", "WDT"):
            return None
        j, verbs = i + 1, 0
        while j < len(self.tokens) and self.tag(j) not in (",", "."):
            if self.tag(j) in FINITE:
                verbs += 1
                if verbs == 2:
                    whole = self.whole(i, j)
                    return whole, j
            j += 1
        return None

    def free_object(self, i: int) -> tuple[Phrase, int] | None:
        """`what we harvest` behind a verb or preposition."""
        if not self.finite_before_stop_or_at(i + 1):
            return None
        j = i + 1
        while (
            j < len(self.tokens)
            and self.tag(j) not in (",", ".")
            and not (self.tag(j) == "CC" and self.own_clause(j + 1))
        ):
            j += 1
        return self.whole(i, j), j

    def quality(self, i: int) -> tuple[Phrase, int] | None:
        """`very red`, `allergic`, `closed`: what something is like."""
        j = i
        while self.tag(j) in ADVERBS and self.tag(j + 1) in ("JJ", "JJR", "VBN", "RB", "RBR"):
            j += 1
        if self.tag(j) not in ("JJ", "JJR", "JJS", "VBN", "RB", "RBR"):
            return None
        end = j + 1
        while (
            self.tag(end) == "CC"
            and self.low(end) in ("and", "or")
            and self.tag(end + 1) in ("JJ", "VBN")
            and not self.read(end + 1)
        ):
            end += 2
        start, stop = self.tokens[i].start, self.tokens[end - 1].end
        return Phrase(self.text[start:stop], start, stop, stop, self.tokens[end - 1].lemma, "quality"), end

    def quality_ahead(self, i: int) -> bool:
        while self.tag(i) in ADVERBS:
            i += 1
        return self.tag(i) in ("JJ", "JJR", "JJS") and self.read(i) is None

    def as_time(self, i: int, j: int) -> Phrase:
        start, end = self.tokens[i].start, self.tokens[j - 1].end
        return Phrase(self.text[start:end], start, end, end, self.tokens[i].lemma, "time")
