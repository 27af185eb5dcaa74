"""The verb of a clause: auxiliaries, negation and particle as one, with its tense, aspect and voice."""

from typing import Literal

from memory_store.grammar.clause import Verb
from memory_store.grammar.spans import ADVERBS, FINITE, Spans
from memory_store.grammar.tagging import Token

# Verbs before `to` that say how another is meant.
_SEMI = frozenset("have need want use ought plan hope try like start decide tend seem get love prefer".split())
NEGATIONS = frozenset("not n't never no hardly nobody nothing none neither nor".split())


class Verbs(Spans):
    """Reads verbs off tagged words."""

    def verb(
        self, i: int, adverbs: list[str], auxiliary: Token | None, negated: bool, *, imperative: bool
    ) -> tuple[Verb, int] | None:
        """
        The verb that begins at *i*, with its auxiliaries and particle, and where it ends; None where none does.

        *auxiliary*: the one that stands before the subject of a question. *adverbs* gains those within.
        """
        start = auxiliary or (self.tokens[i] if i < len(self.tokens) else None)
        if start is None:
            return None
        first: Token | None = auxiliary
        chain: list[Token] = [auxiliary] if auxiliary else []
        modal = ""
        j = i
        while j < len(self.tokens):
            tag, token = self.tag(j), self.tokens[j]
            if tag in ADVERBS:
                if not chain and not self.verb_ahead(j + 1):
                    break
                if chain and not self.verb_ahead(j + 1) and token.low not in NEGATIONS:
                    break
                negated = negated or token.low in NEGATIONS
                if token.low not in ("not", "n't"):
                    adverbs.append(token.low)
                j += 1
            elif (
                (tag in FINITE and not chain)
                or (
                    tag == "VB"
                    and (chain or imperative)
                    and (not chain or chain[-1].tag in ("MD", "TO") or chain[-1].lemma in ("do", "let", "help"))
                )
                or (tag == "VBN" and chain and chain[-1].lemma in ("be", "have", "get"))
                or (tag == "VBG" and chain and chain[-1].lemma == "be")
            ):
                chain.append(token)
                j += 1
            elif (
                tag == "TO"
                and chain
                and self.tag(j + 1) == "VB"
                and (
                    chain[-1].lemma in _SEMI
                    or chain[-1].lemma == "be"
                    or (chain[-1].lemma == "go" and chain[-1].tag == "VBG")
                )
            ):
                modal = {"use": "used to", "go": "will"}.get(chain[-1].lemma, f"{chain[-1].lemma} to")
                chain.append(token)
                j += 1
            else:
                break
        verbs = [t for t in chain if t.tag != "TO"]
        if not verbs:
            return None
        first = verbs[0]
        if first.tag == "MD" and not modal:
            modal = first.lemma
        main = verbs[-1]
        if main.tag == "MD":
            return None
        voice: Literal["active", "passive"] = (
            "passive" if main.tag == "VBN" and len(verbs) > 1 and verbs[-2].lemma in ("be", "get") else "active"
        )
        if voice == "passive" and main.lemma in ("go", "come", "become", "arrive", "rise", "be"):
            voice = "active"  # "he's gone"
        aspect: Literal["simple", "perfect", "progressive"] = (
            "perfect"
            if any(
                t.lemma == "have" or (t.lemma == "be" and voice == "active" and main.tag == "VBN") for t in verbs[:-1]
            )
            and any(t.tag == "VBN" for t in verbs)
            else "progressive"
            if main.tag == "VBG"
            else "simple"
        )
        tense: Literal["present", "past", "bare"] = (
            "past" if first.tag == "VBD" else "bare" if first.tag == "VB" else "present"
        )
        particle = ""
        if self.tag(j) == "RP":
            particle = self.low(j)
            j += 1
        if particle and self.tag(j) == "RP":
            j += 1
        end = self.tokens[j - 1].end if j > i else start.end
        text = self.text[start.start : end] if j > i else start.text
        return Verb(main.lemma, text, start.start, end, particle, voice, tense, aspect, modal, negated), j
