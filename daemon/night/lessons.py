"""What was learned becomes lines: rules on META.md, experiences on their page of facts; one commit each."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, Protocol

import msgspec

from daemon.context import EXPERIENCES
from daemon.directives import UNDIRECTED
from daemon.directives import parse as parse_directive
from daemon.errors import message_of
from daemon.night.experiences import Experience, Kept
from daemon.night.loop import Reward
from daemon.night.meta_page import Add, Change, Drop, Edit, MetaRule, edit, meta_path, read_rules
from daemon.night.metamem import Lesson
from daemon.night.state import NightState
from memory_store.commits import Commit
from memory_store.errors import NothingToUndo, PageMissing, StoreError, UndoConflict
from memory_store.facts import Change as FactsChange
from memory_store.facts import FactChange, parse_fact
from memory_store.page import Page
from memory_store.values import Undone, WriteResult

log = logging.getLogger(__name__)

LessonState = Literal["kept", "waiting", "applying", "undone", "parked", "failed"]
Op = Literal["add", "change", "drop"]
MARKS = "rule_marks"
RECORDS = "rule_records"
RECENT = 500


class LessonRecord(msgspec.Struct, kw_only=True):
    """
    One lesson as it is kept, shown and undone: a rule (*name* is its id) or an experience (*name* is its topic).

    *old* is the text that it changes or drops; success *before* and *after* is what it was measured to do. *suggested*:
    it is against a rule of the owner's, and waits for their consent whatever the settings say.
    """

    id: str
    kind: Literal["rule", "experience"]
    op: Op
    why: str
    name: str = ""
    text: str = ""
    old: str = ""
    directive: str = ""
    scope: Literal["general", "specific"] = "general"
    helped: int = 0
    hurt: int = 0
    source: str = ""
    before: float = 0.0
    after: float = 0.0
    state: LessonState = "kept"
    suggested: bool = False
    commit: str | None = None
    note: str = ""

    def describe(self) -> str:
        """What it does, in one line."""
        told = self.text or self.old
        named = f" {self.name}" if self.name else ""
        directive = f" `{self.directive}`" if self.directive else ""
        return f"{self.kind} {self.op}{named}: {told}{directive}"


class LessonStore(Protocol):
    """What lessons need of the store."""

    @property
    def base(self) -> str: ...
    def page(self, path: str) -> Page:
        """Raises PageMissing, NotText and what reading may raise."""

    def edit_page(self, path: str, change: Callable[[Page], Page], subject: str) -> WriteResult: ...
    def write(self, changes: Sequence[FactsChange], why: str, source: str | None = None) -> WriteResult: ...
    def undo(self, commit: str | None = None) -> Undone: ...
    def owner_commit(self) -> str | None: ...
    def history(self, limit: int | None = 50) -> list[Commit]: ...


def of_edit(edit: Edit, before: Sequence[MetaRule], why: str, reward: Reward) -> LessonRecord:
    """The record of an edit of META.md."""
    standing = {rule.id: rule for rule in before if rule.id}
    rule = edit.rule if isinstance(edit, Add | Change) else standing.get(edit.id, MetaRule(""))
    name = rule.id if isinstance(edit, Add) else edit.id
    old = "" if isinstance(edit, Add) else standing[name].text if name in standing else ""
    return LessonRecord(
        id="",
        kind="rule",
        op="add" if isinstance(edit, Add) else "drop" if isinstance(edit, Drop) else "change",
        why=why,
        name=name,
        text="" if isinstance(edit, Drop) else rule.text,
        old=old,
        directive=str(rule.directive),
        scope=rule.scope,
        helped=rule.helped,
        hurt=rule.hurt,
        before=reward.success_before,
        after=reward.success_after,
    )


def of_suggestion(lesson: Lesson, rules: Sequence[MetaRule]) -> LessonRecord:
    """The record of what the owner may do about a rule of theirs: it waits for them."""
    name = lesson.edit.id if isinstance(lesson.edit, Drop) else ""
    mine = next((rule for rule in rules if name in (rule.id, f"line {rule.line}")), MetaRule(""))
    return LessonRecord(
        id="", kind="rule", op="drop", why=lesson.why, name=mine.id, old=mine.text, state="waiting", suggested=True
    )


def of_kept(kept: Kept) -> LessonRecord:
    """The record of an experience."""
    experience, old = kept.candidate.experience, kept.candidate.updates
    return LessonRecord(
        id="",
        kind="experience",
        op="change" if old else "add",
        why=kept.probe.question,
        name=experience.topic,
        text=experience.value,
        old=old.value if old else "",
        source=experience.source,
        before=kept.reward.success_before,
        after=kept.reward.success_after,
    )


def of_spared(experience: Experience, success: float) -> LessonRecord:
    """The record of an experience that others cover: it goes into the past of its page."""
    return LessonRecord(
        id="",
        kind="experience",
        op="drop",
        why="others say as much",
        name=experience.topic,
        old=experience.value,
        before=success,
        after=success,
    )


def marks(state: NightState) -> dict[str, str]:
    """By id, what the night wrote last for each rule."""
    return state.read(MARKS, dict[str, str]) or {}


def standing_rules(store: LessonStore, state: NightState, *, counted: bool = True) -> tuple[MetaRule, ...]:
    """The rules of META.md, those that the owner edited told apart; *counted*: with what feedback adds to records."""
    try:
        rules = read_rules(store.page(meta_path(store.base)), marks(state))
    except PageMissing:
        return ()
    added = (state.read(RECORDS, dict[str, list[int]]) or {}) if counted else {}
    return tuple(
        replace(rule, helped=rule.helped + added[rule.id][0], hurt=rule.hurt + added[rule.id][1])
        if rule.id in added and not rule.by_hand
        else rule
        for rule in rules
    )


def apply(
    store: LessonStore,
    state: NightState,
    lessons: Sequence[LessonRecord],
    today: str,
    keep: Callable[[], None] = lambda: None,
) -> None:
    """
    Make *lessons* real, in order, each in one commit; each record then says how it went. The owner's edits come first.

    What the owner is editing on the same lines is parked, what cannot be written fails; the others go on. *keep* keeps
    the records before the first is written, so that `recover` can tell what became of them.
    """
    if lessons:
        for lesson in lessons:
            lesson.state = "applying"
        keep()
        store.owner_commit()
    for lesson in lessons:
        try:
            result = _rule(store, state, lesson, today) if lesson.kind == "rule" else _experience(store, lesson)
        except StoreError as error:
            log.warning("a lesson is dropped: %s", message_of(error))
            lesson.state, lesson.note = "failed", message_of(error)
            continue
        lesson.commit, lesson.note = result.commit, result.notice or ""
        lesson.state = "parked" if result.parked else "kept" if result.pages else "failed"
        if lesson.state == "failed":
            lesson.note = "its line is not there any more, or the owner has changed it"


def recover(store: LessonStore, state: NightState, lessons: Sequence[LessonRecord]) -> None:
    """Tell of *lessons* that were cut off in `apply` which of them stand: those whose commit is in the history."""
    cut = [lesson for lesson in lessons if lesson.state == "applying"]
    subjects = [(commit.message, commit.id) for commit in store.history(RECENT)] if cut else []
    for lesson in cut:
        lesson.commit = next((name for message, name in subjects if f"({lesson.id})" in message.split("\n")[0]), None)
        lesson.state = "kept" if lesson.commit else "failed"
        lesson.note = "" if lesson.commit else "cut off before it was written"
        if lesson.commit and lesson.kind == "rule":
            _mark(store, state, lesson)


def _rule(store: LessonStore, state: NightState, lesson: LessonRecord, today: str) -> WriteResult:
    known = marks(state)
    rule = _rule_of(lesson)
    change: Edit = Add(rule) if lesson.op == "add" else Change(lesson.name, rule)
    if lesson.op == "drop":
        change = Drop(lesson.name)

    def edited(page: Page) -> Page:
        if lesson.suggested:
            return _without(page, lesson.old)
        return edit(page, [change], today=today, marks=known)

    subject = f"Learn to use memory: {lesson.op} a rule ({lesson.id})"
    result = store.edit_page(meta_path(store.base), edited, subject)
    if result.pages and not result.parked:
        _mark(store, state, lesson)
    return result


def _rule_of(lesson: LessonRecord) -> MetaRule:
    directive = parse_directive(lesson.directive) if lesson.directive else UNDIRECTED
    return MetaRule(
        lesson.text, directive or UNDIRECTED, lesson.scope, lesson.name, lesson.helped, lesson.hurt, learned=True
    )


def _mark(store: LessonStore, state: NightState, lesson: LessonRecord) -> None:
    """Remember what was written for the rule of *lesson*, so that an edit of the owner's is told from it."""
    known = marks(state)
    known.pop(lesson.name, None)
    key = _rule_of(lesson).key
    for each in read_rules(store.page(meta_path(store.base))) if lesson.op != "drop" else ():
        if each.learned and each.key == key:
            lesson.name, known[each.id] = each.id, each.mark
    state.write(MARKS, known)


