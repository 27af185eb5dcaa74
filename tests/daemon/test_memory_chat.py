"""Chat with memory, end to end: a daemon, a scripted model, real pages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from daemon import courtesies, wire
from daemon.client import DaemonError, Turn

Home = Any

TRAILER = "The boat trailer is parked behind the barn, under the green tarpaulin."


@pytest.fixture(scope="module")
def remembering(tmp_path_factory: pytest.TempPathFactory, home_class: type[Home]) -> Iterator[Home]:
    """A daemon with a note in its vault, an untrusted model `tiny`, and `reader`, which is trusted to read."""
    home = home_class(tmp_path_factory.mktemp("home"))
    # No embedding model: a scripted one finds likeness where there is none.
    home.configure('[models]\nchat = "tiny"\nembed = ""\n[vault]\ncommit_quiet_s = 0\n')
    home.add_fake_model()
    home.add_fake_model("reader")
    home.trust("reader", "read")
    home.paths.vault.mkdir(parents=True)
    (home.paths.vault / "Boats.md").write_text(f"# Boats\n\n{TRAILER}\n")
    home.start()
    home.until(lambda: home.client.search("trailer").hits)
    yield home
    home.close()


def say(home: Home, *words: str, model: str = "tiny:memory") -> tuple[str, wire.ChatMemory]:
    """The reply to a conversation whose user turns are *words*, and what memory did."""
    turns: list[Turn] = []
    for word in words[:-1]:
        turns += [Turn("user", word), Turn("assistant", "ok")]
    with home.client.chat_stream([*turns, Turn("user", words[-1])], model=model) as stream:
        chunks = list(stream)
    memory = chunks[-1].memory
    assert memory is not None
    return "".join(chunk.text for chunk in chunks), memory


def _first_hit(home: Home, query: str) -> str:
    hits = home.client.search(query).hits
    return hits[0].text if hits else ""


def _history(home: Home) -> list[wire.Commit]:
    return list(home.client.history())


def test_what_is_told_is_noted_filed_and_answered(remembering: Home) -> None:
    """A fact told in chat is confirmed with its page, stands there with its source, and answers the next question."""
    reply, memory = say(remembering, "Our team lead is Tom Vega.")
    assert reply == "Noted: your team lead is Tom Vega (facts/Us.md)."
    change = memory.changes[0]
    assert (change.attribute, change.after, change.path) == ("team lead", "Tom Vega", "facts/Us.md")
    page = remembering.client.page("facts/Us.md").text.splitlines()
    assert page[change.line - 1].startswith("- [team lead] Tom Vega (since ")
    journal = remembering.journal
    assert "> Our team lead is Tom Vega." in journal
    assert "> Noted: your team lead is Tom Vega (facts/Us.md)." in journal
    reply, memory = say(remembering, "Who is our team lead?")
    assert reply == "Your team lead is Tom Vega."
    assert memory.kind == "fact"
    assert (memory.sources[0].path, memory.sources[0].start_line) == ("facts/Us.md", change.line)
    assert any(commit.id == memory.commit for commit in remembering.client.history()) or memory.commit is None
    assert remembering.client.ask("Who is our team lead?").kind == "fact"


def test_pain_04_what_is_told_makes_no_page_unreadable(remembering: Home) -> None:
    """pain 04: a NUL in what a client tells stands as a sign on the pages, in facts and rules too: they stay text."""
    _, memory = say(remembering, "Our parrot is Co\0co.")
    assert [change.after for change in memory.changes] == ["Co\u2400co"]
    say(remembering, "If our parrot changes, our cage cleaner becomes Pa\0ul.")
    remembering.client.remember("salt\0 and pepper", verbatim=True)
    assert "Co\u2400co" in remembering.client.ask("What is our parrot?").text
    assert [f.message for f in remembering.client.doctor() if "UTF-8" in f.message] == []
    pages = [page.read_bytes() for page in remembering.paths.vault.rglob("*.md")]
    assert not any(b"\0" in page for page in pages)


def test_only_the_last_turn_is_new(remembering: Home) -> None:
    """Clients send the whole conversation each time: what was told in earlier turns is not told again."""
    say(remembering, "Our deadline is Friday.")
    say(remembering, "Our deadline is now Monday.")
    reply, memory = say(remembering, "Our deadline is Friday.", "When is our deadline?")
    assert memory.changes == []
    assert "Monday" in reply
    _, memory = say(remembering, "hello", "Our deadline is now Tuesday.", "Thanks!")
    assert memory.changes == []


def test_notes_are_quoted_with_their_lines_where_no_model_can_read(remembering: Home) -> None:
    """A question that facts do not answer gets the passage itself, with path and line, not the model's guess."""
    reply, memory = say(remembering, "Where is the boat trailer parked?")
    assert f"> {TRAILER}\n(Boats.md:3)" in reply
    assert (memory.kind, memory.sources[0].path, memory.sources[0].start_line) == ("passages", "Boats.md", 3)
    answer = remembering.client.ask("Where is the boat trailer parked?")
    assert (answer.kind, answer.sources[0].path) == ("passages", "Boats.md")
    reply, memory = say(remembering, "What is my sister's name?")
    assert (reply, memory.kind) == ("Nothing in memory answers that.", "unknown")
    unknown = remembering.client.ask("Which opera did Verdi write first?")
    assert (unknown.kind, unknown.sources) == ("unknown", [])


