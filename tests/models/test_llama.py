"""The engine and its worker with a real model."""

import asyncio
import json
import os
import re
import signal
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from models.engine import Engine
from models.errors import GrammarInvalid, ModelLoadFailed, PromptTooLong, WorkerDied
from models.llama import LlamaBackend, outputs
from models.prefixes import PrefixStore
from models.prepare import Preparer
from models.requests import (
    Answer,
    ChatMessage,
    Delta,
    Generation,
    ModelSettings,
    Overrides,
    ResponseFormat,
    Sampling,
    Tool,
    WorkerEvent,
    WorkerSpec,
    collect,
)
from models.supervisor import Supervisor

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

HEAD = "You are a helpful assistant. Facts: " + " ".join(f"Item {n} costs {n * 7} coins." for n in range(60))
GREEDY = Sampling(temperature=0)


class Bench:
    """An engine over the real backend, driven by hand."""

    def __init__(self, path: Path) -> None:
        self.spec = WorkerSpec(
            model="m", kind="chat", backend="llama", path=str(path), threads=2, slots=3, context_tokens=2048
        )
        self.backend = LlamaBackend(self.spec, gpu_layers=0)
        self.prefixes: Path | None = None
        self.fresh()

    def fresh(self, overrides: Overrides | None = None) -> None:
        """A new engine, as after a restart: nothing read, nothing known."""
        for seq in range(self.backend.slots):
            self.backend.trim(seq, 0)
        store = None
        if self.prefixes is not None:
            key = self.backend.state_key
            store = PrefixStore(self.prefixes, digest="d" * 64, state_key=key, budget_bytes=1 << 28)
        self.store = store
        self.events: list[tuple[int, Any]] = []
        self.engine = Engine(self.backend, lambda i, event: self.events.append((i, event)), prefixes=store)
        self.preparer = Preparer(self.backend, overrides or Overrides())
        self._ids = 0

    def submit(self, text: str, *, system: str | None = None, **more: Any) -> int:
        self._ids += 1
        turns = (ChatMessage(role="system", content=system),) if system else ()
        request = Generation(messages=(*turns, ChatMessage(role="user", content=text)), **more)
        self.engine.submit(self.preparer.job(self._ids, request))
        return self._ids

    def run(self) -> None:
        while self.engine.busy:
            self.engine.step()

    def answers(self, job: int) -> list[Answer]:
        for i, event in self.events:
            if i == job and not isinstance(event, Delta):
                raise event
        return collect(event for i, event in self.events if i == job)

    def ask(self, text: str, **more: Any) -> Answer:
        job = self.submit(text, **more)
        self.run()
        return self.answers(job)[0]


@pytest.fixture(scope="module")
def loaded(smollm2_path: Path) -> Iterator[Bench]:
    bench = Bench(smollm2_path)
    yield bench
    bench.backend.close()


@pytest.fixture
def bench(loaded: Bench) -> Bench:
    loaded.prefixes = None
    loaded.fresh()
    return loaded


def test_the_answer_is_the_one_of_llama_cpp_itself(bench: Bench, smollm2_path: Path) -> None:
    """Template, tokens and greedy text are those of llama-cpp-python's own high-level class."""
    import llama_cpp

    plain = llama_cpp.Llama(str(smollm2_path), n_ctx=2048, n_threads=2, verbose=False)
    question = "What is the capital of France?"
    expected = plain.create_chat_completion([{"role": "user", "content": question}], temperature=0, max_tokens=24)
    plain.close()
    answer = bench.ask(question, sampling=GREEDY, max_tokens=24)
    assert answer.text == expected["choices"][0]["message"]["content"]
    assert answer.usage.prompt_tokens == expected["usage"]["prompt_tokens"]
    assert answer.warnings == ()


@pytest.mark.parametrize("slots", [1, 4, 8, 32, 33])
def test_what_is_computed_begins_with_a_line_of_the_cache(slots: int) -> None:
    """For any slots the list of answers, behind which llama.cpp's working memory lies, fills whole lines of 64 B."""
    assert outputs(slots) >= slots
    assert outputs(slots) * 4 % 64 == 0


def test_one_seed_gives_one_text(bench: Bench) -> None:
    """The same seed gives the same text, cold or with the prompt still in a slot; another seed another text."""
    first = bench.ask("Tell me a story.", system=HEAD, sampling=Sampling(seed=7), max_tokens=40)
    bench.ask("Something else.", system=HEAD, max_tokens=20)
    warm = bench.ask("Tell me a story.", system=HEAD, sampling=Sampling(seed=7), max_tokens=40)
    other = bench.ask("Tell me a story.", system=HEAD, sampling=Sampling(seed=8), max_tokens=40)
    assert warm.usage.cached_tokens > 500
    assert first.text == warm.text
    assert first.text != other.text


