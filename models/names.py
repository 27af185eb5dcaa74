"""What models are called: one spelling of each name, from whatever a person or a file says."""

import difflib
import hashlib
import re
from collections.abc import Iterable

from models.errors import RequestInvalid

PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:gguf|onnx|json)$", re.IGNORECASE)
QUANTISATION = re.compile(r"[-.](?:i?q\d(?:_[a-z0-9]+)*|f16|f32|bf16|fp16|mxfp4(?:_[a-z0-9]+)*)$")

NAME_LIMIT = 200  # characters: folders are called so, with a word of ours before or behind
_FILE_NAME_LIMIT, _PATH_LIMIT = 255, 4000  # bytes, as systems have them
_PART_OF_NAME = r"\w[\w%s-]{0,%d}"
_NAME = re.compile(
    rf"(?:(?:{_PART_OF_NAME % ('.:', 349)}/)?{_PART_OF_NAME % ('', 79)}/)?"
    rf"{_PART_OF_NAME % ('.', 79)}(?::{_PART_OF_NAME % ('.', 79)})?",
    re.ASCII,
)


def judge_name(name: str, field: str) -> None:
    """
    Refuse what is no model's name: `[[host/]namespace/]name[:tag]`, as Ollama has it.

    Raises:
        RequestInvalid: names *field*.
    """
    if not _NAME.fullmatch(name) or not 0 < len(normalise(name)) <= NAME_LIMIT:
        shown = name if len(name) <= 60 else f"{name[:60]}…"
        raise RequestInvalid(field, f"{shown!r} is no model's name; write it as name, name:tag or namespace/name:tag")


def judge_length(source: str, field: str) -> None:
    """
    Refuse what is too long to name a model or a file.

    Raises:
        RequestInvalid: names *field*.
    """
    parts = source.partition("?")[0].split("/")
    if len(source.encode()) > _PATH_LIMIT or any(len(part.encode()) > _FILE_NAME_LIMIT for part in parts):
        raise RequestInvalid(field, f"{len(source)} characters are too many for the name of a model or a file")


def normalise(name: str) -> str:
    """
    The one spelling of a model's name: lower case, `-` for what is not a letter, digit, dot, dash or underscore.

    A tag becomes part of the name, `:latest` is dropped: `SmolLM2:135M-Instruct` is `smollm2-135m-instruct`.
    """
    lowered = name.strip().lower().removesuffix(":latest").removesuffix(".gguf")
    return re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9._-]+", "-", lowered)).strip("-._")


def shortened(name: str) -> str:
    """
    *name* of a model or a file, or, where it leaves no room for a word of ours, its beginning with a mark of the whole.

    The end by which a part of a split model is known stays.
    """
    if len(name.encode()) <= NAME_LIMIT:
        return name
    end = next((found[0] for found in (PART.search(name), _SUFFIX.search(name)) if found), "")
    mark = hashlib.sha256(PART.sub("", name).encode()).hexdigest()[:8]
    room = NAME_LIMIT - len(mark) - 1 - len(end.encode())
    return f"{name.encode()[:room].decode(errors='ignore')}-{mark}{end}"


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Up to three of *names* that *name* may have meant, most alike first."""
    wanted, known = normalise(name), sorted(names)
    begun = [each for each in known if wanted and each.startswith(wanted)]
    return (begun or difflib.get_close_matches(wanted, known, n=3, cutoff=0.5))[:3]


def name_of_file(file_name: str) -> str:
    """`SmolLM2-135M-Instruct.Q4_1.gguf` is `smollm2-135m-instruct-q4_1`; the part number of a split model goes."""
    stem = PART.sub("", file_name)
    stem = re.sub(r"\.(?:gguf|onnx)$", "", stem, flags=re.IGNORECASE).lower()
    quantisation = QUANTISATION.search(stem)
    if quantisation:
        stem = f"{stem[: quantisation.start()]}-{quantisation[0][1:]}"
    return normalise(stem)
