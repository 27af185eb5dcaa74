"""
Sentences as clauses: who does what, to what, where and when; and what a question leaves open.

A descent from left to right over tagged words, without backtracking: what fits nowhere is left out, nothing raises.
"""

from dataclasses import replace
from functools import lru_cache

from memory_store.grammar.clause import Clause, Gap, Mood, Verb
from memory_store.grammar.phrases import Phrase
from memory_store.grammar.questions import STRANDED, Questions
from memory_store.grammar.spans import ADVERBS, FINITE, SUBORDINATORS
from memory_store.grammar.tagging import Token, tag
from memory_store.grammar.verbs import NEGATIONS, Verbs

__all__ = ["Clause", "Gap", "Verb", "parse"]

_CONDITIONS = frozenset("if unless when whenever once should".split())
PARTICLES = frozenset("up out off down back over in on away round around along through by".split())
TWO = {
    **dict.fromkeys(("as", "because", "instead", "out", "ahead", "outside", "inside"), "of"),
    **dict.fromkeys(("due", "according", "next", "thanks"), "to"),
}
_ABOUT = frozenset("about around roughly nearly only just almost over exactly".split())


@lru_cache(maxsize=2048)
def parse(text: str) -> tuple[Clause, ...]:
    """The clauses of *text*, in the order in which their verbs stand; empty where it has no verb."""
    tokens = tag(text)
    found: list[Clause] = []
    begin = 0
    number = 0
    for i, token in enumerate(tokens):
        if (
            token.text in (".", "!", "?", "...", ";", ":", "—", "–", "--")
            or i == len(tokens) - 1
            or "\n" in text[token.end : tokens[i + 1].start]
        ):
            end = i if token.tag == "." else i + 1
            asked = token.text == "?"
            if end > begin:
                _Descent(text, tokens[begin:end], found, number, asked).run()
            begin = i + 1
            number += 1
    return tuple(found)


