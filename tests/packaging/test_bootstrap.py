"""What `make` says when something is missing, and that it leaves alone what is not its own."""

import ast
import importlib
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


SCRIPTS = (ROOT / "packaging" / "bootstrap.py", *sorted((ROOT / "packaging" / "make").glob("*.py")))


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with a folder of its own for everything that it writes."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    module = importlib.import_module("bootstrap")
    for name, path in {
        "ROOT": tmp_path,
        "VENV": tmp_path / ".venv",
        "PYTHON": tmp_path / ".venv" / "bin" / "python",
        "CACHE": tmp_path / ".cache",
        "LOG": tmp_path / ".cache" / "setup.log",
        "STAMP": tmp_path / ".venv" / "stamp.json",
    }.items():
        monkeypatch.setattr(module.places, name, path)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setenv("REVERIE_BUILD_CACHE", str(tmp_path / "shared"))
    monkeypatch.delenv("REVERIE_WHEELS", raising=False)
    return module


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_old_python_can_read_it(script: Path):
    """Each part of the script parses as Python 3.8, so that an old Python can say that it is too old."""
    ast.parse(script.read_text("utf-8"), feature_version=(3, 8))


def test_it_needs_nothing_that_is_not_there_yet():
    """Before anything is installed the script runs: it imports the standard library and its own parts alone."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", str(SCRIPTS[0]), "--help"], capture_output=True, text=True, check=False, timeout=20
    )
    assert (done.returncode, done.stderr[:6]) == (0, "usage:")


def test_no_suitable_python(bootstrap, monkeypatch):
    """Where no Python in the range is found, the line names the range and how to get one."""
    monkeypatch.setattr(bootstrap.environment, "OLDEST", (9, 0))
    monkeypatch.setattr(bootstrap.environment, "NEWEST", (9, 1))
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
        bootstrap.environment.make_environment()
    assert not (tmp_path / ".venv").exists()


def test_no_compiler(bootstrap, monkeypatch):
    """Without a working compiler, the line says how to get one and the way to a ready-made wheel."""
    monkeypatch.setenv("CXX", "/bin/false")
    with pytest.raises(bootstrap.Failed, match=r"no working C\+\+ compiler.*g\+\+.*REVERIE_WHEELS"):
        bootstrap.engine.install("key")


def test_no_compiler_is_told_before_anything_is_made(bootstrap, monkeypatch):
    """What cannot be built later is said at once: no environment is made for it."""
    monkeypatch.setenv("CXX", "/bin/false")
    monkeypatch.setattr(bootstrap, "NEEDED_BYTES", 0)
    monkeypatch.setattr(bootstrap.environment, "make_environment", lambda: pytest.fail("an environment was made"))
    monkeypatch.setattr(
        bootstrap.environment, "wanted", lambda dev: {"root": "", "python": "", "engine": "k", "dev": dev}
    )
    with pytest.raises(bootstrap.Failed, match=r"no working C\+\+ compiler"):
        bootstrap.setup()


def test_no_wheel_where_one_was_promised(bootstrap, tmp_path, monkeypatch):
    """REVERIE_WHEELS naming a folder without the wheel is an error, not a silent build."""
    monkeypatch.setenv("REVERIE_WHEELS", str(tmp_path))
    with pytest.raises(bootstrap.Failed, match="holds no wheel of llama-cpp-python"):
        bootstrap.engine.install("key")


def test_no_room(bootstrap, monkeypatch):
    """With too little room on the disk nothing is begun."""
    monkeypatch.setattr(bootstrap, "NEEDED_BYTES", 10**18)
    with pytest.raises(bootstrap.Failed, match="make room"):
        bootstrap.setup()
    assert not bootstrap.places.VENV.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("OSError: [Errno 28] No space left on device\nERROR: could not install", "the disk is full"),
        ("NewConnectionError: Failed to establish a new connection", "cannot be reached; check the network"),
        ("x\nERROR: No matching distribution found for y\nz", "ERROR: No matching distribution found for y"),
        ("SSLError([SSL: CERTIFICATE_VERIFY_FAILED])\nERROR: No matching distribution", "is not trusted: check this"),
        ("", "it ended early"),
    ],
)
def test_the_words_of_pip_become_one_line(bootstrap, words, reason):
    """Whatever pip or the compiler said, the owner reads one line with the reason, and where the rest is."""
    line = bootstrap.programs.reason(words)
    assert reason in line
    assert "\n" not in line


def test_another_environment_is_left_alone(bootstrap, tmp_path):
    """A .venv that is a link belongs to somebody else: nothing is installed into it, and `clean` removes the link."""
    other = tmp_path / "other"
    other.mkdir()
    bootstrap.places.VENV.symlink_to(other)
    bootstrap.setup_dev()
    assert list(other.iterdir()) == []
    bootstrap.clean()
    assert other.is_dir()
    assert not bootstrap.places.VENV.exists()


def test_wheels_are_kept_for_the_next_clone(bootstrap, tmp_path):
    """A built wheel is kept here and in the shared cache, whole or not at all."""
    wheel = tmp_path / "llama_cpp_python-1-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    shared = tmp_path / "shared" / "wheels" / "key"
    bootstrap.engine._share(wheel, shared)
    assert [file.name for file in shared.iterdir()] == [wheel.name]
    assert bootstrap.engine._wheel_in(shared) == shared / wheel.name


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_build_says_where_it_is(bootstrap):
    """A running build says how long it has run, what is being built, how much of it is done and what is left."""
    clock = Clock()
    progress = bootstrap.engine.BuildProgress(io.StringIO(), every_s=3600, clock=clock)
    assert progress.state() == "0:00  starting"
    clock.now = 5
    progress.line("  Installing build dependencies: started\n")
    assert progress.state() == "0:05  fetching its build tools"
    clock.now = 20
    progress.line("  [1/200] /usr/bin/g++ -O3 -I/x -o a.o -c /x/llama.cpp/src/llama-vocab.cpp\n")
    assert progress.state() == "0:20    0%  compiling llama-vocab.cpp"
    clock.now = 80
    progress.line("  [50/200] /usr/bin/g++ -O3 -o b.o -c /x/ops.cpp\n")
    progress.line("In file included from somewhere\n")
    assert progress.state() == "1:20   25%  about 3:00 left  compiling ops.cpp"
    progress.line("  [200/200] /usr/bin/cmake -E cmake_symlink_library\n")
    progress.line("  *** Installing project into wheel...\n")
    assert progress.state() == "1:20  100%  packing"
    progress.end()


def test_a_build_that_says_nothing_shows_that_it_goes_on(bootstrap):
    """While the compiler is silent the state is still told, from time to time, and no more once it is over."""

    class Stream(io.StringIO):
        told = threading.Event()

        def write(self, text: str) -> int:
            self.told.set()
            return super().write(text)

    stream = Stream()
    progress = bootstrap.engine.BuildProgress(stream, every_s=0.01, clock=Clock())
    assert stream.told.wait(10)
    progress.end()
    assert stream.getvalue().startswith("  0:00  starting\n")
    assert not progress.ticker.is_alive()


def test_how_long_a_build_takes_is_said_before_it(bootstrap, monkeypatch):
    """What is expected depends on the processor's cores."""
    monkeypatch.setattr(bootstrap.os, "cpu_count", lambda: 2)
    assert sys.modules["make.progress"].expected() == "about 5 to 12 minutes on 2 cores"
    monkeypatch.setattr(bootstrap.os, "cpu_count", lambda: 64)
    assert sys.modules["make.progress"].expected() == "about 1 to 2 minutes on 64 cores"


