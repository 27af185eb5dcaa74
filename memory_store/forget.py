"""What forgetting a fact or a page takes: which pages change and how, and what must go from everywhere else."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import msgspec

from memory_store.errors import NotText, PageMissing, PageReadOnly, PageUnreadable
from memory_store.facts import Fact, FactChange, apply, attribute_key, read_facts, scrub, value_key
from memory_store.files import FileStat, Vault, is_page_name, shown
from memory_store.history import History
from memory_store.ledger import Ledger
from memory_store.page import parse, render
from memory_store.purge import Purged
from memory_store.recalc import recalculate
from memory_store.redact import MARK, Redaction, redaction, spellings
from memory_store.said import PERSONAL_NAME
from memory_store.values import Applied
from memory_store.writer import PageWrite

T = TypeVar("T")
_QUOTED = re.compile("“(.+?)”")
LONGEST_NAME = 3  # words; longer ones may be a sentence that was told
MOST_BYTES = 1_000_000  # of a file that is no page: larger ones are pictures and the like


@dataclass(frozen=True)
class Forgotten:
    """
    What was, or without *done* would be, removed: the facts that match, where else it stands, what became `?`.

    *left* are places that keep it, each with the reason.
    """

    done: bool
    matches: tuple[Fact, ...] = ()
    changes: tuple[Applied, ...] = ()
    places: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class Begun(msgspec.Struct, frozen=True):
    """A forgetting that goes on, kept on the disk until it is done: *what* was asked, the values, and what must go."""

    what: str
    values: tuple[str, ...]
    redaction: Redaction


@dataclass(frozen=True)
class Forgetting:
    """A plan: page writes, what hangs on them, and what to take out of history, index and parked versions."""

    subject: str
    matches: tuple[Fact, ...] = ()
    changes: tuple[FactChange, ...] = ()
    writes: tuple[PageWrite, ...] = ()
    redaction: Redaction = field(default_factory=Redaction)
    left: tuple[str, ...] = ()
    told: str = ""  # a sentence of a conversation, which goes whole

    @property
    def found(self) -> bool:
        """Whether there is anything to forget."""
        return bool(self.writes or self.matches)

    def begun(self, what: str) -> Begun:
        """What is to be kept of it until it is done."""
        values = dict.fromkeys(text for fact in self.matches for text in (fact.value, fact.was) if text)
        values |= dict.fromkeys([self.told] if self.told else [])
        return Begun(what.strip().removeprefix("[").removesuffix("]").strip(), tuple(values), self.redaction)

    def preview(self) -> Forgotten:
        """What would happen."""
        return Forgotten(False, self.matches, (), tuple(write.path for write in self.writes), self.left)

    def done(self, changes: tuple[Applied, ...], purged: Purged | None = None) -> Forgotten:
        """What did; before it was *purged* from history and index, in the pages alone."""
        left = list(self.left)
        pages = tuple(write.path for write in self.writes)
        if purged is None:
            return Forgotten(True, self.matches, changes, pages, tuple(left))
        if purged.theirs_left_alone:
            left.append("the owner's own commits in their repository: only reverie's were rewritten")
        left += [f"git object {sha[:12]}, which the owner's history needs" for sha in purged.remaining]
        left += [f"git object {sha[:12]}, the same text in another page's history" for sha in purged.shared]
        return Forgotten(True, self.matches, changes, (*pages, "history", "index"), tuple(left))


class Looked:
    """
    What a plan was made of, so that the next one for the same, right after it, is made in no time: files that hold
    nothing of it, as long as these do not change, what the history told, and what is *out_of_reach*.
    """

    def __init__(self) -> None:
        self._removal: Redaction | None = None
        self._clean: dict[str, tuple[int, int, int]] = {}
        self.out_of_reach: tuple[str, ...] | None = None
        self._told: dict[str, tuple[str | None, object]] = {}

    def begin(self, removal: Redaction) -> None:
        """Look for what *removal* takes."""
        if removal != self._removal:
            self._removal, self._clean, self.out_of_reach = removal, {}, None

    def is_clean(self, path: str, info: os.stat_result | FileStat) -> bool:
        """Whether the file was found to hold nothing, and is what it was then."""
        return path in self._clean and self._clean[path] == _stamp(info)

    def found_clean(self, path: str, info: os.stat_result | FileStat) -> None:
        """It was looked into when it was as *info* says."""
        self._clean[path] = _stamp(info)

    def told(self, history: History, what: str, ask: Callable[[], T]) -> T:
        """What *ask* draws from *history* about *what*, asked again only once there are new commits."""
        newest = history.newest()
        if what not in self._told or self._told[what][0] != newest:
            self._told[what] = newest, ask()
        return cast("T", self._told[what][1])


def _stamp(info: os.stat_result | FileStat) -> tuple[int, int, int]:
    if isinstance(info, FileStat):
        return info.mtime_ns, info.size, info.inode
    return info.st_mtime_ns, info.st_size, info.st_ino


def plan_forgetting(
    vault: Vault, ledger: Ledger, what: str, today: str, history: History, looked: Looked
) -> Forgetting:
    """
    The plan for *what*: a page's path, an attribute with or without its brackets, somebody's name, of whom no
    conversation is to speak, or a sentence word for word as it was told. Reads pages, writes none; those *looked* into
    before for the same are passed over.

    Values that the owner took away, or that a tombstone stands for, and what a page was under another name, are only
    in the *history*, and go as well.

    Raises:
        PageReadOnly: a page that holds the value has a problem and is not rewritten.
    """
    name = what.strip()
    if vault.classify(name) != "ignored":
        try:
            data = vault.read(name).data
        except (PageMissing, PageUnreadable):
            pass
        else:
            path = vault.spelled(name)
            former = looked.told(history, path, lambda: history.former(path))
            return _plan_page(vault, ledger, path, data, today, former, looked)
    name = name.removeprefix("[").removesuffix("]").strip()
    matches = ledger.timeline(name)
    now = matches
    matches = (*looked.told(history, repr(now), lambda: tuple(_former(now, history))), *now)
    if not any(fact.value or fact.was for fact in matches):
        if not now and len(name.split()) > LONGEST_NAME:
            removal = Redaction(everywhere=tuple(dict.fromkeys(spellings(name))))
            plan = _plan(vault, ledger, "Forget what was told", (), (), removal, today, looked)
            told = any(vault.classify(write.path) == "journal" for write in plan.writes)
            return replace(plan, told=name) if told else Forgetting(f"Forget [{name}]")
        if not re.fullmatch(PERSONAL_NAME, name):
            return Forgetting(f"Forget [{name}]")
        quoted = tuple(dict.fromkeys(_quoted(vault, values=[name])))
        removal = Redaction(named=tuple(dict.fromkeys(spellings(name)[:2])), everywhere=quoted)
        return _plan(vault, ledger, f"Forget {name}", (), (), removal, today, looked)
    attribute = matches[-1].attribute
    values = dict.fromkeys(value for fact in matches for value in (fact.value, fact.was) if value)
    removal = redaction(attribute, values, others=_of_other_facts(ledger, attribute))
    quoted = tuple(dict.fromkeys((*removal.everywhere, *_quoted(vault, values=values))))
    removal = msgspec.structs.replace(removal, everywhere=quoted)
    asked = [
        FactChange(path, attribute, "forget", reason="asked to forget")
        for path in dict.fromkeys(fact.path for fact in matches)
    ]
    return _plan(vault, ledger, f"Forget [{attribute}]", matches, asked, removal, today, looked, attribute=attribute)


def _former(matches: Sequence[Fact], history: History) -> Iterator[Fact]:
    """Values of the fact of *matches* that any page held once and none holds now, as facts that ended, oldest first."""
    if not matches:
        return
    known = {value_key(value) for fact in matches for value in (fact.value, fact.was) if value}
    found: list[Fact] = []
    now = {fact.path: fact for fact in matches}
    seen: set[tuple[str, tuple[bytes, ...]]] = set()
    for path, data in history.versions("facts"):
        here = now.get(path, matches[-1])
        said = tuple(line for line in data.splitlines() if _may_say(line, here.attribute))
        if not said or (path, said) in seen:
            continue
        seen.add((path, said))
        try:
            page = read_facts(path, parse(data))
        except NotText:
            continue
        for fact in (*page.facts, *page.past):
            for value in (fact.value, fact.was):
                if fact.key != here.key or not value or value_key(value) in known or MARK.decode() in value:
                    continue
                known.add(value_key(value))
                until = fact.until or here.since
                found.append(Fact(here.attribute, value, until=until, path=here.path, line=here.line))
    yield from reversed(found)


def _may_say(line: bytes, attribute: str) -> bool:
    """Whether *line* may be a line of the fact *attribute*, at a glance."""
    return b"[" in line and attribute.casefold().split()[0] in line.decode("utf-8", "replace").casefold()


def resume(vault: Vault, removal: Redaction, looked: Looked) -> list[PageWrite]:
    """The page writes that a forgetting cut short still needs: its text out of all pages, and its pages gone."""
    looked.begin(removal)
    writes, _ = _elsewhere(vault, removal, {}, looked)
    return writes


def _plan_page(
    vault: Vault,
    ledger: Ledger,
    path: str,
    data: bytes,
    today: str,
    former: Sequence[tuple[str, str]],
    looked: Looked,
) -> Forgetting:
    facts = ledger.pages[path].facts if path in ledger.pages else ()
    asked = [FactChange(path, fact.attribute, "forget", reason="asked to forget") for fact in facts]
    removal = Redaction(paths=(path,), versions=tuple(former), everywhere=tuple(_quoted(vault, path)))
    subject = f"Forget the page {path}"
    return _plan(vault, ledger, subject, tuple(facts), asked, removal, today, looked, gone={path: data})


def _quoted(vault: Vault, path: str = "", values: Iterable[str] = ()) -> Iterator[bytes]:
    """
    What dreams quote of the page at *path*, or that names one of *values*: on lines that link to where it is from.

    It stands apart from what it is about, so that no rule over the words nearby would find it.
    """
    link = f"[[{path.removesuffix('.md')}]]"
    named = "|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in values)
    names = re.compile(named or r"(?!)", re.IGNORECASE)
    for file in vault.scan(f"{vault.base}dreams").files:
        with suppress(PageMissing, PageUnreadable):
            for line in vault.read(file.path).data.decode("utf-8", "replace").splitlines():
                for quote in _QUOTED.findall(line) if "[[" in line else ():
                    if link in line or names.search(quote):
                        yield quote.encode()


def _plan(
    vault: Vault,
    ledger: Ledger,
    subject: str,
    matches: tuple[Fact, ...],
    asked: Sequence[FactChange],
    removal: Redaction,
    today: str,
    looked: Looked,
    *,
    attribute: str = "",
    gone: dict[str, bytes] | None = None,
) -> Forgetting:
    looked.begin(removal)
    changes = (*asked, *recalculate(ledger, asked).consequences)
    written: dict[str, PageWrite] = {path: PageWrite(path, data, None) for path, data in (gone or {}).items()}
    for path in dict.fromkeys([*(change.path for change in changes), *(ledger.pages if attribute else ())]):
        if path in written:
            continue
        data = vault.read(path).data
        try:
            page = apply(parse(data), [change for change in changes if change.path == path], today=today)
            page = scrub(page, attribute, path=path) if attribute else page
        except PageReadOnly as error:
            if removal.touches(data) or any(change.path == path for change in changes):
                raise PageReadOnly(error.line, error.reason, path) from error
            continue
        written[path] = PageWrite(path, data, removal.scrub(render(page)))
    others, left = _elsewhere(vault, removal, written, looked)
    if looked.out_of_reach is None:
        looked.out_of_reach = tuple(_out_of_reach(vault, removal, looked))
    left += looked.out_of_reach
    writes = [write for write in (*written.values(), *others) if write.old != write.new]
    return Forgetting(subject, matches, changes, tuple(writes), removal, tuple(left))


def _elsewhere(
    vault: Vault, removal: Redaction, written: dict[str, PageWrite], looked: Looked
) -> tuple[list[PageWrite], list[str]]:
    """Writes for all other pages that hold what is to be forgotten, and the places that must keep it."""
    writes: list[PageWrite] = []
    scan = vault.scan()
    left = [f"{error.path}: not looked into, {error.reason}" for error in scan.errors]
    for file in scan.files:
        if file.path in written or looked.is_clean(file.path, file):
            continue
        try:
            data = vault.read(file.path).data
        except PageMissing:
            continue
        except PageUnreadable as error:
            left.append(f"{file.path}: not looked into, {error.reason}")
            continue
        if file.path in removal.paths:
            writes.append(PageWrite(file.path, data, None))
            continue
        scrubbed = removal.scrub(data)
        if scrubbed == data:
            looked.found_clean(file.path, file)
            continue
        if not file.path.startswith(vault.base):
            left.append(f"{file.path}: the owner's note, not written in this vault")
            continue
        try:
            problem = parse(data).problem
        except NotText:
            left.append(f"{file.path}: it is not UTF-8 text, so it is not rewritten")
            continue
        if problem:
            raise PageReadOnly(problem.line, problem.reason, file.path)
        writes.append(PageWrite(file.path, data, scrubbed))
    return writes, left


def _out_of_reach(vault: Vault, removal: Redaction, looked: Looked) -> Iterator[str]:
    """Names of files that say what is to be forgotten, and files that are no pages and do: both are the owner's."""
    above = len(str(vault.root).rstrip("/")) + 1
    for folder, folders, names in os.walk(vault.root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = f"{folder[above:]}/{name}".lstrip("/")
            if name.startswith(".") or path in removal.paths:
                continue
            if removal.touches(os.fsencode(path)):
                yield f"{shown(path)}: its name, which is yours to change"
            try:
                found = not is_page_name(name) and _holds(vault, path, removal, looked)
            except OSError as error:
                yield f"{shown(path)}: not looked into, {error.strerror}"
                continue
            except PageUnreadable as error:
                yield f"{shown(path)}: not looked into, {error.reason}"
                continue
            if found:
                yield f"{shown(path)}: it is no page, so it is not rewritten"


def _holds(vault: Vault, path: str, removal: Redaction, looked: Looked) -> bool:
    """Whether the file at *path* does; not where it is large, a link, or what never ends: a pipe, a device."""
    info = (vault.root / path).lstat()
    if not stat.S_ISREG(info.st_mode) or info.st_size > MOST_BYTES or looked.is_clean(path, info):
        return False
    try:
        found = removal.touches(vault.read(path).data)
    except PageMissing:
        return False
    if not found:
        looked.found_clean(path, info)
    return found


def _of_other_facts(ledger: Ledger, attribute: str) -> list[str]:
    """The names and values, now or in the past, of all facts but *attribute*."""
    key = attribute_key(attribute)
    return [
        text
        for page in ledger.pages.values()
        for fact in (*page.facts, *page.past)
        if fact.key != key
        for text in (fact.attribute, fact.value, fact.was)
        if text
    ]