class _Descent(Questions, Verbs):
    def __init__(self, text: str, tokens: tuple[Token, ...], found: list[Clause], sentence: int, asked: bool) -> None:
        super().__init__(text, tokens)
        self.found = found
        self.sentence = sentence
        self.asked = asked

    def run(self) -> None:
        i = 0
        main: int | None = None
        while i < len(self.tokens):
            before = i
            i = self._clause(i, parent=main)
            if main is None and self.found and self.found[-1].sentence == self.sentence:
                main = next(
                    (k for k, c in enumerate(self.found) if c.sentence == self.sentence and c.link not in _CONDITIONS),
                    None,
                )
            if i <= before:
                i = before + 1

    def _clause(
        self, i: int, *, parent: int | None, subject: Phrase | None = None, link: str = "", verb: Verb | None = None
    ) -> int:
        begin = i
        adverbs: list[str] = []
        fronted: list[tuple[str, Phrase]] = []
        while self.tag(i) in (",", "UH", "(", ")", '"', ".") or (self.tag(i) == "CC" and not link):
            if self.tag(i) == "CC":
                link = self.low(i)
            i += 1
        if i >= len(self.tokens):
            return i
        if (not link or link in ("and", "but", "or")) and (led := self.led(i)) is not None:
            link, i = led
        begin = i
        gap: Gap | None = None
        if subject is None and not (link in SUBORDINATORS and link not in ("and", "but", "or", "so")):
            gap, i = self.question(i)
        if gap is not None and gap.role == "subject":
            return self._predicate(i, begin, None, adverbs, fronted, link, parent, gap)
        if gap is not None or self.asks_whether(i, link):
            return self._asked(i, begin, gap or Gap("whether", ""), link, parent)
        if subject is None:
            subject, i = self._subject(i, adverbs, fronted)
        return self._predicate(i, begin, subject, adverbs, fronted, link, parent, None, verb)

    def _asked(self, i: int, begin: int, gap: Gap, link: str, parent: int | None) -> int:
        """A clause whose auxiliary, at *i*, stands before its subject."""
        first = self.tokens[i] if i < len(self.tokens) else None
        if first is None or not self.aux(i):
            subject, i = self._subject(i, [], [])
            return self._predicate(i, begin, subject, [], [], link, parent, gap)
        i += 1
        negated = False
        adverbs: list[str] = []
        while self.tag(i) in ADVERBS:
            negated = negated or self.low(i) in NEGATIONS
            adverbs.append(self.low(i))
            i += 1
        subject, i = self._subject(i, adverbs, [])
        return self._predicate(i, begin, subject, adverbs, [], link, parent, gap, auxiliary=first, negated=negated)

    def _subject(self, i: int, adverbs: list[str], fronted: list[tuple[str, Phrase]]) -> tuple[Phrase | None, int]:
        while True:
            if self.tag(i) in ADVERBS or self.tag(i) == "UH":
                adverbs.append(self.low(i))
                i += 1
            elif self.tag(i) == ",":
                i += 1
            elif self.tag(i) == "IN" and self.low(i + 1) in ("now", "then", "here", "there", "today"):
                adverbs.append(self.low(i + 1))
                i += 2 + (self.low(i + 2) in ("on", "onwards"))
            elif (
                self.tag(i) in ("IN", "TO", "RB")
                and self.low(i) in TWO
                and self.low(i + 1) == TWO[self.low(i)]
                and (read := self.read(i + 2)) is not None
            ):
                fronted.append((f"{self.low(i)} {self.low(i + 1)}", read[0]))
                i = read[1]
            elif self.tag(i) in ("IN", "TO") and (read := self.read(i + 1)) is not None:
                phrase, j = self.coordinated(read, fronted=True)
                if self.tag(j) in FINITE:
                    return None, i
                fronted.append((self.low(i), phrase))
                i = j
            elif self.tag(i) == "IN" and self.tag(i + 1) == "VBG":
                j = i + 2
                while j < len(self.tokens) and self.tag(j) not in (",", *FINITE):
                    j += 1
                if self.tag(j) != ",":
                    break
                i = j
            else:
                break
        named = self.free_clause(i)
        if named is not None:
            return named
        read = self.gerund(i) or self.read(i)
        if read is None:
            return None, i
        phrase, j = read
        if (
            phrase.kind == "time"
            and not (self.tag(j) == "PRP" and self.two_verbs(j + 1))
            and phrase.determiner not in ("my", "our", "'s")
            and (
                self.tag(j) in ("PRP", "DT", "PRP$", "NNP")
                or (self.tag(j) == "," and self.tag(j + 1) in ("PRP", "DT", "PRP$", "NNP", "NN", "NNS"))
            )
        ):
            fronted.append(("", phrase))
            return self._subject(j, adverbs, fronted)
        phrase, j = self.coordinated((phrase, j), subject=True)
        while self.tag(j) in ("IN", "TO") and (inner := self.read(j + 1)) is not None:
            phrase = self.with_part(phrase, self.low(j), inner[0])
            j = inner[1]
        while (
            self.tag(j) == "VBN"
            and self.tag(j + 1) == "IN"
            and (inner := self.read(j + 2)) is not None
            and (self.tag(inner[1]) in FINITE)
        ):
            j = inner[1]
        if (
            self.tag(j) == ","
            and (beside := self.read(j + 1)) is not None
            and self.tag(beside[1]) == ","
            and self.tag(beside[1] + 1) in (*FINITE, "RB")
        ):
            phrase = replace(phrase, named=phrase.named or beside[0])
            j = beside[1] + 1
        if (
            self.low(j) in ("i", "we", "you", "he", "she", "they")
            and phrase.kind != "pronoun"
            and self.two_verbs(j + 1)
        ):
            j = self._relative_clause(phrase, j - 1)  # "the boat we sail"
        elif self.relative(j) and self.tag(j + (self.tag(j) == ",")) != "WRB":
            phrase, j = self._after_relative(phrase, j)
        return phrase, j

    def _after_relative(self, phrase: Phrase, j: int) -> tuple[Phrase, int]:
        """*phrase* behind its relative clause, which is read for itself."""
        k = j + (self.tag(j) == ",")
        end = self._relative_clause(phrase, k)
        if self.tag(j) == "," and self.tag(end) == ",":
            end += 1
        return phrase, end

    def _relative_clause(self, phrase: Phrase, k: int) -> int:
        """Reads the relative clause that `who`, `which`, `that` or `whose` at *k* begins; where it ends."""
        low = self.low(k) if self.tag(k)[:1] == "W" or self.low(k) == "that" else "that"
        bare = phrase
        link = "which" if low == "that" else low
        if low == "whose":
            read = self.read(k + 1)
            if read is None:
                return k + 1
            thing, end = read
            thing = replace(thing, owner=bare, determiner="'s")
            return self._clause(end, parent=len(self.found) - 1 if self.found else None, subject=thing, link="whose")
        after = k + 1
        if self.tag(after) in (*FINITE, *ADVERBS):
            return self._clause(after, parent=len(self.found) - 1 if self.found else None, subject=bare, link=link)
        subject, j = self._subject(after, [], [])
        if low == "where":
            at = len(self.found)
            return self._predicate(j, after, subject, [], [], "where", at - 1 if at else None, None)
        at = len(self.found)
        end = self._predicate(j, after, subject, [], [], link, at - 1 if at else None, None)
        if len(self.found) > at and self.found[at].object is None:
            self.found[at] = replace(self.found[at], object=bare)
        return end

    def _predicate(
        self, i: int, begin: int, subject: Phrase | None, adverbs: list[str], fronted: list[tuple[str, Phrase]], link: str,
        parent: int | None, gap: Gap | None, shared: Verb | None = None, auxiliary: Token | None = None, negated: bool = False,
    ) -> int:  # fmt: skip
        adverbs = list(adverbs)
        read = self.verb(i, adverbs, auxiliary, negated, imperative=subject is None and gap is None)
        if read is None and auxiliary is not None:
            verb = Verb(
                "be" if auxiliary.lemma == "be" else auxiliary.lemma,
                auxiliary.text,
                auxiliary.start,
                auxiliary.end,
                tense="past" if auxiliary.tag == "VBD" else "present",
                negated=negated,
            )
        elif read is not None:
            verb, i = read
        elif shared is not None:
            verb = shared
        else:
            return self._skip(i)
        at = len(self.found)
        mood: Mood = (
            "question"
            if gap is not None or self.asked
            else "conditional"
            if link in _CONDITIONS and link != "should"
            else "imperative"
            if subject is None and verb.tense == "bare"
            else "declarative"
        )
        clause = Clause(subject, verb, None, None, tuple(fronted), tuple(adverbs), mood, gap, link, parent, self.tokens[begin].start if begin < len(self.tokens) else 0, self.tokens[max(begin, i - 1)].end if self.tokens else 0, self.sentence)  # fmt: skip
        self.found.append(clause)
        clause, i = self._rest(i, clause)
        if gap is not None:
            clause = self.filled(clause, gap)
        self.found[at] = clause
        return self._continue(i, at)

    def _rest(self, i: int, clause: Clause) -> tuple[Clause, int]:
        """What follows the verb: objects, prepositional parts, times and adverbs."""
        objects: list[Phrase] = []
        complements = list(clause.complements)
        adverbs = list(clause.adverbs)
        verb = clause.verb
        assert verb is not None
        while i < len(self.tokens):
            tag, low = self.tag(i), self.low(i)
            if self.begins_clause(i):
                break
            if (
                low in TWO
                and self.low(i + 1) == TWO[low]
                and (read := self.gerund_object(i + 2) or self.read(i + 2)) is not None
            ):
                phrase, i = self.coordinated(read)
                complements.append((f"{low} {TWO[low]}", phrase))
                continue
            if (
                tag == "IN"
                and self.low(i + 1) in ("now", "then", "here", "there", "today", "tomorrow")
                and self.low(i + 1) != self.low(i)
            ):
                adverbs.append(self.low(i + 1))
                i += 2 + (self.low(i + 2) in ("on", "onwards"))
                continue
            if (
                tag == "RB"
                and low in PARTICLES
                and not verb.particle
                and not objects
                and clause.verb is not None
                and self.tokens[i].start <= verb.end + 1
            ):
                verb = replace(verb, particle=low)
                i += 1
                continue
            if tag in ("IN", "TO", "RP"):
                if tag == "TO" and self.tag(i + 1) == "VB":
                    whole, i = self.infinitive(i)
                    complements.append(("to", whole))
                    continue
                two = tag == "RP" or low in ("out", "next", "up", "down", "because", "across")
                prep, j = low, i + 1
                if (two and self.tag(j) in ("IN", "TO")) or (
                    low in ("from", "at", "by") and self.tag(j) in ("IN", "RP") and self.read(j + 1)
                ):
                    prep, j = f"{low} {self.low(j)}", j + 1
                while self.tag(j) == "RB" and self.low(j) in _ABOUT:
                    j += 1
                read = self.gerund_object(j) or self.read(j)
                if read is None and self.tag(j) in ("JJ", "RB") and tag == "IN":
                    read = self.quality(j)
                if read is not None and (tag != "RP" or prep != low):
                    phrase, i = self.coordinated(read)
                    complements.append((prep, phrase))
                    i = self._behind(phrase, i)
                    continue
                if low in PARTICLES and tag in ("RP", "IN"):
                    if read is None and low in STRANDED and clause.gap is not None:
                        adverbs.append(low)
                    elif not verb.particle and tag == "RP":
                        verb = replace(verb, particle=low)
                    else:
                        adverbs.append(low)
                elif low in STRANDED:
                    adverbs.append(low)
                i += 1
                continue
            if (
                tag in ADVERBS
                or tag == "UH"
                or (low in ("more", "most", "less", "least", "best", "better") and self.read(i) is None)
            ):
                if (
                    tag in ADVERBS
                    and self.quality_ahead(i)
                    and verb.lemma in ("be", "stay", "remain", "become", "get", "keep", "feel")
                ):
                    quality, i = self.quality(i) or (None, i + 1)
                    if quality is not None and not objects:
                        objects.append(quality)
                    continue
                if low in ("once", "twice") or (low in ("daily", "weekly", "monthly", "yearly")):
                    start = i
                    i += 1
                    if self._is_rate(i):
                        i = self._rate_end(i)
                    complements.append(("", self.as_time(start, i)))
                    continue
                if low in NEGATIONS:
                    verb = replace(verb, negated=True)
                adverbs.append(low)
                i += 1
                continue
            free = self.free_object(i) if tag in ("WP", "WRB", "WDT") else None
            read = free or self.read(i)
            if read is None and tag in ("JJ", "JJR", "JJS", "VBN"):
                read = self.quality(i)
            if read is None and tag == "VBG":
                read = self.gerund_object(i)
            if read is not None:
                bare_time = read[0].kind == "time" and not read[0].ours
                phrase, i = self.coordinated(read)
                if (
                    bare_time
                    and (objects or verb.lemma != "be")
                    and not (
                        verb.lemma in ("take", "last", "cost", "mean", "cover", "have", "need", "give", "use")
                        and not objects
                    )
                ):
                    complements.append(("", phrase))
                elif len(objects) < 2:
                    objects.append(phrase)
                else:
                    complements.append(("", phrase))
                i = self._behind(phrase, i)
                continue
            break
        target: Phrase | None
        second: Phrase | None = None
        if len(objects) == 2 and verb.lemma == "be":
            target = objects[0]
            complements.append(("", objects[1]))
        elif len(objects) == 2:
            # "costs us 40 euros", "gives the kids lessons": whom first, what then
            second, target = objects
        else:
            target = objects[0] if objects else None
        end = max([clause.end, verb.end, *(p.end for p in objects), *(p.end for _, p in complements)])
        return replace(
            clause,
            verb=verb,
            object=target,
            second=second,
            complements=tuple(complements),
            adverbs=tuple(adverbs),
            end=end,
        ), i

    def _behind(self, phrase: Phrase, i: int) -> int:
        """Reads the relative clause or the apposition behind *phrase*, if one stands at *i*."""
        if self.relative(i) and not (phrase.kind == "pronoun" and self.low(i) == "that"):
            k = i + (self.tag(i) == ",")
            return self._relative_clause(phrase, k)
        return i

    def _continue(self, i: int, at: int) -> int:
        """Reads on where what follows hangs on the clause *at*: more verbs of its subject, conditions, reasons."""
        clause = self.found[at]
        k = i
        while self.tag(k) in (",", "(", ")", '"'):
            k += 1
        link = ""
        if self.tag(k) == "CC":
            link = self.low(k)
            k += 1
            while self.tag(k) == ",":
                k += 1
        if k >= len(self.tokens):
            return k
        j = k
        while self.tag(j) in ADVERBS:
            j += 1
        assert clause.verb is not None
        if (
            link in ("and", "but", "or", "then")
            and (self.tag(j) in FINITE or (self.tag(j) == "VB" and clause.mood == "imperative"))
            and clause.gap is None
        ):
            return self._clause(k, parent=at, subject=clause.subject, link=link) if clause.subject is not None else i
        if link == "and" and clause.verb.voice == "passive" and self.tag(j) == "VBN":
            return self._again(j, at)
        if link and clause.subject is not None and clause.gap is None and (gapped := self._gapped(k, at)) is not None:
            return gapped
        if not link and self.low(k) != "that" and (led := self.led(k)) is not None:
            return self._clause(led[1], parent=at, link=led[0])
        if link:
            return self._clause(k, parent=at, link=link)
        return i

    def _again(self, j: int, at: int) -> int:
        """`is grown in Kent and dried in the loft`: one more participle."""
        clause = self.found[at]
        assert clause.verb is not None
        token = self.tokens[j]
        verb = replace(clause.verb, lemma=token.lemma, text=token.text, start=token.start, end=token.end, particle="")
        new = Clause(
            clause.subject,
            verb,
            mood=clause.mood,
            link="and",
            parent=at,
            start=token.start,
            end=token.end,
            sentence=self.sentence,
        )
        where = len(self.found)
        self.found.append(new)
        new, i = self._rest(j + 1, new)
        self.found[where] = new
        return self._continue(i, where)

    def _gapped(self, k: int, at: int) -> int | None:
        """`… expires in June and my licence in May`: the verb goes for both."""
        clause = self.found[at]
        read = self.read(k)
        if read is None or not clause.complements or clause.verb is None:
            return None
        preps = {prep for prep, _ in clause.complements if prep}
        if self.low(read[1]) not in preps or self.tag(read[1]) not in ("IN", "TO") or self.own_clause(k):
            return None
        new = Clause(
            read[0],
            clause.verb,
            mood=clause.mood,
            link="and",
            parent=at,
            start=read[0].start,
            end=read[0].end,
            sentence=self.sentence,
        )
        where = len(self.found)
        self.found.append(new)
        new, i = self._rest(read[1], new)
        self.found[where] = new
        return self._continue(i, where)

    def _skip(self, i: int) -> int:
        """Where the next clause may begin, behind words that make none."""
        j = i
        while j < len(self.tokens) and self.tag(j) not in (",", "CC") and not (j > i and self.subordinates(j)):
            j += 1
        return j + 1 if self.tag(j) == "," else max(j, i + 1)
