"""The engine over the scripted backend: who is served when, and what is read again."""

from pathlib import Path
from typing import Any

import pytest

from models.engine import Engine
from models.errors import ModelError, PromptTooLong, QueueFull, RequestInvalid
from models.fake import FakeBackend
from models.prefixes import PrefixStore
from models.prepare import Preparer
from models.requests import Answer, ChatMessage, Delta, Generation, Overrides, Sampling, WorkerSpec, collect
from models.tasks import Job


class Bench:
    """An engine driven by hand, and what it emitted."""

    def __init__(
        self, *, slots: int = 4, context_tokens: int = 4096, prefixes: Path | None = None, **more: Any
    ) -> None:
        spec = WorkerSpec(
            model="fake", kind="chat", backend="fake", path="", slots=slots, context_tokens=context_tokens
        )
        self.backend = FakeBackend(spec)
        store = None
        if prefixes is not None:
            store = PrefixStore(prefixes, digest="d" * 64, state_key="fake", budget_bytes=1 << 20)
        self.prefixes = store
        self.events: list[tuple[int, Delta | ModelError]] = []
        self.engine = Engine(self.backend, lambda i, event: self.events.append((i, event)), prefixes=store, **more)
        self.preparer = Preparer(self.backend, Overrides())
        self._ids = 0

    def ask(self, text: str, **more: Any) -> int:
        self._ids += 1
        system = more.pop("system", None)
        turns = (ChatMessage(role="system", content=system),) if system else ()
        request = Generation(messages=(*turns, ChatMessage(role="user", content=text)), **more)
        self.engine.submit(self.preparer.job(self._ids, request))
        return self._ids

    def run(self) -> None:
        while self.engine.busy:
            self.engine.step()

    def answers(self, job_id: int) -> list[Answer]:
        return collect(event for i, event in self.events if i == job_id and isinstance(event, Delta))

    def text(self, job_id: int) -> str:
        return self.answers(job_id)[0].text

    def errors(self, job_id: int) -> list[ModelError]:
        return [event for i, event in self.events if i == job_id and isinstance(event, ModelError)]

    def read(self) -> int:
        return sum(len(run.tokens) for batch in self.backend.batches for run in batch)


def test_an_answer_streams_and_ends_with_its_counts() -> None:
    """Pieces arrive in order; the last has reason, usage and timings."""
    bench = Bench()
    job = bench.ask("hello there")
    bench.run()
    (answer,) = bench.answers(job)
    assert answer.text == "You said: hello there"
    assert answer.finish_reason == "stop"
    assert answer.usage.prompt_tokens > 0
    assert answer.usage.completion_tokens == 6
    assert answer.timings.first_token_ms >= 0


def test_answers_share_batches() -> None:
    """Three requests at once are decoded in the same batches, not one after the other."""
    bench = Bench()
    jobs = [bench.ask("/count 20") for _ in range(3)]
    bench.run()
    assert {bench.text(job) for job in jobs} == {" ".join(map(str, range(1, 21)))}
    assert any(len(batch) == 3 for batch in bench.backend.batches)


def test_a_batch_goes_by_slots() -> None:
    """Whoever comes first in the sharing, a batch has its sequences in order: only so are they computed together."""
    bench = Bench()
    for words in (30, 10, 20):
        bench.ask("/say " + "word " * words)
    bench.run()
    orders = [[run.seq for run in batch] for batch in bench.backend.batches]
    assert max(map(len, orders)) == 3
    assert all(order == sorted(order) for order in orders)


def test_n_answers_read_the_prompt_once() -> None:
    """With n = 4 the prompt is read once and copied."""
    bench = Bench()
    job = bench.ask("/say " + "word " * 200, n=4)
    bench.run()
    assert [answer.text for answer in bench.answers(job)] == [("word " * 200).rstrip() + " "] * 4
    prompt = bench.answers(job)[0].usage.prompt_tokens
    prompts = sum(len(run.tokens) for batch in bench.backend.batches for run in batch if len(run.tokens) > 1)
    assert prompts < 2 * prompt


def test_a_conversation_reads_only_what_is_new() -> None:
    """The second turn continues from the first one's slot."""
    bench = Bench()
    system, question = "and then " * 100, "/say yes"
    bench.ask(question, system=system)
    bench.run()
    before = bench.read()
    request = Generation(
        messages=(
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=question),
            ChatMessage(role="assistant", content=bench.text(1)),
            ChatMessage(role="user", content="/say no"),
        )
    )
    bench.engine.submit(bench.preparer.job(2, request))
    bench.run()
    assert bench.text(2) == "no"
    assert bench.answers(2)[0].usage.cached_tokens > 100
    assert bench.read() - before < 40


