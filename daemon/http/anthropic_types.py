"""Anthropic's requests as far as they are understood here, and their translation into the engine's types."""

from typing import Annotated, Any, Literal

import msgspec

from daemon.errors import RequestInvalid
from daemon.http.openai_types import Lenient, Name
from daemon.http.values import bounded, json_text, keep_alive_s, named_once, stops_of, tool
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling, Tool, ToolCall


class Block(Lenient):
    """A content block of any type; which fields count depends on *type*."""

    type: str
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None
    tool_use_id: str | None = None
    content: "str | list[Block] | None" = None
    is_error: bool | None = None


class Turn(Lenient):
    role: Literal["user", "assistant", "system"]
    content: str | list[Block]


class ToolEntry(Lenient):
    name: str
    input_schema: dict[str, Any] | None = None
    description: str | None = None
    type: str | None = "custom"


class ToolChoice(Lenient):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class Thinking(Lenient):
    type: Literal["enabled", "disabled", "adaptive"]
    budget_tokens: int | None = None


class OutputFormat(Lenient):
    type: Literal["json_schema"]
    schema: dict[str, Any] | bool


class OutputConfig(Lenient):
    format: OutputFormat | None = None


class CountRequest(Lenient, kw_only=True):
    """`POST /v1/messages/count_tokens`, and what every message request holds."""

    model: Name
    messages: list[Turn]
    system: str | list[Block] | None = None
    tools: list[ToolEntry] | None = None
    tool_choice: ToolChoice | None = None
    thinking: Thinking | None = None


class MessagesRequest(CountRequest, kw_only=True):
    """`POST /v1/messages`. *keep_alive* and *truncate* are ours."""

    max_tokens: int
    stream: bool | None = False
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[Annotated[str, msgspec.Meta(min_length=1)]] | None = None
    output_config: OutputConfig | None = None
    output_format: OutputFormat | None = None
    keep_alive: str | float | None = None
    truncate: Literal["error", "oldest"] | None = None


def generation_of(request: MessagesRequest) -> Generation:
    """
    What the engine is to do. A last turn of the assistant is the beginning of the answer.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    bounded(request, "max_tokens", "top_p", "top_k", temperature=(0.0, 1.0))
    messages, choice = messages_of(request), request.tool_choice
    prefill = ""
    if len(messages) > 1 and messages[-1].role == "assistant" and not messages[-1].tool_calls:
        *rest, last = messages
        messages, prefill = tuple(rest), last.content
        if prefill != prefill.rstrip():
            raise RequestInvalid("messages: the assistant's last turn must not end with whitespace", "messages")
    return Generation(
        messages=messages,
        sampling=Sampling(temperature=request.temperature, top_p=request.top_p, top_k=request.top_k),
        stop=stops_of(request.stop_sequences, "stop_sequences"),
        max_tokens=request.max_tokens,
        response_format=_format(request),
        tools=tools_of(request),
        tool_choice=_choice(choice),
        parallel_tool_calls=not (choice and choice.disable_parallel_tool_use),
        reasoning=request.thinking is not None and request.thinking.type != "disabled",
        prefill=prefill,
        truncate=request.truncate or "error",
        keep_alive_s=keep_alive_s(request.keep_alive),
    )


def messages_of(request: CountRequest) -> tuple[ChatMessage, ...]:
    """
    The turns, the system's text first.

    Raises:
        RequestInvalid: there is none, or one holds what is no text.
    """
    if not request.messages:
        raise RequestInvalid("messages: at least one message is required", "messages")
    system = _text(request.system, "system") if request.system else ""
    turns: list[ChatMessage] = [ChatMessage(role="system", content=system)] if system else []
    for place, turn in enumerate(request.messages):
        turns += _turn(turn, f"messages.{place}")
    return tuple(turns)


def _turn(turn: Turn, field: str) -> list[ChatMessage]:
    """One turn is several where it holds answers of tools."""
    if isinstance(turn.content, str):
        return [ChatMessage(role=turn.role, content=turn.content)]
    answers: list[ChatMessage] = []
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    for number, block in enumerate(turn.content):
        place = f"{field}.content.{number}"
        match block.type:
            case "text":
                texts.append(_required(block.text, f"{place}.text"))
            case "thinking":
                thoughts.append(block.thinking or "")
            case "redacted_thinking":
                pass
            case "tool_use" if turn.role == "assistant":
                name = _required(block.name, f"{place}.name")
                call_id = _required(block.id, f"{place}.id")
                calls.append(ToolCall(id=call_id, name=name, arguments=json_text(block.input or {})))
            case "tool_result" if turn.role == "user":
                said = _text(block.content, f"{place}.content") if block.content else ""
                said = f"Error: {said}" if block.is_error else said
                call_id = _required(block.tool_use_id, f"{place}.tool_use_id")
                answers.append(ChatMessage(role="tool", content=said, tool_call_id=call_id))
            case other:
                raise RequestInvalid(f"{place}: content of type {other[:40]!r} is not supported here, only text", place)
    if not (texts or calls or thoughts) and answers:
        return answers
    reasoning = "".join(thoughts) or None
    own = ChatMessage(role=turn.role, content="\n".join(texts), tool_calls=tuple(calls), reasoning=reasoning)
    return [*answers, own]


def _text(content: str | list[Block], field: str) -> str:
    if isinstance(content, str):
        return content
    for number, block in enumerate(content):
        if block.type != "text":
            place = f"{field}.{number}"
            raise RequestInvalid(f"{place}: content of type {block.type[:40]!r} is not supported, only text", place)
    return "\n".join(block.text or "" for block in content)


def _required(value: str | None, field: str) -> str:
    if value is None:
        raise RequestInvalid(f"{field}: field required", field)
    return value


def tools_of(request: CountRequest) -> tuple[Tool, ...]:
    """The tools that the client runs; those that Anthropic runs are refused."""
    for place, entry in enumerate(request.tools or ()):
        if entry.type not in (None, "custom"):
            field = f"tools.{place}.type"
            raise RequestInvalid(f"{field}: the server tool {entry.type[:40]!r} is not available here", field)
    return named_once(
        tool(entry.name, entry.description, entry.input_schema, f"tools.{place}.name")
        for place, entry in enumerate(request.tools or ())
    )


def _choice(choice: ToolChoice | None) -> str:
    match choice.type if choice else "auto":
        case "any":
            return "required"
        case "tool":
            return _required(choice.name if choice else None, "tool_choice.name")
        case other:
            return other


def _format(request: MessagesRequest) -> ResponseFormat:
    wanted = request.output_format or (request.output_config.format if request.output_config else None)
    return ResponseFormat(kind="json_schema", schema=wanted.schema) if wanted else ResponseFormat()
