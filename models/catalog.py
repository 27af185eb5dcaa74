"""
Which models there are: the starters that the package lists, and what lies in the models folder.

    <models>/<name>/model.toml     name, kind, source, sha256, licence, overrides
    <models>/<name>/FILES          the model file, and what it needs
    <models>/foo.gguf              a file dropped by hand is a model too; settings may stand in foo.toml beside it

The folder is read anew at each call: it is small, and a person may change it at any time.
"""

import difflib
import hashlib
import json
import os
import shutil
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from models.errors import ModelExists, ModelFileCorrupt, ModelMissing, ModelUnknown, RequestInvalid
from models.gguf import GgufHeader, judge
from models.names import PART, QUANTISATION, judge_name, name_of_file, nearest, normalise
from models.remote import Remote, Remotes
from models.requests import Kind, Overrides, WorkerSpec
from models.starters import Spec, combined_digest, starters

Backend = Literal["llama", "onnx", "fake", "remote"]

SETTINGS = "model.toml"
_ARRIVING_S = 60.0
_DIGESTS = ".digests.json"


@dataclass(frozen=True)
class Installed:
    """
    A model on this machine.

    *files* are absolute, the one to load first. *sha256* is None until somebody asks `Catalog.digest` for that of a
    file dropped by hand. *etag* is what the server called this version. *warnings* are one line each, for the owner.
    """

    name: str
    kind: Kind
    dir: Path
    files: tuple[Path, ...]
    sha256: str | None
    source: str
    size_bytes: int
    license: str | None = None
    overrides: Overrides = field(default_factory=Overrides)
    backend: Backend = "llama"
    etag: str | None = None
    spec: Spec | None = None
    warnings: tuple[str, ...] = ()

    @property
    def model_file(self) -> Path:
        """The file to hand to the engine."""
        return self.files[0]


