"""Vectors of phrases: kept, filled in beside where many are missing, and gone when something is forgotten."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from daemon.nearness import KEPT_PHRASES, WAITED_FOR, Nearness
from memory_store.index.vectors import EmbedderUnavailable
from models.fake import FakeEmbedder
from models.requests import WorkerSpec

PHRASES = [f"phrase {number}" for number in range(WAITED_FOR + 100)]


class Counted:
    """The scripted embedding model; counts what it was asked, and waits at *gate*."""

    digest, dim = "fake", FakeEmbedder.dim

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self._fake = FakeEmbedder(WorkerSpec(model="fake", kind="embed", backend="fake", path=""))

    def __call__(self, texts: Sequence[str], /) -> "np.ndarray":
        assert self.gate.wait(60)
        self.texts += texts
        return np.frombuffer(self._fake.embed_bytes(texts), np.float32).reshape(-1, self.dim)


def test_a_phrase_is_embedded_once() -> None:
    """A question about the same facts embeds only its own words; the cosine of a phrase with itself is one."""
    model = Counted()
    near = Nearness(model)
    assert near(["who"], PHRASES[:50]).shape == (1, 50)
    cosines = near(PHRASES[:3], PHRASES[:50])
    assert np.allclose(np.diag(cosines[:, :3]), 1, atol=1e-5)
    assert len(model.texts) == 51


def test_many_phrases_are_embedded_beside() -> None:
    """With more phrases than a question can wait for, it goes on by words at once; once they are there, it has them."""
    model = Counted()
    near = Nearness(model)
    model.gate.clear()
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="being embedded"):
            near(["who"], PHRASES)
    model.gate.set()
    near.wait()
    assert near(["who"], PHRASES).shape == (1, len(PHRASES))
    assert len(model.texts) == len(PHRASES) + 1


def test_what_is_forgotten_leaves_no_vector() -> None:
    """After `forget` nothing that was kept is used, nor what was being embedded just then."""
    model = Counted()
    near = Nearness(model)
    near(["who"], ["the secret"])
    near.forget()
    near(["who"], ["the secret"])
    assert model.texts.count("the secret") == 2


def test_memory_is_bounded() -> None:
    """More phrases than are kept are refused, and nothing is embedded for them."""
    model = Counted()
    near = Nearness(model)
    with pytest.raises(EmbedderUnavailable, match="more than are kept"):
        near(["who"], [str(number) for number in range(KEPT_PHRASES + 1)])
    assert model.texts == []
