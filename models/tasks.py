"""What the engine works on: requests made ready, their answers under way, and the slots they sit in."""

from collections.abc import Callable
from dataclasses import dataclass, field

from models.answer import AnswerRules, AnswerStream
from models.backend import Sampler
from models.requests import Priority, Timings, Usage
from models.sampling import SamplingPlan
from models.slots import SlotView

FIRST_TOKEN_S = 1 / 400  # a guess, until something was read
TELLING_TOKENS = 16
PORTION_TOKENS = 128  # of seeded prompts, which are read in portions that never vary


@dataclass(frozen=True, slots=True)
class Job:
    """
    A request, made ready: its prompt as tokens, one sampling plan an answer, and the rules for the text.

    The first *static_tokens* are likely to begin other prompts too; *static_named* says that the request said so.
    """

    id: int
    prompt: list[int]
    plans: tuple[SamplingPlan, ...]
    rules: AnswerRules
    priority: Priority = "interactive"
    max_tokens: int | None = None
    grammar: str | None = None
    lazy_grammar: str | None = None
    static_tokens: int = 0
    static_named: bool = False
    top_logprobs: int | None = None
    ignore_eos: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Task:
    """One answer of a job. *tokens* are the prompt and what was answered; its slot has read some of them."""

    job: Job
    index: int
    tokens: list[int]
    limit: int
    stream: AnswerStream
    sampler: Sampler | None
    submitted: float
    moved: float = 0.0  # when its slot last read something
    cached: int = 0
    started: float = 0.0
    first_token: float = 0.0
    flushed: float = 0.0
    state: bytes | None = None
    warned: bool = False
    bound: bool = False
    saves: bool = False

    @property
    def answered(self) -> int:
        """Tokens of the answer so far."""
        return len(self.tokens) - len(self.job.prompt)

    @property
    def seeded(self) -> bool:
        """Whether the text must be the same every time."""
        plan = self.job.plans[self.index]
        return plan.seeded and not plan.greedy

    def close(self) -> None:
        """Free what it holds besides its slot."""
        if self.sampler is not None:
            self.sampler.close()
            self.sampler = None
        self.state = None

    def usage(self, answered: int) -> Usage:
        """Tokens counted, of which *answered* belong to the answer."""
        return Usage(
            prompt_tokens=len(self.job.prompt),
            completion_tokens=answered,
            cached_tokens=self.cached,
            reasoning_tokens=self.stream.reasoning_tokens,
        )

    def timings(self, now: float) -> Timings:
        """Where the time went, until *now*."""
        return Timings(
            queue_ms=(self.started - self.submitted) * 1e3,
            prompt_ms=(self.first_token - self.started) * 1e3,
            first_token_ms=(self.first_token - self.submitted) * 1e3,
            generation_ms=(now - self.first_token) * 1e3,
        )


@dataclass(slots=True, eq=False)
class Slot:
    """
    A sequence of the backend. In use, it has read the first *length* of its task's tokens; else it holds *kept*.

    The first *exact* tokens were read alone and in fixed portions.
    """

    seq: int
    kept: list[int] = field(default_factory=list)
    task: Task | None = None
    length: int = 0
    used: int = 0
    exact: int = 0

    def moved(self, now: float) -> None:
        """Note that its task was served just now."""
        if self.task is not None:
            self.task.moved = now

    def view(self, *, exact: bool) -> SlotView:
        """The slot as the choice of slots sees it; with *exact* only what is, counts."""
        if self.task is None:
            tokens = self.kept[: self.exact] if exact else self.kept
            return SlotView(self.seq, tokens, free=True, used=self.used)
        reading = self.task.job.prompt if self.length < len(self.task.job.prompt) and not exact else None
        length = self.exact if exact else self.length
        return SlotView(self.seq, self.task.tokens[:length], free=False, used=self.used, reading=reading)


@dataclass(frozen=True, slots=True)
class Load:
    """How busy the engine is. *tokens_per_second* covers the last busy second or so."""

    active: int
    queued: int
    tokens_per_second: float


class Rate:
    """Tokens per second over the last second of work."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = clock()
        self._count = 0
        self._last = 0.0

    def count(self, tokens: int) -> None:
        """Take in that so many came just now."""
        self._count += tokens
        now = self._clock()
        if now - self._since >= 1.0:
            self._last = self._count / (now - self._since)
            self._since, self._count = now, 0

    def value(self) -> float:
        """The present rate; 0 when nothing came lately."""
        return self._last if self._clock() - self._since < 3.0 else 0.0


class Pace:
    """How many tokens of prompts a step may read to last about as long as is wanted, from the steps so far."""

    def __init__(self) -> None:
        self._token_s = FIRST_TOKEN_S

    def observe(self, tokens: int, took_s: float) -> None:
        """Take in a step. One of few tokens says nothing: it lasts longer than its tokens would."""
        if tokens >= TELLING_TOKENS:
            self._token_s += 0.3 * (took_s / tokens - self._token_s)

    def tokens(self, step_s: float, *, least: int, most: int) -> int:
        """Tokens for a step of *step_s*, between *least* and *most*."""
        return max(least, min(most, int(step_s / max(self._token_s, 1e-9))))
