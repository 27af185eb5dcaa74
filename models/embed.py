"""
Texts to unit vectors with an ONNX sentence encoder. Lives inside a worker: it loads onnxruntime.

On a CPU the encoder is fastest when one run's activations stay in a core's cache: a few hundred tokens a run, padding
little, one core a run, as many runs at once as there are cores. Batches are made so; larger ones only cost time.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime
from tokenizers import Tokenizer

from models.catalog import file_sha256
from models.errors import ModelFileCorrupt, ModelLoadFailed
from models.onnx_weights import compact
from models.starters import combined_digest

log = logging.getLogger(__name__)

# The classes of onnxruntime's C++ half have no common base.
RuntimeErrors = tuple(
    error for error in vars(runtime).values() if isinstance(error, type) and issubclass(error, Exception)
)
Rows = npt.NDArray[np.float32]

WINDOW_TOKENS = 256
_RUN_TOKENS = 256  # padding included
_COUNTED = 1_000_000
_LONGEST_TOKEN = 32  # characters read for each token of the window: a text of megabytes is not tokenised whole


class OnnxEmbedder:
    """
    A sentence encoder: mean over the tokens that are no padding, then unit length.

    A text longer than *window_tokens* is represented by its beginning. Calls from several threads are safe.
    """

    def __init__(self, folder: Path, threads: int = 0, window_tokens: int = WINDOW_TOKENS) -> None:
        """
        Load `model.onnx` and `tokenizer.json` from *folder*; *threads* 0 takes all cores this process may use.

        Raises:
            ModelLoadFailed: onnxruntime refuses the file.
            ModelFileCorrupt: the tokenizer cannot be read.
        """
        files = (folder / "model.onnx", folder / "tokenizer.json")
        self.window_tokens = window_tokens
        self._tokenizer = load_tokenizer(files[1], window_tokens)
        self._session = session(files[0])
        self._inputs = [slot.name for slot in self._session.get_inputs()]
        self._threads = threads or usable_cores()
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
        self.digest = combined_digest({path.name: file_sha256(path) for path in files})
        self.dim = int(self._run([self._tokenizer.encode("a").ids]).shape[1])

    def __call__(self, texts: Sequence[str]) -> Rows:
        """Unit rows, float32 (n, dim); row i is texts[i]. Empty input gives (0, dim)."""
        rows = np.zeros((len(texts), self.dim), np.float32)
        if not texts:
            return rows
        heads = [text[: self.window_tokens * _LONGEST_TOKEN] for text in texts]
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(heads)]
        lengths = [len(each) for each in ids]
        share = -(-len(ids) // self._threads) * max(lengths)  # so that a few texts find every core
        runs = list(batches(lengths, min(share, _RUN_TOKENS)))
        work = self._pool.map if len(runs) > 1 else map
        for run, vectors in zip(runs, work(self._run, [[ids[i] for i in run] for run in runs]), strict=True):
            rows[run] = vectors
        return rows

    def count(self, text: str) -> int:
        """Tokens of *text*, of the first million characters of a longer one."""
        encoding = self._tokenizer.encode(text[:_COUNTED])
        marks = sum(encoding.special_tokens_mask)
        return len(encoding.ids) + sum(len(rest.ids) - marks for rest in encoding.overflowing)

    def embed_bytes(self, texts: Sequence[str]) -> bytes:
        """The same rows as bytes, for the pipe: native float32, one row after the other."""
        return self(texts).tobytes()

    def close(self) -> None:
        """End the threads. Calls under way finish first."""
        self._pool.shutdown()

    def _run(self, ids: Sequence[Sequence[int]]) -> Rows:
        feed = padded(ids)
        hidden = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        return _unit(_mean(hidden, feed["attention_mask"]) if hidden.ndim == 3 else hidden)


def session(path: Path) -> onnxruntime.InferenceSession:
    """
    The model at *path*, one core a run and no spinning: an idle daemon must burn no CPU.

    Raises:
        ModelLoadFailed: onnxruntime refuses the file.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # it would keep the largest run's memory, for every shape that ever came
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    providers = ["CPUExecutionProvider"]
    small = compact(path.read_bytes())
    if small:
        try:
            return onnxruntime.InferenceSession(small, options, providers=providers)
        except RuntimeErrors as error:
            log.info("%s: this onnxruntime does not take 8-bit weights, using 32 bits: %s", path.parent.name, error)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except RuntimeErrors as error:
        raise ModelLoadFailed(path.parent.name, str(error)) from error


def batches(lengths: Sequence[int], run_tokens: int) -> Iterator[list[int]]:
    """Indices of *lengths*, longest first, in runs of at most *run_tokens* when padded, or of one text."""
    run: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if run and (len(run) + 1) * lengths[run[0]] > run_tokens:
            yield run
            run = []
        run.append(index)
    if run:
        yield run


def padded(ids: Sequence[Sequence[int]]) -> dict[str, npt.NDArray[np.int64]]:
    """Token ids as the arrays that a BERT-like encoder takes."""
    width = max(len(each) for each in ids)
    tokens = np.zeros((len(ids), width), np.int64)
    mask = np.zeros_like(tokens)
    for row, each in enumerate(ids):
        tokens[row, : len(each)] = each
        mask[row, : len(each)] = 1
    return {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_tokenizer(path: Path, window_tokens: int) -> Tokenizer:
    """
    A tokenizer that cuts at *window_tokens* and pads nothing.

    Raises:
        ModelFileCorrupt: the file is none.
    """
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises plain Exception
        raise ModelFileCorrupt(path, f"not a tokenizer: {error}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(window_tokens)
    return tokenizer


def _mean(hidden: Rows, mask: npt.NDArray[np.int64]) -> Rows:
    weights = mask[:, :, None].astype(np.float32)
    total: Rows = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return total


def _unit(rows: Rows) -> Rows:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = (rows / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit
