"""Workers from the daemon's side: one process a model, started when needed, restarted when dead, unloaded when idle."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Protocol

from models.requests import (
    ChatMessage,
    Delta,
    Generation,
    ModelSettings,
    Priority,
    Tool,
    WorkerEvent,
    WorkerSpec,
    WorkerState,
)

if TYPE_CHECKING:
    import numpy as np


class Models(Protocol):
    """What the supervisor needs of the catalog."""

    def worker_spec(self, name: str) -> WorkerSpec:
        """
        How to load the installed model *name*: model, kind, backend, path, digest and overrides; the rest is ours.

        Raises:
            ModelUnknown: no such name.
            ModelMissing: known, not installed.
        """
        ...


class Supervisor:
    """Loads, serves and unloads models, each in a worker process of its own."""

    def __init__(
        self, models: Models, settings: ModelSettings, on_event: Callable[[WorkerEvent], None] | None = None
    ) -> None:
        self._models = models
        self._settings = settings
        self._on_event = on_event

    async def start(self, stack: AsyncExitStack) -> None:
        """Ready to load on demand; on leaving *stack* every worker has ended."""

    def generate(self, model: str, generation: Generation) -> AsyncIterator[Delta]:
        """
        Stream the answer of *model*, loading it first when needed. Closing the iterator cancels within one step.

        Raises (at the first step, or later when the worker dies):
            PromptTooLong, GrammarInvalid, RequestInvalid, TemplateFailed, QueueFull, WorkerDied, ModelLoadFailed,
            MemoryBudgetExceeded, and what the catalog raises.
        """
        raise NotImplementedError

    async def embed(self, model: str, texts: Sequence[str], priority: Priority = "interactive") -> "np.ndarray":
        """Unit rows, float32 (n, dim); row i is texts[i]."""
        raise NotImplementedError

    async def count_tokens(self, model: str, messages: Sequence[ChatMessage] | str, tools: Sequence[Tool] = ()) -> int:
        """Tokens of *messages* as the model's template renders them, or of a plain text."""
        raise NotImplementedError

    async def load(self, model: str, keep_alive_s: float | None = None) -> WorkerState:
        """Load *model* now (a no-op when loaded) and restart its idle timer."""
        raise NotImplementedError

    async def unload(self, model: str) -> bool:
        """End the worker of *model*; requests in it fail with WorkerDied. False when it was not loaded."""
        raise NotImplementedError

    async def drop_prefixes(self, texts: Sequence[str]) -> int:
        """Delete every kept prompt state whose text contains one of *texts*, loaded or not; how many went."""
        raise NotImplementedError

    def status(self) -> list[WorkerState]:
        """All workers. Wakes nothing and touches no idle timer."""
        return []
