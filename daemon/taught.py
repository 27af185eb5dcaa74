"""Right answers that the owner told: how they stand in the journal, and what they answer when it is asked again."""

import re
from collections.abc import Sequence

from daemon.context import Passage, content_words, source_of
from daemon.night.verdict import words
from daemon.replies import Reply
from memory_store.facts import FactChange
from memory_store.ledger import Ledger

_TOLD = re.compile(r"\s*The right answer to “(?P<question>[^”]+)” is: (?P<answer>.+?)\s*", re.DOTALL)
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|wrong|that['’]s (?:wrong|not right|not it|incorrect)|not quite|actually)\b[\s,.;:!—–-]*"
    r"(?:it['’]?s|it is|that['’]?s|that is|(?:he|she|it|they)(?:['’]s| is| are| was)"
    r"|the (?:right )?answer is)\s+(.+?)[.!]?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_VALUE = 8


def as_told(question: str, answer: str) -> str:
    """A right answer as the owner's words, for the journal."""
    return f"The right answer to “{question}” is: {answer}"


def corrected(words: str) -> str | None:
    """The answer that *words* put right, as in "No, it's the old quay."; None where they do not."""
    match = _CORRECTS.match(words)
    return match[1] if match else None


def answer_in(text: str) -> tuple[str, str] | None:
    """The question and the right answer, where *text* is one as it was told."""
    match = _TOLD.fullmatch(text)
    return (match["question"], " ".join(match["answer"].split())) if match else None


def taught(question: str, passages: Sequence[Passage], direct: Reply | None, ledger: Ledger) -> Reply | None:
    """
    What the owner said was the right answer to *question*, of several the last; None where they told none.

    Where facts answer too (*direct*), the newer counts; where they say the same, they do.
    """
    asked = words(question)
    told = [one for one in passages if (known := answer_in(one.text)) and words(known[0]) == asked]
    if not told:
        return None
    last = max(told, key=lambda one: (one.when or "", one.path, one.start_line))
    facts = [fact for name in direct.attributes for fact in ledger.current(name)] if direct else []
    if any((fact.since or "") > (last.when or "")[:10] or fact.state == "forgotten" for fact in facts):
        return None
    known = answer_in(last.text)
    if known is None or (direct and f" {' '.join(words(known[1]))} " in f" {' '.join(words(direct.text))} "):
        return None
    return Reply(f"You told me: {known[1]}", "fact", (source_of(last),), 1.0, ())


def fact_put_right(question: str, answer: str, direct: Reply | None, ledger: Ledger) -> FactChange | None:
    """
    The change of the fact that *question* names and nothing else, where *answer* is its right value.

    None where facts did not answer (*direct*), where the question was about more, or where what answered is past.
    """
    value = " ".join(answer.split()).rstrip(".")
    if direct is None or len(direct.attributes) != 1 or not value or len(value.split()) > _LONGEST_VALUE:
        return None
    if re.search(r"[\[\]()#?]", value):
        return None
    facts = ledger.current(direct.attributes[0])
    if len(facts) != 1 or content_words(facts[0].attribute) != content_words(question):
        return None
    fact = facts[0]
    if [(source.path, source.start_line) for source in direct.sources] != [(fact.path, fact.line)]:
        return None
    if fact.state == "forgotten" or fact.value == value:
        return None
    return FactChange(fact.path, fact.attribute, "set", before=fact.value, after=value, reason="you put it right")


def in_words(text: str) -> str:
    """*text* as it is quoted: of a right answer the answer first, then what it answers."""
    known = answer_in(text)
    return f"{known[1]} (your answer to “{known[0]}”)" if known else text
