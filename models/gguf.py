"""
The header of a GGUF file, read without loading the model, and what it says about the file's soundness.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3, little-endian. Every length is
checked against the file's size before it is believed. Long arrays (the vocabulary) are walked, not kept.
"""

import mmap
import re
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

from models.errors import ModelFileCorrupt, ModelTooNew, ModelTruncated, ModelUnsupported, NotAModel

VERSIONS = (2, 3)

Scalar = int | float | bool | str

_STRING, _ARRAY = 8, 9
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_KEPT_ITEMS = 1024  # arrays up to this length are kept as values
_DEEPEST_ARRAY = 4
_MOST_DIMENSIONS = 4
_ALIGNMENT = 32

# ggml type: name, elements in a block, bytes of a block
_TENSOR_TYPES = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 36), 10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98), 19: ("IQ1_S", 256, 50),
    20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82), 23: ("IQ4_XS", 256, 136),
    24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8), 28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66), 39: ("MXFP4", 32, 17),
    40: ("NVFP4", 64, 36),
}  # fmt: skip
_RETIRED_TYPES = frozenset({4, 5, 31, 32, 33, 36, 37, 38})

# general.file_type of llama.cpp
_FILE_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M",
    13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS",
    21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S",
    29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
}  # fmt: skip


@dataclass(frozen=True)
class LongArray:
    """An array that was walked, not kept: where its first item starts, how many there are and of which type."""

    start: int
    count: int
    item_type: int


Value = Scalar | tuple["Value", ...] | LongArray


@dataclass(frozen=True)
class Tensor:
    """One tensor: its extent and where its bytes lie, from the start of the data."""

    name: str
    shape: tuple[int, ...]
    type: str
    offset: int
    size_bytes: int


@dataclass(frozen=True)
class SpecialToken:
    """A token with a role (`bos`, `eos`, `eot`, `pad`, …). *text* is empty where the file lists no vocabulary."""

    role: str
    id: int
    text: str


@dataclass(frozen=True)
class GgufHeader:
    """
    What a GGUF file says about itself. Where it says nothing, numbers are 0 and texts None.

    *kv_bytes_per_token* is for a 16-bit cache without sliding windows: an upper bound.
    """

    path: Path
    version: int
    size_bytes: int
    architecture: str
    name: str | None
    license: str | None
    parameters: int
    quantisation: str
    context_tokens: int
    layers: int
    width: int
    vocabulary: int
    kv_bytes_per_token: int
    chat_template: str | None
    special_tokens: tuple[SpecialToken, ...]
    split: tuple[int, int]
    data_start: int
    metadata: Mapping[str, Value]
    tensors: tuple[Tensor, ...]

    def kv_cache_bytes(self, context_tokens: int) -> int:
        """Memory that the state of *context_tokens* tokens takes, at most."""
        return context_tokens * self.kv_bytes_per_token

    @property
    def is_embedding(self) -> bool:
        """Whether the model makes one vector of a text instead of going on with it."""
        pooling = self.metadata.get(f"{self.architecture}.pooling_type", 0)
        return "bert" in self.architecture or (isinstance(pooling, int) and pooling > 0)


