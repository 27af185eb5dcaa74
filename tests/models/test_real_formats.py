"""Every format of tool calls with a real vocabulary, grammar and sampler, and a file that names no format at all."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.backend import Run
from models.call_grammar import call_grammar
from models.requests import ChatMessage, Delta, Generation, Overrides, Sampling, Tool, collect
from models.sampling import plan
from models.tool_formats import FALLBACK, FORMATS, ToolFormat
from models.tools import ToolParser
from tests.models.test_llama import Bench

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

GREEDY = Sampling(temperature=0)
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CITY = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}}, "required": ["city"]}
TOOLS = (
    Tool(name="weather", description="the weather of a city", parameters={**CITY, "additionalProperties": False}),
    Tool(name="time", description="the time in a city", parameters={**CITY, "additionalProperties": False}),
)
TEACHES = {"llama": "<|python_tag|>", "harmony": "<|channel|> <|message|>", "phi": "<|tool|>"}
TEACHES |= {"qwen-coder": "<tool_call><function=<parameter=", "glm": "<tool_call><arg_key>"}
TEACHES |= {"python": "[f(a=b, c=d)]"}


@pytest.fixture(scope="module")
def bench(smollm2_path: Path) -> Iterator[Bench]:
    made = Bench(smollm2_path)
    yield made
    made.backend.close()


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_call_is_forced_in_every_format(bench: Bench, form: ToolFormat) -> None:
    """A model told by its template to write calls in one way does so under a grammar, and streams the arguments."""
    marks = TEACHES.get(form.name, form.example("name", "{}"))
    bench.fresh(Overrides(chat_template=CHATML + "{# tools tool_calls " + marks.replace("#", "") + " #}"))
    assert bench.preparer.manners.plain.template.tool_format is form
    job = bench.submit(
        "How is the weather in Paris?",
        tools=TOOLS,
        tool_choice="required",
        parallel_tool_calls=False,
        sampling=GREEDY,
        max_tokens=400,  # marks that this vocabulary spells byte by byte take hundreds
    )
    bench.run()
    (answer,) = bench.answers(job)
    assert (answer.finish_reason, answer.text) == ("tool_calls", "")
    (call,) = answer.tool_calls
    assert call.name in {"weather", "time"}
    assert json.loads(call.arguments).keys() == {"city"}
    pieces = [call for _, event in bench.events for call in getattr(event, "tool_calls", ())]
    assert len(pieces) > 2


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_llama_cpp_reads_the_grammar_of_every_format(bench: Bench, form: ToolFormat) -> None:
    """From the start or after an opening text, for one call or several, the grammar is one that llama.cpp takes."""
    for opened in (False, True):
        for parallel in (False, True):
            grammar = call_grammar(form, TOOLS, parallel=parallel, opened=opened)
            bench.backend.sampler(plan(GREEDY), grammar).close()


def drawn(bench: Bench, grammar: str, begun: str) -> str:
    """What the model writes after *begun*, a call that it has opened by itself, bound from there on."""
    backend = bench.backend
    backend.trim(0, 0)
    sampler = backend.sampler(plan(GREEDY), None)
    sampler.bind(grammar, begun)
    tokens = backend.tokenize(f"The weather in Paris? {begun}", special=True, begin=True)
    start, text = 0, b""
    for _ in range(400):
        backend.decode([Run(0, start, tokens, sample=True)])
        start += len(tokens)
        token = sampler.sample(0)
        if token in backend.ends:
            break
        text += backend.piece(token)
        tokens = [token]
    sampler.close()
    return text.decode("utf-8", "replace")


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_call_that_a_model_has_begun_goes_on_as_the_schema_has_it(bench: Bench, form: ToolFormat) -> None:
    """With the choice left to the model, a call once opened is one of a tool's, wherever its first token ended."""
    example = form.example("weather", '{"city": "P"}')
    opening = example.removeprefix(form.opens[0])
    grammar = call_grammar(form, TOOLS, parallel=False, opened=True)
    for begun in ("", opening[:1], opening[: opening.index("w") + 3]):
        parser = ToolParser(form, TOOLS)
        taken = [*parser.push(example.removesuffix(opening) + begun + drawn(bench, grammar, begun))[1]]
        taken += parser.finish()[1]
        (answer,) = collect([Delta(tool_calls=(call,)) for call in taken])
        (call,) = answer.tool_calls
        assert call.name in {"weather", "time"}
        assert json.loads(call.arguments).keys() == {"city"}


def test_a_beginning_that_is_no_call_stays_free(bench: Bench) -> None:
    """What does not fit the grammar from its first words on is not bound, and does not end the process."""
    grammar = call_grammar(FALLBACK, TOOLS, parallel=False, opened=True)
    assert drawn(bench, grammar, " is what?") == drawn(bench, 'root ::= "never"', " is what?")


def test_pain_35_a_file_without_a_template_calls_tools_in_the_fallback_format(
    smollm2_path: Path, tmp_path: Path
) -> None:
    """pain 35: a base model's file has no template: the fallback is named, and calls are taught, forced and read."""
    data = smollm2_path.read_bytes()
    key = b"tokenizer.chat_template"
    assert data.count(key) == 1
    (tmp_path / "base.gguf").write_bytes(data.replace(key, b"tokenizer.chat_nothing_"))
    base = Bench(tmp_path / "base.gguf")
    try:
        assert base.backend.chat_template is None
        assert "chatml" in base.preparer.warnings[0]
        assert base.preparer.manners.plain.template.tool_format is FALLBACK
        answer = base.ask("The weather in Paris?", tools=TOOLS, tool_choice="weather", sampling=GREEDY, max_tokens=90)
        assert [call.name for call in answer.tool_calls] == ["weather"]
        assert "chatml" in answer.warnings[0]
        assert base.ask("Say hello.", tools=TOOLS, sampling=GREEDY, max_tokens=20).text
    finally:
        base.backend.close()


def test_a_file_with_a_template_for_tools_is_asked_through_it(smollm2_path: Path, tmp_path: Path) -> None:
    """A second template under its own key in the file is found, and used where tools are given."""
    template = CHATML.replace("<|im_start|>assistant", "<|im_start|>assistant with tools")
    key = b"tokenizer.chat_template.tool_use"
    template += " " * (-(8 + len(key) + 4 + 8 + len(template)) % 32)  # tensors stay aligned
    data = smollm2_path.read_bytes()
    pairs = int.from_bytes(data[16:24], "little")
    pair = struct.pack("<Q", len(key)) + key + struct.pack("<IQ", 8, len(template)) + template.encode()
    (tmp_path / "two.gguf").write_bytes(data[:16] + struct.pack("<Q", pairs + 1) + pair + data[24:])
    two = Bench(tmp_path / "two.gguf")
    try:
        asked = ChatMessage(role="user", content="The weather in Paris?")
        assert two.backend.tool_template == template
        prompts = [
            b"".join(map(two.backend.piece, two.preparer.job(1, Generation(messages=(asked,), tools=tools)).prompt))
            for tools in (TOOLS, ())
        ]
        assert [b"with tools" in prompt for prompt in prompts] == [True, False]
        answer = two.ask("The weather in Paris?", tools=TOOLS, tool_choice="weather", sampling=GREEDY, max_tokens=90)
        assert [call.name for call in answer.tool_calls] == ["weather"]
    finally:
        two.backend.close()
