"""What a night may touch at most, whatever would help."""

from typing import Any

import pytest

from daemon.night.bounds import Bounds, Caps
from daemon.night.decay import lower
from daemon.night.graph import Graph, build
from daemon.night.loop import Source
from daemon.night.repairs import Repair, Weigh, Write
from daemon.night.state import Access
from memory_store.tuning import Tuning

House = Any


@pytest.fixture
def graph(house: House) -> Graph:
    """Four pages: facts, a note, two conversations."""
    return build(house.store.corpus(), tuning=Tuning(), access=Access(), today=house.clock.now.date())


def lowering(graph: Graph, *words: str) -> Repair:
    """A repair that lowers the passages that hold *words*."""
    rows = [row for row, node in graph.nodes.items() if any(word in node.passage.text for word in words)]
    return Repair("decay", tuple(lower(graph, rows, Tuning(), Bounds())))


TURNS = ("red sail", "Hi! What kind", "perch")
OTHERS = ("Kettunen", "press ferns")


def test_the_share_counts_pages_however_many_of_their_passages_are_lowered(graph: Graph) -> None:
    """Three passages of one page are one page; of four pages a half are two, and a third page is too much."""
    caps = Caps(graph, share=0.5, lines=0)
    talk, other, note = lowering(graph, *TURNS), lowering(graph, *OTHERS), lowering(graph, "pear tree")
    assert len(talk.actions) == 3
    assert len(caps.touched([talk])) == 1
    assert caps.fits([talk, other])
    assert not caps.fits([talk, other, note])
    assert Caps(graph, share=0.75, lines=0).fits([talk, other, note])


def test_what_the_night_did_before_counts_too(graph: Graph) -> None:
    """A page that an earlier run of the night touched is touched; it may be touched again, another may not."""
    caps = Caps(graph, share=0.25, lines=0, before=[lowering(graph, "red sail")])
    assert caps.fits([lowering(graph, *TURNS)])
    assert not caps.fits([lowering(graph, "Kettunen")])


def test_a_share_that_is_less_than_a_page_is_one_page_and_none_is_none(graph: Graph) -> None:
    """So that a vault of one page can be dreamt of at all; with a share of 0 nothing is touched."""
    assert Caps(graph, share=0.01, lines=0).fits([lowering(graph, *TURNS)])
    assert not Caps(graph, share=0.01, lines=0).fits([lowering(graph, "red sail", "Kettunen")])
    assert not Caps(graph, share=0.0, lines=0).fits([lowering(graph, "red sail")])


def test_a_written_line_touches_its_page_and_a_weight_that_comes_back_none(graph: Graph) -> None:
    """Lines have a cap of their own beside; what takes an earlier decay back is never held up."""
    line = Write("facts/Work.md", "boat", "a small wooden dinghy", "x", Source("x.md", 1, 1))
    written = Repair("extract", (line,))
    assert Caps(graph, share=0.25, lines=1).touched([written]) == {"facts/Work.md"}
    assert not Caps(graph, share=0.25, lines=0).fits([written])
    assert not Caps(graph, share=0.25, lines=1).fits([written, lowering(graph, "Kettunen")])
    back = Repair("extract", (Weigh(lowering(graph, "Kettunen").actions[0].key, 1.0),))
    assert Caps(graph, share=0.0, lines=0).fits([back])


def test_a_repair_of_a_whole_kind_is_cut_to_the_pages_that_need_it_most(graph: Graph) -> None:
    """It keeps to what there is room for; what lowers nothing stays; pages that were touched already cost nothing."""
    caps = Caps(graph, share=0.25, lines=0)
    talk, other = lowering(graph, *TURNS), lowering(graph, *OTHERS)
    both = Repair("decay", (*talk.actions, *other.actions))
    (path,) = caps.touched([other])
    assert caps.cut(both, [], {path: 2.0}).actions == other.actions
    assert caps.cut(both, [talk], {path: 2.0}).actions == talk.actions


def test_a_passage_sinks_one_step_a_night(graph: Graph) -> None:
    """What weighs less than when the night looked, or was lowered by an earlier run of it, is not lowered again."""
    (row,) = (row for row, node in graph.nodes.items() if "Kettunen" in node.passage.text)
    key = graph.nodes[row].passage.key
    (once,) = lower(graph, [row], Tuning(), Bounds())
    assert (once.key, once.weight) == (key, 0.2)
    assert lower(graph, [row], Tuning({key: 0.2}), Bounds()) == []
    assert lower(graph, [row], Tuning(), Bounds(spared=frozenset([key]))) == []
