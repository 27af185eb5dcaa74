"""OpenAI's raw completions, tools, forms and ranks as clients see them."""

import json
from typing import Any

import httpx
import openai
import pytest

Home = Any
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
CALL = '/say <tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_a_raw_prompt_is_completed_as_it_stands(client: openai.OpenAI) -> None:
    """The prompt meets no chat template; echo puts it before the answer; usage is counted."""
    reply = client.completions.create(model="tiny", prompt="/say one two three\n", max_tokens=50)
    assert (reply.object, reply.choices[0].text, reply.choices[0].finish_reason) == (
        "text_completion",
        "one two three",
        "stop",
    )
    assert reply.usage is not None
    assert reply.usage.completion_tokens > 0
    echoed = client.completions.create(model="tiny", prompt="/say one\n", echo=True)
    assert echoed.choices[0].text == "/say one\none"


def test_several_prompts_and_several_answers_are_counted_on(client: openai.OpenAI) -> None:
    """Of two prompts with n = 2 the answers 0 and 1 belong to the first; each prompt counts once."""
    reply = client.completions.create(model="tiny", prompt=["/say a\n", "/say b\n"], n=2)
    assert [(choice.index, choice.text) for choice in reply.choices] == [(0, "a"), (1, "a"), (2, "b"), (3, "b")]
    one = client.completions.create(model="tiny", prompt="/say a\n")
    assert reply.usage is not None
    assert one.usage is not None
    assert reply.usage.prompt_tokens == 2 * one.usage.prompt_tokens
    chunks = list(
        client.completions.create(
            model="tiny", prompt=["/say a\n", "/say b\n"], n=2, stream=True, stream_options={"include_usage": True}
        )
    )
    texts = dict.fromkeys(range(4), "")
    for chunk in chunks:
        for choice in chunk.choices:
            texts[choice.index] += choice.text
    assert texts == {0: "a", 1: "a", 2: "b", 3: "b"}
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == reply.usage.total_tokens


def test_log_probabilities_in_both_shapes(client: openai.OpenAI) -> None:
    """Completions give parallel lists, chats a list of tokens with their rivals; both are plain numbers."""
    old = client.completions.create(model="tiny", prompt="/say one two\n", logprobs=2)
    probabilities = old.choices[0].logprobs
    assert probabilities is not None
    assert probabilities.tokens == ["one", " two"]
    assert probabilities.text_offset == [0, 3]
    assert probabilities.token_logprobs is not None
    assert all(value is not None and value <= 0 for value in probabilities.token_logprobs)
    new = client.chat.completions.create(model="tiny", messages=_user("/say one two"), logprobs=True, top_logprobs=2)
    content = new.choices[0].logprobs
    assert content is not None
    assert content.content is not None
    assert [entry.token for entry in content.content][:2] == ["one", " two"]
    assert len(content.content[0].top_logprobs) == 2


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"suffix": "end"}, "suffix"),
        ({"best_of": 3}, "best_of"),
        ({"echo": True, "logprobs": 1}, "logprobs"),
        ({"prompt": None}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [-1]}, "prompt"),
        ({"prompt": [1, "a"]}, "prompt"),
        ({"prompt": ["x"] * 65}, "prompt"),
        ({"logprobs": 99}, "logprobs"),
        ({"model": "tiny:memory"}, "model"),
    ],
)
def test_what_a_completion_cannot_do_is_refused_by_name(running: Home, change: dict[str, Any], param: str) -> None:
    """Filling in, memory without a conversation, and wrong prompts are 400s in OpenAI's shape."""
    answer = httpx.post(f"{running.url}/v1/completions", json={"model": "tiny", "prompt": "x", **change}, timeout=60)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["param"].startswith(param)


def test_tools_are_called_whole_and_in_pieces(client: openai.OpenAI) -> None:
    """A call comes with its id, name and arguments; streamed, the name comes first, then the arguments in pieces."""
    reply = client.chat.completions.create(model="tiny", messages=_user(CALL), tools=[WEATHER])
    assert reply.choices[0].finish_reason == "tool_calls"
    calls: Any = reply.choices[0].message.tool_calls
    assert (calls[0].function.name, json.loads(calls[0].function.arguments)) == ("weather", {"city": "Oslo"})
    pieces: list[Any] = []
    for chunk in client.chat.completions.create(model="tiny", messages=_user(CALL), tools=[WEATHER], stream=True):
        pieces += chunk.choices[0].delta.tool_calls or []
    assert (pieces[0].function.name, pieces[0].id[:5], pieces[0].type) == ("weather", "call_", "function")
    assert json.loads("".join(piece.function.arguments for piece in pieces)) == {"city": "Oslo"}
    answered = client.chat.completions.create(
        model="tiny",
        messages=[
            *_user("How is it in Oslo?"),
            {"role": "assistant", "content": None, "tool_calls": [calls[0].model_dump()]},
            {"role": "tool", "tool_call_id": calls[0].id, "content": "snow"},
        ],
        tools=[WEATHER],
    )
    assert "snow" in (answered.choices[0].message.content or "")


