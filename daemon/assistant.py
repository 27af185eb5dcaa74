"""Use-cases: chat, ask, remember, forget."""

from collections.abc import AsyncIterator

from daemon import wire
from daemon.memory import Memory
from models.requests import Delta, Generation
from models.supervisor import Supervisor


class Assistant:
    """Where models meet memory."""

    def __init__(self, memory: Memory, supervisor: Supervisor) -> None:
        self._memory = memory
        self._supervisor = supervisor

    async def chat(self, model: str, generation: Generation) -> AsyncIterator[Delta | wire.ChatMemory]:
        """A reply of *model* with memory; ends with what memory did."""
        async for delta in self._supervisor.generate(model, generation):
            yield delta

    async def ask(self, asked: wire.AskRequest) -> wire.Answer:
        """An answer from memory."""
        raise NotImplementedError(asked)

    async def remember(self, asked: wire.RememberRequest) -> wire.Remembered:
        """Put words into memory."""
        raise NotImplementedError(asked)

    async def forget(self, asked: wire.ForgetRequest) -> wire.Forgotten:
        """Take something out of memory."""
        raise NotImplementedError(asked)
