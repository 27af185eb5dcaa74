"""
Text -> words with their parts of speech: the cheapest reading in which words and grammar agree.

A clause has one finite verb, which agrees with the noun before it; so `ships` is a verb in `the package ships today`
and a noun in `the ships leave today`. Costs are small integers of judgement, not learned.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from memory_store.grammar.lexicon import brill, candidates, is_plural, lemma


@dataclass(frozen=True)
class Token:
    """A word or mark: *text* as written at `[start:end]`, its Penn Treebank *tag* and its *lemma* (lower case)."""

    text: str
    tag: str
    lemma: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """*text* in lower case, with a straight apostrophe."""
        return self.text.lower().replace("’", "'")


_TOKEN = re.compile(
    r"https?://\S+|[\w.+-]+@[\w-]+\.\w[\w.]*"  # addresses
    r"|(?<=\s)--?[A-Za-z][\w-]*(?:=\S*\w)?"  # options of a command
    r"|(?<!\S)(?=\S*\d)(?=\S*[a-z])[^\W_]\S*?(?:[!?^*~]|(?<=[a-z])\$)\S*\w(?=[.,!?;:]*(?:\s|$))"  # passwords
    r"|\bw/(?=\s)"
    r"|(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|St|Mt|No|Rev|Sr|Jr|Inc|Ltd|Co|approx|e\.g|i\.e|etc)\.(?=\s)"
    r"|[£$€]\s?\d[\d.,]*\d|[£$€]\d|\d[\d.,:/-]*\d(?:\s?[ap]\.?m\b|[a-zA-Z%°€£$]+\b|[%°€£$])?|\d(?:\s?[ap]m\b|[a-zA-Z%°€£$]+\b|[%°€£$])?"
    r"|(?:ca|wo|sha)(?=n['’]t\b)|\w+?(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|m|d)\b"
    r"|[^\W_](?:[\w]|[-/&.+#@](?=\w))*(?:(?<=[a-z])['’](?!(?:s|re|ve|ll|m|d)\b)(?=\w)(?:\w)+)*"
    r"|[\w]+|—|–|--|\.\.\.|['’](?=\s|$)|\S",
    re.IGNORECASE,
)
_STOPS = frozenset(". ! ? ; : — – -- ...".split())


def words(text: str) -> list[tuple[str, int, int]]:
    """The words and marks of *text* with their places."""
    return [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]


def _options(low: str, written: str, first: bool, following: str) -> tuple[tuple[str, float], ...]:
    if low in ("&", "+"):
        return (("CC", 0.0),)
    if low == "w/":
        return (("IN", 0.0),)
    if low[:1] == "-" and len(low) > 1 and low[-1].isalnum():
        return (("NN", 0.0),)
    if not low[:1].isalnum() and low not in ("'s", "'re", "'ve", "'ll", "'m", "'d", "'"):
        return ((low if low in (",", "(", ")", '"') else "$" if low in "£$€" else ".", 0.0),)
    if low[:1].isdigit():
        return (("CD", 0.0),)
    if written == "I" or low == "i":
        return (("PRP", 0.0),)
    capital = written[:1].isupper()
    found = candidates(low)
    if len(written) > 1 and written.isupper() and not first:
        return (("NNP", 0.0),)
    if capital and (not first or (following[:1].isupper() and found[0][0] in ("NN", "NNS", "JJ"))):
        if found[0][0] in ("PRP", "PRP$", "DT", "IN", "CC", "TO", "MD", "WRB", "WP") and written not in ("May", "Will"):
            return (*found, ("NNP", 1.5))
        return (("NNP", 0.0),)
    if capital and first:
        known = brill(low)
        if (known in (None, "NNP") and not low.endswith("ing") and found[0][0] in ("NN", "NNS", "VBN", "JJ", "RB")) or (
            known == "NNP"
        ):
            plural = [(tag, cost + 0.8) for tag, cost in found if tag in ("NNS", "NN")] if known is None else []
            return (("NNP", 0.0), *plural)
        if brill(written) == "NNP" and found[0][0] in ("NN", "VB", "JJ", "NNS"):
            return (*found, ("NNP", 0.4))
        return (*found, ("NNP", 2.0)) if known is None or found[0][0][0] in "NVJ" else found
    if not capital and any(c.isupper() for c in written[1:]):
        return (("NNP", 0.0),)
    return found


_NOMINAL = frozenset("NN NNS NNP NNPS CD".split())
_FINITE = frozenset("VBZ VBP VBD MD".split())
_SUBORDINATORS = frozenset(
    "if unless once because although though while whereas whether once since until till when whenever where wherever as that which who so before after how why what than".split()
)
# After these a clause must follow.
_NEED_A_VERB = frozenset(
    "if unless once because although though while whereas when whenever wherever where who what which".split()
)
# (previous tag group, next tag) -> cost; what is not listed costs nothing.
_PAIRS: dict[str, dict[str, float]] = {
    "DT": {"VBZ": 6, "VBP": 6, "VB": 6, "VBD": 6, "MD": 6, "IN": 3, "DT": 2, "PRP": 4, "RP": 4, "CC": 3, ".": 4, ",": 3, "VBN": 0.6, "VBG": 0.6, "RB": 0.8, "TO": 4, "POS": 5, "WRB": 4, "EX": 4},
    "PRP$": {"VBZ": 6, "VBP": 6, "VB": 6, "VBD": 6, "MD": 6, "IN": 5, "DT": 5, "PRP": 6, "RP": 5, "CC": 4, ".": 5, ",": 5, "VBN": 1, "VBG": 0.8, "RB": 2, "TO": 5, "POS": 6, "WRB": 5, "EX": 5},
    "JJ": {"VB": 2.5, "VBP": 2, "VBZ": 2, "VBD": 1.5, "DT": 2, "PRP": 2, "MD": 1.5, "VBG": 1, "VBN": 1, "JJ": 0.3, "POS": 3},
    "IN": {"VB": 5, "VBP": 5, "VBZ": 5, "VBD": 5, "MD": 5, "IN": 1.5, ".": 3, "TO": 2, "RP": 2, "CC": 3, "VBN": 0.9, "JJ": 0.4, "RB": 0.6, "POS": 5},
    "TO": {"NN": 0.3, "VBP": 4, "VBZ": 5, "VBD": 5, "VBN": 3, "IN": 4, "MD": 5, ".": 2, "VBG": 1, "POS": 5, "RP": 3, "JJ": 0.6},
    "MD": {"VB": -0.5, "VBP": 4, "VBZ": 5, "VBD": 5, "NN": 2.5, "NNS": 2.5, "VBN": 3, "IN": 2, "JJ": 2, "MD": 6, "VBG": 3},
    "PRP": {"NN": 2.5, "NNS": 2.5, "JJ": 1.2, "VB": 2, "PRP": 1, "DT": 0.5, "VBN": 1.5, "VBG": 0.8, "POS": 4, "NNP": 1.5, "PRP$": 1, "CD": 0.4},
    "V": {"VBZ": 5, "VBP": 5, "VBD": 4, "MD": 5, "VB": 2.5, "POS": 5, "VBN": 1, "VBG": 0.5},
    "GET": {"VBZ": 5, "VBP": 5, "VBD": 4, "MD": 5, "VB": 2.5, "POS": 5, "VBN": 0, "VBG": 0.5, "JJ": 0.2},
    "BE": {"VB": 5, "VBP": 5, "VBZ": 5, "VBD": 7, "MD": 5, "VBN": 0, "VBG": 0, "NN": 0.2, "POS": 5, "RP": 0.5},
    "HAVE": {"VBD": 6, "VB": 4, "VBP": 5, "VBZ": 5, "VBN": -0.3, "POS": 5, "MD": 6},
    "DO": {"VBP": 3, "VBZ": 5, "VBD": 5, "VBN": 3, "POS": 5},
    "NN": {"JJ": 1.2, "DT": 1.0, "PRP": 1.0, "PRP$": 1.0, "VB": 2.5, "VBN": 1.0, "VBG": 0.8, "NN": 0.3, "NNS": 0.2, "NNP": 0.6, "EX": 0.2},
    "CD": {"VB": 4, "VBP": 2.5, "VBZ": 2, "VBD": 1.5, "DT": 1.5, "JJ": 0.3, "POS": 2},
    "RB": {"NN": 0.8, "NNS": 0.8, "RP": 0.5, "POS": 5},
    "RP": {"NN": 0.6, "NNS": 0.6, "NNP": 0.6, "DT": 0.3, "VBN": 0.8, "VBG": 0.5, "JJ": 0.8, "CD": 0.5, "PRP$": 0.3},
    "POS": {"VBZ": 4, "VBP": 5, "VBD": 4, "VB": 5, "DT": 4, "IN": 3, "MD": 3, "PRP": 5, ".": 1.5, "CC": 1, "TO": 4},
    "W": {"VBN": 1.5, "VB": 2, "POS": 5, "RP": 3},
    "START": {"POS": 9, "VBN": 1, "VBG": 0.4, "VBD": 1.5, "VBZ": 3.5, "VBP": 2.0, "VB": 1.1, "RP": 1, "NN": 0.2, "MD": 0.3},
}  # fmt: skip
_AGREES_PLURAL = frozenset("i you we they these those all both some people many several few".split())


def _group(tag: str, base: str) -> str:
    if tag[0] == "V":
        return {"be": "BE", "have": "HAVE", "do": "DO", "get": "GET"}.get(base, "V")
    if tag in ("NN", "NNS", "NNP", "NNPS"):
        return "NN"
    if tag in ("WP", "WRB", "WDT", "WP$"):
        return "W" if tag != "WP$" else "PRP$"
    if tag in ("JJR", "JJS"):
        return "JJ"
    if tag in (".", ",", "CC", "START", '"', "(", ")", "UH"):
        return "START"
    return tag if tag in _PAIRS else "RB" if tag in ("RBR", "RBS") else ""


@dataclass(frozen=True)
class _State:
    """Where a reading stands: the *group* of its last word, whether the clause has its finite verb, and its subject."""

    group: str
    tag: str
    auxiliary: str  # be, have, do, modal, to: until its verb has come
    verb: str  # no: none yet; yes; may: it may go without, or have one more
    number: str  # of the last noun: s, p, ? (either) or none
    phrase: bool = False  # a determiner stood, and its noun has not come
    asked: bool = False  # an auxiliary stood before the subject


def _step(state: _State, low: str, tag: str, base: str) -> tuple[float, _State]:
    group = _group(tag, base)
    if state.group == "W" and group in ("JJ", "RB"):
        group = "W"  # how long, how often
    if state.group in ("IN", "TO") and group == "W":
        group = "DT"  # at which pool
    cost = _PAIRS.get(state.group, {}).get(tag, 0.0)
    aux, verb, number, asked = state.auxiliary, state.verb, state.number, state.asked
    phrase = state.phrase
    if tag in _NOMINAL or tag in ("PRP", "POS"):
        phrase = phrase and tag == "CD"
    elif phrase and (tag in _FINITE or tag in ("IN", "TO", "CC", ",", ".", "RP", "DT", "PRP$") or tag[0] == "W"):
        cost += 1.4 if state.group == "JJ" else 2.4 if state.group != "DT" else 0.6
        phrase = False
    if tag in ("DT", "PRP$"):
        phrase = True
    if tag in _FINITE:
        if state.group == "START" and verb == "may" and aux == "shared":
            cost -= 3.2  # "and does the drawings": the subject is shared
        if verb == "yes":
            cost += 4.0
        if verb == "no" and number == "?":
            cost -= _PAIRS.get(state.group, {}).get(tag, 0.0)  # "the bread that we sell is rye"
        if tag == "VBZ" and number == "p":
            cost += 3.0
        if tag == "VBP" and number == "s" and state.group != "START":
            cost += 3.0
        if tag in ("VBP", "VBZ") and not number and state.group not in ("START", "W", "RB", "EX"):
            cost += 1.5
        if asked and base not in ("be", "have", "do") and tag != "MD":
            cost += 2.5
        if tag == "VBD" and not number and state.group not in ("START", "W", "RB"):
            cost += 0.8
        fronted = verb in ("front", "asking") and (base == "do" or tag == "MD")
        asked = (
            asked
            or fronted
            or ((base in ("be", "have", "do") or tag == "MD") and (state.group in ("W", "START") or not number))
        )
        if low == "'s":
            cost += 1.9 if state.tag in ("NN", "NNS") else 1.2 if state.tag == "NNP" else 0.0
        if verb == "relative":
            number = "?"
        after = {"relative": "no", "front": "yes" if state.group == "W" or fronted else "fronted", "asking": "yes"}.get(
            verb, "yes"
        )
        verb, aux = (
            after,
            {"get": "be", "be": "be", "have": "have", "do": "do"}.get(base, "modal" if tag == "MD" else ""),
        )
    elif tag == "VB":
        if aux == "to":
            cost -= 0.5
        elif aux in ("do", "modal"):
            cost -= 1.0 + (2.4 if asked and state.group in ("NN", "PRP", "CD", "POS") else 0.0)
        elif state.group in ("START", "RB") and verb != "yes" and not number:
            verb = "yes"
        elif state.group == "V" and base:
            cost += 1.5
        else:
            cost += 2.0
        aux = "be" if base in ("be", "get") else ""
    elif tag == "VBN":
        if aux in ("be", "have"):
            cost -= 0.8
        elif state.group == "NN":
            cost += 1.0
        aux = "be" if base in ("be", "get") else ""
    elif tag == "VBG":
        if aux == "be":
            cost -= 0.8
        aux = ""
    elif tag in ("NN", "NNS", "NNP", "NNPS", "PRP", "EX", "CD"):
        if state.group == "NN" and state.number == "p" and tag in ("NN", "NNS") and state.tag == "NNS":
            cost += 0.9
        if tag != "CD" or not number:
            number = (
                "?"
                if tag == "NNP" and low.endswith("s")
                else "p"
                if is_plural(low, tag) or (tag == "PRP" and low in _AGREES_PLURAL)
                else "s"
            )
        if (aux in ("have", "do", "modal") and state.group in ("HAVE", "DO", "MD") and tag != "PRP" and not asked) or (
            aux == "be" and not asked
        ):
            aux = ""
        if verb in ("no", "need", "front", "asking") and aux == "shared":
            aux = ""
    elif tag == "TO":
        aux = "to"
    elif tag == "CC":
        number_before = number
        verb = "may" if verb == "yes" else verb
        aux = "shared" if verb == "may" else aux
        asked = False
        number = number_before if verb == "no" else ""
        if verb == "no":
            number = "p"
    elif tag in (",", ".", '"', "(", ")"):
        if asked and aux in ("do", "modal") and tag == ".":
            cost += 2.0
        if verb in ("need", "front", "asking", "relative"):
            cost += 2.5
        if tag == "." and verb == "no" and low not in ("-", "–", "—"):
            cost += 2.5
        verb = "no" if tag == "." or verb in ("no", "need", "front", "fronted", "asking", "relative") else "may"
        aux = ""
        asked = False
        number = number if tag == "," else ""
    elif (tag in ("WP", "WRB", "WDT") or (tag == "IN" and low in _SUBORDINATORS)) and state.group != "START":
        # what follows may be a clause of its own
        cost += (
            1.0
            if verb == "no" and tag in ("WRB", "IN") and state.group == "NN" and low in ("if", "because", "that")
            else 0.0
        )
        if verb == "no" and state.group in ("IN", "TO") and not number:
            verb = "asking"  # at which pool
        elif verb == "no" and tag in ("WDT", "WP"):
            verb = "relative"
        elif low in _NEED_A_VERB and tag != "WP":
            verb = "need"
        else:
            verb = "may"
        number = "" if tag in ("WRB", "IN") or low == "what" else number
    elif tag in ("WP", "WRB", "WDT") or (tag == "IN" and low in _NEED_A_VERB):
        verb = (
            "need"
            if state.tag != "START"
            else "front"
            if (low in _SUBORDINATORS and low[:2] != "wh") or low[:4] in ("when", "wher")
            else "asking"
        )
        number = ""
    elif tag == "POS":
        number = "s"
    elif tag in ("DT", "PRP$", "JJ", "JJR", "JJS"):
        if aux == "be" and tag not in ("DT", "PRP$") and not asked:
            aux = "be"
        number = "" if tag in ("DT", "PRP$") and state.group == "NN" else number
    elif tag == "IN" and not asked:
        aux = ""
    return cost, _State(group, tag, aux, verb, number, phrase, asked)


_NOMINATIVE = frozenset("i we he she they you".split())


def _steps(state: _State, low: str, tag: str, base: str) -> tuple[tuple[float, _State], ...]:
    """Where a reading in *state* may go with the word *low* as a *tag*."""
    cost, after = _step(state, low, tag, base)
    if tag != "PRP" or low not in _NOMINATIVE or state.group != "NN":
        return ((cost, after),)
    if state.verb in ("front", "need"):
        return ((cost + 1.5, after),)
    if state.verb == "asking":
        return ((cost, after),)
    return (cost, after), (
        cost + 0.5,
        replace(after, verb="relative" if state.verb == "no" else "may"),
    )  # "the boat we sail"


@lru_cache(maxsize=4096)
def tag(text: str) -> tuple[Token, ...]:
    """The words and marks of *text*, each with its part of speech."""
    found = words(text)
    if not found:
        return ()
    start = _State("START", "START", "", "no", "")
    beams: dict[_State, tuple[float, tuple[tuple[str, str], ...]]] = {start: (0.0, ())}
    first = True
    for i, (written, _, _) in enumerate(found):
        low = written.lower().replace("’", "'")
        following = found[i + 1][0] if i + 1 < len(found) else ""
        if low == "'s" and i and found[i - 1][0].lower() == "let":
            low = "us"
        new: dict[_State, tuple[float, tuple[tuple[str, str], ...]]] = {}
        options = [(t, c, lemma(low, t)) for t, c in _options(low, written, first, following)]
        for state, (cost, path) in beams.items():
            for t, prior, base in options:
                for more, after in _steps(state, low, t, base):
                    total = cost + prior + more
                    if after not in new or total < new[after][0]:
                        new[after] = (total, (*path, (t, base)))
        best = sorted(new.items(), key=lambda item: item[1][0])[:12]
        beams = dict(best)
        first = written in _STOPS or (first and not written[:1].isalnum())
    ends = [
        (
            cost
            + (
                2.5
                if state.verb in ("no", "need", "front", "asking", "relative")
                else 2.0
                if state.verb == "fronted"
                else 0.0
            )
            + (2.0 if state.asked and state.auxiliary in ("do", "modal") else 0.0)
            + (2.4 if state.phrase and state.group not in ("DT", "JJ") else 1.2 if state.phrase else 0.0),
            path,
        )
        for state, (cost, path) in beams.items()
    ]
    _, path = min(ends, key=lambda item: item[0])
    return tuple(Token(w, t, base, s, e) for (w, s, e), (t, base) in zip(found, path, strict=True))
