"""What OpenAI's paths answer, as `/openapi.json` describes it: complete, with nothing besides."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from daemon import wire

Finish = Literal["stop", "length", "tool_calls", "cancelled"]


class Reply(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Base of replies. A field that may be left out is UNSET by default."""


# -- errors ---


class ErrorDetail(Reply):
    """*kind* and *hint* are reverie's own, and OpenAI's clients skip them."""

    message: str
    type: str
    param: str | None
    code: str | None
    kind: str
    hint: str | None


class OpenAIError(Reply):
    error: ErrorDetail


# -- what several share ---


class PromptDetails(Reply):
    cached_tokens: int


class CompletionDetails(Reply):
    reasoning_tokens: int


class TokenUsage(Reply):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptDetails
    completion_tokens_details: CompletionDetails


class RivalToken(Reply):
    token: str
    logprob: float
    bytes: list[int]


class ChosenToken(RivalToken):
    top_logprobs: list[RivalToken]


class ChosenTokens(Reply):
    content: list[ChosenToken]


# -- chat completions ---


class CalledFunction(Reply):
    name: str
    arguments: str


class MadeCall(Reply):
    id: str
    type: Literal["function"]
    function: CalledFunction


class ChatAnswer(Reply):
    role: Literal["assistant"]
    content: str | None
    reasoning_content: str | UnsetType = UNSET
    tool_calls: list[MadeCall] | UnsetType = UNSET


class ChatChoice(Reply):
    index: int
    message: ChatAnswer
    finish_reason: Finish
    logprobs: ChosenTokens | UnsetType = UNSET


class ChatCompletion(Reply):
    """A chat's answers. *reverie* tells what memory did, for models named `:memory`."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoice]
    usage: TokenUsage
    reverie: wire.ChatMemory | UnsetType = UNSET


class FunctionPiece(Reply):
    arguments: str
    name: str | UnsetType = UNSET


class CallPiece(Reply):
    index: int
    function: FunctionPiece
    id: str | UnsetType = UNSET
    type: Literal["function"] | UnsetType = UNSET


class ChatPiece(Reply):
    role: Literal["assistant"] | UnsetType = UNSET
    content: str | UnsetType = UNSET
    reasoning_content: str | UnsetType = UNSET
    tool_calls: list[CallPiece] | UnsetType = UNSET


class ChunkChoice(Reply):
    index: int
    delta: ChatPiece
    finish_reason: Finish | None
    logprobs: ChosenTokens | UnsetType = UNSET


class ChatChunk(Reply):
    """One event of a streamed chat; `[DONE]` comes after the last."""

    id: str
    object: Literal["chat.completion.chunk"]
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: TokenUsage | UnsetType = UNSET
    reverie: wire.ChatMemory | UnsetType = UNSET


# -- completions ---


class TextLogprobs(Reply):
    tokens: list[str]
    token_logprobs: list[float]
    top_logprobs: list[dict[str, float]]
    text_offset: list[int]


class TextChoice(Reply):
    index: int
    text: str
    finish_reason: Finish | None
    logprobs: TextLogprobs | None


class TextCompletion(Reply):
    """Completions, whole or, without *usage* but at the end, an event of a stream."""

    id: str
    object: Literal["text_completion"]
    created: int
    model: str
    choices: list[TextChoice]
    usage: TokenUsage | UnsetType = UNSET


# -- models, vectors, ranks ---


class ModelEntry(Reply):
    """OpenAI's entry and Anthropic's in one."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    type: Literal["model"]
    display_name: str
    created_at: str


class ModelList(Reply):
    object: Literal["list"]
    data: list[ModelEntry]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TextUsage(Reply):
    prompt_tokens: int
    total_tokens: int


class Vector(Reply):
    """*embedding* is numbers, or base64 of little-endian float32."""

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class Vectors(Reply):
    object: Literal["list"]
    model: str
    data: list[Vector]
    usage: TextUsage


class RankedText(Reply):
    text: str


class Rank(Reply):
    index: int
    relevance_score: float
    document: RankedText | UnsetType = UNSET


class Ranks(Reply):
    """Best first. *by* says what the scores rest on."""

    id: str
    model: str
    by: Literal["cross-encoder", "embeddings"]
    results: list[Rank]
    usage: TextUsage


# -- responses ---


class ResponseError(Reply):
    code: str
    message: str


class Incomplete(Reply):
    reason: Literal["max_output_tokens"]


class InputDetails(Reply):
    cached_tokens: int
    cache_write_tokens: int


class ResponseUsage(Reply):
    input_tokens: int
    input_tokens_details: InputDetails
    output_tokens: int
    output_tokens_details: CompletionDetails
    total_tokens: int


class OutputPart(Reply):
    type: Literal["output_text", "reasoning_text"]
    text: str
    annotations: list[Any] | UnsetType = UNSET
    logprobs: list[Any] | UnsetType = UNSET


class OutputItem(Reply):
    """A message, thoughts, or a call; which fields it has depends on *type*."""

    id: str
    type: Literal["message", "reasoning", "function_call"]
    status: Literal["in_progress", "completed", "incomplete"]
    role: Literal["assistant"] | UnsetType = UNSET
    content: list[OutputPart] | UnsetType = UNSET
    summary: list[Any] | UnsetType = UNSET
    call_id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    arguments: str | UnsetType = UNSET


class ResponseObject(Reply):
    id: str
    object: Literal["response"]
    created_at: int
    status: Literal["in_progress", "completed", "incomplete", "failed"]
    background: bool
    error: ResponseError | None
    incomplete_details: Incomplete | None
    output: list[OutputItem]
    usage: ResponseUsage | None
    instructions: str | None
    max_output_tokens: int | None
    metadata: dict[str, str]
    model: str
    parallel_tool_calls: bool
    previous_response_id: None
    reasoning: dict[str, str | None]
    store: bool
    temperature: float | None
    text: dict[str, Any]
    tool_choice: str | dict[str, str | None]
    tools: list[dict[str, Any]]
    top_p: float | None
    truncation: Literal["auto", "disabled"]
    completed_at: int | UnsetType = UNSET
    reverie: wire.ChatMemory | UnsetType = UNSET


class ResponseEvent(Reply):
    """One event of a streamed response; which fields it has depends on *type*."""

    type: str
    sequence_number: int
    response: ResponseObject | UnsetType = UNSET
    output_index: int | UnsetType = UNSET
    content_index: int | UnsetType = UNSET
    item_id: str | UnsetType = UNSET
    item: OutputItem | UnsetType = UNSET
    part: OutputPart | UnsetType = UNSET
    delta: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    logprobs: list[Any] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    arguments: str | UnsetType = UNSET
