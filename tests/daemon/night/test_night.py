"""The night as a whole: what it may do to a vault, what it never does, and what it tells."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from daemon.config import Night as Settings
from daemon.errors import NotFound
from daemon.governor import within
from daemon.night import commit, triggers
from daemon.night.job import GiveWay
from daemon.night.loop import Source
from daemon.night.propose import line
from daemon.night.record import RepairRecord, RunRecord
from daemon.night.repairs import Weigh, Write, meant
from daemon.night.triggers import Ledgered
from daemon.night.view import MemoryView
from memory_store.errors import NothingToUndo
from memory_store.files import Vault
from memory_store.index.whoosh_index import IndexDamaged
from memory_store.store import Store

House = Any
JOURNAL = "journal/2026/2026-11-28.md"


def writing(name: str = "2026-11-30-1.1", value: str = "Only once: the rudder broke") -> RepairRecord:
    """A repair that writes one line."""
    write = Write("facts/Recalled.md", "trouble with the boat", value, "journal/2026/2026-11-28", Source(JOURNAL, 1, 1))
    return RepairRecord(
        id=name, op="extract", failure="buried", question="q", actions=[write, Weigh(5, 0.2)], before=0.0, after=1.0
    )


def test_a_dream_makes_answers_findable_and_says_so(house: House) -> None:
    """What people asked one another leads to the replies afterwards; retrieval F1 rises, and the page tells it."""
    asked = "what do you do about dinner on such lake trips with the boat?"
    assert house.store.search(asked, limit=1)[0].text.startswith("Oh no!")
    run = house.night.dream("Asked for")
    assert run.repairs
    assert run.after > run.before
    assert "perch" in house.store.search(asked, limit=1)[0].text
    page = (house.root / "vault" / "dreams" / "2026-11-30.md").read_text()
    assert f"reverie night undo {run.id}" in page
    assert re.search(r"retrieval F1 0\.\d+ -> [01]\.\d+; [^;]+; \d+ repairs? tried, \d+ kept; \d+ left", page)


FAILED = {
    "accordion in August": "she brings her accordion",
    "ferns from the ravine": "I press ferns on Sundays",
    "a broken rudder": "the rudder broke",
    "voyage provisions supper afloat": "fry perch over a gas stove",
    "calligraphy of olden cartographers": "a surveyor named Kettunen",
}
NOISE = ("Accordion, accordion in August!", "Ferns and ferns from the ravine!", "A rudder, a broken rudder!")


@pytest.mark.parametrize(("share", "lines", "pages"), [(1.0, 2, 7), (0.5, 40, 3), (0.15, 40, 1), (0.0, 40, 0)])
def test_pain_21_a_dream_deletes_nothing_and_its_changes_are_capped(
    house: House, share: float, lines: int, pages: int
) -> None:
    """
    pain 21: what the dreams of a night touch stays within a share of the vault's pages, and within so many lines; all
    lines of before still stand and are found.
    """
    for number, noise in enumerate(NOISE):
        house.say([("user", noise)], days_ago=60 + number, entry=f"n{number}")
    for question, answer in FAILED.items():
        house.night.failed(question, answer)
    before, passages = house.files(), house.store.corpus().passages.values()
    assert len({one.path for one in passages}) == 7
    house.set(most_share=share, most_lines=lines)
    made = [house.night.dream("Asked for") for _ in range(2)]
    actions = [action for run in made for repair in run.repairs for action in repair.actions]
    lowered = {action.key for action in actions if isinstance(action, Weigh) and action.weight < 1}
    writes = [action.path for action in actions if isinstance(action, Write)]
    assert {one.key for one in passages} >= lowered
    touched = {*writes, *(one.path for one in passages if one.key in lowered)}
    assert 0 < len(touched) <= pages if pages else not touched
    assert len(writes) <= lines
    after = house.files()
    for path, data in before.items():
        assert set(data.splitlines()) <= set(after[path].splitlines())
    assert all(weight > 0 for weight in house.night.state.tuning().weights.values())
    assert any("Hi!" in hit.text for hit in house.store.search("what kind of boat for the lake trips", limit=10))
    assert any(NOISE[0] in hit.text for hit in house.store.search("accordion in August", limit=10))


def test_pain_22_the_journal_and_the_owners_notes_are_read_only_to_it(house: House) -> None:
    """pain 22: byte for byte the same after three dreams."""
    before = {path: data for path, data in house.files().items() if not path.startswith("facts/")}
    for _ in range(3):
        house.night.dream("Asked for")
    after = house.files()
    assert all(after[path] == data for path, data in before.items())


@pytest.mark.parametrize(
    "junk",
    [
        "# A heading of some length",
        "$ rm -rf / now please",
        "> quoted words of somebody",
        "| a | b | c |",
        "0.93 0.12 0.44 0.51",
        "{'a': 1, 'b': 2, 'c': 3}",
        "https://example.org/a/b is where it is",
        "- [ ] call the plumber tomorrow",
        "- a list item with words",
        "`code in ticks` stands here",
        "too short",
        "word " * 200,
        "!!! --- ???",
    ],
)
def test_pain_23_junk_makes_no_line(junk: str) -> None:
    """pain 23: commands, headings, scores, tables, code, links, tasks and scraps are never set down."""
    assert line("facts/", "What is known about the boat?", junk, Source(JOURNAL, 1, 1)) is None


def test_pain_23_a_line_has_a_source_and_reads_back(house: House) -> None:
    """pain 23: what is set down passes the fact grammar, with its source; a record that does not is refused."""
    made = line("facts/", "What broke [on] the boat?", "Only once: the rudder broke.", Source(JOURNAL, 1, 1))
    assert made is not None
    assert made.link == "journal/2026/2026-11-28"
    good, bad = writing(), writing("2026-11-30-1.2")
    bad.actions = [Write("facts/Recalled.md", "trouble with the boat", "no source at all", "", Source(JOURNAL, 1, 1))]
    commit.apply(house.store, house.night.state, [good, bad])
    assert (good.state, bad.state) == ("kept", "failed")
    facts = [fact for fact in house.store.ledger.facts() if fact.path == "facts/Recalled.md"]
    assert [(fact.value, fact.source) for fact in facts] == [("Only once: the rudder broke", "journal/2026/2026-11-28")]


def test_pain_24_it_is_held_to_a_budget(house: House) -> None:
    """pain 24: a dream that was made is not due again at once, and a spent night is over until the next."""
    house.night.dream("Asked for")
    assert house.night.due() is None
    house.set(budget_s=60.0)
    house.clock.step = 100.0
    house.night.dream("Asked for")
    assert "used up" in house.night.budget.waits_for()
    assert "used up" in house.night.dream("Asked for").stopped
    house.clock.now += timedelta(days=1)
    assert house.night.budget.waits_for() is None


def test_pain_24_what_is_asked_for_at_once_has_a_budget_of_its_own(house: House) -> None:
    """pain 24: a spent night holds back what is due, not what its owner wants at once; that too has its limit."""
    house.set(budget_s=60.0)
    house.clock.step = 100.0
    house.night.dream("Asked for")
    with house.night.budget.at_once():
        assert house.night.budget.waits_for() is None
        assert "used up" in house.night.dream("Asked for").stopped
    house.clock.step = 0.0
    assert "used up" in house.night.dream("Asked for").stopped
    with house.night.budget.at_once():
        assert "used up" not in house.night.dream("Asked for").stopped
    assert "used up" in house.night.budget.waits_for()


def test_pain_24_dreams_that_keep_nothing_are_told(empty_house: House, make_note: Any) -> None:
    """pain 24: after N dreams in a row that kept nothing the owner is told, and again only N later."""
    make_note(empty_house, "One.md", "# One\n\nA single thought about a lighthouse keeper.\n")
    empty_house.set(empty_runs=3)
    told = []
    for _ in range(6):
        empty_house.night.dream("Asked for")
        told.append(len(empty_house.told))
    assert told == [0, 0, 1, 1, 1, 2]
    assert empty_house.told[0][0] == "night_empty"


def test_pain_25_a_stray_file_fails_no_run_and_edits_of_the_owner_are_left_alone(house: House) -> None:
    """pain 25: no text, a bad page, an uncommitted edit: the run goes on, and its commits hold its own files."""
    vault = house.root / "vault"
    (vault / "stray.md").write_bytes(b"\x00\xff\xfe")
    (vault / "bad.md").write_text("---\na: [\n---\ntext\n")
    (vault / "Garden.md").write_text("# Garden\n\nThe plum is dead.\n")
    house.store.sync()
    run = house.night.dream("Asked for")
    assert run.repairs
    record = writing(f"{run.id}.99")
    commit.apply(house.store, house.night.state, [record])
    assert record.state == "kept"
    assert (vault / "stray.md").read_bytes() == b"\x00\xff\xfe"
    assert (vault / "Garden.md").read_text() == "# Garden\n\nThe plum is dead.\n"
    ours = [one for one in house.store.history(50) if one.message.startswith("Dream")]
    assert ours
    assert all(path.startswith(("facts/", "dreams/")) for one in ours for path in one.paths)


def test_pain_26_a_dream_is_due_once_whatever_the_clock_does(settings: Settings) -> None:
    """pain 26: daylight saving, suspend past the due time, a clock set back or far ahead: once, late, never twice."""
    berlin = ZoneInfo("Europe/Berlin")
    spring = datetime(2027, 3, 28, 1, 30, tzinfo=berlin)
    kept = Ledgered(last=spring.isoformat(), pages=3)

    def due(now: datetime) -> bool:
        return triggers.why_due(kept, pages=3, confidence=[], settings=settings, now=now) is not None

    assert not due(datetime(2027, 3, 29, 0, 30, tzinfo=berlin))
    assert not due(datetime(2027, 3, 29, 2, 29, tzinfo=berlin))  # 23 h 59 min later, as the clock skipped an hour
    assert due(datetime(2027, 3, 29, 2, 31, tzinfo=berlin))
    assert due(spring + timedelta(days=9))
    assert not due(spring - timedelta(days=400))
    assert due(datetime(2031, 1, 1, tzinfo=UTC))
    for broken in ("yesterday", "2027-03-28T01:30:00"):
        assert triggers.why_due(Ledgered(last=broken, pages=3), pages=3, confidence=[], settings=settings, now=spring)


def test_pain_26_a_clock_that_was_years_ahead_holds_no_dream_up_for_years(house: House) -> None:
    """pain 26: set right again, the dream made in the future counts as made now: the next is due a day later."""
    right = house.clock.now
    house.clock.now = right + timedelta(days=3000)
    house.night.dream("Asked for")
    house.clock.now = right
    assert house.night.due() is None
    house.clock.now += timedelta(hours=23)
    assert house.new_night().due() is None
    house.clock.now += timedelta(hours=2)
    assert house.new_night().due() == "The usual time has come"


def test_pain_26_moments_are_compared_whatever_their_offset() -> None:
    """pain 26: half past two comes twice in an autumn night; the second is later, though it is written as earlier."""
    first, second = "2026-10-25T02:45:00+02:00", "2026-10-25T02:30:00+01:00"
    assert first > second
    assert triggers.moment(second) > triggers.moment(first)
    assert triggers.moment("") < triggers.moment("0002-01-01T00:00:00+00:00")
    now = datetime(2026, 10, 25, 0, 40, tzinfo=UTC)
    assert triggers.not_after(first, now) == now.isoformat()
    assert triggers.not_after(first, now + timedelta(hours=1)) == first
    assert triggers.not_after("", now) == ""


def test_midnight_does_not_split_a_night() -> None:
    """Ten in the evening and four in the morning are one night; its spending is counted together."""
    evening = datetime(2026, 11, 30, 22, tzinfo=timezone(timedelta(hours=1)))
    kept = Ledgered()
    triggers.spend(kept, evening, seconds=100)
    triggers.spend(kept, evening + timedelta(hours=6), seconds=100)
    assert kept.spent_s == 200
    triggers.spend(kept, evening + timedelta(hours=20), seconds=1)
    assert kept.spent_s == 1


def test_triggers_are_pages_unsure_searches_and_time(settings: Settings) -> None:
    """The first dream, more than N new pages, ten unsure searches, or the interval; each is named."""
    now = datetime(2026, 11, 30, 3, tzinfo=UTC)
    kept = Ledgered(last=(now - timedelta(hours=2)).isoformat(), pages=5)

    def why(kept: Ledgered, pages: int = 5, confidence: list[float] | None = None) -> str | None:
        return triggers.why_due(kept, pages=pages, confidence=confidence or [], settings=settings, now=now)

    assert why(Ledgered()) == "The first dream"
    assert why(Ledgered(), pages=0) is None
    assert why(kept) is None
    assert why(kept, pages=25) is None
    assert why(kept, pages=26) == "21 pages were added"
    assert why(kept, confidence=[0.05] * 10) == "searches are unsure (0.05)"
    assert why(kept, confidence=[0.9] * 10) is None
    assert why(replaced(kept, now - timedelta(hours=25))) == "The usual time has come"


def replaced(kept: Ledgered, last: datetime) -> Ledgered:
    """*kept* with another last run."""
    return Ledgered(last=last.isoformat(), pages=kept.pages)


def test_quiet_hours_may_run_over_midnight() -> None:
    """Several ranges, the end excluded, midnight included; none holds nothing back."""
    assert within(23 * 60, "22:00-06:30, 12:00-13:00")
    assert within(6 * 60 + 29, "22:00-06:30")
    assert not within(6 * 60 + 30, "22:00-06:30")
    assert within(12 * 60, "22:00-06:30, 12:00-13:00")
    assert not within(13 * 60, "12:00-13:00")
    assert not within(0, "")


def test_nothing_is_applied_before_consent(house: House) -> None:
    """With approve = "ask" repairs wait, search and vault stay as they are, and consent applies all, or one of them."""
    house.set(approve="ask")
    before = dict(house.files())
    run = house.night.dream("Asked for")
    assert {repair.state for repair in run.repairs} == {"waiting"}
    assert not house.night.state.tuning()
    assert {path: data for path, data in house.files().items() if not path.startswith("dreams/")} == before
    assert house.night.runs.waiting() == len(run.repairs)
    one = house.night.approve(run.repairs[0].id)
    assert [repair.state for repair in one.repairs].count("kept") == 1
    if len(run.repairs) > 1:
        house.night.approve(run.id)
    assert house.night.runs.waiting() == 0
    assert house.night.state.tuning()
    with pytest.raises(NotFound, match="waits for consent"):
        house.night.approve(run.id)


def test_the_page_of_a_dream_tells_how_to_agree_and_what_became_of_it(house: House) -> None:
    """While it waits the page names both commands; consent and an undo are told below, not written over."""
    house.set(approve="ask")
    run = house.night.dream("Asked for")
    page = house.root / "vault" / run.log
    told = page.read_text()
    assert f"Apply it: `reverie night approve {run.id}`; refuse it: `reverie night undo {run.id}`" in told
    house.night.approve(run.id)
    house.night.undo(run.id)
    after = page.read_text()
    assert after.startswith(told)
    assert after.count(f": {run.id} was approved\n") == after.count(f": {run.id} was taken back\n") == 1


def test_what_is_refused_before_consent_is_not_asked_again(house: House) -> None:
    """With approve = "ask", an undo of what waits is a no: nothing was changed, and it is not proposed once more."""
    house.set(approve="ask")
    run = house.night.dream("Asked for")
    undone, _ = house.night.undo(run.id)
    assert {repair.state for repair in undone.repairs} == {"undone"}
    assert not house.night.state.tuning()
    refused = {meant(action) for repair in run.repairs for action in repair.actions}
    again = house.night.dream("Asked for")
    assert refused.isdisjoint(meant(action) for repair in again.repairs for action in repair.actions)


def test_undo_takes_everything_back_and_is_not_asked_again(house: House) -> None:
    """After undo the statistics and the pages are those of before; the same is not proposed again by another number."""
    run = house.night.dream("Asked for")
    asked = {meant(action) for repair in run.repairs for action in repair.actions}
    undone, problems = house.night.undo(run.id)
    assert problems == []
    assert {repair.state for repair in undone.repairs} == {"undone"}
    assert not house.night.state.tuning()
    with pytest.raises(NothingToUndo):
        house.night.undo(run.id)
    again = house.night.dream("Asked for")
    assert asked.isdisjoint(meant(action) for repair in again.repairs for action in repair.actions)


def test_one_repair_is_undone_alone(house: House) -> None:
    """Its lines go by a commit of their own, its weight returns to 1, others stay."""
    first, second = writing("2026-11-30-1.1"), writing("2026-11-30-1.2", "we paddled home with two planks")
    second.actions = [*second.actions[:1], Weigh(6, 0.2)]
    commit.apply(house.store, house.night.state, [first, second])
    commit.undo(house.store, house.night.state, [first])
    text = (house.root / "vault" / "facts" / "Recalled.md").read_text()
    assert "rudder" not in text
    assert "planks" in text
    assert dict(house.night.state.tuning().weights) == {6: 0.2}


def test_the_owner_wins_where_both_change_the_same_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner rewrites the page while it is being written: their lines stand, the repair is kept beside or parked."""
    commit.apply(house.store, house.night.state, [writing()])
    page = house.root / "vault" / "facts" / "Recalled.md"
    page.write_text("# Mine now\n\nNothing of yours.\n")
    again = writing("2026-11-30-1.2", "we paddled home with two planks")
    commit.apply(house.store, house.night.state, [again])
    text = page.read_text()
    assert text.startswith("# Mine now\n\nNothing of yours.\n")
    assert again.state in ("kept", "parked")