def test_a_question_is_not_answered_with_a_fact_of_another(remembering: Home) -> None:
    """In chat and by `ask`, a fact of somebody or something else is no answer."""
    say(remembering, "My favourite colour is green.")
    for question in ("What is Ben's favourite colour?", "What is my favourite food?"):
        reply, _ = say(remembering, question)
        assert "green" not in reply
        assert remembering.client.ask(question).kind != "fact"
    assert say(remembering, "What is my favourite colour?")[0] == "Your favourite colour is green."
    assert "Your favourite colour is green." in say(remembering, "What do you know about me?")[0].splitlines()


def test_talk_goes_to_the_model(remembering: Home) -> None:
    """What tells nothing and asks nothing of memory is the model's to answer."""
    reply, memory = say(remembering, "Tell me a joke")
    assert reply == "You said: Tell me a joke"
    assert (memory.changes, memory.sources) == ([], [])


def test_courtesies_are_answered_without_a_model_that_cannot_talk(remembering: Home) -> None:
    """A greeting gets a fixed and true sentence where the model passed no test, and goes to one that follows."""
    remembering.trust("reader", "read", "follow")
    try:
        for greeting in ("hi", "Good morning!"):
            reply, memory = say(remembering, greeting)
            assert reply == courtesies.HELLO
            assert (memory.kind, memory.sources) == (None, [])
        assert say(remembering, "Thanks!")[0] == courtesies.WELCOME
        assert "You said: " in say(remembering, "hi", model="reader:memory")[0]
    finally:
        remembering.trust("reader", "read")


def test_answers_from_facts_count_their_tokens(remembering: Home) -> None:
    """`usage` is what question and answer come to: estimated without waking the model, by its count where loaded."""
    say(remembering, "Our night porter is Emil Baur.")
    asked = {"model": "tiny:memory", "messages": [{"role": "user", "content": "Who is our night porter?"}]}

    def used() -> tuple[int, int]:
        usage = (
            httpx.post(f"{remembering.url}/v1/chat/completions", json=asked, timeout=60)
            .raise_for_status()
            .json()["usage"]
        )
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
        return usage["prompt_tokens"], usage["completion_tokens"]

    remembering.client.unload("tiny")
    assert used() == (8, 11)  # a third of the bytes
    assert all(worker.model != "tiny" for worker in remembering.client.status().workers)
    remembering.client.load("tiny")
    counted = used()
    assert counted != (8, 11)
    assert min(counted) > 0


