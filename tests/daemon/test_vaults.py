"""A vault that was moved away, or left for another, is missed."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon.errors import Exit, VaultUnusable
from daemon.vaults import VAULTS_FILE, KnownVaults
from memory_store.facts import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

Home = Any  # of tests/conftest.py, which is no package
DAY = dt.date(2026, 11, 30)
FACTS = b"# Us\n\n- [team lead] Mina Olsen\n- [framework] Svelte\n- [guest wifi password] (forgotten 2026-11-28)\n"


def ledger_of(data: bytes) -> Ledger:
    return Ledger.build([read_facts("facts/Us.md", parse(data))])


def vault_with(folder: Path, data: bytes) -> Path:
    (folder / "facts").mkdir(parents=True)
    (folder / "facts" / "Us.md").write_bytes(data)
    return folder


def test_a_vault_that_held_pages_is_missed(tmp_path: Path) -> None:
    """A vault that held pages and is gone is an error that names both ways on; one that never held any is not."""
    vault = tmp_path / "my memory"
    known = KnownVaults(tmp_path / "state" / "vaults.json")
    known.must_be_there(vault)
    known.enter(vault, owned=True, today=DAY)
    known.must_be_there(vault)
    known.count(12)
    with pytest.raises(VaultUnusable, match="it held 12 pages and is not there now") as raised:
        KnownVaults(tmp_path / "state" / "vaults.json").must_be_there(vault)
    assert f"mkdir '{vault}'" in str(raised.value)
    vault.mkdir()
    known.must_be_there(vault)


def test_facts_left_in_another_vault_are_counted(tmp_path: Path) -> None:
    """Facts of vaults used before that the one in use lacks are counted with their folder, until they are there too."""
    known = KnownVaults(tmp_path / "vaults.json")
    old, new = vault_with(tmp_path / "old", FACTS), tmp_path / "new"
    known.enter(old, owned=True, today=DAY)
    assert known.left_behind(ledger_of(b"")) == []
    known.enter(new, owned=False, today=DAY)
    left = known.left_behind(ledger_of(b"- [framework] Svelte\n"))
    assert [(each.folder, each.count) for each in left] == [(old / "facts", 1)]
    assert str(left[0]) == f"1 fact was left in {old / 'facts'}, where memory was kept before"
    assert known.left_behind(ledger_of(FACTS)) == []
    known.enter(old, owned=True, today=DAY)
    assert known.left_behind(ledger_of(FACTS)) == []


def test_a_vault_inside_another_is_not_left_behind(tmp_path: Path) -> None:
    """Where the new vault holds the old one, or is the same by another name, its pages are no loss."""
    known = KnownVaults(tmp_path / "vaults.json")
    known.enter(vault_with(tmp_path / "notes" / "memory", FACTS), owned=True, today=DAY)
    known.enter(tmp_path / "notes", owned=False, today=DAY)
    assert known.left_behind(ledger_of(b"")) == []


def test_a_change_is_news_for_a_week(tmp_path: Path) -> None:
    """The vault in use is new for seven days from the day on which it came into use, restarts included."""
    known = KnownVaults(tmp_path / "vaults.json")
    known.enter(tmp_path / "notes", owned=False, today=DAY)
    known.enter(tmp_path / "notes", owned=False, today=DAY + dt.timedelta(days=5))
    assert known.is_new(DAY + dt.timedelta(days=6))
    assert not known.is_new(DAY + dt.timedelta(days=7))


@pytest.mark.parametrize("data", [b"", b"[", b'[{"path": 3}]'])
def test_a_damaged_record_is_none(tmp_path: Path, data: bytes) -> None:
    """What cannot be read of the record counts as nothing known."""
    (tmp_path / "vaults.json").write_bytes(data)
    known = KnownVaults(tmp_path / "vaults.json")
    known.must_be_there(tmp_path / "memory")
    assert known.left_behind(ledger_of(b"")) == []
    assert not known.is_new(DAY)


@pytest.mark.timeout(60)
def test_the_daemon_makes_no_empty_vault_in_place_of_a_known_one(home: Home) -> None:
    """Started after its vault was moved away the daemon ends with a line that says so, and makes no folder there."""
    home.start()
    vault_with(home.paths.vault, FACTS)
    home.client.reindex()
    assert home.stop()[0] == Exit.OK
    home.paths.vault.rename(home.folder / "elsewhere")
    home.start(ready=False)
    code, said = home.ended()
    assert code == Exit.DISK
    assert f"the vault {home.paths.vault} cannot be used: it held 1 page and is not there now" in said
    assert not home.paths.vault.exists()
    (home.folder / "elsewhere").rename(home.paths.vault)
    home.start()
    assert home.client.status().index.pages == 1


@pytest.mark.timeout(60)
def test_a_change_of_the_vault_names_what_stays_behind(new_home: Callable[[], Home]) -> None:
    """After vault.path names another folder, status and doctor say how many facts were left, and where."""
    home = new_home()
    vault_with(home.paths.vault, FACTS)
    home.start()
    assert home.stop()[0] == Exit.OK
    notes = home.folder / "notes"
    notes.mkdir()
    home.configure(f'[vault]\npath = "{notes}"\n')
    home.start()
    words = f"2 facts were left in {home.paths.vault}/facts, where memory was kept before"
    assert words in home.client.status().problems
    found = next(finding for finding in home.client.doctor() if finding.message == words)
    assert (found.severity, found.hint) == (
        "note",
        f"copy its pages into {notes}/reverie/facts, or set vault.path back",
    )
    assert (home.paths.state_dir / VAULTS_FILE).exists()