def test_the_owner_saves_the_very_page_while_a_dream_writes_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A save of the owner's on the disk, between our look at the page and its replacement: their words stand, on the same
    line ours are parked and shown as waiting, its weight is left alone, and the next dream goes on.
    """
    page = house.root / "vault" / "facts" / "Recalled.md"
    page.write_text("# Recalled\n\n- [trouble with the boat] none at all\n")
    house.store.sync()
    record, owners = writing(), "# Recalled\n\n- [trouble with the boat] I have sold it\n- [bought] a kayak\n"
    saved: list[str] = []
    replace_ = Vault.replace

    def saves_first(vault: Vault, path: str, *arguments: Any, **named: Any) -> Any:
        if path == "facts/Recalled.md" and not saved:
            fresh = page.with_suffix(".tmp")
            fresh.write_text(owners)
            fresh.replace(page)  # as editors save
            saved.append(path)
        return replace_(vault, path, *arguments, **named)

    monkeypatch.setattr(Vault, "replace", saves_first)
    commit.apply(house.store, house.night.state, [record])
    monkeypatch.undo()
    assert saved
    text = page.read_text()
    assert all(line in text for line in owners.splitlines())
    assert record.state in ("kept", "parked")
    assert bool(house.night.state.tuning()) == (record.state == "kept")
    assert ("rudder" in text) == (record.state == "kept")
    assert len(house.store.proposals()) == (record.state == "parked")
    assert house.night.dream("Asked for").ended


def test_a_vault_that_cannot_be_read_now_leaves_no_record(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is not there yet: the dream and the lesson fail with the reason, and are not told as cut off."""

    def damaged(*_: object) -> None:
        raise IndexDamaged("there is none yet")

    monkeypatch.setattr(Store, "corpus", damaged)
    with pytest.raises(IndexDamaged):
        house.night.dream("Asked for")
    with pytest.raises(IndexDamaged):
        house.night.teach("rules", "Asked for", house.store, damaged, lambda: None)
    assert house.night.runs.latest() == []


