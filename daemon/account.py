"""
What the owner's own sentences answer, where no fact does: read as they were told, in the order in which they were told.

No sentence needs to be understood whole for this. The ones that speak of what is asked are quoted; where one of them
hung on something ("if the chair changes, ...", "that is up to the vet") of which news was told later, what was said to
follow is quoted instead, or that it is unsure; and what was to be forgotten is not quoted. No model, no clock.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from daemon.cases import cases_of, condition_in
from daemon.hinges import Hinges, Turn
from daemon.questions import parse_question
from daemon.relevance import Relevance
from daemon.shortfalls import falls_short
from daemon.spoken import (
    Said,
    Utterance,
    after_tie,
    asks,
    clause_about,
    families,
    is_measured,
    is_news,
    names,
    sentences_of,
)
from daemon.threads import Threads
from daemon.threads import told as threaded
from daemon.wanted import holds, wanted
from daemon.wishes import GONE, MEASURED, MONEY, Wish
from memory_store.grammar import parse, relations, tag
from memory_store.names import Similarity
from memory_store.pleas import pleas

LEAST = -2.6  # below these log odds a sentence is not about what is asked
TURNED = 0.2  # from these log odds on, news is taken to bear on what was told
SURELY_TURNED = 1.0  # the same on what something hangs on that was told to hang on something else
RATHER = 3.5  # how much less sure news may be by which something was said to follow than that by which nothing was
AGAIN = 0.5  # so near in meaning and words are two sentences that tell the same of another time
STEP = 2.5  # how far below the best is what tells an earlier or later state of the same
FIRMLY, FIRMLY_BY_WORDS = 0.0, -1.0  # from these log odds on, a sentence surely goes on with what was told of one thing
NEARLY = 4.0  # how far below the best is what makes a list, by its `too`, of what one thing was asked of
HOPS = 2  # how many things may hang on one another
CAUSES_AT_MOST = 4

Find = Callable[[str], Sequence[Utterance]]
_SAYS_LITTLE = frozenset({"", "be", "do", "have", "get", "go", "take"})
_NOT = re.compile(r"(?:\b(?:is|are|was|were)|['’](?:s|re|m))(?:n['’]t| not)\b|\bno longer\b", re.IGNORECASE)
_relations = lru_cache(maxsize=8192)(relations)


@dataclass(frozen=True)
class Account:
    """
    What was told. *kind*: `told` quotes what answers, in order; `follows` what was said to follow from *news*; `unsure`
    what hung on something of which there is *news*; `forgotten` quotes nothing. *sure*: log odds that it is about
    what was asked; *odds*: that the news bears on it. *supposed*: what was only said to follow from something. *near*:
    what is quoted comes near to an answer, and is none.
    """

    kind: Literal["told", "follows", "unsure", "forgotten"]
    quoted: tuple[Utterance, ...] = ()
    news: Utterance | None = None
    sure: float = 0.0
    odds: float = 0.0
    supposed: tuple[str, ...] = ()
    near: bool = False
    several: bool = False


def recount(question: str, find: Find, near: Similarity | None, *, least: float = LEAST) -> Account | None:
    """
    What the owner told that answers *question*; None where nothing does with a score of *least*.

    *find* gives the messages that may bear on some words, in any order: it is asked for the question, and then for
    what the things hang on that it found.
    """
    told = dict.fromkeys(find(question))
    sought = {question}
    hearing = Hearing(list(told), near, least=least)
    several = parse_question(question).mode in ("history", "topic") or asks_for_several(question)
    for hop in range(HOPS):
        further = hearing.leading(question) if several and hop == 0 else []
        causes = [cause for cause in (*further, *hearing.causes(question)) if cause not in sought][:CAUSES_AT_MOST]
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
        self._least = least
        self._near = near
        told = sorted(tellings, key=lambda one: (one.when, one.path, one.start_line))
        every = [
            (Said(s.text, one, at, nth), s.asks or asks(s.text))
            for at, one in enumerate(told)
            for nth, s in enumerate(sentences_of(one.message))
        ]
        self._pleas = _pleas_among([one for one, _ in every])
        self._said = [one for one, is_asked in every if not is_asked and one not in self._pleas]
        self._plain = [one for one in self._said if not one.is_conditional and not one.is_supposed]
        self._relevance = Relevance(self._said, near)
        self._hinges = Hinges(self._said, self._relevance)
        self._threads = Threads(self._plain, self._relevance)
        self._heard: dict[tuple[str, int, frozenset[Utterance]], Account | None] = {}

    def hear(self, question: str, hops: int = HOPS, but: frozenset[Utterance] = frozenset()) -> Account | None:
        """What they answer, following what hangs on one another so many *hops*; what *but* tells is no answer."""
        key = (question, hops, but)
        if key not in self._heard:
            self._heard[key] = None  # a circle answers nothing
            scores, again = self._answers(question, but)
            found = self._hear(question, scores, again, hops, but)
            sure = max((scores[one] for one in again), default=0.0)
            supposed = tuple(one.text for one in self._said if one.is_conditional)
            if found and found.quoted:
                alone = found.kind == "told" and len(found.quoted) == 1
                nearly = alone and self._falls_short(question, found.quoted[0].message)
                found = replace(found, sure=sure, supposed=supposed, near=nearly)
            self._heard[key] = found
        return self._heard[key]

    def causes(self, question: str, hops: int = 1) -> list[str]:
        """The words for what the answer hangs on, and for what that hangs on."""
        scores, again = self._answers(question)
        if not again:
            return []
        near = self._hinges.about(again[-1], scores)[:CAUSES_AT_MOST]
        found = [cause for hinge, _ in near if families(cause := self._hinges.cause(hinge, again[-1]))]
        return found + [further for cause in found[:2] if hops for further in self.causes(cause, hops - 1)]

    def leading(self, question: str) -> list[str]:
        """The words of what would be told first of several things, or of the states of one."""
        return self._threads.leading(self._relevance.of(question))

    def _hear(
        self, question: str, scores: dict[Said, float], again: list[Said], hops: int, but: frozenset[Utterance]
    ) -> Account | None:
        if self._is_forgotten(question, again):
            return Account("forgotten")
        if not again:
            return None
        asked = parse_question(question)
        if asked.mode == "history":
            return self._several(question, scores, but)
        wants_all = asked.mode == "topic" or (asks_for_several(question) and asked.expects not in ("count", "length"))
        may_list = asked.mode == "topic" or (
            wanted(question).kind in ("any", "person", "place", "source") and not asks_for_one(question)
        )
        if may_list and self._are_listed(question, again, scores, but, wants_all=wants_all):
            return self._several(question, scores, but)
        turn = self._turned(question, again[-1], scores, hops, but)
        if (held := self._held(question, again[-1], scores, turn, hops, but)) is not None:
            return held
        if turn is not None:
            then = self._hinges.follows(turn, again[-1], scores)
            if then is not None:
                return Account("follows", (then,), turn.news, odds=turn.odds)
            return Account("unsure", (again[-1].alone(),), turn.news, odds=turn.odds)
        if may_list and (wants_all or (len(again) > 1 and again[-1].adds)):
            return self._several(question, scores, but)
        if len(again) > 1 and self._denies(again[-1], again[-2]):
            return Account("told", _tellings(again[-2:]))  # what it was that is not so
        return Account("told", (again[-1].alone(),))

    def _held(
        self,
        question: str,
        answer: Said,
        scores: dict[Said, float],
        turn: Turn | None,
        hops: int,
        but: frozenset[Utterance],
    ) -> Account | None:
        """Where what is asked was told for several cases: what was told for the one that holds."""
        for hinge, _ in self._hinges.about(answer, scores)[:CAUSES_AT_MOST]:
            cases = cases_of(hinge.message)
            if not cases:
                continue
            own = turn if turn is not None and turn.hinge == hinge else None
            became = None
            if hops:
                beyond = self.hear(condition_in(cases[-1].text), hops - 1, but | {hinge, answer.telling})
                surely = beyond is not None and beyond.sure >= 0 and beyond.odds >= SURELY_TURNED
                if surely and beyond is not None and beyond.kind == "follows" and beyond.news is not None:
                    own, became = Turn(beyond.odds, hinge, beyond.news), beyond.quoted[-1]
            held = self._hinges.case(hinge, question, own, became)
            if held is not None:
                told = (replace(hinge, message=held.case.text),)
                later = held.news.when > hinge.when
                return Account("follows", told, held.news, odds=held.odds) if later else Account("told", told)
        return None

    def _turned(
        self, question: str, answer: Said, scores: dict[Said, float], hops: int, but: frozenset[Utterance]
    ) -> Turn | None:
        """What became of *answer* by news of what it hangs on, or of what that hangs on; None where nothing did."""
        turns = [turn for turn in self._hinges.turns(question, answer, scores) if turn.odds >= TURNED]
        if turns:
            near = [turn for turn in turns if turn.odds >= turns[0].odds - RATHER]
            return next((turn for turn in near if self._hinges.follows(turn, answer, scores)), turns[0])
        for hinge, _ in self._hinges.about(answer, scores)[:CAUSES_AT_MOST] if hops else ():
            odds = self._hinges.if_changed(hinge, answer, scores)
            cause = self._hinges.cause(hinge, answer)
            if odds < TURNED or not families(cause):
                continue
            beyond = self.hear(cause, hops - 1, but | {hinge, answer.telling})
            since = max(hinge.when, answer.telling.when)
            if beyond is None or beyond.news is None or beyond.news.when <= since:
                continue
            if beyond.sure >= 0 and beyond.odds >= SURELY_TURNED:
                return Turn(min(odds, beyond.odds), hinge, beyond.news)
        return None

    # -- what is about it ---

    def _answers(self, question: str, but: frozenset[Utterance] = frozenset()) -> tuple[dict[Said, float], list[Said]]:
        """How surely each sentence speaks of what *question* asks, and those that tell it, in order."""
        scores = self._relevance.of(question)
        best = max((one for one in self._plain if one.telling not in but), key=lambda one: scores[one], default=None)
        if best is None or scores[best] < self._least:
            return scores, []
        if self._falls_short(question, best.text):
            least = max(self._least, scores[best] - STEP)
            rather = [one for one in self._plain if one.telling not in but and scores[one] >= least]
            rather = [one for one in rather if not self._falls_short(question, one.text)]
            best = max(rather, key=lambda one: scores[one], default=best)
        return scores, self._told_again(best, scores)

    def _falls_short(self, question: str, sentence: str) -> bool:
        return falls_short(question, sentence, self._near)

    def _told_again(self, best: Said, scores: dict[Said, float]) -> list[Said]:
        """*best* and what was told of the same before and after it, in order."""
        found = [best]
        for one in self._plain:
            if one.telling == best.telling or one.is_tie or one.is_of_others != best.is_of_others:
                continue
            near = self._relevance.alike(best.text, one.text) + (0.3 if _same_form(best, one) else 0.0)
            told_of = near >= AGAIN and scores[one] >= scores[best] - STEP
            takes_over = one.place > best.place and is_news(one.text) and self._takes_over(one, found)
            if told_of or takes_over or (one.place > best.place and self._denies(one, best)):
                found.append(one)
        return sorted(found, key=lambda one: one.order)

    def _denies(self, one: Said, told: Said) -> bool:
        """Whether *one* says that what was *told* is not so."""
        return _NOT.search(one.text) is not None and len(families(one.text) & families(told.text)) > 1

    def _takes_over(self, news: Said, before: Iterable[Said]) -> bool:
        return any(names(news.text) & names(one.text) and _same_form(one, news) for one in before)

    def _several(self, question: str, scores: dict[Said, float], but: frozenset[Utterance]) -> Account:
        return Account("told", threaded(self._threads.of(question, scores, but)), several=True)

    def _are_listed(
        self,
        question: str,
        again: Sequence[Said],
        scores: dict[Said, float],
        but: frozenset[Utterance],
        *,
        wants_all: bool,
    ) -> bool:
        """Whether it was told of one thing after another, as `too`, or that one is no more, or their number shows."""
        strands = self._threads.of(question, scores, but, least=FIRMLY if self._near else FIRMLY_BY_WORDS)
        tellings = len({one.said.telling for one in strands})
        if wants_all:
            return tellings > 2 or (tellings > 1 and strands[-1].joins)
        least = max(scores[one] for one in again) - NEARLY
        if tellings > 1 and any(one.joins and one.sure(scores) >= least for one in strands):
            return True
        surely = [one for one in self._threads.of(question, scores, but) if one.sure(scores) >= max(0.0, least)]
        return len({one.said.telling for one in surely}) > 1 and any(one.joins for one in surely)

    def _is_forgotten(self, question: str, again: Sequence[Said]) -> bool:
        """Whether it was asked to forget what is asked, or what would answer it, and it was not told again since."""
        asked = families(question)
        told = again[-1].text.removesuffix(after_tie(again[-1].text)) if again else ""
        held = families(clause_about(told, asked)) if told else frozenset()
        weight = self._relevance.weight
        if again and is_measured(again[-1].text):
            held |= {MEASURED, MONEY} if holds("amount", again[-1].text) > 0 else {MEASURED}
        for one, wishes in self._pleas.items():
            if again and again[-1].place > one.place:
                continue
            meant = [wish for wish in wishes if not wish.is_of_another_doing(question)]
            if any(wish.share(about, weight) >= GONE for wish in meant for about in (asked, held)):
                return True
        return False


def _pleas_among(said: Sequence[Said]) -> dict[Said, tuple[Wish, ...]]:
    """Those of *said* in which it is asked to forget something, or what that is stands, with the words for it."""
    found = {}
    for one in said:
        message = one.telling.message
        at = message.find(one.text)
        meant = [plea for plea in pleas(message) if plea.start < at + len(one.text) and at < plea.end]
        if meant and at >= 0:
            found[one] = tuple(map(Wish.of, meant))
    return found


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


def asks_for_one(question: str) -> bool:
    """Whether *question* asks which of several it is: `which floor is it on`, `what kind of strings has it`."""
    gaps = [clause.gap for clause in parse(question) if clause.gap is not None]
    return any(gap.noun is not None and gap.word == "which" and not _is_plural(gap.noun.text) for gap in gaps)


def _is_plural(phrase: str) -> bool:
    tags = tag(phrase.partition(" of ")[0])
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
    found = dict.fromkeys(one.alone() for one in sorted(said, key=lambda one: one.order))
    return tuple(found)
