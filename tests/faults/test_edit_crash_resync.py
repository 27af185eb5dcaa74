"""The owner edits, the daemon writes, the machine dies anywhere in between: nothing of the owner's is lost."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memory_store import swap
from memory_store.errors import CommitUnknown, NothingToUndo, UndoConflict
from memory_store.facts import FactChange
from memory_store.files import Vault
from memory_store.history import History
from memory_store.index import Index
from memory_store.journal import Exchange, Said, append_exchange
from memory_store.ledger import Ledger
from memory_store.store import Store

START = datetime(2026, 11, 28, 14, 0, tzinfo=timezone(timedelta(hours=1)))
PAGES = ("facts/Work.md", "facts/Me.md", "Notes/diary.md")
ATTRIBUTES = ("team lead", "code reviewer", "hobby")
RULES = "\n## Rules\n- when [team lead] changes, [code reviewer] becomes ?\n"


class Killed(BaseException):
    """The process ends here; nothing below runs, as after kill -9."""


def _killed(*_: object, **__: object) -> None:
    raise Killed


def _after(real: Callable[..., object]) -> Callable[..., object]:
    def call(*arguments: object, **more: object) -> object:
        real(*arguments, **more)
        raise Killed

    return call


CRASHES: dict[str, tuple[object, str, Callable[[Callable[..., object]], Callable[..., object]]]] = {
    "with the new page unfinished": (swap.os, "fsync", lambda _: _killed),
    "before the new page is in place": (swap, "_exchange", lambda _: _killed),
    "after it is in place, before the old is cleared": (swap, "_exchange", _after),
    "after a page, before the next or the commit": (Vault, "replace", _after),
    "before the commit": (History, "record", lambda _: _killed),
    "after the commit, before it is acknowledged": (History, "record", _after),
    "before the index follows": (Index, "sync", lambda _: _killed),
}


class EditCrashResync(RuleBasedStateMachine):
    """A home that is edited, written, killed and opened again; *lines* is what the owner wrote and kept."""

    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="reverie-machine-"))
        self.clock = START
        self.lines: dict[str, list[str]] = {page: [] for page in PAGES}
        self.count = 0
        for page in PAGES:
            file = self.home / "memory" / page
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# {page}\n{RULES if page == PAGES[0] else ''}")
        self.store = self.opened()
        self.acknowledged: dict[str, str] = {}

    def opened(self) -> Store:
        def now() -> datetime:
            self.clock += timedelta(seconds=1)
            return self.clock

        return Store.open(self.home / "memory", self.home / "state", owned=True, now=now)

    def save(self, page: str, text: str, *, by_rename: bool) -> None:
        file = self.home / "memory" / page
        if by_rename:
            (file.parent / ".swap").write_text(text)
            (file.parent / ".swap").rename(file)
        else:
            file.write_text(text)

    def add_line(self, page: str, top: bool, by_rename: bool) -> None:
        self.count += 1
        line = f"line {self.count} by hand"
        text = (self.home / "memory" / page).read_text()
        head, _, rest = text.partition("\n")
        self.save(page, f"{head}\n{line}\n{rest}" if top else f"{text}{line}\n", by_rename=by_rename)
        self.lines[page].append(line)

    @rule(page=st.sampled_from(PAGES), top=st.booleans(), by_rename=st.booleans())
    def owner_adds_a_line(self, page: str, top: bool, by_rename: bool) -> None:
        self.add_line(page, top, by_rename)

    @rule(page=st.sampled_from(PAGES))
    def owner_deletes_a_line(self, page: str) -> None:
        if self.lines[page]:
            line = self.lines[page].pop()
            text = (self.home / "memory" / page).read_text()
            self.save(page, text.replace(f"{line}\n", ""), by_rename=True)

    @rule(page=st.sampled_from(PAGES[:2]), attribute=st.sampled_from(ATTRIBUTES), value=st.sampled_from("ABC"))
    def daemon_changes_a_fact(self, page: str, attribute: str, value: str) -> None:
        result = self.store.write([FactChange(page, attribute, "set", after=value, every=True)], "Change")
        assert not result.parked

    @rule(
        page=st.sampled_from(PAGES[:2]),
        attribute=st.sampled_from(ATTRIBUTES),
        value=st.sampled_from("ABC"),
        top=st.booleans(),
        by_rename=st.booleans(),
    )
    def owner_saves_while_the_daemon_writes(
        self, page: str, attribute: str, value: str, top: bool, by_rename: bool
    ) -> None:
        real = Vault.replace
        saved = False

        def replace(vault: Vault, path: str, *arguments: object, **more: object) -> str:
            nonlocal saved
            if not saved and path == page:
                saved = True
                self.add_line(page, top, by_rename)
            return real(vault, path, *arguments, **more)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Vault, "replace", replace)
            self.store.write([FactChange(page, attribute, "set", after=value, every=True)], "Change")

    @rule(
        crash=st.sampled_from(sorted(CRASHES)),
        page=st.sampled_from(PAGES[:2]),
        value=st.sampled_from("ABCDE"),
        resave=st.booleans(),
    )
    def machine_dies_in_a_write(self, crash: str, page: str, value: str, resave: bool) -> None:
        changes = [FactChange(name, "team lead", "set", after=value, every=True) for name in {page, *PAGES[:2]}]
        where, name, dying = CRASHES[crash]
        with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Killed):
            patch.setattr(where, name, dying(getattr(where, name)))
            self.store.write(changes, "Dies")
        self.store.close()
        if resave:
            self.add_line(page, top=True, by_rename=True)
        self.store = self.opened()

    @rule(words=st.text(st.sampled_from("ab\n>#- "), max_size=12), torn=st.integers(0, 30))
    def machine_dies_in_an_append(self, words: str, torn: int) -> None:
        self.count += 1
        ref = append_exchange(self.store.vault, Exchange(f"e{self.count}", self.clock, "m", [Said("user", words)])).ref
        file = self.home / "memory" / ref.path
        file.write_bytes(file.read_bytes()[: -torn or None])
        self.store.append_journal(Exchange(f"f{self.count}", self.clock, "m", [Said("user", words)]))

    @rule()
    def quiet_moment(self) -> None:
        self.store.follow_edits()
        self.store.owner_commit()

    @rule()
    def undo(self) -> None:
        with contextlib.suppress(NothingToUndo, UndoConflict, CommitUnknown):
            self.store.undo()

    @rule()
    def sync(self) -> None:
        self.store.sync()

    @invariant()
    def no_line_of_the_owner_is_lost(self) -> None:
        if hasattr(self, "store"):
            for page, lines in self.lines.items():
                present = (self.home / "memory" / page).read_text().splitlines()
                assert [line for line in lines if present.count(line) != 1] == []

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        try:
            self.store.close()
            store = self.opened()
            store.sync()
            store.follow_edits()
            store.owner_commit()
            self.no_line_of_the_owner_is_lost()
            leftovers = [*self.home.rglob(".reverie-*"), *(self.home / "state/writing").glob("*")]
            assert leftovers == []
            for info in store.pages():
                recorded = store._history.content(info.path)
                assert recorded == store.vault.read(info.path).data
            assert store.ledger == Ledger.build(store.ledger.pages.values())
            incremental = self.shown(store)
            store.rebuild()
            assert incremental == self.shown(store)
            store.close()
        finally:
            shutil.rmtree(self.home)

    def shown(self, store: Store) -> object:
        hits = store.search("hand", limit=50, mode="keyword"), store.search("lead", limit=50, mode="keyword")
        found = [sorted((hit.path, hit.start_line, hit.end_line, hit.text) for hit in some) for some in hits]
        return store.pages(), found, store.ledger


def _played(examples: int) -> settings:
    return settings(max_examples=examples, stateful_step_count=10, suppress_health_check=list(HealthCheck))


class TestEditCrashResync(EditCrashResync.TestCase):
    settings = _played(3)


@pytest.mark.slow
@pytest.mark.timeout(900)
class TestEditCrashResyncAtLength(EditCrashResync.TestCase):
    settings = _played(15)
