"""What a message takes back at once: `…. Just kidding!`, `…, I'm only joking`, `Just kidding: …`, `No she didn't`."""

import re

_LAUGHS = r"(?:(?:ha(?:ha)*|he(?:he)+|lol|no|nah|well|wait|oh|ok(?:ay)?|sorry|and|but|actually)[\s,.!–—-]+)*"
_JOKES = (
    r"(?:(?:i(?:['’]?m|\s+am|\s+was)|we(?:['’]re|\s+are|\s+were))\s+)?(?:just\s+|only\s+|merely\s+|totally\s+)*"
    r"(?:kidding(?:\s+you)?|joking|teasing(?:\s+you)?|pulling\s+your\s+leg|messing\s+with\s+you|having\s+you\s+on)|"
    r"(?:just|only|that(?:['’]s|\s+was)|it(?:['’]s|\s+was))\s+(?:just\s+|only\s+)?a\s+joke|not\s+really|april\s+fools?!?"
)
_DENIES = (
    r"no,?\s+(?:i|we|he|she|it|they|that)\s*"
    r"(?:(?:did|do|does|is|are|was|were|has|have|had|would|ca)n['’]t|['’](?:s|m|re)\s+not)"
)
# a sentence of its own, a sentence that ends or begins with it
_WHOLE = re.compile(rf"{_LAUGHS}(?:{_JOKES}|{_DENIES}(?:[\s,;–—-]+{_JOKES})?)[\s.!:;)\]-]*", re.IGNORECASE)
_AT_END = re.compile(rf"[,;:–—-]\s*{_LAUGHS}(?:{_JOKES})[\s.!:;)\]-]*$", re.IGNORECASE)
_OF_REST = re.compile(rf"{_LAUGHS}(?:{_JOKES})\s*:\s*(?=\S)", re.IGNORECASE)
_RATHER = re.compile(rf"{_LAUGHS}(?:{_JOKES}|{_DENIES})\s*[,;–—-]+\s*(?=\S)", re.IGNORECASE)
_SENTENCE = re.compile(r"\S[^.!?\n]*(?:[.!?]+(?!\s|$)[^.!?\n]*)*[.!?]*")
_MAY_JOKE = re.compile(rf"{_JOKES}|{_DENIES}", re.IGNORECASE)


def without_jokes(message: str) -> str:
    """*message* with blanks where it takes something back, and where it says so; as long as it was."""
    if _MAY_JOKE.search(message) is None:
        return message
    kept = message
    before: re.Match[str] | None = None
    for sentence in _SENTENCE.finditer(message):
        said = sentence[0]
        if _WHOLE.fullmatch(said):
            kept = _blanked(kept, sentence.start(), sentence.end())
            kept = _blanked(kept, before.start(), before.end()) if before else kept
        elif _AT_END.search(said) or _OF_REST.match(said):
            kept = _blanked(kept, sentence.start(), sentence.end())
        elif m := _RATHER.match(said):
            kept = _blanked(kept, sentence.start(), sentence.start() + m.end())
            kept = _blanked(kept, before.start(), before.end()) if before else kept
        before = sentence
    return kept


def is_taken_back(message: str) -> bool:
    """Whether *message* leaves nothing of what it says, so that it is not to be quoted."""
    return not without_jokes(message).strip()


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]
