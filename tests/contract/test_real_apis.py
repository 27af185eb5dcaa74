"""Every API with a real model behind it: what only a real vocabulary, grammar and sampler can get wrong."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx
import ollama
import openai
import pytest

Home = Any
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
MODEL = "smollm2-135m-instruct"
WEATHER: Any = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"]}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, models_dir: Path, home_class: Any) -> Iterator[Home]:
    """A daemon with SmolLM2-135M-Instruct and all-MiniLM-L6-v2."""
    home = home_class(tmp_path_factory.mktemp("real"))
    home.configure(f'[models]\ndir = "{models_dir}"\ncontext_tokens = 1024\n')
    home.start()
    yield home
    home.close()


@pytest.fixture
def to_openai(real: Home) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{real.url}/v1", api_key="none", max_retries=0, timeout=600) as made:
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
    with httpx.Client(base_url=real.url, timeout=600) as http:
        answer = http.post(path, json={"model": MODEL, **body})
        assert answer.status_code in statuses, answer.text[:500]
        after = http.post("/v1/completions", json={"model": MODEL, "prompt": "hi", "max_tokens": 1})
        assert after.status_code == 200, after.text
    deaths = [line for line in real.client.metrics().splitlines() if line.startswith("reverie_worker_deaths_total")]
    assert all(line.endswith(" 0") for line in deaths), deaths


@pytest.mark.parametrize("stream", [False, True])
def test_pain_31_both_counts_of_a_real_context(real: Home, to_openai: openai.OpenAI, stream: bool) -> None:
    """pain 31: the real worker counts by its own vocabulary, and names the context that it has."""
    with pytest.raises(
        openai.BadRequestError, match=r"the prompt has \d{4,} tokens, the context holds \d{3,}"
    ) as caught:
        to_openai.chat.completions.create(model=MODEL, messages=_user("one two " * 8000), stream=stream)
    assert caught.value.code == "context_length_exceeded"
    longer = {"model": MODEL, "messages": _user("one two " * 600), "stream": False}
    options = {"num_ctx": 4096, "num_predict": 1}
    with httpx.Client(base_url=real.url, timeout=600) as http:
        assert http.post("/api/chat", json={**longer, "options": options}).status_code == 200


def test_pain_31_a_real_text_too_long_for_its_vector(to_openai: openai.OpenAI) -> None:
    """pain 31: tokens are counted by the encoder's own vocabulary, and a text of its whole window is taken."""
    create = to_openai.embeddings.create
    assert create(model="all-minilm-l6-v2", input="hello world").usage.prompt_tokens == 4
    assert create(model="all-minilm-l6-v2", input="word " * 254).usage.prompt_tokens == 256
    with pytest.raises(openai.BadRequestError, match="1002 tokens, the model's window holds 256"):
        create(model="all-minilm-l6-v2", input="word " * 1000)


def test_pain_32_thoughts_and_json_of_a_real_model(to_openai: openai.OpenAI) -> None:
    """pain 32: a closing tag alone splits what came before; JSON output is parsed, however it begins."""
    chat: Any = to_openai.chat.completions
    forced = {"model": MODEL, "messages": _user("x"), "max_tokens": 40}
    lone = chat.create(**forced, extra_body={"grammar": 'root ::= "{\\"a\\": 1}"'}).choices[0].message.content
    assert json.loads(lone) == {"a": 1}
    found = chat.create(**forced, response_format={"type": "json_object"}, temperature=0, seed=1, n=1)
    text, finish = found.choices[0].message.content, found.choices[0].finish_reason
    assert finish == "length" or isinstance(json.loads(text), dict)


