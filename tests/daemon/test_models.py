"""Models over HTTP: listed, shown, loaded, checked, removed, pulled."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon import wire
from daemon.client import DaemonError
from daemon.trust import most_capable
from models.catalog import Catalog

Home = Any


def test_installed_models_come_first_then_the_known_ones(running: Home) -> None:
    """The listing tells what is here, what it is for, and what could be fetched."""
    models = {model.name: model for model in running.client.models()}
    assert (models["tiny"].installed, models["tiny"].kind, models["tiny-embed"].kind) == (True, "chat", "embed")
    assert not models["smollm2-135m-instruct"].installed
    assert models["smollm2-135m-instruct"].size_bytes > 0
    assert running.client.model("tiny").name == "tiny"
    assert not running.client.model("all-minilm-l6-v2").installed
    with pytest.raises(DaemonError, match="tiny") as caught:
        running.client.model("tinny")
    assert (caught.value.kind, caught.value.status) == ("ModelUnknown", 404)


def test_load_and_unload_are_seen_in_the_status(running: Home) -> None:
    """A loaded model has a worker with a process, and none after it was unloaded; each is an event."""
    assert running.client.load("tiny").loaded
    worker = next(worker for worker in running.client.status().workers if worker.model == "tiny")
    assert worker.state == "ready"
    assert worker.rss_bytes > 0
    assert 'reverie_worker_rss_bytes{model="tiny"}' in running.client.metrics()
    assert not running.client.unload("tiny").loaded
    assert not running.client.unload("tiny").loaded
    assert all(worker.model != "tiny" for worker in running.client.status().workers)


def test_a_model_whose_files_were_deleted_while_it_ran_can_be_unloaded(running: Home) -> None:
    """Its worker ends and its memory is free, though what the owner deleted is not there to be told of any more."""
    running.add_fake_model("brief")
    running.client.load("brief")
    shutil.rmtree(running.paths.models_dir / "brief")
    with pytest.raises(DaemonError, match="brief"):
        running.client.unload("brief")
    assert all(worker.model != "brief" for worker in running.client.status().workers)


def test_a_check_reports_each_test_and_decides_trust(running: Home) -> None:
    """Results come one by one, then the report; a model that only echoes is not trusted to read; doctor says so."""
    before = [finding for finding in running.client.doctor() if finding.subject == "model tiny"]
    assert "never checked" in before[0].message
    with running.client.check("tiny") as stream:
        lines = list(stream)
    results = [line for line in lines if isinstance(line, wire.CheckResult)]
    report = lines[-1]
    assert isinstance(report, wire.CheckReport)
    assert report.results == results
    assert len(results) > 15
    assert "read" not in report.trust
    assert running.client.model("tiny").trust == report.trust
    after = [finding for finding in running.client.doctor() if finding.subject == "model tiny"]
    assert "never checked" not in after[0].message


def test_a_pull_that_fails_says_why_and_changes_nothing(running: Home, tmp_path: Path) -> None:
    """A file that is no model is refused with the reason, as the last line of the stream."""
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"<html>not found</html>" * 100)
    with pytest.raises(DaemonError, match=r"bad\.gguf"), running.client.pull(str(bad)) as stream:
        list(stream)
    assert "bad" not in {model.name for model in running.client.models() if model.installed}


def test_a_removed_model_is_gone(new_home: Callable[[], Home]) -> None:
    """Removing a model ends its worker and deletes its files."""
    home = new_home()
    home.add_fake_model()
    home.start()
    home.client.load("tiny")
    home.client.remove_model("tiny")
    assert not (home.paths.models_dir / "tiny").exists()
    assert not home.client.status().workers
    with pytest.raises(DaemonError):
        home.client.remove_model("tiny")


def test_the_default_chat_model_is_the_most_trusted_then_one_that_chats(tmp_path: Path) -> None:
    """A base model of the catalog comes after instructed ones, and trust by a check comes before both."""
    catalog = Catalog(tmp_path)
    for name in ("gemma3-270m", "smollm2-135m-instruct"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.gguf").write_bytes(b"GGUF")
        (tmp_path / name / "model.toml").write_text(f"name = '{name}'\nkind = 'chat'\nsha256 = '{'0' * 64}'\n")
    chosen = most_capable(catalog.installed(), lambda name: None)
    assert chosen is not None
    assert chosen.name == "smollm2-135m-instruct"
    trusted = most_capable(catalog.installed(), lambda name: frozenset({"read"} if "gemma" in name else ()))
    assert trusted is not None
    assert trusted.name == "gemma3-270m"
    assert most_capable((), lambda name: None) is None
