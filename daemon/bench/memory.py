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
from datetime import time as time_of_day
from pathlib import Path

from daemon import wire
from daemon.bench.episodes import TASKS, Episode, Question, generate, is_right, knew
from daemon.bench.scratch import Scratch
from daemon.parts import Parts
from models.catalog import Installed

NOON = time_of_day(12)
ANSWER_TOKENS = 120
FROM_FACTS = ("fact", "unsure", "forgotten")


@dataclass
class Tally:
    """Which questions were answered rightly on one way through, by number, and how long the answers took."""

    right: list[bool] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)


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
                await _tell(scratch, words, session.day)
                yield
        known: dict[Question, bool] = {}
        for question in episode.questions:
            if question.before is not None:
                await scratch.take_in()
                known[question] = knew(question, await _answer(scratch, question))
                yield
        for session in episode.changed:
            for words in session.messages:
                await _tell(scratch, words, session.day)
                yield
        for question in episode.questions:
            await scratch.take_in()
            started = time.perf_counter()
            answer = await _answer(scratch, question)
            tally.took_ms.append((time.perf_counter() - started) * 1000)
            tally.right.append(known.get(question, True) and is_right(question, answer))
            yield


async def _tell(scratch: Scratch, words: str, day: date) -> None:
    """What was said on *day*, at noon; without the reply, which teaches memory nothing."""
    await scratch.tell(words, datetime.combine(day, NOON).astimezone())


async def _answer(scratch: Scratch, question: Question) -> str:
    """What the facts answer; with a model, what a new chat with it does."""
    if scratch.model is not None:
        return await scratch.chat(question.text, max_tokens=ANSWER_TOKENS)
    answer = await scratch.ask(question.text)
    return answer.text if answer.kind in FROM_FACTS else ""
