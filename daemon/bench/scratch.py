"""A memory for one measurement: what is told and asked goes through the code that serves the owner, elsewhere."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from pathlib import Path

from daemon import context, wire
from daemon.assistant import Assistant
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
from memory_store.store import Store
from models.requests import ChatMessage, Delta, Generation, Sampling


class Scratch:
    """
    An empty memory with an assistant of its own, which shares the daemon's models.

    *at* is the moment that the conversation has come to; with *model* None, facts and passages answer by themselves.
    """

    def __init__(self, parts: Parts, folder: Path, model: str | None, kind: type[Store]) -> None:
        self.model = model
        self.at = datetime.now().astimezone()
        self._trust = parts.trust
        self.memory = Memory(
            folder / "vault",
            folder / "state",
            owned=True,
            settings=lambda: parts.config,
            events=Events(),
            metrics=Metrics(),
            embedders=Embedders(
                parts.catalog, parts.supervisor, parts.paths.state_dir / "embedders.json", parts.metrics
            ),
            now=self._now,
            kind=kind,
        )
        self._telling = Telling(
            self.memory, parts.supervisor, parts.trust, Unread(folder / "unread"), lambda: model, self._now
        )
        self.memory.also_forget.append(self._telling.forget)
        state = NightState(folder / "night")
        self._assistant = Assistant(
            self.memory,
            parts.supervisor,
            parts.trust,
            settings=lambda: parts.config.memory,
            default_model=lambda: model,
            feedback=Feedback(state, Uses(state, now=self._now, is_on=lambda: False), self._now),
            telling=self._telling,
            now=self._now,
        )

    @classmethod
    async def open(
        cls, parts: Parts, folder: Path, model: str | None, stack: AsyncExitStack, *, kind: type[Store] = Store
    ) -> "Scratch":
        """A memory in *folder*, in a store of *kind*, closed on leaving *stack*."""
        made = cls(parts, folder, model, kind)
        await made.memory.open(stack)
        stack.push_async_callback(made._assistant.settle)
        return made

    async def tell(self, words: str, at: datetime, *, reply: str = "", before: Sequence[str] = ()) -> None:
        """What a chat files of *words* and their *reply*; *before*: the owner's messages before in the same chat."""
        self.at = at
        ledger = context.without_experiences(self.memory.ledger())
        told = await asyncio.to_thread(self._telling.by_pattern, words, ledger, before=before)
        if self.model and EXTRACT in (self._trust.of(self.model) or ()) and is_worth_reading(words, told):
            told = await self._telling.by_model(self.model, words, told)
        turns = [Said("user", words)] + ([Said("assistant", reply)] if reply.strip() else [])
        exchange = Exchange(f"{time.monotonic_ns():x}", self.at, "bench", turns)
        source = await asyncio.to_thread(self.memory.journal, exchange)
        await self._telling.write(told, source)

    async def take_in(self) -> None:
        """Index and embed all that was told, as the daemon does at the next quiet moment."""
        await asyncio.to_thread(self.memory.store().sync)
        await self.memory.embed_backlog(lambda: False)

    async def ask(self, question: str) -> wire.Answer:
        """What `reverie ask` says."""
        return await self._assistant.ask(wire.AskRequest(question=question))

    async def chat(self, question: str, *, max_tokens: int) -> str:
        """What a new chat with the model replies to *question*."""
        generation = Generation(
            messages=(ChatMessage(role="user", content=question),),
            sampling=Sampling(temperature=0.0),
            max_tokens=max_tokens,
            reasoning=False,
            priority="background",
        )
        text = ""
        async with aclosing(self._assistant.chat(self.model or "", generation)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Delta):
                    text += piece.text
        return text

    def _now(self) -> datetime:
        return self.at