@pytest.mark.parametrize("fault", ["truncated", "web page", "newer version"])
def test_pain_34_a_bad_file_is_judged_before_it_is_loaded(
    real: Home, models_dir: Path, tmp_path: Path, fault: str, home_class: Any
) -> None:
    """pain 34: the API says what is wrong with the file, the worker is never started, the file is put aside."""
    good = (models_dir / MODEL / "SmolLM2-135M-Instruct.Q4_1.gguf").read_bytes()
    data = {
        "truncated": good[: len(good) // 2],
        "web page": b"<!DOCTYPE html><html>not found</html>",
        "newer version": good[:4] + (99).to_bytes(4, "little") + good[8:],
    }[fault]
    home = home_class(tmp_path / "home")
    folder = home.paths.models_dir / "bad"
    folder.mkdir(parents=True)
    (folder / "bad.gguf").write_bytes(data)
    (folder / "model.toml").write_text('kind = "chat"\n')
    home.start()
    try:
        answer = httpx.post(
            f"{home.url}/v1/chat/completions", json={"model": "bad", "messages": _user("x")}, timeout=60
        )
        assert answer.status_code == 422, answer.text
        assert "bad.gguf" in answer.json()["error"]["message"]
        assert not home.client.status().workers
        reason = next((home.paths.models_dir / ".quarantine").rglob("reason.txt"), None)
        assert reason is not None
    finally:
        home.close()


def test_pain_35_a_broken_template_falls_back_with_a_warning(models_dir: Path, tmp_path: Path, home_class: Any) -> None:
    """pain 35: the fallback is named in a warning, and template and stops of a model can be overridden."""
    home = home_class(tmp_path / "home")
    file = (models_dir / MODEL / "SmolLM2-135M-Instruct.Q4_1.gguf").resolve()
    for name, template in (("broken", "{% for %}"), ("own", "{{ messages[-1].content }}")):
        folder = home.paths.models_dir / name
        folder.mkdir(parents=True)
        (folder / "m.gguf").symlink_to(file)
        overrides = f"[overrides]\nchat_template = '{template}'\nstop = ['.']\ncontext_tokens = 512\n"
        (folder / "model.toml").write_text(f'kind = "chat"\n{overrides}')
    home.start()
    try:
        with httpx.Client(base_url=home.url, timeout=600) as http:
            for name in ("broken", "own"):
                body = {"model": name, "messages": _user("The sky is"), "max_tokens": 30, "temperature": 0}
                text = http.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]["content"]
                assert "." not in text
                warned = http.get("/models/show", params={"name": name}).json().get("warnings", [])
                assert any("chatml" in warning for warning in warned) == (name == "broken")
    finally:
        home.close()


def test_pain_39_a_real_worker_killed_in_mid_reply(real: Home, to_openai: openai.OpenAI) -> None:
    """pain 39: the stream ends with an error event, the embedding model is not touched, the next request reloads."""
    vectors = to_openai.embeddings.create(model="all-minilm-l6-v2", input="a").data[0].embedding
    before = {worker.model: worker.pid for worker in real.client.status().workers}
    stream = to_openai.chat.completions.create(
        model=MODEL,
        messages=_user("Count to a thousand."),
        stream=True,
        max_tokens=800,
        extra_body={"ignore_eos": True},
    )
    with pytest.raises(openai.APIError, match="was killed"):
        for number, _ in enumerate(stream):
            if number == 3:
                pid = next(worker.pid for worker in real.client.status().workers if worker.model == MODEL)
                os.kill(pid, signal.SIGKILL)
    said = to_openai.chat.completions.create(model=MODEL, messages=_user("Hello"), max_tokens=3)
    assert said.choices[0].message.content
    assert to_openai.embeddings.create(model="all-minilm-l6-v2", input="a").data[0].embedding == vectors
    after = {worker.model: worker.pid for worker in real.client.status().workers}
    assert after["all-minilm-l6-v2"] == before["all-minilm-l6-v2"]
    assert after[MODEL] != before.get(MODEL)


def test_pain_37_polling_keeps_no_real_model(real: Home, to_openai: openai.OpenAI) -> None:
    """pain 37: a model whose time is up goes, however often status, metrics and lists are asked for."""
    to_openai.chat.completions.create(
        model=MODEL, messages=_user("Hi"), max_tokens=1, extra_body={"keep_alive": "300ms"}
    )
    with httpx.Client(base_url=real.url) as http:
        for _ in range(2000):
            http.get("/metrics")
            http.get("/api/tags")
            if MODEL not in {each["name"].split(":")[0] for each in http.get("/api/ps").json()["models"]}:
                break
        else:
            pytest.fail("the model stays")


def test_the_bench_of_a_real_model(real: Home) -> None:
    """Every speed of a real model is measured; on a machine that has other work they are only plausible."""
    with real.client.bench(MODEL) as stream:
        report: Any = list(stream)[-1]
    assert report.prompt_tokens > 20  # what a context of a thousand tokens leaves room for
    assert min(report.prompt_tokens_per_s, report.generation_tokens_per_s) > 1
    assert 1 < report.first_token_ms < 10_000
