"""
A model made of rules: no file, no heavy library, the same answer every time. For tests, and for a demo without a GGUF.

It answers the last user's message: `/say TEXT` with TEXT, `/count N` with the numbers up to N, `/think A | B` with A
as reasoning and B as text, `/die N` with N words and then the death of the process; anything else as its script says
(see `models.script`), by default with an echo. Under a grammar it says `{}`, unless told what to say. A
raw prompt is one line, with its end.
"""

import hashlib
import logging
import math
import os
import re
import signal
import struct
import threading
from collections.abc import Sequence
from pathlib import Path

from models.backend import Interrupted, Ranked, Run
from models.requests import WorkerSpec
from models.sampling import SamplingPlan
from models.script import read_script

log = logging.getLogger(__name__)

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
BEGIN, END = "<|im_start|>", "<|im_end|>"
WORD = re.compile(r"<\|im_start\|>|<\|im_end\|>|\s*\w+|\s*[^\w\s]|\s+")
PLAIN_WORD = re.compile(r"<\||\s*\w+|\s*[^\w\s]|\s+")
LAST_QUESTION = re.compile(r".*<\|im_start\|>user\n(.*?)<\|im_end\|>", re.DOTALL)
DIE = -1


class FakeBackend:
    """A backend whose tokens are words. See `models.backend.Backend` for the contract."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._script = read_script(Path(spec.path))
        self.slots = max(1, spec.slots)
        self.context_tokens = spec.context_tokens or 4096
        self.trained_tokens = 4096
        self.batch_tokens = spec.batch_tokens
        self.chunk_tokens = 128
        self.gpu_layers = 0
        self.chat_template: str | None = TEMPLATE
        self.tool_template: str | None = None
        self.bos, self.eos = "", END
        self.control_texts = (BEGIN, END)
        self.ends = frozenset({1})
        self.state_key = "fake"
        self.batches: list[tuple[Run, ...]] = []
        self._texts = [BEGIN, END]
        self._ids = {BEGIN: 0, END: 1}
        self._lock = threading.Lock()
        self._held: list[list[int]] = [[] for _ in range(self.slots)]
        self._last: list[Run] = []
        self._interrupted = False

    @property
    def vocabulary(self) -> int:
        """See `Backend.vocabulary`: the words met so far."""
        return len(self._texts)

    def tokenize(self, text: str, *, special: bool, begin: bool) -> list[int]:  # noqa: ARG002  # no token begins a text
        """See `Backend.tokenize`."""
        with self._lock:
            return [self._id(word) for word in (WORD if special else PLAIN_WORD).findall(text)]

    def _id(self, word: str) -> int:
        known = self._ids.get(word)
        if known is None:
            known = self._ids[word] = len(self._texts)
            self._texts.append(word)
        return known

    def piece(self, token: int) -> bytes:
        """See `Backend.piece`."""
        return b"" if token in self.ends else self._texts[token].encode()

    def sampler(self, plan: SamplingPlan, grammar: str | None) -> "FakeSampler":  # noqa: ARG002  # chance plays no part
        """See `Backend.sampler`."""
        return FakeSampler(self, grammar is not None)

    def decode(self, runs: Sequence[Run]) -> None:
        """See `Backend.decode`."""
        if self._interrupted:
            raise Interrupted(tuple(0 for _ in runs))
        self.batches.append(tuple(runs))
        for run in runs:
            held = self._held[run.seq]
            if len(held) != run.start:
                raise AssertionError(f"sequence {run.seq} holds {len(held)} tokens, not {run.start}")
            held += run.tokens
        self._last = list(runs)

    def interrupt(self) -> None:
        """See `Backend.interrupt`."""
        self._interrupted = True

    def rearm(self) -> None:
        """See `Backend.rearm`."""
        self._interrupted = False

    def next_token(self, run: int, bound: bool) -> int:
        """What follows the *run*-th run of the last batch."""
        tokens = self._held[self._last[run].seq]
        text = "".join(self._texts[token] for token in tokens)
        prompt, opened, answered = text.rpartition(f"{BEGIN}assistant\n")
        if not opened:
            prompt, _, answered = text.partition("\n")
        wanted = self._answer(prompt or text, bound)
        done = len(self.tokenize(answered, special=False, begin=False))
        if done < len(wanted) and wanted[done] == DIE:
            log.info("dies as asked")
            os.kill(os.getpid(), signal.SIGKILL)
        return wanted[done] if done < len(wanted) else 1

    def _answer(self, prompt: str, bound: bool) -> list[int]:
        found = LAST_QUESTION.match(prompt)
        question = found.group(1) if found else prompt
        command, _, rest = question.partition(" ")
        if command == "/count":
            text = " ".join(map(str, range(1, int(rest) + 1)))
        elif command == "/die":
            return [*self.tokenize(" word" * int(rest), special=False, begin=False), DIE]
        elif command == "/think":
            thought, _, said = rest.partition(" | ")
            text = f"<think>{thought}</think>{said}"
        elif command == "/say":
            text = rest
        elif (scripted := self._script.reply(prompt, bound=bound)) is not None:
            text = scripted
        else:
            text = "{}" if bound else f"You said: {question.strip()}"
        return self.tokenize(text, special=False, begin=False)

    def rank(self, run: int, token: int, top: int) -> tuple[Ranked, list[Ranked]]:  # noqa: ARG002  # always certain
        """See `Backend.rank`."""
        return Ranked(token, 0.0), [Ranked(token, 0.0), Ranked(0, -math.inf)][:top]

    def trim(self, seq: int, length: int) -> bool:
        """See `Backend.trim`."""
        del self._held[seq][length:]
        return True

    def save(self, seq: int) -> bytes | None:
        """See `Backend.save`."""
        return struct.pack(f"<{len(self._held[seq])}i", *self._held[seq])

    def restore(self, seq: int, state: bytes) -> bool:
        """See `Backend.restore`."""
        self._held[seq] = list(struct.unpack(f"<{len(state) // 4}i", state))
        return True

    def save_file(self, seq: int, path: str, tokens: Sequence[int]) -> int:
        """See `Backend.save_file`."""
        data = struct.pack(f"<{len(tokens)}i", *tokens)
        if list(tokens) != self._held[seq]:
            raise AssertionError("the file would not hold what its name says")
        with open(path, "wb") as file:  # noqa: PTH123  # the protocol speaks of paths as text
            file.write(data)
        return len(data)

    def load_file(self, seq: int, path: str, tokens: int) -> bool:
        """See `Backend.load_file`."""
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        self._held[seq] = []
        return len(data) == 4 * tokens and self.restore(seq, data)

    def close(self) -> None:
        """See `Backend.close`."""


class FakeSampler:
    """Says what the backend's rules say."""

    def __init__(self, backend: FakeBackend, bound: bool) -> None:
        self._backend = backend
        self._bound = bound
        self.bound_after: str | None = None
        self.open = True

    def sample(self, run: int) -> int:
        """See `Sampler.sample`."""
        return self._backend.next_token(run, self._bound)

    def bind(self, grammar: str, begun: str = "") -> None:  # noqa: ARG002  # its rules know no grammar
        """See `Sampler.bind`."""
        self.bound_after = begun

    def close(self) -> None:
        """See `Sampler.close`."""
        self.open = False


