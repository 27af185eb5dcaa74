"""
Statements drawn from the owner's words by a model that its check trusts with it, under a JSON grammar, in any language.

The model is shown only the sentences that are the owner's own: no question, nothing quoted, pasted or said by an
assistant. What it answers is held against them: a value that the sentence does not hold, a name that no line can hold,
a statement of no kind is dropped, so that a model can misread but not invent. A bad answer is asked for once more.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec

from memory_store.facts import attribute_key, is_attribute
from memory_store.mentions import Mention
from memory_store.pasted import surely_own
from memory_store.sentences import Sentence, is_of_others, sentences
from memory_store.statements import Statement
from models.errors import ModelError
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling

EXTRACT = "extract"
TRIES = 2
STATEMENTS_AT_MOST = 12
LONGEST_NAME = 80
LONGEST_VALUE = 400
_KINDS = ("state", "change", "add", "end", "dependency", "rule", "deletion", "correction")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)|^.*?</think>", re.DOTALL)
_SCHEMA = {
    "type": "object",
    "properties": {
        "statements": {
            "type": "array",
            "maxItems": STATEMENTS_AT_MOST,
            "items": {
                "type": "object",
                "properties": {
                    "sentence": {"type": "integer"},
                    "kind": {"enum": list(_KINDS)},
                    "owner": {"enum": ["me", "us", "other"]},
                    "attribute": {"type": "string"},
                    "value": {"type": ["string", "null"]},
                    "old": {"type": ["string", "null"]},
                    "depends_on": {"type": ["string", "null"]},
                    "when": {"type": ["string", "null"]},
                },
                "required": ["sentence", "kind", "owner", "attribute", "value", "old", "depends_on", "when"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["statements"],
    "additionalProperties": False,
}
_TASK = """\
Each line below is a sentence that a person wrote to their assistant. Write down what it says of that person, or of
their own team or household, as JSON: a list `statements`. Most sentences say nothing: leave those out. Leave out what
is only supposed, wished, denied, or said of other people.
- kind: `state` (it is so), `change` (it is so now, it was not before), `add` (this too), `end` (it is so no longer),
  `correction` (what was said before was wrong), `deletion` (forget it), `dependency` (one thing hangs on another),
  `rule` (what it becomes when another thing changes).
- owner: `me`, `us`, or `other` where it is somebody else's.
- attribute: a short name of the thing, in the sentence's language, such as `team lead`.
- value: copied letter by letter from the sentence; for a rule, what it becomes. old: what it was, if said.
- depends_on: the thing it hangs on, for dependency and rule. when: the value of that thing, if the rule names one.
Put null where there is nothing.

1. Our team lead is now Mina Olsen, no longer Tom.
2. Who reviews the code depends on the team lead.
3. The weather is nice.
{"statements": [{"sentence": 1, "kind": "change", "owner": "us", "attribute": "team lead", "value": "Mina Olsen", \
"old": "Tom", "depends_on": null, "when": null}, {"sentence": 2, "kind": "dependency", "owner": "us", "attribute": \
"code reviewer", "value": null, "old": null, "depends_on": "team lead", "when": null}]}"""
_AGAIN = "That was not what was asked for. Write the JSON object alone, as described."

Generate = Callable[[Generation], Awaitable[str]]


class NotRead(Exception):
    """The model gave no answer that can be used, twice. *reason* is the last one."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Said(msgspec.Struct, frozen=True):
    sentence: int
    kind: Literal["state", "change", "add", "end", "dependency", "rule", "deletion", "correction"]
    attribute: str
    owner: Literal["me", "us", "other"] = "me"
    value: str | None = None
    old: str | None = None
    depends_on: str | None = None
    when: str | None = None


class _Answer(msgspec.Struct, frozen=True):
    statements: list[_Said]


def own_sentences(words: str) -> list[Sentence]:
    """The sentences of a message that may state something of its writer."""
    if is_of_others(words):
        return []
    return [sentence for sentence in sentences(words) if not sentence.asks and sentence.text.strip()]


async def draw(generate: Generate, words: str) -> list[Statement]:
    """
    The statements of *words*, one message of the owner, in the order in which they stand; those of `extract` in kind.

    Raises:
        NotRead: the model failed, or gave no usable answer, twice.
    """
    told = own_sentences(words)
    if not told:
        return []
    numbered = "\n".join(f"{number}. {sentence.text}" for number, sentence in enumerate(told, 1))
    messages = [ChatMessage(role="system", content=_TASK), ChatMessage(role="user", content=numbered)]
    reason = ""
    for _ in range(TRIES):
        try:
            answer = await generate(_generation(messages))
            found = msgspec.json.decode(_THOUGHT.sub("", answer).strip(), type=_Answer)
        except (ModelError, msgspec.MsgspecError) as error:
            reason = str(error)
            messages = [*messages[:2], ChatMessage(role="user", content=f"{numbered}\n\n{_AGAIN}")]
            continue
        judged = [statement for said in found.statements if (statement := _judged(said, told)) is not None]
        return [one for one in judged if one.kind != "deletion" or surely_own(words, one.span[0])]
    raise NotRead(reason)


def _generation(messages: Sequence[ChatMessage]) -> Generation:
    return Generation(
        messages=tuple(messages),
        sampling=Sampling(temperature=0.0, seed=1),
        max_tokens=800,
        reasoning=False,
        response_format=ResponseFormat(kind="json_schema", schema=_SCHEMA),
        static_messages=1,
    )


def _judged(said: _Said, told: Sequence[Sentence]) -> Statement | None:
    """The statement that *said* is, if it stands in the sentence it names and belongs to the owner."""
    if not 1 <= said.sentence <= len(told) or said.owner == "other":
        return None
    sentence = told[said.sentence - 1]
    attribute = " ".join(said.attribute.split())
    if not is_attribute(attribute) or len(attribute) > LONGEST_NAME or "[" in attribute or "]" in attribute:
        return None
    given = [text.strip() for text in (said.value, said.old, said.when) if text is not None and text.strip()]
    if any(len(text) > LONGEST_VALUE or not _stands_in(text, sentence.text) for text in given):
        return None
    value, old, when = ((text or "").strip() or None for text in (said.value, said.old, said.when))
    cause = " ".join((said.depends_on or "").split())
    match said.kind:
        case "dependency" | "rule":
            if not is_attribute(cause) or attribute_key(cause) == attribute_key(attribute):
                return None
            rule = said.kind == "rule" and value is not None
            return Statement(
                "rule" if rule else "dependency",
                Mention(attribute),
                attribute,
                value if rule else None,
                depends_on=(Mention(cause),),
                trigger="is" if rule and when else "changes",
                when_value=when if rule else None,
                subject="we" if said.owner == "us" else "i",
                span=(sentence.start, sentence.end),
                sentence=sentence.text,
            )
        case "end":
            value, old = None, old or value
            if old is None:
                return None
        case "deletion":
            value = None
        case _:
            if value is None or value == "?":
                return None
    return Statement(
        said.kind,
        Mention(attribute, value=value),
        attribute,
        value,
        old=old if old != value else None,
        subject="we" if said.owner == "us" else "i",
        span=(sentence.start, sentence.end),
        sentence=sentence.text,
    )


def _stands_in(text: str, sentence: str) -> bool:
    return attribute_key(text) in attribute_key(sentence)
