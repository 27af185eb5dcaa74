"""The store as a whole: facts written with what hangs on them, merged with the owner's edits, undone, forgotten."""

import os
import re
import shutil
import threading
import time
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Literal

import pytest
from dulwich.repo import Repo

from memory_store import writer
from memory_store.errors import (
    HistoryBusy,
    NothingToUndo,
    NotOurs,
    PageReadOnly,
    PageUnreadable,
    ProposalUnknown,
    UndoConflict,
    VaultMissing,
    VaultReadOnly,
)
from memory_store.facts import FactChange
from memory_store.files import Vault, content_hash
from memory_store.forgetting import Going
from memory_store.journal import Exchange, Said
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=timezone(timedelta(hours=1)))
WORK = """\
---
title: Work
---
# Work

- [team lead] Tom Vega (since 2026-11-12)
- [weekly report recipient] Lena Brandt (since 2026-11-13)
- [code reviewer] Arno Weiss
- [dev server port] 4321

## Rules
- when [team lead] changes, [weekly report recipient] becomes Priya Nair
- when [team lead] changes, [code reviewer] becomes ?
"""


@pytest.fixture(autouse=True)
def no_git_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own git configuration takes part."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def opened(home: Path, *, owned: bool = True) -> Store:
    store = Store.open(home / "memory", home / "state", owned=owned, now=lambda: NOW)
    store.go_on_forgetting()  # as the daemon does, beside all else
    return store


def put(home: Path, path: str, text: str) -> Path:
    file = home / "memory" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def lead(value: str = "Mina Olsen") -> FactChange:
    return FactChange("facts/Work.md", "team lead", "set", after=value, reason="told in chat")


def all_bytes(home: Path) -> bytes:
    """Every byte below *home*, names included, compressed git objects unpacked, packed ones too."""
    found = []
    for file in home.rglob("*"):
        found.append(os.fsencode(file))
        if file.is_file():
            found.append(file.read_bytes())
            if file.parent.parent.name == "objects" and len(file.name) == 38:
                found.append(zlib.decompress(file.read_bytes()))
    for control in home.rglob(".git"):
        with Repo(str(control.parent)) as repo:
            found += [repo.object_store[sha].as_raw_string() for sha in repo.object_store]
    return b"\n".join(found)


def test_the_repository_is_made_before_anything_watches(tmp_path: Path) -> None:
    """An open store of a new vault has its repository, so that no commit makes folders that come and go later on."""
    store = Store.open(tmp_path / "vault", tmp_path / "state", owned=True, now=lambda: NOW)
    assert sorted(path.name for path in (tmp_path / "vault").iterdir()) == [".git"]
    assert store.history() == []
    with pytest.raises(NothingToUndo):
        store.undo(None)
    store.close()


def test_a_change_takes_what_hangs_on_it_along(tmp_path: Path) -> None:
    """One write changes the fact and its dependants, in the page, in one commit, in the ledger and in the index."""
    put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.sync()
    result = store.write([lead()], "Remember who leads the team", "journal/2026/2026-11-28")
    assert [(change.attribute, change.before, change.after) for change in result.changes] == [
        ("team lead", "Tom Vega", "Mina Olsen"),
        ("weekly report recipient", "Lena Brandt", "Priya Nair"),
        ("code reviewer", "Arno Weiss", None),
    ]
    assert [change.line for change in result.changes] == [6, 7, 8]
    assert result.changes[1].reason == "[team lead] changed"
    assert store.ledger.current("team lead")[0].source == "journal/2026/2026-11-28"
    assert store.ledger.current("code reviewer")[0].state == "unsure"
    newest, before, *_ = store.history()
    assert (newest.id, newest.paths, newest.ours) == (result.commit, ("facts/Work.md",), True)
    assert newest.message.startswith("Remember who leads the team\n\n- [team lead] Mina Olsen\n")
    assert not before.ours
    assert store.search("Mina Olsen").__getitem__(0).path == "facts/Work.md"
    store.close()
    again = opened(tmp_path)
    assert again.ledger.current("team lead")[0].value == "Mina Olsen"
    assert again.follow_edits().changes == ()
    again.close()


def test_a_new_page_is_made_for_a_new_fact(tmp_path: Path) -> None:
    """In an empty vault the first fact makes its page; nothing else appears beside it."""
    store = opened(tmp_path)
    store.write([FactChange("facts/Me.md", "hobby", "add", after="chess")], "Remember a hobby")
    assert [info.path for info in store.pages()] == ["facts/Me.md"]
    assert store.read("facts/Me.md").text.count("- [hobby] chess") == 1
    assert store.doctor() == []
    store.close()


def test_edits_by_hand_recalculate_as_spoken_ones(tmp_path: Path) -> None:
    """A fact changed in an editor, also while no daemon ran, takes along what hangs on it, once."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.owner_commit()
    store.close()
    file.write_text(WORK.replace("Tom Vega (since 2026-11-12)", "Mina Olsen"))
    store = opened(tmp_path)
    result = store.follow_edits()
    assert [(change.attribute, change.after) for change in result.changes] == [
        ("weekly report recipient", "Priya Nair"),
        ("code reviewer", None),
    ]
    assert [commit.author for commit in store.history()] == ["reverie", "Owner", "Owner"]
    assert store.follow_edits().changes == ()
    store.close()


def test_pain_02_a_page_with_bad_yaml_is_byte_identical(tmp_path: Path) -> None:
    """pain 02: a change to a fact on a page with invalid frontmatter is refused with its line, and so is all of it."""
    bad = "---\ntitle: Work\n\tbad: yes\n---\n- [team lead] Tom Vega\n"
    file = put(tmp_path, "facts/Work.md", bad)
    store = opened(tmp_path)
    with pytest.raises(PageReadOnly, match=r"facts/Work.md:3: ") as refused:
        store.write([FactChange("facts/Me.md", "hobby", "add", after="chess"), lead()], "Both")
    assert refused.value.line == 3
    assert file.read_text() == bad
    assert not (tmp_path / "memory/facts/Me.md").exists()
    assert [(finding.path, finding.line) for finding in store.doctor()] == [("facts/Work.md", 3)]
    store.close()


def test_pain_07_what_is_edited_outside_is_never_answered(tmp_path: Path) -> None:
    """pain 07: an editor that rewrites `updated:` at each save sees no write of ours: not by sync, follow or commit."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.owner_commit()
    for number in range(3):
        file.write_text(WORK.replace("title: Work", f"title: Work\nupdated: {number}"))
        before = file.stat()
        store.sync()
        store.follow_edits()
        store.owner_commit()
        after = file.stat()
        assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (
            after.st_ino,
            after.st_mtime_ns,
            after.st_ctime_ns,
        )
    assert {commit.author for commit in store.history()} == {"Owner"}
    store.close()


