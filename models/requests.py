"""
What travels between the daemon and a worker, and between the daemon's parts and the supervisor.

All are frozen msgspec structs, so that the same types are arguments, replies and messages on the pipe. They know no
API's shape: the daemon's http modules translate OpenAI's, Ollama's and Anthropic's requests into these.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]
Priority = Literal["interactive", "background"]
FinishReason = Literal["stop", "length", "tool_calls", "cancelled"]
Kind = Literal["chat", "embed", "rerank"]


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of all types here."""


# -- a request ---


class ToolCall(Message, frozen=True):
    """A call that a model made. *arguments* is JSON text, as the model wrote it."""

    id: str
    name: str
    arguments: str


class Tool(Message, frozen=True):
    """A function a model may call. *parameters* is a JSON schema of an object."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}


class ChatMessage(Message, frozen=True):
    """One turn. *tool_calls* stand on an assistant's turn; *tool_call_id* and *name* on a tool's answer."""

    role: Role
    content: str = ""
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None


class Sampling(Message, frozen=True):
    """
    How the next token is chosen; None is the default of the model, then of the engine.

    *temperature* 0 is greedy. *seed* None draws one; the same seed gives the same text on one machine. *logit_bias*
    maps token ids to what is added to their logits; -100 and below bans. *mirostat* is 0, 1 or 2.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    repeat_last_n: int | None = None
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    mirostat: int = 0
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    seed: int | None = None
    logit_bias: dict[int, float] = {}


class ResponseFormat(Message, frozen=True):
    """What the answer must be. *schema* goes with json_schema; *pattern* is the text of a GBNF grammar or a regex."""

    kind: Literal["text", "json_object", "json_schema", "gbnf", "regex"] = "text"
    schema: dict[str, Any] | bool | None = None
    pattern: str = ""


class Generation(Message, frozen=True):
    """
    A request for text: *messages* through the model's chat template, or *prompt* as it stands (`raw` completion).

    - *stop*: strings that end the answer and are not part of it. *max_tokens* None: as many as fit.
    - *n*: so many answers at once; each delta carries its `index`.
    - *top_logprobs* counts with *logprobs* only.
    - *tool_choice*: auto, none, required, or the name of one tool.
    - *reasoning*: False asks the model not to think and drops what it thinks anyway; None is the model's own way.
    - *truncate*: "error" raises PromptTooLong; "oldest" drops the oldest turns after the system's, until it fits;
      "middle" keeps head and tail of a raw prompt.
    - *static_messages*: so many leading messages are the same in the next requests: their state is worth keeping.
    - *prefill*: the beginning of the answer, continued by the model.
    - *context_tokens*: at least so large a context; reloads the model when it has less. *keep_alive_s*: seconds the
      model stays after this request, negative for ever, None as configured.
    """

    messages: tuple[ChatMessage, ...] = ()
    prompt: str | tuple[int, ...] | None = None
    sampling: Sampling = Sampling()
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
    n: int = 1
    logprobs: bool = False
    top_logprobs: int = 0
    response_format: ResponseFormat = ResponseFormat()
    tools: tuple[Tool, ...] = ()
    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    reasoning: bool | None = None
    priority: Priority = "interactive"
    truncate: Literal["error", "oldest", "middle"] = "error"
    static_messages: int = 0
    prefill: str = ""
    echo: bool = False
    ignore_eos: bool = False
    context_tokens: int | None = None
    keep_alive_s: float | None = None


# -- an answer ---


class TokenLogprob(Message, frozen=True):
    """A token with the natural logarithm of its probability before sampling; *top* are its best rivals, best first."""

    token: int
    text: str
    bytes: tuple[int, ...]
    logprob: float
    top: tuple["TokenLogprob", ...] = ()


class ToolCallDelta(Message, frozen=True):
    """A piece of the *index*-th call: id and name come first, then pieces of its arguments' JSON text."""

    index: int
    id: str | None = None
    name: str | None = None
    arguments: str = ""


class Usage(Message, frozen=True):
    """
    Tokens counted. *cached_tokens* of the prompt were not read again; *reasoning_tokens* are part of completion. Where
    they were not *generated*, no model worked for them.
    """

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    generated: bool = True


class Timings(Message, frozen=True):
    """Milliseconds: waiting for a slot, reading the prompt, until the first token, and generating all after it."""

    queue_ms: float = 0.0
    prompt_ms: float = 0.0
    first_token_ms: float = 0.0
    generation_ms: float = 0.0
    load_ms: float = 0.0


