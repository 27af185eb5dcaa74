"""The Python that reverie runs on, and the environment `.venv` made with it."""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys

from make import engine, places, programs
from make.places import Failed, say

OLDEST, NEWEST = (3, 11), (3, 14)
REEXECUTED = "REVERIE_BOOTSTRAP_REEXECUTED"


def use_suitable_python():
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
        os.execv(found, [found, os.path.abspath(sys.argv[0])] + sys.argv[1:])
    except OSError:
        raise Failed("REVERIE_PYTHON names %s, which cannot be run" % found) from None


def wait_for(lock):
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        say("setup", "another set-up runs here; waiting for it")
        fcntl.flock(lock, fcntl.LOCK_EX)


def wanted(dev):
    """The state that the environment should have."""
    words = (places.ROOT / "pyproject.toml").read_bytes() + places.CONSTRAINTS.read_bytes()
    return {
        "root": str(places.ROOT),
        "python": "%d.%d" % sys.version_info[:2],
        "requirements": hashlib.sha256(words).hexdigest(),
        "engine": engine.key(),
        "dev": dev,
    }


def stamp():
    try:
        found = json.loads(places.STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return found if alive() else {}


def alive():
    """Whether the environment's Python runs: its base may have been removed."""
    try:
        return (
            subprocess.call(
                [str(places.PYTHON), "-c", "import pip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            == 0
        )
    except OSError:
        return False


def make_environment():
    say("environment", ".venv, with Python %s" % platform.python_version())
    missing = subprocess.call(
        [sys.executable, "-c", "import venv, ensurepip"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if missing:
        raise Failed(
            "this Python lacks the venv module; install it (Debian, Ubuntu: apt install python%d.%d-venv)"
            % sys.version_info[:2]
        )
    if places.VENV.exists():
        shutil.rmtree(str(places.VENV))
    programs.logged([sys.executable, "-m", "venv", str(places.VENV)], "the environment could not be made")
