"""Model files, shared by the clones of this repository on this machine."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

from make import places
from make.places import Failed


def folder():
    words = subprocess.run(
        [str(places.VENV / "bin" / "reverie"), "config", "path", "--json"], stdout=subprocess.PIPE, check=False
    )
    if words.returncode:
        raise Failed("the configuration is wrong; the line above names it")
    return Path(json.loads(words.stdout.decode())["models"])


def starters_here():
    words = subprocess.run(
        [str(places.VENV / "bin" / "reverie"), "models", "ls", "--json"], stdout=subprocess.PIPE, check=False
    )
    if words.returncode:
        return False
    installed = {model["kind"] for model in json.loads(words.stdout.decode()) if model["installed"]}
    return {"chat", "embed"} <= installed


def seed(folder):
    """Take what another clone has fetched before. The pull verifies whatever it finds."""
    copy_models(places.build_cache() / "models", folder)


def keep(folder):
    """Let other clones take what was fetched here."""
    names = [path.name for path in (places.build_cache() / "models").glob("*/model.toml")]
    if not names:
        copy_models(folder, places.build_cache() / "models", only=("smollm2-135m-instruct", "all-minilm-l6-v2"))


def copy_models(source, target, only=None):
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
