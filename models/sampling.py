"""How the next token is chosen: a request's wishes over the owner's and the engine's defaults, checked, as stages."""

import math
import random
from dataclasses import dataclass

from models.errors import RequestInvalid
from models.requests import Sampling

TEMPERATURE, TOP_P, TOP_K, MIN_P, REPEAT_LAST_N = 0.8, 0.95, 40, 0.05, 64
SEED_LIMIT = 1 << 32


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """A complete, checked set of values. *temperature* 0 is greedy; *seeded* says that the request named the seed."""

    temperature: float
    top_p: float
    top_k: int
    min_p: float
    typical_p: float
    repeat_penalty: float
    repeat_last_n: int
    presence_penalty: float
    frequency_penalty: float
    mirostat: int
    mirostat_tau: float
    mirostat_eta: float
    seed: int
    seeded: bool
    logit_bias: tuple[tuple[int, float], ...]

    @property
    def greedy(self) -> bool:
        """Whether the most likely token is always taken."""
        return self.temperature <= 0 or self.top_k == 1

    @property
    def penalizes(self) -> bool:
        """Whether earlier tokens change later ones' chances."""
        return self.repeat_last_n != 0 and (
            self.repeat_penalty != 1.0 or self.presence_penalty != 0.0 or self.frequency_penalty != 0.0
        )


def plan(wish: Sampling, own: Sampling | None = None, *, answer: int = 0) -> SamplingPlan:
    """
    The values for the *answer*-th answer of a request: *wish*, else the model's *own*, else the engine's.

    Raises:
        RequestInvalid: a value that no sampler takes; the field is named.
    """
    own = own or Sampling()

    def pick(name: str, default: float) -> float:
        for source in (wish, own):
            value: float | None = getattr(source, name)
            if value is not None:
                return value
        return default

    seed = wish.seed if wish.seed is not None else own.seed
    if seed is not None and seed < 0:  # llama.cpp's and Ollama's clients say -1 for "any"
        seed = None
    result = SamplingPlan(
        temperature=pick("temperature", TEMPERATURE),
        top_p=pick("top_p", TOP_P),
        top_k=int(pick("top_k", TOP_K)),
        min_p=pick("min_p", MIN_P),
        typical_p=pick("typical_p", 1.0),
        repeat_penalty=pick("repeat_penalty", 1.0),
        repeat_last_n=int(pick("repeat_last_n", REPEAT_LAST_N)),
        presence_penalty=wish.presence_penalty,
        frequency_penalty=wish.frequency_penalty,
        mirostat=wish.mirostat,
        mirostat_tau=wish.mirostat_tau,
        mirostat_eta=wish.mirostat_eta,
        seed=((seed if seed is not None else random.getrandbits(32)) + answer) % SEED_LIMIT,
        seeded=seed is not None,
        logit_bias=tuple(sorted(wish.logit_bias.items())),
    )
    _check(result)
    return result


def _check(values: SamplingPlan) -> None:
    def within(name: str, low: float, high: float) -> None:
        value: float = getattr(values, name)
        if not math.isfinite(value) or not low <= value <= high:
            raise RequestInvalid(name, f"{value} is not between {low:.12g} and {high:.12g}")

    within("temperature", 0, 100)
    within("top_p", 0, 1)
    within("min_p", 0, 1)
    within("typical_p", 0, 1)
    within("repeat_penalty", 0.01, 100)
    within("presence_penalty", -100, 100)
    within("frequency_penalty", -100, 100)
    within("top_k", -1, 1 << 30)
    within("repeat_last_n", -1, 1 << 20)
    within("mirostat", 0, 2)
    within("mirostat_tau", 0, 1000)
    within("mirostat_eta", 0, 1000)
    for token, bias in values.logit_bias:
        if token < 0 or math.isnan(bias):
            raise RequestInvalid("logit_bias", f"token {token}, bias {bias}")
