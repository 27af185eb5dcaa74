"""
The owner's own sentences beside the facts: which of the two answers a question, and how what was told is said.

Facts answer where they can. What was told overrules one where it was asked to forget it, or where it hung on something
that changed and the ledger followed no rule from it; and it tells more where several things were asked for.
"""

import re
from dataclasses import replace

from daemon import speech
from daemon.account import GONE, LEAST, Account, Find, asks_for_several, recount
from daemon.answer import Reply
from daemon.context import Passage
from daemon.questions import is_question, parse_question
from daemon.spoken import Utterance, asks_to_forget, condition, families, to_forget
from daemon.subjects import bears_on, is_of_the_owner
from daemon.wire import AnswerKind, Source
from memory_store.facts import Fact
from memory_store.ledger import Ledger
from memory_store.names import Similarity
from memory_store.sentences import is_of_others

LONGEST = 600  # characters; longer messages are texts rather than something told
LEAST_OF_THE_WORLD = 0.55  # what was told must fit so well where the question may be about anything
LEAST_OF_ADVICE = 0.8
_ASKS_ADVICE = re.compile(
    r"\b(?:best|better|should|recommend|suggest|ideas?|ways? to|how (?:do|to|can|should) (?:i|we|you)|explain)\b",
    re.IGNORECASE,
)


def hear(words: str, find: Find, near: Similarity | None) -> Account | None:
    """
    What the owner told that answers *words*, where these are a question; *find* gives messages that may bear on words.
    """
    if not is_question(words) or parse_question(words).mode in ("verbatim", "previous"):
        return None

    def told(about: str) -> list[Utterance]:
        return [one for one in find(about) if len(one.message) <= LONGEST and not is_of_others(one.message)]

    return recount(words, told, near, least=least_for(words))


def still_told(words: str, find: Find) -> tuple[Utterance, ...]:
    """What the owner told that *words*, where these ask to forget something, name by most of their words."""
    what = to_forget(words) if asks_to_forget(words) else frozenset()
    if not what:
        return ()
    return tuple(
        one
        for one in find(words)
        if not asks_to_forget(one.message) and len(what & families(one.message)) >= GONE * len(what)
    )


def least_for(question: str) -> float:
    """How well what was told must fit *question*."""
    if _ASKS_ADVICE.search(question):
        return LEAST_OF_ADVICE
    return LEAST if is_of_the_owner(question) else LEAST_OF_THE_WORLD


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
            return (
                Reply(speech.quoted(quoted), "passages", tuple(map(_source, heard.quoted)), 1.0, ()) if direct else None
            )
    news = (heard.news,) if heard.news else ()
    text = speech.since_then(heard.kind, quoted, _passages(news))
    kind: AnswerKind = "unsure" if heard.kind == "unsure" else "passages"
    return Reply(text, kind, tuple(map(_source, (*heard.quoted, *news))), 1.0, ())


def bearing(question: str, heard: Account | None, ledger: Ledger) -> Account | None:
    """*heard* as far as it is about whom and what *question* asks; None where nothing of it is."""
    if heard is None or heard.kind == "forgotten":
        return heard
    kept = tuple(one for one in heard.quoted if bears_on(question, one.message, ledger))
    return replace(heard, quoted=kept) if kept else None


def quotations(heard: Account | None) -> tuple[Passage, ...]:
    """What was told, to be quoted where nothing else answers."""
    return tuple(_passages(heard.quoted)) if heard is not None and heard.kind == "told" else ()


def _overrules(question: str, heard: Account, direct: Reply, facts: list[Fact], ledger: Ledger) -> bool:
    """Whether what was *heard* counts more than the *facts* that answer."""
    if direct.kind == "forgotten":
        return False
    if heard.kind == "forgotten":
        return True
    if heard.kind == "told":
        told = [fact for name in direct.attributes for fact in ledger.timeline(name)]
        return direct.kind == "fact" and _wants_all(question) and len(heard.quoted) > max(1, len(told))
    since = max((fact.since or "" for fact in facts), default="")
    is_newer = heard.news is not None and heard.news.when[:10] >= since
    # what the ledger worked out from a rule, it knows from more than words
    worked_out = any(fact.cause for fact in facts) and not (direct.kind == "unsure" and heard.kind == "follows")
    return is_newer and not worked_out and not _is_of_another(heard, direct, ledger)


def _is_of_another(heard: Account, direct: Reply, ledger: Ledger) -> bool:
    """Whether what is said to follow follows for another fact, which it names."""
    if heard.kind != "follows":
        return False
    said = heard.quoted[0].message
    then = families(said.replace(condition(said), " "))
    asked = frozenset[str]().union(*(families(name) for name in direct.attributes))
    return any(
        bool(its - asked) and its <= then
        for name in ledger.attributes()
        if name not in direct.attributes and (its := families(name))
    )


def _wants_all(question: str) -> bool:
    return parse_question(question).mode in ("history", "topic") or asks_for_several(question)


def _passages(tellings: tuple[Utterance, ...]) -> list[Passage]:
    return [
        Passage(one.path, one.start_line, one.end_line, one.message, when=one.when, speaker="User") for one in tellings
    ]


def _source(one: Utterance) -> Source:
    return Source(path=one.path, start_line=one.start_line, end_line=one.end_line, text=one.message)
