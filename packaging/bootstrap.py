"""
What `make` does: sets up `.venv` and runs things in it. `python3 packaging/bootstrap.py --help`.

Standard library only, and readable by Python 3.8, so that an old one can say what is missing. Every step is stamped
once done and skipped the next time; a step that fails says one line and what to do about it. The words of pip and of
the compiler go to `.cache/setup.log`.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CACHE = ROOT / ".cache"
LOG = CACHE / "setup.log"
STAMP = VENV / "reverie-setup.json"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
OLDEST, NEWEST = (3, 11), (3, 14)
ENGINE = "llama-cpp-python"
NEEDED_BYTES = 2_000_000_000
REEXECUTED = "REVERIE_BOOTSTRAP_REEXECUTED"


class Failed(Exception):
    """A step cannot go on. The text is one line: what is wrong and what to do."""


def main(arguments):
    commands = {
        "run": run,
        "setup": setup,
        "dev": setup_dev,
        "check": check,
        "test": test,
        "bench": bench,
        "models": fetch_test_models,
        "clean": clean,
    }
    if len(arguments) != 1 or arguments[0] not in commands:
        print("usage: bootstrap.py " + "|".join(commands), file=sys.stderr)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    os.chdir(str(ROOT))
    try:
        return commands[arguments[0]]() or 0
    except Failed as error:
        print("\n%s: %s" % (arguments[0], error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; run it again to go on", file=sys.stderr)
        return 130
    except OSError as error:
        if error.errno == errno.ENOSPC:
            print("\n%s: the disk is full; make room and run it again" % arguments[0], file=sys.stderr)
            return 1
        raise


# -- what make calls ---


def run():
    """Set up, fetch the starter models, start the daemon, open the interface; without a terminal, the demo."""
    setup()
    say("models", "the starter models, verified")
    reverie = [str(VENV / "bin" / "reverie")]
    if not _starter_models_here():
        _seed_models(_models_folder())
        if subprocess.call(reverie + ["models", "pull", "starter"]):
            raise Failed("the starter models could not be fetched; run `make run` again: it goes on where it stopped")
    _keep_models(_models_folder())
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("demo", "there is no terminal here, so a short session on a temporary home")
        sys.stdout.flush()
        return subprocess.call(reverie + ["demo"])
    say("start", "the daemon (`.venv/bin/reverie stop` ends it)")
    code = subprocess.call(reverie + ["start"])
    return code or subprocess.call(reverie)


def setup(dev=False):
    """The environment with reverie in it, and, with *dev*, what the checks and tests need."""
    _use_suitable_python()
    if VENV.is_symlink():
        say("setup", ".venv is a link to another environment: it is used as it is")
        return
    CACHE.mkdir(exist_ok=True)
    with open(str(CACHE / "setup.lock"), "w") as lock:
        _wait_for(lock)
        wanted = _wanted(dev)
        have = _stamp()
        if all(have.get(key) == value for key, value in wanted.items() if key != "dev") and have.get("dev", -1) >= dev:
            return
        if have.get("root") != wanted["root"] or have.get("python") != wanted["python"] or not _alive():
            if shutil.disk_usage(str(ROOT)).free < NEEDED_BYTES:
                raise Failed("less than 2 GB are free here; make room and run it again")
            _make_environment()
        _install_engine(wanted["engine"])
        say("install", "reverie and what it needs" + (", and the tools that check it" if dev else ""))
        _install(["-e", "."] + (_tools() if dev else []))
        wanted["dev"] = max(dev, have.get("dev", False))
        STAMP.write_text(json.dumps(wanted))


def _tools():
    """What the checks and tests need, as pyproject.toml lists it."""
    import tomllib  # since 3.11, which is there by now

    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["dev"]


def _install(what):
    """Install exactly the pinned versions; where one cannot be had here, what pyproject.toml allows."""
    try:
        _pip("install", "-c", str(CONSTRAINTS), *what)
    except Failed as error:
        if "ResolutionImpossible" not in str(error) and "No matching distribution" not in str(error):
            raise
        say("install", "a pinned version is not to be had here; taking the newest that fits")
        _pip("install", *what)


def setup_dev():
    """As setup, with the tools for checks and tests."""
    setup(dev=True)


def check():
    """Lint, types, import rules, fast tests."""
    if not (VENV / "bin" / "ruff").exists():
        setup_dev()
    steps = (
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
        ("lint-imports",),
        ("pytest", "-m", "not slow", "-n", str(min(4, os.cpu_count() or 1))),
    )
    for step in steps:
        say("check", " ".join(step))
        sys.stdout.flush()
        code = subprocess.call([str(PYTHON.parent / step[0])] + list(step[1:]), env=_test_environment())
        if code:
            return code
    return 0


def test():
    """Set up and run every test, the slow ones too."""
    setup_dev()
    fetch_test_models()
    say("test", "all tests; `make check` runs the fast ones alone")
    sys.stdout.flush()
    workers = os.environ.get("REVERIE_TEST_WORKERS", str(min(4, os.cpu_count() or 1)))
    return subprocess.call([str(PYTHON), "-m", "pytest", "-n", workers, "--dist", "worksteal"], env=_test_environment())


def bench():
    """Every benchmark, as tables."""
    setup_dev()
    fetch_test_models()
    scripts = sorted((ROOT / "tests" / "benchmarks").glob("[a-z]*.py"))
    if not scripts:
        raise Failed("there are no benchmarks under tests/benchmarks")
    for script in scripts:
        say("bench", str(script.relative_to(ROOT)))
        sys.stdout.flush()
        code = subprocess.call([str(PYTHON), str(script)], env=_test_environment())
        if code:
            return code
    return 0


def fetch_test_models():
    """The model files that tests use, kept for all clones of this repository on this machine."""
    if os.environ.get("REVERIE_TEST_MODELS"):
        return
    say("models", "the starter models, for the tests")
    folder = _build_cache() / "models"
    folder.mkdir(parents=True, exist_ok=True)
    own = dict(os.environ, REVERIE_HOME=str(_build_cache() / "home"), REVERIE_MODELS_DIR=str(folder))
    if subprocess.call([str(PYTHON), "-m", "daemon.cli", "models", "pull", "starter"], env=own):
        raise Failed(
            "the model files could not be fetched; run it again, or name a folder that has them in REVERIE_TEST_MODELS"
        )


def clean():
    """Remove what was set up here: the environment, built files, caches of tools. Memory and models stay."""
    for path in (VENV, CACHE, ROOT / "build", ROOT / "dist"):
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            shutil.rmtree(str(path))
            print("removed %s" % path.name)
    for pattern in ("*/__pycache__", "*/*/__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"):
        for path in ROOT.glob(pattern):
            shutil.rmtree(str(path), ignore_errors=True)


# -- the environment ---


def say(step, text):
    """Tell what happens now."""
    print("[%s] %s" % (step, text), flush=True)


def _use_suitable_python():
    """Go on under a Python that reverie runs on: this one, or the newest such on the PATH."""
    override = os.environ.get("REVERIE_PYTHON")
    if OLDEST <= sys.version_info[:2] <= NEWEST and (not override or os.environ.get(REEXECUTED)):
        return
    names = ["python3.%d" % minor for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    found = override or next(filter(None, map(shutil.which, names)), None)
    if found is None or os.environ.get(REEXECUTED):
        raise Failed(
            "reverie needs Python %d.%d to %d.%d and this is %s; install one (Debian, Ubuntu: apt install python3"
            " python3-venv; macOS: brew install python) or name it in REVERIE_PYTHON"
            % (OLDEST + NEWEST + (platform.python_version(),))
        )
    os.environ[REEXECUTED] = "1"
    try:
        os.execv(found, [found, os.path.abspath(__file__)] + sys.argv[1:])
    except OSError:
        raise Failed("REVERIE_PYTHON names %s, which cannot be run" % found) from None


def _wait_for(lock):
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        say("setup", "another set-up runs here; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def _wanted(dev):
    """The state that the environment should have."""
    words = (ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()
    return {
        "root": str(ROOT),
        "python": "%d.%d" % sys.version_info[:2],
        "requirements": hashlib.sha256(words).hexdigest(),
        "engine": _engine_key(),
        "dev": dev,
    }


def _stamp():
    try:
        found = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return found if _alive() else {}


def _alive():
    """Whether the environment's Python runs: its base may have been removed."""
    try:
        return (
            subprocess.call([str(PYTHON), "-c", "import pip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            == 0
        )
    except OSError:
        return False


def _make_environment():
    say("environment", ".venv, with Python %s" % platform.python_version())
    missing = subprocess.call(
        [sys.executable, "-c", "import venv, ensurepip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if missing:
        raise Failed(
            "this Python lacks the venv module; install it (Debian, Ubuntu: apt install python%d.%d-venv)"
            % sys.version_info[:2]
        )
    if VENV.exists():
        shutil.rmtree(str(VENV))
    _logged([sys.executable, "-m", "venv", str(VENV)], "the environment could not be made")


# -- the engine, built for this machine ---


def _build_cache():
    """What clones of this repository on this machine share: the engine's wheel and the tests' model files."""
    named = os.environ.get("REVERIE_BUILD_CACHE")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reverie-build"


def _engine_version():
    for line in CONSTRAINTS.read_text().splitlines():
        if line.startswith(ENGINE + "=="):
            return line.split("==")[1].strip()
    raise Failed("%s names no version of %s" % (CONSTRAINTS, ENGINE))


def _engine_key():
    """What a built engine fits: its version, this Python, and a processor that can do what it was built for."""
    cpu = platform.processor()
    with contextlib.suppress(OSError):
        cpu += "".join(re.findall(r"^(?:flags|Features)\s*:.*$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[:1])
    if sys.platform == "darwin":
        cpu += subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], stdout=subprocess.PIPE).stdout.decode()
    short = hashlib.sha256(cpu.encode()).hexdigest()[:8]
    return "%s-py%d.%d-%s-%s-%s" % (_engine_version(), *sys.version_info[:2], sys.platform, platform.machine(), short)


def _install_engine(key):
    """A wheel of llama-cpp-python: the owner's, one built before, or one built now."""
    here, shared = CACHE / "wheels" / key, _build_cache() / "wheels" / key
    own = os.environ.get("REVERIE_WHEELS")
    if own:
        wheel = _wheel_in(Path(own).expanduser())
        if wheel is None:
            raise Failed("REVERIE_WHEELS names %s, which holds no wheel of %s" % (own, ENGINE))
    else:
        wheel = _wheel_in(here) or _wheel_in(shared)
        if wheel is None:
            wheel = _build_engine(here)
        _share(wheel, here)
        _share(wheel, shared)
    say("engine", wheel.name)
    _install([str(wheel)])
    if subprocess.call([str(PYTHON), "-c", "import llama_cpp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        for folder in (here, shared):
            shutil.rmtree(str(folder), ignore_errors=True)
        raise Failed("the engine %s does not load on this machine; run it again to build it anew" % wheel.name)


def _wheel_in(folder):
    return next(iter(sorted(folder.glob("llama_cpp_python-*.whl"))), None)


def _share(wheel, folder):
    """Keep *wheel* in *folder* too. A cache that cannot be written is no failure."""
    target = folder / wheel.name
    if target.exists():
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / (wheel.name + ".part")
        shutil.copyfile(str(wheel), str(part))
        part.replace(target)


def _build_engine(folder):
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    probe = b"#include <vector>\nint main() { return 0; }\n"
    works = compiler is not None and _compiles(compiler.split(), probe)
    if not works:
        raise Failed(
            "there is no working C++ compiler, and the engine is built from source; install one (Debian, Ubuntu: apt"
            " install g++; Fedora: dnf install gcc-c++; macOS: xcode-select --install), or put a wheel of %s==%s into"
            " a folder and name it in REVERIE_WHEELS" % (ENGINE, _engine_version())
        )
    say("engine", "building %s for this processor: 2 to 10 minutes, once" % ENGINE)
    build = CACHE / "wheels.part"
    shutil.rmtree(str(build), ignore_errors=True)
    environment = dict(os.environ)
    environment.setdefault("CMAKE_ARGS", "-DGGML_NATIVE=ON")
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    command = [str(PYTHON), "-m", "pip", "wheel", "-v", "--no-deps", "--no-input", "--disable-pip-version-check"]
    command += ["--no-binary", ENGINE, "--wheel-dir", str(build), "%s==%s" % (ENGINE, _engine_version())]
    _logged(command, "the engine could not be built", environment=environment, progress=_BuildProgress())
    wheel = _wheel_in(build)
    if wheel is None:
        raise Failed("the build of the engine left no wheel; its words are in %s" % LOG.relative_to(ROOT))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / wheel.name
    wheel.replace(target)
    shutil.rmtree(str(build), ignore_errors=True)
    return target


def _compiles(compiler, source):
    try:
        done = subprocess.run(
            compiler + ["-x", "c++", "-fsyntax-only", "-"],
            input=source,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return False
    return done.returncode == 0


class _BuildProgress:
    """The compiler's `[12/193]` as a bar on a terminal, as a line every quarter elsewhere."""

    def __init__(self):
        self.start = time.monotonic()
        self.told = 0.0
        self.drawn = False

    def line(self, text):
        found = re.search(r"\[(\d+)/(\d+)\] ", text)
        if not found:
            return
        share = int(found.group(1)) / max(1, int(found.group(2)))
        minutes = "%d:%02d" % divmod(int(time.monotonic() - self.start), 60)
        if sys.stdout.isatty():
            filled = int(share * 30)
            sys.stdout.write("\r  [%s%s] %3d%%  %s " % ("#" * filled, "." * (30 - filled), share * 100, minutes))
            sys.stdout.flush()
            self.drawn = True
        elif share - self.told >= 0.25:
            self.told = share
            print("  %3d%% compiled after %s" % (share * 100, minutes), flush=True)

    def end(self):
        if self.drawn:
            print()


# -- model files ---


def _models_folder():
    words = subprocess.run(
        [str(VENV / "bin" / "reverie"), "config", "path", "--json"], stdout=subprocess.PIPE, check=False
    )
    if words.returncode:
        raise Failed("the configuration is wrong; the line above names it")
    return Path(json.loads(words.stdout.decode())["models"])


def _starter_models_here():
    words = subprocess.run(
        [str(VENV / "bin" / "reverie"), "models", "ls", "--json"], stdout=subprocess.PIPE, check=False
    )
    if words.returncode:
        return False
    installed = {model["kind"] for model in json.loads(words.stdout.decode()) if model["installed"]}
    return {"chat", "embed"} <= installed


def _seed_models(folder):
    """Take what another clone has fetched before. The pull verifies whatever it finds."""
    _copy_models(_build_cache() / "models", folder)


def _keep_models(folder):
    """Let other clones take what was fetched here."""
    names = [path.name for path in (_build_cache() / "models").glob("*/model.toml")]
    if not names:
        _copy_models(folder, _build_cache() / "models", only=("smollm2-135m-instruct", "all-minilm-l6-v2"))


def _copy_models(source, target, only=None):
    for model in sorted(source.glob("*/model.toml")):
        folder = target / model.parent.name
        if folder.exists() or (only and folder.name not in only):
            continue
        part = target / (".copy-" + folder.name)
        with contextlib.suppress(OSError):
            shutil.rmtree(str(part), ignore_errors=True)
            part.mkdir(parents=True)
            for file in model.parent.iterdir():
                _link_or_copy(str(file), str(part / file.name))
            part.rename(folder)


def _link_or_copy(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _test_environment():
    environment = dict(os.environ)
    environment.setdefault("REVERIE_TEST_MODELS", str(_build_cache() / "models"))
    return environment


# -- running other programs ---


def _pip(*arguments):
    command = [str(PYTHON), "-m", "pip", "--no-input", "--disable-pip-version-check"] + list(arguments)
    _logged(command, "pip could not do its part")


def _logged(command, failure, environment=None, progress=None):
    """Run *command* with its words in the log; where it fails, say why in one line."""
    CACHE.mkdir(exist_ok=True)
    words = []
    with open(str(LOG), "a", errors="replace") as log:
        log.write("\n$ %s\n" % " ".join(command))
        log.flush()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            universal_newlines=True,
            errors="replace",
        )
        try:
            for line in process.stdout:
                log.write(line)
                words.append(line)
                if progress is not None:
                    progress.line(line)
            code = process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
            if progress is not None:
                progress.end()
    if code:
        raise Failed("%s: %s" % (failure, _reason("".join(words[-400:]))))


def _reason(words):
    """Why a program failed, for people."""
    log = LOG.relative_to(ROOT)
    if "No space left on device" in words:
        return "the disk is full; make room and run it again"
    network = ("NewConnectionError", "Temporary failure in name resolution", "Failed to establish a new connection")
    network += ("Network is unreachable", "Connection refused", "ReadTimeoutError", "ConnectTimeoutError", "ProxyError")
    if any(sign in words for sign in network):
        return "the package index cannot be reached; check the network and run it again (details in %s)" % log
    errors = [
        line.strip() for line in words.splitlines() if re.match(r"\s*(ERROR|error|fatal error|CMake Error)", line)
    ]
    return "%s (details in %s)" % (errors[-1][:300] if errors else "it ended early", log)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
