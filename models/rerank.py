"""
How well each text answers a query, by a cross-encoder.

It reads query and text together, which is better than to compare embeddings and a hundred times as costly.
Lives inside a worker: it loads onnxruntime.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.embed import batches, load_tokenizer, session, usable_cores

Scores = npt.NDArray[np.float32]

WINDOW_TOKENS = 512
_RUN_TOKENS = 1024
_LONGEST_TOKEN = 32


class CrossEncoder:
    """An ONNX model that gives one number, or a pair of logits (no, yes), for a query with a text."""

    dim = 1

    def __init__(self, folder: Path, threads: int = 0, window_tokens: int = WINDOW_TOKENS) -> None:
        """
        Load `model.onnx` and `tokenizer.json` from *folder*; *threads* 0 takes all cores this process may use.

        Raises:
            ModelLoadFailed, ModelFileCorrupt: as `models.embed.OnnxEmbedder`.
        """
        self._tokenizer = load_tokenizer(folder / "tokenizer.json", window_tokens)
        self._window_tokens = window_tokens
        self._session = session(folder / "model.onnx")
        self._inputs = [slot.name for slot in self._session.get_inputs()]
        self._pool = ThreadPoolExecutor(threads or usable_cores(), thread_name_prefix="rerank")

    def __call__(self, query: str, texts: Sequence[str]) -> Scores:
        """
        One score a text, higher is better, float32 (n,) in (0, 1), comparable within one call; score i is texts[i]'s.

        The end of a text that does not fit beside the query is not read.
        """
        scores = np.zeros(len(texts), np.float32)
        most = self._window_tokens * _LONGEST_TOKEN
        pairs = [(query[:most], text[:most]) for text in texts]
        encoded = [(each.ids, each.type_ids) for each in self._tokenizer.encode_batch(pairs)]
        runs = list(batches([len(ids) for ids, _ in encoded], _RUN_TOKENS))
        for run, found in zip(
            runs, self._pool.map(self._run, [[encoded[i] for i in run] for run in runs]), strict=True
        ):
            scores[run] = found
        return scores

    def score_bytes(self, query: str, texts: Sequence[str]) -> bytes:
        """The same scores as bytes, for the pipe: native float32."""
        return self(query, texts).tobytes()

    def close(self) -> None:
        """End the threads. Calls under way finish first."""
        self._pool.shutdown()

    def _run(self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Scores:
        feed = {name: np.zeros((len(pairs), max(len(ids) for ids, _ in pairs)), np.int64) for name in self._inputs}
        for row, (ids, types) in enumerate(pairs):
            values = {"input_ids": ids, "token_type_ids": types, "attention_mask": [1] * len(ids)}
            for name in self._inputs:
                feed[name][row, : len(ids)] = values[name]
        logits = self._session.run(None, feed)[0].reshape(len(pairs), -1)
        logit = logits[:, 0] if logits.shape[1] == 1 else logits[:, -1] - logits[:, 0]
        chances: Scores = (0.5 + 0.5 * np.tanh(logit / 2)).astype(np.float32)  # the logistic curve, without overflow
        return chances
