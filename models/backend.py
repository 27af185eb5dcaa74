"""
What the engine asks of a runtime: one loaded model with a fixed number of sequences.

`models.llama` is the real one, `models.fake` the scripted one. A backend is used by one thread, but `tokenize`,
`piece` and `sampler` may be called by another thread at the same time as the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from models.sampling import SamplingPlan


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens to read into sequence *seq* from position *start*; with *sample*, the last one's successor is wanted."""

    seq: int
    start: int
    tokens: Sequence[int]
    sample: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A token and the natural logarithm of its probability."""

    token: int
    logprob: float


class Interrupted(Exception):
    """`decode` was stopped by `interrupt`. *kept* is, per run, how many of its tokens are in the sequence now."""

    def __init__(self, kept: tuple[int, ...]) -> None:
        super().__init__("interrupted")
        self.kept = kept


class DecodeFailed(Exception):
    """The runtime could not read the batch; the sequences in it are in an unknown state."""


class Sampler(Protocol):
    """Chooses the tokens of one answer and remembers what it chose."""

    def sample(self, run: int) -> int:
        """The next token after the *run*-th run of the last `decode`; accepted at once."""
        ...

    def bind(self, grammar: str, begun: str = "") -> None:
        """
        From here on every token fits *grammar*, GBNF with a root rule, of which the answer has already *begun* some.

        A beginning that does not fit leaves the answer free.

        Raises:
            GrammarInvalid: it does not parse.
        """
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class Backend(Protocol):
    """A loaded model. Sequences count from 0 to `slots` - 1; each holds at most `context_tokens` tokens."""

    @property
    def slots(self) -> int:
        """Sequences that may run at once."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens one sequence may hold."""
        ...

    @property
    def vocabulary(self) -> int:
        """How many tokens there are: ids are less."""
        ...

    @property
    def trained_tokens(self) -> int:
        """The context the model was trained for; 0 unknown."""
        ...

    @property
    def batch_tokens(self) -> int:
        """Tokens one `decode` may read."""
        ...

    @property
    def chunk_tokens(self) -> int:
        """Tokens of a run that are computed at once; a run of more is computed in such chunks from its start."""
        ...

    @property
    def gpu_layers(self) -> int:
        """Layers on a GPU; 0 is the CPU alone."""
        ...

    @property
    def chat_template(self) -> str | None:
        """The template in the model file, None without one."""
        ...

    @property
    def tool_template(self) -> str | None:
        """The template that the model file has for chats with tools, None where there is no other."""
        ...

    @property
    def bos(self) -> str:
        """Text of the token that begins a sequence; empty without one."""
        ...

    @property
    def eos(self) -> str:
        """Text of the token that ends a sequence; empty without one."""
        ...

    @property
    def control_texts(self) -> tuple[str, ...]:
        """Texts of the tokens that steer the model; in a user's words they must not be read as such."""
        ...

    @property
    def state_key(self) -> str:
        """Names everything a saved state depends on but the model file and the tokens."""
        ...

    def tokenize(self, text: str, *, special: bool, begin: bool) -> list[int]:
        """Tokens of *text*. *special*: control texts become their tokens. *begin*: as at the start of a sequence."""
        ...

    def piece(self, token: int) -> bytes:
        """The bytes *token* stands for in an answer; empty for control tokens."""
        ...

    @property
    def ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        ...

    def sampler(self, plan: SamplingPlan, grammar: str | None) -> Sampler:
        """
        A sampler for one answer, bound by *grammar* from its first token on.

        Raises:
            GrammarInvalid: the grammar does not parse.
        """
        ...

    def decode(self, runs: Sequence[Run]) -> None:
        """
        Read all runs, at most `batch_tokens` tokens in total, no two of one sequence.

        Raises:
            Interrupted: `interrupt` was called.
            DecodeFailed: otherwise.
        """
        ...

    def interrupt(self) -> None:
        """Make a `decode` that runs or comes next stop early, until `rearm`; from any thread."""
        ...

    def rearm(self) -> None:
        """Take back an `interrupt` that no `decode` has seen."""
        ...

    def rank(self, run: int, token: int, top: int) -> tuple[Ranked, list[Ranked]]:
        """*token* after the *run*-th run of the last `decode`, and the *top* most likely ones, best first."""
        ...

    def trim(self, seq: int, length: int) -> bool:
        """Forget the tokens of *seq* from position *length* on. False: only all of it could be, and is, forgotten."""
        ...

    def save(self, seq: int) -> bytes | None:
        """The state of *seq*, for `restore`; None when the runtime cannot."""
        ...

    def restore(self, seq: int, state: bytes) -> bool:
        """Put *state* in place of what *seq* holds. False: refused, and *seq* is empty."""
        ...

    def save_file(self, seq: int, path: str, tokens: Sequence[int]) -> int:
        """Write the state of *seq*, which holds *tokens*, to *path*; its size in bytes, 0 when it failed."""
        ...

    def load_file(self, seq: int, path: str, tokens: int) -> bool:
        """Read a state of *tokens* tokens from *path* into *seq*. False: refused, and *seq* is empty."""
        ...

    def close(self) -> None:
        """Free the model and its memory."""
        ...


class TextEmbedder(Protocol):
    """Turns texts into unit vectors. Rows are numpy float32; typed loosely so that importing this loads no numpy."""

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    @property
    def window_tokens(self) -> int:
        """Tokens of a text that its vector can hold; a longer one is represented by its beginning."""
        ...

    def count(self, text: str) -> int:
        """Tokens of *text*, those that mark its ends included. Safe in any thread."""
        ...

    def embed_bytes(self, texts: Sequence[str]) -> bytes:
        """Rows of native float32, one after the other; row i is texts[i]."""
        ...


class TextRanker(Protocol):
    """Judges how well texts answer a query. Rows are one numpy float32 each."""

    @property
    def dim(self) -> int:
        """1: a row is one number."""
        ...

    def score_bytes(self, query: str, texts: Sequence[str]) -> bytes:
        """Native float32, one a text, higher is better."""
        ...
