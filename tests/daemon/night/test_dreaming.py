"""The parts of a dream, each alone: probes, diagnoses, repairs, weights, the policy."""

import random
from typing import Any

import numpy as np
import pytest

from daemon.night.bounds import Bounds
from daemon.night.cycle import Dreamer, Limits
from daemon.night.decay import decayed, restored
from daemon.night.diagnose import FAILURES, FEATURES, FIXED, diagnose
from daemon.night.graph import Graph, build
from daemon.night.loop import Probe, Source, retrieval_f1
from daemon.night.policy import KL, Kept, Policy, fixed_weights
from daemon.night.probes import doubled_probes, grounded, make_probes, rare_probes, stale_probes, weak_first
from daemon.night.propose import propose, restoring
from daemon.night.repairs import OPS, Repair, Tie, Weigh, Write, reversed_actions, tuned
from daemon.night.state import Access, NightState
from daemon.night.sweep import measured, sweeps
from daemon.night.view import MemoryView
from memory_store.facts import attribute_key
from memory_store.tuning import Tuning

House = Any


def graph_of(house: House, tuning: Tuning | None = None, access: Access | None = None) -> Graph:
    """The graph of the house now."""
    return build(
        house.store.corpus(), tuning=tuning or Tuning(), access=access or Access(), today=house.clock.now.date()
    )


def row_of(graph: Graph, words: str) -> int:
    """The passage that holds *words*."""
    return next(row for row, node in graph.nodes.items() if words in node.passage.text)


def probe_for(graph: Graph, question: str, *words: str) -> Probe:
    """A probe whose sources hold *words*."""
    places = [graph.nodes[row_of(graph, each)].passage for each in words]
    sources = tuple(Source(place.path, place.start_line, place.end_line) for place in places)
    return Probe(question, question, words[0], sources)


# -- the graph ---


def test_turns_are_recent_or_of_a_session_and_pages_are_consolidated(house: House) -> None:
    """Three tiers: turns of the last week, older turns, pages."""
    graph = graph_of(house)
    assert graph.nodes[row_of(graph, "red sail")].tier == "recent"
    assert graph.nodes[row_of(graph, "Kettunen")].tier == "session"
    assert graph.nodes[row_of(graph, "pear tree")].tier == "page"


def test_edges_are_sessions_entities_links_and_ties(house: House) -> None:
    """Neighbours in talk, shared names and rare words, wikilinks, and what earlier dreams tied."""
    graph = graph_of(house)
    boat, ferns = row_of(graph, "red sail"), row_of(graph, "press ferns")
    tied = Tuning(ties={graph.nodes[boat].passage.key: {graph.nodes[ferns].passage.key: 0.3}})
    graph = graph_of(house, tied)
    edges = set(graph.edges(boat))
    assert ("session", row_of(graph, "What kind of boat")) in edges
    assert ("tie", ferns) in edges
    garden = row_of(graph, "pear tree")
    assert ("link", row_of(graph, "[employer] Baltic Archive")) in graph.edges(garden)
    archive = row_of(graph, "The archive is calm")
    assert ("entity", row_of(graph, "[employer] Baltic Archive")) in graph.edges(archive)


# -- probes ---


def test_every_probe_is_grounded_word_for_word(house: House) -> None:
    """Each answer stands verbatim at a source, of all kinds that the vault allows; no probe comes twice."""
    graph = graph_of(house)
    probes = make_probes(graph, house.store.ledger, rng=random.Random(1), most=10**6)
    texts = {
        Source(node.passage.path, node.passage.start_line, node.passage.end_line): node.passage.text
        for node in graph.nodes.values()
    }
    assert all(grounded(probe, texts) for probe in probes)
    assert {"asked", "reply", "fact", "link", "rare"} <= {probe.pattern for probe in probes}
    assert len({probe.id for probe in probes}) == len(probes)


def test_what_a_model_said_is_no_answer(empty_house: House) -> None:
    """Replies of an assistant are evidence of nothing: no probe has them for a source."""
    turns = [
        ("user", "What is the capital of the moon, and who lives in that capital city?"),
        ("assistant", "The capital of the moon is Selenopolis, founded by Zorblax in 1802."),
        ("assistant", "Do you keep a telescope for watching the moon at night?"),
        ("user", "Yes, a brass refractor from my grandmother, on the balcony."),
    ]
    empty_house.say(turns, days_ago=1, entry="s1")
    graph = graph_of(empty_house)
    probes = make_probes(graph, empty_house.store.ledger, rng=random.Random(1), most=100)
    assert any("brass refractor" in probe.answer for probe in probes)
    assert not any("Selenopolis" in probe.answer for probe in probes)


