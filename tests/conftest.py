"""
Model files for tests: from REVERIE_TEST_MODELS, else `.cache/models`, fetched there once when absent.

The folder may hold the files side by side or, as the daemon keeps them, in a folder a model.
"""

import os
from pathlib import Path

import pytest

from models.catalog import Catalog, Spec, SpecFile
from models.pull import pull

CHAT, EMBED = "smollm2-135m-instruct", "all-minilm-l6-v2"


def _cache() -> Path:
    return Path(os.environ.get("REVERIE_TEST_MODELS") or Path(__file__).parents[1] / ".cache" / "models")


def _cached(spec: Spec, file: SpecFile) -> Path | None:
    places = (_cache() / file.name, _cache() / spec.name / file.name)
    return next((path for path in places if path.is_file() and path.stat().st_size == file.size_bytes), None)


def _provide(name: str, target: Path) -> Path:
    """*target*/*name* with the model's files in it."""
    catalog = Catalog(_cache())
    spec = catalog.spec(name)
    assert spec is not None
    if not all(_cached(spec, file) for file in spec.files):
        pull(name, catalog=catalog)
    folder = target / name
    folder.mkdir(parents=True)
    for file in spec.files:
        found = _cached(spec, file)
        assert found is not None, f"{file.name} is not among the files that {name} came with"
        (folder / file.name).symlink_to(found.resolve())
    lines = [f"name = '{name}'", f"kind = '{spec.kind}'", f"sha256 = '{spec.sha256}'", f"license = '{spec.license}'"]
    (folder / "model.toml").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the starter models for chat and for embeddings installed. Read only: it is shared."""
    folder = tmp_path_factory.mktemp("models")
    for name in (CHAT, EMBED):
        _provide(name, folder)
    return folder


@pytest.fixture(scope="session")
def smollm2_path(models_dir: Path) -> Path:
    """SmolLM2-135M-Instruct as a GGUF file."""
    return Catalog(models_dir).get(CHAT).model_file


@pytest.fixture(scope="session")
def minilm_dir(models_dir: Path) -> Path:
    """The folder of all-MiniLM-L6-v2: model.onnx and tokenizer.json."""
    return Catalog(models_dir).get(EMBED).dir