def test_a_chat_pauses_background_work_which_then_goes_on() -> None:
    """While a chat runs no background token is decoded; afterwards the background answer is complete."""
    bench = Bench()
    slow = bench.ask("/count 60", priority="background")
    for _ in range(10):
        bench.engine.step()
    chat = bench.ask("/count 5")
    batches = len(bench.backend.batches)
    while not bench.answers(chat) or bench.answers(chat)[0].finish_reason == "cancelled":
        bench.engine.step()
    during = bench.backend.batches[batches:]
    assert all(len(batch) == 1 for batch in during)
    assert len({run.seq for batch in during for run in batch}) == 1
    bench.run()
    assert bench.text(slow) == " ".join(map(str, range(1, 61)))


def test_chats_take_slots_from_background_work_without_losing_it() -> None:
    """With every slot asked for by chats, background answers leave theirs and finish later, reading nothing twice."""
    bench = Bench(slots=2)
    slow = bench.ask("/count 60", priority="background")
    for _ in range(10):
        bench.engine.step()
    chats = [bench.ask(f"/count {n}") for n in (5, 6)]
    bench.engine.step()
    assert bench.engine.load.queued == 1  # the background answer, parked
    bench.run()
    assert [bench.text(chat) for chat in chats] == ["1 2 3 4 5", "1 2 3 4 5 6"]
    assert bench.text(slow) == " ".join(map(str, range(1, 61)))
    prompts = [run for batch in bench.backend.batches for run in batch if len(run.tokens) > 1]
    assert len(prompts) == 3


def test_background_work_leaves_a_slot_free() -> None:
    """Background requests never hold the last slot, so that a chat needs to move nobody."""
    bench = Bench(slots=3)
    for _ in range(5):
        bench.ask("/count 30", priority="background")
    for _ in range(3):
        bench.engine.step()
    assert bench.engine.load.active == 2


def test_a_chat_interrupts_a_background_batch() -> None:
    """A chat that arrives during a background batch stops that batch."""
    bench = Bench()
    bench.ask("/count 30", priority="background")
    bench.engine.step()
    decode = bench.backend.decode

    def arrives(runs: Any) -> None:
        bench.backend.decode = decode  # type: ignore[method-assign]
        bench.ask("/say now")
        decode(runs)

    bench.backend.decode = arrives  # type: ignore[method-assign]
    batches = len(bench.backend.batches)
    bench.engine.step()
    assert len(bench.backend.batches) == batches  # stopped before it did anything
    bench.run()
    assert bench.text(2) == "now"
    assert bench.text(1).endswith("30")


def test_cancelling_frees_the_slot_in_the_next_step() -> None:
    """A client that hangs up costs nothing from the next step on, and hears nothing more."""
    bench = Bench()
    job = bench.ask("/count 100")
    for _ in range(5):
        bench.engine.step()
    bench.engine.cancel(job)
    heard = len(bench.events)
    bench.engine.step()
    assert bench.engine.load.active == 0
    assert len(bench.events) == heard
    assert not bench.engine.busy


def test_a_full_queue_refuses_with_a_time() -> None:
    """Beyond the limit a request is refused at once and told when to try again."""
    bench = Bench(slots=1, queue_limit=2)
    bench.ask("/count 5")
    bench.engine.step()
    bench.ask("a")
    bench.ask("b")
    with pytest.raises(QueueFull) as refusal:
        bench.ask("c")
    assert refusal.value.retry_after_s >= 1
    bench.run()
    assert bench.text(3) == "You said: b"
    assert bench.engine.load.queued == 0


def test_pain_31_a_prompt_too_long_is_refused_with_both_counts() -> None:
    """pain 31: nothing is cut; the error carries the prompt's tokens and the context's."""
    bench = Bench(context_tokens=64)
    with pytest.raises(PromptTooLong) as refusal:
        bench.ask("word " * 100)
    assert refusal.value.prompt_tokens > 100
    assert refusal.value.context_tokens == 64


def test_pain_31_truncation_happens_only_on_request() -> None:
    """pain 31: asked to, the oldest turns go, never the system's nor the last."""
    bench = Bench(context_tokens=128)
    turns = [
        ChatMessage(role="user" if n % 2 == 0 else "assistant", content=f"turn {n} " + "x " * 20) for n in range(9)
    ]
    messages = (ChatMessage(role="system", content="RULES"), *turns, ChatMessage(role="user", content="/say end"))
    job = bench.preparer.job(1, Generation(messages=messages, truncate="oldest", max_tokens=16))
    text = b"".join(bench.backend._texts[t].encode() for t in job.prompt).decode()
    assert "RULES" in text and "/say end" in text and "turn 0" not in text and "turn 8" in text
    assert len(job.prompt) <= 128 - 16


