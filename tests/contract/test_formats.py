"""Thoughts and calls as different models write them, through every API: one shape each, whichever the model."""

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx
import ollama
import openai
import pytest

Home = Any
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CHANNELS = CHATML + "{# tools <|channel|>analysis<|message|> #}"
TEMPLATES = {
    "opened": CHATML + "{% if add_generation_prompt %}<think>{% endif %}",
    "lone": CHATML + "{# content.split('</think>')[-1] #}",
    "channels": CHANNELS,
    "mistral": CHATML + "{# tools [TOOL_CALLS] #}",
    "mistral-named": CHATML + "{# tools [TOOL_CALLS] [ARGS] #}",
    "deepseek": CHATML + "{# tools <｜tool▁calls▁begin｜> #}",
    "cohere": CHATML + "{# tools <|START_ACTION|> #}",
    "granite": CHATML + "{# tools <|tool_call|> #}",
    "qwen-coder": CHATML + "{# tools <tool_call><function=name><parameter=key> #}",
    "glm": CHATML + "{# tools <tool_call>name<arg_key> #}",
    "bare": CHATML + "{# tools <|python_tag|> #}",
}
THOUGHTS = {
    "tiny": "<think>hm</think>42",
    "opened": "<think>hm</think>42",
    "lone": "hm</think>42",
    "channels": "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42",
}
CALLS = {
    "tiny": '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call><tool_call>{"name": "g"}</tool_call>',
    "mistral": '[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]',
    "mistral-named": '[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g[ARGS]{}',
    "deepseek": (
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜>'
        "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "cohere": (
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}, '
        '{"tool_call_id": "1", "tool_name": "g", "parameters": {}}]<|END_ACTION|>'
    ),
    "granite": '<|tool_call|>[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]',
    "qwen-coder": (
        "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"
        "<tool_call>\n<function=g>\n</function>\n</tool_call>"
    ),
    "glm": "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>1</arg_value></tool_call><tool_call>g\n</tool_call>",
    "bare": '{"name": "f", "parameters": {"a": 1}}; {"name": "g", "parameters": {}}',
}
TOOLS: Any = [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in "fg"]


@pytest.fixture(scope="module")
def speaking(tmp_path_factory: pytest.TempPathFactory, home_class: Any) -> Iterator[Home]:
    """A daemon with scripted models whose templates are those of different families."""
    home = home_class(tmp_path_factory.mktemp("home"))
    home.add_fake_model()
    for name, template in TEMPLATES.items():
        home.add_fake_model(name, settings=f"[overrides]\nchat_template = {json.dumps(template)}\n")
    home.configure('[models]\nchat = "tiny"\n')
    home.start()
    yield home
    home.close()


def _say(text: str) -> Any:
    return [{"role": "user", "content": f"/say {text}"}]


def _openai(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=60)


@pytest.mark.parametrize("model", THOUGHTS)
def test_pain_32_thoughts_stream_apart_in_every_api(speaking: Home, model: str) -> None:
    """pain 32: opened by the model, by its template or not at all, or in a channel: thoughts are never content."""
    words = _say(THOUGHTS[model])
    with _openai(speaking.url) as client:
        stream: Any = client.chat.completions.create(model=model, messages=words, stream=True)
        deltas = [chunk.choices[0].delta for chunk in stream]
        assert "".join(delta.content or "" for delta in deltas) == "42"
        assert "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas) == "hm"
        events: Any = list(client.responses.create(model=model, input=words, stream=True))
        assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == "42"
        assert "".join(event.delta for event in events if event.type == "response.reasoning_text.delta") == "hm"
    lines = list(ollama.Client(host=speaking.url).chat(model=model, messages=words, stream=True, think=True))
    assert "".join(line.message.content or "" for line in lines) == "42"
    assert "".join(line.message.thinking or "" for line in lines) == "hm"
    with anthropic.Anthropic(base_url=speaking.url, api_key="none", max_retries=0) as to_anthropic:
        thinking: Any = {"type": "enabled", "budget_tokens": 1024}
        with to_anthropic.messages.stream(model=model, messages=words, max_tokens=2000, thinking=thinking) as message:
            final: Any = message.get_final_message()
    assert [(block.type, getattr(block, block.type)) for block in final.content] == [("thinking", "hm"), ("text", "42")]


