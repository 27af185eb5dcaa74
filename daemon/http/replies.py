"""Bodies in and out: read and judged once, streamed until the client hangs up."""

import asyncio
import re
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from daemon.errors import BodyTooLarge, RequestInvalid

T = TypeVar("T")
JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
_MOST_DIGITS = 20
_HALF = rb"\\u[dD][%s][0-9a-fA-F]{2}"
_ESCAPE = re.compile(
    rb"(?P<pair>%s%s)|(?P<half>%s)|\\." % (_HALF % b"89abAB", _HALF % b"c-fC-F", _HALF % b"89a-fA-F"), re.DOTALL
)


def reply(value: object, status: int = 200) -> Response:
    """*value* as JSON."""
    return Response(msgspec.json.encode(value), status, media_type=JSON)


async def body(request: Request, kind: type[T], *, limit_bytes: int) -> T:
    """
    The request's JSON body as *kind*.

    Raises:
        BodyTooLarge: more than *limit_bytes*, judged before it is held.
        RequestInvalid: no JSON, not UTF-8, or of other types; names the place.
    """
    data = bytearray()
    announced = request.headers.get("content-length", "")
    if (whole_number(announced) or 0) > limit_bytes:
        raise BodyTooLarge(limit_bytes)
    async for part in request.stream():
        data += part
        if len(data) > limit_bytes:
            raise BodyTooLarge(limit_bytes)
    try:
        return _decoded(data, kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        param = place.rstrip("`").lstrip(".") or None
        raise RequestInvalid(f"{param}: {message}" if param else message, param) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestInvalid(f"the body is not JSON: {error}") from None


def _decoded(data: bytearray, kind: type[T]) -> T:
    """*data* as *kind*. Half of a surrogate pair, as a client leaves that cuts an emoji in two, is read as U+FFFD."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        mended = _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found[0], data)
        if mended == data:
            raise
        return msgspec.json.decode(mended, type=kind)


def number(
    request: Request, name: str, default: int | None = None, *, least: int = 0, most: int = 1_000_000
) -> int | None:
    """A whole number of the query string, within bounds."""
    text = request.query_params.get(name)
    if text is None:
        return default
    value = whole_number(text)
    if value is None or not least <= value <= most:
        raise RequestInvalid(f"{name} is {text[:40]!r}, expected a whole number from {least} to {most}", name)
    return value


def whole_number(text: str) -> int | None:
    """The number that *text* writes; None where it is none, or has more digits than any that is meant."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def text(request: Request, name: str) -> str:
    """A required text of the query string."""
    value = request.query_params.get(name)
    if not value:
        raise RequestInvalid(f"the parameter {name!r} is missing", name)
    return value


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """
    The result of *work*, which is cancelled when the client hangs up first. The body must have been read.

    It runs in the task that answers: each task more, and each wait for one, is a turn more of the loop.
    """
    answering = asyncio.current_task()
    assert answering is not None
    over = False

    def hung_up(_: object) -> None:
        if not over:
            answering.cancel()

    watch = asyncio.ensure_future(_hung_up(request.receive))
    watch.add_done_callback(hung_up)
    try:
        return await work
    except asyncio.CancelledError:
        if watch.done() and not watch.cancelled():
            answering.uncancel()
            raise ClientDisconnect from None
        raise
    finally:
        over = True
        watch.cancel()


class Stream(Response):
    """
    A body sent piece by piece. When the client hangs up, the pieces are no longer asked for and their source is closed.
    """

    def __init__(self, pieces: AsyncIterator[bytes], media_type: str) -> None:
        self.pieces = pieces
        self.status_code = 200
        self.media_type = media_type
        self.background = None
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send all pieces, or stop at a hang-up."""
        writer = asyncio.ensure_future(self._write(send))
        watch = asyncio.ensure_future(_hung_up(receive))
        try:
            await asyncio.wait({writer, watch}, return_when=asyncio.FIRST_COMPLETED)
            if writer.done():
                writer.result()
        finally:
            await _end(writer)
            await _end(watch)
            close = getattr(self.pieces, "aclose", None)
            if close:
                await close()

    async def _write(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for piece in self.pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _end(task: "asyncio.Future[Any]") -> None:
    """Cancel *task* and see it ended; what it raised was taken already, or is of no use any more."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()
