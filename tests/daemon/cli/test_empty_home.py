"""What the commands say on a home where nothing is yet: a vault of 0 pages, no models, no dreams."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def fresh(alone, monkeypatch: pytest.MonkeyPatch):
    """The command, on a home whose daemon has just begun."""
    monkeypatch.setenv("REVERIE_SERVER_PORT", "0")
    assert alone("start").code == 0
    yield alone
    alone("stop")


def test_lists_that_are_empty_say_so(fresh, tmp_path: Path):
    """With a vault of 0 pages every list says on stderr that it is empty, prints nothing, and is `[]` as JSON."""
    lists = {
        ("memory", "ls"): "no pages yet",
        ("memory", "ls", "facts/"): "facts/",
        ("memory", "history"): "nothing was changed yet",
        ("night", "log"): "no dream has run yet",
        ("proposals",): "no change of ours waits",
        ("proposals", "ls"): "no change of ours waits",
    }
    for command, words in lists.items():
        done = fresh(*command)
        assert (done.code, done.out) == (0, ""), command
        assert words in done.err, command
        assert json.loads(fresh(*command, "--json").out) == [], command
    assert "nothing hangs on anything" in fresh("graph").err
    assert fresh("search", "anything").out + fresh("search", "anything").err != ""
    assert json.loads(fresh("search", "anything", "--json").out)["hits"] == []
    assert "not installed" in fresh("models", "ls").out
    assert "learned from 0 failures" in fresh("night", "policy").out
    assert fresh("night", "ranking").out
    assert "0 pages" in fresh("status").out
    assert "memory knows nothing as [team lead]" in fresh("recall", "team lead", "--past").err
    assert "there is no change left to undo" in fresh("undo").err
    assert "Nothing in memory answers that." in fresh("ask", "who leads the team?").out
    assert list((tmp_path / "home" / "memory").glob("**/*.md")) == []
