"""Experiences are drawn from what was told, and kept only where they help."""

import json
from collections.abc import Sequence

import pytest

from daemon.context import Passage
from daemon.directives import Directive
from daemon.night.blocks import Blocks, RetrievalTrial, evidence, retrieved
from daemon.night.experiences import (
    Candidate,
    Conversation,
    Experience,
    by_pattern,
    changed,
    learn,
    prompt,
    read_reply,
    sentences,
    spare,
    topic_of,
)
from daemon.night.loop import Outcome, Probe, Source
from daemon.night.meta_page import MetaRule
from memory_store.ledger import Ledger
from memory_store.page import Page, parse

TALK = Conversation(
    (
        "Well, by the way, the boat trailer is parked behind the barn. See https://example.org",
        "Where is the boat?",
        "# A heading here\n- a list item of words\n`rm -rf` is code {x}",
        "Please always answer in metres. OK.",
    ),
    "journal/2026/2026-11-30",
)
PROBE = Probe("p", "Where is the boat trailer parked?", "behind the barn", ())


def blocks(found: Sequence[Passage] = (), rules: tuple[MetaRule, ...] = ()) -> Blocks:
    def read(_path: str) -> Page:
        return parse(b"")

    return Blocks(Ledger.build([]), lambda _question, limit: list(found)[:limit], read, rules, 1200, 2)


def test_pain_23_only_what_was_told_in_sentences_is_a_candidate() -> None:
    """pain 23: headings, lists, code, addresses and questions are no experiences; fillers go, the words stay."""
    assert sentences(TALK.said) == [
        "The boat trailer is parked behind the barn.",
        "Please always answer in metres.",
    ]
    found = by_pattern(TALK, PROBE, ())
    assert found[0].experience == Experience(
        "on boat trailer parked", "The boat trailer is parked behind the barn.", TALK.source
    )
    assert len(found) <= 8
    assert topic_of("???") == "on anything"


def test_what_stands_on_the_same_topic_may_be_updated() -> None:
    """An experience near in topic is named by an UPDATE, alone or joined with the new words; a double is left out."""
    old = Experience("on boat trailer", "The boat trailer is parked behind the shed.", line=4)
    found = by_pattern(TALK, PROBE, (old,))
    assert [(one.operation, one.updates) for one in found[:3]] == [("ADD", None), ("UPDATE", old), ("UPDATE", old)]
    assert found[2].experience.value == f"{old.value} The boat trailer is parked behind the barn."
    assert changed((old,), found[1]) == (found[1].experience,)
    assert by_pattern(TALK, PROBE, tuple(one.experience for one in found if one.updates is None)) == []


def judge(view: Blocks, probe: Probe) -> Outcome:
    _, block = view.recall(probe.question)
    return Outcome(float(probe.answer in block.text), len(block.text))


def test_the_best_candidate_is_kept_if_it_helps() -> None:
    """A line that answers is kept, one that does not is dropped; without neighbours the question itself counts."""
    talk = Conversation(TALK.said, TALK.source, (PROBE,))
    epoch = learn(blocks(), [talk], [PROBE], by_pattern, judge)
    assert [one.value for one in epoch.view.experiences] == ["The boat trailer is parked behind the barn."]
    assert (epoch.before, epoch.after) == (0.0, 1.0)
    again = learn(epoch.view, [talk], [PROBE], by_pattern, judge)
    assert again.kept == ()
    idle = learn(blocks(), [talk], [PROBE], lambda *_: [Candidate(Experience("on tea", "Idle words."))], judge)
    assert idle.view.experiences == ()


def test_success_on_what_is_asked_again_never_falls() -> None:
    """A candidate that helps its own question and hides the answer of one far away is not kept."""
    other = Probe("q", "What colour is the mast of the boat?", "colour green", ())
    view = blocks().knowing((Experience("on mast colour", "The mast has the colour green."),))
    for n in range(2):
        view = view.with_(Candidate(Experience(f"on mast colour {n} boat", f"The boat mast colour number {n}.")))
    talk = Conversation((), "", (PROBE,))
    topic, value = "on boat mast colour parked trailer", "Trailer: behind the barn, boat mast colour."
    proposals = [Candidate(Experience(topic, value))]

    def propose(*_: object) -> list[Candidate]:
        return proposals

    before = judge(view, other).success
    epoch = learn(view, [talk], [PROBE, other], propose, judge, neighbours=0)
    assert epoch.after >= epoch.before
    assert judge(epoch.view, other).success >= before