def test_pairs_found_together_without_an_edge_are_asked_about(house: House) -> None:
    """Two passages of different sessions that searches show together, and that share a word, make a probe."""
    graph = graph_of(house)
    one, other = row_of(graph, "The archive is calm"), row_of(graph, "[employer] Baltic Archive")
    keys = sorted(graph.nodes[row].passage.key for row in (one, other))
    graph = graph_of(house, access=Access(together={f"{keys[0]}:{keys[1]}": 3}))
    made = make_probes(graph, house.store.ledger, rng=random.Random(1), most=10**6)
    together = [probe for probe in made if probe.pattern == "together"]
    assert len(together) == 1
    assert len(together[0].sources) == 2


def test_values_that_hold_no_longer_are_asked_about(house: House) -> None:
    """A fact of which a talk gives a past value is a region of its own; one whose past nobody tells is not."""

    def stale() -> list[tuple[str, str]]:
        names = [attribute_key(name) for name in house.store.ledger.attributes()]
        corpus, today = house.store.corpus(), house.clock.now.date()
        graph = build(corpus, tuning=Tuning(), access=Access(), today=today, attributes=names)
        made = make_probes(graph, house.store.ledger, rng=random.Random(1), most=10**6)
        assert len({probe.id for probe in made}) == len(made)
        return [
            (probe.question, probe.answer) for probe in stale_probes(graph, house.store.ledger, [*graph.nodes.values()])
        ]

    assert stale() == []
    house.say([("user", "My employer is the Harbour Office, you know.")], days_ago=90, entry="s3")
    assert stale() == [("What is the employer?", "Baltic Archive")]


def test_what_is_told_twice_is_asked_about_once(house: House) -> None:
    """Two passages that nearly agree make one probe, of the one that says more; without vectors nothing is known."""
    house.say([("user", "My cousin Ilse joins us in August, with her accordion.")], days_ago=70, entry="s3")
    graph = graph_of(house)
    nodes = [*graph.nodes.values()]
    assert list(doubled_probes(graph, nodes)) == []
    vectors = np.eye(1 + max(graph.nodes), dtype=np.float32)
    one, other = row_of(graph, "she brings her accordion"), row_of(graph, "with her accordion")
    vectors[other] = vectors[one]
    graph.corpus.vectors = vectors
    (probe,) = doubled_probes(graph, nodes)
    more = max((one, other), key=graph.says)
    assert probe.sources[0].path == graph.nodes[more].passage.path
    assert probe.answer in graph.nodes[more].passage.text