def test_the_context_bounds_an_answer() -> None:
    """An answer that fills the context ends with reason length, whatever max_tokens says."""
    bench = Bench(context_tokens=64)
    job = bench.ask("/count 500", max_tokens=10_000)
    bench.run()
    (answer,) = bench.answers(job)
    assert answer.finish_reason == "length"
    assert answer.usage.prompt_tokens + answer.usage.completion_tokens == 64


def test_stop_strings_end_an_answer_and_are_not_part_of_it() -> None:
    """A stop string across tokens ends the answer before it, and is named."""
    bench = Bench()
    job = bench.ask("/count 50", stop=("4 5 6",))
    bench.run()
    (answer,) = bench.answers(job)
    assert answer.text == "1 2 3 "
    assert answer.stopped_by == "4 5 6"
    assert answer.finish_reason == "stop"


def test_reasoning_can_be_switched_off() -> None:
    """With reasoning off, what the model thinks anyway is not passed on."""
    bench = Bench()
    open_job = bench.ask("/think because | so")
    off = bench.ask("/think because | so", reasoning=False)
    bench.run()
    assert (bench.text(open_job), bench.answers(open_job)[0].reasoning) == ("so", "because")
    assert (bench.text(off), bench.answers(off)[0].reasoning) == ("so", "")


def test_a_static_head_outlives_the_process(tmp_path: Path) -> None:
    """The head is saved when first read, and a new engine on the same folder reads only what follows it."""
    head = "Know this: " + "fact " * 200
    first = Bench(prefixes=tmp_path)
    first.ask("/say a", system=head, static_messages=1)
    first.run()
    assert first.prefixes is not None
    first.prefixes.close()
    second = Bench(prefixes=tmp_path)
    second.backend._texts, second.backend._ids = first.backend._texts, first.backend._ids  # same vocabulary
    job = second.ask("/say b", system=head, static_messages=1)
    second.run()
    assert second.text(job) == "b"
    assert second.answers(job)[0].usage.cached_tokens > 200
    assert second.read() < 40


def test_forgotten_text_is_in_no_kept_state(tmp_path: Path) -> None:
    """Dropping by text deletes saved heads and idle slots that hold it, and no others."""
    bench = Bench(prefixes=tmp_path)
    bench.ask("/say a", system="the wifi password is hunter2 " + "x " * 100, static_messages=1)
    bench.ask("/say b", system="the sky is blue " + "y " * 100, static_messages=1)
    bench.run()

    def matches(tokens: Any) -> bool:
        return "hunter2" in "".join(bench.backend._texts[token] for token in tokens)

    assert bench.engine.drop(matches) == 2
    assert len(list(tmp_path.glob("*.kv"))) == 1
    assert not any(matches(slot.kept) for slot in bench.engine._slots)


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("n", Generation(messages=(ChatMessage(role="user"),), n=100)),
        ("messages", Generation()),
        ("max_tokens", Generation(prompt="a", max_tokens=-1)),
        ("stop", Generation(prompt="a", stop=("x",) * 2000)),
        ("tool_choice", Generation(prompt="a", tool_choice="nobody")),
    ],
)
def test_impossible_requests_name_their_field(field: str, request_: Generation) -> None:
    """A value that cannot be served is refused before it reaches the model, by name."""
    with pytest.raises(RequestInvalid) as refusal:
        Bench().preparer.job(1, request_)
    assert refusal.value.field == field


def test_samplers_are_freed() -> None:
    """Whatever way an answer ends, what its sampler holds is freed."""
    bench = Bench(slots=2)
    opened: list[Any] = []
    make = bench.backend.sampler
    bench.backend.sampler = lambda plan, grammar: opened.append(make(plan, grammar)) or opened[-1]  # type: ignore[method-assign,func-returns-value]
    done, cancelled = bench.ask("/count 3"), bench.ask("/count 30")
    bench.ask("/count 9", priority="background")
    for _ in range(3):
        bench.engine.step()
    bench.engine.cancel(cancelled)
    bench.run()
    assert bench.text(done) == "1 2 3"
    assert len(opened) == 3
    assert not any(sampler.open for sampler in opened)


def test_a_job_is_a_value() -> None:
    """What is submitted does not change under way."""
    bench = Bench()
    job: Job = bench.preparer.job(1, Generation(messages=(ChatMessage(role="user", content="/count 3"),)))
    prompt = list(job.prompt)
    bench.engine.submit(job)
    bench.run()
    assert job.prompt == prompt


