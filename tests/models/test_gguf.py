"""A GGUF file is judged by its header before anything loads it."""

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.errors import ModelFileCorrupt, ModelTooNew, ModelTruncated, ModelUnsupported, NotAModel
from models.gguf import judge, read_header
from tests.models.gguf_files import BASE, gguf, number, string, strings, write_gguf


def test_a_header_tells_what_the_model_is(tmp_path: Path) -> None:
    """Architecture, size, context, quantisation, template and special tokens are read without loading the model."""
    header = judge(write_gguf(tmp_path / "tiny.gguf"))
    assert (header.architecture, header.name, header.license) == ("llama", "Tiny", "mit")
    assert (header.context_tokens, header.layers, header.width, header.vocabulary) == (512, 2, 64, 2002)
    assert header.parameters == 64 * 32 + 32 * 4
    assert header.quantisation == "F32"
    assert header.chat_template == "{{ messages }}"
    assert {token.role: token.text for token in header.special_tokens} == {"bos": "<s>", "eos": "</s>", "pad": "t1999"}
    assert header.kv_cache_bytes(512) == 512 * 2 * 2 * (16 + 16) * 2
    assert not header.is_embedding


def test_versions_2_and_3_are_read(tmp_path: Path) -> None:
    """Both versions that llama.cpp reads are read."""
    assert judge(write_gguf(tmp_path / "two.gguf", gguf(version=2))).version == 2


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
        (struct.pack("<Q", 60) + b'{"__metadata__":{}}' + b" " * 80, "safetensors"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "Git LFS pointer"),
        (b"PK\x03\x04" + b"\0" * 40, "zip archive"),
        (b'{"error":"not found"}', "JSON"),
        (b"tjgg" + b"\0" * 40, "GGML"),
        (b"\0" * 100, "zeros"),
        (b"", "empty"),
        (b"GGU", "unknown format"),
    ],
)
def test_pain_34_what_is_no_gguf_is_called_by_its_name(tmp_path: Path, start: bytes, says: str) -> None:
    """pain 34: a file that is no GGUF is refused, and the error says what it is instead."""
    with pytest.raises(NotAModel, match=says):
        judge(write_gguf(tmp_path / "x.gguf", start))


@pytest.mark.parametrize("keep", [5, 12, 30, 400, 20_000, -1])
def test_pain_34_a_truncated_gguf_is_recognised_wherever_it_ends(tmp_path: Path, keep: int) -> None:
    """pain 34: a file cut in its counts, metadata, vocabulary or tensor data is called truncated."""
    with pytest.raises(ModelTruncated):
        judge(write_gguf(tmp_path / "cut.gguf", gguf()[:keep]))


def test_pain_34_a_cut_download_names_both_sizes(tmp_path: Path) -> None:
    """pain 34: where only tensor data is missing, the error gives both sizes and the share that is there."""
    whole = gguf()
    with pytest.raises(ModelTruncated, match=rf"has {len(whole) - 4096:,} of {len(whole):,} bytes \(\d+%\)"):
        judge(write_gguf(tmp_path / "cut.gguf", whole[:-4096]))


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (gguf(version=4), ModelTooNew, "version 4.*upgrade"),
        (gguf(version=1), ModelUnsupported, "version 1"),
        (gguf(version=0x03000000), ModelUnsupported, "big-endian"),
        (gguf(version=77_777), ModelFileCorrupt, "makes no sense"),
        (gguf(tensors=[("w", (32, 4), 99, 0)]), ModelTooNew, "type 99"),
        (gguf(tensors=[("w", (32, 4), 4, 0)]), ModelUnsupported, "no longer read"),
        (gguf(tensors=[("w", (33, 4), 2, 0)]), ModelFileCorrupt, "rows of 33"),
        (gguf(tensors=[("w", (32, 4), 0, 7)]), ModelFileCorrupt, "multiple of 32"),
        (gguf(tensors=[("w", (32,), 0, 0), ("w", (32,), 0, 128)]), ModelFileCorrupt, "two tensors called 'w'"),
        (gguf(tensors=[("w", (2,) * 5, 0, 0)]), ModelFileCorrupt, "5 dimensions"),
        (gguf(tensors=[("w", (1 << 62, 1 << 62), 0, 0)]), ModelTruncated, "cut short"),
        (gguf(tensors=[]), ModelUnsupported, "no tensors"),
        (gguf(BASE[1:]), ModelFileCorrupt, "architecture"),
        (gguf((*BASE, BASE[0])), ModelFileCorrupt, "twice"),
        (gguf((*BASE, number("general.alignment", 33))), ModelFileCorrupt, "alignment"),
        (gguf((*BASE, ("x", 77, b""))), ModelFileCorrupt, "unknown type 77"),
        (gguf((*BASE, ("x", 9, struct.pack("<IQ", 8, 1 << 60)))), ModelTruncated, "items in an array"),
        (gguf((*BASE, ("x", 9, struct.pack("<IQ", 9, 1) * 6 + b"\0" * 12))), ModelFileCorrupt, "too deep"),
        (gguf(pair_count=1 << 50), ModelTruncated, "metadata entries"),
        (gguf((*BASE, string("general.type", "adapter"))), ModelUnsupported, "adapter"),
        (gguf((*BASE, number("split.no", 1), number("split.count", 3))), ModelUnsupported, "part 2 of 3"),
        (gguf((*BASE, number("split.count", 3))), ModelUnsupported, "missing beside it"),
    ],
)
def test_pain_34_each_fault_has_its_words(tmp_path: Path, data: bytes, error: type[Exception], says: str) -> None:
    """pain 34: another version, byte order, tensor type or use, and every contradiction, is named in the error."""
    with pytest.raises(error, match=says):
        judge(write_gguf(tmp_path / "bad-00001-of-00003.gguf", data))