class Catalog:
    """The models of one folder, which need not exist yet."""

    def __init__(self, models_dir: Path, remotes: Remotes | None = None) -> None:
        self.dir = models_dir
        self.remotes = remotes or Remotes()
        self._judged: dict[tuple[object, ...], GgufHeader] = {}

    def known(self) -> tuple[Spec, ...]:
        """The starter models, chat models first."""
        return starters()

    def spec(self, name: str) -> Spec | None:
        """The starter model of that name."""
        wanted = normalise(name)
        return next((spec for spec in starters() if spec.name == wanted), None)

    def installed(self) -> tuple[Installed, ...]:
        """
        Everything usable, by name: what lies in the folder, and remote models, which have no files.

        A folder without a model file in it is no model.
        """
        local = {model.name: model for model in self._scan()}
        remote = {each.name: self._elsewhere(each) for each in self.remotes.here()}
        return tuple(sorted((remote | local).values(), key=lambda model: model.name))

    def _elsewhere(self, remote: Remote) -> Installed:
        return Installed(
            name=remote.name,
            kind=remote.kind,
            dir=self.dir,
            files=(),
            sha256=remote.digest,
            source=f"{remote.model} at {remote.base_url}",
            size_bytes=0,
            backend="remote",
        )

    def get(self, name: str) -> Installed:
        """
        The model of that name: exact, or without its quantisation where only one is meant.

        Raises:
            ModelMissing: the catalog knows it, but it is not here.
            ModelUnknown: nobody knows it; carries the nearest names.
            RemoteOffline: it is on another machine, and may not be used.
        """
        wanted = normalise(name)
        models = self.installed()
        for model in models:
            if model.name == wanted:
                return model
        alike = [model for model in models if QUANTISATION.sub("", model.name) == wanted]
        if len(alike) == 1:
            return alike[0]
        self.remotes.get(wanted)
        if self.spec(wanted):
            raise ModelMissing(wanted)
        names = {model.name for model in models} | {spec.name for spec in starters()}
        raise ModelUnknown(name, [model.name for model in alike] or nearest(wanted, names))

    def digest(self, model: Installed) -> str:
        """The model's sha256: recorded at the pull, else computed once and kept while size and time stay the same."""
        return model.sha256 or combined_digest({path.name: self._file_digest(path) for path in model.files})

    def worker_spec(self, name: str) -> WorkerSpec:
        """
        How to load *name*. *path* is the first GGUF file, or the folder of an ONNX or fake model.

        Raises:
            ModelMissing, ModelUnknown: as `get`.
            ModelFileCorrupt and its kin: as `judge`.
        """
        model = self._here(name)
        self.judge(model)
        return WorkerSpec(
            model=model.name,
            kind=model.kind,
            backend="llama" if model.backend == "remote" else model.backend,
            path=str(model.model_file if model.backend == "llama" else model.dir),
            digest=self.digest(model),
            overrides=model.overrides,
        )

    def judge(self, model: Installed) -> GgufHeader | None:
        """
        What the header of a GGUF model says; None for models in other formats. A file is read again once it changed.

        Raises:
            ModelFileCorrupt and its kin: the file cannot be used, and was moved to `.quarantine`. A file put here by
                hand less than a minute ago stays: it may still be on its way.
        """
        if model.backend != "llama":
            return None
        stats = [path.stat() for path in model.files]
        key = (model.model_file, *((stat.st_size, stat.st_mtime_ns, stat.st_ino) for stat in stats))
        if key not in self._judged:
            try:
                self._judged[key] = judge(model.model_file)
            except ModelFileCorrupt as error:
                by_hand = not (model.dir / SETTINGS).exists() or model.dir == self.dir
                if not by_hand or time.time() - max(stat.st_mtime for stat in stats) > _ARRIVING_S:
                    self.quarantine(model.files, error)
                raise
        return self._judged[key]

    def quarantine(self, files: Sequence[Path], error: ModelFileCorrupt) -> None:
        """Move *files* out of the way, with the reason in a text beside them; *error* then says where they are."""
        number = 1
        while (folder := self.dir / ".quarantine" / f"{normalise(files[0].name)}-{number}").exists():
            number += 1
        folder.mkdir(parents=True)
        (folder / "reason.txt").write_text(f"{error}\n", encoding="utf-8")
        for path in files:
            path.rename(folder / path.name)
        error.moved_to = folder

    def remove(self, name: str) -> Installed:
        """
        Delete a model's files; what it was is returned.

        Raises:
            ModelMissing, ModelUnknown: as `get`.
        """
        model = self._here(name)
        if model.dir == self.dir:
            for path in (*model.files, _beside(model.model_file)):
                path.unlink(missing_ok=True)
        else:
            grave = self.dir / f".removed-{model.dir.name}"
            shutil.rmtree(grave, ignore_errors=True)
            model.dir.rename(grave)  # first out of sight in one step, then deleted at leisure
            shutil.rmtree(grave)
        return model

    def copy(self, name: str, to: str) -> Installed:
        """
        Install the model *name* under a second name, which shares its bytes on disk where the file system can.

        Raises:
            ModelMissing, ModelUnknown: as `get`.
            RequestInvalid: *to* is no name.
            ModelExists: *to* is taken.
        """
        judge_name(to, "destination")
        model, target = self._here(name), normalise(to)
        taken = {each.name for each in self.installed()} | {spec.name for spec in starters()}
        if target in taken:
            raise ModelExists(to)
        staged = self.dir / f".copying-{target}"
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir()
        for path in model.files:
            if path.name != SETTINGS:
                _link(path, staged / path.name)
        settings = _beside(model.model_file) if model.dir == self.dir else model.dir / SETTINGS
        (staged / SETTINGS).write_text(settings.read_text(encoding="utf-8") if settings.exists() else "", "utf-8")
        staged.rename(self.dir / target)
        return self.get(target)

    def _here(self, name: str) -> Installed:
        """The model *name*, whose files are on this machine. Raises RequestInvalid for one that is elsewhere."""
        model = self.get(name)
        if model.backend == "remote":
            raise RequestInvalid(name, "it is a remote model; it is listed under [[models.remote]] in the config file")
        return model

    def _scan(self) -> Iterator[Installed]:
        if not self.dir.is_dir():
            return
        seen: set[str] = set()
        for entry in sorted(self.dir.iterdir(), key=lambda path: (path.is_file(), path.name)):
            if entry.name.startswith("."):
                continue
            model = self._folder(entry) if entry.is_dir() else self._dropped(entry)
            if model and model.name not in seen:
                seen.add(model.name)
                yield model

    def _folder(self, folder: Path) -> Installed | None:
        settings, problems = _settings(folder / SETTINGS)
        files, kind = _usable(folder)
        if not files and settings.get("backend") == "fake":
            files = (folder / SETTINGS,)
        if not files:
            return None
        name = normalise(folder.name)
        return self._model(name, folder, files, kind, settings, problems)

    def _dropped(self, file: Path) -> Installed | None:
        split = PART.search(file.name)
        if file.suffix.lower() != ".gguf" or not file.is_file() or (split and int(split[1]) != 1):
            return None
        settings, problems = _settings(_beside(file))
        return self._model(name_of_file(file.name), self.dir, _parts(file), "chat", settings, problems)

    def _model(
        self,
        name: str,
        folder: Path,
        files: tuple[Path, ...],
        kind: Kind,
        settings: Mapping[str, object],
        problems: tuple[str, ...],
    ) -> Installed:
        spec = self.spec(name)
        overrides, unfollowed = _overrides(settings)
        return Installed(
            name=name,
            kind=_kind(settings) or kind,
            dir=folder,
            files=files,
            sha256=_text(settings, "sha256") or self._cached_digest(files),
            source=_text(settings, "source") or "put here by hand",
            size_bytes=sum(path.stat().st_size for path in files),
            license=_text(settings, "license") or (spec.license if spec else None),
            overrides=overrides,
            backend=_backend(settings, files[0]),
            etag=_text(settings, "etag"),
            spec=spec,
            warnings=problems + unfollowed,
        )

    def _cached_digest(self, files: tuple[Path, ...]) -> str | None:
        known = self._digests()
        found = {path.name: known.get(self._key(path)) for path in files}
        hashes = {name: digest for name, digest in found.items() if digest}
        return combined_digest(hashes) if len(hashes) == len(found) else None

    def _file_digest(self, path: Path) -> str:
        known, key = self._digests(), self._key(path)
        if key not in known:
            known[key] = file_sha256(path)
            fresh = self.dir / f"{_DIGESTS}.new"
            fresh.write_text(json.dumps(known, indent=1), encoding="utf-8")
            fresh.replace(self.dir / _DIGESTS)
        return known[key]

    def _digests(self) -> dict[str, str]:
        try:
            known = json.loads((self.dir / _DIGESTS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(key): str(value) for key, value in known.items()} if isinstance(known, dict) else {}

    def _key(self, path: Path) -> str:
        stat = path.stat()
        return f"{path.relative_to(self.dir)}|{stat.st_size}|{stat.st_mtime_ns}"


def file_sha256(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _link(source: Path, target: Path) -> None:
    """*target* with the bytes of *source*; on one file system they are there once."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _usable(folder: Path) -> tuple[tuple[Path, ...], Kind]:
    names = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    onnx = [path for path in names if path.suffix == ".onnx"]
    if onnx and (folder / "tokenizer.json").is_file():
        return (onnx[0], folder / "tokenizer.json"), "embed"
    gguf = [path for path in names if path.suffix.lower() == ".gguf"]
    return (_parts(gguf[0]), "chat") if gguf else ((), "chat")


def _parts(first: Path) -> tuple[Path, ...]:
    """All files of a split model that are there, the first part first; of any other model, its one file."""
    if not PART.search(first.name):
        return (first,)
    stem = PART.sub("", first.name)
    return tuple(
        sorted(path for path in first.parent.iterdir() if PART.search(path.name) and path.name.startswith(stem))
    )


def _beside(file: Path) -> Path:
    return file.with_suffix(".toml")


def _backend(settings: Mapping[str, object], file: Path) -> Backend:
    if settings.get("backend") == "fake":
        return "fake"
    return "onnx" if file.suffix == ".onnx" else "llama"


def _settings(path: Path) -> tuple[Mapping[str, object], tuple[str, ...]]:
    try:
        if path.exists() and not path.is_file():
            return {}, (f"{path} is ignored: it is no regular file",)
        return tomllib.loads(path.read_text(encoding="utf-8")), ()
    except FileNotFoundError:
        return {}, ()
    except (OSError, ValueError) as error:
        return {}, (f"{path} is ignored: {error}",)


def _text(settings: Mapping[str, object], key: str) -> str | None:
    value = settings.get(key)
    return value if isinstance(value, str) and value else None


def _kind(settings: Mapping[str, object]) -> Kind | None:
    match settings.get("kind"):
        case "chat" | "embed" | "rerank" as kind:
            return kind
        case _:
            return None


def _overrides(settings: Mapping[str, object]) -> tuple[Overrides, tuple[str, ...]]:
    """What the owner set, and one line for each setting that cannot be followed."""
    table = settings.get("overrides", {})
    if not isinstance(table, dict):
        return Overrides(), ("overrides: expected a table",)
    known = {field.name: field for field in msgspec.structs.fields(Overrides)}
    taken: dict[str, object] = {}
    warnings: list[str] = []
    for key, value in table.items():
        near = difflib.get_close_matches(key, known, n=1)
        if key not in known:
            warnings.append(f"overrides.{key} is not known{f', did you mean {near[0]}?' if near else ''}")
            continue
        try:
            taken[key] = msgspec.convert(value, known[key].type)
        except msgspec.ValidationError as error:
            warnings.append(f"overrides.{key}: {error}")
    return msgspec.convert(taken, Overrides), tuple(warnings)