def test_neighbours_do_not_change_an_answer(bench: Bench) -> None:
    """Greedy answers are the same alone and in a batch with others."""
    questions = ["What is two plus two?", "Name a colour.", "Who wrote Hamlet?"]
    alone = [bench.ask(question, sampling=GREEDY, max_tokens=16).text for question in questions]
    bench.fresh()
    jobs = [bench.submit(question, sampling=GREEDY, max_tokens=16) for question in questions]
    bench.run()
    together = [bench.answers(job)[0].text for job in jobs]
    assert sum(a == b for a, b in zip(alone, together, strict=True)) >= 2  # kernels for one and many rows differ


def test_a_saved_head_gives_the_same_answer(loaded: Bench, tmp_path: Path) -> None:
    """After a restart the head comes from disk, and the greedy answer is the one of the cold start."""
    loaded.prefixes = tmp_path
    loaded.fresh()
    more: dict[str, Any] = {"system": HEAD, "static_messages": 1, "sampling": GREEDY, "max_tokens": 24}
    cold = loaded.ask("What does item 8 cost?", **more)
    assert loaded.store is not None
    loaded.store.close()
    (saved,) = tmp_path.glob("*.kv")
    loaded.fresh()
    restored = loaded.ask("What does item 8 cost?", **more)
    assert restored.usage.cached_tokens > 500
    assert restored.text == cold.text
    assert loaded.store is not None
    loaded.store.close()
    data = bytearray(saved.read_bytes())
    data[: struct.calcsize("II")] = b"\0" * struct.calcsize("II")
    saved.write_bytes(data)
    loaded.fresh()
    again = loaded.ask("What does item 8 cost?", **more)
    assert again.text == cold.text
    assert again.usage.cached_tokens == 0


def test_a_paused_answer_goes_on_as_if_nothing_had_been(bench: Bench) -> None:
    """A background answer that left its slot for chats ends with the same text as one that was left alone."""
    alone = bench.ask("Tell me about the sea.", sampling=GREEDY, max_tokens=40, priority="background").text
    bench.fresh()
    slow = bench.submit("Tell me about the sea.", sampling=GREEDY, max_tokens=40, priority="background")
    for _ in range(12):
        bench.engine.step()
    chats = [bench.submit(f"Say {n}.", max_tokens=6) for n in range(3)]
    bench.engine.step()
    assert bench.engine.load.queued == 1
    bench.run()
    assert bench.answers(slow)[0].text == alone
    assert all(bench.answers(chat)[0].finish_reason for chat in chats)


def test_an_interrupted_prompt_is_read_to_its_end(bench: Bench) -> None:
    """Stopping a batch loses nothing: the answer is the one of an undisturbed run."""
    calm = bench.ask("What does item 8 cost?", system=HEAD, sampling=GREEDY, max_tokens=16).text
    bench.fresh()
    job = bench.submit("What does item 8 cost?", system=HEAD, sampling=GREEDY, max_tokens=16)
    rearm = bench.backend.rearm
    count = 0

    def armed() -> None:
        nonlocal count
        count += 1
        rearm()
        if count == 2:
            bench.backend.interrupt()

    bench.backend.rearm = armed  # type: ignore[method-assign]
    try:
        bench.run()
    finally:
        bench.backend.rearm = rearm  # type: ignore[method-assign]
    assert bench.answers(job)[0].text == calm


def test_logprobs_are_those_of_the_model(bench: Bench) -> None:
    """The greedy token is the most likely one; probabilities of the best rivals fall and sum to at most 1."""
    answer = bench.ask("Hello!", sampling=GREEDY, max_tokens=8, logprobs=True, top_logprobs=5)
    assert len(answer.logprobs) == answer.usage.completion_tokens
    for entry in answer.logprobs:
        assert entry.token == entry.top[0].token
        chances = [rival.logprob for rival in entry.top]
        assert chances == sorted(chances, reverse=True)
        assert 0 >= entry.logprob == chances[0]
    assert b"".join(bytes(entry.bytes) for entry in answer.logprobs).decode() == answer.text


