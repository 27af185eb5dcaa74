"""`reverie demo`, and `chat` with a real model."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def _environ(home: Path, models_dir: Path) -> dict[str, str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    return environ | {"REVERIE_HOME": str(home), "REVERIE_MODELS_DIR": str(models_dir), "REVERIE_SERVER_PORT": "0"}


def _reverie(environ: dict[str, str], *arguments: str, words: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "daemon.cli", *arguments],
        env=environ,
        input=words if words is not None else "",
        capture_output=True,
        text=True,
        check=False,
    )


def test_demo_plays_and_leaves_nothing(tmp_path: Path, models_dir: Path):
    """The demo passes all its checks without a terminal, shows sources as `path:line`, and removes its home."""
    environ = _environ(tmp_path / "home", models_dir) | {"TMPDIR": str(tmp_path)}
    done = _reverie(environ, "demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "checks passed" in done.stdout
    assert "NOT SO" not in done.stdout
    assert "notes/Garden.md:3" in done.stdout
    assert "\033" not in done.stdout
    assert list(tmp_path.glob("reverie-demo-*")) == []


def test_demo_fails_where_a_step_fails(tmp_path: Path):
    """Without a model that can be had, the demo says what is missing and has an exit code that is not 0."""
    models = tmp_path / "models"
    models.mkdir()
    environ = _environ(tmp_path / "home", models) | {"REVERIE_MODELS_OFFLINE": "true"}
    done = _reverie(environ, "demo")
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_chat_from_words_and_stdin(tmp_path: Path, models_dir: Path):
    """A chat's words reach memory, its reply streams to stdout, and its sources and changes can be read as JSON."""
    environ = _environ(tmp_path / "home", models_dir) | {"REVERIE_MODELS_CHAT": "smollm2-135m-instruct"}
    assert _reverie(environ, "start").returncode == 0
    try:
        told = _reverie(environ, "chat", "-", "--json", words="Our team lead is Tom Vega.\n")
        assert told.returncode == 0, told.stderr
        memory = json.loads(told.stdout)["memory"]
        assert memory["changes"][0]["after"] == "Tom Vega"
        asked = _reverie(environ, "chat", "Who is our team lead?")
        assert asked.returncode == 0, asked.stderr
        assert "Tom Vega" in asked.stdout
        assert f"{memory['changes'][0]['path']}:{memory['changes'][0]['line']}" in asked.stdout
        plain = _reverie(environ, "chat", "--no-memory", "--json", "Say hello.")
        assert json.loads(plain.stdout)["memory"] is None
        assert _reverie(environ, "chat", "-", words="").returncode != 0
    finally:
        assert _reverie(environ, "stop").returncode == 0
