"""
Whether what was told hangs on something of which there is news.

A message may say on what a thing hangs, by a condition, a tie or a reason. Which message speaks of the thing, and which
news bears on what that message names, is weighed together. How much each sign counts was fitted to conversations of
our own making.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.cases import Case, cases_of, condition_in, has_ended, holding, marked, other, outcome
from daemon.fulfilled import how_told, supposed
from daemon.relevance import Relevance
from daemon.spoken import (
    Said,
    Utterance,
    after_tie,
    asks_for_work,
    cause_of,
    condition,
    families,
    is_conditional,
    is_left_open,
    is_news,
    names,
    unaltered,
)

FURTHER = 4.5  # how far from what was told a message may be in what it speaks of, and still be looked at
_BEFORE_ANY = -8.25  # before anything is known of them
# Of a message that may say on what the answer hangs: how near it is, how well that answers, whether it supposes
# something, is the answer's own, and how near in meaning to that.
_NEARNESS, _ANSWERS, _SUPPOSES, _OWN, _MEANS_IT = 0.83, 0.62, 1.03, -1.75, 2.54
# Of news: what it shares with the cause, how near it is to that in meaning, whether it tells what became so, or an end
# or a beginning; and whether something was said to follow.
_SHARES, _MEANS, _BECAME, _CHANGED, _FOLLOWS = 1.04, 2.33, 1.96, 2.03, -0.41
# How far the news tells what was supposed: by words, by the parts of a clause, by meaning; and that it is not so, or so
# of another.
_TOLD_WORDS, _TOLD_PARTS, _TOLD_MEANING, _DENIED, _OF_ANOTHER = 1.09, 0.99, 2.49, -2.0, -2.5
_SURE_NEWS = _SHARES + 0.5 * _MEANS + _BECAME + _CHANGED + 0.5 * (_TOLD_WORDS + _TOLD_PARTS + _TOLD_MEANING)
_NAMED = 3.0  # the odds that what names a case, and no other, bears on which of them holds
_LINKED = 0.3  # so much must news share with what a hinge names, where it names none of the same people
_NEAR = 0.35  # how near it must be in meaning, where it shares nothing
_ALIKE_BY_WORDS = 3.5  # what two messages' nearness in meaning, and that of news, would add, where it cannot be told
_TIE = 1.5  # what relevance takes off from a sentence that says on what something hangs
# What somebody else said, word for word.
_REPORTED = re.compile(r"\b(?:told|tells|asked|asks|says?|said|wrote|writes|states?)\b[^.?!]{0,20}[\"“]", re.IGNORECASE)
_PRESENTLY = re.compile(r"\b(?:now|no longer|any ?(?:more|longer)|instead|these days|as of)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:now|nowadays|no longer|any ?more|instead|these days|replac\w*|succe(?:ed|ss)\w*|appoint\w*|elect\w*|"
    r"left|leaves|leaving|leave|quit\w*|retir\w*|resign\w*|mov(?:ed?|ing)|gone|went|goes|stop\w*|end(?:s|ed)?|drop\w*|ditch\w*|lost|"
    r"lapse\w*|switch\w*|chang\w*|sold|clos\w*|fold\w*|fail\w*|died|bail\w*|pack\w* in|step\w* (?:down|back|aside)|"
    r"stood down|stand\w* down|g[ai]ve\w* up|given up|fallen out|fell out|expire\w*|transfer\w*|terminat\w*|"
    r"tak(?:e|es|en|ing) (?:over|the place)|took over|becom\w*|became|hand\w* over|pass(?:ed|es) to|renew\w*|withdr\w*|"
    r"bust|insolven\w*|bankrupt|split|fir(?:ed|ing)|sack\w*|dismiss\w*|promot\w*|emigrat\w*|graduat\w*|cancel\w*|"
    r"finish\w*|done|out|off|over to|new|used to|former|ex)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Turn:
    """What *news* made of something: *odds* that it bears on what *hinge* says, as log odds."""

    odds: float
    hinge: Utterance
    news: Utterance


@dataclass(frozen=True)
class Held:
    """The *case* that holds, by what was told in *news*; *odds* that this bears on it."""

    case: Case
    news: Utterance
    odds: float


class Hinges:
    """The messages of *said* that may say on what something hangs, and what news there is of that."""

    def __init__(self, said: Sequence[Said], relevance: Relevance) -> None:
        self._relevance = relevance
        self._inside: dict[Utterance, list[Said]] = {}
        for one in said:
            self._inside.setdefault(one.telling, []).append(one)
        self._news = [one for one, inside in self._inside.items() if _may_be_news(inside)]
        self._may_tie = [
            hinge
            for hinge, inside in self._inside.items()
            if cases_of(hinge.message) or any(one.is_conditional or one.may_tie for one in inside)
        ]

    def about(self, answer: Said, scores: dict[Said, float]) -> list[tuple[Utterance, float]]:
        """The messages by which *answer* may hang on something, and how near they are to it; nearest first."""
        found = [
            (hinge, max(scores[one] + _TIE * one.is_tie for one in self._inside[hinge]) - scores[answer])
            for hinge in self._may_tie
        ]
        return sorted((one for one in found if one[1] >= -FURTHER), key=lambda one: -one[1])

    def cause(self, hinge: Utterance, answer: Said) -> str:
        """The words of *hinge* that may say on what *answer* hangs."""
        return unaltered(cause_of(self._inside[hinge], [answer])).strip()

    def turns(self, question: str, answer: Said, scores: dict[Said, float]) -> list[Turn]:
        """What news told since may have made of *answer*, the latest that was told of it; most surely so first."""
        found: list[Turn] = []
        fits = self._relevance.may_answer
        for hinge, nearness in self.about(answer, scores):
            then = [one.text for one in self._inside[hinge] if one.is_conditional and not is_left_open(one.text)]
            if (
                hinge != answer.telling
                and then
                and fits(question, answer.text)
                and not any(fits(question, it) for it in then)
            ):
                continue  # what is said to follow is of another kind
            since = max(answer.place, self._inside[hinge][0].place)
            news = [one for one in self._news if self._inside[one][0].place > since]
            of_hinge = self._of_hinge(answer, hinge, nearness, scores[answer])
            found += self._weighed(question, answer, scores, hinge, of_hinge, news)
        return sorted(found, key=lambda turn: -turn.odds)

    def if_changed(self, hinge: Utterance, answer: Said, scores: dict[Said, float]) -> float:
        """The odds that *hinge* bears on *answer*, if what it names has surely changed."""
        nearness = next(found for one, found in self.about(answer, scores) if one == hinge)
        return self._of_hinge(answer, hinge, nearness, scores[answer]) + _SURE_NEWS

    def _weighed(
        self,
        question: str,
        answer: Said,
        scores: dict[Said, float],
        hinge: Utterance,
        of_hinge: float,
        news: Sequence[Utterance],
    ) -> list[Turn]:
        """Each of *news* with the odds that it bears on *answer* by what *hinge* says."""
        own = "" if answer.telling == hinge and answer.may_tie else answer.text
        named = names(hinge.message) - names(question) - names(own)
        cause = self.cause(hinge, answer)
        keys = families(cause) - families(question) - families(own)
        hung = self._hung(hinge) - families(question) - families(own) or keys
        named |= self._known_by(hung, hinge) - names(question)
        found = []
        for one, meaning in zip(news, self._relevance.meaning(cause, [one.message for one in news]), strict=True):
            shared = self._relevance.weight(keys & families(one.message))
            linked = bool(named & names(one.message)) or shared >= _LINKED
            if (not linked and meaning < _NEAR) or _of_strangers(self._inside[one][0], hinge):
                continue
            then = self._said_to_follow(hinge, one, answer, scores)
            what = supposed(condition(then.text), hinge.message) if then else cause
            told_of = how_told(what, families(question), self._inside[one], self._relevance)
            odds = (
                of_hinge
                + _SHARES * min(1.5, shared)
                + _MEANS * meaning
                + _BECAME * is_news(one.message)
                + _CHANGED * bool(_CHANGES.search(one.message))
                + _FOLLOWS * (then is not None)
                + _TOLD_WORDS * told_of.words
                + _TOLD_PARTS * told_of.parts
                + _TOLD_MEANING * told_of.meaning
                + _DENIED * (then is not None and told_of.denied)
                + _OF_ANOTHER * (then is not None and told_of.of_another)
            )
            found.append(Turn(odds, hinge, one))
        return found

    def _hung(self, hinge: Utterance) -> frozenset[str]:
        """The families of words in *hinge* that say on what something hangs, without the rest of what it tells."""
        inside = self._inside[hinge]
        when = [condition(one.text) if one.is_conditional else after_tie(one.text) for one in inside]
        return frozenset[str]().union(*(families(unaltered(text)) for text in when))

    def _known_by(self, hung: frozenset[str], hinge: Utterance) -> frozenset[str]:
        """The names that what something hangs on had when *hinge* was told."""
        least, since = 0.5 * self._relevance.weight(hung), self._inside[hinge][0].place
        told = (one for inside in self._inside.values() for one in inside if one.place <= since)
        return frozenset[str]().union(
            *(names(one.text) for one in told if self._relevance.weight(hung & families(one.text)) >= max(0.3, least))
        )

    def _of_hinge(self, answer: Said, hinge: Utterance, nearness: float, best: float) -> float:
        """What *hinge* itself adds to the odds that news of what it names bears on *answer*."""
        return (
            _BEFORE_ANY
            + _NEARNESS * max(-4.0, nearness)
            + _ANSWERS * min(2.0, best)
            + _SUPPOSES * any(one.is_conditional for one in self._inside[hinge])
            + _OWN * (answer.telling == hinge)
            + self._alike(hinge.message, answer.text)
        )

    def _alike(self, hinge: str, answer: str) -> float:
        if self._relevance.knows_meaning:
            return _MEANS_IT * self._relevance.meaning(hinge, [answer])[0]
        return _ALIKE_BY_WORDS

    def case(self, hinge: Utterance, question: str, turn: Turn | None, became: Utterance | None) -> Held | None:
        """
        Where *hinge* tells of several cases what is asked: the one that holds. By what *became* of what they hang on,
        where that is known; else by what was told of them last, or by the *turn* that is known to bear on it.
        """
        cases = [case for case in cases_of(hinge.message) if not is_left_open(case.text)]
        cases = [case for case in cases if not case.is_named or self._relevance.may_answer(question, case.text)]
        around = " ".join(one.text for one in self._inside[hinge] if not any(one.text in case.text for case in cases))
        if len(cases) < 2 or not _asks_what_follows(cases, around, families(question)):
            return None
        if became is not None and turn is not None:
            held = holding(cases, became.message)
            known = held is not None and held.is_named and not held.goes_on
            return Held(held, turn.news, turn.odds) if held is not None and known else None
        held, by = self._told_last(cases, hinge)
        rest = other(cases)
        news = by.telling if by is not None else None
        odds = _NAMED
        is_later = turn is not None and (news is None or turn.news.when > news.when)
        if turn is not None and rest is not None and is_later and self._bears_on(turn.news, rest, hinge):
            held, news, odds = None, turn.news, turn.odds
        held = held or rest
        if held is None or news is None or not held.is_named or held.goes_on:
            return None
        if news.when <= hinge.when and is_conditional(held.text):
            return None
        return Held(held, news, odds)

    def _bears_on(self, news: Utterance, rest: Case, hinge: Utterance) -> bool:
        """Whether *news* names what *rest* says it hangs on, or who else in *hinge* it was before."""
        weight = self._relevance.weight
        keys = families(unaltered(condition_in(rest.text)))
        shared = weight(keys & families(news.message))
        return bool(names(hinge.message) & names(news.message)) or shared >= max(_LINKED, 0.5 * weight(keys))

    def _tells_another(self, one: Said, hinge: Utterance) -> bool:
        """Whether *one* is news since *hinge* that names somebody or something of which that does not speak."""
        since = one.place > self._inside[hinge][0].place
        return since and is_news(one.text) and bool(names(one.text) - names(hinge.message))

    def _told_last(self, cases: Sequence[Case], hinge: Utterance) -> tuple[Case | None, Said | None]:
        """The one of *cases* that was told last to hold, or None where it was told to hold no more; and by what."""
        held: Case | None = None
        by: Said | None = None
        for inside in self._inside.values():
            for one in inside:
                if one.is_conditional or one.is_supposed or _of_strangers(one, hinge):
                    continue
                if any(one.text in case.text or case.text in one.text for case in cases):
                    continue
                case = holding(cases, one.text)
                if case is None or (one.telling != hinge and cases_of(one.telling.message)):
                    continue
                if not has_ended(one.text) and not self._tells_another(one, hinge):
                    held, by = case, one
                elif held is None or case == held:
                    held, by = None, one
        return held, by

    def follows(self, turn: Turn, answer: Said, scores: dict[Said, float]) -> Utterance | None:
        """
        What the hinge of *turn* says to become so instead of *answer*; of several the one asked for. None where it is
        left open.
        """
        then = self._said_to_follow(turn.hinge, turn.news, answer, scores)
        return then.alone() if then else None

    def _said_to_follow(
        self, hinge: Utterance, news: Utterance, answer: Said, scores: dict[Said, float]
    ) -> Said | None:
        found = [one for one in self._inside[hinge] if one.is_conditional and not is_left_open(one.text)]
        its = families(news.message)
        was = marked(answer.text) - its
        found = [one for one in found if not was & marked(outcome(one.text))] or found
        weight = self._relevance.weight
        return max(found, key=lambda one: scores[one] + 1.5 * weight(families(condition(one.text)) & its), default=None)


def _of_strangers(one: Said, hinge: Utterance) -> bool:
    """Whether *one* tells of others, and *hinge* of none of these."""
    return one.is_of_others and not families(one.others) & families(hinge.message)


def _may_be_news(inside: Sequence[Said]) -> bool:
    """Whether a message of these sentences tells that something of the speaker's changed, and supposes nothing."""
    message = inside[0].telling.message
    return (
        (is_news(message) or _CHANGES.search(message) is not None)
        and _REPORTED.search(message) is None
        and not asks_for_work(message)
        and (_PRESENTLY.search(message) is not None or not cases_of(message))
        and not any(one.is_conditional or one.is_tie or one.is_supposed for one in inside)
    )


def _asks_what_follows(cases: Sequence[Case], around: str, asked: frozenset[str]) -> bool:
    """Whether what is *asked* is what *cases* say to follow, or is told *around* them, rather than which one holds."""
    then = families(around).union(*(families(outcome(case.text)) for case in cases))
    when = frozenset[str]().union(*(families(case.text) for case in cases)) - then
    return len(asked & then) > len(asked & when) or not asked & when
