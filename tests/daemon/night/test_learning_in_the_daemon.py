"""Feedback becomes questions, questions become rules and experiences, all of it told and undone: a whole daemon."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from daemon.client import DaemonError, Turn
from daemon.night.state import NightState, Question

Home = Any

CREW = ["Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gus", "Hal"]


def say(home: Home, *words: str) -> Any:
    """The memory of the reply to the last of *words*, the owner's turns."""
    turns: list[Turn] = []
    for word in words[:-1]:
        turns += [Turn("user", word), Turn("assistant", "ok")]
    with home.client.chat_stream([*turns, Turn("user", words[-1])], model="tiny:memory") as stream:
        return list(stream)[-1].memory


def questions(home: Home) -> list[tuple[str, str, str]]:
    """What the night is to learn from."""
    return [(one.question, one.answer, one.origin) for one in NightState(home.paths.state_dir / "night").questions()]


@pytest.fixture(scope="module")
def learning(tmp_path_factory: pytest.TempPathFactory, running: Home) -> Iterator[Home]:
    """A daemon with facts that have a past, and a journal of yesterday; what one test told it, the next one meets."""
    home = with_a_past(type(running)(tmp_path_factory.mktemp("home")))
    yield home
    home.close()


@pytest.fixture
def untaught(new_home: Any) -> Home:
    """The same, to which nobody has told anything."""
    return with_a_past(new_home())


def with_a_past(home: Home) -> Home:
    """*home*, running."""
    home.configure('[models]\nchat = "tiny"\nembed = ""\n[vault]\ncommit_quiet_s = 0\n')
    home.add_fake_model()
    vault = home.paths.vault
    (vault / "facts").mkdir(parents=True)
    now = "\n".join(f"- [{name} berth] B{n} (since 2026-11-20)" for n, name in enumerate(CREW))
    past = "\n".join(f"- [{name} berth] A{n} (2026-11-02 to 2026-11-20)" for n, name in enumerate(CREW))
    (vault / "facts" / "Boat.md").write_text(f"# Boat\n\n{now}\n\n## Past\n{past}\n")
    (vault / "META.md").write_text("# How to use memory\n\n- Never greet me.\n")
    yesterday = datetime.now().astimezone() - timedelta(days=1)
    page = vault / "journal" / f"{yesterday:%Y}" / f"{yesterday:%Y-%m-%d}.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        f"# {yesterday:%Y-%m-%d}\n\n## 10:00:00 tiny ^a1\n<!-- at {yesterday.isoformat(timespec='seconds')} -->\n\n"
        "**User:**\n> The mainsail cover is folded under the chart table.\n\n---\n"
    )
    home.start()
    return home


def test_an_unanswered_question_is_kept_for_the_night(learning: Home) -> None:
    """What ask, or a chat, finds no answer to is asked again at night."""
    assert learning.client.ask("Which opera did Verdi write first?").kind == "unknown"
    assert ("Which opera did Verdi write first?", "", "failed") in questions(learning)


def test_a_thumb_and_a_correction_become_training_questions(learning: Home) -> None:
    """Up keeps the value that answered; down with the right answer keeps that, in the journal as the owner's words."""
    memory = say(learning, "What is Ada berth?")
    noted = learning.client.feedback("up", exchange=memory.exchange)
    assert (noted.question, noted.trains) == ("What is Ada berth?", True)
    noted = learning.client.feedback("down", question="Where is the spare key?", correction="on the hook by the hatch")
    assert noted.trains
    assert ("What is Ada berth?", "B0", "feedback") in questions(learning)
    assert ("Where is the spare key?", "on the hook by the hatch", "feedback") in questions(learning)
    journal = learning.journal
    assert "> The right answer to “Where is the spare key?” is: on the hook by the hatch" in journal
    assert not learning.client.feedback("down", question="Who sings at dawn?").trains
    with pytest.raises(DaemonError, match="name the question"):
        learning.client.feedback("up", exchange="long-gone")


def test_a_correction_in_chat_becomes_a_training_question(learning: Home) -> None:
    """ "No, it's …" after a question is its right answer."""
    say(learning, "Where do we moor in winter?", "No, it's the old quay.")
    assert ("Where do we moor in winter?", "the old quay", "correction") in questions(learning)


def test_what_was_taught_is_the_answer_when_it_is_asked_again(learning: Home) -> None:
    """By feedback, or by "No, it's …" in a chat: said as the owner's answer with its place; the last one counts."""
    asked = "Where do we keep the flares?"
    for right in ("in the port locker", "under the helmsman's seat"):
        learning.client.feedback("down", question=asked, correction=right)
    learning.client.reindex()
    assert learning.client.ask(asked).text == "You told me: under the helmsman's seat"
    found = learning.client.ask("where do we keep the flares")
    assert (found.kind, len(found.sources)) == ("fact", 1)
    assert found.sources[0].path.startswith("journal/")
    assert (asked, "under the helmsman's seat", "feedback") in questions(learning)
    say(learning, "Who paints the hull in spring?", "No, it's my uncle.")
    learning.client.reindex()
    assert learning.client.ask("Who paints the hull in spring?").text == "You told me: my uncle"


