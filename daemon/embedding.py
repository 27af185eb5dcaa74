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
        ahead = _ahead.get()
        try:
            if ahead is not None and (ahead.embedding, [ahead.text]) == (self, list(texts)):
                rows = ahead.rows()
            else:
                rows = self._waited_for(texts)
        except TimeoutError:
            raise EmbedderUnavailable(f"{self.model} is being loaded") from None
        except concurrent.futures.CancelledError:
            raise EmbedderUnavailable("the daemon is stopping") from None
        except ModelError as error:
            raise EmbedderUnavailable(str(error)) from error
        if rows.shape[1:] != (self.dim,):
            raise EmbedderUnavailable(f"{self.model} gives {rows.shape[1]} numbers a text, {self.dim} were expected")
        self._metrics.embedded_texts.add(len(texts))
        return rows

    def _waited_for(self, texts: Sequence[str]) -> "np.ndarray":
        """Asked for in the loop. Who loses its patience does not stop the loading: the next finds the model ready."""
        limit_s = patience_s.get()
        priority: Priority = "background" if limit_s is None else "interactive"
        future = asyncio.run_coroutine_threadsafe(self._supervisor.embed(self.model, texts, priority), self._loop)
        try:
            with stepping_aside():
                return future.result(limit_s)
        finally:
            future.cancel()

    async def ahead(self, text: str) -> None:
        """Wait for the vector of *text* in the loop, `patience_s` at most: a call in this context will not wait."""
        rows: np.ndarray | TimeoutError | ModelError
        try:
            async with asyncio.timeout(patience_s.get()):
                rows = await self._supervisor.embed(self.model, [text], "interactive")
        except (TimeoutError, ModelError) as error:
            rows = error
        _ahead.set(_Ahead(self, text, rows))


class _Ahead(NamedTuple):
    """A text whose vector was asked for before its call, and what came of it."""

    embedding: Embedding
    text: str
    found: "np.ndarray | TimeoutError | ModelError"

    def rows(self) -> "np.ndarray":
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


_ahead: contextvars.ContextVar[_Ahead | None] = contextvars.ContextVar("ahead", default=None)


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
