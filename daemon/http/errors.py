"""An error as each API says it: OpenAI's shape under /v1, reverie's own elsewhere."""

import msgspec
from starlette.responses import Response

from daemon import wire
from daemon.errors import Outcome, kind_of, message_of, outcome_of


def body_of(error: BaseException, path: str) -> bytes:
    """The error in the shape of the API that *path* belongs to, as JSON."""
    outcome = outcome_of(error)
    if path.startswith("/v1/"):
        return msgspec.json.encode({"error": openai_error(error, outcome)})
    return msgspec.json.encode(wire.Error(error=message_of(error), kind=kind_of(error), hint=outcome.hint))


def openai_error(error: BaseException, outcome: Outcome) -> dict[str, object]:
    """OpenAI's error object; *kind* and *hint* are ours, and their clients skip them."""
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = kinds.get(outcome.status, "invalid_request_error" if outcome.status < 500 else "server_error")
    text = message_of(error)
    if outcome.hint and outcome.hint not in text:
        text = f"{text} ({outcome.hint})"
    return {
        "message": text,
        "type": kind,
        "param": getattr(error, "param", None) or getattr(error, "field", None),
        "code": _OPENAI_CODES.get(kind_of(error)),
        "kind": kind_of(error),
        "hint": outcome.hint,
    }


_OPENAI_CODES = {
    "PromptTooLong": "context_length_exceeded",
    "ModelMissing": "model_not_found",
    "ModelUnknown": "model_not_found",
    "NoModel": "model_not_found",
    "TokenRequired": "invalid_api_key",
}


def respond(error: BaseException, path: str) -> Response:
    """The reply to a request that failed before anything of its reply was sent."""
    outcome = outcome_of(error)
    headers = {}
    if outcome.status == 503:
        headers["Retry-After"] = str(max(1, round(float(getattr(error, "retry_after_s", 1)))))
    if outcome.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(body_of(error, path), outcome.status, headers, "application/json")