def test_what_nothing_leads_to_is_asked_about_among_the_first(house: House) -> None:
    """Of what stands in one passage alone, some with the fewest edges come first; the others as they were drawn."""
    graph = graph_of(house)
    rare = list(rare_probes(graph, [*graph.nodes.values()]))
    made = weak_first(graph, rare)

    def edges(probe: Probe) -> int:
        row = graph.at(probe.sources[0].path, probe.sources[0].start_line)
        return len(graph.edges(row)) if row is not None else 0

    few = sorted(map(edges, rare))[len(rare) // 4]
    weak = [probe for probe in rare if edges(probe) <= few][:8]
    assert 0 < len(weak) < len(rare)
    assert made == [*weak, *(probe for probe in rare if probe not in weak)]
    assert weak_first(graph, []) == []


# -- diagnoses and repairs ---


def test_what_asks_and_outranks_its_answer_is_noise(house: House) -> None:
    """The question of a talk ranks above the reply: noisy; decay and a tie mend it, and are measured to."""
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    probe = probe_for(graph, "what do you do about dinner on such lake trips with the boat?", "fry perch")
    found = diagnose(view, graph, house.store.ledger, probe)
    assert found is not None
    assert found.failure == "noisy"
    repairs = propose(found, graph, house.store.ledger, Tuning(), Bounds(), lambda: "decay")
    assert retrieval_f1(view.with_(repairs[0]), probe).success == 1.0
    assert retrieval_f1(view, probe).success < 1.0


def test_several_sources_of_which_some_are_missing_are_scattered(house: House) -> None:
    """A question whose answer stands in two talks, one of them not found."""
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    probe = probe_for(graph, "What is known about perch over a gas stove?", "fry perch", "press ferns")
    found = diagnose(view, graph, house.store.ledger, probe)
    assert found is not None
    assert found.failure == "scattered"


def test_a_passage_with_a_value_that_holds_no_longer_is_stale(house: House) -> None:
    """An old talk that names a past value outranks the fact: stale; the repair lowers it and recalculates."""
    told = "I do have an employer again: the Harbour Office is the employer I have."
    house.say([("user", told)], days_ago=90, entry="s3")
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    probe = probe_for(graph, "Which employer do I have?", "Baltic Archive (since")
    found = diagnose(view, graph, house.store.ledger, probe)
    assert found is not None
    assert found.failure == "stale"
    repairs = propose(found, graph, house.store.ledger, Tuning(), Bounds(), lambda: "recalculate")
    assert {type(action).__name__ for action in repairs[0].actions} == {"Weigh", "Recalculate"}
    assert retrieval_f1(view.with_(repairs[0]), probe).success == 1.0


def test_two_that_say_the_same_above_an_answer_are_redundant(house: House) -> None:
    """Nearly the same stands twice above the source: redundant; merged, one steps back and leads to the other."""
    for number, said in enumerate(("Accordion, accordion in August!", "An accordion, in August an accordion!")):
        house.say([("user", said)], days_ago=60 + number, entry=f"d{number}")
    graph = graph_of(house)
    one, other = row_of(graph, "Accordion, accordion"), row_of(graph, "An accordion, in")
    vectors = np.eye(1 + max(graph.nodes), dtype=np.float32)
    view = MemoryView(graph.corpus, Tuning())
    probe = probe_for(graph, "accordion in August", "she brings her accordion")
    graph.corpus.vectors = vectors
    apart = diagnose(view, graph, house.store.ledger, probe)
    assert apart is not None
    assert apart.failure != "redundant"
    vectors[other] = vectors[one]
    found = diagnose(view, graph, house.store.ledger, probe)
    assert found is not None
    assert found.failure == "redundant"
    assert {*found.doubles} == {tuple(row for row in found.above if row in (one, other))}
    (repair, *_) = propose(found, graph, house.store.ledger, Tuning(), Bounds(), lambda: "merge")
    tied, lowered = repair.actions
    assert isinstance(tied, Tie)
    assert isinstance(lowered, Weigh)
    keys = {graph.nodes[row].passage.key for row in (one, other)}
    assert {tied.source, tied.target} == keys
    assert (lowered.key, lowered.weight) == (tied.source, 0.2)
    assert retrieval_f1(view.with_(repair), probe).success > found.success


def test_the_fixed_mapping_names_an_operation_for_each_failure() -> None:
    """buried, scattered, redundant, noisy, stale -> extract, synthesize, merge, decay, recalculate."""
    assert [FIXED[failure] for failure in FAILURES] == list(OPS)


def test_a_lowered_passage_comes_back_when_it_is_needed(house: House) -> None:
    """A probe that needs it is always offered its weight again, whatever else is drawn, and is answered again."""
    graph = graph_of(house)
    key = graph.nodes[row_of(graph, "Kettunen")].passage.key
    low = Tuning({key: decayed(decayed(decayed(1.0)))})
    view = MemoryView(graph.corpus, low)
    probe = probe_for(graph, "the hardest handwriting in the new job", "Kettunen")
    found = diagnose(view, graph, house.store.ledger, probe)
    assert found is not None
    (back,) = restoring(found, graph, low)
    assert [(action.key, action.weight) for action in back.actions] == [(key, restored())]
    assert retrieval_f1(view.with_(back), probe).success > found.success
    assert restoring(found, graph, Tuning()) == []
    for learned in (True, False):
        dreamer = Dreamer(
            graph,
            house.store.ledger,
            Bounds(),
            Limits(rounds=1),
            random.Random(3),
            lambda _graph, _most: [probe],
            learned=learned,
            sweeps=False,
        )
        dream = dreamer.dream(view)
        assert key not in dream.view.tuning.weights
        assert dream.rounds[0].after > dream.rounds[0].before


def test_weights_sink_by_gamma_and_never_to_nothing() -> None:
    """Two steps of 0.2 make 0.04; however many steps, something is left; only gamma 0 hides."""
    assert decayed(decayed(1.0)) == pytest.approx(0.04)
    weight = 1.0
    for _ in range(50):
        weight = decayed(weight)
    assert weight > 0
    assert decayed(1.0, 0.0) == 0.0


def test_actions_undo_themselves() -> None:
    """What is taken back leaves exactly the state of before."""
    before = Tuning({1: 0.2}, {1: {2: 0.3}})
    actions = [Weigh(1, 0.04), Weigh(3, 0.2), Tie(1, 2, 0.4), Tie(5, 6, 0.2)]
    after = tuned(before, actions)
    assert after.weights == {1: 0.04, 3: 0.2}
    assert tuned(after, list(reversed_actions(before, actions))) == before


def test_an_overlay_line_is_found_and_cites_its_source(house: House) -> None:
    """A line that is written nowhere is retrieved among the passages, and counts as its source by its words."""
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    probe = probe_for(graph, "voyage provisions supper afloat", "fry perch")
    assert retrieval_f1(view, probe).success < 1.0
    write = Write(
        "facts/Recalled.md", "voyage provisions supper afloat", "We fry perch over a gas stove", "x", probe.sources[0]
    )
    better = view.with_(Repair("extract", (write,)))
    assert retrieval_f1(better, probe).success == 1.0
    assert "Recalled" not in str(house.files())


def test_an_overlay_line_is_not_found_by_words_it_does_not_hold(house: House) -> None:
    """Without vectors a line needs a word of the question, as a written one does: it is no answer to all that fails."""
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    write = Write("facts/Recalled.md", "voyage provisions", "We fry perch", "x", Source("Garden.md", 1, 1))
    better = view.with_(Repair("extract", (write,)))
    assert [found.cites for found in better.retrieve("supper afloat", 5)] == []
    assert [found.cites for found in better.retrieve("which provisions", 5)] == [(write.cites,)]


def test_a_sweep_spares_what_a_probe_needs(house: House) -> None:
    """A repair of all passages that ask leaves alone the one that a probe has for its source."""
    graph = graph_of(house)
    view = MemoryView(graph.corpus, Tuning())
    probes = [
        probe_for(graph, "what do you do about dinner on such lake trips with the boat?", "fry perch"),
        probe_for(graph, "hardest part of the new job these days", "hardest part of the new job"),
    ]
    before = [retrieval_f1(view, probe) for probe in probes]
    found = [measured(view, graph, repair, probes, before) for repair in sweeps(graph, view, Bounds())]
    kept = max((one for one in found if one), key=lambda one: one[1].gain)
    needed = graph.nodes[row_of(graph, "hardest part of the new job")].passage.key
    assert kept[1].gain > 0
    assert not any(isinstance(action, Weigh) and action.key == needed for action in kept[0].actions)


def test_rounds_end_when_retrieval_no_longer_rises(house: House) -> None:
    """Asked again the same questions, the second round finds nothing to gain and the dream ends."""
    graph = graph_of(house)
    probes = make_probes(graph, house.store.ledger, rng=random.Random(2), most=40)
    dreamer = Dreamer(graph, house.store.ledger, Bounds(), Limits(rounds=5), random.Random(3), lambda _g, _n: probes)
    dream = dreamer.dream(MemoryView(graph.corpus, Tuning()))
    assert dream.stopped == "retrieval no longer rises"
    assert 1 < len(dream.rounds) < 5
    assert dream.rounds[0].after > dream.rounds[0].before


# -- the policy ---


def features_of(failure: str) -> np.ndarray:
    """A plain failure."""
    features = np.zeros(len(FEATURES))
    features[FAILURES.index(failure)] = 1.0
    return features


def test_the_policy_starts_at_the_fixed_mapping() -> None:
    """Each failure's own operation is the likeliest by far."""
    for failure, op in FIXED.items():
        chances = Policy().chances(features_of(failure))
        assert OPS[int(chances.argmax())] == op
        assert chances.max() > 0.7


def test_the_policy_learns_what_is_rewarded_in_small_steps_near_its_start() -> None:
    """An operation that pays becomes the likeliest; one group moves a chance by little; other failures stay put."""
    policy = Policy()
    features = features_of("noisy")
    ops = ["decay"] * 6 + ["extract"] * 2
    rewards = [0.0] * 6 + [1.0] * 2
    once = policy.learn(features, ops, rewards)
    step = np.abs(once.chances(features) - policy.chances(features)).max()
    assert 0 < step < 0.2
    for _ in range(60):
        policy = policy.learn(features, ops, rewards)
    assert OPS[int(policy.chances(features).argmax())] == "extract"
    assert np.allclose(policy.chances(features_of("stale")), Policy().chances(features_of("stale")))
    assert policy.groups == 60
    assert KL == 0.001


def test_a_group_without_a_difference_teaches_nothing() -> None:
    """Equal, missing or broken rewards leave the policy as it is."""
    policy = Policy()
    for rewards in ([0.5, 0.5], [1.0], [float("nan"), 1.0]):
        assert policy.learn(features_of("noisy"), ["decay"] * len(rewards), rewards) is policy


def test_a_policy_survives_a_restart_and_a_broken_file(tmp_path: Any) -> None:
    """It is read as it was kept; one of another shape, or with numbers that are none, counts as the start."""
    state = NightState(tmp_path)
    learned = Policy().learn(features_of("noisy"), ["decay", "extract"], [0.0, 1.0])
    state.write("policy", Kept.of(learned))
    kept = state.read("policy", Kept)
    assert kept is not None
    assert np.allclose(kept.policy().weights, learned.weights)
    odd = Kept(["a"], ["b"], [[1.0]])
    assert np.array_equal(odd.policy().weights, fixed_weights())
    (tmp_path / "policy.json").write_text("{broken")
    assert state.read("policy", Kept) is None
