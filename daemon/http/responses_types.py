"""OpenAI's Responses requests as far as they are understood here, and their translation into the engine's types."""

from typing import Any, Literal

import msgspec

from daemon.errors import RequestInvalid
from daemon.http.openai_types import Lenient, Name
from daemon.http.values import bounded, json_text, keep_alive_s, named_once, tool
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling, Tool, ToolCall


class Part(Lenient):
    type: str
    text: str | None = None
    refusal: str | None = None


class Item(Lenient):
    """An item of the input of any type; which fields count depends on *type* (none: a message)."""

    type: str | None = None
    role: Literal["user", "assistant", "system", "developer"] | None = None
    content: str | list[Part] | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    output: str | list[Part] | None = None
    summary: list[Part] | None = None


class ToolEntry(Lenient):
    type: str
    name: str | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class NamedChoice(Lenient):
    type: str
    name: str | None = None


class Format(Lenient):
    type: Literal["text", "json_object", "json_schema"] = "text"
    name: str | None = None
    schema: dict[str, Any] | bool | None = None
    strict: bool | None = None


class Text(Lenient):
    format: Format | None = None
    verbosity: str | None = None


class Reasoning(Lenient):
    effort: str | None = None
    summary: str | None = None


class ResponsesRequest(Lenient, kw_only=True):
    """`POST /v1/responses`. Nothing is stored, so that earlier responses have to be sent along."""

    model: Name
    input: str | list[Item]
    instructions: str | None = None
    stream: bool | None = False
    temperature: float | None = None
    top_p: float | None = None
    top_logprobs: int | None = None
    max_output_tokens: int | None = None
    tools: list[ToolEntry] | None = None
    tool_choice: Literal["none", "auto", "required"] | NamedChoice | None = None
    parallel_tool_calls: bool | None = None
    text: Text | None = None
    reasoning: Reasoning | None = None
    truncation: Literal["auto", "disabled"] | None = None
    previous_response_id: str | None = None
    conversation: str | dict[str, Any] | None = None
    background: bool | None = None
    metadata: dict[str, str] | None = None
    keep_alive: str | float | None = None


