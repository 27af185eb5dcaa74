"""`reverie models bench`: speeds of a model on this machine, over HTTP and on the command line."""

import json
import subprocess
import sys
from typing import Any

import pytest

from daemon import wire
from daemon.client import DaemonError

Home = Any
pytestmark = pytest.mark.timeout(60)


def test_a_chat_model_is_measured_step_by_step(running: Home) -> None:
    """Each step is told as it begins; the report has speeds, the wait for the first token, and memory."""
    running.client.unload("tiny")
    with running.client.bench("tiny") as stream:
        *steps, report = list(stream)
    assert [step.step for step in steps] == [
        "loading",
        "reading prompts",
        "writing answers",
        "waiting for first tokens",
    ]
    assert isinstance(report, wire.BenchReport)
    assert report.prompt_tokens_per_s and report.generation_tokens_per_s and report.first_token_ms
    assert report.rss_bytes > 1_000_000
    assert report.load_s


def test_an_embedding_model_is_measured_by_texts(running: Home) -> None:
    """Its speed is in texts a second; what it does not do is not measured."""
    with running.client.bench("tiny-embed") as stream:
        report = list(stream)[-1]
    assert isinstance(report, wire.BenchReport)
    assert report.texts_per_s
    assert report.generation_tokens_per_s is None


def test_an_unknown_model_is_named(running: Home) -> None:
    """A name that nobody has is refused before anything is loaded."""
    with pytest.raises(DaemonError, match="nobody"):
        list(running.client.bench("nobody"))


def test_the_command_prints_every_installed_model(running: Home) -> None:
    """Without a name all models are measured; the table has a row each, --json the reports."""
    command = [sys.executable, "-m", "daemon.cli", "models", "bench"]
    done = subprocess.run(command, env=running.environ, capture_output=True, text=True, timeout=50, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()][-2:] == ["tiny", "tiny-embed"]
    found = subprocess.run([*command, "tiny", "--json"], env=running.environ, capture_output=True, check=True)
    assert json.loads(found.stdout)[0]["model"] == "tiny"
