"""Changes whose commit has to wait, that a kill cut short, or that the owner committed by themselves."""

import shutil
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from dulwich import porcelain

from memory_store.errors import HistoryBusy, PageReadOnly
from memory_store.facts import FactChange
from memory_store.forgetting import Forgetter, Going
from memory_store.index.vault_index import Index
from memory_store.journal import Exchange, Said
from memory_store.store import Store

NOW = datetime(2026, 11, 28, 14, 2, 11, tzinfo=timezone(timedelta(hours=1)))
US = """\
# Us

- [team lead] Tom
- [report recipient] Lena

## Rules
- when [team lead] changes, [report recipient] becomes Priya
"""


@pytest.fixture(autouse=True)
def no_git_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own git configuration takes part."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def opened(home: Path, now: Callable[[], datetime] = lambda: NOW) -> Store:
    store = Store.open(home / "memory", home / "state", owned=True, now=now)
    store.go_on_forgetting()  # as the daemon does, beside all else
    return store


def told(store: Store, attribute: str, value: str, path: str = "facts/Us.md") -> str | None:
    change = FactChange(path, attribute, "set", after=value, reason="told in chat")
    return store.write([change], f"{attribute} is {value}").commit


def under_merge(home: Path) -> Path:
    """As while the owner merges in the vault."""
    merging = home / "memory/.git/MERGE_HEAD"
    merging.write_text("0" * 40 + "\n")
    return merging


def subjects(store: Store) -> list[tuple[str, str]]:
    return [(commit.author, commit.message.partition("\n")[0]) for commit in reversed(store.history())]


@pytest.mark.parametrize("restarted", [False, True])
def test_changes_that_wait_for_their_commits_are_committed_in_order(tmp_path: Path, restarted: bool) -> None:
    """One line changed three times while the owner merges: three commits of ours in order, and nothing is parked."""
    clock = iter(NOW - timedelta(minutes=minute) for minute in range(10_000))  # one that goes back all the time
    store = opened(tmp_path, lambda: next(clock))
    told(store, "team lead", "Tom")
    merging = under_merge(tmp_path)
    assert [told(store, "team lead", name) for name in ("Mina", "Ana", "Zoe")] == [None, None, None]
    page = (tmp_path / "memory/facts/Us.md").read_text()
    if restarted:
        store.close()
        store = opened(tmp_path, lambda: next(clock))
    merging.unlink()
    assert told(store, "code word", "kiwi")
    assert store.proposals() == []
    names = ["team lead is Tom", "team lead is Mina", "team lead is Ana", "team lead is Zoe", "code word is kiwi"]
    assert subjects(store) == [("reverie", name) for name in names]
    store.undo()
    assert (tmp_path / "memory/facts/Us.md").read_text() == page
    store.close()


def test_a_change_that_waits_stays_made_when_the_owner_edits_its_line(tmp_path: Path) -> None:
    """What the owner makes of a line that we changed, before that has its commit, is theirs; ours is no proposal."""
    store = opened(tmp_path)
    told(store, "team lead", "Tom")
    merging = under_merge(tmp_path)
    told(store, "team lead", "Mina")
    page = tmp_path / "memory/facts/Us.md"
    page.write_text(page.read_text().replace("Mina", "Paul"))
    merging.unlink()
    assert store.owner_commit()
    assert store.proposals() == []
    assert "Paul" in page.read_text()
    assert [author for author, _ in subjects(store)] == ["reverie", "reverie", "Owner"]
    store.close()


@pytest.mark.parametrize("instead", ["folder", "link out", "link to itself"])
def test_a_change_cut_short_on_a_page_that_is_none_any_more_stops_nothing_else(tmp_path: Path, instead: str) -> None:
    """Where a kill left a change half made and its page is gone for something else, it is parked, and memory opens."""
    store = opened(tmp_path)
    told(store, "team lead", "Tom")
    store.close()
    page = tmp_path / "memory/facts/Us.md"
    old = page.read_bytes()
    pages = [("facts/Us.md", old, old.replace(b"Tom", b"Mina")), ("Other.md", None, b"# Other\n")]
    (tmp_path / "state/writing").mkdir(exist_ok=True)
    left = tmp_path / "state/writing/20261128T140211000000-abcdef.json"
    left.write_bytes(msgspec.json.encode({"message": "Lead", "may_shrink": False, "pages": pages}))
    page.unlink()
    match instead:
        case "folder":
            page.mkdir()
        case "link out":
            page.symlink_to("/etc/hostname")
        case _:
            page.symlink_to(page.name)
    store = opened(tmp_path)
    assert [proposal.path for proposal in store.proposals()] == ["facts/Us.md"]
    assert store.read("Other.md").text == "# Other\n"
    assert told(store, "cat", "Olga", "facts/Pets.md")
    assert not left.exists()
    store.close()


