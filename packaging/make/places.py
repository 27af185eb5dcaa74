"""Where set-up keeps what it makes, and what it says while it works."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CACHE = ROOT / ".cache"
LOG = CACHE / "setup.log"
STAMP = VENV / "reverie-setup.json"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


class Failed(Exception):
    """A step cannot go on. The text is one line: what is wrong and what to do."""


def say(step, text):
    """Tell what happens now."""
    print("[%s] %s" % (step, text), flush=True)


def build_cache():
    """What clones of this repository on this machine share: the engine's wheel and the tests' model files."""
    named = os.environ.get("REVERIE_BUILD_CACHE")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reverie-build"
