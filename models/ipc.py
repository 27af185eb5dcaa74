"""The pipe between the daemon and a worker: length-prefixed msgpack over a socket pair."""

import struct
from typing import Any

import msgspec

from models.errors import ModelError, WorkerError
from models.requests import ChatMessage, Delta, Generation, Message, Priority, Tool, WorkerSpec

LENGTH = struct.Struct(">I")
FRAME_LIMIT_BYTES = 1 << 30


# -- to the worker ---


class Start(Message, frozen=True, tag=True):
    """The first message: load this."""

    spec: WorkerSpec


class Generate(Message, frozen=True, tag=True):
    """Answered by Deltas until each answer has its finish reason, or by Failed."""

    id: int
    generation: Generation


class Cancel(Message, frozen=True, tag=True):
    """Nothing more is to come for *id*. Not answered."""

    id: int


class Embed(Message, frozen=True, tag=True):
    """
    Answered by Embedded or Failed. With *query* the rows are one number each: how well a text answers it.

    *whole*: a text longer than the model's window is refused, rather than represented by its beginning.
    """

    id: int
    texts: tuple[str, ...]
    priority: Priority = "interactive"
    query: str | None = None
    whole: bool = False


class Count(Message, frozen=True, tag=True):
    """Answered by Number or Failed. *text* counts when there are no messages."""

    id: int
    messages: tuple[ChatMessage, ...] = ()
    text: str = ""
    tools: tuple[Tool, ...] = ()


class Drop(Message, frozen=True, tag=True):
    """Forget what was read of any of these texts. Answered by Number: so many saved heads and slots."""

    id: int
    texts: tuple[str, ...]


ToWorker = Start | Generate | Cancel | Embed | Count | Drop


# -- from the worker ---


class Loaded(Message, frozen=True, tag=True):
    """The model is ready. *notes* are fallbacks with their reasons (a GPU that failed); *warnings* concern the file."""

    context_tokens: int = 0
    trained_tokens: int = 0
    slots: int = 0
    gpu_layers: int = 0
    dim: int = 0
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Deltas(Message, frozen=True, tag=True):
    """Pieces of answers, in order."""

    items: list[tuple[int, Delta]]


class Embedded(Message, frozen=True, tag=True):
    """Rows of native float32."""

    id: int
    dim: int
    data: bytes


class Number(Message, frozen=True, tag=True):
    """The answer to Count and Drop."""

    id: int
    value: int


class Failed(Message, frozen=True, tag=True):
    """An error of `models.errors`, by kind and fields; *id* 0: the model could not be loaded."""

    id: int
    kind: str
    message: str
    fields: dict[str, Any] = {}


class Busy(Message, frozen=True, tag=True):
    """How busy the worker is, now and then."""

    active: int
    queued: int
    tokens_per_second: float


FromWorker = Loaded | Deltas | Embedded | Number | Failed | Busy

_encoder = msgspec.msgpack.Encoder()


def frame(message: ToWorker | FromWorker) -> bytes:
    """*message* as it goes over the pipe."""
    body = _encoder.encode(message)
    return LENGTH.pack(len(body)) + body


class Frames:
    """Bytes in, whole message bodies out."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def push(self, data: bytes) -> list[bytes]:
        """The bodies that are complete now."""
        buffer = self._buffer
        buffer += data
        bodies = []
        at = 0
        while len(buffer) - at >= LENGTH.size:
            (length,) = LENGTH.unpack_from(buffer, at)
            if length > FRAME_LIMIT_BYTES:
                raise ValueError(f"a message of {length} bytes")
            end = at + LENGTH.size + length
            if len(buffer) < end:
                break
            bodies.append(bytes(buffer[at + LENGTH.size : end]))
            at = end
        del buffer[:at]
        return bodies


# -- errors ---


def failure(job_id: int, error: ModelError) -> Failed:
    """*error* for the pipe: its kind, its text and its plain fields."""
    fields = {
        name: value if isinstance(value, str | int | float | bool | None) else str(value)
        for name, value in vars(error).items()
        if not name.startswith("_")
    }
    return Failed(id=job_id, kind=error.kind, message=str(error), fields=fields)


def revive(failed: Failed) -> ModelError:
    """The error that `failure` packed: same class, same text, same fields."""
    cls = _kinds().get(failed.kind, WorkerError)
    error = cls.__new__(cls)
    Exception.__init__(error, failed.message)
    error.__dict__.update(failed.fields)
    return error


def _kinds() -> dict[str, type[ModelError]]:
    found: dict[str, type[ModelError]] = {}
    todo: list[type[ModelError]] = [ModelError]
    while todo:
        cls = todo.pop()
        found.setdefault(cls.kind, cls)
        todo += cls.__subclasses__()
    return found
