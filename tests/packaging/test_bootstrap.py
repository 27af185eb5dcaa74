"""What `make` says when something is missing, and that it leaves alone what is not its own."""

import ast
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with a folder of its own for everything that it writes."""
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", ROOT / "packaging" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, path in {
        "ROOT": tmp_path,
        "VENV": tmp_path / ".venv",
        "PYTHON": tmp_path / ".venv" / "bin" / "python",
        "CACHE": tmp_path / ".cache",
        "LOG": tmp_path / ".cache" / "setup.log",
        "STAMP": tmp_path / ".venv" / "stamp.json",
    }.items():
        monkeypatch.setattr(module, name, path)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setenv("REVERIE_BUILD_CACHE", str(tmp_path / "shared"))
    monkeypatch.delenv("REVERIE_WHEELS", raising=False)
    return module


def test_an_old_python_can_read_it():
    """The script parses as Python 3.8, so that an old Python can say that it is too old."""
    ast.parse((ROOT / "packaging" / "bootstrap.py").read_text("utf-8"), feature_version=(3, 8))


def test_no_suitable_python(bootstrap, monkeypatch):
    """Where no Python in the range is found, the line names the range and how to get one."""
    monkeypatch.setattr(bootstrap, "OLDEST", (9, 0))
    monkeypatch.setattr(bootstrap, "NEWEST", (9, 1))
    monkeypatch.delenv("REVERIE_PYTHON", raising=False)
    with pytest.raises(bootstrap.Failed, match=r"needs Python 9\.0 to 9\.1.*apt install python3"):
        bootstrap.setup()


def test_no_venv_module(bootstrap, tmp_path, monkeypatch):
    """A Python without venv is named, with the package that brings it."""
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bootstrap.sys, "executable", str(broken))
    with pytest.raises(bootstrap.Failed, match=r"lacks the venv module.*apt install python3"):
        bootstrap._make_environment()
    assert not (tmp_path / ".venv").exists()


def test_no_compiler(bootstrap, monkeypatch):
    """Without a working compiler, the line says how to get one and the way to a ready-made wheel."""
    monkeypatch.setenv("CXX", "/bin/false")
    with pytest.raises(bootstrap.Failed, match=r"no working C\+\+ compiler.*g\+\+.*REVERIE_WHEELS"):
        bootstrap._install_engine("key")


def test_no_wheel_where_one_was_promised(bootstrap, tmp_path, monkeypatch):
    """REVERIE_WHEELS naming a folder without the wheel is an error, not a silent build."""
    monkeypatch.setenv("REVERIE_WHEELS", str(tmp_path))
    with pytest.raises(bootstrap.Failed, match="holds no wheel of llama-cpp-python"):
        bootstrap._install_engine("key")


def test_no_room(bootstrap, monkeypatch):
    """With too little room on the disk nothing is begun."""
    monkeypatch.setattr(bootstrap, "NEEDED_BYTES", 10**18)
    with pytest.raises(bootstrap.Failed, match="make room"):
        bootstrap.setup()
    assert not bootstrap.VENV.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("OSError: [Errno 28] No space left on device\nERROR: could not install", "the disk is full"),
        ("NewConnectionError: Failed to establish a new connection", "cannot be reached; check the network"),
        ("x\nERROR: No matching distribution found for y\nz", "ERROR: No matching distribution found for y"),
        ("", "it ended early"),
    ],
)
def test_the_words_of_pip_become_one_line(bootstrap, words, reason):
    """Whatever pip or the compiler said, the owner reads one line with the reason, and where the rest is."""
    line = bootstrap._reason(words)
    assert reason in line
    assert "\n" not in line


def test_another_environment_is_left_alone(bootstrap, tmp_path):
    """A .venv that is a link belongs to somebody else: nothing is installed into it, and `clean` removes the link."""
    other = tmp_path / "other"
    other.mkdir()
    bootstrap.VENV.symlink_to(other)
    bootstrap.setup_dev()
    assert list(other.iterdir()) == []
    bootstrap.clean()
    assert other.is_dir()
    assert not bootstrap.VENV.exists()


def test_wheels_are_kept_for_the_next_clone(bootstrap, tmp_path):
    """A built wheel is kept here and in the shared cache, whole or not at all."""
    wheel = tmp_path / "llama_cpp_python-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    shared = tmp_path / "shared" / "wheels" / "key"
    bootstrap._share(wheel, shared)
    assert [file.name for file in shared.iterdir()] == [wheel.name]
    assert bootstrap._wheel_in(shared) == shared / wheel.name


def test_models_are_shared_by_link(bootstrap, tmp_path):
    """Model files fetched before are taken without a copy, and a model that is already there is not touched."""
    source, target = tmp_path / "from", tmp_path / "to"
    for name in ("one", "two"):
        (source / name).mkdir(parents=True)
        (source / name / "model.toml").write_text("kind = 'chat'")
        (source / name / "model.gguf").write_bytes(b"weights")
    (target / "two").mkdir(parents=True)
    bootstrap._copy_models(source, target)
    assert (source / "one" / "model.gguf").samefile(target / "one" / "model.gguf")
    assert list((target / "two").iterdir()) == []


def test_make_without_python(tmp_path):
    """`make run` without any Python says so in one line, and `make help` works without one."""
    make = shutil.which("make")
    if make is None:
        return
    for name in ("sh", "awk"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        [make, "run"], cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode != 0
    assert "run: there is no Python here; install 3.11 to 3.14" in done.stderr
    done = subprocess.run(
        [make, "help"], cwd=ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True, timeout=20
    )
    assert "make test" in done.stdout


def test_unknown_commands_are_refused():
    """The script says what it can do instead of doing something."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "bootstrap.py"), "rnu"],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.returncode == 2
    assert "run|setup" in done.stderr