def read_header(path: Path) -> GgufHeader:
    """
    The header of the file at *path*, every extent checked.

    Raises:
        NotAModel: no GGUF at all; says what it is, where that can be told.
        ModelTooNew, ModelUnsupported: another version, byte order or tensor type.
        ModelTruncated: the file ends in the header, or before its tensors do.
        ModelFileCorrupt: the header contradicts itself.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        start = file.read(512)
        if start[:4] != b"GGUF":
            raise NotAModel(path, f"{_other_kind(start, size)}, not a GGUF model")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Reader(path, data, size).header()


def judge(path: Path) -> GgufHeader:
    """
    The header of a file that can be loaded as a language or embedding model, by all its header can tell.

    Raises:
        as `read_header`; and ModelUnsupported for sound files of another use, or a split model with parts missing.
    """
    header = read_header(path)
    kind = header.metadata.get("general.type")
    if kind in ("adapter", "imatrix", "mmproj") or header.architecture in ("clip", "mmproj"):
        raise ModelUnsupported(path, f"is a GGUF of kind {kind or header.architecture}, not a whole model")
    number, count = header.split
    if number:
        raise ModelUnsupported(path, f"is part {number + 1} of {count} of a split model: name its first part")
    if not header.tensors and count < 2:
        raise ModelUnsupported(path, "holds a vocabulary, but no tensors")
    for other in _other_parts(path, count):
        if not other.is_file():
            raise ModelUnsupported(path, f"is part 1 of {count}, and {other.name} is missing beside it")
        read_header(other)
    return header


def _other_parts(path: Path, count: int) -> list[Path]:
    if count < 2:
        return []
    stem = re.sub(r"-\d{5}-of-\d{5}\.gguf$", "", path.name, flags=re.IGNORECASE)
    return [path.with_name(f"{stem}-{part:05d}-of-{count:05d}.gguf") for part in range(2, count + 1)]


def _other_kind(start: bytes, size: int) -> str:
    """What a file that does not start like a GGUF is, in words that follow its name."""
    text = start.lstrip().lower()
    if not size:
        return "is empty"
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "is a web page (perhaps the address wants a login)"
    if start.startswith(b"version https://git-lfs"):
        return "is a Git LFS pointer (the file itself was not fetched)"
    if start[:4] in (b"ggml", b"ggmf", b"ggjt", b"ggla", b"lmgg", b"fmgg", b"tjgg", b"algg"):
        return "is a GGML file of before 2023-08 (convert it anew)"
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < size:
        return "is a safetensors file (convert it to GGUF first)"
    if start.startswith(b"PK\x03\x04"):
        return "is a zip archive or a PyTorch file"
    if text.startswith((b"{", b"[")):
        return "is JSON (perhaps an error message of the server)"
    if not start.strip(b"\0"):
        return "starts with zeros (a download that was never filled in)"
    return "is of an unknown format"


class _Reader:
    """A cursor over the bytes that never reads past their end."""

    def __init__(self, path: Path, data: mmap.mmap, size: int) -> None:
        self._path = path
        self._data = data
        self._size = size
        self._at = 4

    def header(self) -> GgufHeader:
        version = self._version()
        tensor_count, pair_count = self._number("<Q"), self._number("<Q")
        self._plausible(pair_count, 13, "metadata entries")
        metadata: dict[str, Value] = {}
        for _ in range(pair_count):
            key = self._key()
            if key in metadata:
                raise self._corrupt(f"the metadata names {key!r} twice")
            metadata[key] = self._value(self._number("<I"), 0)
        self._plausible(tensor_count, 28, "tensors")
        alignment = metadata.get("general.alignment", _ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1) or alignment > 1 << 20:
            raise self._corrupt(f"the alignment of its data is {alignment!r}, not a power of two")
        tensors = tuple(self._tensor() for _ in range(tensor_count))
        data_start = -(-self._at // alignment) * alignment
        self._extents(tensors, data_start, alignment)
        return self._about(version, metadata, tensors, data_start)

    def _about(
        self, version: int, metadata: Mapping[str, Value], tensors: tuple[Tensor, ...], data_start: int
    ) -> GgufHeader:
        architecture = _text(metadata, "general.architecture")
        if not architecture:
            raise self._corrupt("it does not name its architecture")
        vocabulary = metadata.get("tokenizer.ggml.tokens")
        layers = _count(metadata, f"{architecture}.block_count")
        return GgufHeader(
            path=self._path,
            version=version,
            size_bytes=self._size,
            architecture=architecture,
            name=_text(metadata, "general.name"),
            license=_text(metadata, "general.license"),
            parameters=sum(prod(tensor.shape) for tensor in tensors),
            quantisation=_quantisation(metadata, tensors),
            context_tokens=_count(metadata, f"{architecture}.context_length"),
            layers=layers,
            width=_count(metadata, f"{architecture}.embedding_length"),
            vocabulary=_length(vocabulary) or _count(metadata, f"{architecture}.vocab_size"),
            kv_bytes_per_token=_kv_bytes(metadata, architecture, layers),
            chat_template=_text(metadata, "tokenizer.chat_template"),
            special_tokens=self._special_tokens(metadata, vocabulary),
            split=(_count(metadata, "split.no"), _count(metadata, "split.count")),
            data_start=data_start,
            metadata=metadata,
            tensors=tensors,
        )

    def _version(self) -> int:
        version = self._number("<I")
        if version in VERSIONS:
            return version
        if int.from_bytes(version.to_bytes(4, "little"), "big") in (1, *VERSIONS):
            raise ModelUnsupported(self._path, "is a GGUF in big-endian byte order, made for another kind of machine")
        if version == 1:
            raise ModelUnsupported(self._path, "is a GGUF of version 1, no longer read by llama.cpp: convert it anew")
        if version > 1000 or not version:
            raise self._corrupt(f"its version, {version}, makes no sense")
        raise ModelTooNew(
            self._path, f"is a GGUF of version {version}, this release reads up to {VERSIONS[-1]}: upgrade"
        )

    def _take(self, size: int) -> int:
        """Move on by *size* bytes; where they start."""
        start = self._at
        if size > self._size - start:
            raise ModelTruncated(self._path, f"ends after {self._size:,} bytes, within its header: pull it again")
        self._at = start + size
        return start

    def _number(self, layout: str) -> int:
        return int(struct.unpack_from(layout, self._data, self._take(struct.calcsize(layout)))[0])

    def _plausible(self, count: int, least_bytes: int, what: str) -> None:
        if count * least_bytes > self._size - self._at:
            raise ModelTruncated(self._path, f"claims {count:,} {what}, more than its {self._size:,} bytes can hold")

    def _bytes(self) -> bytes:
        size = self._number("<Q")
        start = self._take(size)
        return self._data[start : start + size]

    def _key(self) -> str:
        raw = self._bytes()
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise self._corrupt(f"a name in its header is not text: {raw[:40]!r}") from None

    def _value(self, kind: int, depth: int) -> Value:
        if kind == _STRING:
            return self._bytes().decode(errors="replace")
        if kind == _ARRAY:
            return self._array(depth + 1)
        layout = _SCALARS.get(kind)
        if layout is None:
            raise self._corrupt(f"a metadata value has the unknown type {kind}")
        value: Scalar = struct.unpack_from(layout, self._data, self._take(struct.calcsize(layout)))[0]
        return value

    def _array(self, depth: int) -> Value:
        kind, count = self._number("<I"), self._number("<Q")
        if depth > _DEEPEST_ARRAY:
            raise self._corrupt("its metadata nests arrays too deep")
        layout = _SCALARS.get(kind)
        self._plausible(count, struct.calcsize(layout) if layout else 8, "items in an array")
        if count <= _KEPT_ITEMS:
            return tuple(self._value(kind, depth) for _ in range(count))
        start = self._at
        if layout:
            self._take(count * struct.calcsize(layout))
        elif kind == _STRING:
            self._skip_strings(count)
        else:
            for _ in range(count):
                self._value(kind, depth)
        return LongArray(start, count, kind)

    def _skip_strings(self, count: int) -> None:
        length, data, at, last = struct.Struct("<Q").unpack_from, self._data, self._at, self._size - 8
        for _ in range(count):
            if at > last:
                break
            at += 8 + length(data, at)[0]
        self._take(at - self._at)

    def _tensor(self) -> Tensor:
        name = self._key()
        dimensions = self._number("<I")
        if dimensions > _MOST_DIMENSIONS:
            raise self._corrupt(f"tensor {name!r} has {dimensions} dimensions")
        shape = tuple(self._number("<Q") for _ in range(dimensions))
        kind, offset = self._number("<I"), self._number("<Q")
        if kind in _RETIRED_TYPES:
            raise ModelUnsupported(self._path, f"tensor {name!r} has type {kind}, no longer read by llama.cpp")
        if kind not in _TENSOR_TYPES:
            raise ModelTooNew(self._path, f"tensor {name!r} has type {kind}, unknown to this release: upgrade")
        type_name, block, block_bytes = _TENSOR_TYPES[kind]
        if shape and shape[0] % block:
            raise self._corrupt(f"tensor {name!r} of type {type_name} has rows of {shape[0]}, no multiple of {block}")
        return Tensor(name, shape, type_name, offset, prod(shape) // block * block_bytes)

    def _extents(self, tensors: Sequence[Tensor], data_start: int, alignment: int) -> None:
        names = Counter(tensor.name for tensor in tensors)
        for tensor in tensors:
            if names[tensor.name] > 1:
                raise self._corrupt(f"it has two tensors called {tensor.name!r}")
            if tensor.offset % alignment:
                raise self._corrupt(f"tensor {tensor.name!r} does not start at a multiple of {alignment}")
        end = max((data_start + tensor.offset + tensor.size_bytes for tensor in tensors), default=0)
        if end > self._size:
            share = 100 * self._size // end
            raise ModelTruncated(
                self._path, f"has {self._size:,} of {end:,} bytes ({share}%), the download was cut short: pull it again"
            )

    def _special_tokens(self, metadata: Mapping[str, Value], vocabulary: Value | None) -> tuple[SpecialToken, ...]:
        found = []
        for key, value in metadata.items():
            role = re.fullmatch(r"tokenizer\.ggml\.(\w+?)(?:ding)?_token_id", key)
            if role and isinstance(value, int) and not isinstance(value, bool):
                found.append(SpecialToken(role[1], value, self._token(vocabulary, value)))
        return tuple(found)

    def _token(self, vocabulary: Value | None, index: int) -> str:
        if isinstance(vocabulary, tuple) and 0 <= index < len(vocabulary):
            return str(vocabulary[index])
        if (
            not isinstance(vocabulary, LongArray)
            or vocabulary.item_type != _STRING
            or not 0 <= index < vocabulary.count
        ):
            return ""
        self._at = vocabulary.start
        self._skip_strings(index)
        return self._bytes().decode(errors="replace")

    def _corrupt(self, reason: str) -> ModelFileCorrupt:
        return ModelFileCorrupt(self._path, f"is damaged: {reason}")


def _text(metadata: Mapping[str, Value], key: str) -> str | None:
    value = metadata.get(key)
    return value if isinstance(value, str) and value else None


def _count(metadata: Mapping[str, Value], key: str) -> int:
    value = metadata.get(key)
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0


def _length(value: Value | None) -> int:
    match value:
        case LongArray(count=count):
            return count
        case tuple():
            return len(value)
        case _:
            return 0


def _kv_bytes(metadata: Mapping[str, Value], architecture: str, layers: int) -> int:
    """Bytes of a 16-bit key-value cache for one token, all layers. Heads may be given per layer."""
    heads_by_layer = metadata.get(f"{architecture}.attention.head_count")
    heads = heads_by_layer if isinstance(heads_by_layer, int) else 0
    if isinstance(heads_by_layer, tuple):
        heads = max((each for each in heads_by_layer if isinstance(each, int)), default=0)
    width = _count(metadata, f"{architecture}.embedding_length")
    head_width = width // heads if heads > 0 else 0
    key = _count(metadata, f"{architecture}.attention.key_length") or head_width
    value = _count(metadata, f"{architecture}.attention.value_length") or head_width
    kv_heads = metadata.get(f"{architecture}.attention.head_count_kv", heads)
    if isinstance(kv_heads, tuple):
        return sum(each for each in kv_heads if isinstance(each, int) and each > 0) * (key + value) * 2
    return layers * kv_heads * (key + value) * 2 if isinstance(kv_heads, int) and kv_heads > 0 else 0


def _quantisation(metadata: Mapping[str, Value], tensors: Sequence[Tensor]) -> str:
    """As the file calls it, else the type that most of its bytes have."""
    named = _FILE_TYPES.get(_count(metadata, "general.file_type")) if "general.file_type" in metadata else None
    if named:
        return named
    weight: Counter[str] = Counter()
    for tensor in tensors:
        weight[tensor.type] += tensor.size_bytes
    return weight.most_common(1)[0][0] if weight else "unknown"