def test_banned_tokens_never_come(bench: Bench) -> None:
    """A logit bias of -100 bans, one of +100 forces."""
    (token,) = bench.backend.tokenize(" banana", special=False, begin=False)
    answer = bench.ask("Say something.", sampling=Sampling(logit_bias={token: 100.0}), max_tokens=3)
    assert answer.text == " banana" * 3
    free = bench.ask("Name a colour.", sampling=GREEDY, max_tokens=8)
    first = bench.backend.tokenize(free.text, special=False, begin=False)[0]
    bound = bench.ask("Name a colour.", sampling=Sampling(temperature=0, logit_bias={first: -100.0}), max_tokens=8)
    assert bench.backend.tokenize(bound.text, special=False, begin=False)[0] != first


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(mirostat=1, seed=1),
        Sampling(mirostat=2, seed=1),
        Sampling(typical_p=0.9, top_k=0, seed=1),
        Sampling(top_k=0, top_p=1.0, min_p=0.0, seed=1),
        Sampling(repeat_penalty=1.5, presence_penalty=1.0, frequency_penalty=1.0, seed=1),
        Sampling(repeat_last_n=-1, repeat_penalty=1.2, seed=1),
    ],
)
def test_every_sampler_gives_text_and_repeats_it(bench: Bench, sampling: Sampling) -> None:
    """Each way of sampling works, and is as deterministic as its seed."""
    first = bench.ask("Tell me about birds.", sampling=sampling, max_tokens=16)
    second = bench.ask("Tell me about birds.", sampling=sampling, max_tokens=16)
    assert first.text.strip() and first.text == second.text


PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 1, "maximum": 120},
        "pets": {"type": "array", "items": {"enum": ["cat", "dog"]}, "maxItems": 2},
    },
    "required": ["name", "age", "pets"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pain_32_json_answers_are_json(bench: Bench, seed: int) -> None:
    """pain 32: whatever the seed, a small model's answer parses and fits the schema."""
    wanted = ResponseFormat(kind="json_schema", schema=PERSON)
    answer = bench.ask("Invent a person.", response_format=wanted, sampling=Sampling(seed=seed, temperature=1.5))
    value = json.loads(answer.text)
    assert value.keys() == {"name", "age", "pets"} and 1 <= value["age"] <= 120
    wanted = ResponseFormat(kind="json_object")
    anything = bench.ask("A cat as JSON.", response_format=wanted, sampling=Sampling(seed=seed), max_tokens=80)
    assert anything.text.startswith("{") and not anything.text.startswith('{"{"')
    if anything.finish_reason == "stop":
        assert isinstance(json.loads(anything.text), dict)


def test_expressions_and_grammars_bind(bench: Bench) -> None:
    """A regular expression and a GBNF grammar give texts that fit them, and nothing else."""
    phone = bench.ask("Your number?", response_format=ResponseFormat(kind="regex", pattern=r"\+\d{2} \d{3,5}"))
    assert re.fullmatch(r"\+\d{2} \d{3,5}", phone.text)
    yes = bench.ask("Yes?", response_format=ResponseFormat(kind="gbnf", pattern='root ::= "yes" | "no"'))
    assert yes.text in {"yes", "no"}


@pytest.mark.parametrize("grammar", ["root := (", "root ::= nothing", 'root ::= root "a"', 'x ::= "a"', ""])
def test_pain_33_a_broken_grammar_is_an_error(bench: Bench, grammar: str) -> None:
    """pain 33: what llama.cpp cannot parse is refused before anything is generated."""
    with pytest.raises(GrammarInvalid):
        bench.ask("Yes?", response_format=ResponseFormat(kind="gbnf", pattern=grammar))


def test_a_forced_call_is_made(bench: Bench) -> None:
    """A model of 135 million parameters, forced to call, calls the tool with fitting arguments."""
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    weather = Tool(name="weather", description="the weather of a city", parameters=parameters)
    answer = bench.ask("How is the weather in Paris?", tools=(weather,), tool_choice="weather", sampling=GREEDY)
    assert answer.finish_reason == "tool_calls"
    (call,) = answer.tool_calls
    assert call.name == "weather" and json.loads(call.arguments).keys() == {"city"}
    assert answer.text == ""


def test_control_texts_of_a_user_do_not_end_the_turn(bench: Bench) -> None:
    """A message with <|im_end|> in it becomes ordinary tokens, so that it cannot speak as the system."""
    job = bench.preparer.job(1, Generation(messages=(ChatMessage(role="user", content="a<|im_end|>b"),)))
    (end,) = bench.backend.tokenize("<|im_end|>", special=True, begin=False)
    assert job.prompt.count(end) == 2  # the template's own: after the system's and the user's message


def test_pain_35_template_and_stop_can_be_overridden(bench: Bench) -> None:
    """pain 35: the owner's template and stop strings win over the file's."""
    template = "{% for m in messages %}Q: {{ m.content }}\n{% endfor %}A:"
    bench.fresh(Overrides(chat_template=template, stop=("\nQ:", ".")))
    answer = bench.ask("Name the capital of France", sampling=GREEDY, max_tokens=40)
    assert "." not in answer.text
    prompt = bench.preparer.job(9, Generation(messages=(ChatMessage(role="user", content="x"),))).prompt
    assert b"".join(bench.backend.piece(token) for token in prompt).decode().endswith("Q: x\nA:")


def test_emoji_come_whole(bench: Bench) -> None:
    """Characters that span tokens are never cut: no piece holds a replacement character."""
    wanted = ResponseFormat(kind="gbnf", pattern="root ::= [\\U0001F600-\\U0001F64F]{5}")
    job = bench.submit("Smile!", response_format=wanted, sampling=Sampling(seed=3))
    bench.run()
    assert len(bench.answers(job)[0].text) == 5
    assert not any("�" in event.text for _, event in bench.events)


class Models:
    """One real model."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def worker_spec(self, name: str) -> WorkerSpec:
        """See `models.supervisor.Models`."""
        return WorkerSpec(model=name, kind="chat", backend="llama", path=str(self.path), digest="a" * 64)


@asynccontextmanager
async def supervisor(path: Path, events: list[WorkerEvent], **more: Any) -> AsyncIterator[Supervisor]:
    async with AsyncExitStack() as stack:
        settings = ModelSettings(context_tokens=1024, slots=2, threads=2, **more)
        made = Supervisor(Models(path), settings, events.append)
        await made.start(stack)
        yield made


def hello(**more: Any) -> Generation:
    return Generation(messages=(ChatMessage(role="user", content="Tell me a long story."),), **more)


async def test_pain_39_killing_the_worker_in_mid_reply(smollm2_path: Path) -> None:
    """pain 39: the reply ends with an error that says so, and the next request is served by a new worker."""
    events: list[WorkerEvent] = []
    async with supervisor(smollm2_path, events) as made:
        heard = []
        with pytest.raises(WorkerDied):
            async for delta in made.generate("m", hello(max_tokens=900, ignore_eos=True)):
                heard.append(delta.text)
                if len(heard) == 3:
                    os.kill(made.status()[0].pid, signal.SIGKILL)
        assert len(heard) >= 3
        again = collect([delta async for delta in made.generate("m", hello(max_tokens=5))])
        assert again[0].finish_reason == "length"
    assert [event.kind for event in events if event.kind != "unloaded"] == [
        "loading",
        "loaded",
        "died",
        "loading",
        "loaded",
    ]


async def test_pain_31_the_real_worker_counts(smollm2_path: Path) -> None:
    """pain 31: both counts come from the real tokenizer and the real context."""
    async with supervisor(smollm2_path, []) as made:
        too_long = Generation(messages=(ChatMessage(role="user", content="word " * 3000),))
        with pytest.raises(PromptTooLong) as refusal:
            async for _ in made.generate("m", too_long):
                pass
        assert refusal.value.prompt_tokens > 3000
        assert refusal.value.context_tokens == 1024


async def test_memory_is_returned_when_a_model_is_unloaded(smollm2_path: Path) -> None:
    """Unloading ends the process: what it held is free again."""
    async with supervisor(smollm2_path, []) as made:
        state = await made.load("m")
        assert state.rss_bytes > 50 << 20
        assert await made.unload("m")
        assert not psutil.pid_exists(state.pid)
        assert made.status() == []


async def test_a_file_that_llama_refuses_is_an_error_with_its_reason(tmp_path: Path) -> None:
    """What is no model fails with llama.cpp's own words, and takes nothing down."""
    fake = tmp_path / "no.gguf"
    fake.write_bytes(b"GGUF" + b"\0" * 64)
    async with supervisor(fake, []) as made:
        with pytest.raises(ModelLoadFailed) as refusal:
            await made.load("m")
        assert refusal.value.reason
        assert made.status() == []


async def test_hanging_up_stops_the_real_model(smollm2_path: Path) -> None:
    """After the client hangs up the worker is idle again, well before the answer would have ended."""
    async with supervisor(smollm2_path, []) as made:
        stream = made.generate("m", hello(max_tokens=900))
        async for _ in stream:
            break
        await stream.aclose()
        async with asyncio.timeout(60):
            short = collect([delta async for delta in made.generate("m", hello(max_tokens=2))])[0]
        assert short.timings.queue_ms < 2000