def test_forgetting_is_refused_whole_while_the_owner_merges(tmp_path: Path) -> None:
    """pain 29: refused means refused: nothing of it is done behind the owner's back, now or at the next start."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    page = (tmp_path / "memory/facts/Us.md").read_bytes()
    merging = under_merge(tmp_path)
    with pytest.raises(HistoryBusy):
        store.forget("locker code", confirm=True)
    store.close()
    merging.unlink()
    store = opened(tmp_path)
    store.owner_commit()
    assert (tmp_path / "memory/facts/Us.md").read_bytes() == page
    assert store.ledger.current("locker code")[0].value == "heron-42"
    store.close()


def test_pain_29_an_index_that_git_holds_keeps_nothing_of_what_is_forgotten(tmp_path: Path) -> None:
    """pain 29: while git holds the index forgetting is refused by that name; once it is free nothing is left."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    lock = tmp_path / "memory/.git/index.lock"
    lock.write_bytes(b"")
    with pytest.raises(HistoryBusy, match=r"index\.lock"):
        store.forget("locker code", confirm=True)
    assert store.ledger.current("locker code")[0].value == "heron-42"
    lock.unlink()
    assert store.forget("locker code", confirm=True).left == ()
    store.close()


@pytest.mark.parametrize("at", ["memory_store.landing.Landing.land", "memory_store.history.purge_own"])
def test_pain_29_a_forgetting_cut_short_leaves_a_tombstone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """pain 29: killed before its first page was written or after its last, it ends as it would have: no value left."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    with monkeypatch.context() as patch:

        def killed(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(at, killed)
        with pytest.raises(KeyboardInterrupt):
            store.forget("locker code", confirm=True)
    store.close()
    store = opened(tmp_path)
    fact = store.ledger.current("locker code")[0]
    assert (fact.state, fact.value) == ("forgotten", None)
    assert [finding for finding in store.doctor() if finding.subject == "forget"] == []
    store.close()


def test_pain_29_a_forgetting_that_waits_is_shown_and_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pain 29: where the history got busy after the pages were written, `doctor` says so; a quiet moment ends it."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    with monkeypatch.context() as patch:

        def busy(*_: object) -> None:
            raise HistoryBusy("it is held", "wait")

        patch.setattr("memory_store.history.purge_own", busy)
        with pytest.raises(HistoryBusy):
            store.forget("locker code", confirm=True)
        assert [finding.subject for finding in store.doctor()] == ["forget"]
    store.owner_commit()
    assert store.doctor() == []
    assert list((tmp_path / "state/forgetting").iterdir()) == []
    store.close()


def test_pain_29_a_kill_that_holds_the_index_keeps_no_forgetting_from_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pain 29: killed while the index is rewritten, the next start knows the lock as its own and goes on."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    lock = tmp_path / "memory/.git/index.lock"
    with monkeypatch.context() as patch:
        patch.setattr("memory_store.purge._rewrite_stashes", killed)
        with pytest.raises(KeyboardInterrupt):
            store.forget("locker code", confirm=True)
    store.close()
    lock.write_bytes(b"")  # a kill lets nobody clear it away
    store = opened(tmp_path)
    assert not lock.exists()
    assert list((tmp_path / "state/forgetting").iterdir()) == []
    assert store.forget("locker code", confirm=True).matches == ()
    store.close()


def test_pain_29_a_lock_that_a_kill_left_a_moment_ago_keeps_no_forgetting_from_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pain 29: a start right after a kill in the middle of a commit finishes it: nobody but us locks objects."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("memory_store.history.purge_own", killed)
        with pytest.raises(KeyboardInterrupt):
            store.forget("locker code", confirm=True)
    store.close()
    objects = tmp_path / "memory/.git/objects"
    for folder in list(objects.glob("??")):
        for written in folder.iterdir():
            (folder / f"{written.name}.lock").write_bytes(b"")
    (tmp_path / "state/forgetting/.x.part").write_bytes(b"heron")
    store = opened(tmp_path)
    assert list((tmp_path / "state/forgetting").iterdir()) == []
    assert list(objects.glob("??/*.lock")) == []
    store.close()


def test_what_is_kept_of_a_forgetting_and_cannot_be_read_stops_nothing(tmp_path: Path) -> None:
    """A note of what was to be forgotten that a broken disk left unreadable does not keep memory from opening."""
    opened(tmp_path).close()
    broken = tmp_path / "state/forgetting/x.json"
    broken.parent.mkdir()
    broken.write_bytes(b'{"what":')
    store = opened(tmp_path)
    assert told(store, "team lead", "Tom")
    store.close()


def test_a_page_that_keeps_a_forgetting_from_its_end_keeps_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that was broken by hand before a forgetting was finished stops that alone, until it is mended."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    with monkeypatch.context() as patch:

        def killed(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("memory_store.landing.Landing.land", killed)
        with pytest.raises(KeyboardInterrupt):
            store.forget("locker code", confirm=True)
    store.close()
    note = tmp_path / "memory/Gate.md"
    note.write_text("---\ntitle: [\n---\nIt opens with heron-42.\n")
    store = opened(tmp_path)
    assert told(store, "team lead", "Tom")
    assert "forget" in [finding.subject for finding in store.doctor()]
    assert store.owner_commit()
    assert store.forget("team lead", confirm=True).done
    with pytest.raises(PageReadOnly, match=r"Gate\.md"):
        store.forget("locker code", confirm=True)
    note.write_text("It opens with heron-42.\n")
    store.owner_commit()
    assert "heron" not in note.read_text()
    store.close()


def test_a_history_that_is_taken_away_is_begun_anew(tmp_path: Path) -> None:
    """The owner deletes `.git`, or puts another in its place: what is told next is committed, and can be undone."""
    git = tmp_path / "memory/.git"
    store = opened(tmp_path)
    told(store, "team lead", "Tom")
    git.rename(tmp_path / "aside")
    assert told(store, "team lead", "Mina")
    assert [author for author, _ in subjects(store)] == ["Owner", "reverie"]
    git.rename(tmp_path / "other")
    (tmp_path / "aside").rename(git)
    assert told(store, "team lead", "Ana")
    assert [author for author, _ in subjects(store)] == ["reverie", "Owner", "reverie"]
    store.undo()
    assert "[team lead] Mina" in (tmp_path / "memory/facts/Us.md").read_text()
    shutil.rmtree(git)
    assert store.history() == []
    store.close()


def test_an_edit_right_after_the_first_start_is_followed_after_a_kill(tmp_path: Path) -> None:
    """Facts that stood in the vault before reverie came are known from its first start on, as what an edit changes."""
    page = tmp_path / "memory/facts/Us.md"
    page.parent.mkdir(parents=True)
    page.write_text(US)
    opened(tmp_path).close()
    page.write_text(US.replace("Tom", "Mina"))
    store = opened(tmp_path)
    store.follow_edits()
    assert "[report recipient] Priya" in page.read_text()
    store.close()


def test_an_edit_that_the_owner_committed_while_nobody_looked_is_followed(tmp_path: Path) -> None:
    """A fact edited, and committed with git, while the daemon was stopped: what hangs on it follows at the start."""
    page = tmp_path / "memory/facts/Us.md"
    page.parent.mkdir(parents=True)
    page.write_text(US)
    store = opened(tmp_path)
    store.owner_commit()
    store.close()
    page.write_text(US.replace("Tom", "Mina"))
    porcelain.add(str(tmp_path / "memory"), [str(page)])
    porcelain.commit(str(tmp_path / "memory"), message=b"a new lead", author=b"O <o@x>", committer=b"O <o@x>")
    store = opened(tmp_path)
    store.follow_edits()
    assert "[report recipient] Priya" in page.read_text()
    store.close()
    page.write_text(page.read_text().replace("Priya", "Zoe"))
    store = opened(tmp_path)
    store.follow_edits()
    assert "[report recipient] Zoe" in page.read_text()
    store.close()


def test_nobody_waits_for_a_forgetting_but_who_asked_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once pages hold the value no more, others tell and write at every step of the rest; what they told stays."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    store.append_journal(Exchange("e0", NOW, "m", [Said("user", "my locker code is heron-42")]))
    going = store.begin_to_forget("locker code")
    assert isinstance(going, Going)
    assert "heron-42" not in store.read("facts/Us.md").text + store.read("journal/2026/2026-11-28.md").text
    assert store.search("heron-42") == []
    steps: list[str] = []

    def another(at: str) -> None:
        if threading.current_thread() is not threading.main_thread() or steps.count(at) >= 3:
            return
        steps.append(at)
        count = len(steps)
        thread = threading.Thread(
            target=lambda: (
                store.append_journal(Exchange(f"e{count}", NOW, "m", [Said("user", f"told {count}")])),
                told(store, "hobby", f"hobby {count}"),
            )
        )
        thread.start()
        thread.join(60)
        assert not thread.is_alive(), at

    with monkeypatch.context() as patch:
        patch.setattr(Forgetter, "_step", lambda _: another("history"))
        for name in ("sync", "compact"):
            real = getattr(Index, name)
            patch.setattr(Index, name, lambda *a, name=name, real=real: (another(name), real(*a))[1])
        done = store.end_forgetting(going)
    assert done.places[-2:] == ("history", "index")
    assert set(steps) == {"sync", "history", "compact"}
    text = store.read("journal/2026/2026-11-28.md").text
    assert all(f"told {number + 1}\n" in text for number in range(len(steps)))
    assert store.ledger.current("hobby")[0].value == f"hobby {len(steps)}"
    store.close()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"heron-42" not in file.read_bytes()


def test_a_forgetting_that_the_end_of_the_daemon_cuts_short_goes_on_after_the_next_start(tmp_path: Path) -> None:
    """Told to end, it stops at its next step; the pages stay without the value, and the next start does the rest."""
    store = opened(tmp_path)
    told(store, "locker code", "heron-42")
    going = store.begin_to_forget("locker code")
    assert isinstance(going, Going)
    store.close()
    with pytest.raises(HistoryBusy, match="ending"):
        store.end_forgetting(going)
    store = opened(tmp_path)
    assert store.doctor() == []
    assert list((tmp_path / "state/forgetting").iterdir()) == []
    store.close()
