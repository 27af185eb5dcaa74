"""How near phrases are in meaning. A ledger's phrases come with every question, so their vectors are kept."""

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_store.index.vectors import Embedder, EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)
KEPT_PHRASES = 20_000
WAITED_FOR = 256  # phrases without a vector; more are embedded beside, and meanwhile words alone decide
BATCH_PHRASES = 64


class Nearness:
    """Vectors of phrases by one model. Safe from several threads."""

    def __init__(self, embedding: Embedder) -> None:
        self.embedding = embedding
        self._vectors: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()
        self._filling: threading.Thread | None = None

    def __call__(self, some: Sequence[str], others: Sequence[str]) -> "np.ndarray":
        """
        Cosines, (some, others).

        Raises:
            EmbedderUnavailable: the model does not answer in time, or too many phrases have no vector yet.
        """
        import numpy as np

        wanted = dict.fromkeys((*some, *others))
        if len(wanted) > KEPT_PHRASES:
            raise EmbedderUnavailable(f"{len(wanted)} phrases are more than are kept")
        vectors = self._vectors
        missing = [text for text in wanted if text not in vectors]
        if len(vectors) + len(missing) > KEPT_PHRASES:
            vectors = self._vectors = {text: row for text, row in vectors.items() if text in wanted}
        if len(missing) > WAITED_FOR:
            self._fill(missing)
            raise EmbedderUnavailable(f"{len(missing)} phrases are being embedded")
        if missing:
            vectors.update(zip(missing, self.embedding(missing), strict=True))
        rows, columns = (np.array([vectors[text] for text in texts]) for texts in (some, others))
        cosines: np.ndarray = rows @ columns.T
        return cosines

    def forget(self) -> None:
        """Keep no phrase."""
        self._vectors = {}

    def wait(self) -> None:
        """Return once what is being embedded beside has its vectors."""
        filling = self._filling
        if filling is not None:
            filling.join()

    def _fill(self, texts: Sequence[str]) -> None:
        """Embed *texts* in a thread of its own, after whatever else the model is asked; one at a time."""
        with self._lock:
            if self._filling is None or not self._filling.is_alive():
                self._filling = threading.Thread(target=self._embed, args=(texts,), name="nearness", daemon=True)
                self._filling.start()

    def _embed(self, texts: Sequence[str]) -> None:
        vectors = self._vectors
        for start in range(0, len(texts), BATCH_PHRASES):
            batch = texts[start : start + BATCH_PHRASES]
            try:
                rows = self.embedding(batch)
            except (EmbedderUnavailable, RuntimeError) as error:  # the model is gone, or the loop has ended
                log.debug("phrases were left without vectors: %s", error)
                return
            if vectors is not self._vectors:
                return  # something was forgotten meanwhile
            vectors.update(zip(batch, rows, strict=True))