def test_a_split_model_is_whole_when_all_parts_are(tmp_path: Path) -> None:
    """The first part of a split model passes when each other part is there and sound."""
    counts = [number("split.count", 2)]
    first = write_gguf(tmp_path / "m-00001-of-00002.gguf", gguf((*BASE, *counts, number("split.no", 0))))
    write_gguf(tmp_path / "m-00002-of-00002.gguf", gguf((*BASE, *counts, number("split.no", 1))))
    assert judge(first).split == (0, 2)


def test_odd_values_count_as_unsaid(tmp_path: Path) -> None:
    """A context length that is a text and a special token outside the vocabulary are no reason to fail."""
    odd = (
        BASE[0],
        string("llama.context_length", "many"),
        number("tokenizer.ggml.bos_token_id", 7),
        strings("tokenizer.ggml.tokens", ["a"]),
    )
    header = judge(write_gguf(tmp_path / "odd.gguf", gguf(odd)))
    assert (header.context_tokens, header.kv_bytes_per_token, header.chat_template) == (0, 0, None)
    assert header.special_tokens[0].text == ""


WHOLE = gguf(BASE[:-5] + BASE[-4:])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=9)), max_size=6),
    keep=st.one_of(st.none(), st.integers(0, len(WHOLE))),
)
def test_pain_34_random_damage_gives_a_header_or_a_named_error(
    tmp_path: Path, edits: list[tuple[int, bytes]], keep: int | None
) -> None:
    """pain 34: whatever bytes are changed or cut, reading ends in a header or in ModelFileCorrupt, never otherwise."""
    data = bytearray(WHOLE)
    for at, change in edits:
        data[at : at + len(change)] = change
    path = write_gguf(tmp_path / "noise.gguf", bytes(data[:keep]))
    try:
        judge(path)
    except ModelFileCorrupt as error:
        assert str(error).startswith("noise.gguf: ")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_pain_34_noise_after_the_magic_is_survived(tmp_path: Path, noise: bytes) -> None:
    """pain 34: a file that only starts like a GGUF is refused with a named error."""
    with pytest.raises(ModelFileCorrupt):
        read_header(write_gguf(tmp_path / "noise.gguf", b"GGUF\x03\0\0\0" + noise))


@pytest.mark.slow
def test_a_real_model_is_read(smollm2_path: Path) -> None:
    """SmolLM2's header is read whole: what llama.cpp prints of it stands in the fields."""
    header = judge(smollm2_path)
    assert (header.architecture, header.quantisation, header.context_tokens) == ("llama", "Q4_1", 8192)
    assert header.parameters == 134_515_008
    assert {token.role: token.text for token in header.special_tokens}["eos"] == "<|im_end|>"
    assert header.chat_template is not None
