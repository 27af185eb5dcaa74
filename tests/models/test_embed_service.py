"""Who asks for vectors at the same time is answered together."""

import socket
import threading
from collections.abc import Sequence

import msgspec
import numpy as np

from models.errors import WorkerError
from models.ipc import Cancel, Embed, Embedded, Failed, Frames, FromWorker
from models.requests import WorkerSpec
from models.worker import EmbedService, Outbox


class Lengths:
    """A text's vector is its length; what is called "bad" fails all texts that it comes with."""

    dim = 1
    window_tokens = 100

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []

    def count(self, text: str) -> int:
        """One token a letter."""
        return len(text)

    def embed_bytes(self, texts: Sequence[str]) -> bytes:
        """The lengths."""
        self.calls.append(tuple(texts))
        if "bad" in texts:
            raise WorkerError("a bad text")
        return np.array([len(text) for text in texts], np.float32).tobytes()


def _served(model: Lengths, asked: Sequence[Embed | Cancel], *, threads: int = 8) -> list[FromWorker]:
    """What comes back when all of *asked* is there before the service begins."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        service = EmbedService(
            WorkerSpec(model="lengths", kind="embed", backend="onnx", path="", threads=threads), model, Outbox(theirs)
        )
        for message in asked:
            service.receive(message)
        worker = threading.Thread(target=service.run)
        worker.start()
        gone = {message.id for message in asked if isinstance(message, Cancel)}
        frames = Frames()
        answers: list[FromWorker] = []
        while len(answers) < len({message.id for message in asked} - gone):
            answers += [msgspec.msgpack.decode(body, type=FromWorker) for body in frames.push(ours.recv(1 << 16))]
        service.close()
        worker.join()
    return answers


def _rows(answers: Sequence[FromWorker]) -> dict[int, list[float]]:
    return {one.id: np.frombuffer(one.data, np.float32).tolist() for one in answers if isinstance(one, Embedded)}


def test_questions_that_wait_together_are_computed_at_once_and_each_text_only_once() -> None:
    """Eight askers cost one run of the model; background texts wait until they are answered."""
    model = Lengths()
    asked = [
        Embed(id=1, texts=("a background text",), priority="background"),
        Embed(id=2, texts=("one",)),
        Embed(id=3, texts=("three", "one")),
        Embed(id=4, texts=()),
        Embed(id=5, texts=("cancelled",)),
        Cancel(id=5),
    ]
    answers = _served(model, asked)
    assert model.calls == [("one", "three"), ("a background text",)]
    assert _rows(answers) == {2: [3.0], 3: [5.0, 3.0], 4: [], 1: [17.0]}


def test_where_cores_are_few_each_asker_is_answered_before_the_next_is_begun() -> None:
    """Of two cores one is left to whoever asked; a request that holds many texts is not taken apart."""
    model = Lengths()
    asked = [Embed(id=1, texts=("one",)), Embed(id=2, texts=("two", "three")), Embed(id=3, texts=("four",))]
    answers = _served(model, asked, threads=2)
    assert model.calls == [("one",), ("two", "three"), ("four",)]
    assert [one.id for one in answers if isinstance(one, Embedded)] == [1, 2, 3]


def test_a_question_that_fails_fails_alone() -> None:
    """Where the model refuses what was put together, each request is answered, or fails, by itself."""
    answers = _served(Lengths(), [Embed(id=1, texts=("good",)), Embed(id=2, texts=("bad",)), Embed(id=3, texts=("x",))])
    assert _rows(answers) == {1: [4.0], 3: [1.0]}
    assert [one.id for one in answers if isinstance(one, Failed)] == [2]
