"""What Ollama's paths answer, as `/openapi.json` describes it. Durations are nanoseconds."""

from typing import Any

from msgspec import UNSET, UnsetType

from daemon import wire
from daemon.http.openai_replies import Reply


class OllamaError(Reply):
    """*kind* and *hint* are reverie's own, and Ollama's clients skip them."""

    error: str
    kind: str
    hint: str | UnsetType | None = UNSET


class OllamaFunction(Reply):
    index: int
    name: str
    arguments: dict[str, Any]


class OllamaCall(Reply):
    id: str
    function: OllamaFunction


class OllamaTurn(Reply):
    role: str
    content: str
    thinking: str | UnsetType = UNSET
    tool_calls: list[OllamaCall] | UnsetType = UNSET


class OllamaRival(Reply):
    token: str
    logprob: float


class OllamaToken(OllamaRival):
    bytes: list[int]
    top_logprobs: list[OllamaRival]


class OllamaAnswer(Reply):
    """A reply, or a line of one; the counts come with the last."""

    model: str
    created_at: str
    done: bool
    done_reason: str | UnsetType = UNSET
    total_duration: int | UnsetType = UNSET
    load_duration: int | UnsetType = UNSET
    prompt_eval_count: int | UnsetType = UNSET
    prompt_eval_duration: int | UnsetType = UNSET
    eval_count: int | UnsetType = UNSET
    eval_duration: int | UnsetType = UNSET
    logprobs: list[OllamaToken] | UnsetType = UNSET
    reverie: wire.ChatMemory | UnsetType = UNSET


class OllamaChat(OllamaAnswer, kw_only=True):
    message: OllamaTurn


class OllamaGeneration(OllamaAnswer, kw_only=True):
    response: str
    thinking: str | UnsetType = UNSET


class OllamaVectors(Reply):
    model: str
    embeddings: list[list[float]]
    total_duration: int
    load_duration: int
    prompt_eval_count: int


class OllamaVector(Reply):
    embedding: list[float]


class OllamaVersion(Reply):
    version: str


class OllamaDetails(Reply):
    parent_model: str
    format: str
    family: str
    families: list[str]
    parameter_size: str
    quantization_level: str


class OllamaEntry(Reply):
    name: str
    model: str
    modified_at: str
    size: int
    digest: str
    details: OllamaDetails


class OllamaTags(Reply):
    models: list[OllamaEntry]


class OllamaLoaded(Reply):
    name: str
    model: str
    size: int
    digest: str
    details: OllamaDetails
    expires_at: str
    size_vram: int
    context_length: int


class OllamaProcesses(Reply):
    models: list[OllamaLoaded]


class Standing(Reply):
    memory: bool
    trust: list[str]


class OllamaShown(Reply):
    modelfile: str
    parameters: str
    template: str
    license: str
    details: OllamaDetails
    model_info: dict[str, Any]
    capabilities: list[str]
    modified_at: str
    reverie: Standing


class OllamaProgress(Reply):
    status: str
    digest: str | UnsetType = UNSET
    total: int | UnsetType = UNSET
    completed: int | UnsetType = UNSET