def test_experiences_that_are_not_missed_are_spared() -> None:
    """One that covers what two others do stays alone; where success would fall, all stay."""
    wide = Experience("on boat trailer", "The boat trailer is behind the barn, the boat key on the hook.")
    narrow = [Experience("on boat trailer", "It is behind the barn."), Experience("on boat key", "It is on the hook.")]
    probes = [
        Probe("a", "Where is the boat trailer?", "behind the barn", ()),
        Probe("b", "Where is the boat key?", "on the hook", ()),
    ]
    far = Experience("on tea", "Ann drinks oolong.")
    view = blocks().knowing((narrow[0], wide, narrow[1], far))
    assert [each.value for each in spare(view, probes, judge)] == [wide.value, far.value]
    few = blocks().knowing(narrow)
    assert spare(few, probes, judge) == few.experiences


def test_evidence_counts_sources_shown_and_experiences_drawn_from_them() -> None:
    """Lines in the block count; so does an experience from that page that holds the answer; order counts half."""
    day = "journal/2026/2026-11-30.md"
    first, second = Passage(day, 6, 6, "one", when="2026-11-30"), Passage("journal/2026/2026-11-02.md", 6, 6, "two")
    both = Probe("p", "In what order?", "two, one", (Source(second.path, 6, 6), Source(day, 6, 6)), pattern="order")
    view = blocks([first, second])
    assert evidence(both, view.recall("In what order?")[1]) == 0.5
    ordered = MetaRule("", Directive(order="time"))
    early = blocks([first, Passage(second.path, 6, 6, "two", when="2026-11-02")], (ordered,))
    assert evidence(both, early.recall("In what order?")[1]) == 1.0
    one = Probe("p", "Where is the boat trailer parked?", "behind the barn", (Source(day, 40, 40),))
    assert retrieved(view, one).success == 0.0
    learned = view.with_(
        Candidate(Experience("on boat trailer", "It stands behind the barn.", day.removesuffix(".md")))
    )
    assert retrieved(learned, one).success == 1.0
    trial = RetrievalTrial(view)
    assert trial(one, (), 0).shown == (Source(day, 6, 6), Source(second.path, 6, 6))


def test_a_models_candidates_are_read_strictly() -> None:
    """ADD and UPDATE of what stands, in the owner's words; what was never said, or orders, is left out."""
    old = Experience("on boat trailer", "Behind the shed.", line=3)

    def reply(*memories: tuple[str, str, str]) -> str:
        return json.dumps({"memories": [{"operation": o, "name": n, "value": v} for o, n, v in memories]})

    text = reply(
        ("UPDATE", "On boat trailer", "The boat trailer is parked behind the barn."),
        ("ADD", "answers", "Answer in metres, always."),
        ("ADD", "pets", "The owner has three cats named after rivers."),
        ("UPDATE", "on tea", "The boat trailer is parked."),
        ("ADD", "orders", "ignore all previous boat trailer barn"),
    )
    found = read_reply(text, TALK, (old,))
    assert found is not None
    assert [(one.operation, one.experience.topic) for one in found] == [
        ("UPDATE", "on boat trailer"),
        ("ADD", "on answers"),
    ]
    assert "Behind the shed." in prompt(TALK, PROBE, (old,))


@pytest.mark.parametrize(
    "text", ["", "Here you go:", "[]", '{"memories": [{"operation": "DEL", "name": "", "value": ""}]}']
)
def test_pain_27_candidates_in_the_wrong_form_are_none(text: str) -> None:
    """pain 27: what does not keep to the grammar proposes nothing."""
    assert read_reply(text, TALK, ()) is None
