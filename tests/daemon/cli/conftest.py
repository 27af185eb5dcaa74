"""A home with a running daemon, and the command line on it, as its owner has them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from daemon.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Reverie = Callable[..., Result]


@pytest.fixture(scope="session")
def running_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home on which a daemon runs, without models, shared by the tests of a session."""
    home = tmp_path_factory.mktemp("running") / "home"
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    environ |= {"REVERIE_HOME": str(home), "REVERIE_SERVER_PORT": "0", "REVERIE_NIGHT_QUIET_HOURS": "00:00-24:00"}

    def call(command: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "daemon.cli", command], env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    call("start")
    yield home
    call("stop")


def _at(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reverie:
    for name in [name for name in os.environ if name.startswith("REVERIE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("REVERIE_HOME", str(home))

    def run(*arguments: str) -> Result:
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def reverie(running_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reverie:
    """The command, on the home with a daemon."""
    return _at(running_home, monkeypatch, capsys)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reverie:
    """The command, on a fresh home where no daemon runs."""
    return _at(tmp_path / "home", monkeypatch, capsys)
