"""What models are called: one spelling of each name, from whatever a person or a file says."""

import difflib
import re
from collections.abc import Iterable

PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.IGNORECASE)
QUANTISATION = re.compile(r"[-.](?:i?q\d(?:_[a-z0-9]+)*|f16|f32|bf16|fp16|mxfp4(?:_[a-z0-9]+)*)$")


def normalise(name: str) -> str:
    """
    The one spelling of a model's name: lower case, `-` for what is not a letter, digit, dot, dash or underscore.

    A tag becomes part of the name, `:latest` is dropped: `SmolLM2:135M-Instruct` is `smollm2-135m-instruct`.
    """
    lowered = name.strip().lower().removesuffix(":latest").removesuffix(".gguf")
    return re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9._-]+", "-", lowered)).strip("-._")


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