def test_a_choice_of_tools_is_kept(client: openai.OpenAI) -> None:
    """`none` offers no tools; a tool that is not there, two of one name, and required without tools are refused."""
    silent = client.chat.completions.create(
        model="tiny", messages=_user("/say hi"), tools=[WEATHER], tool_choice="none"
    )
    assert silent.choices[0].message.content == "hi"
    forced = client.chat.completions.create(
        model="tiny",
        messages=_user(CALL),
        tools=[WEATHER],
        tool_choice={"type": "function", "function": {"name": "weather"}},
        parallel_tool_calls=False,
    )
    assert forced.choices[0].finish_reason == "tool_calls"
    other: Any = {"type": "function", "function": {"name": "other"}}
    for wrong in ({"tool_choice": other}, {"tools": [WEATHER, WEATHER]}, {"tools": [], "tool_choice": "required"}):
        with pytest.raises(openai.BadRequestError):
            asked: Any = {"tools": [WEATHER], **wrong}
            client.chat.completions.create(model="tiny", messages=_user("x"), **asked)


@pytest.mark.parametrize(
    "form",
    [
        {"response_format": {"type": "json_object"}},
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}},
        {"response_format": {"type": "json_object", "schema": {"type": "object"}}},
        {"json_schema": {"type": "object"}},
        {"guided_json": '{"type": "object"}'},
        {"guided_regex": r"\{\}"},
        {"guided_choice": ["{}", "no"]},
        {"guided_grammar": 'root ::= "{}"'},
        {"grammar": 'root ::= "{}"'},
        {"structured_outputs": {"regex": r"\{\}"}},
    ],
)
def test_forms_of_an_answer_by_each_servers_name(running: Home, form: dict[str, Any]) -> None:
    """OpenAI's response_format, llama.cpp's grammar and json_schema, vLLM's guided fields: all bind the answer."""
    body = {"model": "tiny", "messages": _user("x"), **form}
    answer = httpx.post(f"{running.url}/v1/chat/completions", json=body, timeout=60)
    assert answer.json()["choices"][0]["message"]["content"] == "{}", answer.text


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ({"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "objct"}}}}, "type"),
        ({"guided_regex": "(?<=a)b"}, "lookaround"),
        ({"guided_regex": "a", "grammar": 'root ::= "a"'}, "grammar"),
        ({"guided_json": "{"}, "guided_json"),
        ({"guided_choice": []}, "guided_choice"),
        ({"structured_outputs": {}}, "structured_outputs"),
    ],
)
def test_pain_33_what_cannot_bind_an_answer_is_400_and_named(running: Home, form: dict[str, Any], word: str) -> None:
    """pain 33: a form that cannot be enforced is a 400 that names its keyword, streamed or not."""
    for streamed in (False, True):
        body = {"model": "tiny", "messages": _user("x"), "stream": streamed, **form}
        answer = httpx.post(f"{running.url}/v1/chat/completions", json=body, timeout=60)
        assert answer.status_code == 400, answer.text
        assert word in answer.json()["error"]["message"]


def test_texts_are_ranked_and_the_reply_says_by_what(running: Home) -> None:
    """Without a cross-encoder an embedding model ranks; `by` says so; top_n and the documents' texts are kept."""
    body: dict[str, Any] = {"query": "a red fox", "documents": ["blue sea", {"text": "a red fox runs"}], "top_n": 1}
    reply = httpx.post(f"{running.url}/v1/rerank", json={**body, "return_documents": True}, timeout=60).json()
    assert (reply["by"], reply["model"]) == ("embeddings", "tiny-embed")
    assert [(each["index"], each["document"]["text"]) for each in reply["results"]] == [(1, "a red fox runs")]
    for wrong in ({"documents": []}, {"query": ""}, {"top_n": 0}, {"model": "tiny"}):
        assert httpx.post(f"{running.url}/v1/rerank", json={**body, **wrong}, timeout=60).status_code == 400


def test_a_cross_encoder_ranks_where_one_is_installed(running: Home) -> None:
    """An installed cross-encoder is preferred, named, and serves ranking alone."""
    running.add_fake_model("tiny-rank", "rerank")
    try:
        body = {"query": "a red fox", "documents": ["blue sea", "a red fox runs"]}
        reply = httpx.post(f"{running.url}/v1/rerank", json=body, timeout=60).json()
        assert (reply["by"], reply["model"]) == ("cross-encoder", "tiny-rank")
        assert [each["index"] for each in reply["results"]] == [1, 0]
        wrong = httpx.post(f"{running.url}/v1/embeddings", json={"model": "tiny-rank", "input": "x"}, timeout=60)
        assert wrong.status_code == 400
        assert "ranking" in wrong.json()["error"]["message"]
    finally:
        assert httpx.delete(f"{running.url}/models", params={"name": "tiny-rank"}, timeout=60).is_success