def test_a_clock_that_jumps_in_a_dream_costs_no_night(house: House) -> None:
    """A year back or ahead between start and end: the dream ends, is on record once, and what it spent is seconds."""
    for jump in (timedelta(days=-365), timedelta(days=730)):
        pauses = iter([jump])

        def pause(pauses: Any = pauses) -> None:
            house.clock.now += next(pauses, timedelta())

        house.clock.step = 0.01
        run = house.night.dream("Asked for", pause=pause)
        assert run.ended
        assert 0 <= run.took_s < house.settings.budget_s
        assert house.night.due() is None
        assert house.night.budget.waits_for() is None
        assert [one.id for one in house.night.runs.latest()].count(run.id) == 1
    assert house.night.dream("Asked for").ended


def test_a_page_that_cannot_be_written_drops_the_repair_whole(house: House) -> None:
    """A broken page of the owner's: the line is not written, and the weight of the same repair is left alone too."""
    bad = "---\ntitle: [\n---\n# Recalled\n"
    (house.root / "vault" / "facts" / "Recalled.md").write_text(bad)
    house.store.sync()
    record = writing()
    commit.apply(house.store, house.night.state, [record])
    assert record.state == "failed"
    assert not house.night.state.tuning()
    assert (house.root / "vault" / "facts" / "Recalled.md").read_text() == bad


