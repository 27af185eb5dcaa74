"""
What the owner's own sentences answer, where no fact does: read as they were told, in the order in which they were told.

No sentence needs to be understood whole for this. The ones that speak of what is asked are quoted; where one of them
hung on something ("if the chair changes, ...", "that is up to the vet") of which news was told later, what was said to
follow is quoted instead, or that it is unsure; and what was to be forgotten is not quoted. No model, no clock.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from daemon.questions import parse_question
from daemon.spoken import (
    Said,
    Utterance,
    asks,
    asks_for_work,
    asks_to_forget,
    cause_of,
    clause_about,
    conditions_in,
    families,
    follows,
    is_measured,
    is_news,
    names,
    sentences_of,
    to_forget,
    unaltered,
)
from memory_store.grammar import agree, parse, relations, tag
from memory_store.names import Similarity

LEAST = 0.38  # below this score a sentence is not about what is asked
HINGES = 0.22  # from this score on, what a sentence says to follow is of what is asked
GONE = 0.6  # from this share of its words on, a request to forget means what is asked
AGAIN = 0.5  # so near in meaning and words are two sentences that tell the same of another time
TIED = 0.55  # so much must news share with what something hung on
ALSO = 0.45  # how far below the best others may be where several are asked for
STEP = 0.6  # what part of the best score a sentence has that tells an earlier or later state, or one more of several
NEARLY = 0.75  # what part of the best score a sentence with `too` has that makes a list of what one thing was asked of
CHAINED = 0.25  # so near are two sentences of one form that tell states of the same
COMMON = 0.35  # how much less each further message that has a word makes it tell
LISTED_AT_MOST = 6
HOPS = 2  # how many things may hang on one another
CAUSES_AT_MOST = 4

Find = Callable[[str], Sequence[Utterance]]
_SAYS_LITTLE = frozenset({"", "be", "do", "have", "get", "go", "take"})
_SAYS_WHAT = re.compile(r"(?:it|that|this)(?:['’]s| is| was)\b", re.IGNORECASE)
_relations = lru_cache(maxsize=8192)(relations)


@dataclass(frozen=True)
class Account:
    """
    What was told. *kind*: `told` quotes what answers, in order; `follows` what was said to follow from *news*; `unsure`
    what hung on something of which there is *news*; `forgotten` quotes nothing.
    """

    kind: Literal["told", "follows", "unsure", "forgotten"]
    quoted: tuple[Utterance, ...] = ()
    news: Utterance | None = None


def recount(question: str, find: Find, near: Similarity | None, *, least: float = LEAST) -> Account | None:
    """
    What the owner told that answers *question*; None where nothing does with a score of *least*.

    *find* gives the messages that may bear on some words, in any order: it is asked for the question, and then for
    what the things hang on that it found.
    """
    told = dict.fromkeys(find(question))
    sought = {question}
    hearing = Hearing(list(told), near, least=least)
    for _ in range(HOPS):
        causes = [cause for cause in hearing.causes(question) if cause not in sought][:CAUSES_AT_MOST]
        fresh = [one for cause in causes for one in find(cause) if one not in told]
        sought.update(causes)
        if not fresh:
            break
        told.update(dict.fromkeys(fresh))
        hearing = Hearing(list(told), near, least=least)
    return hearing.hear(question)


class Hearing:
    """Messages of the owner, and questions about what they told."""

    def __init__(self, tellings: Sequence[Utterance], near: Similarity | None, *, least: float = LEAST) -> None:
        self._near = near
        self._least = least
        told = sorted(tellings, key=lambda one: (one.when, one.path, one.start_line))
        every = [
            (Said(s.text, one, at), s.asks or asks(s.text))
            for at, one in enumerate(told)
            for s in sentences_of(one.message)
        ]
        self._forgets = [one for one, _ in every if asks_to_forget(one.text)]
        self._said = [one for one, is_asked in every if not is_asked and one not in self._forgets]
        self._plain = [one for one in self._said if not one.is_conditional and not one.is_supposed]
        self._inside: dict[Utterance, list[Said]] = {}
        for one in self._said:
            self._inside.setdefault(one.telling, []).append(one)
        held: Counter[str] = Counter()
        for message in {one.message for one in self._inside}:
            held.update(families(message))
        self._held = held
        self._heard: dict[tuple[str, int], Account | None] = {}

    def hear(self, question: str, hops: int = HOPS) -> Account | None:
        """What they answer, following what hangs on one another so many *hops*."""
        if (question, hops) not in self._heard:
            self._heard[question, hops] = None  # a circle answers nothing
            self._heard[question, hops] = self._hear(question, hops)
        return self._heard[question, hops]

    def causes(self, question: str, hops: int = 1) -> list[str]:
        """The words for what the answer hangs on, and for what that hangs on."""
        scores, again = self._answers(question)
        if not again:
            return []
        found = [cause_of(self._inside[hinge], again) for hinge in self._bearing(again, scores)]
        found = [unaltered(cause).strip() for cause in found if families(cause)]
        return found + [further for cause in found[:2] if hops for further in self.causes(cause, hops - 1)]

    def _hear(self, question: str, hops: int) -> Account | None:
        scores, again = self._answers(question)
        if self._is_forgotten(question, again):
            return Account("forgotten")
        if not again:
            return None
        asked = parse_question(question)
        if asked.mode == "history":
            return Account("told", self._with_what_names_it(self._states(again, scores)))
        wants_all = asked.mode == "topic" or (asks_for_several(question) and asked.expects not in ("count", "length"))
        if listed := self._listed(again, scores, wants_all=wants_all):
            return Account("told", _tellings(listed))
        unsure: Utterance | None = None
        for hinge in self._bearing(again, scores):
            news = self._news_of(hinge, again, hops)
            if news is not None and (then := follows(hinge, news)) is not None:
                return Account("follows", (then,), news)
            unsure = unsure or news
        if unsure is not None:
            return Account("unsure", (again[-1].alone(),), unsure)
        if wants_all or (len(again) > 1 and again[-1].adds):
            return Account("told", _tellings(self._several(again, scores)))
        return Account("told", (again[-1].alone(),))

    # -- what is about it ---

    def _answers(self, question: str) -> tuple[dict[Said, float], list[Said]]:
        """How far each sentence speaks of what *question* asks, and those that tell it, in order; none if none does."""
        scores = self._scores(question)
        states = self._stating(question, scores)
        best = max(self._plain, key=lambda one: states[one], default=None)
        if best is None or scores[best] < self._least:
            return scores, []
        return scores, self._told_again(best, scores)

    def _scores(self, question: str) -> dict[Said, float]:
        asked = families(question)
        whole = self._weight(asked)
        wanted = _relations(question)
        found: dict[Said, float] = {}
        for one, meaning in zip(self._said, self._meaning(question, self._said), strict=True):
            shared = self._weight(asked & families(one.text)) / whole if whole else 0.0
            form = max((agree(r, q) for r in _relations(one.text) for q in wanted), default=0.0)
            if self._near is None:
                found[one] = 0.7 * shared + 0.3 * form
            else:
                found[one] = 0.45 * shared + 0.45 * min(1.0, max(0.0, (meaning - 0.15) / 0.6)) + 0.2 * form
        return found

    def _stating(self, question: str, scores: dict[Said, float]) -> dict[Said, float]:
        """*scores*, less for what says on what something hangs, or holds nothing of the kind that is asked for."""
        expected = parse_question(question).expects
        gaps = {clause.gap.word for clause in parse(question) if clause.gap is not None}
        measured = expected in ("time", "length", "count") or any(g == "when" or g.startswith("how ") for g in gaps)
        found = {}
        for one, score in scores.items():
            if measured and not is_measured(one.text):
                score -= 0.25
            if expected == "person" and not names(one.text):
                score -= 0.1
            found[one] = score - (0.15 if one.is_tie else 0.0)
        return found

    def _told_again(self, best: Said, scores: dict[Said, float]) -> list[Said]:
        """*best* and what was told of the same before and after it, in order."""
        found = [best]
        for one in self._plain:
            if one.telling == best.telling or one.is_tie:
                continue
            near = self._alike(best, one) + (0.3 if _same_form(best, one) else 0.0)
            told_of = near >= AGAIN and scores[one] >= 0.5 * scores[best]
            takes_over = one.place > best.place and is_news(one.text) and self._takes_over(one, found)
            if told_of or takes_over:
                found.append(one)
        return sorted(found, key=lambda one: one.place)

    def _takes_over(self, news: Said, before: Iterable[Said]) -> bool:
        return any(names(news.text) & names(one.text) and _same_form(one, news) for one in before)

    def _steps(self, again: Sequence[Said], scores: dict[Said, float]) -> list[Said]:
        """Those of *again* and all others that speak nearly as much of what is asked, in order."""
        least = max(0.28, STEP * max(scores[one] for one in again))
        others = [one for one in self._plain if scores[one] >= least and not one.is_tie]
        return sorted({*again, *others}, key=lambda one: one.place)

    def _listed(self, again: Sequence[Said], scores: dict[Said, float], *, wants_all: bool) -> list[Said]:
        """What was told of one thing after another, as `too` or their number shows; nothing where it was not."""
        others = self._steps(again, scores)
        tellings = len({one.telling for one in others})
        if wants_all:
            return self._several(again, scores) if tellings > 2 or (tellings > 1 and others[-1].adds) else []
        least = NEARLY * max(scores[one] for one in again)
        return others if tellings > 1 and any(one.adds and scores[one] >= least for one in others) else []

    def _states(self, again: Sequence[Said], scores: dict[Said, float]) -> list[Said]:
        """All that was told of the states of what *again* tells, in order: one leads to the next."""
        found = self._steps(again, scores)
        for one in self._plain:
            if one not in found and any(_same_form(one, it) and self._alike(one, it) >= CHAINED for it in found):
                found.append(one)
        return sorted(found, key=lambda one: one.place)

    def _with_what_names_it(self, said: Sequence[Said]) -> tuple[Utterance, ...]:
        """*said*, each with the sentence after it that says what `it` is: `A new name for the boat. It's Tern.`"""
        found = []
        for one in said[-LISTED_AT_MOST:]:
            inside = self._inside[one.telling]
            after = next(iter(inside[inside.index(one) + 1 :]), None)
            joined = after is not None and after not in said and _SAYS_WHAT.match(after.text)
            found.append(replace(one.telling, message=f"{one.text} {after.text}") if joined and after else one.alone())
        return tuple(dict.fromkeys(found))

    def _several(self, again: Sequence[Said], scores: dict[Said, float]) -> list[Said]:
        """All that *again* tells, and what was told of more of the kind."""
        best = max(again, key=lambda one: scores[one])
        least = max(0.28, scores[best] - ALSO)
        also = [one for one in self._plain if scores[one] >= least and not one.is_tie]
        also = sorted(also, key=lambda one: -scores[one])[:LISTED_AT_MOST]
        also += [one for one in self._plain if one not in also and one.adds and self._alike(best, one) > 0.3]
        return [*again, *also]

    def _is_forgotten(self, question: str, again: Sequence[Said]) -> bool:
        """Whether it was asked to forget what is asked, or what would answer it, and it was not told again since."""
        asked = families(question)
        held = families(clause_about(again[-1].text, asked)) if again else frozenset()
        for one in self._forgets:
            what = to_forget(one.text)
            whole = self._weight(what)
            meant = max(self._weight(what & asked), self._weight(what & held)) / whole if whole else 0.0
            if meant >= GONE and not (again and again[-1].place > one.place):
                return True
        return False

    # -- what it hangs on ---

    def _bearing(self, again: Sequence[Said], scores: dict[Said, float]) -> list[Utterance]:
        """The messages by which what *again* tells may hang on something; most surely so first."""
        best = max(again, key=lambda one: scores[one])
        told = {one.telling for one in again}
        found: dict[Utterance, float] = {}
        for hinge, inside in self._inside.items():
            if not any(one.is_conditional or one.may_tie for one in inside):
                continue
            for one in inside:
                if hinge in told or (scores[one] >= HINGES and self._alike(best, one) >= 0.3):
                    found[hinge] = max(found.get(hinge, 0.0), scores[one] + (0.3 if hinge in told else 0.0))
        return sorted(found, key=lambda one: -found[one])

    def _news_of(self, hinge: Utterance, again: Sequence[Said], hops: int) -> Utterance | None:
        """What was told since *hinge*, and since what *again* tells, of what that hangs on; None where nothing was."""
        inside = self._inside[hinge]
        cause = cause_of(inside, again)
        held = frozenset[str]().union(*(families(one.text) for one in again if not one.may_tie))
        keys = (families(unaltered(cause)) - held) | families(unaltered(conditions_in(inside)))
        who = names(cause) - frozenset[str]().union(*(names(one.text) for one in again if one.telling != hinge))
        told = {one.telling for one in again}
        latest = max(again[-1].place, inside[0].place)
        later = [one for one in self._plain if one.place > latest and one.telling not in told]
        meant: dict[Utterance, float] = {}
        for one, meaning in zip(later, self._meaning(cause, later), strict=True):
            meant[one.telling] = max(meant.get(one.telling, 0.0), meaning)
        best, least = None, TIED
        for news, meaning in meant.items():
            if not is_news(news.message) or self._is_hinge(news) or asks_for_work(news.message):
                continue
            shared = self._weight(keys & families(news.message)) + 0.6 * len(who & names(news.message))
            score = shared + 1.5 * max(0.0, meaning - 0.3)
            if score >= least:
                best, least = news, score
        if best is None and hops and keys:
            beyond = self.hear(unaltered(cause), hops - 1)
            if beyond is not None and beyond.news is not None and beyond.news.when > hinge.when:
                return beyond.news
        return best

    def _is_hinge(self, telling: Utterance) -> bool:
        """Whether it tells on what something hangs, or only supposes, and so is no news."""
        return any(one.is_conditional or one.is_tie or one.is_supposed for one in self._inside[telling])

    # -- how much words say ---

    def _weight(self, keys: Iterable[str]) -> float:
        """How much *keys* tell: 1 for what one message alone has, less for each other."""
        return sum(1.0 / (1.0 + COMMON * max(0, self._held[key] - 1)) for key in keys)

    def _alike(self, one: Said, other: Said) -> float:
        """How far two sentences tell of the same: by words of one family, and by meaning."""
        mine, its = families(one.text), families(other.text)
        least = min(self._weight(mine), self._weight(its))
        shared = self._weight(mine & its) / least if least else 0.0
        return shared if self._near is None else 0.5 * shared + 0.5 * self._meaning(one.text, [other])[0]

    def _meaning(self, text: str, said: Sequence[Said]) -> list[float]:
        """How near each of *said* is to *text* in meaning; 0 where that cannot be told."""
        if self._near is None or not said:
            return [0.0] * len(said)
        return [float(one) for one in self._near([text], [one.text for one in said])[0]]


def asks_for_several(question: str) -> bool:
    """Whether *question* asks for more than one thing: `which boats`, `who are`, `list the`."""
    if question.lstrip().lower().startswith(("list ", "name ", "which of ")):
        return True
    for clause in parse(question):
        gap = clause.gap
        if gap is None:
            continue
        if gap.noun is not None and _is_plural(gap.noun.text):
            return True
        if any(preposition == "as" and _is_plural(phrase.text) for preposition, phrase in clause.complements):
            return True
        if gap.word in ("who", "what") and clause.verb and clause.verb.text.lower() in ("are", "’re", "'re"):
            return True
    return False


def _is_plural(phrase: str) -> bool:
    tags = tag(phrase)
    return bool(tags) and tags[-1].tag in ("NNS", "NNPS")


@lru_cache(maxsize=8192)
def _same_form(one: Said, other: Said) -> bool:
    """Whether both tell the same doing of the same."""
    return any(
        a.verb == b.verb
        and bool(a.roles and b.roles)
        and (a.roles[0].name, a.roles[0].keys) == (b.roles[0].name, b.roles[0].keys)
        and (a.verb not in _SAYS_LITTLE or len(a.keys & b.keys) > 1)
        for a in _relations(one.text)
        for b in _relations(other.text)
    )


def _tellings(said: Iterable[Said]) -> tuple[Utterance, ...]:
    found = dict.fromkeys(one.alone() for one in sorted(said, key=lambda one: one.place))
    return tuple(found)[-LISTED_AT_MOST:]
