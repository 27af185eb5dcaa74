"""
llama.cpp as a backend: one context with a sequence per slot, samplers in C, state saved and restored per sequence.

Flash attention stays off on the CPU: it takes an eighth off several answers at once, but there the text of one comes to
hang on what else is read with it. The slots' caches stay apart (not unified), which are no slower so.
"""

import ctypes
import hashlib
import logging
import math
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp.llama_cpp as lib
import numpy as np

from models.backend import DecodeFailed, Interrupted, Ranked, Run
from models.errors import GrammarInvalid, ModelLoadFailed
from models.requests import WorkerSpec
from models.sampling import SamplingPlan
from models.threads import ThreadChoice

log = logging.getLogger(__name__)

CONTEXT_DEFAULT = 4096
CPU_CHUNK_TOKENS = 128
ALL_LAYERS = 999
OUTPUTS_STEP = 32
DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])  # llama_token_data
WARN, ERROR = 3, 4  # ggml_log_level


class _LastLines:
    """The last complaints of llama.cpp: the reasons that its return values leave out."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=8)
        self._callback = lib.llama_log_callback(self._receive)
        lib.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _receive(self, level: int, text: bytes, _: object) -> None:
        line = text.decode("utf-8", "replace").strip()
        if level in (WARN, ERROR) and line:
            self._lines.append(line)
            log.debug("llama.cpp: %s", line)

    def clear(self) -> None:
        self._lines.clear()

    def text(self, default: str) -> str:
        return "; ".join(self._lines) or default


LINES = _LastLines()


def outputs(slots: int) -> int:
    """
    Answers that a batch has room for, with so many *slots*.

    llama.cpp lays out its working memory behind their list of 4 bytes each. Where that ends within a line of the cache,
    so does every row of what is computed: threads then write to the same lines, and two of them lose a thirtieth.
    """
    return -(-slots // OUTPUTS_STEP) * OUTPUTS_STEP


class LlamaBackend:
    """A GGUF model in this process. See `models.backend.Backend` for the contract."""

    def __init__(self, spec: WorkerSpec, *, gpu_layers: int) -> None:
        """
        Load the model and allocate its caches.

        Raises:
            ModelLoadFailed: llama.cpp refused; with its own last lines.
        """
        lib.llama_backend_init()
        LINES.clear()
        self._spec = spec
        self._model = self._load_model(spec, gpu_layers)
        self._vocab = lib.llama_model_get_vocab(self._model)
        self.vocabulary = self._n_vocab = int(lib.llama_vocab_n_tokens(self._vocab))
        self._flag = ctypes.create_string_buffer(2)
        self.trained_tokens = int(lib.llama_model_n_ctx_train(self._model))
        self.gpu_layers = 0 if gpu_layers == 0 else min(gpu_layers, lib.llama_model_n_layer(self._model) + 1)
        self.slots = max(1, spec.slots)
        self.batch_tokens = max(32, spec.batch_tokens)
        # A CPU gains nothing by more, an interrupt loses at most one, and the working memory grows with it.
        self.chunk_tokens = self.batch_tokens if self.gpu_layers else min(CPU_CHUNK_TOKENS, self.batch_tokens)
        wanted = spec.context_tokens or min(self.trained_tokens or CONTEXT_DEFAULT, CONTEXT_DEFAULT)
        self._ctx = self._new_context(spec, wanted)
        self._memory = lib.llama_get_memory(self._ctx)
        self.context_tokens = int(lib.llama_n_ctx_seq(self._ctx))
        self._batch = self._new_batch()
        self._threads = ThreadChoice(max(1, spec.threads))
        self._rows: list[int] = []
        self._pieces: dict[int, bytes] = {}
        self._candidates = np.zeros(self._n_vocab, dtype=DATA)
        self._ids = np.arange(self._n_vocab, dtype=np.int32)
        self.bos, self.eos = self._text_of(lib.llama_vocab_bos), self._text_of(lib.llama_vocab_eos)
        self.chat_template, self.tool_template = self._template(None), self._template(b"tool_use")
        self.control_texts = self._read_control_texts()
        self.ends = frozenset(t for t in range(self._n_vocab) if lib.llama_vocab_is_eog(self._vocab, t))

    # -- loading ---

    @staticmethod
    def _load_model(spec: WorkerSpec, gpu_layers: int) -> int:
        params = lib.llama_model_default_params()
        params.n_gpu_layers = gpu_layers
        model = lib.llama_model_load_from_file(str(spec.path).encode(), params)
        if not model:
            raise ModelLoadFailed(spec.model, LINES.text("llama.cpp gives no reason"))
        return int(model)

    def _new_context(self, spec: WorkerSpec, context_tokens: int) -> int:
        params = lib.llama_context_default_params()
        params.n_ctx = context_tokens * self.slots
        params.n_seq_max = self.slots
        params.n_batch, params.n_ubatch = self.batch_tokens, self.chunk_tokens
        params.n_outputs_max = outputs(self.slots)
        params.n_threads = params.n_threads_batch = max(1, spec.threads)
        flash = spec.flash_attention if spec.flash_attention is not None else (None if self.gpu_layers else False)
        params.flash_attn_type = {
            None: lib.LLAMA_FLASH_ATTN_TYPE_AUTO,
            False: lib.LLAMA_FLASH_ATTN_TYPE_DISABLED,
            True: lib.LLAMA_FLASH_ATTN_TYPE_ENABLED,
        }[flash]
        params.kv_unified = False
        params.swa_full = True  # a sliding window forgets what prefix reuse needs
        params.no_perf = True
        # The callback is C's own strlen over a two-byte text: nonzero as soon as `interrupt` writes its first byte.
        # llama.cpp asks it after each node of the graph, too often for a function in Python.
        libc = ctypes.CDLL(None)
        params.abort_callback = ctypes.cast(libc.strlen, lib.ggml_abort_callback)
        params.abort_callback_data = ctypes.cast(self._flag, ctypes.c_void_p)
        ctx = lib.llama_init_from_model(self._model, params)
        if not ctx:
            lib.llama_model_free(self._model)
            raise ModelLoadFailed(
                spec.model, LINES.text(f"no memory for {self.slots} slots of {context_tokens} tokens")
            )
        return int(ctx)

    def _new_batch(self) -> Any:
        size = self.batch_tokens
        self._tokens = (ctypes.c_int32 * size)()
        self._positions = (ctypes.c_int32 * size)()
        self._counts = (ctypes.c_int32 * size)(*([1] * size))
        self._outputs = (ctypes.c_int8 * size)()
        self._cells = [(ctypes.c_int32 * 1)(seq) for seq in range(self.slots)]
        self._pointers = [ctypes.cast(cell, ctypes.POINTER(ctypes.c_int32)) for cell in self._cells]
        self._seqs = (ctypes.POINTER(ctypes.c_int32) * size)()
        batch: Any = lib.llama_batch()
        batch.token = ctypes.cast(self._tokens, ctypes.POINTER(ctypes.c_int32))
        batch.pos = ctypes.cast(self._positions, ctypes.POINTER(ctypes.c_int32))
        batch.n_seq_id = ctypes.cast(self._counts, ctypes.POINTER(ctypes.c_int32))
        batch.seq_id = ctypes.cast(self._seqs, ctypes.POINTER(ctypes.POINTER(ctypes.c_int32)))
        batch.logits = ctypes.cast(self._outputs, ctypes.POINTER(ctypes.c_int8))
        return batch

    def _text_of(self, which: Any) -> str:
        token = int(which(self._vocab))
        return "" if token < 0 else self._piece(token, special=True).decode("utf-8", "replace")

    def _template(self, name: bytes | None) -> str | None:
        template = lib.llama_model_chat_template(self._model, name)
        return template.decode("utf-8", "replace") if template else None

    def _read_control_texts(self) -> tuple[str, ...]:
        found = (
            self._piece(token, special=True).decode("utf-8", "replace")
            for token in range(self._n_vocab)
            if lib.llama_vocab_is_control(self._vocab, token)
        )
        return tuple(text for text in found if len(text) > 1)

    @property
    def state_key(self) -> str:
        """A digest over the library's version and the shape of the caches."""
        parts = (lib.llama_version(), self.context_tokens, self._spec.flash_attention, bool(self.gpu_layers))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    # -- text ---

    def tokenize(self, text: str, *, special: bool, begin: bool) -> list[int]:
        """See `Backend.tokenize`."""
        data = text.encode("utf-8", "surrogatepass")
        size = len(data) + 16
        buffer = (ctypes.c_int32 * size)()
        count = lib.llama_tokenize(self._vocab, data, len(data), buffer, size, begin, special)
        if count < 0:
            size = -count
            buffer = (ctypes.c_int32 * size)()
            count = lib.llama_tokenize(self._vocab, data, len(data), buffer, size, begin, special)
        return buffer[: max(0, count)]

    def _piece(self, token: int, *, special: bool) -> bytes:
        buffer = ctypes.create_string_buffer(64)
        size = lib.llama_token_to_piece(self._vocab, token, buffer, 64, 0, special)
        if size < 0:
            buffer = ctypes.create_string_buffer(-size)
            size = lib.llama_token_to_piece(self._vocab, token, buffer, -size, 0, special)
        return buffer.raw[: max(0, size)]

    def piece(self, token: int) -> bytes:
        """See `Backend.piece`."""
        known = self._pieces.get(token)
        if known is None:
            # Tags such as <think> and <tool_call> are control tokens in some models: their text is part of the answer.
            special = token not in self.ends and token >= 0
            known = self._pieces[token] = self._piece(token, special=special)
        return known

    # -- decoding ---

    def decode(self, runs: Sequence[Run]) -> None:
        """See `Backend.decode`."""
        at = 0
        self._rows = []
        for run in runs:
            end = at + len(run.tokens)
            self._tokens[at:end] = list(run.tokens)
            self._positions[at:end] = list(range(run.start, run.start + len(run.tokens)))
            self._seqs[at:end] = [self._pointers[run.seq]] * (end - at)
            self._outputs[at:end] = [0] * (end - at)
            self._outputs[end - 1] = run.sample
            self._rows.append(end - 1)
            at = end
        self._batch.n_tokens = at
        wall, cpu = time.perf_counter(), time.process_time()
        result = lib.llama_decode(self._ctx, self._batch)
        if self.gpu_layers == 0 and self._threads.most > 1:
            before = self._threads.current
            after = self._threads.observe(time.perf_counter() - wall, time.process_time() - cpu)
            if after != before:
                log.info("computing with %d of %d threads", after, self._threads.most)
                lib.llama_set_n_threads(self._ctx, after, after)
        if result == 2:
            raise Interrupted(tuple(self._kept(run) for run in runs))
        if result != 0:
            raise DecodeFailed(f"llama_decode returned {result}: {LINES.text('no reason given')}")

    def _kept(self, run: Run) -> int:
        """How far an interrupted run came; its last token is read again, as the answer to it is lost."""
        length = int(lib.llama_memory_seq_pos_max(self._memory, run.seq)) + 1
        length = max(0, min(length, run.start + len(run.tokens) - 1))
        if not self.trim(run.seq, length):
            length = 0
        return length - run.start

    def interrupt(self) -> None:
        """See `Backend.interrupt`."""
        self._flag[0] = b"\x01"

    def rearm(self) -> None:
        """See `Backend.rearm`."""
        self._flag[0] = b"\x00"

    def logits(self, run: int) -> "np.ndarray[Any, np.dtype[np.float32]]":
        """A view of the logits after the *run*-th run; valid until the next decode."""
        pointer = lib.llama_get_logits_ith(self._ctx, self._rows[run])
        return np.ctypeslib.as_array(pointer, shape=(self._n_vocab,))

    def rank(self, run: int, token: int, top: int) -> tuple[Ranked, list[Ranked]]:
        """See `Backend.rank`."""
        logits = self.logits(run).astype(np.float64)
        highest = logits.max()
        logits -= highest + math.log(np.exp(logits - highest).sum())
        if top <= 0:
            return Ranked(token, float(logits[token])), []
        best = np.argpartition(logits, -top)[-top:]
        best = best[np.lexsort((best, -logits[best]))]
        return Ranked(token, float(logits[token])), [Ranked(int(t), float(logits[t])) for t in best]

    # -- sampling ---

    def sampler(self, plan: SamplingPlan, grammar: str | None) -> "LlamaSampler":
        """See `Backend.sampler`."""
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        for stage in self._stages(plan):
            lib.llama_sampler_chain_add(chain, stage)
        sampler = LlamaSampler(self, chain)
        if grammar is not None:
            try:
                sampler.bind(grammar)
            except GrammarInvalid:
                sampler.close()
                raise
        return sampler

    def _grammar(self, grammar: str) -> Any:
        LINES.clear()
        bound = lib.llama_sampler_init_grammar(self._vocab, grammar.encode(), b"root")
        if not bound:
            raise GrammarInvalid("grammar", LINES.text("it does not parse"))
        return bound

    def _stages(self, plan: SamplingPlan) -> list[Any]:
        stages: list[Any] = []
        if plan.logit_bias:
            known = [(token, bias) for token, bias in plan.logit_bias if token < self._n_vocab]
            biases = (lib.llama_logit_bias * len(known))()
            for entry, (token, bias) in zip(biases, known, strict=True):
                entry.token, entry.bias = token, (-math.inf if bias <= -100 else bias)
            stages.append(lib.llama_sampler_init_logit_bias(self._n_vocab, len(known), biases))
        if plan.penalizes:
            last_n = self.context_tokens if plan.repeat_last_n < 0 else plan.repeat_last_n
            stages.append(
                lib.llama_sampler_init_penalties(
                    self._n_vocab, last_n, plan.repeat_penalty, plan.frequency_penalty, plan.presence_penalty
                )
            )
        if plan.greedy:
            return [*stages, lib.llama_sampler_init_greedy()]
        if plan.mirostat == 1:
            stages.append(lib.llama_sampler_init_temp(plan.temperature))
            return [
                *stages,
                lib.llama_sampler_init_mirostat(self._n_vocab, plan.seed, plan.mirostat_tau, plan.mirostat_eta, 100),
            ]
        if plan.mirostat == 2:
            stages.append(lib.llama_sampler_init_temp(plan.temperature))
            return [*stages, lib.llama_sampler_init_mirostat_v2(plan.seed, plan.mirostat_tau, plan.mirostat_eta)]
        if plan.top_k > 0:
            stages.append(lib.llama_sampler_init_top_k(plan.top_k))
        if plan.typical_p < 1:
            stages.append(lib.llama_sampler_init_typical(plan.typical_p, 1))
        if plan.top_p < 1:
            stages.append(lib.llama_sampler_init_top_p(plan.top_p, 1))
        if plan.min_p > 0:
            stages.append(lib.llama_sampler_init_min_p(plan.min_p, 1))
        if plan.temperature != 1:
            stages.append(lib.llama_sampler_init_temp(plan.temperature))
        return [*stages, lib.llama_sampler_init_dist(plan.seed)]

    # -- state ---

    def trim(self, seq: int, length: int) -> bool:
        """See `Backend.trim`."""
        if length <= 0:
            lib.llama_memory_seq_rm(self._memory, seq, -1, -1)
            return True
        if lib.llama_memory_seq_rm(self._memory, seq, length, -1):
            return True
        lib.llama_memory_seq_rm(self._memory, seq, -1, -1)
        return False

    def save(self, seq: int) -> bytes | None:
        """See `Backend.save`."""
        size = int(lib.llama_state_seq_get_size(self._ctx, seq))
        state = bytearray(size)
        buffer = (ctypes.c_uint8 * size).from_buffer(state)
        written = int(lib.llama_state_seq_get_data(self._ctx, buffer, size, seq))
        del buffer
        return state if written == size else None  # type: ignore[return-value]  # read only from here on

    def restore(self, seq: int, state: bytes) -> bool:
        """See `Backend.restore`."""
        self.trim(seq, 0)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer(state)
        if lib.llama_state_seq_set_data(self._ctx, buffer, len(state), seq) > 0:
            return True
        self.trim(seq, 0)
        return False

    def save_file(self, seq: int, path: str, tokens: Sequence[int]) -> int:
        """See `Backend.save_file`."""
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        return int(lib.llama_state_seq_save_file(self._ctx, path.encode(), seq, array, len(tokens)))

    def load_file(self, seq: int, path: str, tokens: int) -> bool:
        """See `Backend.load_file`."""
        self.trim(seq, 0)
        array = (ctypes.c_int32 * tokens)()
        count = ctypes.c_size_t(0)
        if not Path(path).is_file():
            return False
        size = lib.llama_state_seq_load_file(self._ctx, path.encode(), seq, array, tokens, ctypes.byref(count))
        if size > 0 and count.value == tokens:
            return True
        self.trim(seq, 0)
        return False

    def close(self) -> None:
        """See `Backend.close`."""
        lib.llama_free(self._ctx)
        lib.llama_model_free(self._model)


