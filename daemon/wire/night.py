"""What the night did, learned and waits for."""

from typing import Literal

from daemon.wire.base import Wire
from daemon.wire.state import JobStatus


class NightRepair(Wire, frozen=True):
    """One repair of a dream: what failed, what it does, retrieval F1 around it before and after, how it stands."""

    id: str
    op: str
    failure: str
    question: str
    actions: list[str]
    before: float
    after: float
    state: Literal["kept", "waiting", "applying", "undone", "parked", "failed"]
    commit: str | None = None
    note: str = ""


class NightRound(Wire, frozen=True):
    """One round of a dream: retrieval F1 over its probes, failures by kind."""

    number: int
    probes: int
    before: float
    after: float
    failures: dict[str, int] = {}
    kept: int = 0
    dropped: int = 0


class NightFailed(Wire, frozen=True):
    """A question that failed in a dream: how, which repairs were tried for it, whether one that was kept helps it."""

    question: str
    failure: str
    tried: list[str] = []
    helped: bool = False


class NightRun(Wire, frozen=True):
    """
    One dream, decay or lesson (reflect, rules). *repairs* and *failed* are empty in lists, *kept* and *undone* count
    repairs; *problems* are what an undo could not take back.
    """

    id: str
    started: str
    ended: str
    why: str
    stopped: str
    passages: int
    took_s: float
    kind: Literal["dream", "decay", "reflect", "rules", "ranking"] = "dream"
    kept: int = 0
    waiting: int = 0
    undone: int = 0
    log: str = ""
    rounds: list[NightRound] = []
    repairs: list[NightRepair] = []
    failed: list[NightFailed] = []
    problems: list[str] = []


class NightStatus(Wire, frozen=True):
    """What the night waits for and why, what it has used, and the last run. *due*: why a dream is due now."""

    jobs: list[JobStatus]
    due: str | None
    waits_for: str | None
    spent_s: float
    budget_s: float
    spent_tokens: int
    budget_tokens: int
    approve: str
    waiting: int
    lowered: int
    ties: int
    empty_runs: int
    last: NightRun | None = None
    shifted: int = 0


class NightRunRequest(Wire, frozen=True):
    """Dream: when it may, or *now*, whatever holds it back."""

    now: bool = False


class NightRequest(Wire, frozen=True):
    """A run or one repair of it, by *id*."""

    id: str


class NightPolicy(Wire, frozen=True):
    """For each failure the chance of each operation; *groups* is how many failures taught it."""

    chances: dict[str, dict[str, float]]
    start: dict[str, dict[str, float]]
    groups: int


class NightPolicyRequest(Wire, frozen=True):
    """*reset* starts again from the fixed mapping."""

    reset: bool = False


class EvidenceWeight(Wire, frozen=True):
    """What a kind of *evidence* weighs in a kind of *search* (`hybrid`, `keyword`): as *shipped*, and *now*."""

    search: str
    evidence: str
    shipped: float
    now: float


class NightRanking(Wire, frozen=True):
    """
    What use has taught the ranking. *uses* counts hits that were opened, cited or confirmed, by that word.

    *asked*: how many of them were asked again the last time; *before* and *after*: the mean reciprocal rank of the
    right passage for those held back; *outcome*: what came of it. *learns*: whether it is switched on.
    """

    learns: bool
    uses: dict[str, int]
    weights: list[EvidenceWeight]
    asked: int = 0
    before: float = 0.0
    after: float = 0.0
    outcome: str = ""


class NightRankingRequest(Wire, frozen=True):
    """*reset* ranks as shipped again, and forgets what was used."""

    reset: bool = False
