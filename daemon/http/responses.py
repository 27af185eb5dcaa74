"""OpenAI's `/v1/responses`: text, tools and reasoning as items, streamed as typed events. Nothing is stored."""

import time
import uuid

from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.errors import NotFound, outcome_of
from daemon.http import errors
from daemon.http.generating import Piece, event, pieces_of, stream, whole
from daemon.http.replies import SSE, body, reply
from daemon.http.responses_types import ResponsesRequest, echoed, generation_of
from daemon.parts import Handler, Parts
from models.requests import Answer, Delta, ToolCallDelta, Usage


async def respond(parts: Parts, request: Request) -> Response:
    """`POST /v1/responses`, streamed or whole."""
    asked = await body(request, ResponsesRequest, limit_bytes=parts.config.server.body_limit)
    source = pieces_of(parts, asked.model, generation_of(asked))
    if asked.stream:
        return await stream(parts, request, source, Events(asked), SSE)
    found = await whole(parts, request, source)
    answer = found.answers[0]
    return reply(Shape(asked).ended(_items(answer), answer.finish_reason, answer.usage, found.memory))


async def stored(_parts: Parts, request: Request) -> Response:
    """`GET` and `DELETE /v1/responses/ID`: there is none."""
    raise NotFound(f"no response {request.url.path.rpartition('/')[2]!r}: responses are not stored here")


ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "/v1/responses"): respond,
    ("GET", "/v1/responses/*"): stored,
    ("DELETE", "/v1/responses/*"): stored,
}


class Shape:
    """The response object, as it begins and as it ends."""

    def __init__(self, asked: ResponsesRequest) -> None:
        self._head: dict[str, object] = {
            "id": f"resp_{uuid.uuid4().hex}",
            "object": "response",
            "created_at": int(time.time()),
            "background": False,
            "error": None,
            **echoed(asked),
        }

    def begun(self) -> dict[str, object]:
        """In progress, with nothing in it."""
        return {**self._head, "status": "in_progress", "incomplete_details": None, "output": [], "usage": None}

    def ended(
        self,
        items: list[dict[str, object]],
        reason: str,
        usage: Usage,
        memory: wire.ChatMemory | None,
    ) -> dict[str, object]:
        """Complete, or cut short by the limit of tokens."""
        cut = reason == "length"
        return {
            **self._head,
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "completed_at": int(time.time()),
            "output": items,
            "usage": {
                "input_tokens": usage.prompt_tokens,
                "input_tokens_details": {"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
                "output_tokens": usage.completion_tokens,
                "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
                "total_tokens": usage.prompt_tokens + usage.completion_tokens,
            },
            **({"reverie": memory} if memory else {}),
        }

    def failed(self, error: Exception) -> dict[str, object]:
        """Broken in the middle."""
        said = errors.openai_error(error, outcome_of(error))
        shown = {"code": "server_error", "message": said.message}
        return {**self.begun(), "status": "failed", "error": shown}


def _items(answer: Answer) -> list[dict[str, object]]:
    status = "incomplete" if answer.finish_reason == "length" else "completed"
    items: list[dict[str, object]] = []
    if answer.reasoning:
        items.append(_thoughts(_new_id("rs"), answer.reasoning, status))
    if answer.text or not (answer.tool_calls or answer.reasoning):
        items.append(_message(_new_id("msg"), answer.text, status))
    items += [_call(_new_id("fc"), call.id, call.name, call.arguments, status) for call in answer.tool_calls]
    return items


def _new_id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex}"


def _thoughts(item_id: str, text: str, status: str) -> dict[str, object]:
    content = [{"type": "reasoning_text", "text": text}] if text else []
    return {"id": item_id, "type": "reasoning", "summary": [], "content": content, "status": status}


def _message(item_id: str, text: str, status: str) -> dict[str, object]:
    content = [_text_part(text)] if text or status != "in_progress" else []
    return {"id": item_id, "type": "message", "role": "assistant", "status": status, "content": content}


def _text_part(text: str) -> dict[str, object]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call(item_id: str, call_id: str, name: str, arguments: str, status: str) -> dict[str, object]:
    return {
        "id": item_id,
        "type": "function_call",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
        "status": status,
    }


