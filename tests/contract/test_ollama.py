"""Ollama's paths as its official client sees them, against a daemon with scripted models."""

import json
from pathlib import Path
from typing import Any

import httpx
import ollama
import pytest

Home = Any
CALL = '/say <tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'


def weather(city: str) -> str:
    """
    The weather somewhere.

    Args:
        city: Where.
    """
    return f"snow in {city}"


def _user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def test_a_chat_whole_and_streamed(ollama_client: ollama.Client) -> None:
    """A chat gives its text, why it ended, token counts and durations in nanoseconds; streamed, line by line."""
    reply = ollama_client.chat(model="tiny", messages=_user("/say one two"))
    assert (reply.message.content, reply.done, reply.done_reason) == ("one two", True, "stop")
    assert reply.prompt_eval_count
    assert reply.eval_count
    assert reply.total_duration is not None
    assert reply.total_duration > 10_000
    lines = list(ollama_client.chat(model="tiny:latest", messages=_user("/count 30"), stream=True))
    assert "".join(line.message.content or "" for line in lines) == " ".join(map(str, range(1, 31)))
    assert [line.done for line in lines].count(True) == 1
    assert lines[-1].done
    assert lines[-1].model == "tiny:latest"


async def test_the_asynchronous_client_does_the_same(async_ollama_client: ollama.AsyncClient) -> None:
    """Chats, streams and vectors work for asynchronous programs too."""
    reply = await async_ollama_client.chat(model="tiny", messages=_user("/say one"))
    assert reply.message.content == "one"
    stream = await async_ollama_client.generate(model="tiny", prompt="/say one two", stream=True)
    assert "".join([line.response async for line in stream]) == "one two"
    assert len((await async_ollama_client.embed(model="tiny-embed", input=["a", "b"])).embeddings) == 2


def test_generate_takes_a_system_text_or_a_raw_prompt(ollama_client: ollama.Client) -> None:
    """A prompt goes through the template with its system text; raw it stands as it is."""
    assert ollama_client.generate(model="tiny", prompt="/say hi", system="Be brief.").response == "hi"
    assert ollama_client.generate(model="tiny", prompt="/say hi\n", raw=True).response == "hi"
    with pytest.raises(ollama.ResponseError, match="suffix") as caught:
        ollama_client.generate(model="tiny", prompt="a", suffix="b")
    assert caught.value.status_code == 400


def test_options_are_kept(ollama_client: ollama.Client) -> None:
    """num_predict and stop end a reply; -1 is no limit; what is the daemon's own is skipped."""
    short = ollama_client.chat(model="tiny", messages=_user("/count 50"), options={"num_predict": 3})
    assert short.done_reason == "length"
    options: dict[str, Any] = {"stop": ["3"], "num_predict": -1, "seed": -1, "num_gpu": 99, "top_k": 40, "numa": True}
    stopped = ollama_client.chat(model="tiny", messages=_user("/count 50"), options=options)
    assert stopped.message.content == "1 2 "


def test_tools_are_called_with_arguments_as_an_object(ollama_client: ollama.Client) -> None:
    """A Python function serves as a tool; its call comes whole, streamed or not, and its answer is read."""
    reply = ollama_client.chat(model="tiny", messages=_user(CALL), tools=[weather])
    calls = reply.message.tool_calls or []
    assert [(call.function.name, call.function.arguments) for call in calls] == [("weather", {"city": "Oslo"})]
    streamed = [
        call
        for line in ollama_client.chat(model="tiny", messages=_user(CALL), tools=[weather], stream=True)
        for call in line.message.tool_calls or []
    ]
    assert [(call.function.name, call.function.arguments) for call in streamed] == [("weather", {"city": "Oslo"})]
    turns = [*_user("How is it?"), reply.message, {"role": "tool", "content": weather("Oslo"), "tool_name": "weather"}]
    assert "snow in Oslo" in (ollama_client.chat(model="tiny", messages=turns, tools=[weather]).message.content or "")


@pytest.mark.parametrize("think", [True, None, "high"])
def test_thoughts_travel_apart(ollama_client: ollama.Client, think: Any) -> None:
    """What a model thinks is in `thinking`, in chats and generations, streamed too."""
    reply = ollama_client.chat(model="tiny", messages=_user("/think hm | Yes."), think=think)
    assert ((reply.message.thinking or "").strip(), (reply.message.content or "").strip()) == ("hm", "Yes.")
    lines = list(ollama_client.generate(model="tiny", prompt="/think hm | Yes.", think=think, stream=True))
    assert "".join(line.thinking or "" for line in lines).strip() == "hm"