def test_a_seeded_prompt_is_read_alone_and_in_fixed_portions() -> None:
    """Whatever runs beside it and whatever was read before, a seeded prompt is computed in the same steps."""
    bench = Bench()
    bench.ask("/count 40")
    for _ in range(3):
        bench.engine.step()
    before = len(bench.backend.batches)
    sampling = Sampling(seed=1)
    job = bench.ask("/say " + "word " * 400, sampling=sampling)
    bench.run()
    seq = next(run.seq for batch in bench.backend.batches[before:] for run in batch if len(run.tokens) == 128)
    prompt = [
        batch for batch in bench.backend.batches[before:] if any(r.seq == seq and len(r.tokens) > 1 for r in batch)
    ]
    assert all(len(batch) == 1 for batch in prompt)
    assert [batch[0].start for batch in prompt] == [0, 128, 256, 384]
    assert bench.answers(1)[0].text.endswith(" 40")

    before = len(bench.backend.batches)
    again = bench.ask("/say " + "word " * 400, sampling=sampling)
    bench.run()
    assert bench.text(again) == bench.text(job)
    first = bench.backend.batches[before]
    assert [(run.start, len(run.tokens) > 1) for run in first] == [(384, True)]


def test_a_long_system_message_is_saved_when_it_comes_again(tmp_path: Path) -> None:
    """Nobody said that it is static: the first time nothing is written, the second time it is."""
    bench = Bench(prefixes=tmp_path)
    head = "Long rules. " + "rule " * 300
    assert bench.prefixes is not None
    for times, text in enumerate(("/say a", "other words")):
        bench.ask(text, system=head)
        bench.run()
        bench.prefixes.flush()
        assert len(list(tmp_path.glob("*.kv"))) == times
    bench.ask("/say c", system="short")
    bench.run()
    assert len(list(tmp_path.glob("*.kv"))) == 1


def test_pain_31_a_prompt_of_megabytes_is_refused_by_its_length() -> None:
    """pain 31: ten million characters are not tokenised to learn that they do not fit; both counts are given."""
    bench = Bench(context_tokens=512)
    with pytest.raises(PromptTooLong) as refusal:
        bench.ask("word " * 2_000_000)
    assert refusal.value.prompt_tokens > 1_000_000
    assert len(bench.backend._texts) < 100


def test_a_short_prompt_is_read_to_its_end_though_another_chat_arrives() -> None:
    """Chats that arrive together do not stop each other: only long prompts and background work are stopped."""
    bench = Bench()
    bench.ask("/say one")
    decode = bench.backend.decode

    def arrives(runs: Any) -> None:
        bench.backend.decode = decode  # type: ignore[method-assign]
        bench.ask("/say two")
        decode(runs)

    bench.backend.decode = arrives  # type: ignore[method-assign]
    bench.engine.step()
    assert len(bench.backend.batches) == 1
    bench.run()
    assert (bench.text(1), bench.text(2)) == ("one", "two")


def test_a_chat_does_not_wait_for_a_long_prompt() -> None:
    """It stops the batch that reads the long prompt, is read alone, and answers before that prompt is read."""
    bench = Bench(context_tokens=8192)
    long = bench.ask("/say read", system="word " * 3000)
    decode = bench.backend.decode

    def arrives(runs: Any) -> None:
        bench.backend.decode = decode  # type: ignore[method-assign]
        bench.ask("/say now")
        decode(runs)

    bench.backend.decode = arrives  # type: ignore[method-assign]
    bench.engine.step()
    assert not bench.backend.batches
    bench.engine.step()
    (run,) = bench.backend.batches[0]
    assert run.sample
    assert len(run.tokens) < 50
    bench.run()
    assert bench.text(2) == "now"
    assert bench.text(long) == "read"


def test_a_crowd_of_chats_lets_a_long_prompt_go_on() -> None:
    """While short chats keep coming, the long prompt is read too."""
    now = 0.0
    bench = Bench(context_tokens=8192, clock=lambda: now)
    long = bench.ask("/say read", system="word " * 3000)
    for _ in range(200):
        bench.ask("/say now")
        bench.engine.step()
        now += 0.2
    reading = [run for batch in bench.backend.batches for run in batch if len(run.tokens) > 1 and not run.sample]
    assert sum(len(run.tokens) for run in reading) > 500
    bench.run()
    assert bench.text(long) == "read"


def test_what_prompts_have_in_common_is_read_once_and_first() -> None:
    """Chats that arrive together wait for their common head alone, not for the whole prompt of whoever reads it."""
    bench = Bench(context_tokens=8192)
    system = "and then " * 100
    long = bench.ask("/say " + "word " * 1000, system=system, max_tokens=20)
    short = bench.ask("/say now", system=system)
    bench.engine.step()
    ((run,),) = bench.backend.batches
    assert 200 < len(run.tokens) < 220
    bench.engine.step()
    (run,) = bench.backend.batches[1]
    assert run.sample
    assert len(run.tokens) < 20
    bench.run()
    assert bench.text(short) == "now"
    assert bench.text(long).startswith("word word")
