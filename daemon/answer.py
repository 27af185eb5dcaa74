"""
Facts -> a direct answer with its sources. No model, no clock.

Three ways of not knowing are kept apart: a fact that became uncertain (since when and why), one that was to be
forgotten, and nothing known, for which there is no reply.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from daemon.agreement import Agreement, agreement, says
from daemon.questions import Question, is_question, items_of, parse_question
from daemon.wire import AnswerKind, Source
from memory_store.facts import Fact
from memory_store.grammar import content
from memory_store.ledger import Ledger
from memory_store.names import EQUAL, Similarity, blend, likeness, meanings
from memory_store.openly import MEASURED
from memory_store.phrases import MAX_VALUE_WORDS, core, overlap, stems
from memory_store.verbs import is_role, is_verbal, sentence, to_you, within, your

LEAST = 0.42  # below this score no attribute is taken for the one asked after
LEAST_IF_CLEAR = 0.28  # the same where the best is better by CLEAR than the next
CLEAR = 0.09
LEAST_BY_WORDS = 0.62  # the same where only words can be compared
TOPIC_FACTS = 16
TOPIC_LEAST = 12  # so many are listed even where they are rather far from the topic
LONG = 50  # characters; longer values, such as quotations, are not listed beside others
TOPIC_CHARACTERS = 396
NEAR = 12  # so many of the best may be the one asked after
AS_SAID = 0.9  # the score of a fact that, read as a clause, says just what the question asks
KEPT_WORDS = 0.3  # what a text gains where a question asks for something word for word
EVERYTHING_AT_MOST = 40  # facts in one reply
UNKNOWN = "I don't know that."
NEARBY = "What I know near it:"
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


@dataclass(frozen=True)
class Reply:
    """
    A plain answer. *kind*: fact, unsure, forgotten, or near: no answer, but what is known near it.

    *confidence* in [0, 1]: how surely the question meant these *attributes*. *sources* name the lines it was read
    from, and the rule behind a value that followed from one. *lacks*: stems of the question of which what is near tells
    nothing. *unanswered*: those of several questions to which nothing was found.
    """

    text: str
    kind: AnswerKind
    sources: tuple[Source, ...]
    confidence: float
    attributes: tuple[str, ...]
    lacks: frozenset[str] = frozenset()
    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Ranked:
    attribute: str
    score: float


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
        return _everything(ledger, shared=bool(re.search(r"\b(?:we|us|our|ourselves)\b", question, re.IGNORECASE)))
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
        return _topic([*first.values(), *(one for one in rest if one.attribute not in first)], ledger)
    best, agreed = _meant(question, ranked, ledger, similarity)
    if best is None:
        return None
    if agreed.verdict == "near":
        return replace(_nearby(best, ledger), lacks=agreed.lacks)
    if asked.mode in ("history", "previous"):
        return _history(asked, best, ledger)
    reply = _now(best, ledger)
    for twin in ranked[1:3]:
        # the same words said of me and of us
        if (
            twin.attribute != best.attribute
            and best.score - twin.score < CLEAR
            and twin.attribute.removeprefix("we ") == best.attribute.removeprefix("we ")
        ):
            reply = _joined(reply, _now(twin, ledger))
    return reply


# -- which attribute ---


def _meant(
    question: str, ranked: Sequence[_Ranked], ledger: Ledger, similarity: Similarity | None
) -> tuple[_Ranked | None, Agreement]:
    """The attribute that *question* asks for: the first that agrees with it, or, failing that, one near it; or None."""
    margin = ranked[0].score - ranked[1].score if len(ranked) > 1 else ranked[0].score
    least = LEAST_BY_WORDS if similarity is None else LEAST if margin < CLEAR else LEAST_IF_CLEAR
    near: _Ranked | None = None
    apart = Agreement("near")
    for place, one in enumerate(ranked):
        if one.score < LEAST_IF_CLEAR:
            break
        facts = ledger.current(one.attribute) or ledger.timeline(one.attribute)
        agreed = agreement(question, facts[0], ledger, None if place else similarity)
        enough = one.score >= (LEAST if place and similarity is not None else least)
        if enough and (agreed.verdict == "sure" or (agreed.verdict == "far" and place == 0)):
            return one, agreed
        if agreed.verdict == "near" and near is None:
            near, apart = one, agreed
    return near, apart


def named(phrase: str, ledger: Ledger, similarity: Similarity | None = None) -> str | None:
    """The attribute that *phrase*, a name or a clause of it, means; None where none or another is as likely."""
    asked = parse_question(f"What is {phrase.strip(' ?.!')}?")
    about = frozenset(stems(phrase))
    for one in _rank(asked, ledger, similarity)[:NEAR]:
        its = core(one.attribute)
        if one.score >= LEAST_IF_CLEAR and (its <= about or (one.score >= LEAST and its & about)):
            return one.attribute
    return None


def _rank(asked: Question, ledger: Ledger, similarity: Similarity | None) -> list[_Ranked]:
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
    return [_Ranked(attributes[int(i)], float(score[int(i)])) for i in order]


def _one_of_several(question: str, ledger: Ledger, similarity: Similarity | None) -> _Ranked | None:
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


def _is_exact(value: str) -> bool:
    """Whether *value* has the form of words that were to be kept as they are."""
    return "\n" in value or value.endswith((".", "!", "?")) or len(value.split()) > MAX_VALUE_WORDS


def _is_text(value: str | None) -> bool:
    """Whether *value* is rather a sentence kept word for word than the name of anything."""
    return value is not None and len(value.split()) >= 6


# -- what to say ---


def _now(best: _Ranked, ledger: Ledger) -> Reply:
    facts = ledger.current(best.attribute)
    known = [f for f in facts if f.state == "known" and f.value is not None]
    if known:
        text = _sentence(known[0].attribute, [f.value or "" for f in known])
        if known[0].since and _SEEN_FROM_A_DAY.search(known[0].value or ""):
            text = f"{text.removesuffix('.')} (told on {known[0].since})."
        return _reply(text, "fact", known, best)
    unsure = [f for f in facts if f.state == "unsure"]
    if unsure:
        return _reply(doubt(unsure[0]), "unsure", unsure, best)
    fact = facts[0]
    since = f" on {fact.since}" if fact.since else ""
    return _reply(f"You asked me to forget {your(fact.attribute)}{since}.", "forgotten", facts, best)


# `tomorrow` is another day by the time it is asked for
_SEEN_FROM_A_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|coming) (?:week|weekend|month|year|\w+day|spring|"
    r"summer|autumn|winter)|in (?:a|two|three|four|\d+) (?:days?|weeks?|months?))\b",
    re.IGNORECASE,
)


def _nearby(best: _Ranked, ledger: Ledger) -> Reply:
    """What is known near what was asked, said to be no more than that."""
    told = _now(best, ledger)
    if told.kind == "forgotten":
        return told  # what it was is not known, so neither whether it would have answered
    text = told.text if told.kind != "fact" else f"{NEARBY} {within(told.text)}"
    return replace(told, text=f"{UNKNOWN} {text}", kind="near")


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
    text = " ".join(_sentence(fact.attribute, [fact.value or ""]) for fact in facts[:3])
    return _reply(text, "fact", facts[:3], _Ranked(facts[0].attribute, 1.0))


def _joined(one: Reply, other: Reply) -> Reply:
    kind: AnswerKind = (
        one.kind if one.kind == other.kind else "unsure" if "unsure" in (one.kind, other.kind) else "fact"
    )
    return Reply(
        f"{one.text} {other.text}",
        kind,
        (*one.sources, *other.sources),
        one.confidence,
        (*one.attributes, *other.attributes),
    )


def doubt(fact: Fact) -> str:
    """That *fact* is no longer sure, and why, where that is known."""
    was = f": {_was(fact)}" if fact.was else f" about {your(fact.attribute)}"
    why = _because(fact)
    joint = ", but " if fact.was else ", because "
    return (
        f"I'm not sure any more{was}{joint}{why}."
        if why
        else f"I'm not sure any more{was}, and that may no longer hold."
    )


def _was(fact: Fact) -> str:
    """What *fact* told, as what was so, or is still, to stand within a sentence."""
    past = fact.until is not None or fact.state != "known"
    return within(sentence(fact.attribute, to_you(fact.value or fact.was or ""), past=past))


def _because(fact: Fact) -> str:
    on = f" on {fact.since}" if fact.since else ""
    if fact.cause and (m := re.match(r"^(?:\[\[.*?\]\]\s*)?\[(?P<a>.+?)\]\s*(?P<what>.*)$", fact.cause)):
        what = m["what"].strip() or "changed"
        what = {"unsure": "became uncertain", "forgotten": "was to be forgotten"}.get(what, what)
        return f"{your(m['a'])} {what}{on}"
    if fact.cause:
        return f"you told me{on}: “{fact.cause.rstrip('.')}”"
    return f"that changed{on}" if on else ""


def _history(asked: Question, best: _Ranked, ledger: Ledger) -> Reply:
    timeline = ledger.timeline(best.attribute)
    valued = [f for f in timeline if f.value]
    if not valued:
        return _now(best, ledger)
    if (beside := asked.before or asked.after) is not None:
        near = _beside(valued, beside, later=asked.after is not None)
        if near is None:
            return (
                _now(best, ledger)
                if asked.after is not None or not _holds(valued, beside)
                else _none_before(valued[0], beside, best)
            )
        when = f" (until {near.until})" if near.until else ""
        word = "Before" if asked.before else "After"
        return _reply(f"{word} {beside}, {_was(near)}{when}.", "fact", (near,), best)
    if asked.mode == "previous":
        past = [f for f in valued if f.until] or []
        if past:
            last = past[-1]
            until = f" (until {last.until})" if last.until else ""
            return _reply(f"Before, {_was(last)}{until}.", "fact", past[-1:], best)
        now = _now(best, ledger)
        if now.kind != "fact" or not _EARLIER.search(asked.text):
            return now
        return replace(now, text=f"I know of none before. {now.text}", kind="near")
    if len(valued) == 1 and ledger.current(best.attribute)[0].state == "known":
        return _now(best, ledger)
    told = ", then ".join(f"{f.value}" + (f" (since {f.since})" if f.since and len(valued) < 5 else "") for f in valued)
    open_end = ""
    current = ledger.current(best.attribute)
    if current and current[0].state == "unsure":
        open_end = f"; since {current[0].since} I'm not sure" if current[0].since else "; now I'm not sure"
    return _reply(f"{your(valued[-1].attribute, capital=True)}, oldest first: {told}{open_end}.", "fact", valued, best)


_EARLIER = re.compile(r"\b(?:before|previous(?:ly)?|former(?:ly)?|prior|earlier|used to)\b", re.IGNORECASE)


def _holds(valued: Sequence[Fact], value: str) -> bool:
    return any(_is_of(f, value) for f in valued)


def _is_of(fact: Fact, value: str) -> bool:
    held = f" {(fact.value or '').casefold()} "
    return f" {value.casefold()} " in held or f" {value.casefold().removeprefix('the ')} " in held


def _beside(valued: Sequence[Fact], value: str, *, later: bool) -> Fact | None:
    """The value right before (*later*: right after) the last that is *value*; None where there is none."""
    places = [i for i, f in enumerate(valued) if _is_of(f, value)]
    if not places:
        return None
    place = places[-1] + (1 if later else -1)
    return valued[place] if 0 <= place < len(valued) else None


def _none_before(first: Fact, value: str, best: _Ranked) -> Reply:
    return _reply(
        f"I know of none before {value}: {_was(first)} from the first.",
        "fact",
        (first,),
        best,
    )


def _topic(ranked: Sequence[_Ranked], ledger: Ledger) -> Reply | None:
    """Everything near the topic, best first, as short lines; what was forgotten is left out."""
    top = ranked[0].score
    if top < 0.12:
        return None
    picked: list[Fact] = []
    lines: list[str] = []
    names: list[str] = []
    doubts = False
    for entry in ranked[:TOPIC_FACTS]:
        if entry.score < 0.3 * top and len(lines) >= TOPIC_LEAST:
            break
        facts = ledger.current(entry.attribute)
        values = [f.value for f in facts if f.value and f.state == "known"]
        if values:
            if len(values[0]) > LONG and entry.score < 0.6:
                continue
            line = f"{facts[0].attribute.removeprefix('we ')}: {', '.join(values)}"
        elif facts and facts[0].state == "unsure":
            line = f"{facts[0].attribute}: not sure" + (f" (was {facts[0].was})" if facts[0].was else "")
            doubts = True
        else:
            continue
        if lines and sum(map(len, lines)) + len(line) > TOPIC_CHARACTERS:
            break
        lines.append(line)
        names.append(entry.attribute)
        picked += facts
    if not lines:
        return None
    kind: AnswerKind = "unsure" if doubts and len(lines) == 1 else "fact"
    return Reply("; ".join(lines) + ".", kind, _sources(picked), min(top, 1.0), tuple(names))


def _everything(ledger: Ledger, *, shared: bool) -> Reply | None:
    """All that is known of the owner, a fact a line, what is *shared* first where it was asked for."""
    told: list[tuple[int, str, str, tuple[Fact, ...]]] = []
    for attribute in ledger.attributes():
        facts = ledger.current(attribute)
        values = [f.value.splitlines()[0] for f in facts if f.value and f.state == "known"]
        place = {"Me.md": 0, "Us.md": -1 if shared else 1}.get(facts[0].path.rpartition("/")[2], 2)
        if values:
            told.append((place, _sentence(facts[0].attribute, values), attribute, facts))
        elif facts[0].state == "unsure":
            told.append((place, doubt(facts[0]), attribute, facts))
    if not told:
        return None
    told.sort(key=lambda entry: entry[0])
    shown = told[:EVERYTHING_AT_MOST]
    lines = [line for _, line, _, _ in shown]
    if len(told) > len(shown):
        lines.append(f"And {len(told) - len(shown)} more, on your pages below facts/.")
    return Reply(
        "\n".join(lines),
        "fact",
        _sources([fact for *_, facts in shown for fact in facts]),
        1.0,
        tuple(attribute for _, _, attribute, _ in shown),
    )


def _reply(text: str, kind: AnswerKind, facts: Sequence[Fact], best: _Ranked) -> Reply:
    return Reply(text, kind, _sources(facts), min(best.score, 1.0), (best.attribute,))


def _sources(facts: Sequence[Fact]) -> tuple[Source, ...]:
    return tuple(map(source_of, facts))


def source_of(fact: Fact) -> Source:
    """The line of *fact*."""
    return Source(
        path=fact.path,
        start_line=fact.line,
        end_line=max(fact.end_line, fact.line),
        text=f"[{fact.attribute}] {fact.value or ('?' if fact.state == 'unsure' else '(forgotten)')}",
        rule=fact.cause,
    )


def _sentence(attribute: str, values: Sequence[str]) -> str:
    value = " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
    text = sentence(attribute, value if _is_exact(value) else to_you(value))
    if "\n" in value and text.endswith(value):
        # several lines, kept word for word, stand on lines of their own
        return f"{text.removesuffix(value).strip().removesuffix(' is').removesuffix(' are')}:\n{value}"
    return text if text.endswith((".", "!", "?")) else text + "."
