"""OpenAI's requests as far as they are understood here, and their translation into the engine's types."""

from typing import Any, Literal

import msgspec

from daemon.config import duration_s
from daemon.errors import RequestInvalid
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling, Tool, ToolCall


class Lenient(msgspec.Struct, kw_only=True):
    """Base of requests: fields that are not known here are skipped, as OpenAI's clients send ever new ones."""


class ContentPart(Lenient):
    type: str
    text: str | None = None
    refusal: str | None = None


class Function(Lenient):
    name: str
    arguments: str = ""
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Call(Lenient):
    id: str
    function: Function
    type: str = "function"


class ToolEntry(Lenient):
    function: Function
    type: str = "function"


class Turn(Lenient):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None
    name: str | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None


class JsonSchema(Lenient):
    name: str = ""
    schema: dict[str, Any] | bool | None = None
    strict: bool | None = None


class Format(Lenient):
    type: str
    json_schema: JsonSchema | None = None
    grammar: str | None = None
    pattern: str | None = None


class StreamOptions(Lenient):
    include_usage: bool | None = False


class NamedChoice(Lenient):
    function: Function
    type: str = "function"


class ChatRequest(Lenient):
    model: str
    messages: list[Turn]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    logit_bias: dict[int, float] | None = None
    n: int | None = 1
    stop: str | list[str] | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = None
    response_format: Format | None = None
    tools: list[ToolEntry] | None = None
    tool_choice: str | NamedChoice | None = None
    parallel_tool_calls: bool | None = None
    reasoning_effort: str | None = None
    truncate: Literal["error", "oldest", "middle"] | None = None
    keep_alive: str | float | None = None


class EmbeddingsRequest(Lenient):
    model: str
    input: str | list[str | int | list[int]]
    encoding_format: Literal["float", "base64"] | None = "float"
    dimensions: int | None = None


def generation_of(request: ChatRequest) -> Generation:
    """
    What the engine is to do.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    _bounds(request)
    tool_choice = request.tool_choice
    maximum = request.max_completion_tokens if request.max_completion_tokens is not None else request.max_tokens
    return Generation(
        messages=tuple(message_of(turn, place) for place, turn in enumerate(request.messages)),
        sampling=Sampling(
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=request.top_k,
            min_p=request.min_p,
            typical_p=request.typical_p,
            repeat_penalty=request.repeat_penalty,
            presence_penalty=request.presence_penalty or 0.0,
            frequency_penalty=request.frequency_penalty or 0.0,
            seed=request.seed,
            logit_bias=request.logit_bias or {},
        ),
        stop=(request.stop,) if isinstance(request.stop, str) else tuple(request.stop or ()),
        max_tokens=maximum,
        n=request.n or 1,
        logprobs=bool(request.logprobs),
        top_logprobs=request.top_logprobs or 0,
        response_format=format_of(request.response_format),
        tools=tuple(
            Tool(
                name=entry.function.name,
                description=entry.function.description or "",
                parameters=entry.function.parameters or {},
            )
            for entry in request.tools or ()
        ),
        tool_choice=tool_choice.function.name if isinstance(tool_choice, NamedChoice) else tool_choice or "auto",
        parallel_tool_calls=request.parallel_tool_calls is not False,
        reasoning=False if request.reasoning_effort in ("none", "minimal") else None,
        truncate=request.truncate or "error",
        keep_alive_s=_keep_alive(request.keep_alive),
    )


def message_of(turn: Turn, place: int) -> ChatMessage:
    """One turn; its text parts are joined. Raises RequestInvalid for what is no text."""
    content = turn.content
    if isinstance(content, list):
        for number, part in enumerate(content):
            if part.type not in ("text", "input_text", "refusal"):
                param = f"messages[{place}].content[{number}]"
                raise RequestInvalid(f"{param}: content of type {part.type!r} is not supported, only text", param)
        content = "\n".join(part.text or part.refusal or "" for part in content)
    return ChatMessage(
        role="system" if turn.role == "developer" else turn.role,
        content=content or "",
        name=turn.name,
        tool_calls=tuple(
            ToolCall(id=call.id, name=call.function.name, arguments=call.function.arguments)
            for call in turn.tool_calls or ()
        ),
        tool_call_id=turn.tool_call_id,
        reasoning=turn.reasoning_content,
    )


def format_of(wanted: Format | None) -> ResponseFormat:
    """The response format; json_schema carries its schema, grammar and regex their text."""
    match wanted.type if wanted else "text":
        case "text":
            return ResponseFormat()
        case "json_object":
            return ResponseFormat(kind="json_object")
        case "json_schema" if wanted and wanted.json_schema and wanted.json_schema.schema is not None:
            return ResponseFormat(kind="json_schema", schema=wanted.json_schema.schema)
        case "grammar" if wanted and wanted.grammar:
            return ResponseFormat(kind="gbnf", pattern=wanted.grammar)
        case "regex" if wanted and wanted.pattern:
            return ResponseFormat(kind="regex", pattern=wanted.pattern)
        case other:
            raise RequestInvalid(f"response_format {other!r} is not understood, or lacks its schema", "response_format")


def _keep_alive(value: str | float | None) -> float | None:
    if value is None:
        return None
    try:
        return duration_s(value)
    except ValueError:
        raise RequestInvalid(f"keep_alive is {value!r}, expected a duration as 5m, 0 or -1", "keep_alive") from None


def _bounds(request: ChatRequest) -> None:
    if not request.messages:
        raise RequestInvalid("messages: at least one is needed", "messages")
    for name, low, high in (
        ("temperature", 0.0, 5.0),
        ("top_p", 0.0, 1.0),
        ("min_p", 0.0, 1.0),
        ("presence_penalty", -2.0, 2.0),
        ("frequency_penalty", -2.0, 2.0),
        ("n", 1, 16),
        ("top_logprobs", 0, 20),
        ("max_tokens", 1, 10**7),
        ("max_completion_tokens", 1, 10**7),
    ):
        value = getattr(request, name)
        if value is not None and not low <= value <= high:
            raise RequestInvalid(f"{name} is {value:g}, expected {low:g} to {high:g}", name)
