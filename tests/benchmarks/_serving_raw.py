"""
The yardstick: llama.cpp in this process and nothing else. Obeys one JSON line at a time on stdin, answers on stdout.

    {"do": "read", "tokens": N}        seconds to read N new tokens and choose the next one
    {"do": "warm", "new": N}           the same for N new tokens after a head of 1,000 that is already read
    {"do": "write", "tokens": N}       seconds for N tokens, one after the other
    {"do": "rss"}                      bytes
"""

import ctypes
import json
import os
import sys
import time

import llama_cpp.llama_cpp as lib

HEAD = 1000


def main(path: str, cells: int, threads: int) -> None:
    """Load *path* with a cache of *cells* tokens and serve the lines."""
    lib.llama_log_set(QUIET, ctypes.c_void_p(0))
    lib.llama_backend_init()
    params = lib.llama_model_default_params()
    model = lib.llama_model_load_from_file(path.encode(), params)
    settings = lib.llama_context_default_params()
    settings.n_ctx, settings.n_batch, settings.n_ubatch = cells, 512, 512
    settings.n_threads = settings.n_threads_batch = threads
    settings.flash_attn_type = lib.LLAMA_FLASH_ATTN_TYPE_DISABLED
    ctx = lib.llama_init_from_model(model, settings)
    vocab = lib.llama_model_get_vocab(model)
    memory = lib.llama_get_memory(ctx)
    sampler = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
    lib.llama_sampler_chain_add(sampler, lib.llama_sampler_init_greedy())
    text = ("The quick brown fox jumps over the lazy dog and goes home along the river. " * 600).encode()
    many = (ctypes.c_int32 * 16384)()
    count = lib.llama_tokenize(vocab, text, len(text), many, 16384, True, False)
    words = many[:count]

    def read(tokens: list[int]) -> int:
        for at in range(0, len(tokens), 512):
            part = tokens[at : at + 512]
            array = (ctypes.c_int32 * len(part))(*part)
            if lib.llama_decode(ctx, lib.llama_batch_get_one(array, len(part))):
                raise RuntimeError("llama_decode failed")
        return int(lib.llama_sampler_sample(sampler, ctx, -1))

    for line in sys.stdin:
        order = json.loads(line)
        took = 0.0
        if order["do"] == "read":
            lib.llama_memory_seq_rm(memory, -1, -1, -1)
            began = time.perf_counter()
            read(words[: order["tokens"]])
            took = time.perf_counter() - began
        elif order["do"] == "warm":
            if lib.llama_memory_seq_pos_max(memory, 0) + 1 < HEAD or order.get("fresh"):
                lib.llama_memory_seq_rm(memory, -1, -1, -1)
                read(words[:HEAD])
            lib.llama_memory_seq_rm(memory, 0, HEAD, -1)
            began = time.perf_counter()
            read(words[2000 : 2000 + order["new"]])
            took = time.perf_counter() - began
        elif order["do"] == "write":
            lib.llama_memory_seq_rm(memory, -1, -1, -1)
            token = read(words[:40])
            began = time.perf_counter()
            for _ in range(order["tokens"]):
                token = read([token])
            took = time.perf_counter() - began
        elif order["do"] == "rss":
            with open(f"/proc/{os.getpid()}/statm") as statm:  # noqa: PTH123
                took = float(int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
        print(json.dumps(took), flush=True)


@lib.llama_log_callback
def QUIET(_level: int, _text: bytes, _: object) -> None:
    """Say nothing."""


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