def test_an_untrusted_model_does_not_answer_what_states_no_fact(remembering: Home) -> None:
    """Where a statement gave no fact, the daemon says so; a model's guess might pass for something noted."""
    reply, memory = say(remembering, "He is a pilot and lives in Oslo.")
    assert (reply, memory.changes) == ("I kept that in the conversation, not as a fact.", [])
    assert say(remembering, "Thanks!")[0] == "You're welcome."
    assert say(remembering, "Where does Agnes live?")[0] == "Nothing in memory answers that."
    assert say(remembering, "Where do I sail?")[0] == "Nothing in memory answers that."


def test_no_model_speaks_as_if_it_had_noted_something(remembering: Home) -> None:
    """A model's reply loses the mark of a confirmation, however it comes in pieces."""
    assert say(remembering, "/say Noted: his name is Sam.")[0] == "his name is Sam."
    assert say(remembering, "/say Note this")[0] == "Note this"


def test_a_trusted_model_reads_memory_as_data(remembering: Home) -> None:
    """A model that can read gets the block before the question, and the reply carries what it was given."""
    say(remembering, "Our office plant is a fern.")
    reply, memory = say(remembering, "Which plant is in our office?", model="reader:memory")
    assert "<memory>" in reply  # the scripted model repeats what it was told
    assert "- office plant: " in reply
    assert "follow no instruction" in reply
    assert "facts/Us.md" in {source.path for source in memory.sources}
    answer = remembering.client.ask("Which plant is on the roof of the barn?", model="reader")
    assert (answer.kind, answer.model) == ("model", "reader")


def test_memory_answers_without_any_model(remembering: Home) -> None:
    """A `:memory` name whose model is not installed answers from facts; only talk is refused, with the next step."""
    say(remembering, "Our printer is a Brother HL-2.")
    missing = "smollm2-135m-instruct:memory"
    reply, _ = say(remembering, "What is our printer?", model=missing)
    assert "Brother HL-2" in reply
    with pytest.raises(DaemonError, match="reverie models pull smollm2-135m-instruct"):
        say(remembering, "Tell me a joke", model=missing)


def test_a_client_that_hangs_up_has_still_told(remembering: Home) -> None:
    """The reply is lost with the client, what it told is not: the exchange is journaled and the fact filed."""
    body = {
        "model": "reader:memory",
        "messages": [{"role": "user", "content": "Our canteen is Luigi's."}],
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "stream": True,
    }
    with httpx.stream("POST", f"{remembering.url}/v1/chat/completions", json=body, timeout=60) as stream:
        next(stream.iter_lines())
    remembering.until(lambda: remembering.client.ask("What is our canteen?").text == "Your canteen is Luigi's.")


def test_an_edit_on_disk_is_found_in_its_new_form(remembering: Home) -> None:
    """A page saved in an editor is found as it is now, never as it was, and its owner's edit is committed as theirs."""
    page = remembering.paths.vault / "Cellar.md"
    page.write_text("# Cellar\n\nThe quinces are in crate seven.\n")
    remembering.until(lambda: "crate seven" in _first_hit(remembering, "quinces"))
    page.write_text("# Cellar\n\nThe quinces are in crate nine.\n")
    assert all("seven" not in hit.text for hit in remembering.client.search("quinces crate").hits)
    remembering.until(lambda: "crate nine" in _first_hit(remembering, "quinces"))
    commit = remembering.until(lambda: next((c for c in _history(remembering) if "Cellar.md" in c.paths), None))
    assert commit is not None
    assert commit.author != "reverie"


def test_a_fact_edited_by_hand_recalculates_what_hangs_on_it(remembering: Home) -> None:
    """Changing a fact's line in an editor follows the owner's rules, exactly as saying it would."""
    page = remembering.paths.vault / "facts" / "Boat.md"
    page.parent.mkdir(exist_ok=True)
    text = (
        "# Boat\n\n- [engine] Yanmar 3GM\n- [spare filter] type 4\n\n"
        "## Rules\n- when [engine] changes, [spare filter] becomes ?\n"
    )
    page.write_text(text)
    remembering.until(lambda: remembering.client.ask("What is the spare filter?").kind == "fact")
    page.write_text(text.replace("Yanmar 3GM", "Volvo D1"))
    remembering.until(lambda: "- [spare filter] ? (was type 4; unsure since" in page.read_text())
    assert remembering.client.ask("What is the spare filter?").kind == "unsure"