def saving(store: Store, file: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the owner save *text* at the moment when the store has decided what to write."""
    real = Vault.replace
    saves = [text]

    def replace(vault: Vault, path: str, data: bytes, expected: str | None, *, may_shrink: bool = False) -> str:
        if saves:
            file.write_text(saves.pop())
        return real(vault, path, data, expected, may_shrink=may_shrink)

    monkeypatch.setattr(Vault, "replace", replace)
    del store


def test_pain_08_changes_on_different_lines_are_both_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: the owner saves while we are about to write: both changes stand, theirs is a commit of their own."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    saving(store, file, WORK.replace("4321", "8080") + "\nmy remark\n", monkeypatch)
    result = store.write([lead()], "Remember")
    text = file.read_text()
    assert "- [dev server port] 8080" in text
    assert "my remark" in text
    assert "- [team lead] Mina Olsen" in text
    assert result.parked == ()
    assert store.ledger.current("dev server port")[0].value == "8080"
    ours, theirs, _as_found = (commit.author for commit in store.history())
    assert (ours, theirs) == ("reverie", "Owner")
    store.undo()
    assert file.read_text() == WORK.replace("4321", "8080") + "\nmy remark\n"
    store.close()


@pytest.mark.parametrize("halfway", ["", WORK[: len(WORK) // 3]])
def test_pain_08_a_save_seen_halfway_collides_with_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, halfway: str
) -> None:
    """pain 08: an editor that empties a page and then writes it is let finish: both changes stand."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    saving(store, file, halfway, monkeypatch)
    waited = []

    def finish_the_save(seconds: float) -> None:
        waited.append(seconds)
        file.write_text(WORK.replace("4321", "8080"))

    monkeypatch.setattr(writer.time, "sleep", finish_the_save)
    result = store.write([lead()], "Remember")
    assert len(waited) == 1
    assert result.parked == ()
    assert "- [dev server port] 8080" in file.read_text()
    assert "- [team lead] Mina Olsen" in file.read_text()
    store.close()


def test_pain_08_a_parked_change_can_still_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: applied, a parked change takes its lines, other edits of the owner's stay; undo brings theirs back."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    theirs = WORK.replace("Tom Vega (since 2026-11-12)", "Zoe Quist").replace("4321", "8080") + "\nmy remark\n"
    saving(store, file, theirs, monkeypatch)
    (proposal,) = store.write([lead()], "Remember").parked
    monkeypatch.undo()
    with pytest.raises(ProposalUnknown):
        store.apply_proposal("nothing starts so")
    result = store.apply_proposal(proposal.id[:-2])
    text = file.read_text()
    assert "- [team lead] Mina Olsen (since 2026-11-28" in text
    assert "Zoe Quist" not in text
    assert "8080" in text
    assert "\nmy remark\n" in text
    assert [change.after for change in result.changes if change.attribute == "team lead"] == ["Mina Olsen"]
    assert store.proposals() == []
    store.undo(result.commit)
    assert "- [team lead] Zoe Quist\n" in file.read_text()
    assert "Mina Olsen" not in file.read_text()
    store.close()


def test_pain_08_the_same_line_is_the_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 08: the owner saves another value on the very line: theirs stays, ours is parked, shown, and never lost."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    theirs = WORK.replace("Tom Vega (since 2026-11-12)", "Zoe Quist")
    saving(store, file, theirs, monkeypatch)
    result = store.write([lead()], "Remember")
    assert file.read_text() == theirs
    assert result.changes == ()
    assert result.commit is None
    (proposal,) = result.parked
    assert proposal.path == "facts/Work.md"
    assert b"Mina Olsen" in (proposal.ours or b"")
    (finding,) = (finding for finding in store.doctor() if finding.subject == "parked")
    assert "+- [team lead] Mina Olsen" in finding.message
    store.close()
    store = opened(tmp_path)
    assert store.proposals() == [proposal]
    store.drop_proposal(proposal.id)
    assert store.proposals() == []
    store.close()


def test_pain_12_a_page_that_cannot_be_read_keeps_its_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 12: EIO on a page of facts is no deletion: its facts stay known until it can be read again."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.sync()
    real = os.open

    def failing(path: str | Path, *arguments: int, **more: int) -> int:
        if str(path).endswith("Work.md"):
            raise OSError(5, "Input/output error")
        return real(path, *arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", failing)
        file.write_text(WORK + "\nmore\n")
        report = store.sync()
        assert report.removed == 0
        assert store.ledger.current("team lead")[0].value == "Tom Vega"
    store.sync()
    assert store.ledger.current("team lead")[0].value == "Tom Vega"
    store.close()


def test_pain_15_odd_names_are_read_and_undone(tmp_path: Path) -> None:
    """pain 15: pages with odd names are listed once each, read by their raw name, and committed."""
    names = ["caf\u00e9.md", "cafe\u0301.md", "🦔 .md", "n" * 252 + ".md"]
    for name in names:
        put(tmp_path, name, f"# {len(name)}\n")
    store = opened(tmp_path)
    store.sync()
    store.owner_commit()
    assert sorted(info.path for info in store.pages()) == sorted(names)
    assert all(store.read(name).hash == content_hash(f"# {len(name)}\n".encode()) for name in names)
    assert set(store.history()[0].paths) == set(names)
    store.close()


def test_pain_16_conflicted_copies_are_listed_with_a_diff(tmp_path: Path) -> None:
    """pain 16: a conflicted copy gives no facts and no hits; doctor shows it with what differs."""
    put(tmp_path, "facts/Work.md", WORK)
    put(tmp_path, "facts/Work (conflicted copy 2026-07-10).md", WORK.replace("4321", "9999"))
    store = opened(tmp_path)
    store.sync()
    assert len(store.ledger.current("dev server port")) == 1
    assert [hit.path for hit in store.search("9999")] == []
    (finding,) = store.doctor()
    assert finding.subject == "conflict"
    assert "-- [dev server port] 4321\n+- [dev server port] 9999" in finding.message
    assert [info.path for info in store.pages()] == ["facts/Work.md"]
    store.close()


def test_a_merge_that_is_not_finished_is_told_with_its_line(tmp_path: Path) -> None:
    """What git leaves in a page of both sides of a merge is listed by path and line; shown as code it is none."""
    sides = "<<<<<<< HEAD\n- [launch day] Monday\n=======\n- [launch day] Friday\n>>>>>>> other\n"
    put(tmp_path, "facts/Plan.md", f"# Plan\n\n{sides}")
    put(tmp_path, "git.md", f"# How it looks\n\n```\n{sides}```\n")
    put(tmp_path, "rule.md", "Title\n=======\n>>>>>>> quoted\n")
    store = opened(tmp_path)
    found = [(one.path, one.line) for one in store.doctor() if "merge" in one.message]
    assert found == [("facts/Plan.md", 3)]
    store.close()


def test_undo_takes_back_one_change_and_only_that(tmp_path: Path) -> None:
    """Undo restores the fact and its dependants, keeps later edits of other lines, and can itself be undone."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    first = store.write([lead()], "Lead")
    store.write([FactChange("facts/Work.md", "dev server port", "set", after="8080")], "Port")
    file.write_text(file.read_text() + "\nby hand\n")
    undone = store.undo(first.commit)
    assert undone.undone.id == first.commit
    text = file.read_text()
    assert "by hand" in text
    assert "8080" in text
    assert "Mina" not in text
    assert store.ledger.current("code reviewer")[0].value == "Arno Weiss"
    store.undo(undone.commit)
    assert store.ledger.current("team lead")[0].value == "Mina Olsen"
    assert store.undo().undone.message.startswith("Port")
    assert store.undo().undone.message.startswith("Lead")
    with pytest.raises(NothingToUndo):
        store.undo()
    assert file.read_text() == WORK + "\nby hand\n"
    store.close()


def test_undo_of_lines_that_changed_since_is_refused(tmp_path: Path) -> None:
    """When what a change wrote was changed again, undo names the page and touches nothing."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.write([lead()], "Lead")
    edited = file.read_text().replace("Mina Olsen", "Zoe Quist")
    file.write_text(edited)
    with pytest.raises(UndoConflict) as refused:
        store.undo()
    assert refused.value.paths == ("facts/Work.md",)
    assert file.read_text().count("Zoe Quist") == 1
    store.close()


def test_notes_are_filed_word_for_word(tmp_path: Path) -> None:
    """A note goes to the end of its page as it was said, with its lines named, in a commit that can be undone."""
    put(tmp_path, "Ideas.md", "# Ideas\n\n- one (2026-01-01)")
    store = opened(tmp_path)
    noted = store.remember_note("two: [x] y", "Ideas")
    assert (noted.path, noted.start_line, noted.end_line) == ("Ideas.md", 4, 4)
    assert store.read("Ideas.md").text == "# Ideas\n\n- one (2026-01-01)\n- two: [x] y (2026-11-28)\n"
    noted = store.remember_note("a\n\n# b")
    assert noted.path == "Notes.md"
    assert store.read("Notes.md").text.endswith("\n**2026-11-28**\n> a\n>\n> # b\n")
    assert store.read("Notes.md").text.splitlines()[noted.start_line - 1] == "**2026-11-28**"
    store.undo()
    assert not (tmp_path / "memory/Notes.md").exists()
    store.close()


def test_conversations_are_kept_found_and_committed_as_ours(tmp_path: Path) -> None:
    """An exchange is in the journal when the call returns, found after the next sync, and committed as reverie's."""
    store = opened(tmp_path)
    exchange = Exchange("e1", NOW, "m:memory", [Said("user", "the heron nests here"), Said("assistant", "Noted.")])
    ref = store.append_journal(exchange)
    assert "> the heron nests" in (tmp_path / "memory" / ref.path).read_text()
    store.sync([ref.path])
    assert store.search("heron")[0].path == ref.path
    store.owner_commit()
    store.append_journal(Exchange("e2", NOW, "m:memory", [Said("user", "again")]))
    store.owner_commit()
    assert [commit.author for commit in store.history()] == ["reverie", "reverie"]
    with pytest.raises(NothingToUndo):
        store.undo()
    store.close()


@pytest.mark.parametrize("value", ["hunter2-Gäste", "sunflower", "Riga"])
def test_pain_29_forgotten_bytes_are_nowhere(tmp_path: Path, value: str) -> None:
    """pain 29: after forget, the value is in no file below the data and state folders."""
    put(tmp_path, "facts/Home.md", "# Home\n\n- [router] in the hall\n")
    put(tmp_path, "Notes/wifi.md", f"the guest wifi password, {value}, is on the fridge\n")
    put(tmp_path, "Notes/wifi (conflicted copy 2026-07-10).md", f"guest wifi password {value}\n")
    store = opened(tmp_path)
    told = Said("user", f"the guest wifi password is {value}")
    ref = store.append_journal(Exchange("e1", NOW, "m", [told, Said("assistant", f"Noted: {value}.")]))
    set_ = FactChange("facts/Home.md", "guest wifi password", "set", after=value)
    store.write([set_], f"Remember {told.text}", ref.link)
    other = FactChange("facts/Home.md", "guest wifi password", "set", after="other-1")
    store.write([other], "Change the guest wifi password")
    store.write([FactChange("facts/Home.md", "router", "set", after="in the attic")], "Router")
    store.sync()
    store.owner_commit()
    preview = store.forget("[guest wifi password]")
    assert not preview.done
    assert value.encode() in all_bytes(tmp_path)
    assert {fact.value for fact in preview.matches} == {value, "other-1"}
    done = store.forget("guest wifi password", confirm=True)
    assert done.done
    assert done.left == ()
    assert [fact.state for fact in store.ledger.current("guest wifi password")] == ["forgotten"]
    assert store.ledger.current("router")[0].value == "in the attic"
    assert store.search(value).__len__() == 0
    store.close()
    held = all_bytes(tmp_path)
    assert value.encode() not in held
    assert b"other-1" not in held
    store = opened(tmp_path)
    assert "- [guest wifi password] (forgotten 2026-11-28)" in store.read("facts/Home.md").text
    assert store.history()[0].final
    with pytest.raises(NothingToUndo):
        store.undo(store.history()[0].id)
    router = next(commit for commit in store.history() if commit.message.startswith("Router"))
    with pytest.raises(NothingToUndo, match=f"cannot be undone.*reverie undo {router.id[:10]}"):
        store.undo()
    assert store.ledger.current("router")[0].value == "in the attic"
    assert store.undo(router.id).undone.message.startswith("Router")
    assert store.forget("guest wifi password", confirm=True).done is False
    store.close()


def test_an_undo_after_an_erase_names_no_change_of_which_only_a_mark_is_left(tmp_path: Path) -> None:
    """The change before a forget that undo names is one that can be undone: not what told of the forgotten."""
    put(tmp_path, "facts/Home.md", "- [router] in the hall\n")
    store = opened(tmp_path)
    router = store.write([FactChange("facts/Home.md", "router", "set", after="in the attic")], "Router")
    store.write([FactChange("facts/Home.md", "alarm code", "set", after="7719-b")], "Our alarm code is 7719-b")
    store.forget("alarm code", confirm=True)
    assert router.commit
    with pytest.raises(NothingToUndo, match="“Router”"):
        store.undo()
    store.close()


def test_an_undo_without_an_id_brings_nothing_back_that_was_to_be_forgotten(tmp_path: Path) -> None:
    """Where the newest change put a tombstone, undo stops and names the change before it; by its id it is undone."""
    put(tmp_path, "facts/Home.md", "- [router] in the hall\n")
    store = opened(tmp_path)
    set_ = store.write([FactChange("facts/Home.md", "alarm code", "set", after="7719-b")], "Our alarm code is 7719-b")
    gone = FactChange("facts/Home.md", "alarm code", "forget", "7719-b", None, "asked to")
    forgot = store.write([gone], "Please forget the alarm code")
    assert set_.commit
    kept = store.read("facts/Home.md").text
    for _ in range(2):
        with pytest.raises(NothingToUndo, match=f"forget the alarm code.*reverie undo {set_.commit[:10]}"):
            store.undo()
    assert store.read("facts/Home.md").text == kept
    assert "7719-b" not in kept.partition("## Past")[0]
    store.undo(forgot.commit)
    assert store.ledger.current("alarm code")[0].value == "7719-b"
    store.close()


def test_an_undo_does_not_make_the_mark_of_what_was_erased_a_value(tmp_path: Path) -> None:
    """After an erase only a mark is left of the value: taking back the tombstone that came before is refused."""
    put(tmp_path, "facts/Home.md", "- [alarm code] 7719-b\n- [router] in the attic\n")
    store = opened(tmp_path)
    store.owner_commit()
    tombstone = FactChange("facts/Home.md", "alarm code", "forget", "7719-b", None, "asked to")
    commit = store.write([tombstone], "Forget the alarm code", None).commit
    assert commit is not None
    assert store.forget("alarm code", confirm=True).done
    kept = store.read("facts/Home.md").text
    marked = next(entry for entry in store.history() if entry.message.startswith("Forget the alarm code"))
    with pytest.raises(NothingToUndo, match="forgotten for good since"):
        store.undo(marked.id)
    assert store.read("facts/Home.md").text == kept
    store.close()


def test_forget_a_sentence_of_a_conversation(tmp_path: Path) -> None:
    """A sentence goes as it was told, from pages, index and history; the same words in a note alone name nothing."""
    store = opened(tmp_path)
    told = "The vet gave her two-plum-years."
    store.append_journal(Exchange("e1", NOW, "m:memory", [Said("user", f"{told} She eats."), Said("assistant", "OK.")]))
    store.remember_note("The heron nests behind the mill.", "Notes.md")
    store.sync()
    assert not store.forget("The heron nests behind the mill.").places
    assert store.forget(told).places
    assert store.forget(told, confirm=True).done
    assert b"two-plum-years" not in all_bytes(tmp_path)
    assert b"She eats." in all_bytes(tmp_path)
    store.close()


def test_forget_leaves_what_other_facts_say(tmp_path: Path) -> None:
    """A value that another fact has too goes only where the forgotten attribute is named; dependants become `?`."""
    put(tmp_path, "facts/Work.md", WORK + "- when [birthplace] changes, [dialect] becomes ?\n")
    put(
        tmp_path,
        "facts/Me.md",
        "- [birthplace] Riga\n- [city] Riga\n- [dialect] north\n  - depends_on [birthplace]\n",
    )
    put(tmp_path, "Trip.md", "We saw Riga in May.\nMy birthplace: Riga.\n")
    store = opened(tmp_path)
    done = store.forget("birthplace", confirm=True)
    assert [(change.attribute, change.after) for change in done.changes] == [("birthplace", None), ("dialect", None)]
    assert store.ledger.current("city")[0].value == "Riga"
    assert store.ledger.current("dialect")[0].state == "unsure"
    assert store.read("Trip.md").text == "We saw Riga in May.\nMy birthplace: [forgotten].\n"
    store.close()


@pytest.mark.parametrize("kind", ["forget", "remove"])
def test_a_fact_that_fills_its_page_can_be_taken_away(tmp_path: Path, kind: Literal["forget", "remove"]) -> None:
    """A deletion that was asked for is obeyed, be the value most of the words of its page."""
    value = " ".join(f"word{number}" for number in range(50))
    file = put(tmp_path, "facts/Work.md", f"# Work\n\n- [team lead] {value}\n")
    store = opened(tmp_path)
    result = store.write([FactChange("facts/Work.md", "team lead", kind, before=value)], "Asked to")
    assert result.commit
    assert not [fact for fact in store.ledger.current("team lead") if fact.value]
    if kind == "forget":
        assert "word7" not in file.read_text()
    store.close()


def test_forget_a_page(tmp_path: Path) -> None:
    """Forgetting a page removes it from the vault, the index and the whole history; other pages keep theirs."""
    put(tmp_path, "Diary.md", "a secret of mine\n")
    put(tmp_path, "Other.md", "public\n")
    store = opened(tmp_path)
    store.owner_commit()
    store.sync()
    assert store.forget("Diary.md", confirm=True).done
    store.close()
    assert b"a secret of mine" not in all_bytes(tmp_path)
    assert b"public" in all_bytes(tmp_path)


def test_pain_29_a_page_is_forgotten_under_all_its_names(tmp_path: Path) -> None:
    """pain 29: a page that was renamed, moved while edited, or copied before the original went, goes with its past."""
    text = "# Diary\n\n" + "".join(f"On day {day} I walked to the lake.\n" for day in range(12))
    vault = tmp_path / "memory"
    put(tmp_path, "notes/diary.md", text + "the vault opens with osprey-1\n")
    put(tmp_path, "Other.md", "public\n")
    store = opened(tmp_path)
    store.owner_commit()
    put(tmp_path, "notes/diary.md", text + "the vault opens with osprey-2\n")
    store.owner_commit()
    (vault / "notes/diary.md").rename(vault / "notes/diary2.md")
    store.owner_commit()
    put(tmp_path, "old/days.md", text + "the vault opens with osprey-3\n")
    (vault / "notes/diary2.md").unlink()
    store.owner_commit()
    put(tmp_path, "notes/days.md", text + "the vault opens with osprey-3\n")
    store.owner_commit()
    (vault / "old/days.md").unlink()
    put(tmp_path, "notes/diary.md", "# A new diary\n\nkept\n")
    store.owner_commit()
    store.sync()
    done = store.forget("notes/days.md", confirm=True)
    assert done.left == ()
    store.close()
    assert b"osprey" not in all_bytes(tmp_path)
    assert b"public" in all_bytes(tmp_path)
    store = opened(tmp_path)
    assert (vault / "notes/diary.md").read_text().endswith("kept\n")
    assert store.owner_commit() is None
    assert any("notes/diary.md" in commit.paths for commit in store.history())
    store.close()


def test_pain_29_a_text_that_another_page_has_too_is_named_as_left(tmp_path: Path) -> None:
    """pain 29: forgetting a page leaves a copy of it alone, and says which git object stays for it."""
    put(tmp_path, "Diary.md", "a secret of mine\n")
    put(tmp_path, "Copy.md", "a secret of mine\n")
    store = opened(tmp_path)
    store.owner_commit()
    left = store.forget("Diary.md", confirm=True).left
    assert len(left) == 1
    assert re.fullmatch("git object [0-9a-f]{12}, the same text in another page's history", left[0])
    assert store.read("Copy.md").text == "a secret of mine\n"
    store.close()


@pytest.mark.parametrize("renamed", [True, False])
def test_pain_29_values_of_a_fact_that_moved_to_another_page(tmp_path: Path, renamed: bool) -> None:
    """pain 29: what a fact was on the page where it once stood is forgotten too, and not what others were there."""
    put(tmp_path, "facts/Safe.md", "- [locker code] heron-1111\n- [colour] teal-5\n")
    store = opened(tmp_path)
    store.owner_commit()
    put(tmp_path, "facts/Safe.md", "- [locker code] heron-2222\n- [colour] teal-5\n")
    store.owner_commit()
    if renamed:
        (tmp_path / "memory/facts/Safe.md").rename(tmp_path / "memory/facts/Vault2.md")
    else:
        put(tmp_path, "facts/Safe.md", "- [colour] teal-5\n")
        store.owner_commit()
        put(tmp_path, "facts/Vault2.md", "- [locker code] heron-3333\n")
    store.owner_commit()
    store.sync()
    done = store.forget("locker code", confirm=True)
    assert {"heron-1111", "heron-2222"} <= {fact.value for fact in done.matches}
    assert done.left == ()
    store.close()
    assert b"heron-" not in all_bytes(tmp_path)
    assert b"teal-5" in all_bytes(tmp_path)


def test_pain_29_what_only_the_owner_can_clear_is_named(tmp_path: Path) -> None:
    """pain 29: a note named after the value, and a file that is no page, are the owner's, and listed before too."""
    put(tmp_path, "facts/Home.md", "- [pass phrase] Blue-Heron 42\n")
    put(tmp_path, "Blue-Heron 42.md", "# A bird\n")
    put(tmp_path, "list.txt", "it is blue-heron  42\n")
    put(tmp_path, "other.txt", "nothing\n")
    store = opened(tmp_path)
    expected = {
        "Blue-Heron 42.md: its name, which is yours to change",
        "list.txt: it is no page, so it is not rewritten",
    }
    assert set(store.forget("pass phrase").left) == expected
    assert set(store.forget("pass phrase", confirm=True).left) == expected
    store.close()


@pytest.mark.parametrize("at", ["memory_store.history.purge_own", "memory_store.store.Index.sync"])
def test_forgetting_is_finished_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    """A forget that a kill, or a busy history, cut short is finished at the next start, and leaves nothing behind."""
    put(tmp_path, "facts/Home.md", "- [guest wifi password] hunter2!\n")
    put(tmp_path, "Guests.md", "they type hunter2! at the door\n")
    for number in range(6):
        put(tmp_path, f"Other{number}.md", "a page about gardens\n" * 5)
    store = opened(tmp_path)
    store.sync()
    store.owner_commit()

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(at, killed)
        with pytest.raises(Killed):
            store.forget("guest wifi password", confirm=True)
    assert b"hunter2" in all_bytes(tmp_path)
    store.close()
    opened(tmp_path).close()
    assert b"hunter2" not in all_bytes(tmp_path)


def test_a_busy_history_delays_the_commit_not_the_write(tmp_path: Path) -> None:
    """While git holds the branch a change is written and acknowledged with a notice; its commit follows, as ours."""
    put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.owner_commit()
    lock = tmp_path / "memory/.git/refs/heads/main.lock"
    lock.write_bytes(b"")
    result = store.write([lead()], "Lead")
    assert result.commit is None
    assert "main.lock" in (result.notice or "")
    assert store.ledger.current("team lead")[0].value == "Mina Olsen"
    with pytest.raises(HistoryBusy):
        store.forget("team lead", confirm=True)
    store.close()
    lock.unlink()
    store = opened(tmp_path)
    assert [(commit.author, commit.message.partition("\n")[0]) for commit in store.history(1)] == [("reverie", "Lead")]
    store.close()


def test_an_undo_on_a_full_disk_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full an undo whose pages are written says so; told again it takes back nothing more."""
    file = put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.owner_commit()
    store.write([lead("Mina Olsen")], "First")
    first = file.read_text()
    store.write([lead("Paul Reyes")], "Second")
    real = os.open

    def full(path: str | Path, flags: int, *arguments: int, **more: int) -> int:
        if flags & os.O_CREAT and "/.git/" in str(path):
            raise OSError(28, "No space left on device", str(path))
        return real(path, flags, *arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        undone = store.undo()
        assert undone.commit is None
        assert "do not repeat it" in (undone.notice or "")
        assert "there is room" in (undone.notice or "")
        assert file.read_text() == first
        with pytest.raises(HistoryBusy, match="waits for its commit"):
            store.undo()
        assert file.read_text() == first
    lock = tmp_path / "memory/.git/refs/heads/main.lock"
    lock.write_bytes(b"")  # as a full disk leaves it behind
    os.utime(lock, (0, 0))
    with pytest.raises(HistoryBusy, match="waits for its commit"):
        store.owner_commit()
    store.owner_commit()
    assert [commit.message.partition("\n")[0] for commit in store.history(2)] == ["Undo: Second", "Second"]
    assert file.read_text() == first
    store.close()


def test_a_foreign_vault_keeps_to_its_folder(tmp_path: Path) -> None:
    """In somebody's own vault all that the store writes lies below `reverie/`; notes elsewhere are read and found."""
    put(tmp_path, "Diary.md", "the heron nests here\n")
    store = opened(tmp_path, owned=False)
    store.sync()
    store.write([FactChange("reverie/facts/Me.md", "hobby", "add", after="chess")], "Hobby")
    store.remember_note("a note")
    store.append_journal(Exchange("e1", NOW, "m", [Said("user", "hi")]))
    store.owner_commit()
    assert store.search("heron")[0].path == "Diary.md"
    with pytest.raises(NotOurs):
        store.remember_note("x", "Diary.md")
    with pytest.raises(NotOurs):
        store.write([FactChange("facts/Me.md", "hobby", "add", after="chess")], "Hobby")
    assert sorted(path.name for path in (tmp_path / "memory").iterdir()) == ["Diary.md", "reverie"]
    assert store.ledger.current("hobby")[0].path == "reverie/facts/Me.md"
    store.close()


def test_a_vault_that_is_not_there(tmp_path: Path) -> None:
    """A foreign vault that is missing is an error, not a new empty folder; an owned one is made."""
    with pytest.raises(PageUnreadable):
        opened(tmp_path, owned=False)
    assert not (tmp_path / "memory").exists()
    opened(tmp_path).close()
    assert (tmp_path / "memory").is_dir()


def everything_that_writes(store: Store) -> list[Callable[[], object]]:
    return [
        lambda: store.write([lead()], "Lead"),
        lambda: store.remember_note("a note"),
        lambda: store.append_journal(Exchange("e1", NOW, "m", [Said("user", "hi")])),
        store.owner_commit,
        store.undo,
    ]


@pytest.mark.parametrize("begun", [True, False])
def test_a_vault_that_is_moved_away_is_not_begun_anew(tmp_path: Path, begun: bool) -> None:
    """While the vault's folder is gone every write is refused in one line and makes nothing; once back, all goes on."""
    put(tmp_path, "facts/Work.md", WORK)
    root, away = tmp_path / "memory", tmp_path / "away"
    store = opened(tmp_path)
    store.sync()
    if begun:
        store.owner_commit()
    root.rename(away)
    for write in everything_that_writes(store):
        with pytest.raises(VaultMissing, match="the vault is not there"):
            write()
        assert not root.exists()
    assert store.ledger_if_saved(["facts/Work.md"]) is not None
    assert store.ledger.current("team lead")[0].value == "Tom Vega"
    away.rename(root)
    assert store.write([lead()], "Lead").commit
    assert "Mina Olsen" in (root / "facts/Work.md").read_text()
    store.close()


def test_an_empty_mount_point_is_not_the_vault(tmp_path: Path) -> None:
    """Where an empty folder stands in the vault's place nothing is written into it, and what is known stays known."""
    put(tmp_path, "facts/Work.md", WORK)
    root = tmp_path / "memory"
    store = opened(tmp_path)
    store.sync()
    root.rename(tmp_path / "away")
    root.mkdir()
    store.sync()
    for write in everything_that_writes(store):
        with pytest.raises(VaultMissing):
            write()
    assert list(root.iterdir()) == []
    assert store.ledger.current("team lead")[0].value == "Tom Vega"
    store.close()


def test_a_folder_put_in_place_by_a_sync_program_is_the_vault(tmp_path: Path) -> None:
    """A folder that replaces the vault's, and holds its pages, is written to from then on, with its history."""
    file = put(tmp_path, "facts/Work.md", WORK)
    root = tmp_path / "memory"
    store = opened(tmp_path)
    store.sync()
    store.owner_commit()
    shutil.copytree(root, tmp_path / "copy")
    root.rename(tmp_path / "away")
    (tmp_path / "copy").rename(root)
    put(tmp_path, "Diary.md", "the heron nests here\n")
    assert store.write([lead()], "Lead").commit
    assert "Mina Olsen" in file.read_text()
    assert "Mina Olsen" not in (tmp_path / "away/facts/Work.md").read_text()
    store.sync()
    assert store.search("heron")[0].path == "Diary.md"
    assert len(store.history()) == 2
    store.close()


def test_a_read_only_vault_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a vault that cannot be written everything is found and read; a write says what to do and changes nothing."""
    file = put(tmp_path, "facts/Work.md", WORK)
    real = os.open

    def refusing(path: str | Path, flags: int, *arguments: int, **more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and "/memory/" in str(path):
            raise OSError(30, "Read-only file system", str(path))
        return real(path, flags, *arguments, **more)

    monkeypatch.setattr(os, "open", refusing)
    store = opened(tmp_path)
    store.sync()
    assert store.search("Tom Vega")[0].path == "facts/Work.md"
    with pytest.raises(VaultReadOnly):
        store.write([lead()], "Lead")
    assert file.read_text() == WORK
    store.close()


def test_writers_in_many_threads(tmp_path: Path) -> None:
    """Writes from many threads come one after the other: every fact stands, every one has its commit."""
    store = opened(tmp_path)

    def work(name: str) -> None:
        for number in range(3):
            store.write([FactChange("facts/Me.md", f"{name} {number}", "set", after=str(number))], f"{name} {number}")

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.ledger.attributes()) == 9
    assert len(store.history()) == 9
    store.close()


@pytest.mark.parametrize("path", ["facts/Work.md", "facts/Team.md"])
def test_an_edit_right_behind_our_write_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """What the owner saves after our write and before we look again, on that page or another, is followed as theirs."""
    lead = "- [team lead] Tom Vega (since 2026-11-12)\n"
    put(tmp_path, "facts/Work.md", WORK.replace(lead, ""))
    file = put(tmp_path, path, WORK if path == "facts/Work.md" else f"# Team\n\n{lead}")
    store = opened(tmp_path)
    write = store._writer.write

    def and_an_edit_behind_it(*asked: Any, **how: Any) -> Any:
        written = write(*asked, **how)
        file.write_text(file.read_text().replace("Tom Vega", "Mina Olsen"))
        return written

    monkeypatch.setattr(store._writer, "write", and_an_edit_behind_it)
    store.write([FactChange("facts/Work.md", "dev server port", "set", after="5000", reason="told")], "told")
    monkeypatch.setattr(store._writer, "write", write)
    store.sync([path])
    assert not store.has_followed
    changed = {change.attribute: change.after for change in store.follow_edits().changes}
    assert changed == {"weekly report recipient": "Priya Nair", "code reviewer": None}
    assert store.has_followed
    store.close()


def _dependants(tmp_path: Path, count: int) -> Store:
    """A store of *count* facts on ten pages behind a first one, each behind the one before."""
    vault = tmp_path / "vault"
    (vault / "facts").mkdir(parents=True)
    for page in range(10):
        mine = [n for n in range(count + 1) if n % 10 == page]
        facts = [f"- [fact {n}] old {n} (since 2026-01-01)" for n in mine]
        rules = [f"- when [fact {n - 1}] changes, [fact {n}] becomes {'?' if n % 3 else f'new {n}'}" for n in mine if n]
        (vault / f"facts/P{page}.md").write_text("\n".join([f"# P{page}", "", *facts, "", "## Rules", *rules, ""]))
    store = Store.open(vault, tmp_path / "state", owned=True, now=lambda: NOW)
    store.sync()
    return store


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_all_dependants_follow_in_one_commit(tmp_path: Path, count: int) -> None:
    """Hundreds of facts on ten pages follow one change, and come back when it is undone."""
    store = _dependants(tmp_path, count)
    result = store.write([FactChange("facts/P0.md", "fact 0", "set", after="new", reason="told")], "told")
    assert (len(result.changes), result.commit is not None, len(result.pages)) == (count + 1, True, 10)
    store.undo(result.commit)
    assert store.ledger.current(f"fact {count}")[0].value == f"old {count}"
    store.close()


@pytest.mark.slow
def test_a_thousand_dependants_follow_within_a_second(tmp_path: Path) -> None:
    """Pages, commit and index together take a second at most."""
    store = _dependants(tmp_path, 1000)
    before = time.process_time()
    store.write([FactChange("facts/P0.md", "fact 0", "set", after="new", reason="told")], "told")
    assert time.process_time() - before < 1.0
    store.close()


def test_a_write_waits_for_no_long_sync(tmp_path: Path) -> None:
    """While the index takes in much else, a note is written at once, and the next sync finds it."""
    put(tmp_path, "facts/Work.md", WORK)
    store = opened(tmp_path)
    store.sync()
    busy, done = threading.Event(), threading.Event()

    def syncing() -> None:
        with store._index._changing:
            busy.set()
            done.wait(60)

    thread = threading.Thread(target=syncing)
    thread.start()
    try:
        assert busy.wait(60)
        noted = store.remember_note("the quokka sleeps", "Zoo")
        assert thread.is_alive()
        assert "quokka" in store.read(noted.path).text
    finally:
        done.set()
        thread.join()
    store.sync([noted.path])
    assert [hit.path for hit in store.search("quokka")] == ["Zoo.md"]
    store.close()


def test_a_note_on_a_large_page_does_not_wait_for_its_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large page is cut into chunks after the note is written, and found in its old and its new words."""
    put(tmp_path, "Big.md", "# Big\n\nwombat at the top\n\n" + "## More\n\nwords of no weight at all\n\n" * 30)
    monkeypatch.setattr("memory_store.index.vault_index._QUICK_BYTES", 500)
    store = opened(tmp_path)
    assert store._index.follow(["Big.md"]) is False
    store.sync()
    noted = store.remember_note("the quokka sleeps", "Big")
    assert [hit.path for hit in store.search("wombat", limit=1)] == ["Big.md"]
    assert store.sync([noted.path]).updated == 1
    assert "quokka" in store.search("quokka", limit=1)[0].text
    store.close()


def test_what_the_owner_replaced_by_hand_is_past_from_then_on(tmp_path: Path) -> None:
    """The edit is answered with no write; the old value is known as past, and stands in Past after our next write."""
    file = put(tmp_path, "facts/Home.md", "- [router] in the hall (since 2026-10-01)\n- [alarm code] 7719-b\n")
    other = put(tmp_path, "facts/Me.md", "- [hobby] chess\n")
    store = opened(tmp_path)
    edited = file.read_text().replace("in the hall (since 2026-10-01)", "in the attic")
    file.write_text(edited)
    store.sync()
    store.follow_edits()
    store.owner_commit()
    for _ in range(2):
        assert file.read_text() == edited
        assert [(fact.value, fact.since, fact.until, fact.line) for fact in store.ledger.timeline("router")] == [
            ("in the hall", "2026-10-01", "2026-11-28", 1),
            ("in the attic", None, None, 1),
        ]
        store.close()
        store = opened(tmp_path)
    store.write([FactChange("facts/Me.md", "hobby", "set", after="go")], "Another page")
    assert file.read_text() == edited
    store.write([FactChange("facts/Home.md", "alarm code", "set", after="8820-c")], "This page")
    past = file.read_text().partition("## Past\n")[2]
    assert "- [router] in the hall (2026-10-01 to 2026-11-28)\n" in past
    assert [fact.value for fact in store.ledger.timeline("router")] == ["in the hall", "in the attic"]
    assert "router" not in other.read_text()
    store.close()


def test_what_was_put_back_by_hand_is_no_past(tmp_path: Path) -> None:
    """An edit taken back by the owner, or told by them in Past, leaves nothing to be told."""
    text = "- [router] in the hall\n- [lamp] on the desk (since 2026-10-01)\n- [alarm code] 7719-b\n"
    file = put(tmp_path, "facts/Home.md", text)
    store = opened(tmp_path)
    moved = text.replace("in the hall", "in the attic").replace("on the desk (since 2026-10-01)", "in the box")
    for edit in (moved, text.replace("on the desk (since 2026-10-01)", "in the box")):
        file.write_text(edit)
        store.follow_edits()
    file.write_text(file.read_text() + "\n## Past\n- [lamp] on the desk (2026-10-01 to 2026-11-20)\n")
    store.write([FactChange("facts/Home.md", "alarm code", "set", after="8820-c")], "This page")
    assert file.read_text().count("on the desk") == 1
    assert "in the attic" not in file.read_text().partition("## Past")[0]
    assert [fact.value for fact in store.ledger.timeline("lamp")] == ["on the desk", "in the box"]
    store.close()


def test_pain_29_what_was_replaced_by_hand_is_forgotten_too(tmp_path: Path) -> None:
    """pain 29: a value that the owner replaced, and that waits to be told as past, is nowhere after a forget."""
    file = put(tmp_path, "facts/Home.md", "- [alarm code] heron-42\n- [router] in the hall\n")
    store = opened(tmp_path)
    file.write_text("- [alarm code] osprey-77\n- [router] in the hall\n")
    store.follow_edits()
    assert [fact.value for fact in store.ledger.timeline("alarm code")] == ["heron-42", "osprey-77"]
    going = store.begin_to_forget("alarm code")
    assert isinstance(going, Going)
    assert not any(fact.value for fact in store.ledger.timeline("alarm code"))
    assert store.end_forgetting(going).done
    store.close()
    assert b"heron-42" not in all_bytes(tmp_path)
    store = opened(tmp_path)
    assert not any(fact.value for fact in store.ledger.timeline("alarm code"))
    store.close()
