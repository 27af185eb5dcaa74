"""
What `make` does: sets up `.venv` and runs things in it. `python3 packaging/bootstrap.py --help`.

Standard library only, as all of `make/` beside it, and readable by Python 3.8, so that an old one can say what is
missing. Every step is stamped once done and skipped the next time; a step that fails says one line and what to do about
it. The words of pip and of the compiler go to `.cache/setup.log`.
"""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys

from make import engine, environment, model_files, places, programs
from make.places import Failed, say

NEEDED_BYTES = 2_000_000_000


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
    os.chdir(str(places.ROOT))
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, programs.Interrupted.hear)
    try:
        return commands[arguments[0]]() or 0
    except Failed as error:
        print("\n%s: %s" % (arguments[0], error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ninterrupted; run it again: what was finished is kept", file=sys.stderr)
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
    reverie = [str(places.VENV / "bin" / "reverie")]
    if not model_files.starters_here():
        model_files.seed(model_files.folder())
        if subprocess.call(reverie + ["models", "pull", "starter"]):
            raise Failed("the starter models could not be fetched; run `make run` again: it goes on where it stopped")
    model_files.keep(model_files.folder())
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("demo", "there is no terminal here, so a short session on a temporary home")
        sys.stdout.flush()
        return subprocess.call(reverie + ["demo"])
    say("start", "the daemon (`.venv/bin/reverie stop` ends it)")
    code = subprocess.call(reverie + ["start"])
    return code or subprocess.call(reverie)


def setup(dev=False):
    """The environment with reverie in it, and, with *dev*, what the checks and tests need."""
    environment.use_suitable_python()
    if places.VENV.is_symlink():
        say("setup", ".venv is a link to another environment: it is used as it is")
        return
    places.CACHE.mkdir(exist_ok=True)
    with open(str(places.CACHE / "setup.lock"), "w") as lock:
        environment.wait_for(lock)
        wanted = environment.wanted(dev)
        have = environment.stamp()
        if all(have.get(key) == value for key, value in wanted.items() if key != "dev") and have.get("dev", -1) >= dev:
            return
        if have.get("root") != wanted["root"] or have.get("python") != wanted["python"] or not environment.alive():
            if shutil.disk_usage(str(places.ROOT)).free < NEEDED_BYTES:
                raise Failed("less than 2 GB are free here; make room and run it again")
            engine.must_be_had(wanted["engine"])
            environment.make_environment()
        engine.install(wanted["engine"], keep_open=(lock.fileno(),))
        say("install", "reverie and what it needs" + (", and the tools that check it" if dev else ""))
        programs.install(["-e", "."] + (_tools() if dev else []))
        wanted["dev"] = max(dev, have.get("dev", False))
        places.STAMP.write_text(json.dumps(wanted))


def _tools():
    """What the checks and tests need, as pyproject.toml lists it."""
    import tomllib  # since 3.11, which is there by now

    return tomllib.loads((places.ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["dev"]


def setup_dev():
    """As setup, with the tools for checks and tests."""
    setup(dev=True)


def check():
    """Lint, types, import rules, fast tests."""
    if not (places.VENV / "bin" / "ruff").exists():
        setup_dev()
    steps = (
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
        ("lint-imports",),
        ("pytest", "-m", "not slow", *_spread()),
    )
    for step in steps:
        say("check", " ".join(step))
        sys.stdout.flush()
        code = subprocess.call([str(places.PYTHON.parent / step[0])] + list(step[1:]), env=_test_environment())
        if code:
            return code
    return 0


def test():
    """Set up and run every test, the slow ones too."""
    setup_dev()
    fetch_test_models()
    say("test", "all tests; `make check` runs the fast ones alone")
    sys.stdout.flush()
    return subprocess.call([str(places.PYTHON), "-m", "pytest"] + _spread(), env=_test_environment())


def bench():
    """Every benchmark, as tables."""
    setup_dev()
    fetch_test_models()
    scripts = sorted((places.ROOT / "tests" / "benchmarks").glob("[a-z]*.py"))
    if not scripts:
        raise Failed("there are no benchmarks under tests/benchmarks")
    for script in scripts:
        say("bench", str(script.relative_to(places.ROOT)))
        sys.stdout.flush()
        code = subprocess.call([str(places.PYTHON), str(script)], env=_test_environment())
        if code:
            return code
    return 0


def fetch_test_models():
    """The model files that tests use, kept for all clones of this repository on this machine."""
    if os.environ.get("REVERIE_TEST_MODELS"):
        return
    say("models", "the starter models, for the tests")
    folder = places.build_cache() / "models"
    folder.mkdir(parents=True, exist_ok=True)
    own = dict(os.environ, REVERIE_HOME=str(places.build_cache() / "home"), REVERIE_MODELS_DIR=str(folder))
    if subprocess.call([str(places.PYTHON), "-m", "daemon.cli", "models", "pull", "starter"], env=own):
        raise Failed(
            "the model files could not be fetched; run it again, or name a folder that has them in REVERIE_TEST_MODELS"
        )


def clean():
    """Remove what was set up here: the environment, built files, caches of tools. Memory and models stay."""
    for path in (places.VENV, places.CACHE, places.ROOT / "build", places.ROOT / "dist"):
        if path.is_symlink():
            path.unlink()
        elif path.exists():
            shutil.rmtree(str(path))
            print("removed %s" % path.name)
    for pattern in ("*/__pycache__", "*/*/__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"):
        for path in places.ROOT.glob(pattern):
            shutil.rmtree(str(path), ignore_errors=True)


def _spread():
    """Tests at once, those of a module by the same worker for as long as there is work for all: they share daemons."""
    workers = os.environ.get("REVERIE_TEST_WORKERS", str(min(4, os.cpu_count() or 1)))
    return ["-n", workers, "--dist", "worksteal"]


def _test_environment():
    variables = dict(os.environ)
    variables.setdefault("REVERIE_TEST_MODELS", str(places.build_cache() / "models"))
    return variables


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
