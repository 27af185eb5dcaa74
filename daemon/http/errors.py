"""
An error as each API says it: Anthropic's under /v1/messages, OpenAI's elsewhere under /v1, reverie's own otherwise.

Ollama's `{"error": TEXT}` is reverie's own with fewer fields.
"""

import msgspec
from starlette.responses import Response

from daemon import wire
from daemon.errors import Outcome, kind_of, message_of, outcome_of
from daemon.http.anthropic_replies import AnthropicError, AnthropicErrorDetail
from daemon.http.openai_replies import ErrorDetail, OpenAIError


def body_of(error: BaseException, path: str) -> bytes:
    """The error in the shape of the API that *path* belongs to, as JSON."""
    outcome = outcome_of(error)
    if path.rstrip("/").startswith("/v1/messages"):
        return msgspec.json.encode(anthropic_error(error, outcome))
    if path.startswith("/v1/"):
        return msgspec.json.encode(OpenAIError(error=openai_error(error, outcome)))
    return msgspec.json.encode(wire.Error(error=message_of(error), kind=kind_of(error), hint=outcome.hint))


def openai_error(error: BaseException, outcome: Outcome) -> ErrorDetail:
    """OpenAI's error object."""
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
    kind = kinds.get(outcome.status, "invalid_request_error" if outcome.status < 500 else "server_error")
    return ErrorDetail(
        message=_with_hint(error, outcome),
        type=kind,
        param=getattr(error, "param", None) or getattr(error, "field", None),
        code=_OPENAI_CODES.get(kind_of(error)),
        kind=kind_of(error),
        hint=outcome.hint,
    )


def anthropic_error(error: BaseException, outcome: Outcome) -> AnthropicError:
    """Anthropic's error."""
    kinds = {
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        503: "overloaded_error",
        504: "timeout_error",
    }
    kind = kinds.get(outcome.status, "invalid_request_error" if outcome.status < 500 else "api_error")
    said = AnthropicErrorDetail(type=kind, message=_with_hint(error, outcome), kind=kind_of(error), hint=outcome.hint)
    return AnthropicError(type="error", error=said, request_id=None)


def _with_hint(error: BaseException, outcome: Outcome) -> str:
    text = message_of(error)
    return f"{text} ({outcome.hint})" if outcome.hint and outcome.hint not in text else text


_OPENAI_CODES = {
    "PromptTooLong": "context_length_exceeded",
    "TextTooLong": "context_length_exceeded",
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
