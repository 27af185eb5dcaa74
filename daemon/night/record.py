"""What a night did, as it is kept, shown and undone."""

from typing import Literal

import msgspec

from daemon.night.cycle import Dream
from daemon.night.lessons import LessonRecord
from daemon.night.loop import Probe
from daemon.night.repairs import Op, Recalculate, Shift, Tie, Weigh, Write
from daemon.shown import like

RepairState = Literal["kept", "waiting", "applying", "undone", "parked", "failed"]
RunKind = Literal["dream", "decay", "reflect", "rules", "ranking"]


class RepairRecord(msgspec.Struct, kw_only=True):
    """
    One repair: *id* is the run's with a number; *question*, of the passages *keys*, it was made for; success over that
    and its neighbours *before* and *after*. *back* takes its statistics back, *commit* its lines.
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
    keys: list[int] = []


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


class FailedRecord(msgspec.Struct, kw_only=True):
    """
    A question that failed in a dream: how, what was *tried* for it, and whether something that was kept *helped*.

    *keys* are the passages that answer it, *pages* theirs where it was made from their words.
    """

    question: str
    failure: str
    tried: list[Op] = []
    helped: bool = False
    keys: list[int] = []
    pages: list[str] = []


class RunRecord(msgspec.Struct, kw_only=True):
    """
    One dream, one decay, or one lesson, by its *kind*, from *started* to *ended* (ISO 8601); *why* it ran, *stopped*
    why it ended, *log* the page that tells it. *asked* counts the probes of a model; *applying* names the statistics
    that its repairs are becoming, while they do; *cut*: it was cut off by the daemon's end.
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
    failed: list[FailedRecord] = []
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
    at = {(one.path, one.start_line): one.key for one in dream.view.corpus.passages.values()}

    def keys_of(probe: Probe) -> list[int]:
        return [at[place] for one in probe.sources if (place := (one.path, one.start_line)) in at]

    run.stopped = dream.stopped
    run.rounds = [like(one, RoundRecord) for one in dream.rounds]
    run.failed = [
        FailedRecord(
            question=one.probe.question,
            failure=one.failure,
            tried=list(one.tried),
            helped=one.helped,
            keys=keys_of(one.probe),
            pages=list(dict.fromkeys(source.path for source in one.probe.sources)) if one.probe.is_made else [],
        )
        for one in dream.failed
    ]
    run.repairs = [
        RepairRecord(
            id=f"{run.id}.{number}",
            op=one.repair.op,
            failure=one.failure,
            question=one.probe.question,
            actions=list(one.repair.actions),
            before=one.reward.success_before,
            after=one.reward.success_after,
            keys=keys_of(one.probe),
        )
        for number, one in enumerate(dream.kept, start=1)
    ]