def test_what_earlier_dreams_tell_is_no_memory(house: House) -> None:
    """A page in dreams/ that holds the very words of every question is ranked, and is neither noise nor evidence."""
    words = [text for path, data in house.files().items() if path.startswith("journal/") for text in [data.decode()]]
    lines = [line.lstrip("> ") for text in words for line in text.splitlines() if line.startswith("> ")]
    for day in range(1, 4):
        house.store.append_lines(f"dreams/2026-11-0{day}.md", [f"- {line}" for line in lines], "Dream: what it did")
    house.store.sync()
    run = house.night.dream("Asked for")
    assert run.ended
    assert run.repairs
    view = MemoryView(house.store.corpus(), house.night.state.tuning())
    found = view.retrieve("what kind of boat did you finally buy for the lake trips?", 50)
    assert found
    assert all(not hit.place.path.startswith("dreams/") for hit in found)


def test_an_empty_vault_and_a_single_page_end_well(empty_house: House, make_note: Any) -> None:
    """Nothing to ask of: no page tells of it. Then one page, of which nothing fails: the page of the night says so."""
    run = empty_house.night.dream("Asked for")
    assert (run.repairs, run.rounds, run.stopped) == ([], [], "nothing to ask")
    make_note(empty_house, "One.md", "# One\n\nA single thought about a lighthouse keeper.\n")
    run = empty_house.night.dream("Asked for")
    assert (run.repairs, run.failed) == ([], [])
    assert set(empty_house.files()) == {"One.md", run.log}
    assert "no failure" in empty_house.files()[run.log].decode()


