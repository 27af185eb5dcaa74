"""Statements drawn by a model: trusted, in any language, held against the words; a model that talks nonsense."""

import json
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from daemon import config
from daemon.assembly import assemble
from daemon.client import Turn
from daemon.extraction import NotRead, draw, own_sentences
from daemon.unread import Unread
from models.errors import ModelError
from models.requests import Generation

Home = Any


def said(sentence: int, kind: str, attribute: str, value: str | None = None, **more: object) -> dict[str, object]:
    """A statement as a model writes it."""
    given = {"owner": "us", "old": None, "depends_on": None, "when": None, **more}
    return {"sentence": sentence, "kind": kind, "attribute": attribute, "value": value, **given}


class Script:
    """A model that gives its answers one after the other, and keeps what it was asked."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, generation: Generation) -> str:
        self.asked.append(generation.messages[-1].content)
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return answer if isinstance(answer, str) else json.dumps({"statements": answer})


async def test_a_model_draws_the_same_statements_in_any_language() -> None:
    """Kinds, values, rules and whose it is come out as from patterns, with the sentence they stand in."""
    words = "Unser Teamleiter ist jetzt Mina Olsen. Wenn der Teamleiter wechselt, geht der Bericht an Priya."
    script = Script(
        [
            said(1, "change", "Teamleiter", "Mina Olsen"),
            said(2, "rule", "Bericht", "Priya", depends_on="Teamleiter"),
            said(2, "dependency", "Bericht", depends_on="Teamleiter"),
        ]
    )
    change, rule, dependency = await draw(script, words)
    assert (change.kind, change.attribute, change.value, change.subject) == ("change", "Teamleiter", "Mina Olsen", "we")
    assert words[slice(*change.span)] == "Unser Teamleiter ist jetzt Mina Olsen."
    assert (rule.kind, rule.trigger, rule.value, rule.depends_on[0].name) == ("rule", "changes", "Priya", "Teamleiter")
    assert (dependency.kind, dependency.value) == ("dependency", None)


async def test_what_a_model_makes_up_is_dropped() -> None:
    """Values that do not stand in the sentence, other people's facts, names no line can hold: none becomes a fact."""
    script = Script(
        [
            said(1, "state", "cat", "Tom"),
            said(1, "state", "dog", "Rex"),
            said(9, "state", "cat", "Tom"),
            said(1, "state", "neighbour's cat", "Tom", owner="other"),
            said(1, "state", "x", "Tom"),
            said(1, "state", "a] [b", "Tom"),
            said(1, "change", "cat", None),
            said(1, "dependency", "cat", depends_on="cat"),
            said(1, "state", "cat", "?"),
        ]
    )
    found = await draw(script, "My cat is called Tom.")
    assert [(one.attribute, one.value) for one in found] == [("cat", "Tom")]


async def test_a_model_is_shown_only_the_owners_own_sentences() -> None:
    """Questions, quoted and pasted text and code are not even shown to it; a pasted document not at all."""
    script = Script([])
    await draw(
        script, 'My cat is Tom. Is yours? Bob wrote "my boss is the great Alice".\n> my key is 42\n```\nmy x is y\n```'
    )
    for hidden in ("yours", "Alice", "42", "my x"):
        assert hidden not in script.asked[0]
    assert await draw(Script(), "Please summarize the following text:\n\n" + "My name is Bob. " * 40) == []
    assert await draw(Script(), "Who is the team lead?") == []
    assert own_sentences("") == []


@pytest.mark.parametrize("bad", ["<think>my</think> no idea", '{"statements": [{"a":', '{"x": 1}', ModelError("died")])
async def test_pain_27_a_bad_answer_is_asked_for_once_more(bad: object) -> None:
    """pain 27: thoughts are stripped; broken JSON is tried again once; a second bad answer is told as such."""
    good = '<think>easy</think>{"statements": ' + json.dumps([said(1, "state", "cat", "Tom")]) + "}"
    script = Script(bad, good)
    assert [one.value for one in await draw(script, "My cat is Tom.")] == ["Tom"]
    assert len(script.asked) == 2
    with pytest.raises(NotRead):
        await draw(Script(bad, bad), "My cat is Tom.")


def test_pain_27_what_could_not_be_read_is_kept(tmp_path: Any) -> None:
    """pain 27: unread words survive a restart, are tried a few times by a model, and go when they are forgotten."""
    unread = Unread(tmp_path / "unread")
    unread.add("Mi gato es Tom.", "2026-11-28", "journal/2026/2026-11-28", "small")
    (kept,) = Unread(tmp_path / "unread").waiting("small")
    assert (kept.words, kept.source) == ("Mi gato es Tom.", "journal/2026/2026-11-28")
    unread.failed(kept, "small")
    unread.failed(kept, "small")
    assert unread.waiting("small") == []
    assert len(unread.waiting("bigger")) == 1
    unread.scrub(["tom"])
    assert unread.waiting() == []


