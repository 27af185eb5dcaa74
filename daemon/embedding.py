"""The store's embedder: a plain call in a store thread that reaches the embedding model's worker through the loop."""

import asyncio
import concurrent.futures
import contextvars
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from daemon.metrics import Metrics
from daemon.turns import stepping_aside
from memory_store.index.vectors import EmbedderUnavailable
from models.catalog import Catalog, Installed
from models.errors import ModelError
from models.requests import Priority
from models.supervisor import Supervisor

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

patience_s: contextvars.ContextVar[float | None] = contextvars.ContextVar("patience_s", default=None)
"""How long a call waits for its vectors; None: it is background work and waits as long as it takes."""


class Embedding:
    """
    Texts -> unit rows of one model, loading it when needed. Called from store threads, never from the loop's.

    *digest* and *dim* are known without loading it.
    """

    def __init__(
        self,
        model: str,
        digest: str,
        dim: int,
        supervisor: Supervisor,
        loop: asyncio.AbstractEventLoop,
        metrics: Metrics,
    ) -> None:
        self.model = model
        self.digest = digest
        self.dim = dim
        self._supervisor = supervisor
        self._loop = loop
        self._metrics = metrics

    def __call__(self, texts: Sequence[str], /) -> "np.ndarray":
        """
        float32 (n, dim).

        Raises:
            EmbedderUnavailable: the model did not answer within `patience_s` (it goes on loading), or cannot.
        """
        try:
            rows = self._rows(list(texts))
        except (TimeoutError, asyncio.InvalidStateError):
            raise EmbedderUnavailable(f"{self.model} is being loaded") from None
        except (concurrent.futures.CancelledError, asyncio.CancelledError):
            raise EmbedderUnavailable("the daemon is stopping") from None
        except ModelError as error:
            raise EmbedderUnavailable(str(error)) from error
        if rows.shape[1:] != (self.dim,):
            raise EmbedderUnavailable(f"{self.model} gives {rows.shape[1]} numbers a text, {self.dim} were expected")
        self._metrics.embedded_texts.add(len(texts))
        return rows

    def _rows(self, texts: list[str]) -> "np.ndarray":
        ahead = _ahead.get()
        if ahead is not None and (ahead.embedding, [ahead.text]) == (self, texts):
            return ahead.work.result()
        limit_s = patience_s.get()
        future = asyncio.run_coroutine_threadsafe(self._embed(texts, interactive=limit_s is not None), self._loop)
        try:
            with stepping_aside():
                return future.result(limit_s)
        except TimeoutError:
            future.cancel()
            raise

    async def ahead(self, text: str) -> None:
        """Wait for the vector of *text* in the loop, `patience_s` at most: a call in this context will not wait."""
        work = asyncio.ensure_future(self._supervisor.embed(self.model, [text], "interactive"))
        work.add_done_callback(_look_at)
        await asyncio.wait((work,), timeout=patience_s.get())
        _ahead.set(_Ahead(self, text, work))

    async def _embed(self, texts: list[str], *, interactive: bool) -> "np.ndarray":
        """A caller that lost its patience does not stop the loading: the next one finds the model ready."""
        priority: Priority = "interactive" if interactive else "background"
        work = asyncio.ensure_future(self._supervisor.embed(self.model, texts, priority))
        work.add_done_callback(_look_at)
        return await asyncio.shield(work)


class _Ahead(NamedTuple):
    """A text whose vector was asked for before its call: *work* has it, unless it takes too long."""

    embedding: Embedding
    text: str
    work: "asyncio.Future[np.ndarray]"


_ahead: contextvars.ContextVar[_Ahead | None] = contextvars.ContextVar("ahead", default=None)


def _look_at(work: "asyncio.Future[np.ndarray]") -> None:
    if not work.cancelled() and (error := work.exception()):
        log.debug("embedding failed: %s", error)


class Embedders:
    """Makes the embedder of a model, and remembers how many numbers each model's vectors have."""

    def __init__(self, catalog: Catalog, supervisor: Supervisor, record: Path, metrics: Metrics) -> None:
        self._catalog = catalog
        self._supervisor = supervisor
        self._record = record
        self._metrics = metrics

    def installed(self, name: str) -> Installed | None:
        """The embedding model *name*, if it is here."""
        if not name:
            return None
        with suppress(ModelError):
            return self._catalog.get(name)
        return None

    def known(self, name: str, loop: asyncio.AbstractEventLoop) -> Embedding | None:
        """The embedder of *name* without loading anything; None where it is not here or was never loaded."""
        model = self.installed(name)
        if model is None:
            return None
        digest = self._catalog.digest(model)
        dim = self._dims().get(digest)
        return Embedding(model.name, digest, dim, self._supervisor, loop, self._metrics) if dim else None

    async def learn(self, name: str) -> None:
        """
        Load *name* once to see how many numbers its vectors have, and keep that.

        Raises:
            ModelError: it cannot be loaded.
        """
        model = await asyncio.to_thread(self._catalog.get, name)
        digest = await asyncio.to_thread(self._catalog.digest, model)
        rows = await self._supervisor.embed(model.name, ["a"], "background")
        await asyncio.to_thread(self._keep, digest, int(rows.shape[1]))

    def _dims(self) -> dict[str, int]:
        try:
            found = json.loads(self._record.read_bytes())
            return {str(digest): int(dim) for digest, dim in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def _keep(self, digest: str, dim: int) -> None:
        fresh = self._record.with_suffix(".new")
        fresh.write_text(json.dumps({**self._dims(), digest: dim}))
        fresh.replace(self._record)
