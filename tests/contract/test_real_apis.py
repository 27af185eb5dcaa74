"""Every API with a real model behind it: what only a real vocabulary, grammar and sampler can get wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx
import ollama
import openai
import pytest

Home = Any
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
MODEL = "smollm2-135m-instruct"
WEATHER: Any = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"]}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, models_dir: Path, home_class: Any) -> Iterator[Home]:
    """A daemon with SmolLM2-135M-Instruct and all-MiniLM-L6-v2."""
    home = home_class(tmp_path_factory.mktemp("real"))
    home.configure(f'[models]\ndir = "{models_dir}"\ncontext_tokens = 2048\n')
    home.start()
    yield home
    home.close()


@pytest.fixture
def to_openai(real: Home) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{real.url}/v1", api_key="none", max_retries=0, timeout=120) as made:
        yield made


def _user(text: str) -> list[Any]:
    return [{"role": "user", "content": text}]


def test_the_same_seed_gives_the_same_text_in_every_api(real: Home, to_openai: openai.OpenAI) -> None:
    """Greedy and seeded, chats through OpenAI's, Ollama's and Anthropic's clients agree, whole and streamed."""
    words = _user("Name three colours.")
    chat = to_openai.chat.completions
    whole = chat.create(model=MODEL, messages=words, temperature=0, max_tokens=24).choices[0].message.content
    chunks = chat.create(model=MODEL, messages=words, temperature=0, max_tokens=24, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole
    options = {"temperature": 0, "num_predict": 24}
    assert ollama.Client(host=real.url).chat(model=MODEL, messages=words, options=options).message.content == whole
    with anthropic.Anthropic(base_url=real.url, api_key="none", max_retries=0) as client:
        message = client.messages.create(model=MODEL, messages=words, max_tokens=24, extra_body={"temperature": 0})
        assert message.content[0].text == whole  # type: ignore[union-attr]
    response = to_openai.responses.create(model=MODEL, input=words, temperature=0, max_output_tokens=24)
    assert response.output_text == whole
    seeded = {chat.create(model=MODEL, messages=words, seed=5, max_tokens=16).choices[0].message.content for _ in "ab"}
    assert len(seeded) == 1


def test_tokens_probabilities_and_biases(to_openai: openai.OpenAI) -> None:
    """Probabilities are those of a real distribution; a banned token does not come; token ids are a prompt too."""
    chat = to_openai.chat.completions
    words = _user("Say yes.")
    found = chat.create(model=MODEL, messages=words, temperature=0, max_tokens=4, logprobs=True, top_logprobs=3)
    content = found.choices[0].logprobs.content  # type: ignore[union-attr]
    assert content is not None
    assert all(-50 < entry.logprob <= 0 and len(entry.top_logprobs) == 3 for entry in content)
    old = to_openai.completions.create(model=MODEL, prompt="The capital of France is", logprobs=2, max_tokens=3, n=2)
    assert len(old.choices) == 2
    assert old.choices[0].logprobs is not None
    by_ids = to_openai.completions.create(model=MODEL, prompt=[504, 3575, 282], max_tokens=3, temperature=0)
    assert by_ids.choices[0].text


def test_forms_bind_a_real_model(to_openai: openai.OpenAI) -> None:
    """A schema, a choice, a regex and a grammar are kept by a model that would not keep to them by itself."""
    chat: Any = to_openai.chat.completions
    asked = {"model": MODEL, "messages": _user("Describe a cat."), "max_tokens": 80, "temperature": 0}
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 12}, "legs": {"type": "integer", "maximum": 9}},
        "required": ["name", "legs"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "cat", "schema": schema}}
    assert set(json.loads(chat.create(**asked, response_format=form).choices[0].message.content)) == {"name", "legs"}
    for extra, allowed in (
        ({"guided_choice": ["tabby", "tom"]}, {"tabby", "tom"}),
        ({"guided_regex": "(yes|no)"}, {"yes", "no"}),
        ({"grammar": 'root ::= "meow" | "purr"'}, {"meow", "purr"}),
    ):
        assert chat.create(**asked, extra_body=extra).choices[0].message.content in allowed


