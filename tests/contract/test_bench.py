"""`reverie models bench` and `reverie bench memory`: a model's speeds, and what memory makes of it."""

import json
import re
import subprocess
import sys
from typing import Any

import msgspec
import pytest

from daemon import wire
from daemon.cli import main
from daemon.cli.bench import show
from daemon.client import DaemonError

Home = Any


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
    done = subprocess.run(command, env=running.environ, capture_output=True, text=True, timeout=100, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()][-2:] == ["tiny", "tiny-embed"]
    found = subprocess.run([*command, "tiny", "--json"], env=running.environ, capture_output=True, check=True)
    assert json.loads(found.stdout)[0]["model"] == "tiny"


@pytest.fixture(scope="module")
def played(running: Home) -> tuple[wire.MemoryBenchReport, str]:
    """What `reverie bench memory --json` says of one episode: the report, and what it told meanwhile."""
    command = [sys.executable, "-m", "daemon.cli", "bench", "memory", "--episodes", "1", "--seed", "4", "--json"]
    done = subprocess.run(command, env=running.environ, capture_output=True, text=True, timeout=100, check=True)
    return msgspec.json.decode(done.stdout, type=wire.MemoryBenchReport), done.stderr


def test_memory_is_measured_by_facts_alone_and_with_the_model(
    running: Home, played: tuple[wire.MemoryBenchReport, str]
) -> None:
    """Steps are counted; each task says how many were right both ways; the owner's memory has no part in it."""
    report, told = played
    counted = [(int(done), int(total)) for done, total in re.findall(r" \((\d+) of (\d+)\) …$", told, re.MULTILINE)]
    total = counted[0][1]
    assert counted == [(1, total), (total // 2 + 1, total)]
    assert {words for words in ("facts alone", "with tiny") if f", {words} (" in told} == {"facts alone", "with tiny"}
    assert sum(task.questions for task in report.tasks) == 8
    assert all(0 <= task.facts <= task.questions and 0 <= task.model <= task.questions for task in report.tasks)
    assert sum(task.facts for task in report.tasks) >= 4
    assert report.trust == running.client.model("tiny").trust
    assert running.client.facts() == []
    assert running.client.pages() == []
    assert not [event for event in running.client.history() if event.author == "reverie"]


def test_a_bench_of_memory_wants_a_chat_model_and_a_few_episodes(running: Home) -> None:
    """A model of another kind, one that nobody has, or no episode at all is refused before anything is played."""
    for name, episodes, words in (("tiny-embed", 1, "embed"), ("nobody", 1, "nobody"), ("tiny", 0, "episodes is 0")):
        with pytest.raises(DaemonError, match=words):
            list(running.client.bench_memory(name, episodes=episodes))


def test_the_command_prints_each_task(
    played: tuple[wire.MemoryBenchReport, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A row a task, the sum, and the time of an answer; --help has an example."""
    show(played[0], as_json=False)
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 8
    assert rows[0].split("  ")[0] == "a text, word for word"
    assert " of 8" in rows[-2]
    with pytest.raises(SystemExit):
        main(["bench", "memory", "--help"])
    assert "reverie bench memory" in capsys.readouterr().out