class Events:
    """A response as OpenAI streams it: items that are added, grow and are done, one after the other."""

    def __init__(self, asked: ResponsesRequest) -> None:
        self._shape = Shape(asked)
        self._number = -1
        self._done: list[dict[str, object]] = []
        self._kind: str | None = None
        self._item_id = ""
        self._text: list[str] = []
        self._call = ToolCallDelta(index=-1)
        self._last = Delta(finish_reason="stop")
        self._memory: wire.ChatMemory | None = None

    def _event(self, kind: str, **fields: object) -> bytes:
        self._number += 1
        return event({"type": kind, "sequence_number": self._number, **fields}, kind)

    def _item_event(self, kind: str, **fields: object) -> bytes:
        return self._event(kind, item_id=self._item_id, output_index=len(self._done), **fields)

    def opening(self) -> bytes:
        """The response, empty."""
        begun = self._shape.begun()
        return self._event("response.created", response=begun) + self._event("response.in_progress", response=begun)

    def piece(self, piece: Piece) -> bytes:
        """Deltas, with the events around them where an item begins or ends."""
        if isinstance(piece, wire.ChatMemory):
            self._memory = piece
            return b""
        if piece.finish_reason is not None:
            self._last = piece
        shown = b""
        if piece.reasoning:
            shown += self._begin("reasoning") + self._grow("response.reasoning_text.delta", piece.reasoning)
        if piece.text:
            shown += self._begin("message") + self._grow("response.output_text.delta", piece.text, logprobs=[])
        for call in piece.tool_calls:
            if self._kind != "function_call" or call.index != self._call.index:
                shown += self._end()
                self._call = call
            shown += self._begin("function_call")
            if call.arguments:
                self._text.append(call.arguments)
                shown += self._item_event("response.function_call_arguments.delta", delta=call.arguments)
        return shown

    def _grow(self, kind: str, text: str, **fields: object) -> bytes:
        self._text.append(text)
        return self._item_event(kind, content_index=0, delta=text, **fields)

    def _begin(self, kind: str) -> bytes:
        """An item of *kind*, added unless it is the one that grows."""
        if self._kind == kind:
            return b""
        shown = self._end()
        self._kind, self._text = kind, []
        self._item_id = _new_id({"reasoning": "rs", "message": "msg"}.get(kind, "fc"))
        item = self._item("", "in_progress")
        shown += self._event("response.output_item.added", output_index=len(self._done), item=item)
        if kind != "function_call":
            shown += self._item_event("response.content_part.added", content_index=0, part=self._part(""))
        return shown

    def _item(self, text: str, status: str) -> dict[str, object]:
        match self._kind:
            case "reasoning":
                return _thoughts(self._item_id, text, status)
            case "message":
                return _message(self._item_id, text, status)
            case _:
                return _call(self._item_id, self._call.id or "", self._call.name or "", text, status)

    def _part(self, text: str) -> dict[str, object]:
        return {"type": "reasoning_text", "text": text} if self._kind == "reasoning" else _text_part(text)

    def _end(self, status: str = "completed") -> bytes:
        if self._kind is None:
            return b""
        text = "".join(self._text)
        match self._kind:
            case "reasoning":
                shown = self._item_event("response.reasoning_text.done", content_index=0, text=text)
            case "message":
                shown = self._item_event("response.output_text.done", content_index=0, text=text, logprobs=[])
            case _:
                name = self._call.name or ""
                shown = self._item_event("response.function_call_arguments.done", name=name, arguments=text)
        if self._kind != "function_call":
            shown += self._item_event("response.content_part.done", content_index=0, part=self._part(text))
        item = self._item(text, status)
        shown += self._event("response.output_item.done", output_index=len(self._done), item=item)
        self._done.append(item)
        self._kind = None
        return shown

    def closing(self) -> bytes:
        """The last item's end, and the whole response."""
        cut = self._last.finish_reason == "length"
        shown = self._begin("message") if not self._done and self._kind is None else b""
        shown += self._end("incomplete" if cut else "completed")
        usage = self._last.usage or Usage(prompt_tokens=0, completion_tokens=0)
        whole_response = self._shape.ended(self._done, self._last.finish_reason or "stop", usage, self._memory)
        return shown + self._event("response.incomplete" if cut else "response.completed", response=whole_response)

    def failure(self, error: Exception) -> bytes:
        """The response, failed."""
        return self._event("response.failed", response=self._shape.failed(error))