def test_a_vault_with_no_facts_dreams_of_its_talk(empty_house: House, talk: list[tuple[str, str]]) -> None:
    """Without a page of facts a dream mends what talk and notes can teach, and writes no page but its own."""
    empty_house.say(talk, days_ago=2, entry="s1")
    before = empty_house.files()
    assert not empty_house.store.ledger.attributes()
    run = empty_house.night.dream("Asked for")
    assert run.repairs
    assert run.after > run.before
    after = empty_house.files()
    assert set(after) - set(before) == {run.log}
    assert all(after[path] == data for path, data in before.items())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_vault_of_ten_thousand_pages_is_dreamt_of_within_its_limits(empty_house: House) -> None:
    """10,000 pages: so many questions and no more, looked at all the time, within its minutes; no page changes."""
    vault = empty_house.root / "vault"
    for number in range(10_000):
        folder = vault / f"{number // 500:02}"
        folder.mkdir(exist_ok=True)
        text = (
            f"# Item {number}\n\nThe crate{number} stands at bay {number % 97} beside crate{(number * 7) % 10_000}.\n"
        )
        (folder / f"Item {number}.md").write_text(text)
    empty_house.store.sync()
    before = empty_house.files()
    looks: list[int] = []
    run = empty_house.night.dream("Asked for", pause=lambda: looks.append(1))
    assert run.passages >= 10_000
    assert run.ended
    assert all(0 < one.probes <= empty_house.settings.probes for one in run.rounds)
    assert len(looks) > 10_000
    after = empty_house.files()
    assert all(after[path] == data for path, data in before.items())
    assert len(empty_house.night.state.tuning().weights) <= empty_house.settings.most_share * run.passages