def test_unwanted_thoughts_are_left_out(ollama_client: ollama.Client) -> None:
    """With think false nothing of them is shown."""
    reply = ollama_client.chat(model="tiny", messages=_user("/think hm | Yes."), think=False)
    assert (reply.message.thinking, (reply.message.content or "").strip()) == (None, "Yes.")


def test_an_answer_in_json(ollama_client: ollama.Client) -> None:
    """`json` or a schema bind the answer."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    for form in ("json", schema):
        reply = ollama_client.chat(model="tiny", messages=_user("x"), format=form)  # type: ignore[arg-type]
        assert json.loads(reply.message.content or "") == {}


def test_vectors_new_and_old(ollama_client: ollama.Client) -> None:
    """`embed` takes one text, several or none, and shortens on request; `embeddings` takes one."""
    assert len(ollama_client.embed(model="tiny-embed", input="a").embeddings) == 1
    both = ollama_client.embed(model="tiny-embed", input=["a", "b"], dimensions=8)
    assert [len(row) for row in both.embeddings] == [8, 8]
    assert ollama_client.embed(model="tiny-embed", input=[]).embeddings == []
    assert len(ollama_client.embeddings(model="tiny-embed", prompt="a").embedding) == 64
    with pytest.raises(ollama.ResponseError):
        ollama_client.embed(model="tiny", input="a")


def test_a_model_is_loaded_and_unloaded_by_an_empty_request(ollama_client: ollama.Client) -> None:
    """Without a prompt a model is loaded for as long as keep_alive says; 0 unloads it; -1 keeps it."""
    assert ollama_client.generate(model="tiny", prompt="", keep_alive=-1).done_reason == "load"
    listed = {model.model: model for model in ollama_client.ps().models}
    assert listed["tiny:latest"].expires_at is not None
    assert listed["tiny:latest"].expires_at.year == 9999
    ollama_client.chat(model="tiny", messages=[], keep_alive="10m")
    (kept,) = (model for model in ollama_client.ps().models if model.model == "tiny:latest")
    assert kept.expires_at is not None
    assert kept.expires_at.year < 9999
    assert ollama_client.chat(model="tiny", messages=[], keep_alive=0).done_reason == "unload"
    assert "tiny:latest" not in {model.model for model in ollama_client.ps().models}
    with pytest.raises(ollama.ResponseError, match="keep_alive"):
        ollama_client.generate(model="tiny", prompt="x", keep_alive="soon")


def test_models_are_listed_and_shown(ollama_client: ollama.Client, running: Home) -> None:
    """Each model by its tags, chat models with `memory` too; what they can; the server's version and greeting."""
    names = {model.model for model in ollama_client.list().models}
    assert names == {"tiny:latest", "tiny:memory", "tiny-embed:latest"}
    assert ollama_client.show("tiny").capabilities == ["completion", "tools"]
    assert ollama_client.show("tiny-embed:latest").capabilities == ["embedding"]
    with pytest.raises(ollama.ResponseError, match="nobody") as caught:
        ollama_client.show("nobody")
    assert caught.value.status_code == 404
    assert httpx.head(running.url).status_code == 200
    assert httpx.get(running.url, timeout=60).text == "reverie is running"
    assert httpx.get(f"{running.url}/api/version", timeout=60).json()["version"]


def test_a_model_is_copied_and_deleted(ollama_client: ollama.Client, running: Home) -> None:
    """A copy answers like the model it was made of; a name that is taken is refused; deleted, it is gone."""
    ollama_client.copy("tiny", "second:one")
    assert ollama_client.chat(model="second:one", messages=_user("/say hi")).message.content == "hi"
    with pytest.raises(ollama.ResponseError, match="taken") as caught:
        ollama_client.copy("tiny", "tiny-embed")
    assert caught.value.status_code == 409
    ollama_client.delete("second:one")
    with pytest.raises(ollama.ResponseError):
        ollama_client.show("second:one")
    assert not list(running.paths.models_dir.glob("second*"))


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", ".git/config", "a b", "x" * 300, "a/b/c/d", "x:y:z", "…"])
def test_what_is_no_name_is_refused(running: Home, name: str) -> None:
    """A copy gets a name as Ollama allows it, or is refused with a 400 that says so and tells no path."""
    answer = httpx.post(f"{running.url}/api/copy", json={"source": "tiny", "destination": name}, timeout=60)
    assert (answer.status_code, "is no model's name" in answer.json()["error"]) == (400, True), answer.text
    assert str(running.folder) not in answer.text


