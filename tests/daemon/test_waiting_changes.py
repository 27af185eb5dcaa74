"""Changes that cannot be made at once, since the owner edits the same lines, are told wherever they come up."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from daemon import config
from daemon.assembly import model_settings
from daemon.embedding import Embedders
from daemon.events import Events
from daemon.memory import Memory
from daemon.metrics import Metrics
from daemon.paths import Paths
from memory_store.facts import FactChange
from memory_store.files import Vault
from models.catalog import Catalog
from models.supervisor import Supervisor

WORK = "# Work\n\n- [team lead] Tom Vega\n"


class Desk:
    """An open memory without models, its events, and a page that its owner may save while something is written."""

    def __init__(self, memory: Memory, events: Events, file: Path) -> None:
        self.memory = memory
        self.events = events
        self.file = file

    def told(self) -> list[str]:
        return [event.kind for event in self.events.recent()]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    paths = Paths.find({"REVERIE_HOME": str(tmp_path)})
    settings = config.load(paths, {})
    events, metrics = Events(), Metrics()
    catalog = Catalog(tmp_path / "models")
    supervisor = Supervisor(catalog, model_settings(settings, paths), lambda _event: None)
    memory = Memory(
        paths.vault,
        paths.state_dir,
        owned=True,
        settings=lambda: settings,
        events=events,
        metrics=metrics,
        embedders=Embedders(catalog, supervisor, tmp_path / "embedders.json", metrics),
    )
    file = paths.vault / "facts/Work.md"
    file.parent.mkdir(parents=True)
    file.write_text(WORK)
    async with AsyncExitStack() as stack:
        await memory.open(stack)
        yield Desk(memory, events, file)


def saving(file: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the owner save *text* at the moment when it is decided what to write."""
    real = Vault.replace
    saves = [text]

    def replace(vault: Vault, path: str, data: bytes, expected: str | None, *, may_shrink: bool = False) -> str:
        if saves:
            file.write_text(saves.pop())
        return real(vault, path, data, expected, may_shrink=may_shrink)

    monkeypatch.setattr(Vault, "replace", replace)


async def test_pain_08_a_change_that_waits_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: a change that is parked says so in its reply and as an event, and is not said to be made."""
    saving(desk.file, WORK.replace("Tom Vega", "Zoe Quist"), monkeypatch)
    lead = FactChange("facts/Work.md", "team lead", "set", after="Mina Olsen")
    done = desk.memory.write([lead], "Remember", None)
    assert (done.changes, done.commit) == ([], None)
    assert done.notice is not None
    assert done.notice.startswith("facts/Work.md: edited on the same lines meanwhile")
    assert desk.told().count("proposal_parked") == 1
    assert "facts_changed" not in desk.told()


async def test_pain_08_an_undo_that_waits_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: an undo that is parked says so in its reply and as an event, and is not said to be done."""
    lead = FactChange("facts/Work.md", "team lead", "set", after="Mina Olsen")
    changed = desk.memory.write([lead], "Remember", None)
    saving(desk.file, desk.file.read_text().replace("Mina Olsen", "Zoe Quist"), monkeypatch)
    undone = await desk.memory.undo(changed.commit)
    assert undone.paths == []
    assert undone.notice is not None
    assert "our version waits: `reverie proposals`" in undone.notice
    assert desk.told().count("proposal_parked") == 1
    assert "undone" not in desk.told()


async def test_an_undo_is_told(desk: Desk) -> None:
    """Every undo that is made is an event with the id of what was undone, and of its own commit."""
    lead = FactChange("facts/Work.md", "team lead", "set", after="Mina Olsen")
    changed = desk.memory.write([lead], "Remember", None)
    undone = await desk.memory.undo(changed.commit)
    again = await desk.memory.undo(undone.id)
    told = [event.data for event in desk.events.recent() if event.kind == "undone"]
    assert told == [
        {"undone": changed.commit, "commit": undone.id},
        {"undone": undone.id, "commit": again.id},
    ]
