"""What tests of the memory share."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from memory_store.files import Vault
from memory_store.index import Index
from memory_store.index.analysis import stemmer, words
from memory_store.index.vectors import EmbedderUnavailable


@dataclass
class HashEmbedder:
    """A deterministic stand-in for an embedding model: words hashed into directions, so that shared words are near."""

    digest: str = "hash-1"
    dim: int = 64
    available: bool = True
    texts: list[str] = field(default_factory=list)

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        if not self.available:
            raise EmbedderUnavailable("the model is asleep")
        self.texts += texts
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 0.01
            for word in words(text):
                seed = blake2b(f"{self.digest}{stemmer('en')(word)}".encode(), digest_size=4).digest()
                row += np.random.default_rng(int.from_bytes(seed, "little")).standard_normal(self.dim)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@dataclass
class Bench:
    """A vault with its index, and the means to change both."""

    root: Path
    state: Path
    vault: Vault
    index: Index
    embedder: HashEmbedder | None

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def reopen(self) -> Index:
        self.index.close()
        self.index = Index.open(self.vault, self.state, embedder=self.embedder)
        return self.index

    def embed_all(self) -> int:
        total = 0
        while done := self.index.embed_pending():
            total += done
        return total

    def paths(self, query: str, **options: object) -> list[str]:
        return [hit.path for hit in self.index.search(query, **options)]  # type: ignore[arg-type]


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Make a vault of the given pages with an index in step with it."""
    made: list[Bench] = []

    def make(pages: dict[str, str] | None = None, *, embedder: HashEmbedder | None = None) -> Bench:
        root, state = tmp_path / f"vault{len(made)}", tmp_path / f"state{len(made)}"
        root.mkdir()
        vault = Vault(root, owned=True)
        bench = Bench(vault.root, state, vault, Index.open(vault, state, embedder=embedder), embedder)
        for path, text in (pages or {}).items():
            bench.write(path, text)
        bench.index.sync()
        made.append(bench)
        return bench

    yield make
    for bench in made:
        bench.index.close()


@pytest.fixture
def hash_embedder() -> HashEmbedder:
    """A fresh deterministic embedder."""
    return HashEmbedder()