def test_a_dream_that_was_cut_off_is_told_at_the_next_start(house: House) -> None:
    """A record without an end: the next start closes it, and its repairs can still be undone."""
    run = house.night.dream("Asked for")
    run.ended = ""
    house.night.state.write(f"runs/{run.id}", run)
    night = house.new_night()
    night.open()
    assert "cut off" in night.runs.find(run.id).stopped
    night.undo(run.id)
    assert not night.state.tuning()


def test_a_dream_that_is_cut_off_again_is_not_tried_at_once(house: House) -> None:
    """Once it is made up for; a second one in a row (it may be what ends the daemon) waits for its usual time."""
    for number, due in ((1, True), (2, False)):
        when = house.clock.now.isoformat(timespec="seconds")
        run = RunRecord(id=f"2026-11-30-{number}", started=when, why="The first dream")
        house.night.state.write(f"runs/{run.id}", run)
        night = house.new_night()
        night.open()
        assert night.runs.find(run.id).stopped == "cut off: nothing was changed"
        assert (night.due() is not None) == due
        night.open()
        assert len(night.runs.latest()) == number


def test_a_chat_stops_a_dream_between_two_failures(house: House) -> None:
    """What was kept until then stands; the run says why it ended."""
    looks = iter([None, "a chat came"])
    run = house.night.dream("Asked for", pause=lambda: next(looks, "a chat came"))
    assert run.stopped == "a chat came"
    assert len(run.repairs) <= 1


