"""OpenAI's paths as the official client sees them, against a daemon with a scripted model."""

import base64
import struct
from typing import Any

import httpx
import openai
import pytest

Home = Any


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_a_whole_reply_with_its_usage(client: openai.OpenAI) -> None:
    """A chat without streaming gives the text, why it ended, and the tokens it took."""
    reply = client.chat.completions.create(model="tiny", messages=_user("/say Good morning to you"))
    assert reply.choices[0].message.content == "Good morning to you"
    assert (reply.choices[0].finish_reason, reply.object, reply.model) == ("stop", "chat.completion", "tiny")
    assert reply.usage is not None
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


def test_a_streamed_reply_ends_with_its_usage(client: openai.OpenAI) -> None:
    """A stream opens with the role, brings the text in pieces, says once why it ended, and last the usage."""
    chunks = list(
        client.chat.completions.create(
            model="tiny", messages=_user("/count 20"), stream=True, stream_options={"include_usage": True}
        )
    )
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == " ".join(map(str, range(1, 21)))
    assert [c.choices[0].finish_reason for c in chunks if c.choices and c.choices[0].finish_reason] == ["stop"]
    assert chunks[-1].usage is not None
    assert len({chunk.id for chunk in chunks}) == 1


async def test_the_asynchronous_client_does_the_same(async_client: openai.AsyncOpenAI) -> None:
    """Streams work for asynchronous programs too."""
    stream = await async_client.chat.completions.create(model="tiny", messages=_user("/say one two"), stream=True)
    assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "one two"


def test_limits_and_stops_are_kept(client: openai.OpenAI) -> None:
    """max_tokens ends a reply with `length`; a stop string ends it and is not part of it."""
    short = client.chat.completions.create(model="tiny", messages=_user("/count 50"), max_tokens=3)
    assert short.choices[0].finish_reason == "length"
    stopped = client.chat.completions.create(model="tiny", messages=_user("/say one two three"), stop=["two"])
    assert stopped.choices[0].message.content == "one "
    assert stopped.choices[0].finish_reason == "stop"


def test_parts_and_roles_are_understood(client: openai.OpenAI) -> None:
    """Text parts are joined, `developer` is a system turn; an image is refused by name."""
    reply = client.chat.completions.create(
        model="tiny",
        messages=[
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "/say parts"}]},
        ],
    )
    assert reply.choices[0].message.content == "parts"
    with pytest.raises(openai.BadRequestError, match="image_url"):
        client.chat.completions.create(
            model="tiny",
            messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}],
        )


def test_reasoning_travels_apart(client: openai.OpenAI) -> None:
    """What the model thinks is no part of what it says."""
    reply = client.chat.completions.create(model="tiny", messages=_user("/think hm, let me see | Yes."))
    message = reply.choices[0].message
    assert (message.content or "").strip() == "Yes."
    assert "let me see" in (message.model_extra or {})["reasoning_content"]


def test_a_missing_model_is_404_with_the_next_step(client: openai.OpenAI) -> None:
    """A known model that is not here is named with the command that fetches it; an unknown one with its neighbours."""
    with pytest.raises(openai.NotFoundError, match="reverie models pull smollm2-135m-instruct") as caught:
        client.chat.completions.create(model="smollm2-135m-instruct", messages=_user("hello"))
    assert caught.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError, match="tiny"):
        client.chat.completions.create(model="tinny", messages=_user("hello"))


@pytest.mark.parametrize("stream", [False, True])
def test_pain_31_a_prompt_longer_than_the_context_is_400_with_both_counts(client: openai.OpenAI, stream: bool) -> None:
    """pain 31: nothing is cut silently: the refusal names the prompt's tokens and the context's."""
    with pytest.raises(openai.BadRequestError, match=r"the prompt has \d{4,} tokens, the context holds \d+") as caught:
        client.chat.completions.create(model="tiny", messages=_user("word " * 9000), stream=stream)
    assert caught.value.code == "context_length_exceeded"
    cut = client.chat.completions.create(
        model="tiny",
        messages=[*_user("word " * 9000), {"role": "assistant", "content": "ok"}, *_user("/say short")],
        extra_body={"truncate": "oldest"},
    )
    assert cut.choices[0].message.content == "short"


def test_pain_39_a_worker_that_dies_in_a_reply_ends_that_reply_alone(running: Home, client: openai.OpenAI) -> None:
    """pain 39: the client gets an error event, the daemon lives, the next request loads the model anew."""
    texts: list[str] = []
    with pytest.raises(openai.APIError, match="tiny"):
        stream = client.chat.completions.create(model="tiny", messages=_user("/die 40"), stream=True)
        texts.extend(chunk.choices[0].delta.content or "" for chunk in stream)
    assert set("".join(texts).split()) == {"word"}
    with pytest.raises(openai.InternalServerError):
        client.chat.completions.create(model="tiny", messages=_user("/die 5"))
    assert (
        client.chat.completions.create(model="tiny", messages=_user("/say back")).choices[0].message.content == "back"
    )
    assert running.process.poll() is None
    assert any(event.kind == "model_died" for event in _recent(running))


