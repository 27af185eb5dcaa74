"""`reverie proposals`: changes that met an edit of the owner's."""

import json
from pathlib import Path

import msgspec
import pytest

from daemon.errors import Exit
from memory_store.writer import Proposal

BASE = b"# Shed\n\n- [padlock colour] red\n- [bench] oak\n"
OURS = BASE.replace(b"red", b"green")
NOW = BASE.replace(b"red", b"blue").replace(b"oak", b"pine")


@pytest.fixture
def parked(reverie, running_home: Path):
    """The command, and a page whose line the owner set to blue while green was being written."""
    status = json.loads(reverie("status", "--json").out)
    page = Path(status["vault"]) / "facts/Shed.md"
    page.parent.mkdir(exist_ok=True)
    page.write_bytes(NOW)
    folder = next(path for path in running_home.rglob("state") if path.is_dir())
    proposals = folder / "proposals"
    proposals.mkdir(exist_ok=True)
    waiting = Proposal(
        "20261128T140211-3fa9c1", "2026-11-28T14:02:11+01:00", "facts/Shed.md", "The padlock is green.", BASE, OURS
    )
    (proposals / f"{waiting.id}.json").write_bytes(msgspec.json.encode(waiting))
    return reverie, page, waiting.id


def test_proposals_are_listed_shown_and_applied(parked):
    """A parked change is listed and shown as a diff; applied, it takes its line and leaves the owner's others."""
    reverie, page, id_ = parked
    assert f"{id_}  2026-11-28T14:02  facts/Shed.md  The padlock is green." in reverie("proposals", "ls").out
    assert any(id_ in (found.get("hint") or "") for found in json.loads(reverie("doctor", "--json").out))
    shown = reverie("proposals", "show", id_[:17]).out
    assert "-- [padlock colour] red\n+- [padlock colour] green" in shown
    done = reverie("proposals", "apply", id_)
    assert done.code == 0, done.err
    assert "[padlock colour] blue -> green" in done.out
    assert page.read_bytes() == NOW.replace(b"blue", b"green")
    assert reverie("proposals", "ls").out == ""
    assert reverie("proposals", "show", id_).code == Exit.NOT_FOUND


def test_a_proposal_is_dropped(parked):
    """Dropped, it is gone, and the page is as the owner left it."""
    reverie, page, id_ = parked
    assert reverie("proposals", "drop", "x").code == Exit.NOT_FOUND
    assert reverie("proposals", "drop", id_).code == 0
    assert json.loads(reverie("proposals", "ls", "--json").out) == []
    assert page.read_bytes() == NOW


def test_proposals_alone_lists_them(reverie):
    """`reverie proposals` does what `reverie proposals ls` does."""
    assert reverie("proposals") == reverie("proposals", "ls")