def test_a_dream_that_a_chat_cut_off_is_as_due_as_before(house: House) -> None:
    """It is no night's dream, and none that kept nothing; the next one is."""
    house.set(empty_runs=1)
    house.night.dream("Asked for", pause=lambda: "a chat came")
    assert house.night.due() == "The first dream"
    assert house.told == []
    house.night.dream("Asked for")
    assert house.night.due() is None


def test_a_dream_gives_way_while_a_model_answers_and_goes_on_after() -> None:
    """It is held up for as long as the answer takes, at any point; past its patience it is told to stop, for good."""
    waited: list[float] = []
    left, now = 5, 1.0

    def wait(seconds: float) -> None:
        nonlocal left, now
        waited.append(seconds)
        now += seconds
        left -= 1

    give_way = GiveWay(lambda: left > 0, clock=lambda: now, wait=wait, patience_s=1.0)
    assert give_way() is None
    assert len(waited) == 5
    left, now = 10**6, now + 1.0
    assert give_way() == "a chat came"
    assert now < 4.0
    left = 0
    assert give_way() == "a chat came"


def test_a_dream_looks_all_the_time_whether_it_is_in_the_way(house: House) -> None:
    """Hundreds of times in a small vault: while it reads, asks, and measures."""
    looks: list[int] = []
    house.night.dream("Asked for", pause=lambda: looks.append(1))
    assert len(looks) > 300


def test_corrections_and_failed_questions_become_probes(house: House) -> None:
    """A question the owner corrected is asked in the next dream, with its answer where it stands."""
    from daemon.night.graph import build
    from daemon.night.probes import real_probes
    from daemon.night.state import Access
    from memory_store.tuning import Tuning

    house.night.failed("Where do I work?", "Baltic Archive", corrected=True)
    house.night.failed("What is unknown?")
    graph = build(house.store.corpus(), tuning=Tuning(), access=Access(), today=house.clock.now.date())
    probes = list(real_probes(graph, house.store.ledger, house.night.state.questions()))
    assert [(probe.question, probe.answer, probe.origin) for probe in probes] == [
        ("Where do I work?", "Baltic Archive", "correction")
    ]


def test_unknown_names_are_told(house: House) -> None:
    """No such run, no such repair, and names that are paths."""
    run = house.night.dream("Asked for")
    for name in ("2020-01-01-1", f"{run.id}.999", "../../etc/passwd", ""):
        with pytest.raises(NotFound):
            house.night.runs.find(name)


def test_forgetting_reaches_what_the_night_has_kept(house: House) -> None:
    """Questions and records that hold the words are gone from the state folder; others stay."""
    house.night.failed("Where is the wooden dinghy?", "a red sail")
    house.night.failed("Where is the boat?", "in the Green\n*Boathouse*")
    house.night.failed("Who is Ilse?", "a cousin")
    house.night.dream("Asked for")
    house.night.scrub(["dinghy", "green boathouse"], house.store.says)
    kept = b"".join(path.read_bytes() for path in house.night.state.folder.rglob("*") if path.is_file())
    assert b"dinghy" not in kept
    assert [one.question for one in house.night.state.questions()] == ["Who is Ilse?"]


def test_searches_leave_counts_that_pair_what_is_found_together(house: House) -> None:
    """Every search counts what it showed; after a restart the counts are still there."""
    hits = house.store.search("boat lake trips", limit=5)
    house.night.reading.searched("boat lake trips", hits)
    house.night.reading.searched("boat lake trips", hits)
    house.night.close()
    access = house.new_night().reading.access()
    assert access.found[hits[0].key] == 2
    assert max(access.together.values()) == 2
    assert len(access.confidence) == 2


@pytest.fixture
def settings(house: House) -> Settings:
    """The shipped settings."""
    return replace(house.settings)
