"""What Anthropic's paths answer, as `/openapi.json` describes it."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from daemon import wire
from daemon.http.openai_replies import Reply


class AnthropicErrorDetail(Reply):
    """*kind* and *hint* are reverie's own, and Anthropic's clients skip them."""

    type: str
    message: str
    kind: str
    hint: str | None


class AnthropicError(Reply):
    type: Literal["error"]
    error: AnthropicErrorDetail
    request_id: None


class MessageBlock(Reply):
    """Text, thoughts, or a call; which fields it has depends on *type*."""

    type: Literal["text", "thinking", "tool_use"]
    text: str | UnsetType = UNSET
    thinking: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    input: dict[str, Any] | UnsetType = UNSET


class MessageUsage(Reply):
    input_tokens: int
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    output_tokens: int


class AnthropicMessage(Reply):
    id: str
    type: Literal["message"]
    role: Literal["assistant"]
    model: str
    content: list[MessageBlock]
    stop_reason: Literal["end_turn", "max_tokens", "stop_sequence", "tool_use"] | None
    stop_sequence: str | None
    usage: MessageUsage
    reverie: wire.ChatMemory | UnsetType = UNSET


class MessageDelta(Reply):
    type: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    thinking: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET
    partial_json: str | UnsetType = UNSET
    stop_reason: str | UnsetType | None = UNSET
    stop_sequence: str | UnsetType | None = UNSET


class MessageEvent(Reply):
    """One event of a streamed message; which fields it has depends on *type*."""

    type: Literal[
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    message: AnthropicMessage | UnsetType = UNSET
    index: int | UnsetType = UNSET
    content_block: MessageBlock | UnsetType = UNSET
    delta: MessageDelta | UnsetType = UNSET
    usage: MessageUsage | UnsetType = UNSET
    reverie: wire.ChatMemory | UnsetType = UNSET


class CountedTokens(Reply):
    input_tokens: int
