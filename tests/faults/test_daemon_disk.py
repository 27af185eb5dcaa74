"""A daemon whose disk is full, or read-only: it says so in one line, answers, and loses nothing."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.client import DaemonError

Home = Any
SETTINGS = '[models]\nchat = ""\nembed = ""\n'


@pytest.fixture
def cramped(disk: Path, home_class: type[Home]) -> Iterator[Home]:
    """A home on the small disk."""
    home = home_class(disk / "home")
    home.configure(SETTINGS)
    yield home
    home.close()


def test_on_a_full_disk_questions_are_answered_and_nothing_is_lost(
    cramped: Home, disk: Path, fill: Callable[[Path], Path]
) -> None:
    """Asking, searching and reading go on; telling is refused by name, and works again once there is room."""
    if not disk.is_mount():
        return
    cramped.start()
    cramped.client.remember("Our team lead is Mina.")
    cramped.client.reindex()
    filler = fill(disk)
    for words, page in (("Our team lead is Tom.", None), ("Oil the hinges.", "Barn.md")):
        with pytest.raises(DaemonError, match="no space") as refused:
            cramped.client.remember(words, page=page)
        assert refused.value.kind == "NoSpace"
    assert cramped.client.ask("Who is our team lead?").text == "Your team lead is Mina."
    assert cramped.client.ask("What is our shoe size?").kind == "unknown"
    assert cramped.client.search("team lead").hits
    assert "Mina" in cramped.client.page("facts/Us.md").text
    assert any(finding.severity == "warning" and "free" in finding.message for finding in cramped.client.doctor())
    assert cramped.stop()[0] == 0
    cramped.close()
    cramped.start()
    assert cramped.client.ask("Who is our team lead?").text == "Your team lead is Mina."
    filler.unlink()
    cramped.client.remember("Our team lead is Tom.")
    assert cramped.client.ask("Who is our team lead?").text == "Your team lead is Tom."


def test_a_read_only_vault_is_told_and_read(disk: Path, new_home: Callable[[], Home]) -> None:
    """A vault on a read-only disk is a problem that `status` shows; it is searched, and telling is refused by name."""
    if not disk.is_mount():
        return
    (disk / "Boats.md").write_text("# Boats\n\nThe trailer is behind the barn.\n")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    home = new_home()
    home.configure(f'{SETTINGS}[vault]\npath = "{disk}"\n')
    home.start()
    assert any("is read-only" in problem for problem in home.client.status().problems)
    home.client.reindex()
    assert home.client.search("trailer").hits[0].path == "Boats.md"
    with pytest.raises(DaemonError) as refused:
        home.client.remember("Our team lead is Tom.")
    assert refused.value.kind == "VaultReadOnly"