def test_a_forced_tool_is_called_with_valid_arguments(real: Home, to_openai: openai.OpenAI) -> None:
    """A tool that must be called is called, with arguments by its schema, in all three APIs."""
    words = _user("How is the weather in Oslo?")
    tool: Any = {"type": "function", "function": {"name": "weather", "parameters": WEATHER}}
    reply = to_openai.chat.completions.create(
        model=MODEL, messages=words, tools=[tool], tool_choice="required", parallel_tool_calls=False, max_tokens=80
    )
    (call,) = reply.choices[0].message.tool_calls or ()
    assert isinstance(json.loads(call.function.arguments)["city"], str)  # type: ignore[union-attr]
    with anthropic.Anthropic(base_url=real.url, api_key="none", max_retries=0) as client:
        message: Any = client.messages.create(
            model=MODEL,
            messages=words,
            max_tokens=80,
            tools=[{"name": "weather", "input_schema": WEATHER}],
            tool_choice={"type": "tool", "name": "weather", "disable_parallel_tool_use": True},
        )
    assert (message.stop_reason, isinstance(message.content[0].input["city"], str)) == ("tool_use", True)


@pytest.mark.parametrize(
    ("path", "body", "statuses"),
    [
        ("/v1/completions", {"prompt": [2**31 - 1], "max_tokens": 1}, {400}),
        ("/v1/completions", {"prompt": [999_999], "max_tokens": 1, "echo": True}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 0, "echo": True}, {200}),
        ("/v1/completions", {"prompt": "", "max_tokens": 1}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "logit_bias": {"2147483647": 1}}, {200, 400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "logit_bias": {"5": -1000}}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "grammar": "root ::= ("}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "grammar": "nothing"}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "grammar": 'a ::= "b"'}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "grammar": 'root ::= root "b"'}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "grammar": "root ::= missing"}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "mirostat": 2}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "repeat_last_n": -1, "repeat_penalty": 2}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "top_k": 0, "top_p": 0, "temperature": 5}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "stop": ["\ufffd", "é"]}, {200}),
        ("/v1/completions", {"prompt": "hi\u0000there<|im_end|>", "max_tokens": 1}, {200}),
        ("/v1/completions", {"prompt": "x " * 5000, "max_tokens": 1}, {400}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "n": 16}, {200}),
        ("/v1/completions", {"prompt": "hi", "max_tokens": 1, "seed": -(2**63)}, {200}),
        ("/v1/chat/completions", {"messages": [{"role": "tool", "content": "x"}], "max_tokens": 1}, {200, 400}),
        ("/v1/chat/completions", {"messages": [{"role": "system", "content": "x"}], "max_tokens": 1}, {200, 400}),
        ("/v1/chat/completions", {"messages": _user("x"), "max_tokens": 1, "guided_regex": "(a+)+" * 50}, {200, 400}),
        ("/v1/chat/completions", {"messages": _user("x"), "max_tokens": 1, "guided_regex": "["}, {400}),
        ("/v1/chat/completions", {"messages": _user("x"), "max_tokens": 1, "guided_json": '{"$ref": "#/a"}'}, {400}),
        ("/v1/chat/completions", {"messages": _user("x"), "max_tokens": 1, "guided_json": "false"}, {400}),
        ("/api/generate", {"prompt": "x", "stream": False, "options": {"num_ctx": 16_000_000}}, {200, 400, 502, 507}),
        ("/api/generate", {"prompt": "x", "stream": False, "options": {"num_ctx": 1, "num_predict": 1}}, {200, 400}),
        ("/api/generate", {"prompt": "x", "stream": False, "raw": True, "options": {"num_predict": 1}}, {200}),
    ],
)
def test_odd_values_meet_the_real_worker_and_leave_it_alive(
    real: Home, path: str, body: dict[str, Any], statuses: set[int]
) -> None:
    """Token ids out of the vocabulary, broken grammars, extremes of sampling: answered, and the worker stays."""
    with httpx.Client(base_url=real.url, timeout=120) as http:
        answer = http.post(path, json={"model": MODEL, **body})
        assert answer.status_code in statuses, answer.text[:500]
        after = http.post("/v1/completions", json={"model": MODEL, "prompt": "hi", "max_tokens": 1})
        assert after.status_code == 200, after.text
    deaths = [line for line in real.client.metrics().splitlines() if line.startswith("reverie_worker_deaths_total")]
    assert all(line.endswith(" 0") for line in deaths), deaths
