"""A client's conversation: what is new in it, how it goes to a model, and what of the model's reply is passed on."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from daemon import speech
from daemon.context import Block
from daemon.errors import RequestInvalid
from daemon.questions import is_question
from memory_store.deletions import is_not_to_be_kept
from models.requests import Delta, Generation

FEW_TOKENS = 160
CALM, NO_REPEATS = 0.2, 1.15


def must_be_shorter(text: str, most: int, name: str) -> None:
    """Raises RequestInvalid where *text*, the parameter *name*, is longer than memory reads in a moment."""
    if len(text) > most:
        raise RequestInvalid(f"{name}: {len(text):,} characters; it may have {most:,}", name)


def new_words(generation: Generation) -> str:
    """The last turn's text if the user said it; else nothing is new."""
    last = generation.messages[-1] if generation.messages else None
    return last.content if last and last.role == "user" else ""


_OFF_THE_RECORD = re.compile(
    r"(?:(?:and|but|so|oh|well|also|by the way)[\s,]+)*(?:this is\s+)?(?:strictly\s+)?"
    r"(?:off the record|not for the record|not for your memory)\b\s*[:,—–-]",
    re.IGNORECASE,
)


def to_be_kept(words: str) -> str:
    """*words* up to where they say that what follows is not to be remembered; all of them where they do not."""
    for start in (0, *(m.end() for m in re.finditer(r"(?<=[.!?])\s+|\n+", words))):
        rest = words[start:]
        if is_not_to_be_kept(rest) or _OFF_THE_RECORD.match(rest):
            return words[:start].strip()
    return words


_WHY = re.compile(r"\W*(?:(?:and|but|so|ok|okay)\W+)?(?:why|how come|why(?: is)? that|why so)\W*", re.IGNORECASE)


def asked_whole(generation: Generation, words: str) -> str:
    """*words*, or, where they only ask why, that of the question before them."""
    question = asked_before(generation) if _WHY.fullmatch(words) else None
    return f"Why {question[:1].lower()}{question[1:]}" if question else words


def told_before(generation: Generation) -> list[str]:
    """The user's messages that the last one may correct: none where it answers a question."""
    turns = [turn for turn in generation.messages[:-1] if turn.role in ("user", "assistant")]
    if turns and turns[-1].role == "assistant" and "?" in turns[-1].content:
        return []
    return [turn.content for turn in turns if turn.role == "user"]


def asked_before(generation: Generation) -> str | None:
    """The question that the user's last turn but one was, if it was one."""
    said = [turn.content for turn in generation.messages if turn.role == "user"]
    return said[-2] if len(said) > 1 and is_question(said[-2]) else None


def is_formal(generation: Generation) -> bool:
    """Whether the client asked for a form that only the model can keep to: a schema, a grammar, tools, several."""
    return generation.response_format.kind != "text" or bool(generation.tools) or generation.n > 1


def without_our_lines(generation: Generation) -> Generation:
    """*generation* without the form of the daemon's own words in it, which a model would imitate."""

    def plain(content: str) -> str:
        if speech.begins_as_quoted(content):
            return speech.unquoted(content) or "OK."
        return "OK." if speech.begins_as_ours(content) or content == speech.KEPT else content

    messages = tuple(
        msgspec.structs.replace(turn, content=plain(turn.content)) if turn.role == "assistant" else turn
        for turn in generation.messages
    )
    return msgspec.structs.replace(generation, messages=messages)


def kept_short(generation: Generation) -> Generation:
    """*generation* for a model that cannot talk: a few sentences, and nothing over and over, unless asked otherwise."""
    sampling = generation.sampling
    if sampling.temperature is None and sampling.repeat_penalty is None:
        sampling = msgspec.structs.replace(sampling, temperature=CALM, repeat_penalty=NO_REPEATS)
    limit = FEW_TOKENS if generation.max_tokens is None else generation.max_tokens
    return msgspec.structs.replace(generation, max_tokens=limit, sampling=sampling)


async def as_a_model(deltas: AsyncGenerator[Delta]) -> AsyncGenerator[Delta]:
    """
    *deltas*, none of whose answers begins as our own words do.

    A confirmation would say that something was written, and a quotation that it stands in a note: what a model makes up
    in that form is left out whole.
    """
    begun: dict[int, str] = {}
    settled: set[int] = set()
    silent: set[int] = set()
    async with aclosing(deltas):
        async for delta in deltas:
            if delta.index in silent:
                if delta.finish_reason is not None:
                    yield msgspec.structs.replace(delta, text="")
                continue
            if delta.index in settled:
                yield delta
                continue
            text = begun.pop(delta.index, "") + delta.text
            if speech.begins_as_quoted(text):
                silent.add(delta.index)
                yield msgspec.structs.replace(delta, text=speech.NOTHING)
                continue
            ours = speech.begins_as_ours(text) if text.strip() else None
            rest = speech.without_confirmation(text) if ours else text
            if delta.finish_reason is None and (ours is None or (ours and speech.begins_as_ours(rest) is None)):
                begun[delta.index] = text
                text = ""
            else:
                settled.add(delta.index)
                text = rest
            yield msgspec.structs.replace(delta, text=text)


def with_memory(generation: Generation, block: Block) -> Generation:
    """*generation* with the block before the last turn's words, so that what went before stays the same prefix."""
    if not block.text or not generation.messages or generation.messages[-1].role != "user":
        return generation
    *before, last = generation.messages
    read = msgspec.structs.replace(last, content=f"{block.text}\n\n{last.content}")
    return msgspec.structs.replace(generation, messages=(*before, read))