class FakeEmbedder:
    """Vectors by hashing words: texts that share words are near each other."""

    dim = 64
    window_tokens = 512

    def __init__(self, spec: WorkerSpec) -> None:
        self.digest = spec.digest or "fake"

    def count(self, text: str) -> int:
        """See `TextEmbedder.count`: the words."""
        return len(text.split())

    def embed_bytes(self, texts: Sequence[str]) -> bytes:
        """See `TextEmbedder.embed_bytes`."""
        return b"".join(self._row(text) for text in texts)

    def _row(self, text: str) -> bytes:
        row = [0.0] * self.dim
        for word in re.findall(r"\w+", text.lower()) or [text]:
            digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
            row[digest[0] % self.dim] += 1.0 if digest[1] % 2 else -1.0
            row[digest[2] % self.dim] += 1.0
        norm = math.sqrt(sum(value * value for value in row)) or 1.0
        if not any(row):
            row[0] = 1.0
        return struct.pack(f"={self.dim}f", *(value / norm for value in row))


class FakeRanker:
    """Scores by shared words."""

    dim = 1

    def score_bytes(self, query: str, texts: Sequence[str]) -> bytes:
        """See `TextRanker.score_bytes`."""
        wanted = set(re.findall(r"\w+", query.lower()))
        scores = [len(wanted & set(re.findall(r"\w+", text.lower()))) / (len(wanted) or 1) for text in texts]
        return struct.pack(f"={len(scores)}f", *scores)