def generation_of(request: ResponsesRequest) -> Generation:
    """
    What the engine is to do.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    for field in ("previous_response_id", "conversation", "background"):
        if getattr(request, field):
            raise RequestInvalid(f"{field}: responses are not stored here; send the whole input", field)
    bounded(request, "temperature", "top_p", "top_logprobs", "max_output_tokens")
    return Generation(
        messages=_messages(request),
        sampling=Sampling(temperature=request.temperature, top_p=request.top_p),
        max_tokens=request.max_output_tokens,
        response_format=_format(request.text.format if request.text else None),
        tools=named_once(_tool(entry, place) for place, entry in enumerate(request.tools or ())),
        tool_choice=_choice(request.tool_choice),
        parallel_tool_calls=request.parallel_tool_calls is not False,
        reasoning=False if request.reasoning and request.reasoning.effort in ("none", "minimal") else None,
        truncate="oldest" if request.truncation == "auto" else "error",
        keep_alive_s=keep_alive_s(request.keep_alive),
    )


def _messages(request: ResponsesRequest) -> tuple[ChatMessage, ...]:
    turns: list[ChatMessage] = []
    if request.instructions:
        turns.append(ChatMessage(role="system", content=request.instructions))
    if isinstance(request.input, str):
        return (*turns, ChatMessage(role="user", content=request.input))
    if not request.input:
        raise RequestInvalid("input: at least one item is needed", "input")
    thoughts = ""
    for place, item in enumerate(request.input):
        field = f"input[{place}]"
        match item.type or "message":
            case "message":
                role = "system" if item.role == "developer" else item.role
                if role is None:
                    raise RequestInvalid(f"{field}.role is missing", f"{field}.role")
                said = _text(item.content, f"{field}.content")
                turns.append(ChatMessage(role=role, content=said, reasoning=thoughts or None))
                thoughts = ""
            case "function_call":
                call = ToolCall(
                    id=_required(item.call_id, f"{field}.call_id"),
                    name=_required(item.name, f"{field}.name"),
                    arguments=item.arguments or "{}",
                )
                if turns and turns[-1].role == "assistant":
                    both = (*turns[-1].tool_calls, call)
                    turns[-1] = msgspec.structs.replace(turns[-1], tool_calls=both)
                else:
                    turns.append(ChatMessage(role="assistant", tool_calls=(call,), reasoning=thoughts or None))
                thoughts = ""
            case "function_call_output":
                call_id = _required(item.call_id, f"{field}.call_id")
                turns.append(
                    ChatMessage(role="tool", content=_text(item.output, f"{field}.output"), tool_call_id=call_id)
                )
            case "reasoning":
                parts = item.content if isinstance(item.content, list) and item.content else item.summary or []
                thoughts += "".join(part.text or "" for part in parts)
            case other:
                raise RequestInvalid(f"{field}: an item of type {other[:40]!r} is not supported here", field)
    return tuple(turns)


def _text(content: str | list[Part] | None, field: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    for number, part in enumerate(content):
        if part.type not in ("input_text", "output_text", "text", "refusal"):
            place = f"{field}[{number}]"
            raise RequestInvalid(f"{place}: content of type {part.type[:40]!r} is not supported, only text", place)
    return "\n".join(part.text or part.refusal or "" for part in content)


def _required(value: str | None, field: str) -> str:
    if value is None:
        raise RequestInvalid(f"{field} is missing", field)
    return value


def _tool(entry: ToolEntry, place: int) -> Tool:
    if entry.type != "function":
        raise RequestInvalid(
            f"tools[{place}]: the hosted tool {entry.type[:40]!r} is not available here", f"tools[{place}].type"
        )
    field = f"tools[{place}].name"
    return tool(_required(entry.name, field), entry.description, entry.parameters, field)


def _choice(choice: str | NamedChoice | None) -> str:
    if not isinstance(choice, NamedChoice):
        return choice or "auto"
    if choice.type != "function":
        raise RequestInvalid(f"tool_choice: {choice.type[:40]!r} is not understood", "tool_choice")
    return _required(choice.name, "tool_choice.name")


def _format(wanted: Format | None) -> ResponseFormat:
    match wanted.type if wanted else "text":
        case "json_object":
            return ResponseFormat(kind="json_object")
        case "json_schema":
            if wanted is None or wanted.schema is None:
                raise RequestInvalid("text.format: json_schema needs a schema", "text.format.schema")
            return ResponseFormat(kind="json_schema", schema=wanted.schema)
        case _:
            return ResponseFormat()


def echoed(request: ResponsesRequest) -> dict[str, object]:
    """What a response repeats of its request."""
    tools = [
        {
            "type": "function",
            "name": entry.name,
            "description": entry.description,
            "parameters": entry.parameters or {},
            "strict": bool(entry.strict),
        }
        for entry in request.tools or ()
    ]
    form = request.text.format if request.text and request.text.format else Format()
    shown: dict[str, object] = {"type": form.type}
    if form.type == "json_schema":
        shown |= {"name": form.name or "", "schema": msgspec.json.decode(json_text(form.schema)), "strict": True}
    return {
        "instructions": request.instructions,
        "max_output_tokens": request.max_output_tokens,
        "metadata": request.metadata or {},
        "model": request.model,
        "parallel_tool_calls": request.parallel_tool_calls is not False,
        "previous_response_id": None,
        "reasoning": {"effort": request.reasoning.effort if request.reasoning else None, "summary": None},
        "store": False,
        "temperature": request.temperature,
        "text": {"format": shown},
        "tool_choice": _shown_choice(request.tool_choice),
        "tools": tools,
        "top_p": request.top_p,
        "truncation": request.truncation or "disabled",
    }


def _shown_choice(choice: str | NamedChoice | None) -> object:
    return {"type": "function", "name": choice.name} if isinstance(choice, NamedChoice) else choice or "auto"
