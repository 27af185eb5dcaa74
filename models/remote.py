"""
Models that another OpenAI-compatible server holds: vLLM, llama-server, Ollama, or reverie on a bigger machine.

There are none unless the owner lists them, and none is asked while the configuration says to stay offline.
"""

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from models.errors import QueueFull, RemoteFailed, RemoteOffline, RequestInvalid
from models.requests import ChatMessage, Delta, FinishReason, Generation, Kind, Message, TokenLogprob, ToolCallDelta
from models.requests import Usage as Used

if TYPE_CHECKING:
    import httpx
    import numpy as np

CONNECT_S, SILENCE_S = 10.0, 600.0
LINE_LIMIT = 2000
_T = TypeVar("_T")
_FINISHES: dict[str, FinishReason] = {"length": "length", "tool_calls": "tool_calls", "function_call": "tool_calls"}


class Remote(Message, frozen=True):
    """A model elsewhere: *base_url* ends in `/v1`, *model* is its name there, *api_key* may be empty."""

    name: str
    base_url: str
    model: str
    kind: Kind = "chat"
    api_key: str = ""

    @property
    def digest(self) -> str:
        """Names what answers: another server, or another model there, is checked anew."""
        return hashlib.sha256(f"{self.base_url} {self.model}".encode()).hexdigest()

    # -- requests ---

    async def generate(self, generation: Generation) -> AsyncGenerator[Delta]:
        """
        Stream the answer. Closing the iterator hangs up.

        Raises:
            RequestInvalid: the server refuses the request; its words.
            QueueFull: it is too busy.
            RemoteFailed: it cannot be reached, or breaks off.
        """
        raw = generation.prompt is not None
        ended: dict[int, Delta] = {}
        usage = Used(prompt_tokens=0, completion_tokens=0)
        path = "completions" if raw else "chat/completions"
        async with self._post(path, _body(generation, self.model)) as response:
            async for data in _events(response):
                chunk = self._decoded(data, _Chunk)
                if chunk.error is not None:
                    raise RemoteFailed(self.name, _words(chunk.error))
                if chunk.usage:
                    usage = chunk.usage.used()
                for choice in chunk.choices:
                    delta = choice.delta_of()
                    if choice.finish_reason is not None:
                        ended[choice.index] = msgspec.structs.replace(
                            delta, finish_reason=_FINISHES.get(choice.finish_reason, "stop")
                        )
                    elif delta != Delta(index=choice.index):
                        yield delta
        if not ended:
            raise RemoteFailed(self.name, "the reply broke off")
        for number, index in enumerate(sorted(ended)):  # the server counts all answers together
            counted = usage if number == 0 else msgspec.structs.replace(usage, completion_tokens=0, reasoning_tokens=0)
            yield msgspec.structs.replace(ended[index], usage=counted)

    async def embed(self, texts: Sequence[str]) -> "np.ndarray":
        """Unit rows, float32 (n, dim). Raises as `generate`."""
        import numpy as np

        body: dict[str, object] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        async with self._post("embeddings", body) as response:
            found = self._decoded(await response.aread(), _Vectors)
        rows = np.array([each.embedding for each in sorted(found.data, key=lambda each: each.index)], np.float32)
        unit: np.ndarray = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return unit

    @asynccontextmanager
    async def _post(self, path: str, body: dict[str, object]) -> "AsyncIterator[httpx.Response]":
        import httpx

        headers = {"content-type": "application/json"}
        if self.api_key:
            headers["authorization"] = f"Bearer {self.api_key}"
        timeout = httpx.Timeout(SILENCE_S, connect=CONNECT_S)
        url = f"{self.base_url.rstrip('/')}/{path}"
        try:
            async with (
                httpx.AsyncClient(timeout=timeout, headers=headers) as client,
                client.stream("POST", url, content=msgspec.json.encode(body)) as response,
            ):
                if response.status_code >= 400:
                    await self._refused(response)
                yield response
        except httpx.HTTPError as error:
            raise RemoteFailed(self.name, f"{url}: {str(error) or type(error).__name__}") from error
        except httpx.InvalidURL as error:
            raise RemoteFailed(self.name, f"{url}: {error}") from error

    async def _refused(self, response: "httpx.Response") -> None:
        said = _words(await response.aread())
        status = response.status_code
        if status in (429, 503):
            wait = response.headers.get("retry-after", "")
            raise QueueFull(float(wait) if wait.isdecimal() else 5.0)
        if status in (400, 413, 422):
            raise RequestInvalid(self.name, said)
        raise RemoteFailed(self.name, f"status {status}: {said}")

    def _decoded(self, data: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError as error:
            raise RemoteFailed(self.name, f"its reply cannot be read: {error}") from error


class Remotes:
    """The models elsewhere that the owner lists, by name; *entries* and *offline* are asked each time."""

    def __init__(
        self, entries: Callable[[], Sequence[Remote]] = tuple, offline: Callable[[], bool] = lambda: False
    ) -> None:
        self._entries = entries
        self._offline = offline

    def here(self) -> Sequence[Remote]:
        """Those that may be used now."""
        return () if self._offline() else self._entries()

    def get(self, name: str) -> Remote | None:
        """
        The one of that name.

        Raises:
            RemoteOffline: it is listed, and may not be used.
        """
        wanted = name.strip().lower()
        found = next((remote for remote in self._entries() if remote.name == wanted), None)
        if found is not None and self._offline():
            raise RemoteOffline(name)
        return found


# -- what is sent ---


def _body(generation: Generation, model: str) -> dict[str, object]:
    """The request in OpenAI's words; what was not asked for is left out: some servers refuse what they do not know."""
    sampling = generation.sampling
    body: dict[str, object] = {
        "model": model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "min_p": sampling.min_p,
        "typical_p": sampling.typical_p,
        "repeat_penalty": sampling.repeat_penalty,
        "presence_penalty": sampling.presence_penalty or None,
        "frequency_penalty": sampling.frequency_penalty or None,
        "seed": sampling.seed,
        "logit_bias": {str(token): bias for token, bias in sampling.logit_bias.items()} or None,
        "stop": list(generation.stop) or None,
        "n": generation.n if generation.n > 1 else None,
        "max_tokens": generation.max_tokens,
    }
    if generation.prompt is not None:
        prompt = generation.prompt
        body["prompt"] = prompt if isinstance(prompt, str) else list(prompt)
        body["echo"] = generation.echo or None
    else:
        body |= _chat(generation)
    body |= _form(generation)
    return {key: value for key, value in body.items() if value is not None}


def _chat(generation: Generation) -> dict[str, object]:
    body: dict[str, object] = {"messages": [_turn(message) for message in generation.messages]}
    if generation.prefill:
        begun: dict[str, object] = {"role": "assistant", "content": generation.prefill}
        body["messages"] = [*map(_turn, generation.messages), begun]
    if generation.logprobs:
        body |= {"logprobs": True, "top_logprobs": generation.top_logprobs}
    if generation.reasoning is False:
        body["chat_template_kwargs"] = {"enable_thinking": False}
    if generation.tools:
        choice: object = generation.tool_choice
        if choice not in ("auto", "none", "required"):
            choice = {"type": "function", "function": {"name": choice}}
        body |= {
            "tools": [{"type": "function", "function": msgspec.to_builtins(tool)} for tool in generation.tools],
            "tool_choice": choice,
            "parallel_tool_calls": None if generation.parallel_tool_calls else False,
        }
    return body


def _form(generation: Generation) -> dict[str, object]:
    wanted = generation.response_format
    match wanted.kind:
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "json_schema":
            schema = {"name": "answer", "schema": wanted.schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        case "gbnf":
            return {"grammar": wanted.pattern}
        case "regex":
            return {"guided_regex": wanted.pattern}
        case _:
            return {}


def _turn(message: ChatMessage) -> dict[str, object]:
    turn: dict[str, object] = {"role": message.role, "content": message.content}
    if message.name is not None:
        turn["name"] = message.name
    if message.tool_call_id is not None:
        turn["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        turn["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return turn


# -- what comes back ---


async def _events(response: "httpx.Response") -> AsyncGenerator[bytes]:
    """The data of server-sent events, up to OpenAI's end mark."""
    async for line in response.aiter_lines():
        if line.startswith("data:"):
            data = line.removeprefix("data:").strip()
            if data == "[DONE]":
                return
            yield data.encode()


def _words(said: object) -> str:
    """The message of an error, in whichever shape it comes."""
    if isinstance(said, bytes):
        text = said.decode("utf-8", "replace")
        try:
            said = msgspec.json.decode(said)
        except msgspec.MsgspecError:
            return text[:LINE_LIMIT]
    while isinstance(said, dict):
        said = said.get("error") or said.get("message") or said.get("detail") or str(said)
    return str(said)[:LINE_LIMIT]


class _Reply(msgspec.Struct):
    """Base of what a server says; fields that are not known here are skipped."""


class _Details(_Reply):
    cached_tokens: int | None = 0
    reasoning_tokens: int | None = 0


class _Usage(_Reply):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None

    def used(self) -> Used:
        prompt, completion = self.prompt_tokens_details, self.completion_tokens_details
        return Used(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cached_tokens=(prompt.cached_tokens or 0) if prompt else 0,
            reasoning_tokens=(completion.reasoning_tokens or 0) if completion else 0,
        )


class _Function(_Reply):
    name: str | None = None
    arguments: str | None = None


class _Call(_Reply):
    index: int = 0
    id: str | None = None
    function: _Function = msgspec.field(default_factory=_Function)


class _Part(_Reply):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_Call] | None = None


class _Logprob(_Reply):
    token: str
    logprob: float
    bytes: list[int] | None = None
    top_logprobs: list["_Logprob"] | None = None

    def known(self) -> TokenLogprob:
        return TokenLogprob(
            token=-1,
            text=self.token,
            bytes=tuple(self.bytes or self.token.encode()),
            logprob=self.logprob,
            top=tuple(rival.known() for rival in self.top_logprobs or ()),
        )


class _Choice(_Reply):
    index: int = 0
    delta: _Part | None = None
    text: str | None = None
    finish_reason: str | None = None
    logprobs: Any = None

    def delta_of(self) -> Delta:
        part = self.delta or _Part()
        found = self.logprobs.get("content") if isinstance(self.logprobs, dict) else None
        return Delta(
            index=self.index,
            text=part.content or self.text or "",
            reasoning=part.reasoning_content or part.reasoning or "",
            tool_calls=tuple(
                ToolCallDelta(
                    index=call.index, id=call.id, name=call.function.name, arguments=call.function.arguments or ""
                )
                for call in part.tool_calls or ()
            ),
            logprobs=tuple(each.known() for each in msgspec.convert(found or [], list[_Logprob])),
        )


class _Chunk(_Reply):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None


class _Vector(_Reply):
    embedding: list[float]
    index: int = 0


class _Vectors(_Reply):
    data: list[_Vector]
