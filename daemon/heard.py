"""
The owner's own sentences beside the facts: which of the two answers a question, and how what was told is said.

Facts answer where they can. What was told overrules one where it was asked to forget it, or where it hung on something
that changed and the ledger followed no rule from it; and it tells more where several things were asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from daemon import speech
from daemon.account import LEAST, Account, Find, asks_for_several, recount
from daemon.context import Passage
from daemon.questions import is_question, parse_question
from daemon.replies import Reply
from daemon.shortfalls import falls_short, lacks_what_tells_apart
from daemon.spoken import Utterance, families, joins
from daemon.subjects import (
    in_first_person,
    in_other_words,
    is_of_the_owner,
    may_mean_whom,
    meets_by_the_way,
    names_whom,
)
from daemon.synonyms import in_known_words
from daemon.wire import AnswerKind, Source
from daemon.wishes import GONE, Wish
from memory_store.facts import Fact
from memory_store.grammar import parse
from memory_store.ledger import Ledger
from memory_store.lists import names_a_list
from memory_store.names import Similarity
from memory_store.phrases import WORD, stem
from memory_store.pleas import pleas
from memory_store.sentences import is_of_others, sentences

UNSURE_FACTS = 0.5  # below this confidence a list of facts is rather what lies near
LONGEST = 600  # characters; longer messages are texts rather than something told
LEAST_OF_THE_WORLD = -1.5  # what was told must fit so well where the question may be about anything
LEAST_OF_ADVICE = 1.5
SURE = 1.0  # from these log odds on, what was told counts more than a fact that tells something else
_OF_THEM = re.compile(r"\b(?:he|she|they|his|hers?|their|him|them)\b", re.IGNORECASE)
_ASKS_ADVICE = re.compile(
    r"\b(?:best|better|should|recommend|suggest|ideas?|ways? to|how (?:do|to|can|should) (?:i|we|you)|explain)\b",
    re.IGNORECASE,
)


def hear(words: str, find: Find, near: Similarity | None, ledger: Ledger | None = None) -> Account | None:
    """
    What the owner told that answers *words*, where these are a question; *find* gives messages that may bear on words.

    Where nothing does, what answers them put in words that were told, or with another name that *ledger* has for
    somebody.
    """
    words = in_first_person(words, ledger)
    if not is_question(words) or parse_question(words).mode in ("verbatim", "previous"):
        return None

    def told(about: str) -> list[Utterance]:
        return [one for one in find(about) if len(one.message) <= LONGEST and not is_of_others(one.message)]

    account = recount(words, told, near, least=least_for(words))
    if account is not None and not account.near:
        return account
    held = frozenset(stem(word) for one in told(words) for word in WORD.findall(one.message))
    puts = [*in_known_words(words, lambda word: all(stem(part) in held for part in word.split()))]
    puts += [put.question for put in (in_other_words(words, ledger) if ledger is not None else ())]
    others = (recount(put, told, near, least=least_for(words)) for put in puts)
    return next((one for one in others if one is not None and _is_surely_told(words, one, near)), account)


def _is_surely_told(words: str, account: Account, near: Similarity | None) -> bool:
    """Whether *account*, heard for *words* put in another way, answers these as well."""
    if not account.quoted or account.near:
        return False
    return account.kind != "told" or not any(
        falls_short(words, one.message, near) or lacks_what_tells_apart(words, one.message) for one in account.quoted
    )


def still_told(words: str, find: Find) -> tuple[Utterance, ...]:
    """What the owner told that *words*, where these ask to forget something, name by most of their words."""
    wishes = [Wish.of(plea) for plea in pleas(words)]
    told = [one for one in find(words) if not pleas(one.message)] if wishes else []
    return tuple(
        replace(one, message=said.whole)
        for one in told
        for said in sentences(one.message)
        if any(wish.share(families(said.whole), len) >= GONE for wish in wishes)
    )


def least_for(question: str) -> float:
    """How well what was told must fit *question*."""
    if _ASKS_ADVICE.search(question):
        return LEAST_OF_ADVICE
    return LEAST if is_of_the_owner(question) or _wants_all(question) else LEAST_OF_THE_WORLD


def weighed(question: str, direct: Reply | None, heard: Account | None, ledger: Ledger) -> Reply | None:
    """The answer to *question*: *direct*, from facts, or what was *heard*, where that knows better."""
    heard = bearing(question, heard, ledger)
    if heard is None:
        return direct
    facts = [fact for name in direct.attributes for fact in ledger.current(name)] if direct else []
    known = direct is not None and direct.kind != "near"
    if known and not (direct and _overrules(question, heard, direct, facts, ledger)):
        return direct
    quoted = _passages(heard.quoted)
    match heard.kind:
        case "forgotten":
            return Reply(speech.FORGOTTEN, "forgotten", (), 1.0, ())
        case "told":
            return _as_told(heard, direct, facts) if direct else None
    news = (heard.news,) if heard.news else ()
    text = speech.since_then(heard.kind, quoted, _passages(news))
    kind: AnswerKind = "unsure" if heard.kind == "unsure" else "passages"
    return Reply(text, kind, tuple(map(_source, (*heard.quoted, *news))), 1.0, ())


def _as_told(heard: Account, direct: Reply, facts: list[Fact]) -> Reply:
    """What was told, word for word, as an answer, or beside what facts have near one."""
    passages, sources = _passages(heard.quoted), tuple(map(_source, heard.quoted))
    if heard.near:
        if direct.kind == "near" and _all_in(facts, " ".join(one.text for one in passages).casefold()):
            return direct
        text = f"{direct.text}\n\n{speech.beside(passages)}" if direct.kind == "near" else speech.nearest(passages)
        return Reply(text, "near", (*direct.sources, *sources), 1.0, direct.attributes, direct.lacks)
    return Reply(speech.quoted(passages), "passages", sources, 1.0, ())


def bearing(question: str, heard: Account | None, ledger: Ledger) -> Account | None:
    """*heard* where it is about whom and what *question* asks; None where it is not."""
    if heard is None or heard.kind == "forgotten":
        return heard
    said = " ".join(one.message for one in heard.quoted)
    if len(heard.quoted) > 1 and _wants_all(question) and _OF_THEM.search(said):
        return heard  # one of several may be told of `her` of whom the talk was
    named = names_whom(question, said, ledger) or may_mean_whom(question, said)
    return heard if named and not meets_by_the_way(question, said) else None


def quotations(heard: Account | None) -> tuple[Passage, ...]:
    """What was told, to be quoted where nothing else answers."""
    return tuple(_passages(heard.quoted)) if heard is not None and heard.kind == "told" else ()


def _overrules(question: str, heard: Account, direct: Reply, facts: list[Fact], ledger: Ledger) -> bool:
    """Whether what was *heard* counts more than the *facts* that answer."""
    if direct.kind == "forgotten":
        return False
    if heard.kind == "forgotten":
        return True
    if any(map(names_a_list, direct.attributes)) and heard.kind == "told":
        return _tells_more(question, heard, [fact for name in direct.attributes for fact in ledger.timeline(name)])
    if direct.kind == "fact" and not facts:  # it ended: only what was told since counts more
        if len(heard.quoted) > 1 and heard.several:
            return True  # one of several did
        until = max((fact.until or "" for name in direct.attributes for fact in ledger.timeline(name)), default="")
        return max((one.when[:10] for one in heard.quoted), default="") > until
    worked_out = any(fact.cause for fact in facts)  # from a rule, which the ledger knows from more than words
    said = " ".join(one.message for one in heard.quoted).casefold()
    if heard.kind == "unsure" and direct.kind == "fact" and facts and not _all_in(facts, said):
        return False  # something else became unsure
    if heard.kind != "told":
        since = max((fact.since or "" for fact in facts), default="")
        is_newer = heard.news is not None and heard.news.when[:10] >= since
        return is_newer and not (worked_out and not (direct.kind == "unsure" and heard.kind == "follows"))
    if direct.kind != "fact" or worked_out or heard.near:
        return False
    if heard.several or _wants_all(question):
        told = [fact for name in direct.attributes for fact in ledger.timeline(name)]
        if (direct.confidence < UNSURE_FACTS and heard.sure >= 0) or _tells_more(question, heard, told):
            return True
        if len(told) > 2 and _all_in(told, said) and len(heard.quoted) > len(told) + 1:
            return False  # much that was heard beside what the facts tell is more of other things than of this
        return len(heard.quoted) > max(1, len(told)) or (len(heard.quoted) > 1 and _all_in(told, said))
    if _all_in(facts, said):
        return not parse(direct.text)  # the fact says it shorter, if it reads well
    if any(_all_in(facts, one.casefold()) for one in heard.supposed):
        return True  # what was only said to follow from something is no fact
    # of the same attribute the page knows better: it may have been put right, edited, or paid in part
    if any(_OF_DEBTS.search(fact.attribute) for fact in facts):
        return False
    named = families(said) | families(question)
    return heard.sure >= SURE and not any(families(fact.attribute) <= named for fact in facts)


def _tells_more(question: str, heard: Account, told: Sequence[Fact]) -> bool:
    """Whether something *heard* joins what facts *told*, most of which was heard too, and they do not have it."""
    values = [fact.value.casefold() for fact in told if fact.value and not families(fact.value) <= families(question)]
    said = " ".join(one.message for one in heard.quoted).casefold()
    texts = [one.message.casefold() for one in heard.quoted if joins(one.message)]
    if sum(value in said for value in values) < 0.5 * len(values):
        return False
    return any(not any(value in text for value in values) for text in texts)


_OF_DEBTS = re.compile(r"\bowes?\b")


def _all_in(facts: Sequence[Fact], said: str) -> bool:
    """Whether *said* holds all that *facts* tell."""
    return bool(facts) and all((fact.value or "").casefold() in said for fact in facts)


def _wants_all(question: str) -> bool:
    return parse_question(question).mode in ("history", "topic") or asks_for_several(question)


def _passages(tellings: tuple[Utterance, ...]) -> list[Passage]:
    return [
        Passage(one.path, one.start_line, one.end_line, one.message, when=one.when, speaker="User") for one in tellings
    ]


def _source(one: Utterance) -> Source:
    return Source(path=one.path, start_line=one.start_line, end_line=one.end_line, text=one.message)
