"""Ollama's requests as far as they are understood here, and their translation into the engine's types."""

import uuid
from typing import Any, Literal

import msgspec

from daemon.errors import RequestInvalid
from daemon.http.openai_types import Lenient, Name
from daemon.http.values import bounded, json_text, keep_alive_s, named_once, seed_of, stops_of, tool
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling, Tool, ToolCall

OPTIONS = ("temperature", "top_p", "top_k", "min_p", "typical_p", "repeat_penalty", "repeat_last_n", "num_ctx")


class Options(Lenient):
    """Ollama's options that mean something here; the others (num_gpu, num_batch, num_keep, …) are the daemon's own."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    repeat_last_n: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    mirostat: int | None = None
    mirostat_tau: float | None = None
    mirostat_eta: float | None = None
    seed: int | None = None
    stop: list[str] | str | None = None
    num_ctx: int | None = None
    num_predict: int | None = None


class Function(Lenient):
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class ToolEntry(Lenient):
    function: Function
    type: str | None = "function"


class CalledFunction(Lenient):
    name: str
    arguments: dict[str, Any] | str | None = None


class Call(Lenient):
    function: CalledFunction
    id: str | None = None


class Turn(Lenient):
    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = ""
    thinking: str | None = None
    images: list[Any] | None = None
    tool_calls: list[Call] | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None


Think = bool | Literal["none", "low", "medium", "high", "max"]


class Common(Lenient, kw_only=True):
    """
    What chat and generate share.

    *truncate*: Ollama cuts a prompt that is too long unless told not to; here it is an error unless told to cut.
    """

    model: Name
    stream: bool | None = True
    format: str | dict[str, Any] | None = None
    options: Options | None = None
    keep_alive: str | float | None = None
    think: Think | None = None
    truncate: bool | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None


class ChatRequest(Common, kw_only=True):
    """`POST /api/chat`. Without messages it loads the model, or with keep_alive 0 unloads it."""

    messages: list[Turn] | None = None
    tools: list[ToolEntry] | None = None


class GenerateRequest(Common, kw_only=True):
    """`POST /api/generate`. Without a prompt it loads the model, or with keep_alive 0 unloads it."""

    prompt: str | None = ""
    system: str | None = None
    suffix: str | None = None
    template: str | None = None
    images: list[Any] | None = None
    raw: bool | None = False
    context: list[int] | None = None


class EmbedRequest(Lenient, kw_only=True):
    """`POST /api/embed`. As with Ollama, a text too long for the model is cut, unless *truncate* is false."""

    model: Name
    input: str | list[str] | None = None
    truncate: bool | None = None
    dimensions: int | None = None
    keep_alive: str | float | None = None
    options: Options | None = None


class EmbeddingsRequest(Lenient, kw_only=True):
    """`POST /api/embeddings`, the older of the two."""

    model: Name
    prompt: str | None = None
    keep_alive: str | float | None = None
    options: Options | None = None


class ModelRequest(Lenient):
    """Names a model by its newer or its older field."""

    model: str | None = None
    name: str | None = None
    stream: bool | None = True
    verbose: bool | None = False

    @property
    def wanted(self) -> str:
        """The model's name. Raises RequestInvalid where there is none."""
        found = (self.model or self.name or "").strip()
        if not found:
            raise RequestInvalid("model is required", "model")
        return found


class CopyRequest(Lenient):
    """`POST /api/copy`."""

    source: Name
    destination: Name


def chat_of(request: ChatRequest) -> Generation:
    """
    What the engine is to do for a chat.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    turns = request.messages or []
    return msgspec.structs.replace(
        _common(request),
        messages=tuple(_message(turn, turns, place) for place, turn in enumerate(turns)),
        tools=named_once(_tool(entry, place) for place, entry in enumerate(request.tools or ())),
        truncate="oldest" if request.truncate else "error",
    )


def generate_of(request: GenerateRequest) -> Generation:
    """
    What the engine is to do for a prompt: a chat of one turn, or with *raw* the prompt as it stands.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    if request.suffix:
        raise RequestInvalid("suffix: filling in between two texts is not supported", "suffix")
    if request.template:
        raise RequestInvalid("template: the model's own chat template is used; send raw instead", "template")
    _without_images(request.images, "images")
    asked, prompt = _common(request), request.prompt or ""
    if request.raw:
        return msgspec.structs.replace(asked, prompt=prompt, truncate="middle" if request.truncate else "error")
    system = (ChatMessage(role="system", content=request.system),) if request.system else ()
    messages = (*system, ChatMessage(role="user", content=prompt))
    return msgspec.structs.replace(asked, messages=messages, truncate="oldest" if request.truncate else "error")


