"""What a night did, as it is kept, shown and undone."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from daemon.night.cycle import Dream
from daemon.night.lessons import LessonRecord
from daemon.night.repairs import Action, Op, Recalculate, Shift, Tie, Weigh, Write
from daemon.shown import like

RepairState = Literal["kept", "waiting", "applying", "undone", "parked", "failed"]
RunKind = Literal["dream", "reflect", "rules", "ranking"]


class RepairRecord(msgspec.Struct, kw_only=True):
    """
    One repair: *id* is the run's with a number; *question* it was made for; success over that and its neighbours
    *before* and *after*. *back* takes its statistics back, *commit* its lines.
    """

    id: str
    op: Op
    failure: str
    question: str
    actions: list[Weigh | Tie | Write | Recalculate | Shift]
    before: float
    after: float
    back: list[Weigh | Tie | Shift] = []
    commit: str | None = None
    state: RepairState = "kept"
    note: str = ""


class RoundRecord(msgspec.Struct, kw_only=True):
    """
    One round: retrieval F1 over its probes before and after, failures by kind, how many repairs were tried for them and
    kept, how many were left without one.
    """

    number: int
    probes: int
    before: float
    after: float
    failures: dict[str, int] = {}
    kept: int = 0
    dropped: int = 0
    tried: int = 0


class RunRecord(msgspec.Struct, kw_only=True):
    """
    One dream, or one lesson, by its *kind*, from *started* to *ended* (ISO 8601); *why* it ran, *stopped* why it ended,
    *log* the page that tells it. *asked* counts the probes of a model; *applying* names the statistics that its repairs
    are becoming, while they do; *cut*: it was cut off by the daemon's end.
    """

    id: str
    kind: RunKind = "dream"
    started: str
    ended: str = ""
    why: str = ""
    stopped: str = ""
    passages: int = 0
    rounds: list[RoundRecord] = []
    repairs: list[RepairRecord] = []
    lessons: list[LessonRecord] = []
    asked: int = 0
    tokens: int = 0
    took_s: float = 0.0
    log: str = ""
    applying: str = ""
    cut: bool = False

    @property
    def before(self) -> float | None:
        """Retrieval F1 at the start of the first round."""
        return self.rounds[0].before if self.rounds else None

    @property
    def after(self) -> float | None:
        """Retrieval F1 at the end of the last."""
        return self.rounds[-1].after if self.rounds else None

    def find(self, name: str) -> list[RepairRecord]:
        """The repairs that *name* means: this run's, or the one with that id."""
        return [repair for repair in self.repairs if name in (self.id, repair.id)]

    def lessons_of(self, name: str) -> list[LessonRecord]:
        """The lessons that *name* means: this run's, or the one with that id."""
        return [lesson for lesson in self.lessons if name in (self.id, lesson.id)]


def record_dream(run: RunRecord, dream: Dream) -> None:
    """Put into *run* what *dream* found out and decided."""
    run.stopped = dream.stopped
    run.rounds = [like(one, RoundRecord) for one in dream.rounds]
    run.repairs = [
        RepairRecord(
            id=f"{run.id}.{number}",
            op=one.repair.op,
            failure=one.failure,
            question=one.probe.question,
            actions=list(one.repair.actions),
            before=one.reward.success_before,
            after=one.reward.success_after,
        )
        for number, one in enumerate(dream.kept, start=1)
    ]


def lines_of(run: RunRecord) -> list[str]:
    """
    The section of the dream's page that tells of *run*.

    Plain words and numbers, and how to undo; what passages say is quoted no further than a few words.
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
    return " ".join(text.split()).replace("[", "(").replace("]", ")")[:200]


MOST_SHOWN = 40


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