@pytest.mark.parametrize("model", ["tiny", "lone", "channels"])
def test_pain_32_thoughts_are_left_out_on_request(speaking: Home, model: str) -> None:
    """pain 32: each API's own way to switch thoughts off leaves the words alone."""
    # To a template that speaks in channels the daemon has added the beginning of a final message.
    words = _say(THOUGHTS[model] if model != "channels" else "<|channel|>final<|message|>42")
    asked = {"model": model, "messages": words, "stream": False}
    with httpx.Client(base_url=speaking.url, timeout=60) as http:
        chat = http.post("/v1/chat/completions", json={**asked, "reasoning_effort": "none"}).json()
        assert chat["choices"][0]["message"] == {"role": "assistant", "content": "42"}
        message = http.post("/api/chat", json={**asked, "think": False}).json()["message"]
        assert message == {"role": "assistant", "content": "42"}
        content = http.post("/v1/messages", json={**asked, "max_tokens": 50}).json()["content"]
        assert content == [{"type": "text", "text": "42"}]


def test_who_thinks_is_told(speaking: Home) -> None:
    """Ollama's clients offer thinking where the template shows that the model does."""
    client = ollama.Client(host=speaking.url)
    thinkers = {name for name in TEMPLATES if "thinking" in (client.show(name).capabilities or ())}
    assert thinkers == {"opened", "lone", "channels"}


@pytest.mark.parametrize("model", ["tiny", "lone", "channels"])
def test_thoughts_are_never_memory(speaking: Home, model: str) -> None:
    """What a model thought in a chat with memory is in no page and no journal."""
    said = THOUGHTS[model].replace("hm", "zebras").replace("42", f"words of {model}")
    answer = httpx.post(
        f"{speaking.url}/v1/chat/completions",
        json={"model": f"{model}:memory", "messages": [{"role": "user", "content": f"/say {said}"}]},
        timeout=60,
    ).json()
    assert answer["choices"][0]["message"]["content"] == f"words of {model}"
    turns = [line for path in speaking.paths.vault.rglob("*.md") for line in path.read_text().splitlines()]
    assert any(line.endswith(f"> words of {model}") for line in turns)
    assert not any("zebras" in line for line in turns if "/say" not in line)


@pytest.mark.parametrize("model", CALLS)
def test_calls_have_one_shape_whichever_the_model(speaking: Home, model: str) -> None:
    """Two calls as each family writes them are two calls of OpenAI's, streamed and whole, and no text."""
    words = _say(CALLS[model])
    with _openai(speaking.url) as client:
        whole: Any = client.chat.completions.create(model=model, messages=words, tools=TOOLS).choices[0]
        assert (whole.finish_reason, whole.message.content) == ("tool_calls", None)
        calls = [(call.function.name, json.loads(call.function.arguments)) for call in whole.message.tool_calls]
        assert calls == [("f", {"a": 1}), ("g", {})]
        found: dict[int, list[str]] = {}
        stream: Any = client.chat.completions.create(model=model, messages=words, tools=TOOLS, stream=True)
        for chunk in stream:
            assert not chunk.choices[0].delta.content
            for call in chunk.choices[0].delta.tool_calls or ():
                found.setdefault(call.index, []).append((call.function.name or "") + (call.function.arguments or ""))
    assert ["".join(pieces) for pieces in found.values()] == ['f{"a": 1}', "g{}"]
    reply = ollama.Client(host=speaking.url).chat(model=model, messages=words, tools=TOOLS)
    assert [call.function.name for call in reply.message.tool_calls or ()] == ["f", "g"]