def test_a_right_answer_changes_the_fact_that_was_asked_for(learning: Home) -> None:
    """Where the question names one fact and nothing else; a question about more leaves the fact as it is."""
    noted = learning.client.feedback("down", question="What is Dag berth?", correction="C9")
    assert [(change.attribute, change.before, change.after) for change in noted.changes] == [("Dag berth", "B3", "C9")]
    learning.client.reindex()
    found = learning.client.ask("What is Dag berth?")
    assert ("C9" in found.text, found.sources[0].path) == (True, "facts/Boat.md")
    memory = say(learning, "What is Eva berth?", "No, it's C7.")
    assert [change.after for change in memory.changes] == ["C7"]
    noted = learning.client.feedback("down", question="What is Finn berth number in Oslo?", correction="D1")
    assert noted.changes == []
    assert "B5" in learning.client.ask("What is Finn berth?").text


def test_a_question_asked_again_keeps_its_answer_for_the_night(learning: Home) -> None:
    """That memory does not answer a question does not undo what the owner told about it."""
    learning.client.feedback("down", question="Which lamp goes on the mast?", correction="the green one")
    state = NightState(learning.paths.state_dir / "night")
    state.add_question(Question("Which lamp goes on the mast?"))
    assert ("Which lamp goes on the mast?", "the green one", "feedback") in questions(learning)


def test_a_night_learns_rules_and_tells_and_undoes_them(untaught: Home) -> None:
    """
    Questions about what was teach a directive: it stands in META.md under the owner's line, is told in dreams/, is
    obeyed, and goes when it is undone.
    """
    client, meta = untaught.client, untaught.paths.vault / "META.md"
    client.dream(now=True)
    page = meta.read_text()
    assert page.startswith("# How to use memory\n\n- Never greet me.\n")
    rule = re.search(
        r"^- M\d+ .* `.*past: include.*` \(\w+; helped \d+, hurt \d+; since \d{4}-\d\d-\d\d\)$", page, re.MULTILINE
    )
    assert rule, page
    run = next(run for run in client.dreams() if run.kept)
    assert run.rounds[0].after > run.rounds[0].before
    lesson = next(one for one in client.dream_of(run.id).repairs if "past: include" in one.actions[0])
    assert (lesson.state, lesson.op) == ("kept", "rule add")
    assert any(commit.id == lesson.commit and commit.paths == ["META.md"] for commit in client.history())
    told = "".join(path.read_text() for path in (untaught.paths.vault / "dreams").glob("*.md"))
    assert f"Undo all of it: `reverie night undo {run.id}`" in told
    client.undo_dream(run.id)
    assert meta.read_text() == "# How to use memory\n\n- Never greet me.\n"


def test_forgetting_reaches_what_feedback_left(learning: Home) -> None:
    """pain 29: no file of the state folder holds a forgotten value, feedback's included."""
    learning.client.feedback("down", question="What is Bo berth?", correction="B1")
    learning.client.forget("Bo berth", confirm=True)
    kept = [path for path in (learning.paths.state_dir / "night").rglob("*.json*") if b"B1" in path.read_bytes()]
    assert kept == []


def test_the_wire_names_an_exchange_where_there_is_one() -> None:
    """Clients that know nothing of feedback see nothing new."""
    from daemon import wire

    assert msgspec.json.encode(wire.ChatMemory()) == b"{}"


def test_a_trusted_model_takes_part_in_the_background(new_home: Any) -> None:
    """A model that may read is asked, its tokens are counted against the night, and its nonsense changes no page."""
    home = new_home()
    home.configure('[models]\nchat = "reader"\nembed = ""\n')
    home.add_fake_model("reader", settings='[fake]\nmode = "context"\n')
    home.trust("reader", "read", "reflect", "extract", "judge")
    facts = home.paths.vault / "facts"
    facts.mkdir(parents=True)
    now = "\n".join(f"- [{name} berth] B{n} (since 2026-11-20)" for n, name in enumerate(CREW))
    past = "\n".join(f"- [{name} berth] A{n} (2026-11-02 to 2026-11-20)" for n, name in enumerate(CREW))
    (facts / "Boat.md").write_text(f"# Boat\n\n{now}\n\n## Past\n{past}\n")
    home.start()
    page = (facts / "Boat.md").read_text()
    home.client.feedback("down", question="Who slept in A1?", correction="Bo slept in A1")
    home.client.dream(now=True)
    learned = [run for run in home.client.dreams() if "questions" in run.why]
    assert learned
    assert all(" steps" in run.stopped for run in learned)
    assert home.client.night().spent_tokens > 0
    assert (facts / "Boat.md").read_text() == page