class Delta(Message, frozen=True):
    """
    A piece of the answer number *index*. The last piece of each has *finish_reason*, *usage* and *timings*.

    *stopped_by* is the stop string, where one ended it. *warnings* come with the first piece (a fallback template).
    *was_reasoning*: all text before this piece was reasoning, as only its end was marked (`collect` heeds it).
    """

    text: str = ""
    index: int = 0
    reasoning: str = ""
    tool_calls: tuple[ToolCallDelta, ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()
    finish_reason: FinishReason | None = None
    stopped_by: str | None = None
    usage: Usage | None = None
    timings: Timings | None = None
    warnings: tuple[str, ...] = ()
    was_reasoning: bool = False


class Answer(Message, frozen=True):
    """A complete answer, put together from its deltas."""

    text: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()
    finish_reason: FinishReason = "stop"
    stopped_by: str | None = None
    usage: Usage = Usage(prompt_tokens=0, completion_tokens=0)
    timings: Timings = Timings()
    warnings: tuple[str, ...] = ()


def collect(deltas: Iterable[Delta]) -> list[Answer]:
    """The answers in *deltas*, by index."""
    by_index: dict[int, list[Delta]] = {}
    for delta in deltas:
        by_index.setdefault(delta.index, []).append(delta)
    return [_join(by_index[index]) for index in sorted(by_index)]


def _join(deltas: list[Delta]) -> Answer:
    text: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, list[str]] = {}
    named: dict[int, tuple[str, str]] = {}
    for delta in deltas:
        if delta.was_reasoning:
            reasoning += text
            text = []
        text.append(delta.text)
        reasoning.append(delta.reasoning)
        for call in delta.tool_calls:
            if call.name is not None:
                named[call.index] = (call.id or "", call.name)
            calls.setdefault(call.index, []).append(call.arguments)
    last = deltas[-1]
    return Answer(
        text="".join(text),
        reasoning="".join(reasoning),
        tool_calls=tuple(
            ToolCall(id=named[i][0], name=named[i][1], arguments="".join(calls[i])) for i in sorted(calls) if i in named
        ),
        logprobs=tuple(entry for delta in deltas for entry in delta.logprobs),
        finish_reason=last.finish_reason or "cancelled",
        stopped_by=last.stopped_by,
        usage=last.usage or Usage(prompt_tokens=0, completion_tokens=0),
        timings=last.timings or Timings(),
        warnings=tuple(warning for delta in deltas for warning in delta.warnings),
    )


# -- models and their workers ---


class Overrides(Message, frozen=True):
    """What the owner set for one model in its model.toml; each wins over the file's own word. None: not set."""

    chat_template: str | None = None
    stop: tuple[str, ...] | None = None
    context_tokens: int | None = None
    gpu_layers: int | None = None
    sampling: Sampling = Sampling()
    reasoning_tags: tuple[tuple[str, str], ...] | None = None


class WorkerSpec(Message, frozen=True):
    """Everything a worker must know to load its model. *backend* fake needs no file and no heavy library."""

    model: str
    kind: Kind
    backend: Literal["llama", "onnx", "fake"]
    path: str
    digest: str = ""
    threads: int = 0
    context_tokens: int = 0
    slots: int = 4
    batch_tokens: int = 512
    queue_limit: int = 64
    gpu_layers: int | None = None
    flash_attention: bool | None = None
    prefix_dir: str | None = None
    prefix_budget_bytes: int = 512 << 20
    overrides: Overrides = Overrides()


class ModelSettings(Message, frozen=True):
    """
    The daemon's `[models]` section as the supervisor needs it.

    *keep_alive_s*: negative keeps a model for ever, 0 unloads it after each request. *threads* 0: the machine's
    physical cores. *context_tokens* 0: what the model was trained for, at most 8192. *gpu*: auto, off, or a number of
    layers. *memory_budget_bytes* 0: three quarters of the machine's memory. *slots* 0: 4.
    """

    keep_alive_s: float = 300.0
    threads: int = 0
    context_tokens: int = 0
    slots: int = 0
    queue_limit: int = 64
    gpu: Literal["auto", "off"] | int = "auto"
    memory_budget_bytes: int = 0
    prefix_dir: str | None = None
    prefix_budget_bytes: int = 512 << 20
    load_timeout_s: float = 300.0


class WorkerState(Message, frozen=True):
    """
    A worker at one moment. *unload_in_s* None: in use, or never. *reason* says why it failed.

    *context_tokens* is what one request may use; *gpu_layers* 0 is the CPU alone.
    """

    model: str
    kind: Kind
    pid: int
    state: Literal["starting", "ready", "busy", "stopping", "failed"]
    rss_bytes: int = 0
    tokens_per_second: float = 0.0
    active: int = 0
    queued: int = 0
    unload_in_s: float | None = None
    digest: str = ""
    context_tokens: int = 0
    slots: int = 0
    gpu_layers: int = 0
    dim: int = 0
    restarts: int = 0
    warnings: tuple[str, ...] = ()
    reason: str | None = None


class WorkerEvent(Message, frozen=True):
    """A past fact of a worker (`loaded`, `unloaded`, `died`, `warned`, `gpu_unavailable`); never the user's words."""

    kind: Literal["loading", "loaded", "unloaded", "died", "warned", "gpu_unavailable"]
    model: str
    message: str
    severity: Literal["ok", "note", "warning", "error"] = "ok"
    data: dict[str, Any] = {}