BUILDING = """
import sys
sys.path.insert(0, sys.argv[1])
import bootstrap
from pathlib import Path
from make import engine, places
here = Path(sys.argv[2])
places.ROOT, places.CACHE, places.LOG, places.PYTHON = here, here / ".cache", here / ".cache/setup.log", here / "python"
def setup():
    engine._build(here / ".cache/wheels/key", ())
bootstrap.setup = setup
sys.exit(bootstrap.main(["setup"]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_build_that_is_killed_starts_over(tmp_path, monkeypatch, number):
    """A signal ends the build and all it started; a kill leaves what the next run clears away; that run builds anew."""
    monkeypatch.setenv("CXX", "true")
    command = [sys.executable, "-c", BUILDING, str(ROOT / "packaging"), str(tmp_path)]
    stub = tmp_path / "python"
    os.mkfifo(tmp_path / "begun")
    stub.write_text(f"#!/bin/sh\necho half > $TMPDIR/object.o\necho $$ > {tmp_path}/begun\nexec sleep 600\n")
    stub.chmod(0o755)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as building:
        pid = int((tmp_path / "begun").read_text())
        building.send_signal(number)
        out, err = building.communicate(timeout=60)
    assert "minutes on" in out
    if number == signal.SIGKILL:
        os.kill(pid, signal.SIGKILL)
        assert (tmp_path / ".cache/wheels.part/tmp/object.o").exists()
    else:
        assert building.returncode == 130
        assert "run it again" in err
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    stub.write_text(
        '#!/bin/sh\nwhile [ "$1" != --wheel-dir ]; do shift; done\n'
        'ls "$TMPDIR"\necho whole > "$2/llama_cpp_python-1-py3-none-any.whl"\n'
    )
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert [file.name for file in (tmp_path / ".cache/wheels/key").iterdir()] == ["llama_cpp_python-1-py3-none-any.whl"]
    assert not (tmp_path / ".cache/wheels.part").exists()
    assert "object.o" not in (tmp_path / ".cache/setup.log").read_text()


def test_models_are_shared_by_link(bootstrap, tmp_path):
    """Model files fetched before are taken without a copy, and a model that is already there is not touched."""
    source, target = tmp_path / "from", tmp_path / "to"
    for name in ("one", "two"):
        (source / name).mkdir(parents=True)
        (source / name / "model.toml").write_text("kind = 'chat'")
        (source / name / "model.gguf").write_bytes(b"weights")
    (target / "two").mkdir(parents=True)
    bootstrap.model_files.copy_models(source, target)
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