def _without(page: Page, text: str) -> Page:
    """*page* without the rule by hand that says *text*: the owner agreed."""
    mine = next((rule for rule in read_rules(page) if rule.text == text), None)
    if mine is None:
        return page
    for line in range(mine.end_line, mine.line - 1, -1):
        page = page.delete_line(line)
    return page


def _experience(store: LessonStore, lesson: LessonRecord) -> WriteResult:
    path = f"{store.base}{EXPERIENCES}"
    if lesson.op == "drop":
        change = FactChange(path, lesson.name, "remove", before=lesson.old, reason=lesson.why)
    else:
        fact = parse_fact(f"[{lesson.name}] {lesson.text} #experience (from [[{lesson.source}]])")
        if not lesson.source or fact is None or (fact.value, fact.source) != (lesson.text, lesson.source):
            return WriteResult(notice="it is no sound line with a source")
        change = FactChange(
            path,
            lesson.name,
            "set" if lesson.op == "change" else "add",
            before=lesson.old or None,
            after=lesson.text,
            reason="a conversation",
            source=lesson.source,
            tags=("experience",),
        )
    return store.write([change], f"Learn from a conversation: {lesson.op} {lesson.name} ({lesson.id})")


def undo(store: LessonStore, lessons: Sequence[LessonRecord]) -> list[str]:
    """Take *lessons* back, the last first. Returns what could not be: lines that were changed again since stay."""
    problems = []
    for lesson in reversed(lessons):
        if lesson.state == "kept" and lesson.commit:
            try:
                store.undo(lesson.commit)
            except (UndoConflict, NothingToUndo) as error:
                problems.append(f"{lesson.id}: {error}")
                lesson.note = str(error)
                continue
        if lesson.state in ("kept", "waiting"):
            lesson.state = "undone"
    return problems