def test_a_client_that_hangs_up_frees_its_slot(running: Home, client: openai.OpenAI) -> None:
    """When the client goes away in the middle, the generation ends, and nothing of it stays active."""
    stream = client.chat.completions.create(model="tiny", messages=_user("/count 3500"), stream=True)
    next(iter(stream))
    stream.close()
    running.until(
        lambda: not any(worker.active for worker in running.client.status().workers if worker.model == "tiny")
    )


def test_pain_37_polling_status_and_metrics_does_not_keep_a_model(running: Home, client: openai.OpenAI) -> None:
    """pain 37: status, metrics, health and model lists touch no idle timer and load nothing."""
    client.chat.completions.create(model="tiny", messages=_user("/say hi"))
    before = next(worker for worker in running.client.status().workers if worker.model == "tiny").unload_in_s
    assert before is not None
    for _ in range(5):
        running.client.metrics()
        running.client.health()
        running.client.models()
        client.models.list()
    after = next(worker for worker in running.client.status().workers if worker.model == "tiny").unload_in_s
    assert after is not None
    assert after < before
    running.client.unload("tiny")
    running.client.metrics()
    running.client.status()
    assert not any(worker.model == "tiny" for worker in running.client.status().workers)


def test_embeddings_as_numbers_and_as_base64(client: openai.OpenAI, running: Home) -> None:
    """The official client asks for base64, others for numbers; both are the same unit vectors, in order."""
    texts = ["a cat", "a dog", "a cat"]
    reply = client.embeddings.create(model="tiny-embed", input=texts)
    assert [item.index for item in reply.data] == [0, 1, 2]
    assert reply.data[0].embedding == reply.data[2].embedding != reply.data[1].embedding
    assert abs(sum(value * value for value in reply.data[0].embedding) - 1) < 1e-5
    with running.http() as http:
        asked = {"model": "tiny-embed", "input": "a cat", "encoding_format": "base64"}
        raw = base64.b64decode(http.post("/v1/embeddings", json=asked).json()["data"][0]["embedding"])
    assert list(struct.unpack(f"<{len(raw) // 4}f", raw)) == pytest.approx(reply.data[0].embedding)
    short = client.embeddings.create(model="tiny-embed", input="a cat", dimensions=8, encoding_format="float")
    assert len(short.data[0].embedding) == 8
    with pytest.raises(openai.BadRequestError, match="dimensions"):
        client.embeddings.create(model="tiny-embed", input="a cat", dimensions=100_000)
    with pytest.raises(openai.BadRequestError):
        client.embeddings.create(model="tiny", input="a cat")


def test_pain_31_a_text_too_long_for_its_vector_is_cut_only_on_request(client: openai.OpenAI, running: Home) -> None:
    """pain 31: the refusal names both counts; with truncate the beginning counts. Ollama's path cuts."""
    long = "word " * 600
    with pytest.raises(openai.BadRequestError, match="600 tokens, the model's window holds 512: split it"):
        client.embeddings.create(model="tiny-embed", input=["short", long])
    cut = client.embeddings.create(model="tiny-embed", input=long, extra_body={"truncate": True})
    assert cut.usage.total_tokens == 600
    for truncate, status in ((None, 200), (True, 200), (False, 400)):
        body = {"model": "tiny-embed", "input": long, "truncate": truncate}
        assert httpx.post(f"{running.url}/api/embed", json=body, timeout=60).status_code == status


def test_models_are_listed_under_both_names(client: openai.OpenAI) -> None:
    """A chat model has its plain name and one with memory; an embedding model one."""
    assert {model.id for model in client.models.list()} == {"tiny", "tiny:memory", "tiny-embed"}
    assert client.models.retrieve("tiny:memory").id == "tiny:memory"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("nobody")


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"temperature": -1}, "temperature"),
        ({"top_p": 7}, "top_p"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"n": 99}, "n"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "messages"),
        ({"response_format": {"type": "xml"}}, "response_format"),
        ({"keep_alive": "soon"}, "keep_alive"),
    ],
)
def test_wrong_values_are_400_and_named(running: Home, change: dict[str, object], param: str) -> None:
    """A value that no model could serve is refused with its name before anything is loaded."""
    body = {"model": "tiny", "messages": _user("x"), **change}
    answer = httpx.post(f"{running.url}/v1/chat/completions", json=body, timeout=60)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["param"].startswith(param)


def _recent(running: Home) -> list[Any]:
    """Events kept so far."""
    found = []
    with running.client.events(since=0) as stream:
        running.client.unload("tiny")  # makes one more event, so that reading ends
        for event in stream:
            found.append(event)
            if event.kind == "model_unloaded":
                break
    return found
