"""
What can go wrong with models: one base, a class per fact, with its fields.

`kind` is the stable name of a class: it crosses the pipe between worker and daemon, and the daemon's error table
translates it into an HTTP status and an exit code.
"""

from collections.abc import Sequence
from pathlib import Path
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


class TextTooLong(ModelError):
    """A text has more tokens than the window of the encoder, which no setting can widen."""

    kind = "text_too_long"

    def __init__(self, text_tokens: int, window_tokens: int) -> None:
        super().__init__(
            f"the text has {text_tokens} tokens, the model's window holds {window_tokens}: "
            "split it, or let it be cut with `truncate`"
        )
        self.text_tokens = text_tokens
        self.window_tokens = window_tokens


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


# -- names ---


class ModelUnknown(ModelError):
    """No model of that name is installed, nor listed in the catalog."""

    kind = "model_unknown"

    def __init__(self, name: str, nearest: Sequence[str] = ()) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        meant = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else "; see: reverie models ls"
        super().__init__(f"no model is called {name!r}{meant}")


class ModelMissing(ModelError):
    """The catalog knows the model, but its files are not on this machine."""

    kind = "model_missing"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"model {name!r} is not installed; get it with: reverie models pull {name}")


class ModelExists(ModelError):
    """A model cannot get a name that another has."""

    kind = "model_exists"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name!r} is taken; choose another name")


class RemoteFailed(ModelError):
    """A model on another machine did not answer as it should."""

    kind = "remote_failed"

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"the remote model {name} failed: {reason}")


class RemoteOffline(ModelError):
    """A model on another machine was asked for, and the configuration says to stay offline."""

    kind = "remote_offline"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} is a remote model, and models.offline is true: it is not used")


# -- files ---


class ModelFileCorrupt(ModelError):
    """A model file that cannot be used. *reason* says what is wrong with it; *moved_to* where it was put aside."""

    kind = "model_file_corrupt"

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        self.moved_to: Path | None = None
        super().__init__(f"{path.name}: {reason}")

    def __str__(self) -> str:
        return f"{self.args[0]} (moved to {self.moved_to})" if self.moved_to else str(self.args[0])


class NotAModel(ModelFileCorrupt):
    """The file is something else: a web page, another format, or noise."""

    kind = "not_a_model"


class ModelTruncated(ModelFileCorrupt):
    """The file ends before its header says it does: a download that was cut short."""

    kind = "model_truncated"


class ModelTooNew(ModelFileCorrupt):
    """The file is of a format version that this release cannot read."""

    kind = "model_too_new"


class ModelUnsupported(ModelFileCorrupt):
    """A valid file of a kind that cannot be used here: other byte order, one part of a split model."""

    kind = "model_unsupported"


class DigestMismatch(ModelFileCorrupt):
    """The bytes are not those that were asked for."""

    kind = "digest_mismatch"

    def __init__(self, path: Path, expected: str, found: str) -> None:
        self.expected = expected
        self.found = found
        super().__init__(path, f"its sha256 is {found}, not {expected} as it should be: pull it again")


# -- pulls ---


class PullFailed(ModelError):
    """A pull that did not end in an installed model. What was installed before is untouched."""

    kind = "pull_failed"

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"cannot pull {source}: {reason}")


class PullOffline(PullFailed):
    """The configuration says to stay offline, and the source is on the network."""

    kind = "pull_offline"

    def __init__(self, source: str) -> None:
        super().__init__(source, "models.offline is true; set it to false, or pull from a file on this machine")


class PullGated(PullFailed):
    """The source wants a login or an accepted licence."""

    kind = "pull_gated"


class PullCancelled(PullFailed):
    """The caller asked to stop."""

    kind = "pull_cancelled"

    def __init__(self, source: str) -> None:
        super().__init__(source, "cancelled")


class DiskFull(PullFailed):
    """Not enough room for the model."""

    kind = "disk_full"

    def __init__(self, source: str, needed_bytes: int, free_bytes: int, folder: Path) -> None:
        self.needed_bytes = needed_bytes
        self.free_bytes = free_bytes
        self.folder = folder
        super().__init__(
            source,
            f"needs {needed_bytes >> 20} MB in {folder}, only {free_bytes >> 20} MB are free; make room first",
        )