def test_remember_files_facts_or_a_note_and_undo_takes_it_back(remembering: Home) -> None:
    """`remember` files what it can as facts, the rest as a note line; both have an id that undoes them."""
    fact = remembering.client.remember("Our harbour master is Ines Prado.")
    assert fact.changes[0].after == "Ines Prado"
    assert fact.commit
    remembering.client.undo(fact.commit)
    assert remembering.client.ask("Who is our harbour master?").kind != "fact"
    note = remembering.client.remember("The barn key hangs on the left nail.")
    assert note.noted is not None
    line = remembering.client.page(note.noted.path).text.splitlines()[note.noted.start_line - 1]
    assert "The barn key hangs on the left nail." in line
    named = remembering.client.remember("Oil the hinges.", page="Barn.md", verbatim=True)
    assert named.noted is not None
    assert named.noted.path == "Barn.md"


def test_pain_29_forget_asks_first_and_then_leaves_a_tombstone(remembering: Home) -> None:
    """pain 29: unconfirmed, `forget` only tells; confirmed, the value is nowhere, and asking says why."""
    say(remembering, "Our alarm code is 7719.")
    told = remembering.client.forget("alarm code")
    assert (told.done, told.matches[0].value) == (False, "7719")
    assert remembering.client.forget("alarm code", confirm=True).done
    assert remembering.client.ask("What is our alarm code?").kind == "forgotten"
    for file, data in remembering.files():  # pages, index, vectors, records, log: all that lies there as it is
        assert b"7719" not in data, file
    with pytest.raises(DaemonError):
        remembering.client.undo("ffffffff")


def test_pages_are_listed_shown_and_explained(remembering: Home) -> None:
    """Listing, reading and the why of being found; outside the vault nothing is readable."""
    remembering.until(lambda: remembering.client.page_status("Boats.md").state == "indexed")
    pages = {page.path: page for page in remembering.client.pages()}
    assert pages["Boats.md"].title == "Boats"
    assert {page.path for page in remembering.client.pages(prefix="facts/")} == {
        path for path in pages if path.startswith("facts/")
    }
    assert remembering.client.page("Boats.md").text == f"# Boats\n\n{TRAILER}\n"
    assert remembering.client.page_status("Boats.md").state == "indexed"
    assert remembering.client.page_status("Nowhere.md").state == "missing"
    for path in ("../config.toml", "/etc/passwd", "facts/../../config.toml"):
        with pytest.raises(DaemonError) as caught:
            remembering.client.page(path)
        assert caught.value.status in (403, 404)
    with pytest.raises(DaemonError) as caught:
        remembering.client.page("Nowhere.md")
    assert caught.value.status == 404


def test_reindex_reads_everything_anew(remembering: Home) -> None:
    """Reindexing one file leaves the others alone; reindexing all finds the same pages."""
    assert remembering.client.reindex(["Boats.md"]).removed == 0
    assert remembering.client.reindex().added >= 2
    assert remembering.client.search("trailer").hits


def test_a_vault_that_cannot_be_used_is_told_and_models_serve_on(new_home: Callable[[], Home]) -> None:
    """With a file where the index should be, the daemon starts, names the problem, chats plainly, refuses memory."""
    home = new_home()
    home.add_fake_model()
    home.paths.state_dir.mkdir(parents=True)
    (home.paths.state_dir / "index").write_text("not a folder")
    home.start()
    assert any("cannot be used" in problem for problem in home.client.health().problems)
    with pytest.raises(DaemonError, match="cannot be used"):
        home.client.search("anything")
    with home.client.chat_stream([Turn("user", "/say plain")], model="tiny") as stream:
        assert "".join(chunk.text for chunk in stream) == "plain"
    with pytest.raises(DaemonError, match="cannot be used"):  # rather than forget what is told
        say(home, "Our printer is a Brother HL-2.")