def _common(request: Common) -> Generation:
    options = request.options or Options()
    bounded(options, *OPTIONS, prefix="options.")
    bounded(options, "mirostat", "mirostat_tau", "mirostat_eta", prefix="options.")
    bounded(
        options, presence_penalty=(-10, 10), frequency_penalty=(-10, 10), num_predict=(-2, 10**7), prefix="options."
    )
    bounded(request, "top_logprobs")
    defaults = Sampling()
    maximum = options.num_predict
    return Generation(
        sampling=Sampling(
            temperature=options.temperature,
            top_p=options.top_p,
            top_k=options.top_k,
            min_p=options.min_p,
            typical_p=options.typical_p,
            repeat_penalty=options.repeat_penalty,
            repeat_last_n=options.repeat_last_n,
            presence_penalty=options.presence_penalty or 0.0,
            frequency_penalty=options.frequency_penalty or 0.0,
            mirostat=options.mirostat or 0,
            mirostat_tau=defaults.mirostat_tau if options.mirostat_tau is None else options.mirostat_tau,
            mirostat_eta=defaults.mirostat_eta if options.mirostat_eta is None else options.mirostat_eta,
            seed=seed_of(options.seed, "options.seed"),
        ),
        stop=stops_of(options.stop, "options.stop"),
        max_tokens=maximum if maximum and maximum > 0 else None,
        response_format=_format(request.format),
        reasoning=None if request.think is None else request.think not in (False, "none"),
        logprobs=bool(request.logprobs),
        top_logprobs=request.top_logprobs or 0,
        context_tokens=options.num_ctx,
        keep_alive_s=keep_alive_s(request.keep_alive),
    )


def _format(wanted: str | dict[str, Any] | None) -> ResponseFormat:
    match wanted:
        case None | "":
            return ResponseFormat()
        case "json":
            return ResponseFormat(kind="json_object")
        case dict():
            return ResponseFormat(kind="json_schema", schema=wanted)
    raise RequestInvalid(f'format is {wanted[:40]!r}, expected "json" or a JSON schema', "format")


def _message(turn: Turn, turns: list[Turn], place: int) -> ChatMessage:
    _without_images(turn.images, f"messages[{place}].images")
    calls = tuple(
        ToolCall(
            id=call.id or f"call_{place}_{number}",
            name=call.function.name,
            arguments=call.function.arguments
            if isinstance(call.function.arguments, str)
            else json_text(call.function.arguments or {}),
        )
        for number, call in enumerate(turn.tool_calls or ())
    )
    answers = turn.tool_call_id
    if turn.role == "tool" and answers is None:
        answers = _call_answered(turns, place) or f"call_{uuid.uuid4().hex[:24]}"
    return ChatMessage(
        role=turn.role,
        content=turn.content or "",
        name=turn.tool_name,
        tool_calls=calls,
        tool_call_id=answers,
        reasoning=turn.thinking,
    )


def _call_answered(turns: list[Turn], place: int) -> str | None:
    """The id of the call that the tool's turn at *place* answers: Ollama's clients tell none, the order does."""
    first = place
    while first and turns[first - 1].role == "tool":
        first -= 1
    calls = turns[first - 1].tool_calls if first else None
    number = place - first
    if not calls or number >= len(calls):
        return None
    return calls[number].id or f"call_{first - 1}_{number}"


def _tool(entry: ToolEntry, place: int) -> Tool:
    function = entry.function
    return tool(function.name, function.description, function.parameters, f"tools[{place}].function.name")


def _without_images(images: list[Any] | None, field: str) -> None:
    if images:
        raise RequestInvalid(f"{field}: images are not supported, only text", field)
