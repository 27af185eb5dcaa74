"""What the embedding model gives memory: a vector for every text, and how near phrases are in meaning."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from daemon.config import Config
from daemon.embedding import Embedders, Embedding, patience_s
from daemon.events import Events
from daemon.following import RETRY_S
from daemon.nearness import Nearness
from memory_store.index.vectors import EmbedderUnavailable
from memory_store.names import Similarity
from memory_store.store import Store
from models.errors import ModelError

log = logging.getLogger(__name__)
T = TypeVar("T")
BATCH_TEXTS = 64


class Meaning:
    """
    The embedding model as memory uses it: none until it is installed and there is something to embed.

    *soon* asks for the next `embed_backlog`, in so many seconds.
    """

    def __init__(
        self,
        embedders: Embedders,
        settings: Callable[[], Config],
        events: Events,
        soon: Callable[[float], None],
    ) -> None:
        self._embedders = embedders
        self._settings = settings
        self._events = events
        self._soon = soon
        self._loop: asyncio.AbstractEventLoop | None = None
        self._embedding: Embedding | None = None
        self._nearness: Nearness | None = None

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """The model's worker is reached through *loop*; before this nothing may be asked."""
        self._loop = loop

    def known(self) -> Embedding | None:
        """Take up the model without loading it; None where it is not here or was never loaded."""
        self._embedding = self._as_installed()
        return self._embedding

    async def embed_backlog(self, store: Store, busy: Callable[[], bool]) -> str | None:
        """Embed what has no vector in *store* yet, in small batches, until that is done or somebody is *busy*."""
        if not self._settings().models.embed:
            return None
        if self._embedding is None and not await self._learn(store):
            return None
        total = 0
        while not busy():
            try:
                count = await asyncio.to_thread(store.embed_pending, BATCH_TEXTS)
            except EmbedderUnavailable as error:
                self._soon(RETRY_S)
                return f"{_embedded(total)}, then: {error.reason}"
            if count == 0:
                break
            total += count
        else:
            self._soon(RETRY_S)
        if total:
            self._events.publish("texts_embedded", _embedded(total), count=total)
        return _embedded(total) if total else None

    async def _learn(self, store: Store) -> bool:
        """Load the model once to know its vectors, where it is installed and there is something to embed."""
        name = self._settings().models.embed
        status = await asyncio.to_thread(store.index_status)
        if not status.chunks or self._embedders.installed(name) is None:
            return False
        try:
            await self._embedders.learn(name)
        except ModelError as error:
            log.warning("search goes by keyword alone: %s", error)
            return False
        await asyncio.to_thread(store.use_embedder, await asyncio.to_thread(self.known))
        return True

    async def follow_model(self, store: Store) -> None:
        """A model came or went. If it is the one for embedding: vectors of two models are never mixed."""
        fresh = await asyncio.to_thread(self._as_installed)
        if self._embedding is not None and (fresh is None or fresh.digest != self._embedding.digest):
            self._embedding = fresh
            await asyncio.to_thread(store.use_embedder, fresh)
        self._soon(0.0)

    def with_similarity(self, call: Callable[[Similarity | None], T]) -> T:
        """What *call* gives with the embedding model's similarity, or, where that cannot be had now, without."""
        embedding = self._embedding
        if embedding is None:
            return call(None)
        if self._nearness is None or self._nearness.embedding is not embedding:
            self._nearness = Nearness(embedding)
        patience_s.set(self._settings().memory.search_wait_ms / 1000)
        try:
            return call(self._nearness)
        except EmbedderUnavailable:
            return call(None)

    async def ahead(self, question: str | None) -> None:
        """See that the vector of *question* is there, or cannot be had now, before a thread searches by it."""
        if self._embedding is not None and question is not None:
            patience_s.set(self._settings().memory.search_wait_ms / 1000)
            await self._embedding.ahead(question)

    def forget(self) -> None:
        """Keep no phrase."""
        if self._nearness is not None:
            self._nearness.forget()

    def _as_installed(self) -> Embedding | None:
        assert self._loop is not None
        return self._embedders.known(self._settings().models.embed, self._loop)


def _embedded(count: int) -> str:
    return f"{count} text{'' if count == 1 else 's'} embedded"
