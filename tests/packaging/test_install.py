"""The wheel and the sdist install into an empty environment and work there."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def _call(*command: str | Path, **more: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **more
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    _call(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", folder, cwd=ROOT)
    return folder


def test_contents(built: Path):
    """The wheel holds the four packages with their data and nothing else; the sdist, what is needed to test it."""
    names = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"daemon", "memory_store", "models", "tui"}
    assert {"daemon/defaults.toml", "daemon/py.typed", "models/catalog.toml", "tui/app.tcss"} <= set(names)
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "Makefile", "packaging/bootstrap.py", "packaging/make/engine.py"} <= inside
    assert {"packaging/constraints.txt"} <= inside
    assert any(name.startswith("tests/") for name in inside)


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_installs_and_runs(built: Path, kind: str, tmp_path: Path):
    """Installed into an empty environment, the command starts a daemon, asks for its status and stops it."""
    environment = tmp_path / "environment"
    _call(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    # What it depends on comes from this environment, by path: what is tested is what the archive brings.
    site = _call(sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    target = Path(_call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    _call(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-input", "-q"),
        *("--no-build-isolation", next(built.glob(kind))),
        env={**os.environ, "PYTHONPATH": site},
    )
    (target / "dependencies.pth").write_text(site + "\n")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("REVERIE_", "PYTHON"))}
    environ |= {"REVERIE_HOME": str(tmp_path / "home"), "REVERIE_SERVER_PORT": "0"}

    def reverie(*arguments: str) -> str:
        return _call(environment / "bin" / "reverie", *arguments, env=environ, cwd=tmp_path)

    assert reverie("version").startswith("reverie 0.")
    assert "daemon" in _call(python, "-c", "import daemon; print(daemon.__file__)", env=environ, cwd=tmp_path)
    assert str(ROOT) not in _call(python, "-c", "import daemon; print(daemon.__file__)", env=environ, cwd=tmp_path)
    try:
        assert "reverie runs" in reverie("start")
        assert '"ready": true' in reverie("status", "--json")
    finally:
        assert "stopped" in reverie("stop")


def test_declared_dependencies_suffice(built: Path):
    """Every module imports with the declared dependencies alone: nothing leans on a tool of the developers."""
    code = (
        "import pkgutil, importlib, sys\n"
        "for room in ('daemon', 'memory_store', 'models', 'tui'):\n"
        "    package = importlib.import_module(room)\n"
        "    for module in pkgutil.walk_packages(package.__path__, room + '.'):\n"
        "        if not module.name.endswith('__main__'):\n"
        "            importlib.import_module(module.name)\n"
        "print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    loaded = set(_call(sys.executable, "-c", code, cwd=ROOT).split())
    developers = {"pytest", "hypothesis", "mypy", "openai", "ollama", "importlinter", "syrupy", "ruff", "hatchling"}
    assert not loaded & developers
    assert next(built.glob("*.whl")).stat().st_size < 5_000_000
