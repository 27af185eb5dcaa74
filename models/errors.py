"""
What can go wrong with models: one base, a class per fact, with its fields.

`kind` is the stable name of a class: it crosses the pipe between worker and daemon, and the daemon's error table
translates it into an HTTP status and an exit code.
"""

from typing import ClassVar


class ModelError(Exception):
    """Base of everything the room raises. Its text names the thing and the next step, in one line."""

    kind: ClassVar[str] = "model_error"


class WorkerError(ModelError):
    """A failure inside a worker that has no class of its own."""

    kind = "worker_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ModelLoadFailed(ModelError):
    """The file is there and was judged sound, and still the runtime could not load it."""

    kind = "model_load_failed"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"{model} could not be loaded: {reason}")
        self.model = model
        self.reason = reason


class WrongModelKind(ModelError):
    """A model was asked for something that models of its kind do not do."""

    kind = "wrong_model_kind"

    def __init__(self, model: str, has: str, needs: str) -> None:
        super().__init__(f"{model} is a model for {has}, not for {needs}")
        self.model = model
        self.has = has
        self.needs = needs


class PromptTooLong(ModelError):
    """The prompt alone leaves no room to answer. Nothing is cut unless the request asks for it."""

    kind = "prompt_too_long"

    def __init__(self, prompt_tokens: int, context_tokens: int) -> None:
        super().__init__(
            f"the prompt has {prompt_tokens} tokens, the context holds {context_tokens}: "
            "shorten it, raise models.context_tokens, or ask for truncation"
        )
        self.prompt_tokens = prompt_tokens
        self.context_tokens = context_tokens


class RequestInvalid(ModelError):
    """A value of the request that no engine could serve. *field* names it."""

    kind = "request_invalid"

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class GrammarInvalid(ModelError):
    """A schema, regex or grammar that cannot be enforced. *keyword* is the part that cannot."""

    kind = "grammar_invalid"

    def __init__(self, keyword: str, reason: str) -> None:
        super().__init__(f"{keyword}: {reason}")
        self.keyword = keyword
        self.reason = reason


class OutputInvalid(ModelError):
    """An answer that had to be JSON, or fit a schema, and is not and does not."""

    kind = "output_invalid"

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(f"the model's answer is not what was asked for: {reason}")
        self.reason = reason
        self.text = text


class TemplateFailed(ModelError):
    """The model's chat template refuses these messages."""

    kind = "template_failed"

    def __init__(self, reason: str) -> None:
        super().__init__(f"the model's chat template refuses these messages: {reason}")
        self.reason = reason


class QueueFull(ModelError):
    """More requests wait than the queue may hold."""

    kind = "queue_full"

    def __init__(self, retry_after_s: float) -> None:
        super().__init__(f"too many requests are waiting; try again in {retry_after_s:.0f} s")
        self.retry_after_s = retry_after_s


class MemoryBudgetExceeded(ModelError):
    """The model does not fit beside those in use, nor alone."""

    kind = "memory_budget_exceeded"

    def __init__(self, model: str, needs_bytes: int, budget_bytes: int) -> None:
        super().__init__(
            f"{model} needs about {needs_bytes >> 20} MB, models.memory_budget leaves {budget_bytes >> 20} MB: "
            "unload a model, raise the budget, or choose a smaller context"
        )
        self.model = model
        self.needs_bytes = needs_bytes
        self.budget_bytes = budget_bytes


class WorkerDied(ModelError):
    """The process that held the model is gone. The next request starts another."""

    kind = "worker_died"

    def __init__(self, model: str, exit_code: int | None, detail: str = "") -> None:
        how = "was killed" if exit_code is not None and exit_code < 0 else "ended"
        code = "" if exit_code is None else f" ({'signal' if exit_code < 0 else 'exit code'} {abs(exit_code)})"
        tail = f": {detail}" if detail else ""
        super().__init__(f"the worker of {model} {how}{code}{tail}; ask again to reload it")
        self.model = model
        self.exit_code = exit_code
        self.detail = detail


class ShuttingDown(ModelError):
    """The daemon drains: it takes no new request."""

    kind = "shutting_down"

    def __init__(self) -> None:
        super().__init__("reverie is shutting down")
