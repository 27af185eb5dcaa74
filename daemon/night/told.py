"""What the owner reads of a run, on the page of its day in dreams/."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from daemon.errors import message_of
from daemon.night.commit import DreamStore
from daemon.night.record import FailedRecord, RunRecord
from daemon.night.repairs import Action, Recalculate, Shift, Tie, Weigh, Write
from memory_store.errors import StoreError

log = logging.getLogger(__name__)
MOST_SHOWN = 40
MOST_FAILED = 8
_DEFUSED = str.maketrans("[]“”`", "()'''")


class DreamPages:
    """Writes them through *store*. A page that cannot be written is no reason to lose a record."""

    def __init__(self, store: Callable[[], DreamStore], now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    def tell(self, run: RunRecord) -> None:
        """Append what *run* asked, tried and kept; nothing of a dream without questions or a lesson in vain."""
        if (run.kind == "dream" and run.rounds) or run.repairs or run.lessons:
            page = f"{self._store().base}dreams/{run.started[:10]}.md"
            run.log = page if self._append(page, lines_of(run), f"Dream {run.id}: what it did") else ""

    def add(self, run: RunRecord, what: str) -> None:
        """Append *what* became of *run* later."""
        if run.log:
            self._append(run.log, [f"- {self._now():%Y-%m-%d %H:%M}: {what}"], f"Dream: {what}")

    def _append(self, page: str, lines: Sequence[str], subject: str) -> bool:
        try:
            self._store().append_lines(page, lines, subject)
        except StoreError as error:
            log.warning("%s is not written: %s", page, message_of(error))
            return False
        return True


def lines_of(run: RunRecord) -> list[str]:
    """
    The section of the dream's page that tells of *run*.

    Plain words and numbers, and how to undo. Of what passages say only the questions are quoted, the first few of them.
    """
    lines = [f"## {run.started[11:16]} {run.id}", "", f"{run.why}. {run.passages} passages, {run.took_s:.0f} s."]
    if run.asked:
        lines[-1] += f" {run.asked} of the questions are a model's."
    if run.lessons:
        return [*lines, *_lessons(run)]
    for one in run.rounds:
        failures = ", ".join(f"{count} {name}" for name, count in one.failures.items()) or "no failure"
        lines.append(
            f"- Round {one.number}: {one.probes} probes, retrieval F1 {one.before:.3f} -> {one.after:.3f}; {failures}; "
            f"{counted(one.tried, 'repair')} tried, {one.kept} kept; {one.dropped} left as they are"
        )
    lines.append(f"- Ended: {run.stopped}")
    if run.failed:
        lines += ["", *_failed(run.id, run.failed)]
    if run.repairs:
        lines += ["", _next_step(run.id, [repair.state for repair in run.repairs]), ""]
    for repair in run.repairs[:MOST_SHOWN]:
        commit = f"; commit {repair.commit[:8]}" if repair.commit else ""
        lines.append(
            f"- {repair.id} {repair.failure}: {repair.op}, {summary(repair.actions)} "
            f"(F1 {repair.before:.2f} -> {repair.after:.2f}; {repair.state}{commit})"
        )
    if len(run.repairs) > MOST_SHOWN:
        lines.append(f"- and {len(run.repairs) - MOST_SHOWN} more: `reverie night show {run.id}`")
    return lines


def _failed(name: str, failed: Sequence[FailedRecord]) -> list[str]:
    """
    Which questions failed, those first that nothing helps, and what was tried for each.

    A question made from a page's words links there, so that it goes where the page is forgotten.
    """
    order = sorted(failed, key=lambda one: one.helped)
    lines = [f"{counted(len(failed), 'question')} failed, {sum(one.helped for one in failed)} of them helped:", ""]
    for one in order[:MOST_FAILED]:
        links = " ".join(f"[[{page.removesuffix('.md')}]]" for page in one.pages)
        came = (
            f"{', '.join(one.tried)} tried, {'helped' if one.helped else 'none helped'}"
            if one.tried
            else "nothing to try"
        )
        told = f"- “{defused(one.question)}” {links}".rstrip()
        lines.append(f"{told}: {one.failure}; {came}")
    if len(order) > MOST_FAILED:
        lines.append(f"- and {len(order) - MOST_FAILED} more: `reverie night show {name}`")
    return lines


def _lessons(run: RunRecord) -> list[str]:
    scores = f"{run.before or 0.0:.3f} -> {run.after or 0.0:.3f}"
    asked = run.rounds[0].probes if run.rounds else 0
    lines = [f"- {asked} questions, success {scores}; {run.stopped}", ""]
    lines += [_next_step(run.id, [lesson.state for lesson in run.lessons]), ""]
    for lesson in run.lessons:
        commit = f"; commit {lesson.commit[:8]}" if lesson.commit else ""
        what = f"{lesson.kind} {lesson.op}"
        told = defused(lesson.text or lesson.old)
        lines.append(
            f"- {lesson.id} {what}: {told} ({lesson.before:.2f} -> {lesson.after:.2f}; {lesson.state}{commit})"
        )
        if lesson.state == "waiting":
            lines.append(f"  - waits for you: {defused(lesson.why)}; `reverie night approve {lesson.id}`")
    return lines


def _next_step(name: str, states: Sequence[str]) -> str:
    """What the owner can do about the run *name*."""
    if "waiting" not in states:
        return f"Undo all of it: `reverie night undo {name}`"
    return f"Waits for you. Apply it: `reverie night approve {name}`; refuse it: `reverie night undo {name}`"


def counted(count: int, what: str) -> str:
    """`1 repair`, `2 repairs`."""
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def defused(text: str) -> str:
    """*text* on one line that is no fact, link or heading."""
    return " ".join(text.split()).translate(_DEFUSED)[:200]


def summary(actions: Sequence[Action]) -> str:
    """What *actions* do, counted."""
    lowered = sum(isinstance(action, Weigh) and action.weight < 1 for action in actions)
    lifted = sum(isinstance(action, Weigh) and action.weight >= 1 for action in actions)
    ties = sum(isinstance(action, Tie) for action in actions)
    written = [action for action in actions if isinstance(action, Write)]
    again = sum(isinstance(action, Recalculate) for action in actions)
    shifts = sum(isinstance(action, Shift) for action in actions)
    parts = [
        f"{lowered} lowered" if lowered else "",
        f"{lifted} lifted" if lifted else "",
        f"{ties} tied" if ties else "",
        f"{counted(len(written), 'line')} on {written[0].path}" if written else "",
        f"{again} recalculated" if again else "",
        f"{shifts} kinds of evidence weighed anew" if shifts else "",
    ]
    return ", ".join(part for part in parts if part)
