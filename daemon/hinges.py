"""
Whether what was told hangs on something of which there is news.

A message may say on what a thing hangs, by a condition, a tie or a reason. Which message speaks of the thing, and which
news bears on what that message names, is weighed together. How much each sign counts was fitted to conversations of
our own making.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.relevance import Relevance
from daemon.spoken import (
    Said,
    Utterance,
    asks_for_work,
    cause_of,
    condition,
    families,
    is_left_open,
    is_news,
    names,
    unaltered,
)

FURTHER = 4.5  # how far from what was told a message may be in what it speaks of, and still be looked at
_BEFORE_ANY = -9.9  # before anything is known of them
_SURE_NEWS = 0.4 + 5.3 * 0.5 + 2.4 + 2.0
_LINKED = 0.3  # so much must news share with what a hinge names, where it names none of the same people
_NEAR = 0.35  # how near it must be in meaning, where it shares nothing
_ALIKE_BY_WORDS = 4.5  # what two messages' nearness in meaning, and that of news, would add, where it cannot be told
_TIE = 1.5  # what relevance takes off from a sentence that says on what something hangs
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


class Hinges:
    """The messages of *said* that may say on what something hangs, and what news there is of that."""

    def __init__(self, said: Sequence[Said], relevance: Relevance) -> None:
        self._relevance = relevance
        self._inside: dict[Utterance, list[Said]] = {}
        for one in said:
            self._inside.setdefault(one.telling, []).append(one)
        self._news = [one for one, inside in self._inside.items() if _may_be_news(inside)]
        self._may_tie = [
            hinge for hinge, inside in self._inside.items() if any(one.is_conditional or one.may_tie for one in inside)
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
            found += self._weighed(question, answer, hinge, of_hinge, news)
        return sorted(found, key=lambda turn: -turn.odds)

    def if_changed(self, hinge: Utterance, answer: Said, scores: dict[Said, float]) -> float:
        """The odds that *hinge* bears on *answer*, if what it names has surely changed."""
        nearness = next(found for one, found in self.about(answer, scores) if one == hinge)
        return self._of_hinge(answer, hinge, nearness, scores[answer]) + _SURE_NEWS

    def _weighed(
        self, question: str, answer: Said, hinge: Utterance, of_hinge: float, news: Sequence[Utterance]
    ) -> list[Turn]:
        """Each of *news* with the odds that it bears on *answer* by what *hinge* says."""
        own = "" if answer.telling == hinge and answer.may_tie else answer.text
        named = names(hinge.message) - names(question) - names(own)
        cause = self.cause(hinge, answer)
        keys = families(cause) - families(question) - families(own)
        found = []
        for one, meaning in zip(news, self._relevance.meaning(cause, [one.message for one in news]), strict=True):
            shared = self._relevance.weight(keys & families(one.message))
            linked = bool(named & names(one.message)) or shared >= _LINKED
            if not linked and meaning < _NEAR:
                continue
            odds = (
                of_hinge
                + 0.4 * min(1.5, shared)
                + 5.3 * meaning
                + 2.4 * is_news(one.message)
                + 2.0 * bool(_CHANGES.search(one.message))
                - 3.3 * (not linked)
            )
            found.append(Turn(odds, hinge, one))
        return found

    def _of_hinge(self, answer: Said, hinge: Utterance, nearness: float, best: float) -> float:
        """What *hinge* itself adds to the odds that news of what it names bears on *answer*."""
        return (
            _BEFORE_ANY
            + 0.83 * max(-4.0, nearness)
            + 0.88 * min(2.0, best)
            + 1.6 * any(one.is_conditional for one in self._inside[hinge])
            - 1.4 * (answer.telling == hinge)
            + self._alike(hinge.message, answer.text)
        )

    def _alike(self, hinge: str, answer: str) -> float:
        if self._relevance.knows_meaning:
            return 4.3 * self._relevance.meaning(hinge, [answer])[0]
        return _ALIKE_BY_WORDS

    def follows(self, turn: Turn, scores: dict[Said, float]) -> Utterance | None:
        """What the hinge of *turn* says to become so; of several the one asked for. None where it is left open."""
        told = [one for one in self._inside[turn.hinge] if one.is_conditional and not is_left_open(one.text)]
        its = families(turn.news.message)
        best = max(
            told,
            key=lambda one: scores[one] + 1.5 * self._relevance.weight(families(condition(one.text)) & its),
            default=None,
        )
        return best.alone() if best else None


def _may_be_news(inside: Sequence[Said]) -> bool:
    """Whether a message of these sentences tells that something of the speaker's changed, and supposes nothing."""
    message = inside[0].telling.message
    return (
        (is_news(message) or _CHANGES.search(message) is not None)
        and not inside[0].is_of_others
        and not asks_for_work(message)
        and not any(one.is_conditional or one.is_tie or one.is_supposed for one in inside)
    )
