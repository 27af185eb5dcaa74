"""Conversations in the journal: committed at once, and lost to nothing that git does for the owner."""

import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from dulwich.repo import Repo

from memory_store.errors import HistoryBusy
from memory_store.facts import FactChange
from memory_store.journal import Exchange, Said, parse_journal
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=timezone(timedelta(hours=1)))
JOURNAL = "journal/2026/2026-11-28.md"
GIT = shutil.which("git")


@pytest.fixture(autouse=True)
def no_git_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own git configuration takes part."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def opened(home: Path, *, owned: bool = True) -> Store:
    (home / "memory").mkdir(exist_ok=True)
    return Store.open(home / "memory", home / "state", owned=owned, now=lambda: NOW)


def say(store: Store, number: int) -> None:
    store.append_journal(Exchange(f"e{number}", NOW, "m", [Said("user", f"words number {number}")]))


def git(home: Path, *arguments: str) -> str:
    names = {f"GIT_{who}_{what}": "ada@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = ["git", *arguments]
    environment = {**os.environ, **names}
    return subprocess.run(
        command, cwd=home / "memory", capture_output=True, text=True, check=True, env=environment
    ).stdout


def test_a_reset_by_the_owner_takes_no_conversation_away(tmp_path: Path) -> None:
    """A conversation is in a commit when it is acknowledged: `git reset --hard` and `git stash` leave it alone."""
    store = opened(tmp_path)
    say(store, 1)
    say(store, 2)
    assert [commit.paths for commit in store.history()] == [(JOURNAL,), (JOURNAL,)]
    assert {commit.author for commit in store.history()} == {"reverie"}
    page = store.read(JOURNAL).text
    if GIT:
        for command in (("reset", "--hard"), ("stash",), ("checkout", "--", ".")):
            git(tmp_path, *command)
            assert store.read(JOURNAL).text == page
        assert git(tmp_path, "status", "--porcelain") == ""
    store.close()


def test_an_edit_of_the_owners_beside_a_conversation_is_theirs(tmp_path: Path) -> None:
    """What they wrote into the day's page is committed as theirs before what was said next; taken out, it stays out."""
    store = opened(tmp_path)
    say(store, 1)
    file = tmp_path / "memory" / JOURNAL
    file.write_text(file.read_text().replace("words number 1", "other words"))
    say(store, 2)
    assert [commit.author for commit in store.history()] == ["reverie", "Owner", "reverie"]
    file.write_text("# 2026-11-28\n")
    store.owner_commit()
    say(store, 3)
    text = store.read(JOURNAL).text
    assert "number 3" in text and "other words" not in text and "number 2" not in text
    store.close()


@pytest.mark.parametrize("busy", ["MERGE_HEAD", "index.lock"])
def test_a_conversation_in_the_middle_of_a_checkout_is_put_back(tmp_path: Path, busy: str) -> None:
    """While git is at work no commit is made; what the page lost by then stands there again after it, committed."""
    store = opened(tmp_path)
    say(store, 1)
    before = (tmp_path / "memory" / JOURNAL).read_bytes()
    mark = tmp_path / "memory/.git" / busy
    mark.write_bytes(b"")
    say(store, 2)
    say(store, 3)
    assert len(store.history()) == 1
    (tmp_path / "memory" / JOURNAL).write_bytes(before)  # as git puts back what it knows
    store.close()
    store = opened(tmp_path)
    with pytest.raises(HistoryBusy):
        store.forget(JOURNAL, confirm=True)
    mark.unlink()
    store.owner_commit()
    text = store.read(JOURNAL).text
    assert [text.count(f"words number {number}") for number in (1, 2, 3)] == [1, 1, 1]
    assert [commit.author for commit in store.history()] == ["reverie"] * 3
    assert store.owner_commit() is None
    assert list((tmp_path / "state/conversations").iterdir()) == []
    store.close()


def test_a_conversation_that_waited_and_still_stands_is_not_put_twice(tmp_path: Path) -> None:
    """Where the page kept it, it is only committed."""
    store = opened(tmp_path)
    say(store, 1)
    mark = tmp_path / "memory/.git/MERGE_HEAD"
    mark.write_bytes(b"")
    say(store, 2)
    mark.unlink()
    store.write([FactChange("facts/Me.md", "hobby", "set", after="chess")], "Remember chess")
    assert store.read(JOURNAL).text.count("words number 2") == 1
    assert [commit.message.partition("\n")[0] for commit in store.history()] == [
        "Remember chess",
        "Keep a conversation",
        "Keep a conversation",
    ]
    store.close()


def test_in_the_owners_repository_a_conversation_is_in_our_history_at_once(tmp_path: Path) -> None:
    """There git may take it from the disk, as it is theirs; our ref holds it: an undo of the loss brings it back."""
    (tmp_path / "memory").mkdir()
    Repo.init(str(tmp_path / "memory"), default_branch=b"main").close()
    store = opened(tmp_path, owned=False)
    say(store, 1)
    file = tmp_path / "memory/reverie" / JOURNAL
    page = file.read_bytes()
    (tmp_path / "memory/reverie/facts").mkdir()
    (tmp_path / "memory/reverie/facts/Me.md").write_text("- [hobby] chess\n")
    file.unlink()  # as `git clean -fd` or `git stash -u` does
    lost = store.owner_commit()
    assert lost is not None
    store.undo(lost)
    assert file.read_bytes() == page
    store.close()


def test_pain_26_the_hour_that_comes_twice_is_told_apart(tmp_path: Path) -> None:
    """pain 26: what is said in the hour that daylight saving repeats stands in order, each with the offset it had."""
    zone = ZoneInfo("Europe/Berlin")
    moments = [datetime(2026, 10, 25, 0, 30, tzinfo=UTC) + timedelta(hours=hours) for hours in (0, 1)]
    (tmp_path / "memory").mkdir()
    store = Store.open(tmp_path / "memory", tmp_path / "state", owned=True, now=lambda: moments[0].astimezone(zone))
    for number, moment in enumerate(moments):
        when = moment.astimezone(zone)
        assert when.hour == 2
        store.append_journal(Exchange(f"e{number}", when, "m", [Said("user", f"words {number}")]))
    page = store.page("journal/2026/2026-10-25.md")
    turns = parse_journal(page)
    assert [turn.when for turn in turns] == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]
    assert [datetime.fromisoformat(turn.when) for turn in turns] == moments
    store.close()
