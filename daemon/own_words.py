"""What the daemon answers itself, where no model can be trusted to."""

import re
from dataclasses import dataclass

from daemon import speech, wire
from daemon.courtesies import courtesy
from daemon.questions import is_question, with_apostrophes
from daemon.recall import Recall, quoted, sure
from daemon.subjects import is_of_somebody_known, names_somebody
from daemon.telling import Told
from daemon.understood import plainly
from memory_store.phrases import stems

_ABOUT_THE_OWNER = re.compile(
    r"\b(my|mine|our|ours|whose|(?:do|did|am|are|have|was|were)(?:n['’]?t)? (?:i|we)|"
    r"(?:does|did|is|was|has) (?:he|she|they)|"
    r"you (?:know|remember|have stored)|(?:about|for|with) (?:me|us|him|her|them))\b",
    re.IGNORECASE,
)
_ASKS_ADVICE = re.compile(
    r"\b(best|better|should|could|would|can|recommend|suggest|idea|ideas|way to|how (do|to|can)|explain|why)\b",
    re.IGNORECASE,
)


# `shoe size?` asks for a fact of the owner's
_IS_A_NAME = re.compile(
    r"(?!(?:any|some|no|not|why|what|how|so|and|or|but|then|is|are|do|does|did|can|could|will|would|or|even|for)\b)"
    r"[a-z][a-z'’-]+(?:\s[a-z][a-z'’-]+){1,3}\?",
)
_DEFINITE = re.compile(r"\bthe\s+([a-z][\w-]*)")


@dataclass(frozen=True)
class OwnWords:
    """What the daemon says itself, and where it has it from."""

    text: str
    sources: tuple[wire.Source, ...] = ()
    kind: wire.AnswerKind | None = None


def own_words(words: str, recall: Recall, told: Told, *, talks: bool) -> OwnWords | None:
    """
    What the daemon says instead of a model that cannot be trusted to read; None lets the model talk.

    *talks*: courtesies and plain statements may be left to the model.
    """
    if not talks and not told.changes and (line := courtesy(words)):
        return OwnWords(line)
    parts = [speech.noted(told.changes, told.consequences)] if told.changes else []
    if told.together:
        return OwnWords("\n".join([*parts, speech.would_forget(told.together, recall.ledger)]))
    if not told.changes and told.unclear:
        return OwnWords(speech.which_to_forget(told.unclear))
    if not told.changes and recall.left:
        places = dict.fromkeys(speech.place(one.path, one.start_line, one.end_line) for one in recall.left)
        return OwnWords(speech.STILL_TOLD.format(places=", ".join(places)))
    if not told.changes and any(statement.kind == "deletion" for statement in told.statements):
        return OwnWords(speech.NOTHING_TO_FORGET)
    if told.changes and ("?" not in words or told.forgotten):
        return OwnWords(parts[0])
    if direct := sure(recall.direct):
        return OwnWords("\n\n".join([*parts, direct.text]), direct.sources, direct.kind)
    as_told = quoted(words, recall) if is_question(words) else None
    if as_told is not None:
        return OwnWords("\n\n".join([*parts, as_told.text]), as_told.sources, as_told.kind)
    if near := recall.direct:
        return OwnWords("\n\n".join([*parts, near.text]), near.sources, near.kind)
    personal = (
        _ABOUT_THE_OWNER.search(words)
        or names_somebody(words)
        or is_of_somebody_known(words, recall.ledger)
        or _is_of_something_told(words, recall)
        or _IS_A_NAME.fullmatch(words.strip())
    )
    if not parts and is_question(words) and personal and not _ASKS_ADVICE.search(words):
        return OwnWords(speech.NOTHING, kind="unknown")
    if not parts and not talks and (line := plainly(with_apostrophes(words))):
        return OwnWords(line)
    return OwnWords(parts[0]) if parts else None


def _is_of_something_told(question: str, recall: Recall) -> bool:
    """Whether *question* speaks of `the band` where the owner told of one: of theirs a model can only guess."""
    held = frozenset(stems(" ".join([*(one.text for one in recall.passages), *recall.ledger.attributes()])))
    return any(its and its <= held for its in (frozenset(stems(m[1])) for m in _DEFINITE.finditer(question)))
