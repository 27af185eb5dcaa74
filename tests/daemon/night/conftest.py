"""A vault with a past to dream of, and a night over it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from daemon.config import Night as Settings
from daemon.config import load
from daemon.night.night import Night
from daemon.night.state import NightState
from daemon.paths import Paths
from memory_store.journal import Exchange, Said
from memory_store.store import Store

TALK = [
    ("assistant", "Hi! What kind of boat did you finally buy for the lake trips?"),
    ("user", "A small wooden dinghy with a red sail, second hand, from a carpenter in Malmö."),
    ("assistant", "Lovely! Did the lake trips with the boat go well, any trouble with the boat on the lake?"),
    ("user", "Only once: the rudder broke, so we paddled home with two planks."),
    ("assistant", "Oh no! And what do you do about dinner on such lake trips with the boat?"),
    ("user", "We fry perch over a gas stove and eat it with dark rye bread."),
    ("assistant", "That sounds great, I must come along on a boat trip to the lake!"),
    ("user", "Do! My cousin Ilse joins us in August, she brings her accordion."),
]
MORE = [
    ("assistant", "How is your new job treating you, do you like the job and the people at the job?"),
    ("user", "The archive is calm; I catalogue maps of the Baltic coast from 1740 on."),
    ("assistant", "Nice. What is the hardest part of the new job for you these days?"),
    ("user", "Reading the handwriting of a surveyor named Kettunen, who wrote with a feather."),
    ("assistant", "And do you still find time for your hobby besides the new job?"),
    ("user", "I press ferns on Sundays, twelve species so far, all from the ravine."),
]


class Clock:
    """A clock that stands still until it is set; *seconds* counts up by *step* at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
        self.seconds = 0.0
        self.step = 0.0

    def __call__(self) -> datetime:
        return self.now

    def tick(self) -> float:
        self.seconds += self.step
        return self.seconds


@dataclass
class House:
    """A store, a night over it, and what it told."""

    root: Path
    store: Store
    clock: Clock
    settings: Settings
    told: list[tuple[str, str]] = field(default_factory=list)
    night: Night = field(init=False)

    def __post_init__(self) -> None:
        self.night = self.new_night()

    def new_night(self) -> Night:
        """A night as after a restart."""
        return Night(
            lambda: self.store,
            NightState(self.root / "state" / "night"),
            lambda: self.settings,
            now=self.clock,
            clock=self.clock.tick,
            publish=lambda kind, message, *_args, **_data: self.told.append((kind, message)),
        )

    def set(self, **changes: Any) -> None:
        """Change settings."""
        self.settings = replace(self.settings, **changes)

    def say(self, turns: list[tuple[str, str]], *, days_ago: int, entry: str) -> None:
        """Keep a conversation."""
        when = self.clock.now - timedelta(days=days_ago)
        self.store.append_journal(Exchange(entry, when, "none", [Said(*turn) for turn in turns], session=entry))
        self.store.sync()

    def files(self) -> dict[str, bytes]:
        """Every page by its path."""
        vault = self.root / "vault"
        return {str(path.relative_to(vault)): path.read_bytes() for path in vault.rglob("*.md")}


@pytest.fixture
def empty_house(tmp_path: Path) -> House:
    """A vault without a page."""
    (tmp_path / "vault").mkdir()
    clock = Clock()
    store = Store.open(tmp_path / "vault", tmp_path / "state", owned=True, now=clock)
    store.sync()
    settings = load(Paths.find({"REVERIE_HOME": str(tmp_path / "none")}), {}).night
    return House(tmp_path, store, clock, settings)


@pytest.fixture
def talk() -> list[tuple[str, str]]:
    """A talk between two people, each turn a speaker and words."""
    return TALK


@pytest.fixture
def house(empty_house: House) -> House:
    """A vault with two conversations, a page of facts and a note."""
    vault = empty_house.root / "vault"
    (vault / "facts").mkdir()
    (vault / "facts" / "Work.md").write_text(
        "# Work\n\n- [employer] Baltic Archive (since 2026-11-02)\n- [desk] by the north window\n\n"
        "## Past\n- [employer] Harbour Office (2025-01-10 to 2026-11-02)\n"
    )
    (vault / "Garden.md").write_text("# Garden\n\nThe pear tree by the gate is a Conference, see [[Work]].\n")
    empty_house.say(TALK, days_ago=2, entry="s1")
    empty_house.say(MORE, days_ago=40, entry="s2")
    return empty_house


@pytest.fixture
def make_note() -> Callable[[House, str, str], None]:
    """Writes a page as the owner would."""

    def write(house: House, path: str, text: str) -> None:
        file = house.root / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        house.store.sync()

    return write
