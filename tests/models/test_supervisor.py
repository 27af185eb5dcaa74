"""The supervisor with real worker processes around the scripted model."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import psutil
import pytest

from models.errors import MemoryBudgetExceeded, ModelLoadFailed, PromptTooLong, ShuttingDown, WorkerDied, WrongModelKind
from models.requests import ChatMessage, Generation, ModelSettings, WorkerEvent, WorkerSpec, collect
from models.supervisor import FAKE_BYTES, Supervisor


class Models:
    """A catalog of fakes: names that begin with `embed` embed, `broken` cannot be loaded."""

    def worker_spec(self, name: str) -> WorkerSpec:
        """See `models.supervisor.Models`."""
        if name == "broken":
            return WorkerSpec(model=name, kind="embed", backend="llama", path="/nowhere")
        kind = "embed" if name.startswith("embed") else "chat"
        return WorkerSpec(model=name.removesuffix("-alias"), kind=kind, backend="fake", path="")


class Recorder:
    """Collects events and lets a test wait for one."""

    def __init__(self) -> None:
        self.events: list[WorkerEvent] = []
        self._changed = asyncio.Condition()
        self._news = asyncio.Event()

    def __call__(self, event: WorkerEvent) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, met: Callable[[WorkerEvent], bool]) -> WorkerEvent:
        """The first event that meets *met*, past or to come."""
        while True:
            for event in self.events:
                if met(event):
                    return event
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 60)


@asynccontextmanager
async def supervisor(recorder: Recorder | None = None, **settings: object) -> AsyncIterator[Supervisor]:
    async with AsyncExitStack() as stack:
        made = Supervisor(Models(), ModelSettings(**settings), recorder)  # type: ignore[arg-type]
        await made.start(stack)
        yield made


async def say(made: Supervisor, text: str, model: str = "chat", **more: object) -> str:
    request = Generation(messages=(ChatMessage(role="user", content=text),), **more)  # type: ignore[arg-type]
    return collect([delta async for delta in made.generate(model, request)])[0].text


async def test_a_model_is_loaded_by_its_first_request_and_then_stays() -> None:
    """The first request starts the worker, the second finds it."""
    recorder = Recorder()
    async with supervisor(recorder) as made:
        assert made.status() == []
        assert await say(made, "hello") == "You said: hello"
        assert await say(made, "again", model="chat-alias") == "You said: again"
        (state,) = made.status()
        assert (state.state, state.model, state.active) == ("ready", "chat", 0)
        assert state.rss_bytes > 1 << 20
        pid = state.pid
    assert [event.kind for event in recorder.events] == ["loading", "loaded"]
    assert not psutil.pid_exists(pid)


async def test_requests_that_come_during_a_load_share_it() -> None:
    """Five first requests at once start one process."""
    recorder = Recorder()
    async with supervisor(recorder) as made:
        answers = await asyncio.gather(*(say(made, f"/say {n}") for n in range(5)))
    assert answers == ["0", "1", "2", "3", "4"]
    assert [event.kind for event in recorder.events].count("loading") == 1


async def test_pain_39_a_worker_that_dies_in_mid_reply_fails_that_reply_and_the_next_reloads() -> None:
    """pain 39: the client gets the beginning and an error that names the signal; the daemon lives; then it works."""
    recorder = Recorder()
    async with supervisor(recorder) as made:
        heard: list[str] = []
        request = Generation(messages=(ChatMessage(role="user", content="/die 3"),))
        with pytest.raises(WorkerDied) as death:
            async for delta in made.generate("chat", request):
                heard += [delta.text]
        assert "".join(heard).startswith(" word")
        assert death.value.exit_code == -signal.SIGKILL
        assert "signal 9" in str(death.value)
        assert "INFO" not in str(death.value)  # what it said before it died is no reason
        assert await say(made, "hello") == "You said: hello"
        assert made.status()[0].restarts == 1
    assert [event.kind for event in recorder.events].count("died") == 1


async def test_pain_39_the_death_of_one_worker_takes_no_request_of_another() -> None:
    """pain 39: a chat in one model goes on while the worker of another is killed."""
    async with supervisor() as made:
        await made.load("other")
        long = asyncio.create_task(say(made, "/count 400"))
        await say(made, "/say x", model="chat")
        for state in made.status():
            if state.model == "other":
                os.kill(state.pid, signal.SIGKILL)
        assert (await long).endswith("400")


async def test_an_idle_model_is_unloaded_and_its_memory_returned() -> None:
    """After keep_alive the process is gone; the next request loads it again."""
    recorder = Recorder()
    async with supervisor(recorder, keep_alive_s=0.05) as made:
        await say(made, "hello")
        pid = next(event.data["pid"] for event in recorder.events if event.kind == "loaded")
        await recorder.until(lambda event: event.kind == "unloaded")
        assert made.status() == []
        assert not psutil.pid_exists(pid)
        assert await say(made, "hello") == "You said: hello"


async def test_a_request_may_set_its_own_keep_alive() -> None:
    """0 unloads at once, negative keeps for ever, as Ollama has it."""
    recorder = Recorder()
    async with supervisor(recorder, keep_alive_s=300) as made:
        await say(made, "hello", keep_alive_s=-1)
        assert made.status()[0].unload_in_s is None
        await say(made, "hello", keep_alive_s=0)
        await recorder.until(lambda event: event.kind == "unloaded")


async def test_pain_37_status_touches_no_idle_timer() -> None:
    """pain 37: polling the status does not keep a model loaded."""
    recorder = Recorder()
    async with supervisor(recorder, keep_alive_s=0.2) as made:
        await say(made, "hello")

        loop = asyncio.get_running_loop()

        def poll() -> None:
            if made.status():
                loop.call_later(0.01, poll)

        poll()
        await recorder.until(lambda event: event.kind == "unloaded")
    assert recorder.events[-1].kind == "unloaded"


async def test_hanging_up_frees_the_slot() -> None:
    """Closing the iterator cancels in the worker: nothing is active afterwards, and others are served."""
    async with supervisor(slots=1) as made:
        stream = made.generate("chat", Generation(messages=(ChatMessage(role="user", content="/count 4000"),)))
        async for _ in stream:
            break
        await stream.aclose()
        assert await say(made, "/say free") == "free"
        assert made.status()[0].active == 0


async def test_errors_of_a_request_arrive_with_their_class_and_fields() -> None:
    """What the worker raises is raised here, with its counts."""
    async with supervisor(context_tokens=64) as made:
        with pytest.raises(PromptTooLong) as refusal:
            await say(made, "word " * 100)
        assert (refusal.value.prompt_tokens > 64, refusal.value.context_tokens) == (True, 64)
        with pytest.raises(WrongModelKind):
            await made.embed("chat", ["a"])
        with pytest.raises(WrongModelKind):
            await say(made, "hello", model="embed")


async def test_a_model_that_cannot_be_loaded_says_why() -> None:
    """The reason comes from the worker; nothing of it stays behind."""
    async with supervisor() as made:
        with pytest.raises(ModelLoadFailed):
            await made.load("broken")
        assert made.status() == []


async def test_embeddings_are_unit_rows_in_order() -> None:
    """Row i belongs to text i; none gives an empty table of the right width."""
    async with supervisor() as made:
        rows = await made.embed("embed", ["a cat", "a dog", "a cat"])
        assert rows.shape == (3, 64)
        assert (rows[0] == rows[2]).all() and not (rows[0] == rows[1]).all()
        assert abs(float((rows**2).sum()) - 3.0) < 1e-5
        assert (await made.embed("embed", [])).shape == (0, 64)


async def test_tokens_are_counted_as_the_template_renders_them() -> None:
    """Messages count with what the template adds, plain text as it stands."""
    async with supervisor() as made:
        assert await made.count_tokens("chat", "one two three") == 3
        assert await made.count_tokens("chat", [ChatMessage(role="user", content="one two three")]) > 3


async def test_the_memory_budget_unloads_what_was_used_longest_ago() -> None:
    """A model that does not fit beside the others replaces the oldest idle one."""
    async with supervisor() as made:
        one = (await made.load("a")).rss_bytes
    recorder = Recorder()
    async with supervisor(recorder, memory_budget_bytes=FAKE_BYTES + one * 5 // 2) as made:
        for name in ("a", "b", "c", "d", "e"):
            await made.load(name)
        gone = [event.model for event in recorder.events if event.kind == "unloaded"]
        assert gone and gone == ["a", "b", "c", "d"][: len(gone)]
    async with supervisor(memory_budget_bytes=1 << 20) as made:
        with pytest.raises(MemoryBudgetExceeded):
            await made.load("a")


async def test_a_larger_context_reloads_the_model() -> None:
    """A request for more context than the model was loaded with gets it."""
    async with supervisor(context_tokens=64) as made:
        await say(made, "hello")
        long = "/say " + "word " * 100
        assert (await say(made, long, context_tokens=512)).startswith("word word")
        assert made.status()[0].context_tokens == 512


async def test_forgetting_reaches_states_of_models_that_are_not_loaded(tmp_path: Path) -> None:
    """Saved heads of an unloaded model cannot be searched, so they all go."""
    state = tmp_path / "abc.fake.123.kv"
    state.write_bytes(b"state")
    async with supervisor(prefix_dir=str(tmp_path)) as made:
        assert await made.drop_prefixes(["secret"]) == 1
    assert await asyncio.to_thread(state.exists) is False


async def test_a_stopping_supervisor_takes_no_request() -> None:
    """After the end nothing is loaded any more."""
    async with supervisor() as made:
        await say(made, "hello")
    with pytest.raises(ShuttingDown):
        await say(made, "hello")


async def test_a_worker_does_not_outlive_its_daemon() -> None:
    """When the daemon's end of the pipe closes, for whatever reason, the worker ends."""
    async with supervisor() as made:
        state = await made.load("chat")
        made._workers["chat"]._transport.abort()  # type: ignore[union-attr]
        await asyncio.wait_for(made._workers["chat"].ended.wait(), 60)
        assert not psutil.pid_exists(state.pid)
