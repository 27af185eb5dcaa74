"""
The generated set through the same code that serves the owner, on a vault of its own that is deleted afterwards.

Two ways through each episode: by facts alone, and as a chat with the model goes, which does only what its check trusts
it with. Nothing of it reaches the owner's memory, events or statistics.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from daemon import wire
from daemon.assistant import Assistant
from daemon.bench.episodes import FIRST_DAY, TASKS, Episode, Question, generate, is_right, knew
from daemon.embedding import Embedders
from daemon.events import Events
from daemon.extraction import EXTRACT
from daemon.feedback import Feedback
from daemon.memory import Memory
from daemon.metrics import Metrics
from daemon.night.state import NightState
from daemon.night.uses import Uses
from daemon.parts import Parts
from daemon.telling import Telling, is_worth_reading
from daemon.unread import Unread
from memory_store.journal import Exchange, Said
from models.catalog import Installed
from models.requests import ChatMessage, Delta, Generation, Sampling

ANSWER_TOKENS = 120
FROM_FACTS = ("fact", "unsure", "forgotten")


@dataclass
class Tally:
    """Which questions were answered rightly on one way through, by number, and how long the answers took."""

    right: list[bool] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)


class Clock:
    """The day that the conversation has come to."""

    def __init__(self) -> None:
        self.day = FIRST_DAY

    def __call__(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, 12).astimezone()


async def measure(
    parts: Parts, model: Installed, *, episodes: int, seed: int
) -> AsyncGenerator[wire.Progress | wire.MemoryBenchReport]:
    """
    Steps as they are done, then the report. Closing it leaves nothing behind.

    Raises:
        ModelError: the model cannot be loaded, or breaks off.
    """
    began = time.monotonic()
    if parts.trust.of(model.name) is None:
        yield wire.Progress(step="checking what the model can be trusted with", unit="items")
        await parts.trust.check(model, asyncio.Queue())
    given = list(generate(episodes, seed))
    total = 2 * sum(episode.steps for episode in given)
    alone, chatted = Tally(), Tally()
    done = 0
    for episode in given:
        for tally, name in ((alone, None), (chatted, model.name)):
            step = f"{episode.world}, {'facts alone' if name is None else f'with {name}'}"
            async with aclosing(_through(parts, episode, name, tally)) as steps:
                async for _ in steps:
                    done += 1
                    yield wire.Progress(step=step, unit="items", completed=done, total=total)
    questions = [question for episode in given for question in episode.questions]
    yield wire.MemoryBenchReport(
        model=model.name,
        episodes=episodes,
        seed=seed,
        trust=sorted(parts.trust.of(model.name) or ()),
        tasks=_scores(questions, alone.right, chatted.right),
        facts_ms=statistics.median(alone.took_ms),
        model_ms=statistics.median(chatted.took_ms),
        took_s=time.monotonic() - began,
    )


def _scores(questions: Sequence[Question], alone: Sequence[bool], chatted: Sequence[bool]) -> list[wire.TaskScore]:
    found = []
    for task, about in TASKS.items():
        places = [place for place, question in enumerate(questions) if question.task == task]
        found.append(
            wire.TaskScore(
                task=task,
                about=about,
                questions=len(places),
                facts=sum(alone[place] for place in places),
                model=sum(chatted[place] for place in places),
            )
        )
    return found


async def _through(parts: Parts, episode: Episode, model: str | None, tally: Tally) -> AsyncGenerator[None]:
    """One way through *episode*, yielding after each message and question."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        scratch = await Scratch.open(parts, folder, model, stack)
        for session in episode.told:
            for words in session.messages:
                await scratch.tell(words, session.day)
                yield
        known: dict[Question, bool] = {}
        for question in episode.questions:
            if question.before is not None:
                known[question] = knew(question, await scratch.ask(question.text))
                yield
        for session in episode.changed:
            for words in session.messages:
                await scratch.tell(words, session.day)
                yield
        for question in episode.questions:
            started = time.perf_counter()
            answer = await scratch.ask(question.text)
            tally.took_ms.append((time.perf_counter() - started) * 1000)
            tally.right.append(known.get(question, True) and is_right(question, answer))
            yield


class Scratch:
    """An empty memory with an assistant of its own, which shares the daemon's models."""

    def __init__(self, parts: Parts, folder: Path, model: str | None) -> None:
        self._model = model
        self._trust = parts.trust
        self._clock = Clock()
        self._memory = Memory(
            folder / "vault",
            folder / "state",
            owned=True,
            settings=lambda: parts.config,
            events=Events(),
            metrics=Metrics(),
            embedders=Embedders(
                parts.catalog, parts.supervisor, parts.paths.state_dir / "embedders.json", parts.metrics
            ),
            now=self._clock,
        )
        self._telling = Telling(
            self._memory, parts.supervisor, parts.trust, Unread(folder / "unread"), lambda: model, self._clock
        )
        state = NightState(folder / "night")
        self._assistant = Assistant(
            self._memory,
            parts.supervisor,
            parts.trust,
            settings=lambda: parts.config.memory,
            default_model=lambda: model,
            feedback=Feedback(state, Uses(state, now=self._clock, is_on=lambda: False), self._clock),
            telling=self._telling,
            now=self._clock,
        )

    @classmethod
    async def open(cls, parts: Parts, folder: Path, model: str | None, stack: AsyncExitStack) -> "Scratch":
        """A memory in *folder*, closed on leaving *stack*."""
        made = cls(parts, folder, model)
        await made._memory.open(stack)
        stack.push_async_callback(made._assistant.settle)
        return made

    async def tell(self, words: str, day: date) -> None:
        """What a chat files of *words*, said on *day*; without the reply, which teaches memory nothing."""
        self._clock.day = day
        told = await asyncio.to_thread(self._telling.by_pattern, words, self._memory.ledger())
        if self._model and EXTRACT in (self._trust.of(self._model) or ()) and is_worth_reading(words, told):
            told = await self._telling.by_model(self._model, words, told)
        exchange = Exchange(f"{time.monotonic_ns():x}", self._clock(), "bench", [Said("user", words)])
        source = await asyncio.to_thread(self._memory.journal, exchange)
        await self._telling.write(told, source)

    async def ask(self, question: str) -> str:
        """What the facts answer; with a model, what a new chat with it does."""
        await asyncio.to_thread(self._memory.store().sync)
        await self._memory.embed_backlog(lambda: False)
        if self._model is None:
            answer = await self._assistant.ask(wire.AskRequest(question=question))
            return answer.text if answer.kind in FROM_FACTS else ""
        generation = Generation(
            messages=(ChatMessage(role="user", content=question),),
            sampling=Sampling(temperature=0.0),
            max_tokens=ANSWER_TOKENS,
            reasoning=False,
            priority="background",
        )
        text = ""
        async with aclosing(self._assistant.chat(self._model, generation)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Delta):
                    text += piece.text
        return text
