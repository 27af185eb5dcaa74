"""Decay as a job of its own: what is shown again and again, and never needed, steps back."""

from datetime import timedelta
from typing import Any

import pytest

from daemon.events import Events
from daemon.night.decay import SHOWN_IN_VAIN
from daemon.night.job import Dreaming
from daemon.night.record import RunRecord
from daemon.night.repairs import Weigh

House = Any
ASKED = "what do you do about dinner on such lake trips with the boat?"
IN_VAIN = "Oh no! And what do you do"


def search(house: House, words: str = ASKED, times: int = SHOWN_IN_VAIN) -> list[Any]:
    """As somebody who looks and opens nothing."""
    hits = house.store.search(words, limit=3)
    for _ in range(times):
        house.night.reading.searched(words, hits)
    return list(hits)


def weights(house: House) -> dict[int, float]:
    """What weighs less than 1."""
    return dict(house.night.state.tuning().weights)


@pytest.fixture
def tired(house: House) -> House:
    """A house in which a question of a talk was shown again and again."""
    assert IN_VAIN in search(house)[0].text
    return house


def test_what_was_shown_in_vain_steps_back_is_told_and_undone(tired: House) -> None:
    """It ranks below its answer afterwards, is on record and in dreams/ with its scores, and undo takes it back."""
    assert tired.night.fade.due()
    before = tired.files()
    run = tired.night.fade.run("Asked for")
    assert isinstance(run, RunRecord)
    assert (run.kind, run.repairs[0].op, run.repairs[0].state) == ("decay", "decay", "kept")
    assert run.after > run.before
    assert set(weights(tired).values()) == {tired.settings.gamma}
    assert IN_VAIN not in tired.store.search(ASKED, limit=3)[0].text
    after = tired.files()
    assert all(after[path] == data for path, data in before.items())
    page = after[run.log].decode()
    assert f"{run.id}.1 noisy: decay" in page
    assert f"reverie night undo {run.id}" in page
    assert tired.night.runs.latest()[0].id == run.id
    tired.night.undo(run.id)
    assert weights(tired) == {}
    assert IN_VAIN in tired.store.search(ASKED, limit=3)[0].text
    assert isinstance(tired.night.fade.run("Asked for"), str)  # it was refused: the same is not done again
    assert weights(tired) == {}


def test_what_somebody_used_or_a_fact_says_does_not_decay(tired: House) -> None:
    """A hit that was opened is relevant, however often it was shown before; facts are never lowered."""
    search(tired, "who is the employer")
    hits = search(tired, times=1)
    tired.night.uses.opened(hits[0].path, hits[0].start_line)
    run = tired.night.fade.run("Asked for")
    lowered = run.repairs[0].actions if isinstance(run, RunRecord) else []
    corpus = tired.store.corpus()
    told = {one.key: one for one in corpus.passages.values()}
    assert all(IN_VAIN not in told[action.key].text for action in lowered)
    assert all(told[action.key].kind != "fact" for action in lowered)


def test_what_is_in_nobodys_way_stays(house: House) -> None:
    """A note that was shown in vain and outranks no answer keeps its weight, and no page tells of it."""
    search(house, "the pear tree by the gate")
    before = house.files()
    assert house.night.fade.run("Asked for") == "what was shown in vain is in nobody's way"
    assert (weights(house), house.files(), house.night.runs.latest()) == ({}, before, [])


@pytest.mark.parametrize("dream_first", [True, False])
def test_nothing_decays_twice_in_a_night(tired: House, *, dream_first: bool) -> None:
    """Whether the dream or the decay comes first: one step a night for each passage, and the next night one more."""
    steps = [lambda: tired.night.dream("Asked for"), lambda: tired.night.fade.run("Asked for")]
    for step in steps if dream_first else reversed(steps):
        step()
    first = weights(tired)
    assert first
    assert set(first.values()) == {tired.settings.gamma}
    made = [action for run in tired.night.runs.latest() for repair in run.repairs for action in repair.actions]
    keys = [action.key for action in made if isinstance(action, Weigh) and action.weight < 1]
    assert len(keys) == len(set(keys))


def test_it_is_due_once_a_day_and_only_where_something_was_shown_in_vain(house: House) -> None:
    """Nothing shown, nothing due; looked at, it waits a day, through restarts and whatever the clock does."""
    assert house.night.fade.due() is None
    assert house.night.fade.run("Asked for") == "nothing was shown in vain"
    house.clock.now += timedelta(hours=25)
    search(house, times=SHOWN_IN_VAIN - 1)
    assert house.night.fade.due() is None
    search(house, times=1)
    house.night.close()
    house.set(most_share=0.0)
    assert house.new_night().fade.due()
    house.night.fade.run("Asked for")
    assert house.new_night().fade.due() is None
    house.clock.now += timedelta(hours=25)
    assert house.new_night().fade.due()
    house.clock.now += timedelta(days=900)
    house.night.fade.run("Asked for")
    house.clock.now -= timedelta(days=900)
    assert house.new_night().fade.due() is None
    house.clock.now += timedelta(hours=25)
    assert house.new_night().fade.due()


def test_it_waits_for_consent_and_for_a_chat(tired: House) -> None:
    """With `approve = "ask"` nothing is lowered before the owner agrees; a chat ends it, and it is due as before."""
    assert tired.night.fade.run("Asked for", pause=lambda: "a chat came") == "a chat came"
    assert tired.night.fade.due()
    assert tired.night.runs.latest() == []
    tired.set(approve="ask")
    run = tired.night.fade.run("Asked for")
    assert isinstance(run, RunRecord)
    assert weights(tired) == {}
    tired.night.approve(run.id)
    assert weights(tired)


def test_it_touches_no_more_pages_than_a_night_may(tired: House) -> None:
    """With a share of nothing it lowers nothing."""
    tired.set(most_share=0.0)
    assert tired.night.fade.run("Asked for") == "nothing may be lowered"


async def test_as_a_job_it_says_what_came_of_it_and_keeps_to_the_budget(tired: House) -> None:
    """Due it runs and is told as an event; with the night's minutes used up it says so, and is due later."""
    events = Events()
    job = Dreaming(tired.night, events, is_open=lambda: True, answers=lambda: False)
    tired.set(budget_s=60.0)
    tired.night.budget.spend(100.0)
    assert "used up" in str(await job.decay())
    tired.clock.now += timedelta(days=1)
    said = await job.decay()
    assert said is not None
    assert said.startswith("decay 2026-12-01-1: ")
    assert await job.decay() is None
    job.asked.add("decay")
    assert await job.decay() is not None