ANSWERS = {
    "Teamleiter ist": [said(1, "change", "Teamleiter", "Mina Olsen")],
    "Hafenmeister": [said(1, "state", "Hafenmeister", "Ole Brandt"), said(1, "state", "Hund", "Rex")],
}


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory, home_class: type[Home]) -> Iterator[Home]:
    """A daemon with two models that their check trusts to draw statements; `babbler` talks nonsense."""
    home = home_class(tmp_path_factory.mktemp("home"))
    home.configure('[models]\nchat = "polyglot"\nembed = ""\n[vault]\ncommit_quiet_s = 0\n[log]\nlevel = "debug"\n')
    replies = {words: json.dumps({"statements": found}) for words, found in ANSWERS.items()}
    lines = ", ".join(f"{json.dumps(words)} = {json.dumps(reply)}" for words, reply in replies.items())
    home.add_fake_model("polyglot", settings=f"[fake]\nreplies = {{ {lines} }}\n")
    home.add_fake_model("babbler", settings='[fake]\nreplies = { "Leuchtturm" = "<think>hm</think> {broken" }\n')
    for name in ("polyglot", "babbler"):
        home.trust(name, "extract")
    home.start()
    yield home
    home.close()


def say(home: Home, words: str, model: str) -> tuple[str, Any]:
    with home.client.chat_stream([Turn("user", words)], model=f"{model}:memory") as stream:
        chunks = list(stream)
    return "".join(chunk.text for chunk in chunks), chunks[-1].memory


def test_a_trusted_model_files_what_was_told_in_another_language(polyglot: Home) -> None:
    """German words become a fact with its source line; what the model made up beside it does not."""
    _, memory = say(polyglot, "Unser Teamleiter ist jetzt Mina Olsen.", "polyglot")
    assert [(change.attribute, change.after) for change in memory.changes] == [("Teamleiter", "Mina Olsen")]
    recalled = polyglot.client.recall("Teamleiter")
    assert recalled.sources[0].text == "Unser Teamleiter ist jetzt Mina Olsen."
    done = polyglot.client.remember("Unser Hafenmeister ist Ole Brandt.")
    assert [(change.attribute, change.after) for change in done.changes] == [("Hafenmeister", "Ole Brandt")]


def test_pain_27_a_model_that_talks_nonsense_costs_nothing(polyglot: Home) -> None:
    """pain 27: nothing is filed, the reply comes, the words wait in the state folder, and `doctor` says so."""
    _, memory = say(polyglot, "Unser Leuchtturm ist rot-weiss-88.", "babbler")
    assert memory.changes == []
    waiting = list((polyglot.paths.state_dir / "unread").glob("*.json"))
    assert len(waiting) == 1
    assert b"Leuchtturm" in waiting[0].read_bytes()
    found = [finding for finding in polyglot.client.doctor() if finding.subject == "unread"]
    assert len(found) == 1
    assert "rot-weiss-88" not in polyglot.log.replace("DEBUG", "")


async def test_pain_27_unread_words_are_read_later_and_overtake_nothing(new_home: Callable[[], Home]) -> None:
    """pain 27: once a model can read them, queued words become facts with their source; newer facts stay."""
    home = new_home()
    home.configure('[models]\nchat = "polyglot"\nembed = ""\n')
    answers = {
        "Leuchtturm": [said(1, "state", "Leuchtturm", "rot")],
        "Teamleiter": [said(1, "change", "Teamleiter", "Tom Vega")],
        "Nebelhorn": "<think>never",
    }
    lines = ", ".join(
        f"{words} = {json.dumps(json.dumps({'statements': found}) if isinstance(found, list) else found)}"
        for words, found in answers.items()
    )
    home.add_fake_model("polyglot", settings=f"[fake]\nreplies = {{ {lines} }}\n")
    home.trust("polyglot", "extract")
    page = home.paths.vault / "facts/Us.md"
    page.parent.mkdir(parents=True)
    page.write_text("- [Teamleiter] Mina Olsen (since 2026-11-29)\n")
    home.paths.make()
    async with AsyncExitStack() as stack:
        parts = await assemble(config.load(home.paths, {}), home.paths, stack)
        await parts.memory.open(stack)
        unread = Unread(home.paths.state_dir / "unread")
        for words in ("Unser Leuchtturm ist rot.", "Unser Teamleiter ist Tom Vega.", "Unser Nebelhorn ist laut."):
            unread.add(words, "2026-11-28", "journal/2026/2026-11-28", "babbler")
        assert parts.assistant.telling.waiting() == 3
        assert await parts.assistant.telling.read_again() == "2 read, 1 not"
        assert [kept.tries for kept in unread.waiting()] == [{"babbler": 1, "polyglot": 1}]
        await parts.assistant.settle()
        text = page.read_text()
        assert "- [Leuchtturm] rot (since " in text
        assert "from [[journal/2026/2026-11-28]]" in text
        assert "- [Teamleiter] Mina Olsen (since 2026-11-29)\n" in text
