"""What was learned becomes lines, one commit each; the owner's edits win, and everything can be undone."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from daemon.context import Passage
from daemon.directives import Directive
from daemon.night.blocks import Blocks
from daemon.night.experiences import Candidate, Conversation, Experience, Kept
from daemon.night.learning import (
    conversations,
    learn_experiences,
    learn_rules,
    ledger_probes,
    training,
    until_when,
    with_answers,
)
from daemon.night.lessons import apply, of_edit, of_kept, of_spared, of_suggestion, standing_rules, undo
from daemon.night.loop import Probe, Reward, Source
from daemon.night.meta_page import Add, Change, Drop, MetaRule
from daemon.night.metamem import Lesson
from daemon.night.mind import drawing, reflecting
from daemon.night.reflection import RuleMade
from daemon.night.state import NightState, Question
from memory_store.facts import read_facts
from memory_store.journal import Exchange, Said, parse_journal, render_exchange
from memory_store.ledger import Ledger
from memory_store.page import parse
from memory_store.store import Store
from models.exam import Ability

NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
TODAY = "2026-11-30"
RULE = MetaRule("Count each thing once.", Directive(("total",), hits=12), id="M1")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store of its own."""
    opened = Store.open(tmp_path / "vault", tmp_path / "state", owned=True, now=lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def state(tmp_path: Path) -> NightState:
    """The night's folder."""
    return NightState(tmp_path / "state" / "night")


def meta(store: Store) -> Path:
    return Path(store.vault.root) / "META.md"


def lesson(edit: Add | Change | Drop, rules: tuple[MetaRule, ...] = ()) -> Any:
    return of_edit(edit, rules, "why", Reward(0.2, 0.8))


def test_rules_are_written_changed_dropped_and_undone(store: Store, state: NightState) -> None:
    """Each edit is one commit of META.md alone; undo takes back that one and nothing else."""
    meta(store).write_text("# Rules\n\n- Mine.\n")
    added = lesson(Add(RULE))
    apply(store, state, [added], TODAY)
    assert (added.state, added.name) == ("kept", "M1")
    line = "- M1 Count each thing once. `when: total; hits: 12` (general; helped 0, hurt 0; since 2026-11-30)\n"
    assert meta(store).read_text() == f"# Rules\n\n- Mine.\n{line}"
    rules = standing_rules(store, state)
    changed = lesson(Change("M1", MetaRule("Count each only once.", id="M1")), rules)
    dropped = lesson(Drop("M1"), rules)
    apply(store, state, [changed], TODAY)
    assert "Count each only once. (general" in meta(store).read_text()
    apply(store, state, [dropped], TODAY)
    assert meta(store).read_text() == "# Rules\n\n- Mine.\n"
    commits = {commit.id: commit.paths for commit in store.history()}
    assert [tuple(commits[one.commit]) for one in (added, changed, dropped)] == [("META.md",)] * 3
    assert undo(store, [dropped]) == []
    assert "Count each only once." in meta(store).read_text()


def test_the_owner_editing_a_rule_meanwhile_wins(store: Store, state: NightState) -> None:
    """A learned rule that the owner has changed is theirs: neither changed, dropped nor counted by the night."""
    apply(store, state, [lesson(Add(RULE))], TODAY)
    decided = standing_rules(store, state)
    owned = meta(store).read_text().replace("Count each thing once.", "Count it as I say.")
    meta(store).write_text(owned)
    for edit in (Change("M1", MetaRule("Other.", id="M1")), Drop("M1")):
        record = lesson(edit, decided)
        apply(store, state, [record], TODAY)
        assert record.state == "failed"
        assert "owner has changed it" in record.note
    assert meta(store).read_text() == owned
    assert standing_rules(store, state)[0].by_hand


def test_a_page_that_cannot_be_written_fails_one_lesson_alone(store: Store, state: NightState) -> None:
    """Broken frontmatter makes META.md read-only: the rule fails with the reason, the experience is written."""
    meta(store).write_text("---\ntags: [a\n---\n- Mine.\n")
    rule = lesson(Add(RULE))
    kept = Kept(
        Candidate(Experience("on boat trailer", "It stands behind the barn.", "journal/2026/2026-11-29")),
        Probe("p", "Where is the boat trailer?", "behind the barn", ()),
        Reward(0.0, 1.0),
    )
    experience = of_kept(kept)
    apply(store, state, [rule, experience], TODAY)
    assert (rule.state, experience.state) == ("failed", "kept")
    assert rule.note
    page = store.read("facts/Experiences.md").text
    assert (
        "- [on boat trailer] It stands behind the barn. #experience "
        "(since 2026-11-30; from [[journal/2026/2026-11-29]])\n" in page
    )


def test_experiences_are_replaced_and_spared_into_the_past(store: Store, state: NightState) -> None:
    """An UPDATE and one that is not needed any more leave the old line under Past: nothing is lost."""
    source = "journal/2026/2026-11-29"
    probe = Probe("p", "Where is the boat trailer?", "behind the barn", ())
    first = Experience("on boat trailer", "It stands behind the shed.", source)
    second = Experience("on boat trailer", "It stands behind the barn.", source)
    records = [
        of_kept(Kept(Candidate(first), probe, Reward(0, 1))),
        of_kept(Kept(Candidate(second, first), probe, Reward(0, 1))),
        of_spared(second, 1.0),
    ]
    apply(store, state, records, TODAY)
    assert [one.state for one in records] == ["kept", "kept", "kept"]
    page = store.read("facts/Experiences.md").text
    current, _, past = page.partition("## Past")
    assert "shed" in past and "barn" in past and "trailer" not in current
    unsourced = of_kept(Kept(Candidate(Experience("on tea", "Oolong.")), probe, Reward(0, 1)))
    apply(store, state, [unsourced], TODAY)
    assert unsourced.state == "failed"


def test_a_suggestion_against_a_rule_by_hand_is_applied_only_when_approved(store: Store, state: NightState) -> None:
    """It waits as a record; approved, the owner's line goes, in a commit that can be undone."""
    meta(store).write_text("- Always guess,\n  whatever it is.\n- Mine too.\n")
    rules = standing_rules(store, state)
    record = of_suggestion(Lesson(Drop("line 1"), "without it +0.2"), rules)
    assert (record.state, record.suggested, record.old) == ("waiting", True, "Always guess, whatever it is.")
    apply(store, state, [record], TODAY)
    assert meta(store).read_text() == "- Mine too.\n"
    undo(store, [record])
    assert meta(store).read_text() == "- Always guess,\n  whatever it is.\n- Mine too.\n"


def test_feedback_counts_reach_a_rules_record_through_the_night(store: Store, state: NightState) -> None:
    """What thumbs have added is part of the record that the night starts from; the page changes only then."""
    apply(store, state, [lesson(Add(RULE))], TODAY)
    before = meta(store).read_text()
    state.write("rule_records", {"M1": [4, 1]})
    rules, written = standing_rules(store, state), standing_rules(store, state, counted=False)
    assert [(rule.helped, rule.hurt) for rule in rules] == [(4, 1)]
    assert meta(store).read_text() == before
    rng = random.Random(1)
    learned = learn_rules(blocks(), rules, [], Says(None), rng=rng, go_on=lambda: True, written=written)
    apply(store, state, learned.lessons, TODAY)
    assert meta(store).read_text() == before.replace("helped 0, hurt 0", "helped 4, hurt 1")


# -- deciding ---


class Says:
    """A model that says what it was made to say, trusted with what it was made to be trusted with."""

    def __init__(self, said: str | None, *abilities: Ability) -> None:
        self.said = said
        self.abilities = abilities
        self.asked = 0

    def can(self, ability: Ability) -> bool:
        return ability in self.abilities and self.asked < 60

    def say(
        self, content: str, *, schema: dict[str, Any] | None = None, temperature: float = 0.0, seed: int = 1
    ) -> str | None:
        self.asked += 1
        return self.said

    def judged(self, useful: bool) -> None:
        """It does not mind."""


NAMES = [f"thing{n}" for n in range(12)]
FACTS = "# T\n\n" + "\n".join(f"- [{name} place] new{name} (since 2026-11-20)" for name in NAMES) + "\n\n## Past\n"
FACTS += "\n".join(f"- [{name} place] old{name} (2026-11-01 to 2026-11-20)" for name in NAMES) + "\n"
LEDGER = Ledger.build([read_facts("facts/T.md", parse(FACTS.encode()))])


def blocks(found: list[Passage] | None = None) -> Blocks:
    return Blocks(LEDGER, lambda _q, n: (found or [])[:n], lambda _p: parse(b""), (), 1200, 6)


def test_directives_are_learned_without_any_model() -> None:
    """Questions about what was before teach `past: include`; evidence in the block of those held back rises to all."""
    probes = [probe for probe in ledger_probes(LEDGER) if probe.pattern == "order"]
    learned = learn_rules(blocks(), (), probes, Says(None), rng=random.Random(1), go_on=lambda: True)
    assert learned.before < learned.after == 1.0
    assert any("past: include" in record.directive for record in learned.lessons)


@pytest.mark.parametrize("said", [None, "", "Certainly! I would add a rule.", '{"rules": "all"}', "x" * 5000])
def test_pain_27_a_model_that_answers_nonsense_or_never_changes_nothing(said: str | None) -> None:
    """pain 27: reading, reflecting and drawing with such a model leaves rules and experiences as they are."""
    probes = [probe for probe in ledger_probes(LEDGER) if probe.pattern == "order"]
    mind = Says(said, "read", "reflect", "extract")
    learned = learn_rules(blocks(), (), probes, mind, rng=random.Random(1), go_on=lambda: True)
    assert learned.lessons == []
    talk = Conversation(("The boat trailer is behind the barn.",), "journal/2026/2026-11-29", (probes[0],))
    assert drawing(Says(said, "extract"))(talk, probes[0], ()) == [] or said is not None
    assert reflecting(Says(said, "reflect"), RuleMade())(probes[0], [], ()) == []


def test_too_few_questions_teach_no_rules() -> None:
    """A vault with no facts, or with one, has nothing to learn from, and says so."""
    learned = learn_rules(blocks(), (), [], Says(None), rng=random.Random(1), go_on=lambda: True)
    assert (learned.lessons, learned.stopped) == ([], "0 questions are too few to learn rules from")


def test_it_stops_as_soon_as_it_may_not_go_on() -> None:
    """A chat that arrives, or a budget that is used up, ends the loop with what it has."""
    probes = list(ledger_probes(LEDGER))
    for steps in (0, 5, 40, 300):
        left = iter(range(steps))

        def go_on(left: Iterator[int] = left) -> bool:
            return next(left, None) is not None

        learned = learn_rules(blocks(), (), probes, Says(None), rng=random.Random(1), go_on=go_on)
        assert (steps > 5) or learned.lessons == []
        talk = Conversation(("The boat trailer is behind the barn.",), "journal/2026/2026-11-29", tuple(probes[:2]))
        assert learn_experiences(blocks(), [talk], probes, Says(None), go_on=lambda: False).lessons == []


def test_conversations_that_a_chat_cut_off_are_reflected_on_next_time() -> None:
    """Where a lesson must end before all are tried, it goes on there the next time; when all are, none is left."""
    probes = list(ledger_probes(LEDGER))[:2]
    talks = [Conversation((f"Thing{n} is here.",), "journal/x", (probes[n],), f"2026-11-29T1{n}:00") for n in (0, 1)]
    done = set()
    for steps in range(40):
        left = iter(range(steps))

        def go_on(left: Iterator[int] = left) -> bool:
            return next(left, None) is not None

        learned = learn_experiences(blocks(), talks, probes, Says(None), go_on=go_on)
        done.add(learned.done)
    assert done == {0, 1, 2}
    settled = ["2026-11-29T10:00", "2026-11-29T13:00"]
    assert until_when(talks, 0, settled, "2026-11-28") == "2026-11-28"
    assert until_when(talks, 1, settled, "2026-11-28") == "2026-11-29T10:00"
    assert until_when(talks, 2, settled, "2026-11-28") == "2026-11-29T13:00"
    assert until_when([], 0, [], "2026-11-28") == "2026-11-28"


def journal(*said: tuple[str, str]) -> list[Any]:
    text = "# 2026-11-29\n\n"
    for n, (clock, words) in enumerate(said):
        when = datetime.fromisoformat(f"2026-11-29T{clock}:00+00:00")
        text += render_exchange(Exchange(f"e{n}", when, "m", [Said("user", words)])) + "\n"
    path = "journal/2026/2026-11-29.md"
    return [(path, turn) for turn in parse_journal(parse(text.encode()))]


def test_conversations_end_with_half_an_hour_of_silence() -> None:
    """Turns apart by more belong to others; one that may still go on, or that was seen before, does not count."""
    turns = journal(("10:00", "One thing is here."), ("10:10", "Another."), ("11:00", "A third thing is there."))
    probes = [
        Probe("a", "Where?", "here", (Source("journal/2026/2026-11-29.md", 1, 9),)),
        Probe("b", "And then?", "there", (Source("journal/2026/2026-11-29.md", 20, 40),)),
    ]
    talks = conversations(turns, probes, since="", now=NOW)
    assert [talk.said for talk in talks] == [("One thing is here.", "Another."), ("A third thing is there.",)]
    assert talks[0].probes == (probes[0],)
    soon = datetime(2026, 11, 29, 11, 5, tzinfo=UTC)
    assert len(conversations(turns, probes, since="", now=soon)) == 1
    assert len(conversations(turns, probes, since="2026-11-29T10:30:00+00:00", now=NOW)) == 1


def test_real_questions_count_where_their_answer_stands_in_memory() -> None:
    """A correction whose words are found is a probe with its lines; one that is nowhere cannot be measured."""
    found = [Passage("journal/2026/2026-11-29.md", 6, 6, "The right answer to “Where?” is: on the hook")]
    real = [Question("Where is the key?", "on the hook", "feedback"), Question("Who?", "nobody at all", "correction")]
    probes = training(lambda _q, _n: found, Ledger.build([]), [*real, Question("What?", "")], [])
    assert [(probe.question, probe.origin, probe.sources[0].start_line) for probe in probes] == [
        ("Where is the key?", "feedback", 6)
    ]


def test_a_question_that_failed_counts_once_a_fact_answers_it() -> None:
    """Nobody taught its answer, but a fact gives it by now; one that none gives, or that was taught, stays as it is."""
    asked = [
        Question("What is the thing3 place?"),
        Question("What is the thing4 place?", "on the hook", "feedback"),
        Question("Which opera did Verdi write first?"),
    ]
    known = with_answers(asked, LEDGER)
    assert [one.answer for one in known] == ["newthing3", "on the hook", ""]
    assert [one.origin for one in known] == ["failed", "feedback", "failed"]


def test_an_experience_is_drawn_where_retrieval_fails() -> None:
    """A conversation holds the answer that nothing else brings: its sentence is kept, and measured."""
    day = "journal/2026/2026-11-29"
    probe = Probe("p", "Where is the boat trailer?", "behind the barn", (Source(f"{day}.md", 6, 6),), "correction")
    talk = Conversation(("Well, the boat trailer stands behind the barn.",), day, (probe,))
    learned = learn_experiences(blocks(), [talk], [probe], Says(None), go_on=lambda: True)
    assert [(record.op, record.text) for record in learned.lessons] == [
        ("add", "The boat trailer stands behind the barn.")
    ]
    assert (learned.before, learned.after) == (0.0, 1.0)