class LlamaSampler:
    """
    A chain of llama.cpp samplers, with a grammar beside it.

    A grammar looks at every token of the vocabulary, which costs more than the model of a small one; so a token is
    drawn without it first and drawn again under it only when it turns out not to fit (as llama.cpp's own tools do).
    """

    def __init__(self, backend: LlamaBackend, chain: Any) -> None:
        self._backend = backend
        self._chain = chain
        self._grammar: Any = None
        self._one: Any = lib.llama_token_data()

    def sample(self, run: int) -> int:
        """See `Sampler.sample`."""
        backend = self._backend
        if self._grammar is None:
            return int(lib.llama_sampler_sample(self._chain, backend._ctx, backend._rows[run]))
        token = self._draw(run, bound=False)
        if not self._fits(token):
            token = self._draw(run, bound=True)
        lib.llama_sampler_accept(self._grammar, token)
        lib.llama_sampler_accept(self._chain, token)
        return token

    def _draw(self, run: int, *, bound: bool) -> int:
        backend = self._backend
        data = backend._candidates
        data["id"] = backend._ids
        data["logit"] = backend.logits(run)
        data["p"] = 0
        array = lib.llama_token_data_array(ctypes.cast(data.ctypes.data, lib.llama_token_data_p), len(data), -1, False)
        if bound:
            lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        lib.llama_sampler_apply(self._chain, ctypes.byref(array))
        return int(array.data[array.selected].id)

    def _fits(self, token: int) -> bool:
        self._one.id, self._one.logit, self._one.p = token, 1.0, 0.0
        array = lib.llama_token_data_array(ctypes.pointer(self._one), 1, -1, False)
        lib.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return not math.isinf(self._one.logit)

    def bind(self, grammar: str, begun: str = "") -> None:
        """See `Sampler.bind`."""
        self._free_grammar()
        self._grammar = self._backend._grammar(grammar)
        for token in self._backend.tokenize(begun, special=True, begin=False):
            if not self._fits(token):  # llama.cpp would end the process over it
                self._free_grammar()
                return
            lib.llama_sampler_accept(self._grammar, token)

    def close(self) -> None:
        """See `Sampler.close`."""
        if self._chain is not None:
            lib.llama_sampler_free(self._chain)
            self._chain = None
        self._free_grammar()

    def _free_grammar(self) -> None:
        if self._grammar is not None:
            lib.llama_sampler_free(self._grammar)
            self._grammar = None


def open_llama(spec: WorkerSpec) -> tuple[LlamaBackend, tuple[str, ...]]:
    """
    Load *spec* with as many layers on a GPU as it wants and has room for, at last with none.

    Returns:
        The backend, and a note for each attempt that failed or was not possible.

    Raises:
        ModelLoadFailed: not even on the CPU.
    """
    wanted = spec.gpu_layers
    if wanted == 0:
        return LlamaBackend(spec, gpu_layers=0), ()
    lib.llama_backend_init()
    notes: tuple[str, ...] = ()
    if not lib.llama_supports_gpu_offload():
        if wanted is not None:
            notes = ("this build of llama.cpp finds no usable GPU: running on the CPU",)
        return LlamaBackend(spec, gpu_layers=0), notes
    attempts = [ALL_LAYERS, 24, 12] if wanted is None else [wanted]
    for layers in attempts:
        try:
            return LlamaBackend(spec, gpu_layers=layers), notes
        except ModelLoadFailed as error:
            notes = (*notes, f"loading {'all' if layers == ALL_LAYERS else layers} layers on the GPU failed: {error}")
            log.warning("%s: %s", spec.model, notes[-1])
    return LlamaBackend(spec, gpu_layers=0), (*notes, "running on the CPU")
