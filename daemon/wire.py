"""
What travels between the daemon and its clients: requests, replies and events of reverie's own paths.

Imports no sibling, so that the command line and the TUI can know the types without loading the daemon. Times are
ISO 8601 with offset; paths are relative to the vault, with `/`; line numbers count from 1, ranges include both ends.
"""

from typing import Any, Literal

import msgspec

SearchMode = Literal["hybrid", "keyword", "vector"]
AnswerKind = Literal["fact", "unsure", "forgotten", "model", "passages", "unknown"]
Severity = Literal["ok", "note", "warning", "error"]


class Wire(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of all wire types: frozen, keyword-only, defaults left out of the JSON."""


class Error(Wire, frozen=True):
    """The body of every failed call on reverie's own paths."""

    error: str
    kind: str
    hint: str | None = None


# -- memory ---


class Source(Wire, frozen=True):
    """Where something was read: a line range of a page, the rule that led there, and the text that stands there."""

    path: str
    start_line: int
    end_line: int
    text: str = ""
    rule: str | None = None


class SearchRequest(Wire, frozen=True):
    """
    *query* is plain words; with *syntax* it is Whoosh's query language.

    While *typing* the last word may be unfinished, and the answer comes by keyword alone, within a key press.
    """

    query: str
    limit: int = 10
    mode: SearchMode = "hybrid"
    syntax: bool = False
    explain: bool = False
    prefix: str | None = None
    typing: bool = False


class Part(Wire, frozen=True):
    """One kind of evidence behind a hit: its rank among the candidates, its raw score, its share of the fused score."""

    name: str
    rank: int | None
    score: float
    share: float


class Hit(Wire, frozen=True):
    """A chunk that answers a search. *score* is comparable within one reply only."""

    path: str
    start_line: int
    end_line: int
    title: str
    heading: str
    snippet: str
    score: float
    text: str = ""
    parts: list[Part] = []


class SearchReply(Wire, frozen=True):
    """Best first. *notice* says in one line what the owner should know (vectors missing, index behind)."""

    hits: list[Hit]
    took_ms: float
    notice: str | None = None
    did_you_mean: str | None = None


class AskRequest(Wire, frozen=True):
    """A question to memory. *model* None lets the daemon choose; *limit* bounds the passages considered."""

    question: str
    model: str | None = None
    limit: int = 8


class Answer(Wire, frozen=True):
    """*kind* says who answers: the facts, an honest doubt, a tombstone, a model, quoted passages, or nobody."""

    text: str
    kind: AnswerKind
    sources: list[Source] = []
    model: str | None = None
    took_ms: float = 0.0


class RememberRequest(Wire, frozen=True):
    """Words to remember. *page* names the page (default: chosen by topic); *verbatim* files them as they are."""

    text: str
    page: str | None = None
    verbatim: bool = False


class FactLine(Wire, frozen=True):
    """
    A fact as the owner sees it. *value* None with *unsure* is `?`, *was* then what it had been; None with *forgotten*
    is a tombstone.
    """

    attribute: str
    value: str | None
    path: str
    line: int
    since: str | None = None
    until: str | None = None
    reason: str | None = None
    source: str | None = None
    unsure: bool = False
    forgotten: bool = False
    was: str | None = None
    tags: list[str] = []


class FactChanged(Wire, frozen=True):
    """
    One change of one fact: *before* and *after* are values (None: none, or `?`), *reason* names a sentence or a rule.
    """

    attribute: str
    path: str
    line: int
    before: str | None
    after: str | None
    reason: str
    forgotten: bool = False


class Recalled(Wire, frozen=True):
    """
    What memory knows of one fact: what holds now (or held on *at*), what held before, and the lines it was told in.

    *facts* are several where several values hold, or where pages disagree: *conflict* then says so. None of them holds
    a value where the fact is unsure or forgotten.
    """

    attribute: str
    facts: list[FactLine] = []
    past: list[FactLine] = []
    sources: list[Source] = []
    at: str | None = None
    conflict: str | None = None


class Cause(Wire, frozen=True):
    """
    A step of the chain behind a fact, *depth* rules away from it: the fact, the rule that set it, where it was told.

    *said* is the cause as the line gives it, where no fact of that name is left.
    """

    depth: int
    fact: FactLine
    rule: Source | None = None
    said: str | None = None
    sources: list[Source] = []


class Why(Wire, frozen=True):
    """The chain of causes behind what stands under *attribute*: each step follows what it explains, one deeper."""

    attribute: str
    causes: list[Cause]


class WhatIfRequest(Wire, frozen=True):
    """*text* supposes: `team lead = Arno`, `[[Work]] [team lead] = ?`, `forget team lead`. Nothing is written."""

    text: str


class WhatIf(Wire, frozen=True):
    """What was supposed, and everything that would follow from it by the rules, each after what it hangs on."""

    supposed: list[FactChanged]
    consequences: list[FactChanged] = []
    problems: list[str] = []


class GraphEdge(Wire, frozen=True):
    """A rule as an arrow: when *cause* does what *when* says, *target* becomes *becomes* (None: `?`)."""

    cause: str
    target: str
    when: str
    becomes: str | None
    path: str
    line: int


class Graph(Wire, frozen=True):
    """The dependency graph: its edges, and a picture of them in *format*."""

    format: Literal["text", "mermaid", "dot"]
    picture: str
    edges: list[GraphEdge] = []


class ParkedChange(Wire, frozen=True):
    """A change of the daemon's that met an edit of the owner's on the same lines, and waits. *diff* is unified."""

    id: str
    when: str
    path: str
    message: str
    diff: str = ""


class ProposalRequest(Wire, frozen=True):
    """Names a parked change."""

    id: str


class ChatMemory(Wire, frozen=True):
    """
    What memory did in a chat with a `:memory` model: the `reverie` member of the reply, or of a stream's last chunk.

    *sources* is what the reply was given to read, best first; *changes* is what the user's words changed. *exchange*
    names question and reply for feedback.
    """

    sources: list[Source] = []
    changes: list[FactChanged] = []
    commit: str | None = None
    kind: AnswerKind | None = None
    exchange: str | None = None


class FeedbackRequest(Wire, frozen=True):
    """
    What the owner thinks of an answer: of an *exchange* (see `ChatMemory`), or of any *question*.

    *correction* is the right answer, where they say it.
    """

    verdict: Literal["up", "down"]
    exchange: str | None = None
    question: str | None = None
    correction: str | None = None


class FeedbackNoted(Wire, frozen=True):
    """What became of feedback: *trains* says whether the night has a right answer to learn from; what it changed."""

    question: str
    trains: bool
    changes: list[FactChanged] = []
    commit: str | None = None


class Remembered(Wire, frozen=True):
    """What became of the words: facts changed (consequences included), or a note line; and the id that undoes it."""

    changes: list[FactChanged]
    noted: Source | None = None
    commit: str | None = None


class ForgetRequest(Wire, frozen=True):
    """*what* is an attribute or a page path. Without *confirm* nothing happens: the reply says what would."""

    what: str
    confirm: bool = False


class Forgotten(Wire, frozen=True):
    """What was (or, unconfirmed, would be) removed, and the dependants that became `?`."""

    done: bool
    matches: list[FactLine]
    changes: list[FactChanged] = []
    places: list[str] = []


class PageInfo(Wire, frozen=True):
    """A page in a listing."""

    path: str
    title: str
    size_bytes: int
    modified: str
    chunks: int
    tags: list[str] = []


class PageView(Wire, frozen=True):
    """A page to read. *text* has its line ends normalised to `\\n`; the file keeps its own."""

    path: str
    title: str
    text: str
    hash: str


class PageStatus(Wire, frozen=True):
    """Whether and why a file is found or not."""

    path: str
    state: Literal["indexed", "pending", "ignored", "unreadable", "missing"]
    reason: str
    indexed_at: str | None = None
    chunks: int = 0
    vectors: int = 0
    hash: str | None = None


class ReindexRequest(Wire, frozen=True):
    """None: the whole vault, rebuilt beside the running index and swapped in."""

    paths: list[str] | None = None


class Synced(Wire, frozen=True):
    """What a sync did. *failed* holds `path: reason` lines; their old entries were kept."""

    added: int
    updated: int
    removed: int
    unchanged: int
    embedded: int
    failed: list[str]
    took_s: float


class UndoRequest(Wire, frozen=True):
    """None undoes the newest change of the daemon."""

    id: str | None = None


class Commit(Wire, frozen=True):
    """
    A change in the vault's history. The reply to an undo names what was undone: its id, and when it was made; *notice*
    says why it has no id yet.
    """

    id: str
    when: str
    author: str
    message: str
    paths: list[str]
    undone: str | None = None
    undone_when: str | None = None
    notice: str | None = None


class Finding(Wire, frozen=True):
    """One line of `reverie doctor`."""

    severity: Severity
    subject: str
    message: str
    path: str | None = None
    line: int | None = None
    hint: str | None = None


# -- models ---


class ModelInfo(Wire, frozen=True):
    """An installed or known model. *trust* lists the abilities that `models check` granted on this machine."""

    name: str
    kind: Literal["chat", "embed", "rerank"]
    installed: bool
    size_bytes: int
    sha256: str | None = None
    license: str | None = None
    context_tokens: int | None = None
    loaded: bool = False
    source: str | None = None
    trust: list[str] = []
    warnings: list[str] = []


class PullRequest(Wire, frozen=True):
    """
    *source*: a catalog name, `hf:owner/repo/file.gguf`, an `https:` address, or a path on this machine.

    The reply is a stream of `Progress`, one JSON object a line.
    """

    source: str
    name: str | None = None
    sha256: str | None = None


class Progress(Wire, frozen=True):
    """A step of a long call. *total* 0 when unknown; the last one has `done` or `error` set."""

    step: str
    completed: int = 0
    total: int = 0
    unit: Literal["bytes", "items"] = "bytes"
    done: bool = False
    error: str | None = None


class CheckResult(Wire, frozen=True):
    """One small test of `models check`."""

    ability: str
    name: str
    passed: bool
    detail: str = ""


class CheckReport(Wire, frozen=True):
    """All tests of one model, and what it is trusted with as a result."""

    model: str
    digest: str
    results: list[CheckResult]
    scores: dict[str, float]
    trust: list[str]
    took_s: float


class BenchReport(Wire, frozen=True):
    """
    How fast a model is on this machine, medians of a few runs; None was not measured.

    *first_token_ms* is the wait for a question whose beginning was read before. *load_s* None: it was loaded already.
    """

    model: str
    kind: Literal["chat", "embed", "rerank"]
    rss_bytes: int
    load_s: float | None = None
    prompt_tokens: int | None = None
    prompt_tokens_per_s: float | None = None
    generation_tokens_per_s: float | None = None
    first_token_ms: float | None = None
    texts_per_s: float | None = None


class MemoryBenchRequest(Wire, frozen=True):
    """Asks for a bench of memory with the model *name* on so many generated *episodes*."""

    name: str
    episodes: int = 2
    seed: int = 0


class TaskScore(Wire, frozen=True):
    """Of so many *questions* of a task, how many were right with *facts* alone, and in a chat with the *model*."""

    task: str
    about: str
    questions: int
    facts: int
    model: int


class MemoryBenchReport(Wire, frozen=True):
    """
    How well memory answers with a model, which did only what it is trusted with.

    *facts_ms* and *model_ms* are the medians of an answer by facts alone and in a chat with the model.
    """

    model: str
    episodes: int
    seed: int
    trust: list[str]
    tasks: list[TaskScore]
    facts_ms: float
    model_ms: float
    took_s: float


class ModelRequest(Wire, frozen=True):
    """Names a model for load, unload, check or show."""

    name: str


# -- the daemon ---


class WorkerStatus(Wire, frozen=True):
    """A process that holds one model."""

    model: str
    pid: int
    state: Literal["starting", "ready", "busy", "stopping", "failed"]
    rss_bytes: int
    tokens_per_second: float = 0.0
    active: int = 0
    queued: int = 0
    unload_in_s: float | None = None


class IndexStatus(Wire, frozen=True):
    """How far the index is behind the files. *lag_s* is 0 when nothing waits."""

    pages: int
    chunks: int
    vectors: int
    pending_pages: int
    pending_vectors: int
    lag_s: float
    watching: bool
    rebuilding: bool = False
    failed: int = 0


class JobStatus(Wire, frozen=True):
    """A scheduled job: when it last ran and how, when it is due, and what holds it back."""

    name: str
    state: Literal["idle", "running", "waiting", "failed"]
    last_run: str | None = None
    next_run: str | None = None
    outcome: str | None = None
    waits_for: str | None = None


class Status(Wire, frozen=True):
    """Everything the status screen shows, in one call that wakes nothing."""

    version: str
    pid: int
    home: str
    vault: str
    address: str | None
    socket: str
    uptime_s: float
    rss_bytes: int
    cpu_percent: float
    ready: bool
    chat_model: str | None
    embed_model: str | None
    index: IndexStatus
    workers: list[WorkerStatus] = []
    jobs: list[JobStatus] = []
    problems: list[str] = []


class Health(Wire, frozen=True):
    """200 with `ok` once the daemon serves; *problems* are things it serves without."""

    status: Literal["starting", "ok", "draining"]
    version: str
    problems: list[str] = []


# -- the night ---


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


class NightRun(Wire, frozen=True):
    """
    One dream, or one lesson (reflect, rules). *repairs* is empty in lists, *kept* and *undone* count them; *problems*
    are what an undo could not take back.
    """

    id: str
    started: str
    ended: str
    why: str
    stopped: str
    passages: int
    took_s: float
    kind: Literal["dream", "reflect", "rules", "ranking"] = "dream"
    kept: int = 0
    waiting: int = 0
    undone: int = 0
    log: str = ""
    rounds: list[NightRound] = []
    repairs: list[NightRepair] = []
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


class Event(Wire, frozen=True):
    """A past fact of the daemon, as `/events` streams it. *data* holds plain JSON values, never the owner's words."""

    id: int
    when: str
    kind: str
    message: str
    severity: Severity = "ok"
    data: dict[str, Any] = {}


class ConfigValue(Wire, frozen=True):
    """One setting, its value as TOML would write it, and the place that set it."""

    key: str
    value: str
    source: str
