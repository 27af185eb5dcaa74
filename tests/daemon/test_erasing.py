"""Forgetting for good beside all else: what whoever asked for it hears, and what is left to the next start."""

import threading
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daemon import speech
from daemon.erasing import Erasing
from daemon.events import Events
from daemon.metrics import Metrics
from daemon.outcomes import Outcomes
from memory_store.index.vault_index import Index
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=UTC)


def made(home: Path) -> tuple[Store, Callable[[], Erasing]]:
    """A store of a vault with a secret, and what erases in it."""
    facts = home / "memory/facts"
    facts.mkdir(parents=True, exist_ok=True)
    (facts / "Home.md").write_text("- [alarm code] heron-42\n- [gate code] osprey-7\n")
    store = Store.open(home / "memory", home / "state", owned=True, now=lambda: NOW)
    store.sync()
    outcomes = Outcomes(Events(), Metrics(), lambda _: None)
    return store, lambda: Erasing(lambda: store, outcomes, nullcontext)


async def test_who_does_not_wait_hears_that_pages_are_clean_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rest not done in time the answer is None, in words that say so; it is done all the same."""
    store, erasing = made(tmp_path)
    free, done = threading.Event(), threading.Event()
    real = Index.compact

    def compact(self: Index) -> None:
        assert free.wait(60)
        real(self)
        done.set()

    monkeypatch.setattr(Index, "compact", compact)
    async with AsyncExitStack() as stack:
        at_work = erasing()
        at_work.open(stack)
        assert await at_work.begin(["alarm code"], 0) is None
        assert "heron-42" not in store.read("facts/Home.md").text
        assert not done.is_set()
        free.set()
    assert done.is_set()
    assert list((tmp_path / "state/forgetting").glob("*.json")) == []
    said = speech.erasing(["alarm code"])
    assert "alarm code" in said and "goes on" in said and "everywhere" not in said
    store.close()


async def test_several_are_forgotten_and_what_went_is_told(tmp_path: Path) -> None:
    """Done in time, each comes with its places; what has nothing to forget with none."""
    store, erasing = made(tmp_path)
    gone = await erasing().begin(["alarm code", "shoe size", "gate code"], 60)
    assert gone is not None
    assert [forgotten.done for forgotten in gone] == [True, False, True]
    assert gone[0].places[-2:] == ["history", "index"]
    store.close()


async def test_what_was_begun_before_one_that_fails_is_brought_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the second of two cannot be forgotten now, that is raised, and the first is gone all the same."""
    store, erasing = made(tmp_path)
    real = Store.begin_to_forget

    def begin(self: Store, what: str) -> object:
        if what == "gate code":
            raise OSError(5, "Input/output error")
        return real(self, what)

    monkeypatch.setattr(Store, "begin_to_forget", begin)
    async with AsyncExitStack() as stack:
        at_work = erasing()
        at_work.open(stack)
        with pytest.raises(OSError, match="Input"):
            await at_work.begin(["alarm code", "gate code"], 60)
    assert list((tmp_path / "state/forgetting").glob("*.json")) == []
    assert "heron-42" not in store.read("facts/Home.md").text
    store.close()
