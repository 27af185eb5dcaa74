"""
Many answers at once from one model: admission, batches, priorities, reuse of what was read before.

One thread owns the engine and calls `step`; `submit`, `cancel` and `drop` may come from another. Interactive requests
own the machine: while one runs, background ones stand still in their slots, and leave them when slots run short,
with their state kept for later.

The same tokens computed in other company, or in other portions, give slightly other numbers, and a sampled text then
takes another turn. A request that names a seed therefore reads its prompt alone and in fixed portions, and reuses only
what was read so: the same seed gives the same text, whatever the slots hold, as long as no other answer runs beside it.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from models.answer import AnswerStream
from models.backend import Backend, DecodeFailed, Interrupted, Run
from models.errors import ModelError, QueueFull, WorkerError
from models.holdings import Holdings
from models.prefixes import PrefixStore
from models.requests import Delta, FinishReason, Priority, TokenLogprob
from models.slots import ENDING_CHUNKS, Reader, Wait, place, share
from models.tasks import PORTION_TOKENS, Job, Load, Pace, Rate, Slot, Task

log = logging.getLogger(__name__)

STEP_S = 0.1  # that others wait at most while a long prompt is read
CHUNK_LEAST = 16  # tokens; below, reading gets slow
FLUSH_S = {"interactive": 0.02, "background": 0.25}
PARKED_BUDGET_BYTES = 256 << 20
ENDLESS = 1 << 30

Emit = Callable[[int, Delta | ModelError], None]


class Engine:
    """Serves jobs over a backend. Every job ends with a last delta per answer, or one error, through *emit*."""

    def __init__(
        self,
        backend: Backend,
        emit: Emit,
        *,
        queue_limit: int = 64,
        prefixes: PrefixStore | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backend = backend
        self._emit = emit
        self._queue_limit = queue_limit
        self._holdings = Holdings(backend, prefixes)
        self._slots = self._holdings.slots
        self._clock = clock
        self._waiting: dict[Priority, deque[Task]] = {"interactive": deque(), "background": deque()}
        self._new: deque[Job] = deque()
        self._cancelled: deque[int] = deque()
        self._orders: deque[Callable[[], None]] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._queued = 0
        self._interrupted_before = False
        self._exact_turn = False
        self._awaited: dict[int, int] = {}  # by slot, the token up to which it reads what another waits for
        self._may_interrupt = False
        self._rate = Rate(clock)
        self._pace = Pace()
        self._mean_s = 2.0

    # -- from other threads ---

    def submit(self, job: Job) -> None:
        """
        Queue *job*.

        Raises:
            QueueFull: as many as the limit are waiting.
        """
        with self._wake:
            if self._queued + len(job.plans) > max(self._queue_limit, len(job.plans)):
                raise QueueFull(max(1.0, round(self._mean_s * self._queued / len(self._slots), 1)))
            self._queued += len(job.plans)
            self._new.append(job)
            self._wake.notify()
        if job.priority == "interactive" and self._may_interrupt:
            self._backend.interrupt()

    def cancel(self, job_id: int) -> None:
        """End all answers of a job; nothing more is emitted for it."""
        with self._wake:
            self._cancelled.append(job_id)
            self._wake.notify()
        if self._may_interrupt:
            self._backend.interrupt()

    def order(self, action: Callable[[], None]) -> None:
        """Have *action* run between two steps, in the engine's thread."""
        with self._wake:
            self._orders.append(action)
            self._wake.notify()

    def close(self) -> None:
        """Make `wait` return False once nothing is left to do."""
        with self._wake:
            self._closing = True
            self._wake.notify()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Sleep until there is something to do; True when there is, False after *timeout_s* or at the end."""
        with self._wake:
            if not self.busy and not self._closing:
                self._wake.wait(timeout_s)
            return self.busy

    @property
    def busy(self) -> bool:
        """Whether `step` would do something."""
        return bool(
            self._new
            or self._cancelled
            or self._orders
            or any(self._waiting.values())
            or any(slot.task for slot in self._slots)
        )

    @property
    def load(self) -> Load:
        """The present load."""
        active = sum(slot.task is not None for slot in self._slots)
        return Load(active, self._queued, self._rate.value())

    # -- the loop ---

    def step(self) -> None:
        """Admit who waits, read one batch, and pass on what came of it."""
        self._backend.rearm()
        self._awaited.clear()
        self._take_orders()
        self._admit()
        running = [slot for slot in self._slots if slot.task is not None]
        leading = [slot for slot in running if slot.task is not None and slot.task.job.priority == "interactive"]
        chosen = leading or running
        if not chosen:
            return
        runs, slots = self._batch(chosen)
        # What a newcomer may stop: background work, or the reading of a long prompt, not twice in a row. Stopping
        # a short one would cost more than waiting for it: what it has computed of its portion is lost.
        tokens = sum(len(run.tokens) for run in runs)
        long = max(len(run.tokens) for run in runs) > ENDING_CHUNKS * self._chunk_tokens
        self._may_interrupt = not leading or (long and not self._interrupted_before)
        began = self._clock()
        try:
            self._backend.decode(runs)
        except Interrupted as stop:
            self._may_interrupt = False
            self._interrupted_before = True
            for slot, kept in zip(slots, stop.kept, strict=True):
                slot.length += kept
                slot.exact = min(slot.exact, slot.length)
                slot.moved(self._clock())
            return
        except DecodeFailed as error:
            self._may_interrupt = False
            log.error("a batch failed: %s", error)
            for slot in slots:
                self._fail(slot, WorkerError(str(error)))
            return
        self._may_interrupt = False
        self._interrupted_before = False
        self._pace.observe(tokens, self._clock() - began)
        self._after(runs, slots)

    @property
    def _chunk_tokens(self) -> int:
        return self._pace.tokens(STEP_S, least=CHUNK_LEAST, most=self._backend.batch_tokens)

    def _batch(self, chosen: list[Slot]) -> tuple[list[Run], list[Slot]]:
        now = self._clock()
        by_seq = {slot.seq: slot for slot in chosen}
        readers = []
        for slot in chosen:
            assert slot.task is not None
            todo = len(slot.task.tokens) - slot.length
            readers.append(Reader(slot.seq, todo, now - slot.task.moved, slot.task.answered > 0 and todo == 1))
        shares = share(readers, batch_tokens=self._backend.batch_tokens, chunk_tokens=self._chunk_tokens)
        shares = self._apart(shares, by_seq)
        runs = []
        slots = []
        for seq, count in sorted(shares):  # llama.cpp computes together only sequences that follow each other
            slot = by_seq[seq]
            assert slot.task is not None
            end = slot.length + count
            end = min(end, max(self._awaited.get(seq, end), slot.length + 1))
            static = slot.task.job.static_tokens
            if slot.length < static < end and (slot.task.seeded or self._holdings.worth_saving(slot.task)):
                end = static
            runs.append(Run(seq, slot.length, slot.task.tokens[slot.length : end], end == len(slot.task.tokens)))
            slots.append(slot)
        return runs, slots

    def _apart(self, shares: list[tuple[int, int]], by_seq: dict[int, Slot]) -> list[tuple[int, int]]:
        """*shares*, or one fixed portion of a seeded prompt alone; in turns with the others, where there are any."""

        def exactly(seq: int) -> bool:
            slot = by_seq[seq]
            return slot.task is not None and slot.task.seeded and slot.task.answered == 0

        alone = next((seq for seq, _ in shares if exactly(seq)), None)
        if alone is None:
            return shares
        others = [(seq, count) for seq, count in shares if not exactly(seq)]
        self._exact_turn = not self._exact_turn or not others
        if not self._exact_turn:
            return others
        slot = by_seq[alone]
        assert slot.task is not None
        portion = PORTION_TOKENS - slot.length % PORTION_TOKENS
        return [(alone, min(portion, len(slot.task.tokens) - slot.length))]

    def _after(self, runs: Sequence[Run], slots: Sequence[Slot]) -> None:
        answered = 0
        now = self._clock()
        for i, (run, slot) in enumerate(zip(runs, slots, strict=True)):
            if len(runs) == 1 and run.start == slot.exact and len(run.tokens) % PORTION_TOKENS == 0:
                whole = self._backend.chunk_tokens == PORTION_TOKENS or len(run.tokens) == PORTION_TOKENS
                slot.exact += len(run.tokens) if whole else 0
            slot.length += len(run.tokens)
            slot.moved(now)
            task = slot.task
            if task is None:
                continue
            self._holdings.advanced(slot)
            if run.sample:
                answered += 1
                try:
                    self._answer(i, slot, task)
                except ModelError as error:
                    self._fail(slot, error)
        self._rate.count(answered)

    def _answer(self, run: int, slot: Slot, task: Task) -> None:
        """Draw the next token of *task* and deal with it."""
        assert task.sampler is not None
        if task.limit <= 0:
            task.first_token = self._clock()
            self._finish(slot, task, "length")
            return
        token = task.sampler.sample(run)
        now = self._clock()
        if task.first_token == 0.0:
            task.first_token = now
        if token in self._backend.ends and not task.job.ignore_eos:
            self._finish(slot, task, "stop")
            return
        task.tokens.append(token)
        logprob = self._logprob(run, token, task.job.top_logprobs) if task.job.top_logprobs is not None else None
        if task.stream.push(self._backend.piece(token), logprob):
            self._finish(slot, task, "stop")
        elif task.answered >= task.limit:
            self._finish(slot, task, "length")
        else:
            if not task.bound and task.job.lazy_grammar is not None and (begun := task.stream.begun) is not None:
                task.bound = True
                task.sampler.bind(task.job.lazy_grammar, begun)
            if task.answered == 1 or now - task.flushed >= FLUSH_S[task.job.priority]:
                self._flush(task, now)

    def _logprob(self, run: int, token: int, top: int) -> TokenLogprob:
        own, best = self._backend.rank(run, token, top)

        def shaped(token: int, logprob: float, rivals: tuple[TokenLogprob, ...] = ()) -> TokenLogprob:
            data = self._backend.piece(token)
            return TokenLogprob(
                token=token,
                text=data.decode("utf-8", "replace"),
                bytes=tuple(data),
                logprob=logprob,
                top=rivals,
            )

        return shaped(own.token, own.logprob, tuple(shaped(each.token, each.logprob) for each in best))

    def _flush(self, task: Task, now: float) -> None:
        delta = task.stream.take()
        if delta is None:
            return
        task.flushed = now
        if not task.warned and task.job.warnings:
            delta = _with(delta, warnings=task.job.warnings)
        task.warned = True
        self._emit(task.job.id, delta)

    # -- ends ---

    def _finish(self, slot: Slot, task: Task, reason: FinishReason) -> None:
        now = self._clock()
        try:
            reason = task.stream.finish(reason)
        except ModelError as error:
            self._fail(slot, error)
            return
        rest = task.stream.take() or Delta(index=task.index)
        answered = task.answered + (1 if reason == "stop" and task.stream.stopped_by is None else 0)
        self._emit(
            task.job.id,
            _with(
                rest,
                warnings=() if task.warned else task.job.warnings,
                finish_reason=reason,
                stopped_by=task.stream.stopped_by,
                usage=task.usage(answered),
                timings=task.timings(now),
            ),
        )
        self._mean_s += 0.2 * (now - task.started - self._mean_s)
        self._holdings.release(slot)

    def _fail(self, slot: Slot, error: ModelError) -> None:
        """End every answer of the job in *slot* with *error*; what the slot holds is not trusted any more."""
        task = slot.task
        self._holdings.release(slot, keep=not isinstance(error, WorkerError))
        if task is not None:
            self._end(task.job.id)
            self._emit(task.job.id, error)

    def _end(self, job_id: int) -> None:
        """Take all answers of a job out, running or waiting, and emit nothing."""
        for slot in self._slots:
            if slot.task is not None and slot.task.job.id == job_id:
                self._holdings.release(slot)
        for waiting in self._waiting.values():
            gone = [task for task in waiting if task.job.id == job_id]
            for task in gone:
                waiting.remove(task)
                task.close()
            with self._wake:
                self._queued -= len(gone)

    # -- admission ---

    def _take_orders(self) -> None:
        with self._wake:
            new, self._new = self._new, deque()
            cancelled, self._cancelled = self._cancelled, deque()
            orders, self._orders = self._orders, deque()
        for job in new:
            if job.id in cancelled:
                with self._wake:
                    self._queued -= len(job.plans)
                continue
            for index in range(len(job.plans)):
                self._waiting[job.priority].append(self._task(job, index))
        for job_id in cancelled:
            self._end(job_id)
        for action in orders:
            action()

    def _task(self, job: Job, index: int) -> Task:
        now = self._clock()
        room = self._backend.context_tokens - len(job.prompt)
        return Task(
            job=job,
            index=index,
            tokens=list(job.prompt),
            limit=min(room, ENDLESS if job.max_tokens is None else job.max_tokens),
            stream=AnswerStream(job.rules, index),
            sampler=None,
            submitted=now,
            moved=now,
        )

    def _admit(self) -> None:
        interactive = self._waiting["interactive"]
        while interactive:
            if not any(slot.task is None for slot in self._slots) and not self._park():
                break
            if not self._admit_one(interactive):
                break
        if interactive or any(slot.task and slot.task.job.priority == "interactive" for slot in self._slots):
            return
        background = self._waiting["background"]
        allowed = max(1, len(self._slots) - 1)  # one slot stays free for whoever comes
        while background and sum(slot.task is not None for slot in self._slots) < allowed:
            if not self._admit_one(background):
                break

    def _admit_one(self, waiting: deque[Task]) -> bool:
        """Give a slot to the first of *waiting* that need not wait for another's prompt. False: to none."""
        views = {exact: [slot.view(exact=exact) for slot in self._slots] for exact in (False, True)}
        for task in waiting:
            choice = place(task.tokens, views[task.seeded])
            if choice is None:
                return False
            if isinstance(choice, Wait):
                self._awaited[choice.seq] = min(choice.until, self._awaited.get(choice.seq, choice.until))
                continue
            waiting.remove(task)
            with self._wake:
                self._queued -= 1
            self._start(task, self._slots[choice.seq], choice.keep, choice.copy_from)
            return True
        return False

    def _start(self, task: Task, slot: Slot, keep: int, copy_from: int | None) -> None:
        if task.sampler is None:
            try:
                plan = task.job.plans[task.index]
                task.sampler = self._backend.sampler(plan, task.job.grammar)
            except ModelError as error:
                self._end(task.job.id)
                self._emit(task.job.id, error)
                return
        self._holdings.take(task, slot, keep, copy_from, self._clock())

    def _park(self) -> bool:
        """Take a background answer out of its slot, to go on later. False: there is none."""
        slots = [slot for slot in self._slots if slot.task and slot.task.job.priority == "background"]
        if not slots:
            return False
        slot = min(slots, key=lambda slot: slot.length)
        held = sum(len(other.state) for other in self._waiting["background"] if other.state is not None)
        task = self._holdings.park(slot, with_state=held < PARKED_BUDGET_BYTES)
        self._waiting["background"].appendleft(task)
        with self._wake:
            self._queued += 1
        return True

    # -- forgetting ---

    def drop(self, matches: Callable[[Sequence[int]], bool]) -> int:
        """Forget saved heads and idle slots whose tokens *matches* accepts; how many. In the engine's thread only."""
        return self._holdings.drop(matches)


def _with(delta: Delta, **changes: object) -> Delta:
    values = {name: getattr(delta, name) for name in delta.__struct_fields__}
    return Delta(**(values | changes))
