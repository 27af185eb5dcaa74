"""Questions and conversations while the owner's git checks out one branch after the other."""

import os
import shutil
import subprocess
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from dulwich.repo import Repo

from memory_store.journal import Exchange, Said
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=UTC)
GIT = shutil.which("git")
JOURNAL = "journal/2026/2026-11-28.md"
ROUNDS = 6


@pytest.fixture(autouse=True)
def no_git_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own git configuration takes part."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(vault: Path, *arguments: str) -> int:
    done = subprocess.run(["git", *arguments], cwd=vault, capture_output=True, check=False, env=os.environ)
    return done.returncode


def test_answers_are_of_one_branch_and_no_conversation_is_lost(tmp_path: Path) -> None:
    """What is found and known while branches change is what one of them says; what was told is on a branch, whole."""
    vault = tmp_path / "memory"
    (vault / "facts").mkdir(parents=True)
    store = Store.open(vault, tmp_path / "state", owned=True, now=lambda: NOW)
    says = {}
    for branch, value in (("main", "Mina"), ("side", "Tom")):
        if branch == "side" and git(vault, "checkout", "-b", "side"):
            return  # there is no git here
        (vault / "facts/Work.md").write_text(f"- [team lead] {value}\n")
        for number in range(20):
            (vault / f"note{number}.md").write_text(f"# Note {number}\n\nquokka {value} {number}\n")
        says[branch] = {f"quokka {value} {number}" for number in range(20)}
        store.owner_commit()
    store.sync()
    over = threading.Event()
    found: list[str] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            while not over.is_set():
                found.extend(hit.text for hit in store.search("quokka", limit=20))
                found.extend(f"lead {fact.value}" for fact in store.ledger.current("team lead"))
        except BaseException as error:  # told by the thread that waits
            failed.append(error)
            raise

    def talk() -> None:
        try:
            for number in range(ROUNDS):
                store.append_journal(Exchange(f"e{number}", NOW, "m", [Said("user", f"told {number}.")]))
        except BaseException as error:
            failed.append(error)
            raise

    asker, talker = threading.Thread(target=ask), threading.Thread(target=talk)
    asker.start()
    talker.start()
    for number in range(ROUNDS):
        git(vault, "checkout", "--quiet", ("main", "side")[number % 2])
        store.sync()
    talker.join()
    store.sync()
    over.set()
    asker.join()
    store.owner_commit()
    assert failed == []
    assert set(found) - {"lead Mina", "lead Tom"} <= says["main"] | says["side"]
    with Repo(str(vault)) as repo:
        pages = [(vault / JOURNAL).read_text()] if (vault / JOURNAL).exists() else []
        for ref, sha in repo.refs.as_dict().items():
            if ref.startswith(b"refs/heads/"):
                pages.append(_page(repo, sha))
    for number in range(ROUNDS):
        assert any(page.count(f"told {number}.") == 1 for page in pages), number
    assert all(page.count(f"told {number}.") <= 1 for page in pages for number in range(ROUNDS))
    store.close()


def _page(repo: Repo, commit: bytes) -> str:
    try:
        _, sha = repo.object_store[repo[commit].tree].lookup_path(repo.object_store.__getitem__, JOURNAL.encode())
    except KeyError:
        return ""
    return repo.object_store[sha].data.decode()
