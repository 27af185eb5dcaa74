"""A GGUF sentence encoder: vectors through llama.cpp, pooled as the file says."""

import ctypes
from collections.abc import Sequence
from typing import Any

import llama_cpp.llama_cpp as lib
import numpy as np

from models.errors import ModelLoadFailed, WorkerError
from models.llama import LINES
from models.requests import WorkerSpec

WINDOW_TOKENS = 512
POOL_MEAN = 1


class LlamaEmbedder:
    """Embeds one text after the other. A text longer than the window is represented by its beginning."""

    def __init__(self, spec: WorkerSpec) -> None:
        """
        Load the model.

        Raises:
            ModelLoadFailed: llama.cpp refuses it.
        """
        lib.llama_backend_init()
        LINES.clear()
        params = lib.llama_model_default_params()
        params.n_gpu_layers = spec.gpu_layers or 0
        self._model = lib.llama_model_load_from_file(str(spec.path).encode(), params)
        if not self._model:
            raise ModelLoadFailed(spec.model, LINES.text("llama.cpp gives no reason"))
        self._vocab = lib.llama_model_get_vocab(self._model)
        trained = int(lib.llama_model_n_ctx_train(self._model)) or WINDOW_TOKENS
        self.window_tokens = min(trained, spec.context_tokens or WINDOW_TOKENS)
        self._ctx = self._context(spec, pooling=None)
        if int(lib.llama_pooling_type(self._ctx)) <= 0:  # none, or unknown: a mean serves every encoder
            lib.llama_free(self._ctx)
            self._ctx = self._context(spec, pooling=POOL_MEAN)
        self._memory = lib.llama_get_memory(self._ctx)
        self.dim = int(lib.llama_model_n_embd_out(self._model))

    def _context(self, spec: WorkerSpec, *, pooling: int | None) -> Any:
        settings = lib.llama_context_default_params()
        settings.n_ctx = settings.n_batch = settings.n_ubatch = self.window_tokens
        settings.n_threads = settings.n_threads_batch = max(1, spec.threads)
        settings.embeddings = True
        settings.flash_attn_type = lib.LLAMA_FLASH_ATTN_TYPE_DISABLED
        if pooling is not None:
            settings.pooling_type = pooling
        ctx = lib.llama_init_from_model(self._model, settings)
        if not ctx:
            raise ModelLoadFailed(spec.model, LINES.text(f"no memory for a window of {self.window_tokens} tokens"))
        return ctx

    def count(self, text: str) -> int:
        """See `TextEmbedder.count`."""
        data = text.encode("utf-8", "replace")
        return abs(int(lib.llama_tokenize(self._vocab, data, len(data), None, 0, True, False)))

    def embed_bytes(self, texts: Sequence[str]) -> bytes:
        """See `TextEmbedder.embed_bytes`."""
        return b"".join(self._row(text) for text in texts)

    def _row(self, text: str) -> bytes:
        data = text[: self.window_tokens * 32].encode("utf-8", "replace")
        size = len(data) + 16
        buffer = (ctypes.c_int32 * size)()
        count = int(lib.llama_tokenize(self._vocab, data, len(data), buffer, size, True, False))
        tokens = buffer[: max(1, min(count, self.window_tokens))]
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        if self._memory:
            lib.llama_memory_seq_rm(self._memory, -1, -1, -1)
        if lib.llama_decode(self._ctx, lib.llama_batch_get_one(array, len(tokens))):
            raise WorkerError(f"a text could not be embedded: {LINES.text('no reason given')}")
        pointer = lib.llama_get_embeddings_seq(self._ctx, 0)
        row = np.ctypeslib.as_array(pointer, shape=(self.dim,)).astype(np.float32)
        return bytes((row / max(float(np.linalg.norm(row)), 1e-12)).astype(np.float32).tobytes())
