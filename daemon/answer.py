"""
Facts -> a direct answer with its sources. No model, no clock.

Three ways of not knowing are kept apart: a fact that became uncertain (since when and why), one that was to be
forgotten, and nothing known, for which there is no reply.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from daemon.agreement import Agreement, agreement, says
from daemon.doers import is_where_another_is, tells_of_another
from daemon.questions import Question, is_question, items_of, parse_question
from daemon.replies import (
    Meant,
    Reply,
    everything,
    joined,
    reply_of,
    sentence_of,
    told_in_time,
    told_nearby,
    told_now,
    told_of_all,
)
from daemon.shortfalls import is_of_another_thing
from memory_store.facts import Fact
from memory_store.grammar import content
from memory_store.ledger import Ledger
from memory_store.names import EQUAL, Similarity, blend, likeness, meanings
from memory_store.openly import MEASURED
from memory_store.phrases import core, overlap, stems
from memory_store.verbs import is_role, is_verbal

LEAST = 0.42  # below this score no attribute is taken for the one asked after
LEAST_IF_CLEAR = 0.28  # the same where the best is better by CLEAR than the next
CLEAR = 0.09
LEAST_BY_WORDS = 0.62  # the same where only words can be compared
NEAR = 12  # so many of the best may be the one asked after
AS_SAID = 0.9  # the score of a fact that, read as a clause, says just what the question asks
KEPT_WORDS = 0.3  # what a text gains where a question asks for something word for word
_OF_THE_OWNER = re.compile(
    r"(?:(?:hi|hey|so|ok|okay|and|please|now|well)[\s,]+)*(?:(?:can|could) you (?:please )?)?(?:"
    r"what(?: all| else)? (?:do|did|can) you (?:already |currently )?(?:know|remember|recall|have)"
    r"(?: stored| saved| noted| written down)?(?:,? (?:about|on|of) (?:me|us|myself|ourselves))?"
    r"|(?:tell|show|give|list)(?: me| us)? (?:everything|all|all that|what|anything|whatever)(?: that)?"
    r"(?: you (?:know|remember|have|recall)(?: stored)?)? (?:about|on|of) (?:me|us|myself|ourselves)"
    r"|what have (?:i|we) (?:already )?told you(?: about (?:me|us|myself|ourselves))?"
    r")(?: so far| by now| now| already)?\W*",
    re.IGNORECASE,
)


def answer(
    question: str,
    ledger: Ledger,
    *,
    today: str,
    similarity: Similarity | None = None,
    fits: Callable[[str], bool] = lambda _attribute: True,
) -> Reply | None:
    """
    The answer of *ledger* alone to *question*; None where that is no question or nothing known answers it.

    Only an attribute that *fits* is given; it is asked of those that come near.
    """
    del today
    if _OF_THE_OWNER.fullmatch(re.sub(r"\s+", " ", question.strip())):
        return everything(ledger, shared=bool(re.search(r"\b(?:we|us|our|ourselves)\b", question, re.IGNORECASE)))
    if not is_question(question):
        return None
    if (somebody := _who_is(question, ledger)) is not None:
        return somebody
    asked = parse_question(question)
    ranked = _rank(asked, ledger, similarity)
    ranked = [one for one in (ranked if asked.mode == "topic" else ranked[:NEAR]) if fits(one.attribute)]
    if not ranked:
        return None
    items = [
        found
        for one in (items_of(question) if asked.mode in ("topic", "now") else ())
        if (found := _one_of_several(one, ledger, similarity)) is not None and fits(found.attribute)
    ]
    if asked.mode == "topic" or len(items) > 1:
        first = {one.attribute: one for one in items}
        rest = ranked if asked.mode == "topic" else []
        return told_of_all([*first.values(), *(one for one in rest if one.attribute not in first)], ledger)
    best, agreed = _meant(question, ranked, ledger, similarity)
    if best is None:
        return None
    if agreed.verdict == "near":
        return replace(told_nearby(best, ledger), lacks=agreed.lacks)
    if asked.mode in ("history", "previous"):
        return told_in_time(asked, best, ledger)
    reply = told_now(best, ledger)
    for twin in ranked[1:3]:
        # the same words said of me and of us
        if (
            twin.attribute != best.attribute
            and best.score - twin.score < CLEAR
            and twin.attribute.removeprefix("we ") == best.attribute.removeprefix("we ")
        ):
            reply = joined(reply, told_now(twin, ledger))
    return reply


# -- which attribute ---


def _meant(
    question: str, ranked: Sequence[Meant], ledger: Ledger, similarity: Similarity | None
) -> tuple[Meant | None, Agreement]:
    """The attribute that *question* asks for: the first that agrees with it, or, failing that, one near it; or None."""
    margin = ranked[0].score - ranked[1].score if len(ranked) > 1 else ranked[0].score
    least = LEAST_BY_WORDS if similarity is None else LEAST if margin < CLEAR else LEAST_IF_CLEAR
    near: Meant | None = None
    apart = Agreement("near")
    for place, one in enumerate(ranked):
        if one.score < LEAST_IF_CLEAR:
            break
        facts = ledger.current(one.attribute) or ledger.timeline(one.attribute)
        if facts[0].value and is_where_another_is(question, sentence_of(facts[0].attribute, [facts[0].value])):
            continue
        agreed = agreement(question, facts[0], ledger, None if place else similarity)
        if agreed.verdict in ("sure", "far") and _is_of_another(question, facts[0], similarity):
            agreed = Agreement("near", agreed.lacks)
        enough = one.score >= (LEAST if place and similarity is not None else least)
        if enough and (agreed.verdict == "sure" or (agreed.verdict == "far" and place == 0)):
            return one, agreed
        if agreed.verdict == "near" and near is None:
            near, apart = one, agreed
    return near, apart


def _is_of_another(question: str, fact: Fact, similarity: Similarity | None) -> bool:
    """Whether *fact*, read as a sentence, is of somebody else, or of another thing of the sort, than *question*."""
    if parse_question(question).mode != "now" or not fact.value or fact.state != "known":
        return False
    told = _YOUR.sub("my", sentence_of(fact.attribute, [fact.value]))
    return tells_of_another(question, told) or is_of_another_thing(question, told, similarity)


_YOUR = re.compile(r"\byour\b", re.IGNORECASE)


def named(phrase: str, ledger: Ledger, similarity: Similarity | None = None) -> str | None:
    """The attribute that *phrase*, a name or a clause of it, means; None where none or another is as likely."""
    asked = parse_question(f"What is {phrase.strip(' ?.!')}?")
    about = frozenset(stems(phrase))
    for one in _rank(asked, ledger, similarity)[:NEAR]:
        its = core(one.attribute)
        if one.score >= LEAST_IF_CLEAR and (its <= about or (one.score >= LEAST and its & about)):
            return one.attribute
    return None


def _rank(asked: Question, ledger: Ledger, similarity: Similarity | None) -> list[Meant]:
    attributes = list(ledger.attributes())
    if not attributes:
        return []
    heads = [ledger.current(a)[0] for a in attributes]
    words = np.array(
        [max(_worded(name, attribute) for name in asked.names or (asked.about,)) for attribute in attributes]
    )
    score = words
    if similarity is not None:
        phrases = list(dict.fromkeys((asked.about, *asked.names[:2])))
        near = meanings(similarity, phrases, [(f.attribute, f.value or f.was or "") for f in heads])
        meant = 0.5 * near.max(axis=0) + 0.5 * near[0]
        by_verb = np.array([is_verbal(f.attribute) or is_role(f.attribute) for f in heads])
        score = np.where(by_verb, np.maximum(blend(words, meant), 0.8 * meant), blend(words, meant))
        score = np.maximum(score, np.where(words >= EQUAL, words, 0.0))
    score = score + np.array([_fits(asked, f) for f in heads])
    if asked.mode == "verbatim":
        # what is to be said word for word is a text
        score = score + np.array([KEPT_WORDS if _is_text(f.value) else 0.0 for f in heads])
    if asked.mode == "topic":
        # of our facts when asked of us, of mine when asked of me
        ours = np.array([f.path.endswith("Us.md") for f in heads])
        score = score + np.where(ours == asked.shared, 0.2, 0.0)
    score = score - np.where((words < 0.8) & np.array([f.state == "forgotten" for f in heads]), 0.15, 0.0)
    if asked.mode != "topic":
        about = content(asked.text)
        for i, fact in enumerate(heads):
            if score[i] < AS_SAID and about & content(fact.attribute):
                score[i] = max(score[i], AS_SAID * says(asked.text, fact))
    order = np.argsort(-score, kind="stable")
    return [Meant(attributes[int(i)], float(score[int(i)])) for i in order]


def _one_of_several(question: str, ledger: Ledger, similarity: Similarity | None) -> Meant | None:
    """The attribute that one of several things asked for means; it stands first among what is told of them."""
    ranked = _rank(parse_question(question), ledger, similarity)
    best = ranked[0] if ranked else None
    return best if best is not None and best.score >= (LEAST_BY_WORDS if similarity is None else LEAST) else None


def _worded(name: str, attribute: str) -> float:
    """Likeness of words; an attribute of several words that are all in the question counts for more."""
    best = likeness(name, attribute)
    mine, its = core(name), core(attribute)
    if its and mine:
        hits, _ = overlap(its, mine)
        if hits == len(its) and len(its) > 1:
            best = max(best, 0.8)
    return best


_PERSON = re.compile(r"^(?:(?:CEO|CTO|VP|Dr\.?|Prof\.?|Mr\.?|Ms\.?|Mrs\.?)\s)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’.-]*){0,3}$")
_TIME = re.compile(
    r"\d{1,2}(?::\d\d)?\s?(?:am|pm)\b|\b\w+day\b|\b(?:19|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|morning|evening|noon|midnight|weekly|monthly|daily)\b|\d:\d\d",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"\d.*\b(?:min|minutes?|hours?|h|days?|weeks?|months?|years?|km|miles?|s|seconds?)\b|\b(?:hour|minute|day|week)s?\b",
    re.IGNORECASE,
)


def _fits(asked: Question, fact: Fact) -> float:
    """A little more for a value of the kind asked for, a little less for one of another kind."""
    value = fact.value or fact.was or ""
    if not value:
        return 0.0
    if asked.expects == "person":
        return 0.05 if _PERSON.match(value) else -0.05 if re.search(r"\d|[/#@]", value) else 0.0
    if asked.expects == "time":
        return 0.05 if _TIME.search(value) or MEASURED.search(value) else -0.05
    if asked.expects in ("length", "count"):
        return 0.05 if _LENGTH.search(value) or (asked.expects == "count" and re.search(r"\d", value)) else -0.05
    if asked.expects == "place":
        if _TIME.search(value) or MEASURED.search(value):
            return -0.05
        return 0.03 if re.search(r"[A-Z/]|\.\w", value) else -0.03
    return 0.0


def _is_text(value: str | None) -> bool:
    """Whether *value* is rather a sentence kept word for word than the name of anything."""
    return value is not None and len(value.split()) >= 6


_WHO_IS = re.compile(r"\W*(?:who|what)(?:['’]s|\s+(?:is|was))\s+(?P<who>[A-Z][\w’'-]*(?:\s[A-Z][\w’'-]*){0,3})\W*$")


def _who_is(question: str, ledger: Ledger) -> Reply | None:
    """What somebody or something that *question* names is to the owner."""
    m = _WHO_IS.match(question) or _WHO_IS.match(question[:1].lower() + question[1:])
    if m is None or ledger.current(m["who"]):
        return None
    facts = [
        fact
        for fact in ledger.facts()
        if fact.state == "known" and re.fullmatch(rf"(?:the )?{re.escape(m['who'])}", fact.value or "", re.IGNORECASE)
    ]
    if not facts:
        return None
    text = " ".join(sentence_of(fact.attribute, [fact.value or ""]) for fact in facts[:3])
    return reply_of(text, "fact", facts[:3], Meant(facts[0].attribute, 1.0))
