"""Models: those there are, how they come, and what they are good for."""

from typing import Literal

from daemon.wire.base import Wire


class ModelInfo(Wire, frozen=True):
    """An installed or known model. *trust* lists the abilities that `models check` granted on this machine."""

    name: str
    kind: Literal["chat", "embed", "rerank"]
    installed: bool
    size_bytes: int
    sha256: str | None = None
    license: str | None = None
    context_tokens: int | None = None
    loaded: bool = False
    source: str | None = None
    trust: list[str] = []
    warnings: list[str] = []


class PullRequest(Wire, frozen=True):
    """
    *source*: a catalog name, `hf:owner/repo/file.gguf`, an `https:` address, or a path on this machine.

    The reply is a stream of `Progress`, one JSON object a line.
    """

    source: str
    name: str | None = None
    sha256: str | None = None


class Progress(Wire, frozen=True):
    """A step of a long call. *total* 0 when unknown; the last one has `done`, or `error` and its `kind`, set."""

    step: str
    completed: int = 0
    total: int = 0
    unit: Literal["bytes", "items"] = "bytes"
    done: bool = False
    error: str | None = None
    kind: str | None = None


class CheckResult(Wire, frozen=True):
    """One small test of `models check`."""

    ability: str
    name: str
    passed: bool
    detail: str = ""


class CheckReport(Wire, frozen=True):
    """All tests of one model, and what it is trusted with as a result."""

    model: str
    digest: str
    results: list[CheckResult]
    scores: dict[str, float]
    trust: list[str]
    took_s: float


class BenchReport(Wire, frozen=True):
    """
    How fast a model is on this machine, medians of a few runs; None was not measured.

    *first_token_ms* is the wait for a question whose beginning was read before. *load_s* None: it was loaded already.
    """

    model: str
    kind: Literal["chat", "embed", "rerank"]
    rss_bytes: int
    load_s: float | None = None
    prompt_tokens: int | None = None
    prompt_tokens_per_s: float | None = None
    generation_tokens_per_s: float | None = None
    first_token_ms: float | None = None
    texts_per_s: float | None = None


class MemoryBenchRequest(Wire, frozen=True):
    """Asks for a bench of memory with the model *name* on so many generated *episodes*."""

    name: str
    episodes: int = 2
    seed: int = 0


class TaskScore(Wire, frozen=True):
    """Of so many *questions* of a task, how many were right with *facts* alone, and in a chat with the *model*."""

    task: str
    about: str
    questions: int
    facts: int
    model: int


class MemoryBenchReport(Wire, frozen=True):
    """
    How well memory answers with a model, which did only what it is trusted with.

    *facts_ms* and *model_ms* are the medians of an answer by facts alone and in a chat with the model.
    """

    model: str
    episodes: int
    seed: int
    trust: list[str]
    tasks: list[TaskScore]
    facts_ms: float
    model_ms: float
    took_s: float


class ModelRequest(Wire, frozen=True):
    """Names a model for load, unload, check or show."""

    name: str
