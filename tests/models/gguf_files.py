"""Writes small GGUF files: whole ones, and ones with something wrong."""

import struct
from collections.abc import Sequence
from pathlib import Path

Pair = tuple[str, int, bytes]


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def string(key: str, value: str) -> Pair:
    return key, 8, text(value)


def number(key: str, value: int) -> Pair:
    return key, 4, struct.pack("<I", value)


def strings(key: str, values: Sequence[str]) -> Pair:
    return key, 9, struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))


BASE: tuple[Pair, ...] = (
    string("general.architecture", "llama"),
    string("general.name", "Tiny"),
    string("general.license", "mit"),
    number("llama.block_count", 2),
    number("llama.context_length", 512),
    number("llama.embedding_length", 64),
    number("llama.attention.head_count", 4),
    number("llama.attention.head_count_kv", 2),
    strings("tokenizer.ggml.tokens", ["<s>", "</s>", *(f"t{i}" for i in range(2000))]),
    number("tokenizer.ggml.bos_token_id", 0),
    number("tokenizer.ggml.eos_token_id", 1),
    number("tokenizer.ggml.padding_token_id", 2001),
    string("tokenizer.chat_template", "{{ messages }}"),
)


def gguf(
    pairs: Sequence[Pair] = BASE,
    *,
    version: int = 3,
    magic: bytes = b"GGUF",
    tensors: Sequence[tuple[str, tuple[int, ...], int, int]] = (("w", (64, 32), 0, 0), ("q", (32, 4), 3, 8192)),
    data_bytes: int = 8192 + 80,
    pair_count: int | None = None,
) -> bytes:
    """The bytes of a model with *tensors* (name, shape, type, offset)."""
    head = magic + struct.pack("<IQQ", version, len(tensors), len(pairs) if pair_count is None else pair_count)
    head += b"".join(text(key) + struct.pack("<I", kind) + value for key, kind, value in pairs)
    for name, shape, kind, offset in tensors:
        head += text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape) + struct.pack("<IQ", kind, offset)
    head += b"\0" * (-len(head) % 32)
    return head + b"\1" * data_bytes


def write_gguf(path: Path, data: bytes | None = None) -> Path:
    path.write_bytes(gguf() if data is None else data)
    return path
