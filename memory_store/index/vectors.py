"""
Vectors of chunk texts, one matrix a model, mapped from disk.

A folder a digest: `keys` (8 bytes a vector: the hash of the embedded text) and `matrix` (float32 unit rows), both only
appended to, the matrix first. What a crash left of a last row is cut off at open. Vectors of another model live in
another folder: they cannot be mixed in. A text is embedded once, however many chunks say it.
"""

import json
import os
import shutil
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_store.errors import StoreError

Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Texts -> unit rows. *digest* identifies the model: equal digests give equal vectors."""

    @property
    def digest(self) -> str: ...
    @property
    def dim(self) -> int: ...
    def __call__(self, texts: Sequence[str], /) -> Matrix:
        """
        float32 (n, dim); row i is texts[i].

        Raises:
            EmbedderUnavailable: not now; nothing is wrong with the texts.
        """


class EmbedderUnavailable(StoreError):
    """No vectors just now: search goes on by keyword."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the embedding model does not answer: {reason}")


def text_key(text: str) -> int:
    """What a text's vector is stored under, a signed 64-bit number."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)


class Vectors:
    """
    The vectors of one model. Readers take `matrix` and `slots` and keep what they took; `add` only appends.
    """

    def __init__(self, folder: Path, digest: str, dim: int) -> None:
        self.digest = digest
        self.dim = dim
        self._folder = folder / blake2b(digest.encode(), digest_size=8).hexdigest()
        self._open()

    def _open(self) -> None:
        stamp = {"digest": self.digest, "dim": self.dim}
        try:
            known = json.loads((self._folder / "stamp.json").read_bytes())
        except (OSError, ValueError):
            known = None
        if known != stamp:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
            (self._folder / "keys").touch()
            (self._folder / "matrix").touch()
            (self._folder / "stamp.json").write_text(json.dumps(stamp))
        keys, matrix = self._folder / "keys", self._folder / "matrix"
        keys.touch()
        matrix.touch()
        count = min(keys.stat().st_size // 8, matrix.stat().st_size // (4 * self.dim))
        os.truncate(keys, 8 * count)
        os.truncate(matrix, 4 * self.dim * count)
        self._map(np.fromfile(keys, np.int64))

    def _map(self, keys: NDArray[np.int64]) -> None:
        """Take up *keys*; last of all, so that who counts them finds the rest in place."""
        count = len(keys)
        path = self._folder / "matrix"
        self._matrix: Matrix = (
            np.memmap(path, np.float32, "r", shape=(count, self.dim)) if count else np.zeros((0, self.dim), np.float32)
        )
        order = np.argsort(keys, kind="stable")
        self._index = (keys[order], order)
        self._keys = keys

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def matrix(self) -> Matrix:
        """All vectors by slot."""
        return self._matrix

    def slots(self, keys: NDArray[np.int64]) -> NDArray[np.int32]:
        """The slot of each key, -1 where there is no vector yet."""
        known, order = self._index
        if not len(known):
            return np.full(len(keys), -1, np.int32)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[at] == keys, order[at], -1).astype(np.int32)

    def add(self, keys: Sequence[int], rows: Matrix) -> None:
        """
        Keep *rows* under *keys*, made unit; a row with no length or a NaN is kept as zeros: it matches nothing.
        """
        if rows.shape != (len(keys), self.dim):
            raise ValueError(f"{rows.shape} vectors for {len(keys)} texts of dimension {self.dim}")
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit = np.where(np.isfinite(norms) & (norms > 0), rows / np.where(norms > 0, norms, 1), 0).astype(np.float32)
        _append(self._folder / "matrix", unit.tobytes())
        _append(self._folder / "keys", np.array(keys, np.int64).tobytes())
        self._map(np.append(self._keys, np.array(keys, np.int64)))

    def keep_only(self, keys: NDArray[np.int64]) -> None:
        """Drop vectors of texts that no chunk says any more."""
        kept = np.flatnonzero(np.isin(self._keys, keys))
        if len(kept) == len(self._keys):
            return
        matrix, slim = np.asarray(self._matrix[kept]), self._keys[kept]
        for name, data in (("keys", b""), ("matrix", matrix.tobytes()), ("keys", slim.tobytes())):
            part = self._folder / f"{name}.part"
            part.write_bytes(data)
            part.replace(self._folder / name)
        self._map(slim)

    @staticmethod
    def others(folder: Path, digest: str) -> list[Path]:
        """Folders below *folder* with the vectors of other models."""
        own = blake2b(digest.encode(), digest_size=8).hexdigest()
        return [path for path in folder.iterdir() if path.name != own] if folder.is_dir() else []


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
