"""What the owner edits in an editor recalculates as what they say does: real files, a running daemon."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Home = Any

WORK = """# Work

- [team lead] Tom Vega (since 2026-11-12)
- [weekly report recipient] Lena Brandt (since 2026-11-13)
- [code reviewer] Arno Weiss
- [standup time] 9:15
- [door code] 4711-b

## Rules
- when [team lead] changes, [weekly report recipient] becomes Priya Nair
- when [team lead] changes, [code reviewer] becomes ?
- when [weekly report recipient] changes, [standup time] becomes ?
"""


@pytest.fixture
def office(new_home: Callable[[], Home]) -> Iterator[tuple[Home, Path]]:
    """A daemon on a vault with the page Work, and that page's file."""
    home = new_home()
    home.configure('[models]\nembed = ""\n[vault]\ndebounce_ms = 50\ncommit_quiet_s = 0\n')
    file = home.paths.vault / "facts/Work.md"
    file.parent.mkdir(parents=True)
    file.write_text(WORK)
    home.start()
    home.until(lambda: home.client.facts(words="team lead") and home.client.search("standup").hits)
    yield home, file


def save(file: Path, old: str, new: str) -> None:
    """Exchange *old* for *new* as vim does: a new file, renamed over the old one."""
    text = file.read_text()
    assert old in text
    fresh = file.with_name("4913.swp")
    fresh.write_text(text.replace(old, new))
    fresh.replace(file)


def test_an_answer_never_shows_a_value_that_was_just_replaced(new_home: Callable[[], Home]) -> None:
    """A question right after a save, before the watcher told of it, is answered from the page as it is now."""
    home = new_home()
    home.configure('[models]\nembed = ""\n[vault]\ndebounce_ms = 60000\n')
    file = home.paths.vault / "facts/Work.md"
    file.parent.mkdir(parents=True)
    file.write_text(WORK)
    home.start()
    home.until(lambda: home.client.search("standup").hits)
    assert home.client.ask("Who is our team lead?").text == "Your team lead is Tom Vega."
    save(file, "[team lead] Tom Vega (since 2026-11-12)", "[team lead] Mina Olsen")
    assert home.client.ask("Who is our team lead?").text == "Your team lead is Mina Olsen."
    file.unlink()
    assert home.client.ask("Who is our team lead?").kind == "unknown"


def test_a_value_changed_by_hand_is_followed_and_kept(office: tuple[Home, Path]) -> None:
    """Two hops follow a changed line; the owner's line stays as they wrote it, and the value it had is in Past."""
    home, file = office
    save(file, "[team lead] Tom Vega (since 2026-11-12)", "[team lead] Mina Olsen")
    home.until(lambda: "[standup time] ?" in file.read_text())
    text = file.read_text()
    assert "\n- [team lead] Mina Olsen\n" in text  # theirs, as they wrote it
    assert "- [weekly report recipient] Priya Nair (since " in text
    assert "by rule: [team lead] changed" in text
    assert "- [code reviewer] ? (was Arno Weiss" in text
    past = text.partition("## Past")[2]
    assert "- [team lead] Tom Vega (2026-11-12 to " in past
    assert "- [weekly report recipient] Lena Brandt (2026-11-13 to " in past
    commit = next(commit for commit in home.client.history() if commit.author == "reverie")
    assert commit.message.startswith("Follow an edit by hand")
    assert home.client.ask("Who is the team lead?").text.endswith("Mina Olsen.")
    undone = home.client.undo(commit.id)
    assert undone.notice is not None and "edit by hand" in undone.notice  # the pages disagree now, and it is said
    assert "\n- [team lead] Mina Olsen\n" in file.read_text()
    assert "- [code reviewer] Arno Weiss\n" in file.read_text()


def test_a_past_line_of_the_owners_is_not_doubled(office: tuple[Home, Path]) -> None:
    """Where the owner put the old value into Past themselves, it stands there once."""
    home, file = office
    text = WORK.replace("Tom Vega (since 2026-11-12)", "Mina Olsen")
    save(file, WORK, text + "\n## Past\n- [team lead] Tom Vega (2026-11-12 to 2026-11-20)\n")
    home.until(lambda: "[code reviewer] ?" in file.read_text())
    assert file.read_text().count("[team lead] Tom Vega") == 1


def test_pain_07_an_edit_that_nothing_hangs_on_is_not_answered(office: tuple[Home, Path]) -> None:
    """pain 07: a changed value without dependants, and other text, leave the file as the owner saved it."""
    home, file = office
    save(file, "[standup time] 9:15", "[standup time] 9:30")
    home.until(lambda: home.client.recall("standup time").facts[0].value == "9:30")
    saved = file.read_bytes()
    save(file, "# Work\n", "# Work\n\nA remark on zebras.\n")
    home.until(lambda: home.client.search("zebras").hits)
    assert file.read_bytes() == saved.replace(b"# Work\n", b"# Work\n\nA remark on zebras.\n")
    assert not any(commit.message.startswith("Follow") for commit in home.client.history())


def test_rules_edited_by_hand_hold_at_once(office: tuple[Home, Path]) -> None:
    """A rule that is added holds for the next change; a removed one no longer does; one whose case is so acts now."""
    home, file = office
    save(file, "- when [team lead] changes, [code reviewer] becomes ?\n", "")
    save(file, "## Rules\n", "## Rules\n- when [team lead] changes, [door code] becomes ?\n")
    home.until(lambda: any(edge.target == "door code" for edge in home.client.graph().edges))
    home.client.remember("Our team lead is now Zoe Quist.")
    text = file.read_text()
    assert "- [door code] ? (was 4711-b" in text
    assert "- [code reviewer] Arno Weiss\n" in text
    save(file, "## Rules\n", "## Rules\n- when [team lead] is Zoe Quist, [code reviewer] becomes Kai\n")
    home.until(lambda: "[code reviewer] Kai" in file.read_text())


def test_a_fact_deleted_and_a_tombstone_written_by_hand(office: tuple[Home, Path]) -> None:
    """What hangs on a deleted fact, and on one that is marked forgotten, becomes `?`; the tombstone answers."""
    home, file = office
    save(file, "- [weekly report recipient] Lena Brandt (since 2026-11-13)\n", "")
    home.until(lambda: "- [standup time] ? (was 9:15" in file.read_text())
    assert "[weekly report recipient] Lena" not in file.read_text()  # deleted is deleted, not put into Past
    save(file, "[team lead] Tom Vega (since 2026-11-12)", "[team lead] (forgotten 2026-11-30)")
    home.until(lambda: "- [code reviewer] ? (was Arno Weiss" in file.read_text())
    assert home.client.ask("Who is the team lead?").kind == "forgotten"
    assert "Tom Vega" not in file.read_text()
