"""Models on another machine: one daemon uses another, as it would any OpenAI-compatible server."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

Home = Any
WEATHER: Any = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}
CALL = '/say <tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
ENTRY = '[[models.remote]]\nname = "{name}"\nbase_url = "{url}/v1"\nmodel = "{model}"\nkind = "{kind}"\n'


@pytest.fixture(scope="module")
def near(running: Home, tmp_path_factory: pytest.TempPathFactory, home_class: Any) -> Iterator[Home]:
    """A daemon without a model of its own, which may use those of *running*."""
    home = home_class(tmp_path_factory.mktemp("near"))
    entries = [
        ENTRY.format(name="big", url=running.url, model="tiny", kind="chat"),
        ENTRY.format(name="big-embed", url=running.url, model="tiny-embed", kind="embed"),
        ENTRY.format(name="nowhere", url="http://127.0.0.1:9", model="x", kind="chat"),
        ENTRY.format(name="wrong", url=running.url, model="nobody", kind="chat"),
    ]
    home.configure("[models]\nembed = ''\n" + "".join(entries))
    home.start()
    yield home
    home.close()


@pytest.fixture
def near_client(near: Home) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{near.url}/v1", api_key="none", max_retries=0, timeout=60) as made:
        yield made


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_a_remote_model_answers_like_one_at_home(near_client: openai.OpenAI) -> None:
    """Chats whole and streamed, with usage, limits, several answers, thoughts, forms and raw prompts."""
    chat = near_client.chat.completions
    whole = chat.create(model="big", messages=_user("/say one two"), n=2)
    assert [choice.message.content for choice in whole.choices] == ["one two", "one two"]
    assert whole.usage is not None
    assert whole.usage.completion_tokens > 0
    chunks = list(chat.create(model="big", messages=_user("/count 20"), stream=True))
    text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
    assert text == " ".join(map(str, range(1, 21)))
    assert chat.create(model="big", messages=_user("/count 20"), max_tokens=3).choices[0].finish_reason == "length"
    thinking = chat.create(model="big", messages=_user("/think hm | Yes.")).choices[0].message
    assert (thinking.model_extra or {})["reasoning_content"].strip() == "hm"
    form: Any = {"type": "json_object"}
    assert chat.create(model="big", messages=_user("x"), response_format=form).choices[0].message.content == "{}"
    assert near_client.completions.create(model="big", prompt="/say hi\n").choices[0].text == "hi"


def test_a_remote_model_calls_tools(near_client: openai.OpenAI) -> None:
    """Calls arrive with their names and arguments."""
    reply = near_client.chat.completions.create(model="big", messages=_user(CALL), tools=[WEATHER])
    calls: Any = reply.choices[0].message.tool_calls
    assert (calls[0].function.name, json.loads(calls[0].function.arguments)) == ("weather", {"city": "Oslo"})


def test_vectors_come_from_there_too(near_client: openai.OpenAI, running: Home) -> None:
    """A remote embedding model gives the vectors that its server gives."""
    here = near_client.embeddings.create(model="big-embed", input=["a", "b"], encoding_format="float")
    asked = {"model": "tiny-embed", "input": ["a", "b"]}
    there = httpx.post(f"{running.url}/v1/embeddings", json=asked, timeout=60).json()
    assert here.data[1].embedding == pytest.approx(there["data"][1]["embedding"], abs=1e-6)


def test_memory_stays_at_home(near: Home, near_client: openai.OpenAI, running: Home) -> None:
    """`:memory` reads and writes the near daemon's vault, and leaves the far one's alone."""
    near_client.chat.completions.create(model="big:memory", messages=_user("My favourite tea is Oolong."))
    reply = near_client.chat.completions.create(model="big:memory", messages=_user("What is my favourite tea?"))
    assert "Oolong" in (reply.choices[0].message.content or "")
    assert any("Oolong" in fact.value for fact in near.client.facts() if fact.value)
    assert not running.client.facts()


def test_remote_models_are_listed_and_never_chosen(near: Home) -> None:
    """They stand in every list with their source; without a name in the request none of them is asked."""
    listed = {model.name: model.source for model in near.client.models() if model.installed}
    assert set(listed) == {"big", "big-embed", "nowhere", "wrong"}
    assert "tiny at http://" in (listed["big"] or "")
    assert near.client.status().chat_model is None
    assert {"big:latest", "big:memory"} <= {
        each["name"] for each in httpx.get(f"{near.url}/api/tags", timeout=60).json()["models"]
    }
    assert httpx.delete(f"{near.url}/models", params={"name": "big"}, timeout=60).status_code == 400
    assert httpx.post(f"{near.url}/models/load", json={"name": "big"}, timeout=60).status_code == 400


def test_failures_over_there_are_told(near_client: openai.OpenAI) -> None:
    """An unreachable server, an unknown model there, a refusal and a death: each with its words and status."""
    chat = near_client.chat.completions
    with pytest.raises(openai.InternalServerError, match="nowhere"):
        chat.create(model="nowhere", messages=_user("x"))
    with pytest.raises(openai.InternalServerError, match="no model is called 'nobody'"):
        chat.create(model="wrong", messages=_user("x"))
    with pytest.raises(openai.BadRequestError, match=r"the prompt has \d{4,} tokens"):
        chat.create(model="big", messages=_user("word " * 9000))
    with pytest.raises(openai.APIError, match="worker of tiny"):
        list(chat.create(model="big", messages=_user("/die 40"), stream=True))
    assert chat.create(model="big", messages=_user("/say back")).choices[0].message.content == "back"


def test_offline_means_that_nobody_is_asked(running: Home, new_home: Any) -> None:
    """With models.offline no remote model is listed or used, not even one on this machine."""
    home = new_home()
    home.configure(
        "[models]\noffline = true\nembed = ''\n" + ENTRY.format(name="big", url=running.url, model="tiny", kind="chat")
    )
    home.start()
    assert not [model for model in home.client.models() if model.installed]
    before = running.client.metrics().count("/v1/chat/completions")
    answer = httpx.post(f"{home.url}/v1/chat/completions", json={"model": "big", "messages": _user("x")}, timeout=60)
    assert answer.status_code == 403
    assert "offline" in answer.json()["error"]["message"]
    assert running.client.metrics().count("/v1/chat/completions") == before


def test_wrong_entries_are_named(new_home: Any) -> None:
    """An entry without an address, or with a word that is none, ends the start with its line."""
    home = new_home()
    home.configure('[models]\n[[models.remote]]\nname = "big"\nmodel = "x"\n')
    home.start(ready=False)
    code, said = home.ended()
    assert code == 6
    assert "base_url" in said
