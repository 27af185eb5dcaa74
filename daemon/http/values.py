"""Values that several APIs take, judged in one way: bounds, stops, schemas, durations, names of tools."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from daemon.errors import RequestInvalid
from models.requests import Tool

STOPS_LIMIT = 64
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"([-+]?)((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h|d))+)")
_LONGEST_S = 1e9
SEED = (-(2**63), 2**63 - 1)
BOUNDS: dict[str, tuple[float, float]] = {
    "temperature": (0.0, 5.0),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "typical_p": (0.0, 1.0),
    "top_k": (-1, 2**30),
    "repeat_penalty": (0.01, 100.0),
    "repetition_penalty": (0.01, 100.0),
    "repeat_last_n": (-1, 2**20),
    "presence_penalty": (-2.0, 2.0),
    "frequency_penalty": (-2.0, 2.0),
    "mirostat": (0, 2),
    "mirostat_tau": (0.0, 1000.0),
    "mirostat_eta": (0.0, 1000.0),
    "n": (1, 16),
    "top_logprobs": (0, 20),
    "max_tokens": (1, 10**7),
    "max_completion_tokens": (1, 10**7),
    "max_output_tokens": (1, 10**7),
    "num_ctx": (1, 2**24),
}


def bounded(request: object, *names: str, prefix: str = "", **bounds: tuple[float, float]) -> None:
    """
    Judge the fields *names* of *request* (None passes), by `BOUNDS` or by *bounds* of their own.

    Raises:
        RequestInvalid: one is outside; it is named, with *prefix* before it.
    """
    for name in (*names, *bounds):
        low, high = bounds.get(name) or BOUNDS[name]
        value = getattr(request, name)
        if value is not None and not low <= value <= high:
            shown = f"{value:g}" if isinstance(value, float) else str(value)[:40]
            raise RequestInvalid(f"{prefix}{name} is {shown}, expected {low:.12g} to {high:.12g}", f"{prefix}{name}")


def seed_of(value: int | None, field: str = "seed") -> int | None:
    """A seed as the engine takes it; any 64-bit number is one."""
    if value is not None and not SEED[0] <= value <= SEED[1]:
        raise RequestInvalid(f"{field} is not a 64-bit number", field)
    return value


def biases(value: dict[int, float] | None) -> dict[int, float]:
    """`logit_bias`, token ids within what any vocabulary has."""
    for token, bias in (value or {}).items():
        if not 0 <= token < 2**31:
            raise RequestInvalid(f"logit_bias: there is no token {str(token)[:40]}", "logit_bias")
        if not -1000 <= bias <= 1000:
            raise RequestInvalid(f"logit_bias: {bias:g} for token {token}, expected -100 to 100", "logit_bias")
    return value or {}


def stops_of(value: str | list[str] | None, field: str = "stop") -> tuple[str, ...]:
    """Stop strings, one or many."""
    stops = (value,) if isinstance(value, str) else tuple(value or ())
    if len(stops) > STOPS_LIMIT:
        raise RequestInvalid(f"{field}: {len(stops)} stop strings, at most {STOPS_LIMIT} are taken", field)
    return tuple(stop for stop in stops if stop)


def keep_alive_s(value: str | float | None) -> float | None:
    """Seconds of `5m`, `1h30m`, `-1m` or a number; any negative one means for ever."""
    if value is None:
        return None
    try:
        seconds = _seconds(value) if isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        raise RequestInvalid(
            f"keep_alive is {str(value)[:40]!r}, expected a duration as 5m, 0 or -1", "keep_alive"
        ) from None
    return -1.0 if seconds < 0 else min(seconds, _LONGEST_S)


def _seconds(text: str) -> float:
    text = text.strip()
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
        return float(text)
    if not (match := _DURATION.fullmatch(text)):
        raise ValueError(text)
    parts = re.findall(r"(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h|d)", match[2])
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    return -seconds if match[1] == "-" else seconds


def tool(name: str, description: str | None, parameters: dict[str, Any] | None, field: str) -> Tool:
    """A tool that a model may call; its name is what calls and grammars hold."""
    if not 1 <= len(name) <= 128 or not name.isprintable():
        raise RequestInvalid(f"{field}: a tool's name has 1 to 128 printable characters", field)
    return Tool(name=name, description=description or "", parameters=parameters or {})


def named_once(tools: Iterable[Tool], field: str = "tools") -> tuple[Tool, ...]:
    """*tools*, none of which has another's name."""
    found = tuple(tools)
    if len({each.name for each in found}) < len(found):
        raise RequestInvalid(f"{field}: two tools have the same name", field)
    return found


def json_text(value: object) -> str:
    """*value* as JSON text."""
    return msgspec.json.encode(value).decode()
