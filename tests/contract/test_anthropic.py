"""Anthropic's paths as its official client sees them, against a daemon with scripted models."""

from typing import Any

import anthropic
import httpx
import pytest

Home = Any
WEATHER: Any = {
    "name": "weather",
    "description": "The weather somewhere",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
CALL = '/say <tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_a_message_whole(anthropic_client: anthropic.Anthropic) -> None:
    """A message gives its text in a block, why it ended, and its usage."""
    reply = anthropic_client.messages.create(model="tiny", max_tokens=50, messages=_user("/say one two"))
    assert (reply.type, reply.role, reply.stop_reason) == ("message", "assistant", "end_turn")
    assert [(block.type, block.text) for block in reply.content if block.type == "text"] == [("text", "one two")]
    assert reply.usage.input_tokens + (reply.usage.cache_read_input_tokens or 0) > 0
    assert reply.usage.output_tokens > 0


def test_a_message_streamed(anthropic_client: anthropic.Anthropic) -> None:
    """The client's own accumulation of the events gives the same message as one that came whole."""
    with anthropic_client.messages.stream(model="tiny", max_tokens=99, messages=_user("/count 20")) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text == " ".join(map(str, range(1, 21)))
    assert (final.stop_reason, final.usage.output_tokens > 0, len(final.content)) == ("end_turn", True, 1)
    assert final.usage.input_tokens + (final.usage.cache_read_input_tokens or 0) > 0
    kinds = [
        event.type
        for event in anthropic_client.messages.create(model="tiny", max_tokens=9, messages=_user("/say a"), stream=True)
    ]
    assert kinds[:1] + kinds[-3:] == ["message_start", "content_block_stop", "message_delta", "message_stop"]


async def test_the_asynchronous_client_does_the_same(async_anthropic_client: anthropic.AsyncAnthropic) -> None:
    """Messages and streams work for asynchronous programs too."""
    client = async_anthropic_client
    async with client.messages.stream(model="tiny", max_tokens=99, messages=_user("/say one two")) as stream:
        assert "".join([text async for text in stream.text_stream]) == "one two"
    whole = await client.messages.create(model="tiny", max_tokens=99, messages=_user("/say one two"))
    assert whole.content[0].type == "text"


def test_limits_stops_and_beginnings(anthropic_client: anthropic.Anthropic) -> None:
    """max_tokens and stop sequences are told apart; a last turn of the assistant is gone on with, not repeated."""
    create = anthropic_client.messages.create
    assert create(model="tiny", max_tokens=3, messages=_user("/count 50")).stop_reason == "max_tokens"
    stopped = create(model="tiny", max_tokens=50, messages=_user("/say one two"), stop_sequences=["two"])
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", "two")
    turns: list[Any] = [*_user("/count 5"), {"role": "assistant", "content": "1 2"}]
    reply = create(model="tiny", max_tokens=50, messages=turns)
    assert [block.text for block in reply.content if block.type == "text"] == [" 3 4 5"]
    with anthropic_client.messages.stream(model="tiny", max_tokens=50, messages=turns) as stream:
        assert "".join(stream.text_stream) == " 3 4 5"


def test_system_texts_and_counted_tokens(anthropic_client: anthropic.Anthropic) -> None:
    """A system text counts, plain or in blocks, and so do tools."""
    count = anthropic_client.messages.count_tokens
    bare = count(model="tiny", messages=_user("Hello there")).input_tokens
    plain = count(model="tiny", messages=_user("Hello there"), system="Be very brief.").input_tokens
    blocks: Any = [{"type": "text", "text": "Be very brief.", "cache_control": {"type": "ephemeral"}}]
    assert 0 < bare < plain == count(model="tiny", messages=_user("Hello there"), system=blocks).input_tokens
    assert count(model="tiny", messages=_user("Hello there"), tools=[WEATHER]).input_tokens > plain


def test_tools_are_used_and_answered(anthropic_client: anthropic.Anthropic) -> None:
    """A use of a tool is a block with its input, streamed in pieces of JSON; its result is read."""
    create = anthropic_client.messages.create
    reply = create(model="tiny", max_tokens=99, messages=_user(CALL), tools=[WEATHER])
    assert reply.stop_reason == "tool_use"
    (block,) = [block for block in reply.content if block.type == "tool_use"]
    assert (block.name, block.input) == ("weather", {"city": "Oslo"})
    with anthropic_client.messages.stream(
        model="tiny", max_tokens=99, messages=_user(CALL), tools=[WEATHER], tool_choice={"type": "any"}
    ) as stream:
        final = stream.get_final_message()
    assert [(block.name, block.input) for block in final.content if block.type == "tool_use"] == [
        ("weather", {"city": "Oslo"})
    ]
    answered = create(
        model="tiny",
        max_tokens=99,
        tools=[WEATHER],
        messages=[
            *_user("How is it?"),
            {"role": "assistant", "content": [block.model_dump()]},  # type: ignore[list-item]
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": block.id, "content": [{"type": "text", "text": "snow"}]}
                ],
            },
        ],
    )
    assert "snow" in answered.content[0].text  # type: ignore[union-attr]