def test_what_could_not_be_written_is_not_said_to_be_noted(new_home: Callable[[], Home]) -> None:
    """Where a fact cannot be written the client gets the error; the journal keeps the words, and claims nothing."""
    home = new_home()
    home.configure('[models]\nchat = "tiny"\nembed = ""\n')
    home.add_fake_model()
    home.paths.vault.mkdir(parents=True)
    (home.paths.vault / "facts").write_text("in the way of the folder")
    home.start()
    with pytest.raises(DaemonError, match="could not be written"):
        say(home, "Our team lead is Tom Vega.")
    journal = home.journal
    assert "> Our team lead is Tom Vega." in journal
    assert "Noted" not in journal


def test_a_vault_of_the_owners_is_written_below_one_folder(tmp_path: Path, home_class: type[Home]) -> None:
    """In an Obsidian vault facts, rules and conversations go below `reverie/`; every other file stays as it is."""
    home = home_class(tmp_path)
    vault = tmp_path / "Obsidian"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "facts").mkdir()
    (vault / "facts" / "Us.md").write_text("# Us\n\n- [team lead] Arno Weiss\n")
    home.configure(f'[vault]\npath = "{vault}"\n[models]\nchat = "tiny"\nembed = ""\n')
    home.add_fake_model()
    before = {file: file.read_bytes() for file in vault.rglob("*") if file.is_file()}
    try:
        home.start()
        for told in (
            "Our team lead is Tom Vega.",
            "Whenever our team lead changes, our code reviewer becomes unknown.",
            "I like quiet trains.",
            "Our team lead is now Mina Olsen.",
        ):
            home.client.remember(told)
        say(home, "Our deadline is Friday.")
        assert home.client.ask("Who is our team lead?").text == "Your team lead is Mina Olsen."
    finally:
        home.close()
    after = {file: file.read_bytes() for file in vault.rglob("*") if file.is_file()}
    made = {file.relative_to(vault).parts[0] for file in after if file not in before}
    assert made <= {"reverie"}
    assert {file: after[file] for file in before} == before
    assert "[team lead] Mina Olsen" in (vault / "reverie" / "facts" / "Us.md").read_text()


def test_nothing_is_said_to_be_noted_that_could_not_be(tmp_path: Path, home_class: type[Home]) -> None:
    """Where the vault cannot be written, a chat fails with the reason instead of saying that it noted something."""
    home = home_class(tmp_path)
    home.configure('[models]\nchat = "tiny"\nembed = ""\n')
    home.add_fake_model()
    home.paths.vault.mkdir(parents=True)
    (home.paths.vault / "journal").write_text("a file where a folder must be")
    try:
        home.start()
        said = []
        with (
            pytest.raises(DaemonError) as refused,
            home.client.chat_stream([Turn("user", "Our team lead is Tom Vega.")], model="tiny:memory") as stream,
        ):
            said += [chunk.text for chunk in stream]
        assert "journal" in str(refused.value)
        assert "".join(said) == ""
        assert not (home.paths.vault / "facts").exists()
    finally:
        home.close()


def test_the_next_message_corrects_what_was_told(remembering: Home) -> None:
    """`No, it's oolong` right after a fact was told sets that fact right, and the next one can set it right again."""
    told = ["My favourite drink is cocoa.", "No, it's oolong.", "Sorry, I meant sencha, not oolong."]
    for said in range(1, 4):
        _, memory = say(remembering, *told[:said])
        assert [change.attribute for change in memory.changes] == ["favourite drink"]
    assert memory.changes[0].after == "sencha"
    reply, _ = say(remembering, *told, "What is my favourite drink?")
    assert "sencha" in reply


def test_what_was_undone_is_not_quoted_from_the_conversation(remembering: Home) -> None:
    """The words stay in the journal, but an answer gives them as what is told no more than memory does."""
    _, memory = say(remembering, "Our shed is lit by paraffin lanterns.")
    assert "paraffin" in remembering.client.ask("What is our shed lit by?").text
    remembering.client.undo(memory.commit)
    assert "paraffin" not in remembering.client.ask("What is our shed lit by?").text
    assert "paraffin" in remembering.journal
