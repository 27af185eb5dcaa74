"""What of a conversation a model reads, and what of its words is passed on."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from daemon.context import Passage
from daemon.conversation import FEW_TOKENS, as_a_model, kept_short, to_be_kept, without_our_lines
from daemon.speech import NOTHING, quoted
from models.requests import ChatMessage, Delta, Generation, Sampling

TRAILER = Passage("Boats.md", 3, 3, "The boat trailer is parked behind the barn.")


def passed_on(*texts: str) -> str:
    """What of a model's reply in these pieces arrives."""

    async def reply() -> AsyncGenerator[Delta]:
        for text in texts:
            yield Delta(text=text)
        yield Delta(finish_reason="stop")

    async def collect() -> str:
        deltas = [delta async for delta in as_a_model(reply())]
        assert [delta.finish_reason for delta in deltas][-1] == "stop"
        return "".join(delta.text for delta in deltas)

    return asyncio.run(collect())


def test_a_model_quotes_no_notes_in_our_form() -> None:
    """What a model makes up as a quotation, with a place that nobody wrote, never arrives."""
    assert passed_on("This is what ", "your notes say:", "\n\n> We fly to Oslo.\n(journal/x.md:9)") == NOTHING
    assert passed_on("This is ", "what I think.") == "This is what I think."
    assert passed_on("Noted: ", "Hello.") == "Hello."


def test_a_model_reads_what_was_quoted_without_the_form() -> None:
    """The words of an earlier answer of ours stay in the conversation, the form that would be imitated does not."""
    turns = ("where is the trailer?", quoted([TRAILER]), "thanks", "Noted: your boat is Ida (facts/Me.md).", "and now?")
    roles = ("user", "assistant", "user", "assistant", "user")
    asked = Generation(
        messages=tuple(ChatMessage(role=r, content=t) for r, t in zip(roles, turns, strict=True))  # type: ignore[arg-type]
    )
    read = [turn.content for turn in without_our_lines(asked).messages]
    assert read == [turns[0], TRAILER.text, turns[2], "OK.", turns[4]]


def test_a_model_that_cannot_talk_is_kept_short() -> None:
    """It ends after some sentences and repeats itself less; what a client asked for stays."""
    short = kept_short(Generation())
    assert short.max_tokens == FEW_TOKENS
    assert short.sampling.repeat_penalty is not None
    asked = Generation(max_tokens=900, sampling=Sampling(temperature=0.9))
    assert kept_short(asked) == asked


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("Don't remember this: the safe is 4417.", ""),
        ("Our hall is St Bede's. Off the record: the safe is 4417. It sticks.", "Our hall is St Bede's."),
        ("I don't remember this song.", "I don't remember this song."),
        ("Our hall is St Bede's.", "Our hall is St Bede's."),
    ],
)
def test_what_is_not_to_be_remembered_ends_what_is_kept(words: str, kept: str) -> None:
    """From the words that ask for it on, nothing of a message is kept."""
    assert to_be_kept(words) == kept