def test_thoughts_are_blocks_of_their_own_where_they_are_wanted(anthropic_client: anthropic.Anthropic) -> None:
    """With thinking enabled a block of thoughts comes first, streamed or not; without, none comes."""
    asked: Any = {"model": "tiny", "max_tokens": 2000, "messages": _user("/think hm | Yes.")}
    thinking: Any = {"type": "enabled", "budget_tokens": 1024}
    whole = anthropic_client.messages.create(**asked, thinking=thinking)
    assert [block.type for block in whole.content] == ["thinking", "text"]
    with anthropic_client.messages.stream(**asked, thinking=thinking) as stream:
        final = stream.get_final_message()
    assert [block.type for block in final.content] == ["thinking", "text"]
    assert final.content[0].thinking.strip() == "hm"  # type: ignore[union-attr]
    turns: Any = [*_user("x"), {"role": "assistant", "content": final.model_dump()["content"]}, *_user("/say ok")]
    assert anthropic_client.messages.create(model="tiny", max_tokens=9, messages=turns).content
    assert [block.type for block in anthropic_client.messages.create(**asked).content] == ["text"]


def test_an_answer_by_schema(running: Home) -> None:
    """output_config binds the answer."""
    form = {"format": {"type": "json_schema", "schema": {"type": "object"}}}
    body = {"model": "tiny", "max_tokens": 9, "messages": _user("x"), "output_config": form}
    assert httpx.post(f"{running.url}/v1/messages", json=body, timeout=60).json()["content"][0]["text"] == "{}"


def test_models_are_listed(anthropic_client: anthropic.Anthropic) -> None:
    """Anthropic's client reads the same list of models."""
    assert {model.id for model in anthropic_client.models.list()} == {"tiny", "tiny:memory", "tiny-embed"}
    assert anthropic_client.models.retrieve("tiny:memory").display_name == "tiny:memory"


def test_pain_31_a_long_prompt_is_refused_with_both_counts(anthropic_client: anthropic.Anthropic) -> None:
    """pain 31: the refusal names the prompt's tokens and the context's, streamed or not."""
    for stream in (False, True):
        with pytest.raises(anthropic.BadRequestError, match=r"the prompt has \d{4,} tokens, the context holds \d+"):
            anthropic_client.messages.create(model="tiny", max_tokens=9, messages=_user("word " * 9000), stream=stream)


def test_pain_39_a_death_in_the_middle_is_an_error_event(anthropic_client: anthropic.Anthropic) -> None:
    """pain 39: a worker that dies ends its stream with an error event; the next message is answered."""
    with pytest.raises(anthropic.APIStatusError, match="worker of tiny"):
        list(anthropic_client.messages.create(model="tiny", max_tokens=99, messages=_user("/die 40"), stream=True))
    assert anthropic_client.messages.create(model="tiny", max_tokens=9, messages=_user("/say back")).content


def test_errors_have_their_classes(anthropic_client: anthropic.Anthropic) -> None:
    """An unknown model is not found; what only Anthropic's servers can do is refused by name."""
    create: Any = anthropic_client.messages.create
    with pytest.raises(anthropic.NotFoundError) as caught:
        create(model="nobody", max_tokens=9, messages=_user("x"))
    assert caught.value.body["error"]["type"] == "not_found_error"  # type: ignore[index, call-overload]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    for change in (
        {"messages": [{"role": "user", "content": [image]}]},
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
    ):
        with pytest.raises(anthropic.BadRequestError, match=r"not (supported|available)"):
            create(**{"model": "tiny", "max_tokens": 9, "messages": _user("x"), **change})


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 0},
        {"max_tokens": None},
        {"messages": []},
        {"messages": "hello"},
        {"messages": [{"role": "wizard", "content": "x"}]},
        {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}]},
        {"temperature": 1.5},
        {"stop_sequences": ["x"] * 1000},
        {"stop_sequences": [""]},
        {"tool_choice": {"type": "tool"}},
        {"tool_choice": {"type": "tool", "name": "nothing"}},
        {"tools": [{"name": ""}]},
        {"model": ["tiny"]},
    ],
)
def test_wrong_values_are_400_in_anthropics_shape(running: Home, change: dict[str, Any]) -> None:
    """A wrong type or value is a 400 of the type invalid_request_error."""
    body = {"model": "tiny", "max_tokens": 9, "messages": _user("x"), **change}
    answer = httpx.post(f"{running.url}/v1/messages", json=body, timeout=60)
    assert answer.status_code == 400, answer.text
    assert (answer.json()["type"], answer.json()["error"]["type"]) == ("error", "invalid_request_error")