@pytest.mark.parametrize("stream", [True, False])
def test_a_name_too_long_for_a_file_cannot_be_pulled(running: Home, stream: bool) -> None:
    """It is a 400 that tells no path, not a failure of the disk."""
    for path, body in (("/api/pull", {"model": "x" * 300, "stream": stream}), ("/models/pull", {"source": "x" * 300})):
        answer = httpx.post(f"{running.url}{path}", json=body, timeout=60)
        assert (answer.status_code, "too many" in answer.json()["error"]) == (400, True), answer.text
        assert str(running.folder) not in answer.text


def test_a_pull_tells_its_progress(ollama_client: ollama.Client, running: Home, tmp_path: Path) -> None:
    """Pulling what cannot be had ends with an error, as the last line or as the status; nothing is left behind."""
    (tmp_path / "page.gguf").write_text("<html>")
    with pytest.raises(ollama.ResponseError, match=r"page\.gguf"):
        list(ollama_client.pull(str(tmp_path / "page.gguf"), stream=True))
    with pytest.raises(ollama.ResponseError, match=r"page\.gguf") as caught:
        ollama_client.pull(str(tmp_path / "page.gguf"))
    assert caught.value.status_code == 422
    lines = httpx.post(
        f"{running.url}/api/pull", json={"model": str(tmp_path / "none.gguf")}, timeout=60
    ).text.splitlines()
    assert json.loads(lines[0]) == {"status": "pulling manifest"}
    assert "error" in json.loads(lines[-1])


def test_what_is_not_here_says_so(ollama_client: ollama.Client, running: Home) -> None:
    """Creating and pushing are 501 with the way that works here; images are refused by name."""
    with pytest.raises(ollama.ResponseError, match=r"model\.toml") as caught:
        ollama_client.create(model="x", from_="tiny")
    assert caught.value.status_code == 501
    for path, body in (
        ("chat", {"messages": [{"role": "user", "content": "what is it?", "images": ["aGk="]}]}),
        ("generate", {"prompt": "what is it?", "images": ["aGk="]}),
    ):
        answer = httpx.post(f"{running.url}/api/{path}", json={"model": "tiny", **body}, timeout=60)
        assert answer.status_code == 400
        assert "images" in answer.json()["error"]


def test_pain_31_a_long_prompt_is_cut_only_on_request(ollama_client: ollama.Client, running: Home) -> None:
    """pain 31: Ollama cuts silently; here it is a 400 with both counts, unless truncate is set."""
    long = [*_user("word " * 9000), {"role": "assistant", "content": "ok"}, *_user("/say short")]
    with pytest.raises(ollama.ResponseError, match=r"the prompt has \d{4,} tokens, the context holds \d+") as caught:
        ollama_client.chat(model="tiny", messages=long)
    assert caught.value.status_code == 400
    cut = httpx.post(
        f"{running.url}/api/chat",
        json={"model": "tiny", "messages": long, "truncate": True, "stream": False},
        timeout=60,
    )
    assert cut.json()["message"]["content"] == "short"


def test_pain_39_a_death_in_the_middle_is_a_line_with_the_error(ollama_client: ollama.Client) -> None:
    """pain 39: a worker that dies ends its stream with an error; the next request is answered."""
    with pytest.raises(ollama.ResponseError, match="worker of tiny"):
        list(ollama_client.chat(model="tiny", messages=_user("/die 40"), stream=True))
    assert ollama_client.chat(model="tiny", messages=_user("/say back")).message.content == "back"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("chat", {"model": ""}),
        ("chat", {"model": 7}),
        ("chat", {"messages": [{"role": "wizard", "content": "x"}]}),
        ("chat", {"messages": [{"role": "user", "content": 7}]}),
        ("chat", {"options": {"temperature": "hot"}}),
        ("chat", {"options": {"temperature": -1}}),
        ("chat", {"options": {"num_predict": -7}}),
        ("chat", {"options": {"num_ctx": -1}}),
        ("chat", {"options": {"seed": 2**70}}),
        ("chat", {"options": {"stop": ["x"] * 1000}}),
        ("chat", {"think": 7}),
        ("generate", {"format": 7}),
        ("generate", {"format": "xml"}),
        ("generate", {"template": "{{ .Prompt }}"}),
        ("embed", {"input": [7]}),
        ("show", {"model": None}),
        ("copy", {"source": "tiny"}),
    ],
)
def test_wrong_values_are_400_in_ollamas_shape(running: Home, path: str, body: dict[str, Any]) -> None:
    """A wrong type or value is a 400 whose `error` is one line of text that names it."""
    base: dict[str, Any] = {"model": "tiny", "messages": _user("x"), "prompt": "x"}
    answer = httpx.post(f"{running.url}/api/{path}", json={**base, **body}, timeout=60)
    assert answer.status_code == 400, answer.text
    assert isinstance(answer.json()["error"], str)
