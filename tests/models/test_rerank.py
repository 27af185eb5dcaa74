"""Texts in the order of how well they answer, and by what that was judged."""

import struct
from pathlib import Path

import numpy as np
import pytest

from models.rerank import CrossEncoder

pytestmark = pytest.mark.slow


def varint(value: int) -> bytes:
    head = b""
    while value > 127:
        head, value = head + bytes([value & 127 | 128]), value >> 7
    return head + bytes([value])


def field(number: int, value: bytes | int) -> bytes:
    """One protobuf field: the ONNX package is no dependency of ours."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name: bytes, element: int, *shape: bytes) -> bytes:
    dims = b"".join(field(1, field(2, each)) for each in shape)
    return field(1, name) + field(2, field(1, field(1, element) + field(2, dims)))


def write_counter(path: Path) -> None:
    """An ONNX model whose logit is 3 - the number of tokens of the second text: short texts win."""
    nodes = [
        field(1, b"token_type_ids")
        + field(2, b"f")
        + field(4, b"Cast")
        + field(5, field(1, b"to") + field(3, 1) + field(20, 2)),
        field(1, b"f")
        + field(2, b"s")
        + field(4, b"ReduceSum")
        + field(5, field(1, b"axes") + field(8, 1) + field(20, 7)),
        field(1, b"three") + field(1, b"s") + field(2, b"logits") + field(4, b"Sub"),
    ]
    three = field(2, 1) + field(8, b"three") + field(9, struct.pack("<f", 3.0))
    inputs = [tensor(name, 7, b"b", b"s") for name in (b"input_ids", b"attention_mask", b"token_type_ids")]
    graph = b"".join(field(1, node) for node in nodes) + field(2, b"g") + field(5, three)
    graph += b"".join(field(11, each) for each in inputs) + field(12, tensor(b"logits", 1, b"b", b"o"))
    path.write_bytes(field(1, 8) + field(7, graph) + field(8, field(2, 11)))


@pytest.fixture
def counter(tmp_path: Path, minilm_dir: Path) -> Path:
    write_counter(tmp_path / "model.onnx")
    (tmp_path / "tokenizer.json").symlink_to(minilm_dir / "tokenizer.json")
    return tmp_path


def test_a_cross_encoder_reads_query_and_text_together(counter: Path) -> None:
    """Pairs are encoded with their types, run in length-sorted batches, and scored in (0, 1) in the order given."""
    texts = ["one two three four", "one", "one two", "word " * 3000, *["one two three"] * 300]
    scores = CrossEncoder(counter, threads=2)("a query", texts)
    expected = 1 / (1 + np.exp(np.array([5, 2, 3, *[4] * 300]) - 3.0))
    assert scores.dtype == np.float32
    assert np.allclose(np.delete(scores, 3), expected, atol=1e-6)
    assert scores[3] < 1e-6


def test_nothing_to_rank(counter: Path) -> None:
    """No texts give no scores."""
    assert CrossEncoder(counter)("q", []).shape == (0,)
