"""OpenAI's Responses as the official client sees them, against a daemon with scripted models."""

import json
from typing import Any

import httpx
import openai
import pytest

Home = Any
WEATHER: Any = {
    "type": "function",
    "name": "weather",
    "description": "The weather somewhere",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "strict": True,
}
CALL = '/say <tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'


def test_a_response_whole(client: openai.OpenAI) -> None:
    """A response gives its text as an item, its status, and its usage."""
    found = client.responses.create(model="tiny", input="/say one two", instructions="Be brief.")
    assert (found.output_text, found.status, found.object) == ("one two", "completed", "response")
    assert found.usage is not None
    assert found.usage.total_tokens == found.usage.input_tokens + found.usage.output_tokens > 0
    cut = client.responses.create(model="tiny", input="/count 90", max_output_tokens=3)
    assert cut.status == "incomplete"
    assert cut.incomplete_details is not None
    assert cut.incomplete_details.reason == "max_output_tokens"


def test_a_response_streamed(client: openai.OpenAI) -> None:
    """The client's own accumulation gives the same text; events are numbered, in OpenAI's order."""
    with client.responses.stream(model="tiny", input="/count 20") as stream:
        text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        final = stream.get_final_response()
    assert text == final.output_text == " ".join(map(str, range(1, 21)))
    events = list(client.responses.create(model="tiny", input="/say a", stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


async def test_the_asynchronous_client_does_the_same(async_client: openai.AsyncOpenAI) -> None:
    """Responses and streams work for asynchronous programs too."""
    assert (await async_client.responses.create(model="tiny", input="/say one")).output_text == "one"
    async with async_client.responses.stream(model="tiny", input="/say one two") as stream:
        assert (await stream.get_final_response()).output_text == "one two"


def test_tools_are_called_and_answered(client: openai.OpenAI) -> None:
    """A call is an item, streamed in pieces of its arguments; sent back with its output, it is read."""
    found = client.responses.create(model="tiny", input=CALL, tools=[WEATHER])
    (call,) = [item for item in found.output if item.type == "function_call"]
    assert (call.name, json.loads(call.arguments)) == ("weather", {"city": "Oslo"})
    with client.responses.stream(model="tiny", input=CALL, tools=[WEATHER], tool_choice="required") as stream:
        final = stream.get_final_response()
    assert [item.name for item in final.output if item.type == "function_call"] == ["weather"]
    answered = client.responses.create(
        model="tiny",
        tools=[WEATHER],
        input=[
            {"role": "user", "content": [{"type": "input_text", "text": "How is it?"}]},
            call.model_dump(),  # type: ignore[list-item]
            {"type": "function_call_output", "call_id": call.call_id, "output": "snow"},
        ],
    )
    assert "snow" in answered.output_text


def test_reasoning_is_an_item_of_its_own(client: openai.OpenAI) -> None:
    """What a model thinks comes first, apart from its text, whole and streamed, and may be sent back."""
    found = client.responses.create(model="tiny", input="/think hm | Yes.")
    assert [item.type for item in found.output] == ["reasoning", "message"]
    with client.responses.stream(model="tiny", input="/think hm | Yes.") as stream:
        final = stream.get_final_response()
    assert [item.type for item in final.output] == ["reasoning", "message"]
    sent: Any = [item.model_dump() for item in final.output]
    assert (
        client.responses.create(model="tiny", input=[*sent, {"role": "user", "content": "/say ok"}]).output_text == "ok"
    )


def test_an_answer_by_schema(client: openai.OpenAI) -> None:
    """text.format binds the answer."""
    form: Any = {"format": {"type": "json_schema", "name": "thing", "schema": {"type": "object"}}}
    assert client.responses.create(model="tiny", input="x", text=form).output_text == "{}"
    assert (
        client.responses.create(model="tiny", input="x", text={"format": {"type": "json_object"}}).output_text == "{}"
    )


def test_pain_31_a_long_input_is_cut_only_on_request(client: openai.OpenAI) -> None:
    """pain 31: a 400 with both counts; with truncation auto the oldest turns go."""
    long: Any = [
        {"role": "user", "content": "word " * 9000},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "/say short"},
    ]
    with pytest.raises(openai.BadRequestError, match=r"the prompt has \d{4,} tokens, the context holds \d+"):
        client.responses.create(model="tiny", input=long)
    assert client.responses.create(model="tiny", input=long, truncation="auto").output_text == "short"


def test_pain_39_a_death_in_the_middle_is_a_failed_response(client: openai.OpenAI) -> None:
    """pain 39: a worker that dies ends its stream with a failed response; the next one is answered."""
    events = list(client.responses.create(model="tiny", input="/die 40", stream=True))
    assert events[-1].type == "response.failed"
    assert events[-1].response.error is not None
    assert "worker of tiny" in events[-1].response.error.message
    assert client.responses.create(model="tiny", input="/say back").output_text == "back"


@pytest.mark.parametrize(
    "change",
    [
        {"previous_response_id": "resp_1"},
        {"conversation": "conv_1"},
        {"background": True},
        {"tools": [{"type": "web_search"}]},
        {"tool_choice": {"type": "function", "name": "nothing"}},
        {"input": []},
        {"input": [{"type": "item_reference", "id": "x"}]},
        {"input": [{"content": "x"}]},
        {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "data:,"}]}]},
        {"text": {"format": {"type": "json_schema"}}},
        {"max_output_tokens": -1},
        {"temperature": "hot"},
    ],
)
def test_what_cannot_be_served_is_400_and_named(running: Home, change: dict[str, Any]) -> None:
    """What needs a store, hosted tools, images or wrong values is refused in OpenAI's shape."""
    answer = httpx.post(f"{running.url}/v1/responses", json={"model": "tiny", "input": "x", **change}, timeout=60)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_responses_are_not_stored(client: openai.OpenAI) -> None:
    """Asking for an earlier response is a 404 that says why."""
    with pytest.raises(openai.NotFoundError, match="not stored"):
        client.responses.retrieve("resp_1")
