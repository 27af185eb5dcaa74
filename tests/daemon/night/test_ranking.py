"""What use teaches the ranking: what is kept of it, when it is believed, and how it is taken back."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from daemon.night import ranking
from daemon.night.loop import Probe, Source
from daemon.night.record import RunRecord
from daemon.night.state import NightState
from daemon.night.uses import MOST, OPENED_WITHIN_S, Uses
from memory_store.search import fused_weights

House = Any
_WORDS = """
    anchor barrel candle dynamo easel ferret gasket hammock inkwell jigsaw kettle lantern mandolin napkin orchid
    pulley quiver rucksack saddle trowel umbrella varnish whistle xylophone yardstick zither bellows compass
"""
THINGS = _WORDS.split()


@pytest.fixture
def shed(house: House) -> House:
    """A vault where every thing stands on a page that names it once, and in a list that names it as often as it can."""
    for number, thing in enumerate(THINGS):
        note = f"# Shelf {number}\n\nThe {thing} lies on this shelf behind the green box and was oiled in the spring.\n"
        (house.root / "vault" / f"Shelf {number}.md").write_text(note)
        talk = [("Ann", f"The {thing}, the {thing}!"), ("Bob", "So it is, I never saw it there before.")]
        house.say(talk, days_ago=60 + number, entry=f"t{number}")
    house.store.sync()
    return house


def search(house: House, words: str) -> list[Any]:
    """As somebody who looks."""
    hits = house.store.search(words, limit=20)
    house.night.reading.searched(words, hits)
    return list(hits)


def ask_and_open(house: House, *, right: Callable[[str], bool]) -> float:
    """Ask for every thing and open the first hit that is *right*; the mean reciprocal rank of these."""
    ranks = []
    for thing in THINGS:
        hits = search(house, f"where is the {thing}")
        rank = next(n for n, hit in enumerate(hits, start=1) if right(hit.path) and thing in hit.text)
        house.night.uses.opened(hits[rank - 1].path, hits[rank - 1].start_line)
        house.clock.now += timedelta(seconds=1)
        ranks.append(rank)
    return float(np.mean([1 / rank for rank in ranks]))


def in_talks(path: str) -> bool:
    """Whether it is a page of conversations."""
    return path.startswith("journal/")


def test_what_is_opened_moves_the_ranking_until_it_is_undone(shed: House) -> None:
    """Who always opens what ranked below finds it higher after the night; undone, all ranks as it was shipped."""
    before = ask_and_open(shed, right=in_talks)
    shipped = [hit.start_line for hit in search(shed, "where is the anchor")]
    assert shed.night.ranking.due() == f"{len(THINGS)} hits were used"
    run = shed.night.ranking.learn("Asked for")
    assert isinstance(run, RunRecord)
    assert run.after > run.before
    assert shed.night.ranking.due() is None
    assert ask_and_open(shed, right=in_talks) > before
    page = (shed.root / "vault" / "dreams" / "2026-11-30.md").read_text()
    assert "kinds of evidence weighed anew" in page
    assert f"reverie night undo {run.id}" in page
    again = shed.new_night()
    again.open()
    assert again.state.tuning().shifts
    again.undo(run.id)
    assert not again.state.tuning().shifts
    assert [hit.start_line for hit in search(shed, "where is the anchor")] == shipped


def test_the_ranking_gives_way_to_a_chat(shed: House) -> None:
    """It looks all the time whether somebody is waited for; what a chat ends changes nothing, and is due again."""
    ask_and_open(shed, right=in_talks)
    looks: list[int] = []

    def pause() -> str | None:
        looks.append(1)
        return "a chat came" if len(looks) > 200 else None

    assert shed.night.ranking.learn("Asked for", pause=pause) == "a chat came"
    assert not shed.night.state.tuning().shifts
    assert shed.night.runs.latest() == []
    assert shed.night.ranking.due()


def test_what_is_learned_waits_for_consent_where_that_is_asked(shed: House) -> None:
    """With `approve = "ask"` nothing ranks otherwise before the owner agrees."""
    shed.set(approve="ask")
    ask_and_open(shed, right=in_talks)
    run = shed.night.ranking.learn("Asked for")
    assert isinstance(run, RunRecord)
    assert not shed.night.state.tuning().shifts
    assert shed.night.runs.waiting() == 1
    shed.night.approve(run.id)
    assert shed.night.state.tuning().shifts


def test_the_ranking_is_reset_and_can_be_switched_off(shed: House) -> None:
    """A reset forgets weights and uses; switched off nothing is kept, and what was learned before is gone."""
    ask_and_open(shed, right=in_talks)
    shed.night.ranking.learn("Asked for")
    shed.night.ranking.reset()
    assert not shed.night.state.tuning().shifts
    assert not shed.night.uses.all()
    ask_and_open(shed, right=in_talks)
    shed.night.ranking.learn("Asked for")
    assert shed.night.state.tuning().shifts
    shed.set(learn_from_use=False)
    shed.new_night().open()
    assert not shed.night.state.tuning().shifts
    ask_and_open(shed, right=in_talks)
    assert not shed.night.uses.all()
    assert shed.night.ranking.due() is None


def test_nothing_is_learned_from_few_uses_or_from_chance(shed: House) -> None:
    """Too few uses teach nothing, nor do such as agree with one another in nothing: what ships stays."""
    for thing in THINGS[:5]:
        hits = search(shed, f"where is the {thing}")
        shed.night.uses.opened(hits[1].path, hits[1].start_line)
    assert "uses to learn from" in str(shed.night.ranking.learn("Asked for"))
    for number, thing in enumerate(THINGS):
        hits = search(shed, f"where is the {thing}")
        shed.night.uses.opened(hits[number % 2].path, hits[number % 2].start_line)
    assert isinstance(shed.night.ranking.learn("Asked for"), str)
    assert not shed.night.state.tuning().shifts


def test_the_ranking_is_never_worse_on_what_was_found_before(shed: House) -> None:
    """What helps uses and harms questions made from memory is not proposed; where it stands it is taken back."""
    corpus = shed.store.corpus()
    notes = {row: one for row, one in corpus.passages.items() if one.path.startswith("Shelf")}
    uses, probes = [], []
    for thing in THINGS:
        talk = next(one for one in corpus.passages.values() if in_talks(one.path) and f"The {thing}" in one.text)
        note = next(one for one in notes.values() if thing in one.text)
        uses.append((f"where is the {thing}", frozenset({talk.key})))
        place = Source(note.path, note.start_line, note.end_line)
        probes.append(Probe(thing, f"where is the {thing}", thing, (place,)))
    free = ranking.propose(corpus, uses, [], {}, now=shed.clock)
    assert free.shifts
    held = ranking.propose(corpus, uses, probes, {}, now=shed.clock)
    assert held.shifts is None
    assert "worse" in held.why
    back = ranking.propose(corpus, uses, probes, free.shifts, now=shed.clock)
    assert back.shifts == {}
    assert all(action.by == 0 for action in ranking.actions(back, free.shifts))


def test_the_fixed_questions_have_answers_and_leave_room(house: House) -> None:
    """The set that comes with reverie can be answered by words alone, mostly, and not perfectly: it shows both ways."""
    corpus = house.store.corpus()
    cases = ranking.fixed(corpus, house.clock)
    weights = np.array(list(fused_weights({}, with_vectors=False).values()), np.float32)
    found = ranking.measured(cases, weights)
    assert len(cases) > 30
    assert 0.6 < found.mrr < 0.95
    assert ranking.Found(found.mrr - 0.01, found.first).worse_than(found)
    assert not found.worse_than(found)


# -- what is kept ---


def uses_of(house: House, *, clock: Callable[[], float] = lambda: 0.0) -> Uses:
    """Uses over a state folder of their own."""
    return Uses(NightState(house.root / "uses"), now=house.clock, clock=clock)


def test_an_opened_page_counts_for_the_search_that_just_showed_it(house: House) -> None:
    """The passage at the line, else the best on the page; not long after, nor for pages that no search showed."""
    at = [0.0]
    uses = uses_of(house, clock=lambda: at[0])
    hits = house.store.search("boat lake trips", limit=10)
    uses.shown("boat lake trips", hits)
    uses.opened("Garden.md")
    assert not uses.all()
    below = next(hit for hit in hits[1:] if hit.path == hits[0].path)
    uses.opened(below.path, below.start_line)
    uses.opened(hits[0].path)
    assert [use.right for use in uses.all()] == [[below.key], [hits[0].key]]
    at[0] = OPENED_WITHIN_S + 1
    uses.opened(below.path, below.start_line)
    assert len(uses.all()) == 2


def test_a_reply_counts_for_the_passage_whose_words_it_says(house: House) -> None:
    """Of all that a model read, what it used; what was wrong, as the owner says, counts no more."""
    uses = uses_of(house)
    asked = "what boat did you buy for the lake trips"
    hits = house.store.search(asked, limit=10)
    uses.shown(asked, hits)
    places = [Source(hit.path, hit.start_line, hit.end_line) for hit in hits]
    uses.cited(asked, places, "It was a second hand wooden dinghy, from a carpenter in Malmö.")
    assert [use.right for use in uses.all()] == [[next(hit.key for hit in hits if "dinghy" in hit.text)]]
    uses.cited(asked, places, "I cannot tell.")
    assert len(uses.all()) == 1
    uses.refuted(asked)
    assert not uses.all()
    uses.cited(asked, places[:1], confirmed=True)
    assert [use.how for use in uses.all()] == ["confirmed"]


def test_uses_are_bounded_and_forgotten(house: House) -> None:
    """The latest are kept; to forget takes out questions that hold the words, and passages that are gone."""
    uses = uses_of(house)
    hits = house.store.search("boat lake trips", limit=5)
    for number in range(MOST + 20):
        uses.shown(f"boat lake trips {number}", hits)
        uses.opened(hits[number % 5].path, hits[number % 5].start_line)
    assert len(uses.all()) == MOST
    assert uses.all()[-1].question.endswith(str(MOST + 19))
    gone = hits[0].key
    uses.forget(["trips 519"], lambda keys: set(keys) - {gone})
    assert all(use.question != "boat lake trips 519" and gone not in use.right for use in uses.all())
    assert 0 < len(uses.all()) < MOST


def test_what_is_forgotten_leaves_no_use(house: House, tmp_path: Path) -> None:
    """After `forget` neither the words nor the passage that held them is among the uses."""
    hits = house.store.search("pear tree", limit=5)
    house.night.reading.searched("pear tree", hits)
    house.night.uses.opened("Garden.md")
    assert len(house.night.uses.all()) == 1
    (tmp_path / "vault" / "Garden.md").write_text("# Garden\n\nNothing grows.\n")
    house.store.sync()
    house.night.scrub(["a gooseberry"], house.store.says)
    assert not house.night.uses.all()
