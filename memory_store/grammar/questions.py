"""What a question asks for."""

from dataclasses import replace

from memory_store.grammar.clause import Clause, Gap
from memory_store.grammar.phrases import Phrase
from memory_store.grammar.spans import ADVERBS, FINITE, Spans

_QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
# Prepositions and particles that may stand alone at the end, their noun asked for.
STRANDED = frozenset(
    "in on at by with from for to of about into under over after behind near through off out up".split()
)


class Questions(Spans):
    """Reads the gap that a question opens."""

    def question(self, i: int) -> tuple[Gap | None, int]:
        """The gap that the words from *i* open, and where they end; a question word may follow a preposition."""
        waiting = ""
        j = i
        if self.tag(j) in ("IN", "TO") and self.low(j + 1) in _QUESTION_WORDS:
            waiting = self.low(j)
            j += 1
        low = self.low(j)
        if low not in _QUESTION_WORDS or self.tag(j) not in ("WP", "WRB", "WDT", "WP$", "PRP$"):
            return None, i
        noun: Phrase | None = None
        word = low
        j += 1
        if low == "how":
            if self.low(j) in (
                "long",
                "much",
                "many",
                "often",
                "far",
                "big",
                "old",
                "early",
                "late",
                "large",
                "high",
                "fast",
                "soon",
                "tall",
                "wide",
                "hot",
                "heavy",
                "deep",
            ):
                word = f"how {self.low(j)}"
                j += 1
                if word in ("how many", "how much"):
                    read = self.read(j)
                    if read is not None and read[0].kind != "pronoun" and not read[0].determiner:
                        noun, j = read
            elif self.tag(j) in ("JJ", "RB"):
                j += 1
        elif low in ("which", "what", "whose"):
            read = self.read(j + (low == "which" and self.low(j) == "of"))
            if low == "which" and self.low(j) == "of" and read is not None:
                read = (replace(read[0], determiner="of"), read[1])
            if (
                read is not None
                and read[0].kind != "pronoun"
                and (not read[0].determiner or low == "whose" or (low == "which" and read[0].determiner == "of"))
            ):
                noun, j = read
            if low in ("which", "what") and noun is not None:
                word = "which"
                if noun.head == "time":
                    word, noun = "when", None
                elif noun.head in ("day", "date", "month", "year"):
                    word = "when"
        if word == "what" and self.low(j) == "else":
            j += 1
        while self.low(j) in ("exactly", "else", "again"):
            j += 1
        if not self.asked and not self.aux(j) and self.tag(j) not in FINITE:
            return None, i  # "what we harvest": a clause that names something
        if not self.asked and self.tag(j) not in FINITE:
            return None, i
        if word == "which" and self.aux(j) and self.low(i + 1) == "of" and not self.inverted(j, "what"):
            return Gap(word, "subject", noun), j
        if self.aux(j) and self.inverted(j, word):
            return Gap(word, waiting or "", noun), j
        if self.tag(j) in FINITE or self.tag(j) in ADVERBS:
            return Gap(word, "subject", noun), j
        if waiting or noun is not None or low == "how":
            return Gap(word, waiting, noun), j
        return None, i

    def inverted(self, j: int, word: str) -> bool:
        """Whether the auxiliary at *j* stands before its subject: `where is the key`, `who does she know`."""
        k = j + 1
        while self.tag(k) in ADVERBS:
            k += 1
        if self.tokens[j].lemma == "be" and self.tag(j) != "MD":
            if self.tag(k) in ("VBN", "VBG") and word in ("who", "what", "which", "whose", "how many", "how much"):
                after = self.read(k)
                return after is not None and self.verb_follows(after[1])
            return self.tag(k) in (
                "DT",
                "PRP$",
                "PRP",
                "NN",
                "NNS",
                "NNP",
                "EX",
                "CD",
                "JJ",
                "NNPS",
                "WP$",
                "VBG",
                "VBN",
            )
        if self.tokens[j].lemma in ("do", "have") or self.tag(j) == "MD":
            wanted = "VBN" if self.tokens[j].lemma == "have" else "VB"
            return any(self.tag(m) == wanted for m in range(k + 1, len(self.tokens))) and self.tag(k) != wanted
        if self.tag(k) in ("VBN", "VB") and not (
            self.read(k) is not None and self.verb_follows((self.read(k) or (None, k))[1])
        ):
            return False
        return self.tag(k) in ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "EX", "CD", "JJ", "NNPS", "VBG", "VBN")

    def verb_follows(self, k: int) -> bool:
        return self.tag(k) in ("VB", "VBN", "VBG")

    def asks_whether(self, i: int, link: str) -> bool:
        return (
            self.asked
            and not link
            and self.aux(i)
            and self.tag(i + 1) in ("DT", "PRP$", "PRP", "NN", "NNS", "NNP", "EX", "RB", "JJ")
        )

    def filled(self, clause: Clause, gap: Gap) -> Clause:
        """*clause* with the role of what it asks for."""
        if gap.role:
            return replace(clause, gap=gap)
        stranded = clause.adverbs[-1] if clause.adverbs and clause.adverbs[-1] in STRANDED else ""
        lemma = clause.verb.lemma if clause.verb else ""
        if stranded and gap.word in ("who", "what", "which", "whose", "where", "when"):
            return replace(clause, gap=replace(gap, role=stranded), adverbs=clause.adverbs[:-1])
        if gap.word in (
            "where",
            "when",
            "why",
            "how",
            "how long",
            "how often",
            "how far",
            "how early",
            "how late",
            "how soon",
        ):
            role = "adverbial"
        elif lemma == "be" and clause.object is None:
            role = "attribute"
        else:
            role = "object" if clause.object is None or clause.second is None else "adverbial"
        return replace(clause, gap=replace(gap, role=role))
